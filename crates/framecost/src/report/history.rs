//! A history for people and for programs. In: a [`HistoryReport`]. Out: for each series a strip of its points, then its steps,
//! drifts and known breaks in words with what to do next; or JSON.

use super::Style;
use super::escape::terminal;
use super::format::{dash, percent, value};
use super::json::to_text;
use super::shell::shell_word;
use super::table::{Paint, paint};
use crate::counted;
use crate::history::{
    Break, Course, Drift, HistoryReport, LeftOut, Point, Scale, Series, SeriesKey, Since, Step,
};

/// Lines of captures that were left out; JSON has them all.
const MOST_LEFT_OUT: usize = 20;
/// Steps that are told of a series in text, the newest.
const MOST_STEPS: usize = 20;
const INDENT: &str = "  ";
/// Heights of a point in the strip, from the lowest value to the highest.
const BLOCKS: [&str; 8] =
    ["\u{2581}", "\u{2582}", "\u{2583}", "\u{2584}", "\u{2585}", "\u{2586}", "\u{2587}", "\u{2588}"];
const ASCII: [&str; 8] = ["_", ".", ",", "-", "~", "=", "*", "#"];
/// What stands in the strip where a point has no value.
const GAP: &str = "?";

/// The history as JSON text, indented, with a newline at its end.
#[must_use]
pub fn history_json(report: &HistoryReport) -> String {
    to_text(report)
}

/// The history for a terminal.
#[must_use]
pub fn history_text(report: &HistoryReport, style: &Style) -> String {
    let mut lines = vec![heading(report, style)];
    for series in &report.series {
        lines.push(String::new());
        lines.extend(of_series(series, report, style));
    }
    if report.judged_any() {
        lines.push(String::new());
        lines.extend(rules(report));
    }
    lines.extend(report.notes.iter().map(|note| format!("note: {}", terminal(note))));
    lines.extend(left_out(&report.left_out));
    lines.push(String::new());
    lines.join("\n")
}

fn heading(report: &HistoryReport, style: &Style) -> String {
    let (word, colour) = word_for(report);
    format!("{}  history of {}: {}", paint(word, colour, style), terminal(&report.scene), found(report))
}

fn changes(report: &HistoryReport) -> (u64, u64) {
    let count = |of: &dyn Fn(&Series) -> usize| report.series.iter().map(of).sum::<usize>() as u64;
    (count(&|it| it.steps.len()), count(&|it| it.drifts.len()))
}

/// What a history comes to, in a word.
pub(super) fn word_for(report: &HistoryReport) -> (&'static str, Paint) {
    match (report.got_worse(), report.judged_any()) {
        (true, _) => ("GOT WORSE", Paint::Red),
        (false, true) if changes(report) != (0, 0) => ("CHANGED", Paint::Yellow),
        (false, true) => ("STEADY", Paint::Green),
        (false, false) => ("NOT JUDGED", Paint::Magenta),
    }
}

/// How much was found.
pub(super) fn found(report: &HistoryReport) -> String {
    let (steps, drifts) = changes(report);
    let series = report.series.len();
    format!("{} and {} in {series} series", counted(steps, "step"), counted(drifts, "drift"))
}

fn of_series(series: &Series, report: &HistoryReport, style: &Style) -> Vec<String> {
    let title = terminal(&name(series, report));
    let mut lines = vec![paint(&title, Paint::Bold, style), terminal(&machine(&series.key))];
    if !series.normalised_by.is_empty() {
        lines.push(terminal(&format!("divided by {}, same session", series.normalised_by.join(" and "))));
    }
    lines.push(extent(series));
    lines.extend(strip(series, style));
    lines.extend(told(series, style));
    lines
}

/// What a series is a series of.
pub(super) fn name(series: &Series, report: &HistoryReport) -> String {
    format!("{} {}, {}", series.figure, statistic(series, report), title(&series.key))
}

/// All that is said of a series, without what only a terminal needs.
pub(super) fn sentences(series: &Series) -> Vec<String> {
    told(series, &Style::PLAIN).iter().map(|line| line.trim().to_owned()).collect()
}

/// Breaks, steps, drifts and notes in words.
fn told(series: &Series, style: &Style) -> Vec<String> {
    let mut lines = Vec::new();
    lines.extend(series.breaks.iter().map(|it| of_break(series, it)));
    let skipped = series.steps.len().saturating_sub(MOST_STEPS);
    if skipped > 0 {
        lines.push(format!("{INDENT}{} before these", counted(skipped as u64, "step")));
    }
    for (i, step) in series.steps.iter().enumerate().skip(skipped) {
        lines.extend(of_step(series, i, step, style));
    }
    lines.extend(series.drifts.iter().flat_map(|drift| of_drift(series, drift, style)));
    lines.extend(series.since.as_ref().map(|since| of_since(series, since, style)));
    let quiet = series.steps.is_empty() && series.drifts.is_empty() && series.since.is_none();
    if quiet && series.levels.iter().any(|level| level.measured >= 10) {
        let level =
            series.levels.last().map_or_else(|| dash(style).into(), |it| value(it.median, series.unit));
        lines.push(format!("{INDENT}steady at {level}"));
    }
    lines.extend(series.notes.iter().map(|note| format!("{INDENT}note: {}", terminal(note))));
    lines
}

