//! What must be there whenever runs are compared: the expected set. In: `[[expect]]` entries, and runs. Out: which entries
//! name the runs of a key, and what of an entry a set of runs lacks.

use std::collections::BTreeMap;

use framecost_sample::{Capture, Size, metric_names as names};

use super::{AdapterFilter, Budget, BudgetKind, Mismatch, Part, Place, budget};
use crate::Analysis;
use crate::stats::Subject;

/// Runs that must be there, and what they must have measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Expect {
    /// Their scene.
    pub scene: String,
    /// Their size; none for any.
    pub size: Option<Size>,
    /// Switches that they must have; switches not named have the value that they have where nobody asks for another.
    pub switches: BTreeMap<String, String>,
    /// The adapters on which they are due.
    pub adapter: AdapterFilter,
    /// Passes that they must have measured.
    pub passes: Vec<String>,
    /// Gates that they must have measured.
    pub gates: Vec<String>,
    /// Metrics of the frame or the run that they must have measured.
    pub metrics: Vec<String>,
    /// Whether they must have been compared with a baseline.
    pub baseline: bool,
    /// Where the entry stands in the text; none where a program made it.
    pub place: Option<Place>,
    /// Where the passes, gates and metrics that it lists stand in the text, by name.
    pub places: BTreeMap<String, Place>,
}

impl Expect {
    /// What it names, for people: `town 2560x1440 shadow_rays=off on discrete`.
    #[must_use]
    pub fn title(&self) -> String {
        let size = self.size.map_or_else(String::new, |size| format!(" {size}"));
        let switches: String = self.switches.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let adapter = match &self.adapter {
            AdapterFilter::Any => String::new(),
            other => format!(" on {}", other.name()),
        };
        format!("{}{size}{switches}{adapter}", self.scene)
    }

    /// Where that name stands; the whole where a program made it.
    pub(super) fn place_of(&self, name: &str) -> Option<Place> {
        self.places.get(name).copied().or(self.place)
    }

    /// Whether a capture is of the runs that it names.
    #[must_use]
    pub fn is_of(&self, capture: &Capture) -> bool {
        self.apart(capture).is_none()
    }

    /// In what a capture is not of the runs that it names: by the rules of budgets, but that a switch which is not named has
    /// the value that it has where nobody asks for another. Else a variant would stand in for the run that vanished.
    fn apart(&self, capture: &Capture) -> Option<Mismatch> {
        let apart = budget::does_not_bind(&capture.key, &self.as_budget());
        let is_earlier = |it: &Mismatch| matches!(it.part, Part::Scene | Part::Size | Part::Switch(_));
        let asked = || {
            let unnamed =
                capture.key.switches.0.iter().filter(|(name, _)| !self.switches.contains_key(*name));
            let default = |name: &String| capture.defaults.0.get(name);
            let mut asked = unnamed.filter_map(|(name, value)| Some((name, value, default(name)?)));
            let (name, value, default) = asked.find(|(_, value, default)| value != default)?;
            let (wanted, given) = (default.clone(), value.clone());
            Some(Mismatch { part: Part::Switch(name.clone()), wanted, given })
        };
        match apart {
            Some(apart) if is_earlier(&apart) => Some(apart),
            other => asked().or(other),
        }
    }

    /// What of the captures that come nearest to it does not fit; none where none is of its scene.
    #[must_use]
    pub fn nearest(&self, captures: &[&Capture]) -> Option<String> {
        let each = captures.iter().filter_map(|capture| self.apart(capture));
        let apart = each.max_by(|a, b| a.part.cmp(&b.part))?;
        (apart.part != Part::Scene).then(|| format!("its {} is {}", apart.part, apart.given))
    }

    fn as_budget(&self) -> Budget {
        Budget {
            name: String::new(),
            kind: BudgetKind::Budget,
            metric: String::new(),
            of: None,
            scene: Some(self.scene.clone()),
            size: self.size,
            switches: self.switches.clone(),
            statistic: crate::stats::Statistic::Median,
            limit: super::Amount::Plain(0.0),
            adapter: self.adapter.clone(),
            optional: false,
            place: self.place,
            places: super::Places::new(),
        }
    }

