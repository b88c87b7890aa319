//! The report for a pull request. In: a [`Report`]. Out: markdown in which no name can act as markup.

use std::fmt::Write as _;

use framecost_sample::{Reading, metric_names as names};

use super::cells::{
    count, fact_text, median, paired_missing, paired_table, statistic_cells, statistic_columns,
};
use super::escape::{markdown_code as code, markdown_text as inert};
use super::format::{dash, percent, share, some_ratio};
use super::table::{Table, left, name, right};

use super::{BudgetRow, Comparison, Figure, Group, OfVariants, Report, Style, Verdicts, evidence, words};
use crate::judge::{Census, Difference, Overall, Verdict};

/// Markdown is read in a browser: it may hold any character, and colours come from the page.
const STYLE: Style = Style { colour: false, unicode: true, width: usize::MAX };

/// Bytes past which a report says less: GitHub takes no comment of more than 65,536 characters, and something may stand around
/// the report.
const MOST: usize = 60_000;

/// The report as markdown: the verdict and the tables open, the environment and what is missing folded.
#[must_use]
pub fn markdown(report: &Report) -> String {
    shortened(whole(report), || verdict_alone(report))
}

/// The text, or where it is too long for a comment the brief one, cut where that is too long as well; the last line says so.
fn shortened(text: String, brief: impl FnOnce() -> String) -> String {
    if text.len() <= MOST {
        return text;
    }
    let mut brief = brief();
    if brief.len() > MOST {
        // Behind a whole line: no table, list or element of ours that is closed further down goes on below it.
        let end = brief.bytes().take(MOST).rposition(|byte| byte == b'\n').map_or(0, |end| end + 1);
        brief.truncate(end);
    }
    brief.push_str(
        "\n- shortened to fit a comment: what is left out stands in the same report as html, json or text\n",
    );
    brief
}

/// What a reader must see: verdict and what failed, without the tables below.
fn verdict_alone(report: &Report) -> String {
    let mut out = String::new();
    heading(&mut out, report);
    if let Some(verdicts) = &report.verdicts {
        judged(&mut out, verdicts);
    }
    out
}

fn whole(report: &Report) -> String {
    let mut out = String::new();
    heading(&mut out, report);
    if let Some(verdicts) = &report.verdicts {
        judged(&mut out, verdicts);
    }
    if let Some(comparison) = &report.comparison {
        compared(&mut out, comparison, report.verdicts.is_some());
    }
    let ratios = report.has_ratios();
    // Tables of dashes say less than the one line under `missing`.
    if report.head.stamped {
        frame(&mut out, report);
        passes(&mut out, report);
        gates(&mut out, report);
    }
    if let Some(verdicts) = &report.verdicts {
        budgets(&mut out, verdicts);
    }
    figures(&mut out, "Sampled per frame", &report.samples, ratios);
    single(&mut out, "Run", &report.run);
    single(&mut out, "Cost of measuring", &report.cost);
    folded(&mut out, "Missing", &missing(report));
    folded(&mut out, "Findings", &findings(report));
    folded(&mut out, "Environment", &environment(report));
    if let Some(census) = report.verdicts.as_ref().and_then(|verdicts| verdicts.census.as_ref()) {
        census_table(&mut out, census);
    }
    out
}

/// What a switch adds, as markdown.
#[must_use]
pub fn markdown_of_variants(of: &OfVariants) -> String {
    let word = of.verdicts.as_ref().map(|verdicts| format!("{}: ", words::verdict(verdicts)));
    let title = code(&format!("difference {}", words::difference(of)));
    let mut out = format!("### {}{title}\n\n", word.unwrap_or_default());
    if let Some(verdicts) = &of.verdicts {
        let _ = writeln!(out, "{}.\n", words::tally(verdicts));
        heeded(&mut out, &words::below(verdicts));
        judged(&mut out, verdicts);
    }
    let _ = writeln!(out, "- {}\n- {}\n", code(&of.of), inert(words::PAIRED));
    push_table(&mut out, &paired_table(of, code, &STYLE));
    let notes: Vec<String> = paired_missing(of).into_iter().chain(of.notes.iter().cloned()).collect();
    if !notes.is_empty() {
        heeded(&mut out, &notes);
        out.push('\n');
    }
    if let Some(verdicts) = &of.verdicts {
        budgets(&mut out, verdicts);
    }
    out
}

