//! What to judge and by which limits: the content of `framecost.toml`. In: its text, or values set by a program.
//! Out: [`Config`], complete and free of contradictions.

use std::collections::BTreeMap;

use framecost_sample::{AdapterClass, Better, Nanos, Size, Unit, metric_names as names};

use super::Limits;
use super::config_expect::Expect;
use super::config_gate::DeclaredGate;
use super::config_limit::{At, Limit, Source};
use super::config_rename::Renames;
use crate::stats::{FigureId, Origin, Statistic, Summary};

/// What to judge and by which limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// How runs are compared with a baseline.
    pub rule: Rule,
    /// Growth past which a figure fails, as a part of the baseline.
    pub fail: f64,
    /// Growth past which it warns.
    pub warn: f64,
    /// Noise floor of GPU times: growth up to it is never judged.
    pub floor_gpu: Nanos,
    /// Noise floor of all other times.
    pub floor_cpu: Nanos,
    /// What differs for single metrics, by name.
    pub metrics: BTreeMap<String, MetricRule>,
    /// What differs for single figures, scenes and classes of adapters.
    pub limits: Vec<Limit>,
    /// Budgets and ceilings, in the order in which they were written.
    pub budgets: Vec<Budget>,
    /// What must be there whenever runs are compared.
    pub expect: Vec<Expect>,
    /// Names that were changed, so that what was recorded under the old one is compared under the new one.
    pub renames: Renames,
    /// Gates beside those that scenes declare.
    pub gates: Vec<DeclaredGate>,
    /// Where the keys of `[defaults]` and the rule stand in the text; empty where a program set them.
    pub places: Places,
    /// The runs that limits of scenes and classes are asked for; see [`Config::for_key`]. None: those limits hold for nothing.
    pub at: Option<At>,
}

/// Where keys stand in the text, by their names.
pub type Places = BTreeMap<&'static str, Place>;

/// How runs are compared with a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// By the spread between runs: whole runs are what is repeated, and frames are paired. Needs several stored runs.
    #[default]
    Runs,
    /// One statistic against another with a relative limit and an absolute floor; carries no error rate.
    Threshold,
}

/// What differs for one metric from the defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MetricRule {
    /// Growth past which it fails, as a part of the baseline.
    pub fail: Option<f64>,
    /// Growth past which it warns.
    pub warn: Option<f64>,
    /// Growth up to which it is never judged.
    pub floor: Option<Amount>,
    /// The statistics that are judged; an empty list judges none.
    pub judge: Option<Vec<Statistic>>,
    /// Whether a run that lacks the metric could not be measured.
    pub expect: bool,
    /// Where its name stands in the text; none where a program set the rule.
    pub place: Option<Place>,
    /// Where its keys stand in the text.
    pub places: Places,
}

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Line, counted from 1.
    pub line: u64,
    /// Character of that line, counted from 1.
    pub column: u64,
}

/// A quantity with the unit that its text had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// A time.
    Time(Nanos),
    /// Bytes.
    Bytes(f64),
    /// A number without a unit: of things, or a ratio.
    Plain(f64),
    /// A part of a whole, written as a percentage.
    Part(f64),
    /// Frames per second, written with that unit.
    Rate(f64),
}

/// An absolute limit on a statistic of a figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// Its name in reports.
    pub name: String,
    /// Which of the two kinds.
    pub kind: BudgetKind,
    /// The figure's metric.
    pub metric: String,
    /// The pass, gate or switch that the figure is of; none for a frame's or run's figure.
    pub of: Option<String>,
    /// The scene that it binds; a ceiling binds every scene.
    pub scene: Option<String>,
    /// The size that it binds; none binds every size.
    pub size: Option<Size>,
    /// Switches that a run must have for it to bind; switches not named may be anything.
    pub switches: BTreeMap<String, String>,
    /// The statistic that it limits.
    pub statistic: Statistic,
    /// The limit: a figure at it passes.
    pub limit: Amount,
    /// The adapters that it binds.
    pub adapter: AdapterFilter,
    /// Whether it may be of a scene that nothing knows.
    pub optional: bool,
    /// Where its name stands in the text; none where a program set it.
    pub place: Option<Place>,
    /// Where its keys stand in the text.
    pub places: Places,
}

