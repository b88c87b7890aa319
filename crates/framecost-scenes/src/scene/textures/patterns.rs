//! What textures show: masonry, roofs, ground, plants, metal. In: a pattern, its seed and palette, a size. Out: texels.
//! Everything repeats at the picture's edge.

use glam::Vec3;

use super::{Layer, Texel};

/// A pattern. Sizes in brackets say what the picture's edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Courses of bricks (1.6 m).
    Brick,
    /// Rough plaster with stains (3 m).
    Plaster,
    /// Slates, each over the next (1.6 m).
    Slate,
    /// Curved roof tiles (1.6 m).
    Tiles,
    /// Asphalt with patches (4 m).
    Asphalt,
    /// Flags of a pavement (2.4 m).
    Paving,
    /// Cobbles (1.6 m).
    Cobbles,
    /// Planks (1.6 m).
    Wood,
    /// Grass (3 m).
    Grass,
    /// Leaves over leaves (1 m).
    Leaves,
    /// Brushed metal, worn (1 m).
    Metal,
    /// Squared stones of uneven size (2 m).
    Stone,
    /// Small squares of many colours (1 m).
    Mosaic,
    /// Woven cloth (0.5 m).
    Cloth,
}

impl Pattern {
    #[cfg(test)]
    pub(super) const ALL: &[Self] = &[
        Self::Brick,
        Self::Plaster,
        Self::Slate,
        Self::Tiles,
        Self::Asphalt,
        Self::Paving,
        Self::Cobbles,
        Self::Wood,
        Self::Grass,
        Self::Leaves,
        Self::Metal,
        Self::Stone,
        Self::Mosaic,
        Self::Cloth,
    ];
}

/// The layer's texels, row by row.
pub(super) fn texels(layer: &Layer, size: u32) -> Vec<Texel> {
    let canvas = Canvas { size: size as usize, seed: layer.seed };
    let dye = Dye(layer.palette.map(|colour| Vec3::from_array(colour.map(|code| f32::from(code) / 255.0))));
    match layer.pattern {
        Pattern::Brick => brick(&canvas, &dye),
        Pattern::Plaster => plaster(&canvas, &dye),
        Pattern::Slate => slate(&canvas, &dye),
        Pattern::Tiles => tiles(&canvas, &dye),
        Pattern::Asphalt => asphalt(&canvas, &dye),
        Pattern::Paving => paving(&canvas, &dye),
        Pattern::Cobbles => cobbles(&canvas, &dye),
        Pattern::Wood => wood(&canvas, &dye),
        Pattern::Grass => grass(&canvas, &dye),
        Pattern::Leaves => leaves(&canvas, &dye),
        Pattern::Metal => metal(&canvas, &dye),
        Pattern::Stone => stone(&canvas, &dye),
        Pattern::Mosaic => mosaic(&canvas, &dye),
        Pattern::Cloth => cloth(&canvas, &dye),
    }
}

/// One round of PCG (O'Neill 2014) over a mix of the coordinates.
const fn hash(x: u32, y: u32, seed: u32) -> u32 {
    let mixed = x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663) ^ seed.wrapping_mul(83_492_791);
    let state = mixed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
    let word = ((state >> ((state >> 28) + 4)) ^ state).wrapping_mul(277_803_737);
    (word >> 22) ^ word
}

/// Of 24 bits, in [0, 1).
#[expect(clippy::cast_precision_loss, reason = "24 bits fit a float exactly")]
const fn unit(word: u32) -> f32 {
    (word >> 8) as f32 / 16_777_216.0
}

