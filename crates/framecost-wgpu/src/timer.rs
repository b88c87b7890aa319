//! The frame timer: hands out stamps while frames are recorded, reads them when the GPU is done with them.

use std::time::{Duration, Instant};

use framecost_sample::{
    Clock, ClockId, PassDef, PassId, Queue, QueueId, Reading, Reason, Semantics, Stamp, Ticks,
};

use crate::{Frame, Gpu, Support};

/// How a frame is stamped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stamping {
    /// Not at all.
    Off,
    /// Only before its first and after its last work.
    Bracket,
    /// Each pass, by wgpu's pass attachments.
    #[default]
    Attachments,
    /// Each pass, its start as early as the GPU takes up its first command. Vulkan only.
    TopBottom,
}

/// How a run is stamped.
#[derive(Clone, Debug)]
pub struct TimerOptions {
    /// How frames are stamped unless [`FrameTimer::begin_frame_as`] says otherwise.
    pub stamping: Stamping,
    /// Frames that the program lets be submitted and unfinished when the next one starts.
    pub frames_in_flight: u32,
}

impl Default for TimerOptions {
    fn default() -> Self {
        Self { stamping: Stamping::Attachments, frames_in_flight: 2 }
    }
}

/// Why no timer was made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimerError {
    /// The device cannot stamp so.
    #[error("stamping {stamping:?}: {why}")]
    Unsupported {
        /// What was asked for.
        stamping: Stamping,
        /// Why it cannot be.
        why: String,
    },
    /// More passes than one query set holds.
    #[error("{passes} passes; at most {most} can be stamped")]
    TooManyPasses {
        /// How many were given.
        passes: usize,
        /// How many can be.
        most: usize,
    },
}

/// The stamps before a frame's first and after its last work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// Before the first work.
    pub start: Reading<Ticks>,
    /// After the last work.
    pub end: Reading<Ticks>,
}

/// What was read of one frame.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FrameStamps<'a> {
    /// The frame's index.
    pub frame: u64,
    /// How it was stamped.
    pub stamping: Stamping,
    /// A row for each pass that ran, by submission, then in the order of recording. A pass without a row did not run.
    pub stamps: &'a [Stamp],
    /// The bracket, where the frame has one; else missing as not executed.
    pub bracket: Bracket,
    /// Frames begun between this frame's end and the reading of its stamps.
    pub readback_frames: u64,
}

/// Times the passes of a run's frames. One per run.
#[derive(Debug)]
pub struct FrameTimer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    support: Support,
    passes: Vec<String>,
    options: TimerOptions,
    current: Option<Current>,
    pub(crate) command_buffers: Vec<wgpu::CommandBuffer>,
    slots: Vec<Slot>,
    pending: std::collections::VecDeque<Pending>,
    begun: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) slot: usize,
    pub(crate) start: u32,
}

#[derive(Debug)]
struct Current {
    frame: u64,
    stamping: Stamping,
    slot: Option<usize>,
    uses: Vec<Use>,
    ticket: Option<wgpu::SubmissionIndex>,
}

#[derive(Debug)]
struct Use {
    pass: PassId,
    submission: u32,
    pair: Option<u32>,
}

#[derive(Debug)]
struct Slot {
    set: wgpu::QuerySet,
    resolve: wgpu::Buffer,
    map: wgpu::Buffer,
    busy: bool,
}

#[derive(Debug)]
struct Pending {
    current: Current,
    number: u64,
    resolved: bool,
}

impl FrameTimer {
    /// A timer for a run whose frames consist of these passes.
    ///
    /// # Errors
    /// The device cannot stamp in the way asked for, or there are too many passes.
    pub fn new(gpu: &Gpu, passes: &[&str], options: &TimerOptions) -> Result<Self, TimerError> {
        let unsupported =
            |why: &str| TimerError::Unsupported { stamping: options.stamping, why: why.to_owned() };
        match options.stamping {
            Stamping::Off | Stamping::Attachments | Stamping::Bracket => {}
            Stamping::TopBottom => return Err(unsupported("is not built yet")),
        }
        if let (crate::Able::No(why), true) = (&gpu.support.pass_stamps, options.stamping != Stamping::Off) {
            return Err(unsupported(why));
        }
        let most = 2047;
        if passes.len() > most {
            return Err(TimerError::TooManyPasses { passes: passes.len(), most });
        }
        let slots = if options.stamping == Stamping::Off { 0 } else { 2 * (options.frames_in_flight + 1) };
        let count = u32::try_from(2 * (1 + passes.len())).unwrap_or(2);
        let slots = (0..slots).map(|_| Slot::new(&gpu.device, count)).collect();
        Ok(Self {
            device: gpu.device.clone(),
            queue: gpu.queue.clone(),
            support: gpu.support.clone(),
            passes: passes.iter().map(|&name| name.to_owned()).collect(),
            options: options.clone(),
            current: None,
            command_buffers: Vec::new(),
            slots,
            pending: std::collections::VecDeque::new(),
            begun: 0,
        })
    }

