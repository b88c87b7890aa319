//! The mean of several runs with its interval. In: one value per run. Out: [`Interval`]. The run is the unit of replication:
//! frames of one run are not independent, so a single run has no interval.
//!
//! `mean ± t · s / √K` over K runs, with s their standard deviation (K - 1) and t the quantile of Student's distribution with
//! K - 1 degrees of freedom: Student (W. S. Gosset), "The probable error of a mean", Biometrika 6 (1908) 1-25.

use super::student;

/// How often such an interval would hold the mean of all runs, if runs are independent and spread normally.
pub const LEVEL: f64 = 0.95;

/// The mean over runs, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// How many runs.
    pub runs: u64,
    /// The mean of their values.
    pub mean: f64,
    /// How far the interval reaches to either side; none of a single run.
    pub half: Option<f64>,
}

impl Interval {
    /// Of one finite value per run; none of no runs.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    pub fn of(values: &[f64]) -> Option<Self> {
        let runs = values.len() as u64;
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let freedom = runs.checked_sub(1)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let half = (freedom > 0)
            .then(|| student::quantile((1.0 - LEVEL) / 2.0, freedom) * (squares / freedom as f64 / n).sqrt());
        Some(Self { runs, mean, half })
    }

    /// Its two ends; none of a single run.
    #[must_use]
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.half.map(|half| (self.mean - half, self.mean + half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_interval_of_known_runs() {
        // s = 1, so 4.303 / sqrt(3).
        let of = Interval::of(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((of.runs, of.mean), (3, 2.0));
        let (low, high) = of.ends().unwrap();
        assert!((high - low - 2.0 * 2.4843).abs() < 1e-3 && (low + high - 4.0).abs() < 1e-12, "{low} {high}");
    }

    #[test]
    fn a_single_run_has_a_value_and_no_interval() {
        assert_eq!(Interval::of(&[7.0]), Some(Interval { runs: 1, mean: 7.0, half: None }));
        assert_eq!(Interval::of(&[]), None);
        assert_eq!(Interval::of(&[5.0, 5.0]).unwrap().ends(), Some((5.0, 5.0)));
    }

    proptest! {
        #[test]
        fn it_holds_the_mean_and_moves_and_stretches_with_the_values(
            values in prop::collection::vec(-1e6..1e6f64, 2..12), by in -1e6..1e6f64,
        ) {
            let of = Interval::of(&values).unwrap();
            let half = of.half.unwrap();
            prop_assert!(half >= 0.0);
            let moved: Vec<f64> = values.iter().map(|value| value + by).collect();
            let moved = Interval::of(&moved).unwrap();
            prop_assert!((moved.mean - of.mean - by).abs() < 1e-6);
            prop_assert!((moved.half.unwrap() - half).abs() < 1e-5);
            let doubled: Vec<f64> = values.iter().map(|value| 2.0 * value).collect();
            prop_assert!((Interval::of(&doubled).unwrap().half.unwrap() - 2.0 * half).abs() < 1e-5);
        }
    }
}
