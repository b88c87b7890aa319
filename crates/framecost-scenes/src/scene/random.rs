//! Seeded random numbers. In: a seed. Out: the same values on every machine, since only integer operations and exact conversions take part.

/// SplitMix64 (Steele, Lea, Flood 2014): one 64-bit state, equidistributed, no rejected seeds.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) const fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) const fn half_word(&mut self) -> u32 {
        (self.word() >> 32) as u32
    }

    /// In [0, 1), of 53 bits.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double exactly")]
    pub(crate) const fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// In [low, high).
    pub(crate) const fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// About zero, roughly bell-shaped, never beyond `spread`: belts thin out towards their rims.
    pub(crate) const fn bell(&mut self, spread: f64) -> f64 {
        (self.unit() + self.unit() + self.unit() - 1.5) / 1.5 * spread
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_the_paper() {
        let mut random = Random::new(1_234_567);
        let first: [u64; 3] = std::array::from_fn(|_| random.word());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
