//! The buffers that passes share. In: a device and a scene's content. Out: the content on the device, room for what
//! changes each frame, and group 0 with what every pass reads.

use bytemuck::Pod;
use framecost_harness::SceneError;
use framecost_sample::Size;

use crate::cells::{CELLS, MOST_LIGHTS};
use crate::pyramid;
use crate::rays::Rays;
use crate::scene::{Anchor, Content, Draw, Draws, Instance, Light, Material, Moment, Rest, Strip};
use crate::view::View;

/// Bytes of a strip's vertex as the bend pass leaves it: `Bent` in `shared/scene.wgsl`.
pub(crate) const BENT_SIZE: u64 = 32;

/// Bytes of an indirect draw.
pub(crate) const DRAW_SIZE: u64 = size_of::<Draw>() as u64;

/// A scene on a device.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) vertices: wgpu::Buffer,
    pub(crate) indices: wgpu::Buffer,
    pub(crate) strip_indices: wgpu::Buffer,
    pub(crate) meshes: wgpu::Buffer,
    pub(crate) lists: wgpu::Buffer,
    pub(crate) rest: wgpu::Buffer,
    /// Written each frame by the host.
    pub(crate) view: wgpu::Buffer,
    pub(crate) placements: wgpu::Buffer,
    pub(crate) anchors: wgpu::Buffer,
    /// Written each frame by passes.
    pub(crate) bent: wgpu::Buffer,
    pub(crate) draws: wgpu::Buffer,
    pub(crate) visible: wgpu::Buffer,
    /// What the first phase of culling puts off.
    pub(crate) later: wgpu::Buffer,
    /// The farthest depths, level by level.
    pub(crate) pyramid: wgpu::Buffer,
    /// Each cell's list of lights, and how often one was full.
    pub(crate) light_lists: wgpu::Buffer,
    pub(crate) full_lists: wgpu::Buffer,
    /// What rays walk.
    pub(crate) rays: Rays,
    /// Group 0.
    pub(crate) scene_layout: wgpu::BindGroupLayout,
    pub(crate) scene: wgpu::BindGroup,
    pub(crate) layout: Draws,
}

impl Buffers {
    /// Uploads the content, what moves as it stands at `moment`.
    ///
    /// # Errors
    /// Content that does not fit together, or too large for the device.
    pub(crate) fn new(
        gpu: &framecost_harness::Gpu,
        content: &Content,
        moment: &Moment,
        size: Size,
    ) -> Result<Self, SceneError> {
        use wgpu::BufferUsages as Usage;
        let layout = Draws::of(content)?;
        let make = Maker { device: &gpu.device, queue: &gpu.queue };
        let instances = make.filled::<Instance>("instances", &content.instances, Usage::STORAGE)?;
        let materials = make.filled::<Material>("materials", &content.materials, Usage::STORAGE)?;
        let strips = make.filled::<Strip>("strips", &content.strips, Usage::STORAGE)?;
        let lights = make.filled::<Light>("lights", &content.lights, Usage::STORAGE)?;
        check_places(content, moment)?;
        let placements = make.filled("placements", &content.placed(&moment.placements), Usage::STORAGE)?;
        let view = make.room::<View>("view", 1, Usage::UNIFORM)?;
        let scene_layout = scene_layout(&gpu.device);
        let parts = [&view, &instances, &placements, &materials, &strips, &lights];
        let scene = scene_group(&gpu.device, &scene_layout, parts);
        let ids = layout.ids as usize;
        Ok(Self {
            vertices: make.filled("vertices", &content.meshes.vertices, Usage::VERTEX)?,
            indices: make.filled("indices", &content.meshes.indices, Usage::INDEX)?,
            strip_indices: make.filled("strip indices", &content.strip_indices, Usage::INDEX)?,
            meshes: make.filled("meshes", &layout.meshes, Usage::STORAGE)?,
            lists: make.filled("lists", &layout.lists, Usage::STORAGE)?,
            rest: make.filled::<Rest>("rest", &content.rest, Usage::STORAGE)?,
            anchors: make.room::<Anchor>("anchors", moment.anchors.len(), Usage::STORAGE)?,
            bent: make.room::<[u8; BENT_SIZE as usize]>(
                "bent",
                content.rest.len(),
                Usage::STORAGE | Usage::VERTEX,
            )?,
            draws: make.filled("draws", &layout.draws, Usage::STORAGE | Usage::INDIRECT)?,
            visible: make.room::<u32>("visible", ids, Usage::STORAGE | Usage::VERTEX)?,
            later: make.room::<u32>("later", 1 + content.instances.len(), Usage::STORAGE)?,
            pyramid: make.room::<f32>("pyramid", pyramid::texels(size), Usage::STORAGE)?,
            light_lists: make.room::<[u32; 1 + MOST_LIGHTS as usize]>(
                "light lists",
                CELLS,
                Usage::STORAGE,
            )?,
            full_lists: make.room::<u32>("full lists", 1, Usage::STORAGE)?,
            rays: Rays::new(&make, content, moment)?,
            view,
            placements,
            scene_layout,
            scene,
            layout,
        })
    }

    /// Writes what changed since the last frame.
    pub(crate) fn update(&self, queue: &wgpu::Queue, view: &View, moment: &Moment) {
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(view));
        if !moment.placements.is_empty() {
            queue.write_buffer(&self.placements, 0, bytemuck::cast_slice(&moment.placements));
        }
        if !moment.anchors.is_empty() {
            queue.write_buffer(&self.anchors, 0, bytemuck::cast_slice(&moment.anchors));
        }
    }
}

/// Every instance stands somewhere.
fn check_places(content: &Content, moment: &Moment) -> Result<(), SceneError> {
    let (moving, still) = (moment.placements.len(), content.placements.len());
    if moving != content.moving || moving + still != content.instances.len() {
        let instances = content.instances.len();
        return Err(format!(
            "{instances} instances, {} of them moving; there are places for {moving} that move and {still} that do not",
            content.moving
        )
        .into());
    }
    Ok(())
}

/// Makes buffers.
pub(crate) struct Maker<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
}

impl Maker<'_> {
    /// Room for `count` items. Never empty, since a binding must not be; what is beyond the count stays zero.
    pub(crate) fn room<T>(
        &self,
        label: &str,
        count: usize,
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, SceneError> {
        let size = (count.max(1) * size_of::<T>()) as u64;
        let limits = self.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size);
        if size > most {
            return Err(format!("buffer `{label}` takes {size} bytes; the device allows {most}").into());
        }
        Ok(self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some(label),
            size,
            // Tests read buffers back.
            usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        }))
    }

    pub(crate) fn filled<T: Pod>(
        &self,
        label: &str,
        items: &[T],
        usage: wgpu::BufferUsages,
    ) -> Result<wgpu::Buffer, SceneError> {
        let buffer = self.room::<T>(label, items.len(), usage)?;
        if !items.is_empty() {
            self.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(items));
        }
        Ok(buffer)
    }
}

fn scene_layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
    let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::VERTEX_FRAGMENT | wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
        count: None,
    };
    let storage = wgpu::BufferBindingType::Storage { read_only: true };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("scene"),
        entries: &[
            entry(0, wgpu::BufferBindingType::Uniform),
            entry(1, storage),
            entry(2, storage),
            entry(3, storage),
            entry(4, storage),
            entry(5, storage),
        ],
    })
}

fn scene_group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    buffers: [&wgpu::Buffer; 6],
) -> wgpu::BindGroup {
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip(buffers)
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some("scene"), layout, entries: &entries })
}
