//! `framecost config` and what hangs on `framecost.toml` in a comparison: limits with their lines, what is expected, what was
//! not compared.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;

use common::{Done, Place, Scene};
use framecost_sample::{
    AdapterClass, Capture, CaptureParts, Figure, Metric, MetricId, Reading, Reason, Sample,
    metric_names as names,
};

fn run(change: impl FnOnce(&mut CaptureParts)) -> Capture {
    let mut parts = Scene::default().capture().into_parts();
    change(&mut parts);
    Capture::new(parts).unwrap()
}

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"))
}

/// What was said, without the folder of the test.
fn said(place: &Place, done: &Done) -> String {
    let root = place.path("").canonicalize().unwrap();
    let text = format!("{}{}", done.stdout, done.stderr);
    let lines = text.replace(root.to_str().unwrap(), "").replace(place.path("").to_str().unwrap(), "");
    let without_hash = |line: &str| match line.split_once("2560x1440-") {
        Some((before, _)) if line.contains("baseline  ") => format!("{before}2560x1440-...`"),
        _ => line.to_owned(),
    };
    lines.lines().map(|line| without_hash(line.trim_end())).collect::<Vec<_>>().join("\n")
}

const FILE: &str = "\
[defaults]
fail = \"12 %\"

[metric.attributed]
floor = \"40 us\"

[[limit]]
of = \"attributed/culling\"
adapter = \"discrete\"
judge = []

[[budget]]
name = \"frame\"
of = \"gpu_total\"
scene = \"town\"
size = \"any\"
statistic = \"p95\"
limit = \"8 ms\"
adapter = \"any\"

[[budget]]
name = \"handheld\"
of = \"gpu_total\"
scene = \"town\"
size = \"any\"
statistic = \"median\"
limit = \"16 ms\"
adapter = \"integrated\"

[[gate]]
name = \"all\"
from = \"culling\"
to = \"lit\"

