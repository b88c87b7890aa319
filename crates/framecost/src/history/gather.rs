//! From runs to series of points. In: runs in any order. Out: for each key and figure the points in the order of time, one per
//! revision and environment, and where the environment changed.

use std::collections::{BTreeSet, HashMap};

use framecost_sample::{Key, Semantics};

use super::data::{Break, FactChange, LeftOut, Point, PointRun};
use super::pinned::Pinned;
use super::run::{Definition, Run};
use super::{Options, moment};
use crate::natural::by_numbers;
use crate::stats::{FigureId, type7};

/// A run with its moment, and what is known of its environment.
pub(super) struct Dated<'a> {
    pub(super) run: &'a Run,
    /// None of a log that does not say when it was made.
    pub(super) at: Option<i128>,
    started_at: Option<&'a str>,
    /// The facts that break a series, as last known.
    facts: Vec<Option<String>>,
}

/// A series before it is judged.
pub(super) struct Raw<'a> {
    pub(super) key: &'a Key,
    pub(super) semantics: &'a BTreeSet<Semantics>,
    pub(super) asked: &'a [String],
    pub(super) figure: FigureId,
    /// None where no run has the figure.
    pub(super) definition: Option<Definition>,
    pub(super) points: Vec<Point>,
    pub(super) breaks: Vec<Break>,
    /// Logs that do not say when they were made, for which all stand in the order of their names.
    pub(super) undated: u64,
}

/// The series of all runs, in the order in which keys and figures first stand; runs without a moment are left out, but for logs,
/// which few tools date.
pub(super) fn series<'a>(
    runs: &'a [Run],
    pinned: &Pinned<'_>,
    options: &Options,
    left_out: &mut Vec<LeftOut>,
) -> Vec<Raw<'a>> {
    let mut all = Vec::new();
    for mut group in by_key(runs, left_out) {
        let undated = group.iter().filter(|dated| dated.at.is_none()).count() as u64;
        group.sort_by(|a, b| match undated {
            0 => (a.at, &a.run.path).cmp(&(b.at, &b.run.path)),
            _ => by_numbers(&a.run.path, &b.run.path),
        });
        know_facts(&mut group, &options.breaks_on);
        for (figure, definition) in figures(&group) {
            let (points, breaks) = points(&group, &figure, definition, pinned, &options.breaks_on);
            let Some(first) = group.first() else { continue };
            let Run { key, semantics, asked, .. } = first.run;
            all.push(Raw { key, semantics, asked, figure, definition, points, breaks, undated });
        }
    }
    all
}

/// Runs of one hard key each.
fn by_key<'a>(runs: &'a [Run], left_out: &mut Vec<LeftOut>) -> Vec<Vec<Dated<'a>>> {
    let mut groups: Vec<Vec<Dated<'a>>> = Vec::new();
    // A search through the groups for each run would take the product of both where every run has a key of its own.
    let mut by_text: HashMap<String, usize> = HashMap::new();
    for run in runs {
        let dated = run.moment().and_then(|text| Some((text, moment::nanos(text)?)));
        if dated.is_none() && !run.is_log() {
            let reason = "does not say when it began, so that it has no place in time".into();
            left_out.push(LeftOut { path: run.path.clone(), reason });
            continue;
        }
        let (started_at, at) = dated.unzip();
        let semantics: Vec<&str> = run.semantics.iter().map(|semantics| semantics.name()).collect();
        let text = format!("{}\n{}", framecost_sample::wire::key_to_json(&run.key), semantics.join(","));
        let group = *by_text.entry(text).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[group].push(Dated { run, at, started_at, facts: Vec::new() });
    }
    groups
}