    /// The pass of that name.
    #[must_use]
    pub fn pass(&self, name: &str) -> Option<PassId> {
        let index = self.passes.iter().position(|pass| pass == name)?;
        u16::try_from(index).ok().map(PassId)
    }

    /// The passes for a capture, with what their stamps are.
    #[must_use]
    pub fn pass_defs(&self) -> Vec<PassDef> {
        let semantics = self.semantics();
        self.passes.iter().map(|name| PassDef { name: name.clone(), semantics }).collect()
    }

    /// What the passes' stamps are.
    #[must_use]
    pub const fn semantics(&self) -> Semantics {
        self.support.semantics
    }

    /// The clocks for a capture.
    #[must_use]
    pub fn clocks(&self) -> Vec<Clock> {
        vec![self.support.clock.clone()]
    }

    /// The queues for a capture.
    #[must_use]
    pub fn queues(&self) -> Vec<Queue> {
        vec![Queue { name: "main".into(), clock: ClockId(0) }]
    }

    /// Starts the frame of this index. Indices ascend; they need not be consecutive.
    pub fn begin_frame(&mut self, index: u64) -> Frame<'_> {
        self.begin_frame_as(index, self.options.stamping)
    }

    /// Starts a frame that is stamped in its own way: to alternate stamped and bracketed frames.
    pub fn begin_frame_as(&mut self, index: u64, stamping: Stamping) -> Frame<'_> {
        self.begun += 1;
        let slot = match stamping {
            Stamping::Off => None,
            _ => self.slots.iter().position(|slot| !slot.busy),
        };
        if let Some(slot) = slot {
            self.slots[slot].busy = true;
        }
        self.current = Some(Current { frame: index, stamping, slot, uses: Vec::new(), ticket: None });
        Frame::new(self)
    }

    /// Hands over every frame whose stamps are ready, in order. Never blocks.
    pub fn collect(&mut self, sink: &mut dyn FnMut(FrameStamps<'_>)) {
        while self.try_oldest(Duration::ZERO, sink) {}
    }

    /// Waits for what is in flight, up to the deadline, and hands it over in order; what is not back by then is
    /// missing as not available.
    pub fn finish(&mut self, deadline: Duration, sink: &mut dyn FnMut(FrameStamps<'_>)) {
        let end = Instant::now() + deadline;
        while !self.pending.is_empty() && Instant::now() < end {
            let left = end.saturating_duration_since(Instant::now());
            self.try_oldest(left, sink);
        }
        while let Some(pending) = self.pending.pop_front() {
            self.hand_over(&pending, None, sink);
        }
    }

    /// One step for the oldest frame; whether there may be more to do at once.
    fn try_oldest(&mut self, wait: Duration, sink: &mut dyn FnMut(FrameStamps<'_>)) -> bool {
        let Some(oldest) = self.pending.front_mut() else { return false };
        if let (Some(slot), Some(ticket)) = (oldest.current.slot, &oldest.current.ticket) {
            let poll = wgpu::PollType::Wait { submission_index: Some(ticket.clone()), timeout: Some(wait) };
            if self.device.poll(poll).is_err() {
                return false;
            }
            if !oldest.resolved {
                oldest.current.ticket =
                    Some(self.slots[slot].bring_back(&self.device, &self.queue, &oldest.current.uses));
                oldest.resolved = true;
                return true;
            }
        }
        let Some(pending) = self.pending.pop_front() else { return false };
        let ticks =
            pending.current.slot.filter(|_| pending.resolved).and_then(|slot| self.slots[slot].read());
        self.hand_over(&pending, ticks.as_deref(), sink);
        if let Some(slot) = pending.current.slot {
            self.slots[slot].busy = false;
        }
        true
    }

    fn hand_over(&self, pending: &Pending, ticks: Option<&[u64]>, sink: &mut dyn FnMut(FrameStamps<'_>)) {
        let reading = |pair: Option<u32>, offset: usize| match (pair, pending.current.slot, ticks) {
            (_, None, _) => Reading::Missing(Reason::Dropped),
            (None, ..) => Reading::Missing(Reason::Exhausted),
            (_, _, None) => Reading::Missing(Reason::NotAvailable),
            (Some(pair), _, Some(ticks)) => match ticks.get(2 * pair as usize + offset) {
                None => Reading::Missing(Reason::NotAvailable),
                Some(0) => Reading::Missing(Reason::Zero),
                Some(&tick) => Reading::Measured(Ticks(tick)),
            },
        };
        let stamps: Vec<Stamp> = pending
            .current
            .uses
            .iter()
            .map(|one| Stamp {
                frame: pending.current.frame,
                submission: one.submission,
                queue: QueueId(0),
                pass: one.pass,
                start: reading(one.pair, 0),
                end: reading(one.pair, 1),
            })
            .collect();
        sink(FrameStamps {
            frame: pending.current.frame,
            stamping: pending.current.stamping,
            stamps: &stamps,
            bracket: Bracket {
                start: Reading::Missing(Reason::NotExecuted),
                end: Reading::Missing(Reason::NotExecuted),
            },
            readback_frames: self.begun - pending.number,
        });
    }

    pub(crate) fn end_frame(&mut self) {
        if let Some(current) = self.current.take()
            && current.stamping != Stamping::Off
        {
            self.pending.push_back(Pending { current, number: self.begun, resolved: false });
        }
    }

    pub(crate) fn pair_for(&mut self, pass: PassId, submission: u32) -> Option<Pair> {
        let current = self.current.as_mut()?;
        if current.stamping != Stamping::Attachments {
            return None;
        }
        let again = current.uses.iter().any(|one| one.pass == pass);
        let start = 2 * (1 + u32::from(pass.0));
        let pair = (!again).then_some(start);
        current.uses.push(Use { pass, submission, pair });
        Some(Pair { slot: current.slot?, start: pair? })
    }

    pub(crate) fn query_set(&self, slot: usize) -> &wgpu::QuerySet {
        &self.slots[slot].set
    }

    pub(crate) fn new_encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    pub(crate) fn submit(&mut self) -> wgpu::SubmissionIndex {
        let index = self.queue.submit(self.command_buffers.drain(..));
        if let Some(current) = &mut self.current {
            current.ticket = Some(index.clone());
        }
        index
    }

    pub(crate) fn submitted(&mut self, index: wgpu::SubmissionIndex) {
        if !self.command_buffers.is_empty() {
            self.submit();
        }
        if let Some(current) = &mut self.current {
            current.ticket = Some(index);
        }
    }

    pub(crate) const fn device(&self) -> &wgpu::Device {
        &self.device
    }

    pub(crate) const fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    pub(crate) const fn frame_stamping(&self) -> Stamping {
        match &self.current {
            Some(current) => current.stamping,
            None => Stamping::Off,
        }
    }
}

impl Slot {
    fn new(device: &wgpu::Device, count: u32) -> Self {
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("framecost stamps"),
                size: u64::from(count) * 256,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("framecost stamps"),
                ty: wgpu::QueryType::Timestamp,
                count,
            }),
            resolve: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            map: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            busy: false,
        }
    }

    fn bring_back(&self, device: &wgpu::Device, queue: &wgpu::Queue, uses: &[Use]) -> wgpu::SubmissionIndex {
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for pair in uses.iter().filter_map(|one| one.pair) {
            encoder.resolve_query_set(&self.set, pair..pair + 2, &self.resolve, u64::from(pair) * 256);
        }
        encoder.copy_buffer_to_buffer(&self.resolve, 0, &self.map, 0, self.map.size());
        let index = queue.submit([encoder.finish()]);
        self.map.map_async(wgpu::MapMode::Read, .., |_| {});
        index
    }

    fn read(&self) -> Option<Vec<u64>> {
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let both = |chunk: &[u8; 256]| [word(&chunk[..8]), word(&chunk[8..16])];
        let view = self.map.get_mapped_range(..).ok();
        let ticks = view.map(|view| view.as_chunks::<256>().0.iter().flat_map(both).collect());
        self.map.unmap();
        ticks
    }
}
