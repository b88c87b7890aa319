//! The rule of runs: series and captures with known truth in, verdicts with their evidence out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;
#[path = "simulated/mod.rs"]
mod simulated;

use std::slice::from_ref;

use fixture::Recipe;
use framecost::judge::{
    Across, Asked, Case, Config, Evidence, Judgement, Limits, Measure, Noise, NoiseProfile, Outcome, Row,
    Scale, Verdict, confirm, correct, judge, judge_case, judge_pairs_of_series, judge_series,
};
use framecost::stats::Statistic;
use framecost::{Analysis, counted};
use framecost_sample::Better;
use simulated::{FRAMES, Random, path, run};

const LIMITS: Limits = Limits { fail: 0.02, warn: 0.02, floor: 20e3 };
const ASKED: Asked = Asked {
    statistic: Statistic::Median,
    better: Better::Lower,
    limits: LIMITS,
    quantum: 32.0,
    aligned: true,
};

/// How many of so many comparisons fail, pass and are undecided.
fn tally(comparisons: u32, new: u32, stored: u32, spread: f64, change: f64) -> (u32, u32, u32) {
    let (path, mut random) = (path(), Random::new(42));
    let (mut fail, mut pass, mut undecided) = (0, 0, 0);
    for _ in 0..comparisons {
        let old: Vec<_> = (0..stored).map(|_| run(&path, &mut random, spread, 0.0)).collect();
        let runs: Vec<_> = (0..new).map(|_| run(&path, &mut random, spread, change)).collect();
        match judge_series(&runs, &old, &ASKED, None).unwrap().0 {
            Verdict::Fail => fail += 1,
            Verdict::Pass => pass += 1,
            Verdict::Undecided(_) => undecided += 1,
            Verdict::Improved | Verdict::Warn => {}
            other => panic!("{other:?}"),
        }
    }
    (fail, pass, undecided)
}

// A small part of the table in docs/method.md, with room for so few comparisons: `cargo run --release --example error_rates`.

#[test]
fn quiet_machines_show_five_percent_and_do_not_cry_wolf() {
    let (fail, ..) = tally(60, 1, 10, 0.005, 0.0);
    assert!(fail <= 2, "{fail} of 60 false alarms");
    let (fail, ..) = tally(60, 1, 10, 0.005, 0.05);
    assert!(fail >= 58, "{fail} of 60 found");
}

#[test]
fn a_noisy_machine_is_undecided_not_guessed_at() {
    for change in [0.0, 0.05] {
        let (fail, pass, undecided) = tally(40, 1, 10, 0.10, change);
        assert!(pass <= 1 && fail <= 6 && undecided >= 33, "at {change}: {fail} {pass} {undecided}");
    }
}

#[test]
fn evidence_says_how_much_how_sure_and_what_more_runs_would_do() {
    let (path, mut random) = (path(), Random::new(3));
    let old: Vec<_> = (0..10).map(|_| run(&path, &mut random, 0.01, 0.0)).collect();
    let new = [run(&path, &mut random, 0.01, 0.005)];
    let (verdict, evidence) = judge_series(&new, &old, &ASKED, None).unwrap();
    let Evidence { scale, change, low, high, spread, smallest, .. } = evidence;
    assert_eq!(scale, Scale::Ratio);
    assert!(low < change && change < high && (change - 0.005).abs() < 0.04, "{low} {change} {high}");
    let spread = spread.unwrap();
    assert!((0.004..0.02).contains(&spread), "{spread}");
    // t(0.99, 9) = 2.821 and t(0.90, 9) = 1.383, times the error of one run against ten.
    let expected = ((2.821 + 1.383) * spread * 1.1f64.sqrt()).exp_m1();
    assert!((smallest - expected).abs() < 2e-4, "{smallest}, not {expected}");
    assert!(matches!(verdict, Verdict::Undecided(_)), "{verdict:?}");
    assert!(evidence.more_runs.is_some_and(|more| more < 100), "{evidence:?}");
}

