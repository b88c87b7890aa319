//! The gate's exit codes over captures whose figures are known: 0 passes, 1 regressed, 2 wrong use, 3 missing, damaged or
//! nothing compared. A gate never fails open.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;

use common::{Done, Place, Scene};
use framecost_sample::{Capture, Fact, Pairing, Reading, Side};

const SLOWER: Scene =
    Scene { frames: 100, lit: 6_000, scene: "town", adapter: "Test GPU", switches: &[("lit_load", "2")] };

fn same() -> Scene {
    Scene { switches: &[("lit_load", "1")], ..Scene::default() }
}

/// A place with a run, an equal one, and one whose `lit` takes a fifth longer.
fn place() -> Place {
    let place = Place::new();
    place.put("a.framecost", &same().capture());
    place.put("b.framecost", &same().capture());
    place.put("slow.framecost", &SLOWER.capture());
    place
}

fn verdicts(done: &Done) -> Vec<(String, String, String)> {
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = json["comparisons"][0]["report"]["verdict"]["rows"].as_array().unwrap();
    let text = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|row| (text(row, "verdict"), text(row, "metric"), text(row, "name"))).collect()
}

#[test]
fn equal_runs_pass() {
    let done = place().framecost("compare b.framecost --baseline a.framecost");
    assert_eq!(done.code, 0, "{done:?}");
}

#[test]
fn a_slower_pass_is_exit_code_1_and_is_named() {
    let done = place().framecost("compare slow.framecost --baseline a.framecost --json");
    assert_eq!(done.code, 1, "{done:?}");
    let failed: Vec<_> = verdicts(&done).into_iter().filter(|row| row.0 == "fail").collect();
    assert!(failed.contains(&("fail".into(), "attributed".into(), "lit".into())), "{failed:?}");
    assert!(!failed.iter().any(|row| row.2 == "culling"), "{failed:?}");
    let text = place().framecost("compare slow.framecost --baseline a.framecost").stdout;
    assert!(text.contains("lit"), "{text}");
}

#[test]
fn a_stored_baseline_is_found_by_key_and_never_crossed() {
    let place = place();
    assert_eq!(place.framecost("baseline save a.framecost").code, 0);
    assert_eq!(place.framecost("compare b.framecost").code, 0);
    // Another switch set is another key: nothing is compared, which is no pass.
    let other = place.framecost("compare slow.framecost");
    assert_eq!(other.code, 3, "{other:?}");
    // The cure is told once wherever somebody may look.
    let cure = "keep one with framecost baseline save slow.framecost\n";
    let lines = [&other.stdout, &other.stderr].map(|text| text.matches(cure).count());
    assert_eq!((lines, other.stderr.lines().count()), ([1, 1], 1), "{other:?}");
    assert!(other.stderr.starts_with("note: 1 of 1 sets of runs have no baseline under "), "{other:?}");
    // Together with a run that is compared, the one without a baseline is skipped, which is no pass of both.
    assert_eq!(place.framecost("compare b.framecost slow.framecost").code, 3);
    assert_eq!(place.framecost("compare b.framecost slow.framecost --no-baseline=pass").code, 0);
}

#[test]
fn a_folder_of_baselines_that_is_not_there_is_exit_code_3_whatever_budgets_say() {
    let place = place();
    let budget = "[[budget]]\nname = \"frame\"\nof = \"gpu_total\"\nscene = \"town\"\nsize = \"any\"\n\
                  statistic = \"median\"\nlimit = \"1 s\"\nadapter = \"any\"\n";
    place.write("budget.toml", budget);
    let done = place.framecost("compare b.framecost --baselines typo --config budget.toml");
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.stderr.contains("--baselines `typo` does not exist"), "{done:?}");
}

const BUDGET: &str = "[[budget]]\nname = \"main pass\"\nof = \"gpu_total\"\nsize = \"any\"\nstatistic = \"median\"\n\
                      limit = \"1 s\"\nadapter = \"any\"\n";

