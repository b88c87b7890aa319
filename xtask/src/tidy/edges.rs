//! Which module of the analysis may use which: data flows one way, from reading to reporting. In: the sources of
//! `crates/framecost`. Out: edges that the table does not have.

use super::source;
use super::tree::{File, Tree};

const ROOT: &str = "crates/framecost/src/";

/// Each module with what it may take from the crate. `Analysis` holds a ledger and its summaries, hence stands behind both.
const TABLE: &[(&str, &[&str])] = &[
    ("plural", &[]),
    ("inert", &[]),
    ("natural", &[]),
    ("nearest", &[]),
    ("finding", &["plural"]),
    ("pairing", &[]),
    ("read", &["plural", "inert", "finding"]),
    ("account", &["plural", "finding"]),
    ("stats", &["plural", "finding", "account"]),
    ("definitions", &["plural", "nearest", "stats"]),
    ("history", &["plural", "natural", "finding", "account", "stats"]),
    ("judge", &["plural", "nearest", "finding", "account", "stats", "analysis", "definitions"]),
    (
        "report",
        &[
            "plural",
            "natural",
            "inert",
            "finding",
            "account",
            "stats",
            "analysis",
            "history",
            "judge",
            "definitions",
            "read",
        ],
    ),
];

/// Names that the crate's root hands on, and the module that they stand for.
const HANDED_ON: &[(&str, &str)] = &[
    ("counted", "plural"),
    ("Finding", "finding"),
    ("Findings", "finding"),
    ("Analysis", "analysis"),
    ("analyse", "analysis"),
];

pub(super) fn check(tree: &Tree) -> Vec<String> {
    let files = tree.ending(".rs").filter(|file| file.path.starts_with(ROOT));
    files.filter(|file| file.path != format!("{ROOT}lib.rs")).flat_map(check_file).collect()
}

fn check_file(file: &File) -> Vec<String> {
    let path = &file.path[ROOT.len()..];
    let module = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
    let Some((_, allowed)) = TABLE.iter().find(|row| row.0 == module) else {
        return vec![format!(
            "{}: module `{module}` has no row in xtask/src/tidy/edges.rs; give it one",
            file.path
        )];
    };
    let code = source::code(&file.text);
    let wrong = |used: &(usize, String)| {
        let module_of = HANDED_ON.iter().find(|row| row.0 == used.1).map_or(used.1.as_str(), |row| row.1);
        module_of != module && !allowed.contains(&module_of)
    };
    let used = used(&code, levels_below_root(path)).into_iter().filter(wrong);
    used.map(|(at, name)| {
        let line = source::line_of(&code, at);
        format!("{}:{line}: module `{module}` must not use `crate::{name}`", file.path)
    })
    .collect()
}

/// How many `super::` lead from a file's module to the crate's root.
fn levels_below_root(path: &str) -> usize {
    let folders = path.matches('/').count();
    if path.ends_with("/mod.rs") { folders } else { folders + 1 }
}

/// Every name taken from the crate's root, with its place.
fn used(code: &str, levels: usize) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for prefix in ["crate::".to_owned(), "super::".repeat(levels)] {
        for (at, _) in code.match_indices(&prefix) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            let rest = &code[at + prefix.len()..];
            // A longer path that only ends so: `$crate::`, `super::super::`, `other_crate::`.
            if before.is_alphanumeric() || "_$:".contains(before) || rest.starts_with("super::") {
                continue;
            }
            found.extend(names(rest).into_iter().map(|name| (at, name)));
        }
    }
    found
}

/// The first name of each path that `rest` opens with: one, or several in braces.
fn names(rest: &str) -> Vec<String> {
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest)] };
    let (mut depth, mut start, mut found) = (1usize, 0, Vec::new());
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && c == ',') {
            found.push(word(group[start..i].trim_start()));
            start = i + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(&format!("{ROOT}{path}"), text)]))
    }

    #[test]
    fn what_lies_lower_must_not_use_what_lies_higher() {
        let found = violations("stats/mod.rs", "use crate::Finding;\nuse crate::report::Report;\n");
        assert_eq!(
            found,
            ["crates/framecost/src/stats/mod.rs:2: module `stats` must not use `crate::report`"]
        );
        assert!(violations("report/text.rs", "use crate::{Analysis, judge::{Row, Verdict}};").is_empty());
    }

    #[test]
    fn groups_inline_paths_and_supers_are_seen() {
        assert_eq!(violations("account/mod.rs", "use crate::{Finding, stats::{A, B}, judge};").len(), 2);
        assert_eq!(violations("stats/mod.rs", "fn f() { crate::judge::judge() }").len(), 1);
        assert_eq!(violations("stats/share.rs", "use super::super::judge;").len(), 1);
        assert_eq!(violations("stats/share.rs", "use super::judge;").len(), 0, "a module of its own");
        assert_eq!(violations("account.rs", "use super::judge;").len(), 1);
        assert_eq!(violations("account/mod.rs", "use crate::Analysis;").len(), 1);
    }

    #[test]
    fn texts_comments_and_tests_are_free() {
        let text = "// crate::judge\n#[cfg(test)]\nmod tests { use crate::judge; }\n";
        assert!(violations("account/mod.rs", text).is_empty());
    }

    #[test]
    fn a_new_module_needs_a_row() {
        assert!(violations("extra.rs", "")[0].contains("has no row"));
    }
}
