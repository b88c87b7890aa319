//! What the rule of runs knows of a comparison: how large the change is, how sure that is, and what more runs would do.

use serde::{Deserialize, Serialize};

/// What the rule of runs knows of one comparison. A change is positive where the figure grew, whichever way is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    /// How the figures below are to be read.
    pub scale: Scale,
    /// The statistic of the new and of the stored runs, on the frames that all measured, in the metric's unit: the mean over the
    /// runs, the geometric one where `scale` is [`Scale::Ratio`]. Of other statistics than the median it is these that `change`
    /// lies between; of the median it is the paired frames.
    pub sides: (f64, f64),
    /// The estimated change.
    pub change: f64,
    /// The interval's lower end: in [`SIDE`] of such comparisons the true change lies below it.
    pub low: f64,
    /// The interval's upper end: in [`SIDE`] of such comparisons the true change lies above it.
    pub high: f64,
    /// Standard deviation from run to run; none where it came from within a run alone.
    pub spread: Option<f64>,
    /// The change of each new run, or of each pair, in the order given.
    pub each: Vec<f64>,
    /// The smallest loss that this data would have shown nine times of ten.
    pub smallest: f64,
    /// Further new runs after which just this change would be decided, all else staying as it is; none where it is, or where no
    /// number up to [`MOST_RUNS`] would do.
    pub more_runs: Option<u64>,
    /// How many it takes where the change lies least well within its standard error; none where no number up to [`MOST_RUNS`] would
    /// do then.
    pub most_more_runs: Option<u64>,
    /// Standard error by the frames within the runs alone, on the comparison's scale; 0 where only whole runs say something.
    pub within: f64,
    /// What makes the interval as wide as it is.
    pub widest: Widest,
    /// How often a loss at least this large would be found where there is none.
    pub p: f64,
    /// The same of the confirming runs, where there are any and this was a loss before them.
    pub confirming: Option<f64>,
    /// Stretches of frames that got worse, whatever the whole did.
    pub grew: Vec<Stretch>,
    /// The run drifts: frames a second apart are still alike in how they differ from the baseline's.
    pub drifts: bool,
}

/// The part of comparisons that may lie beyond each end of the interval.
pub const SIDE: f64 = 0.01;

/// Further runs beyond which nobody is told to go on.
pub const MOST_RUNS: u64 = 100;

/// What makes an interval wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Widest {
    /// That equal runs lie apart.
    Runs,
    /// That the frames within a run vary, in stretches, by more than runs lie apart.
    Frames,
    /// That few runs say how far runs lie apart.
    Few,
}

impl Widest {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Frames => "frames",
            Self::Few => "few runs",
        }
    }
}

/// How a change is expressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// As a part of the baseline: 0.05 is 5 % more. For figures above zero that are larger than their noise floor.
    Ratio,
    /// In the metric's unit: for figures that may be zero or below, and for those so small that only the floor decides.
    Difference,
}

/// Frames in a row that got worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// The first frame, by its index on the path.
    pub first: u64,
    /// The last.
    pub last: u64,
    /// By how much, on the comparison's scale.
    pub change: f64,
}

/// A change past which an interval's end says no more than that there are too few runs: to eleven times the baseline.
const FAR: f64 = 10.0;

impl Evidence {
    /// Whether the interval ends so far from the change that its numbers would say nothing: there are too few runs or pairs.
    #[must_use]
    pub fn is_past_saying(&self) -> bool {
        self.scale == Scale::Ratio && self.high > FAR && 1.0 + self.high > 3.0 * (1.0 + self.change)
    }
}

impl Scale {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ratio => "ratio",
            Self::Difference => "difference",
        }
    }

    /// A value as the rule computes with it: logarithms make ratios into differences.
    pub(super) fn inner(self, value: f64) -> f64 {
        match self {
            Self::Ratio => value.ln(),
            Self::Difference => value,
        }
    }

    /// The value that [`Self::inner`] makes of it.
    pub(super) fn outer(self, value: f64) -> f64 {
        match self {
            Self::Ratio => value.exp(),
            Self::Difference => value,
        }
    }

    /// A difference of such values as a reader sees it.
    pub(super) fn shown(self, difference: f64) -> f64 {
        match self {
            Self::Ratio => difference.exp_m1(),
            Self::Difference => difference,
        }
    }
}
