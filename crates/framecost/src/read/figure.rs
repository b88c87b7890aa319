//! Files of figures: what a tool computed of a whole run or of a zone, without a frame. In: a text and its columns' table. Out: a
//! log without streams that holds each figure with its unit and what it is, or why it has no value.
//!
//! Nothing is made of such figures: no frame is invented from them, and a row that is not as long as its header is refused, since
//! nobody can tell which figure moved (MangoHud PR #1456).

use std::collections::BTreeMap;

use super::error::shown;
use super::format::{Format, Head};
use super::log::{Basis, Cell, FileUnit, Gap, Log, Producer};
use super::quarantine::{Damage, Quarantine, SetAside};
use super::table::Fields;
use super::text::Lines;
use super::{MOST_FIGURES, MOST_LINE, ReadError, number};
use crate::Finding;

/// A figure that a tool computed of a run or of a zone.
#[derive(Clone, Debug, PartialEq)]
pub struct LogFigure {
    /// Whose it is: the run or the zone, in the file's words, cut; empty where the file does not say.
    pub of: String,
    /// Its name as the file spells it, escaped and cut.
    pub name: String,
    /// Its value in its unit, or why it has none.
    pub value: Cell,
    /// Its unit.
    pub unit: FileUnit,
    /// What it is, as far as that is known.
    pub definition: &'static str,
    /// Its line, counted from 1.
    pub line: u64,
}

/// What a figure of an unknown column is.
const NOT_KNOWN: &str = "not known to this reader: kept by its name";

/// A column of figures.
pub(super) struct KnownFigure {
    /// Its names, in lower case.
    pub(super) names: &'static [&'static str],
    pub(super) unit: FileUnit,
    pub(super) definition: &'static str,
    /// Whether 0 stands for a sensor that is not there.
    pub(super) zero_is_none: bool,
}

/// A column of figures in which 0 is one.
pub(super) const fn figure(
    names: &'static [&'static str],
    unit: FileUnit,
    definition: &'static str,
) -> KnownFigure {
    KnownFigure { names, unit, definition, zero_is_none: false }
}

/// A format of figures.
pub(super) struct FigureTable {
    pub(super) format: Format,
    pub(super) figures: &'static [KnownFigure],
    /// Columns of texts, in lower case, each with the fact that it is; empty for one that only names the row.
    pub(super) texts: &'static [(&'static str, &'static str)],
    /// The columns that name a row, in lower case.
    pub(super) of: &'static [&'static str],
    /// The first column's text may hold separators: a row is cut from its end.
    pub(super) open_name: bool,
}

/// The texts that stand for a missing figure.
const MISSING: [&str; 4] = ["", "NA", "N/A", "-"];
/// What languages print where a figure has no value, such as the spread of one.
const NO_NUMBER: [&str; 3] = ["nan", "-nan", "NaN"];

/// Reads a file of figures whose header is the head's.
///
/// # Errors
/// A row that is longer or shorter than the header, a figure that is no number, no row, more than [`MOST_FIGURES`].
pub(super) fn read(
    table: &FigureTable,
    text: &[u8],
    head: &Head<'_>,
    producer: Producer,
) -> Result<Log, ReadError> {
    let mut log = Log {
        format: table.format,
        producer,
        columns: Vec::new(),
        streams: Vec::new(),
        figures: Vec::new(),
        quarantine: Quarantine::default(),
        findings: unknown(table, head),
        facts: BTreeMap::new(),
        basis: Basis { time: None, interval: None, looks_back: true },
    };
    let mut ends = Vec::new();
    for (line, row) in (head.first_line..).zip(Lines::of(text.get(head.body..).unwrap_or_default())) {
        if row.len() > MOST_LINE {
            return Err(ReadError::LongLine { line });
        }
        // A summary that was added to an older one repeats its header.
        if row.iter().all(u8::is_ascii_whitespace) || row == head.header {
            continue;
        }
        let fields = Fields::cut(row, head.separator, true, &mut ends);
        read_row(table, head, fields, line, &mut log)?;
    }
    if log.figures.is_empty() {
        return Err(ReadError::Empty(format!(
            "no figure follows the header, which is on line {}",
            head.first_line - 1
        )));
    }
    Ok(log)
}

fn read_row(
    table: &FigureTable,
    head: &Head<'_>,
    fields: Fields<'_>,
    line: u64,
    log: &mut Log,
) -> Result<(), ReadError> {
    let columns = head.names.len();
    let moved = if table.open_name { fields.len().saturating_sub(columns) } else { 0 };
    if fields.len() != columns + moved {
        let damage = if fields.len() < columns { Damage::TooFewFields } else { Damage::TooManyFields };
        let found = format!(
            "{} fields, {}, so that nobody can tell which figure is which; allowed: {columns}",
            fields.len(),
            damage.name()
        );
        return Err(damaged(SetAside { line, column: None, damage, found }));
    }
    let field = |place: usize| match place {
        0 => fields.span(0, moved),
        _ => fields.get(place + moved),
    };
    let texts = |names: &[&str]| {
        let found = names.iter().filter_map(|name| Some(shown(field(head.place(name)?).trim_ascii(), 200)));
        found.filter(|text| !text.is_empty()).collect::<Vec<String>>().join(", ")
    };
    let of = texts(table.of);
    for (place, (name, lower)) in head.names.iter().zip(&head.lower).enumerate() {
        let text = field(place).trim_ascii();
        if let Some((_, fact)) = table.texts.iter().find(|it| it.0 == lower) {
            add_fact(&mut log.facts, fact, text);
            continue;
        }
        let known = table.figures.iter().find(|known| known.names.contains(&lower.as_str()));
        let value = value(text, known).ok_or_else(|| {
            let found =
                format!("{} is `{}`; allowed: a number, `NA`", shown(name.as_bytes(), 60), shown(text, 60));
            let column = u32::try_from(place + 1).ok();
            damaged(SetAside { line, column, damage: Damage::Unparsable, found })
        });
        let value = match (value, known) {
            (Ok(value), _) => value,
            (Err(_), None) => Cell::Gap(Gap::Unparsable),
            (Err(error), Some(_)) => return Err(error),
        };
        if log.figures.len() == MOST_FIGURES {
            return Err(ReadError::TooMany(format!(
                "line {line}: more than {MOST_FIGURES} figures; allowed: up to there"
            )));
        }
        log.figures.push(LogFigure {
            of: of.clone(),
            name: if name.is_empty() {
                format!("(column {}, without a name)", place + 1)
            } else {
                shown(name.as_bytes(), 200)
            },
            value,
            unit: known.map_or(FileUnit::Unknown, |known| known.unit),
            definition: known.map_or(NOT_KNOWN, |known| known.definition),
            line,
        });
    }
    Ok(())
}

