//! The town as it is put together: ground, blocks, streets, greenery. In: one seed and the plan. Out: content, everything
//! that moves and how, solids that the camera must not enter.

use glam::{DQuat, DVec3};

use super::forms::Forms;
use super::houses::{Lot, Roof, Style};
use super::life::Life;
use super::look::{self, Row};
use super::plan::{self, BRIDGES, CELLS, KERB, Quad, RIVER, RIVER_LINE, Use, WALK, WATER, corner, inset};
use crate::scene::mesh::Surface;
use crate::scene::shapes::{Form, vec};
use crate::scene::stage::{Site, Stage, along, yaw};
use crate::scene::textures::Textures;
use crate::scene::{Content, Light};

const SEED: u64 = 0x746f_776e;
/// Texels along an edge of a texture.
const TEXELS: u32 = 256;
/// Lamps that burn already.
const LIT_LAMPS: usize = 256;
/// How many of them are the nearest to the middle of things.
const NEAR_LAMPS: usize = 60;
const PAVEMENT: f64 = 2.5;

/// Something that the camera must not enter: a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solid {
    pub(super) site: Site,
    pub(super) half: DVec3,
}

#[derive(Debug)]
pub(super) struct Make {
    pub(super) stage: Stage,
    pub(super) forms: Forms,
    pub(super) solids: Vec<Solid>,
    pub(super) life: Life,
    /// Lamp heads, and how near the middle of things each is.
    lamps: Vec<(DVec3, f64)>,
}

impl Make {
    pub(super) fn all() -> Self {
        let mut stage = Stage::new(SEED);
        let forms = Forms::new(&mut stage.content.meshes);
        stage.content.materials = look::materials();
        stage.content.textures = Textures::of(TEXELS, &look::LAYERS);
        let mut make = Self { stage, forms, solids: Vec::new(), life: Life::default(), lamps: Vec::new() };
        make.ground();
        for column in 0..CELLS {
            for row in 0..CELLS {
                make.block(column, row);
            }
        }
        make.streets();
        make.river();
        make.lights();
        make.everything_that_moves();
        make
    }

    /// Stands a form: `tint` in the low half of its seed is the building's, the high half its own.
    pub(super) fn put(&mut self, form: Form, row: Row, site: &Site, size: DVec3, tint: u32) {
        let seed = tint | (self.stage.random.half_word() & 0xffff_0000);
        self.stage.stand(form, row.id(), site, size, seed);
    }

    pub(super) fn solid(&mut self, site: &Site, half: DVec3) {
        self.solids.push(Solid { site: *site, half });
    }

    pub(super) fn own_tint(&mut self) -> u32 {
        self.stage.random.half_word() & 0xffff
    }

    /// Streets, pavements, lawns and land as one mesh each.
    fn ground(&mut self) {
        let mut roads = Surface::empty();
        let mut slabs = Surface::empty();
        let mut lawns = Surface::empty();
        let mut market = Surface::empty();
        let mut water = Surface::empty();
        let mut land = Surface::empty();
        let cells = i32::try_from(CELLS).unwrap_or(0);
        for column in -9..cells + 9 {
            for row in -9..cells + 9 {
                let quad = plan::quad(column, row);
                let inside = (0..cells).contains(&column) && (0..cells).contains(&row);
                let (c, r) = (
                    column.clamp(0, cells - 1).unsigned_abs() as usize,
                    row.clamp(0, cells - 1).unsigned_abs() as usize,
                );
                if column == RIVER_LINE {
                    let streets = if inside { plan::streets(c, r) } else { [0.0, 5.4, 0.0, 5.4] };
                    river_bed(&mut roads, &mut slabs, &mut water, &quad, streets);
                    continue;
                }
                let usage = if inside { plan::usage(c, r) } else { Use::Land };
                if usage == Use::Land {
                    hills(&mut land, &quad);
                    continue;
                }
                roads.face(&quad);
                let kerb = inset(&quad, plan::streets(c, r));
                slab(
                    if matches!(usage, Use::Market | Use::Church) { &mut market } else { &mut slabs },
                    &kerb,
                    KERB,
                );
                let green = match usage {
                    Use::Park => Some(inset(&kerb, [PAVEMENT; 4])),
                    Use::Villa => Some(inset(&kerb, [PAVEMENT - 0.3; 4])),
                    Use::Terrace | Use::Court => Some(inset(&kerb, [PAVEMENT + 5.0; 4])),
                    _ => None,
                };
                if let Some(green) = green {
                    lawns.face(&green.map(|p| p + DVec3::Y * (KERB + 0.03)));
                }
            }
        }
        for (surface, row) in [
            (roads, Row::Road),
            (slabs, Row::Pavement),
            (lawns, Row::Lawn),
            (market, Row::Market),
            (water, Row::River),
            (land, Row::Land),
        ] {
            let reach = surface.points.iter().map(|(point, _)| point.length()).fold(1.0, f64::max);
            let form = self.stage.content.meshes.form(reach * 1.000_001, vec![surface], &[]);
            self.put(form, row, &Site::new(DVec3::ZERO, DQuat::IDENTITY), DVec3::ONE, 0);
        }
    }

