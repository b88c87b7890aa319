//! `framecost images`: do switches that must not change the picture leave it as it is? In: a scene, frames, switches. Out:
//! every picture as a file, a verdict, and for each picture that differs where it does and what lies there.

mod show;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use framecost_harness::{Apart, Benchmark, Gpu, Picture, PictureObserver, PicturePlan, RunError, pictures};
use framecost_sample::{Size, Switches};

use crate::App;
use crate::args::{self, ListFormat, Set, Vary};
use crate::cmd::bench::names::{stems, variants};
use crate::cmd::bench::{check_writable, find, say_what_failed};
use crate::exit::{Exit, WrongUse};
use crate::interrupt;
use crate::output::quoted;
use crate::picture_file;
use crate::progress::Progress;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost images orrery --at 0,300,900 --vary culling=on,off
  framecost images orrery --at 900 --vary culling=on,off --size 97x41 --json

The first variant is the reference; every byte of the others' pictures must be as in its own. Frame 0 is drawn, then each frame that is \
named and the one before it; frames between are simulated, not drawn. All variants are loaded at once. Pictures are named \
SCENE-FRAME-SWITCH=VALUE....png, where one differs there is a ...-difference.png too (white: the largest difference); those of the same \
name are replaced, and pictures that were drawn before something failed stay.

Exit codes: 0 identical or within the allowance, 1 different, 2 wrong use, 3 could not be drawn.")]
pub(crate) struct Args {
    #[command(flatten)]
    scene: OneScene,
    /// Frames of the scene's path whose pictures are compared, ascending
    #[arg(long, value_name = "FRAME,...", value_delimiter = ',', required = true)]
    at: Vec<u64>,
    /// Switches that must not change the picture; several make every combination
    #[arg(long, value_name = "SWITCH=V1,V2", value_parser = args::vary, required = true)]
    vary: Vec<Vary>,
    /// Pixels of a picture that may differ; on software adapters alone, since hardware must match exactly
    #[arg(long, value_name = "N")]
    allow_pixels: Option<u64>,
    /// Where the pictures go
    #[arg(long, value_name = "DIR", default_value = "out/images")]
    out: PathBuf,
    #[command(flatten)]
    format: ListFormat,
}

/// What is drawn, for commands that draw pictures of one scene.
#[derive(Debug, clap::Args)]
pub(super) struct OneScene {
    /// The scene to draw
    #[arg(value_name = "SCENE")]
    scene: String,
    /// Set a switch of the scene
    #[arg(long, value_name = "SWITCH=VALUE", value_parser = args::set)]
    set: Vec<Set>,
    /// Size of the picture
    #[arg(long, value_name = "WxH", value_parser = args::size, default_value = "640x360")]
    size: Size,
    /// Part of the adapter's name, in any case [default: the best adapter]
    #[arg(long, value_name = "TEXT")]
    adapter: Option<String>,
}

impl OneScene {
    pub(super) fn find<'a>(&self, app: &App<'a>) -> Result<&'a dyn Benchmark> {
        find(app.benchmarks, &self.scene)
    }

    pub(super) fn plan(&self, at: &[u64], vary: &[Vary]) -> Result<PicturePlan> {
        Ok(PicturePlan {
            size: self.size,
            frames: at.to_vec(),
            variants: variants(&self.set, vary)?,
            adapter: self.adapter.clone(),
            allowed_pixels: None,
            patience: Duration::from_secs(60),
        })
    }
}

/// The adapter that drew.
#[derive(Debug, Default)]
pub(super) struct Drawer {
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) backend: String,
}

impl Drawer {
    pub(super) fn of(gpu: &Gpu) -> Self {
        Self { name: gpu.info.name.clone(), class: gpu.adapter_class().name(), backend: gpu.backend() }
    }
}

/// A picture that was drawn and stored.
#[derive(Debug)]
struct Row {
    frame: u64,
    variant: usize,
    file: PathBuf,
    /// Where it differs, with the picture of that.
    apart: Option<(Apart, PathBuf)>,
}

/// All that was found.
#[derive(Debug)]
struct Found {
    scene: String,
    size: Size,
    drawer: Drawer,
    allowed: Option<u64>,
    /// By variant: the switches that were asked for, and the whole set.
    variants: Vec<(Switches, Switches)>,
    /// By frame, then variant.
    rows: Vec<Row>,
}

/// What the pictures come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Identical,
    /// They differ by no more pixels than somebody allowed.
    Within(u64),
    Different,
}

impl Found {
    fn verdict(&self) -> Verdict {
        let most = self.apart().map(|apart| apart.difference.pixels).max();
        match (most, self.allowed) {
            (None, _) => Verdict::Identical,
            (Some(most), Some(allowed)) if most <= allowed => Verdict::Within(allowed),
            (Some(_), _) => Verdict::Different,
        }
    }

