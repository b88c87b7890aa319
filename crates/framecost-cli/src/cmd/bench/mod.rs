//! `framecost bench`: the run protocol over the scenes, each run's capture stored and its report shown as soon as it ends.

mod earlier;
pub(super) mod names;
mod recorder;
mod scenes;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result, bail};
use clap::ValueEnum;
use framecost::report::OfVariants;
use framecost_harness::{Benchmark, Interleave, Plan, RunError, SceneInfo, Stamping};
use framecost_sample::Size;
use framecost_wgpu::OpenError;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::{self, Format, ReportFormat, Set, Vary};
use crate::capture::{group, read_all};
use crate::cmd::pairs::{self, OfPairs};
use crate::cmd::report::{raw_all, shown};
use crate::configured::Configured;
use crate::exit::{self, Exit, WrongUse};
use crate::output::{clean, quoted};
use crate::reference::in_pairs;
use crate::{interrupt, version};
use earlier::Written;
use names::{Names, combinations, variants};
use recorder::{Entry, Left, Recorder};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost bench --list                                       what there is to measure
  framecost bench orrery --profile quick                       under 90 s on two cores without a GPU
  framecost bench orrery --size 2560x1440 --profile full       the whole path, for a baseline
  framecost bench orrery --vary lit_load=1,4 --repeats 3       two variants in turn: A B, B A, A B
  framecost bench orrery --vary lit_load=1,2 --interleave frames --repeats 5
                                                               two variants frame by frame in turn, and what came of it

Captures are named SCENE[-WxH][-SWITCH=VALUE...][-a or -b][-REPEAT].framecost in the folder of --out, with the size and the switches that the \
call names; one of the same name is replaced. Where one scene fails the others are measured all the same. Ctrl-C leaves the captures \
of finished runs, whole, and nothing of the unfinished one.")]
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
    /// Frames to measure, from the start of the scene's path [default: quick, what the scene says, mostly 120; full, the whole path]
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Frames to draw first and leave out [default: 10 quick, less for a short first look, 60 full]
    #[arg(long, value_name = "N")]
    warmup: Option<u64>,
    /// Pairs of frames, with stamps and without, that show what stamping costs; left out too [default: 4 quick, less for a short first look, 16 full]
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
    /// What takes turns where variants do. `frames` takes two variants, which may be the same: both are drawn in one process, one
    /// frame of each in turn, so that they share what the machine does; they are then judged by pairs
    #[arg(long, value_enum, default_value_t = Turns::Runs)]
    interleave: Turns,
    /// Frames that may be submitted and unfinished when the next one starts
    #[arg(long, value_name = "N", default_value_t = 2)]
    frames_in_flight: u32,
    /// What is stamped
    #[arg(long, value_enum, default_value_t = Stamps::Passes)]
    stamps: Stamps,
    /// The measured program's revision, to be kept with the capture
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    revision: Option<String>,
    /// Where the captures go
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// Show the scenes with their passes, gates and switches, and measure nothing
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    format: ReportFormat,
}

/// Frames that warm up a first look, unless it is a short one.
const WARM_UP: u64 = 10;

/// What takes turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Turns {
    /// Whole runs.
    Runs,
    /// Frames.
    Frames,
}

impl From<Turns> for Interleave {
    fn from(turns: Turns) -> Self {
        match turns {
            Turns::Runs => Self::Runs,
            Turns::Frames => Self::Frames,
        }
    }
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
        let (size, warm_up, pairs) = match self.profile {
            Profile::Quick => (Size { width: 640, height: 360 }, WARM_UP, 4),
            Profile::Full => (Size { width: 1920, height: 1080 }, 60, 16),
        };
        let revision = self.revision.clone();
        Ok(Plan {
            size: self.size.unwrap_or(size),
            frames: self.frames,
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
            variants: match self.interleave {
                Turns::Runs => variants(&self.set, &self.vary)?,
                Turns::Frames => combinations(&self.set, &self.vary)?,
            },
            interleave: self.interleave.into(),
            twins: self.interleave == Turns::Frames,
            adapter: self.adapter.clone(),
            // With the reference scenes inside, the program that is measured is this one.
            revision: revision.or_else(|| version::HAS_SCENES.then(|| version::REVISION.into())),
            facts: vec![("framecost".into(), version::LONG.into())],
            ..Plan::default()
        })
    }
}

