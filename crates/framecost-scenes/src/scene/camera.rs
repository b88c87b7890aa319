//! The camera: a smooth path between keys that may ride along with moving bodies. In: the frame's index and the size
//! of the image. Out: where the eye is, and the planes that bound what it sees.

use glam::{DMat4, DVec3, DVec4, Mat4};

/// A moment of the path. Between keys, places are blended by a cubic through their neighbours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// When.
    pub(crate) frame: f64,
    /// Where the eye is.
    pub(crate) eye: Place,
    /// What it looks at.
    pub(crate) look: Place,
}

/// A place that rides along with a body: `offset` is outward from the sun, up, and ahead on the orbit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    /// Index of the body.
    pub(crate) body: usize,
    /// Outward, up, ahead.
    pub(crate) offset: DVec3,
}

/// The eye at one frame: `right`, `up` and `forward` are of unit length and square to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands.
    pub eye: DVec3,
    /// To the right of the image.
    pub right: DVec3,
    /// To the top of the image.
    pub up: DVec3,
    /// Into the image.
    pub forward: DVec3,
}

/// A place in the world, for scenes whose body 0 stands in its middle.
pub(crate) const fn at(x: f64, y: f64, z: f64) -> Place {
    Place { body: 0, offset: DVec3::new(x, y, -z) }
}

impl Place {
    fn at(self, bodies: &[DVec3]) -> DVec3 {
        let centre = bodies[self.body];
        let flat = DVec3::new(centre.x, 0.0, centre.z);
        let outward = flat.try_normalize().unwrap_or(DVec3::X);
        // Bodies revolve from x towards -z as seen from above, so ahead is up crossed with outward.
        let ahead = DVec3::Y.cross(outward);
        centre + outward * self.offset.x + DVec3::Y * self.offset.y + ahead * self.offset.z
    }
}

impl Camera {
    /// Half the height of the image at distance one: a vertical field of view of 50 degrees.
    pub const HALF_HEIGHT: f64 = 0.466;

    /// What lies nearer is not drawn.
    pub const NEAR: f64 = 0.1;

    /// The camera at `frame` of a path of `length` frames that closes on itself, its keys ascending.
    pub(crate) fn on_path(keys: &[Key], length: f64, frame: f64, bodies: &[DVec3]) -> Self {
        let eye = blend(keys, length, frame, |key| key.eye.at(bodies));
        let look = blend(keys, length, frame, |key| key.look.at(bodies));
        Self::towards(eye, look)
    }

    /// From `eye` towards `look`, upright.
    pub(crate) fn towards(eye: DVec3, look: DVec3) -> Self {
        let forward = (look - eye).try_normalize().unwrap_or(DVec3::NEG_Z);
        let right = forward.cross(DVec3::Y).try_normalize().unwrap_or(DVec3::X);
        Self { eye, right, up: right.cross(forward), forward }
    }

    /// From the world to clip space, depth reversed: one at the near plane, zero at infinity.
    pub(crate) fn clip_from_world(&self, aspect: f64) -> Mat4 {
        let view = DMat4::from_cols(
            DVec4::new(self.right.x, self.up.x, -self.forward.x, 0.0),
            DVec4::new(self.right.y, self.up.y, -self.forward.y, 0.0),
            DVec4::new(self.right.z, self.up.z, -self.forward.z, 0.0),
            DVec4::new(-self.right.dot(self.eye), -self.up.dot(self.eye), self.forward.dot(self.eye), 1.0),
        );
        let lens = DMat4::from_cols(
            DVec4::new(1.0 / (Self::HALF_HEIGHT * aspect), 0.0, 0.0, 0.0),
            DVec4::new(0.0, 1.0 / Self::HALF_HEIGHT, 0.0, 0.0),
            DVec4::new(0.0, 0.0, 0.0, -1.0),
            DVec4::new(0.0, 0.0, Self::NEAR, 0.0),
        );
        (lens * view).as_mat4()
    }

    /// The planes that bound what is seen (left, right, bottom, top, near), their normals of unit length and inward:
    /// a ball is outside where `normal . centre + w < -radius` for one of them. There is no far plane.
    pub(crate) fn planes(&self, aspect: f64) -> [[f32; 4]; 5] {
        let plane = |normal: DVec3, through: DVec3| {
            let normal = normal.normalize();
            normal.extend(-normal.dot(through)).as_vec4().to_array()
        };
        let (wide, high) = (self.forward * Self::HALF_HEIGHT * aspect, self.forward * Self::HALF_HEIGHT);
        [
            plane(wide + self.right, self.eye),
            plane(wide - self.right, self.eye),
            plane(high + self.up, self.eye),
            plane(high - self.up, self.eye),
            plane(self.forward, self.eye + self.forward * Self::NEAR),
        ]
    }

