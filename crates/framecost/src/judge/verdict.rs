//! What a judgement says: one row per comparison made or refused, and the outcome that they come to.

use std::ops::Add;

use framecost_sample::{Better, Unit};

use super::{Across, BudgetKind, Difference, Evidence, Measure, Rule};
use crate::stats::{FigureId, Subject};

/// The verdicts on a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The rule that compared with the baseline.
    pub rule: Rule,
    /// What the rule cannot promise, in one sentence.
    pub error_rate: &'static str,
    /// One row per figure compared with the baseline, then one per budget and ceiling.
    pub rows: Vec<Row>,
    /// How many runs were judged, and how many stood as the baseline.
    pub runs: (u64, u64),
    /// How many frames entered: those that every run measured. Of the run and of the baseline alone.
    pub frames: FrameCounts,
    /// Whether all of them are logs of other tools, which only more logs make surer.
    pub logs: bool,
    /// Why the stored baseline of these runs could not be read; see [`Judgement::with_unread_baseline`].
    pub unread: Option<String>,
    /// Hard differences that made every comparison with the baseline a refusal; none where they are alike.
    pub refused: Vec<Difference>,
    /// Hard differences that the caller declared and that were therefore crossed.
    pub declared: Vec<Difference>,
    /// What the caller allowed to differ.
    pub across: Across,
    /// Facts of the environment that differ: shown, not judged.
    pub environment: Vec<Difference>,
    /// What a reader must know beside the rows, such as limits that no figure answers to.
    pub notes: Vec<String>,
}

/// Frames behind the comparisons with the baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameCounts {
    /// Frames that the run measured.
    pub run: u64,
    /// Frames that the baseline measured.
    pub baseline: u64,
    /// Frames that both measured: the same index is the same work, so only these are compared.
    pub common: u64,
    /// Frames of logs are counted, not named: each log is taken whole, and what is common is merely the fewer.
    pub of_logs: bool,
}

/// One comparison, made or refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What the figure was held against.
    pub against: Against,
    /// The figure.
    pub figure: FigureId,
    /// Its unit; none where no capture at hand has the figure.
    pub unit: Option<Unit>,
    /// Which way it improves; none where no capture at hand has the figure.
    pub better: Option<Better>,
    /// What of it is compared.
    pub statistic: Measure,
    /// The run's value; none where the verdict says why. Of several runs the median over them, under the rule of runs the mean
    /// that [`Evidence::sides`] describes.
    pub current: Option<f64>,
    /// The baseline's value, likewise; none where there is none.
    pub baseline: Option<f64>,
    /// `current / baseline`; none where either is absent or the baseline is not above zero.
    pub ratio: Option<f64>,
    /// How many of the run's values stand behind `current`: of several runs, the fewest.
    pub n: u64,
    /// What the rule of runs knows of it; none under another rule, of budgets, and where nothing was compared.
    pub evidence: Option<Evidence>,
    /// What was found.
    pub verdict: Verdict,
    /// On which few frames of a log it rests, and what it is without them; none where it does not. A row without a value rests on
    /// nothing.
    pub rests_on: Option<String>,
}

impl Row {
    /// The figure with what of it is compared: `attributed/lit median`. Of one value there is nothing but that value.
    #[must_use]
    pub fn title(&self) -> String {
        match self.figure.subject {
            Subject::Run => self.figure.to_string(),
            _ => format!("{} {}", self.figure, self.statistic),
        }
    }
}

/// What a figure was held against.
#[derive(Clone, Debug, PartialEq)]
pub enum Against {
    /// The baseline, under these limits.
    Baseline(super::Limits),
    /// A budget or ceiling.
    Budget {
        /// Its name.
        name: String,
        /// Which of the two.
        kind: BudgetKind,
        /// Its limit in the figure's unit; none where the limit's unit is not the figure's.
        limit: Option<f64>,
        /// In what the run is not one that it binds; none where it binds the run.
        apart: Option<super::Mismatch>,
    },
}

/// What a comparison found. The texts say why, and hold names as captures give them.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Inside the limits.
    Pass,
    /// Better by what would have failed as a loss.
    Improved,
    /// Past the warning limit.
    Warn,
    /// Past the limit.
    Fail,
    /// A figure that has no better direction, shown for what it says about the work.
    Shown,
    /// The data cannot tell.
    Undecided(String),
    /// There is nothing to compare with, and nothing was expected.
    Skipped(String),
    /// A comparison that would mean nothing.
    Refused(String),
    /// Something expected is absent or was not measured.
    Missing(String),
}

