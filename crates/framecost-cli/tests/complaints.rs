//! What users of other gates complained of, one test each, numbered as in the project's research into regression tools: gates that
//! were green without evidence, and names, files and units that were mistaken for each other. Each drives the program itself.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Done, Place, Scene};
use framecost_sample::{Better, Capture, CaptureParts, Metric, MetricId, Reading, Sample, Unit};

/// A run of the town; `change` makes it another.
fn run(change: impl FnOnce(&mut CaptureParts)) -> Capture {
    let mut parts = Scene::default().capture().into_parts();
    change(&mut parts);
    Capture::new(parts).unwrap()
}

fn lit(us: u64) -> Capture {
    Scene { lit: us, ..Scene::default() }.capture()
}

/// A run that also samples a metric of its own in each frame.
fn sampled(name: &str, unit: Unit, value: f64) -> Capture {
    run(|parts| {
        parts.metrics.push(Metric::new(name, unit, Better::Lower, "of the test"));
        let sample = |&frame: &u64| Sample { frame, metric: MetricId(0), reading: Reading::Measured(value) };
        parts.samples = parts.frames.iter().map(sample).collect();
    })
}

/// A place in which the town's run is the baseline, and `run.framecost` what is compared.
fn place(baseline: &Capture, run: &Capture) -> Place {
    let place = Place::new();
    place.put("base.framecost", baseline);
    place.put("run.framecost", run);
    let saved = place.framecost("baseline save twin/base.framecost");
    assert_eq!(saved.code, 0, "{saved:?}");
    place
}

fn stored(place: &Place) -> PathBuf {
    let mut folders = fs::read_dir(place.path("bench/baselines")).unwrap();
    folders.next().unwrap().unwrap().path()
}

/// The call must not pass, and must say why in these words.
fn check_shut(done: &Done, words: &str) {
    let said = format!("{}{}", done.stdout, done.stderr);
    assert!(done.code == 3 && said.contains(words), "`{words}` is not in {done:?}");
    assert!(!done.stdout.starts_with("PASSED"), "{done:?}");
}

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

#[test]
fn complaint_01_a_gated_benchmark_that_never_ran_is_no_pass() {
    let place = place(&lit(5_000), &lit(5_000));
    place.write(
        "framecost.toml",
        "[[expect]]\nscene = \"desert\"\nadapter = \"discrete\"\npasses = [\"lit\"]\n",
    );
    let done = place.framecost("compare run.framecost");
    check_shut(
        &done,
        "absent: expected runs of desert on discrete: no capture of them was given (framecost.toml, line 2)",
    );
    let absent = &json(&place.framecost("compare run.framecost --json"))["overall"]["census"]["absent"][0];
    assert_eq!(absent["kind"], "scene");
    // Whoever looks at one scene alone says so, and what was left out is named.
    let given = place.framecost("compare run.framecost --expected given");
    assert!(
        given.code == 0 && given.stdout.contains("expected desert on discrete: not asked for"),
        "{given:?}"
    );
}

#[test]
fn complaint_02_a_baseline_that_was_frozen_for_weeks_is_named() {
    let at = |moment: &str| run(|parts| parts.started_at = Some(moment.into()));
    let old = place(&at("2026-01-01T12:00:00Z"), &at("2026-02-06T12:00:00Z"));
    let done = old.framecost("compare run.framecost");
    let said = "its baseline, of 2026-01-01T12:00:00Z, is 36 days older than the run";
    assert!(done.stdout.contains(said), "{done:?}");
    let new = place(&at("2026-01-31T12:00:00Z"), &at("2026-02-06T12:00:00Z"));
    assert!(!new.framecost("compare run.framecost").stdout.contains("older than the run"));
    // One that cannot be kept is an error and not a baseline of yesterday.
    let full = Place::new();
    full.put("base.framecost", &lit(5_000));
    full.write("bench", "a file where the folder should be");
    assert_eq!(full.framecost("baseline save base.framecost").code, 3);
}

#[test]
fn complaint_03_a_comparison_with_an_empty_window_is_no_pass() {
    let later = run(|parts| {
        parts.frames.iter_mut().for_each(|frame| *frame += 1_000);
        parts.stamps.iter_mut().for_each(|stamp| stamp.frame += 1_000);
    });
    check_shut(
        &place(&lit(5_000), &later).framecost("compare run.framecost"),
        "measured frames, none of which both have",
    );
    let none = run(|parts| {
        parts.frames.clear();
        parts.stamps.clear();
        parts.counts.measured = 0;
    });
    let done = place(&none, &none).framecost("compare run.framecost");
    check_shut(&done, "nothing was compared");
}

