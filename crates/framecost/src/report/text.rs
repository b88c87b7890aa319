//! The report for a terminal. In: a [`Report`] and a [`Style`]. Out: lines of text, every name in them escaped.

use framecost_sample::{Fact, Reading, metric_names};

use super::cells::{
    count, fact_text, median, paired_missing, paired_table, statistic_cells, statistic_columns,
};
use super::escape::terminal;
use super::format::{bar, dash, percent, share, some_ratio};
use super::table::{Paint, Table, left, name, paint, right};
use super::{
    BudgetRow, Comparison, Figure, Group, Head, OfVariants, Pass, Report, Style, Verdicts, evidence, words,
};
use crate::judge::{Census, Difference, Outcome, Overall, Verdict};

/// Cells of the bar that shows a pass's share, on a wide and on a narrow terminal.
const BAR: (usize, usize) = (20, 12);

/// The report as text: the verdict first, then what ran, the frame, its passes, and all that qualifies them.
#[must_use]
pub fn text(report: &Report, style: &Style) -> String {
    let mut page = Page::new(style, report.has_ratios());
    if let Some(verdicts) = &report.verdicts {
        page.verdicts(verdicts);
    }
    page.head(&report.head);
    if let Some(comparison) = &report.comparison {
        page.comparison(comparison, report.verdicts.is_some());
    }
    // Tables of dashes say less than the one line under `missing`.
    if report.head.stamped {
        page.frame(report);
        page.passes(report);
        page.gates(report);
    }
    if let Some(verdicts) = &report.verdicts {
        page.budgets(verdicts);
    }
    page.figures("sampled per frame", &report.samples);
    page.single("run", &report.run);
    page.single("cost of measuring", &report.cost);
    page.missing(report);
    page.findings(report);
    page.environment(&report.environment);
    if let Some(census) = report.verdicts.as_ref().and_then(|verdicts| verdicts.census.as_ref()) {
        page.census(census);
    }
    page.finish()
}

/// What a switch adds, as text.
#[must_use]
pub fn text_of_variants(of: &OfVariants, style: &Style) -> String {
    let mut page = Page::new(style, of.has_ratios());
    page.section(&terminal(&format!("difference {}", words::difference(of))));
    page.say(&of.of);
    page.line(words::PAIRED);
    if let Some(verdicts) = &of.verdicts {
        page.line("");
        page.verdicts(verdicts);
    }
    page.table(&paired_table(of, terminal, style));
    for note in paired_missing(of).iter().chain(&of.notes) {
        page.say(&format!("  {note}"));
    }
    if let Some(verdicts) = &of.verdicts {
        page.budgets(verdicts);
    }
    page.finish()
}

/// Several reports as text, below a heading that says what they come to together, and what switches add; one alone needs
/// no heading.
#[must_use]
pub fn text_of_all(
    overall: &Overall,
    reports: &[Report],
    differences: &[OfVariants],
    style: &Style,
) -> String {
    if let [only] = reports {
        return text(only, style);
    }
    let mut page = Page::new(style, false);
    page.outcome(words::headline(overall), overall.outcome, false, &words::overall(overall));
    page.heed(&words::absent(overall.census.as_ref()));
    page.heed(&words::heeded(&overall.unbound, &overall.notes, &[]));
    if let Some(error_rate) = overall.error_rate {
        page.say(&format!("  {error_rate}"));
    }
    if let Some(census) = &overall.census {
        page.census(census);
    }
    let texts = reports.iter().map(|report| text(&report.below(overall), style));
    let differences = differences.iter().map(|of| text_of_variants(&of.below(overall), style));
    std::iter::once(page.finish()).chain(texts).chain(differences).collect::<Vec<_>>().join("\n")
}

struct Page<'a> {
    lines: Vec<String>,
    style: &'a Style,
    /// Whether there is a column of ratios.
    ratios: bool,
}

impl<'a> Page<'a> {
    const fn new(style: &'a Style, ratios: bool) -> Self {
        Self { lines: Vec::new(), style, ratios }
    }

    fn finish(self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }

    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A line with untrusted names, escaped here.
    fn say(&mut self, line: &str) {
        self.lines.push(terminal(line));
    }