/// Several reports as markdown, below a heading that says what they come to together, and what switches add; one alone
/// needs no heading.
#[must_use]
pub fn markdown_of_all(overall: &Overall, reports: &[Report], differences: &[OfVariants]) -> String {
    if let [only] = reports {
        return markdown(only);
    }
    let mut out = format!("## {}\n\n{}.\n\n", words::headline(overall), words::overall(overall));
    heeded(&mut out, &words::absent(overall.census.as_ref()));
    heeded(&mut out, &words::heeded(&overall.unbound, &overall.notes, &[]));
    if let Some(error_rate) = overall.error_rate {
        let _ = writeln!(out, "- {}", inert(error_rate));
    }
    if let Some(census) = &overall.census {
        out.push('\n');
        census_table(&mut out, census);
    }
    let below: Vec<Report> = reports.iter().map(|report| report.below(overall)).collect();
    let differences = differences.iter().map(|of| markdown_of_variants(&of.below(overall)));
    let differences: Vec<String> = differences.collect();
    let of = |report: fn(&Report) -> String| {
        let texts = std::iter::once(out.clone()).chain(below.iter().map(report));
        texts.chain(differences.iter().cloned()).collect::<Vec<_>>().join("\n")
    };
    shortened(of(whole), || of(verdict_alone))
}

/// What became of every figure.
fn census_table(out: &mut String, census: &Census) {
    let mut table = Table::new(vec![left("census", 0), right("count", 0), left("which", 0)]);
    for [kind, count, which] in words::census(census) {
        table.push(vec![inert(&kind), count, inert(&which)]);
    }
    push_table(out, &table);
    let notes: Vec<String> = census.notes.iter().map(|note| format!("note: {note}")).collect();
    heeded(out, &notes);
}

fn heeded(out: &mut String, lines: &[String]) {
    for line in lines {
        let _ = writeln!(out, "- {}", inert(line));
    }
}

fn heading(out: &mut String, report: &Report) {
    let head = &report.head;
    let word = report.verdicts.as_ref().map(|verdicts| format!("{}: ", words::verdict(verdicts)));
    let _ = writeln!(out, "### {}{}\n", word.unwrap_or_default(), code(&words::title(head)));
    if let Some(verdicts) = &report.verdicts {
        let _ = writeln!(out, "{}.\n", words::tally(verdicts));
        let lines = words::below(verdicts);
        if !lines.is_empty() {
            heeded(out, &lines);
            out.push('\n');
        }
    }
    let mut lines = vec![code(&words::adapter(head)), inert(&words::frames(head))];
    lines.extend(words::stamps(head).iter().map(|line| inert(line)));
    if head.on_cpu {
        lines.push(format!("**{}**", inert(words::ON_CPU)));
    }
    for line in lines {
        let _ = writeln!(out, "- {line}");
    }
    out.push('\n');
}

fn judged(out: &mut String, verdicts: &Verdicts) {
    for groups in verdicts.groups.chunk_by(|a, b| a.reason.is_none() && b.reason.is_none()) {
        match groups {
            [Group { verdict, reason: Some(reason), .. }] => {
                let names = inert(&words::named_rows(&groups[0]));
                let _ = writeln!(out, "- **{verdict}** {} ({names})", inert(reason));
            }
            judged => {
                let _ = writeln!(out, "\n{}", judged_table(judged).markdown());
            }
        }
    }
    by_runs(out, verdicts);
    if let Some(note) = &verdicts.of_runs {
        let _ = writeln!(out, "- {}", inert(note));
    }
    if let Some(error_rate) = &verdicts.error_rate {
        let _ = writeln!(out, "- {}", inert(error_rate));
    }
    out.push('\n');
}

/// Every comparison that the rule of runs made, with what stands behind it.
fn by_runs(out: &mut String, verdicts: &Verdicts) {
    let columns = evidence::TITLES.into_iter().map(|title| right(title, 0));
    let mut table = Table::new([name("by runs"), left("verdict", 0)].into_iter().chain(columns).collect());
    for (row, evidence) in evidence::rows(verdicts) {
        let mut cells = vec![code(&words::statistic(row)), inert(&words::marked(row))];
        cells.extend(evidence::cells(row, evidence, &STYLE));
        table.push(cells);
    }
    if table.rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{}", table.markdown());
    for (row, evidence) in evidence::rows(verdicts) {
        for place in evidence::places(row, evidence) {
            let _ = writeln!(out, "- {}", inert(&place));
        }
    }
    if let Some(drifting) = evidence::drifting(verdicts) {
        let _ = writeln!(out, "- {}", inert(&drifting));
    }
    for apart in evidence::apart(verdicts) {
        let _ = writeln!(out, "- {}", inert(&apart));
    }
    let _ = writeln!(out, "- {}", inert(&evidence::legend(verdicts)));
}

