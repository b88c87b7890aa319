//! Whether two runs are like: the hard part of the key, which a comparison never crosses unless told, and the soft part,
//! whose differences are shown. In: two analyses. Out: lists of differences, each with both values.

use std::collections::BTreeMap;

use framecost_sample::{Capture, Environment, Logged, Metric, Pairing, Sharing};

use crate::Analysis;

/// The name of the fact that holds the numbers of busy threads of late, the last minute's first.
const LOAD_AVERAGE: &str = "load average";

/// Hard differences that the caller asks to cross: whoever compares two variants wants just that difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Across {
    /// Compare runs of different switch sets, such as `lit_load=4` with `lit_load=1`.
    pub switches: bool,
    /// Compare runs with different numbers of frames in flight.
    pub frames_in_flight: bool,
}

/// One thing in which a run and its baseline differ. Texts hold names as captures give them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs.
    pub what: String,
    /// What it is in the run.
    pub this: String,
    /// What it is in the baseline.
    pub baseline: String,
}

impl Across {
    /// Cross nothing.
    pub const NOTHING: Self = Self { switches: false, frames_in_flight: false };
    /// Cross whatever may be declared.
    pub const DECLARED: Self = Self { switches: true, frames_in_flight: true };
}

/// Hard differences: those that forbid a comparison, and those that `across` declares.
pub(super) fn hard(
    run: &Analysis,
    baseline: &Analysis,
    across: Across,
) -> (Vec<Difference>, Vec<Difference>) {
    let (a, b) = (&run.capture.key, &baseline.capture.key);
    let mut refused = Vec::new();
    let mut declared = Vec::new();
    let none = || "not stated".to_owned();
    note(&mut refused, "benchmark", &a.benchmark, &b.benchmark);
    note(&mut refused, "scene", &a.scene, &b.scene);
    let switches = if across.switches { &mut declared } else { &mut refused };
    differing_entries(switches, "switch", &a.switches.0, &b.switches.0);
    note(&mut refused, "adapter", &a.adapter, &b.adapter);
    note(&mut refused, "adapter class", a.adapter_class.name(), b.adapter_class.name());
    note(&mut refused, "backend", &a.backend, &b.backend);
    let size = |key: &framecost_sample::Key| key.size.map_or_else(none, |size| size.to_string());
    note(&mut refused, "size", &size(a), &size(b));
    note(&mut refused, "settings hash", &a.settings_hash, &b.settings_hash);
    note(&mut refused, "instrumentation", &a.instrumentation.0, &b.instrumentation.0);
    let in_flight = |frames: Option<u32>| frames.map_or_else(none, |frames| frames.to_string());
    let list = if across.frames_in_flight { &mut declared } else { &mut refused };
    note(list, "frames_in_flight", &in_flight(a.frames_in_flight), &in_flight(b.frames_in_flight));
    if let Some((this, baseline)) = generators(&run.capture.environment, &baseline.capture.environment) {
        // A setting of the run like a switch: who names the other capture himself asks about it.
        note(if across.switches { &mut declared } else { &mut refused }, Logged::GENERATOR, &this, &baseline);
    }
    note(
        &mut refused,
        "floor of the accounting",
        &run.ledger.floor.to_string(),
        &baseline.ledger.floor.to_string(),
    );
    note(&mut refused, "stamps share a timeline", sharing(run), sharing(baseline));
    definitions(&mut refused, &run.capture, &baseline.capture);
    (refused, declared)
}

/// What made the generated frames of two logs, where both say so: those of two makers differ in what they cost.
fn generators(run: &Environment, baseline: &Environment) -> Option<(String, String)> {
    let of = |environment| Logged::of(environment)?.generator;
    of(run).zip(of(baseline))
}

