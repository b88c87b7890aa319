//! Raw stamps on timelines. In: a capture's stamp rows in the order of recording, each a pair of modular readings.
//! Out: for each row its run on a timeline of whole numbers that never wrap, or why it has no place on one.
//!
//! A timeline ("line") is a stretch over which readings may be subtracted. Where the clock is shared across
//! submissions there is one, until the counter is set back; where it is not, each submission has its own.

use framecost_sample::{Capture, ClockId, PassId, Period, Reading, Reason, Sharing, Stamp, Ticks, ValidBits};

/// Which timeline. A later row never stands on an earlier line.
pub(super) type Line = u32;

/// One run of a pass: both stamps valid, unwrapped, in ticks of its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) pass: PassId,
    pub(super) submission: u32,
    pub(super) line: Line,
    pub(super) start: i128,
    pub(super) end: i128,
}

/// A row's run, or why there is none.
pub(super) type Row = Result<Run, Reason>;

/// Where a frame's rows stand in the capture, and what happened to its counter.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameRows {
    /// The first row.
    pub(super) first: usize,
    /// One past the last row.
    pub(super) end: usize,
    /// The counter was set back between the frame before and this one.
    pub(super) set_back_before: bool,
    /// The counter was set back between two runs of this frame.
    pub(super) set_back_inside: bool,
}

/// All rows of a capture in place.
#[derive(Debug)]
pub(super) struct Timeline {
    /// One entry per stamp row.
    pub(super) rows: Vec<Row>,
    /// One entry per measured frame.
    pub(super) frames: Vec<FrameRows>,
    /// Whether submissions share a line.
    pub(super) shared: bool,
}

/// Places every row of the capture. Rows of queues on another clock are unsupported: a ledger is of one clock.
pub(super) fn place(capture: &Capture, clock: ClockId) -> Timeline {
    let mut placer = Placer::new(capture, clock);
    let mut frames = Vec::with_capacity(capture.frames.len());
    let mut first = 0;
    for &frame in &capture.frames {
        let end = first + capture.stamps[first..].iter().take_while(|stamp| stamp.frame == frame).count();
        frames.push(FrameRows { first, end, ..placer.frame(&capture.stamps[first..end]) });
        first = end;
    }
    Timeline { rows: placer.rows, frames, shared: placer.shared }
}

/// The ticks in one second, at most a quarter of the counter's range.
///
/// What was recorded later may well end earlier: passes overlap, frames overlap, queues run side by side. But by far
/// less than a second, since drivers end work of a few seconds as hung. A run that ended more than a second before
/// something recorded before it therefore shows a counter that was set back (or a stamp that had run ahead).
fn second(period: Period, bits: ValidBits) -> u64 {
    let (numer, denom) = period.fraction();
    let ticks = u128::from(denom) * 1_000_000_000 / u128::from(numer);
    u64::try_from(ticks).unwrap_or(u64::MAX).min(bits.half_range() / 2)
}

/// Places rows one after the other.
struct Placer<'a> {
    capture: &'a Capture,
    clock: ClockId,
    bits: ValidBits,
    shared: bool,
    second: u64,
    rows: Vec<Row>,
    /// Lines opened so far.
    lines: Line,
    /// The latest end on the line that the next row continues.
    frontier: Option<Frontier>,
    /// Rows since the last run whose end lies more than a second before their start: if the next run confirms that
    /// the counter was set back, that is what happened to them.
    reversed: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Frontier {
    line: Line,
    tick: Ticks,
    at: i128,
}

/// A row's place.
struct Placed {
    run: Run,
    set_back: bool,
}

