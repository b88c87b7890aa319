//! One variant's run, step by step: start-up, warm-up, what stamping costs, measured frames, its capture. In: a plan and a
//! device. Out: the steps, for whoever calls them in turn.

use std::time::{Duration, Instant};

use framecost_sample::{Capture, Clock, Reading, Reason, Switches, Ticks, metric_names};
use framecost_wgpu::{FrameTimer, Gpu, Stamping, TimerOptions};

use crate::calibration::{self, Pairs};
use crate::device::Device;
use crate::environment::{self, Facts};
use crate::recorder::{Context, Recorder, gates, instrumentation, nanos};
use crate::remarks::remarks;
use crate::run::timer;
use crate::samples::Table;
use crate::throttle::InFlight;
use crate::{Benchmark, Event, FrameSamples, Observer, Phase, Plan, RunError, Scene, SceneInfo, Setup, time};

/// Why a run ended before its end.
#[derive(Debug)]
pub(crate) enum Halt {
    Stopped,
    Failed(RunError),
}

impl From<RunError> for Halt {
    fn from(error: RunError) -> Self {
        Self::Failed(error)
    }
}

/// One variant, once.
#[derive(Clone, Copy)]
pub(crate) struct OneRun<'a> {
    pub(crate) benchmark: &'a dyn Benchmark,
    pub(crate) plan: &'a Plan,
    pub(crate) info: &'a SceneInfo,
    pub(crate) gpu: &'a Gpu,
    pub(crate) device: Device<'a>,
    pub(crate) switches: &'a Switches,
}

/// The state of a run between frames.
pub(crate) struct Course {
    pub(crate) scene: Box<dyn Scene>,
    pub(crate) timer: FrameTimer,
    /// The timer's number of the next frame: every frame of the run has its own, whatever it draws.
    next: u64,
}

/// The frames that may be under way: one for all that draw in turn.
pub(crate) type Flight = InFlight<wgpu::SubmissionIndex>;

/// Host times of one frame.
pub(crate) struct Taken {
    pub(crate) start: Instant,
    host: Duration,
}

/// When a run began, and what surrounds it before its first frame.
pub(crate) struct Before {
    started_at: Option<String>,
    facts: Facts,
}

/// All that a run left, to make its capture of.
pub(crate) struct Left {
    pub(crate) recorder: Recorder,
    pub(crate) start_up: Reading<f64>,
    pub(crate) pairs: Pairs,
    /// Facts that this run alone has.
    pub(crate) facts: Vec<(String, String)>,
}

impl Before {
    pub(crate) fn now(gpu: &Gpu, plan: &Plan) -> Self {
        Self { started_at: time::now(), facts: facts_now(gpu, plan) }
    }
}

/// What changes around a run, as it stands now, where the plan wants to know.
pub(crate) fn facts_now(gpu: &Gpu, plan: &Plan) -> Facts {
    if plan.watch { environment::moment(gpu) } else { Facts::new() }
}