/// A number of further runs that rests on the change being just the one found was wrong as often as right: it is a range over
/// changes within the standard error, and it mostly holds what then decides.
#[test]
fn further_runs_are_a_range_that_mostly_holds_what_decides() {
    let (path, mut random) = (path(), Random::new(17));
    let (mut promised, mut kept, mut within_first) = (0, 0, 0);
    for _ in 0..150 {
        let old: Vec<_> = (0..8).map(|_| run(&path, &mut random, 0.01, 0.0)).collect();
        let mut new = vec![run(&path, &mut random, 0.01, 0.004)];
        let (verdict, evidence) = judge_series(&new, &old, &ASKED, None).unwrap();
        let (Verdict::Undecided(why), Some(least)) = (&verdict, evidence.more_runs) else { continue };
        let text = match evidence.most_more_runs {
            None => format!("it takes {least} further "),
            Some(most) if most > least => format!("{least} to {most} further runs would decide"),
            Some(_) => format!("about {least} further "),
        };
        assert!(why.contains(&text), "{why}");
        // What is said to take up to so many is looked at again with so many.
        let Some(most) = evidence.most_more_runs.filter(|most| *most <= 20) else { continue };
        promised += 1;
        let mut decided = |more: u64| {
            while (new.len() as u64) < 1 + more {
                new.push(run(&path, &mut random, 0.01, 0.004));
            }
            !matches!(judge_series(&new, &old, &ASKED, None).unwrap().0, Verdict::Undecided(_))
        };
        within_first += u32::from(decided(least));
        kept += u32::from(decided(most));
    }
    assert!(promised >= 20, "{promised}");
    assert!(kept * 5 >= promised * 3, "{kept} of {promised}; the fewest alone: {within_first}");
    assert!(within_first < kept, "the fewest are a lower end: {within_first} of {promised}");
}

/// The reason that is given is the one that counts: equal runs that lie close are none.
#[test]
fn what_makes_an_interval_wide_is_named() {
    use framecost::judge::Widest;
    let (path, mut random) = (path(), Random::new(5));
    let of =
        |new: &[Vec<f64>], old: &[Vec<f64>], asked: &Asked| judge_series(new, old, asked, None).unwrap().1;
    let mut runs = |n: usize, spread: f64| -> Vec<Vec<f64>> {
        (0..n).map(|_| run(&path, &mut random, spread, 0.0)).collect()
    };
    let (old, new) = (runs(10, 0.05), runs(1, 0.05));
    assert_eq!(of(&new, &old, &ASKED).widest, Widest::Runs);
    // Two stored runs that lie 0.4 % apart would do if only more of them said so.
    let wide = Asked { limits: Limits { fail: 0.1, warn: 0.1, floor: 0.0 }, ..ASKED };
    let (old, new) = (runs(2, 0.004), runs(1, 0.004));
    assert_eq!(of(&new, &old, &wide).widest, Widest::Few);
    // Logs of somebody's play, slow for a while and fast for a while: their medians agree and yet say little.
    let slow = |seed: usize| -> Vec<f64> {
        (0..1800)
            .map(|i| 1e7 * (1.0 + 0.5 * f64::from(u32::from((i / 300 + seed).is_multiple_of(2)))) + i as f64)
            .collect()
    };
    let logs = Asked { aligned: false, ..wide };
    let found = of(&[slow(0)], &[slow(0), slow(0), slow(0)], &logs);
    assert_eq!(found.widest, Widest::Frames, "{found:?}");
    assert!(found.within > 0.01, "{found:?}");
}

