//! Names in `framecost.toml` that nothing answers to. In: a configuration and the names that are known of captures, baselines
//! and programs. Out: an error where a name is of another kind or a slip of the pen away from one that is known, notes on
//! those that merely nothing at hand has, and budgets of scenes that exist nowhere.

use std::collections::BTreeSet;

use framecost_sample::{BUILT_IN, Better, Capture, Key, Metric};

use crate::definitions;
use crate::nearest::{nearest, nearest_listed};

use super::config_check::{fault, subject_of};
use super::{AdapterFilter, BudgetKind, Config, ConfigError, Place, Renames, Unbound};

/// Names that exist, as far as anybody told: as they were recorded, before any rename.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// Scenes.
    pub scenes: BTreeSet<String>,
    /// Adapters, by the names that their drivers give.
    pub adapters: BTreeSet<String>,
    /// Passes.
    pub passes: BTreeSet<String>,
    /// Gates.
    pub gates: BTreeSet<String>,
    /// Metrics of sources' own.
    pub metrics: BTreeSet<String>,
    /// Switches.
    pub switches: BTreeSet<String>,
    /// Metrics of sources' own that have no better direction, so that no limit can be held against them.
    pub directionless: BTreeSet<String>,
}

impl Known {
    /// The names that captures have.
    #[must_use]
    pub fn of<'a>(captures: impl IntoIterator<Item = &'a Capture>) -> Self {
        let mut known = Self::default();
        captures.into_iter().for_each(|capture| known.add(capture));
        known
    }

    /// Takes in the names of a capture.
    pub fn add(&mut self, capture: &Capture) {
        self.add_key(&capture.key);
        self.passes.extend(capture.passes.iter().map(|pass| pass.name.clone()));
        self.gates.extend(capture.gates.iter().map(|gate| gate.name.clone()));
        self.metrics.extend(capture.metrics.iter().map(|metric| metric.name.clone()));
        let directionless = capture.metrics.iter().filter(|metric| metric.better == Better::Neither);
        self.directionless.extend(directionless.map(|metric| metric.name.clone()));
    }

    /// Takes in the names of a key, such as a stored baseline's.
    pub fn add_key(&mut self, key: &Key) {
        self.scenes.insert(key.scene.clone());
        self.adapters.insert(key.adapter.clone());
        self.switches.extend(key.switches.0.keys().cloned());
    }

    /// Takes in all that somebody else knows.
    pub fn extend(&mut self, other: &Self) {
        for (own, theirs) in [
            (&mut self.scenes, &other.scenes),
            (&mut self.adapters, &other.adapters),
            (&mut self.passes, &other.passes),
            (&mut self.gates, &other.gates),
            (&mut self.metrics, &other.metrics),
            (&mut self.switches, &other.switches),
            (&mut self.directionless, &other.directionless),
        ] {
            own.extend(theirs.iter().cloned());
        }
    }

    /// The same with the new names of what was renamed.
    fn under(&self, renames: &Renames) -> Self {
        let mut known = self.clone();
        let lists = [&mut known.scenes, &mut known.passes, &mut known.gates, &mut known.metrics];
        for ((_, of), list) in renames.kinds().into_iter().zip(lists) {
            list.extend(of.values().map(|rename| rename.to.clone()));
        }
        let renamed = renames.metrics.iter().filter(|(old, _)| self.directionless.contains(*old));
        known.directionless.extend(renamed.map(|(_, rename)| rename.to.clone()));
        known
    }

    /// Whether a metric has no better direction.
    fn is_directionless(&self, metric: &str) -> bool {
        let built_in = Metric::built_in(metric).is_some_and(|it| it.better == Better::Neither);
        built_in || self.directionless.contains(metric)
    }

    /// What a name is that is no metric; none if it is nothing that is known.
    fn kind_of(&self, name: &str) -> Option<(&'static str, &'static str)> {
        let kinds = [
            (&self.passes, ("pass", "attributed")),
            (&self.gates, ("gate", "gate")),
            (&self.switches, ("switch", "difference")),
        ];
        kinds.into_iter().find(|(of, _)| of.contains(name)).map(|(_, kind)| kind)
    }
}

