//! The commands: one file each, all of the same shape: arguments with their help, then `run`.

mod adapters;
mod baseline;
mod bench;
mod compare;
mod completions;
mod cost;
mod history;
mod images;
mod man;
mod picture;
mod recount;
mod report;

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
    /// Account a capture again under another rule, from its stored stamps
    Recount(recount::Args),
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
        Command::Recount(args) => recount::run(&args, app),
        Command::Cost(args) => cost::run(&args, app),
        Command::History(args) => history::run(&args, app),
        Command::Images(args) => images::run(&args, app),
        Command::Picture(args) => picture::run(&args, app),
        Command::Completions(args) => completions::run(args, app),
        Command::Man(args) => man::run(&args, app),
    }
}
