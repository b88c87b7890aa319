//! Solids to put meshes together from: boxes, prisms, turned and tapered pieces, leaves. In: measures. Out: surfaces whose
//! faces are flat or smooth as asked, counter-clockwise from outside.

use glam::DVec3;

use super::mesh::{Meshes, Surface, direction};
use super::random::Random;
use super::turn::Turn;

/// Sides of a box, as bits.
pub(crate) const LEFT: u8 = 1;
pub(crate) const RIGHT: u8 = 2;
pub(crate) const DOWN: u8 = 4;
pub(crate) const UP: u8 = 8;
pub(crate) const BACK: u8 = 16;
pub(crate) const FRONT: u8 = 32;
pub(crate) const ALL: u8 = 63;

/// A mesh and the length in its author's units that its unit sphere stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) mesh: u32,
    pub(crate) unit: f64,
}

impl Meshes {
    /// Adds a shape of such levels, fine to coarse, all within `unit` of their origin.
    pub(crate) fn form(&mut self, unit: f64, mut levels: Vec<Surface>, borders: &[f32]) -> Form {
        for (point, _) in levels.iter_mut().flat_map(|level| &mut level.points) {
            debug_assert!(point.length() <= unit * (1.0 + 1e-12), "{point} lies beyond {unit}");
            *point /= unit;
        }
        Form { mesh: self.add(levels, borders), unit }
    }
}

