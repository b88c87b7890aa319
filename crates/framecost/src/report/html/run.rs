//! One run, frame by frame, as the page carries it. In: a run. Out: its frames' figures, its passes' attributed times and
//! its timelines; and the same figures of a baseline, on the same frames.

use std::collections::HashMap;

use framecost_sample::{Reading, Reason, metric_names as names};
use serde::Serialize;

use super::column::{self, Column, Gaps, Reasons};
use super::frames::{self, Frames, Kept, Shown};
use super::lanes::Lanes;
use super::text::Text;
use crate::Analysis;
use crate::stats::{FigureId, Origin, Subject, Summary, type7};

/// Passes drawn one by one in the stack; those with less work than these stand in it together.
const MOST_PARTS: usize = 40;

/// A run.
#[derive(Debug, Serialize)]
pub(super) struct Run {
    name: Text,
    frames: Frames,
    rule: Option<Text>,
    picks: Shown,
    figures: Vec<Line>,
    stack: Option<Stack>,
    lanes: Option<Lanes>,
    reasons: Vec<Text>,
}

/// A figure of each frame.
#[derive(Debug, Serialize)]
struct Line {
    name: Text,
    values: Column,
    gaps: Gaps,
}

/// Where each frame's time went.
#[derive(Debug, Serialize)]
struct Stack {
    parts: Vec<Part>,
    /// Frames that are not whole: which of their parts are known says nothing of the whole.
    gaps: Gaps,
}

/// A part of the frame's time.
#[derive(Debug, Serialize)]
struct Part {
    kind: Kind,
    /// Which pass, as the section lists them; of `Pass` alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pass: Option<usize>,
    /// What it is called; a pass by its number.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Text>,
    values: Column,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Pass,
    Rest,
    Untimed,
    Waits,
}

/// A figure that frames have, for the choice of what is drawn.
#[derive(Debug, Serialize)]
pub(super) struct Choice {
    name: Text,
    unit: &'static str,
    about: Text,
}

/// The baseline's figures, on the frames of the section's first run.
#[derive(Debug, Serialize)]
pub(super) struct Base {
    name: Text,
    runs: usize,
    figures: Vec<BaseLine>,
}

/// One of them: the median over the baseline's runs, and from the least to the most where there are several.
#[derive(Debug, Serialize)]
struct BaseLine {
    name: Text,
    middle: Column,
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<Column>,
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<Column>,
}

/// The figures of frames that can be drawn: the GPU's time first, then what the source sampled.
pub(super) fn figures(run: &Analysis) -> Vec<&Summary> {
    let drawn =
        |row: &&Summary| row.subject == Subject::Frame && row.stats.is_some() && row.origin != Origin::Run;
    let total = run.summaries.rows.iter().filter(|row| row.metric.name == names::GPU_TOTAL);
    let others = run.summaries.rows.iter().filter(|row| row.origin == Origin::Samples);
    total.chain(others).filter(drawn).collect()
}

impl Choice {
    pub(super) fn of(row: &Summary) -> Self {
        Self {
            name: Text::of(&row.metric.name),
            unit: row.metric.unit.name(),
            about: Text::of(&row.metric.about),
        }
    }
}

impl Run {
    /// The run under that name; `passes` are the section's.
    pub(super) fn of(run: &Analysis, name: &str, passes: &[&str]) -> Self {
        let slow = figures(run).into_iter().next();
        let kept = Kept::of(run, slow);
        let numbers: HashMap<&str, usize> = passes.iter().enumerate().map(|(i, name)| (*name, i)).collect();
        let number = |name: &str| numbers.get(name).copied();
        let mut reasons = Reasons::default();
        let line = |row: &Summary, reasons: &mut Reasons| Line {
            name: Text::of(&row.metric.name),
            values: Column::of(row.metric.unit, column::COARSE, &measured(&readings(row, &kept))),
            gaps: Gaps::of(&readings(row, &kept), reasons),
        };
        Self {
            name: Text::of(name),
            frames: kept.frames(run),
            rule: frames::rule(&kept),
            picks: kept.shown(),
            figures: figures(run).into_iter().map(|row| line(row, &mut reasons)).collect(),
            stack: Stack::of(run, &kept, number, &mut reasons),
            lanes: Lanes::of(run, &kept, number),
            reasons: reasons.into_list(),
        }
    }
}

/// A figure's readings in the frames shown.
fn readings(row: &Summary, kept: &Kept) -> Vec<Reading<f64>> {
    let of = |place: &usize| row.values.get(*place).unwrap_or(Reading::Missing(Reason::NotAvailable));
    kept.places.iter().map(of).collect()
}

fn measured(readings: &[Reading<f64>]) -> Vec<Option<f64>> {
    readings.iter().map(|reading| reading.measured().copied()).collect()
}

