//! NVIDIA FrameView's logs and summaries. In: a header; for a summary the whole text. Out: how the rows of a log are read; a
//! summary's figures.
//!
//! A log has PresentMon's columns and sensors behind them, a hundred of them at times. Numbers are padded with blanks, names hold
//! blanks, brackets and percent signs, times do not begin at 0, and the resolution can change in mid-file.

use super::figure::{FigureTable, KnownFigure, figure};
use super::format::{Format, Head};
use super::log::{Cell, FileUnit, Gap, Log, Producer, Role, Zero};
use super::plan::TablePlan;
use super::presentmon::{self, Kin};
use super::quantity::Quantity;
use super::table::known::{Known, NA_FIRST, UNKNOWN, ms, number, sensor, text};
use super::text::Encoding;
use super::{Options, ReadError};
use crate::{Finding, counted};

use FileUnit::{Count, Millis, Unknown};

/// What PresentMon's tables do not have. A clock, a temperature or a power of 0 is a sensor that was not read; loads may be 0.
const COLUMNS: &[Known] = &[
    text(&["gpu"], Role::Other),
    text(&["cpu"], Role::Other),
    text(&["resolution"], Role::Other),
    ms(&["msbetweendisplaychangeactual"], Quantity::DisplayedInterval, NA_FIRST, Zero::Gap(Gap::NoPrevious)),
    Known { strict: false, ..number(&["render queue depth"], Role::Of(Quantity::RenderQueueDepth)) },
    sensor(&["gpu0clk*", "gpu1clk*", "gpu0memclk*", "gpu1memclk*", "cpuclk*"], UNKNOWN),
    sensor(&["gpu0temp*", "gpu1temp*", "cpu package temp*"], UNKNOWN),
    sensor(&["pcat power*", "gpuonlypwr*", "gpuonlypower*", "nv-total*", "nv pwr*", "nv power*"], UNKNOWN),
    sensor(&["amdpwr*", "amd power*", "cpu package power*", "cpu tdp*"], UNKNOWN),
    sensor(&["gpu0util*", "gpu1util*", "cpuutil*", "cpucoreutil*"], Zero::Value),
    sensor(&["perf/w*"], UNKNOWN),
    sensor(&["current battery*", "total battery*"], UNKNOWN),
    sensor(&["battery*"], Zero::Value),
];

/// A header's marks, each with the versions that have it, the latest first.
const VERSIONS: &[(&[&str], &str, &str)] = &[
    (&["mspclatency"], "1.4 or later", "MsPCLatency"),
    (&["gpu0memclk(mhz)", "battery percentage"], "1.2 or 1.3", "memory clocks or battery"),
    (
        &["msrenderpresentlatency", "render queue depth"],
        "1.1",
        "MsRenderPresentLatency or Render Queue Depth",
    ),
];
/// What is older than all of them.
const OLDEST: (&str, &str) = ("0.9 or 1.0", "no Render Queue Depth");

/// Whether a file is a log of FrameView.
pub(super) fn matches(head: &Head<'_>) -> bool {
    let own = |name: &String| {
        Known::of(COLUMNS, name).is_some_and(|known| known.role != Role::Other || !known.strict)
    };
    head.has(&["processid", "swapchainaddress", "msbetweenpresents"]) && head.lower.iter().any(own)
}

/// How a log with this header is read.
pub(super) fn plan(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    let kin = Kin {
        format: "frameview".into(),
        v1: true,
        zeros: true,
        seconds: false,
        own: COLUMNS,
        columns: head.names.len(),
    };
    let mut findings = Vec::new();
    let mut layout = presentmon::lay_out(head, &kin, &mut findings)?;
    for plan in &mut layout.columns {
        plan.needed |= plan.column.name.eq_ignore_ascii_case("resolution");
    }
    let marked = VERSIONS.iter().find(|(marks, ..)| marks.iter().any(|mark| head.has(&[mark])));
    let (version, marks) = marked.map_or(OLDEST, |(_, version, marks)| (version, marks));
    // Before 1.1 the change of the display is measured otherwise, as its name says.
    let class = if head.has(&["msbetweendisplaychangeactual"]) { "FrameView 0.9" } else { "FrameView 1.1" };
    Ok(TablePlan {
        start: head.start(),
        layout,
        producer: Producer {
            tool: "FrameView".into(),
            version: version.into(),
            class: class.into(),
            evidence: format!("header with {marks}"),
        },
        facts: head.facts(),
        findings,
        finish,
    })
}

