//! The report of a history. In: runs. Out: every series with its verdicts, judged together, so that many series at once raise
//! no more false alarms than one.

use std::collections::BTreeSet;

use framecost_sample::{Better, Unit};

use super::data::{
    Course, Drift, HistoryReport, LeftOut, Level, Rules, Scale, Series, SeriesKey, Since, Step,
};
use super::drift::{DRIFT_LEVEL, Trend, inflation};
use super::gather::{self, Raw};
use super::judged::{Tests, Verdict, cut_off};
use super::pinned::{Pinned, Reference};
use super::robust::{above, median_of, pieces, shift_interval};
use super::run::{Definition, Run};
use super::scan::LEAST;
use super::steps::{Cut, Gates, STEP_LEVEL, differs, sides};
use super::{FALSE_DISCOVERY_RATE, NEWEST, Options};
use crate::counted;

/// Fewest and most draws of a test: enough for the smallest p-value that many tests at once ask for, within bounds.
const DRAWS: (usize, usize) = (1_999, 19_999);

/// A stretch of a series under one environment.
struct Stretch {
    /// The points with a value, by their place in the series.
    places: Vec<usize>,
    /// Their values on the series' scale.
    values: Vec<f64>,
    tests: Tests,
}

/// A series with its tests.
struct Tested<'a> {
    raw: Raw<'a>,
    scale: Scale,
    judged_from: usize,
    stretches: Vec<Stretch>,
}

pub(super) fn report(runs: &[Run], references: &[Reference], options: &Options) -> HistoryReport {
    let pinned = Pinned::new(references, options.session, &options.breaks_on);
    let mut left_out: Vec<LeftOut> = Vec::new();
    let raw = gather::series(runs, &pinned, options, &mut left_out);
    let stretches: usize = raw.iter().map(|raw| raw.breaks.len() + 1).sum();
    let draws = u32::try_from((80 * stretches).clamp(DRAWS.0, DRAWS.1)).unwrap_or(u32::MAX);
    let tested: Vec<Tested<'_>> = raw.into_iter().map(|raw| test(raw, draws, options)).collect();
    let p_values: Vec<f64> =
        tested.iter().flat_map(|it| &it.stretches).flat_map(|it| it.tests.p_values()).collect();
    let tests = p_values.len() as u64;
    let greatest_p = cut_off(p_values, FALSE_DISCOVERY_RATE);
    let normalised_by: Vec<String> = references.iter().map(|reference| reference.name.clone()).collect();
    let mut series: Vec<Series> =
        tested.iter().map(|it| judge(it, greatest_p, &normalised_by, options)).collect();
    tell_apart(&mut series, &tested);
    say_what_ended(&mut series);
    HistoryReport {
        framecost_history: 1,
        scene: options.scene.clone(),
        statistic: options.statistic,
        rules: Rules {
            limit: options.limit,
            step_level: STEP_LEVEL,
            drift_level: DRIFT_LEVEL,
            false_discovery_rate: FALSE_DISCOVERY_RATE,
            tests,
            greatest_p,
            breaks_on: options.breaks_on.clone(),
            blessed: options.blessed.clone(),
        },
        notes: notes(&series, options),
        series,
        left_out,
    }
}

fn test<'a>(raw: Raw<'a>, draws: u32, options: &Options) -> Tested<'a> {
    let measured: Vec<(usize, f64)> = raw
        .points
        .iter()
        .enumerate()
        .filter_map(|(place, point)| Some((place, *point.value.as_ref().ok()?)))
        .collect();
    let newest = &measured[measured.len().saturating_sub(options.newest.min(NEWEST))..];
    let positive = newest.iter().all(|(_, value)| *value > 0.0);
    let scale = if positive { Scale::Ratio } else { Scale::Difference };
    let bounds: Vec<usize> = raw.breaks.iter().map(|it| it.at).collect();
    let stretch = |(start, end): (usize, usize)| {
        let inside = newest.iter().filter(|(place, _)| (start..end).contains(place));
        let (places, values): (Vec<usize>, Vec<f64>) =
            inside.map(|(place, value)| (*place, scale.to(*value))).unzip();
        (!values.is_empty()).then(|| Stretch { tests: Tests::of(&values, draws), places, values })
    };
    let stretches = pieces(raw.points.len(), &bounds).into_iter().filter_map(stretch).collect();
    Tested { scale, judged_from: newest.first().map_or(0, |(place, _)| *place), stretches, raw }
}

