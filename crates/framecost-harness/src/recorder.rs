//! What one run leaves. In: stamps as they come back, samples, times of the host. Out: the parts of a capture.

use std::time::Duration;

use framecost_sample::{
    CaptureParts, Clock, Counts, Environment, Figure, GateDef, Instrumentation, Key, Metric, MetricId,
    PassId, QueueId, Reading, Reason, Remark, Size, Stamp, Switches, metric_names,
};
use framecost_wgpu::{FrameStamps, FrameTimer, Gpu, Stamping};

use crate::calibration::bracket_time;
use crate::samples::Table;
use crate::switch::defaults;
use crate::{FrameSamples, Interleave, Plan, RunError, SceneInfo};

/// Collects the measured frames of a run. Frames are numbered by the timer from `first` on and stand in the capture
/// under their index on the path.
#[derive(Debug)]
pub(crate) struct Recorder {
    pub(crate) table: Table,
    stamps: Vec<Stamp>,
    frames: u64,
    first: u64,
    dropped: u64,
    /// Runs of passes that the timer had no room to list.
    unlisted: u64,
    clock: Option<Clock>,
    stamping: Stamping,
}

/// All that a capture needs beside stamps and samples.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) info: &'a SceneInfo,
    pub(crate) timer: &'a FrameTimer,
    pub(crate) switches: &'a Switches,
    pub(crate) size: Size,
    pub(crate) frames_in_flight: u32,
    pub(crate) instrumentation: &'static str,
    pub(crate) environment: Environment,
    pub(crate) started_at: Option<String>,
    pub(crate) warm_up: u64,
    pub(crate) calibration: u64,
    /// By metric name.
    pub(crate) figures: Vec<(&'static str, Reading<f64>)>,
    pub(crate) remarks: Vec<Remark>,
}

/// A stretch of host time in nanoseconds.
pub(crate) fn nanos(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}

/// The metrics that every run samples, then those that scenes may set.
fn metrics_of(info: &SceneInfo, stamping: Stamping) -> Vec<Metric> {
    use metric_names::{BRACKET_GPU, CPU_FRAME, FRAME_INTERVAL, INSTANCES, READBACK_FRAMES, TRIANGLES};
    let bracket = (stamping == Stamping::Bracket).then_some(BRACKET_GPU);
    [CPU_FRAME, FRAME_INTERVAL, READBACK_FRAMES, INSTANCES, TRIANGLES]
        .into_iter()
        .chain(bracket)
        .filter_map(Metric::built_in)
        .chain(info.metrics.iter().cloned())
        .collect()
}

impl Recorder {
    /// For `frames` frames, the first of which the timer will know as `first`.
    pub(crate) fn new(
        info: &SceneInfo,
        frames: u64,
        first: u64,
        clock: Option<Clock>,
        stamping: Stamping,
    ) -> Self {
        let stamps = usize::try_from(frames).unwrap_or(0).saturating_mul(info.passes.len());
        Self {
            table: Table::new(metrics_of(info, stamping), frames),
            stamps: Vec::with_capacity(stamps),
            frames,
            first,
            dropped: 0,
            unlisted: 0,
            clock,
            stamping,
        }
    }

