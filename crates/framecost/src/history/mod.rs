//! History: what a figure did from revision to revision. In: runs, each a handful of values with its key, moment and facts.
//! Out: a [`HistoryReport`]: for each key and figure the points in the order of time, steps, drifts and what small changes add
//! up to, with how sure each is. `docs/method.md` says how, and how often it is wrong on series in which nothing happened.
//!
//! ```text
//!  captures -> Run::new -> gather -> series of points -> judged (scan, steps, drift) -> HistoryReport -> report::history_text
//! ```

mod build;
mod data;
mod drift;
mod gather;
mod judged;
mod moment;
mod pinned;
mod robust;
mod run;
mod scan;
mod steps;

use crate::stats::Statistic;

pub use data::{
    Break, Course, Drift, FactChange, HistoryReport, LeftOut, Level, Point, PointRun, Rules, Scale, Series,
    SeriesKey, Since, Step,
};
pub use pinned::Reference;
pub use run::{Asked, AskedError, Definition, Run, Value};

/// Facts whose change starts a new stretch of a series unless others are named. No reading that moves by itself is among them,
/// such as clocks, temperatures or the load: a history would fall apart into single runs.
pub const BREAKS_ON: [&str; 7] =
    ["driver", "os", "cpu", "cpu threads", "cpu governor", "build profile", "stamping"];
/// Points of a series that are judged, the newest.
pub const NEWEST: usize = 200;
/// The part of what the tests find that may be expected to be false, before the gates take most of that away.
pub const FALSE_DISCOVERY_RATE: f64 = 0.1;

/// How a history is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The scene, as the report names it.
    pub scene: String,
    /// Which statistic the runs' values are.
    pub statistic: Statistic,
    /// Changes up to it do not matter, as a part of the level before.
    pub limit: f64,
    /// The facts whose change starts a new stretch.
    pub breaks_on: Vec<String>,
    /// How many points of a series are judged, the newest; at most [`NEWEST`].
    pub newest: usize,
    /// From which revision on costs count as accepted.
    pub blessed: Option<String>,
    /// How many seconds lie at most between a run and one of a reference in the same session.
    pub session: u64,
}

impl Default for Options {
    /// Median, 2 %, [`BREAKS_ON`], sessions of an hour.
    fn default() -> Self {
        Self {
            scene: String::new(),
            statistic: Statistic::Median,
            limit: 0.02,
            breaks_on: BREAKS_ON.map(str::to_owned).into(),
            newest: NEWEST,
            blessed: None,
            session: 3600,
        }
    }
}

/// The history of these runs, divided by the references where there are any.
#[must_use]
pub fn history(runs: &[Run], references: &[Reference], options: &Options) -> HistoryReport {
    build::report(runs, references, options)
}
