//! `framecost import`: a capture by another tool becomes one like any other. In: files. Out: a capture folder of the stream that
//! was named, or a list of a file's streams; what was inferred and what is odd, said.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use framecost::counted;
use framecost::read::{CaptureOptions, Keep, Log, to_capture};
use framecost::report::{StreamsReport, streams_json, streams_text};
use framecost_store::EXTENSION;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::ListFormat;
use crate::exit::{Exit, WrongUse};
use crate::foreign::{self, Source};
use crate::output::{self, quoted};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost import game.csv --list-streams                who presented what, in a PresentMon file
  framecost import game.csv --stream game.exe             into out/game.framecost
  framecost import before.csv --out old --scene harbour; framecost import after.csv --out new --scene harbour
  framecost compare new/*.framecost --baseline old/*.framecost --rule threshold

Reads PresentMon, MangoHud, CapFrameX, OCAT, FrameView, Fraps, Afterburner, gfxinfo, Metal HUD, Chrome traces, Tracy's and \
wgpu-profiler's exports, plain, gzip or Zstandard. A file of several streams (processes, swap chains) is never joined, and no \
stream is chosen silently: without --stream they are listed, and the exit code is 2.")]
pub(crate) struct Args {
    /// Files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    source: Source,
    /// List each file's streams and write nothing
    #[arg(long, conflicts_with = "stream")]
    list_streams: bool,
    /// What the capture is of: captures of one scene are compared [default: the application]
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// The adapter, where the file does not say
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Where the captures go
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    #[command(flatten)]
    format: ListFormat,
}

/// A file as programs get it.
#[derive(Serialize)]
struct Entry {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    capture: Option<String>,
    log: Box<RawValue>,
}

#[derive(Serialize)]
struct Listed {
    framecost_import: u32,
    files: Vec<Entry>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    foreign::distinct(&args.files)?;
    let (mut entries, mut remarks) = (Vec::new(), Vec::new());
    for path in &args.files {
        let log = match args.list_streams {
            true => args.source.read(path, Keep::LEAST)?,
            false => args.source.read_for_capture(path)?,
        };
        let report = StreamsReport::of(&log);
        let chosen = if args.list_streams { None } else { Some(written(args, path, &log, &report, app)?) };
        if args.format.is_json() {
            let capture = chosen.map(|path| path.to_string_lossy().into_owned());
            let log = output::raw(&streams_json(&report))?;
            entries.push(Entry { file: path.to_string_lossy().into_owned(), capture, log });
        } else if let Some(capture) = chosen {
            app.out.print(&format!("{} -> {}\n", quoted(path), quoted(&capture)))?;
        } else {
            app.out.print(&streams_text(&path.to_string_lossy(), &report, app.out.style()))?;
        }
        remarks.push((path.as_path(), foreign::remarks(&log)));
    }
    foreign::notes(&remarks).iter().for_each(|line| app.out.note(line));
    if args.format.is_json() {
        app.out.print_json(&Listed { framecost_import: 1, files: entries })?;
    }
    Ok(Exit::Passed)
}

/// Writes the stream that is meant as a capture; lists what there is where none is.
fn written(args: &Args, path: &Path, log: &Log, report: &StreamsReport, app: &App<'_>) -> Result<PathBuf> {
    if log.streams.is_empty() {
        app.out.note(&streams_text(&path.to_string_lossy(), report, app.out.style()));
        bail!("{} holds figures and no frames: there is nothing to import", quoted(path));
    }
    if args.source.stream.is_none() && log.choose(None).is_err() {
        app.out.note(&streams_text(&path.to_string_lossy(), report, app.out.style()));
        // A stream that stands alone is refused for being the compositor's and for nothing else.
        if let [only] = log.streams.as_slice() {
            let application = quoted(Path::new(&only.id.application));
            bail!(WrongUse(format!(
                "{} holds the presents of {application} alone, the desktop's compositor, and no game's: capture the game's process, \
                 or take the compositor's all the same with --stream {application}",
                quoted(path)
            )));
        }
        let streams = counted(log.streams.len() as u64, "stream");
        bail!(WrongUse(format!(
            "{} holds {streams}: name the one that is meant with --stream TEXT",
            quoted(path)
        )));
    }
    let stream = args.source.choose(path, log)?;
    let options = CaptureOptions { scene: args.scene.clone(), adapter: args.adapter.clone() };
    let capture =
        to_capture(log, stream, &options).map_err(|error| anyhow::Error::new(error).context(quoted(path)))?;
    let to = args.out.join(format!("{}.{EXTENSION}", foreign::name(path, log, stream)?));
    if to.exists() && framecost_store::read(&to).ok().as_ref() != Some(&capture) {
        bail!(WrongUse(format!(
            "{} is there already and is not this capture; name another folder with --out, or remove it",
            quoted(&to)
        )));
    }
    framecost_store::write(&to, &capture)?;
    Ok(to)
}
