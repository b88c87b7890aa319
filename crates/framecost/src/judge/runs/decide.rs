//! What an estimate means under limits. In: the change with its error. Out: the verdict, and the evidence as a reader sees it.

use framecost_sample::Better;

use super::Asked;
use super::estimate::Estimate;
use super::estimate::MORE_LOGS;
use crate::judge::{Evidence, Limits, MOST_RUNS, SIDE, Scale, Verdict};
use crate::plural::plural;
use crate::stats::student;

/// How often a change of the smallest size that counts as detectable is to be found.
const POWER: f64 = 0.9;

/// The limits as losses on the scale's own terms: how much worse is past them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) fail: f64,
    pub(super) warn: f64,
    /// How much better counts as a gain.
    gain: f64,
}

/// A loss with its interval: growth where less is better, a fall where more is.
#[derive(Clone, Copy, Debug)]
struct Loss {
    change: f64,
    low: f64,
    high: f64,
}

pub(super) fn decide(estimate: &Estimate, asked: &Asked, base: f64) -> (Verdict, Evidence) {
    let bounds = Bounds::of(&asked.limits, asked.better, estimate.scale, base);
    let half = student::quantile(SIDE, estimate.freedom) * estimate.error;
    let loss = Loss::of(estimate, asked.better, half);
    let verdict = match loss.against(&bounds) {
        Some(verdict) => verdict,
        None => Verdict::Undecided(String::new()),
    };
    let undecided = matches!(verdict, Verdict::Undecided(_));
    let scale = estimate.scale;
    let reach = half + student::quantile(1.0 - POWER, estimate.freedom) * estimate.error;
    let evidence = Evidence {
        scale,
        sides: estimate.sides,
        change: scale.shown(estimate.change),
        low: scale.shown(estimate.change - half),
        high: scale.shown(estimate.change + half),
        // A standard deviation of logarithms is one of ratios, to first order.
        spread: Some(estimate.spread),
        each: estimate.each.iter().map(|it| scale.shown(*it)).collect(),
        smallest: scale.shown(if asked.better == Better::Higher { -reach } else { reach }).abs(),
        more_runs: if undecided { more_runs(estimate, asked.better, &bounds) } else { None },
        p: chance(loss.change, estimate),
        confirming: None,
        grew: Vec::new(),
        drifts: estimate.drifts,
    };
    let verdict = if undecided { Verdict::Undecided(why(&evidence, estimate, asked)) } else { verdict };
    (verdict, evidence)
}

impl Bounds {
    /// A loss is past a limit where it is past it as a part of the baseline **and** past the floor, so the later of the two
    /// counts. From a baseline at or below zero only the floor decides.
    pub(super) fn of(limits: &Limits, better: Better, scale: Scale, base: f64) -> Self {
        let of = |limit: f64, up: bool| match scale {
            Scale::Ratio if up => limit.ln_1p().max((limits.floor / base).ln_1p()),
            // Falling by the floor is more than all there is where the floor is the larger.
            Scale::Ratio if limits.floor >= base => f64::INFINITY,
            Scale::Ratio => limit.ln_1p().max(-(-limits.floor / base).ln_1p()),
            Scale::Difference if up => (limit * base).max(limits.floor),
            Scale::Difference => (base - base / (1.0 + limit)).max(limits.floor),
        };
        let worse_is_up = better != Better::Higher;
        Self {
            fail: of(limits.fail, worse_is_up),
            warn: of(limits.warn, worse_is_up),
            gain: of(limits.fail, !worse_is_up),
        }
    }
}

impl Loss {
    fn of(estimate: &Estimate, better: Better, half: f64) -> Self {
        let change = if better == Better::Higher { -estimate.change } else { estimate.change };
        Self { change, low: change - half, high: change + half }
    }

    /// None where the data cannot tell.
    fn against(self, bounds: &Bounds) -> Option<Verdict> {
        let proven = self.low > 0.0;
        if proven && self.change > bounds.fail {
            Some(Verdict::Fail)
        } else if proven && self.change > bounds.warn {
            Some(Verdict::Warn)
        } else if self.high < 0.0 && -self.change > bounds.gain {
            Some(Verdict::Improved)
        } else if self.high <= bounds.fail {
            Some(Verdict::Pass)
        } else {
            None
        }
    }
}

/// How often such a loss would be found where there is none.
fn chance(loss: f64, estimate: &Estimate) -> f64 {
    if estimate.error > 0.0 {
        student::above(loss / estimate.error, estimate.freedom)
    } else if loss > 0.0 {
        0.0
    } else {
        1.0
    }
}

/// The fewest further runs with which this very change would be decided.
fn more_runs(estimate: &Estimate, better: Better, bounds: &Bounds) -> Option<u64> {
    let decided = |more: u64| {
        let runs = estimate.runs + more;
        let freedom = match estimate.stored {
            Some(_) if runs < 3 => estimate.freedom,
            Some(_) if estimate.runs < 3 => estimate.freedom + runs - 1,
            _ => estimate.freedom + more,
        };
        let half = student::quantile(SIDE, freedom) * estimate.error_of(runs);
        Loss::of(estimate, better, half).against(bounds).is_some()
    };
    // More runs only narrow the interval, so that halving finds the fewest.
    if !decided(MOST_RUNS) {
        return None;
    }
    let (mut low, mut high) = (0, MOST_RUNS);
    while high - low > 1 {
        let middle = u64::midpoint(low, high);
        if decided(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// Why the data cannot tell, and what would.
fn why(evidence: &Evidence, estimate: &Estimate, asked: &Asked) -> String {
    let further = match (evidence.more_runs, estimate.stored) {
        (Some(more), Some(_)) => {
            let kind = if asked.aligned { "run" } else { "log" };
            format!("about {more} further {} would decide", plural(more, kind))
        }
        (Some(more), None) => format!("about {more} further {} would decide", plural(more, "pair")),
        (None, Some(_)) if !asked.aligned => {
            format!("further logs of this side alone would not decide: {MORE_LOGS}")
        }
        (None, Some(_)) => "further runs alone would not decide, more stored runs may".into(),
        (None, None) => format!("{MOST_RUNS} further pairs would not decide"),
    };
    format!("the interval holds both no loss and one past the limit; {further}")
}
