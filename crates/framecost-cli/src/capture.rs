//! Captures as the commands take them. In: paths. Out: analyses, and captures gathered by key.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use framecost::Analysis;
use framecost::account::{Floor, account, check_identities};
use framecost::judge::{Known, Renamed};
use framecost_sample::{Capture, Logged};
use framecost_store::baseline::HardKey;

use crate::configured::Configured;
use crate::exit::WrongUse;
use crate::output::quoted;

/// A capture with the folder that it came from.
pub(crate) struct Read {
    pub(crate) path: PathBuf,
    pub(crate) capture: Capture,
}

/// Captures of one key: repeats of one variant.
pub(crate) struct Group {
    pub(crate) key: HardKey,
    pub(crate) paths: Vec<PathBuf>,
    pub(crate) runs: Vec<Analysis>,
    /// What was read under a new name.
    pub(crate) renamed: Vec<Renamed>,
    /// The names that they were recorded with.
    pub(crate) known: Known,
}

/// The captures in these folders.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<Read>> {
    paths.iter().map(|path| Ok(Read { path: path.clone(), capture: framecost_store::read(path)? })).collect()
}

/// A capture with stamps: a log of another tool has none, and no command that counts stamps says anything of it.
pub(crate) fn read_stamped(path: &Path, what: &str) -> Result<Capture> {
    let capture = framecost_store::read(path)?;
    if Logged::of(&capture.environment).is_some() {
        bail!(WrongUse(format!(
            "{}: {what} takes a capture with stamps, and this one is of a log that another tool wrote; allowed for logs: {OF_LOGS}",
            quoted(path)
        )));
    }
    Ok(capture)
}

/// The commands that take logs.
const OF_LOGS: &str = "report, compare, baseline, config check, history, explain";

/// The capture's analysis. Every frame's identities are checked: that costs little, and a number that breaks one must
/// reach nobody.
pub(crate) fn analyse(capture: Capture, floor: &Floor) -> Result<Analysis> {
    let ledger = account(&capture, floor);
    if let Some(violation) = check_identities(&ledger, &capture).first() {
        bail!(
            "the accounting broke an identity, which is a fault of framecost and not of the capture: {violation}"
        );
    }
    Ok(Analysis::new(capture, ledger))
}

/// The captures by key, in the order in which each key first stands.
pub(crate) fn group(captures: Vec<Read>) -> Result<Vec<Group>> {
    group_under(captures, &Configured::default())
}

/// As [`group`], under the names and with the gates of a configuration.
pub(crate) fn group_under(captures: Vec<Read>, configured: &Configured) -> Result<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for Read { path, capture } in captures {
        let known = Known::of([&capture]);
        let (capture, renamed) = configured.prepare(capture).with_context(|| quoted(&path))?;
        let key = HardKey::of(&capture);
        let at = groups.iter().position(|group| group.key == key).unwrap_or_else(|| {
            groups.push(Group {
                key,
                paths: Vec::new(),
                runs: Vec::new(),
                renamed: Vec::new(),
                known: Known::default(),
            });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.runs.push(analyse(capture, &Floor::default()).with_context(|| quoted(&path))?);
        group.paths.push(path);
        group.renamed.extend(renamed);
        group.known.extend(&known);
    }
    Ok(groups)
}

/// Whether the folder looks like a capture, sound or not.
pub(crate) fn is_capture(path: &Path) -> bool {
    path.join("capture.json").exists()
}
