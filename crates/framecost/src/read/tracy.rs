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
        ..ms(&["exec_time_ns"], Quantity::ZoneTime, Missing::NEVER, super::log::Zero::Value)
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
