//! Captures of many revisions, read as far as a history needs them. In: a folder searched at any depth. Out: one small run for
//! each capture of the scene and of its references; what could not be read, with its reason.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, Result, anyhow, bail};
use framecost::account::{Floor, account, check_identities};
use framecost::counted;
use framecost::history::{Asked, LeftOut, Reference, Run};
use framecost::judge::Config;
use framecost::stats::{Statistic, Summary};
use framecost_sample::{Environment, Logged, Reading, metric_names};
use framecost_store::{EXTENSION, Tables};

use crate::capture::is_capture;
use crate::exit::{self, Exit, WrongUse};
use crate::output::{clean, quoted};
use crate::progress::Progress;

/// Folders in folders that are looked into: more is a ring, or no place for captures.
const DEEPEST: usize = 32;

/// What to read of them.
pub(crate) struct Wanted<'a> {
    pub(crate) scene: &'a str,
    /// Scenes and capture folders.
    pub(crate) references: &'a [String],
    /// None: what each capture is followed by where nobody asks.
    pub(crate) metrics: &'a [Asked],
    pub(crate) statistic: Statistic,
    /// Facts and the values that they must have.
    pub(crate) conditions: &'a [(String, String)],
    pub(crate) config: &'a Config,
}

/// What was read.
#[derive(Default)]
pub(crate) struct Past {
    pub(crate) runs: Vec<Run>,
    pub(crate) references: Vec<Reference>,
    pub(crate) left_out: Vec<LeftOut>,
    /// Scenes that are there and were not asked for.
    pub(crate) other_scenes: BTreeSet<String>,
    pub(crate) notes: Vec<String>,
}

/// What one folder turned out to be.
enum Found {
    Run {
        id: String,
        scene: String,
        run: Box<Run>,
    },
    OtherScene(String),
    /// It does not meet a condition.
    Elsewhere,
}

impl Past {
    /// Reads the captures under the folder, and the captures that are named as references.
    pub(crate) fn read(folder: &Path, wanted: &Wanted<'_>) -> Result<Self> {
        if !folder.is_dir() {
            bail!("{} is no folder, so that there are no captures in it", quoted(folder));
        }
        let mut past = Self::default();
        let (named, scenes): (Vec<PathBuf>, Vec<&String>) = references(wanted.references)?;
        let mut paths = named.clone();
        search(folder, 0, &mut paths, &mut past.left_out);
        let found = read_all(&paths, wanted, &named);
        let mut seen = HashSet::new();
        let (mut copies, mut elsewhere) = (0, 0);
        let mut by_reference: BTreeMap<String, Vec<Run>> = BTreeMap::new();
        for (path, found) in paths.iter().zip(found) {
            match found {
                // What `framecost.toml` asks for in vain is no fault of the capture.
                Err(error) if exit::of_error(&error) == Exit::WrongUse => return Err(error),
                Err(error) => past.left_out.push(LeftOut { path: text(path), reason: format!("{error:#}") }),
                Ok(Found::OtherScene(scene)) => drop(past.other_scenes.insert(scene)),
                Ok(Found::Elsewhere) => elsewhere += 1,
                Ok(Found::Run { id, .. }) if !seen.insert(id.clone()) => copies += 1,
                Ok(Found::Run { scene, run, .. }) if named.contains(path) || scenes.contains(&&scene) => {
                    by_reference.entry(scene).or_default().push(*run);
                }
                Ok(Found::Run { run, .. }) => past.runs.push(*run),
            }
        }
        for scene in scenes {
            if !by_reference.contains_key(scene) {
                bail!("no captures of reference scene `{}` under {}", clean(scene), quoted(folder));
            }
        }
        past.references = by_reference.into_iter().map(|(name, runs)| Reference { name, runs }).collect();
        if copies > 0 {
            past.notes.push(format!(
                "{} with a run that stands elsewhere too: it counts once",
                counted(copies, "folder")
            ));
        }
        if elsewhere > 0 {
            past.notes.push(format!("{} left aside by --where", counted(elsewhere, "capture")));
        }
        Ok(past)
    }
}

/// References that are capture folders, and those that are scenes.
fn references(given: &[String]) -> Result<(Vec<PathBuf>, Vec<&String>)> {
    let (mut paths, mut scenes) = (Vec::new(), Vec::new());
    for reference in given {
        let path = Path::new(reference);
        if is_capture(path) {
            paths.push(path.to_path_buf());
        } else if reference.contains(['/', '\\']) || path.extension().is_some_and(|it| it == EXTENSION) {
            bail!(WrongUse(format!("--reference {} is no capture folder", quoted(path))));
        } else {
            scenes.push(reference);
        }
    }
    Ok((paths, scenes))
}

