//! `samples.parquet`: a row per metric and frame. In: samples, or columns. Out: the other.

use framecost_sample::{CaptureParts, MetricId, Sample};
use parquet::errors::ParquetError;

use crate::error::Fault;
use crate::stamps::{due, ids, narrow, reading, reason_column, reasons};
use crate::table::{self, Column, Field, Kind, Texts};

/// The file's name in the folder.
pub(crate) const NAME: &str = "samples.parquet";

const FIELDS: [Field; 4] = [
    Field { name: "frame", kind: Kind::U64, nullable: false },
    Field { name: "metric", kind: Kind::Text, nullable: false },
    Field { name: "value", kind: Kind::F64, nullable: true },
    Field { name: "missing", kind: Kind::Text, nullable: true },
];

/// The file's bytes.
pub(crate) fn encode(parts: &CaptureParts) -> Result<Vec<u8>, ParquetError> {
    table::encode("samples", &FIELDS, parts.samples.len(), |rows| {
        let samples = &parts.samples[rows];
        let metrics = Texts {
            distinct: parts.metrics.iter().map(|metric| metric.name.clone()).collect(),
            codes: samples.iter().map(|sample| Some(sample.metric.0.into())).collect(),
        };
        vec![
            Column::U64(samples.iter().map(|sample| Some(sample.frame)).collect()),
            Column::Text(metrics),
            Column::F64(samples.iter().map(|sample| sample.reading.measured().copied()).collect()),
            Column::Text(reason_column(samples.iter().map(|sample| sample.reading.missing()))),
        ]
    })
}

/// The samples of the file, whose metrics are those of the context.
pub(crate) fn decode(file: Vec<u8>, context: &CaptureParts) -> Result<Vec<Sample>, Fault> {
    let columns = <[Column; 4]>::try_from(table::decode(file, &FIELDS)?);
    let Ok([Column::U64(frames), Column::Text(metrics), Column::F64(values), Column::Text(missing)]) =
        columns
    else {
        return Err("columns differ from those asked for".into());
    };
    let metrics = ids("metric", &metrics, context.metrics.iter().map(|metric| &metric.name))?;
    let missing = reasons("missing", &missing)?;
    (0..frames.len())
        .map(|row| {
            Ok(Sample {
                frame: due(row, "frame", frames[row])?,
                metric: MetricId(narrow(row, "metric", metrics[row])?),
                reading: reading(row, "value", values[row], missing[row].as_ref())?,
            })
        })
        .collect()
}
