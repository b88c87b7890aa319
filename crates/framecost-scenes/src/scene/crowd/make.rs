//! What the crowd's square is made of. In: one seed. Out: content, and how each person walks.

use glam::{DQuat, DVec3};

use super::{HALF, SUN, Walker, look};
use crate::scene::figures;
use crate::scene::mesh::Surface;
use crate::scene::shapes::{ALL, DOWN, Form, vec};
use crate::scene::stage::{Site, Stage, yaw};
use crate::scene::turn::Turn;

const SEED: u64 = 0x0063_726f_7764;
const TEXELS: u32 = 256;
/// Rings of people, from the innermost; some are left free for lamps.
const RINGS: u32 = 84;
const INNERMOST: f64 = 9.5;
const BETWEEN: f64 = 0.86;

#[derive(Debug)]
pub(super) struct Make {
    pub(super) stage: Stage,
    pub(super) walkers: Vec<Walker>,
    forms: Forms,
}

#[derive(Clone, Copy, Debug)]
struct Forms {
    torso: Form,
    leg: Form,
    standing: Form,
    cube: Form,
    column: Form,
    post: Form,
    lantern: Form,
    obelisk: Form,
}

/// Whether the low sun shines into the square at that place: the west side has an opening in its middle.
pub(super) fn west_is_open(eye: DVec3) -> bool {
    let way = SUN - eye;
    let cross = eye + way * ((-HALF - eye.x) / way.x);
    cross.z.abs() < 24.0 || cross.y > 15.0
}

impl Make {
    pub(super) fn all() -> Self {
        let mut stage = Stage::new(SEED, look::materials(), TEXELS, &look::LAYERS);
        let forms = forms(&mut stage);
        let mut make = Self { stage, walkers: Vec::new(), forms };
        make.people();
        make.ground();
        make.monument();
        make.colonnade();
        make.lamps();
        make
    }

    fn put(&mut self, form: Form, row: look::Row, site: &Site, size: DVec3) {
        let seed = self.stage.random.half_word();
        self.stage.stand(form, row.id(), site, size, seed);
    }

