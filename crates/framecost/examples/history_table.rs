//! How often the history raises an alarm where nothing happened, and how often it finds what did: the table of
//! `docs/method.md`. Arguments: how many series per row (500), and the seed.
//!
//! `cargo run --release -p framecost --example history_table -- 2000`

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    missing_docs,
    reason = "a study with a count by argument"
)]

#[path = "../tests/history_support/mod.rs"]
mod history_support;

use framecost::history::HistoryReport;
use history_support::{Noise, Random, of, times};

/// What is added to the noise at each point, in standard deviations.
type Added = fn(usize, usize) -> f64;

/// What was done to the series, to how many points, and what counts as finding it.
const DONE: &[(&str, usize, Added, Found)] = &[
    ("nothing", 100, |_, _| 0.0, anything),
    ("nothing", 30, |_, _| 0.0, anything),
    ("nothing", 200, |_, _| 0.0, anything),
    ("2 sd after 20", 100, |i, _| if i < 20 { 0.0 } else { 2.0 }, |it| step_near(it, &[20])),
    ("2 sd after 50", 100, |i, _| if i < 50 { 0.0 } else { 2.0 }, |it| step_near(it, &[50])),
    ("2 sd after 80", 100, |i, _| if i < 80 { 0.0 } else { 2.0 }, |it| step_near(it, &[80])),
    ("3 sd after 95", 100, |i, _| if i < 95 { 0.0 } else { 3.0 }, |it| step_near(it, &[95])),
    ("3 sd after 25", 30, |i, _| if i < 25 { 0.0 } else { 3.0 }, |it| step_near(it, &[25])),
    (
        "3 sd from 40 to 60",
        100,
        |i, _| if (40..60).contains(&i) { 3.0 } else { 0.0 },
        |it| step_near(it, &[40, 60]),
    ),
    (
        "3 sd at 30 and 70",
        100,
        |i, _| 3.0 * f64::from(u8::from(i >= 30) + u8::from(i >= 70)),
        |it| step_near(it, &[30, 70]),
    ),
    ("4 sd along the way", 100, |i, n| 4.0 * i as f64 / (n - 1) as f64, |it| !it.series[0].drifts.is_empty()),
    ("8 sd along the way", 100, |i, n| 8.0 * i as f64 / (n - 1) as f64, |it| !it.series[0].drifts.is_empty()),
];

type Found = fn(&HistoryReport) -> bool;

fn anything(report: &HistoryReport) -> bool {
    let series = &report.series[0];
    !series.steps.is_empty() || !series.drifts.is_empty() || series.since.is_some()
}

/// A step within ten points of each of these.
fn step_near(report: &HistoryReport, places: &[usize]) -> bool {
    places.iter().all(|place| report.series[0].steps.iter().any(|step| step.after.abs_diff(*place) <= 10))
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut number = |other: u64| arguments.next().map_or(other, |text| text.parse().unwrap());
    let (series, seed) = (number(500), number(1));
    let kinds = [
        ("normal", Noise::Normal),
        ("t(3)", Noise::Heavy),
        ("bimodal", Noise::Bimodal),
        ("AR(1) 0.5", Noise::Resembling(0.5)),
        ("AR(1) 0.8", Noise::Resembling(0.8)),
    ];
    println!(
        "{:<22} {:>6}  {}",
        "done to it",
        "points",
        kinds.map(|kind| format!("{:>10}", kind.0)).join(" ")
    );
    for (row, (done, points, added, found)) in DONE.iter().enumerate() {
        let share = |(kind, noise): (usize, Noise)| {
            let mut random = Random(seed ^ ((row * 8 + kind) as u64) << 32);
            let met = (0..series).filter(|_| {
                let noise = random.noise(noise, *points);
                found(&of(&times(&noise, |i| added(i, *points))))
            });
            format!("{:>9.1} %", 100.0 * met.count() as f64 / series as f64)
        };
        let cells: Vec<String> = kinds.iter().enumerate().map(|(i, kind)| share((i, kind.1))).collect();
        println!("{done:<22} {points:>6}  {}", cells.join(" "));
    }
}
