//! Limits of single figures, scenes and classes of adapters. In: a configuration and what is asked for. Out: what holds, and
//! where it was said. The entry that names the most wins; two that name equally many and both hold are an error in the text.

use std::borrow::Cow;

use framecost_sample::{AdapterClass, Key, Logged, Nanos, metric_names as names};

use super::{Amount, Config, MetricRule, Place, Places, Rule};
use crate::Analysis;
use crate::stats::{FigureId, Origin, Statistic, Summary};

/// A `[[limit]]` entry: for what it holds, and what it sets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limit {
    /// For what it holds.
    pub scope: Scope,
    /// How runs are compared; only of an entry for all figures.
    pub rule: Option<Set<Rule>>,
    /// Growth past which a figure fails, as a part of the baseline.
    pub fail: Option<Set<f64>>,
    /// Growth past which it warns.
    pub warn: Option<Set<f64>>,
    /// Growth up to which it is never judged; only of an entry that names a figure.
    pub floor: Option<Set<Amount>>,
    /// As [`Config::floor_gpu`]; only of an entry for all figures.
    pub floor_gpu: Option<Set<Nanos>>,
    /// As [`Config::floor_cpu`]; only of an entry for all figures.
    pub floor_cpu: Option<Set<Nanos>>,
    /// The statistics that are judged; only of an entry that names a figure.
    pub judge: Option<Set<Vec<Statistic>>>,
    /// Where it stands; none where a program made it.
    pub place: Option<Place>,
    /// Where the keys that say for what it holds stand in the text.
    pub places: Places,
}

/// For what a limit holds. What is none holds for any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The metric.
    pub metric: Option<String>,
    /// The pass, gate or switch that the figure is of.
    pub name: Option<String>,
    /// The scene.
    pub scene: Option<String>,
    /// The adapter's class.
    pub class: Option<AdapterClass>,
}

/// A value with its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Set<T> {
    /// The value.
    pub value: T,
    /// Where it stands; none where a program set it.
    pub place: Option<Place>,
}

/// The runs that limits are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// Their scene.
    pub scene: String,
    /// Their adapter's class.
    pub class: AdapterClass,
    /// The metric of the frames' times, of logs.
    pub frame_time: Option<String>,
}

/// Where a value was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The section: `[defaults]`, `[metric.NAME]`, `[[limit]]`, or `built in`.
    pub section: String,
    /// Where in the text; none of what is built in or a program set.
    pub place: Option<Place>,
}

/// Growth of `cpu_frame` past which it fails and warns unless the configuration says otherwise. Whole runs' host time was seen to
/// differ by 8 % (standard deviation) where their GPU time differed by 0.03 %: under the limits of GPU times most equal runs
/// would be undecided, and a gate that is never open is switched off.
const HOST_FAIL: f64 = 0.5;
const HOST_WARN: f64 = 0.25;

impl Source {
    /// What holds where nobody says otherwise.
    #[must_use]
    pub fn built_in() -> Self {
        Self { section: "built in".into(), place: None }
    }
}

impl std::fmt::Display for Source {
    /// `[defaults], line 3`; `built in`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.section)?;
        self.place.map_or(Ok(()), |place| write!(f, ", line {}", place.line))
    }
}

impl Scope {
    /// How many things it names: of two that hold, the one that names more wins.
    fn rank(&self) -> usize {
        let Self { metric, name, scene, class } = self;
        [metric.is_some(), name.is_some(), scene.is_some(), class.is_some()].iter().filter(|it| **it).count()
    }

    fn holds(&self, figure: Option<&FigureId>, at: Option<&At>) -> bool {
        let of_figure = match (&self.metric, figure) {
            (None, _) => true,
            (Some(metric), Some(figure)) => {
                *metric == figure.metric
                    && self.name.as_deref().is_none_or(|name| figure.subject.name() == Some(name))
            }
            (Some(_), None) => false,
        };
        let scene = self.scene.as_ref().is_none_or(|scene| at.is_some_and(|at| at.scene == *scene));
        of_figure && scene && self.class.is_none_or(|class| at.is_some_and(|at| at.class == class))
    }

