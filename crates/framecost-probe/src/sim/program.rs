//! The simulated program: records frames through the ring as a renderer would, and keeps what truly happened.

use std::collections::VecDeque;
use std::time::Duration;

use framecost_sample::{PassId, Ticks};

use crate::inflight::{Delivered, Ring};
use crate::sim::gpu::{Run, SimGpu, SimTicket};
use crate::sim::rng::Rng;
use crate::sim::{Fault, Faults, SimFrame, SimOptions, SimRun, Truth, clock, passes, queue_of, queues};

/// Runs a simulation.
#[must_use]
pub fn simulate(options: &SimOptions) -> SimRun {
    if options.queues > 1 {
        Program::<false>::new(options).run()
    } else {
        Program::<true>::new(options).run()
    }
}

struct Program<const ORDERED: bool> {
    options: SimOptions,
    rng: Rng,
    ring: Ring<SimGpu<ORDERED>>,
    /// Tickets of the frames that may be unfinished.
    unfinished: VecDeque<[Option<SimTicket>; 2]>,
    /// When the last pass of the frame before ends, in true time.
    last_end: u64,
    /// Frames left in a stretch without waiting.
    ahead: u64,
    begun: Vec<(u64, Vec<Truth>)>,
    frames: Vec<SimFrame>,
    most_waiting: usize,
}

/// A frame on its way into the ring.
#[derive(Default)]
struct Drawing {
    truth: Vec<Truth>,
    tickets: [Option<SimTicket>; 2],
    end: u64,
}

impl<const ORDERED: bool> Program<ORDERED> {
    fn new(options: &SimOptions) -> Self {
        let ring_options = options.ring();
        let queries = ring_options.slot_queries();
        let gpu = SimGpu::new(options.seed, options.valid_bits, options.queues, queries, &options.faults);
        Self {
            rng: Rng::new(!options.seed),
            ring: Ring::new(gpu, ring_options),
            unfinished: VecDeque::new(),
            last_end: 0,
            ahead: 0,
            begun: Vec::new(),
            frames: Vec::new(),
            most_waiting: 0,
            options: options.clone(),
        }
    }

    fn run(mut self) -> SimRun {
        let mut index = 0;
        for drawn in 0..self.options.frames {
            if drawn == self.options.frames / 2 {
                self.strike();
            }
            index += if self.rng.chance(self.options.faults.gap) { 1 + self.rng.below(9) } else { 1 };
            self.draw(index);
            self.pace();
            let frames = &mut self.frames;
            self.ring.collect(&mut |delivered| frames.push(keep(&delivered)));
            self.most_waiting = self.most_waiting.max(self.ring.waiting());
        }
        let frames = &mut self.frames;
        self.ring.finish(Duration::from_secs(1), &mut |delivered| frames.push(keep(&delivered)));
        self.into_run()
    }

    /// What happens once, in the middle of the run.
    fn strike(&mut self) {
        let Faults { reset, device_lost, hang, .. } = self.options.faults;
        let gpu = self.ring.backend_mut();
        if reset {
            gpu.reset_at = Some(gpu.now + gpu.rng.below(2_000_000));
        }
        gpu.lost = device_lost;
        gpu.hung = hang;
    }

    fn draw(&mut self, index: u64) {
        self.ring.begin(index, 0);
        if let Some((slot, queries)) = self.ring.recording_block() {
            self.ring.backend_mut().check_idle(slot, &queries, "handed out");
        }
        let mut drawing = Drawing::default();
        let submissions = 1 + u32::try_from(self.rng.below(3)).unwrap_or(0);
        let per_submission = u64::from(self.options.passes).div_ceil(submissions.into());
        let mut pass = 0;
        for submission in 0..submissions {
            let until = (u64::from(submission + 1) * per_submission).min(self.options.passes.into());
            self.submit(submission, pass..until, &mut drawing);
            pass = until;
        }
        self.ring.end();
        self.last_end = self.last_end.max(drawing.end);
        self.begun.push((index, drawing.truth));
        self.unfinished.push_back(drawing.tickets);
    }

