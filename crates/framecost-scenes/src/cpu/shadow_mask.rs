//! shadow_mask, formula for formula as in `pass/shadow_mask.wgsl`. In: the depth of each pixel's first sample. Out: 1 where
//! the light reaches it, 0 where something is between. Where a ray grazes an edge, a last bit decides.

use glam::{Vec2, Vec3};

use super::trace::{Ray, Traced};
use crate::switches::{SHADOW_RAYS, bit};
use crate::view::View;

/// Where the first of four samples lies in a pixel.
const SAMPLE: Vec2 = Vec2::new(0.375, 0.125);

/// In radii of the light from its middle: what stands nearer to it casts no full shadow.
const NO_UMBRA: f32 = 5.0;

/// Beyond every depth.
const FAR: f32 = 3.0e38;

/// The mask of every pixel, row by row. `coarse` is how far the drawn surface may be from the traced one, as a share of
/// the distance.
#[must_use]
pub fn shadow_mask(view: &View, depth: &[f32], traced: &Traced<'_>, coarse: f32) -> Vec<f32> {
    let image = Picture { view, depth, coarse };
    let pixels = (0..view.height).flat_map(|y| (0..view.width).map(move |x| [x, y]));
    let traces = view.switches & bit(SHADOW_RAYS) != 0;
    let open = |at: [u32; 2]| !traces || image.ray(at).is_none_or(|ray| !traced.occluded(&ray));
    pixels.map(|at| if open(at) { 1.0 } else { 0.0 }).collect()
}

struct Picture<'a> {
    view: &'a View,
    depth: &'a [f32],
    coarse: f32,
}

impl Picture<'_> {
    fn depth(&self, [x, y]: [u32; 2]) -> f32 {
        self.depth[(y * self.view.width + x) as usize]
    }

    /// What is seen there, relative to the anchor.
    fn place(&self, at: [u32; 2]) -> Vec3 {
        let view = self.view;
        let size = Vec2::new(view.width as f32, view.height as f32);
        let on_lens =
            ((Vec2::new(at[0] as f32, at[1] as f32) + SAMPLE) / size * 2.0 - 1.0) * Vec2::new(1.0, -1.0);
        let [right, up, forward, eye, anchor] =
            [view.right, view.up, view.forward, view.eye, view.anchor].map(Vec3::from_array);
        let way = forward + right * (on_lens.x * view.half_width) + up * (on_lens.y * view.half_height);
        (eye - anchor) + way * (view.near / self.depth(at).max(1e-20))
    }

    /// From a pixel to its neighbour along an axis: the one nearer in depth. Where there is none but sky, as if the
    /// surface faced the eye.
    fn along(&self, at: [u32; 2], axis: usize) -> Vec3 {
        let most = [self.view.width, self.view.height][axis] - 1;
        let (mut before, mut after) = (at, at);
        before[axis] = before[axis].saturating_sub(1);
        after[axis] = (after[axis] + 1).min(most);
        let apart = |other: [u32; 2]| {
            let nothing = other == at || self.depth(other) <= 0.0;
            if nothing { FAR } else { (self.depth(other) - self.depth(at)).abs() }
        };
        let (to_before, to_after) = (apart(before), apart(after));
        if to_before.min(to_after) >= FAR {
            Vec3::from_array(if axis == 0 { self.view.right } else { self.view.up })
        } else if to_before < to_after {
            self.place(at) - self.place(before)
        } else {
            self.place(after) - self.place(at)
        }
    }

    /// From what is seen towards the light; none from the sky, and none from within the light.
    fn ray(&self, at: [u32; 2]) -> Option<Ray> {
        if self.depth(at) <= 0.0 {
            return None;
        }
        let view = self.view;
        let anchor = Vec3::from_array(view.anchor);
        let (light, eye) = (Vec3::from_array(view.light) - anchor, Vec3::from_array(view.eye) - anchor);
        let place = self.place(at);
        let across = self.along(at, 0).cross(self.along(at, 1));
        let normal = across / across.length().max(1e-30);
        let normal = if normal.dot(light - place) < 0.0 { -normal } else { normal };
        let way = (light - place).normalize();
        let origin = place + (normal + way) * (self.coarse * place.distance(eye));
        let to = light - origin;
        let most = to.length() - NO_UMBRA * view.light_radius;
        (most > 0.0).then(|| Ray { origin, direction: to / to.length(), most })
    }
}
