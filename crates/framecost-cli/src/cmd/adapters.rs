//! `framecost adapters`: what each adapter of this machine can stamp, why not, and whether its stamps are to be believed.

use std::fmt::Write;

use anyhow::Result;
use framecost_sample::{Clock, Nanos, Reading, Sharing, Ticks};
use framecost_wgpu::{Able, AdapterReport, Support, Trial, TrialRow};
use serde::Serialize;

use crate::App;
use crate::args::ListFormat;
use crate::exit::Exit;
use crate::output::clean;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost adapters
  framecost adapters --json")]
pub(crate) struct Args {
    #[command(flatten)]
    format: ListFormat,
}

#[derive(Serialize)]
struct Entries<'a> {
    framecost_adapters: u32,
    adapters: Vec<Entry<'a>>,
}

/// An adapter as programs get it.
#[derive(Serialize)]
struct Entry<'a> {
    name: &'a str,
    class: &'static str,
    backend: &'a str,
    driver: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    support: Option<OfSupport<'a>>,
    trials: Vec<OfTrial<'a>>,
    /// Why it could not be opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
}

#[derive(Serialize)]
struct OfSupport<'a> {
    pass_stamps: OfAble<'a>,
    encoder_stamps: OfAble<'a>,
    inside_passes: OfAble<'a>,
    top_of_pipe: OfAble<'a>,
    bracket: OfAble<'a>,
    semantics: &'static str,
    period_ns: f64,
    valid_bits: u8,
    valid_bits_from: &'static str,
    step_ns: OfReading,
    shared_by: Option<&'a str>,
}

/// A way of stamping, tried on known work.
#[derive(Serialize)]
struct OfTrial<'a> {
    method: &'static str,
    /// Counted from 1; another one only after one that failed by noise.
    attempt: usize,
    believed: OfAble<'a>,
    tries: usize,
    rows: Vec<OfRow>,
}

#[derive(Serialize)]
struct OfRow {
    work: &'static str,
    size: u32,
    stamped_ns: OfReading,
    due_ns: f64,
    tolerance: f64,
    slack_ns: f64,
    /// Tries that lie within tolerance and slack, where each can be held against what is due.
    agreeing: usize,
}

/// `true`, or `{"no": "reason"}`.
#[derive(Serialize)]
#[serde(untagged)]
enum OfAble<'a> {
    Yes(bool),
    No { no: &'a str },
}

#[derive(Serialize)]
#[serde(untagged)]
enum OfReading {
    Measured(f64),
    Missing { missing: String },
}

/// No adapter at all is an answer that no benchmark can live with.
pub(crate) fn run(args: Args, app: &App<'_>) -> Result<Exit> {
    let adapters = framecost_wgpu::adapters();
    if args.format.is_json() {
        let adapters = adapters.iter().map(Entry::from).collect();
        app.out.print_json(&Entries { framecost_adapters: 1, adapters })?;
    } else if adapters.is_empty() {
        app.out.print(
            "no graphics adapter found; install a driver, or a software one such as mesa-vulkan-drivers\n",
        )?;
    } else {
        app.out.print(&adapters.iter().map(describe).collect::<Vec<_>>().join("\n"))?;
    }
    Ok(if adapters.is_empty() { Exit::NotMeasured } else { Exit::Passed })
}

impl<'a> From<&'a AdapterReport> for Entry<'a> {
    fn from(report: &'a AdapterReport) -> Self {
        Self {
            name: &report.name,
            class: report.class.name(),
            backend: &report.backend,
            driver: &report.driver,
            support: report.support.as_ref().ok().map(OfSupport::from),
            trials: report.trials.iter().map(OfTrial::from).collect(),
            fault: report.support.as_ref().err().map(String::as_str),
        }
    }
}

impl<'a> From<&'a Support> for OfSupport<'a> {
    fn from(support: &'a Support) -> Self {
        let clock = &support.clock;
        Self {
            pass_stamps: OfAble::from(&support.pass_stamps),
            encoder_stamps: OfAble::from(&support.encoder_stamps),
            inside_passes: OfAble::from(&support.inside_passes),
            top_of_pipe: OfAble::from(&support.top_of_pipe),
            bracket: OfAble::from(&support.bracket),
            semantics: support.semantics.name(),
            period_ns: clock.period.nanos(Ticks(1)).0,
            valid_bits: clock.valid_bits.bits(),
            valid_bits_from: support.valid_bits_from,
            step_ns: OfReading::from(&clock.step.clone().map(|step| clock.period.nanos(step))),
            shared_by: promise(clock),
        }
    }
}

