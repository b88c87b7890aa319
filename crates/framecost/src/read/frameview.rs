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
use super::table::known::{Known, NA, NA_FIRST, UNKNOWN, ms, number, sensor, text};
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
    Known { missing: NA, ..number(&["render queue depth"], Role::Of(Quantity::RenderQueueDepth)) },
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
    let text = |number: usize| {
        let text = log.columns[place].texts.get(number);
        super::error::shown(text.map_or("", String::as_str).as_bytes(), 40)
    };
    for stream in &log.streams {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of the list of texts"
        )]
        let numbers = stream.cells[place].iter().map(|cell| cell.value().map(|value| value as usize));
        let mut before = None;
        let (mut changes, mut first) = (0, None);
        for (number, line) in numbers.zip(&stream.lines) {
            let Some(number) = number else { continue };
            if let Some(old) = before.filter(|old| *old != number) {
                changes += 1;
                first.get_or_insert((old, number, *line));
            }
            before = Some(number);
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

#[cfg(test)]
mod tests {
    use super::super::{Options, detect, read};
    use super::*;

    const HEADER: &str = "Application,GPU,CPU,Resolution,Runtime,AllowsTearing,ProcessID,SwapChainAddress,SyncInterval,PresentFlags,\
                          PresentMode,Dropped,TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,\
                          MsRenderPresentLatency,MsUntilDisplayed,Render Queue Depth,MsPCLatency,GPU0Clk(MHz),GPU0Util(%),\
                          GPU0Temp(C),Perf/W Total(F/J) (API),NV Pwr(W) (API),CPUUtil(%),CPUCoreUtil%[ 0],CPUCoreUtil%[ 1],\
                          CPUCoreUtil%[63],Battery Percentage\n";

    fn row(i: u32, resolution: &str, dropped: bool) -> String {
        let time = 4328.0 + f64::from(i) * 0.016;
        let shown = if dropped {
            "1,{t},16.000,0.000,0.500,3.000,0.000,0.150,NA"
        } else {
            "0,{t},16.000,16.000,0.500,3.000,20.000,0.150,80.500"
        };
        let shown = shown.replace("{t}", &format!("{time:.6}"));
        format!(
            "game.exe,Some GPU,Some CPU,{resolution},D3D12,0,42,0xA0,0,0,Other,{shown},2775, 0,0,0.652,145, 31, 50,  7,NA,NA\n"
        )
    }

    fn log(text: &str) -> Log {
        read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn cell(log: &Log, row: usize, name: &str) -> Cell {
        let column = log.columns.iter().position(|column| column.name == name);
        log.streams[0].cell(row, column.unwrap_or_else(|| panic!("no {name}"))).unwrap()
    }

    #[test]
    fn padded_numbers_and_names_with_blanks_are_read() {
        let text = format!("{HEADER}{}{}", row(0, "1920x1080", false), row(1, "1920x1080", true));
        assert_eq!(detect(text.as_bytes()).unwrap().name(), "frameview");
        let log = log(&text);
        assert_eq!((log.producer.version.as_str(), log.streams[0].counts.dropped), ("1.4 or later", 1));
        let names = ["CPUUtil(%)", "CPUCoreUtil%[ 0]", "CPUCoreUtil%[ 1]", "GPU0Util(%)"];
        assert_eq!(names.map(|name| cell(&log, 0, name)), [31.0, 50.0, 7.0, 0.0].map(Cell::Value));
        assert_eq!(cell(&log, 0, "CPUCoreUtil%[63]"), Cell::Gap(Gap::NotWritten));
        assert_eq!(cell(&log, 0, "GPU0Temp(C)"), Cell::Gap(Gap::Unknown), "no GPU is at 0 degrees");
        assert_eq!(
            ["MsPCLatency", "MsUntilDisplayed"].map(|name| cell(&log, 0, name)),
            [80.5, 20.0].map(Cell::Value)
        );
        assert_eq!(cell(&log, 1, "MsUntilDisplayed"), Cell::Gap(Gap::NotDisplayed));
        assert_eq!(cell(&log, 1, "MsPCLatency"), Cell::Gap(Gap::NotWritten));
        assert_eq!([log.facts["gpu"].as_str(), &log.facts["cpu"]], ["Some GPU", "Some CPU"]);
        assert_eq!(log.streams[0].span, Some((4328.0, 4328.016)), "time does not begin at 0");
        assert!(log.findings.iter().all(|finding| finding.place == "columns"), "{:?}", log.findings);
    }

    #[test]
    fn a_change_of_the_resolution_is_said() {
        let rows: String =
            (0..6).map(|i| row(i, if i < 3 { "3840x2160" } else { "WINDOWED" }, false)).collect();
        let log = log(&format!("{HEADER}{rows}"));
        let found = log.findings.iter().find(|it| it.cause.contains("resolution")).unwrap();
        assert_eq!(found.cause, "the resolution changes 1 time, first from 3840x2160 to WINDOWED on line 5");
    }

    #[test]
    fn versions_are_told_by_their_marks() {
        let version = |header: &str| {
            let fields = header.trim_end().split(',').map(|name| match name {
                "TimeInSeconds" => "1.0",
                "Application" => "game.exe",
                "ProcessID" => "1",
                "SwapChainAddress" => "0xA",
                _ => "2",
            });
            let row: Vec<&str> = fields.collect();
            let log = log(&format!("{header}\n{}\n", row.join(",")));
            (log.producer.version, log.producer.class)
        };
        let without = |header: &str, names: &[&str]| {
            let left = header.trim_end().split(',').filter(|name| !names.contains(name));
            left.collect::<Vec<_>>().join(",")
        };
        let v1_2 = without(HEADER, &["MsPCLatency"]);
        let v1_1 = without(&v1_2, &["Battery Percentage"]);
        let v1_0 = without(&v1_1, &["Render Queue Depth"])
            .replace("MsRenderPresentLatency", "MsUntilRenderComplete")
            .replace("MsBetweenDisplayChange", "MsBetweenDisplayChangeActual");
        let versions = [HEADER.trim_end().to_owned(), v1_2, v1_1, v1_0].map(|header| version(&header).0);
        assert_eq!(versions, ["1.4 or later", "1.2 or 1.3", "1.1", "0.9 or 1.0"]);
    }

    const SUMMARY: &str =
        "TimeStamp,Application,Log Name,GPU0,Avg FPS,1% Low FPS,    ,1% FPS,Time (ms),GPU0 Temp (C)\n";

    #[test]
    fn both_families_of_lows_stand_side_by_side_and_a_name_may_be_blank() {
        let text = format!(
            "{SUMMARY}2024-04-16T234815,game.exe,FrameView_game.exe_2024_04_16T234745_Log.csv,Some GPU,68.4,45.1,  ,56.8,29.992,0.000\n"
        );
        assert_eq!(detect(text.as_bytes()).unwrap().name(), "frameview-summary");
        let log = log(&text);
        let figure = |name: &str| log.figures.iter().find(|figure| figure.name == name).unwrap();
        assert_eq!(
            [figure("1% Low FPS").value, figure("1% FPS").value],
            [Cell::Value(45.1), Cell::Value(56.8)]
        );
        assert_ne!(figure("1% Low FPS").definition, figure("1% FPS").definition);
        assert_eq!(figure("(column 7, without a name)").value, Cell::Gap(Gap::NotWritten));
        assert_eq!(figure("GPU0 Temp (C)").value, Cell::Gap(Gap::Unknown));
        assert_eq!(figure("Time (ms)").unit, FileUnit::Seconds, "half a minute lies between the two stamps");
        assert_eq!(log.facts["gpu"], "Some GPU");
    }

    #[test]
    fn runs_of_one_summary_stay_apart() {
        let run = |stamp: &str, gpu: &str, length: &str| {
            format!("{stamp},game.exe,no time,{gpu},60,50,,55,{length},61\n")
        };
        let log = log(&format!("{SUMMARY}{}{}", run("a", "One", "30000"), run("b", "Two", "30")));
        let of: Vec<&str> =
            log.figures.iter().filter(|it| it.name == "Avg FPS").map(|it| it.of.as_str()).collect();
        assert_eq!(of, ["a, game.exe, no time", "b, game.exe, no time"]);
        assert_eq!(log.facts["gpu"], "One; Two");
        assert!(log.figures.iter().all(|it| it.name != "Time (ms)" || it.unit == Unknown));
    }
}
