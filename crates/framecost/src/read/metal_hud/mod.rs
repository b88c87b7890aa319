//! Log lines of Apple's Metal performance HUD. In: a log's text, whatever else stands in it. Out: a stream per process.
//!
//! ```text
//!  ... game[PID:THREAD] metal-HUD: FIRST FRAME, a, b, interval ms, GPU ms, interval ms, GPU ms, ...
//! ```
//!
//! About one or two lines a second, each with the frames since the last one; a log collected twice holds lines twice, or lines that
//! overlap. A frame is therefore known by process and frame number, and counted once. Sources disagree on what `a` and `b` are
//! (missed frames, memory), so that they keep no meaning here. The system may print values as `<private>`. The frame counter
//! includes interpolated frames. The format is known from logs and readers; its maker documents it in parts only.

#[cfg(test)]
mod tests;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::document::{self, Field, cell, column, lines, narrow};
use super::error::shown;
use super::format::{Format, Head};
use super::log::{
    Basis, Cell, Cells, Column, FileUnit, Gap, Log, Missing, Producer, Role, Stream, StreamId, Zero,
};
use super::quantity::Quantity as Q;
use super::quarantine::{Damage, Quarantine};
use super::sampling::Sampling;
use super::table::assemble::{Rows, stream};
use super::table::part::UNSAID;
use super::{MOST_STREAMS, Options, ReadError, number, plan};
use crate::{Finding, counted};

const MARK: &[u8] = b"metal-HUD:";
const PRIVATE: Missing = Missing { texts: &[("<private>", Gap::NotWritten)], ..Missing::NEVER };
/// Fields before the pairs.
const LEADING: usize = 3;

/// What a frame has, in the order of the columns: its number, then the pair, then what stands once in a line.
const FIELDS: &[Field] = &[
    Field { names: &["frame"], role: Role::Other, unit: FileUnit::Count, missing: Missing::NEVER },
    Field {
        names: &["interval"],
        role: Role::Of(Q::PresentedInterval),
        unit: FileUnit::Millis,
        missing: PRIVATE,
    },
    // No frame takes no time: 0 is written where the GPU's counters are not read.
    Field {
        names: &["gpu"],
        role: Role::Of(Q::GpuFrame),
        unit: FileUnit::Millis,
        missing: Missing { zero: Zero::Gap(Gap::Unknown), ..PRIVATE },
    },
    Field { names: &["second field"], role: Role::Other, unit: FileUnit::Unknown, missing: PRIVATE },
    Field { names: &["third field"], role: Role::Other, unit: FileUnit::Unknown, missing: PRIVATE },
];
const INTERVAL: usize = 1;
const GPU: usize = 2;

pub(super) fn matches(head: &Head<'_>) -> bool {
    memchr::memmem::find(head.text, MARK).is_some()
}

pub(super) fn read(text: &[u8], options: &Options) -> Result<Log, ReadError> {
    let mut reader = Reader::default();
    for next in lines(text) {
        let (line, bytes) = next?;
        if let Some(at) = memchr::memmem::find(bytes, MARK) {
            reader.rows += 1;
            let (before, after) = (&bytes[..at], &bytes[at + MARK.len()..]);
            if let Err((column, damage, found)) = reader.line(line, before, after) {
                reader.quarantine.add(line, column, damage, || found);
            }
        }
    }
    reader.finish(options)
}

/// A frame as the first line that has it says.
#[derive(Clone, Copy)]
struct Frame {
    line: u32,
    cells: [Cell; 4],
}

/// One process's frames by number, and what its lines were like.
#[derive(Default)]
struct Process {
    frames: BTreeMap<u64, Frame>,
    /// Frames met again with the same values, and with others.
    again: u64,
    contradicted: (u64, u32),
    private: u64,
}

#[derive(Default)]
struct Reader {
    processes: HashMap<StreamId, Process>,
    /// The processes in the order in which they appear.
    order: Vec<StreamId>,
    /// Lines with the mark.
    rows: u64,
    quarantine: Quarantine,
}

