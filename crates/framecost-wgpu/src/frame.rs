//! One frame being recorded. In: passes in order, or encoders that the caller owns. Out: queue submissions.

use framecost_probe::inflight::{Pair, Refusal, SlotIndex};
use framecost_sample::PassId;

use crate::backend::Queries;
use crate::proof::Method;
use crate::timer::{How, Run};
use crate::vulkan::Pipe;
use crate::{FrameTimer, Stamping};

/// A frame between its start and its end. Ends when dropped.
#[derive(Debug)]
pub struct Frame<'t> {
    timer: &'t mut FrameTimer,
}

/// Command buffers that go to the queue together. Its passes run in the order in which they are recorded.
///
/// Dropped without [`Self::submit`] or [`Self::submitted`], nothing of it runs, except what a serial frame has submitted.
#[derive(Debug)]
pub struct Submission<'f> {
    timer: &'f mut FrameTimer,
    number: u32,
    /// The encoder of wgpu's commands that is open.
    work: Option<wgpu::CommandEncoder>,
    /// The encoder of stamps alone that is open. Never both: command buffers run in the order in which they are closed.
    stamps: Option<wgpu::CommandEncoder>,
    /// Whether an encoder of wgpu's commands was closed, so that the next one is another.
    split: bool,
    /// Whether it holds a pass, or commands of the caller's own.
    filled: bool,
    handed_over: bool,
}

impl<'t> Frame<'t> {
    pub(crate) const fn new(timer: &'t mut FrameTimer) -> Self {
        Self { timer }
    }

    /// The device that the frame is recorded for.
    #[must_use]
    pub const fn device(&self) -> &wgpu::Device {
        self.timer.device()
    }

    /// The queue that the frame is submitted to.
    #[must_use]
    pub const fn queue(&self) -> &wgpu::Queue {
        self.timer.queue()
    }

    /// The pass of that name. None where the timer has none, which is noted for the run's report: see
    /// [`crate::Oddities`].
    #[must_use]
    pub fn pass(&mut self, name: &str) -> Option<PassId> {
        let pass = self.timer.pass(name);
        if pass.is_none() {
            self.timer.oddities.unknown_pass(name);
        }
        pass
    }

    /// How this frame is stamped.
    #[must_use]
    pub const fn stamping(&self) -> Stamping {
        self.timer.frame_stamping()
    }

    /// Whether nothing is to run beside a pass: then each pass is to be in a submission of its own, after which the host
    /// waits for the GPU.
    ///
    /// A [`Submission`] sees to that: what was recorded before a pass goes to the queue first. A program that records several
    /// passes into one encoder of its own asks here, and uses an encoder and [`Submission::push`] for each.
    #[must_use]
    pub const fn is_serial(&self) -> bool {
        self.timer.is_serial()
    }

    /// Starts the frame's next submission.
    pub fn submission(&mut self) -> Submission<'_> {
        Submission::new(self.timer)
    }

    /// Ends the frame; dropping it does the same.
    pub fn end(self) {}
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        self.timer.end_frame();
    }
}

impl<'f> Submission<'f> {
    fn new(timer: &'f mut FrameTimer) -> Self {
        let number = timer.next_submission();
        let mut submission =
            Self { timer, number, work: None, stamps: None, split: false, filled: false, handed_over: false };
        if let Some((slot, pair)) = submission.timer.bracket_start(number) {
            submission.stamp(slot, pair.start(), Pipe::Top);
        }
        submission
    }

