//! What a history looks like: text for a terminal, JSON for programs, names from strangers in both.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod history_support;

use framecost::history::{HistoryReport, LeftOut, Options, Run, history};
use framecost::report::{Style, history_json, history_text};
use framecost_sample::Environment;
use history_support::{fact, of, options, quiet, revision, runs, step, with_facts};

/// A step, a known break, a gap, a run that is left out.
fn eventful() -> HistoryReport {
    let factor = |i: usize| {
        if i < 20 {
            1.0
        } else if i < 40 {
            1.05
        } else {
            1.4
        }
    };
    let driver = |i: usize| vec![("driver", if i < 40 { "1.0" } else { "2.0" }.to_owned())];
    let mut all = with_facts(runs(&quiet(56, factor)), driver);
    all[9].values[0].reading = Err("unreliable".into());
    for run in &mut all {
        run.asked = vec!["lit_load=1".into()];
    }
    all.push(Run { started_at: None, path: "out/when.framecost".into(), ..all[0].clone() });
    history(&all, &[], &options())
}

#[test]
fn a_history_reads_from_left_to_right_and_says_what_to_do_next() {
    insta::assert_snapshot!(history_text(&eventful(), &Style::PLAIN), @r"
    GOT WORSE  history of town: 1 step and 0 drifts in 1 series

    gpu_total median, town 2560x1440 lit_load=1
    Test GPU (discrete), vulkan, 2 frames in flight
    56 points of 56 runs, 2026-01-01T00:00:00Z to 2026-01-23T22:00:00Z; 1 without a value (?)
      _________?__________....................|################
                          a
      from 9.936 ms (_) to 14.06 ms (#)
      known break (|) at 56e27eb, no alarm: driver 1.0 -> 2.0
      WORSE   a  between 5c55827 and fa8cfc3: +5.2 % (+5.0 % to +5.4 %), 9.993 ms -> 10.51 ms
        chance alone: p 0.0006, 19 points before and 20 after, parted in 100.0 % of pairs
        next: framecost ab --a BUILD-OF-5c55827 --b BUILD-OF-fa8cfc3 -- town --size 2560x1440 --set lit_load=1

    changes past 2.0 % with at least five points on each side; 4 tests made together
    of 100 series of 100 points in which nothing happened, at most one shows a change, unless neighbours
    resemble each other by more than 0.5 (docs/method.md)

    left out: 1 capture
      out/when.framecost: does not say when it began, so that it has no place in time
    ");
}

#[test]
fn a_terminal_that_can_shows_bars() {
    let style = Style { colour: true, unicode: true, width: 40 };
    let text = history_text(&of(&quiet(90, step(60, 0.05))), &style);
    assert!(
        text.contains('\u{2581}') && text.contains('\u{2588}') && text.contains("\u{1b}[1;31m"),
        "{text}"
    );
    let strip = text.lines().find(|line| line.contains('\u{2581}')).unwrap();
    assert!(strip.chars().count() <= 40, "{strip}");
}

#[test]
fn a_drift_and_what_it_adds_up_to_are_told() {
    let creep = of(&quiet(33, |i| 1.01f64.powi((i / 3) as i32)));
    insta::assert_snapshot!(history_text(&creep, &Style::PLAIN), @r"
    GOT WORSE  history of town: 0 steps and 1 drift in 1 series

    gpu_total median, town 2560x1440
    Test GPU (discrete), vulkan, 2 frames in flight
    33 points of 33 runs, 2026-01-01T00:00:00Z to 2026-01-14T08:00:00Z
      ___._....,,,------~~~===*=****###
      from 9.973 ms (_) to 11.08 ms (#)
      WORSE      drift from 9e3779b to 6526b0e: +11.5 % (+10.9 % to +12.0 %) over 33 points, no single step
        chance alone: p below 0.0001
        next: framecost ab --a BUILD-OF-9e3779b --b BUILD-OF-6526b0e -- town --size 2560x1440
      WORSE      since 9e3779b (the first of this environment): +9.6 %, 10.05 ms -> 11.01 ms

    changes past 2.0 % with at least five points on each side; 2 tests made together
    of 100 series of 100 points in which nothing happened, at most one shows a change, unless neighbours
    resemble each other by more than 0.5 (docs/method.md)
    ");
}

#[test]
fn a_history_too_short_to_be_judged_says_so_and_is_no_tick() {
    let text = history_text(&of(&quiet(9, step(5, 0.5))), &Style::PLAIN);
    assert!(text.starts_with("NOT JUDGED  history of town"), "{text}");
    assert!(
        text.contains("note: too short to be judged: it takes 10 points with a value, and there are 9"),
        "{text}"
    );
}

#[test]
fn sparq_198_thousands_of_points_fit_a_terminal() {
    let report = history(&runs(&quiet(3000, step(2900, 0.05))), &[], &options());
    let text = history_text(&report, &Style::PLAIN);
    assert!(text.lines().all(|line| line.chars().count() <= 170) && text.lines().count() < 25, "{text}");
    let many = HistoryReport {
        left_out: (0..5000).map(|i| LeftOut { path: format!("{i}"), reason: "is damaged".into() }).collect(),
        ..report
    };
    let text = history_text(&many, &Style::PLAIN);
    assert!(text.lines().count() < 50 && text.contains("and 4980 more; --json lists them"), "{text}");
}

#[test]
fn names_from_strangers_do_not_act() {
    let hostile = "to\u{1b}[31mwn\u{202e}<img>";
    let mut all = runs(&quiet(40, step(20, 0.05)));
    for (i, run) in all.iter_mut().enumerate() {
        run.key.scene = hostile.into();
        run.key.adapter = hostile.into();
        run.asked = vec![format!("a={hostile}")];
        run.path = hostile.into();
        let driver = if i < 10 { "1" } else { hostile };
        let revision = format!("{hostile}{i}");
        run.environment = Environment { facts: vec![fact("driver", driver), fact("revision", &revision)] };
        if i == 39 {
            run.values[0].reading = Err(hostile.into());
        }
    }
    all.push(Run { started_at: None, ..all[0].clone() });
    let options = Options { scene: hostile.into(), blessed: Some(hostile.into()), ..options() };
    let report = history(&all, &[], &options);
    assert!(
        !report.series[0].steps.is_empty()
            && !report.series[0].breaks.is_empty()
            && !report.left_out.is_empty()
    );
    for text in [history_text(&report, &Style::PLAIN), history_json(&report)] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
    }
}

#[test]
fn json_holds_every_point_with_its_runs_and_reasons() {
    let json: serde_json::Value = serde_json::from_str(&history_json(&eventful())).unwrap();
    assert_eq!((&json["framecost_history"], &json["statistic"]), (&1.into(), &"median".into()));
    let series = &json["series"][0];
    assert_eq!(series["points"][9]["value"]["missing"], "unreliable");
    assert_eq!(series["points"][0]["runs"][0]["path"], "out/0.framecost");
    assert_eq!((&series["unit"], &series["scale"]), (&"ns".into(), &"ratio".into()));
    assert_eq!(series["steps"][0]["after"], 20);
    assert_eq!(series["points"][20]["revision"], revision(20).as_str());
    assert_eq!(series["breaks"][0]["changes"][0]["fact"], "driver");
    assert_eq!(json["left_out"][0]["path"], "out/when.framecost");
    // Every key is one that the document describes.
    let format = include_str!("../../../docs/format.md");
    let section = format.split("### HISTORY").nth(1).unwrap();
    let mut unknown = Vec::new();
    walk(&json, &mut |key| {
        if !section.contains(&format!("`{key}`")) {
            unknown.push(key.to_owned());
        }
    });
    assert!(unknown.is_empty(), "docs/format.md lacks {unknown:?}");
}

fn walk(json: &serde_json::Value, met: &mut impl FnMut(&str)) {
    match json {
        serde_json::Value::Object(map) => map.iter().for_each(|(key, value)| {
            met(key);
            walk(value, met);
        }),
        serde_json::Value::Array(values) => values.iter().for_each(|value| walk(value, met)),
        _ => {}
    }
}
