//! The town's plan: streets as lines of a grid that was bent, blocks between them, what each block is. Out: corners of
//! blocks, widths of streets, heights of the land.

use glam::DVec3;

use crate::scene::turn::Turn;

/// Blocks along an edge of the plan.
pub(super) const CELLS: usize = 15;
/// The column of blocks that is water.
pub(super) const RIVER: usize = 10;
/// The same as a line of the grid, which goes on beyond the town.
pub(super) const RIVER_LINE: i32 = 10;
/// The street that the camera walks along: its row of corners.
pub(super) const WALK: usize = 8;
/// Rows of corners whose streets cross the river.
pub(super) const BRIDGES: [usize; 4] = [3, 6, 8, 12];
/// The square with the market, and the block of the church.
pub(super) const MARKET: (usize, usize) = (7, 7);
pub(super) const CHURCH: (usize, usize) = (6, 7);
/// Height of a kerb.
pub(super) const KERB: f64 = 0.14;
/// Height of the water.
pub(super) const WATER: f64 = -3.1;

const COLUMNS: [f64; CELLS] =
    [80.0, 78.0, 76.0, 72.0, 68.0, 62.0, 58.0, 60.0, 64.0, 70.0, 46.0, 74.0, 76.0, 78.0, 80.0];
const ROWS: [f64; CELLS] =
    [80.0, 78.0, 76.0, 72.0, 68.0, 64.0, 60.0, 58.0, 62.0, 68.0, 72.0, 74.0, 76.0, 78.0, 80.0];

/// What stands on a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// Narrow old houses with steep roofs.
    Old,
    /// Rows of brick houses with gardens.
    Terrace,
    /// Tall houses with flat or mansard roofs around a yard.
    Court,
    /// Houses that stand alone.
    Villa,
    Park,
    Market,
    Church,
    Water,
    /// Not built on.
    Land,
}

/// A quarter-turn's worth of edges, south first, each from left to right as seen from outside.
pub(super) type Quad = [DVec3; 4];

/// The corner of streets (column, row), which may lie outside the town.
pub(super) fn corner(column: i32, row: i32) -> DVec3 {
    let (x, z) = (line(&COLUMNS, column), line(&ROWS, row));
    let wave = |at: f64, length: f64, phase: f64| Turn::of(at / length + phase).sin_cos().0;
    // The river runs straighter than the streets.
    DVec3::new(
        x + 8.0 * wave(z, 640.0, 0.1) + 4.0 * wave(z, 270.0, 0.35),
        0.0,
        z + 9.0 * wave(x, 560.0, 0.6) + 4.5 * wave(x, 310.0, 0.2),
    )
}

/// Where a line of the grid lies; outside the town the lines move apart.
fn line(steps: &[f64; CELLS], number: i32) -> f64 {
    let half: f64 = steps.iter().sum::<f64>() / 2.0;
    let inside = usize::try_from(number.max(0)).unwrap_or(0).min(CELLS);
    let mut at = steps[..inside].iter().sum::<f64>() - half;
    let (below, above) = ((-number).max(0), (number - 15).max(0));
    let mut step = 84.0;
    for _ in 0..below.max(above) {
        at += if below > 0 { -step } else { step };
        step *= 1.24;
    }
    at
}

/// Half the width of the street along a line of columns or rows.
pub(super) fn half_width(number: usize) -> f64 {
    match number {
        3 | 8 | 12 => 8.0,
        5..=7 => 4.3,
        _ => 5.4,
    }
}

/// The block's corners on the middles of its streets.
pub(super) fn quad(column: i32, row: i32) -> Quad {
    // South-west, south-east, north-east, north-west.
    [corner(column, row + 1), corner(column + 1, row + 1), corner(column + 1, row), corner(column, row)]
}

/// The four edges moved inward by as much as each says.
pub(super) fn inset(quad: &Quad, by: [f64; 4]) -> Quad {
    let way = |k: usize| {
        let step = quad[(k + 1) % 4] - quad[k % 4];
        step / (step.x * step.x + step.z * step.z).sqrt()
    };
    // Outward is to the right of the way, seen from above.
    let inward = |k: usize| {
        let way = way(k);
        DVec3::new(way.z, 0.0, -way.x)
    };
    std::array::from_fn(|k| {
        let (a, b) = ((k + 3) % 4, k);
        let (p, q) = (quad[k] + inward(a) * by[a], quad[k] + inward(b) * by[b]);
        let (u, v) = (way(a), way(b));
        // Where the line p + t u meets the line q + s v.
        let gap = q - p;
        let t = (gap.x * v.z - gap.z * v.x) / (u.x * v.z - u.z * v.x);
        p + u * t
    })
}

