//! Clocks: how a counter's ticks relate to each other and to time. All arithmetic on ticks is modular and in integers.

use std::fmt;

use crate::{Nanos, Reading, Reason, Ticks};

/// Which of a capture's clocks: an index into its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClockId(pub u8);

/// A counter that stamps are read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Clock {
    /// What the counter is, such as `gpu` or `cpu monotonic`.
    pub name: String,
    /// Time per tick.
    pub period: Period,
    /// How many low bits of a reading count.
    pub valid_bits: ValidBits,
    /// The smallest step that the counter was seen to take; what lies below it is not resolved.
    pub step: Reading<Ticks>,
    /// How far two of its readings may be subtracted.
    pub sharing: Sharing,
}

/// Between which readings of one clock a difference means something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Only inside one submission: core Vulkan promises no more.
    WithinSubmission,
    /// Across submissions and queues of the device, by the promise that this text names.
    AcrossSubmissions {
        /// What was relied on, such as `VK_KHR_calibrated_timestamps enabled`.
        promise: String,
    },
}

/// Nanoseconds per tick as an exact fraction in lowest terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    numer: u64,
    denom: u64,
}

/// The number of low bits that a counter fills: 0 (it cannot stamp) or 36 to 64, as Vulkan allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ValidBits(u8);

/// A clock that cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum ClockError {
    /// A period that is zero, endless or out of range.
    Period(String),
    /// A width that no counter has.
    ValidBits(u64),
}

impl fmt::Display for ClockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Period(text) => {
                write!(f, "clock period {text} ns a tick is not a positive finite fraction")
            }
            Self::ValidBits(bits) => write!(f, "valid bits {bits} is neither 0 nor 36 to 64"),
        }
    }
}

impl std::error::Error for ClockError {}

impl Period {
    /// One nanosecond a tick.
    pub const NANOSECOND: Self = Self { numer: 1, denom: 1 };

    /// `numer / denom` nanoseconds a tick.
    ///
    /// # Errors
    /// Either part is zero.
    pub fn new(numer: u64, denom: u64) -> Result<Self, ClockError> {
        if numer == 0 || denom == 0 {
            return Err(ClockError::Period(format!("{numer}/{denom}")));
        }
        let divisor = gcd(numer, denom);
        Ok(Self { numer: numer / divisor, denom: denom / divisor })
    }

