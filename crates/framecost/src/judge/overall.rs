//! What the judgements of one call come to together: one outcome, how many there are of each, and what of the configuration
//! applied to none of them. In: judgements under one configuration. Out: [`Overall`].

use std::ops::Add;

use super::{Against, BudgetKind, Census, Judgement, Outcome, Part, Tally, Verdict};

/// The judgements of one call, taken together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overall {
    /// What all rows of all judgements come to, with sets that were not compared and what is absent.
    pub outcome: Outcome,
    /// What the rows alone come to.
    pub of_rows: Outcome,
    /// All rows, counted as whoever asked wants it.
    pub tally: Tally,
    /// Captures that were judged.
    pub captures: u64,
    /// Sets of captures: those of one key are judged together.
    pub sets: u64,
    /// Differences between variants that were judged beside the sets, and are counted like one below.
    pub differences: u64,
    /// Sets with a figure past its limit.
    pub regressed: u64,
    /// Sets that pass.
    pub passed: u64,
    /// Sets in which something expected is missing, refused or undecided.
    pub not_measured: u64,
    /// Those of them that are merely undecided: all was measured, and the data cannot tell.
    pub undecided: u64,
    /// Sets with neither a baseline nor a budget to be held against.
    pub without_baseline: u64,
    /// Sets without a baseline beside some that have one, those held against budgets alone included.
    pub not_compared: u64,
    /// Whether such sets were let pass by whoever asked.
    pub without_baseline_passes: bool,
    /// What became of every figure, and what is absent; none where nobody counted.
    pub census: Option<Census>,
    /// Budgets and ceilings that bind none of the captures.
    pub unbound: Vec<Unbound>,
    /// Notes that hold for every set.
    pub notes: Vec<String>,
    /// What the rule that decided cannot promise; none where it decided nothing.
    pub error_rate: Option<&'static str>,
}

/// A budget or ceiling that binds none of the captures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbound {
    /// Its name.
    pub name: String,
    /// Which of the two.
    pub kind: BudgetKind,
    /// What of it no capture has: of those captures that have most of it.
    pub part: Part,
    /// What it names.
    pub wanted: String,
    /// What those captures have instead.
    pub given: Vec<String>,
}

impl Overall {
    /// Takes judgements together. Sets without a baseline beside one that has one keep the whole from passing: somebody would
    /// take it for a pass of all. That not a single comparison was made in all sets is never a pass. `tally` says how a
    /// judgement's rows are counted.
    #[must_use]
    pub fn of(sets: &[&Judgement], differences: &[&Judgement], tally: impl Fn(&Judgement) -> Tally) -> Self {
        let judgements = [sets, differences].concat();
        let tallies: Vec<Tally> = judgements.iter().map(|judgement| tally(judgement)).collect();
        let count =
            |wanted: Option<Outcome>| tallies.iter().filter(|tally| set(tally) == wanted).count() as u64;
        let decided = judgements.iter().find(|judgement| judgement.rule_decided());
        let bare = sets.iter().filter(|it| it.runs.1 == 0 && it.unread.is_none()).count();
        let tally = tallies.iter().copied().fold(Tally::default(), Tally::add);
        let undecided = tallies.iter().filter(|tally| tally.is_merely_undecided()).count() as u64;
        let of_rows = tally.outcome();
        let overall = Self {
            outcome: of_rows,
            of_rows,
            tally,
            captures: sets.iter().map(|judgement| judgement.runs.0).sum(),
            sets: sets.len() as u64,
            differences: differences.len() as u64,
            regressed: count(Some(Outcome::Regressed)),
            passed: count(Some(Outcome::Passed)),
            not_measured: count(Some(Outcome::NotMeasured)),
            undecided,
            without_baseline: count(None),
            not_compared: if bare < sets.len() { bare as u64 } else { 0 },
            without_baseline_passes: false,
            census: None,
            unbound: unbound(&judgements),
            notes: common_notes(sets),
            error_rate: decided.map(|judgement| judgement.error_rate),
        };
        overall.settled()
    }

