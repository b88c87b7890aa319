//! Which frames are whole. In: a ledger. Out: for each frame that lost a pass's stamps, the reason. The figures of such a
//! frame leave work out, so they would read as a faster frame: they are missing instead, for the reason of the lost pass.

use framecost_sample::{PassId, Reading, Reason};

use crate::account::{FrameLedger, Ledger};

/// What each frame lost.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    /// Whether any frame measured the pass, by pass.
    measured: Vec<bool>,
}

impl Losses {
    /// Reads the ledger of a capture with that many passes.
    pub(super) fn of(ledger: &Ledger, passes: usize) -> Self {
        let mut measured = vec![false; passes];
        for (id, reading) in ledger.frames.iter().flat_map(|frame| &frame.passes) {
            if let (Reading::Measured(_), Some(seen)) = (reading, measured.get_mut(usize::from(id.0))) {
                *seen = true;
            }
        }
        Self { measured }
    }

    /// Why the frame is not whole: the reason of the first pass that it lost and that other frames have. A pass that did
    /// not run is no loss. Nor is one that no frame has: leaving it out is the same quantity in each.
    pub(super) fn in_frame(&self, frame: &FrameLedger) -> Option<Reason> {
        self.lost(frame, |_| true)
    }

    /// As [`Self::in_frame`], among the passes from one up to another.
    pub(super) fn between(&self, frame: &FrameLedger, from: PassId, to: PassId) -> Option<Reason> {
        self.lost(frame, |id| from <= id && id <= to)
    }

    /// Whether no frame has the pass.
    pub(super) fn never(&self, pass: usize) -> bool {
        self.measured.get(pass).is_none_or(|measured| !measured)
    }

    fn lost(&self, frame: &FrameLedger, among: impl Fn(PassId) -> bool) -> Option<Reason> {
        frame.passes.iter().find_map(|(id, reading)| match reading {
            Reading::Missing(Reason::NotExecuted) | Reading::Measured(_) => None,
            Reading::Missing(reason) => {
                let counts = among(*id) && !self.never(usize::from(id.0));
                counts.then(|| reason.clone())
            }
        })
    }
}
