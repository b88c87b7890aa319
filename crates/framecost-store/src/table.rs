//! Tables of plain columns as Parquet files. In: columns, or the bytes of a file from anywhere. Out: the other.
//!
//! Text columns travel as codes into a short list of distinct texts: a capture repeats a dozen names a million times.

use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use crate::error::Fault;
use crate::{footer, page};

/// Rows written in one group, and read in one go.
const GROUP_ROWS: usize = 1 << 20;
const BATCH_ROWS: usize = 1 << 14;
/// So many rows are always accepted; beyond them, each must be backed by at least a byte of the file.
const FREE_ROWS: u64 = 1 << 22;

/// One column's values; none where the file holds null.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Column {
    /// Unsigned 64-bit integers.
    U64(Vec<Option<u64>>),
    /// Unsigned 32-bit integers.
    U32(Vec<Option<u32>>),
    /// 64-bit floats.
    F64(Vec<Option<f64>>),
    /// Texts.
    Text(Texts),
}

/// A text column: indices into distinct texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Texts {
    pub(crate) distinct: Vec<String>,
    pub(crate) codes: Vec<Option<u32>>,
}

/// A column of a table as a Parquet schema writes it, such as `REQUIRED INT64 frame (INTEGER(64,false))`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) nullable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    U64,
    U32,
    F64,
    Text,
}

impl Field {
    fn schema(&self) -> String {
        let repetition = if self.nullable { "OPTIONAL" } else { "REQUIRED" };
        let (physical, logical) = match self.kind {
            Kind::U64 => ("INT64", " (INTEGER(64,false))"),
            Kind::U32 => ("INT32", " (INTEGER(32,false))"),
            Kind::F64 => ("DOUBLE", ""),
            Kind::Text => ("BYTE_ARRAY", " (STRING)"),
        };
        format!("{repetition} {physical} {}{logical}", self.name)
    }
}

impl Column {
    fn empty(kind: Kind) -> Self {
        match kind {
            Kind::U64 => Self::U64(Vec::new()),
            Kind::U32 => Self::U32(Vec::new()),
            Kind::F64 => Self::F64(Vec::new()),
            Kind::Text => Self::Text(Texts::default()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::U64(values) => values.len(),
            Self::U32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Text(texts) => texts.codes.len(),
        }
    }
}

/// The bytes of a Parquet file of so many rows, whose columns `of` gives for a range of them: millions of rows are never there as
/// columns at once. Equal columns give equal bytes.
///
/// # Errors
/// Only where the columns do not fit the fields, which is a fault of this crate.
pub(crate) fn encode(
    name: &str,
    fields: &[Field],
    rows: usize,
    of: impl Fn(Range<usize>) -> Vec<Column>,
) -> Result<Vec<u8>, ParquetError> {
    let schema: String = fields.iter().map(|field| field.schema() + "; ").collect();
    let schema = Arc::new(parse_message_type(&format!("message {name} {{ {schema}}}"))?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties(fields)))?;
    for start in (0..rows).step_by(GROUP_ROWS) {
        let mut group = writer.next_row_group()?;
        for column in of(start..rows.min(start + GROUP_ROWS)) {
            write_column(&mut group, &column)?;
        }
        group.close()?;
    }
    writer.into_inner()
}

fn properties(fields: &[Field]) -> WriterProperties {
    let mut builder = WriterProperties::builder()
        .set_created_by(concat!("framecost ", env!("CARGO_PKG_VERSION")).into())
        .set_compression(Compression::SNAPPY)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true);
    for field in fields.iter().filter(|field| field.kind == Kind::U64) {
        // Ticks and frames grow in small steps: their differences take a quarter of the room, and any reader has them.
        builder = builder
            .set_column_dictionary_enabled(ColumnPath::from(field.name), false)
            .set_column_encoding(ColumnPath::from(field.name), Encoding::DELTA_BINARY_PACKED);
    }
    builder.build()
}

