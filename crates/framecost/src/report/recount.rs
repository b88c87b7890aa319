//! A recount: one capture accounted under two rules, side by side. In: two analyses of one capture. Out: text or JSON that
//! says that only the accounting changed.

use std::fmt;

use framecost_sample::{Reading, Reason, Sharing, Ticks, Unit};
use serde::Serialize;

use super::escape::terminal;
use super::format::{dash, some_ratio, value};
use super::json::{Number, OfFigureId, to_text};
use super::table::{Table, name, right};
use super::{Style, words};
use crate::account::{Floor, FrameLedger, Ledger};
use crate::judge::ratio;
use crate::stats::{FigureId, Origin, Summary};
use crate::{Analysis, counted};

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
    /// Why no figure changed; none where one did.
    pub why_same: Option<String>,
    /// Why there is nothing to account, under any rule; none where there is something.
    pub nothing: Option<String>,
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
        let rows: Vec<RecountRow> = of_stamps.map(|row| recounted(row, after)).collect();
        let all_same = rows.iter().all(|row| row.before == row.after);
        let measured =
            rows.iter().any(|row| row.before.measured().is_some() || row.after.measured().is_some());
        Ok(Self {
            nothing: (!measured).then(|| nothing(before)),
            title: words::title(&super::build::head(before)),
            before: before.ledger.floor.to_string(),
            after: after.ledger.floor.to_string(),
            why_same: (all_same && measured).then(|| why_same(&before.ledger, &after.ledger)),
            rows,
        })
    }
}

/// Why a run has nothing that any rule could account.
fn nothing(run: &Analysis) -> String {
    let why = match run.is_unstamped() {
        true => "passes were not stamped in this run, so that there is nothing to count under any rule",
        false => "no frame has a GPU time, so that there is nothing to count under any rule",
    };
    why.into()
}

/// Why two rules give the same medians.
fn why_same(before: &Ledger, after: &Ledger) -> String {
    let changed = before.frames.iter().zip(&after.frames).filter(|(a, b)| a != b).count() as u64;
    let mut accounts = before.frames.iter().filter_map(|frame| frame.account.measured());
    let hides = |frame: &FrameLedger| {
        frame.account.measured().is_some_and(|it| it.hidden != Reading::Measured(Ticks(0)))
    };
    let by_last_pass = [before, after].into_iter().find(|ledger| ledger.floor == Floor::LastPass);
    let shares =
        before.clock.as_ref().is_some_and(|it| matches!(it.sharing, Sharing::AcrossSubmissions { .. }));
    if before.floor == after.floor {
        "both are the same rule".into()
    } else if accounts.next().is_none() {
        "no frame has a GPU time that a rule could change".into()
    } else if !shares {
        "submissions share no timeline, so that no rule has a floor to apply".into()
    } else if changed > 0 {
        format!("{} changed, but the median of no figure did", counted(changed, "frame"))
    } else if by_last_pass.is_some_and(|ledger| !ledger.frames.iter().any(hides)) {
        "no frame overlapped the one before, so every floor rule gives the same".into()
    } else {
        "the two rules place the floor alike in every frame".into()
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
    let mut out = format!("{}\nfloor: {} before, {} after\n", titles.0, titles.1, titles.2);
    if let Some(nothing) = &recount.nothing {
        out.push_str(&format!("{}\n", terminal(nothing)));
        return out;
    }
    out.push_str(&format!("{ONLY}\n\n"));
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
    let (same, without): (Vec<_>, Vec<_>) = same.into_iter().partition(|row| row.before.measured().is_some());
    let are = if same.len() == 1 { "is" } else { "are" };
    out.push_str(&format!("  {} {are} the same under both\n", counted(same.len() as u64, "figure")));
    if !without.is_empty() {
        let figures = counted(without.len() as u64, "figure");
        out.push_str(&format!("  {figures} without a value under either\n"));
    }
    if let Some(why) = &recount.why_same {
        out.push_str(&format!("  {}\n", terminal(why)));
    }
    out
}

#[derive(Serialize)]
struct OfRecount<'a> {
    framecost_recount: u32,
    note: &'static str,
    title: &'a str,
    before: &'a str,
    after: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    why_same: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing: Option<&'a str>,
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
        why_same: recount.why_same.as_deref(),
        nothing: recount.nothing.as_deref(),
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
