//! Judging, case by case: captures in, verdicts and outcomes out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use fixture::{HOSTILE, Recipe, by_threshold, threshold};
use framecost::account::Floor;
use framecost::judge::{Across, Config, Judgement, Outcome, Verdict, judge};
use framecost::{Analysis, analyse};
use framecost_sample::{
    AdapterClass, Capture, Instrumentation, Metric, MetricId, Reading, Reason, Sample, Semantics, Sharing,
    Size,
};
use std::slice::from_ref;

fn against(run: &Recipe, baseline: &Recipe, config: &Config) -> Judgement {
    judge(from_ref(&run.analysis()), from_ref(&baseline.analysis()), config, Across::NOTHING)
}

fn config(text: &str) -> Config {
    by_threshold(text)
}

/// One line per row: verdict, figure, statistic, and the reason if there is one.
fn lines(judgement: &Judgement) -> String {
    let line = |row: &framecost::judge::Row| {
        let reason = row.verdict.reason().map_or_else(String::new, |reason| format!(": {reason}"));
        format!("{} {} {}{reason}", row.verdict.name(), row.figure, row.statistic)
    };
    judgement.rows.iter().map(line).collect::<Vec<_>>().join("\n").replace('\u{1b}', "ESC")
}

fn of<'a>(judgement: &'a Judgement, figure: &str) -> &'a Verdict {
    let row = judgement.rows.iter().find(|row| format!("{} {}", row.figure, row.statistic) == figure);
    &row.unwrap_or_else(|| panic!("no row {figure} in\n{}", lines(judgement))).verdict
}

