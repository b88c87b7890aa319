//! Percentiles of frame times and of frame rates. In: usable times, a share. Out: the value below which that share lies.

use super::data::Data;
use super::value::{Figure, Share};
use super::{Method, quantile};

/// Of the frames' times.
pub(super) fn of_times(data: &Data, share: Share, method: Method) -> Option<Figure> {
    let value = quantile(&data.sorted, share.part(), method)?;
    Some(Figure::of(value, tail(data, share), data.n()))
}

/// Of the frames' rates.
pub(super) fn of_rates(data: &Data, share: Share, method: Method) -> Option<Figure> {
    let value = quantile(&data.rates, share.part(), method)?;
    Some(Figure::of(value, tail(data, share), data.n()))
}

/// The frames on the smaller side of the percentile: those that decide it.
pub(super) fn tail(data: &Data, share: Share) -> u64 {
    share.smaller().of(data.n())
}
