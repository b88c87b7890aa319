//! How far frames lie from their average. In: usable times, in order. Out: standard deviations of times or of rates.

use super::average::mean;
use super::data::{Data, MILLI, SECOND, number};
use super::value::Figure;

/// The window of the moving average.
const WINDOW_MS: f64 = 500.0;

/// Of the times, over all of them: `sqrt(sum((t - mean)^2) / N)`.
pub(super) fn population(data: &Data) -> Option<Figure> {
    of_times(data, 0)
}

/// Of the times, as of a sample of more: `sqrt(sum((t - mean)^2) / (N - 1))`.
pub(super) fn sample(data: &Data) -> Option<Figure> {
    of_times(data, 1)
}

fn of_times(data: &Data, less: usize) -> Option<Figure> {
    let mean = mean(&data.times)?;
    let squares: f64 = data.times.iter().map(|time| (time - mean).powi(2)).sum();
    root(squares, data, less)
}

/// Of the rates from their moving average as `CapFrameX` computes it: the window of 500 is filled with rates, not with
/// milliseconds, so that it holds `500 / rate` frames.
pub(super) fn adaptive_as_coded(data: &Data) -> Option<Figure> {
    let rates: Vec<f64> = data.times.iter().map(|time| SECOND / time).collect();
    let sums = sums(&rates);
    let averages =
        windows(&sums, WINDOW_MS).map(|(first, end)| (sums[end] - sums[first]) / number(end - first));
    residuals(&rates, averages, data)
}

/// Of the rates from the rate of the last 500 ms: what the same figure is meant to be.
pub(super) fn adaptive_as_meant(data: &Data) -> Option<Figure> {
    let rates: Vec<f64> = data.times.iter().map(|time| SECOND / time).collect();
    let sums = sums(&data.times);
    let averages = windows(&sums, WINDOW_MS * MILLI)
        .map(|(first, end)| SECOND * number(end - first) / (sums[end] - sums[first]));
    residuals(&rates, averages, data)
}

fn residuals(rates: &[f64], averages: impl Iterator<Item = f64>, data: &Data) -> Option<Figure> {
    let squares: f64 = rates.iter().zip(averages).map(|(rate, average)| (rate - average).powi(2)).sum();
    root(squares, data, 1)
}

fn root(squares: f64, data: &Data, less: usize) -> Option<Figure> {
    let over = data.times.len().checked_sub(less).filter(|over| *over > 0)?;
    Some(Figure::whole((squares / number(over)).sqrt(), data.n()))
}

/// The sums of the first none, one, two, ... values.
fn sums(values: &[f64]) -> Vec<f64> {
    let mut sum = 0.0;
    let more = values.iter().map(|value| {
        sum += value;
        sum
    });
    std::iter::once(0.0).chain(more).collect()
}

/// For each value the shortest stretch that ends with it and comes to `width`, or all up to it: first index and end. Linear,
/// since the first index never goes back.
fn windows(sums: &[f64], width: f64) -> impl Iterator<Item = (usize, usize)> {
    let mut first = 0;
    (1..sums.len()).map(move |end| {
        while first + 1 < end && sums[end] - sums[first + 1] >= width {
            first += 1;
        }
        (first, end)
    })
}
