//! blas_refit: a compute pass that fits the tree of what bends to the bent vertices.

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Compute, Kit, groups_of_64, shared};

struct BlasRefit {
    /// Clear, leaves, finish; none where nothing bends.
    kernels: Vec<wgpu::ComputePipeline>,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
    groups: u32,
    load: u32,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let rays = &kit.buffers.rays;
    let slots = [
        Slot::Write(&rays.nodes),
        Slot::Write(&rays.bent_fits),
        Slot::Read(&kit.buffers.bent),
        Slot::Read(&rays.bent_triangles),
        Slot::Write(&rays.corners),
    ];
    let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
    let layout = kit.layout(&[&layout]);
    let module = kit.shader(&[shared::NODE, shared::FIT, include_str!("blas_refit.wgsl")]);
    let kernels: &[&str] = if rays.bent_nodes > 0 { &["clear", "leaves", "finish"] } else { &[] };
    Ok(Box::new(BlasRefit {
        kernels: kernels.iter().map(|entry| kit.compute_pipeline(&layout, &module, entry)).collect(),
        scene: kit.buffers.scene.clone(),
        own,
        groups: groups_of_64(rays.bent_nodes),
        load: kit.load,
    }))
}

impl Compute for BlasRefit {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        // From the start each time: leaves that find their box in place would stop at once.
        for _ in 0..self.load {
            for kernel in &self.kernels {
                pass.set_pipeline(kernel);
                pass.dispatch_workgroups(self.groups, 1, 1);
            }
        }
    }
}
