//! How long a history takes to read its captures: folders of 1,800 frames of twelve passes, opened, the stamps read, accounted,
//! checked and brought down to one figure, on one core. Files lie in the page cache.
//!
//! `cargo bench -p framecost-store --bench history_reading` prints milliseconds a folder and seconds for 1,000 of them.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a benchmark prints its result")]

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::PathBuf;
use std::time::Instant;

use framecost::account::{Floor, account, check_identities};
use framecost::history::{Asked, Run};
use framecost::stats::Statistic;
use framecost_sample::{
    Capture, CaptureParts, Counts, PassDef, PassId, QueueId, Reading, Semantics, Stamp, Ticks,
};
use framecost_store::{Tables, open, write};

const FRAMES: u64 = 1_800;
const PASSES: u16 = 12;
const FOLDERS: usize = 50;
const ROUNDS: usize = 5;

fn capture() -> Capture {
    let context = common::context((0..FRAMES).collect());
    let stamp = |frame: u64, pass: u16| {
        let at = frame * 1_000_000 + u64::from(pass) * 70_000;
        let took = 60_000 + (frame * 7_919 + u64::from(pass) * 104_729) % 5_000;
        Stamp {
            frame,
            submission: 0,
            queue: QueueId(0),
            pass: PassId(pass),
            start: Reading::Measured(Ticks(at)),
            end: Reading::Measured(Ticks(at + took)),
        }
    };
    let pass = |i: u16| PassDef { name: format!("pass {i}"), semantics: Semantics::BottomBottom };
    Capture::new(CaptureParts {
        passes: (0..PASSES).map(pass).collect(),
        gates: Vec::new(),
        counts: Counts { measured: FRAMES, dropped: 0, ..context.counts },
        stamps: (0..FRAMES).flat_map(|frame| (0..PASSES).map(move |pass| stamp(frame, pass))).collect(),
        ..context
    })
    .unwrap()
}

fn main() {
    let root = tempfile::tempdir().unwrap();
    let capture = capture();
    let folders: Vec<PathBuf> = (0..FOLDERS).map(|i| root.path().join(format!("{i}.framecost"))).collect();
    folders.iter().for_each(|folder| write(folder, &capture).unwrap());
    let asked = [Asked::parse("gpu_total").unwrap()];
    let read = |folder: &PathBuf, stamps: bool| {
        let capture = open(folder).unwrap().read(Tables { stamps, samples: false }).unwrap();
        let ledger = account(&capture, &Floor::default());
        assert!(check_identities(&ledger, &capture).is_empty());
        Run::new(String::new(), &capture, &ledger, &asked, Statistic::Median, |_| Ok::<_, String>(0.0))
            .unwrap()
    };
    println!("{:<44} {:>10} {:>12}", "1,800 frames of 12 passes", "ms each", "s for 1,000");
    for (what, stamps) in [("one figure of the stamps", true), ("what the run was, no table", false)] {
        let mut took: Vec<f64> = (0..ROUNDS)
            .map(|_| {
                let since = Instant::now();
                let found = folders.iter().filter(|folder| read(folder, stamps).values[0].reading.is_ok());
                assert_eq!(found.count(), if stamps { FOLDERS } else { 0 });
                since.elapsed().as_secs_f64() * 1e3 / FOLDERS as f64
            })
            .collect();
        took.sort_by(f64::total_cmp);
        let each = took[ROUNDS / 2];
        println!("{what:<44} {each:>10.2} {each:>12.2}");
    }
}
