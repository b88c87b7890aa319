//! The page's tables. In: a report. Out: cells of text: verdicts, figures, budgets, gates, environment, findings, what is
//! missing, and what each metric means.

use framecost_sample::{Better, Reading, metric_names as names};
use serde::Serialize;

use super::text::{Align, Grid, Text};
use crate::Analysis;
use crate::judge::{Difference, Verdict};
use crate::report::cells::{count, fact_text, median, statistic_cells};
use crate::report::format::{dash, percent, share, some_ratio, value};
use crate::report::{BudgetRow, Figure, OfVariants, Report, Style, evidence, words};
use crate::stats::{METHOD, Statistic};

pub(super) const STYLE: Style = Style { colour: false, unicode: true, width: usize::MAX };

/// A table with its heading.
#[derive(Debug, Serialize)]
pub(super) struct Titled {
    title: &'static str,
    /// What to know before reading it.
    note: Option<Text>,
    table: Grid,
    /// Whether it stands open.
    open: bool,
}

fn titled(title: &'static str, table: Grid, note: Option<&str>, open: bool) -> Option<Titled> {
    Some(Titled { title, note: note.map(Text::of), table: table.some()?, open })
}

/// Judged figures that want to be read, and why others were not judged.
pub(super) fn judged(report: &Report) -> Option<Grid> {
    let groups = report.verdicts.as_ref().map_or(&[][..], |verdicts| &verdicts.groups);
    let columns = [
        ("verdict", Align::Verdict),
        ("figure", Align::Name),
        ("baseline", Align::Number),
        ("run", Align::Number),
        (evidence::moved_title(groups.iter().flat_map(|group| &group.rows)), Align::Number),
        ("limit", Align::Number),
        ("why", Align::Text),
    ];
    let mut grid = Grid::new(&columns);
    for group in groups {
        if let Some(reason) = &group.reason {
            let names = words::named_rows(group);
            grid.push([group.verdict, &names, "", "", "", "", reason]);
            continue;
        }
        for row in &group.rows {
            let (before, now) = evidence::sides(row);
            grid.push([
                group.verdict.to_owned(),
                words::figure(row),
                words::cell(before, row, &STYLE),
                words::cell(now, row, &STYLE),
                evidence::moved(row, &STYLE),
                words::limit(row, &STYLE),
                row.rests_on.clone().unwrap_or_default(),
            ]);
        }
    }
    grid.some()
}

/// A budget as the page draws it.
#[derive(Debug, Serialize)]
pub(super) struct Budget {
    label: Text,
    verdict: &'static str,
    /// The part of the limit that is used up.
    used: Option<f64>,
    value: Text,
    limit: Text,
    why: Option<Text>,
}

/// Every budget and ceiling.
pub(super) fn budgets(report: &Report) -> Vec<Budget> {
    let of = |BudgetRow { row, used }: &BudgetRow| Budget {
        label: Text::of(&words::figure(row)),
        verdict: row.verdict.name(),
        used: *used,
        value: Text::of(&words::cell(row.current, row, &STYLE)),
        limit: Text::of(&words::limit(row, &STYLE)),
        why: row.verdict.reason().or(row.rests_on.as_deref()).map(Text::of),
    };
    report.verdicts.iter().flat_map(|verdicts| &verdicts.budgets).map(of).collect()
}

/// The tables of a section below its charts, in reading order.
pub(super) fn of(report: &Report, run: &Analysis) -> Vec<Titled> {
    let withheld = words::withheld(&report.frame);
    // Tables of dashes say less than the reasons under the missing values.
    let frame = report.frame.iter().filter(|_| report.frame.iter().any(is_measured));
    let list = [
        titled("Frame", statistics("figure", frame, report.has_ratios()), withheld.as_deref(), true),
        titled("Passes, medians", passes(report), Some(words::NO_SUM), true),
        titled(
            "Sampled per frame",
            statistics("figure", report.samples.iter(), report.has_ratios()),
            None,
            false,
        ),
        titled("Run", single(&report.run), None, false),
        titled("Cost of measuring", single(&report.cost), None, false),
        titled(
            "Missing values",
            missing(report),
            Some("a value that was not measured is never shown as zero"),
            true,
        ),
        titled("Findings", findings(report), None, true),
        titled("Differs from the baseline", differs(report), None, false),
        titled("Environment", environment(report), None, false),
        titled("Key of the run", key(report), None, false),
        titled("What each metric means", definitions(run), Some(&format!("percentiles: {METHOD}")), false),
    ];
    list.into_iter().flatten().collect()
}

