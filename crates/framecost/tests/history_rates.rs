//! How often the history cries wolf and how often it finds a step, on series of known truth: a small version of the table in
//! `docs/method.md`, with fixed seeds and bounds that leave room.

mod history_support;

use framecost::history::HistoryReport;
use history_support::{Noise, Random, of, times};

/// In how many of so many series of 100 points something is found.
fn found(
    noise: Noise,
    series: u64,
    added: impl Fn(usize) -> f64,
    counts: impl Fn(&HistoryReport) -> bool,
) -> u64 {
    let mut random = Random(20_261_129);
    let one = |_: &u64| counts(&of(&times(&random.noise(noise, 100), &added)));
    (0..series).filter(one).count() as u64
}

fn anything(report: &HistoryReport) -> bool {
    let series = &report.series[0];
    !series.steps.is_empty() || !series.drifts.is_empty() || series.since.is_some()
}

fn step_near(report: &HistoryReport, place: usize) -> bool {
    report.series[0].steps.iter().any(|step| step.after.abs_diff(place) <= 10)
}

#[test]
fn series_in_which_nothing_happened_are_steady() {
    for noise in [Noise::Normal, Noise::Heavy, Noise::Bimodal, Noise::Resembling(0.5)] {
        let alarms = found(noise, 120, |_| 0.0, anything);
        // 1 % is due at most: of 120, more than 4 would be met less than once in 100.
        assert!(alarms <= 4, "{noise:?}: {alarms} of 120");
    }
}

#[test]
fn a_step_of_two_deviations_is_found_with_twenty_points_on_each_side() {
    for at in [20, 50, 80] {
        let hits = found(Noise::Normal, 60, |i| if i < at { 0.0 } else { 2.0 }, |it| step_near(it, at));
        assert!(hits >= 53, "after {at} points: {hits} of 60");
    }
}

#[test]
fn a_step_of_three_deviations_is_found_five_points_later() {
    let hits = found(Noise::Normal, 60, |i| if i < 95 { 0.0 } else { 3.0 }, |it| step_near(it, 95));
    assert!(hits >= 53, "{hits} of 60");
}
