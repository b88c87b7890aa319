//! A progress bar on stderr: only on a terminal, and only for work that takes longer than two seconds.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work is over before a bar is read.
const PATIENCE: Duration = Duration::from_secs(2);

/// Things done out of all, with what is being done.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// What is counted.
    things: &'static str,
    since: Instant,
    shown: bool,
}

impl Progress {
    /// Counts frames.
    pub(crate) fn new() -> Self {
        Self::of("frames")
    }

    /// Counts such things.
    pub(crate) fn of(things: &'static str) -> Self {
        Self { bar: ProgressBar::hidden(), things, since: Instant::now(), shown: false }
    }

    /// So many are to come.
    pub(crate) fn expect(&self, things: u64) {
        self.bar.set_length(things);
    }

    /// What is being done now.
    pub(crate) fn doing(&self, what: String) {
        self.bar.set_message(what);
    }

    /// Another one is done.
    pub(crate) fn advance(&mut self) {
        self.bar.inc(1);
        if !self.shown && self.since.elapsed() > PATIENCE && io::stderr().is_terminal() {
            self.shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            let template = format!("{{bar:30}} {{pos}}/{{len}} {}, {{eta}} left  {{msg}}", self.things);
            if let Ok(style) = ProgressStyle::with_template(&template) {
                self.bar.set_style(style.progress_chars("##-"));
            }
        }
    }

    /// Does something that prints, with the bar out of its way.
    pub(crate) fn beside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
