//! What moves in the town: cars, people, birds, boats, wheels, clocks. In: ways to go, made with the town. Out: where each
//! thing stands at any frame.

use std::sync::Arc;

use glam::{DQuat, DVec3};

use super::Make;
use super::look::Row;
use super::plan::{self, CELLS, KERB, MARKET, Quad, RIVER_LINE, Use, WATER, corner, inset};
use crate::scene::Placement;
use crate::scene::figures::walking;
use crate::scene::mesh::direction;
use crate::scene::shapes::vec;
use crate::scene::stage::{Site, along, pitch, placed, roll, yaw};
use crate::scene::turn::Turn;

/// How many things move in all.
pub(super) const MOVING: usize = 10_000;
const CARS: usize = 1_500;
const BIRDS: usize = 380;
const BOATS: usize = 26;

/// A closed way.
#[derive(Clone, Debug)]
pub(super) struct Way {
    points: Vec<DVec3>,
    /// Distance from the start at each point, and all around.
    marks: Vec<f64>,
}

impl Way {
    fn new(points: Vec<DVec3>) -> Self {
        let mut marks = vec![0.0];
        for (i, point) in points.iter().enumerate() {
            let next = points[(i + 1) % points.len()];
            marks.push(marks[i] + point.distance(next));
        }
        Self { points, marks }
    }

    fn length(&self) -> f64 {
        self.marks.last().copied().unwrap_or(1.0)
    }

    /// The point so far along, which may be any number of laps.
    fn at(&self, far: f64) -> DVec3 {
        let length = self.length();
        let far = far - (far / length).floor() * length;
        let i = self.marks.partition_point(|&mark| mark <= far).clamp(1, self.points.len()) - 1;
        let (a, b) = (self.points[i], self.points[(i + 1) % self.points.len()]);
        let step = (self.marks[i + 1] - self.marks[i]).max(1e-9);
        a + (b - a) * ((far - self.marks[i]) / step)
    }

    /// Place and heading, corners cut by so much to either side.
    fn smooth(&self, far: f64, cut: f64) -> (DVec3, DVec3) {
        let (a, b) = (self.at(far - cut), self.at(far + cut));
        ((a + b) / 2.0, b - a)
    }
}

/// How something moves; what it is made of follows one after the other in the list of instances.
#[derive(Clone, Debug)]
enum Mover {
    /// One thing along a way.
    Ride { way: Arc<Way>, start: f64, speed: f64, cut: f64, rock: f64 },
    /// Body and two legs.
    Walk { way: Arc<Way>, start: f64, speed: f64, tall: f64 },
    /// Body and two wings around a middle.
    Bird { middle: DVec3, reach: f64, start: Turn, rate: Turn, beat: Turn },
    /// Something that turns in its own plane about its z axis.
    Wheel { site: Site, start: Turn, rate: Turn },
    /// Something that hangs from a wheel's rim.
    Gondola { site: Site, reach: f64, start: Turn, rate: Turn },
    /// Something that turns about the upright axis at a distance from it, and rises and falls.
    Round { site: Site, reach: f64, start: Turn, rate: Turn, bob: f64 },
    /// Something that swings about the upright axis.
    Vane { site: Site, start: Turn },
}

/// All that moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Life {
    movers: Vec<Mover>,
    /// Radius of each instance, in the order of the movers.
    radii: Vec<f64>,
    walks: Vec<Arc<Way>>,
}

impl Life {
    /// Adds ways around a block, at several distances from its kerb.
    pub(super) fn walk_around(&mut self, kerb: &Quad) {
        for by in [0.95, 1.45, 1.9] {
            let points = inset(kerb, [by; 4]).map(|p| p + DVec3::Y * KERB);
            let mut points = points.to_vec();
            self.walks.push(Arc::new(Way::new(points.clone())));
            points.reverse();
            self.walks.push(Arc::new(Way::new(points)));
        }
    }

