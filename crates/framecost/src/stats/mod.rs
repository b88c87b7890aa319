//! Statistics: how much each figure was over a run's frames. In: a capture and its ledger. Out: [`Summaries`].
//! Values stay beside their statistics, frame by frame, so that later rules can pair two runs by frame.

mod accounted;
mod block;
mod describe;
mod interval;
mod paired;
mod proportion;
mod quantile;
pub(crate) mod random;
mod recorded;
mod series;
mod share;
pub mod student;
mod whole;

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use framecost_sample::{Capture, Metric, PassId, Reading, Reason};

use crate::Finding;
use crate::account::Ledger;

pub(crate) use block::{Error, median_error};
pub use describe::{FIRM, P95_LEAST, P99_LEAST, Quantile, Statistic, Stats};
pub(crate) use describe::{SAMPLED, few, lack};
pub use interval::{Interval, LEVEL};
pub use paired::{Paired, PairedRow};
pub use proportion::Proportion;
pub(crate) use quantile::at_place;
pub(crate) use quantile::select7;
pub use quantile::{METHOD, type7};
pub use series::Series;
pub use share::Shares;

/// Every figure of a run, with its statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Summaries {
    /// The measured frames' indices on the path: the order of every row's values.
    pub frames: Vec<u64>,
    /// One row per figure: the frame's, each pass's, each gate's, each sampled metric's, the run's.
    pub rows: Vec<Summary>,
    /// Which part of the frames' GPU time went where.
    pub shares: Shares,
    /// What was odd on the way.
    pub findings: Vec<Finding>,
    index: HashMap<FigureId, usize>,
}

/// A figure: a metric of something.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FigureId {
    /// The metric's name.
    pub metric: String,
    /// What it is a figure of.
    pub subject: Subject,
}

/// What a figure is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A frame as a whole: one value per frame.
    Frame,
    /// The pass of that name: one value per frame.
    Pass(String),
    /// The gate of that name: one value per frame.
    Gate(String),
    /// The switch of that name, between two of its values: one value per frame that both measured.
    Switch(String),
    /// The run as a whole: one value.
    Run,
}

/// Where a figure's values came from, which decides the noise floor that judges it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Accounted from stamps of the ledger's clock.
    Stamps,
    /// Recorded by the source, frame by frame.
    Samples,
    /// Recorded by the source, once for the run.
    Run,
    /// Computed of a log's frames by one of many definitions: judged and shown only where somebody names it.
    Definition,
}

/// One figure over the run's frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// The metric: name, unit, which way is better.
    pub metric: Metric,
    /// What it is a figure of.
    pub subject: Subject,
    /// Where its values came from.
    pub origin: Origin,
    /// The value in each frame, by the frame's place in [`Summaries::frames`]; of a run's figure, the one value.
    pub values: Series,
    /// How many values are missing, by reason.
    pub missing: BTreeMap<Reason, u64>,
    /// Statistics over the measured values; none where no value was measured.
    pub stats: Option<Stats>,
    /// Frames that a definition's one value is computed of; none where it has none, and of every other figure.
    pub computed_of: Option<u64>,
}

/// Summarises every figure of a run.
///
/// A frame that lost the stamps of a pass that other frames have is not whole: its total would leave that pass out and read
/// as a faster frame. The figures of such a frame, and of gates around the lost pass, are missing for that pass's reason.
#[must_use]
pub fn summarize(capture: &Capture, ledger: &Ledger) -> Summaries {
    let mut rows = Vec::new();
    let mut index = HashMap::new();
    let losses = whole::Losses::of(ledger, capture.passes.len());
    // No capture samples a metric of an accounted figure's name, so that each row is of its own.
    for row in accounted::rows(capture, ledger, &losses).into_iter().chain(recorded::rows(capture)) {
        index.insert(row.id(), rows.len());
        rows.push(row);
    }
    Summaries {
        frames: capture.frames.clone(),
        shares: share::of(capture, ledger, &losses),
        findings: never_measured(capture, ledger, &losses)
            .into_iter()
            .chain(recorded::few(capture, &rows))
            .collect(),
        rows,
        index,
    }
}

/// One figure of a run, without the work that all the others take; the same row as [`summarize`] gives. None where the run has
/// no such figure; one of the run where the frame is asked for and only the run has it.
#[must_use]
pub fn figure(capture: &Capture, ledger: &Ledger, id: &FigureId) -> Option<Summary> {
    let losses = whole::Losses::of(ledger, capture.passes.len());
    accounted::row(capture, ledger, &losses, id).or_else(|| {
        let of_metric = recorded::rows(capture).into_iter().filter(|row| row.metric.name == id.metric);
        let of_frame = id.subject == Subject::Frame;
        let fits = |row: &Summary| row.subject == id.subject || (of_frame && row.subject == Subject::Run);
        of_metric.filter(fits).min_by_key(|row| row.subject == Subject::Run)
    })
}