    fn submit(&mut self, submission: u32, passes: std::ops::Range<u64>, drawing: &mut Drawing) {
        let queue = queue_of(submission, self.options.queues);
        let faults = self.options.faults;
        let made = !self.rng.chance(faults.abandoned);
        let mut runs = Vec::new();
        let mut at = self.first_start(usize::from(queue.0), submission);
        let mut end = at;
        self.ring.bracket_start(submission);
        for pass in passes {
            if self.rng.chance(faults.left_out) {
                continue;
            }
            let times = if self.rng.chance(faults.repeated) { 1 + self.rng.below(12) } else { 1 };
            for _ in 0..times {
                let ran = self.times(at, end);
                (at, end) = (ran[0].max(at), ran[1].max(end));
                let truth =
                    self.run_of(PassId(u16::try_from(pass).unwrap_or(0)), submission, ran, made, &mut runs);
                drawing.truth.push(truth);
            }
        }
        if !made {
            self.ring.abandon(submission);
            return;
        }
        if let Some((slot, pair)) = self.ring.bracket_end(submission) {
            let start =
                drawing.truth.iter().filter_map(|truth| truth.ran).map(|ran| ran[0]).min().unwrap_or(at);
            let queries = [pair.start(), pair.end()];
            runs.push(Run { slot, queries, times: [start, end], fault: None });
        }
        drawing.end = drawing.end.max(end);
        let late =
            if self.rng.chance(faults.late) { self.rng.below(40_000_000) } else { self.rng.below(50_000) };
        let ticket = self.ring.backend_mut().submit(usize::from(queue.0), runs, end, late);
        self.ring.submitted(queue, ticket);
        drawing.tickets[usize::from(queue.0)] = Some(ticket);
    }

    /// When a submission's first pass starts.
    fn first_start(&mut self, queue: usize, submission: u32) -> u64 {
        let gpu = self.ring.backend();
        let free = gpu.free_at(queue).max(gpu.now);
        if free == u64::MAX {
            return gpu.now;
        }
        if submission == 0 && self.rng.chance(self.options.faults.overlapped) {
            return self.last_end.saturating_sub(self.rng.below(1_000_000)).max(self.ring.backend().now);
        }
        free + self.rng.below(20_000)
    }

    /// When a pass runs: after the one recorded before it, which ended at `end`, unless they change places.
    fn times(&mut self, at: u64, end: u64) -> [u64; 2] {
        let lasts = 1 + self.rng.below(400_000);
        let start = if self.rng.chance(self.options.faults.reordered) {
            at.saturating_sub(self.rng.below(50_000)).max(self.ring.backend().now)
        } else {
            end + self.rng.below(2_000)
        };
        [start, start + lasts]
    }

    fn run_of(
        &mut self,
        pass: PassId,
        submission: u32,
        ran: [u64; 2],
        made: bool,
        runs: &mut Vec<Run>,
    ) -> Truth {
        const FAULTS: [Fault; 6] =
            [Fault::Lost, Fault::Zero, Fault::ZeroEnd, Fault::Reversed, Fault::Stale, Fault::AllOnes];
        let faulty = self.rng.chance(self.options.faults.stamp);
        let fault = faulty.then(|| FAULTS[usize::try_from(self.rng.below(6)).unwrap_or(0)]);
        let queue = queue_of(submission, self.options.queues);
        let pair = self.ring.hand_out(pass, submission, queue);
        if let Some((slot, pair)) = pair {
            runs.push(Run { slot, queries: [pair.start(), pair.end()], times: ran, fault });
        }
        // The counter may yet be set back before the pass runs: its ticks are filled in at the end.
        let ticks = ran.map(Ticks);
        Truth { pass, submission, ran: made.then_some(ran), ticks, fault, stamped: pair.is_some() }
    }

    /// Waits as a renderer does, until few enough frames are unfinished; or runs ahead for a while.
    fn pace(&mut self) {
        if self.ahead == 0 && self.rng.chance(self.options.faults.run_ahead) {
            self.ahead = 1 + self.rng.below(120);
        }
        self.ahead = self.ahead.saturating_sub(1);
        let cpu = self.rng.below(1_000_000);
        self.ring.backend_mut().advance(if self.ahead > 0 { 1000 } else { cpu });
        while self.ahead == 0 && self.unfinished.len() > self.options.frames_in_flight as usize {
            for ticket in self.unfinished.pop_front().into_iter().flatten().flatten() {
                self.ring.backend_mut().wait_for(ticket);
            }
        }
    }

    fn into_run(self) -> SimRun {
        let mut frames = self.frames;
        for (frame, (_, truth)) in frames.iter_mut().zip(&self.begun) {
            frame.truth.clone_from(truth);
            for truth in &mut frame.truth {
                truth.ticks = truth.ticks.map(|time| Ticks(self.ring.backend().counter(time.0)));
            }
        }
        SimRun {
            begun: self.begun.into_iter().map(|(index, _)| index).collect(),
            frames,
            clock: clock(self.options.valid_bits),
            queues: queues(self.options.queues),
            passes: passes(self.options.passes),
            counts: self.ring.counts(),
            most_waiting: self.most_waiting,
            violations: self.ring.into_backend().into_violations(),
        }
    }
}

fn keep(delivered: &Delivered<'_>) -> SimFrame {
    SimFrame {
        frame: delivered.frame,
        stamps: delivered.stamps.to_vec(),
        bracket: delivered.bracket.clone(),
        readback_frames: delivered.readback_frames,
        unlisted: delivered.unlisted,
        truth: Vec::new(),
    }
}