/// Runs as programs get them.
#[derive(Serialize)]
struct Entries {
    framecost_runs: u32,
    runs: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pairs: Vec<OfPairs>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let scenes = choose(app.benchmarks, &args.scenes)?;
    if args.list {
        return scenes::list(&scenes, args.format, app);
    }
    let plan = args.plan()?;
    // What the pairs are judged by is known to be sound before anything is measured.
    let config = Configured::read(None)?.config;
    check_writable(&args.out)?;
    interrupt::watch()?;
    let (mut left, mut written, mut failures) = (Left::default(), Written::default(), Vec::new());
    let (mut added_all, mut pairs_all) = (Vec::new(), Vec::new());
    for &scene in &scenes {
        let measured = measure(scene, plan.clone(), args, app, &mut written);
        left.entries.extend(measured.entries);
        let added = differences(&measured.captures)?;
        for text in added.iter().filter_map(|of| shown(of, args.format.get(), app)) {
            app.out.print(&format!("\n{text}"))?;
        }
        added_all.extend(added);
        if args.interleave == Turns::Frames {
            let judged = pairs::of_captures(&measured.captures, &config)?;
            pairs_all.extend(
                judged
                    .into_iter()
                    .map(|judged| judged.shown(args.format.get(), app))
                    .collect::<Result<Vec<_>>>()?,
            );
        }
        left.unmeasured += measured.unmeasured;
        if let Some(error) = measured.failed {
            let ends_all = ends_all(&error);
            failures.push((scene.info().name, error));
            if ends_all {
                break;
            }
        }
    }
    if args.format.get() == Format::Json && (!left.entries.is_empty() || failures.is_empty()) {
        let differences = raw_all(&added_all)?;
        let runs = left.entries;
        app.out.print_json(&Entries { framecost_runs: 1, runs, differences, pairs: pairs_all })?;
    }
    if let Some(stale) = written.stale(&args.out) {
        app.out.note(&stale);
    }
    Ok(say_what_failed(&failures, scenes.len(), left.unmeasured, app))
}

/// What switches add between the variants that a scene's captures are of.
fn differences(captures: &[PathBuf]) -> Result<Vec<OfVariants>> {
    let groups = group(read_all(captures)?)?;
    let references: Vec<_> = groups.iter().map(|_| None).collect();
    Ok(in_pairs(&groups, &references).iter().map(|of| OfVariants::new(of, None)).collect())
}

/// Whether an error would meet the scenes that are still to come too.
fn ends_all(error: &Error) -> bool {
    match error.downcast_ref() {
        Some(RunError::Interrupted { .. }) => true,
        Some(RunError::Open(fault)) => {
            matches!(fault, OpenError::NoAdapter | OpenError::NoSuchAdapter { .. })
        }
        Some(_) => false,
        // The command line, or the disk.
        None => true,
    }
}

/// Each failure on stderr behind all reports, where nobody overlooks it; the worst exit code.
pub(super) fn say_what_failed(
    failures: &[(String, Error)],
    scenes: usize,
    unmeasured: usize,
    app: &App<'_>,
) -> Exit {
    let mut exit = Exit::Passed;
    if unmeasured > 0 {
        let runs = if unmeasured == 1 { "1 run".to_owned() } else { format!("any of {unmeasured} runs") };
        app.out.note(&format!(
            "not measured: no frame of {runs} has a GPU time; the reasons stand in the report under `missing`"
        ));
        exit = Exit::NotMeasured;
    }
    for (scene, error) in failures {
        // A scene's own words may hold anything.
        let text = clean(&format!("{error:#}"));
        let scene = clean(scene);
        let named = scenes == 1 || text.contains(&format!("scene `{scene}`"));
        let place = if named { String::new() } else { format!("scene `{scene}`: ") };
        app.out.note(&format!("error: {place}{text}"));
        exit = [exit, exit::of_error(error)].into_iter().max_by_key(|exit| *exit as u8).unwrap_or(exit);
    }
    exit
}