impl<'a> Placer<'a> {
    fn new(capture: &'a Capture, clock: ClockId) -> Self {
        let (bits, period, shared) = match capture.clocks.get(usize::from(clock.0)) {
            Some(clock) => (clock.valid_bits, clock.period, clock.sharing != Sharing::WithinSubmission),
            None => (ValidBits::ALL, Period::NANOSECOND, false),
        };
        Self {
            capture,
            clock,
            bits,
            shared,
            second: second(period, bits),
            rows: Vec::with_capacity(capture.stamps.len()),
            lines: 0,
            frontier: None,
            reversed: Vec::new(),
        }
    }

    /// Places a frame's rows.
    fn frame(&mut self, stamps: &[Stamp]) -> FrameRows {
        let mut found = FrameRows::default();
        let mut any = false;
        for submission in stamps.chunk_by(|a, b| a.submission == b.submission) {
            if !self.shared {
                self.frontier = None;
                self.reversed.clear();
            }
            for stamp in submission {
                let Some(set_back) = self.row(stamp) else { continue };
                found.set_back_inside |= set_back && any;
                found.set_back_before |= set_back && !any;
                any = true;
            }
        }
        found
    }

    /// Places one row. Whether the counter was set back before it; none where it is no run.
    fn row(&mut self, stamp: &Stamp) -> Option<bool> {
        match self.pair(stamp) {
            Ok((start, duration)) => {
                let placed = self.run(stamp, start, duration);
                self.rows.push(Ok(placed.run));
                Some(placed.set_back)
            }
            Err(reason) => {
                if let (Reason::Reversed, Reading::Measured(start), Reading::Measured(end)) =
                    (&reason, &stamp.start, &stamp.end)
                    && self.bits.offset(*start, *end).unsigned_abs() > self.second
                {
                    self.reversed.push(self.rows.len());
                }
                self.rows.push(Err(reason));
                None
            }
        }
    }

    /// The row's start and duration, from its two stamps alone.
    fn pair(&self, stamp: &Stamp) -> Result<(Ticks, Ticks), Reason> {
        if self.capture.queues[usize::from(stamp.queue.0)].clock != self.clock {
            return Err(Reason::Unsupported);
        }
        let (start, end) = stamp.start.clone().zip(stamp.end.clone()).ok()?;
        if (start.0 == 0 || end.0 == 0) && !self.zero_is_a_tick(start, end) {
            return Err(Reason::Zero);
        }
        Ok((start, self.bits.elapsed(start, end)?))
    }

    /// Whether a zero among the two is a tick of a counter that has just wrapped or begun, not a slot left blank:
    /// then the other stamp lies within a second of it. Two zeros are a blank pair.
    fn zero_is_a_tick(&self, start: Ticks, end: Ticks) -> bool {
        start != end && self.bits.offset(start, end).unsigned_abs() <= self.second
    }

    /// Puts a valid pair where it lies nearest to the latest end so far; on a new line if that is too far back.
    fn run(&mut self, stamp: &Stamp, start: Ticks, duration: Ticks) -> Placed {
        let continued = self.frontier.and_then(|frontier| {
            let at = frontier.at + i128::from(self.bits.offset(frontier.tick, start));
            let end = at + i128::from(duration.0);
            (end + i128::from(self.second) >= frontier.at).then_some((frontier.line, at, end))
        });
        let set_back = self.frontier.is_some() && continued.is_none();
        let reversed = std::mem::take(&mut self.reversed);
        if set_back {
            for row in reversed {
                self.rows[row] = Err(Reason::CounterReset);
            }
        }
        let (line, start_at, end_at) = continued.unwrap_or_else(|| {
            self.lines = self.lines.saturating_add(1);
            (self.lines, 0, i128::from(duration.0))
        });
        if set_back || self.frontier.is_none_or(|frontier| end_at > frontier.at) {
            let tick = Ticks(start.0.wrapping_add(duration.0));
            self.frontier = Some(Frontier { line, tick, at: end_at });
        }
        let (pass, submission) = (stamp.pass, stamp.submission);
        Placed { run: Run { pass, submission, line, start: start_at, end: end_at }, set_back }
    }
}