#[test]
fn a_budget_that_binds_nothing_is_named_below_the_verdict() {
    let place = place();
    place.put("desert.framecost", &Scene { scene: "desert", ..same() }.capture());
    place.write("framecost.toml", &format!("{BUDGET}scene = \"tonw\"\noptional = true\n"));
    let line = |done: &Done| done.stdout.lines().nth(1).unwrap_or_default().to_owned();
    let one = place.framecost("compare b.framecost --baseline a.framecost");
    assert_eq!(one.code, 0, "{one:?}");
    assert_eq!(line(&one), "  budget \"main pass\": scene \"tonw\" is none of those given (town)");
    let two = place.framecost("compare b.framecost desert.framecost");
    assert_eq!(line(&two), "  budget \"main pass\": scene \"tonw\" is none of those given (town, desert)");
    // What binds one of them is no mistake.
    place.write("framecost.toml", &format!("{BUDGET}scene = \"desert\"\n"));
    let bound = place.framecost("compare b.framecost desert.framecost");
    assert!(bound.code == 0 && !bound.stdout.contains("is none of those given"), "{bound:?}");
}

#[test]
fn a_budget_that_can_never_apply_is_exit_code_3() {
    let place = place();
    place.write("framecost.toml", &format!("{BUDGET}scene = \"town\"\nswitches = {{ lit_laod = \"1\" }}\n"));
    let done = place.framecost("compare b.framecost --baseline a.framecost");
    assert_eq!(done.code, 3, "{done:?}");
    let why = "scene \"town\" has no switch \"lit_laod\" (it has lit_load): the budget can never apply";
    assert!(done.stdout.contains(why), "{done:?}");
}

#[test]
fn a_misspelt_metric_is_wrong_use_and_a_strange_one_is_noted_below_the_verdict() {
    let place = place();
    place.write("framecost.toml", "[metric.gpu_totl]\nfail = \"3 %\"\n");
    for command in ["compare b.framecost --baseline a.framecost", "report b.framecost"] {
        let done = place.framecost(command);
        assert_eq!(done.code, 2, "{done:?}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(
                done.stderr.replace(place.path("").canonicalize().unwrap().to_str().unwrap(), ""),
                @"error: `/framecost.toml`: line 1, column 9: metric `gpu_totl` is not known; the nearest known name is `gpu_total`"
            );
        }
    }
    place.write("framecost.toml", "[metric.heap_bytes]\nfail = \"3 %\"\n");
    let done = place.framecost("compare b.framecost --baseline a.framecost");
    let second = done.stdout.lines().nth(1).unwrap();
    assert_eq!(
        (done.code, second),
        (0, "  note: [metric.heap_bytes] of framecost.toml: no capture given has a value of it")
    );
}

#[test]
fn several_captures_have_one_verdict_above_them_all() {
    let place = place();
    place.framecost("baseline save a.framecost");
    place.put("old.framecost", &Scene { lit: 5_000, ..SLOWER }.capture());
    place.framecost("baseline save old.framecost");
    place.put("desert.framecost", &Scene { scene: "desert", ..same() }.capture());
    let captures = "b.framecost slow.framecost desert.framecost";
    let done = place.framecost(&format!("compare {captures}"));
    assert_eq!(done.code, 1, "{done:?}");
    let first = done.stdout.lines().next().unwrap();
    // What lit_load=2 adds was nothing in the baselines: that regressed too.
    let counts = "3 captures and 1 difference between variants: 2 regressed, 1 passed, 1 without a baseline";
    assert_eq!(first, format!("REGRESSED  {counts}"));
    assert_eq!(done.stdout.matches("carries no error rate").count(), 1, "{}", done.stdout);
    let markdown = place.framecost(&format!("compare {captures} --format markdown")).stdout;
    assert!(markdown.starts_with(&format!("## REGRESSED\n\n{counts}.\n")), "{markdown}");
    let json = place.framecost(&format!("compare {captures} --json")).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let overall = &json["overall"];
    assert_eq!((&json["outcome"], &overall["outcome"]), (&"regressed".into(), &"regressed".into()));
    assert_eq!((overall["captures"].as_u64(), overall["regressed"].as_u64()), (Some(3), Some(2)));
}

