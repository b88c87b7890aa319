//! culling_two: a compute pass that fills the second phase's draws with what only seemed hidden.

use framecost_harness::SceneError;

use super::culling::Phase;
use super::{Compute, Kit, groups_of_64};

struct CullingTwo {
    phase: Phase,
    cull: wgpu::ComputePipeline,
    groups: u32,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let phase = Phase::new(kit, include_str!("culling_two.wgsl"));
    let cull = phase.pipeline(kit, "cull");
    Ok(Box::new(CullingTwo { phase, cull, groups: groups_of_64(kit.content.instances.len()) }))
}

impl Compute for CullingTwo {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.phase.bind(pass);
        pass.set_pipeline(&self.cull);
        pass.dispatch_workgroups(self.groups, 1, 1);
    }
}
