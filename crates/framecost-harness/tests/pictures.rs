//! The picture protocol on whatever adapter is there, with a little scene that is cleared to what it has been through.
//! Without any adapter these tests fail, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may end the program, and says what it left out"
)]
use std::sync::Mutex;
use std::time::Duration;

use framecost_harness::{
    Apart, Benchmark, Difference, Frame, FrameSamples, Gpu, Image, Picture, PictureObserver, PicturePlan,
    PlanError, RunError, Scene, SceneError, SceneInfo, Setup, SwitchDef, pictures,
};
use framecost_sample::{AdapterClass, Size, Switches};

const SIZE: Size = Size { width: 5, height: 4 };

/// Its picture is one grey: how many frames it has been through. With `paint=on` one pixel is another from frame 3 on.
#[derive(Debug, Default)]
struct Counter {
    /// What was called: `on d3` for frame 3 drawn with `paint=on`.
    calls: Mutex<Vec<String>>,
    fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    SmallPicture,
    ShortPicture,
    DrawsNothing,
    PanicBehind,
    PanicSimulating,
}

struct Loaded {
    counter: &'static Counter,
    paint: String,
    view: wgpu::TextureView,
    been: u8,
    frame: u64,
}

impl Loaded {
    fn note(&self, call: &str, index: u64) {
        self.counter.calls.lock().unwrap().push(format!("{} {call}{index}", self.paint));
    }
}

impl Benchmark for &'static Counter {
    fn info(&self) -> SceneInfo {
        SceneInfo {
            switches: vec![SwitchDef::one_of("paint", &["off", "on", "too"], "paints a pixel")],
            frames: 50,
            ..SceneInfo::new("counter", &["clear"])
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let texture = setup.target(gpu, wgpu::TextureFormat::Rgba8Unorm);
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let paint = setup.value("paint")?.to_owned();
        Ok(Box::new(Loaded { counter: self, paint, view, been: 0, frame: 0 }))
    }
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, samples: &mut FrameSamples<'_>) {
        self.note("d", index);
        assert!(!samples.wanted());
        self.been += 1;
        self.frame = index;
        if self.counter.fault == Some(Fault::DrawsNothing) && index == 4 {
            return;
        }
        let Some(clear) = frame.pass("clear") else { return };
        let ops = wgpu::Operations::default();
        let view = &self.view;
        let to = Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops });
        let descriptor = wgpu::RenderPassDescriptor { color_attachments: &[to], ..Default::default() };
        let mut submission = frame.submission();
        submission.render_pass(clear, &descriptor, |_| ());
        submission.submit();
    }

    fn simulate(&mut self, index: u64) {
        assert!(self.counter.fault != Some(Fault::PanicSimulating), "the clock stopped");
        self.note("s", index);
        self.been += 1;
    }

    fn behind(&mut self, x: u32, y: u32) -> Vec<String> {
        assert!(self.counter.fault != Some(Fault::PanicBehind), "nothing there");
        vec![format!("{} at {x}, {y} of frame {}", self.paint, self.frame), "ground".into()]
    }

    fn image(&mut self) -> Result<Image, SceneError> {
        let mut rgba = vec![self.been; 4 * 5 * 4];
        if self.paint == "on" && self.frame >= 3 {
            rgba[(2 * 5 + 1) * 4 + 3] += 7;
        }
        let mut size = SIZE;
        match self.counter.fault {
            Some(Fault::SmallPicture) => size.width = 4,
            Some(Fault::ShortPicture) => rgba.truncate(3),
            _ => {}
        }
        Ok(Image { size, rgba })
    }
}

/// What came, and when to stop.
#[derive(Default)]
struct Seen {
    /// Variant, frame, grey of the first pixel.
    pictures: Vec<(usize, u64, u8)>,
    apart: Vec<(usize, u64, Apart)>,
    expected: u64,
    advanced: u64,
    stop_at: Option<u64>,
    software: bool,
}

impl PictureObserver for Seen {
    fn opened(&mut self, gpu: &Gpu, frames: u64) {
        self.expected = frames;
        self.software = gpu.adapter_class() == AdapterClass::Cpu;
    }

    fn advanced(&mut self) {
        self.advanced += 1;
    }

    fn picture(&mut self, picture: &Picture<'_>) {
        let &Picture { variant, frame, image, reference, ref apart } = picture;
        assert_eq!(reference.is_none(), variant == 0, "only the first has none");
        self.pictures.push((variant, frame, image.rgba[0]));
        self.apart.extend(apart.clone().map(|apart| (variant, frame, apart)));
    }

    fn stop(&mut self) -> bool {
        self.stop_at == Some(self.advanced)
    }
}

fn plan(frames: &[u64], paints: &[&str]) -> PicturePlan {
    let variant = |paint: &&str| Switches([("paint".to_owned(), (*paint).to_owned())].into());
    PicturePlan {
        size: SIZE,
        frames: frames.to_vec(),
        variants: paints.iter().map(variant).collect(),
        adapter: None,
        allowed_pixels: None,
        patience: Duration::from_secs(60),
    }
}

fn counter(fault: Option<Fault>) -> &'static Counter {
    Box::leak(Box::new(Counter { fault, ..Counter::default() }))
}

