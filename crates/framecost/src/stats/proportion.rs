//! How often something happens, from how often it did. In: a count out of a total. Out: the interval that holds the true part.

/// The part with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proportion {
    /// How often it happened.
    pub count: u64,
    /// Of how many.
    pub total: u64,
    /// The interval's lower end: 2.5 % lie beyond it.
    pub low: f64,
    /// The interval's upper end, likewise.
    pub high: f64,
}

/// The part of the intervals beyond each end.
const SIDE: f64 = 0.025;

impl Proportion {
    /// The exact 95 % interval of Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the
    /// binomial", Biometrika 26 (1934) 404-413: the lower end is the part under which so many or more happen in 2.5 %, the
    /// upper end that under which so few or fewer do. It holds the true part at least as often as it says. Of nothing, all
    /// parts are possible; a count beyond the total is taken for the total.
    #[must_use]
    pub fn of(count: u64, total: u64) -> Self {
        let count = count.min(total);
        // With part p, the chance of `count` or more grows with p, and that of `count` or fewer falls.
        let low = if count == 0 { 0.0 } else { solve(|p| 1.0 - at_most(count - 1, total, p) < SIDE) };
        let high = if count == total { 1.0 } else { solve(|p| at_most(count, total, p) > SIDE) };
        Self { count, total, low, high }
    }

    /// The part; none of nothing.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of comparisons")]
    pub fn part(&self) -> Option<f64> {
        (self.total > 0).then(|| self.count as f64 / self.total as f64)
    }
}

/// The end of the parts from 0 upwards of which that holds.
fn solve(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The chance of at most `count` of `total`, each with chance `p` strictly between 0 and 1.
#[expect(clippy::cast_precision_loss, reason = "counts of comparisons")]
fn at_most(count: u64, total: u64, p: f64) -> f64 {
    let odds = p.ln() - (-p).ln_1p();
    // By logarithms, since the first term may be too small for a float while the sum is not.
    let mut term = total as f64 * (-p).ln_1p();
    let mut sum = term.exp();
    for k in 1..=count {
        term += ((total - k + 1) as f64).ln() - (k as f64).ln() + odds;
        sum += term.exp();
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(count: u64, total: u64, low: f64, high: f64) {
        let found = Proportion::of(count, total);
        let close = (found.low - low).abs() < 1e-4 && (found.high - high).abs() < 1e-4;
        assert!(close, "{count} of {total}: {} to {}, not {low} to {high}", found.low, found.high);
    }

    #[test]
    fn the_ends_are_those_of_closed_forms_and_tables() {
        // None of n: 1 - 0.025^(1/n); all of n: 0.025^(1/n).
        check(0, 300, 0.0, 1.0 - 0.025f64.powf(1.0 / 300.0));
        check(60, 60, 0.025f64.powf(1.0 / 60.0), 1.0);
        // Quantiles of the beta distribution, as R's binom.test(1, 10), binom.test(5, 10), binom.test(3, 300) print them.
        check(1, 10, 0.002_529, 0.445_016);
        check(5, 10, 0.187_086, 0.812_914);
        check(3, 300, 0.002_066, 0.028_946);
        check(0, 0, 0.0, 1.0);
        assert_eq!(Proportion::of(0, 0).part(), None);
    }

    proptest! {
        #[test]
        fn the_interval_holds_the_part_and_mirrors(total in 1u64..2000, share in 0.0f64..=1.0) {
            let count = (share * total as f64) as u64;
            let it = Proportion::of(count, total);
            let part = it.part().unwrap();
            prop_assert!(0.0 <= it.low && it.low <= part && part <= it.high && it.high <= 1.0, "{it:?}");
            let mirrored = Proportion::of(total - count, total);
            prop_assert!((mirrored.low - (1.0 - it.high)).abs() < 1e-9, "{it:?} {mirrored:?}");
        }
    }
}
