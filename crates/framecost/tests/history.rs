//! The history on series whose truth is known: points, breaks, gaps, references, what was blessed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;
mod history_support;

use framecost::history::{Course, Definition, Options, Reference, Run, Scale, history};
use framecost_sample::{Better, Environment, Reading, Reason, Unit};
use history_support::{
    MS, Noise, Random, fact, moment, of, only, options, quiet, revision, run, runs, step, time, times,
    with_facts,
};

#[test]
fn a_step_has_its_place_size_interval_and_certainty() {
    let report = of(&quiet(40, step(25, 0.05)));
    let series = only(&report);
    assert_eq!((series.steps.len(), series.drifts.len()), (1, 0));
    let step = &series.steps[0];
    assert_eq!((step.before, step.after, step.points), (24, 25, (25, 15)));
    assert!((step.change - 0.05).abs() < 0.004, "{}", step.change);
    let (low, high) = step.interval;
    assert!(low < 0.05 && 0.05 < high && high - low < 0.008, "{low} to {high}");
    assert!(step.p < 0.001 && step.course == Course::Worse && step.block == 1);
    assert_eq!(
        series.levels.iter().map(|level| (level.first, level.last)).collect::<Vec<_>>(),
        [(0, 24), (25, 39)]
    );
    assert!(report.got_worse());
}

#[test]
fn a_gain_is_a_gain_and_a_figure_without_a_better_side_only_changes() {
    let report = of(&quiet(40, step(25, -0.05)));
    assert_eq!(only(&report).steps[0].course, Course::Better);
    assert!(!report.got_worse());
    let mut rates = runs(&quiet(40, step(25, -0.05)));
    let define = |runs: &mut Vec<Run>, better| {
        for value in runs.iter_mut().flat_map(|run| &mut run.values) {
            value.definition = Some(Definition { better, ..time() });
        }
    };
    define(&mut rates, Better::Higher);
    assert_eq!(only(&history(&rates, &[], &options())).steps[0].course, Course::Worse);
    define(&mut rates, Better::Neither);
    let report = history(&rates, &[], &options());
    assert!(only(&report).steps[0].course == Course::Changed && !report.got_worse());
}

#[test]
fn runs_of_one_revision_are_one_point_with_its_spread() {
    let mut all = Vec::new();
    for i in 0..4 {
        for (k, value) in [10.2, 10.0, 10.7].into_iter().enumerate() {
            all.push(Run { started_at: Some(moment(600 * i + 5 * k)), ..run(i, value * MS) });
        }
    }
    // In whatever order they are found.
    all.reverse();
    let report = history(&all, &[], &options());
    let series = only(&report);
    assert_eq!(series.points.len(), 4);
    let point = &series.points[2];
    assert_eq!(
        (point.revision.as_deref(), point.started_at.as_deref().unwrap_or_default()),
        (Some(revision(2).as_str()), "2026-01-01T20:00:00Z")
    );
    assert_eq!(
        (&point.value, point.spread, point.runs.len()),
        (&Ok(10.2 * MS), Some((10.0 * MS, 10.7 * MS)), 3)
    );
}

#[test]
fn runs_without_a_revision_are_points_of_their_own() {
    let nameless = |i| Run {
        environment: Environment { facts: vec![fact("revision", "unknown")] },
        ..run(i, 10.0 * MS)
    };
    let report = history(&(0..3).map(nameless).collect::<Vec<_>>(), &[], &options());
    assert_eq!(
        only(&report).points.iter().map(|point| point.revision.clone()).collect::<Vec<_>>(),
        [None, None, None]
    );
}

#[test]
fn points_stand_in_the_order_of_time_and_a_run_without_a_moment_is_named() {
    let mut all: Vec<Run> = (0..12).rev().map(|i| run(i, 10.0 * MS + i as f64)).collect();
    all.push(Run { started_at: None, path: "out/when.framecost".into(), ..run(12, 10.0 * MS) });
    let report = history(&all, &[], &options());
    let values: Vec<f64> = only(&report).points.iter().map(|point| point.value.clone().unwrap()).collect();
    assert!(values.is_sorted() && values.len() == 12, "{values:?}");
    assert_eq!(report.left_out[0].path, "out/when.framecost");
}

#[test]
fn a_missing_value_is_a_gap_with_its_reason_and_never_zero() {
    let mut all = runs(&quiet(40, step(25, 0.05)));
    for i in [3, 24, 25, 26] {
        all[i].values[0].reading = Err(Reason::Unreliable.to_string());
    }
    let report = history(&all, &[], &options());
    let series = only(&report);
    assert_eq!(series.points[3].value, Err("unreliable".into()));
    assert_eq!(
        (series.steps[0].before, series.steps[0].after),
        (23, 27),
        "the step lies somewhere in the gap"
    );
    assert_eq!(series.steps[0].points, (23, 13));
}

