//! One run as the history takes it. In: a capture with its ledger, and the figures that are asked for. Out: the run's key,
//! moment, facts and one value per figure, or why it has none. A capture of thousands of frames becomes a handful of numbers.

use std::collections::BTreeSet;
use std::fmt;

use framecost_sample::{
    Better, Capture, Environment, Key, Logged, Metric, Semantics, Unit, metric_names as names,
};

use crate::account::Ledger;
use crate::stats::{FigureId, Quantile, Statistic, Subject, Summary, figure};

/// A figure that is asked for, as `framecost.toml` writes it: `gpu_total`, `attributed/lit`, `gate/opaque`, or `attributed/*`
/// for each pass's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// The metric's name.
    pub metric: String,
    /// The pass or gate; `*` for every one; none for a figure of the frame or of the run.
    pub of: Option<String>,
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Where it was read from, for people.
    pub path: String,
    /// What ran, where and how.
    pub key: Key,
    /// The kinds of stamps that its passes have.
    pub semantics: BTreeSet<Semantics>,
    /// Its switches that have another value than where nobody asks, as `name=value`, as far as the source says.
    pub asked: Vec<String>,
    /// When it began, RFC 3339 in UTC.
    pub started_at: Option<String>,
    /// What surrounded it.
    pub environment: Environment,
    /// The figures that were asked for.
    pub values: Vec<Value>,
}

/// One figure of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Which figure.
    pub figure: FigureId,
    /// What it is; none where the run has no such figure.
    pub definition: Option<Definition>,
    /// The statistic over the run's frames in the metric's unit, or why there is none.
    pub reading: Result<f64, String>,
}

/// What a figure is: figures of unlike definitions never stand in one series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Definition {
    /// The unit of its values.
    pub unit: Unit,
    /// Which way it improves.
    pub better: Better,
    /// Changes up to it do not matter, in that unit.
    pub floor: f64,
}

/// A text that names no figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedError(String);

