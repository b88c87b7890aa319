//! `framecost explain`: what other tools would print for the same frames, and why they differ. In: a file that a tool wrote, or a
//! capture folder. Out: what each number of the file is, every definition's value, and each tool's own figures.

use std::path::PathBuf;

use anyhow::{Context, Result};
use framecost::definitions::Recorded;
use framecost::definitions::tools::explain;
use framecost::read::{CaptureOptions, to_capture};
use framecost::report::{
    StreamsReport, columns_text, definitions_json, definitions_text, explain_json, explain_text, streams_json,
};
use framecost_sample::Capture;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::ListFormat;
use crate::capture::is_capture;
use crate::exit::Exit;
use crate::foreign::{self, Source};
use crate::output::{self, quoted};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost explain mangohud.csv                          what MangoHud, PresentMon, CapFrameX ... would print for it
  framecost explain game.csv --stream game.exe --columns  and what each column of the file is
  framecost explain out/game.framecost --json             the same of an imported capture

One run has many averages and \"1 % lows\". This prints every one by its definition, then what each tool would print for the \
very same frames, with what stands behind it and where that tool is wrong.")]
pub(crate) struct Args {
    /// A file that a tool wrote, or a capture folder
    file: PathBuf,
    #[command(flatten)]
    source: Source,
    /// Show what each column of the file is: quantity, unit, when it is missing
    #[arg(long)]
    columns: bool,
    #[command(flatten)]
    format: ListFormat,
}

#[derive(Serialize)]
struct Explained {
    framecost_explained: u32,
    file: String,
    stream: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<Box<RawValue>>,
    definitions: Box<RawValue>,
    tools: Box<RawValue>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let file = args.file.to_string_lossy().into_owned();
    if is_capture(&args.file) {
        let capture = framecost_store::read(&args.file)?;
        let title = format!("{}, {}", file, capture.key.scene);
        return shown(args, app, &title, &capture, None);
    }
    let log = args.source.read_for_capture(&args.file)?;
    let stream = args.source.choose(&args.file, &log)?;
    let capture = to_capture(&log, stream, &CaptureOptions::default()).with_context(|| quoted(&args.file))?;
    let json = args.format.is_json();
    let report = (json || args.columns).then(|| StreamsReport::of(&log));
    if let Some(report) = report.as_ref().filter(|_| !json) {
        app.out.print(&columns_text(&file, report, app.out.style()))?;
    }
    let exit = shown(args, app, &format!("{file}, {}", stream.id), &capture, report.as_ref())?;
    let remarks = [(args.file.as_path(), foreign::remarks(&log))];
    foreign::notes(&remarks).iter().for_each(|line| app.out.note(line));
    Ok(exit)
}

fn shown(
    args: &Args,
    app: &App<'_>,
    title: &str,
    capture: &Capture,
    report: Option<&StreamsReport>,
) -> Result<Exit> {
    let recorded = Recorded::of(capture).with_context(|| quoted(&args.file))?;
    let (sheet, explanation) = explain(&recorded.stream());
    if args.format.is_json() {
        app.out.print_json(&Explained {
            framecost_explained: 1,
            file: args.file.to_string_lossy().into_owned(),
            stream: title.into(),
            log: report.map(|report| output::raw(&streams_json(report))).transpose()?,
            definitions: output::raw(&definitions_json(title, &sheet))?,
            tools: output::raw(&explain_json(title, &explanation))?,
        })?;
    } else {
        let style = app.out.style();
        app.out.print(&definitions_text(title, &sheet, style))?;
        app.out.print("\n")?;
        app.out.print(&explain_text(title, &explanation, style))?;
    }
    Ok(Exit::Passed)
}
