//! Damaged and hostile captures: an error or the capture that was written, never a panic and never another capture.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::panic;
use std::path::PathBuf;

use framecost_sample::Capture;
use framecost_store::{read, write};

use common::{FILES, list_again};

/// A written capture whose files can be damaged one at a time.
struct Victim {
    _root: tempfile::TempDir,
    dir: PathBuf,
    capture: Capture,
}

impl Victim {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("a.framecost");
        write(&dir, &common::small()).unwrap();
        Self { _root: root, dir, capture: common::small() }
    }

    /// Reads with `name` holding `bytes`, then puts the file back.
    fn with(&self, name: &str, bytes: &[u8]) -> Option<Capture> {
        let path = self.dir.join(name);
        let good = fs::read(&path).unwrap();
        fs::write(&path, bytes).unwrap();
        let read = read(&self.dir).ok();
        fs::write(&path, good).unwrap();
        read
    }
}

/// Every byte changed, in one of three ways by turns: a low bit, a high bit, all bits.
fn flips(good: &[u8]) -> impl Iterator<Item = (usize, Vec<u8>)> + '_ {
    (0..good.len()).map(move |at| {
        let mut bad = good.to_vec();
        bad[at] ^= [0x01, 0x80, 0xff][at % 3];
        (at, bad)
    })
}

#[test]
fn a_file_cut_short_anywhere_is_an_error() {
    let victim = Victim::new();
    for name in FILES {
        let good = fs::read(victim.dir.join(name)).unwrap();
        for length in 0..good.len() {
            assert!(victim.with(name, &good[..length]).is_none(), "{name} cut to {length} bytes was read");
        }
    }
}

#[test]
fn a_byte_changed_anywhere_never_gives_another_capture() {
    let victim = Victim::new();
    for name in FILES {
        let good = fs::read(victim.dir.join(name)).unwrap();
        for (at, bad) in flips(&good) {
            let read = victim.with(name, &bad);
            assert!(read.is_none_or(|read| read == victim.capture), "{name}, byte {at}");
        }
    }
}

#[test]
fn damage_under_the_right_hashes_never_panics() {
    // The Parquet library panics on some of these, which is caught and must not fill the log of a passing test.
    panic::set_hook(Box::new(|panic| {
        if !panic.location().is_some_and(|at| at.file().contains("/parquet-")) {
            eprintln!("{panic}");
        }
    }));
    let victim = Victim::new();
    for name in &FILES[..3] {
        let path = victim.dir.join(name);
        let good = fs::read(&path).unwrap();
        let cut = (0..good.len()).map(|length| (length, good[..length].to_vec()));
        for (_, bad) in flips(&good).chain(cut) {
            fs::write(&path, bad).unwrap();
            list_again(&victim.dir);
            // An error, or some capture: whoever can write hashes can write captures.
            let _ = read(&victim.dir);
        }
        fs::write(&path, good).unwrap();
    }
}
