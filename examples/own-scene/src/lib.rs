//! A small renderer as anybody might have one: sparks that a compute pass moves and a render pass draws. It knows nothing
//! of framecost; `benches/frame.rs` measures it.

/// How many sparks fly.
pub const SPARKS: u32 = 20_000;

/// The format that it draws to.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Sparks on a device.
#[derive(Debug)]
pub struct Renderer {
    move_sparks: wgpu::ComputePipeline,
    draw_sparks: wgpu::RenderPipeline,
    moved: wgpu::BindGroup,
    drawn: wgpu::BindGroup,
    time: wgpu::Buffer,
    queue: wgpu::Queue,
}

impl Renderer {
    /// Makes the renderer.
    #[must_use]
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let shader = device.create_shader_module(wgpu::include_wgsl!("sparks.wgsl"));
        let move_sparks = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some("move"),
            layout: None,
            module: &shader,
            entry_point: Some("move_sparks"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let draw_sparks = draw_pipeline(device, &shader);
        let buffer = |label, size, usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage,
                mapped_at_creation: false,
            })
        };
        let time = buffer("time", 16, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST);
        let sparks = buffer("sparks", u64::from(SPARKS) * 8, wgpu::BufferUsages::STORAGE);
        let group = |layout: &wgpu::BindGroupLayout, entries: &[wgpu::BindGroupEntry<'_>]| {
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries })
        };
        let resource = |binding, buffer| wgpu::BindGroupEntry { binding, resource: buffer };
        let moved = group(
            &move_sparks.get_bind_group_layout(0),
            &[resource(0, time.as_entire_binding()), resource(1, sparks.as_entire_binding())],
        );
        let drawn = group(&draw_sparks.get_bind_group_layout(0), &[resource(2, sparks.as_entire_binding())]);
        Self { move_sparks, draw_sparks, moved, drawn, time, queue: queue.clone() }
    }

    /// Sets the moment to draw.
    pub fn set_time(&self, seconds: f32) {
        self.queue.write_buffer(&self.time, 0, &seconds.to_le_bytes());
    }

    /// Moves the sparks to where they are at that moment.
    pub fn move_sparks(&self, pass: &mut wgpu::ComputePass<'_>) {
        pass.set_pipeline(&self.move_sparks);
        pass.set_bind_group(0, &self.moved, &[]);
        pass.dispatch_workgroups(SPARKS.div_ceil(64), 1, 1);
    }

    /// Draws them.
    pub fn draw_sparks(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.draw_sparks);
        pass.set_bind_group(0, &self.drawn, &[]);
        pass.draw(0..3, 0..SPARKS);
    }
}

fn draw_pipeline(device: &wgpu::Device, shader: &wgpu::ShaderModule) -> wgpu::RenderPipeline {
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("draw"),
        layout: None,
        vertex: wgpu::VertexState {
            module: shader,
            entry_point: Some("spark_corner"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        fragment: Some(wgpu::FragmentState {
            module: shader,
            entry_point: Some("spark_colour"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(FORMAT.into())],
        }),
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        multiview_mask: None,
        cache: None,
    })
}
