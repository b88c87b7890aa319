//! Budgets and ceilings, case by case: what they bind, what they come to, and that none is passed over in silence.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{Recipe, by_threshold};
use framecost::judge::{Across, Config, Outcome, Verdict, judge, unbound};

fn config(text: &str) -> Config {
    by_threshold(text)
}

/// A budget on the gate, with lines added or replaced, on the default run.
fn check_budget(lines_of_budget: &str, expected: &Verdict) {
    let wanted = |key: &str| !lines_of_budget.lines().any(|line| line.starts_with(key));
    let defaults = [
        "name = \"b\"",
        "of = \"gate/opaque\"",
        "scene = \"orrery\"",
        "size = \"2560x1440\"",
        "statistic = \"median\"",
        "limit = \"7 ms\"",
        "adapter = \"discrete\"",
    ];
    let kept = defaults.iter().filter(|line| wanted(line.split_once(' ').unwrap().0));
    let text = format!("[[budget]]\n{}\n{lines_of_budget}", kept.copied().collect::<Vec<_>>().join("\n"));
    let judgement = judge(from_ref(&Recipe::default().analysis()), &[], &config(&text), Across::NOTHING);
    assert_eq!(judgement.rows.last().unwrap().verdict, *expected, "{text}");
}

#[test]
fn budgets_bind_what_they_name_and_no_other_run() {
    let skipped = |why: &str| Verdict::Skipped(why.into());
    check_budget("", &Verdict::Pass);
    check_budget("limit = \"6 ms\"", &Verdict::Fail);
    check_budget("of = \"duration/lit\"\nstatistic = \"max\"", &Verdict::Pass);
    check_budget("of = \"cpu_frame\"\nlimit = \"1 ms\"", &Verdict::Pass);
    check_budget("of = \"texture_bytes\"\nlimit = \"64 KiB\"", &Verdict::Pass);
    check_budget("of = \"texture_bytes\"\nlimit = \"63 KiB\"", &Verdict::Fail);
    check_budget("of = \"start_up\"\nlimit = \"1 s\"", &Verdict::Fail);
    check_budget("of = \"gate_coverage/opaque\"\nlimit = \"50 %\"", &Verdict::Fail);
    check_budget("scene = \"town\"", &skipped("the budget is for scene town, the run is of orrery"));
    check_budget("size = \"640x360\"", &skipped("the budget is for size 640x360, the run's is 2560x1440"));
    check_budget(
        "switches = { shadow_rays = \"on\" }",
        &skipped("the budget is for shadow_rays=on, the run's is off"),
    );
    check_budget("switches = { shadow_rays = \"off\" }", &Verdict::Pass);
    check_budget(
        "adapter = \"integrated\"",
        &skipped("the budget is for other adapters than Test GPU (discrete)"),
    );
    check_budget("adapter = \"test gp\"", &Verdict::Pass);
}

#[test]
fn a_budget_on_a_switch_that_its_scene_does_not_have_can_never_apply() {
    let why = "scene \"orrery\" has no switch \"shadow_ray\" (it has lit_load, shadow_rays): the budget can never apply";
    check_budget("switches = { shadow_ray = \"off\" }", &Verdict::Refused(why.into()));
    // Whatever else does not fit: of its own scene, no run will ever have that switch.
    check_budget("switches = { shadow_ray = \"off\" }\nsize = \"1x1\"", &Verdict::Refused(why.into()));
    let ceiling = "[[ceiling]]\nname = \"c\"\nof = \"gpu_total\"\nsize = \"any\"\nswitches = { fog = \"on\" }\n\
                   statistic = \"median\"\nlimit = \"6 ms\"\nadapter = \"any\"";
    let judgement = judge(from_ref(&Recipe::default().analysis()), &[], &config(ceiling), Across::NOTHING);
    assert!(
        matches!(judgement.rows.last().unwrap().verdict, Verdict::Skipped(_)),
        "a ceiling binds every scene, also those that have other switches"
    );
}

