//! culling_two, as `pass/culling_two.wgsl` decides, but for rounding in divisions.

use super::culling::{Eye, Scene, behind};
use super::depth_pyramid::Pyramid;

/// Those of `later` that are in sight, by the pyramid of the first phase's depth.
#[must_use]
pub fn culling_two(scene: &Scene<'_>, later: &[u32], now: &Pyramid) -> Vec<u32> {
    let eye = Eye::now(scene.view);
    let hidden = |id: u32| {
        let (centre, bound) = scene.ball(id);
        behind(scene.view, now, &eye, centre, bound).is_some_and(|ratio| ratio > 1.0)
    };
    later.iter().copied().filter(|&id| !hidden(id)).collect()
}
