//! Steps of a series. In: values in order. Out: where its level changes, found by splitting again and again, kept only where
//! the change is large enough to matter and to be seen.

use super::robust::{above, median_of, pieces};
use super::scan::{Found, LEAST, Shape, scan};

/// How often chance alone may show what counts as a step, before the gates: with them, less than 1 % of series without a step
/// show one (`docs/method.md` has the table).
pub(super) const STEP_LEVEL: f64 = 0.04;
/// The part of it that a single split has; the rest goes to stretches, so that a loss which was mended is found too.
const OF_SPLITS: f64 = 0.9;
/// What a p-value is times where neighbours resemble each other: how much they do is known from few points only.
const RESEMBLING: f64 = 3.0;
/// A step is at least so many times the median distance of its points from their level.
const RESIDUALS: f64 = 2.0;
/// A value after a step is beyond one before it with at least this probability.
const SEPARATION: f64 = 0.85;

/// A change of level.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cut {
    /// First place behind it.
    pub(super) at: usize,
    /// How often chance alone shows as much, the search and both shapes counted.
    pub(super) p: f64,
    /// How many neighbours the draws kept together.
    pub(super) block: usize,
}

/// What splitting found.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Search {
    /// How often chance alone shows as much as the whole series does; none of a series too short or of equal values.
    pub(super) root: Option<f64>,
    /// Changes of level by place, before any gate.
    pub(super) cuts: Vec<Cut>,
}

/// How large a step must be.
#[derive(Clone, Copy)]
pub(super) struct Gates<'a> {
    /// Whether the way from one level to another matters.
    pub(super) matters: &'a dyn Fn(f64, f64) -> bool,
}

/// Splits the values, then what lies on either side, as long as chance alone would seldom show as much.
pub(super) fn search(values: &[f64], draws: u32) -> Search {
    let mut found = Search::default();
    // A part is too short to show how much its neighbours resemble each other, so it takes over what the whole showed.
    let mut open = vec![(0, values.len(), None)];
    while let Some((start, end, block)) = open.pop() {
        let Some(next) = best(&values[start..end], draws, block) else { continue };
        if block.is_none() {
            found.root = Some(next.p);
        }
        if next.p <= STEP_LEVEL {
            let ends = pieces(end - start, &next.at);
            open.extend(ends.into_iter().map(|(from, to)| (start + from, start + to, Some(next.block))));
            let cut = |at: &usize| Cut { at: start + at, p: next.p, block: next.block };
            found.cuts.extend(next.at.iter().map(cut));
        }
    }
    found.cuts.sort_by_key(|cut| cut.at);
    found
}

/// The best split, or the best stretch where no split will do.
fn best(values: &[f64], draws: u32, block: Option<usize>) -> Option<Found> {
    let weighed = |found: Found, part: f64| {
        let times = if found.block > 1 { RESEMBLING } else { 1.0 };
        Found { p: (found.p * times / part).min(1.0), ..found }
    };
    let split = weighed(scan(values, Shape::Split, draws, block)?, OF_SPLITS);
    if split.p <= STEP_LEVEL {
        return Some(split);
    }
    let stretch = scan(values, Shape::Stretch, draws, block).map(|found| weighed(found, 1.0 - OF_SPLITS));
    Some(match stretch {
        Some(stretch) if stretch.p < split.p => stretch,
        _ => split,
    })
}

/// The cuts at or below `most`, moved to where the pieces beside them split best, those that do not pass left out: the
/// smallest first, after which its neighbours are looked at anew.
pub(super) fn keep(values: &[f64], search: &Search, most: f64, gates: &Gates<'_>) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = search.cuts.iter().filter(|cut| cut.p <= most).cloned().collect();
    loop {
        settle(values, &mut cuts);
        let failing = (0..cuts.len()).filter(|&i| !passes(values, &cuts, i, gates));
        let smallest = failing.min_by(|&a, &b| size(values, &cuts, a).total_cmp(&size(values, &cuts, b)));
        match smallest {
            Some(i) => drop(cuts.remove(i)),
            None => return cuts,
        }
    }
}

/// Moves each cut to where two levels describe the pieces beside it best, by the sum of distances from the levels. Ranks find
/// that there is a step; of two places that part the ranks as well, they prefer the one nearer to the middle.
fn settle(values: &[f64], cuts: &mut [Cut]) {
    for i in 0..cuts.len() {
        let (start, end) = around(values.len(), cuts, i);
        let within = &values[start..end];
        let off = |at: &usize| {
            let (before, after) = within.split_at(*at);
            distances(before) + distances(after)
        };
        let places = LEAST..(within.len() + 1).saturating_sub(LEAST);
        let best = places.min_by(|a, b| off(a).total_cmp(&off(b)));
        cuts[i].at = best.map_or(cuts[i].at, |best| start + best);
    }
}

/// The sum of distances from the median.
fn distances(values: &[f64]) -> f64 {
    let middle = median_of(values);
    values.iter().map(|value| (value - middle).abs()).sum()
}

/// Where the pieces beside a cut begin and end.
fn around(n: usize, cuts: &[Cut], i: usize) -> (usize, usize) {
    let start = i.checked_sub(1).and_then(|before| cuts.get(before)).map_or(0, |cut| cut.at);
    (start, cuts.get(i + 1).map_or(n, |cut| cut.at))
}

/// The values of the pieces before and after a cut.
pub(super) fn sides<'a>(values: &'a [f64], cuts: &[Cut], i: usize) -> (&'a [f64], &'a [f64]) {
    let (start, end) = around(values.len(), cuts, i);
    values[start..end].split_at(cuts[i].at - start)
}

fn size(values: &[f64], cuts: &[Cut], i: usize) -> f64 {
    let (before, after) = sides(values, cuts, i);
    (median_of(after) - median_of(before)).abs()
}

fn passes(values: &[f64], cuts: &[Cut], i: usize, gates: &Gates<'_>) -> bool {
    let (before, after) = sides(values, cuts, i);
    before.len() >= LEAST && after.len() >= LEAST && differs(before, after, gates)
}

/// Whether two groups differ by enough to matter and to be seen.
pub(super) fn differs(before: &[f64], after: &[f64], gates: &Gates<'_>) -> bool {
    let (from, to) = (median_of(before), median_of(after));
    let left: Vec<f64> = before
        .iter()
        .map(|value| (value - from).abs())
        .chain(after.iter().map(|value| (value - to).abs()))
        .collect();
    let separation = above(before, after);
    (gates.matters)(from, to)
        && (to - from).abs() >= RESIDUALS * median_of(&left)
        && separation.max(1.0 - separation) >= SEPARATION
}