#[test]
fn complaint_04_floors_that_exempt_every_figure_are_no_pass() {
    let place = place(&lit(5_000), &lit(9_000));
    place.write("framecost.toml", "[defaults]\nfloor_gpu = \"10 s\"\n");
    check_shut(&place.framecost("compare run.framecost"), "no figure could have failed");
    // A floor over some figures leaves the others to judge, and is named.
    place.write("framecost.toml", "[metric.attributed]\nfloor = \"10 s\"\n");
    let some = place.framecost("compare run.framecost");
    assert_eq!(some.code, 1, "{some:?}");
    assert!(
        some.stdout.contains("lets these double without a word: attributed/culling, attributed/lit"),
        "{some:?}"
    );
    // An entry that is missing is not skipped.
    place.write("framecost.toml", "[metric.heap_bytes]\nexpect = true\n");
    check_shut(
        &place.framecost("compare base.framecost"),
        "framecost.toml expects this metric and the run does not have it",
    );
}

#[test]
fn complaint_05_a_frame_that_collapsed_to_a_fraction_of_its_baseline_is_no_pass() {
    let collapsed = run(|parts| {
        for stamp in &mut parts.stamps {
            let start = stamp.frame * 20_000_000 + 100_000 + u64::from(stamp.pass.0) * 90_000;
            stamp.start = Reading::Measured(framecost_sample::Ticks(start));
            stamp.end = Reading::Measured(framecost_sample::Ticks(start + 90_000));
        }
    });
    let done = place(&lit(5_000), &collapsed).framecost("compare run.framecost");
    check_shut(&done, "gpu_total fell to 3.0 % of the baseline: a scene that no longer draws looks just so");
    // A gain by half is a gain.
    assert_eq!(place(&lit(5_000), &lit(1_500)).framecost("compare run.framecost").code, 0);
}

#[test]
fn complaint_06_a_renamed_or_vanished_figure_is_no_pass() {
    // Without the gate, whose definition names the pass: that alone would be refused.
    let renamed = |name: &str| {
        run(|parts| {
            parts.passes[1].name = name.into();
            parts.gates.clear();
        })
    };
    let place = place(&renamed("lit"), &renamed("light"));
    check_shut(
        &place.framecost("compare run.framecost"),
        "the baseline has this figure and the run does not",
    );
    let census = json(&place.framecost("compare run.framecost --json"))["overall"]["census"].clone();
    assert_eq!(census["missing"], serde_json::json!(["attributed/lit median"]));
    assert_eq!(census["no_baseline"], serde_json::json!(["attributed/light median"]));
    // A metric that is no longer emitted.
    let gone = self::place(&sampled("heap_bytes", Unit::Bytes, 1e6), &lit(5_000));
    check_shut(
        &gone.framecost("compare run.framecost"),
        "heap_bytes median: the baseline has this figure and the run does not",
    );
    // A scene under another name has no baseline, which is no pass either.
    let scene = self::place(&lit(5_000), &run(|parts| parts.key.scene = "city".into()));
    check_shut(&scene.framecost("compare run.framecost"), "nothing was compared");
}

#[test]
fn complaint_07_a_file_that_cannot_be_read_is_no_empty_result() {
    let place = place(&lit(5_000), &lit(5_000));
    fs::write(place.path("run.framecost/stamps.parquet"), "PAR1").unwrap();
    let done = place.framecost("compare base.framecost run.framecost");
    assert!(done.code == 3 && done.stdout.is_empty(), "{done:?}");
    assert!(done.stderr.contains("`stamps.parquet` hashes to"), "{done:?}");
    place.write("framecost.toml", "[defaults\n");
    assert_eq!(place.framecost("compare base.framecost").code, 2);
}

#[test]
fn complaint_08_a_baseline_several_times_too_slow_is_named() {
    let done = place(&lit(17_000), &lit(1_000)).framecost("compare run.framecost");
    assert_eq!(done.code, 0, "{done:?}");
    let said = "less than a third of the baseline: gpu_total (11.1 %), attributed/lit (5.9 %), gate/opaque (11.1 %); until a new \
                baseline is saved, this one hides a slowdown";
    assert!(done.stdout.contains(said), "{done:?}");
}

#[test]
fn complaint_09_a_figure_in_another_unit_is_refused_and_not_skipped() {
    let place = place(&sampled("upload", Unit::Nanos, 1e6), &sampled("upload", Unit::Bytes, 1e6));
    check_shut(&place.framecost("compare run.framecost"), "unlike the baseline in: unit of metric upload");
}

