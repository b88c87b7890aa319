//! What Tracy's `csvexport` writes: statistics by zone, or every occurrence of every zone (`-u`). In: a header; for statistics the
//! whole text. Out: how the occurrences are read; the statistics as figures by zone.
//!
//! A stream is a zone by its name, whatever thread and source line it is on; a row is one occurrence of it, in the order of time.
//! That is no frame: an occurrence has a time of its own, and what passes between two of them is nobody's cost. Names with commas
//! (templates) move the fields behind them: statistics are cut from their end, occurrences are set aside, so export them with
//! another separator.

use std::collections::BTreeMap;

use super::error::shown;
use super::figure::{self, FigureTable, KnownFigure, figure};
use super::format::{Format, Head};
use super::log::{Basis, ClockKind, FileUnit, Log, Missing, Producer, Role};
use super::plan::TablePlan;
use super::quantity::Quantity;
use super::table::Layout;
use super::table::known::{Known, LookUp, key, ms, number, sensor, text, time};
use super::text::Encoding;
use super::{Options, ReadError};

use FileUnit::{Count, Nanos};

/// The columns of occurrences.
const COLUMNS: &[Known] = &[
    key(&["name"], Role::Application),
    text(&["src_file"], Role::Other),
    Known { strict: false, ..number(&["src_line"], Role::Other) },
    time(&["ns_since_start"], Role::StartTime(ClockKind::Session), Nanos),
    Known {
        unit: Nanos,
        ..ms(&["exec_time_ns"], Quantity::ScopeDuration, Missing::NEVER, super::log::Zero::Value)
    },
    text(&["thread"], Role::Other),
    sensor(&["value"], super::log::Zero::Value),
];

/// The figures of statistics. Calls from a zone are part of it, unless the export was asked for a zone's own time.
const FIGURES: &[KnownFigure] = &[
    figure(&["total_ns"], Nanos, "sum over the zone's occurrences"),
    figure(
        &["total_perc"],
        Count,
        "that sum as a percentage of the whole capture's time; more than 100 on several threads",
    ),
    figure(&["counts"], Count, "occurrences of the zone"),
    figure(&["mean_ns"], Nanos, "mean of the zone's occurrences"),
    figure(&["min_ns"], Nanos, "shortest occurrence"),
    figure(&["max_ns"], Nanos, "longest occurrence"),
    figure(&["std_ns"], Nanos, "standard deviation of the zone's occurrences"),
];

const TABLE: FigureTable = FigureTable {
    format: Format::TracyStatistics,
    figures: FIGURES,
    texts: &[("name", ""), ("src_file", ""), ("src_line", "")],
    of: &["name", "src_file", "src_line"],
    open_name: true,
};

/// Whether a file lists occurrences of zones.
pub(super) fn matches_zones(head: &Head<'_>) -> bool {
    head.has(&["name", "ns_since_start", "exec_time_ns"])
}

/// Whether a file holds statistics of zones.
pub(super) fn matches_statistics(head: &Head<'_>) -> bool {
    head.has(&["name", "src_file", "total_ns", "counts"])
}

fn producer(class: &str, evidence: &str) -> Producer {
    Producer {
        tool: "Tracy csvexport".into(),
        version: "not stated".into(),
        class: class.into(),
        evidence: evidence.into(),
    }
}

fn refusal(format: Format, missing: &str, head: &Head<'_>) -> ReadError {
    ReadError::MissingColumns {
        format: format.name().into(),
        missing: vec![missing.into()],
        present: head.names.iter().map(|name| shown(name.as_bytes(), 40)).collect(),
    }
}

/// How a list of occurrences is read.
pub(super) fn plan_zones(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    if !matches_zones(head) {
        return Err(refusal(Format::TracyZones, "name, ns_since_start or exec_time_ns", head));
    }
    let mut findings = Vec::new();
    let look_up = LookUp { tables: &[COLUMNS], zeros: false, columns: head.names.len() };
    let columns = look_up.columns(head, &mut findings);
    let time = head.place("ns_since_start");
    let layout = Layout::new(head, columns, Basis { time, interval: None, looks_back: false });
    Ok(TablePlan {
        start: head.start(),
        layout,
        producer: producer("zones", "header with ns_since_start and exec_time_ns"),
        facts: BTreeMap::new(),
        findings,
        finish: |_| Ok(()),
    })
}

