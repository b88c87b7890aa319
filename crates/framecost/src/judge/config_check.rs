//! Contradictions between parts of a configuration. In: a configuration whose every value is sound by itself. Out: nothing, or
//! the first contradiction with its place.

use framecost_sample::Metric;

use super::config_text::not_above;
use super::{Budget, BudgetKind, Config, ConfigError, Place};
use crate::plural::plural;
use crate::stats::FigureId;

impl Config {
    /// Checks what no part can tell alone.
    pub(super) fn check_whole(&self) -> Result<(), ConfigError> {
        self.check_ties().map_err(|(place, cause)| fault(place, cause))?;
        self.check_warnings()?;
        self.renames.check()?;
        self.check_expected()?;
        self.check_old_names()
    }

    /// A warning of a `[[limit]]` against the failure that holds for the same.
    fn check_warnings(&self) -> Result<(), ConfigError> {
        for limit in &self.limits {
            let Some(warn) = &limit.warn else { continue };
            let fail = limit.fail.as_ref().map_or_else(|| self.fail_within(&limit.scope), |fail| fail.value);
            not_above(warn.value, fail).map_err(|cause| fault(warn.place, cause))?;
        }
        Ok(())
    }

    /// What is expected and taken out of judging, and two entries for the very same runs.
    fn check_expected(&self) -> Result<(), ConfigError> {
        let of_metric =
            |metric: &str| FigureId { metric: metric.into(), subject: crate::stats::Subject::Frame };
        let excluded = |metric: &str| {
            let chosen = self.chosen_statistics(&of_metric(metric));
            chosen.filter(|(statistics, _)| statistics.is_empty()).map(|(_, source)| source)
        };
        for (name, rule) in self.metrics.iter().filter(|(_, rule)| rule.expect) {
            if let Some(source) = excluded(name) {
                let cause = format!(
                    "{} is expected and is not to be judged ({source}): it is one or the other",
                    name.escape_debug()
                );
                return Err(fault(rule.places.get("judge").copied().or(rule.place), cause));
            }
        }
        for (i, expect) in self.expect.iter().enumerate() {
            for metric in &expect.metrics {
                let Some(source) = excluded(metric) else { continue };
                let judged =
                    Metric::built_in(metric).is_none_or(|it| it.better != framecost_sample::Better::Neither);
                if judged {
                    let cause = format!(
                        "{} is expected and is not to be judged ({source}): it is one or the other",
                        metric.escape_debug()
                    );
                    return Err(fault(expect.place_of(metric), cause));
                }
            }
            let same = |other: &&super::Expect| {
                other.scene == expect.scene
                    && other.size == expect.size
                    && other.switches == expect.switches
                    && other.adapter == expect.adapter
            };
            if let Some(other) = self.expect[..i].iter().find(same) {
                let line = other.place.map_or(0, |place| place.line);
                let cause = format!("{} is expected on line {line} already", expect.title().escape_debug());
                return Err(fault(expect.place, cause));
            }
        }
        Ok(())
    }

    /// An old name that is still used: nothing answers to it any more.
    fn check_old_names(&self) -> Result<(), ConfigError> {
        let stale = |kind: &str, name: &str, place: Option<Place>, user: String| {
            let kinds = self.renames.kinds();
            let of = kinds.iter().find(|(other, _)| *other == kind).map(|(_, of)| *of);
            let Some(rename) = of.and_then(|of| of.get(name)) else { return Ok(()) };
            let line = rename.place.map_or(0, |place| place.line);
            let (name, to) = (name.escape_debug(), rename.to.escape_debug());
            Err(fault(
                place,
                format!("{user} names {kind} `{name}`, which line {line} renames: write `{to}`"),
            ))
        };
        for budget in &self.budgets {
            let user = || format!("{} `{}`", budget.kind.name(), budget.name.escape_debug());
            if let Some(scene) = budget.scene.as_ref().filter(|_| budget.kind == BudgetKind::Budget) {
                stale("scene", scene, budget.place_of("scene"), user())?;
            }
            stale("metric", &budget.metric, budget.place_of("of"), user())?;
            if let Some((kind, of)) = subject_of(budget) {
                stale(kind, of, budget.place_of("of"), user())?;
            }
        }
        for expect in &self.expect {
            let user = || "this expectation".to_owned();
            stale("scene", &expect.scene, expect.place, user())?;
            for (kind, of) in [("pass", &expect.passes), ("gate", &expect.gates), ("metric", &expect.metrics)]
            {
                of.iter().try_for_each(|name| stale(kind, name, expect.place_of(name), user()))?;
            }
        }
        for gate in &self.gates {
            [&gate.from, &gate.to].into_iter().try_for_each(|pass| {
                stale("pass", pass, gate.place, format!("gate `{}`", gate.name.escape_debug()))
            })?;
        }
        for limit in &self.limits {
            if let Some(scene) = &limit.scope.scene {
                stale("scene", scene, limit.place_of("scene"), "this limit".into())?;
            }
        }
        self.metrics
            .iter()
            .try_for_each(|(name, rule)| stale("metric", name, rule.place, "this table".into()))
    }

    /// How many entries of each kind there are, for people.
    #[must_use]
    pub fn contents(&self) -> String {
        let ceilings = self.budgets.iter().filter(|it| it.kind == BudgetKind::Ceiling).count();
        let renames: usize = self.renames.kinds().iter().map(|(_, of)| of.len()).sum();
        let kinds = [
            (self.metrics.len() + self.limits.len(), "limit"),
            (self.budgets.len() - ceilings, "budget"),
            (ceilings, "ceiling"),
            (self.gates.len(), "gate"),
            (self.expect.len(), "expectation"),
            (renames, "rename"),
        ];
        let some = kinds.iter().filter(|(count, _)| *count > 0);
        let said: Vec<String> =
            some.map(|(count, kind)| format!("{count} {}", plural(*count as u64, kind))).collect();
        if said.is_empty() { "defaults alone".into() } else { said.join(", ") }
    }
}

/// The kind and name of what a budget's figure is of; none for the frame's, the run's and a switch's.
pub(super) fn subject_of(budget: &Budget) -> Option<(&'static str, &str)> {
    use framecost_sample::metric_names as names;
    let of = budget.of.as_deref()?;
    match budget.metric.as_str() {
        names::GATE | names::GATE_COVERAGE | names::GATE_BEFORE => Some(("gate", of)),
        names::DIFFERENCE => None,
        _ => Some(("pass", of)),
    }
}

pub(super) fn fault(place: Option<Place>, cause: String) -> ConfigError {
    let Place { line, column } = place.unwrap_or(Place { line: 1, column: 1 });
    ConfigError { line, column, cause }
}