#[test]
fn one_run_against_one_says_nothing_unless_calibration_does() {
    let (path, mut random) = (path(), Random::new(4));
    let (old, new) = ([run(&path, &mut random, 0.002, 0.0)], [run(&path, &mut random, 0.002, 0.05)]);
    let why = judge_series(&new, &old, &ASKED, None).unwrap_err();
    assert!(why.contains("framecost calibrate") && why.contains("--rule threshold"), "{why}");
    let noise = Noise { scale: Scale::Ratio, spread: 0.002, freedom: 19 };
    let (verdict, _) = judge_series(&new, &old, &ASKED, Some(&noise)).unwrap();
    assert_eq!(verdict, Verdict::Fail);
    // Calibration of another scale is of another quantity.
    let other = Noise { scale: Scale::Difference, ..noise };
    assert!(judge_series(&new, &old, &ASKED, Some(&other)).is_err());
}

#[test]
fn values_at_or_below_zero_and_below_the_floor_go_by_differences() {
    let runs = |value: f64, n: usize| vec![vec![value; 300]; n];
    let of = |new: f64, old: f64| {
        let (verdict, evidence) = judge_series(&runs(new, 1), &runs(old, 5), &ASKED, None).unwrap();
        (verdict, evidence.scale, evidence.change)
    };
    assert_eq!(of(-40e3, -10e3), (Verdict::Improved, Scale::Difference, -30e3));
    assert_eq!(of(600e3, -10e3), (Verdict::Fail, Scale::Difference, 610e3));
    assert_eq!(of(0.0, 0.0), (Verdict::Pass, Scale::Difference, 0.0));
    assert_eq!(of(15e3, 0.0), (Verdict::Pass, Scale::Difference, 15e3), "below the floor of 20 us");
    // A pass of 7 us that takes 14 has doubled, and has not lost 20 us.
    assert_eq!(of(14e3, 7e3).0, Verdict::Pass);
}

#[test]
fn where_more_is_better_less_fails() {
    let asked =
        Asked { better: Better::Higher, limits: Limits { floor: 0.0, ..LIMITS }, quantum: 0.0, ..ASKED };
    let runs = |value: f64, n: usize| vec![vec![value; 100]; n];
    let of = |new| judge_series(&runs(new, 1), &runs(60.0, 4), &asked, None).unwrap().0;
    assert_eq!((of(54.0), of(60.0), of(70.0)), (Verdict::Fail, Verdict::Pass, Verdict::Improved));
}

#[test]
fn runs_that_agree_to_the_tick_are_no_surer_than_the_clock() {
    let runs = |value: f64, n: usize| vec![vec![value; 100]; n];
    let asked = Asked { quantum: 1e6, ..ASKED };
    let (verdict, evidence) = judge_series(&runs(6.3e6, 1), &runs(6e6, 5), &asked, None).unwrap();
    assert!(
        matches!(verdict, Verdict::Undecided(_)),
        "steps of a millisecond cannot show 0.3 ms: {evidence:?}"
    );
    assert_eq!(judge_series(&runs(6.3e6, 1), &runs(6e6, 5), &ASKED, None).unwrap().0, Verdict::Fail);
}

#[test]
fn pairs_measured_together_need_no_quiet_machine() {
    // Both of a pair share what the machine does, which between pairs differs by a fifth.
    let (path, mut random) = (path(), Random::new(5));
    let mut pairs = |change: f64| -> Vec<_> {
        (0..5)
            .map(|_| {
                let shared = 0.2 * random.normal();
                let mut side =
                    |more: f64| run(&path, &mut random, 0.003, ((shared + f64::ln_1p(more)).exp()) - 1.0);
                (side(change), side(0.0))
            })
            .collect()
    };
    let (verdict, evidence) = judge_pairs_of_series(&pairs(0.05), &ASKED).unwrap();
    assert_eq!(verdict, Verdict::Fail, "{evidence:?}");
    assert!((evidence.change - 0.05).abs() < 0.01 && evidence.each.len() == 5, "{evidence:?}");
    let (verdict, evidence) = judge_pairs_of_series(&pairs(0.0), &ASKED).unwrap();
    assert!(!matches!(verdict, Verdict::Fail), "{evidence:?}");
    let one = &pairs(0.05)[..1];
    assert!(judge_pairs_of_series(one, &ASKED).unwrap_err().contains("--repeats 5"));
}

