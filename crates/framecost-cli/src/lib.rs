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
mod exit;
mod interrupt;
mod output;
mod progress;
mod reference;
mod version;

use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;

use clap::Parser;
use framecost_harness::Benchmark;

use args::Cli;
use exit::Exit;
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
    let cli = match Cli::try_parse_from(arguments(std::env::args_os())) {
        Ok(cli) => cli,
        Err(asked) => {
            // Help and version end here too. That nobody reads it is no fault of ours.
            let _ = asked.print();
            return if asked.use_stderr() { Exit::WrongUse.into() } else { Exit::Passed.into() };
        }
    };
    let app = App { benchmarks, out: Output::new() };
    let exit = cmd::run(cli.command, &app).unwrap_or_else(|error| {
        app.out.error(&error);
        exit::of_error(&error)
    });
    exit.into()
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
    fn cargos_own_argument_is_taken_away() {
        assert_eq!(after_cargo(&["x", "report", "a", "--bench"]), ["x", "report", "a"]);
        assert_eq!(after_cargo(&["x", "--bench"]), ["x", "bench"]);
        assert_eq!(after_cargo(&["x"]), ["x"]);
        assert_eq!(after_cargo(&["x", "bench"]), ["x", "bench"]);
    }
}
