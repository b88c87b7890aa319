//! `framecost history` over folders of captures: what it finds, what it leaves out and says so, and its exit codes.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;

use common::{Done, Place, Scene};
use framecost_sample::{Capture, CaptureParts, Environment, Fact, Reading};

/// The i-th run, an hour after the one before, of a revision of its own.
fn run(i: u64, scene: &Scene, facts: &[(&str, &str)]) -> Capture {
    let fact = |name: &str, value: &str| Fact {
        name: name.into(),
        before: Reading::Measured(value.into()),
        after: Reading::Measured(value.into()),
    };
    let mut all = vec![fact("revision", &format!("r{i:02}"))];
    all.extend(facts.iter().map(|(name, value)| fact(name, value)));
    Capture::new(CaptureParts {
        environment: Environment { facts: all },
        started_at: Some(format!("2026-01-{:02}T{:02}:00:00Z", 1 + i / 24, i % 24)),
        ..scene.capture().into_parts()
    })
    .unwrap()
}

/// Microseconds that differ a little from run to run.
fn lit(i: u64, from: u64, to: u64, at: u64) -> Scene {
    Scene { frames: 20, lit: if i < at { from } else { to } + i * 37 % 11, ..Scene::default() }
}

/// Twenty runs under `runs`, each in a folder of its revision: the last eight take a tenth longer.
fn slower() -> Place {
    let place = Place::new();
    for i in 0..20 {
        fs::create_dir_all(place.path(&format!("runs/r{i:02}"))).unwrap();
        place.put(&format!("runs/r{i:02}/town.framecost"), &run(i, &lit(i, 5_000, 5_600, 12), &[]));
    }
    place
}

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.stdout).unwrap()
}

#[test]
fn a_step_is_found_over_a_folder_and_fails_only_where_it_is_asked_to() {
    let place = slower();
    let done = place.framecost("history town runs");
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{done:?}");
    assert!(done.stdout.contains("between r11 and r12: +10.0 %"), "{}", done.stdout);
    assert!(
        done.stdout.contains("next: framecost ab --a BUILD-OF-r11 --b BUILD-OF-r12 -- town --size 2560x1440")
    );
    assert_eq!(place.framecost("history town runs --fail-on-change").code, 1);
    assert_eq!(place.framecost("history town runs --fail-on-change --blessed r13").code, 0, "accepted");
    let done =
        place.framecost("history town runs --metric gpu_total --metric attributed/* --statistic max --json");
    let json = json(&done);
    let figures: Vec<&str> =
        json["series"].as_array().unwrap().iter().map(|it| it["figure"].as_str().unwrap()).collect();
    assert_eq!(figures, ["gpu_total", "attributed/culling", "attributed/lit"]);
    assert_eq!(json["series"][2]["steps"][0]["after"], 12);
    assert_eq!(json["series"][1]["steps"].as_array().unwrap().len(), 0, "culling stayed as it was");
    assert_eq!(json["series"][0]["points"][0]["runs"][0]["path"], "runs/r00/town.framecost");
}

#[test]
fn ixa_882_a_damaged_capture_is_named_and_no_history_without_it_passes_for_a_whole_one() {
    let place = slower();
    let damaged = place.path("runs/r03/town.framecost/stamps.parquet");
    let mut bytes = fs::read(&damaged).unwrap();
    bytes[100] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    place.write("runs/r04/empty.framecost/readme", "no capture");
    let done = place.framecost("history town runs");
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.stdout.contains("left out: 2 captures"), "{}", done.stdout);
    assert!(done.stdout.contains(
        "runs/r03/town.framecost: `runs/r03/town.framecost/SHA256SUMS`: `stamps.parquet` hashes to"
    ));
    assert!(
        done.stdout
            .contains("runs/r04/empty.framecost: `runs/r04/empty.framecost/SHA256SUMS` does not exist")
    );
    assert!(done.stdout.contains("between r11 and r12"), "what can be read is still judged: {}", done.stdout);
    assert_eq!(
        place.framecost("history town runs --fail-on-change").code,
        1,
        "a loss is a loss all the same"
    );
    let json = json(&place.framecost("history town runs --json"));
    assert_eq!(json["left_out"].as_array().unwrap().len(), 2);
}

#[test]
fn opentelemetry_python_5317_a_scene_that_was_renamed_is_told_what_there_is() {
    let place = slower();
    let done = place.framecost("history city runs");
    assert_eq!((done.code, done.stdout.as_str()), (3, ""));
    assert_eq!(done.stderr, "error: no captures of scene `city` under `runs`; there are those of `town`\n");
    fs::create_dir(place.path("empty")).unwrap();
    let done = place.framecost("history city empty --json");
    assert_eq!((done.code, done.stdout.as_str()), (3, ""), "no text where a program reads");
    assert!(done.stderr.ends_with("there are none of any other scene either\n"), "{done:?}");
    let done = place.framecost("history town nowhere");
    assert_eq!(done.code, 3);
    assert!(done.stderr.starts_with("error: `nowhere` is no folder"), "{done:?}");
}

