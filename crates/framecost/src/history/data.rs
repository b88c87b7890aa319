//! A history as plain data. In: nothing. Out: what every rendering shows, all of it computed beforehand; serialised as
//! `docs/format.md` describes it.

use framecost_sample::{Better, Unit};
use serde::{Serialize, Serializer};

use crate::stats::Statistic;

/// Everything that a history shows. Names in it are as captures give them: each format escapes them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HistoryReport {
    /// The version of this structure; it grows by keys only.
    pub framecost_history: u32,
    /// The scene.
    pub scene: String,
    /// Which statistic of each run.
    #[serde(serialize_with = "statistic")]
    pub statistic: Statistic,
    /// What changes are judged by.
    pub rules: Rules,
    /// One per key and figure.
    pub series: Vec<Series>,
    /// What was found and is in no series.
    pub left_out: Vec<LeftOut>,
    /// What a reader must know besides.
    pub notes: Vec<String>,
}

/// What changes are judged by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rules {
    /// Changes up to it do not matter, as a part of the level before: 0.02 is 2 %.
    pub limit: f64,
    /// How often chance alone may show a step.
    pub step_level: f64,
    /// How often chance alone may show a drift.
    pub drift_level: f64,
    /// The part of what is reported that may be expected to be false, over all tests.
    pub false_discovery_rate: f64,
    /// How many tests were made.
    pub tests: u64,
    /// The greatest p-value that stands among so many; 0 where none does.
    pub greatest_p: f64,
    /// The facts whose change starts a new stretch.
    pub breaks_on: Vec<String>,
    /// From which revision on costs count as accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blessed: Option<String>,
}

/// One figure under one key, over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// What ran, where and how: the part that is never mixed.
    pub key: SeriesKey,
    /// The figure, such as `attributed/lit`.
    pub figure: String,
    /// The unit of its values; of a normalised one, `ratio`.
    #[serde(serialize_with = "unit")]
    pub unit: Unit,
    /// Which way it improves.
    #[serde(serialize_with = "better")]
    pub better: Better,
    /// The references of the same session that each value was divided by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub normalised_by: Vec<String>,
    /// How changes are written.
    pub scale: Scale,
    /// Its points in the order of time.
    pub points: Vec<Point>,
    /// The first point that was judged; older ones are only shown.
    pub judged_from: usize,
    /// Known breaks: the environment changed. They are no alarms, and nothing is compared across them.
    pub breaks: Vec<Break>,
    /// The stretches of one level, or of one drift, in order.
    pub levels: Vec<Level>,
    /// Steps.
    pub steps: Vec<Step>,
    /// Creeps.
    pub drifts: Vec<Drift>,
    /// The newest level against the first or blessed one, where that is a change that matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<Since>,
    /// What could not be judged, and why.
    pub notes: Vec<String>,
}

/// What ran, where and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeriesKey {
    /// The program.
    pub benchmark: String,
    /// The scene.
    pub scene: String,
    /// The adapter's name.
    pub adapter: String,
    /// Its class, by name.
    pub adapter_class: String,
    /// The graphics API.
    pub backend: String,
    /// Width and height in pixels, as `2560x1440`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// The switches in force.
    pub switches: String,
    /// Those of them that have another value than where nobody asks, as `name=value`.
    pub asked: Vec<String>,
    /// Switches and settings in which the series of this report differ: for telling them apart.
    pub differing: Vec<String>,
    /// Hash of the settings that no switch names.
    pub settings_hash: String,
    /// What was measured beside the frame.
    pub instrumentation: String,
    /// Frames in flight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frames_in_flight: Option<u32>,
    /// The kinds of stamps that its passes have.
    pub semantics: Vec<String>,
}

/// How changes of a series are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// As parts of the level before: 0.05 is +5 %. Only where every value is above zero.
    Ratio,
    /// As differences in the figure's unit.
    Difference,
}

/// One revision under one environment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The revision; none where the runs do not say. Each such run is a point of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// When its first run began; none of a log that does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// The median of its runs, or why there is none.
    #[serde(serialize_with = "reading")]
    pub value: Result<f64, String>,
    /// The smallest and greatest of its runs; none of fewer than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<(f64, f64)>,
    /// Its runs in the order of time.
    pub runs: Vec<PointRun>,
}

/// One run of a point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointRun {
    /// Where it was read from.
    pub path: String,
    /// When it began; none of a log that does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// Its value, or why there is none.
    #[serde(serialize_with = "reading")]
    pub value: Result<f64, String>,
}

