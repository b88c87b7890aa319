//! The rule of runs applied to a capture's figures. In: the runs' series of one figure. Out: its verdict, and those of its
//! tail where the tail is judged.

use framecost_sample::{Nanos, Unit};

use super::evidence::{Evidence, Scale};
use super::runs::{self, Asked, Noise, Place, Values, judge_pairs_of_series, judge_series};
use super::{Case, Limits, Measure, Row, Verdict};
use crate::Analysis;
use crate::stats::{FigureId, Origin, Paired, Statistic, Summary};

/// The series of one figure in every run; of a run without the figure, the threshold of missing values answers first.
#[derive(Clone, Debug, Default)]
pub(super) struct Series<'a> {
    new: Vec<Place<'a>>,
    stored: Vec<Place<'a>>,
    noise: Option<&'a Noise>,
    paired: bool,
    /// Frame `i` of every run is the same work.
    aligned: bool,
}

/// What the rule says of a statistic, and of the tail beside it.
pub(super) struct Ruled {
    pub(super) verdict: Verdict,
    pub(super) evidence: Option<Evidence>,
    pub(super) tail: Vec<Tail>,
}

/// A row of the tail.
pub(super) struct Tail {
    measure: Measure,
    verdict: Verdict,
    evidence: Evidence,
    /// In what; none where in the figure's own unit.
    unit: Option<Unit>,
    frames: u64,
}

impl<'a> Series<'a> {
    pub(super) fn of(case: &Case<'a>, figure: &FigureId, statistic: Statistic) -> Self {
        let of = |runs: &'a [Analysis]| runs.iter().filter_map(|run| runs::place(run, figure)).collect();
        let noise = case.noise.and_then(|noise| noise.find(figure, statistic));
        let aligned = !case.runs.iter().chain(case.baseline).any(Analysis::is_log);
        Self { new: of(case.runs), stored: of(case.baseline), noise, paired: case.paired, aligned }
    }

    pub(super) fn of_pairs(pairs: &'a [Paired], stored: &'a [Paired]) -> Self {
        let place = |pair: &'a Paired| {
            let total = pair.total()?;
            Some(Place { frames: Some(&pair.frames), values: &total.values })
        };
        Self {
            new: pairs.iter().filter_map(place).collect(),
            stored: stored.iter().filter_map(place).collect(),
            noise: None,
            paired: false,
            aligned: true,
        }
    }
}

/// Judges a figure by its runs.
pub(super) fn judge(
    series: &Series<'_>,
    figure: &Summary,
    statistic: Statistic,
    limits: Limits,
    step: Nanos,
) -> Ruled {
    let values = match series.aligned {
        true => Values::of(&series.new, &series.stored),
        false => Values::apart(&series.new, &series.stored),
    };
    let quantum = quantum(figure, step);
    let asked = Asked { statistic, better: figure.metric.better, limits, quantum, aligned: series.aligned };
    let (mut verdict, mut evidence) = match by_runs(series, &values, &asked) {
        Ok((verdict, evidence)) => (verdict, evidence),
        Err(why) => {
            return Ruled { verdict: Verdict::Undecided(why), evidence: None, tail: Vec::new() };
        }
    };
    if statistic == Statistic::Median && series.aligned {
        worse_in_places(&values, &asked, &mut verdict, &mut evidence);
    }
    let tail = match statistic {
        Statistic::P95 | Statistic::P99 if figure.metric.unit == Unit::Nanos && series.aligned => {
            tail(series, &values, &asked)
        }
        _ => Vec::new(),
    };
    Ruled { verdict, evidence: Some(evidence), tail }
}

/// By pairs where runs were measured so.
fn by_runs(series: &Series<'_>, values: &Values, asked: &Asked) -> Result<(Verdict, Evidence), String> {
    if series.paired {
        let pairs: Vec<_> = values.new.iter().cloned().zip(values.stored.iter().cloned()).collect();
        return judge_pairs_of_series(&pairs, asked);
    }
    judge_series(&values.new, &values.stored, asked, series.noise)
}

/// The least by which two values can differ: the clock's step for what it stamped, a nanosecond for other times; counts are
/// exact.
fn quantum(figure: &Summary, step: Nanos) -> f64 {
    match (figure.origin, figure.metric.unit) {
        (Origin::Stamps, Unit::Nanos) => step.0,
        (_, Unit::Nanos) => 1.0,
        (_, Unit::Bytes | Unit::Count | Unit::Ratio) => 0.0,
    }
}

/// A stretch of frames past the limit is a loss although the whole passes; less than a limit to fail by, since it was
/// searched for.
fn worse_in_places(values: &Values, asked: &Asked, verdict: &mut Verdict, evidence: &mut Evidence) {
    let base = runs::base(&values.stored, asked.statistic);
    let Some(found) = runs::stretches(values, asked, evidence.scale, base) else { return };
    if found.past_limit && *verdict == Verdict::Pass {
        *verdict = Verdict::Warn;
    }
    evidence.grew = found.grew;
}

/// The heavy frames and the hitches.
fn tail(series: &Series<'_>, values: &Values, asked: &Asked) -> Vec<Tail> {
    let mut tail = Vec::new();
    if let Some(heavy) = runs::heavy(values) {
        let asked = Asked { statistic: Statistic::Median, ..*asked };
        let without_noise = Series { noise: None, ..series.clone() };
        if let Ok((verdict, evidence)) = by_runs(&without_noise, &heavy, &asked) {
            tail.push(Tail {
                measure: Measure::HeavyFrames,
                verdict,
                evidence,
                unit: None,
                frames: heavy.frames.len() as u64,
            });
        }
    }
    if let Some(hitches) = runs::hitches(values, asked.limits.floor) {
        tail.push(Tail {
            measure: Measure::Hitches,
            verdict: hitches.verdict,
            evidence: hitches.evidence,
            unit: Some(Unit::Count),
            frames: values.frames.len() as u64,
        });
    }
    tail
}

impl Tail {
    /// The row beside that of the statistic that it belongs to.
    pub(super) fn row(self, beside: &Row) -> Row {
        let (current, baseline) = (Some(self.evidence.sides.0), Some(self.evidence.sides.1));
        Row {
            statistic: self.measure,
            unit: self.unit.or(beside.unit),
            n: self.frames,
            ratio: super::ratio(current, baseline),
            current,
            baseline,
            evidence: Some(self.evidence),
            verdict: self.verdict,
            rests_on: None,
            ..beside.clone()
        }
    }
}

/// A fall below this part of the baseline is named: it is more often lost work than a gain.
const COLLAPSE: f64 = 0.5;

/// What a reader must know of rows that nothing else says: that so large a gain may be a broken measurement.
pub(super) fn notes(rows: &[Row]) -> Vec<String> {
    let collapsed = |row: &&Row| {
        let fell = |evidence: &Evidence| evidence.scale == Scale::Ratio && evidence.high < COLLAPSE - 1.0;
        row.verdict == Verdict::Improved && row.evidence.as_ref().is_some_and(fell)
    };
    let said = |row: &Row| {
        format!(
            "{} fell to less than half: see that the work is still done before calling it a gain",
            row.title()
        )
    };
    rows.iter().filter(collapsed).map(said).collect()
}
