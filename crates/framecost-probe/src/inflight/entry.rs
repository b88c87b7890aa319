//! One frame's record on its way through the ring. In: runs of passes, then words from the GPU. Out: rows of stamps.

use framecost_sample::{PassId, QueueId, Reading, Reason, Stamp, Ticks, ValidBits};

use crate::inflight::pairs::Pair;
use crate::inflight::{BatchIndex, Copy, Delivered, SlotIndex};

/// A frame that was begun and not yet delivered. Its lists are allocated once and go round with it.
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
    /// The ordinal of the latest frame when this one's stamps were settled.
    pub(crate) settled_at: u64,
    /// Why the frame has no slot, where it has none.
    absent: Reason,
    stamps: Vec<Stamp>,
    /// Beside each row, where its stamps are written; none where they are not.
    pairs: Vec<Option<Pair>>,
    bracket: [Reading<Ticks>; 2],
    /// The submissions that wrote the bracket's two stamps.
    bracket_in: [Option<u32>; 2],
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

/// What was read from a slot's queries in its earlier use: a query that still holds it was not written since.
pub(crate) type Before = Vec<Option<u64>>;

impl<T> Entry<T> {
    /// An entry with room for `pairs` stamped rows and as many unstamped ones.
    pub(crate) fn new(pairs: u16, queues: u8) -> Self {
        let rows = 2 * usize::from(pairs);
        Self {
            frame: 0,
            tag: 0,
            ordinal: 0,
            slot: None,
            state: State::Settled,
            tickets: (0..queues).map(|_| None).collect(),
            settled_at: 0,
            absent: Reason::Dropped,
            stamps: Vec::with_capacity(rows),
            pairs: Vec::with_capacity(rows),
            bracket: [const { Reading::Missing(Reason::NotExecuted) }; 2],
            bracket_in: [None; 2],
            unlisted: 0,
        }
    }

    /// Makes the entry that of another frame, which has a slot, or a reason why not.
    pub(crate) fn renew(&mut self, frame: u64, tag: u8, ordinal: u64, slot: Result<SlotIndex, Reason>) {
        self.frame = frame;
        self.tag = tag;
        self.ordinal = ordinal;
        self.state = State::InFlight;
        self.settled_at = ordinal;
        self.tickets.iter_mut().for_each(|ticket| *ticket = None);
        self.stamps.clear();
        self.pairs.clear();
        self.bracket = [const { Reading::Missing(Reason::NotExecuted) }; 2];
        self.bracket_in = [None; 2];
        self.unlisted = 0;
        match slot {
            Ok(slot) => self.slot = Some(slot),
            Err(reason) => (self.slot, self.absent) = (None, reason),
        }
    }

    /// Why the frame has no slot.
    pub(crate) fn absent(&self) -> Option<Reason> {
        self.slot.is_none().then(|| self.absent.clone())
    }

    /// Notes a run of a pass, with its pair or the reason why it has none. Rows stay sorted by submission.
    pub(crate) fn note(&mut self, pass: PassId, submission: u32, queue: QueueId, pair: Result<Pair, Reason>) {
        if self.stamps.len() == self.stamps.capacity() {
            self.unlisted += 1;
            return;
        }
        // A reading whose pair stands beside it is replaced when the frame settles.
        let missing = pair.as_ref().err().cloned().unwrap_or(Reason::NotAvailable);
        let (start, end) = (Reading::Missing(missing.clone()), Reading::Missing(missing));
        let stamp = Stamp { frame: self.frame, submission, queue, pass, start, end };
        let place = self.stamps.iter().rposition(|row| row.submission <= submission).map_or(0, |row| row + 1);
        self.stamps.insert(place, stamp);
        self.pairs.insert(place, pair.ok());
    }

    /// That submission writes the bracket's stamp at this end: 0 its start, 1 its end.
    pub(crate) fn bracket(&mut self, end: usize, submission: u32) {
        self.bracket_in[end] = Some(submission);
    }

    pub(crate) const fn has_bracket_start(&self) -> bool {
        self.bracket_in[0].is_some()
    }

    /// The submission was not made: what it was to write is never written.
    pub(crate) fn abandon(&mut self, submission: u32) {
        for (row, pair) in self.stamps.iter_mut().zip(&mut self.pairs) {
            if row.submission == submission && pair.take().is_some() {
                (row.start, row.end) =
                    (Reading::Missing(Reason::NotExecuted), Reading::Missing(Reason::NotExecuted));
            }
        }
        self.abandon_bracket(submission);
    }