/// Widths of the streets at the block's south, east, north and west.
pub(super) fn streets(column: usize, row: usize) -> [f64; 4] {
    let sides = [half_width(row + 1), half_width(column + 1), half_width(row), half_width(column)];
    if column == RIVER {
        let bridge = |row: usize| if BRIDGES.contains(&row) { half_width(row) } else { 0.0 };
        return [bridge(row + 1), sides[1], bridge(row), sides[3]];
    }
    sides
}

/// As [`usage`]; none for a block outside the town.
pub(super) fn usage_at(column: i32, row: i32) -> Option<Use> {
    let within = |n: i32| usize::try_from(n).ok().filter(|&n| n < CELLS);
    Some(usage(within(column)?, within(row)?))
}

/// What stands on the block.
pub(super) fn usage(column: usize, row: usize) -> Use {
    let number = |n: usize| i32::try_from(n).unwrap_or(0);
    let [a, _, c, _] = quad(number(column), number(row));
    let middle = (a + c) / 2.0;
    let away = (middle.x * middle.x + middle.z * middle.z).sqrt();
    if column == RIVER {
        return Use::Water;
    }
    match (column, row) {
        MARKET => Use::Market,
        CHURCH => Use::Church,
        (3 | 4, 3 | 4) | (12, 9) => Use::Park,
        _ if away > 555.0 => Use::Land,
        _ if away > 470.0 => Use::Villa,
        _ if away < 165.0 => Use::Old,
        _ if column > RIVER || (row > 9 && column > 4) => Use::Court,
        _ => Use::Terrace,
    }
}

/// Height of the land outside the town: flat along the river, hills beyond.
pub(super) fn land(at: DVec3) -> f64 {
    let away = (at.x * at.x + at.z * at.z).sqrt();
    let river = (at.x - corner(RIVER_LINE, 7).x - 20.0).abs();
    let rise = ((away - 620.0) / 1500.0).clamp(0.0, 1.0);
    let clear = ((river - 90.0) / 260.0).clamp(0.0, 1.0);
    let wave = |way: f64, phase: f64| 0.5 + 0.5 * Turn::of(way + phase).sin_cos().0;
    let hills = 0.5 * wave(at.x / 1300.0 + at.z / 2100.0, 0.1)
        + 0.3 * wave(at.z / 900.0 - at.x / 1700.0, 0.45)
        + 0.2 * wave(at.x / 430.0 + at.z / 370.0, 0.8);
    -0.06 + 190.0 * rise * rise * (3.0 - 2.0 * rise) * clear * hills
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_within_their_streets() {
        for column in 0..CELLS {
            for row in 0..CELLS {
                let outer = quad(i32::try_from(column).unwrap(), i32::try_from(row).unwrap());
                let inner = inset(&outer, streets(column, row));
                for k in 0..4 {
                    let (a, b) = (inner[k], inner[(k + 1) % 4]);
                    let (way, far) = (outer[(k + 1) % 4] - outer[k], b - a);
                    assert!(way.dot(far) > 0.0, "block {column}, {row} turned over at edge {k}");
                    // Parallel to the edge, and inside of it by the street's half width.
                    let normal = DVec3::new(way.z, 0.0, -way.x).normalize();
                    let within = (a - outer[k]).dot(normal);
                    let due = streets(column, row)[k];
                    assert!(
                        (within - due).abs() < 1e-6,
                        "block {column}, {row}, edge {k}: {within} for {due}"
                    );
                }
            }
        }
    }

    #[test]
    fn the_town_is_flat_and_its_hills_are_not() {
        assert!(land(DVec3::new(300.0, 0.0, 200.0)).abs() < 0.1);
        let highest = (0..400).map(|i| land(DVec3::new(-2600.0, 0.0, f64::from(i) * 12.0 - 2400.0)));
        assert!(highest.fold(0.0, f64::max) > 90.0);
    }
}
