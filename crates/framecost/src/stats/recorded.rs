//! What the source recorded itself as rows: sampled metrics frame by frame, the run's own figures once.

use std::collections::BTreeMap;

use framecost_sample::{Capture, Coverage, Logged, MetricId, Reason};

use super::{Origin, P95_LEAST, P99_LEAST, Series, Stats, Subject, Summary};
use crate::Finding;

/// One row per sampled metric, then one per figure of the run, each in the order of the capture's metrics.
pub(super) fn rows(capture: &Capture) -> Vec<Summary> {
    let log = Logged::of(&capture.environment);
    let of_samples = log.is_some_and(|log| log.coverage == Coverage::Sampled);
    let sampled = sampled(capture).into_iter().map(|(metric, values)| {
        let row = Summary::new(capture.metric(metric).clone(), Subject::Frame, Origin::Samples, values);
        let stats = if of_samples { row.stats.map(Stats::of_samples) } else { row.stats };
        Summary { stats, ..row }
    });
    let figures = capture.figures.iter().map(|figure| {
        let metric = capture.metric(figure.metric).clone();
        let mut value = Series::new(1, Reason::NotAvailable);
        value.push(0, figure.reading.clone());
        Summary::new(metric, Subject::Run, Origin::Run, value)
    });
    sampled.chain(figures).collect()
}

/// That a log's medians and averages stand on too few frames; none where they do not, and of a run on a scene's path, whose
/// frames were chosen.
pub(super) fn few(capture: &Capture, rows: &[Summary]) -> Option<Finding> {
    let log = Logged::of(&capture.environment)?;
    let of_times = log.frame_time.and_then(|name| rows.iter().find(|row| row.metric.name == name));
    let frames = of_times.map_or(capture.frames.len() as u64, Summary::n);
    super::few(frames).map(|cause| Finding {
        place: "log".into(),
        cause,
        remedy: format!("capture more of it: p95 takes {P95_LEAST} frames, p99 {P99_LEAST}"),
        times: 1,
    })
}

/// The values of each metric that any frame has. A frame without a sample says nothing: not available.
fn sampled(capture: &Capture) -> BTreeMap<MetricId, Series> {
    let mut values: BTreeMap<MetricId, Series> = BTreeMap::new();
    let mut place = 0;
    for sample in &capture.samples {
        // Samples ascend by frame and name measured frames only: a `Capture` was checked for that.
        while capture.frames.get(place).is_some_and(|&frame| frame < sample.frame) {
            place += 1;
        }
        let series = values
            .entry(sample.metric)
            .or_insert_with(|| Series::new(capture.frames.len(), Reason::NotAvailable));
        series.push(place, sample.reading.clone());
    }
    values
}
