//! depth_pyramid, held against its twin over the depth samples that the first phase left.

use super::*;

/// Copies depth samples to a buffer, four a pixel.
const READ: &str = "
@group(0) @binding(0) var depth: texture_depth_multisampled_2d;
@group(0) @binding(1) var<storage, read_write> samples: array<vec4<f32>>;
@compute @workgroup_size(8, 8)
fn read(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = textureDimensions(depth);
    if all(id.xy < size) {
        samples[id.y * size.x + id.x] = vec4<f32>(
            textureLoad(depth, id.xy, 0), textureLoad(depth, id.xy, 1),
            textureLoad(depth, id.xy, 2), textureLoad(depth, id.xy, 3));
    }
}";

fn samples(gpu: &Gpu, engine: &Engine<'_>, size: Size) -> Vec<Vec<f32>> {
    let device = &gpu.device;
    let buffer = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(size.width * size.height) * 16,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(READ.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let depth = wgpu::BindingResource::TextureView(&engine.targets.depth_samples);
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: depth },
            wgpu::BindGroupEntry { binding: 1, resource: buffer.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), 1);
    drop(pass);
    gpu.queue.submit([encoder.finish()]);
    contents::<[f32; 4]>(gpu, &buffer).into_iter().map(Vec::from).collect()
}

#[test]
fn each_texel_is_the_farthest_depth_of_its_square() {
    let Some(gpu) = gpu() else { return };
    for (width, height) in [(160, 90), (61, 97), (1, 1), (2, 5), (1, 33), (129, 1)] {
        let size = Size { width, height };
        let mut engine = engine(&gpu, size, &[("occlusion", "off")]);
        // What comes after may drop the depth.
        engine.until = 1 + FRAME.iter().position(|pass| pass.name == "depth_pyramid").unwrap();
        show(&gpu, &mut engine, 590);
        let twin = cpu::depth_pyramid::depth_pyramid(size, &samples(&gpu, &engine, size));
        let found = cpu::depth_pyramid::Pyramid::of(size, &contents(&gpu, &engine.buffers.pyramid));
        assert_eq!(found, twin, "{size}");
        let last = &twin.levels[twin.levels.len() - 1];
        assert_eq!(last.texels.len(), 1, "{size}");
        let base = &twin.levels[0].texels;
        assert!(
            width < 100 || height < 50 || base.iter().any(|&depth| depth > 0.0),
            "{size}: something is drawn"
        );
    }
}
