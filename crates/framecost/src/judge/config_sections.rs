//! The sections `[[limit]]`, `[[expect]]`, `[[gate]]` and `[rename]` of `framecost.toml`. In: what the TOML reader found there.
//! Out: limits, expectations, gates and renames, or a fault with its place.

use std::collections::BTreeMap;

use framecost_sample::{AdapterClass, Metric, Nanos, metric_names as names};
use serde::Deserialize;
use toml::{Spanned, Value};

use super::config_expect::Expect;
use super::config_gate::DeclaredGate;
use super::config_limit::{Limit, Scope, Set};
use super::config_rename::{Rename, Renames};
use super::config_text::{in_unit, statistics, subject};
use super::config_value::{Fault, adapter, amount, list, one_scene, percentage, shown, size, time, unknown};
use super::{AdapterFilter, Place, Rule};
use crate::definitions;
use crate::nearest::nearest_listed;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfLimit {
    of: Option<Spanned<String>>,
    scene: Option<Spanned<String>>,
    adapter: Option<Spanned<String>>,
    rule: Option<Spanned<String>>,
    fail: Option<Spanned<Value>>,
    warn: Option<Spanned<Value>>,
    floor: Option<Spanned<Value>>,
    floor_gpu: Option<Spanned<Value>>,
    floor_cpu: Option<Spanned<Value>>,
    judge: Option<Spanned<Vec<Spanned<String>>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfExpect {
    scene: Spanned<String>,
    size: Option<Spanned<String>>,
    #[serde(default)]
    switches: BTreeMap<String, String>,
    adapter: Option<Spanned<String>>,
    #[serde(default)]
    passes: Vec<Spanned<String>>,
    #[serde(default)]
    gates: Vec<Spanned<String>>,
    #[serde(default)]
    metrics: Vec<Spanned<String>>,
    baseline: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfGate {
    name: Spanned<String>,
    scene: Option<Spanned<String>>,
    from: Spanned<String>,
    to: Spanned<String>,
}

impl OfGate {
    /// The byte at which it starts.
    pub(super) fn place(&self) -> usize {
        self.name.span().start
    }
}

type Names = BTreeMap<Spanned<String>, Spanned<String>>;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRename {
    #[serde(default)]
    scene: Names,
    #[serde(default)]
    pass: Names,
    #[serde(default)]
    gate: Names,
    #[serde(default)]
    metric: Names,
}

/// A `[[limit]]` entry.
pub(super) fn limit(file: Spanned<OfLimit>, text: &str) -> Result<Limit, Fault> {
    let at = file.span().start;
    let file = file.into_inner();
    check_keys(&file, at)?;
    let places = [("of", &file.of), ("scene", &file.scene)];
    let places = places.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?.span().start)));
    let places = places.map(|(key, at)| (key, Place::of(at, text))).collect();
    let (metric, name) = file.of.as_ref().map(figure).transpose()?.unzip();
    let class = file.adapter.as_ref().map(class).transpose()?;
    let scene = file.scene.map(one_scene).transpose()?;
    let scope = Scope { metric, name: name.flatten(), scene, class };
    let known = scope.metric.as_deref().and_then(Metric::built_in);
    let floor = set(file.floor.as_ref(), amount, text)?;
    if let (Some(place), Some(set), Some(metric)) = (&file.floor, &floor, &scope.metric) {
        in_unit(place, set.value, metric)?;
    }
    let judge = file.judge.map(|texts| {
        let place = Some(Place::of(texts.span().start, text));
        statistics(texts.get_ref(), known.as_ref()).map(|value| Set { value, place })
    });
    Ok(Limit {
        rule: set(file.rule.as_ref(), rule, text)?,
        fail: set(file.fail.as_ref(), percentage, text)?,
        warn: set(file.warn.as_ref(), percentage, text)?,
        floor_gpu: set::<_, Nanos>(file.floor_gpu.as_ref(), time, text)?,
        floor_cpu: set::<_, Nanos>(file.floor_cpu.as_ref(), time, text)?,
        judge: judge.transpose()?,
        place: Some(Place::of(at, text)),
        places,
        floor,
        scope,
    })
}

/// What an entry may not say together.
fn check_keys(file: &OfLimit, at: usize) -> Result<(), Fault> {
    let whole = |cause: &str| Fault { at, cause: cause.into() };
    if file.of.is_none() && file.scene.is_none() && file.adapter.is_none() {
        return Err(whole(
            "this [[limit]] names no figure (`of`), scene or adapter; what holds for all stands in [defaults]",
        ));
    }
    if file.of.is_none() {
        if let Some(floor) = &file.floor {
            return Err(Fault::new(
                floor,
                "a floor for all figures is `floor_gpu` or `floor_cpu`; `floor` takes an `of`",
            ));
        }
        if let Some(judge) = &file.judge {
            return Err(Fault::new(judge, "`judge` is of one figure: name it in `of`"));
        }
    } else if let Some(floor) = file.floor_gpu.as_ref().or(file.floor_cpu.as_ref()) {
        return Err(Fault::new(
            floor,
            "the floor of a figure is `floor`; `floor_gpu` and `floor_cpu` are for entries without `of`",
        ));
    } else if let Some(rule) = &file.rule {
        return Err(Fault::new(rule, "one rule compares all figures of a run: leave `of` out"));
    }
    let keys = [&file.fail, &file.warn, &file.floor, &file.floor_gpu, &file.floor_cpu];
    if keys.iter().all(|key| key.is_none()) && file.judge.is_none() && file.rule.is_none() {
        return Err(whole(
            "this [[limit]] sets nothing; it takes fail, warn, floor, floor_gpu, floor_cpu, judge or rule",
        ));
    }
    Ok(())
}