impl Scale {
    /// A value where changes are differences: its logarithm where they are ratios.
    fn to(self, value: f64) -> f64 {
        if self == Self::Ratio { value.ln() } else { value }
    }

    /// Back from there.
    fn back(self, value: f64) -> f64 {
        if self == Self::Ratio { value.exp() } else { value }
    }

    /// A difference there as it is written: a part of what it was, or a difference.
    fn change(self, difference: f64) -> f64 {
        let change = if self == Self::Ratio { difference.exp_m1() } else { difference };
        // Of values at the two ends of the range, the change itself does not fit.
        change.clamp(f64::MIN, f64::MAX)
    }
}

/// What all findings of a series need.
struct Judge<'a> {
    tested: &'a Tested<'a>,
    definition: Definition,
    greatest_p: f64,
    limit: f64,
    /// The first point of the blessed revision.
    blessed: Option<usize>,
}

impl Judge<'_> {
    /// Whether the way from one level to another, on the series' scale, matters: past the limit and past the floor.
    fn matters(&self, from: f64, to: f64) -> bool {
        let scale = self.tested.scale;
        let moved = (scale.back(to) - scale.back(from)).abs();
        let past_limit = scale == Scale::Difference || (to - from).abs() >= self.limit.ln_1p();
        past_limit && moved >= self.definition.floor && moved > 0.0
    }

    const fn course(&self, difference: f64) -> Course {
        match self.definition.better {
            Better::Neither => Course::Changed,
            Better::Lower if difference > 0.0 => Course::Worse,
            Better::Higher if difference < 0.0 => Course::Worse,
            Better::Lower | Better::Higher => Course::Better,
        }
    }

    fn step(&self, stretch: &Stretch, cuts: &[Cut], i: usize) -> Step {
        let scale = self.tested.scale;
        let (before, after) = sides(&stretch.values, cuts, i);
        let (from, to) = (median_of(before), median_of(after));
        let around: Vec<f64> =
            before.iter().map(|value| value - from).chain(after.iter().map(|value| value - to)).collect();
        let (low, high) = shift_interval(before, after, inflation(&around));
        let separation = above(before, after);
        let place = stretch.places[cuts[i].at];
        Step {
            before: stretch.places[cuts[i].at - 1],
            after: place,
            points: (before.len(), after.len()),
            levels: (scale.back(from), scale.back(to)),
            change: scale.change(to - from),
            // Of few points, the medians' difference may lie past the interval of the pairs.
            interval: (scale.change(low.min(to - from)), scale.change(high.max(to - from))),
            p: cuts[i].p,
            separation: if to > from { separation } else { 1.0 - separation },
            block: cuts[i].block,
            course: self.course(to - from),
            accepted: self.blessed.is_some_and(|blessed| place <= blessed),
        }
    }

    fn drift(&self, stretch: &Stretch, trend: &Trend) -> Drift {
        let scale = self.tested.scale;
        let first = stretch.places[0];
        Drift {
            first,
            last: stretch.places[stretch.places.len() - 1],
            points: stretch.places.len(),
            change: scale.change(trend.change),
            interval: (scale.change(trend.low), scale.change(trend.high)),
            p: trend.p,
            course: self.course(trend.change),
            accepted: self.blessed.is_some_and(|blessed| blessed > first),
        }
    }

    /// The newest level against the first or blessed one: what ten changes of 1 % add up to. It rests on the same tests, so it
    /// raises no false alarm of its own.
    fn since(&self, gates: &Gates<'_>) -> Option<Since> {
        let stretch = self.tested.stretches.last()?;
        let start =
            self.blessed.map_or(0, |blessed| stretch.places.partition_point(|place| *place < blessed));
        let counted = stretch.values.get(start..)?;
        if counted.len() < 2 * LEAST || !stretch.tests.moved(self.greatest_p) {
            return None;
        }
        let (first, last) = (&counted[..LEAST], &counted[counted.len() - LEAST..]);
        let (from, to) = (median_of(first), median_of(last));
        let scale = self.tested.scale;
        let since = Since {
            from: stretch.places[start],
            blessed: self.blessed.is_some_and(|blessed| stretch.places[start] == blessed),
            to: stretch.places[stretch.places.len() - 1],
            levels: (scale.back(from), scale.back(to)),
            change: scale.change(to - from),
            course: self.course(to - from),
        };
        differs(first, last, gates).then_some(since)
    }
}