/// The cell of a figure's text; none where it is no number and stands for nothing.
fn value(text: &[u8], known: Option<&KnownFigure>) -> Option<Cell> {
    if MISSING.iter().any(|missing| missing.as_bytes() == text) {
        return Some(Cell::Gap(Gap::NotWritten));
    }
    if NO_NUMBER.iter().any(|none| none.as_bytes() == text) {
        return Some(Cell::Gap(Gap::Unknown));
    }
    let value = number::decimal(text)?;
    let none = value == 0.0 && known.is_some_and(|known| known.zero_is_none);
    Some(if none { Cell::Gap(Gap::Unknown) } else { Cell::Value(value) })
}

fn damaged(row: SetAside) -> ReadError {
    ReadError::Damaged { rows: 1, of: 1, first: vec![row] }
}

/// Adds a text to a fact, which lists what the rows say where they differ.
fn add_fact(facts: &mut BTreeMap<String, String>, name: &str, text: &[u8]) {
    /// Characters of a fact; what differs past them is left out.
    const MOST: usize = 1000;
    let text = shown(text, 200);
    if name.is_empty() || MISSING.contains(&text.as_str()) {
        return;
    }
    let fact = facts.entry(name.to_owned()).or_default();
    if fact.is_empty() {
        *fact = text;
    } else if fact.len() < MOST && !fact.split("; ").any(|it| it == text) {
        fact.push_str("; ");
        fact.push_str(&text);
    }
}

/// A finding that names the columns that are not known.
fn unknown(table: &FigureTable, head: &Head<'_>) -> Vec<Finding> {
    let is_known = |lower: &String| {
        table.texts.iter().any(|it| it.0 == lower)
            || table.figures.iter().any(|known| known.names.contains(&lower.as_str()))
    };
    let names = head.names.iter().zip(&head.lower).filter(|(_, lower)| !is_known(lower));
    let names: Vec<String> = names
        .map(
            |(name, _)| {
                if name.is_empty() { "one without a name".into() } else { shown(name.as_bytes(), 40) }
            },
        )
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    vec![Finding {
        place: "header".into(),
        cause: format!("columns that are not known: {}", crate::plural::some_of(&names, 8, "column")),
        remedy: "they are kept by their names, without unit or meaning".into(),
        times: names.len() as u64,
    }]
}

#[cfg(test)]
mod tests {
    use super::super::{Options, read};
    use super::*;

    const SUMMARY: &str = "1% Min FPS,Average FPS";
    const ZONES: &str = "name,src_file,src_line,total_ns,total_perc,counts\n";

    fn fault(text: &str) -> String {
        read(text.as_bytes(), &Options::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_repeated_header_begins_another_run() {
        let log = read(format!("{SUMMARY}\n1,2\n\n{SUMMARY}\n3,4").as_bytes(), &Options::default()).unwrap();
        let found: Vec<(u64, Cell)> = log.figures.iter().map(|figure| (figure.line, figure.value)).collect();
        let wanted = [(2, 1.0), (2, 2.0), (5, 3.0), (5, 4.0)].map(|(line, value)| (line, Cell::Value(value)));
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_header_that_was_written_behind_a_row_is_refused() {
        let text = fault(&format!("{SUMMARY}\n1,2{SUMMARY}\n3,4"));
        assert!(
            text.contains(
                "line 2: 3 fields, too many fields, so that nobody can tell which figure is which; allowed: 2"
            ),
            "{text}"
        );
    }

    #[test]
    fn figures_are_bounded() {
        let rows = "zone,a,1,2,3,4\n".repeat(MOST_FIGURES / 3 + 1);
        let text = fault(&format!("{ZONES}{rows}"));
        assert_eq!(
            text,
            format!("line {}: more than {MOST_FIGURES} figures; allowed: up to there", MOST_FIGURES / 3 + 2)
        );
        assert_eq!(fault(ZONES), "no figure follows the header, which is on line 1");
    }

    #[test]
    fn columns_that_are_not_known_are_kept_and_said() {
        let log = read(format!("{SUMMARY},Mood,\n1,2,good,7").as_bytes(), &Options::default()).unwrap();
        assert_eq!(log.findings[0].cause, "columns that are not known: Mood, one without a name");
        let found: Vec<(&str, Cell)> =
            log.figures.iter().skip(2).map(|it| (it.name.as_str(), it.value)).collect();
        assert_eq!(
            found,
            [("Mood", Cell::Gap(Gap::Unparsable)), ("(column 4, without a name)", Cell::Value(7.0))]
        );
        assert!(log.figures[2].definition.starts_with("not known"));
    }
}