fn is_measured(figure: &Figure) -> bool {
    figure.stats.measured().is_some()
}

fn statistics<'a>(first: &'static str, figures: impl Iterator<Item = &'a Figure>, ratios: bool) -> Grid {
    let titles = ["median", "p95", "p99", "mean", "max", "n"];
    let mut columns = vec![(first, Align::Name)];
    columns.extend(titles.into_iter().chain(ratios.then_some("ratio")).map(|title| (title, Align::Number)));
    let mut grid = Grid::new(&columns);
    for figure in figures {
        grid.push(statistic_cells(&figure.metric, figure, ratios, &STYLE));
    }
    grid
}

fn passes(report: &Report) -> Grid {
    let ratios = report.has_ratios();
    let titles = ["share", "attributed", "duration", "exposed", "alone", "n"];
    let mut columns = vec![("pass", Align::Name)];
    columns.extend(titles.into_iter().chain(ratios.then_some("ratio")).map(|title| (title, Align::Number)));
    let mut grid = Grid::new(&columns);
    if !report.passes.iter().any(|pass| is_measured(&pass.duration)) {
        return grid;
    }
    for pass in &report.passes {
        let mut cells = vec![pass.name.clone(), share(&pass.share, &STYLE)];
        let figures = [&pass.attributed, &pass.duration, &pass.exposed, &pass.alone];
        cells.extend(figures.map(|figure| median(figure, &STYLE)));
        cells.push(count(&pass.duration));
        cells.extend(ratios.then(|| some_ratio(pass.attributed.ratio, &STYLE)));
        grid.push(cells);
    }
    let untimed = report.frame.iter().find(|figure| figure.metric == names::UNTIMED);
    if let (Some(part), Some(figure)) = (&report.untimed_share, untimed) {
        let mut cells = vec!["(untimed)".to_owned(), share(part, &STYLE), median(figure, &STYLE)];
        cells.extend([String::new(), String::new(), String::new(), count(figure)]);
        cells.extend(ratios.then(|| some_ratio(figure.ratio, &STYLE)));
        grid.push(cells);
    }
    grid
}

/// The gates.
pub(super) fn gates(report: &Report) -> Option<Titled> {
    let mut columns = vec![("gate", Align::Name), ("from", Align::Name), ("up to", Align::Name)];
    let ratios = report.has_ratios();
    let titles = ["median", "p95", "p99", "n", "coverage", "work before"];
    columns.extend(titles.into_iter().chain(ratios.then_some("ratio")).map(|title| (title, Align::Number)));
    let mut grid = Grid::new(&columns);
    for gate in report.gates.iter().filter(|gate| is_measured(&gate.time)) {
        let of = |statistic: Statistic| {
            let stats = gate.time.stats.measured();
            let found = stats.and_then(|stats| stats.get(statistic).value());
            found.map_or_else(|| dash(&STYLE).to_owned(), |it| value(it, gate.time.unit))
        };
        let coverage = gate.coverage.stats.measured().map(|stats| percent(stats.median));
        let mut cells = vec![gate.name.clone(), gate.from.clone(), gate.to.clone()];
        cells.extend([Statistic::Median, Statistic::P95, Statistic::P99].map(of));
        cells.push(count(&gate.time));
        cells.push(coverage.unwrap_or_else(|| dash(&STYLE).into()));
        cells.push(median(&gate.before, &STYLE));
        cells.extend(ratios.then(|| some_ratio(gate.time.ratio, &STYLE)));
        grid.push(cells);
    }
    titled("Gates", grid, Some("from the opening pass's start to the latest end among its passes"), true)
}

/// Figures that have one value.
fn single(figures: &[Figure]) -> Grid {
    let mut grid =
        Grid::new(&[("figure", Align::Name), ("value", Align::Number), ("what it is", Align::Text)]);
    for figure in figures {
        let about = match &figure.stats {
            Reading::Measured(_) => figure.about.clone(),
            Reading::Missing(reason) => format!("missing: {reason}"),
        };
        grid.push([figure.metric.clone(), median(figure, &STYLE), about]);
    }
    grid
}

fn missing(report: &Report) -> Grid {
    let columns =
        [("what", Align::Name), ("missing", Align::Number), ("of", Align::Number), ("reason", Align::Text)];
    let mut grid = Grid::new(&columns);
    for it in &report.missing {
        let reason = words::missing(&it.reason, &report.head);
        grid.push([it.what.clone(), it.times.to_string(), it.of.to_string(), reason]);
    }
    grid
}

