//! What an estimate means under limits. In: the change with its error. Out: the verdict, and the evidence as a reader sees it.

use framecost_sample::Better;

use super::Asked;
use super::estimate::{Estimate, FULL, MORE_LOGS};
use crate::judge::{Evidence, Limits, MOST_RUNS, SIDE, Scale, Verdict, Widest};
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
    let more = if undecided { more_runs(estimate, asked.better, &bounds) } else { None };
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
        more_runs: more.map(|more| more.least),
        most_more_runs: more.and_then(|more| more.most),
        within: scale.shown(estimate.within),
        widest: widest(estimate, &bounds),
        p: chance(loss.change, estimate),
        confirming: None,
        grew: Vec::new(),
        drifts: estimate.drifts,
    };
    let verdict = if undecided { Verdict::Undecided(why(more, estimate, asked)) } else { verdict };
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

/// What makes the interval as wide as it is. That few runs say how far they lie apart counts where as many as a full baseline
/// has, lying as far apart as these, would show a loss past the limit.
fn widest(estimate: &Estimate, bounds: &Bounds) -> Widest {
    let reach = |freedom| student::quantile(SIDE, freedom) + student::quantile(1.0 - POWER, freedom);
    if estimate.within > estimate.between(estimate.runs) {
        Widest::Frames
    } else if estimate.freedom < FULL && reach(FULL) * estimate.error <= bounds.fail {
        Widest::Few
    } else {
        Widest::Runs
    }
}

/// How many further runs would decide.
#[derive(Clone, Copy, Debug)]
struct More {
    /// If the change is just the one that was found: it may well lie worse.
    least: u64,
    /// If it lies where it suits least within its standard error; none where no number up to [`MOST_RUNS`] would do then.
    most: Option<u64>,
}

/// How many further runs would decide. That the true change is just the one that was found is a guess like any, and so is a
/// number of runs that rests on it: it is asked for a standard error either way too. None where not even this change would be
/// decided.
fn more_runs(estimate: &Estimate, better: Better, bounds: &Bounds) -> Option<More> {
    let of = |shift: f64| {
        fewest(&Estimate { change: estimate.change + shift, ..estimate.clone() }, better, bounds)
    };
    let least = of(0.0)?;
    let sides = [of(-estimate.error), of(estimate.error)];
    let most = sides.iter().try_fold(least, |most, side| side.map(|side| most.max(side)));
    Some(More { least, most })
}

/// The fewest further runs with which a change would be decided, all else staying as it is.
fn fewest(estimate: &Estimate, better: Better, bounds: &Bounds) -> Option<u64> {
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
fn why(more: Option<More>, estimate: &Estimate, asked: &Asked) -> String {
    let kind = match estimate.stored {
        None => "pair",
        Some(_) if asked.aligned => "run",
        Some(_) => "log",
    };
    let further = match more {
        Some(More { least, most: Some(most) }) if least < most => {
            format!("{least} to {most} further {} would decide", plural(most, kind))
        }
        Some(More { least, most: Some(_) }) => {
            format!("about {least} further {} would decide", plural(least, kind))
        }
        Some(More { least, most: None }) => {
            format!(
                "it takes {least} further {}, or far more if the change lies nearer to its limit",
                plural(least, kind)
            )
        }
        None if kind == "log" => format!("further logs of this side alone would not decide: {MORE_LOGS}"),
        None if kind == "run" => "further runs alone would not decide, more stored runs may".into(),
        None => format!("{MOST_RUNS} further pairs would not decide"),
    };
    format!("the interval holds both no loss and one past the limit; {further}")
}
