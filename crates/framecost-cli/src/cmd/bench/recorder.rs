//! What happens to a run while it goes and when it ends. In: the harness's events. Out: progress on stderr, a stored
//! capture, a report.

use std::path::Path;

use anyhow::Result;
use framecost::account::Floor;
use framecost::report::{Report, json, markdown, text};
use framecost_harness::{Event, Observer, Plan, RunRecord, Stamping, order};
use framecost_sample::metric_names;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Args;
use super::names::Names;
use crate::App;
use crate::args::Format;
use crate::capture::analyse;
use crate::interrupt;
use crate::output::{self, quoted};
use crate::progress::Progress;

/// A run as programs get it.
#[derive(Serialize)]
pub(super) struct Entry {
    capture: String,
    repeat: u32,
    report: Box<RawValue>,
}

/// Stores and shows each run when it ends, so that an interrupt later takes nothing away.
pub(super) struct Recorder<'a> {
    app: &'a App<'a>,
    args: &'a Args,
    names: Names,
    /// Variant and repeat of each run.
    order: Vec<(usize, u32)>,
    progress: Progress,
    entries: Vec<Entry>,
    /// Whether passes are to be stamped, and how many runs have no frame with a GPU time all the same.
    stamped: bool,
    unmeasured: usize,
    failed: Option<anyhow::Error>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(app: &'a App<'a>, args: &'a Args, names: Names, plan: &Plan) -> Self {
        let order = order(plan.variants.len(), plan.repeats);
        let stamped = matches!(plan.stamping, Stamping::Attachments | Stamping::TopBottom);
        let (progress, entries) = (Progress::new(), Vec::new());
        Self { app, args, names, order, progress, entries, stamped, unmeasured: 0, failed: None }
    }

    /// The runs for programs, where those were asked for, and how many runs' passes could not be measured; or why a run
    /// could not be stored.
    pub(super) fn finish(self) -> Result<(Vec<Entry>, usize)> {
        self.progress.clear();
        self.failed.map_or(Ok((self.entries, self.unmeasured)), Err)
    }

    fn store(&mut self, record: &RunRecord) -> Result<()> {
        let path = self.names.of(record.variant, record.repeat);
        framecost_store::write(&path, &record.capture)?;
        let analysis = analyse(record.capture.clone(), &Floor::default())?;
        let total = analysis.summaries.of_frame(metric_names::GPU_TOTAL);
        if self.stamped && total.is_none_or(|total| total.stats.is_none()) {
            self.unmeasured += 1;
        }
        let report = Report::new(&analysis, None, None);
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
            Event::RunStarted { run, .. } => {
                let name = self.order.get(*run).map(|&(variant, repeat)| self.names.of(variant, repeat));
                let name = name.as_deref().and_then(Path::file_stem).unwrap_or_default();
                self.progress.doing(name.to_string_lossy().into_owned());
            }
            Event::Frame { .. } => self.progress.advance(),
            Event::RunEnded { record } => {
                if let Err(error) = self.store(record) {
                    self.failed = Some(error);
                }
            }
            Event::Phase { .. } => {}
        }
    }

    fn stop(&mut self) -> bool {
        self.failed.is_some() || interrupt::asked()
    }
}
