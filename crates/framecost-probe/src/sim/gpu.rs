//! The simulated device: queues that run in virtual time, queries that hold words, copies that arrive later.
//! In: submissions and their faults. Out: a [`Backend`] for the ring, and a list of what the ring did wrong.

use std::ops::Range;
use std::time::Duration;

use framecost_sample::{Reason, ValidBits};

use crate::inflight::{Backend, BatchIndex, Copy, Progress, SlotIndex};
use crate::sim::rng::Rng;
use crate::sim::{Fault, Faults};

/// Never.
const NEVER: u64 = u64::MAX;

/// A device in virtual time: one tick is one nanosecond. `ORDERED` is [`Backend::ORDERED`].
#[derive(Debug)]
pub struct SimGpu<const ORDERED: bool> {
    pub(crate) rng: Rng,
    /// Nanoseconds since the simulation began.
    pub(crate) now: u64,
    bits: ValidBits,
    /// What the counter read at time 0.
    epoch: u64,
    /// When the counter was set back, if it was.
    pub(crate) reset_at: Option<u64>,
    /// Per queue, when all that was submitted to it will have completed.
    completions: Vec<u64>,
    work: Vec<Work>,
    queries_per_slot: usize,
    slots: Vec<Vec<Option<u64>>>,
    /// Which queries were written since they were last resolved.
    fresh: Vec<Vec<bool>>,
    batches: Vec<Travel>,
    copies_complete: u64,
    map_failure: u16,
    /// Nothing submitted from now on ever completes.
    pub(crate) hung: bool,
    pub(crate) lost: bool,
    violations: Vec<String>,
}

/// When a submission completes.
#[derive(Clone, Copy, Debug)]
pub struct SimTicket(u64);

/// One run of a pass as the device will execute it: times in true nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) slot: SlotIndex,
    pub(crate) queries: [u32; 2],
    pub(crate) times: [u64; 2],
    pub(crate) fault: Option<Fault>,
}

#[derive(Debug)]
struct Work {
    at: u64,
    runs: Vec<Run>,
}

#[derive(Debug, Default)]
struct Travel {
    arrives: u64,
    fails: bool,
    words: Vec<Vec<Option<u64>>>,
}

impl<const ORDERED: bool> SimGpu<ORDERED> {
    pub(crate) fn new(
        seed: u64,
        bits: ValidBits,
        queues: u8,
        queries_per_slot: u32,
        faults: &Faults,
    ) -> Self {
        let mut rng = Rng::new(seed);
        // Close to the counter's end, so that it wraps within a second of virtual time.
        let before_wrap = rng.below(1 << 30);
        Self {
            now: 0,
            bits,
            epoch: bits.mask() - before_wrap,
            reset_at: None,
            completions: vec![0; usize::from(queues)],
            work: Vec::new(),
            queries_per_slot: queries_per_slot as usize,
            slots: Vec::new(),
            fresh: Vec::new(),
            batches: (0..8).map(|_| Travel::default()).collect(),
            copies_complete: 0,
            map_failure: faults.map_failure,
            hung: false,
            lost: false,
            violations: Vec::new(),
            rng,
        }
    }

    /// What the counter reads at a time, with whatever a driver leaves above its valid bits.
    pub(crate) fn counter(&self, time: u64) -> u64 {
        let ticks = match self.reset_at {
            Some(at) if time >= at => time - at + 1000,
            _ => self.epoch.wrapping_add(time),
        };
        (ticks & self.bits.mask()) | (0xa5a5_a5a5_a5a5_a5a5 & !self.bits.mask())
    }

    /// When the queue is free for more.
    pub(crate) fn free_at(&self, queue: usize) -> u64 {
        self.completions[queue]
    }

    /// Takes runs that end at `end` in true time and are known to be complete `late` later.
    pub(crate) fn submit(&mut self, queue: usize, runs: Vec<Run>, end: u64, late: u64) -> SimTicket {
        let at = if self.hung { NEVER } else { self.completions[queue].max(end).saturating_add(late) };
        self.completions[queue] = at;
        self.work.push(Work { at, runs });
        SimTicket(at)
    }

    /// Notes it if one of these queries is still to be written: nobody may be given them now.
    pub(crate) fn check_idle(&mut self, slot: SlotIndex, queries: &Range<u32>, what: &str) {
        self.run_to_now();
        let written = |run: &Run| run.slot == slot && run.queries.iter().any(|query| queries.contains(query));
        if self.work.iter().any(|work| work.runs.iter().any(written)) {
            self.violations
                .push(format!("queries {queries:?} of slot {slot} were {what} before they were written"));
        }
    }