/// Reads statistics, one zone a row.
pub(super) fn read_statistics(text: &[u8], _: &Options) -> Result<Log, ReadError> {
    let head = Head::of(text, Encoding::Plain)?;
    if !matches_statistics(&head) {
        return Err(refusal(Format::TracyStatistics, "name, src_file, total_ns or counts", &head));
    }
    // A name with separators is told from the fields behind it only where it is the first.
    if head.place("name") != Some(0) {
        return Err(refusal(Format::TracyStatistics, "name as the first column", &head));
    }
    figure::read(&TABLE, text, &head, producer("zone statistics", "header with total_ns and counts"))
}

#[cfg(test)]
mod tests {
    use super::super::log::{Cell, Gap, Log};
    use super::super::{CaptureOptions, Options, detect, read, to_capture};
    use super::*;

    const ZONES: &str = "name,src_file,src_line,ns_since_start,exec_time_ns,thread\n";
    const STATISTICS: &str =
        "name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns\n";

    fn log(text: &str) -> Log {
        read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_zone_is_a_stream_of_its_occurrences() {
        let text = format!("{ZONES}draw,a.cpp,3,2000,500,7\ncull,a.cpp,9,100,250,7\ndraw,a.cpp,3,1000,0,8\n");
        assert_eq!(detect(text.as_bytes()).unwrap().name(), "tracy-zones");
        let log = log(&text);
        let names: Vec<&str> = log.streams.iter().map(|stream| stream.id.application.as_str()).collect();
        assert_eq!(names, ["draw", "cull"]);
        let draw = log.choose(Some("draw")).unwrap();
        assert_eq!((draw.lines.as_slice(), draw.span), (&[4, 2][..], Some((1000.0, 2000.0))));
        let place = log.quantity(Quantity::ScopeDuration).unwrap().0;
        let times: Vec<Cell> = draw.cells[place].iter().collect();
        assert_eq!(times, [Cell::Value(0.0), Cell::Value(500.0)]);
        assert_eq!((draw.counts.unsaid, draw.sampling.name()), (2, "untold"), "an occurrence is no frame");
        let capture = to_capture(&log, draw, &CaptureOptions::default()).unwrap();
        assert!(capture.key.instrumentation.0.contains("no frame time"), "{:?}", capture.key.instrumentation);
        assert_eq!(capture.metrics[0].name, "scope_duration");
    }

    #[test]
    fn statistics_are_figures_by_zone_whatever_the_names_hold() {
        let text = format!(
            "{STATISTICS}draw,a.cpp,3,1000,12.5,4,250,100,400,70.5\nmap<int, float>::find,b.cpp,9,10,0.1,1,10,10,10,about\n"
        );
        let fault = read(text.as_bytes(), &Options::default()).unwrap_err().to_string();
        assert!(fault.contains("line 3, column 10: std_ns is `about`; allowed: a number, `NA`"), "{fault}");
        let log = log(&text.replace("about", "-nan"));
        assert_eq!((log.format.name(), log.figures.len(), log.streams.len()), ("tracy-statistics", 14, 0));
        let second = &log.figures[7];
        assert_eq!(
            (second.of.as_str(), second.name.as_str()),
            ("map<int, float>::find, b.cpp, 9", "total_ns")
        );
        assert_eq!((second.value, second.unit), (Cell::Value(10.0), Nanos));
        assert_eq!(log.figures[13].value, Cell::Gap(Gap::Unknown), "the spread of one");
        assert!(log.facts.is_empty() && log.findings.is_empty());
    }

    #[test]
    fn names_with_commas_among_occurrences_are_set_aside_not_guessed() {
        let good: String = (0..400).map(|i| format!("draw,a.cpp,3,{i},5,7\n")).collect();
        let log = log(&format!("{ZONES}{good}map<int, float>::find,b.cpp,9,10,5,7\n"));
        assert_eq!((log.rows(), log.quarantine.total()), (400, 1));
        assert_eq!(
            log.quarantine.rows[0].to_string(),
            "line 402: 7 fields, a comma in the application's name; allowed: 6"
        );
        let other = self::log(
            &format!("{ZONES}map<int, float>::find,b.cpp,9,10,5,7\n")
                .replace(',', ";")
                .replace("int; ", "int, "),
        );
        assert_eq!(other.streams[0].id.application, "map<int, float>::find", "another separator does it");
    }
}
