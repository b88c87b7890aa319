//! Why a run set ended early. Each text names the scene and the place, the fault, and what is allowed.

use framecost_sample::CaptureError;
use framecost_wgpu::{OpenError, TimerError};

use crate::{PlanError, RunRecord, SceneError};

/// Why a run set ended early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan cannot be run.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// No device.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// No timer.
    #[error("scene `{scene}`")]
    Timer {
        /// The scene.
        scene: String,
        /// Why.
        source: TimerError,
    },
    /// The scene could not be loaded.
    #[error("scene `{scene}` could not be loaded")]
    Load {
        /// The scene.
        scene: String,
        /// What it said.
        source: SceneError,
    },
    /// The scene gave no picture.
    #[error("scene `{scene}`, frame {index}: no picture")]
    Picture {
        /// The scene.
        scene: String,
        /// The frame.
        index: u64,
        /// What it said.
        source: SceneError,
    },
    /// A frame whose picture proves nothing.
    #[error("scene `{scene}`, frame {index}: {cause}; such a frame's picture proves nothing")]
    NotDrawn {
        /// The scene.
        scene: String,
        /// The frame.
        index: u64,
        /// What the scene did.
        cause: String,
    },
    /// The scene's code panicked.
    #[error("scene `{scene}`, {place}: panicked: {message}")]
    Panicked {
        /// The scene.
        scene: String,
        /// Which frame, or the loading.
        place: String,
        /// The panic's words.
        message: String,
    },
    /// The scene used the device wrongly.
    #[error("scene `{scene}`, {place}: the device refused: {message}")]
    Device {
        /// The scene.
        scene: String,
        /// Which frame, or the loading.
        place: String,
        /// The device's words.
        message: String,
    },
    /// A frame took longer than the plan allows.
    #[error("scene `{scene}`, {place}: not finished after {seconds} s")]
    Stuck {
        /// The scene.
        scene: String,
        /// Which frame.
        place: String,
        /// The plan's patience.
        seconds: u64,
    },
    /// The scene set a metric that it did not declare.
    #[error("scene `{scene}` set the metric `{metric}`; it may set {declared}")]
    UnknownMetric {
        /// The scene.
        scene: String,
        /// The metric.
        metric: String,
        /// What it may set.
        declared: String,
    },
    /// The scene declares a metric that it cannot have.
    #[error(
        "scene `{scene}` declares a metric `{metric}`; allowed: a name of its own, once, none of framecost's metrics"
    )]
    BadMetric {
        /// The scene.
        scene: String,
        /// The metric.
        metric: String,
    },
    /// Passes ran more often in a frame than a capture can list.
    #[error(
        "scene `{scene}`: {runs} runs of passes past what a frame can list (each pass once, and eight more)"
    )]
    Unlisted {
        /// The scene.
        scene: String,
        /// How many, in all frames.
        runs: u64,
    },
    /// A gate over a pass that the scene does not have.
    #[error("scene `{scene}`: gate `{gate}` names pass `{pass}`; the scene has {passes}")]
    UnknownPass {
        /// The scene.
        scene: String,
        /// The gate.
        gate: String,
        /// The pass.
        pass: String,
        /// The scene's passes.
        passes: String,
    },
    /// A gate that no frame could pass through.
    #[error("scene `{scene}`: gate `{gate}`: {cause}")]
    BadGate {
        /// The scene.
        scene: String,
        /// The gate.
        gate: String,
        /// What is wrong with it, and what is allowed.
        cause: String,
    },
    /// Two variants in turns whose frames lie over each other.
    #[error(
        "scene `{scene}`, frame {frame}: begins {ticks} ticks before the other variant's frame has ended, so that moments would \
         be counted twice; measure with one frame in flight, or let whole runs take turns"
    )]
    Overlap {
        /// The scene.
        scene: String,
        /// The frame.
        frame: u64,
        /// By how much, in ticks of the GPU's clock.
        ticks: u64,
    },
    /// What was recorded is no capture: a fault of the harness.
    #[error("scene `{scene}`")]
    Capture {
        /// The scene.
        scene: String,
        /// What is wrong with it.
        source: CaptureError,
    },
    /// The observer asked to stop before all pictures were drawn.
    #[error("stopped before frame {index} of variant {} was drawn", variant + 1)]
    PicturesStopped {
        /// The frame.
        index: u64,
        /// The variant, from 0.
        variant: usize,
    },
    /// The observer asked to stop.
    #[error("stopped in run {} of {runs}; the unfinished run left no capture", finished.len() + 1)]
    Interrupted {
        /// What the finished runs left.
        finished: Vec<RunRecord>,
        /// How many runs there were to be.
        runs: usize,
    },
}
