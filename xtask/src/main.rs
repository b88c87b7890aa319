//! What the developers of this repository run: `cargo xtask demo | test | tidy | traces | vendor | log`. In: a clean checkout. Out: a report of
//! the first scene, a checked tree, or a text that says what is in the way.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program for a person at a terminal")]

mod demo;
mod log_file;
mod perfetto;
mod setup;
mod steps;
mod test;
mod tidy;
mod vendor;

use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
cargo xtask demo    install what is missing, build, measure the reference scene and show its report
cargo xtask test    install what is missing, then run every check of this repository
cargo xtask tidy    check the structure alone: crate directions, module edges, file shapes, documents
cargo xtask vendor  fetch the packages that stand in this repository, and say whether they are the published ones
cargo xtask traces  have Perfetto read the traces that the built framecost writes, alone
cargo xtask log BYTES FILE   write a log in the shape of PresentMon's, the same for the same BYTES
";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let root = root()?;
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["demo"] => demo::run(&root),
        ["test"] => test::run(&root),
        ["tidy"] => tidy::run(&root),
        ["vendor"] => vendor::run(&root),
        ["traces"] => perfetto::check(&root),
        ["log", bytes, file] => {
            let bytes = bytes.parse().with_context(|| format!("`{bytes}` is no number of bytes"))?;
            log_file::write(bytes, 1, Path::new(file))
        }
        [] | ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => bail!("`{}` is not a task; the tasks are\n{USAGE}", arguments.join(" ")),
    }
}

/// The repository's root: the folder above this crate's.
fn root() -> Result<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().map(Path::to_path_buf).context("the crate xtask lies in a folder of the repository")
}
