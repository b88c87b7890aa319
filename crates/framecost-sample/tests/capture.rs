//! The capture's invariants and its context's wire twin. In: one small whole capture, spoilt in one way at a time.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use framecost_sample::{
    AdapterClass, Better, Capture, CaptureParts, Clock, ClockId, Counts, Environment, Fact, Figure, GateDef,
    Instrumentation, Key, Metric, MetricId, PassDef, PassId, Period, Queue, QueueId, Reading, Reason, Remark,
    Sample, Semantics, Sharing, Size, Stamp, Switches, Ticks, Unit, ValidBits, metric_names, wire,
};
use proptest::prelude::*;

fn whole() -> CaptureParts {
    let stamp = |frame, submission, pass, start, end| Stamp {
        frame,
        submission,
        queue: QueueId(0),
        pass: PassId(pass),
        start: Reading::Measured(Ticks(start)),
        end,
    };
    CaptureParts {
        key: Key {
            benchmark: "bench".into(),
            scene: "town".into(),
            switches: Switches([("shadow_rays".into(), "off".into())].into()),
            adapter: "some adapter".into(),
            adapter_class: AdapterClass::Cpu,
            backend: "vulkan".into(),
            size: Some(Size { width: 640, height: 360 }),
            settings_hash: "0123".into(),
            instrumentation: Instrumentation("stamps".into()),
            frames_in_flight: Some(2),
        },
        environment: Environment {
            facts: vec![Fact {
                name: "governor".into(),
                before: Reading::Measured("performance".into()),
                after: Reading::Missing(Reason::SourceRefused("permission denied".into())),
            }],
        },
        producer: "test 1".into(),
        started_at: Some("2026-11-29T12:00:00Z".into()),
        clocks: vec![Clock {
            name: "gpu".into(),
            period: Period::new(625, 12).unwrap(),
            valid_bits: ValidBits::new(36).unwrap(),
            step: Reading::Missing(Reason::Unsupported),
            sharing: Sharing::AcrossSubmissions { promise: "said so".into() },
        }],
        queues: vec![Queue { name: "main".into(), clock: ClockId(0) }],
        passes: ["cull", "lit"]
            .map(|name| PassDef { name: name.into(), semantics: Semantics::BottomBottom })
            .to_vec(),
        gates: vec![GateDef { name: "main".into(), from: PassId(0), to: PassId(1) }],
        metrics: vec![
            Metric::built_in(metric_names::CPU_FRAME).unwrap(),
            Metric::built_in(metric_names::CLOCK_STEP).unwrap(),
        ],
        counts: Counts { start_up: 1, warm_up: 10, calibration: 8, measured: 3, dropped: 0 },
        frames: vec![7, 8, 12],
        stamps: vec![
            stamp(7, 0, 0, 5, Reading::Measured(Ticks(9))),
            stamp(7, 1, 1, 9, Reading::Missing(Reason::NotAvailable)),
            stamp(12, 0, 1, 2, Reading::Measured(Ticks(3))),
        ],
        samples: vec![
            Sample { frame: 7, metric: MetricId(0), reading: Reading::Measured(1.5) },
            Sample { frame: 8, metric: MetricId(0), reading: Reading::Missing(Reason::Dropped) },
        ],
        figures: vec![Figure { metric: MetricId(1), reading: Reading::Measured(32.0) }],
        remarks: vec![Remark {
            place: "scene `town`".into(),
            cause: "it submitted nothing in 1 of 3 frames".into(),
            remedy: "submit each frame's work".into(),
            times: 1,
        }],
        defaults: Switches([("culling".into(), "on".into())].into()),
    }
}

