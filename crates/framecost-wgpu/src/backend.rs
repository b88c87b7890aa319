//! The ring's backend over wgpu: query sets or pools, copies to mapped buffers, completion by polling.
//! In: what the ring asks for. Out: words. Allocates nothing of its own once its slots and batches are made.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use framecost_probe::inflight::{ALIGNMENT, Backend, BatchIndex, Copy, Progress, RingOptions, SlotIndex};
use framecost_sample::Reason;

use crate::Gpu;
use crate::vulkan::{Pool, RawDevice};

/// Where the stamps of a slot's frames are written.
#[derive(Debug)]
pub(crate) enum Queries {
    /// By wgpu.
    Set(wgpu::QuerySet),
    /// Past wgpu.
    Pool(Pool),
    /// Nowhere: the driver would not make a pool.
    None,
}

/// wgpu as the ring sees it.
#[derive(Debug)]
pub(crate) struct WgpuBackend {
    device: wgpu::Device,
    queue: wgpu::Queue,
    lost: Arc<AtomicBool>,
    started: Instant,
    queries: u32,
    /// Set where stamps go past wgpu.
    raw: Option<RawDevice>,
    slots: Vec<Queries>,
    batches: Vec<Readback>,
    /// Where copies go that nobody reads.
    settled: wgpu::Buffer,
}

#[derive(Debug)]
struct Readback {
    resolve: wgpu::Buffer,
    map: wgpu::Buffer,
    /// Bytes that are mapped or about to be.
    bytes: u64,
}

impl WgpuBackend {
    /// A backend without slots. `raw` where stamps go past wgpu.
    pub(crate) fn new(gpu: &Gpu, options: &RingOptions, raw: Option<RawDevice>) -> Self {
        let queries = options.slot_queries();
        // Vulkan's pools are read by the host itself.
        let batches = if raw.is_some() { 0 } else { RingOptions::BATCHES };
        Self {
            batches: (0..batches).map(|_| Readback::new(&gpu.device, options.batch_bytes())).collect(),
            settled: buffer(
                &gpu.device,
                (u64::from(queries) * u64::from(wgpu::QUERY_SIZE)).next_multiple_of(ALIGNMENT),
                wgpu::BufferUsages::QUERY_RESOLVE,
            ),
            device: gpu.device.clone(),
            queue: gpu.queue.clone(),
            lost: Arc::clone(&gpu.lost),
            started: Instant::now(),
            queries,
            raw,
            slots: Vec::new(),
        }
    }

    pub(crate) fn queries(&self, slot: SlotIndex) -> &Queries {
        &self.slots[slot]
    }

    /// Records a copy of a query just written in this encoder, for its side effect: the GPU waits until the stamp is
    /// taken. lavapipe takes a stamp only when something asks for it, in a thread of its own.
    pub(crate) fn settle(&self, encoder: &mut wgpu::CommandEncoder, slot: SlotIndex, query: u32) {
        match &self.slots[slot] {
            Queries::Set(set) => encoder.resolve_query_set(set, query..query + 1, &self.settled, 0),
            Queries::Pool(pool) => pool.settle(encoder, query, &self.settled),
            Queries::None => {}
        }
    }

    /// The queue may never be done: nothing that it uses is destroyed, and nobody waits for it. wgpu waits for the queue
    /// without a time limit when the last handle is dropped, so one handle is leaked.
    pub(crate) fn forsake(&mut self) {
        std::mem::forget((self.device.clone(), self.queue.clone()));
        for slot in &mut self.slots {
            if let Queries::Pool(pool) = slot {
                pool.forsake();
            }
        }
    }

    fn make_queries(&self) -> Queries {
        if let Some(raw) = &self.raw {
            return Pool::new(raw, self.queries).map_or(Queries::None, Queries::Pool);
        }
        Queries::Set(self.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("framecost stamps"),
            ty: wgpu::QueryType::Timestamp,
            count: self.queries,
        }))
    }

    fn lose(&self) -> Reason {
        self.lost.store(true, Ordering::Release);
        Reason::DeviceLost
    }
}

