//! Comparisons with a baseline. In: runs, baseline, configuration. Out: whether they are alike at all, and a row per
//! figure and statistic, whatever became of it.

use std::collections::{BTreeSet, HashSet};

use framecost_sample::{Better, Metric, Nanos, metric_names};

use super::key::{self, Across, Difference};
use super::ruled::{self, Series};
use super::value::{self, Found};
use super::{
    Against, Case, Change, Config, FrameCounts, Limits, Measure, Row, Rule, Verdict, budget, decide,
};
use crate::plural::some_of;
use crate::stats::{FigureId, Origin, Statistic, Subject, Summary};
use crate::{Analysis, counted};

/// The part of the baseline's values that a run must have too, frame for frame, for the two to be compared: 90 %.
/// Frames whose stamps are lost may well be the heavy ones. Our own choice.
const LEAST_MEASURED: (u64, u64) = (9, 10);

/// Whether runs and baseline may be compared, and on which frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct Likeness {
    pub(crate) refused: Vec<Difference>,
    pub(crate) declared: Vec<Difference>,
    pub(crate) environment: Vec<Difference>,
    pub(crate) counts: FrameCounts,
    /// The runs are not even alike among themselves.
    pub(crate) mixed_runs: bool,
    /// The frames that all measured; none where all measured the same ones.
    pub(crate) common: Option<BTreeSet<u64>>,
}

impl Likeness {
    /// Compares the keys of all runs and all baseline runs.
    pub(crate) fn of(runs: &[Analysis], baseline: &[Analysis], across: Across) -> Self {
        let mut likeness = Self::default();
        likeness.refused.extend(among("run", runs));
        likeness.mixed_runs = !likeness.refused.is_empty();
        likeness.refused.extend(among("baseline run", baseline));
        if let (Some(run), Some(base)) = (runs.first(), baseline.first()) {
            let (refused, declared) = key::hard(run, base, across);
            likeness.refused.extend(refused);
            likeness.declared = declared;
            likeness.environment = key::soft(&run.capture.environment, &base.capture.environment);
        }
        likeness.find_common_frames(runs, baseline);
        likeness
    }

    fn find_common_frames(&mut self, runs: &[Analysis], baseline: &[Analysis]) {
        let of_logs = runs.iter().chain(baseline).any(Analysis::is_log);
        self.counts = FrameCounts { run: fewest(runs), baseline: fewest(baseline), common: 0, of_logs };
        // Frames of logs are counted, not named: each run's are taken whole.
        if of_logs {
            self.counts.common = self.counts.run.min(self.counts.baseline);
            return;
        }
        let mut all = runs.iter().chain(baseline).map(|analysis| &analysis.summaries.frames);
        let Some(first) = all.next() else { return };
        if all.clone().all(|frames| frames == first) {
            self.counts.common = first.len() as u64;
            return;
        }
        let mut common: BTreeSet<u64> = first.iter().copied().collect();
        for frames in all {
            common.retain(|frame| frames.binary_search(frame).is_ok());
        }
        self.counts.common = common.len() as u64;
        if common.is_empty() && !runs.is_empty() && !baseline.is_empty() {
            let say = |of: &[Analysis]| of.first().map_or_else(String::new, frames_of);
            let what = "measured frames, none of which both have";
            self.refused.push(Difference { what: what.into(), this: say(runs), baseline: say(baseline) });
        }
        self.common = Some(common);
    }

    /// Why no figure is compared, in one text; none where they are alike.
    pub(super) fn refusal(&self) -> Option<String> {
        let what: Vec<&str> = self.refused.iter().map(|difference| difference.what.as_str()).collect();
        if what.is_empty() { None } else { Some(format!("unlike the baseline in: {}", what.join(", "))) }
    }
}

/// The frames of the run that measured the fewest.
pub(super) fn fewest(of: &[Analysis]) -> u64 {
    of.iter().map(|run| run.summaries.frames.len() as u64).min().unwrap_or(0)
}

fn frames_of(analysis: &Analysis) -> String {
    match (analysis.summaries.frames.first(), analysis.summaries.frames.last()) {
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => "none".into(),
    }
}