/// The environment changed between two points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Break {
    /// The first point after it.
    pub at: usize,
    /// What changed.
    pub changes: Vec<FactChange>,
}

/// A fact that changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FactChange {
    /// The fact's name.
    pub fact: String,
    /// What it was.
    pub from: String,
    /// What it is.
    pub to: String,
}

/// A stretch of one level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// Its first point.
    pub first: usize,
    /// Its last point.
    pub last: usize,
    /// How many of its points have a value.
    pub measured: usize,
    /// The median of their values.
    pub median: f64,
    /// The median distance of their values from it.
    pub residual: f64,
}

/// Whether a change is for the worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Course {
    /// It costs more.
    Worse,
    /// It costs less.
    Better,
    /// The figure has no better side.
    Changed,
}

/// The level changed and stayed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The last point with a value before it.
    pub before: usize,
    /// The first point with a value after it.
    pub after: usize,
    /// Points with a value on the level before, and on the level after.
    pub points: (usize, usize),
    /// The levels' medians.
    pub levels: (f64, f64),
    /// From the level before to the level after, as the series' scale says.
    pub change: f64,
    /// The change's 95 % interval.
    pub interval: (f64, f64),
    /// How often chance alone shows as much, the search counted.
    pub p: f64,
    /// The probability that a point after it lies beyond one before it, in the change's direction.
    pub separation: f64,
    /// How many neighbouring points the draws kept together; more than 1 where neighbours resemble each other.
    pub block: usize,
    /// Whether it is for the worse.
    pub course: Course,
    /// Whether it lies before the blessed revision, which has accepted it.
    pub accepted: bool,
}

/// It moved one way without a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drift {
    /// Its first point.
    pub first: usize,
    /// Its last point.
    pub last: usize,
    /// Points with a value.
    pub points: usize,
    /// From its first to its last point, as the series' scale says.
    pub change: f64,
    /// The change's 95 % interval.
    pub interval: (f64, f64),
    /// How often chance alone shows as much.
    pub p: f64,
    /// Whether it is for the worse.
    pub course: Course,
    /// Whether the blessed revision lies in it or after it: what came since is then told apart.
    pub accepted: bool,
}

/// The newest level against the first or blessed one of the same environment: what many small changes add up to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Since {
    /// The point that it counts from.
    pub from: usize,
    /// Whether somebody blessed that point.
    pub blessed: bool,
    /// The newest point.
    pub to: usize,
    /// The two levels: medians of up to five points.
    pub levels: (f64, f64),
    /// The change, as the series' scale says.
    pub change: f64,
    /// Whether it is for the worse.
    pub course: Course,
}

/// Something that was found and is in no series.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Where it lies.
    pub path: String,
    /// Why it is left out.
    pub reason: String,
}

impl HistoryReport {
    /// Whether anything got worse and was not accepted: a step, a drift, or what small changes add up to.
    #[must_use]
    pub fn got_worse(&self) -> bool {
        self.series.iter().any(Series::got_worse)
    }

    /// Whether any series was long enough to be judged.
    #[must_use]
    pub fn judged_any(&self) -> bool {
        self.rules.tests > 0
    }
}

impl Series {
    /// Whether it got worse in a way that was not accepted.
    #[must_use]
    pub fn got_worse(&self) -> bool {
        let steps = self.steps.iter().any(|step| step.course == Course::Worse && !step.accepted);
        let drifts = self.drifts.iter().any(|drift| drift.course == Course::Worse && !drift.accepted);
        steps || drifts || self.since.as_ref().is_some_and(|since| since.course == Course::Worse)
    }

    /// Whether its newest point has no value: a metric that is no longer measured must not pass for one that is steady.
    #[must_use]
    pub fn ends_in_a_gap(&self) -> bool {
        self.points.last().is_some_and(|point| point.value.is_err())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
fn statistic<S: Serializer>(statistic: &Statistic, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(statistic.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
fn unit<S: Serializer>(unit: &Unit, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(unit.name())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde hands over")]
fn better<S: Serializer>(better: &Better, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(better.name())
}

/// A value, or `{"missing": "reason"}`.
fn reading<S: Serializer>(value: &Result<f64, String>, to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Missing<'a> {
        missing: &'a str,
    }
    match value {
        Ok(value) => to.serialize_f64(*value),
        Err(missing) => Missing { missing }.serialize(to),
    }
}
