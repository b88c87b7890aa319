//! Wall panels with what is in them: windows, doors, shop fronts, with real depth. A panel fills x and y from -1 to 1, its
//! wall lies at z = 0, its glass behind, its trim before: the look tells them apart by depth alone.

use crate::scene::mesh::{Meshes, Surface};
use crate::scene::shapes::{ALL, BACK, DOWN, FRONT, Form, LEFT, RIGHT, UP, vec};
use crate::scene::turn::Turn;

/// Depths that the look knows: see `look.wgsl`.
const GLASS: f64 = -0.24;
const FRAME: f64 = -0.16;
const LEAF: f64 = -0.13;

/// A hole in the wall and what fills it.
#[derive(Clone, Copy)]
struct Opening {
    left: f64,
    right: f64,
    low: f64,
    high: f64,
    /// Pieces of an arch over it; 0 for a straight lintel.
    arch: u32,
    /// Panes across and along.
    panes: (u32, u32),
    filling: Filling,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Filling {
    Window,
    Shuttered,
    Door,
    Shop,
}

/// The panels of a town.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panels {
    pub(super) plain: Form,
    pub(super) tall: Form,
    pub(super) arched: Form,
    pub(super) shuttered: Form,
    pub(super) wide: Form,
    pub(super) door: Form,
    pub(super) shop: Form,
    pub(super) chapel: Form,
}

impl Panels {
    pub(super) fn new(meshes: &mut Meshes) -> Self {
        use Filling::{Door, Shop, Shuttered, Window};
        let mut form = |left: f64, low, high, arch, panes, filling| {
            let opening = Opening { left, right: -left, low, high, arch, panes, filling };
            let levels = (0..3).map(|level| panel(&opening, level)).collect();
            meshes.form(2.0, levels, &[0.05, 0.0042])
        };
        Self {
            plain: form(-0.46, -0.42, 0.62, 0, (2, 2), Window),
            tall: form(-0.40, -0.62, 0.70, 0, (2, 3), Window),
            arched: form(-0.42, -0.55, 0.40, 6, (2, 2), Window),
            shuttered: form(-0.36, -0.46, 0.62, 0, (2, 2), Shuttered),
            wide: form(-0.74, -0.34, 0.62, 0, (3, 1), Window),
            door: form(-0.42, -0.98, 0.72, 0, (1, 1), Door),
            shop: form(-0.88, -0.70, 0.52, 0, (4, 1), Shop),
            chapel: form(-0.38, -0.82, 0.38, 8, (2, 5), Window),
        }
    }
}

fn panel(o: &Opening, level: u32) -> Surface {
    Surface::of(|s| {
        wall(s, o);
        if level < 2 {
            reveals(s, o);
        }
        match o.filling {
            Filling::Door => door(s, o, level),
            _ => window(s, o, level),
        }
        trim(s, o, level);
    })
}

/// Points of the opening's upper edge from left to right.
fn upper(o: &Opening) -> Vec<(f64, f64)> {
    if o.arch == 0 {
        return vec![(o.left, o.high), (o.right, o.high)];
    }
    let radius = o.right;
    (0..=o.arch)
        .map(|i| {
            let (sine, cosine) = Turn::of(0.5 - 0.5 * f64::from(i) / f64::from(o.arch)).sin_cos();
            (radius * cosine, o.high + radius * sine)
        })
        .collect()
}

fn flat(s: &mut Surface, x: (f64, f64), y: (f64, f64), z: f64) {
    s.face(&[vec(x.0, y.0, z), vec(x.1, y.0, z), vec(x.1, y.1, z), vec(x.0, y.1, z)]);
}

fn wall(s: &mut Surface, o: &Opening) {
    flat(s, (-1.0, o.left), (-1.0, 1.0), 0.0);
    flat(s, (o.right, 1.0), (-1.0, 1.0), 0.0);
    flat(s, (o.left, o.right), (-1.0, o.low), 0.0);
    let edge = upper(o);
    for (&(x0, y0), &(x1, y1)) in edge.iter().zip(&edge[1..]) {
        s.face(&[vec(x0, y0, 0.0), vec(x1, y1, 0.0), vec(x1, 1.0, 0.0), vec(x0, 1.0, 0.0)]);
    }
}

fn reveals(s: &mut Surface, o: &Opening) {
    let (l, r, b) = (o.left, o.right, o.low);
    s.face(&[vec(l, b, 0.0), vec(l, b, GLASS), vec(l, o.high, GLASS), vec(l, o.high, 0.0)]);
    s.face(&[vec(r, b, GLASS), vec(r, b, 0.0), vec(r, o.high, 0.0), vec(r, o.high, GLASS)]);
    s.face(&[vec(l, b, 0.0), vec(r, b, 0.0), vec(r, b, GLASS), vec(l, b, GLASS)]);
    let edge = upper(o);
    for (&(x0, y0), &(x1, y1)) in edge.iter().zip(&edge[1..]) {
        s.face(&[vec(x0, y0, GLASS), vec(x1, y1, GLASS), vec(x1, y1, 0.0), vec(x0, y0, 0.0)]);
    }
}

