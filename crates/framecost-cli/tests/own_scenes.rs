//! Somebody's own scenes, some of them faulty, behind the command line. A program without the test harness: called with
//! `FRAMECOST_TEST_SCENES` it is that somebody's benchmark, else it calls itself so and checks what comes out.
//! Without any adapter the measuring half fails, unless `FRAMECOST_NO_ADAPTER=allow` says that this is known.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says what it leaves out"
)]

mod common;

use std::process::{Command, ExitCode, Stdio};

use common::{Done, Place, adapter};
use framecost_harness::{Benchmark, Frame, FrameSamples, Gpu, Scene, SceneError, SceneInfo, Setup};

const SCENES: &str = "FRAMECOST_TEST_SCENES";
/// Without stamps, so that no exit code hangs on whether a busy machine's stamps are believed.
const SMALL: &str = "bench --size 16x16 --frames 6 --warmup 1 --stamps none";

/// A scene by what is wrong with it.
#[derive(Clone, Copy)]
enum Own {
    Sound,
    /// Another of the same name.
    Twin,
    NoLoad,
    /// Its error and its name would act on a terminal.
    Hostile,
    /// Draws through a pass that it did not declare, and so draws nothing.
    Misspelt,
    /// Lets each second submission go.
    Forgetful,
}

struct Loaded(Own);

impl Benchmark for Own {
    fn info(&self) -> SceneInfo {
        let name = match self {
            Self::Sound | Self::Twin => "sound",
            Self::NoLoad => "no-load",
            Self::Hostile => "ho\u{1b}[31m\u{202e}stile",
            Self::Misspelt => "misspelt",
            Self::Forgetful => "forgetful",
        };
        SceneInfo { frames: 50, about: "a\u{9b}31mbout".into(), ..SceneInfo::new(name, &["move", "draw"]) }
    }

    fn load(&self, _: &Gpu, _: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        match self {
            Self::NoLoad => Err("no such model".into()),
            Self::Hostile => Err("no \u{1b}[2Jmodel\nPASSED".into()),
            sound => Ok(Box::new(Loaded(*sound))),
        }
    }
}

impl Scene for Loaded {
    fn frame(&mut self, index: u64, frame: &mut Frame<'_>, _: &mut FrameSamples<'_>) {
        let name = if matches!(self.0, Own::Misspelt) { "mvoe" } else { "move" };
        let Some(moves) = frame.pass(name) else { return };
        let mut submission = frame.submission();
        submission.compute_pass(moves, |_| ());
        if !(matches!(self.0, Own::Forgetful) && index % 2 == 1) {
            submission.submit();
        }
    }
}

fn main() -> ExitCode {
    match std::env::var(SCENES).as_deref() {
        Ok("twins") => framecost_cli::main(&[&Own::Sound, &Own::Twin]),
        Ok("all") => {
            framecost_cli::main(&[&Own::NoLoad, &Own::Hostile, &Own::Sound, &Own::Misspelt, &Own::Forgetful])
        }
        Ok("sound") => framecost_cli::main(&[&Own::Sound]),
        _ => {
            check();
            ExitCode::SUCCESS
        }
    }
}

fn check() {
    two_scenes_of_one_name_are_wrong_use();
    help_names_this_program_and_its_scene();
    a_list_of_scenes_holds_nothing_that_acts();
    if !adapter("measuring one's own scenes") {
        return;
    }
    a_scene_that_fails_stops_no_other();
    what_a_scene_cannot_have_meant_is_found_in_its_report();
    another_size_has_another_name_and_what_is_old_is_told();
    a_pass_that_cannot_be_left_out_or_repeated_has_no_marginal_cost();
    println!("own scenes: all checks passed");
}

/// This program as a benchmark of those scenes.
fn own(place: &Place, scenes: &str, arguments: &str) -> Done {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(arguments.split_whitespace()).current_dir(place.path("")).env(SCENES, scenes);
    command.stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    // Mesa's device layer complains on stderr where there is no display.
    command.env("NODEVICE_SELECT", "1");
    Done::from(command.output().unwrap())
}

fn two_scenes_of_one_name_are_wrong_use() {
    let done = own(&Place::new(), "twins", "bench --list");
    assert_eq!((done.code, done.stdout.as_str()), (2, ""), "{done:?}");
    let text = "error: this program has two scenes named `sound`; each needs a name of its own\n";
    assert_eq!(done.stderr, text);
}

fn help_names_this_program_and_its_scene() {
    let place = Place::new();
    for (arguments, usage) in [
        ("--help", "own_scenes <COMMAND>"),
        ("bench --help", "own_scenes bench"),
        ("baseline save --help", "own_scenes baseline save"),
    ] {
        let done = own(&place, "sound", arguments);
        assert_eq!(done.code, 0, "{done:?}");
        assert!(done.stdout.contains(&format!("Usage: {usage}")), "{}", done.stdout);
        assert!(!done.stdout.contains("  framecost ") && !done.stdout.contains("orrery"), "{}", done.stdout);
    }
    let bench = own(&place, "sound", "bench --help").stdout;
    assert!(bench.contains("\n  own_scenes bench sound --profile quick"), "{bench}");
    assert!(own(&place, "sound", "--version").stdout.starts_with("own_scenes 0."));
}

