//! Measuring for real, small and short, on whatever adapter is here: from `bench` to `compare`. Without any adapter these fail,
//! unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use common::{Done, Place, adapter};
use framecost_sample::{Reading, Reason};

const SMALL: &str = "--size 64x36 --frames 6 --warmup 2 --calibration 1";

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.stdout).unwrap()
}

#[test]
fn adapters_says_what_each_can_stamp() {
    if !adapter("adapters_says_what_each_can_stamp") {
        return;
    }
    let done = Place::new().framecost("adapters --json");
    let all = json(&done);
    let first = &all["adapters"][0];
    assert!(first["name"].is_string() && first["class"].is_string(), "{done:?}");
    assert!(first["support"]["semantics"].is_string() || first["fault"].is_string(), "{done:?}");
    for trial in first["trials"].as_array().unwrap() {
        assert!((1..=3).contains(&trial["attempt"].as_u64().unwrap()), "{trial}");
        for row in trial["rows"].as_array().unwrap() {
            assert!(row["slack_ns"].as_f64().is_some_and(|slack| slack >= 0.0), "{row}");
            assert!(row["agreeing"].as_u64() <= trial["tries"].as_u64(), "{row}");
        }
    }
}

#[test]
fn the_scenes_are_listed_without_measuring() {
    let done = Place::new().framecost("bench --list");
    assert_eq!(done.code, 0);
    assert!(done.stdout.starts_with("orrery: ") && done.stdout.contains("--set lit_load=1"), "{done:?}");
    let all = json(&Place::new().framecost("bench --list --json"));
    assert_eq!(all["scenes"][0]["switches"]["lit_load"]["default"], "1");
}

#[test]
fn a_run_leaves_its_report_and_its_capture() {
    if !adapter("a_run_leaves_its_report_and_its_capture") {
        return;
    }
    let place = Place::new();
    let done = place.framecost(&format!("bench orrery {SMALL} --out runs"));
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("orrery") && done.stdout.contains("gpu_total"), "{}", done.stdout);
    assert!(done.stdout.ends_with("capture: `runs/orrery-64x36.framecost`\n"), "{}", done.stdout);
    let capture = framecost_store::read(&place.path("runs/orrery-64x36.framecost")).unwrap();
    assert_eq!(capture.frames, (0..6).collect::<Vec<_>>());
    assert_eq!((capture.counts.warm_up, capture.counts.calibration), (2, 2), "one pair of calibration");
    assert!(done.stdout.contains("2 warm-up and 2 calibration frames left out"), "{}", done.stdout);
    let silent = std::env::var_os("MESA_VK_DEVICE_SELECT").is_some() || done.stderr.is_empty();
    assert!(silent, "a run in which nothing is odd says nothing: {}", done.stderr);
    // The same capture gives the same report, in this process or the next.
    let report = place.framecost("report runs/orrery-64x36.framecost").stdout;
    assert_eq!(done.stdout.split("\ncapture: ").next().unwrap().trim_end(), report.trim_end());
    assert_eq!(place.framecost("recount runs/orrery-64x36.framecost --floor none").code, 0);
}

#[test]
fn variants_and_repeats_are_named_by_the_arguments() {
    if !adapter("variants_and_repeats_are_named_by_the_arguments") {
        return;
    }
    let place = Place::new();
    let done = place.framecost(&format!("bench orrery {SMALL} --vary lit_load=1,2 --repeats 2 --json"));
    assert_eq!(done.code, 0, "{done:?}");
    let runs = json(&done)["runs"].as_array().unwrap().clone();
    let captures: Vec<&str> = runs.iter().map(|run| run["capture"].as_str().unwrap()).collect();
    // Variants take turns, forth and back.
    assert_eq!(
        captures,
        [
            "out/orrery-64x36-lit_load=1-1.framecost",
            "out/orrery-64x36-lit_load=2-1.framecost",
            "out/orrery-64x36-lit_load=2-2.framecost",
            "out/orrery-64x36-lit_load=1-2.framecost",
        ]
    );
    assert_eq!(runs[1]["report"]["run"]["switches"]["lit_load"], "2");
    let added = &json(&done)["differences"][0];
    assert_eq!(
        (&added["more"], &added["less"], &added["pairs_of_runs"]),
        (&"2".into(), &"1".into(), &2.into())
    );
    for capture in captures {
        framecost_store::read(&place.path(capture)).unwrap();
    }
}