    fn block(&mut self, column: usize, row: usize) {
        let usage = plan::usage(column, row);
        let number = |n: usize| i32::try_from(n).unwrap_or(0);
        let kerb = inset(&plan::quad(number(column), number(row)), plan::streets(column, row));
        if !matches!(usage, Use::Water | Use::Land) {
            self.furniture(&kerb, usage, column, row);
            self.life.walk_around(&kerb);
        }
        match usage {
            Use::Water => {}
            Use::Land => self.meadow(&kerb),
            Use::Park => self.park(&kerb, (column, row) == (4, 4)),
            Use::Market => self.market(&kerb),
            Use::Church => {
                let middle = kerb.iter().sum::<DVec3>() / 4.0;
                let site = Site::new(middle + DVec3::Y * KERB, along(kerb[1] - kerb[0]));
                self.church(&site.moved(2.5, 0.0, 0.0));
                for x in [-20.0, -8.0, 4.0, 16.0] {
                    for z in [-21.0, 21.0] {
                        self.tree(site.point(x, 0.0, z), 8.0);
                    }
                }
            }
            Use::Villa => self.villas(&inset(&kerb, [PAVEMENT + 3.5; 4])),
            Use::Old | Use::Terrace | Use::Court => self.rows(&kerb, usage),
        }
    }

    fn style(&self, usage: Use) -> (Style, (f64, f64), f64) {
        let panels = self.forms.panels;
        use Roof::{Across, Along, Flat, Hip, Mansard};
        match usage {
            Use::Old => (
                Style {
                    wall: Row::OldWall,
                    panel: Row::OldPanel,
                    roof: Row::Tiles,
                    roofs: [Along, Across, Across, Along],
                    windows: [panels.shuttered, panels.arched, panels.plain],
                    bay: 1.9,
                    floors: (3.0, 4.0),
                    floor: (2.9, 3.2),
                    shops: 0.55,
                    steep: 1.25,
                    balconies: 0.03,
                },
                (5.6, 9.4),
                10.0,
            ),
            Use::Court => (
                Style {
                    wall: Row::CourtWall,
                    panel: Row::CourtPanel,
                    roof: Row::Slate,
                    roofs: [Flat, Mansard, Flat, Mansard],
                    windows: [panels.tall, panels.plain, panels.wide],
                    bay: 2.7,
                    floors: (4.0, 6.0),
                    floor: (3.1, 3.4),
                    shops: 0.3,
                    steep: 0.9,
                    balconies: 0.22,
                },
                (12.0, 19.0),
                13.0,
            ),
            Use::Villa => (
                Style {
                    wall: Row::VillaWall,
                    panel: Row::VillaPanel,
                    roof: Row::Tiles,
                    roofs: [Hip, Along, Hip, Across],
                    windows: [panels.shuttered, panels.plain, panels.wide],
                    bay: 2.5,
                    floors: (2.0, 2.0),
                    floor: (2.8, 3.1),
                    shops: 0.0,
                    steep: 0.95,
                    balconies: 0.06,
                },
                (9.0, 12.0),
                9.5,
            ),
            _ => (
                Style {
                    wall: Row::BrickWall,
                    panel: Row::BrickPanel,
                    roof: Row::Slate,
                    roofs: [Along, Along, Along, Across],
                    windows: [panels.plain, panels.tall, panels.arched],
                    bay: 2.2,
                    floors: (2.0, 3.0),
                    floor: (2.9, 3.2),
                    shops: 0.08,
                    steep: 1.0,
                    balconies: 0.02,
                },
                (6.2, 8.2),
                9.5,
            ),
        }
    }

