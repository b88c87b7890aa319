//! Builds and variants in turns: `ab` over programs that hand out captures with known figures, `bench --interleave frames`,
//! `calibrate` and `selftest` for real, small and short. Without any adapter the latter fail, unless
//! `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use common::{Done, Place, Scene, adapter};
use framecost_sample::{Pairing, Side};

const SMALL: &str = "--size 64x36 --frames 24 --warmup 1 --calibration 0";

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.stdout).unwrap_or_else(|fault| panic!("{fault}: {done:?}"))
}

/// A program that takes bench's arguments: a script whose last argument is the folder of `--out`.
fn program(place: &Place, name: &str, body: &str) {
    let text =
        format!("#!/bin/sh\nfor out in \"$@\"; do :; done\ncd \"$(dirname \"$0\")\" || exit 9\n{body}\n");
    place.write(name, &text);
    fs::set_permissions(place.path(name), fs::Permissions::from_mode(0o755)).unwrap();
}

/// A program whose k-th run leaves the k-th capture: one for each of these times of `lit`.
fn build(place: &Place, name: &str, scene: &Scene, lit: &[u64]) {
    for (run, &lit) in lit.iter().enumerate() {
        place.put(&format!("{name}-runs/{run}.framecost"), &Scene { lit, ..scene.clone() }.capture());
    }
    let body = format!(
        "run=$(cat {name}.count 2>/dev/null || echo 0)\n\
         echo $((run + 1)) > {name}.count\n\
         echo {name} >> order\n\
         mkdir -p \"$out\" && cp -r {name}-runs/$run.framecost \"$out/town.framecost\""
    );
    program(place, name, &body);
}

/// The machine slows down by a half over four pairs, and both of a pair with it.
const DRIFT: [u64; 4] = [5_000, 5_800, 6_600, 7_500];

