//! The frame timer: hands out stamps while frames are recorded, reads them when the GPU is done with them.
//! In: frames of a scene's passes. Out: [`FrameStamps`].

use std::time::Duration;

use framecost_probe::inflight::{Delivered, Pair, Refusal, Ring, RingCounts, RingOptions, SlotIndex};
use framecost_probe::overhead::Stopwatch;
use framecost_sample::{
    Clock, ClockId, Nanos, PassDef, PassId, Queue, QueueId, Reading, Reason, Semantics, Stamp, Ticks,
};

use crate::backend::{Queries, WgpuBackend};
use crate::oddity::Oddities;
use crate::proof::{Method, ProofReport};
use crate::vulkan::{Pipe, RawDevice};
use crate::{Able, Frame, Gpu};

/// Queries of a run of a pass, or of the bracket.
pub(crate) type Run = (SlotIndex, Pair);

/// The queue that wgpu has.
const MAIN: QueueId = QueueId(0);

/// Passes that one query set has pairs for, beside the frame's bracket.
const MOST_PAIRS: u16 = (wgpu::QUERY_SET_MAX_QUERIES / 2 - 1) as u16;

/// One frame of this many is watched for what stamping costs the host. It shares no factor with the size of a batch, so
/// that the frames in which batches travel get their turn.
const WATCH_EVERY: u64 = 31;

/// How a frame is stamped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stamping {
    /// Not at all.
    Off,
    /// Only before its first and after its last work, each in a command buffer of its own.
    Bracket,
    /// Each pass, by wgpu's pass attachments; by a start stamp in a command buffer of its own where the attachments
    /// were tried and found to leave work out.
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
    /// Where set, nothing runs beside a pass: each goes to the queue in a submission of its own, and the host waits until the
    /// GPU has done it, at most so long. See [`Frame::is_serial`].
    pub serial: Option<Duration>,
}

