//! What must stand beside verdicts on logs: sides of unlike length, and frames so long that they are pauses, on which a figure may
//! rest. In: runs, and their judged rows. Out: notes; rows that rest on such frames are marked with what they are without them.

use framecost_sample::{Logged, Metric, Nanos, Reading};

use super::value::{self, Found};
use super::{Against, Case, Change, Measure, Row, Scale, Verdict, decide, ratio};
use crate::definitions::of_log_up_to;
use crate::plural::{plural, some_of};
use crate::stats::{Quantile, Statistic, Stats, type7};
use crate::{Analysis, counted};

/// From so many times the other side's duration on, a note says so. Our own choice.
const UNLIKE: f64 = 2.0;
/// A figure rests on long frames that moves by more than this part without them: the usual limit to warn.
const MOVED: f64 = 0.05;
/// Figures that a note names.
const NAMED: usize = 6;

/// Marks the rows that rest on long frames, and says what else a reader must know of logs.
pub(super) fn beside(case: &Case<'_>, rows: &mut [Row]) -> Vec<String> {
    let mut notes: Vec<String> = unlike(case).into_iter().collect();
    let (runs, baseline) = (sides(case.runs), sides(case.baseline));
    for (name, side) in [("run", &runs), ("baseline", &baseline)] {
        notes.extend(said(name, side, rows));
    }
    if [&runs, &baseline].iter().any(|side| side.iter().any(|it| it.long.is_some())) {
        for row in rows {
            let Some(resting) = rests(row, &runs, &baseline) else { continue };
            if let Some(why) = unsure(row, &resting) {
                row.verdict = Verdict::Undecided(why);
            }
            row.rests_on = Some(resting.text);
        }
    }
    notes
}

/// How long one side lasted where the other lasted much longer.
fn unlike(case: &Case<'_>) -> Option<String> {
    let of = |runs: &[Analysis]| -> Option<(f64, f64)> {
        let each: Vec<f64> = runs.iter().map(duration).collect::<Option<_>>()?;
        let (least, most) = each.iter().fold((f64::MAX, 0.0f64), |(a, b), it| (a.min(*it), b.max(*it)));
        (least > 0.0 && !each.is_empty()).then_some((least, most))
    };
    let (run, baseline) = of(case.runs).zip(of(case.baseline))?;
    let apart = run.1 > UNLIKE * baseline.0 || baseline.1 > UNLIKE * run.0;
    let text = |(least, most): (f64, f64)| match (Nanos(least).to_string(), Nanos(most).to_string()) {
        (least, most) if least == most => least,
        (least, most) => format!("{least} to {most}"),
    };
    apart.then(|| {
        format!(
            "frames of the run last {}, of the baseline {}: whole logs are compared, so both should be of the same stretch",
            text(run),
            text(baseline)
        )
    })
}

/// The sum of a log's frame times; none of a run that is no log, and of samples, which are far from all frames.
fn duration(run: &Analysis) -> Option<f64> {
    let logged = Logged::of(&run.capture.environment)?;
    let times = run.summaries.of_frame(logged.frame_time.as_deref()?)?;
    let sampled = logged.coverage == framecost_sample::Coverage::Sampled;
    (!sampled).then(|| times.values.measured().map(|(_, time)| time).sum())
}

/// A run with its long frames, and what its figures are without them.
struct Side<'a> {
    run: &'a Analysis,
    frame_time: Option<String>,
    long: Option<Long>,
}

/// Frames that are too long to be any of play.
struct Long {
    count: u64,
    longest: Nanos,
    /// Where the longest stands.
    frame: u64,
    /// The definitions' values without them.
    definitions: Vec<(Metric, Reading<f64>, Option<u64>)>,
}

fn sides(runs: &[Analysis]) -> Vec<Side<'_>> {
    runs.iter().map(Side::of).collect()
}

impl Long {
    fn of(run: &Analysis, frame_time: &str) -> Option<Self> {
        let times = run.summaries.of_frame(frame_time)?.values.measured();
        let long: Vec<(usize, f64)> = times.filter(|(_, time)| *time > Logged::LONG_FRAME.0).collect();
        let (place, longest) = long.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(Self {
            count: long.len() as u64,
            longest: Nanos(longest),
            frame: run.summaries.frames.get(place).copied()?,
            definitions: of_log_up_to(&run.capture, Logged::LONG_FRAME),
        })
    }
}

