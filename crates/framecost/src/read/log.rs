//! What every reader gives: a file as typed columns by stream, with where each value comes from. In: nothing. Out: the types.
//!
//! A [`Log`] keeps values in the unit in which the file has them ([`Column::unit`] says which), so that no reader rounds; only
//! [`super::to_capture`] turns them into nanoseconds.

use std::collections::BTreeMap;
use std::fmt;

use framecost_sample::Reason;

use super::figure::LogFigure;
use super::format::Format;
use super::quantity::Quantity;
use super::quarantine::Quarantine;
use super::sampling::Sampling;
use crate::Finding;

/// A capture by another tool, read and typed.
#[derive(Clone, Debug, PartialEq)]
pub struct Log {
    /// The file's format.
    pub format: Format,
    /// Who wrote it, as far as it shows.
    pub producer: Producer,
    /// The file's columns in its order, then those that the reader derived.
    pub columns: Vec<Column>,
    /// The streams in the order in which they first appear. None is chosen: whoever asks for one names it.
    pub streams: Vec<Stream>,
    /// Figures of a whole run or zone, where the file holds such in place of frames; there are no streams then.
    pub figures: Vec<LogFigure>,
    /// Rows set aside as damaged.
    pub quarantine: Quarantine,
    /// What is odd, and what was inferred, with its evidence.
    pub findings: Vec<Finding>,
    /// What the file says of the machine and the run, in its own words: `gpu`, `cpu`, `driver`, `os`.
    pub facts: BTreeMap<String, String>,
    /// What a row is the frame of, and which columns say when and how long.
    pub basis: Basis,
}

/// The tool that wrote a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Producer {
    /// The tool's name.
    pub tool: String,
    /// Its version or a range of versions, `1.7 to 1.10`; files seldom say it, so it is mostly inferred.
    pub version: String,
    /// Producers of one class measure alike: figures of two classes are not compared. Also tells outputs of one tool apart.
    pub class: String,
    /// What the version was inferred from.
    pub evidence: String,
}

/// What the rows are and which columns carry their time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Basis {
    /// The column of each row's time, an index into [`Log::columns`]; none where rows have none.
    pub time: Option<usize>,
    /// The column of the frame times, an index into [`Log::columns`].
    pub interval: Option<usize>,
    /// Whether an interval looks back (from the row before to this one) or forward (from this row to the next).
    pub looks_back: bool,
}

/// A column of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name as the file spells it.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// The unit of its values.
    pub unit: FileUnit,
    /// When its values are missing.
    pub missing: Missing,
    /// The texts that its cells name by number; empty for a column of numbers.
    pub texts: Vec<String>,
    /// How its unit or its values came about, where that was inferred or derived.
    pub evidence: Option<String>,
}

/// Frame types that mean that the application drew the frame. `Unknown` is none of a generator.
pub(crate) const DRAWN: &[&str] = &["Application", "NotSet", "Repeated", "Unknown", "NA", ""];

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A quantity of the frame.
    Of(Quantity),
    /// When the frame was presented, of that clock.
    PresentTime(ClockKind),
    /// When the frame started on the CPU, of that clock.
    StartTime(ClockKind),
    /// Some other moment of the frame, of that clock.
    OtherTime(ClockKind),
    /// The application's name.
    Application,
    /// The process's number.
    Process,
    /// The swap chain's address.
    SwapChain,
    /// The graphics runtime.
    Runtime,
    /// Whether the present was never shown.
    Dropped,
    /// Who made the frame: the application, or a generator of frames.
    FrameType,
    /// How the frame reached the screen.
    PresentMode,
    /// Kept by its own name.
    Other,
}

/// What a column of times counts from, and in what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockKind {
    /// Since the capture began, or the tool's session.
    Session,
    /// The system's performance counter, from its own zero.
    Counter,
    /// Local wall clock, without a zone: from the midnight before the file's first row.
    Wall,
}

/// The unit of a file's column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
    /// Nanoseconds.
    Nanos,
    /// Ticks of a counter of so many a second; none where that cannot be told.
    Ticks(Option<f64>),
    /// A plain number.
    Count,
    /// A text: cells hold numbers of [`Column::texts`].
    Text,
    /// Not known.
    Unknown,
}

/// When a column's values are missing: the one place where a format says it, applied by the reader row by row. A dash is no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Texts that stand for a missing value, each with its meaning. Compared without blanks around them.
    pub texts: &'static [(&'static str, Gap)],
    /// What a zero stands for.
    pub zero: Zero,
    /// On rows of presents that were never shown there is no value, whatever the field says.
    pub unless_displayed: bool,
    /// On rows of generated frames there is no value, whatever the field says.
    pub unless_generated: bool,
    /// A zero on the first row of a stream means that there is none before it.
    pub needs_previous: bool,
}

/// What a zero in a column stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// Itself.
    Value,
    /// No value, for that reason.
    Gap(Gap),
    /// That gap where the row's GPU work was not seen, which shows in all of its GPU columns being 0.
    ByGpu {
        /// Where it was seen; none where the zero is then itself.
        seen: Option<Gap>,
        /// Where it was not.
        unseen: Gap,
    },
}

