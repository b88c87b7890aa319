//! `framecost history`: what a figure did from revision to revision, over a folder of captures. Shows; fails on a change only
//! where it is asked to.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::builder::RangedU64ValueParser;
use framecost::history::{Asked, BREAKS_ON, HistoryReport, NEWEST, Options, Run, history};
use framecost::judge::Config;
use framecost::report::{Page, history_json, history_text, html};
use framecost::stats::Statistic;

use crate::App;
use crate::args::{Told, ToldFormat, percentage};
use crate::configured::Configured;
use crate::exit::{Exit, WrongUse};
use crate::output::{clean, quoted};
use crate::past::{Past, Wanted};

/// Changes up to it do not matter, unless somebody says otherwise.
const LIMIT: &str = "2%";

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost history orrery                                    every capture of it under out/
  framecost history orrery runs --metric gpu_total --metric 'attributed/*' --statistic p95
  framecost history orrery runs --reference texture_wall      divided by what texture_wall took in the same session
  framecost history orrery runs --blessed 3f2a91c --fail-on-change
  framecost history orrery runs --format html --out history.html

Captures of one revision are one point: the median of its runs. Unlike runs (adapter, size, switches, ...) are never mixed, and \
another driver or system is a known break across which nothing is compared. The exit code is 0 whatever the history says, 3 \
where a capture could not be read or placed, and with --fail-on-change 1 if anything got worse, 3 if nothing could be judged.")]
pub(crate) struct Args {
    /// The scene
    scene: String,
    /// Where the captures lie, at any depth
    #[arg(default_value = "out")]
    folder: PathBuf,
    /// What to follow: METRIC, METRIC/PASS, METRIC/GATE or METRIC/* [default: gpu_total; of logs their frame times]
    #[arg(long = "metric", value_name = "FIGURE", value_parser = asked)]
    metrics: Vec<Asked>,
    /// Which statistic over a run's frames: min, median, p95, p99, mean or max
    #[arg(long, value_name = "NAME", default_value = "median", value_parser = statistic)]
    statistic: Statistic,
    /// Divide by something that does not change and was measured in the same session: a scene, or capture folders
    #[arg(long, value_name = "CAPTURE|SCENE", num_args = 1..)]
    reference: Vec<String>,
    /// How far apart in time a run and its reference may begin, in minutes
    #[arg(long, value_name = "MINUTES", default_value_t = 60)]
    session: u32,
    /// Changes up to it do not matter
    #[arg(long, value_name = "PERCENT", default_value = LIMIT, value_parser = percent)]
    limit: f64,
    /// The revision that the newest level is held against, and up to which changes are accepted [default: the first]
    #[arg(long, value_name = "REVISION")]
    blessed: Option<String>,
    /// A further fact whose change is a known break, such as a compiler's version
    #[arg(long, value_name = "FACT")]
    break_on: Vec<String>,
    /// Only runs of which this fact of the environment has this value
    #[arg(long = "where", value_name = "FACT=VALUE", value_parser = condition)]
    conditions: Vec<(String, String)>,
    /// How many points of a series are judged, the newest
    #[arg(long, value_name = "POINTS", default_value_t = NEWEST as u64,
        value_parser = RangedU64ValueParser::<u64>::new().range(10..=NEWEST as u64))]
    newest: u64,
    /// Exit code 1 if anything got worse and was not accepted
    #[arg(long)]
    fail_on_change: bool,
    /// Noise floors of the metrics [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    format: ToldFormat,
    /// Write to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn asked(text: &str) -> Result<Asked, String> {
    Asked::parse(text).map_err(|error| error.to_string())
}

fn statistic(text: &str) -> Result<Statistic, String> {
    let names: Vec<&str> = Statistic::ALL.iter().map(|statistic| statistic.name()).collect();
    Statistic::from_name(text).ok_or_else(|| format!("write one of {}", names.join(", ")))
}

fn percent(text: &str) -> Result<f64, String> {
    percentage(text, 1000.0, LIMIT)
}

