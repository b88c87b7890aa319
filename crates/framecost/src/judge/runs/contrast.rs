//! Runs set against each other. In: each run's values over the same frames. Out: by how much any two of them differ, on the
//! scale that suits the figure.

use super::Asked;
use crate::judge::Scale;
use crate::stats::{Error, Series, Statistic, median_error, type7};

/// The values of one run's figure and the frames they stand at.
#[derive(Clone, Copy, Debug)]
pub(in crate::judge) struct Place<'a> {
    /// The run's frames, ascending; none for a figure of the run as a whole.
    pub(in crate::judge) frames: Option<&'a [u64]>,
    pub(in crate::judge) values: &'a Series,
}

/// The values of several runs over the frames that all of them measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::judge) struct Values {
    /// The frames, ascending.
    pub(in crate::judge) frames: Vec<u64>,
    /// Per new run.
    pub(in crate::judge) new: Vec<Vec<f64>>,
    /// Per stored run.
    pub(in crate::judge) stored: Vec<Vec<f64>>,
}

impl Values {
    /// Lines up the runs on the frames that all have.
    pub(in crate::judge) fn of(new: &[Place<'_>], stored: &[Place<'_>]) -> Self {
        let all: Vec<Vec<(u64, f64)>> = new.iter().chain(stored).map(Place::measured).collect();
        let mut frames: Vec<u64> =
            all.first().map_or_else(Vec::new, |first| first.iter().map(|it| it.0).collect());
        for run in &all {
            // Both ascend, so one walk through the two finds what they share.
            let mut rest = run.iter().peekable();
            frames.retain(|frame| {
                while rest.next_if(|it| it.0 < *frame).is_some() {}
                rest.peek().is_some_and(|it| it.0 == *frame)
            });
        }
        let mut runs = all.iter().map(|run| {
            let mut wanted = frames.iter().peekable();
            run.iter().filter(|it| wanted.next_if(|frame| **frame == it.0).is_some()).map(|it| it.1).collect()
        });
        let (new, stored) = (runs.by_ref().take(new.len()).collect(), runs.collect());
        Self { frames, new, stored }
    }

    /// Each run's own values, of runs whose frames have nothing to do with each other.
    pub(in crate::judge) fn apart(new: &[Place<'_>], stored: &[Place<'_>]) -> Self {
        let of = |runs: &[Place<'_>]| -> Vec<Vec<f64>> {
            runs.iter().map(|run| run.measured().into_iter().map(|it| it.1).collect()).collect()
        };
        Self { frames: Vec::new(), new: of(new), stored: of(stored) }
    }
}

impl Place<'_> {
    fn measured(&self) -> Vec<(u64, f64)> {
        let frame = |place: usize| self.frames.map_or(Some(0), |frames| frames.get(place).copied());
        self.values.measured().filter_map(|(place, value)| Some((frame(place)?, value))).collect()
    }
}

/// Every run set against every other, on the scale's own terms: of ratios, differences of logarithms.
#[derive(Clone, Debug)]
pub(super) struct Contrast {
    pub(super) scale: Scale,
    /// The stored runs' statistic, by the median of the runs, in the metric's unit.
    pub(super) base: f64,
    /// The statistic of the new and of the stored runs: the mean over the runs, on the scale.
    pub(super) sides: (f64, f64),
    /// Each new run with each stored one.
    pub(super) across: Vec<Vec<f64>>,
    /// Σ over pairs of stored runs of the squared difference, over their number: what their variance times K - 1 is.
    pub(super) squares_stored: f64,
    /// The same of the new runs.
    pub(super) squares_new: f64,
    /// What is known from within the runs.
    pub(super) within: Error,
}

impl Contrast {
    pub(super) fn of(new: &[Vec<f64>], stored: &[Vec<f64>], asked: &Asked) -> Result<Self, String> {
        if new.is_empty() || stored.is_empty() || new.iter().chain(stored).any(Vec::is_empty) {
            return Err("no frame was measured by every run".into());
        }
        let of = |runs: &[Vec<f64>]| runs.iter().map(|run| statistic(run, asked.statistic)).collect();
        let (values, bases): (Vec<f64>, Vec<f64>) = (of(new), of(stored));
        let base = median(bases.clone());
        let scale = scale(new, stored, base, asked.limits.floor);
        let is_median = asked.statistic == Statistic::Median && new[0].len() > 1;
        let paired = is_median && asked.aligned;
        let alone = (is_median && !asked.aligned).then(|| within_each(new, stored, scale));
        let inner = |runs: &[Vec<f64>], values: &[f64]| -> Vec<Vec<f64>> {
            match paired {
                true => runs.iter().map(|run| run.iter().map(|it| scale.inner(*it)).collect()).collect(),
                false => values.iter().map(|it| vec![scale.inner(*it)]).collect(),
            }
        };
        let sides = (side(&values, scale), side(&bases, scale));
        let (new, stored) = (inner(new, &values), inner(stored, &bases));
        let across = new.iter().map(|run| stored.iter().map(|base| apart(run, base)).collect()).collect();
        let unknown = Error { error: 0.0, drifts: false };
        let within = if paired { within(&new, &stored) } else { alone.unwrap_or(unknown) };
        Ok(Self {
            scale,
            base,
            sides,
            across,
            squares_stored: squares(&stored),
            squares_new: squares(&new),
            within,
        })
    }
}

/// The statistic of stored runs: the median over runs; zero of none.
pub(in crate::judge) fn base(stored: &[Vec<f64>], of: Statistic) -> f64 {
    let values: Vec<f64> =
        stored.iter().filter(|run| !run.is_empty()).map(|run| statistic(run, of)).collect();
    if values.is_empty() { 0.0 } else { median(values) }
}

