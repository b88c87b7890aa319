//! Random timelines whose truth is known. In: a seed. Out: small local ticks for the oracle, and the same timeline as a
//! capture: moved to anywhere on a counter of any width, wrapped, set back, with stamps lost, reversed and zero.

use framecost_sample::{Capture, GateDef, Period, Reading, Reason, Stamp, Ticks};

use super::random::Random;
use super::{capture, clock, gate, parts, pass, queue, stamp};

/// Local ticks stay below this.
pub const TICKS: u64 = 250;
/// Ticks in a second of the timelines' clock: more than any line is long, less than any set-back.
const SECOND: u64 = 300;

/// What is true of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// It ran over these local ticks of that line.
    Run { line: u64, start: u64, end: u64 },
    /// It has no place, and this is why.
    Gone(Reason),
    /// It began before the counter was set back and ended after.
    Straddles,
}

#[derive(Clone, Debug)]
pub struct TrueRow {
    pub frame: u64,
    pub submission: u32,
    pub pass: u16,
    pub fact: Fact,
}

/// A timeline with its truth.
#[derive(Clone, Debug)]
pub struct Truth {
    pub shared: bool,
    pub frames: Vec<u64>,
    pub passes: u16,
    pub gates: Vec<GateDef>,
    pub rows: Vec<TrueRow>,
    pub capture: Capture,
}

/// Where local tick 0 of the present line lies on the counter.
struct Counter {
    mask: u64,
    base: u64,
    /// Bits above the width that a reading carries.
    noise: u64,
}

impl Counter {
    fn raw(&self, local: u64) -> u64 {
        (self.base.wrapping_add(local) & self.mask) | self.noise
    }

    /// More than two seconds away from zero, ahead and behind.
    fn far_from_zero(&self, local: u64) -> bool {
        let at = self.base.wrapping_add(local) & self.mask;
        at > 2 * SECOND && at < self.mask - 2 * SECOND
    }
}

/// How a timeline is built, row by row.
struct Builder {
    random: Random,
    counter: Counter,
    shared: bool,
    faulty: u64,
    /// Identifies the line: grows when the counter is set back, and per submission where they share none.
    line: u64,
    /// Where work goes on, in local ticks.
    cursor: u64,
    rows: Vec<TrueRow>,
    stamps: Vec<Stamp>,
}

/// The timeline of that seed, of at most that many frames and passes.
pub fn timeline(seed: u64, most_frames: u64, most_passes: u16) -> Truth {
    let mut random = Random(seed);
    let bits = random.between(36, 64);
    let mask = u64::MAX >> (64 - bits);
    let shared = random.chance(75);
    let passes = u16::try_from(random.between(1, most_passes.into())).unwrap();
    let counter =
        Counter { mask, base: base(&mut random, mask), noise: if random.chance(30) { !mask } else { 0 } };
    let faulty = *random.pick(&[0, 0, 5, 25]);
    let (rows, stamps) = (Vec::new(), Vec::new());
    let mut builder = Builder { random, counter, shared, faulty, line: 0, cursor: 20, rows, stamps };
    let mut frames = Vec::new();
    let mut frame = builder.random.between(0, 3);
    for _ in 0..builder.random.between(1, most_frames) {
        frames.push(frame);
        builder.frame(frame, passes);
        frame += if builder.random.chance(85) { 1 } else { builder.random.between(2, 4) };
    }
    let gates = builder.gates(passes);
    builder.finish(bits, frames, passes, gates)
}

/// A place on the counter: low, in the middle, at half the range, or just before it wraps.
fn base(random: &mut Random, mask: u64) -> u64 {
    let half = mask / 2 + 1;
    match random.between(0, 4) {
        0 => random.between(1, 400),
        1 => half.wrapping_sub(random.between(0, 300)),
        2 => mask.wrapping_sub(random.between(0, 600)),
        _ => random.next() & mask,
    }
}

impl Builder {
    fn frame(&mut self, frame: u64, passes: u16) {
        let mut submission = 0;
        for _ in 0..self.random.between(0, 3) {
            submission += u32::from(self.random.chance(20));
            if !self.shared {
                self.line += 1;
                self.cursor = self.random.between(0, 100);
                self.counter.base = base(&mut self.random, self.counter.mask);
            }
            let queue = u8::from(self.random.chance(30));
            for _ in 0..self.random.between(0, 4) {
                let pass = u16::try_from(self.random.between(0, u64::from(passes) - 1)).unwrap();
                if self.random.chance(self.faulty / 5) {
                    self.set_back(frame, submission, queue, pass);
                }
                self.row(frame, submission, queue, pass);
            }
            submission += 1;
        }
    }