fn condition(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(fact, _)| !fact.is_empty());
    let pair = pair.map(|(fact, value)| (fact.to_owned(), value.to_owned()));
    pair.ok_or_else(|| "write FACT=VALUE, such as driver=NVIDIA 580.159.04".into())
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let config = Configured::read(args.config.as_deref())?.config;
    let wanted = Wanted {
        scene: &args.scene,
        references: &args.reference,
        metrics: &args.metrics,
        statistic: args.statistic,
        conditions: &args.conditions,
        config: &config,
    };
    let past = Past::read(&args.folder, &wanted)?;
    if past.runs.is_empty() {
        return nothing(args, app, &past);
    }
    check_metrics(&args.metrics, &past.runs)?;
    let breaks = BREAKS_ON.iter().map(|fact| (*fact).to_owned()).chain(args.break_on.iter().cloned());
    let options = Options {
        scene: args.scene.clone(),
        statistic: args.statistic,
        limit: args.limit,
        breaks_on: breaks.collect(),
        newest: usize::try_from(args.newest).unwrap_or(NEWEST),
        blessed: args.blessed.clone(),
        session: u64::from(args.session) * 60,
    };
    let report = told(past, &options);
    let out = args.out.as_deref();
    match args.format.get() {
        Told::Text => app.out.print_to(out, &history_text(&report, app.out.style()))?,
        Told::Json => app.out.print_to(out, &history_json(&report))?,
        Told::Html => app.out.print_page(out, &page(&report))?,
    }
    Ok(exit(&report, args.fail_on_change))
}

fn page(report: &HistoryReport) -> String {
    let histories = std::slice::from_ref(report);
    html(&Page { overall: None, sections: Vec::new(), differences: &[], histories })
}

/// The scene's history with every option at its default, for a section of a report.
pub(super) fn of_scene(scene: &str, folder: &Path, config: &Config) -> Result<HistoryReport> {
    let statistic = Statistic::Median;
    let wanted = Wanted { scene, references: &[], metrics: &[], statistic, conditions: &[], config };
    let past = Past::read(folder, &wanted)?;
    let options = Options {
        scene: scene.into(),
        statistic,
        limit: percent(LIMIT).map_err(WrongUse)?,
        breaks_on: BREAKS_ON.iter().map(|fact| (*fact).to_owned()).collect(),
        newest: NEWEST,
        blessed: None,
        session: 0,
    };
    Ok(told(past, &options))
}

/// What the runs say, with what was left out on the way to them.
fn told(past: Past, options: &Options) -> HistoryReport {
    let mut report = history(&past.runs, &past.references, options);
    report.left_out.extend(past.left_out);
    report.notes.extend(past.notes);
    report
}

/// A gate that judged nothing, or not everything, must not look like one that passed.
fn exit(report: &HistoryReport, fail_on_change: bool) -> Exit {
    let incomplete = !report.left_out.is_empty();
    let unjudged =
        !report.judged_any() || report.series.iter().any(framecost::history::Series::ends_in_a_gap);
    match fail_on_change {
        true if report.got_worse() => Exit::Regressed,
        true if unjudged => Exit::NotMeasured,
        _ if incomplete => Exit::NotMeasured,
        _ => Exit::Passed,
    }
}

/// Says what there is instead of the scene: most likely it was renamed, or its name is written differently.
fn nothing(args: &Args, app: &App<'_>, past: &Past) -> Result<Exit> {
    for it in &past.left_out {
        app.out.note(&format!("left out: {}: {}", clean(&it.path), clean(&it.reason)));
    }
    for note in &past.notes {
        app.out.note(&format!("note: {}", clean(note)));
    }
    let scenes: Vec<String> = past.other_scenes.iter().map(|scene| format!("`{}`", clean(scene))).collect();
    let there = match scenes.len() {
        0 => "there are none of any other scene either".into(),
        n if n > 20 => {
            format!("there are those of {}, and of {} more scenes", scenes[..20].join(", "), n - 20)
        }
        _ => format!("there are those of {}", scenes.join(", ")),
    };
    bail!("no captures of scene `{}` under {}; {there}", clean(&args.scene), quoted(&args.folder))
}

/// A metric that no run has is most likely written differently. Of none that was asked for there may be no value at all.
fn check_metrics(metrics: &[Asked], runs: &[Run]) -> Result<()> {
    let of_any = |run: &Run| run.values.iter().any(|value| value.definition.is_some());
    if metrics.is_empty() && !runs.iter().any(of_any) {
        let own: Vec<String> =
            runs.iter().flat_map(|run| &run.values).map(|it| it.figure.to_string()).collect();
        bail!(WrongUse(format!(
            "no capture of the scene has a value of {}, which is followed where nobody asks: name another with --metric; \
             `framecost report CAPTURE` shows what one has",
            clean(own.first().map_or("any figure", String::as_str))
        )));
    }
    for asked in metrics {
        let has = |run: &Run| {
            run.values.iter().any(|value| value.figure.metric == asked.metric && value.definition.is_some())
        };
        if !runs.iter().any(has) {
            bail!(WrongUse(format!(
                "--metric {}: no capture of the scene has it; `framecost report CAPTURE` shows what one has",
                clean(&asked.to_string())
            )));
        }
    }
    Ok(())
}
