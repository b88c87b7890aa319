//! Steps of a task: each a program that is run with its name before it and its time behind it.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Runs steps one after the other and keeps their times.
pub(crate) struct Steps<'a> {
    root: &'a Path,
    done: Vec<(&'static str, Duration)>,
}

impl<'a> Steps<'a> {
    pub(crate) const fn new(root: &'a Path) -> Self {
        Self { root, done: Vec::new() }
    }

    /// Runs `work` as a step.
    pub(crate) fn run(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n==> {name}");
        let start = Instant::now();
        work().with_context(|| format!("step `{name}` failed after {}", show(start.elapsed())))?;
        self.done.push((name, start.elapsed()));
        Ok(())
    }

    /// Runs cargo with these arguments, separated by spaces, and variables as a step.
    pub(crate) fn cargo(
        &mut self,
        name: &'static str,
        arguments: &str,
        variables: &[(&str, &str)],
    ) -> Result<()> {
        let root = self.root;
        self.run(name, || {
            call(cargo(root).args(arguments.split_whitespace()).envs(variables.iter().copied()))
        })
    }

    /// Prints each step with its time.
    pub(crate) fn close(&self) {
        let total = self.done.iter().map(|step| step.1).sum();
        println!();
        for (name, time) in &self.done {
            println!("{:>10}  {name}", show(*time));
        }
        println!("{:>10}  all", show(total));
    }
}

/// The cargo that runs this, in the repository's root.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs a program to its end; anything but success is an error that shows the command.
pub(crate) fn call(command: &mut Command) -> Result<()> {
    let shown = show_command(command);
    println!("    {shown}");
    let status = command.status().with_context(|| format!("cannot run `{shown}`"))?;
    if !status.success() {
        bail!("`{shown}` ended with {status}");
    }
    Ok(())
}

fn show_command(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let parts = [program].into_iter().chain(command.get_args());
    parts.map(|part| part.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// A time as `4.2 s` or `3 min 05 s`.
fn show(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_show_in_minutes_from_a_minute_on() {
        assert_eq!(show(Duration::from_millis(4_240)), "4.2 s");
        assert_eq!(show(Duration::from_secs(185)), "3 min 05 s");
    }

    #[test]
    fn a_failed_program_is_named() {
        let error = call(Command::new("cargo").args(["no-such-command"])).unwrap_err().to_string();
        assert!(error.starts_with("`cargo no-such-command` ended with "), "{error}");
        let error = call(&mut Command::new("no-such-program")).unwrap_err().to_string();
        assert_eq!(error, "cannot run `no-such-program`");
    }
}
