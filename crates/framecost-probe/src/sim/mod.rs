//! A simulated GPU, deterministic by seed, that drives the whole path from recording to delivered stamps with every
//! fault that a real one is known for. Test support: also for the tests of accounting and of reports.
//!
//! ```
//! use framecost_probe::sim::{Faults, SimOptions, simulate};
//!
//! let run = simulate(&SimOptions { seed: 7, faults: Faults::all(), ..SimOptions::default() });
//! assert_eq!(run.frames.len(), run.begun.len(), "every frame is delivered once");
//! assert!(run.violations.is_empty());
//! ```

mod gpu;
mod program;
mod rng;

use framecost_sample::{
    AdapterClass, Capture, CaptureError, CaptureParts, Clock, ClockId, Counts, Environment, Instrumentation,
    Key, PassDef, PassId, Period, Queue, QueueId, Reading, Semantics, Sharing, Stamp, Switches, Ticks,
    ValidBits,
};

use crate::inflight::{RingCounts, RingOptions};

pub use gpu::{SimGpu, SimTicket};
pub use program::simulate;

/// What to simulate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimOptions {
    /// Equal seeds give equal runs.
    pub seed: u64,
    /// Frames to draw.
    pub frames: u64,
    /// Passes of a frame, at least 1.
    pub passes: u16,
    /// 1, or 2 for passes on a second queue that share the first one's timeline.
    pub queues: u8,
    /// Width of the device's counter. It starts just below its end and wraps within the run.
    pub valid_bits: ValidBits,
    /// Frames that may be submitted and unfinished when the next one starts.
    pub frames_in_flight: u32,
    /// Frames that the ring lets travel together; its patience and its bound follow from it.
    pub batch: u32,
    /// What goes wrong, and how often.
    pub faults: Faults,
}

impl SimOptions {
    /// The sizes of the ring that is simulated.
    #[must_use]
    pub fn ring(&self) -> RingOptions {
        RingOptions {
            batch: self.batch,
            most_frames: self.frames_in_flight + 4 * self.batch,
            patience: self.frames_in_flight + 6 * self.batch,
            queues: self.queues,
            valid_bits: self.valid_bits,
            ..RingOptions::for_run(self.passes, self.frames_in_flight)
        }
    }
}

impl Default for SimOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            frames: 200,
            passes: 6,
            queues: 1,
            valid_bits: ValidBits::ALL,
            frames_in_flight: 2,
            batch: RingOptions::for_run(1, 2).batch,
            faults: Faults::default(),
        }
    }
}

/// How often each fault or oddity occurs, in occasions out of a thousand. None by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// A run of a pass whose stamps are faulty: which way is drawn among [`Fault`].
    pub stamp: u16,
    /// A frame whose completion is noticed up to ten frames late.
    pub late: u16,
    /// A batch that cannot be mapped.
    pub map_failure: u16,
    /// A stretch in which the program does not wait for the GPU, so that the ring fills up.
    pub run_ahead: u16,
    /// A pass that a frame leaves out.
    pub left_out: u16,
    /// A pass that runs again within the frame; sometimes more often than there are queries.
    pub repeated: u16,
    /// A submission that is recorded and then not made.
    pub abandoned: u16,
    /// A pass that starts before the one recorded before it, or ends after the last.
    pub reordered: u16,
    /// A frame whose first pass starts before the frame before it has ended.
    pub overlapped: u16,
    /// A gap in the frames' indices.
    pub gap: u16,
    /// The counter is set back, once in the run.
    pub reset: bool,
    /// The device is lost in the middle of the run.
    pub device_lost: bool,
    /// The queue hangs in the middle of the run.
    pub hang: bool,
}

impl Faults {
    /// Everything that a run survives, often.
    #[must_use]
    pub const fn all() -> Self {
        Self {
            stamp: 100,
            late: 50,
            map_failure: 60,
            run_ahead: 10,
            left_out: 80,
            repeated: 60,
            abandoned: 40,
            reordered: 150,
            overlapped: 200,
            gap: 100,
            reset: true,
            device_lost: false,
            hang: false,
        }
    }
}

/// What is wrong with one pair of stamps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Never written.
    Lost,
    /// Both zero.
    Zero,
    /// The end is zero.
    ZeroEnd,
    /// Start and end change places.
    Reversed,
    /// Still those of the queries' earlier use.
    Stale,
    /// Metal's error value.
    AllOnes,
}

