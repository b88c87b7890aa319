//! The run protocol. In: a benchmark and a plan. Out: one capture for each variant and repeat, or why there is none.

use std::time::{Duration, Instant};

use framecost_sample::{Capture, Size};
use framecost_wgpu::{FrameTimer, Gpu, OpenError, OpenOptions, TimerOptions};

use crate::course::{Halt, OneRun};
use crate::device::Device;
use crate::faults::Faults;
use crate::interleaved::{Kept, Turns};
use crate::{Benchmark, Event, Interleave, Observer, Plan, PlanError, RunError, SceneInfo, order};

/// What one run left.
#[derive(Clone, Debug)]
pub struct RunRecord {
    /// The record.
    pub capture: Capture,
    /// Which of the plan's variants, from 0.
    pub variant: usize,
    /// Which repeat of it, from 0.
    pub repeat: u32,
}

/// Runs a benchmark as planned. See the crate's page for what happens in which order.
///
/// # Errors
/// A plan that cannot be run, no device that fits, a scene that fails, or an observer that asked to stop: then the
/// captures of the runs that were finished are in the error.
pub fn run(
    benchmark: &dyn Benchmark,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Result<Vec<RunRecord>, RunError> {
    Session::open(benchmark, plan)?.run(benchmark, plan, observer)
}

/// An open device, for several sets of runs one after the other: it is opened, and its stamps are tried, once.
#[derive(Debug)]
pub struct Session {
    gpu: Gpu,
    faults: Faults,
    /// How long opening took, until a run has it.
    opening: Option<Duration>,
}

impl Session {
    /// Opens the device that the plan asks for, with what the benchmark needs of it.
    ///
    /// # Errors
    /// A plan that cannot be run, or no device that fits.
    pub fn open(benchmark: &dyn Benchmark, plan: &Plan) -> Result<Self, RunError> {
        let info = benchmark.info();
        info.check()?;
        plan.check(&info)?;
        let started = Instant::now();
        let gpu = open(&info, plan.size, plan.adapter.clone())?;
        let opening = Some(started.elapsed());
        let faults = Faults::watch(&gpu.device);
        Ok(Self { gpu, faults, opening })
    }

    /// What the adapter says about itself.
    #[must_use]
    pub const fn adapter(&self) -> &wgpu::AdapterInfo {
        &self.gpu.info
    }

    /// Runs a benchmark as planned on the open device, whatever adapter the plan names; its image is at most as large as
    /// the one that the device was opened for.
    ///
    /// # Errors
    /// As for [`run`], but for those of opening.
    pub fn run(
        &mut self,
        benchmark: &dyn Benchmark,
        plan: &Plan,
        observer: &mut dyn Observer,
    ) -> Result<Vec<RunRecord>, RunError> {
        let info = benchmark.info();
        info.check()?;
        let variants = plan.check(&info)?;
        let mut opening = self.opening.take();
        let (gpu, faults) = (&self.gpu, &self.faults);
        let device = Device { gpu, faults, scene: &info.name, patience: plan.patience };
        let of = |switches| OneRun { benchmark, plan, info: &info, gpu, device, switches };
        let set = Set { runs: variants.iter().map(of).collect(), order: order(variants.len(), plan.repeats) };
        let runs = set.order.len();
        observer.event(&Event::Opened { adapter: &gpu.info, runs, frames: set.frames(plan, &info) });
        let mut finished = Vec::with_capacity(runs);
        let ended = match plan.interleave {
            Interleave::Runs => set.one_by_one(&mut opening, observer, &mut finished),
            Interleave::Frames => set.in_turns(&mut opening, observer, &mut finished),
        };
        match ended {
            Ok(()) => Ok(finished),
            Err(Halt::Stopped) => Err(RunError::Interrupted { finished, runs }),
            Err(Halt::Failed(error)) => Err(error),
        }
    }
}

/// The runs of a plan.
struct Set<'a> {
    /// By variant.
    runs: Vec<OneRun<'a>>,
    /// Variant and repeat of each.
    order: Vec<(usize, u32)>,
}

impl Set<'_> {
    /// Frames of all runs, those that are left out among them.
    fn frames(&self, plan: &Plan, info: &SceneInfo) -> u64 {
        let each = 1 + plan.warm_up + 2 * plan.calibration_pairs + plan.frames_of(info);
        each * self.order.len() as u64
    }

    fn started(&self, run: usize, observer: &mut dyn Observer) {
        let (variant, repeat) = self.order[run];
        let OneRun { info, switches, .. } = self.runs[variant];
        observer.event(&Event::RunStarted { run, scene: &info.name, switches, repeat });
    }

    fn ended(
        &self,
        run: usize,
        capture: Capture,
        observer: &mut dyn Observer,
        finished: &mut Vec<RunRecord>,
    ) {
        let (variant, repeat) = self.order[run];
        let record = RunRecord { capture, variant, repeat };
        observer.event(&Event::RunEnded { record: &record });
        finished.push(record);
    }

    fn one_by_one(
        &self,
        opening: &mut Option<Duration>,
        observer: &mut dyn Observer,
        finished: &mut Vec<RunRecord>,
    ) -> Result<(), Halt> {
        for (run, &(variant, _)) in self.order.iter().enumerate() {
            self.started(run, observer);
            let capture = self.runs[variant].go(opening.take(), observer)?;
            self.ended(run, capture, observer, finished);
        }
        Ok(())
    }

    /// Each two runs of the order together: which of the two variants comes first changes from repeat to repeat.
    fn in_turns(
        &self,
        opening: &mut Option<Duration>,
        observer: &mut dyn Observer,
        finished: &mut Vec<RunRecord>,
    ) -> Result<(), Halt> {
        let id = Turns::identity();
        let mut kept = Kept::default();
        for first in (0..self.order.len()).step_by(2) {
            let slots = [first, first + 1];
            let sides = slots.map(|run| self.order[run].0);
            slots.iter().for_each(|&run| self.started(run, observer));
            let turns = Turns {
                runs: sides.map(|side| self.runs[side]),
                sides,
                id: &id,
                repeat: self.order[first].1,
            };
            let captures = turns.go(&mut kept, opening.take(), observer)?;
            for (run, capture) in slots.into_iter().zip(captures) {
                self.ended(run, capture, observer, finished);
            }
        }
        Ok(())
    }
}

/// The device for a scene: with its limits, and textures as large as the image.
pub(crate) fn open(info: &SceneInfo, size: Size, adapter: Option<String>) -> Result<Gpu, RunError> {
    let side = size.width.max(size.height);
    let most = info.limits.max_texture_dimension_2d.max(side);
    let limits = wgpu::Limits { max_texture_dimension_2d: most, ..info.limits.clone() };
    let options = OpenOptions { adapter, features: info.features, limits };
    Gpu::open(&options).map_err(|fault| match fault {
        OpenError::PastLimit { limit: "max_texture_dimension_2d", wanted, allowed, .. }
            if wanted == u64::from(side) =>
        {
            PlanError::TooLarge { size, side, allowed }.into()
        }
        other => other.into(),
    })
}

/// A timer for the scene's passes.
pub(crate) fn timer(gpu: &Gpu, info: &SceneInfo, options: &TimerOptions) -> Result<FrameTimer, RunError> {
    let passes: Vec<&str> = info.passes.iter().map(String::as_str).collect();
    FrameTimer::new(gpu, &passes, options)
        .map_err(|source| RunError::Timer { scene: info.name.clone(), source })
}
