//! The sweep's materials. Out: one row for each step of roughness, metal and colour, and a few for what they stand on.

use crate::scene::Material;
use crate::scene::textures::{Layer, Pattern};

/// Steps of roughness, of metal, of colour.
pub(super) const ROUGHNESS: u32 = 11;
pub(super) const METAL: u32 = 5;
pub(super) const COLOURS: u32 = 6;

/// Rows after the sweep's own.
pub(super) const FLOOR: u32 = ROUGHNESS * METAL * COLOURS;
pub(super) const TERRACE: u32 = FLOOR + 1;
pub(super) const LAMP: u32 = FLOOR + 2;

#[rustfmt::skip]
pub(super) const LAYERS: [Layer; 3] = [
    Layer { pattern: Pattern::Mosaic, seed: 41, palette: [[70, 72, 76], [150, 150, 150], [214, 212, 206]] },
    Layer { pattern: Pattern::Stone, seed: 42, palette: [[150, 146, 140], [186, 182, 176], [220, 216, 208]] },
    Layer { pattern: Pattern::Metal, seed: 43, palette: [[210, 210, 210], [230, 230, 230], [250, 250, 250]] },
];

/// Reflectances: gold, copper, silver as measured metals have them (Lagarde 2011), and three paints.
const TINTS: [[f32; 3]; COLOURS as usize] = [
    [1.0, 0.77, 0.34],
    [0.95, 0.64, 0.54],
    [0.95, 0.93, 0.88],
    [0.72, 0.06, 0.05],
    [0.05, 0.30, 0.14],
    [0.06, 0.14, 0.55],
];

/// The row of these steps.
pub(super) const fn row(roughness: u32, metal: u32, colour: u32) -> u32 {
    (colour * METAL + metal) * ROUGHNESS + roughness
}

/// All rows; the look goes by `kind`: 0 sweep, 1 textured, 2 lamp.
#[expect(clippy::cast_precision_loss, reason = "a few steps")]
pub(super) fn materials() -> Vec<Material> {
    let of = Material::textured;
    let mut rows = Vec::new();
    for tint in TINTS {
        for metal in 0..METAL {
            for roughness in 0..ROUGHNESS {
                rows.push(Material {
                    roughness: (roughness as f32 / (ROUGHNESS - 1) as f32).max(0.03),
                    metal: metal as f32 / (METAL - 1) as f32,
                    ..of(0, 2, 0.8, tint)
                });
            }
        }
    }
    rows.push(of(1, 0, 3.0, [0.75, 0.75, 0.75]));
    rows.push(of(1, 1, 2.5, [0.85, 0.83, 0.80]));
    rows.push(of(2, 2, 1.0, [1.0; 3]));
    rows
}
