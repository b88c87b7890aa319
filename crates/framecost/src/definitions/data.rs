//! What definitions are computed from. In: the times of a stream's frames as a source recorded them. Out: the usable ones in
//! order and sorted, with a count of those that were left out and why.

use framecost_sample::{Reading, Reason};

/// Nanoseconds in a second.
pub(super) const SECOND: f64 = 1e9;
/// Nanoseconds in a millisecond.
pub(super) const MILLI: f64 = 1e6;

/// Times outside are no frame's: above, whole nanoseconds are no longer exact (104 days); below, light has not left the pixel.
/// Within, no sum of squares of times or of rates leaves the range of a double.
const SHORTEST: f64 = 1e-3;
const LONGEST: f64 = 9_007_199_254_740_992.0;

/// What the times of a log are, which decides what may be computed of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Basis {
    /// Whether every frame is in the log.
    pub log: Log,
    /// Between which moments the times lie.
    pub intervals: Intervals,
}

/// Whether every frame is in a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Log {
    /// Every frame: the times add up to the time that passed.
    PerFrame,
    /// Some frames, met at instants: long ones more often than they occur, and most of the tail not at all.
    Sampled,
}

/// Between which moments the times of frames lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intervals {
    /// From present call to present call, shown or not.
    Presented,
    /// From one change of the screen to the next.
    Displayed,
}

impl Log {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PerFrame => "per-frame",
            Self::Sampled => "sampled",
        }
    }
}

impl Intervals {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Presented => "presented",
            Self::Displayed => "displayed",
        }
    }
}

/// The frames of one stream, in the order in which they were presented. All values are nanoseconds. Slices of one stream have
/// a value per frame; one that the log does not have is empty.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    /// What the times are.
    pub basis: Basis,
    /// From each frame to the next.
    pub times: &'a [Reading<f64>],
    /// From each change of the screen to the next; missing for frames that were never shown.
    pub displayed: &'a [Reading<f64>],
    /// How far the step of what is shown missed the step of when it is shown; signed.
    pub animation_errors: &'a [Reading<f64>],
    /// Time in which the GPU worked for the frame.
    pub gpu_busy: &'a [Reading<f64>],
    /// Time from the frame's first GPU work to its last.
    pub gpu_time: &'a [Reading<f64>],
}

impl<'a> Stream<'a> {
    /// A stream of which nothing but the frames' times is known.
    #[must_use]
    pub const fn of_times(basis: Basis, times: &'a [Reading<f64>]) -> Self {
        Self { basis, times, displayed: &[], animation_errors: &[], gpu_busy: &[], gpu_time: &[] }
    }
}

/// Frames that no definition counts, by why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Without a time.
    pub missing: u64,
    /// Of a time of exactly zero: what tools write for a generated frame, or for a time that they do not know.
    pub zero: u64,
    /// Of a time that no frame can have: negative, endless, past 104 days, under a thousandth of a nanosecond.
    pub impossible: u64,
}

impl LeftOut {
    /// All of them.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.missing + self.zero + self.impossible
    }

    /// The time, if a frame can have it.
    fn sort_out(&mut self, reading: &Reading<f64>) -> Option<f64> {
        match reading.measured() {
            None if reading.missing() == Some(&Reason::Zero) => self.zero += 1,
            None => self.missing += 1,
            Some(time) if (SHORTEST..=LONGEST).contains(time) => return Some(*time),
            Some(time) if *time == 0.0 => self.zero += 1,
            Some(_) => self.impossible += 1,
        }
        None
    }
}

/// The usable times of a stream, in nanoseconds, and what follows from them for several definitions.
#[derive(Clone, Debug)]
pub(super) struct Data {
    pub(super) basis: Basis,
    pub(super) left_out: LeftOut,
    /// In order, with the gaps that frames left out make: across one, nobody follows anybody.
    pub(super) with_gaps: Vec<Option<f64>>,
    /// In order.
    pub(super) times: Vec<f64>,
    /// From the shortest to the longest.
    pub(super) sorted: Vec<f64>,
    /// The frames' rates in frames per second, from the lowest to the highest.
    pub(super) rates: Vec<f64>,
    /// The sum of the times.
    pub(super) total: f64,
    /// Usable displayed intervals.
    pub(super) displayed: Vec<f64>,
    /// Finite animation errors, each with its frame's time.
    pub(super) errors: Vec<(f64, f64)>,
    /// Busy time, GPU time and frame time of frames that have all three.
    pub(super) gpu: Vec<[f64; 3]>,
}

impl Data {
    pub(super) fn of(stream: &Stream<'_>) -> Self {
        let mut left_out = LeftOut::default();
        let with_gaps: Vec<Option<f64>> = stream.times.iter().map(|it| left_out.sort_out(it)).collect();
        let times: Vec<f64> = with_gaps.iter().copied().flatten().collect();
        let mut sorted = times.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let displayed = match stream.basis.intervals {
            Intervals::Displayed if stream.displayed.is_empty() => times.clone(),
            _ => usable(stream.displayed).flatten().collect(),
        };
        let errors = stream.animation_errors.iter().zip(&with_gaps);
        let error = |(error, time): (&Reading<f64>, &Option<f64>)| {
            let error = *error.measured().filter(|error| error.abs() <= LONGEST)?;
            Some((error, (*time)?))
        };
        let gpu = stream.gpu_busy.iter().zip(usable(stream.gpu_time)).zip(&with_gaps);
        let all = |((busy, gpu), time): ((&Reading<f64>, Option<f64>), &Option<f64>)| {
            // A frame may keep the GPU busy for no time at all.
            let busy = *busy.measured().filter(|busy| (0.0..=LONGEST).contains(*busy))?;
            Some([busy, gpu?, (*time)?])
        };
        Self {
            basis: stream.basis,
            left_out,
            total: times.iter().sum(),
            rates: sorted.iter().rev().map(|time| SECOND / time).collect(),
            displayed,
            errors: errors.filter_map(error).collect(),
            gpu: gpu.filter_map(all).collect(),
            with_gaps,
            times,
            sorted,
        }
    }

    /// How many usable frames.
    pub(super) const fn n(&self) -> u64 {
        self.times.len() as u64
    }

    /// The same as a number to compute with.
    pub(super) fn count(&self) -> f64 {
        number(self.times.len())
    }
}

fn usable(readings: &[Reading<f64>]) -> impl Iterator<Item = Option<f64>> {
    let mut nobody_counts = LeftOut::default();
    readings.iter().map(move |it| nobody_counts.sort_out(it))
}

/// A number of frames to compute with.
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
pub(super) const fn number(count: usize) -> f64 {
    count as f64
}
