//! `framecost.toml`: what is read, and what every kind of mistake is told, with its place.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use fixture::{Recipe, by_threshold};
use std::slice::from_ref;

use framecost::judge::{
    Across, AdapterFilter, Amount, BudgetKind, Config, EXAMPLE, Known, Outcome, Rule, applied, judge,
};
use framecost::stats::Statistic;
use framecost_sample::{AdapterClass, Nanos, Size};
use proptest::prelude::*;

fn error(text: &str) -> String {
    Config::from_toml(text).unwrap_err().to_string()
}

/// A budget in which one line stands in for the sound one of its key.
fn budget(line: &str) -> String {
    let key = line.split_once(' ').map_or(line, |(key, _)| key);
    let sound = [
        "name = \"b\"",
        "of = \"gpu_total\"",
        "scene = \"town\"",
        "size = \"any\"",
        "statistic = \"median\"",
        "limit = \"6 ms\"",
        "adapter = \"any\"",
    ];
    let lines: Vec<&str> =
        sound.iter().map(|it| if it.starts_with(&format!("{key} ")) { line } else { it }).collect();
    let extra = if lines.contains(&line) { "" } else { line };
    format!("[[budget]]\n{}\n{extra}", lines.join("\n"))
}

#[test]
fn an_empty_file_is_the_defaults() {
    let config = Config::from_toml("").unwrap();
    assert_eq!(config, Config::default());
    assert_eq!((config.rule, config.fail, config.warn), (Rule::Runs, 0.10, 0.05));
    assert_eq!((config.floor_gpu, config.floor_cpu), (Nanos(20e3), Nanos(50e3)));
}

#[test]
fn the_example_says_what_it_means() {
    let config = Config::from_toml(EXAMPLE).unwrap();
    let whole = config.clone();
    let defaults = Config {
        rule: whole.rule,
        fail: whole.fail,
        warn: whole.warn,
        floor_gpu: whole.floor_gpu,
        floor_cpu: whole.floor_cpu,
        ..Config::default()
    };
    assert_eq!(defaults, Config::default(), "the example's defaults are the defaults");
    let gpu_total = &config.metrics["gpu_total"];
    assert_eq!((gpu_total.fail, gpu_total.warn), (Some(0.08), None));
    assert_eq!(gpu_total.judge.as_deref(), Some([Statistic::Median, Statistic::P95].as_slice()));
    let texture = &config.metrics["texture_bytes"];
    assert_eq!((texture.floor, texture.expect), (Some(Amount::Bytes(65_536.0)), true));
    let gate = &config.budgets[0];
    assert_eq!(
        (gate.kind, gate.metric.as_str(), gate.of.as_deref()),
        (BudgetKind::Budget, "gate", Some("opaque"))
    );
    assert_eq!((gate.scene.as_deref(), gate.size), (Some("town"), Some(Size { width: 2560, height: 1440 })));
    assert_eq!(gate.switches["shadow_rays"], "off");
    assert_eq!(
        (gate.limit, &gate.adapter),
        (Amount::Time(Nanos(6e6)), &AdapterFilter::Class(AdapterClass::Discrete))
    );
    let ceiling = &config.budgets[2];
    assert_eq!((ceiling.kind, ceiling.scene.as_deref(), ceiling.size), (BudgetKind::Ceiling, None, None));
    let limit = &config.limits[0];
    assert_eq!(
        (limit.scope.metric.as_deref(), limit.scope.class),
        (Some("gpu_total"), Some(AdapterClass::Cpu))
    );
    let expect = &config.expect[0];
    assert_eq!((expect.scene.as_str(), expect.baseline), ("town", true));
    assert_eq!(config.renames.passes["main"].to, "lit");
    assert_eq!(config.gates[0].name, "after the shadows");
}

#[test]
fn unknown_keys_are_errors() {
    insta::assert_snapshot!(error("[defaults]\nfial = \"10 %\""), @"line 2, column 1: unknown field `fial`, expected one of `fail`, `warn`, `floor_gpu`, `floor_cpu`; the nearest is `fail`");
    insta::assert_snapshot!(error("[metrics.gpu_total]\nfail = \"10 %\""), @"line 1, column 2: unknown field `metrics`, expected one of `rule`, `defaults`, `metric`, `limit`, `budget`, `ceiling`, `gate`, `expect`, `rename`; the nearest is `metric`");
    insta::assert_snapshot!(error("[metric.gpu_total]\nlimit = \"10 %\""), @"line 2, column 1: unknown field `limit`, expected one of `fail`, `warn`, `floor`, `judge`, `expect`");
    insta::assert_snapshot!(error(&budget("scenes = \"town\"")), @"line 9, column 1: unknown field `scenes`, expected one of `name`, `of`, `scene`, `size`, `switches`, `statistic`, `limit`, `adapter`, `optional`; the nearest is `scene`");
    insta::assert_snapshot!(error("[[ceiling]]\nname = \"c\"\nscene = \"town\""), @"line 3, column 1: unknown field `scene`, expected one of `name`, `of`, `size`, `switches`, `statistic`, `limit`, `adapter`");
}

