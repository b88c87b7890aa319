//! Which runs were measured together. In: the captures of new runs and of those that they are compared with. Out: pairs of
//! their places, or what is wrong with them.

use std::fmt;

use framecost_sample::{Capture, Pairing};

/// Why captures do not make pairs. Places count from 0 in the list that was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotPaired {
    /// A capture was not measured in turns with another.
    Alone {
        /// In which list.
        list: PairList,
        /// Where in it.
        place: usize,
    },
    /// A capture's partner is not in the other list.
    NoPartner {
        /// In which list.
        list: PairList,
        /// Where in it.
        place: usize,
        /// What the partner would share with it.
        pair: String,
    },
    /// A pair has two captures in one list.
    Twice {
        /// In which list.
        list: PairList,
        /// Where in it the second stands.
        place: usize,
        /// The pair.
        pair: String,
    },
    /// Both captures of a pair say that they are of the same variant, or of what came first the same.
    SameSide {
        /// Where the new run stands.
        place: usize,
        /// The pair.
        pair: String,
    },
}

/// One of the two lists that are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairList {
    /// The runs that are judged.
    Runs,
    /// The runs that they are compared with.
    Baseline,
}

impl fmt::Display for PairList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Runs => "run",
            Self::Baseline => "baseline run",
        })
    }
}

impl fmt::Display for NotPaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alone { list, place } => write!(
                f,
                "{list} {} was not measured in turns with another; framecost bench --interleave frames measures so",
                place + 1
            ),
            Self::NoPartner { list, place, pair } => {
                let pair = pair.escape_debug();
                write!(f, "{list} {} of pair `{pair}`: its partner is not among the others", place + 1)
            }
            Self::Twice { list, place, pair } => {
                let pair = pair.escape_debug();
                write!(f, "{list} {} of pair `{pair}`: the list has another of this pair", place + 1)
            }
            Self::SameSide { place, pair } => {
                let pair = pair.escape_debug();
                write!(
                    f,
                    "run {} of pair `{pair}` and its partner say that they are the same side",
                    place + 1
                )
            }
        }
    }
}

impl std::error::Error for NotPaired {}

/// For each run, in order, the place of the baseline's run that it was measured together with.
///
/// Every capture of both lists must have its partner in the other: what is left out of a comparison of pairs would be left
/// out silently. Either side of a pair may stand in either list.
///
/// # Errors
/// The first capture that has no partner there, or more than one.
pub fn pairs_of(runs: &[&Capture], baseline: &[&Capture]) -> Result<Vec<(usize, usize)>, NotPaired> {
    let these = pairings(runs, PairList::Runs)?;
    let those = pairings(baseline, PairList::Baseline)?;
    let mut found = Vec::with_capacity(these.len());
    for (place, this) in these.iter().enumerate() {
        let pair = || this.pair.clone();
        let Some(other) = those.iter().position(|that| that.pair == this.pair) else {
            return Err(NotPaired::NoPartner { list: PairList::Runs, place, pair: pair() });
        };
        if those[other].side == this.side || those[other].first == this.first {
            return Err(NotPaired::SameSide { place, pair: pair() });
        }
        found.push((place, other));
    }
    match those.iter().position(|that| these.iter().all(|this| this.pair != that.pair)) {
        Some(place) => {
            let pair = those[place].pair.clone();
            Err(NotPaired::NoPartner { list: PairList::Baseline, place, pair })
        }
        None => Ok(found),
    }
}

/// The pairing of each, no pair twice.
fn pairings(captures: &[&Capture], list: PairList) -> Result<Vec<Pairing>, NotPaired> {
    let mut found: Vec<Pairing> = Vec::with_capacity(captures.len());
    for (place, capture) in captures.iter().enumerate() {
        let pairing = Pairing::of(&capture.environment).ok_or(NotPaired::Alone { list, place })?;
        if found.iter().any(|other| other.pair == pairing.pair) {
            return Err(NotPaired::Twice { list, place, pair: pairing.pair });
        }
        found.push(pairing);
    }
    Ok(found)
}