    /// The samples of the frame of that index on the path.
    pub(crate) const fn samples(&mut self, index: u64) -> FrameSamples<'_> {
        FrameSamples::new(&mut self.table, Some(index))
    }

    /// Takes in what came back of a frame. Frames before the first measured one are dropped.
    #[expect(clippy::cast_precision_loss, reason = "a few frames")]
    pub(crate) fn stamps(&mut self, frame: &FrameStamps<'_>) {
        let Some(index) = frame.frame.checked_sub(self.first) else { return };
        let dropped = |stamp: &Stamp| stamp.start == Reading::Missing(Reason::Dropped);
        self.dropped += u64::from(frame.stamps.iter().any(dropped));
        self.unlisted += u64::from(frame.unlisted);
        if self.stamping == Stamping::Bracket {
            let time = bracket_time(&frame.bracket, self.clock.as_ref());
            self.table.set(index, metric_names::BRACKET_GPU, time);
        }
        let read = frame.bracket.end.measured().is_some()
            || frame.stamps.iter().any(|stamp| stamp.end.measured().is_some());
        let readback = if read {
            Reading::Measured(frame.readback_frames as f64)
        } else {
            Reading::Missing(Reason::NotAvailable)
        };
        self.table.set(index, metric_names::READBACK_FRAMES, readback);
        self.stamps.extend(frame.stamps.iter().map(|stamp| Stamp { frame: index, ..stamp.clone() }));
    }

    /// The stamps so far, by frame.
    pub(crate) fn raw(&self) -> &[Stamp] {
        &self.stamps
    }

    /// The parts of the capture.
    ///
    /// # Errors
    /// The scene set a metric that it did not declare, ran passes too often, or has a gate over a pass that it lacks.
    pub(crate) fn into_parts(self, context: Context<'_>) -> Result<CaptureParts, RunError> {
        if let Some((metric, declared)) = self.table.unknown() {
            return Err(RunError::UnknownMetric { scene: context.info.name.clone(), metric, declared });
        }
        if self.unlisted > 0 {
            return Err(RunError::Unlisted { scene: context.info.name.clone(), runs: self.unlisted });
        }
        let gates = gates(context.info, context.timer)?;
        let stamps = match self.stamping {
            Stamping::Off | Stamping::Bracket => unstamped(self.frames, context.info),
            Stamping::Attachments | Stamping::TopBottom => self.stamps,
        };
        let (mut metrics, samples) = self.table.into_samples();
        let figures = context.figures.into_iter().filter_map(|(name, reading)| {
            let metric = MetricId(u16::try_from(metrics.len()).ok()?);
            metrics.push(Metric::built_in(name)?);
            Some(Figure { metric, reading })
        });
        let figures = figures.collect();
        Ok(CaptureParts {
            key: Key {
                benchmark: context.info.program.clone(),
                scene: context.info.name.clone(),
                switches: context.switches.clone(),
                adapter: context.gpu.info.name.clone(),
                adapter_class: context.gpu.adapter_class(),
                backend: context.gpu.backend(),
                size: Some(context.size),
                settings_hash: context.info.settings_hash(),
                instrumentation: Instrumentation(context.instrumentation.into()),
                frames_in_flight: Some(context.frames_in_flight),
            },
            environment: context.environment,
            producer: concat!("framecost ", env!("CARGO_PKG_VERSION")).into(),
            started_at: context.started_at,
            clocks: context.timer.clocks(),
            queues: context.timer.queues(),
            passes: context.timer.pass_defs(),
            gates,
            metrics,
            counts: Counts {
                start_up: 1,
                warm_up: context.warm_up,
                calibration: context.calibration,
                measured: self.frames,
                dropped: self.dropped,
            },
            frames: (0..self.frames).collect(),
            stamps,
            samples,
            figures,
            remarks: context.remarks,
            defaults: defaults(&context.info.switches),
        })
    }
}

/// A row for each pass of each frame that says why there is no stamp: nobody asked, whether the pass ran or not.
fn unstamped(frames: u64, info: &SceneInfo) -> Vec<Stamp> {
    let nothing = || Reading::Missing(Reason::NotStamped);
    let row = |frame, pass| Stamp {
        frame,
        submission: 0,
        queue: QueueId(0),
        pass: PassId(pass),
        start: nothing(),
        end: nothing(),
    };
    let passes = u16::try_from(info.passes.len()).unwrap_or(u16::MAX);
    (0..frames).flat_map(|frame| (0..passes).map(move |pass| row(frame, pass))).collect()
}

/// What measuring took part in a run, for its key and its environment.
pub(crate) const fn instrumentation(plan: &Plan) -> &'static str {
    let in_turns = matches!(plan.interleave, Interleave::Frames);
    match (plan.stamping, plan.serial, in_turns) {
        (Stamping::Off, _, false) => "none",
        (Stamping::Off, _, true) => "none, interleaved by frames",
        (Stamping::Bracket, _, false) => "bracket",
        (Stamping::Bracket, _, true) => "bracket, interleaved by frames",
        (Stamping::Attachments, false, false) => "passes by attachments",
        (Stamping::Attachments, true, _) => "passes by attachments, serial",
        (Stamping::Attachments, false, true) => "passes by attachments, interleaved by frames",
        (Stamping::TopBottom, false, false) => "passes top-bottom",
        (Stamping::TopBottom, true, _) => "passes top-bottom, serial",
        (Stamping::TopBottom, false, true) => "passes top-bottom, interleaved by frames",
    }
}

/// The scene's gates over the timer's passes.
pub(crate) fn gates(info: &SceneInfo, timer: &FrameTimer) -> Result<Vec<GateDef>, RunError> {
    let find = |gate: &str, pass: &str| {
        timer.pass(pass).ok_or_else(|| RunError::UnknownPass {
            scene: info.name.clone(),
            gate: gate.to_owned(),
            pass: pass.to_owned(),
            passes: info.passes.join(", "),
        })
    };
    let gate = |gate: &crate::Gate| {
        Ok(GateDef {
            name: gate.name.clone(),
            from: find(&gate.name, &gate.from)?,
            to: find(&gate.name, &gate.to)?,
        })
    };
    info.gates.iter().map(gate).collect()
}
