//! What a switch adds: pairs of variants in, differences, verdicts and sections of a report out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use fixture::{HOSTILE, Recipe, by_threshold, threshold};
use framecost::judge::{
    Across, Config, Judgement, Outcome, Overall, Variant, Variants, Verdict, judge, judge_variants, unbound,
};
use framecost::report::{
    OfVariants, Report, Style, markdown_of_variants, overall_json, text_of_all, text_of_variants,
    variants_json,
};
use framecost::stats::Statistic;
use framecost::{Analysis, analyse};
use framecost_sample::Capture;
use serde_json::Value;
use std::slice::from_ref;

/// Rays on or off, with so many microseconds of lit.
fn rays(value: &'static str, lit_us: u64) -> Recipe {
    Recipe { lit_us, switches: vec![("lit_load", "1"), ("shadow_rays", value)], ..Recipe::default() }
}

fn variant(runs: &[Analysis]) -> Variant<'_> {
    Variant { runs, baseline: &[] }
}

/// Medians in microseconds of what rays add to the frame, in the runs and in the baseline, and the verdict.
fn check_against_baseline(now: (u64, u64), before: (u64, u64), expected: &str) {
    let of = |value, lit| rays(value, lit).analysis();
    let (on, off) = (of("on", now.0), of("off", now.1));
    let (was_on, was_off) = (of("on", before.0), of("off", before.1));
    let sides = [
        Variant { runs: from_ref(&off), baseline: from_ref(&was_off) },
        Variant { runs: from_ref(&on), baseline: from_ref(&was_on) },
    ];
    let found = Variants::among(&sides);
    assert_eq!(found.len(), 1);
    let judgement = judge_variants(&found[0], &threshold());
    let rows: Vec<String> = judgement
        .rows
        .iter()
        .map(|row| {
            let us = |value: Option<f64>| value.map_or("-".into(), |value| format!("{:.0}", value / 1e3));
            let ratio = row.ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"));
            let (now, before) = (us(row.current), us(row.baseline));
            format!("{} {} {}: {before} to {now}, {ratio}", row.verdict.name(), row.figure, row.statistic)
        })
        .collect();
    assert_eq!(rows.join("\n"), expected, "now {now:?}, before {before:?}");
}

#[test]
fn what_a_switch_adds_is_judged_against_what_it_added_and_its_baseline_may_lie_below_zero() {
    check_against_baseline(
        (8700, 5150),
        (8600, 5150),
        "pass difference/shadow_rays median: 3450 to 3550, 1.03",
    );
    check_against_baseline(
        (8700, 5150),
        (8000, 5150),
        "fail difference/shadow_rays median: 2850 to 3550, 1.25",
    );
    // A whole frame that grew alike in both adds no more than it did.
    check_against_baseline(
        (9700, 6150),
        (8700, 5150),
        "pass difference/shadow_rays median: 3550 to 3550, 1.00",
    );
    check_against_baseline(
        (5960, 6000),
        (5990, 6000),
        "improved difference/shadow_rays median: -10 to -40, -",
    );
    check_against_baseline((6600, 6000), (5990, 6000), "fail difference/shadow_rays median: -10 to 600, -");
    check_against_baseline((6005, 6000), (5990, 6000), "pass difference/shadow_rays median: -10 to 5, -");
}

#[test]
fn two_variants_pair_where_one_switch_alone_differs() {
    let of = |load: &'static str, rays: &'static str| {
        Recipe { switches: vec![("lit_load", load), ("shadow_rays", rays)], ..Recipe::default() }.analysis()
    };
    let found = |runs: &[Analysis]| -> Vec<String> {
        let sides: Vec<Variant<'_>> = runs.iter().map(|run| variant(from_ref(run))).collect();
        let all = Variants::among(&sides);
        all.iter().map(|it| format!("{} {} - {}", it.switch, it.more, it.less)).collect()
    };
    assert_eq!(found(&[of("1", "on"), of("1", "off")]), ["shadow_rays on - off"]);
    assert_eq!(found(&[of("10", "off"), of("2", "off")]), ["lit_load 10 - 2"], "numbers by size");
    assert_eq!(
        found(&[of("4", "off"), of("1", "off"), of("2", "off")]),
        ["lit_load 4 - 1", "lit_load 2 - 1"],
        "each less the least"
    );
    assert_eq!(
        found(&[of("1", "off"), of("1", "on"), of("4", "off"), of("4", "on")]),
        ["shadow_rays on - off", "lit_load 4 - 1", "lit_load 4 - 1", "shadow_rays on - off"]
    );
    assert_eq!(found(&[of("1", "on"), of("2", "off")]), [""; 0], "two switches differ");
    assert_eq!(found(&[of("1", "on"), of("1", "on")]), [""; 0], "none differs");
    let other = Recipe { scene: "town".into(), switches: vec![("lit_load", "2")], ..Recipe::default() };
    assert_eq!(found(&[of("1", "on"), other.analysis()]), [""; 0], "another scene");
    let unstated = Recipe { switches: vec![("lit_load", "1")], ..Recipe::default() };
    assert_eq!(found(&[of("1", "on"), unstated.analysis()]), [""; 0], "a switch that only one states");
}