fn finish(log: &mut Log) -> Result<(), ReadError> {
    presentmon::finish(log)?;
    for name in ["gpu", "cpu"] {
        let column = log.columns.iter().find(|column| column.name.eq_ignore_ascii_case(name));
        let texts = column.map(|column| column.texts.iter().filter(|text| *text != "NA" && !text.is_empty()));
        let texts: Vec<String> = texts
            .into_iter()
            .flatten()
            .take(5)
            .map(|text| super::error::shown(text.as_bytes(), 200))
            .collect();
        if !texts.is_empty() {
            log.facts.insert(name.into(), texts.join("; "));
        }
    }
    resolution(log);
    Ok(())
}

/// A change of the resolution is a change of what is measured.
fn resolution(log: &mut Log) {
    let Some(place) = log.columns.iter().position(|it| it.name.eq_ignore_ascii_case("resolution")) else {
        return;
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of the list of texts"
    )]
    let text = |value: f64| {
        let text = log.columns[place].texts.get(value as usize);
        super::error::shown(text.map_or("", String::as_str).as_bytes(), 40)
    };
    for stream in &log.streams {
        let mut before = None;
        let (mut changes, mut first) = (0, None);
        for (row, cell) in stream.cells[place].iter().enumerate() {
            let Cell::Value(value) = cell else { continue };
            if let Some(old) = before.filter(|old| *old != value) {
                changes += 1;
                first.get_or_insert((old, value, stream.lines[row]));
            }
            before = Some(value);
        }
        if let Some((old, new, line)) = first {
            log.findings.push(Finding {
                place: stream.id.to_string(),
                cause: format!(
                    "the resolution changes {}, first from {} to {} on line {line}",
                    counted(changes, "time"),
                    text(old),
                    text(new)
                ),
                remedy: "compare stretches of one resolution alone".into(),
                times: changes,
            });
        }
    }
}

const WORST: &str = "frame rate of the mean of the longest frames of that share, as the two families of one file together tell";
const PERCENTILE: &str =
    "frame rate at that percentile of the frame times, as the two families of one file together tell";
const MEAN: &str = "mean over the run";

/// The figures of a summary.
const FIGURES: &[KnownFigure] = &[
    figure(&["avg fps"], Count, "frames per second over the run"),
    figure(&["min fps", "max fps"], Count, "frame rate of the longest or the shortest frame"),
    figure(&["1% low fps", "0.1% low fps"], Count, WORST),
    figure(&["0.1% fps", "1% fps", "5% fps", "10% fps"], Count, PERCENTILE),
    figure(
        &["time (ms)"],
        Unknown,
        "how long the run was; named for ms, and seconds in the files that are known",
    ),
    figure(
        &["avgpclatency (ms)", "minpclatency (ms)", "maxpclatency (ms)"],
        Millis,
        "PC latency over the run, itself smoothed by the tool",
    ),
    figure(&["renderpresentlatency (ms)"], Millis, MEAN),
    none_at_zero(&["gpu0clk(mhz)", "gpu1clk(mhz)", "gpu0memclk(mhz)", "gpu1memclk(mhz)", "cpuclk(mhz)"]),
    none_at_zero(&["gpu0 temp (c)", "gpu1 temp (c)", "cpu temp (c)"]),
    none_at_zero(&["pcat power (watts)", "gpu nv power (watts) (api)", "cpu package power(watts)"]),
    none_at_zero(&["perf/watt (f/j) (pcat)", "perf/watt (f/j) (api)"]),
    figure(&["gpu0 util%", "gpu1 util%", "cpu util %"], Count, MEAN),
    none_at_zero(&["current battery capacity(wh)", "total battery capacity(wh)"]),
    figure(&["battery percentage", "battery drain rate(w)", "battery charge rate(w)"], Count, MEAN),
];

