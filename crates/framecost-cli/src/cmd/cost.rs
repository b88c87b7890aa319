//! `framecost cost`: what one pass costs, as three readings that answer three questions: what of it sticks out in the running
//! frame, what it takes alone, and what the frame gains without it. Runs as they are take turns with runs without the pass;
//! serial runs follow. Their captures are kept.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result};
use framecost::Analysis;
use framecost::account::Floor;
use framecost::report::{Cost, CostRuns, MarginalRuns, cost_json, cost_text};
use framecost_harness::{
    Benchmark, Event, Marginal, MarginalKind, Observer, Plan, RunError, RunRecord, SceneInfo, order, resolve,
};
use framecost_sample::{Size, Switches};

use crate::App;
use crate::args::{self, ListFormat, Set};
use crate::capture::analyse;
use crate::cmd::bench::names::{stems, variants};
use crate::cmd::bench::{check_writable, find, first_look};
use crate::exit::{Exit, WrongUse};
use crate::output::{clean, quoted};
use crate::progress::Progress;
use crate::{interrupt, version};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost cost lit --scene orrery
  framecost cost lit --scene orrery --size 2560x1440 --frames 600 --repeats 5

exposed: what of the pass sticks out past the frame before, as the program runs. alone: what it takes in a submission of its own that \
the host waits for. marginal: the frame with it less the same frame without it, or, where the scene cannot leave it out, with one \
more of it. Each is the mean over runs with its interval. None of them is \"the\" cost.

Exit codes: 0 at least one reading could be had, 2 wrong use, 3 none could.")]
pub(crate) struct Args {
    /// The pass
    #[arg(value_name = "PASS")]
    pass: String,
    /// The scene
    #[arg(long, value_name = "SCENE")]
    scene: String,
    /// Part of the adapter's name, in any case [default: the best adapter]
    #[arg(long, value_name = "TEXT")]
    adapter: Option<String>,
    /// Size of the image
    #[arg(long, value_name = "WxH", value_parser = args::size, default_value = "640x360")]
    size: Size,
    /// Frames to measure in each run, from the start of the scene's path [default: what the scene says, mostly 120]
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Frames to draw first in each run and leave out [default: 10, less where few are measured]
    #[arg(long, value_name = "N")]
    warmup: Option<u64>,
    /// Runs of each kind; an interval takes two
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeats: u32,
    /// Set a switch of the scene
    #[arg(long, value_name = "SWITCH=VALUE", value_parser = args::set)]
    set: Vec<Set>,
    /// Where the captures go
    #[arg(long, value_name = "DIR", default_value = "out/cost")]
    out: PathBuf,
    #[command(flatten)]
    format: ListFormat,
}

impl Args {
    /// Runs of these variants as they are.
    fn plan(&self, info: &SceneInfo, variants: Vec<Switches>) -> Plan {
        let (frames, warm_up) = first_look(info, self.frames, self.warmup);
        Plan {
            size: self.size,
            frames: Some(frames),
            warm_up,
            // What stamping costs is no part of the answer.
            calibration_pairs: 0,
            repeats: self.repeats,
            variants,
            adapter: self.adapter.clone(),
            revision: version::HAS_SCENES.then(|| version::REVISION.into()),
            facts: vec![("framecost".into(), version::LONG.into())],
            ..Plan::default()
        }
    }
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let scene = find(app.benchmarks, &args.scene)?;
    let info = scene.info();
    check_pass(&info, &args.pass)?;
    let asked = variants(&args.set, &[])?.remove(0);
    let set = resolve(&info.name, &info.switches, &asked).map_err(|fault| RunError::Plan(fault.into()))?;
    let marginal = Marginal::of(&info, &args.pass, &set);
    let mut both = vec![asked.clone()];
    both.extend(marginal.as_ref().ok().map(|it| other(it, &set, &asked)));
    let running = args.plan(&info, both);
    let serial = Plan { serial: true, frames_in_flight: 1, ..args.plan(&info, vec![asked]) };
    for plan in [&running, &serial] {
        plan.check(&info).map_err(RunError::Plan)?;
    }
    check_writable(&args.out)?;
    interrupt::watch()?;
    let start = format!("{}-{}", info.name, args.pass);
    let running = measure(scene, &running, &args.out, &format!("{start}-running"))?;
    let serial = measure(scene, &serial, &args.out, &format!("{start}-serial"))?;
    show(args, app, &info, &running, &serial, marginal.as_ref().map(|it| (it, it.is_with(&set))))
}

fn check_pass(info: &SceneInfo, pass: &str) -> Result<()> {
    if info.passes.iter().any(|known| known == pass) {
        return Ok(());
    }
    let (pass, scene, passes) = (clean(pass), clean(&info.name), clean(&info.passes.join(", ")));
    Err(WrongUse(format!("scene `{scene}` has no pass `{pass}`; it has {passes}")).into())
}

