//! Captures as the commands take them. In: paths. Out: analyses, and captures gathered by key.

use std::path::{Path, PathBuf};

use anyhow::Result;
use framecost::Analysis;
use framecost::account::{Floor, account};
use framecost_sample::Capture;
use framecost_store::baseline::HardKey;

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
}

/// The captures in these folders.
pub(crate) fn read_all(paths: &[PathBuf]) -> Result<Vec<Read>> {
    paths.iter().map(|path| Ok(Read { path: path.clone(), capture: framecost_store::read(path)? })).collect()
}

/// The capture's analysis under the usual rule.
pub(crate) fn analyse(capture: Capture) -> Analysis {
    let ledger = account(&capture, &Floor::default());
    Analysis::new(capture, ledger)
}

/// The captures by key, in the order in which each key first stands.
pub(crate) fn group(captures: Vec<Read>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for Read { path, capture } in captures {
        let key = HardKey::of(&capture);
        let at = groups.iter().position(|group| group.key == key).unwrap_or_else(|| {
            groups.push(Group { key, paths: Vec::new(), runs: Vec::new() });
            groups.len() - 1
        });
        groups[at].paths.push(path);
        groups[at].runs.push(analyse(capture));
    }
    groups
}

/// Whether the folder looks like a capture, sound or not.
pub(crate) fn is_capture(path: &Path) -> bool {
    path.join("capture.json").exists()
}
