//! Random numbers that are the same on every platform. In: a seed. Out: whole numbers and shuffles.
//!
//! SplitMix64: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, 453-472. Numbers below
//! a bound by Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019), 3:1-3:12, without its bias.

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`, each as likely; 0 where the bound is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        let mut wide = u128::from(self.next()) * u128::from(bound);
        // The low half tells the draws that would make some numbers likelier than others.
        let threshold = bound.wrapping_neg().checked_rem(bound).unwrap_or(0);
        while low_half(wide) < threshold {
            wide = u128::from(self.next()) * u128::from(bound);
        }
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// A number with mean 0 and deviation 1, for tests that need known truth: Box and Muller.
    #[cfg(test)]
    pub(crate) fn normal(&mut self) -> f64 {
        let mut unit = || (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let (a, b) = (1.0 - unit(), unit());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// Every order as likely (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
const fn low_half(wide: u128) -> u64 {
    wide as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // The first outputs of the reference implementation for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let first = [random.next(), random.next(), random.next()];
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn every_order_of_three_is_as_likely() {
        let mut random = Random::new(1);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        // Six standard deviations around 1000.
        assert!(seen.values().all(|times| (830..1170).contains(times)), "{seen:?}");
    }
}
