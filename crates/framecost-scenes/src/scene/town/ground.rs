//! Ground: roads, pavements, lawns, water and the land around, each one mesh over the whole town. In: the plan. Out: six
//! instances on the stage.

use glam::{DQuat, DVec3};

use super::look::Row;
use super::make::{Make, PAVEMENT};
use super::plan::{self, CELLS, KERB, Quad, RIVER_LINE, Use, WATER, inset};
use crate::scene::mesh::Surface;
use crate::scene::shapes::vec;
use crate::scene::stage::Site;

impl Make {
    /// Streets, pavements, lawns and land as one mesh each.
    pub(super) fn ground(&mut self) {
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
