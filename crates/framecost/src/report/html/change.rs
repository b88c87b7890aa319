//! Changes against the baseline, figure by figure, and how they settle as runs are added. In: a report's verdicts, runs and
//! baseline. Out: for each judged figure its change, what each run says of it, and the interval over runs where there are several.

use std::collections::BTreeSet;

use serde::Serialize;

use super::spread;
use super::text::Text;
use crate::Analysis;
use crate::judge::{Against, Evidence, Measure, Row, Scale, Stretch, tolerated_hitches};
use crate::report::{Report, Style, evidence, words};
use crate::stats::{Interval, Statistic, Stats, Subject};

/// Figures shown; the judgement's order puts the frame before its passes.
const MOST: usize = 200;

/// The change of one figure. Parts of the baseline's value: 0.05 is 5 % more.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    label: Text,
    /// The same where there is little room: the pass or gate alone.
    short: Text,
    verdict: &'static str,
    before: Text,
    now: Text,
    limit: Text,
    change: f64,
    /// Changes past which it fails and warns; towards more or less, as the figure worsens.
    fail: f64,
    warn: f64,
    /// The interval of the mean over the runs; none of a single run.
    interval: Option<(f64, f64)>,
    /// Each run's change against the baseline, in the order given.
    each: Vec<f64>,
    /// The mean of the first `i + 1` runs, and its interval.
    running: Vec<(f64, Option<(f64, f64)>)>,
    /// What the rule of runs knows beside; none under another rule.
    known: Option<Known>,
}

/// What the rule of runs says of a change beside its interval.
#[derive(Debug, Serialize)]
struct Known {
    /// The figure as the frames' chart names it, where it is one of the frame's.
    metric: Text,
    spread: Option<Text>,
    /// The smallest loss that would have shown nine times of ten.
    smallest: Text,
    p: f64,
    more_runs: Option<u64>,
    most_more_runs: Option<u64>,
    drifts: bool,
    grew: Vec<Grew>,
}

/// Frames in a row that got worse.
#[derive(Debug, Serialize)]
struct Grew {
    first: u64,
    last: u64,
    change: Text,
}

/// What is known of a change beside the figure's ratio.
#[derive(Default)]
struct Seen {
    change: Option<f64>,
    interval: Option<(f64, f64)>,
    each: Vec<f64>,
}

/// The changes of every judged figure that has one.
pub(super) fn all(report: &Report, runs: &[Analysis], baseline: &[Analysis]) -> Vec<Change> {
    let Some(verdicts) = &report.verdicts else { return Vec::new() };
    let common = spread::common(runs.iter().chain(baseline));
    let of = |row: &Row| Change::of(row, runs, common.as_ref());
    verdicts.rows.iter().filter_map(of).take(MOST).collect()
}

impl Change {
    fn of(row: &Row, runs: &[Analysis], common: Option<&BTreeSet<u64>>) -> Option<Self> {
        let Against::Baseline(limits) = &row.against else { return None };
        let of_medians = row.ratio? - 1.0;
        let style = Style { unicode: true, ..Style::PLAIN };
        let seen = seen(row, runs, common);
        let (before, now) = evidence::sides(row);
        // Hitches have a limit of their own, as a part of the baseline's number of them.
        let (fail, warn) = match (row.statistic, row.baseline) {
            (Measure::Hitches, Some(before)) => {
                let fail = tolerated_hitches(row.n) / before;
                (fail, fail)
            }
            _ => limits.changes(row.better),
        };
        let running = (1..=seen.each.len()).filter_map(|runs| Interval::of(seen.each.get(..runs)?));
        Some(Self {
            label: Text::of(&words::statistic(row)),
            short: Text::of(&short(row)),
            verdict: row.verdict.name(),
            before: Text::of(&words::cell(before, row, &style)),
            now: Text::of(&words::cell(now, row, &style)),
            limit: Text::of(&words::limit(row, &style)),
            change: seen.change.unwrap_or(of_medians),
            fail,
            warn,
            interval: seen.interval,
            running: running.map(|of| (of.mean, of.ends())).collect(),
            each: seen.each,
            known: row.evidence.as_ref().map(|evidence| Known::of(row, evidence)),
        })
    }
}

impl Known {
    fn of(row: &Row, evidence: &Evidence) -> Self {
        let of_frame = if row.figure.subject == Subject::Frame { row.figure.metric.as_str() } else { "" };
        let grew = |stretch: &Stretch| Grew {
            first: stretch.first,
            last: stretch.last,
            change: Text::of(&evidence::signed(stretch.change, row, evidence.scale)),
        };
        Self {
            metric: Text::of(of_frame),
            spread: evidence.spread.map(|spread| Text::of(&evidence::amount(spread, row, evidence.scale))),
            smallest: Text::of(&evidence::amount(evidence.smallest, row, evidence.scale)),
            p: evidence.p,
            more_runs: evidence.more_runs,
            most_more_runs: evidence.most_more_runs,
            drifts: evidence.drifts,
            grew: evidence.grew.iter().map(grew).collect(),
        }
    }
}

fn short(row: &Row) -> String {
    let name = row.figure.subject.name().unwrap_or(&row.figure.metric);
    if row.statistic == Statistic::Median.into() {
        name.to_owned()
    } else {
        format!("{name} {}", row.statistic)
    }
}

/// What the rule of runs knows. Under another rule each run's value over the baseline's, less 1, and the interval of their
/// mean, which is over the runs judged alone: how far the baseline's own runs spread is not in it.
fn seen(row: &Row, runs: &[Analysis], common: Option<&BTreeSet<u64>>) -> Seen {
    let before = row.baseline.filter(|before| *before > 0.0);
    if let Some(evidence) = &row.evidence {
        return by_runs(evidence, before);
    }
    let Measure::Of(statistic) = row.statistic else { return Seen::default() };
    let of_run = |run: &Analysis| {
        let values = spread::values(&row.figure, run, common);
        let value = Stats::of(values)?.get(statistic).value()?;
        Some(value / before? - 1.0).filter(|change| change.is_finite())
    };
    let each: Vec<f64> = runs.iter().map(of_run).collect::<Option<_>>().unwrap_or_default();
    Seen { change: None, interval: Interval::of(&each).and_then(|of| of.ends()), each }
}

/// A difference is shown as a part of the baseline, where that is above zero.
fn by_runs(evidence: &Evidence, before: Option<f64>) -> Seen {
    let of = |change: f64| match evidence.scale {
        Scale::Ratio => Some(change),
        Scale::Difference => before.map(|before| change / before),
    };
    Seen {
        change: of(evidence.change),
        interval: of(evidence.low).zip(of(evidence.high)),
        each: evidence.each.iter().map(|change| of(*change)).collect::<Option<_>>().unwrap_or_default(),
    }
}