#[test]
fn another_driver_is_a_known_break_and_no_alarm() {
    let slow = |i: usize| if i < 20 { 1.0 } else { 1.3 };
    let driver = |i: usize| vec![("driver", if i < 20 { "1.0" } else { "2.0" }.to_owned())];
    let report = history(&with_facts(runs(&quiet(40, slow)), driver), &[], &options());
    let series = only(&report);
    assert_eq!((series.breaks.len(), series.breaks[0].at), (1, 20));
    let change = &series.breaks[0].changes[0];
    assert_eq!((change.fact.as_str(), change.from.as_str(), change.to.as_str()), ("driver", "1.0", "2.0"));
    assert!(series.steps.is_empty() && series.drifts.is_empty() && series.since.is_none(), "{series:?}");
    assert!(!report.got_worse());
}

#[test]
fn a_step_beside_a_break_is_still_found() {
    let factor = |i: usize| {
        if i < 20 {
            1.0
        } else if i < 35 {
            1.3
        } else {
            1.4
        }
    };
    let driver = |i: usize| vec![("driver", if i < 20 { "1.0" } else { "2.0" }.to_owned())];
    let report = history(&with_facts(runs(&quiet(50, factor)), driver), &[], &options());
    assert_eq!(only(&report).steps.iter().map(|step| step.after).collect::<Vec<_>>(), [35]);
}

#[test]
fn a_fact_that_was_not_read_is_no_change_of_it() {
    let driver = |i: usize| if i.is_multiple_of(3) { vec![("driver", "1.0".to_owned())] } else { Vec::new() };
    let report = history(&with_facts(runs(&quiet(30, |_| 1.0)), driver), &[], &options());
    assert!(only(&report).breaks.is_empty());
}

#[test]
fn unlike_runs_are_never_one_series() {
    let mut all = runs(&quiet(40, |_| 1.0));
    for run in &mut all[20..] {
        run.key.adapter = "Another GPU".into();
        run.values[0].reading = Ok(20.0 * MS);
    }
    let report = history(&all, &[], &options());
    assert_eq!(report.series.len(), 2);
    assert!(!report.got_worse());
}

#[test]
fn values_at_or_below_zero_are_judged_by_differences_and_the_floor() {
    let noise = Random(3).noise(Noise::Normal, 40);
    let slack = |by: f64| -> Vec<f64> {
        noise.iter().enumerate().map(|(i, it)| -50e3 + 2e3 * it + if i < 20 { 0.0 } else { by }).collect()
    };
    let report = of(&slack(90e3));
    let series = only(&report);
    assert_eq!((series.scale, series.steps.len()), (Scale::Difference, 1));
    assert!((series.steps[0].change - 90e3).abs() < 3e3, "in nanoseconds, not in percent");
    assert!(only(&of(&slack(15e3))).steps.is_empty(), "below the floor of 20 us");
}

#[test]
fn what_the_machine_does_to_a_reference_too_cancels_out() {
    // Every run is slowed by another factor, the reference of the same session by the same one.
    let machine = Random(9).noise(Noise::Normal, 60);
    let factor = |i: usize| (0.2 * machine[i]).exp();
    let town = runs(&quiet(60, |i| factor(i) * step(40, 0.05)(i)));
    let reference = |i: usize| {
        let mut run = run(i, 4.0 * MS * factor(i));
        run.key.scene = "wall".into();
        run.started_at = Some(moment(600 * i + 4));
        run
    };
    let pinned = Reference { name: "wall".into(), runs: (0..60).map(reference).collect() };
    assert!(only(&history(&town, &[], &options())).steps.is_empty(), "without a reference it drowns");
    let report = history(&town, &[pinned], &options());
    let series = only(&report);
    assert_eq!((series.unit, series.normalised_by.as_slice()), (Unit::Ratio, ["wall".to_owned()].as_slice()));
    assert_eq!((series.steps.len(), series.steps[0].after), (1, 40));
    assert!((series.levels[0].median - 2.5).abs() < 0.01);
}

#[test]
fn a_run_without_a_reference_in_its_session_is_a_gap() {
    let reference = |i: usize| Run { started_at: Some(moment(600 * i + 61)), ..run(i, 4.0 * MS) };
    let pinned = Reference { name: "wall".into(), runs: vec![reference(0)] };
    let report = history(&runs(&[10.0 * MS]), std::slice::from_ref(&pinned), &options());
    let why = "no run of reference wall on this machine within 3600 seconds";
    assert_eq!(only(&report).points[0].value, Err(why.into()));
    let longer = Options { session: 2 * 3600, ..options() };
    let report = history(&runs(&[10.0 * MS]), &[pinned], &longer);
    assert!((only(&report).points[0].value.clone().unwrap() - 2.5).abs() < 1e-9);
}

