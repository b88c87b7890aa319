//! What stands in streets, along kerbs and over the river: stones, lamps, parked cars, markings, railings, bridges. In:
//! the plan. Out: instances on the stage, and the lights of lamps that burn.

use glam::DVec3;

use super::look::Row;
use super::make::Make;
use super::plan::{self, BRIDGES, CELLS, KERB, Quad, RIVER, RIVER_LINE, Use, WALK, corner, inset};
use crate::scene::shapes::vec;
use crate::scene::stage::{Site, along, pitch, yaw};

/// Lamps that burn already.
const LIT_LAMPS: usize = 256;
/// How many of them are the nearest to the middle of things.
const NEAR_LAMPS: usize = 60;

impl Make {
    /// What stands along a block's kerb: kerb stones, lamps, trees, bollards, bins, parked cars.
    pub(super) fn furniture(&mut self, kerb: &Quad, usage: Use, column: usize, row: usize) {
        let widths = plan::streets(column, row);
        for k in 0..4 {
            let (a, b) = (kerb[k], kerb[(k + 1) % 4]);
            let length = (b - a).length();
            let site = Site::new(a + DVec3::Y * KERB, along(b - a));
            let tint = self.own_tint();
            let stones = (length / 4.0).floor();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few stones")]
            for i in 0..stones as u32 {
                let x = length * (f64::from(i) + 0.5) / stones;
                let stone = site.moved(x, -0.06, 0.02);
                self.put(
                    self.forms.cube,
                    Row::Trim,
                    &stone,
                    vec(length / stones / 2.0 - 0.012, 0.085, 0.14),
                    tint,
                );
            }
            // The camera's way along the walk is kept clear of what is parked.
            let walked = (k == 0 && row + 1 == WALK) || (k == 2 && row == WALK);
            let mut x = 5.0;
            let mut count = 0u32;
            while x < length - 4.0 {
                if count.is_multiple_of(3) {
                    self.street_lamp(&site.moved(x, 0.0, -0.35));
                } else if usage != Use::Old && self.stage.random.unit() < 0.45 {
                    let tall = self.stage.random.between(5.0, 7.5);
                    self.tree(site.point(x, 0.0, -0.7), tall);
                } else if self.stage.random.unit() < 0.5 {
                    self.put(
                        self.forms.bin,
                        Row::Iron,
                        &site.moved(x, 0.0, -0.6),
                        vec(0.42, 0.9, 0.42),
                        tint,
                    );
                } else {
                    for i in 0..3 {
                        let post = site.moved(x + 1.3 * f64::from(i), 0.0, -0.28);
                        self.put(self.forms.bollard, Row::Iron, &post, DVec3::ONE, tint);
                    }
                }
                let wide = widths[k] > 5.0;
                if wide && !matches!(usage, Use::Market) && self.stage.random.unit() < 0.62 {
                    let van = self.stage.random.unit() < 0.14;
                    let turn = if self.stage.random.unit() < 0.8 { 0.0 } else { 0.5 };
                    let out = if walked && widths[k] > 7.0 { 1.05 } else { 1.1 };
                    let parked = site.moved(x + 3.4, -KERB + 0.004, out).turned(yaw(turn));
                    let tint = self.own_tint();
                    let form = if van { self.forms.van } else { self.forms.car };
                    self.put(form, Row::Car, &parked, DVec3::ONE, tint);
                }
                x += 7.2;
                count += 1;
            }
        }
    }

    pub(super) fn street_lamp(&mut self, foot: &Site) {
        let tint = self.own_tint();
        self.put(self.forms.post, Row::Iron, foot, vec(1.0, 1.25, 1.0), tint);
        let head = foot.moved(0.0, 4.15, 0.0);
        self.put(self.forms.lantern, Row::Lamp, &head, DVec3::splat(0.36), tint);
        // Those near the market and along the walk come first.
        let walk = (head.at.z - corner(6, 8).z).abs() * 1.6 + (head.at.x.abs() - 240.0).max(0.0) * 2.0;
        let near = (head.at.x * head.at.x + head.at.z * head.at.z).sqrt().min(walk);
        self.lamps.push((head.at, near));
    }

    /// Markings in the middle of streets and across them, between every two corners.
    pub(super) fn streets(&mut self) {
        let cells = i32::try_from(CELLS).unwrap_or(0);
        let built = |column: i32, row: i32| {
            plan::usage_at(column, row).is_some_and(|usage| !matches!(usage, Use::Land | Use::Water))
        };
        for i in 0..=cells {
            for j in 0..=cells {
                let east = built(i, j) || built(i, j - 1);
                let south = built(i, j) || built(i - 1, j);
                let lines = [(east, corner(i + 1, j), j), (south, corner(i, j + 1), i)];
                for (there, to, line) in lines {
                    if there {
                        self.marking(corner(i, j), to, plan::half_width(line.unsigned_abs() as usize));
                    }
                }
            }
        }
    }