#[test]
fn a_gate_that_could_judge_nothing_does_not_pass() {
    let place = Place::new();
    for i in 0..5 {
        place.put(&format!("out/{i}.framecost"), &run(i, &lit(i, 5_000, 5_000, 0), &[]));
    }
    let done = place.framecost("history town");
    assert!(done.code == 0 && done.stdout.starts_with("NOT JUDGED"), "{done:?}");
    assert_eq!(place.framecost("history town --fail-on-change").code, 3);
}

#[test]
fn a_run_that_stands_twice_counts_once_and_links_are_named() {
    let place = slower();
    place.put("runs/copy.framecost", &run(3, &lit(3, 5_000, 5_600, 12), &[]));
    let json = json(&place.framecost("history town runs --json"));
    assert_eq!(json["notes"][0], "1 folder with a run that stands elsewhere too: it counts once");
    assert_eq!(json["series"][0]["points"][3]["runs"].as_array().unwrap().len(), 1);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(place.path("runs/copy.framecost"), place.path("runs/link.framecost"))
            .unwrap();
        std::os::unix::fs::symlink(place.path("runs"), place.path("runs/ring")).unwrap();
        let done = place.framecost("history town runs");
        assert_eq!(done.code, 3);
        assert!(done.stdout.contains("runs/link.framecost: is a link, which is not followed"), "{done:?}");
    }
}

#[test]
fn prisma_29804_a_reference_of_the_same_session_takes_the_machine_out() {
    let place = Place::new();
    for i in 0..20 {
        // Every other machine is slower by half, for both scenes; `lit` is what is left of a frame after a millisecond.
        let machine = |us: u64| (if i % 2 == 0 { us } else { us * 3 / 2 }) - 1_000;
        let town = Scene { lit: machine(if i < 12 { 6_000 } else { 6_600 }), frames: 20, ..Scene::default() };
        let wall = Scene { lit: machine(3_000), scene: "wall", frames: 20, ..Scene::default() };
        place.put(&format!("out/town-{i:02}.framecost"), &run(i, &town, &[]));
        place.put(&format!("out/wall-{i:02}.framecost"), &run(i, &wall, &[]));
    }
    assert_eq!(place.framecost("history town --fail-on-change").code, 0, "drowned");
    let done = place.framecost("history town --reference wall --session 10 --fail-on-change");
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.contains("divided by wall, same session"), "{}", done.stdout);
    assert!(done.stdout.contains("between r11 and r12"), "{}", done.stdout);
    let done = place.framecost("history town --reference sky");
    assert_eq!(
        (done.code, done.stderr.as_str()),
        (3, "error: no captures of reference scene `sky` under `out`\n")
    );
    let done = place.framecost("history town --reference out/wall-00.framecost --json");
    let json = json(&done);
    let values: Vec<bool> = json["series"][0]["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["value"].is_number())
        .collect();
    assert_eq!(values.iter().filter(|measured| **measured).count(), 2, "within an hour: {values:?}");
}

#[test]
fn runs_of_one_environment_can_be_picked() {
    let place = Place::new();
    for i in 0..24 {
        let cpu = if i % 2 == 0 { "fast" } else { "slow" };
        let us = if i % 2 == 0 { 5_000 } else { 8_000 };
        place.put(&format!("out/{i:02}.framecost"), &run(i, &lit(i, us, us, 0), &[("cpu", cpu)]));
    }
    let all = json(&place.framecost("history town --json"));
    assert_eq!(all["series"][0]["breaks"].as_array().unwrap().len(), 23);
    assert_eq!(all["rules"]["tests"], 0);
    let fast = json(&place.framecost("history town --where cpu=fast --json"));
    assert_eq!(fast["series"][0]["points"].as_array().unwrap().len(), 12);
    assert_eq!(
        (&fast["rules"]["tests"], &fast["notes"][0]),
        (&2.into(), &"12 captures left aside by --where".into())
    );
}

#[test]
fn what_cannot_be_meant_is_wrong_use() {
    let place = slower();
    for (wrong, says) in [
        ("--metric sky", "--metric sky: no capture of the scene has it"),
        ("--metric attributed/", "write METRIC, METRIC/PASS, METRIC/GATE or METRIC/*"),
        ("--limit 2", "write 2%"),
        ("--limit two", "write a percentage from 0 to 1000, such as 2%"),
        ("--limit -2%", "unexpected argument"),
        ("--statistic average", "write one of min, median, p95, p99, mean, max"),
        ("--reference no.framecost", "`no.framecost` is no capture folder"),
        ("--where cpu", "write FACT=VALUE"),
        ("--newest 5", "5 is not in 10..=200"),
    ] {
        let done = place.framecost(&format!("history town runs {wrong}"));
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{wrong}: {done:?}");
        assert!(done.stderr.contains(says), "{wrong}: {}", done.stderr);
    }
    place.write("framecost.toml", "[metric.gpu_total]\nfloor = \"5 KiB\"\n");
    let done = place.framecost("history town runs");
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
    assert!(done.stderr.contains("`5 KiB` is not in the unit of gpu_total"), "{}", done.stderr);
}