/// What a judgement comes to: the command line's exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// At least one comparison was made; none failed; nothing expected was absent.
    Passed,
    /// A figure is past its limit.
    Regressed,
    /// Something expected is missing, refused or undecided, or nothing was compared at all.
    NotMeasured,
}

/// How many rows have each kind of verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// [`Verdict::Pass`].
    pub passed: u64,
    /// [`Verdict::Improved`].
    pub improved: u64,
    /// [`Verdict::Warn`].
    pub warned: u64,
    /// [`Verdict::Fail`].
    pub failed: u64,
    /// [`Verdict::Shown`].
    pub shown: u64,
    /// [`Verdict::Undecided`].
    pub undecided: u64,
    /// [`Verdict::Skipped`].
    pub skipped: u64,
    /// [`Verdict::Refused`].
    pub refused: u64,
    /// [`Verdict::Missing`].
    pub missing: u64,
}

impl Verdict {
    /// Its name in files.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Improved => "improved",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::Shown => "shown",
            Self::Undecided(_) => "undecided",
            Self::Skipped(_) => "skipped",
            Self::Refused(_) => "refused",
            Self::Missing(_) => "missing",
        }
    }

    /// Why, for the verdicts that need a reason.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Pass | Self::Improved | Self::Warn | Self::Fail | Self::Shown => None,
            Self::Undecided(why) | Self::Skipped(why) | Self::Refused(why) | Self::Missing(why) => Some(why),
        }
    }
}

impl Outcome {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Regressed => "regressed",
            Self::NotMeasured => "not measured",
        }
    }
}

impl Tally {
    /// Comparisons that were made and decided.
    #[must_use]
    pub const fn compared(&self) -> u64 {
        self.passed + self.improved + self.warned + self.failed
    }

    /// What the rows come to. A failure outweighs all else, since it is certain; then anything expected and not
    /// decided is [`Outcome::NotMeasured`]; so are no comparisons at all. Without a baseline every figure is skipped,
    /// so that only a budget or ceiling that was judged can make such a run pass.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        if self.failed > 0 {
            Outcome::Regressed
        } else if self.missing + self.refused + self.undecided > 0 || self.compared() == 0 {
            Outcome::NotMeasured
        } else {
            Outcome::Passed
        }
    }

    /// Whether nothing but undecided rows keeps these from passing: all was measured, and the data cannot tell.
    #[must_use]
    pub const fn is_merely_undecided(&self) -> bool {
        self.undecided > 0 && self.failed + self.missing + self.refused == 0
    }

    /// The same rows for callers who let undecided comparisons pass. Where nothing else was decided there is nothing that
    /// could pass.
    #[must_use]
    pub const fn undecided_passed(self) -> Self {
        if self.compared() == 0 {
            return self;
        }
        Self { passed: self.passed + self.undecided, undecided: 0, ..self }
    }
}

impl Add for Tally {
    type Output = Self;

    /// The rows of both, for judgements that are answered together.
    fn add(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            improved: self.improved + other.improved,
            warned: self.warned + other.warned,
            failed: self.failed + other.failed,
            shown: self.shown + other.shown,
            undecided: self.undecided + other.undecided,
            skipped: self.skipped + other.skipped,
            refused: self.refused + other.refused,
            missing: self.missing + other.missing,
        }
    }
}

impl Judgement {
    /// The same of runs whose baseline is there and cannot be read: each figure that would be held against it is missing, which
    /// is no pass, where one without a baseline is skipped.
    #[must_use]
    pub fn with_unread_baseline(mut self, why: &str) -> Self {
        for row in self.rows.iter_mut().filter(|row| matches!(row.against, Against::Baseline(_))) {
            if matches!(row.verdict, Verdict::Skipped(_)) && row.better != Some(Better::Neither) {
                row.verdict = Verdict::Missing(format!("the baseline cannot be read: {why}"));
            }
        }
        self.unread = Some(why.to_owned());
        self
    }

    /// How many rows have each kind of verdict.
    #[must_use]
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for row in &self.rows {
            let count = match row.verdict {
                Verdict::Pass => &mut tally.passed,
                Verdict::Improved => &mut tally.improved,
                Verdict::Warn => &mut tally.warned,
                Verdict::Fail => &mut tally.failed,
                Verdict::Shown => &mut tally.shown,
                Verdict::Undecided(_) => &mut tally.undecided,
                Verdict::Skipped(_) => &mut tally.skipped,
                Verdict::Refused(_) => &mut tally.refused,
                Verdict::Missing(_) => &mut tally.missing,
            };
            *count += 1;
        }
        tally
    }

    /// What the rows come to: see [`Tally::outcome`].
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.tally().outcome()
    }
}
