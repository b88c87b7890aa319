//! Reports: what a person or a program reads. In: an analysis, its baseline, its judgement. Out: a [`Report`] of plain data,
//! then text. All numbers are in the report before anything is rendered, so rendering neither computes nor fails.

mod build;
mod cells;
mod ci;
mod cost;
mod definitions;
mod escape;
mod evidence;
mod failure;
mod format;
mod github;
mod history;
mod html;
mod json;
mod junit;
mod markdown;
mod missing;
mod recount;
mod shell;
mod streams;
mod table;
mod text;
pub mod trace;
mod variants;
mod verdicts;
mod words;

use framecost_sample::{Better, Fact, Reading, Size, Unit};

use crate::Finding;
use crate::judge::{Census, Difference, FrameCounts, Outcome, Overall, Row, Tally, Unbound};
use crate::stats::Stats;

pub use ci::Undecided;
pub use cost::{Cost, CostReading, CostRuns, MarginalRuns, cost_json, cost_text};
pub use definitions::{
    definitions_json, definitions_markdown, definitions_text, explain_json, explain_markdown, explain_text,
};
pub use escape::json_inert;
pub use failure::Failure;
pub use github::github;
pub use history::{history_json, history_text};
pub use html::{Page, Section, html};
pub use json::{VERSION, json, overall_json, variants_json};
pub use junit::junit;
pub use markdown::{markdown, markdown_of_all, markdown_of_variants};
pub use recount::{NotOneCapture, Recount, RecountRow, recount_json, recount_text};
pub use shell::shell_word;
pub use streams::{StreamsReport, columns_text, streams_json, streams_text};
pub use text::{text, text_of_all, text_of_variants};
pub use variants::{OfVariants, PairedFigure};
pub use words::word_for;

/// Everything that a report shows. Names in it are as captures give them: each format escapes them.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What ran, where and how.
    pub head: Head,
    /// The verdicts, where the run was judged.
    pub verdicts: Option<Verdicts>,
    /// What the ratios compare with, where there is a baseline.
    pub comparison: Option<Comparison>,
    /// The frame's figures: its GPU time, then where it went.
    pub frame: Vec<Figure>,
    /// `busy / gpu_total`: how much of the GPU time the passes explain; none of a capture without passes.
    pub coverage: Option<Reading<f64>>,
    /// The passes in the scene's order. They may run side by side, so there is no row of their sum.
    pub passes: Vec<Pass>,
    /// The part of the frames' GPU work in which no timed pass ran; none of a capture without passes.
    pub untimed_share: Option<Reading<f64>>,
    /// The gates.
    pub gates: Vec<Gate>,
    /// Metrics that the source sampled per frame.
    pub samples: Vec<Figure>,
    /// Figures of the run as a whole.
    pub run: Vec<Figure>,
    /// What measuring itself cost, and the step of the clock.
    pub cost: Vec<Figure>,
    /// What is missing and why.
    pub missing: Vec<Missing>,
    /// What was odd.
    pub findings: Vec<Finding>,
    /// The environment before and after the run.
    pub environment: Vec<Fact>,
}

impl Report {
    /// The report without what a heading over several reports says once for all of them.
    fn below(&self, overall: &Overall) -> Self {
        let mut report = self.clone();
        report.verdicts = report.verdicts.map(|verdicts| verdicts.below(overall));
        report
    }

    /// Whether the tables can say how the run's figures relate to the baseline's: of several runs they hold the first alone,
    /// and its ratio is not what was judged.
    #[must_use]
    pub fn has_ratios(&self) -> bool {
        self.is_compared()
            && self.verdicts.as_ref().is_none_or(|verdicts| matches!(verdicts.runs, (0 | 1, 0 | 1)))
    }

    /// Whether there is a baseline that the run was compared with.
    #[must_use]
    pub fn is_compared(&self) -> bool {
        self.comparison.as_ref().is_some_and(|comparison| comparison.refused.is_empty())
    }
}

/// What ran, where and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The program.
    pub benchmark: String,
    /// The scene.
    pub scene: String,
    /// The switches in force, by name.
    pub switches: Vec<(String, String)>,
    /// Those of them that have another value than where nobody asks, or of which that is not known.
    pub asked: Vec<(String, String)>,
    /// The adapter's name.
    pub adapter: String,
    /// Its class, by name.
    pub adapter_class: String,
    /// Whether it renders on the CPU: its times are regression figures for that adapter only.
    pub on_cpu: bool,
    /// The graphics API.
    pub backend: String,
    /// Image size; none where the source does not say.
    pub size: Option<Size>,
    /// Hash of the settings that no switch names.
    pub settings_hash: String,
    /// What was measured beside the frame.
    pub instrumentation: String,
    /// Frames in flight; none where unknown.
    pub frames_in_flight: Option<u32>,
    /// Frames drawn before the measured ones and left out: start-up, warm-up, calibration.
    pub left_out: (u64, u64, u64),
    /// Measured frames.
    pub frames: u64,
    /// First and last measured frame on the path; none where none was measured.
    pub range: Option<(u64, u64)>,
    /// Measured frames that lost their stamps because every slot was busy.
    pub dropped: u64,
    /// Whether passes were stamped at all.
    pub stamped: bool,
    /// What the two stamps of a pass are, with the passes of which that holds.
    pub semantics: Vec<(String, Vec<String>)>,
    /// The promise by which stamps of different submissions share a timeline; none where there is none.
    pub shared_by: Option<String>,
    /// The accounting's rule for where a frame's own time begins.
    pub floor: String,
    /// How percentiles were computed.
    pub percentiles: String,
    /// The tool that wrote the capture.
    pub producer: String,
    /// When the run began.
    pub started_at: Option<String>,
}

