//! One frame being recorded. In: passes in order, or encoders that the caller owns. Out: queue submissions.

use framecost_sample::PassId;

use crate::{FrameTimer, Stamping};

/// A frame between its start and its end. Ends when dropped.
#[derive(Debug)]
pub struct Frame<'t> {
    timer: &'t mut FrameTimer,
    submissions: u32,
}

/// Command buffers that go to the queue together. Its passes run in the order in which they are recorded.
#[derive(Debug)]
pub struct Submission<'f> {
    timer: &'f mut FrameTimer,
    number: u32,
    encoder: Option<wgpu::CommandEncoder>,
}

impl<'t> Frame<'t> {
    pub(crate) const fn new(timer: &'t mut FrameTimer) -> Self {
        Self { timer, submissions: 0 }
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

    /// The pass of that name.
    #[must_use]
    pub fn pass(&self, name: &str) -> Option<PassId> {
        self.timer.pass(name)
    }

    /// How this frame is stamped.
    #[must_use]
    pub const fn stamping(&self) -> Stamping {
        self.timer.frame_stamping()
    }

    /// Starts the frame's next submission.
    pub fn submission(&mut self) -> Submission<'_> {
        let number = self.submissions;
        self.submissions += 1;
        Submission { timer: self.timer, number, encoder: None }
    }

    /// Ends the frame; dropping it does the same.
    pub fn end(self) {}
}

impl Drop for Frame<'_> {
    fn drop(&mut self) {
        self.timer.end_frame();
    }
}

impl Submission<'_> {
    /// The encoder in use, for untimed work between the passes.
    pub fn encoder(&mut self) -> &mut wgpu::CommandEncoder {
        let Self { timer, encoder, .. } = self;
        encoder.get_or_insert_with(|| timer.new_encoder())
    }

    /// Records a compute pass and stamps it.
    pub fn compute_pass(&mut self, pass: PassId, work: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        let pair = self.timer.pair_for(pass, self.number);
        let Self { timer, encoder, .. } = self;
        let encoder = encoder.get_or_insert_with(|| timer.new_encoder());
        let timestamp_writes = pair.map(|pair| wgpu::ComputePassTimestampWrites {
            query_set: timer.query_set(pair.slot),
            beginning_of_pass_write_index: Some(pair.start),
            end_of_pass_write_index: Some(pair.start + 1),
        });
        let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
        work(&mut encoder.begin_compute_pass(&descriptor));
    }

    /// Records a render pass and stamps it. `descriptor.timestamp_writes` is replaced.
    pub fn render_pass(
        &mut self,
        pass: PassId,
        descriptor: &wgpu::RenderPassDescriptor<'_>,
        work: impl FnOnce(&mut wgpu::RenderPass<'_>),
    ) {
        let pair = self.timer.pair_for(pass, self.number);
        let Self { timer, encoder, .. } = self;
        let encoder = encoder.get_or_insert_with(|| timer.new_encoder());
        let timestamp_writes = pair.map(|pair| wgpu::RenderPassTimestampWrites {
            query_set: timer.query_set(pair.slot),
            beginning_of_pass_write_index: Some(pair.start),
            end_of_pass_write_index: Some(pair.start + 1),
        });
        let descriptor = wgpu::RenderPassDescriptor { timestamp_writes, ..descriptor.clone() };
        work(&mut encoder.begin_render_pass(&descriptor));
    }

    /// Stamps for a compute pass in an encoder of the caller's own, which he hands to [`Self::push`], or submits himself
    /// and tells [`Self::submitted`]. None where the pass goes unstamped.
    ///
    /// Each call is one run of the pass: whoever takes the stamps records the pass with them.
    pub fn compute_writes(&mut self, pass: PassId) -> Option<wgpu::ComputePassTimestampWrites<'_>> {
        let pair = self.timer.pair_for(pass, self.number)?;
        Some(wgpu::ComputePassTimestampWrites {
            query_set: self.timer.query_set(pair.slot),
            beginning_of_pass_write_index: Some(pair.start),
            end_of_pass_write_index: Some(pair.start + 1),
        })
    }

    /// As [`Self::compute_writes`], for a render pass.
    pub fn render_writes(&mut self, pass: PassId) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let pair = self.timer.pair_for(pass, self.number)?;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: self.timer.query_set(pair.slot),
            beginning_of_pass_write_index: Some(pair.start),
            end_of_pass_write_index: Some(pair.start + 1),
        })
    }

    /// Adds a command buffer of the caller's own, after all that was recorded so far.
    pub fn push(&mut self, buffer: wgpu::CommandBuffer) {
        self.close();
        self.timer.command_buffers.push(buffer);
    }

    /// Hands everything recorded to the queue.
    pub fn submit(mut self) -> wgpu::SubmissionIndex {
        self.close();
        self.timer.submit()
    }

    /// Says that the caller submitted his encoders himself, and as what. What was recorded here is submitted first.
    pub fn submitted(mut self, index: wgpu::SubmissionIndex) {
        self.close();
        self.timer.submitted(index);
    }

    fn close(&mut self) {
        if let Some(encoder) = self.encoder.take() {
            self.timer.command_buffers.push(encoder.finish());
        }
    }
}
