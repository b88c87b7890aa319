//! depth_prepass: a pass of depth alone, so that `lit` shades each sample once.

use framecost_harness::SceneError;

use super::{BODY_BUFFERS, Drawn, Geometry, Kit, Render, STRIP_BUFFERS, shared};

struct DepthPrepass {
    bodies: wgpu::RenderPipeline,
    strips: wgpu::RenderPipeline,
    drawn: Drawn,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Render>, SceneError> {
    let layout = kit.layout(None);
    let module = kit.shader(&[shared::VERTEX, include_str!("depth_prepass.wgsl")]);
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
    Ok(Box::new(DepthPrepass {
        bodies: pipeline("body", &BODY_BUFFERS, Some(wgpu::Face::Back)),
        strips: pipeline("strip", &STRIP_BUFFERS, None),
        drawn: Drawn::of(kit),
    }))
}

impl Render for DepthPrepass {
    fn record(&self, pass: &mut wgpu::RenderPass<'_>, load: u32) {
        // Drawn again, the same depths pass the test once more and change nothing.
        for _ in 0..load {
            self.drawn.draw(pass, &self.bodies, &self.strips);
        }
    }
}
