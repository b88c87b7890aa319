//! The versioned twin of a capture's context: everything but stamps and samples, which travel as columns.
//! In: a [`Capture`], or JSON text. Out: the other. No other file of this crate knows serde.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::capture::check_context;

use crate::{
    AdapterClass, Better, Capture, CaptureError, CaptureParts, Clock, ClockId, Counts, Environment, Fact,
    Figure, GateDef, Instrumentation, Key, Metric, MetricId, PassDef, PassId, Period, Queue, Reading, Reason,
    Remark, Semantics, Sharing, Size, Switches, Ticks, Unit, ValidBits, bounds,
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
    /// Left out where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<WireRemark>,
    /// Left out where the source says none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    defaults: BTreeMap<String, String>,
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
    #[serde(default)]
    calibration: u64,
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
struct WireRemark {
    place: String,
    cause: String,
    remedy: String,
    times: u64,
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
#[serde(untagged, expecting = "expected a value or {\"missing\": \"REASON\"}")]
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
/// Text that is no context (with line and column), a newer version, or a value that no capture has.
pub fn context_from_json(text: &str) -> Result<CaptureParts, CaptureError> {
    #[derive(Deserialize)]
    struct Versioned {
        framecost_capture: u32,
    }
    let fault = |error: serde_json::Error| CaptureError::new(error.to_string());
    let Versioned { framecost_capture: version } = serde_json::from_str(text).map_err(fault)?;
    match version {
        VERSION => {
            let parts = parts_from(serde_json::from_str(text).map_err(fault)?)?;
            // Here the fault is known to be this text's, and nothing was read for the rest of the capture yet.
            check_context(&parts)?;
            Ok(parts)
        }
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
    let key = key_from(serde_json::from_str(text).map_err(|error| CaptureError::new(error.to_string()))?)?;
    bounds::check_key(&key)?;
    Ok(key)
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
            Self::Missing { missing } => Reason::from_text(&missing).map(Reading::Missing).ok_or_else(|| {
                unknown(&format!("{place}.missing"), &missing, "docs/format.md lists the reasons")
            }),
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
                calibration: parts.counts.calibration,
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
            remarks: parts.remarks.iter().cloned().map(WireRemark::from).collect(),
            defaults: parts.defaults.0.clone(),
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

impl From<Remark> for WireRemark {
    fn from(Remark { place, cause, remedy, times }: Remark) -> Self {
        Self { place, cause, remedy, times }
    }
}

impl From<WireRemark> for Remark {
    fn from(WireRemark { place, cause, remedy, times }: WireRemark) -> Self {
        Self { place, cause, remedy, times }
    }
}

fn unknown(place: &str, value: &str, allowed: &str) -> CaptureError {
    let value: String = value.chars().take(80).collect();
    CaptureError::new(format!("{place} `{}` is not known; {allowed}", value.escape_debug()))
}

fn parts_from(wire: WireContext) -> Result<CaptureParts, CaptureError> {
    let frames = frames_of(&wire.frames, wire.counts.measured)?;
    let passes = entries(wire.passes, "passes", pass_from)?;
    let pass_ids = by_name(passes.iter().map(|pass| &pass.name));
    let gates = entries(wire.gates, "gates", |place, gate| gate_from(place, gate, &pass_ids))?;
    let metrics = entries(wire.metrics, "metrics", metric_from)?;
    let metric_ids = by_name(metrics.iter().map(|metric| &metric.name));
    let figures =
        wire.figures.into_iter().map(|entry| figure_from(entry, &metric_ids)).collect::<Result<_, _>>()?;
    let environment = Environment { facts: entries(wire.environment, "environment", fact_from)? };
    Ok(CaptureParts {
        key: key_from(wire.key)?,
        environment,
        producer: wire.producer,
        started_at: wire.started_at,
        clocks: entries(wire.clocks, "clocks", clock_from)?,
        queues: wire.queues.into_iter().map(|q| Queue { name: q.name, clock: ClockId(q.clock) }).collect(),
        passes,
        gates,
        metrics,
        counts: Counts {
            start_up: wire.counts.start_up,
            warm_up: wire.counts.warm_up,
            calibration: wire.counts.calibration,
            measured: wire.counts.measured,
            dropped: wire.counts.dropped,
        },
        frames,
        stamps: Vec::new(),
        samples: Vec::new(),
        figures,
        remarks: wire.remarks.into_iter().map(Remark::from).collect(),
        defaults: Switches(wire.defaults),
    })
}

/// Each entry of a list, told its place in the file.
fn entries<W, T>(
    list: Vec<W>,
    name: &str,
    from: impl Fn(&str, W) -> Result<T, CaptureError>,
) -> Result<Vec<T>, CaptureError> {
    list.into_iter().enumerate().map(|(i, wire)| from(&format!("{name}[{i}]"), wire)).collect()
}

/// Ids by name. A search through the list for each name would take a hostile file's list squared.
fn by_name<'a>(names: impl Iterator<Item = &'a String>) -> HashMap<String, u16> {
    names.enumerate().filter_map(|(i, name)| Some((name.clone(), u16::try_from(i).ok()?))).collect()
}

fn key_from(wire: WireKey) -> Result<Key, CaptureError> {
    let class = AdapterClass::from_name(&wire.adapter_class).ok_or_else(|| {
        let allowed = AdapterClass::ALL.map(AdapterClass::name).join(", ");
        unknown("key.adapter_class", &wire.adapter_class, &format!("one of {allowed}"))
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

fn fact_from(place: &str, wire: WireFact) -> Result<Fact, CaptureError> {
    let before = wire.before.read(&format!("{place}.before"))?;
    Ok(Fact { before, after: wire.after.read(&format!("{place}.after"))?, name: wire.name })
}

fn clock_from(place: &str, wire: WireClock) -> Result<Clock, CaptureError> {
    let fault = |error: crate::ClockError| CaptureError::new(format!("{place}: {error}"));
    Ok(Clock {
        period: Period::new(wire.period_ns.0, wire.period_ns.1).map_err(fault)?,
        valid_bits: ValidBits::new(wire.valid_bits).map_err(fault)?,
        step: wire.step_ticks.read(&format!("{place}.step_ticks"))?.map(Ticks),
        sharing: match wire.shared_by {
            None => Sharing::WithinSubmission,
            Some(promise) => Sharing::AcrossSubmissions { promise },
        },
        name: wire.name,
    })
}

fn pass_from(place: &str, wire: WirePass) -> Result<PassDef, CaptureError> {
    let semantics = Semantics::from_name(&wire.semantics).ok_or_else(|| {
        let allowed = Semantics::ALL.map(Semantics::name).join(", ");
        unknown(&format!("{place}.semantics"), &wire.semantics, &format!("one of {allowed}"))
    })?;
    Ok(PassDef { name: wire.name, semantics })
}

fn gate_from(place: &str, wire: WireGate, passes: &HashMap<String, u16>) -> Result<GateDef, CaptureError> {
    let find = |end: &str, name: &str| {
        let id = passes.get(name).copied().map(PassId);
        id.ok_or_else(|| unknown(&format!("{place}.{end}"), name, "it names a pass of the capture"))
    };
    Ok(GateDef { from: find("from", &wire.from)?, to: find("to", &wire.to)?, name: wire.name })
}

fn metric_from(place: &str, wire: WireMetric) -> Result<Metric, CaptureError> {
    let unit = Unit::from_name(&wire.unit).ok_or_else(|| {
        let allowed = Unit::ALL.map(Unit::name).join(", ");
        unknown(&format!("{place}.unit"), &wire.unit, &format!("one of {allowed}"))
    })?;
    let better = Better::from_name(&wire.better)
        .ok_or_else(|| unknown(&format!("{place}.better"), &wire.better, "one of lower, higher, neither"))?;
    Ok(Metric { name: wire.name, unit, better, about: wire.about })
}

fn figure_from(
    (name, wire): (String, WireReading<f64>),
    metrics: &HashMap<String, u16>,
) -> Result<Figure, CaptureError> {
    let id = metrics.get(&name).copied().map(MetricId);
    let metric = id.ok_or_else(|| unknown("figures", &name, "it names metrics of the capture"))?;
    Ok(Figure { metric, reading: wire.read(&format!("figures.{}", name.escape_debug()))? })
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
    let most = Capture::MOST_FRAMES;
    let total = runs.iter().try_fold(0u64, |sum, run| sum.checked_add(run.1));
    if total != Some(measured) || measured > most {
        return Err(CaptureError::new(format!(
            "frames: the runs must hold the {measured} frames of counts.measured, at most {most}"
        )));
    }
    if let Some(i) = runs.iter().position(|(first, count)| first.checked_add(*count).is_none()) {
        return Err(CaptureError::new(format!("frames[{i}] ends past the largest index, {}", u64::MAX)));
    }
    Ok(runs.iter().flat_map(|&(first, count)| first..first + count).collect())
}