fn judged_table(groups: &[Group]) -> Table {
    let moved = evidence::moved_title(groups.iter().flat_map(|group| &group.rows));
    let columns = ["baseline", "run", moved, "limit"].map(|title| right(title, 0));
    let mut table = Table::new([left("verdict", 0), name("figure")].into_iter().chain(columns).collect());
    for row in groups.iter().flat_map(|group| &group.rows) {
        let (before, now) = evidence::sides(row);
        table.push(vec![
            format!("**{}**", inert(&words::marked(row))),
            code(&words::figure(row)),
            words::cell(before, row, &STYLE),
            words::cell(now, row, &STYLE),
            evidence::moved(row, &STYLE),
            words::limit(row, &STYLE),
        ]);
    }
    table
}

/// What was compared; differences that were crossed stand below the verdict where there is one.
fn compared(out: &mut String, comparison: &Comparison, judged: bool) {
    if let Some(frames) = words::compared_on(comparison) {
        let _ = writeln!(out, "{frames}\n");
    }
    differences(out, "Not compared with the baseline: they differ in", &comparison.refused);
    if !judged {
        differences(out, "Compared across, as asked", &comparison.declared);
    }
    if !comparison.environment.is_empty() {
        folded(
            out,
            "Environment differs from the baseline's",
            &difference_table(&comparison.environment).markdown(),
        );
    }
}

fn differences(out: &mut String, title: &str, differences: &[Difference]) {
    if !differences.is_empty() {
        let _ = writeln!(out, "{title}:\n");
        push_table(out, &difference_table(differences));
    }
}

fn difference_table(differences: &[Difference]) -> Table {
    let mut table = Table::new(["what", "this run", "baseline"].map(|title| left(title, 0)).into());
    for difference in differences {
        table.push([&difference.what, &difference.this, &difference.baseline].map(|cell| code(cell)).into());
    }
    table
}

fn figures(out: &mut String, title: &str, figures: &[Figure], ratios: bool) {
    if figures.is_empty() {
        return;
    }
    let mut table = Table::new(statistic_columns("figure", ratios));
    for figure in figures {
        table.push(statistic_cells(&code(&figure.metric), figure, ratios, &STYLE));
    }
    let _ = writeln!(out, "#### {title}\n\n{}", table.markdown());
    if let Some(text) = words::withheld(figures) {
        let _ = writeln!(out, "{text}.\n");
    }
}

fn frame(out: &mut String, report: &Report) {
    figures(out, "Frame", &report.frame, report.has_ratios());
    if let Some(Reading::Measured(coverage)) = report.coverage {
        let _ = writeln!(out, "Timed passes ran in {} of gpu\\_total.\n", percent(coverage));
    }
}

/// Figures that have one value.
fn single(out: &mut String, title: &str, figures: &[Figure]) {
    let mut table = Table::new(vec![name("figure"), right("value", 0), left("", 0)]);
    for figure in figures {
        let about = match &figure.stats {
            Reading::Measured(_) => inert(&figure.about),
            Reading::Missing(reason) => inert(&format!("missing: {reason}")),
        };
        table.push(vec![code(&figure.metric), median(figure, &STYLE), about]);
    }
    if !table.rows.is_empty() {
        folded(out, title, &table.markdown());
    }
}

fn passes(out: &mut String, report: &Report) {
    if report.passes.is_empty() {
        return;
    }
    let ratios = report.has_ratios();
    let titles = ["share", "attributed", "duration", "exposed", "alone", "n"];
    let mut columns = vec![name("pass")];
    columns.extend(titles.into_iter().chain(ratios.then_some("ratio")).map(|title| right(title, 0)));
    let mut table = Table::new(columns);
    for pass in &report.passes {
        let pass_name = if pass.largest { format!("**{}**", code(&pass.name)) } else { code(&pass.name) };
        let mut cells = vec![pass_name, share(&pass.share, &STYLE)];
        let figures = [&pass.attributed, &pass.duration, &pass.exposed, &pass.alone];
        cells.extend(figures.map(|figure| median(figure, &STYLE)));
        cells.push(count(&pass.duration));
        cells.extend(ratios.then(|| some_ratio(pass.attributed.ratio, &STYLE)));
        table.push(cells);
    }
    if let Some(untimed) = &report.untimed_share {
        let figure = report.frame.iter().find(|figure| figure.metric == names::UNTIMED);
        let of = |cell: &dyn Fn(&Figure) -> String| figure.map_or_else(String::new, cell);
        let mut cells =
            vec!["(untimed)".into(), share(untimed, &STYLE), of(&|figure| median(figure, &STYLE))];
        cells.extend([String::new(), String::new(), String::new(), of(&count)]);
        cells.extend(ratios.then(|| of(&|figure| some_ratio(figure.ratio, &STYLE))));
        table.push(cells);
    }
    let _ = writeln!(out, "#### Passes, medians\n\n{}\n{}.\n", table.markdown(), words::NO_SUM);
}

