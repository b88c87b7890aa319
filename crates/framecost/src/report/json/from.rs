//! From report data to its JSON twins: what each key holds. In: references into a report. Out: the twins.

use std::collections::BTreeMap;

use framecost_sample::{Reading, Unit};

use super::{
    Number, OfAbsence, OfAgainst, OfCensus, OfComparison, OfDifference, OfDifferenceOfVariants, OfEvidence,
    OfFact, OfFigure, OfFigureId, OfFinding, OfFrameCounts, OfFrames, OfGate, OfHead, OfLimit, OfMissing,
    OfOverall, OfPairedFigure, OfPass, OfReport, OfRow, OfStretch, OfTally, OfUnbound, OfVerdicts, Text,
    VERSION,
};
use crate::judge::{
    Against, BudgetKind, Census, Difference, Evidence, FrameCounts, Limits, Overall, Row, SIDE, Stretch,
    Tally, Unbound,
};
use crate::report::{
    Comparison, Figure, Gate, Head, Missing, OfVariants, PairedFigure, Pass, Report, Verdicts,
};
use crate::stats::{FigureId, Quantile, Statistic, Stats};

impl Number {
    pub(in crate::report) fn of(reading: &Reading<f64>) -> Self {
        match reading {
            Reading::Measured(value) => Self::Value(*value),
            Reading::Missing(reason) => Self::missing(reason.to_string()),
        }
    }

    pub(in crate::report) fn missing(reason: impl Into<String>) -> Self {
        Self::Missing { missing: reason.into() }
    }

    fn statistic(quantile: Quantile) -> Self {
        match quantile {
            Quantile::Value(value) => Self::Value(value),
            withheld => Self::missing(format!("it {}", withheld.lack().unwrap_or_default())),
        }
    }
}

impl<'a> From<&'a Reading<String>> for Text<'a> {
    fn from(reading: &'a Reading<String>) -> Self {
        match reading {
            Reading::Measured(value) => Self::Value(value),
            Reading::Missing(reason) => Self::Missing { missing: reason.to_string() },
        }
    }
}

impl<'a> From<&'a Report> for OfReport<'a> {
    fn from(report: &'a Report) -> Self {
        let figures = |figures: &'a [Figure]| figures.iter().map(OfFigure::from).collect();
        let missing =
            |it: &'a Missing| OfMissing { what: &it.what, reason: &it.reason, times: it.times, of: it.of };
        let finding = |it: &'a crate::Finding| OfFinding {
            place: &it.place,
            cause: &it.cause,
            remedy: &it.remedy,
            times: it.times,
        };
        let fact = |it: &'a framecost_sample::Fact| OfFact {
            name: &it.name,
            before: Text::from(&it.before),
            after: Text::from(&it.after),
        };
        Self {
            framecost_report: VERSION,
            verdict: report.verdicts.as_ref().map(OfVerdicts::from),
            run: OfHead::from(&report.head),
            comparison: report.comparison.as_ref().map(OfComparison::from),
            frame: figures(&report.frame),
            coverage: report.coverage.as_ref().map(Number::of),
            passes: report.passes.iter().map(OfPass::from).collect(),
            untimed_share: report.untimed_share.as_ref().map(Number::of),
            gates: report.gates.iter().map(OfGate::from).collect(),
            samples: figures(&report.samples),
            figures: figures(&report.run),
            cost_of_measuring: figures(&report.cost),
            missing: report.missing.iter().map(missing).collect(),
            findings: report.findings.iter().map(finding).collect(),
            environment: report.environment.iter().map(fact).collect(),
        }
    }
}

impl<'a> From<&'a Head> for OfHead<'a> {
    fn from(head: &'a Head) -> Self {
        let (start_up, warm_up, calibration) = head.left_out;
        Self {
            benchmark: &head.benchmark,
            scene: &head.scene,
            switches: head.switches.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
            adapter: &head.adapter,
            adapter_class: &head.adapter_class,
            times_are_for_this_adapter_only: head.on_cpu,
            backend: &head.backend,
            size: head.size.map(|size| [size.width, size.height]),
            settings_hash: &head.settings_hash,
            instrumentation: &head.instrumentation,
            frames_in_flight: head.frames_in_flight,
            frames: OfFrames {
                measured: head.frames,
                first: head.range.map(|range| range.0),
                last: head.range.map(|range| range.1),
                dropped: head.dropped,
                start_up_left_out: start_up,
                warm_up_left_out: warm_up,
                calibration_left_out: calibration,
            },
            stamps: head.semantics.iter().map(|(kind, passes)| (kind.as_str(), passes.as_slice())).collect(),
            shared_by: head.shared_by.as_deref(),
            floor: &head.floor,
            percentiles: &head.percentiles,
            producer: &head.producer,
            started_at: head.started_at.as_deref(),
        }
    }
}