    pub(super) fn marking(&mut self, from: DVec3, to: DVec3, half: f64) {
        let length = (to - from).length();
        let site = Site::new(from, along(to - from));
        if half > 5.0 {
            let mut x = 13.0;
            while x < length - 13.0 {
                self.put(self.forms.cube, Row::Paint, &site.moved(x, 0.0, 0.0), vec(1.3, 0.014, 0.07), 0);
                x += 5.2;
            }
        }
        for x in [half + 2.2, length - half - 2.2] {
            let mut z = -half + 0.9;
            while z < half - 0.5 {
                self.put(self.forms.cube, Row::Paint, &site.moved(x, 0.001, z), vec(1.4, 0.016, 0.24), 0);
                z += 0.98;
            }
        }
        let cover = site.moved(length * 0.37, -0.016, half * 0.4).turned(pitch(-0.25));
        self.put(self.forms.disc, Row::Iron, &cover, vec(0.38, 0.38, 0.25), 0);
    }

    /// Railings along the quays, bridges over the water.
    pub(super) fn river(&mut self) {
        let cells = i32::try_from(CELLS).unwrap_or(0);
        for row in -1..=cells {
            let quad = plan::quad(RIVER_LINE, row);
            let inside = (0..cells).contains(&row);
            let streets =
                if inside { plan::streets(RIVER, row.unsigned_abs() as usize) } else { [0.0, 5.4, 0.0, 5.4] };
            let edge = inset(&quad, streets);
            for (a, b) in [(edge[1], edge[2]), (edge[3], edge[0])] {
                let length = (b - a).length();
                let site = Site::new(a, along(b - a));
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few pieces")]
                let pieces = (length / 3.0) as u32;
                for i in 0..pieces {
                    let x = length * (f64::from(i) + 0.5) / f64::from(pieces);
                    let half = length / f64::from(pieces) / 2.0;
                    self.put(
                        self.forms.railing,
                        Row::Iron,
                        &site.moved(x, 0.03, -0.3),
                        vec(half - 0.02, 1.05, 1.2),
                        0,
                    );
                    self.put(
                        self.forms.block,
                        Row::Quay,
                        &site.moved(x, -0.12, -0.1),
                        vec(half - 0.01, 0.17, 0.42),
                        0,
                    );
                }
            }
        }
        for row in BRIDGES {
            self.bridge(i32::try_from(row).unwrap_or(0), plan::half_width(row));
        }
    }

    pub(super) fn bridge(&mut self, row: i32, half: f64) {
        let (a, b) = (corner(RIVER_LINE, row), corner(RIVER_LINE + 1, row));
        let length = (b - a).length();
        let site = Site::new((a + b) / 2.0, along(b - a));
        let span = length / 2.0 - 5.6;
        self.put(self.forms.arch, Row::Quay, &site.moved(0.0, -0.04, 0.0), vec(span, 3.2, half + 0.45), 0);
        for side in [-1.0, 1.0] {
            for i in 0..8 {
                let x = -span + span * 2.0 * (f64::from(i) + 0.5) / 8.0;
                let wall = site.moved(x, 0.45, side * (half + 0.2));
                self.put(self.forms.block, Row::Quay, &wall, vec(span / 8.0 - 0.01, 0.55, 0.22), 0);
                let cap = wall.moved(0.0, 0.62, 0.0);
                self.put(self.forms.block, Row::Trim, &cap, vec(span / 8.0, 0.08, 0.28), 0);
            }
            for x in [-0.6, 0.0, 0.6] {
                self.street_lamp(&site.moved(x * span, 0.9, side * (half + 0.2)));
            }
        }
    }

    /// The lamps that burn: some by the market and along the walk, the others spread over the whole town, so that no cell
    /// of a view from afar holds more of them than its list has room for.
    pub(super) fn lights(&mut self) {
        self.lamps.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (near, far) = self.lamps.split_at(NEAR_LAMPS.min(self.lamps.len()));
        let step = far.len() / (LIT_LAMPS - NEAR_LAMPS);
        for (at, _) in near.iter().chain(far.iter().step_by(step.max(1))).take(LIT_LAMPS) {
            self.stage.light(*at, 17.0, [9.0, 5.4, 2.3]);
        }
    }
}
