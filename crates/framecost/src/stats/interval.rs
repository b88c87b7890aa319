//! The mean of several runs with its interval. In: one value per run. Out: [`Interval`]. The run is the unit of replication:
//! frames of one run are not independent, so a single run has no interval.
//!
//! `mean ± t · s / √K` over K runs, with s their standard deviation (K - 1) and t the quantile of Student's distribution with
//! K - 1 degrees of freedom: Student (W. S. Gosset), "The probable error of a mean", Biometrika 6 (1908) 1-25.

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
        let half = (freedom > 0).then(|| t_quantile(freedom) * (squares / freedom as f64 / n).sqrt());
        Some(Self { runs, mean, half })
    }

    /// Its two ends; none of a single run.
    #[must_use]
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.half.map(|half| (self.mean - half, self.mean + half))
    }
}

/// The t that a value of Student's distribution stays within, on either side, with probability [`LEVEL`].
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn t_quantile(freedom: u64) -> f64 {
    // Halving the angle's range 60 times leaves less than a double can tell.
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, freedom) < LEVEL { low = middle } else { high = middle }
    }
    f64::midpoint(low, high).tan() * (freedom as f64).sqrt()
}

/// The probability that |T| stays below `tan(angle) · √freedom`: Abramowitz and Stegun, "Handbook of Mathematical Functions"
/// (1964), 26.7.3 and 26.7.4, finite sums for whole degrees of freedom.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn within(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    // Each term is the one before times cos² and a quotient: 1/2, 3/4, ... if even; 2/3, 4/5, ... if odd.
    let odd = freedom % 2;
    let (mut term, mut sum) = (if odd == 1 { cosine } else { 1.0 }, 0.0);
    for i in 0..freedom / 2 {
        sum += term;
        let over = (2 * i + 1 + odd) as f64;
        term *= cosine * cosine * over / (over + 1.0);
    }
    if odd == 1 { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // The two-sided 5 % column of any table of Student's t, such as Fisher and Yates, table III.
        let table = [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (5, 2.571),
            (6, 2.447),
            (7, 2.365),
            (9, 2.262),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
        ];
        for (freedom, expected) in table {
            let found = t_quantile(freedom);
            assert!((found - expected).abs() < 6e-4, "{freedom} degrees of freedom: {found}, not {expected}");
        }
    }

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

        #[test]
        fn more_runs_need_a_smaller_quantile(freedom in 1u64..200) {
            prop_assert!(t_quantile(freedom) > t_quantile(freedom + 1));
            prop_assert!(t_quantile(freedom) > 1.9599);
        }
    }
}