/// By ratio where every value is above zero and the figure larger than its floor, below which no ratio decides anything.
fn scale(new: &[Vec<f64>], stored: &[Vec<f64>], base: f64, floor: f64) -> Scale {
    let above_zero = new.iter().chain(stored).flatten().all(|value| *value > 0.0);
    if above_zero && base > floor { Scale::Ratio } else { Scale::Difference }
}

/// The mean over runs on the scale; one run's value is left as it is.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn side(values: &[f64], scale: Scale) -> f64 {
    match values {
        [only] => *only,
        _ => scale.outer(values.iter().map(|it| scale.inner(*it)).sum::<f64>() / values.len() as f64),
    }
}

/// The median over frames of one run less another; of single values, their difference.
fn apart(run: &[f64], base: &[f64]) -> f64 {
    median(run.iter().zip(base).map(|(run, base)| run - base).collect())
}

#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn squares(runs: &[Vec<f64>]) -> f64 {
    let pairs = runs.iter().enumerate().flat_map(|(i, run)| runs[i + 1..].iter().map(move |it| (run, it)));
    pairs.map(|(run, other)| apart(run, other).powi(2)).sum::<f64>() / runs.len() as f64
}

/// How sure the difference between the new runs' mean and the stored runs' mean is, by their frames alone.
fn within(new: &[Vec<f64>], stored: &[Vec<f64>]) -> Error {
    let (new, stored) = (frame_means(new), frame_means(stored));
    median_error(&new.iter().zip(&stored).map(|(new, stored)| new - stored).collect::<Vec<_>>())
}

/// The same of runs whose frames have nothing to do with each other: each median is as sure as its own run's frames make it.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn within_each(new: &[Vec<f64>], stored: &[Vec<f64>], scale: Scale) -> Error {
    let of_run = |run: &Vec<f64>| median_error(&run.iter().map(|it| scale.inner(*it)).collect::<Vec<_>>());
    let of = |runs: &[Vec<f64>]| {
        let errors: Vec<Error> = runs.iter().map(of_run).collect();
        let squares: f64 = errors.iter().map(|it| it.error.powi(2)).sum();
        squares / (runs.len() as f64).powi(2)
    };
    let (new, stored) = (of(new), of(stored));
    // What changes slowly along a run of somebody's is where he went, and no drift of the machine.
    Error { error: (new + stored).sqrt(), drifts: false }
}

/// Each frame's mean over runs.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
pub(super) fn frame_means(runs: &[Vec<f64>]) -> Vec<f64> {
    let mut sums = vec![0.0; runs.first().map_or(0, Vec::len)];
    for run in runs {
        sums.iter_mut().zip(run).for_each(|(sum, value)| *sum += value);
    }
    sums.iter().map(|sum| sum / runs.len() as f64).collect()
}

/// The statistic of one run's values, which are not empty.
fn statistic(values: &[f64], statistic: Statistic) -> f64 {
    let mut sorted = values.to_vec();
    let quantile = |sorted: &mut [f64], q| {
        sorted.sort_unstable_by(f64::total_cmp);
        type7(sorted, q).unwrap_or(f64::NAN)
    };
    match statistic {
        Statistic::Min => quantile(&mut sorted, 0.0),
        Statistic::Median => median(sorted),
        Statistic::P95 => quantile(&mut sorted, 0.95),
        Statistic::P99 => quantile(&mut sorted, 0.99),
        #[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
        Statistic::Mean => values.iter().map(|value| value / values.len() as f64).sum(),
        Statistic::Max => quantile(&mut sorted, 1.0),
    }
}

/// The median of at least one value: type 7, found without sorting all of them.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if !even {
        return upper;
    }
    let lower = below.iter().copied().max_by(f64::total_cmp).unwrap_or(upper);
    f64::midpoint(lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_sample::{Reading, Reason};
    use proptest::prelude::*;

    #[test]
    fn only_frames_that_every_run_measured_are_compared() {
        let series = |values: &[Option<f64>]| {
            let mut series = Series::new(values.len(), Reason::NotExecuted);
            for (place, value) in values.iter().enumerate() {
                let reading = value.map_or(Reading::Missing(Reason::Zero), Reading::Measured);
                assert!(series.push(place, reading));
            }
            series
        };
        let (a, b) =
            (series(&[Some(1.0), None, Some(3.0), Some(4.0)]), series(&[Some(30.0), Some(40.0), None]));
        let new = Place { frames: Some(&[10, 11, 12, 13]), values: &a };
        let stored = Place { frames: Some(&[12, 13, 14]), values: &b };
        let found = Values::of(&[new], &[stored, stored]);
        let both = vec![30.0, 40.0];
        assert_eq!(
            found,
            Values { frames: vec![12, 13], new: vec![vec![3.0, 4.0]], stored: vec![both.clone(), both] }
        );
    }

    proptest! {
        #[test]
        fn the_median_is_that_of_sorted_values(mut values in prop::collection::vec(-1e6..1e6f64, 1..50)) {
            let found = median(values.clone());
            values.sort_unstable_by(f64::total_cmp);
            let expected = type7(&values, 0.5).unwrap();
            prop_assert!((found - expected).abs() <= 1e-9 * expected.abs());
        }

        #[test]
        fn squares_over_pairs_are_the_variance(values in prop::collection::vec(-10.0..10.0f64, 2..12)) {
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let expected: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let runs: Vec<Vec<f64>> = values.iter().map(|value| vec![*value]).collect();
            prop_assert!((squares(&runs) - expected).abs() < 1e-9);
        }
    }
}
