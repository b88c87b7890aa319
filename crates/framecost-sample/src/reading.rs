//! A value that was measured, or the reason why it is missing. Nothing stands in for a missing value.

use std::fmt;
use std::sync::Arc;

/// What a source has to say about one value: the value, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reading<T> {
    /// It was measured.
    Measured(T),
    /// It was not; the reason goes with it to the last report.
    Missing(Reason),
}

/// Why a value is missing. A closed list: a new reason is a decision, not a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// The adapter, the driver or the source cannot measure this at all.
    Unsupported,
    /// The pass did not run in this frame, so nothing was written.
    NotExecuted,
    /// Nobody asked for stamps in this run, whether the pass ran or not.
    NotStamped,
    /// It was written, but could not be read by the deadline.
    NotAvailable,
    /// The end lies before the start, beyond what a wrap of the counter explains.
    Reversed,
    /// The stamp is zero where a tick was due: drivers write zero for what they did not sample.
    Zero,
    /// The stamp is of an earlier use of its slot.
    Stale,
    /// The stamp was written, but a test on known work showed that it leaves work out.
    Unreliable,
    /// The counter was set back between the two stamps.
    CounterReset,
    /// Start and end fell on the same step of a coarse clock.
    BelowResolution,
    /// Every slot of the ring was busy, so the frame went unmeasured.
    Dropped,
    /// The frame asked for more queries than the device or the budget grants.
    Exhausted,
    /// The readback buffer could not be mapped.
    MapFailed,
    /// The device was lost before the value came back.
    DeviceLost,
    /// The source was asked and refused, in these words.
    SourceRefused(Arc<str>),
    /// The frame was never shown.
    NotDisplayed,
    /// A field of a file that does not hold what its column promises. Lines and columns count from 1.
    Unparsable {
        /// Line of the file.
        line: u64,
        /// Column (field) of that line.
        column: u32,
    },
}

/// The reasons without particulars.
const PLAIN: [Reason; 15] = [
    Reason::Unsupported,
    Reason::NotExecuted,
    Reason::NotStamped,
    Reason::NotAvailable,
    Reason::Reversed,
    Reason::Zero,
    Reason::Stale,
    Reason::Unreliable,
    Reason::CounterReset,
    Reason::BelowResolution,
    Reason::Dropped,
    Reason::Exhausted,
    Reason::MapFailed,
    Reason::DeviceLost,
    Reason::NotDisplayed,
];

impl Reason {
    /// The reason's name in files, without its particulars.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unsupported => "unsupported",
            Self::NotExecuted => "not executed",
            Self::NotStamped => "not stamped",
            Self::NotAvailable => "not available",
            Self::Reversed => "reversed",
            Self::Zero => "zero",
            Self::Stale => "stale",
            Self::Unreliable => "unreliable",
            Self::CounterReset => "counter reset",
            Self::BelowResolution => "below resolution",
            Self::Dropped => "dropped",
            Self::Exhausted => "exhausted",
            Self::MapFailed => "map failed",
            Self::DeviceLost => "device lost",
            Self::SourceRefused(_) => "source refused",
            Self::NotDisplayed => "not displayed",
            Self::Unparsable { .. } => "unparsable",
        }
    }

    /// The reason that [`fmt::Display`] wrote as `text`, particulars included.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        if let Some(plain) = PLAIN.iter().find(|reason| reason.code() == text) {
            return Some(plain.clone());
        }
        if let Some(message) = text.strip_prefix("source refused: ") {
            return Some(Self::SourceRefused(message.into()));
        }
        let place = text.strip_prefix("unparsable: line ")?;
        let (line, column) = place.split_once(", column ")?;
        Some(Self::Unparsable { line: line.parse().ok()?, column: column.parse().ok()? })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SourceRefused(message) => write!(f, "source refused: {message}"),
            Self::Unparsable { line, column } => write!(f, "unparsable: line {line}, column {column}"),
            plain => f.write_str(plain.code()),
        }
    }
}

impl<T> Reading<T> {
    /// The value, if it was measured.
    #[must_use]
    pub const fn measured(&self) -> Option<&T> {
        match self {
            Self::Measured(value) => Some(value),
            Self::Missing(_) => None,
        }
    }

    /// The reason, if the value is missing.
    #[must_use]
    pub const fn missing(&self) -> Option<&Reason> {
        match self {
            Self::Measured(_) => None,
            Self::Missing(reason) => Some(reason),
        }
    }

    /// The same reading of something computed from the value; a reason stays as it is.
    #[must_use]
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Reading<U> {
        match self {
            Self::Measured(value) => Reading::Measured(f(value)),
            Self::Missing(reason) => Reading::Missing(reason),
        }
    }

    /// A reading that borrows this one's value.
    #[must_use]
    pub fn as_ref(&self) -> Reading<&T> {
        match self {
            Self::Measured(value) => Reading::Measured(value),
            Self::Missing(reason) => Reading::Missing(reason.clone()),
        }
    }

    /// Both values, or the first reason met.
    #[must_use]
    pub fn zip<U>(self, other: Reading<U>) -> Reading<(T, U)> {
        match (self, other) {
            (Self::Measured(a), Reading::Measured(b)) => Reading::Measured((a, b)),
            (Self::Missing(reason), _) | (_, Reading::Missing(reason)) => Reading::Missing(reason),
        }
    }

    /// The value, or the reason as an error: for `?` in functions that return a `Result<_, Reason>`.
    ///
    /// # Errors
    /// The reason why the value is missing.
    pub fn ok(self) -> Result<T, Reason> {
        match self {
            Self::Measured(value) => Ok(value),
            Self::Missing(reason) => Err(reason),
        }
    }
}

impl<T> From<Result<T, Reason>> for Reading<T> {
    fn from(result: Result<T, Reason>) -> Self {
        match result {
            Ok(value) => Self::Measured(value),
            Err(reason) => Self::Missing(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_lists_each_reason() {
        let format = include_str!("../../../docs/format.md");
        let refused = Reason::SourceRefused("WORDS".into()).to_string();
        let codes =
            PLAIN.iter().map(Reason::to_string).chain([refused, "unparsable: line L, column C".into()]);
        let lacking: Vec<String> = codes.filter(|code| !format.contains(&format!("| `{code}` | "))).collect();
        assert!(lacking.is_empty(), "docs/format.md has no row for {}", lacking.join(", "));
    }

    #[test]
    fn a_reason_survives_its_text() {
        let reasons = [
            Reason::NotExecuted,
            Reason::CounterReset,
            Reason::SourceRefused("needs: admin, or a group".into()),
            Reason::Unparsable { line: 12, column: 3 },
        ];
        for reason in reasons {
            assert_eq!(Reason::from_text(&reason.to_string()), Some(reason));
        }
        assert_eq!(Reason::from_text("because"), None);
    }

    #[test]
    fn zip_keeps_the_first_reason() {
        let both = Reading::<u8>::Missing(Reason::Zero).zip(Reading::<u8>::Missing(Reason::Stale));
        assert_eq!(both, Reading::Missing(Reason::Zero));
    }
}
