//! What judging costs: one new run against ten stored ones, 1,800 frames, 40 metrics, with every interval.
//!
//! `cargo bench -p framecost --bench judging` prints the time on one core. The goal is less than 200 ms.

#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a benchmark over data of its own making"
)]

#[path = "../tests/simulated/mod.rs"]
mod simulated;

use std::slice::from_ref;

use divan::Bencher;
use framecost::account::Floor;
use framecost::judge::{Across, Config, judge};
use framecost::{Analysis, analyse};
use framecost_sample::{
    AdapterClass, Better, Capture, CaptureParts, Counts, Environment, Instrumentation, Key, Metric, MetricId,
    Reading, Sample, Switches, Unit,
};
use simulated::{FRAMES, Random, path, run};

const METRICS: u16 = 40;
const STORED: usize = 10;

fn main() {
    divan::main();
}

#[divan::bench(sample_count = 20)]
fn one_run_against_ten_of_40_metrics(bencher: Bencher<'_, '_>) {
    let (path, mut random) = (path(), Random::new(9));
    let mut capture = || analysis(&path, &mut random);
    let stored: Vec<Analysis> = (0..STORED).map(|_| capture()).collect();
    let new = capture();
    let config = Config::default();
    let judged = judge(from_ref(&new), &stored, &config, Across::NOTHING);
    assert_eq!(judged.rows.iter().filter(|row| row.evidence.is_some()).count(), usize::from(METRICS));
    bencher.bench_local(|| judge(from_ref(&new), &stored, &config, Across::NOTHING));
}

/// A capture of so many metrics, each with a value in every frame.
fn analysis(path: &[f64], random: &mut Random) -> Analysis {
    let frames: Vec<u64> = (0..FRAMES as u64).collect();
    let values: Vec<Vec<f64>> = (0..METRICS).map(|_| run(path, random, 0.005, 0.0)).collect();
    let sample = |frame: u64, metric: u16| Sample {
        frame,
        metric: MetricId(metric),
        reading: Reading::Measured(values[usize::from(metric)][frame as usize]),
    };
    let metric = |i: u16| Metric {
        name: format!("metric_{i}"),
        unit: Unit::Nanos,
        better: Better::Lower,
        about: "simulated".into(),
    };
    let parts = CaptureParts {
        key: key(),
        environment: Environment::default(),
        producer: "benchmark".into(),
        started_at: None,
        clocks: vec![],
        queues: vec![],
        passes: vec![],
        gates: vec![],
        metrics: (0..METRICS).map(metric).collect(),
        samples: frames
            .iter()
            .flat_map(|&frame| (0..METRICS).map(move |it| (frame, it)))
            .map(|(f, m)| sample(f, m))
            .collect(),
        figures: vec![],
        remarks: vec![],
        defaults: Switches::default(),
        counts: Counts { start_up: 0, warm_up: 0, calibration: 0, measured: FRAMES as u64, dropped: 0 },
        frames,
        stamps: vec![],
    };
    analyse(&Capture::new(parts).unwrap(), &Floor::LastPass)
}

fn key() -> Key {
    Key {
        benchmark: "bench".into(),
        scene: "simulated".into(),
        switches: Switches::default(),
        adapter: "none".into(),
        adapter_class: AdapterClass::Discrete,
        backend: "none".into(),
        size: None,
        settings_hash: String::new(),
        instrumentation: Instrumentation("samples".into()),
        frames_in_flight: None,
    }
}
