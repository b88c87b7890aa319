//! One frame's record on its way through the ring. In: runs of passes, then words from the GPU. Out: rows of stamps.

use framecost_sample::{PassId, QueueId, Reading, Reason, Stamp, Ticks, ValidBits};

use crate::inflight::pairs::{Pair, append_copy, most_bytes};
use crate::inflight::{BatchIndex, Copy, Delivered, SlotIndex};

/// A frame that was begun and not yet delivered. Its lists grow once, to what frames need, and go round with it.
#[derive(Debug)]
pub(crate) struct Entry<T> {
    pub(crate) frame: u64,
    pub(crate) tag: u8,
    /// Which of the ring's frames, counted from 1.
    pub(crate) ordinal: u64,
    pub(crate) slot: Option<SlotIndex>,
    pub(crate) state: State,
    /// The last submission of each queue.
    pub(crate) tickets: Vec<Option<T>>,
    /// The frame's pairs: from the first up to the second.
    pub(crate) block: [Pair; 2],
    /// The ordinal of the latest frame when this one's stamps were settled.
    settled_at: u64,
    /// Pairs that are left for passes.
    left: u16,
    /// Whether pairs of the block go unwritten.
    holes: bool,
    /// Why the frame has no slot, where it has none.
    absent: Reason,
    runs: Vec<Run>,
    /// Why nothing came back, where nothing did.
    failed: Option<Reason>,
    bracket: Option<Bracket>,
    bracket_stamps: [Reading<Ticks>; 2],
    unlisted: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Submitted; its queries may be unwritten.
    InFlight,
    /// Its queries travel to the host.
    Returning(BatchIndex),
    /// Every stamp has a value or a reason.
    Settled,
}

/// The pair around the whole frame, and the submissions that wrote its two stamps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bracket {
    pub(crate) pair: Pair,
    pub(crate) start_in: Option<u32>,
    pub(crate) end_in: Option<u32>,
}

/// One run of a pass: small and without destructor, since many wait for a batch.
#[derive(Clone, Copy, Debug)]
struct Run {
    pass: PassId,
    queue: QueueId,
    submission: u32,
    stamped: Stamped,
}

/// Where a run's stamps are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stamped {
    /// In these queries.
    At(Pair),
    /// Nowhere, for this reason.
    Not(Refusal),
    /// Here: start and end, each sound or not.
    Read([u64; 2], [Verdict; 2]),
}

/// What a word from a query is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Sound,
    NotExecuted,
    NotAvailable,
    Zero,
    Stale,
}

/// Why a run goes unstamped: the reasons that are known while a frame is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The frame has no slot; the frame knows why.
    NoSlot,
    /// No queries are left for it.
    Exhausted,
    /// Its submission was not made.
    NotExecuted,
    /// Stamps of this kind were tried and found to leave work out.
    Unreliable,
    /// The device cannot stamp this run.
    Unsupported,
    /// The driver made no queries.
    NotAvailable,
}

/// What was read from a slot's queries in their earlier use: a query that still holds it was not written since.
/// [`NEVER_READ`] where nothing was.
pub(crate) type Before = Vec<u64>;

/// No tick: see [`judge`].
pub(crate) const NEVER_READ: u64 = u64::MAX;

impl<T> Entry<T> {
    /// An entry that belongs to no frame yet.
    pub(crate) fn new(queues: u8) -> Self {
        let nothing = Pair::default();
        Self {
            frame: 0,
            tag: 0,
            ordinal: 0,
            slot: None,
            state: State::Settled,
            tickets: (0..queues).map(|_| None).collect(),
            block: [nothing, nothing],
            settled_at: 0,
            left: 0,
            holes: false,
            absent: Reason::Dropped,
            runs: Vec::new(),
            failed: None,
            bracket: None,
            bracket_stamps: [const { Reading::Missing(Reason::NotExecuted) }; 2],
            unlisted: 0,
        }
    }

    /// Makes the entry that of another frame, which has a slot and its next pair there, or a reason why not. At most `most`
    /// pairs go to its passes.
    pub(crate) fn renew(
        &mut self,
        frame: u64,
        tag: u8,
        ordinal: u64,
        slot: Result<(SlotIndex, Pair), Reason>,
        most: u16,
    ) {
        self.frame = frame;
        self.tag = tag;
        self.ordinal = ordinal;
        self.state = State::InFlight;
        self.tickets.iter_mut().for_each(|ticket| *ticket = None);
        self.left = if slot.is_ok() { most } else { 0 };
        self.holes = false;
        self.runs.clear();
        self.failed = None;
        self.bracket = None;
        self.unlisted = 0;
        match slot {
            Ok((slot, first)) => (self.slot, self.block) = (Some(slot), [first, first]),
            Err(reason) => (self.slot, self.absent) = (None, reason),
        }
    }

