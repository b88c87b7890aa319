//! culling_one, as `pass/culling_one.wgsl` decides, but for rounding in divisions.

use super::culling::{Eye, Scene, behind, outside};
use super::depth_pyramid::Pyramid;
use crate::switches::{CULLING, OCCLUSION, bit};

/// What the first phase makes of each instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct First {
    /// The ids to draw, ascending.
    pub drawn: Vec<u32>,
    /// Those put off.
    pub later: Vec<u32>,
}

/// The first phase, with the pyramid as the frame before left it.
#[must_use]
pub fn culling_one(scene: &Scene<'_>, before: &Pyramid) -> First {
    let view = scene.view;
    let on = |flag| view.switches & bit(flag) != 0;
    let eye = Eye::before(view);
    let mut first = First::default();
    for id in 0..view.instances {
        let (centre, bound) = scene.ball(id);
        if on(CULLING) && outside(view, centre, bound) {
            continue;
        }
        let hidden = || behind(view, before, &eye, centre, bound).is_some_and(|ratio| ratio > 1.0);
        let put_off = on(OCCLUSION) && view.before == 1 && hidden();
        if put_off { first.later.push(id) } else { first.drawn.push(id) }
    }
    first
}
