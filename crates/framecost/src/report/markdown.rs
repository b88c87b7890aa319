//! The report for a pull request. In: a [`Report`]. Out: markdown in which no name can act as markup.

use std::fmt::Write as _;

use framecost_sample::{Reading, metric_names as names};

use super::escape::{markdown_code as code, markdown_text as inert};
use super::format::{percent, share, some_ratio};
use super::table::{Table, left, right};
use super::text::{count, fact_text, median, statistic_cells, statistic_columns};
use super::{Comparison, Figure, Report, Style, Verdicts, words};
use crate::judge::Difference;

/// Markdown is read in a browser: it may hold any character, and colours come from the page.
const STYLE: Style = Style { colour: false, unicode: true, width: usize::MAX };

/// The report as markdown: the verdict and the tables open, the environment and what is missing folded.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    heading(&mut out, report);
    if let Some(verdicts) = &report.verdicts {
        judged(&mut out, verdicts);
    }
    if let Some(comparison) = &report.comparison {
        compared(&mut out, comparison);
    }
    figures(&mut out, "Frame", &report.frame);
    if let Some(coverage) = &report.coverage {
        let _ = writeln!(out, "Timed passes ran in {} of gpu\\_total.\n", share(coverage, &STYLE));
    }
    passes(&mut out, report);
    gates(&mut out, report);
    figures(&mut out, "Sampled per frame", &report.samples);
    figures(&mut out, "Run", &report.run);
    folded(&mut out, "Cost of measuring", &figure_table(&report.cost));
    folded(&mut out, "Missing", &missing(report));
    folded(&mut out, "Findings", &findings(report));
    folded(&mut out, "Environment", &environment(report));
    out
}

fn heading(out: &mut String, report: &Report) {
    let head = &report.head;
    let word = report.verdicts.as_ref().map(|verdicts| format!("{}: ", words::outcome(verdicts.outcome)));
    let _ = writeln!(out, "### {}{}\n", word.unwrap_or_default(), code(&words::title(head)));
    if let Some(verdicts) = &report.verdicts {
        let _ = writeln!(out, "{}.\n", words::tally(verdicts));
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
    let columns = ["baseline", "run", "ratio", "limit"].map(|title| right(title, 0));
    let mut table = Table::new([left("verdict"), left("figure")].into_iter().chain(columns).collect());
    for row in verdicts.groups.iter().filter(|group| group.reason.is_none()).flat_map(|group| &group.rows) {
        table.push(vec![
            format!("**{}**", row.verdict.name()),
            code(&words::figure(row)),
            words::cell(row.baseline, row, &STYLE),
            words::cell(row.current, row, &STYLE),
            some_ratio(row.ratio, &STYLE),
            words::limit(row, &STYLE),
        ]);
    }
    push_table(out, &table);
    for group in &verdicts.groups {
        if let Some(reason) = &group.reason {
            let names = inert(&words::named_rows(group));
            let _ = writeln!(out, "- **{}** {names}: {}", group.verdict, inert(reason));
        }
    }
    for note in &verdicts.notes {
        let _ = writeln!(out, "- {}", inert(note));
    }
    if verdicts.runs.1 > 0 {
        let _ = writeln!(out, "- {}", inert(&verdicts.error_rate));
    }
    out.push('\n');
}

fn compared(out: &mut String, comparison: &Comparison) {
    let frames = comparison.frames;
    if comparison.refused.is_empty() && frames.common < frames.run.max(frames.baseline) {
        let (run, base, common) = (frames.run, frames.baseline, frames.common);
        let _ = writeln!(
            out,
            "Compared on the {common} frames that both measured; run {run}, baseline {base}.\n"
        );
    }
    differences(out, "Not compared with the baseline: they differ in", &comparison.refused);
    differences(out, "Compared across, as asked", &comparison.declared);
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
    let mut table = Table::new(vec![left("what"), left("this run"), left("baseline")]);
    for difference in differences {
        table.push([&difference.what, &difference.this, &difference.baseline].map(|cell| code(cell)).into());
    }
    table
}

fn figures(out: &mut String, title: &str, figures: &[Figure]) {
    let table = figure_table(figures);
    if !table.is_empty() {
        let _ = writeln!(out, "#### {title}\n\n{table}");
    }
}

fn figure_table(figures: &[Figure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let mut table = Table::new(statistic_columns("figure"));
    for figure in figures {
        table.push(statistic_cells(&code(&figure.metric), figure, &STYLE));
    }
    format!("{}\n", table.markdown())
}

fn passes(out: &mut String, report: &Report) {
    if report.passes.is_empty() {
        return;
    }
    let numbers =
        ["share", "attributed", "duration", "exposed", "alone", "n", "ratio"].map(|title| right(title, 0));
    let mut table = Table::new(std::iter::once(left("pass")).chain(numbers).collect());
    for pass in &report.passes {
        let name = if pass.largest { format!("**{}**", code(&pass.name)) } else { code(&pass.name) };
        table.push(vec![
            name,
            share(&pass.share, &STYLE),
            median(&pass.attributed, &STYLE),
            median(&pass.duration, &STYLE),
            median(&pass.exposed, &STYLE),
            median(&pass.alone, &STYLE),
            count(&pass.duration),
            some_ratio(pass.attributed.ratio, &STYLE),
        ]);
    }
    if let Some(untimed) = &report.untimed_share {
        let figure = report.frame.iter().find(|figure| figure.metric == names::UNTIMED);
        let of = |cell: &dyn Fn(&Figure) -> String| figure.map_or_else(String::new, cell);
        let empty = || String::new();
        let mut cells =
            vec!["(untimed)".into(), share(untimed, &STYLE), of(&|figure| median(figure, &STYLE))];
        cells.extend([empty(), empty(), empty(), of(&count), of(&|figure| some_ratio(figure.ratio, &STYLE))]);
        table.push(cells);
    }
    let _ = writeln!(out, "#### Passes, medians\n\n{}\n{}.\n", table.markdown(), words::NO_SUM);
}

fn gates(out: &mut String, report: &Report) {
    if report.gates.is_empty() {
        return;
    }
    let mut columns = statistic_columns("gate");
    columns.extend([right("coverage", 0), right("work before", 0)]);
    let mut table = Table::new(columns);
    for gate in &report.gates {
        let mut cells = statistic_cells(&code(&gate.name), &gate.time, &STYLE);
        let coverage = match &gate.coverage.stats {
            Reading::Measured(stats) => percent(stats.median),
            Reading::Missing(_) => super::format::dash(&STYLE).into(),
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
            inert(&missing.reason)
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
    let mut table = Table::new(vec![left("fact"), left("before"), left("after")]);
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
