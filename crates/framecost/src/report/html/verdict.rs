//! The verdict in one sentence. In: a report, or what several come to. Out: a word, a sentence, and what to heed beside it.

use framecost_sample::Reading;
use serde::Serialize;

use super::text::Text;
use crate::counted;
use crate::history::HistoryReport;
use crate::judge::{Against, Outcome, Overall, Row, Verdict};
use crate::report::ci::size;
use crate::report::evidence::amount;
use crate::report::format::{percent, value};
use crate::report::table::Paint;
use crate::report::{OfVariants, Report, Style, Verdicts, evidence, history, words};

/// A verdict as the page opens with it.
#[derive(Debug, Serialize)]
pub(super) struct Said {
    word: &'static str,
    tone: Tone,
    sentence: Text,
    tally: Option<Text>,
    /// Budgets that bind nothing, notes, differences that were crossed, what the rule cannot promise.
    heed: Vec<Text>,
}

/// What colour and symbol a verdict has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Tone {
    Good,
    Bad,
    Unsure,
    None,
}

const STYLE: Style = Style { unicode: true, ..Style::PLAIN };

impl Said {
    /// What a report says; `gpu_total` alone where nothing was judged.
    pub(super) fn of(report: &Report) -> Self {
        let median = report.frame.first().map(|figure| match &figure.stats {
            Reading::Measured(stats) => {
                let (median, frames) = (value(stats.median, figure.unit), counted(stats.n, "frame"));
                format!("the median of {} is {median} over {frames}", figure.metric)
            }
            Reading::Missing(reason) => {
                let why = words::missing(&reason.to_string(), &report.head);
                format!("{} was not measured: {why}", figure.metric)
            }
        });
        match &report.verdicts {
            Some(verdicts) => Self::judged(verdicts, median),
            None => Self::unjudged(median, &[]),
        }
    }

    /// What a switch adds.
    pub(super) fn of_variants(of: &OfVariants) -> Self {
        let total = of.figures.iter().find(|figure| figure.is_total());
        let median = total.and_then(|figure| {
            let added = figure.value(crate::stats::Statistic::Median)?;
            Some(format!("{} adds {} to the median frame", words::difference(of), value(added, figure.unit)))
        });
        match &of.verdicts {
            Some(verdicts) => Self::judged(verdicts, median),
            None => Self::unjudged(median, &of.notes),
        }
    }

    /// What all of them come to.
    pub(super) fn overall(overall: &Overall) -> Self {
        let mut heed = words::absent(overall.census.as_ref());
        heed.extend(words::heeded(&overall.unbound, &overall.notes, &[]));
        heed.extend(overall.error_rate.map(str::to_owned));
        Self {
            word: words::headline(overall),
            tone: tone(overall.outcome),
            sentence: Text::of(&sentence(words::overall(overall))),
            tally: None,
            heed: Text::all(heed),
        }
    }

    /// What became of a scene over its revisions.
    pub(super) fn of_history(report: &HistoryReport) -> Self {
        let (word, colour) = history::word_for(report);
        let tone = match colour {
            Paint::Green => Tone::Good,
            Paint::Red => Tone::Bad,
            _ if report.judged_any() => Tone::Unsure,
            _ => Tone::None,
        };
        let sentence = Text::of(&sentence(history::found(report)));
        Self { word, tone, sentence, tally: None, heed: Vec::new() }
    }

    fn unjudged(median: Option<String>, notes: &[String]) -> Self {
        let known = median.unwrap_or_else(|| "no GPU time was measured".into());
        Self {
            word: "NOT JUDGED",
            tone: Tone::None,
            sentence: Text::of(&sentence(format!(
                "{known}; there is no baseline and no budget to hold it against"
            ))),
            tally: None,
            heed: Text::all(notes),
        }
    }

