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
    assert_eq!(place.framecost("baseline save twin/b.framecost").code, 0);
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

#[test]
fn a_folder_above_or_below_the_baselines_says_where_they_are() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.framecost("baseline save a.framecost");
    let name = fs::read_dir(place.path("bench/baselines")).unwrap().next().unwrap().unwrap().file_name();
    for root in ["bench".to_owned(), ".".to_owned(), format!("bench/baselines/{}", name.to_str().unwrap())] {
        let done = place.framecost(&format!("baseline list --baselines {root}"));
        assert_eq!(done.code, 3, "{done:?}");
        assert!(
            done.stdout
                .contains("none of its folders holds a `baseline.json`; there are some with --baselines "),
            "{done:?}"
        );
        assert!(done.stdout.trim_end().ends_with("bench/baselines"), "{done:?}");
        let compared = place.framecost(&format!("compare a.framecost --baselines {root}"));
        assert_eq!(compared.code, 3, "{compared:?}");
        assert!(compared.stdout.contains("bench/baselines"), "{}", compared.stdout);
    }
    let empty = place.framecost("baseline list --baselines a.framecost");
    assert!(!empty.stdout.contains("there are some"), "{empty:?}");
}

/// Two scenes, one of whose baselines is damaged: the other is judged, and the exit code never says that all is well.
#[test]
fn one_damaged_baseline_ends_nothing_for_the_others() {
    let place = Place::new();
    place.put("town.framecost", &Scene::default().capture());
    place.put("desert.framecost", &Scene { scene: "desert", ..Scene::default() }.capture());
    let slow = Scene { scene: "desert", lit: 9_000, ..Scene::default() };
    place.put("slow.framecost", &slow.capture());
    for name in ["twin/town", "twin/desert"] {
        assert_eq!(place.framecost(&format!("baseline save {name}.framecost")).code, 0);
    }
    let town = fs::read_dir(place.path("bench/baselines"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_str().unwrap().contains("town"))
        .unwrap();
    fs::write(town.join("baseline.json"), "{").unwrap();
    let alone = place.framecost("compare town.framecost");
    assert_eq!(alone.code, 3, "{alone:?}");
    assert!(alone.stderr.starts_with("error: "), "{alone:?}");
    for options in ["", " --no-baseline pass"] {
        let both = place.framecost(&format!("compare town.framecost desert.framecost{options}"));
        assert_eq!(both.code, 3, "{both:?}");
        assert!(both.stdout.contains("the baseline cannot be read: "), "{}", both.stdout);
        assert!(both.stdout.contains("1 not measured, 1 passed"), "{}", both.stdout);
        assert!(
            both.stderr.contains("note: a baseline cannot be read, the other sets are compared"),
            "{both:?}"
        );
        assert!(!both.stderr.contains("keep one with"), "nothing to save over: {both:?}");
    }
    let worse = place.framecost("compare town.framecost slow.framecost");
    assert_eq!(worse.code, 1, "a loss is certain: {worse:?}");
}

/// A command that is suggested can be pasted, whatever the folders are called.
#[test]
fn a_suggested_command_can_be_pasted() {
    let place = Place::new();
    place.put("my runs/it's $HOME.framecost", &Scene::default().capture());
    let run = |options: &[&str]| {
        let mut command = place.command("compare --rule threshold");
        command.arg("my runs/it's $HOME.framecost").args(options);
        Done::from(command.output().unwrap())
    };
    let done = run(&[]);
    assert_eq!(done.code, 3, "{done:?}");
    let command = r"framecost baseline save 'my runs/it'\''s $HOME.framecost'";
    assert!(done.stderr.contains(command) && done.stdout.contains(command), "{done:?}");
    fs::create_dir(place.path("old runs")).unwrap();
    let elsewhere = run(&["--baselines", "old runs"]);
    let command = format!("{command} --baselines 'old runs'");
    assert!(elsewhere.stderr.contains(&command), "{elsewhere:?}");
    if cfg!(unix) {
        let pasted = command.replacen("framecost", env!("CARGO_BIN_EXE_framecost"), 1);
        let mut shell = std::process::Command::new("sh");
        let pasted = shell.arg("-c").arg(pasted).current_dir(place.path("")).output().unwrap();
        assert!(pasted.status.success(), "{command}: {pasted:?}");
        assert_eq!(fs::read_dir(place.path("old runs")).unwrap().count(), 1);
    }
}
