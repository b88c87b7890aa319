//! framecost's own trace, read back by the reader of trace events.

use framecost::read::{Cell, Format, Options, Quantity, read};
use framecost::report::trace::{RunTrace, Slice, SliceKind, Trace, Track, chrome};

#[test]
fn framecosts_own_trace_opens() {
    let slice = |start: u64, end: u64| Slice {
        kind: SliceKind::Pass,
        name: "shadows".into(),
        start,
        end,
        inside: false,
        args: vec![],
    };
    let track = Track { name: "queue".into(), slices: vec![slice(0, 1500), slice(2000, 4250)] };
    let run = RunTrace {
        name: "a scene".into(),
        notes: vec![],
        tracks: vec![track],
        counters: vec![],
        frames: 1,
        frames_without_place: 0,
        passes: 2,
        passes_missing: 0,
    };
    let text = chrome(&Trace { runs: vec![run] });
    let log = read(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!(log.format, Format::ChromeTrace);
    let names: Vec<String> = log.streams.iter().map(|stream| stream.id.to_string()).collect();
    assert_eq!(names, ["a scene/queue 1000000/shadows, process 1"]);
    let (column, _) = log.quantity(Quantity::ScopeDuration).unwrap();
    let durations: Vec<Cell> = log.streams[0].cells[column].iter().collect();
    assert_eq!(durations, [Cell::Value(1.5), Cell::Value(2.25)], "microseconds");
}
