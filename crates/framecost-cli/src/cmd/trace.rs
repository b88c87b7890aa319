//! `framecost trace`: captures as timelines for a viewer. In: capture folders. Out: a file, and a line that says what is in
//! it and what could not be drawn.

use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use framecost::account::Floor;
use framecost::counted;
use framecost::report::trace::{RunTrace, Trace, chrome, perfetto};

use crate::App;
use crate::capture::{analyse, read_stamped};
use crate::exit::Exit;
use crate::output::{quoted, write};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost trace out/orrery.framecost --out orrery.pftrace                       for https://ui.perfetto.dev
  framecost trace out/orrery.framecost --frames 100..160 --format chrome --out orrery.json
  framecost trace out/orrery-*.framecost --out both.pftrace                       runs side by side

Each run is a process: a track of the frames' own time, then each queue's lanes with submissions and the passes in them. \
Passes that overlap lie in lanes of their own. What is missing is not drawn.")]
pub(crate) struct Args {
    /// Capture folders
    #[arg(required = true, value_name = "CAPTURE")]
    captures: Vec<PathBuf>,
    /// How to write the trace
    #[arg(long, value_enum, default_value_t = TraceFormat::Perfetto)]
    format: TraceFormat,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Only these frames of the path: from A up to, and without, B
    #[arg(long, value_name = "A..B", value_parser = frames)]
    frames: Option<Range<u64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TraceFormat {
    /// Perfetto's own: protobuf, for ui.perfetto.dev and its trace processor.
    Perfetto,
    /// Trace events in JSON, for chrome://tracing and what reads its files.
    Chrome,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let of = |path: &PathBuf| {
        let run = analyse(read_stamped(path, "trace")?, &Floor::default())?;
        RunTrace::new(&run, args.frames.as_ref()).with_context(|| quoted(path))
    };
    let trace = Trace { runs: args.captures.iter().map(of).collect::<Result<_>>()? };
    let bytes = match args.format {
        TraceFormat::Perfetto => perfetto(&trace),
        TraceFormat::Chrome => chrome(&trace).into_bytes(),
    };
    write(&args.out, &bytes)?;
    let sum = |of: fn(&RunTrace) -> u64| trace.runs.iter().map(of).sum::<u64>();
    let held = [
        counted(trace.runs.len() as u64, "run"),
        counted(sum(|run| run.frames), "frame"),
        format!("{} of passes", counted(sum(|run| run.passes), "run")),
        counted(sum(|run| run.tracks.len() as u64), "track"),
        counted(sum(|run| run.counters.len() as u64), "counter"),
    ];
    app.out.print(&format!("{}: {}\n", quoted(&args.out), held.join(", ")))?;
    let lost = (sum(|run| run.frames_without_place), sum(|run| run.passes_missing));
    if lost != (0, 0) {
        app.out.note(&format!(
            "note: not drawn, since stamps are missing: {} without any pass, {} of passes; `framecost report` says why",
            counted(lost.0, "frame"),
            counted(lost.1, "run")
        ));
    }
    Ok(Exit::Passed)
}

/// Reads `100..160`.
fn frames(text: &str) -> Result<Range<u64>, String> {
    let fault = || {
        "write A..B with A below B, such as 100..160: from frame 100 up to, and without, frame 160".to_owned()
    };
    let (from, to) = text.split_once("..").ok_or_else(fault)?;
    let frame = |text: &str| text.parse::<u64>().map_err(|_| fault());
    let range = frame(from)?..frame(to)?;
    if range.is_empty() { Err(fault()) } else { Ok(range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_of_frames_is_read_whole_or_refused() {
        assert_eq!(frames("100..160"), Ok(100..160));
        for bad in ["100", "..", "5..5", "6..5", "-1..5", "1..=5", "a..b", "1..2..3"] {
            assert!(frames(bad).is_err(), "{bad}");
        }
    }
}