/// Facts of the environment, before the run, that differ. With whom a run took turns is how it was measured, no difference.
pub(super) fn soft(run: &Environment, baseline: &Environment) -> Vec<Difference> {
    let facts = |environment: &Environment| {
        let fact = |fact: &framecost_sample::Fact| {
            let value = fact.before.clone().ok().unwrap_or_else(|reason| format!("missing: {reason}"));
            (fact.name.clone(), value)
        };
        let surrounds = |fact: &&framecost_sample::Fact| !Pairing::NAMES.contains(&fact.name.as_str());
        environment.facts.iter().filter(surrounds).map(fact).collect::<BTreeMap<_, _>>()
    };
    let mut differences = Vec::new();
    differing_entries(&mut differences, "", &facts(run), &facts(baseline));
    differences.retain(is_more_than_noise);
    if generators(run, baseline).is_some() {
        differences.retain(|difference| difference.what != Logged::GENERATOR);
    }
    differences
}

/// The load average is another number whenever it is read: it differs where it is another load, by more than one busy thread
/// and by half. Our own choice.
fn is_more_than_noise(difference: &Difference) -> bool {
    let last_minute = |text: &str| text.split_whitespace().next()?.parse::<f64>().ok();
    match (last_minute(&difference.this), last_minute(&difference.baseline)) {
        (Some(this), Some(baseline)) if difference.what == LOAD_AVERAGE => {
            let apart = (this - baseline).abs();
            apart > 1.0 && apart > 0.5 * baseline
        }
        _ => true,
    }
}

fn note(list: &mut Vec<Difference>, what: &str, this: &str, baseline: &str) {
    if this != baseline {
        list.push(Difference { what: what.into(), this: this.into(), baseline: baseline.into() });
    }
}

/// Entries of two maps that differ, those that only one has included.
fn differing_entries(
    list: &mut Vec<Difference>,
    kind: &str,
    this: &BTreeMap<String, String>,
    baseline: &BTreeMap<String, String>,
) {
    let only_there = baseline.keys().filter(|name| !this.contains_key(*name));
    for name in this.keys().chain(only_there) {
        let value =
            |map: &BTreeMap<String, String>| map.get(name).map_or("not stated", String::as_str).to_owned();
        note(list, format!("{kind} {name}").trim_start(), &value(this), &value(baseline));
    }
}

/// What passes, gates and metrics of one name mean in both: figures of unlike definitions are different quantities.
/// A pass, gate or metric that only one of them has is no difference of the key; its figure is judged missing.
fn definitions(list: &mut Vec<Difference>, run: &Capture, baseline: &Capture) {
    let passes = |capture: &Capture| {
        let of = |pass: &framecost_sample::PassDef| (pass.name.clone(), pass.semantics.name().to_owned());
        capture.passes.iter().map(of).collect::<BTreeMap<_, _>>()
    };
    let gates = |capture: &Capture| {
        let name = |id| &capture.pass(id).name;
        let of = |gate: &framecost_sample::GateDef| {
            (gate.name.clone(), format!("from {} to {}", name(gate.from), name(gate.to)))
        };
        capture.gates.iter().map(of).collect::<BTreeMap<_, _>>()
    };
    let metrics = |capture: &Capture| {
        let of = |metric: &Metric| {
            (metric.name.clone(), format!("{}, better: {}", metric.unit.name(), metric.better.name()))
        };
        capture.metrics.iter().map(of).collect::<BTreeMap<_, _>>()
    };
    both(list, "semantics of pass", &passes(run), &passes(baseline));
    both(list, "passes of gate", &gates(run), &gates(baseline));
    both(list, "unit of metric", &metrics(run), &metrics(baseline));
}

/// Entries that both maps have and that differ; those that differ alike stand together.
fn both(
    list: &mut Vec<Difference>,
    kind: &str,
    this: &BTreeMap<String, String>,
    baseline: &BTreeMap<String, String>,
) {
    let mut alike: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for (name, value) in this {
        if let Some(other) = baseline.get(name).filter(|other| *other != value) {
            alike.entry((value, other)).or_default().push(name);
        }
    }
    for ((value, other), names) in alike {
        note(list, &format!("{kind} {}", names.join(", ")), value, other);
    }
}

fn sharing(analysis: &Analysis) -> &'static str {
    match analysis.ledger.clock.as_ref().map(|clock| &clock.sharing) {
        None => "no clock",
        Some(Sharing::WithinSubmission) => "within a submission",
        Some(Sharing::AcrossSubmissions { .. }) => "across submissions",
    }
}
