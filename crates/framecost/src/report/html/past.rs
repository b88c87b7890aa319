//! A history as a section of the page. In: a [`HistoryReport`]. Out: for each series its points, levels, steps and known
//! breaks as the chart draws them, and what the text says of them.

use serde::Serialize;

use super::text::Text;
use super::verdict::Said;
use crate::counted;
use crate::history::{Break, HistoryReport, Level, Point, Series};
use crate::report::history as words;

/// What a scene did from revision to revision.
#[derive(Debug, Serialize)]
pub(super) struct Past {
    title: Text,
    verdict: Said,
    about: Vec<Text>,
    series: Vec<Course>,
}

/// One figure under one key.
#[derive(Debug, Serialize)]
struct Course {
    title: Text,
    unit: &'static str,
    about: Vec<Text>,
    points: Vec<Placed>,
    levels: Vec<Level>,
    /// The first point after each step, and what it did.
    steps: Vec<(usize, Text)>,
    /// The first point after each known break, and what changed.
    breaks: Vec<(usize, Text)>,
    said: Vec<Text>,
}

/// A revision.
#[derive(Debug, Serialize)]
struct Placed {
    label: Text,
    began: Text,
    runs: usize,
    value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<(f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing: Option<Text>,
}

impl Past {
    pub(super) fn of(report: &HistoryReport) -> Self {
        let mut about = vec![words::rules(report).join(" ")];
        about.extend(report.notes.iter().cloned());
        let left_out = report.left_out.len() as u64;
        about.extend((left_out > 0).then(|| format!("{} left out", counted(left_out, "capture"))));
        Self {
            title: Text::of(&format!("history of {}", report.scene)),
            verdict: Said::of_history(report),
            about: Text::all(about),
            series: report.series.iter().map(|series| Course::of(series, report)).collect(),
        }
    }
}

impl Course {
    fn of(series: &Series, report: &HistoryReport) -> Self {
        let changed = |it: &Break| {
            let of = |it: &crate::history::FactChange| format!("{} {} -> {}", it.fact, it.from, it.to);
            (it.at, Text::of(&it.changes.iter().map(of).collect::<Vec<_>>().join(", ")))
        };
        Self {
            title: Text::of(&words::name(series, report)),
            unit: series.unit.name(),
            about: Text::all([words::machine(&series.key), words::extent(series)]),
            points: (0..series.points.len()).map(|i| Placed::of(series, i)).collect(),
            levels: series.levels.clone(),
            steps: series
                .steps
                .iter()
                .map(|it| (it.after, Text::of(&words::change(series, it.change))))
                .collect(),
            breaks: series.breaks.iter().map(changed).collect(),
            said: Text::all(words::sentences(series)),
        }
    }
}

impl Placed {
    fn of(series: &Series, place: usize) -> Self {
        let Point { started_at, value, spread, runs, .. } = &series.points[place];
        Self {
            label: Text::of(&words::named(series, place)),
            began: Text::of(started_at.as_deref().unwrap_or("not said")),
            runs: runs.len(),
            value: value.as_ref().ok().copied(),
            spread: *spread,
            missing: value.as_ref().err().map(|why| Text::of(why)),
        }
    }
}
