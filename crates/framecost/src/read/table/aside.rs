//! Damaged rows, set aside. In: a row's fields and what is wrong with it. Out: an entry of the quarantine that says what stands there
//! and what is allowed, with the frame time if that can still be told.

use super::batch::Fault;
use super::fields::Fields;
use super::layout::{Kind, Layout, Rules};
use super::part::{most_streams, too_many_streams};
use super::streams::id;
use crate::read::error::shown;
use crate::read::number;
use crate::read::quarantine::{Damage, Quarantine};

/// Sets a row aside, with its frame time if that can still be told.
#[cold]
pub(super) fn set_aside(
    quarantine: &mut Quarantine,
    (layout, rules): (&Layout, &Rules),
    fields: Fields<'_>,
    line: u64,
    fault: Fault,
) {
    let moved = fields.len().saturating_sub(layout.columns.len());
    let by_name = fault.damage == Damage::TooManyFields && makes_sense_moved(fields, layout, rules, moved);
    let damage = if by_name { Damage::CommaInName } else { fault.damage };
    let moved = if by_name { moved } else { 0 };
    let column = fault.column.map(|place| u32::try_from(place + 1).unwrap_or(u32::MAX));
    quarantine.add(line, column, damage, || describe(layout, fields, Fault { damage, ..fault }));
    if matches!(damage, Damage::CommaInName | Damage::Unparsable)
        && let Some(place) = layout.basis.interval
        && let Some(frame_time) = number::decimal(fields.get(place + moved).trim_ascii())
        && let Ok(id) = id(fields, layout, rules, moved)
    {
        quarantine.salvage(line, id, frame_time);
    }
}

/// Whether every strict column holds what it should once the row is moved back by so many fields behind the first.
fn makes_sense_moved(fields: Fields<'_>, layout: &Layout, rules: &Rules, moved: usize) -> bool {
    if moved == 0 || rules.key[0] != Some(0) || id(fields, layout, rules, moved).is_err() {
        return false;
    }
    let mut numbers = layout.columns.iter().enumerate().filter(|it| it.1.strict && it.1.kind == Kind::Number);
    numbers.all(|(place, plan)| {
        let field = fields.get(place + moved).trim_ascii();
        number::decimal(field).is_some()
            || plan.column.missing.texts.iter().any(|it| it.0.as_bytes() == field)
    })
}

/// What is wrong with a row, in words.
fn describe(layout: &Layout, fields: Fields<'_>, Fault { column, damage }: Fault) -> String {
    match (column.and_then(|place| layout.columns.get(place).map(|plan| (place, plan))), damage) {
        (Some((place, plan)), _) => {
            let allowed = match plan.kind {
                Kind::Number if plan.column.missing.texts.is_empty() => "a number".to_owned(),
                Kind::Number => {
                    let texts: Vec<String> =
                        plan.column.missing.texts.iter().map(|it| format!("`{}`", it.0)).collect();
                    format!("a number, {}", texts.join(", "))
                }
                Kind::DateTime => "a date and time such as `2026-1-31 9:05:00.000000001`".to_owned(),
                Kind::Text => "a text".to_owned(),
                Kind::Key => "a whole number, or a hexadecimal one after `0x`".to_owned(),
            };
            let name = shown(plan.column.name.as_bytes(), 60);
            format!("{name} is `{}`; allowed: {allowed}", shown(fields.get(place), 60))
        }
        (None, Damage::TooManyStreams) => too_many_streams(most_streams(layout.columns.len())),
        (None, _) => {
            let range = |from: usize, to: usize| {
                if from == to { from.to_string() } else { format!("{from} to {to}") }
            };
            let mut allowed = range(layout.fewest, layout.most);
            if layout.longer.0 <= layout.longer.1 {
                allowed = format!("{allowed}, or {}", range(layout.longer.0, layout.longer.1));
            }
            format!("{} fields, {}; allowed: {allowed}", fields.len(), damage.name())
        }
    }
}
