//! How many instances and triangles a frame drew, and how many lists of lights were full: read back from what the GPU
//! itself filled, a few frames later, never waiting. In: those buffers after each measured frame. Out: samples of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use framecost_harness::FrameSamples;
use framecost_sample::{Better, Metric, Reading, Reason, Unit, metric_names};

use crate::buffers::{Buffers, DRAW_SIZE};
use crate::scene::{Draw, Draws};

/// Frames whose counts may be on their way. More than any run has in flight; beyond it a frame's counts are dropped.
const SLOTS: usize = 24;

/// Lists of lights that had no room for all lights of their cell: anything above zero is missing light.
const FULL_LISTS: &str = "full_light_lists";

/// The metric of that name.
pub(crate) fn full_lists() -> Metric {
    Metric {
        name: FULL_LISTS.into(),
        unit: Unit::Count,
        better: Better::Lower,
        about: "cells whose list of lights was full, so that light is missing there".into(),
    }
}

/// What a frame counted.
#[derive(Clone, Copy, Debug)]
struct Counted {
    instances: u64,
    triangles: u64,
    full_lists: u64,
}

/// Readback of the draws.
#[derive(Debug)]
pub(crate) struct Counts {
    slots: Vec<Slot>,
    /// The slot that this frame was copied to and that is still to be mapped.
    copied: Option<usize>,
    /// A frame that found every slot busy.
    dropped: Option<u64>,
    draws: usize,
    strip_triangles: u64,
}

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    frame: u64,
    state: Arc<AtomicU8>,
}

/// States of a slot. The callback alone moves it out of [`WAITING`].
const FREE: u8 = 0;
const WAITING: u8 = 1;
const READY: u8 = 2;
const FAILED: u8 = 3;

impl Counts {
    pub(crate) fn new(device: &wgpu::Device, draws: &Draws, strip_indices: usize) -> Self {
        let slot = |_| Slot {
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("counts"),
                size: draws.draws.len() as u64 * DRAW_SIZE + 4,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            frame: 0,
            state: Arc::new(AtomicU8::new(FREE)),
        };
        let strip_triangles = strip_indices as u64 / 3;
        Self {
            slots: (0..SLOTS).map(slot).collect(),
            copied: None,
            dropped: None,
            draws: draws.draws.len(),
            strip_triangles,
        }
    }

    /// Records the copy of this frame's draws, after its last pass.
    pub(crate) fn copy(&mut self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers, frame: u64) {
        let free = self.slots.iter().position(|slot| slot.state.load(Ordering::Acquire) == FREE);
        let Some(free) = free else {
            self.dropped = Some(frame);
            return;
        };
        let slot = &mut self.slots[free];
        slot.frame = frame;
        let draws = slot.buffer.size() - 4;
        encoder.copy_buffer_to_buffer(&buffers.draws, 0, &slot.buffer, 0, draws);
        encoder.copy_buffer_to_buffer(&buffers.full_lists, 0, &slot.buffer, draws, 4);
        self.copied = Some(free);
    }

    /// Asks for the copy, once it was submitted.
    pub(crate) fn map(&mut self) {
        let Some(copied) = self.copied.take() else { return };
        let slot = &self.slots[copied];
        slot.state.store(WAITING, Ordering::Release);
        let state = Arc::clone(&slot.state);
        slot.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            state.store(if result.is_ok() { READY } else { FAILED }, Ordering::Release);
        });
    }

    /// Hands over what has come back.
    pub(crate) fn collect(&mut self, samples: &mut FrameSamples<'_>) {
        if let Some(frame) = self.dropped.take() {
            give(samples, frame, &Reading::Missing(Reason::Dropped));
        }
        for slot in &self.slots {
            let reading = match slot.state.load(Ordering::Acquire) {
                READY => self.read(slot),
                FAILED => Reading::Missing(Reason::MapFailed),
                _ => continue,
            };
            give(samples, slot.frame, &reading);
            slot.state.store(FREE, Ordering::Release);
        }
    }

    /// What the frame in this slot counted.
    fn read(&self, slot: &Slot) -> Reading<Counted> {
        let Ok(view) = slot.buffer.get_mapped_range(..) else {
            return Reading::Missing(Reason::MapFailed);
        };
        let draw = |number: usize| -> Draw {
            let bytes = &view[number * size_of::<Draw>()..(number + 1) * size_of::<Draw>()];
            bytemuck::pod_read_unaligned(bytes)
        };
        let full: u32 = bytemuck::pod_read_unaligned(&view[self.draws * size_of::<Draw>()..]);
        let none = Counted { instances: 0, triangles: self.strip_triangles, full_lists: full.into() };
        let counted = (0..self.draws).map(draw).fold(none, |counted, draw| {
            let of_draw = u64::from(draw.instances);
            Counted {
                instances: counted.instances + of_draw,
                triangles: counted.triangles + of_draw * u64::from(draw.indices / 3),
                ..counted
            }
        });
        drop(view);
        slot.buffer.unmap();
        Reading::Measured(counted)
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of a frame are far below 2^53")]
fn give(samples: &mut FrameSamples<'_>, frame: u64, reading: &Reading<Counted>) {
    let mut set = |name, of: fn(Counted) -> u64| {
        samples.set_for(frame, name, reading.clone().map(|counted| of(counted) as f64));
    };
    set(metric_names::INSTANCES, |counted| counted.instances);
    set(metric_names::TRIANGLES, |counted| counted.triangles);
    set(FULL_LISTS, |counted| counted.full_lists);
}