/// In what the later runs of a list differ from its first. Nothing may be crossed here: they are to be repeats.
fn among(kind: &str, analyses: &[Analysis]) -> Vec<Difference> {
    let Some((first, others)) = analyses.split_first() else { return Vec::new() };
    let mut differences = Vec::new();
    for (i, other) in others.iter().enumerate() {
        let (hard, _) = key::hard(other, first, Across::NOTHING);
        differences.extend(hard.into_iter().map(|difference| Difference {
            what: format!("{} ({kind} {} against {kind} 1)", difference.what, i + 2),
            ..difference
        }));
    }
    differences
}

/// A row per judged statistic of every figure that any run or baseline run has, in the run's order, then one per
/// metric that the configuration expects and no run has.
pub(super) fn rows(case: &Case<'_>, config: &Config, likeness: &Likeness) -> Vec<Row> {
    let (runs, baseline) = (case.runs, case.baseline);
    let mut rows = Vec::new();
    let mut seen = HashSet::new();
    for figure in runs.iter().chain(baseline).flat_map(|analysis| &analysis.summaries.rows) {
        if !seen.insert(figure.id()) {
            continue;
        }
        for statistic in config.judged(figure) {
            rows.extend(of_figure(case, config, likeness, figure, statistic));
        }
    }
    rows.extend(expected(runs, config));
    rows
}

fn of_figure(
    case: &Case<'_>,
    config: &Config,
    likeness: &Likeness,
    figure: &Summary,
    statistic: Statistic,
) -> Vec<Row> {
    let (runs, baseline) = (case.runs, case.baseline);
    let (id, common) = (figure.id(), likeness.common.as_ref());
    if let Some(why) = likeness.refusal() {
        return vec![Row { verdict: Verdict::Refused(why), ..blank(config, figure, statistic) }];
    }
    let sides = Sides {
        now: value::of(runs, &id, statistic, common),
        before: value::of(baseline, &id, statistic, common),
        lacks: baseline.is_empty().then(|| "no baseline for this key".into()),
        expected: is_expected(config, runs, figure, statistic),
        step: budget::coarsest(runs).unwrap_or_default(),
        // Of a figure of the run there is one value, however many frames it has.
        counts: match figure.subject {
            Subject::Run => FrameCounts { run: 1, baseline: 1, ..likeness.counts },
            _ if likeness.counts.of_logs => FrameCounts {
                run: value::due(runs, &id),
                baseline: value::due(baseline, &id),
                ..likeness.counts
            },
            _ => likeness.counts,
        },
        too_few: value::too_few(runs.iter().chain(baseline), &id, statistic),
        series: Series::of(case, &id, statistic),
    };
    compared(config, figure, statistic, &sides)
}

/// A row for a figure and statistic before anything was found.
pub(super) fn blank(config: &Config, figure: &Summary, statistic: Statistic) -> Row {
    let shown = Limits { fail: config.fail, warn: config.warn, floor: 0.0 };
    Row {
        against: Against::Baseline(config.limits(figure).unwrap_or(shown)),
        unit: Some(figure.metric.unit),
        better: Some(figure.metric.better),
        statistic: statistic.into(),
        current: None,
        baseline: None,
        ratio: None,
        n: 0,
        evidence: None,
        rests_on: None,
        verdict: Verdict::Pass,
        figure: figure.id(),
    }
}

/// What both sides of a comparison have, and what is asked of it.
pub(super) struct Sides<'a> {
    pub(super) now: Found,
    pub(super) before: Found,
    /// Why there is nothing to compare with; none where there is a baseline.
    pub(super) lacks: Option<String>,
    /// That neither side has a value does not pass.
    pub(super) expected: bool,
    /// The clock's step, below which a change of a GPU time cannot be told.
    pub(super) step: Nanos,
    /// The frames of either side.
    pub(super) counts: FrameCounts,
    /// Why the values are of too few frames to be held against each other; none where they are of enough.
    pub(super) too_few: Option<String>,
    /// The runs' values, for the rule of runs.
    pub(super) series: Series<'a>,
}

