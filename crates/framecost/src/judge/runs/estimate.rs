//! How large a change is and how sure that is. In: runs set against each other. Out: the change, its standard error, and the
//! degrees of freedom that the error has.

use super::contrast::Contrast;
use super::{Asked, Noise};
use crate::judge::Scale;

/// Degrees of freedom that ten stored runs have; what calibration knows fills up to that and no further, so that it never
/// speaks louder than a full baseline does.
pub(super) const FULL: u64 = 9;
/// What makes a comparison of logs surer: nobody can measure them anew in turns, or calibrate for them.
pub(crate) const MORE_LOGS: &str = "capture several more logs a side, of the same stretch";

/// A change with its error, on the scale's own terms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) scale: Scale,
    pub(super) sides: (f64, f64),
    pub(super) change: f64,
    /// Standard error of the change.
    pub(super) error: f64,
    /// Standard error by the frames within the runs alone.
    pub(super) within: f64,
    pub(super) drifts: bool,
    pub(super) freedom: u64,
    /// Standard deviation from run to run, or from pair to pair.
    pub(super) spread: f64,
    pub(super) each: Vec<f64>,
    /// New runs, or pairs.
    pub(super) runs: u64,
    /// Stored runs; none of pairs, whose error falls with their number alone.
    pub(super) stored: Option<u64>,
}

impl Estimate {
    /// The standard error with that many new runs, or pairs, all else being the same.
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    pub(super) fn error_of(&self, runs: u64) -> f64 {
        let of_stored = self.stored.map_or(0.0, |stored| 1.0 / stored as f64);
        // The stored runs' own part of the error within would stay; taking it all to fall with the new runs would promise
        // too much, so it falls as the error between them does.
        let falls = (1.0 / runs as f64 + of_stored) / (1.0 / self.runs as f64 + of_stored);
        self.between(runs).max(self.within * falls.sqrt())
    }

    /// The part of it that runs lying apart make.
    #[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
    pub(super) fn between(&self, runs: u64) -> f64 {
        let of_stored = self.stored.map_or(0.0, |stored| 1.0 / stored as f64);
        self.spread * (1.0 / runs as f64 + of_stored).sqrt()
    }
}

/// The change of new runs against stored ones.
pub(super) fn of_runs(contrast: &Contrast, asked: &Asked, noise: Option<&Noise>) -> Result<Estimate, String> {
    let each: Vec<f64> = contrast.across.iter().map(|to_stored| mean(to_stored)).collect();
    let (runs, stored) = (each.len() as u64, contrast.across[0].len() as u64);
    let of_new = if runs >= 3 || stored == 1 { runs - 1 } else { 0 };
    let of_stored = stored - 1;
    let mut freedom = of_stored + of_new;
    let mut squares = contrast.squares_stored + if of_new > 0 { contrast.squares_new } else { 0.0 };
    if let Some(noise) = noise.filter(|noise| noise.scale == contrast.scale) {
        let filled = noise.freedom.min(FULL.saturating_sub(freedom));
        squares += as_f64(filled) * noise.spread.powi(2);
        freedom += filled;
    }
    if freedom == 0 {
        if !asked.aligned {
            return Err(format!(
                "one log against one does not say how far logs lie apart: {MORE_LOGS}, or take --rule threshold, which \
                 promises nothing"
            ));
        }
        return Err("one run and one stored run do not say how far runs lie apart: \
            store more (framecost bench --repeats 5, framecost baseline save), or calibrate the adapter \
            (framecost calibrate), or take --rule threshold, which promises nothing"
            .into());
    }
    let spread = (squares / as_f64(freedom)).sqrt().max(least(contrast, asked));
    let mut estimate = Estimate {
        scale: contrast.scale,
        sides: contrast.sides,
        change: mean(&each),
        error: 0.0,
        within: contrast.within.error,
        drifts: contrast.within.drifts,
        freedom,
        spread,
        each,
        runs,
        stored: Some(stored),
    };
    estimate.error = estimate.error_of(runs);
    Ok(estimate)
}

/// The mean change over pairs, the first of each against the second.
pub(super) fn of_pairs(contrast: &Contrast, asked: &Asked) -> Result<Estimate, String> {
    let each: Vec<f64> = contrast.across.iter().enumerate().map(|(i, to_stored)| to_stored[i]).collect();
    let runs = each.len() as u64;
    if runs < 2 {
        return Err("one pair does not say how far pairs lie apart: repeat it (--repeats 5)".into());
    }
    let change = mean(&each);
    let squares: f64 = each.iter().map(|it| (it - change).powi(2)).sum();
    let spread = (squares / as_f64(runs - 1)).sqrt().max(least(contrast, asked));
    let mut estimate = Estimate {
        scale: contrast.scale,
        sides: contrast.sides,
        change,
        error: 0.0,
        within: contrast.within.error,
        drifts: contrast.within.drifts,
        freedom: runs - 1,
        spread,
        each,
        runs,
        stored: None,
    };
    estimate.error = estimate.error_of(runs);
    Ok(estimate)
}

/// The least spread: a clock that counts in steps makes runs look more alike than they are. A value read in steps of `q`
/// has a deviation of `q / √12` from that alone.
fn least(contrast: &Contrast, asked: &Asked) -> f64 {
    let deviation = asked.quantum / 12f64.sqrt();
    match contrast.scale {
        Scale::Ratio => deviation / contrast.base,
        Scale::Difference => deviation,
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / as_f64(values.len() as u64)
}

#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
const fn as_f64(count: u64) -> f64 {
    count as f64
}
