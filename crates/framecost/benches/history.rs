//! How long judging a history takes, once its figures are read: 1,000 runs of one figure with a step, of 200 revisions and of
//! as many revisions as runs; and 14 figures at once. And how long it takes to account one capture of 1,800 frames of three
//! passes, check it, and bring it down to one figure.
//!
//! `cargo bench -p framecost --bench history` prints a table: the median of several rounds. Reading the captures is measured by
//! `cargo bench -p framecost-store --bench history_reading`.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a benchmark prints its result")]

#[path = "../tests/fixture/mod.rs"]
mod fixture;
#[path = "../tests/history_support/mod.rs"]
mod history_support;

use std::time::Instant;

use framecost::account::{Floor, account, check_identities};
use framecost::history::{Asked, Run, Value, history};
use framecost::stats::{FigureId, Statistic, Subject};
use history_support::{Noise, Random, options, run, times};

const RUNS: usize = 1000;
const ROUNDS: usize = 11;

/// A thousand runs, so many of each revision, with so many figures: noise, a step in the newest half, a drift in every third.
fn runs(of_each: usize, figures: usize) -> Vec<Run> {
    let mut random = Random(1);
    let added = |figure: usize| {
        move |i: usize| {
            let step = if i > RUNS * 9 / 10 { 2.0 } else { 0.0 };
            if figure % 3 == 2 { i as f64 / 100.0 } else { step }
        }
    };
    let series: Vec<Vec<f64>> =
        (0..figures).map(|figure| times(&random.noise(Noise::Normal, RUNS), added(figure))).collect();
    let value = |i: usize, figure: usize| {
        let subject = Subject::Pass(format!("pass {figure}"));
        let figure_id = FigureId { metric: "attributed".into(), subject };
        Value { figure: figure_id, definition: Some(history_support::time()), reading: Ok(series[figure][i]) }
    };
    let one = |i: usize| {
        let revision = run(i / of_each, 0.0).environment;
        let values = (0..figures).map(|figure| value(i, figure)).collect();
        Run { environment: revision, values, ..run(i, 0.0) }
    };
    (0..RUNS).map(one).collect()
}

/// Milliseconds, the median of the rounds.
fn median_ms(mut work: impl FnMut()) -> f64 {
    let mut took: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let since = Instant::now();
            work();
            since.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    took.sort_by(f64::total_cmp);
    took[ROUNDS / 2]
}

fn one_capture() {
    let capture = fixture::Recipe { frames: 0..1800, ..fixture::Recipe::default() }.capture();
    let asked = [Asked::parse("gpu_total").unwrap()];
    let took = median_ms(|| {
        let ledger = account(&capture, &Floor::default());
        assert!(check_identities(&ledger, &capture).is_empty());
        let run =
            Run::new(String::new(), &capture, &ledger, &asked, Statistic::Median, |_| Ok::<_, String>(0.0));
        assert!(run.unwrap().values[0].reading.is_ok());
    });
    println!("{:<44} {took:>10.2}", "one capture of 1,800 frames, to one figure");
}

fn main() {
    println!("{:<44} {:>10} {:>7} {:>7}", "1,000 runs", "ms", "steps", "drifts");
    for (what, of_each, figures) in [
        ("one figure, 200 revisions of 5 runs", 5, 1),
        ("one figure, 1,000 revisions", 1, 1),
        ("14 figures, 200 revisions of 5 runs", 5, 14),
    ] {
        let runs = runs(of_each, figures);
        let options = options();
        let mut found = (0, 0);
        let took = median_ms(|| {
            let report = history(&runs, &[], &options);
            let sum = |count: fn(&framecost::history::Series) -> usize| report.series.iter().map(count).sum();
            found = (sum(|it| it.steps.len()), sum(|it| it.drifts.len()));
        });
        println!("{what:<44} {:>10.1} {:>7} {:>7}", took, found.0, found.1);
    }
    one_capture();
}
