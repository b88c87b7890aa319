//! Differences between variants: what one switch adds, judged like any other figure. In: runs of two variants that differ in
//! one switch, with the baseline of each. Out: the pairs of runs, and a judgement of `difference/SWITCH`.
//!
//! The baseline of a difference is the difference of the baselines, each found by its own variant's key.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use framecost_sample::Key;

use super::against::{Likeness, Sides, blank, compared, fewest};
use super::key::{self, Across};
use super::ruled::Series;
use super::value;
use super::{Config, FrameCounts, Judgement, Row, Verdict, budget};
use crate::stats::{Paired, Statistic};
use crate::{Analysis, counted};

/// The runs of one variant, and the baseline of its key.
#[derive(Clone, Copy, Debug)]
pub struct Variant<'a> {
    /// Its runs: repeats of one key.
    pub runs: &'a [Analysis],
    /// The baseline of that key; empty where none is stored.
    pub baseline: &'a [Analysis],
}

/// Two variants that differ in one switch and in nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Variants<'a> {
    /// The switch.
    pub switch: &'a str,
    /// Its value in the runs that are taken from: not `off`, or the larger number.
    pub more: &'a str,
    /// Its value in the runs that are taken away.
    pub less: &'a str,
    with: Variant<'a>,
    without: Variant<'a>,
}

/// The pairs of runs behind a difference.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// Of the runs.
    pub runs: Vec<Paired>,
    /// Of the baselines; empty where one of the two variants has none.
    pub baseline: Vec<Paired>,
}

impl<'a> Variants<'a> {
    /// Every difference that these variants hold, in their order: of the values of a switch, each less the least. `off` is
    /// less than any other; numbers go by size and other texts by the alphabet.
    #[must_use]
    pub fn among(given: &[Variant<'a>]) -> Vec<Self> {
        let mut found: Vec<Self> = Vec::new();
        for (i, &one) in given.iter().enumerate() {
            found.extend(given[i + 1..].iter().filter_map(|&other| Self::between(one, other)));
        }
        let less_than = |it: &Self, other: &Self| {
            it.switch == other.switch && it.is_of(other.with) && order(it.less, other.less) == Ordering::Less
        };
        let from_the_least = |it: &&Self| !found.iter().any(|other| less_than(other, it));
        found.iter().filter(from_the_least).copied().collect()
    }

    /// Whether the runs that are taken from are those.
    fn is_of(&self, with: Variant<'_>) -> bool {
        std::ptr::eq(self.with.runs, with.runs)
    }

    fn between(one: Variant<'a>, other: Variant<'a>) -> Option<Self> {
        let (a, b) = (one.runs.first()?, other.runs.first()?);
        let (refused, declared) = key::hard(a, b, Across { switches: true, ..Across::NOTHING });
        let (a, b): (&Key, &Key) = (&a.capture.key, &b.capture.key);
        if !refused.is_empty() || declared.len() != 1 {
            return None;
        }
        // A switch that only one of them states is one that the other's scene did not have.
        let differs = |(name, value): &(&'a String, &'a String)| b.switches.0.get(*name) != Some(*value);
        let (switch, value) = a.switches.0.iter().find(differs)?;
        let other_value = b.switches.0.get(switch)?;
        let ((with, more), (without, less)) = match order(value, other_value) {
            Ordering::Less => ((other, other_value), (one, value)),
            Ordering::Equal | Ordering::Greater => ((one, value), (other, other_value)),
        };
        Some(Self { switch, more, less, with, without })
    }

    /// The first run of the variant that is taken from.
    #[must_use]
    pub fn first(&self) -> Option<&'a Analysis> {
        self.with.runs.first()
    }

    /// The frames, pair by pair: the k-th run of the one variant with the k-th of the other, by when they began. Runs of the
    /// protocol take turns, so these two stood beside each other. Only frames that every run measured, where there are baselines.
    #[must_use]
    pub fn pairs(&self) -> Pairs {
        let has_baseline = !self.with.baseline.is_empty() && !self.without.baseline.is_empty();
        let lists = [self.with.runs, self.without.runs, self.with.baseline, self.without.baseline];
        let common = has_baseline.then(|| common(lists.into_iter().flatten()));
        let pair = |more: &[Analysis], less: &[Analysis]| {
            let both = in_time(more).into_iter().zip(in_time(less));
            both.map(|(a, b)| Paired::of(self.switch, &a.summaries, &b.summaries, common.as_ref())).collect()
        };
        let baseline =
            if has_baseline { pair(self.with.baseline, self.without.baseline) } else { Vec::new() };
        Pairs { runs: pair(self.with.runs, self.without.runs), baseline }
    }

    /// Why there is nothing to compare the difference with; none where both variants have a baseline.
    fn lacks(&self) -> Option<String> {
        let sides = [(self.with, self.more), (self.without, self.less)];
        let (_, value) = sides.into_iter().find(|(side, _)| side.baseline.is_empty())?;
        Some(format!("no baseline of {}={value}", self.switch))
    }

    /// Runs without a partner: one variant was repeated more often than the other.
    #[must_use]
    pub fn left_over(&self) -> Option<String> {
        let (more, less) = (self.with.runs.len(), self.without.runs.len());
        let value = if more > less { self.more } else { self.less };
        let runs = more.abs_diff(less) as u64;
        (runs > 0).then(|| {
            let switch = self.switch;
            format!("{} of {switch}={value} without a partner: not in the difference", counted(runs, "run"))
        })
    }
}

