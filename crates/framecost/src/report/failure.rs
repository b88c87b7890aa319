//! A comparison that could not be made, in every format that one is written in: whoever waits for a report, a file of tests or
//! an annotation gets one that says why there is none. In: an error. Out: a text that no reader takes for a pass.

use super::escape::{html_text, markdown_text, terminal};
use super::github::error_line;
use super::junit::junit_of_failure;

/// Why nothing was judged.
#[derive(Clone, Copy, Debug)]
pub struct Failure<'a> {
    /// What kind of fault: `wrong use` or `not measured`.
    pub kind: &'static str,
    /// The error with its causes. Names in it are as files give them.
    pub error: &'a str,
}

/// The word that stands where a verdict would.
const WORD: &str = "NOT JUDGED";

impl Failure<'_> {
    /// As one line of text.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{WORD}  {}: {}\n", self.kind, terminal(self.error))
    }

    /// As a heading of markdown.
    #[must_use]
    pub fn markdown(&self) -> String {
        format!("## {WORD}: {}: {}\n", self.kind, markdown_text(self.error))
    }

    /// As a page.
    #[must_use]
    pub fn html(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>framecost: {WORD}</title></head>\n\
             <body><h1>{WORD}</h1><p>{}: {}</p></body></html>\n",
            self.kind,
            html_text(self.error)
        )
    }

    /// As JUnit XML: the case that asks whether anything was compared is an error.
    #[must_use]
    pub fn junit(&self) -> String {
        junit_of_failure(self.kind, self.error)
    }

    /// As one annotation.
    #[must_use]
    pub fn github(&self) -> String {
        error_line(&format!("framecost: {}", self.kind), &format!("{WORD}: {}", self.error))
    }
}
