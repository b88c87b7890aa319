//! lit: a forward pass that shades the samples whose depth the pre-pass laid. Its load repeats the shading in WGSL.

use framecost_harness::SceneError;

use super::{BODY_BUFFERS, Drawn, Geometry, Kit, Render, STRIP_BUFFERS, shared};

struct Lit {
    bodies: wgpu::RenderPipeline,
    strips: wgpu::RenderPipeline,
    drawn: Drawn,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Render>, SceneError> {
    let layout = kit.layout(None);
    let parts = [shared::VERTEX, shared::NOISE, shared::SURFACE, kit.looks, include_str!("lit.wgsl")];
    let module = kit.shader(&parts);
    let pipeline = |vertex, fragment, buffers, cull| {
        kit.geometry_pipeline(&Geometry { layout: &layout, module: &module, vertex, fragment, buffers, cull })
    };
    Ok(Box::new(Lit {
        bodies: pipeline("body", Some("shade_body"), &BODY_BUFFERS, Some(wgpu::Face::Back)),
        strips: pipeline("strip", Some("shade_strip"), &STRIP_BUFFERS, None),
        drawn: Drawn::of(kit),
    }))
}

impl Render for Lit {
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, _load: u32) {
        self.drawn.draw(pass, &self.bodies, &self.strips);
    }
}
