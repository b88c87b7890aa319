//! `stamps.parquet`: a row per run of a pass in a frame. In: stamps, or columns. Out: the other.

use std::collections::HashMap;

use framecost_sample::{CaptureParts, PassId, QueueId, Reading, Reason, Stamp, Ticks};
use parquet::errors::ParquetError;

use crate::error::{Fault, quote};
use crate::table::{self, Column, Field, Kind, Texts};

/// The file's name in the folder.
pub(crate) const NAME: &str = "stamps.parquet";

const FIELDS: [Field; 8] = [
    Field { name: "frame", kind: Kind::U64, nullable: false },
    Field { name: "submission", kind: Kind::U32, nullable: false },
    Field { name: "queue", kind: Kind::Text, nullable: false },
    Field { name: "pass", kind: Kind::Text, nullable: false },
    Field { name: "start", kind: Kind::U64, nullable: true },
    Field { name: "end", kind: Kind::U64, nullable: true },
    Field { name: "start_missing", kind: Kind::Text, nullable: true },
    Field { name: "end_missing", kind: Kind::Text, nullable: true },
];

/// The file's bytes.
pub(crate) fn encode(parts: &CaptureParts) -> Result<Vec<u8>, ParquetError> {
    table::encode("stamps", &FIELDS, parts.stamps.len(), |rows| columns(parts, &parts.stamps[rows]))
}

fn columns(parts: &CaptureParts, stamps: &[Stamp]) -> Vec<Column> {
    let names = |names: Vec<&String>| names.into_iter().cloned().collect();
    let queues = Texts {
        distinct: names(parts.queues.iter().map(|queue| &queue.name).collect()),
        codes: stamps.iter().map(|stamp| Some(stamp.queue.0.into())).collect(),
    };
    let passes = Texts {
        distinct: names(parts.passes.iter().map(|pass| &pass.name).collect()),
        codes: stamps.iter().map(|stamp| Some(stamp.pass.0.into())).collect(),
    };
    let ticks = |of: fn(&Stamp) -> &Reading<Ticks>| {
        stamps.iter().map(|stamp| of(stamp).measured().map(|ticks| ticks.0)).collect()
    };
    let reasons = |of: fn(&Stamp) -> &Reading<Ticks>| reason_column(stamps.iter().map(|it| of(it).missing()));
    vec![
        Column::U64(stamps.iter().map(|stamp| Some(stamp.frame)).collect()),
        Column::U32(stamps.iter().map(|stamp| Some(stamp.submission)).collect()),
        Column::Text(queues),
        Column::Text(passes),
        Column::U64(ticks(|stamp| &stamp.start)),
        Column::U64(ticks(|stamp| &stamp.end)),
        Column::Text(reasons(|stamp| &stamp.start)),
        Column::Text(reasons(|stamp| &stamp.end)),
    ]
}

/// The stamps of the file, whose queues and passes are those of the context.
pub(crate) fn decode(file: Vec<u8>, context: &CaptureParts) -> Result<Vec<Stamp>, Fault> {
    let columns = <[Column; 8]>::try_from(table::decode(file, &FIELDS)?);
    let Ok(
        [
            Column::U64(frames),
            Column::U32(submissions),
            Column::Text(queues),
            Column::Text(passes),
            Column::U64(starts),
            Column::U64(ends),
            Column::Text(start_reasons),
            Column::Text(end_reasons),
        ],
    ) = columns
    else {
        return Err("columns differ from those asked for".into());
    };
    let queues = ids("queue", &queues, context.queues.iter().map(|queue| &queue.name))?;
    let passes = ids("pass", &passes, context.passes.iter().map(|pass| &pass.name))?;
    let start_reasons = reasons("start_missing", &start_reasons)?;
    let end_reasons = reasons("end_missing", &end_reasons)?;
    (0..frames.len())
        .map(|row| {
            Ok(Stamp {
                frame: due(row, "frame", frames[row])?,
                submission: due(row, "submission", submissions[row])?,
                queue: QueueId(narrow(row, "queue", queues[row])?),
                pass: PassId(narrow(row, "pass", passes[row])?),
                start: reading(row, "start", starts[row].map(Ticks), start_reasons[row].as_ref())?,
                end: reading(row, "end", ends[row].map(Ticks), end_reasons[row].as_ref())?,
            })
        })
        .collect()
}

