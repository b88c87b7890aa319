//! GPU work of any amount. In: a number of rounds. Out: a dispatch that takes as long as they do.

use framecost_wgpu::Gpu;

const SHADER: &str = include_str!("work.wgsl");

/// Invocations: few enough to be done at once on any GPU, enough to fill every lane of a software one.
const GROUPS: u32 = 16;
const GROUP_SIZE: u32 = 64;

/// A dispatch whose time grows by the same step for each round.
#[derive(Debug)]
pub(crate) struct Work {
    queue: wgpu::Queue,
    pipeline: wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    rounds: wgpu::Buffer,
}

impl Work {
    pub(crate) fn new(gpu: &Gpu) -> Self {
        let source = wgpu::ShaderSource::Wgsl(SHADER.into());
        let label = Some("framecost work");
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

    /// So many rounds from the next submission on.
    pub(crate) fn set(&self, rounds: u32) {
        let words = [rounds, 0, 0, 0].map(u32::to_le_bytes);
        self.queue.write_buffer(&self.rounds, 0, words.as_flattened());
    }

    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.group, &[]);
        pass.dispatch_workgroups(GROUPS, 1, 1);
    }
}
