//! Sentences that several formats share. In: report data. Out: text in which names are still as captures give them, so
//! that each format escapes the whole.

use super::format::{self, value};
use super::{Figure, Group, Head, Style, Verdicts};
use crate::judge::{Against, Outcome, Row, Verdict};
use crate::stats::{Quantile, Statistic};

/// Why durations have no total row.
pub(super) const NO_SUM: &str = "passes may run side by side: durations do not add up to the frame, attributed times and untimed do \
     (to busy + hidden + untimed)";

/// What a renderer on the CPU can be held to.
pub(super) const ON_CPU: &str =
    "this adapter renders on the CPU: its times are regression figures for this adapter only";

/// The word that opens a report with verdicts.
pub(super) const fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "PASSED",
        Outcome::Regressed => "REGRESSED",
        Outcome::NotMeasured => "NOT MEASURED",
    }
}

/// How many verdicts of each kind there are, those that there are none of left out: what was compared, then what was not.
pub(super) fn tally(verdicts: &Verdicts) -> String {
    let tally = &verdicts.tally;
    let list = |kinds: &[(u64, &str)]| {
        let some = kinds.iter().filter(|(count, _)| *count > 0);
        some.map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
    };
    let made = list(&[
        (tally.failed, "failed"),
        (tally.warned, "warned"),
        (tally.improved, "improved"),
        (tally.passed, "passed"),
    ]);
    let others = list(&[
        (tally.missing, "missing"),
        (tally.refused, "refused"),
        (tally.undecided, "undecided"),
        (tally.skipped, "skipped"),
        (tally.shown, "only shown"),
    ]);
    let made = match tally.compared() {
        0 => "nothing was compared".to_owned(),
        compared => format!("{compared} compared ({made})"),
    };
    if others.is_empty() { made } else { format!("{made}, {others}") }
}

/// How several runs were judged; none for one run against at most one.
pub(super) fn runs(verdicts: &Verdicts) -> Option<String> {
    let (runs, baseline) = verdicts.runs;
    let of_runs = "judged by the median over the runs of each figure's statistic; tables and ratios below are of the first of each";
    (runs > 1 || baseline > 1).then(|| format!("{runs} runs against {baseline} of the baseline: {of_runs}"))
}

/// Which frames were measured, and which were left out.
pub(super) fn frames(head: &Head) -> String {
    let range = head.range.map_or_else(String::new, |(first, last)| format!(" ({first} to {last})"));
    let (start_up, warm_up) = head.left_out;
    let dropped =
        if head.dropped == 0 { String::new() } else { format!("; {} of them dropped", head.dropped) };
    let frames = head.frames;
    format!("{frames} frames{range}{dropped}; {start_up} start-up and {warm_up} warm-up frames left out")
}

/// Scene, size and variant.
pub(super) fn title(head: &Head) -> String {
    let size = head.size.map_or_else(String::new, |size| format!(" {size}"));
    let switches: String = head.switches.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    format!("{}{size}{switches}", head.scene)
}

/// Adapter, backend and frames in flight.
pub(super) fn adapter(head: &Head) -> String {
    let in_flight =
        head.frames_in_flight.map_or_else(String::new, |frames| format!(", {frames} frames in flight"));
    format!("{} ({}), {}{in_flight}", head.adapter, head.adapter_class, head.backend)
}

/// What the stamps are, and between which of them a difference means something.
pub(super) fn stamps(head: &Head) -> Vec<String> {
    let only_one = head.semantics.len() == 1;
    let mut lines: Vec<String> = head
        .semantics
        .iter()
        .map(|(kind, passes)| {
            if only_one {
                format!("stamps: {kind}")
            } else {
                format!("stamps: {kind} of {}", some_of(passes))
            }
        })
        .collect();
    if !lines.is_empty() {
        let floor = &head.floor;
        lines.push(match &head.shared_by {
            Some(promise) => format!("submissions share a timeline ({promise}); floor: {floor}"),
            None => format!(
                "submissions share no timeline: no waits and no hidden work can be told; floor: {floor}"
            ),
        });
    }
    lines
}

/// A list of names, cut where it grows long.
pub(super) fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let mut shown: Vec<String> = names.iter().take(SHOWN).cloned().collect();
    if names.len() > SHOWN {
        shown.push(format!("and {} more", names.len() - SHOWN));
    }
    shown.join(", ")
}

/// The rows of a group that has a reason, named.
pub(super) fn named_rows(group: &Group) -> String {
    let names: Vec<String> = group.rows.iter().map(figure).collect();
    some_of(&names)
}

/// A row's figure, with the budget's name before it.
pub(super) fn figure(row: &Row) -> String {
    match &row.against {
        Against::Baseline(_) => statistic(row),
        Against::Budget { name, kind, .. } => format!("{} {name}: {}", kind.name(), statistic(row)),
    }
}

/// A row's figure and statistic: `attributed/lit median`.
pub(super) fn statistic(row: &Row) -> String {
    format!("{} {}", row.figure, row.statistic)
}

/// The name of a row's budget or ceiling; empty for rows of the baseline.
pub(super) fn budget_name(row: &Row) -> &str {
    match &row.against {
        Against::Baseline(_) => "",
        Against::Budget { name, .. } => name,
    }
}

/// A value of a row, or a dash.
pub(super) fn cell(number: Option<f64>, row: &Row, style: &Style) -> String {
    match (number, row.unit) {
        (Some(number), Some(unit)) => value(number, unit),
        _ => format::dash(style).into(),
    }
}

/// What a row was held to.
pub(super) fn limit(row: &Row, style: &Style) -> String {
    let at_least = matches!(row.better, Some(framecost_sample::Better::Higher));
    match &row.against {
        Against::Baseline(limits) => {
            let gain = row.verdict == Verdict::Improved;
            let sign = if at_least == gain { '+' } else { '-' };
            let part = if row.verdict == Verdict::Warn { limits.warn } else { limits.fail };
            let floor =
                (limits.floor > 0.0).then(|| format!(" and {}", cell(Some(limits.floor), row, style)));
            format!("{sign}{}{}", limit_percent(part), floor.unwrap_or_default())
        }
        Against::Budget { limit, .. } => {
            format!("{}{}", if at_least { "at least " } else { "" }, cell(*limit, row, style))
        }
    }
}

fn limit_percent(part: f64) -> String {
    let text = format!("{:.2}", part * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Which percentiles were withheld, and below how many values; none where none was.
pub(super) fn withheld(figures: &[Figure]) -> Option<String> {
    let kinds = [("p95", Statistic::P95), ("p99", Statistic::P99)];
    let of = |(name, statistic): (&str, Statistic)| {
        let stats = figures.iter().filter_map(|figure| figure.stats.measured());
        let need = stats.filter_map(|stats| match stats.get(statistic) {
            Quantile::Value(_) => None,
            Quantile::Withheld { need, .. } => Some(need),
        });
        need.max().map(|need| format!("{name} takes {need} values"))
    };
    let said: Vec<String> = kinds.into_iter().filter_map(of).collect();
    (!said.is_empty()).then(|| format!("{}: withheld where there are fewer", said.join(", ")))
}