#[test]
fn complaint_10_a_loose_default_loosens_no_limit_of_its_own() {
    let place = place(&lit(5_000), &lit(6_000));
    let budget = "[[budget]]\nname = \"frame\"\nof = \"gpu_total\"\nscene = \"town\"\nsize = \"any\"\nstatistic = \"median\"\n\
                  limit = \"6.5 ms\"\nadapter = \"any\"\n";
    for own in
        ["[metric.gpu_total]\nfail = \"5 %\"\n", "[[limit]]\nscene = \"town\"\nfail = \"5 %\"\n", budget]
    {
        place.write("framecost.toml", &format!("[defaults]\nfail = \"1000 %\"\nwarn = \"1000 %\"\n{own}"));
        let done = place.framecost("compare run.framecost");
        assert_eq!(done.code, 1, "{own}: {done:?}");
    }
}

#[test]
fn complaint_11_names_with_levels_find_their_baseline_or_say_that_there_is_none() {
    let named = |scene: &str| run(|parts| parts.key.scene = scene.into());
    let place = place(&named("group/scene/view"), &named("group/scene/view"));
    assert_eq!(place.framecost("compare run.framecost").code, 0);
    place.put("run.framecost", &named("group/scene"));
    let done = place.framecost("compare run.framecost");
    check_shut(&done, "nothing was compared");
    assert!(done.stdout.contains("the nearest stored one, group-scene-view-"), "{done:?}");
    assert!(done.stdout.contains(r#"differs: scene: "group/scene" against "group/scene/view""#), "{done:?}");
}

#[test]
fn complaint_12_an_unreadable_baseline_is_not_an_absent_one() {
    let place = place(&lit(5_000), &lit(5_000));
    let folder = stored(&place);
    for (file, text, said) in [
        ("run-1.framecost/capture.json", "{\"framecost_capture\": 1,", "`capture.json` hashes to"),
        ("baseline.json", "{\"framecost_baseline\": 1,", "EOF while parsing"),
        ("baseline.json", "{\"framecost_baseline\": 99}", "baseline version 99 is not known"),
    ] {
        fs::write(folder.join(file), text).unwrap();
        let done = place.framecost("compare run.framecost");
        check_shut(&done, said);
        assert!(!done.stderr.contains("no baseline"), "{done:?}");
    }
    fs::remove_dir_all(&folder).unwrap();
    check_shut(&place.framecost("compare run.framecost"), "no baseline for this key");
}

#[test]
fn complaint_13_a_regression_and_a_broken_run_have_exit_codes_of_their_own() {
    let place = place(&lit(5_000), &lit(9_000));
    assert_eq!(place.framecost("compare run.framecost").code, 1);
    assert_eq!(place.framecost("compare run.framecost --format markdown").code, 1);
    assert_eq!(json(&place.framecost("compare run.framecost --json"))["exit_code"], 1);
    // What broke off left nothing to compare.
    assert_eq!(place.framecost("compare never-written.framecost").code, 3);
    assert_eq!(place.framecost("compare run.framecost never-written.framecost").code, 3);
}

#[test]
fn complaint_41_long_names_are_not_cut_into_each_other() {
    let named = |end: &str| run(|parts| parts.key.scene = format!("{}{end}", "a".repeat(200)));
    let slow = |end: &str| {
        let mut parts = lit(50_000).into_parts();
        parts.key.scene = format!("{}{end}", "a".repeat(200));
        Capture::new(parts).unwrap()
    };
    let place = place(&named("-fast"), &slow("-slow"));
    check_shut(&place.framecost("compare run.framecost"), "nothing was compared");
    place.framecost("baseline save twin/run.framecost");
    assert_eq!(place.framecost("compare run.framecost base.framecost").code, 0, "each with its own");
}

#[test]
fn complaint_42_a_rename_that_is_declared_keeps_its_history() {
    let city = |lit: u64| {
        let mut parts = self::lit(lit).into_parts();
        parts.key.scene = "city".into();
        parts.key.settings_hash = "01".into();
        parts.passes[1].name = "light".into();
        parts.gates[0].name = "main".into();
        Capture::new(parts).unwrap()
    };
    let place = place(&lit(5_000), &city(7_000));
    check_shut(&place.framecost("compare run.framecost"), "nothing was compared");
    place.write(
        "framecost.toml",
        "[rename.scene]\ntown = \"city\"\n[rename.pass]\nlit = \"light\"\n[rename.gate]\nopaque = \"main\"\n",
    );
    let done = place.framecost("compare run.framecost");
    assert_eq!(done.code, 1, "the slowdown is seen: {done:?}");
    assert!(done.stdout.contains("attributed/light median"), "{done:?}");
    assert!(
        done.stdout.contains("3  gate opaque -> main, pass lit -> light, scene town -> city"),
        "{done:?}"
    );
    assert!(done.stdout.contains("the hash of the settings, 00 in the baseline and 01 now"), "{done:?}");
    place.put("same.framecost", &city(5_000));
    assert_eq!(place.framecost("compare same.framecost").code, 0);
    // A report says so too.
    assert!(place.framecost("report same.framecost").stdout.contains("renamed: pass lit -> light"));
    // Misspelt, it points nowhere.
    place.write("framecost.toml", "[rename.scene]\ntown = \"citty\"\n");
    let nowhere = place.framecost("compare same.framecost");
    assert_eq!(nowhere.code, 2, "{nowhere:?}");
    let said = "line 2, column 1: scene `town` becomes `citty`, and no scene of that name is known; the nearest is `city`";
    assert!(nowhere.stderr.contains(said), "{nowhere:?}");
}

#[test]
fn complaint_43_two_processes_that_save_at_once_leave_one_whole_baseline() {
    let place = Place::new();
    place.put("a.framecost", &lit(5_000));
    place.put("b.framecost", &lit(6_000));
    let children: Vec<_> = (0..6)
        .map(|i| {
            let name = if i % 2 == 0 { "a" } else { "b" };
            let mut call = place.command(&format!("baseline save {name}.framecost"));
            call.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    let codes: Vec<_> = children.into_iter().map(|mut child| child.wait().unwrap().code()).collect();
    assert!(codes.contains(&Some(0)), "{codes:?}");
    let name = stored(&place).file_name().unwrap().to_string_lossy().into_owned();
    let shown = place.framecost(&format!("baseline show {name}"));
    assert_eq!(shown.code, 0, "{shown:?}");
    assert_eq!(fs::read_dir(place.path("bench/baselines")).unwrap().count(), 1, "no remnant lies beside it");
}

#[test]
fn complaint_44_what_programs_parse_holds_no_words_for_people() {
    let place = Place::new();
    place.put("run.framecost", &lit(5_000));
    fs::create_dir_all(place.path("bench/baselines")).unwrap();
    let done = place.framecost("compare run.framecost --json");
    assert_eq!(done.code, 3);
    assert_eq!(json(&done)["exit_code"], 3);
    assert!(done.stderr.contains("no baseline"), "{done:?}");
    fs::create_dir_all(place.path("bench/baselines/restored-empty")).unwrap();
    let listed = place.framecost("baseline list --json");
    assert_eq!(listed.code, 3);
    assert!(json(&listed)["baselines"][0]["damaged"].as_str().unwrap().contains("holds no `baseline.json`"));
}

#[test]
fn complaint_45_damaged_and_foreign_files_give_an_error_and_no_number() {
    let place = place(&lit(5_000), &lit(5_000));
    // Somebody's own files beside the baselines are none of ours.
    place.write("bench/baselines/README.md", "how to measure");
    assert_eq!(place.framecost("compare run.framecost").code, 0);
    fs::write(stored_folder(&place).join("run-1.framecost/samples.parquet"), "").unwrap();
    let done = place.framecost("compare run.framecost");
    assert!(done.code == 3 && done.stdout.is_empty(), "{done:?}");
    assert!(!done.stderr.contains("NaN") && !done.stderr.contains("inf"), "{done:?}");
}

/// The only folder among the stored baselines.
fn stored_folder(place: &Place) -> PathBuf {
    let entries = fs::read_dir(place.path("bench/baselines")).unwrap();
    entries.map(|entry| entry.unwrap().path()).find(|path| path.is_dir()).unwrap()
}

#[test]
fn complaint_46_what_cannot_be_read_is_not_overwritten_without_a_word() {
    let place = place(&lit(5_000), &lit(5_000));
    fs::write(stored(&place).join("baseline.json"), "{").unwrap();
    let saved = place.framecost("baseline save run.framecost");
    assert!(
        saved.stdout.contains("in place of a damaged one, which version control may still have"),
        "{saved:?}"
    );
    // A folder of that name that is no baseline stays.
    fs::remove_file(stored(&place).join("baseline.json")).unwrap();
    let refused = place.framecost("baseline save run.framecost");
    assert!(refused.code != 0 && refused.stderr.contains("it is not replaced"), "{refused:?}");
    // Nor is a configuration that cannot be read.
    place.write("framecost.toml", "[defaults\n# mine");
    let expect = place.framecost("config expect run.framecost");
    assert_eq!(expect.code, 2, "{expect:?}");
    assert_eq!(fs::read_to_string(place.path("framecost.toml")).unwrap(), "[defaults\n# mine");
}

#[test]
fn complaint_47_a_baseline_does_not_grow_with_every_save() {
    let place = place(&lit(5_000), &lit(5_010));
    for us in [5_020, 5_030, 5_040] {
        place.put("run.framecost", &lit(us));
        assert_eq!(place.framecost("baseline save run.framecost").code, 0);
    }
    let runs = fs::read_dir(stored(&place)).unwrap().map(|entry| entry.unwrap().file_name());
    let runs: Vec<_> = runs.filter(|name| name.to_string_lossy().starts_with("run-")).collect();
    assert_eq!(runs, ["run-1.framecost"]);
}

#[test]
fn complaint_48_units_are_converted_and_unknown_ones_refused() {
    let place = place(&lit(5_000), &lit(5_000));
    let budget = |limit: &str| {
        let text = format!(
            "[[ceiling]]\nname = \"lit\"\nof = \"duration/lit\"\nsize = \"any\"\nstatistic = \"median\"\nlimit = \"{limit}\"\n\
             adapter = \"any\"\n"
        );
        place.write("framecost.toml", &text);
        place.framecost("compare run.framecost").code
    };
    // lit takes 5 ms. Bare numbers would order these otherwise.
    for (limit, code) in [
        ("990 ns", 1),
        ("1.1 us", 1),
        ("4999999 ns", 1),
        ("5000000 ns", 0),
        ("5000 us", 0),
        ("4999 \u{b5}s", 1),
        ("5000 \u{3bc}s", 0),
        ("0.005 s", 0),
        ("5 KiB", 2),
        ("5 kg", 2),
        ("5", 2),
    ] {
        assert_eq!(budget(limit), code, "{limit}");
    }
}

#[test]
fn complaint_50_zeros_and_single_frames_are_judged_without_nan_or_panic() {
    let zero = sampled("evictions", Unit::Count, 0.0);
    let same = place(&zero, &zero).framecost("compare run.framecost");
    assert_eq!(same.code, 0, "zero is a value: {same:?}");
    let grown =
        place(&zero, &sampled("evictions", Unit::Count, 3.0)).framecost("compare run.framecost --json");
    assert_eq!(grown.code, 1, "{grown:?}");
    let report = json(&grown)["comparisons"][0]["report"].clone();
    let row = report["samples"][0].clone();
    assert_eq!(row["ratio"]["missing"], "no quotient: the baseline is not above zero");
    let one = Scene { frames: 1, ..Scene::default() }.capture();
    for format in ["text", "markdown", "json"] {
        let done = place(&one, &one).framecost(&format!("compare run.framecost --format {format}"));
        assert_eq!(done.code, 0, "the median of a single frame is there, its p95 is not: {done:?}");
        let said = format!("{}{}", done.stdout, done.stderr);
        assert!(!said.contains("NaN") && !said.contains("inf ") && !said.contains("null"), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn complaint_52_samples_without_spread_still_differ_and_repeats_all_count() {
    // Every frame takes the same: growth is growth.
    assert_eq!(place(&lit(5_000), &lit(5_900)).framecost("compare run.framecost").code, 1);
    assert_eq!(place(&lit(5_000), &lit(5_000)).framecost("compare run.framecost").code, 0);
    // The first repeat is not the one that counts.
    let place = place(&lit(5_000), &lit(5_000));
    place.put("slow.framecost", &lit(8_000));
    place.put("slower.framecost", &lit(8_001));
    assert_eq!(place.framecost("compare run.framecost slow.framecost slower.framecost").code, 1);
    place.put("fast.framecost", &lit(5_001));
    assert_eq!(place.framecost("compare slow.framecost run.framecost fast.framecost").code, 0);
}

#[test]
fn complaint_53_what_has_no_spread_and_what_has_one_value_are_told_apart() {
    let one = Scene { frames: 1, ..Scene::default() }.capture();
    let place = place(&one, &lit(5_000));
    let of = |capture: &str| {
        let report = json(&place.framecost(&format!("report {capture} --json --config none.toml")));
        report["reports"][0]["report"]["frame"][0].clone()
    };
    place.write("none.toml", "");
    let (single, many) = (of("base.framecost"), of("run.framecost"));
    assert_eq!(single["p95"]["missing"], "it takes 20 values, 1 was measured");
    assert_eq!((&many["p95"], &many["min"], &many["max"]), (&6e6.into(), &6e6.into(), &6e6.into()));
}
