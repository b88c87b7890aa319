//! What a list of values comes to. In: measured values in any order. Out: [`Stats`], percentiles withheld where too few
//! values stand behind them.

use std::fmt;

use super::type7;
use crate::counted;

/// Values below which p95 is withheld: with fewer than 1 / (1 - 0.95), it is hardly more than the maximum.
pub const P95_LEAST: u64 = 20;
/// Values below which p99 is withheld, for the same reason.
pub const P99_LEAST: u64 = 100;

/// Values below which every other statistic is given with a note, and not judged where the values are of a log's frames: of ten
/// values that have nothing to do with each other, the true median lies between the second smallest and the second largest 98
/// times of 100 (1 - 22 / 1024), the level of every interval here, so that no single frame decides it. Of fewer, one does.
pub const FIRM: u64 = 10;

/// Statistics of at least one value, in the metric's unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stats {
    /// How many values.
    pub n: u64,
    /// The smallest.
    pub min: f64,
    /// Half of the values lie below it.
    pub median: f64,
    /// 95 % of the values lie below it.
    pub p95: Quantile,
    /// 99 % of the values lie below it.
    pub p99: Quantile,
    /// Their sum over their number.
    pub mean: f64,
    /// The largest.
    pub max: f64,
}

/// A statistic, or why it is not given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Quantile {
    /// Its value.
    Value(f64),
    /// Too few values stand behind it.
    Withheld {
        /// How many there are.
        have: u64,
        /// How many it takes.
        need: u64,
    },
    /// The values are samples of a run's frames: their tail is not that of the frames.
    Sampled,
}

/// Which statistic of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Statistic {
    /// The smallest value.
    Min,
    /// The median.
    Median,
    /// The 95th percentile.
    P95,
    /// The 99th percentile.
    P99,
    /// The mean.
    Mean,
    /// The largest value.
    Max,
}

impl Statistic {
    /// Every statistic, for readers and documentation.
    pub const ALL: [Self; 6] = [Self::Min, Self::Median, Self::P95, Self::P99, Self::Mean, Self::Max];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Min => "min",
            Self::Median => "median",
            Self::P95 => "p95",
            Self::P99 => "p99",
            Self::Mean => "mean",
            Self::Max => "max",
        }
    }

    /// How many values should stand behind it before anybody builds on it.
    #[must_use]
    pub const fn least(self) -> u64 {
        match self {
            Self::P95 => P95_LEAST,
            Self::P99 => P99_LEAST,
            Self::Min | Self::Median | Self::Mean | Self::Max => FIRM,
        }
    }

    /// The statistic of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|statistic| statistic.name() == name)
    }
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Stats {
    /// Statistics of finite values; none of no values. Linearithmic in their number.
    #[must_use]
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        values.sort_unstable_by(f64::total_cmp);
        let (&min, &max) = (values.first()?, values.last()?);
        let n = values.len() as u64;
        let percentile = |q: f64, need: u64| match type7(&values, q) {
            Some(value) if n >= need => Quantile::Value(value),
            _ => Quantile::Withheld { have: n, need },
        };
        Some(Self {
            n,
            min,
            max,
            median: type7(&values, 0.5)?,
            p95: percentile(0.95, P95_LEAST),
            p99: percentile(0.99, P99_LEAST),
            mean: mean(&values).clamp(min, max),
        })
    }

    /// The same of values that are samples of a run's frames: without percentiles of the tail.
    #[must_use]
    pub const fn of_samples(self) -> Self {
        Self { p95: Quantile::Sampled, p99: Quantile::Sampled, ..self }
    }

    /// The statistic of that kind.
    #[must_use]
    pub const fn get(&self, statistic: Statistic) -> Quantile {
        match statistic {
            Statistic::Min => Quantile::Value(self.min),
            Statistic::Median => Quantile::Value(self.median),
            Statistic::P95 => self.p95,
            Statistic::P99 => self.p99,
            Statistic::Mean => Quantile::Value(self.mean),
            Statistic::Max => Quantile::Value(self.max),
        }
    }
}

/// The mean of at least one value. Parts are divided first where their sum would not fit.
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
fn mean(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let sum: f64 = values.iter().sum();
    if sum.is_finite() { sum / n } else { values.iter().map(|value| value / n).sum() }
}

impl Quantile {
    /// The value, if it is given.
    #[must_use]
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::Withheld { .. } | Self::Sampled => None,
        }
    }

    /// Why it is not given; none where it is.
    pub(crate) fn lack(self) -> Option<String> {
        match self {
            Self::Value(_) => None,
            Self::Withheld { have, need } => Some(lack(have, need)),
            Self::Sampled => Some(SAMPLED.into()),
        }
    }
}

/// That medians and averages of so few frames are hardly more than the frames; none of frames enough, or of none.
pub(crate) fn few(frames: u64) -> Option<String> {
    let alone = "alone: one frame decides a median or an average of fewer than";
    (1..FIRM).contains(&frames).then(|| format!("{} {alone} {FIRM}", counted(frames, "frame")))
}

/// Why a log that is sampled has no tail.
pub(crate) const SAMPLED: &str = "is of the frames, of which the log holds samples alone";

/// Why a percentile is withheld.
pub(crate) fn lack(have: u64, need: u64) -> String {
    format!("takes {}, {have} {} measured", counted(need, "value"), if have == 1 { "was" } else { "were" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_a_known_list() {
        let stats = Stats::of((1..=100).rev().map(f64::from).collect()).unwrap();
        assert_eq!((stats.n, stats.min, stats.max, stats.mean), (100, 1.0, 100.0, 50.5));
        assert_eq!(stats.get(Statistic::Median), Quantile::Value(50.5));
        assert_eq!(stats.p95.value().map(|p95| (p95 * 1e9).round()), Some(95.05e9));
        assert_eq!(stats.p99.value().map(|p99| (p99 * 1e9).round()), Some(99.01e9));
    }

    #[test]
    fn a_percentile_is_withheld_below_its_least_number_of_values() {
        let of = |n: u32| Stats::of((0..n).map(f64::from).collect()).unwrap();
        assert_eq!(of(19).p95, Quantile::Withheld { have: 19, need: 20 });
        assert!(of(20).p95.value().is_some(), "20 values carry a p95");
        assert_eq!(of(99).p99, Quantile::Withheld { have: 99, need: 100 });
        assert!(of(100).p99.value().is_some(), "100 values carry a p99");
        assert_eq!(Stats::of(Vec::new()), None);
    }

    #[test]
    fn negative_values_are_ordinary() {
        let stats = Stats::of(vec![-10.0, 4.0, -40.0]).unwrap();
        assert_eq!((stats.min, stats.median, stats.max), (-40.0, -10.0, 4.0));
    }

    #[test]
    fn the_largest_values_have_a_mean() {
        let stats = Stats::of(vec![f64::MAX; 3]).unwrap();
        assert_eq!((stats.mean, stats.max), (f64::MAX, f64::MAX));
    }
}
