//! A frame of twelve passes on wgpu's noop backend, recorded in several ways: what is left is the cost of recording.

#![allow(unreachable_pub, dead_code, reason = "shared by a test and a benchmark, which use parts of it each")]

use framecost_wgpu::{FrameTimer, Gpu, TimerOptions};

#[path = "../small/mod.rs"]
mod small;

/// Passes of a frame: as many as a full renderer times.
pub const PASSES: [&str; 12] = [
    "bend",
    "refit",
    "build",
    "lights",
    "culling",
    "depth",
    "pyramid",
    "late culling",
    "late depth",
    "shadow mask",
    "lit",
    "tonemapping",
];

/// Which passes draw; the others compute.
pub type Shape = [bool; PASSES.len()];

/// Every pass computes.
pub const COMPUTE: Shape = [false; PASSES.len()];

/// As in a renderer.
pub const RENDERER: Shape = [false, false, false, false, false, true, false, false, true, false, true, true];

/// A noop device with something to draw on.
pub struct Noop {
    pub gpu: Gpu,
    shape: Shape,
    target: wgpu::TextureView,
    set: wgpu::QuerySet,
    resolve: wgpu::Buffer,
    map: wgpu::Buffer,
}

impl Noop {
    pub fn open(shape: Shape) -> Self {
        let noop = wgpu::NoopBackendOptions { enable: true, ..Default::default() };
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
            backends: wgpu::Backends::NOOP,
            backend_options: wgpu::BackendOptions { noop, ..Default::default() },
            ..wgpu::InstanceDescriptor::new_without_display_handle()
        });
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .expect("the noop backend is compiled in");
        let features = wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let descriptor = wgpu::DeviceDescriptor { required_features: features, ..Default::default() };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&descriptor)).expect("noop has every feature");
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 256,
                usage,
                mapped_at_creation: false,
            })
        };
        Self {
            target: small::target(&device),
            set: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Timestamp,
                count: 2 * PASSES.len() as u32,
            }),
            resolve: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            map: buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
            gpu: Gpu::from_device(adapter, device, queue),
            shape,
        }
    }

    pub fn timer(&self, options: &TimerOptions) -> FrameTimer {
        FrameTimer::unproven(&self.gpu, &PASSES, options).expect("noop has every feature")
    }

    /// A frame as wgpu alone records it; `stamped` with a query pair to each pass.
    pub fn plain(&self, stamped: bool) {
        let mut encoder = self.encoder();
        for (i, draws) in (0u32..).zip(self.shape) {
            let pair = stamped.then_some((2 * i, 2 * i + 1));
            if draws {
                let timestamp_writes = pair.map(|(start, end)| wgpu::RenderPassTimestampWrites {
                    query_set: &self.set,
                    beginning_of_pass_write_index: Some(start),
                    end_of_pass_write_index: Some(end),
                });
                let attachments = self.attachments();
                encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    timestamp_writes,
                    ..drawn(&attachments)
                });
            } else {
                let timestamp_writes = pair.map(|(start, end)| wgpu::ComputePassTimestampWrites {
                    query_set: &self.set,
                    beginning_of_pass_write_index: Some(start),
                    end_of_pass_write_index: Some(end),
                });
                encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
            }
        }
        self.gpu.queue.submit([encoder.finish()]);
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
    }

    /// Brings the stamps of [`Self::plain`] back, as a program does by hand that reads them once its frame has completed.
    pub fn read_by_hand(&self) {
        let mut encoder = self.encoder();
        let bytes = u64::from(wgpu::QUERY_SIZE) * 2 * PASSES.len() as u64;
        encoder.resolve_query_set(&self.set, 0..2 * PASSES.len() as u32, &self.resolve, 0);
        encoder.copy_buffer_to_buffer(&self.resolve, 0, &self.map, 0, bytes);
        self.gpu.queue.submit([encoder.finish()]);
        self.map.slice(..bytes).map_async(wgpu::MapMode::Read, |_| {});
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        drop(self.map.slice(..bytes).get_mapped_range());
        self.map.unmap();
    }

    /// The same frame through a timer.
    pub fn framecost(&self, timer: &mut FrameTimer, index: u64, seen: &mut u64) {
        let mut frame = timer.begin_frame(index);
        let mut submission = frame.submission();
        for (i, draws) in (0u16..).zip(self.shape) {
            let pass = framecost_sample::PassId(i);
            if draws {
                submission.render_pass(pass, &drawn(&self.attachments()), |_| {});
            } else {
                submission.compute_pass(pass, |_| {});
            }
        }
        submission.submit();
        frame.end();
        let _ = self.gpu.device.poll(wgpu::PollType::Poll);
        timer.collect(&mut |frame| *seen += frame.stamps.len() as u64);
    }

    pub fn encoder(&self) -> wgpu::CommandEncoder {
        self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    pub fn attachments(&self) -> [Option<wgpu::RenderPassColorAttachment<'_>>; 1] {
        small::cleared(&self.target)
    }

    /// Which passes draw.
    pub fn draws(&self) -> impl Iterator<Item = (&'static str, bool)> {
        PASSES.into_iter().zip(self.shape)
    }
}

/// A render pass with these attachments.
pub fn drawn<'a>(
    color_attachments: &'a [Option<wgpu::RenderPassColorAttachment<'a>>],
) -> wgpu::RenderPassDescriptor<'a> {
    wgpu::RenderPassDescriptor { color_attachments, ..Default::default() }
}