    /// A row that ran about where the work goes on, or that lost a stamp.
    fn row(&mut self, frame: u64, submission: u32, queue: u8, pass: u16) {
        let start = (self.cursor + self.random.between(0, 40)).saturating_sub(25).min(TICKS - 45);
        let length = if self.random.chance(15) { 0 } else { self.random.between(0, 40) };
        let end = start + length;
        self.cursor = self.cursor.max(end.saturating_sub(self.random.between(0, 20)));
        let raw = stamp(frame, submission, queue, pass, self.counter.raw(start), self.counter.raw(end));
        // A counter that reads zero twice is taken for a slot that was left blank.
        let blank = raw.start == Reading::Measured(Ticks(0)) && raw.end == raw.start;
        let (fact, stamp) = match () {
            () if self.random.chance(self.faulty) => self.fault(raw, start, end),
            () if blank => (Fact::Gone(Reason::Zero), raw),
            () => (Fact::Run { line: self.line, start, end }, raw),
        };
        self.rows.push(TrueRow { frame, submission, pass, fact });
        self.stamps.push(stamp);
    }

    /// Spoils a row.
    fn fault(&mut self, mut raw: Stamp, start: u64, end: u64) -> (Fact, Stamp) {
        const ZERO: Reading<Ticks> = Reading::Measured(Ticks(0));
        let reason = match self.random.between(0, 4) {
            0 => {
                let later = end + self.random.between(1, 40);
                raw.start = Reading::Measured(Ticks(self.counter.raw(later)));
                raw.end = Reading::Measured(Ticks(self.counter.raw(start)));
                Reason::Reversed
            }
            1 => {
                // A single zero tells only where the counter is elsewhere.
                let single = self.counter.far_from_zero(start) && self.counter.far_from_zero(end);
                match self.random.between(if single { 0 } else { 2 }, 2) {
                    0 => raw.start = ZERO,
                    1 => raw.end = ZERO,
                    _ => (raw.start, raw.end) = (ZERO, ZERO),
                }
                Reason::Zero
            }
            _ => {
                let reasons = [Reason::NotExecuted, Reason::NotAvailable, Reason::Dropped, Reason::Stale];
                let reason = self.random.pick(&reasons).clone();
                let gone = Reading::Missing(reason.clone());
                match self.random.between(0, 2) {
                    0 => raw.start = gone,
                    1 => raw.end = gone,
                    _ => (raw.start, raw.end) = (gone.clone(), gone),
                }
                reason
            }
        };
        (Fact::Gone(reason), raw)
    }

    /// Sets the counter back, sometimes in the middle of a row.
    fn set_back(&mut self, frame: u64, submission: u32, queue: u8, pass: u16) {
        // Far less than half the range, so that several in a row do not read as a step forward.
        let most = if self.random.chance(50) { 20 * SECOND } else { self.counter.mask / 256 };
        let back = self.random.between(2 * SECOND, most);
        let start = self.counter.raw(self.random.between(0, TICKS - 1));
        self.counter.base = self.counter.base.wrapping_sub(back) & self.counter.mask;
        self.line += 1;
        self.cursor = self.random.between(0, 60);
        let end = self.counter.raw(self.random.between(0, TICKS - 1));
        if self.random.chance(50) && start != 0 && end != 0 {
            self.rows.push(TrueRow { frame, submission, pass, fact: Fact::Straddles });
            self.stamps.push(stamp(frame, submission, queue, pass, start, end));
        }
    }

    fn gates(&mut self, passes: u16) -> Vec<GateDef> {
        let mut gates = Vec::new();
        for index in 0..self.random.between(0, 3) {
            let from = u16::try_from(self.random.between(0, u64::from(passes) - 1)).unwrap();
            let to = u16::try_from(self.random.between(from.into(), u64::from(passes) - 1)).unwrap();
            gates.push(gate(&format!("gate {index}"), from, to));
        }
        gates
    }

    fn finish(self, bits: u64, frames: Vec<u64>, passes: u16, gates: Vec<GateDef>) -> Truth {
        let mut parts = parts();
        parts.clocks = vec![clock("gpu", bits, 1, self.shared)];
        parts.clocks[0].period = Period::new(1_000_000_000, SECOND).unwrap();
        parts.queues = vec![queue("main", 0), queue("compute", 0)];
        parts.passes = (0..passes).map(|index| pass(&format!("p{index}"))).collect();
        parts.gates.clone_from(&gates);
        parts.frames.clone_from(&frames);
        parts.stamps = self.stamps;
        let shared = self.shared;
        Truth { shared, frames, passes, gates, rows: self.rows, capture: capture(parts) }
    }
}
