//! `framecost bench`: the run protocol over the scenes, each run's capture stored and its report shown as soon as it ends.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::ValueEnum;
use framecost::report::{Report, json, markdown, text};
use framecost_harness::{Benchmark, Event, Observer, Phase, Plan, RunRecord, Stamping};
use framecost_sample::{Size, Switches};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::{self, Format, ReportFormat, Set, Vary};
use crate::capture::analyse;
use crate::exit::{Exit, WrongUse};
use crate::output::{self, quoted};
use crate::progress::Progress;
use crate::{interrupt, version};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost bench orrery --profile quick                       under 90 s on two cores without a GPU
  framecost bench orrery --size 2560x1440 --profile full       the whole path, for a baseline
  framecost bench orrery --vary lit_load=1,4 --repeats 3       two variants in turn: A B, B A, A B

Captures are named SCENE[-SWITCH=VALUE...][-REPEAT].framecost in the folder of --out; one of the same name is replaced. Ctrl-C \
leaves the captures of finished runs, whole, and nothing of the unfinished one.")]
pub(crate) struct Args {
    /// Scenes to measure; all of them if none is named
    #[arg(value_name = "SCENE")]
    scenes: Vec<String>,
    /// Part of the adapter's name, in any case [default: the best adapter]
    #[arg(long, value_name = "TEXT")]
    adapter: Option<String>,
    /// How thorough to be; --size, --frames and --warmup say otherwise one by one
    #[arg(long, value_enum, default_value_t = Profile::Quick)]
    profile: Profile,
    /// Size of the image [default: 640x360 quick, 1920x1080 full]
    #[arg(long, value_name = "WxH", value_parser = args::size)]
    size: Option<Size>,
    /// Frames to measure, from the start of the scene's path [default: 120 quick, the whole path full]
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Frames to draw first and leave out [default: 10 quick, 60 full]
    #[arg(long, value_name = "N")]
    warmup: Option<u64>,
    /// Pairs of frames, with stamps and without, that show what stamping costs; left out too [default: 4 quick, 16 full]
    #[arg(long, value_name = "N")]
    calibration: Option<u64>,
    /// Independent runs of each variant
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeats: u32,
    /// Set a switch of the scene
    #[arg(long, value_name = "SWITCH=VALUE", value_parser = args::set)]
    set: Vec<Set>,
    /// Measure a variant for each value of a switch, taking turns; several make every combination
    #[arg(long, value_name = "SWITCH=V1,V2", value_parser = args::vary)]
    vary: Vec<Vary>,
    /// Frames that may be submitted and unfinished when the next one starts
    #[arg(long, value_name = "N", default_value_t = 2)]
    frames_in_flight: u32,
    /// What is stamped
    #[arg(long, value_enum, default_value_t = Stamps::Passes)]
    stamps: Stamps,
    /// The measured program's revision, to be kept with the capture
    #[arg(long, value_name = "TEXT")]
    revision: Option<String>,
    /// Where the captures go
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    #[command(flatten)]
    format: ReportFormat,
}

/// How thorough a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Profile {
    /// A first look: a small image, part of the path.
    Quick,
    /// For baselines: a large image, the whole path.
    Full,
}

/// What is stamped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stamps {
    /// Each pass, by wgpu's own stamps.
    Passes,
    /// Each pass, its start as early as the GPU takes it up; Vulkan only.
    TopBottom,
    /// Only the frame as a whole.
    Frame,
    /// Nothing: the host's times alone.
    None,
}

impl Args {
    fn plan(&self) -> Result<Plan> {
        let (size, frames, warm_up, pairs) = match self.profile {
            Profile::Quick => (Size { width: 640, height: 360 }, Some(120), 10, 4),
            Profile::Full => (Size { width: 1920, height: 1080 }, None, 60, 16),
        };
        let revision = self.revision.clone();
        Ok(Plan {
            size: self.size.unwrap_or(size),
            frames: self.frames.or(frames),
            warm_up: self.warmup.unwrap_or(warm_up),
            calibration_pairs: self.calibration.unwrap_or(pairs),
            repeats: self.repeats,
            frames_in_flight: self.frames_in_flight,
            stamping: match self.stamps {
                Stamps::Passes => Stamping::Attachments,
                Stamps::TopBottom => Stamping::TopBottom,
                Stamps::Frame => Stamping::Bracket,
                Stamps::None => Stamping::Off,
            },
            variants: variants(&self.set, &self.vary)?,
            adapter: self.adapter.clone(),
            // With the reference scenes inside, the program that is measured is this one.
            revision: revision.or_else(|| version::HAS_SCENES.then(|| version::REVISION.into())),
            facts: vec![("framecost".into(), version::LONG.into())],
            ..Plan::default()
        })
    }