impl fmt::Display for AskedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` names no figure: write METRIC, METRIC/PASS, METRIC/GATE or METRIC/*, such as attributed/lit",
            self.0.escape_debug()
        )
    }
}

impl std::error::Error for AskedError {}

impl Asked {
    /// Reads `METRIC`, `METRIC/NAME` or `METRIC/*`.
    ///
    /// # Errors
    /// The metric or the name is empty.
    pub fn parse(text: &str) -> Result<Self, AskedError> {
        let (metric, of) = text.split_once('/').map_or((text, None), |(metric, of)| (metric, Some(of)));
        if metric.trim().is_empty() || of.is_some_and(str::is_empty) {
            return Err(AskedError(text.chars().take(80).collect()));
        }
        Ok(Self { metric: metric.into(), of: of.map(str::to_owned) })
    }

    /// Which of a capture's tables the figure is computed from: stamps, samples. Neither for a figure of the run.
    #[must_use]
    pub fn tables(&self, metrics: &[Metric], figures: &[framecost_sample::Figure]) -> (bool, bool) {
        let declared = metrics.iter().position(|metric| metric.name == self.metric);
        let of_run = |at| figures.iter().any(|figure| usize::from(figure.metric.0) == at);
        match declared {
            None => (true, false),
            // A sampled metric may be the run's too, so the table has to be looked into all the same.
            Some(at) => (false, !of_run(at) || self.metric == names::BRACKET_GPU),
        }
    }

    /// The figures of that capture that it means.
    fn figures(&self, capture: &Capture) -> Vec<FigureId> {
        let id = |subject| FigureId { metric: self.metric.clone(), subject };
        let is_gate = [names::GATE, names::GATE_COVERAGE, names::GATE_BEFORE].contains(&self.metric.as_str());
        match self.of.as_deref() {
            None => vec![id(Subject::Frame)],
            Some("*") if is_gate => {
                capture.gates.iter().map(|gate| id(Subject::Gate(gate.name.clone()))).collect()
            }
            Some("*") => capture.passes.iter().map(|pass| id(Subject::Pass(pass.name.clone()))).collect(),
            Some(name) if is_gate => vec![id(Subject::Gate(name.into()))],
            Some(name) => vec![id(Subject::Pass(name.into()))],
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric)?;
        self.of.as_ref().map_or(Ok(()), |of| write!(f, "/{of}"))
    }
}

impl Run {
    /// The run in a capture. `floor` says up to which change a figure does not matter, in its unit.
    ///
    /// # Errors
    /// What `floor` gives.
    pub fn new<E>(
        path: String,
        capture: &Capture,
        ledger: &Ledger,
        asked: &[Asked],
        statistic: Statistic,
        floor: impl Fn(&Summary) -> Result<f64, E>,
    ) -> Result<Self, E> {
        let mut values: Vec<Value> = Vec::new();
        for id in asked.iter().flat_map(|asked| asked.figures(capture)) {
            if values.iter().any(|value| value.figure == id) {
                continue;
            }
            let found = figure(capture, ledger, &id);
            let definition = |row: &Summary| {
                let (unit, better) = (row.metric.unit, row.metric.better);
                Ok(Definition { unit, better, floor: floor(row)? })
            };
            values.push(Value {
                definition: found.as_ref().map(definition).transpose()?,
                reading: reading(found.as_ref(), statistic),
                figure: id,
            });
        }
        Ok(Self {
            path,
            key: capture.key.clone(),
            semantics: capture.passes.iter().map(|pass| pass.semantics).collect(),
            asked: asked_for(capture),
            started_at: capture.started_at.clone(),
            environment: capture.environment.clone(),
            values,
        })
    }

    /// When it began; of a log the moment that its tool says it was made.
    pub(super) fn moment(&self) -> Option<&str> {
        self.started_at.as_deref().or_else(|| self.fact(MADE).filter(|_| self.is_log()))
    }

    /// Whether it is of a log that another tool wrote.
    pub(super) fn is_log(&self) -> bool {
        Logged::of(&self.environment).is_some()
    }

    /// The revision that was measured; none where nobody knows it.
    pub(super) fn revision(&self) -> Option<&str> {
        self.fact(REVISION).filter(|revision| *revision != UNKNOWN)
    }

    /// The fact of that name before the run.
    pub(super) fn fact(&self, name: &str) -> Option<&str> {
        self.environment.fact(name)
    }
}

/// The fact that names what was measured, and what a build outside of a repository says there.
const REVISION: &str = "revision";
const UNKNOWN: &str = "unknown";
/// The fact of a log that says when it was made.
const MADE: &str = "created";

fn asked_for(capture: &Capture) -> Vec<String> {
    let defaults = &capture.defaults.0;
    let differs = |(name, value): &(&String, &String)| defaults.get(*name).is_some_and(|it| it != *value);
    let switches = capture.key.switches.0.iter().filter(differs);
    switches.map(|(name, value)| format!("{name}={value}")).collect()
}

fn reading(row: Option<&Summary>, statistic: Statistic) -> Result<f64, String> {
    let row = row.ok_or("the run has no such figure")?;
    let Some(stats) = row.stats else {
        return Err(row.main_reason().map_or_else(|| "no frames".into(), ToString::to_string));
    };
    // A figure of the run is one value, whatever is asked of it.
    let quantile =
        if row.subject == Subject::Run { Quantile::Value(stats.median) } else { stats.get(statistic) };
    match quantile {
        Quantile::Value(value) => Ok(value),
        withheld => Err(format!("{statistic} {}", withheld.lack().unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_the_configuration_writes_them() {
        let asked =
            |metric: &str, of: Option<&str>| Asked { metric: metric.into(), of: of.map(str::to_owned) };
        assert_eq!(Asked::parse("gpu_total"), Ok(asked("gpu_total", None)));
        assert_eq!(Asked::parse("attributed/a/b"), Ok(asked("attributed", Some("a/b"))));
        assert_eq!(Asked::parse("attributed/*").unwrap().to_string(), "attributed/*");
        for bad in ["", "/lit", "attributed/", " "] {
            assert!(Asked::parse(bad).is_err(), "{bad}");
        }
    }
}
