//! Where a series splits. In: values in order. Out: the split, or the stretch, whose ranks stand out most, and how often
//! chance alone would show as much.
//!
//! The statistic is the greatest standardised rank-sum over all splits with at least [`LEAST`] points on each side: Pettitt,
//! "A non-parametric approach to the change-point problem", Applied Statistics 28 (1979) 126-135, standardised at each split
//! as Wilcoxon's. A rank-sum of few points has shorter tails than the normal distribution, so its deviates are stretched by
//! the term of the fourth cumulant (Cornish and Fisher, Rev. Inst. Int. Stat. 5 (1938) 307-320), taken twice, which comes
//! nearest to the exact tails at five points; without it a loss at a series' end would be found late.
//!
//! Its p-value comes from orders of the very same values, so the search for the best split is in it: all orders where
//! neighbours are alike by chance alone, else orders of whole blocks of neighbours, cut at a random place. Draws end early by
//! Besag and Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991) 301-304, which keeps p exact.

use super::robust::{median_of, pieces};
use crate::stats::random::Random;

/// Fewest points on each side of a split.
pub(super) const LEAST: usize = 5;
/// Every test draws the same orders, so that the same series gives the same answer wherever it stands.
const SEED: u64 = 0x0f8a_3ec0;
/// Draws end when so many of them were as extreme as what was observed.
const ENOUGH: u32 = 10;
/// Blocks are at least so long where neighbours are alike: shorter ones let too much chance through.
const BLOCK: usize = 10;
/// Neighbours count as alike from this correlation on, less [`READ_LOW`] over the number of points: levels were taken away from
/// few points, so their residuals' correlations read low.
const ALIKE: f64 = 0.22;
const READ_LOW: f64 = 8.0;
/// A stretch that was chosen among thousands takes more of it away.
const OF_STRETCH: f64 = 0.05;

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One split: the level changes and stays.
    Split,
    /// Two splits: a stretch in the middle differs from what lies before and after it.
    Stretch,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    /// First places behind each split: one, or two of a stretch.
    pub(super) at: Vec<usize>,
    /// How often chance alone shows as much.
    pub(super) p: f64,
    /// How many neighbours were kept together in the draws; 1 for none.
    pub(super) block: usize,
}

/// The most striking split or stretch; none where there are too few points, or no two values differ.
///
/// `block` neighbours are kept together in the draws; none finds out how many.
pub(super) fn scan(values: &[f64], shape: Shape, draws: u32, block: Option<usize>) -> Option<Found> {
    let (ranks, ties) = ranks(values);
    let table = Table::new(values.len(), ties, shape)?;
    let (observed, at) = table.greatest(&prefix_sums(&ranks), shape);
    if at.is_empty() {
        return None;
    }
    let block = block.unwrap_or_else(|| block_length(values, &at));
    let mut orders = Orders::new(&ranks, block, SEED);
    // Rounding in sums of the same ranks must not make an equal order look less extreme.
    let least = observed - 1e-9;
    Some(Found { p: p_value(draws, || table.reaches(orders.next(), shape, least)), at, block })
}

/// The share of draws that are as extreme as the observation, which counts as one of them.
fn p_value(draws: u32, mut as_extreme: impl FnMut() -> bool) -> f64 {
    let mut met = 0;
    for draw in 1..=draws {
        met += u32::from(as_extreme());
        if met == ENOUGH {
            return f64::from(met) / f64::from(draw);
        }
    }
    f64::from(met + 1) / f64::from(draws + 1)
}

/// Each value's rank from 1, equal values sharing the middle of theirs, and what is left of the ranks' variance by ties.
pub(super) fn ranks(values: &[f64]) -> (Vec<f64>, f64) {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut lost = 0.0;
    let mut start = 0;
    while start < order.len() {
        let equal = |place: &usize| values[*place].total_cmp(&values[order[start]]).is_eq();
        let length = order[start..].iter().take_while(|place| equal(place)).count();
        for &place in &order[start..start + length] {
            ranks[place] = number(2 * start + length + 1) / 2.0;
        }
        lost += number(length).powi(3) - number(length);
        start += length;
    }
    let n = number(values.len());
    let all = n.powi(3) - n;
    (ranks, if all > 0.0 { 1.0 - lost / all } else { 0.0 })
}

/// A count as a number: series are far shorter than 2^52.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub(super) const fn number(count: usize) -> f64 {
    count as f64
}

/// `sums[k]` is the sum of the first `k`.
fn prefix_sums(ranks: &[f64]) -> Vec<f64> {
    let mut sums = Vec::with_capacity(ranks.len() + 1);
    sums.push(0.0);
    let mut sum = 0.0;
    for rank in ranks {
        sum += rank;
        sums.push(sum);
    }
    sums
}

/// Mean, scale and stretch of the rank-sum of so many points, by their number.
struct Table {
    n: usize,
    rows: Vec<(f64, f64, f64)>,
}