    /// The next pair for a run of a pass, and its row.
    #[inline]
    pub(crate) fn hand_out(
        &mut self,
        pass: PassId,
        submission: u32,
        queue: QueueId,
        most: usize,
    ) -> Result<Pair, Refusal> {
        let in_order = self.runs.last().is_none_or(|last| last.submission <= submission);
        if self.left > 0 && in_order && self.runs.len() < self.runs.capacity() {
            self.left -= 1;
            let pair = self.lengthen();
            self.runs.push(Run { pass, queue, submission, stamped: Stamped::At(pair) });
            return Ok(pair);
        }
        // The first frames, exhaustion, and submissions recorded in another order than that of their numbers.
        let pair = self.next_pair();
        self.note(pass, submission, queue, pair, most);
        pair
    }

    fn next_pair(&mut self) -> Result<Pair, Refusal> {
        if self.slot.is_none() {
            return Err(Refusal::NoSlot);
        }
        self.left = self.left.checked_sub(1).ok_or(Refusal::Exhausted)?;
        Ok(self.lengthen())
    }

    /// One more pair of the block.
    #[inline]
    const fn lengthen(&mut self) -> Pair {
        let pair = self.block[1];
        self.block[1] = pair.next();
        pair
    }

    /// Notes a run of a pass, with its pair or the reason why it has none. Rows stay sorted by submission, and there are
    /// at most `most` of them.
    pub(crate) fn note(
        &mut self,
        pass: PassId,
        submission: u32,
        queue: QueueId,
        pair: Result<Pair, Refusal>,
        most: usize,
    ) {
        if self.runs.len() >= most {
            self.holes |= pair.is_ok();
            self.unlisted += 1;
            return;
        }
        let stamped = pair.map_or_else(Stamped::Not, Stamped::At);
        let run = Run { pass, queue, submission, stamped };
        match self.runs.last() {
            Some(last) if last.submission > submission => {
                let place = self.runs.partition_point(|run| run.submission <= submission);
                self.runs.insert(place, run);
            }
            _ => self.runs.push(run),
        }
    }

    /// The frame's bracket, which has a pair from now on.
    pub(crate) fn bracket(&mut self) -> &mut Bracket {
        let pair = match self.bracket {
            Some(bracket) => bracket.pair,
            None => self.lengthen(),
        };
        self.bracket.get_or_insert(Bracket { pair, start_in: None, end_in: None })
    }

    /// The submission was not made: what it was to write is never written.
    pub(crate) fn abandon(&mut self, submission: u32) {
        for run in self.runs.iter_mut().filter(|run| run.submission == submission) {
            if let Stamped::At(_) = run.stamped {
                run.stamped = Stamped::Not(Refusal::NotExecuted);
                self.holes = true;
            }
        }
        self.abandon_bracket(submission);
    }

    pub(crate) fn abandon_bracket(&mut self, submission: u32) {
        if let Some(bracket) = &mut self.bracket {
            for end in [&mut bracket.start_in, &mut bracket.end_in] {
                if *end == Some(submission) {
                    *end = None;
                    self.holes = true;
                }
            }
        }
    }

    /// Whether a stamp of the frame was handed to the GPU.
    pub(crate) fn awaits(&self) -> bool {
        let stamped = |run: &Run| matches!(run.stamped, Stamped::At(_));
        self.tickets.iter().any(Option::is_some)
            && (self.written_bracket().is_some() || self.runs.iter().any(stamped))
    }

    /// The bracket's pair, if both its stamps were written.
    fn written_bracket(&self) -> Option<Pair> {
        self.bracket
            .filter(|bracket| bracket.start_in.is_some() && bracket.end_in.is_some())
            .map(|it| it.pair)
    }

    /// Whether all pairs of the block were written, so that they are one stretch.
    fn is_whole(&self) -> bool {
        !self.holes && self.bracket.is_some() == self.written_bracket().is_some()
    }

    /// Bytes that [`Self::append_copies`] adds at most.
    pub(crate) fn most_bytes(&self) -> u64 {
        let pairs = self.block[1].since(self.block[0]).into();
        if self.is_whole() { most_bytes(pairs) } else { pairs * most_bytes(1) }
    }

    /// Appends the copies that bring the frame's written pairs back, and nothing else.
    pub(crate) fn append_copies(&self, slot: SlotIndex, copies: &mut Vec<Copy>, words: &mut usize) {
        let [first, end] = self.block;
        if self.is_whole() {
            append_copy(slot, first, end, copies, words);
            return;
        }
        let bracket = self.written_bracket();
        let written =
            |pair| bracket == Some(pair) || self.runs.iter().any(|run| run.stamped == Stamped::At(pair));
        let mut pair = first;
        while pair < end {
            let next = pair.next();
            if written(pair) {
                append_copy(slot, pair, next, copies, words);
            }
            pair = next;
        }
    }

    /// Gives every stamp that waits for the GPU this reason.
    pub(crate) fn fail(&mut self, reason: &Reason, now: u64) {
        self.failed = Some(reason.clone());
        self.settle(now);
    }

