//! How one file that is a table is read. In: its beginning. Out: a plan that reads its parts on any thread, and makes the log of
//! them.

use std::collections::BTreeMap;

use super::format::{self, Format, Head, Start};
use super::log::{Log, Producer};
use super::sampling::Sampling;
use super::table::{self, Layout, Part};
use super::text::Encoding;
use super::{Options, ReadError, odd};
use crate::Finding;

/// What a format says of a table before its rows are read.
#[derive(Debug)]
pub(crate) struct TablePlan {
    /// Where the rows begin: [`Head::start`] of the head that holds the table's header.
    pub(crate) start: Start,
    pub(crate) layout: Layout,
    pub(crate) producer: Producer,
    pub(crate) facts: BTreeMap<String, String>,
    pub(crate) findings: Vec<Finding>,
    /// What only the format knows to do with the rows once they are all there: infer units, derive columns. Sampling and odd
    /// values are looked at after it, alike for all.
    pub(crate) finish: fn(&mut Log) -> Result<(), ReadError>,
}

/// The plan for one file.
#[derive(Debug)]
pub struct Plan {
    format: Format,
    table: TablePlan,
    options: Options,
}

impl Plan {
    /// Plans the reading of a table from its decoded text, or from its first [`super::HEAD_BYTES`] at least, header included.
    ///
    /// # Errors
    /// The format is not told, is no table, or the header lacks a column without which it says nothing.
    pub fn new(text: &[u8], encoding: Encoding, options: &Options) -> Result<Self, ReadError> {
        let head = Head::of(text, encoding)?;
        let format = match options.format {
            Some(format) => format,
            None => format::detect(&head)?,
        };
        let Some(plan) = format.table() else {
            return Err(ReadError::Undecided(format!("{format} is read as a whole, not in parts")));
        };
        let mut table = plan(&head)?;
        table.layout.keep(&options.keep);
        Ok(Self { format, table, options: options.clone() })
    }

    /// The file's format.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The byte of the text at which its rows begin.
    #[must_use]
    pub const fn body(&self) -> usize {
        self.table.start.body
    }

    /// Reads some whole lines of rows. Pure: on any thread, in any order.
    #[must_use]
    pub fn part(&self, lines: &[u8]) -> Part {
        table::read_part(&self.table.layout, lines)
    }

    /// Reads the whole lines that follow those of a part, into it: what [`Part::then`] makes of both, without the copy.
    pub fn read_on(&self, part: &mut Part, lines: &[u8]) {
        table::read_on(&self.table.layout, part, lines);
    }

    /// The log of all parts, merged in the order of the file.
    ///
    /// # Errors
    /// No row, too much damage, an over-long line, figures that contradict each other.
    pub fn finish(self, part: Part) -> Result<Log, ReadError> {
        let read = table::assemble(&self.table.layout, part, self.table.start.first_line, &self.options)?;
        let mut findings = self.table.findings;
        findings.extend(read.findings);
        let mut log = Log {
            format: self.format,
            producer: self.table.producer,
            columns: read.columns,
            streams: read.streams,
            figures: Vec::new(),
            quarantine: read.quarantine,
            findings,
            facts: self.table.facts,
            basis: self.table.layout.basis,
        };
        (self.table.finish)(&mut log)?;
        judge(&mut log);
        Ok(log)
    }
}

/// The last step of every reader, table or not: whether the rows are every frame, and what is odd about their values. Units are
/// settled before.
pub(crate) fn judge(log: &mut Log) {
    judge_sampling(log);
    odd::look(log);
}

/// The same for formats whose rows are samples by nature, however near their frame times come to the elapsed time.
pub(crate) fn judge_samples(log: &mut Log) {
    judge_sampling(log);
    for stream in &mut log.streams {
        stream.sampling = match (stream.sampling.ratio(), &stream.sampling) {
            (Some(ratio), _) => Sampling::Sampled { ratio },
            (None, Sampling::Untold(why)) => Sampling::Untold(format!("samples taken by a timer: {why}")),
            (None, other) => other.clone(),
        };
    }
    odd::look(log);
}

fn judge_sampling(log: &mut Log) {
    let nanos = |place: Option<usize>| place.and_then(|place| log.columns.get(place)?.unit.nanos());
    let units = nanos(log.basis.time).zip(nanos(log.basis.interval));
    let basis = log.basis;
    // A format that can tell by other means than row times and frame times has done so.
    let untold = Sampling::Untold(String::new());
    for stream in log.streams.iter_mut().filter(|stream| stream.sampling == untold) {
        stream.sampling = match (basis.time, basis.interval, units) {
            (Some(time), Some(interval), Some(units)) => {
                Sampling::of_rows(&stream.cells[time], &stream.cells[interval], basis, units)
            }
            (Some(_), Some(_), None) => Sampling::Untold("the unit of the row times is not known".into()),
            _ => Sampling::Untold("rows have no time or no frame time".into()),
        };
    }
}