/// A run that began at that second.
fn at(recipe: &Recipe, second: u32) -> Analysis {
    let mut parts = recipe.parts();
    parts.started_at = Some(format!("2026-11-29T19:00:{second:02}Z"));
    analyse(&Capture::new(parts).unwrap(), &framecost::account::Floor::LastPass)
}

#[test]
fn repeats_are_paired_in_the_order_in_which_they_ran() {
    // On off, off on: paired by time the rays add 1 ms each time, paired as given they would add 4 and -2.
    let on = [at(&rays("on", 8000), 30), at(&rays("on", 5000), 0)];
    let off = [at(&rays("off", 4000), 10), at(&rays("off", 7000), 20), at(&rays("off", 9000), 40)];
    let sides = [variant(&on), variant(&off)];
    let found = Variants::among(&sides);
    let section = OfVariants::new(&found[0], None);
    let medians: Vec<f64> =
        section.figures[0].repeats.iter().map(|repeat| repeat.measured().unwrap().median).collect();
    assert_eq!(medians, [1e6, 1e6]);
    assert_eq!(section.figures[0].value(Statistic::Median), Some(1e6));
    assert_eq!(section.notes[0], "1 run of shadow_rays=off without a partner: not in the difference");
    let judgement = judge_variants(&found[0], &threshold());
    assert_eq!(judgement.runs, (2, 0));
    assert_eq!(judgement.rows[0].verdict, Verdict::Skipped("no baseline of shadow_rays=on".into()));
}

const BUDGET: &str = r#"
[[budget]]
name = "rays"
of = "difference/shadow_rays"
scene = "orrery"
size = "any"
statistic = "median"
limit = "3 ms"
adapter = "any"
"#;

fn budget(change: (&str, &str)) -> Config {
    by_threshold(&BUDGET.replace(change.0, change.1))
}

/// The verdict of the budget on what 2.5 ms of rays add.
fn check_budget(change: (&str, &str), expected: &str) {
    let (on, off) = (rays("on", 7500).analysis(), rays("off", 5000).analysis());
    let sides = [variant(from_ref(&on)), variant(from_ref(&off))];
    let judgement = judge_variants(&Variants::among(&sides)[0], &budget(change));
    let row = judgement.rows.last().unwrap();
    let reason = row.verdict.reason().map_or_else(String::new, |why| format!(": {why}"));
    assert_eq!(format!("{}{reason}", row.verdict.name()), expected, "{change:?}");
}

#[test]
fn what_a_switch_adds_can_have_a_budget() {
    check_budget(("", ""), "pass");
    check_budget(("3 ms", "2.5 ms"), "pass");
    check_budget(("3 ms", "2 ms"), "fail");
    check_budget(("\"median\"", "\"p95\""), "pass");
    check_budget(("\"median\"", "\"p99\""), "missing: p99 takes 100 values, 58 were measured");
    check_budget(
        ("3 ms", "10 ns"),
        "refused: the limit 10 ns is finer than the clock's observed step of 32 ns",
    );
    check_budget(
        ("\"any\"\nstat", "\"1x1\"\nstat"),
        "skipped: the budget is for size 1x1, the run's is 2560x1440",
    );
}

#[test]
fn a_budget_on_a_difference_that_nobody_took_is_named_and_never_passes_in_silence() {
    let (on, off) = (rays("on", 7500).analysis(), rays("off", 5000).analysis());
    let alone = |config: &Config| judge(from_ref(&on), &[], config, Across::NOTHING);
    let one = alone(&budget(("", "")));
    let why = "the budget is on what shadow_rays adds between two variants, not on one";
    assert_eq!(one.rows.last().unwrap().verdict, Verdict::Skipped(why.into()));
    assert_eq!(one.outcome(), Outcome::NotMeasured, "nothing was compared");
    let overall = Overall::of(&[&one], &[], Judgement::tally);
    let text = text_of_all(&overall, &[Report::new(&on, None, Some(&one))], &[], &Style::PLAIN);
    let said = "budget \"rays\": on what shadow_rays adds, which takes captures of two values; given: shadow_rays=on";
    assert!(text.contains(said), "{text}");

    let both = [one, judge(from_ref(&off), &[], &budget(("", "")), Across::NOTHING)];
    let sides = [variant(from_ref(&on)), variant(from_ref(&off))];
    let taken = judge_variants(&Variants::among(&sides)[0], &budget(("", "")));
    assert_eq!(unbound(&both.each_ref()).len(), 1, "two variants that nobody paired");
    assert_eq!(unbound(&[&both[0], &both[1], &taken]), [], "the difference has it");

    let unknown = alone(&budget(("shadow_rays", "shadow_ray")));
    let why = "scene \"orrery\" has no switch \"shadow_ray\" (it has lit_load, shadow_rays): the budget can never apply";
    assert_eq!(unknown.rows.last().unwrap().verdict, Verdict::Refused(why.into()));
}