    /// The exact fraction that `ns` holds: graphics APIs hand the period over as a 32-bit float.
    ///
    /// # Errors
    /// `ns` is not positive and finite, or outside 2^-40 to 2^40.
    pub fn from_f32(ns: f32) -> Result<Self, ClockError> {
        let fault = || ClockError::Period(ns.to_string());
        if !ns.is_finite() || !(2f32.powi(-40)..=2f32.powi(40)).contains(&ns) {
            return Err(fault());
        }
        // A float is mantissa * 2^exponent; doubling an f64 copy until it is whole is exact.
        let (mut numer, mut denom) = (f64::from(ns), 1u64);
        while numer.fract() != 0.0 {
            numer *= 2.0;
            denom *= 2;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole, positive, below 2^53"
        )]
        Self::new(numer as u64, denom)
    }

    /// Numerator and denominator, in lowest terms.
    #[must_use]
    pub const fn fraction(self) -> (u64, u64) {
        (self.numer, self.denom)
    }

    /// The time that `ticks` take: the one place where ticks become time, after all subtraction is done.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the last step; Nanos states its precision")]
    pub fn nanos(self, ticks: Ticks) -> Nanos {
        Nanos((u128::from(ticks.0) * u128::from(self.numer)) as f64 / self.denom as f64)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl ValidBits {
    /// All 64 bits count.
    pub const ALL: Self = Self(64);

    /// A width of 0 or 36 to 64 bits.
    ///
    /// # Errors
    /// Any other width.
    pub fn new(bits: u64) -> Result<Self, ClockError> {
        match u8::try_from(bits) {
            Ok(narrow) if narrow == 0 || (36..=64).contains(&narrow) => Ok(Self(narrow)),
            _ => Err(ClockError::ValidBits(bits)),
        }
    }

    /// The width.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether the counter can stamp at all.
    #[must_use]
    pub const fn can_stamp(self) -> bool {
        self.0 != 0
    }

    /// Ones where bits count.
    #[must_use]
    pub const fn mask(self) -> u64 {
        match self.0 {
            0 => 0,
            bits => u64::MAX >> (64 - bits as u32),
        }
    }

    /// Half the counter's range: a step forward is less than this, or it is no step forward.
    #[must_use]
    pub const fn half_range(self) -> u64 {
        match self.0 {
            0 => 0,
            bits => 1 << (bits as u32 - 1),
        }
    }

    /// Ticks from `start` to `end`, a wrap between them included.
    ///
    /// # Errors
    /// [`Reason::Unsupported`] where the counter has no bits; [`Reason::Reversed`] where the way forward is half the
    /// range or more, which no pair of stamps can cover, so that `end` must lie before `start`.
    pub const fn elapsed(self, start: Ticks, end: Ticks) -> Result<Ticks, Reason> {
        if !self.can_stamp() {
            return Err(Reason::Unsupported);
        }
        let forward = end.0.wrapping_sub(start.0) & self.mask();
        if forward < self.half_range() { Ok(Ticks(forward)) } else { Err(Reason::Reversed) }
    }

    /// How far `to` lies from `from` in ticks, forward or back, whichever is shorter around the counter.
    #[must_use]
    pub const fn offset(self, from: Ticks, to: Ticks) -> i64 {
        let forward = to.0.wrapping_sub(from.0) & self.mask();
        if forward < self.half_range() {
            forward.cast_signed()
        } else {
            forward.wrapping_sub(self.mask()).wrapping_sub(1).cast_signed()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn f32_periods_become_exact_fractions() {
        assert_eq!(Period::from_f32(1.0), Ok(Period::NANOSECOND));
        assert_eq!(Period::from_f32(32.0).unwrap().fraction(), (32, 1));
        assert_eq!(Period::from_f32(0.5).unwrap().fraction(), (1, 2));
        let intel = Period::from_f32(52.083_332).unwrap();
        assert!((intel.nanos(Ticks(1)).0 - f64::from(52.083_332_f32)).abs() < 1e-12, "nothing is lost");
        for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-30] {
            assert!(Period::from_f32(bad).is_err(), "{bad} is no period");
        }
    }

    #[test]
    fn close_stamps_of_a_clock_that_counts_from_1970_keep_every_tick() {
        // Research item 1c.1: in f64, 100 ns apart at 1.75e18 reads 0 and 300 ns reads 256.
        let start = Ticks(1_750_000_000_000_000_000);
        for apart in [1, 100, 300, 1000] {
            let ticks = ValidBits::ALL.elapsed(start, Ticks(start.0 + apart)).unwrap();
            assert_eq!(ticks, Ticks(apart));
        }
    }

    #[test]
    fn only_widths_that_exist_are_accepted() {
        for bits in [0, 36, 48, 64] {
            assert_eq!(ValidBits::new(bits).map(ValidBits::bits).map(u64::from), Ok(bits));
        }
        let fault = ValidBits::new(32).unwrap_err().to_string();
        assert_eq!(fault, "valid bits 32 is neither 0 nor 36 to 64");
        assert!(ValidBits::new(65).is_err() && ValidBits::new(1 << 40).is_err(), "wider than a word");
    }

    proptest! {
        #[test]
        fn a_wrap_between_start_and_end_changes_nothing(bits in 36u64..=64, start: u64, apart: u64) {
            let width = ValidBits::new(bits).unwrap();
            let apart = apart & (width.half_range() - 1);
            // Bits above the width may hold anything: readers mask them.
            let end = Ticks(start.wrapping_add(apart));
            prop_assert_eq!(width.elapsed(Ticks(start), end), Ok(Ticks(apart)));
            prop_assert_eq!(width.elapsed(Ticks(start & width.mask()), Ticks(end.0 & width.mask())), Ok(Ticks(apart)));
            prop_assert_eq!(width.offset(Ticks(start), end), apart.cast_signed());
            prop_assert_eq!(width.offset(end, Ticks(start)), -apart.cast_signed());
        }

        #[test]
        fn an_end_before_its_start_is_reversed(bits in 36u64..=64, end: u64, back: u64) {
            let width = ValidBits::new(bits).unwrap();
            let back = (back & (width.half_range() - 1)).max(1);
            let start = Ticks(end.wrapping_add(back));
            prop_assert_eq!(width.elapsed(start, Ticks(end)), Err(Reason::Reversed));
        }
    }
}
