//! The crowd's materials and textures. Out: the table that its shader reads, a name for each row, and its layers.

use crate::scene::Material;
use crate::scene::textures::{Layer, Pattern};

/// Rows of the table, in its order; the look's formulas go by them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(super) enum Row {
    Person,
    Leg,
    Lamp,
    Banner,
    Cobbles,
    Stone,
    Pale,
    Iron,
    Grass,
}

impl Row {
    pub(super) const fn id(self) -> u32 {
        self as u32
    }
}

#[rustfmt::skip]
pub(super) const LAYERS: [Layer; 5] = [
    Layer { pattern: Pattern::Cobbles, seed: 31, palette: [[92, 88, 86], [132, 128, 122], [172, 166, 156]] },
    Layer { pattern: Pattern::Stone, seed: 32, palette: [[166, 154, 138], [202, 190, 172], [234, 226, 210]] },
    Layer { pattern: Pattern::Metal, seed: 33, palette: [[190, 192, 194], [214, 216, 218], [238, 239, 240]] },
    Layer { pattern: Pattern::Cloth, seed: 34, palette: [[196, 194, 190], [226, 224, 220], [246, 245, 242]] },
    Layer { pattern: Pattern::Grass, seed: 35, palette: [[44, 62, 26], [78, 104, 44], [128, 146, 74]] },
];

/// All rows, each at its name. `kind` is what the look's formulas go by: 0 stone, 1 person, 2 leg, 3 lamp, 4 cloth.
pub(super) fn materials() -> Vec<Material> {
    let of = Material::textured;
    vec![
        of(1, 3, 0.5, [1.0; 3]),
        of(2, 3, 0.5, [1.0; 3]),
        of(3, 2, 1.0, [1.0; 3]),
        Material {
            low: [0.50, 0.04, 0.05],
            mid: [0.70, 0.48, 0.08],
            high: [0.05, 0.10, 0.34],
            ..of(4, 3, 0.5, [1.0; 3])
        },
        of(0, 0, 1.6, [0.95, 0.92, 0.88]),
        of(0, 1, 2.0, [0.86, 0.78, 0.66]),
        of(0, 1, 3.1, [1.0, 0.96, 0.88]),
        Material { metal: 0.5, ..of(0, 2, 1.0, [0.06, 0.065, 0.07]) },
        of(0, 4, 5.0, [0.9, 0.9, 0.8]),
    ]
}
