//! A capture: one run as it was recorded. In: parts from any source. Out: a record whose invariants hold, read-only.

use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;

use crate::context::Switches;
use crate::{
    Clock, Environment, GateDef, Key, Metric, MetricId, PassDef, PassId, Queue, QueueId, Reading, Ticks,
    bounds,
};

/// One run. Built by [`Capture::new`] alone, so whoever holds one need not check it again.
#[derive(Clone, Debug, PartialEq)]
pub struct Capture(CaptureParts);

/// The parts of a capture. Public, since any source may fill them; checked when they become a [`Capture`].
#[derive(Clone, Debug, PartialEq)]
pub struct CaptureParts {
    /// What the run was: the part that comparisons never cross.
    pub key: Key,
    /// What surrounded it.
    pub environment: Environment,
    /// Which tool wrote the record, with its version.
    pub producer: String,
    /// When the run began, as RFC 3339 text in UTC; none where the source does not say.
    pub started_at: Option<String>,
    /// The clocks, indexed by [`crate::ClockId`].
    pub clocks: Vec<Clock>,
    /// The queues, indexed by [`QueueId`].
    pub queues: Vec<Queue>,
    /// The passes in the scene's order, indexed by [`PassId`].
    pub passes: Vec<PassDef>,
    /// The gates that the scene names, at most [`Capture::MOST_GATES`].
    pub gates: Vec<GateDef>,
    /// The metrics of samples and figures, indexed by [`MetricId`].
    pub metrics: Vec<Metric>,
    /// Frames met on the way here.
    pub counts: Counts,
    /// The measured frames' indices on the scene's path, strictly ascending.
    pub frames: Vec<u64>,
    /// Stamps by frame, then submission, then in the order of recording.
    pub stamps: Vec<Stamp>,
    /// Samples by frame, then metric.
    pub samples: Vec<Sample>,
    /// Readings of the run as a whole, such as what measuring cost.
    pub figures: Vec<Figure>,
    /// What the source found odd while it measured, at most [`Capture::MOST_REMARKS`].
    pub remarks: Vec<Remark>,
    /// Values that switches have where nobody asks for another, as far as the source says: for showing what was asked for.
    pub defaults: Switches,
}

/// How many frames of each kind the run had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Drawn before warm-up, to create what is created once; left out of every figure.
    pub start_up: u64,
    /// Drawn to warm up; left out of every figure.
    pub warm_up: u64,
    /// Drawn to find what measuring costs; in those figures alone.
    pub calibration: u64,
    /// Measured: the length of [`CaptureParts::frames`].
    pub measured: u64,
    /// Measured frames whose stamps were given up because every slot was busy.
    pub dropped: u64,
}

/// One run of a pass in one frame. A pass may run several times in a frame, each with a row of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The frame's index on the path.
    pub frame: u64,
    /// Which of the frame's submissions, counted from 0.
    pub submission: u32,
    /// The queue that the submission went to.
    pub queue: QueueId,
    /// The pass.
    pub pass: PassId,
    /// Tick at its start, of the queue's clock.
    pub start: Reading<Ticks>,
    /// Tick at its end, of the queue's clock.
    pub end: Reading<Ticks>,
}

/// A metric's reading in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The frame's index on the path.
    pub frame: u64,
    /// The metric, which says the unit.
    pub metric: MetricId,
    /// The value in the metric's unit: finite if measured.
    pub reading: Reading<f64>,
}

/// A metric's reading for the run as a whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The metric, which says the unit.
    pub metric: MetricId,
    /// The value in the metric's unit: finite if measured.
    pub reading: Reading<f64>,
}

/// Something odd that only the source could see, such as a frame in which a program submitted nothing.
/// Lower case, no full stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The scene, pass or frame.
    pub place: String,
    /// What was seen.
    pub cause: String,
    /// What a person can do.
    pub remedy: String,
    /// How often it was seen.
    pub times: u64,
}

/// Why parts are no capture: the place, the value at fault, what is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaptureError(String);

impl CaptureError {
    /// An error with that text: for readers that meet a fault before the parts are whole.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CaptureError {}

impl Deref for Capture {
    type Target = CaptureParts;
    fn deref(&self) -> &CaptureParts {
        &self.0
    }
}

impl Capture {
    /// Gates that a capture may name: each is accounted in every frame, so a file must not ask for any number of them.
    pub const MOST_GATES: usize = 64;
    /// Remarks that a capture may hold.
    pub const MOST_REMARKS: usize = 64;
    /// Frames that a capture may hold: nine hours at 120 a second. Later stages keep about 150 bytes for each.
    pub const MOST_FRAMES: u64 = 1 << 22;