impl Missing {
    /// Every field holds a value.
    pub const NEVER: Self = Self {
        texts: &[],
        zero: Zero::Value,
        unless_displayed: false,
        unless_generated: false,
        needs_previous: false,
    };
}

/// Why a cell has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Gap {
    /// The tool wrote that it has none, or nothing.
    NotWritten = 1,
    /// The tool wrote what stands for "not known".
    Unknown = 2,
    /// The present was never shown.
    NotDisplayed = 3,
    /// A generated frame has no such value.
    Generated = 4,
    /// There was no input, so nothing to measure.
    NoInput = 5,
    /// There is no frame before.
    NoPrevious = 6,
    /// It does not apply to this row.
    NotApplicable = 7,
    /// The field is not what the column holds elsewhere. Only in columns without a role; in others the row is set aside.
    Unparsable = 8,
    /// The second moment lies before the first, and the tool writes 0 instead of a difference below.
    Before = 9,
}

impl Gap {
    /// Every gap.
    pub const ALL: [Self; 9] = [
        Self::NotWritten,
        Self::Unknown,
        Self::NotDisplayed,
        Self::Generated,
        Self::NoInput,
        Self::NoPrevious,
        Self::NotApplicable,
        Self::Unparsable,
        Self::Before,
    ];

    /// The gap in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotWritten => "not written",
            Self::Unknown => "unknown",
            Self::NotDisplayed => "not displayed",
            Self::Generated => "generated frame",
            Self::NoInput => "no input",
            Self::NoPrevious => "no frame before",
            Self::NotApplicable => "not applicable",
            Self::Unparsable => "unparsable",
            Self::Before => "end before start",
        }
    }

    /// The gap as a capture's reason; `line` and `column` are the cell's place, counted from 1.
    #[must_use]
    pub const fn reason(self, line: u64, column: u32) -> Reason {
        match self {
            Self::NotWritten | Self::NoPrevious => Reason::NotAvailable,
            Self::Unknown => Reason::Zero,
            Self::NotDisplayed => Reason::NotDisplayed,
            Self::Generated | Self::NoInput | Self::NotApplicable => Reason::NotExecuted,
            Self::Before => Reason::Reversed,
            Self::Unparsable => Reason::Unparsable { line, column },
        }
    }
}

/// One cell: a value in the column's unit, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// The value; finite. A zero is one where the column's rule says so.
    Value(f64),
    /// No value.
    Gap(Gap),
}

impl Cell {
    /// The value, if there is one.
    #[must_use]
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::Gap(_) => None,
        }
    }
}

/// A stream's cells of one column, by row: nine bytes each. Empty for a column that is not kept in full.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// The value, or 0 where the code says that there is none; not to be read without the code.
    pub(crate) values: Vec<f64>,
    /// 0 for a value, else a [`Gap`]'s number.
    pub(crate) codes: Vec<u8>,
}

impl Cells {
    /// The cell of a row; none past the end, or where the column was not kept.
    #[must_use]
    #[inline]
    pub fn get(&self, row: usize) -> Option<Cell> {
        let code = *self.codes.get(row)?;
        let gap = Gap::ALL.get(usize::from(code).wrapping_sub(1));
        Some(gap.map_or_else(|| Cell::Value(self.values[row]), |gap| Cell::Gap(*gap)))
    }

    /// Every cell, by row.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Cell> + '_ {
        let codes = self.codes.iter().zip(&self.values);
        codes.map(|(code, value)| {
            let gap = Gap::ALL.get(usize::from(*code).wrapping_sub(1));
            gap.map_or(Cell::Value(*value), |gap| Cell::Gap(*gap))
        })
    }

    /// Every cell's value, if all of them are values: what most of a log's columns are, and quickest to look through.
    pub(crate) fn plain(&self) -> Option<&[f64]> {
        (self.codes.iter().fold(0, |all, code| all | code) == 0).then_some(&self.values)
    }

    /// How many rows there are; 0 where the column was not kept.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether nothing was kept.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Adds a cell.
    #[inline]
    pub fn push(&mut self, cell: Cell) {
        match cell {
            Cell::Value(value) => {
                self.values.push(value);
                self.codes.push(0);
            }
            Cell::Gap(gap) => {
                self.values.push(0.0);
                self.codes.push(gap as u8);
            }
        }
    }

    /// Puts another cell in a row's place; nothing past the end.
    pub fn set(&mut self, row: usize, cell: Cell) {
        if let (Some(value), Some(code)) = (self.values.get_mut(row), self.codes.get_mut(row)) {
            (*value, *code) = match cell {
                Cell::Value(value) => (value, 0),
                Cell::Gap(gap) => (0.0, gap as u8),
            };
        }
    }
}

