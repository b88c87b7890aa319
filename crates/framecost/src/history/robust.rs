//! Medians and what is built of them: levels, shifts, slopes. In: values in any order. Out: figures that a few wild values
//! do not move.

use super::scan::number;

/// The median; zero of no values, which no caller asks for.
pub(super) fn median_of(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    crate::stats::type7(&sorted, 0.5).unwrap_or(0.0)
}

/// The pieces between cuts as start and end.
pub(super) fn pieces(n: usize, cuts: &[usize]) -> Vec<(usize, usize)> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain(std::iter::once(n));
    starts.zip(ends).filter(|(start, end)| start < end).collect()
}

/// The probability that a value after is greater than one before, half of the equal pairs counted.
pub(super) fn above(before: &[f64], after: &[f64]) -> f64 {
    let mut won = 0.0;
    for a in after {
        for b in before {
            won += if a > b {
                1.0
            } else if a < b {
                0.0
            } else {
                0.5
            };
        }
    }
    won / number(before.len() * after.len()).max(1.0)
}

/// The interval of the shift from one group to another: the pairwise differences between those that Wilcoxon's rank-sum test
/// would not reject at 5 % (Hodges and Lehmann, Ann. Math. Statist. 34 (1963) 598-611). `inflation` is how many times the
/// variance of independent points the points have.
pub(super) fn shift_interval(before: &[f64], after: &[f64], inflation: f64) -> (f64, f64) {
    let mut differences: Vec<f64> = after.iter().flat_map(|a| before.iter().map(move |b| a - b)).collect();
    differences.sort_unstable_by(f64::total_cmp);
    let (m, n) = (number(before.len()), number(after.len()));
    let deviation = (m * n * (m + n + 1.0) / 12.0 * inflation).sqrt();
    between(&differences, 1.96 * deviation)
}

/// The values that lie `half` places to either side of the middle, or the ends.
pub(super) fn between(sorted: &[f64], half: f64) -> (f64, f64) {
    let last = sorted.len().saturating_sub(1);
    let middle = number(sorted.len()) / 2.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to an index")]
    let place = |at: f64| at.clamp(0.0, number(last)) as usize;
    let of = |place: usize| sorted.get(place).copied().unwrap_or(0.0);
    (of(place((middle - half).floor())), of(place((middle + half).ceil() - 1.0)))
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    #[test]
    fn separation_counts_pairs() {
        assert_eq!(above(&[1.0, 2.0], &[3.0, 4.0]), 1.0);
        assert_eq!(above(&[1.0, 3.0], &[2.0, 3.0]), 0.625);
    }

    #[test]
    fn a_shift_lies_in_its_interval() {
        let before: Vec<f64> = (0..20).map(|i| f64::from(i % 7)).collect();
        let after: Vec<f64> = before.iter().map(|value| value + 10.0).collect();
        let (low, high) = shift_interval(&before, &after, 1.0);
        assert!(low < 10.0 && 10.0 < high && high - low < 4.0, "{low} to {high}");
        let (wide_low, wide_high) = shift_interval(&before, &after, 3.0);
        assert!(wide_low <= low && high <= wide_high);
    }

    #[test]
    fn few_points_give_the_ends() {
        assert_eq!(shift_interval(&[1.0], &[3.0], 1.0), (2.0, 2.0));
        assert_eq!(pieces(5, &[2]), [(0, 2), (2, 5)]);
    }
}
