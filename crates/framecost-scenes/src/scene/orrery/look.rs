//! The orrery's materials. Out: the table that its shader reads, and a name for each row.

use crate::scene::Material;

pub(super) const SUN: u32 = 0;
pub(super) const CINDER: u32 = 1;
pub(super) const DUST: u32 = 2;
pub(super) const OCEAN: u32 = 3;
pub(super) const AMBER: u32 = 4;
pub(super) const STRAW: u32 = 5;
pub(super) const ICE: u32 = 6;
pub(super) const FROST: u32 = 7;
pub(super) const ROCK: u32 = 8;
pub(super) const ROCK_DARK: u32 = 9;
pub(super) const ROCK_RED: u32 = 10;
pub(super) const BRASS: u32 = 11;
pub(super) const BRASS_DIAL: u32 = 12;
pub(super) const COMET: u32 = 13;
pub(super) const TAIL_ION: u32 = 14;
pub(super) const TAIL_DUST: u32 = 15;
pub(super) const RING_PALE: u32 = 16;
pub(super) const RING_TAN: u32 = 17;
pub(super) const SULPHUR: u32 = 18;

pub(super) const MOONS: [u32; 5] = [ROCK, FROST, ROCK_DARK, SULPHUR, ROCK];
pub(super) const RINGS: [u32; 3] = [RING_PALE, RING_TAN, RING_PALE];

/// Bare ground; the rows below change what differs.
const PLAIN: Material = Material {
    low: [0.1, 0.1, 0.1],
    sea: 0.0,
    mid: [0.2, 0.2, 0.2],
    ice: 2.0,
    high: [0.3, 0.3, 0.3],
    frequency: 2.2,
    air: [0.0; 3],
    clouds: 0.0,
    bands: 0.0,
    warp: 4.0,
    bump: 0.6,
    gloss: 0.0,
    glow: 0.0,
    metal: 0.0,
    octaves: 4,
    ticks: 0,
    kind: 0,
    layer: 0,
    tiling: 0.0,
    roughness: 0.0,
};

/// All rows, each at its name.
pub(super) fn materials() -> Vec<Material> {
    let mut table = vec![PLAIN; SULPHUR as usize + 1];
    sun_and_planets(&mut table);
    stones(&mut table);
    brass(&mut table);
    strips(&mut table);
    table
}

/// Bare ground of three colours.
const fn of(low: [f32; 3], mid: [f32; 3], high: [f32; 3]) -> Material {
    Material { low, mid, high, ..PLAIN }
}

fn sun_and_planets(table: &mut [Material]) {
    table[SUN as usize] = Material {
        glow: 3.0,
        frequency: 5.0,
        warp: 5.0,
        octaves: 4,
        bump: 0.0,
        ..of([0.85, 0.20, 0.02], [1.0, 0.42, 0.07], [1.0, 0.72, 0.30])
    };
    table[CINDER as usize] = Material {
        glow: 0.04,
        bump: 1.0,
        ..of([0.02, 0.015, 0.013], [0.10, 0.06, 0.045], [0.35, 0.17, 0.1])
    };
    table[DUST as usize] = Material {
        ice: 0.88,
        air: [0.30, 0.16, 0.10],
        warp: 3.4,
        ..of([0.16, 0.05, 0.022], [0.42, 0.16, 0.07], [0.62, 0.34, 0.2])
    };
    table[OCEAN as usize] = Material {
        sea: 0.56,
        ice: 0.84,
        air: [0.22, 0.48, 1.0],
        clouds: 0.75,
        gloss: 60.0,
        warp: 3.2,
        bump: 0.25,
        frequency: 1.7,
        octaves: 6,
        ..of([0.006, 0.03, 0.10], [0.03, 0.12, 0.05], [0.36, 0.28, 0.17])
    };
    table[AMBER as usize] = Material {
        bands: 19.0,
        octaves: 6,
        warp: 5.0,
        bump: 0.0,
        frequency: 2.4,
        air: [0.30, 0.18, 0.09],
        ..of([0.36, 0.15, 0.06], [0.66, 0.42, 0.23], [0.86, 0.74, 0.55])
    };
    table[STRAW as usize] = Material {
        bands: 26.0,
        octaves: 5,
        warp: 2.2,
        bump: 0.0,
        frequency: 1.8,
        air: [0.26, 0.22, 0.12],
        ..of([0.50, 0.36, 0.17], [0.70, 0.56, 0.33], [0.84, 0.75, 0.54])
    };
    table[ICE as usize] = Material {
        bands: 8.0,
        warp: 1.4,
        bump: 0.0,
        frequency: 1.6,
        air: [0.16, 0.42, 0.55],
        ..of([0.10, 0.30, 0.42], [0.17, 0.45, 0.56], [0.42, 0.68, 0.74])
    };
}

/// Moons, rocks, and the heads of comets.
fn stones(table: &mut [Material]) {
    table[FROST as usize] = Material {
        frequency: 3.0,
        bump: 0.8,
        octaves: 3,
        ..of([0.26, 0.28, 0.32], [0.52, 0.55, 0.60], [0.8, 0.8, 0.8])
    };
    table[ROCK as usize] =
        Material { octaves: 3, bump: 1.2, ..of([0.14, 0.12, 0.10], [0.32, 0.28, 0.24], [0.5, 0.45, 0.39]) };
    table[ROCK_DARK as usize] = Material {
        octaves: 3,
        bump: 1.2,
        ..of([0.06, 0.06, 0.065], [0.14, 0.135, 0.13], [0.26, 0.25, 0.24])
    };
    table[ROCK_RED as usize] =
        Material { octaves: 3, bump: 1.2, ..of([0.16, 0.08, 0.05], [0.36, 0.19, 0.12], [0.52, 0.34, 0.24]) };
    table[SULPHUR as usize] =
        Material { octaves: 3, bump: 0.6, ..of([0.40, 0.24, 0.05], [0.66, 0.52, 0.16], [0.8, 0.74, 0.42]) };
    table[COMET as usize] = Material {
        glow: 1.4,
        bump: 0.0,
        octaves: 3,
        ..of([0.5, 0.8, 0.9], [0.7, 0.95, 1.0], [1.0, 1.0, 1.0])
    };
}

fn brass(table: &mut [Material]) {
    table[BRASS as usize] = Material {
        metal: 1.0,
        gloss: 28.0,
        bump: 0.0,
        frequency: 9.0,
        warp: 1.2,
        octaves: 2,
        ..of([0.42, 0.24, 0.075], [0.62, 0.40, 0.14], [0.80, 0.56, 0.24])
    };
    table[BRASS_DIAL as usize] = Material { ticks: 180, ..table[BRASS as usize] };
}

/// Tails and rings.
fn strips(table: &mut [Material]) {
    table[TAIL_ION as usize] =
        Material { glow: 0.9, ..of([0.05, 0.22, 0.60], [0.10, 0.40, 0.85], [0.4, 0.8, 1.0]) };
    table[TAIL_DUST as usize] =
        Material { glow: 0.55, ..of([0.30, 0.26, 0.20], [0.55, 0.50, 0.40], [0.9, 0.88, 0.8]) };
    table[RING_PALE as usize] = Material {
        bump: 0.0,
        frequency: 40.0,
        octaves: 2,
        ..of([0.52, 0.46, 0.36], [0.74, 0.66, 0.53], [0.9, 0.83, 0.7])
    };
    table[RING_TAN as usize] = Material {
        bump: 0.0,
        frequency: 40.0,
        octaves: 2,
        ..of([0.30, 0.23, 0.16], [0.50, 0.40, 0.29], [0.66, 0.55, 0.41])
    };
}
