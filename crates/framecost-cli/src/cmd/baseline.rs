//! `framecost baseline`: runs kept to compare with, one set per scene, switches, adapter and size.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use framecost::counted;
use framecost_sample::{Switches, wire};
use framecost_store::baseline::{self, Baseline, Listed};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::ListFormat;
use crate::capture::{group, read_all};
use crate::exit::Exit;
use crate::expected::Expected;
use crate::output::{self, clean, quoted};
use crate::reference::{BASELINES, check_named, elsewhere};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost baseline save out/orrery.framecost
  framecost baseline save out/orrery-1.framecost out/orrery-2.framecost    repeats of one variant
  framecost baseline save out/orrery.framecost --expect                    and `compare` misses it where it is not run
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
        /// Expect these runs from now on, with all that they measured: writes `[[expect]]` into framecost.toml
        #[arg(long)]
        expect: bool,
        /// The file to write it to [default: the nearest framecost.toml from here upwards, else a new one here]
        #[arg(long, value_name = "FILE", requires = "expect")]
        config: Option<PathBuf>,
    },
    /// Every stored baseline; damaged ones are named and make the exit code 3
    List,
    /// What one baseline is of, after reading its runs whole; exit code 3 if any of it is damaged
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
#[derive(Default, Serialize)]
struct Entry {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    semantics: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured_at: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
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
        Action::Save { captures, expect, config } => {
            save(args, app, captures, expect.then_some(config.as_deref()))
        }
        Action::List => {
            check_named(root)?;
            list(args, app, baseline::list(root)?)
        }
        Action::Show { name } => {
            let broken = || format!("baseline `{}` cannot be used", clean(name));
            let found = baseline::named(root, name).with_context(broken)?;
            found.load().with_context(broken)?;
            show(args, app, &describe(&found), vec![entry(&found)?])
        }
        Action::Remove { name } => {
            baseline::remove(root, name)?;
            show(args, app, &format!("removed {}\n", quoted(&root.join(name))), Vec::new())
        }
    }
}

/// What was written, and what is left to do: a baseline that is on one machine alone gates nobody else's runs.
fn save(args: &Args, app: &App<'_>, captures: &[PathBuf], expect: Option<Option<&Path>>) -> Result<Exit> {
    let expected = expect.map(|file| Expected::of(file, group(read_all(captures)?)?)).transpose()?;
    let before = baseline::list(&args.baselines)?;
    let saved = baseline::save(&args.baselines, captures)?;
    let replaced = match before.iter().find(|listed| listed.name == saved.name()) {
        None => "",
        Some(Listed { baseline: Ok(_), .. }) => ", in place of the baseline before",
        Some(Listed { baseline: Err(_), .. }) => {
            ", in place of a damaged one, which version control may still have"
        }
    };
    let mut text = format!(
        "saved {}{replaced}: {}\n  {}\ncommit this folder; `compare` takes it for every run of the same key\n",
        runs(saved.runs.len()),
        summary(&saved),
        quoted(&saved.dir),
    );
    if let Some(expected) = expected {
        let _ = writeln!(text, "{}", expected.write()?);
    }
    show(args, app, &text, vec![entry(&saved)?])
}

/// Damaged baselines are listed with the others and make the exit code: a gate would stumble over them.
fn list(args: &Args, app: &App<'_>, found: Vec<Listed>) -> Result<Exit> {
    let (mut text, mut entries, mut damaged) = (String::new(), Vec::new(), 0);
    if let Some(elsewhere) = elsewhere(&args.baselines) {
        show(args, app, &format!("{elsewhere}\n"), entries)?;
        return Ok(Exit::NotMeasured);
    }
    if found.is_empty() {
        let root = quoted(&args.baselines);
        let _ = writeln!(text, "no baselines under {root}; `baseline save CAPTURE` keeps one there");
    }
    for Listed { name, baseline } in found {
        match baseline {
            Ok(baseline) => {
                let line = format!("{}, {}", summary(&baseline), runs(baseline.runs.len()));
                let _ = writeln!(text, "{name}\n  {line}");
                entries.push(entry(&baseline)?);
            }
            Err(error) => {
                damaged += 1;
                let _ = writeln!(text, "{}\n  damaged: {error}", clean(&name));
                entries.push(Entry { name, damaged: Some(error.to_string()), ..Entry::default() });
            }
        }
    }
    show(args, app, &text, entries)?;
    if damaged == 0 {
        return Ok(Exit::Passed);
    }
    app.out.note(&format!(
        "{damaged} damaged: bring the folder back from version control, or remove it and save the baseline anew"
    ));
    Ok(Exit::NotMeasured)
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

fn runs(count: usize) -> String {
    counted(count as u64, "run")
}

/// One line: scene, adapter, size, switches, what was stamped, when. Names are as captures give them.
fn summary(baseline: &Baseline) -> String {
    let key = &baseline.key.key;
    let size = key.size.map_or_else(|| "size not stated".into(), |size| size.to_string());
    let line = format!(
        "{} on {} ({}), {size}, {}, instrumentation {}, measured {}",
        key.scene,
        key.adapter,
        key.backend,
        switches(&key.switches),
        key.instrumentation.0,
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
