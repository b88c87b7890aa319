//! The town's materials and textures. Out: the table that its shader reads, a name for each row, and its layers.

use crate::scene::Material;
use crate::scene::textures::{Layer, Pattern};

/// Formulas of `look.wgsl`.
const SOLID: u32 = 0;
const PANEL: u32 = 1;
const LEAF: u32 = 2;
const CAR: u32 = 3;
const PERSON: u32 = 4;
const WATER: u32 = 5;
const LAMP: u32 = 6;
const LAND: u32 = 7;
const CLOTH: u32 = 8;
const LEG: u32 = 9;

macro_rules! rows {
    ($($name:ident),* $(,)?) => {
        /// Rows of the table, in its order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub(super) enum Row { $($name),* }

        impl Row {
            const ALL: &[Self] = &[$(Self::$name),*];
        }
    };
}

rows!(
    OldWall, OldPanel, BrickWall, BrickPanel, CourtWall, CourtPanel, VillaWall, VillaPanel, StoneWall,
    StonePanel, Trim, Tiles, Slate, Gravel, Wood, Iron, Glass, Road, Pavement, Market, Lawn, Quay, Land,
    River, Leaf, Needle, Bark, Car, Person, Leg, Lamp, Awning, Flag, Washing, Paint, Bird, Copper, Crate,
    Mosaic,
);

impl Row {
    pub(super) const fn id(self) -> u32 {
        self as u32
    }
}

/// Layers of the textures.
#[rustfmt::skip]
pub(super) const LAYERS: [Layer; 14] = [
    Layer { pattern: Pattern::Brick, seed: 1, palette: [[150, 130, 122], [196, 176, 166], [232, 216, 204]] },
    Layer { pattern: Pattern::Plaster, seed: 2, palette: [[196, 192, 184], [226, 222, 214], [246, 244, 238]] },
    Layer { pattern: Pattern::Slate, seed: 3, palette: [[92, 94, 100], [126, 128, 136], [164, 166, 170]] },
    Layer { pattern: Pattern::Tiles, seed: 4, palette: [[104, 66, 52], [150, 96, 74], [188, 134, 106]] },
    Layer { pattern: Pattern::Asphalt, seed: 5, palette: [[62, 62, 64], [84, 83, 82], [112, 110, 106]] },
    Layer { pattern: Pattern::Paving, seed: 6, palette: [[120, 114, 104], [150, 144, 134], [178, 172, 162]] },
    Layer { pattern: Pattern::Wood, seed: 7, palette: [[150, 130, 108], [190, 172, 150], [222, 208, 190]] },
    Layer { pattern: Pattern::Grass, seed: 8, palette: [[44, 62, 26], [78, 104, 44], [128, 146, 74]] },
    Layer { pattern: Pattern::Leaves, seed: 9, palette: [[110, 120, 96], [176, 184, 156], [230, 234, 208]] },
    Layer { pattern: Pattern::Metal, seed: 10, palette: [[190, 192, 194], [214, 216, 218], [238, 239, 240]] },
    Layer { pattern: Pattern::Cobbles, seed: 11, palette: [[96, 90, 84], [132, 126, 118], [166, 158, 148]] },
    Layer { pattern: Pattern::Stone, seed: 12, palette: [[168, 158, 140], [204, 194, 176], [232, 224, 208]] },
    Layer { pattern: Pattern::Cloth, seed: 13, palette: [[196, 194, 190], [226, 224, 220], [246, 245, 242]] },
    Layer { pattern: Pattern::Mosaic, seed: 14, palette: [[40, 96, 118], [92, 150, 150], [214, 196, 150]] },
];

const BRICK: u32 = 0;
const PLASTER: u32 = 1;
const SLATE: u32 = 2;
const TILES: u32 = 3;
const ASPHALT: u32 = 4;
const PAVING: u32 = 5;
const WOOD: u32 = 6;
const GRASS: u32 = 7;
const LEAVES: u32 = 8;
const METAL: u32 = 9;
const COBBLES: u32 = 10;
const STONE: u32 = 11;
const CLOTHS: u32 = 12;
const MOSAIC: u32 = 13;

const WHITE: [f32; 3] = [1.0; 3];

/// White, of one layer that repeats every so many metres; the rows below change what differs. `low`, `mid` and `high`
/// are tints that a building's seed picks from, `air` is the colour of frames and trim, `glow` the share of lit windows.
fn of(kind: u32, layer: u32, metres: f32) -> Material {
    Material {
        low: WHITE,
        sea: 0.0,
        mid: WHITE,
        ice: 0.0,
        high: WHITE,
        frequency: 0.0,
        air: [0.62, 0.60, 0.55],
        clouds: 0.0,
        bands: 0.0,
        warp: 0.0,
        bump: 1.0,
        gloss: 0.0,
        glow: 0.0,
        metal: 0.0,
        octaves: 0,
        ticks: 0,
        kind,
        layer,
        tiling: 1.0 / metres,
        roughness: 1.0,
    }
}

const fn tinted(material: Material, low: [f32; 3], mid: [f32; 3], high: [f32; 3]) -> Material {
    Material { low, mid, high, ..material }
}

/// All rows, each at its name.
pub(super) fn materials() -> Vec<Material> {
    Row::ALL.iter().map(|&row| material(row)).collect()
}

