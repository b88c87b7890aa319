//! What the sweep is made of. In: one seed. Out: content, and how everything turns.

use glam::{DQuat, DVec3};

use super::{PLAN, look};
use crate::scene::mesh::{Surface, direction, rock, sphere};
use crate::scene::shapes::{ALL, DOWN, Form, vec};
use crate::scene::stage::{Site, Stage, yaw};
use crate::scene::turn::Turn;
use crate::scene::turning::{Turning, Turntables};

const SEED: u64 = 0x0073_7765_6570;
const TEXELS: u32 = 512;
/// How far apart balls stand, and terraces.
const STEP: f64 = 2.2;
const TERRACE: f64 = 2.6;
const RISE: f64 = 0.9;

#[derive(Debug)]
pub(super) struct Make {
    stage: Stage,
    turning: Vec<Turning>,
    forms: Forms,
}

#[derive(Clone, Copy, Debug)]
struct Forms {
    ball: Form,
    torus: Form,
    knot: Form,
    pillow: Form,
    vase: Form,
    gem: Form,
    cube: Form,
}

impl Make {
    pub(super) fn all() -> Turntables {
        let mut stage = Stage::new(SEED, look::materials(), TEXELS, &look::LAYERS);
        let forms = forms(&mut stage);
        let mut make = Self { stage, turning: Vec::new(), forms };
        make.sweep();
        make.large_ones();
        make.ground();
        make.lamps();
        Turntables::new(PLAN, make.stage, make.turning)
    }

    fn turning(&mut self, form: Form, material: u32, site: Site, size: f64, axis: DVec3) {
        let random = &mut self.stage.random;
        let (seed, start) = (random.half_word(), Turn(random.half_word()));
        let rate = Turn::of(1.0 / random.between(500.0, 1_400.0));
        let radius = self.stage.moves(form, material, DVec3::splat(size), seed);
        self.turning.push(Turning { site, axis, start, rate, radius });
    }

    /// Terraces by metal and colour: on each a row by roughness, balls in front, other shapes behind.
    fn sweep(&mut self) {
        let shapes = [self.forms.torus, self.forms.knot, self.forms.pillow, self.forms.vase, self.forms.gem];
        for colour in 0..look::COLOURS {
            for metal in 0..look::METAL {
                for roughness in 0..look::ROUGHNESS {
                    let material = look::row(roughness, metal, colour);
                    // Two wings of three colours each.
                    let (wing, depth) = (colour % 2, colour / 2);
                    let row = f64::from(depth * look::METAL + metal);
                    let x = (if wing == 0 { -1.0 } else { 1.0 })
                        * (2.0 + STEP * 0.5 + 1.6 * f64::from(roughness));
                    let (y, z) = (RISE * row * 0.62 + 0.55, 8.0 - TERRACE * row * 0.8);
                    let site = Site::new(vec(x, y + 0.25, z), DQuat::IDENTITY);
                    let form = if (roughness + metal + depth) % 3 == 2 {
                        shapes[((roughness + 2 * metal + colour) % 5) as usize]
                    } else {
                        self.forms.ball
                    };
                    let axis = if form.mesh == self.forms.ball.mesh {
                        DVec3::Y
                    } else {
                        direction(&mut self.stage.random)
                    };
                    self.turning(form, material, site, 0.62, axis);
                }
            }
        }
    }

    /// A few large ones of many triangles, on pedestals before and behind the terraces.
    fn large_ones(&mut self) {
        let spots = [
            (self.forms.knot, -26.0, -4.0, 3.0, look::row(2, 4, 0)),
            (self.forms.torus, 0.0, 19.0, 1.9, look::row(1, 4, 2)),
            (self.forms.ball, 14.0, 21.0, 1.8, look::row(0, 4, 2)),
            (self.forms.pillow, -13.0, 27.0, 1.9, look::row(4, 0, 3)),
            (self.forms.vase, 29.0, 2.0, 2.6, look::row(3, 2, 5)),
            (self.forms.gem, 8.0, 29.0, 1.6, look::row(1, 0, 4)),
            (self.forms.knot, 14.0, -40.0, 3.6, look::row(5, 4, 1)),
            (self.forms.ball, -14.0, -42.0, 4.0, look::row(0, 0, 5)),
        ];
        for (form, x, z, size, material) in spots {
            let site = Site::new(vec(x, size + 1.0, z), yaw(0.1));
            let axis = direction(&mut self.stage.random);
            self.turning(form, material, site, size, axis);
            let foot = Site::new(vec(x, 0.25, z), DQuat::IDENTITY);
            self.stage.stand(self.forms.cube, look::TERRACE, &foot, vec(size * 0.8, 0.5, size * 0.8), 0);
        }
    }

