//! Accounting: which pass and frame each moment of the GPU's timeline belongs to.
//! In: a `Capture` and a rule. Out: a [`Ledger`] with its findings.

mod ledger;

pub use ledger::{FrameAccount, FrameLedger, GateAccount, Ledger, PassAccount};

/// Where a frame's own time begins: what an earlier frame still owned before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Floor {
    /// At the latest end of any pass of an earlier frame, if the frame before was captured.
    #[default]
    LastPass,
    /// At the frame's own earliest start: moments may be counted in two frames.
    None,
    /// At the latest end of this pass in the frame before, if that was captured.
    Pass(String),
}
