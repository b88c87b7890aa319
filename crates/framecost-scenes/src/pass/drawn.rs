//! How a pass draws the scene's geometry: instances by the indirect draws that culling filled, then strips. In: a kit.
//! Out: pipelines, and the draws of one phase of culling or of both.

use super::{Kit, Render, shared};
use crate::buffers::{BENT_SIZE, DRAW_SIZE};
use crate::frame::Target;
use crate::scene::{PHASES, Vertex};
use crate::targets::{SAMPLES, Targets};

/// Which draws a pass makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phases {
    /// What culling_one left, and strips.
    One,
    /// What culling_two found.
    Two,
    /// All of it.
    Both,
}

impl Kit<'_> {
    /// A pipeline over the scene's geometry, whose depths are compared with those already there.
    pub(crate) fn geometry_pipeline(&self, geometry: &Geometry<'_>) -> wgpu::RenderPipeline {
        let targets = [Some(wgpu::ColorTargetState {
            blend: Some(wgpu::BlendState { color: GREATER, alpha: GREATER }),
            ..wgpu::ColorTargetState::from(Targets::format(Target::LightSamples))
        })];
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

/// Two surfaces may lie at the same depth to the last bit, and the order in which instances are drawn is not fixed. The
/// greater of both is the same in every order.
const GREATER: wgpu::BlendComponent = wgpu::BlendComponent {
    src_factor: wgpu::BlendFactor::One,
    dst_factor: wgpu::BlendFactor::One,
    operation: wgpu::BlendOperation::Max,
};

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
        array_stride: BENT_SIZE,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Uint32],
    })];

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

    /// What is in sight, instances by indirect draws, then strips.
    pub(crate) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        phases: Phases,
        bodies: &wgpu::RenderPipeline,
        strips: &wgpu::RenderPipeline,
    ) {
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_pipeline(bodies);
        pass.set_vertex_buffer(0, self.vertices.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        let of_a_phase = self.lists.len() / PHASES;
        let range = match phases {
            Phases::One => 0..of_a_phase,
            Phases::Two => of_a_phase..self.lists.len(),
            Phases::Both => 0..self.lists.len(),
        };
        for (number, &list) in (0u64..).zip(&self.lists).skip(range.start).take(range.len()) {
            pass.set_vertex_buffer(1, self.visible.slice(list..));
            pass.draw_indexed_indirect(&self.draws, number * DRAW_SIZE);
        }
        if self.strip_index_count > 0 && phases != Phases::Two {
            pass.set_pipeline(strips);
            pass.set_vertex_buffer(0, self.bent.slice(..));
            pass.set_index_buffer(self.strip_indices.slice(..), wgpu::IndexFormat::Uint32);
            pass.draw_indexed(0..self.strip_index_count, 0, 0..1);
        }
    }
}

/// A pass of depth alone.
pub(crate) struct DepthOnly {
    phases: Phases,
    bodies: wgpu::RenderPipeline,
    strips: wgpu::RenderPipeline,
    drawn: Drawn,
}

impl DepthOnly {
    pub(crate) fn new(kit: &Kit<'_>, phases: Phases) -> Self {
        let layout = kit.layout(&[]);
        let module = kit.shader(&[shared::VERTEX, include_str!("depth_only.wgsl")]);
        let pipeline = |vertex, buffers, cull| {
            kit.geometry_pipeline(&Geometry {
                layout: &layout,
                module: &module,
                vertex,
                fragment: None,
                buffers,
                cull,
            })
        };
        Self {
            phases,
            bodies: pipeline("body", &BODY_BUFFERS, Some(wgpu::Face::Back)),
            strips: pipeline("strip", &STRIP_BUFFERS, None),
            drawn: Drawn::of(kit),
        }
    }
}

impl Render for DepthOnly {
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, load: u32) {
        // Drawn again, the same depths pass the test once more and change nothing.
        for _ in 0..load {
            self.drawn.draw(pass, self.phases, &self.bodies, &self.strips);
        }
    }
}