    /// Whether the profile alone chose how many frames to measure, so that a shorter path is no mistake of anybody's.
    const fn frames_are_a_wish(&self) -> bool {
        self.frames.is_none()
    }
}

/// Every combination of the varied values over the set ones.
fn variants(set: &[Set], vary: &[Vary]) -> Result<Vec<Switches>> {
    let names = set.iter().map(|it| &it.name).chain(vary.iter().map(|it| &it.name));
    let mut base = Switches::default();
    for name in names {
        if base.0.insert(name.clone(), String::new()).is_some() {
            bail!(WrongUse(format!("switch `{}` is given twice by --set and --vary", name.escape_debug())));
        }
    }
    base.0.extend(set.iter().map(|it| (it.name.clone(), it.value.clone())));
    let mut variants = vec![base];
    for Vary { name, values } in vary {
        let with = |variant: &Switches| {
            let variant = variant.clone();
            values.iter().map(move |value| {
                let mut one = variant.clone();
                one.0.insert(name.clone(), value.clone());
                one
            })
        };
        variants = variants.iter().flat_map(with).collect();
    }
    Ok(variants)
}

/// A run as programs get it.
#[derive(Serialize)]
struct Entry {
    capture: String,
    repeat: u32,
    report: Box<RawValue>,
}

#[derive(Serialize)]
struct Entries {
    framecost_runs: u32,
    runs: Vec<Entry>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let scenes = choose(app.benchmarks, &args.scenes)?;
    let plan = args.plan()?;
    interrupt::watch()?;
    let mut entries = Vec::new();
    for scene in scenes {
        let info = scene.info();
        let mut plan = plan.clone();
        if args.frames_are_a_wish() {
            plan.frames = plan.frames.map(|frames| frames.min(info.frames));
        }
        let names = Names::new(&args.out, &info.name, &plan)?;
        let mut recorder = Recorder { app, args, names, progress: Progress::new(), entries, failed: None };
        let ended = framecost_harness::run(scene, &plan, &mut recorder);
        recorder.progress.clear();
        // What could not be stored is why the run was stopped.
        recorder.failed.map_or(Ok(()), Err)?;
        ended?;
        entries = recorder.entries;
    }
    if args.format.get() == Format::Json {
        app.out.print_json(&Entries { framecost_runs: 1, runs: entries })?;
    }
    Ok(Exit::Passed)
}

/// The scenes of these names, or all.
fn choose<'a>(scenes: &[&'a dyn Benchmark], names: &[String]) -> Result<Vec<&'a dyn Benchmark>> {
    if names.is_empty() {
        return Ok(scenes.to_vec());
    }
    let find = |name: &String| {
        scenes.iter().copied().find(|scene| scene.info().name == *name).ok_or_else(|| {
            let known: Vec<String> = scenes.iter().map(|scene| scene.info().name).collect();
            let name = name.escape_debug();
            WrongUse(format!("scene `{name}` is not known; there is {}", known.join(", "))).into()
        })
    };
    names.iter().map(find).collect()
}

/// Where each run's capture goes.
struct Names {
    folder: PathBuf,
    /// By variant.
    stems: Vec<String>,
    repeats: u32,
}

impl Names {
    /// Switches stand in a name if the command line named them, so that a script knows the name beforehand.
    fn new(folder: &Path, scene: &str, plan: &Plan) -> Result<Self> {
        let stem = |switches: &Switches| {
            let parts = switches.0.iter().map(|(name, value)| format!("-{name}={value}"));
            let name: String = std::iter::once(scene.to_owned()).chain(parts).collect();
            let plain = |c: char| if c.is_alphanumeric() || "._=-".contains(c) { c } else { '_' };
            name.trim_start_matches('.').chars().map(plain).collect::<String>()
        };
        let stems: Vec<String> = plan.variants.iter().map(stem).collect();
        if let Some(name) = stems.iter().enumerate().find(|(i, name)| stems[..*i].contains(name)) {
            bail!(WrongUse(format!(
                "two variants would both be named `{}`; measure them in two calls",
                name.1
            )));
        }
        Ok(Self { folder: folder.into(), stems, repeats: plan.repeats })
    }

