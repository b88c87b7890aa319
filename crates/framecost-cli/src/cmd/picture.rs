//! `framecost picture`: one frame of a scene as a PNG file.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use framecost_harness::{Gpu, Picture, PictureObserver, RunError, pictures};
use serde::Serialize;

use crate::App;
use crate::args::ListFormat;
use crate::cmd::images::{Drawer, OneScene, failed};
use crate::exit::Exit;
use crate::interrupt;
use crate::output::quoted;
use crate::picture_file;
use crate::progress::Progress;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost picture orrery --at 900 --size 1280x720 --out orrery.png

Frame 0 is drawn, then the frame before the one that is named, then that one; frames between are simulated, not drawn.")]
pub(crate) struct Args {
    #[command(flatten)]
    scene: OneScene,
    /// The frame of the scene's path
    #[arg(long, value_name = "FRAME")]
    at: u64,
    /// The file to write; one of the same name is replaced
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    #[command(flatten)]
    format: ListFormat,
}

#[derive(Serialize)]
struct Answer<'a> {
    framecost_picture: u32,
    scene: &'a str,
    frame: u64,
    size: [u32; 2],
    switches: &'a std::collections::BTreeMap<String, String>,
    adapter: &'a str,
    adapter_class: &'static str,
    backend: &'a str,
    file: String,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let scene = args.scene.find(app)?;
    let info = scene.info();
    let plan = args.scene.plan(&[args.at], &[])?;
    let sets = match plan.check(&info) {
        Ok(sets) => sets,
        // The scene's own words may stand in it.
        Err(fault) => return Ok(failed(&info.name, RunError::Plan(fault).into(), app)),
    };
    interrupt::watch()?;
    let mut keeper =
        Keeper { file: &args.out, drawer: Drawer::default(), progress: Progress::new(), failed: None };
    keeper.progress.doing(info.name.clone());
    let ended = pictures(scene, &plan, &mut keeper);
    keeper.progress.clear();
    if let Some(error) = keeper.failed.or_else(|| ended.err().map(Error::from)) {
        return Ok(failed(&info.name, error, app));
    }
    let (drawer, [switches, ..]) = (keeper.drawer, &sets[..]) else { return Ok(Exit::NotMeasured) };
    if args.format.is_json() {
        app.out.print_json(&Answer {
            framecost_picture: 1,
            scene: &info.name,
            frame: args.at,
            size: [plan.size.width, plan.size.height],
            switches: &switches.0,
            adapter: &drawer.name,
            adapter_class: drawer.class,
            backend: &drawer.backend,
            file: args.out.to_string_lossy().into_owned(),
        })?;
    } else {
        app.out.print(&format!("picture: {}\n", quoted(&args.out)))?;
    }
    Ok(Exit::Passed)
}

/// Stores the picture when it is there.
struct Keeper<'a> {
    file: &'a Path,
    drawer: Drawer,
    progress: Progress,
    failed: Option<Error>,
}

impl Keeper<'_> {
    fn store(&self, picture: &Picture<'_>) -> Result<()> {
        if let Some(folder) = self.file.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot create {}", quoted(folder)))?;
        }
        picture_file::write(self.file, picture.image)
    }
}

impl PictureObserver for Keeper<'_> {
    fn opened(&mut self, gpu: &Gpu, frames: u64) {
        self.drawer = Drawer::of(gpu);
        self.progress.expect(frames);
    }

    fn advanced(&mut self) {
        self.progress.advance();
    }

    fn picture(&mut self, picture: &Picture<'_>) {
        self.failed = self.store(picture).err();
    }

    fn stop(&mut self) -> bool {
        interrupt::asked()
    }
}
