//! Records of CapFrameX in JSON, 1.5 and later. In: the file's text. Out: its log: a stream per run.
//!
//! A record holds one or several runs, each with arrays of one length; time begins at 0 in each, so that runs are never joined.
//! Arrays may be absent, null, or all 0, which says that nothing was measured.

mod columns;
mod parse;
#[cfg(test)]
mod tests;

use columns::{FIELDS, PRESENT_MODES};
use parse::{Data, Record, Run};

use super::document::{self, Field, column, number};
use super::error::shown;
use super::format::{Format, Head};
use super::log::{Basis, Cell, Cells, Column, FileUnit, Gap, Log, Missing, Producer, Role, StreamId, Zero};
use super::quantity::Quantity;
use super::quarantine::Quarantine;
use super::table::{DROPPED, Rows, UNSAID, stream};
use super::{MOST_COLUMNS, Options, ReadError, plan, presentmon};
use crate::{Finding, counted};

pub(super) fn matches(head: &Head<'_>) -> bool {
    let has = |name: &[u8]| memchr::memmem::find(head.text, name).is_some();
    head.text.trim_ascii_start().first() == Some(&b'{')
        && has(b"\"Runs\"")
        && (has(b"\"CaptureData\"") || has(b"\"Info\""))
}

pub(super) fn read(text: &[u8], options: &Options) -> Result<Log, ReadError> {
    let Record { info, runs } = parse::record(text)?;
    let (facts, runs) = (info.0, runs.0);
    let total = runs.len();
    let columns = columns_of(&runs)?;
    let place = |role: Role| columns.iter().position(|column| column.role == role);
    let basis = Basis {
        time: columns.iter().position(|column| column.name.eq_ignore_ascii_case("TimeInSeconds")),
        interval: place(Role::Of(Quantity::PresentedInterval)),
        looks_back: true,
    };
    let (mut streams, mut findings) = (Vec::new(), Vec::new());
    for (run, at) in runs.into_iter().zip(1..) {
        let process = facts.get("process").map_or("process not said", String::as_str);
        let application = if total == 1 { process.to_owned() } else { format!("{process} (run {at})") };
        let id = StreamId { application, ..StreamId::default() };
        if let Some(rows) = rows(run, at, id, &columns, &mut findings)? {
            streams.push(stream(&columns, basis.time, rows));
        }
    }
    if streams.is_empty() {
        return Err(ReadError::Empty("the record holds no run with capture data".into()));
    }
    let version = facts.get("capframex").cloned().unwrap_or_else(|| "not said".into());
    let class: Vec<&str> = version.split('.').take(2).collect();
    let producer = Producer {
        tool: "CapFrameX".into(),
        class: format!("capframex {}", class.join(".")),
        version,
        evidence: "the record's AppVersion".into(),
    };
    let quarantine = Quarantine::default();
    let mut log = Log { format: Format::CapFrameXJson, producer, columns, streams, quarantine, findings, facts, basis };
    // The arrays are PresentMon's columns, with its doubts about units.
    presentmon::finish(&mut log)?;
    plan::judge(&mut log);
    document::keep(&mut log, &options.keep);
    Ok(log)
}

/// The columns of all runs: the known ones in the table's order, then others as they appear.
fn columns_of(runs: &[Run]) -> Result<Vec<Column>, ReadError> {
    let mut names: Vec<(usize, &str)> = Vec::new();
    for (name, _) in runs.iter().filter_map(|run| run.data.as_ref()).flat_map(|data| &data.0) {
        if names.iter().all(|known| !known.1.eq_ignore_ascii_case(name)) {
            let lower = name.to_lowercase();
            let rank = FIELDS.iter().position(|field| field.names.contains(&lower.as_str()));
            names.push((rank.unwrap_or(FIELDS.len()), name));
        }
        if names.len() > MOST_COLUMNS {
            return Err(ReadError::TooMany(format!("more than {MOST_COLUMNS} arrays; allowed: {MOST_COLUMNS}")));
        }
    }
    names.sort_by_key(|it| it.0);
    let column = |(_, name): (usize, &str)| {
        let mut column = column(Field::of(FIELDS, name), name, Missing::NEVER);
        if column.role == Role::PresentMode {
            column.texts = PRESENT_MODES.map(str::to_owned).to_vec();
        }
        column
    };
    Ok(names.into_iter().map(column).collect())
}

