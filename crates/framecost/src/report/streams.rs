//! What somebody's file holds: its streams, its columns, who wrote it. In: a [`Log`]. Out: plain data, and the same as text or
//! JSON. Names in it are as the file gives them: each format escapes them.

use serde::Serialize;

use super::Style;
use super::escape::terminal;
use super::format::{dash, percent, value};
use super::json::to_text;
use super::table::{Paint, Table, left, name, paint, right};
use crate::counted;
use crate::finding::Finding;
use crate::read::{Cell, Cells, Column, Log, LogFigure, Missing, Role, SetAside, Stream, Zero};
use crate::stats::{P95_LEAST, P99_LEAST, select7};
use framecost_sample::Unit;

/// A file, read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StreamsReport {
    framecost_log: u32,
    format: &'static str,
    producer: OfProducer,
    rows: u64,
    streams: Vec<OfStream>,
    columns: Vec<OfColumn>,
    /// Of a file that holds figures and no frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    figures: Vec<OfFigure>,
    set_aside: OfSetAside,
    findings: Vec<OfFinding>,
    facts: std::collections::BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct OfProducer {
    tool: String,
    version: String,
    measures_like: String,
    evidence: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct OfStream {
    stream: String,
    application: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    swap_chain: Option<u64>,
    rows: u64,
    dropped: Dropped,
    generated: u64,
    /// From its first to its last row; none where rows have no time.
    #[serde(skip_serializing_if = "Option::is_none")]
    span_ns: Option<f64>,
    sampling: String,
    frame_time: Times,
    #[serde(skip_serializing_if = "Option::is_none")]
    with_set_aside: Option<Times>,
}

/// How many presents were never shown, or that the file does not say.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
enum Dropped {
    Count(u64),
    Missing { missing: &'static str },
}

/// A few statistics of frame times, in nanoseconds and frames a second.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Times {
    frames: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    median_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p95_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p99_ns: Option<f64>,
    #[serde(rename = "low.pct.r7.time@1%", skip_serializing_if = "Option::is_none")]
    low_fps: Option<f64>,
    /// Why the tail is not given, where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    withheld: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct OfColumn {
    name: String,
    quantity: String,
    unit: &'static str,
    missing: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct OfFigure {
    of: String,
    name: String,
    value: OfValue,
    unit: &'static str,
    definition: &'static str,
    line: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
enum OfValue {
    Value(f64),
    Missing { missing: &'static str },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct OfSetAside {
    rows: u64,
    by_damage: std::collections::BTreeMap<&'static str, u64>,
    first: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct OfFinding {
    place: String,
    cause: String,
    remedy: String,
    times: u64,
}

impl StreamsReport {
    /// What a log holds.
    #[must_use]
    pub fn of(log: &Log) -> Self {
        let finding = |it: &Finding| OfFinding {
            place: it.place.clone(),
            cause: it.cause.clone(),
            remedy: it.remedy.clone(),
            times: it.times,
        };
        let producer = &log.producer;
        Self {
            framecost_log: 1,
            format: log.format.name(),
            producer: OfProducer {
                tool: producer.tool.clone(),
                version: producer.version.clone(),
                measures_like: producer.class.clone(),
                evidence: producer.evidence.clone(),
            },
            rows: log.rows(),
            streams: log.streams.iter().map(|stream| OfStream::of(stream, log)).collect(),
            columns: log.columns.iter().map(OfColumn::of).collect(),
            figures: log.figures.iter().map(OfFigure::of).collect(),
            set_aside: OfSetAside {
                rows: log.quarantine.total(),
                by_damage: log.quarantine.counts.iter().map(|(damage, n)| (damage.name(), *n)).collect(),
                first: log.quarantine.rows.iter().map(SetAside::to_string).collect(),
            },
            findings: log.findings.iter().map(finding).collect(),
            facts: log.facts.clone(),
        }
    }
}

impl OfStream {
    fn of(stream: &Stream, log: &Log) -> Self {
        let nanos = |place: Option<usize>| place.and_then(|place| log.columns.get(place)?.unit.nanos());
        let span = stream.span.zip(nanos(log.basis.time));
        let counts = &stream.counts;
        let dropped = match counts.unsaid == counts.presented {
            true if counts.presented > 0 => Dropped::Missing { missing: "the file does not say" },
            _ => Dropped::Count(counts.dropped),
        };
        let factor = nanos(log.basis.interval).unwrap_or(1.0);
        let cells = log.basis.interval.and_then(|place| stream.cells.get(place));
        let mut times = Vec::with_capacity(cells.map_or(0, Cells::len));
        times.extend(cells.into_iter().flat_map(Cells::iter).filter_map(Cell::value));
        let salvaged = log.quarantine.salvaged.iter().filter(|it| it.stream == stream.id);
        let salvaged: Vec<f64> = salvaged.map(|it| it.frame_time).collect();
        let sampled = stream.sampling.coverage() == framecost_sample::Coverage::Sampled;
        let with = (!salvaged.is_empty())
            .then(|| Times::of(times.iter().copied().chain(salvaged).collect(), factor, sampled));
        Self {
            stream: stream.id.to_string(),
            application: stream.id.application.clone(),
            process: stream.id.process,
            swap_chain: stream.id.swap_chain,
            rows: counts.presented,
            dropped,
            generated: counts.generated,
            span_ns: span.map(|((first, last), nanos)| (last - first) * nanos),
            sampling: stream.sampling.to_string(),
            frame_time: Times::of(times, factor, sampled),
            with_set_aside: with,
        }
    }
}

impl Times {
    /// Of frame times in a unit of so many nanoseconds. Times of 0 are no frame's.
    fn of(mut times: Vec<f64>, nanos: f64, sampled: bool) -> Self {
        times.retain(|time| *time > 0.0 && time.is_finite());
        let frames = times.len() as u64;
        let quantiles = select7(&mut times, [0.5, 0.95, 0.99]);
        let [median, p95, p99] = quantiles.map(|time| time.map(|time| time * nanos));
        let tail = |time: Option<f64>, least: u64| time.filter(|_| frames >= least && !sampled);
        let (p95, p99) = (tail(p95, P95_LEAST), tail(p99, P99_LEAST));
        let withheld = match sampled {
            true => Some("the log is sampled: its tail is not that of the frames".to_owned()),
            false if frames < P99_LEAST => Some(crate::stats::lack(frames, P99_LEAST)),
            false => None,
        };
        Self {
            frames,
            median_ns: median,
            p95_ns: p95,
            p99_ns: p99,
            low_fps: p99.filter(|_| frames >= 1000).map(|time| 1e9 / time),
            withheld,
        }
    }
}

impl OfFigure {
    fn of(figure: &LogFigure) -> Self {
        Self {
            of: figure.of.clone(),
            name: figure.name.clone(),
            value: match figure.value {
                Cell::Value(value) => OfValue::Value(value),
                Cell::Gap(gap) => OfValue::Missing { missing: gap.name() },
            },
            unit: figure.unit.name(),
            definition: figure.definition,
            line: figure.line,
        }
    }
}

impl OfColumn {
    fn of(column: &Column) -> Self {
        Self {
            name: column.name.clone(),
            quantity: match column.role {
                Role::Of(quantity) => quantity.name().to_owned(),
                other => format!("{other:?}"),
            },
            unit: column.unit.name(),
            missing: rule(&column.missing),
            evidence: column.evidence.clone(),
        }
    }
}

/// When a column's values are missing, in words.
fn rule(missing: &Missing) -> String {
    let mut parts: Vec<String> =
        missing.texts.iter().map(|(text, gap)| format!("`{text}`: {}", gap.name())).collect();
    match missing.zero {
        Zero::Value => {}
        Zero::Gap(gap) => parts.push(format!("0: {}", gap.name())),
        Zero::ByGpu { unseen, .. } => parts.push(format!("0 where no GPU work was seen: {}", unseen.name())),
    }
    parts.extend(missing.unless_displayed.then(|| "where never shown".to_owned()));
    parts.extend(missing.unless_generated.then(|| "on generated frames".to_owned()));
    parts.extend(missing.needs_previous.then(|| "0 on the first row".to_owned()));
    if parts.is_empty() { "never".into() } else { parts.join(", ") }
}

/// The file's streams as JSON text.
#[must_use]
pub fn streams_json(report: &StreamsReport) -> String {
    to_text(report)
}

/// Who wrote the file, and its streams, the largest first, for a terminal.
#[must_use]
pub fn streams_text(file: &str, report: &StreamsReport, style: &Style) -> String {
    let mut lines = heading(file, report, style);
    if report.streams.is_empty() {
        lines.extend(figures(report, style));
        lines.push(String::new());
        return lines.join("\n");
    }
    let mut table = Table::new(vec![
        name("application"),
        right("process", 0),
        right("swap chain", 0),
        right("rows", 0),
        right("dropped", 0),
        right("generated", 3),
        right("time span", 1),
        right("median", 0),
        right("p95", 2),
        right("p99", 1),
        right(LOW, 2),
        left("frames", 4),
    ]);
    let mut streams: Vec<&OfStream> = report.streams.iter().collect();
    streams.sort_by_key(|stream| std::cmp::Reverse(stream.rows));
    for stream in streams {
        let time = |ns: Option<f64>| ns.map_or_else(|| dash(style).into(), |ns| value(ns, Unit::Nanos));
        let times = &stream.frame_time;
        table.push(vec![
            terminal(&stream.application),
            stream.process.map_or_else(|| dash(style).into(), |it| it.to_string()),
            stream.swap_chain.map_or_else(|| dash(style).into(), |it| format!("0x{it:X}")),
            stream.rows.to_string(),
            match &stream.dropped {
                Dropped::Count(count) => count.to_string(),
                Dropped::Missing { .. } => dash(style).into(),
            },
            stream.generated.to_string(),
            stream.span_ns.map_or_else(|| dash(style).into(), span),
            time(times.median_ns),
            time(times.p95_ns),
            time(times.p99_ns),
            times.low_fps.map_or_else(|| dash(style).into(), |fps| format!("{fps:.1} fps")),
            terminal(stream.sampling.split(':').next().unwrap_or_default()),
        ]);
    }
    let shown = table.lines(2, style);
    let has = |title: &str| shown.first().is_some_and(|titles| titles.contains(title));
    let (low, all) = (has(LOW), has("frames"));
    lines.extend(shown);
    lines.extend(with_set_aside(report));
    if low && report.streams.iter().any(|it| it.frame_time.low_fps.is_some()) {
        lines.push("  1 % low: low.pct.r7.time@1%, one of many; framecost explain shows them all".into());
    }
    lines.extend(
        (!all).then(|| "  some columns are left out for want of width; --json has them all".to_owned()),
    );
    lines.push(String::new());
    lines.join("\n")
}

/// Figures that are shown of a file; JSON has them all.
const MOST_FIGURES: usize = 40;

/// What a file without frames holds.
fn figures(report: &StreamsReport, style: &Style) -> Vec<String> {
    let mut table = Table::new(vec![
        name("of"),
        name("figure"),
        right("value", 0),
        left("unit", 0),
        left("what it is", 1),
    ]);
    for it in report.figures.iter().take(MOST_FIGURES) {
        let value = match &it.value {
            OfValue::Value(value) => value.to_string(),
            OfValue::Missing { .. } => dash(style).into(),
        };
        table.push(vec![terminal(&it.of), terminal(&it.name), value, it.unit.into(), it.definition.into()]);
    }
    let mut lines = vec!["  figures of runs or zones, and no frames: nothing to import".to_owned()];
    lines.extend(table.lines(2, style));
    let more = report.figures.len().saturating_sub(MOST_FIGURES);
    lines.extend((more > 0).then(|| format!("  and {more} more; --json has them")));
    lines
}

const LOW: &str = "1 % low";

/// A log's time from its first to its last row: of hours in hours.
fn span(ns: f64) -> String {
    const HOUR: f64 = 3600e9;
    if ns >= 2.0 * HOUR { format!("{:.2} h", ns / HOUR) } else { value(ns, Unit::Nanos) }
}

fn heading(file: &str, report: &StreamsReport, style: &Style) -> Vec<String> {
    let producer = &report.producer;
    let of = format!("{} {}", producer.tool, producer.version);
    vec![
        paint(&terminal(file), Paint::Bold, style),
        terminal(&format!("{}, by {} (inferred: {})", report.format, of.trim(), producer.evidence)),
        format!("{} in {}", counted(report.rows, "row"), counted(report.streams.len() as u64, "stream")),
    ]
}

/// What the rows that were set aside would change.
fn with_set_aside(report: &StreamsReport) -> Vec<String> {
    let of = |stream: &OfStream| {
        let with = stream.with_set_aside.as_ref()?;
        let (now, then) = (stream.frame_time.median_ns?, with.median_ns?);
        let p99 = match (stream.frame_time.p99_ns, with.p99_ns) {
            (Some(now), Some(then)) => format!(", p99 by {}", percent(then / now - 1.0)),
            _ => String::new(),
        };
        let rows = with.frames - stream.frame_time.frames;
        Some(terminal(&format!(
            "  {}: {} set aside would change the median by {}{p99}",
            stream.stream,
            counted(rows, "row"),
            percent(then / now - 1.0)
        )))
    };
    report.streams.iter().filter_map(of).collect()
}

/// What each column of the file is, for a terminal.
#[must_use]
pub fn columns_text(file: &str, report: &StreamsReport, style: &Style) -> String {
    let mut lines = heading(file, report, style);
    let mut table = Table::new(vec![
        name("column"),
        left("what it is", 0),
        left("unit", 0),
        left("missing", 1),
        left("inferred", 2),
    ]);
    for column in &report.columns {
        table.push(vec![
            terminal(&column.name),
            column.quantity.clone(),
            column.unit.into(),
            terminal(&column.missing),
            terminal(column.evidence.as_deref().unwrap_or_default()),
        ]);
    }
    lines.extend(table.lines(2, style));
    lines.push(String::new());
    lines.join("\n")
}
