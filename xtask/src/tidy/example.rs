//! The example of somebody's own scene: the README shows it as it is, and it stands without the workspace around it. In: the
//! README, the example's files. Out: where they differ, and keys that only a workspace explains.

use super::tree::{File, Tree};

const README: &str = "README.md";
const MANIFEST: &str = "examples/own-scene/Cargo.toml";
const BENCH: &str = "examples/own-scene/benches/frame.rs";
/// Where framecost lies from the example, and from a renderer beside a checkout of it, as the README has it.
const PATHS: [&str; 2] = ["../../crates/", "../framecost/crates/"];

pub(super) fn check(tree: &Tree) -> Vec<String> {
    let (Some(readme), Some(manifest), Some(bench)) = (tree.get(README), tree.get(MANIFEST), tree.get(BENCH))
    else {
        return vec![format!(
            "{README}, {MANIFEST} and {BENCH} show how to measure one's own scene; one is missing"
        )];
    };
    let mut violations = alone(manifest);
    if !fenced(&readme.text, "rust").any(|block| block == bench.text) {
        violations.push(format!("{README}: must show {BENCH} as it is"));
    }
    let elsewhere = manifest.text.replace(PATHS[0], PATHS[1]);
    let lines = fenced(&readme.text, "toml").find(|block| block.contains("[[bench]]")).unwrap_or_default();
    if lines.is_empty() {
        violations.push(format!("{README}: must show the sections that a manifest needs for [[bench]]"));
    }
    // The README has no more than a renderer's manifest must gain, each line of it as the example has it.
    let shown = lines.lines().filter(|line| !elsewhere.lines().any(|own| own == *line));
    violations.extend(shown.map(|line| format!("{README}: `{line}` is no line of {MANIFEST}")));
    violations
}

/// Keys that cargo looks up in a workspace, which a copy does not have.
fn alone(manifest: &File) -> Vec<String> {
    let lines = manifest.text.lines().enumerate();
    let borrowed = lines.filter(|(_, line)| {
        let line = line.split('#').next().unwrap_or_default();
        line.contains(".workspace") || line.contains("workspace =")
    });
    borrowed
        .map(|(i, line)| format!("{MANIFEST}:{}: `{line}` means nothing in a copy; spell it out", i + 1))
        .collect()
}

/// The fenced blocks of that language, whatever stands behind its name.
fn fenced<'a>(text: &'a str, language: &'a str) -> impl Iterator<Item = &'a str> {
    // Odd parts lie inside fences; the line end before the closing fence belongs to the block.
    text.split("```").skip(1).step_by(2).filter_map(move |block| {
        let (head, body) = block.split_once('\n')?;
        (head.split(',').next() == Some(language)).then_some(body)
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use super::*;

    const GOOD: [(&str, &str); 3] = [
        (
            README,
            "# A\n\n```toml\n[[bench]]\na = { path = \"../framecost/crates/a\" }\n```\n\n```rust,ignore\n//! A.\nfn a() {}\n```\n",
        ),
        (MANIFEST, "[package]\n[[bench]]\na = { path = \"../../crates/a\" }\n"),
        (BENCH, "//! A.\nfn a() {}\n"),
    ];

    fn violations(file: &str, from: &str, to: &str) -> Vec<String> {
        let files =
            GOOD.map(|(path, text)| (path, if path == file { text.replace(from, to) } else { text.into() }));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        check(&Tree::of(&files))
    }

    #[test]
    fn the_readme_shows_the_example_as_it_is() {
        assert_eq!(violations("", "", ""), Vec::<String>::new());
        assert_eq!(violations(BENCH, "fn a", "fn b").len(), 1);
        assert_eq!(violations(README, "fn a", "fn b").len(), 1);
        assert_eq!(
            violations(MANIFEST, "a = {", "b = {"),
            [
                "README.md: `a = { path = \"../framecost/crates/a\" }` is no line of examples/own-scene/Cargo.toml"
            ]
        );
        assert_eq!(violations(README, "[[bench]]", "[[test]]").len(), 1);
        assert_eq!(check(&Tree::of(&GOOD[..2])).len(), 1);
    }

    #[test]
    fn a_key_of_the_workspace_is_named() {
        for key in ["edition.workspace = true", "[lints]\nworkspace = true", "wgpu = { workspace = true }"] {
            let found = violations(MANIFEST, "[package]", &format!("[package]\n{key}"));
            assert!(found.len() == 1 && found[0].contains("spell it out"), "{key}: {found:?}");
        }
        assert!(violations(MANIFEST, "[package]", "[package] # no workspace = true").is_empty());
    }

    /// Cargo itself reads a copy outside of the repository.
    #[test]
    fn a_copy_of_the_example_resolves() {
        let root = crate::root().unwrap();
        let copy = tempfile::tempdir().unwrap();
        copy_folder(&root.join("examples/own-scene"), copy.path());
        let manifest = copy.path().join("Cargo.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        let crates = format!("{}/", root.join("crates").display());
        fs::write(&manifest, text.replace(PATHS[0], &crates)).unwrap();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let arguments = ["metadata", "--offline", "--no-deps", "--format-version", "1"];
        let output = Command::new(cargo).args(arguments).current_dir(copy.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{errors}");
        assert!(String::from_utf8_lossy(&output.stdout).contains("\"name\":\"own-scene\""), "{errors}");
    }

    fn copy_folder(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let (entry, to) = (entry.as_ref().unwrap(), to.join(entry.as_ref().unwrap().file_name()));
            if entry.path().is_dir() {
                copy_folder(&entry.path(), &to);
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
}