    fn section(&mut self, title: &str) {
        if !self.lines.is_empty() {
            self.line("");
        }
        let title = paint(title, Paint::Bold, self.style);
        self.line(title);
    }

    fn table(&mut self, table: &Table) {
        self.lines.extend(table.lines(2, self.style));
    }

    fn verdicts(&mut self, verdicts: &Verdicts) {
        let (outcome, warned) = (verdicts.outcome, verdicts.tally.warned > 0);
        self.outcome(words::verdict(verdicts), outcome, warned, &words::tally(verdicts));
        self.heed(&words::below(verdicts));
        // Most urgent first; verdicts with numbers share a table where they follow each other.
        for groups in verdicts.groups.chunk_by(|a, b| a.reason.is_none() && b.reason.is_none()) {
            match groups {
                [Group { reason: Some(reason), .. }] => self.reasoned(&groups[0], reason),
                judged => {
                    let table = judged_table(judged, self.style);
                    self.table(&table);
                }
            }
        }
        self.evidence(verdicts);
        if let Some(note) = &verdicts.of_runs {
            self.say(&format!("  note: {note}"));
        }
        if let Some(error_rate) = &verdicts.error_rate {
            self.say(&format!("  {error_rate}"));
        }
        self.line("");
    }

    /// Every comparison that the rule of runs made, with what stands behind it.
    fn evidence(&mut self, verdicts: &Verdicts) {
        let numbers = [0, 0, 0, 0, 2, 1];
        let columns = evidence::TITLES.into_iter().zip(numbers).map(|(title, rank)| right(title, rank));
        let mut table = Table::new([name("by runs"), left("", 0)].into_iter().chain(columns).collect());
        for (row, evidence) in evidence::rows(verdicts) {
            let mut cells = vec![terminal(&words::statistic(row)), words::marked(row)];
            cells.extend(evidence::cells(row, evidence, self.style));
            table.push(cells);
        }
        if table.rows.is_empty() {
            return;
        }
        self.line("");
        self.table(&table);
        for (row, evidence) in evidence::rows(verdicts) {
            for place in evidence::places(row, evidence) {
                self.say(&format!("  {place}"));
            }
        }
        if let Some(drifting) = evidence::drifting(verdicts) {
            self.say(&format!("  {drifting}"));
        }
        for apart in evidence::apart(verdicts) {
            self.say(&format!("  {apart}"));
        }
        self.say(&format!("  {}", evidence::legend(verdicts)));
    }

    /// What it all comes to, in one line.
    fn outcome(&mut self, word: &str, outcome: Outcome, warned: bool, counts: &str) {
        let colour = match outcome {
            Outcome::Passed if warned => Paint::Yellow,
            Outcome::Passed => Paint::Green,
            Outcome::Regressed => Paint::Red,
            Outcome::NotMeasured => Paint::Magenta,
        };
        let word = paint(word, colour, self.style);
        self.line(format!("{word}  {counts}"));
    }

    /// What became of every figure.
    fn census(&mut self, census: &Census) {
        self.section("census");
        let mut table = Table::new(vec![left("", 0), right("count", 0), left("which", 0)]);
        for cells in words::census(census) {
            table.push(cells.map(|cell| terminal(&cell)).into());
        }
        self.table(&table);
        for note in &census.notes {
            self.say(&format!("  note: {note}"));
        }
    }

    fn heed(&mut self, lines: &[String]) {
        for line in lines {
            self.say(&format!("  {line}"));
        }
    }

    /// A verdict with its reason: of one figure on one line, of several with their names below.
    fn reasoned(&mut self, group: &Group, reason: &str) {
        let verdict = group.verdict.to_uppercase();
        match group.rows.as_slice() {
            [row] => self.say(&format!("  {verdict}  {}: {reason}", words::with_change(row))),
            rows => {
                self.say(&format!("  {verdict}  {} figures: {reason}", rows.len()));
                self.say(&format!("  {}  {}", " ".repeat(verdict.len()), words::named_rows(group)));
            }
        }
    }

    fn head(&mut self, head: &Head) {
        let title = paint(&terminal(&words::title(head)), Paint::Bold, self.style);
        self.line(title);
        self.say(&words::adapter(head));
        self.say(&words::frames(head));
        for line in words::stamps(head) {
            self.say(&line);
        }
        if head.on_cpu {
            self.say(words::ON_CPU);
        }
    }

