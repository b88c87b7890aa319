//! The run protocol. In: a benchmark and a plan. Out: one capture for each variant and repeat, or why there is none.

use std::time::{Duration, Instant};

use framecost_sample::{Capture, Clock, Reading, Reason, Size, Switches, Ticks, metric_names};
use framecost_wgpu::{FrameTimer, Gpu, OpenError, OpenOptions, Stamping, TimerOptions};

use crate::calibration::{self, Pairs};
use crate::device::Device;
use crate::environment;
use crate::faults::Faults;
use crate::recorder::{Context, Recorder, gates, instrumentation, nanos};
use crate::remarks::remarks;
use crate::samples::Table;
use crate::throttle::InFlight;
use crate::{
    Benchmark, Event, FrameSamples, Observer, Phase, Plan, PlanError, RunError, Scene, SceneInfo, Setup,
    order, time,
};

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
    let info = benchmark.info();
    info.check()?;
    let variants = plan.check(&info)?;
    let started = Instant::now();
    let gpu = open(&info, plan.size, plan.adapter.clone())?;
    let mut opening = Some(started.elapsed());
    let faults = Faults::watch(&gpu.device);
    let runs = order(variants.len(), plan.repeats);
    let frames = (1 + plan.warm_up + 2 * plan.calibration_pairs + plan.frames_of(&info)) * runs.len() as u64;
    observer.event(&Event::Opened { adapter: &gpu.info, runs: runs.len(), frames });
    let mut finished = Vec::with_capacity(runs.len());
    for (number, &(variant, repeat)) in runs.iter().enumerate() {
        let switches = &variants[variant];
        observer.event(&Event::RunStarted { run: number, scene: &info.name, switches, repeat });
        let device = Device { gpu: &gpu, faults: &faults, scene: &info.name, patience: plan.patience };
        let one = OneRun { benchmark, plan, info: &info, gpu: &gpu, device, switches };
        match one.go(opening.take(), observer) {
            Ok(capture) => {
                let record = RunRecord { capture, variant, repeat };
                observer.event(&Event::RunEnded { record: &record });
                finished.push(record);
            }
            Err(Halt::Stopped) => return Err(RunError::Interrupted { finished, runs: runs.len() }),
            Err(Halt::Failed(error)) => return Err(error),
        }
    }
    Ok(finished)
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

/// Why a run ended before its end.
#[derive(Debug)]
enum Halt {
    Stopped,
    Failed(RunError),
}

impl From<RunError> for Halt {
    fn from(error: RunError) -> Self {
        Self::Failed(error)
    }
}

/// One variant, once.
struct OneRun<'a> {
    benchmark: &'a dyn Benchmark,
    plan: &'a Plan,
    info: &'a SceneInfo,
    gpu: &'a Gpu,
    device: Device<'a>,
    switches: &'a Switches,
}

/// The state of a run between frames.
struct Course {
    scene: Box<dyn Scene>,
    timer: FrameTimer,
    in_flight: InFlight<wgpu::SubmissionIndex>,
    /// The timer's number of the next frame: every frame of the run has its own, whatever it draws.
    next: u64,
}

/// Host times of one frame.
struct Taken {
    start: Instant,
    host: Duration,
}

