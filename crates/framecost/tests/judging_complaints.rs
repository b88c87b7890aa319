//! What users of other benchmark tools complain of, as cases of our own: each test is named by what must not happen, with
//! the place where it did. In: simulated runs and small captures. Out: verdicts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;
#[path = "simulated/mod.rs"]
mod simulated;

use std::slice::from_ref;

use fixture::Recipe;
use framecost::Analysis;
use framecost::judge::{Across, Asked, Config, Limits, Outcome, Verdict, judge, judge_series};
use framecost::stats::Statistic;
use framecost_sample::{AdapterClass, Better};
use simulated::{Random, mann_whitney, path, run};

const LIMITS: Limits = Limits { fail: 0.05, warn: 0.02, floor: 20e3 };
const ASKED: Asked = Asked {
    statistic: Statistic::Median,
    better: Better::Lower,
    limits: LIMITS,
    quantum: 32.0,
    aligned: true,
};

fn verdict(new: &[Vec<f64>], stored: &[Vec<f64>], asked: &Asked) -> Verdict {
    judge_series(new, stored, asked, None).unwrap().0
}

fn constant(values: &[f64]) -> Vec<Vec<f64>> {
    values.iter().map(|value| vec![*value; 200]).collect()
}

fn captures(lit_us: &[u64]) -> Vec<Analysis> {
    lit_us.iter().map(|&lit_us| Recipe { lit_us, ..Recipe::default() }.analysis()).collect()
}

/// firecracker#6047, react_on_rails#4071, opentelemetry-go#2649: pooled frames of runs that differ as runs do "regress".
#[test]
fn frames_of_one_run_are_not_independent_samples() {
    let (path, mut random) = (path(), Random::new(21));
    let (mut by_frames, mut by_runs) = (0, 0);
    for _ in 0..20 {
        let stored: Vec<_> = (0..8).map(|_| run(&path, &mut random, 0.05, 0.0)).collect();
        let new = run(&path, &mut random, 0.05, 0.0);
        by_frames += u32::from(mann_whitney(&new, &stored[7]));
        by_runs += u32::from(verdict(from_ref(&new), &stored, &ASKED) == Verdict::Fail);
    }
    assert!(by_frames >= 4, "the complaint itself: {by_frames} of 20 equal runs by a test on frames");
    assert!(by_runs <= 1, "{by_runs} of 20 by runs");
}

/// rustbgpd#339: a mean change of +3.3 % failed while its own interval held zero.
#[test]
fn a_change_whose_interval_holds_zero_does_not_fail() {
    let stored = constant(&[5e6, 5.4e6, 4.7e6, 5.2e6, 4.9e6]);
    let (verdict, evidence) = judge_series(&constant(&[5.6e6]), &stored, &ASKED, None).unwrap();
    assert!(evidence.low < 0.0 && evidence.change > LIMITS.fail, "{evidence:?}");
    assert!(matches!(verdict, Verdict::Undecided(_)), "{verdict:?}");
}

/// nvbench#316: identical code is SLOW because its change exceeds the smaller of two noises.
#[test]
fn a_noisy_side_makes_a_comparison_less_sure_whichever_side_it_is() {
    let quiet = constant(&[5e6, 5.001e6, 4.999e6]);
    let noisy = constant(&[5.6e6, 5.1e6, 5.9e6]);
    assert!(matches!(verdict(&noisy, &quiet, &ASKED), Verdict::Undecided(_)));
    assert!(!matches!(verdict(&quiet, &noisy, &ASKED), Verdict::Fail | Verdict::Improved));
}

/// iree#24249: a golden value inside the noise band fails one run in seventeen.
#[test]
fn a_limit_inside_the_noise_is_undecided_not_a_coin_toss() {
    let (path, mut random) = (path(), Random::new(22));
    let tight = Asked { limits: Limits { fail: 0.005, warn: 0.005, floor: 0.0 }, ..ASKED };
    let mut fails = 0;
    for _ in 0..20 {
        let stored: Vec<_> = (0..8).map(|_| run(&path, &mut random, 0.02, 0.0)).collect();
        let new = run(&path, &mut random, 0.02, 0.0);
        fails += u32::from(verdict(from_ref(&new), &stored, &tight) == Verdict::Fail);
    }
    assert!(fails <= 1, "{fails} of 20");
}