#[test]
fn a_run_against_itself_passes() {
    let judgement = against(&Recipe::default(), &Recipe::default(), &threshold());
    insta::assert_snapshot!(lines(&judgement), @r"
    pass gpu_total median
    pass gpu_total p95
    pass attributed/cull median
    pass attributed/depth|ESC[31m<img src=x>`@all median
    pass attributed/lit median
    pass gate/opaque median
    pass cpu_frame median
    shown triangles median
    pass texture_bytes median
    ");
    assert_eq!(judgement.outcome(), Outcome::Passed);
    assert_eq!(judgement.tally().compared(), 8);
}

#[test]
fn a_heavier_pass_fails_and_is_named() {
    let heavy = Recipe { lit_us: 24_000, ..Recipe::default() };
    let judgement = against(&heavy, &Recipe::default(), &threshold());
    assert_eq!(judgement.outcome(), Outcome::Regressed);
    assert_eq!(*of(&judgement, "attributed/lit median"), Verdict::Fail);
    assert_eq!(*of(&judgement, "gpu_total median"), Verdict::Fail);
    assert_eq!(*of(&judgement, "attributed/cull median"), Verdict::Pass);
}

#[test]
fn a_lighter_pass_is_an_improvement_by_the_same_rule() {
    let light = Recipe { lit_us: 3000, ..Recipe::default() };
    let judgement = against(&light, &Recipe::default(), &threshold());
    assert_eq!(*of(&judgement, "attributed/lit median"), Verdict::Improved);
    assert_eq!(judgement.outcome(), Outcome::Passed);
}

#[test]
fn past_5_percent_warns_and_still_passes() {
    let slower = Recipe { lit_us: 6450, ..Recipe::default() };
    let judgement = against(&slower, &Recipe::default(), &threshold());
    assert_eq!(*of(&judgement, "attributed/lit median"), Verdict::Warn);
    assert_eq!(judgement.outcome(), Outcome::Passed);
}

#[test]
fn growth_up_to_the_noise_floor_is_never_judged() {
    let base = Recipe { cpu_us: 100.0, ..Recipe::default() };
    let slower = Recipe { cpu_us: 150.0, ..Recipe::default() };
    let tenth = config("[metric.cpu_frame]\nfail = \"10 %\"");
    let judgement = against(&slower, &base, &tenth);
    assert_eq!(*of(&judgement, "cpu_frame median"), Verdict::Pass, "50 % but not more than 50 us");
    let floor = config("[metric.cpu_frame]\nfail = \"10 %\"\nfloor = \"49 us\"");
    assert_eq!(*of(&against(&slower, &base, &floor), "cpu_frame median"), Verdict::Fail);
}

#[test]
fn metrics_without_a_better_direction_are_shown_and_never_failed() {
    let judgement = against(&Recipe::default(), &Recipe::default(), &threshold());
    assert_eq!(*of(&judgement, "triangles median"), Verdict::Shown);
}

#[test]
fn two_runs_without_gpu_time_do_not_pass_on_host_times() {
    let mut parts = Recipe::default().parts();
    for stamp in &mut parts.stamps {
        stamp.end = Reading::Missing(Reason::NotExecuted);
    }
    let blind = analyse(&Capture::new(parts).unwrap(), &Floor::default());
    let judgement = judge(from_ref(&blind), from_ref(&blind), &threshold(), Across::NOTHING);
    assert!(judgement.tally().compared() > 0, "the host's times are compared");
    assert_eq!(judgement.outcome(), Outcome::NotMeasured, "{}", lines(&judgement));
}

#[test]
fn runs_that_stamp_no_pass_are_judged_by_what_they_do_measure() {
    let unstamped = |bracket: Option<Reading<f64>>| {
        let mut parts = Recipe::default().parts();
        for stamp in &mut parts.stamps {
            (stamp.start, stamp.end) =
                (Reading::Missing(Reason::NotStamped), Reading::Missing(Reason::NotStamped));
        }
        if let Some(reading) = bracket {
            let metric = MetricId(u16::try_from(parts.metrics.len()).unwrap());
            parts.metrics.push(Metric::built_in("bracket_gpu").unwrap());
            let sample = |&frame: &u64| Sample { frame, metric, reading: reading.clone() };
            parts.samples.extend(parts.frames.iter().map(sample).collect::<Vec<_>>());
            parts.samples.sort_by_key(|sample| (sample.frame, sample.metric));
        }
        analyse(&Capture::new(parts).unwrap(), &Floor::default())
    };
    let outcome = |run: &Analysis, base: &Analysis| {
        judge(from_ref(run), from_ref(base), &threshold(), Across::NOTHING).outcome()
    };
    let timed = |ns: f64| unstamped(Some(Reading::Measured(ns)));
    assert_eq!(outcome(&timed(6e6), &timed(6e6)), Outcome::Passed);
    assert_eq!(outcome(&timed(9e6), &timed(6e6)), Outcome::Regressed);
    let lost = unstamped(Some(Reading::Missing(Reason::NotAvailable)));
    assert_eq!(outcome(&lost, &lost), Outcome::NotMeasured, "the bracket was asked for");
    assert_eq!(outcome(&unstamped(None), &unstamped(None)), Outcome::Passed, "the host's times alone were");
    assert_eq!(outcome(&unstamped(None), &Recipe::default().analysis()), Outcome::NotMeasured);
}

#[test]
fn without_a_baseline_every_figure_is_skipped_and_nothing_passes() {
    let judgement = judge(from_ref(&Recipe::default().analysis()), &[], &threshold(), Across::NOTHING);
    assert!(
        judgement.rows.iter().all(|row| matches!(row.verdict, Verdict::Skipped(_))),
        "{}",
        lines(&judgement)
    );
    assert_eq!(judgement.outcome(), Outcome::NotMeasured, "no comparison was made");
}

#[test]
fn no_run_at_all_is_not_measured() {
    let judgement = judge(&[], from_ref(&Recipe::default().analysis()), &threshold(), Across::NOTHING);
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
    let nothing = judge(&[], &[], &threshold(), Across::NOTHING);
    assert_eq!(nothing.outcome(), Outcome::NotMeasured);
}

#[test]
fn a_pass_that_vanished_is_missing_and_no_pass() {
    let without = Recipe { without_lit: true, ..Recipe::default() };
    let judgement = against(&without, &Recipe::default(), &threshold());
    let why = "the baseline has this figure and the run does not";
    assert_eq!(*of(&judgement, "attributed/lit median"), Verdict::Missing(why.into()));
    assert_eq!(*of(&judgement, "gate/opaque median"), Verdict::Missing(why.into()));
    assert_eq!(judgement.outcome(), Outcome::NotMeasured, "though everything that was compared passes");
}

#[test]
fn a_new_pass_has_no_baseline_and_is_skipped() {
    let without = Recipe { without_lit: true, ..Recipe::default() };
    let judgement = against(&Recipe { lit_us: 1, ..Recipe::default() }, &without, &threshold());
    assert!(matches!(of(&judgement, "attributed/lit median"), Verdict::Skipped(_)), "{}", lines(&judgement));
    assert_eq!(judgement.outcome(), Outcome::Passed);
}

#[test]
fn a_regression_outweighs_what_is_missing() {
    let broken = Recipe { without_lit: true, cpu_us: 2000.0, ..Recipe::default() };
    assert_eq!(against(&broken, &Recipe::default(), &threshold()).outcome(), Outcome::Regressed);
}

#[test]
fn a_run_that_lost_more_than_a_tenth_of_a_figure_is_missing_it() {
    let lossy = |lost| Recipe { lost: (0..lost).collect(), ..Recipe::default() };
    let few = against(&lossy(7), &Recipe::default(), &threshold());
    assert_eq!(few.outcome(), Outcome::Passed, "{}", lines(&few));
    let many = against(&lossy(8), &Recipe::default(), &threshold());
    let why = "measured in 52 frames, in the baseline in 58; it takes 9 of 10";
    assert_eq!(*of(&many, "attributed/lit median"), Verdict::Missing(why.into()));
    let all = against(&lossy(60), &Recipe::default(), &threshold());
    let why = "no value was measured: not available";
    assert_eq!(*of(&all, "attributed/lit median"), Verdict::Missing(why.into()));
}

#[test]
fn a_frame_that_lost_a_pass_does_not_read_as_a_faster_one() {
    let lossy = Recipe { lost: (0..30).collect(), ..Recipe::default() }.analysis();
    let whole = Recipe { lost: Vec::new(), ..Recipe::default() }.analysis();
    let total = |analysis: &Analysis| analysis.summaries.of_frame("gpu_total").unwrap().clone();
    assert_eq!(total(&lossy).n(), 30, "the other half is missing");
    assert_eq!(total(&lossy).missing.get(&Reason::NotAvailable), Some(&30));
    let (least, least_whole) = (total(&lossy).stats.unwrap().min, total(&whole).stats.unwrap().min);
    assert!(least >= least_whole, "{least} ns is no frame of this scene");
}

#[test]
fn only_frames_that_both_measured_are_compared() {
    // The path grows heavier: frames 0 to 59 of a longer run must not be held against all of it.
    let long = Recipe { frames: 0..400, lost: Vec::new(), ..Recipe::default() };
    let short = Recipe { frames: 0..60, lost: Vec::new(), ..Recipe::default() };
    let judgement = against(&short, &long, &threshold());
    assert_eq!((judgement.frames.run, judgement.frames.baseline, judgement.frames.common), (60, 400, 60));
    let row = judgement.rows.iter().find(|row| row.figure.metric == "gpu_total").unwrap();
    assert_eq!(row.current, row.baseline, "the same frames cost the same");
    assert_eq!(judgement.outcome(), Outcome::Passed);
}

#[test]
fn frames_that_have_nothing_in_common_are_refused() {
    let later = Recipe { frames: 100..160, ..Recipe::default() };
    let judgement = against(&later, &Recipe::default(), &threshold());
    assert_eq!(judgement.refused[0].what, "measured frames, none of which both have");
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
}

#[test]
fn several_runs_are_judged_by_the_median_of_their_medians() {
    let run = |lit_us| Recipe { lit_us, lost: Vec::new(), ..Recipe::default() }.analysis();
    let base = [run(6000), run(6010), run(6020)];
    // One slow run among three is an outlier; two are not.
    let outlier = judge(&[run(6000), run(6010), run(9000)], &base, &threshold(), Across::NOTHING);
    assert_eq!(outlier.outcome(), Outcome::Passed, "{}", lines(&outlier));
    let slow = judge(&[run(6000), run(9000), run(9000)], &base, &threshold(), Across::NOTHING);
    assert_eq!(*of(&slow, "attributed/lit median"), Verdict::Fail);
    assert_eq!(slow.runs, (3, 3));
}

#[test]
fn runs_of_unlike_variants_are_no_repeats() {
    let other = Recipe { switches: vec![("lit_load", "2")], ..Recipe::default() };
    let runs = [Recipe::default().analysis(), other.analysis()];
    let judgement = judge(&runs, from_ref(&runs[0]), &threshold(), Across::DECLARED);
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
    assert!(judgement.refused[0].what.contains("run 2 against run 1"), "{:?}", judgement.refused);
}

/// Changes one capture's parts and expects a refusal that names what differs.
fn check_refusal(change: impl FnOnce(&mut framecost_sample::CaptureParts), expected: &str) {
    let mut parts = Recipe::default().parts();
    change(&mut parts);
    let run = analyse(&Capture::new(parts).unwrap(), &Floor::LastPass);
    let judgement =
        judge(from_ref(&run), from_ref(&Recipe::default().analysis()), &threshold(), Across::NOTHING);
    let said: Vec<String> =
        judgement.refused.iter().map(|it| format!("{}: {} / {}", it.what, it.this, it.baseline)).collect();
    assert_eq!(said, [expected], "{}", lines(&judgement));
    assert!(
        judgement.rows.iter().all(|row| matches!(row.verdict, Verdict::Refused(_))),
        "{}",
        lines(&judgement)
    );
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
}

#[test]
fn unlike_things_are_not_compared_and_what_differs_is_named() {
    check_refusal(|parts| parts.key.benchmark = "mine".into(), "benchmark: mine / framecost-scenes");
    check_refusal(|parts| parts.key.scene = "town".into(), "scene: town / orrery");
    check_refusal(|parts| parts.key.adapter = "llvmpipe".into(), "adapter: llvmpipe / Test GPU");
    check_refusal(|parts| parts.key.adapter_class = AdapterClass::Cpu, "adapter class: cpu / discrete");
    check_refusal(|parts| parts.key.backend = "metal".into(), "backend: metal / vulkan");
    check_refusal(
        |parts| parts.key.size = Some(Size { width: 640, height: 360 }),
        "size: 640x360 / 2560x1440",
    );
    check_refusal(|parts| parts.key.settings_hash = "0".into(), "settings hash: 0 / 5e77");
    check_refusal(
        |parts| parts.key.instrumentation = Instrumentation("off".into()),
        "instrumentation: off / stamps",
    );
    check_refusal(|parts| parts.key.frames_in_flight = None, "frames_in_flight: not stated / 2");
    check_refusal(
        |parts| parts.passes[2].semantics = Semantics::TopBottom,
        "semantics of pass lit: top-bottom / bottom-bottom",
    );
    check_refusal(
        |parts| parts.passes[1..].iter_mut().for_each(|pass| pass.semantics = Semantics::TopBottom),
        &format!("semantics of pass {HOSTILE}, lit: top-bottom / bottom-bottom"),
    );
    check_refusal(
        |parts| parts.gates[0].from = framecost_sample::PassId(1),
        &format!("passes of gate opaque: from {HOSTILE} to lit / from cull to lit"),
    );
    check_refusal(
        |parts| parts.clocks[0].sharing = Sharing::WithinSubmission,
        "stamps share a timeline: within a submission / across submissions",
    );
    check_refusal(
        |parts| parts.metrics[2].better = framecost_sample::Better::Higher,
        "unit of metric texture_bytes: bytes, better: higher / bytes, better: lower",
    );
    check_refusal(
        |parts| {
            parts.key.switches.0.insert("lit_load".into(), "4".into());
        },
        "switch lit_load: 4 / 1",
    );
}

#[test]
fn ledgers_of_different_floors_are_not_compared() {
    let capture = Recipe::default().capture();
    let (run, base) = (analyse(&capture, &Floor::None), analyse(&capture, &Floor::LastPass));
    let judgement = judge(from_ref(&run), from_ref(&base), &threshold(), Across::NOTHING);
    assert_eq!(judgement.refused[0].what, "floor of the accounting");
}

#[test]
fn a_declared_difference_of_switches_is_crossed_and_shown() {
    let heavy = Recipe {
        lit_us: 24_000,
        switches: vec![("lit_load", "4"), ("shadow_rays", "off")],
        ..Recipe::default()
    };
    let across = Across { switches: true, ..Across::NOTHING };
    let judgement =
        judge(from_ref(&heavy.analysis()), from_ref(&Recipe::default().analysis()), &threshold(), across);
    assert_eq!(judgement.outcome(), Outcome::Regressed);
    assert_eq!(*of(&judgement, "attributed/lit median"), Verdict::Fail);
    assert_eq!(judgement.declared[0].what, "switch lit_load");
    assert_eq!(judgement.refused, []);
}

#[test]
fn another_adapter_is_never_crossed_whatever_is_declared() {
    let other = Recipe { adapter: ("llvmpipe", AdapterClass::Cpu), ..Recipe::default() };
    let judgement = judge(
        from_ref(&other.analysis()),
        from_ref(&Recipe::default().analysis()),
        &threshold(),
        Across::DECLARED,
    );
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
}

#[test]
fn a_change_of_the_environment_is_shown_and_not_refused() {
    let mut parts = Recipe::default().parts();
    parts.environment.facts[0].before = Reading::Measured("590.1".into());
    let run = analyse(&Capture::new(parts).unwrap(), &Floor::LastPass);
    let judgement =
        judge(from_ref(&run), from_ref(&Recipe::default().analysis()), &threshold(), Across::NOTHING);
    assert_eq!(judgement.outcome(), Outcome::Passed);
    let shown = &judgement.environment[0];
    assert_eq!(
        (shown.what.as_str(), shown.this.as_str(), shown.baseline.as_str()),
        ("driver", "590.1", "580.159.04")
    );
}

/// The load average of the run, then of the baseline; whether it is shown as a difference.
fn check_load(run: &str, baseline: &str, expected: bool) {
    let of = |load: &str| {
        let mut parts = Recipe::default().parts();
        parts.environment.facts[1].before = Reading::Measured(load.into());
        analyse(&Capture::new(parts).unwrap(), &Floor::LastPass)
    };
    let judgement = judge(from_ref(&of(run)), from_ref(&of(baseline)), &threshold(), Across::NOTHING);
    assert_eq!(!judgement.environment.is_empty(), expected, "{run} against {baseline}");
}

#[test]
fn a_load_average_differs_where_it_is_another_load() {
    check_load("2.8 1.0 0.5", "2.0 9.9 9.9", false);
    check_load("0.9 1.0 0.5", "0.1 1.0 0.5", false);
    check_load("12.0 1 1", "10.0 1 1", false);
    check_load("3.1 1.0 0.5", "2.0 1.0 0.5", true);
    check_load("0.2", "2.0", true);
    check_load("unreadable", "2.0", true);
}

#[test]
fn a_change_within_the_clocks_step_is_undecided() {
    let coarse = |lit_us| Recipe { lit_us, step_ns: 1_000_000, lost: Vec::new(), ..Recipe::default() };
    let judgement = against(&coarse(6900), &coarse(6000), &threshold());
    assert!(
        matches!(of(&judgement, "attributed/lit median"), Verdict::Undecided(_)),
        "{}",
        lines(&judgement)
    );
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
    assert_eq!(judgement.tally().undecided_passed().outcome(), Outcome::Passed);
}

#[test]
fn a_metric_that_the_configuration_expects_is_missing_where_the_run_lacks_it() {
    let judgement =
        against(&Recipe::default(), &Recipe::default(), &config("[metric.heap_bytes]\nexpect = true"));
    assert!(matches!(of(&judgement, "heap_bytes median"), Verdict::Missing(_)), "{}", lines(&judgement));
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
}

#[test]
fn limits_that_nothing_answers_to_are_noted() {
    let judgement =
        against(&Recipe::default(), &Recipe::default(), &config("[metric.gpu_totl]\nfail = \"1 %\""));
    assert_eq!(judgement.notes, ["[metric.gpu_totl] of framecost.toml: no capture given has a value of it"]);
}

#[test]
fn the_statistics_that_are_judged_can_be_chosen() {
    let chosen = config("[metric.gpu_total]\njudge = [\"max\"]\n[metric.attributed]\njudge = []");
    let judgement = against(&Recipe::default(), &Recipe::default(), &chosen);
    insta::assert_snapshot!(lines(&judgement), @r"
    pass gpu_total max
    pass gate/opaque median
    pass cpu_frame median
    shown triangles median
    pass texture_bytes median
    ");
}

#[test]
fn a_metrics_own_limits_stand_in_for_the_defaults() {
    let run = Recipe::default().analysis();
    let limits = |text: &str, metric: &str| config(text).limits(run.summaries.of_frame(metric).unwrap());
    let tight = limits("[metric.gpu_total]\nfail = \"3 %\"\nfloor = \"1 us\"", "gpu_total").unwrap();
    assert_eq!(
        (tight.fail, tight.warn, tight.floor),
        (0.03, 0.03, 1e3),
        "the warning comes no later than the failure"
    );
    let default = limits("", "gpu_total").unwrap();
    assert_eq!((default.fail, default.warn, default.floor), (0.10, 0.05, 20e3));
    let floor = |metric| limits("", metric).map(|limits| limits.floor);
    assert_eq!(floor("cpu_frame"), Ok(50e3));
    assert_eq!(floor("texture_bytes"), Ok(0.0), "bytes of fixed work do not jitter");
    let fault = limits("[metric.texture_bytes]\nfloor = \"1 us\"", "texture_bytes").unwrap_err();
    assert_eq!(fault, "the floor of texture_bytes is not in its unit, bytes");
}
