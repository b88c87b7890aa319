//! Shapes of things that stand or move between the houses: plants, furniture, vehicles, birds, the great wheel. Authored in
//! metres where it matters. Out: surfaces, coarser by level.

use glam::DVec3;

use crate::scene::mesh::Surface;
use crate::scene::shapes::{ALL, DOWN, LEFT, RIGHT, UP, lump, vec};
use crate::scene::turn::Turn;

pub(super) fn bench(level: u32) -> Surface {
    let slats = if level == 0 { 4 } else { 1 };
    Surface::of(|s| {
        let wide = 0.5 / f64::from(slats);
        for i in 0..slats {
            let z = -0.25 + f64::from(i) * wide;
            s.cuboid([-0.9, 0.42, z], [0.9, 0.46, z + wide * 0.82], ALL);
            let y = 0.52 + f64::from(i) * wide * 0.8;
            s.cuboid([-0.9, y, -0.32], [0.9, y + wide * 0.62, -0.28], ALL);
        }
        for x in [-0.75, 0.68] {
            s.cuboid([x, 0.0, -0.3], [x + 0.07, 0.42, -0.24], ALL & !UP & !DOWN);
            s.cuboid([x, 0.0, 0.16], [x + 0.07, 0.42, 0.22], ALL & !UP & !DOWN);
        }
    })
}

pub(super) fn bin(around: u32) -> Surface {
    Surface::of(|s| {
        s.turned(
            DVec3::ZERO,
            &[(0.5, 0.0), (0.62, 0.9), (0.7, 0.92), (0.7, 1.0), (0.55, 1.0), (0.5, 0.7), (0.0, 0.7)],
            around,
        );
    })
}

pub(super) fn bollard(around: u32) -> Surface {
    Surface::of(|s| {
        s.turned(
            DVec3::ZERO,
            &[(0.14, 0.0), (0.1, 0.2), (0.09, 0.75), (0.13, 0.8), (0.1, 0.9), (0.0, 0.98)],
            around,
        );
    })
}

/// A trunk with four boughs: y from 0 to 1, its foot 0.09 wide.
pub(super) fn trunk(around: u32) -> Surface {
    Surface::of(|s| {
        s.limb((vec(0.0, -0.05, 0.0), 0.085), (vec(0.02, 0.3, 0.0), 0.055), around);
        s.limb((vec(0.02, 0.29, 0.0), 0.057), (vec(-0.02, 0.98, 0.03), 0.018), around);
        for i in 0..4 {
            let (sine, cosine) = Turn::of(f64::from(i) / 4.0 + 0.07).sin_cos();
            let low = 0.34 + 0.09 * f64::from(i);
            let end = vec(0.34 * cosine, low + 0.3, 0.34 * sine);
            s.limb((vec(0.01, low, 0.0), 0.035), (end, 0.01), around.min(5));
        }
    })
}

/// A conifer: skirts over skirts, y from 0 to 1.4.
pub(super) fn cone(around: u32) -> Surface {
    Surface::of(|s| {
        s.turned(DVec3::ZERO, &[(0.06, 0.0), (0.06, 0.2)], 6);
        for i in 0..5 {
            let (low, wide) = (0.14 + 0.22 * f64::from(i), 0.50 - 0.085 * f64::from(i));
            s.turned(DVec3::ZERO, &[(0.0, low + 0.05), (wide, low), (0.0, low + 0.42)], around);
        }
    })
}

/// A hedge: lumps in a row along x, from -1 to 1.
pub(super) fn hedge(level: u32) -> Surface {
    Surface::of(|s| {
        for i in 0..4u32 {
            let x = -0.9 + 0.6 * f64::from(i);
            let ball = lump(1, u64::from(i) + 70);
            s.put(&ball, vec(0.5, 1.0, 0.85), vec(x, 0.0, 0.0));
            if level == 0 {
                let leaves = Surface::of(|s| s.leaves(26, 0.98, 0.16, u64::from(i) + 5));
                s.put(&leaves, vec(0.5, 1.0, 0.85), vec(x, 0.0, 0.0));
            }
        }
    })
}

