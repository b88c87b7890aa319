//! Units as types: a bare number goes in with its unit in hand, one text per unit comes out.

use std::fmt;
use std::ops::{Add, Neg, Sub};
use std::str::FromStr;

/// A raw reading of a clock, or a number of its ticks. Only [`crate::Period`] turns ticks into time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ticks(pub u64);

/// A signed stretch of time in nanoseconds. Whole numbers are exact below 2^53 ns, about 104 days.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Nanos(pub f64);

/// An amount of memory or of traffic in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// How many of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Count(pub u64);

/// A number without a dimension: one quantity over another of the same kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Ratio(pub f64);

/// The unit of a metric whose values travel as bare `f64`s: in a file's column, in a statistic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Nanoseconds; shown in the scale that fits.
    Nanos,
    /// Bytes; shown in binary multiples.
    Bytes,
    /// A plain number of things.
    Count,
    /// A quotient of like things.
    Ratio,
}

impl Unit {
    /// Every unit, for readers and documentation.
    pub const ALL: [Self; 4] = [Self::Nanos, Self::Bytes, Self::Count, Self::Ratio];

    /// The unit's name in files: `ns`, `bytes`, `count`, `ratio`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Nanos => "ns",
            Self::Bytes => "bytes",
            Self::Count => "count",
            Self::Ratio => "ratio",
        }
    }

    /// The unit of that name in a file.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// `value` as a person reads it: `9.821 ms`, `1.5 MiB`, `137730`, `0.97`. Statistics of counts may be fractional.
    #[must_use]
    pub fn show(self, value: f64) -> String {
        match self {
            Self::Nanos => Nanos(value).to_string(),
            Self::Bytes => show_bytes(value),
            Self::Count => show_plain(value),
            Self::Ratio => Ratio(value).to_string(),
        }
    }
}

impl Add for Nanos {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Nanos {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Nanos {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// `value` with four significant digits, no more than `max` of them behind the point.
fn significant(value: f64, max: usize) -> String {
    let magnitude = value.abs();
    let decimals = match magnitude {
        m if m >= 1000.0 => 0,
        m if m >= 100.0 => 1,
        m if m >= 10.0 => 2,
        _ => 3,
    };
    format!("{value:.*}", decimals.min(max))
}

impl fmt::Display for Ticks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{} {}", self.0, if self.0 == 1 { "tick" } else { "ticks" }))
    }
}

impl fmt::Display for Nanos {
    /// Four significant digits in ns, us, ms or s: `850 ns`, `48.62 us`, `9.821 ms`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scale, name, decimals) = match self.0.abs() {
            // The borders sit where rounding to four digits would reach the next scale.
            m if m < 999.95 => (1.0, "ns", 1),
            m if m < 999.95e3 => (1e3, "us", 3),
            m if m < 999.95e6 => (1e6, "ms", 3),
            _ => (1e9, "s", 3),
        };
        let scaled = self.0 / scale;
        let text = if name == "ns" && scaled.fract() == 0.0 {
            format!("{scaled:.0}")
        } else {
            significant(scaled, decimals)
        };
        f.pad(&format!("{text} {name}"))
    }
}

fn show_bytes(value: f64) -> String {
    const SCALES: [(&str, f64); 4] =
        [("TiB", 1_099_511_627_776.0), ("GiB", 1_073_741_824.0), ("MiB", 1_048_576.0), ("KiB", 1024.0)];
    match SCALES.iter().find(|(_, scale)| value.abs() >= *scale) {
        Some((name, scale)) => format!("{} {name}", significant(value / scale, 2)),
        None => format!("{} B", show_plain(value)),
    }
}

fn show_plain(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { significant(value, 3) }
}

impl fmt::Display for Bytes {
    #[expect(clippy::cast_precision_loss, reason = "a text of four digits")]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&show_bytes(self.0 as f64))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&significant(self.0, 3))
    }
}

/// A text that should have been a number with a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseUnitError {
    text: String,
    allowed: &'static str,
}

impl fmt::Display for ParseUnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not {}", self.text.escape_debug(), self.allowed)
    }
}

impl std::error::Error for ParseUnitError {}

impl FromStr for Nanos {
    type Err = ParseUnitError;

    /// Reads `6 ms`, `20us`, `-1.5 s`; a number without a unit is refused, since it could be any of them.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fault = || ParseUnitError {
            text: text.chars().take(80).collect(),
            allowed: "a time: write a number and one of ns, us, ms, s, such as `6 ms`",
        };
        let trimmed = text.trim();
        // "µ" has two code points in use; both are read, neither is written.
        let split = trimmed.find(|c: char| c.is_alphabetic() && c != 'e' && c != 'E').ok_or_else(fault)?;
        let (number, unit) = trimmed.split_at(split);
        let scale = match unit {
            "ns" => 1.0,
            "us" | "\u{b5}s" | "\u{3bc}s" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            _ => return Err(fault()),
        };
        let value: f64 = number.trim().parse().map_err(|_| fault())?;
        if value.is_finite() { Ok(Self(value * scale)) } else { Err(fault()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_four_digits_in_the_scale_that_fits() {
        let shown = |ns: f64| Nanos(ns).to_string();
        assert_eq!(shown(0.0), "0 ns");
        assert_eq!(shown(32.0), "32 ns");
        assert_eq!(shown(52.083), "52.1 ns");
        assert_eq!(shown(999.96), "1.000 us");
        assert_eq!(shown(48_620.0), "48.62 us");
        assert_eq!(shown(9_821_000.0), "9.821 ms");
        assert_eq!(shown(-10_000.0), "-10.00 us");
        assert_eq!(shown(2.5e9), "2.500 s");
    }

    #[test]
    fn times_are_read_only_with_a_unit() {
        assert_eq!("6 ms".parse(), Ok(Nanos(6e6)));
        assert_eq!("20us".parse(), Ok(Nanos(20e3)));
        assert!("\u{b5}s".parse::<Nanos>().is_err(), "a unit alone is no time");
        assert_eq!("1.5e3 \u{3bc}s".parse(), Ok(Nanos(1.5e6)));
        let fault = "6000".parse::<Nanos>().unwrap_err().to_string();
        assert_eq!(fault, "`6000` is not a time: write a number and one of ns, us, ms, s, such as `6 ms`");
        assert!("inf s".parse::<Nanos>().is_err(), "endless is no time");
        assert!("6 minutes".parse::<Nanos>().is_err(), "an unknown unit is refused, not guessed");
    }

    #[test]
    fn bytes_and_counts_show() {
        assert_eq!(Bytes(58_982_400).to_string(), "56.25 MiB");
        assert_eq!(Bytes(12).to_string(), "12 B");
        assert_eq!(Count(137_730).to_string(), "137730");
        assert_eq!(Ratio(1.0512).to_string(), "1.051");
        assert_eq!(Unit::Count.show(1.5), "1.500");
        assert_eq!([0, 1, 2].map(|ticks| Ticks(ticks).to_string()), ["0 ticks", "1 tick", "2 ticks"]);
    }
}
