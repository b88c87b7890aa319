//! How fast somebody's capture is read: a table in the shape of PresentMon 2.2 (22 columns) and one in the shape of its v1 metrics
//! (20 columns, 14 decimals), generated from one seed, 64 MiB each; every column checked and typed, on one core.
//!
//! `cargo bench -p framecost --bench reading` prints the median and the throughput: MB/s of the file. "least" keeps row times and
//! frame times alone and adds up the rest, as a summary of a file larger than memory does; "all" keeps every cell.

#![allow(clippy::unwrap_used, missing_docs, reason = "a benchmark")]

use std::fmt::Write as _;
use std::sync::OnceLock;

use divan::Bencher;
use divan::counter::BytesCount;
use framecost::read::{Keep, Options, read};

const BYTES: usize = 64 << 20;

fn main() {
    divan::main();
}

/// Steele's and Vigna's mixer: a seed to a stream of numbers.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Two streams: a game's and every seventh row the compositor's.
fn file(header: &str, row: impl Fn(&mut String, &mut Random, &str, f64, f64)) -> Vec<u8> {
    let mut random = Random(1);
    let mut text = String::with_capacity(BYTES + 1024);
    text.push_str(header);
    let (mut times, mut rows) = ([0.0, 0.0], 0_u64);
    while text.len() < BYTES {
        let which = usize::from(rows.is_multiple_of(7));
        let interval = [6.0, 16.0][which] + random.next();
        times[which] += interval;
        row(
            &mut text,
            &mut random,
            ["game.exe,9208,0x259DAE0BCF0", "dwm.exe,1564,0x2408E0B7CA0"][which],
            times[which],
            interval,
        );
        rows += 1;
    }
    text.into_bytes()
}

fn v2() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let header = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
                      CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,\
                      DisplayedTime,AnimationError,AllInputToPhotonLatency,ClickToPhotonLatency\n";
        file(header, |text, random, stream, time, interval| {
            let (busy, wait, gpu) = (interval * 0.9, interval * 0.1, interval * random.next());
            let (start, error) = (time - interval, random.next() - 0.5);
            writeln!(
                text,
                "{stream},DXGI,0,512,1,Hardware: Independent Flip,{start:.4},{interval:.4},{busy:.4},{wait:.4},{:.4},{gpu:.4},\
                 {:.4},{:.4},0.0000,{:.4},{interval:.4},{error:.4},NA,NA",
                random.next(), gpu * 0.75, gpu * 0.25, interval * 2.0,
            )
            .unwrap();
        })
    })
}

fn v1() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let header = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,\
                      msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,\
                      msUntilRenderStart,msGPUActive,msGPUVideoActive,msSinceInput,QPCTime\n";
        file(header, |text, random, stream, time, interval| {
            writeln!(
                text,
                "{stream},DXGI,0,512,0,{:.7}0000000,{:.4}0000000000,{interval:.4}0000000000,1,Hardware: Independent Flip,\
                 {:.4}0000000000,{:.4}0000000000,{interval:.4}0000000000,-{:.4}0000000000,{:.4}0000000000,0.00000000000000,\
                 0.00000000000000,{:.0}",
                time / 1e3, random.next(), random.next(), random.next() * 20.0, interval * 0.9, interval * 0.6, time * 1e4,
            )
            .unwrap();
        })
    })
}

fn bench(bencher: Bencher<'_, '_>, bytes: &'static [u8], keep: Keep) {
    let options = Options { keep, ..Options::default() };
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let log = read(divan::black_box(bytes), &options).unwrap();
        assert_eq!((log.streams.len(), log.quarantine.total()), (2, 0));
        log
    });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn v2_least(bencher: Bencher<'_, '_>) {
    bench(bencher, v2(), Keep::LEAST);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn v2_all(bencher: Bencher<'_, '_>) {
    bench(bencher, v2(), Keep::All);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn v1_least(bencher: Bencher<'_, '_>) {
    bench(bencher, v1(), Keep::LEAST);
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn v1_all(bencher: Bencher<'_, '_>) {
    bench(bencher, v1(), Keep::All);
}
