//! The census: no row falls out of it, and what is absent keeps a comparison from passing, whatever was compared.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{Recipe, by_threshold};
use framecost::Analysis;
use framecost::judge::{
    AbsenceKind, Across, Census, Config, JudgedSet, Judgement, Known, Outcome, Overall, expected_of, judge,
};
use proptest::prelude::*;

fn census(run: &Analysis, baseline: &[Analysis], config: &Config) -> (Judgement, Overall) {
    let judgement = judge(from_ref(run), baseline, config, Across::NOTHING);
    let set = JudgedSet { runs: from_ref(run), baseline, judgement: &judgement, renamed: &[] };
    let known = Known::of([&run.capture]);
    let census = Census::of(&[set], &[], config, &known, true);
    let overall = Overall::of(&[&judgement], &[], Judgement::tally).counted(census);
    (judgement, overall)
}

fn absent(text: &str, run: &Recipe, baseline: &Recipe) -> (Outcome, Vec<AbsenceKind>) {
    let config = by_threshold(text);
    let (_, overall) = census(&run.analysis(), from_ref(&baseline.analysis()), &config);
    (overall.outcome, overall.census.unwrap().absent.iter().map(|it| it.kind).collect())
}

#[test]
fn what_is_absent_keeps_a_comparison_from_passing() {
    let same = Recipe::default();
    let without = Recipe { without_lit: true, ..Recipe::default() };
    let expect = |lines: &str| format!("[[expect]]\nscene = \"orrery\"\n{lines}");
    let not = Outcome::NotMeasured;
    assert_eq!(absent("", &same, &same), (Outcome::Passed, vec![]));
    assert_eq!(absent(&expect("passes = [\"lit\"]"), &same, &same), (Outcome::Passed, vec![]));
    assert_eq!(absent(&expect("passes = [\"lit\"]"), &without, &without), (not, vec![AbsenceKind::Pass]));
    assert_eq!(absent(&expect("gates = [\"opaque\"]"), &without, &without), (not, vec![AbsenceKind::Gate]));
    assert_eq!(absent(&expect("metrics = [\"heap\"]"), &same, &same), (not, vec![AbsenceKind::Metric]));
    assert_eq!(absent(&expect("size = \"1x1\""), &same, &same), (not, vec![AbsenceKind::Scene]));
    assert_eq!(absent(&expect("adapter = \"cpu\""), &same, &same), (not, vec![AbsenceKind::Expectation]));
    let floors =
        "[defaults]\nfloor_gpu = \"1 s\"\nfloor_cpu = \"1 s\"\n[metric.texture_bytes]\nfloor = \"1 GiB\"";
    let light = Recipe { lit_us: 5990, ..Recipe::default() };
    assert_eq!(absent(floors, &same, &light), (not, vec![AbsenceKind::Effect]));
    // A failure is certain and outweighs what is absent.
    let heavy = Recipe { lit_us: 9000, ..Recipe::default() };
    assert_eq!(absent(&expect("size = \"1x1\""), &heavy, &same).0, Outcome::Regressed);
}

#[test]
fn an_expected_baseline_is_absent_where_there_is_none() {
    let run = Recipe::default().analysis();
    let ceiling = "[[ceiling]]\nname = \"c\"\nof = \"gpu_total\"\nsize = \"any\"\nstatistic = \"median\"\nlimit = \"1 s\"\nadapter = \"any\"\n";
    let of = |lines: &str| {
        let config = by_threshold(&format!("{ceiling}{lines}"));
        census(&run, &[], &config).1.outcome
    };
    assert_eq!(of(""), Outcome::Passed, "a kept ceiling needs no baseline");
    assert_eq!(of("[[expect]]\nscene = \"orrery\""), Outcome::NotMeasured);
    assert_eq!(of("[[expect]]\nscene = \"orrery\"\nbaseline = false"), Outcome::Passed);
}

#[test]
fn a_run_is_what_it_would_be_expected_by() {
    let run = Recipe::default().analysis();
    let expect = expected_of(&run);
    assert!(expect.is_of(&run.capture) && expect.lacking(from_ref(&run)).is_empty());
    assert_eq!((expect.passes.len(), expect.gates.as_slice()), (3, ["opaque".to_owned()].as_slice()));
    assert_eq!(expect.metrics, ["gpu_total", "cpu_frame", "triangles", "texture_bytes"]);
    let without = Recipe { without_lit: true, ..Recipe::default() }.analysis();
    let lacking: Vec<String> = expect
        .lacking(from_ref(&without))
        .into_iter()
        .map(|(kind, name, _)| format!("{kind} {name}"))
        .collect();
    assert_eq!(lacking, ["pass lit", "gate opaque"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_row_is_counted_once(
        lit_us in 1u64..9_000,
        lost in prop::collection::vec(0u64..60, 0..12),
        without_lit: bool,
        with_baseline: bool,
        other_scene: bool,
        text in prop::sample::select(vec![
            "",
            "[metric.attributed]\njudge = []",
            "[metric.heap]\nexpect = true",
            "[[budget]]\nname = \"b\"\nof = \"duration/lit\"\nscene = \"town\"\nsize = \"any\"\nstatistic = \"p99\"\nlimit = \"1 us\"\nadapter = \"cpu\"",
            "[[ceiling]]\nname = \"c\"\nof = \"duration/lit\"\nsize = \"any\"\nstatistic = \"p99\"\nlimit = \"1 us\"\nadapter = \"any\"",
        ]),
    ) {
        let config = by_threshold(text);
        let scene = if other_scene { "town" } else { "orrery" };
        let mut lost = lost;
        lost.sort_unstable();
        lost.dedup();
        let run = Recipe { lit_us, lost, without_lit, ..Recipe::default() }.analysis();
        let base = Recipe { scene: scene.into(), ..Recipe::default() }.analysis();
        let baseline = if with_baseline { from_ref(&base) } else { &[] };
        let (judgement, overall) = census(&run, baseline, &config);
        let census = overall.census.clone().unwrap();
        let taken_out = run.summaries.rows.iter().filter(|row| config.names_nothing(&row.id())).count();
        let absent_scenes = census.missing.iter().filter(|name| name.starts_with("scene ")).count();
        let counted: usize =
            census.kinds().iter().filter(|(kind, _)| *kind != "renamed").map(|(_, names)| names.len()).sum();
        prop_assert_eq!(counted, judgement.rows.len() + taken_out + absent_scenes, "{:#?}", census);
        prop_assert!(census.absent.is_empty() || overall.outcome != Outcome::Passed);
    }
}
