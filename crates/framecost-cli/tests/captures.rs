//! Reports, recounts and baselines over captures whose figures are known; names and paths from strangers; readers that go.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::process::Stdio;

use common::{Done, Place, Scene};

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
    let unknown = place.framecost("recount a.framecost --floor pass:sky");
    assert_eq!(unknown.code, 2);
    insta::assert_snapshot!(unknown.stderr, @"error: `a.framecost`: floor names pass `sky`, which the capture does not have; the capture's passes are culling, lit");
}

/// The slug's hash, which stands for the whole key, is tested in the store.
fn redact(place: &Place, done: &Done) -> String {
    let text = done.stdout.replace(place.path("").to_str().unwrap(), "");
    text.lines()
        .map(|line| line.split("sha256").next().unwrap_or(line).trim_end())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_baseline_is_saved_listed_shown_and_removed() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    insta::assert_snapshot!(redact(&place, &place.framecost("baseline list")), @"no baselines under `bench/baselines`");
    insta::assert_snapshot!(redact(&place, &place.framecost("baseline save a.framecost")), @"saved 1 run(s) as `bench/baselines/town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9`");
    insta::assert_snapshot!(redact(&place, &place.framecost("baseline list")), @r"
    town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9
      town on Test GPU (vulkan), 2560x1440, no switches, 1 run(s), measured 2026-01-31T12:00:00Z
    ");
    let json = place.framecost("baseline list --json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let name = json["baselines"][0]["name"].as_str().unwrap().to_owned();
    assert_eq!(json["baselines"][0]["key"]["scene"], "town");
    insta::assert_snapshot!(redact(&place, &place.framecost(&format!("baseline show {name}"))), @r"
    `bench/baselines/town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9`
      benchmark         tests
      scene             town
      switches          no switches
      adapter           Test GPU (discrete)
      backend           vulkan
      size              2560x1440
      settings          00
      instrumentation   stamps
      frames in flight  2
      stamps            top-bottom
      measured          2026-01-31T12:00:00Z
      run               run-1.framecost
    ");
    assert_eq!(place.framecost(&format!("baseline remove {name}")).code, 0);
    assert_eq!(place.framecost(&format!("baseline show {name}")).code, 3);
}

#[test]
fn a_baseline_of_unlike_runs_is_wrong_use() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.put("b.framecost", &Scene { scene: "desert", ..Scene::default() }.capture());
    let done = place.framecost("baseline save a.framecost b.framecost");
    assert_eq!(done.code, 2);
    insta::assert_snapshot!(done.stderr, @r#"error: `a.framecost` and `b.framecost` are of different keys: scene: "town" against "desert""#);
}

#[test]
fn a_damaged_baseline_is_listed_and_is_exit_code_3() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.framecost("baseline save a.framecost");
    place.write("bench/baselines/broken/baseline.json", "{");
    let done = place.framecost("baseline list");
    assert_eq!(done.code, 3);
    assert!(
        done.stdout.contains("broken\n  damaged: ") && done.stdout.contains("town on Test GPU"),
        "{done:?}"
    );
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
    let missing = place.framecost("report no\u{1b}[31m.framecost");
    assert_eq!(missing.stderr, "error: `no\\u{1b}[31m.framecost` does not exist\n");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_error() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    let mut child = place
        .command("report a.framecost a.framecost a.framecost --json")
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
