//! Runs in which nothing goes beside a pass: each in a submission of its own, which the host waits for.
//! Without any adapter these tests fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may end the program, and says what it left out"
)]

use std::sync::Mutex;

use framecost_harness::{
    Benchmark, Frame, FrameSamples, Gpu, Plan, RunError, Scene, SceneError, SceneInfo, Setup, run,
};
use framecost_sample::{Capture, Size};

/// Work that takes any GPU longer than the host takes to ask whether it is done.
const SPIN: &str = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(1) fn spin() {
    var x = out[0];
    for (var i = 0u; i < 400000u; i++) { x = x * 1664525u + 1013904223u; }
    out[0] = x;
}";

/// How a frame records its passes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// Through the submission.
    Handed,
    /// In encoders of the scene's own, one for each pass where it is asked to.
    Own,
}

struct Two {
    way: Way,
    /// For each pass behind the first of a frame: whether the GPU was done with all before it when it was recorded.
    done: Mutex<Vec<bool>>,
}

struct Loaded<'a> {
    seen: &'a Two,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

impl Benchmark for &'static Two {
    fn info(&self) -> SceneInfo {
        SceneInfo { frames: 8, ..SceneInfo::new("two", &["first", "second"]) }
    }

    fn load(&self, gpu: &Gpu, _: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let source = wgpu::ShaderSource::Wgsl(SPIN.into());
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 4,
            usage: wgpu::BufferUsages::STORAGE,
            mapped_at_creation: false,
        });
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Ok(Box::new(Loaded { seen: self, pipeline, group }))
    }
}

impl Loaded<'_> {
    fn spin(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(1, 1, 1);
    }

    fn note(&self, device: &wgpu::Device) {
        let idle = device.poll(wgpu::PollType::Poll).is_ok_and(|status| status.is_queue_empty());
        self.seen.done.lock().unwrap().push(idle);
    }
}

impl Scene for Loaded<'_> {
    fn frame(&mut self, _: u64, frame: &mut Frame<'_>, _: &mut FrameSamples<'_>) {
        let (first, second) = (frame.pass("first").unwrap(), frame.pass("second").unwrap());
        let (device, serial) = (frame.device().clone(), frame.is_serial());
        let mut submission = frame.submission();
        if self.seen.way == Way::Handed {
            submission.compute_pass(first, |pass| self.spin(pass));
            submission.compute_pass(second, |pass| {
                self.note(&device);
                self.spin(pass);
            });
        } else {
            let encoder = || device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let mut own = encoder();
            for id in [first, second] {
                {
                    let timestamp_writes = submission.compute_writes(id);
                    if id == second {
                        self.note(&device);
                    }
                    let descriptor = wgpu::ComputePassDescriptor { label: None, timestamp_writes };
                    self.spin(&mut own.begin_compute_pass(&descriptor));
                }
                if serial {
                    submission.push(std::mem::replace(&mut own, encoder()).finish());
                }
            }
            submission.push(own.finish());
        }
        submission.submit();
    }
}

/// The capture, and how many of the passes behind a first one found the GPU idle; none where there is no adapter.
fn measured(way: Way, serial: bool) -> Option<(Capture, Vec<bool>)> {
    let scene: &'static Two = Box::leak(Box::new(Two { way, done: Mutex::default() }));
    let plan = Plan {
        size: Size { width: 4, height: 4 },
        warm_up: 1,
        calibration_pairs: 1,
        frames_in_flight: if serial { 1 } else { 2 },
        serial,
        ..Plan::default()
    };
    match run(&scene, &plan, &mut ()) {
        Err(RunError::Open(fault)) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out, no adapter: {fault}");
            None
        }
        Err(RunError::Open(fault)) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
        ended => {
            let capture = ended.unwrap().remove(0).capture;
            let done = std::mem::take(&mut *scene.done.lock().unwrap());
            Some((capture, done))
        }
    }
}

/// The submission of each pass of a frame, which is the same in every frame.
fn submissions(capture: &Capture) -> Vec<u32> {
    let of = |frame: u64| -> Vec<u32> {
        capture.stamps.iter().filter(|stamp| stamp.frame == frame).map(|stamp| stamp.submission).collect()
    };
    for frame in &capture.frames {
        assert_eq!(of(*frame), of(0), "frame {frame}");
    }
    of(0)
}

#[test]
fn a_serial_run_waits_after_each_pass_and_its_key_says_so() {
    for way in [Way::Handed, Way::Own] {
        let Some((capture, done)) = measured(way, true) else { return };
        assert_eq!(submissions(&capture), [0, 1], "{way:?}: each pass in a submission of its own");
        assert!(done.iter().all(|idle| *idle), "{way:?}: {done:?}");
        assert_eq!(capture.key.instrumentation.0, "passes by attachments, serial");
        assert_eq!(capture.key.frames_in_flight, Some(1));
    }
}

#[test]
fn any_other_run_keeps_its_submissions() {
    for way in [Way::Handed, Way::Own] {
        let Some((capture, _)) = measured(way, false) else { return };
        assert_eq!(submissions(&capture), [0, 0], "{way:?}");
        assert_eq!(capture.key.instrumentation.0, "passes by attachments");
    }
}
