//! Trace events in Chrome's JSON: browsers' traces, wgpu-profiler's, Perfetto's exports, framecost's own. In: the file's text. Out:
//! its log.
//!
//! ```text
//!  text -outline-> events -collect-> scopes, edges, instants -pair-> scopes, frames -> streams
//! ```
//!
//! Two kinds of stream come out. *Frames*: the compositor's pipeline, and instants at which a frame was drawn or shown. *Scopes*:
//! one stream per process, thread and name, a row per occurrence; of a browser's trace those of its GPU process alone, since all
//! others are no GPU work. Events stand in any order; metadata at time 0 is no beginning of anything.
//! Format: "Trace Event Format", Google, 2016 (`ts` and `dur` in microseconds).

mod collect;
mod event;
mod frames;
mod pair;
mod scan;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use collect::{Collected, Entry, Key};
use frames::{FRAME_INSTANTS, Frames, STATES};

use super::document::{self, fact};
use super::format::{Format, Head};
use super::log::{
    Basis, Cell, Cells, ClockKind, Column, FileUnit, Log, Missing, Producer, Role, Stream, StreamId,
};
use super::quantity::Quantity;
use super::table::assemble::{Rows, stream};
use super::table::part::UNSAID;
use super::{Options, ReadError, number, plan};
use crate::{Finding, counted};

/// Name, role, unit and how it came about, of each column in order. Those after the second are of frames alone.
const COLUMNS: [(&str, Role, FileUnit, Option<&str>); 5] = [
    ("ts", Role::OtherTime(ClockKind::Counter), FileUnit::Micros, None),
    ("dur", Role::Of(Quantity::ScopeDuration), FileUnit::Micros, None),
    (
        "end - begin",
        Role::Of(Quantity::PipelineLatency),
        FileUnit::Micros,
        Some("derived: between the two events of a pipeline's frame"),
    ),
    (
        "time since the frame before",
        Role::Of(Quantity::DisplayedInterval),
        FileUnit::Micros,
        Some("derived: between ends of shown frames, or instants of one kind"),
    ),
    ("state", Role::Other, FileUnit::Text, None),
];
const TS: usize = 0;
const DUR: usize = 1;
const LATENCY: usize = 2;
const INTERVAL: usize = 3;
const STATE: usize = 4;

/// What is kept of a trace's metadata: its name there, and as a fact.
const FACTS: &[(&str, &str)] = &[
    ("product-version", "product"),
    ("os-name", "os"),
    ("cpu-brand", "cpu"),
    ("gpu-gl-renderer", "gpu"),
    ("gpu-driver-version", "driver"),
    ("clock-domain", "clock"),
    ("trace-capture-datetime", "created"),
];

pub(super) fn matches(head: &Head<'_>) -> bool {
    let has = |name: &[u8]| memchr::memmem::find(head.text, name).is_some();
    match head.text.trim_ascii_start().first() {
        Some(b'{') => has(b"\"traceEvents\""),
        Some(b'[') => has(b"\"ph\""),
        _ => false,
    }
}

pub(super) fn read(text: &[u8], options: &Options) -> Result<Log, ReadError> {
    let outline = scan::outline(text)?;
    let mut collected = collect::collect(text, &outline)?;
    document::refuse_damage(&collected.quarantine, collected.rows, options)?;
    let (pipelines, unmatched) = pair::pair(&mut collected);
    let mut findings = Vec::new();
    look(&collected, &pipelines, unmatched, &mut findings);
    let has_frames = frames::any(&pipelines) || frames::any(&collected.instants);
    let columns = columns(has_frames);
    let mut streams = Vec::new();
    for (key, entries) in &pipelines.list {
        let frames = frames::of_pipeline(entries, &collected.texts);
        let id = id(&collected, *key);
        say(&id, &frames, &mut findings);
        push_frames(&mut streams, &columns, id, frames);
    }
    for (key, entries) in &collected.instants.list {
        let name = collected.texts.get(key.name);
        let shown = FRAME_INSTANTS.iter().any(|it| it.0 == name && it.1);
        push_frames(&mut streams, &columns, id(&collected, *key), frames::of_instants(entries, shown));
    }
    for (key, entries) in std::mem::take(&mut collected.scopes.list) {
        streams.push(scope(&columns, id(&collected, key), &entries));
    }
    if streams.is_empty() {
        return Err(ReadError::Empty("the trace holds no scope and no frame".into()));
    }
    let facts = outline.metadata.map(facts).unwrap_or_default();
    let mut log = Log {
        figures: Vec::new(),
        format: Format::ChromeTrace,
        producer: producer(&facts),
        columns,
        streams,
        quarantine: collected.quarantine,
        findings,
        facts,
        basis: Basis { time: Some(TS), interval: has_frames.then_some(INTERVAL), looks_back: true },
    };
    plan::judge(&mut log);
    document::keep(&mut log, &options.keep);
    Ok(log)
}

fn columns(has_frames: bool) -> Vec<Column> {
    let columns = COLUMNS.iter().take(if has_frames { COLUMNS.len() } else { LATENCY });
    let column = |(name, role, unit, evidence): &(&str, Role, FileUnit, Option<&str>)| Column {
        name: (*name).into(),
        role: *role,
        unit: *unit,
        missing: Missing::NEVER,
        texts: if *unit == FileUnit::Text {
            STATES.iter().map(|it| it.0.into()).collect()
        } else {
            Vec::new()
        },
        evidence: evidence.map(str::to_owned),
    };
    columns.map(column).collect()
}