/// Every capture folder under `folder`, in the order of names. A link is not followed, but one to a capture is named.
fn search(folder: &Path, depth: usize, found: &mut Vec<PathBuf>, left_out: &mut Vec<LeftOut>) {
    let mut fault = |path: &Path, reason: String| left_out.push(LeftOut { path: text(path), reason });
    if depth > DEEPEST {
        return fault(folder, format!("lies more than {DEEPEST} folders deep"));
    }
    let mut inside = Vec::new();
    match fs::read_dir(folder) {
        Err(error) => return fault(folder, format!("cannot be listed: {error}")),
        Ok(entries) => {
            for entry in entries {
                match entry {
                    Err(error) => fault(folder, format!("cannot be listed: {error}")),
                    Ok(entry) => inside.push(entry.path()),
                }
            }
        }
    }
    inside.sort();
    for path in inside {
        // Hidden folders are half-written captures, version control and the like.
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let Some(kind) = fs::symlink_metadata(&path).ok().filter(|_| !hidden) else { continue };
        let capture = path.extension().is_some_and(|it| it == EXTENSION) || is_capture(&path);
        if kind.is_symlink() && capture {
            left_out.push(LeftOut { path: text(&path), reason: "is a link, which is not followed".into() });
        } else if kind.is_dir() && capture {
            found.push(path);
        } else if kind.is_dir() {
            search(&path, depth + 1, found, left_out);
        }
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// What each folder holds, in their order. Each processor takes the next one: unpacking and accounting is most of the work.
fn read_all(paths: &[PathBuf], wanted: &Wanted<'_>, named: &[PathBuf]) -> Vec<Result<Found>> {
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(paths.len().max(1));
    let next = AtomicUsize::new(0);
    let (done, results) = mpsc::channel();
    let mut progress = Progress::of("captures");
    progress.expect(paths.len() as u64);
    let mut found: Vec<Option<Result<Found>>> = paths.iter().map(|_| None).collect();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (next, done) = (&next, done.clone());
            scope.spawn(move || {
                loop {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(place) else { break };
                    // Whoever does not listen any more has given up as a whole.
                    let _ = done.send((place, read(path, wanted, named.contains(path))));
                }
            });
        }
        drop(done);
        for (place, result) in results {
            progress.advance();
            found[place] = Some(result);
        }
    });
    progress.clear();
    let lost = || Err(anyhow!("was not read"));
    found.into_iter().map(|result| result.unwrap_or_else(lost)).collect()
}

/// What a capture is followed by where nobody asks: the frame's GPU time, of a log its frames' times.
fn followed(environment: &Environment) -> Result<Asked> {
    let of_log = Logged::of(environment).and_then(|logged| logged.frame_time);
    Ok(Asked::parse(of_log.as_deref().unwrap_or(metric_names::GPU_TOTAL))?)
}

fn read(path: &Path, wanted: &Wanted<'_>, named: bool) -> Result<Found> {
    let opened = framecost_store::open(path)?;
    let context = opened.context();
    let scene = context.key.scene.clone();
    let is_reference = named || wanted.references.contains(&scene);
    if scene != wanted.scene && !is_reference {
        return Ok(Found::OtherScene(scene));
    }
    let meets = |(name, value): &(String, String)| {
        let fact = context.environment.facts.iter().find(|fact| fact.name == *name);
        fact.is_some_and(|fact| fact.before == Reading::Measured(value.clone()))
    };
    if !wanted.conditions.iter().all(meets) {
        return Ok(Found::Elsewhere);
    }
    let mut metrics = match wanted.metrics {
        [] => vec![followed(&context.environment)?],
        some => some.to_vec(),
    };
    if is_reference {
        metrics.push(Asked::parse(metric_names::GPU_TOTAL)?);
    }
    let needs: Vec<(bool, bool)> =
        metrics.iter().map(|asked| asked.tables(&context.metrics, &context.figures)).collect();
    let tables = Tables { stamps: needs.iter().any(|need| need.0), samples: needs.iter().any(|need| need.1) };
    let id = opened.id().to_owned();
    let capture = opened.read(tables)?;
    let ledger = account(&capture, &Floor::default());
    if let Some(violation) = check_identities(&ledger, &capture).first() {
        bail!("the accounting broke an identity, which is a fault of framecost: {violation}");
    }
    let floor = |row: &Summary| wanted.config.limits(row).map(|limits| limits.floor);
    let run = Run::new(text(path), &capture, &ledger, &metrics, wanted.statistic, floor)
        .map_err(WrongUse)
        .context("framecost.toml")?;
    Ok(Found::Run { id, scene, run: Box::new(run) })
}
