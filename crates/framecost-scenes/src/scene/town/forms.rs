//! The shapes that a town is built from, all but its wall panels. Authored in metres where it matters, each within its
//! unit. Out: forms by name.

use glam::DVec3;

use super::panels::Panels;
use super::things;
use crate::scene::figures;
use crate::scene::mesh::{Meshes, Surface};
use crate::scene::shapes::{ALL, BACK, DOWN, FRONT, Form, LEFT, RIGHT, UP, lump, vec};
use crate::scene::turn::Turn;

#[derive(Clone, Copy, Debug)]
pub(super) struct Forms {
    pub(super) panels: Panels,
    pub(super) cube: Form,
    pub(super) block: Form,
    pub(super) cornice: Form,
    pub(super) gable: Form,
    pub(super) hip: Form,
    pub(super) mansard: Form,
    pub(super) spire: Form,
    pub(super) dome: Form,
    pub(super) bar: Form,
    pub(super) stack: Form,
    pub(super) pot: Form,
    pub(super) railing: Form,
    pub(super) awning: Form,
    pub(super) post: Form,
    pub(super) lantern: Form,
    pub(super) bench: Form,
    pub(super) bin: Form,
    pub(super) bollard: Form,
    pub(super) trunk: Form,
    pub(super) crowns: [Form; 3],
    pub(super) cone: Form,
    pub(super) hedge: Form,
    pub(super) fence: Form,
    pub(super) car: Form,
    pub(super) van: Form,
    pub(super) standing: Form,
    pub(super) torso: Form,
    pub(super) leg: Form,
    pub(super) bird: Form,
    pub(super) wing: Form,
    pub(super) boat: Form,
    pub(super) arch: Form,
    pub(super) basin: Form,
    pub(super) wheel: Form,
    pub(super) gondola: Form,
    pub(super) vane: Form,
    pub(super) hand: Form,
    pub(super) disc: Form,
}

impl Forms {
    pub(super) fn new(meshes: &mut Meshes) -> Self {
        let panels = Panels::new(meshes);
        let mut one = |unit: f64, surface: Surface| meshes.form(unit, vec![surface], &[]);
        let cube = one(1.75, Surface::of(|s| s.cuboid([-1.0; 3], [1.0; 3], ALL)));
        let cornice = one(1.75, cornice());
        let gable = one(1.75, gable());
        let hip = one(1.75, hip(0.45));
        let mansard = one(1.75, mansard());
        let bar = one(1.75, bar());
        let arch = one(1.75, arch());
        let boat = one(1.75, things::boat());
        let wing = one(1.0, things::wing());
        let vane = one(1.0, things::vane());
        let hand = one(1.0, things::hand());
        let fit = |meshes: &mut Meshes, unit, make: &dyn Fn(u32) -> Surface, borders: &[f32]| {
            let levels = (0..=borders.len()).map(|level| make(u32::try_from(level).unwrap_or(0)));
            let levels = levels.collect();
            meshes.form(unit, levels, borders)
        };
        let around = |level: u32, most: u32| (most >> level).max(4);
        let crown = |seed: u64| {
            move |level: u32| {
                Surface::of(|s| {
                    s.put(&lump(2 - level.min(2), seed), DVec3::splat(0.84), DVec3::ZERO);
                    s.leaves([230, 60, 12][level as usize], 0.88, 0.24 + 0.16 * f64::from(level), seed + 9);
                })
            }
        };
        Self {
            panels,
            cube,
            block: fit(meshes, 1.75, &block, &[0.012]),
            cornice,
            gable,
            hip,
            mansard,
            spire: fit(meshes, 1.5, &|level| spire(around(level, 8)), &[0.02]),
            dome: fit(meshes, 1.5, &|level| dome(around(level, 24)), &[0.1, 0.03]),
            bar,
            stack: fit(meshes, 1.75, &stack, &[0.02]),
            pot: fit(meshes, 1.5, &|level| pot(around(level, 8)), &[0.004]),
            railing: fit(meshes, 1.75, &railing, &[0.045, 0.014]),
            awning: fit(meshes, 1.75, &awning, &[0.03]),
            post: fit(meshes, 3.2, &|level| post(around(level, 8)), &[0.03]),
            lantern: fit(meshes, 1.5, &|level| lantern(around(level, 6)), &[0.004]),
            bench: fit(meshes, 1.75, &things::bench, &[0.012]),
            bin: fit(meshes, 1.5, &|level| things::bin(around(level, 10)), &[0.01]),
            bollard: fit(meshes, 1.5, &|level| things::bollard(around(level, 8)), &[0.01]),
            trunk: fit(meshes, 1.75, &|level| things::trunk(around(level, 8)), &[0.03]),
            crowns: [11, 23, 37].map(|seed| fit(meshes, 1.35, &crown(seed), &[0.06, 0.0036])),
            cone: fit(meshes, 1.5, &|level| things::cone(around(level, 14)), &[0.05, 0.012]),
            hedge: fit(meshes, 2.4, &things::hedge, &[0.04]),
            fence: fit(meshes, 1.75, &things::fence, &[0.03]),
            car: fit(meshes, 2.6, &|level| things::car(level, false), &[0.07, 0.016]),
            van: fit(meshes, 3.5, &|level| things::car(level, true), &[0.07, 0.016]),
            standing: fit(meshes, 1.0, &figures::standing, &[0.04, 0.012]),
            torso: fit(meshes, 1.0, &figures::torso, &[0.04, 0.012]),
            leg: fit(meshes, 1.0, &figures::leg, &[0.03]),
            bird: fit(meshes, 1.0, &|level| things::bird(around(level, 8)), &[0.01]),
            wing,
            boat,
            arch,
            basin: fit(meshes, 1.6, &|level| basin(around(level, 28)), &[0.03]),
            wheel: fit(meshes, 1.1, &|level| things::wheel(around(level, 40)), &[0.03]),
            gondola: fit(meshes, 1.6, &|level| things::gondola(around(level, 10)), &[0.01]),
            vane,
            hand,
            disc: fit(meshes, 1.5, &|level| disc(around(level, 24)), &[0.02]),
        }
    }
}

