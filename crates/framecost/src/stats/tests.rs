//! Tests of the stage as a whole: ledgers by hand in, rows out.

use super::testing::{capture, frame, ledger};
use super::*;
use framecost_sample::{Better, Figure, MetricId, Reading, Sample, Unit, metric_names as names};

fn metric(name: &str) -> Metric {
    Metric { name: name.into(), unit: Unit::Count, better: Better::Lower, about: "a test's".into() }
}

#[test]
fn ticks_become_nanoseconds_by_the_clocks_exact_period() {
    let frames = vec![frame(0, Some((3, 3, 0)), &[Ok(3)]), frame(1, Some((6, 0, 0)), &[Ok(6)])];
    let summaries = summarize(&capture(&["a"], 2), &ledger(frames));
    let stats = |row: Option<&Summary>| row.and_then(|row| row.stats);
    let total = stats(summaries.of_frame(names::GPU_TOTAL));
    assert_eq!(total.map(|stats| stats.median), Some(1000.0));
    let duration = stats(summaries.of_pass(names::DURATION, "a")).unwrap();
    assert_eq!((duration.min, duration.median, duration.max, duration.n), (500.0, 750.0, 1000.0, 2));
}

#[test]
fn reasons_are_counted_and_the_most_frequent_one_stands_for_the_row() {
    let lost = |index, reason| frame(index, Some((1, 0, 0)), &[Err(reason)]);
    let frames = vec![lost(0, Reason::Stale), lost(1, Reason::Zero), lost(2, Reason::Zero)];
    let summaries = summarize(&capture(&["a"], 3), &ledger(frames));
    let row = summaries.of_pass(names::DURATION, "a").unwrap();
    assert_eq!(row.missing, BTreeMap::from([(Reason::Stale, 1), (Reason::Zero, 2)]));
    assert_eq!((row.n(), row.main_reason()), (0, Some(&Reason::Zero)));
}

#[test]
fn samples_stand_at_their_frames_and_frames_without_one_say_so() {
    let mut parts = capture(&["a"], 4).into_parts();
    parts.metrics = vec![metric("draws"), metric("opened")];
    parts.samples = [1, 3]
        .map(|frame| Sample { frame, metric: MetricId(0), reading: Reading::Measured(frame as f64) })
        .into();
    parts.figures = vec![Figure { metric: MetricId(1), reading: Reading::Measured(7.0) }];
    let summaries = summarize(&Capture::new(parts).unwrap(), &ledger(Vec::new()));
    let draws = summaries.of_frame("draws").unwrap();
    assert_eq!(draws.values.measured().collect::<Vec<_>>(), [(1, 1.0), (3, 3.0)]);
    assert_eq!(draws.missing, BTreeMap::from([(Reason::NotAvailable, 2)]));
    let opened = summaries.of_frame("opened").unwrap();
    assert_eq!((&opened.subject, opened.values.len(), opened.n()), (&Subject::Run, 1, 1));
}

#[test]
fn a_capture_without_a_clock_has_no_accounted_figure() {
    let mut without = ledger(Vec::new());
    without.clock = None;
    assert_eq!(summarize(&capture(&["a"], 1), &without).rows, []);
}
