//! `framecost completions`: what a shell needs to complete our arguments, from the same definitions as the help.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

use crate::App;
use crate::args::Cli;
use crate::exit::Exit;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost completions bash > ~/.local/share/bash-completion/completions/framecost
  framecost completions fish | source")]
pub(crate) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: Args, app: &App<'_>) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "framecost", &mut text);
    app.out.print(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Passed)
}