/// Whether both variants are like their baselines, in one text; none where they are.
fn refusal(of: [&Likeness; 2]) -> Option<String> {
    of.into_iter().find_map(Likeness::refusal)
}

/// Judges what a switch adds against what it added to the baselines, and against budgets on `difference/SWITCH`.
///
/// By the same rules as any figure. A fall is no loss, below zero as above; from a baseline at or below zero only the noise
/// floor decides. Of several pairs of runs, the median of the pairs' statistics is judged.
#[must_use]
pub fn judge_variants(variants: &Variants<'_>, config: &Config) -> Judgement {
    let (with, without) = (variants.with, variants.without);
    let config = &config.for_runs(with.runs);
    let likeness = [with, without].map(|side| Likeness::of(side.runs, side.baseline, Across::NOTHING));
    let pairs = variants.pairs();
    let mut rows = match refusal(likeness.each_ref()) {
        Some(why) => refused(&pairs, config, &why),
        None => rows(variants, &pairs, config),
    };
    let budgets = config.budgets.iter();
    rows.extend(
        budgets
            .filter_map(|it| budget::of_pairs(it, [with.runs, without.runs], variants.switch, &pairs.runs)),
    );
    let frames = |of: &[Paired]| of.iter().map(|pair| pair.frames.len() as u64).min().unwrap_or(0);
    let [more, less] = likeness;
    let mut refused = more.refused;
    refused.extend(less.refused.into_iter().filter(|it| !refused.contains(it)).collect::<Vec<_>>());
    Judgement {
        rule: config.rule,
        error_rate: config.rule.error_rate(),
        rows,
        runs: (pairs.runs.len() as u64, pairs.baseline.len() as u64),
        frames: FrameCounts {
            run: fewest(with.runs).min(fewest(without.runs)),
            baseline: fewest(with.baseline).min(fewest(without.baseline)),
            common: frames(&pairs.runs),
            of_logs: false,
        },
        logs: false,
        unread: None,
        notes: variants.left_over().into_iter().collect(),
        environment: more.environment,
        refused,
        declared: Vec::new(),
        across: Across::NOTHING,
    }
}

/// A row per judged statistic.
fn rows(variants: &Variants<'_>, pairs: &Pairs, config: &Config) -> Vec<Row> {
    let Some(figure) = pairs.runs.iter().chain(&pairs.baseline).find_map(Paired::total) else {
        return Vec::new();
    };
    let steps = [variants.with, variants.without].map(|side| budget::coarsest(side.runs).unwrap_or_default());
    let step = if steps[0] > steps[1] { steps[0] } else { steps[1] };
    let named = config.names(&figure.id());
    let row = |statistic| {
        let sides = Sides {
            now: value::of_pairs(&pairs.runs, statistic),
            before: value::of_pairs(&pairs.baseline, statistic),
            lacks: variants.lacks(),
            expected: named || statistic == Statistic::Median,
            step,
            counts: FrameCounts::default(),
            too_few: None,
            series: Series::of_pairs(&pairs.runs, &pairs.baseline),
        };
        compared(config, figure, statistic, &sides)
    };
    config.judged(figure).into_iter().flat_map(row).collect()
}

fn refused(pairs: &Pairs, config: &Config, why: &str) -> Vec<Row> {
    let Some(figure) = pairs.runs.iter().find_map(Paired::total) else { return Vec::new() };
    let statistics = config.judged(figure).into_iter();
    let row =
        |statistic| Row { verdict: Verdict::Refused(why.to_owned()), ..blank(config, figure, statistic) };
    statistics.map(row).collect()
}

/// The frames that all of them measured.
fn common<'a>(mut of: impl Iterator<Item = &'a Analysis>) -> BTreeSet<u64> {
    let Some(first) = of.next() else { return BTreeSet::new() };
    let mut common: BTreeSet<u64> = first.summaries.frames.iter().copied().collect();
    for run in of {
        common.retain(|frame| run.summaries.frames.binary_search(frame).is_ok());
    }
    common
}

/// The runs by when they began, where all say it; else as they were given.
fn in_time(runs: &[Analysis]) -> Vec<&Analysis> {
    let mut sorted: Vec<&Analysis> = runs.iter().collect();
    let began =
        |run: &&Analysis| run.capture.started_at.as_ref().map(|at| at.trim_end_matches('Z').to_owned());
    if sorted.iter().all(|run| began(run).is_some()) {
        sorted.sort_by_key(began);
    }
    sorted
}

/// Which of two values of a switch is less: `off` before numbers before other texts.
fn order(a: &str, b: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().ok();
    let kind = |text: &str| match number(text) {
        _ if text == "off" => 0,
        Some(_) => 1,
        None => 2,
    };
    let of_one_kind = || match (number(a), number(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.cmp(b),
    };
    kind(a).cmp(&kind(b)).then_with(of_one_kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn off_is_least_and_numbers_go_by_size() {
        for (less, more) in
            [("off", "on"), ("off", "1"), ("2", "10"), ("-1", "1"), ("linear", "nearest"), ("10", "1a")]
        {
            assert_eq!(
                (order(less, more), order(more, less)),
                (Ordering::Less, Ordering::Greater),
                "{less} {more}"
            );
        }
        assert_eq!((order("off", "off"), order("4", "4")), (Ordering::Equal, Ordering::Equal));
    }
}