impl Default for TimerOptions {
    fn default() -> Self {
        Self { stamping: Stamping::Attachments, frames_in_flight: 2, serial: None }
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
    /// A pass's name stands twice or is empty.
    #[error("pass {index} is named `{name}`; names are unique and not empty")]
    BadName {
        /// Its place in the list.
        index: usize,
        /// Its name.
        name: String,
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
    /// A row for each run of a pass, by submission, then in the order of recording. A pass without a row did not run.
    pub stamps: &'a [Stamp],
    /// The bracket, where the frame has one; else missing as not executed.
    pub bracket: Bracket,
    /// Frames begun from this one up to the reading of its stamps.
    pub readback_frames: u64,
    /// Runs of passes beyond all that a frame has room to list: counted, and without a row.
    pub unlisted: u32,
}

/// Times the passes of a run's frames. One per run.
///
/// Stamped in the mode of its options; single frames may be left unstamped or bracketed instead. With
/// [`Stamping::Off`] it holds nothing, hands everything to wgpu as it is and delivers no frames.
#[derive(Debug)]
pub struct FrameTimer {
    device: wgpu::Device,
    queue: wgpu::Queue,
    passes: Vec<String>,
    options: TimerOptions,
    semantics: Semantics,
    clock: Clock,
    /// How this timer stamps passes, or why it does not.
    method: Result<Method, Reason>,
    can_bracket: bool,
    brackets: bool,
    ring: Option<Ring<WgpuBackend>>,
    frame: Current,
    /// Whether a frame is being recorded.
    recording: bool,
    /// Whether anything of it was submitted.
    submitted: bool,
    pub(crate) oddities: Oddities,
    pub(crate) command_buffers: Vec<wgpu::CommandBuffer>,
    pub(crate) watch: Stopwatch,
}

/// The frame being recorded.
#[derive(Clone, Copy, Debug)]
struct Current {
    stamping: Stamping,
    how: How,
    bracket: bool,
    /// The submission in which the frame's part of the pool is reset.
    reset_in: Option<u32>,
    /// Submissions begun.
    submissions: u32,
}

impl Current {
    /// A frame of which nothing is stamped.
    const UNSTAMPED: Self =
        Self { stamping: Stamping::Off, how: How::Unstamped, bracket: false, reset_in: None, submissions: 0 };
}

/// How passes of the frame being recorded are stamped.
#[derive(Clone, Copy, Debug)]
pub(crate) enum How {
    /// Not, and nobody asked for it.
    Unstamped,
    /// Not, though somebody asked for it.
    Refused(Refusal),
    By(Method),
}

impl Stamping {
    const ALL: [Self; 4] = [Self::Off, Self::Bracket, Self::Attachments, Self::TopBottom];

    const fn tag(self) -> u8 {
        self as u8
    }

    fn of_tag(tag: u8) -> Self {
        Self::ALL.get(usize::from(tag)).copied().unwrap_or(Self::Off)
    }
}

impl FrameTimer {
    /// A timer for a run whose frames consist of these passes. The first timer of a device that stamps passes tries the
    /// device's stamps on known work, which takes up to two seconds on a software adapter; see [`Gpu::proof`].
    ///
    /// # Errors
    /// The device cannot stamp in the way asked for, there are too many passes, or one has a bad name.
    pub fn new(gpu: &Gpu, passes: &[&str], options: &TimerOptions) -> Result<Self, TimerError> {
        check(gpu, passes, options)?;
        let (method, step) = match options.stamping {
            Stamping::Off => (Err(Reason::NotExecuted), None),
            Stamping::Bracket | Stamping::Attachments => believed(gpu.proof()),
            Stamping::TopBottom => believed(gpu.top_bottom_proof()),
        };
        let mut timer = Self::with_method(gpu, passes, options, method);
        match step {
            Some(step) => timer.clock.step = Reading::Measured(step),
            // Nobody asked for stamps, so that none were tried either.
            None if options.stamping == Stamping::Off => {
                timer.clock.step = Reading::Missing(Reason::NotStamped);
            }
            None => {}
        }
        Ok(timer)
    }

    /// A timer that stamps by plain attachments, unproven: to measure what stamping costs on wgpu's noop backend, whose
    /// stamps are all zero.
    ///
    /// # Errors
    /// As for [`Self::new`].
    #[doc(hidden)]
    pub fn unproven(gpu: &Gpu, passes: &[&str], options: &TimerOptions) -> Result<Self, TimerError> {
        check(gpu, passes, options)?;
        Ok(Self::with_method(gpu, passes, options, Ok(Method::Attachments)))
    }

    /// A timer that stamps by this method, proven or not.
    pub(crate) fn with_method(
        gpu: &Gpu,
        passes: &[&str],
        options: &TimerOptions,
        method: Result<Method, Reason>,
    ) -> Self {
        let raw = match options.stamping {
            Stamping::TopBottom => RawDevice::of(&gpu.device),
            _ => None,
        };
        let can_bracket = method.is_ok() && (raw.is_some() || gpu.support.bracket.is_yes());
        let mut ring_options =
            RingOptions::for_run(u16::try_from(passes.len()).unwrap_or(u16::MAX), options.frames_in_flight);
        ring_options.pairs = ring_options.pairs.min(MOST_PAIRS);
        ring_options.valid_bits = gpu.support.clock.valid_bits;
        let ring = (options.stamping != Stamping::Off)
            .then(|| Ring::new(WgpuBackend::new(gpu, &ring_options, raw), ring_options));
        Self {
            device: gpu.device.clone(),
            queue: gpu.queue.clone(),
            passes: passes.iter().map(|&name| name.to_owned()).collect(),
            semantics: match method {
                Ok(method) => method.semantics(gpu.support.semantics),
                Err(_) if options.stamping == Stamping::TopBottom => Semantics::TopBottom,
                Err(_) => gpu.support.semantics,
            },
            options: options.clone(),
            clock: gpu.support.clock.clone(),
            method,
            can_bracket,
            brackets: false,
            ring,
            frame: Current::UNSTAMPED,
            recording: false,
            submitted: false,
            oddities: Oddities::default(),
            command_buffers: Vec::new(),
            watch: Stopwatch::new(WATCH_EVERY),
        }
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
        let semantics = self.semantics;
        self.passes.iter().map(|name| PassDef { name: name.clone(), semantics }).collect()
    }

    /// What the passes' stamps are.
    #[must_use]
    pub const fn semantics(&self) -> Semantics {
        self.semantics
    }

    /// The clocks for a capture.
    #[must_use]
    pub fn clocks(&self) -> Vec<Clock> {
        vec![self.clock.clone()]
    }

    /// The queues for a capture.
    #[must_use]
    pub fn queues(&self) -> Vec<Queue> {
        vec![Queue { name: "main".into(), clock: ClockId(0) }]
    }

    /// What the ring of frames in flight has seen.
    #[must_use]
    pub fn counts(&self) -> RingCounts {
        self.ring.as_ref().map(Ring::counts).unwrap_or_default()
    }

    /// Host time that this timer's own calls took for each stamped pass, from one frame of thirty-one: handing out queries,
    /// reading them back, and where a stamp has a command buffer of its own (see [`Self::semantics`]), recording that one
    /// and opening the next encoder, which is most of it: tens of microseconds by a software adapter. Not in it: what wgpu
    /// takes for the stamps that a pass carries, and the encoding of the program's own commands, which a stamp's command
    /// buffer makes due earlier.
    #[must_use]
    pub fn cpu_per_pass(&self) -> Reading<Nanos> {
        self.watch.per_pass()
    }

    /// What the program did with its frames that it cannot have meant, since this was last asked.
    pub fn take_oddities(&mut self) -> Oddities {
        std::mem::take(&mut self.oddities)
    }

    /// Whether stamped frames carry their bracket too, from the next frame on: to hold them against bracketed ones. Off at
    /// first, since it costs two command buffers a frame. Where the device cannot (see [`crate::Support::bracket`]), the
    /// bracket stays missing.
    pub const fn set_bracket(&mut self, on: bool) {
        self.brackets = on;
    }

    /// Starts the frame of this index. Indices ascend; they need not be consecutive.
    pub fn begin_frame(&mut self, index: u64) -> Frame<'_> {
        self.begin_frame_as(index, self.options.stamping)
    }

    /// Starts a frame that is stamped in its own way: off or bracketed among stamped ones, to see what stamping costs.
    /// A frame that is off is not delivered. Passes of a timer that stamps in another way are missing as unsupported.
    pub fn begin_frame_as(&mut self, index: u64, stamping: Stamping) -> Frame<'_> {
        self.end_frame();
        self.recording = true;
        self.submitted = false;
        self.watch.frame();
        let watch = self.watch.start();
        let how = match (stamping, &self.method) {
            (Stamping::Off | Stamping::Bracket, _) => How::Unstamped,
            _ if stamping != self.options.stamping => How::Refused(Refusal::Unsupported),
            (_, Ok(method)) => How::By(*method),
            (_, Err(_)) => How::Refused(Refusal::Unreliable),
        };
        let bracket = self.can_bracket && (stamping == Stamping::Bracket || self.brackets);
        self.frame = Current { stamping, how, bracket, ..Current::UNSTAMPED };
        match &mut self.ring {
            Some(ring) if stamping != Stamping::Off => {
                ring.begin(index, stamping.tag());
                let block = ring.recording_block();
                if block.is_some_and(|(slot, _)| matches!(ring.backend().queries(slot), Queries::None)) {
                    self.frame.how = How::Refused(Refusal::NotAvailable);
                    self.frame.bracket = false;
                }
            }
            _ => self.frame = Current::UNSTAMPED,
        }
        self.watch.stop(watch);
        Frame::new(self)
    }

