//! Captures of earlier calls in the folder of `--out`. In: what this call writes. Out: remarks on stderr, so that nothing of
//! another key is replaced silently, and nothing old is taken for a run of today. Nothing is ever deleted.

use std::fs;
use std::path::{Path, PathBuf};

use framecost::some_of;
use framecost_sample::Capture;
use framecost_store::baseline::HardKey;

use crate::capture::is_capture;
use crate::output::{clean, quoted};

/// Captures, or parts of a key, that a remark has room for.
const MOST_LISTED: usize = 8;

/// What this call has written so far.
#[derive(Debug, Default)]
pub(super) struct Written(Vec<(PathBuf, HardKey)>);

impl Written {
    /// Takes note of a capture that is about to be written there. What it replaces is told, where that is of another key.
    pub(super) fn note(&mut self, path: &Path, capture: &Capture) -> Option<String> {
        let key = HardKey::of(capture);
        let told = is_capture(path).then(|| framecost_store::read(path).ok()).flatten().and_then(|before| {
            let differences = key.differences(&HardKey::of(&before));
            (!differences.is_empty()).then(|| replaced(path, &differences))
        });
        self.0.push((path.into(), key));
        told
    }

    /// The captures in the folder that this call did not write, though a pattern over the folder would pool them with those
    /// that it wrote.
    pub(super) fn stale(&self, folder: &Path) -> Option<String> {
        let mut others: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_capture(path) && self.0.iter().all(|(written, _)| written != path))
            .collect();
        others.sort();
        let pooled = |path: &PathBuf| {
            // A damaged capture is found by whoever reads it.
            let key = HardKey::of(&framecost_store::read(path).ok()?);
            self.0.iter().any(|(_, written)| *written == key).then(|| quoted(path))
        };
        let stale: Vec<String> = others.iter().filter_map(pooled).collect();
        (!stale.is_empty()).then(|| {
            let names = some_of(&stale, MOST_LISTED, "capture");
            format!("note: of the same key, but not of this call: {names}; a pattern over the folder takes them in")
        })
    }
}

fn replaced(path: &Path, differences: &[String]) -> String {
    format!(
        "note: {} held a capture of another key, now replaced: {}",
        quoted(path),
        clean(&some_of(differences, MOST_LISTED, "difference"))
    )
}