const fn none_at_zero(names: &'static [&'static str]) -> KnownFigure {
    KnownFigure { zero_is_none: true, ..figure(names, Count, MEAN) }
}

/// A summary's columns of text, each with its fact.
const TEXTS: &[(&str, &str)] = &[
    ("timestamp", ""),
    ("application", "application"),
    ("log name", ""),
    ("gpu0", "gpu"),
    ("gpu1", "second gpu"),
    ("cpu", "cpu"),
    ("resolution", "resolution"),
    ("runtime", "runtime"),
    ("os", "os"),
    ("gpu base driver", "driver"),
    ("gpu driver package", "driver package"),
    ("system ram", "ram"),
    ("motherboard", "motherboard"),
];

const SUMMARY: FigureTable = FigureTable {
    format: Format::FrameViewSummary,
    figures: FIGURES,
    texts: TEXTS,
    of: &["timestamp", "application", "log name"],
    open_name: false,
};

/// Whether a file is a summary of FrameView.
pub(super) fn matches_summary(head: &Head<'_>) -> bool {
    head.has(&["timestamp", "log name", "avg fps"])
}

/// Reads a summary, one run a row.
pub(super) fn read_summary(text: &[u8], _: &Options) -> Result<Log, ReadError> {
    let head = Head::of(text, Encoding::Plain)?;
    if !matches_summary(&head) {
        return Err(ReadError::MissingColumns {
            format: Format::FrameViewSummary.name().into(),
            missing: vec!["TimeStamp, Log Name or Avg FPS".into()],
            present: head.names.iter().map(|name| super::error::shown(name.as_bytes(), 40)).collect(),
        });
    }
    let late = head.has(&["avgpclatency (ms)"]);
    let (version, marks) =
        if late { ("1.4 or later", "with AvgPCLatency") } else { ("before 1.4", "without AvgPCLatency") };
    let producer = Producer {
        tool: "FrameView".into(),
        version: version.into(),
        class: "FrameView summary".into(),
        evidence: format!("a summary's header {marks}"),
    };
    let mut log = super::figure::read(&SUMMARY, text, &head, producer)?;
    length_of_runs(&mut log);
    Ok(log)
}

/// The column that is named for milliseconds: where the time from the log's name to the summary's stamp says seconds, it is those.
fn length_of_runs(log: &mut Log) {
    let mut said = 0;
    for figure in log.figures.iter_mut().filter(|figure| figure.name.eq_ignore_ascii_case("time (ms)")) {
        let Some((stamp, name)) = figure.of.split_once(", ") else { continue };
        let elapsed =
            time_of_day(stamp).zip(time_of_day(name)).map(|(end, start)| (end - start).rem_euclid(86_400.0));
        let (Some(elapsed), Cell::Value(value)) = (elapsed, figure.value) else { continue };
        // Stamps are whole seconds, and the tool needs a moment to begin and to write.
        if (value - elapsed).abs() <= 3.0 {
            figure.unit = FileUnit::Seconds;
            said += 1;
        } else if (value / 1000.0 - elapsed).abs() <= 3.0 {
            figure.unit = Millis;
        }
    }
    if said > 0 {
        log.findings.push(Finding {
            place: "column Time (ms)".into(),
            cause: "it is named for ms and holds s: that is how long it is from the log's name to the summary's stamp".into(),
            remedy: "nothing: it is read as what it holds".into(),
            times: said,
        });
    }
}

/// Seconds of the day behind the last `T` that six digits follow.
fn time_of_day(text: &str) -> Option<f64> {
    let digits = text
        .rsplit('T')
        .find_map(|part| part.get(..6).filter(|it| it.bytes().all(|byte| byte.is_ascii_digit())))?;
    let part = |range: std::ops::Range<usize>| digits.get(range)?.parse::<f64>().ok();
    Some(part(0..2)? * 3600.0 + part(2..4)? * 60.0 + part(4..6)?)
}