/// A box with its edges taken off.
fn block(level: u32) -> Surface {
    if level > 0 {
        return Surface::of(|s| s.cuboid([-1.0; 3], [1.0; 3], ALL));
    }
    let b = 0.94;
    Surface::of(|s| {
        let faces: [fn(f64, f64, f64) -> DVec3; 3] =
            [|u, v, w| vec(u, v, w), |u, v, w| vec(w, u, v), |u, v, w| vec(v, w, u)];
        for at in faces {
            s.face(&[at(-b, -b, 1.0), at(b, -b, 1.0), at(b, b, 1.0), at(-b, b, 1.0)]);
            s.face(&[at(-b, b, -1.0), at(b, b, -1.0), at(b, -b, -1.0), at(-b, -b, -1.0)]);
            // The edges that run along w.
            for (u, v) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                let (p, q) = ((u * b, v), (u, v * b));
                let (p, q) = if u * v > 0.0 { (q, p) } else { (p, q) };
                s.face(&[at(p.0, p.1, b), at(p.0, p.1, -b), at(q.0, q.1, -b), at(q.0, q.1, b)]);
            }
        }
        for i in 0..8 {
            let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let (x, y, z) = (sign(0), sign(1), sign(2));
            let corner = [vec(x, y * b, z * b), vec(x * b, y, z * b), vec(x * b, y * b, z)];
            if x * y * z > 0.0 {
                s.face(&corner);
            } else {
                s.face(&[corner[0], corner[2], corner[1]]);
            }
        }
    })
}

/// A moulding along x: y from -1 to 1, its back at z = 0, its lip at z = 1.
fn cornice() -> Surface {
    let profile =
        [(0.0, -1.0), (0.25, -1.0), (0.32, -0.35), (0.62, -0.15), (0.68, 0.45), (1.0, 0.62), (1.0, 1.0)];
    Surface::of(|s| {
        for (&(z0, y0), &(z1, y1)) in profile.iter().zip(&profile[1..]) {
            s.face(&[vec(-1.0, y0, z0), vec(1.0, y0, z0), vec(1.0, y1, z1), vec(-1.0, y1, z1)]);
        }
        s.face(&[vec(-1.0, 1.0, 1.0), vec(1.0, 1.0, 1.0), vec(1.0, 1.0, 0.0), vec(-1.0, 1.0, 0.0)]);
        for (&(z0, y0), &(z1, y1)) in profile.iter().zip(&profile[1..]) {
            if y1 > y0 {
                s.face(&[vec(1.0, y0, z0), vec(1.0, y0, 0.0), vec(1.0, y1, 0.0), vec(1.0, y1, z1)]);
                s.face(&[vec(-1.0, y0, 0.0), vec(-1.0, y0, z0), vec(-1.0, y1, z1), vec(-1.0, y1, 0.0)]);
            }
        }
    })
}