/// A limit on one scene, or on all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BudgetKind {
    /// For one scene.
    Budget,
    /// A budget enforced on every scene.
    Ceiling,
}

/// Which adapters a budget binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AdapterFilter {
    /// All of them.
    Any,
    /// Those of a class.
    Class(AdapterClass),
    /// Those whose name contains this, whatever its case.
    Named(String),
}

impl Rule {
    /// Every rule, for readers and documentation.
    pub const ALL: [Self; 2] = [Self::Runs, Self::Threshold];

    /// Its name in files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Threshold => "threshold",
        }
    }

    /// The rule of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// What the rule cannot promise.
    #[must_use]
    pub const fn error_rate(self) -> &'static str {
        match self {
            Self::Runs => {
                "the rule of runs: of comparisons of equal work at most 1 in 100 fails, if runs differ as those stored do"
            }
            Self::Threshold => {
                "the threshold rule carries no error rate: it does not say how often noise alone would pass a limit"
            }
        }
    }
}

impl Default for Config {
    /// Fail past +10 % and warn past +5 %, each only past the noise floor: 20 us for GPU times. The floor of CPU times
    /// is our own choice: 50 us, the slack that Linux by default grants every timer, so that a host thread may be that
    /// late without anything being slower.
    fn default() -> Self {
        Self {
            rule: Rule::Runs,
            fail: 0.10,
            warn: 0.05,
            floor_gpu: Nanos(20e3),
            floor_cpu: Nanos(50e3),
            metrics: BTreeMap::new(),
            limits: Vec::new(),
            budgets: Vec::new(),
            expect: Vec::new(),
            renames: Renames::default(),
            gates: Vec::new(),
            places: Places::new(),
            at: None,
        }
    }
}

impl Config {
    /// The statistics of a figure that are judged against a baseline; none of a figure that is only shown.
    ///
    /// Unless `framecost.toml` says otherwise: median and p95 of `gpu_total`, because a heavier tail is a cost of its
    /// own; the median of each gate; of each pass the median of `attributed`, because attributed times add up to the
    /// frame's, so that a slowdown is charged once and to the pass that has it, where raw durations charge it to every
    /// pass that ran beside; the median of each difference between variants; the medians of `cpu_frame` and of every metric of the source's own that has a direction.
    /// Of somebody's log the median, p95 and p99 of the frames' times, and the mean of the slowest 1 % of frames.
    /// `frame_interval` waits for displays and for the GPU, and figures of the run are single values: both are shown, as is every
    /// other definition; but of a log whose frame time it is, `frame_interval` is all that says how long frames took. The median of
    /// what is only shown is judged where an entry names its metric and sets `fail`, `warn` or `floor`.
    #[must_use]
    pub fn judged(&self, figure: &Summary) -> Vec<Statistic> {
        self.judged_from(figure).0
    }

    /// As [`Self::judged`], with where it was said.
    #[must_use]
    pub fn judged_from(&self, figure: &Summary) -> (Vec<Statistic>, Source) {
        if let Some((chosen, source)) = self.chosen_statistics(&figure.id()) {
            return (chosen, source);
        }
        let by_default: &[Statistic] = match (figure.origin, figure.metric.name.as_str()) {
            (Origin::Stamps, names::GPU_TOTAL) => &[Statistic::Median, Statistic::P95],
            (Origin::Stamps, names::GATE | names::ATTRIBUTED | names::DIFFERENCE) => &[Statistic::Median],
            // Of a log nobody can say which frames were hard, so its slowest ones are looked at by number.
            (Origin::Samples, name)
                if self.is_frame_time(name)
                    || matches!(
                        name,
                        "presented_interval" | "displayed_interval" | "simulation_interval"
                    ) =>
            {
                &[Statistic::Median, Statistic::P95, Statistic::P99]
            }
            (Origin::Definition, "low.worst.count@1%") => &[Statistic::Median],
            // Who gives a figure a limit asks for it to be judged.
            _ if self.limits_named(&figure.id()) => &[Statistic::Median],
            (Origin::Stamps | Origin::Run | Origin::Definition, _)
            | (Origin::Samples, names::FRAME_INTERVAL | names::READBACK_FRAMES) => &[],
            (Origin::Samples, _) => &[Statistic::Median],
        };
        (by_default.to_vec(), Source::built_in())
    }