[[expect]]
scene = \"town\"
passes = [\"lit\"]
metrics = [\"gpu_total\"]
";

#[test]
fn a_check_says_which_limits_hold_and_from_which_line() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.write("framecost.toml", FILE);
    let alone = place.framecost("config check");
    assert_eq!(alone.code, 0, "{alone:?}");
    insta::assert_snapshot!(said(&place, &alone), @r"
    `/framecost.toml` is sound: 2 limits, 2 budgets, 1 gate, 1 expectation

    expected
      town (line 36): lit, gpu_total
    ");
    let without = place.framecost("config check a.framecost");
    assert_eq!(without.code, 3, "its baseline is expected: {without:?}");
    place.framecost("baseline save twin/a.framecost");
    let done = place.framecost("config check a.framecost");
    assert_eq!(done.code, 0, "{done:?}");
    insta::assert_snapshot!(said(&place, &done), @r#"
    `/framecost.toml` is sound: 2 limits, 2 budgets, 1 gate, 1 expectation

    town 2560x1440 on Test GPU (discrete)
      rule      runs (built in)
      baseline  `bench/baselines/town-test-gpu-vulkan-2560x1440-...`
      figure          statistics   fail   warn  floor     from
      gpu_total       median, p95  +12 %  +5 %  20.00 us  fail: [defaults], line 2
      attributed/lit  median       +12 %  +5 %  40.00 us  fail: [defaults], line 2; floor: [metric.attributed], line 5
      gate/opaque     median       +12 %  +5 %  20.00 us  fail: [defaults], line 2
      gate/all        median       +12 %  +5 %  20.00 us  fail: [defaults], line 2
      not judged: attributed/culling ([[limit]] of = "attributed/culling", adapter = "discrete", line 10)
      budget "frame" (line 13), gpu_total p95 limit 8.000 ms: binds
      budget "handheld" (line 22), gpu_total median limit 16.00 ms: does not bind: the budget is for other adapters than Test GPU (discrete)

    expected
      town (line 36): lit, gpu_total
    "#);
    let value = json(&place.framecost("config check a.framecost --json"));
    let total = &value["sets"][0]["figures"][0];
    assert_eq!((total["figure"].as_str(), total["fail"]["value"].as_f64()), (Some("gpu_total"), Some(0.12)));
    assert_eq!(
        (total["fail"]["from"].as_str(), total["fail"]["line"].as_u64()),
        (Some("[defaults]"), Some(2))
    );
    assert_eq!((total["warn"]["from"].as_str(), total["warn"].get("line")), (Some("built in"), None));
    assert_eq!((value["exit_code"].as_u64(), value["absent"].as_array().map(Vec::len)), (Some(0), Some(0)));
}

#[test]
fn a_check_ends_with_2_on_errors_and_3_on_what_is_absent() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.framecost("baseline save twin/a.framecost");
    for (text, code, words) in [
        ("[defaults]\nfial = \"1 %\"", 2, "line 2, column 1: unknown field `fial`"),
        ("[metric.lit]\nfail = \"1 %\"", 2, "`lit` is a pass and no metric"),
        (
            "[[expect]]\nscene = \"town\"\npasses = [\"fog\"]",
            3,
            "expected pass fog of town 2560x1440: the run has no pass of that name; it has culling, lit",
        ),
        (
            "[[expect]]\nscene = \"town\"\ngates = [\"main\"]",
            3,
            "the run has no gate of that name; it has opaque",
        ),
        ("[[expect]]\nscene = \"town\"\nmetrics = [\"cpu_frame\"]", 3, "expected metric cpu_frame of town"),
        (
            "[[expect]]\nscene = \"town\"\nsize = \"1x1\"",
            3,
            "no capture of them was given; of the nearest given, its size is 2560x1440",
        ),
        ("[[expect]]\nscene = \"town\"\nadapter = \"cpu\"", 3, "none of them on Test GPU (discrete)"),
        ("[[expect]]\nscene = \"town\"\nadapter = \"discrete\"", 0, "is sound: 1 expectation"),
        (
            "[[gate]]\nname = \"g\"\nscene = \"town\"\nfrom = \"lit\"\nto = \"culling\"",
            2,
            "it opens with `lit`, which comes after `culling`",
        ),
    ] {
        place.write("framecost.toml", text);
        let done = place.framecost("config check a.framecost");
        assert!(done.code == code && said(&place, &done).contains(words), "{text}: {done:?}");
        // What a check finds, a comparison does not let pass either.
        assert_eq!(place.framecost("compare a.framecost").code, code, "{text}");
    }
    assert_eq!(place.framecost("config check --config nowhere.toml").code, 2);
}

#[test]
fn what_runs_measured_is_expected_from_then_on_and_the_rest_of_the_file_stays() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.put("slow.framecost", &run(|parts| parts.key.scene = "desert".into()));
    place.write("framecost.toml", "# ours\n[defaults]\nfail = \"12 %\" # wide\n");
    let done = place.framecost("baseline save twin/a.framecost --expect");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("town 2560x1440 on discrete: 2 passes, 1 gate, 1 metric"), "{done:?}");
    insta::assert_snapshot!(fs::read_to_string(place.path("framecost.toml")).unwrap(), @r#"
    # ours
    [defaults]
    fail = "12 %" # wide

    [[expect]]
    scene = "town"
    size = "2560x1440"
    adapter = "discrete"
    passes = ["culling", "lit"]
    gates = ["opaque"]
    metrics = ["gpu_total"]
    "#);
    assert_eq!(place.framecost("compare a.framecost").code, 0);
    // Another scene is added, the same one is written anew and not twice.
    assert_eq!(place.framecost("config expect slow.framecost a.framecost").code, 0);
    let text = fs::read_to_string(place.path("framecost.toml")).unwrap();
    assert_eq!((text.matches("[[expect]]").count(), text.matches("# ours").count()), (2, 1), "{text}");
    let one = place.framecost("compare a.framecost");
    assert!(one.code == 3 && one.stdout.contains("expected runs of desert 2560x1440 on discrete"), "{one:?}");
    place.framecost("baseline save twin/slow.framecost");
    assert_eq!(place.framecost("compare a.framecost slow.framecost").code, 0);
    // A pass that went is missed though its baseline went with it.
    let without = run(|parts| {
        parts.stamps.retain(|stamp| stamp.pass.0 == 0);
    });
    place.put("a.framecost", &without);
    place.framecost("baseline save twin/a.framecost");
    let gone = place.framecost("compare a.framecost slow.framecost");
    assert!(gone.code == 3 && gone.stdout.contains("expected pass lit of town 2560x1440"), "{gone:?}");
    let fresh = Place::new();
    fresh.put("a.framecost", &Scene::default().capture());
    assert_eq!(fresh.framecost("config expect a.framecost --config ci.toml").code, 0);
    assert!(fresh.path("ci.toml").is_file());
}

#[test]
fn a_variant_does_not_stand_in_for_the_run_that_vanished() {
    let place = Place::new();
    let with = |value: &str| {
        run(|parts| {
            parts.key.switches.0.insert("rays".into(), value.into());
            parts.defaults.0.insert("rays".into(), "on".into());
        })
    };
    place.put("on.framecost", &with("on"));
    place.put("off.framecost", &with("off"));
    for capture in ["on.framecost", "off.framecost"] {
        assert_eq!(place.framecost(&format!("baseline save twin/{capture} --expect")).code, 0);
    }
    assert_eq!(place.framecost("compare on.framecost off.framecost").code, 0);
    let off = place.framecost("compare off.framecost");
    assert_eq!(off.code, 3, "{off:?}");
    let said = "expected runs of town 2560x1440 on discrete: no capture of them was given; of the nearest given, its switch rays is off";
    assert!(off.stdout.contains(said), "{off:?}");
    let on = place.framecost("compare on.framecost");
    assert!(
        on.code == 3 && on.stdout.contains("expected runs of town 2560x1440 rays=off on discrete"),
        "{on:?}"
    );
}

#[test]
fn a_budget_of_a_scene_that_exists_nowhere_is_no_pass_unless_it_may_wait() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.framecost("baseline save twin/a.framecost");
    let budget = |scene: &str, more: &str| {
        let text = format!(
            "[[budget]]\nname = \"b\"\nof = \"gpu_total\"\nscene = \"{scene}\"\nsize = \"any\"\nstatistic = \"median\"\n\
             limit = \"1 s\"\nadapter = \"any\"\n{more}"
        );
        place.write("framecost.toml", &text);
        place.framecost("compare a.framecost")
    };
    let done = budget("twon", "");
    assert_eq!(done.code, 3, "{done:?}");
    let why = "absent: budget \"b\" is for scene \"twon\", which no capture, baseline or expectation has; the nearest known scene \
               is \"town\"; `optional = true` lets it wait for one (framecost.toml, line 4)";
    assert!(done.stdout.contains(why), "{done:?}");
    assert_eq!(budget("twon", "optional = true\n").code, 0);
    assert_eq!(budget("town", "").code, 0);
    assert_eq!(budget("orrery", "").code, 0, "a scene that the program has");
    assert_eq!(budget("desert", "").code, 3);
    assert_eq!(
        budget("desert", "[[expect]]\nscene = \"desert\"\nadapter = \"cpu\"\n[[expect]]\nscene = \"town\"\n")
            .code,
        0
    );
    place.put("d.framecost", &run(|parts| parts.key.scene = "desert".into()));
    place.framecost("baseline save twin/d.framecost");
    assert_eq!(budget("desert", "").code, 0, "its baseline is stored");
}