impl OneRun<'_> {
    pub(crate) fn go(&self, opening: Option<Duration>, observer: &mut dyn Observer) -> Result<Capture, Halt> {
        let before = Before::now(self.gpu, self.plan);
        let flight = &mut Flight::new(self.plan.frames_in_flight);
        observer.event(&Event::Phase { phase: Phase::StartUp, frames: 1 });
        let (mut course, start_up) = self.start_up(flight, opening, observer)?;
        observer.event(&Event::Frame { phase: Phase::StartUp, done: 1 });
        self.warm_up(&mut course, flight, observer)?;
        observer.event(&Event::Phase { phase: Phase::Calibration, frames: 2 * self.pairs() });
        let pairs = self.calibrate(&mut course, flight, observer, 0)?;
        // What was odd before the measured frames is odd in them too, or of no importance.
        course.timer.take_oddities();
        let recorder = self.measure(&mut course, flight, observer)?;
        let left = Left { recorder, start_up, pairs, facts: Vec::new() };
        Ok(self.capture(&mut course, left, &before, &facts_now(self.gpu, self.plan))?)
    }

    /// The capture of a run that is over.
    pub(crate) fn capture(
        &self,
        course: &mut Course,
        left: Left,
        before: &Before,
        after: &Facts,
    ) -> Result<Capture, RunError> {
        let odd = course.timer.take_oddities();
        let step = clock_step(&course.timer).map(|(_, step)| step.to_string());
        let fixed = environment::Fixed {
            stamping: instrumentation(self.plan),
            clock_step: step,
            given: self.plan.facts.iter().cloned().chain(left.facts).collect(),
        };
        let (before_facts, after) = (before.facts.clone(), after.clone());
        let context = Context {
            gpu: self.gpu,
            info: self.info,
            timer: &course.timer,
            switches: self.switches,
            size: self.plan.size,
            frames_in_flight: self.plan.frames_in_flight,
            instrumentation: fixed.stamping,
            environment: environment::environment(self.gpu, self.plan, fixed, before_facts, after),
            started_at: before.started_at.clone(),
            warm_up: self.plan.warm_up,
            calibration: 2 * self.pairs(),
            figures: self.figures(left.start_up, &course.timer, &left.pairs),
            remarks: remarks(self.info, self.frames(), odd),
        };
        let parts = left.recorder.into_parts(context)?;
        Capture::new(parts).map_err(|source| RunError::Capture { scene: self.info.name.clone(), source })
    }

    /// Loads the scene and draws its first frame; how long that and opening the device took, if that was for this run.
    pub(crate) fn start_up(
        &self,
        flight: &mut Flight,
        opening: Option<Duration>,
        observer: &mut dyn Observer,
    ) -> Result<(Course, Reading<f64>), Halt> {
        let options = TimerOptions {
            stamping: self.plan.stamping,
            frames_in_flight: self.plan.frames_in_flight,
            serial: self.plan.serial.then_some(self.plan.patience),
        };
        // The device's first timer tries its stamps on known work: seconds that are none of the scene's.
        let timer = timer(self.gpu, self.info, &options)?;
        let started = Instant::now();
        let setup = self.setup();
        let loaded = self.device.call(|| "loading".into(), || self.benchmark.load(self.gpu, &setup))?;
        let loaded = loaded.map_err(|source| RunError::Load { scene: self.info.name.clone(), source })?;
        self.device.complain(|| "loading".into())?;
        let mut course = Course { scene: loaded, timer, next: 0 };
        self.first_frame(&mut course, flight, observer)?;
        gates(self.info, &course.timer)?;
        let start_up = match opening {
            Some(opening) => Reading::Measured(nanos(opening + started.elapsed())),
            // The device was open already: nothing of that kind happened in this run.
            None => Reading::Missing(Reason::NotExecuted),
        };
        Ok((course, start_up))
    }

    /// Takes up a scene of an earlier run, if it can be set up anew.
    pub(crate) fn again(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<bool, Halt> {
        let setup = self.setup();
        let again = self.device.call(|| "setting up anew".into(), || course.scene.again(&setup))?;
        let again = again.map_err(|source| RunError::Load { scene: self.info.name.clone(), source })?;
        if again {
            self.device.complain(|| "setting up anew".into())?;
            self.first_frame(course, flight, observer)?;
        }
        Ok(again)
    }

    fn setup(&self) -> Setup {
        Setup { size: self.plan.size, switches: self.switches.clone() }
    }

    fn first_frame(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<(), Halt> {
        self.unmeasured(course, flight, observer, 0, self.plan.stamping)?;
        self.settle(course, &mut |_| ())
    }

    fn warm_up(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<(), Halt> {
        observer.event(&Event::Phase { phase: Phase::WarmUp, frames: self.plan.warm_up });
        for done in 1..=self.plan.warm_up {
            self.warm_up_frame(course, flight, observer)?;
            observer.event(&Event::Frame { phase: Phase::WarmUp, done });
        }
        self.settle(course, &mut |_| ())
    }

    pub(crate) fn warm_up_frame(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<(), Halt> {
        self.unmeasured(course, flight, observer, 0, self.plan.stamping)?;
        course.timer.collect(&mut |_| ());
        Ok(())
    }

    /// Pairs that this plan draws: none where passes are not stamped, so that there is no cost to find.
    pub(crate) const fn pairs(&self) -> u64 {
        match self.plan.stamping {
            Stamping::Off | Stamping::Bracket => 0,
            Stamping::Attachments | Stamping::TopBottom => self.plan.calibration_pairs,
        }
    }

    /// Frames that are measured.
    pub(crate) fn frames(&self) -> u64 {
        self.plan.frames_of(self.info)
    }

    /// Draws the pairs of frames that show what stamping costs; `done` of the phase's frames are drawn already.
    pub(crate) fn calibrate(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
        done: u64,
    ) -> Result<Pairs, Halt> {
        let (pairs, frames) = (self.pairs(), self.frames());
        let mut found = Pairs::new(pairs, course.next, course.clock());
        course.timer.set_bracket(true);
        for place in 0..2 * pairs {
            let stamping = calibration::stamping_at(place, self.plan.stamping);
            let index = calibration::index_at(place, pairs, frames);
            self.unmeasured(course, flight, observer, index, stamping)?;
            course.timer.collect(&mut |frame| found.stamps(&frame));
            observer.event(&Event::Frame { phase: Phase::Calibration, done: done + place + 1 });
        }
        course.timer.set_bracket(false);
        self.settle(course, &mut |frame| found.stamps(&frame))?;
        Ok(found)
    }

    /// An empty record of the frames that are to come.
    pub(crate) fn recorder(&self, course: &Course) -> Recorder {
        Recorder::new(self.info, self.frames(), course.next, course.clock(), self.plan.stamping)
    }

    fn measure(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<Recorder, Halt> {
        let frames = self.frames();
        observer.event(&Event::Phase { phase: Phase::Measured, frames });
        let mut recorder = self.recorder(course);
        let mut before: Option<Instant> = None;
        for index in 0..frames {
            let taken = self.measured(course, flight, &mut recorder, observer, index)?;
            if let Some(before) = before.replace(taken.start) {
                let interval = Reading::Measured(nanos(taken.start - before));
                recorder.samples(index).set_for(index - 1, metric_names::FRAME_INTERVAL, interval);
            }
            observer.event(&Event::Frame { phase: Phase::Measured, done: index + 1 });
        }
        // The last frame's interval ends where a next frame would have started.
        self.wait_for_room(flight)?;
        if let Some(before) = before {
            let interval = Reading::Measured(nanos(before.elapsed()));
            recorder.samples(frames - 1).set(metric_names::FRAME_INTERVAL, interval);
        }
        self.finish(course, &mut recorder)?;
        Ok(recorder)
    }

    /// Draws a measured frame, and takes in what is back of those before.
    pub(crate) fn measured(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        recorder: &mut Recorder,
        observer: &mut dyn Observer,
        index: u64,
    ) -> Result<Taken, Halt> {
        if observer.stop() {
            return Err(Halt::Stopped);
        }
        let taken = self.frame(course, flight, index, self.plan.stamping, &mut recorder.samples(index))?;
        let cpu = Reading::Measured(nanos(taken.host));
        recorder.samples(index).set(metric_names::CPU_FRAME, cpu);
        course.timer.collect(&mut |frame| recorder.stamps(&frame));
        Ok(taken)
    }

    /// Waits for the measured frames, and for what the scene has to say last.
    pub(crate) fn finish(&self, course: &mut Course, recorder: &mut Recorder) -> Result<(), Halt> {
        self.settle(course, &mut |frame| recorder.stamps(&frame))?;
        let last = || "the last frame".to_owned();
        let samples = &mut recorder.samples(self.frames() - 1);
        self.device.call(last, || course.scene.finish(samples))?;
        Ok(self.device.complain(last)?)
    }

    /// A frame whose samples nobody wants.
    fn unmeasured(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        observer: &mut dyn Observer,
        index: u64,
        stamping: Stamping,
    ) -> Result<Taken, Halt> {
        if observer.stop() {
            return Err(Halt::Stopped);
        }
        let mut nowhere = Table::new(Vec::new(), 0);
        self.frame(course, flight, index, stamping, &mut FrameSamples::new(&mut nowhere, None))
    }

    /// Waits for room, then records and submits one frame.
    fn frame(
        &self,
        course: &mut Course,
        flight: &mut Flight,
        index: u64,
        stamping: Stamping,
        samples: &mut FrameSamples<'_>,
    ) -> Result<Taken, Halt> {
        self.wait_for_room(flight)?;
        let start = Instant::now();
        let mut frame = course.timer.begin_frame_as(course.next, stamping);
        self.device.call(|| format!("frame {index}"), || course.scene.frame(index, &mut frame, samples))?;
        frame.end();
        let host = start.elapsed();
        course.next += 1;
        // Not the frame's own last submission: some drivers (lavapipe of Mesa 22.3) hold the host in each submission until
        // the one before is done. Here they hold it in this one, whose time is no frame's.
        flight.submitted(self.gpu.queue.submit([]));
        self.device.complain(|| format!("frame {index}"))?;
        Ok(Taken { start, host })
    }

    fn wait_for_room(&self, flight: &mut Flight) -> Result<(), Halt> {
        let Some(ticket) = flight.due() else { return Ok(()) };
        Ok(self.device.wait(Some(ticket), "a frame in flight")?)
    }

    /// Waits until the GPU is done and hands over the stamps that are still out.
    pub(crate) fn settle(
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

impl Course {
    /// The clock that its frames are stamped by.
    pub(crate) fn clock(&self) -> Option<Clock> {
        self.timer.clocks().into_iter().next()
    }
}

/// The GPU clock with the smallest step that it was seen to take.
fn clock_step(timer: &FrameTimer) -> Reading<(Clock, Ticks)> {
    match timer.clocks().into_iter().next() {
        Some(clock) => clock.step.clone().map(|step| (clock, step)),
        None => Reading::Missing(Reason::Unsupported),
    }
}
