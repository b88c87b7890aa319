//! Two variants frame by frame in turn: who draws when, whose frame is whose, and extra work that takes its time.
//! Without any adapter these tests fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may end the program, and says what it left out"
)]

use std::sync::Mutex;

use framecost_harness::{
    Benchmark, Event, Frame, FrameSamples, Gpu, Injected, Interleave, Observer, Plan, RunError, RunRecord,
    Scene, SceneError, SceneInfo, Session, Setup, SwitchDef, run,
};
use framecost_sample::{Capture, Pairing, Reading, Side, Size, Switches, metric_names};

/// One pass that clears. Loads, settings anew and frames leave notes.
struct Clear {
    notes: Mutex<Vec<String>>,
    /// Whether a loaded scene can be set up anew.
    again: bool,
}

struct Loaded {
    seen: &'static Clear,
    view: wgpu::TextureView,
    colour: String,
}

fn leaked(again: bool) -> &'static Clear {
    Box::leak(Box::new(Clear { notes: Mutex::default(), again }))
}

impl Clear {
    fn note(&self, note: String) {
        self.notes.lock().unwrap().push(note);
    }

    fn noted(&self) -> String {
        self.notes.lock().unwrap().join(" ")
    }
}

impl Benchmark for &'static Clear {
    fn info(&self) -> SceneInfo {
        SceneInfo {
            switches: vec![SwitchDef::one_of("colour", &["red", "blue"], "what is cleared to")],
            frames: 50,
            ..SceneInfo::new("clear", &["clear"])
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let colour = setup.value("colour")?.to_owned();
        self.note(format!("load:{colour}"));
        let texture = setup.target(gpu, wgpu::TextureFormat::Rgba8Unorm);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Ok(Box::new(Loaded { seen: self, view, colour }))
    }
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        if samples.wanted() {
            self.seen.note(format!("{}{index}", &self.colour[..1]));
        }
        let Some(clear) = frame.pass("clear") else { return };
        let target = Some(wgpu::RenderPassColorAttachment {
            view: &self.view,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations::default(),
        });
        let descriptor = wgpu::RenderPassDescriptor { color_attachments: &[target], ..Default::default() };
        let mut submission = frame.submission();
        submission.render_pass(clear, &descriptor, |_pass| ());
        submission.submit();
        samples.triangles(index + if self.colour == "red" { 100 } else { 200 });
    }

    fn again(&mut self, setup: &Setup) -> Result<bool, SceneError> {
        if self.seen.again {
            self.colour = setup.value("colour")?.to_owned();
            self.seen.note(format!("again:{}", self.colour));
        }
        Ok(self.seen.again)
    }
}

fn colour(value: &str) -> Switches {
    Switches([("colour".to_owned(), value.to_owned())].into())
}

fn plan() -> Plan {
    Plan {
        size: Size { width: 16, height: 9 },
        frames: Some(3),
        warm_up: 1,
        calibration_pairs: 1,
        repeats: 2,
        variants: vec![colour("red"), colour("blue")],
        interleave: Interleave::Frames,
        ..Plan::default()
    }
}

/// What came of it unless there is no adapter and that is allowed.
fn some<T>(ended: Result<T, RunError>) -> Option<Result<T, RunError>> {
    match ended {
        Err(RunError::Open(fault)) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out, no adapter: {fault}");
            None
        }
        Err(RunError::Open(fault)) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
        other => Some(other),
    }
}

fn values(capture: &Capture, name: &str) -> Option<Vec<Option<f64>>> {
    let metric = capture.metrics.iter().position(|metric| metric.name == name)?;
    let of = capture.samples.iter().filter(|sample| usize::from(sample.metric.0) == metric);
    Some(of.map(|sample| sample.reading.measured().copied()).collect())
}

#[test]
fn frames_take_turns_and_slots_change_from_repeat_to_repeat() {
    let scene = leaked(false);
    let Some(records) = some(run(&scene, &plan(), &mut ())) else { return };
    let records = records.unwrap();
    insta::assert_snapshot!(scene.noted(), @"load:red load:blue r0 b0 b1 r1 r2 b2 load:blue load:red b0 r0 r1 b1 b2 r2");
    let order: Vec<(usize, u32)> = records.iter().map(|record| (record.variant, record.repeat)).collect();
    assert_eq!(order, [(0, 0), (1, 0), (1, 1), (0, 1)]);
}

#[test]
fn each_capture_has_its_own_frames_and_names_its_partner() {
    let scene = leaked(false);
    let Some(records) = some(run(&scene, &plan(), &mut ())) else { return };
    let records = records.unwrap();
    for RunRecord { capture, variant, .. } in &records {
        let first = [100.0, 200.0][*variant];
        let own = [first, first + 1.0, first + 2.0].map(Some);
        assert_eq!(values(capture, metric_names::TRIANGLES).unwrap(), own, "of no other variant");
        assert_eq!(capture.key.instrumentation.0, "passes by attachments, interleaved by frames");
        assert_eq!(values(capture, metric_names::FRAME_INTERVAL), None, "another's frame lies between");
        assert!(values(capture, metric_names::CPU_FRAME).unwrap().iter().all(Option::is_some));
        let mut frames: Vec<u64> = capture.stamps.iter().map(|stamp| stamp.frame).collect();
        frames.dedup();
        assert_eq!(frames, [0, 1, 2], "a stamp or its reason for each frame");
        assert_eq!((capture.counts.start_up, capture.counts.warm_up, capture.counts.calibration), (1, 1, 2));
    }
    let pairing = |run: usize| Pairing::of(&records[run].capture.environment).unwrap();
    let of: Vec<(Side, bool)> = (0..4).map(|run| (pairing(run).side, pairing(run).first)).collect();
    assert_eq!(of, [(Side::A, true), (Side::B, false), (Side::B, true), (Side::A, false)]);
    assert_eq!(pairing(0).pair, pairing(1).pair);
    assert_eq!(pairing(2).pair, pairing(3).pair);
    assert_ne!(pairing(0).pair, pairing(2).pair);
}

