//! Whether a log holds every frame. In: a stream's frame times and row times. Out: their quotient, and what it says.

use std::fmt;

use framecost_sample::Coverage;

use super::log::{Basis, Cells};

/// What the sum of a stream's frame times over its elapsed time says. The figure is the evidence.
#[derive(Clone, Debug, PartialEq)]
pub enum Sampling {
    /// About 1: every frame is there.
    EveryFrame {
        /// Sum over elapsed.
        ratio: f64,
    },
    /// Well below 1: frames are left out here and there, such as those never shown.
    Gaps {
        /// Sum over elapsed.
        ratio: f64,
    },
    /// Far below 1: the rows are samples. A percentile of them is none of the frames.
    Sampled {
        /// Sum over elapsed.
        ratio: f64,
    },
    /// Above 1: frame times overlap, as those of several streams in one do.
    Overlapping {
        /// Sum over elapsed.
        ratio: f64,
    },
    /// It cannot be told, for that reason.
    Untold(String),
}

/// Within so much of 1, every frame is there: rounding, and frames lost to the tool. Our own choice.
const NEAR: f64 = 0.1;
/// Below this share, rows are samples; a log that leaves out only what was never shown seldom comes here. Our own choice.
const SAMPLED: f64 = 0.3;

impl Sampling {
    /// Judges frame times `sum` over `elapsed`, both in one unit.
    #[must_use]
    pub fn of(sum: f64, elapsed: f64) -> Self {
        if elapsed <= 0.0 {
            return Self::Untold("no time passes from the first row to the last".into());
        }
        match sum / elapsed {
            ratio if ratio < SAMPLED => Self::Sampled { ratio },
            ratio if ratio < 1.0 - NEAR => Self::Gaps { ratio },
            ratio if ratio <= 1.0 + NEAR => Self::EveryFrame { ratio },
            ratio => Self::Overlapping { ratio },
        }
    }

    /// Judges a stream whose rows stand in the order of time. `nanos` are the nanoseconds of one unit of the time column and of
    /// the interval column.
    #[must_use]
    pub fn of_rows(times: &Cells, intervals: &Cells, basis: Basis, nanos: (f64, f64)) -> Self {
        let value = |cells: &Cells, row: usize| cells.get(row).and_then(super::Cell::value);
        let rows = times.len();
        let Some(last) = rows.checked_sub(1).filter(|last| *last > 0) else {
            return Self::Untold("fewer than two rows".into());
        };
        let (Some(first_time), Some(last_time)) = (value(times, 0), value(times, last)) else {
            return Self::Untold("the first or the last row has no time".into());
        };
        // The interval that leads to the first row, or away from the last, lies outside of the elapsed time.
        let inside = if basis.looks_back { 1..rows } else { 0..last };
        let sum: f64 = match intervals.plain().and_then(|values| values.get(inside.clone())) {
            Some(values) => values.iter().sum(),
            None => {
                let mut inside = inside.filter_map(|row| value(intervals, row)).peekable();
                if inside.peek().is_none() {
                    return Self::Untold("no row has a frame time".into());
                }
                inside.sum()
            }
        };
        Self::of(sum * nanos.1, (last_time - first_time) * nanos.0)
    }

    /// The sum of frame times over elapsed time, where it could be told.
    #[must_use]
    pub const fn ratio(&self) -> Option<f64> {
        match self {
            Self::EveryFrame { ratio }
            | Self::Gaps { ratio }
            | Self::Sampled { ratio }
            | Self::Overlapping { ratio } => Some(*ratio),
            Self::Untold(_) => None,
        }
    }

    /// Which of the run's frames the rows are.
    #[must_use]
    pub const fn coverage(&self) -> Coverage {
        match self {
            Self::EveryFrame { .. } => Coverage::EveryFrame,
            Self::Gaps { .. } => Coverage::Gaps,
            Self::Sampled { .. } => Coverage::Sampled,
            Self::Overlapping { .. } => Coverage::Overlapping,
            Self::Untold(_) => Coverage::Untold,
        }
    }

    /// A word for it, part of what makes two captures comparable.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.coverage().name()
    }
}

impl fmt::Display for Sampling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, self.ratio()) {
            (Self::Untold(why), _) => write!(f, "untold: {why}"),
            (_, Some(ratio)) => {
                write!(f, "{}: frame times add up to {ratio:.4} of the elapsed time", self.name())
            }
            (_, None) => f.write_str(self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quotient_tells_every_frame_from_samples() {
        let name = |sum: f64| Sampling::of(sum, 1000.0).name();
        assert_eq!([999.8, 68.0, 600.0, 2000.0].map(name), ["every frame", "sampled", "gaps", "overlapping"]);
        assert_eq!(Sampling::of(1.0, 0.0).name(), "untold");
        assert_eq!(
            Sampling::of(999.8, 1000.0).to_string(),
            "every frame: frame times add up to 0.9998 of the elapsed time"
        );
    }
}