    fn ground(&mut self) {
        let site = Site::new(vec(0.0, -0.5, 0.0), DQuat::IDENTITY);
        self.stage.stand(self.forms.cube, look::FLOOR, &site, vec(260.0, 0.5, 260.0), 0);
        for row in 0..look::METAL * look::COLOURS / 2 {
            let row = f64::from(row);
            let y = RISE * row * 0.62;
            for (wing, x) in [(0, -11.5), (1, 11.5)] {
                let z = 8.0 - TERRACE * row * 0.8 - 0.5 + 0.01 * f64::from(wing);
                let block = Site::new(vec(x, y / 2.0 - 0.25, z), DQuat::IDENTITY);
                self.stage.stand(
                    self.forms.cube,
                    look::TERRACE,
                    &block,
                    vec(9.4, y / 2.0 + 0.34, TERRACE * 0.4 - 0.012),
                    7,
                );
            }
        }
    }

    /// Lamps of all colours over the terraces.
    fn lamps(&mut self) {
        for i in 0..96u32 {
            let (column, row) = (i % 12, i / 12);
            let x = -17.0 + 3.1 * f64::from(column);
            let (y, z) = (3.2 + 1.1 * f64::from(row), 9.0 - 4.1 * f64::from(row));
            let hue =
                |shift: u32| 0.35 + 0.65 * f32::from(u8::from((column + row + shift).is_multiple_of(3)));
            let colour = [hue(0), hue(1), hue(2)];
            let site = Site::new(vec(x, y, z), DQuat::IDENTITY);
            self.stage.stand(self.forms.ball, look::LAMP, &site, DVec3::splat(0.09), (column + row) % 3);
            self.stage.light(site.at, 6.0, colour.map(|part| part * 3.0));
        }
    }
}

fn forms(stage: &mut Stage) -> Forms {
    let meshes = &mut stage.content.meshes;
    let borders = [0.024, 0.012, 0.006, 0.003];
    let levels = |make: &dyn Fn(u32) -> Surface| (0..5).map(make).collect::<Vec<_>>();
    let finer = |most: u32, level: u32| most >> level;
    // The finest ball has 16,200 triangles: nearly as many as an index of 14 bits can tell apart.
    let ball = |level: u32| match level {
        0 => globe(90, 91),
        1 => sphere(4),
        2 => sphere(3),
        3 => sphere(2),
        _ => sphere(1),
    };
    Forms {
        ball: meshes.form(1.0, levels(&ball), &borders),
        torus: meshes.form(1.0, levels(&|level| torus(finer(160, level), finer(48, level))), &borders),
        knot: meshes.form(1.0, levels(&|level| knot(finer(256, level), finer(32, level).max(4))), &borders),
        pillow: meshes.form(1.0, levels(&|level| pillow(finer(80, level), finer(96, level))), &borders),
        vase: meshes.form(1.0, levels(&|level| vase(finer(64, level), finer(96, level))), &borders),
        gem: meshes.form(1.0, (0..4).map(|level| rock(5 - level, 5)).collect(), &borders[..3]),
        cube: meshes.form(1.75, vec![Surface::of(|s| s.cuboid([-1.0; 3], [1.0; 3], ALL & !DOWN))], &[]),
    }
}

/// A ball by latitude and longitude.
fn globe(rows: u32, around: u32) -> Surface {
    let profile: Vec<(f64, f64)> = (0..=rows)
        .map(|i| {
            let (sine, cosine) = Turn::of(0.5 * f64::from(i) / f64::from(rows)).sin_cos();
            // Exactly zero at the poles, so that no triangle lacks an area there.
            (if i == 0 || i == rows { 0.0 } else { sine * 0.999_99 }, -cosine * 0.999_99)
        })
        .collect();
    Surface::of(|s| s.rounded(DVec3::ZERO, &profile, around, DVec3::ONE))
}