pub(super) fn fence(level: u32) -> Surface {
    let pales = if level == 0 { 10 } else { 5 };
    Surface::of(|s| {
        for y in [0.25, 0.72] {
            s.cuboid([-1.0, y, -0.04], [1.0, y + 0.09, 0.0], ALL & !LEFT & !RIGHT);
        }
        for i in 0..pales {
            let step = 2.0 / f64::from(pales);
            let (a, b) = (-1.0 + step * (f64::from(i) + 0.14), -1.0 + step * (f64::from(i) + 0.86));
            let outline = [(a, 0.0), (b, 0.0), (b, 0.88), ((a + b) / 2.0, 1.0), (a, 0.88)];
            s.prism(&outline, 0.002, 0.035);
        }
    })
}

/// A car or van: x ahead, y up from the road, in metres.
pub(super) fn car(level: u32, van: bool) -> Surface {
    let (rear, nose, roof, half) = if van { (-2.6, 2.5, 2.2, 0.95) } else { (-2.12, 2.15, 1.45, 0.86) };
    Surface::of(|s| {
        let belt = if van { 1.15 } else { 0.92 };
        let outline = [
            (rear + 0.05, 0.28),
            (nose - 0.12, 0.28),
            (nose, 0.42),
            (nose - 0.03, 0.68),
            (nose - 0.9, belt - 0.05),
            (rear + 0.1, belt),
            (rear, 0.7),
        ];
        s.prism(&outline, -half, half);
        let (front, back) = if van { (nose - 0.85, rear + 0.08) } else { (nose - 1.15, rear + 0.25) };
        let low = [
            vec(back, belt - 0.02, half - 0.06),
            vec(front, belt - 0.06, half - 0.06),
            vec(front, belt - 0.06, 0.06 - half),
            vec(back, belt - 0.02, 0.06 - half),
        ];
        let (tf, tb) = if van { (front - 0.5, back + 0.05) } else { (front - 0.75, back + 0.5) };
        let top = [
            vec(tb, roof, half - 0.2),
            vec(tf, roof, half - 0.2),
            vec(tf, roof, 0.2 - half),
            vec(tb, roof, 0.2 - half),
        ];
        for i in 0..4 {
            let j = (i + 1) % 4;
            s.face(&[low[i], low[j], top[j], top[i]]);
        }
        s.face(&top);
        let around = [14, 8, 5][level as usize];
        for (x, side) in [(1.35, 1.0), (1.35, -1.0), (-1.35, 1.0), (-1.35, -1.0)] {
            let rim: Vec<(f64, f64)> = (0..around)
                .map(|i| {
                    let (sine, cosine) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
                    (x + 0.33 * cosine, 0.33 + 0.33 * sine)
                })
                .collect();
            let z = side * (half - 0.08);
            s.prism(&rim, z - 0.11, z + 0.11);
        }
        if level == 0 {
            for side in [-1.0, 1.0] {
                s.cuboid(
                    [front - 0.2, belt + 0.02, side * (half + 0.08) - 0.08],
                    [front - 0.08, belt + 0.16, side * (half + 0.08) + 0.08],
                    ALL,
                );
            }
            s.cuboid([nose - 0.06, 0.34, -0.7 * half], [nose + 0.03, 0.5, 0.7 * half], ALL);
            s.cuboid([rear - 0.03, 0.34, -0.7 * half], [rear + 0.06, 0.5, 0.7 * half], ALL);
        }
    })
}

pub(super) fn bird(around: u32) -> Surface {
    Surface::of(|s| {
        s.limb((vec(-0.2, 0.0, 0.0), 0.12), (vec(0.35, 0.03, 0.0), 0.10), around);
        s.limb((vec(0.35, 0.03, 0.0), 0.10), (vec(0.62, 0.08, 0.0), 0.02), around);
        s.limb((vec(-0.8, 0.0, 0.0), 0.02), (vec(-0.2, 0.0, 0.0), 0.12), around);
        s.cuboid([-0.95, -0.012, -0.16], [-0.5, 0.012, 0.16], ALL);
    })
}