    /// Where a point falls in an image of that aspect: -1 to 1 from left to right and from bottom to top; none
    /// behind the eye.
    #[must_use]
    pub fn project(&self, point: DVec3, aspect: f64) -> Option<(f64, f64)> {
        let to = point - self.eye;
        let depth = to.dot(self.forward);
        (depth > Self::NEAR).then(|| {
            (
                to.dot(self.right) / (depth * Self::HALF_HEIGHT * aspect),
                to.dot(self.up) / (depth * Self::HALF_HEIGHT),
            )
        })
    }
}

/// Cubic Hermite through the keys' values, each slope that of the line between its neighbours (Catmull and Rom 1974).
fn blend(keys: &[Key], length: f64, frame: f64, value: impl Fn(&Key) -> DVec3) -> DVec3 {
    let count = keys.len() as isize;
    let time = |i: isize| {
        #[expect(clippy::cast_precision_loss, reason = "a handful of laps")]
        let laps = i.div_euclid(count) as f64;
        keys[i.rem_euclid(count).unsigned_abs()].frame + laps * length
    };
    let at = |i: isize| value(&keys[i.rem_euclid(count).unsigned_abs()]);
    let slope = |i: isize| (at(i + 1) - at(i - 1)) / (time(i + 1) - time(i - 1));
    let i = keys.partition_point(|key| key.frame <= frame).cast_signed() - 1;
    let step = time(i + 1) - time(i);
    let t = (frame - time(i)) / step;
    let (tt, ttt) = (t * t, t * t * t);
    at(i) * (2.0 * ttt - 3.0 * tt + 1.0)
        + slope(i) * step * (ttt - 2.0 * tt + t)
        + at(i + 1) * (3.0 * tt - 2.0 * ttt)
        + slope(i + 1) * step * (ttt - tt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(frame: f64, x: f64) -> Key {
        let place = |x| Place { body: 0, offset: DVec3::new(x, 0.0, 0.0) };
        Key { frame, eye: place(x), look: place(x + 1.0) }
    }

    #[test]
    fn the_path_meets_its_keys_and_closes() {
        let keys = [key(10.0, 1.0), key(30.0, 5.0), key(70.0, -2.0)];
        let x = |frame| Camera::on_path(&keys, 100.0, frame, &[DVec3::ZERO]).eye.x;
        for (frame, expected) in [(10.0, 1.0), (30.0, 5.0), (70.0, -2.0)] {
            assert!((x(frame) - expected).abs() < 1e-12, "frame {frame}: {}", x(frame));
        }
        assert!((x(0.0) - x(99.999_999)).abs() < 1e-5, "the last frame leads to the first");
    }

    #[test]
    fn planes_and_matrix_agree_on_what_is_seen() {
        let camera = Camera::towards(DVec3::new(3.0, 2.0, 5.0), DVec3::new(-1.0, 0.5, 0.0));
        let (planes, clip) = (camera.planes(1.6), camera.clip_from_world(1.6));
        let mut seen = 0;
        for i in 0..4096u32 {
            let at = |shift: u32| f64::from((i >> shift) & 15) - 7.5;
            let point = DVec3::new(at(0), at(4), at(8)).as_vec3();
            let c = clip * point.extend(1.0);
            let by_matrix = c.w > 0.0 && c.x.abs() <= c.w && c.y.abs() <= c.w && (0.0..=c.w).contains(&c.z);
            let by_planes =
                planes.iter().all(|p| p[0] * point.x + p[1] * point.y + p[2] * point.z + p[3] >= 0.0);
            assert_eq!(by_matrix, by_planes, "{point}");
            seen += u32::from(by_matrix);
        }
        assert!((300..3000).contains(&seen), "{seen} of 4096 seen: the test has both kinds");
    }

    #[test]
    fn projection_agrees_with_the_matrix() {
        let camera = Camera::towards(DVec3::new(3.0, 2.0, 5.0), DVec3::ZERO);
        let point = DVec3::new(0.4, -0.3, 1.0);
        let (x, y) = camera.project(point, 1.5).unwrap();
        let clip = camera.clip_from_world(1.5) * point.as_vec3().extend(1.0);
        assert!((x - f64::from(clip.x / clip.w)).abs() < 1e-5, "{x}");
        assert!((y - f64::from(clip.y / clip.w)).abs() < 1e-5, "{y}");
        assert_eq!(camera.project(DVec3::new(9.0, 6.0, 15.0), 1.5), None, "behind the eye");
    }
}
