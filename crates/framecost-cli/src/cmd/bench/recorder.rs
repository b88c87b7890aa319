//! What happens to a run while it goes and when it ends. In: the harness's events. Out: progress on stderr, a stored
//! capture, a report.

use std::path::{Path, PathBuf};

use anyhow::Result;
use framecost::account::Floor;
use framecost::report::{Report, json, markdown, text};
use framecost_harness::{Event, Observer, Plan, RunRecord, Stamping, order};
use framecost_sample::metric_names;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Args;
use super::earlier::Written;
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
    captures: Vec<PathBuf>,
    /// Whether several variants are measured.
    many: bool,
    /// The GPU time that each frame is to have, if any, and how many runs have no frame with it all the same.
    gpu_time: Option<&'static str>,
    unmeasured: usize,
    written: &'a mut Written,
    failed: Option<anyhow::Error>,
}

/// What the runs of a scene left.
#[derive(Default)]
pub(super) struct Left {
    /// The runs for programs, where those were asked for.
    pub(super) entries: Vec<Entry>,
    /// The captures of several variants, to take their differences; none of a single variant.
    pub(super) captures: Vec<PathBuf>,
    /// How many runs' passes could not be measured.
    pub(super) unmeasured: usize,
    /// Why a run could not be stored.
    pub(super) failed: Option<anyhow::Error>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        app: &'a App<'a>,
        args: &'a Args,
        names: Names,
        plan: &Plan,
        written: &'a mut Written,
    ) -> Self {
        let order = order(plan.variants.len(), plan.repeats);
        let gpu_time = match plan.stamping {
            Stamping::Attachments | Stamping::TopBottom => Some(metric_names::GPU_TOTAL),
            Stamping::Bracket => Some(metric_names::BRACKET_GPU),
            Stamping::Off => None,
        };
        Self {
            app,
            args,
            names,
            order,
            progress: Progress::new(),
            entries: Vec::new(),
            captures: Vec::new(),
            many: plan.variants.len() > 1,
            gpu_time,
            unmeasured: 0,
            written,
            failed: None,
        }
    }

    /// What the runs left.
    pub(super) fn finish(self) -> Left {
        self.progress.clear();
        let captures = if self.many { self.captures } else { Vec::new() };
        Left { entries: self.entries, captures, unmeasured: self.unmeasured, failed: self.failed }
    }

    fn store(&mut self, record: &RunRecord) -> Result<()> {
        let path = self.names.of(record.variant, record.repeat);
        if let Some(note) = self.written.note(&path, &record.capture) {
            self.progress.beside(|| self.app.out.note(&note));
        }
        framecost_store::write(&path, &record.capture)?;
        self.captures.push(path.clone());
        let analysis = analyse(record.capture.clone(), &Floor::default())?;
        let measured = |metric| analysis.summaries.of_frame(metric).is_some_and(|row| row.stats.is_some());
        if !self.gpu_time.is_none_or(measured) {
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
