//! What comparisons came to. In: judgements. Out: how often each verdict was given, with exact intervals, for people and for
//! programs.

use std::collections::BTreeMap;

use framecost::counted;
use framecost::judge::{Against, Judgement, Row, Verdict};
use framecost::stats::{Interval, Proportion, Statistic};
use framecost_sample::{Nanos, metric_names};
use serde::Serialize;

use super::Args;
use super::amount::Change;
use super::session::Bench;
use crate::cmd::bench::Turns;
use crate::cmd::pairs::in_text;
use crate::output::clean;

/// The part of comparisons of equal work that the rule of runs lets fail at most.
const PROMISED: f64 = 0.01;

/// Whether a row is the median of the frame's GPU time.
pub(super) fn is_frame(row: &Row) -> bool {
    row.figure.metric == metric_names::GPU_TOTAL && row.statistic == Statistic::Median.into()
}

/// All that was found.
#[derive(Serialize)]
pub(super) struct Found {
    framecost_selftest: u32,
    scene: String,
    size: String,
    adapter: String,
    interleave: &'static str,
    pairs: u32,
    frames: u64,
    limit: f64,
    change: String,
    /// Comparisons of equal work: those that fail are false alarms.
    pub(super) equal: Kind,
    /// Comparisons with the change: those that fail are right.
    pub(super) changed: Kind,
    /// Wall time of a comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
}

/// Comparisons of one kind.
#[derive(Default, Serialize)]
pub(super) struct Kind {
    /// By the median of the frame's GPU time.
    frame: Verdicts,
    /// By all figures that were judged: the worst verdict of them.
    any: Verdicts,
    /// By which part the frame's GPU time grew, as each comparison says.
    changes: Vec<f64>,
    /// Standard deviation of that from pair to pair, in each comparison.
    spreads: Vec<f64>,
    /// The frame's GPU time without the change in each comparison, in nanoseconds.
    frames: Vec<f64>,
    /// The figures that failed, with how often.
    figures: BTreeMap<String, u64>,
    /// The part of the comparisons that failed by the frame, and by any figure; none where there was no comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<[Rate; 2]>,
}

/// A part with its exact 95 % interval.
#[derive(Clone, Copy, Serialize)]
struct Rate {
    failed: f64,
    low: f64,
    high: f64,
}

/// How often each verdict was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Verdicts {
    failed: u64,
    warned: u64,
    undecided: u64,
    passed: u64,
    improved: u64,
    not_measured: u64,
}

impl Verdicts {
    fn add(&mut self, verdict: Option<&Verdict>) {
        let count = match verdict {
            Some(Verdict::Fail) => &mut self.failed,
            Some(Verdict::Warn) => &mut self.warned,
            Some(Verdict::Undecided(_)) => &mut self.undecided,
            Some(Verdict::Pass) => &mut self.passed,
            Some(Verdict::Improved) => &mut self.improved,
            Some(Verdict::Shown | Verdict::Skipped(_) | Verdict::Refused(_) | Verdict::Missing(_)) | None => {
                &mut self.not_measured
            }
        };
        *count += 1;
    }

    fn part(&self) -> Option<Rate> {
        let rate = self.rate();
        Some(Rate { failed: rate.part()?, low: rate.low, high: rate.high })
    }

    const fn all(&self) -> u64 {
        self.failed + self.warned + self.undecided + self.passed + self.improved + self.not_measured
    }

    fn rate(&self) -> Proportion {
        Proportion::of(self.failed, self.all())
    }

    fn cells(&self, kind: &str, by: &str) -> [String; 9] {
        let rate = self.rate();
        let percent = |part: f64| format!("{:.1} %", 100.0 * part);
        [
            kind.to_owned(),
            by.to_owned(),
            self.failed.to_string(),
            self.warned.to_string(),
            self.undecided.to_string(),
            self.passed.to_string(),
            self.improved.to_string(),
            self.not_measured.to_string(),
            match rate.part() {
                Some(part) => format!("{} ({} to {})", percent(part), percent(rate.low), percent(rate.high)),
                None => "-".into(),
            },
        ]
    }
}

/// How urgent a verdict is: of several figures the most urgent one stands for all. What was not compared says nothing.
const fn urgency(verdict: &Verdict) -> Option<u8> {
    match verdict {
        Verdict::Fail => Some(4),
        Verdict::Warn => Some(3),
        Verdict::Undecided(_) => Some(2),
        Verdict::Improved => Some(1),
        Verdict::Pass => Some(0),
        Verdict::Shown | Verdict::Skipped(_) | Verdict::Refused(_) | Verdict::Missing(_) => None,
    }
}

impl Kind {
    pub(super) fn add(&mut self, judgement: &Judgement) {
        let rows = || judgement.rows.iter().filter(|row| matches!(row.against, Against::Baseline(_)));
        let frame = rows().find(|row| is_frame(row));
        self.frame.add(frame.map(|row| &row.verdict));
        let worst =
            rows().map(|row| &row.verdict).filter(|it| urgency(it).is_some()).max_by_key(|it| urgency(it));
        self.any.add(worst);
        if let Some(evidence) = frame.and_then(|row| row.evidence.as_ref()) {
            self.changes.push(evidence.change);
            self.spreads.extend(evidence.spread);
        }
        self.frames.extend(frame.and_then(|row| row.baseline));
        for row in rows().filter(|row| row.verdict == Verdict::Fail) {
            *self.figures.entry(format!("{} {}", row.figure, row.statistic)).or_default() += 1;
        }
        self.rates = self.frame.part().zip(self.any.part()).map(|(frame, any)| [frame, any]);
    }