    /// The encoder in use, for untimed work between the passes. A pass may close it: ask again after each.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        self.close_stamps();
        let Self { timer, work, .. } = self;
        work.get_or_insert_with(|| timer.new_encoder())
    }

    /// Records a compute pass and stamps it.
    pub fn compute_pass(&mut self, pass: PassId, work: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let run = self.start(pass);
        let Self { timer, work: encoder, .. } = self;
        let encoder = encoder.get_or_insert_with(|| timer.new_encoder());
        let timestamp_writes = run.and_then(|run| compute_writes(timer, run));
        let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
        work(&mut encoder.begin_compute_pass(&descriptor));
        self.stop(run);
    }

    /// Records a render pass and stamps it. `descriptor.timestamp_writes` is replaced.
    pub fn render_pass(
        &mut self,
        pass: PassId,
        descriptor: &wgpu::RenderPassDescriptor<'_>,
        work: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let run = self.start(pass);
        let Self { timer, work: encoder, .. } = self;
        let encoder = encoder.get_or_insert_with(|| timer.new_encoder());
        let timestamp_writes = run.and_then(|run| render_writes(timer, run));
        let descriptor = wgpu::RenderPassDescriptor { timestamp_writes, ..descriptor.clone() };
        work(&mut encoder.begin_render_pass(&descriptor));
        self.stop(run);
    }

    /// Stamps for a compute pass in an encoder of the caller's own, which he hands to [`Self::push`], or submits himself
    /// and tells [`Self::submitted`]. None where the pass goes unstamped, and always where stamps need command buffers
    /// of their own: the pass is then missing, as unreliable or unsupported.
    ///
    /// Each call is one run of the pass: whoever takes the stamps records the pass with them.
    pub fn compute_writes(&mut self, pass: PassId) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let run = self.attachment(pass)?;
        compute_writes(self.timer, run)
    }

    /// As [`Self::compute_writes`], for a render pass.
    pub fn render_writes(&mut self, pass: PassId) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let run = self.attachment(pass)?;
        render_writes(self.timer, run)
    }

    /// Adds a command buffer of the caller's own, after all that was recorded so far.
    pub fn push(&mut self, buffer: wgpu::CommandBuffer) {
        self.close();
        self.timer.command_buffers.push(buffer);
        self.filled = true;
    }

    /// Hands everything recorded to the queue.
    pub fn submit(mut self) -> wgpu::SubmissionIndex {
        if let Some((slot, pair)) = self.timer.bracket_end(self.number) {
            self.stamp(slot, pair.end(), Pipe::Bottom);
        }
        self.close();
        self.handed_over = true;
        self.timer.submit()
    }

    /// Says that the caller submitted his encoders himself, and as what. Nothing recorded here is submitted; a bracket
    /// around the frame is missing.
    pub fn submitted(mut self, index: wgpu::SubmissionIndex) {
        self.handed_over = true;
        self.timer.submitted(self.number, index);
    }

    /// Before a pass beside which nothing may run: what was recorded so far is submitted and waited for.
    #[inline]
    fn part_if_serial(&mut self) {
        if self.timer.is_serial() && std::mem::take(&mut self.filled) {
            self.close();
            self.timer.submit();
            self.number = self.timer.next_submission();
        }
    }

    /// Before a pass: its queries, and its start stamp where that needs a command buffer of its own.
    #[inline]
    fn start(&mut self, pass: PassId) -> Option<Run> {
        self.part_if_serial();
        self.filled = true;
        if self.timer.watch.is_watching() {
            return self.start_watched(pass);
        }
        let run = self.timer.hand_out(pass, self.number);
        self.stamp_start(run);
        run
    }

    #[cold]
    fn start_watched(&mut self, pass: PassId) -> Option<Run> {
        let watch = self.timer.watch.start();
        self.timer.watch.pass();
        let run = self.timer.hand_out(pass, self.number);
        self.timer.watch.stop(watch);
        if run.is_some() && self.timer.method() != Some(Method::Attachments) {
            self.close_work();
        }
        let watch = self.timer.watch.start();
        self.stamp_start(run);
        if self.split && self.work.is_none() {
            self.work = Some(self.timer.new_encoder());
        }
        self.timer.watch.stop(watch);
        run
    }

    #[inline]
    fn stamp_start(&mut self, run: Option<Run>) {
        if let Some((slot, pair)) = run
            && self.timer.method() != Some(Method::Attachments)
        {
            self.stamp(slot, pair.start(), Pipe::Top);
        }
        self.close_stamps();
    }

    /// After a pass: its end stamp where no attachment writes it, or a wait for it.
    #[inline]
    fn stop(&mut self, run: Option<Run>) {
        if let (Some(run), Some(method)) = (run, self.timer.method())
            && method != Method::Attachments
        {
            self.stamp_end(run, method);
        }
    }

    fn stamp_end(&mut self, (slot, pair): Run, method: Method) {
        if method.is_raw() {
            self.close_work();
        }
        let watch = self.timer.watch.start();
        if method.is_raw() {
            self.stamp(slot, pair.end(), Pipe::Bottom);
        } else if let Some(encoder) = &mut self.work {
            self.timer.settle(encoder, slot, pair.end());
        }
        self.timer.watch.stop(watch);
    }

    /// Queries for a pass that the caller records: only attachments reach it.
    fn attachment(&mut self, pass: PassId) -> Option<Run> {
        self.part_if_serial();
        match self.timer.how() {
            // The attachments' stamps were tried and found wanting.
            How::By(Method::OwnBuffer) => self.timer.refuse(pass, self.number, Refusal::Unreliable),
            How::By(Method::TopBottom | Method::SettledTopBottom) => {
                self.timer.refuse(pass, self.number, Refusal::Unsupported)
            }
            How::By(Method::Attachments) | How::Unstamped | How::Refused(_) => {
                self.timer.hand_out(pass, self.number)
            }
        }
    }

    /// Records a stamp in a command buffer of stamps alone.
    fn stamp(&mut self, slot: SlotIndex, query: u32, pipe: Pipe) {
        self.close_work();
        let Self { timer, stamps, number, .. } = self;
        let encoder = stamps.get_or_insert_with(|| timer.new_encoder());
        timer.stamp(encoder, *number, slot, query, pipe);
    }

    #[inline]
    fn close_stamps(&mut self) {
        if let Some(stamps) = self.stamps.take() {
            self.timer.command_buffers.push(stamps.finish());
        }
    }

    fn close(&mut self) {
        self.close_stamps();
        self.close_work();
    }

    /// Closes the encoder of the program's commands. wgpu encodes them then, sooner or later anyway: that is no part of what
    /// stamping costs, and is kept out of the stopwatch.
    fn close_work(&mut self) {
        if let Some(work) = self.work.take() {
            self.timer.command_buffers.push(work.finish());
            self.split = true;
        }
    }
}

