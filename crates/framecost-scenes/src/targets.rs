//! The textures that passes draw to. In: a device and a size. Out: views by [`Target`].

use framecost_sample::Size;

use crate::frame::Target;

/// Samples a pixel in the passes that draw geometry.
pub(crate) const SAMPLES: u32 = 4;

/// All targets of a frame.
#[derive(Debug)]
pub(crate) struct Targets {
    /// Size of the image.
    pub(crate) size: Size,
    light_samples: wgpu::TextureView,
    light: wgpu::TextureView,
    pub(crate) image_view: wgpu::TextureView,
    /// Depth samples, reversed: 1 at the near plane, 0 at infinity.
    pub(crate) depth_samples: wgpu::TextureView,
    /// How much of the main light each pixel sees.
    pub(crate) mask: wgpu::TextureView,
    /// The picture, to be read back.
    pub(crate) image: wgpu::Texture,
}

impl Targets {
    pub(crate) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

    /// Of the picture.
    pub(crate) const IMAGE: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

    /// Of the shadow mask.
    pub(crate) const MASK: wgpu::TextureFormat = wgpu::TextureFormat::R32Float;

    pub(crate) const fn format(target: Target) -> wgpu::TextureFormat {
        match target {
            Target::LightSamples | Target::Light => wgpu::TextureFormat::Rgba16Float,
        }
    }

    pub(crate) fn new(device: &wgpu::Device, size: Size) -> Self {
        use wgpu::TextureUsages as Usage;
        let texture = |label, format, sample_count, usage| {
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size.width, height: size.height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            })
        };
        let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
        let light = Self::format(Target::Light);
        let image = texture("image", Self::IMAGE, 1, Usage::STORAGE_BINDING | Usage::COPY_SRC);
        Self {
            size,
            light_samples: view(&texture("light samples", light, SAMPLES, Usage::RENDER_ATTACHMENT)),
            light: view(&texture("light", light, 1, Usage::RENDER_ATTACHMENT | Usage::TEXTURE_BINDING)),
            depth_samples: view(&texture(
                "depth samples",
                Self::DEPTH,
                SAMPLES,
                Usage::RENDER_ATTACHMENT | Usage::TEXTURE_BINDING,
            )),
            mask: view(&texture(
                "mask",
                Self::MASK,
                1,
                Usage::STORAGE_BINDING | Usage::TEXTURE_BINDING | Usage::COPY_SRC,
            )),
            image_view: view(&image),
            image,
        }
    }

    pub(crate) const fn view(&self, target: Target) -> &wgpu::TextureView {
        match target {
            Target::LightSamples => &self.light_samples,
            Target::Light => &self.light,
        }
    }
}
