//! Bind groups of a pass's own. In: what stands in each binding, in order. Out: the layout and the group.

use super::Kit;

/// What stands in a binding.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Slot<'a> {
    /// A storage buffer that is read.
    Read(&'a wgpu::Buffer),
    /// A storage buffer that is read and written.
    Write(&'a wgpu::Buffer),
    /// A stretch of so many bytes of a uniform buffer, at an offset that is set with the group.
    Uniform(&'a wgpu::Buffer, u64),
    /// Colours that are read texel by texel.
    Texels(&'a wgpu::TextureView),
    /// Depth samples that are read one by one.
    DepthSamples(&'a wgpu::TextureView),
    /// Layers of colours that a sampler filters.
    Layers(&'a wgpu::TextureView),
    /// How layers are filtered.
    Sampler(&'a wgpu::Sampler),
    /// A texture that is written.
    Written(&'a wgpu::TextureView, wgpu::TextureFormat),
}

impl<'a> Slot<'a> {
    fn kind(self) -> wgpu::BindingType {
        use wgpu::{BindingType as Kind, TextureViewDimension as Dimension};
        let buffer = |ty, has_dynamic_offset| Kind::Buffer { ty, has_dynamic_offset, min_binding_size: None };
        let texture = |sample_type, view_dimension, multisampled| Kind::Texture {
            sample_type,
            view_dimension,
            multisampled,
        };
        let float = |filterable| wgpu::TextureSampleType::Float { filterable };
        match self {
            Self::Read(_) => buffer(wgpu::BufferBindingType::Storage { read_only: true }, false),
            Self::Write(_) => buffer(wgpu::BufferBindingType::Storage { read_only: false }, false),
            Self::Uniform(..) => buffer(wgpu::BufferBindingType::Uniform, true),
            Self::Texels(_) => texture(float(false), Dimension::D2, false),
            Self::DepthSamples(_) => texture(wgpu::TextureSampleType::Depth, Dimension::D2, true),
            Self::Layers(_) => texture(float(true), Dimension::D2Array, false),
            Self::Sampler(_) => Kind::Sampler(wgpu::SamplerBindingType::Filtering),
            Self::Written(_, format) => Kind::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format,
                view_dimension: Dimension::D2,
            },
        }
    }

    fn resource(self) -> wgpu::BindingResource<'a> {
        use wgpu::BindingResource as Resource;
        match self {
            Self::Read(buffer) | Self::Write(buffer) => buffer.as_entire_binding(),
            Self::Uniform(buffer, size) => Resource::Buffer(wgpu::BufferBinding {
                buffer,
                offset: 0,
                size: std::num::NonZeroU64::new(size),
            }),
            Self::Texels(view) | Self::DepthSamples(view) | Self::Layers(view) | Self::Written(view, _) => {
                Resource::TextureView(view)
            }
            Self::Sampler(sampler) => Resource::Sampler(sampler),
        }
    }
}

impl Kit<'_> {
    /// A group of these slots, seen by these stages.
    pub(crate) fn group(
        &self,
        stages: wgpu::ShaderStages,
        slots: &[Slot<'_>],
    ) -> (wgpu::BindGroupLayout, wgpu::BindGroup) {
        let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
            .zip(slots)
            .map(|(binding, slot)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: stages,
                ty: slot.kind(),
                count: None,
            })
            .collect();
        let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(self.name),
            entries: &entries,
        });
        let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
            .zip(slots)
            .map(|(binding, slot)| wgpu::BindGroupEntry { binding, resource: slot.resource() })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(self.name),
            layout: &layout,
            entries: &entries,
        });
        (layout, group)
    }
}
