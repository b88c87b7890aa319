//! Records of CapFrameX in JSON, 1.5 and later. In: the file's text. Out: its log: a stream per run.
//!
//! A record holds one or several runs, each with arrays of one length; time begins at 0 in each, so that runs are never joined.
//! Arrays may be absent, null, or all 0, which says that nothing was measured.

mod columns;
mod parse;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use columns::{FIELDS, PRESENT_MODES};
use parse::{Data, Record, Run};

use super::document::{self, Field, column, number};
use super::error::shown;
use super::format::{Format, Head};
use super::log::{Basis, Cell, Cells, Column, FileUnit, Gap, Log, Missing, Producer, Role, StreamId, Zero};
use super::quantity::Quantity;
use super::quarantine::Quarantine;
use super::table::assemble::{Rows, stream};
use super::table::part::{DROPPED, UNSAID, most_streams};
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
    let most = most_streams(columns.len());
    if total > most {
        return Err(ReadError::TooMany(format!("{total} runs; allowed: {most}")));
    }
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
    let mut log = Log {
        format: Format::CapFrameXJson,
        producer,
        columns,
        streams,
        quarantine,
        findings,
        figures: Vec::new(),
        facts,
        basis,
    };
    // The arrays are PresentMon's columns, with its doubts about units.
    presentmon::finish(&mut log)?;
    plan::judge(&mut log);
    document::keep(&mut log, &options.keep);
    Ok(log)
}

/// The columns of all runs: the known ones in the table's order, then others as they appear.
fn columns_of(runs: &[Run]) -> Result<Vec<Column>, ReadError> {
    let mut names: Vec<(usize, &str)> = Vec::new();
    let mut known = HashSet::new();
    for (name, _) in runs.iter().filter_map(|run| run.data.as_ref()).flat_map(|data| &data.0) {
        let lower = name.to_ascii_lowercase();
        if !known.contains(&lower) {
            let rank = FIELDS.iter().position(|field| field.names.contains(&lower.as_str()));
            names.push((rank.unwrap_or(FIELDS.len()), name));
            known.insert(lower);
        }
        if names.len() > MOST_COLUMNS {
            return Err(ReadError::TooMany(format!(
                "more than {MOST_COLUMNS} arrays; allowed: {MOST_COLUMNS}"
            )));
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
    let place = id.to_string();
    let Some(data) = run.data.filter(|data| !data.0.is_empty()) else {
        let cause = format!("run {at} holds no capture data");
        findings.push(finding(&place, cause, "see whether the file is whole"));
        return Ok(None);
    };
    let (count, arrays) = of_one_length(data, at, &place, findings)?;
    let mut cells = vec![Cells::default(); columns.len()];
    for (name, values) in arrays {
        if let Some(place) = columns.iter().position(|column| column.name.eq_ignore_ascii_case(&name)) {
            cells[place] = values;
        }
    }
    let dropped = columns.iter().position(|column| column.role == Role::Dropped);
    let flag = |row: usize| match dropped.and_then(|place| cells[place].get(row)) {
        Some(Cell::Value(0.0)) => 0,
        Some(Cell::Value(_)) => DROPPED,
        _ => UNSAID,
    };
    let flags: Vec<u8> = (0..count).map(flag).collect();
    for (column, cells) in columns.iter().zip(&mut cells) {
        let zero = |cells: &Cells| cells.iter().all(|cell| cell == Cell::Value(0.0));
        if matches!(column.missing.zero, Zero::Gap(_)) && !cells.is_empty() && zero(cells) {
            let cause = format!("{} is 0 in all {}: no data", column.name, counted(count as u64, "row"));
            findings.push(finding(
                &place,
                cause,
                "nothing, unless it is wanted: then see what the tool tracks",
            ));
        }
        apply(column, cells, &flags);
    }
    let lines = (1..=u32::try_from(count).unwrap_or(u32::MAX)).collect();
    Ok(Some(Rows { id, runtime: run.runtime.0, cells, lines, flags }))
}

/// The number of frames and the arrays that have a value for each. A known array of another length contradicts the others; one
/// that is not known may count something else.
fn of_one_length(
    Data(mut arrays): Data,
    at: usize,
    place: &str,
    findings: &mut Vec<Finding>,
) -> Result<(usize, Vec<(String, Cells)>), ReadError> {
    let values = |cells: &Cells| counted(cells.len() as u64, "value");
    let Some((interval, of)) = arrays.iter().find(|it| it.0.eq_ignore_ascii_case("MsBetweenPresents")) else {
        return Err(ReadError::MissingColumns {
            format: format!("capframex-json, run {at}"),
            missing: vec!["MsBetweenPresents".into()],
            present: arrays.iter().take(40).map(|(name, _)| shown(name.as_bytes(), 40)).collect(),
        });
    };
    let count = of.len();
    let odd = |it: &&(String, Cells)| it.1.len() != count && Field::of(FIELDS, &it.0).is_some();
    if let Some((name, cells)) = arrays.iter().find(odd) {
        let (of, cells) = (values(of), values(cells));
        return Err(ReadError::Undecided(format!(
            "run {at}: {interval} has {of} and {name} has {cells}; allowed: arrays of one length"
        )));
    }
    arrays.retain(|(name, cells)| {
        if cells.len() != count {
            let (name, frames) = (shown(name.as_bytes(), 40), counted(count as u64, "frame"));
            let cause = format!("array {name} has {} for {frames}: left out", values(cells));
            findings.push(finding(place, cause, "nothing, unless it is wanted"));
        }
        cells.len() == count
    });
    Ok((count, arrays))
}

fn finding(place: &str, cause: String, remedy: &str) -> Finding {
    Finding { place: place.into(), cause, remedy: remedy.into(), times: 1 }
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
    #[expect(clippy::cast_precision_loss, reason = "a number of texts of a table")]
    let known = value.fract() == 0.0 && (1.0..=texts as f64).contains(&value);
    if known { Cell::Value(value - 1.0) } else { Cell::Gap(Gap::Unknown) }
}
