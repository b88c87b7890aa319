//! shadow_mask: a compute pass that traces a ray towards the light from every pixel.

use framecost_harness::SceneError;

use super::group::Slot;
use super::{Compute, Kit, shared};
use crate::targets::Targets;

struct ShadowMask {
    pipeline: wgpu::ComputePipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
    groups: [u32; 2],
    load: u32,
}

/// Edge of a workgroup's square of pixels.
const EDGE: u32 = 8;

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let (rays, targets) = (&kit.buffers.rays, kit.targets);
    let slots = [
        Slot::Read(&rays.nodes),
        Slot::Read(&rays.corners),
        Slot::DepthSamples(&targets.depth_samples),
        Slot::Written(&targets.mask, Targets::MASK),
    ];
    let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
    let module = kit.shader(&[&shared::rays(), include_str!("shadow_mask.wgsl")]);
    let options = wgpu::PipelineCompilationOptions {
        constants: &[("COARSE", f64::from(rays.coarse))],
        ..Default::default()
    };
    Ok(Box::new(ShadowMask {
        pipeline: kit.compute_pipeline_with(&kit.layout(&[&layout]), &module, "shadow_mask", options),
        scene: kit.buffers.scene.clone(),
        own,
        groups: [targets.size.width, targets.size.height].map(|pixels| pixels.div_ceil(EDGE)),
        load: kit.load,
    }))
}

impl Compute for ShadowMask {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
        let [x, y] = self.groups;
        for _ in 0..self.load {
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}