/// The variant that is not the one in force, as somebody would ask for it.
fn other(marginal: &Marginal, in_force: &Switches, asked: &Switches) -> Switches {
    let whole = if marginal.is_with(in_force) { &marginal.without } else { &marginal.with };
    let mut other = asked.clone();
    other.0.extend(whole.0.get(&marginal.switch).map(|value| (marginal.switch.clone(), value.clone())));
    other
}

/// What a set of runs left.
#[derive(Default)]
struct Measured {
    /// Analyses by variant, in the order of the repeats.
    runs: Vec<Vec<Analysis>>,
    captures: Vec<PathBuf>,
    /// Why there are none: the readings that rest on them are missing for it.
    failed: Option<String>,
}

impl Measured {
    fn of(&self, variant: usize) -> Result<&[Analysis], String> {
        match &self.failed {
            Some(why) => Err(why.clone()),
            None => Ok(self.runs.get(variant).map_or(&[], Vec::as_slice)),
        }
    }
}

/// Runs and stores. What would meet every run, such as that there is no adapter, is an error; what one kind of run cannot
/// do is the reason why its readings are missing.
fn measure(scene: &dyn Benchmark, plan: &Plan, folder: &Path, start: &str) -> Result<Measured> {
    let mut keeper = Keeper {
        folder,
        stems: stems(start, &plan.variants)?,
        order: order(plan.variants.len(), plan.repeats),
        progress: Progress::new(),
        left: Measured { runs: plan.variants.iter().map(|_| Vec::new()).collect(), ..Measured::default() },
        failed: None,
    };
    let ended = framecost_harness::run(scene, plan, &mut keeper);
    keeper.progress.clear();
    if let Some(error) = keeper.failed {
        return Err(error);
    }
    let mut left = keeper.left;
    match ended {
        Ok(_) => {}
        Err(error @ (RunError::Plan(_) | RunError::Open(_) | RunError::Interrupted { .. })) => {
            return Err(error.into());
        }
        Err(error) => left.failed = Some(format!("{:#}", Error::from(error))),
    }
    Ok(left)
}

/// Stores each run when it ends.
struct Keeper<'a> {
    folder: &'a Path,
    /// By variant.
    stems: Vec<String>,
    /// Variant and repeat of each run.
    order: Vec<(usize, u32)>,
    progress: Progress,
    left: Measured,
    failed: Option<Error>,
}

impl Keeper<'_> {
    fn name(&self, variant: usize, repeat: u32) -> String {
        format!("{}-{}", self.stems[variant], repeat + 1)
    }

    fn keep(&mut self, record: &RunRecord) -> Result<()> {
        let name = self.name(record.variant, record.repeat);
        let path = self.folder.join(format!("{name}.{}", framecost_store::EXTENSION));
        framecost_store::write(&path, &record.capture)?;
        self.left.captures.push(path);
        self.left.runs[record.variant].push(analyse(record.capture.clone(), &Floor::default())?);
        Ok(())
    }
}

impl Observer for Keeper<'_> {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Opened { frames, .. } => self.progress.expect(*frames),
            Event::RunStarted { run, .. } => {
                let name = self.order.get(*run).map(|&(variant, repeat)| self.name(variant, repeat));
                self.progress.doing(name.unwrap_or_default());
            }
            Event::Frame { .. } => self.progress.advance(),
            Event::RunEnded { record } => self.failed = self.keep(record).err(),
            Event::Phase { .. } => {}
        }
    }

    fn stop(&mut self) -> bool {
        self.failed.is_some() || interrupt::asked()
    }
}

fn show(
    args: &Args,
    app: &App<'_>,
    info: &SceneInfo,
    running: &Measured,
    serial: &Measured,
    marginal: Result<(&Marginal, bool), &String>,
) -> Result<Exit> {
    let marginal = marginal.map_err(Clone::clone).and_then(|(it, is_with)| {
        let (as_it_is, other) = (running.of(0)?, running.of(1)?);
        let (with, without) = if is_with { (as_it_is, other) } else { (other, as_it_is) };
        let one_more = it.kind == MarginalKind::OneMore;
        Ok(MarginalRuns { with, without, switch: &it.switch, one_more })
    });
    let runs = CostRuns { running: running.of(0), serial: serial.of(0), marginal };
    let cost = Cost::new(&info.name, &args.pass, &runs);
    let captures = running.captures.iter().chain(&serial.captures);
    if args.format.is_json() {
        let captures: Vec<String> = captures.map(|path| path.to_string_lossy().into_owned()).collect();
        app.out.print(&cost_json(&cost, &captures))?;
    } else {
        let kept = format!("captures: {} in {}", captures.count(), quoted(&args.out));
        app.out.print(&format!("{}\n{kept}\n", cost_text(&cost, app.out.style())))?;
    }
    Ok(if cost.is_measured() { Exit::Passed } else { Exit::NotMeasured })
}