    /// Whether it asks for nothing that stamps on passes tell: then runs without such stamps are what was meant.
    #[must_use]
    pub fn is_of_host_alone(&self) -> bool {
        let of_stamps = |metric: &String| {
            let stamped = [
                names::GPU_TOTAL,
                names::BUSY,
                names::UNTIMED,
                names::WAITS,
                names::HIDDEN,
                names::OVERLAP,
                names::BRACKET_GPU,
            ];
            stamped.contains(&metric.as_str())
        };
        !self.metrics.is_empty()
            && self.passes.is_empty()
            && self.gates.is_empty()
            && !self.metrics.iter().any(of_stamps)
    }

    /// What it names and runs lack: the kind, the name, and why.
    #[must_use]
    pub fn lacking(&self, runs: &[Analysis]) -> Vec<(&'static str, String, String)> {
        let mut lacking = Vec::new();
        for run in runs {
            let kinds = [("pass", &self.passes), ("gate", &self.gates), ("metric", &self.metrics)];
            for (kind, name) in kinds.iter().flat_map(|(kind, of)| of.iter().map(move |name| (*kind, name))) {
                let known = lacking.iter().any(|(other, same, _)| (*other, same) == (kind, name));
                if let Some(why) = lacks(run, kind, name).filter(|_| !known) {
                    lacking.push((kind, name.clone(), why));
                }
            }
        }
        lacking
    }
}

/// Why a run has no measured value of a pass, gate or metric; none where it has one.
fn lacks(run: &Analysis, kind: &str, name: &str) -> Option<String> {
    let is_of = |subject: &Subject, metric: &str| match subject {
        Subject::Pass(own) => kind == "pass" && own == name,
        Subject::Gate(own) => kind == "gate" && own == name,
        Subject::Frame | Subject::Run => kind == "metric" && metric == name,
        Subject::Switch(_) => false,
    };
    let rows = run.summaries.rows.iter().filter(|row| is_of(&row.subject, &row.metric.name));
    let rows: Vec<_> = rows.collect();
    if rows.iter().any(|row| row.stats.is_some()) {
        return None;
    }
    let Some(row) = rows.first() else {
        return Some(format!("the run has no {kind} of that name{}", there_are(run, kind)));
    };
    let why = row.main_reason().map_or_else(|| "no frames".into(), ToString::to_string);
    Some(format!("no value of it was measured: {why}"))
}

/// The names of that kind that a run does have.
fn there_are(run: &Analysis, kind: &str) -> String {
    let names: Vec<&str> = match kind {
        "pass" => run.capture.passes.iter().map(|pass| pass.name.as_str()).collect(),
        "gate" => run.capture.gates.iter().map(|gate| gate.name.as_str()).collect(),
        _ => return String::new(),
    };
    if names.is_empty() { String::new() } else { format!("; it has {}", names.join(", ")) }
}

/// The entry that a run, with all that it measured, would be expected by.
#[must_use]
pub fn expected_of(run: &Analysis) -> Expect {
    let key = &run.capture.key;
    let measured = |of: &dyn Fn(&Subject) -> bool| {
        let mut names: Vec<String> = Vec::new();
        for row in run.summaries.rows.iter().filter(|row| row.stats.is_some() && of(&row.subject)) {
            let name = row.subject.name().map_or_else(|| row.metric.name.clone(), str::to_owned);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    };
    let asked = |(name, value): &(&String, &String)| run.capture.defaults.0.get(*name) != Some(*value);
    let of_frame = measured(&|subject| *subject == Subject::Frame);
    Expect {
        scene: key.scene.clone(),
        size: key.size,
        switches: key.switches.0.iter().filter(asked).map(|(a, b)| (a.clone(), b.clone())).collect(),
        adapter: AdapterFilter::Class(key.adapter_class),
        passes: measured(&|subject| matches!(subject, Subject::Pass(_))),
        gates: measured(&|subject| matches!(subject, Subject::Gate(_))),
        metrics: of_frame.into_iter().filter(|name| !is_detail(name)).collect(),
        baseline: true,
        place: None,
        places: BTreeMap::new(),
    }
}

/// Metrics that hang on `gpu_total` alone: where that is measured, they are.
fn is_detail(metric: &str) -> bool {
    [names::BUSY, names::UNTIMED, names::WAITS, names::HIDDEN, names::OVERLAP, names::READBACK_FRAMES]
        .contains(&metric)
}