/// A figure of the run is one value, so no statistic of it was taken.
fn statistic(series: &Series, report: &HistoryReport) -> String {
    let normalised = if series.normalised_by.is_empty() { "" } else { ", a ratio" };
    format!("{}{normalised}", report.statistic)
}

fn title(key: &SeriesKey) -> String {
    let mut parts = vec![key.scene.clone()];
    parts.extend(key.size.clone());
    parts.extend(key.asked.iter().cloned());
    parts.extend(key.differing.iter().filter(|it| !key.asked.contains(it)).cloned());
    parts.join(" ")
}

pub(super) fn machine(key: &SeriesKey) -> String {
    let in_flight = key
        .frames_in_flight
        .map_or_else(String::new, |frames| format!(", {} in flight", counted(frames.into(), "frame")));
    format!("{} ({}), {}{in_flight}", key.adapter, key.adapter_class, key.backend)
}

pub(super) fn extent(series: &Series) -> String {
    let runs: usize = series.points.iter().map(|point| point.runs.len()).sum();
    let gaps = series.points.iter().filter(|point| point.value.is_err()).count() as u64;
    let ends = match (series.points.first(), series.points.last()) {
        (Some(first), Some(last)) => {
            let when = |point: &Point| point.started_at.as_deref().map_or_else(|| called(point), terminal);
            format!(", {} to {}", when(first), when(last))
        }
        _ => String::new(),
    };
    let gaps = if gaps > 0 { format!("; {gaps} without a value ({GAP})") } else { String::new() };
    let points = counted(series.points.len() as u64, "point");
    format!("{points} of {}{ends}{gaps}", counted(runs as u64, "run"))
}

/// A strip of the points and a line of marks below it: a letter where a step is, a bar where the environment changed.
fn strip(series: &Series, style: &Style) -> Vec<String> {
    let measured: Vec<f64> = series.points.iter().filter_map(|point| point.value.clone().ok()).collect();
    let low = measured.iter().copied().fold(f64::INFINITY, f64::min);
    let high = measured.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !low.is_finite() {
        return Vec::new();
    }
    // Breaks take room too; a strip that is a little too short is still right.
    let room = style.width.saturating_sub(INDENT.len() + series.breaks.len()).max(20);
    let each = series.points.len().div_ceil(room).max(1);
    let (mut drawn, mut marks) = (String::new(), String::new());
    for (i, points) in series.points.chunks(each).enumerate() {
        let places = i * each..i * each + points.len();
        if series.breaks.iter().any(|it| places.contains(&it.at)) {
            drawn.push('|');
            marks.push(' ');
        }
        drawn.push_str(height(points, low, high, style));
        let step = series.steps.iter().position(|step| places.contains(&step.after));
        marks.push(step.map_or(' ', letter));
    }
    let scale = format!(
        "{INDENT}from {} ({}) to {} ({})",
        value(low, series.unit),
        levels(style)[0],
        value(high, series.unit),
        levels(style)[7]
    );
    let marks = Some(marks.trim_end().to_owned()).filter(|marks| !marks.is_empty());
    let lines = std::iter::once(drawn).chain(marks).map(|line| format!("{INDENT}{line}"));
    lines.chain(std::iter::once(scale)).collect()
}

const fn levels(style: &Style) -> &'static [&'static str; 8] {
    if style.unicode { &BLOCKS } else { &ASCII }
}

