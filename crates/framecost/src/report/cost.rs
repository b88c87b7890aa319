//! What one pass costs: three readings, none of them "the" cost. In: analyses of runs as they are, of serial runs, and of runs
//! with and without the pass. Out: text or JSON in which each reading has its value, its interval and the question that it
//! answers, or the reason why it is missing.

use framecost_sample::{AdapterClass, Reason, Sharing, Unit, metric_names as names};
use serde::Serialize;

use super::escape::terminal;
use super::format::{dash, value};
use super::json::{Number, to_text};
use super::table::{Table, left, name, right};
use super::{Style, build, words};
use crate::stats::{Interval, LEVEL, Paired, Summary};
use crate::{Analysis, counted};

/// The sentence that the readings stand under.
const THREE: &str = "three readings that answer three questions; none of them is \"the\" cost";

/// The runs that readings are taken from, each list in the order in which they ran; or why there are none.
#[derive(Clone, Debug)]
pub struct CostRuns<'a> {
    /// Runs of the program as it is.
    pub running: Result<&'a [Analysis], String>,
    /// Runs in which nothing goes beside a pass.
    pub serial: Result<&'a [Analysis], String>,
    /// Runs that differ by the pass's work.
    pub marginal: Result<MarginalRuns<'a>, String>,
}

/// Runs of two variants that took turns, the k-th of the one beside the k-th of the other.
#[derive(Clone, Copy, Debug)]
pub struct MarginalRuns<'a> {
    /// With more of the pass.
    pub with: &'a [Analysis],
    /// With less of it.
    pub without: &'a [Analysis],
    /// The switch that differs.
    pub switch: &'a str,
    /// Whether the frame has the pass's work once more, instead of not at all.
    pub one_more: bool,
}

/// What one pass costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// The pass.
    pub pass: String,
    /// Scene, size and switches.
    pub title: String,
    /// Adapter, backend and frames in flight of the program as it is.
    pub adapter: String,
    /// Whether the adapter renders on the CPU.
    pub on_cpu: bool,
    /// In the running frame, alone, marginal.
    pub readings: [CostReading; 3],
}

/// One reading of what a pass costs.
#[derive(Clone, Debug, PartialEq)]
pub struct CostReading {
    /// `exposed`, `alone` or `marginal`.
    pub name: &'static str,
    /// The question that it answers.
    pub question: String,
    /// How it was taken.
    pub how: String,
    /// The median over the frames of each run, or of each pair of runs, in nanoseconds.
    pub each: Vec<f64>,
    /// Frames behind each of them: the fewest.
    pub frames: u64,
    /// The mean over the runs with its interval, or why it is missing.
    pub value: Result<Interval, String>,
}

impl Cost {
    /// The three readings of that pass. `scene` names it where no run could be had.
    #[must_use]
    pub fn new(scene: &str, pass: &str, runs: &CostRuns<'_>) -> Self {
        let of = |runs: &Result<&[Analysis], String>| {
            runs.as_ref().ok().and_then(|runs| runs.first()).map(build::head)
        };
        let head = of(&runs.running).or_else(|| of(&runs.serial));
        Self {
            pass: pass.into(),
            title: head.as_ref().map_or_else(|| scene.into(), words::title),
            adapter: head.as_ref().map_or_else(String::new, words::adapter),
            on_cpu: head.is_some_and(|head| head.adapter_class == AdapterClass::Cpu.name()),
            readings: [exposed(pass, &runs.running), alone(pass, &runs.serial), marginal(&runs.marginal)],
        }
    }

    /// Whether any of the three could be had.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.readings.iter().any(|reading| reading.value.is_ok())
    }
}

