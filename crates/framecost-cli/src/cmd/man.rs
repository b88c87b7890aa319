//! `framecost man`: the manual as man pages, from the same definitions as the help.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::CommandFactory;

use crate::App;
use crate::args::Cli;
use crate::exit::Exit;
use crate::output::quoted;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost man | man -l -
  framecost man --out ~/.local/share/man/man1    a page for each command")]
pub(crate) struct Args {
    /// Write a page for each command into this folder, instead of the first page to stdout
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let command = Cli::command();
    match &args.out {
        Some(folder) => fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(command, folder))
            .with_context(|| format!("cannot write man pages to {}", quoted(folder)))?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page).context("cannot write the man page")?;
            app.out.print(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Exit::Passed)
}
