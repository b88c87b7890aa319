//! The town as it is put together, block by block. In: one seed and the plan. Out: content, everything
//! that moves and how, solids that the camera must not enter.

use glam::DVec3;

use super::forms::Forms;
use super::houses::{Lot, Roof, Style};
use super::life::Life;
use super::look::{self, Row};
use super::plan::{self, CELLS, KERB, Quad, Use, inset};
use crate::scene::Content;
use crate::scene::shapes::{Form, vec};
use crate::scene::stage::{Site, Stage, along, yaw};

const SEED: u64 = 0x746f_776e;
/// Texels along an edge of a texture.
const TEXELS: u32 = 256;
/// Width of a pavement.
pub(super) const PAVEMENT: f64 = 2.5;

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
    pub(super) lamps: Vec<(DVec3, f64)>,
}

impl Make {
    pub(super) fn all() -> Self {
        let mut stage = Stage::new(SEED, look::materials(), TEXELS, &look::LAYERS);
        let forms = Forms::new(&mut stage.content.meshes);
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

    /// How a district is built up: its houses' style, the least and the most width of a lot, its depth.
    #[rustfmt::skip]
    fn style(&self, usage: Use) -> (Style, (f64, f64), f64) {
        use Roof::{Across, Along, Flat, Hip, Mansard};
        let of = self.forms.panels;
        let ([wall, panel, roof], roofs, windows) = match usage {
            Use::Old => ([Row::OldWall, Row::OldPanel, Row::Tiles], [Along, Across, Across, Along], [of.shuttered, of.arched, of.plain]),
            Use::Court => ([Row::CourtWall, Row::CourtPanel, Row::Slate], [Flat, Mansard, Flat, Mansard], [of.tall, of.plain, of.wide]),
            Use::Villa => ([Row::VillaWall, Row::VillaPanel, Row::Tiles], [Hip, Along, Hip, Across], [of.shuttered, of.plain, of.wide]),
            _ => ([Row::BrickWall, Row::BrickPanel, Row::Slate], [Along, Along, Along, Across], [of.plain, of.tall, of.arched]),
        };
        let (bay, floors, floor, shops, steep, balconies, width, depth) = match usage {
            //             bay  floors      floor       shops steep balconies width   depth
            Use::Old =>   (1.9, (3.0, 4.0), (2.9, 3.2), 0.55, 1.25, 0.03, (5.6, 9.4), 10.0),
            Use::Court => (2.7, (4.0, 6.0), (3.1, 3.4), 0.30, 0.90, 0.22, (12.0, 19.0), 13.0),
            Use::Villa => (2.5, (2.0, 2.0), (2.8, 3.1), 0.00, 0.95, 0.06, (9.0, 12.0), 9.5),
            _ =>          (2.2, (2.0, 3.0), (2.9, 3.2), 0.08, 1.00, 0.02, (6.2, 8.2), 9.5),
        };
        (Style { wall, panel, roof, roofs, windows, bay, floors, floor, shops, steep, balconies }, width, depth)
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

    pub(super) fn finish(self) -> (Content, Vec<crate::scene::Anchor>, Vec<Solid>, Life) {
        let (content, anchors) = self.stage.finish();
        (content, anchors, self.solids, self.life)
    }
}
