//! dynamic_tlas_build: a compute pass that builds the tree of what moves.

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Compute, Kit, shared};
use crate::rays::TILE;

struct DynamicTlasBuild {
    scene: wgpu::BindGroup,
    /// Sorts from the first list of keys to the second, and back.
    own: [wgpu::BindGroup; 2],
    /// Which kernel on which of the two groups, over how many workgroups; none where nothing moves.
    kernels: Vec<(wgpu::ComputePipeline, usize, u32)>,
    load: u32,
}

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let rays = &kit.buffers.rays;
    let group = |from, to| {
        let slots = [&rays.nodes, &rays.moving_fits, &rays.boxes, from, to, &rays.counts].map(Slot::Write);
        kit.group(wgpu::ShaderStages::COMPUTE, &slots)
    };
    let [first, second] = &rays.keys;
    let ((layout, there), (_, back)) = (group(first, second), group(second, first));
    let layout = kit.layout(&[&layout]);
    let module = kit.shader(&[shared::NODE, shared::FIT, include_str!("dynamic_tlas_build.wgsl")]);
    let tiles = u32::try_from(kit.content.moving.div_ceil(TILE))?;
    let mut kernels = Vec::new();
    if tiles > 0 {
        let kernel = |entry, shift: u32| {
            let options = wgpu::PipelineCompilationOptions {
                constants: &[("SHIFT", f64::from(shift))],
                ..Default::default()
            };
            kit.compute_pipeline_with(&layout, &module, entry, options)
        };
        // Nodes are nearly twice as many as leaves.
        kernels.push((kernel("clear", 0), 0, 2 * tiles));
        kernels.extend(["surround", "encode"].map(|entry| (kernel(entry, 0), 0, tiles)));
        for (digit, shift) in [0, 8, 16, 24].into_iter().enumerate() {
            let way = digit % 2;
            kernels.push((kernel("count", shift), way, tiles));
            kernels.push((kernel("scan", shift), way, 1));
            kernels.push((kernel("scatter", shift), way, tiles));
        }
        kernels.extend(["link", "leaves", "finish"].map(|entry| (kernel(entry, 0), 0, tiles)));
    }
    let scene = kit.buffers.scene.clone();
    Ok(Box::new(DynamicTlasBuild { scene, own: [there, back], kernels, load: kit.load }))
}

impl Compute for DynamicTlasBuild {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
        for _ in 0..self.load {
            for (kernel, way, groups) in &self.kernels {
                pass.set_bind_group(1, &self.own[*way], &[]);
                pass.set_pipeline(kernel);
                pass.dispatch_workgroups(*groups, 1, 1);
            }
        }
    }
}
