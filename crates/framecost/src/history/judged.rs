//! One stretch of a series under one environment, judged. In: its values. Out: the tests that were made of it, then, once it
//! is known how many tests were made in all, what of them stands: steps, or a drift.

use super::drift::{DRIFT_LEVEL, Trend, trend};
use super::robust::{median_of, pieces};
use super::scan::number;
use super::steps::{Cut, Gates, STEP_LEVEL, Search, keep, search};

/// By how much a line must describe the values better than steps, which are the plainer thing to say: twenty times as likely,
/// "strong" evidence in Kass and Raftery, "Bayes factors", J. Am. Stat. Assoc. 90 (1995) 773-795.
const STRONG: f64 = 3.0;

/// The tests of one stretch.
#[derive(Clone, Debug)]
pub(super) struct Tests {
    pub(super) steps: Search,
    pub(super) trend: Option<Trend>,
}

/// What stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// Nothing that chance alone would not show, or nothing that matters.
    Steady,
    /// The level changed at these places.
    Steps(Vec<Cut>),
    /// It crept.
    Drift(Trend),
}

impl Tests {
    /// Tests the values for steps and for a trend.
    pub(super) fn of(values: &[f64], draws: u32) -> Self {
        Self { steps: search(values, draws), trend: trend(values) }
    }

    /// The p-values of the tests that could be made.
    pub(super) fn p_values(&self) -> impl Iterator<Item = f64> {
        self.steps.root.into_iter().chain(self.trend.as_ref().map(|trend| trend.p))
    }

    /// Whether the stretch moved at all, beyond doubt: chance alone would show as much of a step or of a trend as seldom as of a
    /// drift.
    pub(super) fn moved(&self, most: f64) -> bool {
        self.p_values().any(|p| p <= most.min(DRIFT_LEVEL))
    }

    /// Steps or a drift, whichever describes the values better.
    pub(super) fn verdict(&self, values: &[f64], most: f64, gates: &Gates<'_>) -> Verdict {
        let root = self.steps.root.is_some_and(|p| p <= most.min(STEP_LEVEL));
        let cuts = if root { keep(values, &self.steps, most.min(STEP_LEVEL), gates) } else { Vec::new() };
        let stands = |trend: &&Trend| trend.p <= most.min(DRIFT_LEVEL) && trend.passes(values, gates);
        match self.trend.as_ref().filter(stands) {
            Some(trend) if cuts.is_empty() || is_better(trend, values, &cuts) => {
                Verdict::Drift(trend.clone())
            }
            _ if cuts.is_empty() => Verdict::Steady,
            _ => Verdict::Steps(cuts),
        }
    }
}

/// Whether a line describes the values better than levels do: the smaller of `n ln(mean distance) + k/2 ln(n)` over models of
/// `k` numbers (Schwarz, "Estimating the dimension of a model", Ann. Statist. 6 (1978) 461-464, for errors that spread as
/// Laplace's).
fn is_better(trend: &Trend, values: &[f64], cuts: &[Cut]) -> bool {
    let n = number(values.len());
    let at: Vec<usize> = cuts.iter().map(|cut| cut.at).collect();
    let off = |(start, end): (usize, usize)| -> f64 {
        let middle = median_of(&values[start..end]);
        values[start..end].iter().map(|value| (value - middle).abs()).sum()
    };
    let levels = pieces(values.len(), &at).into_iter().map(off).sum::<f64>() / n;
    // The logarithm of no distance at all would beat every other model by any amount: of two such, the smaller one wins.
    let cost = |off: f64, numbers: f64| n * off.max(f64::MIN_POSITIVE).ln() + numbers / 2.0 * n.ln();
    cost(trend.off, 2.0) + STRONG < cost(levels, 2.0 * number(cuts.len()) + 1.0)
}

/// The greatest p-value that stands when so many tests were made at once, so that of what is reported no more than `share` is
/// expected to be false: Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995) 289-300. Zero where none stands.
pub(super) fn cut_off(mut p_values: Vec<f64>, share: f64) -> f64 {
    p_values.sort_unstable_by(f64::total_cmp);
    let all = number(p_values.len());
    let stands = |(i, p): (usize, &f64)| (*p <= share * number(i + 1) / all).then_some(*p);
    p_values.iter().enumerate().rev().find_map(stands).unwrap_or(0.0)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these figures are exact")]
mod tests {
    use super::*;

    #[test]
    fn the_cut_off_is_that_of_the_paper() {
        // The example of section 3.2 of Benjamini and Hochberg: four of fifteen stand at 5 %.
        let p = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        assert_eq!(cut_off(p.to_vec(), 0.05), 0.0095);
        assert_eq!(cut_off(vec![0.9, 0.8], 0.05), 0.0);
        assert_eq!(cut_off(Vec::new(), 0.05), 0.0);
    }
}
