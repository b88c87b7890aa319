//! A progress bar on stderr: only on a terminal, and only for work that takes longer than two seconds.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter work is over before a bar is read.
const PATIENCE: Duration = Duration::from_secs(2);

/// So many done out of all, with what is being done.
pub(crate) struct Progress {
    /// What is counted.
    what: &'static str,
    bar: ProgressBar,
    since: Instant,
    shown: bool,
}

impl Progress {
    /// Of frames.
    pub(crate) fn new() -> Self {
        Self::of("frames")
    }

    /// Of something else.
    pub(crate) fn of(what: &'static str) -> Self {
        Self { what, bar: ProgressBar::hidden(), since: Instant::now(), shown: false }
    }

    /// So many are to come.
    pub(crate) fn expect(&self, all: u64) {
        self.bar.set_length(all);
    }

    /// What is being done now.
    pub(crate) fn doing(&self, what: String) {
        self.bar.set_message(what);
    }

    /// Another is done.
    pub(crate) fn advance(&mut self) {
        self.bar.inc(1);
        self.look();
    }

    /// Time has passed.
    pub(crate) fn look(&mut self) {
        if !self.shown && self.since.elapsed() > PATIENCE && io::stderr().is_terminal() {
            self.shown = true;
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            let template = format!("{{bar:30}} {{pos}}/{{len}} {}, {{eta}} left  {{msg}}", self.what);
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