fn judge(tested: &Tested<'_>, greatest_p: f64, normalised_by: &[String], options: &Options) -> Series {
    let Tested { raw, scale, .. } = tested;
    let own = raw.definition.unwrap_or(Definition { unit: Unit::Ratio, better: Better::Neither, floor: 0.0 });
    let definition = match normalised_by {
        [] => own,
        // A floor in the figure's unit says nothing of a ratio.
        _ => Definition { unit: Unit::Ratio, floor: 0.0, ..own },
    };
    let is_blessed =
        |revision: &String| raw.points.iter().position(|point| point.revision.as_ref() == Some(revision));
    let blessed = options.blessed.as_ref().and_then(is_blessed);
    let judge = Judge { tested, definition, greatest_p, limit: options.limit, blessed };
    let matters = |from, to| judge.matters(from, to);
    let gates = Gates { matters: &matters };
    let mut series = Series {
        key: key(raw),
        figure: raw.figure.to_string(),
        unit: definition.unit,
        better: definition.better,
        normalised_by: normalised_by.to_vec(),
        scale: *scale,
        points: raw.points.clone(),
        judged_from: tested.judged_from,
        breaks: raw.breaks.clone(),
        levels: Vec::new(),
        steps: Vec::new(),
        drifts: Vec::new(),
        since: judge.since(&gates),
        notes: series_notes(tested, blessed, options),
    };
    for stretch in &tested.stretches {
        let cuts = match stretch.tests.verdict(&stretch.values, greatest_p, &gates) {
            Verdict::Steady => Vec::new(),
            Verdict::Steps(cuts) => cuts,
            Verdict::Drift(trend) => {
                series.drifts.push(judge.drift(stretch, &trend));
                Vec::new()
            }
        };
        let at: Vec<usize> = cuts.iter().map(|cut| cut.at).collect();
        let level = |(start, end)| level(tested.scale, stretch, start, end);
        series.levels.extend(pieces(stretch.values.len(), &at).into_iter().map(level));
        series.steps.extend((0..cuts.len()).map(|i| judge.step(stretch, &cuts, i)));
    }
    series
}

fn level(scale: Scale, stretch: &Stretch, start: usize, end: usize) -> Level {
    let values: Vec<f64> = stretch.values[start..end].iter().map(|value| scale.back(*value)).collect();
    let median = median_of(&values);
    let residual = median_of(&values.iter().map(|value| (value - median).abs()).collect::<Vec<_>>());
    let (first, last) = (stretch.places[start], stretch.places[end - 1]);
    Level { first, last, measured: end - start, median, residual }
}

fn key(raw: &Raw<'_>) -> SeriesKey {
    let key = raw.key;
    SeriesKey {
        benchmark: key.benchmark.clone(),
        scene: key.scene.clone(),
        adapter: key.adapter.clone(),
        adapter_class: key.adapter_class.name().into(),
        backend: key.backend.clone(),
        size: key.size.map(|size| size.to_string()),
        switches: key.switches.to_string(),
        asked: raw.asked.to_vec(),
        differing: Vec::new(),
        settings_hash: key.settings_hash.clone(),
        instrumentation: key.instrumentation.0.clone(),
        frames_in_flight: key.frames_in_flight,
        semantics: raw.semantics.iter().map(|semantics| semantics.name().to_owned()).collect(),
    }
}

