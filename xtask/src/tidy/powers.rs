//! Who may print, exit, open files, read the environment or the clock, or start threads. In: the crates' sources. Out: uses
//! of a power by a file that does not have it.

use super::source;
use super::tree::{File, Tree};

/// Something that reaches outside a function's arguments, and the code that shows it.
struct Power {
    name: &'static str,
    tokens: &'static [&'static str],
    /// Paths that have it, each with the reason.
    granted: &'static [(&'static str, &'static str)],
}

const CLI: (&str, &str) = ("crates/framecost-cli/src/", "the edge");
const BUILD: (&str, &str) = ("crates/framecost-cli/build.rs", "asks git for the revision and tells cargo");
const OWN_SCENE: (&str, &str) = ("examples/", "a program of somebody's own");
const XTASK: (&str, &str) = ("xtask/src/", "a program for developers");

const POWERS: &[Power] = &[
    Power {
        name: "print",
        tokens: &["print!(", "println!(", "eprint!(", "eprintln!(", "io::stdout", "io::stderr"],
        granted: &[CLI, BUILD, XTASK],
    },
    Power { name: "end the process", tokens: &["process::exit", "process::abort"], granted: &[CLI] },
    Power {
        name: "start a process",
        tokens: &["process::Command", "Command::new"],
        granted: &[
            ("crates/framecost-harness/src/environment", "asks the driver's tool for clocks and power"),
            ("crates/framecost-cli/src/cmd/spawn.rs", "measures by other programs"),
            BUILD,
            XTASK,
        ],
    },
    Power {
        name: "open files",
        tokens: &["std::fs", "fs::read", "fs::write", "File::open", "File::create", "fs::OpenOptions"],
        granted: &[
            ("crates/framecost-store/src/", "captures and baselines on disk"),
            ("crates/framecost-harness/src/environment", "reads what the system says of itself"),
            BUILD,
            CLI,
            XTASK,
        ],
    },
    Power {
        name: "read the environment",
        tokens: &["std::env::", "env::var", "env::args", "env::current_dir"],
        granted: &[
            ("crates/framecost-harness/src/environment", "names the system and its architecture"),
            CLI,
            XTASK,
        ],
    },
    Power {
        name: "read a clock",
        tokens: &["Instant", "SystemTime"],
        granted: &[
            ("crates/framecost-probe/src/", "measures the host"),
            ("crates/framecost-wgpu/src/", "deadlines, and holding stamps against wall time"),
            ("crates/framecost-harness/src/", "measures the host"),
            CLI,
            XTASK,
        ],
    },
    Power {
        name: "start or hold threads",
        tokens: &["thread::spawn", "thread::scope", "thread::sleep", "thread::Builder"],
        granted: &[
            ("crates/framecost-probe/src/", "waits are its own"),
            ("crates/framecost-wgpu/src/", "waits for the device"),
            ("crates/framecost-harness/src/", "waits for the device and for tools"),
            ("crates/framecost-store/src/foreign/parts.rs", "reads a file in parts on all processors"),
            CLI,
        ],
    },
];

pub(super) fn check(tree: &Tree) -> Vec<String> {
    let sources = tree.ending(".rs").filter(|file| is_product(&file.path));
    sources.flat_map(check_file).collect()
}

/// Tests and benches may do what they like; everything else is held to the table.
fn is_product(path: &str) -> bool {
    !["/tests/", "/tests.rs", "/benches/", "/examples/"].iter().any(|place| path.contains(place))
        && !path.starts_with(OWN_SCENE.0)
}

fn check_file(file: &File) -> Vec<String> {
    let code = source::code(&file.text);
    let mut violations = Vec::new();
    for power in POWERS.iter().filter(|power| !power.granted.iter().any(|row| file.path.starts_with(row.0))) {
        for token in power.tokens {
            for (at, _) in code.match_indices(token).filter(|(at, _)| starts_word(&code, *at)) {
                let line = source::line_of(&code, at);
                let path = &file.path;
                violations.push(format!("{path}:{line}: must not {} (`{token}`)", power.name));
            }
        }
    }
    violations
}

fn starts_word(code: &str, at: usize) -> bool {
    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of(&[(path, text)]))
    }

    #[test]
    fn each_power_is_caught_where_it_is_not_granted() {
        for power in POWERS {
            for token in power.tokens {
                let found = violations("crates/framecost/src/stats/mod.rs", &format!("fn f() {{ {token} }}"));
                assert!(found.iter().any(|it| it.contains(power.name)), "{token}: {found:?}");
            }
        }
    }

    #[test]
    fn a_grant_holds_for_its_path_alone() {
        let text = "use std::fs;";
        assert!(violations("crates/framecost-store/src/file.rs", text).is_empty());
        assert_eq!(violations("crates/framecost-harness/src/run.rs", text).len(), 1);
        assert!(violations("crates/framecost-harness/src/environment/host.rs", text).is_empty());
    }

    #[test]
    fn tests_and_words_that_only_contain_a_token_are_free() {
        assert!(violations("crates/framecost/tests/a.rs", "fn f() { println!(); }").is_empty());
        assert!(
            violations("crates/framecost/src/a.rs", "struct FirstInstant; // println!(\"x\")").is_empty()
        );
        assert!(
            violations("crates/framecost/src/a.rs", "#[cfg(test)]\nmod tests { use std::fs; }").is_empty()
        );
    }
}
