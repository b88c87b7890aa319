//! Which frames of a run the page shows one by one. In: a run. Out: their places, and the rule by which others are left out.

use serde::Serialize;

use super::text::Text;
use crate::Analysis;
use crate::stats::Summary;

/// Frames up to which every one is shown.
const ALL: usize = 4_000;
/// Stretches of neighbouring frames that a longer run is cut into.
const STRETCHES: usize = 2_000;

/// The frames shown, by their places in [`crate::stats::Summaries::frames`], ascending.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kept {
    pub(super) places: Vec<usize>,
    pub(super) picks: Picks,
    /// By which rule frames are left out; none where none is.
    pub(super) rule: Option<String>,
}

/// Frames worth a look, by place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Picks {
    slowest: Option<usize>,
    median: Option<usize>,
    p95: Option<usize>,
}

/// Frame numbers as the page carries them.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Frames {
    /// One after the other.
    Range { first: u64, n: usize },
    /// Any others.
    List { list: Vec<u64> },
}

/// The picks as the page carries them: places among the frames shown.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    slowest: Option<usize>,
    median: Option<usize>,
    p95: Option<usize>,
}

impl Kept {
    /// The frames of a run, chosen by the figure that says how slow they are.
    pub(super) fn of(run: &Analysis, slow: Option<&Summary>) -> Self {
        let frames = run.summaries.frames.len();
        let values: Vec<(usize, f64)> = slow.map_or_else(Vec::new, |row| row.values.measured().collect());
        let picks = Picks::of(slow, &values);
        if frames <= ALL {
            return Self { places: (0..frames).collect(), picks, rule: None };
        }
        let mut places = extremes(frames, &values);
        places.extend([picks.slowest, picks.median, picks.p95].into_iter().flatten());
        places.sort_unstable();
        places.dedup();
        let rule = format!(
            "{} of {frames} frames are drawn: of each {} neighbours the fastest, the slowest and the first without a value; \
             statistics and distributions are of all",
            places.len(),
            frames.div_ceil(STRETCHES)
        );
        Self { places, picks, rule: Some(rule) }
    }

    /// The numbers of the frames shown.
    pub(super) fn frames(&self, run: &Analysis) -> Frames {
        let frames = &run.summaries.frames;
        let list: Vec<u64> = self.places.iter().filter_map(|&place| frames.get(place).copied()).collect();
        match list.first() {
            Some(&first) if list.iter().zip(first..).all(|(frame, next)| *frame == next) => {
                Frames::Range { first, n: list.len() }
            }
            _ => Frames::List { list },
        }
    }

    /// The picks as places among the frames shown.
    pub(super) fn shown(&self) -> Shown {
        let of = |place: Option<usize>| place.and_then(|place| self.places.binary_search(&place).ok());
        Shown { slowest: of(self.picks.slowest), median: of(self.picks.median), p95: of(self.picks.p95) }
    }
}

/// Of each stretch of neighbours the fastest, the slowest, and the first without a value.
fn extremes(frames: usize, values: &[(usize, f64)]) -> Vec<usize> {
    let stretch = frames.div_ceil(STRETCHES);
    let (mut places, mut rest) = (Vec::new(), values);
    for first in (0..frames).step_by(stretch) {
        let end = (first + stretch).min(frames);
        let (here, later) = rest.split_at(rest.partition_point(|(place, _)| *place < end));
        rest = later;
        let fastest = here.iter().min_by(|a, b| a.1.total_cmp(&b.1));
        let slowest = here.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        places.extend([fastest, slowest].into_iter().flatten().map(|(place, _)| *place));
        let missing = (first..end).find(|place| here.binary_search_by_key(place, |it| it.0).is_err());
        places.extend(missing);
    }
    places
}

impl Picks {
    /// The slowest frame, and those nearest to the median and to p95; the first of equals.
    fn of(slow: Option<&Summary>, values: &[(usize, f64)]) -> Self {
        let stats = slow.and_then(|row| row.stats);
        let nearest = |to: f64| {
            let by_distance =
                |a: &&(usize, f64), b: &&(usize, f64)| (a.1 - to).abs().total_cmp(&(b.1 - to).abs());
            values.iter().min_by(by_distance).map(|(place, _)| *place)
        };
        Self {
            slowest: stats.and_then(|stats| nearest(stats.max)),
            median: stats.and_then(|stats| nearest(stats.median)),
            p95: stats.and_then(|stats| nearest(stats.p95.value()?)),
        }
    }

    /// Whether a place is among them.
    pub(super) fn holds(&self, place: usize) -> bool {
        [self.slowest, self.median, self.p95].contains(&Some(place))
    }
}

/// The rule of a run as the page carries it.
pub(super) fn rule(kept: &Kept) -> Option<Text> {
    kept.rule.as_deref().map(Text::of)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_and_gaps_survive_where_frames_are_left_out() {
        let frames = 10_000;
        let value = |place: usize| if place == 7_123 { 99.0 } else { (place % 7) as f64 };
        let values: Vec<(usize, f64)> =
            (0..frames).filter(|place| *place != 4_321).map(|place| (place, value(place))).collect();
        let places = extremes(frames, &values);
        assert!(places.contains(&7_123), "the slowest frame of all");
        assert!(places.contains(&4_321), "the one without a value");
        assert!(places.len() <= 2 * STRETCHES + 1, "{}", places.len());
    }
}
