//! Baselines: stored runs to compare with. In: capture folders, or a key. Out: one folder per key under a root, by
//! custom `bench/baselines`, with a small pointer file that fits into version control and the captures beside it:
//!
//! ```text
//!  bench/baselines/orrery-llvmpipe-...-320x180-0123456789abcdef/
//!    baseline.json       what it is of, its runs and their hashes
//!    run-1.framecost/    as many as were saved
//!    .gitattributes      keeps version control from turning line ends
//! ```
//!
//! That no baseline is there and that one is there but damaged are two answers: a gate that confuses them is green
//! for want of evidence.

mod key;
mod pointer;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use framecost_sample::Capture;

pub use key::HardKey;

use crate::capture::Files;
use crate::error::{Fault, quote, show};
use crate::{EXTENSION, StoreError, file, folder};

/// The pointer file: what makes a folder a baseline.
const POINTER: &str = "baseline.json";
const MOST_POINTER: u64 = 1 << 20;
/// Git on Windows would turn line ends, and no capture would hash to its list any more.
const ATTRIBUTES: (&str, &[u8]) = (".gitattributes", b"* -text\n");

/// A stored baseline, its captures not yet read.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline {
    /// Its folder.
    pub dir: PathBuf,
    /// What it is of.
    pub key: HardKey,
    /// When its first run began, as that capture says. Not when it was saved: equal captures make equal baselines.
    pub measured_at: Option<String>,
    /// The runs, in the order in which they were saved.
    pub runs: Vec<Run>,
}

/// One run of a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The name of the capture's folder beside the pointer file.
    pub capture: String,
    /// The hash of the capture's `SHA256SUMS`, and so of the whole capture.
    pub sha256: String,
}

/// One folder under a root of baselines.
#[derive(Debug)]
pub struct Listed {
    /// The folder's name.
    pub name: String,
    /// What it holds, or what is wrong with it.
    pub baseline: Result<Baseline, StoreError>,
}

impl Baseline {
    /// The folder's name, which stands for the baseline on the command line.
    #[must_use]
    pub fn name(&self) -> String {
        name_of(&self.dir)
    }

    /// The captures, in the runs' order.
    ///
    /// # Errors
    /// One is absent, damaged, another than was saved, or of another key.
    pub fn load(&self) -> Result<Vec<Capture>, StoreError> {
        self.runs.iter().map(|run| self.load_run(run)).collect()
    }

    fn load_run(&self, run: &Run) -> Result<Capture, StoreError> {
        let dir = self.dir.join(&run.capture);
        if fs::symlink_metadata(&dir).is_ok_and(|found| found.is_symlink()) {
            return Err(Fault::from("is a link; a baseline's captures lie beside its pointer").at(&dir));
        }
        let files = Files::read(&dir)?;
        let hash = files.hash();
        if hash != run.sha256 {
            let fault =
                format!("is not the capture that was saved: it hashes to {hash}, not to {}", run.sha256);
            return Err(Fault(fault).at(&dir));
        }
        let capture = files.decode(&dir)?;
        match self.key.differences(&HardKey::of(&capture)).first() {
            None => Ok(capture),
            Some(difference) => Err(Fault(format!("is not of its baseline's key: {difference}")).at(&dir)),
        }
    }
}

/// Saves copies of the captures as the baseline of their key under `root`, in place of the one before.
///
/// # Errors
/// No capture is given, one is given twice, keys differ, a capture cannot be read, the folder cannot be written.
pub fn save(root: &Path, captures: &[PathBuf]) -> Result<Baseline, StoreError> {
    let mut key: Option<(HardKey, &Path)> = None;
    let mut runs: Vec<Run> = Vec::new();
    let mut copies: Vec<Files> = Vec::new();
    let mut read: Vec<Capture> = Vec::new();
    for dir in captures {
        let files = Files::read(dir)?;
        let capture = files.clone().decode(dir)?;
        let own = HardKey::of(&capture);
        let (first, first_dir) = key.get_or_insert((own.clone(), dir));
        let differences = first.differences(&own);
        if !differences.is_empty() {
            let (this, that, differences) = (show(dir), show(first_dir), differences.join("; "));
            return Err(StoreError::Refused(format!(
                "`{that}` and `{this}` are of different keys: {differences}; a baseline is of one key: one call per scene and set \
                 of switches"
            )));
        }
        runs.push(Run { capture: format!("run-{}.{EXTENSION}", runs.len() + 1), sha256: files.hash() });
        copies.push(files);
        read.push(capture);
    }
    check_once(captures.iter().map(PathBuf::as_path).zip(&read))?;
    let Some((key, _)) = key else {
        return Err(StoreError::Refused("a baseline is made of at least one capture".into()));
    };
    let measured_at = read.first().and_then(|capture| capture.started_at.clone());
    let baseline = Baseline { dir: root.join(key.slug()), key, measured_at, runs };
    write(&baseline, &copies)?;
    Ok(baseline)
}

/// Checks that no run stands twice: it would count as two that agree. The captures tell, not their bytes, since another tool
/// may have written the same run anew.
///
/// # Errors
/// Two are the same run; the error names both paths.
pub fn check_once<'a>(runs: impl IntoIterator<Item = (&'a Path, &'a Capture)>) -> Result<(), StoreError> {
    let mut seen: Vec<(&Path, &Capture)> = Vec::new();
    for (dir, capture) in runs {
        if let Some((same, _)) = seen.iter().find(|(_, other)| *other == capture) {
            let (this, that) = (show(dir), show(same));
            return Err(StoreError::Refused(format!(
                "`{this}` holds the same run as `{that}`: a run counts once"
            )));
        }
        seen.push((dir, capture));
    }
    Ok(())
}