#[test]
fn a_budget_cannot_fix_the_switch_that_it_is_about() {
    let error = |change: (&str, &str)| {
        Config::from_toml(&BUDGET.replace(change.0, change.1)).unwrap_err().to_string()
    };
    insta::assert_snapshot!(error(("size =", "switches = { shadow_rays = \"on\" }\nsize =")), @"line 4, column 6: `difference/shadow_rays` lies between two values of shadow_rays: leave it out of `switches`");
    insta::assert_snapshot!(error(("difference/shadow_rays", "difference")), @"line 4, column 6: `difference` names no switch; write `difference/NAME OF THE SWITCH`");
}

#[test]
fn a_difference_counts_in_what_all_comparisons_come_to() {
    let (on, off) = (rays("on", 7500).analysis(), rays("off", 5000).analysis());
    let (was_on, was_off) = (rays("on", 6900).analysis(), rays("off", 5000).analysis());
    let sides = [
        Variant { runs: from_ref(&on), baseline: from_ref(&was_on) },
        Variant { runs: from_ref(&off), baseline: from_ref(&was_off) },
    ];
    let found = Variants::among(&sides);
    let config = threshold();
    let sets = sides.map(|side| judge(side.runs, side.baseline, &config, Across::NOTHING));
    let difference = judge_variants(&found[0], &config);
    let overall = Overall::of(&sets.each_ref(), &[&difference], Judgement::tally);
    assert_eq!((overall.captures, overall.sets, overall.differences), (2, 2, 1));
    assert_eq!((overall.regressed, overall.passed), (1, 2), "rays grew by 31 %, the frame by 8 %");
    assert_eq!(overall.outcome, Outcome::Regressed);
    let value: Value = serde_json::from_str(&overall_json(&overall)).unwrap();
    assert_eq!(value["differences"], 1);
    let reports = [Report::new(&on, None, Some(&sets[0])), Report::new(&off, None, Some(&sets[1]))];
    let section = OfVariants::new(&found[0], Some(&difference));
    let text = text_of_all(&overall, &reports, from_ref(&section), &Style::PLAIN);
    let head = text.lines().next().unwrap();
    assert_eq!(head, "REGRESSED  2 captures and 1 difference between variants: 1 regressed, 2 passed");
    assert!(text.contains("\ndifference shadow_rays on - off\n"), "{text}");
}

#[test]
fn a_baseline_that_is_unlike_its_variant_is_refused() {
    let (on, off) = (rays("on", 7500).analysis(), rays("off", 5000).analysis());
    let other =
        Recipe { adapter: ("Other GPU", framecost_sample::AdapterClass::Discrete), ..rays("on", 7500) };
    let (was_on, was_off) = (other.analysis(), rays("off", 5000).analysis());
    let sides = [
        Variant { runs: from_ref(&on), baseline: from_ref(&was_on) },
        Variant { runs: from_ref(&off), baseline: from_ref(&was_off) },
    ];
    let found = Variants::among(&sides);
    let judgement = judge_variants(&found[0], &threshold());
    let why = "unlike the baseline in: adapter";
    assert_eq!(judgement.rows[0].verdict, Verdict::Refused(why.into()));
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
    assert!(!OfVariants::new(&found[0], Some(&judgement)).has_ratios());
}

/// Rays on and off, with other frames lost in each, against a baseline in which they added less.
fn section() -> OfVariants {
    let on = Recipe { lost: vec![1, 2, 3], ..rays("on", 8700) }.analysis();
    let off = Recipe { frames: 2..62, ..rays("off", 5150) }.analysis();
    let (was_on, was_off) = (rays("on", 7000).analysis(), rays("off", 5150).analysis());
    let sides = [
        Variant { runs: from_ref(&on), baseline: from_ref(&was_on) },
        Variant { runs: from_ref(&off), baseline: from_ref(&was_off) },
    ];
    let found = Variants::among(&sides);
    let judgement = judge_variants(&found[0], &budget(("", "")));
    OfVariants::new(&found[0], Some(&judgement))
}

