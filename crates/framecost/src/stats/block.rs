//! How sure a median is within one run, where neighbouring frames are alike. In: values in the frames' order. Out: the
//! standard error of their median by a circular block bootstrap.
//!
//! Nothing is drawn at random: of a circular block bootstrap (Politis and Romano, "A circular block-resampling procedure for
//! stationary data", 1992) the variance of a mean is known in closed form, which is what ever more draws come to. A median's
//! error follows from that of the part of values below it (Woodruff, "Confidence intervals for medians and other position
//! measures", Journal of the American Statistical Association 47, 1952): the quantiles one error to either side.

use super::type7;

/// Frames in a block unless the values say otherwise: one second at 60 Hz.
const BLOCK: usize = 60;
/// The least block, and the part of the series that the longest may be.
const SHORTEST: usize = 30;
const LONGEST_PART: usize = 10;
/// Neighbours so far apart that their correlation is below this count as unlike.
const UNLIKE: f64 = 0.1;

/// A standard error within a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Error {
    /// In the values' unit.
    pub(crate) error: f64,
    /// Whether values a second apart are still alike: the run drifts, and what one run says of itself says little.
    pub(crate) drifts: bool,
}

/// The standard error of the median of values in order; zero of fewer than two.
pub(crate) fn median_error(values: &[f64]) -> Error {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let (Some(median), true) = (type7(&sorted, 0.5), values.len() > 1) else {
        return Error { error: 0.0, drifts: false };
    };
    let (block, drifts) = block(values);
    // Half where equal, so that many equal values do not lean to one side.
    let below = |value: &f64| {
        if *value < median {
            1.0
        } else if *value > median {
            0.0
        } else {
            0.5
        }
    };
    let part = error_of_mean(&values.iter().map(below).collect::<Vec<_>>(), block);
    let at = |q: f64| type7(&sorted, q).unwrap_or(median);
    Error { error: (at(0.5 + part) - at(0.5 - part)) / 2.0, drifts }
}

/// The standard deviation of the mean of blocks laid end to end, each starting anywhere with equal chance.
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
fn error_of_mean(values: &[f64], block: usize) -> f64 {
    let n = values.len();
    let mean = values.iter().sum::<f64>() / n as f64;
    let mut sum: f64 = values.iter().take(block).map(|value| value - mean).sum();
    let mut squares = 0.0;
    for start in 0..n {
        squares += sum * sum;
        sum += values[(start + block) % n] - values[start];
    }
    let of_block = squares / n as f64 / (block as f64).powi(2);
    (of_block * block as f64 / n as f64).sqrt()
}

/// How many neighbours a block holds, and whether the series drifts: three times the first distance at which values are
/// unlike, within bounds.
fn block(values: &[f64]) -> (usize, bool) {
    let longest = (values.len() / LONGEST_PART).max(1);
    let mut alike = 1;
    let correlation = Correlation::of(values);
    while 3 * alike < longest && correlation.at(alike) >= UNLIKE {
        alike += 1;
    }
    let block = (3 * alike).max(SHORTEST).min(longest);
    (block, values.len() > LONGEST_PART * BLOCK && correlation.at(BLOCK) > UNLIKE)
}

struct Correlation<'a> {
    values: &'a [f64],
    mean: f64,
    variance: f64,
}

impl<'a> Correlation<'a> {
    #[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
    fn of(values: &'a [f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        Self { values, mean, variance }
    }

    /// Between values that far apart; zero of values that are all the same.
    fn at(&self, distance: usize) -> f64 {
        if self.variance <= 0.0 {
            return 0.0;
        }
        let pairs = self.values.iter().zip(self.values.iter().skip(distance));
        pairs.map(|(a, b)| (a - self.mean) * (b - self.mean)).sum::<f64>() / self.variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::random::Random;

    /// The same error by drawing blocks, as the bootstrap is defined.
    fn drawn(values: &[f64], block: usize, statistic: impl Fn(&mut Vec<f64>) -> f64) -> f64 {
        let mut random = Random::new(7);
        let n = values.len();
        let draws: Vec<f64> = (0..2000)
            .map(|_| {
                let mut sample = Vec::with_capacity(n + block);
                while sample.len() < n {
                    let start = random.below(n);
                    sample.extend((0..block).map(|i| values[(start + i) % n]));
                }
                sample.truncate(n);
                statistic(&mut sample)
            })
            .collect();
        let mean = draws.iter().sum::<f64>() / draws.len() as f64;
        (draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64).sqrt()
    }

    fn correlated(n: usize, rho: f64) -> Vec<f64> {
        let mut random = Random::new(11);
        let mut last = 0.0;
        (0..n)
            .map(|_| {
                last = rho * last + random.normal();
                last
            })
            .collect()
    }

    #[test]
    fn the_closed_form_is_what_drawing_blocks_comes_to() {
        for rho in [0.0, 0.5, 0.9] {
            let values = correlated(1800, rho);
            let (block, _) = block(&values);
            let mean = drawn(&values, block, |sample| sample.iter().sum::<f64>() / sample.len() as f64);
            let found = error_of_mean(&values, block);
            assert!((found / mean - 1.0).abs() < 0.06, "mean at {rho}: {found}, drawn {mean}");
            let median = drawn(&values, block, |sample| {
                sample.sort_unstable_by(f64::total_cmp);
                type7(sample, 0.5).unwrap()
            });
            let found = median_error(&values).error;
            assert!((found / median - 1.0).abs() < 0.15, "median at {rho}: {found}, drawn {median}");
        }
    }

    #[test]
    fn neighbours_that_are_alike_make_it_less_sure() {
        let (unlike, alike) = (correlated(1800, 0.0), correlated(1800, 0.9));
        let spread = |values: &[f64]| Correlation::of(values).variance.sqrt();
        let of = |values: &[f64]| median_error(values).error / spread(values);
        assert!(of(&alike) > 2.0 * of(&unlike), "{} {}", of(&alike), of(&unlike));
    }

    #[test]
    fn a_run_that_creeps_up_is_said_to_drift() {
        let creeping: Vec<f64> = (0..1800).map(f64::from).collect();
        assert!(median_error(&creeping).drifts);
        assert!(!median_error(&correlated(1800, 0.5)).drifts);
    }

    #[test]
    fn equal_values_and_few_values_have_no_error() {
        for values in [&[][..], &[3.0], &[3.0; 50]] {
            assert_eq!(median_error(values), Error { error: 0.0, drifts: false });
        }
    }
}
