//! Work of size 1, 2 and 4 behind a render pass, through the public interface: the stamps cover what the host waited for, or
//! are unreliable. Each frame is held against its own wait, so that a busy machine, which stretches both, changes no verdict.

use std::time::{Duration, Instant};

use framecost_sample::{PassId, Reading, Reason};
use framecost_wgpu::{FrameTimer, Gpu, OpenOptions, Stamping, TimerOptions};

mod small;

const RENDER: PassId = PassId(0);
const COMPUTE: PassId = PassId(1);
/// The first is the frame without work: what submitting and waking up take by themselves.
const SIZES: [u32; 4] = [0, 1, 2, 4];

/// Tries until in each size the host was woken in time once. True stamps get there at last, whatever else the machine does;
/// stamps that leave work out never do.
const TRIES: usize = 80;

/// The least that was seen of one size, in nanoseconds.
#[derive(Clone, Copy, Debug)]
struct Least {
    /// The compute pass, as stamped.
    stamped: f64,
    /// What the host waited beyond both passes' stamps.
    unexplained: f64,
}

/// Whether the stamps cover all work: the wait that they do not explain is that of the frame without work, give or take a
/// share of the smallest work. It must be too short for as little as half of that to hide in it.
fn covered(least: &[Least; 4], tolerance: f64) -> bool {
    let [idle, working @ ..] = least;
    let most = idle.unexplained + tolerance * working[0].stamped;
    most < working[0].stamped / 2.0 && working.iter().all(|it| it.unexplained <= most)
}

#[test]
fn stamps_that_leave_work_out_cover_nothing_however_busy_the_machine_is() {
    let of =
        |rows: [(f64, f64); 4]| rows.map(|(stamped, wall)| Least { stamped, unexplained: wall - stamped });
    assert!(covered(&of([(0.0, 0.4), (18.0, 18.5), (37.0, 37.4), (75.0, 75.6)]), 0.15));
    // Equal work that took ever longer, since something else ran beside it: the stamps say so too.
    assert!(covered(&of([(0.0, 0.4), (18.0, 18.5), (90.0, 90.4), (75.0, 75.6)]), 0.15));
    // As lavapipe of Mesa 22.3 has it: all but the first dispatch.
    assert!(!covered(&of([(0.0, 0.4), (0.06, 18.5), (18.0, 37.4), (55.0, 75.6)]), 0.15));
    assert!(!covered(&of([(0.0, 0.4), (18.0, 18.5), (37.0, 37.4), (55.0, 75.6)]), 0.15), "in one size alone");
    assert!(!covered(&of([(0.0, 0.4), (0.0, 18.5), (0.0, 37.4), (0.0, 75.6)]), 0.15), "nothing");
    assert!(!covered(&of([(0.0, 30.0), (18.0, 18.5), (37.0, 37.4), (55.0, 75.6)]), 0.15), "no quiet moment");
}

#[test]
fn work_of_size_1_2_and_4_is_stamped_whole_or_is_unreliable() {
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
        let options = TimerOptions { stamping, frames_in_flight: 1, ..TimerOptions::default() };
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
        Self { gpu, timer, pipeline, bindings, target: small::target(device), groups }
    }

    fn check(mut self, stamping: Stamping) {
        let tolerance = if self.gpu.info.device_type == wgpu::DeviceType::Cpu { 0.15 } else { 0.1 };
        let mut least = [Least { stamped: f64::INFINITY, unexplained: f64::INFINITY }; 4];
        for _ in 0..TRIES {
            for (least, size) in least.iter_mut().zip(SIZES) {
                match self.draw(size) {
                    Ok(seen) => {
                        least.stamped = least.stamped.min(seen.stamped);
                        least.unexplained = least.unexplained.min(seen.unexplained);
                    }
                    Err(reason) => {
                        assert_eq!(reason, Reason::Unreliable);
                        say(&format!("{stamping:?}: unreliable, so missing"));
                        return;
                    }
                }
            }
            if covered(&least, tolerance) {
                say(&format!("{stamping:?}: {least:.0?}"));
                return;
            }
        }
        panic!("{stamping:?}: the stamps leave work out: {least:.0?}");
    }

    /// One frame.
    fn draw(&mut self, size: u32) -> Result<Least, Reason> {
        let attachments = small::cleared(&self.target);
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
    fn times(&mut self, wall: f64) -> Result<Least, Reason> {
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
        Ok(Least { stamped: times[usize::from(COMPUTE.0)], unexplained: wall - sum })
    }
}