    pub(super) fn placements(&self, frame: u64) -> Vec<Placement> {
        let mut out = Vec::with_capacity(self.radii.len());
        for mover in &self.movers {
            mover.place(frame, &self.radii, &mut out);
        }
        out
    }
}

#[expect(clippy::cast_precision_loss, reason = "frames of a path are few")]
fn seconds(frame: u64) -> f64 {
    frame as f64 / 60.0
}

impl Mover {
    fn place(&self, frame: u64, radii: &[f64], out: &mut Vec<Placement>) {
        let time = seconds(frame);
        let mut put = |site: &Site| out.push(placed(site, radii[out.len()]));
        match self {
            Self::Ride { way, start, speed, cut, rock } => {
                let far = start + speed * time;
                let (at, heading) = way.smooth(far, *cut);
                let (sine, _) = Turn::of(far / 9.0).sin_cos();
                put(&Site::new(at + DVec3::Y * (rock * sine), along(heading)));
            }
            Self::Walk { way, start, speed, tall } => {
                let far = start + speed * time;
                let (at, heading) = way.smooth(far, 0.5);
                walking(at, heading, far, *tall).iter().for_each(put);
            }
            Self::Bird { middle, reach, start, rate, beat } => {
                let (sine, cosine) = start.after(*rate, frame).sin_cos();
                let at = *middle + vec(cosine * reach, 1.5 * sine, sine * reach);
                let ahead = if rate.0 < 1 << 31 { 1.0 } else { -1.0 };
                let lean = roll(0.0) * pitch(0.06 * ahead);
                let body = Site::new(at, along(vec(-sine, 0.0, cosine) * ahead) * lean);
                let (flap, _) = start.after(*beat, frame).sin_cos();
                put(&body);
                // A wing reaches along z; the left one is the right one turned about.
                put(&body.moved(0.0, 0.02, 0.02).turned(pitch(-0.02 - 0.11 * flap)));
                put(&body.moved(0.0, 0.02, -0.02).turned(pitch(0.02 + 0.11 * flap)).turned(yaw(0.5)));
            }
            Self::Wheel { site, start, rate } => {
                let turn = start.after(*rate, frame);
                put(&site.turned(turned_about(turn, DVec3::Z)));
            }
            Self::Gondola { site, reach, start, rate } => {
                let (sine, cosine) = start.after(*rate, frame).sin_cos();
                put(&site.moved(cosine * reach, sine * reach, 0.0));
            }
            Self::Round { site, reach, start, rate, bob } => {
                let turn = start.after(*rate, frame);
                let (sine, cosine) = turn.sin_cos();
                let (rise, _) = turn.after(turn, 3).sin_cos();
                let place = site.moved(cosine * reach, bob * rise, -sine * reach);
                put(&place.turned(turned_about(turn, DVec3::Y)).turned(yaw(0.25)));
            }
            Self::Vane { site, start } => {
                let (slow, _) = start.after(Turn::of(1.0 / 700.0), frame).sin_cos();
                let (quick, _) = start.after(Turn::of(1.0 / 190.0), frame).sin_cos();
                put(&site.turned(yaw(0.05 + 0.05 * slow + 0.02 * quick)));
            }
        }
    }
}

