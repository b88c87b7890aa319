//! The analysis of what a rendered frame costs: pure functions from a capture to a report.
//!
//! ```text
//!  Capture -> account::account -> Ledger -> stats::summarize -> Summaries -> judge::judge -> Judgement -> report::Report -> text
//! ```
//!
//! Nothing here opens a file, reads a clock or prints: the same capture gives the same report, byte for byte.

#![forbid(unsafe_code)]

pub mod account;
mod finding;
pub mod judge;
pub mod report;
pub mod stats;

use framecost_sample::Capture;

pub use finding::{Finding, Findings};

/// A capture with all that is known of it before anything judges it.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// The run as recorded.
    pub capture: Capture,
    /// What each moment of it belongs to.
    pub ledger: account::Ledger,
    /// How much each figure was.
    pub summaries: stats::Summaries,
}

impl Analysis {
    /// The analysis of a capture that was accounted already.
    #[must_use]
    pub fn new(capture: Capture, ledger: account::Ledger) -> Self {
        let summaries = stats::summarize(&capture, &ledger);
        Self { capture, ledger, summaries }
    }
}

/// Accounts and summarises a capture: all that is known of it before anything judges it.
#[must_use]
pub fn analyse(capture: &Capture, floor: &account::Floor) -> Analysis {
    Analysis::new(capture.clone(), account::account(capture, floor))
}