    /// What was compared; differences that were crossed stand below the verdict where there is one.
    fn comparison(&mut self, comparison: &Comparison, judged: bool) {
        if !comparison.refused.is_empty() {
            self.section("not compared with the baseline: they differ in");
            self.differences(&comparison.refused);
        } else if let Some(frames) = words::compared_on(comparison) {
            self.say(&frames);
        }
        if !judged && !comparison.declared.is_empty() {
            self.section("compared across, as asked");
            self.differences(&comparison.declared);
        }
        if !comparison.environment.is_empty() {
            self.section("environment differs from the baseline's");
            self.differences(&comparison.environment);
        }
    }

    fn differences(&mut self, differences: &[Difference]) {
        let mut table = Table::new(vec![name(""), left("this run", 0), left("baseline", 0)]);
        for difference in differences {
            table.push(
                [&difference.what, &difference.this, &difference.baseline].map(|cell| terminal(cell)).into(),
            );
        }
        self.table(&table);
    }

    fn frame(&mut self, report: &Report) {
        self.figures("frame", &report.frame);
        if let Some(Reading::Measured(coverage)) = report.coverage {
            self.line(format!("  coverage: timed passes ran in {} of gpu_total", percent(coverage)));
        }
    }

    fn figures(&mut self, title: &str, figures: &[Figure]) {
        if figures.is_empty() {
            return;
        }
        self.section(title);
        let mut table = Table::new(statistic_columns("", self.ratios));
        for figure in figures {
            table.push(statistic_cells(&terminal(&figure.metric), figure, self.ratios, self.style));
        }
        self.table(&table);
        self.withheld(figures);
    }

    fn withheld(&mut self, figures: &[Figure]) {
        if let Some(text) = words::withheld(figures) {
            self.line(format!("  {text}"));
        }
    }

    fn passes(&mut self, report: &Report) {
        if report.passes.is_empty() {
            return;
        }
        self.section("passes, medians");
        let mut columns = vec![
            name("pass"),
            right("share", 0),
            left("", 3),
            right("attributed", 0),
            right("duration", 0),
            right("exposed", 1),
            right("alone", 4),
            right("n", 2),
        ];
        columns.extend(self.ratios.then(|| right("ratio", 0)));
        let mut table = Table::new(columns);
        for pass in &report.passes {
            let cells = self.pass(pass);
            if pass.largest { table.push_bold(cells) } else { table.push(cells) }
        }
        if let Some(untimed) = &report.untimed_share {
            table.push(self.untimed(untimed, report));
        }
        self.table(&table);
        self.line(format!("  {}", words::NO_SUM));
    }

    fn pass(&self, pass: &Pass) -> Vec<String> {
        let style = self.style;
        let mut cells = vec![terminal(&pass.name), share(&pass.share, style), share_bar(&pass.share, style)];
        let figures = [&pass.attributed, &pass.duration, &pass.exposed, &pass.alone];
        cells.extend(figures.map(|figure| median(figure, style)));
        cells.push(count(&pass.duration));
        cells.extend(self.ratios.then(|| some_ratio(pass.attributed.ratio, style)));
        cells
    }

    /// What the passes leave of the frame, in the same columns.
    fn untimed(&self, part: &Reading<f64>, report: &Report) -> Vec<String> {
        let style = self.style;
        let figure = report.frame.iter().find(|figure| figure.metric == metric_names::UNTIMED);
        let cell = |of: &dyn Fn(&Figure) -> String| figure.map_or_else(|| dash(style).into(), of);
        let mut cells = vec!["(untimed)".into(), share(part, style), share_bar(part, style)];
        cells.push(cell(&|figure| median(figure, style)));
        cells.extend([String::new(), String::new(), String::new(), cell(&count)]);
        cells.extend(self.ratios.then(|| cell(&|figure| some_ratio(figure.ratio, style))));
        cells
    }