fn write(baseline: &Baseline, copies: &[Files]) -> Result<(), StoreError> {
    let text = pointer::to_json(baseline).map_err(|fault| fault.at(&baseline.dir))?;
    folder::replace(&baseline.dir, POINTER, |fresh| {
        for (run, files) in baseline.runs.iter().zip(copies) {
            let dir = fresh.join(&run.capture);
            fs::create_dir(&dir).map_err(StoreError::io("create", &dir))?;
            files.fill(&dir)?;
            file::sync_folder(&dir)?;
        }
        file::write(&fresh.join(ATTRIBUTES.0), ATTRIBUTES.1)?;
        file::write(&fresh.join(POINTER), text.as_bytes())
    })
}

/// The baseline of this key under `root`; none if there is no folder of its name.
///
/// # Errors
/// The folder is there, but its pointer is absent, damaged, or of another key; or a folder of another name has this key.
/// To take the latter for no baseline would let a gate pass because somebody renamed a folder.
pub fn find(root: &Path, key: &HardKey) -> Result<Option<Baseline>, StoreError> {
    let dir = root.join(key.slug());
    match fs::symlink_metadata(&dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return renamed(root, key),
        Err(error) => return Err(StoreError::io("read", &dir)(error)),
        Ok(_) => {}
    }
    let found = parse(dir)?;
    match found.key.differences(key).first() {
        None => Ok(Some(found)),
        Some(difference) => Err(Fault(format!("its key is not that of its folder's name: {difference}"))
            .at(&found.dir.join(POINTER))),
    }
}

/// The fault of a folder that has this key under another name; none if no folder has it.
fn renamed(root: &Path, key: &HardKey) -> Result<Option<Baseline>, StoreError> {
    for dir in folders(root)? {
        if parse(dir.clone()).is_ok_and(|found| found.key.differences(key).is_empty()) {
            return open(dir).map(Some);
        }
    }
    Ok(None)
}

/// The baseline of that name under `root`.
///
/// # Errors
/// It is not there, or damaged: a folder that was renamed is, since its name says of which key it is.
pub fn named(root: &Path, name: &str) -> Result<Baseline, StoreError> {
    open(dir_of(root, name)?)
}

/// Every baseline under `root` by name, the damaged ones with their fault. A root that is not there holds none.
///
/// # Errors
/// The root cannot be listed.
pub fn list(root: &Path) -> Result<Vec<Listed>, StoreError> {
    let listed = |dir: PathBuf| Listed { name: name_of(&dir), baseline: open(dir) };
    Ok(folders(root)?.into_iter().map(listed).collect())
}

/// Where baselines are, if none are in `root` although somebody thinks so: the folder that holds `root` where it is a baseline
/// itself, or those below it, two deep, that hold some. Nothing where `root` holds a baseline, damaged or not.
#[must_use]
pub fn elsewhere(root: &Path) -> Vec<PathBuf> {
    // Folders looked into: a whole disk that somebody names is not searched.
    const MOST: usize = 1000;
    let is_baseline = |dir: &PathBuf| dir.join(POINTER).exists();
    let holds = |dir: &PathBuf| folders(dir).is_ok_and(|inside| inside.iter().any(is_baseline));
    if is_baseline(&root.to_path_buf()) {
        let parent = root.parent().filter(|parent| !parent.as_os_str().is_empty());
        return vec![parent.unwrap_or_else(|| Path::new(".")).to_path_buf()];
    }
    let inside = folders(root).unwrap_or_default();
    if inside.iter().any(is_baseline) {
        return Vec::new();
    }
    let deeper = inside.iter().flat_map(|dir| folders(dir).unwrap_or_default());
    let mut found: Vec<PathBuf> = inside.iter().cloned().chain(deeper).take(MOST).filter(holds).collect();
    found.sort();
    found
}

/// Folders under `root` that may be baselines, by name.
fn folders(root: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let entries = match fs::read_dir(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(StoreError::io("list", root))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(StoreError::io("list", root))?.path();
        // Files beside the baselines, such as a README, are somebody's own; hidden folders are half-written ones.
        if path.is_dir() && !name_of(&path).starts_with('.') {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn name_of(dir: &Path) -> String {
    dir.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Removes the baseline of that name under `root`, captures included.
///
/// # Errors
/// It is not there, or what is there is no baseline.
pub fn remove(root: &Path, name: &str) -> Result<(), StoreError> {
    folder::remove(&dir_of(root, name)?, POINTER)
}

fn dir_of(root: &Path, name: &str) -> Result<PathBuf, StoreError> {
    let plain = Path::new(name).file_name().is_some_and(|it| it == name);
    if plain { Ok(root.join(name)) } else { Err(StoreError::Missing { path: root.join(name) }) }
}

fn open(dir: PathBuf) -> Result<Baseline, StoreError> {
    let found = parse(dir)?;
    let (name, due) = (found.name(), found.key.slug());
    if name == due {
        return Ok(found);
    }
    Err(Fault(format!(
        "is the baseline `{due}`, not {}; a baseline's folder has the name of its key",
        quote(&name)
    ))
    .at(&found.dir))
}

/// The baseline in a folder of any name.
fn parse(dir: PathBuf) -> Result<Baseline, StoreError> {
    let path = dir.join(POINTER);
    // A folder without a pointer is a damaged baseline, not an absent one.
    let text = match file::read(&path, MOST_POINTER) {
        Err(StoreError::Missing { .. }) if dir.exists() => {
            return Err(Fault(format!("holds no `{POINTER}`")).at(&dir));
        }
        other => other?,
    };
    pointer::from_json(dir, &text).map_err(|fault| fault.at(&path))
}
