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
mod key;
mod overall;
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
pub use key::{Across, Difference};
pub use overall::{Overall, Unbound, unbound};
pub use threshold::{Change, Limits, decide};
pub(crate) use value::median;
pub use variants::{Pairs, Variant, Variants, judge_variants};
pub use verdict::{Against, FrameCounts, Judgement, Outcome, Row, Tally, Verdict};

/// Judges one or several runs of one benchmark, scene and variant against a baseline of one or several runs, and against
/// the budgets and ceilings of the configuration.
///
/// - Runs whose hard keys differ are not compared: each comparison is refused, and `refused` says in what they differ.
///   `across` lets the caller declare that a difference is what he asks about; it is then shown in `declared`.
/// - Only frames that every run measured are compared: a frame's index names the same work in each.
/// - Of several runs, the threshold rule takes the median of the runs' statistics on either side.
/// - A figure that the baseline has and the run lacks is missing, never passed over; so is one that the configuration
///   expects. A figure that only the run has is skipped, as is every figure where `baseline` is empty.
/// - Budgets and ceilings need no baseline and are judged in any case.
#[must_use]
pub fn judge(runs: &[Analysis], baseline: &[Analysis], config: &Config, across: Across) -> Judgement {
    let config = &config.for_runs(runs);
    let likeness = Likeness::of(runs, baseline, across);
    let mut rows = against::rows(runs, baseline, config, &likeness);
    rows.extend(budget::rows(runs, &config.budgets));
    Judgement {
        rule: config.rule,
        error_rate: config.rule.error_rate(),
        rows,
        runs: (runs.len() as u64, baseline.len() as u64),
        frames: likeness.counts,
        notes: against::notes(runs, config),
        environment: likeness.environment,
        refused: likeness.refused,
        declared: likeness.declared,
        across,
    }
}
