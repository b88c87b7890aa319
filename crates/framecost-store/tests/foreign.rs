//! Files of other tools: packed or not they are the same log, a damaged one is an error, and no file fills the memory.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use framecost::read::{self, Keep, Options};
use framecost_store::read_foreign;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

const HEADER: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
msInPresentAPI,msBetweenPresents\n";

fn log(rows: u32) -> Vec<u8> {
    let mut text = HEADER.to_owned();
    for row in 0..rows {
        let (name, id) = if row % 3 == 0 { ("dwm.exe", "2,0x2") } else { ("game.exe", "1,0x1") };
        let (at, took) = (f64::from(row) / 100.0, 9.0 + f64::from(row % 7));
        writeln!(text, "{name},{id},DXGI,0,0,0,{at:.4},0.1,{took:.4}").unwrap();
    }
    text.into_bytes()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to = GzEncoder::new(Vec::new(), Compression::fast());
    to.write_all(bytes).unwrap();
    to.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

fn put(dir: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = dir.join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn packed_or_not_and_in_however_many_parts_it_is_one_log() {
    let dir = tempfile::tempdir().unwrap();
    // More than three parts of four mebibytes.
    let text = log(300_000);
    let whole = read::read(&text, &Options::default()).unwrap();
    assert!(text.len() > 3 * read::PART_BYTES);
    let (first, second) = text.split_at(text.len() / 2);
    for (name, bytes) in [
        ("plain.csv", text.clone()),
        ("marked.csv", [b"\xef\xbb\xbf", text.as_slice()].concat()),
        ("one.csv.gz", gzip(&text)),
        ("two.csv.gz", [gzip(first), gzip(second)].concat()),
        ("one.csv.zst", zstd(&text)),
        ("two.csv.zst", [zstd(first), zstd(second)].concat()),
    ] {
        let found = read_foreign(&put(dir.path(), name, &bytes), &Options::default()).unwrap();
        assert_eq!((found.rows(), &found.streams), (300_000, &whole.streams), "{name}");
    }
}

#[test]
fn a_damaged_packed_file_is_an_error_and_no_other_number() {
    let dir = tempfile::tempdir().unwrap();
    let text = log(5_000);
    for (name, packed) in [("a.csv.gz", gzip(&text)), ("a.csv.zst", zstd(&text))] {
        for at in [packed.len() / 3, packed.len() / 2, packed.len() - 6, packed.len() - 2] {
            let mut bytes = packed.clone();
            bytes[at] ^= 0x10;
            let done = read_foreign(&put(dir.path(), name, &bytes), &Options::default());
            assert!(done.is_err(), "{name}: byte {at} of {}", packed.len());
        }
        let cut = put(dir.path(), name, &packed[..packed.len() - 9]);
        let error = read_foreign(&cut, &Options::default()).unwrap_err().to_string();
        assert!(error.contains("cannot be unpacked"), "{error}");
    }
}

#[test]
fn a_file_of_more_rows_than_a_capture_holds_is_added_up_and_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let row = b"a,1,0x1,DXGI,0,0,0,1,0.1,9\n";
    let rows = usize::try_from(framecost_sample::Capture::MOST_FRAMES).unwrap() + 400_000;
    let text = [HEADER.as_bytes(), &row.repeat(rows)].concat();
    let path = put(dir.path(), "long.csv.zst", &zstd(&text));
    let error = read_foreign(&path, &Options::default()).unwrap_err().to_string();
    assert!(error.contains("more than 4194304 rows"), "{error}");
    let listed = read_foreign(&path, &Options { keep: Keep::LEAST, ..Options::default() }).unwrap();
    assert_eq!(listed.rows(), rows as u64);
}

#[test]
fn a_line_without_end_is_refused_before_it_fills_the_memory() {
    let dir = tempfile::tempdir().unwrap();
    // A frame of Zstandard (RFC 8878): magic number, no checksum, a window of 128 KiB, then blocks of one repeated byte, 1 GiB in all.
    let block = (1_u32 << 1 | 131_072 << 3).to_le_bytes();
    let blocks = [block[0], block[1], block[2], b'x'].repeat(8192);
    let endless = [&[0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38][..], &blocks].concat();
    let path = put(dir.path(), "endless.csv.zst", &[zstd(&log(10)), endless].concat());
    // It has no last block: who read on to its end would say so.
    let error = read_foreign(&path, &Options::default()).unwrap_err().to_string();
    assert!(error.ends_with("line 12 is longer than 1048576 bytes; allowed: lines up to there"), "{error}");
}
