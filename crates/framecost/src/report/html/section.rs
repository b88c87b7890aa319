//! The data of a page, section by section. In: a [`Page`]. Out: what its script draws, every number and text in it final.

use framecost_sample::Reading;
use serde::Serialize;

use super::change::{self, Change};
use super::past::Past;
use super::run::{self, Base, Choice, Run};
use super::spread::{self, Spread};
use super::tables::{self, Budget, STYLE, Titled};
use super::text::{Grid, Text};
use super::verdict::Said;
use super::{Page, Section};
use crate::Analysis;
use crate::judge::{Against, Row, Scale};
use crate::report::evidence::signed;
use crate::report::format::{dash, percent, quantile, value};
use crate::report::{Figure, OfVariants, Report, evidence, words};
use crate::stats::{Statistic, Stats, Subject};

/// All that a page shows.
#[derive(Debug, Serialize)]
pub(super) struct Data {
    title: Text,
    verdict: Option<Said>,
    sections: Vec<Part>,
    differences: Vec<Difference>,
    histories: Vec<Past>,
}

/// One section.
#[derive(Debug, Serialize)]
struct Part {
    title: Text,
    about: Vec<Text>,
    sources: Vec<Text>,
    baseline: Option<Text>,
    verdict: Said,
    tiles: Vec<Tile>,
    judged: Option<Grid>,
    passes: Vec<Pass>,
    figures: Vec<Choice>,
    runs: Vec<Run>,
    base: Option<Base>,
    spreads: Vec<Spread>,
    changes: Vec<Change>,
    budgets: Vec<Budget>,
    gates: Option<Titled>,
    tables: Vec<Titled>,
}

/// A figure that is read at a glance.
#[derive(Debug, Serialize)]
struct Tile {
    label: &'static str,
    value: Text,
    note: Text,
}

/// A pass of the section, and which place it has by its share: colours go by that.
#[derive(Debug, Serialize)]
struct Pass {
    name: Text,
    share: Option<f64>,
    rank: usize,
}

/// What a switch adds.
#[derive(Debug, Serialize)]
struct Difference {
    title: Text,
    about: Vec<Text>,
    verdict: Said,
    judged: Vec<Text>,
    bars: Vec<Bar>,
    table: Option<Grid>,
}

/// The median difference of a figure.
#[derive(Debug, Serialize)]
struct Bar {
    label: Text,
    unit: &'static str,
    value: f64,
    shown: Text,
}

/// The data of a page.
pub(super) fn data(page: &Page<'_>) -> Data {
    let sections: Vec<Part> = page.sections.iter().map(Part::of).collect();
    let parts = sections.len() + page.differences.len() + page.histories.len();
    let title = match (page.sections.first(), page.histories.first()) {
        (Some(only), _) if parts == 1 => words::title(&only.report.head),
        (None, Some(only)) if parts == 1 => format!("history of {}", only.scene),
        _ => format!("{parts} reports"),
    };
    Data {
        title: Text::of(&title),
        verdict: page.overall.filter(|_| parts > 1).map(Said::overall),
        sections,
        differences: page.differences.iter().map(Difference::of).collect(),
        histories: page.histories.iter().map(Past::of).collect(),
    }
}

impl Part {
    fn of(section: &Section<'_>) -> Self {
        let (report, runs) = (section.report, section.runs);
        let baseline = if report.is_compared() { section.baseline } else { &[] };
        let name = section.baseline_name.unwrap_or("baseline");
        let names = passes(runs);
        let unnamed = |i: usize| format!("run {}", i + 1);
        let of_run =
            |(i, run): (usize, &Analysis)| Run::of(run, section.names.get(i).unwrap_or(&unnamed(i)), &names);
        let first = runs.first();
        Self {
            title: Text::of(&words::title(&report.head)),
            about: about(report),
            sources: Text::all(&section.names),
            baseline: (!baseline.is_empty()).then(|| Text::of(&name.replace('`', ""))),
            verdict: Said::of(report),
            tiles: tiles(report),
            judged: tables::judged(report),
            passes: ranked(&names, first),
            figures: first
                .map_or_else(Vec::new, |run| run::figures(run).into_iter().map(Choice::of).collect()),
            runs: runs.iter().enumerate().map(of_run).collect(),
            base: first.filter(|_| !baseline.is_empty()).map(|run| Base::of(run, baseline, name)),
            spreads: spread::all(runs, baseline),
            changes: change::all(report, runs, baseline),
            budgets: tables::budgets(report),
            gates: tables::gates(report),
            tables: first.map_or_else(Vec::new, |run| tables::of(report, run)),
        }
    }
}

