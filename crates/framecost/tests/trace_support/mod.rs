//! Traces read back by readers that share nothing with the writers. In: Chrome's JSON, or Perfetto's bytes taken apart field
//! by field after the wire format of protobuf. Out: slices and counter values as a viewer would draw them.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
#![allow(clippy::unwrap_used, reason = "test support: a fault of its own shall stop the test")]

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

/// A slice as a viewer draws it.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    pub process: String,
    pub track: String,
    /// Which track, since two may have one name.
    pub id: u64,
    pub category: String,
    pub name: String,
    pub start: u64,
    pub end: u64,
    /// How many slices are open around it, where the format says so: Perfetto's begins and ends do.
    pub depth: usize,
    pub args: BTreeMap<String, String>,
}

/// A value of a counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    pub process: String,
    pub counter: String,
    pub at: u64,
    pub value: f64,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    pub processes: Vec<String>,
    pub slices: Vec<Drawn>,
    pub points: Vec<Point>,
}

impl Seen {
    /// Sorted, with tracks numbered in the order of their first slice: for holding one format against the other.
    pub fn in_order(mut self) -> Self {
        // Slices of no length may lie at one place: what is written in them puts them in one order. Chrome says no depth.
        let rank = |it: &Drawn| ["frame", "submission", "pass"].iter().position(|kind| *kind == it.category);
        let key =
            |it: &Drawn| (it.id, it.start, std::cmp::Reverse(it.end), it.depth, rank(it), it.args.clone());
        self.slices.sort_by_cached_key(key);
        let mut ids = HashMap::new();
        for slice in &mut self.slices {
            let next = ids.len() as u64;
            slice.id = *ids.entry(slice.id).or_insert(next);
        }
        self.points.sort_by(|a, b| (&a.process, &a.counter, a.at).cmp(&(&b.process, &b.counter, b.at)));
        self
    }

    /// What the other says otherwise; depths are left out.
    pub fn first_difference(&self, other: &Self) -> Option<String> {
        let slices = self.slices.iter().zip(&other.slices);
        let differ = |(a, b): &(&Drawn, &Drawn)| {
            Drawn { depth: 0, ..(*a).clone() } != Drawn { depth: 0, ..(*b).clone() }
        };
        let slice = slices.into_iter().find(differ).map(|pair| format!("{pair:#?}"));
        let point =
            self.points.iter().zip(&other.points).find(|(a, b)| a != b).map(|pair| format!("{pair:#?}"));
        let lengths = |it: &Self| (it.processes.clone(), it.slices.len(), it.points.len());
        let lengths =
            (lengths(self) != lengths(other)).then(|| format!("{:?} {:?}", lengths(self), lengths(other)));
        slice.or(point).or(lengths)
    }

    pub fn of(&self, category: &str) -> Vec<&Drawn> {
        self.slices.iter().filter(|slice| slice.category == category).collect()
    }
}

/// A value beside a slice as JSON gives it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_u64() => number.to_string(),
        number => real(number.as_f64().unwrap()),
    }
}

/// A number as both formats give it alike: the JSON reader is off by one in the sixteenth digit.
pub fn real(number: f64) -> String {
    format!("{number:.13e}")
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 2^51")]
fn nanos(micros: &Value) -> u64 {
    (micros.as_f64().unwrap() * 1e3).round() as u64
}

pub fn chrome(json: &str) -> Seen {
    let whole: Value = serde_json::from_str(json).unwrap();
    assert_eq!(whole["displayTimeUnit"], "ns");
    let events = whole["traceEvents"].as_array().unwrap();
    let mut seen = Seen::default();
    let (mut processes, mut tracks) = (HashMap::new(), HashMap::new());
    for event in events {
        let pid = event["pid"].as_u64().unwrap();
        match (event["ph"].as_str().unwrap(), event["name"].as_str().unwrap()) {
            ("M", "process_name") => {
                let name = event["args"]["name"].as_str().unwrap().to_owned();
                seen.processes.push(name.clone());
                assert!(processes.insert(pid, name).is_none());
            }
            ("M", "thread_name") => {
                let name = event["args"]["name"].as_str().unwrap().to_owned();
                assert!(tracks.insert(event["tid"].as_u64().unwrap(), name).is_none());
            }
            ("M", "process_labels" | "process_sort_index" | "thread_sort_index") => {}
            ("X", name) => {
                let id = event["tid"].as_u64().unwrap();
                let start = nanos(&event["ts"]);
                let end = start + nanos(&event["dur"]);
                let args = event["args"].as_object().unwrap();
                seen.slices.push(Drawn {
                    process: processes[&pid].clone(),
                    track: tracks[&id].clone(),
                    id,
                    category: event["cat"].as_str().unwrap().into(),
                    name: name.into(),
                    start,
                    end,
                    depth: 0,
                    args: args.iter().map(|(key, value)| (key.clone(), text(value))).collect(),
                });
            }
            ("C", counter) => {
                let args = event["args"].as_object().unwrap();
                assert_eq!(args.len(), 1);
                seen.points.push(Point {
                    process: processes[&pid].clone(),
                    counter: counter.into(),
                    at: nanos(&event["ts"]),
                    value: args.values().next().unwrap().as_f64().unwrap(),
                });
            }
            other => panic!("an event of an unknown kind: {other:?}"),
        }
    }
    seen
}

/// A field of a message: its number, and what it holds.
#[derive(Clone, Debug)]
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// A message's fields in their order. Source: <https://protobuf.dev/programming-guides/encoding/>.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let field = match key & 7 {
            0 => Field::Number(varint(&mut bytes)),
            1 => {
                let (head, rest) = bytes.split_at(8);
                bytes = rest;
                Field::Number(u64::from_le_bytes(head.try_into().unwrap()))
            }
            2 => {
                let length = usize::try_from(varint(&mut bytes)).unwrap();
                let (head, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(head)
            }
            other => panic!("wire type {other}"),
        };
        found.push((key >> 3, field));
    }
    found
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0u64, 0);
    loop {
        let (&byte, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
        shift += 7;
    }
}