pub(crate) const fn vec(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

#[expect(clippy::cast_possible_truncation, reason = "meshes by rule stay far below 2^31 vertices")]
const fn index(n: usize) -> u32 {
    n as u32
}

impl Surface {
    pub(crate) const fn empty() -> Self {
        Self { points: Vec::new(), triangles: Vec::new() }
    }

    /// What `build` adds to nothing.
    pub(crate) fn of(build: impl FnOnce(&mut Self)) -> Self {
        let mut surface = Self::empty();
        build(&mut surface);
        surface
    }

    /// A flat convex face.
    pub(crate) fn face(&mut self, corners: &[DVec3]) {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let normal = normal.try_normalize().unwrap_or(DVec3::Y);
        let first = index(self.points.len());
        self.points.extend(corners.iter().map(|&corner| (corner, normal)));
        self.triangles.extend((2..index(corners.len())).map(|i| [first, first + i - 1, first + i]));
    }

    /// The sides of a box that `sides` names.
    pub(crate) fn cuboid(&mut self, lo: [f64; 3], hi: [f64; 3], sides: u8) {
        let ([a, b, c], [d, e, f]) = (lo, hi);
        let faces = [
            (LEFT, [vec(a, b, c), vec(a, b, f), vec(a, e, f), vec(a, e, c)]),
            (RIGHT, [vec(d, b, f), vec(d, b, c), vec(d, e, c), vec(d, e, f)]),
            (DOWN, [vec(a, b, c), vec(d, b, c), vec(d, b, f), vec(a, b, f)]),
            (UP, [vec(a, e, f), vec(d, e, f), vec(d, e, c), vec(a, e, c)]),
            (BACK, [vec(d, b, c), vec(a, b, c), vec(a, e, c), vec(d, e, c)]),
            (FRONT, [vec(a, b, f), vec(d, b, f), vec(d, e, f), vec(a, e, f)]),
        ];
        faces.iter().filter(|(side, _)| sides & side != 0).for_each(|(_, face)| self.face(face));
    }

    /// A convex outline in x and y, counter-clockwise seen from +z, drawn out from `back` to `front`.
    pub(crate) fn prism(&mut self, outline: &[(f64, f64)], back: f64, front: f64) {
        let at = |i: usize, z: f64| {
            let (x, y) = outline[i % outline.len()];
            vec(x, y, z)
        };
        for i in 0..outline.len() {
            self.face(&[at(i, front), at(i, back), at(i + 1, back), at(i + 1, front)]);
        }
        let near: Vec<DVec3> = (0..outline.len()).map(|i| at(i, front)).collect();
        let far: Vec<DVec3> = (0..outline.len()).rev().map(|i| at(i, back)).collect();
        self.face(&near);
        self.face(&far);
    }

    /// A profile of (radius, height), from below upward, turned about the y axis through `at`; its sides smooth.
    pub(crate) fn turned(&mut self, at: DVec3, profile: &[(f64, f64)], around: u32) {
        self.swept(at, profile, around, DVec3::ONE);
    }

    /// As [`Self::turned`], its sections squashed to ellipses.
    pub(crate) fn swept(&mut self, at: DVec3, profile: &[(f64, f64)], around: u32, squash: DVec3) {
        for (&(r0, y0), &(r1, y1)) in profile.iter().zip(&profile[1..]) {
            let first = index(self.points.len());
            // A flat ring of its own for every piece: a profile's corners stay sharp.
            let slope = vec(y1 - y0, r0 - r1, 0.0).try_normalize().unwrap_or(DVec3::X);
            for i in 0..=around {
                let (s, c) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
                let normal = (vec(c * slope.x, slope.y, s * slope.x) / squash).normalize();
                for (r, y) in [(r0, y0), (r1, y1)] {
                    self.points.push((at + vec(c * r, y, s * r) * squash, normal));
                }
            }
            for i in 0..around {
                let a = first + 2 * i;
                if r0 > 0.0 {
                    self.triangles.push([a, a + 1, a + 2]);
                }
                if r1 > 0.0 {
                    self.triangles.push([a + 1, a + 3, a + 2]);
                }
            }
        }
    }

    /// A profile as [`Self::turned`] takes it, but rounded: normals run on from piece to piece.
    pub(crate) fn rounded(&mut self, at: DVec3, profile: &[(f64, f64)], around: u32, squash: DVec3) {
        let first = index(self.points.len());
        let last = profile.len() - 1;
        for (k, &(r, y)) in profile.iter().enumerate() {
            let (before, after) = (profile[k.saturating_sub(1)], profile[(k + 1).min(last)]);
            let slope = vec(after.1 - before.1, before.0 - after.0, 0.0).try_normalize().unwrap_or(DVec3::X);
            for i in 0..=around {
                let (s, c) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
                let normal = (vec(c * slope.x, slope.y, s * slope.x) / squash).normalize();
                self.points.push((at + vec(c * r, y, s * r) * squash, normal));
            }
        }
        let row = around + 1;
        for k in 0..index(last) {
            for i in 0..around {
                let a = first + k * row + i;
                if profile[k as usize].0 > 0.0 {
                    self.triangles.push([a, a + row, a + 1]);
                }
                if profile[k as usize + 1].0 > 0.0 {
                    self.triangles.push([a + 1, a + row, a + row + 1]);
                }
            }
        }
    }

    /// A limb from `a` to `b` that tapers; open at both ends.
    pub(crate) fn limb(&mut self, (a, ra): (DVec3, f64), (b, rb): (DVec3, f64), around: u32) {
        let way = (b - a).try_normalize().unwrap_or(DVec3::Y);
        let aside = if way.y.abs() < 0.9 { DVec3::Y } else { DVec3::X };
        let x = way.cross(aside).normalize();
        let z = x.cross(way);
        let first = index(self.points.len());
        for i in 0..=around {
            let (s, c) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
            let out = x * c + z * s;
            self.points.push((a + out * ra, out));
            self.points.push((b + out * rb, out));
        }
        for i in 0..around {
            let p = first + 2 * i;
            self.triangles.extend([[p, p + 1, p + 2], [p + 1, p + 3, p + 2]]);
        }
    }

    /// Another surface, scaled along the axes and moved.
    pub(crate) fn put(&mut self, other: &Self, scale: DVec3, at: DVec3) {
        let first = index(self.points.len());
        self.points.extend(
            other.points.iter().map(|&(point, normal)| (point * scale + at, (normal / scale).normalize())),
        );
        self.triangles.extend(other.triangles.iter().map(|corners| corners.map(|corner| corner + first)));
    }

    /// Leaves that stand off a ball of radius `reach`: `count` triangles that look outward, their normals the ball's, so
    /// that a crown is lit as one.
    pub(crate) fn leaves(&mut self, count: u32, reach: f64, size: f64, seed: u64) {
        let mut random = Random::new(seed);
        for _ in 0..count {
            let out = direction(&mut random);
            let tilt = (out + direction(&mut random) * 0.55).normalize();
            let x = tilt.cross(direction(&mut random)).try_normalize().unwrap_or(DVec3::X);
            let y = tilt.cross(x);
            let at = out * (reach * random.between(0.88, 1.12));
            let large = size * random.between(0.6, 1.0);
            let first = index(self.points.len());
            for (u, v) in [(-0.55, -0.4), (0.55, -0.4), (0.0, 0.9)] {
                self.points.push((at + (x * u + y * v) * large, out));
            }
            self.triangles.push([first, first + 1, first + 2]);
        }
    }
}

/// A lump: a ball with bumps, within the unit sphere.
pub(crate) fn lump(splits: u32, seed: u64) -> Surface {
    let mut ball = super::mesh::sphere(splits);
    let mut random = Random::new(seed);
    let bumps: Vec<(DVec3, f64)> =
        (0..26).map(|_| (direction(&mut random), random.between(0.08, 0.30))).collect();
    for (point, _) in &mut ball.points {
        let dent: f64 =
            bumps.iter().map(|(side, depth)| depth * ((point.dot(*side) - 0.70) / 0.30).max(0.0)).sum();
        *point *= (1.0 - dent).max(0.5);
    }
    ball
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_outward(surface: &Surface, name: &str) {
        for corners in &surface.triangles {
            let [a, b, c] = corners.map(|i| surface.points[i as usize]);
            let face = (b.0 - a.0).cross(c.0 - a.0);
            let normal = a.1 + b.1 + c.1;
            assert!(face.dot(normal) > 0.0, "{name}: a face looks against its normals");
            let middle = (a.0 + b.0 + c.0) / 3.0;
            assert!(face.dot(middle) > 0.0, "{name}: a face of a solid about the origin looks inward");
        }
    }

    #[test]
    fn solids_look_outward() {
        let square = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let profile = [(0.0, -1.0), (1.0, -0.8), (0.8, 0.8), (0.0, 1.0)];
        let squash = vec(1.0, 1.0, 0.5);
        assert_outward(&Surface::of(|s| s.cuboid([-1.0; 3], [1.0; 3], ALL)), "cuboid");
        assert_outward(&Surface::of(|s| s.prism(&square, -1.0, 1.0)), "prism");
        assert_outward(&Surface::of(|s| s.turned(DVec3::ZERO, &profile, 8)), "turned");
        assert_outward(&Surface::of(|s| s.rounded(DVec3::ZERO, &profile, 8, squash)), "rounded");
        assert_outward(
            &Surface::of(|s| s.limb((vec(0.0, -1.0, 0.2), 0.5), (vec(0.1, 1.0, 0.0), 0.3), 6)),
            "limb",
        );
        assert_outward(&Surface::of(|s| s.leaves(60, 1.0, 0.3, 7)), "leaves");
        assert_outward(&lump(2, 3), "lump");
    }
}