/// Every statistic by name.
fn statistics(stats: &Reading<Stats>) -> BTreeMap<&'static str, Number> {
    let statistic = |statistic: Statistic| match stats {
        Reading::Measured(stats) => Number::statistic(stats.get(statistic)),
        Reading::Missing(reason) => Number::missing(reason.to_string()),
    };
    Statistic::ALL.into_iter().map(|it| (it.name(), statistic(it))).collect()
}

/// A ratio to a baseline, where there is a baseline.
fn quotient(ratio: Option<f64>, baseline: Option<f64>) -> Option<Number> {
    let not_above_zero = || Number::missing("no quotient: the baseline is not above zero");
    ratio.map(Number::Value).or_else(|| baseline.map(|_| not_above_zero()))
}

impl<'a> From<&'a OfVariants> for OfDifferenceOfVariants<'a> {
    fn from(of: &'a OfVariants) -> Self {
        Self {
            switch: &of.switch,
            more: &of.more,
            less: &of.less,
            of: &of.of,
            pairs_of_runs: of.pairs.0,
            baseline_pairs_of_runs: of.pairs.1,
            verdict: of.verdicts.as_ref().map(OfVerdicts::from),
            figures: of.figures.iter().map(OfPairedFigure::from).collect(),
            notes: &of.notes,
        }
    }
}

impl<'a> From<&'a PairedFigure> for OfPairedFigure<'a> {
    fn from(figure: &'a PairedFigure) -> Self {
        // One pair's own words say why it has no value; of several, the first that has none.
        let statistic = |it: Statistic| match figure.value(it) {
            Some(value) => (it.name(), Number::Value(value)),
            None => {
                let mut each = figure.repeats.iter().map(|repeat| statistics(repeat).remove(it.name()));
                let missing = each.find(|number| !matches!(number, Some(Number::Value(_)))).flatten();
                (it.name(), missing.unwrap_or_else(|| Number::missing("no pair of runs")))
            }
        };
        Self {
            figure: OfFigureId::from(&figure.figure),
            unit: figure.unit.name(),
            pairs: figure.pairs,
            without_partner: figure.alone,
            statistics: Statistic::ALL.into_iter().map(statistic).collect(),
            each: figure.repeats.iter().map(statistics).collect(),
            baseline_median: figure.baseline,
            ratio: quotient(figure.ratio, figure.baseline),
        }
    }
}

impl<'a> From<&'a Figure> for OfFigure<'a> {
    fn from(figure: &'a Figure) -> Self {
        Self {
            metric: &figure.metric,
            unit: figure.unit.name(),
            better: figure.better.name(),
            about: &figure.about,
            n: figure.stats.measured().map_or(0, |stats| stats.n),
            statistics: statistics(&figure.stats),
            baseline_median: figure.baseline,
            ratio: quotient(figure.ratio, figure.baseline),
        }
    }
}

impl<'a> From<&'a Pass> for OfPass<'a> {
    fn from(pass: &'a Pass) -> Self {
        Self {
            name: &pass.name,
            stamps: &pass.semantics,
            share: Number::of(&pass.share),
            attributed: OfFigure::from(&pass.attributed),
            duration: OfFigure::from(&pass.duration),
            exposed: OfFigure::from(&pass.exposed),
            alone: OfFigure::from(&pass.alone),
        }
    }
}

impl<'a> From<&'a Gate> for OfGate<'a> {
    fn from(gate: &'a Gate) -> Self {
        Self {
            name: &gate.name,
            from: &gate.from,
            to: &gate.to,
            time: OfFigure::from(&gate.time),
            coverage: OfFigure::from(&gate.coverage),
            before: OfFigure::from(&gate.before),
        }
    }
}

impl<'a> From<&'a Comparison> for OfComparison<'a> {
    fn from(comparison: &'a Comparison) -> Self {
        let list = |differences: &'a [Difference]| differences.iter().map(OfDifference::from).collect();
        let FrameCounts { run, baseline, common, of_logs } = comparison.frames;
        // Each log is compared whole: none of its frames is one of another log.
        let common = (!of_logs).then_some(common);
        Self {
            frames: OfFrameCounts { run, baseline, common },
            refused: list(&comparison.refused),
            declared: list(&comparison.declared),
            environment: list(&comparison.environment),
        }
    }
}