impl Config {
    /// Checks every name that the configuration mentions against those that are known.
    ///
    /// A name that nothing has may be of a scene that is not at hand, so it is no error in itself; see [`Self::idle`]. One
    /// that is within two slips of a known name is taken for that name misspelt, and the name of a pass where a metric is
    /// due for a limit on that pass. A limit on a metric without a better direction can bind nothing, whatever is at hand.
    ///
    /// # Errors
    /// The first such name, with its place and what was most likely meant; a rename that points nowhere.
    pub fn check_names(&self, known: &Known) -> Result<(), ConfigError> {
        self.check_renames(known)?;
        let known = &known.under(&self.renames);
        for (name, rule) in &self.metrics {
            check_metric(name, known, rule.place)?;
        }
        for limit in &self.limits {
            if let Some(metric) = &limit.scope.metric {
                check_metric(metric, known, limit.place_of("of"))?;
            }
            if let Some(scene) = &limit.scope.scene {
                check("scene", scene, &known.scenes, limit.place_of("scene"))?;
            }
            if let Some(name) = &limit.scope.name {
                let of = if limit.scope.metric.as_deref().is_some_and(|it| it.starts_with("gate")) {
                    ("gate", &known.gates)
                } else {
                    ("pass", &known.passes)
                };
                check(of.0, name, of.1, limit.place_of("of"))?;
            }
        }
        self.check_limits_bind(known)?;
        for budget in &self.budgets {
            check_metric(&budget.metric, known, budget.place_of("of"))?;
            check_adapter(&budget.adapter, known, budget.place_of("adapter"))?;
        }
        for expect in &self.expect {
            check_adapter(&expect.adapter, known, expect.place)?;
            expect
                .metrics
                .iter()
                .try_for_each(|metric| check_metric(metric, known, expect.place_of(metric)))?;
        }
        Ok(())
    }

    /// A limit on what has no better direction: nobody could say which change of it is a loss.
    fn check_limits_bind(&self, known: &Known) -> Result<(), ConfigError> {
        for limit in self.every_limit().iter().filter(|limit| limit.asks()) {
            let Some(metric) = limit.scope.metric.as_ref().filter(|it| known.is_directionless(it)) else {
                continue;
            };
            let cause = format!(
                "a limit on `{}`, which has no better direction: it is shown and cannot be judged; allowed: `judge = []`, or a \
                 [[budget]], which says itself what is too much",
                metric.escape_debug()
            );
            return Err(fault(limit.place_of("of"), cause));
        }
        Ok(())
    }

    /// A rename whose new name nothing has, though something has the old one or, of a scene, whatever has.
    fn check_renames(&self, known: &Known) -> Result<(), ConfigError> {
        let lists = [&known.scenes, &known.passes, &known.gates, &known.metrics];
        for ((kind, of), list) in self.renames.kinds().into_iter().zip(lists) {
            for (old, rename) in of {
                // The end of a chain is what counts; in between nothing has the name any more.
                let nowhere = !list.contains(&rename.to)
                    && !of.contains_key(&rename.to)
                    && !self.mentions(kind, &rename.to);
                let old_is_known = list.contains(old) || kind == "scene";
                if nowhere && old_is_known {
                    let names: Vec<&str> =
                        list.iter().map(String::as_str).filter(|name| *name != old.as_str()).collect();
                    let meant = nearest_listed(&rename.to, &names).map_or_else(String::new, |name| {
                        format!("; the nearest is `{}`", name.escape_debug())
                    });
                    let (old, to) = (old.escape_debug(), rename.to.escape_debug());
                    let cause =
                        format!("{kind} `{old}` becomes `{to}`, and no {kind} of that name is known{meant}");
                    return Err(fault(rename.place, cause));
                }
            }
        }
        Ok(())
    }

    /// Whether a budget or an expectation names that scene, pass, gate or metric: then it exists, if not at hand.
    fn mentions(&self, kind: &str, name: &str) -> bool {
        let in_expect = self.expect.iter().any(|expect| match kind {
            "scene" => expect.scene == name,
            "pass" => expect.passes.iter().any(|it| it == name),
            "gate" => expect.gates.iter().any(|it| it == name),
            _ => expect.metrics.iter().any(|it| it == name),
        });
        in_expect
            || self.budgets.iter().any(|budget| match kind {
                "scene" => budget.scene.as_deref() == Some(name),
                "metric" => budget.metric == name,
                _ => subject_of(budget) == Some((if kind == "pass" { "pass" } else { "gate" }, name)),
            })
    }

