//! Traces: runs as timelines that a viewer shows, every measured pass in its place. In: analyses. Out: a [`Trace`] of plain
//! data, then a file for `chrome://tracing` or Perfetto.
//!
//! ```text
//!  capture, ledger --build--> frames, submissions, passes in nanoseconds --lanes--> tracks --chrome|perfetto--> bytes
//! ```
//!
//! What the ledger has no value of is not drawn: there is no slice of a missing pass and no point of a missing sample.

mod build;
mod chrome;
mod lanes;
mod perfetto;
mod proto;

use std::sync::Arc;

use framecost_sample::Unit;

pub use chrome::chrome;
pub use perfetto::perfetto;

/// Runs side by side, each from its own first moment on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// The runs, each a process of its own in a viewer.
    pub runs: Vec<RunTrace>,
}

/// One run. Texts in it are one line each, and hold no character that acts.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTrace {
    /// Scene, size, switches that were asked for, and adapter.
    pub name: String,
    /// What to know of the whole: what the stamps are, the floor, whether timelines were put one behind the other.
    pub notes: Vec<String>,
    /// The frames' own time, then each queue's lanes. No two slices of a track overlap, unless one is a submission and the
    /// other a pass of it.
    pub tracks: Vec<Track>,
    /// The metrics that were sampled per frame.
    pub counters: Vec<Counter>,
    /// Of the frames asked for, how many stand in the trace.
    pub frames: u64,
    /// And how many do not, since no run of a pass in them has two valid stamps.
    pub frames_without_place: u64,
    /// Runs of passes drawn.
    pub passes: u64,
    /// Runs of passes that are not drawn though they were executed, since their pass has no account in the frame.
    pub passes_missing: u64,
}

/// A row of a viewer.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// `frames`, or the queue's name, with a lane's number from the second on.
    pub name: String,
    /// Its slices by start, an outer one before what lies in it.
    pub slices: Vec<Slice>,
}

/// A stretch of time with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The pass's name, `submission N`, or `frame N`.
    pub name: Arc<str>,
    /// What it is of.
    pub kind: SliceKind,
    /// Whether it lies in the last slice before it that does not: a pass in its submission.
    pub inside: bool,
    /// Nanoseconds from the run's first moment, rounded.
    pub start: u64,
    /// The same of its end; never before the start.
    pub end: u64,
    /// What else is known of it; times in nanoseconds, with full precision.
    pub args: Vec<(&'static str, Arg)>,
}

/// What a slice is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceKind {
    /// A frame's own time.
    Frame,
    /// From a submission's earliest start to its latest end.
    Submission,
    /// A run of a pass.
    Pass,
}

impl SliceKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Frame, Self::Submission, Self::Pass];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Submission => "submission",
            Self::Pass => "pass",
        }
    }
}

/// A value beside a slice.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A time in nanoseconds.
    Nanos(f64),
    /// A number of something, or an index.
    Whole(u64),
    /// A text; `missing: REASON` where a value is missing.
    Text(Arc<str>),
}

/// A metric over the frames that measured it.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// The metric's name.
    pub name: String,
    /// What it is.
    pub about: String,
    /// The unit of its values.
    pub unit: Unit,
    /// Nanoseconds from the run's first moment at which a frame begins, and the frame's value.
    pub points: Vec<(u64, f64)>,
}

/// Why there is no trace.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TraceError {
    /// None of the frames asked for was measured.
    #[error("frames {from}..{to}: none of them was measured; {}", measured(*.range))]
    NoFrame {
        /// The first frame asked for.
        from: u64,
        /// One past the last.
        to: u64,
        /// The first and last frame that were measured.
        range: Option<(u64, u64)>,
    },
    /// No run of any pass has two valid stamps.
    #[error(
        "no pass has two valid stamps in any of the {frames} frames asked for, so that nothing has a place in time"
    )]
    NoPlace {
        /// How many frames were asked for.
        frames: u64,
    },
    /// The frames lie further apart than a trace can say.
    #[error(
        "frame {frame} ends {nanos:.0} ns after the first moment; allowed: {} ns (26 days), as far as viewers tell nanoseconds \
         apart; choose frames that lie closer together",
        RunTrace::MOST_NANOS
    )]
    TooLong {
        /// The frame.
        frame: u64,
        /// Nanoseconds from the first moment to its end.
        nanos: f64,
    },
    /// More events than a viewer opens.
    #[error(
        "the trace would hold {events} slices and samples; allowed: {}; choose fewer frames",
        RunTrace::MOST_EVENTS
    )]
    TooMany {
        /// Slices and samples.
        events: u64,
    },
}

fn measured(range: Option<(u64, u64)>) -> String {
    match range {
        Some((first, last)) => format!("the capture has frames {first} to {last}"),
        None => "the capture has no frame".into(),
    }
}