    pub(crate) fn abandon_bracket(&mut self, submission: u32) {
        for end in &mut self.bracket_in {
            if *end == Some(submission) {
                *end = None;
            }
        }
    }

    /// Whether a stamp of the frame was handed to the GPU.
    pub(crate) fn awaits(&self) -> bool {
        self.tickets.iter().any(Option::is_some)
            && (self.has_bracket() || self.pairs.iter().any(Option::is_some))
    }

    /// Its written pairs, ascending.
    pub(crate) fn written(&self, handed_out: impl Iterator<Item = Pair>) -> impl Iterator<Item = Pair> {
        let bracket = self.has_bracket().then_some(Pair::BRACKET);
        // Rows nearly always stand in the order in which pairs were handed out.
        let noted = |(row, pair): &(usize, Pair)| {
            self.pairs.get(*row) == Some(&Some(*pair)) || self.pairs.contains(&Some(*pair))
        };
        bracket.into_iter().chain(handed_out.enumerate().filter(noted).map(|(_, pair)| pair))
    }

    fn has_bracket(&self) -> bool {
        self.bracket_in.iter().all(Option::is_some)
    }

    /// Gives every stamp that waits for the GPU this reason.
    pub(crate) fn fail(&mut self, reason: &Reason, now: u64) {
        for (row, pair) in self.stamps.iter_mut().zip(&self.pairs) {
            if pair.is_some() {
                (row.start, row.end) = (Reading::Missing(reason.clone()), Reading::Missing(reason.clone()));
            }
        }
        if self.has_bracket() {
            self.bracket = [const { Reading::Missing(Reason::NotAvailable) }; 2]
                .map(|_: Reading<Ticks>| Reading::Missing(reason.clone()));
        }
        self.settle(now);
    }

    /// Fills in what came back. `words` is the whole batch, in which `copies` are this frame's.
    pub(crate) fn fill(
        &mut self,
        copies: &[Copy],
        words: &[Option<u64>],
        before: &Before,
        bits: ValidBits,
        now: u64,
    ) {
        let read = |query: u32| {
            let copy = copies.iter().find(|copy| copy.queries.contains(&query))?;
            let word = words.get(copy.first_word() + (query - copy.queries.start) as usize)?;
            let earlier = before.get(query as usize).copied().flatten();
            Some(judge(*word, earlier, bits))
        };
        let reading = |query| read(query).unwrap_or(Reading::Missing(Reason::NotExecuted));
        for (row, pair) in self.stamps.iter_mut().zip(&self.pairs) {
            if let Some(pair) = pair {
                (row.start, row.end) = (reading(pair.start()), reading(pair.end()));
            }
        }
        if self.has_bracket() {
            self.bracket = [reading(Pair::BRACKET.start()), reading(Pair::BRACKET.end())];
        }
        self.settle(now);
    }

    pub(crate) fn settle(&mut self, now: u64) {
        self.state = State::Settled;
        self.settled_at = now;
    }

    pub(crate) fn delivered(&self) -> Delivered<'_> {
        Delivered {
            frame: self.frame,
            tag: self.tag,
            stamps: &self.stamps,
            bracket: self.bracket.clone(),
            readback_frames: self.settled_at - self.ordinal,
            unlisted: self.unlisted,
        }
    }
}

/// What one word from a query is. `earlier` is what the same query held when it was last read.
fn judge(word: Option<u64>, earlier: Option<u64>, bits: ValidBits) -> Reading<Ticks> {
    match word {
        // Vulkan: reset, and not written since.
        None => Reading::Missing(Reason::NotExecuted),
        // Metal's MTLCounterErrorValue. No clock of fewer bits reads so, and one of 64 bits in 584 years.
        Some(u64::MAX) => Reading::Missing(Reason::NotAvailable),
        Some(word) if word & bits.mask() == 0 => Reading::Missing(Reason::Zero),
        // Only equality is a sign: a tick below the earlier one is a wrap, or a counter that was set back.
        Some(word) if earlier == Some(word) => Reading::Missing(Reason::Stale),
        Some(word) => Reading::Measured(Ticks(word)),
    }
}
