//! Hands the revision of the source to the program. In: git, where there is one and the source lies in a repository. Out: the
//! variable `FRAMECOST_REVISION`, which says `unknown` otherwise; never a failed build.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // Every commit and every change of branch is a line in this log.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    let revision = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_else(|| "unknown".into());
    println!("cargo::rustc-env=FRAMECOST_REVISION={revision}");
}

/// What git answers in one line; none if there is no git, no repository, or no answer.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !line.is_empty() && !line.contains('\n')).then_some(line)
}
