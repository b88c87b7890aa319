//! depth_pyramid: a compute pass that reduces the first phase's depth, one dispatch a level.

use framecost_harness::SceneError;
use framecost_sample::Size;

use super::group::Slot;
use super::{Compute, Kit, shared};
use crate::pyramid;

struct DepthPyramid {
    first: wgpu::ComputePipeline,
    reduce: wgpu::ComputePipeline,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
    /// Size of each level in texels.
    levels: Vec<Size>,
}

/// Distance of the numbers of two levels in their uniform buffer: the largest alignment that a device may ask for.
const STRIDE: u32 = 256;

pub(crate) fn make(kit: &Kit<'_>) -> Result<Box<dyn Compute>, SceneError> {
    let levels = pyramid::levels(kit.targets.size);
    let numbers: Vec<u8> = (0u32..)
        .zip(&levels)
        .flat_map(|(level, _)| {
            let mut stretch = [0; STRIDE as usize];
            stretch[..4].copy_from_slice(&level.to_le_bytes());
            stretch
        })
        .collect();
    let numbers = kit.uniform("level", &numbers);
    let slots = [
        Slot::DepthSamples(&kit.targets.depth_samples),
        Slot::Write(&kit.buffers.pyramid),
        Slot::Uniform(&numbers, 16),
    ];
    let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
    let layout = kit.layout(&[&layout]);
    let module = kit.shader(&[shared::PYRAMID, include_str!("depth_pyramid.wgsl")]);
    Ok(Box::new(DepthPyramid {
        first: kit.compute_pipeline(&layout, &module, "first"),
        reduce: kit.compute_pipeline(&layout, &module, "reduce"),
        scene: kit.buffers.scene.clone(),
        own,
        levels,
    }))
}

impl Compute for DepthPyramid {
    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
        for (level, size) in (0u32..).zip(&self.levels) {
            pass.set_pipeline(if level == 0 { &self.first } else { &self.reduce });
            pass.set_bind_group(1, &self.own, &[level * STRIDE]);
            pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), 1);
        }
    }
}
