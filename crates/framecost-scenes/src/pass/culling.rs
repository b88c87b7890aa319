//! culling: a compute pass that fills the indirect draws with what the camera can see.

use framecost_harness::SceneError;

use super::{Compute, Kit, groups_of_64};

struct Culling {
    reset: wgpu::ComputePipeline,
    cull: wgpu::ComputePipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
    draw_groups: u32,
    instance_groups: u32,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let buffers = kit.buffers;
    let (layout, own) = kit.storage(&[
        (&buffers.meshes, false),
        (&buffers.lists, false),
        (&buffers.draws, true),
        (&buffers.visible, true),
    ]);
    let layout = kit.layout(Some(&layout));
    let module = kit.shader(&[include_str!("culling.wgsl")]);
    Ok(Box::new(Culling {
        reset: kit.compute_pipeline(&layout, &module, "reset"),
        cull: kit.compute_pipeline(&layout, &module, "cull"),
        scene: buffers.scene.clone(),
        own,
        draw_groups: groups_of_64(buffers.layout.draws.len()),
        instance_groups: groups_of_64(kit.content.instances.len()),
    }))
}

impl Compute for Culling {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        pass.set_pipeline(&self.reset);
        pass.dispatch_workgroups(self.draw_groups, 1, 1);
        pass.set_pipeline(&self.cull);
        pass.dispatch_workgroups(self.instance_groups, 1, 1);
    }
}