    /// Fills in what came back. `words` is the whole batch, in which `copies`, from the frame's first one on, are.
    pub(crate) fn fill(
        &mut self,
        copies: &[Copy],
        words: &[Option<u64>],
        before: &Before,
        bits: ValidBits,
        now: u64,
    ) {
        let slot = self.slot.unwrap_or(0);
        let (first, mask) = (self.block[0].start(), bits.mask());
        let near = copies.iter().take(2).find_map(|copy| copy.word_of(slot, first));
        if let Some(word) = near.filter(|_| self.is_whole()) {
            let (words, before) = (&words[word..], &before[first as usize..]);
            self.read(|query| {
                let place = (query - first) as usize;
                judge(words[place], before[place], mask)
            });
        } else {
            self.read(|query| match copies.iter().find_map(|copy| copy.word_of(slot, query)) {
                Some(word) => judge(words[word], before[query as usize], mask),
                None => (0, Verdict::NotExecuted),
            });
        }
        self.settle(now);
    }

    fn read(&mut self, judged: impl Fn(u32) -> (u64, Verdict)) {
        let both = |pair: Pair| {
            let (start, end) = (judged(pair.start()), judged(pair.end()));
            ([start.0, end.0], [start.1, end.1])
        };
        for run in &mut self.runs {
            if let Stamped::At(pair) = run.stamped {
                let (words, verdicts) = both(pair);
                run.stamped = Stamped::Read(words, verdicts);
            }
        }
        if let Some(pair) = self.written_bracket() {
            let (words, verdicts) = both(pair);
            self.bracket_stamps = [verdicts[0].reading(words[0]), verdicts[1].reading(words[1])];
        }
    }

    const fn settle(&mut self, now: u64) {
        self.state = State::Settled;
        self.settled_at = now;
    }

    /// The frame as it is handed over; its rows are made in `rows`.
    pub(crate) fn delivered<'a>(&self, rows: &'a mut Vec<Stamp>) -> Delivered<'a> {
        let absent = self.failed.as_ref().unwrap_or(&self.absent);
        rows.clear();
        rows.extend(self.runs.iter().map(|run| {
            let (start, end) = match run.stamped {
                Stamped::Read(words, [start, end]) => (start.reading(words[0]), end.reading(words[1])),
                Stamped::At(_) => (Reading::Missing(absent.clone()), Reading::Missing(absent.clone())),
                Stamped::Not(refusal) => (refusal.reading(&self.absent), refusal.reading(&self.absent)),
            };
            Stamp {
                frame: self.frame,
                submission: run.submission,
                queue: run.queue,
                pass: run.pass,
                start,
                end,
            }
        }));
        Delivered {
            frame: self.frame,
            tag: self.tag,
            stamps: rows,
            bracket: match (&self.failed, self.written_bracket()) {
                (Some(reason), Some(_)) => {
                    [Reading::Missing(reason.clone()), Reading::Missing(reason.clone())]
                }
                (None, Some(_)) => self.bracket_stamps.clone(),
                (_, None) => [const { Reading::Missing(Reason::NotExecuted) }; 2],
            },
            readback_frames: self.settled_at - self.ordinal,
            unlisted: self.unlisted,
        }
    }
}

impl Verdict {
    #[inline]
    const fn reading(self, word: u64) -> Reading<Ticks> {
        match self {
            Self::Sound => Reading::Measured(Ticks(word)),
            Self::NotExecuted => Reading::Missing(Reason::NotExecuted),
            Self::NotAvailable => Reading::Missing(Reason::NotAvailable),
            Self::Zero => Reading::Missing(Reason::Zero),
            Self::Stale => Reading::Missing(Reason::Stale),
        }
    }
}

impl Refusal {
    /// The reading of a run that was refused so; `absent` is why its frame has no slot.
    fn reading(self, absent: &Reason) -> Reading<Ticks> {
        Reading::Missing(match self {
            Self::NoSlot => absent.clone(),
            Self::Exhausted => Reason::Exhausted,
            Self::NotExecuted => Reason::NotExecuted,
            Self::Unreliable => Reason::Unreliable,
            Self::Unsupported => Reason::Unsupported,
            Self::NotAvailable => Reason::NotAvailable,
        })
    }
}

/// What one word from a query is. `earlier` is what the same query held when it was last read; `mask` has the bits that
/// count.
#[inline]
fn judge(word: Option<u64>, earlier: u64, mask: u64) -> (u64, Verdict) {
    let verdict = match word {
        Some(word) if word & mask != 0 && word != earlier && word != u64::MAX => Verdict::Sound,
        // Vulkan: reset, and not written since.
        None => Verdict::NotExecuted,
        // Metal's MTLCounterErrorValue. No clock of fewer bits reads so, and one of 64 bits in 584 years.
        Some(u64::MAX) => Verdict::NotAvailable,
        Some(word) if word & mask == 0 => Verdict::Zero,
        // Only equality is a sign: a tick below the earlier one is a wrap, or a counter that was set back.
        Some(_) => Verdict::Stale,
    };
    (word.unwrap_or(0), verdict)
}
