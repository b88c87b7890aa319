//! The ring itself: frames from their beginning to their delivery.

use std::collections::VecDeque;
use std::ops::Range;
use std::time::Duration;

use framecost_sample::{PassId, QueueId, Reason, Stamp};

use crate::inflight::entry::{Entry, State};
use crate::inflight::pairs::{ALIGNMENT, Pair, most_bytes};
use crate::inflight::slots::Slots;
use crate::inflight::travel::Batch;
use crate::inflight::{Backend, Delivered, Progress, Refusal, RingCounts, RingOptions, SlotIndex};

/// Frames in flight over one backend. See [`crate::inflight`] for what it promises.
#[derive(Debug)]
pub struct Ring<B: Backend> {
    pub(super) backend: B,
    pub(super) options: RingOptions,
    /// The frame being recorded.
    recording: Option<Entry<B::Ticket>>,
    /// Frames ended and not yet delivered, in the order in which they began.
    pub(super) entries: VecDeque<Entry<B::Ticket>>,
    /// How many of them are in flight.
    pub(super) in_flight: usize,
    spare: Vec<Entry<B::Ticket>>,
    pub(super) slots: Slots<B::Ticket>,
    pub(super) batches: Vec<Batch<B::Ticket>>,
    /// What a batch brought, while its frames are filled in.
    pub(super) words: Vec<Option<u64>>,
    /// The rows of the frame being delivered.
    rows: Vec<Stamp>,
    pub(super) counts: RingCounts,
    /// Calls of [`Ring::collect`] since a frame began.
    idle_collects: u32,
    pub(super) lost: bool,
}

impl<B: Backend> Ring<B> {
    /// A ring over a backend that has no slots yet.
    pub fn new(mut backend: B, options: RingOptions) -> Self {
        // Patience settles the oldest before they are all taken, if somebody collects.
        let entries = (options.patience + options.batch + 8) as usize;
        let slots = Slots::new(&options);
        for _ in 0..slots.len() {
            backend.add_slot();
        }
        Self {
            backend,
            recording: None,
            entries: VecDeque::with_capacity(entries),
            in_flight: 0,
            spare: (0..entries).map(|_| Entry::new(options.queues)).collect(),
            slots,
            batches: (0..RingOptions::BATCHES).map(|_| Batch::new(&options)).collect(),
            words: vec![None; (options.batch_bytes() / size_of::<u64>() as u64) as usize],
            rows: Vec::new(),
            counts: RingCounts::default(),
            idle_collects: 0,
            lost: false,
            options,
        }
    }

    /// The backend.
    pub const fn backend(&self) -> &B {
        &self.backend
    }

    /// The backend, for what is not the ring's.
    pub const fn backend_mut(&mut self) -> &mut B {
        &mut self.backend
    }

    /// The backend, with nothing more asked of it.
    pub fn into_backend(self) -> B {
        self.backend
    }

    /// What the ring has seen.
    #[must_use]
    pub fn counts(&self) -> RingCounts {
        RingCounts { slots: self.slots.len() as u64, ..self.counts }
    }

