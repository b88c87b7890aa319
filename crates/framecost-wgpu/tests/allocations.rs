//! What stamping allocates: on wgpu's noop backend, once warm, no more than the same wgpu calls made by hand.

use std::time::Duration;

use framecost_probe::alloc::{AllocCounts, CountingAlloc};
use framecost_wgpu::{FrameTimer, Stamping, TimerOptions};
use noop::{Noop, PASSES, RENDERER};

mod noop;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// A whole number of batches, many of them.
const FRAMES: u64 = BATCH * 24;

/// Frames that travel together, and that share a query set.
const BATCH: u64 = 32;
const SHARE: u64 = 4;

fn timer(noop: &Noop, stamping: Stamping) -> FrameTimer {
    noop.timer(&TimerOptions { stamping, frames_in_flight: 2, ..TimerOptions::default() })
}

/// Allocations of so many frames.
fn allocations(mut frame: impl FnMut(u64)) -> u64 {
    let before = AllocCounts::of_thread();
    (0..FRAMES).for_each(&mut frame);
    AllocCounts::of_thread().since(before).allocations
}

#[test]
fn a_warm_timer_allocates_nothing_of_its_own() {
    let noop = Noop::open(RENDERER);
    let mut timer = timer(&noop, Stamping::Attachments);
    let mut rows = 0;
    let mut frame = |index| noop.framecost(&mut timer, index, &mut rows);
    // Every slot, entry and batch has gone round, and every list of wgpu's has its size.
    (0..FRAMES).for_each(&mut frame);
    let ours = allocations(|index| frame(FRAMES + index));
    let by_hand = by_hand(&noop);
    assert!(ours <= by_hand, "{ours} allocations in {FRAMES} frames, {by_hand} by hand");
    timer.finish(Duration::from_secs(1), &mut |frame| rows += frame.stamps.len() as u64);
    assert_eq!(rows, 2 * FRAMES * PASSES.len() as u64, "every row was delivered");
}

/// The same calls of wgpu's by hand: bare attachments in every frame, and for a batch of frames in one go their query sets
/// resolved, copied, submitted and mapped.
fn by_hand(noop: &Noop) -> u64 {
    let device = &noop.gpu.device;
    let queries = 2 * PASSES.len() as u32 * SHARE as u32;
    let set = || {
        device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: queries,
        })
    };
    let sets: Vec<wgpu::QuerySet> = (0..BATCH / SHARE).map(|_| set()).collect();
    let buffer = |usage| {
        let size = BATCH / SHARE * 1024;
        device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    };
    let resolve = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let map = buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
    let frame = |index: u64| {
        noop.plain(true);
        if index % BATCH < BATCH - 1 {
            return;
        }
        let mut encoder = noop.encoder();
        for (i, set) in (0u64..).zip(&sets) {
            encoder.resolve_query_set(set, 0..queries, &resolve, i * 1024);
        }
        encoder.copy_buffer_to_buffer(&resolve, 0, &map, 0, map.size());
        noop.gpu.queue.submit([encoder.finish()]);
        map.slice(..).map_async(wgpu::MapMode::Read, |_| {});
        let _ = device.poll(wgpu::PollType::Poll);
        drop(map.slice(..).get_mapped_range());
        map.unmap();
    };
    (0..FRAMES).for_each(frame);
    allocations(frame)
}

#[test]
fn a_timer_that_is_off_allocates_nothing() {
    let noop = Noop::open(RENDERER);
    let mut timer = timer(&noop, Stamping::Off);
    let mut rows = 0;
    let mut frame = |index| noop.framecost(&mut timer, index, &mut rows);
    (0..FRAMES).for_each(&mut frame);
    let ours = allocations(frame);
    (0..FRAMES).for_each(|_| noop.plain(false));
    let without = allocations(|_| noop.plain(false));
    assert!(ours <= without, "{ours} allocations in {FRAMES} frames, {without} without a timer");
    assert_eq!(rows, 0);
}

// wgpu's noop backend writes no query, so that every stamp is zero: missing, and never a time of zero.
// Research items 2.15 and 2.17.
#[test]
fn stamps_that_no_device_wrote_are_missing() {
    let noop = Noop::open(RENDERER);
    let mut timer = timer(&noop, Stamping::Attachments);
    let mut rows = 0;
    noop.framecost(&mut timer, 0, &mut rows);
    timer.finish(Duration::from_secs(1), &mut |frame| {
        for row in frame.stamps {
            assert_eq!(row.start.missing(), Some(&framecost_sample::Reason::Zero));
        }
        rows += frame.stamps.len() as u64;
    });
    assert_eq!(rows, PASSES.len() as u64);
}
