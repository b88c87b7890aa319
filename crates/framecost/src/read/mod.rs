//! Captures by other tools, read strictly. In: a file's bytes. Out: a [`Log`]: typed columns by stream, with every inference and
//! everything odd said; and from a stream of it a `Capture` like any other.
//!
//! ```text
//!  bytes -> decode -> detect -> Plan -> Part ... Part -> Log -> to_capture -> Capture
//! ```
//!
//! - [`read()`] does all of it for bytes in memory. A file too large for that is cut with [`whole_lines`] into parts, which are read
//!   by [`Plan::part`] on any threads and merged in order by [`Part::then`]; however many threads there are, the log is the same
//!   where the cuts are (see [`PART_BYTES`]).
//! - To add a format: a line in the table of `format.rs` and a file (or folder) beside it. A format that is a table of lines gives
//!   a `table::Layout` and has the engine do the rest; any other gives a function from text to [`Log`], with what such
//!   readers share from `document.rs`. Columns of tables are one table of `table::known`; a file that holds figures of a run or a
//!   zone and no frames is a table of `figure.rs`.
//! - Compressed files are undone by the caller.
//!
//! ```
//! use framecost::read::{CaptureOptions, Options, Quantity, read, to_capture};
//!
//! let text = "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,MsBetweenPresents\n\
//!             game.exe,42,0xAB,DXGI,0,1.000,16.0\n\
//!             game.exe,42,0xAB,DXGI,0,1.016,16.0\n";
//! let log = read(text.as_bytes(), &Options::default())?;
//! let stream = log.choose(None)?;
//! let (column, _) = log.quantity(Quantity::PresentedInterval).expect("the header has it");
//! assert_eq!(stream.cell(0, column).and_then(|cell| cell.value()), Some(16.0));
//! let capture = to_capture(&log, stream, &CaptureOptions::default())?;
//! assert_eq!(capture.metrics[0].name, "presented_interval");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod afterburner;
mod capframex_csv;
mod capframex_json;
mod capture;
mod chrome_trace;
mod document;
mod error;
mod facts;
mod figure;
mod format;
mod frameview;
mod fraps;
mod gfxinfo;
mod jump;
mod log;
mod mangohud;
mod metal_hud;
mod number;
mod ocat;
mod odd;
mod plan;
mod presentmon;
mod quantity;
mod quarantine;
mod sampling;
mod table;
mod text;
mod tracy;

pub use capture::{CaptureOptions, to_capture};
pub use error::ReadError;
pub use figure::LogFigure;
pub use format::Format;
pub use log::{
    Basis, Cell, Cells, ClockKind, Column, FileUnit, Gap, Log, Missing, Producer, Role, Stream, StreamCounts,
    StreamId, Tally, Zero,
};
pub use plan::Plan;
pub use quantity::Quantity;
pub use quarantine::{Damage, Quarantine, Salvaged, SetAside};
pub use sampling::Sampling;
pub use table::Part;
pub use text::{Encoding, MOST_LINE, decode, whole_lines};

/// Bytes from which [`detect`] tells a format; more are not looked at.
pub const HEAD_BYTES: usize = 1 << 16;
/// Where a file is cut into parts, in bytes: every reader cuts alike, so that rounded sums come out alike.
pub const PART_BYTES: usize = 1 << 22;
/// Streams of one file that are told apart, fewer in a table of more than 64 columns; rows of further ones are set aside.
pub const MOST_STREAMS: usize = 4096;
/// Columns that a header may have.
pub const MOST_COLUMNS: usize = 1024;

/// Figures that a file without frames may have.
pub const MOST_FIGURES: usize = 1 << 16;

/// How a file is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The format; none to tell it from the file's beginning.
    pub format: Option<Format>,
    /// Which cells are kept in full.
    pub keep: Keep,
    /// The share of rows that may be damaged, from 0 to 1; a few may always be.
    pub most_damaged: f64,
}

/// Which quantities' cells are kept by row. All columns are checked and added up either way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Every column.
    All,
    /// These quantities, and what the reader itself needs: row times, frame times, where they matter the animation errors; with line
    /// and state about 33 bytes a row, so that a summary of a file needs less memory than a fifth of it.
    Only(Vec<Quantity>),
}

impl Options {
    /// Damaged rows that a file may have whatever their share.
    pub const FEW_DAMAGED: f64 = 5.0;
}

impl Default for Options {
    fn default() -> Self {
        Self { format: None, keep: Keep::All, most_damaged: 0.01 }
    }
}

/// The format of a file that begins with these bytes (its first [`HEAD_BYTES`], or all of it).
///
/// # Errors
/// No format's marks are there, with a list of what was looked for; or the bytes are no text.
pub fn detect(head: &[u8]) -> Result<Format, ReadError> {
    let head = &head[..head.len().min(HEAD_BYTES)];
    // A cut through a character of UTF-16 is no fault of the file.
    let head = if head.len() == HEAD_BYTES { &head[..head.len() - text::cut_off(head)] } else { head };
    let (text, encoding) = decode(head)?;
    format::detect(&format::Head::of(&text, encoding)?)
}

/// Reads a whole file.
///
/// # Errors
/// Whatever makes the file unreadable, with its place; a few damaged rows do not, they are set aside.
pub fn read(bytes: &[u8], options: &Options) -> Result<Log, ReadError> {
    let (text, encoding) = decode(bytes)?;
    let head = format::Head::of(&text, encoding)?;
    let format = match options.format {
        Some(format) => format,
        None => format::detect(&head)?,
    };
    if let Some(whole) = format.whole() {
        return whole(&text, options);
    }
    let plan = Plan::new(&text, encoding, options)?;
    let mut rest = &text[plan.body()..];
    let mut read = Part::default();
    while !rest.is_empty() {
        let (lines, after) = rest.split_at(whole_lines(rest, PART_BYTES));
        plan.read_on(&mut read, lines);
        rest = after;
    }
    plan.finish(read)
}
