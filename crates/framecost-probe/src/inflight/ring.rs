//! The ring itself: slots, batches, and the frames between them.

use std::collections::VecDeque;
use std::time::Duration;

use framecost_sample::{PassId, QueueId, Reason};

use crate::inflight::entry::{Before, Entry, State};
use crate::inflight::pairs::{ALIGNMENT, Pair, Pairs};
use crate::inflight::travel::Batch;
use crate::inflight::{Backend, Delivered, Progress, RingCounts, RingOptions, SlotIndex};

/// Frames in flight over one backend. See [`crate::inflight`] for what it promises.
#[derive(Debug)]
pub struct Ring<B: Backend> {
    pub(super) backend: B,
    pub(super) options: RingOptions,
    /// The frame being recorded.
    recording: Option<Entry<B::Ticket>>,
    /// Frames ended and not yet delivered, in the order in which they began.
    pub(super) entries: VecDeque<Entry<B::Ticket>>,
    spare: Vec<Entry<B::Ticket>>,
    pub(super) slots: Vec<Slot<B::Ticket>>,
    pub(super) batches: Vec<Batch<B::Ticket>>,
    /// What a batch brought, while its frames are filled in.
    pub(super) words: Vec<Option<u64>>,
    pub(super) counts: RingCounts,
    /// Calls of [`Ring::collect`] since a frame began.
    idle_collects: u32,
    pub(super) lost: bool,
}

#[derive(Debug)]
pub(super) struct Slot<T> {
    pub(super) pairs: Pairs,
    pub(super) before: Before,
    pub(super) hold: Hold,
    /// What must complete before a given-up slot is used again.
    pub(super) tickets: Vec<Option<T>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hold {
    Free,
    /// By a frame, or by the batch that it travels in.
    Held,
    /// By the GPU alone: the frame was given up.
    GivenUp,
}

impl<B: Backend> Ring<B> {
    /// A ring over a backend that has no slots yet.
    pub fn new(mut backend: B, options: RingOptions) -> Self {
        let pairs = Pairs::new(options.pairs);
        let entries = Self::most_entries(&options);
        let mut ring = Self {
            recording: None,
            entries: VecDeque::with_capacity(entries),
            spare: (0..entries).map(|_| Entry::new(options.pairs, options.queues)).collect(),
            slots: Vec::with_capacity(options.most_slots as usize),
            batches: (0..RingOptions::BATCHES).map(|_| Batch::new(&options)).collect(),
            words: vec![None; (Self::batch_bytes(&options) / size_of::<u64>() as u64) as usize],
            counts: RingCounts::default(),
            idle_collects: 0,
            lost: false,
            options,
            backend: {
                for _ in 0..options.first_slots() {
                    backend.add_slot();
                }
                backend
            },
        };
        for _ in 0..options.first_slots() {
            ring.slots.push(Slot::new(pairs, options.queues));
        }
        ring
    }

    /// Bytes that a batch's buffer must hold.
    #[must_use]
    pub fn batch_bytes(options: &RingOptions) -> u64 {
        (u64::from(options.batch.max(1)) * Pairs::new(options.pairs).most_bytes()).next_multiple_of(ALIGNMENT)
    }

    /// Queries that a slot must hold.
    #[must_use]
    pub fn slot_queries(options: &RingOptions) -> u32 {
        Pairs::new(options.pairs).queries()
    }

    /// Frames that may wait for delivery. Patience settles the oldest before they are all taken, if somebody collects.
    const fn most_entries(options: &RingOptions) -> usize {
        (options.patience + options.batch + 8) as usize
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
        entry.renew(frame, tag, self.counts.begun, slot);
        self.recording = Some(entry);
    }

    fn take_slot(&mut self) -> Result<SlotIndex, Reason> {
        if self.lost {
            return Err(Reason::DeviceLost);
        }
        let free = self.slots.iter().position(|slot| slot.hold == Hold::Free);
        let slot = match free {
            Some(slot) => slot,
            None if self.slots.len() < self.options.most_slots as usize => {
                self.backend.add_slot();
                self.slots.push(Slot::new(Pairs::new(self.options.pairs), self.options.queues));
                self.slots.len() - 1
            }
            None => return Err(Reason::Dropped),
        };
        self.slots[slot].hold = Hold::Held;
        self.slots[slot].pairs.take_back();
        Ok(slot)
    }