impl Backend for WgpuBackend {
    /// None for what is done at once.
    type Ticket = Option<wgpu::SubmissionIndex>;
    const ORDERED: bool = true;

    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    fn poll(&mut self, ticket: &Self::Ticket, wait: Duration) -> Progress {
        if self.lost.load(Ordering::Acquire) {
            return Progress::Lost;
        }
        let Some(index) = ticket else { return Progress::Done };
        let poll = wgpu::PollType::Wait { submission_index: Some(index.clone()), timeout: Some(wait) };
        match self.poll_device(poll) {
            Some(Ok(_)) => return Progress::Done,
            Some(Err(wgpu::PollError::Timeout)) => return Progress::Pending,
            // The submission was refused, perhaps because the device is lost: wgpu says so once what it took has completed.
            Some(Err(_)) => {
                self.poll_device(wgpu::PollType::Wait { submission_index: None, timeout: Some(wait) });
            }
            None => {}
        }
        if self.lost.load(Ordering::Acquire) { Progress::Lost } else { Progress::Pending }
    }

    fn add_slot(&mut self) {
        let queries = self.make_queries();
        self.slots.push(queries);
    }

    fn renew(&mut self, slot: SlotIndex) {
        self.slots[slot] = self.make_queries();
    }

    fn bring_back(&mut self, batch: BatchIndex, copies: &[Copy]) -> Result<Self::Ticket, Reason> {
        // Pools are read in place. So is a batch of frames that wrote nothing.
        let Some(batch) = self.batches.get_mut(batch) else { return Ok(None) };
        let Some(last) = copies.last() else { return Ok(None) };
        batch.bytes = last.offset + u64::from(wgpu::QUERY_SIZE) * last.queries.len() as u64;
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for copy in copies {
            if let Queries::Set(set) = &self.slots[copy.slot] {
                encoder.resolve_query_set(set, copy.queries.clone(), &batch.resolve, copy.offset);
            }
        }
        encoder.copy_buffer_to_buffer(&batch.resolve, 0, &batch.map, 0, batch.bytes);
        let index = self.queue.submit([encoder.finish()]);
        // A closure that captures nothing is boxed without an allocation. Nobody needs its word: wgpu maps a buffer in the
        // same poll that sees its last submission complete, so `read` finds it mapped, or it never will be.
        batch.map.slice(..batch.bytes).map_async(wgpu::MapMode::Read, |_| {});
        Ok(Some(index))
    }

    fn read(&mut self, batch: BatchIndex, copies: &[Copy], words: &mut [Option<u64>]) -> Result<(), Reason> {
        if copies.is_empty() {
            return Ok(());
        }
        let Some(batch) = self.batches.get(batch) else { return self.read_pools(copies, words) };
        let Ok(view) = batch.map.slice(..batch.bytes).get_mapped_range() else {
            batch.map.unmap();
            let lost = self.lost.load(Ordering::Acquire);
            return Err(if lost { Reason::DeviceLost } else { Reason::MapFailed });
        };
        for copy in copies {
            let from = copy.first_word();
            let (all, _) = view.as_chunks::<{ size_of::<u64>() }>();
            for (word, bytes) in words[copy.words()].iter_mut().zip(&all[from..]) {
                *word = Some(u64::from_le_bytes(*bytes));
            }
        }
        drop(view);
        batch.map.unmap();
        Ok(())
    }
}

impl WgpuBackend {
    /// Polls the device. None where it is lost: wgpu 30 panics then, and a measurement outlives that.
    fn poll_device(&self, poll: wgpu::PollType) -> Option<Result<wgpu::PollStatus, wgpu::PollError>> {
        let polled = catch_unwind(AssertUnwindSafe(|| self.device.poll(poll))).ok();
        if polled.is_none() {
            self.lose();
        }
        polled
    }

    fn read_pools(&self, copies: &[Copy], words: &mut [Option<u64>]) -> Result<(), Reason> {
        for copy in copies {
            if let Queries::Pool(pool) = &self.slots[copy.slot]
                && pool.read(copy.queries.start, &mut words[copy.words()]).is_err()
            {
                // The queries' submissions have completed, so that the only fault left is the device's.
                return Err(self.lose());
            }
        }
        Ok(())
    }
}

impl Readback {
    fn new(device: &wgpu::Device, bytes: u64) -> Self {
        Self {
            resolve: buffer(device, bytes, wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            map: buffer(device, bytes, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            bytes: 0,
        }
    }
}

fn buffer(device: &wgpu::Device, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("framecost stamps"),
        size,
        usage,
        mapped_at_creation: false,
    })
}