/// The row of a comparison, and under the rule of runs those of its tail.
pub(super) fn compared(
    config: &Config,
    figure: &Summary,
    statistic: Statistic,
    sides: &Sides<'_>,
) -> Vec<Row> {
    let mut row = blank(config, figure, statistic);
    if let Found::Value { value, n } = sides.now {
        (row.current, row.n) = (Some(value), n);
    }
    if let Found::Value { value, .. } = sides.before {
        row.baseline = Some(value);
    }
    row.ratio = ratio(row.current, row.baseline);
    let limits = match config.limits(figure) {
        Err(why) => return vec![Row { verdict: Verdict::Refused(why), ..row }],
        Ok(limits) => limits,
    };
    let mut ruled = None;
    row.verdict = verdict(sides, &figure.metric, |now, before| match config.rule {
        // How far runs lie apart says itself how much a value of few frames is worth; a threshold knows nothing of it.
        Rule::Threshold => match &sides.too_few {
            Some(why) => Verdict::Undecided(why.clone()),
            None => judged(sides.step, figure, now, before, &limits),
        },
        Rule::Runs => {
            let found = ruled.insert(ruled::judge(&sides.series, figure, statistic, limits, sides.step));
            found.verdict.clone()
        }
    });
    let Some(ruled) = ruled else { return vec![row] };
    row.evidence = ruled.evidence;
    // Values beside a change that they do not lie on the two ends of would contradict it: those that the rule compared.
    if let Some(evidence) = &row.evidence {
        (row.current, row.baseline) = (Some(evidence.sides.0), Some(evidence.sides.1));
        row.ratio = ratio(row.current, row.baseline);
    }
    let tail = ruled.tail.into_iter().map(|tail| tail.row(&row));
    std::iter::once(row.clone()).chain(tail).collect()
}

/// `current / baseline`, where both are there and the baseline is above zero.
pub(crate) fn ratio(current: Option<f64>, baseline: Option<f64>) -> Option<f64> {
    let ratio = current? / baseline.filter(|baseline| *baseline > 0.0)?;
    ratio.is_finite().then_some(ratio)
}

/// Whether a comparison without the figure is no comparison: the frame's GPU time, and what the configuration names. Runs
/// that stamp no pass say so in their key, so none is due of them but the time between a frame's brackets, if they have that.
fn is_expected(config: &Config, runs: &[Analysis], figure: &Summary, statistic: Statistic) -> bool {
    let of_frame = match figure.metric.name.as_str() {
        metric_names::GPU_TOTAL => !runs.iter().all(|run| run.is_unstamped()),
        metric_names::BRACKET_GPU => figure.subject == Subject::Frame,
        _ => false,
    };
    config.names(&figure.id()) || (of_frame && statistic == Statistic::Median)
}

/// What becomes of two findings; `judged` is asked only where both are values that may be compared.
fn verdict(sides: &Sides<'_>, metric: &Metric, judged: impl FnOnce(f64, f64) -> Verdict) -> Verdict {
    let shown_only = metric.better == Better::Neither;
    if let Some(why) = &sides.lacks {
        return Verdict::Skipped(why.clone());
    }
    match (&sides.now, &sides.before) {
        (Found::Value { .. }, Found::Absent) => Verdict::Skipped("the baseline has no such figure".into()),
        (Found::Value { .. }, Found::Missing(why)) => Verdict::Skipped(format!("in the baseline, {why}")),
        (Found::Missing(why), Found::Absent | Found::Missing(_)) if sides.expected => {
            Verdict::Missing(format!("in the run, and the baseline has none either: {why}"))
        }
        // That both logs are too short somebody must be told, or he takes what little is left for an answer.
        (Found::Missing(why), Found::Absent | Found::Missing(_)) if sides.counts.of_logs => {
            Verdict::Skipped(format!("neither the run nor the baseline has a value: {why}"))
        }
        (Found::Absent | Found::Missing(_), Found::Absent | Found::Missing(_)) => {
            Verdict::Skipped("neither the run nor the baseline has a value".into())
        }
        (Found::Absent | Found::Missing(_), Found::Value { .. }) if shown_only => {
            Verdict::Skipped("the run has no such value; it is shown, not judged".into())
        }
        (Found::Absent, Found::Value { .. }) => {
            Verdict::Missing("the baseline has this figure and the run does not".into())
        }
        (Found::Missing(why), Found::Value { .. }) => Verdict::Missing(why.clone()),
        (Found::Value { .. }, Found::Value { .. }) if shown_only => Verdict::Shown,
        (Found::Value { value: now, n }, Found::Value { value: before, n: n_before }) => {
            measured_in_too_few(*n, *n_before, sides.counts).unwrap_or_else(|| judged(*now, *before))
        }
    }
}

