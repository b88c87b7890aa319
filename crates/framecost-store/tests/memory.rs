//! What hostile files may ask for: a file that claims more than its bytes back is refused before anything is allocated for
//! the claim. In: whole captures with one table in a form that no writer gives it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use framecost_probe::alloc::{AllocCounts, CountingAlloc};
use framecost_store::{read, write};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::metadata::{FileMetaData, ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// What reading a small capture may ask for in all, many times what it takes.
const MOST: u64 = 16 << 20;

/// A written capture one of whose tables can be replaced.
struct Victim {
    _root: tempfile::TempDir,
    dir: PathBuf,
}

impl Victim {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("a.framecost");
        write(&dir, &common::small()).unwrap();
        Self { _root: root, dir }
    }

    fn table(&self, name: &str) -> Vec<u8> {
        fs::read(self.dir.join(name)).unwrap()
    }

    /// The fault that reading names where table `name` holds `bytes`, and the bytes that it asked for.
    fn fault(&self, name: &str, bytes: &[u8]) -> (String, u64) {
        fs::write(self.dir.join(name), bytes).unwrap();
        common::list_again(&self.dir);
        let before = AllocCounts::of_thread();
        let error = read(&self.dir).unwrap_err().to_string();
        let asked = AllocCounts::of_thread().since(before).bytes;
        (error.rsplit_once("parquet`: ").unwrap().1.to_owned(), asked)
    }

    fn check(&self, name: &str, bytes: &[u8], expected: &str) {
        let (fault, asked) = self.fault(name, bytes);
        assert_eq!(fault, expected);
        // The files themselves are read whole.
        let most = MOST + 2 * bytes.len() as u64;
        assert!(asked < most, "{fault}: asked for {asked} bytes, at most {most} are due");
    }
}

/// The same pages under a footer that says that the file and its only group hold so many rows.
fn claiming(file: &[u8], rows: i64) -> Vec<u8> {
    let file_bytes = bytes::Bytes::copy_from_slice(file);
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&file_bytes).unwrap();
    let own = metadata.file_metadata();
    let of_file = FileMetaData::new(own.version(), rows, None, None, own.schema_descr_ptr(), None);
    let groups = metadata.row_groups().iter();
    let groups = groups.map(|group| group.clone().into_builder().set_num_rows(rows).build().unwrap());
    let metadata = ParquetMetaData::new(of_file, groups.collect());
    let length = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().unwrap()) as usize;
    let mut out = file[..file.len() - 8 - length].to_vec();
    ParquetMetaDataWriter::new(&mut out, &metadata).finish().unwrap();
    out
}

/// A table of one row whose text is that long, in that encoding.
fn one_long_text(length: usize, encoding: Option<Encoding>) -> Vec<u8> {
    let schema = parse_message_type(
        "message samples { REQUIRED INT64 frame (INTEGER(64,false)); REQUIRED BYTE_ARRAY metric (STRING); }",
    );
    let mut properties = WriterProperties::builder().set_compression(Compression::SNAPPY);
    if let Some(encoding) = encoding {
        properties = properties.set_dictionary_enabled(false).set_encoding(encoding);
    }
    // The integer column takes the encodings of integers alone.
    let properties = properties.set_column_encoding("frame".into(), Encoding::PLAIN).build();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema.unwrap()), Arc::new(properties)).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut frame = group.next_column().unwrap().unwrap();
    frame.typed::<Int64Type>().write_batch(&[0], None, None).unwrap();
    frame.close().unwrap();
    let mut metric = group.next_column().unwrap().unwrap();
    metric.typed::<ByteArrayType>().write_batch(&[ByteArray::from(vec![b'a'; length])], None, None).unwrap();
    metric.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn rows_that_nothing_backs_are_refused() {
    let victim = Victim::new();
    for name in ["stamps.parquet", "samples.parquet"] {
        let good = victim.table(name);
        let huge = claiming(&good, 1 << 40);
        let most = 1 << 22;
        let expected =
            format!("claims {} rows; in {} bytes, at most {most} are read", 1u64 << 40, huge.len());
        victim.check(name, &huge, &expected);
        victim.check(name, &claiming(&good, -3), "claims -3 rows, its groups hold another number");
        // Rows that may be, of which the pages hold a few.
        let (fault, asked) = victim.fault(name, &claiming(&good, most));
        assert!(fault.starts_with("column `frame` holds ") || fault.contains("is no readable"), "{fault}");
        assert!(asked < MOST, "asked for {asked} bytes");
        fs::write(victim.dir.join(name), good).unwrap();
    }
}

#[test]
fn a_page_that_unpacks_past_the_limit_is_refused_packed() {
    let bomb = one_long_text(100 << 20, Some(Encoding::PLAIN));
    assert!(bomb.len() < 8 << 20, "Snappy packs it to a twentieth: {}", bomb.len());
    let (fault, asked) = Victim::new().fault("samples.parquet", &bomb);
    assert!(fault.starts_with("column `metric`: a page of ") && fault.ends_with(" when decoded"), "{fault}");
    assert!(asked < MOST + 2 * bomb.len() as u64, "asked for {asked} bytes");
}

#[test]
fn an_encoding_whose_lengths_are_packed_is_refused() {
    for encoding in [Encoding::DELTA_LENGTH_BYTE_ARRAY, Encoding::DELTA_BYTE_ARRAY] {
        let expected = format!(
            "column `metric`: a page is encoded as {encoding}, which is not read; allowed: plain or a dictionary"
        );
        Victim::new().check("samples.parquet", &one_long_text(4, Some(encoding)), &expected);
    }
}

#[test]
fn children_that_the_schema_lacks_are_refused() {
    // Version 1, a schema of two elements, of which the root claims 2^31 - 1 children.
    let footer = [0x15, 2, 0x19, 0x2c, 0x55, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0x15, 4, 0, 0];
    let file = [b"PAR1", &footer[..], &[15, 0, 0, 0], b"PAR1"].concat();
    let expected = "element 0 of its schema claims 2147483647 children; there are 2 elements";
    Victim::new().check("stamps.parquet", &file, expected);
}
