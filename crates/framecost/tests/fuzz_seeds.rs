//! The seeds of the fuzz targets, and files near them: every reader ends, without a panic, whatever it is given. The targets
//! themselves are in `fuzz/`; this is their bounded run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};

use framecost::read::{CaptureOptions, Format, Options, detect, read, to_capture};

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn target(format: Format) -> String {
    format.name().replace('-', "_")
}

fn seeds(format: Format) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(fuzz().join("seeds").join(target(format)))
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

fn check(bytes: &[u8], format: Format) {
    let _ = detect(bytes);
    for format in [Some(format), None] {
        let Ok(log) = read(bytes, &Options { format, ..Options::default() }) else { continue };
        for stream in log.streams.iter().take(3) {
            assert_eq!(stream.rows() as u64, stream.counts.presented);
            let _ = to_capture(&log, stream, &CaptureOptions::default());
        }
    }
}

/// Steele's and Vigna's mixer.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from(mixed >> 33).unwrap() % bound.max(1)
    }
}

#[test]
fn every_format_has_a_target_and_a_seed_that_it_reads() {
    for format in Format::all() {
        assert!(
            fuzz().join(format!("fuzz_targets/{}.rs", target(format))).is_file(),
            "{format} has no target"
        );
        let seeds = seeds(format);
        assert!(!seeds.is_empty(), "{format} has no seed");
        for seed in seeds {
            assert_eq!(detect(&seed).unwrap(), format);
            assert!(read(&seed, &Options::default()).is_ok(), "{format}");
        }
    }
}

#[test]
fn files_near_the_seeds_end_well() {
    const PIECES: [&[u8]; 10] =
        [b"", b",", b"\n", b"\"", b"NA", b"-1e400", b"\xff\xfe", b"\0", b"99999999999999999999", b"{[{["];
    let mut random = Random(7);
    for format in Format::all() {
        for seed in seeds(format) {
            for _ in 0..300 {
                let mut bytes = seed.clone();
                for _ in 0..=random.below(4) {
                    let at = random.below(bytes.len());
                    let cut = random.below(6).min(bytes.len() - at);
                    bytes.splice(at..at + cut, PIECES[random.below(PIECES.len())].iter().copied());
                }
                bytes.truncate(bytes.len() - random.below(bytes.len() / 2));
                check(&bytes, format);
            }
        }
    }
}