    /// The budgets among those that bind nothing whose scene exists nowhere: not among what is known, nor expected.
    #[must_use]
    pub fn of_no_scene(&self, unbound: &[Unbound], known: &Known) -> Vec<(String, Option<Place>)> {
        let known = known.under(&self.renames);
        let of_none = |budget: &&super::Budget| {
            let scene = budget.scene.as_deref();
            budget.kind == BudgetKind::Budget
                && !budget.optional
                && unbound.iter().any(|it| it.name == budget.name)
                && scene.is_some_and(|scene| {
                    !known.scenes.contains(scene) && !self.expect.iter().any(|expect| expect.scene == scene)
                })
        };
        let said = |budget: &super::Budget| {
            let scene = budget.scene.as_deref().unwrap_or_default();
            let names: Vec<&str> = known.scenes.iter().map(String::as_str).collect();
            let meant = nearest_listed(scene, &names)
                .map_or_else(String::new, |name| format!("; the nearest known scene is \"{name}\""));
            let cause = format!(
                "budget \"{}\" is for scene \"{scene}\", which no capture, baseline or expectation has{meant}; \
                 `optional = true` lets it wait for one",
                budget.name
            );
            (cause, budget.place_of("scene"))
        };
        self.budgets.iter().filter(of_none).map(said).collect()
    }

    /// Limits of figures and scenes that nothing at hand has: most likely of another scene.
    #[must_use]
    pub fn idle(&self, known: &Known) -> Vec<String> {
        let known = &known.under(&self.renames);
        let mut idle = Vec::new();
        for limit in &self.limits {
            let line = limit.place.map_or(0, |place| place.line);
            let lacks = |kind: &str, name: &str| {
                format!(
                    "[[limit]] on line {line} of framecost.toml: no capture given has a {kind} \"{name}\""
                )
            };
            let scope = &limit.scope;
            if let Some(scene) = scope.scene.as_ref().filter(|scene| !known.scenes.contains(*scene)) {
                idle.push(lacks("scene", scene));
            } else if let Some(name) = &scope.name
                && known.kind_of(name).is_none()
            {
                idle.push(lacks("pass, gate or switch", name));
            } else if let Some(metric) = &scope.metric
                && !is_metric(metric, known)
            {
                idle.push(lacks("metric", metric));
            }
        }
        idle
    }
}

fn is_metric(name: &str, known: &Known) -> bool {
    known.metrics.contains(name)
        || BUILT_IN.iter().any(|row| row.0 == name)
        || definitions::meant(name).is_some_and(|meant| meant.is_ok())
}

fn check_metric(name: &str, known: &Known, place: Option<Place>) -> Result<(), ConfigError> {
    if is_metric(name, known) {
        return Ok(());
    }
    let escaped = name.escape_debug();
    if let Some((kind, metric)) = known.kind_of(name) {
        let cause = format!(
            "`{escaped}` is a {kind} and no metric; a limit on it alone is a [[limit]] with of = \"{metric}/{escaped}\", \
             on every {kind} [metric.{metric}]"
        );
        return Err(fault(place, cause));
    }
    if let Some(Err(unknown)) = definitions::meant(name) {
        return Err(fault(place, unknown.to_string()));
    }
    let built_in = BUILT_IN.iter().map(|row| row.0);
    let names: Vec<&str> = built_in.chain(known.metrics.iter().map(String::as_str)).collect();
    match nearest(name, &names) {
        None => Ok(()),
        Some(meant) => {
            let meant = meant.escape_debug();
            let cause = format!("metric `{escaped}` is not known; the nearest known name is `{meant}`");
            Err(fault(place, cause))
        }
    }
}

fn check(kind: &str, name: &str, known: &BTreeSet<String>, place: Option<Place>) -> Result<(), ConfigError> {
    if known.contains(name) {
        return Ok(());
    }
    let names: Vec<&str> = known.iter().map(String::as_str).collect();
    let Some(meant) = nearest(name, &names) else { return Ok(()) };
    let (name, meant) = (name.escape_debug(), meant.escape_debug());
    Err(fault(place, format!("{kind} `{name}` is not known; the nearest known name is `{meant}`")))
}

/// A part of an adapter's name that no adapter at hand has and that is nearly a word of one.
fn check_adapter(filter: &AdapterFilter, known: &Known, place: Option<Place>) -> Result<(), ConfigError> {
    let AdapterFilter::Named(part) = filter else { return Ok(()) };
    let wanted = part.to_lowercase();
    let names: Vec<String> = known.adapters.iter().map(|name| name.to_lowercase()).collect();
    if names.iter().any(|name| name.contains(&wanted)) {
        return Ok(());
    }
    let words: Vec<&str> = names
        .iter()
        .flat_map(|name| name.split_whitespace())
        .chain(names.iter().map(String::as_str))
        .collect();
    let Some(meant) = nearest(&wanted, &words) else { return Ok(()) };
    let (part, meant) = (part.escape_debug(), meant.escape_debug());
    Err(fault(place, format!("no adapter's name has `{part}` in it; the nearest that one has is `{meant}`")))
}