#[test]
fn sets_without_a_baseline_beside_one_that_has_are_no_pass_unless_asked_for() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.put("d.framecost", &run(|parts| parts.key.scene = "desert".into()));
    place.framecost("baseline save twin/a.framecost");
    let line = |done: &Done| done.stdout.lines().next().unwrap_or_default().to_owned();
    let done = place.framecost("compare a.framecost d.framecost");
    assert_eq!(
        (done.code, line(&done).as_str()),
        (3, "PARTLY PASSED  2 captures: 1 passed, 1 without a baseline")
    );
    let passed = place.framecost("compare a.framecost d.framecost --no-baseline=pass");
    let first = "PARTLY PASSED  2 captures: 1 passed, 1 without a baseline; 1 of 2 sets not compared, let pass as asked";
    assert_eq!((passed.code, line(&passed).as_str()), (0, first));
    let markdown = place.framecost("compare a.framecost d.framecost --format markdown");
    assert!(markdown.stdout.starts_with("## PARTLY PASSED\n"), "{markdown:?}");
    let value = json(&place.framecost("compare a.framecost d.framecost --json"));
    assert_eq!((&value["outcome"], &value["overall"]["partial"]), (&"not measured".into(), &true.into()));
    // A budget that is kept makes up for no baseline.
    place.write(
        "framecost.toml",
        "[[ceiling]]\nname = \"c\"\nof = \"gpu_total\"\nsize = \"any\"\nstatistic = \"median\"\nlimit = \"1 s\"\nadapter = \"any\"\n",
    );
    let kept = place.framecost("compare a.framecost d.framecost");
    assert_eq!(kept.code, 3, "{kept:?}");
    assert!(
        line(&kept).ends_with("2 passed; 1 held against budgets alone, for want of a baseline"),
        "{kept:?}"
    );
    // Nothing compared at all is no pass, whatever is asked for.
    place.write("framecost.toml", "");
    assert_eq!(place.framecost("compare d.framecost --no-baseline=pass").code, 3);
}