    /// Walkers ring by ring, as many to a ring as find room; all of a ring at one pace, so that nobody walks into
    /// another. Between every sixteen rings there is room for lamps, and for those who stand.
    fn people(&mut self) {
        for ring in 0..RINGS {
            if ring % 16 > 13 {
                continue;
            }
            let radius = INNERMOST + BETWEEN * f64::from(ring);
            let random = &mut self.stage.random;
            let (waves, phase) = (f64::from(3 + ring / 16), 0.13 * f64::from(ring / 16));
            let pace = random.between(0.9, 1.5) / 60.0 / (radius * std::f64::consts::TAU);
            let rate = Turn::of(if ring / 4 % 2 == 0 { pace } else { -pace });
            let room = (radius * std::f64::consts::TAU / 1.5).floor();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a few hundred people"
            )]
            for i in 0..room as u32 {
                if self.stage.random.unit() < 0.76 {
                    let start = (f64::from(i) + self.stage.random.bell(0.2)) / room;
                    self.walker(radius, waves, phase, start, rate);
                }
            }
        }
    }

    fn walker(&mut self, radius: f64, waves: f64, phase: f64, start: f64, rate: Turn) {
        let random = &mut self.stage.random;
        let (tall, seed) = (random.between(0.9, 1.07), random.half_word());
        let size = DVec3::splat(tall);
        let torso = self.stage.moves(self.forms.torso, look::Row::Person.id(), size, seed);
        let leg = self.stage.moves(self.forms.leg, look::Row::Leg.id(), size, seed);
        self.stage.moves(self.forms.leg, look::Row::Leg.id(), size, seed);
        let start = Turn::of(start);
        self.walkers.push(Walker { radius, waves, phase, start, rate, tall, sizes: [torso, leg] });
    }

    fn ground(&mut self) {
        let site = Site::new(vec(0.0, -0.5, 0.0), DQuat::IDENTITY);
        self.put(self.forms.cube, look::Row::Cobbles, &site, vec(HALF + 60.0, 0.5, HALF + 60.0));
        let far = Site::new(vec(0.0, -1.2, 0.0), DQuat::IDENTITY);
        self.put(self.forms.cube, look::Row::Grass, &far, vec(3_500.0, 0.5, 3_500.0));
    }

    /// Steps, a pedestal, an obelisk; flags around it, and people on the steps.
    fn monument(&mut self) {
        let middle = Site::new(DVec3::ZERO, yaw(0.04));
        for step in 0..5 {
            let (half, y) = (6.4 - 0.75 * f64::from(step), 0.14 + 0.28 * f64::from(step));
            self.put(self.forms.cube, look::Row::Stone, &middle.moved(0.0, y, 0.0), vec(half, 0.16, half));
        }
        self.put(self.forms.cube, look::Row::Stone, &middle.moved(0.0, 3.0, 0.0), vec(2.2, 1.8, 2.2));
        self.put(self.forms.cube, look::Row::Pale, &middle.moved(0.0, 4.9, 0.0), vec(2.5, 0.16, 2.5));
        self.put(self.forms.obelisk, look::Row::Stone, &middle.moved(0.0, 5.0, 0.0), vec(1.5, 15.0, 1.5));
        for i in 0..12 {
            let site = Site::new(DVec3::ZERO, yaw(f64::from(i) / 12.0 + 0.02));
            self.banner_pole(&site.moved(7.6, 0.0, 0.0), 7.5);
        }
        for _ in 0..160 {
            let (side, x) = (self.stage.random.half_word() % 4, self.stage.random.between(-5.0, 5.0));
            let step = self.stage.random.half_word() % 4;
            let (z, y) = (6.1 - 0.75 * f64::from(step), 0.3 + 0.28 * f64::from(step));
            let site = middle.turned(yaw(f64::from(side) * 0.25)).moved(x * z / 6.4, y + 0.9, z);
            let turn = yaw(self.stage.random.bell(0.12));
            self.put(self.forms.standing, look::Row::Person, &site.turned(turn), DVec3::ONE);
        }
    }

    /// Columns on all four sides, a beam over them, a wall behind; the west is open in its middle. Banners hang between
    /// the columns.
    fn colonnade(&mut self) {
        for side in 0..4 {
            let front = Site::new(DVec3::ZERO, yaw(f64::from(side) * 0.25)).moved(0.0, 0.0, HALF);
            // The west side is the one that its axis points to.
            let west = front.point(0.0, 0.0, 0.0).x < -HALF * 0.9;
            for i in 0..36 {
                let x = -HALF + 2.0 * HALF * (f64::from(i) + 0.5) / 36.0;
                if west && x.abs() < 26.0 {
                    continue;
                }
                self.put(self.forms.column, look::Row::Stone, &front.moved(x, 0.0, 0.0), vec(1.0, 1.0, 1.0));
                self.put(self.forms.cube, look::Row::Stone, &front.moved(x, 5.5, 5.2), vec(2.35, 6.0, 0.4));
                self.put(
                    self.forms.cube,
                    look::Row::Pale,
                    &front.moved(x, 9.75, 2.2),
                    vec(HALF / 36.0 - 0.01, 0.75, 2.7),
                );
                self.put(
                    self.forms.cube,
                    look::Row::Stone,
                    &front.moved(x, 11.0, 2.3),
                    vec(HALF / 36.0 - 0.02, 0.52, 2.4),
                );
                self.put(
                    self.forms.standing,
                    look::Row::Person,
                    &front.moved(x, 11.52 + 0.9, 0.6),
                    vec(1.0, 1.0, 1.0),
                );
                if i % 2 == 0 {
                    let hung = front.moved(x + 2.4, 8.9, -0.1);
                    let down = hung.turned(crate::scene::stage::roll(-0.25));
                    self.stage.flag(&down, (5.2, 1.5), 0.3, look::Row::Banner.id());
                    let lamp = front.moved(x + 2.4, 5.0, 1.6);
                    self.put(self.forms.lantern, look::Row::Lamp, &lamp, DVec3::splat(0.32));
                    self.light(lamp.at, 13.0);
                }
            }
        }
    }

    /// Lamps and banners in the gaps between the rings, and people who stand about there.
    fn lamps(&mut self) {
        for gap in 0..5u32 {
            let radius = INNERMOST + BETWEEN * (14.55 + 16.0 * f64::from(gap));
            let lamps = 10 + 6 * gap;
            for i in 0..lamps {
                let site =
                    Site::new(DVec3::ZERO, yaw((f64::from(i) + 0.5 * f64::from(gap)) / f64::from(lamps)));
                let foot = site.moved(radius, 0.0, 0.0);
                if i % 2 == 0 {
                    self.put(self.forms.post, look::Row::Iron, &foot, DVec3::ONE);
                    let lamp = foot.moved(0.0, 3.45, 0.0);
                    self.put(self.forms.lantern, look::Row::Lamp, &lamp, DVec3::splat(0.42));
                    self.light(lamp.at, 17.0);
                } else {
                    self.banner_pole(&foot, 6.5);
                }
            }
            for _ in 0..60 + 50 * gap {
                let turn = self.stage.random.unit();
                let out = radius + self.stage.random.bell(0.45);
                let place = Site::new(DVec3::ZERO, yaw(turn)).moved(out, 0.9, 0.0);
                let facing = place.turned(yaw(-0.25 + self.stage.random.bell(0.2)));
                self.put(self.forms.standing, look::Row::Person, &facing, DVec3::ONE);
            }
        }
    }

    fn banner_pole(&mut self, foot: &Site, tall: f64) {
        self.put(self.forms.post, look::Row::Iron, foot, vec(0.6, tall / 3.12, 0.6));
        let top = Site::new(foot.point(0.0, tall - 1.0, 0.0), yaw(0.03 + self.stage.random.bell(0.02)));
        let long = self.stage.random.between(2.4, 3.6);
        self.stage.flag(&top.moved(0.05, 0.0, 0.0), (long, 1.5), 0.4, look::Row::Banner.id());
    }

    fn light(&mut self, at: DVec3, reach: f32) {
        self.stage.light(at, reach, [11.0, 6.2, 2.5]);
    }
}

