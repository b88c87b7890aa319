//! Houses, module by module: walls of panels, corner stones, mouldings, roofs, chimneys, dormers, balconies. In: where a
//! house stands, how wide and deep it is, its style. Out: instances on the stage.

use glam::DVec3;

use super::Make;
use super::look::Row;
use crate::scene::shapes::{Form, vec};
use crate::scene::stage::{Site, pitch, roll, yaw};

/// What is over a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Roof {
    /// Its ridge along the street.
    Along,
    /// Its gable to the street.
    Across,
    Hip,
    Mansard,
    Flat,
}

/// How houses of a district are built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) wall: Row,
    pub(super) panel: Row,
    pub(super) roof: Row,
    pub(super) roofs: [Roof; 4],
    pub(super) windows: [Form; 3],
    pub(super) bay: f64,
    pub(super) floors: (f64, f64),
    pub(super) floor: (f64, f64),
    /// Share of ground floors that are shops.
    pub(super) shops: f64,
    /// Height of a roof, by half the depth under it.
    pub(super) steep: f64,
    pub(super) balconies: f64,
}

/// A house on its lot: x along the street from 0, z outward from its front at 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lot {
    pub(super) site: Site,
    pub(super) width: f64,
    pub(super) depth: f64,
    /// Whether its left and right sides are seen.
    pub(super) open: [bool; 2],
}

/// A house as it is built.
struct House<'a> {
    lot: &'a Lot,
    style: &'a Style,
    floors: u32,
    floor: f64,
    tint: u32,
    window: Form,
}

/// One of a house's walls, seen from outside.
struct Wall {
    site: Site,
    width: f64,
    front: bool,
}

/// How far walls of panels stand before the core.
const SHELL: f64 = 0.3;
const CORNER: f64 = 0.36;

impl Make {
    pub(super) fn house(&mut self, lot: &Lot, style: &Style) {
        let random = &mut self.stage.random;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few floors")]
        let floors = random.between(style.floors.0, style.floors.1 + 1.0) as u32;
        let floor = random.between(style.floor.0, style.floor.1);
        let tint = random.half_word() & 0xffff;
        let window = style.windows[random.half_word() as usize % 3];
        let roof = style.roofs[random.half_word() as usize % 4];
        let house = House { lot, style, floors, floor, tint, window };
        let height = f64::from(floors) * floor;
        self.core(&house, height);
        for wall in walls(lot) {
            self.wall(&house, &wall);
        }
        self.corners(&house, height);
        match roof {
            Roof::Along | Roof::Across => self.gable(&house, height, roof == Roof::Across),
            Roof::Hip => self.hip(&house, height),
            Roof::Mansard => self.mansard(&house, height),
            Roof::Flat => self.flat(&house, height),
        }
        let (w, d) = (lot.width, lot.depth);
        if roof == Roof::Mansard && (lot.open[0] || lot.open[1]) {
            let x = if lot.open[0] { 2.6 } else { w - 2.6 };
            self.cupola(&lot.site.moved(x, height + 1.2, -2.6), 2.2);
        }
        self.solid(
            &lot.site.moved(w / 2.0, height / 2.0, -d / 2.0),
            vec(w / 2.0, height / 2.0 + 2.0, d / 2.0),
        );
    }

    /// The box behind the walls; where a neighbour stands, its side is the party wall.
    fn core(&mut self, house: &House<'_>, height: f64) {
        let Lot { site, width, depth, open } = house.lot;
        let (left, right) = (if open[0] { SHELL } else { 0.0 }, width - if open[1] { SHELL } else { 0.0 });
        let (low, high) = (-0.4, height);
        let middle = site.moved((left + right) / 2.0, (low + high) / 2.0, -depth / 2.0);
        let half = vec((right - left) / 2.0, (high - low) / 2.0, depth / 2.0 - SHELL);
        self.put(self.forms.cube, house.style.wall, &middle, half, house.tint);
    }

