//! From an analysis to a report's plain data: the last place where anything is computed.

use std::collections::BTreeMap;

use framecost_sample::{
    AdapterClass, Metric, Nanos, PassId, Reading, Reason, Sharing, metric_names as names,
};

use super::{Comparison, Figure, Gate, Head, Pass, Report, missing, verdicts};
use crate::judge::{Across, Judgement, Likeness, median, ratio};
use crate::stats::{FigureId, METHOD, Origin, Subject, Summary};
use crate::{Analysis, Finding};

impl Report {
    /// The report of a run, with ratios to a baseline and with verdicts where they are given.
    ///
    /// Ratios are of medians over the frames that both measured. Hard differences forbid them; what the judgement was
    /// told to cross is crossed here too, and without a judgement whatever may be declared: who names a baseline of
    /// another variant wants just that comparison, and it is shown as such.
    #[must_use]
    pub fn new(run: &Analysis, baseline: Option<&Analysis>, judgement: Option<&Judgement>) -> Self {
        let across = judgement.map_or(Across::DECLARED, |judgement| judgement.across);
        let against = baseline.map(|baseline| Against {
            likeness: Likeness::of(std::slice::from_ref(run), std::slice::from_ref(baseline), across),
            run,
            baseline,
        });
        let of = Figures { run, against: against.as_ref() };
        let has_stamps = run.summaries.rows.iter().any(|row| row.origin == Origin::Stamps);
        let by_origin = |origin: Origin| {
            let rows = run.summaries.rows.iter().filter(move |row| row.origin == origin);
            rows.map(|row| of.figure(row))
        };
        let (cost, figures) = by_origin(Origin::Run).partition(|figure| is_cost(&figure.metric));
        let frame_rows = run.summaries.rows.iter();
        Self {
            head: head(run),
            verdicts: judgement.map(verdicts::gather),
            frame: frame_rows
                .filter(|row| row.origin == Origin::Stamps && row.subject == Subject::Frame)
                .map(|row| of.figure(row))
                .collect(),
            coverage: has_stamps.then(|| run.summaries.shares.coverage.clone()),
            passes: of.passes(),
            untimed_share: has_stamps.then(|| run.summaries.shares.untimed.clone()),
            gates: of.gates(),
            samples: by_origin(Origin::Samples).collect(),
            run: figures,
            cost: with_clock_step(cost, run),
            missing: missing::gather(&run.summaries),
            findings: run
                .ledger
                .findings
                .iter()
                .chain(&run.summaries.findings)
                .cloned()
                .chain(below_resolution(run))
                .collect(),
            environment: run.capture.environment.facts.clone(),
            comparison: against.map(|against| Comparison {
                frames: against.likeness.counts,
                refused: against.likeness.refused,
                declared: against.likeness.declared,
                environment: against.likeness.environment,
            }),
        }
    }
}

/// What stamping adds to a frame is the difference of two noisy times: at or below nothing, it says that the true figure is too
/// small to be told, not that stamping makes frames faster.
fn below_resolution(run: &Analysis) -> Option<Finding> {
    let row = run.summaries.of_frame(names::STAMP_GPU_PER_FRAME)?;
    let value = row.stats.as_ref()?.median;
    (value <= 0.0).then(|| Finding {
        place: names::STAMP_GPU_PER_FRAME.into(),
        cause: format!(
            "{} is within noise: what stamping adds lies below what this run can tell",
            Nanos(value)
        ),
        remedy:
            "read it as about nothing, or measure with more pairs of calibration frames on a quiet machine"
                .into(),
        times: 1,
    })
}

/// A baseline and whether it may be compared with.
struct Against<'a> {
    run: &'a Analysis,
    baseline: &'a Analysis,
    likeness: Likeness,
}

impl Against<'_> {
    /// The baseline's median and the ratio to it, over the frames that both measured.
    fn ratio(&self, id: &FigureId) -> (Option<f64>, Option<f64>) {
        if !self.likeness.refused.is_empty() {
            return (None, None);
        }
        let now = median(self.run, id, self.likeness.common.as_ref());
        let before = median(self.baseline, id, self.likeness.common.as_ref());
        (before, ratio(now, before))
    }
}

#[derive(Clone, Copy)]
struct Figures<'a> {
    run: &'a Analysis,
    against: Option<&'a Against<'a>>,
}