#[test]
fn what_a_named_capture_differs_in_is_declared_below_the_verdict() {
    let place = place();
    let mut parts = same().capture().into_parts();
    parts.key.frames_in_flight = Some(1);
    place.put("single.framecost", &Capture::new(parts).unwrap());
    let done = place.framecost("compare single.framecost --baseline a.framecost");
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(done.stdout.lines().nth(1), Some("  differs: frames_in_flight 2 -> 1"));
    let slow = place.framecost("compare slow.framecost --baseline a.framecost").stdout;
    assert_eq!(slow.lines().nth(1), Some("  differs: switch lit_load 1 -> 2"));
}

#[test]
fn a_run_counts_once() {
    let done = place().framecost("compare b.framecost b.framecost --baseline a.framecost");
    assert_eq!(done.code, 2, "{done:?}");
    assert!(done.stderr.contains("a run counts once"), "{done:?}");
}

#[test]
fn another_adapters_baseline_is_never_used() {
    let place = place();
    place.put("other.framecost", &Scene { adapter: "Other GPU", ..same() }.capture());
    place.framecost("baseline save other.framecost");
    assert_eq!(place.framecost("compare b.framecost").code, 3);
    let name = fs::read_dir(place.path("bench/baselines")).unwrap().next().unwrap().unwrap().file_name();
    let crossed = place.framecost(&format!("compare b.framecost --baseline {}", name.to_str().unwrap()));
    assert_eq!(crossed.code, 3, "a comparison across adapters is refused, not made: {crossed:?}");
}

#[test]
fn what_is_absent_or_damaged_is_exit_code_3_and_is_told_apart() {
    let place = place();
    let absent = place.framecost("compare nothing.framecost --baseline a.framecost");
    assert_eq!((absent.code, absent.stderr.as_str()), (3, "error: `nothing.framecost` does not exist\n"));
    let no_baseline = place.framecost("compare a.framecost --baseline nothing");
    assert_eq!(no_baseline.code, 3);
    insta::assert_snapshot!(no_baseline.stderr, @"error: --baseline `nothing` is neither a capture nor a stored baseline: `bench/baselines/nothing/baseline.json` does not exist");
    place.framecost("baseline save a.framecost");
    let stored = fs::read_dir(place.path("bench/baselines")).unwrap().next().unwrap().unwrap().path();
    fs::write(stored.join("run-1.framecost/capture.json"), "{}").unwrap();
    let damaged = place.framecost("compare b.framecost");
    assert!(damaged.code == 3 && damaged.stderr.contains("`capture.json` hashes to"), "{damaged:?}");
    fs::remove_file(stored.join("baseline.json")).unwrap();
    let no_pointer = place.framecost("compare b.framecost");
    assert!(no_pointer.code == 3 && no_pointer.stderr.contains("holds no `baseline.json`"), "{no_pointer:?}");
}

#[test]
fn a_budget_needs_no_baseline() {
    let place = place();
    let budget = |limit: &str| {
        format!(
            "[[budget]]\nname = \"opaque\"\nof = \"gate/opaque\"\nscene = \"town\"\nsize = \"any\"\n\
             statistic = \"median\"\nlimit = \"{limit}\"\nadapter = \"any\"\n"
        )
    };
    place.write("framecost.toml", &budget("6.1 ms"));
    let inside = place.framecost("compare a.framecost");
    assert_eq!(inside.code, 0, "{inside:?}");
    place.write("framecost.toml", &budget("5.9 ms"));
    let over = place.framecost("compare a.framecost");
    assert_eq!(over.code, 1, "{over:?}");
    place.write("deep/other.toml", &budget("7 ms"));
    assert_eq!(place.framecost("compare a.framecost --config deep/other.toml").code, 0);
}

