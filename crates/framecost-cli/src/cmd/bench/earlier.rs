//! Captures of earlier calls in the folder of `--out`. In: what this call writes. Out: remarks on stderr, so that nothing of
//! another key is replaced silently, and nothing old is taken for a run of today. Nothing is ever deleted.

use std::fs;
use std::path::{Path, PathBuf};

use framecost_sample::Capture;
use framecost_store::baseline::HardKey;

use crate::capture::is_capture;
use crate::output::{clean, quoted};

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
            let names = listed(&stale);
            format!("note: of the same key, but not of this call: {names}; a pattern over the folder takes them in")
        })
    }
}

fn replaced(path: &Path, differences: &[String]) -> String {
    format!(
        "note: {} held a capture of another key, now replaced: {}",
        quoted(path),
        clean(&listed(differences))
    )
}

/// The first few, and how many more.
fn listed(all: &[String]) -> String {
    const MOST: usize = 8;
    let more = if all.len() > MOST { format!(" and {} more", all.len() - MOST) } else { String::new() };
    format!("{}{more}", all[..all.len().min(MOST)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_says_how_many_it_leaves_out() {
        let names: Vec<String> = (1..=10).map(|i| i.to_string()).collect();
        assert_eq!(listed(&names), "1, 2, 3, 4, 5, 6, 7, 8 and 2 more");
        assert_eq!(listed(&names[..8]), "1, 2, 3, 4, 5, 6, 7, 8");
    }
}