impl Figures<'_> {
    fn figure(&self, row: &Summary) -> Figure {
        let (baseline, ratio) = self.against.map_or((None, None), |against| against.ratio(&row.id()));
        let why = || row.main_reason().cloned().unwrap_or(Reason::NotAvailable);
        Figure {
            metric: row.metric.name.clone(),
            about: row.metric.about.clone(),
            unit: row.metric.unit,
            better: row.metric.better,
            stats: row.stats.map_or_else(|| Reading::Missing(why()), Reading::Measured),
            baseline,
            ratio,
        }
    }

    fn of(&self, metric: &str, subject: &Subject) -> Option<Figure> {
        let id = FigureId { metric: metric.into(), subject: subject.clone() };
        self.run.summaries.find(&id).map(|row| self.figure(row))
    }

    fn passes(&self) -> Vec<Pass> {
        let shares = &self.run.summaries.shares.passes;
        let most = shares.iter().filter_map(|share| share.measured().copied()).fold(0.0, f64::max);
        let pass = |(def, share): (&framecost_sample::PassDef, &Reading<f64>)| {
            let subject = Subject::Pass(def.name.clone());
            Some(Pass {
                name: def.name.clone(),
                semantics: def.semantics.name().into(),
                largest: share.measured().is_some_and(|share| *share > 0.0 && *share >= most),
                share: share.clone(),
                attributed: self.of(names::ATTRIBUTED, &subject)?,
                duration: self.of(names::DURATION, &subject)?,
                exposed: self.of(names::EXPOSED, &subject)?,
                alone: self.of(names::ALONE, &subject)?,
            })
        };
        self.run.capture.passes.iter().zip(shares).filter_map(pass).collect()
    }

    fn gates(&self) -> Vec<Gate> {
        let capture = &self.run.capture;
        let name = |id: PassId| capture.pass(id).name.clone();
        let gate = |def: &framecost_sample::GateDef| {
            let subject = Subject::Gate(def.name.clone());
            Some(Gate {
                name: def.name.clone(),
                from: name(def.from),
                to: name(def.to),
                time: self.of(names::GATE, &subject)?,
                coverage: self.of(names::GATE_COVERAGE, &subject)?,
                before: self.of(names::GATE_BEFORE, &subject)?,
            })
        };
        capture.gates.iter().filter_map(gate).collect()
    }
}

pub(super) fn head(run: &Analysis) -> Head {
    let capture = &run.capture;
    let key = &capture.key;
    let mut semantics: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let stamped = !run.is_unstamped();
    for pass in capture.passes.iter().filter(|_| stamped) {
        semantics.entry(pass.semantics).or_default().push(pass.name.clone());
    }
    let asked = |(name, value): &(&String, &String)| capture.defaults.0.get(*name) != Some(*value);
    let pairs = |of: Vec<(&String, &String)>| of.into_iter().map(|(a, b)| (a.clone(), b.clone())).collect();
    let sharing = run.ledger.clock.as_ref().map(|clock| &clock.sharing);
    Head {
        benchmark: key.benchmark.clone(),
        scene: key.scene.clone(),
        asked: pairs(key.switches.0.iter().filter(asked).collect()),
        switches: pairs(key.switches.0.iter().collect()),
        adapter: key.adapter.clone(),
        adapter_class: key.adapter_class.name().into(),
        on_cpu: key.adapter_class == AdapterClass::Cpu,
        backend: key.backend.clone(),
        size: key.size,
        settings_hash: key.settings_hash.clone(),
        instrumentation: key.instrumentation.0.clone(),
        frames_in_flight: key.frames_in_flight,
        left_out: (capture.counts.start_up, capture.counts.warm_up, capture.counts.calibration),
        frames: capture.counts.measured,
        range: capture.frames.first().copied().zip(capture.frames.last().copied()),
        dropped: capture.counts.dropped,
        stamped,
        semantics: semantics.into_iter().map(|(kind, passes)| (kind.name().to_owned(), passes)).collect(),
        shared_by: match sharing {
            Some(Sharing::AcrossSubmissions { promise }) => Some(promise.clone()),
            Some(Sharing::WithinSubmission) | None => None,
        },
        floor: run.ledger.floor.to_string(),
        percentiles: METHOD.into(),
        producer: capture.producer.clone(),
        started_at: capture.started_at.clone(),
    }
}

fn is_cost(metric: &str) -> bool {
    [
        names::STAMP_CPU_PER_PASS,
        names::STAMP_GPU_PER_FRAME,
        names::STAMPED_GPU,
        names::BRACKET_GPU,
        names::CLOCK_STEP,
    ]
    .contains(&metric)
}

/// The cost of measuring with the clock's step, which the clock itself knows where no figure says it.
fn with_clock_step(mut cost: Vec<Figure>, run: &Analysis) -> Vec<Figure> {
    let clock = run.ledger.clock.as_ref();
    if let (Some(clock), Some(metric)) = (clock, Metric::built_in(names::CLOCK_STEP))
        && cost.iter().all(|figure| figure.metric != names::CLOCK_STEP)
    {
        let one = |ticks| crate::stats::Stats::of(vec![clock.period.nanos(ticks).0]);
        let stats = clock.step.clone().ok().map(one);
        cost.push(Figure {
            metric: metric.name,
            about: metric.about,
            unit: metric.unit,
            better: metric.better,
            stats: match stats {
                Ok(Some(stats)) => Reading::Measured(stats),
                Ok(None) => Reading::Missing(Reason::NotAvailable),
                Err(reason) => Reading::Missing(reason),
            },
            baseline: None,
            ratio: None,
        });
    }
    cost
}
