//! culling_one: a compute pass that fills the first phase's draws with what the camera can see and the frame before saw.

use framecost_harness::SceneError;

use super::culling::Phase;
use super::{Compute, Kit, groups_of_64};

struct CullingOne {
    phase: Phase,
    reset: wgpu::ComputePipeline,
    cull: wgpu::ComputePipeline,
    draw_groups: u32,
    instance_groups: u32,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let phase = Phase::new(kit, include_str!("culling_one.wgsl"));
    Ok(Box::new(CullingOne {
        reset: phase.pipeline(kit, "reset"),
        cull: phase.pipeline(kit, "cull"),
        phase,
        draw_groups: groups_of_64(kit.buffers.layout.draws.len()),
        instance_groups: groups_of_64(kit.content.instances.len()),
    }))
}

impl Compute for CullingOne {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.phase.bind(pass);
        pass.set_pipeline(&self.reset);
        pass.dispatch_workgroups(self.draw_groups, 1, 1);
        pass.set_pipeline(&self.cull);
        pass.dispatch_workgroups(self.instance_groups, 1, 1);
    }
}
