//! culling, in the same order of operations as `pass/culling.wgsl`, so that both decide alike to the last bit.

use crate::scene::{Draws, Instance, MeshEntry, Placement};
use crate::switches::{CULLING, bit};
use crate::view::View;

/// The ids of each draw, ascending.
#[must_use]
pub fn culling(
    view: &View,
    draws: &Draws,
    instances: &[Instance],
    placements: &[Placement],
) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); draws.draws.len()];
    for (id, (instance, at)) in (0u32..).zip(instances.iter().zip(placements)) {
        let bound = instance.bound(at);
        if view.switches & bit(CULLING) != 0 && outside(view, at.position, bound) {
            continue;
        }
        let entry = &draws.meshes[instance.mesh as usize];
        lists[entry.first_draw as usize + level(view, entry, at.position, bound)].push(id);
    }
    lists
}

fn outside(view: &View, centre: [f32; 3], bound: f32) -> bool {
    let [x, y, z] = centre;
    view.planes.iter().any(|plane| plane[0] * x + plane[1] * y + plane[2] * z + plane[3] < -bound)
}

fn level(view: &View, entry: &MeshEntry, centre: [f32; 3], bound: f32) -> usize {
    let to: [f32; 3] = std::array::from_fn(|axis| centre[axis] - view.eye[axis]);
    let distance_squared = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
    let borders = &entry.borders[..entry.levels as usize - 1];
    borders.iter().filter(|&&border| bound * bound < border * border * distance_squared).count()
}
