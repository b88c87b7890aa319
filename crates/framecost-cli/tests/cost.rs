//! The three readings of one pass, behind the command line, on whatever adapter is here. Times are not asserted. Without any
//! adapter these fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::{Place, adapter};
use serde_json::Value;

const SMALL: &str = "--scene orrery --size 64x36 --frames 6 --warmup 1 --repeats 2";

/// Whether the reading has a mean over two runs of six frames with an interval around it, or else a reason.
fn is_whole(reading: &Value) -> bool {
    let Some(mean) = reading["mean"].as_f64() else {
        assert!(reading["mean"]["missing"].is_string() && reading["runs"] == 0, "{reading}");
        return false;
    };
    let ends = ["low", "high"].map(|end| reading["interval"][end].as_f64().unwrap());
    assert!(ends[0] <= mean && mean <= ends[1], "{reading}");
    assert_eq!(
        (&reading["runs"], &reading["frames"], &reading["unit"]),
        (&2.into(), &6.into(), &"ns".into())
    );
    let each = reading["each"].as_array().unwrap();
    let sum: f64 = each.iter().map(|value| value.as_f64().unwrap()).sum();
    assert!(each.len() == 2 && (sum / 2.0 - mean).abs() < 1e-3, "{reading}");
    true
}

#[test]
fn a_pass_has_three_readings_and_the_captures_are_kept() {
    if !adapter("a_pass_has_three_readings_and_the_captures_are_kept") {
        return;
    }
    let place = Place::new();
    let done = place.framecost(&format!("cost lit {SMALL} --json"));
    let value: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    assert_eq!((&value["framecost_cost"], &value["pass"]), (&1.into(), &"lit".into()));
    let readings = value["readings"].as_array().unwrap();
    let names: Vec<&str> = readings.iter().map(|reading| reading["reading"].as_str().unwrap()).collect();
    assert_eq!(names, ["exposed", "alone", "marginal"]);
    let whole = readings.iter().filter(|reading| is_whole(reading)).count();
    // On an adapter whose stamps are not believed there is a reason instead.
    assert!(whole == 3 && done.code == 0 || whole == 0 && done.code == 3, "{done:?}");
    let marginal = readings[2]["how"].as_str().unwrap();
    assert_eq!(marginal, "gpu_total of each frame, lit_load=2 less lit_load=1, runs in turns");
    assert!(readings[2]["question"].as_str().unwrap().contains("one more of it"), "{marginal}");
    let captures: Vec<&str> =
        value["captures"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    // Variants take turns, forth and back; serial runs follow.
    let stems =
        ["running-1", "running-lit_load=2-1", "running-lit_load=2-2", "running-2", "serial-1", "serial-2"];
    assert_eq!(captures, stems.map(|stem| format!("out/cost/orrery-lit-{stem}.framecost")));
    let serial = framecost_store::read(&place.path(captures[4])).unwrap();
    assert!(serial.key.instrumentation.0.ends_with(", serial"), "{:?}", serial.key);
    let mut submissions: Vec<u32> =
        serial.stamps.iter().filter(|stamp| stamp.frame == 0).map(|stamp| stamp.submission).collect();
    submissions.dedup();
    assert_eq!(submissions.len(), serial.passes.len(), "each pass in a submission of its own");
    let text = place.framecost(&format!("cost lit {SMALL} --out kept")).stdout;
    assert!(
        text.contains("none of them is \"the\" cost") && text.ends_with("captures: 6 in `kept`\n"),
        "{text}"
    );
    // A serial run is never compared with one that is as it is.
    let crossed = place.framecost(&format!("compare {} --baseline {}", captures[4], captures[0]));
    assert_eq!(crossed.code, 3, "{crossed:?}");
}

#[test]
fn a_pass_that_is_repeated_as_often_as_can_be_is_held_against_one_less() {
    if !adapter("a_pass_that_is_repeated_as_often_as_can_be_is_held_against_one_less") {
        return;
    }
    let place = Place::new();
    let few = "--scene orrery --size 64x36 --frames 2 --warmup 1 --repeats 1 --set culling_two_load=64";
    let done = place.framecost(&format!("cost culling_two {few} --json"));
    let value: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    let marginal = &value["readings"][2];
    let how = "gpu_total of each frame, culling_two_load=64 less culling_two_load=63, runs in turns";
    assert_eq!(marginal["how"], how);
    assert!(marginal["question"].as_str().unwrap().contains("one more of it"), "{marginal}");
    let captures: Vec<&str> =
        value["captures"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    let stems =
        ["running-culling_two_load=64-1", "running-culling_two_load=63-1", "serial-culling_two_load=64-1"];
    assert_eq!(captures, stems.map(|stem| format!("out/cost/orrery-culling_two-{stem}.framecost")));
    // With more of it less with less of it, as a report over the two captures has it.
    if let Some(mean) = marginal["mean"].as_f64() {
        let report = place.framecost(&format!("report {} {} --json", captures[1], captures[0])).stdout;
        let report: Value = serde_json::from_str(&report).unwrap();
        let difference = &report["differences"][0];
        assert_eq!((&difference["more"], &difference["less"]), (&"64".into(), &"63".into()), "{difference}");
        assert_eq!(difference["figures"][0]["median"].as_f64(), Some(mean), "{difference}");
    }
}

#[test]
fn what_cannot_be_asked_for_is_wrong_use_before_anything_is_measured() {
    let place = Place::new();
    for (wrong, why) in [
        ("cost lot --scene orrery", "scene `orrery` has no pass `lot`; it has bend, blas_refit, "),
        ("cost lit --scene sky", "scene `sky` is not known"),
        ("cost lit", "--scene <SCENE>"),
        ("cost lit --scene orrery --set lit_load=0", "cannot be `0`"),
        ("cost lit --scene orrery --repeats 0", "repeats 0; allowed: at least 1"),
        ("cost lit --scene orrery --frames 0", "frames 0; allowed: 1 to "),
    ] {
        let done = place.framecost(wrong);
        assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{wrong}: {done:?}");
        assert!(done.stderr.contains(why), "{wrong}: {done:?}");
    }
    assert!(!place.path("out").exists(), "nothing was measured, nothing is left");
}
