//! The protocol on whatever adapter is there, with the smallest scene there is: one pass that clears.
//! Without any adapter these tests fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may end the program, and says what it left out"
)]
use std::sync::Mutex;
use std::time::Duration;

use framecost_harness::{
    Benchmark, Better, Event, Frame, FrameSamples, Gate, Gpu, Image, Metric, Observer, Phase, Plan,
    PlanError, Reading, RunError, Scene, SceneError, SceneInfo, Setup, Stamping, SwitchDef, Unit, picture,
    run,
};
use framecost_sample::{Reason, Size, Switches, metric_names};
use framecost_wgpu::OpenOptions;

/// What the scene saw, by call.
#[derive(Debug, Default)]
struct Clear {
    /// Loads: the value of `colour`.
    loads: Mutex<Vec<String>>,
    /// Frames of the last load: index, how it was stamped, whether samples were wanted.
    frames: Mutex<Vec<(u64, Stamping, bool)>>,
    /// Whether the device's stamps were tried before the last load.
    proven: Mutex<Option<bool>>,
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    NoLoad,
    BadPass,
    UnknownMetric,
    UnknownGate,
    TooOften,
    Panic,
    /// Asks for a pass of another name in every frame, and draws all the same.
    UnknownPass,
    /// Submits nothing in every third frame.
    Empty,
    /// Lets the submission of every second frame go.
    Dropped,
}

struct Loaded<'a> {
    seen: &'a Clear,
    view: wgpu::TextureView,
    wrong: wgpu::TextureView,
}

/// The scene for `run` must be owned by the box, so it borrows what it reports to for ever.
fn leaked(clear: Clear) -> &'static Clear {
    Box::leak(Box::new(clear))
}

impl Benchmark for &'static Clear {
    fn info(&self) -> SceneInfo {
        let about = "the frame's index times itself";
        let own = Metric::new("index_squared", Unit::Count, Better::Neither, about);
        let to = if self.fault == Some(Fault::UnknownGate) { "lit" } else { "clear" };
        SceneInfo {
            gates: vec![Gate::new("all", "clear", to)],
            switches: vec![SwitchDef::one_of("colour", &["red", "green", "blue"], "what is cleared to")],
            metrics: vec![own],
            frames: 50,
            ..SceneInfo::new("clear", &["clear"])
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        if self.fault == Some(Fault::NoLoad) {
            return Err("no such model".into());
        }
        self.loads.lock().unwrap().push(setup.value("colour")?.to_owned());
        // The proof is held in a cell that shows whether it is filled.
        *self.proven.lock().unwrap() = Some(!format!("{gpu:?}").contains(" proof: OnceLock(<uninit>)"));
        self.frames.lock().unwrap().clear();
        let view = |setup: &Setup| {
            let texture = setup.target(gpu, wgpu::TextureFormat::Rgba8Unorm);
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let other = Setup { size: Size { width: 3, height: 3 }, ..setup.clone() };
        Ok(Box::new(Loaded { seen: self, view: view(setup), wrong: view(&other) }))
    }
}

impl Scene for Loaded<'_> {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        self.seen.frames.lock().unwrap().push((index, frame.stamping(), samples.wanted()));
        let Some(clear) = frame.pass("clear") else { return };
        let attach = |view| {
            Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations::default(),
            })
        };
        let both = [attach(&self.view), attach(&self.wrong)];
        let bad = self.seen.fault == Some(Fault::BadPass) && index == 2;
        let descriptor = wgpu::RenderPassDescriptor {
            // Attachments of different sizes: the device must refuse.
            color_attachments: if bad { &both } else { &both[..1] },
            ..Default::default()
        };
        assert!(self.seen.fault != Some(Fault::Panic) || index != 2, "the model fell over");
        match self.seen.fault {
            Some(Fault::UnknownPass) => assert_eq!(frame.pass("clair"), None),
            Some(Fault::Empty) if index % 3 == 1 => return,
            _ => {}
        }
        let mut submission = frame.submission();
        let often = if self.seen.fault == Some(Fault::TooOften) { 64 } else { 1 };
        for _ in 0..often {
            submission.render_pass(clear, &descriptor, |_pass| ());
        }
        if self.seen.fault == Some(Fault::Dropped) && index % 2 == 1 {
            return;
        }
        submission.submit();
        samples.triangles(3 * index);
        samples.set("index_squared", Reading::Measured((index * index) as f64));
        if self.seen.fault == Some(Fault::UnknownMetric) {
            samples.set("index_cubed", Reading::Measured(1.0));
        }
    }
}

