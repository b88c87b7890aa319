//! What the walls are made of. In: one seed. Out: content, and the panels that turn.

use glam::{DQuat, DVec3};

use super::{PLAN, look};
use crate::scene::mesh::{Surface, sphere};
use crate::scene::shapes::{ALL, BACK, FRONT, Form, vec};
use crate::scene::stage::{Site, Stage, roll, yaw};
use crate::scene::turn::Turn;
use crate::scene::turning::{Turning, Turntables};

const SEED: u64 = 0x7761_6c6c;
/// Texels along an edge: with 32 layers, two pictures each and their mip levels, 357 MB.
const TEXELS: u32 = 1024;
/// Edge of a panel, and how many lie over each other.
const PANEL: f64 = 3.2;
const STOREYS: u32 = 3;
/// Upper edge of the walls.
#[cfg(test)]
pub(super) const TOP: f64 = 9.9;
/// Where walls stand, along x; and the gap in each, from and to.
const WALLS: [(f64, f64, f64); 8] = [
    (-26.0, -40.0, -20.0),
    (-17.0, 30.0, 50.0),
    (-8.5, -64.0, -44.0),
    (0.0, -16.0, 22.0),
    (8.5, 20.0, 40.0),
    (17.0, -50.0, -30.0),
    (26.0, 0.0, 20.0),
    (35.0, -80.0, -60.0),
];
const END: f64 = 88.0;
const THICK: f64 = 0.35;

#[derive(Debug)]
pub(super) struct Make {
    stage: Stage,
    doors: Vec<Turning>,
    panel: Form,
    ball: Form,
}

/// How far it is from the nearest wall.
#[cfg(test)]
pub(super) fn clear(x: f64, z: f64) -> f64 {
    let beside = |&(line, from, to): &(f64, f64, f64)| {
        let past = (x.abs() - END).max((x - from).min(to - x));
        (z - line).abs().max(past) - THICK
    };
    WALLS.iter().map(beside).fold(f64::INFINITY, f64::min)
}

impl Make {
    pub(super) fn all() -> Turntables {
        let mut stage = Stage::new(SEED, look::materials(), TEXELS, &look::layers());
        let meshes = &mut stage.content.meshes;
        let panel = meshes.form(1.75, vec![bevelled(), cube()], &[0.02]);
        let ball = meshes.form(1.0, vec![sphere(2), sphere(1)], &[0.02]);
        let mut make = Self { stage, doors: Vec::new(), panel, ball };
        make.doors();
        make.walls();
        make.ground();
        Turntables::new(PLAN, make.stage, make.doors)
    }

    fn layer(&mut self) -> u32 {
        self.stage.random.half_word() % look::LAYERS
    }

    fn put(&mut self, material: u32, site: &Site, size: DVec3) {
        let seed = self.stage.random.half_word();
        self.stage.stand(self.panel, material, site, size, seed);
    }

    /// Panels in rows; each wall has a gap, panels tilt a little so that light rakes over them.
    fn walls(&mut self) {
        for (line, from, to) in WALLS {
            let mut x = -END + PANEL / 2.0;
            while x < END {
                let open = x + PANEL / 2.0 > from && x - PANEL / 2.0 < to;
                for storey in 0..STOREYS {
                    if open {
                        continue;
                    }
                    let material = self.layer();
                    let tilt = yaw(self.stage.random.bell(0.006)) * roll(self.stage.random.bell(0.003));
                    let y = PANEL * (f64::from(storey) + 0.5) + 0.05;
                    let out = self.stage.random.bell(0.05);
                    let site = Site::new(vec(x, y, line + out), tilt);
                    self.put(material, &site, vec(PANEL * 0.487, PANEL * 0.487, THICK * 0.5));
                }
                if !open && self.stage.random.unit() < 0.5 {
                    let side = if self.stage.random.unit() < 0.5 { 1.0 } else { -1.0 };
                    let lamp = Site::new(vec(x, 4.6, line + side), DQuat::IDENTITY);
                    self.lamp(&lamp);
                }
                x += PANEL;
            }
        }
    }

    fn lamp(&mut self, site: &Site) {
        if self.stage.content.lights.len() >= 160 {
            return;
        }
        self.stage.stand(self.ball, look::LAMP, site, DVec3::splat(0.12), 0);
        self.stage.light(site.at, 7.0, [4.0, 3.4, 2.6]);
    }

    /// The floor of slabs, each of a layer of its own, a plinth under each wall.
    fn ground(&mut self) {
        for i in 0..46 {
            for j in 0..26 {
                let (x, z) = (-103.5 + 4.6 * f64::from(i), -57.5 + 4.6 * f64::from(j));
                let material = self.layer();
                let y = -0.3 + self.stage.random.between(-0.02, 0.02);
                self.put(material, &Site::new(vec(x, y, z), DQuat::IDENTITY), vec(2.26, 0.3, 2.26));
            }
        }
        let all = Site::new(vec(0.0, -0.75, 0.0), DQuat::IDENTITY);
        self.put(2, &all, vec(700.0, 0.5, 700.0));
        for (line, from, to) in WALLS {
            for (a, b) in [(-END, from), (to, END)] {
                let site = Site::new(vec((a + b) / 2.0, 0.0, line), DQuat::IDENTITY);
                self.put(2, &site, vec((b - a) / 2.0 - 0.6, 0.12, THICK * 0.8));
            }
        }
    }

    /// Panels that turn in the gaps and at the ends of the aisles.
    fn doors(&mut self) {
        for (line, from, to) in WALLS {
            for k in 0..5 {
                let x = from + (to - from) * (f64::from(k) + 0.5) / 5.0;
                // The camera's way leads through the middle of some gaps.
                if (line > -9.0 && line < 9.0) && (k > 0 && k < 4) {
                    continue;
                }
                let (material, seed) = (self.layer(), self.stage.random.half_word());
                let radius = self.stage.moves(self.panel, material, vec(1.3, 3.0, 0.14), seed);
                let start = Turn(self.stage.random.half_word());
                let rate = Turn::of(self.stage.random.between(-1.0, 1.0) / 420.0);
                self.doors.push(Turning {
                    axis: DVec3::Y,
                    site: Site::new(vec(x, 3.2, line), DQuat::IDENTITY),
                    start,
                    rate,
                    radius,
                });
            }
        }
    }
}

fn cube() -> Surface {
    Surface::of(|s| s.cuboid([-1.0; 3], [1.0; 3], ALL))
}

/// A box whose front and back are framed by slopes.
fn bevelled() -> Surface {
    let (b, d) = (0.93, 0.6);
    Surface::of(|s| {
        for side in [1.0, -1.0] {
            let rim = |half: f64, z: f64| {
                let mut rim =
                    [vec(-half, -half, z), vec(half, -half, z), vec(half, half, z), vec(-half, half, z)];
                if side < 0.0 {
                    rim.reverse();
                }
                rim
            };
            let (inner, outer) = (rim(b, side), rim(1.0, side * d));
            s.face(&inner);
            for i in 0..4 {
                let j = (i + 1) % 4;
                s.face(&[outer[i], outer[j], inner[j], inner[i]]);
            }
        }
        s.cuboid([-1.0, -1.0, -d], [1.0, 1.0, d], ALL & !(FRONT | BACK));
    })
}