    /// The change with the interval of its mean over comparisons.
    fn change(&self) -> String {
        let percent = |part: f64| format!("{:+.2} %", 100.0 * part);
        match Interval::of(&self.changes) {
            None => "not measured".into(),
            Some(it) => match it.ends() {
                Some((low, high)) => format!("{} ({} to {})", percent(it.mean), percent(low), percent(high)),
                None => percent(it.mean),
            },
        }
    }

    fn failed(&self) -> String {
        let mut figures: Vec<(&String, &u64)> = self.figures.iter().collect();
        figures.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
        let shown = figures.iter().take(8).map(|(name, times)| format!("{} {times}", clean(name)));
        let shown = shown.collect::<Vec<_>>().join(", ");
        if shown.is_empty() { "none".into() } else { shown }
    }
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    framecost::stats::type7(&sorted, 0.5)
}

impl Found {
    pub(super) fn new(args: &Args, bench: &Bench<'_>, change: &Change) -> Self {
        Self {
            framecost_selftest: 1,
            scene: bench.scene().info().name,
            size: args.size.to_string(),
            adapter: bench.adapter(),
            interleave: match args.interleave {
                Turns::Frames => "frames",
                Turns::Runs => "runs",
            },
            pairs: args.pairs,
            frames: args.frames,
            limit: args.limit(),
            change: change.what.clone(),
            equal: Kind::default(),
            changed: Kind::default(),
            seconds: None,
        }
    }

    /// Whether more comparisons of equal work fail than the rule promises, beyond chance.
    pub(super) fn cries_wolf(&self) -> bool {
        self.equal.frame.rate().low > PROMISED
    }

    pub(super) fn text(&self) -> String {
        let heading = [
            "",
            "by",
            "fail",
            "warn",
            "undecided",
            "pass",
            "improved",
            "not measured",
            "failed (95 % interval)",
        ];
        let table = [
            heading.map(str::to_owned),
            self.equal.frame.cells("equal work", "the frame"),
            self.equal.any.cells("", "any figure"),
            self.changed.frame.cells("changed", "the frame"),
            self.changed.any.cells("", "any figure"),
        ];
        let Self { scene, size, adapter, pairs, frames, interleave, .. } = self;
        let spread = median(&[self.equal.spreads.as_slice(), &self.changed.spreads].concat());
        let time = median(&[self.equal.frames.as_slice(), &self.changed.frames].concat());
        let time = time.map_or_else(|| "-".into(), |time| Nanos(time).to_string());
        let spread = spread.map_or_else(|| "-".into(), |spread| format!("{:.2} %", 100.0 * spread));
        let mut lines = vec![
            format!("selftest {} {size}, {}", clean(scene), clean(adapter)),
            format!(
                "comparisons of {} of {} of {time}, {interleave} in turn; limit +{:.2} %",
                counted((*pairs).into(), "pair"),
                counted(*frames, "frame"),
                100.0 * self.limit
            ),
            format!("the change, {}: {} of the frame's GPU time", clean(&self.change), self.changed.change()),
            format!("equal work: {}; from pair to pair {spread}", self.equal.change()),
        ];
        lines.extend(in_text(&table));
        lines.push(format!("  failed though equal: {}", self.equal.failed()));
        lines.push(format!("  failed when changed: {}", self.changed.failed()));
        if self.cries_wolf() {
            lines.push(format!(
                "  more false alarms than the {:.0} % that the rule promises",
                100.0 * PROMISED
            ));
        }
        lines.extend(self.seconds.map(|seconds| format!("  {seconds:.2} s a comparison")));
        lines.push(String::new());
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_come_with_their_exact_intervals() {
        let mut verdicts = Verdicts::default();
        for _ in 0..3 {
            verdicts.add(Some(&Verdict::Fail));
        }
        for _ in 0..297 {
            verdicts.add(Some(&Verdict::Pass));
        }
        verdicts.add(None);
        assert_eq!(
            (verdicts.all(), verdicts.not_measured),
            (301, 1),
            "what was not measured counts as a comparison"
        );
        // The ends as R's binom.test(3, 301) prints them.
        assert_eq!(verdicts.cells("", "")[8], "1.0 % (0.2 % to 2.9 %)");
        assert_eq!(Verdicts::default().cells("", "")[8], "-");
    }

    #[test]
    fn the_worst_of_many_figures_stands_for_all() {
        let order = [
            Verdict::Pass,
            Verdict::Improved,
            Verdict::Undecided(String::new()),
            Verdict::Warn,
            Verdict::Fail,
        ];
        let urgent: Vec<_> = order.iter().map(urgency).collect();
        assert!(urgent.is_sorted() && urgent.iter().all(Option::is_some), "{urgent:?}");
        assert_eq!(urgency(&Verdict::Missing(String::new())), None);
    }
}