/// A value in a column that is never null.
pub(crate) fn due<T>(row: usize, column: &str, value: Option<T>) -> Result<T, Fault> {
    value.ok_or_else(|| Fault(format!("row {row}, column `{column}` is null")))
}

/// An index as an id's type holds it. [`framecost_sample::Capture::new`] has no more entries than ids.
pub(crate) fn narrow<T: TryFrom<usize>>(row: usize, column: &str, index: usize) -> Result<T, Fault> {
    T::try_from(index)
        .map_err(|_| Fault(format!("row {row}, column `{column}`: entry {index} is past what an id holds")))
}

/// A value or its reason: one of the two, never both, never neither.
pub(crate) fn reading<T>(
    row: usize,
    column: &str,
    value: Option<T>,
    reason: Option<&Reason>,
) -> Result<Reading<T>, Fault> {
    match (value, reason) {
        (Some(value), None) => Ok(Reading::Measured(value)),
        (None, Some(reason)) => Ok(Reading::Missing(reason.clone())),
        (Some(_), Some(reason)) => {
            Err(Fault(format!("row {row}, column `{column}` holds a value and is missing as `{reason}`")))
        }
        (None, None) => {
            Err(Fault(format!("row {row}, column `{column}` is null without a reason beside it")))
        }
    }
}

/// The column of reasons beside a column of readings.
pub(crate) fn reason_column<'a>(reasons: impl Iterator<Item = Option<&'a Reason>>) -> Texts {
    let mut texts = Texts::default();
    let mut known: Vec<&Reason> = Vec::new();
    for reason in reasons {
        let code = reason.map(|reason| {
            known.iter().position(|it| *it == reason).unwrap_or_else(|| {
                known.push(reason);
                texts.distinct.push(reason.to_string());
                known.len() - 1
            })
        });
        // As many reasons as rows at the very most, and rows fit.
        texts.codes.push(code.and_then(|code| u32::try_from(code).ok()));
    }
    texts
}

/// The reasons that a column of texts spells.
pub(crate) fn reasons(column: &str, texts: &Texts) -> Result<Vec<Option<Reason>>, Fault> {
    let parsed: Vec<Option<Reason>> = texts.distinct.iter().map(|text| Reason::from_text(text)).collect();
    each(column, texts, "a reason; docs/format.md lists them", |code| parsed[code].clone())
}

/// The entry of `names` that each row of a column spells. The column is never null.
pub(crate) fn ids<'a>(
    column: &str,
    texts: &Texts,
    names: impl Iterator<Item = &'a String>,
) -> Result<Vec<usize>, Fault> {
    // A search through the names for each text would take a hostile file's lists multiplied.
    let by_name: HashMap<&str, usize> = names.enumerate().map(|(id, name)| (name.as_str(), id)).collect();
    let known: Vec<Option<usize>> =
        texts.distinct.iter().map(|text| by_name.get(text.as_str()).copied()).collect();
    let rows = each(column, texts, &format!("a {column} of capture.json"), |code| known[code])?;
    rows.into_iter().enumerate().map(|(row, id)| due(row, column, id)).collect()
}