/// A roof with its ridge along x: eaves at z = -1 and 1, y from 0 to 1.
fn gable() -> Surface {
    let outline = [(-1.0, 0.06), (-1.0, 0.0), (1.0, 0.0), (1.0, 0.06), (0.0, 1.0)];
    let turn = |s: &mut Surface, x: f64, flip: bool| {
        let mut points: Vec<DVec3> = outline.iter().map(|&(z, y)| vec(x, y, -z)).collect();
        if flip {
            points.reverse();
        }
        s.face(&points);
    };
    Surface::of(|s| {
        for i in 0..outline.len() {
            let ((z0, y0), (z1, y1)) = (outline[i], outline[(i + 1) % outline.len()]);
            s.face(&[vec(-1.0, y0, z0), vec(1.0, y0, z0), vec(1.0, y1, z1), vec(-1.0, y1, z1)]);
        }
        turn(s, 1.0, false);
        turn(s, -1.0, true);
    })
}

/// A roof that slopes to all sides; its ridge along x is so long to either side.
fn hip(ridge: f64) -> Surface {
    let low = 0.05;
    let rim = |y: f64| [vec(-1.0, y, 1.0), vec(1.0, y, 1.0), vec(1.0, y, -1.0), vec(-1.0, y, -1.0)];
    let (bottom, eave) = (rim(0.0), rim(low));
    let (left, right) = (vec(-ridge, 1.0, 0.0), vec(ridge, 1.0, 0.0));
    Surface::of(|s| {
        for i in 0..4 {
            let j = (i + 1) % 4;
            s.face(&[bottom[i], bottom[j], eave[j], eave[i]]);
        }
        s.face(&[eave[0], eave[1], right, left]);
        s.face(&[eave[1], eave[2], right]);
        s.face(&[eave[2], eave[3], left, right]);
        s.face(&[eave[3], eave[0], left]);
        s.face(&[bottom[3], bottom[2], bottom[1], bottom[0]]);
    })
}

/// A steep roof with a flat top.
fn mansard() -> Surface {
    let rim = |r: f64, q: f64, y: f64| [vec(-r, y, q), vec(r, y, q), vec(r, y, -q), vec(-r, y, -q)];
    let rims = [rim(1.0, 1.0, 0.0), rim(1.0, 1.0, 0.06), rim(0.995, 0.74, 0.86), rim(0.99, 0.70, 1.0)];
    Surface::of(|s| {
        for (lower, upper) in rims.iter().zip(&rims[1..]) {
            for i in 0..4 {
                let j = (i + 1) % 4;
                s.face(&[lower[i], lower[j], upper[j], upper[i]]);
            }
        }
        s.face(&rims[3]);
        s.face(&[rims[0][3], rims[0][2], rims[0][1], rims[0][0]]);
    })
}

fn spire(around: u32) -> Surface {
    Surface::of(|s| {
        s.turned(DVec3::ZERO, &[(0.0, 0.0), (1.08, 0.0), (1.0, 0.05), (0.55, 0.32), (0.0, 1.0)], around);
    })
}

fn dome(around: u32) -> Surface {
    let mut profile: Vec<(f64, f64)> = (0..=8)
        .map(|i| {
            let (sine, cosine) = Turn::of(f64::from(i) / 8.0 / 4.3).sin_cos();
            (cosine, sine)
        })
        .collect();
    profile.extend([(0.12, 1.0), (0.10, 1.16), (0.14, 1.2), (0.0, 1.42)]);
    profile.insert(0, (0.0, 0.0));
    Surface::of(|s| s.turned(DVec3::ZERO, &profile, around))
}

