//! From a merged part to a log's columns and streams. In: the one part of a whole file. Out: streams in the order of time, what
//! their cells add up to, and the refusal of files with too much damage.

use super::layout::Layout;
use super::part::{DROPPED, GENERATED, Part, StreamRows, Sum, UNSAID, is_text, most_streams};
use crate::Finding;
use crate::read::log::{Cell, Cells, Column, FileUnit, Gap, Stream, StreamCounts, StreamId, Tally};
use crate::read::quarantine::{Damage, Quarantine};
use crate::read::sampling::Sampling;
use crate::read::{Options, ReadError};

/// A table, read to the end.
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) streams: Vec<Stream>,
    pub(crate) quarantine: Quarantine,
    pub(crate) findings: Vec<Finding>,
}

/// Puts a file's rows in order. `first_line` is the line of the file on which the rows begin.
///
/// # Errors
/// An over-long line, more damage than is set aside, no row at all.
pub(crate) fn assemble(
    layout: &Layout,
    part: Part,
    first_line: u64,
    options: &Options,
) -> Result<Table, ReadError> {
    // Lines are counted from the file's beginning, as if the lines before the rows had been a part of their own.
    let part = Part { lines: first_line - 1, ..Part::default() }.then(part);
    if let Some(line) = part.long_line {
        return Err(ReadError::LongLine { line });
    }
    refuse_damage(layout, &part, options)?;
    if part.rows == 0 {
        return Err(ReadError::Empty(format!(
            "no row follows the header, which ends on line {}",
            first_line - 1
        )));
    }
    let Part { streams, texts, quarantine, notes, .. } = part;
    let columns = layout.columns.iter().zip(texts).map(|(plan, texts)| {
        let texts = if is_text(plan.kind) { texts.list } else { Vec::new() };
        Column { texts, ..plan.column.clone() }
    });
    let columns: Vec<Column> = columns.collect();
    let findings = notes.into_iter().map(|(line, note)| Finding {
        place: format!("line {line}"),
        cause: format!("the tool noted: {note}"),
        remedy: "see whether frames were lost, and capture again if so".into(),
        times: 1,
    });
    let findings = findings.collect();
    let streams = streams.into_iter().map(|rows| table_stream(layout, &columns, rows)).collect();
    Ok(Table { columns, streams, quarantine, findings })
}

fn refuse_damage(layout: &Layout, part: &Part, options: &Options) -> Result<(), ReadError> {
    let set_aside = part.quarantine.total();
    #[expect(clippy::cast_precision_loss, reason = "a share of rows")]
    let most = (part.rows as f64 * options.most_damaged).max(Options::FEW_DAMAGED);
    #[expect(clippy::cast_precision_loss, reason = "a number of rows")]
    let too_many = set_aside as f64 > most || (set_aside > 0 && set_aside == part.rows);
    if !too_many {
        return Ok(());
    }
    let count = |damage: Damage| part.quarantine.counts.get(&damage).copied().unwrap_or(0);
    let longer = part.quarantine.rows.iter().find(|row| row.damage == Damage::TooManyFields);
    if layout.separator == b','
        && count(Damage::TooManyFields) * 2 > set_aside
        && let Some(row) = longer
    {
        let fields = row.found.split(' ').next().and_then(|fields| fields.parse().ok()).unwrap_or_default();
        return Err(ReadError::DecimalComma { line: row.line, fields, columns: layout.columns.len() });
    }
    if count(Damage::TooManyStreams) * 2 > set_aside {
        let most = most_streams(layout.columns.len());
        return Err(ReadError::TooMany(format!("more than {most} streams; allowed: {most}")));
    }
    let first = part.quarantine.rows.iter().take(3).cloned().collect();
    Err(ReadError::Damaged { rows: set_aside, of: part.rows, first })
}

/// The stream of one part's rows, whose sums are its tallies.
fn table_stream(layout: &Layout, columns: &[Column], rows: StreamRows) -> Stream {
    let StreamRows { id, runtime, cells, sums, lines, flags, .. } = rows;
    let rows = Rows { id, runtime, cells, lines, flags };
    stream_of(columns, layout.basis.time, rows, |place| {
        (!is_text(layout.columns[place].kind)).then(|| sums[place].into())
    })
}

/// A stream's rows in any order, as every reader hands them over.
pub(crate) struct Rows {
    pub(crate) id: StreamId,
    pub(crate) runtime: Option<String>,
    /// By column of the log; empty where a column is not kept.
    pub(crate) cells: Vec<Cells>,
    /// The file's line of each row, or its place in a list, counted from 1.
    pub(crate) lines: Vec<u32>,
    /// [`DROPPED`], [`GENERATED`] and [`UNSAID`] by row.
    pub(crate) flags: Vec<u8>,
}

