//! `framecost trace` and the formats of `compare` for CI servers, from the command line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;

use common::{Place, Scene};
use framecost_sample::{Capture, Reading, Reason};
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
        ("a.framecost --baseline a.framecost", 0, false),
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
