//! Reports, recounts and baselines over captures whose figures are known; names and paths from strangers; readers that go.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::process::Stdio;

use common::{Place, Scene};

#[test]
fn a_report_is_text_markdown_or_json() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    let text = place.framecost("report a.framecost");
    assert!(text.code == 0 && text.stdout.contains("town") && text.stdout.contains("6.000 ms"), "{text:?}");
    assert!(!text.stdout.contains('\u{1b}'), "no colours in a pipe");
    let markdown = place.framecost("report a.framecost --format markdown --out report.md");
    assert_eq!((markdown.code, markdown.stdout.as_str()), (0, ""));
    assert!(fs::read_to_string(place.path("report.md")).unwrap().contains("| "));
    let json = place.framecost("report a.framecost --json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let total = &json["reports"][0]["report"]["frame"][0];
    assert_eq!((total["metric"].as_str(), total["median"].as_f64()), (Some("gpu_total"), Some(6e6)));
    assert_eq!(json["reports"][0]["captures"][0], "a.framecost");
}

#[test]
fn a_report_beside_a_baseline_shows_the_ratio_and_never_fails() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.put("slow.framecost", &Scene { lit: 11_000, ..Scene::default() }.capture());
    let done = place.framecost("report slow.framecost --baseline a.framecost --json");
    assert_eq!(done.code, 0);
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["reports"][0]["report"]["frame"][0]["ratio"].as_f64(), Some(2.0));
}

#[test]
fn a_recount_changes_only_the_accounting() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    let done = place.framecost("recount a.framecost --floor none");
    assert!(done.code == 0 && done.stdout.contains("only the accounting changed"), "{done:?}");
    let json = place.framecost("recount a.framecost --floor pass:lit --json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["framecost_recount"], 1);
    let same = "no frame overlapped the one before, so every floor rule gives the same";
    assert!(done.stdout.contains(same) && json["why_same"] == same, "{done:?}");
    let unknown = place.framecost("recount a.framecost --floor pass:sky");
    assert_eq!(unknown.code, 2);
    insta::assert_snapshot!(unknown.stderr, @"error: `a.framecost`: floor names pass `sky`, which the capture does not have; the capture's passes are culling, lit");
}

#[test]
fn names_from_strangers_do_not_reach_the_terminal_as_they_are() {
    let place = Place::new();
    place.put("a.framecost", &Scene { scene: "to\u{1b}[31mwn\u{7}", ..Scene::default() }.capture());
    for call in [
        "report a.framecost",
        "report a.framecost --format markdown",
        "baseline save a.framecost",
        "baseline list",
    ] {
        let done = place.framecost(call);
        assert_eq!(done.code, 0, "{done:?}");
        assert!(!done.stdout.contains(['\u{1b}', '\u{7}']), "{call}: {:?}", done.stdout);
    }
    // JSON that is shown on a terminal acts no more than text, and is still the very same name.
    let name = "to\u{9b}31m\u{202e}wn\u{2066}";
    place.put("b.framecost", &Scene { scene: name, ..Scene::default() }.capture());
    let done = place.framecost("report b.framecost --json");
    assert!(!done.stdout.contains(['\u{9b}', '\u{202e}', '\u{2066}']), "{:?}", done.stdout);
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["reports"][0]["report"]["run"]["scene"], name);
    let missing = place.framecost("report no\u{1b}[31m.framecost");
    assert_eq!(missing.stderr, "error: `no\\u{1b}[31m.framecost` does not exist\n");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    for (name, lit) in [("a.framecost", 5_000), ("b.framecost", 5_001), ("c.framecost", 5_002)] {
        place.put(name, &Scene { lit, ..Scene::default() }.capture());
    }
    let mut child = place
        .command("report a.framecost b.framecost c.framecost --json")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Closed before the first byte is written, or soon after: either way nobody reads on.
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
