//! How completed frames travel to the host: which go together, when, and what becomes of them on arrival.

use std::time::Duration;

use framecost_sample::Reason;

use crate::inflight::entry::State;
use crate::inflight::pairs::append_copies;
use crate::inflight::ring::{Hold, Ring, poll_all};
use crate::inflight::{Backend, BatchIndex, Copy, Progress, RingOptions, SlotIndex};

#[derive(Debug)]
pub(super) struct Batch<T> {
    /// Completes when the copy has arrived; none while the batch is free.
    pub(super) ticket: Option<T>,
    copies: Vec<Copy>,
    /// Its frames' ordinals and slots.
    members: Vec<(u64, SlotIndex)>,
    words: usize,
}

impl<T> Batch<T> {
    pub(super) fn new(options: &RingOptions) -> Self {
        let frames = options.batch.max(1) as usize;
        Self {
            ticket: None,
            copies: Vec::with_capacity(frames * usize::from(options.pairs / 2 + 1)),
            members: Vec::with_capacity(frames),
            words: 0,
        }
    }
}

impl<B: Backend> Ring<B> {
    /// Reads the batches that have arrived and frees the given-up slots that the GPU is done with.
    pub(super) fn harvest(&mut self) {
        for batch in 0..self.batches.len() {
            let Some(ticket) = &self.batches[batch].ticket else { continue };
            match self.backend.poll(ticket, Duration::ZERO) {
                Progress::Done => self.read(batch),
                Progress::Pending => {}
                Progress::Lost => return self.lose(),
            }
        }
        for slot in 0..self.slots.len() {
            if self.slots[slot].hold != Hold::GivenUp {
                continue;
            }
            match poll_all(&mut self.backend, &self.slots[slot].tickets, Duration::ZERO) {
                Progress::Done => self.renew(slot),
                Progress::Pending => {}
                Progress::Lost => return self.lose(),
            }
        }
    }

    fn read(&mut self, batch: BatchIndex) {
        let Batch { copies, words, .. } = &self.batches[batch];
        let words = &mut self.words[..*words];
        words.fill(None);
        let read = self.backend.read(batch, copies, words);
        self.batches[batch].ticket = None;
        match read {
            Ok(()) => self.fill(batch),
            Err(Reason::DeviceLost) => self.lose(),
            Err(reason) => self.fail(batch, &reason),
        }
    }

    fn fill(&mut self, batch: BatchIndex) {
        let Self { batches, entries, slots, words, options, counts, .. } = self;
        let Batch { copies, members, .. } = &batches[batch];
        let mut rest = &copies[..];
        for &(ordinal, slot) in members {
            let (copies, others) = rest.split_at(rest.iter().take_while(|copy| copy.slot == slot).count());
            rest = others;
            let before = &mut slots[slot].before;
            // A frame that was given up while it travelled is no longer there; its words still tell what is stale.
            if let Ok(at) = entries.binary_search_by_key(&ordinal, |entry| entry.ordinal)
                && entries[at].state == State::Returning(batch)
            {
                entries[at].fill(copies, words, before, options.valid_bits, counts.begun);
            }
            for copy in copies {
                for (query, word) in copy.queries.clone().zip(&words[copy.words()]) {
                    before[query as usize] = *word;
                }
            }
            slots[slot].hold = Hold::Free;
        }
    }

    /// The batch is lost: its frames get the reason, its slots are made new.
    fn fail(&mut self, batch: BatchIndex, reason: &Reason) {
        for member in 0..self.batches[batch].members.len() {
            let (ordinal, slot) = self.batches[batch].members[member];
            if let Ok(at) = self.entries.binary_search_by_key(&ordinal, |entry| entry.ordinal)
                && self.entries[at].state == State::Returning(batch)
            {
                self.counts.map_failed += 1;
                self.entries[at].fail(reason, self.counts.begun);
            }
            self.renew(slot);
        }
    }

    /// Sends whole batches on their way; with `flush`, whatever has completed.
    pub(super) fn send(&mut self, flush: bool) {
        while !self.lost {
            let Some(batch) = self.batches.iter().position(|batch| batch.ticket.is_none()) else { return };
            let most = self.options.batch.max(1) as usize;
            let waiting = self.in_flight().count();
            // Frames that may still run are left alone: asking after them costs more than it brings.
            if waiting == 0 || (!flush && waiting < most + self.options.frames_in_flight as usize) {
                return;
            }
            let completed = match self.completed(most.min(waiting), flush) {
                Some(completed) => completed,
                None => return self.lose(),
            };
            if completed == 0 {
                return;
            }
            self.bring_back(batch, completed);
        }
    }

    fn in_flight(&self) -> impl Iterator<Item = usize> {
        let entries = self.entries.iter().enumerate();
        entries.filter(|(_, entry)| entry.state == State::InFlight).map(|(at, _)| at)
    }

    /// How many of the oldest `count` frames in flight have completed, all or nothing unless `partly`. None: device lost.
    fn completed(&mut self, count: usize, partly: bool) -> Option<usize> {
        let Self { backend, entries, .. } = self;
        let mut in_flight = entries.iter().filter(|entry| entry.state == State::InFlight).take(count);
        if B::ORDERED && !partly {
            return match poll_all(backend, &in_flight.last()?.tickets, Duration::ZERO) {
                Progress::Done => Some(count),
                Progress::Pending => Some(0),
                Progress::Lost => None,
            };
        }
        let mut completed = 0;
        for entry in in_flight.by_ref() {
            match poll_all(backend, &entry.tickets, Duration::ZERO) {
                Progress::Done => completed += 1,
                Progress::Pending => break,
                Progress::Lost => return None,
            }
        }
        Some(if partly || completed == count { completed } else { 0 })
    }

    /// Sends the oldest `count` frames in flight on their way to the host.
    fn bring_back(&mut self, batch: BatchIndex, count: usize) {
        let Self { batches, entries, slots, backend, .. } = self;
        let Batch { ticket, copies, members, words } = &mut batches[batch];
        copies.clear();
        members.clear();
        *words = 0;
        for entry in entries.iter_mut().filter(|entry| entry.state == State::InFlight).take(count) {
            entry.state = State::Returning(batch);
            let Some(slot) = entry.slot else { continue };
            append_copies(slot, entry.written(slots[slot].pairs.handed_out()), copies, words);
            members.push((entry.ordinal, slot));
        }
        match backend.bring_back(batch, copies) {
            Ok(sent) => *ticket = Some(sent),
            Err(Reason::DeviceLost) => self.lose(),
            Err(reason) => self.fail(batch, &reason),
        }
    }
}
