//! How completed frames travel to the host: which go together, when, and what becomes of them on arrival.

use std::time::Duration;

use framecost_sample::Reason;

use crate::inflight::entry::{NEVER_READ, State};
use crate::inflight::pairs::WORD;
use crate::inflight::ring::{Ring, poll_all};
use crate::inflight::{Backend, BatchIndex, Copy, Progress, RingOptions, SlotIndex};

#[derive(Debug)]
pub(super) struct Batch<T> {
    /// Completes when the copy has arrived; none while the batch is free.
    pub(super) ticket: Option<T>,
    copies: Vec<Copy>,
    /// Its frames' ordinals, slots and first copies, in order.
    members: Vec<Member>,
    words: usize,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    ordinal: u64,
    slot: SlotIndex,
    first_copy: usize,
}

impl<T> Batch<T> {
    pub(super) fn new(options: &RingOptions) -> Self {
        let frames = options.batch.max(1) as usize;
        Self {
            ticket: None,
            copies: Vec::with_capacity(frames + usize::from(options.pairs)),
            members: Vec::with_capacity(frames),
            words: 0,
        }
    }
}

impl<B: Backend> Ring<B> {
    /// Reads the batches that have arrived and renews the spoiled slots that the GPU is done with.
    pub(super) fn harvest(&mut self) {
        for batch in 0..self.batches.len() {
            let Some(ticket) = &self.batches[batch].ticket else { continue };
            match self.backend.poll(ticket, Duration::ZERO) {
                Progress::Done => self.read(batch),
                Progress::Pending => {}
                Progress::Lost => return self.lose(),
            }
        }
        while self.slots.spoiled > 0 && !self.lost {
            let Self { slots, backend, .. } = self;
            let done = slots
                .to_renew()
                .find(|&slot| poll_all(backend, &slots.get(slot).tickets, Duration::ZERO) == Progress::Done);
            let Some(slot) = done else { return };
            self.backend.renew(slot);
            self.slots.renewed(slot);
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
        let mut at =
            members.first().map_or(0, |first| entries.partition_point(|entry| entry.ordinal < first.ordinal));
        for member in members {
            while entries.get(at).is_some_and(|entry| entry.ordinal < member.ordinal) {
                at += 1;
            }
            // A frame that was given up while it travelled is no longer there, or settled.
            if let Some(entry) = entries.get_mut(at)
                && entry.ordinal == member.ordinal
                && entry.state == State::Returning(batch)
            {
                let before = &slots.get(member.slot).before;
                entry.fill(&copies[member.first_copy..], words, before, options.valid_bits, counts.begun);
            }
        }
        // What was read tells what is stale next time, also of frames that nobody waited for.
        for copy in copies {
            let queries = copy.queries.start as usize..copy.queries.end as usize;
            let before = &mut slots.get_mut(copy.slot).before[queries];
            for (before, word) in before.iter_mut().zip(&words[copy.words()]) {
                *before = word.unwrap_or(NEVER_READ);
            }
        }
        for member in members {
            slots.read(member.slot);
        }
    }

    /// The batch is lost: its frames get the reason, its slots are to be made new.
    fn fail(&mut self, batch: BatchIndex, reason: &Reason) {
        let Self { batches, entries, slots, counts, .. } = self;
        for member in &batches[batch].members {
            if let Ok(at) = entries.binary_search_by_key(&member.ordinal, |entry| entry.ordinal)
                && entries[at].state == State::Returning(batch)
            {
                counts.map_failed += 1;
                entries[at].fail(reason, counts.begun);
            }
            slots.forgo(member.slot);
        }
    }

    /// Sends whole batches on their way; with `flush`, whatever has completed.
    pub(super) fn send(&mut self, flush: bool) {
        let most = self.options.batch.max(1) as usize;
        // Frames that may still run are left alone: asking after them costs more than it brings.
        let enough = if flush { 1 } else { most + self.options.frames_in_flight as usize };
        while !self.lost && self.in_flight >= enough {
            let Some(batch) = self.batches.iter().position(|batch| batch.ticket.is_none()) else { return };
            match self.completed(most.min(self.in_flight), flush) {
                None => self.lose(),
                Some(0) => return,
                Some(completed) => self.bring_back(batch, completed),
            }
        }
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

    /// Sends the oldest `count` frames in flight on their way to the host, or as many of them as the buffer holds.
    fn bring_back(&mut self, batch: BatchIndex, count: usize) {
        let Self { batches, entries, backend, words: room, in_flight, .. } = self;
        let room = room.len() as u64 * WORD;
        let Batch { ticket, copies, members, words } = &mut batches[batch];
        copies.clear();
        members.clear();
        *words = 0;
        for entry in entries.iter_mut().filter(|entry| entry.state == State::InFlight).take(count) {
            let Some(slot) = entry.slot else { continue };
            if *words as u64 * WORD + entry.most_bytes() > room {
                break;
            }
            let copies_before = copies.len();
            entry.append_copies(slot, copies, words);
            // Its pairs may have lengthened the last copy.
            let first_copy = copies_before.saturating_sub(1);
            members.push(Member { ordinal: entry.ordinal, slot, first_copy });
            entry.state = State::Returning(batch);
            *in_flight -= 1;
        }
        match backend.bring_back(batch, copies) {
            Ok(sent) => *ticket = Some(sent),
            Err(Reason::DeviceLost) => self.lose(),
            Err(reason) => self.fail(batch, &reason),
        }
    }
}