impl Drop for Submission<'_> {
    fn drop(&mut self) {
        if !self.handed_over {
            self.timer.abandon(self.number);
        }
    }
}

/// The indices that a pass's attachments write: both, or only the end where the start has a command buffer of its own.
fn indices(how: How, pair: Pair) -> Option<(Option<u32>, Option<u32>)> {
    match how {
        How::By(Method::Attachments) => Some((Some(pair.start()), Some(pair.end()))),
        How::By(Method::OwnBuffer) => Some((None, Some(pair.end()))),
        How::By(Method::TopBottom | Method::SettledTopBottom) | How::Unstamped | How::Refused(_) => None,
    }
}

fn compute_writes(timer: &FrameTimer, (slot, pair): Run) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
    let (start, end) = indices(timer.how(), pair)?;
    let Queries::Set(query_set) = timer.queries(slot)? else { return None };
    Some(wgpu::ComputePassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: start,
        end_of_pass_write_index: end,
    })
}

fn render_writes(timer: &FrameTimer, (slot, pair): Run) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
    let (start, end) = indices(timer.how(), pair)?;
    let Queries::Set(query_set) = timer.queries(slot)? else { return None };
    Some(wgpu::RenderPassTimestampWrites {
        query_set,
        beginning_of_pass_write_index: start,
        end_of_pass_write_index: end,
    })
}