    /// Houses wall to wall along all four sides of a block, a yard behind.
    fn rows(&mut self, kerb: &Quad, usage: Use) {
        let (style, (least, most), depth) = self.style(usage);
        let front = inset(kerb, [PAVEMENT; 4]);
        for k in 0..4 {
            let (a, b) = (front[k], front[(k + 1) % 4]);
            let way = b - a;
            let length = way.length();
            // South and north rows take the corners; the others stand between them.
            let cut = if k % 2 == 0 { 0.0 } else { depth + 2.2 };
            let site = Site::new(a + DVec3::Y * KERB, along(way));
            let (mut x, end) = (cut, length - cut);
            while end - x > least * 0.75 {
                let mut width = self.stage.random.between(least, most);
                if end - x - width < least {
                    width = end - x;
                }
                let back = self.stage.random.between(0.0, 0.22);
                let open = [x < cut + 0.01, end - x - width < 0.01];
                let lot = Lot { site: site.moved(x, 0.0, -back), width, depth: depth - back, open };
                self.house(&lot, &style);
                x += width;
            }
        }
        self.yard(&inset(&front, [depth + 1.0; 4]), usage);
    }

    /// Behind the houses: trees, hedges, sheds, washing.
    fn yard(&mut self, yard: &Quad, usage: Use) {
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
                    &post.moved(x, -high / 2.0, 0.0).turned(crate::scene::stage::roll(0.25)),
                    vec(high / 2.0 + 0.1, 0.04, 0.04),
                    tint,
                );
            }
            self.washing(&post, half_x);
        }
    }

    /// Houses that stand alone in their gardens.
    fn villas(&mut self, front: &Quad) {
        let (style, (least, most), depth) = self.style(Use::Villa);
        for k in 0..4 {
            let (a, b) = (front[k], front[(k + 1) % 4]);
            let length = (b - a).length();
            let site = Site::new(a + DVec3::Y * (KERB + 0.03), along(b - a));
            let cut = if k % 2 == 0 { 0.0 } else { depth + 6.0 };
            let mut x = cut + 1.0;
            while length - cut - x > most + 1.0 {
                let width = self.stage.random.between(least, most);
                let back = self.stage.random.between(0.0, 2.0);
                self.house(&Lot { site: site.moved(x, 0.0, -back), width, depth, open: [true; 2] }, &style);
                let tint = self.own_tint();
                for i in 0..4 {
                    let post = site.moved(x + width * (f64::from(i) + 0.5) / 4.0, 0.0, 2.9);
                    self.put(self.forms.fence, Row::Wood, &post, vec(width / 8.0 + 0.02, 1.0, 1.0), tint);
                }
                let side = site.moved(x + width + 2.2, 0.55, -depth / 2.0).turned(yaw(0.25));
                self.put(self.forms.hedge, Row::Leaf, &side, vec(3.2, 0.75, 0.55), tint);
                for _ in 0..3 {
                    let (dx, dz) = (
                        self.stage.random.between(-1.5, width + 1.5),
                        -depth - self.stage.random.between(4.0, 9.0),
                    );
                    let tall = self.stage.random.between(4.5, 9.0);
                    if self.stage.random.unit() < 0.3 {
                        self.conifer(site.point(x + dx, 0.0, dz), tall * 1.1);
                    } else {
                        self.tree(site.point(x + dx, 0.0, dz), tall);
                    }
                }
                x += width + self.stage.random.between(3.6, 5.0);
            }
        }
    }

    /// Fields at the town's edge: trees in clumps.
    fn meadow(&mut self, quad: &Quad) {
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

    fn park(&mut self, kerb: &Quad, carousel: bool) {
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
                &site.moved(0.0, 0.9, 0.0).turned(crate::scene::stage::pitch(-0.25)),
                vec(3.3, 3.3, 1.0),
                0,
            );
        }
    }

    /// The market square: stalls in rows under cloth, a fountain, trees at its rim, flags.
    fn market(&mut self, kerb: &Quad) {
        let middle = kerb.iter().sum::<DVec3>() / 4.0 + DVec3::Y * KERB;
        let site = Site::new(middle, along(kerb[1] - kerb[0]));
        self.put(self.forms.basin, Row::Trim, &site, vec(4.2, 3.6, 4.2), 0);
        self.put(
            self.forms.disc,
            Row::Mosaic,
            &site.moved(0.0, -0.04, 0.0).turned(crate::scene::stage::pitch(-0.25)),
            vec(6.0, 6.0, 1.0),
            0,
        );
        self.put(
            self.forms.disc,
            Row::River,
            &site.moved(0.0, 1.08, 0.0).turned(crate::scene::stage::pitch(-0.25)),
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
        let post = foot.moved(0.0, tall / 2.0, 0.0).turned(crate::scene::stage::roll(0.25));
        self.put(self.forms.bar, Row::Paint, &post, vec(tall / 2.0, 0.06, 0.06), tint);
        let turn = 0.05 + self.stage.random.bell(0.03);
        let top = Site::new(foot.point(0.0, tall - 0.9, 0.0), yaw(turn)).moved(0.06, 0.0, 0.0);
        self.stage.flag(&top, (2.6, 1.5), 0.34, Row::Flag.id());
    }

    /// A stall: four posts, a counter with crates, a roof of cloth.
    fn stall(&mut self, site: &Site) {
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

    /// What stands along a block's kerb: kerb stones, lamps, trees, bollards, bins, parked cars.
    fn furniture(&mut self, kerb: &Quad, usage: Use, column: usize, row: usize) {
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

    fn street_lamp(&mut self, foot: &Site) {
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
    fn streets(&mut self) {
        let cells = i32::try_from(CELLS).unwrap_or(0);
        let built = |column: i32, row: i32| {
            (0..cells).contains(&column)
                && (0..cells).contains(&row)
                && !matches!(
                    plan::usage(column.unsigned_abs() as usize, row.unsigned_abs() as usize),
                    Use::Land | Use::Water
                )
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

    fn marking(&mut self, from: DVec3, to: DVec3, half: f64) {
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
        let cover = site.moved(length * 0.37, -0.016, half * 0.4).turned(crate::scene::stage::pitch(-0.25));
        self.put(self.forms.disc, Row::Iron, &cover, vec(0.38, 0.38, 0.25), 0);
    }

    /// Railings along the quays, bridges over the water.
    fn river(&mut self) {
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

    fn bridge(&mut self, row: i32, half: f64) {
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
    fn lights(&mut self) {
        self.lamps.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (near, far) = self.lamps.split_at(NEAR_LAMPS.min(self.lamps.len()));
        let step = far.len() / (LIT_LAMPS - NEAR_LAMPS);
        for (at, _) in near.iter().chain(far.iter().step_by(step.max(1))).take(LIT_LAMPS) {
            self.stage.content.lights.push(Light {
                position: at.as_vec3().to_array(),
                reach: 17.0,
                colour: [9.0, 5.4, 2.3],
                unused: 0.0,
            });
        }
    }

    pub(super) fn finish(self) -> (Content, Vec<crate::scene::Anchor>, Vec<Solid>, Life) {
        let (content, anchors) = self.stage.finish();
        (content, anchors, self.solids, self.life)
    }
}

/// A raised slab: its top and its sides.
fn slab(surface: &mut Surface, quad: &Quad, high: f64) {
    let top = quad.map(|p| p + DVec3::Y * high);
    surface.face(&top);
    for k in 0..4 {
        let j = (k + 1) % 4;
        surface.face(&[quad[k], quad[j], top[j], top[k]]);
    }
}

/// The river's stretch of a block: quays as roads, walls down to the water, bridges' decks.
fn river_bed(roads: &mut Surface, walls: &mut Surface, water: &mut Surface, quad: &Quad, streets: [f64; 4]) {
    let edge = inset(quad, streets);
    for k in 0..4 {
        let j = (k + 1) % 4;
        if streets[k] > 0.0 {
            roads.face(&[quad[k], quad[j], edge[j], edge[k]]);
        }
    }
    for k in [1, 3] {
        let j = (k + 1) % 4;
        let down = DVec3::Y * (WATER - 0.4);
        walls.face(&[edge[k], edge[j], edge[j] + down, edge[k] + down]);
    }
    // Under bridges too.
    let bed = inset(quad, [0.0, streets[1], 0.0, streets[3]]);
    water.face(&bed.map(|p| p + DVec3::Y * WATER));
    for (k, j) in [(1, 2), (3, 0)] {
        let down = DVec3::Y * (WATER - 0.4);
        for (a, b) in [(edge[k], bed[k]), (bed[j], edge[j])] {
            if a.distance(b) > 0.01 {
                walls.face(&[b, a, a + down, b + down]);
            }
        }
    }
}

/// Land outside the town, in pieces small enough for hills.
fn hills(land: &mut Surface, quad: &Quad) {
    const PIECES: u32 = 3;
    let at = |i: u32, j: u32| {
        let (u, v) = (f64::from(i) / f64::from(PIECES), f64::from(j) / f64::from(PIECES));
        let flat = quad[0].lerp(quad[1], u).lerp(quad[3].lerp(quad[2], u), v);
        flat + DVec3::Y * plan::land(flat)
    };
    for i in 0..PIECES {
        for j in 0..PIECES {
            let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            let slope = |p: DVec3| {
                let (e, h) = (8.0, plan::land(p));
                let dx = plan::land(p + DVec3::X * e) - h;
                let dz = plan::land(p + DVec3::Z * e) - h;
                vec(-dx, e, -dz).normalize()
            };
            let first = u32::try_from(land.points.len()).unwrap_or(0);
            land.points.extend([a, b, c, d].map(|p| (p, slope(p))));
            land.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        }
    }
}