/// The height of some neighbouring points: of their middle one by value.
fn height(points: &[Point], low: f64, high: f64, style: &Style) -> &'static str {
    let mut values: Vec<f64> = points.iter().filter_map(|point| point.value.clone().ok()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let Some(&middle) = values.get(values.len() / 2) else { return GAP };
    let part = if high > low { (middle - low) / (high - low) } else { 0.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 7")]
    let level = (part.clamp(0.0, 1.0) * 7.0).round() as usize;
    levels(style)[level.min(7)]
}

/// The mark of the i-th step.
fn letter(i: usize) -> char {
    (b'a'..=b'z').nth(i).map_or('^', char::from)
}

/// A point by its revision, or by its moment where it has none, or by its capture's name where it has neither.
pub(super) fn named(series: &Series, place: usize) -> String {
    let Some(point) = series.points.get(place) else { return "?".into() };
    let name = point.revision.as_deref().or(point.started_at.as_deref());
    name.map_or_else(|| called(point), terminal)
}

/// The name of a point's first capture.
fn called(point: &Point) -> String {
    let path = point.runs.first().map_or("?", |run| run.path.as_str());
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    terminal(name.strip_suffix(".framecost").unwrap_or(name))
}

fn of_break(series: &Series, it: &Break) -> String {
    let change = |change: &crate::history::FactChange| {
        format!("{} {} -> {}", terminal(&change.fact), terminal(&change.from), terminal(&change.to))
    };
    let changes: Vec<String> = it.changes.iter().map(change).collect();
    let at = named(series, it.at);
    format!("{INDENT}known break (|) at {at}, no alarm: {}", changes.join(", "))
}

fn of_step(series: &Series, i: usize, step: &Step, style: &Style) -> Vec<String> {
    let Step { levels, points, .. } = step;
    let (before, after) = (named(series, step.before), named(series, step.after));
    let accepted = if step.accepted { ", accepted" } else { "" };
    let word = word(step.course, step.accepted, style);
    let what = format!(
        "{INDENT}{word} {}  between {before} and {after}: {} ({} to {}), {} -> {}{accepted}",
        letter(i),
        change(series, step.change),
        change(series, step.interval.0),
        change(series, step.interval.1),
        value(levels.0, series.unit),
        value(levels.1, series.unit),
    );
    let resemble = if step.block > 1 { ", neighbours resemble each other" } else { "" };
    let sure = format!(
        "{INDENT}{INDENT}{}, {} points before and {} after, parted in {} of pairs{resemble}",
        chance(step.p),
        points.0,
        points.1,
        percent(step.separation),
    );
    let next = (step.course == Course::Worse && !step.accepted).then(|| next(&series.key, &before, &after));
    [what, sure].into_iter().chain(next).collect()
}

fn of_drift(series: &Series, drift: &Drift, style: &Style) -> Vec<String> {
    let (first, last) = (named(series, drift.first), named(series, drift.last));
    let word = word(drift.course, drift.accepted, style);
    let what = format!(
        "{INDENT}{word}    drift from {first} to {last}: {} ({} to {}) over {} points, no single step",
        change(series, drift.change),
        change(series, drift.interval.0),
        change(series, drift.interval.1),
        drift.points,
    );
    let next = (drift.course == Course::Worse && !drift.accepted).then(|| next(&series.key, &first, &last));
    [what, format!("{INDENT}{INDENT}{}", chance(drift.p))].into_iter().chain(next).collect()
}

fn of_since(series: &Series, since: &Since, style: &Style) -> String {
    let kind = if since.blessed { "blessed" } else { "the first of this environment" };
    format!(
        "{INDENT}{}    since {} ({kind}): {}, {} -> {}",
        word(since.course, false, style),
        named(series, since.from),
        change(series, since.change),
        value(since.levels.0, series.unit),
        value(since.levels.1, series.unit),
    )
}

fn word(course: Course, accepted: bool, style: &Style) -> String {
    match course {
        Course::Worse if accepted => "worse  ".into(),
        Course::Worse => paint("WORSE  ", Paint::Red, style),
        Course::Better => paint("better ", Paint::Green, style),
        Course::Changed => paint("changed", Paint::Yellow, style),
    }
}

/// A change as its series writes it, with its sign.
pub(super) fn change(series: &Series, change: f64) -> String {
    let text = match series.scale {
        Scale::Ratio => percent(change),
        Scale::Difference => value(change, series.unit),
    };
    if change > 0.0 { format!("+{text}") } else { text }
}

fn chance(p: f64) -> String {
    if p < 0.0001 { "chance alone: p below 0.0001".into() } else { format!("chance alone: p {p:.4}") }
}

/// What to run, so that builds of both revisions are held against each other on one machine in one session.
fn next(key: &SeriesKey, before: &str, after: &str) -> String {
    let size = key.size.as_ref().map_or_else(String::new, |size| format!(" --size {}", shell_word(size)));
    let set: String = key.asked.iter().map(|it| format!(" --set {}", shell_word(it))).collect();
    let [before, after] = [before, after].map(|it| shell_word(&format!("BUILD-OF-{it}")));
    let scene = shell_word(&key.scene);
    format!("{INDENT}{INDENT}next: framecost ab --a {before} --b {after} -- {scene}{size}{set}")
}

pub(super) fn rules(report: &HistoryReport) -> Vec<String> {
    let rules = &report.rules;
    vec![
        format!(
            "changes past {} with at least five points on each side; {} made together",
            percent(rules.limit),
            counted(rules.tests, "test"),
        ),
        "of 100 series of 100 points in which nothing happened, at most one shows a change, unless neighbours".into(),
        "resemble each other by more than 0.5 (docs/method.md)".into(),
    ]
}

fn left_out(list: &[LeftOut]) -> Vec<String> {
    if list.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), format!("left out: {}", counted(list.len() as u64, "capture"))];
    let line = |it: &LeftOut| format!("{INDENT}{}: {}", terminal(&it.path), terminal(&it.reason));
    lines.extend(list.iter().take(MOST_LEFT_OUT).map(line));
    if list.len() > MOST_LEFT_OUT {
        lines.push(format!("{INDENT}and {} more; --json lists them", list.len() - MOST_LEFT_OUT));
    }
    lines
}