#[test]
fn text_that_is_no_toml_is_an_error_with_its_place() {
    insta::assert_snapshot!(error("rule = \"threshold\"\n[defaults\nfail = 1"), @"line 2, column 10: unclosed table, expected `]`");
    insta::assert_snapshot!(error("[defaults]\nwarn = \"5 %\"\nwarn = \"6 %\""), @"line 3, column 1: duplicate key");
}

#[test]
fn percentages_are_written_as_such() {
    insta::assert_snapshot!(error("[defaults]\nfail = 0.1"), @r#"line 2, column 8: `0.1` is not a percentage of at least 0, such as "10 %""#);
    insta::assert_snapshot!(error("[defaults]\nfail = \"0.1\""), @r#"line 2, column 8: `0.1` is not a percentage of at least 0, such as "10 %""#);
    insta::assert_snapshot!(error("[defaults]\n  warn = \"-5 %\""), @r#"line 2, column 10: `-5 %` is not a percentage of at least 0, such as "10 %""#);
    insta::assert_snapshot!(error("[metric.gpu_total]\nfail = \"NaN %\""), @r#"line 2, column 8: `NaN %` is not a percentage of at least 0, such as "10 %""#);
}

#[test]
fn times_need_a_unit_that_exists() {
    insta::assert_snapshot!(error("[defaults]\nfloor_gpu = 20"), @r#"line 2, column 13: `20` is no time, such as "20 us""#);
    insta::assert_snapshot!(error("[defaults]\nfloor_cpu = \"20 lightyears\""), @r#"line 2, column 13: `20 lightyears` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = \"6 milliseconds\"")), @r#"line 7, column 9: `6 milliseconds` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = \"-6 ms\"")), @r#"line 7, column 9: `-6 ms` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
}

#[test]
fn a_number_in_quotes_lacks_its_unit() {
    insta::assert_snapshot!(error(&budget("limit = \"50000\"")), @r#"line 7, column 9: `50000` has no unit: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number, which stands without quotes (50000)"#);
    insta::assert_snapshot!(error("[metric.gpu_total]\nfloor = \" 2.5\""), @r#"line 2, column 9: ` 2.5` has no unit: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number, which stands without quotes (2.5)"#);
}

#[test]
fn a_misspelt_metric_is_an_error_where_the_captures_know_its_name() {
    let check = |text: &str| {
        let config = Config::from_toml(text).unwrap();
        config.check_names(&Known::of([&Recipe::default().capture()])).map_err(|fault| fault.to_string())
    };
    insta::assert_snapshot!(check("# limits\n[metric.gpu_totl]\nfail = \"1 %\"").unwrap_err(), @"line 2, column 9: metric `gpu_totl` is not known; the nearest known name is `gpu_total`");
    insta::assert_snapshot!(check("  [metric.texture_byte]\nexpect = true").unwrap_err(), @"line 1, column 11: metric `texture_byte` is not known; the nearest known name is `texture_bytes`");
    insta::assert_snapshot!(check("[metric.\"cpu_frme\\u001b\"]\nexpect = true").unwrap_err(), @r"line 1, column 9: metric `cpu_frme\u{1b}` is not known; the nearest known name is `cpu_frame`");
    assert_eq!(check("[metric.texture_bytes]\n[metric.gpu_total]"), Ok(()));
    assert_eq!(check("[metric.heap_bytes]\nexpect = true"), Ok(()), "it may be another scene's");
}

#[test]
fn units_that_a_metric_cannot_have_are_errors() {
    insta::assert_snapshot!(error("[metric.gpu_total]\nfloor = \"20 KiB\""), @r#"line 2, column 9: `20 KiB` is not in the unit of gpu_total: write a time, such as "6 ms""#);
    insta::assert_snapshot!(error(&budget("limit = 6000")), @r#"line 7, column 9: `6000` is not in the unit of gpu_total: write a time, such as "6 ms""#);
    insta::assert_snapshot!(error(&budget("of = \"triangles\"")), @"line 7, column 9: `6 ms` is not in the unit of triangles: write a number");
}

#[test]
fn contradictions_are_errors() {
    insta::assert_snapshot!(error("[defaults]\nfail = \"5 %\"\nwarn = \"10 %\""), @"line 3, column 8: warn at 10 % is past fail at 5 %; it would never be seen");
    insta::assert_snapshot!(error("[metric.gate]\nwarn = \"12 %\""), @"line 2, column 8: warn at 12 % is past fail at 10 %; it would never be seen");
    insta::assert_snapshot!(error(&format!("{}\n{}", budget("name = \"b\""), budget("name = \"b\""))), @"line 11, column 8: the name `b` stands twice; each budget has its own");
    insta::assert_snapshot!(error("[metric.triangles]\njudge = [\"median\"]"), @"line 2, column 10: this metric has no better direction: it is shown and cannot be judged");
    insta::assert_snapshot!(error("[metric.gate]\njudge = [\"p95\", \"p95\"]"), @"line 2, column 17: the statistic `p95` stands twice");
}

#[test]
fn what_is_not_on_a_list_is_an_error_that_shows_the_list() {
    insta::assert_snapshot!(error("rule = \"median\""), @"line 1, column 8: rule `median` is not known; one of runs, threshold");
    insta::assert_snapshot!(error(&budget("statistic = \"p90\"")), @"line 6, column 13: statistic `p90` is not known; one of min, median, p95, p99, mean, max");
    insta::assert_snapshot!(error(&budget("size = \"1440p\"")), @"line 5, column 8: size `1440p` is not known; write WIDTHxHEIGHT, such as `2560x1440`, or `any`");
    insta::assert_snapshot!(error(&budget("of = \"duration\"")), @"line 3, column 6: `duration` names no pass; write `duration/NAME OF THE PASS`");
    insta::assert_snapshot!(error(&budget("of = \"gpu_total/lit\"")), @"line 3, column 6: `gpu_total/lit`: gpu_total is of the frame or run; write `gpu_total` alone");
    insta::assert_snapshot!(error(&budget("of = \"mine/lit\"")), @"line 3, column 6: `mine/lit`: only duration, exposed, alone, attributed are of passes, gate, gate_coverage, gate_before of gates, and difference of switches");
}

#[test]
fn a_budget_says_all_that_it_binds() {
    insta::assert_snapshot!(error("[[budget]]\nname = \"b\"\nof = \"gpu_total\"\nscene = \"town\"\nsize = \"any\"\nstatistic = \"median\"\nlimit = \"6 ms\""), @"line 1, column 1: missing field `adapter`");
}

#[test]
fn columns_count_characters_and_hostile_values_are_escaped() {
    insta::assert_snapshot!(error("# \u{fc}\nrule = \"\\u001b[31m\u{fc}\""), @r"line 2, column 8: rule `\u{1b}[31mü` is not known; one of runs, threshold");
    insta::assert_snapshot!(error("\"\\u001b[31m\\u202e\" = 1"), @r"line 1, column 1: unknown field `\u{1b}[31m\u{202e}`, expected one of `rule`, `defaults`, `metric`, `limit`, `budget`, `ceiling`, `gate`, `expect`, `rename`");
    insta::assert_snapshot!(error("\u{fc}\u{fc} = 1"), @"line 1, column 1: invalid unquoted key, expected letters, numbers, `-`, `_`");
}

#[test]
fn a_limit_tightened_alone_tightens_the_warning_with_it() {
    let config = Config::from_toml("[defaults]\nfail = \"3 %\"").unwrap();
    assert_eq!((config.fail, config.warn), (0.03, 0.03));
}

#[test]
fn a_key_that_is_misspelt_is_told_the_nearest() {
    for (text, nearest) in [
        ("[defaults]\nfial = \"1 %\"", "fail"),
        ("[[limit]]\nof = \"gpu_total\"\nflor = \"1 us\"", "floor"),
        ("[[budgets]]\nname = \"b\"", "budget"),
        ("[[expect]]\nscen = \"town\"", "scene"),
        ("[rename.scenes]\na = \"b\"", "scene"),
    ] {
        assert!(error(text).ends_with(&format!("; the nearest is `{nearest}`")), "{text}: {}", error(text));
    }
}

#[test]
fn a_limit_says_of_what_it_is() {
    insta::assert_snapshot!(error("[[limit]]\nfail = \"1 %\""), @"line 1, column 1: this [[limit]] names no figure (`of`), scene or adapter; what holds for all stands in [defaults]");
    insta::assert_snapshot!(error("[[limit]]\nscene = \"town\""), @"line 1, column 1: this [[limit]] sets nothing; it takes fail, warn, floor, floor_gpu, floor_cpu, judge or rule");
    insta::assert_snapshot!(error("[[limit]]\nscene = \"town\"\nfloor = \"1 us\""), @"line 3, column 9: a floor for all figures is `floor_gpu` or `floor_cpu`; `floor` takes an `of`");
    insta::assert_snapshot!(error("[[limit]]\nof = \"gpu_total\"\nfloor_gpu = \"1 us\""), @"line 3, column 13: the floor of a figure is `floor`; `floor_gpu` and `floor_cpu` are for entries without `of`");
    insta::assert_snapshot!(error("[[limit]]\nof = \"gpu_total\"\nrule = \"threshold\""), @"line 3, column 8: one rule compares all figures of a run: leave `of` out");
    insta::assert_snapshot!(error("[[limit]]\nscene = \"town\"\njudge = [\"median\"]"), @"line 3, column 9: `judge` is of one figure: name it in `of`");
    insta::assert_snapshot!(error("[[limit]]\nof = \"gpu_total/lit\"\nfail = \"1 %\""), @"line 2, column 6: `gpu_total/lit`: gpu_total is of the frame or run; write `gpu_total` alone");
    insta::assert_snapshot!(error("[[limit]]\nadapter = \"discret\"\nfail = \"1 %\""), @"line 2, column 11: class of adapters `discret` is not known; one of discrete, integrated, virtual, cpu, other; the nearest is `discrete`");
    insta::assert_snapshot!(error("[[limit]]\nscene = \"any\"\nfail = \"1 %\""), @"line 2, column 9: scene `any` is no scene: a limit on every scene is a [[ceiling]], and a [[limit]] or [[gate]] without `scene` is for all");
    insta::assert_snapshot!(error("[[limit]]\nof = \"gpu_total\"\nfloor = \"1 KiB\""), @r#"line 3, column 9: `1 KiB` is not in the unit of gpu_total: write a time, such as "6 ms""#);
}

#[test]
fn two_limits_of_equal_weight_are_an_error_until_a_third_settles_it() {
    let both = "[[limit]]\nof = \"gpu_total\"\nfail = \"3 %\"\n[[limit]]\nscene = \"town\"\nfail = \"4 %\"\n";
    insta::assert_snapshot!(error(both), @r#"line 6, column 8: `fail` is set for scene = "town" here and for of = "gpu_total" on line 1, and neither names more: add a [[limit]] with of = "gpu_total", scene = "town""#);
    let settled = format!("{both}[[limit]]\nof = \"gpu_total\"\nscene = \"town\"\nfail = \"5 %\"\n");
    assert!(Config::from_toml(&settled).is_ok());
    insta::assert_snapshot!(error("[metric.gpu_total]\nfail = \"3 %\"\n[[limit]]\nof = \"gpu_total\"\nfail = \"4 %\""), @r#"line 5, column 8: `fail` for of = "gpu_total" is set on line 1 already"#);
    let apart = "[[limit]]\nscene = \"town\"\nfail = \"3 %\"\n[[limit]]\nscene = \"orrery\"\nfail = \"4 %\"\n[[limit]]\n\
                 scene = \"crowd\"\nwarn = \"1 %\"\n[[limit]]\nadapter = \"cpu\"\nfloor_gpu = \"1 us\"";
    assert!(Config::from_toml(apart).is_ok(), "other scenes or other keys are no tie");
}

#[test]
fn the_entry_that_names_the_most_wins_key_by_key() {
    let text = "[defaults]\nfail = \"20 %\"\nwarn = \"12 %\"\nfloor_gpu = \"7 us\"\n\
                [metric.attributed]\nfail = \"15 %\"\n\
                [[limit]]\nof = \"attributed/lit\"\nwarn = \"2 %\"\n\
                [[limit]]\nof = \"attributed/lit\"\nadapter = \"discrete\"\nscene = \"orrery\"\nfail = \"3 %\"\n\
                [[limit]]\nof = \"attributed\"\nadapter = \"cpu\"\nscene = \"orrery\"\nfail = \"50 %\"\nfloor = \"1 ms\"\n";
    let config = Config::from_toml(text).unwrap();
    let limits = |class, scene: &str, figure: &str| {
        let run =
            Recipe { scene: scene.into(), adapter: ("Test GPU", class), ..Recipe::default() }.analysis();
        let applied = applied(&run, &config);
        let of = applied.iter().find(|it| it.figure.to_string() == figure).unwrap();
        let line = |source: &framecost::judge::Source| source.place.map_or(0, |place| place.line);
        let percent = |part: f64| (part * 1e4).round() / 1e2;
        [
            (percent(of.fail.0), line(&of.fail.1)),
            (percent(of.warn.0), line(&of.warn.1)),
            (of.floor.0 / 1e3, line(&of.floor.1)),
        ]
    };
    let discrete = AdapterClass::Discrete;
    assert_eq!(limits(discrete, "orrery", "attributed/lit"), [(3.0, 14), (2.0, 9), (7.0, 4)]);
    assert_eq!(limits(discrete, "town", "attributed/lit"), [(15.0, 6), (2.0, 9), (7.0, 4)]);
    assert_eq!(limits(discrete, "town", "attributed/cull"), [(15.0, 6), (12.0, 3), (7.0, 4)]);
    assert_eq!(limits(AdapterClass::Cpu, "orrery", "attributed/cull"), [(50.0, 19), (12.0, 3), (1000.0, 20)]);
    assert_eq!(limits(discrete, "town", "gpu_total"), [(20.0, 2), (12.0, 3), (7.0, 4)]);
    assert_eq!(limits(discrete, "town", "cpu_frame"), [(20.0, 2), (12.0, 3), (50.0, 0)], "built in");
}

#[test]
fn a_limit_of_another_class_or_scene_judges_nothing() {
    let base = Recipe::default().analysis();
    let heavy = Recipe { lit_us: 7000, ..Recipe::default() }.analysis();
    let outcome = |text: &str| {
        let config = by_threshold(text);
        judge(from_ref(&heavy), from_ref(&base), &config, Across::NOTHING).outcome()
    };
    assert_eq!(outcome(""), Outcome::Regressed);
    assert_eq!(outcome("[[limit]]\nadapter = \"discrete\"\nfail = \"30 %\""), Outcome::Passed);
    assert_eq!(outcome("[[limit]]\nadapter = \"cpu\"\nfail = \"30 %\""), Outcome::Regressed);
    assert_eq!(outcome("[[limit]]\nscene = \"orrery\"\nfail = \"30 %\""), Outcome::Passed);
    assert_eq!(outcome("[[limit]]\nscene = \"town\"\nfail = \"30 %\""), Outcome::Regressed);
    assert_eq!(
        outcome("[[limit]]\nof = \"attributed/lit\"\nfail = \"30 %\""),
        Outcome::Regressed,
        "gpu_total grew too"
    );
}

#[test]
fn absurd_numbers_are_errors() {
    insta::assert_snapshot!(error("[defaults]\nfail = \"1e99 %\""), @"line 2, column 8: `1e99 %` is a limit that nothing reaches; allowed: at most 10000 %");
    insta::assert_snapshot!(error("[defaults]\nfloor_gpu = \"1e99 s\""), @"line 2, column 13: `1e99 s` is past what any frame takes; allowed: at most 1 day");
    insta::assert_snapshot!(error("[[limit]]\nof = \"gpu_total\"\nfail = \"-1 %\""), @r#"line 3, column 8: `-1 %` is not a percentage of at least 0, such as "10 %""#);
    insta::assert_snapshot!(error(&budget("limit = \"6 kg\"")), @r#"line 7, column 9: `6 kg` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = \"inf ms\"")), @r#"line 7, column 9: `inf ms` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = nan")), @r#"line 7, column 9: `nan` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = \"2 days\"")), @r#"line 7, column 9: `2 days` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a rate ("60 fps"), a percentage or a number"#);
}

#[test]
fn a_scene_or_adapter_that_can_be_none_is_an_error() {
    insta::assert_snapshot!(error(&budget("scene = \"any\"")), @"line 4, column 9: scene `any` is no scene: a limit on every scene is a [[ceiling]], and a [[limit]] or [[gate]] without `scene` is for all");
    insta::assert_snapshot!(error(&budget("scene = \"\"")), @"line 4, column 9: scene is empty; write the name of one scene");
    insta::assert_snapshot!(error(&budget("adapter = \"\"")), @"line 8, column 11: adapter is empty; write one of discrete, integrated, virtual, cpu, other, any, or a part of the adapter's name");
    insta::assert_snapshot!(error(&budget("adapter = \"discret\"")), @"line 8, column 11: adapter `discret` is not known; the nearest is `discrete`; write one of discrete, integrated, virtual, cpu, other, any, or a part of the adapter's name");
    insta::assert_snapshot!(error(&budget("adapter = \"Integrate\"")), @"line 8, column 11: adapter `Integrate` is not known; the nearest is `integrated`; write one of discrete, integrated, virtual, cpu, other, any, or a part of the adapter's name");
    let check = |text: &str| {
        let config = Config::from_toml(text).unwrap();
        config.check_names(&Known::of([&Recipe::default().capture()])).map_err(|fault| fault.to_string())
    };
    insta::assert_snapshot!(check(&budget("adapter = \"Test GPX\"")).unwrap_err(), @"line 8, column 11: no adapter's name has `Test GPX` in it; the nearest that one has is `test gpu`");
    assert_eq!(check(&budget("adapter = \"GeForce\"")), Ok(()), "another machine's");
}

#[test]
fn a_pass_where_a_metric_is_due_is_told_apart() {
    let check = |text: &str| {
        let config = Config::from_toml(text).unwrap();
        config.check_names(&Known::of([&Recipe::default().capture()])).map_err(|fault| fault.to_string())
    };
    insta::assert_snapshot!(check("[metric.lit]\nfail = \"1 %\"").unwrap_err(), @r#"line 1, column 9: `lit` is a pass and no metric; a limit on it alone is a [[limit]] with of = "attributed/lit", on every pass [metric.attributed]"#);
    insta::assert_snapshot!(check("[metric.opaque]\nfail = \"1 %\"").unwrap_err(), @r#"line 1, column 9: `opaque` is a gate and no metric; a limit on it alone is a [[limit]] with of = "gate/opaque", on every gate [metric.gate]"#);
    insta::assert_snapshot!(check("[metric.shadow_rays]\nfail = \"1 %\"").unwrap_err(), @r#"line 1, column 9: `shadow_rays` is a switch and no metric; a limit on it alone is a [[limit]] with of = "difference/shadow_rays", on every switch [metric.difference]"#);
    insta::assert_snapshot!(check("[[limit]]\nof = \"gate/opaqe\"\nfail = \"1 %\"").unwrap_err(), @"line 2, column 6: gate `opaqe` is not known; the nearest known name is `opaque`");
    insta::assert_snapshot!(check("[[limit]]\nscene = \"orery\"\nfail = \"1 %\"").unwrap_err(), @"line 2, column 9: scene `orery` is not known; the nearest known name is `orrery`");
    insta::assert_snapshot!(check("[[expect]]\nscene = \"orrery\"\nmetrics = [\"gpu_totl\"]").unwrap_err(), @"line 3, column 12: metric `gpu_totl` is not known; the nearest known name is `gpu_total`");
}

#[test]
fn what_is_expected_and_what_is_not_judged_exclude_each_other() {
    insta::assert_snapshot!(error("[metric.gpu_total]\njudge = []\nexpect = true"), @"line 2, column 9: gpu_total is expected and is not to be judged ([metric.gpu_total], line 2): it is one or the other");
    insta::assert_snapshot!(error("[metric.gpu_total]\njudge = []\n[[expect]]\nscene = \"town\"\nmetrics = [\"gpu_total\"]"), @"line 5, column 12: gpu_total is expected and is not to be judged ([metric.gpu_total], line 2): it is one or the other");
    insta::assert_snapshot!(error("[[expect]]\nscene = \"town\"\n[[expect]]\nscene = \"town\"\npasses = [\"lit\"]"), @"line 4, column 9: town is expected on line 2 already");
    insta::assert_snapshot!(error("[[expect]]\nscene = \"town\"\nmetrics = [\"attributed\"]"), @"line 3, column 12: `attributed` is of passes: expect them by name in `passes`");
    insta::assert_snapshot!(error("[[expect]]\nscene = \"town\"\npasses = [\"lit\", \"lit\"]"), @"line 3, column 18: the pass `lit` stands twice");
    insta::assert_snapshot!(error("[[limit]]\nscene = \"town\"\nwarn = \"11 %\""), @"line 3, column 8: warn at 11 % is past fail at 10 %; it would never be seen");
}

#[test]
fn renames_lead_somewhere_and_never_two_into_one() {
    insta::assert_snapshot!(error("[rename.pass]\nmain = \"lit\"\nopaque = \"lit\""), @"line 3, column 1: pass `opaque` becomes `lit`, as `main` on line 2 does: two would be one");
    insta::assert_snapshot!(error("[rename.pass]\na = \"b\"\nb = \"a\""), @"line 2, column 1: pass `a` becomes `b` and so comes back to itself");
    insta::assert_snapshot!(error("[rename.scene]\ntown = \"town\""), @"line 2, column 1: scene `town` becomes `town` and so comes back to itself");
    insta::assert_snapshot!(error("[rename.metric]\ngpu_total = \"total\""), @"line 2, column 1: `gpu_total` is framecost's own metric, whose name never changes; only a source's own metrics are renamed");
    insta::assert_snapshot!(error(&format!("{}\n[rename.scene]\ntown = \"city\"", budget("name = \"b\""))), @"line 4, column 9: budget `b` names scene `town`, which line 11 renames: write `city`");
    insta::assert_snapshot!(error("[[expect]]\nscene = \"town\"\npasses = [\"main\"]\n[rename.pass]\nmain = \"lit\""), @"line 3, column 11: this expectation names pass `main`, which line 5 renames: write `lit`");
    let apply = |text: &str| {
        let config = Config::from_toml(text).unwrap();
        config.renames.apply(Recipe::default().capture()).map_err(|fault| fault.to_string())
    };
    insta::assert_snapshot!(apply("[rename.pass]\ncull = \"lit\"").unwrap_err(), @"line 2, column 1: pass `cull` becomes `lit`, and a capture at hand has both: two would be one");
    let (capture, renamed) =
        apply("[rename.pass]\ncull = \"hide\"\nhide = \"culling\"\nold = \"new\"").unwrap();
    assert_eq!(capture.passes[0].name, "culling", "a chain is followed to its end");
    assert_eq!(renamed.iter().map(ToString::to_string).collect::<Vec<_>>(), ["pass cull -> culling"]);
    let check = |text: &str| {
        let config = Config::from_toml(text).unwrap();
        config.check_names(&Known::of([&Recipe::default().capture()])).map_err(|fault| fault.to_string())
    };
    insta::assert_snapshot!(check("[rename.scene]\nvillage = \"orery\"").unwrap_err(), @"line 2, column 1: scene `village` becomes `orery`, and no scene of that name is known; the nearest is `orrery`");
    insta::assert_snapshot!(check("[rename.pass]\nlit = \"light\"").unwrap_err(), @"line 2, column 1: pass `lit` becomes `light`, and no pass of that name is known");
    assert_eq!(check("[rename.pass]\nmain = \"elsewhere\""), Ok(()), "of a scene that is not at hand");
    assert_eq!(check("[rename.scene]\nvillage = \"orrery\""), Ok(()));
}

#[test]
fn a_gate_of_the_configuration_is_judged_like_a_scenes_own() {
    let config = |lines: &str| {
        let text = format!("[[gate]]\nname = \"end\"\n{lines}\n");
        Config::from_toml(&text)
            .unwrap()
            .with_gates(Recipe::default().capture())
            .map_err(|fault| fault.to_string())
    };
    let capture = config("from = \"cull\"\nto = \"lit\"").unwrap();
    assert_eq!(capture.gates.last().unwrap().name, "end");
    let run = framecost::analyse(&capture, &framecost::account::Floor::LastPass);
    assert!(run.summaries.of_gate("gate", "end").is_some_and(|row| row.stats.is_some()));
    insta::assert_snapshot!(config("from = \"lit\"\nto = \"cull\"").unwrap_err(), @"line 2, column 8: gate `end` over scene `orrery`: it opens with `lit`, which comes after `cull`; the opening pass comes first or is the same");
    insta::assert_snapshot!(config("from = \"fog\"\nto = \"lit\"\nscene = \"orrery\"").unwrap_err().replace('\u{1b}', "ESC"), @r"line 2, column 8: gate `end` over scene `orrery`: there is no pass `fog`; the capture's passes are cull, depth|\u{1b}[31m<img src=x>`@all, lit");
    assert_eq!(
        config("from = \"fog\"\nto = \"lit\"").unwrap(),
        Recipe::default().capture(),
        "for scenes that have it"
    );
    let twice = "[[gate]]\nname = \"opaque\"\nfrom = \"cull\"\nto = \"lit\"";
    let twice = Config::from_toml(twice).unwrap().with_gates(Recipe::default().capture());
    insta::assert_snapshot!(twice.unwrap_err().to_string(), @"line 2, column 8: gate `opaque` over scene `orrery`: the capture has a gate of that name already; each has its own");
    insta::assert_snapshot!(error("[[gate]]\nname = \"g\"\nfrom = \"a\"\nto = \"b\"\n[[gate]]\nname = \"g\"\nfrom = \"c\"\nto = \"d\""), @"line 6, column 8: the gate `g` stands twice; each has a name of its own");
}

proptest! {
    #[test]
    fn no_text_of_the_new_sections_breaks_the_reader(
        section in "(limit|expect|gate|budget|rename)",
        key in "(of|scene|adapter|fail|passes|name|from|\\PC{0,4})",
        value in "\\PC{0,12}",
    ) {
        let text = format!("[[{section}]]\n\"{}\" = {:?}\n", key.replace(['"', '\\'], ""), value);
        if let Err(fault) = Config::from_toml(&text) {
            prop_assert!(fault.line >= 1 && fault.column >= 1, "{}", fault);
            prop_assert!(!fault.cause.contains(['\u{1b}', '\u{202e}', '\n']), "{}", fault);
        }
    }
}

/// A misspelt definition would never be computed, and a percentage of frames per second is met by any log.
#[test]
fn budgets_on_definitions_are_checked_by_id_and_unit() {
    let of = |of: &str, limit: &str| {
        let text = budget("").replace("gpu_total", of).replace("\"6 ms\"", limit);
        let config = Config::from_toml(&text).map_err(|fault| fault.to_string())?;
        config.check_names(&Known::default()).map_err(|fault| fault.to_string())
    };
    assert_eq!(of("low.worst.count@1%", "60"), Ok(()));
    assert_eq!(of("low.worst.count@1%", "\"60 fps\""), Ok(()));
    assert_eq!(of("time.mean", "\"6 ms\""), Ok(()));
    assert_eq!(of("stutter.time", "\"5 %\""), Ok(()));
    assert_eq!(of("battery.low", "60"), Ok(()), "it may be another scene's");
    insta::assert_snapshot!(of("low.worst.cuont@1%", "60").unwrap_err(), @"line 3, column 6: `low.worst.cuont@1%` names no definition: did you mean `low.worst.count@1%`");
    insta::assert_snapshot!(of("low.worse.cnt", "60").unwrap_err(), @"line 3, column 6: `low.worse.cnt` names no definition: did you mean `low.worst.count@1%`");
    insta::assert_snapshot!(of("low.worst.count", "60").unwrap_err(), @"line 3, column 6: `low.worst.count` names no definition: write its share behind it: `low.worst.count@1%`");
    insta::assert_snapshot!(of("low.worst.count@2%", "60").unwrap_err(), @"line 3, column 6: `low.worst.count@2%` names no definition: of a log there are `low.worst.count@1%`, `low.worst.count@0.1%`");
    insta::assert_snapshot!(of("nothing@1%", "60").unwrap_err(), @"line 3, column 6: `nothing@1%` names no definition: write one of avg.harmonic, avg.arithmetic, time.mean, fps.min, fps.max, time.pct.r7, fps.pct.r8, fps.pct.lower, low.pct.r7.time, low.pct.r8.fps, low.pct.r7.fps, low.pct.r6.time, low.pct.nearest, low.index.mangohud, low.worst.count, low.worst.atleast, low.worst.fpsmean, low.worst.fpsmean.ceil, low.integral.time, stutter.time, stutter.global, stutter.count, deviation.population, deviation.sample, deviation.adaptive.coded, deviation.adaptive.meant, pacing.step.0-2ms, pacing.step.2-4ms, pacing.step.4-8ms, pacing.step.8-12ms, pacing.step.12ms, fps.displayed, animation.error.mean, animation.error.rate, gpu.busy.gpu, gpu.busy.frame");
    insta::assert_snapshot!(of("low.worst.count@1%", "\"10 %\"").unwrap_err(), @r#"line 7, column 9: `10 %` is not in the unit of low.worst.count@1%: write frames per second, such as "60 fps" or 60"#);
    insta::assert_snapshot!(of("avg.harmonic", "\"6 ms\"").unwrap_err(), @r#"line 7, column 9: `6 ms` is not in the unit of avg.harmonic: write frames per second, such as "60 fps" or 60"#);
    insta::assert_snapshot!(of("time.mean", "\"60 fps\"").unwrap_err(), @r#"line 7, column 9: `60 fps` is not in the unit of time.mean: write a time, such as "6 ms""#);
    insta::assert_snapshot!(of("stutter.time", "\"60 fps\"").unwrap_err(), @r#"line 7, column 9: `60 fps` is not in the unit of stutter.time: write a number or a percentage, such as "95 %""#);
    insta::assert_snapshot!(of("triangles", "\"10 %\"").unwrap_err(), @"line 7, column 9: `10 %` is not in the unit of triangles: write a number");
    insta::assert_snapshot!(error("[metric.\"avg.harmonic\"]\nfloor = \"1 %\""), @r#"line 2, column 9: `1 %` is not in the unit of avg.harmonic: write frames per second, such as "60 fps" or 60"#);
    insta::assert_snapshot!(error("[[limit]]\nof = \"avg.harmonic\"\nfloor = \"1 %\""), @r#"line 3, column 9: `1 %` is not in the unit of avg.harmonic: write frames per second, such as "60 fps" or 60"#);
}
