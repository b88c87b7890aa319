//! A trace as Perfetto's own: packets of protobuf, for <https://ui.perfetto.dev> and its trace processor. In: a [`Trace`].
//! Out: the bytes of a file.
//!
//! One sequence of packets: what names are interned as, the tracks, then begins, ends and counter values by time. Inside a
//! track they stand in the order in which slices open and close, which is what a reader pairs them by.
//! Format: <https://perfetto.dev/docs/reference/synthetic-track-event>.

use std::collections::HashMap;

use framecost_sample::Unit;
use prost::Message as _;

use super::proto::{
    COUNTER, CounterDescriptor, DebugAnnotation, EXPLICIT, INCREMENTAL_STATE_CLEARED, Interned, InternedData,
    NEEDS_INCREMENTAL_STATE, NO_MERGING, ProcessDescriptor, SLICE_BEGIN, SLICE_END, TracePacket,
    TrackDescriptor, TrackEvent, UNIT_COUNT, UNIT_SIZE_BYTES, UNIT_TIME_NS,
};
use super::{Arg, Counter, RunTrace, Slice, SliceKind, Trace, Track, proto};

const SEQUENCE: u32 = 1;

/// The trace as the bytes of a `.pftrace` file.
#[must_use]
pub fn perfetto(trace: &Trace) -> Vec<u8> {
    let mut writer = Writer::default();
    for (run, pid) in trace.runs.iter().zip(1..) {
        writer.run(run, pid);
    }
    writer.finish()
}

#[derive(Default)]
struct Writer {
    /// Tracks have numbers from 1 on, in the order of the descriptors.
    tracks: Vec<TrackDescriptor>,
    /// Events with their moments, track by track.
    events: Vec<(u64, TrackEvent)>,
    names: Names,
    annotations: Names,
    texts: Names,
}

/// Texts that stand once in the file, by number from 1 on.
#[derive(Default)]
struct Names {
    numbers: HashMap<String, u64>,
    list: Vec<Interned>,
}

impl Names {
    fn number(&mut self, text: &str) -> u64 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len() as u64 + 1;
        self.numbers.insert(text.to_owned(), number);
        self.list.push(Interned { iid: Some(number), name: Some(text.to_owned()) });
        number
    }
}

impl Writer {
    /// Names the track and hands its number out.
    fn describe(&mut self, track: TrackDescriptor) -> u64 {
        let uuid = self.tracks.len() as u64 + 1;
        self.tracks.push(TrackDescriptor { uuid: Some(uuid), ..track });
        uuid
    }

    fn run(&mut self, run: &RunTrace, pid: i32) {
        let process = self.describe(TrackDescriptor {
            process: Some(ProcessDescriptor {
                pid: Some(pid),
                process_name: Some(run.name.clone()),
                process_labels: run.notes.clone(),
            }),
            child_ordering: Some(EXPLICIT),
            ..TrackDescriptor::default()
        });
        let child = |name: &str, rank: i32| TrackDescriptor {
            name: Some(name.to_owned()),
            parent_uuid: Some(process),
            sibling_order_rank: Some(rank),
            sibling_merge_behavior: Some(NO_MERGING),
            ..TrackDescriptor::default()
        };
        let mut ranks = 0..;
        for (track, rank) in run.tracks.iter().zip(&mut ranks) {
            let uuid = self.describe(child(&track.name, rank));
            self.track(track, uuid);
        }
        for (counter, rank) in run.counters.iter().zip(&mut ranks) {
            let descriptor = TrackDescriptor {
                counter: Some(unit(counter.unit)),
                description: Some(counter.about.clone()),
                ..child(&counter.name, rank)
            };
            let uuid = self.describe(descriptor);
            self.counter(counter, uuid);
        }
    }

    /// The slices' begins and ends in the order in which they open and close.
    fn track(&mut self, track: &Track, uuid: u64) {
        let mut open: Vec<u64> = Vec::new();
        for slice in &track.slices {
            let around = usize::from(slice.inside);
            for end in open.drain(around.min(open.len())..).rev() {
                self.end(end, uuid);
            }
            self.begin(slice, uuid);
            open.push(slice.end);
        }
        for end in open.into_iter().rev() {
            self.end(end, uuid);
        }
    }

