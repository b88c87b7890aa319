//! Frame pacing: how far each frame's time lies from that of the frame before. In: times in order, with gaps. Out: the share of
//! steps in a bin.

use super::data::{Data, MILLI, number};
use super::value::Figure;

/// The share of steps `|t(i) - t(i-1)|` of at least `from` and below `to` milliseconds. Across a frame that was left out there
/// is no step.
pub(super) fn steps(data: &Data, from: f64, to: f64) -> Option<Figure> {
    let (mut inside, mut all) = (0_usize, 0_usize);
    for pair in data.with_gaps.windows(2) {
        let [Some(before), Some(time)] = pair else { continue };
        let step = (time - before).abs() / MILLI;
        all += 1;
        inside += usize::from(from <= step && step < to);
    }
    (all > 0).then(|| Figure::of(number(inside) / number(all), inside as u64, all as u64))
}
