//! The analysis of what a rendered frame costs: pure functions from a capture to a report.
//!
//! ```text
//!  Capture -> account::account -> Ledger -> stats::summarize -> Summaries -> judge::judge -> Judgement -> report::Report -> text
//! ```
//!
//! Nothing here opens a file, reads a clock or prints: the same capture gives the same report, byte for byte.
//!
//! From a capture to a report, held against a budget:
//!
//! ```
//! use framecost::account::Floor;
//! use framecost::judge::{Across, Config, Outcome, judge};
//! use framecost::report::{Report, Style, text};
//!
//! # use framecost_sample::*;
//! # let at = |us: u64| Reading::Measured(Ticks(us * 1000));
//! # let frame = |frame: u64| Stamp {
//! #     frame, submission: 0, queue: QueueId(0), pass: PassId(0), start: at(frame * 16_000), end: at(frame * 16_000 + 6_500),
//! # };
//! # let capture = Capture::new(CaptureParts {
//! #     key: Key {
//! #         benchmark: "doc".into(), scene: "orrery".into(), switches: Switches::default(), adapter: "Some GPU".into(),
//! #         adapter_class: AdapterClass::Discrete, backend: "vulkan".into(), size: Some(Size { width: 2560, height: 1440 }),
//! #         settings_hash: String::new(), instrumentation: Instrumentation("stamps".into()), frames_in_flight: Some(2),
//! #     },
//! #     environment: Environment::default(), producer: "doc".into(), started_at: None,
//! #     clocks: vec![Clock {
//! #         name: "gpu".into(), period: Period::NANOSECOND, valid_bits: ValidBits::ALL, step: Reading::Measured(Ticks(32)),
//! #         sharing: Sharing::AcrossSubmissions { promise: "calibrated timestamps".into() },
//! #     }],
//! #     queues: vec![Queue { name: "main".into(), clock: ClockId(0) }],
//! #     passes: vec![PassDef { name: "lit".into(), semantics: Semantics::TopBottom }],
//! #     gates: vec![], metrics: vec![], samples: vec![], figures: vec![], remarks: vec![],
//! #     defaults: framecost_sample::Switches::default(),
//! #     counts: Counts { start_up: 1, warm_up: 10, calibration: 0, measured: 60, dropped: 0 },
//! #     frames: (0..60).collect(),
//! #     stamps: (0..60).map(frame).collect(),
//! # })?;
//! // `capture` comes from a file, or from the program that measured.
//! let run = framecost::analyse(&capture, &Floor::LastPass);
//! let config = Config::from_toml(
//!     r#"
//!     [[budget]]
//!     name = "whole frame"
//!     of = "gpu_total"
//!     scene = "orrery"
//!     size = "2560x1440"
//!     statistic = "median"
//!     limit = "6 ms"
//!     adapter = "any"
//!     "#,
//! )?;
//! let judgement = judge(&[run.clone()], &[], &config, Across::NOTHING);
//! assert_eq!(judgement.outcome(), Outcome::Regressed);
//!
//! let report = text(&Report::new(&run, None, Some(&judgement)), &Style::PLAIN);
//! assert!(report.starts_with("REGRESSED"));
//! assert!(report.contains("budget whole frame: gpu_total median"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod account;
pub mod definitions;
mod finding;
pub mod history;
mod inert;
pub mod judge;
mod natural;
mod nearest;
mod pairing;
mod plural;
pub mod read;
pub mod report;
pub mod stats;

use framecost_sample::{Capture, Logged, Reason, Stamp};

pub use finding::{Finding, Findings};
pub use inert::inert;
pub use pairing::{NotPaired, PairList, pairs_of};
pub use plural::{counted, some_of};

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
        let mut summaries = stats::summarize(&capture, &ledger);
        summaries.define(definitions::of_log(&capture));
        Self { capture, ledger, summaries }
    }

    /// Whether it is of a log that another tool wrote while somebody played.
    #[must_use]
    pub fn is_log(&self) -> bool {
        Logged::of(&self.capture.environment).is_some()
    }

    /// Whether nobody asked for stamps on passes in this run: that it has none is then nothing lost.
    #[must_use]
    pub fn is_unstamped(&self) -> bool {
        let unstamped = |stamp: &Stamp| stamp.start.missing() == Some(&Reason::NotStamped);
        let stamps = &self.capture.stamps;
        !stamps.is_empty() && stamps.iter().all(unstamped)
    }
}

/// Accounts and summarises a capture: all that is known of it before anything judges it.
#[must_use]
pub fn analyse(capture: &Capture, floor: &account::Floor) -> Analysis {
    Analysis::new(capture.clone(), account::account(capture, floor))
}