/// Gives each run the facts that it states; one that it does not state is as it was before. That a fact was not read is no
/// change of it.
fn know_facts(group: &mut [Dated<'_>], names: &[String]) {
    let mut known: Vec<Option<String>> = vec![None; names.len()];
    for dated in group {
        for (known, name) in known.iter_mut().zip(names) {
            if let Some(fact) = dated.run.fact(name) {
                *known = Some(fact.to_owned());
            }
        }
        dated.facts.clone_from(&known);
    }
}

/// Every figure of the runs with each of its definitions: values of unlike units never stand in one series.
fn figures(group: &[Dated<'_>]) -> Vec<(FigureId, Option<Definition>)> {
    let mut found: Vec<(FigureId, Option<Definition>)> = Vec::new();
    for value in group.iter().flat_map(|dated| &dated.run.values) {
        let like = |(figure, definition): &(FigureId, Option<Definition>)| {
            *figure == value.figure && is_like(*definition, value.definition)
        };
        match found.iter_mut().find(|entry| like(entry)) {
            Some((_, definition)) => *definition = definition.or(value.definition),
            None => found.push((value.figure.clone(), value.definition)),
        }
    }
    found
}

/// Whether two definitions are of one quantity. A run that lacks the figure says nothing against any.
fn is_like(a: Option<Definition>, b: Option<Definition>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.unit == b.unit && a.better == b.better,
        _ => true,
    }
}

/// What makes runs one point.
#[derive(PartialEq, Eq, Hash)]
enum Same<'a> {
    Revision(&'a str, &'a [Option<String>]),
    /// A run without a revision stands alone.
    Alone(usize),
}

fn points(
    group: &[Dated<'_>],
    figure: &FigureId,
    definition: Option<Definition>,
    pinned: &Pinned<'_>,
    names: &[String],
) -> (Vec<Point>, Vec<Break>) {
    let mut points: Vec<(Point, &[Option<String>])> = Vec::new();
    let mut known: HashMap<Same<'_>, usize> = HashMap::new();
    for (i, dated) in group.iter().enumerate() {
        let Some(value) = dated.run.values.iter().find(|value| value.figure == *figure) else { continue };
        if !is_like(definition, value.definition) {
            continue;
        }
        let revision = dated.run.revision();
        let same = revision.map_or(Same::Alone(i), |revision| Same::Revision(revision, &dated.facts));
        let at = *known.entry(same).or_insert_with(|| {
            let point = Point {
                revision: revision.map(str::to_owned),
                started_at: dated.started_at.map(str::to_owned),
                value: Err(String::new()),
                spread: None,
                runs: Vec::new(),
            };
            points.push((point, &dated.facts));
            points.len() - 1
        });
        points[at].0.runs.push(PointRun {
            path: dated.run.path.clone(),
            started_at: dated.started_at.map(str::to_owned),
            value: value.reading.clone().and_then(|value| pinned.divide(dated, figure, value)),
        });
    }
    let breaks = breaks(&points, names);
    let finish = |(mut point, _): (Point, _)| {
        (point.value, point.spread) = over_runs(&point.runs);
        point
    };
    (points.into_iter().map(finish).collect(), breaks)
}

/// The median of the runs that have a value, and their spread.
fn over_runs(runs: &[PointRun]) -> (Result<f64, String>, Option<(f64, f64)>) {
    let mut values: Vec<f64> = runs.iter().filter_map(|run| run.value.clone().ok()).collect();
    values.sort_unstable_by(f64::total_cmp);
    let spread = (values.len() > 1).then(|| (values[0], values[values.len() - 1]));
    let first_reason = || runs.iter().find_map(|run| run.value.clone().err()).unwrap_or_default();
    (type7(&values, 0.5).ok_or_else(first_reason), spread)
}

fn breaks(points: &[(Point, &[Option<String>])], names: &[String]) -> Vec<Break> {
    let mut breaks = Vec::new();
    for (at, pair) in points.windows(2).enumerate() {
        let ([(_, before), (_, after)], mut changes) = (pair, Vec::new()) else { continue };
        for ((from, to), name) in before.iter().zip(*after).zip(names) {
            if let (Some(from), Some(to)) = (from, to)
                && from != to
            {
                changes.push(FactChange { fact: name.clone(), from: from.clone(), to: to.clone() });
            }
        }
        if !changes.is_empty() {
            breaks.push(Break { at: at + 1, changes });
        }
    }
    breaks
}