/// Captures whose lit pass takes so long, one per run.
fn captures(lit_us: &[u64]) -> Vec<Analysis> {
    lit_us.iter().map(|&lit_us| Recipe { lit_us, ..Recipe::default() }.analysis()).collect()
}

fn line(row: &Row) -> String {
    let evidence = row.evidence.as_ref().map_or_else(String::new, |it| {
        format!(" {:+.1} % ({:+.1} to {:+.1})", 100.0 * it.change, 100.0 * it.low, 100.0 * it.high)
    });
    format!("{} {} {}{evidence}", row.verdict.name(), row.figure, row.statistic)
}

fn lines(judgement: &Judgement) -> String {
    judgement.rows.iter().map(line).collect::<Vec<_>>().join("\n").replace('\u{1b}', "ESC")
}

fn of_row<'a>(judgement: &'a Judgement, figure: &str) -> &'a Row {
    let row = judgement.rows.iter().find(|row| format!("{} {}", row.figure, row.statistic) == figure);
    row.unwrap_or_else(|| panic!("no row {figure} in\n{}", lines(judgement)))
}

const STORED: [u64; 5] = [6000, 6010, 5990, 6005, 5995];

#[test]
fn captures_are_judged_by_their_runs() {
    let judgement = judge(&captures(&[7000]), &captures(&STORED), &Config::default(), Across::NOTHING);
    assert_eq!(judgement.outcome(), Outcome::Regressed);
    assert_eq!(of_row(&judgement, "attributed/lit median").verdict, Verdict::Fail);
    assert_eq!(of_row(&judgement, "attributed/cull median").verdict, Verdict::Pass);
    assert!(judgement.error_rate.contains("1 in 100"), "{}", judgement.error_rate);
}

/// #5 of the newcomer: the medians over runs rose where the change, a mean of logarithms, fell.
#[test]
fn the_values_beside_a_change_are_those_that_it_lies_between() {
    let (runs, baseline) = (captures(&[5000, 6300, 6400]), captures(&[6000, 6100, 6200, 7900, 8000]));
    let judgement = judge(&runs, &baseline, &Config::default(), Across::NOTHING);
    for row in judgement.rows.iter().filter(|row| row.evidence.is_some()) {
        let (now, before) = (row.current.unwrap(), row.baseline.unwrap());
        let change = row.evidence.as_ref().unwrap().change;
        assert!((now - before) * change >= 0.0, "{}: {before} to {now}", line(row));
    }
    let lit = of_row(&judgement, "attributed/lit median");
    assert!(lit.ratio.unwrap() < 0.9, "{lit:?}");
}

#[test]
fn one_stored_run_is_undecided_and_says_what_to_do() {
    let judgement = judge(&captures(&[6000]), &captures(&[6000]), &Config::default(), Across::NOTHING);
    assert_eq!(judgement.outcome(), Outcome::NotMeasured);
    let why = of_row(&judgement, "gpu_total median").verdict.reason().unwrap();
    assert!(why.contains("framecost baseline save"), "{why}");
}

#[test]
fn calibration_lets_one_stored_run_decide() {
    let config = Config::default();
    let noise = NoiseProfile::of(&captures(&STORED), &config);
    let (runs, baseline) = (captures(&[7000]), captures(&[6000]));
    let case = Case {
        runs: &runs,
        baseline: &baseline,
        confirm: &[],
        noise: Some(&noise),
        across: Across::NOTHING,
        paired: false,
    };
    let judgement = judge_case(&case, &config);
    assert_eq!(of_row(&judgement, "attributed/lit median").verdict, Verdict::Fail, "{}", lines(&judgement));
}

