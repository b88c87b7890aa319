//! Yards, fields, parks and the market square: trees, hedges, stalls, flags. In: a block's outline. Out: instances on the
//! stage.

use glam::DVec3;

use super::look::Row;
use super::make::{Make, PAVEMENT};
use super::plan::{self, KERB, Quad, Use, inset};
use crate::scene::shapes::vec;
use crate::scene::stage::{Site, along, pitch, roll, yaw};

impl Make {
    /// Behind the houses: trees, hedges, sheds, washing.
    pub(super) fn yard(&mut self, yard: &Quad, usage: Use) {
        let middle = yard.iter().sum::<DVec3>() / 4.0;
        let site = Site::new(middle + DVec3::Y * KERB, along(yard[1] - yard[0]));
        let (half_x, half_z) =
            ((yard[1] - yard[0]).length() / 2.0 - 1.5, (yard[2] - yard[1]).length() / 2.0 - 1.5);
        if half_x < 3.0 || half_z < 3.0 {
            return;
        }
        for _ in 0..if usage == Use::Old { 4 } else { 9 } {
            let (x, z) =
                (self.stage.random.between(-half_x, half_x), self.stage.random.between(-half_z, half_z));
            let tall = self.stage.random.between(4.5, 8.0);
            self.tree(site.point(x, 0.0, z), tall);
        }
        for _ in 0..6 {
            let (x, z) =
                (self.stage.random.between(-half_x, half_x), self.stage.random.between(-half_z, half_z));
            let tint = self.own_tint();
            let turn = f64::from(self.stage.random.half_word() % 2) * 0.25 + self.stage.random.bell(0.03);
            let place = site.moved(x, 0.45, z).turned(yaw(turn));
            if self.stage.random.unit() < 0.75 {
                self.put(self.forms.hedge, Row::Leaf, &place, vec(2.2, 0.62, 0.55), tint);
            } else {
                self.put(self.forms.cube, Row::Crate, &place.moved(0.0, 0.5, 0.0), vec(1.3, 1.0, 1.0), tint);
                self.put(
                    self.forms.gable,
                    Row::Slate,
                    &place.moved(0.0, 1.49, 0.0),
                    vec(1.5, 0.6, 1.25),
                    tint,
                );
            }
        }
        for _ in 0..2 {
            let z = self.stage.random.between(-half_z, half_z);
            let high = self.stage.random.between(2.2, 6.0);
            let post = site.moved(-half_x, high, z);
            let tint = self.own_tint();
            for x in [0.0, half_x] {
                self.put(
                    self.forms.bar,
                    Row::Iron,
                    &post.moved(x, -high / 2.0, 0.0).turned(roll(0.25)),
                    vec(high / 2.0 + 0.1, 0.04, 0.04),
                    tint,
                );
            }
            self.washing(&post, half_x);
        }
    }

    /// Fields at the town's edge: trees in clumps.
    pub(super) fn meadow(&mut self, quad: &Quad) {
        for _ in 0..16 {
            let (u, v) = (self.stage.random.unit(), self.stage.random.unit());
            let at = quad[0].lerp(quad[1], u).lerp(quad[3].lerp(quad[2], u), v);
            let tall = self.stage.random.between(5.0, 11.0);
            let at = at + DVec3::Y * plan::land(at);
            if self.stage.random.unit() < 0.4 {
                self.conifer(at, tall * 1.2);
            } else {
                self.tree(at, tall);
            }
        }
    }

    pub(super) fn park(&mut self, kerb: &Quad, carousel: bool) {
        let inner = inset(kerb, [PAVEMENT + 1.5; 4]);
        let middle = inner.iter().sum::<DVec3>() / 4.0 + DVec3::Y * KERB;
        let clear = if carousel { 12.0 } else { 7.0 };
        for _ in 0..46 {
            let (u, v) = (self.stage.random.between(0.03, 0.97), self.stage.random.between(0.03, 0.97));
            let at = inner[0].lerp(inner[1], u).lerp(inner[3].lerp(inner[2], u), v) + DVec3::Y * KERB;
            let tall = self.stage.random.between(7.0, 13.0);
            if at.distance(middle) > clear {
                self.tree(at, tall);
            }
        }
        for k in 0..4 {
            let (a, b) = (inner[k], inner[(k + 1) % 4]);
            let site = Site::new(a + DVec3::Y * (KERB + 0.02), along(b - a));
            let length = (b - a).length();
            let mut x = 2.0;
            while x < length - 4.0 {
                let tint = self.own_tint();
                self.put(self.forms.hedge, Row::Leaf, &site.moved(x, 0.5, 0.0), vec(1.9, 0.6, 0.5), tint);
                self.put(self.forms.bench, Row::Wood, &site.moved(x + 1.0, -0.02, 1.2), DVec3::ONE, tint);
                x += 7.5;
            }
        }
        let site = Site::new(middle, along(kerb[1] - kerb[0]));
        if carousel {
            self.carousel(&site);
        } else {
            self.put(self.forms.basin, Row::Trim, &site, vec(3.6, 3.0, 3.6), 0);
            self.put(
                self.forms.disc,
                Row::River,
                &site.moved(0.0, 0.9, 0.0).turned(pitch(-0.25)),
                vec(3.3, 3.3, 1.0),
                0,
            );
        }
    }