fn exposed(pass: &str, runs: &Result<&[Analysis], String>) -> CostReading {
    let in_flight = |runs: &&[Analysis]| runs.first().and_then(|run| run.capture.key.frames_in_flight);
    let in_flight = runs.as_ref().ok().and_then(in_flight);
    let in_flight = in_flight
        .map_or_else(String::new, |frames| format!(", {} in flight", counted(frames.into(), "frame")));
    reading(
        "exposed",
        "what of it sticks out past the end of the frame before, as the program runs",
        format!("runs as they are{in_flight}"),
        runs.clone().and_then(|runs| {
            // Without a floor, nothing of a pass could be hidden.
            match runs.iter().find(|run| !shares(run)) {
                Some(_) => {
                    Err("submissions share no timeline, so that nothing tells where the frame before ends"
                        .into())
                }
                None => medians(runs.iter().map(|run| run.summaries.of_pass(names::EXPOSED, pass))),
            }
        }),
    )
}

fn shares(run: &Analysis) -> bool {
    run.ledger.clock.as_ref().is_none_or(|clock| matches!(clock.sharing, Sharing::AcrossSubmissions { .. }))
}

fn alone(pass: &str, runs: &Result<&[Analysis], String>) -> CostReading {
    reading(
        "alone",
        "how long the GPU takes for it with nothing beside it",
        "serial runs: each pass in a submission of its own, after which the host waits for the GPU".into(),
        runs.clone()
            .and_then(|runs| medians(runs.iter().map(|run| run.summaries.of_pass(names::DURATION, pass)))),
    )
}

fn marginal(runs: &Result<MarginalRuns<'_>, String>) -> CostReading {
    let (question, how) = match runs {
        Ok(runs) => {
            let value = |of: &[Analysis]| {
                of.first()
                    .and_then(|run| run.capture.key.switches.0.get(runs.switch).cloned())
                    .unwrap_or_default()
            };
            let (with, without) = (value(runs.with), value(runs.without));
            let question = if runs.one_more {
                "what one more of it adds to the frame; the first may take more or less"
            } else {
                "what the frame gains without it, with all that its absence changes elsewhere"
            };
            let switch = runs.switch;
            (
                question,
                format!("gpu_total of each frame, {switch}={with} less {switch}={without}, runs in turns"),
            )
        }
        Err(_) => (
            "what the frame gains without it, with all that its absence changes elsewhere",
            "not taken".into(),
        ),
    };
    reading(
        "marginal",
        question,
        how,
        runs.clone().and_then(|runs| {
            let pairs: Vec<Paired> = runs
                .with
                .iter()
                .zip(runs.without)
                .map(|(with, without)| Paired::of(runs.switch, &with.summaries, &without.summaries, None))
                .collect();
            medians(pairs.iter().map(Paired::total))
        }),
    )
}

/// The median of each run, and the fewest values behind one.
fn medians<'a>(rows: impl Iterator<Item = Option<&'a Summary>>) -> Result<(Vec<f64>, u64), String> {
    let (mut each, mut fewest) = (Vec::new(), u64::MAX);
    for (i, row) in rows.enumerate() {
        let Some(stats) = row.and_then(|row| row.stats) else {
            let reason = row.and_then(Summary::main_reason).cloned().unwrap_or(Reason::NotAvailable);
            return Err(format!("no frame of run {} has a value: {reason}", i + 1));
        };
        each.push(stats.median);
        fewest = fewest.min(stats.n);
    }
    if each.is_empty() { Err("no run".into()) } else { Ok((each, fewest)) }
}

fn reading(
    name: &'static str,
    question: &str,
    how: String,
    found: Result<(Vec<f64>, u64), String>,
) -> CostReading {
    let question = question.to_owned();
    match found {
        Ok((each, frames)) => {
            let value = Interval::of(&each).ok_or_else(|| "no run".to_owned());
            CostReading { name, question, how, each, frames, value }
        }
        Err(why) => CostReading { name, question, how, each: Vec::new(), frames: 0, value: Err(why) },
    }
}