#[test]
fn a_failure_that_another_run_does_not_share_is_undecided() {
    let (runs, baseline) = (captures(&[7000]), captures(&STORED));
    let confirmed_by = |lit_us| {
        let confirm = captures(&[lit_us]);
        let case = Case {
            runs: &runs,
            baseline: &baseline,
            confirm: &confirm,
            noise: None,
            across: Across::NOTHING,
            paired: false,
        };
        of_row(&judge_case(&case, &Config::default()), "attributed/lit median").verdict.clone()
    };
    assert_eq!(confirmed_by(7010), Verdict::Fail);
    let Verdict::Undecided(why) = confirmed_by(6000) else { panic!("not shared") };
    assert_eq!(why, "the confirming runs say pass");
}

#[test]
fn captures_measured_in_pairs_are_judged_by_their_pairs() {
    // The machine slows down by half over five repeats, and both of a pair with it.
    let of = |more: u64| captures(&[6000, 6800, 7500, 8200, 9000].map(|lit| lit * (100 + more) / 100));
    let (runs, baseline) = (of(12), of(0));
    let verdict = |paired| {
        let case = Case {
            runs: &runs,
            baseline: &baseline,
            confirm: &[],
            noise: None,
            across: Across::NOTHING,
            paired,
        };
        of_row(&judge_case(&case, &Config::default()), "attributed/lit median").verdict.name()
    };
    assert_eq!((verdict(true), verdict(false)), ("fail", "undecided"));
}

#[test]
fn of_many_comparisons_one_small_chance_is_not_a_loss() {
    let (runs, baseline) = (captures(&[7000]), captures(&STORED));
    let mut judgement = judge(&runs, &baseline, &Config::default(), Across::NOTHING);
    let place = judgement.rows.iter().position(|row| row.verdict == Verdict::Fail).unwrap();
    let row = judgement.rows[place].clone();
    judgement.rows = (0..40)
        .map(|i| {
            let mut row = row.clone();
            let evidence = row.evidence.as_mut().unwrap();
            (evidence.p, row.verdict) = if i == 0 { (0.008, Verdict::Fail) } else { (0.5, Verdict::Pass) };
            row
        })
        .collect();
    correct(&mut [&mut judgement]);
    let why = judgement.rows[0].verdict.reason().unwrap();
    assert!(why.contains("of 40 comparisons") && why.contains("0.0080"), "{why}");
    judgement.rows.truncate(2);
    (judgement.rows[0].verdict, judgement.rows[0].evidence.as_mut().unwrap().p) = (Verdict::Fail, 0.008);
    correct(&mut [&mut judgement]);
    assert_eq!(judgement.rows[0].verdict, Verdict::Fail, "of two comparisons it is one");
}

/// Twenty comparisons of which the first is lost, with these chances in the first look and in the second.
fn looked_at_again(first: f64, again: Option<(f64, Verdict)>) -> Verdict {
    let (runs, baseline) = (captures(&[7000]), captures(&STORED));
    let judged = judge(&runs, &baseline, &Config::default(), Across::NOTHING);
    let row = judged.rows.iter().find(|row| row.verdict == Verdict::Fail).unwrap().clone();
    let of = |lost: (f64, Verdict)| {
        let mut judgement = judged.clone();
        judgement.rows = (0..20)
            .map(|i| {
                let mut row = row.clone();
                row.figure.metric = format!("figure {i}");
                let (p, verdict) = if i == 0 { lost.clone() } else { (0.5, Verdict::Pass) };
                (row.evidence.as_mut().unwrap().p, row.verdict) = (p, verdict);
                row
            })
            .collect();
        judgement
    };
    let mut judgement = of((first, Verdict::Fail));
    if let Some(again) = again {
        confirm(&mut judgement, &of(again));
    }
    // As the program does: each set alone, then all of a call together.
    correct(&mut [&mut judgement]);
    correct(&mut [&mut judgement]);
    judgement.rows.swap_remove(0).verdict
}

