//! bend: a compute pass that shapes the strips.

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Compute, Kit, groups_of_64};

struct Bend {
    pipeline: wgpu::ComputePipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
    groups: u32,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let buffers = kit.buffers;
    let slots = [Slot::Read(&buffers.rest), Slot::Read(&buffers.anchors), Slot::Write(&buffers.bent)];
    let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
    let module = kit.shader(&[include_str!("bend.wgsl")]);
    Ok(Box::new(Bend {
        pipeline: kit.compute_pipeline(&kit.layout(&[&layout]), &module, "bend"),
        scene: buffers.scene.clone(),
        own,
        groups: groups_of_64(kit.content.rest.len()),
    }))
}

impl Compute for Bend {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        pass.dispatch_workgroups(self.groups, 1, 1);
    }
}
