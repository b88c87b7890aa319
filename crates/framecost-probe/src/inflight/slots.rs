//! The ring's slots: query sets, each shared by a few frames in a row. In: frames that begin and are read.
//! Out: a slot for each, or none while all are in use.

use crate::inflight::entry::{Before, NEVER_READ};
use crate::inflight::pairs::Pair;
use crate::inflight::{RingOptions, SlotIndex};

/// All slots. A slot goes round: free, open for frames, closed, and free again when nothing of it is unread.
#[derive(Debug)]
pub(super) struct Slots<T> {
    all: Vec<Slot<T>>,
    frames_per_slot: u16,
    queries: usize,
    queues: u8,
    most: usize,
    /// The slot that the next frame goes to, while it has room.
    open: Option<SlotIndex>,
    /// How many slots must be renewed before they are free.
    pub(super) spoiled: usize,
}

#[derive(Debug)]
pub(super) struct Slot<T> {
    /// The first pair that no frame has taken.
    next: Pair,
    /// What was last read from each query.
    pub(super) before: Before,
    /// Frames begun since the slot was free.
    frames: u16,
    /// Those of them whose stamps were neither read nor forgone.
    unread: u16,
    /// Something was written that nobody read: until the queries are renewed, it could pass for a later frame's.
    spoiled: bool,
    /// What must complete before the queries may be renewed: by queue, the last submission that was given up.
    pub(super) tickets: Vec<Option<T>>,
}

impl<T> Slots<T> {
    pub(super) fn new(options: &RingOptions) -> Self {
        let mut slots = Self {
            all: Vec::with_capacity(options.most_slots() as usize),
            frames_per_slot: options.frames_per_slot.max(1),
            queries: options.slot_queries() as usize,
            queues: options.queues,
            most: options.most_slots() as usize,
            open: None,
            spoiled: 0,
        };
        for _ in 0..options.first_slots() {
            slots.add();
        }
        slots
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn get(&self, slot: SlotIndex) -> &Slot<T> {
        &self.all[slot]
    }

    pub(super) fn get_mut(&mut self, slot: SlotIndex) -> &mut Slot<T> {
        &mut self.all[slot]
    }

    /// Adds a slot, which the backend has to make too.
    pub(super) fn add(&mut self) -> SlotIndex {
        self.all.push(Slot {
            next: Pair::default(),
            before: vec![NEVER_READ; self.queries],
            frames: 0,
            unread: 0,
            spoiled: false,
            tickets: (0..self.queues).map(|_| None).collect(),
        });
        self.all.len() - 1
    }

    /// Whether a frame could begin only with one more slot.
    pub(super) fn is_full(&self) -> bool {
        self.open.is_none_or(|open| self.all[open].frames == self.frames_per_slot)
            && self.all.iter().all(|slot| slot.frames > 0)
    }

    /// Whether no slot may be added.
    pub(super) fn is_at_its_bound(&self) -> bool {
        self.all.len() >= self.most
    }

    /// A slot for the next frame; none while all are in use.
    pub(super) fn take(&mut self) -> Option<SlotIndex> {
        if let Some(open) = self.open.filter(|open| self.all[*open].frames == self.frames_per_slot) {
            self.close(open);
        }
        let slot = self.open.or_else(|| self.all.iter().position(|slot| slot.frames == 0))?;
        self.open = Some(slot);
        self.all[slot].frames += 1;
        self.all[slot].unread += 1;
        Some(slot)
    }

    /// The next pair of a slot.
    pub(super) fn upcoming(&self, slot: SlotIndex) -> Pair {
        self.all[slot].next
    }

    /// A frame has taken the slot's pairs up to `next`.
    pub(super) fn advance(&mut self, slot: SlotIndex, next: Pair) {
        self.all[slot].next = next;
    }

    /// One of the slot's frames was read, or had nothing to read.
    pub(super) fn read(&mut self, slot: SlotIndex) {
        self.all[slot].unread -= 1;
        self.settle(slot);
    }

    /// One of the slot's frames will never be read, though it was or will be written.
    pub(super) fn forgo(&mut self, slot: SlotIndex) {
        if !self.all[slot].spoiled {
            self.all[slot].spoiled = true;
            self.spoiled += 1;
        }
        self.all[slot].unread -= 1;
        self.close(slot);
    }

    /// The slots that are closed, read as far as they will be, and spoiled: to be renewed once their tickets complete.
    pub(super) fn to_renew(&self) -> impl Iterator<Item = SlotIndex> {
        let waits = |slot: &Slot<T>| slot.spoiled && slot.unread == 0;
        self.all.iter().enumerate().filter(move |(_, slot)| waits(slot)).map(|(at, _)| at)
    }

    /// The backend has renewed the slot's queries.
    pub(super) fn renewed(&mut self, slot: SlotIndex) {
        let renewed = &mut self.all[slot];
        renewed.before.fill(NEVER_READ);
        renewed.spoiled = false;
        renewed.tickets.iter_mut().for_each(|ticket| *ticket = None);
        self.spoiled -= 1;
        self.settle(slot);
    }

    fn close(&mut self, slot: SlotIndex) {
        if self.open == Some(slot) {
            self.open = None;
        }
        self.settle(slot);
    }

    /// Frees the slot if it is closed, read and unspoiled.
    fn settle(&mut self, slot: SlotIndex) {
        let closed = self.open != Some(slot);
        let slot = &mut self.all[slot];
        if closed && slot.unread == 0 && !slot.spoiled {
            slot.frames = 0;
            slot.next = Pair::default();
        }
    }
}
