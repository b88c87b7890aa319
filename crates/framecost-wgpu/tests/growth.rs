//! Work of size 1, 2 and 4 behind a render pass, through the public interface: it reads as 1 : 2 : 4, or is unreliable.

use std::time::{Duration, Instant};

use framecost_sample::{PassId, Reading, Reason};
use framecost_wgpu::{FrameTimer, Gpu, OpenOptions, Stamping, TimerOptions};

const RENDER: PassId = PassId(0);
const COMPUTE: PassId = PassId(1);
const SIZES: [u32; 3] = [1, 2, 4];

/// Tries until three sizes have gone undisturbed. Work that is stamped truly gets there at last, whatever else the
/// machine does; stamps that leave work out never do.
const TRIES: usize = 80;

#[test]
fn work_of_size_1_2_and_4_reads_as_1_to_2_to_4_or_is_unreliable() {
    let gpu = match Gpu::open(&OpenOptions::default()) {
        Ok(gpu) => gpu,
        Err(fault) if std::env::var("FRAMECOST_NO_ADAPTER").is_ok_and(|value| value == "allow") => {
            say(&format!("left out, for want of an adapter: {fault}"));
            return;
        }
        Err(fault) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
    };
    for stamping in [Stamping::Attachments, Stamping::TopBottom] {
        if stamping == Stamping::TopBottom && !gpu.support.top_of_pipe.is_yes() {
            say("left out: the adapter has no stamps at the top of the pipe");
            continue;
        }
        let options = TimerOptions { stamping, frames_in_flight: 1 };
        let timer = FrameTimer::new(&gpu, &["render", "compute"], &options);
        Growth::new(&gpu, timer.unwrap_or_else(|fault| panic!("{fault}"))).check(stamping);
    }
}

#[allow(clippy::print_stdout, reason = "a test that leaves something out says so")]
fn say(text: &str) {
    println!("{text}");
}

struct Growth<'g> {
    gpu: &'g Gpu,
    timer: FrameTimer,
    pipeline: wgpu::ComputePipeline,
    bindings: wgpu::BindGroup,
    target: wgpu::TextureView,
    groups: u32,
}

impl<'g> Growth<'g> {
    fn new(gpu: &'g Gpu, timer: FrameTimer) -> Self {
        // A millisecond or several of work on either kind of device.
        let software = gpu.info.device_type == wgpu::DeviceType::Cpu;
        let (groups, rounds) = if software { (2048, 64) } else { (8192, 8192) };
        let device = &gpu.device;
        let source = format!(
            "@group(0) @binding(0) var<storage, read_write> results: array<u32>;
             @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
                 var x = id.x;
                 for (var i = 0u; i < {rounds}u; i++) {{ x = x * 1664525u + 1013904223u; }}
                 results[id.x & 0x3fffu] = x;
             }}"
        );
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let results = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 1 << 16,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let bindings = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: results.as_entire_binding() }],
        });
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: 64, height: 64, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { gpu, timer, pipeline, bindings, target, groups }
    }

    fn check(mut self, stamping: Stamping) {
        let tolerance = if self.gpu.info.device_type == wgpu::DeviceType::Cpu { 0.15 } else { 0.02 };
        let mut least = [f64::INFINITY; 3];
        for _ in 0..TRIES {
            for (least, size) in least.iter_mut().zip(SIZES) {
                match self.draw(size) {
                    Ok(time) => *least = least.min(time),
                    Err(reason) => {
                        assert_eq!(reason, Reason::Unreliable);
                        say(&format!("{stamping:?}: unreliable, so missing"));
                        return;
                    }
                }
            }
            let off = |i: usize| (least[i] / least[0] / f64::from(SIZES[i]) - 1.0).abs();
            if off(1) <= tolerance && off(2) <= tolerance {
                say(&format!("{stamping:?}: {least:.0?} ns"));
                return;
            }
        }
        panic!("{stamping:?}: {least:?} ns is not 1 : 2 : 4");
    }

    /// One frame; the compute pass's time in nanoseconds.
    fn draw(&mut self, size: u32) -> Result<f64, Reason> {
        let attachments = [Some(wgpu::RenderPassColorAttachment {
            view: &self.target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })];
        let descriptor = wgpu::RenderPassDescriptor { color_attachments: &attachments, ..Default::default() };
        let mut frame = self.timer.begin_frame(0);
        let mut submission = frame.submission();
        submission.render_pass(RENDER, &descriptor, |_| {});
        submission.compute_pass(COMPUTE, |pass| {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.bindings, &[]);
            (0..size).for_each(|_| pass.dispatch_workgroups(self.groups, 1, 1));
        });
        let started = Instant::now();
        let index = submission.submit();
        frame.end();
        let patience = Some(Duration::from_secs(60));
        let poll = wgpu::PollType::Wait { submission_index: Some(index), timeout: patience };
        self.gpu.device.poll(poll).unwrap_or_else(|fault| panic!("{fault}"));
        let wall = started.elapsed().as_secs_f64() * 1e9;
        self.times(wall)
    }

    /// Reads the frame. The passes never take longer together than the host waited for them.
    fn times(&mut self, wall: f64) -> Result<f64, Reason> {
        let clock = self.timer.clocks().remove(0);
        let mut times = Vec::new();
        self.timer.finish(Duration::from_secs(60), &mut |frame| {
            times.extend(frame.stamps.iter().map(|row| {
                let ticks = clock.valid_bits.elapsed(row.start.clone().ok()?, row.end.clone().ok()?)?;
                Ok(clock.period.nanos(ticks).0)
            }));
        });
        let times: Vec<f64> = times.into_iter().collect::<Result<_, Reason>>()?;
        let step = match clock.step {
            Reading::Measured(step) => clock.period.nanos(step).0,
            Reading::Missing(reason) => panic!("the clock's step is missing: {reason}"),
        };
        let sum: f64 = times.iter().sum();
        assert!(sum <= wall + step, "passes of {sum} ns in {wall} ns");
        Ok(times[usize::from(COMPUTE.0)])
    }
}
