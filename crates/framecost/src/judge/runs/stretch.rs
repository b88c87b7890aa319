//! Where on the path a figure got worse. In: the runs' values frame by frame. Out: stretches of frames that grew by more than
//! the stored runs' own differences explain, whatever the median of the whole does.

use framecost_sample::Better;

use super::Asked;
use super::contrast::{Values, frame_means, median};
use super::decide::Bounds;
use crate::judge::{SIDE, Scale, Stretch};
use crate::stats::student;

/// Frames in a window: a second at 60 Hz.
const WINDOW: usize = 60;
/// Stored runs below which nothing is localised: each is to be held against the mean of the others.
const LEAST_STORED: usize = 3;

/// Stretches of at least a window that are worse by more than the warning limit and than chance, with those past the limit
/// to fail told apart.
pub(in crate::judge) struct Stretches {
    pub(in crate::judge) grew: Vec<Stretch>,
    /// One of them is past the limit.
    pub(in crate::judge) past_limit: bool,
}

/// Scans windows of frames. Each is held against the spread of the stored runs in that window, each of which is held against
/// the mean of the others; what counts is beyond the largest of those, and beyond a chance of 1 % over all windows.
#[expect(clippy::cast_precision_loss, reason = "a handful of runs")]
pub(in crate::judge) fn find(values: &Values, asked: &Asked, scale: Scale, base: f64) -> Option<Stretches> {
    let (runs, stored) = (values.new.len(), values.stored.len());
    let windows = values.frames.len() / WINDOW;
    if stored < LEAST_STORED || windows < 2 {
        return None;
    }
    let sign = if asked.better == Better::Higher { -1.0 } else { 1.0 };
    let inner = |runs: &[Vec<f64>]| -> Vec<Vec<f64>> {
        runs.iter().map(|run| run.iter().map(|it| sign * scale.inner(*it)).collect()).collect()
    };
    let (new, base_runs) = (inner(&values.new), inner(&values.stored));
    let mean = frame_means(&base_runs);
    let change = in_windows(frame_means(&new).iter().zip(&mean).map(|(new, mean)| new - mean));
    let (k, r) = (stored as f64, runs as f64);
    // A run less the mean of the K - 1 others is K / (K - 1) times that run less the mean of all.
    let less_others = |run: &Vec<f64>| {
        in_windows(run.iter().zip(&mean).map(|(value, mean)| (value - mean) * k / (k - 1.0)))
    };
    let own: Vec<Vec<f64>> = base_runs.iter().map(less_others).collect();
    // A run less the mean of the K - 1 others varies by K / (K - 1) times what a run does.
    let spread_in =
        |window: usize| (own.iter().map(|run| run[window].powi(2)).sum::<f64>() / k * (k - 1.0) / k).sqrt();
    let spreads: Vec<f64> = (0..windows).map(spread_in).collect();
    let usual = median(spreads.clone()).max(f64::MIN_POSITIVE);
    let spread = |window: usize| spreads[window].max(usual);
    let largest = own
        .iter()
        .flat_map(|run| run.iter().enumerate())
        .map(|(window, change)| change / (spread(window) * (k / (k - 1.0)).sqrt()))
        .fold(0.0, f64::max);
    let beyond = largest.max(student::quantile(SIDE / windows as f64, stored as u64 - 1));
    let bounds = Bounds::of(&asked.limits, asked.better, scale, base);
    let grew = |window: &usize| {
        change[*window] > bounds.warn
            && change[*window] / (spread(*window) * (1.0 / r + 1.0 / k).sqrt()) > beyond
    };
    let found: Vec<usize> = (0..windows).filter(grew).collect();
    let past_limit = found.iter().any(|window| change[*window] > bounds.fail);
    let shown = |change: f64| scale.shown(sign * change);
    let grew = found.chunk_by(|a, b| a + 1 == *b).map(|run| Stretch {
        first: values.frames[run[0] * WINDOW],
        last: values.frames[(run[run.len() - 1] + 1) * WINDOW - 1],
        change: shown(median(run.iter().map(|window| change[*window]).collect())),
    });
    Some(Stretches { grew: grew.collect(), past_limit })
}

/// The median in each whole window.
fn in_windows(differences: impl Iterator<Item = f64>) -> Vec<f64> {
    let differences: Vec<f64> = differences.collect();
    differences.chunks_exact(WINDOW).map(|window| median(window.to_vec())).collect()
}