/// A round bar along x.
fn bar() -> Surface {
    Surface::of(|s| {
        s.limb((vec(-1.0, 0.0, 0.0), 1.0), (vec(1.0, 0.0, 0.0), 1.0), 7);
        for x in [-1.0, 1.0] {
            let mut end: Vec<DVec3> = (0..7)
                .map(|i| {
                    let (sine, cosine) = Turn::of(f64::from(i) / 7.0).sin_cos();
                    vec(x, cosine, sine)
                })
                .collect();
            if x < 0.0 {
                end.reverse();
            }
            s.face(&end);
        }
    })
}

fn stack(level: u32) -> Surface {
    Surface::of(|s| {
        s.cuboid([-0.8, -1.0, -0.8], [0.8, 0.72, 0.8], ALL & !DOWN & !UP);
        s.cuboid([-1.0, 0.70, -1.0], [1.0, 0.90, 1.0], ALL);
        if level == 0 {
            s.cuboid([-0.9, 0.48, -0.9], [0.9, 0.58, 0.9], ALL);
            s.cuboid([-0.72, 0.88, -0.72], [0.72, 1.0, 0.72], ALL & !DOWN);
        }
    })
}

fn pot(around: u32) -> Surface {
    let profile = [
        (1.0, 0.0),
        (0.8, 0.5),
        (0.72, 1.0),
        (0.95, 1.02),
        (0.95, 1.12),
        (0.6, 1.12),
        (0.5, 0.8),
        (0.0, 0.78),
    ];
    Surface::of(|s| s.turned(DVec3::ZERO, &profile, around))
}

/// Bars between two rails: x from -1 to 1, y from 0 to 1.
fn railing(level: u32) -> Surface {
    let bars = [14, 8, 5][level as usize];
    Surface::of(|s| {
        s.cuboid([-1.0, 0.93, -0.04], [1.0, 1.0, 0.04], ALL);
        s.cuboid([-1.0, 0.08, -0.025], [1.0, 0.13, 0.025], ALL & !LEFT & !RIGHT);
        for i in 0..=bars {
            let x = -0.985 + 1.97 * f64::from(i) / f64::from(bars);
            let sides = if level == 0 { LEFT | RIGHT | FRONT | BACK } else { FRONT | BACK };
            let half = 0.012 * f64::from(level + 1);
            s.cuboid([x - half, 0.0, -0.012], [x + half, 0.94, 0.012], sides);
        }
    })
}

/// Cloth over a frame: from the wall at z = 0, y = 0 down to z = 1, y = -0.5, with a scalloped edge.
fn awning(level: u32) -> Surface {
    let slope = [vec(-1.0, -0.5, 1.0), vec(1.0, -0.5, 1.0), vec(1.0, 0.0, 0.0), vec(-1.0, 0.0, 0.0)];
    let under = slope.map(|p| p - vec(0.0, 0.05, 0.0));
    Surface::of(|s| {
        s.face(&slope);
        s.face(&[under[3], under[2], under[1], under[0]]);
        s.face(&[under[0], under[1], slope[1], slope[0]]);
        s.face(&[under[1], under[2], slope[2], slope[1]]);
        s.face(&[under[3], under[0], slope[0], slope[3]]);
        if level == 0 {
            for i in 0..10 {
                let (a, b) = (-1.0 + 0.2 * f64::from(i), -0.8 + 0.2 * f64::from(i));
                let (top, low, z) = (-0.53, -0.72, 0.995);
                let drop = [
                    vec(a, top, z),
                    vec(a + 0.02, low + 0.05, z),
                    vec((a + b) / 2.0, low, z),
                    vec(b - 0.02, low + 0.05, z),
                    vec(b, top, z),
                ];
                s.face(&drop);
                let back: Vec<DVec3> = drop.iter().rev().map(|p| *p - vec(0.0, 0.0, 0.02)).collect();
                s.face(&back);
            }
        }
    })
}

/// A lamp post, 4.2 m high from y = 0.
fn post(around: u32) -> Surface {
    let profile = [
        (0.16, 0.0),
        (0.16, 0.18),
        (0.11, 0.30),
        (0.10, 0.9),
        (0.13, 0.95),
        (0.07, 1.05),
        (0.045, 3.0),
        (0.08, 3.05),
        (0.0, 3.12),
    ];
    Surface::of(|s| s.turned(DVec3::ZERO, &profile, around))
}

