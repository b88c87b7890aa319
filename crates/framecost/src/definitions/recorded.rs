//! The frames of a capture as definitions take them. In: a capture of any source. Out: its frames' times in order, what they
//! are, and what else a definition may be computed of; or why it has none.

use framecost_sample::{
    Better, Capture, Coverage, Logged, Metric, MetricId, Nanos, Reading, Reason, metric_names as names,
};

use super::data::{Basis, Intervals, Log, Stream};
use super::{Family, Id, Row, Sheet, Unit};

/// Metrics of times from one change of the screen to another.
const DISPLAYED: [&str; 2] = ["displayed_interval", "displayed_time"];
const ANIMATION_ERROR: &str = "animation_error";
const GPU_BUSY: &str = "gpu_busy";
const GPU_TIME: &str = "gpu_time";

/// A capture's frames, one value or reason for each.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The metric of the times.
    pub frame_time: String,
    basis: Basis,
    times: Vec<Reading<f64>>,
    displayed: Vec<Reading<f64>>,
    animation_errors: Vec<Reading<f64>>,
    gpu_busy: Vec<Reading<f64>>,
    gpu_time: Vec<Reading<f64>>,
}

/// Why a capture has no frame times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoTimes(String);

impl std::fmt::Display for NoTimes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoTimes {}

impl Recorded {
    /// The frames of a capture: of a log, those that it says are its frames' times; of a run, the wall time from frame to frame.
    ///
    /// # Errors
    /// No metric of it is the time from frame to frame.
    pub fn of(capture: &Capture) -> Result<Self, NoTimes> {
        let logged = Logged::of(&capture.environment);
        let log = match logged.as_ref().map(|it| it.coverage) {
            Some(Coverage::Sampled) => Log::Sampled,
            _ => Log::PerFrame,
        };
        let frame_time = match logged {
            Some(logged) => logged.frame_time,
            None => Some(names::FRAME_INTERVAL.to_owned()),
        };
        let frame_time = frame_time.filter(|name| metric(capture, name).is_some()).ok_or_else(|| {
            NoTimes("no metric of the capture is the time from one frame to the next".into())
        })?;
        let intervals = if DISPLAYED.contains(&frame_time.as_str()) {
            Intervals::Displayed
        } else {
            Intervals::Presented
        };
        let column = |name: &str| column(capture, name).unwrap_or_default();
        let displayed = DISPLAYED.iter().find(|name| metric(capture, name).is_some());
        Ok(Self {
            basis: Basis { log, intervals },
            times: column(&frame_time),
            displayed: displayed.map_or_else(Vec::new, |name| column(name)),
            animation_errors: column(ANIMATION_ERROR),
            gpu_busy: column(GPU_BUSY),
            gpu_time: column(GPU_TIME),
            frame_time,
        })
    }

    /// The frames as definitions take them.
    #[must_use]
    pub fn stream(&self) -> Stream<'_> {
        Stream {
            basis: self.basis,
            times: &self.times,
            displayed: &self.displayed,
            animation_errors: &self.animation_errors,
            gpu_busy: &self.gpu_busy,
            gpu_time: &self.gpu_time,
        }
    }
}

/// Every definition's value of an imported log, as figures of the run under the definitions' ids, with the frames that it is of. Nothing of a run on a scene's
/// path, whose frames are judged one by one.
pub(crate) fn of_log(capture: &Capture) -> Vec<(Metric, Reading<f64>, Option<u64>)> {
    if Logged::of(&capture.environment).is_none() {
        return Vec::new();
    }
    Recorded::of(capture).map_or_else(|_| Vec::new(), |recorded| figures(&recorded))
}

fn figures(recorded: &Recorded) -> Vec<(Metric, Reading<f64>, Option<u64>)> {
    let sheet = Sheet::of(&recorded.stream());
    let reading = |row: &Row| match row.value {
        Ok(figure) => Reading::Measured(figure.value),
        Err(why) => Reading::Missing(Reason::SourceRefused(format!("withheld: {why}").into())),
    };
    let of = |row: &Row| row.value.ok().map(|figure| figure.of);
    sheet.rows.iter().map(|row| (metric_of(row.id), reading(row), of(row))).collect()
}

/// The same without frames longer than that.
pub(crate) fn of_log_up_to(capture: &Capture, longest: Nanos) -> Vec<(Metric, Reading<f64>, Option<u64>)> {
    let Ok(mut recorded) = Recorded::of(capture) else { return Vec::new() };
    for time in &mut recorded.times {
        if time.measured().is_some_and(|time| *time > longest.0) {
            *time = Reading::Missing(Reason::NotAvailable);
        }
    }
    figures(&recorded)
}

/// A definition as a metric.
fn metric_of(id: Id) -> Metric {
    let definition = id.definition;
    let (unit, better, of) = match (definition.unit, definition.family) {
        (Unit::Fps, _) => (framecost_sample::Unit::Ratio, Better::Higher, ", in frames per second"),
        (_, Family::Gpu | Family::Pacing) => (framecost_sample::Unit::Ratio, Better::Neither, ""),
        (Unit::Nanos, _) => (framecost_sample::Unit::Nanos, Better::Lower, ""),
        (Unit::NanosPerSecond, _) => (framecost_sample::Unit::Nanos, Better::Lower, ", per second"),
        (Unit::Ratio, _) => (framecost_sample::Unit::Ratio, Better::Lower, ""),
    };
    Metric::new(&id.to_string(), unit, better, &format!("{}{of}", definition.name))
}

fn metric(capture: &Capture, name: &str) -> Option<MetricId> {
    let place = capture.metrics.iter().position(|metric| metric.name == name)?;
    u16::try_from(place).ok().map(MetricId)
}

/// A metric's readings, one for each frame.
fn column(capture: &Capture, name: &str) -> Option<Vec<Reading<f64>>> {
    let wanted = metric(capture, name)?;
    let mut readings = vec![Reading::Missing(Reason::NotAvailable); capture.frames.len()];
    for sample in capture.samples.iter().filter(|sample| sample.metric == wanted) {
        let place = capture.frames.binary_search(&sample.frame).ok();
        if let Some(reading) = place.and_then(|place| readings.get_mut(place)) {
            *reading = sample.reading.clone();
        }
    }
    Some(readings)
}
