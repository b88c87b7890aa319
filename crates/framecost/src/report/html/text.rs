//! Texts as the page carries them. In: texts with names from captures in them. Out: texts in which nothing acts on whoever
//! reads them: the page shows them as they are, by `textContent` alone.

use serde::Serialize;

use crate::report::escape::terminal;

/// A text in which controls and turns of writing direction are written out. Markup in it stays: no part of the page reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Text(String);

impl Text {
    /// Any text, made visible.
    pub(super) fn of(text: &str) -> Self {
        Self(terminal(text))
    }

    /// Each of them.
    pub(super) fn all(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<Self> {
        texts.into_iter().map(|text| Self::of(text.as_ref())).collect()
    }
}

/// A table of texts.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Grid {
    /// Titles of the columns; those of numbers stand to the right.
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<Text>>,
}

/// On which side a column's cells stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Align {
    /// A name: kept on one line, in the type of code.
    Name,
    /// A sentence.
    Text,
    /// A number.
    Number,
    /// A verdict's word.
    Verdict,
}

impl Grid {
    pub(super) fn new(columns: &[(&'static str, Align)]) -> Self {
        Self { columns: columns.to_vec(), rows: Vec::new() }
    }

    /// A row: a cell for each column.
    pub(super) fn push(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        self.rows.push(Text::all(cells));
    }

    /// The table, unless it has no row.
    pub(super) fn some(self) -> Option<Self> {
        (!self.rows.is_empty()).then_some(self)
    }
}
