//! The trees that rays walk, on a device. In: content, and how it stands at the first frame. Out: the trees' buffers, and
//! room for what `blas_refit` and `dynamic_tlas_build` need.

use framecost_harness::SceneError;
use framecost_sample::Size;
use glam::Vec3;

use crate::buffers::Maker;
use crate::cpu;
use crate::scene::bvh::{Node, Trees};
use crate::scene::{Content, Moment};
use crate::view::{Fixed, MOST_PASSES, Settings, View};

/// Keys that a workgroup of `dynamic_tlas_build` sorts, and digits of a key: both 256 in its WGSL.
pub(crate) const TILE: usize = 256;
const DIGITS: usize = 256;

/// Codes of bounds before the counts.
const BOUNDS: usize = 8;

/// A node's parent and the six codes of its box: `Fit` in `shared/fit.wgsl`.
type Fit = [u32; 7];

/// The trees on a device.
#[derive(Debug)]
pub(crate) struct Rays {
    pub(crate) nodes: wgpu::Buffer,
    pub(crate) corners: wgpu::Buffer,
    /// Vertices of bent triangles, in the order of the leaves.
    pub(crate) bent_triangles: wgpu::Buffer,
    pub(crate) bent_fits: wgpu::Buffer,
    pub(crate) bent_nodes: usize,
    pub(crate) moving_fits: wgpu::Buffer,
    pub(crate) boxes: wgpu::Buffer,
    pub(crate) keys: [wgpu::Buffer; 2],
    pub(crate) counts: wgpu::Buffer,
    /// For the view.
    pub(crate) anchor: [f32; 3],
    pub(crate) roots: [u32; 3],
}

impl Rays {
    /// Builds the trees and uploads them.
    ///
    /// # Errors
    /// As [`Trees::of`]; trees too large for the device.
    pub(crate) fn new(make: &Maker<'_>, content: &Content, moment: &Moment) -> Result<Self, SceneError> {
        use wgpu::BufferUsages as Usage;
        let trees = trees(content, moment)?;
        let fits: Vec<Fit> = trees.bent_parents.iter().map(|&parent| [parent, 0, 0, 0, 0, 0, 0]).collect();
        let moving = content.moving;
        let counts = BOUNDS + moving.div_ceil(TILE) * DIGITS;
        let keys = |label| make.room::<[u32; 2]>(label, moving, Usage::STORAGE);
        Ok(Self {
            nodes: make.filled::<Node>("nodes", &trees.nodes, Usage::STORAGE)?,
            corners: make.filled("corners", &trees.corners, Usage::STORAGE)?,
            bent_triangles: make.filled("bent triangles", &trees.bent, Usage::STORAGE)?,
            bent_fits: make.filled("bent fits", &fits, Usage::STORAGE)?,
            bent_nodes: trees.bent_nodes(),
            moving_fits: make.room::<Fit>("moving fits", (2 * moving).saturating_sub(1), Usage::STORAGE)?,
            boxes: make.room::<[f32; 8]>("boxes", moving, Usage::STORAGE)?,
            keys: [keys("keys")?, keys("sorted keys")?],
            counts: make.room::<u32>("counts", counts, Usage::STORAGE)?,
            anchor: trees.anchor,
            roots: trees.roots,
        })
    }
}

/// The trees as they are uploaded.
///
/// # Errors
/// As [`Trees::of`].
pub(crate) fn trees(content: &Content, moment: &Moment) -> Result<Trees, String> {
    // Only what shapes strips counts: the moment.
    let fixed = Fixed { instances: 0, lights: 0, anchor: [0.0; 3], roots: [Node::NONE; 3] };
    let settings = Settings { size: Size { width: 1, height: 1 }, switches: 0, loads: [1; MOST_PASSES] };
    let view = View::new(moment, None, &fixed, &settings);
    let bent = cpu::bend::bend(&view, &content.strips, &moment.anchors, &content.rest);
    let bent: Vec<Vec3> = bent.iter().map(|vertex| vertex.position).collect();
    Trees::of(content, moment, &bent)
}