    /// Hands over every frame whose stamps are ready, in order. Never blocks.
    ///
    /// Called once a frame, stamps come back in batches; called again with no frame begun between, whatever is ready.
    pub fn collect(&mut self, sink: &mut dyn FnMut(FrameStamps<'_>)) {
        let watch = self.watch.start();
        if let Some(ring) = &mut self.ring {
            ring.collect(&mut |delivered| sink(FrameStamps::from(delivered)));
        }
        self.watch.stop(watch);
    }

    /// Waits for what is in flight, up to the deadline, and hands it over in order; what is not back by then is
    /// missing as not available.
    ///
    /// Where the GPU does not finish by the deadline, the device is never destroyed: wgpu would wait for it without end.
    pub fn finish(&mut self, deadline: Duration, sink: &mut dyn FnMut(FrameStamps<'_>)) {
        let Some(ring) = &mut self.ring else { return };
        let given_up = ring.counts().given_up;
        ring.finish(deadline, &mut |delivered| sink(FrameStamps::from(delivered)));
        if ring.counts().given_up > given_up {
            ring.backend_mut().forsake();
        }
    }

    pub(crate) fn end_frame(&mut self) {
        if std::mem::take(&mut self.recording) && !self.submitted {
            self.oddities.empty_frames += 1;
        }
        if let Some(ring) = &mut self.ring {
            ring.end();
        }
        self.frame.how = How::Unstamped;
    }

    /// Queries for a run of a pass of the frame being recorded.
    #[inline]
    pub(crate) fn hand_out(&mut self, pass: PassId, submission: u32) -> Option<Run> {
        match self.frame.how {
            How::By(_) if usize::from(pass.0) < self.passes.len() => {
                self.ring.as_mut()?.hand_out(pass, submission, MAIN)
            }
            How::Refused(refusal) => self.refuse(pass, submission, refusal),
            How::Unstamped | How::By(_) => None,
        }
    }

    /// Notes a run of a pass that goes unstamped for this reason.
    pub(crate) fn refuse<T>(&mut self, pass: PassId, submission: u32, refusal: Refusal) -> Option<T> {
        if let Some(ring) = &mut self.ring
            && usize::from(pass.0) < self.passes.len()
        {
            ring.refuse(pass, submission, MAIN, refusal);
        }
        None
    }

    /// Where this submission writes the bracket's start.
    pub(crate) fn bracket_start(&mut self, submission: u32) -> Option<Run> {
        let ring = self.ring.as_mut().filter(|_| self.frame.bracket)?;
        ring.bracket_start(submission)
    }

    /// Where this submission writes the bracket's end.
    pub(crate) fn bracket_end(&mut self, submission: u32) -> Option<Run> {
        let ring = self.ring.as_mut().filter(|_| self.frame.bracket)?;
        ring.bracket_end(submission)
    }

    /// Records a stamp; before a frame's first one, the reset of its part of the pool.
    pub(crate) fn stamp(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        submission: u32,
        slot: SlotIndex,
        query: u32,
        pipe: Pipe,
    ) {
        let Some(ring) = &self.ring else { return };
        match ring.backend().queries(slot) {
            Queries::Set(set) => encoder.write_timestamp(set, query),
            Queries::Pool(pool) => {
                if self.frame.reset_in.is_none()
                    && let Some((_, block)) = ring.recording_block()
                {
                    pool.reset(encoder, block);
                    self.frame.reset_in = Some(submission);
                }
                pool.stamp(encoder, query, pipe);
            }
            Queries::None => {}
        }
        self.settle(encoder, slot, query);
    }

    /// Records that the GPU waits for a stamp of this encoder, where stamps are taken late otherwise.
    pub(crate) fn settle(&self, encoder: &mut wgpu::CommandEncoder, slot: SlotIndex, query: u32) {
        if let (Ok(method), Some(ring)) = (&self.method, &self.ring)
            && method.settles()
        {
            ring.backend().settle(encoder, slot, query);
        }
    }

    /// Drops what a submission recorded.
    pub(crate) fn abandon(&mut self, submission: u32) {
        self.oddities.dropped_submissions += 1;
        self.command_buffers.clear();
        if self.frame.reset_in == Some(submission) {
            self.frame.reset_in = None;
        }
        if let Some(ring) = &mut self.ring {
            ring.abandon(submission);
        }
    }

    pub(crate) fn submit(&mut self) -> wgpu::SubmissionIndex {
        let index = self.queue.submit(self.command_buffers.drain(..));
        self.submitted = true;
        if let Some(ring) = &mut self.ring {
            ring.submitted(MAIN, Some(index.clone()));
        }
        self.wait_if_serial(&index);
        index
    }

    /// The number of the frame's next submission.
    pub(crate) const fn next_submission(&mut self) -> u32 {
        let number = self.frame.submissions;
        self.frame.submissions += 1;
        number
    }

    /// Whether nothing is to run beside a pass.
    pub(crate) const fn is_serial(&self) -> bool {
        self.options.serial.is_some()
    }

    fn wait_if_serial(&self, index: &wgpu::SubmissionIndex) {
        if let Some(timeout) = self.options.serial {
            let submission_index = Some(index.clone());
            // Whoever waits for the frame next meets a fault of this wait again, and can say so.
            let _ = self.device.poll(wgpu::PollType::Wait { submission_index, timeout: Some(timeout) });
        }
    }

    pub(crate) fn submitted(&mut self, submission: u32, index: wgpu::SubmissionIndex) {
        self.command_buffers.clear();
        self.submitted = true;
        self.wait_if_serial(&index);
        if let Some(ring) = &mut self.ring {
            ring.abandon_bracket(submission);
            ring.submitted(MAIN, Some(index));
        }
    }

    pub(crate) fn queries(&self, slot: SlotIndex) -> Option<&Queries> {
        self.ring.as_ref().map(|ring| ring.backend().queries(slot))
    }

    /// The method by which the frame's passes are stamped.
    #[inline]
    pub(crate) const fn method(&self) -> Option<Method> {
        match self.frame.how {
            How::By(method) => Some(method),
            How::Unstamped | How::Refused(_) => None,
        }
    }

    pub(crate) const fn how(&self) -> How {
        self.frame.how
    }

    pub(crate) fn new_encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    pub(crate) const fn device(&self) -> &wgpu::Device {
        &self.device
    }

    pub(crate) const fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    pub(crate) const fn frame_stamping(&self) -> Stamping {
        self.frame.stamping
    }
}

impl<'a> From<Delivered<'a>> for FrameStamps<'a> {
    fn from(delivered: Delivered<'a>) -> Self {
        let [start, end] = delivered.bracket;
        Self {
            frame: delivered.frame,
            stamping: Stamping::of_tag(delivered.tag),
            stamps: delivered.stamps,
            bracket: Bracket { start, end },
            readback_frames: delivered.readback_frames,
            unlisted: delivered.unlisted,
        }
    }
}

/// The first method that is proven, and the clock's step.
fn believed(proof: &ProofReport) -> (Result<Method, Reason>, Option<Ticks>) {
    (proof.method().ok_or(Reason::Unreliable), proof.step())
}

fn check(gpu: &Gpu, passes: &[&str], options: &TimerOptions) -> Result<(), TimerError> {
    let needed = match options.stamping {
        Stamping::Off => &Able::Yes,
        Stamping::Bracket => &gpu.support.bracket,
        Stamping::Attachments => &gpu.support.pass_stamps,
        Stamping::TopBottom => &gpu.support.top_of_pipe,
    };
    if let Able::No(why) = needed {
        return Err(TimerError::Unsupported { stamping: options.stamping, why: why.clone() });
    }
    let most = usize::from(MOST_PAIRS);
    if passes.len() > most {
        return Err(TimerError::TooManyPasses { passes: passes.len(), most });
    }
    let bad = |&(index, name): &(usize, &str)| name.is_empty() || passes[..index].contains(&name);
    match passes.iter().copied().enumerate().find(bad) {
        Some((index, name)) => Err(TimerError::BadName { index, name: name.to_owned() }),
        None => Ok(()),
    }
}
