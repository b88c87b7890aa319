//! Sentences that several formats share. In: report data. Out: text in which names are still as captures give them, so
//! that each format escapes the whole.

use framecost_sample::{Reason, metric_names};

use super::format::{self, value};
use super::{Comparison, Figure, Group, Head, Style, Verdicts, evidence};
use crate::definitions;
use crate::judge::{
    Against, Census, Difference, FrameCounts, Judgement, Limits, MORE_LOGS, Measure, Outcome, Overall, Part,
    Row, Rule, Scale, Unbound, Verdict, Widest, tolerated_hitches,
};
use crate::plural::{counted, left_out, plural, some_of as some_of_up_to};
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

/// What is said where all was measured and the data cannot tell.
const UNDECIDED: &str = "UNDECIDED";

/// The word that opens several reports: that some passed is said where the rest was not compared.
pub(super) fn headline(overall: &Overall) -> &'static str {
    match overall.outcome {
        _ if overall.is_partial() => "PARTLY PASSED",
        _ if overall.is_merely_undecided() => UNDECIDED,
        came_to => outcome(came_to),
    }
}

/// The word that opens a report with these verdicts.
pub(super) fn verdict(verdicts: &Verdicts) -> &'static str {
    let absent = verdicts.census.as_ref().is_some_and(|census| !census.absent.is_empty());
    match verdicts.outcome {
        Outcome::NotMeasured if verdicts.tally.is_merely_undecided() && !absent => UNDECIDED,
        came_to => outcome(came_to),
    }
}

/// The word for a judgement alone.
#[must_use]
pub fn word_for(judgement: &Judgement) -> &'static str {
    let tally = judgement.tally();
    if tally.is_merely_undecided() { UNDECIDED } else { outcome(tally.outcome()) }
}

/// What stands below a verdict's first line: what is absent, what to do next, what else to know.
pub(super) fn below(verdicts: &Verdicts) -> Vec<String> {
    let mut lines = absent(verdicts.census.as_ref());
    lines.extend(next(verdicts));
    lines.extend(heeded(&verdicts.unbound, &verdicts.notes, &verdicts.differs));
    lines
}

/// What to do about what keeps the runs from being judged.
pub(super) fn next(verdicts: &Verdicts) -> Option<String> {
    longer(verdicts).or_else(|| surer(verdicts))
}

/// How long a log must be for the figures that are missing from it: said of the one that takes the most frames.
fn longer(verdicts: &Verdicts) -> Option<String> {
    let missing = verdicts.rows.iter().filter(|row| matches!(row.verdict, Verdict::Missing(_)));
    let need = |row: &Row| match (definitions::find(&row.figure.metric), row.statistic) {
        (Ok(id), _) => id.needs(),
        (Err(_), Measure::Of(statistic)) => statistic.least(),
        (Err(_), _) => 0,
    };
    let (need, row) = missing.map(|row| (need(row), row)).max_by_key(|(need, _)| *need)?;
    (verdicts.logs && need > verdicts.frames).then(|| {
        format!(
            "next: capture longer: {} takes {}, and the run has {}",
            statistic(row),
            counted(need, "frame"),
            verdicts.frames
        )
    })
}

/// What to do where runs lie too far apart for a limit: said once, of the frame's time if that is so, else of the figure whose
/// runs lie furthest apart.
fn surer(verdicts: &Verdicts) -> Option<String> {
    let too_far = |row: &&Row| match (&row.verdict, &row.evidence, &row.against) {
        // What rests on a pause in a log names the log: more of them are no cure.
        (Verdict::Undecided(_), Some(evidence), Against::Baseline(limits)) if row.rests_on.is_none() => {
            evidence.scale == Scale::Ratio && evidence.smallest > limits.changes(row.better).0.abs()
        }
        _ => false,
    };
    let spread = |row: &Row| row.evidence.as_ref().and_then(|it| it.spread).unwrap_or(0.0);
    let rows: Vec<&Row> = verdicts.rows.iter().filter(too_far).collect();
    let of_frame = |row: &&&Row| {
        row.figure.metric == metric_names::GPU_TOTAL && row.statistic == Statistic::Median.into()
    };
    let widest = || rows.iter().max_by(|a, b| spread(a).total_cmp(&spread(b)));
    let row = rows.iter().find(of_frame).or_else(widest)?;
    let Against::Baseline(limits) = &row.against else { return None };
    let (cause, cure) = wide(row, spread(row), verdicts.logs)?;
    Some(format!(
        "next: {cause}, so {} cannot be judged at its limit of {} here: {cure}, or raise the limit in framecost.toml",
        match rows.len() as u64 {
            1 => "it".to_owned(),
            more => format!("it, like {} more {},", more - 1, plural(more - 1, "figure")),
        },
        limit_percent(limits.changes(row.better).0.abs()),
    ))
}