/// flutter#64185: p90 sits on a jump of the sorted frame times and swings by 20 %.
#[test]
fn a_percentile_on_a_jump_is_judged_by_how_it_swings() {
    // Half of the stored runs have 4.5 % of slow frames and half 5.5 %: their p95 flips between 5 and 16.7 ms.
    let of = |slow: usize| -> Vec<f64> { (0..1000).map(|i| if i < slow { 16.7e6 } else { 5e6 }).collect() };
    let stored: Vec<_> = [45, 55, 45, 55, 45, 55].map(of).to_vec();
    let p95 = Asked { statistic: Statistic::P95, ..ASKED };
    assert!(matches!(verdict(&[of(55)], &stored, &p95), Verdict::Undecided(_)));
    assert_eq!(verdict(&[of(55)], &stored, &ASKED), Verdict::Pass, "the median knows nothing of it");
}

/// occt-wasm#136: 0.1 ms of jitter on 0.6 ms read as +17 %.
#[test]
fn jitter_below_the_floor_is_no_loss_however_large_its_ratio() {
    let asked = Asked { limits: Limits { floor: 200e3, ..LIMITS }, ..ASKED };
    assert_eq!(verdict(&constant(&[0.7e6]), &constant(&[0.6e6; 5]), &asked), Verdict::Pass);
    assert_eq!(verdict(&constant(&[0.9e6]), &constant(&[0.6e6; 5]), &asked), Verdict::Fail);
}

/// uni-db#230: a target that fell to 3 % of its baseline was reported as ok.
#[test]
fn a_figure_that_collapsed_is_named() {
    let stored = captures(&[6000, 6010, 5990, 6005, 5995]);
    let judgement = judge(&captures(&[10]), &stored, &Config::default(), Across::NOTHING);
    assert!(
        judgement.notes.iter().any(|note| note.contains("fell to less than half")),
        "{:?}",
        judgement.notes
    );
}

/// golang#19634, conbench#802, the services that never alert: runs without any variance.
#[test]
fn runs_without_variance_are_judged_like_any() {
    let stored = constant(&[5e6; 5]);
    assert_eq!(verdict(&constant(&[5e6]), &stored, &ASKED), Verdict::Pass);
    assert_eq!(verdict(&constant(&[5.6e6]), &stored, &ASKED), Verdict::Fail);
}

/// criterion#139, hyperfine#319, hyperfine#642: zeros end as NaN, infinity or a panic.
#[test]
fn zeros_are_values_and_nothing_becomes_nan() {
    for (new, stored) in [(0.0, 0.0), (0.0, 5e6), (5e6, 0.0), (-1.0, 0.0), (f64::MAX, f64::MIN_POSITIVE)] {
        let (_, evidence) = judge_series(&constant(&[new]), &constant(&[stored; 4]), &ASKED, None).unwrap();
        let numbers = [evidence.change, evidence.low, evidence.high, evidence.smallest, evidence.p];
        assert!(numbers.iter().all(|it| !it.is_nan()), "{new} {stored}: {evidence:?}");
    }
}

/// metamask#45450, daintree#10005, ifc-lite#3200: what was never measured got a tick.
#[test]
fn what_was_not_measured_is_no_pass() {
    let stored = captures(&[6000, 6010, 5990]);
    let without = Recipe { without_lit: true, ..Recipe::default() }.analysis();
    let judgement = judge(from_ref(&without), &stored, &Config::default(), Across::NOTHING);
    assert_ne!(judgement.outcome(), Outcome::Passed);
    assert!(judgement.rows.iter().any(|row| matches!(row.verdict, Verdict::Missing(_))));
    assert_eq!(judge(&[], &stored, &Config::default(), Across::NOTHING).outcome(), Outcome::NotMeasured);
}

/// codspeed#520, shunt#629, smda#268: equal binaries on another machine "regress" by 13 %.
#[test]
fn another_machine_is_no_baseline() {
    let stored = captures(&[6000, 6010, 5990]);
    let other = Recipe { lit_us: 7000, adapter: ("Other GPU", AdapterClass::Discrete), ..Recipe::default() };
    let judgement = judge(&[other.analysis()], &stored, &Config::default(), Across::NOTHING);
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
    assert!(judgement.rows.iter().all(|row| !matches!(row.verdict, Verdict::Fail)), "refused, not failed");
}

/// asv#752: "about the same" hides a change that is real.
#[test]
fn a_pass_says_how_large_a_loss_it_rules_out() {
    let (path, mut random) = (path(), Random::new(23));
    let stored: Vec<_> = (0..10).map(|_| run(&path, &mut random, 0.003, 0.0)).collect();
    let new = run(&path, &mut random, 0.003, 0.03);
    let (verdict, evidence) = judge_series(&[new], &stored, &ASKED, None).unwrap();
    assert_eq!(verdict, Verdict::Warn, "3 % is past the warning and short of the limit");
    assert!(evidence.low > 0.0 && evidence.high < 0.06 && evidence.smallest < 0.03, "{evidence:?}");
}
