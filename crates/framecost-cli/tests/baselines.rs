//! Stored baselines on the command line: saved, listed, shown, removed; renamed and damaged ones are named.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;

use common::{Done, Place, Scene};

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
    insta::assert_snapshot!(redact(&place, &place.framecost("baseline list")), @"no baselines under `bench/baselines`; `baseline save CAPTURE` keeps one there");
    insta::assert_snapshot!(redact(&place, &place.framecost("baseline save a.framecost")), @r"
    saved 1 run: town on Test GPU (vulkan), 2560x1440, no switches, instrumentation stamps, measured 2026-01-31T12:00:00Z
      `bench/baselines/town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9`
    commit this folder; `compare` takes it for every run of the same key
    ");
    insta::assert_snapshot!(redact(&place, &place.framecost("baseline list")), @r"
    town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9
      town on Test GPU (vulkan), 2560x1440, no switches, instrumentation stamps, measured 2026-01-31T12:00:00Z, 1 run
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
    insta::assert_snapshot!(done.stderr, @r#"error: `a.framecost` and `b.framecost` are of different keys: scene: "town" against "desert"; a baseline is of one key: one call per scene and set of switches"#);
}

#[test]
fn a_damaged_baseline_is_listed_and_is_exit_code_3() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.framecost("baseline save a.framecost");
    place.write("bench/baselines/broken/baseline.json", "{");
    let done = place.framecost("baseline list");
    assert_eq!(done.code, 3);
    insta::assert_snapshot!(redact(&place, &done), @r"
    broken
      damaged: `bench/baselines/broken/baseline.json`: EOF while parsing an object at line 1 column 1
    town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9
      town on Test GPU (vulkan), 2560x1440, no switches, instrumentation stamps, measured 2026-01-31T12:00:00Z, 1 run
    ");
    insta::assert_snapshot!(done.stderr, @"1 damaged: bring the folder back from version control, or remove it and save the baseline anew");
    let json = place.framecost("baseline list --json");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let keys: Vec<&String> = json["baselines"][0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["damaged", "name"], "what does not apply is left out");
    let shown = place.framecost("baseline show broken");
    assert_eq!(shown.code, 3);
    insta::assert_snapshot!(shown.stderr, @"error: baseline `broken` cannot be used: `bench/baselines/broken/baseline.json`: EOF while parsing an object at line 1 column 1");
}

#[test]
fn a_renamed_baseline_is_damaged_wherever_it_is_named() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    let saved = place.framecost("baseline save a.framecost --json");
    let saved: serde_json::Value = serde_json::from_str(&saved.stdout).unwrap();
    let name = saved["baselines"][0]["name"].as_str().unwrap();
    fs::rename(place.path("bench/baselines").join(name), place.path("bench/baselines/best")).unwrap();
    for call in ["baseline list", "baseline show best", "compare a.framecost --baseline best"] {
        let done = place.framecost(call);
        assert_eq!(done.code, 3, "{done:?}");
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(said.contains("a baseline's folder has the name of its key"), "{call}: {said}");
    }
    // Nor is it taken for no baseline at all, whatever else is compared beside it.
    place.put("b.framecost", &Scene { switches: &[("culling", "off")], ..Scene::default() }.capture());
    assert_eq!(place.framecost("baseline save b.framecost").code, 0);
    for call in ["compare a.framecost", "compare a.framecost b.framecost"] {
        let done = place.framecost(call);
        assert_eq!(done.code, 3, "{call}: {done:?}");
        assert!(done.stderr.contains("a baseline's folder has the name of its key"), "{call}: {done:?}");
    }
}

#[test]
fn a_baseline_saved_again_says_that_it_replaced_one() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.put("b.framecost", &Scene { lit: 6_000, ..Scene::default() }.capture());
    place.framecost("baseline save a.framecost");
    let done = place.framecost("baseline save a.framecost b.framecost");
    insta::assert_snapshot!(redact(&place, &done), @r"
    saved 2 runs, in place of the baseline before: town on Test GPU (vulkan), 2560x1440, no switches, instrumentation stamps, measured 2026-01-31T12:00:00Z
      `bench/baselines/town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9`
    commit this folder; `compare` takes it for every run of the same key
    ");
    let twice = place.framecost("baseline save a.framecost a.framecost");
    assert_eq!(twice.code, 2);
    insta::assert_snapshot!(twice.stderr, @"error: `a.framecost` holds the same run as `a.framecost`: a run counts once");
}

#[test]
fn a_damaged_run_of_a_baseline_is_named() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    let saved = place.framecost("baseline save a.framecost --json");
    let saved: serde_json::Value = serde_json::from_str(&saved.stdout).unwrap();
    let name = saved["baselines"][0]["name"].as_str().unwrap();
    fs::remove_dir_all(place.path("bench/baselines").join(name).join("run-1.framecost")).unwrap();
    let done = place.framecost(&format!("baseline show {name}"));
    assert_eq!(done.code, 3);
    insta::assert_snapshot!(done.stderr, @"error: baseline `town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9` cannot be used: `bench/baselines/town-test-gpu-vulkan-2560x1440-6e9e296c0c7fc9b9/run-1.framecost` does not exist");
}