#[test]
fn the_section_as_text() {
    insta::assert_snapshot!(text_of_variants(&section(), &Style::PLAIN), @r"
    difference shadow_rays on - off
    orrery 2560x1440 lit_load=1
    paired frame by frame, may lie below zero: what the switch changes anywhere in the frame, no pass's time

    REGRESSED  2 compared (2 failed)
            figure                                      baseline       run  ratio               limit
      FAIL  difference/shadow_rays median               1.850 ms  3.550 ms  1.919  +10 % and 20.00 us
      FAIL  budget rays: difference/shadow_rays median         -  3.550 ms      -            3.000 ms
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit

                                                  median       p95  pairs  without partner  ratio
      gpu_total                                 3.550 ms  3.550 ms     54                4  1.919
      gate/opaque                               3.550 ms               54                4  1.919
      duration/cull                                 0 ns               58                0      -
      duration/depth|\u{...31m<img src=x>`@all      0 ns               55                0      -
      duration/lit                              3.550 ms               54                4  1.919

    budgets and ceilings
            name  figure                            value     limit     used
      fail  rays  difference/shadow_rays median  3.550 ms  3.000 ms  118.3 %
    ");
}

#[test]
fn the_section_as_markdown() {
    insta::assert_snapshot!(markdown_of_variants(&section()), @r"
    ### REGRESSED: `difference shadow_rays on - off`

    2 compared (2 failed).


    | verdict | figure | baseline | run | ratio | limit |
    | --- | --- | ---: | ---: | ---: | ---: |
    | **fail** | `difference/shadow_rays median` | 1.850 ms | 3.550 ms | 1.919 | +10 % and 20.00 us |
    | **fail** | `budget rays: difference/shadow_rays median` | – | 3.550 ms | – | 3.000 ms |

    - the threshold rule carries no error rate: it does not say how often noise alone would pass a limit

    - `orrery 2560x1440 lit_load=1`
    - paired frame by frame, may lie below zero: what the switch changes anywhere in the frame, no pass's time

    |  | median | p95 | mean | pairs | without partner | baseline | ratio |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | `gpu_total` | 3.550 ms | 3.550 ms | 3.550 ms | 54 | 4 | 1.850 ms | 1.919 |
    | `gate/opaque` | 3.550 ms |  |  | 54 | 4 | 1.850 ms | 1.919 |
    | `duration/cull` | 0 ns |  |  | 58 | 0 | 0 ns | – |
    | <code>duration/depth&#124;&#92;u&#123;1b&#125;&#91;31m&#60;img src=x&#62;&#96;&#64;all</code> | 0 ns |  |  | 55 | 0 | 0 ns | – |
    | `duration/lit` | 3.550 ms |  |  | 54 | 4 | 1.850 ms | 1.919 |

    #### Budgets and ceilings

    | verdict | name | figure | value | limit | used |
    | --- | --- | --- | ---: | ---: | ---: |
    | fail | `rays` | `difference/shadow_rays median` | 3.550 ms | 3.000 ms | 118.3 % |
    ");
}

#[test]
fn the_section_as_json_keeps_full_precision_and_says_what_is_missing() {
    let value: Value = serde_json::from_str(&variants_json(&section())).unwrap();
    assert_eq!(
        (&value["switch"], &value["more"], &value["less"]),
        (&"shadow_rays".into(), &"on".into(), &"off".into())
    );
    let total = &value["figures"][0];
    assert_eq!((&total["metric"], &total["subject"]), (&"gpu_total".into(), &"frame".into()));
    assert_eq!(total["median"], 3.55e6);
    assert_eq!(total["p99"]["missing"], "it takes 100 values, 54 were measured");
    assert_eq!(total["each"][0]["median"], total["median"]);
    assert_eq!(value["verdict"]["rows"][0]["metric"], "difference");
    assert_eq!(value["verdict"]["rows"][0]["subject"], "switch");
    assert_eq!(value["verdict"]["rows"][0]["name"], "shadow_rays");
    let names: Vec<&str> =
        value["figures"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str()).collect();
    assert_eq!(names, ["opaque", "cull", HOSTILE, "lit"]);
}

#[test]
fn a_figure_that_no_pair_of_frames_has_says_why() {
    let on = rays("on", 7500).analysis();
    let off = Recipe { without_lit: true, ..rays("off", 5000) }.analysis();
    let sides = [variant(from_ref(&on)), variant(from_ref(&off))];
    let section = OfVariants::new(&Variants::among(&sides)[0], None);
    let text = text_of_variants(&section, &Style::PLAIN);
    assert!(text.contains("duration/lit: no pair of frames, not available"), "{text}");
}
