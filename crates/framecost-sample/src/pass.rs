//! Passes, queues and gates: what a stamp belongs to, and what moments its two ticks are.

use crate::ClockId;

/// Which of a capture's passes: an index into its list, handed out by name and never written as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PassId(pub u16);

/// Which of a capture's queues: an index into its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QueueId(pub u8);

/// A named stretch of GPU work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassDef {
    /// Unique in the capture; the pass keeps it across runs.
    pub name: String,
    /// What its stamps are.
    pub semantics: Semantics,
}

/// A queue that submissions go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    /// Such as `main` or `async compute`.
    pub name: String,
    /// The clock that its stamps are read from.
    pub clock: ClockId,
}

/// A named span: from one pass's start to the latest end among the passes from it up to another, in the capture's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GateDef {
    /// Unique in the capture.
    pub name: String,
    /// The pass whose start stamp opens it.
    pub from: PassId,
    /// The last pass, in the capture's order, whose end may close it.
    pub to: PassId,
}

/// Which two moments a pass's stamps are. Figures of different semantics are different quantities and are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Semantics {
    /// Start: the pass's first command was taken up. End: all its work was done. Shows overlap.
    TopBottom,
    /// Start: all earlier work was done. End: all the pass's work was done. Hides overlap; waits go to the next pass.
    BottomBottom,
    /// As [`Self::BottomBottom`], the start stamp in a command buffer of its own before the pass's.
    OwnBufferBottom,
    /// Start of the first to end of the last of the stages that the pass uses, as tiling GPUs sample.
    StageBoundary,
    /// Between the ends of two marker passes that order with the work between them.
    Marker,
    /// On the host's clock, around work that the host waits for.
    Host,
    /// Another tool's stamps, of which it does not say what they are.
    Unstated,
}

impl Semantics {
    /// Every kind, for readers and documentation.
    pub const ALL: [Self; 7] = [
        Self::TopBottom,
        Self::BottomBottom,
        Self::OwnBufferBottom,
        Self::StageBoundary,
        Self::Marker,
        Self::Host,
        Self::Unstated,
    ];

    /// Its name in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TopBottom => "top-bottom",
            Self::BottomBottom => "bottom-bottom",
            Self::OwnBufferBottom => "own-buffer-bottom",
            Self::StageBoundary => "stage-boundary",
            Self::Marker => "marker",
            Self::Host => "host",
            Self::Unstated => "unstated",
        }
    }

    /// The kind of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|semantics| semantics.name() == name)
    }
}