impl<'a> From<&'a Trial> for OfTrial<'a> {
    fn from(trial: &'a Trial) -> Self {
        Self {
            method: trial.method.name(),
            attempt: trial.attempt,
            believed: match &trial.verdict {
                Ok(()) => OfAble::Yes(true),
                Err(why) => OfAble::No { no: why },
            },
            tries: trial.tries,
            rows: trial.rows.iter().map(OfRow::from).collect(),
        }
    }
}

impl From<&TrialRow> for OfRow {
    fn from(row: &TrialRow) -> Self {
        Self {
            work: row.work.name(),
            size: row.size,
            stamped_ns: OfReading::from(&row.stamped),
            due_ns: row.due.0,
            tolerance: row.tolerance,
            slack_ns: row.slack.0,
            agreeing: row.agreeing,
        }
    }
}

impl From<&Reading<Nanos>> for OfReading {
    fn from(reading: &Reading<Nanos>) -> Self {
        match reading {
            Reading::Measured(time) => Self::Measured(time.0),
            Reading::Missing(reason) => Self::Missing { missing: reason.to_string() },
        }
    }
}

impl<'a> From<&'a Able> for OfAble<'a> {
    fn from(able: &'a Able) -> Self {
        match able {
            Able::Yes => Self::Yes(true),
            Able::No(why) => Self::No { no: why },
        }
    }
}

fn promise(clock: &Clock) -> Option<&str> {
    match &clock.sharing {
        Sharing::WithinSubmission => None,
        Sharing::AcrossSubmissions { promise } => Some(promise),
    }
}

fn describe(report: &AdapterReport) -> String {
    let class = report.class.name();
    let mut text =
        format!("{} ({class}, {}, {})\n", clean(&report.name), clean(&report.backend), clean(&report.driver));
    let rows = match &report.support {
        Ok(support) => support_rows(support),
        Err(fault) => vec![("could not be opened", fault.clone())],
    };
    for (name, value) in rows {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "  {name:<21} {}", clean(&value));
    }
    report.trials.iter().for_each(|trial| describe_trial(trial, &mut text));
    text
}

/// The verdict, and the figures that it stands on.
fn describe_trial(trial: &Trial, text: &mut String) {
    let verdict = match &trial.verdict {
        Ok(()) => "believed".to_owned(),
        Err(why) => format!("not believed: {}", clean(why)),
    };
    let attempt = if trial.attempt > 1 { format!(", attempt {}", trial.attempt) } else { String::new() };
    let _ = writeln!(text, "  stamps by {}{attempt}: {verdict}", trial.method.name());
    if !trial.rows.is_empty() {
        let _ = writeln!(text, "    {:<36}size  {:>13}  {:>10}  within", "known work", "stamped", "due");
    }
    for TrialRow { work, size, stamped, due, tolerance, slack, .. } in &trial.rows {
        let stamped = match stamped {
            Reading::Measured(time) => time.to_string(),
            Reading::Missing(reason) => reason.code().to_owned(),
        };
        let (work, percent) = (work.name(), 100.0 * tolerance);
        let slack = if slack.0 > 0.0 { format!(" and {slack}") } else { String::new() };
        let _ = writeln!(text, "    {work:<36}{size:>4}  {stamped:>13}  {due:>10}  {percent:>4.0} %{slack}");
    }
}

fn support_rows(support: &Support) -> Vec<(&'static str, String)> {
    let able = |able: &Able| match able {
        Able::Yes => "yes".to_owned(),
        Able::No(why) => format!("no: {why}"),
    };
    let clock = &support.clock;
    let step = match &clock.step {
        Reading::Measured(step) => clock.period.nanos(*step).to_string(),
        Reading::Missing(reason) => format!("not measured ({reason})"),
    };
    let shared = promise(clock).map_or_else(
        || "no: stamps of different submissions are not subtracted".to_owned(),
        |promise| format!("yes: {promise}"),
    );
    vec![
        ("passes", able(&support.pass_stamps)),
        ("what the stamps are", support.semantics.name().to_owned()),
        ("top of pipe", able(&support.top_of_pipe)),
        ("between passes", able(&support.encoder_stamps)),
        ("whole frame", able(&support.bracket)),
        ("inside passes", able(&support.inside_passes)),
        ("clock", format!("{} a tick, step {step}", clock.period.nanos(Ticks(1)))),
        ("valid bits", format!("{} ({})", clock.valid_bits.bits(), support.valid_bits_from)),
        ("one timeline", shared),
    ]
}
