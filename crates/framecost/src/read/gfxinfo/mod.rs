//! Android's frame statistics: the text of one or several `dumpsys gfxinfo PACKAGE framestats`. In: the text, whatever else stands
//! in it. Out: a stream per window.
//!
//! A dump has a block of rows per window between two marks; the system keeps about the last 120 frames, so that dumps overlap
//! (a frame is known by its intended vsync and counted once) or leave frames out between them. Rows with flags are none that count,
//! says the platform. No fixed limit makes a frame late: it depends on the display's rate (firebase #3386), and the file's own
//! deadlines are taken.

mod columns;
mod dump;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use columns::DERIVED;
use dump::{Dumps, Frame, Window};

use super::document::{self, lines};
use super::format::{Format, Head};
use super::log::{Basis, Cell, Cells, Column, FileUnit, Gap, Log, Missing, Producer, Role, StreamId};
use super::quantity::Quantity;
use super::table::assemble::{Rows, stream};
use super::table::part::UNSAID;
use super::{Options, ReadError, plan};
use crate::{Finding, counted};

pub(super) fn matches(head: &Head<'_>) -> bool {
    memchr::memmem::find(head.text, dump::MARK).is_some()
}

pub(super) fn read(text: &[u8], options: &Options) -> Result<Log, ReadError> {
    let mut dumps = Dumps::default();
    for next in lines(text) {
        let (line, bytes) = next?;
        dumps.line(line, bytes)?;
    }
    let mut findings = Vec::new();
    if dumps.end() {
        findings.push(finding(
            "file",
            "it ends inside a block of frames".into(),
            "see whether the file is whole",
            1,
        ));
    }
    document::refuse_damage(&dumps.quarantine, dumps.rows, options)?;
    let producer = producer(&dumps.names);
    let (columns, derived) = with_derived(&dumps);
    let mut streams = Vec::new();
    for (id, window) in dumps.windows {
        look(&id, &window, &derived, &mut findings);
        let rows = rows(id, window, &columns, &derived);
        if !rows.lines.is_empty() {
            streams.push(stream(&columns, Some(derived.vsync), rows));
        }
    }
    if streams.is_empty() {
        return Err(ReadError::Empty("the dumps hold no frame without flags".into()));
    }
    let mut log = Log {
        figures: Vec::new(),
        format: Format::Gfxinfo,
        producer,
        basis: Basis { time: Some(derived.vsync), interval: Some(derived.interval), looks_back: true },
        columns,
        streams,
        quarantine: dumps.quarantine,
        findings,
        facts: BTreeMap::new(),
    };
    plan::judge(&mut log);
    document::keep(&mut log, &options.keep);
    Ok(log)
}

/// Where the derived columns are, and the places of the columns that each is the difference of.
struct DerivedPlaces {
    vsync: usize,
    interval: usize,
    /// The column, its later and its earlier moment.
    differences: Vec<(usize, usize, usize)>,
    margin: Option<(usize, usize)>,
}

fn with_derived(dumps: &Dumps) -> (Vec<Column>, DerivedPlaces) {
    let place = |name: &str| dumps.names.iter().position(|it| it == name);
    let mut columns = dumps.columns.clone();
    let mut add = |name: String, quantity: Quantity| {
        columns.push(Column {
            name,
            role: Role::Of(quantity),
            unit: FileUnit::Nanos,
            missing: Missing::NEVER,
            texts: Vec::new(),
            evidence: Some("derived: the difference of two columns in whole nanoseconds".into()),
        });
        columns.len() - 1
    };
    let name = |place: usize| dumps.columns[place].name.clone();
    let mut differences = Vec::new();
    let mut margin = None;
    for derived in DERIVED {
        let start = derived.start.iter().find_map(|name| place(name));
        if let Some((end, start)) = place(derived.end).zip(start) {
            let column = add(format!("{} - {}", name(end), name(start)), derived.quantity);
            differences.push((column, end, start));
            if derived.quantity == Quantity::DeadlineMargin {
                margin = Some((end, start));
            }
        }
    }
    let interval = add("IntendedVsync - that of the frame before".into(), Quantity::VsyncInterval);
    let vsync = place("intendedvsync").unwrap_or_default();
    (columns, DerivedPlaces { vsync, interval, differences, margin })
}