fn set<V, T>(
    value: Option<&Spanned<V>>,
    read: impl Fn(&Spanned<V>) -> Result<T, Fault>,
    text: &str,
) -> Result<Option<Set<T>>, Fault> {
    let set = |value: &Spanned<V>| {
        Ok(Set { value: read(value)?, place: Some(Place::of(value.span().start, text)) })
    };
    value.map(set).transpose()
}

/// `METRIC` or `METRIC/NAME`, the latter only of metrics that passes, gates or switches have.
fn figure(text: &Spanned<String>) -> Result<(String, Option<String>), Fault> {
    let (metric, name) = match text.get_ref().split_once('/') {
        Some((metric, name)) => (metric.to_owned(), Some(name.to_owned())),
        None => (text.get_ref().clone(), None),
    };
    // A limit may be for all passes at once, where a budget is of one.
    if name.is_some() || metric.is_empty() {
        subject(text, &metric, name.as_deref())?;
    }
    Ok((definitions::plain_name(metric), name))
}

fn class(text: &Spanned<String>) -> Result<AdapterClass, Fault> {
    let names = AdapterClass::ALL.map(AdapterClass::name);
    AdapterClass::from_name(text.get_ref()).ok_or_else(|| {
        let meant = nearest_listed(text.get_ref(), &names)
            .map_or_else(String::new, |name| format!("; the nearest is `{name}`"));
        unknown(text, "class of adapters", text.get_ref(), &format!("one of {}{meant}", list(names)))
    })
}

pub(super) fn rule(text: &Spanned<String>) -> Result<Rule, Fault> {
    let allowed = || format!("one of {}", list(Rule::ALL.map(Rule::name)));
    Rule::from_name(text.get_ref()).ok_or_else(|| unknown(text, "rule", text.get_ref(), &allowed()))
}

/// An `[[expect]]` entry.
pub(super) fn expect(file: OfExpect, text: &str) -> Result<Expect, Fault> {
    let place = Some(Place::of(file.scene.span().start, text));
    let metrics = names_of(&file.metrics, "metric")?.into_iter().map(definitions::plain_name).collect();
    for metric in &file.metrics {
        let of_passes = match metric.get_ref().as_str() {
            names::DURATION | names::EXPOSED | names::ALONE | names::ATTRIBUTED => "passes",
            names::GATE | names::GATE_COVERAGE | names::GATE_BEFORE => "gates",
            _ => continue,
        };
        let cause = format!(
            "{} is of {of_passes}: expect them by name in `{of_passes}`",
            shown_name(metric.get_ref())
        );
        return Err(Fault::new(metric, cause));
    }
    let names = file.passes.iter().chain(&file.gates).chain(&file.metrics);
    let places = names
        .map(|name| (definitions::plain_name(name.get_ref().clone()), Place::of(name.span().start, text)))
        .collect();
    Ok(Expect {
        scene: one_scene(file.scene)?,
        size: file.size.as_ref().map(size).transpose()?.flatten(),
        switches: file.switches,
        adapter: file.adapter.map_or(Ok(AdapterFilter::Any), adapter)?,
        passes: names_of(&file.passes, "pass")?,
        gates: names_of(&file.gates, "gate")?,
        baseline: file.baseline.unwrap_or(true),
        metrics,
        place,
        places,
    })
}

fn shown_name(name: &str) -> String {
    shown(&Value::String(name.chars().take(80).collect()))
}

/// Names that each stand once and say something.
fn names_of(texts: &[Spanned<String>], kind: &str) -> Result<Vec<String>, Fault> {
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        let name = text.get_ref();
        if name.is_empty() {
            return Err(Fault::new(text, format!("a {kind} without a name")));
        }
        if names.contains(name) {
            return Err(Fault::new(text, format!("the {kind} {} stands twice", shown_name(name))));
        }
        names.push(name.clone());
    }
    Ok(names)
}

/// A `[[gate]]` entry.
pub(super) fn gate(file: OfGate, text: &str) -> Result<DeclaredGate, Fault> {
    for name in [&file.name, &file.from, &file.to] {
        if name.get_ref().is_empty() {
            return Err(Fault::new(name, "is empty; a gate has a name, and passes that open and close it"));
        }
    }
    Ok(DeclaredGate {
        place: Some(Place::of(file.name.span().start, text)),
        scene: file.scene.map(one_scene).transpose()?,
        name: file.name.into_inner(),
        from: file.from.into_inner(),
        to: file.to.into_inner(),
    })
}

/// The `[rename]` tables.
pub(super) fn renames(file: OfRename, text: &str) -> Result<Renames, Fault> {
    let of = |names: Names| -> Result<BTreeMap<String, Rename>, Fault> {
        let entry = |(from, to): (Spanned<String>, Spanned<String>)| {
            if let Some(empty) = [&from, &to].into_iter().find(|name| name.get_ref().is_empty()) {
                return Err(Fault::new(empty, "a name is empty; write \"old name\" = \"new name\""));
            }
            let place = Some(Place::of(from.span().start, text));
            Ok((from.into_inner(), Rename { to: to.into_inner(), place }))
        };
        names.into_iter().map(entry).collect()
    };
    Ok(Renames {
        scenes: of(file.scene)?,
        passes: of(file.pass)?,
        gates: of(file.gate)?,
        metrics: of(file.metric)?,
    })
}