impl Table {
    /// None for series that hold no split or stretch, or no two different values.
    fn new(n: usize, ties: f64, shape: Shape) -> Option<Self> {
        let pieces = if shape == Shape::Split { 2 } else { 3 };
        (n >= pieces * LEAST && ties > 0.0)
            .then(|| Self { n, rows: (0..=n).map(|inside| row(number(inside), number(n), ties)).collect() })
    }

    fn standardise(&self, inside: usize, sum: f64) -> f64 {
        let (mean, scale, stretch) = self.rows[inside];
        let z = (sum - mean).abs() * scale;
        z + stretch * (z * z * z - 3.0 * z)
    }

    /// Whether any split or stretch reaches that statistic.
    fn reaches(&self, sums: &[f64], shape: Shape, least: f64) -> bool {
        let last = self.n - LEAST;
        match shape {
            Shape::Split => (LEAST..=last).any(|split| self.standardise(split, sums[split]) >= least),
            Shape::Stretch => (LEAST..=last - LEAST).any(|start| {
                let (from, ends) = (sums[start], sums[start + LEAST..=last].iter().zip(LEAST..));
                ends.into_iter().any(|(sum, inside)| self.standardise(inside, sum - from) >= least)
            }),
        }
    }

    /// The greatest statistic and where it lies.
    fn greatest(&self, sums: &[f64], shape: Shape) -> (f64, Vec<usize>) {
        let (mut best, mut at) = (0.0, [0, 0]);
        let last = self.n - LEAST;
        match shape {
            Shape::Split => {
                for (split, sum) in sums.iter().enumerate().take(last + 1).skip(LEAST) {
                    let z = self.standardise(split, *sum);
                    if z > best {
                        (best, at) = (z, [split, split]);
                    }
                }
            }
            Shape::Stretch => {
                for start in LEAST..=last - LEAST {
                    for end in start + LEAST..=last {
                        let z = self.standardise(end - start, sums[end] - sums[start]);
                        if z > best {
                            (best, at) = (z, [start, end]);
                        }
                    }
                }
            }
        }
        let mut at = if best > 0.0 { at.to_vec() } else { Vec::new() };
        at.dedup();
        (best, at)
    }
}

/// Mean, reciprocal standard deviation and twice the fourth cumulant's term of a rank-sum of `m` of `n`.
fn row(m: f64, n: f64, ties: f64) -> (f64, f64, f64) {
    let rest = n - m;
    let variance = m * rest * (n + 1.0) / 12.0 * ties;
    if variance <= 0.0 {
        return (0.0, 0.0, 0.0);
    }
    let excess = -1.2 * (m * m + rest * rest + m * rest + n) / (m * rest * (n + 1.0));
    (m * (n + 1.0) / 2.0, 1.0 / variance.sqrt(), -2.0 * excess / 24.0)
}

/// Random orders of ranks as prefix sums.
struct Orders<'a> {
    ranks: &'a [f64],
    block: usize,
    random: Random,
    order: Vec<f64>,
    blocks: Vec<usize>,
    sums: Vec<f64>,
}

impl<'a> Orders<'a> {
    fn new(ranks: &'a [f64], block: usize, seed: u64) -> Self {
        let blocks = (0..ranks.len().div_ceil(block.max(1))).collect();
        let random = Random::new(seed);
        Self { ranks, block, random, order: ranks.to_vec(), blocks, sums: vec![0.0; ranks.len() + 1] }
    }

    fn next(&mut self) -> &[f64] {
        if self.block <= 1 {
            self.random.shuffle(&mut self.order);
        } else {
            self.order_of_blocks();
        }
        let mut sum = 0.0;
        for (place, rank) in self.sums[1..].iter_mut().zip(&self.order) {
            sum += rank;
            *place = sum;
        }
        &self.sums
    }

    /// The series as a ring, cut at a random place into blocks, the blocks in random order. Blocks cut at the same places
    /// each time would leave a step that lies on a cut far too few other orders.
    fn order_of_blocks(&mut self) {
        let n = self.ranks.len();
        let offset = self.random.below(n);
        self.random.shuffle(&mut self.blocks);
        self.order.clear();
        for block in &self.blocks {
            let start = block * self.block;
            let end = (start + self.block).min(n);
            self.order.extend((start..end).map(|i| self.ranks[(i + offset) % n]));
        }
    }
}

/// What is left of each value after its piece's median.
fn residuals(values: &[f64], cuts: &[usize]) -> Vec<f64> {
    let mut left = Vec::with_capacity(values.len());
    for (start, end) in pieces(values.len(), cuts) {
        let middle = median_of(&values[start..end]);
        left.extend(values[start..end].iter().map(|value| value - middle));
    }
    left
}