/// Names the switches and settings in which the keys differ.
fn tell_apart(series: &mut [Series], tested: &[Tested<'_>]) {
    let switches = |it: &Tested<'_>| it.raw.key.switches.0.clone();
    let differs = |name: &str| {
        let values: BTreeSet<Option<String>> =
            tested.iter().map(|it| switches(it).get(name).cloned()).collect();
        values.len() > 1
    };
    let names: BTreeSet<String> = tested.iter().flat_map(|it| switches(it).into_keys()).collect();
    let differing: Vec<&String> = names.iter().filter(|name| differs(name)).collect();
    let hashes: BTreeSet<&String> = tested.iter().map(|it| &it.raw.key.settings_hash).collect();
    for (series, it) in series.iter_mut().zip(tested) {
        let own = switches(it);
        let text = |name: &&String| Some(format!("{name}={}", own.get(*name)?));
        series.key.differing = differing.iter().filter_map(text).collect();
        if hashes.len() > 1 {
            series.key.differing.push(format!("settings {}", it.raw.key.settings_hash));
        }
    }
    // What else is in the key tells two series of one title apart, such as one whose frames took turns with another's.
    let others: [fn(&SeriesKey) -> Option<String>; 4] = [
        |key| Some(format!("of {}", key.benchmark)),
        |key| Some(format!("instrumentation {}", key.instrumentation)),
        |key| key.frames_in_flight.map(|frames| format!("{frames} in flight")),
        |key| Some(format!("stamps {}", key.semantics.join(" and "))),
    ];
    for other in others {
        if series.iter().map(|it| other(&it.key)).collect::<BTreeSet<_>>().len() > 1 {
            for series in series.iter_mut() {
                series.key.differing.extend(other(&series.key));
            }
        }
    }
}

/// A series that nobody measures any more, of a renamed pass or with another switch, looks steady: it is said.
fn say_what_ended(series: &mut [Series]) {
    let last = |series: &Series| series.points.last().and_then(|point| point.started_at.clone());
    let newest = series.iter().filter_map(last).max_by_key(|text| super::moment::nanos(text));
    for series in series {
        let Some((own, newest)) = last(series).zip(newest.as_ref()) else { continue };
        // The same session may measure several keys, one after the other.
        let apart = super::moment::nanos(newest).zip(super::moment::nanos(&own)).map(|(a, b)| a - b);
        if apart.is_some_and(|apart| apart > 86_400 * 1_000_000_000) {
            series.notes.push(format!("last measured {own}; the scene's newest run is of {newest}"));
        }
    }
}

fn series_notes(tested: &Tested<'_>, blessed: Option<usize>, options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    let Tested { raw, stretches, judged_from, .. } = tested;
    let (shown, short) = (raw.points.len(), |stretch: &&Stretch| stretch.values.len() < 2 * LEAST);
    if raw.undated > 0 {
        let runs: usize = raw.points.iter().map(|point| point.runs.len()).sum();
        notes.push(format!(
            "{} of {runs} do not say when they were made: all stand in the order of their names",
            counted(raw.undated, "log")
        ));
    }
    if raw.definition.is_none() {
        notes.push("no run has this figure".into());
    }
    if *judged_from > 0 && raw.points[..*judged_from].iter().any(|point| point.value.is_ok()) {
        let newest = options.newest.min(NEWEST);
        notes.push(format!("the newest {newest} of {shown} points are judged; older ones are only shown"));
    }
    let gaps = raw.points.iter().rev().take_while(|point| point.value.is_err()).count() as u64;
    if let Some(why) = raw.points.last().and_then(|point| point.value.as_ref().err()) {
        notes.push(match gaps {
            1 => format!("the newest point has no value: {why}"),
            some => format!("the newest {some} points have no value: {why}"),
        });
    }
    let least = 2 * LEAST;
    match stretches.iter().filter(short).count() as u64 {
        0 => {}
        _ if stretches.len() == 1 => notes.push(format!(
            "too short to be judged: it takes {least} points with a value, and there are {}",
            stretches[0].values.len()
        )),
        some => notes.push(format!(
            "{some} of the {} stretches under one environment are too short to be judged: it takes {least} points with a value",
            stretches.len()
        )),
    }
    if options.blessed.is_some() && blessed.is_none() {
        notes.push("it has no point of the blessed revision, so it is held against its first points".into());
    }
    notes
}

fn notes(series: &[Series], options: &Options) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(revision) = &options.blessed {
        let has = |it: &Series| it.points.iter().any(|point| point.revision.as_ref() == Some(revision));
        if !series.iter().any(has) {
            notes.push(format!("the blessed revision {revision} was not measured"));
        }
    }
    notes
}