fn material(row: Row) -> Material {
    let old =
        |kind| tinted(of(kind, PLASTER, 3.0), [0.72, 0.46, 0.24], [0.78, 0.62, 0.40], [0.66, 0.34, 0.26]);
    let brick =
        |kind| tinted(of(kind, BRICK, 1.6), [0.42, 0.17, 0.11], [0.52, 0.25, 0.15], [0.58, 0.36, 0.22]);
    let court =
        |kind| tinted(of(kind, PLASTER, 3.0), [0.60, 0.52, 0.40], [0.68, 0.63, 0.54], [0.50, 0.49, 0.46]);
    let villa =
        |kind| tinted(of(kind, PLASTER, 3.0), [0.78, 0.74, 0.66], [0.70, 0.56, 0.36], [0.56, 0.62, 0.60]);
    let stone =
        |kind| tinted(of(kind, STONE, 2.0), [0.74, 0.66, 0.52], [0.70, 0.62, 0.50], [0.62, 0.58, 0.50]);
    match row {
        Row::OldWall => old(SOLID),
        Row::OldPanel => Material { glow: 0.30, ..old(PANEL) },
        Row::BrickWall => brick(SOLID),
        Row::BrickPanel => Material { glow: 0.26, air: [0.70, 0.68, 0.62], ..brick(PANEL) },
        Row::CourtWall => court(SOLID),
        Row::CourtPanel => Material { glow: 0.34, ..court(PANEL) },
        Row::VillaWall => villa(SOLID),
        Row::VillaPanel => Material { glow: 0.36, air: [0.74, 0.72, 0.68], ..villa(PANEL) },
        Row::StoneWall => stone(SOLID),
        Row::StonePanel => Material { glow: 0.6, air: [0.55, 0.48, 0.38], ..stone(PANEL) },
        Row::Trim => {
            tinted(of(SOLID, STONE, 2.0), [0.72, 0.68, 0.60], [0.66, 0.62, 0.55], [0.76, 0.73, 0.66])
        }
        Row::Tiles => {
            tinted(of(SOLID, TILES, 1.6), [0.86, 0.78, 0.70], [1.0, 0.96, 0.90], [0.66, 0.58, 0.54])
        }
        Row::Slate => tinted(of(SOLID, SLATE, 1.6), [0.9, 0.9, 0.94], [0.7, 0.74, 0.8], [1.0, 0.96, 0.94]),
        Row::Gravel => tinted(of(SOLID, ASPHALT, 2.0), [2.2, 2.1, 1.9], [2.6, 2.5, 2.3], [1.7, 1.66, 1.6]),
        Row::Wood => tinted(of(SOLID, WOOD, 1.6), [0.26, 0.14, 0.07], [0.34, 0.20, 0.10], [0.16, 0.10, 0.06]),
        Row::Iron => Material { metal: 0.6, ..flat(of(SOLID, METAL, 1.0), [0.05, 0.055, 0.06]) },
        Row::Glass => Material { roughness: 0.15, ..flat(of(SOLID, METAL, 1.0), [0.03, 0.04, 0.05]) },
        Row::Road => of(SOLID, ASPHALT, 4.0),
        Row::Pavement => of(SOLID, PAVING, 2.4),
        Row::Market => of(SOLID, COBBLES, 1.6),
        Row::Lawn => of(SOLID, GRASS, 3.0),
        Row::Quay => flat(of(SOLID, STONE, 2.0), [0.52, 0.48, 0.42]),
        Row::Land => of(LAND, GRASS, 6.0),
        Row::River => of(WATER, METAL, 4.0),
        Row::Leaf => {
            tinted(of(LEAF, LEAVES, 0.55), [0.15, 0.25, 0.05], [0.25, 0.32, 0.07], [0.46, 0.30, 0.06])
        }
        Row::Needle => {
            tinted(of(LEAF, LEAVES, 0.55), [0.04, 0.09, 0.04], [0.06, 0.11, 0.05], [0.05, 0.10, 0.06])
        }
        Row::Bark => flat(of(SOLID, WOOD, 0.9), [0.15, 0.11, 0.08]),
        Row::Car => of(CAR, METAL, 2.0),
        Row::Person => of(PERSON, PLASTER, 0.5),
        Row::Leg => of(LEG, PLASTER, 0.5),
        Row::Lamp => of(LAMP, METAL, 1.0),
        Row::Awning => {
            tinted(of(CLOTH, CLOTHS, 0.5), [0.50, 0.05, 0.04], [0.05, 0.20, 0.14], [0.08, 0.12, 0.30])
        }
        Row::Flag => {
            tinted(of(CLOTH, CLOTHS, 0.5), [0.60, 0.06, 0.05], [0.75, 0.52, 0.10], [0.06, 0.14, 0.42])
        }
        Row::Washing => {
            tinted(of(CLOTH, CLOTHS, 0.5), [0.75, 0.73, 0.70], [0.45, 0.55, 0.66], [0.70, 0.45, 0.40])
        }
        Row::Paint => flat(of(SOLID, PLASTER, 2.0), [0.72, 0.72, 0.68]),
        Row::Bird => flat(of(SOLID, PLASTER, 2.0), [0.10, 0.10, 0.115]),
        Row::Copper => Material { metal: 0.3, ..flat(of(SOLID, METAL, 2.0), [0.22, 0.42, 0.34]) },
        Row::Mosaic => of(SOLID, MOSAIC, 1.0),
        Row::Crate => {
            tinted(of(SOLID, WOOD, 0.8), [0.55, 0.36, 0.18], [0.45, 0.26, 0.12], [0.50, 0.40, 0.22])
        }
    }
}

const fn flat(material: Material, colour: [f32; 3]) -> Material {
    tinted(material, colour, colour, colour)
}