/// What ran, where and how.
fn about(report: &Report) -> Vec<Text> {
    let head = &report.head;
    let mut lines = vec![words::adapter(head), words::frames(head)];
    lines.extend(words::stamps(head));
    lines.extend(head.on_cpu.then(|| words::ON_CPU.to_owned()));
    lines.extend(head.started_at.as_ref().map(|at| format!("began {at}")));
    if let Some(comparison) = &report.comparison {
        lines.extend(words::compared_on(comparison));
    }
    Text::all(lines)
}

/// The names of all runs' passes, in the scene's order.
fn passes(runs: &[Analysis]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for pass in runs.iter().flat_map(|run| &run.capture.passes) {
        if seen.insert(pass.name.as_str()) {
            names.push(&pass.name);
        }
    }
    names
}

fn ranked(names: &[&str], run: Option<&Analysis>) -> Vec<Pass> {
    let share_of = |i: usize| {
        run.and_then(|run| run.summaries.shares.passes.get(i)).and_then(Reading::measured).copied()
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| share_of(*b).unwrap_or(-1.0).total_cmp(&share_of(*a).unwrap_or(-1.0)));
    let mut ranks = vec![0; names.len()];
    for (rank, pass) in order.into_iter().enumerate() {
        ranks[pass] = rank;
    }
    let pass =
        |((i, name), rank): ((usize, &&str), usize)| Pass { name: Text::of(name), share: share_of(i), rank };
    names.iter().enumerate().zip(ranks).map(pass).collect()
}

/// The frame's GPU time at a glance.
fn tiles(report: &Report) -> Vec<Tile> {
    let Some(total) = report.frame.first() else { return Vec::new() };
    let Reading::Measured(stats) = &total.stats else { return Vec::new() };
    let (median, versus) = median_frame(report, total, stats);
    let several = report.verdicts.as_ref().is_some_and(|verdicts| verdicts.runs.0 > 1);
    let of_first = if several { ", of the first run" } else { "" };
    let tail = |label, statistic| {
        let shown = quantile(stats.get(statistic), total.unit, &STYLE);
        Tile { label, value: Text::of(&shown), note: Text::of(&format!("{}{of_first}", total.metric)) }
    };
    let mut tiles = vec![
        Tile { label: "median frame", value: Text::of(&median), note: Text::of(&versus) },
        tail("p95", Statistic::P95),
        tail("p99", Statistic::P99),
        tail("slowest", Statistic::Max),
    ];
    if let Some(Reading::Measured(coverage)) = &report.coverage {
        let note = Text::of("of it, by timed passes");
        tiles.push(Tile { label: "explained", value: Text::of(&percent(*coverage)), note });
    }
    tiles
}

/// The median frame and what it is held against: as it was judged, where it was, so that the page says one thing of it.
fn median_frame(report: &Report, total: &Figure, stats: &Stats) -> (String, String) {
    let is_it = |row: &&Row| {
        row.figure.metric == total.metric
            && row.figure.subject == Subject::Frame
            && row.statistic == Statistic::Median.into()
            && matches!(row.against, Against::Baseline(_))
    };
    let rows = report.verdicts.as_ref().map_or(&[][..], |verdicts| &verdicts.rows);
    let judged = rows.iter().find(is_it).filter(|row| row.current.is_some() && row.baseline.is_some());
    if let Some(row) = judged {
        let change = row.ratio.map(|ratio| signed(ratio - 1.0, row, Scale::Ratio));
        let change = row.evidence.as_ref().map(|it| signed(it.change, row, it.scale)).or(change);
        let against = format!("{} against", change.unwrap_or_else(|| dash(&STYLE).into()));
        let against = match evidence::sides(row) {
            (Some(before), _) => format!("{against} {}", words::cell(Some(before), row, &STYLE)),
            _ => format!("{against} the baseline, frame by frame"),
        };
        return (words::cell(row.current, row, &STYLE), against);
    }
    let versus = match (total.ratio, total.baseline) {
        (Some(ratio), Some(baseline)) => {
            let sign = if ratio < 1.0 { "" } else { "+" };
            format!("{sign}{} against {}", percent(ratio - 1.0), value(baseline, total.unit))
        }
        _ => crate::counted(stats.n, "frame"),
    };
    (value(stats.median, total.unit), versus)
}

impl Difference {
    fn of(of: &OfVariants) -> Self {
        let bar = |figure: &crate::report::PairedFigure| {
            let median = figure.value(Statistic::Median)?;
            Some(Bar {
                label: Text::of(&figure.figure.to_string()),
                unit: figure.unit.name(),
                value: median,
                shown: Text::of(&value(median, figure.unit)),
            })
        };
        let mut about = vec![of.of.clone(), words::PAIRED.to_owned()];
        about.extend(of.notes.iter().cloned());
        Self {
            title: Text::of(&format!("difference {}", words::difference(of))),
            about: Text::all(about),
            verdict: Said::of_variants(of),
            judged: tables::judged_of(of),
            bars: of.figures.iter().filter_map(bar).collect(),
            table: tables::variants(of),
        }
    }
}
