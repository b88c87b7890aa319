//! `framecost recount`: one capture accounted under two rules, side by side, without running anything.

use std::path::PathBuf;

use anyhow::Result;
use framecost::account::Floor;
use framecost::report::{Recount, recount_json, recount_text};

use crate::App;
use crate::args::ListFormat;
use crate::capture::{analyse, read_stamped};
use crate::exit::Exit;
use crate::output::quoted;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost recount out/orrery.framecost --floor none         frames may share moments
  framecost recount out/orrery.framecost --floor pass:lit     a frame begins where the last one's lit ended")]
pub(crate) struct Args {
    /// The capture folder
    capture: PathBuf,
    /// Where a frame's own time begins: `last-pass` (the latest end of any pass of an earlier frame, the usual rule),
    /// `none`, or `pass:NAME`
    #[arg(long, value_name = "RULE")]
    floor: String,
    #[command(flatten)]
    format: ListFormat,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let capture = read_stamped(&args.capture, "recount")?;
    let floor = Floor::parse(&args.floor, &capture)
        .map_err(|error| anyhow::Error::new(error).context(quoted(&args.capture)))?;
    let before = analyse(capture.clone(), &Floor::default())?;
    let recount = Recount::new(&before, &analyse(capture, &floor)?)?;
    let text =
        if args.format.is_json() { recount_json(&recount) } else { recount_text(&recount, app.out.style()) };
    app.out.print(&text)?;
    Ok(if recount.nothing.is_some() { Exit::NotMeasured } else { Exit::Passed })
}