    /// That for which both hold; none where nothing is of both.
    fn and(&self, other: &Self) -> Option<Self> {
        fn both<T: Clone + PartialEq>(a: &Option<T>, b: &Option<T>) -> Option<Option<T>> {
            match (a, b) {
                (Some(a), Some(b)) if a != b => None,
                (a, b) => Some(a.clone().or_else(|| b.clone())),
            }
        }
        Some(Self {
            metric: both(&self.metric, &other.metric)?,
            name: both(&self.name, &other.name)?,
            scene: both(&self.scene, &other.scene)?,
            class: both(&self.class, &other.class)?,
        })
    }

    /// As the text writes it.
    #[must_use]
    pub fn text(&self) -> String {
        let of = self.metric.as_ref().map(|metric| match &self.name {
            Some(name) => format!("of = \"{metric}/{name}\""),
            None => format!("of = \"{metric}\""),
        });
        let scene = self.scene.as_ref().map(|scene| format!("scene = \"{scene}\""));
        let class = self.class.map(|class| format!("adapter = \"{}\"", class.name()));
        [of, scene, class].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Limit {
    /// Where that key stands; the whole where it has none.
    pub(super) fn place_of(&self, key: &str) -> Option<Place> {
        self.places.get(key).copied().or(self.place)
    }

    /// The same of a metric's own table.
    fn of_metric(name: &str, rule: &MetricRule) -> Self {
        fn set<T: Clone>(value: &Option<T>, key: &str, rule: &MetricRule) -> Option<Set<T>> {
            value.clone().map(|value| Set { value, place: rule.places.get(key).copied() })
        }
        Self {
            scope: Scope { metric: Some(name.to_owned()), ..Scope::default() },
            fail: set(&rule.fail, "fail", rule),
            warn: set(&rule.warn, "warn", rule),
            floor: set(&rule.floor, "floor", rule),
            judge: set(&rule.judge, "judge", rule),
            place: rule.place,
            ..Self::default()
        }
    }

    /// Its section in the text, as the text writes it: a metric's own table, or an entry that may hold for the very same.
    fn section(&self, own_table: bool) -> String {
        match &self.scope.metric {
            Some(metric) if own_table => format!("[metric.{metric}]"),
            _ => format!("[[limit]] {}", self.scope.text()),
        }
    }

    /// The keys that it sets, with their places.
    fn keys(&self) -> Vec<(&'static str, Option<Place>)> {
        let place = |place: Option<Option<Place>>, key| place.map(|place| (key, place));
        let keys = [
            place(self.rule.as_ref().map(|it| it.place), "rule"),
            place(self.fail.as_ref().map(|it| it.place), "fail"),
            place(self.warn.as_ref().map(|it| it.place), "warn"),
            place(self.floor.as_ref().map(|it| it.place), "floor"),
            place(self.floor_gpu.as_ref().map(|it| it.place), "floor_gpu"),
            place(self.floor_cpu.as_ref().map(|it| it.place), "floor_cpu"),
            place(self.judge.as_ref().map(|it| it.place), "judge"),
        ];
        keys.into_iter().flatten().collect()
    }

    /// Whether it asks for its figure to be judged.
    pub(super) fn asks(&self) -> bool {
        let judge = self.judge.as_ref().is_some_and(|judge| !judge.value.is_empty());
        judge || self.fail.is_some() || self.warn.is_some() || self.floor.is_some()
    }

    fn sets(&self, key: &str) -> bool {
        self.keys().iter().any(|(own, _)| *own == key)
    }
}

impl Config {
    /// The configuration as it holds for runs of that key: limits of their scene and adapter's class apply.
    #[must_use]
    pub fn for_key(&self, key: &Key) -> Self {
        let at = At { scene: key.scene.clone(), class: key.adapter_class, frame_time: None };
        let mut config = Self { at: Some(at), ..self.clone() };
        if let Some((rule, _)) = config.pick(None, |limit| limit.rule.clone()) {
            config.rule = rule;
        }
        config
    }

    /// As [`Self::for_key`], for that run: of a log the metric of its frames' times is judged as such.
    #[must_use]
    pub fn for_run(&self, run: &Analysis) -> Self {
        let mut config = self.for_key(&run.capture.key);
        if let Some(at) = &mut config.at {
            at.frame_time = Logged::of(&run.capture.environment).and_then(|logged| logged.frame_time);
        }
        config
    }

    /// As [`Self::for_run`], for runs of one key.
    #[must_use]
    pub fn for_runs(&self, runs: &[Analysis]) -> Cow<'_, Self> {
        runs.first().map_or(Cow::Borrowed(self), |run| Cow::Owned(self.for_run(run)))
    }

    /// Whether a metric is that of the frames' times of the log at hand.
    pub(super) fn is_frame_time(&self, metric: &str) -> bool {
        self.at.as_ref().is_some_and(|at| at.frame_time.as_deref() == Some(metric))
    }

    /// Compares every run by this rule, whatever the text says.
    pub fn set_rule(&mut self, rule: Rule) {
        self.rule = rule;
        self.places.remove("rule");
        self.limits.iter_mut().for_each(|limit| limit.rule = None);
    }

    /// Which rule compares, with where it was said.
    #[must_use]
    pub fn rule_from(&self) -> (Rule, Source) {
        let named = self.pick(None, |limit| limit.rule.clone());
        named.unwrap_or_else(|| (self.rule, self.default_source("rule")))
    }

    /// Growth past which a figure fails, with where it was said.
    #[must_use]
    pub fn fail_from(&self, figure: &Summary) -> (f64, Source) {
        let named = self.pick(Some(&figure.id()), |limit| limit.fail.clone());
        named.unwrap_or_else(|| self.default_of("fail", self.fail, HOST_FAIL, figure))
    }

    /// Growth past which a figure warns, with where it was said.
    #[must_use]
    pub fn warn_from(&self, figure: &Summary) -> (f64, Source) {
        let named = self.pick(Some(&figure.id()), |limit| limit.warn.clone());
        named.unwrap_or_else(|| self.default_of("warn", self.warn, HOST_WARN, figure))
    }

    /// Whether an entry that names this very metric sets a limit or a floor of it.
    pub(super) fn limits_named(&self, figure: &FigureId) -> bool {
        let names = |limit: &Limit| limit.scope.metric.as_ref() == Some(&figure.metric);
        let holds = |limit: &Limit| limit.scope.holds(Some(figure), self.at.as_ref());
        self.every_limit().iter().any(|limit| names(limit) && limit.asks() && holds(limit))
    }

    /// Whether the configuration itself names what is judged of the figure: then it is due.
    #[must_use]
    pub fn names(&self, figure: &FigureId) -> bool {
        self.chosen_statistics(figure).is_some_and(|(chosen, _)| !chosen.is_empty())
    }

    /// Whether the configuration takes the figure out of judging.
    #[must_use]
    pub fn names_nothing(&self, figure: &FigureId) -> bool {
        self.chosen_statistics(figure).is_some_and(|(chosen, _)| chosen.is_empty())
    }

    pub(super) fn chosen_statistics(&self, figure: &FigureId) -> Option<(Vec<Statistic>, Source)> {
        self.pick(Some(figure), |limit| limit.judge.clone())
    }

    pub(super) fn chosen_floor(&self, figure: &FigureId) -> Option<(Amount, Source)> {
        self.pick(Some(figure), |limit| limit.floor.clone())
    }

    /// The floor of GPU or CPU times, by its key.
    pub(super) fn floor_of_times(&self, key: &'static str, figure: &FigureId) -> (f64, Source) {
        let gpu = key == "floor_gpu";
        let of = |limit: &Limit| if gpu { limit.floor_gpu.clone() } else { limit.floor_cpu.clone() };
        let default = if gpu { self.floor_gpu } else { self.floor_cpu };
        let (floor, source) =
            self.pick(Some(figure), of).unwrap_or_else(|| (default, self.default_source(key)));
        (floor.0, source)
    }

    /// What holds of every figure, or of the host's time where the configuration says nothing.
    fn default_of(&self, key: &'static str, all: f64, host: f64, figure: &Summary) -> (f64, Source) {
        let source = self.default_source(key);
        let is_host = figure.origin == Origin::Samples && figure.metric.name == names::CPU_FRAME;
        (if is_host && source.place.is_none() { host } else { all }, source)
    }

    fn default_source(&self, key: &'static str) -> Source {
        match self.places.get(key) {
            Some(place) => {
                let section = if key == "rule" { "rule" } else { "[defaults]" };
                Source { section: section.into(), place: Some(*place) }
            }
            None => Source::built_in(),
        }
    }

    /// What the entry sets that names the most of what holds.
    fn pick<T>(
        &self,
        figure: Option<&FigureId>,
        key: impl Fn(&Limit) -> Option<Set<T>>,
    ) -> Option<(T, Source)> {
        let mut best: Option<(usize, Set<T>, String)> = None;
        for (i, limit) in self.every_limit().into_iter().enumerate() {
            if !limit.scope.holds(figure, self.at.as_ref()) {
                continue;
            }
            let rank = limit.scope.rank();
            if best.as_ref().is_none_or(|(most, ..)| rank > *most)
                && let Some(set) = key(&limit)
            {
                best = Some((rank, set, limit.section(i < self.metrics.len())));
            }
        }
        best.map(|(_, set, section)| (set.value, Source { section, place: set.place }))
    }

    /// Every entry: those of metrics' own tables, then the others.
    pub(super) fn every_limit(&self) -> Vec<Limit> {
        let of_metrics = self.metrics.iter().map(|(name, rule)| Limit::of_metric(name, rule));
        of_metrics.chain(self.limits.iter().cloned()).collect()
    }

    /// The growth past which figures of that scope fail.
    pub(super) fn fail_within(&self, scope: &Scope) -> f64 {
        let holds = |limit: &Limit| limit.scope.and(scope).as_ref() == Some(scope);
        let limits = self.every_limit().into_iter().filter(|limit| limit.fail.is_some() && holds(limit));
        let nearest = limits.max_by_key(|limit| limit.scope.rank());
        nearest.and_then(|limit| limit.fail).map_or(self.fail, |fail| fail.value)
    }

    /// Two entries that hold for one figure, name equally many things and set the same key, with no entry for just what
    /// both hold for: nobody could say which of them wins.
    pub(super) fn check_ties(&self) -> Result<(), (Option<Place>, String)> {
        let limits = self.every_limit();
        for (i, later) in limits.iter().enumerate() {
            for earlier in &limits[..i] {
                let Some(both) = earlier.scope.and(&later.scope) else { continue };
                if earlier.scope.rank() != later.scope.rank() {
                    continue;
                }
                let same = earlier.scope == later.scope;
                let settled = |key| !same && limits.iter().any(|it| it.scope == both && it.sets(key));
                let tie = later.keys().into_iter().find(|(key, _)| earlier.sets(key) && !settled(key));
                let Some((key, place)) = tie else { continue };
                let at = earlier.place.map_or(0, |place| place.line);
                let cause = if same {
                    format!("`{key}` for {} is set on line {at} already", later.scope.text())
                } else {
                    format!(
                        "`{key}` is set for {} here and for {} on line {at}, and neither names more: add a [[limit]] with {}",
                        later.scope.text(),
                        earlier.scope.text(),
                        both.text()
                    )
                };
                return Err((place.or(later.place), cause.escape_debug().to_string().replace("\\\"", "\"")));
            }
        }
        Ok(())
    }
}
