//! froxel: which lights may light which cell, by brute force over points, as `pass/froxel.wgsl` must list them at least.

use glam::Vec3;

use crate::cells::{CELLS, COLUMNS, FIRST_SLICE, LAST_SLICE, MOST_LIGHTS, ROWS, SLICES};
use crate::scene::Light;
use crate::view::View;

/// The lights that reach a place, ascending.
#[must_use]
pub fn reaching(lights: &[Light], place: Vec3) -> Vec<u32> {
    let reaches =
        |light: &Light| place.distance_squared(Vec3::from_array(light.position)) < light.reach * light.reach;
    (0u32..).zip(lights).filter(|(_, light)| reaches(light)).map(|(number, _)| number).collect()
}

/// Number of the cell of a place that the image shows; none for a place that it does not.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "cells are few"
)]
pub fn cell_of(view: &View, place: Vec3) -> Option<u32> {
    let to = place - Vec3::from_array(view.eye);
    let ahead = to.dot(Vec3::from_array(view.forward));
    let x = to.dot(Vec3::from_array(view.right)) / (ahead * view.half_width);
    let y = -to.dot(Vec3::from_array(view.up)) / (ahead * view.half_height);
    if ahead <= view.near || x.abs() >= 1.0 || y.abs() >= 1.0 {
        return None;
    }
    let column = ((x * 0.5 + 0.5) * COLUMNS as f32) as u32;
    let row = ((y * 0.5 + 0.5) * ROWS as f32) as u32;
    let steps = (ahead / FIRST_SLICE).log2() / (LAST_SLICE / FIRST_SLICE).log2() * (SLICES - 2) as f32;
    let slice = (steps.floor() + 1.0).clamp(0.0, (SLICES - 1) as f32) as u32;
    Some((slice * ROWS + row.min(ROWS - 1)) * COLUMNS + column.min(COLUMNS - 1))
}

/// The lists as they lie in their buffer, cell by cell.
#[must_use]
pub fn lists(words: &[u32]) -> Vec<Vec<u32>> {
    let lists: Vec<Vec<u32>> = words
        .chunks_exact(1 + MOST_LIGHTS as usize)
        .map(|list| list[1..=list[0] as usize].to_vec())
        .collect();
    debug_assert_eq!(lists.len(), CELLS);
    lists
}