fn forms(stage: &mut Stage) -> Forms {
    let meshes = &mut stage.content.meshes;
    let around = |level: u32, most: u32| (most >> level).max(4);
    let levels = |make: &dyn Fn(u32) -> Surface, count: u32| (0..count).map(make).collect::<Vec<_>>();
    let column = |level: u32| {
        let profile = [
            (0.85, 0.0),
            (0.85, 0.35),
            (0.68, 0.5),
            (0.62, 0.8),
            (0.52, 7.9),
            (0.60, 8.1),
            (0.80, 8.45),
            (0.80, 9.0),
        ];
        Surface::of(|s| s.turned(DVec3::ZERO, &profile, around(level, 20)))
    };
    let post = |level: u32| {
        let profile = [(0.2, 0.0), (0.18, 0.3), (0.07, 0.5), (0.05, 3.0), (0.09, 3.05), (0.0, 3.12)];
        Surface::of(|s| s.turned(DVec3::ZERO, &profile, around(level, 8)))
    };
    let lantern = |level: u32| {
        Surface::of(|s| {
            s.turned(DVec3::ZERO, &[(0.0, -0.7), (0.42, -0.5)], around(level, 6));
            s.turned(DVec3::ZERO, &[(0.42, -0.5), (0.72, 0.5)], around(level, 6));
            s.turned(DVec3::ZERO, &[(0.72, 0.5), (0.92, 0.52), (0.12, 0.92), (0.0, 1.2)], around(level, 6));
        })
    };
    let obelisk = Surface::of(|s| {
        let rim = |half: f64, y: f64| {
            [vec(-half, y, half), vec(half, y, half), vec(half, y, -half), vec(-half, y, -half)]
        };
        let (low, high, tip) = (rim(1.0, 0.0), rim(0.62, 0.9), vec(0.0, 1.0, 0.0));
        for i in 0..4 {
            let j = (i + 1) % 4;
            s.face(&[low[i], low[j], high[j], high[i]]);
            s.face(&[high[i], high[j], tip]);
        }
    });
    Forms {
        torso: meshes.form(1.0, levels(&figures::torso, 3), &[0.04, 0.012]),
        leg: meshes.form(1.0, levels(&figures::leg, 2), &[0.03]),
        standing: meshes.form(1.0, levels(&figures::standing, 3), &[0.04, 0.012]),
        cube: meshes.form(1.75, vec![Surface::of(|s| s.cuboid([-1.0; 3], [1.0; 3], ALL & !DOWN))], &[]),
        column: meshes.form(9.1, levels(&column, 3), &[0.15, 0.06]),
        post: meshes.form(3.2, levels(&post, 2), &[0.04]),
        lantern: meshes.form(1.5, levels(&lantern, 1), &[]),
        obelisk: meshes.form(1.5, vec![obelisk], &[]),
    }
}
