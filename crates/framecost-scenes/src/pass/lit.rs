//! lit: a forward pass that shades the samples whose depth was laid. Its load repeats the shading in WGSL.

use framecost_harness::SceneError;

use super::drawn::{BODY_BUFFERS, Drawn, Geometry, Phases, STRIP_BUFFERS};
use super::group::Slot;
use super::{Kit, Render, shared};

struct Lit {
    bodies: wgpu::RenderPipeline,
    strips: wgpu::RenderPipeline,
    drawn: Drawn,
    light: wgpu::BindGroup,
    textures: wgpu::BindGroup,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Render>, SceneError> {
    let slots = [Slot::Texels(&kit.targets.mask), Slot::Read(&kit.buffers.light_lists)];
    let (light_layout, light) = kit.group(wgpu::ShaderStages::FRAGMENT, &slots);
    let pictures = kit.pictures;
    let slots = [
        Slot::Layers(&pictures.colours),
        Slot::Layers(&pictures.reliefs),
        Slot::Sampler(&pictures.repeating),
    ];
    let (texture_layout, textures) = kit.group(wgpu::ShaderStages::FRAGMENT, &slots);
    let layout = kit.layout(&[&light_layout, &texture_layout]);
    let parts = [
        shared::VERTEX,
        shared::NOISE,
        shared::TEXTURES,
        shared::FROXEL,
        shared::SURFACE,
        kit.looks,
        kit.lighting,
        include_str!("lit.wgsl"),
    ];
    let module = kit.shader(&parts);
    let pipeline = |vertex, fragment, buffers, cull| {
        kit.geometry_pipeline(&Geometry { layout: &layout, module: &module, vertex, fragment, buffers, cull })
    };
    Ok(Box::new(Lit {
        bodies: pipeline("body", Some("shade_body"), &BODY_BUFFERS, Some(wgpu::Face::Back)),
        strips: pipeline("strip", Some("shade_strip"), &STRIP_BUFFERS, None),
        drawn: Drawn::of(kit),
        light,
        textures,
    }))
}

impl Render for Lit {
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, _load: u32) {
        pass.set_bind_group(1, &self.light, &[]);
        pass.set_bind_group(2, &self.textures, &[]);
        self.drawn.draw(pass, Phases::Both, &self.bodies, &self.strips);
    }
}
