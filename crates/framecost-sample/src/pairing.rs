//! Which capture a capture was measured together with. In: facts of its environment. Out: the pair and its side, or why the
//! facts say none.

use crate::Environment;

/// The fact that both captures of a pair share and no others: `IDENTITY/REPEAT`.
const PAIR: &str = "pair";
/// The fact that says which of the two a capture is: `a` or `b`.
const SIDE: &str = "side";
/// The fact that says whether its scene was loaded first and drew first in frame 0: `first` or `second`.
const SLOT: &str = "slot";

/// The place of a capture among those that were measured in turns with another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pairing {
    /// What both captures of a pair have and no others.
    pub pair: String,
    /// Which of the two.
    pub side: Side,
    /// Whether it was loaded first and drew first in frame 0. Changes from repeat to repeat, so that coming first is no
    /// variant's advantage.
    pub first: bool,
}

/// One of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The variant that was named first: what the other is compared with.
    A,
    /// The other.
    B,
}

impl Side {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "a",
            Self::B => "b",
        }
    }
}

impl Pairing {
    /// The facts' names.
    pub const NAMES: [&'static str; 3] = [PAIR, SIDE, SLOT];

    /// The facts that say so, by name.
    #[must_use]
    pub fn facts(&self) -> [(&'static str, String); 3] {
        let slot = if self.first { "first" } else { "second" };
        [(PAIR, self.pair.clone()), (SIDE, self.side.name().into()), (SLOT, slot.into())]
    }

    /// The pairing of a run in that environment; none where its facts name none, or not all of it.
    #[must_use]
    pub fn of(environment: &Environment) -> Option<Self> {
        let find = |name| environment.fact(name);
        let side = match find(SIDE)? {
            "a" => Side::A,
            "b" => Side::B,
            _ => return None,
        };
        let first = match find(SLOT)? {
            "first" => true,
            "second" => false,
            _ => return None,
        };
        Some(Self { pair: find(PAIR)?.to_owned(), side, first })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fact, Reading};

    fn environment(facts: &[(&str, &str)]) -> Environment {
        let fact = |&(name, value): &(&str, &str)| Fact {
            name: name.into(),
            before: Reading::Measured(value.into()),
            after: Reading::Measured(value.into()),
        };
        Environment { facts: facts.iter().map(fact).collect() }
    }

    #[test]
    fn facts_say_the_pairing_and_back() {
        for (side, first) in [(Side::A, true), (Side::B, false)] {
            let pairing = Pairing { pair: "8f3c/2".into(), side, first };
            let facts = pairing.facts();
            let facts: Vec<(&str, &str)> =
                facts.iter().map(|(name, value)| (*name, value.as_str())).collect();
            assert_eq!(Pairing::of(&environment(&facts)), Some(pairing));
        }
    }

    #[test]
    fn half_a_pairing_is_none() {
        for facts in [
            &[][..],
            &[("pair", "8f3c/2")],
            &[("pair", "8f3c/2"), ("side", "c"), ("slot", "first")],
            &[("pair", "8f3c/2"), ("side", "a"), ("slot", "third")],
            &[("side", "a"), ("slot", "first")],
        ] {
            assert_eq!(Pairing::of(&environment(facts)), None, "{facts:?}");
        }
    }
}
