//! What both phases of culling share, in the order of operations of `shared/culling.wgsl`.

use super::depth_pyramid::Pyramid;
use crate::scene::{Content, Draws, MeshEntry, Placement};
use crate::view::View;

/// A camera that a ball is hidden from or not.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Where it is.
    pub position: [f32; 3],
    /// To the right of the image.
    pub right: [f32; 3],
    /// To the top of the image.
    pub up: [f32; 3],
    /// Into the image.
    pub forward: [f32; 3],
}

impl Eye {
    /// The camera of this frame.
    #[must_use]
    pub const fn now(view: &View) -> Self {
        Self { position: view.eye, right: view.right, up: view.up, forward: view.forward }
    }

    /// The camera of the frame before.
    #[must_use]
    pub const fn before(view: &View) -> Self {
        Self {
            position: view.before_eye,
            right: view.before_right,
            up: view.before_up,
            forward: view.before_forward,
        }
    }
}

/// What culling decides on.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The view.
    pub view: &'a View,
    /// The draws.
    pub draws: &'a Draws,
    /// The content.
    pub content: &'a Content,
    /// Where each instance stands.
    pub placements: &'a [Placement],
}

impl Scene<'_> {
    /// Place and radius of the ball around an instance.
    #[must_use]
    pub fn ball(&self, id: u32) -> ([f32; 3], f32) {
        let at = &self.placements[id as usize];
        (at.position, self.content.instances[id as usize].bound(at))
    }

    /// The draw of a phase that an instance belongs to.
    #[must_use]
    pub fn draw(&self, phase: usize, id: u32) -> usize {
        let (centre, bound) = self.ball(id);
        let entry = &self.draws.meshes[self.content.instances[id as usize].mesh as usize];
        let level = level_of_detail(self.view, entry, centre, bound);
        phase * self.draws.of_a_phase() + entry.first_draw as usize + level
    }
}

pub(super) fn outside(view: &View, centre: [f32; 3], bound: f32) -> bool {
    let [x, y, z] = centre;
    view.planes.iter().any(|plane| plane[0] * x + plane[1] * y + plane[2] * z + plane[3] < -bound)
}

/// How far the nearest point of a ball lies behind the pyramid's depth: hidden where above one. None where it reaches
/// the near plane, or where nothing bounds the depth.
#[must_use]
pub fn behind(view: &View, pyramid: &Pyramid, eye: &Eye, centre: [f32; 3], bound: f32) -> Option<f32> {
    let to: [f32; 3] = std::array::from_fn(|axis| centre[axis] - eye.position[axis]);
    let dot = |axis: [f32; 3]| to[0] * axis[0] + to[1] * axis[1] + to[2] * axis[2];
    let middle = dot(eye.forward);
    let (near, far) = (middle - bound, middle + bound);
    if near <= view.near {
        return None;
    }
    let x = pixels(across(dot(eye.right), bound, near, far, view.half_width), view.width);
    let y = pixels(across(-dot(eye.up), bound, near, far, view.half_height), view.height);
    let coarsest = pyramid.levels.len() - 1;
    let fits = |level: usize| {
        let texel = |pixel: u32| pixel >> (level + 1);
        texel(x[1]) - texel(x[0]) <= 1 && texel(y[1]) - texel(y[0]) <= 1
    };
    let level = (0..coarsest).find(|&level| fits(level)).unwrap_or(coarsest);
    let at = |x: u32, y: u32| pyramid.levels[level].at(x >> (level + 1), y >> (level + 1));
    let farthest = at(x[0], y[0]).min(at(x[1], y[0])).min(at(x[0], y[1])).min(at(x[1], y[1]));
    Some(farthest / (view.near / near * 1.0001))
}

fn across(middle: f32, bound: f32, near: f32, far: f32, half_size: f32) -> [f32; 2] {
    let low = ((middle - bound) / near).min((middle - bound) / far);
    let high = ((middle + bound) / near).max((middle + bound) / far);
    [low / half_size, high / half_size]
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "clamped to the image, whose size a float holds exactly"
)]
fn pixels(interval: [f32; 2], size: u32) -> [u32; 2] {
    let [low, high] = interval.map(|edge| (edge * 0.5 + 0.5) * size as f32);
    let within = |pixel: f32| pixel.clamp(0.0, (size - 1) as f32) as u32;
    [within(low - 1.0), within(high + 1.0)]
}

fn level_of_detail(view: &View, entry: &MeshEntry, centre: [f32; 3], bound: f32) -> usize {
    let to: [f32; 3] = std::array::from_fn(|axis| centre[axis] - view.eye[axis]);
    let distance_squared = to[0] * to[0] + to[1] * to[1] + to[2] * to[2];
    let borders = &entry.borders[..entry.levels as usize - 1];
    borders.iter().filter(|&&border| bound * bound < border * border * distance_squared).count()
}