/// A run whose passes nobody stamped, with the host's times.
fn unstamped() -> Capture {
    run(|parts| {
        for stamp in &mut parts.stamps {
            (stamp.start, stamp.end) =
                (Reading::Missing(Reason::NotStamped), Reading::Missing(Reason::NotStamped));
        }
        parts.key.instrumentation.0 = "none".into();
        parts.metrics.push(Metric::built_in(names::CPU_FRAME).unwrap());
        let sample = |&frame: &u64| Sample { frame, metric: MetricId(0), reading: Reading::Measured(1e6) };
        parts.samples = parts.frames.iter().map(sample).collect();
    })
}

#[test]
fn runs_without_stamps_do_not_pass_for_a_judged_gpu() {
    let place = Place::new();
    place.put("a.framecost", &unstamped());
    place.framecost("baseline save twin/a.framecost");
    let done = place.framecost("compare a.framecost");
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.stdout.contains("absent: town 2560x1440: gpu_total was not judged"), "{done:?}");
    place.write("framecost.toml", "[[expect]]\nscene = \"town\"\nmetrics = [\"cpu_frame\"]\n");
    assert_eq!(place.framecost("compare a.framecost").code, 0, "that is what was meant");
    place.write("framecost.toml", "[[expect]]\nscene = \"town\"\nmetrics = [\"cpu_frame\", \"gpu_total\"]\n");
    assert_eq!(place.framecost("compare a.framecost").code, 3);
}

#[test]
fn a_recount_of_a_run_without_stamps_says_that_there_is_nothing_to_count() {
    let place = Place::new();
    place.put("a.framecost", &unstamped());
    let done = place.framecost("recount a.framecost --floor none");
    assert_eq!(done.code, 3, "{done:?}");
    assert!(!done.stdout.contains("the same"), "{done:?}");
    assert!(
        done.stdout.contains("passes were not stamped in this run, so that there is nothing to count"),
        "{done:?}"
    );
    let value = json(&place.framecost("recount a.framecost --floor none --json"));
    assert!(value["nothing"].is_string() && value.get("why_same").is_none(), "{value}");
}

#[test]
fn a_copied_capture_is_reported_once() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.copy("a.framecost", "copy.framecost");
    place.put("b.framecost", &Scene { lit: 5_001, ..Scene::default() }.capture());
    let done = place.framecost("report a.framecost copy.framecost b.framecost --json");
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(json(&done)["reports"].as_array().unwrap().len(), 2);
    assert_eq!(
        done.stderr,
        "note: `copy.framecost` holds the same run as `a.framecost`: it is counted once\n"
    );
}

