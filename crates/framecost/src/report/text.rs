//! The report for a terminal. In: a [`Report`] and a [`Style`]. Out: lines of text, every name in them escaped.

use framecost_sample::{Fact, Reading};

use super::escape::terminal;
use super::format::{bar, dash, quantile, share, some_ratio, value};
use super::table::{Paint, Table, left, paint, right};
use super::{Comparison, Figure, Group, Head, Report, Style, Verdicts, words};
use crate::judge::{Difference, Outcome};

/// Cells of the bar that shows a pass's share.
const BAR: usize = 20;

/// The report as text: the verdict first, then what ran, the frame, its passes, and all that qualifies them.
#[must_use]
pub fn text(report: &Report, style: &Style) -> String {
    let mut page = Page { lines: Vec::new(), style };
    if let Some(verdicts) = &report.verdicts {
        page.verdicts(verdicts);
    }
    page.head(&report.head);
    if let Some(comparison) = &report.comparison {
        page.comparison(comparison);
    }
    page.frame(report);
    page.passes(report);
    page.gates(report);
    page.figures("sampled per frame", &report.samples);
    page.single("run", &report.run);
    page.single("cost of measuring", &report.cost);
    page.missing(report);
    page.findings(report);
    page.environment(&report.environment);
    let mut text = page.lines.join("\n");
    text.push('\n');
    text
}

pub(super) struct Page<'a> {
    pub(super) lines: Vec<String>,
    pub(super) style: &'a Style,
}

