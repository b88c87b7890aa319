//! The text of `framecost.toml`. In: TOML. Out: a [`Config`], or an error with line and column, the bad value and what is
//! allowed. Unknown keys, impossible units and contradictions are errors: a limit that is misspelt would never apply.

use std::collections::BTreeMap;
use std::fmt;

use framecost_sample::{Better, Metric, Unit, metric_names as names};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::config_sections::{self, OfExpect, OfGate, OfLimit, OfRename};
use super::config_value::{
    Fault, adapter, amount, one_line, one_scene, percentage, shown, size, statistic, time,
};
use super::{Amount, Budget, BudgetKind, Config, MetricRule, Place, Places};
use crate::definitions;
use crate::nearest::nearest_listed;
use crate::stats::Statistic;

/// A documented `framecost.toml` that uses everything; see [`Config::from_toml`].
pub const EXAMPLE: &str = include_str!("example.toml");

/// Why a text is no configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Line of the text, counted from 1.
    pub line: u64,
    /// Character of that line, counted from 1.
    pub column: u64,
    /// The bad value and what is allowed.
    pub cause: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.cause)
    }
}

impl std::error::Error for ConfigError {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Option<Spanned<String>>,
    #[serde(default)]
    defaults: Defaults,
    #[serde(default)]
    metric: BTreeMap<Spanned<String>, OfMetric>,
    #[serde(default)]
    limit: Vec<Spanned<OfLimit>>,
    #[serde(default)]
    budget: Vec<OfBudget>,
    #[serde(default)]
    ceiling: Vec<OfCeiling>,
    #[serde(default)]
    gate: Vec<OfGate>,
    #[serde(default)]
    expect: Vec<OfExpect>,
    #[serde(default)]
    rename: OfRename,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Defaults {
    fail: Option<Spanned<Value>>,
    warn: Option<Spanned<Value>>,
    floor_gpu: Option<Spanned<Value>>,
    floor_cpu: Option<Spanned<Value>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfMetric {
    fail: Option<Spanned<Value>>,
    warn: Option<Spanned<Value>>,
    floor: Option<Spanned<Value>>,
    judge: Option<Spanned<Vec<Spanned<String>>>>,
    #[serde(default)]
    expect: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfBudget {
    name: Spanned<String>,
    of: Spanned<String>,
    scene: Spanned<String>,
    size: Spanned<String>,
    #[serde(default)]
    switches: BTreeMap<String, String>,
    statistic: Spanned<String>,
    limit: Spanned<Value>,
    adapter: Spanned<String>,
    #[serde(default)]
    optional: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfCeiling {
    name: Spanned<String>,
    of: Spanned<String>,
    size: Spanned<String>,
    #[serde(default)]
    switches: BTreeMap<String, String>,
    statistic: Spanned<String>,
    limit: Spanned<Value>,
    adapter: Spanned<String>,
}

impl Config {
    /// The configuration that a `framecost.toml` holds. Keys that it leaves out keep their [`Config::default`].
    ///
    /// ```
    /// # use framecost::judge::{Config, EXAMPLE};
    /// let config = Config::from_toml(EXAMPLE)?;
    /// assert_eq!(config.budgets.len(), 3);
    /// # Ok::<(), framecost::judge::ConfigError>(())
    /// ```
    ///
    /// The example, which uses everything:
    /// ```toml
    #[doc = include_str!("example.toml")]
    /// ```
    ///
    /// # Errors
    /// Text that is no TOML, a key or a value outside what is allowed, a contradiction.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let file = toml::from_str::<File>(text).map_err(|error| Fault {
            at: error.span().map_or(0, |span| span.start),
            cause: with_nearest(one_line(error.message())),
        });
        let config = file.and_then(|file| config(file, text)).map_err(|fault| fault.in_text(text))?;
        config.check_whole()?;
        Ok(config)
    }
}

/// The TOML reader's own message on a key or value that it does not know, with the nearest that it does know.
fn with_nearest(message: String) -> String {
    let ticked: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let Some((given, known)) = ticked.split_first().filter(|_| message.starts_with("unknown field")) else {
        return message;
    };
    match nearest_listed(given, known) {
        Some(meant) => format!("{message}; the nearest is `{meant}`"),
        None => message,
    }
}

fn config(file: File, text: &str) -> Result<Config, Fault> {
    let mut config = Config::default();
    if let Some(rule) = file.rule {
        config.places.insert("rule", Place::of(rule.span().start, text));
        config.rule = config_sections::rule(&rule)?;
    }
    defaults(&mut config, file.defaults, text)?;
    for (name, of_metric) in file.metric {
        let at = name.span().start;
        let name = definitions::plain_name(name.into_inner());
        let rule = metric_rule(&name, of_metric, &config, text)?;
        let place = Some(Place::of(at, text));
        if config.metrics.contains_key(&name) {
            return Err(Fault { at, cause: format!("[metric.{}] stands twice", name.escape_debug()) });
        }
        config.metrics.insert(name, MetricRule { place, ..rule });
    }
    let each = |limit| config_sections::limit(limit, text);
    config.limits = file.limit.into_iter().map(each).collect::<Result<_, _>>()?;
    let ceilings = file.ceiling.into_iter().map(OfCeiling::into_budget);
    let budgets = file.budget.into_iter().map(|budget| (budget, BudgetKind::Budget)).chain(ceilings);
    for (of_budget, kind) in budgets {
        let place = of_budget.name.span().start;
        let budget = budget(of_budget, kind, text)?;
        if config.budgets.iter().any(|other| other.name == budget.name) {
            let cause =
                format!("the name `{}` stands twice; each budget has its own", budget.name.escape_debug());
            return Err(Fault { at: place, cause });
        }
        config.budgets.push(budget);
    }
    for of_gate in file.gate {
        let place = of_gate.place();
        let gate = config_sections::gate(of_gate, text)?;
        let same = |other: &super::DeclaredGate| {
            other.name == gate.name
                && (other.scene.is_none() || gate.scene.is_none() || other.scene == gate.scene)
        };
        if config.gates.iter().any(same) {
            let cause =
                format!("the gate `{}` stands twice; each has a name of its own", gate.name.escape_debug());
            return Err(Fault { at: place, cause });
        }
        config.gates.push(gate);
    }
    let each = |expect| config_sections::expect(expect, text);
    config.expect = file.expect.into_iter().map(each).collect::<Result<_, _>>()?;
    config.renames = config_sections::renames(file.rename, text)?;
    Ok(config)
}

fn defaults(config: &mut Config, of_file: Defaults, text: &str) -> Result<(), Fault> {
    let keys = [
        ("fail", &of_file.fail),
        ("warn", &of_file.warn),
        ("floor_gpu", &of_file.floor_gpu),
        ("floor_cpu", &of_file.floor_cpu),
    ];
    let places =
        keys.into_iter().filter_map(|(key, of)| Some((key, Place::of(of.as_ref()?.span().start, text))));
    config.places.extend(places);
    for (from, to) in [(&of_file.fail, &mut config.fail), (&of_file.warn, &mut config.warn)] {
        if let Some(text) = from {
            *to = percentage(text)?;
        }
    }
    for (from, to) in
        [(&of_file.floor_gpu, &mut config.floor_gpu), (&of_file.floor_cpu, &mut config.floor_cpu)]
    {
        if let Some(text) = from {
            *to = time(text)?;
        }
    }
    match &of_file.warn {
        Some(text) => not_above(config.warn, config.fail).map_err(|cause| Fault::new(text, cause)),
        // A limit tightened alone takes the warning with it.
        None => {
            config.warn = config.warn.min(config.fail);
            Ok(())
        }
    }
}

fn metric_rule(name: &str, of_file: OfMetric, config: &Config, text: &str) -> Result<MetricRule, Fault> {
    let known = Metric::built_in(name);
    let fail = of_file.fail.as_ref().map(percentage).transpose()?;
    let warn = of_file.warn.as_ref().map(percentage).transpose()?;
    if let (Some(place), Some(warn)) = (&of_file.warn, warn) {
        not_above(warn, fail.unwrap_or(config.fail)).map_err(|cause| Fault::new(place, cause))?;
    }
    let floor = of_file.floor.as_ref().map(amount).transpose()?;
    if let (Some(text), Some(floor)) = (&of_file.floor, floor) {
        in_unit(text, floor, name)?;
    }
    let values = [("fail", &of_file.fail), ("warn", &of_file.warn), ("floor", &of_file.floor)];
    let values = values.into_iter().filter_map(|(key, of)| Some((key, of.as_ref()?.span().start)));
    let judged = of_file.judge.as_ref().map(|texts| ("judge", texts.span().start));
    let places: Places = values.chain(judged).map(|(key, at)| (key, Place::of(at, text))).collect();
    let judge = of_file.judge.map(|texts| statistics(texts.get_ref(), known.as_ref())).transpose()?;
    Ok(MetricRule { fail, warn, floor, judge, expect: of_file.expect, place: None, places })
}

pub(super) fn statistics(
    texts: &[Spanned<String>],
    metric: Option<&Metric>,
) -> Result<Vec<Statistic>, Fault> {
    let mut statistics = Vec::new();
    for text in texts {
        let found = statistic(text)?;
        if metric.is_some_and(|metric| metric.better == Better::Neither) {
            return Err(Fault::new(
                text,
                "this metric has no better direction: it is shown and cannot be judged",
            ));
        }
        if statistics.contains(&found) {
            return Err(Fault::new(text, format!("the statistic `{found}` stands twice")));
        }
        statistics.push(found);
    }
    Ok(statistics)
}

impl OfCeiling {
    /// As a budget whose scene nobody asks for.
    fn into_budget(self) -> (OfBudget, BudgetKind) {
        let Self { name, of, size, switches, statistic, limit, adapter } = self;
        let scene = Spanned::new(0..0, String::new());
        let optional = false;
        (
            OfBudget { name, of, scene, size, switches, statistic, limit, adapter, optional },
            BudgetKind::Ceiling,
        )
    }
}

fn budget(file: OfBudget, kind: BudgetKind, text: &str) -> Result<Budget, Fault> {
    let (metric, of) = match file.of.get_ref().split_once('/') {
        Some((metric, name)) => (metric.to_owned(), Some(name.to_owned())),
        None => (file.of.get_ref().clone(), None),
    };
    let metric = definitions::plain_name(metric);
    subject(&file.of, &metric, of.as_deref())?;
    let limit = amount(&file.limit)?;
    in_unit(&file.limit, limit, &metric)?;
    if let Some(switch) =
        of.as_ref().filter(|of| metric == names::DIFFERENCE && file.switches.contains_key(*of))
    {
        let switch = switch.escape_debug();
        return Err(Fault::new(
            &file.of,
            format!("`difference/{switch}` lies between two values of {switch}: leave it out of `switches`"),
        ));
    }
    if file.name.get_ref().trim().is_empty() {
        return Err(Fault::new(&file.name, "name is empty; reports call the budget by it"));
    }
    let places = [("of", &file.of), ("scene", &file.scene), ("adapter", &file.adapter)];
    let places = places.into_iter().filter(|(key, _)| *key != "scene" || kind == BudgetKind::Budget);
    let places: Places = places.map(|(key, value)| (key, Place::of(value.span().start, text))).collect();
    Ok(Budget {
        statistic: statistic(&file.statistic)?,
        size: size(&file.size)?,
        scene: (kind == BudgetKind::Budget).then(|| one_scene(file.scene)).transpose()?,
        adapter: adapter(file.adapter)?,
        place: Some(Place::of(file.name.span().start, text)),
        name: file.name.into_inner(),
        places,
        switches: file.switches,
        optional: file.optional,
        kind,
        metric,
        of,
        limit,
    })
}

/// Metrics of passes, gates and switches need the pass, gate or switch; those of frames and of the run have none.
pub(super) fn subject(place: &Spanned<String>, metric: &str, of: Option<&str>) -> Result<(), Fault> {
    let kind = match metric {
        names::DURATION | names::EXPOSED | names::ALONE | names::ATTRIBUTED => Some("pass"),
        names::GATE | names::GATE_COVERAGE | names::GATE_BEFORE => Some("gate"),
        names::DIFFERENCE => Some("switch"),
        _ => None,
    };
    let text = place.get_ref().escape_debug();
    match (kind, of) {
        (Some(kind), None | Some("")) => Err(Fault::new(
            place,
            format!("`{text}` names no {kind}; write `{metric}/NAME OF THE {}`", kind.to_uppercase()),
        )),
        (None, Some(_)) if Metric::built_in(metric).is_some() => Err(Fault::new(
            place,
            format!("`{text}`: {metric} is of the frame or run; write `{metric}` alone"),
        )),
        (None, Some(_)) => Err(Fault::new(
            place,
            format!(
                "`{text}`: only duration, exposed, alone, attributed are of passes, gate, gate_coverage, gate_before of gates, and difference of switches"
            ),
        )),
        (Some(_), Some(_)) | (None, None) => Ok(()),
    }
}

/// That an amount is in the unit of a metric, as far as anybody knows the metric: those of a source of somebody's own are known
/// once there is a run.
pub(super) fn in_unit(place: &Spanned<Value>, amount: Amount, metric: &str) -> Result<(), Fault> {
    let (fits, unit) = if let Some(known) = Metric::built_in(metric) {
        // None of them is a rate.
        (amount.in_unit(known.unit).is_some() && !matches!(amount, Amount::Rate(_)), written(known.unit))
    } else if let Ok(id) = definitions::find(metric) {
        match id.definition.unit {
            definitions::Unit::Fps => (
                matches!(amount, Amount::Plain(_) | Amount::Rate(_)),
                "frames per second, such as \"60 fps\" or 60",
            ),
            definitions::Unit::Nanos | definitions::Unit::NanosPerSecond => {
                (matches!(amount, Amount::Time(_)), written(Unit::Nanos))
            }
            definitions::Unit::Ratio => {
                (matches!(amount, Amount::Plain(_) | Amount::Part(_)), written(Unit::Ratio))
            }
        }
    } else {
        return Ok(());
    };
    if fits {
        return Ok(());
    }
    Err(Fault::new(place, format!("{} is not in the unit of {metric}: write {unit}", shown(place.get_ref()))))
}

/// How an amount in that unit is written.
pub(super) const fn written(unit: Unit) -> &'static str {
    match unit {
        Unit::Nanos => "a time, such as \"6 ms\"",
        Unit::Bytes => "an amount of bytes, such as \"64 KiB\"",
        Unit::Count => "a number",
        Unit::Ratio => "a number or a percentage, such as \"95 %\"",
    }
}

/// A warning past the failure would never be seen.
pub(super) fn not_above(warn: f64, fail: f64) -> Result<(), String> {
    if warn <= fail {
        return Ok(());
    }
    let percent = |part: f64| (part * 1e4).round() / 1e2;
    let (warn, fail) = (percent(warn), percent(fail));
    Err(format!("warn at {warn} % is past fail at {fail} %; it would never be seen"))
}