/// A tube around a closed line, in `along` pieces of `around` sides.
fn tube(line: &dyn Fn(f64) -> DVec3, thick: f64, along: u32, around: u32) -> Surface {
    let mut surface = Surface::empty();
    let at = |i: u32| f64::from(i % along) / f64::from(along);
    for i in 0..along {
        let way = (line(at(i) + 1e-4) - line(at(i) - 1e-4)).normalize();
        // Square to the way and as upright as can be: such a frame comes back to itself.
        let out = (DVec3::Y - way * way.y).try_normalize().unwrap_or(DVec3::X);
        let aside = way.cross(out);
        for j in 0..around {
            let (sine, cosine) = Turn::of(f64::from(j) / f64::from(around)).sin_cos();
            let normal = out * cosine + aside * sine;
            surface.points.push((line(at(i)) + normal * thick, normal));
            let index = |i: u32, j: u32| (i % along) * around + j % around;
            let (a, b, c, d) = (index(i, j), index(i, j + 1), index(i + 1, j), index(i + 1, j + 1));
            surface.triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    surface
}

fn torus(along: u32, around: u32) -> Surface {
    let line = |t: f64| {
        let (sine, cosine) = Turn::of(t).sin_cos();
        vec(0.68 * cosine, 0.0, 0.68 * sine)
    };
    tube(&line, 0.28, along, around)
}

/// A trefoil that lies flat, so that no stretch of it is upright, where the tube's frame would turn over.
fn knot(along: u32, around: u32) -> Surface {
    let line = |t: f64| {
        let ((s1, c1), (s2, c2), (s3, _)) =
            (Turn::of(t).sin_cos(), Turn::of(2.0 * t).sin_cos(), Turn::of(3.0 * t).sin_cos());
        vec(s1 + 2.0 * s2, -s3, c1 - 2.0 * c2) * 0.245
    };
    tube(&line, 0.17, along, around)
}

/// A rounded cube: the ball drawn out towards the corners.
fn pillow(rows: u32, around: u32) -> Surface {
    let mut surface = globe(rows, around);
    for (point, normal) in &mut surface.points {
        let p = *point;
        // Of the ball that belongs to the eighth powers, by roots of roots.
        let powers = p * p * p * p * p * p * p * p;
        let length = (powers.x + powers.y + powers.z).sqrt().sqrt().sqrt().max(1e-9);
        *point = p / length * 0.60;
        let q = p / length;
        *normal = (q * q * q * q * q * q * q).try_normalize().unwrap_or(DVec3::Y);
    }
    surface
}

fn vase(rows: u32, around: u32) -> Surface {
    let mut profile = vec![(0.0, -0.88), (0.30, -0.88)];
    profile.extend((0..=rows).map(|i| {
        let t = f64::from(i) / f64::from(rows);
        let (belly, _) = Turn::of(0.04 + 0.62 * t).sin_cos();
        (0.30 + 0.22 * belly * (1.0 - 0.4 * t) + 0.06 * t * t, -0.87 + 1.72 * t)
    }));
    profile.extend([(0.22, 0.86), (0.20, 0.70), (0.0, 0.66)]);
    profile.iter_mut().for_each(|(radius, height)| (*radius, *height) = (*radius * 0.92, *height * 0.92));
    Surface::of(|s| s.rounded(DVec3::ZERO, &profile, around, DVec3::ONE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_normals_on_the_side_of_their_faces() {
        let shapes = [
            ("globe", globe(20, 21)),
            ("torus", torus(40, 12)),
            ("knot", knot(128, 16)),
            ("pillow", pillow(20, 24)),
            ("vase", vase(24, 24)),
        ];
        for (name, shape) in shapes {
            for corners in &shape.triangles {
                let [a, b, c] = corners.map(|i| shape.points[i as usize]);
                let face = (b.0 - a.0).cross(c.0 - a.0);
                assert!(face.dot(a.1 + b.1 + c.1) >= -1e-12, "{name}: a face looks against its normals");
            }
        }
    }
}