impl OneRun<'_> {
    fn go(&self, opening: Option<Duration>, observer: &mut dyn Observer) -> Result<Capture, Halt> {
        let started_at = time::now();
        let before = environment::moment(self.gpu);
        let (mut course, start_up) = self.start_up(opening, observer)?;
        gates(self.info, &course.timer)?;
        self.warm_up(&mut course, observer)?;
        let pairs = self.calibrate(&mut course, observer)?;
        // What was odd before the measured frames is odd in them too, or of no importance.
        course.timer.take_oddities();
        let recorder = self.measure(&mut course, observer)?;
        let odd = course.timer.take_oddities();
        let after = environment::moment(self.gpu);
        let step = clock_step(&course.timer).map(|(_, step)| step.to_string());
        let fixed = environment::Fixed { stamping: instrumentation(self.plan), clock_step: step };
        let context = Context {
            gpu: self.gpu,
            info: self.info,
            timer: &course.timer,
            switches: self.switches,
            size: self.plan.size,
            frames_in_flight: self.plan.frames_in_flight,
            instrumentation: fixed.stamping,
            environment: environment::environment(self.gpu, self.plan, fixed, before, after),
            started_at,
            warm_up: self.plan.warm_up,
            calibration: 2 * self.pairs(),
            figures: self.figures(start_up, &course.timer, &pairs),
            remarks: remarks(self.info, self.plan.frames_of(self.info), odd),
        };
        let parts = recorder.into_parts(context)?;
        let fault = |source| RunError::Capture { scene: self.info.name.clone(), source };
        Ok(Capture::new(parts).map_err(fault)?)
    }

    /// Loads the scene and draws its first frame; how long that and opening the device took, if that was for this run.
    fn start_up(
        &self,
        opening: Option<Duration>,
        observer: &mut dyn Observer,
    ) -> Result<(Course, Reading<f64>), Halt> {
        observer.event(&Event::Phase { phase: Phase::StartUp, frames: 1 });
        let options = TimerOptions {
            stamping: self.plan.stamping,
            frames_in_flight: self.plan.frames_in_flight,
            serial: self.plan.serial.then_some(self.plan.patience),
        };
        // The device's first timer tries its stamps on known work: seconds that are none of the scene's.
        let timer = timer(self.gpu, self.info, &options)?;
        let started = Instant::now();
        let setup = Setup { size: self.plan.size, switches: self.switches.clone() };
        let loaded = self.device.call(|| "loading".into(), || self.benchmark.load(self.gpu, &setup))?;
        let loaded = loaded.map_err(|source| RunError::Load { scene: self.info.name.clone(), source })?;
        self.device.complain(|| "loading".into())?;
        let in_flight = InFlight::new(self.plan.frames_in_flight);
        let mut course = Course { scene: loaded, timer, in_flight, next: 0 };
        self.unmeasured(&mut course, observer, 0, self.plan.stamping)?;
        self.settle(&mut course, &mut |_| ())?;
        observer.event(&Event::Frame { phase: Phase::StartUp, done: 1 });
        let start_up = match opening {
            Some(opening) => Reading::Measured(nanos(opening + started.elapsed())),
            // The device was open already: nothing of that kind happened in this run.
            None => Reading::Missing(Reason::NotExecuted),
        };
        Ok((course, start_up))
    }

    fn warm_up(&self, course: &mut Course, observer: &mut dyn Observer) -> Result<(), Halt> {
        observer.event(&Event::Phase { phase: Phase::WarmUp, frames: self.plan.warm_up });
        for done in 1..=self.plan.warm_up {
            self.unmeasured(course, observer, 0, self.plan.stamping)?;
            course.timer.collect(&mut |_| ());
            observer.event(&Event::Frame { phase: Phase::WarmUp, done });
        }
        self.settle(course, &mut |_| ())
    }

    /// Pairs that this plan draws: none where passes are not stamped, so that there is no cost to find.
    const fn pairs(&self) -> u64 {
        match self.plan.stamping {
            Stamping::Off | Stamping::Bracket => 0,
            Stamping::Attachments | Stamping::TopBottom => self.plan.calibration_pairs,
        }
    }

    fn calibrate(&self, course: &mut Course, observer: &mut dyn Observer) -> Result<Pairs, Halt> {
        let pairs = self.pairs();
        let frames = self.plan.frames_of(self.info);
        observer.event(&Event::Phase { phase: Phase::Calibration, frames: 2 * pairs });
        let mut found = Pairs::new(pairs, course.next, course.timer.clocks().into_iter().next());
        course.timer.set_bracket(true);
        for place in 0..2 * pairs {
            let stamping = calibration::stamping_at(place, self.plan.stamping);
            let index = calibration::index_at(place, pairs, frames);
            self.unmeasured(course, observer, index, stamping)?;
            course.timer.collect(&mut |frame| found.stamps(&frame));
            observer.event(&Event::Frame { phase: Phase::Calibration, done: place + 1 });
        }
        course.timer.set_bracket(false);
        self.settle(course, &mut |frame| found.stamps(&frame))?;
        Ok(found)
    }

    fn measure(&self, course: &mut Course, observer: &mut dyn Observer) -> Result<Recorder, Halt> {
        let frames = self.plan.frames_of(self.info);
        observer.event(&Event::Phase { phase: Phase::Measured, frames });
        let clock = course.timer.clocks().into_iter().next();
        let mut recorder = Recorder::new(self.info, frames, course.next, clock, self.plan.stamping);
        let mut before: Option<Instant> = None;
        for index in 0..frames {
            if observer.stop() {
                return Err(Halt::Stopped);
            }
            let taken = self.frame(course, index, self.plan.stamping, &mut recorder.samples(index))?;
            let mut samples = recorder.samples(index);
            samples.set(metric_names::CPU_FRAME, Reading::Measured(nanos(taken.host)));
            if let Some(before) = before.replace(taken.start) {
                let interval = Reading::Measured(nanos(taken.start - before));
                samples.set_for(index - 1, metric_names::FRAME_INTERVAL, interval);
            }
            course.timer.collect(&mut |frame| recorder.stamps(&frame));
            observer.event(&Event::Frame { phase: Phase::Measured, done: index + 1 });
        }
        // The last frame's interval ends where a next frame would have started.
        self.wait_for_room(course)?;
        if let Some(before) = before {
            let interval = Reading::Measured(nanos(before.elapsed()));
            recorder.samples(frames - 1).set(metric_names::FRAME_INTERVAL, interval);
        }
        self.settle(course, &mut |frame| recorder.stamps(&frame))?;
        let last = || "the last frame".to_owned();
        self.device.call(last, || course.scene.finish(&mut recorder.samples(frames - 1)))?;
        self.device.complain(last)?;
        Ok(recorder)
    }

    /// A frame whose samples nobody wants.
    fn unmeasured(
        &self,
        course: &mut Course,
        observer: &mut dyn Observer,
        index: u64,
        stamping: Stamping,
    ) -> Result<Taken, Halt> {
        if observer.stop() {
            return Err(Halt::Stopped);
        }
        let mut nowhere = Table::new(Vec::new(), 0);
        self.frame(course, index, stamping, &mut FrameSamples::new(&mut nowhere, None))
    }

    /// Waits for room, then records and submits one frame.
    fn frame(
        &self,
        course: &mut Course,
        index: u64,
        stamping: Stamping,
        samples: &mut FrameSamples<'_>,
    ) -> Result<Taken, Halt> {
        self.wait_for_room(course)?;
        let start = Instant::now();
        let mut frame = course.timer.begin_frame_as(course.next, stamping);
        self.device.call(|| format!("frame {index}"), || course.scene.frame(index, &mut frame, samples))?;
        frame.end();
        let host = start.elapsed();
        course.next += 1;
        // Not the frame's own last submission: some drivers (lavapipe of Mesa 22.3) hold the host in each submission until
        // the one before is done. Here they hold it in this one, whose time is no frame's.
        course.in_flight.submitted(self.gpu.queue.submit([]));
        self.device.complain(|| format!("frame {index}"))?;
        Ok(Taken { start, host })
    }

    fn wait_for_room(&self, course: &mut Course) -> Result<(), Halt> {
        let Some(ticket) = course.in_flight.due() else { return Ok(()) };
        Ok(self.device.wait(Some(ticket), "a frame in flight")?)
    }

    /// Waits until the GPU is done and hands over the stamps that are still out.
    fn settle(
        &self,
        course: &mut Course,
        sink: &mut dyn FnMut(framecost_wgpu::FrameStamps<'_>),
    ) -> Result<(), Halt> {
        self.device.wait(None, "the last frame")?;
        course.timer.finish(self.plan.patience, sink);
        Ok(())
    }

    fn figures(
        &self,
        start_up: Reading<f64>,
        timer: &FrameTimer,
        pairs: &Pairs,
    ) -> Vec<(&'static str, Reading<f64>)> {
        let step = clock_step(timer).map(|(clock, step)| clock.period.nanos(step).0);
        let mut figures = vec![(metric_names::START_UP, start_up), (metric_names::CLOCK_STEP, step)];
        match self.plan.stamping {
            // No pass was stamped, so that there is no cost of it to miss.
            Stamping::Off | Stamping::Bracket => {}
            Stamping::Attachments | Stamping::TopBottom => {
                let cpu = timer.cpu_per_pass().map(|time| time.0);
                figures.push((metric_names::STAMP_CPU_PER_PASS, cpu));
                figures.extend(pairs.figures());
            }
        }
        figures
    }
}

/// The GPU clock with the smallest step that it was seen to take.
fn clock_step(timer: &FrameTimer) -> Reading<(Clock, Ticks)> {
    match timer.clocks().into_iter().next() {
        Some(clock) => clock.step.clone().map(|step| (clock, step)),
        None => Reading::Missing(Reason::Unsupported),
    }
}