#[test]
fn a_whole_capture_is_accepted_and_survives_the_wire() {
    let capture = Capture::new(whole()).unwrap();
    let text = wire::context_to_json(&capture);
    let mut back = wire::context_from_json(&text).unwrap();
    back.stamps = capture.stamps.clone();
    back.samples = capture.samples.clone();
    assert_eq!(Capture::new(back).unwrap(), capture);
    assert!(
        text.contains(r#""missing": "source refused: permission denied""#),
        "missing values keep their key"
    );
}

/// A capture spoilt in one way is refused with a text that holds `expected`.
fn check_refused(expected: &str, spoil: impl FnOnce(&mut CaptureParts)) {
    let mut parts = whole();
    spoil(&mut parts);
    let fault = Capture::new(parts).expect_err(expected).to_string();
    assert!(fault.contains(expected), "`{fault}` does not say `{expected}`");
}

#[test]
fn each_broken_invariant_is_named() {
    check_refused("passes[1].name `cull` stands twice", |p| p.passes[1].name = "cull".into());
    check_refused("passes[1].name is empty", |p| p.passes[1].name.clear());
    check_refused("queues[0] names clock 4; the capture has 1", |p| p.queues[0].clock = ClockId(4));
    check_refused("names pass 9; the capture has 2", |p| p.gates[0].to = PassId(9));
    check_refused("opens with a pass that comes after", |p| {
        p.gates[0] = GateDef { name: "g".into(), from: PassId(1), to: PassId(0) }
    });
    check_refused("gates is a list of 65; allowed: at most 64 entries", |p| {
        let gate = |i| GateDef { name: format!("g{i}"), from: PassId(0), to: PassId(1) };
        p.gates.extend((0..64).map(gate));
    });
    check_refused("remarks is a list of 65; allowed: at most 64 entries", |p| {
        p.remarks = vec![p.remarks[0].clone(); 65];
    });
    check_refused("frame 8 follows frame 8", |p| p.frames[0] = 8);
    check_refused("counts.measured is 4; 3 frames are listed", |p| p.counts.measured = 4);
    check_refused("counts.dropped is 4; allowed: at most the 3 measured", |p| p.counts.dropped = 4);
    check_refused("stamp row 1 is of frame 9, which was not measured", |p| p.stamps[1].frame = 9);
    check_refused("comes out of order", |p| p.stamps.swap(0, 2));
    check_refused("submission 0 follows 1", |p| p.stamps.swap(0, 1));
    check_refused("stamp row 0 names queue 1", |p| p.stamps[0].queue = QueueId(1));
    check_refused("sample row 0 holds NaN", |p| p.samples[0].reading = Reading::Measured(f64::NAN));
    check_refused("out of order or doubled", |p| p.samples[1].frame = 7);
    check_refused("figure 0 names metric 2", |p| p.figures[0].metric = MetricId(2));
    check_refused("metric 1 stands twice", |p| p.figures.push(p.figures[0].clone()));
    check_refused("stands on two queues", |p| {
        p.queues.push(Queue { name: "async".into(), clock: ClockId(0) });
        p.stamps[1].submission = 0;
        p.stamps[1].queue = QueueId(1);
    });
}

#[test]
fn a_value_that_no_run_has_is_named_with_its_place_and_what_is_allowed() {
    let moment = "; allowed: RFC 3339 in UTC, such as 2026-01-31T12:00:00Z, or null";
    check_refused(&format!("started_at is `yesterday`{moment}"), |p| p.started_at = Some("yesterday".into()));
    check_refused(r"started_at is `\u{1b}[31m`; allowed: ", |p| p.started_at = Some("\u{1b}[31m".into()));
    check_refused("key.size is [0, 0]; allowed: two sides of 1 to 65536 pixels, or null", |p| {
        p.key.size = Some(Size { width: 0, height: 0 });
    });
    check_refused("key.size is [640, 65537]; ", |p| p.key.size = Some(Size { width: 640, height: 65_537 }));
    check_refused("key.frames_in_flight is 0; allowed: 1 to 256, or null", |p| {
        p.key.frames_in_flight = Some(0)
    });
    check_refused("key.frames_in_flight is 257; ", |p| p.key.frames_in_flight = Some(257));
    let step = |ticks| move |p: &mut CaptureParts| p.clocks[0].step = Reading::Measured(Ticks(ticks));
    check_refused("clocks[0].step_ticks is 0; allowed: 1 to 68719476735, ", step(0));
    check_refused("clocks[0].step_ticks is 68719476736; ", step(1 << 36));
    check_refused("counts.warm_up is 18446744073709551615; allowed: at most 4294967296", |p| {
        p.counts.warm_up = u64::MAX;
    });
    check_refused("counts.start_up is 4294967297; ", |p| p.counts.start_up = (1 << 32) + 1);
    check_refused("metrics is a list of 65537; allowed: at most 65536 entries", |p| {
        p.metrics = vec![p.metrics[0].clone(); 65_537];
    });
}

#[test]
fn a_capture_holds_no_more_frames_than_its_reader_takes() {
    check_refused("counts.measured is 4194305; allowed: at most 4194304", |p| {
        p.frames = (0..=1 << 22).collect();
        p.counts.measured = (1 << 22) + 1;
    });
}

#[test]
fn a_metric_of_ones_own_cannot_pass_for_a_built_in_one() {
    for derived in [metric_names::GPU_TOTAL, metric_names::GATE_BEFORE] {
        check_refused(&format!("metrics[0].name is `{derived}`; allowed: any name but those of"), |p| {
            p.metrics[0] = Metric::built_in(derived).unwrap();
        });
    }
    let allowed = "allowed: framecost's metric of that name, in ns, better lower, or another name";
    check_refused(&format!("metrics[0] is `cpu_frame` in bytes, better lower; {allowed}"), |p| {
        p.metrics[0].unit = Unit::Bytes;
    });
    check_refused("metrics[0] is `cpu_frame` in ns, better higher; ", |p| {
        p.metrics[0].better = Better::Higher
    });
    let mut parts = whole();
    parts.metrics[0].about = "worded as another version does".into();
    parts.metrics[0].better = Better::Neither;
    Capture::new(parts).unwrap();
}

#[test]
fn a_key_outside_a_capture_is_held_to_the_same_bounds() {
    let text = wire::key_to_json(&whole().key);
    assert_eq!(wire::key_from_json(&text).unwrap(), whole().key);
    let fault = wire::key_from_json(&text.replace("[640,360]", "[640,0]")).unwrap_err().to_string();
    assert_eq!(fault, "key.size is [640, 0]; allowed: two sides of 1 to 65536 pixels, or null");
}

#[test]
fn long_lists_take_no_time_squared() {
    let mut parts = whole();
    let metric = |i| Metric { name: format!("m{i}"), ..parts.metrics[0].clone() };
    parts.metrics = (0..65_536).map(metric).collect();
    parts.samples.clear();
    let figure = |i| Figure { metric: MetricId(i), reading: Reading::Measured(1.0) };
    parts.figures = (0..=u16::MAX).map(figure).collect();
    let text = wire::context_to_json(&Capture::new(parts).unwrap());
    let started = std::time::Instant::now();
    wire::context_from_json(&text).unwrap();
    assert!(started.elapsed().as_secs() < 5, "{:?}; a list squared takes minutes", started.elapsed());
}

/// Context text changed in one place is refused with a text that holds `expected`.
fn check_text_refused(from: &str, to: &str, expected: &str) {
    let text = wire::context_to_json(&Capture::new(whole()).unwrap());
    assert!(text.contains(from), "the context no longer holds `{from}`");
    let fault = wire::context_from_json(&text.replacen(from, to, 1)).expect_err(expected).to_string();
    assert!(fault.contains(expected), "`{fault}` does not say `{expected}`");
}

#[test]
fn figures_in_any_order_survive_the_wire() {
    let mut parts = whole();
    // By name the second metric may come before or after the first: a file knows only names.
    parts.figures.push(Figure { metric: MetricId(0), reading: Reading::Missing(Reason::Unsupported) });
    let capture = Capture::new(parts).unwrap();
    let read = wire::context_from_json(&wire::context_to_json(&capture)).unwrap();
    let read = Capture::new(CaptureParts {
        stamps: capture.stamps.clone(),
        samples: capture.samples.clone(),
        ..read
    });
    assert_eq!(read.unwrap(), capture);
}

#[test]
fn a_bad_context_is_refused_with_place_value_and_allowed() {
    check_text_refused(r#""framecost_capture": 1"#, r#""framecost_capture": 2"#, "reads versions 1 to 1");
    check_text_refused(
        "bottom-bottom",
        "bottoms-up",
        "passes[0].semantics `bottoms-up` is not known; one of top-bottom",
    );
    check_text_refused(r#""cpu""#, r#""gpu""#, "key.adapter_class `gpu` is not known; one of discrete");
    check_text_refused("\"unsupported\"", "\"dunno\"", "clocks[0].step_ticks.missing `dunno` is not known");
    check_text_refused("\"valid_bits\": 36", "\"valid_bits\": 35", "valid bits 35 is neither 0 nor 36 to 64");
    check_text_refused(r#""from": "cull""#, r#""from": "hull""#, "gates[0].from `hull` is not known");
    check_text_refused(r#""measured": 3"#, r#""measured": 99"#, "the runs must hold the 99 frames");
    check_text_refused(r#""scene""#, r#""scenery""#, "unknown field `scenery`");
    check_text_refused("{", "", "line 2");
    check_text_refused(
        "625,",
        "0,",
        "clocks[0]: clock period 0/12 ns a tick is not a positive finite fraction",
    );
    check_text_refused(
        "[\n      640,",
        "[\n      -640,",
        "invalid value: integer `-640`, expected u32 at line",
    );
    check_text_refused("32.0", "true", "expected a value or {\"missing\": \"REASON\"} at line");
    check_text_refused("32.0", "1e999", "number out of range at line");
}

#[test]
fn a_capture_from_before_what_was_added_later_is_read() {
    let text = wire::context_to_json(&Capture::new(whole()).unwrap());
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json["counts"].as_object_mut().unwrap().remove("calibration").is_some());
    for later in ["remarks", "defaults"] {
        assert!(json.as_object_mut().unwrap().remove(later).is_some(), "{later}");
    }
    let parts = wire::context_from_json(&json.to_string()).unwrap();
    assert_eq!((parts.counts.calibration, parts.remarks), (0, vec![]));
    assert_eq!(parts.defaults, Switches::default());
}

#[test]
fn frame_runs_that_claim_too_much_are_refused_before_they_are_held() {
    let text = wire::context_to_json(&Capture::new(whole()).unwrap());
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["frames"] = serde_json::json!([[0, u64::MAX]]);
    json["counts"]["measured"] = u64::MAX.into();
    let fault = wire::context_from_json(&json.to_string()).unwrap_err().to_string();
    assert!(fault.contains("at most 4194304"), "{fault}");
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(at in 0usize..3000, byte: u8) {
        let mut text = wire::context_to_json(&Capture::new(whole()).unwrap()).into_bytes();
        let at = at % text.len();
        text[at] = byte;
        if let Ok(parts) = wire::context_from_json(&String::from_utf8_lossy(&text)) {
            let _ = Capture::new(parts);
        }
    }
}