/// Which long frames a side has, and in which judged figures of a tail they count.
fn said(name: &str, sides: &[Side<'_>], rows: &[Row]) -> Option<String> {
    let long: Vec<&Long> = sides.iter().filter_map(|side| side.long.as_ref()).collect();
    let longest = long.iter().max_by(|a, b| a.longest.0.total_cmp(&b.longest.0))?;
    let frame_time = sides.iter().find_map(|side| side.frame_time.as_deref());
    let is_tail = |row: &&Row| {
        let of_frames =
            matches!(row.statistic, Measure::Of(Statistic::P95 | Statistic::P99 | Statistic::Max));
        let of_times = frame_time == Some(row.figure.metric.as_str());
        let judged = !matches!(row.verdict, Verdict::Shown | Verdict::Skipped(_) | Verdict::Refused(_));
        judged && ((of_times && of_frames) || crate::definitions::find(&row.figure.metric).is_ok())
    };
    let mut names: Vec<String> = rows.iter().filter(is_tail).map(Row::title).collect();
    names.dedup();
    let counts = match names.as_slice() {
        [] => String::new(),
        some => format!("; counts in {}", some_of(some, NAMED, "figure")),
    };
    let within = match (sides.len(), long.len()) {
        (1, _) => String::new(),
        (all, some) => format!(" in {some} of {}", counted(all as u64, "log")),
    };
    Some(format!(
        "the {name} has {} above {}{within}, the longest {} (frame {}): a pause, loading or garbage{counts}{}",
        counted(long.iter().map(|it| it.count).sum(), "frame"),
        Logged::LONG_FRAME,
        longest.longest,
        longest.frame,
        strays(name, sides).map_or_else(String::new, |which| format!("; {which}"))
    ))
}

/// What to capture again where some logs of several have long frames: more logs beside them would help little.
fn strays(name: &str, sides: &[Side<'_>]) -> Option<String> {
    let which: Vec<String> = (1..)
        .zip(sides)
        .filter(|(_, side)| side.long.is_some())
        .map(|(place, _): (u64, _)| place.to_string())
        .collect();
    let some = !which.is_empty() && which.len() < sides.len();
    some.then(|| {
        let kind = plural(which.len() as u64, "log");
        format!("replace {kind} {} of the {name}'s {} (in the order given)", which.join(", "), sides.len())
    })
}

/// What a row is without long frames.
struct Resting {
    text: String,
    /// Where the change lies without them.
    change: Option<Change>,
    /// What to capture again.
    again: Vec<String>,
}

/// Why a row that rests on long frames decides nothing: they hide a loss, or under the rule of runs one log's make the logs lie
/// apart. None where the verdict stands.
fn unsure(row: &Row, resting: &Resting) -> Option<String> {
    let again = resting.again.join(", and ");
    match &row.verdict {
        Verdict::Pass | Verdict::Improved | Verdict::Warn if resting.change == Some(Change::Fail) => {
            let cure = if again.is_empty() { "capture again without the pause" } else { &again };
            Some(format!(
                "without the frames above {} the change is past its limit: {cure}",
                Logged::LONG_FRAME
            ))
        }
        Verdict::Undecided(_) if row.evidence.is_some() && !again.is_empty() => {
            Some(format!("a pause in one log makes equal logs lie apart: {again}"))
        }
        _ => None,
    }
}

/// What a row's values are without long frames, where that is far from what they are with them.
fn rests(row: &Row, runs: &[Side<'_>], baseline: &[Side<'_>]) -> Option<Resting> {
    let Measure::Of(statistic) = row.statistic else { return None };
    let decided = matches!(row.verdict, Verdict::Pass | Verdict::Improved | Verdict::Warn | Verdict::Fail);
    if !decided && !matches!(row.verdict, Verdict::Undecided(_)) {
        return None;
    }
    let without = |sides: &[Side<'_>]| {
        let mut each: Vec<f64> =
            sides.iter().map(|side| side.without(row, statistic)).collect::<Option<_>>()?;
        over(&mut each, row)
    };
    let moved = |name: &str, sides: &[Side<'_>], without: Option<f64>| {
        let analyses = sides.iter().map(|side| side.run);
        let with = match (&row.evidence, value::over_runs(analyses, &row.figure, statistic)) {
            (Some(evidence), _) => Some(if name == "run" { evidence.sides.0 } else { evidence.sides.1 }),
            (None, Found::Value { value, .. }) => Some(value),
            (None, _) => None,
        };
        match (with, without) {
            (Some(with), Some(without)) if with > 0.0 && without > 0.0 => {
                (without / with).ln().abs() > MOVED.ln_1p()
            }
            (Some(_), None) => sides.iter().any(|side| side.long.is_some()),
            _ => false,
        }
    };
    let sides = match &row.against {
        Against::Baseline(_) => vec![("baseline", baseline), ("run", runs)],
        Against::Budget { .. } => vec![("run", runs)],
    };
    let found: Vec<(&str, Option<f64>, bool)> = sides
        .into_iter()
        .map(|(name, side)| {
            let without = without(side);
            (name, without, moved(name, side, without))
        })
        .collect();
    if !found.iter().any(|(_, _, moved)| *moved) {
        return None;
    }
    let shown = |value: f64| row.unit.map_or_else(|| value.to_string(), |unit| unit.show(value));
    let text = |(name, value, _): &(&str, Option<f64>, bool)| {
        format!("{name} {}", value.map_or_else(|| "too few frames".into(), shown))
    };
    let of = |name: &str| found.iter().find(|it| it.0 == name).and_then(|it| it.1);
    let change = change(row, of("run"), of("baseline"));
    let again = [("run", runs), ("baseline", baseline)].into_iter();
    Some(Resting {
        text: format!(
            "rests on frames above {}; without them: {}{}",
            Logged::LONG_FRAME,
            found.iter().map(text).collect::<Vec<_>>().join(", "),
            change.as_ref().map_or("", |(_, text)| text)
        ),
        change: change.map(|(change, _)| change),
        again: again.filter_map(|(name, side)| strays(name, side)).collect(),
    })
}

/// One value of several runs' as the row has it: their median, or under the rule of runs their mean.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
fn over(each: &mut [f64], row: &Row) -> Option<f64> {
    let mean = |of: fn(f64) -> f64| each.iter().copied().map(of).sum::<f64>() / each.len() as f64;
    match row.evidence.as_ref().map(|evidence| evidence.scale) {
        Some(Scale::Ratio) => Some(mean(f64::ln).exp()).filter(|mean| mean.is_finite()),
        Some(Scale::Difference) => Some(mean(|value| value)).filter(|mean| mean.is_finite()),
        None => {
            each.sort_unstable_by(f64::total_cmp);
            type7(each, 0.5)
        }
    }
}

/// Which side of its limit the change without long frames lies on, with the change itself as text.
fn change(row: &Row, now: Option<f64>, before: Option<f64>) -> Option<(Change, String)> {
    let Against::Baseline(limits) = &row.against else { return None };
    let (ratio, better) = (ratio(now, before)?, row.better?);
    let change = decide(now?, before?, better, limits);
    let place = match change {
        Change::Fail => "past its limit",
        Change::Warn => "past its limit to warn",
        Change::Improved => "a gain",
        Change::Pass => "within its limit",
    };
    Some((change, format!(", {:+.1} %, {place}", (ratio - 1.0) * 100.0)))
}

impl<'a> Side<'a> {
    fn of(run: &'a Analysis) -> Self {
        let frame_time = Logged::of(&run.capture.environment).and_then(|logged| logged.frame_time);
        let long = frame_time.as_deref().and_then(|name| Long::of(run, name));
        Self { run, frame_time, long }
    }

    /// The figure without long frames; none where too few are left.
    fn without(&self, row: &Row, statistic: Statistic) -> Option<f64> {
        let of_run = self.run.summaries.find(&row.figure)?;
        let Some(long) = &self.long else { return one(of_run.stats, statistic) };
        if let Some((_, value, _)) = long.definitions.iter().find(|it| it.0.name == row.figure.metric) {
            return value.measured().copied();
        }
        if self.frame_time.as_deref() != Some(row.figure.metric.as_str()) {
            return one(of_run.stats, statistic);
        }
        let short = of_run.values.measured().map(|(_, time)| time);
        one(Stats::of(short.filter(|time| *time <= Logged::LONG_FRAME.0).collect()), statistic)
    }
}

fn one(stats: Option<Stats>, statistic: Statistic) -> Option<f64> {
    match stats?.get(statistic) {
        Quantile::Value(value) => Some(value),
        Quantile::Withheld { .. } | Quantile::Sampled => None,
    }
}
