//! Where text goes. In: whole texts. Out: stdout, a file, or stderr; a reader that went away is no error.

use std::cell::Cell;
use std::fs;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use framecost::report::{Style, json_inert, shell_word};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::exit::WrongUse;

/// The terminal or pipe that a command writes to.
pub(crate) struct Output {
    style: Style,
    /// Whoever read our stdout has gone, as `head` does; what follows is not written.
    closed: Cell<bool>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { style: style(), closed: Cell::new(false) }
    }

    /// How text on stdout may look.
    pub(crate) const fn style(&self) -> &Style {
        &self.style
    }

    /// Writes to stdout.
    pub(crate) fn print(&self, text: &str) -> Result<()> {
        if self.closed.get() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.closed.set(true);
                Ok(())
            }
            other => other.context("cannot write to stdout"),
        }
    }

    /// Writes to the file, or to stdout where none is named.
    pub(crate) fn print_to(&self, file: Option<&Path>, text: &str) -> Result<()> {
        match file {
            None => self.print(text),
            Some(path) => write(path, text.as_bytes()),
        }
    }

    /// Writes a page to the file, or to stdout where none is named and somebody else than a terminal reads it.
    pub(crate) fn print_page(&self, file: Option<&Path>, page: &str) -> Result<()> {
        if file.is_none() && io::stdout().is_terminal() {
            bail!(WrongUse(
                "a page is for a browser, not for a terminal; name its file with --out FILE".into()
            ));
        }
        self.print_to(file, page)
    }

    /// Writes data as JSON to stdout.
    pub(crate) fn print_json(&self, data: &impl Serialize) -> Result<()> {
        self.print(&json(data)?)
    }

    /// Writes an error with its causes to stderr.
    pub(crate) fn error(&self, error: &anyhow::Error) {
        // If stderr is gone too, nobody is left to tell; the exit code still says it.
        let _ = writeln!(io::stderr(), "error: {error:#}");
    }

    /// Writes a remark to stderr, beside whatever goes to stdout.
    pub(crate) fn note(&self, text: &str) {
        let _ = writeln!(io::stderr(), "{text}");
    }
}

/// Writes a file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("cannot write {}", quoted(path)))
}

/// Data as indented JSON with a newline at its end, in which nothing from elsewhere acts on a terminal.
pub(crate) fn json(data: &impl Serialize) -> Result<String> {
    let mut text = serde_json::to_string_pretty(data).context("cannot write JSON")?;
    text.push('\n');
    Ok(json_inert(&text))
}

/// JSON text to stand inside other JSON, number for number as it is.
pub(crate) fn raw(json: &str) -> Result<Box<RawValue>> {
    RawValue::from_string(json.trim_end().to_owned()).context("cannot write JSON")
}

/// A path for people: in quotes, and clean.
pub(crate) fn quoted(path: &Path) -> String {
    format!("`{}`", clean(&path.to_string_lossy()))
}

/// A path as a word of a command that somebody may paste into a shell; none is taken for an option.
pub(crate) fn in_shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    shell_word(&if text.starts_with('-') { format!("./{text}") } else { text.into_owned() })
}

/// A text from elsewhere as a terminal may have it.
pub(crate) use framecost::inert as clean;

/// Colours only on a terminal, and not where `NO_COLOR` says so (<https://no-color.org>).
fn style() -> Style {
    if !io::stdout().is_terminal() {
        return Style::PLAIN;
    }
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let utf8 = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).into_iter().find(|locale| !locale.is_empty());
    Style {
        colour: variable("NO_COLOR").is_empty() && variable("TERM") != "dumb",
        unicode: utf8.is_some_and(|locale| locale.to_lowercase().replace('-', "").ends_with("utf8")),
        width: terminal_size::terminal_size().map_or(Style::PLAIN.width, |(width, _)| width.0.into()),
    }
}