#[test]
fn a_scene_that_can_is_loaded_once_and_is_the_other_variant_next() {
    for (again, expected) in [
        (true, "load:red load:blue r0 b0 again:blue again:red b0 r0"),
        (false, "load:red load:blue r0 b0 load:blue load:red b0 r0"),
    ] {
        let scene = leaked(again);
        let plan = Plan { frames: Some(1), reuse: true, ..plan() };
        let Some(records) = some(run(&scene, &plan, &mut ())) else { return };
        let records = records.unwrap();
        assert_eq!(scene.noted(), expected);
        let switches: Vec<&Switches> = records.iter().map(|record| &record.capture.key.switches).collect();
        assert_eq!(switches, [&colour("red"), &colour("blue"), &colour("blue"), &colour("red")]);
        // Each capture's first frame is its own, not one of the repeat before.
        let first: Vec<Option<f64>> = records
            .iter()
            .map(|record| values(&record.capture, metric_names::TRIANGLES).unwrap()[0])
            .collect();
        assert_eq!(first, [100.0, 200.0, 200.0, 100.0].map(Some));
    }
}

#[test]
fn a_session_runs_several_plans_and_twins() {
    let scene = leaked(false);
    let twins = Plan { variants: vec![colour("red"); 2], twins: true, watch: false, ..plan() };
    let Some(session) = some(Session::open(&scene, &twins)) else { return };
    let mut session = session.unwrap();
    let first = session.run(&scene, &twins, &mut ()).unwrap();
    let second = session.run(&scene, &plan(), &mut ()).unwrap();
    assert_eq!((first.len(), second.len()), (4, 4));
    let pair = |records: &[RunRecord]| Pairing::of(&records[0].capture.environment).unwrap().pair;
    assert_ne!(pair(&first), pair(&second));
    let facts = |records: &[RunRecord], name: &str| {
        records[0].capture.environment.facts.iter().filter(|fact| fact.name == name).count()
    };
    assert_eq!((facts(&first, "load average"), facts(&second, "load average")), (0, 1), "asked where wanted");
}

/// Stops before so many frames of a phase are done.
struct Stopper {
    left: u32,
    ended: u32,
}

impl Observer for Stopper {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Frame { .. } => self.left = self.left.saturating_sub(1),
            Event::RunEnded { .. } => self.ended += 1,
            _ => {}
        }
    }

    fn stop(&mut self) -> bool {
        self.left == 0
    }
}

#[test]
fn stopping_leaves_whole_pairs_only() {
    // A repeat draws 2 frames of start-up, 2 of warm-up, 4 of calibration, 6 that count.
    for (frames, whole) in [(1, 0), (13, 0), (14, 2), (27, 2)] {
        let mut stopper = Stopper { left: frames, ended: 0 };
        let Some(ended) = some(run(&leaked(false), &plan(), &mut stopper)) else { return };
        let RunError::Interrupted { finished, runs } = ended.unwrap_err() else { panic!("not interrupted") };
        let stamped = finished.first().is_none_or(|record| record.capture.counts.calibration == 2);
        assert!(stamped, "the count above holds");
        assert_eq!((finished.len(), stopper.ended, runs), (whole, whole as u32, 4), "after {frames} frames");
    }
}

#[test]
fn extra_work_takes_the_gpu_longer_and_is_a_switch_of_its_own() {
    let scene = leaked(false);
    let injected = Injected::new(&scene);
    let of = |rounds| Injected::switches(&colour("red"), rounds);
    let plan = Plan { variants: vec![of(0), of(2_000_000)], repeats: 1, calibration_pairs: 0, ..plan() };
    let Some(records) = some(run(&injected, &plan, &mut ())) else { return };
    let records = records.unwrap();
    assert_eq!(records[1].capture.key.switches.0[Injected::NAME], "2000000");
    assert_ne!(records[0].capture.key.settings_hash, (&scene).info().settings_hash());
    let ticks = |record: &RunRecord| -> Option<u64> {
        let capture = &record.capture;
        let pass = capture.pass_named(Injected::NAME).unwrap();
        let of = capture.stamps.iter().filter(|stamp| stamp.pass == pass);
        let length = |stamp: &framecost_sample::Stamp| match (&stamp.start, &stamp.end) {
            (Reading::Measured(start), Reading::Measured(end)) => Some(end.0.wrapping_sub(start.0)),
            _ => None,
        };
        of.map(length).collect::<Option<Vec<u64>>>()?.into_iter().min()
    };
    // On an adapter whose stamps are not believed there is a reason instead.
    if let (Some(without), Some(with)) = (ticks(&records[0]), ticks(&records[1])) {
        assert!(with > 4 * without, "{with} ticks with, {without} without");
    }
}
