//! Captures for the tests of this crate: one small and fixed, and any by property.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]

use std::fs;
use std::path::Path;

use framecost_sample::{
    AdapterClass, Capture, CaptureParts, Clock, ClockId, Counts, Environment, Fact, Figure, GateDef,
    Instrumentation, Key, Metric, MetricId, PassDef, PassId, Period, Queue, QueueId, Reading, Reason, Sample,
    Semantics, Sharing, Size, Stamp, Switches, Ticks, ValidBits, metric_names,
};
use proptest::prelude::*;
use sha2::{Digest, Sha256};

/// The files of a capture's folder, the list last.
pub const FILES: [&str; 4] = ["capture.json", "stamps.parquet", "samples.parquet", "SHA256SUMS"];

/// The list that fits the folder's files: damage that someone means carries the right hashes.
pub fn list_again(dir: &Path) {
    let line = |name: &str| {
        let hash: String =
            Sha256::digest(fs::read(dir.join(name)).unwrap()).iter().map(|b| format!("{b:02x}")).collect();
        format!("{hash}  {name}\n")
    };
    fs::write(dir.join("SHA256SUMS"), FILES[..3].iter().map(|name| line(name)).collect::<String>()).unwrap();
}

/// Three frames with two passes, of which one frame lacks one, a name to escape, and readings of both kinds.
pub fn small() -> Capture {
    Capture::new(CaptureParts { stamps: stamps(), samples: samples(), ..context(vec![0, 1, 5]) }).unwrap()
}

/// Everything but stamps and samples, with these measured frames.
pub fn context(frames: Vec<u64>) -> CaptureParts {
    CaptureParts {
        key: key(),
        environment: Environment {
            facts: vec![Fact {
                name: "driver".into(),
                before: Reading::Measured("Mesa 22.3.6".into()),
                after: Reading::Missing(Reason::Unsupported),
            }],
        },
        producer: "framecost 0.1.0".into(),
        started_at: Some("2026-01-31T12:00:00Z".into()),
        clocks: vec![Clock {
            name: "gpu".into(),
            period: Period::new(125, 3).unwrap(),
            valid_bits: ValidBits::ALL,
            step: Reading::Measured(Ticks(4)),
            sharing: Sharing::AcrossSubmissions { promise: "one queue".into() },
        }],
        queues: vec![Queue { name: "main".into(), clock: ClockId(0) }],
        passes: vec![
            PassDef { name: "culling".into(), semantics: Semantics::BottomBottom },
            PassDef { name: "lit \"4x\"\u{1b}[31m".into(), semantics: Semantics::TopBottom },
        ],
        gates: vec![GateDef { name: "opaque".into(), from: PassId(0), to: PassId(1) }],
        metrics: vec![
            Metric::built_in(metric_names::CPU_FRAME).unwrap(),
            Metric::built_in(metric_names::CLOCK_STEP).unwrap(),
        ],
        counts: Counts { start_up: 1, warm_up: 8, calibration: 0, measured: frames.len() as u64, dropped: 0 },
        frames,
        stamps: vec![],
        samples: vec![],
        figures: vec![Figure { metric: MetricId(1), reading: Reading::Measured(166.5) }],
        remarks: vec![],
        defaults: Switches::default(),
    }
}

pub fn key() -> Key {
    Key {
        benchmark: "framecost-scenes".into(),
        scene: "orrery".into(),
        switches: Switches([("lit_load".into(), "1".into())].into()),
        adapter: "llvmpipe (LLVM 15.0.6, 256 bits)".into(),
        adapter_class: AdapterClass::Cpu,
        backend: "vulkan".into(),
        size: Some(Size { width: 320, height: 180 }),
        settings_hash: "5f1c".into(),
        instrumentation: Instrumentation("stamps".into()),
        frames_in_flight: Some(2),
    }
}

fn stamps() -> Vec<Stamp> {
    // A clock that counts nanoseconds from 1970, past what a double holds.
    let at = |ticks: u64| Reading::Measured(Ticks(1_750_000_000_000_000_000 + ticks));
    let stamp = |frame, submission, pass, start, end| Stamp {
        frame,
        submission,
        queue: QueueId(0),
        pass: PassId(pass),
        start,
        end,
    };
    vec![
        stamp(0, 0, 0, at(0), at(1_001)),
        stamp(0, 1, 1, at(1_003), at(9_007)),
        stamp(1, 0, 0, at(20_000), at(21_000)),
        stamp(1, 1, 1, Reading::Missing(Reason::NotExecuted), Reading::Missing(Reason::NotExecuted)),
        stamp(5, 0, 0, at(90_000), Reading::Missing(Reason::SourceRefused("busy, \"later\"".into()))),
        stamp(5, 1, 1, at(91_000), at(99_000)),
    ]
}

fn samples() -> Vec<Sample> {
    let sample = |frame, reading| Sample { frame, metric: MetricId(0), reading };
    vec![
        sample(0, Reading::Measured(-0.0)),
        sample(1, Reading::Measured(1.5e6)),
        sample(5, Reading::Missing(Reason::Unparsable { line: 3, column: 9 })),
    ]
}

fn any_reason() -> impl Strategy<Value = Reason> {
    prop_oneof![
        Just(Reason::NotExecuted),
        Just(Reason::Zero),
        "\\PC{0,20}".prop_map(|text| Reason::SourceRefused(text.as_str().into())),
        any::<(u64, u32)>().prop_map(|(line, column)| Reason::Unparsable { line, column }),
    ]
}

fn any_reading<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Reading<T>> {
    prop_oneof![
        4 => value.prop_map(Reading::Measured),
        1 => any_reason().prop_map(Reading::Missing),
    ]
}

prop_compose! {
    fn any_frame()(
        step in 1u64..1000,
        stamps in prop::collection::vec(
            (0u32..3, 0u16..2, any_reading(any::<u64>()), any_reading(any::<u64>())), 0..6),
        sample in prop::option::of(any_reading(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL)),
    ) -> (u64, Vec<(u32, u16, Reading<u64>, Reading<u64>)>, Option<Reading<f64>>) {
        (step, stamps, sample)
    }
}

/// Any capture over the fixed context.
pub fn any_capture() -> impl Strategy<Value = Capture> {
    prop::collection::vec(any_frame(), 0..40).prop_map(|frames| {
        let (mut index, mut indices, mut stamps, mut samples) = (0, vec![], vec![], vec![]);
        for (step, mut rows, reading) in frames {
            index += step;
            indices.push(index);
            rows.sort_by_key(|row| row.0);
            stamps.extend(rows.into_iter().map(|(submission, pass, start, end)| Stamp {
                frame: index,
                submission,
                queue: QueueId(0),
                pass: PassId(pass),
                start: start.map(Ticks),
                end: end.map(Ticks),
            }));
            samples.extend(reading.map(|reading| Sample { frame: index, metric: MetricId(0), reading }));
        }
        Capture::new(CaptureParts { stamps, samples, ..context(indices) }).unwrap()
    })
}
