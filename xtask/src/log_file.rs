//! A large log in the shape of PresentMon 2.2, for measuring how fast logs are read. In: how many bytes, a seed, a path. Out: a
//! CSV of 22 columns and three streams, the same for the same seed.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};

const HEADER: &str = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,AnimationError,\
AllInputToPhotonLatency,ClickToPhotonLatency";

/// A stream's name, its usual frame time in milliseconds, and which share of rows is its.
const STREAMS: [(&str, f64, f64); 3] = [
    ("game.exe,9208,0x259DAE0BCF0,DXGI,0,512,1,Hardware: Independent Flip", 6.5, 0.62),
    ("dwm.exe,1564,0x2408E0B7CA0,DXGI,1,0,0,Composed: Flip", 16.6, 0.24),
    ("overlay.exe,7712,0x0,Other,-1,0,0,Composed: Copy with GPU GDI", 33.3, 0.14),
];

/// Vigna's splitmix64: <https://prng.di.unimi.it/splitmix64.c>.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Writes the file: the header, then whole rows until it holds so many bytes.
pub(crate) fn write(bytes: u64, seed: u64, path: &Path) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot create {}", path.display()))?;
    let mut to = BufWriter::with_capacity(1 << 20, file);
    let mut random = Random(seed);
    let mut starts = [0.0; STREAMS.len()];
    writeln!(to, "{HEADER}")?;
    let (mut written, mut line) = (HEADER.len() as u64 + 1, Vec::with_capacity(256));
    while written < bytes {
        line.clear();
        row(&mut line, &mut random, &mut starts)?;
        to.write_all(&line)?;
        written += line.len() as u64;
    }
    to.flush().with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}: {written} bytes", path.display());
    Ok(())
}

fn row(line: &mut Vec<u8>, random: &mut Random, starts: &mut [f64; STREAMS.len()]) -> Result<()> {
    let mut draw = random.next();
    let mut which = 0;
    while which + 1 < STREAMS.len() && draw >= STREAMS[which].2 {
        draw -= STREAMS[which].2;
        which += 1;
    }
    let (name, usual, _) = STREAMS[which];
    let slow = if random.next() < 0.01 { 3.0 } else { 1.0 };
    let wait = random.next() * 0.5;
    let busy = usual * slow * (0.9 + 0.2 * random.next()) - wait;
    let (gpu_busy, gpu_wait) = (usual * (0.6 + 0.2 * random.next()), random.next() * 0.3);
    let (start, frame) = (starts[which], busy + wait);
    starts[which] += frame;
    write!(
        line,
        "{name},{start:.4},{frame:.4},{busy:.4},{wait:.4},{:.4},{:.4},{gpu_busy:.4},{gpu_wait:.4},0.0000,",
        random.next() * 2.0,
        gpu_busy + gpu_wait,
    )?;
    if random.next() < 0.02 {
        line.extend_from_slice(b"NA,NA,NA,NA,NA\n");
        return Ok(());
    }
    write!(line, "{:.4},{frame:.4},{:.4},", busy + 12.0 * random.next(), random.next() - 0.5)?;
    match random.next() < 0.05 {
        true => writeln!(line, "{0:.4},{0:.4}", 20.0 + 20.0 * random.next())?,
        false => line.extend_from_slice(b"NA,NA\n"),
    }
    Ok(())
}