/// What a stream's cells of one column add up to, kept in full or not. A column of texts has counts alone, and none where it is not
/// kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tally {
    /// Cells with a value.
    pub values: u64,
    /// Values that are 0.
    pub zeros: u64,
    /// Cells without a value, by [`Gap`] in the order of [`Gap::ALL`].
    pub gaps: [u64; Gap::ALL.len()],
    /// The least value; none without values.
    pub least: Option<f64>,
    /// The greatest value; none without values.
    pub most: Option<f64>,
    /// The sum of the values, rounded as they come; files are cut alike however many threads read them, so it is always the same.
    pub sum: f64,
}

impl Tally {
    /// How many cells have no value for that reason.
    #[must_use]
    pub const fn gap(&self, gap: Gap) -> u64 {
        self.gaps[gap as usize - 1]
    }

    /// How many cells have no value.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.gaps.iter().sum()
    }
}

/// What makes rows one stream. Frames of two streams are never joined.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StreamId {
    /// The application's name, as the file has it.
    pub application: String,
    /// The process's number, where the file has one.
    pub process: Option<u64>,
    /// The swap chain's address, where the file has one; 0 is an ordinary one.
    pub swap_chain: Option<u64>,
}

impl fmt::Display for StreamId {
    /// `game.exe, process 9208, swap chain 0x259DAE0BCF0`, names escaped and cut.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.application.as_str() {
            "" => f.write_str("an application that is not named")?,
            name => f.write_str(&super::error::shown(name.as_bytes(), 80))?,
        }
        if let Some(process) = self.process {
            write!(f, ", process {process}")?;
        }
        if let Some(address) = self.swap_chain {
            write!(f, ", swap chain 0x{address:X}")?;
        }
        Ok(())
    }
}

/// The rows of one application, process and swap chain, in the order of their time.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// What makes it one.
    pub id: StreamId,
    /// The graphics runtime of its first row, as the file has it; none where it says nothing.
    pub runtime: Option<String>,
    /// Presents, application and generated frames, those never shown among them: counted apart.
    pub counts: StreamCounts,
    /// First and last time, in the unit of the log's time column; none without such a column.
    pub span: Option<(f64, f64)>,
    /// Whether the rows are every frame, as their frame times tell.
    pub sampling: Sampling,
    /// Cells by column, as [`Log::columns`] lists them.
    pub cells: Vec<Cells>,
    /// What the cells add up to, by column, kept in full or not.
    pub tallies: Vec<Tally>,
    /// The file's line of each row, counted from 1.
    pub lines: Vec<u32>,
    /// By row: whether the present was never shown.
    pub dropped: Vec<bool>,
    /// By row: whether the frame was generated, not drawn by the application.
    pub generated: Vec<bool>,
}

/// How many rows of each kind a stream has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamCounts {
    /// Rows: presents of any kind.
    pub presented: u64,
    /// Presents that were never shown.
    pub dropped: u64,
    /// Presents of which the file does not say whether they were shown.
    pub unsaid: u64,
    /// Frames made by a generator of frames.
    pub generated: u64,
    /// Generated frames that were shown.
    pub generated_displayed: u64,
}

impl StreamCounts {
    /// Presents that were shown.
    #[must_use]
    pub const fn displayed(&self) -> u64 {
        self.presented - self.dropped - self.unsaid
    }

    /// Frames that the application drew.
    #[must_use]
    pub const fn application(&self) -> u64 {
        self.presented - self.generated
    }
}

impl FileUnit {
    /// Nanoseconds of one such unit; none where it is no time, or ticks whose frequency is not known.
    #[must_use]
    pub fn nanos(self) -> Option<f64> {
        match self {
            Self::Seconds => Some(1e9),
            Self::Millis => Some(1e6),
            Self::Micros => Some(1e3),
            Self::Nanos => Some(1.0),
            Self::Ticks(frequency) => frequency.map(|frequency| 1e9 / frequency),
            Self::Count | Self::Text | Self::Unknown => None,
        }
    }

    /// Its name in listings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::Millis => "ms",
            Self::Micros => "us",
            Self::Nanos => "ns",
            Self::Ticks(_) => "ticks",
            Self::Count => "count",
            Self::Text => "text",
            Self::Unknown => "unknown",
        }
    }
}

impl Log {
    /// The first column that has that role, with its place.
    #[must_use]
    pub fn column(&self, role: Role) -> Option<(usize, &Column)> {
        self.columns.iter().enumerate().find(|(_, column)| column.role == role)
    }

    /// The column of that quantity, with its place.
    #[must_use]
    pub fn quantity(&self, quantity: Quantity) -> Option<(usize, &Column)> {
        self.column(Role::Of(quantity))
    }

    /// Rows of all streams, without those set aside.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.streams.iter().map(|stream| stream.counts.presented).sum()
    }

    /// The stream of that id.
    #[must_use]
    pub fn stream(&self, id: &StreamId) -> Option<&Stream> {
        self.streams.iter().find(|stream| stream.id == *id)
    }
}

impl Stream {
    /// The cell of a row and column; none where the column was not kept.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> Option<Cell> {
        self.cells.get(column)?.get(row)
    }

    /// How many rows there are.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.lines.len()
    }
}