    /// Checks the parts and holds them from then on, figures in the order of their metrics.
    ///
    /// # Errors
    /// A list with a nameless or doubled entry, an index out of its list, frames, stamps or samples out of order or
    /// of a frame that was not measured, a submission on two queues, a value that is not finite, counts that do not add up,
    /// a value that no run has: a size or a step of 0, no frame in flight, a moment that is none, somebody's own `gpu_total`, a
    /// time or a count below 0.
    pub fn new(mut parts: CaptureParts) -> Result<Self, CaptureError> {
        // A file holds them by name, so any other order would not survive it.
        parts.figures.sort_by_key(|figure| figure.metric);
        check_context(&parts)?;
        check_stamps(&parts)?;
        check_samples(&parts)?;
        check_figures(&parts)?;
        Ok(Self(parts))
    }

    /// The parts, to change and check again.
    #[must_use]
    pub fn into_parts(self) -> CaptureParts {
        self.0
    }

    /// The definition of a pass that a stamp of this capture names.
    #[must_use]
    pub fn pass(&self, id: PassId) -> &PassDef {
        &self.0.passes[usize::from(id.0)]
    }

    /// The definition of a metric that a sample or figure of this capture names.
    #[must_use]
    pub fn metric(&self, id: MetricId) -> &Metric {
        &self.0.metrics[usize::from(id.0)]
    }

    /// The clock that stamps on this queue were read from.
    #[must_use]
    pub fn clock_of(&self, queue: QueueId) -> &Clock {
        &self.0.clocks[usize::from(self.0.queues[usize::from(queue.0)].clock.0)]
    }

    /// The pass of that name.
    #[must_use]
    pub fn pass_named(&self, name: &str) -> Option<PassId> {
        let index = self.0.passes.iter().position(|pass| pass.name == name)?;
        u16::try_from(index).ok().map(PassId)
    }
}

/// What can be told without stamps, samples and figures: all that `capture.json` alone answers for.
pub(crate) fn check_context(parts: &CaptureParts) -> Result<(), CaptureError> {
    bounds::check(parts)?;
    check_names("clocks", parts.clocks.iter().map(|clock| &clock.name))?;
    check_names("queues", parts.queues.iter().map(|queue| &queue.name))?;
    check_names("passes", parts.passes.iter().map(|pass| &pass.name))?;
    check_names("gates", parts.gates.iter().map(|gate| &gate.name))?;
    check_names("metrics", parts.metrics.iter().map(|metric| &metric.name))?;
    check_references(parts)?;
    check_frames(parts)
}

fn check_names<'a>(list: &str, names: impl Iterator<Item = &'a String>) -> Result<(), CaptureError> {
    let mut seen = HashSet::new();
    for (i, name) in names.enumerate() {
        if name.is_empty() {
            return Err(CaptureError(format!("{list}[{i}].name is empty; each entry has a name of its own")));
        }
        if !seen.insert(name) {
            return Err(CaptureError(format!("{list}[{i}].name `{}` stands twice", name.escape_debug())));
        }
    }
    Ok(())
}

/// `index` must lie inside a list of `len`.
fn check_index(place: &str, kind: &str, index: usize, len: usize) -> Result<(), CaptureError> {
    if index < len {
        return Ok(());
    }
    Err(CaptureError(format!("{place} names {kind} {index}; the capture has {len}")))
}

fn check_references(parts: &CaptureParts) -> Result<(), CaptureError> {
    for (i, queue) in parts.queues.iter().enumerate() {
        check_index(&format!("queues[{i}]"), "clock", queue.clock.0.into(), parts.clocks.len())?;
    }
    for (i, gate) in parts.gates.iter().enumerate() {
        let place = format!("gates[{i}], `{}`,", gate.name.escape_debug());
        check_index(&place, "pass", gate.from.0.into(), parts.passes.len())?;
        check_index(&place, "pass", gate.to.0.into(), parts.passes.len())?;
        if gate.from > gate.to {
            return Err(CaptureError(format!(
                "{place} opens with a pass that comes after the one that closes it"
            )));
        }
    }
    Ok(())
}