#[test]
fn figures_that_no_run_has_are_refused_where_they_are_read() {
    let place = Place::new();
    let with = |name: &str, value: f64| {
        let mut parts = Scene::default().capture().into_parts();
        parts.metrics.push(Metric::built_in(name).unwrap());
        parts.figures.push(Figure { metric: MetricId(0), reading: Reading::Measured(value) });
        Capture::new(parts)
    };
    for (name, value, allowed) in [
        (names::CLOCK_STEP, 0.0, "above 0"),
        (names::CLOCK_STEP, -1.0, "above 0"),
        (names::START_UP, -5.0, "at least 0"),
    ] {
        let error = with(name, value).unwrap_err().to_string();
        assert_eq!(error, format!("figure 0, {name}, is {value}; allowed: {allowed}"));
    }
    // The same by hand in a file whose list of hashes was written again.
    place.put("a.framecost", &with(names::CLOCK_STEP, 32.0).unwrap());
    let file = place.path("a.framecost/capture.json");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("\"clock_step\": 32.0"), "{text}");
    fs::write(&file, text.replace("\"clock_step\": 32.0", "\"clock_step\": -1.0")).unwrap();
    let sums = place.path("a.framecost");
    let again = std::process::Command::new("sh")
        .arg("-c")
        .arg("sha256sum capture.json stamps.parquet samples.parquet > SHA256SUMS")
        .current_dir(&sums)
        .status()
        .unwrap();
    assert!(again.success());
    let done = place.framecost("report a.framecost");
    assert!(done.code == 3 && done.stderr.contains("clock_step, is -1; allowed: above 0"), "{done:?}");
}

#[test]
fn a_cost_of_stamping_below_nothing_is_called_noise() {
    let place = Place::new();
    let with = |value: f64| {
        run(|parts| {
            parts.metrics.push(Metric::built_in(names::STAMP_GPU_PER_FRAME).unwrap());
            parts.figures.push(Figure { metric: MetricId(0), reading: Reading::Measured(value) });
        })
    };
    place.put("noise.framecost", &with(-3_200.0));
    place.put("cost.framecost", &with(3_200.0));
    let noise = place.framecost("report noise.framecost").stdout;
    assert!(noise.contains("stamp_gpu_per_frame: -3.200 us is within noise"), "{noise}");
    assert!(!place.framecost("report cost.framecost").stdout.contains("within noise"));
}

#[test]
fn folders_and_words_that_say_nothing_are_wrong() {
    let place = Place::new();
    let list = place.framecost("baseline list --baselines nowhere");
    assert_eq!((list.code, list.stderr.as_str()), (3, "error: --baselines `nowhere` does not exist\n"));
    assert_eq!(place.framecost("baseline list").code, 0, "the usual folder need not be there yet");
    let mut call = place.command("bench orrery --revision");
    let revision = Done::from(call.arg("").output().unwrap());
    assert!(revision.code == 2 && revision.stderr.contains("--revision"), "{revision:?}");
}

#[test]
fn a_limit_of_a_class_holds_for_that_class_alone() {
    let place = Place::new();
    let on = |class: AdapterClass, lit: u64| {
        let mut parts = Scene { lit, ..Scene::default() }.capture().into_parts();
        parts.key.adapter_class = class;
        Capture::new(parts).unwrap()
    };
    place.write("framecost.toml", "[[limit]]\nadapter = \"cpu\"\nfail = \"50 %\"\n");
    for (class, code) in [(AdapterClass::Cpu, 0), (AdapterClass::Discrete, 1)] {
        place.put("a.framecost", &on(class, 5_000));
        place.put("b.framecost", &on(class, 6_500));
        place.framecost("baseline save twin/a.framecost");
        assert_eq!(place.framecost("compare b.framecost").code, code, "{}", class.name());
    }
}