    /// The slot of the frame being recorded; none where it goes unstamped.
    pub fn recording_slot(&self) -> Option<SlotIndex> {
        self.recording.as_ref()?.slot
    }

    /// Queries for a run of a pass in the frame being recorded. None where it goes unstamped; its row says why.
    pub fn hand_out(&mut self, pass: PassId, submission: u32, queue: QueueId) -> Option<(SlotIndex, Pair)> {
        let entry = self.recording.as_mut()?;
        let pair = match entry.slot {
            None => Err(entry.absent().unwrap_or(Reason::Dropped)),
            Some(slot) => match self.slots[slot].pairs.hand_out() {
                Some(pair) => Ok((slot, pair)),
                None => {
                    self.counts.exhausted += 1;
                    Err(Reason::Exhausted)
                }
            },
        };
        entry.note(pass, submission, queue, pair.clone().map(|(_, pair)| pair));
        pair.ok()
    }

    /// Notes a run of a pass that goes unstamped for this reason.
    pub fn refuse(&mut self, pass: PassId, submission: u32, queue: QueueId, reason: Reason) {
        if let Some(entry) = &mut self.recording {
            let reason = entry.absent().unwrap_or(reason);
            entry.note(pass, submission, queue, Err(reason));
        }
    }

    /// The slot whose bracket's start the frame's first submission is to write; none where it is written already.
    pub fn bracket_start(&mut self, submission: u32) -> Option<SlotIndex> {
        let entry = self.recording.as_mut()?;
        let slot = entry.slot?;
        if entry.has_bracket_start() {
            return None;
        }
        entry.bracket(0, submission);
        Some(slot)
    }

    /// The slot whose bracket's end this submission is to write, over what an earlier one wrote.
    pub fn bracket_end(&mut self, submission: u32) -> Option<SlotIndex> {
        let entry = self.recording.as_mut()?;
        let slot = entry.slot?;
        entry.bracket(1, submission);
        Some(slot)
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
        if self.lost {
            self.counts.device_lost += u64::from(entry.slot.is_some());
            entry.fail(&Reason::DeviceLost, self.counts.begun);
        } else if !entry.awaits() {
            if let Some(slot) = entry.slot {
                self.slots[slot].hold = Hold::Free;
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
        let pressed = self.slots.len() >= self.options.most_slots as usize
            && !self.slots.iter().any(|slot| slot.hold == Hold::Free);
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
        let entry = &mut self.entries[at];
        match entry.state {
            State::Settled => return,
            // The batch frees the slot when it arrives.
            State::Returning(_) => {}
            State::InFlight => {
                if let Some(slot) = entry.slot.map(|slot| &mut self.slots[slot]) {
                    slot.hold = Hold::GivenUp;
                    std::mem::swap(&mut slot.tickets, &mut entry.tickets);
                }
            }
        }
        self.counts.given_up += 1;
        entry.fail(&Reason::NotAvailable, self.counts.begun);
    }

    pub(super) fn renew(&mut self, slot: SlotIndex) {
        self.backend.renew(slot);
        let slot = &mut self.slots[slot];
        slot.before.fill(None);
        slot.hold = Hold::Free;
    }

    pub(super) fn lose(&mut self) {
        self.lost = true;
        for entry in self.entries.iter_mut().filter(|entry| entry.state != State::Settled) {
            self.counts.device_lost += 1;
            entry.fail(&Reason::DeviceLost, self.counts.begun);
        }
    }

    fn deliver(&mut self, sink: &mut dyn FnMut(Delivered<'_>)) {
        while self.entries.front().is_some_and(|entry| entry.state == State::Settled) {
            if let Some(entry) = self.entries.pop_front() {
                self.counts.delivered += 1;
                sink(entry.delivered());
                self.spare.push(entry);
            }
        }
    }
}

impl<T> Slot<T> {
    fn new(pairs: Pairs, queues: u8) -> Self {
        Self {
            pairs,
            before: vec![None; pairs.queries() as usize],
            hold: Hold::Free,
            tickets: (0..queues).map(|_| None).collect(),
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
