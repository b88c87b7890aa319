//! The trees that rays walk, on a device. In: content, and how it stands at the first frame. Out: the trees' buffers, and
//! room for what `blas_refit` and `dynamic_tlas_build` need.

use framecost_harness::SceneError;
use framecost_sample::Size;
use glam::Vec3;

use crate::buffers::Maker;
use crate::cpu;
use crate::cpu::trace::{Ray, Traced};
use crate::scene::bvh::{Node, Trees};
use crate::scene::{Content, Level, Mesh, Meshes, Moment};
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
    /// See [`coarse`].
    pub(crate) coarse: f32,
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
            coarse: coarse(&content.meshes, &trees),
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

/// Triangles of a level that are measured.
const MEASURED: usize = 128;

/// How far from its coarser surface a mesh's finest one is looked for, in the mesh.
const NEAR: f32 = 0.25;

/// How far the drawn surface may be from the traced one, as a share of the distance from the eye. Far things are drawn
/// coarsely and traced finely: a ray must start outside both, or the thing would shadow itself.
pub(crate) fn coarse(meshes: &Meshes, trees: &Trees) -> f32 {
    // What the place of a pixel may be off where a thing is drawn as it is traced.
    const LEAST: f32 = 1e-3;
    let of_mesh = |(root, mesh): (u32, &Mesh)| {
        let levels = mesh.levels.iter().skip(1).zip(&mesh.borders);
        // A coarser level is drawn where radius over distance is below the border before it.
        levels.map(|(level, border)| gap(meshes, level, trees, root) * border).fold(0.0, f32::max)
    };
    // The largest gap may lie between the points that were measured.
    (0..).zip(&meshes.meshes).map(of_mesh).fold(0.0, f32::max) * 1.25 + LEAST
}

/// The largest gap between a level's surface and the finest one, across the middles and edges of its triangles.
fn gap(meshes: &Meshes, level: &Level, trees: &Trees, root: u32) -> f32 {
    // A mesh's tree on its own: leaves hold triangles at once.
    let mesh = Traced {
        nodes: &trees.nodes,
        corners: &trees.corners,
        instances: &[],
        placements: &[],
        anchor: [0.0; 3],
        roots: [Node::NONE, Node::NONE, root],
    };
    let first = level.first_index as usize;
    let indices = meshes.indices.get(first..first + level.indices as usize).unwrap_or_default();
    let triangles = indices.as_chunks::<3>().0;
    let place = |&index: &u32| {
        let vertex = i64::from(index) + i64::from(level.base_vertex);
        let vertex = usize::try_from(vertex).ok().and_then(|vertex| meshes.vertices.get(vertex));
        vertex.map_or(Vec3::ZERO, |vertex| Vec3::from_array(vertex.position))
    };
    let mut widest = 0.0;
    for triangle in triangles.iter().step_by(triangles.len().div_ceil(MEASURED).max(1)) {
        let [a, b, c] = [&triangle[0], &triangle[1], &triangle[2]].map(place);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
        for point in [(a + b + c) / 3.0, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5] {
            // From either side: the first surface on the way may be another one of a thin thing.
            let from = |way: Vec3| {
                let ray = Ray { origin: point - way * NEAR, direction: way, most: 2.0 * NEAR };
                mesh.closest(&ray).map_or(NEAR, |struck| (struck.distance - NEAR).abs())
            };
            let found = from(normal).min(from(-normal));
            // Nothing there: an edge that only one of the two has.
            widest = if found < NEAR { found.max(widest) } else { widest };
        }
    }
    widest
}
