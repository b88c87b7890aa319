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

use framecost::judge::{Asked, Limits, Verdict, judge_series};
use framecost::stats::Statistic;
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
}