    /// The market square: stalls in rows under cloth, a fountain, trees at its rim, flags.
    pub(super) fn market(&mut self, kerb: &Quad) {
        let middle = kerb.iter().sum::<DVec3>() / 4.0 + DVec3::Y * KERB;
        let site = Site::new(middle, along(kerb[1] - kerb[0]));
        self.put(self.forms.basin, Row::Trim, &site, vec(4.2, 3.6, 4.2), 0);
        self.put(
            self.forms.disc,
            Row::Mosaic,
            &site.moved(0.0, -0.04, 0.0).turned(pitch(-0.25)),
            vec(6.0, 6.0, 1.0),
            0,
        );
        self.put(
            self.forms.disc,
            Row::River,
            &site.moved(0.0, 1.08, 0.0).turned(pitch(-0.25)),
            vec(3.8, 3.8, 1.0),
            0,
        );
        self.solid(&site.moved(0.0, 2.0, 0.0), vec(4.4, 2.2, 4.4));
        for (row, z) in [-17.0, -11.5, 12.0, 17.5].into_iter().enumerate() {
            for i in 0..8 {
                let x = -18.0 + 4.6 * f64::from(i) + self.stage.random.bell(0.4);
                self.stall(&site.moved(x, 0.0, z).turned(yaw(if row % 2 == 0 { 0.0 } else { 0.5 })));
            }
        }
        for i in 0..10 {
            let x = -21.0 + 4.7 * f64::from(i);
            // Open to the main street in the middle.
            for z in if (3..7).contains(&i) { &[-22.5][..] } else { &[-22.5, 22.5] } {
                let tall = self.stage.random.between(6.0, 7.5);
                self.tree(site.point(x, 0.0, *z), tall);
            }
        }
        for i in 0..8 {
            let pole = site.moved(-19.0 + 5.4 * f64::from(i), 0.0, if i % 2 == 0 { -6.8 } else { 6.8 });
            self.flagpole(&pole, 8.0);
        }
    }

    pub(super) fn flagpole(&mut self, foot: &Site, tall: f64) {
        let tint = self.own_tint();
        let post = foot.moved(0.0, tall / 2.0, 0.0).turned(roll(0.25));
        self.put(self.forms.bar, Row::Paint, &post, vec(tall / 2.0, 0.06, 0.06), tint);
        let turn = 0.05 + self.stage.random.bell(0.03);
        let top = Site::new(foot.point(0.0, tall - 0.9, 0.0), yaw(turn)).moved(0.06, 0.0, 0.0);
        self.stage.flag(&top, (2.6, 1.5), 0.34, Row::Flag.id());
    }

    /// A stall: four posts, a counter with crates, a roof of cloth.
    pub(super) fn stall(&mut self, site: &Site) {
        let tint = self.own_tint();
        for (x, z) in [(-1.5, -1.0), (1.5, -1.0), (-1.5, 1.0), (1.5, 1.0)] {
            self.put(self.forms.cube, Row::Wood, &site.moved(x, 1.1, z), vec(0.05, 1.12, 0.05), tint);
        }
        self.put(self.forms.block, Row::Wood, &site.moved(0.0, 0.45, 0.7), vec(1.4, 0.46, 0.35), tint);
        for i in 0..4 {
            let crated =
                site.moved(-1.05 + 0.7 * f64::from(i), 1.0, 0.7).turned(yaw(self.stage.random.bell(0.02)));
            let own = self.own_tint();
            self.put(self.forms.block, Row::Crate, &crated, vec(0.3, 0.11, 0.26), own);
            for k in 0..3 {
                let fruit = crated.moved(-0.17 + 0.17 * f64::from(k), 0.14, self.stage.random.bell(0.12));
                self.put(self.forms.crowns[0], Row::Awning, &fruit, DVec3::splat(0.1), own);
            }
        }
        self.put(self.forms.gable, Row::Awning, &site.moved(0.0, 2.2, 0.0), vec(1.8, 0.75, 1.35), tint);
        let (x, seed) = (self.stage.random.bell(1.0), self.own_tint());
        self.put(self.forms.standing, Row::Person, &site.moved(x, 0.9, -0.1), DVec3::ONE, seed);
    }

    pub(super) fn tree(&mut self, at: DVec3, tall: f64) {
        let tint = self.own_tint();
        let turn = self.stage.random.unit();
        let site = Site::new(at, yaw(turn));
        self.put(self.forms.trunk, Row::Bark, &site, vec(tall * 0.8, tall * 0.8, tall * 0.8), tint);
        let crown = tall * 0.27;
        let spots = [
            (0.0, 0.82, 0.0),
            (0.20, 0.62, 0.08),
            (-0.17, 0.64, 0.12),
            (0.02, 0.58, -0.21),
            (-0.04, 0.68, 0.22),
            (0.13, 0.76, -0.13),
        ];
        for (i, (x, y, z)) in spots.into_iter().enumerate() {
            let wobble = self.stage.random.bell(0.03);
            let place = site.moved((x + wobble) * tall, y * tall, (z - wobble) * tall);
            let turn = self.stage.random.unit();
            let size = crown * self.stage.random.between(0.8, 1.1);
            self.put(
                self.forms.crowns[i % 3],
                Row::Leaf,
                &place.turned(yaw(turn)),
                vec(size, size * 0.86, size),
                tint,
            );
        }
    }

    pub(super) fn conifer(&mut self, at: DVec3, tall: f64) {
        let tint = self.own_tint();
        let turn = self.stage.random.unit();
        let size = tall / 1.4;
        self.put(
            self.forms.cone,
            Row::Needle,
            &Site::new(at, yaw(turn)),
            vec(size * 0.8, size, size * 0.8),
            tint,
        );
    }
}