impl Stack {
    /// The attributed times of the passes with untimed and waits; none where no frame is whole.
    fn of(
        run: &Analysis,
        kept: &Kept,
        number: impl Fn(&str) -> Option<usize>,
        reasons: &mut Reasons,
    ) -> Option<Self> {
        let total = run.summaries.of_frame(names::GPU_TOTAL).filter(|row| row.stats.is_some())?;
        let whole = readings(total, kept);
        let only_whole = |values: Vec<Option<f64>>| -> Vec<Option<f64>> {
            values
                .into_iter()
                .zip(&whole)
                .map(|(value, whole)| value.filter(|_| whole.measured().is_some()))
                .collect()
        };
        let unit = total.metric.unit;
        let (own, rest) = by_share(run);
        let attributed = |pass: usize| {
            let name = &run.capture.passes[pass].name;
            let row = run.summaries.of_pass(names::ATTRIBUTED, name)?;
            Some(only_whole(measured(&readings(row, kept))))
        };
        let mut parts: Vec<(Kind, Option<usize>, Option<Text>)> = Vec::new();
        let mut columns: Vec<Vec<Option<f64>>> = Vec::new();
        for pass in own {
            if let Some(values) = attributed(pass) {
                parts.push((Kind::Pass, number(&run.capture.passes[pass].name), None));
                columns.push(values);
            }
        }
        if !rest.is_empty() {
            let name = Text::of(&format!("{} with less work", crate::counted(rest.len() as u64, "pass")));
            parts.push((Kind::Rest, None, Some(name)));
            columns.push(sum(rest.into_iter().filter_map(attributed), kept.places.len()));
        }
        for (kind, metric) in [(Kind::Untimed, names::UNTIMED), (Kind::Waits, names::WAITS)] {
            if let Some(row) = run.summaries.of_frame(metric).filter(|row| row.stats.is_some()) {
                parts.push((kind, None, Some(Text::of(metric))));
                columns.push(only_whole(measured(&readings(row, kept))));
            }
        }
        let columns = columns.iter().map(|values| Column::of(unit, column::COARSE, values));
        let part = |((kind, pass, name), values)| Part { kind, pass, name, values };
        Some(Self {
            parts: parts.into_iter().zip(columns).map(part).collect(),
            gaps: Gaps::of(&whole, reasons),
        })
    }
}

/// The passes that are drawn one by one, in the capture's order, and those that stand together.
fn by_share(run: &Analysis) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..run.capture.passes.len()).collect();
    let share = |pass: usize| {
        let share = run.summaries.shares.passes.get(pass).and_then(Reading::measured);
        share.copied().unwrap_or(-1.0)
    };
    order.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
    let mut rest = order.split_off(order.len().min(MOST_PARTS));
    order.sort_unstable();
    rest.retain(|pass| share(*pass) > 0.0);
    (order, rest)
}

/// Their sum in each frame; none where none of them ran.
fn sum(columns: impl Iterator<Item = Vec<Option<f64>>>, frames: usize) -> Vec<Option<f64>> {
    columns.fold(vec![None; frames], |sums, values| {
        let add = |(sum, value): (Option<f64>, Option<f64>)| match (sum, value) {
            (Some(sum), Some(value)) => Some(sum + value),
            (sum, value) => sum.or(value),
        };
        sums.into_iter().zip(values).map(add).collect()
    })
}

impl Base {
    /// The baseline under that name; on the frames that the page shows of `run`.
    pub(super) fn of(run: &Analysis, baseline: &[Analysis], name: &str) -> Self {
        let drawn = figures(run);
        let kept = Kept::of(run, drawn.first().copied());
        let line = |row: &&Summary| BaseLine::of(row, run, baseline, &kept);
        Self { name: Text::of(name), runs: baseline.len(), figures: drawn.iter().filter_map(line).collect() }
    }
}

impl BaseLine {
    fn of(row: &Summary, run: &Analysis, baseline: &[Analysis], kept: &Kept) -> Option<Self> {
        let id = FigureId { metric: row.metric.name.clone(), subject: Subject::Frame };
        let rows: Vec<(&Analysis, &Summary)> =
            baseline.iter().filter_map(|run| Some((run, run.summaries.find(&id)?))).collect();
        let in_frame = |place: &usize| {
            let frame = run.summaries.frames.get(*place)?;
            let of_run = |(run, row): &(&Analysis, &Summary)| {
                let place = run.summaries.frames.binary_search(frame).ok()?;
                row.values.get(place)?.measured().copied()
            };
            let mut values: Vec<f64> = rows.iter().filter_map(of_run).collect();
            values.sort_unstable_by(f64::total_cmp);
            Some((*values.first()?, type7(&values, 0.5)?, *values.last()?))
        };
        let found: Vec<Option<(f64, f64, f64)>> = kept.places.iter().map(in_frame).collect();
        if found.iter().all(Option::is_none) {
            return None;
        }
        let column = |part: fn((f64, f64, f64)) -> f64| {
            let values: Vec<Option<f64>> = found.iter().map(|found| found.map(part)).collect();
            Column::of(row.metric.unit, column::COARSE, &values)
        };
        let several = baseline.len() > 1;
        Some(Self {
            name: Text::of(&row.metric.name),
            middle: column(|it| it.1),
            low: several.then(|| column(|it| it.0)),
            high: several.then(|| column(|it| it.2)),
        })
    }
}
