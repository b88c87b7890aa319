//! The exit codes that scripts rely on, and which error gives which.

use std::process::ExitCode;

use anyhow::Error;
use framecost::account::FloorError;
use framecost::judge::{ConfigError, Outcome};
use framecost::report::trace::TraceError;
use framecost_harness::RunError;
use framecost_store::StoreError;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It did what was asked; what was judged passes.
    Passed = 0,
    /// A figure is past its limit, or a picture differs that must not.
    Regressed = 1,
    /// The arguments or `framecost.toml` ask for what cannot be.
    WrongUse = 2,
    /// Something could not be measured, is missing, damaged or undecided.
    NotMeasured = 3,
}

/// A request that no run could meet: bad arguments that clap cannot know of.
#[derive(Debug)]
pub(crate) struct WrongUse(pub(crate) String);

impl std::fmt::Display for WrongUse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUse {}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl From<Outcome> for Exit {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => Self::Passed,
            Outcome::Regressed => Self::Regressed,
            Outcome::NotMeasured => Self::NotMeasured,
        }
    }
}

/// The exit code of an error: wrong use where the person asked for what cannot be, else not measured.
pub(crate) fn of_error(error: &Error) -> Exit {
    let wrong = error.chain().any(|cause| {
        cause.is::<WrongUse>()
            || cause.is::<ConfigError>()
            || cause.is::<FloorError>()
            || matches!(cause.downcast_ref(), Some(TraceError::NoFrame { .. } | TraceError::TooMany { .. }))
            || matches!(cause.downcast_ref(), Some(StoreError::Refused(_)))
            || matches!(cause.downcast_ref(), Some(RunError::Plan(_)))
    });
    if wrong { Exit::WrongUse } else { Exit::NotMeasured }
}