#[test]
fn what_a_scene_does_not_have_is_wrong_use() {
    if !adapter("what_a_scene_does_not_have_is_wrong_use") {
        return;
    }
    let place = Place::new();
    for wrong in [
        "bench sky",
        "bench orrery --set colour=red",
        "bench orrery --frames 0",
        "bench orrery --frames-in-flight 0",
        "bench orrery --size 1000000x100",
        "bench orrery orrery",
        "bench orrery --vary lit_load=1,2,1",
    ] {
        let done = place.framecost(wrong);
        assert_eq!(done.code, 2, "{wrong}: {done:?}");
    }
    let unknown = place.framecost("bench sky").stderr;
    assert!(unknown.starts_with("error: scene `sky` is not known; there is "), "{unknown}");
    let all = framecost_scenes::all();
    assert!(all.iter().all(|scene| unknown.contains(&scene.info().name)), "{unknown}");
    let large = place.framecost("bench orrery --size 1000000x100").stderr;
    let said = "error: size 1000000x100: 1000000 is past this adapter's limit of ";
    assert!(large.starts_with(said), "{large}");
    let twice = place.framecost("bench orrery --vary lit_load=1,2,1").stderr;
    assert!(twice.contains("the value `1` stands twice"), "{twice}");
    let no_such = place.framecost("bench orrery --adapter no-such-adapter");
    assert_eq!(no_such.code, 3, "{no_such:?}");
    assert!(!place.path("out").exists(), "nothing was measured, nothing is left");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_whole_captures_or_none() {
    if !adapter("an_interrupt_leaves_whole_captures_or_none") {
        return;
    }
    let place = Place::new();
    let child = place
        .command("bench orrery --size 64x36 --frames 20 --warmup 0 --calibration 0 --repeats 1000")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Until the first capture is there, or for a minute: then no verdict hangs on when the signal comes.
    let end = Instant::now() + Duration::from_secs(60);
    while !place.path("out/orrery-64x36-1.framecost").exists() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
    }
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signal.success(), "the run ended before it could be interrupted");
    let done = Done::from(child.wait_with_output().unwrap());
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.stderr.contains("the unfinished run left no capture"), "{done:?}");
    for entry in fs::read_dir(place.path("out")).into_iter().flatten() {
        let path = entry.unwrap().path();
        framecost_store::read(&path).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_folder_that_cannot_be_written_to_is_found_before_anything_is_measured() {
    let place = Place::new();
    place.write("file", "not a folder");
    let done = place.framecost("bench orrery --frames 1 --size 16x16 --out file/below");
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.stderr.contains("--out `file/below` cannot be written to"), "{done:?}");
    assert_eq!(done.stdout, "", "nothing was measured");
}

#[test]
fn frames_stamped_as_a_whole_have_a_time_of_their_own_and_passes_say_that_nobody_stamped_them() {
    if !adapter("frames_stamped_as_a_whole") {
        return;
    }
    let place = Place::new();
    let done = place.framecost(&format!("bench orrery {SMALL} --stamps frame --json"));
    let report = &json(&done)["runs"][0]["report"];
    let times =
        &report["samples"].as_array().unwrap().iter().find(|row| row["metric"] == "bracket_gpu").unwrap();
    // On an adapter whose stamps are not believed there is a reason instead.
    assert!(times["n"] == 6 && done.code == 0 || times["n"] == 0 && done.code == 3, "{done:?}");
    let capture = framecost_store::read(&place.path("out/orrery-64x36.framecost")).unwrap();
    assert_eq!(capture.stamps.len(), 6 * capture.passes.len());
    let unstamped = Reading::Missing(Reason::NotStamped);
    assert!(capture.stamps.iter().all(|stamp| stamp.start == unstamped && stamp.end == unstamped));
    let text = place.framecost("report out/orrery-64x36.framecost").stdout;
    assert!(!text.contains("not executed") && !text.contains("late readback"), "{text}");
    assert!(!text.contains("bottom-bottom"), "{text}");
}