/// The newcomer's case: +99.6 % with a chance of 0.0098 among 18 stayed undecided for ever, whatever confirmed it.
#[test]
fn a_loss_that_only_the_number_of_comparisons_speaks_against_can_be_confirmed() {
    let alone = looked_at_again(0.0098, None);
    assert!(alone.reason().unwrap().contains("confirm it by other runs (--confirm)"), "{alone:?}");
    assert_eq!(looked_at_again(0.0098, Some((0.002, Verdict::Fail))), Verdict::Fail);
    let not = looked_at_again(0.0098, Some((0.3, Verdict::Pass)));
    assert_eq!(not.reason(), Some("the confirming runs say pass"));
    // What stands by itself must still be shared.
    assert_eq!(looked_at_again(1e-6, Some((0.002, Verdict::Fail))), Verdict::Fail);
    assert!(looked_at_again(1e-6, Some((0.3, Verdict::Pass))).reason().is_some());
}

/// A judged series of whole captures would take 1,800 stamps a pass; the stretch is found from series alone.
#[test]
fn a_stretch_of_frames_that_grew_is_named_though_the_whole_passes() {
    let mut slow = Recipe { frames: 0..600, lost: vec![], ..Recipe::default() };
    slow.heavier = Some((120..240, 900));
    let runs = [slow.analysis()];
    let stored: Vec<_> = STORED
        .iter()
        .map(|&lit_us| Recipe { frames: 0..600, lit_us, lost: vec![], ..Recipe::default() }.analysis())
        .collect();
    let judgement = judge(&runs, &stored, &Config::default(), Across::NOTHING);
    let row = of_row(&judgement, "attributed/lit median");
    let grew = &row.evidence.as_ref().unwrap().grew;
    assert_eq!(row.verdict, Verdict::Warn, "{}", lines(&judgement));
    assert_eq!((grew.len(), grew[0].first, grew[0].last), (1, 120, 239), "{grew:?}");
    assert!((grew[0].change - 0.15).abs() < 0.02, "{grew:?}");
}

#[test]
fn heavy_frames_and_hitches_stand_beside_p95() {
    let stored: Vec<_> = STORED
        .iter()
        .map(|&lit_us| Recipe { frames: 0..600, lit_us, ..Recipe::default() }.analysis())
        .collect();
    let mut hitching = Recipe { frames: 0..600, lost: vec![], ..Recipe::default() };
    hitching.heavier = Some((300..330, 9000));
    let judgement = judge(&[hitching.analysis()], &stored, &Config::default(), Across::NOTHING);
    let hitches = of_row(&judgement, "gpu_total hitches");
    assert_eq!(
        (hitches.verdict.clone(), hitches.current, hitches.baseline),
        (Verdict::Fail, Some(30.0), Some(0.0))
    );
    assert_eq!(hitches.statistic, Measure::Hitches);
    let heavy = of_row(&judgement, "gpu_total heavy_frames");
    assert_eq!((heavy.verdict.clone(), counted(heavy.n, "frame")), (Verdict::Pass, "29 frames".into()));
}

#[test]
fn a_gain_of_more_than_half_is_named_as_possibly_broken() {
    let judgement = judge(&captures(&[10]), &captures(&STORED), &Config::default(), Across::NOTHING);
    let note =
        judgement.notes.iter().find(|note| note.contains("attributed/lit median fell to less than half"));
    assert!(note.is_some(), "{:?}", judgement.notes);
}

#[test]
fn the_same_captures_give_the_same_evidence() {
    let of = || judge(&captures(&[6300]), &captures(&STORED), &Config::default(), Across::NOTHING);
    assert_eq!(of(), of());
    assert_eq!(
        judge(from_ref(&captures(&STORED)[0]), &[], &Config::default(), Across::NOTHING).outcome(),
        Outcome::NotMeasured
    );
    assert_eq!(path().len(), FRAMES);
}