/// A simulated run.
#[derive(Clone, Debug, PartialEq)]
pub struct SimRun {
    /// The frames begun, in order.
    pub begun: Vec<u64>,
    /// The frames delivered, in order.
    pub frames: Vec<SimFrame>,
    /// The device's clock.
    pub clock: Clock,
    /// Its queues.
    pub queues: Vec<Queue>,
    /// The passes.
    pub passes: Vec<PassDef>,
    /// What the ring has seen.
    pub counts: RingCounts,
    /// The most frames that ever waited for delivery.
    pub most_waiting: usize,
    /// What the ring did that a real device would punish. Empty unless the ring is broken.
    pub violations: Vec<String>,
}

/// A delivered frame beside what truly happened.
#[derive(Clone, Debug, PartialEq)]
pub struct SimFrame {
    /// The frame's index.
    pub frame: u64,
    /// Its rows as delivered.
    pub stamps: Vec<Stamp>,
    /// Its bracket as delivered.
    pub bracket: [Reading<Ticks>; 2],
    /// Frames begun up to the reading of its stamps.
    pub readback_frames: u64,
    /// Runs that got no row.
    pub unlisted: u32,
    /// What each row's run truly did.
    pub truth: Vec<Truth>,
}

/// What one run of a pass truly did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The pass.
    pub pass: PassId,
    /// The frame's submission.
    pub submission: u32,
    /// When it ran, in true nanoseconds that neither wrap nor are set back; none where its submission was not made.
    pub ran: Option<[u64; 2]>,
    /// What the counter read then; what a faultless row holds.
    pub ticks: [Ticks; 2],
    /// What was done to its stamps.
    pub fault: Option<Fault>,
    /// Whether the ring had queries for it.
    pub stamped: bool,
}

impl SimRun {
    /// The run as a capture of a simulated adapter.
    ///
    /// # Errors
    /// A run whose frames were not delivered in order: the ring is broken.
    pub fn capture(&self) -> Result<Capture, CaptureError> {
        Capture::new(CaptureParts {
            key: Key {
                benchmark: "simulation".into(),
                scene: "simulation".into(),
                switches: Switches::default(),
                adapter: "simulated gpu".into(),
                adapter_class: AdapterClass::Virtual,
                backend: "simulation".into(),
                size: None,
                settings_hash: String::new(),
                instrumentation: Instrumentation("stamps".into()),
                frames_in_flight: None,
            },
            environment: Environment::default(),
            producer: "framecost-probe simulation".into(),
            started_at: None,
            clocks: vec![self.clock.clone()],
            queues: self.queues.clone(),
            passes: self.passes.clone(),
            gates: Vec::new(),
            metrics: Vec::new(),
            counts: Counts {
                start_up: 0,
                warm_up: 0,
                calibration: 0,
                measured: self.frames.len() as u64,
                dropped: self.counts.dropped,
            },
            frames: self.frames.iter().map(|frame| frame.frame).collect(),
            stamps: self.frames.iter().flat_map(|frame| frame.stamps.iter().cloned()).collect(),
            samples: Vec::new(),
            figures: Vec::new(),
            remarks: Vec::new(),
            defaults: Switches::default(),
        })
    }
}

fn clock(valid_bits: ValidBits) -> Clock {
    Clock {
        name: "gpu".into(),
        period: Period::NANOSECOND,
        valid_bits,
        step: Reading::Measured(Ticks(1)),
        sharing: Sharing::AcrossSubmissions { promise: "one simulated counter for all queues".into() },
    }
}

fn queues(count: u8) -> Vec<Queue> {
    let names = ["main", "async compute"];
    names.iter().take(count.into()).map(|&name| Queue { name: name.into(), clock: ClockId(0) }).collect()
}

fn passes(count: u16) -> Vec<PassDef> {
    (0..count).map(|i| PassDef { name: format!("pass {i}"), semantics: Semantics::TopBottom }).collect()
}

/// The queue that a submission of the program goes to: the second takes every other one.
const fn queue_of(submission: u32, queues: u8) -> QueueId {
    QueueId(if queues > 1 && submission % 2 == 1 { 1 } else { 0 })
}