    /// The same with sets without a baseline let pass, as somebody asked for. Nothing compared at all still does not pass.
    #[must_use]
    pub fn letting_no_baseline_pass(mut self) -> Self {
        self.without_baseline_passes = true;
        self.settled()
    }

    /// The same with a census: what is absent in it keeps the whole from passing.
    #[must_use]
    pub fn counted(mut self, census: Census) -> Self {
        self.census = Some(census);
        self.settled()
    }

    /// Whether some of what was given passes and the rest has no baseline.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.of_rows == Outcome::Passed && self.not_compared > 0
    }

    /// Whether all that was expected was measured, and some of it the data cannot tell.
    #[must_use]
    pub fn is_merely_undecided(&self) -> bool {
        self.outcome == Outcome::NotMeasured && self.tally.is_merely_undecided() && !self.lacks_something()
    }

    /// Whether something is absent, or a set was not compared that whoever asked does not let pass.
    fn lacks_something(&self) -> bool {
        let absent = self.census.as_ref().is_some_and(|census| !census.absent.is_empty());
        absent || (self.not_compared > 0 && !self.without_baseline_passes)
    }

    fn settled(mut self) -> Self {
        self.outcome = if self.of_rows == Outcome::Passed && self.lacks_something() {
            Outcome::NotMeasured
        } else {
            self.of_rows
        };
        self
    }
}

/// What one set comes to; none where there was nothing to hold it against.
const fn set(tally: &Tally) -> Option<Outcome> {
    let left_out =
        tally.skipped > 0 && tally.compared() + tally.missing + tally.refused + tally.undecided == 0;
    if left_out { None } else { Some(tally.outcome()) }
}

/// The budgets and ceilings that bind none of the runs judged, in the configuration's order.
#[must_use]
pub fn unbound(judgements: &[&Judgement]) -> Vec<Unbound> {
    let mut found: Vec<(&str, Option<Unbound>)> = Vec::new();
    for (name, new) in judgements.iter().flat_map(|judgement| budgets(judgement)) {
        // The same configuration judged them all, and each of its budgets has a name of its own.
        match found.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = known.take().zip(new).map(|(known, new)| known.and(new)),
            None => found.push((name, new)),
        }
    }
    found.into_iter().filter_map(|(_, unbound)| unbound).collect()
}

/// Each budget and ceiling by name, where it does not bind the runs of this judgement.
fn budgets(judgement: &Judgement) -> impl Iterator<Item = (&str, Option<Unbound>)> {
    judgement.rows.iter().filter_map(|row| match &row.against {
        Against::Baseline(_) => None,
        Against::Budget { name, kind, apart, .. } => Some((
            name.as_str(),
            apart.as_ref().map(|apart| Unbound {
                name: name.clone(),
                kind: *kind,
                part: apart.part.clone(),
                wanted: apart.wanted.clone(),
                given: vec![apart.given.clone()],
            }),
        )),
    })
}

impl Unbound {
    /// The same budget over further runs: those that met more of it say what it lacks.
    fn and(mut self, other: Self) -> Self {
        if other.part > self.part {
            return other;
        }
        if other.part == self.part {
            for given in other.given {
                if !self.given.contains(&given) {
                    self.given.push(given);
                }
            }
        }
        self
    }
}

fn common_notes(judgements: &[&Judgement]) -> Vec<String> {
    let Some((first, others)) = judgements.split_first() else { return Vec::new() };
    let in_all = |note: &&String| others.iter().all(|other| other.notes.contains(note));
    first.notes.iter().filter(in_all).cloned().collect()
}

impl Judgement {
    /// Whether the rule decided anything; budgets are absolute and need none.
    #[must_use]
    pub fn rule_decided(&self) -> bool {
        self.rows.iter().any(|row| {
            let decided =
                matches!(row.verdict, Verdict::Pass | Verdict::Improved | Verdict::Warn | Verdict::Fail);
            decided && matches!(row.against, Against::Baseline(_))
        })
    }
}
