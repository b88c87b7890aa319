//! Budgets and ceilings: absolute limits on named statistics. In: runs and the configuration. Out: a row per budget.
//! None is passed over in silence: one that binds another scene, size, variant or adapter is skipped with the reason, and
//! one whose scene was run but has no such switch is refused, since no run could ever meet it.

use std::fmt;

use framecost_sample::{Key, Metric, Nanos, Reading};

use super::config::at_least;
use super::config_text::written;
use super::value::{self, Found};
use super::{Against, Budget, BudgetKind, Row, Verdict};
use crate::Analysis;
use crate::stats::{FigureId, Origin, Paired, Subject};

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
    /// Another variant to take the difference with: a budget on a difference takes captures of two values of the switch.
    Variants(String),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene => f.write_str("scene"),
            Self::Size => f.write_str("size"),
            Self::Switch(name) => write!(f, "switch {name}"),
            Self::Adapter => f.write_str("adapter"),
            Self::Variants(name) => write!(f, "variants of {name}"),
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
    let mut row = blank(budget, figure, known.map(|(metric, _)| metric));
    let keys: Vec<&Key> = runs.iter().map(|run| &run.capture.key).collect();
    if !binds(&keys, budget, &mut row) {
        return row;
    }
    if let Some(switch) = budget.of_switch() {
        let given = keys.first().and_then(|key| key.switches.0.get(switch));
        let given = format!("{switch}={}", given.map_or("not stated", String::as_str));
        let part = Part::Variants(switch.to_owned());
        set_apart(&mut row, Mismatch { part, wanted: "captures of two values".into(), given }, budget.kind);
        return row;
    }
    let step = known.filter(|(_, origin)| *origin == Origin::Stamps).and_then(|_| coarsest(runs));
    let row = held(budget, row, value::of(runs, &figure_of(runs, budget), budget.statistic, None), step);
    match value::too_few(runs, &row.figure, budget.statistic) {
        Some(why) if matches!(row.verdict, Verdict::Pass | Verdict::Fail) => {
            Row { verdict: Verdict::Undecided(why), ..row }
        }
        _ => row,
    }
}

/// The row of a budget on the difference of a switch between two variants; none of a budget on anything else.
pub(super) fn of_pairs(
    budget: &Budget,
    [more, less]: [&[Analysis]; 2],
    switch: &str,
    pairs: &[Paired],
) -> Option<Row> {
    budget.of_switch().filter(|of| *of == switch)?;
    let metric = pairs.iter().find_map(|pair| pair.total().map(|row| &row.metric));
    let mut row = blank(budget, budget.figure(), metric);
    let keys: Vec<&Key> = more.iter().chain(less).map(|run| &run.capture.key).collect();
    if !binds(&keys, budget, &mut row) {
        return Some(row);
    }
    let steps = [coarsest(more), coarsest(less)];
    let step = steps.into_iter().flatten().max_by(|a, b| a.0.total_cmp(&b.0));
    Some(held(budget, row, value::of_pairs(pairs, budget.statistic), step))
}

/// A row for a budget before anything was found.
fn blank(budget: &Budget, figure: FigureId, metric: Option<&Metric>) -> Row {
    let limit = metric.and_then(|metric| budget.limit.in_unit(metric.unit));
    Row {
        against: Against::Budget { name: budget.name.clone(), kind: budget.kind, limit, apart: None },
        unit: metric.map(|metric| metric.unit),
        better: metric.map(|metric| metric.better),
        statistic: budget.statistic.into(),
        evidence: None,
        rests_on: None,
        current: None,
        baseline: None,
        ratio: None,
        n: 0,
        verdict: Verdict::Pass,
        figure,
    }
}

/// Whether the budget binds runs of these keys; where not, the row says why.
fn binds(keys: &[&Key], budget: &Budget, row: &mut Row) -> bool {
    if let Some(why) = keys.iter().find_map(|key| can_never_bind(key, budget)) {
        row.verdict = Verdict::Refused(why);
        return false;
    }
    let Some(mismatch) = keys.iter().find_map(|key| does_not_bind(key, budget)) else { return true };
    set_apart(row, mismatch, budget.kind);
    false
}

fn set_apart(row: &mut Row, mismatch: Mismatch, kind: BudgetKind) {
    row.verdict = Verdict::Skipped(skipped(&mismatch, kind));
    if let Against::Budget { apart, .. } = &mut row.against {
        *apart = Some(mismatch);
    }
}

/// A budget that binds, held against what was found.
fn held(budget: &Budget, mut row: Row, found: Found, step: Option<Nanos>) -> Row {
    match found {
        Found::Value { value, n } => {
            row.current = Some(value);
            row.n = n;
            row.verdict = decide(budget, &row, step);
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
    let named = budget.switches.keys().map(String::as_str).chain(budget.of_switch());
    let unknown = named.into_iter().find(|name| !key.switches.0.contains_key(*name))?;
    let known: Vec<&str> = key.switches.0.keys().map(String::as_str).collect();
    let known =
        if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
    Some(format!(
        "scene \"{}\" has no switch \"{unknown}\" ({known}): the {} can never apply",
        key.scene,
        budget.kind.name()
    ))
}

pub(super) fn does_not_bind(key: &Key, budget: &Budget) -> Option<Mismatch> {
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
        Part::Variants(name) => format!("the {kind} is on what {name} adds between two variants, not on one"),
    }
}

fn decide(budget: &Budget, row: &Row, step: Option<Nanos>) -> Verdict {
    let (Against::Budget { limit: Some(limit), .. }, Some(current), Some(better)) =
        (&row.against, row.current, row.better)
    else {
        let allowed = row.unit.map_or_else(String::new, |unit| format!(": write {}", written(unit)));
        return Verdict::Refused(format!("the limit is not in the figure's unit{allowed}"));
    };
    if let Some(why) = finer_than_the_clock(budget, step) {
        return Verdict::Refused(why);
    }
    let over = if at_least(better) { current < *limit } else { current > *limit };
    if over { Verdict::Fail } else { Verdict::Pass }
}

/// A limit below the clock's observed step: no stamp could tell whether it was kept.
fn finer_than_the_clock(budget: &Budget, step: Option<Nanos>) -> Option<String> {
    let super::Amount::Time(limit) = budget.limit else { return None };
    let coarse = step.filter(|step| limit.0 < step.0)?;
    Some(format!("the limit {limit} is finer than the clock's observed step of {coarse}"))
}

/// The coarsest step of the runs' clocks.
pub(super) fn coarsest(runs: &[Analysis]) -> Option<Nanos> {
    runs.iter().filter_map(step).max_by(|a, b| a.0.total_cmp(&b.0))
}

/// The observed step of the clock that a run's stamps were read from.
pub(super) fn step(run: &Analysis) -> Option<Nanos> {
    let clock = run.ledger.clock.as_ref()?;
    match clock.step {
        Reading::Measured(ticks) => Some(clock.period.nanos(ticks)),
        Reading::Missing(_) => None,
    }
}
