//! "1 % low" in every meaning in use. In: usable times and the share of the tail. Out: a rate in frames per second, with the
//! number of frames that decide it. Three families answer three questions: a percentile, how long the frame at the border of
//! the tail takes; a mean of the tail, how long its frames take; a time integral, how long a frame takes above which a share of
//! the time goes.

use super::average::mean;
use super::data::{Data, SECOND};
use super::value::{Figure, Share};
use super::{Method, percentile, quantile};

/// The rate of the frame at the `1 - p` quantile of the times.
pub(super) fn of_times(data: &Data, share: Share, method: Method) -> Option<Figure> {
    let time = quantile(&data.sorted, share.rest().part(), method)?;
    Some(Figure::of(SECOND / time, percentile::tail(data, share), data.n()))
}

/// The `p` quantile of the rates.
pub(super) fn of_rates(data: &Data, share: Share, method: Method) -> Option<Figure> {
    percentile::of_rates(data, share, method)
}

/// The frame at index `p N - 1`, cut to a whole number, of the times from the longest to the shortest. In single precision, as
/// `MangoHud` from 0.7.1 computes it. With fewer than `1 / p` frames the index is cut to 0: the longest frame.
#[expect(clippy::cast_precision_loss, reason = "single precision is what is to be reproduced")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "cutting is the rule; a cast saturates"
)]
pub(super) fn index(data: &Data, share: Share) -> Option<Figure> {
    let place = (share.part() as f32 * data.times.len() as f32 - 1.0) as usize;
    let time = data.sorted.iter().rev().nth(place)?;
    // At the fast end, the frames beyond are the shorter ones.
    let beyond = (place + 1).min(data.times.len() - place);
    Some(Figure::of(SECOND / time, beyond as u64, data.n()))
}

/// The rate of the mean time of the `floor(p N)` longest frames; none where that is no frame.
pub(super) fn worst(data: &Data, share: Share) -> Option<Figure> {
    let longest = longest(data, share.of(data.n()));
    mean(longest).map(|time| Figure::of(SECOND / time, longest.len() as u64, data.n()))
}

/// The rate of the mean time of all frames that take at least the `1 - p` quantile, type 8.
pub(super) fn at_least(data: &Data, share: Share) -> Option<Figure> {
    let border = quantile(&data.sorted, share.rest().part(), Method::R8)?;
    let longest = &data.sorted[data.sorted.partition_point(|&time| time < border)..];
    mean(longest).map(|time| Figure::of(SECOND / time, longest.len() as u64, data.n()))
}

/// The mean of the rates of the `floor(p N)` longest frames; none where that is no frame.
pub(super) fn mean_rate(data: &Data, share: Share) -> Option<Figure> {
    mean_rate_of(data, share.of(data.n()))
}

/// The mean of the rates of the `ceil(p N)` longest frames, the number in single precision, as `MangoHud` up to 0.6.8 has it.
#[expect(clippy::cast_precision_loss, reason = "single precision is what is to be reproduced")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and the number of frames"
)]
pub(super) fn mean_rate_ceil(data: &Data, share: Share) -> Option<Figure> {
    mean_rate_of(data, (share.part() as f32 * data.times.len() as f32).ceil() as u64)
}

fn mean_rate_of(data: &Data, frames: u64) -> Option<Figure> {
    let rates: Vec<f64> = longest(data, frames).iter().map(|time| SECOND / time).collect();
    mean(&rates).map(|rate| Figure::of(rate, rates.len() as u64, data.n()))
}

/// The rate of the frame with which the longest frames come to a share of the whole time.
pub(super) fn integral(data: &Data, share: Share) -> Option<Figure> {
    let due = data.total * share.part();
    let mut sum = 0.0;
    for (i, time) in data.sorted.iter().rev().enumerate() {
        sum += time;
        if sum >= due {
            return Some(Figure::of(SECOND / time, i as u64 + 1, data.n()));
        }
    }
    None
}

fn longest(data: &Data, frames: u64) -> &[f64] {
    let all = &data.sorted;
    let kept = usize::try_from(frames).unwrap_or(usize::MAX).min(all.len());
    &all[all.len() - kept..]
}