/// The verdict on a figure that the run lacks in frames in which the baseline has it; none where it lacks few.
fn measured_in_too_few(n: u64, n_before: u64, counts: FrameCounts) -> Option<Verdict> {
    let (part, whole) = LEAST_MEASURED;
    // One log is longer than another, and the slower program's holds fewer frames of the same time: of logs, shares are compared.
    let (of, of_before) = if counts.of_logs { (counts.run, counts.baseline) } else { (1, 1) };
    let product = |factors: [u64; 3]| factors.into_iter().fold(1u64, u64::saturating_mul);
    if product([n, of_before, whole]) >= product([n_before, of, part]) {
        return None;
    }
    let (now, before) = match counts.of_logs {
        true => (format!("{n} of {}", counted(of, "frame")), format!("{n_before} of {of_before}")),
        false => (counted(n, "frame"), n_before.to_string()),
    };
    Some(Verdict::Missing(format!(
        "measured in {now}, in the baseline in {before}; it takes {part} of {whole}"
    )))
}

fn judged(step: Nanos, figure: &Summary, now: f64, before: f64, limits: &Limits) -> Verdict {
    let change = decide(now, before, figure.metric.better, limits);
    let moved = (now - before).abs();
    let coarsest = if figure.origin == Origin::Stamps { step.0 } else { 0.0 };
    if change != Change::Pass && moved <= coarsest {
        let (moved, step) = (Nanos(moved), Nanos(coarsest));
        return Verdict::Undecided(format!(
            "the change of {moved} lies within the clock's observed step of {step}"
        ));
    }
    match change {
        Change::Pass => Verdict::Pass,
        Change::Improved => Verdict::Improved,
        Change::Warn => Verdict::Warn,
        Change::Fail => Verdict::Fail,
    }
}

/// A row for each metric that the configuration expects and no run has.
fn expected<'a>(runs: &'a [Analysis], config: &'a Config) -> impl Iterator<Item = Row> + 'a {
    let of_runs = config.metrics.iter().filter(|(name, _)| *name != metric_names::DIFFERENCE);
    let absent = of_runs.filter(|(name, rule)| rule.expect && !has_metric(runs, name));
    absent.map(|(name, rule)| Row {
        against: Against::Baseline(Limits {
            fail: rule.fail.unwrap_or(config.fail),
            warn: rule.warn.unwrap_or(config.warn),
            floor: 0.0,
        }),
        figure: FigureId { metric: name.clone(), subject: Subject::Frame },
        unit: None,
        better: None,
        statistic: Statistic::Median.into(),
        current: None,
        baseline: None,
        ratio: None,
        n: 0,
        evidence: None,
        rests_on: None,
        verdict: Verdict::Missing("framecost.toml expects this metric and the run does not have it".into()),
    })
}

/// Under the rule of runs, which judges them all the same: figures of logs that too few frames stand behind.
pub(super) fn few(case: &Case<'_>, rows: &[Row]) -> Option<String> {
    let why = |row: &Row| match row.statistic {
        Measure::Of(statistic) if row.evidence.is_some() => {
            value::too_few(case.runs.iter().chain(case.baseline), &row.figure, statistic)
        }
        _ => None,
    };
    let found: Vec<(String, String)> = rows.iter().filter_map(|row| Some((row.title(), why(row)?))).collect();
    let (_, why) = found.first()?;
    let names: Vec<String> = found.iter().map(|(name, _)| name.clone()).collect();
    Some(format!("{}: {why}", some_of(&names, 4, "figure")))
}

fn has_metric(runs: &[Analysis], name: &str) -> bool {
    runs.iter().any(|run| run.summaries.rows.iter().any(|row| row.metric.name == name && row.stats.is_some()))
}

/// Rules of the configuration that nothing answers to: most likely of another scene, or a name that is written differently.
pub(super) fn notes(runs: &[Analysis], config: &Config) -> Vec<String> {
    let of_runs = config.metrics.iter().filter(|(name, _)| *name != metric_names::DIFFERENCE);
    let silent = of_runs.filter(|(name, rule)| !rule.expect && !has_metric(runs, name));
    silent
        .map(|(name, _)| format!("[metric.{name}] of framecost.toml: no capture given has a value of it"))
        .collect()
}