struct Message<'a>(Vec<(u64, Field<'a>)>);

impl<'a> Message<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self(fields(bytes))
    }

    fn number(&self, id: u64) -> Option<u64> {
        self.0.iter().find_map(|(number, field)| match field {
            Field::Number(value) if *number == id => Some(*value),
            Field::Number(_) | Field::Bytes(_) => None,
        })
    }

    fn all(&self, id: u64) -> impl Iterator<Item = &'a [u8]> {
        self.0.iter().filter_map(move |(number, field)| match field {
            Field::Bytes(bytes) if *number == id => Some(*bytes),
            Field::Number(_) | Field::Bytes(_) => None,
        })
    }

    fn message(&self, id: u64) -> Option<Message<'a>> {
        self.all(id).next().map(Message::of)
    }

    fn text(&self, id: u64) -> Option<String> {
        self.all(id).next().map(|bytes| String::from_utf8(bytes.to_vec()).unwrap())
    }
}

/// What a number stands for: `iid` 1, `name` 2.
fn interned(data: &Message<'_>, id: u64) -> HashMap<u64, String> {
    let entry = |bytes| {
        let entry = Message::of(bytes);
        (entry.number(1).unwrap(), entry.text(2).unwrap())
    };
    data.all(id).map(entry).collect()
}

struct Track {
    process: String,
    name: String,
    is_counter: bool,
}

pub fn perfetto(bytes: &[u8]) -> Seen {
    let packets: Vec<Message<'_>> = Message::of(bytes).all(1).map(Message::of).collect();
    let data = packets[0].message(12).unwrap();
    assert_eq!(packets[0].number(13), Some(1), "the sequence begins anew");
    let [categories, names, keys, texts] = [1, 2, 3, 29].map(|id| interned(&data, id));
    let mut seen = Seen::default();
    let (mut processes, mut tracks): (HashMap<u64, String>, HashMap<u64, Track>) = Default::default();
    let mut open: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut before = 0;
    for packet in &packets[1..] {
        assert_eq!((packet.number(10), packet.number(13)), (Some(1), Some(2)));
        if let Some(track) = packet.message(60) {
            let uuid = track.number(1).unwrap();
            if let Some(process) = track.message(3) {
                let name = process.text(6).unwrap();
                seen.processes.push(name.clone());
                processes.insert(uuid, name);
            } else {
                let process = processes[&track.number(5).unwrap()].clone();
                let is_counter = track.message(8).is_some();
                tracks.insert(uuid, Track { process, name: track.text(2).unwrap(), is_counter });
            }
            continue;
        }
        let (at, event) = (packet.number(8).unwrap(), packet.message(11).unwrap());
        assert!(before <= at, "events stand by time");
        before = at;
        let uuid = event.number(11).unwrap();
        let Track { process, name: track, is_counter } = &tracks[&uuid];
        let stack = open.entry(uuid).or_default();
        assert_eq!(*is_counter, event.number(9) == Some(4));
        match event.number(9).unwrap() {
            1 => {
                let arg = |bytes| {
                    let arg = Message::of(bytes);
                    let value = arg.number(3).map(|value| value.to_string());
                    let value = value.or_else(|| arg.number(5).map(|bits| real(f64::from_bits(bits))));
                    let value = value.or_else(|| arg.number(17).map(|iid| texts[&iid].clone()));
                    (keys[&arg.number(1).unwrap()].clone(), value.unwrap())
                };
                seen.slices.push(Drawn {
                    process: process.clone(),
                    track: track.clone(),
                    id: uuid,
                    category: categories[&event.number(3).unwrap()].clone(),
                    name: names[&event.number(10).unwrap()].clone(),
                    start: at,
                    end: u64::MAX,
                    depth: stack.len(),
                    args: event.all(4).map(arg).collect(),
                });
                stack.push(seen.slices.len() - 1);
            }
            2 => seen.slices[stack.pop().unwrap()].end = at,
            4 => seen.points.push(Point {
                process: process.clone(),
                counter: track.clone(),
                at,
                value: f64::from_bits(event.number(44).unwrap()),
            }),
            other => panic!("an event of an unknown kind: {other}"),
        }
    }
    assert!(open.values().all(Vec::is_empty), "every slice that begins ends");
    seen
}
