//! Passes: one file each, its WGSL beside it. In: a [`Kit`] with the device, the scene's buffers and its WGSL.
//! Out: something that records itself into a pass that the engine opened.

pub(crate) mod bend;
pub(crate) mod culling;
pub(crate) mod depth_prepass;
pub(crate) mod lit;
pub(crate) mod tonemapping;

use crate::buffers::Buffers;
use crate::frame::Target;
use crate::scene::{Content, Vertex};
use crate::targets::{SAMPLES, Targets};

/// What passes are made from.
#[derive(Debug)]
pub struct Kit<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) buffers: &'a Buffers,
    pub(crate) targets: &'a Targets,
    pub(crate) content: &'a Content,
    /// The scene's WGSL.
    pub(crate) looks: &'a str,
    /// The pass's place in the list.
    pub(crate) place: usize,
    /// The pass's name, for labels.
    pub(crate) name: &'a str,
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
    pub(crate) const VERTEX: &str = include_str!("shared/vertex.wgsl");
    pub(crate) const NOISE: &str = include_str!("shared/noise.wgsl");
    pub(crate) const SURFACE: &str = include_str!("shared/surface.wgsl");
}

impl Kit<'_> {
    /// The pass's shader: its place in the list, the shared declarations, then the parts.
    pub(crate) fn shader(&self, parts: &[&str]) -> wgpu::ShaderModule {
        let mut text =
            format!("const PASS: u32 = {}u;\n{}{}", self.place, crate::switches::wgsl(), shared::SCENE);
        parts.iter().for_each(|part| text.push_str(part));
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(text.into()),
        })
    }

    /// Group 0 as every pass has it, then a group of the pass's own, if any.
    pub(crate) fn layout(&self, own: Option<&wgpu::BindGroupLayout>) -> wgpu::PipelineLayout {
        let groups = [Some(&self.buffers.scene_layout), own];
        self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.name),
            bind_group_layouts: &groups[..if own.is_some() { 2 } else { 1 }],
            immediate_size: 0,
        })
    }

    pub(crate) fn compute_pipeline(
        &self,
        layout: &wgpu::PipelineLayout,
        module: &wgpu::ShaderModule,
        entry: &str,
    ) -> wgpu::ComputePipeline {
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(layout),
            module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    }

    /// A group of storage buffers for compute; `true` where the shader writes.
    pub(crate) fn storage(
        &self,
        entries: &[(&wgpu::Buffer, bool)],
    ) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        let layout_entries: Vec<wgpu::BindGroupLayoutEntry> =
            (0..).zip(entries).map(|(binding, &(_, written))| storage_entry(binding, !written)).collect();
        let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(self.name),
            entries: &layout_entries,
        });
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(entries)
            .map(|(binding, (buffer, _))| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.name),
            layout: &layout,
            entries: &entries,
        });
        (layout, group)
    }

    /// A pipeline over the scene's geometry, whose depths are compared with those already there.
    pub(crate) fn geometry_pipeline(&self, geometry: &Geometry<'_>) -> wgpu::RenderPipeline {
        let targets = [Some(wgpu::ColorTargetState::from(Targets::format(Target::LightSamples)))];
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.name),
            layout: Some(geometry.layout),
            vertex: wgpu::VertexState {
                module: geometry.module,
                entry_point: Some(geometry.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: geometry.buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode: geometry.cull, ..Default::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: Targets::DEPTH,
                depth_write_enabled: Some(geometry.fragment.is_none()),
                // Depth is reversed: nearer is greater.
                depth_compare: Some(if geometry.fragment.is_none() {
                    wgpu::CompareFunction::GreaterEqual
                } else {
                    wgpu::CompareFunction::Equal
                }),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState { count: SAMPLES, ..Default::default() },
            fragment: geometry.fragment.map(|entry| wgpu::FragmentState {
                module: geometry.module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &targets,
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// What differs between pipelines over the scene's geometry. Those with a fragment shader draw at equal depth, those
/// without lay the depth.
#[derive(Debug)]
pub(crate) struct Geometry<'a> {
    pub(crate) layout: &'a wgpu::PipelineLayout,
    pub(crate) module: &'a wgpu::ShaderModule,
    pub(crate) vertex: &'a str,
    pub(crate) fragment: Option<&'a str>,
    pub(crate) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(crate) cull: Option<wgpu::Face>,
}

/// A storage buffer that compute reads, or reads and writes.
const fn storage_entry(binding: u32, read_only: bool) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

/// Mesh vertices, and the instance's id from the list that culling filled: the list is bound at the draw's offset, so
/// that no draw needs a first instance, which is a feature that not every device has.
pub(crate) const BODY_BUFFERS: [Option<wgpu::VertexBufferLayout<'static>>; 2] = [
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<Vertex>() as u64,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3],
    }),
    Some(wgpu::VertexBufferLayout {
        array_stride: 4,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes: &wgpu::vertex_attr_array![2 => Uint32],
    }),
];

/// Strip vertices as the bend pass leaves them.
pub(crate) const STRIP_BUFFERS: [Option<wgpu::VertexBufferLayout<'static>>; 1] =
    [Some(wgpu::VertexBufferLayout {
        array_stride: crate::buffers::BENT_SIZE,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Uint32],
    })];

/// Workgroups of 64 that hold `threads`.
pub(crate) fn groups_of_64(threads: usize) -> u32 {
    u32::try_from(threads.div_ceil(64)).unwrap_or(u32::MAX)
}

/// The buffers that a geometry pass draws from, held by it: handles, not copies.
#[derive(Debug)]
pub(crate) struct Drawn {
    scene: wgpu::BindGroup,
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    visible: wgpu::Buffer,
    draws: wgpu::Buffer,
    /// Byte offset of each draw's list of ids.
    lists: Vec<u64>,
    bent: wgpu::Buffer,
    strip_indices: wgpu::Buffer,
    strip_index_count: u32,
}

impl Drawn {
    pub(crate) fn of(kit: &Kit<'_>) -> Self {
        let buffers = kit.buffers;
        Self {
            scene: buffers.scene.clone(),
            vertices: buffers.vertices.clone(),
            indices: buffers.indices.clone(),
            visible: buffers.visible.clone(),
            draws: buffers.draws.clone(),
            lists: buffers.layout.lists.iter().map(|&first| u64::from(first) * 4).collect(),
            bent: buffers.bent.clone(),
            strip_indices: buffers.strip_indices.clone(),
            strip_index_count: u32::try_from(kit.content.strip_indices.len()).unwrap_or(0),
        }
    }

    /// Everything that is in sight, instances by indirect draws, then strips.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        bodies: &wgpu::RenderPipeline,
        strips: &wgpu::RenderPipeline,
    ) {
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_pipeline(bodies);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        for (number, &list) in (0u64..).zip(&self.lists) {
            pass.set_vertex_buffer(1, self.visible.slice(list..));
            pass.draw_indexed_indirect(&self.draws, number * crate::buffers::DRAW_SIZE);
        }
        if self.strip_index_count > 0 {
            pass.set_pipeline(strips);
            pass.set_vertex_buffer(0, self.bent.slice(..));
            pass.set_index_buffer(self.strip_indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..self.strip_index_count, 0, 0..1);
        }
    }
}
