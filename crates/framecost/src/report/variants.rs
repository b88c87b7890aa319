//! The section of a difference between two variants. In: variants and their judgement. Out: plain data with every number.

use framecost_sample::{Reading, Reason, Unit, metric_names as names};

use super::{Verdicts, build, verdicts, words};
use crate::judge::{Judgement, Overall, Pairs, Variants, ratio};
use crate::stats::{FigureId, Paired, PairedRow, Quantile, Statistic, Stats, type7};

/// What one switch adds to a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct OfVariants {
    /// The switch.
    pub switch: String,
    /// Its value in the runs that are taken from.
    pub more: String,
    /// Its value in the runs that are taken away.
    pub less: String,
    /// Scene, size and the other switches.
    pub of: String,
    /// How many pairs of runs stand behind it, and behind the baseline.
    pub pairs: (u64, u64),
    /// `gpu_total` first, then gates, then the passes' durations.
    pub figures: Vec<PairedFigure>,
    /// What was judged, where something was.
    pub verdicts: Option<Verdicts>,
    /// What to know beside, where nothing was judged.
    pub notes: Vec<String>,
}

/// The paired differences of one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedFigure {
    /// The figure that both variants have.
    pub figure: FigureId,
    /// The unit of all its values.
    pub unit: Unit,
    /// Of each pair of runs: statistics over its frames, or the reason that most of its missing values give.
    pub repeats: Vec<Reading<Stats>>,
    /// Frames that both measured: of several pairs of runs, the fewest.
    pub pairs: u64,
    /// Frames that only one of the two measured, in the pair of runs that has most of them.
    pub alone: u64,
    /// The baseline's median; none where there is none to compare with.
    pub baseline: Option<f64>,
    /// The run's median over the baseline's; none where the baseline's is not above zero.
    pub ratio: Option<f64>,
}

impl OfVariants {
    /// The section of these variants, with verdicts where they are given.
    #[must_use]
    pub fn new(variants: &Variants<'_>, judgement: Option<&Judgement>) -> Self {
        let pairs = variants.pairs();
        let alike = judgement.is_none_or(|judgement| judgement.refused.is_empty());
        let count = (pairs.runs.len() as u64, pairs.baseline.len() as u64);
        let verdicts = judgement
            .map(|judgement| Verdicts { of_runs: words::pairs(count), ..verdicts::gather(judgement) });
        let of_runs = words::pairs(count).filter(|_| verdicts.is_none());
        Self {
            switch: variants.switch.into(),
            more: variants.more.into(),
            less: variants.less.into(),
            of: variants.first().map_or_else(String::new, |run| {
                let mut head = build::head(run);
                head.asked.retain(|(name, _)| name != variants.switch);
                words::title(&head)
            }),
            pairs: count,
            figures: figures(&pairs, alike),
            notes: variants.left_over().filter(|_| verdicts.is_none()).into_iter().chain(of_runs).collect(),
            verdicts,
        }
    }

    /// The section without what a heading over several reports says once for all of them.
    pub(super) fn below(&self, overall: &Overall) -> Self {
        let mut of = self.clone();
        of.verdicts = of.verdicts.map(|verdicts| verdicts.below(overall));
        of
    }

    /// Whether there is a baseline to which ratios could be.
    #[must_use]
    pub fn has_ratios(&self) -> bool {
        self.figures.iter().any(|figure| figure.baseline.is_some())
    }
}

impl PairedFigure {
    /// The median over the pairs of runs of that statistic; none where one of them has none.
    #[must_use]
    pub fn value(&self, statistic: Statistic) -> Option<f64> {
        over(&self.repeats, statistic)
    }

    /// Whether all its statistics are shown, or its median alone.
    #[must_use]
    pub fn is_total(&self) -> bool {
        self.figure.metric == names::GPU_TOTAL
    }
}

fn over(repeats: &[Reading<Stats>], statistic: Statistic) -> Option<f64> {
    let of = |repeat: &Reading<Stats>| {
        repeat.measured().map(|stats| stats.get(statistic)).and_then(Quantile::value)
    };
    let mut values = repeats.iter().map(of).collect::<Option<Vec<f64>>>()?;
    values.sort_unstable_by(f64::total_cmp);
    type7(&values, 0.5)
}

/// Every figure of the first pair, gates before passes: `framecost.toml` limits them, and there are few.
fn figures(pairs: &Pairs, alike: bool) -> Vec<PairedFigure> {
    let Some(first) = pairs.runs.first() else { return Vec::new() };
    let rank = |row: &&PairedRow| match row.of.metric.as_str() {
        names::GPU_TOTAL => 0,
        names::GATE => 1,
        _ => 2,
    };
    let mut rows: Vec<&PairedRow> = first.rows.iter().collect();
    rows.sort_by_key(rank);
    rows.into_iter().map(|row| figure(row, pairs, alike)).collect()
}

fn figure(row: &PairedRow, pairs: &Pairs, alike: bool) -> PairedFigure {
    let found = |pairs: &[Paired]| -> Vec<Reading<Stats>> {
        pairs.iter().map(|pair| stats(pair.find(&row.of))).collect()
    };
    let of_pairs =
        |count: fn(&PairedRow) -> u64| pairs.runs.iter().map(move |pair| pair.find(&row.of).map_or(0, count));
    let repeats = found(&pairs.runs);
    let baseline = over(&found(&pairs.baseline), Statistic::Median).filter(|_| alike);
    PairedFigure {
        figure: row.of.clone(),
        unit: row.difference.metric.unit,
        pairs: of_pairs(|row| row.difference.n()).min().unwrap_or(0),
        alone: of_pairs(|row| row.alone).max().unwrap_or(0),
        ratio: ratio(over(&repeats, Statistic::Median), baseline),
        baseline,
        repeats,
    }
}

fn stats(row: Option<&PairedRow>) -> Reading<Stats> {
    let difference = row.map(|row| &row.difference);
    match difference.and_then(|row| row.stats) {
        Some(stats) => Reading::Measured(stats),
        None => {
            let why = difference.and_then(|row| row.main_reason());
            Reading::Missing(why.cloned().unwrap_or(Reason::NotAvailable))
        }
    }
}