fn smooth(from: f32, to: f32, value: f32) -> f32 {
    let t = ((value - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

struct Dye([Vec3; 3]);

impl Dye {
    /// The palette at `t` from 0 to 1.
    fn at(&self, t: f32) -> Vec3 {
        let t = t.clamp(0.0, 1.0) * 2.0;
        if t < 1.0 { self.0[0].lerp(self.0[1], t) } else { self.0[1].lerp(self.0[2], t - 1.0) }
    }
}

struct Canvas {
    size: usize,
    seed: u32,
}

/// Where a texel lies in a layout of cells.
#[derive(Clone, Copy)]
struct Cell {
    /// A number of the cell's own.
    word: u32,
    /// From 0 to 1 across and along it.
    x: f32,
    y: f32,
    /// Distance to its edge, in picture edges.
    edge: f32,
}

#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "pictures are small")]
#[expect(clippy::cast_sign_loss, reason = "coordinates are positive")]
impl Canvas {
    /// Every texel from its place, 0 to 1 across and along.
    fn paint(&self, texel: impl Fn(usize, f32, f32) -> Texel) -> Vec<Texel> {
        let n = self.size;
        let step = 1.0 / n as f32;
        (0..n * n).map(|i| texel(i, ((i % n) as f32 + 0.5) * step, ((i / n) as f32 + 0.5) * step)).collect()
    }

    /// Value noise of so many cells across and along, each octave of twice the cells and half the height; 0 to 1.
    fn noise(&self, (across, along): (u32, u32), octaves: u32, salt: u32) -> Vec<f32> {
        let n = self.size;
        let mut sum = vec![0.0; n * n];
        let total: f32 = (0..octaves).map(|octave| 0.5 / (1u32 << octave) as f32).sum();
        for octave in 0..octaves {
            let (columns, rows) = (across << octave, along << octave);
            let height = 0.5 / (1u32 << octave) as f32 / total;
            let seed = self.seed.wrapping_mul(31).wrapping_add(salt * 8 + octave);
            let lattice: Vec<f32> =
                (0..columns * rows).map(|i| unit(hash(i % columns, i / columns, seed))).collect();
            let weights: Vec<(usize, usize, f32)> = (0..n).map(|i| weight(i, n, columns)).collect();
            for y in 0..n {
                let (above, below, v) = weight(y, n, rows);
                let rows = [above, below].map(|row| &lattice[row * columns as usize..][..columns as usize]);
                let line = &mut sum[y * n..(y + 1) * n];
                for (value, &(left, right, u)) in line.iter_mut().zip(&weights) {
                    let [a, b] = rows.map(|row| row[left] + (row[right] - row[left]) * u);
                    *value += height * (a + (b - a) * v);
                }
            }
        }
        sum
    }

    /// The cell at a place in courses of so many cells, every other one moved by half.
    fn course(&self, (u, v): (f32, f32), (columns, rows): (u32, u32), salt: u32) -> Cell {
        let y = v * rows as f32;
        let row = (y as u32).min(rows - 1);
        let x = u * columns as f32 + if row % 2 == 1 { 0.5 } else { 0.0 };
        let column = x as u32;
        let (x, y) = (x - column as f32, y - row as f32);
        let edge = (x.min(1.0 - x) / columns as f32).min(y.min(1.0 - y) / rows as f32);
        Cell { word: hash(column % columns, row, self.seed ^ salt), x, y, edge }
    }

    /// The nearest of jittered points, one a cell of an even grid (Worley 1996); `edge` is how much farther the second
    /// nearest is.
    fn nearest(&self, (u, v): (f32, f32), cells: u32, salt: u32) -> Cell {
        let (x, y) = (u * cells as f32, v * cells as f32);
        let (column, row) = (x as u32, y as u32);
        let mut found = Cell { word: 0, x: 0.0, y: 0.0, edge: 0.0 };
        let (mut first, mut second) = (9.0f32, 9.0f32);
        for i in 0..9 {
            let (dx, dy) = (i % 3, i / 3);
            let word =
                hash((column + cells + dx - 1) % cells, (row + cells + dy - 1) % cells, self.seed ^ salt);
            let px = (column + dx) as f32 - 1.0 + 0.15 + 0.7 * unit(word);
            let py = (row + dy) as f32 - 1.0 + 0.15 + 0.7 * unit(word.wrapping_mul(2_654_435_761));
            let (ox, oy) = (x - px, y - py);
            let square = ox * ox + oy * oy;
            if square < first {
                (second, first) = (first, square);
                found = Cell { word, x: ox, y: oy, edge: 0.0 };
            } else if square < second {
                second = square;
            }
        }
        found.edge = (second.sqrt() - first.sqrt()) / cells as f32;
        found
    }
}

/// The lattice lines to either side of texel `i`, and how far between them it lies, eased.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "pictures are small")]
#[expect(clippy::cast_sign_loss, reason = "coordinates are positive")]
fn weight(i: usize, n: usize, cells: u32) -> (usize, usize, f32) {
    let at = (i as f32 + 0.5) / n as f32 * cells as f32;
    let low = at as usize;
    let t = at - low as f32;
    (low % cells as usize, (low + 1) % cells as usize, t * t * (3.0 - 2.0 * t))
}

fn brick(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((24, 24), 3, 1);
    let stain = canvas.noise((3, 3), 3, 2);
    canvas.paint(|i, u, v| {
        let cell = canvas.course((u, v), (6, 20), 3);
        let body = smooth(0.002, 0.008, cell.edge + (grain[i] - 0.5) * 0.004);
        let tone = 0.55 * unit(cell.word) + 0.3 * grain[i] + 0.25 * stain[i] - 0.05;
        let mortar = Vec3::new(0.60, 0.57, 0.52) * (0.75 + 0.35 * grain[i]);
        Texel {
            colour: mortar.lerp(dye.at(tone), body),
            roughness: 0.95 - 0.12 * body,
            height: 0.10 * body + 0.05 * grain[i],
        }
    })
}

fn plaster(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((48, 48), 3, 1);
    let cloud = canvas.noise((3, 3), 4, 2);
    let runs = canvas.noise((24, 2), 3, 3);
    canvas.paint(|i, _, _| Texel {
        colour: dye.at(0.25 + 0.35 * cloud[i] + 0.25 * runs[i] + 0.15 * grain[i]),
        roughness: 0.9,
        height: 0.05 * grain[i] + 0.04 * cloud[i],
    })
}

fn slate(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((16, 32), 4, 1);
    let moss = canvas.noise((3, 3), 4, 2);
    canvas.paint(|i, u, v| {
        let cell = canvas.course((u, v), (6, 10), 3);
        let gap = smooth(0.001, 0.006, cell.edge);
        let lichen = smooth(0.62, 0.75, moss[i]) * 0.5;
        let tone = 0.5 * unit(cell.word) + 0.4 * grain[i];
        Texel {
            colour: (dye.at(tone) * (0.45 + 0.55 * gap)).lerp(Vec3::new(0.45, 0.47, 0.30), lichen),
            roughness: 0.55 + 0.3 * grain[i],
            // Each lies over the one below: its lower edge stands off.
            height: 0.16 * cell.y * gap + 0.03 * grain[i],
        }
    })
}

fn tiles(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((24, 24), 3, 1);
    let moss = canvas.noise((4, 4), 4, 2);
    canvas.paint(|i, u, v| {
        let (x, y) = (u * 8.0, v * 6.0);
        let (column, row) = (x.floor(), y.floor());
        let (x, y) = (x - column, y - row);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 8")]
        let word = hash(column as u32, row as u32, canvas.seed);
        // Half of each is a crest, half a trough.
        let wave = 1.0 - (2.0 * x - 1.0) * (2.0 * x - 1.0);
        let lip = smooth(0.0, 0.06, y);
        let lichen = smooth(0.60, 0.78, moss[i]) * 0.45;
        let tone = 0.45 * unit(word) + 0.3 * grain[i] + 0.25 * wave;
        Texel {
            colour: (dye.at(tone) * (0.5 + 0.5 * lip) * (0.65 + 0.35 * wave))
                .lerp(Vec3::new(0.36, 0.36, 0.24), lichen),
            roughness: 0.8,
            height: 0.22 * wave + 0.12 * y * lip + 0.02 * grain[i],
        }
    })
}

fn asphalt(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grit = canvas.noise((96, 96), 2, 1);
    let patch = canvas.noise((2, 2), 4, 2);
    let crack = canvas.noise((5, 5), 4, 3);
    canvas.paint(|i, _, _| {
        let line = smooth(0.0, 0.012, (crack[i] - 0.5).abs());
        Texel {
            colour: dye.at(0.45 * grit[i] + 0.5 * patch[i]) * (0.6 + 0.4 * line),
            roughness: 0.95 - 0.25 * smooth(0.5, 0.7, patch[i]),
            height: 0.05 * grit[i] + 0.03 * line,
        }
    })
}

fn paving(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((32, 32), 3, 1);
    let stain = canvas.noise((4, 4), 3, 2);
    canvas.paint(|i, u, v| {
        let cell = canvas.course((u, v), (4, 6), 3);
        let body = smooth(0.0015, 0.005, cell.edge);
        let tone = 0.35 * unit(cell.word) + 0.3 * grain[i] + 0.35 * stain[i];
        let tilt = (unit(cell.word ^ 0x55) - 0.5) * cell.x + (unit(cell.word ^ 0xaa) - 0.5) * cell.y;
        Texel {
            colour: dye.at(tone) * (0.42 + 0.58 * body),
            roughness: 0.85,
            height: 0.08 * body + 0.03 * grain[i] + 0.03 * tilt,
        }
    })
}

fn cobbles(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((32, 32), 3, 1);
    canvas.paint(|i, u, v| {
        let cell = canvas.nearest((u, v), 12, 3);
        let body = smooth(0.002, 0.022, cell.edge);
        let tone = 0.6 * unit(cell.word ^ 0x77) + 0.4 * grain[i];
        Texel {
            colour: (dye.at(tone) * (0.30 + 0.70 * body)).lerp(Vec3::new(0.21, 0.20, 0.16), 1.0 - body),
            roughness: 0.9 - 0.25 * body,
            height: 0.20 * body * (1.0 - 0.3 * (cell.x * cell.x + cell.y * cell.y)) + 0.03 * grain[i],
        }
    })
}

fn wood(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let fibre = canvas.noise((64, 3), 3, 1);
    let wave = canvas.noise((8, 2), 2, 2);
    canvas.paint(|i, u, _| {
        let x = u * 8.0;
        let plank = x.floor();
        let x = x - plank;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 8")]
        let word = hash(plank as u32, 0, canvas.seed);
        let gap = smooth(0.0, 0.05, x.min(1.0 - x));
        let ring = ((wave[i] * 9.0 + unit(word) * 5.0).fract() - 0.5).abs() * 2.0;
        let tone = 0.35 * unit(word) + 0.4 * fibre[i] + 0.25 * ring;
        Texel {
            colour: dye.at(tone) * (0.35 + 0.65 * gap),
            roughness: 0.75,
            height: 0.08 * gap + 0.03 * fibre[i],
        }
    })
}

fn grass(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let blades = canvas.noise((96, 40), 2, 1);
    let tufts = canvas.noise((14, 14), 3, 2);
    let fields = canvas.noise((2, 2), 3, 3);
    canvas.paint(|i, _, _| Texel {
        colour: dye.at(0.5 * blades[i] + 0.3 * tufts[i] + 0.3 * fields[i] - 0.05),
        roughness: 0.95,
        height: 0.12 * blades[i] + 0.10 * tufts[i],
    })
}

fn leaves(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let light = canvas.noise((6, 6), 3, 1);
    canvas.paint(|i, u, v| {
        let cell = canvas.nearest((u, v), 14, 3);
        let body = smooth(0.0, 0.02, cell.edge);
        // A rib along each leaf, at its own angle.
        let (a, b) = (unit(cell.word ^ 0x11) - 0.5, unit(cell.word ^ 0x22) - 0.5);
        let rib = smooth(0.0, 0.06, (cell.x * a + cell.y * b).abs());
        let tone = 0.55 * unit(cell.word ^ 0x33) + 0.45 * light[i];
        Texel {
            colour: dye.at(tone) * (0.25 + 0.75 * body) * (0.85 + 0.15 * rib),
            roughness: 0.7,
            height: 0.20 * body * unit(cell.word ^ 0x44),
        }
    })
}

fn metal(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let brush = canvas.noise((3, 128), 2, 1);
    let wear = canvas.noise((5, 5), 4, 2);
    canvas.paint(|i, u, v| {
        let (x, y) = (u - 0.5, v - 0.5);
        let seam = smooth(0.004, 0.012, x.abs().min(y.abs()).min(0.5 - x.abs()).min(0.5 - y.abs()));
        let worn = smooth(0.55, 0.72, wear[i]);
        Texel {
            colour: dye.at(0.5 * brush[i] + 0.5 * wear[i]) * (0.5 + 0.5 * seam),
            roughness: 0.28 + 0.2 * brush[i] + 0.4 * worn,
            height: 0.06 * seam + 0.01 * brush[i] - 0.02 * worn,
        }
    })
}

fn stone(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let grain = canvas.noise((24, 24), 4, 1);
    let stain = canvas.noise((3, 4), 3, 2);
    canvas.paint(|i, u, v| {
        let cell = canvas.course((u, v), (3, 6), 3);
        let body = smooth(0.003, 0.012, cell.edge + (grain[i] - 0.5) * 0.008);
        let tone = 0.4 * unit(cell.word) + 0.35 * grain[i] + 0.3 * stain[i] - 0.05;
        Texel {
            colour: dye.at(tone) * (0.55 + 0.45 * body),
            roughness: 0.9,
            height: 0.12 * body + 0.10 * grain[i],
        }
    })
}

fn mosaic(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let flow = canvas.noise((4, 4), 3, 1);
    canvas.paint(|i, u, v| {
        let cell = canvas.course((u, v), (24, 24), 3);
        let body = smooth(0.001, 0.004, cell.edge);
        let tone = smooth(0.35, 0.65, flow[i]) * 0.75 + 0.25 * unit(cell.word);
        let grout = Vec3::splat(0.55);
        Texel {
            colour: grout.lerp(dye.at(tone), body),
            roughness: 0.9 - 0.7 * body,
            height: 0.08 * body + 0.03 * unit(cell.word ^ 9) * (cell.x + cell.y),
        }
    })
}

fn cloth(canvas: &Canvas, dye: &Dye) -> Vec<Texel> {
    let fade = canvas.noise((4, 4), 3, 1);
    canvas.paint(|i, u, v| {
        let (x, y) = (u * 48.0, v * 48.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 48")]
        let over = (x as u32 + y as u32).is_multiple_of(2);
        let (x, y) = (x.fract() - 0.5, y.fract() - 0.5);
        let thread = if over { 1.0 - 4.0 * x * x } else { 1.0 - 4.0 * y * y };
        let tone = fade[i] * 0.6 + 0.25 * thread + if over { 0.15 } else { 0.0 };
        Texel { colour: dye.at(tone) * (0.6 + 0.4 * thread), roughness: 0.95, height: 0.06 * thread }
    })
}