#[test]
fn a_bad_configuration_is_wrong_use_with_its_place() {
    let place = place();
    place.write("framecost.toml", "rule = \"guess\"\n");
    let bad = place.framecost("compare a.framecost --baseline b.framecost");
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("framecost.toml`: ") && bad.stderr.contains("line 1"), "{bad:?}");
    assert_eq!(place.framecost("compare a.framecost --config no.toml").code, 2);
}

#[test]
fn repeats_of_one_key_are_judged_together() {
    let place = place();
    place.framecost("baseline save a.framecost");
    place.put("c.framecost", &Scene { lit: 5_001, ..same() }.capture());
    let done = place.framecost("compare b.framecost c.framecost --json");
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["comparisons"].as_array().unwrap().len(), 1, "{done:?}");
    assert_eq!(json["comparisons"][0]["report"]["verdict"]["runs"], 2);
    assert_eq!((json["outcome"].as_str(), json["exit_code"].as_u64()), (Some("passed"), Some(0)));
}

#[test]
fn several_captures_are_a_baseline_of_several_runs() {
    let place = Place::new();
    let scene = |lit| Scene { frames: 200, lit, ..Scene::default() };
    for i in 0..4 {
        place.put(&format!("old-{i}.framecost"), &scene(5_000 + i * 5).capture());
        place.put(&format!("new-{i}.framecost"), &scene(6_000 + i * 5).capture());
    }
    let old = "old-0.framecost old-1.framecost old-2.framecost old-3.framecost";
    let slower = place.framecost(&format!("compare new-0.framecost --rule runs --baseline {old}"));
    assert_eq!(slower.code, 1, "{slower:?}");
    assert!(slower.stdout.contains("by runs"), "{slower:?}");
    // A copy of a run is no second run: two alike would make the spread look smaller than it is.
    let twice = "old-0.framecost old-0.framecost";
    let alone = place.framecost(&format!("compare new-0.framecost --rule runs --baseline {twice}"));
    assert_eq!(alone.code, 3, "one against one is undecided: {alone:?}");
    let mixed = place.framecost("compare new-0.framecost --baseline old-0.framecost nothing.framecost");
    assert_eq!(mixed.code, 2, "{mixed:?}");
    assert!(mixed.stderr.contains("`nothing.framecost` is no capture folder"), "{}", mixed.stderr);
    let mut other = scene(5_000).capture().into_parts();
    other.key.scene = "harbour".into();
    place.put("other.framecost", &Capture::new(other).unwrap());
    let mut another = scene(5_000).capture().into_parts();
    another.key.scene = "harbour".into();
    place.put("another.framecost", &Capture::new(another).unwrap());
    let of_two =
        place.framecost(&format!("compare other.framecost --rule runs --baseline another.framecost {old}"));
    assert_eq!(of_two.code, 3, "its own key's alone, and one run decides nothing: {of_two:?}");
    assert!(!of_two.stdout.contains("old-"), "{}", of_two.stdout);
}

/// What a call writes in each format, to stdout and to --out.
fn in_every_format(place: &Place, arguments: &str) -> Vec<(String, Done, String)> {
    ["markdown", "junit", "github", "json", "html", "text"]
        .map(|format| {
            let done = place.framecost(&format!("{arguments} --format {format} --out report"));
            let file = fs::read_to_string(place.path("report")).unwrap_or_default();
            let _ = fs::remove_file(place.path("report"));
            let stdout = place.framecost(&format!("{arguments} --format {format}"));
            assert_eq!(stdout.code, done.code, "{stdout:?}");
            // A terminal has the error itself, so that text says nothing twice.
            assert_eq!(
                stdout.stdout,
                if format == "text" { String::new() } else { file.clone() },
                "{format}"
            );
            (format.to_owned(), done, file)
        })
        .into()
}

