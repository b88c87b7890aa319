//! A recount: one capture accounted under two rules, side by side. In: two analyses of one capture. Out: text or JSON that
//! says that only the accounting changed.

use std::fmt;

use framecost_sample::{Reading, Reason, Unit};
use serde::Serialize;

use super::escape::terminal;
use super::format::{dash, some_ratio, value};
use super::json::{Number, OfFigureId, to_text};
use super::table::{Table, name, right};
use super::{Style, words};
use crate::Analysis;
use crate::judge::ratio;
use crate::stats::{FigureId, Origin, Summary};

/// The sentence that a recount stands on.
const ONLY: &str = "only the accounting changed: the same stamps of the same run, counted under another rule";

/// One capture accounted under two rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Recount {
    /// Scene, size and variant.
    pub title: String,
    /// The rule before.
    pub before: String,
    /// The rule after.
    pub after: String,
    /// Every accounted figure under both.
    pub rows: Vec<RecountRow>,
}

/// A figure under two rules.
#[derive(Clone, Debug, PartialEq)]
pub struct RecountRow {
    /// The figure.
    pub figure: FigureId,
    /// The unit of its values.
    pub unit: Unit,
    /// Its median before.
    pub before: Reading<f64>,
    /// Its median after.
    pub after: Reading<f64>,
    /// `after - before`; none where either is missing.
    pub change: Option<f64>,
    /// `after / before`; none where either is missing or the one before is not above zero.
    pub ratio: Option<f64>,
}

/// Two analyses that are not of one capture: between them, more than the accounting changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotOneCapture;

impl fmt::Display for NotOneCapture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a recount takes two analyses of one capture; these are of different captures")
    }
}

impl std::error::Error for NotOneCapture {}

impl Recount {
    /// The figures that accounting gives, under the rules of the two analyses.
    ///
    /// # Errors
    /// The two are not analyses of one capture.
    pub fn new(before: &Analysis, after: &Analysis) -> Result<Self, NotOneCapture> {
        if before.capture != after.capture {
            return Err(NotOneCapture);
        }
        let of_stamps = before.summaries.rows.iter().filter(|row| row.origin == Origin::Stamps);
        Ok(Self {
            title: words::title(&super::build::head(before)),
            before: before.ledger.floor.to_string(),
            after: after.ledger.floor.to_string(),
            rows: of_stamps.map(|row| recounted(row, after)).collect(),
        })
    }
}

fn recounted(row: &Summary, after: &Analysis) -> RecountRow {
    let median = |row: Option<&Summary>| match row.and_then(|row| row.stats) {
        Some(stats) => Reading::Measured(stats.median),
        None => Reading::Missing(row.and_then(Summary::main_reason).cloned().unwrap_or(Reason::NotAvailable)),
    };
    let (then, now) = (median(Some(row)), median(after.summaries.find(&row.id())));
    let (was, is) = (then.measured().copied(), now.measured().copied());
    RecountRow {
        figure: row.id(),
        unit: row.metric.unit,
        change: is.zip(was).map(|(is, was)| is - was),
        ratio: ratio(is, was),
        before: then,
        after: now,
    }
}

/// The recount for a terminal: the figures that changed, and how many did not.
#[must_use]
pub fn recount_text(recount: &Recount, style: &Style) -> String {
    let titles = (terminal(&recount.title), terminal(&recount.before), terminal(&recount.after));
    let mut out = format!("{}\nfloor: {} before, {} after\n{ONLY}\n\n", titles.0, titles.1, titles.2);
    let mut table = Table::new(vec![
        name("median of"),
        right("before", 0),
        right("after", 0),
        right("change", 0),
        right("ratio", 1),
    ]);
    let (same, changed): (Vec<_>, Vec<_>) = recount.rows.iter().partition(|row| row.before == row.after);
    for row in changed {
        let cell = |number: Option<f64>| number.map_or_else(|| dash(style).into(), |it| value(it, row.unit));
        table.push(vec![
            terminal(&row.figure.to_string()),
            cell(row.before.measured().copied()),
            cell(row.after.measured().copied()),
            cell(row.change),
            some_ratio(row.ratio, style),
        ]);
    }
    if !table.rows.is_empty() {
        out.push_str(&table.lines(2, style).join("\n"));
        out.push('\n');
    }
    out.push_str(&format!("  {} figures are the same under both\n", same.len()));
    out
}

#[derive(Serialize)]
struct OfRecount<'a> {
    framecost_recount: u32,
    note: &'static str,
    title: &'a str,
    before: &'a str,
    after: &'a str,
    medians: Vec<OfRow<'a>>,
}

#[derive(Serialize)]
struct OfRow<'a> {
    #[serde(flatten)]
    figure: OfFigureId<'a>,
    unit: &'static str,
    before: Number,
    after: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
}

/// The recount for programs: every figure, with full precision.
#[must_use]
pub fn recount_json(recount: &Recount) -> String {
    to_text(&OfRecount {
        framecost_recount: super::VERSION,
        note: ONLY,
        title: &recount.title,
        before: &recount.before,
        after: &recount.after,
        medians: recount.rows.iter().map(OfRow::from).collect(),
    })
}

impl<'a> From<&'a RecountRow> for OfRow<'a> {
    fn from(row: &'a RecountRow) -> Self {
        Self {
            figure: OfFigureId::from(&row.figure),
            unit: row.unit.name(),
            before: Number::of(&row.before),
            after: Number::of(&row.after),
            change: row.change,
            ratio: row.ratio,
        }
    }
}