    fn begin(&mut self, slice: &Slice, uuid: u64) {
        let event = TrackEvent {
            category_iids: vec![category(slice.kind)],
            debug_annotations: slice.args.iter().map(|(name, arg)| self.annotation(name, arg)).collect(),
            kind: Some(SLICE_BEGIN),
            name_iid: Some(self.names.number(&slice.name)),
            track_uuid: Some(uuid),
            ..TrackEvent::default()
        };
        self.events.push((slice.start, event));
    }

    fn end(&mut self, at: u64, uuid: u64) {
        let kind = Some(SLICE_END);
        self.events.push((at, TrackEvent { kind, track_uuid: Some(uuid), ..TrackEvent::default() }));
    }

    fn annotation(&mut self, name: &str, arg: &Arg) -> DebugAnnotation {
        let name_iid = Some(self.annotations.number(name));
        let annotation = DebugAnnotation { name_iid, ..DebugAnnotation::default() };
        match arg {
            Arg::Nanos(nanos) => DebugAnnotation { double_value: Some(*nanos), ..annotation },
            Arg::Whole(number) => DebugAnnotation { uint_value: Some(*number), ..annotation },
            Arg::Text(text) => {
                DebugAnnotation { string_value_iid: Some(self.texts.number(text)), ..annotation }
            }
        }
    }

    fn counter(&mut self, counter: &Counter, uuid: u64) {
        for &(at, value) in &counter.points {
            let event = TrackEvent {
                kind: Some(COUNTER),
                track_uuid: Some(uuid),
                double_counter_value: Some(value),
                ..TrackEvent::default()
            };
            self.events.push((at, event));
        }
    }

    fn finish(mut self) -> Vec<u8> {
        let mut out = Vec::new();
        let packet = || TracePacket {
            trusted_packet_sequence_id: Some(SEQUENCE),
            sequence_flags: Some(NEEDS_INCREMENTAL_STATE),
            ..TracePacket::default()
        };
        let interned = InternedData {
            event_categories: SliceKind::ALL.map(interned_category).into(),
            event_names: self.names.list,
            debug_annotation_names: self.annotations.list,
            debug_annotation_string_values: self.texts.list,
        };
        let sequence_flags = Some(INCREMENTAL_STATE_CLEARED);
        push(&mut out, TracePacket { interned_data: Some(interned), sequence_flags, ..packet() });
        for track in self.tracks {
            push(&mut out, TracePacket { track_descriptor: Some(track), ..packet() });
        }
        // Stable: events of one moment keep the order of their track.
        self.events.sort_by_key(|event| event.0);
        for (at, event) in self.events {
            push(&mut out, TracePacket { timestamp: Some(at), track_event: Some(event), ..packet() });
        }
        out
    }
}

fn category(kind: SliceKind) -> u64 {
    match kind {
        SliceKind::Frame => 1,
        SliceKind::Submission => 2,
        SliceKind::Pass => 3,
    }
}

fn interned_category(kind: SliceKind) -> Interned {
    Interned { iid: Some(category(kind)), name: Some(kind.name().to_owned()) }
}

fn unit(unit: Unit) -> CounterDescriptor {
    let of = |unit| CounterDescriptor { unit: Some(unit), unit_name: None };
    match unit {
        Unit::Nanos => of(UNIT_TIME_NS),
        Unit::Count => of(UNIT_COUNT),
        Unit::Bytes => of(UNIT_SIZE_BYTES),
        Unit::Ratio => CounterDescriptor { unit: None, unit_name: Some(unit.name().to_owned()) },
    }
}

fn push(out: &mut Vec<u8>, packet: TracePacket) {
    // A trace is a repeated field, so that traces of a packet each make one of all.
    out.extend(proto::Trace { packet: vec![packet] }.encode_to_vec());
}