    /// Panels, bay by bay and floor by floor, and the mouldings between floors.
    fn wall(&mut self, house: &House<'_>, wall: &Wall) {
        let inner = wall.width - 2.0 * CORNER;
        let bays = (inner / house.style.bay).round().max(1.0);
        let bay = inner / bays;
        let half = vec(bay / 2.0, house.floor / 2.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few bays")]
        let bays = bays as u32;
        let shop = wall.front && self.stage.random.unit() < house.style.shops;
        let door = self.stage.random.half_word() % bays;
        for level in 0..house.floors {
            for number in 0..bays {
                let panels = self.forms.panels;
                let form = match (level, number == door && wall.front) {
                    (0, true) => panels.door,
                    (0, false) if shop => panels.shop,
                    _ => house.window,
                };
                let x = CORNER + bay * (f64::from(number) + 0.5);
                let site = wall.site.moved(x, house.floor * (f64::from(level) + 0.5), 0.0);
                self.put(form, house.style.panel, &site, half, house.tint);
                if level == 0 && number == door && wall.front {
                    let step = wall.site.moved(x, 0.05, 0.22);
                    self.put(self.forms.block, Row::Trim, &step, vec(bay * 0.3, 0.11, 0.34), house.tint);
                }
                if level == 0 && wall.front && shop && number != door {
                    let over = wall.site.moved(x, house.floor * 0.76, 0.02);
                    self.put(self.forms.awning, Row::Awning, &over, vec(bay * 0.46, 0.9, 1.25), house.tint);
                }
                if wall.front && level > 0 && self.stage.random.unit() < 0.11 {
                    let sill = site.moved(0.0, -house.floor * 0.24, 0.2);
                    self.put(self.forms.hedge, Row::Leaf, &sill, vec(bay * 0.24, 0.13, 0.12), house.tint);
                }
                let balcony = wall.front && level > 0 && self.stage.random.unit() < house.style.balconies;
                if balcony {
                    self.balcony(house, &site, bay);
                }
            }
            if level > 0 && wall.front {
                let course = wall.site.moved(wall.width / 2.0, house.floor * f64::from(level), 0.02);
                self.put(
                    self.forms.cube,
                    Row::Trim,
                    &course,
                    vec(wall.width / 2.0 - 0.04, 0.085, 0.045),
                    house.tint,
                );
            }
        }
        if wall.front {
            let tall = house.floor * f64::from(house.floors);
            let pipe = wall.site.moved(CORNER * 0.5, tall / 2.0, 0.13).turned(roll(0.25));
            self.put(self.forms.bar, Row::Iron, &pipe, vec(tall / 2.0 - 0.1, 0.055, 0.055), house.tint);
        }
        // Mouldings of two walls meet at the corner: those of the sides lie a little lower, so that no two faces share a
        // plane.
        let (drop, out) = if wall.front { (0.22, 0.02) } else { (0.25, 0.0) };
        let eave = wall.site.moved(wall.width / 2.0, house.floor * f64::from(house.floors) - drop, 0.0);
        self.put(
            self.forms.cornice,
            Row::Trim,
            &eave,
            vec(wall.width / 2.0 + out, 0.2, 0.34 + out),
            house.tint,
        );
    }

    fn balcony(&mut self, house: &House<'_>, panel: &Site, bay: f64) {
        let low = -house.floor / 2.0 + 0.12;
        let slab = panel.moved(0.0, low, 0.55);
        self.put(self.forms.cube, Row::Trim, &slab, vec(bay * 0.43, 0.07, 0.6), house.tint);
        let front = panel.moved(0.0, low + 0.05, 1.08);
        self.put(self.forms.railing, Row::Iron, &front, vec(bay * 0.42, 1.0, 1.0), house.tint);
        for (side, turn) in [(-1.0, 0.25), (1.0, -0.25)] {
            let end = panel.moved(side * bay * 0.405, low + 0.052, 0.56).turned(yaw(turn));
            self.put(self.forms.railing, Row::Iron, &end, vec(0.5, 0.99, 1.0), house.tint);
        }
        if self.stage.random.unit() < 0.5 {
            let pot = panel.moved(bay * self.stage.random.between(-0.25, 0.25), low + 0.32, 0.8);
            self.put(self.forms.crowns[1], Row::Leaf, &pot, DVec3::splat(0.3), house.tint);
        }
    }

    /// Stones at the corners, which also close the walls' edges.
    fn corners(&mut self, house: &House<'_>, height: f64) {
        let Lot { site, width, depth, .. } = house.lot;
        let half = CORNER / 2.0 + 0.03;
        for (i, (x, z)) in [
            (CORNER / 2.0, -CORNER / 2.0),
            (width - CORNER / 2.0, -CORNER / 2.0),
            (CORNER / 2.0, CORNER / 2.0 - depth),
            (width - CORNER / 2.0, CORNER / 2.0 - depth),
        ]
        .into_iter()
        .enumerate()
        {
            // Towards a neighbour it stays within the lot; outward it stands proud.
            let open = house.lot.open[i % 2];
            let (shift, across) = if open { (0.0, half) } else { (0.0, CORNER / 2.0 - 0.004) };
            let top = height - 0.012;
            let middle = site.moved(x + shift, (top - 0.3) / 2.0, z);
            let row = if i < 2 { Row::Trim } else { house.style.wall };
            self.put(self.forms.cube, row, &middle, vec(across, (top + 0.3) / 2.0, half), house.tint);
        }
    }

    fn gable(&mut self, house: &House<'_>, height: f64, across: bool) {
        let Lot { site, width, depth, open } = house.lot;
        let (w, d) = (*width, *depth);
        let span = if across { w } else { d };
        let rise = span / 2.0 * house.style.steep;
        let out = 0.42;
        let middle = site.moved(w / 2.0, height - 0.02, -d / 2.0);
        if across {
            let form = middle.turned(yaw(0.25));
            let over = if open[0] || open[1] { 0.2 } else { 0.0 };
            self.put(
                self.forms.gable,
                house.style.roof,
                &form,
                vec(d / 2.0 + 0.3, rise, w / 2.0 + over),
                house.tint,
            );
            let attic = site.moved(w / 2.0, height + rise * 0.30, 0.22);
            self.put(
                self.forms.panels.tall,
                house.style.panel,
                &attic,
                vec(0.8, rise * 0.26, 0.6),
                house.tint,
            );
            self.ridge(house, &form, d / 2.0 + 0.3, rise);
        } else {
            let over = |open: bool| if open { 0.25 } else { 0.0 };
            let (left, right) = (-over(open[0]), w + over(open[1]));
            let form = site.moved((left + right) / 2.0, height - 0.02, -d / 2.0);
            let half = (right - left) / 2.0;
            self.put(self.forms.gable, house.style.roof, &form, vec(half, rise, d / 2.0 + out), house.tint);
            self.ridge(house, &form, half, rise);
            for z in [d / 2.0 + out + 0.05, -d / 2.0 - out - 0.05] {
                let gutter = form.moved(0.0, 0.03, z);
                self.put(self.forms.bar, Row::Iron, &gutter, vec(half - 0.02, 0.07, 0.07), house.tint);
            }
            let slope = rise / (d / 2.0 + out);
            let bays = (w / 3.4).floor();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few bays")]
            for i in 0..bays as u32 {
                if self.stage.random.unit() < 0.55 {
                    let x = w * (f64::from(i) + 0.5) / bays;
                    self.dormer(house, &site.moved(x, height, 0.0), slope, out);
                }
            }
        }
        self.chimneys(house, height + rise * 0.5, rise);
        if self.stage.random.unit() < 0.04 {
            let top = middle.moved(0.0, rise + 0.1, 0.0);
            self.vane(&top);
        }
    }

    fn ridge(&mut self, house: &House<'_>, roof: &Site, half: f64, rise: f64) {
        let ridge = roof.moved(0.0, rise - 0.03, 0.0);
        self.put(self.forms.bar, house.style.roof, &ridge, vec(half + 0.02, 0.11, 0.13), house.tint);
    }

    /// A window that stands up from a slope: cheeks, panel, a little roof.
    fn dormer(&mut self, house: &House<'_>, eave: &Site, slope: f64, out: f64) {
        let back = 1.1;
        let foot = (back + out) * slope;
        let body = eave.moved(0.0, foot + 0.55, -back - 1.0);
        self.put(self.forms.cube, house.style.wall, &body, vec(0.68, 0.85, 0.92), house.tint);
        let front = eave.moved(0.0, foot + 0.62, -back + 0.12);
        self.put(self.forms.panels.plain, house.style.panel, &front, vec(0.74, 0.80, 0.7), house.tint);
        let roof = eave.moved(0.0, foot + 1.38, -back - 0.78).turned(yaw(0.25));
        self.put(self.forms.gable, house.style.roof, &roof, vec(1.25, 0.62, 0.95), house.tint);
    }

    fn chimneys(&mut self, house: &House<'_>, low: f64, rise: f64) {
        let Lot { site, width, depth, .. } = house.lot;
        let count = 1 + self.stage.random.half_word() % 2;
        for i in 0..count {
            let x = if i == 0 { 0.55 } else { width - 0.6 };
            let z = -depth * self.stage.random.between(0.36, 0.60);
            let (tall, wide) =
                (rise * 0.32 + self.stage.random.between(0.9, 1.4), self.stage.random.between(0.5, 0.8));
            let stack = site.moved(x, low + tall * 0.8, z);
            self.put(self.forms.stack, Row::BrickWall, &stack, vec(0.36, tall, wide), house.tint);
            for k in 0..2 + self.stage.random.half_word() % 2 {
                let pot = stack.moved(0.0, tall * 0.985, (f64::from(k) - 0.75) * wide * 0.55);
                self.put(self.forms.pot, Row::Tiles, &pot, vec(0.15, 0.45, 0.15), house.tint);
            }
        }
    }

    fn hip(&mut self, house: &House<'_>, height: f64) {
        let Lot { site, width, depth, .. } = house.lot;
        let rise = depth / 2.0 * house.style.steep;
        let middle = site.moved(width / 2.0, height - 0.02, -depth / 2.0);
        self.put(
            self.forms.hip,
            house.style.roof,
            &middle,
            vec(width / 2.0 + 0.4, rise, depth / 2.0 + 0.4),
            house.tint,
        );
        self.chimneys(house, height + rise * 0.4, rise);
    }

    fn mansard(&mut self, house: &House<'_>, height: f64) {
        let Lot { site, width, depth, open } = house.lot;
        let over = if open[0] || open[1] { 0.1 } else { 0.0 };
        let middle = site.moved(width / 2.0, height - 0.02, -depth / 2.0);
        let rise = 3.3;
        self.put(
            self.forms.mansard,
            Row::Slate,
            &middle,
            vec(width / 2.0 + over, rise, depth / 2.0 + 0.2),
            house.tint,
        );
        let bays = (width / 3.0).floor().max(1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few bays")]
        for i in 0..bays as u32 {
            let x = width * (f64::from(i) + 0.5) / bays;
            for (z, turn) in [(-0.55, 0.0), (0.55 - depth, 0.5)] {
                let front = site.moved(x, height + 1.35, z).turned(yaw(turn));
                self.put(
                    self.forms.panels.arched,
                    house.style.panel,
                    &front,
                    vec(0.72, 0.95, 0.8),
                    house.tint,
                );
                let body = front.moved(0.0, -0.1, -0.98);
                self.put(self.forms.cube, Row::Slate, &body, vec(0.66, 0.93, 0.82), house.tint);
                let hood = front.moved(0.0, 0.98, -0.72);
                self.put(
                    self.forms.cornice,
                    Row::Trim,
                    &hood.moved(0.0, -0.08, 0.5),
                    vec(0.84, 0.1, 0.5),
                    house.tint,
                );
            }
        }
        self.chimneys(house, height + rise * 0.75, 1.2);
    }

    /// A parapet around a roof of gravel, and what stands on it.
    fn flat(&mut self, house: &House<'_>, height: f64) {
        let Lot { site, width, depth, .. } = house.lot;
        let (w, d) = (*width, *depth);
        let middle = site.moved(w / 2.0, height, -d / 2.0);
        self.put(
            self.forms.cube,
            Row::Gravel,
            &middle.moved(0.0, 0.05, 0.0),
            vec(w / 2.0 - 0.1, 0.09, d / 2.0 - 0.1),
            house.tint,
        );
        for (x, z, along, across, top) in [
            (0.0, d / 2.0 - 0.16, w / 2.0 - 0.02, 0.17, 0.46),
            (0.0, 0.16 - d / 2.0, w / 2.0 - 0.02, 0.17, 0.465),
            (w / 2.0 - 0.17, 0.0, 0.15, d / 2.0 - 0.05, 0.43),
            (0.17 - w / 2.0, 0.0, 0.15, d / 2.0 - 0.05, 0.435),
        ] {
            self.put(
                self.forms.cube,
                house.style.wall,
                &middle.moved(x, top - 0.3, z),
                vec(along, top, across),
                house.tint,
            );
            let cap = middle.moved(x, 2.0 * top - 0.27, z);
            self.put(self.forms.cube, Row::Trim, &cap, vec(along + 0.06, 0.055, across + 0.06), house.tint);
        }
        let hut = middle.moved(self.stage.random.between(-0.2, 0.2) * w, 1.2, 0.1 * d);
        self.put(self.forms.cube, house.style.wall, &hut, vec(1.6, 1.35, 1.3), house.tint);
        self.put(self.forms.cube, Row::Trim, &hut.moved(0.0, 1.38, 0.0), vec(1.75, 0.09, 1.45), house.tint);
        for _ in 0..3 + self.stage.random.half_word() % 4 {
            let (x, z) =
                (self.stage.random.between(-0.38, 0.38) * w, self.stage.random.between(-0.36, -0.08) * d);
            let tall = self.stage.random.between(0.25, 0.6);
            let turn = self.stage.random.unit();
            let site = middle.moved(x, 0.1 + tall, z).turned(yaw(turn));
            let across = self.stage.random.between(0.3, 0.7);
            self.put(self.forms.block, Row::Iron, &site, vec(0.6, tall, across), house.tint);
        }
        if self.stage.random.unit() < 0.3 {
            self.vane(&middle.moved(0.3 * w, 0.1, 0.3 * d));
        }
        self.chimneys(house, height + 0.4, 0.8);
    }

    /// A drum and a dome over a corner house.
    pub(super) fn cupola(&mut self, foot: &Site, wide: f64) {
        self.put(
            self.forms.disc,
            Row::Trim,
            &foot.moved(0.0, 1.0, 0.0).turned(pitch(-0.25)),
            vec(wide, wide, 12.0),
            2,
        );
        self.put(
            self.forms.disc,
            Row::Trim,
            &foot.moved(0.0, 2.3, 0.0).turned(pitch(-0.25)),
            vec(wide * 1.12, wide * 1.12, 1.6),
            2,
        );
        self.put(self.forms.dome, Row::Copper, &foot.moved(0.0, 2.4, 0.0), vec(wide, wide * 1.1, wide), 2);
    }

    /// A bench's worth of washing between two walls.
    pub(super) fn washing(&mut self, from: &Site, length: f64) {
        let line = from.moved(length / 2.0, 0.0, 0.0);
        self.put(self.forms.bar, Row::Iron, &line, vec(length / 2.0, 0.012, 0.012), 0);
        let mut x = 0.4;
        while x < length - 0.6 {
            let wide = self.stage.random.between(0.4, 0.9);
            let tall = self.stage.random.between(0.5, 1.1);
            // Cloth hangs down: its way is the world's down, its edge the line.
            let peg = from.moved(x + wide / 2.0, -0.02, 0.0).turned(roll(-0.25));
            self.stage.flag(&peg, (tall, wide), 0.12, Row::Washing.id());
            x += wide + 0.15;
        }
    }

    /// The church: a nave with buttresses, a steep roof, a tower with clocks and a spire.
    pub(super) fn church(&mut self, middle: &Site) {
        let (half, nave, tall) = (8.0, 21.0, 12.5);
        let stone = Row::StoneWall;
        self.put(
            self.forms.cube,
            stone,
            &middle.moved(0.0, tall / 2.0 - 0.2, 0.0),
            vec(nave - SHELL, tall / 2.0, half - SHELL),
            0,
        );
        for (turn, depth) in [(0.0, half), (0.5, half)] {
            let side = middle.turned(yaw(turn));
            for i in 0..9 {
                let x = -nave + nave * 2.0 * (f64::from(i) + 0.5) / 9.0;
                let bay = side.moved(x, tall / 2.0, depth);
                self.put(
                    self.forms.panels.chapel,
                    Row::StonePanel,
                    &bay,
                    vec(nave / 9.0, tall / 2.0, 1.2),
                    0,
                );
            }
            for i in 0..10 {
                let x = -nave + nave * 2.0 * f64::from(i) / 9.0;
                let foot = side.moved(x, 3.4, depth + 0.8);
                self.put(self.forms.block, stone, &foot, vec(0.55, 3.7, 1.1), 0);
                let shaft = side.moved(x, 6.4, depth + 0.45);
                self.put(self.forms.block, stone, &shaft, vec(0.42, 6.2, 0.7), 0);
                let pinnacle = side.moved(x, 12.4, depth + 0.45);
                self.put(self.forms.spire, Row::Slate, &pinnacle, vec(0.5, 2.2, 0.5), 0);
            }
        }
        let east = middle.moved(nave - 0.35, tall / 2.0, 0.0).turned(yaw(0.25));
        self.put(
            self.forms.panels.chapel,
            Row::StonePanel,
            &east.moved(0.0, 0.0, 0.3),
            vec(half - 0.4, tall / 2.0 - 0.01, 1.2),
            0,
        );
        let roof = middle.moved(0.0, tall - 0.3, 0.0);
        self.put(self.forms.gable, Row::Slate, &roof, vec(nave + 0.5, 10.5, half + 1.0), 0);
        self.ridge_of_church(&roof, nave);
        let tower = middle.moved(-nave - 4.0, 0.0, 0.0);
        self.tower(&tower, 5.0, 34.0);
        self.solid(&middle.moved(0.0, 11.0, 0.0), vec(nave + 1.0, 12.0, half + 2.0));
    }

    fn ridge_of_church(&mut self, roof: &Site, nave: f64) {
        self.put(self.forms.bar, Row::Copper, &roof.moved(0.0, 10.45, 0.0), vec(nave + 0.6, 0.16, 0.18), 0);
    }

    /// A square tower: windows, courses, clocks, a spire with four lesser ones.
    pub(super) fn tower(&mut self, foot: &Site, half: f64, tall: f64) {
        let stone = Row::StoneWall;
        self.put(
            self.forms.cube,
            stone,
            &foot.moved(0.0, tall / 2.0 - 0.3, 0.0),
            vec(half - SHELL, tall / 2.0, half - SHELL),
            1,
        );
        let storeys = 5;
        for quarter in 0..4 {
            let side = foot.turned(yaw(f64::from(quarter) * 0.25));
            for level in 0..storeys {
                let step = tall / f64::from(storeys);
                let wide = half - 0.7;
                let panel = side.moved(0.0, step * (f64::from(level) + 0.5), half);
                let form = if level == 0 { self.forms.panels.door } else { self.forms.panels.chapel };
                self.put(form, Row::StonePanel, &panel, vec(wide, step / 2.0, 1.3), 1);
                let course = side.moved(0.0, step * f64::from(level + 1), half);
                let lower = 0.004 * f64::from(quarter);
                self.put(
                    self.forms.cornice,
                    Row::Trim,
                    &course.moved(0.0, -0.3 - lower, 0.0),
                    vec(half + 0.3, 0.3, 0.4 + lower),
                    1,
                );
            }
            let edge = side.moved(half - 0.45, tall / 2.0, half - 0.45);
            self.put(self.forms.block, stone, &edge, vec(0.75, tall / 2.0 + 0.6, 0.75), 1);
            let pinnacle = side.moved(half - 0.45, tall + 0.5, half - 0.45);
            self.put(self.forms.spire, Row::Copper, &pinnacle, vec(0.8, 4.5, 0.8), 1);
            let face = side.moved(0.0, tall * 0.9, half + 0.1);
            self.put(self.forms.disc, Row::Paint, &face, vec(2.0, 2.0, 1.0), 1);
            self.clock(&side.moved(0.0, tall * 0.9, half + 0.24));
        }
        self.put(
            self.forms.spire,
            Row::Copper,
            &foot.moved(0.0, tall - 0.1, 0.0),
            vec(half * 0.98, half * 4.6, half * 0.98),
            1,
        );
        self.vane(&foot.moved(0.0, tall + half * 4.6 - 0.2, 0.0));
        self.solid(&foot.moved(0.0, tall / 2.0, 0.0), vec(half + 0.5, tall / 2.0 + 3.0, half + 0.5));
    }
}

/// The walls of a house that are seen.
fn walls(lot: &Lot) -> Vec<Wall> {
    let Lot { site, width, depth, open } = lot;
    let mut walls = vec![
        Wall { site: *site, width: *width, front: true },
        Wall { site: site.moved(*width, 0.0, -*depth).turned(yaw(0.5)), width: *width, front: false },
    ];
    if open[1] {
        walls.push(Wall {
            site: site.turned(yaw(0.25)).shifted(site.point(*width, 0.0, 0.0)),
            width: *depth,
            front: false,
        });
    }
    if open[0] {
        walls.push(Wall {
            site: site.turned(yaw(-0.25)).shifted(site.point(0.0, 0.0, -*depth)),
            width: *depth,
            front: false,
        });
    }
    walls
}
