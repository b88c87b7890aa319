//! Extra GPU work of any amount in anybody's scene: a known loss, to see whether it is found. In: a benchmark. Out: the same
//! with one more pass and one more switch, which says how much that pass does.

use std::sync::OnceLock;

use framecost_sample::Switches;

use crate::{Benchmark, Frame, FrameSamples, Gpu, Image, Scene, SceneError, SceneInfo, Setup, SwitchDef};

const SHADER: &str = include_str!("injected.wgsl");

/// Invocations of the pass: few enough to be done at once on any GPU, enough to fill every lane of a software one.
const GROUPS: u32 = 64;
const GROUP_SIZE: u32 = 64;

/// A benchmark with extra work behind each frame's own: rounds of integer arithmetic, one after the other, so that the time
/// grows by the same step for each round. With none the pass is there all the same and does nothing.
///
/// Its captures have a settings hash of their own: they are never compared with those of the scene as it is.
pub struct Injected<'a> {
    inner: &'a dyn Benchmark,
    info: OnceLock<SceneInfo>,
}

impl<'a> Injected<'a> {
    /// The switch and the pass.
    pub const NAME: &'static str = "injected_work";
    /// The most rounds that the switch allows.
    pub const MOST: u64 = 1 << 28;

    /// That benchmark with extra work.
    #[must_use]
    pub fn new(inner: &'a dyn Benchmark) -> Self {
        Self { inner, info: OnceLock::new() }
    }

    /// Those switches with so many rounds of extra work.
    #[must_use]
    pub fn switches(set: &Switches, rounds: u64) -> Switches {
        let mut set = set.clone();
        set.0.insert(Self::NAME.into(), rounds.to_string());
        set
    }
}

impl std::fmt::Debug for Injected<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Injected").field("info", &self.info()).finish_non_exhaustive()
    }
}

impl Benchmark for Injected<'_> {
    fn info(&self) -> SceneInfo {
        let info = self.info.get_or_init(|| {
            let mut info = self.inner.info();
            info.passes.push(Self::NAME.into());
            info.switches.push(SwitchDef::number(
                Self::NAME,
                0,
                0,
                Self::MOST,
                "rounds of extra work in each frame",
            ));
            info.settings.push_str(", with a pass of extra work");
            info
        });
        info.clone()
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let (rounds, own) = split(setup)?;
        let scene = self.inner.load(gpu, &own)?;
        let work = Work::new(gpu);
        work.set(rounds);
        Ok(Box::new(Loaded { scene, own, work }))
    }
}

/// The rounds, and what is the scene's own.
fn split(setup: &Setup) -> Result<(u32, Setup), SceneError> {
    let rounds = u32::try_from(setup.number(Injected::NAME)?)?;
    let mut own = setup.clone();
    own.switches.0.remove(Injected::NAME);
    Ok((rounds, own))
}

struct Loaded {
    scene: Box<dyn Scene>,
    own: Setup,
    work: Work,
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        self.scene.frame(index, frame, samples);
        let Some(pass) = frame.pass(Injected::NAME) else { return };
        let mut submission = frame.submission();
        submission.compute_pass(pass, |pass| {
            pass.set_pipeline(&self.work.pipeline);
            pass.set_bind_group(0, &self.work.group, &[]);
            pass.dispatch_workgroups(GROUPS, 1, 1);
        });
        submission.submit();
    }

    /// Where only the amount of extra work changes, the scene's own state is that of any frame 0 drawn again.
    fn again(&mut self, setup: &Setup) -> Result<bool, SceneError> {
        let (rounds, own) = split(setup)?;
        let same = own.size == self.own.size && own.switches == self.own.switches;
        if same {
            self.work.set(rounds);
        }
        Ok(same)
    }

    fn finish(&mut self, samples: &mut FrameSamples<'_>) {
        self.scene.finish(samples);
    }

    fn simulate(&mut self, index: u64) {
        self.scene.simulate(index);
    }

    fn behind(&mut self, x: u32, y: u32) -> Vec<String> {
        self.scene.behind(x, y)
    }

    fn image(&mut self) -> Result<Image, SceneError> {
        self.scene.image()
    }
}

struct Work {
    queue: wgpu::Queue,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    rounds: wgpu::Buffer,
}

impl Work {
    fn new(gpu: &Gpu) -> Self {
        let source = wgpu::ShaderSource::Wgsl(SHADER.into());
        let label = Some(Injected::NAME);
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: None,
            module: &module,
            entry_point: None,
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffer = |size, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label,
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let rounds = buffer(16, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST);
        let out = buffer(u64::from(4 * GROUPS * GROUP_SIZE), wgpu::BufferUsages::STORAGE);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: rounds.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: out.as_entire_binding() },
            ],
        });
        Self { queue: gpu.queue.clone(), pipeline, group, rounds }
    }

    fn set(&self, rounds: u32) {
        let words = [rounds, 0, 0, 0].map(u32::to_le_bytes);
        self.queue.write_buffer(&self.rounds, 0, words.as_flattened());
    }
}
