//! The program `framecost`: the command line over the reference scenes.

use std::process::ExitCode;

fn main() -> ExitCode {
    framecost_cli::main(framecost_scenes::all())
}
