//! Why a file is not read. In: any reader. Out: one sentence that names the place, what stands there and what is allowed.

use std::fmt;

use framecost_sample::CaptureError;

use super::quarantine::SetAside;
use crate::{counted, inert};

/// Why a file, or a stream of it, is refused. What the file says is escaped and cut in the texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// Nothing but blanks, or a header without rows.
    Empty(String),
    /// The bytes are no text in an encoding that is read.
    Encoding(String),
    /// A line past [`super::MOST_LINE`] bytes.
    LongLine {
        /// The line, counted from 1.
        line: u64,
    },
    /// No format's marks are in the file's beginning.
    Unrecognised {
        /// How the file begins.
        begins: String,
        /// What each format would have been known by.
        looked_for: Vec<String>,
    },
    /// Columns without which the format says nothing.
    MissingColumns {
        /// The format, with its version where that matters.
        format: String,
        /// What is missing; alternatives are joined by `or`.
        missing: Vec<String>,
        /// The columns that are there.
        present: Vec<String>,
    },
    /// Decimal commas in a file whose fields are separated by commas.
    DecimalComma {
        /// The first such line.
        line: u64,
        /// Its number of fields.
        fields: usize,
        /// The header's number of fields.
        columns: usize,
    },
    /// More damaged rows than are set aside.
    Damaged {
        /// Rows set aside.
        rows: u64,
        /// Rows of the file.
        of: u64,
        /// The first of them.
        first: Vec<SetAside>,
    },
    /// The text is no whole document of its format, or is broken off where that matters.
    Malformed(String),
    /// More of something than is read: streams, columns.
    TooMany(String),
    /// The file's own figures contradict each other, or do not decide what a column holds.
    Undecided(String),
    /// The stream that was asked for is none of the file's, or none was and there are several.
    Stream(String),
    /// What was read makes no capture.
    Capture(CaptureError),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty(text)
            | Self::Encoding(text)
            | Self::TooMany(text)
            | Self::Malformed(text)
            | Self::Undecided(text)
            | Self::Stream(text) => f.write_str(text),
            Self::LongLine { line } => {
                write!(f, "line {line} is longer than {} bytes; allowed: lines up to there", super::MOST_LINE)
            }
            Self::Unrecognised { begins, looked_for } => {
                write!(f, "the file begins with `{begins}`, which no known format does; looked for: ")?;
                f.write_str(&looked_for.join("; "))
            }
            Self::MissingColumns { format, missing, present } => {
                let plural = if missing.len() == 1 { "" } else { "s" };
                write!(
                    f,
                    "{format}: column{plural} {} missing; the header has {}",
                    missing.join(", "),
                    present.join(", ")
                )
            }
            Self::DecimalComma { line, fields, columns } => write!(
                f,
                "line {line} has {fields} fields where the header has {columns}: it seems that numbers have a decimal comma, which \
                 cannot be told from the comma between fields; allowed: decimal points, or `;` between fields"
            ),
            Self::Damaged { rows, of, first } => {
                let total = counted(*of, "row");
                write!(f, "{rows} of {total} are damaged, more than are set aside; the first: ")?;
                let first: Vec<String> = first.iter().map(ToString::to_string).collect();
                f.write_str(&first.join("; "))
            }
            Self::Capture(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ReadError {}

impl From<CaptureError> for ReadError {
    fn from(error: CaptureError) -> Self {
        Self::Capture(error)
    }
}

/// A file's text as messages show it: inert, cut after so many characters, bytes that are no UTF-8 replaced.
pub(crate) fn shown(bytes: &[u8], most: usize) -> String {
    // Four bytes hold any character, so this much is enough for `most` of them.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(most * 4)]);
    let mut out = inert(&text.chars().take(most).collect::<String>());
    if text.chars().nth(most).is_some() || bytes.len() > most * 4 {
        out.push_str("...");
    }
    out
}
