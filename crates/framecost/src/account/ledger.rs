//! The ledger: what each moment of the GPU's timeline belongs to, frame by frame, in integer ticks of one clock.

use framecost_sample::{Clock, PassId, Reading, Reason, Ticks};

use crate::Finding;
use crate::account::Floor;

/// The accounts of a whole capture under one rule.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    /// The rule for where a frame's own time begins.
    pub floor: Floor,
    /// The clock whose ticks all figures are; none where the capture has no clock, and then no figure is measured.
    pub clock: Option<Clock>,
    /// One entry per measured frame, in the capture's order.
    pub frames: Vec<FrameLedger>,
    /// What was odd on the way.
    pub findings: Vec<Finding>,
}

/// One frame's accounts.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameLedger {
    /// The frame's index on the path.
    pub frame: u64,
    /// The frame as a whole; missing where no pass of it has two valid stamps, or the counter was set back inside it.
    pub account: Reading<FrameAccount>,
    /// The passes that the capture has stamps of in this frame, ascending; [`FrameLedger::pass`] answers for every pass.
    /// Only these, since a capture may name 65,536 passes and millions of frames with few stamps.
    pub passes: Vec<(PassId, Reading<PassAccount>)>,
    /// The gates in the capture's order, none for a frame without stamps; [`FrameLedger::gate`] answers for every gate.
    pub gates: Vec<Reading<GateAccount>>,
}

impl FrameLedger {
    /// The account of a pass; one that the capture has no stamps of in this frame did not run in it.
    #[must_use]
    pub fn pass(&self, id: PassId) -> Reading<PassAccount> {
        match self.passes.binary_search_by_key(&id, |entry| entry.0) {
            Ok(index) => self.passes[index].1.clone(),
            Err(_) => Reading::Missing(Reason::NotExecuted),
        }
    }

    /// The account of the gate at `index` of the capture's list.
    #[must_use]
    pub fn gate(&self, index: usize) -> Reading<GateAccount> {
        self.gates.get(index).cloned().unwrap_or(Reading::Missing(Reason::NotExecuted))
    }
}

/// Where a frame's time went. `owned = busy + untimed + waits` and `pass_sum = busy + hidden + overlap`, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameAccount {
    /// From the frame's earliest start to its latest end, past the floor; the sum of the submissions' spans where they
    /// share no timeline.
    pub owned: Ticks,
    /// Union of the submissions' spans inside `owned`.
    pub gpu_total: Ticks,
    /// Union of the passes inside `owned`.
    pub busy: Ticks,
    /// `gpu_total - busy`.
    pub untimed: Ticks,
    /// `owned - gpu_total`; missing where several submissions share no timeline.
    pub waits: Reading<Ticks>,
    /// Union of the passes before the floor; missing where submissions share no timeline.
    pub hidden: Reading<Ticks>,
    /// `pass_sum` less the union of the passes.
    pub overlap: Ticks,
    /// Sum of the passes' durations. Never a frame time.
    pub pass_sum: Ticks,
}

/// What a pass took, in four readings, none of which is "the" cost. Several runs of a pass in a frame add up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassAccount {
    /// End less start.
    pub duration: Ticks,
    /// What of it lies past the floor; all of it where there is none.
    pub exposed: Ticks,
    /// Time in which no other pass of the frame ran.
    pub alone: Ticks,
    /// Its share of the union; all passes' shares add up to the union exactly.
    pub attributed: Ticks,
}

/// A gate in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateAccount {
    /// From the opening pass's start to the latest end among its passes.
    pub time: Ticks,
    /// Union of the frame's passes inside it; of its own submission's where they share no timeline.
    pub covered: Ticks,
    /// Union of the frame's passes before it opened, with the same limit.
    pub before: Ticks,
}
