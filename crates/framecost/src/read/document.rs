//! What readers of whole files share, as the engine does it for tables. In: columns and rows that a format made. Out: a log in
//! which damage is refused, sampling and odd values are judged, and only what was asked for is kept.

use super::log::{Cell, Cells, Column, FileUnit, Gap, Log, Missing, Role, Zero};
use super::number;
use super::quarantine::Quarantine;
use super::text::Lines;
use super::{Keep, MOST_LINE, Options, ReadError};

/// A column that a format knows: its row in that format's table.
#[derive(Debug)]
pub(super) struct Field {
    /// Its names in any version, in lower case.
    pub(super) names: &'static [&'static str],
    pub(super) role: Role,
    pub(super) unit: FileUnit,
    pub(super) missing: Missing,
}

impl Field {
    /// The field of a table that has that name, whatever its case.
    pub(super) fn of<'a>(table: &'a [Self], name: &str) -> Option<&'a Self> {
        let name = name.to_lowercase();
        table.iter().find(|field| field.names.contains(&name.as_str()))
    }
}

/// The column of that name as a table's field has it, or by its own name where there is none.
pub(super) fn column(field: Option<&Field>, name: &str, otherwise: Missing) -> Column {
    Column {
        name: name.chars().take(200).collect(),
        role: field.map_or(Role::Other, |field| field.role),
        unit: field.map_or(FileUnit::Unknown, |field| field.unit),
        missing: field.map_or(otherwise, |field| field.missing),
        texts: Vec::new(),
        evidence: None,
    }
}

/// A number under a column's rule; what is not finite is none.
pub(super) fn number(value: f64, missing: &Missing) -> Cell {
    match missing.zero {
        Zero::Gap(gap) if value == 0.0 => Cell::Gap(gap),
        _ if value.is_finite() => Cell::Value(value),
        _ => Cell::Gap(Gap::Unparsable),
    }
}

/// A field's text under a column's rule; none where it is neither a number nor one of the rule's texts.
pub(super) fn cell(text: &[u8], missing: &Missing) -> Option<Cell> {
    let text = text.trim_ascii();
    if let Some((_, gap)) = missing.texts.iter().find(|it| it.0.as_bytes() == text) {
        return Some(Cell::Gap(*gap));
    }
    if text.is_empty() {
        return Some(Cell::Gap(Gap::NotWritten));
    }
    number::decimal(text).map(|value| number(value, missing))
}

/// A text's lines with their numbers, counted from 1.
pub(super) fn lines(text: &[u8]) -> impl Iterator<Item = Result<(u64, &[u8]), ReadError>> {
    (1..).zip(Lines::of(text)).map(|(line, bytes)| {
        if bytes.len() > MOST_LINE { Err(ReadError::LongLine { line }) } else { Ok((line, bytes)) }
    })
}

/// A line of a file as rows keep it.
pub(super) fn narrow(line: u64) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

/// What a file says of itself, cut; none where it says nothing.
pub(super) fn fact(text: &str) -> Option<String> {
    let text: String = text.trim().chars().take(200).collect();
    (!text.is_empty()).then_some(text)
}

/// Refuses a file with more damage than is set aside; `rows` counts those set aside too.
pub(super) fn refuse_damage(quarantine: &Quarantine, rows: u64, options: &Options) -> Result<(), ReadError> {
    let set_aside = quarantine.total();
    #[expect(clippy::cast_precision_loss, reason = "a share of rows")]
    let most = (rows as f64 * options.most_damaged).max(Options::FEW_DAMAGED);
    #[expect(clippy::cast_precision_loss, reason = "a number of rows")]
    if set_aside as f64 > most || (set_aside > 0 && set_aside == rows) {
        let first = quarantine.rows.iter().take(3).cloned().collect();
        return Err(ReadError::Damaged { rows: set_aside, of: rows, first });
    }
    Ok(())
}

/// Drops the cells that nobody asked for, once everything was looked at; what they add up to stays.
pub(super) fn keep(log: &mut Log, keep: &Keep) {
    for (place, column) in log.columns.iter().enumerate() {
        if keep.wants(column.role) || log.basis.time == Some(place) || log.basis.interval == Some(place) {
            continue;
        }
        for stream in &mut log.streams {
            stream.cells[place] = Cells::default();
        }
    }
}
