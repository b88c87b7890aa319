//! Damaged rows, set aside and counted, never silently dropped. In: rows that do not hold what their columns promise. Out:
//! the first ones in full, a number for each reason, and the frame times that could still be told.

use std::collections::BTreeMap;
use std::fmt;

use super::log::{Log, StreamId, Tally};
use super::table::span;

/// Why a row was set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Damage {
    /// Fewer fields than columns.
    TooFewFields,
    /// More fields than columns.
    TooManyFields,
    /// A comma in the application's name moved all that follows; the row makes sense once it is moved back.
    CommaInName,
    /// A field is not what its column holds.
    Unparsable,
    /// Every field is what its column holds, and yet the row is no frame.
    NoFrame,
    /// A stream past [`super::MOST_STREAMS`].
    TooManyStreams,
}

impl Damage {
    /// The damage in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::TooFewFields => "too few fields",
            Self::TooManyFields => "too many fields",
            Self::CommaInName => "a comma in the application's name",
            Self::Unparsable => "a field that is not what its column holds",
            Self::NoFrame => "a row that is no frame",
            Self::TooManyStreams => "a stream past the most that are read",
        }
    }
}

/// A row that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// Its line, counted from 1.
    pub line: u64,
    /// The column at fault, counted from 1; none where the whole row is.
    pub column: Option<u32>,
    /// Why.
    pub damage: Damage,
    /// What stands there and what is allowed, escaped and cut.
    pub found: String,
}

/// A frame time of a row that was set aside for another field.
#[derive(Clone, Debug, PartialEq)]
pub struct Salvaged {
    /// The row's line, counted from 1.
    pub line: u64,
    /// The stream that the row names.
    pub stream: StreamId,
    /// The frame time, in the unit of the log's interval column.
    pub frame_time: f64,
}

/// The rows set aside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quarantine {
    /// The first ones, in the order of their lines, at most [`Quarantine::MOST`].
    pub rows: Vec<SetAside>,
    /// How many there are of each damage.
    pub counts: BTreeMap<Damage, u64>,
    /// Frame times that could be told all the same, for figures with the damaged rows; at most [`Quarantine::MOST_SALVAGED`].
    pub salvaged: Vec<Salvaged>,
}

impl Quarantine {
    /// Rows told in full.
    pub const MOST: usize = 100;
    /// Frame times kept.
    pub const MOST_SALVAGED: usize = 1 << 16;

    /// How many rows were set aside.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Takes a row in; `found` is asked for only where the row is told in full.
    pub(crate) fn add(
        &mut self,
        line: u64,
        column: Option<u32>,
        damage: Damage,
        found: impl FnOnce() -> String,
    ) {
        *self.counts.entry(damage).or_default() += 1;
        if self.rows.len() < Self::MOST {
            self.rows.push(SetAside { line, column, damage, found: found() });
        }
    }

    /// Keeps a frame time of the row that was added last.
    pub(crate) fn salvage(&mut self, line: u64, stream: StreamId, frame_time: f64) {
        if self.salvaged.len() < Self::MOST_SALVAGED {
            self.salvaged.push(Salvaged { line, stream, frame_time });
        }
    }

    /// Adds what a later part of the file set aside, whose lines are counted from after `lines` of this one's.
    pub(crate) fn append(&mut self, later: Self, lines: u64) {
        let room = Self::MOST - self.rows.len();
        self.rows
            .extend(later.rows.into_iter().take(room).map(|row| SetAside { line: row.line + lines, ..row }));
        for (damage, count) in later.counts {
            *self.counts.entry(damage).or_default() += count;
        }
        let room = Self::MOST_SALVAGED - self.salvaged.len();
        let moved = later.salvaged.into_iter().take(room);
        self.salvaged.extend(moved.map(|it| Salvaged { line: it.line + lines, ..it }));
    }
}

impl Log {
    /// Sets aside a row that only the whole file shows to be none of a frame. Its columns must have been kept in full, so that what
    /// they add up to can be told anew; and its format says of every present whether it was shown, or of none.
    pub(crate) fn set_aside(&mut self, stream: usize, row: usize, found: String) {
        let Some(stream) = self.streams.get_mut(stream).filter(|stream| row < stream.lines.len()) else {
            return;
        };
        let line = u64::from(stream.lines.remove(row));
        for (cells, tally) in stream.cells.iter_mut().zip(&mut stream.tallies) {
            if row < cells.codes.len() {
                cells.values.remove(row);
                cells.codes.remove(row);
                *tally = Tally::of(cells);
            }
        }
        let (dropped, generated) = (stream.dropped.remove(row), stream.generated.remove(row));
        let unsaid = stream.counts.unsaid == stream.counts.presented;
        stream.counts.presented -= 1;
        stream.counts.dropped -= u64::from(dropped);
        stream.counts.unsaid -= u64::from(unsaid);
        stream.counts.generated -= u64::from(generated);
        stream.counts.generated_displayed -= u64::from(generated && !dropped && !unsaid);
        stream.span = stream.span.and_then(|_| span(stream.cells.get(self.basis.time?)?));
        self.quarantine.add(line, None, Damage::NoFrame, || found);
    }
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        write!(f, ": {}", self.found)
    }
}