/// Rank correlations of residuals with those `1..=most` places later.
pub(super) fn correlations(residuals: &[f64], most: usize) -> Vec<f64> {
    let (ranks, _) = ranks(residuals);
    let mean = number(residuals.len() + 1) / 2.0;
    let all: f64 = ranks.iter().map(|rank| (rank - mean).powi(2)).sum();
    if all <= 0.0 {
        return vec![0.0; most];
    }
    let with = |lag: usize| -> f64 {
        let later = ranks.get(lag..).unwrap_or_default();
        ranks.iter().zip(later).map(|(a, b)| (a - mean) * (b - mean)).sum()
    };
    (1..=most).map(|lag| with(lag) / all).collect()
}

/// From which correlation of neighbours on a series of so many residuals is not taken for independent.
pub(super) fn alike(n: usize) -> f64 {
    ALIKE - READ_LOW / number(n)
}

/// How many neighbours stay together in the draws: one where neighbours are alike by chance alone, else three times the first
/// lag at which the correlation falls below a tenth, at least [`BLOCK`], at most a tenth of the series.
///
/// A step that is left in the residuals would make neighbours alike, so each side of a split is split once more before; between
/// 100 points that resemble their neighbours by 0.5 and such that do not, this errs about once in fifty, either way.
fn block_length(values: &[f64], at: &[usize]) -> usize {
    let n = values.len();
    let (mut cuts, mut least) = (at.to_vec(), alike(n) - OF_STRETCH);
    if let [split] = *at {
        least = alike(n);
        for (start, end) in [(0, split), (split, n)] {
            cuts.extend(greatest_split(&values[start..end]).map(|further| start + further));
        }
        cuts.sort_unstable();
    }
    let correlations = correlations(&residuals(values, &cuts), (n / 5).max(1));
    if correlations[0] <= least {
        return 1;
    }
    let faded = correlations.iter().position(|rho| *rho < 0.1).map_or(correlations.len(), |at| at + 1);
    (3 * faded).max(BLOCK).min(n / 10).max(3)
}

/// Where the ranks of either side stand out most, whether or not by more than chance.
fn greatest_split(values: &[f64]) -> Option<usize> {
    let (ranks, ties) = ranks(values);
    let table = Table::new(values.len(), ties, Shape::Split)?;
    table.greatest(&prefix_sums(&ranks), Shape::Split).1.first().copied()
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    fn step(before: usize, after: usize) -> Vec<f64> {
        // Every value differs, and neighbours alternate: no two orders are alike.
        let noise = |i: usize| number((i * 37) % 101) / 101.0;
        (0..before + after).map(|i| noise(i) + if i < before { 0.0 } else { 10.0 }).collect()
    }

    #[test]
    fn ranks_share_the_middle_of_equal_values() {
        let (ranks, ties) = ranks(&[3.0, 1.0, 3.0, 2.0]);
        assert_eq!(ranks, [3.5, 1.0, 3.5, 2.0]);
        assert!((ties - 0.9).abs() < 1e-12, "a pair of four: 1 - 6 / 60, not {ties}");
    }

    #[test]
    fn a_step_is_found_where_it_is() {
        for (before, after) in [(20, 20), (5, 30), (95, 5)] {
            let found = scan(&step(before, after), Shape::Split, 999, None).unwrap();
            assert_eq!(found.at, [before]);
            assert!(found.p <= 0.005, "{before} and {after}: p {}", found.p);
        }
    }

    #[test]
    fn a_stretch_is_found_where_it_is() {
        let mut values = step(60, 0);
        values[25..35].iter_mut().for_each(|value| *value += 10.0);
        assert_eq!(scan(&values, Shape::Stretch, 999, None).unwrap().at, [25, 35]);
    }

    #[test]
    fn equal_values_and_short_series_hold_nothing() {
        assert_eq!(scan(&[5.0; 50], Shape::Split, 99, None), None);
        assert_eq!(scan(&step(5, 4), Shape::Split, 99, None), None);
        assert_eq!(scan(&[], Shape::Split, 99, None), None);
    }

    #[test]
    fn the_stretched_deviate_of_few_points_comes_near_the_exact_tail() {
        // Ten below the greatest rank-sum of 5 of 100: 113 of 75,287,520 choices reach it (the partitions of 0 to 10 into
        // at most 5 parts), which is the normal deviate 4.67. Without the stretch it reads 3.60.
        let table = Table::new(100, 1.0, Shape::Split).unwrap();
        let (mean, scale, _) = table.rows[5];
        assert!(((480.0 - mean) * scale - 3.60).abs() < 0.01);
        let stretched = table.standardise(5, 480.0);
        assert!((4.2..4.67).contains(&stretched), "{stretched}");
    }

    #[test]
    fn draws_that_end_early_give_the_share_that_they_met() {
        let mut count = 0;
        let p = p_value(999, || {
            count += 1;
            count % 4 == 0
        });
        assert_eq!((p, count), (0.25, 40));
        assert_eq!(p_value(999, || false), 0.001);
    }
}