/// Makes the folder and a file in it and takes all of it away again, so that nobody measures for an hour what then cannot be kept.
pub(super) fn check_writable(out: &Path) -> Result<()> {
    let probe = out.join(format!(".framecost-{}", std::process::id()));
    let missing: Vec<&Path> = out.ancestors().take_while(|folder| !folder.exists()).collect();
    let tried =
        fs::create_dir_all(out).and_then(|()| fs::write(&probe, [])).and_then(|()| fs::remove_file(&probe));
    tried.with_context(|| format!("--out {} cannot be written to", quoted(out)))?;
    for folder in missing {
        // They are made again when there is something to keep; until then nothing was done.
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

/// Frames of a first look and those drawn before them, where a call does not say: what the scene says, and fewer to warm up
/// where that is a short one.
pub(super) fn first_look(info: &SceneInfo, frames: Option<u64>, warm_up: Option<u64>) -> (u64, u64) {
    let frames = frames.unwrap_or_else(|| info.quick_frames.min(info.frames));
    (frames, warm_up.unwrap_or_else(|| WARM_UP.min(frames.div_ceil(4))))
}

/// Measures a scene. Runs that were finished before something failed are kept.
fn measure(scene: &dyn Benchmark, mut plan: Plan, args: &Args, app: &App<'_>, written: &mut Written) -> Left {
    let info = scene.info();
    if args.profile == Profile::Quick {
        let (frames, warm_up) = first_look(&info, args.frames, args.warmup);
        plan.frames = Some(frames);
        plan.warm_up = warm_up;
        plan.calibration_pairs = args.calibration.unwrap_or(plan.calibration_pairs.min(frames.div_ceil(8)));
    }
    let checked = Names::new(&args.out, &info.name, args.size, &plan)
        .and_then(|names| Ok(plan.check(&info).map(|_| names).map_err(RunError::Plan)?));
    let names = match checked {
        Ok(names) => names,
        Err(error) => return Left { failed: Some(error), ..Left::default() },
    };
    let mut recorder = Recorder::new(app, args, names, &plan, written);
    let ended = framecost_harness::run(scene, &plan, &mut recorder);
    let left = recorder.finish();
    // What could not be stored is why the run was stopped, so it goes before.
    let failed = left.failed.or_else(|| ended.err().map(Error::from));
    Left { failed, ..left }
}

/// The scenes of these names, or all.
fn choose<'a>(scenes: &[&'a dyn Benchmark], names: &[String]) -> Result<Vec<&'a dyn Benchmark>> {
    if names.is_empty() {
        return Ok(scenes.to_vec());
    }
    for (place, name) in names.iter().enumerate() {
        if names[..place].contains(name) {
            bail!(WrongUse(format!("scene `{}` is named twice; --repeats measures it again", clean(name))));
        }
    }
    names.iter().map(|name| find(scenes, name)).collect()
}

/// The scene of that name.
pub(super) fn find<'a>(scenes: &[&'a dyn Benchmark], name: &str) -> Result<&'a dyn Benchmark> {
    scenes.iter().copied().find(|scene| scene.info().name == name).ok_or_else(|| {
        let known: Vec<String> = scenes.iter().map(|scene| clean(&scene.info().name)).collect();
        WrongUse(format!("scene `{}` is not known; there is {}", clean(name), known.join(", "))).into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_first_look_is_as_long_as_the_scene_says_unless_the_call_does() {
        let look = |quick_frames, frames, warm_up| {
            let info = SceneInfo { frames: 600, quick_frames, ..SceneInfo::new("town", &["lit"]) };
            first_look(&info, frames, warm_up)
        };
        assert_eq!(look(120, None, None), (120, 10));
        assert_eq!(look(12, None, None), (12, 3));
        assert_eq!(look(9_000, None, None), (600, 10), "no longer than its path");
        assert_eq!(look(12, Some(300), None), (300, 10));
        assert_eq!(look(12, Some(1), Some(7)), (1, 7));
        assert_eq!(look(12, Some(0), None), (0, 0), "which no plan allows");
    }
}
