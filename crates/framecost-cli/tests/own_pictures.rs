//! Somebody's own scene whose switch does change the picture, behind the command line. A program without the test harness:
//! called with `FRAMECOST_TEST_PICTURES` it is that somebody's benchmark, else it calls itself so and checks what comes out.
//! Without any adapter it fails, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it leaves out"
)]

mod common;

use std::fs::File;
use std::io::BufReader;
use std::process::{Command, ExitCode, Stdio};

use common::{Done, Place, adapter};
use framecost_harness::{
    Benchmark, Frame, FrameSamples, Gpu, Image, Scene, SceneError, SceneInfo, Setup, SwitchDef,
};

const SCENES: &str = "FRAMECOST_TEST_PICTURES";
const SMALL: &str = "images painted --size 6x4";

/// With `paint=on`, frames from 3 on have two pixels of another colour; the picture of frame 9 is lost.
struct Painted;

struct Loaded {
    setup: Setup,
    painted: bool,
    frame: u64,
}

impl Benchmark for Painted {
    fn info(&self) -> SceneInfo {
        let paint = SwitchDef::one_of("paint", &["off", "on", "never"], "paints two pixels");
        SceneInfo { switches: vec![paint], frames: 10, ..SceneInfo::new("painted", &["work"]) }
    }

    fn load(&self, _: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        let painted = setup.value("paint")? == "on";
        Ok(Box::new(Loaded { setup: setup.clone(), painted, frame: 0 }))
    }
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, _: &mut FrameSamples<'_>) {
        self.frame = index;
        let Some(work) = frame.pass("work") else { return };
        let mut submission = frame.submission();
        submission.compute_pass(work, |_| ());
        submission.submit();
    }

    fn behind(&mut self, x: u32, y: u32) -> Vec<String> {
        if self.painted { vec![format!("paint\u{1b}[2J at {x}, {y}"), "wall".into()] } else { Vec::new() }
    }

    fn image(&mut self) -> Result<Image, SceneError> {
        if self.frame == 9 {
            return Err("the film\u{1b}[31m tore".into());
        }
        let size = self.setup.size;
        let mut rgba = [80, 120, 160, 255].repeat((size.width * size.height) as usize);
        if self.painted && self.frame >= 3 {
            rgba[(6 + 2) * 4] += 10;
            rgba[(3 * 6 + 1) * 4 + 1] += 20;
        }
        Ok(Image { size, rgba })
    }
}

fn main() -> ExitCode {
    if std::env::var_os(SCENES).is_some() {
        return framecost_cli::main(&[&Painted]);
    }
    if adapter("pictures of one's own scene") {
        a_difference_is_exit_code_1_with_its_place_and_its_picture();
        equal_pictures_are_identical_and_a_difference_of_an_earlier_call_goes();
        an_allowance_is_for_software_alone();
        what_cannot_be_drawn_is_exit_code_3_in_harmless_words();
        println!("own pictures: all checks passed");
    }
    ExitCode::SUCCESS
}

/// This program as that benchmark.
fn own(place: &Place, arguments: &str) -> Done {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments.split_whitespace()).current_dir(place.path("")).env(SCENES, "");
    command.stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    // Mesa's device layer complains on stderr where there is no display.
    command.env("NODEVICE_SELECT", "1");
    Done::from(command.output().unwrap())
}