/// A figure with its statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The metric's name.
    pub metric: String,
    /// What it is, in one sentence.
    pub about: String,
    /// The unit of all its values.
    pub unit: Unit,
    /// Which way it improves.
    pub better: Better,
    /// Statistics, or the reason that most of its missing values give.
    pub stats: Reading<Stats>,
    /// The baseline's median over the compared frames; none where there is none to compare with.
    pub baseline: Option<f64>,
    /// The run's median over the baseline's, on the compared frames; none where the baseline's is not above zero.
    pub ratio: Option<f64>,
}

/// A pass with its readings, none of which is "the" cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Pass {
    /// Its name.
    pub name: String,
    /// What its two stamps are.
    pub semantics: String,
    /// Its attributed time over the frames' GPU work.
    pub share: Reading<f64>,
    /// Whether no other pass has a larger share.
    pub largest: bool,
    /// Its part of the timed work, each moment split among the passes that ran.
    pub attributed: Figure,
    /// As stamped.
    pub duration: Figure,
    /// Past the end of the frame before.
    pub exposed: Figure,
    /// With nothing beside it.
    pub alone: Figure,
}

/// A gate with its time, its coverage and the work before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// Its name.
    pub name: String,
    /// The pass that opens it.
    pub from: String,
    /// The last pass that may close it.
    pub to: String,
    /// From its opening to the latest end.
    pub time: Figure,
    /// The part of it in which a timed pass ran.
    pub coverage: Figure,
    /// The frame's timed work before it.
    pub before: Figure,
}

/// Values that are missing in some or all frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// Metrics, or the pass or gate.
    pub what: String,
    /// The reason, with its particulars.
    pub reason: String,
    /// In how many frames.
    pub times: u64,
    /// Of how many.
    pub of: u64,
}

/// What the ratios compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Frames behind it.
    pub frames: FrameCounts,
    /// Differences that forbid it: then there are no ratios.
    pub refused: Vec<Difference>,
    /// Differences of the key that were asked for.
    pub declared: Vec<Difference>,
    /// Differences of the environment.
    pub environment: Vec<Difference>,
}

/// The verdicts, gathered for reading.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// What they come to.
    pub outcome: Outcome,
    /// How many there are of each.
    pub tally: Tally,
    /// Every row.
    pub rows: Vec<Row>,
    /// Rows that want to be read, most urgent first; those that share verdict and reason stand together.
    pub groups: Vec<Group>,
    /// Every budget and ceiling, kept or not.
    pub budgets: Vec<BudgetRow>,
    /// The rule's name.
    pub rule: String,
    /// What the rule cannot promise; none where it decided nothing.
    pub error_rate: Option<String>,
    /// Runs judged, and runs behind the baseline; of a difference, pairs of runs.
    pub runs: (u64, u64),
    /// Whether all of them are logs of other tools.
    pub logs: bool,
    /// Frames that the run measured: of several, the fewest.
    pub frames: u64,
    /// How several runs were judged; none for one run against at most one.
    pub of_runs: Option<String>,
    /// What else to know.
    pub notes: Vec<String>,
    /// Budgets and ceilings that bind none of the runs.
    pub unbound: Vec<Unbound>,
    /// In what the run differs from the baseline although they are compared: what the caller declared and, of a baseline
    /// that he chose himself, the environment too.
    pub differs: Vec<Difference>,
    /// What became of every figure, where one report answers for the whole comparison.
    pub census: Option<Census>,
}

impl Verdicts {
    /// Answers for the whole of a comparison of one set: its outcome, with what is absent.
    pub fn settle(&mut self, overall: &Overall) {
        self.outcome = overall.outcome;
        self.census.clone_from(&overall.census);
    }

    fn below(mut self, overall: &Overall) -> Self {
        self.unbound.clear();
        self.error_rate = None;
        self.notes.retain(|note| !overall.notes.contains(note));
        self
    }
}

/// A budget or ceiling.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetRow {
    /// What was found.
    pub row: Row,
    /// The part of the limit that is used up; none where there is no value or the limit is not above zero.
    pub used: Option<f64>,
}

/// Rows with one verdict for one reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The verdict's name.
    pub verdict: &'static str,
    /// The reason that they share; none for verdicts that have none.
    pub reason: Option<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// How text may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Colours by ANSI escapes.
    pub colour: bool,
    /// Characters beyond ASCII: bars of eighths, dashes, arrows.
    pub unicode: bool,
    /// Columns of the terminal. Tables leave out their least important columns to fit.
    pub width: usize,
}

impl Style {
    /// ASCII without colours, 100 columns wide: for pipes and files.
    pub const PLAIN: Self = Self { colour: false, unicode: false, width: 100 };
}

impl Default for Style {
    fn default() -> Self {
        Self::PLAIN
    }
}
