//! Judging: whether a run costs more than its baseline or than it may. In: analyses and a [`Config`]. Out: a [`Judgement`].

mod against;
mod budget;
mod census;
mod config;
mod config_applied;
mod config_check;
mod config_expect;
mod config_gate;
mod config_limit;
mod config_names;
mod config_rename;
mod config_sections;
mod config_text;
mod config_value;
mod confirm;
mod discoveries;
mod evidence;
mod key;
mod logs;
mod measure;
mod overall;
mod ruled;
mod runs;
mod threshold;
mod value;
mod variants;
mod verdict;

use crate::Analysis;

pub(crate) use against::{Likeness, ratio};
pub use budget::{Mismatch, Part};
pub use census::{Absence, AbsenceKind, Census, JudgedSet};
pub use config::{AdapterFilter, Amount, Budget, BudgetKind, Config, MetricRule, Place, Places, Rule};
pub use config_applied::{Applied, applied};
pub use config_expect::{Expect, expected_of};
pub use config_gate::DeclaredGate;
pub use config_limit::{At, Limit, Scope, Set, Source};
pub use config_names::Known;
pub use config_rename::{Rename, Renamed, Renames};
pub use config_text::{ConfigError, EXAMPLE};
pub use confirm::confirm;
pub use discoveries::{FALSE_DISCOVERIES, correct};
pub use evidence::{Evidence, MOST_RUNS, SIDE, Scale, Stretch, Widest};
pub use key::{Across, Difference};
pub use measure::Measure;
pub use overall::{Overall, Unbound, unbound};
pub use runs::{Asked, Noise, NoiseProfile, judge_pairs_of_series, judge_series};
pub(crate) use runs::{MORE_LOGS, tolerated_hitches};
pub use threshold::{Change, Limits, decide};
pub(crate) use value::median;
pub use variants::{Pairs, Variant, Variants, judge_variants};
pub use verdict::{Against, FrameCounts, Judgement, Outcome, Row, Tally, Verdict};

/// What is to be judged: one or several runs of one benchmark, scene and variant.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The runs.
    pub runs: &'a [Analysis],
    /// The baseline; empty where none is stored.
    pub baseline: &'a [Analysis],
    /// Further runs of the same, by which a failure is to be confirmed; empty where there are none.
    pub confirm: &'a [Analysis],
    /// What calibration knows of the adapter's noise.
    pub noise: Option<&'a NoiseProfile>,
    /// What may differ from the baseline, since it is what the caller asks about.
    pub across: Across,
    /// Each run was measured together with the baseline's run of the same place in the list, frame by frame or run by run
    /// in turn, so that the two share what the machine did: the rule of runs then judges pairs.
    pub paired: bool,
}

/// Judges runs against a baseline and a configuration, as [`judge_case`] does without confirming runs or calibration.
#[must_use]
pub fn judge(runs: &[Analysis], baseline: &[Analysis], config: &Config, across: Across) -> Judgement {
    judge_case(&Case { runs, baseline, confirm: &[], noise: None, across, paired: false }, config)
}

/// Judges runs against a baseline of one or several runs, and against the budgets and ceilings of the configuration.
///
/// - Runs whose hard keys differ are not compared: each comparison is refused, and `refused` says in what they differ.
///   `across` lets the caller declare that a difference is what he asks about; it is then shown in `declared`.
/// - Only frames that every run measured are compared: a frame's index names the same work in each.
/// - Of several runs, the threshold rule takes the median of the runs' statistics on either side; the rule of runs judges
///   by how far they lie apart ([`judge_series`]), and corrects for how many figures it judges at once ([`correct`]).
/// - A failure that confirming runs do not share is undecided; one that they share stands, however many figures there are
///   ([`confirm`]).
/// - A figure that the baseline has and the run lacks is missing, never passed over; so is one that the configuration
///   expects. A figure that only the run has is skipped, as is every figure where `baseline` is empty.
/// - Budgets and ceilings need no baseline and are judged in any case.
#[must_use]
pub fn judge_case(case: &Case<'_>, config: &Config) -> Judgement {
    let config = &config.for_runs(case.runs);
    let mut judgement = judge_once(case, config);
    if !case.confirm.is_empty() {
        let confirming = judge_once(&Case { runs: case.confirm, confirm: &[], ..*case }, config);
        confirm(&mut judgement, &confirming);
    }
    correct(&mut [&mut judgement]);
    judgement
}

fn judge_once(case: &Case<'_>, config: &Config) -> Judgement {
    let likeness = Likeness::of(case.runs, case.baseline, case.across);
    let mut rows = against::rows(case, config, &likeness);
    rows.extend(budget::rows(case.runs, &config.budgets));
    let mut notes = logs::beside(case, &mut rows);
    notes.extend(against::notes(case.runs, config));
    notes.extend(ruled::notes(&rows));
    notes.extend(against::few(case, &rows));
    Judgement {
        rule: config.rule,
        error_rate: config.rule.error_rate(),
        rows,
        runs: (case.runs.len() as u64, case.baseline.len() as u64),
        frames: likeness.counts,
        unread: None,
        logs: !case.runs.is_empty() && case.runs.iter().chain(case.baseline).all(Analysis::is_log),
        notes,
        environment: likeness.environment,
        refused: likeness.refused,
        declared: likeness.declared,
        across: case.across,
    }
}
