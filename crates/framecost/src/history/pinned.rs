//! Pinned references: something that does not change, measured in the same session, by which each value is divided. In: the
//! references' runs. Out: a run's value as a ratio, or why there is none. What the machine does to both cancels out.

use std::collections::BTreeSet;

use framecost_sample::{Key, metric_names as names};

use super::gather::Dated;
use super::moment;
use super::robust::median_of;
use super::run::Run;
use super::scan::number;
use crate::counted;
use crate::stats::{FigureId, Subject};

const SECOND: i128 = 1_000_000_000;

/// Something that does not change.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// What it is, for people.
    pub name: String,
    /// Its runs, with the figures that are asked for and `gpu_total`.
    pub runs: Vec<Run>,
}

/// References at hand, and how far apart in time a session reaches.
pub(super) struct Pinned<'a> {
    references: Vec<(&'a str, Vec<(i128, &'a Run)>)>,
    seconds: u64,
    breaks_on: &'a [String],
}

impl<'a> Pinned<'a> {
    pub(super) fn new(references: &'a [Reference], seconds: u64, breaks_on: &'a [String]) -> Self {
        let dated = |run: &'a Run| Some((moment::nanos(run.started_at.as_deref()?)?, run));
        let of = |it: &'a Reference| (it.name.as_str(), it.runs.iter().filter_map(dated).collect());
        Self { references: references.iter().map(of).collect(), seconds, breaks_on }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.references.is_empty()
    }

    /// The value over the geometric mean of the references' values of its session; the value itself where there are none.
    pub(super) fn divide(&self, run: &Dated<'_>, figure: &FigureId, value: f64) -> Result<f64, String> {
        if self.is_empty() {
            return Ok(value);
        }
        let mut logs = 0.0;
        for (name, runs) in &self.references {
            logs += self.of_session(name, runs, run, figure)?.ln();
        }
        let ratio = value / (logs / number(self.references.len())).exp();
        if ratio.is_finite() { Ok(ratio) } else { Err("the ratio to the reference is out of range".into()) }
    }

    /// The median of the reference's runs of the run's session.
    fn of_session(
        &self,
        name: &str,
        runs: &[(i128, &Run)],
        run: &Dated<'_>,
        figure: &FigureId,
    ) -> Result<f64, String> {
        let Some(own) = run.at else { return Err("the log does not say when it was made".into()) };
        let near = |at: i128| (at - own).abs() <= i128::from(self.seconds) * SECOND;
        let like = |other: &Run| same_machine(&run.run.key, &other.key) && self.same_facts(run.run, other);
        let session: Vec<&Run> =
            runs.iter().filter(|(at, other)| near(*at) && like(other)).map(|(_, run)| *run).collect();
        let keys: BTreeSet<String> =
            session.iter().map(|run| framecost_sample::wire::key_to_json(&run.key)).collect();
        if keys.len() > 1 {
            let keys = counted(keys.len() as u64, "key");
            return Err(format!(
                "reference {name} was run with {keys} in this session: name captures of one"
            ));
        }
        let wanted = of_reference(figure);
        let value = |run: &&Run| run.values.iter().find(|value| value.figure == wanted)?.reading.clone().ok();
        let values: Vec<f64> = session.iter().filter_map(value).collect();
        match median_of(&values) {
            _ if session.is_empty() => {
                let seconds = counted(self.seconds, "second");
                Err(format!("no run of reference {name} on this machine within {seconds}"))
            }
            _ if values.is_empty() => {
                Err(format!("reference {name} has no value of {wanted} in this session"))
            }
            median if median > 0.0 => Ok(median),
            _ => Err(format!("reference {name} is not above zero in this session")),
        }
    }

    /// A fact that one of them does not state says nothing against it.
    fn same_facts(&self, a: &Run, b: &Run) -> bool {
        let same = |name: &String| match (a.fact(name), b.fact(name)) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        };
        self.breaks_on.iter().all(same)
    }
}

/// The reference's figure: the same one; for passes and gates, which it need not have, its frame's GPU time.
pub(super) fn of_reference(figure: &FigureId) -> FigureId {
    match figure.subject {
        Subject::Frame | Subject::Run => figure.clone(),
        _ => FigureId { metric: names::GPU_TOTAL.into(), subject: Subject::Frame },
    }
}

fn same_machine(a: &Key, b: &Key) -> bool {
    a.adapter == b.adapter
        && a.adapter_class == b.adapter_class
        && a.backend == b.backend
        && a.size == b.size
        && a.instrumentation == b.instrumentation
        && a.frames_in_flight == b.frames_in_flight
}