/// What makes a row's interval too wide, and what would help against just that.
fn wide(row: &Row, spread: f64, logs: bool) -> Option<(String, &'static str)> {
    let evidence = row.evidence.as_ref()?;
    let (kind, of) = if logs { ("logs", "log") } else { ("runs", "run") };
    let (apart, name) = (format::percent(spread), statistic(row));
    Some(match evidence.widest {
        Widest::Runs => (
            format!("equal {kind} lie {apart} apart in {name} (standard deviation)"),
            match logs {
                true => MORE_LOGS,
                false => "measure on a quiet machine, in turns (ab, or bench --interleave frames)",
            },
        ),
        Widest::Frames => (
            format!(
                "the frames of a {of} vary so much and so slowly that they leave {name} open by {} (standard error), more than \
                 equal {kind} lie apart ({apart}, standard deviation)",
                format::percent(evidence.within)
            ),
            match logs {
                true => "capture longer logs, or more of them, of the same stretch",
                false => "measure more frames (bench --frames), or more runs",
            },
        ),
        Widest::Few => (
            format!("few {kind} say how far equal ones lie apart in {name} ({apart}, standard deviation)"),
            match logs {
                true => MORE_LOGS,
                false => {
                    "store more runs (bench --repeats, baseline save), or calibrate the adapter (calibrate)"
                }
            },
        ),
    })
}

/// What should be there and is not, one line each.
pub(super) fn absent(census: Option<&Census>) -> Vec<String> {
    let absences = census.iter().flat_map(|census| &census.absent);
    cut(absences.map(|it| format!("absent: {}", it.text)).collect(), "absence")
}

/// What became of every figure: a name, how many, which. Kinds of which there are none are left out but for those that
/// shut a gate, where a reader wants to see the 0.
pub(super) fn census(census: &Census) -> Vec<[String; 3]> {
    let due = ["judged", "undecided", "missing"];
    let kinds = census.kinds().into_iter().filter(|(kind, names)| !names.is_empty() || due.contains(kind));
    kinds.map(|(kind, names)| [kind.to_owned(), names.len().to_string(), some_of(names, "entry")]).collect()
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
        0 if tally.undecided > 0 => "nothing could be decided".to_owned(),
        0 => "nothing was compared".to_owned(),
        compared => format!("{compared} compared ({made})"),
    };
    if others.is_empty() { made } else { format!("{made}, {others}") }
}

