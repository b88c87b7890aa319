//! The scene's pictures of surfaces on a device. In: what scene/textures.rs made. Out: arrays of layers with their mip
//! levels, and how they are filtered.

use framecost_harness::{Gpu, SceneError};
use framecost_sample::AdapterClass;

use crate::scene::Textures;

/// Textures of a scene; one black texel where it has none.
#[derive(Debug)]
pub(crate) struct Pictures {
    /// sRGB colours; roughness in alpha.
    pub(crate) colours: wgpu::TextureView,
    /// Normals; height in alpha.
    pub(crate) reliefs: wgpu::TextureView,
    /// Repeats, and filters along the direction in which a surface is drawn out.
    pub(crate) repeating: wgpu::Sampler,
}

impl Pictures {
    /// Uploads the textures.
    ///
    /// # Errors
    /// A size or a count of layers that the device does not allow, or too few bytes for them.
    pub(crate) fn new(gpu: &Gpu, textures: &Textures) -> Result<Self, SceneError> {
        let Gpu { device, queue, .. } = gpu;
        let (size, layers) = (textures.size.max(1), textures.layers.max(1));
        let limits = device.limits();
        if size > limits.max_texture_dimension_2d || layers > limits.max_texture_array_layers {
            return Err(format!(
                "textures of {size} texels in {layers} layers; the device allows {} and {}",
                limits.max_texture_dimension_2d, limits.max_texture_array_layers
            )
            .into());
        }
        use wgpu::TextureFormat as Format;
        let make = |label, format, texels: &[u8]| {
            layers_of(device, queue, label, format, Extent { size, layers, levels: size.ilog2() + 1 }, texels)
        };
        Ok(Self {
            colours: make("colours", Format::Rgba8UnormSrgb, &textures.colours)?,
            reliefs: make("reliefs", Format::Rgba8Unorm, &textures.reliefs)?,
            repeating: device.create_sampler(&wgpu::SamplerDescriptor {
                label: Some("repeating"),
                address_mode_u: wgpu::AddressMode::Repeat,
                address_mode_v: wgpu::AddressMode::Repeat,
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                mipmap_filter: wgpu::MipmapFilterMode::Linear,
                anisotropy_clamp: anisotropy(gpu.adapter_class()),
                ..Default::default()
            }),
        })
    }
}

/// How far filtering stretches along a surface that is seen aslant. Mesa's software renderer walks every texel under the
/// footprint, which takes minutes a frame; figures of a software renderer are for that adapter alone anyway.
const fn anisotropy(class: AdapterClass) -> u16 {
    match class {
        AdapterClass::Cpu => 1,
        _ => 8,
    }
}

#[derive(Clone, Copy)]
struct Extent {
    size: u32,
    layers: u32,
    levels: u32,
}

fn layers_of(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    label: &str,
    format: wgpu::TextureFormat,
    extent: Extent,
    texels: &[u8],
) -> Result<wgpu::TextureView, SceneError> {
    let texture = device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d {
            width: extent.size,
            height: extent.size,
            depth_or_array_layers: extent.layers,
        },
        mip_level_count: extent.levels,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    let mut rest = texels;
    for layer in 0..extent.layers {
        for level in 0..extent.levels {
            let edge = extent.size >> level;
            let bytes = edge as usize * edge as usize * 4;
            if texels.is_empty() {
                continue;
            }
            let Some((part, after)) = rest.split_at_checked(bytes) else {
                return Err(format!(
                    "{label}: layer {layer}, level {level} takes {bytes} bytes; {} are left",
                    rest.len()
                )
                .into());
            };
            rest = after;
            let to = wgpu::TexelCopyTextureInfo {
                mip_level: level,
                origin: wgpu::Origin3d { x: 0, y: 0, z: layer },
                ..texture.as_image_copy()
            };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(edge * 4),
                rows_per_image: None,
            };
            let one = wgpu::Extent3d { width: edge, height: edge, depth_or_array_layers: 1 };
            queue.write_texture(to, part, layout, one);
        }
    }
    Ok(texture.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2Array),
        ..Default::default()
    }))
}