fn budgets(out: &mut String, verdicts: &Verdicts) {
    if verdicts.budgets.is_empty() {
        return;
    }
    let numbers = ["value", "limit", "used"].map(|title| right(title, 0));
    let texts = ["verdict", "name", "figure"].map(|title| left(title, 0));
    let mut table = Table::new(texts.into_iter().chain(numbers).collect());
    for BudgetRow { row, used } in &verdicts.budgets {
        table.push(vec![
            inert(&words::marked(row)),
            code(words::budget_name(row)),
            code(&words::statistic(row)),
            words::cell(row.current, row, &STYLE),
            words::limit(row, &STYLE),
            used.map_or_else(|| dash(&STYLE).into(), percent),
        ]);
    }
    let _ = writeln!(out, "#### Budgets and ceilings\n\n{}", table.markdown());
    for BudgetRow { row, .. } in &verdicts.budgets {
        if let Verdict::Skipped(why) = &row.verdict {
            let _ = writeln!(out, "- {}: {}", code(words::budget_name(row)), inert(why));
        }
    }
    out.push('\n');
}

fn gates(out: &mut String, report: &Report) {
    if report.gates.is_empty() {
        return;
    }
    let mut columns = statistic_columns("gate", report.has_ratios());
    columns.extend([right("coverage", 0), right("work before", 0)]);
    let mut table = Table::new(columns);
    for gate in &report.gates {
        let mut cells = statistic_cells(&code(&gate.name), &gate.time, report.has_ratios(), &STYLE);
        let coverage = match &gate.coverage.stats {
            Reading::Measured(stats) => percent(stats.median),
            Reading::Missing(_) => dash(&STYLE).into(),
        };
        cells.extend([coverage, median(&gate.before, &STYLE)]);
        table.push(cells);
    }
    let _ = writeln!(out, "#### Gates\n\n{}", table.markdown());
    for gate in &report.gates {
        let (name, from, to) = (code(&gate.name), code(&gate.from), code(&gate.to));
        let _ = writeln!(out, "- {name}: from the start of {from} to the latest end up to {to}");
    }
    out.push('\n');
}

fn missing(report: &Report) -> String {
    let line = |missing: &super::Missing| {
        format!(
            "- {}: {} of {}, {}\n",
            code(&missing.what),
            missing.times,
            missing.of,
            inert(&words::missing(&missing.reason, &report.head))
        )
    };
    report.missing.iter().map(line).collect()
}

fn findings(report: &Report) -> String {
    let line = |finding: &crate::Finding| {
        let times = if finding.times > 1 { format!(" ({} times)", finding.times) } else { String::new() };
        let (place, cause, remedy) = (code(&finding.place), inert(&finding.cause), inert(&finding.remedy));
        format!("- {place}: {cause}{times}; {remedy}\n")
    };
    report.findings.iter().map(line).collect()
}

fn environment(report: &Report) -> String {
    if report.environment.is_empty() {
        return String::new();
    }
    let mut table = Table::new(["fact", "before", "after"].map(|title| left(title, 0)).into());
    for fact in &report.environment {
        table.push(vec![code(&fact.name), code(&fact_text(&fact.before)), code(&fact_text(&fact.after))]);
    }
    table.markdown()
}

fn push_table(out: &mut String, table: &Table) {
    if !table.rows.is_empty() {
        out.push_str(&table.markdown());
        out.push('\n');
    }
}

/// A part that a reader opens if it matters; nothing where it is empty.
fn folded(out: &mut String, title: &str, body: &str) {
    if !body.is_empty() {
        let _ = writeln!(out, "<details><summary>{title}</summary>\n\n{}\n\n</details>\n", body.trim_end());
    }
}
