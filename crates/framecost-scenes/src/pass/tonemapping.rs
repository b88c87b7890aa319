//! tonemapping: a compute pass over the image: sky, glare, and the way to the display. Its load repeats it in WGSL.
//! In compute, since some devices run the same arithmetic a hundred times slower in fragments (`docs/performance.md`).

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Compute, Kit, shared};
use crate::frame::Target;
use crate::targets::Targets;

struct Tonemapping {
    pipeline: wgpu::ComputePipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
    groups: [u32; 2],
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let targets = kit.targets;
    let slots =
        [Slot::Texels(targets.view(Target::Light)), Slot::Written(&targets.image_view, Targets::IMAGE)];
    let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
    let parts =
        [shared::NOISE, shared::TEXTURES, shared::SURFACE, kit.looks, include_str!("tonemapping.wgsl")];
    let module = kit.shader(&parts);
    Ok(Box::new(Tonemapping {
        pipeline: kit.compute_pipeline(&kit.layout(&[&layout]), &module, "tonemapping"),
        scene: kit.buffers.scene.clone(),
        own,
        groups: [targets.size.width.div_ceil(8), targets.size.height.div_ceil(8)],
    }))
}

impl Compute for Tonemapping {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        pass.dispatch_workgroups(self.groups[0], self.groups[1], 1);
    }
}