/// #4 of the newcomer: a damaged baseline left an empty report, an empty list of tests and no annotation.
#[test]
fn what_keeps_it_from_judging_is_written_in_every_format() {
    let place = place();
    place.framecost("baseline save a.framecost");
    let stored = fs::read_dir(place.path("bench/baselines")).unwrap().next().unwrap().unwrap().path();
    fs::write(stored.join("run-1.framecost/capture.json"), "{}").unwrap();
    for (format, done, file) in in_every_format(&place, "compare b.framecost") {
        assert!(done.code == 3 && done.stderr.contains("`capture.json` hashes to"), "{done:?}");
        let says = file.contains("not measured") && file.contains("hashes to");
        assert!(says, "{format}: {file}");
        match format.as_str() {
            "markdown" => assert!(file.starts_with("## NOT JUDGED: ") && file.lines().count() == 1, "{file}"),
            "junit" => assert!(file.contains("errors=\"1\"") && file.contains("<error message="), "{file}"),
            "github" => assert!(file.starts_with("::error ") && file.lines().count() == 1, "{file}"),
            "json" => {
                let json: serde_json::Value = serde_json::from_str(&file).unwrap();
                assert_eq!((&json["framecost_comparisons"], &json["exit_code"]), (&1.into(), &3.into()));
            }
            "html" => assert!(file.starts_with("<!doctype html>"), "{file}"),
            _ => assert!(file.starts_with("NOT JUDGED  "), "{file}"),
        }
    }
    place.write("framecost.toml", "rule = \"<b>guess</b>\"\n");
    for (format, done, file) in in_every_format(&place, "compare b.framecost") {
        assert!(
            done.code == 2 && file.contains(if format == "json" { "\"exit_code\": 2" } else { "wrong use" }),
            "{format}: {file}"
        );
        let page = ["markdown", "html", "junit"].contains(&format.as_str());
        assert!(!page || !file.contains("<b>"), "{format}: {file}");
    }
}

/// #8 of the newcomer: `--help` itself showed a run that was judged against the baseline saved from it.
#[test]
fn a_run_is_never_judged_against_itself() {
    let place = place();
    place.framecost("baseline save a.framecost");
    for arguments in ["compare a.framecost", "compare a.framecost --baseline a.framecost"] {
        let done = place.framecost(arguments);
        assert_eq!(done.code, 2, "{done:?}");
        assert!(done.stderr.contains("`a.framecost` is one of the runs of its own baseline"), "{done:?}");
    }
    let confirmed = place.framecost("compare b.framecost --confirm a.framecost");
    assert!(confirmed.code == 2 && confirmed.stderr.contains("of its own baseline"), "{confirmed:?}");
}

/// #3 of the newcomer: of `--confirm A B C` only A confirmed, and B and C were judged.
#[test]
fn every_capture_behind_confirm_confirms_and_none_is_judged() {
    let place = place();
    for i in 0..3 {
        place.put(&format!("again-{i}.framecost"), &SLOWER.capture());
    }
    let confirm = "--confirm again-0.framecost again-1.framecost again-2.framecost";
    let done = place.framecost(&format!("compare slow.framecost --baseline a.framecost {confirm} --json"));
    assert_eq!(done.code, 1, "{done:?}");
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!(json["comparisons"][0]["captures"], serde_json::json!(["slow.framecost"]));
    let none = place.framecost(&format!("compare {confirm} --baseline a.framecost"));
    assert_eq!(none.code, 2, "none is left to judge: {none:?}");
}

/// #2 of the newcomer: a loss that only the number of comparisons spoke against stayed undecided whatever confirmed it.
#[test]
fn a_large_loss_in_a_spread_baseline_is_confirmed_by_further_runs() {
    let place = Place::new();
    let scene = |lit| Scene { frames: 200, lit, ..Scene::default() };
    for (i, lit) in [4_700, 5_600, 5_000, 5_300, 4_500].into_iter().enumerate() {
        place.put(&format!("old-{i}.framecost"), &scene(lit).capture());
    }
    for (name, lit) in [("new", 9_400), ("again-0", 9_500), ("again-1", 9_300), ("again-2", 9_450)] {
        place.put(&format!("{name}.framecost"), &scene(lit).capture());
    }
    let old = "old-0.framecost old-1.framecost old-2.framecost old-3.framecost old-4.framecost";
    let call = format!("compare new.framecost --rule runs --baseline {old}");
    let confirmed =
        place.framecost(&format!("{call} --confirm again-0.framecost again-1.framecost again-2.framecost"));
    assert_eq!(confirmed.code, 1, "{confirmed:?}");
    assert!(confirmed.stdout.contains("FAIL  attributed/lit median"), "{}", confirmed.stdout);
}

