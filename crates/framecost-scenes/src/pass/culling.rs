//! What both phases of culling share: their buffers and their shader.

use super::group::Slot;
use super::{Kit, shared};

/// A pass over the draws and their lists.
pub(crate) struct Phase {
    layout: wgpu::PipelineLayout,
    module: wgpu::ShaderModule,
    scene: wgpu::BindGroup,
    own: wgpu::BindGroup,
}

impl Phase {
    pub(crate) fn new(kit: &Kit<'_>, text: &str) -> Self {
        let buffers = kit.buffers;
        let slots = [
            Slot::Read(&buffers.meshes),
            Slot::Read(&buffers.lists),
            Slot::Write(&buffers.draws),
            Slot::Write(&buffers.visible),
            Slot::Write(&buffers.later),
            Slot::Read(&buffers.pyramid),
        ];
        let (layout, own) = kit.group(wgpu::ShaderStages::COMPUTE, &slots);
        Self {
            layout: kit.layout(&[&layout]),
            module: kit.shader(&[shared::PYRAMID, shared::CULLING, text]),
            scene: buffers.scene.clone(),
            own,
        }
    }

    pub(crate) fn pipeline(&self, kit: &Kit<'_>, entry: &str) -> wgpu::ComputePipeline {
        kit.compute_pipeline(&self.layout, &self.module, entry)
    }

    pub(crate) fn bind(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_bind_group(0, &self.scene, &[]);
        pass.set_bind_group(1, &self.own, &[]);
    }
}
