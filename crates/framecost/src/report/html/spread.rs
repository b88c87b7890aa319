//! Distributions: how the values of a figure spread. In: runs and their baseline. Out: for each figure its empirical
//! distribution function, on the frames that all of them measured.

use std::collections::BTreeSet;

use framecost_sample::{Unit, metric_names as names};
use serde::Serialize;

use super::column::{self, Column};
use super::run::figures;
use super::text::Text;
use crate::Analysis;
use crate::stats::{FigureId, Quantile, Stats, Subject, Summary, type7};

/// Values up to which each is a step of its own; more are read at as many evenly spaced quantiles (type 7).
const MOST: usize = 400;
/// Passes shown, those with the largest shares.
const MOST_PASSES: usize = 40;

/// The distribution of one figure.
#[derive(Debug, Serialize)]
pub(super) struct Spread {
    label: Text,
    unit: &'static str,
    about: Text,
    run: Steps,
    base: Option<Steps>,
}

/// A distribution function: value `i` of `n` values is reached by `(i + 1) / n` of them, or where `quantiles` is set, is the
/// quantile of `i / (n - 1)`.
#[derive(Debug, Serialize)]
struct Steps {
    of: u64,
    quantiles: bool,
    values: Column,
    median: f64,
    p95: Option<f64>,
    p99: Option<f64>,
}

/// The figures of the frame, then each pass's attributed time.
pub(super) fn all(runs: &[Analysis], baseline: &[Analysis]) -> Vec<Spread> {
    let Some(first) = runs.first() else { return Vec::new() };
    let common = common(runs.iter().chain(baseline));
    let mut passes: Vec<(f64, &str)> = first
        .capture
        .passes
        .iter()
        .zip(&first.summaries.shares.passes)
        .filter_map(|(pass, share)| Some((*share.measured()?, pass.name.as_str())))
        .collect();
    passes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let of_pass = |(_, name): &(f64, &str)| first.summaries.of_pass(names::ATTRIBUTED, name);
    let rows = figures(first).into_iter().chain(passes.iter().take(MOST_PASSES).filter_map(of_pass));
    rows.filter_map(|row| Spread::of(row, runs, baseline, common.as_ref())).collect()
}

/// The frames that all measured; none where all measured the same ones, and of logs, whose frames are counted and not named.
pub(super) fn common<'a>(all: impl Iterator<Item = &'a Analysis>) -> Option<BTreeSet<u64>> {
    let all: Vec<&Analysis> = all.collect();
    if all.iter().any(|run| run.is_log()) {
        return None;
    }
    let frames: Vec<&Vec<u64>> = all.iter().map(|run| &run.summaries.frames).collect();
    let (first, others) = frames.split_first()?;
    if others.iter().all(|frames| frames == first) {
        return None;
    }
    let in_all = |frame: &&u64| others.iter().all(|frames| frames.binary_search(frame).is_ok());
    Some(first.iter().filter(in_all).copied().collect())
}

impl Spread {
    fn of(
        row: &Summary,
        runs: &[Analysis],
        base: &[Analysis],
        common: Option<&BTreeSet<u64>>,
    ) -> Option<Self> {
        let (id, unit) = (row.id(), row.metric.unit);
        let label = match &id.subject {
            Subject::Frame => id.metric.clone(),
            _ => id.to_string(),
        };
        let has_tail = row.stats.is_some_and(|stats| stats.p99 != Quantile::Sampled);
        Some(Self {
            label: Text::of(&label),
            unit: unit.name(),
            about: Text::of(&row.metric.about),
            run: Steps::of(unit, pooled(&id, runs, common), has_tail)?,
            base: Steps::of(unit, pooled(&id, base, common), has_tail),
        })
    }
}

/// The figure's values of all these runs.
fn pooled(id: &FigureId, runs: &[Analysis], common: Option<&BTreeSet<u64>>) -> Vec<f64> {
    runs.iter().flat_map(|run| values(id, run, common)).collect()
}

/// The figure's values of a run in the given frames; in all where none are given.
pub(super) fn values(id: &FigureId, run: &Analysis, common: Option<&BTreeSet<u64>>) -> Vec<f64> {
    let Some(row) = run.summaries.find(id) else { return Vec::new() };
    let frames = &run.summaries.frames;
    let counts = |place: usize| {
        common.is_none_or(|common| frames.get(place).is_some_and(|frame| common.contains(frame)))
    };
    row.values.measured().filter(|(place, _)| counts(*place)).map(|(_, value)| value).collect()
}

impl Steps {
    #[expect(clippy::cast_precision_loss, reason = "a few hundred places")]
    fn of(unit: Unit, mut values: Vec<f64>, has_tail: bool) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        let stats = Stats::of(values.clone())?;
        let quantiles = values.len() > MOST;
        let shown: Vec<Option<f64>> = if quantiles {
            (0..=MOST).map(|i| type7(&values, i as f64 / MOST as f64)).collect()
        } else {
            values.iter().copied().map(Some).collect()
        };
        Some(Self {
            of: stats.n,
            quantiles,
            values: Column::of(unit, column::FINE, &shown),
            median: stats.median,
            p95: stats.p95.value().filter(|_| has_tail),
            p99: stats.p99.value().filter(|_| has_tail),
        })
    }
}
