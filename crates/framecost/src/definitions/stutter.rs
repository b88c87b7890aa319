//! Stutter: how much of a run is frames far longer than others. In: usable times in order. Out: shares between 0 and 1. All
//! three are called "stutter" by the tool that they come from, and differ by what a frame is held against and what is counted.

use super::average::mean;
use super::data::{Data, MILLI, number};
use super::value::Figure;

/// A frame stutters when it takes more than so many times the average.
const FACTOR: f64 = 2.5;
/// In the moving average, a time of more than so many times the one before it counts as that one.
const SPIKE: f64 = 3.0;

/// The share of time in frames longer than 2.5 times the moving average.
pub(super) fn by_moving_average(data: &Data) -> Option<Figure> {
    let averages = moving_average(&data.times)?;
    share_of_time(data, |i, time| time > FACTOR * averages[i])
}

/// The share of time in frames longer than 2.5 times the mean of all.
pub(super) fn by_mean(data: &Data) -> Option<Figure> {
    let mean = mean(&data.times)?;
    share_of_time(data, |_, time| time > FACTOR * mean)
}

/// The share of frames longer than 2.5 times the mean of all.
pub(super) fn by_count(data: &Data) -> Option<Figure> {
    let mean = mean(&data.times)?;
    let long = data.times.iter().filter(|time| **time > FACTOR * mean).count();
    Some(Figure::of(number(long) / data.count(), long as u64, data.n()))
}

fn share_of_time(data: &Data, stutters: impl Fn(usize, f64) -> bool) -> Option<Figure> {
    let (mut sum, mut frames) = (0.0, 0);
    for (_, &time) in data.times.iter().enumerate().filter(|(i, time)| stutters(*i, **time)) {
        sum += time;
        frames += 1;
    }
    (data.total > 0.0).then(|| Figure::of(sum / data.total, frames, data.n()))
}

/// For each frame the mean over it and those before it, `round(10 sqrt(mean in ms))` in all, spikes replaced.
fn moving_average(times: &[f64]) -> Option<Vec<f64>> {
    let size = (mean(times)? / MILLI).sqrt() * 10.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast saturates; the window is at least 1"
    )]
    let size = (size.round_ties_even() as usize).max(1);
    let mut sums = vec![0.0];
    let (mut sum, mut before) = (0.0, None);
    for &time in times {
        let calm = before.filter(|before| time > SPIKE * before).unwrap_or(time);
        sum += calm;
        sums.push(sum);
        before = Some(time);
    }
    let average = |i: usize| {
        let first = (i + 1).saturating_sub(size);
        (sums[i + 1] - sums[first]) / number(i + 1 - first)
    };
    Some((0..times.len()).map(average).collect())
}
