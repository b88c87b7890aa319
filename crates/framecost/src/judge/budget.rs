//! Budgets and ceilings: absolute limits on named statistics. In: runs and the configuration. Out: a row per budget.
//! None is passed over in silence: one that binds another scene, size, variant or adapter is skipped with the reason, and
//! one whose scene was run but has no such switch is refused, since no run could ever meet it.

use std::fmt;

use framecost_sample::{Key, Reading};

use super::config::at_least;
use super::value::{self, Found};
use super::{Against, Budget, BudgetKind, Row, Verdict};
use crate::Analysis;
use crate::stats::{FigureId, Origin, Subject};

/// In what a run is not one that a budget binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The first thing that differs.
    pub part: Part,
    /// What the budget names.
    pub wanted: String,
    /// What the run has.
    pub given: String,
}

/// What a budget names of a run, in the order in which it is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Its scene.
    Scene,
    /// Its size.
    Size,
    /// The value of the switch of that name.
    Switch(String),
    /// Its adapter.
    Adapter,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene => f.write_str("scene"),
            Self::Size => f.write_str("size"),
            Self::Switch(name) => write!(f, "switch {name}"),
            Self::Adapter => f.write_str("adapter"),
        }
    }
}

/// The rows of every budget and ceiling. `runs` are alike; the first stands for all where keys are asked.
pub(super) fn rows(runs: &[Analysis], budgets: &[Budget]) -> Vec<Row> {
    budgets.iter().map(|budget| row(runs, budget)).collect()
}

fn row(runs: &[Analysis], budget: &Budget) -> Row {
    let figure = figure_of(runs, budget);
    let known = value::definition(runs, &figure);
    let limit = known.and_then(|(metric, _)| budget.limit.in_unit(metric.unit));
    let mut row = Row {
        against: Against::Budget { name: budget.name.clone(), kind: budget.kind, limit, apart: None },
        unit: known.map(|(metric, _)| metric.unit),
        better: known.map(|(metric, _)| metric.better),
        statistic: budget.statistic,
        current: None,
        baseline: None,
        ratio: None,
        n: 0,
        verdict: Verdict::Pass,
        figure,
    };
    if let Some(why) = runs.iter().find_map(|run| can_never_bind(&run.capture.key, budget)) {
        row.verdict = Verdict::Refused(why);
        return row;
    }
    if let Some(mismatch) = runs.iter().find_map(|run| does_not_bind(&run.capture.key, budget)) {
        row.verdict = Verdict::Skipped(skipped(&mismatch, budget.kind));
        if let Against::Budget { apart, .. } = &mut row.against {
            *apart = Some(mismatch);
        }
        return row;
    }
    match value::of(runs, &row.figure, budget.statistic, None) {
        Found::Value { value, n } => {
            row.current = Some(value);
            row.n = n;
            row.verdict = decide(runs, budget, &row);
        }
        Found::Absent => row.verdict = Verdict::Missing(format!("no such figure in the run: {}", row.figure)),
        Found::Missing(why) => row.verdict = Verdict::Missing(why),
    }
    row
}

/// A budget of no pass and no gate may be of the frame or of the run, whichever the capture has.
fn figure_of(runs: &[Analysis], budget: &Budget) -> FigureId {
    let figure = budget.figure();
    let of_run = FigureId { metric: figure.metric.clone(), subject: Subject::Run };
    let is_of_run = figure.subject == Subject::Frame
        && value::definition(runs, &figure).is_none()
        && value::definition(runs, &of_run).is_some();
    if is_of_run { of_run } else { figure }
}

/// Why no run of its scene could meet a budget: a run states every switch that its scene has, so one that it does not
/// state is misspelt or gone.
fn can_never_bind(key: &Key, budget: &Budget) -> Option<String> {
    if budget.scene.as_ref() != Some(&key.scene) {
        return None;
    }
    let unknown = budget.switches.keys().find(|name| !key.switches.0.contains_key(*name))?;
    let known: Vec<&str> = key.switches.0.keys().map(String::as_str).collect();
    let known =
        if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
    Some(format!(
        "scene \"{}\" has no switch \"{unknown}\" ({known}): the {} can never apply",
        key.scene,
        budget.kind.name()
    ))
}

fn does_not_bind(key: &Key, budget: &Budget) -> Option<Mismatch> {
    let apart = |part, wanted: &str, given: &str| {
        Some(Mismatch { part, wanted: wanted.to_owned(), given: given.to_owned() })
    };
    if let Some(scene) = budget.scene.as_ref().filter(|scene| **scene != key.scene) {
        return apart(Part::Scene, scene, &key.scene);
    }
    if let Some(size) = budget.size.filter(|size| Some(*size) != key.size) {
        let is = key.size.map_or_else(|| "not stated".to_owned(), |size| size.to_string());
        return apart(Part::Size, &size.to_string(), &is);
    }
    for (name, value) in &budget.switches {
        let is = key.switches.0.get(name).map_or("not stated", String::as_str);
        if is != value {
            return apart(Part::Switch(name.clone()), value, is);
        }
    }
    if !budget.adapter.binds(&key.adapter, key.adapter_class) {
        let is = format!("{} ({})", key.adapter, key.adapter_class.name());
        return apart(Part::Adapter, budget.adapter.name(), &is);
    }
    None
}

fn skipped(mismatch: &Mismatch, kind: BudgetKind) -> String {
    let Mismatch { part, wanted, given } = mismatch;
    let kind = kind.name();
    match part {
        Part::Scene => format!("the {kind} is for scene {wanted}, the run is of {given}"),
        Part::Size => format!("the {kind} is for size {wanted}, the run's is {given}"),
        Part::Switch(name) => format!("the {kind} is for {name}={wanted}, the run's is {given}"),
        Part::Adapter => format!("the {kind} is for other adapters than {given}"),
    }
}

fn decide(runs: &[Analysis], budget: &Budget, row: &Row) -> Verdict {
    let (Against::Budget { limit: Some(limit), .. }, Some(current), Some(better)) =
        (&row.against, row.current, row.better)
    else {
        let unit = row.unit.map_or("none", framecost_sample::Unit::name);
        return Verdict::Refused(format!("the limit is not in the figure's unit, {unit}"));
    };
    if let Some(why) = finer_than_the_clock(runs, budget, &row.figure) {
        return Verdict::Refused(why);
    }
    let over = if at_least(better) { current < *limit } else { current > *limit };
    if over { Verdict::Fail } else { Verdict::Pass }
}

/// A limit below the clock's observed step: no stamp could tell whether it was kept.
fn finer_than_the_clock(runs: &[Analysis], budget: &Budget, figure: &FigureId) -> Option<String> {
    let super::Amount::Time(limit) = budget.limit else { return None };
    let (_, origin) = value::definition(runs, figure)?;
    if origin != Origin::Stamps {
        return None;
    }
    let coarse = runs.iter().filter_map(step).find(|step| limit.0 < step.0)?;
    Some(format!("the limit {limit} is finer than the clock's observed step of {coarse}"))
}

/// The observed step of the clock that a run's stamps were read from.
pub(super) fn step(run: &Analysis) -> Option<framecost_sample::Nanos> {
    let clock = run.ledger.clock.as_ref()?;
    match clock.step {
        Reading::Measured(ticks) => Some(clock.period.nanos(ticks)),
        Reading::Missing(_) => None,
    }
}