#[test]
fn a_budget_that_binds_none_of_several_runs_says_what_they_have_instead() {
    let budget = |name: &str, lines: &str| {
        format!(
            "[[budget]]\nname = \"{name}\"\nof = \"gpu_total\"\n{lines}\nstatistic = \"median\"\nlimit = \"1 s\"\n"
        )
    };
    let budgets = [
        budget("bound", "scene = \"town\"\nsize = \"any\"\nadapter = \"any\""),
        budget("scene", "scene = \"orery\"\nsize = \"any\"\nadapter = \"any\""),
        budget("size", "scene = \"orrery\"\nsize = \"1x1\"\nadapter = \"any\""),
        budget(
            "switch",
            "scene = \"orrery\"\nsize = \"any\"\nadapter = \"any\"\nswitches = { lit_load = \"9\" }",
        ),
        budget("adapter", "scene = \"town\"\nsize = \"any\"\nadapter = \"cpu\""),
    ];
    let config = config(&budgets.concat());
    let of = |scene: &str, load: &'static str| {
        let switches = vec![("lit_load", load), ("shadow_rays", "off")];
        let run = Recipe { scene: scene.into(), switches, ..Recipe::default() }.analysis();
        judge(from_ref(&run), &[], &config, Across::NOTHING)
    };
    let judgements = [of("orrery", "1"), of("orrery", "4"), of("town", "1")];
    let found: Vec<String> = unbound(&judgements.each_ref())
        .iter()
        .map(|it| format!("{}: {} {} / {}", it.name, it.part, it.wanted, it.given.join(", ")))
        .collect();
    assert_eq!(
        found,
        [
            "scene: scene orery / orrery, town",
            "size: size 1x1 / 2560x1440",
            "switch: switch lit_load 9 / 1, 4",
            "adapter: adapter cpu / Test GPU (discrete)"
        ]
    );
}

#[test]
fn a_budget_fails_open_in_no_case() {
    let missing = |why: &str| Verdict::Missing(why.into());
    check_budget("of = \"duration/shadow\"", &missing("no such figure in the run: duration/shadow"));
    check_budget("of = \"gpu_totl\"", &missing("no such figure in the run: gpu_totl"));
    check_budget("statistic = \"p99\"", &missing("p99 takes 100 values, 58 were measured"));
    check_budget("of = \"stamp_gpu_per_frame\"", &missing("no value was measured: unsupported"));
    check_budget(
        "of = \"texture_bytes\"\nlimit = \"7 ms\"",
        &Verdict::Refused(
            "the limit is not in the figure's unit: write an amount of bytes, such as \"64 KiB\"".into(),
        ),
    );
}

#[test]
fn a_budget_finer_than_the_clocks_step_is_refused() {
    let text = "[[ceiling]]\nname = \"c\"\nof = \"duration/cull\"\nsize = \"any\"\nstatistic = \"median\"\n\
                limit = \"10 us\"\nadapter = \"any\"";
    let coarse = Recipe { step_ns: 100_000, ..Recipe::default() }.analysis();
    let judgement = judge(from_ref(&coarse), &[], &config(text), Across::NOTHING);
    let why = "the limit 10.00 us is finer than the clock's observed step of 100.0 us";
    assert_eq!(judgement.rows.last().unwrap().verdict, Verdict::Refused(why.into()));
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
}

#[test]
fn a_ceiling_binds_every_scene() {
    let text = "[[ceiling]]\nname = \"c\"\nof = \"gpu_total\"\nsize = \"any\"\nstatistic = \"median\"\n\
                limit = \"6 ms\"\nadapter = \"any\"";
    for scene in ["orrery", "town"] {
        let run = Recipe { scene: scene.into(), ..Recipe::default() }.analysis();
        assert_eq!(
            judge(from_ref(&run), &[], &config(text), Across::NOTHING).outcome(),
            Outcome::Regressed,
            "{scene}"
        );
    }
}

#[test]
fn without_a_baseline_a_kept_budget_passes_and_a_broken_one_regresses() {
    let outcome = |limit: &str| {
        let text = format!(
            "[[budget]]\nname = \"frame\"\nof = \"gpu_total\"\nscene = \"orrery\"\nsize = \"any\"\n\
             statistic = \"median\"\nlimit = \"{limit}\"\nadapter = \"any\""
        );
        judge(from_ref(&Recipe::default().analysis()), &[], &config(&text), Across::NOTHING).outcome()
    };
    assert_eq!(outcome("7 ms"), Outcome::Passed);
    assert_eq!(outcome("6 ms"), Outcome::Regressed);
}

#[test]
fn a_kept_budget_does_not_make_up_for_a_refused_comparison() {
    let text = "[[ceiling]]\nname = \"c\"\nof = \"gpu_total\"\nsize = \"any\"\nstatistic = \"median\"\n\
                limit = \"7 ms\"\nadapter = \"any\"";
    let town = Recipe { scene: "town".into(), ..Recipe::default() };
    let judgement = judge(
        from_ref(&town.analysis()),
        from_ref(&Recipe::default().analysis()),
        &config(text),
        Across::NOTHING,
    );
    assert_eq!(judgement.rows.last().unwrap().verdict, Verdict::Pass);
    assert_eq!(judgement.outcome(), Outcome::NotMeasured, "{:?}", judgement.rows);
}
