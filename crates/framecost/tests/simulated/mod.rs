//! Runs with known truth: a path of 1,800 frames whose cost varies by 30 %, frame noise of 3 % that neighbours share, a slow
//! drift within a run, one frame in a hundred that spikes by 40 %, and an effect that a whole run shares. In: a seed, the
//! spread of runs, a change. Out: series. And the rules of other tools, to judge the same series by.

#![allow(dead_code, reason = "tests and the example each use their own part")]

use std::f64::consts::TAU;

/// Frames of a run.
pub(crate) const FRAMES: usize = 1800;

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Mean 0, deviation 1: Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.unit(), self.unit());
        (-2.0 * a.ln()).sqrt() * (TAU * b).cos()
    }
}

/// What the path costs frame by frame, in nanoseconds: the same in every run.
pub(crate) fn path() -> Vec<f64> {
    let mut random = Random::new(1);
    let mut slow = 0.0;
    (0..FRAMES)
        .map(|frame| {
            slow = 0.98 * slow + 0.2 * random.normal();
            let wave = (frame as f64 / FRAMES as f64 * 3.0 * TAU).sin();
            6e6 * (0.3 * wave + 0.12 * slow).exp()
        })
        .collect()
}

/// One run along the path. `spread` is the deviation of whole runs, `change` what all frames cost more.
pub(crate) fn run(path: &[f64], random: &mut Random, spread: f64, change: f64) -> Vec<f64> {
    let (shared, phase) = (spread * random.normal() + change.ln_1p(), random.unit());
    let drift = 0.002 * random.normal();
    let mut noise = 0.0;
    // Of a deviation of 3 % in all, neighbours sharing half.
    let fresh = 0.03 * (1.0f64 - 0.25).sqrt();
    path.iter()
        .enumerate()
        .map(|(frame, cost)| {
            noise = 0.5 * noise + fresh * random.normal();
            let slow = drift * ((frame as f64 / FRAMES as f64 + phase) * TAU).sin();
            let spike = if random.unit() < 0.01 { 1.4f64.ln() } else { 0.0 };
            cost * (shared + noise + slow + spike).exp()
        })
        .collect()
}

/// Whether the median grew by more than 5 %: the rule of thumb.
pub(crate) fn plain(new: &[f64], old: &[f64]) -> bool {
    median(new) / median(old) > 1.05
}

/// Mann and Whitney's test on frames, one-sided at 1 %, by its normal approximation.
pub(crate) fn mann_whitney(new: &[f64], old: &[f64]) -> bool {
    let mut all: Vec<(f64, bool)> =
        new.iter().map(|it| (*it, true)).chain(old.iter().map(|it| (*it, false))).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Frame times of a simulation are never equal, so that ranks need no ties.
    let ranks: f64 = all.iter().enumerate().filter(|(_, it)| it.1).map(|(rank, _)| rank as f64 + 1.0).sum();
    let (n, m) = (new.len() as f64, old.len() as f64);
    let u = ranks - n * (n + 1.0) / 2.0;
    (u - n * m / 2.0) / (n * m * (n + m + 1.0) / 12.0).sqrt() > 2.326_35
}

/// Criterion's rule: a t test of the means at 5 %, and an interval of their ratio that lies past its noise threshold of 1 %.
/// Criterion draws both by a bootstrap of frames as if each were independent; of 1,800 frames that comes to the normal
/// distribution, which is taken here.
pub(crate) fn criterion(new: &[f64], old: &[f64]) -> bool {
    let ((a, va), (b, vb)) = (moments(new), moments(old));
    let t = (a - b) / (va + vb).sqrt();
    let ratio = a / b;
    let error = ratio * (va / (a * a) + vb / (b * b)).sqrt();
    t > 1.959_96 && ratio - 1.959_96 * error - 1.0 > 0.01
}

/// The mean, and the variance of the mean.
fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, values.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (n - 1.0) / n)
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    framecost::stats::type7(&sorted, 0.5).unwrap()
}