/// Puts a stream's rows in the order of its time column, applies the rules that need that order, counts and adds up.
pub(crate) fn stream(columns: &[Column], time: Option<usize>, rows: Rows) -> Stream {
    stream_of(columns, time, rows, |_| None)
}

/// The same, with the tallies by column that the cells as they were read have, where they are known.
fn stream_of(
    columns: &[Column],
    time: Option<usize>,
    mut rows: Rows,
    known: impl Fn(usize) -> Option<Tally>,
) -> Stream {
    if let Some(order) = time.and_then(|time| order_of(rows.cells.get(time)?)) {
        for cells in &mut rows.cells {
            let (values, codes) = (reordered(&cells.values, &order), reordered(&cells.codes, &order));
            *cells = Cells { values, codes };
        }
        rows.lines = reordered(&rows.lines, &order);
        rows.flags = reordered(&rows.flags, &order);
    }
    let changed = columns
        .iter()
        .zip(&mut rows.cells)
        .map(|(column, cells)| column.missing.needs_previous && without_previous(cells));
    let changed: Vec<bool> = changed.collect();
    let cells = columns.iter().zip(&rows.cells).zip(changed).enumerate();
    let tallies = cells.map(|(place, ((column, cells), changed))| match known(place) {
        Some(known) if !changed => known,
        _ => tally(column, cells),
    });
    let flagged = |flags: u8| rows.flags.iter().filter(|it| **it & flags == flags).count() as u64;
    let generated = flagged(GENERATED);
    let counts = StreamCounts {
        presented: rows.lines.len() as u64,
        dropped: flagged(DROPPED),
        unsaid: flagged(UNSAID),
        generated,
        generated_displayed: generated - flagged(DROPPED | GENERATED) - flagged(UNSAID | GENERATED),
    };
    Stream {
        span: time.and_then(|time| span(rows.cells.get(time)?)),
        counts,
        sampling: Sampling::Untold(String::new()),
        dropped: rows.flags.iter().map(|flags| flags & DROPPED != 0).collect(),
        generated: rows.flags.iter().map(|flags| flags & GENERATED != 0).collect(),
        tallies: tallies.collect(),
        id: rows.id,
        runtime: rows.runtime,
        cells: rows.cells,
        lines: rows.lines,
    }
}

/// What a column's cells add up to; numbers of texts add up to nothing.
fn tally(column: &Column, cells: &Cells) -> Tally {
    if column.unit != FileUnit::Text {
        return Tally::of(cells);
    }
    let values = cells.codes.iter().filter(|code| **code == 0).count() as u64;
    Tally { values, zeros: 0, least: None, most: None, sum: 0.0, ..Tally::of(cells) }
}

/// The rows by time, those without one last and equal ones as they stood; none where they stand so already.
fn order_of(times: &Cells) -> Option<Vec<u32>> {
    let time = |row: usize| if times.codes[row] == 0 { times.values[row] } else { f64::INFINITY };
    if times.plain().is_some_and(<[f64]>::is_sorted) {
        return None;
    }
    let rows = times.len();
    if (1..rows).all(|row| time(row - 1) <= time(row)) {
        return None;
    }
    let mut order: Vec<u32> = (0..u32::try_from(rows).unwrap_or(u32::MAX)).collect();
    order.sort_by(|a, b| time(*a as usize).total_cmp(&time(*b as usize)));
    Some(order)
}

fn reordered<T: Copy>(list: &[T], order: &[u32]) -> Vec<T> {
    // A column that is not kept has no rows to put in order.
    order.iter().filter_map(|row| list.get(*row as usize).copied()).collect()
}

/// The first value of a stream, where it is 0, was written for want of a frame before. Whether it is.
fn without_previous(cells: &mut Cells) -> bool {
    let first = cells.codes.iter().position(|code| *code == 0).filter(|first| cells.values[*first] == 0.0);
    if let Some(first) = first {
        cells.set(first, Cell::Gap(Gap::NoPrevious));
    }
    first.is_some()
}

/// The first and the last time of rows in order.
pub(crate) fn span(times: &Cells) -> Option<(f64, f64)> {
    let first = times.iter().find_map(Cell::value)?;
    let last = (0..times.len()).rev().find_map(|row| times.get(row)?.value())?;
    Some((first, last))
}

impl Tally {
    /// What these cells add up to.
    #[must_use]
    pub fn of(cells: &Cells) -> Self {
        let mut sum = Sum::NONE;
        sum.add(&cells.values, &cells.codes);
        sum.into()
    }
}

impl From<Sum> for Tally {
    fn from(sum: Sum) -> Self {
        let Sum { values, zeros, gaps, least, most, sum } = sum;
        let some = |value: f64| (values > 0).then_some(value);
        Self { values, zeros, gaps, least: some(least), most: some(most), sum }
    }
}