/// The rows of a window that count, with their differences.
fn rows(id: StreamId, window: Window, columns: &[Column], derived: &DerivedPlaces) -> Rows {
    let mut cells = vec![Cells::default(); columns.len()];
    let mut lines = Vec::new();
    let mut before: Option<u64> = None;
    for ((vsync, _), frame) in window.frames {
        let interval = match before.filter(|_| !frame.after_gap) {
            Some(before) => whole(vsync - before),
            None => Cell::Gap(Gap::NoPrevious),
        };
        // A frame that does not count was one all the same: the next one's interval begins with it.
        before = Some(vsync);
        if frame.flagged {
            continue;
        }
        let mut row = frame.cells.clone();
        row.resize(columns.len(), Cell::Gap(Gap::NotWritten));
        for (column, end, start) in &derived.differences {
            row[*column] = difference(&frame, *end, *start, columns[*column].role);
        }
        row[derived.interval] = interval;
        for (cells, cell) in cells.iter_mut().zip(row) {
            cells.push(cell);
        }
        lines.push(frame.line);
    }
    let flags = vec![UNSAID; lines.len()];
    Rows { id, runtime: None, cells, lines, flags }
}

/// One moment less another: a gap where either is missing, or where the end lies before the start of what cannot run backwards.
fn difference(frame: &Frame, end: usize, start: usize, role: Role) -> Cell {
    let cell = |place: usize| frame.cells.get(place).copied().unwrap_or(Cell::Gap(Gap::NotWritten));
    for place in [end, start] {
        match cell(place) {
            Cell::Gap(gap) => return Cell::Gap(gap),
            Cell::Value(_) if frame.ticks[place] == 0 => return Cell::Gap(Gap::Unparsable),
            Cell::Value(_) => {}
        }
    }
    let (end, start) = (frame.ticks[end], frame.ticks[start]);
    let signed = matches!(role, Role::Of(quantity) if quantity.is_signed());
    match end.checked_sub(start) {
        Some(difference) => whole(difference),
        None if signed => match whole(start - end) {
            Cell::Value(value) => Cell::Value(-value),
            gap @ Cell::Gap(_) => gap,
        },
        None => Cell::Gap(Gap::Before),
    }
}

#[expect(clippy::cast_precision_loss, reason = "exact up to 104 days, and a span of nanoseconds")]
const fn whole(nanos: u64) -> Cell {
    Cell::Value(nanos as f64)
}

/// What is odd about a window's dumps, and how many frames missed their own deadline.
fn look(id: &StreamId, window: &Window, derived: &DerivedPlaces, findings: &mut Vec<Finding>) {
    let place = id.to_string();
    let count =
        |test: &dyn Fn(&Frame) -> bool| window.frames.values().filter(|frame| test(frame)).count() as u64;
    let flagged = count(&|frame| frame.flagged);
    if flagged > 0 {
        let cause = format!("{} with flags left out, as the platform says", counted(flagged, "frame"));
        findings.push(finding(&place, cause, "nothing: their times mean nothing", flagged));
    }
    if window.again > 0 {
        let cause = format!("{} met in several dumps, counted once", counted(window.again, "frame"));
        findings.push(finding(&place, cause, "nothing", window.again));
    }
    let gaps = count(&|frame| frame.after_gap);
    if gaps > 0 {
        let cause = format!(
            "{} shares no frame with the dumps before: frames between them may be lost, the system keeps about 120",
            counted(gaps, "dump")
        );
        findings.push(finding(&place, cause, "dump more often, at least every 100 frames", gaps));
    }
    if let Some((deadline, completed)) = derived.margin {
        let tick = |frame: &Frame, place: usize| frame.ticks.get(place).copied().filter(|tick| *tick > 0);
        let ends = window.frames.values().filter(|frame| !frame.flagged);
        let ends: Vec<(u64, u64)> =
            ends.filter_map(|frame| tick(frame, deadline).zip(tick(frame, completed))).collect();
        let missed = ends.iter().filter(|(deadline, completed)| completed > deadline).count() as u64;
        if missed > 0 {
            let cause = format!(
                "{missed} of {} missed the deadline that the system gave",
                counted(ends.len() as u64, "frame")
            );
            findings.push(finding(&place, cause, "look at deadline_margin and frame_total", missed));
        }
    }
}

fn finding(place: &str, cause: String, remedy: &str, times: u64) -> Finding {
    Finding { place: place.into(), cause, remedy: remedy.into(), times }
}

/// Releases by the columns that came with them.
const RELEASES: &[(&str, &str)] = &[
    ("workloadtarget", "16 or later"),
    ("frametimelinevsyncid", "12 to 15"),
    ("dequeuebufferduration", "8 to 11"),
    ("intendedvsync", "6 or 7"),
];

fn producer(names: &[String]) -> Producer {
    let release =
        RELEASES.iter().find(|(column, _)| names.iter().any(|name| name == column)).unwrap_or(&RELEASES[3]);
    Producer {
        tool: "Android gfxinfo".into(),
        version: release.1.into(),
        class: format!("gfxinfo {}", release.1),
        evidence: format!("the newest column known by its release is {}", release.0),
    }
}