/// The column at fault, why, and what stands there.
type Fault = (Option<u32>, Damage, String);

impl Reader {
    fn line(&mut self, line: u64, before: &[u8], after: &[u8]) -> Result<(), Fault> {
        let fields: Vec<&[u8]> = after.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
        let first =
            number::whole(fields[0]).filter(|first| *first < u64::from(u32::MAX)).ok_or_else(|| {
                let found = format!(
                    "the first frame's number is `{}`; allowed: a whole number",
                    shown(fields[0], 40)
                );
                (Some(1), Damage::Unparsable, found)
            })?;
        let fields = if fields.len() > LEADING && fields.last() == Some(&&b""[..]) {
            &fields[..fields.len() - 1]
        } else {
            &fields
        };
        let private = fields.len() == LEADING + 1 && fields[LEADING] == b"<private>";
        if !private && (fields.len() < LEADING + 2 || !(fields.len() - LEADING).is_multiple_of(2)) {
            let found = format!("{} fields; allowed: {LEADING} and then pairs", fields.len());
            return Err((None, Damage::TooFewFields, found));
        }
        let cells = fields.iter().enumerate().skip(1).map(|(place, field)| {
            let of = if place < LEADING { place + GPU } else { INTERVAL + (place - LEADING) % 2 };
            // What the two opaque fields may hold is not known.
            let opaque = (place < LEADING).then_some(Cell::Gap(Gap::Unparsable));
            cell(field, &FIELDS[of].missing).or(opaque).ok_or_else(|| {
                let found = format!(
                    "{} is `{}`; allowed: a number, `<private>`",
                    FIELDS[of].names[0],
                    shown(field, 40)
                );
                (Some(narrow(place as u64 + 1)), Damage::Unparsable, found)
            })
        });
        let mut cells = cells.collect::<Result<Vec<Cell>, Fault>>()?;
        if private {
            cells.push(Cell::Gap(Gap::NotWritten));
        }
        let process = self.process(before)?;
        process.private += u64::from(cells.contains(&Cell::Gap(Gap::NotWritten)));
        let (leading, pairs) = cells.split_at(LEADING - 1);
        let (pairs, _) = pairs.as_chunks::<2>();
        for (number, pair) in (first..).zip(pairs) {
            let once =
                |place: usize| if number == first { leading[place] } else { Cell::Gap(Gap::NotApplicable) };
            process.add(number, Frame { line: narrow(line), cells: [pair[0], pair[1], once(0), once(1)] });
        }
        Ok(())
    }

    fn process(&mut self, before: &[u8]) -> Result<&mut Process, Fault> {
        let id = process_of(before);
        if !self.processes.contains_key(&id) {
            if self.order.len() >= MOST_STREAMS {
                let found = format!("a process past {MOST_STREAMS}; allowed: up to there");
                return Err((None, Damage::TooManyStreams, found));
            }
            self.order.push(id.clone());
        }
        Ok(self.processes.entry(id).or_default())
    }

    fn finish(mut self, options: &Options) -> Result<Log, ReadError> {
        document::refuse_damage(&self.quarantine, self.rows, options)?;
        if self.order.is_empty() {
            return Err(ReadError::Empty("the log holds no line of `metal-HUD:` with frames".into()));
        }
        let columns: Vec<Column> =
            FIELDS.iter().map(|field| column(Some(field), field.names[0], PRIVATE)).collect();
        let (mut streams, mut findings, mut by_counter) = (Vec::new(), Vec::new(), Vec::new());
        for id in self.order {
            let process = self.processes.remove(&id).unwrap_or_default();
            by_counter.push(process.look(&id, &mut findings));
            streams.push(process.stream(id, &columns));
        }
        let mut log = Log {
            figures: Vec::new(),
            format: Format::MetalHud,
            producer: Producer {
                tool: "Metal performance HUD".into(),
                version: "not said".into(),
                class: "metal hud".into(),
                evidence: "lines marked metal-HUD".into(),
            },
            columns,
            streams,
            quarantine: self.quarantine,
            findings,
            facts: BTreeMap::new(),
            basis: Basis { time: None, interval: Some(INTERVAL), looks_back: true },
        };
        plan::judge(&mut log);
        for (stream, told) in log.streams.iter_mut().zip(by_counter) {
            stream.sampling = Sampling::Untold(told);
        }
        document::keep(&mut log, &options.keep);
        Ok(log)
    }
}

