//! Test support of the accounting: captures from small parts, a random source, timelines whose truth is known, and the
//! oracle that accounts them by painting every tick. Nothing here uses the code under test.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]
#![allow(clippy::unwrap_used, reason = "test support: a fault of its own shall stop the test")]

pub mod coverage;
pub mod hostile;
pub mod oracle;
pub mod random;
pub mod table;
pub mod truth;

use framecost_sample::{
    AdapterClass, Capture, CaptureParts, Clock, Counts, Environment, GateDef, Instrumentation, Key, PassDef,
    Queue, Reading, Reason, Semantics, Sharing, Stamp, Switches, Ticks, ValidBits,
};

/// The parts of a capture without passes, frames or stamps, on one shared 64-bit clock of 1 ns.
pub fn parts() -> CaptureParts {
    CaptureParts {
        key: Key {
            benchmark: "tests".into(),
            scene: "timeline".into(),
            switches: Switches::default(),
            adapter: "painted".into(),
            adapter_class: AdapterClass::Other,
            backend: "none".into(),
            size: None,
            settings_hash: String::new(),
            instrumentation: Instrumentation("stamps".into()),
            frames_in_flight: None,
        },
        environment: Environment::default(),
        producer: "tests".into(),
        started_at: None,
        clocks: vec![clock("gpu", 64, 1, true)],
        queues: vec![queue("main", 0), queue("compute", 0)],
        passes: Vec::new(),
        gates: Vec::new(),
        metrics: Vec::new(),
        counts: Counts::default(),
        frames: Vec::new(),
        stamps: Vec::new(),
        samples: Vec::new(),
        figures: Vec::new(),
        remarks: Vec::new(),
        defaults: Switches::default(),
    }
}

/// A clock of that width and period in nanoseconds, shared across submissions or not.
pub fn clock(name: &str, bits: u64, period_ns: u64, shared: bool) -> Clock {
    let promise = || Sharing::AcrossSubmissions { promise: "by construction".into() };
    Clock {
        name: name.into(),
        period: framecost_sample::Period::new(period_ns, 1).unwrap(),
        valid_bits: ValidBits::new(bits).unwrap(),
        step: Reading::Missing(Reason::NotAvailable),
        sharing: if shared { promise() } else { Sharing::WithinSubmission },
    }
}

pub fn queue(name: &str, clock: u8) -> Queue {
    Queue { name: name.into(), clock: framecost_sample::ClockId(clock) }
}

pub fn pass(name: &str) -> PassDef {
    PassDef { name: name.into(), semantics: Semantics::TopBottom }
}

pub fn gate(name: &str, from: u16, to: u16) -> GateDef {
    GateDef { name: name.into(), from: framecost_sample::PassId(from), to: framecost_sample::PassId(to) }
}

/// The capture of those parts, with the counts filled in.
pub fn capture(mut parts: CaptureParts) -> Capture {
    parts.counts.measured = parts.frames.len() as u64;
    Capture::new(parts).unwrap_or_else(|fault| panic!("the test's own capture is none: {fault}"))
}

/// A stamp row of measured ticks.
pub fn stamp(frame: u64, submission: u32, queue: u8, pass: u16, start: u64, end: u64) -> Stamp {
    Stamp {
        frame,
        submission,
        queue: framecost_sample::QueueId(queue),
        pass: framecost_sample::PassId(pass),
        start: Reading::Measured(Ticks(start)),
        end: Reading::Measured(Ticks(end)),
    }
}