/// Draws unless there is no adapter and that is allowed.
fn drawn(scene: &'static Counter, plan: &PicturePlan, seen: &mut Seen) -> Option<Result<(), RunError>> {
    match pictures(&scene, plan, seen) {
        Err(RunError::Open(fault)) if std::env::var("FRAMECOST_NO_ADAPTER").as_deref() == Ok("allow") => {
            eprintln!("left out, no adapter: {fault}");
            None
        }
        Err(RunError::Open(fault)) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves this test out"),
        other => Some(other),
    }
}

#[test]
fn frames_between_are_simulated_in_order_and_the_one_before_is_drawn() {
    let (scene, mut seen) = (counter(None), Seen::default());
    let Some(ended) = drawn(scene, &plan(&[5, 8], &["off", "too"]), &mut seen) else { return };
    ended.unwrap();
    let calls = scene.calls.lock().unwrap().join(", ");
    insta::assert_snapshot!(calls, @"off d0, off s1, off s2, off s3, off d4, off d5, too d0, too s1, too s2, too s3, too d4, too d5, off s6, off d7, off d8, too s6, too d7, too d8");
    // Each frame was gone through once, whether drawn or not, so that the scenes are where a whole run has them.
    assert_eq!(seen.pictures, [(0, 5, 6), (1, 5, 6), (0, 8, 9), (1, 8, 9)]);
    assert_eq!(seen.apart, []);
    assert_eq!((seen.expected, seen.advanced), (18, 18));
}

#[test]
fn a_switch_that_changes_the_picture_is_found_with_its_first_pixel_and_what_both_scenes_have_there() {
    let (scene, mut seen) = (counter(None), Seen::default());
    let Some(ended) = drawn(scene, &plan(&[2, 3], &["off", "on", "too"]), &mut seen) else { return };
    ended.unwrap();
    let apart = Apart {
        difference: Difference { pixels: 1, largest: 7, first: (1, 2) },
        behind_reference: vec!["off at 1, 2 of frame 3".into(), "ground".into()],
        behind: vec!["on at 1, 2 of frame 3".into(), "ground".into()],
    };
    assert_eq!(seen.apart, [(1, 3, apart)]);
}

#[test]
fn a_picture_that_proves_nothing_is_an_error_that_names_scene_and_frame() {
    let check = |fault| {
        let ended = drawn(counter(Some(fault)), &plan(&[4, 9], &["off", "on"]), &mut Seen::default())?;
        let error = ended.unwrap_err();
        let source = std::error::Error::source(&error).map(|it| format!(": {it}"));
        Some(format!("{error}{}", source.unwrap_or_default()))
    };
    let Some(small) = check(Fault::SmallPicture) else { return };
    insta::assert_snapshot!(small, @"scene `counter`, frame 4: no picture: it is 4x4 of 80 bytes; allowed: 5x4 of 80 bytes");
    insta::assert_snapshot!(check(Fault::ShortPicture).unwrap(), @"scene `counter`, frame 4: no picture: it is 5x4 of 3 bytes; allowed: 5x4 of 80 bytes");
    insta::assert_snapshot!(check(Fault::DrawsNothing).unwrap(), @"scene `counter`, frame 4: it submitted nothing in 1 of 1 frames; such a frame's picture proves nothing");
    insta::assert_snapshot!(check(Fault::PanicBehind).unwrap(), @"scene `counter`, what lies behind pixel 1, 2 of frame 4: panicked: nothing there");
    insta::assert_snapshot!(check(Fault::PanicSimulating).unwrap(), @"scene `counter`, frame 1, simulated: panicked: the clock stopped");
}

#[test]
fn pixels_may_differ_on_software_alone() {
    let (scene, mut seen) = (counter(None), Seen::default());
    let plain = plan(&[0], &["off"]);
    let Some(ended) = drawn(scene, &plain, &mut seen) else { return };
    ended.unwrap();
    let ended = drawn(scene, &PicturePlan { allowed_pixels: Some(0), ..plain }, &mut Seen::default());
    match ended.unwrap() {
        Ok(()) => assert!(seen.software, "hardware must match exactly"),
        Err(error) => {
            assert!(!seen.software, "{error}");
            assert!(matches!(error, RunError::Plan(PlanError::Allowance { .. })), "{error:?}");
        }
    }
}

#[test]
fn a_plan_past_the_path_ends_before_a_device_is_opened() {
    let scene = counter(None);
    let plan = PicturePlan { adapter: Some("no such adapter".into()), ..plan(&[50], &["off"]) };
    let error = pictures(&scene, &plan, &mut ()).unwrap_err();
    insta::assert_snapshot!(error, @"frame 50; allowed: 0 to 49, the path of scene `counter`");
    assert!(scene.calls.lock().unwrap().is_empty());
}

#[test]
fn stopping_is_heeded_before_the_next_frame() {
    let (scene, mut seen) = (counter(None), Seen { stop_at: Some(7), ..Seen::default() });
    let Some(ended) = drawn(scene, &plan(&[3], &["off", "on"]), &mut seen) else { return };
    insta::assert_snapshot!(ended.unwrap_err(), @"stopped before frame 3 of variant 2 was drawn");
    assert_eq!((seen.advanced, seen.pictures.len()), (7, 0));
}