#[test]
fn two_builds_are_judged_by_pairs_whatever_the_machine_does() {
    let place = Place::new();
    build(&place, "old", &Scene::default(), &DRIFT);
    build(&place, "new", &Scene::default(), &DRIFT.map(|lit| lit * 12 / 10));
    let done = place.framecost("ab --a old --b new --pairs 4 --json -- town");
    assert_eq!(done.code, 1, "{done:?}");
    assert_eq!(fs::read_to_string(place.path("order")).unwrap(), "old\nnew\nnew\nold\nold\nnew\nnew\nold\n");
    let found = json(&done);
    assert_eq!((found["outcome"].as_str(), found["exit_code"].as_u64()), (Some("regressed"), Some(1)));
    let rows = found["pairs"][0]["rows"].as_array().unwrap();
    let lit = rows.iter().find(|row| row["figure"] == "attributed/lit").unwrap();
    assert_eq!(lit["verdict"], "fail");
    assert!((lit["evidence"]["change"].as_f64().unwrap() - 0.2).abs() < 1e-3, "{lit}");
    assert_eq!(lit["evidence"]["each"].as_array().unwrap().len(), 4);
    let kept: Vec<&str> =
        found["captures"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(
        kept[..3],
        ["out/ab/town-a-1.framecost", "out/ab/town-b-1.framecost", "out/ab/town-b-2.framecost"]
    );
    for path in kept {
        framecost_store::read(&place.path(path)).unwrap();
    }
    let left: Vec<_> =
        fs::read_dir(place.path("out/ab")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left.len(), 8, "captures and nothing else: {left:?}");
}

#[test]
fn equal_builds_pass_and_the_text_says_by_what() {
    let place = Place::new();
    build(&place, "old", &Scene::default(), &DRIFT);
    build(&place, "new", &Scene::default(), &DRIFT);
    let done = place.framecost("ab --a old --b ./new --pairs 4 -- town");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(
        done.stdout.contains("PASSED  town: ./new against old, 4 pairs run by run in turn"),
        "{}",
        done.stdout
    );
    assert!(done.stdout.contains("gpu_total median"), "{}", done.stdout);
    assert!(done.stdout.ends_with("8 captures in `out/ab`\n"), "{}", done.stdout);
}

#[test]
fn a_program_that_does_not_measure_is_named_with_its_last_words() {
    let place = Place::new();
    build(&place, "sound", &Scene::default(), &DRIFT);
    program(&place, "broken", "echo 'error: no \u{1b}[31madapter' >&2; exit 3");
    program(&place, "idle", "echo 'note: nothing to do' >&2");
    build(&place, "other", &Scene { adapter: "Another GPU", ..Scene::default() }, &DRIFT);
    program(
        &place,
        "renamed",
        "mkdir -p \"$out\" && cp -r sound-runs/0.framecost \"$out/village.framecost\"",
    );
    for (bad, words) in [
        ("broken", "broken` failed (exit status: 3)\n  error: no \\u{1b}[31madapter"),
        ("idle", "idle` left no capture\n  note: nothing to do"),
        (
            "other",
            "other` measured `town` of another key than the first run: adapter: \"Another GPU\" against \"Test GPU\"",
        ),
        ("renamed", "renamed` measured `village`; the first run measured `town`"),
    ] {
        fs::remove_file(place.path("sound.count")).ok();
        let done = place.framecost(&format!("ab --a sound --b {bad} --pairs 2 --out {bad}-out -- town"));
        assert_eq!(done.code, 3, "{done:?}");
        assert!(done.stderr.contains(words), "{bad}: {}", done.stderr);
        let left: Vec<_> = fs::read_dir(place.path(&format!("{bad}-out")))
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        assert_eq!(left, ["town-a-1.framecost"], "{bad}: whole captures only");
    }
}

#[test]
fn what_cannot_be_compared_is_wrong_use_before_anything_runs() {
    let place = Place::new();
    build(&place, "sound", &Scene::default(), &DRIFT);
    for (arguments, words) in [
        ("ab --a sound --b missing -- town", "`missing` is no program"),
        ("ab --a sound --b sound -- town --out here", "`--out` behind `--`"),
        ("ab --a sound --b sound -- town --repeats=3", "`--repeats` behind `--`"),
        ("ab --a sound --b sound --pairs 1 -- town", "1 is not in 2..=1000"),
        ("calibrate orrery -- --repeats 3", "`--repeats` behind `--`"),
        ("calibrate village", "scene `village` is not known"),
        ("selftest --inject 5", "write a percentage above 0 and up to 100, such as 5%"),
        ("selftest --comparisons 0 --injected 0", "nothing would be measured"),
        ("selftest --scene village", "scene `village` is not known"),
        (
            "bench orrery --vary lit_load=1,1",
            "the value `1` stands twice, which only --interleave frames allows",
        ),
        (
            "bench orrery --vary lit_load=1,2,3 --interleave frames",
            "variants 3; allowed: exactly 2, where frames take turns",
        ),
        ("bench orrery --interleave frames", "variants 1; allowed: exactly 2, where frames take turns"),
    ] {
        let done = place.framecost(arguments);
        assert_eq!(done.code, 2, "{arguments}: {done:?}");
        assert!(done.stderr.contains(words), "{arguments}: {}", done.stderr);
        assert!(!place.path("sound.count").exists(), "{arguments}: nothing was run");
    }
}

#[test]
fn frames_of_two_variants_in_turn_are_judged_by_pairs() {
    if !adapter("frames_of_two_variants_in_turn_are_judged_by_pairs") {
        return;
    }
    let place = Place::new();
    let bench =
        format!("bench orrery {SMALL} --vary lit_load=1,1 --interleave frames --repeats 2 --out runs --json");
    let done = place.framecost(&bench);
    // A busy machine's stamps may not be believed, and say so.
    assert!(done.code == 0 || (done.code == 3 && done.stderr.contains("not measured")), "{done:?}");
    let found = json(&done);
    let pairs = &found["pairs"][0];
    assert_eq!((pairs["title"].as_str(), pairs["pairs"].as_u64()), (Some("orrery: the same twice"), Some(2)));
    assert_ne!(pairs["outcome"], "regressed", "equal work, twice: {pairs}");
    let of = |name: &str| {
        let capture =
            framecost_store::read(&place.path(&format!("runs/orrery-64x36-lit_load=1-{name}.framecost")))
                .unwrap();
        assert!(capture.key.instrumentation.0.ends_with("interleaved by frames"));
        Pairing::of(&capture.environment).unwrap()
    };
    assert_eq!((of("a-1").side, of("b-1").side), (Side::A, Side::B));
    assert_eq!(of("a-1").pair, of("b-1").pair);
    assert_ne!(of("a-1").pair, of("a-2").pair);
    assert_eq!((of("a-1").first, of("a-2").first), (true, false), "slots change");
    // Runs in turns are of another key than runs as they are.
    place.framecost(&format!("bench orrery {SMALL} --set lit_load=1 --out plain"));
    let compared = place.framecost(
        "compare plain/orrery-64x36-lit_load=1.framecost --baseline runs/orrery-64x36-lit_load=1-a-1.framecost",
    );
    assert_eq!(compared.code, 3, "{compared:?}");
    assert!(compared.stdout.contains("instrumentation"), "{}", compared.stdout);
}

#[test]
fn an_adapters_noise_is_kept_beside_the_baselines() {
    if !adapter("an_adapters_noise_is_kept_beside_the_baselines") {
        return;
    }
    let place = Place::new();
    // Host times alone, so that nothing hangs on whether a busy machine's stamps are believed.
    let done = place
        .framecost("calibrate orrery --runs 3 --json -- --size 16x9 --frames 6 --warmup 1 --stamps none");
    assert_eq!(done.code, 0, "{done:?}");
    let found = json(&done);
    let profile = &found["profiles"][0];
    assert_eq!((profile["title"].as_str(), profile["runs"].as_u64()), (Some("orrery 16x9"), Some(3)));
    let figures = profile["figures"].as_array().unwrap();
    let host = figures.iter().find(|it| it["figure"] == "cpu_frame").unwrap();
    assert!(
        host["spread"].as_f64().unwrap() > 0.0 && host["smallest"].as_f64() > host["spread"].as_f64(),
        "{host}"
    );
    let kept: Vec<_> =
        fs::read_dir(place.path("bench/baselines")).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(kept.len(), 1, "the profile and nothing else: {kept:?}");
    assert!(kept[0].to_string_lossy().ends_with(".noise.json"), "{kept:?}");
    assert_eq!(place.framecost("baseline list").code, 0, "it is no damaged baseline");
}

#[test]
fn a_selftest_counts_every_comparison() {
    if !adapter("a_selftest_counts_every_comparison") {
        return;
    }
    let arguments = "selftest --comparisons 2 --injected 0 --pairs 2 --frames 24 --warmup 1 --json";
    let done = Place::new().framecost(arguments);
    if done.code == 3 && done.stdout.is_empty() {
        assert!(done.stderr.contains("the frame's GPU time cannot be had"), "{done:?}");
        return;
    }
    assert!(done.code == 0 || done.code == 3, "{done:?}");
    let found = json(&done);
    let sum = |kind: &str| -> u64 {
        found[kind]["frame"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum()
    };
    assert_eq!((sum("equal"), sum("changed")), (2, 0), "{found}");
    assert_eq!(found["equal"]["changes"].as_array().unwrap().len(), 2);
    assert!(
        found["equal"]["frames"][0].as_f64().unwrap() > 20e3,
        "frames are longer than the noise floor: {found}"
    );
}