/// Notes what it is told, and stops before the frame after `stop_after` of the measured ones of run `stop_in`.
#[derive(Default)]
struct Notes {
    told: Vec<String>,
    run: usize,
    measured: u64,
    stop: Option<(usize, u64)>,
}

impl Observer for Notes {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Opened { runs, frames, .. } => {
                self.told.push(format!("opened {runs} runs {frames} frames"))
            }
            Event::RunStarted { run, switches, repeat, .. } => {
                (self.run, self.measured) = (*run, 0);
                self.told.push(format!("run {run} {switches} repeat {repeat}"));
            }
            Event::Phase { phase, frames } => self.told.push(format!("  {phase:?} {frames}")),
            Event::Frame { phase, done } => self.measured = if *phase == Phase::Measured { *done } else { 0 },
            Event::RunEnded { record } => {
                self.told.push(format!("  ended variant {} repeat {}", record.variant, record.repeat));
            }
        }
    }

    fn stop(&mut self) -> bool {
        self.stop == Some((self.run, self.measured))
    }
}

fn colour(value: &str) -> Switches {
    Switches([("colour".to_owned(), value.to_owned())].into())
}

fn plan() -> Plan {
    Plan {
        size: Size { width: 16, height: 9 },
        frames: Some(12),
        warm_up: 3,
        calibration_pairs: 2,
        variants: vec![colour("red")],
        ..Plan::default()
    }
}

/// Runs unless there is no adapter and that is allowed.
fn run_if_possible(
    scene: &'static Clear,
    plan: &Plan,
    observer: &mut dyn Observer,
) -> Option<Result<Vec<framecost_harness::RunRecord>, RunError>> {
    match run(&scene, plan, observer) {
        Err(RunError::Open(fault)) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out, no adapter: {fault}");
            None
        }
        Err(RunError::Open(fault)) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
        other => Some(other),
    }
}

#[test]
fn a_run_leaves_a_capture_of_its_measured_frames() {
    let scene = leaked(Clear::default());
    let Some(records) = run_if_possible(scene, &plan(), &mut ()) else { return };
    let capture = &records.unwrap()[0].capture;
    assert_eq!(capture.frames, (0..12).collect::<Vec<_>>());
    assert_eq!((capture.counts.start_up, capture.counts.warm_up, capture.counts.calibration), (1, 3, 2 * 2));
    assert_eq!(capture.remarks, [], "nothing is odd");
    assert_eq!(capture.key.benchmark, "clear");
    assert_eq!(capture.key.switches, colour("red"), "defaults are written out");
    assert_eq!(capture.key.settings_hash, scene.info().settings_hash());
    assert_eq!(capture.gates.len(), 1);
    let mut with_stamps: Vec<u64> = capture.stamps.iter().map(|stamp| stamp.frame).collect();
    with_stamps.dedup();
    assert_eq!(with_stamps, capture.frames, "a stamp or its reason for each frame");
    let value = |name: &str, frame: u64| {
        let metric = capture.metrics.iter().position(|metric| metric.name == name).unwrap();
        let sample = capture
            .samples
            .iter()
            .find(|sample| sample.frame == frame && usize::from(sample.metric.0) == metric)
            .unwrap();
        sample.reading.clone()
    };
    assert_eq!(value(metric_names::TRIANGLES, 7), Reading::Measured(21.0));
    assert_eq!(value("index_squared", 11), Reading::Measured(121.0));
    for frame in 0..12 {
        let (cpu, interval) =
            (value(metric_names::CPU_FRAME, frame), value(metric_names::FRAME_INTERVAL, frame));
        assert!(cpu.measured() <= interval.measured(), "frame {frame}: {cpu:?} within {interval:?}");
        assert!(cpu.measured() > Some(&0.0), "frame {frame}");
    }
    let figures: Vec<&str> =
        capture.figures.iter().map(|figure| capture.metric(figure.metric).name.as_str()).collect();
    insta::assert_snapshot!(figures.join(" "), @"start_up clock_step stamp_cpu_per_pass stamped_gpu bracket_gpu stamp_gpu_per_frame");
    assert!(!capture.metrics.iter().any(|metric| metric.name == metric_names::INSTANCES), "never set");
}

