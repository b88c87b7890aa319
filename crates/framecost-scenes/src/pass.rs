//! Passes: one file each, its WGSL beside it. In: a [`Kit`] with the device, the scene's buffers and its WGSL.
//! Out: something that records itself into a pass that the engine opened.

pub(crate) mod bend;
pub(crate) mod blas_refit;
mod culling;
pub(crate) mod culling_one;
pub(crate) mod culling_two;
pub(crate) mod depth_prepass;
pub(crate) mod depth_prepass_two;
pub(crate) mod depth_pyramid;
mod drawn;
pub(crate) mod dynamic_tlas_build;
pub(crate) mod froxel;
mod group;
pub(crate) mod lit;
pub(crate) mod shadow_mask;
pub(crate) mod tonemapping;

use crate::buffers::Buffers;
use crate::cells;
use crate::pictures::Pictures;
use crate::scene::Content;
use crate::switches;
use crate::targets::{SAMPLES, Targets};

/// What passes are made from.
#[derive(Debug)]
pub struct Kit<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) buffers: &'a Buffers,
    pub(crate) targets: &'a Targets,
    pub(crate) pictures: &'a Pictures,
    pub(crate) content: &'a Content,
    /// The scene's WGSL: how surfaces and sky look.
    pub(crate) looks: &'a str,
    /// The scene's WGSL: how light falls on surfaces.
    pub(crate) lighting: &'a str,
    /// The pass's place in the list.
    pub(crate) place: usize,
    /// The pass's name, for labels.
    pub(crate) name: &'a str,
    /// How often the pass repeats its work.
    pub(crate) load: u32,
}

/// A pass that dispatches.
pub trait Compute {
    /// Records the pass.
    fn record(&self, pass: &mut wgpu::ComputePass<'_>);
}

/// A pass that draws.
pub trait Render {
    /// Records the pass; `load` is how often its work is to be repeated.
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, load: u32);
}

/// WGSL that several passes share.
pub(crate) mod shared {
    pub(crate) const SCENE: &str = include_str!("shared/scene.wgsl");
    pub(crate) const NODE: &str = include_str!("shared/node.wgsl");
    pub(crate) const FIT: &str = include_str!("shared/fit.wgsl");
    pub(crate) const VERTEX: &str = include_str!("shared/vertex.wgsl");
    pub(crate) const NOISE: &str = include_str!("shared/noise.wgsl");
    pub(crate) const SURFACE: &str = include_str!("shared/surface.wgsl");
    pub(crate) const TEXTURES: &str = include_str!("shared/textures.wgsl");
    pub(crate) const PYRAMID: &str = include_str!("shared/pyramid.wgsl");
    pub(crate) const CULLING: &str = include_str!("shared/culling.wgsl");
    pub(crate) const FROXEL: &str = include_str!("shared/froxel.wgsl");

    /// Rays through the trees of boxes.
    pub(crate) fn rays() -> String {
        let stack = crate::scene::bvh::STACK;
        let [node, walk] = [NODE, include_str!("shared/bvh.wgsl")];
        format!("const STACK: u32 = {stack}u;\n{node}{walk}")
    }
}

impl Kit<'_> {
    /// The pass's shader: its place in the list, the shared declarations, then the parts.
    pub(crate) fn shader(&self, parts: &[&str]) -> wgpu::ShaderModule {
        let mut text = format!(
            "const PASS: u32 = {}u;\nconst SAMPLES: u32 = {SAMPLES}u;\n{}{}{}",
            self.place,
            cells::wgsl(),
            switches::wgsl(),
            shared::SCENE
        );
        parts.iter().for_each(|part| text.push_str(part));
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        })
    }

    /// Group 0 as every pass has it, then groups of the pass's own.
    pub(crate) fn layout(&self, own: &[&wgpu::BindGroupLayout]) -> wgpu::PipelineLayout {
        let groups: Vec<Option<&wgpu::BindGroupLayout>> =
            std::iter::once(&self.buffers.scene_layout).chain(own.iter().copied()).map(Some).collect();
        self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.name),
            bind_group_layouts: &groups,
            immediate_size: 0,
        })
    }

    /// A uniform buffer that holds these bytes.
    pub(crate) fn uniform(&self, label: &str, bytes: &[u8]) -> wgpu::Buffer {
        wgpu::util::DeviceExt::create_buffer_init(
            self.device,
            &wgpu::util::BufferInitDescriptor {
                label: Some(label),
                contents: bytes,
                usage: wgpu::BufferUsages::UNIFORM,
            },
        )
    }

    pub(crate) fn compute_pipeline(
        &self,
        layout: &wgpu::PipelineLayout,
        module: &wgpu::ShaderModule,
        entry: &str,
    ) -> wgpu::ComputePipeline {
        self.compute_pipeline_with(layout, module, entry, wgpu::PipelineCompilationOptions::default())
    }

    /// A compute pipeline with values for the shader's overrides.
    pub(crate) fn compute_pipeline_with(
        &self,
        layout: &wgpu::PipelineLayout,
        module: &wgpu::ShaderModule,
        entry: &str,
        compilation_options: wgpu::PipelineCompilationOptions<'_>,
    ) -> wgpu::ComputePipeline {
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(layout),
            module,
            entry_point: Some(entry),
            compilation_options,
            cache: None,
        })
    }
}

/// Workgroups of 64 that hold `threads`.
pub(crate) fn groups_of_64(threads: usize) -> u32 {
    u32::try_from(threads.div_ceil(64)).unwrap_or(u32::MAX)
}
