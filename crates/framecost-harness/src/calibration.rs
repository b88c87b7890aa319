//! What stamping costs. In: pairs of the same frame, once with every pass stamped, once with a bracket around it only.
//! Out: GPU time of both, and what stamping adds.

use framecost_sample::{Clock, Reading, Reason, metric_names};
use framecost_wgpu::{Bracket, FrameStamps, Stamping};

/// The same frame, drawn twice in close succession.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    clock: Option<Clock>,
    /// GPU time of each pair's stamped frame in nanoseconds.
    stamped: Vec<Reading<f64>>,
    /// GPU time of each pair's bracketed frame.
    bracketed: Vec<Reading<f64>>,
    /// The timer's number of the first frame.
    first: u64,
}

impl Pairs {
    /// For `count` pairs whose frames the timer will number from `first` on.
    pub(crate) fn new(count: u64, first: u64, clock: Option<Clock>) -> Self {
        let none = || (0..count).map(|_| Reading::Missing(Reason::NotAvailable)).collect();
        Self { clock, stamped: none(), bracketed: none(), first }
    }

    /// Takes in what came back of a frame.
    pub(crate) fn stamps(&mut self, frame: &FrameStamps<'_>) {
        let Some(place) = frame.frame.checked_sub(self.first) else { return };
        let time = bracket_time(&frame.bracket, self.clock.as_ref());
        let side = if is_bracketed(place) { &mut self.bracketed } else { &mut self.stamped };
        if let Ok(pair) = usize::try_from(place / 2)
            && let Some(slot) = side.get_mut(pair)
        {
            *slot = time;
        }
    }

    /// The figures, by metric name.
    pub(crate) fn figures(&self) -> Vec<(&'static str, Reading<f64>)> {
        let difference = |(stamped, bracketed): (&Reading<f64>, &Reading<f64>)| {
            stamped.clone().zip(bracketed.clone()).map(|(stamped, bracketed)| stamped - bracketed)
        };
        let differences: Vec<Reading<f64>> =
            self.stamped.iter().zip(&self.bracketed).map(difference).collect();
        vec![
            (metric_names::STAMPED_GPU, median(&self.stamped)),
            (metric_names::BRACKET_GPU, median(&self.bracketed)),
            (metric_names::STAMP_GPU_PER_FRAME, median(&differences)),
        ]
    }
}

/// How the frame at `place` of the phase is stamped: `stamping` and the bracket in turn, and each second pair the other
/// way round, so that neither side is always the one that follows the other.
pub(crate) const fn stamping_at(place: u64, stamping: Stamping) -> Stamping {
    if is_bracketed(place) { Stamping::Bracket } else { stamping }
}

const fn is_bracketed(place: u64) -> bool {
    matches!(place % 4, 1 | 2)
}

/// The path's index that the frame at `place` draws: each pair its own, spread over the measured ones.
pub(crate) const fn index_at(place: u64, pairs: u64, frames: u64) -> u64 {
    let pair = place / 2;
    (pair * frames) / if pairs == 0 { 1 } else { pairs }
}

/// Time between the stamps of a frame's bracket in nanoseconds.
pub(crate) fn bracket_time(bracket: &Bracket, clock: Option<&Clock>) -> Reading<f64> {
    let Some(clock) = clock else { return Reading::Missing(Reason::Unsupported) };
    let time = || {
        let (start, end) = (bracket.start.clone().ok()?, bracket.end.clone().ok()?);
        clock.valid_bits.elapsed(start, end).map(|ticks| clock.period.nanos(ticks).0)
    };
    time().into()
}

/// The median of what was measured; if that is less than half, the first reason why not.
pub(crate) fn median(readings: &[Reading<f64>]) -> Reading<f64> {
    let mut values: Vec<f64> = readings.iter().filter_map(|reading| reading.measured().copied()).collect();
    if values.is_empty() || values.len() * 2 < readings.len() {
        let reason = readings.iter().find_map(Reading::missing).cloned();
        return Reading::Missing(reason.unwrap_or(Reason::NotExecuted));
    }
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    Reading::Measured(match values.len() % 2 {
        1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_alternate_which_side_comes_first_and_share_their_index() {
        let shown: String = (0..8)
            .map(
                |place| {
                    if stamping_at(place, Stamping::Attachments) == Stamping::Bracket { 'b' } else { 's' }
                },
            )
            .collect();
        assert_eq!(shown, "sbbssbbs");
        let indices: Vec<u64> = (0..8).map(|place| index_at(place, 4, 120)).collect();
        assert_eq!(indices, [0, 0, 30, 30, 60, 60, 90, 90]);
        assert_eq!(index_at(0, 0, 120), 0);
    }

    #[test]
    fn the_median_needs_half_of_the_readings() {
        let of = |values: &[Option<f64>]| {
            let readings: Vec<Reading<f64>> = values
                .iter()
                .map(|value| value.map_or(Reading::Missing(Reason::Zero), Reading::Measured))
                .collect();
            median(&readings)
        };
        assert_eq!(of(&[Some(3.0), Some(1.0), Some(2.0)]), Reading::Measured(2.0));
        assert_eq!(of(&[Some(3.0), None, Some(1.0), None]), Reading::Measured(2.0));
        assert_eq!(of(&[Some(3.0), None, None]), Reading::Missing(Reason::Zero));
        assert_eq!(of(&[]), Reading::Missing(Reason::NotExecuted));
    }
}