fn write_column(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    column: &Column,
) -> Result<(), ParquetError> {
    match column {
        Column::U64(values) => write_values::<Int64Type, _>(group, values, |value| value.cast_signed()),
        Column::U32(values) => write_values::<Int32Type, _>(group, values, |value| value.cast_signed()),
        Column::F64(values) => write_values::<DoubleType, _>(group, values, |value| value),
        Column::Text(texts) => {
            let distinct: Vec<ByteArray> =
                texts.distinct.iter().map(|text| ByteArray::from(text.as_str())).collect();
            write_values::<ByteArrayType, _>(group, &texts.codes, |code| distinct[code as usize].clone())
        }
    }
}

fn write_values<T: DataType, V: Copy>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &[Option<V>],
    convert: impl Fn(V) -> T::T,
) -> Result<(), ParquetError> {
    let mut column = group.next_column()?.ok_or_else(|| ParquetError::General("a column too many".into()))?;
    let present: Vec<T::T> = values.iter().flatten().map(|&value| convert(value)).collect();
    let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
    // Levels are ignored for a column that is never null.
    column.typed::<T>().write_batch(&present, Some(&levels), None)?;
    column.close()
}

/// The columns of these fields, in their order; further columns of the file are left unread.
///
/// Other tools may have rewritten the file: order, encodings and nullability are theirs to choose, types are not.
pub(crate) fn decode(file: Vec<u8>, fields: &[Field]) -> Result<Vec<Column>, Fault> {
    // The library's decoders assert what hostile pages break (bit widths, lengths of numbers): such a page is a fault
    // of the file like any other. Nothing outlives the call that a panic could leave half done.
    catch_unwind(AssertUnwindSafe(|| decode_columns(file, fields)))
        .unwrap_or_else(|_| Err("is no readable Parquet file: a page holds what no writer writes".into()))
}

fn decode_columns(file: Vec<u8>, fields: &[Field]) -> Result<Vec<Column>, Fault> {
    footer::check(&file)?;
    let length = file.len() as u64;
    let file = bytes::Bytes::from(file);
    let reader = SerializedFileReader::new(file.clone()).map_err(parquet_fault)?;
    let rows = check_rows(reader.metadata(), length)?;
    fields.iter().map(|field| decode_column(&file, &reader, field, rows)).collect()
}

fn parquet_fault(error: ParquetError) -> Fault {
    Fault(format!("is no readable Parquet file: {error}"))
}

/// The number of rows, the same in the file's header and its groups, and no more than the file's length makes credible.
fn check_rows(metadata: &ParquetMetaData, length: u64) -> Result<u64, Fault> {
    let claimed = metadata.file_metadata().num_rows();
    let sum = metadata
        .row_groups()
        .iter()
        .try_fold(0i64, |sum, group| sum.checked_add(group.num_rows()).filter(|_| group.num_rows() >= 0));
    let rows = u64::try_from(claimed).ok().filter(|_| sum == Some(claimed));
    let rows = rows.ok_or_else(|| format!("claims {claimed} rows, its groups hold another number"))?;
    let most = length.max(FREE_ROWS);
    if rows > most {
        return Err(format!("claims {rows} rows; in {length} bytes, at most {most} are read").into());
    }
    Ok(rows)
}

fn decode_column(
    file: &[u8],
    reader: &SerializedFileReader<bytes::Bytes>,
    field: &Field,
    rows: u64,
) -> Result<Column, Fault> {
    let schema = reader.metadata().file_metadata().schema_descr();
    let index = schema.columns().iter().position(|column| column.path().string() == field.name);
    let index = index.ok_or_else(|| format!("has no column `{}`", field.name))?;
    let mut out = Column::empty(field.kind);
    let mut interner = HashMap::new();
    for group in 0..reader.num_row_groups() {
        let metadata = reader.metadata().row_group(group);
        page::check(file, range_of(metadata.column(index))?).map_err(|fault| in_column(field, &fault))?;
        let group = reader.get_row_group(group).map_err(parquet_fault)?;
        decode_chunk(&*group, index, field, &mut out, &mut interner)?;
    }
    if out.len() as u64 != rows {
        return Err(format!("column `{}` holds {} of the {rows} rows", field.name, out.len()).into());
    }
    Ok(out)
}

