//! Reads a picture back. In: a texture of four bytes a pixel. Out: its bytes without the padding that copies have.

use framecost_harness::{Image, SceneError};
use framecost_sample::Size;

/// Waits for the GPU and copies the texture. For pictures, never inside a measured frame.
///
/// # Errors
/// The device was lost, or the buffer could not be mapped.
pub fn read(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
) -> Result<Image, SceneError> {
    let size = Size { width: texture.width(), height: texture.height() };
    let row = size.width * 4;
    let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("readback"),
        size: u64::from(padded) * u64::from(size.height),
        usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_texture_to_buffer(
        texture.as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer: &buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(padded),
                rows_per_image: None,
            },
        },
        texture.size(),
    );
    queue.submit([encoder.finish()]);
    let bytes = mapped(device, &buffer)?;
    let rgba = bytes.chunks_exact(padded as usize).flat_map(|line| &line[..row as usize]).copied().collect();
    Ok(Image { size, rgba })
}

/// Waits for the GPU and copies a buffer that can be mapped.
///
/// # Errors
/// The device was lost, or the buffer could not be mapped.
pub(crate) fn mapped(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Result<Vec<u8>, SceneError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    buffer.map_async(wgpu::MapMode::Read, .., move |result| {
        // Nobody listens any more where the wait below failed.
        let _ = sender.send(result);
    });
    device.poll(wgpu::PollType::wait_indefinitely())?;
    receiver.recv()??;
    let bytes = buffer.get_mapped_range(..)?.to_vec();
    buffer.unmap();
    Ok(bytes)
}