/// What each row's text stands for; a text that stands for nothing is a fault of its row.
fn each<T>(
    column: &str,
    texts: &Texts,
    allowed: &str,
    meaning: impl Fn(usize) -> Option<T>,
) -> Result<Vec<Option<T>>, Fault> {
    let row_of = |(row, code): (usize, &Option<u32>)| {
        let Some(code) = *code else { return Ok(None) };
        let code = code as usize;
        meaning(code).map(Some).ok_or_else(|| {
            Fault(format!("row {row}, column `{column}`: {} is not {allowed}", quote(&texts.distinct[code])))
        })
    };
    texts.codes.iter().enumerate().map(row_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of few rows.
    fn encoded(fields: &[Field], columns: &[Column]) -> Result<Vec<u8>, ParquetError> {
        let rows = columns.first().map_or(0, Column::len);
        table::encode("stamps", fields, rows, |_| columns.to_vec())
    }
    use crate::fixture;

    fn context() -> CaptureParts {
        fixture::context(vec![0])
    }

    fn text(value: &str) -> Column {
        Column::Text(Texts { distinct: vec![value.into()], codes: vec![Some(0)] })
    }

    fn null_text() -> Column {
        Column::Text(Texts { distinct: vec![], codes: vec![None] })
    }

    /// One good row: frame 0 of `culling`, start 5, end missing.
    fn row() -> [Column; 8] {
        [
            Column::U64(vec![Some(0)]),
            Column::U32(vec![Some(0)]),
            text("main"),
            text("culling"),
            Column::U64(vec![Some(5)]),
            Column::U64(vec![None]),
            null_text(),
            text("not available"),
        ]
    }

    fn fault(at: usize, column: Column) -> String {
        let mut columns = row();
        columns[at] = column;
        let file = encoded(&FIELDS, &columns).unwrap();
        decode(file, &context()).unwrap_err().0
    }

    #[test]
    fn a_row_reads_as_it_was_written() {
        let file = encoded(&FIELDS, &row()).unwrap();
        let stamp = Stamp {
            frame: 0,
            submission: 0,
            queue: QueueId(0),
            pass: PassId(0),
            start: Reading::Measured(Ticks(5)),
            end: Reading::Missing(Reason::NotAvailable),
        };
        assert_eq!(decode(file, &context()).unwrap(), [stamp]);
    }

    #[test]
    fn a_fault_names_row_column_and_value() {
        let name = "lit\u{1b}[31m";
        insta::assert_snapshot!(fault(3, text(name)), @r"row 0, column `pass`: `lit\u{1b}[31m` is not a pass of capture.json");
        insta::assert_snapshot!(fault(2, text("copy")), @"row 0, column `queue`: `copy` is not a queue of capture.json");
        insta::assert_snapshot!(fault(7, text("because")), @"row 0, column `end_missing`: `because` is not a reason; docs/format.md lists them");
        insta::assert_snapshot!(fault(4, Column::U64(vec![None])), @"row 0, column `start` is null without a reason beside it");
        insta::assert_snapshot!(fault(6, text("zero")), @"row 0, column `start` holds a value and is missing as `zero`");
    }

    #[test]
    fn a_column_of_another_type_or_none_is_named() {
        let mut fields = FIELDS;
        fields[4].kind = Kind::F64;
        let mut columns = row();
        columns[4] = Column::F64(vec![Some(5.0)]);
        let fault = |fields: &[Field], columns: &[Column]| {
            decode(encoded(fields, columns).unwrap(), &context()).unwrap_err().0
        };
        insta::assert_snapshot!(fault(&fields, &columns), @"column `start` is not as `OPTIONAL INT64 start (INTEGER(64,false))` declares");
        insta::assert_snapshot!(fault(&FIELDS[..7], &row()[..7]), @"has no column `end_missing`");
    }

    #[test]
    fn another_tool_may_make_every_column_nullable() {
        let fields = FIELDS.map(|field| Field { nullable: true, ..field });
        let file = encoded(&fields, &row()).unwrap();
        assert_eq!(decode(file, &context()).unwrap().len(), 1);
        let mut columns = row();
        columns[0] = Column::U64(vec![None]);
        let file = encoded(&fields, &columns).unwrap();
        assert_eq!(decode(file, &context()).unwrap_err().0, "row 0, column `frame` is null");
    }
}