    /// Frames begun and not yet delivered.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.entries.len() + usize::from(self.recording.is_some())
    }

    /// Starts a frame. `tag` comes back with it. A frame that still records is ended first.
    pub fn begin(&mut self, frame: u64, tag: u8) {
        self.end();
        self.idle_collects = 0;
        self.counts.begun += 1;
        let Some(mut entry) = self.spare.pop() else {
            self.counts.unreported += 1;
            return;
        };
        let slot = self.take_slot();
        match &slot {
            Err(Reason::Dropped) => self.counts.dropped += 1,
            Err(_) => self.counts.device_lost += 1,
            Ok(_) => {}
        }
        entry.renew(frame, tag, self.counts.begun, slot, self.options.pairs);
        self.recording = Some(entry);
    }

    fn take_slot(&mut self) -> Result<(SlotIndex, Pair), Reason> {
        if self.lost {
            return Err(Reason::DeviceLost);
        }
        if self.slots.is_full() && !self.slots.is_at_its_bound() {
            self.backend.add_slot();
            self.slots.add();
        }
        let slot = self.slots.take().ok_or(Reason::Dropped)?;
        Ok((slot, self.slots.upcoming(slot)))
    }

    /// The slot of the frame being recorded, and the queries there that are or may be handed out to it. None where the
    /// frame goes unstamped.
    pub fn recording_block(&self) -> Option<(SlotIndex, Range<u32>)> {
        let entry = self.recording.as_ref()?;
        let first = entry.block[0].start();
        Some((entry.slot?, first..first + 2 * self.options.frame_pairs()))
    }

    /// Queries for a run of a pass in the frame being recorded. None where it goes unstamped; its row says why.
    #[inline]
    pub fn hand_out(&mut self, pass: PassId, submission: u32, queue: QueueId) -> Option<(SlotIndex, Pair)> {
        let entry = self.recording.as_mut()?;
        match entry.hand_out(pass, submission, queue, self.options.most_rows()) {
            Ok(pair) => Some((entry.slot?, pair)),
            Err(refusal) => {
                self.counts.exhausted += u64::from(refusal == Refusal::Exhausted);
                None
            }
        }
    }

    /// Notes a run of a pass that goes unstamped for this reason.
    pub fn refuse(&mut self, pass: PassId, submission: u32, queue: QueueId, refusal: Refusal) {
        if let Some(entry) = &mut self.recording {
            let refusal = if entry.slot.is_some() { refusal } else { Refusal::NoSlot };
            entry.note(pass, submission, queue, Err(refusal), self.options.most_rows());
        }
    }

    /// Where the frame's first submission is to write the start of the frame's bracket; none where it is written already.
    /// Asked for before any pass, the bracket heads the frame's block.
    pub fn bracket_start(&mut self, submission: u32) -> Option<(SlotIndex, Pair)> {
        let entry = self.recording.as_mut()?;
        let slot = entry.slot?;
        let bracket = entry.bracket();
        if bracket.start_in.is_some() {
            return None;
        }
        bracket.start_in = Some(submission);
        Some((slot, bracket.pair))
    }

    /// Where this submission is to write the end of the frame's bracket, over what an earlier one wrote.
    pub fn bracket_end(&mut self, submission: u32) -> Option<(SlotIndex, Pair)> {
        let entry = self.recording.as_mut()?;
        let slot = entry.slot?;
        let bracket = entry.bracket();
        bracket.end_in = Some(submission);
        Some((slot, bracket.pair))
    }

    /// Notes that a submission went to its queue.
    pub fn submitted(&mut self, queue: QueueId, ticket: B::Ticket) {
        if let Some(entry) = &mut self.recording
            && let Some(last) = entry.tickets.get_mut(usize::from(queue.0))
        {
            *last = Some(ticket);
        }
    }

    /// Notes that a submission was not made after all.
    pub fn abandon(&mut self, submission: u32) {
        if let Some(entry) = &mut self.recording {
            entry.abandon(submission);
        }
    }

    /// Notes that a submission writes no stamp of the bracket after all.
    pub fn abandon_bracket(&mut self, submission: u32) {
        if let Some(entry) = &mut self.recording {
            entry.abandon_bracket(submission);
        }
    }

    /// Ends the frame being recorded, if there is one.
    pub fn end(&mut self) {
        let Some(mut entry) = self.recording.take() else { return };
        if let Some(slot) = entry.slot {
            self.slots.advance(slot, entry.block[1]);
        }
        if self.lost {
            self.counts.device_lost += u64::from(entry.slot.is_some());
            entry.fail(&Reason::DeviceLost, self.counts.begun);
        } else if entry.awaits() {
            self.in_flight += 1;
        } else {
            if let Some(slot) = entry.slot {
                self.slots.read(slot);
            }
            entry.fail(&Reason::NotExecuted, self.counts.begun);
        }
        self.entries.push_back(entry);
    }

    /// Hands over every frame whose stamps are settled, in order. Never waits.
    ///
    /// Called once a frame it lets whole batches travel; called again with no frame begun between, whatever has completed.
    pub fn collect(&mut self, sink: &mut dyn FnMut(Delivered<'_>)) {
        self.idle_collects = self.idle_collects.saturating_add(1);
        self.harvest();
        let pressed = self.slots.is_at_its_bound() && self.slots.is_full();
        self.send(pressed || self.idle_collects > 1);
        self.lose_patience();
        self.deliver(sink);
    }

    /// Waits for what is in flight, up to `deadline`, and hands it over in order. What is not back by then is missing as
    /// not available, and its slots stay closed until the GPU is done with them.
    pub fn finish(&mut self, deadline: Duration, sink: &mut dyn FnMut(Delivered<'_>)) {
        self.end();
        let end = self.backend.now().saturating_add(deadline);
        loop {
            self.harvest();
            self.send(true);
            self.deliver(sink);
            let left = end.saturating_sub(self.backend.now());
            if self.entries.is_empty() || left.is_zero() || !self.wait(left) {
                break;
            }
        }
        self.harvest();
        for at in 0..self.entries.len() {
            self.give_up(at);
        }
        self.deliver(sink);
    }

    /// Waits for what the oldest frame lacks. False if that did not come in time.
    fn wait(&mut self, left: Duration) -> bool {
        let Self { backend, entries, batches, .. } = self;
        let mut progress = Progress::Done;
        if let Some(entry) = entries.iter().find(|entry| entry.state != State::Settled) {
            if entry.state == State::InFlight {
                progress = poll_all(backend, &entry.tickets, left);
            }
            // It travels, or it would if every batch were not on its way with frames that were given up.
            let lacks = match entry.state {
                State::Returning(batch) => Some(batch),
                _ => batches.iter().all(|batch| batch.ticket.is_some()).then_some(0),
            };
            if progress == Progress::Done
                && let Some(ticket) = lacks.and_then(|batch| batches[batch].ticket.as_ref())
            {
                progress = backend.poll(ticket, left);
            }
        }
        if progress == Progress::Lost {
            self.lose();
        }
        progress != Progress::Pending
    }

    fn lose_patience(&mut self) {
        for at in 0..self.entries.len() {
            let entry = &self.entries[at];
            if self.counts.begun - entry.ordinal <= u64::from(self.options.patience) {
                return;
            }
            self.give_up(at);
        }
    }

    fn give_up(&mut self, at: usize) {
        let Self { entries, slots, counts, in_flight, .. } = self;
        let entry = &mut entries[at];
        match entry.state {
            State::Settled => return,
            // The batch frees the slot when it arrives.
            State::Returning(_) => {}
            State::InFlight => {
                *in_flight -= 1;
                if let Some(slot) = entry.slot {
                    for (last, ticket) in slots.get_mut(slot).tickets.iter_mut().zip(&mut entry.tickets) {
                        if ticket.is_some() {
                            *last = ticket.take();
                        }
                    }
                    slots.forgo(slot);
                }
            }
        }
        counts.given_up += 1;
        entry.fail(&Reason::NotAvailable, counts.begun);
    }

    pub(super) fn lose(&mut self) {
        self.lost = true;
        self.in_flight = 0;
        for entry in self.entries.iter_mut().filter(|entry| entry.state != State::Settled) {
            self.counts.device_lost += 1;
            entry.fail(&Reason::DeviceLost, self.counts.begun);
        }
    }

    fn deliver(&mut self, sink: &mut dyn FnMut(Delivered<'_>)) {
        while self.entries.front().is_some_and(|entry| entry.state == State::Settled) {
            if let Some(entry) = self.entries.pop_front() {
                self.counts.delivered += 1;
                sink(entry.delivered(&mut self.rows));
                self.spare.push(entry);
            }
        }
    }
}

/// How far a frame's submissions are, over all queues.
pub(super) fn poll_all<B: Backend>(
    backend: &mut B,
    tickets: &[Option<B::Ticket>],
    wait: Duration,
) -> Progress {
    // The clock is read only where something may wait: asking is done each frame.
    let end = if wait.is_zero() { wait } else { backend.now().saturating_add(wait) };
    for ticket in tickets.iter().flatten() {
        let left = if wait.is_zero() { wait } else { end.saturating_sub(backend.now()) };
        match backend.poll(ticket, left) {
            Progress::Done => {}
            other => return other,
        }
    }
    Progress::Done
}

impl RingOptions {
    /// Slots at the start: one batch on its way, one gathering, and the frames in flight.
    #[must_use]
    pub fn first_slots(&self) -> u32 {
        self.slots_for(2 * self.batch + self.frames_in_flight + 1).min(self.most_slots())
    }

    /// Slots at most.
    #[must_use]
    pub fn most_slots(&self) -> u32 {
        self.slots_for(self.most_frames)
    }

    /// Queries that a slot must hold.
    #[must_use]
    pub fn slot_queries(&self) -> u32 {
        2 * u32::from(self.slot_pairs())
    }

    /// Bytes that a batch's buffer must hold: whole frames in one stretch each, or any frame in pieces.
    #[must_use]
    pub fn batch_bytes(&self) -> u64 {
        let pairs = u64::from(self.frame_pairs());
        let together = u64::from(self.batch.max(1)) * most_bytes(pairs);
        together.max(pairs * most_bytes(1)).next_multiple_of(ALIGNMENT)
    }

    /// Pairs of a frame with its bracket.
    pub(super) fn frame_pairs(&self) -> u32 {
        u32::from(self.pairs) + 1
    }

    pub(super) fn slot_pairs(&self) -> u16 {
        let pairs = self.frame_pairs() * u32::from(self.frames_per_slot.max(1));
        u16::try_from(pairs).unwrap_or(u16::MAX)
    }

    /// Rows of a frame: as many unstamped ones as stamped ones.
    pub(super) fn most_rows(&self) -> usize {
        2 * usize::from(self.pairs)
    }

    fn slots_for(&self, frames: u32) -> u32 {
        frames.div_ceil(self.frames_per_slot.max(1).into()).max(1) + 1
    }
}