/// Red, green and blue of each pixel of a file.
fn pixels(place: &Place, name: &str) -> Vec<[u8; 3]> {
    let file = File::open(place.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut reader = png::Decoder::new(BufReader::new(file)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let frame = reader.next_frame(&mut bytes).unwrap();
    assert_eq!((frame.width, frame.height, frame.color_type), (6, 4, png::ColorType::Rgb), "{name}");
    bytes[..frame.buffer_size()].chunks(3).map(|it| it.try_into().unwrap()).collect()
}

fn a_difference_is_exit_code_1_with_its_place_and_its_picture() {
    let place = Place::new();
    let call = format!("{SMALL} --at 2,3 --vary paint=off,on,never");
    let done = own(&place, &call);
    assert_eq!(done.code, 1, "{done:?}");
    let first =
        "DIFFERENT  1 of 4 pictures differs from the reference's: 2 frames, 3 variants\npainted 6x4, ";
    assert!(done.stdout.starts_with(first), "{}", done.stdout);
    let said = "  paint=on          2       20  2, 1         `out/images/painted-3-paint=on.png`\n    \
                difference: `out/images/painted-3-paint=on-difference.png`\n    \
                behind 2, 1 by paint=off: the scene does not say\n    \
                behind 2, 1 by paint=on: paint\\u{1b}[2J at 2, 1, wall\n";
    assert!(done.stdout.contains(said), "{}", done.stdout);
    let found = pixels(&place, "out/images/painted-3-paint=on-difference.png");
    let mut expected = vec![[20, 30, 40]; 24];
    (expected[8], expected[19]) = ([159; 3], [255; 3]);
    assert_eq!(found, expected, "half of the largest difference, the largest, and the darkened reference");
    assert_eq!(pixels(&place, "out/images/painted-3-paint=on.png")[8], [90, 120, 160]);
    assert_eq!(std::fs::read_dir(place.path("out/images")).unwrap().count(), 7, "one difference");
    let json = own(&place, &format!("{call} --json"));
    assert_eq!(json.code, 1, "{json:?}");
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&json["verdict"], &json["exit_code"]), (&"different".into(), &1.into()));
    let picture = &json["frames"][1]["pictures"][0];
    assert_eq!((&picture["pixels"], &picture["largest"]), (&2.into(), &20.into()));
    assert_eq!(picture["first"], serde_json::json!([2, 1]));
    assert_eq!(picture["behind_reference"], serde_json::json!([]));
    assert_eq!(picture["behind"][1], "wall");
    assert_eq!(picture["difference_file"], "out/images/painted-3-paint=on-difference.png");
}

fn equal_pictures_are_identical_and_a_difference_of_an_earlier_call_goes() {
    let place = Place::new();
    let stale = "out/images/painted-2-paint=on-difference.png";
    place.write(stale, "of yesterday");
    place.write("out/images/holiday.png", "somebody's");
    let done = own(&place, &format!("{SMALL} --at 0,2 --vary paint=off,on"));
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.starts_with("IDENTICAL  2 frames, 2 variants\n"), "{}", done.stdout);
    assert!(!place.path(stale).exists() && place.path("out/images/holiday.png").exists());
}

fn an_allowance_is_for_software_alone() {
    let place = Place::new();
    let call =
        |pixels: u32| own(&place, &format!("{SMALL} --at 3 --vary paint=off,on --allow-pixels {pixels}"));
    let (two, one) = (call(2), call(1));
    if two.code == 2 {
        assert!(two.stderr.contains("hardware must match exactly"), "{two:?}");
        assert!(!place.path("out").exists(), "nothing was drawn");
        return;
    }
    assert_eq!((two.code, one.code), (0, 1), "{two:?} {one:?}");
    let first = "WITHIN THE ALLOWANCE of 2 pixels a frame (software adapter)  1 of 1 pictures differs";
    assert!(two.stdout.starts_with(first) && two.stdout.contains("(cpu)"), "{}", two.stdout);
    let first =
        "DIFFERENT  1 past the allowance of 1 pixel a frame (software adapter); 1 of 1 pictures differs";
    assert!(one.stdout.starts_with(first), "{}", one.stdout);
}

fn what_cannot_be_drawn_is_exit_code_3_in_harmless_words() {
    let place = Place::new();
    let done = own(&place, &format!("{SMALL} --at 8,9 --vary paint=off,on"));
    let text = "error: scene `painted`, frame 9: no picture: the film\\u{1b}[31m tore\n";
    assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (3, "", text), "{done:?}");
    let done = own(&place, "picture painted --at 9 --out a.png");
    assert_eq!((done.code, done.stderr.as_str()), (3, text), "{done:?}");
    assert!(!place.path("a.png").exists());
    let help = own(&place, "images --help").stdout;
    assert!(help.contains("\n  own_pictures images painted --at "), "{help}");
}