/// Glass, and bars before it: near ones are solid, far ones flat.
fn window(s: &mut Surface, o: &Opening, level: u32) {
    let edge = upper(o);
    let mut glass = vec![vec(o.left, o.low, GLASS), vec(o.right, o.low, GLASS)];
    glass.extend(edge.iter().rev().map(|&(x, y)| vec(x, y, GLASS)));
    s.face(&glass);
    let sides = match level {
        0 => ALL & !BACK,
        _ => FRONT,
    };
    let mut bar = |x: (f64, f64), y: (f64, f64), sides: u8| {
        s.cuboid([x.0, y.0, GLASS], [x.1, y.1, FRAME], sides);
    };
    let thick = 0.045;
    let top = if o.arch == 0 { o.high } else { o.high + o.right * 0.8 };
    let (columns, rows) = o.panes;
    for i in 1..columns {
        let x = o.left + (o.right - o.left) * f64::from(i) / f64::from(columns);
        bar((x - thick, x + thick), (o.low, top), sides & !UP & !DOWN);
    }
    if level == 2 {
        return;
    }
    for i in 1..rows {
        let y = o.low + (o.high - o.low) * f64::from(i) / f64::from(rows);
        // Set back a little from the upright bars, so that no two faces lie in one plane.
        s.cuboid([o.left, y - thick, GLASS], [o.right, y + thick, FRAME - 0.012], sides & !LEFT & !RIGHT);
    }
    let mut bar = |x: (f64, f64), y: (f64, f64), sides: u8| {
        s.cuboid([x.0, y.0, GLASS], [x.1, y.1, FRAME + 0.01], sides);
    };
    bar((o.left, o.left + 0.06), (o.low, o.high), sides & (RIGHT | FRONT));
    bar((o.right - 0.06, o.right), (o.low, o.high), sides & (LEFT | FRONT));
    bar((o.left + 0.06, o.right - 0.06), (o.low, o.low + 0.06), sides & (UP | FRONT));
    if o.arch == 0 {
        bar((o.left + 0.06, o.right - 0.06), (o.high - 0.06, o.high), sides & (DOWN | FRONT));
    }
}

fn door(s: &mut Surface, o: &Opening, level: u32) {
    let lintel = o.high - 0.30;
    flat(s, (o.left, o.right), (lintel, o.high), GLASS);
    flat(s, (o.left, o.right), (o.low, lintel), LEAF - 0.03);
    if level == 2 {
        return;
    }
    s.cuboid([o.left, lintel - 0.03, GLASS], [o.right, lintel + 0.03, FRAME + 0.07], UP | DOWN | FRONT);
    for (x, y) in [(-0.34, -0.85), (0.04, -0.85), (-0.34, -0.20), (0.04, -0.20)] {
        let sides = if level == 0 { ALL & !BACK } else { FRONT };
        s.cuboid([x, y, LEAF - 0.03], [x + 0.30, y + 0.50, LEAF], sides);
    }
    if level == 0 {
        s.cuboid([0.30, -0.28, LEAF - 0.03], [0.37, -0.22, LEAF + 0.05], ALL & !BACK);
    }
}

/// What stands out before the wall: sills, surrounds, shutters, a shop's sign.
fn trim(s: &mut Surface, o: &Opening, level: u32) {
    let proud = if level == 0 { ALL & !BACK } else { FRONT | UP };
    let (l, r) = (o.left, o.right);
    match o.filling {
        Filling::Shop => {
            s.cuboid([-0.94, o.high + 0.05, -0.02], [0.94, o.high + 0.34, 0.16], proud);
            s.cuboid([-0.94, o.low - 0.24, -0.02], [0.94, o.low - 0.02, 0.05], proud);
            return;
        }
        Filling::Door => {
            s.cuboid([l - 0.16, o.high + 0.02, -0.02], [r + 0.16, o.high + 0.14, 0.20], proud | DOWN);
        }
        Filling::Window | Filling::Shuttered => {
            s.cuboid([l - 0.10, o.low - 0.07, -0.05], [r + 0.10, o.low, 0.13], proud);
        }
    }
    if level == 2 {
        return;
    }
    if o.filling == Filling::Shuttered {
        for x in [l - 0.44, r + 0.02] {
            s.cuboid([x, o.low + 0.02, -0.02], [x + 0.42, o.high, 0.075], proud);
            if level == 0 {
                for i in 0..6 {
                    let y = o.low + 0.08 + f64::from(i) * (o.high - o.low - 0.08) / 6.0;
                    s.cuboid([x + 0.05, y, 0.02], [x + 0.37, y + 0.08, 0.095], FRONT | DOWN | UP);
                }
            }
        }
        return;
    }
    // A surround: jambs, and a lintel or an arch.
    for x in [l - 0.10, r] {
        s.cuboid([x, o.low, -0.02], [x + 0.10, o.high, 0.035], proud & !UP & !DOWN);
    }
    if o.arch == 0 {
        s.cuboid([l - 0.12, o.high, -0.02], [r + 0.12, o.high + 0.11, 0.05], proud | DOWN);
        return;
    }
    let edge = upper(o);
    let out = |(x, y): (f64, f64)| (x * 1.22, o.high + (y - o.high) * 1.22);
    for (&a, &b) in edge.iter().zip(&edge[1..]) {
        let (c, d) = (out(a), out(b));
        let z = 0.035;
        s.face(&[vec(a.0, a.1, z), vec(b.0, b.1, z), vec(d.0, d.1, z), vec(c.0, c.1, z)]);
        if level == 0 {
            s.face(&[vec(c.0, c.1, z), vec(d.0, d.1, z), vec(d.0, d.1, 0.0), vec(c.0, c.1, 0.0)]);
            s.face(&[vec(a.0, a.1, 0.0), vec(b.0, b.1, 0.0), vec(b.0, b.1, z), vec(a.0, a.1, z)]);
        }
    }
}
