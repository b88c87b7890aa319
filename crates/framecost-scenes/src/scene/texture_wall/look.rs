//! The walls' materials and textures. Out: a row for each layer, and what each layer shows.

use crate::scene::Material;
use crate::scene::textures::{Layer, Pattern};

/// How many layers there are, each of a row of its own.
pub(super) const LAYERS: u32 = 32;
/// Rows after those: the ground, lamps, edges of walls.
pub(super) const LAMP: u32 = LAYERS;

const PATTERNS: [Pattern; 14] = [
    Pattern::Brick,
    Pattern::Mosaic,
    Pattern::Stone,
    Pattern::Wood,
    Pattern::Tiles,
    Pattern::Plaster,
    Pattern::Cobbles,
    Pattern::Slate,
    Pattern::Leaves,
    Pattern::Paving,
    Pattern::Metal,
    Pattern::Cloth,
    Pattern::Grass,
    Pattern::Asphalt,
];

/// Palettes from dark to bright.
#[rustfmt::skip]
const PALETTES: [[[u8; 3]; 3]; 9] = [
    [[92, 44, 32], [158, 84, 58], [212, 150, 116]],
    [[28, 70, 98], [74, 140, 160], [226, 206, 150]],
    [[120, 112, 100], [176, 166, 150], [228, 220, 204]],
    [[70, 44, 24], [136, 92, 54], [196, 152, 104]],
    [[54, 60, 72], [98, 106, 122], [164, 172, 184]],
    [[36, 60, 30], [86, 118, 56], [168, 180, 104]],
    [[96, 36, 60], [168, 84, 104], [230, 178, 172]],
    [[150, 116, 40], [206, 168, 80], [244, 224, 160]],
    [[40, 36, 64], [92, 82, 136], [178, 170, 208]],
];

/// What layer `number` shows: patterns and palettes go round at different paces, so that no two are alike.
pub(super) fn layers() -> Vec<Layer> {
    (0..LAYERS)
        .map(|number| Layer {
            pattern: PATTERNS[number as usize % PATTERNS.len()],
            seed: 100 + number,
            palette: PALETTES[(number * 2 + number / 14) as usize % PALETTES.len()],
        })
        .collect()
}

/// All rows: those of the layers, each of its own scale, then lamps. The look goes by `kind`: 0 wall, 1 lamp.
#[expect(clippy::cast_precision_loss, reason = "a few rows")]
pub(super) fn materials() -> Vec<Material> {
    let of = |kind: u32, layer: u32, metres: f32| Material {
        low: [1.0, 0.96, 0.92],
        mid: [0.94, 0.97, 1.0],
        bump: 1.3,
        ..Material::textured(kind, layer, metres, [1.0; 3])
    };
    let mut rows: Vec<Material> =
        (0..LAYERS).map(|layer| of(0, layer, 1.2 + 0.55 * (layer % 5) as f32)).collect();
    rows.push(of(1, 0, 1.0));
    rows
}