/// How many captures came to what.
pub(super) fn overall(overall: &Overall) -> String {
    let kinds = [
        (overall.regressed, "regressed"),
        (overall.not_measured - overall.undecided, "not measured"),
        (overall.undecided, "undecided"),
        (overall.passed, "passed"),
        (overall.without_baseline, "without a baseline"),
    ];
    let by_budgets = overall.not_compared.saturating_sub(overall.without_baseline);
    let some = kinds.iter().filter(|(count, _)| *count > 0);
    let each = some.map(|(count, kind)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ");
    let captures = counted(overall.captures, "capture");
    let sets = match overall.sets {
        sets if sets == overall.captures => String::new(),
        sets => format!(" in {} of one key each", counted(sets, "set")),
    };
    let differences = match overall.differences {
        0 => String::new(),
        some => format!(" and {} between variants", counted(some, "difference")),
    };
    let partly = match overall.not_compared {
        0 => String::new(),
        bare if overall.without_baseline_passes => {
            format!("; {bare} of {} not compared, let pass as asked", counted(overall.sets, "set"))
        }
        _ if by_budgets > 0 => format!("; {by_budgets} held against budgets alone, for want of a baseline"),
        _ => String::new(),
    };
    format!("{captures}{sets}{differences}: {each}{partly}")
}

/// What a reader must know before the figures: budgets that bind nothing, notes, differences that were crossed.
pub(super) fn heeded(unbound: &[Unbound], notes: &[String], differs: &[Difference]) -> Vec<String> {
    let budgets = unbound.iter().map(|it| {
        let (kind, given) = (it.kind.name(), some_of(&it.given, "value"));
        if let Part::Variants(switch) = &it.part {
            return format!(
                "{kind} \"{}\": on what {switch} adds, which takes captures of two values; given: {given}",
                it.name
            );
        }
        format!("{kind} \"{}\": {} \"{}\" is none of those given ({given})", it.name, it.part, it.wanted)
    });
    let notes = notes.iter().map(|note| format!("note: {note}"));
    let differs = differs.iter().map(|it| format!("differs: {} {} -> {}", it.what, it.baseline, it.this));
    let mut lines = cut(budgets.collect(), "budget without effect");
    lines.extend(cut(notes.collect(), "note"));
    lines.extend(cut(differs.collect(), "difference"));
    lines
}

/// How several runs were judged; none for one run against at most one.
pub(super) fn runs((runs, baseline): (u64, u64), rule: Rule) -> Option<String> {
    let by = match rule {
        Rule::Runs => "",
        Rule::Threshold => "judged by the median over the runs of each figure's statistic; ",
    };
    let first = if runs > 1 { "first run" } else { "run" };
    let of_runs = format!("{by}tables below the verdict are of the {first} alone");
    let judged = counted(runs, "run");
    (runs > 1 || baseline > 1).then(|| format!("{judged} against {baseline} of the baseline: {of_runs}"))
}

/// As [`runs`], of pairs of runs.
pub(super) fn pairs((pairs, baseline): (u64, u64)) -> Option<String> {
    let against = if baseline == 0 { String::new() } else { format!(" against {baseline} of the baseline") };
    let of_pairs = "each figure is the median over the pairs of its statistic";
    (pairs > 1 || baseline > 1).then(|| format!("{} of runs{against}: {of_pairs}", counted(pairs, "pair")))
}

/// What differences are and are not.
pub(super) const PAIRED: &str = "paired frame by frame, may lie below zero: what the switch changes anywhere in the frame, no pass's time";

/// Which variants a difference lies between, and what else ran.
pub(super) fn difference(of: &super::OfVariants) -> String {
    format!("{} {} - {}", of.switch, of.more, of.less)
}

/// Which frames were measured, and which were left out.
pub(super) fn frames(head: &Head) -> String {
    let range = head.range.map_or_else(String::new, |(first, last)| format!(" ({first} to {last})"));
    let (start_up, warm_up, calibration) = head.left_out;
    let left_out = match calibration {
        0 => format!("{start_up} start-up and {warm_up} warm-up"),
        _ => format!("{start_up} start-up, {warm_up} warm-up and {calibration} calibration"),
    };
    let dropped =
        if head.dropped == 0 { String::new() } else { format!("; {} of them dropped", head.dropped) };
    let frames = counted(head.frames, "frame");
    let last = if calibration == 0 { warm_up } else { calibration };
    format!("{frames}{range}{dropped}; {left_out} {} left out", plural(last, "frame"))
}

/// On which frames two sides were compared; none where on all, or not at all.
pub(super) fn compared_on(comparison: &Comparison) -> Option<String> {
    let FrameCounts { run, baseline, common, of_logs } = comparison.frames;
    if !comparison.refused.is_empty() || common >= run.max(baseline) {
        return None;
    }
    let sides = format!("run {run}, baseline {baseline}");
    Some(match of_logs {
        true => format!("each log is compared as a whole; frames: {sides}"),
        false => format!("compared on the {} that both measured; {sides}", counted(common, "frame")),
    })
}

/// Scene, size, and the switches that were asked for.
pub(super) fn title(head: &Head) -> String {
    let size = head.size.map_or_else(String::new, |size| format!(" {size}"));
    let switches: String = head.asked.iter().map(|(name, value)| format!(" {name}={value}")).collect();
    format!("{}{size}{switches}", head.scene)
}

/// Adapter, backend and frames in flight.
pub(super) fn adapter(head: &Head) -> String {
    let in_flight = head
        .frames_in_flight
        .map_or_else(String::new, |frames| format!(", {} in flight", counted(frames.into(), "frame")));
    format!("{} ({}), {}{in_flight}", head.adapter, head.adapter_class, head.backend)
}

/// What the stamps are, and between which of them a difference means something.
pub(super) fn stamps(head: &Head) -> Vec<String> {
    if !head.stamped {
        return vec![if is_bracket(head) { "stamps: frame bracket only" } else { "stamps: none" }.into()];
    }
    let only_one = head.semantics.len() == 1;
    let mut lines: Vec<String> = head
        .semantics
        .iter()
        .map(|(kind, passes)| {
            if only_one {
                format!("stamps: {kind}")
            } else {
                format!("stamps: {kind} of {}", some_of(passes, "pass"))
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

/// Entries of a list that are shown before it is cut; the JSON holds all.
const SHOWN: usize = 8;

/// Why a value is missing, for people: where somebody chose not to stamp, how he did.
pub(super) fn missing(reason: &str, head: &Head) -> String {
    if reason == Reason::NotStamped.code() {
        let chosen = if is_bracket(head) { "frame" } else { "none" };
        format!("passes were not stamped in this run (--stamps {chosen})")
    } else {
        reason.to_owned()
    }
}

/// Whether only the frame as a whole lies between two stamps, by the key's word for it.
fn is_bracket(head: &Head) -> bool {
    head.instrumentation == "bracket"
}

/// A list of names, cut where it grows long; then it says how many of what are left out.
pub(super) fn some_of(names: &[String], kind: &str) -> String {
    some_of_up_to(names, SHOWN, kind)
}

/// As [`some_of`], of lines.
fn cut(mut lines: Vec<String>, kind: &str) -> Vec<String> {
    let more = left_out(lines.len(), SHOWN, kind);
    lines.truncate(SHOWN);
    lines.extend(more);
    lines
}

/// The rows of a group that has a reason, named.
pub(super) fn named_rows(group: &Group) -> String {
    let names: Vec<String> = group.rows.iter().map(with_change).collect();
    some_of(&names, "figure")
}

/// A row's figure, with its change where the rule of runs measured one.
pub(super) fn with_change(row: &Row) -> String {
    let change = evidence::change(row).map_or_else(String::new, |change| format!(" {change}"));
    format!("{}{change}", figure(row))
}

/// A row's figure, with the budget's name before it.
pub(super) fn figure(row: &Row) -> String {
    match &row.against {
        Against::Baseline(_) => statistic(row),
        Against::Budget { name, kind, .. } => format!("{} {name}: {}", kind.name(), statistic(row)),
    }
}

/// A row's verdict, marked where the row rests on few frames of a log.
pub(super) fn marked(row: &Row) -> String {
    format!("{}{}", row.verdict.name(), if row.rests_on.is_some() { MARK } else { "" })
}

/// What stands behind a verdict that rests on few frames of a log; a note says on which.
const MARK: &str = "*";

/// What the marked rows rest on, a note for each.
pub(super) fn resting(rows: &[Row]) -> Vec<String> {
    let said = |row: &Row| {
        let on = row.rests_on.as_ref()?;
        Some(format!("{} {} {on}", marked(row), figure(row)))
    };
    rows.iter().filter_map(said).collect()
}

/// A row's figure and statistic: `attributed/lit median`.
pub(super) fn statistic(row: &Row) -> String {
    row.title()
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
        Against::Baseline(_) if row.statistic == Measure::Hitches => {
            let frames = format!("{:.1}", tolerated_hitches(row.n));
            format!("+{} (1 frame in 100)", frames.trim_end_matches(".0"))
        }
        Against::Baseline(limits) => {
            let grows = at_least == (row.verdict == Verdict::Improved);
            let sign = if grows { '+' } else { '-' };
            let part = if row.verdict == Verdict::Warn { limits.warn } else { limits.fail };
            let part = Limits::as_change(part, grows).abs();
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
            Quantile::Value(_) | Quantile::Sampled => None,
            Quantile::Withheld { need, .. } => Some(need),
        });
        need.max().map(|need| format!("{name} takes {need} values"))
    };
    let is_sampled = |figure: &Figure| {
        figure.stats.measured().is_some_and(|stats| stats.get(Statistic::P99) == Quantile::Sampled)
    };
    if figures.iter().any(is_sampled) {
        return Some(format!("p95 and p99: withheld, each {}", crate::stats::SAMPLED));
    }
    let said: Vec<String> = kinds.into_iter().filter_map(of).collect();
    (!said.is_empty()).then(|| format!("{}: withheld where there are fewer", said.join(", ")))
}