    fn apart(&self) -> impl Iterator<Item = &Apart> {
        self.rows.iter().filter_map(|row| row.apart.as_ref().map(|(apart, _)| apart))
    }
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Identical | Verdict::Within(_) => Self::Passed,
            Verdict::Different => Self::Regressed,
        }
    }
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let scene = args.scene.find(app)?;
    let info = scene.info();
    let plan = PicturePlan { allowed_pixels: args.allow_pixels, ..args.scene.plan(&args.at, &args.vary)? };
    if plan.variants.len() < 2 {
        bail!(WrongUse("--vary has one value; give each switch at least two, such as culling=on,off".into()));
    }
    let sets = match plan.check(&info) {
        Ok(sets) => sets,
        // The scene's own words may stand in it.
        Err(fault) => return Ok(failed(&info.name, RunError::Plan(fault).into(), app)),
    };
    let stems = args
        .at
        .iter()
        .map(|frame| stems(&format!("{}-{frame}", info.name), &plan.variants))
        .collect::<Result<Vec<_>>>()?;
    check_writable(&args.out)?;
    interrupt::watch()?;
    let found = Found {
        scene: info.name.clone(),
        size: plan.size,
        drawer: Drawer::default(),
        allowed: plan.allowed_pixels,
        variants: plan.variants.iter().cloned().zip(sets).collect(),
        rows: Vec::new(),
    };
    let names = Names { folder: &args.out, frames: &args.at, stems };
    let mut collector = Collector { names, found, progress: Progress::new(), failed: None };
    collector.progress.doing(info.name.clone());
    let ended = pictures(scene, &plan, &mut collector);
    collector.progress.clear();
    // What could not be stored is why it was stopped, so it goes before.
    if let Some(error) = collector.failed.or_else(|| ended.err().map(Error::from)) {
        return Ok(failed(&info.name, error, app));
    }
    let found = collector.found;
    if args.format.is_json() {
        show::json(&found, app)?;
    } else {
        app.out.print(&show::text(&found))?;
    }
    Ok(found.verdict().into())
}

/// Says on stderr why a scene's pictures could not be drawn.
pub(super) fn failed(scene: &str, error: Error, app: &App<'_>) -> Exit {
    say_what_failed(&[(scene.to_owned(), error)], 1, 0, app)
}

/// Where each picture goes.
struct Names<'a> {
    folder: &'a Path,
    frames: &'a [u64],
    /// By frame, then variant.
    stems: Vec<Vec<String>>,
}

impl Names<'_> {
    /// The picture's file, and that of its difference.
    fn of(&self, frame: u64, variant: usize) -> Option<[PathBuf; 2]> {
        let at = self.frames.binary_search(&frame).ok()?;
        let stem = self.stems.get(at)?.get(variant)?;
        Some(["", "-difference"].map(|end| self.folder.join(format!("{stem}{end}.png"))))
    }
}

/// Stores each picture as soon as it is there.
struct Collector<'a> {
    names: Names<'a>,
    found: Found,
    progress: Progress,
    failed: Option<Error>,
}

impl Collector<'_> {
    fn store(&mut self, picture: &Picture<'_>) -> Result<()> {
        let &Picture { frame, variant, image, reference, ref apart } = picture;
        let [file, difference] = self.names.of(frame, variant).context("a picture that nobody asked for")?;
        fs::create_dir_all(self.names.folder)
            .with_context(|| format!("cannot create {}", quoted(self.names.folder)))?;
        picture_file::write(&file, image)?;
        let apart = match (apart, reference) {
            (Some(apart), Some(reference)) => {
                picture_file::write(&difference, &picture_file::difference(reference, image))?;
                Some((apart.clone(), difference))
            }
            _ => {
                remove_earlier(&difference)?;
                None
            }
        };
        self.found.rows.push(Row { frame, variant, file, apart });
        Ok(())
    }
}

/// A difference that an earlier call found under this very name would be taken for one of today.
fn remove_earlier(difference: &Path) -> Result<()> {
    match fs::remove_file(difference) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {} of an earlier call", quoted(difference)))
        }
        _ => Ok(()),
    }
}

impl PictureObserver for Collector<'_> {
    fn opened(&mut self, gpu: &Gpu, frames: u64) {
        self.found.drawer = Drawer::of(gpu);
        self.progress.expect(frames);
    }

    fn advanced(&mut self) {
        self.progress.advance();
    }

    fn picture(&mut self, picture: &Picture<'_>) {
        if self.failed.is_none() {
            self.failed = self.store(picture).err();
        }
    }

    fn stop(&mut self) -> bool {
        self.failed.is_some() || interrupt::asked()
    }
}
