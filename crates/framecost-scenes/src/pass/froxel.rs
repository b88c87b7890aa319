//! froxel: a compute pass that lists the lights of each cell of the view's volume.

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Compute, Kit, groups_of_64, shared};
use crate::cells::CELLS;

struct Froxel {
    reset: wgpu::ComputePipeline,
    fill: wgpu::ComputePipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let buffers = kit.buffers;
    let slots = [Slot::Write(&buffers.light_lists), Slot::Write(&buffers.full_lists)];
    let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
    let layout = kit.layout(&[&layout]);
    let module = kit.shader(&[shared::FROXEL, include_str!("froxel.wgsl")]);
    Ok(Box::new(Froxel {
        reset: kit.compute_pipeline(&layout, &module, "reset"),
        fill: kit.compute_pipeline(&layout, &module, "fill"),
        scene: buffers.scene.clone(),
        own,
    }))
}

impl Compute for Froxel {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        pass.set_pipeline(&self.reset);
        pass.dispatch_workgroups(1, 1, 1);
        pass.set_pipeline(&self.fill);
        pass.dispatch_workgroups(groups_of_64(CELLS), 1, 1);
    }
}
