//! What of a figure a row compares: one of its statistics, or a part of its tail that takes a baseline to name.

use std::fmt;

use crate::stats::Statistic;

/// What of a figure is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// A statistic over all frames.
    Of(Statistic),
    /// The median change over the frames that are heaviest in the baseline, one in twenty of all.
    HeavyFrames,
    /// Frames that took more than twice what the same frame takes in the baseline: how many of them a run has.
    Hitches,
}

impl Measure {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Of(statistic) => statistic.name(),
            Self::HeavyFrames => "heavy_frames",
            Self::Hitches => "hitches",
        }
    }
}

impl From<Statistic> for Measure {
    fn from(statistic: Statistic) -> Self {
        Self::Of(statistic)
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
