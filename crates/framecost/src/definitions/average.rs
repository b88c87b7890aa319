//! Averages and extremes. In: usable times. Out: rates and times of the whole stream.

use super::data::{Data, SECOND, number};
use super::value::Figure;

/// Frames over time: `N / T`.
pub(super) fn harmonic(data: &Data) -> Option<Figure> {
    (data.total > 0.0).then(|| Figure::whole(SECOND * data.count() / data.total, data.n()))
}

/// The mean of the frames' rates: `mean(1 / t)`.
pub(super) fn arithmetic(data: &Data) -> Option<Figure> {
    mean(&data.rates).map(|rate| Figure::whole(rate, data.n()))
}

/// `T / N`.
pub(super) fn mean_time(data: &Data) -> Option<Figure> {
    mean(&data.times).map(|time| Figure::whole(time, data.n()))
}

/// The rate of the longest frame.
pub(super) fn lowest(data: &Data) -> Option<Figure> {
    data.rates.first().map(|&rate| Figure::of(rate, 1, data.n()))
}

/// The rate of the shortest frame.
pub(super) fn highest(data: &Data) -> Option<Figure> {
    data.rates.last().map(|&rate| Figure::of(rate, 1, data.n()))
}

/// The mean of values; none of none.
pub(super) fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / number(values.len()))
}
