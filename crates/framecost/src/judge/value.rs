//! One statistic of one figure over one or several runs, on chosen frames. In: analyses. Out: the value, or why there is none.

use std::collections::BTreeSet;

use framecost_sample::{Metric, Reason};

use crate::stats::{FigureId, Origin, Paired, Quantile, Statistic, Stats, Subject, Summary, type7};
use crate::{Analysis, counted};

/// What runs have to say about a statistic.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Found {
    /// Its value: of several runs, the median of the runs' values.
    Value {
        /// In the metric's unit.
        value: f64,
        /// The fewest values that any of the runs has.
        n: u64,
    },
    /// At least one run has no such figure.
    Absent,
    /// The figure is there and the statistic is not.
    Missing(String),
}

/// The metric of a figure and where it comes from, by the first analysis that has it.
pub(super) fn definition<'a>(analyses: &'a [Analysis], figure: &FigureId) -> Option<(&'a Metric, Origin)> {
    let row = analyses.iter().find_map(|analysis| analysis.summaries.find(figure))?;
    Some((&row.metric, row.origin))
}

/// The statistic over all runs, each taken whole.
pub(super) fn over_runs<'a>(
    runs: impl Iterator<Item = &'a Analysis>,
    figure: &FigureId,
    statistic: Statistic,
) -> Found {
    over(runs.map(|run| Some(one(run, run.summaries.find(figure)?, statistic, None))))
}

/// The statistic over all runs, on the given frames; on all frames where none are given.
pub(super) fn of(
    runs: &[Analysis],
    figure: &FigureId,
    statistic: Statistic,
    frames: Option<&BTreeSet<u64>>,
) -> Found {
    over(runs.iter().map(|run| Some(one(run, run.summaries.find(figure)?, statistic, frames))))
}

/// The same of differences, each of a pair of runs.
pub(super) fn of_pairs(pairs: &[Paired], statistic: Statistic) -> Found {
    over(pairs.iter().map(|pair| pair.total().map(|row| of_stats(row, row.stats, statistic))))
}

/// What the runs' values come to; none stands for a run without the figure.
fn over(found: impl Iterator<Item = Option<Result<(f64, u64), String>>>) -> Found {
    let mut values = Vec::new();
    let mut fewest = u64::MAX;
    for found in found {
        let Some(found) = found else { return Found::Absent };
        match found {
            Ok((value, n)) => {
                values.push(value);
                fewest = fewest.min(n);
            }
            Err(why) => return Found::Missing(why),
        }
    }
    values.sort_unstable_by(f64::total_cmp);
    match type7(&values, 0.5) {
        Some(value) => Found::Value { value, n: fewest },
        None => Found::Absent,
    }
}

/// Frames of logs that can have a value of the figure at all, the fewest of any run: not those that were never shown or that the
/// application did not draw, which have none by what they are.
pub(super) fn due(runs: &[Analysis], figure: &FigureId) -> u64 {
    let lawful = |row: &Summary| {
        let of = |reason| row.missing.get(&reason).copied().unwrap_or(0);
        of(Reason::NotDisplayed) + of(Reason::NotExecuted)
    };
    let of_run = |run: &Analysis| {
        let none = run.summaries.find(figure).map_or(0, lawful);
        (run.summaries.frames.len() as u64).saturating_sub(none)
    };
    runs.iter().map(of_run).min().unwrap_or(0)
}

/// Why nothing is judged by a statistic of a log's frames: too few stand behind it. None where enough do; and of runs on a
/// scene's path, whose frames are the same work on either side, however few they are.
pub(super) fn too_few<'a>(
    runs: impl IntoIterator<Item = &'a Analysis>,
    figure: &FigureId,
    statistic: Statistic,
) -> Option<String> {
    let frames = |run: &Analysis| run.is_log().then(|| run.summaries.find(figure)?.frames()).flatten();
    let fewest = runs.into_iter().filter_map(frames).min()?;
    // A definition's own least number was asked for when it was computed.
    let need = statistic.least();
    (fewest < need).then(|| format!("rests on {} of a log; it takes {need}", counted(fewest, "frame")))
}

/// The median of a figure of one run on the given frames.
pub(crate) fn median(run: &Analysis, figure: &FigureId, frames: Option<&BTreeSet<u64>>) -> Option<f64> {
    let row = run.summaries.find(figure)?;
    one(run, row, Statistic::Median, frames).ok().map(|(value, _)| value)
}

fn one(
    run: &Analysis,
    row: &Summary,
    statistic: Statistic,
    frames: Option<&BTreeSet<u64>>,
) -> Result<(f64, u64), String> {
    let all = frames.is_none_or(|frames| frames.len() == run.summaries.frames.len());
    let stats = match frames {
        Some(frames) if !all && row.subject != Subject::Run => on_frames(run, row, frames),
        _ => row.stats,
    };
    of_stats(row, stats, statistic)
}

fn of_stats(row: &Summary, stats: Option<Stats>, statistic: Statistic) -> Result<(f64, u64), String> {
    let Some(stats) = stats else {
        let why = row.main_reason().map_or_else(|| "no frames".into(), ToString::to_string);
        return Err(format!("no value was measured: {why}"));
    };
    match stats.get(statistic) {
        Quantile::Value(value) => Ok((value, stats.n)),
        withheld => Err(format!("{statistic} {}", withheld.lack().unwrap_or_default())),
    }
}

fn on_frames(run: &Analysis, row: &Summary, frames: &BTreeSet<u64>) -> Option<Stats> {
    let of_frames = row
        .values
        .measured()
        .filter(|(place, _)| run.summaries.frames.get(*place).is_some_and(|frame| frames.contains(frame)));
    Stats::of(of_frames.map(|(_, value)| value).collect())
}