/// The rows of a run; none without capture data.
fn rows(
    run: Run,
    at: usize,
    id: StreamId,
    columns: &[Column],
    findings: &mut Vec<Finding>,
) -> Result<Option<Rows>, ReadError> {
    let finding = |cause: String, remedy: &str, times: u64| Finding { place: id.to_string(), cause, remedy: remedy.into(), times };
    let Some(Data(mut arrays)) = run.data.filter(|data| !data.0.is_empty()) else {
        findings.push(finding(format!("run {at} holds no capture data"), "see whether the file is whole", 1));
        return Ok(None);
    };
    let interval = arrays.iter().position(|(name, _)| name.eq_ignore_ascii_case("MsBetweenPresents"));
    let Some(interval) = interval else {
        return Err(ReadError::MissingColumns {
            format: format!("capframex-json, run {at}"),
            missing: vec!["MsBetweenPresents".into()],
            present: arrays.iter().take(40).map(|(name, _)| shown(name.as_bytes(), 40)).collect(),
        });
    };
    let count = arrays[interval].1.len();
    let other = arrays.iter().find(|(name, cells)| cells.len() != count && Field::of(FIELDS, name).is_some());
    if let Some((name, cells)) = other {
        return Err(ReadError::Undecided(format!(
            "run {at}: {} has {} and {} has {}; allowed: arrays of one length",
            arrays[interval].0,
            counted(count as u64, "value"),
            name,
            counted(cells.len() as u64, "value")
        )));
    }
    arrays.retain(|(name, cells)| {
        if cells.len() != count {
            let cause = format!("array {} has {} for {}: left out", shown(name.as_bytes(), 40), counted(cells.len() as u64, "value"), counted(count as u64, "frame"));
            findings.push(finding(cause, "nothing, unless it is wanted", 1));
        }
        cells.len() == count
    });
    let mut cells = vec![Cells::default(); columns.len()];
    for (name, values) in arrays {
        if let Some(place) = columns.iter().position(|column| column.name.eq_ignore_ascii_case(&name)) {
            cells[place] = values;
        }
    }
    let dropped = columns.iter().position(|column| column.role == Role::Dropped);
    let flag = |row: usize| match dropped.and_then(|place| cells[place].get(row)) {
        Some(Cell::Value(value)) if value == 0.0 => 0,
        Some(Cell::Value(_)) => DROPPED,
        _ => UNSAID,
    };
    let flags: Vec<u8> = (0..count).map(flag).collect();
    for (column, cells) in columns.iter().zip(&mut cells) {
        if matches!(column.missing.zero, Zero::Gap(_)) && !cells.is_empty() && cells.iter().all(|cell| cell == Cell::Value(0.0)) {
            let cause = format!("{} is 0 in all {}: no data", column.name, counted(count as u64, "row"));
            findings.push(finding(cause, "nothing, unless it is wanted: then see what the tool tracks", 1));
        }
        apply(column, cells, &flags);
    }
    let lines = (1..=u32::try_from(count).unwrap_or(u32::MAX)).collect();
    Ok(Some(Rows { id, runtime: run.runtime.0, cells, lines, flags }))
}

/// Applies a column's rules to its cells.
fn apply(column: &Column, cells: &mut Cells, flags: &[u8]) {
    for (row, flags) in flags.iter().enumerate() {
        let Some(cell) = cells.get(row) else { return };
        let ruled = match cell {
            _ if column.missing.unless_displayed && flags & DROPPED != 0 => Cell::Gap(Gap::NotDisplayed),
            Cell::Value(mode) if column.unit == FileUnit::Text => text_number(mode, column.texts.len()),
            Cell::Value(value) => number(value, &column.missing),
            Cell::Gap(_) => cell,
        };
        if ruled != cell {
            cells.set(row, ruled);
        }
    }
}

/// The place of a text that a record counts from 1.
fn text_number(value: f64, texts: usize) -> Cell {
    let known = (1..=texts).any(|number| number as f64 == value);
    if known { Cell::Value(value - 1.0) } else { Cell::Gap(Gap::Unknown) }
}