#[test]
fn each_phase_draws_what_it_should() {
    let scene = leaked(Clear::default());
    let Some(records) = run_if_possible(scene, &plan(), &mut ()) else { return };
    records.unwrap();
    let frames = scene.frames.lock().unwrap().clone();
    let shown: Vec<String> = frames
        .iter()
        .map(|(index, stamping, wanted)| {
            let kind = if *stamping == Stamping::Bracket { "b" } else { "" };
            format!("{index}{kind}{}", if *wanted { "!" } else { "" })
        })
        .collect();
    // Start-up and three of warm-up draw frame 0; two pairs, the second the other way round; then what counts.
    insta::assert_snapshot!(shown.join(" "), @"0 0 0 0 0 0b 6b 6 0! 1! 2! 3! 4! 5! 6! 7! 8! 9! 10! 11!");
}

#[test]
fn variants_take_turns_and_each_run_loads_anew() {
    let scene = leaked(Clear::default());
    let plan = Plan { repeats: 2, frames: Some(2), warm_up: 0, calibration_pairs: 0, ..plan() };
    let plan = Plan { variants: vec![colour("red"), colour("blue")], ..plan };
    let mut notes = Notes::default();
    let Some(records) = run_if_possible(scene, &plan, &mut notes) else { return };
    let order: Vec<(usize, u32)> =
        records.unwrap().iter().map(|record| (record.variant, record.repeat)).collect();
    assert_eq!(order, [(0, 0), (1, 0), (1, 1), (0, 1)]);
    assert_eq!(*scene.loads.lock().unwrap(), ["red", "blue", "blue", "red"]);
    insta::assert_snapshot!(notes.told[..6].join("\n"), @r"
    opened 4 runs 12 frames
    run 0 colour=red repeat 0
      StartUp 1
      WarmUp 0
      Calibration 0
      Measured 2
    ");
}

#[test]
fn only_the_run_that_opened_the_device_has_a_start_up_time() {
    let scene = leaked(Clear::default());
    let plan = Plan { repeats: 2, ..plan() };
    let Some(records) = run_if_possible(scene, &plan, &mut ()) else { return };
    let start_up = |record: &framecost_harness::RunRecord| {
        let capture = &record.capture;
        let figure = capture.figures.iter().find(|figure| capture.metric(figure.metric).name == "start_up");
        figure.unwrap().reading.clone()
    };
    let records = records.unwrap();
    assert!(start_up(&records[0]).measured() > Some(&0.0));
    assert_eq!(start_up(&records[1]), Reading::Missing(Reason::NotExecuted));
}

#[test]
fn the_proof_of_the_stamps_lies_before_the_start_up_that_is_measured() {
    // The start-up time begins with the load, so what is done by then is not in it.
    for (stamping, proven) in [(Stamping::Off, false), (Stamping::Attachments, true)] {
        let scene = leaked(Clear::default());
        let Some(records) = run_if_possible(scene, &Plan { stamping, ..plan() }, &mut ()) else { return };
        let capture = &records.unwrap()[0].capture;
        assert_eq!(*scene.proven.lock().unwrap(), Some(proven), "{stamping:?}");
        let step =
            capture.figures.iter().find(|it| capture.metric(it.metric).name == metric_names::CLOCK_STEP);
        let unasked = step.unwrap().reading == Reading::Missing(Reason::NotStamped);
        assert_eq!(unasked, stamping == Stamping::Off, "{step:?}");
    }
}

#[test]
fn stopping_leaves_whole_captures_only() {
    for (stop, finished) in [((0, 0), 0), ((0, 5), 0), ((1, 11), 1)] {
        let scene = leaked(Clear::default());
        let plan = Plan { repeats: 3, ..plan() };
        let mut notes = Notes { stop: Some(stop), ..Notes::default() };
        let Some(ended) = run_if_possible(scene, &plan, &mut notes) else { return };
        let error = ended.unwrap_err();
        let expected = format!("stopped in run {} of 3; the unfinished run left no capture", finished + 1);
        assert_eq!(error.to_string(), expected);
        let RunError::Interrupted { finished: records, .. } = error else { panic!("{error}") };
        assert_eq!(records.len(), finished, "stopped at {stop:?}");
        assert!(records.iter().all(|record| record.capture.frames.len() == 12));
    }
}

/// An error with its causes, as the command line shows it.
fn chain(error: &dyn std::error::Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {}", chain(source)))
}

#[test]
fn what_a_scene_does_wrong_is_an_error_that_names_it() {
    let check = |fault| {
        let scene = leaked(Clear { fault: Some(fault), ..Clear::default() });
        run_if_possible(scene, &plan(), &mut ()).map(|ended| chain(&ended.unwrap_err()))
    };
    let Some(no_load) = check(Fault::NoLoad) else { return };
    insta::assert_snapshot!(no_load, @"scene `clear` could not be loaded: no such model");
    insta::assert_snapshot!(check(Fault::Panic).unwrap(), @"scene `clear`, frame 2: panicked: the model fell over");
    insta::assert_snapshot!(check(Fault::UnknownMetric).unwrap(), @"scene `clear` set the metric `index_cubed`; it may set cpu_frame, frame_interval, readback_frames, instances, triangles, index_squared");
    insta::assert_snapshot!(check(Fault::UnknownGate).unwrap(), @"scene `clear`: gate `all` names pass `lit`; the scene has clear");
    let often = check(Fault::TooOften).unwrap();
    assert!(often.starts_with("scene `clear`: ") && often.contains(" runs of passes past what"), "{often}");
    let refused = check(Fault::BadPass).unwrap();
    assert!(refused.starts_with("scene `clear`, frame 2: the device refused: "), "{refused}");
}

#[test]
fn a_bad_plan_ends_before_a_device_is_opened() {
    let scene = leaked(Clear::default());
    let plan = Plan { variants: vec![colour("mauve")], adapter: Some("no such adapter".into()), ..plan() };
    let error = run(&scene, &plan, &mut ()).unwrap_err();
    assert!(matches!(error, RunError::Plan(PlanError::Switch(_))), "{error}");
    insta::assert_snapshot!(error, @"switch `colour` of scene `clear` cannot be `mauve`; allowed: red, green, blue");
}

#[test]
fn a_run_without_stamps_still_has_its_host_times() {
    for stamping in [Stamping::Off, Stamping::Bracket] {
        let scene = leaked(Clear::default());
        let Some(records) = run_if_possible(scene, &Plan { stamping, ..plan() }, &mut ()) else { return };
        let capture = &records.unwrap()[0].capture;
        assert_eq!(capture.stamps.len(), 12, "{stamping:?}: a row for the pass of each frame");
        for stamp in &capture.stamps {
            assert_eq!(stamp.start, Reading::Missing(Reason::NotStamped), "{stamping:?}");
            assert_eq!(stamp.end, Reading::Missing(Reason::NotStamped), "{stamping:?}");
        }
        assert_eq!(
            (capture.counts.warm_up, capture.counts.calibration),
            (3, 0),
            "no pairs where there is no cost to find"
        );
        assert!(capture.metrics.iter().any(|metric| metric.name == metric_names::CPU_FRAME));
    }
}

#[test]
fn a_bracketed_run_has_a_time_of_its_own_for_each_frame() {
    let scene = leaked(Clear::default());
    let plan = Plan { stamping: Stamping::Bracket, ..plan() };
    let Some(records) = run_if_possible(scene, &plan, &mut ()) else { return };
    let capture = &records.unwrap()[0].capture;
    let metric = capture.metrics.iter().position(|metric| metric.name == metric_names::BRACKET_GPU).unwrap();
    let times: Vec<&Reading<f64>> = capture
        .samples
        .iter()
        .filter(|sample| usize::from(sample.metric.0) == metric)
        .map(|sample| &sample.reading)
        .collect();
    assert_eq!(times.len(), 12);
    // On an adapter whose stamps are not believed there is a reason in each frame instead.
    let measured = times.iter().filter(|time| time.measured().is_some_and(|time| *time > 0.0)).count();
    assert!(measured == 12 || measured == 0, "{times:?}");
    let figures: Vec<&str> =
        capture.figures.iter().map(|figure| capture.metric(figure.metric).name.as_str()).collect();
    assert_eq!(figures, ["start_up", "clock_step"], "no cost of stamps that nobody took");
}

/// The remarks of a run in which the scene does that.
fn remarks(fault: Fault) -> Option<Vec<String>> {
    let scene = leaked(Clear { fault: Some(fault), ..Clear::default() });
    let records = run_if_possible(scene, &plan(), &mut ())?;
    let capture = &records.unwrap()[0].capture;
    assert_eq!(capture.frames.len(), 12, "{fault:?}: the run goes on");
    Some(capture.remarks.iter().map(|it| format!("{} x {}: {}", it.times, it.place, it.cause)).collect())
}

#[test]
fn what_a_scene_cannot_have_meant_is_remarked_on() {
    let Some(unknown) = remarks(Fault::UnknownPass) else { return };
    insta::assert_snapshot!(unknown.join("\n"), @"12 x scene `clear`: it asked for a pass `clair` that it did not declare, and so got none");
    insta::assert_snapshot!(remarks(Fault::Empty).unwrap().join("\n"), @"4 x scene `clear`: it submitted nothing in 4 of 12 frames");
    insta::assert_snapshot!(remarks(Fault::Dropped).unwrap().join("\n"), @r"
    6 x scene `clear`: a submission was dropped without `submit`, so nothing of it ran
    6 x scene `clear`: it submitted nothing in 6 of 12 frames
    ");
}

#[test]
fn an_image_past_the_adapters_limit_is_refused_by_name() {
    let scene = leaked(Clear::default());
    let plan = Plan { size: Size { width: 100_000, height: 100 }, ..plan() };
    let Some(ended) = run_if_possible(scene, &plan, &mut ()) else { return };
    let error = ended.unwrap_err();
    assert!(matches!(error, RunError::Plan(PlanError::TooLarge { side: 100_000, .. })), "{error:?}");
    let text = error.to_string();
    assert!(text.starts_with("size 100000x100: 100000 is past this adapter's limit of "), "{text}");
}

/// A scene whose picture cannot be had.
struct NoPicture;

impl Scene for NoPicture {
    fn frame(&mut self, _index: u64, frame: &mut Frame<'_>, _samples: &mut FrameSamples<'_>) {
        frame.submission().submit();
    }

    fn image(&mut self) -> Result<Image, SceneError> {
        panic!("the film tore");
    }
}

#[test]
fn a_panic_while_the_picture_is_read_is_the_scenes_error() {
    let gpu = match Gpu::open(&OpenOptions::default()) {
        Ok(gpu) => gpu,
        Err(fault) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out, no adapter: {fault}");
            return;
        }
        Err(fault) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
    };
    let info = SceneInfo::new("torn", &["clear"]);
    let patience = Duration::from_secs(60);
    let error = picture(&gpu, &info, &mut NoPicture, 3, patience).unwrap_err();
    insta::assert_snapshot!(error, @"scene `torn`, the picture of frame 3: panicked: the film tore");
}