#[test]
fn a_reference_of_several_keys_is_refused_by_name() {
    let mut other = run(0, 4.0 * MS);
    other.key.settings_hash = "another".into();
    let pinned = Reference { name: "wall".into(), runs: vec![run(0, 4.0 * MS), other] };
    let report = history(&runs(&[10.0 * MS]), &[pinned], &options());
    let why = only(&report).points[0].value.clone().unwrap_err();
    assert_eq!(why, "reference wall was run with 2 keys in this session: name captures of one");
}

#[test]
fn what_was_blessed_is_accepted_and_what_comes_after_is_not() {
    let factor = |i: usize| step(20, 0.05)(i) * step(40, 0.06)(i);
    let blessed = |at: usize| Options { blessed: Some(revision(at)), ..options() };
    let all = runs(&quiet(60, factor));
    let report = history(&all, &[], &blessed(30));
    let series = only(&report);
    assert_eq!(series.steps.iter().map(|step| step.accepted).collect::<Vec<_>>(), [true, false]);
    let since = series.since.as_ref().unwrap();
    assert!(since.blessed && since.from == 30 && (since.change - 0.06).abs() < 0.01, "{since:?}");
    assert!(report.got_worse());
    assert!(!history(&all, &[], &blessed(45)).got_worse(), "both steps are accepted");
    let unknown = Options { blessed: Some("fffffff".into()), ..options() };
    assert_eq!(history(&all, &[], &unknown).notes, ["the blessed revision fffffff was not measured"]);
}

#[test]
fn neighbours_that_resemble_each_other_are_told_apart_from_a_step() {
    let kept_together = |noise: Noise| {
        let block = |seed: u64| {
            let noise = Random(seed).noise(noise, 100);
            let report = of(&times(&noise, |i| if i < 50 { 0.0 } else { 4.0 }));
            only(&report).steps.first().map_or(0, |step| step.block)
        };
        (0..40).filter(|seed| block(1000 + seed) > 1).count()
    };
    let (alike, not) = (kept_together(Noise::Resembling(0.5)), kept_together(Noise::Normal));
    assert!(alike >= 36 && not <= 4, "{alike} and {not} of 40");
}

#[test]
fn any_values_give_a_report_of_finite_numbers() {
    let extremes = [f64::MAX, f64::MIN, f64::MIN_POSITIVE, -0.0, 0.0, 1.0, -1.0, 1e-300, 1e300];
    let mut random = Random(77);
    for positive in [true, false] {
        for _ in 0..40 {
            let one = |_| extremes[(random.part() * 9.0) as usize];
            let values: Vec<f64> = (0..60)
                .map(one)
                .map(|value| if positive { value.abs().max(1e-300) } else { value })
                .collect();
            let text = framecost::report::history_json(&of(&values));
            let json: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert!(!text.contains("null"), "{json:#}");
        }
    }
}

#[test]
fn a_slow_creep_is_a_drift_and_no_staircase() {
    let report = of(&quiet(100, |i| 1.0 + 0.0008 * i as f64));
    let series = only(&report);
    assert_eq!((series.steps.len(), series.drifts.len()), (0, 1));
    let drift = &series.drifts[0];
    assert!(
        (drift.change - 0.0792).abs() < 0.01
            && drift.interval.0 < drift.change
            && drift.change < drift.interval.1
    );
}

#[test]
fn the_same_runs_give_the_same_report_in_whatever_order_they_come() {
    let all = runs(&quiet(80, step(40, 0.02)));
    let mut turned = all.clone();
    turned.reverse();
    turned.swap(3, 60);
    assert_eq!(history(&all, &[], &options()), history(&turned, &[], &options()));
}

#[test]
fn a_captures_figures_become_a_runs_values() {
    let recipe = fixture::Recipe::default();
    let (capture, analysis) = (recipe.capture(), recipe.analysis());
    let asked: Vec<_> = ["gpu_total", "attributed/*", "gate/opaque", "texture_bytes", "start_up", "sky"]
        .map(|text| framecost::history::Asked::parse(text).unwrap())
        .into();
    let median = framecost::stats::Statistic::Median;
    let run =
        Run::new("a".into(), &capture, &analysis.ledger, &asked, median, |_| Ok::<_, String>(1.0)).unwrap();
    assert_eq!(run.values.len(), 8, "three passes");
    for value in &run.values {
        let Some(row) = analysis
            .summaries
            .of_frame(&value.figure.metric)
            .or_else(|| analysis.summaries.find(&value.figure))
        else {
            assert_eq!((value.figure.metric.as_str(), value.definition), ("sky", None));
            continue;
        };
        assert_eq!(value.reading, Ok(row.stats.unwrap().median), "{}", value.figure);
    }
    assert!(matches!(run.environment.facts[2].before, Reading::Missing(Reason::Unsupported)));
}
