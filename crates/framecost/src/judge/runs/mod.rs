//! The rule of runs: a change is judged by how far whole runs lie apart, since the frames of one run share whatever made
//! that run fast or slow. In: the values of new and stored runs, limits, and what is known of the noise. Out: a verdict with
//! its [`Evidence`].
//!
//! ```text
//!  values -> contrast (every run with every other) -> estimate (change, error, freedom) -> decide (against limits)
//! ```

mod contrast;
mod decide;
mod estimate;
mod noise;
mod stretch;
mod tail;

use super::{Evidence, Limits, Verdict};
use crate::stats::Statistic;
use contrast::Contrast;
pub(super) use contrast::{Place, Values, base};
pub(crate) use estimate::MORE_LOGS;
pub(super) use noise::place;
pub use noise::{Noise, NoiseProfile};
pub(super) use stretch::find as stretches;
pub(crate) use tail::tolerated as tolerated_hitches;
pub(super) use tail::{heavy, hitches};

use framecost_sample::Better;

/// What is asked of one figure.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The statistic; of medians, frames are paired by their index.
    pub statistic: Statistic,
    /// Which way the figure improves.
    pub better: Better,
    /// The limits.
    pub limits: Limits,
    /// The least that two values can differ by, in the metric's unit: runs that agree better than that are not surer.
    pub quantum: f64,
    /// Whether frame `i` of every run is the same work, so that frames can be paired. Frames of logs that tools write while
    /// somebody plays are not: then the runs' own statistics are held against each other.
    pub aligned: bool,
}

/// Judges one figure of new runs against the same figure of stored runs, each a series over the same frames in order.
///
/// - The change is the mean over all pairs of a new and a stored run of the median over frames of their paired log ratios
///   (for other statistics, of the log ratio of the two runs' statistics). Figures that may be zero or below, and those
///   smaller than the noise floor, are compared by differences.
/// - Its interval comes from the spread between the stored runs, `s² = Σ θ(i,j)² / (K(K-1))` over their pairs, with that of
///   the new runs where these are three or more: `change ± t · s · √(1/R + 1/K)`, with t the quantile of Student's
///   distribution that leaves 1 % on each side. It is never narrower than by the block bootstrap within the runs.
/// - `noise`, of an adapter's calibration, stands in for stored runs that are missing to ten: `s² = (d₀s₀² + ds²) / (d₀ + d)`
///   (Smyth, "Linear models and empirical Bayes methods", Statistical Applications in Genetics 3, 2004).
/// - A loss past the limit and the floor fails where the interval lies above zero. It passes only where the interval's
///   upper end lies below the limit. Everything else is undecided.
///
/// # Errors
/// Why nothing can be said: no frames in common, or nothing that tells how far runs lie apart.
pub fn judge_series(
    new: &[Vec<f64>],
    stored: &[Vec<f64>],
    asked: &Asked,
    noise: Option<&Noise>,
) -> Result<(Verdict, Evidence), String> {
    let contrast = Contrast::of(new, stored, asked)?;
    let estimate = estimate::of_runs(&contrast, asked, noise)?;
    Ok(decide::decide(&estimate, asked, contrast.base))
}

/// Judges pairs of runs that were measured together: the first of each pair against the second.
///
/// The change is the mean over pairs of the median over frames of the paired log ratios; its interval comes from the spread
/// between pairs, with P - 1 degrees of freedom, and is never narrower than by the block bootstrap within the pairs.
///
/// # Errors
/// Why nothing can be said: fewer than two pairs, or no frames in common.
pub fn judge_pairs_of_series(
    pairs: &[(Vec<f64>, Vec<f64>)],
    asked: &Asked,
) -> Result<(Verdict, Evidence), String> {
    let (new, stored): (Vec<_>, Vec<_>) = pairs.iter().cloned().unzip();
    let contrast = Contrast::of(&new, &stored, asked)?;
    let estimate = estimate::of_pairs(&contrast, asked)?;
    Ok(decide::decide(&estimate, asked, contrast.base))
}