fn a_list_of_scenes_holds_nothing_that_acts() {
    let place = Place::new();
    for arguments in ["bench --list", "bench --list --json", "bench none"] {
        let done = own(&place, "all", arguments);
        let text = done.stdout.clone() + &done.stderr;
        assert!(text.contains("stile"), "{done:?}");
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(acts), "{arguments}: {text:?}");
    }
}

fn a_scene_that_fails_stops_no_other() {
    let place = Place::new();
    let done = own(&place, "all", SMALL);
    assert_eq!(done.code, 3, "{done:?}");
    for name in ["sound", "misspelt", "forgetful"] {
        framecost_store::read(&place.path(&format!("out/{name}-16x16.framecost"))).unwrap();
    }
    let errors: Vec<&str> = done.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(
        errors,
        [
            "error: scene `no-load` could not be loaded: no such model",
            r"error: scene `ho\u{1b}[31m\u{202e}stile` could not be loaded: no \u{1b}[2Jmodel\nPASSED",
        ]
    );
    let alone = own(&place, "all", &format!("{SMALL} no-load"));
    assert_eq!((alone.code, alone.stdout.as_str()), (3, ""), "{alone:?}");
    let wrong = own(&place, "all", &format!("{SMALL} no-load sound --set colour=red"));
    assert_eq!(wrong.code, 2, "a switch that neither has: {wrong:?}");
    assert_eq!(wrong.stderr.matches("has no switch `colour`").count(), 2, "{wrong:?}");
}

fn what_a_scene_cannot_have_meant_is_found_in_its_report() {
    let place = Place::new();
    let misspelt = own(&place, "all", &format!("{SMALL} misspelt"));
    assert_eq!(misspelt.code, 0, "{misspelt:?}");
    for said in [
        "it asked for a pass `mvoe` that it did not declare",
        "move, draw",
        "it submitted nothing in 6 of 6 frames",
    ] {
        assert!(misspelt.stdout.contains(said), "{said}: {}", misspelt.stdout);
    }
    let timed = own(&place, "all", "bench misspelt --size 16x16 --frames 6 --warmup 1");
    assert_eq!(timed.code, 3, "nothing was drawn, so that there is no time: {timed:?}");
    assert!(timed.stderr.contains("no frame of 1 run has a GPU time"), "{timed:?}");
    let forgetful = own(&place, "all", &format!("{SMALL} forgetful"));
    assert_eq!(forgetful.code, 0, "{forgetful:?}");
    let said = "a submission was dropped without `submit`";
    assert!(forgetful.stdout.contains(said), "{}", forgetful.stdout);
    let report = own(&place, "all", "report out/forgetful-16x16.framecost");
    assert!(report.stdout.contains(said), "it stands in the capture: {}", report.stdout);
    let sound = own(&place, "all", &format!("{SMALL} sound"));
    assert!(!sound.stdout.contains("scene `sound`"), "{}", sound.stdout);
}

fn another_size_has_another_name_and_what_is_old_is_told() {
    let place = Place::new();
    let notes = |arguments: &str| {
        let done = own(&place, "sound", &format!("bench --frames 4 --warmup 1 --stamps none {arguments}"));
        assert_eq!(done.code, 0, "{done:?}");
        done.stderr
    };
    assert_eq!(notes("--size 16x16 --repeats 3"), "");
    assert_eq!(
        notes("--size 16x16 --repeats 2"),
        "note: of the same key, but not of this call: `out/sound-16x16-3.framecost`; \
         a pattern over the folder takes them in\n"
    );
    assert_eq!(notes("--size 24x16"), "", "another size is another key, under a name of its own");
    assert_eq!(notes("--size 24x16"), "", "the same again is replaced and needs no words");
    assert_eq!(
        notes("--size 24x16 --frames-in-flight 1"),
        "note: `out/sound-24x16.framecost` held a capture of another key, now replaced: frames_in_flight: 1 against 2\n"
    );
    let mut left: Vec<String> = std::fs::read_dir(place.path("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let all = ["sound-16x16-1", "sound-16x16-2", "sound-16x16-3", "sound-24x16"];
    assert_eq!(left, all.map(|name| format!("{name}.framecost")), "nothing is deleted");
}

fn a_pass_that_cannot_be_left_out_or_repeated_has_no_marginal_cost() {
    let place = Place::new();
    let done = own(&place, "sound", "cost move --scene sound --size 16x16 --frames 4 --warmup 1 --repeats 1");
    let why = "missing: the scene names no switch that takes the pass out of the frame, and has no number switch move_load";
    assert!(done.stdout.contains(why), "{done:?}");
    // On an adapter whose stamps are not believed the other two are missing as well.
    let others = done.stdout.matches("missing: ").count() - 1;
    assert!(others == 0 && done.code == 0 || others == 2 && done.code == 3, "{done:?}");
    let drawn = own(&place, "all", "cost draw --scene sound --size 16x16 --frames 4 --warmup 1 --repeats 1");
    assert_eq!(drawn.code, 3, "no frame runs that pass, so none of its readings can be had: {drawn:?}");
    assert!(drawn.stdout.contains("no frame of run 1 has a value: not executed"), "{drawn:?}");
}
