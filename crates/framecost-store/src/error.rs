//! What can go wrong with a folder: one error type for the crate, always with the path.

use framecost::inert;
use framecost_sample::is_moment;
use std::io;
use std::path::{Path, PathBuf};

/// Why a capture or baseline could not be read, written or removed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The operating system refused.
    #[error("cannot {doing} `{}`", show(path))]
    Io {
        /// What was tried, such as `read`.
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's word.
        source: io::Error,
    },
    /// Nothing is there.
    #[error("`{}` does not exist", show(path))]
    Missing {
        /// The file or folder that was looked for.
        path: PathBuf,
    },
    /// Something is there, but not what it should be.
    #[error("`{}`: {fault}", show(path))]
    Corrupt {
        /// The file or folder at fault.
        path: PathBuf,
        /// The place in it, the value, and what is allowed.
        fault: String,
    },
    /// The request itself cannot be met, such as a baseline of unlike captures.
    #[error("{0}")]
    Refused(String),
}

/// A fault inside a file whose path the caller adds.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) String);

impl Fault {
    pub(crate) fn at(self, path: &Path) -> StoreError {
        StoreError::Corrupt { path: path.into(), fault: self.0 }
    }
}

/// That a moment of a file beside the baselines is one, where it has one.
pub(crate) fn check_moment(measured_at: Option<&str>) -> Result<(), Fault> {
    match measured_at.filter(|text| !is_moment(text)) {
        Some(text) => {
            Err(Fault(format!("measured_at is {}; allowed: RFC 3339 in UTC, or null", quote(text))))
        }
        None => Ok(()),
    }
}

impl<T: Into<String>> From<T> for Fault {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl StoreError {
    /// For `map_err` after a system call.
    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { path: path.into() },
            _ => Self::Io { doing, path: path.into(), source },
        }
    }
}

/// A path in which control characters are escaped: names come from other people's archives.
pub(crate) fn show(path: &Path) -> String {
    inert(&path.to_string_lossy())
}

/// A value out of a file, cut and escaped for an error text.
pub(crate) fn quote(value: &str) -> String {
    let cut: String = value.chars().take(80).collect();
    format!("`{}`", inert(&cut))
}