impl Process {
    fn add(&mut self, number: u64, frame: Frame) {
        match self.frames.entry(number) {
            Entry::Vacant(free) => {
                free.insert(frame);
            }
            Entry::Occupied(known) => {
                // What a line says once stands on its first frame, which is another one in a line that overlaps.
                if known.get().cells[..GPU] == frame.cells[..GPU] {
                    self.again += 1;
                } else {
                    if self.contradicted.0 == 0 {
                        self.contradicted.1 = frame.line;
                    }
                    self.contradicted.0 += 1;
                }
            }
        }
    }

    /// Says what is odd, and how many of the frames that the counter counted are there.
    fn look(&self, id: &StreamId, findings: &mut Vec<Finding>) -> String {
        let mut add = |cause: String, remedy: &str, times: u64| {
            findings.push(Finding { place: id.to_string(), cause, remedy: remedy.into(), times });
        };
        if self.again > 0 {
            let cause = format!("{} met in several lines, counted once", counted(self.again, "frame"));
            add(cause, "nothing, unless the log is two runs of one process number", self.again);
        }
        let (times, line) = self.contradicted;
        if times > 0 {
            let cause = format!(
                "{} met in several lines with different times, the first on line {line}: the earlier line is kept",
                counted(times, "frame")
            );
            add(cause, "cut the log where the frame counter begins anew", times);
        }
        if self.private > 0 {
            let cause = format!(
                "{} without all of its values: the system wrote `<private>`",
                counted(self.private, "line")
            );
            add(
                cause,
                "allow private data in the system's log, or take the program's own error output",
                self.private,
            );
        }
        let present = self.frames.len() as u64;
        let counted_by_tool = match (self.frames.first_key_value(), self.frames.last_key_value()) {
            (Some((first, _)), Some((last, _))) => last - first + 1,
            _ => 0,
        };
        let absent = counted_by_tool - present;
        if absent > 0 {
            let cause = format!(
                "{absent} of {} that the counter counted stand in no line",
                counted(counted_by_tool, "frame")
            );
            add(cause, "collect every line of the log", absent);
        }
        format!(
            "rows have no time; by the frame counter {present} of {} are there",
            counted(counted_by_tool, "frame")
        )
    }

    fn stream(self, id: StreamId, columns: &[Column]) -> Stream {
        let mut cells = vec![Cells::default(); columns.len()];
        let mut lines = Vec::with_capacity(self.frames.len());
        for (number, frame) in &self.frames {
            #[expect(clippy::cast_precision_loss, reason = "frame numbers are below 2^33")]
            cells[0].push(Cell::Value(*number as f64));
            for (cells, cell) in cells[1..].iter_mut().zip(frame.cells) {
                cells.push(cell);
            }
            lines.push(frame.line);
        }
        let flags = vec![UNSAID; lines.len()];
        stream(columns, None, Rows { id, runtime: Some("Metal".into()), cells, lines, flags })
    }
}

/// The process of a line's beginning that ends with `name[pid:thread]` or `name[pid]`.
fn process_of(before: &[u8]) -> StreamId {
    let text = String::from_utf8_lossy(before);
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let bracket = last.trim_end_matches(':').strip_suffix(']').and_then(|last| last.split_once('['));
    let process = bracket.and_then(|(_, inside)| number::whole(inside.split(':').next()?.as_bytes()));
    match (bracket, process) {
        (Some((name, _)), Some(pid)) => {
            StreamId { application: name.chars().take(200).collect(), process: Some(pid), swap_chain: None }
        }
        _ => StreamId { application: "process not said".into(), ..StreamId::default() },
    }
}
