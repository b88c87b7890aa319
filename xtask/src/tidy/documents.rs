//! The documents: what they point at is there, and no text names somebody's machine. In: every text file. Out: dangling
//! paths and links, doubled or empty rows of the requirements, paths of a machine.

use std::collections::HashSet;

use super::tree::{File, Tree};

const REQUIREMENTS: &str = "docs/requirements.md";

/// Folders that exist on somebody's machine alone, cut in two so that this file passes its own check.
const MACHINE_PATHS: [(&str, &str); 5] =
    [("/ho", "me/"), ("/ro", "ot/"), ("/wo", "rk/"), ("/Use", "rs/"), ("C:\\Use", "rs\\")];

/// Where a path in backticks is one of this repository.
const OURS: [&str; 6] = ["crates/", "docs/", "examples/", "xtask/", ".ci/", ".cargo/"];

pub(super) fn check(tree: &Tree) -> Vec<String> {
    let mut violations: Vec<String> = tree.files.iter().flat_map(machine_paths).collect();
    violations.extend(tree.ending(".md").flat_map(|file| dangling(tree, file)));
    match tree.get(REQUIREMENTS) {
        Some(file) => violations.extend(requirements(tree, file)),
        None => violations
            .push(format!("{REQUIREMENTS} is missing: it says what is covered, where and how it is shown")),
    }
    violations
}

fn machine_paths(file: &File) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    let named = |line: &str| MACHINE_PATHS.iter().any(|(a, b)| line.contains(&format!("{a}{b}")));
    lines
        .filter(|(_, line)| named(line))
        .map(|(i, _)| format!("{}:{}: names a path of somebody's machine", file.path, i + 1))
        .collect()
}

/// Paths in backticks and relative links that lead nowhere.
fn dangling(tree: &Tree, file: &File) -> Vec<String> {
    let mut violations = Vec::new();
    for (i, line) in file.text.lines().enumerate() {
        let ticked = line.split('`').skip(1).step_by(2).filter(|it| is_path(it)).map(str::to_owned);
        let linked = links(line).filter_map(|link| beside(&file.path, link));
        for path in ticked.chain(linked).filter(|path| !tree.has(path)) {
            violations.push(format!("{}:{}: `{path}` is not there", file.path, i + 1));
        }
    }
    violations
}

fn is_path(text: &str) -> bool {
    OURS.iter().any(|folder| text.starts_with(folder)) && !text.contains([' ', '*', '<', '{', ':'])
}

/// The targets of markdown links in a line that lead into this repository.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', '#', ' ']).next()?;
        (!target.is_empty() && !target.contains(':')).then_some(target)
    })
}

/// A link's target from the root, by way of the folder of the file that holds it.
fn beside(file: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

/// Rows of the requirements: `| id | ... | where it lives | how it is shown |`, each id once, no cell empty, and every
/// test that the last cell names in backticks is there.
fn requirements(tree: &Tree, file: &File) -> Vec<String> {
    let (mut seen, mut violations) = (HashSet::new(), Vec::new());
    for (i, line) in file.text.lines().enumerate() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        if !line.starts_with('|') || !is_id(cells[0]) {
            continue;
        }
        let mut fault = |text: String| violations.push(format!("{}:{}: {text}", file.path, i + 1));
        if !seen.insert(cells[0]) {
            fault(format!("{} stands twice", cells[0]));
        }
        if cells.len() < 3 || cells.iter().any(|cell| cell.is_empty()) {
            fault(format!("{} must say where it lives and how it is shown", cells[0]));
        }
        for test in tests(cells[cells.len() - 1]).filter(|test| !has_function(tree, test)) {
            fault(format!("{} is shown by `{test}`, which is no test here", cells[0]));
        }
    }
    if seen.is_empty() {
        violations.push(format!("{}: holds no row of the form `| P1 | where | how |`", file.path));
    }
    violations
}

/// The names of functions in backticks in a cell.
fn tests(cell: &str) -> impl Iterator<Item = &str> {
    let ticked = cell.split('`').skip(1).step_by(2);
    ticked.filter(|it| {
        it.contains('_') && it.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    })
}

fn has_function(tree: &Tree, name: &str) -> bool {
    let declared = format!("fn {name}(");
    tree.ending(".rs").any(|file| file.text.contains(&declared))
}

fn is_id(cell: &str) -> bool {
    let number = cell.strip_prefix(['P', 'H', 'C', 'M', 'X']).unwrap_or_default();
    !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "| P1 | `docs/requirements.md` | a test |\n";

    fn violations(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(REQUIREMENTS, GOOD), (path, text)]))
    }

    #[test]
    fn paths_and_links_lead_somewhere() {
        assert_eq!(
            violations("a.md", "see `crates/gone/src/lib.rs`"),
            ["a.md:1: `crates/gone/src/lib.rs` is not there"]
        );
        assert_eq!(
            violations("docs/a.md", "[x](b.md) [y](../docs/requirements.md#p) [z](https://x.y/z)").len(),
            1
        );
        assert!(violations("a.md", "`docs/requirements.md` `crates/*/src` `cargo test`").is_empty());
    }

    #[test]
    fn nobodys_machine_is_named() {
        let text = format!("let path = \"{}{}me\";", "/ho", "me/");
        assert_eq!(violations("a.rs", &text), ["a.rs:1: names a path of somebody's machine"]);
    }

    #[test]
    fn requirements_stand_once_and_whole() {
        let of = |text: &str| check(&Tree::of(&[(REQUIREMENTS, text)]));
        assert!(of(GOOD)[..].is_empty());
        assert_eq!(of(&GOOD.repeat(2)).len(), 1);
        assert_eq!(of("| P1 | somewhere | |\n").len(), 1);
        assert_eq!(of("nothing\n").len(), 1);
        assert_eq!(of("| P1 | somewhere | `a_test_that_is_gone` |\n").len(), 1);
        let shown = [(REQUIREMENTS, "| P1 | somewhere | `a_test` |\n"), ("a.rs", "//! A.\nfn a_test() {}\n")];
        assert!(check(&Tree::of(&shown)).is_empty());
        assert!(check(&Tree::of(&[]))[0].contains("is missing"));
    }
}