fn in_column(field: &Field, fault: &Fault) -> Fault {
    Fault(format!("column `{}`: {}", field.name, fault.0))
}

/// Where a column's pages lie. The library's own accessor panics on a negative offset.
fn range_of(column: &ColumnChunkMetaData) -> Result<Range<usize>, Fault> {
    let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
    let end = start.checked_add(column.compressed_size());
    let bounds = |end: i64| Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?);
    end.and_then(bounds).ok_or_else(|| "a column lies outside the file".into())
}

fn decode_chunk(
    group: &dyn RowGroupReader,
    index: usize,
    field: &Field,
    out: &mut Column,
    interner: &mut HashMap<Vec<u8>, u32>,
) -> Result<(), Fault> {
    let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(usize::MAX);
    let reader = group.get_column_reader(index).map_err(parquet_fault)?;
    match (out, reader) {
        (Column::U64(out), ColumnReader::Int64ColumnReader(reader)) => {
            read_values(reader, rows, field, out, |value, _| Ok(value.cast_unsigned()))
        }
        (Column::U32(out), ColumnReader::Int32ColumnReader(reader)) => {
            read_values(reader, rows, field, out, |value, _| Ok(value.cast_unsigned()))
        }
        (Column::F64(out), ColumnReader::DoubleColumnReader(reader)) => {
            read_values(reader, rows, field, out, |value, _| Ok(*value))
        }
        (Column::Text(texts), ColumnReader::ByteArrayColumnReader(reader)) => {
            let Texts { distinct, codes } = texts;
            read_values(reader, rows, field, codes, |value, row| {
                intern(distinct, interner, value.data(), row)
            })
        }
        _ => Err(format!("column `{}` is not as `{}` declares", field.name, field.schema()).into()),
    }
}

/// The code of a text that a row holds.
fn intern(
    distinct: &mut Vec<String>,
    interner: &mut HashMap<Vec<u8>, u32>,
    text: &[u8],
    row: usize,
) -> Result<u32, String> {
    if let Some(&code) = interner.get(text) {
        return Ok(code);
    }
    let utf8 = str::from_utf8(text).map_err(|error| format!("row {row} is no UTF-8: {error}"))?;
    let code = u32::try_from(distinct.len()).map_err(|_| format!("row {row} is one text too many"))?;
    distinct.push(utf8.to_owned());
    interner.insert(text.to_vec(), code);
    Ok(code)
}

fn read_values<T: DataType, V>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    field: &Field,
    out: &mut Vec<Option<V>>,
    mut convert: impl FnMut(&T::T, usize) -> Result<V, String>,
) -> Result<(), Fault> {
    let end = out.len().saturating_add(rows);
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    while out.len() < end {
        values.clear();
        levels.clear();
        let batch = BATCH_ROWS.min(end - out.len());
        let (read, _, _) =
            reader.read_records(batch, Some(&mut levels), None, &mut values).map_err(parquet_fault)?;
        if read == 0 {
            break; // the caller counts
        }
        // A column that is never null has no levels.
        levels.resize(read, 1);
        let mut present = values.iter();
        for &level in &levels {
            let row = out.len();
            out.push(match (level, field.nullable) {
                (0, false) => return Err(format!("row {row}, column `{}` is null", field.name).into()),
                (0, true) => None,
                _ => {
                    let value = present.next().ok_or("a column holds fewer values than rows")?;
                    Some(convert(value, row).map_err(|fault| in_column(field, &Fault(fault)))?)
                }
            });
        }
    }
    Ok(())
}