/// Passes that no frame has although they ran, while others were measured: the frames' figures are of those. One finding
/// per reason.
fn never_measured(capture: &Capture, ledger: &Ledger, losses: &whole::Losses) -> Vec<Finding> {
    if ledger.frames.iter().all(|frame| frame.account.measured().is_none()) {
        return Vec::new();
    }
    let mut reasons: BTreeMap<PassId, &Reason> = BTreeMap::new();
    for (id, reading) in ledger.frames.iter().flat_map(|frame| &frame.passes) {
        if let Some(reason) = reading.missing().filter(|reason| **reason != Reason::NotExecuted) {
            reasons.entry(*id).or_insert(reason);
        }
    }
    reasons.retain(|id, _| losses.never(usize::from(id.0)));
    let mut passes: BTreeMap<&Reason, Vec<&str>> = BTreeMap::new();
    for (id, reason) in reasons {
        passes.entry(reason).or_default().push(&capture.pass(id).name);
    }
    let finding = |(reason, names): (&Reason, Vec<&str>)| Finding {
        place: format!("pass {}", names.join(", ")),
        cause: format!(
            "no frame has its stamps ({reason}): the frames' figures leave it out or call it untimed"
        ),
        remedy: "read gpu_total as the time of the other passes, or use another stamp mode".into(),
        times: 1,
    };
    passes.into_iter().map(finding).collect()
}

impl Summaries {
    /// Adds figures of the run that a definition gives.
    pub(crate) fn define(&mut self, figures: impl IntoIterator<Item = (Metric, Reading<f64>, Option<u64>)>) {
        for (metric, reading, computed_of) in figures {
            let mut value = Series::new(1, Reason::NotAvailable);
            value.push(0, reading);
            let row = Summary::new(metric, Subject::Run, Origin::Definition, value);
            let row = Summary { computed_of, ..row };
            self.index.insert(row.id(), self.rows.len());
            self.rows.push(row);
        }
    }

    /// The row of that figure.
    #[must_use]
    pub fn find(&self, id: &FigureId) -> Option<&Summary> {
        self.index.get(id).map(|&i| &self.rows[i])
    }

    /// The row of a metric of the frame, or of the run where no frame has it.
    #[must_use]
    pub fn of_frame(&self, metric: &str) -> Option<&Summary> {
        let of = |subject| self.find(&FigureId { metric: metric.into(), subject });
        of(Subject::Frame).or_else(|| of(Subject::Run))
    }

    /// The row of a metric of a pass.
    #[must_use]
    pub fn of_pass(&self, metric: &str, pass: &str) -> Option<&Summary> {
        self.find(&FigureId { metric: metric.into(), subject: Subject::Pass(pass.into()) })
    }

    /// The row of a metric of a gate.
    #[must_use]
    pub fn of_gate(&self, metric: &str, gate: &str) -> Option<&Summary> {
        self.find(&FigureId { metric: metric.into(), subject: Subject::Gate(gate.into()) })
    }
}

impl Summary {
    fn new(metric: Metric, subject: Subject, origin: Origin, values: Series) -> Self {
        let measured = values.measured().map(|(_, value)| value).collect();
        let (missing, stats) = (values.missing(), Stats::of(measured));
        Self { metric, subject, origin, missing, stats, values, computed_of: None }
    }

    /// Frames that its statistics stand on; none of a figure that counts something of the run.
    #[must_use]
    pub fn frames(&self) -> Option<u64> {
        match (self.origin, &self.subject) {
            (Origin::Definition, _) => self.computed_of,
            (_, Subject::Run) => None,
            _ => Some(self.n()),
        }
    }

    /// Which figure this is.
    #[must_use]
    pub fn id(&self) -> FigureId {
        FigureId { metric: self.metric.name.clone(), subject: self.subject.clone() }
    }

    /// How many values were measured.
    #[must_use]
    pub fn n(&self) -> u64 {
        self.stats.as_ref().map_or(0, |stats| stats.n)
    }

    /// The reason that most of the missing values give; none where nothing is missing.
    #[must_use]
    pub fn main_reason(&self) -> Option<&Reason> {
        // On a tie the first in the reasons' order, so that equal captures give equal reports.
        let mut best: Option<(&Reason, u64)> = None;
        for (reason, &times) in &self.missing {
            if best.is_none_or(|(_, most)| times > most) {
                best = Some((reason, times));
            }
        }
        best.map(|(reason, _)| reason)
    }
}

impl Subject {
    /// The pass's, gate's or switch's name.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Pass(name) | Self::Gate(name) | Self::Switch(name) => Some(name),
            Self::Frame | Self::Run => None,
        }
    }

    /// The subject's kind in files: `frame`, `pass`, `gate`, `switch`, `run`.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Frame => "frame",
            Self::Pass(_) => "pass",
            Self::Gate(_) => "gate",
            Self::Switch(_) => "switch",
            Self::Run => "run",
        }
    }
}

impl fmt::Display for FigureId {
    /// As `framecost.toml` writes it: `gpu_total`, `attributed/lit`. Names come as the capture gives them, unescaped.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric)?;
        match self.subject.name() {
            Some(name) => write!(f, "/{name}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod testing;

#[cfg(test)]
mod tests;