    pub(crate) fn advance(&mut self, by: u64) {
        self.now = self.now.saturating_add(by);
    }

    /// Lets time pass until the ticket is complete; false if it never will be.
    pub(crate) fn wait_for(&mut self, ticket: SimTicket) -> bool {
        if ticket.0 != NEVER {
            self.now = self.now.max(ticket.0);
        }
        ticket.0 != NEVER
    }

    pub(crate) fn into_violations(self) -> Vec<String> {
        self.violations
    }

    fn run_to_now(&mut self) {
        let (done, rest) =
            std::mem::take(&mut self.work).into_iter().partition(|work: &Work| work.at <= self.now);
        self.work = rest;
        for run in done.into_iter().flat_map(|work: Work| work.runs) {
            self.write(run);
        }
    }

    fn write(&mut self, run: Run) {
        let [start, end] = run.times.map(|time| self.counter(time));
        let slot = &mut self.slots[run.slot];
        let [at_start, at_end] = run.queries.map(|query| query as usize);
        self.fresh[run.slot][at_start] = true;
        self.fresh[run.slot][at_end] = true;
        (slot[at_start], slot[at_end]) = match run.fault {
            None => (Some(start), Some(end)),
            Some(Fault::Lost) => (None, None),
            Some(Fault::Zero) => (Some(0), Some(0)),
            Some(Fault::ZeroEnd) => (Some(start), Some(0)),
            Some(Fault::Reversed) => (Some(end), Some(start)),
            Some(Fault::Stale) => (slot[at_start], slot[at_end]),
            Some(Fault::AllOnes) => (Some(u64::MAX), Some(u64::MAX)),
        };
    }
}

impl<const ORDERED: bool> Backend for SimGpu<ORDERED> {
    type Ticket = SimTicket;
    const ORDERED: bool = ORDERED;

    fn now(&self) -> Duration {
        Duration::from_nanos(self.now)
    }

    fn poll(&mut self, ticket: &SimTicket, wait: Duration) -> Progress {
        if self.lost {
            return Progress::Lost;
        }
        if ticket.0 > self.now {
            let wait = u64::try_from(wait.as_nanos()).unwrap_or(NEVER);
            self.now = ticket.0.min(self.now.saturating_add(wait));
        }
        if ticket.0 <= self.now { Progress::Done } else { Progress::Pending }
    }

    fn add_slot(&mut self) {
        self.slots.push(vec![None; self.queries_per_slot]);
        self.fresh.push(vec![false; self.queries_per_slot]);
    }

    fn renew(&mut self, slot: SlotIndex) {
        self.check_idle(slot, &(0..u32::MAX), "renewed");
        self.slots[slot].fill(None);
        self.fresh[slot].fill(false);
    }

    fn bring_back(&mut self, batch: BatchIndex, copies: &[Copy]) -> Result<SimTicket, Reason> {
        self.run_to_now();
        for copy in copies {
            self.check_idle(copy.slot, &copy.queries, "resolved");
            for query in copy.queries.clone() {
                // On an H200, resolving a query that was reset and not written hangs the queue for good.
                if !std::mem::take(&mut self.fresh[copy.slot][query as usize]) {
                    self.violations
                        .push(format!("query {query} of slot {} was resolved unwritten", copy.slot));
                }
            }
        }
        if self.rng.chance(self.map_failure / 4) {
            return Err(Reason::MapFailed);
        }
        if self.batches[batch].arrives > self.now {
            self.violations.push(format!("batch {batch} was used again before it arrived"));
        }
        let words = copies
            .iter()
            .map(|copy| copy.queries.clone().map(|query| self.slots[copy.slot][query as usize]).collect());
        let words = words.collect();
        let arrives = if self.hung { NEVER } else { self.now + self.rng.below(3_000_000) };
        // Copies share a queue: they arrive in the order in which they were sent.
        self.copies_complete = self.copies_complete.max(arrives);
        let fails = self.rng.chance(self.map_failure);
        self.batches[batch] = Travel { arrives: self.copies_complete, fails, words };
        Ok(SimTicket(self.copies_complete))
    }

    fn read(&mut self, batch: BatchIndex, copies: &[Copy], words: &mut [Option<u64>]) -> Result<(), Reason> {
        if self.batches[batch].arrives > self.now {
            self.violations.push(format!("batch {batch} was read before it arrived"));
        }
        if self.batches[batch].fails {
            return Err(Reason::MapFailed);
        }
        for (copy, brought) in copies.iter().zip(&self.batches[batch].words) {
            words[copy.words()].copy_from_slice(brought);
        }
        Ok(())
    }
}