/// #7 of the newcomer: `--undecided pass` passed where every figure was undecided.
#[test]
fn nothing_decided_is_no_pass_whatever_undecided_counts_as() {
    let place = place();
    let call = "compare b.framecost --baseline a.framecost --rule runs";
    for undecided in ["fail", "pass"] {
        let done = place.framecost(&format!("{call} --undecided {undecided}"));
        assert_eq!(done.code, 3, "{done:?}");
        assert!(done.stdout.starts_with("UNDECIDED  nothing could be decided, "), "{}", done.stdout);
    }
}

/// #13 of the newcomer: both maps of all switches stood in one annotation.
#[test]
fn what_has_no_baseline_names_only_the_switches_that_differ() {
    let place = Place::new();
    let with = |lit_load| Scene { switches: lit_load, ..Scene::default() }.capture();
    place.put("a.framecost", &with(&[("culling", "on"), ("lit_load", "1"), ("shadow_rays", "off")]));
    place.put("b.framecost", &with(&[("culling", "on"), ("lit_load", "4"), ("shadow_rays", "off")]));
    place.framecost("baseline save a.framecost");
    let done = place.framecost("compare b.framecost --format github");
    assert!(done.stdout.contains("differs: switch lit_load: 4 against 1\n"), "{}", done.stdout);
    let both = place.framecost("baseline save a.framecost b.framecost");
    assert_eq!(both.code, 2, "{both:?}");
    let said = "of different keys: switch lit_load: 1 against 4; a baseline is of one key: one call per scene and set of switches";
    assert!(both.stderr.contains(said), "{}", both.stderr);
}

/// #12 of the newcomer: pairs could not be written for a CI server.
#[test]
fn pairs_are_written_for_ci_servers_too() {
    let place = Place::new();
    for repeat in 0..3 {
        for (side, lit_load, lit) in [(Side::A, "1", 5_000), (Side::B, "2", 6_000)] {
            let pairing = Pairing { pair: format!("pair {repeat}"), side, first: side == Side::A };
            let mut parts = Scene { lit: lit + repeat, ..Scene::default() }.capture().into_parts();
            parts.key.switches.0.insert("lit_load".into(), lit_load.into());
            let fact = |(name, value): (&str, String)| Fact {
                name: name.into(),
                before: Reading::Measured(value.clone()),
                after: Reading::Measured(value),
            };
            parts.environment.facts.extend(pairing.facts().map(fact));
            place.put(&format!("{}-{repeat}.framecost", side.name()), &Capture::new(parts).unwrap());
        }
    }
    let call = "compare a-0.framecost a-1.framecost a-2.framecost b-0.framecost b-1.framecost b-2.framecost \
                --paired --rule runs";
    let github = place.framecost(&format!("{call} --format github"));
    assert_eq!(github.code, 1, "{github:?}");
    assert!(github.stdout.contains("::error title=FAIL attributed/lit median::"), "{}", github.stdout);
    let junit = place.framecost(&format!("{call} --format junit --out junit.xml"));
    let xml = fs::read_to_string(place.path("junit.xml")).unwrap();
    assert!(junit.code == 1 && xml.contains("<failure message="), "{junit:?} {xml}");
    let page = place.framecost(&format!("{call} --format html --out page.html"));
    assert!(page.code == 2 && page.stderr.contains("pairs are written as "), "{page:?}");
}
