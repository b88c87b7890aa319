//! Telling the caller how a run goes, and hearing from him whether it shall stop.

use framecost_sample::Switches;

use crate::RunRecord;

/// Is told of progress. `()` is an observer that hears nothing and never stops.
pub trait Observer {
    /// Something happened. Called between frames, so its time is no frame's; be brief all the same.
    fn event(&mut self, event: &Event<'_>) {
        let _ = event;
    }

    /// Asked before every frame: `true` ends the run set, and the unfinished run leaves no capture.
    fn stop(&mut self) -> bool {
        false
    }
}

impl Observer for () {}

/// What happens during a run set, in this order.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The device is open.
    Opened {
        /// What the adapter says about itself.
        adapter: &'a wgpu::AdapterInfo,
        /// Runs to come.
        runs: usize,
        /// Frames to come in all runs, start-up, warm-up and calibration among them.
        frames: u64,
    },
    /// A run begins.
    RunStarted {
        /// Its place in the set, from 0.
        run: usize,
        /// The scene.
        scene: &'a str,
        /// All its switches.
        switches: &'a Switches,
        /// Which repeat of this variant, from 0.
        repeat: u32,
    },
    /// A run enters its next phase.
    Phase {
        /// Which.
        phase: Phase,
        /// Frames that it has.
        frames: u64,
    },
    /// A frame was submitted.
    Frame {
        /// The phase that it belongs to.
        phase: Phase,
        /// How many of the phase's frames are submitted.
        done: u64,
    },
    /// A run is over and recorded: the moment to store it.
    RunEnded {
        /// What it left.
        record: &'a RunRecord,
    },
}

/// The parts of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The first frame, in which everything is created.
    StartUp,
    /// Frames until the machine is at its pace.
    WarmUp,
    /// Frames that show what stamping costs.
    Calibration,
    /// The frames that count.
    Measured,
}