    fn judged(verdicts: &Verdicts, median: Option<String>) -> Self {
        let known = median.map_or_else(String::new, |median| format!("; {median}"));
        let tally = &verdicts.tally;
        let said = match verdicts.outcome {
            Outcome::Regressed => regressed(verdicts),
            Outcome::Passed => format!("{}{known}", passed(verdicts)),
            Outcome::NotMeasured if tally.compared() == 0 => {
                format!("nothing was compared{}{known}", why(verdicts))
            }
            Outcome::NotMeasured => {
                let open = tally.missing + tally.refused + tally.undecided;
                format!("{} could not be decided{}{known}", counted(open, "figure"), why(verdicts))
            }
        };
        let mut heed = words::below(verdicts);
        heed.extend(verdicts.of_runs.clone());
        heed.extend(verdicts.error_rate.clone());
        Self {
            word: words::verdict(verdicts),
            tone: tone(verdicts.outcome),
            sentence: Text::of(&sentence(said)),
            tally: Some(Text::of(&words::tally(verdicts))),
            heed: Text::all(heed),
        }
    }
}

const fn tone(outcome: Outcome) -> Tone {
    match outcome {
        Outcome::Passed => Tone::Good,
        Outcome::Regressed => Tone::Bad,
        Outcome::NotMeasured => Tone::Unsure,
    }
}

/// The frame's own figure if it failed, for it is what people wait for; else the one that grew most.
fn regressed(verdicts: &Verdicts) -> String {
    let failed: Vec<&Row> = verdicts.rows.iter().filter(|row| row.verdict == Verdict::Fail).collect();
    let growth = |row: &&&Row| size(row).unwrap_or(0.0);
    let total = failed.iter().find(|row| row.figure.metric == framecost_sample::metric_names::GPU_TOTAL);
    let worst = failed.iter().max_by(|a, b| growth(a).total_cmp(&growth(b)));
    let Some(row) = total.or(worst) else { return words::tally(verdicts) };
    let others = failed.len() as u64 - 1;
    let others = match others {
        0 => String::new(),
        1 => "; 1 more figure is past its limit too".to_owned(),
        more => format!("; {more} more figures are past their limits too"),
    };
    format!("{}{others}", failure(row))
}

fn failure(row: &Row) -> String {
    let (now, limit) = (words::cell(row.current, row, &STYLE), words::limit(row, &STYLE));
    if let Some(known) = &row.evidence {
        let way = if known.change < 0.0 { "fell" } else { "rose" };
        let by = amount(known.change.abs(), row, known.scale);
        let sides = match evidence::sides(row) {
            (Some(before), Some(_)) => format!(", from {} to {now}", words::cell(Some(before), row, &STYLE)),
            _ => String::new(),
        };
        return format!("{} {way} by {by}{sides}, past its limit of {limit}", words::statistic(row));
    }
    match (&row.against, row.ratio) {
        (Against::Baseline(_), Some(ratio)) => {
            let way = if ratio < 1.0 { "fell" } else { "rose" };
            let before = words::cell(row.baseline, row, &STYLE);
            let by = percent((ratio - 1.0).abs());
            format!(
                "{} {way} by {by}, from {before} to {now}, past its limit of {limit}",
                words::statistic(row)
            )
        }
        (Against::Baseline(_), None) => format!(
            "{} went from {} to {now}, past its limit of {limit}",
            words::statistic(row),
            words::cell(row.baseline, row, &STYLE)
        ),
        (Against::Budget { .. }, _) => format!("{} is {now}, past its limit of {limit}", words::figure(row)),
    }
}

fn passed(verdicts: &Verdicts) -> String {
    let tally = &verdicts.tally;
    let beside = [(tally.warned, "past its warning limit"), (tally.improved, "improved")];
    let beside = beside.iter().filter(|(count, _)| *count > 0);
    let beside: String = beside.map(|(count, what)| format!(", {count} {what}")).collect();
    format!("{} compared, none past its limit{beside}", counted(tally.compared(), "figure"))
}

/// The reason that kept the gate shut, where there is one for all figures; else each stands with its own below.
fn why(verdicts: &Verdicts) -> String {
    let shut = ["missing", "refused", "undecided", "skipped"];
    let mut reasons = verdicts.groups.iter().filter(|group| shut.contains(&group.verdict));
    let reason = match (reasons.next(), reasons.next()) {
        (Some(only), None) => only.reason.as_ref(),
        _ => None,
    };
    reason.map_or_else(String::new, |reason| format!(" ({reason})"))
}

/// A sentence ends with a full stop; its first letter stays small, since it may be a name.
fn sentence(mut text: String) -> String {
    text.push('.');
    text
}