/// A rotation by an angle about an axis.
fn turned_about(turn: Turn, axis: DVec3) -> DQuat {
    let (sine, cosine) = Turn(turn.0 >> 1).sin_cos();
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

impl Make {
    fn moves(&mut self, form: crate::scene::shapes::Form, row: Row, size: DVec3, seed: u32) {
        let radius = self.stage.moves(form, row.id(), size, seed);
        self.life.radii.push(radius);
    }

    /// A weathervane on a rod.
    pub(super) fn vane(&mut self, foot: &Site) {
        let tint = self.own_tint();
        let rod = foot.moved(0.0, 0.6, 0.0).turned(roll(0.25));
        self.put(self.forms.bar, Row::Iron, &rod, vec(0.7, 0.025, 0.025), tint);
        self.moves(self.forms.vane, Row::Copper, DVec3::splat(0.7), tint);
        let start = Turn(self.stage.random.half_word());
        self.life
            .movers
            .push(Mover::Vane { site: Site::new(foot.point(0.0, 1.2, 0.0), DQuat::IDENTITY), start });
    }

    /// A clock's two hands; its face looks along z.
    pub(super) fn clock(&mut self, face: &Site) {
        for (long, wide, lap, start) in [(1.7, 1.4, 3_600.0, 0.55), (1.1, 1.9, 43_200.0, 0.45)] {
            self.moves(self.forms.hand, Row::Iron, vec(wide, long, 1.0), 0);
            let site = if long > 1.5 { face.moved(0.0, 0.0, 0.06) } else { *face };
            let rate = Turn(Turn::of(1.0 / lap / 6.0).0.wrapping_neg());
            self.life.movers.push(Mover::Wheel { site, start: Turn::of(start), rate });
        }
    }

    pub(super) fn carousel(&mut self, foot: &Site) {
        self.put(
            self.forms.disc,
            Row::Wood,
            &foot.moved(0.0, 0.15, 0.0).turned(pitch(-0.25)),
            vec(6.2, 6.2, 2.0),
            0,
        );
        self.put(
            self.forms.bar,
            Row::Paint,
            &foot.moved(0.0, 2.5, 0.0).turned(roll(0.25)),
            vec(2.6, 0.5, 0.5),
            0,
        );
        let rate = Turn::of(1.0 / 900.0);
        for i in 0..16 {
            let start = Turn::of(f64::from(i) / 16.0);
            let reach = if i % 2 == 0 { 5.0 } else { 3.6 };
            self.moves(self.forms.boat, Row::Awning, vec(0.75, 0.9, 0.7), i * 4096);
            self.life.movers.push(Mover::Round {
                site: foot.moved(0.0, 1.1, 0.0),
                reach,
                start,
                rate,
                bob: 0.25,
            });
        }
        self.moves(self.forms.spire, Row::Awning, vec(6.8, 2.4, 6.8), 1 << 14);
        self.life.movers.push(Mover::Round {
            site: foot.moved(0.0, 4.2, 0.0),
            reach: 0.0,
            start: Turn(0),
            rate,
            bob: 0.0,
        });
    }

    /// A great wheel with its gondolas, on two legs.
    fn great_wheel(&mut self, foot: &Site) {
        let (radius, high) = (19.0, 22.0);
        let hub = foot.moved(0.0, high, 0.0);
        let rate = Turn::of(1.0 / 5_400.0);
        self.moves(self.forms.wheel, Row::Paint, vec(radius, radius, 12.0), 0);
        self.life.movers.push(Mover::Wheel { site: hub, start: Turn(0), rate });
        for i in 0..20 {
            self.moves(self.forms.gondola, Row::Awning, DVec3::splat(1.5), i * 3000);
            let start = Turn::of(f64::from(i) / 20.0);
            self.life.movers.push(Mover::Gondola { site: hub, reach: radius * 0.985, start, rate });
        }
        for z in [-1.9, 1.9] {
            for side in [-1.0, 1.0] {
                // From the hub down and out: a leg of 24 m that leans by its half width over its height.
                let leg = hub.moved(side * 5.0, -11.2, z * 1.6).turned(roll(0.25 - side * 0.067));
                self.put(self.forms.bar, Row::Paint, &leg, vec(12.4, 0.35, 0.35), 0);
            }
        }
        self.solid(&hub, vec(radius + 2.0, radius + 2.0, 3.0));
    }

    pub(super) fn everything_that_moves(&mut self) {
        self.cars();
        self.birds();
        self.boats();
        let number = |n: usize| i32::try_from(n).unwrap_or(0);
        let ground = plan::quad(number(12), 9).iter().sum::<DVec3>() / 4.0 + DVec3::Y * KERB;
        self.great_wheel(&Site::new(ground, yaw(0.15)));
        self.crowd_of_the_market();
        self.walkers();
        // Three a walker do not always add up: vanes on the market's poles take the rest.
        let mut number = 0;
        while self.stage.counts().0 < MOVING {
            let middle = plan::quad(7, 7).iter().sum::<DVec3>() / 4.0;
            let pole = Site::new(middle + vec(-14.0 + 4.0 * f64::from(number), 8.2, 0.5), DQuat::IDENTITY);
            self.vane(&pole);
            number += 1;
        }
    }

    fn cars(&mut self) {
        let cells = i32::try_from(CELLS).unwrap_or(0);
        let built = |column: i32, row: i32| {
            plan::usage_at(column, row).is_some_and(|usage| !matches!(usage, Use::Land))
        };
        let mut ways = Vec::new();
        for line in 1..cells {
            let bridge = plan::BRIDGES.contains(&(line.unsigned_abs() as usize));
            let mut east: Vec<DVec3> = Vec::new();
            for i in 0..=cells {
                let there =
                    built(i, line) || built(i, line - 1) || built(i - 1, line) || built(i - 1, line - 1);
                // Streets without a bridge end at the water.
                let dry = bridge || i <= RIVER_LINE;
                if there && dry {
                    east.push(corner(i, line));
                }
            }
            let south: Vec<DVec3> = (0..=cells)
                .filter(|&j| {
                    built(line, j) || built(line, j - 1) || built(line - 1, j) || built(line - 1, j - 1)
                })
                .map(|j| corner(line, j))
                .collect();
            let half = plan::half_width(line.unsigned_abs() as usize);
            for street in [east, south] {
                if street.len() > 2 {
                    ways.push(Arc::new(Way::new(both_lanes(&street, (half * 0.36).min(2.6)))));
                }
            }
        }
        let whole: f64 = ways.iter().map(|way| way.length()).sum();
        for i in 0..CARS {
            #[expect(clippy::cast_precision_loss, reason = "few cars")]
            let mut far = whole * (i as f64 + self.stage.random.between(0.1, 0.9)) / CARS as f64;
            let mut found = 0;
            while far > ways[found].length() && found + 1 < ways.len() {
                far -= ways[found].length();
                found += 1;
            }
            let van = self.stage.random.unit() < 0.15;
            let seed = self.stage.random.half_word();
            let form = if van { self.forms.van } else { self.forms.car };
            self.moves(form, Row::Car, DVec3::ONE, seed);
            // One speed a street, so that cars do not drive through each other.
            #[expect(clippy::cast_precision_loss, reason = "few streets")]
            let speed = 6.0 + (found % 5) as f64 * 0.7;
            self.life.movers.push(Mover::Ride {
                way: Arc::clone(&ways[found]),
                start: far,
                speed,
                cut: 2.2,
                rock: 0.0,
            });
        }
    }

    fn birds(&mut self) {
        let mut flock = DVec3::ZERO;
        for i in 0..BIRDS {
            if i % 19 == 0 {
                let out = direction(&mut self.stage.random);
                let far = self.stage.random.between(20.0, 420.0);
                flock = vec(out.x * far, self.stage.random.between(24.0, 52.0), out.z * far);
            }
            let middle = flock + direction(&mut self.stage.random) * 6.0;
            let reach = self.stage.random.between(9.0, 24.0);
            let lap = reach * self.stage.random.between(36.0, 44.0);
            let rate = Turn::of(if i / 19 % 2 == 0 { 1.0 } else { -1.0 } / lap);
            let beat = Turn::of(1.0 / self.stage.random.between(14.0, 22.0));
            let start = Turn(self.stage.random.half_word());
            let seed = self.stage.random.half_word();
            for form in [self.forms.bird, self.forms.wing, self.forms.wing] {
                self.moves(form, Row::Bird, DVec3::splat(0.42), seed);
            }
            self.life.movers.push(Mover::Bird { middle, reach, start, rate, beat });
        }
    }

    fn boats(&mut self) {
        let cells = i32::try_from(CELLS).unwrap_or(0);
        let middle: Vec<DVec3> = (-1..=cells + 1)
            .map(|j| (corner(RIVER_LINE, j) + corner(RIVER_LINE + 1, j)) / 2.0 + DVec3::Y * (WATER + 0.35))
            .collect();
        let way = Arc::new(Way::new(both_lanes(&middle, 7.0)));
        for i in 0..BOATS {
            #[expect(clippy::cast_precision_loss, reason = "few boats")]
            let start = way.length() * i as f64 / BOATS as f64;
            let seed = self.stage.random.half_word();
            let size = self.stage.random.between(3.5, 6.0);
            self.moves(self.forms.boat, Row::Crate, vec(size, 1.9, size * 0.8), seed);
            self.life.movers.push(Mover::Ride {
                way: Arc::clone(&way),
                start,
                speed: 2.2,
                cut: 6.0,
                rock: 0.06,
            });
        }
    }

    /// People who wander between the stalls.
    fn crowd_of_the_market(&mut self) {
        let number = |n: usize| i32::try_from(n).unwrap_or(0);
        let kerb = inset(&plan::quad(number(MARKET.0), number(MARKET.1)), [7.0; 4]);
        for lane in [-19.4, -14.2, -9.2, -7.9, 8.6, 9.6, 14.8, 20.0] {
            let middle = kerb.iter().sum::<DVec3>() / 4.0 + DVec3::Y * KERB;
            let site = Site::new(middle, along(kerb[1] - kerb[0]));
            let points = [(-20.0, -0.35), (20.0, -0.35), (20.0, 0.35), (-20.0, 0.35)]
                .map(|(x, z)| site.point(x, 0.0, lane + z));
            let way = Arc::new(Way::new(points.to_vec()));
            for _ in 0..26 {
                self.walker(&way, 0.8);
            }
        }
    }

    fn walkers(&mut self) {
        // Near the market there are more of them: ways are taken by lot, those near the middle more often.
        let ways = self.life.walks.clone();
        while self.stage.counts().0 + 3 <= MOVING {
            let way = &ways[self.stage.random.half_word() as usize % ways.len()];
            let near = way.points[0].length() / 560.0;
            if self.stage.random.unit() > near * 0.8 {
                self.walker(way, 1.25);
            }
        }
    }

    fn walker(&mut self, way: &Arc<Way>, pace: f64) {
        let tall = self.stage.random.between(0.90, 1.06);
        let seed = self.stage.random.half_word();
        let (torso, leg) = (self.forms.torso, self.forms.leg);
        for (form, row) in [(torso, Row::Person), (leg, Row::Leg), (leg, Row::Leg)] {
            self.moves(form, row, DVec3::splat(tall), seed);
        }
        let speed = pace * self.stage.random.between(0.8, 1.2);
        let start = way.length() * self.stage.random.unit();
        self.life.movers.push(Mover::Walk { way: Arc::clone(way), start, speed, tall });
    }
}

/// There on the right of a line and back on its other side.
fn both_lanes(line: &[DVec3], out: f64) -> Vec<DVec3> {
    let last = line.len() - 1;
    let aside = |i: usize| {
        let way = line[(i + 1).min(last)] - line[i.saturating_sub(1)];
        let length = (way.x * way.x + way.z * way.z).sqrt();
        vec(-way.z / length, 0.0, way.x / length) * out
    };
    let there = (0..=last).map(|i| line[i] + aside(i));
    let back = (0..=last).rev().map(|i| line[i] - aside(i));
    there.chain(back).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_close_and_are_walked_at_an_even_pace() {
        let way =
            Way::new(vec![vec(0.0, 0.0, 0.0), vec(4.0, 0.0, 0.0), vec(4.0, 0.0, 3.0), vec(0.0, 0.0, 3.0)]);
        assert!((way.length() - 14.0).abs() < 1e-12);
        assert_eq!(way.at(5.0), vec(4.0, 0.0, 1.0));
        assert!(way.at(-1.0).distance(way.at(13.0)) < 1e-9);
        let (at, heading) = way.smooth(2.0, 0.5);
        assert_eq!((at, heading), (vec(2.0, 0.0, 0.0), vec(1.0, 0.0, 0.0)));
    }
}
