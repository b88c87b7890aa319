//! How often the rule of runs cries wolf and how often it finds a real loss, on simulated runs with known truth, beside the
//! rules of others on the same data. In: the number of comparisons per cell. Out: the table of docs/method.md.

#![allow(
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    clippy::print_stdout,
    reason = "an example that prints a table"
)]

#[path = "../tests/simulated/mod.rs"]
mod simulated;

use framecost::judge::{
    Across, Against, Asked, Config, Judgement, Limits, Row, Verdict, confirm, correct, judge, judge_series,
};
use framecost::stats::{FigureId, Statistic, Subject};
use framecost_sample::Better;
use simulated::{Random, criterion, mann_whitney, path, plain, run};

/// New runs, stored runs, deviation from run to run, change.
const CELLS: [(usize, usize, f64, f64); 14] = [
    (1, 10, 0.005, 0.0),
    (1, 10, 0.005, 0.02),
    (1, 10, 0.005, 0.05),
    (1, 10, 0.01, 0.0),
    (1, 10, 0.01, 0.02),
    (1, 10, 0.01, 0.05),
    (3, 10, 0.01, 0.0),
    (3, 10, 0.01, 0.05),
    (1, 10, 0.10, 0.0),
    (1, 10, 0.10, 0.05),
    (1, 5, 0.005, 0.0),
    (1, 5, 0.005, 0.05),
    (1, 3, 0.005, 0.0),
    (1, 3, 0.005, 0.05),
];

fn main() {
    let comparisons: usize = std::env::args().nth(1).map_or(2000, |it| it.parse().unwrap());
    let path = path();
    let limits = Limits { fail: 0.02, warn: 0.02, floor: 20e3 };
    let asked =
        Asked { statistic: Statistic::Median, better: Better::Lower, limits, quantum: 32.0, aligned: true };
    println!("{comparisons} comparisons a cell; limit 2 %");
    println!(
        "| new, stored | run spread | change | fail | pass | undecided | criterion's rule | Mann-Whitney, 1 % | median > 5 % |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (cell, (new, stored, spread, change)) in CELLS.into_iter().enumerate() {
        let mut random = Random::new(1000 + cell as u64);
        let mut counts = [0usize; 6];
        for _ in 0..comparisons {
            let old: Vec<_> = (0..stored).map(|_| run(&path, &mut random, spread, 0.0)).collect();
            let runs: Vec<_> = (0..new).map(|_| run(&path, &mut random, spread, change)).collect();
            let (verdict, _) = judge_series(&runs, &old, &asked, None).unwrap();
            let last = old.last().unwrap();
            let said = [
                verdict == Verdict::Fail,
                verdict == Verdict::Pass,
                matches!(verdict, Verdict::Undecided(_)),
                criterion(&runs[0], last),
                mann_whitney(&runs[0], last),
                plain(&runs[0], last),
            ];
            counts.iter_mut().zip(said).for_each(|(count, said)| *count += usize::from(said));
        }
        let [fail, pass, undecided, criterion, mann_whitney, plain] =
            counts.map(|count| format!("{:.2} %", 100.0 * count as f64 / comparisons as f64));
        println!(
            "| {new}, {stored} | {} % | {} % | {fail} | {pass} | {undecided} | {criterion} | {mann_whitney} | {plain} |",
            100.0 * spread,
            100.0 * change
        );
    }
    second_looks(comparisons, &path, &asked);
}

/// Comparisons of one call, as many as the newcomer's scene had.
const TOGETHER: usize = 18;

/// Stored runs, new runs, confirming runs.
const LOOKS: [(usize, usize, usize); 6] =
    [(3, 1, 1), (5, 1, 1), (5, 1, 3), (10, 1, 1), (10, 1, 3), (5, 3, 3)];

/// Calls of so many comparisons of which the first changed by 8 % and the others not at all, at a run spread of 2 %: what fails
/// by the interval alone, corrected for how many there are, and where another look confirms it.
fn second_looks(comparisons: usize, path: &[f64], asked: &Asked) {
    println!("\n{TOGETHER} comparisons a call, of which one changed by 8 %; run spread 2 %");
    println!(
        "| stored, new, confirming | false: interval alone | corrected | confirmed | found: interval alone | corrected | confirmed |"
    );
    println!("|---|---|---|---|---|---|---|");
    let calls = comparisons.div_ceil(TOGETHER);
    for (cell, (stored, new, confirming)) in LOOKS.into_iter().enumerate() {
        let mut random = Random::new(2000 + cell as u64);
        // False fails and found ones, by each way.
        let mut counts = [[0usize; 3]; 2];
        for _ in 0..calls {
            let (mut first, mut again) = (empty(), empty());
            for i in 0..TOGETHER {
                let change = if i == 0 { 0.08 } else { 0.0 };
                let mut runs = |count, change| -> Vec<Vec<f64>> {
                    (0..count).map(|_| run(path, &mut random, 0.02, change)).collect()
                };
                let (old, new, confirming) = (runs(stored, 0.0), runs(new, change), runs(confirming, change));
                first.rows.push(row(&new, &old, asked, i));
                again.rows.push(row(&confirming, &old, asked, i));
            }
            let (mut corrected, mut confirmed) = (first.clone(), first.clone());
            correct(&mut [&mut corrected]);
            confirm(&mut confirmed, &again);
            correct(&mut [&mut confirmed]);
            for (way, judgement) in [first, corrected, confirmed].iter().enumerate() {
                let failed = |row: &&Row| row.verdict == Verdict::Fail;
                counts[0][way] += judgement.rows[1..].iter().filter(failed).count();
                counts[1][way] += judgement.rows[..1].iter().filter(failed).count();
            }
        }
        let of = |counts: [usize; 3], all: usize| {
            counts.map(|count| format!("{:.3} %", 100.0 * count as f64 / all as f64)).join(" | ")
        };
        let (equal, changed) = (of(counts[0], calls * (TOGETHER - 1)), of(counts[1], calls));
        println!("| {stored}, {new}, {confirming} | {equal} | {changed} |");
    }
}

fn empty() -> Judgement {
    judge(&[], &[], &Config::default(), Across::NOTHING)
}

/// A comparison as a judgement holds it.
fn row(new: &[Vec<f64>], old: &[Vec<f64>], asked: &Asked, place: usize) -> Row {
    let (verdict, evidence) = judge_series(new, old, asked, None).unwrap();
    Row {
        against: Against::Baseline(asked.limits),
        figure: FigureId { metric: format!("figure {place}"), subject: Subject::Frame },
        unit: None,
        better: Some(asked.better),
        statistic: asked.statistic.into(),
        current: None,
        baseline: None,
        ratio: None,
        n: 0,
        evidence: Some(evidence),
        rests_on: None,
        verdict,
    }
}