#[test]
fn the_census_counts_every_row() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.put("b.framecost", &Scene { lit: 9_000, ..Scene::default() }.capture());
    place.framecost("baseline save twin/a.framecost");
    place.write("framecost.toml", FILE);
    let done = place.framecost("compare b.framecost --json");
    let value = json(&done);
    let rows = value["comparisons"][0]["report"]["verdict"]["rows"].as_array().unwrap().len();
    let census = value["overall"]["census"].as_object().unwrap();
    let counted: usize = census
        .iter()
        .filter(|(kind, _)| !["absent", "notes", "renamed"].contains(&kind.as_str()))
        .map(|(_, names)| names.as_array().unwrap().len())
        .sum();
    // The figure that framecost.toml takes out has no row.
    assert_eq!(counted, rows + 1, "{census:?}");
    let text = place.framecost("compare b.framecost").stdout;
    let (_, census) = text.split_once("\ncensus\n").unwrap();
    insta::assert_snapshot!(census, @r#"
               count  which
    judged         6  gpu_total median, gpu_total p95, attributed/lit median, gate/opaque median, gate/all median, budget frame
    undecided      0
    missing        0
    excluded       2  budget handheld: the budget is for other adapters than Test GPU (discrete), attributed/culling: [[limit]] of = "attributed/culling", adapter = "discrete", line 10
    "#);
}

#[test]
fn names_from_strangers_stay_inert_in_everything_that_a_comparison_adds() {
    let place = Place::new();
    let name = "to\u{1b}[31mwn<img src=x>|`\u{202e}";
    place.put(
        "a.framecost",
        &run(|parts| {
            parts.key.scene = name.into();
            parts.passes[1].name = name.into();
        }),
    );
    assert_eq!(place.framecost("baseline save twin/a.framecost --expect").code, 0);
    let expect = fs::read_to_string(place.path("framecost.toml")).unwrap();
    let more = "[rename.pass]\n\"culling\" = \"cull<b>\\u001b\"\n[[expect]]\nscene = \"gone\\u001b<b>\"\n";
    place.write("framecost.toml", &format!("{}{more}", expect.replace("\"culling\"", "\"cull<b>\\u001b\"")));
    place.put("b.framecost", &run(|parts| parts.passes[0].name = "cull<b>\u{1b}".into()));
    for call in ["compare a.framecost b.framecost", "config check a.framecost b.framecost"] {
        for format in ["text", "markdown", "json"] {
            if call.starts_with("config") && format == "markdown" {
                continue;
            }
            let done = place.framecost(&format!("{call} --format {format}"));
            assert_eq!(done.code, 3, "{done:?}");
            let said = format!("{}{}", done.stdout, done.stderr);
            assert!(!said.contains(['\u{1b}', '\u{202e}']), "{call} {format}: {said:?}");
            let outside: String = said.split('`').step_by(2).collect();
            assert!(format != "markdown" || !outside.contains("<img") && !outside.contains("<b>"), "{said}");
        }
    }
}

/// #15 of the newcomer: a check with a capture called `attributed/litt` and a budget on `gate/nope` sound.
#[test]
fn a_check_with_a_capture_names_what_applies_to_nothing() {
    let place = Place::new();
    place.put("a.framecost", &Scene::default().capture());
    place.framecost("baseline save twin/a.framecost");
    place.write("framecost.toml", "[[limit]]\nof = \"attributed/litt\"\nfail = \"5 %\"\n");
    let done = place.framecost("config check a.framecost");
    let idle = "  applies to nothing: [[limit]] on line 1 of framecost.toml: no capture given has a pass, gate or switch \"litt\"";
    assert!(done.code == 0 && done.stdout.contains(idle), "{done:?}");
    let value = json(&place.framecost("config check a.framecost --json"));
    assert_eq!(value["notes"].as_array().map(Vec::len), Some(1));
    assert!(
        place.framecost("config check").stdout.ends_with("is sound: 1 limit\n"),
        "without a capture nothing is"
    );
    let budget = "[[budget]]\nname = \"b\"\nof = \"gate/nope\"\nscene = \"town\"\nsize = \"any\"\nstatistic = \"median\"\n\
                  limit = \"1 ms\"\nadapter = \"any\"\n";
    place.write("framecost.toml", budget);
    let done = place.framecost("config check a.framecost");
    assert!(done.code == 3 && done.stdout.contains("gate/nope median"), "{done:?}");
    assert!(done.stdout.contains("does not bind: "), "{}", done.stdout);
    assert_eq!(
        place.framecost("compare a.framecost").code,
        3,
        "what a check finds, a comparison does not let pass"
    );
}