fn check_frames(parts: &CaptureParts) -> Result<(), CaptureError> {
    if let Some(pair) = parts.frames.windows(2).find(|pair| pair[0] >= pair[1]) {
        return Err(CaptureError(format!("frame {} follows frame {}; frames ascend", pair[1], pair[0])));
    }
    if parts.counts.measured != parts.frames.len() as u64 {
        let (said, are) = (parts.counts.measured, parts.frames.len());
        return Err(CaptureError(format!("counts.measured is {said}; {are} frames are listed")));
    }
    if parts.counts.dropped > parts.counts.measured {
        let Counts { dropped, measured, .. } = parts.counts;
        return Err(CaptureError(format!(
            "counts.dropped is {dropped}; allowed: at most the {measured} measured"
        )));
    }
    Ok(())
}

fn check_stamps(parts: &CaptureParts) -> Result<(), CaptureError> {
    let mut frames = FrameCursor::new(&parts.frames);
    let mut before: Option<&Stamp> = None;
    for (row, stamp) in parts.stamps.iter().enumerate() {
        let place = format_args!("stamp row {row}").to_string();
        frames.advance_to(&place, stamp.frame)?;
        check_index(&place, "queue", stamp.queue.0.into(), parts.queues.len())?;
        check_index(&place, "pass", stamp.pass.0.into(), parts.passes.len())?;
        if let Some(before) = before.filter(|before| before.frame == stamp.frame) {
            if before.submission > stamp.submission {
                let (this, that) = (stamp.submission, before.submission);
                return Err(CaptureError(format!(
                    "{place}: submission {this} follows {that}; they ascend in a frame"
                )));
            }
            if before.submission == stamp.submission && before.queue != stamp.queue {
                let which = stamp.submission;
                return Err(CaptureError(format!("{place}: submission {which} stands on two queues")));
            }
        }
        before = Some(stamp);
    }
    Ok(())
}

fn check_samples(parts: &CaptureParts) -> Result<(), CaptureError> {
    let mut frames = FrameCursor::new(&parts.frames);
    let mut before: Option<&Sample> = None;
    for (row, sample) in parts.samples.iter().enumerate() {
        let place = format_args!("sample row {row}").to_string();
        frames.advance_to(&place, sample.frame)?;
        check_index(&place, "metric", sample.metric.0.into(), parts.metrics.len())?;
        check_finite(&place, &sample.reading)?;
        bounds::check_reading(&place, &parts.metrics[usize::from(sample.metric.0)], &sample.reading)?;
        if before.is_some_and(|before| before.frame == sample.frame && before.metric >= sample.metric) {
            let (frame, metric) = (sample.frame, sample.metric.0);
            return Err(CaptureError(format!(
                "{place}: metric {metric} of frame {frame} is out of order or doubled"
            )));
        }
        before = Some(sample);
    }
    Ok(())
}

fn check_figures(parts: &CaptureParts) -> Result<(), CaptureError> {
    let mut seen = HashSet::new();
    for (row, figure) in parts.figures.iter().enumerate() {
        let place = format!("figure {row}");
        check_index(&place, "metric", figure.metric.0.into(), parts.metrics.len())?;
        check_finite(&place, &figure.reading)?;
        bounds::check_reading(&place, &parts.metrics[usize::from(figure.metric.0)], &figure.reading)?;
        if !seen.insert(figure.metric) {
            return Err(CaptureError(format!("{place}: metric {} stands twice", figure.metric.0)));
        }
    }
    Ok(())
}

fn check_finite(place: &str, reading: &Reading<f64>) -> Result<(), CaptureError> {
    match reading {
        Reading::Measured(value) if !value.is_finite() => {
            Err(CaptureError(format!("{place} holds {value}; a measured value is finite")))
        }
        Reading::Measured(_) | Reading::Missing(_) => Ok(()),
    }
}

/// Walks the measured frames along rows that must not go back.
struct FrameCursor<'a> {
    frames: &'a [u64],
    at: usize,
}

impl<'a> FrameCursor<'a> {
    const fn new(frames: &'a [u64]) -> Self {
        Self { frames, at: 0 }
    }

    fn advance_to(&mut self, place: &str, frame: u64) -> Result<(), CaptureError> {
        while self.frames.get(self.at).is_some_and(|&at| at < frame) {
            self.at += 1;
        }
        if self.frames.get(self.at) == Some(&frame) {
            return Ok(());
        }
        Err(CaptureError(format!(
            "{place} is of frame {frame}, which was not measured or comes out of order"
        )))
    }
}
