//! Names that were changed. In: `[rename.scene]`, `[rename.pass]`, `[rename.gate]` and `[rename.metric]`, and captures. Out:
//! the captures under the new names, with what was renamed, so that what was recorded under an old name keeps its history.

use std::collections::BTreeMap;

use framecost_sample::{Capture, Metric};

use super::config_check::fault;
use super::{ConfigError, Place};

/// Every rename, by kind and old name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renames {
    /// Of scenes.
    pub scenes: BTreeMap<String, Rename>,
    /// Of passes.
    pub passes: BTreeMap<String, Rename>,
    /// Of gates.
    pub gates: BTreeMap<String, Rename>,
    /// Of metrics that sources declare.
    pub metrics: BTreeMap<String, Rename>,
}

/// What a name became.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rename {
    /// The new name.
    pub to: String,
    /// Where the old name stands in the text; none where a program set it.
    pub place: Option<Place>,
}

/// A name that was read under a new one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Renamed {
    /// `scene`, `pass`, `gate` or `metric`.
    pub kind: &'static str,
    /// As it was recorded.
    pub from: String,
    /// As it is called now.
    pub to: String,
}

impl std::fmt::Display for Renamed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} -> {}", self.kind, self.from, self.to)
    }
}

impl Renames {
    /// Each kind with its renames.
    #[must_use]
    pub fn kinds(&self) -> [(&'static str, &BTreeMap<String, Rename>); 4] {
        [("scene", &self.scenes), ("pass", &self.passes), ("gate", &self.gates), ("metric", &self.metrics)]
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds().iter().all(|(_, of)| of.is_empty())
    }

    /// Names that a scene had before, nearest first.
    #[must_use]
    pub fn earlier_scenes(&self, scene: &str) -> Vec<String> {
        let mut found = vec![scene.to_owned()];
        let mut at = 0;
        while let Some(name) = found.get(at).cloned() {
            let before =
                self.scenes.iter().filter(|(_, rename)| rename.to == name).map(|(old, _)| old.clone());
            found.extend(before.collect::<Vec<_>>());
            at += 1;
        }
        found.split_off(1)
    }

    /// The capture under the new names, with what was renamed.
    ///
    /// # Errors
    /// Two names of the capture would become one.
    pub fn apply(&self, capture: Capture) -> Result<(Capture, Vec<Renamed>), ConfigError> {
        if self.is_empty() {
            return Ok((capture, Vec::new()));
        }
        let mut parts = capture.clone().into_parts();
        let mut renamed = Vec::new();
        rename("scene", &self.scenes, vec![&mut parts.key.scene], &mut renamed)?;
        rename("pass", &self.passes, parts.passes.iter_mut().map(|it| &mut it.name).collect(), &mut renamed)?;
        rename("gate", &self.gates, parts.gates.iter_mut().map(|it| &mut it.name).collect(), &mut renamed)?;
        rename(
            "metric",
            &self.metrics,
            parts.metrics.iter_mut().map(|it| &mut it.name).collect(),
            &mut renamed,
        )?;
        if renamed.is_empty() {
            return Ok((capture, renamed));
        }
        let of_first = || self.kinds().iter().find_map(|(_, of)| of.values().find_map(|rename| rename.place));
        let capture = Capture::new(parts).map_err(|error| fault(of_first(), error.to_string()))?;
        Ok((capture, renamed))
    }

    /// What no capture is needed to see: a circle, a name that becomes itself, two names that become one, a metric of
    /// framecost's own.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        for (kind, of) in self.kinds() {
            for (old, rename) in of {
                let (from, to) = (old.escape_debug(), rename.to.escape_debug());
                if end_of(of, old).is_none() {
                    return Err(fault(
                        rename.place,
                        format!("{kind} `{from}` becomes `{to}` and so comes back to itself"),
                    ));
                }
                if let Some((other, at)) = of
                    .iter()
                    .find(|(other, it)| *other < old && it.to == rename.to)
                    .map(|(other, it)| (other, it.place))
                {
                    let line = at.map_or(0, |at| at.line);
                    let other = other.escape_debug();
                    let cause = format!(
                        "{kind} `{from}` becomes `{to}`, as `{other}` on line {line} does: two would be one"
                    );
                    return Err(fault(rename.place, cause));
                }
                if kind == "metric"
                    && let Some(own) =
                        [old, &rename.to].into_iter().find(|name| Metric::built_in(name).is_some())
                {
                    let cause = format!(
                        "`{own}` is framecost's own metric, whose name never changes; only a source's own metrics are renamed"
                    );
                    return Err(fault(rename.place, cause));
                }
            }
        }
        Ok(())
    }
}

/// What a name is called now; none where the way leads in a circle.
fn end_of<'a>(renames: &'a BTreeMap<String, Rename>, name: &'a str) -> Option<&'a str> {
    let mut now = name;
    for _ in 0..=renames.len() {
        match renames.get(now) {
            None => return Some(now),
            Some(rename) => now = &rename.to,
        }
    }
    None
}

fn rename(
    kind: &'static str,
    renames: &BTreeMap<String, Rename>,
    mut names: Vec<&mut String>,
    renamed: &mut Vec<Renamed>,
) -> Result<(), ConfigError> {
    let known: Vec<String> = names.iter().map(|name| (**name).clone()).collect();
    for name in &mut names {
        let Some(to) = end_of(renames, name).filter(|to| *to != name.as_str()).map(str::to_owned) else {
            continue;
        };
        if known.contains(&to) {
            let place = renames.get(name.as_str()).and_then(|rename| rename.place);
            let (from, to) = (name.escape_debug(), to.escape_debug());
            let cause =
                format!("{kind} `{from}` becomes `{to}`, and a capture at hand has both: two would be one");
            return Err(fault(place, cause));
        }
        renamed.push(Renamed { kind, from: (**name).clone(), to: to.clone() });
        **name = to;
    }
    Ok(())
}
