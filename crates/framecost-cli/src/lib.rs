//! The command line of framecost as a library, so that a benchmark of somebody's own scene has every command. In: the
//! scenes, and the program's arguments. Out: text on stdout, errors on stderr, an exit code.
//!
//! A bench target with `harness = false`:
//!
//! ```no_run
//! # struct MyScene;
//! # impl framecost_harness::Benchmark for MyScene {
//! #     fn info(&self) -> framecost_harness::SceneInfo { framecost_harness::SceneInfo::new("mine", &["main"]) }
//! #     fn load(
//! #         &self, _: &framecost_harness::Gpu, _: &framecost_harness::Setup,
//! #     ) -> Result<Box<dyn framecost_harness::Scene>, framecost_harness::SceneError> { Err("no scene".into()) }
//! # }
//! fn main() -> std::process::ExitCode {
//!     framecost_cli::main(&[&MyScene])
//! }
//! ```
//!
//! ```text
//!  cargo bench -- bench --profile quick
//!  cargo bench -- compare out/mine.framecost
//! ```
//!
//! This crate is the edge: it alone prints, ends the process and opens files, captures through `framecost-store`.

mod args;
mod capture;
mod cmd;
mod configured;
mod exit;
mod expected;
mod foreign;
mod interrupt;
mod output;
mod past;
mod picture_file;
mod progress;
mod reference;
mod version;

use std::ffi::OsString;
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use clap::FromArgMatches;
use framecost_harness::Benchmark;

use anyhow::{Result, bail};
use args::Cli;
use exit::{Exit, WrongUse};
use output::Output;

/// What every command has at hand.
struct App<'a> {
    benchmarks: &'a [&'a dyn Benchmark],
    out: Output,
}

/// Runs the command that the program's arguments name, over these scenes.
#[must_use]
pub fn main(benchmarks: &[&dyn Benchmark]) -> ExitCode {
    quiet_about_hostile_files();
    let given = arguments(std::env::args_os());
    let scene = benchmarks.first().map(|benchmark| output::clean(&benchmark.info().name));
    let grammar = args::grammar(&program(given.first()), scene.as_deref());
    let parsed = grammar.try_get_matches_from(given).and_then(|given| Cli::from_arg_matches(&given));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(asked) => {
            // Help and version end here too. That nobody reads it is no fault of ours.
            let _ = asked.print();
            return if asked.use_stderr() { Exit::WrongUse.into() } else { Exit::Passed.into() };
        }
    };
    let app = App { benchmarks, out: Output::new() };
    let ended = each_named_once(benchmarks).and_then(|()| cmd::run(cli.command, &app));
    let exit = ended.unwrap_or_else(|error| {
        app.out.error(&error);
        exit::of_error(&error)
    });
    exit.into()
}

/// Two scenes of one name would share their captures and baselines.
fn each_named_once(benchmarks: &[&dyn Benchmark]) -> Result<()> {
    let names: Vec<String> = benchmarks.iter().map(|benchmark| benchmark.info().name).collect();
    if let Some((_, name)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
        let name = output::clean(name);
        bail!(WrongUse(format!("this program has two scenes named `{name}`; each needs a name of its own")));
    }
    Ok(())
}

/// What this program is called: the name of its file, without the hash that cargo gives to the file of a bench target.
fn program(path: Option<&OsString>) -> String {
    let stem = path.and_then(|path| Path::new(path).file_stem()).unwrap_or_default().to_string_lossy();
    let hashed = |hash: &str| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = match stem.rsplit_once('-') {
        Some((name, hash)) if hashed(hash) => name,
        _ => &stem,
    };
    if name.is_empty() { "framecost".into() } else { output::clean(name) }
}

/// The arguments without the `--bench` that cargo hands to every bench target, behind the person's own. With nothing
/// else, `cargo bench` means to measure.
fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = given.collect();
    if arguments.last().is_some_and(|last| last == "--bench") {
        arguments.pop();
        if arguments.len() == 1 {
            arguments.push("bench".into());
        }
    }
    arguments
}

/// The Parquet library panics on some damaged files; the store catches it and gives an error, so the panic's own words
/// would only stand above that error.
fn quiet_about_hostile_files() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !panic.location().is_some_and(|at| at.file().contains("/parquet-")) {
            usual(panic);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_cargo(given: &[&str]) -> Vec<OsString> {
        arguments(given.iter().map(OsString::from))
    }

    #[test]
    fn a_program_is_called_what_its_file_is_called() {
        let called = |path: &str| program(Some(&OsString::from(path)));
        assert_eq!(called("/usr/bin/framecost"), "framecost");
        assert_eq!(called("target/release/deps/frame-0123456789abcdef"), "frame");
        assert_eq!(called("my-frame"), "my-frame");
        assert_eq!(program(None), "framecost");
    }

    #[test]
    fn cargos_own_argument_is_taken_away() {
        assert_eq!(after_cargo(&["x", "report", "a", "--bench"]), ["x", "report", "a"]);
        assert_eq!(after_cargo(&["x", "--bench"]), ["x", "bench"]);
        assert_eq!(after_cargo(&["x"]), ["x"]);
        assert_eq!(after_cargo(&["x", "bench"]), ["x", "bench"]);
    }
}