/// The readings for a terminal.
#[must_use]
pub fn cost_text(cost: &Cost, style: &Style) -> String {
    let mut out = format!("{} in {}\n", terminal(&cost.pass), terminal(&cost.title));
    let adapter = Some(terminal(&cost.adapter)).filter(|adapter| !adapter.is_empty());
    let on_cpu = cost.on_cpu.then(|| words::ON_CPU.to_owned());
    for line in adapter.into_iter().chain(on_cpu).chain([THREE.to_owned(), String::new()]) {
        out.push_str(&line);
        out.push('\n');
    }
    let interval = format!("{:.0} % interval", LEVEL * 100.0);
    let mut table = Table::new(vec![
        name(""),
        right("mean", 0),
        left("interval", 0),
        right("runs", 0),
        right("frames", 0),
    ]);
    for reading in &cost.readings {
        table.push(cells(reading, style));
    }
    out.push_str(&table.lines(2, style).join("\n"));
    out.push_str(&format!("\n  means of the runs' medians; {interval} by Student's t over runs\n\n"));
    for reading in &cost.readings {
        let why =
            reading.value.as_ref().err().map_or_else(String::new, |why| format!("\n    missing: {why}"));
        let text = format!("  {}: {}\n    {}{why}", reading.name, reading.question, reading.how);
        out.push_str(&text.lines().map(terminal).collect::<Vec<_>>().join("\n"));
        out.push('\n');
    }
    out
}

fn cells(reading: &CostReading, style: &Style) -> Vec<String> {
    let time = |nanos: f64| value(nanos, Unit::Nanos);
    let none = || dash(style).to_owned();
    let (mean, ends) = match &reading.value {
        Ok(interval) => (
            time(interval.mean),
            interval.ends().map_or_else(
                || "takes two runs".into(),
                |(low, high)| format!("{} to {}", time(low), time(high)),
            ),
        ),
        Err(_) => (none(), none()),
    };
    vec![reading.name.into(), mean, ends, reading.each.len().to_string(), reading.frames.to_string()]
}

#[derive(Serialize)]
struct OfCost<'a> {
    framecost_cost: u32,
    pass: &'a str,
    title: &'a str,
    adapter: &'a str,
    times_are_for_this_adapter_only: bool,
    note: &'static str,
    readings: Vec<OfReading<'a>>,
    captures: &'a [String],
}

#[derive(Serialize)]
struct OfReading<'a> {
    reading: &'static str,
    question: &'a str,
    how: &'a str,
    unit: &'static str,
    mean: Number,
    interval: OfInterval,
    runs: u64,
    frames: u64,
    each: &'a [f64],
}

#[derive(Serialize)]
#[serde(untagged)]
enum OfInterval {
    Ends { level: f64, low: f64, high: f64 },
    Missing { missing: String },
}

/// The readings as JSON text, with the captures that they were taken from.
#[must_use]
pub fn cost_json(cost: &Cost, captures: &[String]) -> String {
    let of = |reading: &'_ CostReading| {
        let (mean, ends) = match &reading.value {
            Ok(interval) => (Number::Value(interval.mean), interval.ends().ok_or("it takes two runs")),
            Err(why) => (Number::missing(why.clone()), Err(why.as_str())),
        };
        (
            mean,
            match ends {
                Ok((low, high)) => OfInterval::Ends { level: LEVEL, low, high },
                Err(why) => OfInterval::Missing { missing: why.to_owned() },
            },
        )
    };
    let readings = cost.readings.iter().map(|reading| {
        let (mean, interval) = of(reading);
        OfReading {
            reading: reading.name,
            question: &reading.question,
            how: &reading.how,
            unit: Unit::Nanos.name(),
            mean,
            interval,
            runs: reading.each.len() as u64,
            frames: reading.frames,
            each: &reading.each,
        }
    });
    to_text(&OfCost {
        framecost_cost: 1,
        pass: &cost.pass,
        title: &cost.title,
        adapter: &cost.adapter,
        times_are_for_this_adapter_only: cost.on_cpu,
        note: THREE,
        readings: readings.collect(),
        captures,
    })
}
