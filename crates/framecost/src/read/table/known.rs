//! Columns that formats know, declared in their tables: name, role, unit, missing rule. In: a header and the tables that it is
//! looked up in. Out: its columns, each as its table says; those that no table has by their names alone.

use super::fields::Fields;
use super::layout::{ColumnPlan, Kind};
use crate::Finding;
use crate::read::error::shown;
use crate::read::format::Head;
use crate::read::log::{Column, FileUnit, Gap, Missing, Role, Zero};
use crate::read::number;
use crate::read::quantity::Quantity;

/// A column of a format's table.
pub(crate) struct Known {
    /// Its names in any version, in lower case; one that ends in `*` stands for all that begin so.
    pub(crate) names: &'static [&'static str],
    pub(crate) role: Role,
    /// The unit that the name promises; the data has the last word.
    pub(crate) unit: FileUnit,
    pub(crate) kind: Kind,
    /// Its rule in tables that write `NA`.
    pub(crate) missing: Missing,
    /// What a zero stands for in tables that write zeros instead.
    pub(crate) zero_era: Zero,
    /// Whether a field that does not fit sets the row aside.
    pub(crate) strict: bool,
}

pub(crate) const UNKNOWN: Zero = Zero::Gap(Gap::Unknown);

/// No value where one of these texts stands.
pub(crate) const fn na(gap: &'static [(&'static str, Gap)]) -> Missing {
    Missing { texts: gap, ..Missing::NEVER }
}

pub(crate) const NA: Missing = na(&[("NA", Gap::NotWritten)]);
pub(crate) const NA_FIRST: Missing = Missing { unless_displayed: true, ..na(&[("NA", Gap::NoPrevious)]) };
/// Zero means unknown in every version.
pub(crate) const ZERO_UNKNOWN: Missing = Missing { zero: UNKNOWN, ..NA };
/// Nothing written, or that there is nothing.
const NOTHING: Missing = na(&[("NA", Gap::NotWritten), ("", Gap::NotWritten), ("-", Gap::NotWritten)]);

/// A plain column of milliseconds.
pub(crate) const fn ms(
    names: &'static [&'static str],
    quantity: Quantity,
    missing: Missing,
    zero_era: Zero,
) -> Known {
    Known { unit: FileUnit::Millis, missing, zero_era, ..number(names, Role::Of(quantity)) }
}

/// A moment in a plain number.
pub(crate) const fn time(names: &'static [&'static str], role: Role, unit: FileUnit) -> Known {
    Known { unit, ..number(names, role) }
}

/// A moment as a local date and time.
pub(crate) const fn date(names: &'static [&'static str], role: Role) -> Known {
    Known { unit: FileUnit::Nanos, kind: Kind::DateTime, ..number(names, role) }
}

pub(crate) const fn text(names: &'static [&'static str], role: Role) -> Known {
    Known { unit: FileUnit::Text, kind: Kind::Text, ..number(names, role) }
}

/// A plain number that is always there.
pub(crate) const fn number(names: &'static [&'static str], role: Role) -> Known {
    Known {
        names,
        role,
        unit: FileUnit::Count,
        kind: Kind::Number,
        missing: Missing::NEVER,
        zero_era: Zero::Value,
        strict: true,
    }
}

/// A part of the stream's id.
pub(crate) const fn key(names: &'static [&'static str], role: Role) -> Known {
    let unit = if matches!(role, Role::Application) { FileUnit::Text } else { FileUnit::Count };
    Known { unit, kind: Kind::Key, ..number(names, role) }
}

/// A sensor's value; an odd field of it is no reason to lose the frame.
pub(crate) const fn sensor(names: &'static [&'static str], zero: Zero) -> Known {
    let missing = Missing { zero, ..NOTHING };
    Known { missing, zero_era: zero, strict: false, ..number(names, Role::Other) }
}

/// How a header's names are looked up.
pub(crate) struct LookUp<'a> {
    /// The tables, the first that has a name is meant.
    pub(crate) tables: &'a [&'static [Known]],
    /// Whether a missing value is written as 0.
    pub(crate) zeros: bool,
    /// How many of the header's columns are columns of rows.
    pub(crate) columns: usize,
}

impl LookUp<'_> {
    /// The row of a name in lower case.
    pub(crate) fn known(&self, name: &str) -> Option<&'static Known> {
        self.tables.iter().find_map(|table| Known::of(table, name))
    }

    /// Each column by its name; of two with one role the first is meant, the other is kept by its name.
    pub(crate) fn columns(&self, head: &Head<'_>, findings: &mut Vec<Finding>) -> Vec<ColumnPlan> {
        let mut columns: Vec<ColumnPlan> = Vec::with_capacity(head.names.len());
        let mut unknown = Vec::new();
        for (place, name) in head.names.iter().enumerate().take(self.columns) {
            let known = self.known(&head.lower[place]);
            let taken = known.is_some_and(|known| {
                known.role != Role::Other && columns.iter().any(|it| it.column.role == known.role)
            });
            match known.filter(|_| !taken) {
                Some(known) => columns.push(known.plan(name, self.zeros)),
                None => {
                    unknown.push(shown(name.as_bytes(), 40));
                    columns.push(other_column(head, place, name));
                }
            }
        }
        if !unknown.is_empty() {
            findings.push(Finding {
                place: "header".into(),
                cause: format!("columns that no known version has, or has twice: {}", crate::plural::some_of(&unknown, 8, "column")),
                remedy: "they are kept by their names, without unit or meaning; see whether this tool knows a later version".into(),
                times: unknown.len() as u64,
            });
        }
        columns
    }
}

impl Known {
    /// The row of a name in lower case.
    pub(crate) fn of(table: &'static [Self], name: &str) -> Option<&'static Self> {
        let fits = |known: &&str| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => *known == name,
        };
        table.iter().find(|known| known.names.iter().any(fits))
    }

    fn plan(&self, name: &str, zeros: bool) -> ColumnPlan {
        let missing = if zeros { Missing { zero: self.zero_era, ..self.missing } } else { self.missing };
        let column = Column {
            name: name.into(),
            role: self.role,
            unit: self.unit,
            missing,
            texts: Vec::new(),
            evidence: None,
        };
        ColumnPlan { column, kind: self.kind, strict: self.strict, needed: false }
    }
}

/// A column that is not known holds numbers if its first field is one.
fn other_column(head: &Head<'_>, place: usize, name: &str) -> ColumnPlan {
    let mut ends = Vec::new();
    let mut fields =
        head.rows().map(|row| Fields::cut(row, head.separator, false, &mut ends).get(place).to_vec());
    let told = fields.find(|field| !field.is_empty() && field != b"NA").unwrap_or_default();
    let is_text = !told.is_empty() && number::decimal(told.trim_ascii()).is_none();
    let texts = &[("NA", Gap::NotWritten), ("", Gap::NotWritten)];
    let column = Column {
        name: name.into(),
        role: Role::Other,
        unit: if is_text { FileUnit::Text } else { FileUnit::Unknown },
        missing: Missing { texts, ..Missing::NEVER },
        texts: Vec::new(),
        evidence: None,
    };
    ColumnPlan { column, kind: if is_text { Kind::Text } else { Kind::Number }, strict: false, needed: false }
}
