//! Events as they come, sorted into what they are. In: the text's events. Out: scopes that are whole, edges that need a partner,
//! frames' instants, and names of processes and threads. Room is bounded by the file: an event is kept in far fewer bytes than it
//! takes there.

use std::collections::{BTreeMap, HashMap};

use super::event::{Event, Scalar};
use super::frames::{FRAME_INSTANTS, PIPELINE};
use super::scan::{Element, Events, Outline};
use crate::read::document::narrow;
use crate::read::error::shown;
use crate::read::log::{Cell, Gap};
use crate::read::quarantine::{Damage, Quarantine};
use crate::read::{MOST_STREAMS, ReadError};

/// The number of a text among those met.
pub(super) type Text = u32;

/// Bytes of a text by which it is told from others, so that no file fills memory with them.
const MOST_NAME: usize = 1024;

/// Texts, each kept once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    list: Vec<String>,
    numbers: HashMap<String, Text>,
}

impl Texts {
    fn number(&mut self, text: &str) -> Text {
        let text = cut(text);
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = narrow(self.list.len() as u64);
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    fn scalar(&mut self, scalar: Scalar<'_>) -> Text {
        self.number(&scalar.name().unwrap_or_default())
    }

    pub(super) fn get(&self, number: Text) -> &str {
        self.list.get(number as usize).map_or("", String::as_str)
    }
}

/// What makes events one stream: process, thread, name, and what else the name needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Key {
    pub(super) pid: Text,
    pub(super) tid: Text,
    pub(super) name: Text,
    /// The layer tree of a compositor's frame.
    pub(super) host: Option<Text>,
}

/// A row of a stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Microseconds.
    pub(super) ts: f64,
    pub(super) dur: Cell,
    pub(super) line: u32,
    /// A frame's state.
    pub(super) state: Option<Text>,
}

/// What joins two async events: category, id, the process where the id holds in one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct AsyncId {
    cat: Text,
    id: Text,
    pid: Option<Text>,
}

/// A beginning or an end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) begins: bool,
    pub(super) key: Key,
    pub(super) id: Option<AsyncId>,
    pub(super) ts: f64,
    pub(super) line: u32,
    pub(super) state: Option<Text>,
}

/// Streams in the order in which they first appear.
#[derive(Debug, Default)]
pub(super) struct Streams {
    pub(super) list: Vec<(Key, Vec<Entry>)>,
    index: HashMap<Key, usize>,
    /// Events past the most streams.
    pub(super) left_out: u64,
}

impl Streams {
    pub(super) fn push(&mut self, key: Key, entry: Entry) {
        let place = match self.index.get(&key) {
            Some(place) => *place,
            None if self.list.len() < MOST_STREAMS => {
                self.index.insert(key, self.list.len());
                self.list.push((key, Vec::new()));
                self.list.len() - 1
            }
            None => {
                self.left_out += 1;
                return;
            }
        };
        self.list[place].1.push(entry);
    }
}

#[derive(Debug, Default)]
pub(super) struct Collected {
    pub(super) texts: Texts,
    /// Names of processes by pid, of threads by pid and tid.
    pub(super) processes: BTreeMap<Text, String>,
    pub(super) threads: BTreeMap<(Text, Text), String>,
    /// Processes named as the GPU's.
    pub(super) gpu: Vec<Text>,
    /// Scopes, and beside them frames' instants.
    pub(super) scopes: Streams,
    pub(super) instants: Streams,
    /// Edges of scopes of a thread, and of async ones.
    pub(super) edges: Vec<Edge>,
    pub(super) asyncs: Vec<Edge>,
    /// Scopes that end before they begin; scopes of other processes where the GPU's is known; async events without an id.
    pub(super) reversed: u64,
    pub(super) elsewhere: u64,
    pub(super) without_id: u64,
    pub(super) rows: u64,
    pub(super) quarantine: Quarantine,
    /// Whether the list had its end.
    pub(super) closed: bool,
}

/// Goes through the events twice: first for names, which may stand anywhere, then for all else.
pub(super) fn collect(text: &[u8], outline: &Outline<'_>) -> Result<Collected, ReadError> {
    let mut collected = Collected::default();
    let names = [memchr::memmem::Finder::new("process_name"), memchr::memmem::Finder::new("thread_name")];
    for element in Events::of(text, outline) {
        if let Element::Event { bytes, .. } = element
            && names.iter().any(|name| name.find(bytes).is_some())
            && let Ok(event) = serde_json::from_slice::<Event<'_>>(bytes)
        {
            collected.name(event);
        }
    }
    let gpu = collected.processes.iter().filter(|(_, name)| name.eq_ignore_ascii_case("GPU Process"));
    collected.gpu = gpu.map(|(pid, _)| *pid).collect();
    let mut events = Events::of(text, outline);
    while let Some(element) = events.next() {
        collected.rows += 1;
        match element {
            Element::Event { line, bytes } => match serde_json::from_slice::<Event<'_>>(bytes) {
                Ok(event) => collected.event(line, event),
                Err(error) => {
                    // The scan may have taken a stray quote for the beginning of a text over several lines.
                    if memchr::memchr(b'\n', bytes).is_some() {
                        let behind = events.place(bytes);
                        events.restart(behind);
                    }
                    let found = || format!("no event: {}", shown(error.to_string().as_bytes(), 120));
                    collected.quarantine.add(line, None, Damage::Unparsable, found);
                }
            },
            Element::Damaged { line, bytes } => {
                let found = || format!("`{}`; allowed: an event in braces", shown(bytes, 40));
                collected.quarantine.add(line, None, Damage::Unparsable, found);
            }
        }
    }
    if events.gave_up() {
        let first = collected.quarantine.rows.iter().take(3).cloned().collect();
        return Err(ReadError::Damaged { rows: collected.quarantine.total(), of: collected.rows, first });
    }
    collected.closed = events.closed;
    Ok(collected)
}

