//! `framecost baseline`: runs kept to compare with, one set per scene, switches, adapter and size.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use framecost_sample::{Switches, wire};
use framecost_store::baseline::{self, Baseline, Listed};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::ListFormat;
use crate::exit::Exit;
use crate::output::{self, clean, quoted};
use crate::reference::BASELINES;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost baseline save out/orrery.framecost
  framecost baseline save out/orrery-1.framecost out/orrery-2.framecost    repeats of one variant
  framecost baseline list")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// The folder of stored baselines
    #[arg(long, value_name = "DIR", default_value = BASELINES, global = true)]
    baselines: PathBuf,
    #[command(flatten)]
    format: ListFormat,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Keep these runs as the baseline of their key, in place of the one before
    Save {
        /// Capture folders of one key: scene, switches, adapter, size
        #[arg(required = true, value_name = "CAPTURE")]
        captures: Vec<PathBuf>,
    },
    /// Every stored baseline, damaged ones included
    List,
    /// What one baseline is of, after reading its runs whole
    Show {
        /// Its name, as `list` gives it
        name: String,
    },
    /// Remove one baseline
    Remove {
        /// Its name, as `list` gives it
        name: String,
    },
}

/// A baseline as programs get it.
#[derive(Serialize)]
struct Entry {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    semantics: Vec<&'static str>,
    measured_at: Option<String>,
    runs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damaged: Option<String>,
}

#[derive(Serialize)]
struct Entries {
    framecost_baselines: u32,
    baselines: Vec<Entry>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let root = &args.baselines;
    match &args.action {
        Action::Save { captures } => {
            let saved = baseline::save(root, captures)?;
            let text = format!("saved {} run(s) as {}\n", saved.runs.len(), quoted(&saved.dir));
            show(args, app, &text, vec![entry(&saved)?])
        }
        Action::List => list(args, app, baseline::list(root)?),
        Action::Show { name } => {
            let found = baseline::named(root, name)?;
            found.load()?;
            show(args, app, &describe(&found), vec![entry(&found)?])
        }
        Action::Remove { name } => {
            baseline::remove(root, name)?;
            show(args, app, &format!("removed {}\n", quoted(&root.join(name))), Vec::new())
        }
    }
}

/// Damaged baselines are listed with the others and make the exit code: a gate would stumble over them.
fn list(args: &Args, app: &App<'_>, found: Vec<Listed>) -> Result<Exit> {
    let mut text = String::new();
    let mut entries = Vec::new();
    let mut exit = Exit::Passed;
    if found.is_empty() {
        let _ = writeln!(text, "no baselines under {}", quoted(&args.baselines));
    }
    for Listed { name, baseline } in found {
        match baseline {
            Ok(baseline) => {
                let _ = writeln!(text, "{name}\n  {}", summary(&baseline));
                entries.push(entry(&baseline)?);
            }
            Err(error) => {
                exit = Exit::NotMeasured;
                let _ = writeln!(text, "{}\n  damaged: {error}", clean(&name));
                let damaged = Some(error.to_string());
                entries.push(Entry {
                    name,
                    key: None,
                    semantics: vec![],
                    measured_at: None,
                    runs: vec![],
                    damaged,
                });
            }
        }
    }
    show(args, app, &text, entries)?;
    Ok(exit)
}

fn show(args: &Args, app: &App<'_>, text: &str, baselines: Vec<Entry>) -> Result<Exit> {
    if args.format.is_json() {
        app.out.print_json(&Entries { framecost_baselines: 1, baselines })?;
    } else {
        app.out.print(text)?;
    }
    Ok(Exit::Passed)
}

fn entry(baseline: &Baseline) -> Result<Entry> {
    Ok(Entry {
        name: baseline.name(),
        key: Some(output::raw(&wire::key_to_json(&baseline.key.key))?),
        semantics: baseline.key.semantics.iter().map(|it| it.name()).collect(),
        measured_at: baseline.measured_at.clone(),
        runs: baseline.runs.iter().map(|run| run.capture.clone()).collect(),
        damaged: None,
    })
}

/// One line: scene, adapter, size, switches, number of runs. Names are as captures give them.
fn summary(baseline: &Baseline) -> String {
    let key = &baseline.key.key;
    let size = key.size.map_or_else(|| "size not stated".into(), |size| size.to_string());
    let line = format!(
        "{} on {} ({}), {size}, {}, {} run(s), measured {}",
        key.scene,
        key.adapter,
        key.backend,
        switches(&key.switches),
        baseline.runs.len(),
        baseline.measured_at.as_deref().unwrap_or("at a time not stated"),
    );
    clean(&line)
}

fn switches(switches: &Switches) -> String {
    if switches.0.is_empty() { "no switches".into() } else { switches.to_string() }
}

/// Every part of the key, then the runs.
fn describe(baseline: &Baseline) -> String {
    let key = &baseline.key.key;
    let none = || "not stated".to_owned();
    let semantics: Vec<&str> = baseline.key.semantics.iter().map(|it| it.name()).collect();
    let rows = [
        ("benchmark", key.benchmark.clone()),
        ("scene", key.scene.clone()),
        ("switches", switches(&key.switches)),
        ("adapter", format!("{} ({})", key.adapter, key.adapter_class.name())),
        ("backend", key.backend.clone()),
        ("size", key.size.map_or_else(none, |size| size.to_string())),
        ("settings", key.settings_hash.clone()),
        ("instrumentation", key.instrumentation.0.clone()),
        ("frames in flight", key.frames_in_flight.map_or_else(none, |frames| frames.to_string())),
        ("stamps", semantics.join(", ")),
        ("measured", baseline.measured_at.clone().unwrap_or_else(none)),
    ];
    let mut text = format!("{}\n", quoted(&baseline.dir));
    for (name, value) in rows {
        let _ = writeln!(text, "  {name:<17} {}", clean(&value));
    }
    for run in &baseline.runs {
        let _ = writeln!(text, "  run               {}  sha256 {}", clean(&run.capture), run.sha256);
    }
    text
}
