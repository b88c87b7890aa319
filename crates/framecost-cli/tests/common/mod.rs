//! The program in a folder of its own, and captures whose every figure is known, for the tests of the command line.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part")]
#![allow(clippy::print_stderr, reason = "a test says what it leaves out")]

pub mod logs;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use framecost_sample::{
    AdapterClass, Capture, CaptureParts, Clock, ClockId, Counts, Environment, GateDef, Instrumentation, Key,
    PassDef, PassId, Period, Queue, QueueId, Reading, Semantics, Sharing, Size, Stamp, Switches, Ticks,
    ValidBits,
};

/// A folder in which the program runs.
pub struct Place {
    root: tempfile::TempDir,
    /// Captures that were put here.
    put: Cell<u64>,
}

/// When the runs of [`Scene::capture`] began.
const STARTED_AT: &str = "2026-01-31T12:00:00Z";

/// What a call left.
#[derive(Debug)]
pub struct Done {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Place {
    pub fn new() -> Self {
        Self { root: tempfile::tempdir().unwrap(), put: Cell::new(0) }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs `framecost` with these arguments, separated by spaces.
    pub fn framecost(&self, arguments: &str) -> Done {
        let output = self.command(arguments).output().unwrap();
        Done::from(output)
    }

    /// The call, not yet made. No variable of the tester's shell colours the output.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_framecost"));
        command.args(arguments.split_whitespace()).current_dir(self.root.path());
        // Most tests hold one run against one, which only the threshold rule decides; others name their rule.
        if arguments.starts_with("compare ") && !arguments.contains("--rule") {
            command.args(["--rule", "threshold"]);
        }
        command.stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command
    }

    /// Writes a capture under that name, and under `twin/` an equal run of another moment, to be its baseline: a run is never
    /// judged against itself.
    pub fn put(&self, name: &str, capture: &Capture) {
        self.put_alone(name, capture);
        self.put_alone(&format!("twin/{name}"), capture);
    }

    /// Writes a capture under that name. One that says nothing of its moment gets one that no other of this place has.
    pub fn put_alone(&self, name: &str, capture: &Capture) {
        let mut parts = capture.clone().into_parts();
        if parts.started_at.as_deref() == Some(STARTED_AT) {
            let put = self.put.replace(self.put.get() + 1);
            parts.started_at = Some(format!("2026-01-31T12:{:02}:{:02}Z", put / 60, put % 60));
        }
        framecost_store::write(&self.path(name), &Capture::new(parts).unwrap()).unwrap();
    }

    /// The very same capture under another name.
    pub fn copy(&self, name: &str, copy: &str) {
        fs::create_dir(self.path(copy)).unwrap();
        for file in fs::read_dir(self.path(name)).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), self.path(copy).join(file.file_name())).unwrap();
        }
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap();
        fs::write(path, text).unwrap();
    }
}

impl From<Output> for Done {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Whether there is an adapter for what `what` is about.
pub fn adapter(what: &str) -> bool {
    if Place::new().framecost("adapters").code == 0 {
        return true;
    }
    let allowed = std::env::var("FRAMECOST_NO_ADAPTER").is_ok_and(|value| value == "allow");
    assert!(allowed, "no graphics adapter; FRAMECOST_NO_ADAPTER=allow leaves this test out");
    eprintln!("left out for want of an adapter: {what}");
    false
}

/// What varies between the captures of these tests.
#[derive(Clone)]
pub struct Scene {
    pub frames: u64,
    /// Microseconds that `lit` takes in every frame.
    pub lit: u64,
    pub scene: &'static str,
    pub adapter: &'static str,
    pub switches: &'static [(&'static str, &'static str)],
}

impl Default for Scene {
    fn default() -> Self {
        Self { frames: 100, lit: 5_000, scene: "town", adapter: "Test GPU", switches: &[] }
    }
}

impl Scene {
    /// Two passes in one submission: 1 ms of culling, then `lit`. A frame every 20 ms.
    pub fn capture(&self) -> Capture {
        let us = 1_000;
        let stamp = |frame: u64, pass, from: u64, to: u64| Stamp {
            frame,
            submission: 0,
            queue: QueueId(0),
            pass: PassId(pass),
            start: Reading::Measured(Ticks(frame * 20_000 * us + from * us)),
            end: Reading::Measured(Ticks(frame * 20_000 * us + to * us)),
        };
        let stamps = (0..self.frames)
            .flat_map(|frame| [stamp(frame, 0, 100, 1_100), stamp(frame, 1, 1_100, 1_100 + self.lit)]);
        Capture::new(CaptureParts { stamps: stamps.collect(), ..self.context() }).unwrap()
    }

    fn context(&self) -> CaptureParts {
        CaptureParts {
            key: Key {
                benchmark: "tests".into(),
                scene: self.scene.into(),
                switches: Switches(self.switches.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect()),
                adapter: self.adapter.into(),
                adapter_class: AdapterClass::Discrete,
                backend: "vulkan".into(),
                size: Some(Size { width: 2560, height: 1440 }),
                settings_hash: "00".into(),
                instrumentation: Instrumentation("stamps".into()),
                frames_in_flight: Some(2),
            },
            environment: Environment::default(),
            producer: "tests".into(),
            started_at: Some(STARTED_AT.into()),
            clocks: vec![Clock {
                name: "gpu".into(),
                period: Period::NANOSECOND,
                valid_bits: ValidBits::ALL,
                step: Reading::Measured(Ticks(1)),
                sharing: Sharing::AcrossSubmissions { promise: "made for a test".into() },
            }],
            queues: vec![Queue { name: "main".into(), clock: ClockId(0) }],
            passes: ["culling", "lit"]
                .map(|name| PassDef { name: name.into(), semantics: Semantics::TopBottom })
                .into(),
            gates: vec![GateDef { name: "opaque".into(), from: PassId(0), to: PassId(1) }],
            metrics: vec![],
            counts: Counts { start_up: 1, warm_up: 10, calibration: 0, measured: self.frames, dropped: 0 },
            frames: (0..self.frames).collect(),
            stamps: vec![],
            samples: vec![],
            figures: vec![],
            remarks: vec![],
            defaults: Switches::default(),
        }
    }
}
