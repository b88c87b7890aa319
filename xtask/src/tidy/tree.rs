//! The repository's text files in memory. In: its root. Out: paths, with `/` between folders, and texts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Folders that hold nothing of ours.
const LEFT_OUT: [&str; 3] = ["target", "out", ".git"];
/// Hidden folders that are ours; all others belong to somebody's tools.
const HIDDEN: [&str; 3] = [".ci", ".cargo", ".config"];

/// The text files, sorted by path.
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

/// A text file.
pub(super) struct File {
    /// From the root, such as `crates/framecost/src/lib.rs`.
    pub(super) path: String,
    pub(super) text: String,
}

impl Tree {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        walk(root, "", &mut files)?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { files })
    }

    /// Those whose path has this ending.
    pub(super) fn ending(&self, ending: &'static str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.path.ends_with(ending))
    }

    /// Whether a file or a folder with this path is there.
    pub(super) fn has(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        self.files.iter().any(|file| {
            file.path == path || file.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'))
        })
    }

    pub(super) fn get(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |&(path, text): &(&str, &str)| File { path: path.into(), text: text.into() };
        Self { files: files.iter().map(file).collect() }
    }
}

fn walk(folder: &Path, path: &str, files: &mut Vec<File>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            let ours = !name.starts_with('.') || HIDDEN.contains(&name.as_str());
            if ours && !LEFT_OUT.contains(&name.as_str()) {
                walk(&entry.path(), &path, files)?;
            }
        } else if kind.is_file() {
            // What is no text (Parquet, pictures) holds none of what is looked for, but it is there.
            let bytes = fs::read(entry.path()).with_context(|| format!("cannot read `{path}`"))?;
            files.push(File { path, text: String::from_utf8(bytes).unwrap_or_default() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_files_are_found_whole() {
        let tree = Tree::of(&[("docs/format.md", ""), ("docs-old/x.md", "")]);
        assert!(tree.has("docs/format.md") && tree.has("docs") && tree.has("docs/"));
        assert!(!tree.has("docs/form") && !tree.has("doc"));
    }
}