fn findings(report: &Report) -> Grid {
    let columns =
        [("place", Align::Name), ("seen", Align::Number), ("what", Align::Text), ("what to do", Align::Text)];
    let mut grid = Grid::new(&columns);
    for it in &report.findings {
        grid.push([it.place.clone(), it.times.to_string(), it.cause.clone(), it.remedy.clone()]);
    }
    grid
}

fn differs(report: &Report) -> Grid {
    let mut grid = Grid::new(&[
        ("what", Align::Name),
        ("this run", Align::Text),
        ("baseline", Align::Text),
        ("", Align::Text),
    ]);
    let mut all = |differences: &[Difference], what: &str| {
        for it in differences {
            grid.push([it.what.as_str(), &it.this, &it.baseline, what]);
        }
    };
    if let Some(comparison) = &report.comparison {
        all(&comparison.refused, "forbids the comparison");
        all(&comparison.declared, "compared across, as asked");
        all(&comparison.environment, "environment");
    }
    grid
}

fn environment(report: &Report) -> Grid {
    let mut grid = Grid::new(&[("fact", Align::Name), ("before", Align::Text), ("after", Align::Text)]);
    for fact in &report.environment {
        grid.push([fact.name.clone(), fact_text(&fact.before), fact_text(&fact.after)]);
    }
    grid
}

fn key(report: &Report) -> Grid {
    let head = &report.head;
    let mut grid = Grid::new(&[("part", Align::Name), ("value", Align::Text)]);
    let mut row = |part: &str, value: &str| grid.push([part, value]);
    row("benchmark", &head.benchmark);
    row("scene", &head.scene);
    row("adapter", &words::adapter(head));
    row("settings", &head.settings_hash);
    row("measured beside the frame", &head.instrumentation);
    row("recorded by", &head.producer);
    for (name, value) in &head.switches {
        row(&format!("switch {name}"), value);
    }
    grid
}

/// Every metric of the run, once.
fn definitions(run: &Analysis) -> Grid {
    let columns = [
        ("metric", Align::Name),
        ("unit", Align::Text),
        ("better", Align::Text),
        ("what it is", Align::Text),
    ];
    let mut grid = Grid::new(&columns);
    let mut seen = std::collections::BTreeSet::new();
    for row in &run.summaries.rows {
        let metric = &row.metric;
        if seen.insert(metric.name.as_str()) {
            let better = if metric.better == Better::Neither { "neither way" } else { metric.better.name() };
            grid.push([&metric.name, metric.unit.name(), better, &metric.about]);
        }
    }
    grid
}

/// What a switch adds to each figure.
pub(super) fn variants(of: &OfVariants) -> Option<Grid> {
    let ratios = of.has_ratios();
    let titles = ["median", "p95", "mean", "pairs", "without partner"];
    let mut columns = vec![("figure", Align::Name)];
    columns.extend(titles.map(|title| (title, Align::Number)));
    columns.extend(
        ratios.then_some([("baseline", Align::Number), ("ratio", Align::Number)]).into_iter().flatten(),
    );
    let mut grid = Grid::new(&columns);
    for figure in &of.figures {
        let shown =
            |number: Option<f64>| number.map_or_else(|| dash(&STYLE).into(), |it| value(it, figure.unit));
        let mut cells = vec![figure.figure.to_string()];
        cells.extend([Statistic::Median, Statistic::P95, Statistic::Mean].map(|it| shown(figure.value(it))));
        cells.extend([figure.pairs, figure.alone].map(|count| count.to_string()));
        if ratios {
            cells.extend([shown(figure.baseline), some_ratio(figure.ratio, &STYLE)]);
        }
        grid.push(cells);
    }
    grid.some()
}

/// Verdicts of a difference that want to be read.
pub(super) fn judged_of(of: &OfVariants) -> Vec<Text> {
    let groups = of.verdicts.iter().flat_map(|verdicts| &verdicts.groups);
    let row = |row: &crate::judge::Row| {
        let reason = match &row.verdict {
            Verdict::Skipped(why)
            | Verdict::Missing(why)
            | Verdict::Refused(why)
            | Verdict::Undecided(why) => {
                format!(", {why}")
            }
            _ => String::new(),
        };
        Text::of(&format!("{}: {}{reason}", row.verdict.name(), words::figure(row)))
    };
    groups.flat_map(|group| &group.rows).map(row).collect()
}