impl Collected {
    fn name(&mut self, event: Event<'_>) {
        let Some(name) = event.args.and_then(|args| args.name.name()) else { return };
        if event.ph.text() != Some("M") {
            return;
        }
        let (kind, pid) = (event.name.text().unwrap_or_default().to_owned(), self.texts.scalar(event.pid));
        match kind.as_str() {
            "process_name" => {
                self.processes.insert(pid, cut(&name).to_owned());
            }
            "thread_name" => {
                let tid = self.texts.scalar(event.tid);
                self.threads.insert((pid, tid), cut(&name).to_owned());
            }
            _ => {}
        }
    }

    /// Sorts an event in. Phases that carry no time of a frame or a scope, metadata among them, are passed over.
    fn event(&mut self, line: u64, event: Event<'_>) {
        let phase = event.ph.text().unwrap_or_default();
        let is_frame = event.name.text().is_some_and(|name| FRAME_INSTANTS.iter().any(|it| it.0 == name));
        match phase {
            "X" | "B" | "E" | "b" | "e" => {}
            "I" | "i" | "n" | "R" if is_frame => {}
            _ => return,
        }
        let Some(ts) = event.ts.number().filter(|ts| ts.is_finite()) else {
            let found = || "ts is missing or no number; allowed: microseconds".to_owned();
            return self.quarantine.add(line, None, Damage::Unparsable, found);
        };
        let pid = self.texts.scalar(event.pid);
        let is_pipeline = event.name.text() == Some(PIPELINE);
        let frame = event.args.and_then(|args| args.frame).filter(|_| is_pipeline);
        let (state, host) =
            frame.map_or((None, None), |frame| (frame.state.name(), frame.layer_tree_host_id.name()));
        let key = Key {
            pid,
            tid: self.texts.scalar(event.tid),
            name: self.texts.scalar(event.name),
            host: host.map(|host| self.texts.number(&host)),
        };
        let (state, line) = (state.map(|state| self.texts.number(&state)), narrow(line));
        let elsewhere = !self.gpu.is_empty() && !self.gpu.contains(&pid) && !is_frame && !is_pipeline;
        let begins = matches!(phase, "B" | "b");
        if elsewhere {
            self.elsewhere += u64::from(begins || phase == "X");
            return;
        }
        match phase {
            "X" => {
                let dur = self.length(event.dur.number());
                self.scopes.push(key, Entry { ts, dur, line, state });
            }
            "B" | "E" => self.edges.push(Edge { begins, key, id: None, ts, line, state }),
            "b" | "e" => {
                let (global, local) =
                    event.id2.map_or((Scalar::Nothing, Scalar::Nothing), |id| (id.global, id.local));
                let id = [event.id, global].into_iter().find_map(Scalar::name).map(|id| (id, None));
                let Some((id, pid)) = id.or_else(|| local.name().map(|id| (id, Some(pid)))) else {
                    self.without_id += 1;
                    return;
                };
                let id = AsyncId { cat: self.texts.scalar(event.cat), id: self.texts.number(&id), pid };
                self.asyncs.push(Edge { begins, key, id: Some(id), ts, line, state });
            }
            _ => self.instants.push(key, Entry { ts, dur: Cell::Gap(Gap::NotApplicable), line, state }),
        }
    }

    /// A length in microseconds: what ends before it begins has none.
    pub(super) fn length(&mut self, dur: Option<f64>) -> Cell {
        match dur {
            Some(dur) if dur < 0.0 => {
                self.reversed += 1;
                Cell::Gap(Gap::Before)
            }
            Some(dur) if dur.is_finite() => Cell::Value(dur),
            Some(_) | None => Cell::Gap(Gap::NotWritten),
        }
    }
}

/// A text's first [`MOST_NAME`] bytes, or a few less where a character would be cut.
fn cut(text: &str) -> &str {
    if text.len() <= MOST_NAME {
        return text;
    }
    let end = (0..=MOST_NAME).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or(0)]
}