/// A wing from its root at the origin to z = 0.95.
pub(super) fn wing() -> Surface {
    let outline = [(-0.22, 0.0), (-0.20, 0.45), (-0.12, 0.95), (0.16, 0.5), (0.22, 0.0)];
    Surface::of(|s| {
        // Two thin skins: both sides are seen, each by its own face.
        s.face(&outline.map(|(x, z)| vec(x, 0.015, z)));
        let mut lower = outline.map(|(x, z)| vec(x, -0.015, z));
        lower.reverse();
        s.face(&lower);
    })
}

/// A barge: x ahead from -1 to 1, its deck at y = 0.25.
pub(super) fn boat() -> Surface {
    let deck =
        [(-1.0, 0.34), (0.45, 0.38), (0.8, 0.26), (1.0, 0.0), (0.8, -0.26), (0.45, -0.38), (-1.0, -0.34)];
    Surface::of(|s| {
        let at = |(x, z): (f64, f64), y: f64, k: f64| vec(x * k, y, z * k);
        for i in 0..deck.len() {
            let j = (i + 1) % deck.len();
            s.face(&[
                at(deck[i], 0.25, 1.0),
                at(deck[j], 0.25, 1.0),
                at(deck[j], -0.3, 0.86),
                at(deck[i], -0.3, 0.86),
            ]);
        }
        s.face(&deck.map(|p| at(p, 0.25, 1.0)));
        s.cuboid([-0.7, 0.2, -0.24], [0.1, 0.62, 0.24], ALL & !DOWN);
        s.cuboid([-0.75, 0.6, -0.28], [0.15, 0.67, 0.28], ALL);
    })
}

/// A great wheel in the plane of x and y, of radius one: two rims, spokes, an axle.
pub(super) fn wheel(around: u32) -> Surface {
    Surface::of(|s| {
        let at = |i: u32, r: f64, z: f64| {
            let (sine, cosine) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
            vec(r * cosine, r * sine, z)
        };
        for z in [-0.06, 0.06] {
            for i in 0..around {
                s.limb((at(i, 0.985, z), 0.012), (at(i + 1, 0.985, z), 0.012), 4);
                s.limb((at(i, 0.88, z), 0.008), (at(i + 1, 0.88, z), 0.008), 4);
                if i % 2 == 0 {
                    s.limb((at(i, 0.05, z * 1.6), 0.006), (at(i, 0.985, z), 0.006), 4);
                }
            }
        }
        for i in 0..around {
            s.limb((at(i, 0.985, -0.06), 0.006), (at(i, 0.985, 0.06), 0.006), 4);
        }
        s.limb((vec(0.0, 0.0, -0.13), 0.05), (vec(0.0, 0.0, 0.13), 0.05), 10);
    })
}

pub(super) fn gondola(around: u32) -> Surface {
    Surface::of(|s| {
        s.turned(
            DVec3::ZERO,
            &[(0.0, -1.1), (0.6, -1.0), (0.7, -0.5), (0.72, -0.5), (0.72, -0.44), (0.0, -0.44)],
            around,
        );
        s.turned(DVec3::ZERO, &[(0.0, 0.0), (0.85, -0.05), (0.0, 0.35)], around);
        s.turned(DVec3::ZERO, &[(0.05, -0.5), (0.05, 0.0)], 4);
    })
}

/// A weathervane that points along x.
pub(super) fn vane() -> Surface {
    Surface::of(|s| {
        s.prism(&[(-0.9, -0.03), (0.6, -0.03), (0.6, 0.03), (-0.9, 0.03)], -0.02, 0.02);
        s.prism(&[(0.55, -0.14), (0.95, 0.0), (0.55, 0.14)], -0.02, 0.02);
        s.prism(&[(-0.9, -0.2), (-0.5, 0.0), (-0.9, 0.2)], -0.022, 0.022);
    })
}

/// A clock's hand along y.
pub(super) fn hand() -> Surface {
    Surface::of(|s| {
        s.prism(&[(-0.05, -0.18), (0.05, -0.18), (0.07, 0.5), (0.0, 0.95), (-0.07, 0.5)], 0.0, 0.04)
    })
}
