//! What a definition gives. Out: [`Figure`] with the frames behind it, or [`Withheld`] with the reason; [`Share`]s and [`Id`]s
//! as texts write them.

use std::fmt;

use super::Definition;

/// A part of a whole in thousandths of a percent, so that `1%` and `99.9%` are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Share(u32);

/// The whole, as a [`Share`] counts.
const WHOLE: u32 = 100_000;

impl Share {
    /// A share of so many thousandths of a percent; none where that is nothing or the whole.
    #[must_use]
    pub const fn of_thousandths(thousandths: u32) -> Option<Self> {
        if 0 < thousandths && thousandths < WHOLE { Some(Self(thousandths)) } else { None }
    }

    /// For the tables of this module, whose shares a test checks.
    pub(super) const fn fixed(thousandths: u32) -> Self {
        Self(thousandths)
    }

    /// As a number between 0 and 1.
    #[must_use]
    pub fn part(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }

    /// What it leaves of the whole.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(WHOLE - self.0)
    }

    /// Itself or what it leaves, whichever is less.
    #[must_use]
    pub const fn smaller(self) -> Self {
        if self.0 <= WHOLE / 2 { self } else { self.rest() }
    }

    /// That share of so many frames, whole ones.
    #[must_use]
    pub const fn of(self, frames: u64) -> u64 {
        (frames as u128 * self.0 as u128 / WHOLE as u128) as u64
    }

    /// How many frames it takes so that the smaller side holds so many.
    pub(super) const fn frames_for(self, tail: u64) -> u64 {
        (tail * WHOLE as u64).div_ceil(self.smaller().0 as u64)
    }

    /// The share of that text: as [`fmt::Display`] writes it, or with zeros behind the point's last digit, `1.0%`.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let number = text.strip_suffix('%')?;
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let leads = whole.len() > 1 && whole.starts_with('0');
        if !digits(whole) || !digits(part) || whole.len() > 2 || part.len() > 3 || leads {
            return None;
        }
        Self::of_thousandths(format!("{whole}{part:0<3}").parse().ok()?)
    }
}

impl fmt::Display for Share {
    /// `1%`, `0.1%`, `99.9%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0 / 1000, self.0 % 1000);
        let part = format!(".{part:03}");
        f.pad(&format!("{whole}{}%", part.trim_end_matches('0').trim_end_matches('.')))
    }
}

/// A definition, with its share where it takes one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Id {
    /// The definition.
    pub definition: &'static Definition,
    /// The share of frames or of time that it is about.
    pub share: Option<Share>,
}

impl fmt::Display for Id {
    /// As budgets name it: `avg.harmonic`, `low.pct.r7.time@1%`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.share {
            Some(share) => f.pad(&format!("{}@{share}", self.definition.id)),
            None => f.pad(self.definition.id),
        }
    }
}

/// A value by a definition; always finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// In the definition's unit.
    pub value: f64,
    /// Frames that decide it: those of the tail, or all.
    pub behind: u64,
    /// Frames, or steps between frames, of which those are a part.
    pub of: u64,
}

impl Figure {
    pub(super) const fn of(value: f64, behind: u64, of: u64) -> Self {
        Self { value, behind, of }
    }

    pub(super) const fn whole(value: f64, frames: u64) -> Self {
        Self::of(value, frames, frames)
    }
}

/// Why a definition gives no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Withheld {
    /// Too few frames stand behind it.
    TooFew {
        /// Frames that it takes.
        need: u64,
        /// Frames that there are.
        have: u64,
    },
    /// It depends on single frames, and the log lacks some.
    Sampled,
    /// The log does not hold what it is computed of.
    NotRecorded(&'static str),
    /// The tail, or what else it is computed of, holds no frame.
    NoFrame,
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { need: 1, have } => write!(f, "needs 1 frame, has {have}"),
            Self::TooFew { need, have } => write!(f, "needs {need} frames, has {have}"),
            Self::Sampled => f.write_str(
                "the log is sampled: it lacks frames, and what depends on single frames with them",
            ),
            Self::NotRecorded(what) => write!(f, "the log has no {what}"),
            Self::NoFrame => f.write_str("no frame lies in what it is computed of"),
        }
    }
}

/// A text that names no definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownId {
    pub(super) text: String,
    pub(super) allowed: String,
}

impl fmt::Display for UnknownId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` names no definition: {}", self.text.escape_debug(), self.allowed)
    }
}

impl std::error::Error for UnknownId {}
