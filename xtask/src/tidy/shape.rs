//! The shape of source files: each says what it is, none is too long, no function outgrows a screen. In: Rust and WGSL
//! sources. Out: those that do not.

use super::source;
use super::tree::{File, Tree};

const MOST_FILE_LINES: usize = 600;
const MOST_FUNCTION_LINES: usize = 80;
/// In a comment right above a function, with the reason why it is better long: a table, say.
const EXEMPT: &str = "// tidy: long, ";

pub(super) fn check(tree: &Tree) -> Vec<String> {
    let rust = tree.ending(".rs").flat_map(|file| {
        let mut violations = check_file(file, "//! ");
        violations.extend(check_functions(file));
        violations
    });
    let wgsl = tree.ending(".wgsl").flat_map(|file| check_file(file, "// "));
    rust.chain(wgsl).collect()
}

fn check_file(file: &File, opening: &str) -> Vec<String> {
    let File { path, text } = file;
    let mut violations = Vec::new();
    if !text.starts_with(opening) {
        violations
            .push(format!("{path}:1: must open with `{opening}` and a sentence that says what the file is"));
    }
    let lines = text.lines().count();
    if lines > MOST_FILE_LINES {
        violations
            .push(format!("{path}: has {lines} lines; at most {MOST_FILE_LINES}, one file per concern"));
    }
    violations
}

/// Tests are free: a snapshot is as long as what it shows.
fn check_functions(file: &File) -> Vec<String> {
    if file.path.contains("/tests/") || file.path.ends_with("/tests.rs") {
        return Vec::new();
    }
    let code = source::code(&file.text);
    let mut violations = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let starts = at == 0 || code[..at].ends_with(|c: char| c.is_whitespace() || c == '(');
        let declaration = code[at..].find(';').map_or(code.len(), |end| at + end);
        let Some((open, end)) = source::block(&code, at).filter(|block| starts && block.0 < declaration)
        else {
            continue;
        };
        let lines = code[open..end].lines().count();
        let line = source::line_of(&code, at);
        let above = file.text.lines().nth(line.saturating_sub(2)).unwrap_or_default();
        if lines > MOST_FUNCTION_LINES && !above.trim_start().starts_with(EXEMPT) {
            let path = &file.path;
            violations.push(format!(
                "{path}:{line}: this function has {lines} lines; at most {MOST_FUNCTION_LINES}"
            ));
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)]))
    }

    #[test]
    fn a_file_says_what_it_is() {
        assert_eq!(violations("a.rs", "fn a() {}").len(), 1);
        assert_eq!(violations("a.rs", "// not of the module\n").len(), 1);
        assert!(violations("a.rs", "//! What it is.\n").is_empty());
        assert_eq!(violations("a.wgsl", "@compute\n").len(), 1);
        assert!(violations("a.wgsl", "// What it is.\n").is_empty());
    }

    #[test]
    fn files_and_functions_have_a_longest() {
        assert_eq!(violations("a.rs", &format!("//! A.\n{}", "\n".repeat(600))).len(), 1);
        let function = |lines: usize| format!("//! A.\nfn a() {{{}}}\nfn b() {{}}\n", "\n".repeat(lines - 1));
        assert!(violations("a.rs", &function(80)).is_empty());
        assert_eq!(violations("a.rs", &function(81)), ["a.rs:2: this function has 81 lines; at most 80"]);
        assert!(violations("x/tests/a.rs", &function(81)).is_empty());
        let explained = function(81).replace("fn a", "// tidy: long, for it is a table\nfn a");
        assert!(violations("a.rs", &explained).is_empty());
    }
}