impl<'a> From<&'a Verdicts> for OfVerdicts<'a> {
    fn from(verdicts: &'a Verdicts) -> Self {
        let Tally { passed, improved, warned, failed, shown, undecided, skipped, refused, missing } =
            verdicts.tally;
        Self {
            outcome: verdicts.outcome.name(),
            rule: &verdicts.rule,
            error_rate: verdicts.error_rate.as_deref(),
            runs: verdicts.runs.0,
            baseline_runs: verdicts.runs.1,
            tally: OfTally { failed, missing, refused, undecided, warned, improved, passed, skipped, shown },
            rows: verdicts.rows.iter().map(OfRow::from).collect(),
            notes: &verdicts.notes,
            unbound: verdicts.unbound.iter().map(OfUnbound::from).collect(),
            differs: verdicts.differs.iter().map(OfDifference::from).collect(),
        }
    }
}

impl<'a> From<&'a Overall> for OfOverall<'a> {
    fn from(overall: &'a Overall) -> Self {
        Self {
            outcome: overall.outcome.name(),
            captures: overall.captures,
            sets: overall.sets,
            differences: overall.differences,
            regressed: overall.regressed,
            not_measured: overall.not_measured,
            undecided: overall.undecided,
            passed: overall.passed,
            without_baseline: overall.without_baseline,
            not_compared: overall.not_compared,
            partial: overall.is_partial(),
            census: overall.census.as_ref().map(OfCensus::from),
            error_rate: overall.error_rate,
            notes: &overall.notes,
            unbound: overall.unbound.iter().map(OfUnbound::from).collect(),
        }
    }
}

impl<'a> From<&'a Census> for OfCensus<'a> {
    fn from(census: &'a Census) -> Self {
        let absent = census.absent.iter();
        Self {
            judged: &census.judged,
            undecided: &census.undecided,
            missing: &census.missing,
            refused: &census.refused,
            renamed: &census.renamed,
            no_baseline: &census.no_baseline,
            excluded: &census.excluded,
            shown: &census.shown,
            without_value: &census.without_value,
            absent: absent.map(|it| OfAbsence { kind: it.kind.name(), text: &it.text }).collect(),
            notes: &census.notes,
        }
    }
}

impl<'a> From<&'a Difference> for OfDifference<'a> {
    fn from(it: &'a Difference) -> Self {
        Self { what: &it.what, this: &it.this, baseline: &it.baseline }
    }
}

impl<'a> From<&'a Unbound> for OfUnbound<'a> {
    fn from(it: &'a Unbound) -> Self {
        Self {
            name: &it.name,
            kind: it.kind.name(),
            part: it.part.to_string(),
            wanted: &it.wanted,
            given: &it.given,
        }
    }
}

impl<'a> From<&'a Row> for OfRow<'a> {
    fn from(row: &'a Row) -> Self {
        let why = || row.verdict.reason().unwrap_or("not measured");
        Self {
            verdict: row.verdict.name(),
            reason: row.verdict.reason(),
            against: match &row.against {
                Against::Baseline(limits) => {
                    let (fail_change, warn_change) = limits.changes(row.better);
                    let Limits { fail, warn, floor } = *limits;
                    OfAgainst::Baseline { fail, warn, floor, fail_change, warn_change }
                }
                Against::Budget { name, kind: BudgetKind::Budget, limit, .. } => {
                    OfAgainst::Budget(OfLimit { name, limit: *limit })
                }
                Against::Budget { name, kind: BudgetKind::Ceiling, limit, .. } => {
                    OfAgainst::Ceiling(OfLimit { name, limit: *limit })
                }
            },
            figure: OfFigureId::from(&row.figure),
            statistic: row.statistic.name(),
            unit: row.unit.map(Unit::name),
            current: row.current.map_or_else(|| Number::missing(why()), Number::Value),
            baseline: row.baseline,
            ratio: row.ratio,
            n: row.n,
            evidence: row.evidence.as_ref().map(OfEvidence::from),
            rests_on: row.rests_on.as_deref(),
        }
    }
}

impl<'a> From<&'a Evidence> for OfEvidence<'a> {
    fn from(evidence: &'a Evidence) -> Self {
        let stretch = |it: &Stretch| OfStretch { first: it.first, last: it.last, change: it.change };
        Self {
            scale: evidence.scale.name(),
            change: evidence.change,
            low: evidence.low,
            high: evidence.high,
            beyond_each_end: SIDE,
            spread: evidence.spread,
            each: &evidence.each,
            smallest: evidence.smallest,
            more_runs: evidence.more_runs,
            most_more_runs: evidence.most_more_runs,
            within: evidence.within,
            widest: evidence.widest.name(),
            p: evidence.p,
            p_confirming: evidence.confirming,
            grew: evidence.grew.iter().map(stretch).collect(),
            drifts: evidence.drifts,
        }
    }
}

impl<'a> From<&'a FigureId> for OfFigureId<'a> {
    fn from(id: &'a FigureId) -> Self {
        Self { metric: &id.metric, subject: id.subject.kind(), name: id.subject.name() }
    }
}
