//! Creep: a series that goes one way without a step. In: values in order. Out: how much it moved, with an interval, and how
//! often chance alone would show as much.
//!
//! Whether it goes one way at all: Mann, "Nonparametric tests against trend", Econometrica 13 (1945) 245-259, and Kendall,
//! with the variance of points that resemble their neighbours after Hamed and Rao, "A modified Mann-Kendall trend test for
//! autocorrelated data", J. Hydrology 204 (1998) 182-196. How much: the median of the slopes between all pairs of points, with
//! its interval, by Theil (1950) and Sen, "Estimates of the regression coefficient based on Kendall's tau", J. Am. Stat.
//! Assoc. 63 (1968) 1379-1389.

use super::robust::{between, median_of};
use super::scan::{LEAST, alike, correlations, number, ranks};
use super::steps::{Gates, differs};

/// How often chance alone may show what counts as a drift, before the gates.
pub(super) const DRIFT_LEVEL: f64 = 0.001;

/// A trend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Trend {
    /// From the first to the last point, on the values' scale.
    pub(super) change: f64,
    /// Its 95 % interval.
    pub(super) low: f64,
    pub(super) high: f64,
    /// How often chance alone shows as much.
    pub(super) p: f64,
    /// The mean distance of points from the line.
    pub(super) off: f64,
    slope: f64,
}

/// The trend of the values; none of fewer than ten.
pub(super) fn trend(values: &[f64]) -> Option<Trend> {
    let n = values.len();
    if n < 2 * LEAST {
        return None;
    }
    let (mut rising, mut slopes) = (0.0, Vec::with_capacity(n * (n - 1) / 2));
    for (i, from) in values.iter().enumerate() {
        for (j, to) in values.iter().enumerate().skip(i + 1) {
            rising += if to > from { 1.0 } else { -f64::from(u8::from(to < from)) };
            slopes.push((to - from) / number(j - i));
        }
    }
    slopes.sort_unstable_by(f64::total_cmp);
    let slope = median_of(&slopes);
    let left: Vec<f64> = values.iter().enumerate().map(|(i, value)| value - slope * number(i)).collect();
    let middle = median_of(&left);
    let left: Vec<f64> = left.iter().map(|value| value - middle).collect();
    let (_, ties) = ranks(values);
    let x = number(n);
    // Equal values take their part: Kendall's correction is that of the ranks to within a few percent.
    let variance = x * (x - 1.0) * (2.0 * x + 5.0) / 18.0 * ties * inflation(&left);
    let p = if variance > 0.0 { two_sided((rising.abs() - 1.0).max(0.0) / variance.sqrt()) } else { 1.0 };
    let (low, high) = between(&slopes, 1.96 * variance.sqrt() / 2.0);
    let span = x - 1.0;
    let off = left.iter().map(|value| value.abs()).sum::<f64>() / x;
    Some(Trend {
        change: slope * span,
        low: low.min(slope) * span,
        high: high.max(slope) * span,
        p,
        off,
        slope,
    })
}

impl Trend {
    /// Whether it is large enough to matter and to be seen between the first and the last third of the values.
    pub(super) fn passes(&self, values: &[f64], gates: &Gates<'_>) -> bool {
        let third = (values.len() / 3).max(1);
        let (first, last) = (&values[..third], &values[values.len() - third..]);
        // Inside a third the trend itself is no noise.
        let flat = |values: &[f64], start: usize, about: f64| -> Vec<f64> {
            let flatten = |(i, value): (usize, &f64)| value - self.slope * (number(start + i) - about);
            values.iter().enumerate().map(flatten).collect()
        };
        let end = number(values.len() - 1);
        differs(&flat(first, 0, 0.0), &flat(last, values.len() - third, end), gates)
    }
}

/// How many times the variance of independent points a statistic of these points has: `1 + 2 Σ (1 - k/n) ρ(k)` over the lags up
/// to the first at which they resemble each other by no more than chance, or `(1 + ρ) / (1 - ρ)` of the first lag, whichever is
/// more. Correlations of few points read low, so each is raised by `(1 + 4 ρ) / n` (Kendall, Biometrika 41 (1954) 403-404).
pub(super) fn inflation(residuals: &[f64]) -> f64 {
    let n = residuals.len();
    let x = number(n).max(1.0);
    let lags = correlations(residuals, (n / 4).max(1));
    if lags[0] <= alike(n) {
        return 1.0;
    }
    let raised: Vec<f64> = lags.iter().map(|rho| (rho + (1.0 + 4.0 * rho) / x).min(0.95)).collect();
    let counted = raised.iter().take_while(|rho| **rho > 1.0 / x.sqrt());
    let sum: f64 = counted.zip(1usize..).map(|(rho, lag)| (1.0 - number(lag) / x) * rho).sum();
    (1.0 + 2.0 * sum).max((1.0 + raised[0]) / (1.0 - raised[0])).max(1.0)
}

/// The probability that a normal deviate lies further from zero: the continued fraction of Abramowitz and Stegun, "Handbook of
/// Mathematical Functions" (1964), 26.2.14, and below 2 the series 26.2.11.
fn two_sided(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if z < 2.0 {
        let (mut term, mut sum) = (z, z);
        for i in 1..40 {
            term *= z * z / f64::from(2 * i + 1);
            sum += term;
        }
        return (1.0 - 2.0 * density * sum).clamp(0.0, 1.0);
    }
    let fraction = (1..=60).rev().fold(z, |below, k| z + f64::from(k) / below);
    2.0 * density / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_the_tables() {
        // Abramowitz and Stegun, table 26.1.
        for (z, expected) in
            [(0.0, 1.0), (1.0, 0.317_310_51), (1.959_964, 0.05), (3.0, 0.002_699_80), (4.0, 6.334_25e-5)]
        {
            let found = two_sided(z);
            assert!((found - expected).abs() < 1e-8, "{z}: {found}, not {expected}");
        }
    }

    #[test]
    fn a_line_has_its_slope() {
        let values: Vec<f64> = (0..30).map(|i| 3.0 + 0.5 * f64::from(i)).collect();
        let trend = trend(&values).unwrap();
        assert!((trend.change - 14.5).abs() < 1e-9 && trend.p < 1e-6 && trend.off < 1e-9, "{trend:?}");
        assert!(trend.low <= trend.change && trend.change <= trend.high);
    }

    #[test]
    fn equal_values_have_no_trend() {
        let trend = trend(&[5.0; 20]).unwrap();
        assert_eq!((trend.change, trend.p), (0.0, 1.0));
        assert_eq!(super::trend(&[1.0; 9]), None);
    }
}