    fn of(&self, variant: usize, repeat: u32) -> PathBuf {
        let repeat = if self.repeats > 1 { format!("-{}", repeat + 1) } else { String::new() };
        self.folder.join(format!("{}{repeat}.{}", self.stems[variant], framecost_store::EXTENSION))
    }
}

/// Stores and shows each run when it ends, so that an interrupt later takes nothing away.
struct Recorder<'a> {
    app: &'a App<'a>,
    args: &'a Args,
    names: Names,
    progress: Progress,
    entries: Vec<Entry>,
    failed: Option<anyhow::Error>,
}

impl Recorder<'_> {
    fn store(&mut self, record: &RunRecord) -> Result<()> {
        let path = self.names.of(record.variant, record.repeat);
        framecost_store::write(&path, &record.capture)?;
        let report = Report::new(&analyse(record.capture.clone()), None, None);
        let shown = match self.args.format.get() {
            Format::Text => format!("{}\ncapture: {}\n", text(&report, self.app.out.style()), quoted(&path)),
            Format::Markdown => format!("{}\ncapture: {}\n", markdown(&report), quoted(&path)),
            Format::Json => {
                let capture = path.to_string_lossy().into_owned();
                let report = output::raw(&json(&report))?;
                self.entries.push(Entry { capture, repeat: record.repeat + 1, report });
                return Ok(());
            }
        };
        self.progress.beside(|| self.app.out.print(&shown))
    }
}

impl Observer for Recorder<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Opened { frames, .. } => self.progress.expect(*frames),
            Event::RunStarted { scene, switches, repeat, .. } => {
                let title = format!("{scene} {switches} repeat {}", repeat + 1);
                self.progress.doing(title.escape_debug().to_string());
            }
            Event::Frame { .. } => self.progress.advance(),
            Event::RunEnded { record } => {
                if let Err(error) = self.store(record) {
                    self.failed = Some(error);
                }
            }
            Event::Phase {
                phase: Phase::StartUp | Phase::WarmUp | Phase::Calibration | Phase::Measured,
                ..
            } => {}
        }
    }

    fn stop(&mut self) -> bool {
        self.failed.is_some() || interrupt::asked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Set {
        Set { name: name.into(), value: value.into() }
    }

    fn vary(name: &str, values: &[&str]) -> Vary {
        Vary { name: name.into(), values: values.iter().map(|&it| it.into()).collect() }
    }

    #[test]
    fn varied_switches_make_every_combination() {
        let made = variants(&[set("c", "on")], &[vary("a", &["1", "2"]), vary("b", &["x", "y"])]).unwrap();
        let made: Vec<String> = made.iter().map(Switches::to_string).collect();
        assert_eq!(made, ["a=1 b=x c=on", "a=1 b=y c=on", "a=2 b=x c=on", "a=2 b=y c=on"]);
        assert_eq!(variants(&[], &[]).unwrap(), [Switches::default()]);
    }

    #[test]
    fn a_switch_is_named_once() {
        for (first, second) in
            [(vec![set("a", "1"), set("a", "2")], vec![]), (vec![set("a", "1")], vec![vary("a", &["2"])])]
        {
            let error = variants(&first, &second).unwrap_err();
            assert_eq!(error.to_string(), "switch `a` is given twice by --set and --vary");
            assert_eq!(crate::exit::of_error(&error), Exit::WrongUse);
        }
    }

    #[test]
    fn names_follow_from_the_arguments_alone() {
        let plan = |repeats, variants| Plan { repeats, variants, ..Plan::default() };
        let one = Names::new(Path::new("out"), "orrery", &plan(1, vec![Switches::default()])).unwrap();
        assert_eq!(one.of(0, 0), Path::new("out/orrery.framecost"));
        let two = variants(&[], &[vary("lit_load", &["1", "4"])]).unwrap();
        let many = Names::new(Path::new("out"), "orrery", &plan(2, two)).unwrap();
        assert_eq!(many.of(1, 1), Path::new("out/orrery-lit_load=4-2.framecost"));
        let odd = Names::new(Path::new("out"), "../a b/c", &plan(1, vec![Switches::default()])).unwrap();
        assert_eq!(odd.of(0, 0), Path::new("out/_a_b_c.framecost"), "a scene's name leads nowhere");
    }
}
