//! `framecost.toml`: what is read, and what every kind of mistake is told, with its place.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use fixture::Recipe;
use framecost::judge::{AdapterFilter, Amount, BudgetKind, Config, EXAMPLE, Rule};
use framecost::stats::Statistic;
use framecost_sample::{AdapterClass, Nanos, Size};

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
    let defaults =
        Config { metrics: config.metrics.clone(), budgets: config.budgets.clone(), ..Config::default() };
    assert_eq!(config, defaults, "the example's defaults are the defaults");
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
}

#[test]
fn unknown_keys_are_errors() {
    insta::assert_snapshot!(error("[defaults]\nfial = \"10 %\""), @"line 2, column 1: unknown field `fial`, expected one of `fail`, `warn`, `floor_gpu`, `floor_cpu`");
    insta::assert_snapshot!(error("[metrics.gpu_total]\nfail = \"10 %\""), @"line 1, column 2: unknown field `metrics`, expected one of `rule`, `defaults`, `metric`, `budget`, `ceiling`");
    insta::assert_snapshot!(error("[metric.gpu_total]\nlimit = \"10 %\""), @"line 2, column 1: unknown field `limit`, expected one of `fail`, `warn`, `floor`, `judge`, `expect`");
    insta::assert_snapshot!(error(&budget("scenes = \"town\"")), @"line 9, column 1: unknown field `scenes`, expected one of `name`, `of`, `scene`, `size`, `switches`, `statistic`, `limit`, `adapter`");
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
    insta::assert_snapshot!(error("[defaults]\nfloor_cpu = \"20 lightyears\""), @r#"line 2, column 13: `20 lightyears` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = \"6 milliseconds\"")), @r#"line 7, column 9: `6 milliseconds` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a percentage or a number"#);
    insta::assert_snapshot!(error(&budget("limit = \"-6 ms\"")), @r#"line 7, column 9: `-6 ms` is not an amount of at least 0: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a percentage or a number"#);
}

#[test]
fn a_number_in_quotes_lacks_its_unit() {
    insta::assert_snapshot!(error(&budget("limit = \"50000\"")), @r#"line 7, column 9: `50000` has no unit: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a percentage or a number, which stands without quotes (50000)"#);
    insta::assert_snapshot!(error("[metric.gpu_total]\nfloor = \" 2.5\""), @r#"line 2, column 9: ` 2.5` has no unit: write a time ("6 ms"; ns, us, ms, s), bytes ("64 KiB"; B, KiB, MiB, GiB), a percentage or a number, which stands without quotes (2.5)"#);
}

#[test]
fn a_misspelt_metric_is_an_error_where_the_captures_know_its_name() {
    let check = |text: &str| {
        let config = Config::from_toml(text).unwrap();
        config.check_metrics([&Recipe::default().capture()]).map_err(|fault| fault.to_string())
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
    insta::assert_snapshot!(error("\"\\u001b[31m\\u202e\" = 1"), @r"line 1, column 1: unknown field `\u{1b}[31m\u{202e}`, expected one of `rule`, `defaults`, `metric`, `budget`, `ceiling`");
    insta::assert_snapshot!(error("\u{fc}\u{fc} = 1"), @"line 1, column 1: invalid unquoted key, expected letters, numbers, `-`, `_`");
}

#[test]
fn a_limit_tightened_alone_tightens_the_warning_with_it() {
    let config = Config::from_toml("[defaults]\nfail = \"3 %\"").unwrap();
    assert_eq!((config.fail, config.warn), (0.03, 0.03));
}
