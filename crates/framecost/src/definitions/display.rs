//! What the screen and the GPU say beside the times of frames. In: displayed intervals, animation errors, GPU times. Out: rates,
//! errors, shares.

use super::average::mean;
use super::data::{Data, SECOND};
use super::value::Figure;

/// Frames shown over the time in which they were shown.
pub(super) fn displayed(data: &Data) -> Option<Figure> {
    mean(&data.displayed).map(|time| Figure::whole(SECOND / time, data.displayed.len() as u64))
}

/// The mean of the errors' amounts.
pub(super) fn animation_mean(data: &Data) -> Option<Figure> {
    let amounts: Vec<f64> = data.errors.iter().map(|(error, _)| error.abs()).collect();
    mean(&amounts).map(|error| Figure::whole(error, amounts.len() as u64))
}

/// The errors' amounts over the time of the frames that have one: nanoseconds per second.
pub(super) fn animation_rate(data: &Data) -> Option<Figure> {
    let sums =
        data.errors.iter().fold((0.0, 0.0), |sums, (error, time)| (sums.0 + error.abs(), sums.1 + time));
    (sums.1 > 0.0).then(|| Figure::whole(sums.0 / sums.1 * SECOND, data.errors.len() as u64))
}

/// The part of the frames' GPU time in which the GPU worked.
pub(super) fn busy_of_gpu_time(data: &Data) -> Option<Figure> {
    busy_over(data, |[_, gpu, _]| *gpu)
}

/// The GPU's working time over the frames' times.
pub(super) fn busy_of_frame(data: &Data) -> Option<Figure> {
    busy_over(data, |[_, _, frame]| *frame)
}

fn busy_over(data: &Data, whole: impl Fn(&[f64; 3]) -> f64) -> Option<Figure> {
    let all: f64 = data.gpu.iter().map(whole).sum();
    let busy: f64 = data.gpu.iter().map(|[busy, ..]| busy).sum();
    (all > 0.0).then(|| Figure::whole(busy / all, data.gpu.len() as u64))
}