impl Page<'_> {
    pub(super) fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// A line with untrusted names, escaped here.
    pub(super) fn say(&mut self, line: &str) {
        self.lines.push(terminal(line));
    }

    pub(super) fn section(&mut self, title: &str) {
        if !self.lines.is_empty() {
            self.line("");
        }
        let title = paint(title, Paint::Bold, self.style);
        self.line(title);
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.lines.extend(table.lines(2, self.style));
    }

    fn verdicts(&mut self, verdicts: &Verdicts) {
        let colour = match verdicts.outcome {
            Outcome::Passed if verdicts.tally.warned > 0 => Paint::Yellow,
            Outcome::Passed => Paint::Green,
            Outcome::Regressed => Paint::Red,
            Outcome::NotMeasured => Paint::Magenta,
        };
        let word = paint(words::outcome(verdicts.outcome), colour, self.style);
        self.line(format!("{word}  {}", words::tally(verdicts)));
        let judged: Vec<&Group> = verdicts.groups.iter().filter(|group| group.reason.is_none()).collect();
        if !judged.is_empty() {
            let table = judged_table(&judged, self.style);
            self.table(&table);
        }
        for group in &verdicts.groups {
            if let Some(reason) = &group.reason {
                self.say(&format!(
                    "  {}  {}: {reason}",
                    group.verdict.to_uppercase(),
                    words::named_rows(group)
                ));
            }
        }
        for note in &verdicts.notes {
            self.say(&format!("  note: {note}"));
        }
        if verdicts.runs.1 > 0 {
            self.say(&format!("  {}", verdicts.error_rate));
        }
        self.line("");
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

    fn comparison(&mut self, comparison: &Comparison) {
        let frames = comparison.frames;
        if !comparison.refused.is_empty() {
            self.section("not compared with the baseline: they differ in");
            self.differences(&comparison.refused);
        } else if frames.common < frames.run.max(frames.baseline) {
            let (run, base, common) = (frames.run, frames.baseline, frames.common);
            self.say(&format!(
                "compared on the {common} frames that both measured; run {run}, baseline {base}"
            ));
        }
        if !comparison.declared.is_empty() {
            self.section("compared across, as asked");
            self.differences(&comparison.declared);
        }
        if !comparison.environment.is_empty() {
            self.section("environment differs from the baseline's");
            self.differences(&comparison.environment);
        }
    }

    fn differences(&mut self, differences: &[Difference]) {
        let mut table = Table::new(vec![left(""), left("this run"), left("baseline")]);
        for difference in differences {
            table.push(
                [&difference.what, &difference.this, &difference.baseline].map(|cell| terminal(cell)).into(),
            );
        }
        self.table(&table);
    }

    fn frame(&mut self, report: &Report) {
        self.figures("frame", &report.frame);
        if let Some(coverage) = &report.coverage {
            let coverage = share(coverage, self.style);
            self.line(format!("  coverage: timed passes ran in {coverage} of gpu_total"));
        }
    }

    fn figures(&mut self, title: &str, figures: &[Figure]) {
        if figures.is_empty() {
            return;
        }
        self.section(title);
        let mut table = Table::new(statistic_columns(""));
        for figure in figures {
            table.push(statistic_cells(&terminal(&figure.metric), figure, self.style));
        }
        self.table(&table);
        self.withheld(figures);
    }

    fn withheld(&mut self, figures: &[Figure]) {
        let mut said: Vec<String> = Vec::new();
        for stats in figures.iter().filter_map(|figure| figure.stats.measured()) {
            for text in words::withheld(stats) {
                if !said.contains(&text) {
                    said.push(text);
                }
            }
        }
        for text in said {
            self.line(format!("  {text}"));
        }
    }

    fn passes(&mut self, report: &Report) {
        if report.passes.is_empty() {
            return;
        }
        self.section("passes, medians");
        let columns = vec![
            left("pass"),
            right("share", 0),
            super::table::Column { rank: 2, ..left("") },
            right("attributed", 0),
            right("duration", 0),
            right("exposed", 3),
            right("alone", 4),
            right("n", 1),
            right("ratio", 0),
        ];
        let mut table = Table::new(columns);
        let style = self.style;
        for pass in &report.passes {
            let cells = vec![
                terminal(&pass.name),
                share(&pass.share, style),
                share_bar(&pass.share, style),
                median(&pass.attributed, style),
                median(&pass.duration, style),
                median(&pass.exposed, style),
                median(&pass.alone, style),
                count(&pass.duration),
                some_ratio(pass.attributed.ratio, style),
            ];
            if pass.largest { table.push_bold(cells) } else { table.push(cells) }
        }
        if let Some(untimed) = &report.untimed_share {
            let figure =
                report.frame.iter().find(|figure| figure.metric == framecost_sample::metric_names::UNTIMED);
            let of = |cell: &dyn Fn(&Figure) -> String| figure.map_or_else(|| dash(style).into(), cell);
            let mut cells = vec!["(untimed)".into(), share(untimed, style), share_bar(untimed, style)];
            cells.push(of(&|figure| median(figure, style)));
            cells.extend([String::new(), String::new(), String::new(), of(&count)]);
            cells.push(of(&|figure| some_ratio(figure.ratio, style)));
            table.push(cells);
        }
        self.table(&table);
        self.line(format!("  {}", words::NO_SUM));
    }

    fn gates(&mut self, report: &Report) {
        if report.gates.is_empty() {
            return;
        }
        self.section("gates");
        let mut columns = statistic_columns("gate");
        columns.push(right("coverage", 1));
        columns.push(right("work before", 1));
        let mut table = Table::new(columns);
        for gate in &report.gates {
            let mut cells = statistic_cells(&terminal(&gate.name), &gate.time, self.style);
            cells.push(match &gate.coverage.stats {
                Reading::Measured(stats) => super::format::percent(stats.median),
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
        let mut table =
            Table::new(vec![left(""), right("value", 0), super::table::Column { rank: 1, ..left("") }]);
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
            let (what, times, of, reason) = (&missing.what, missing.times, missing.of, &missing.reason);
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
        let mut table = Table::new(vec![left(""), left("before"), left("after")]);
        for fact in facts {
            let after = if fact.after == fact.before { String::new() } else { fact_text(&fact.after) };
            table.push(vec![terminal(&fact.name), terminal(&fact_text(&fact.before)), terminal(&after)]);
        }
        self.table(&table);
    }
}

pub(super) fn fact_text(reading: &Reading<String>) -> String {
    match reading {
        Reading::Measured(value) => value.clone(),
        Reading::Missing(reason) => format!("missing: {reason}"),
    }
}

fn judged_table(groups: &[&Group], style: &Style) -> Table {
    let columns = ["baseline", "run", "ratio", "limit"].map(|title| right(title, 0));
    let mut table = Table::new([left(""), left("figure")].into_iter().chain(columns).collect());
    for row in groups.iter().flat_map(|group| &group.rows) {
        table.push(vec![
            row.verdict.name().to_uppercase(),
            terminal(&words::figure(row)),
            words::cell(row.baseline, row, style),
            words::cell(row.current, row, style),
            some_ratio(row.ratio, style),
            words::limit(row, style),
        ]);
    }
    table
}

pub(super) fn statistic_columns(first: &'static str) -> Vec<super::table::Column> {
    vec![
        left(first),
        right("median", 0),
        right("p95", 0),
        right("p99", 1),
        right("mean", 2),
        right("max", 1),
        right("n", 0),
        right("ratio", 0),
    ]
}

pub(super) fn statistic_cells(name: &str, figure: &Figure, style: &Style) -> Vec<String> {
    let mut cells = vec![name.to_owned()];
    match &figure.stats {
        Reading::Measured(stats) => {
            let unit = figure.unit;
            cells.push(value(stats.median, unit));
            cells.extend([stats.p95, stats.p99].map(|it| quantile(it, unit, style)));
            cells.extend([stats.mean, stats.max].map(|it| value(it, unit)));
        }
        Reading::Missing(_) => cells.extend(std::iter::repeat_n(dash(style).to_owned(), 5)),
    }
    cells.push(count(figure));
    cells.push(some_ratio(figure.ratio, style));
    cells
}

pub(super) fn median(figure: &Figure, style: &Style) -> String {
    figure.stats.measured().map_or_else(|| dash(style).into(), |stats| value(stats.median, figure.unit))
}

pub(super) fn count(figure: &Figure) -> String {
    figure.stats.measured().map_or_else(|| "0".into(), |stats| stats.n.to_string())
}

fn share_bar(share: &Reading<f64>, style: &Style) -> String {
    share.measured().map_or_else(String::new, |part| bar(*part, BAR, style))
}