/// A lantern: glass between y = -0.5 and 0.5, a hood above.
fn lantern(around: u32) -> Surface {
    Surface::of(|s| {
        s.turned(DVec3::ZERO, &[(0.0, -0.7), (0.35, -0.62), (0.42, -0.5)], around);
        s.turned(DVec3::ZERO, &[(0.42, -0.5), (0.72, 0.5)], around);
        s.turned(
            DVec3::ZERO,
            &[(0.72, 0.5), (0.92, 0.52), (0.3, 0.86), (0.12, 0.92), (0.1, 1.1), (0.0, 1.2)],
            around,
        );
    })
}

/// A bridge's arch across x from -1 to 1: its crown at y = 0, its springing at y = -1.
fn arch() -> Surface {
    let steps = 14;
    let edge: Vec<(f64, f64)> = (0..=steps)
        .map(|i| {
            let (sine, cosine) = Turn::of(0.5 - 0.5 * f64::from(i) / f64::from(steps)).sin_cos();
            (cosine * 0.86, -1.0 + sine * 0.78)
        })
        .collect();
    Surface::of(|s| {
        for side in [1.0, -1.0] {
            let mut quad = |corners: [(f64, f64); 4]| {
                let mut face = corners.map(|(x, y)| vec(x, y, side));
                if side < 0.0 {
                    face.reverse();
                }
                s.face(&face);
            };
            quad([(-1.0, -1.0), (-0.86, -1.0), (-0.86, 0.0), (-1.0, 0.0)]);
            quad([(0.86, -1.0), (1.0, -1.0), (1.0, 0.0), (0.86, 0.0)]);
            for (&(x0, y0), &(x1, y1)) in edge.iter().zip(&edge[1..]) {
                quad([(x0, y0), (x1, y1), (x1, 0.0), (x0, 0.0)]);
            }
        }
        for (&(x0, y0), &(x1, y1)) in edge.iter().zip(&edge[1..]) {
            s.face(&[vec(x0, y0, -1.0), vec(x1, y1, -1.0), vec(x1, y1, 1.0), vec(x0, y0, 1.0)]);
        }
    })
}

/// A fountain: a rim, water in it at y = 0.6, a column with a bowl.
fn basin(around: u32) -> Surface {
    let profile = [
        (1.0, 0.0),
        (1.0, 0.32),
        (1.06, 0.34),
        (1.06, 0.42),
        (0.92, 0.42),
        (0.9, 0.3),
        (0.14, 0.3),
        (0.1, 0.75),
        (0.34, 0.92),
        (0.34, 0.96),
        (0.06, 0.92),
        (0.05, 1.1),
        (0.0, 1.12),
    ];
    Surface::of(|s| s.turned(DVec3::ZERO, &profile, around))
}

/// A disc that looks along z.
fn disc(around: u32) -> Surface {
    let rim: Vec<(f64, f64)> = (0..around)
        .map(|i| {
            let (sine, cosine) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
            (cosine, sine)
        })
        .collect();
    Surface::of(|s| s.prism(&rim, -0.1, 0.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For solids that are convex: every face looks away from the middle.
    #[test]
    fn convex_solids_look_outward() {
        let solids = [
            ("block", block(0)),
            ("gable", gable()),
            ("hip", hip(0.45)),
            ("mansard", mansard()),
            ("spire", spire(8)),
            ("bar", bar()),
            ("disc", disc(12)),
            ("wing", things::wing()),
        ];
        for (name, solid) in solids {
            let sum: DVec3 = solid.points.iter().map(|(point, _)| *point).sum();
            #[expect(clippy::cast_precision_loss, reason = "few points")]
            let middle = sum / solid.points.len() as f64;
            for corners in &solid.triangles {
                let [a, b, c] = corners.map(|i| solid.points[i as usize].0);
                let face = (b - a).cross(c - a);
                assert!(
                    face.dot((a + b + c) / 3.0 - middle) > -1e-9,
                    "{name}: the face {a} {b} {c} looks inward"
                );
            }
        }
    }
}