/// `process/thread/name`, with the thread's number, since many threads share a name.
fn id(collected: &Collected, key: Key) -> StreamId {
    let text = |number| collected.texts.get(number);
    let mut application = String::new();
    if let Some(process) = collected.processes.get(&key.pid) {
        application = format!("{process}/");
    }
    let thread = collected.threads.get(&(key.pid, key.tid)).map_or("thread", String::as_str);
    application = format!("{application}{thread} {}/{}", text(key.tid), text(key.name));
    if let Some(host) = key.host {
        application = format!("{application}, layer tree {}", text(host));
    }
    StreamId { application, process: number::whole(text(key.pid).as_bytes()), swap_chain: None }
}

fn scope(columns: &[Column], id: StreamId, entries: &[Entry]) -> Stream {
    let mut cells = vec![Cells::default(); columns.len()];
    for entry in entries {
        cells[TS].push(Cell::Value(entry.ts));
        cells[DUR].push(entry.dur);
    }
    let lines = entries.iter().map(|entry| entry.line).collect();
    let flags = vec![UNSAID; entries.len()];
    stream(columns, Some(TS), Rows { id, runtime: None, cells, lines, flags })
}

fn push_frames(streams: &mut Vec<Stream>, columns: &[Column], id: StreamId, frames: Frames) {
    if frames.lines.is_empty() {
        return;
    }
    let mut cells = vec![Cells::default(); columns.len()];
    cells[TS] = frames.times;
    cells[LATENCY] = frames.latency;
    cells[INTERVAL] = frames.interval;
    cells[STATE] = frames.state;
    let rows = Rows { id, runtime: None, cells, lines: frames.lines, flags: frames.flags };
    streams.push(stream(columns, Some(TS), rows));
}

/// What is to be known of a pipeline's frames beside those dropped, which the stream counts.
fn say(id: &StreamId, frames: &Frames, findings: &mut Vec<Finding>) {
    let shown = frames.flags.iter().filter(|flags| **flags == 0).count() as u64;
    let told = [
        (
            frames.partial,
            format!(
                "{} of {} shown are partial: without what the main thread changed",
                frames.partial,
                counted(shown, "frame")
            ),
            "see whether the main thread is late",
        ),
        (
            frames.together,
            format!(
                "{} shown at the same moment as another one: without an interval of their own",
                counted(frames.together, "frame")
            ),
            "count displays by displayed_interval, not by frames shown",
        ),
        (
            frames.nothing,
            format!("{} began with nothing to draw: no frames, left out", counted(frames.nothing, "time")),
            "nothing",
        ),
    ];
    for (times, cause, remedy) in told.into_iter().filter(|it| it.0 > 0) {
        findings.push(Finding { place: id.to_string(), cause, remedy: remedy.into(), times });
    }
}

/// What is odd about the file as a whole.
fn look(
    collected: &Collected,
    pipelines: &collect::Streams,
    unmatched: pair::Unmatched,
    findings: &mut Vec<Finding>,
) {
    let left_out = collected.scopes.left_out + collected.instants.left_out + pipelines.left_out;
    let most = super::MOST_STREAMS;
    let told = [
        (
            unmatched.begins,
            "begin",
            "without an end left out: still open when the recording stopped",
            "nothing",
        ),
        (unmatched.ends, "end", "without a begin left out: open before the recording started", "nothing"),
        (
            collected.without_id,
            "event",
            "of async kind without an id left out",
            "see which tool writes them so",
        ),
        (
            collected.reversed,
            "scope",
            "ending before its begin, without a duration",
            "do not judge these scopes",
        ),
        (
            collected.elsewhere,
            "scope",
            "of other processes than the GPU's left out",
            "nothing: they are no GPU work",
        ),
        (
            u64::from(!collected.closed),
            "list",
            "of events without its closing bracket: read up to its end",
            "nothing, unless the recording should be whole",
        ),
    ];
    let mut add = |times: u64, cause: String, remedy: &str| {
        findings.push(Finding { place: "file".into(), cause, remedy: remedy.into(), times });
    };
    for (times, what, why, remedy) in told.into_iter().filter(|it| it.0 > 0) {
        add(times, format!("{} {why}", counted(times, what)), remedy);
    }
    if left_out > 0 {
        let cause = format!("{} past {most} streams left out", counted(left_out, "event"));
        add(left_out, cause, "record fewer categories");
    }
}

/// The texts of a trace's metadata that are kept. What cannot be parsed says nothing.
fn facts(metadata: &[u8]) -> BTreeMap<String, String> {
    let parsed: BTreeMap<String, event::Scalar<'_>> = serde_json::from_slice(metadata).unwrap_or_default();
    let mut facts = BTreeMap::new();
    for (name, kept) in FACTS {
        if let Some(text) = parsed.get(*name).and_then(|value| fact(value.text()?)) {
            facts.insert((*kept).to_owned(), text);
        }
    }
    facts
}

fn producer(facts: &BTreeMap<String, String>) -> Producer {
    match facts.get("product") {
        Some(product) => Producer {
            tool: "Chromium".into(),
            version: product.clone(),
            class: format!("chromium {}", product.split('.').next().unwrap_or_default()),
            evidence: "the trace's metadata".into(),
        },
        None => Producer {
            tool: "trace events".into(),
            version: "not said".into(),
            class: "trace events".into(),
            evidence: "no metadata names a product".into(),
        },
    }
}
