//! tonemapping: one triangle over the whole image: sky, glare, and the way to the display. Its load repeats it in WGSL.

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Kit, Render, shared};
use crate::frame::Target;
use crate::targets::Targets;

struct Tonemapping {
    pipeline: wgpu::RenderPipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Render>, SceneError> {
    let slots = [Slot::Texels(kit.targets.view(Target::Light))];
    let (own_layout, own) = kit.group(wgpu::ShaderStages::FRAGMENT, &slots);
    let pipeline = pipeline(kit, &own_layout);
    Ok(Box::new(Tonemapping { pipeline, scene: kit.buffers.scene.clone(), own }))
}

fn pipeline(kit: &Kit<'_>, own: &wgpu::BindGroupLayout) -> wgpu::RenderPipeline {
    let parts =
        [shared::NOISE, shared::TEXTURES, shared::SURFACE, kit.looks, include_str!("tonemapping.wgsl")];
    let module = kit.shader(&parts);
    kit.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(kit.name),
        layout: Some(&kit.layout(&[own])),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("cover"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("tone"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::ColorTargetState::from(Targets::format(Target::Image)))],
        }),
        multiview_mask: None,
        cache: None,
    })
}

impl Render for Tonemapping {
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, _load: u32) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        pass.draw(0..3, 0..1);
    }
}
