//! `framecost trace` and the formats of `compare` for CI servers, from the command line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;

use common::{Place, Scene};
use framecost_sample::{
    Capture, ClockId, Metric, MetricId, PassDef, PassId, Queue, QueueId, Reading, Reason, Sample, Semantics,
    Stamp, Ticks,
};
use serde_json::Value;

fn place() -> Place {
    let place = Place::new();
    let scene = Scene { frames: 30, ..Scene::default() };
    let mut parts = scene.capture().into_parts();
    parts.stamps[7].end = Reading::Missing(Reason::NotAvailable);
    place.put("a.framecost", &scene.capture());
    place.put("lossy.framecost", &Capture::new(parts).unwrap());
    place
}

fn events(place: &Place, file: &str, kind: &str) -> usize {
    let json: Value = serde_json::from_slice(&fs::read(place.path(file)).unwrap()).unwrap();
    json["traceEvents"].as_array().unwrap().iter().filter(|event| event["cat"] == kind).count()
}

#[test]
fn a_trace_is_written_and_says_what_it_holds() {
    let place = place();
    let done = place.framecost("trace a.framecost --format chrome --out a.json");
    assert_eq!(
        (done.code, done.stdout.as_str(), done.stderr.as_str()),
        (0, "`a.json`: 1 run, 30 frames, 60 runs of passes, 2 tracks, 0 counters\n", "")
    );
    assert_eq!(["frame", "submission", "pass"].map(|kind| events(&place, "a.json", kind)), [30, 30, 60]);
    let done = place.framecost("trace a.framecost lossy.framecost --frames 2..5 --out b.pftrace");
    assert_eq!(done.stdout, "`b.pftrace`: 2 runs, 6 frames, 11 runs of passes, 4 tracks, 0 counters\n");
    assert_eq!(
        done.stderr,
        "note: not drawn, since stamps are missing: 0 frames without any pass, 1 run of passes; `framecost report` says why\n"
    );
    // Field 1 of a message, with its length: a trace of packets.
    assert_eq!(fs::read(place.path("b.pftrace")).unwrap()[0], 0x0a);
}

/// Two frames in flight on two queues, their passes side by side and one inside another, with names that break out of SQL,
/// JSON and markup.
fn crowded() -> Capture {
    let scene = Scene { frames: 40, scene: "ro\"om' <i>x</i>; --", ..Scene::default() };
    let mut parts = scene.capture().into_parts();
    let pass = |name: &str| PassDef { name: name.into(), semantics: Semantics::TopBottom };
    parts.passes =
        vec![pass("culling"), pass("lit 'main' \"4x\""), pass("</script><b>&amp;"), pass("async%20 | ${x}")];
    parts.queues.push(Queue { name: "async \"compute\"".into(), clock: ClockId(0) });
    parts.metrics = vec![Metric::built_in("cpu_frame").unwrap()];
    parts.samples = (0..40)
        .filter(|frame| frame % 7 != 3)
        .map(|frame| Sample { frame, metric: MetricId(0), reading: Reading::Measured(8e5 + frame as f64) })
        .collect();
    // Microseconds from the frame's start; the last of a frame outlasts the next one's first.
    let rows = [
        (0, 0, 0, 0, 900),
        (0, 0, 1, 700, 9_000),
        (0, 0, 2, 2_000, 3_000),
        (0, 0, 2, 2_500, 10_400),
        (1, 1, 3, 500, 6_000),
    ];
    parts.stamps = (0..40u64)
        .flat_map(|frame| {
            rows.map(|(submission, queue, pass, from, to)| Stamp {
                frame,
                submission,
                queue: QueueId(queue),
                pass: PassId(pass),
                start: Reading::Measured(Ticks((frame * 10_000 + from) * 1_000)),
                end: Reading::Measured(Ticks((frame * 10_000 + to + frame % 3) * 1_000)),
            })
        })
        .collect();
    Capture::new(parts).unwrap()
}

#[test]
fn passes_side_by_side_have_lanes_of_their_own() {
    let place = Place::new();
    place.put("crowded.framecost", &crowded());
    let done = place.framecost("trace crowded.framecost --out crowded.pftrace");
    assert_eq!(done.stdout, "`crowded.pftrace`: 1 run, 40 frames, 200 runs of passes, 5 tracks, 1 counter\n");
    // `cargo xtask traces` has Perfetto read this one too.
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("crowded.framecost");
    let _ = fs::remove_dir_all(&kept);
    framecost_store::write(&kept, &crowded()).unwrap();
}

#[test]
fn a_trace_that_cannot_be_is_refused() {
    let place = place();
    let none = place.framecost("trace a.framecost --frames 30..40 --out a.json");
    assert_eq!(none.code, 2);
    assert_eq!(
        none.stderr,
        "error: `a.framecost`: frames 30..40: none of them was measured; the capture has frames 0 to 29\n"
    );
    let lost = place.framecost("trace lossy.framecost --frames 3..4 --out a.json");
    assert_eq!(lost.code, 0, "its culling stands: {lost:?}");
    assert_eq!(place.framecost("trace a.framecost --frames 5..5 --out a.json").code, 2);
    let folder = place.framecost("trace a.framecost --out nowhere/a.json");
    assert_eq!(folder.code, 3);
    assert!(folder.stderr.starts_with("error: cannot write `nowhere/a.json`: "), "{folder:?}");
}

#[test]
fn a_comparison_for_a_ci_server_has_the_exit_code_of_any_other() {
    let place = place();
    place.put("slow.framecost", &Scene { frames: 30, lit: 7_000, ..Scene::default() }.capture());
    for (captures, code, red) in [
        ("a.framecost --baseline twin/a.framecost", 0, false),
        ("slow.framecost --baseline a.framecost", 1, true),
        ("a.framecost", 3, true),
    ] {
        let junit = place.framecost(&format!("compare {captures} --format junit"));
        let has = junit.stdout.contains("<failure ") || junit.stdout.contains("<error ");
        assert_eq!((junit.code, has), (code, red), "{junit:?}");
        assert!(
            junit.stdout.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "),
            "{junit:?}"
        );
        let github = place.framecost(&format!("compare {captures} --format github"));
        assert_eq!((github.code, github.stdout.contains("::error ")), (code, red), "{github:?}");
        assert!(github.stdout.lines().all(|line| line.starts_with("::")), "{github:?}");
    }
}