    /// The limits of a figure.
    ///
    /// # Errors
    /// Its floor is written in a unit that is not the metric's; the text says so.
    pub fn limits(&self, figure: &Summary) -> Result<Limits, String> {
        let (floor, _) = self.floor_from(figure)?;
        let fail = self.fail_from(figure).0;
        Ok(Limits { fail, warn: self.warn_from(figure).0.min(fail), floor })
    }

    /// The noise floor of a figure in its metric's unit, with where it was said.
    ///
    /// # Errors
    /// It is written in a unit that is not the metric's; the text says so.
    pub fn floor_from(&self, figure: &Summary) -> Result<(f64, Source), String> {
        if let Some((floor, source)) = self.chosen_floor(&figure.id()) {
            let (metric, unit) = (&figure.metric.name, figure.metric.unit);
            let fault = || format!("the floor of {metric} is not in its unit, {}", unit.name());
            return floor.in_unit(unit).map(|floor| (floor, source)).ok_or_else(fault);
        }
        Ok(match (figure.metric.unit, figure.origin) {
            (Unit::Nanos, Origin::Stamps) => self.floor_of_times("floor_gpu", &figure.id()),
            (Unit::Nanos, Origin::Samples | Origin::Run | Origin::Definition) => {
                self.floor_of_times("floor_cpu", &figure.id())
            }
            // Counts and bytes of fixed work do not jitter.
            (Unit::Bytes | Unit::Count | Unit::Ratio, _) => (0.0, Source::built_in()),
        })
    }
}

impl Amount {
    /// The number in that unit, if it is of its kind.
    #[must_use]
    pub const fn in_unit(self, unit: Unit) -> Option<f64> {
        match (self, unit) {
            (Self::Time(time), Unit::Nanos) => Some(time.0),
            (Self::Bytes(number), Unit::Bytes)
            | (Self::Plain(number), Unit::Count | Unit::Ratio)
            | (Self::Part(number) | Self::Rate(number), Unit::Ratio) => Some(number),
            (Self::Time(_) | Self::Bytes(_) | Self::Plain(_) | Self::Part(_) | Self::Rate(_), _) => None,
        }
    }
}

impl Budget {
    /// The figure that it limits, if the frame's and the run's figures are told apart by the capture.
    #[must_use]
    pub fn figure(&self) -> FigureId {
        use crate::stats::Subject;
        let subject = match (&self.of, self.metric.as_str()) {
            (Some(gate), names::GATE | names::GATE_COVERAGE | names::GATE_BEFORE) => {
                Subject::Gate(gate.clone())
            }
            (Some(switch), names::DIFFERENCE) => Subject::Switch(switch.clone()),
            (Some(pass), _) => Subject::Pass(pass.clone()),
            (None, _) => Subject::Frame,
        };
        FigureId { metric: self.metric.clone(), subject }
    }

    /// Where that key stands; its name where it has none.
    pub(super) fn place_of(&self, key: &str) -> Option<Place> {
        self.places.get(key).copied().or(self.place)
    }

    /// The switch of a budget on a difference between variants; none of any other budget.
    #[must_use]
    pub fn of_switch(&self) -> Option<&str> {
        self.of.as_deref().filter(|_| self.metric == names::DIFFERENCE)
    }
}

impl BudgetKind {
    /// Its name in files and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Ceiling => "ceiling",
        }
    }
}

impl AdapterFilter {
    /// As `framecost.toml` writes it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Any => "any",
            Self::Class(class) => class.name(),
            Self::Named(part) => part,
        }
    }

    /// Whether it binds an adapter of that name and class.
    #[must_use]
    pub fn binds(&self, name: &str, class: AdapterClass) -> bool {
        match self {
            Self::Any => true,
            Self::Class(wanted) => *wanted == class,
            Self::Named(part) => name.to_lowercase().contains(&part.to_lowercase()),
        }
    }
}

/// Whether a budget on a metric limits it from below.
pub(super) const fn at_least(better: Better) -> bool {
    matches!(better, Better::Higher)
}