    fn budgets(&mut self, verdicts: &Verdicts) {
        if verdicts.budgets.is_empty() {
            return;
        }
        self.section("budgets and ceilings");
        let mut table = Table::new(vec![
            left("", 0),
            name("name"),
            name("figure"),
            right("value", 0),
            right("limit", 0),
            right("used", 1),
        ]);
        for BudgetRow { row, used } in &verdicts.budgets {
            table.push(vec![
                words::marked(row),
                terminal(words::budget_name(row)),
                terminal(&words::statistic(row)),
                words::cell(row.current, row, self.style),
                words::limit(row, self.style),
                used.map_or_else(|| dash(self.style).into(), percent),
            ]);
        }
        self.table(&table);
        for BudgetRow { row, .. } in &verdicts.budgets {
            if let Verdict::Skipped(why) = &row.verdict {
                self.say(&format!("  {}: {why}", words::budget_name(row)));
            }
        }
    }

    fn gates(&mut self, report: &Report) {
        if report.gates.is_empty() {
            return;
        }
        self.section("gates");
        let mut columns = statistic_columns("gate", self.ratios);
        columns.push(right("coverage", 1));
        columns.push(right("work before", 1));
        let mut table = Table::new(columns);
        for gate in &report.gates {
            let mut cells = statistic_cells(&terminal(&gate.name), &gate.time, self.ratios, self.style);
            cells.push(match &gate.coverage.stats {
                Reading::Measured(stats) => percent(stats.median),
                Reading::Missing(_) => dash(self.style).into(),
            });
            cells.push(median(&gate.before, self.style));
            table.push(cells);
        }
        self.table(&table);
        for gate in &report.gates {
            self.say(&format!(
                "  {}: from the start of {} to the latest end up to {}",
                gate.name, gate.from, gate.to
            ));
        }
    }

    /// Figures that have one value.
    fn single(&mut self, title: &str, figures: &[Figure]) {
        if figures.is_empty() {
            return;
        }
        self.section(title);
        let mut table = Table::new(vec![name(""), right("value", 0), left("", 1)]);
        for figure in figures {
            let why = match &figure.stats {
                Reading::Measured(_) => figure.about.clone(),
                Reading::Missing(reason) => format!("missing: {reason}"),
            };
            table.push(vec![terminal(&figure.metric), median(figure, self.style), terminal(&why)]);
        }
        self.table(&table);
    }

    fn missing(&mut self, report: &Report) {
        if report.missing.is_empty() {
            return;
        }
        self.section("missing");
        for missing in &report.missing {
            let (what, times, of) = (&missing.what, missing.times, missing.of);
            let reason = words::missing(&missing.reason, &report.head);
            self.say(&format!("  {what}: {times} of {of}, {reason}"));
        }
    }

    fn findings(&mut self, report: &Report) {
        if report.findings.is_empty() {
            return;
        }
        self.section("findings");
        for finding in &report.findings {
            let times = if finding.times > 1 { format!(" ({} times)", finding.times) } else { String::new() };
            self.say(&format!("  {}: {}{times}", finding.place, finding.cause));
            self.say(&format!("    {}", finding.remedy));
        }
    }

    fn environment(&mut self, facts: &[Fact]) {
        if facts.is_empty() {
            return;
        }
        self.section("environment");
        let mut table = Table::new(vec![name(""), left("before", 0), left("after", 0)]);
        for fact in facts {
            let after = if fact.after == fact.before { String::new() } else { fact_text(&fact.after) };
            table.push(vec![terminal(&fact.name), terminal(&fact_text(&fact.before)), terminal(&after)]);
        }
        self.table(&table);
    }
}

fn judged_table(groups: &[Group], style: &Style) -> Table {
    let moved = evidence::moved_title(groups.iter().flat_map(|group| &group.rows));
    let columns = ["baseline", "run", moved, "limit"].map(|title| right(title, 0));
    let mut table = Table::new([left("", 0), left("figure", 0)].into_iter().chain(columns).collect());
    for row in groups.iter().flat_map(|group| &group.rows) {
        let (before, now) = evidence::sides(row);
        table.push(vec![
            words::marked(row).to_uppercase(),
            terminal(&words::figure(row)),
            words::cell(before, row, style),
            words::cell(now, row, style),
            evidence::moved(row, style),
            words::limit(row, style),
        ]);
    }
    table
}

fn share_bar(share: &Reading<f64>, style: &Style) -> String {
    let cells = if style.width < 100 { BAR.1 } else { BAR.0 };
    share.measured().map_or_else(String::new, |part| bar(*part, cells, style))
}
