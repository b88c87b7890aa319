//! The commands: one file each, all of the same shape: arguments with their help, then `run`.

mod ab;
mod adapters;
mod baseline;
mod bench;
mod calibrate;
mod compare;
mod completions;
mod config;
mod cost;
mod definitions;
mod explain;
mod history;
mod images;
mod import;
mod man;
mod pairs;
mod picture;
mod recount;
mod report;
mod selftest;
mod spawn;
mod trace;

use anyhow::Result;
use clap::Subcommand;

use crate::App;
use crate::exit::Exit;

/// What framecost can be asked to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// What this machine can measure, and why not
    Adapters(adapters::Args),
    /// Measure scenes: a report here, a capture of each run on disk
    Bench(bench::Args),
    /// Report what captures cost
    Report(report::Args),
    /// Judge captures against a baseline and against budgets
    Compare(compare::Args),
    /// Keep runs to compare with
    Baseline(baseline::Args),
    /// What framecost.toml says, checked, and what of it applies to captures
    Config(config::Args),
    /// Take a capture that another tool wrote
    Import(import::Args),
    /// What other tools would print for the same frames, and why they differ
    Explain(explain::Args),
    /// Compare two builds, measured in turns
    Ab(ab::Args),
    /// How far runs of the same work lie apart on this adapter
    Calibrate(calibrate::Args),
    /// What verdicts catch on this machine, and how often they cry wolf
    Selftest(selftest::Args),
    /// Account a capture again under another rule, from its stored stamps
    Recount(recount::Args),
    /// Draw captures as timelines, for Perfetto or chrome://tracing
    Trace(trace::Args),
    /// What one pass costs: three readings that answer three questions
    Cost(cost::Args),
    /// What a figure did from revision to revision: steps, drifts, how sure
    History(history::Args),
    /// Prove that switches leave the picture as it is
    Images(images::Args),
    /// Draw one frame to a PNG file
    Picture(picture::Args),
    /// Completions for a shell
    Completions(completions::Args),
    /// The manual as man pages
    Man(man::Args),
}

/// Runs the command.
pub(crate) fn run(command: Command, app: &App<'_>) -> Result<Exit> {
    match command {
        Command::Adapters(args) => adapters::run(args, app),
        Command::Bench(args) => bench::run(&args, app),
        Command::Report(args) => report::run(&args, app),
        Command::Compare(args) => compare::run(&args, app),
        Command::Baseline(args) => baseline::run(&args, app),
        Command::Config(args) => config::run(&args, app),
        Command::Import(args) => import::run(&args, app),
        Command::Explain(args) => explain::run(&args, app),
        Command::Ab(args) => ab::run(&args, app),
        Command::Calibrate(args) => calibrate::run(&args, app),
        Command::Selftest(args) => selftest::run(&args, app),
        Command::Recount(args) => recount::run(&args, app),
        Command::Trace(args) => trace::run(&args, app),
        Command::Cost(args) => cost::run(&args, app),
        Command::History(args) => history::run(&args, app),
        Command::Images(args) => images::run(&args, app),
        Command::Picture(args) => picture::run(&args, app),
        Command::Completions(args) => completions::run(args, app),
        Command::Man(args) => man::run(&args, app),
    }
}
