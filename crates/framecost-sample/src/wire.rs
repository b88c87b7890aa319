//! The versioned twin of a capture's context: everything but stamps and samples, which travel as columns.
//! In: a [`Capture`], or JSON text. Out: the other. No other file of this crate knows serde.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    AdapterClass, Better, Capture, CaptureError, CaptureParts, Clock, ClockId, Counts, Environment, Fact,
    Figure, GateDef, Instrumentation, Key, Metric, MetricId, PassDef, PassId, Period, Queue, Reading, Reason,
    Semantics, Sharing, Size, Switches, Ticks, Unit, ValidBits,
};

/// The version that [`context_to_json`] writes. Readers accept it and every one before it.
pub const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireContext {
    framecost_capture: u32,
    producer: String,
    started_at: Option<String>,
    key: WireKey,
    environment: Vec<WireFact>,
    counts: WireCounts,
    /// Runs of consecutive frames: first index, how many.
    frames: Vec<(u64, u64)>,
    clocks: Vec<WireClock>,
    queues: Vec<WireQueue>,
    passes: Vec<WirePass>,
    gates: Vec<WireGate>,
    metrics: Vec<WireMetric>,
    figures: BTreeMap<String, WireReading<f64>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireKey {
    benchmark: String,
    scene: String,
    switches: BTreeMap<String, String>,
    adapter: String,
    adapter_class: String,
    backend: String,
    size: Option<(u32, u32)>,
    settings_hash: String,
    instrumentation: String,
    frames_in_flight: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireFact {
    name: String,
    before: WireReading<String>,
    after: WireReading<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireCounts {
    start_up: u64,
    warm_up: u64,
    measured: u64,
    dropped: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireClock {
    name: String,
    /// Nanoseconds per tick: numerator, denominator.
    period_ns: (u64, u64),
    valid_bits: u64,
    step_ticks: WireReading<u64>,
    /// The promise that readings of different submissions may be subtracted; null where there is none.
    shared_by: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireQueue {
    name: String,
    clock: u8,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WirePass {
    name: String,
    semantics: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireGate {
    name: String,
    from: String,
    to: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireMetric {
    name: String,
    unit: String,
    better: String,
    about: String,
}

/// A value, or `{"missing": "reason"}`.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WireReading<T> {
    Missing { missing: String },
    Measured(T),
}

/// The context of a capture as JSON text, indented, with a newline at its end.
#[must_use]
pub fn context_to_json(capture: &Capture) -> String {
    let mut text = serde_json::to_string_pretty(&WireContext::from(&**capture))
        .unwrap_or_else(|fault| unreachable!("plain data with text keys always serialises: {fault}"));
    text.push('\n');
    text
}

/// The parts of a capture, stamps and samples still empty, from JSON text of any version up to [`VERSION`].
///
/// # Errors
/// Text that is no context (with line and column), a newer version, or a value outside its list.
pub fn context_from_json(text: &str) -> Result<CaptureParts, CaptureError> {
    #[derive(Deserialize)]
    struct Versioned {
        framecost_capture: u32,
    }
    let fault = |error: serde_json::Error| CaptureError::new(error.to_string());
    let Versioned { framecost_capture: version } = serde_json::from_str(text).map_err(fault)?;
    match version {
        VERSION => parts_from(serde_json::from_str(text).map_err(fault)?),
        other => Err(CaptureError::new(format!(
            "capture version {other} is not known; this framecost reads versions 1 to {VERSION}"
        ))),
    }
}

/// A key as JSON text on one line. Equal keys give equal text, so that it may be hashed.
#[must_use]
pub fn key_to_json(key: &Key) -> String {
    serde_json::to_string(&WireKey::from(key))
        .unwrap_or_else(|fault| unreachable!("plain data with text keys always serialises: {fault}"))
}

/// The key that [`key_to_json`] wrote.
///
/// # Errors
/// Text that is no key (with line and column), or a value outside its list.
pub fn key_from_json(text: &str) -> Result<Key, CaptureError> {
    key_from(serde_json::from_str(text).map_err(|error| CaptureError::new(error.to_string()))?)
}

impl<T> WireReading<T> {
    fn write<U>(reading: &Reading<U>, value: impl FnOnce(&U) -> T) -> Self {
        match reading {
            Reading::Measured(it) => Self::Measured(value(it)),
            Reading::Missing(reason) => Self::Missing { missing: reason.to_string() },
        }
    }

    fn read(self, place: &str) -> Result<Reading<T>, CaptureError> {
        match self {
            Self::Measured(value) => Ok(Reading::Measured(value)),
            Self::Missing { missing } => Reason::from_text(&missing)
                .map(Reading::Missing)
                .ok_or_else(|| unknown(place, "reason", &missing, "docs/format.md lists them")),
        }
    }
}

impl From<&CaptureParts> for WireContext {
    fn from(parts: &CaptureParts) -> Self {
        let pass_name = |id: PassId| parts.passes[usize::from(id.0)].name.clone();
        Self {
            framecost_capture: VERSION,
            producer: parts.producer.clone(),
            started_at: parts.started_at.clone(),
            key: WireKey::from(&parts.key),
            environment: parts.environment.facts.iter().map(WireFact::from).collect(),
            counts: WireCounts {
                start_up: parts.counts.start_up,
                warm_up: parts.counts.warm_up,
                measured: parts.counts.measured,
                dropped: parts.counts.dropped,
            },
            frames: runs_of(&parts.frames),
            clocks: parts.clocks.iter().map(WireClock::from).collect(),
            queues: parts
                .queues
                .iter()
                .map(|q| WireQueue { name: q.name.clone(), clock: q.clock.0 })
                .collect(),
            passes: parts
                .passes
                .iter()
                .map(|p| WirePass { name: p.name.clone(), semantics: p.semantics.name().into() })
                .collect(),
            gates: parts
                .gates
                .iter()
                .map(|g| WireGate { name: g.name.clone(), from: pass_name(g.from), to: pass_name(g.to) })
                .collect(),
            metrics: parts.metrics.iter().map(WireMetric::from).collect(),
            figures: parts
                .figures
                .iter()
                .map(|figure| {
                    let name = parts.metrics[usize::from(figure.metric.0)].name.clone();
                    (name, WireReading::write(&figure.reading, |value| *value))
                })
                .collect(),
        }
    }
}

impl From<&Key> for WireKey {
    fn from(key: &Key) -> Self {
        Self {
            benchmark: key.benchmark.clone(),
            scene: key.scene.clone(),
            switches: key.switches.0.clone(),
            adapter: key.adapter.clone(),
            adapter_class: key.adapter_class.name().into(),
            backend: key.backend.clone(),
            size: key.size.map(|size| (size.width, size.height)),
            settings_hash: key.settings_hash.clone(),
            instrumentation: key.instrumentation.0.clone(),
            frames_in_flight: key.frames_in_flight,
        }
    }
}

impl From<&Fact> for WireFact {
    fn from(fact: &Fact) -> Self {
        Self {
            name: fact.name.clone(),
            before: WireReading::write(&fact.before, String::clone),
            after: WireReading::write(&fact.after, String::clone),
        }
    }
}

impl From<&Clock> for WireClock {
    fn from(clock: &Clock) -> Self {
        Self {
            name: clock.name.clone(),
            period_ns: clock.period.fraction(),
            valid_bits: clock.valid_bits.bits().into(),
            step_ticks: WireReading::write(&clock.step, |ticks| ticks.0),
            shared_by: match &clock.sharing {
                Sharing::WithinSubmission => None,
                Sharing::AcrossSubmissions { promise } => Some(promise.clone()),
            },
        }
    }
}

impl From<&Metric> for WireMetric {
    fn from(metric: &Metric) -> Self {
        Self {
            name: metric.name.clone(),
            unit: metric.unit.name().into(),
            better: metric.better.name().into(),
            about: metric.about.clone(),
        }
    }
}

fn unknown(place: &str, kind: &str, value: &str, allowed: &str) -> CaptureError {
    let value: String = value.chars().take(80).collect();
    CaptureError::new(format!("{place}: {kind} `{}` is not known; {allowed}", value.escape_debug()))
}

fn parts_from(wire: WireContext) -> Result<CaptureParts, CaptureError> {
    let frames = frames_of(&wire.frames, wire.counts.measured)?;
    let passes = wire.passes.into_iter().map(pass_from).collect::<Result<Vec<_>, _>>()?;
    let gates = wire.gates.into_iter().map(|gate| gate_from(gate, &passes)).collect::<Result<_, _>>()?;
    let metrics = wire.metrics.into_iter().map(metric_from).collect::<Result<Vec<_>, _>>()?;
    let figures =
        wire.figures.into_iter().map(|entry| figure_from(entry, &metrics)).collect::<Result<_, _>>()?;
    Ok(CaptureParts {
        key: key_from(wire.key)?,
        environment: Environment {
            facts: wire.environment.into_iter().map(fact_from).collect::<Result<_, _>>()?,
        },
        producer: wire.producer,
        started_at: wire.started_at,
        clocks: wire.clocks.into_iter().map(clock_from).collect::<Result<_, _>>()?,
        queues: wire.queues.into_iter().map(|q| Queue { name: q.name, clock: ClockId(q.clock) }).collect(),
        passes,
        gates,
        metrics,
        counts: Counts {
            start_up: wire.counts.start_up,
            warm_up: wire.counts.warm_up,
            measured: wire.counts.measured,
            dropped: wire.counts.dropped,
        },
        frames,
        stamps: Vec::new(),
        samples: Vec::new(),
        figures,
    })
}

fn key_from(wire: WireKey) -> Result<Key, CaptureError> {
    let class = AdapterClass::from_name(&wire.adapter_class).ok_or_else(|| {
        let allowed = AdapterClass::ALL.map(AdapterClass::name).join(", ");
        unknown("key", "adapter_class", &wire.adapter_class, &format!("one of {allowed}"))
    })?;
    Ok(Key {
        benchmark: wire.benchmark,
        scene: wire.scene,
        switches: Switches(wire.switches),
        adapter: wire.adapter,
        adapter_class: class,
        backend: wire.backend,
        size: wire.size.map(|(width, height)| Size { width, height }),
        settings_hash: wire.settings_hash,
        instrumentation: Instrumentation(wire.instrumentation),
        frames_in_flight: wire.frames_in_flight,
    })
}

fn fact_from(wire: WireFact) -> Result<Fact, CaptureError> {
    let place = format!("environment `{}`", wire.name.escape_debug());
    Ok(Fact { before: wire.before.read(&place)?, after: wire.after.read(&place)?, name: wire.name })
}

fn clock_from(wire: WireClock) -> Result<Clock, CaptureError> {
    let place = format!("clock `{}`", wire.name.escape_debug());
    let fault = |error: crate::ClockError| CaptureError::new(format!("{place}: {error}"));
    Ok(Clock {
        period: Period::new(wire.period_ns.0, wire.period_ns.1).map_err(fault)?,
        valid_bits: ValidBits::new(wire.valid_bits).map_err(fault)?,
        step: wire.step_ticks.read(&place)?.map(Ticks),
        sharing: match wire.shared_by {
            None => Sharing::WithinSubmission,
            Some(promise) => Sharing::AcrossSubmissions { promise },
        },
        name: wire.name,
    })
}

fn pass_from(wire: WirePass) -> Result<PassDef, CaptureError> {
    let semantics = Semantics::from_name(&wire.semantics).ok_or_else(|| {
        let place = format!("pass `{}`", wire.name.escape_debug());
        let allowed = Semantics::ALL.map(Semantics::name).join(", ");
        unknown(&place, "semantics", &wire.semantics, &format!("one of {allowed}"))
    })?;
    Ok(PassDef { name: wire.name, semantics })
}

fn gate_from(wire: WireGate, passes: &[PassDef]) -> Result<GateDef, CaptureError> {
    let place = format!("gate `{}`", wire.name.escape_debug());
    let find = |name: &str| {
        let index = passes.iter().position(|pass| pass.name == name);
        let id = index.and_then(|index| u16::try_from(index).ok());
        id.map(PassId).ok_or_else(|| unknown(&place, "pass", name, "it names passes of the capture"))
    };
    Ok(GateDef { from: find(&wire.from)?, to: find(&wire.to)?, name: wire.name })
}

fn metric_from(wire: WireMetric) -> Result<Metric, CaptureError> {
    let place = format!("metric `{}`", wire.name.escape_debug());
    let unit = Unit::from_name(&wire.unit).ok_or_else(|| {
        let allowed = Unit::ALL.map(Unit::name).join(", ");
        unknown(&place, "unit", &wire.unit, &format!("one of {allowed}"))
    })?;
    let better = Better::from_name(&wire.better)
        .ok_or_else(|| unknown(&place, "better", &wire.better, "one of lower, higher, neither"))?;
    Ok(Metric { name: wire.name, unit, better, about: wire.about })
}

fn figure_from((name, wire): (String, WireReading<f64>), metrics: &[Metric]) -> Result<Figure, CaptureError> {
    let place = format!("figure `{}`", name.escape_debug());
    let index = metrics.iter().position(|metric| metric.name == name);
    let id = index.and_then(|index| u16::try_from(index).ok());
    let metric = id
        .map(MetricId)
        .ok_or_else(|| unknown(&place, "metric", &name, "it names metrics of the capture"))?;
    Ok(Figure { metric, reading: wire.read(&place)? })
}

fn runs_of(frames: &[u64]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &frame in frames {
        match runs.last_mut() {
            Some((first, count)) if first.checked_add(*count) == Some(frame) => *count += 1,
            _ => runs.push((frame, 1)),
        }
    }
    runs
}

/// The frames that the runs name. A file may claim any number, so more than a capture can hold is refused first.
fn frames_of(runs: &[(u64, u64)], measured: u64) -> Result<Vec<u64>, CaptureError> {
    /// Nine hours at 120 frames a second. Later stages keep about 150 bytes a frame.
    const MOST_FRAMES: u64 = 1 << 22;
    let total = runs.iter().try_fold(0u64, |sum, run| sum.checked_add(run.1));
    if total != Some(measured) || measured > MOST_FRAMES {
        return Err(CaptureError::new(format!(
            "frames: the runs must hold the {measured} measured frames, at most {MOST_FRAMES}"
        )));
    }
    if runs.iter().any(|(first, count)| first.checked_add(*count).is_none()) {
        return Err(CaptureError::new("frames: a run ends past the largest index"));
    }
    Ok(runs.iter().flat_map(|&(first, count)| first..first + count).collect())
}
