//! The union of intervals. In: intervals that may overlap. Out: how much of a stretch they cover, each moment once.

/// Disjoint segments in ascending order, with running sums.
#[derive(Debug, Default)]
pub(super) struct Cover {
    segments: Vec<Segment>,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    start: u64,
    end: u64,
    /// Covered before `start`.
    before: u64,
}

impl Cover {
    /// The union of the intervals, each `start <= end`.
    pub(super) fn of(mut intervals: Vec<(u64, u64)>) -> Self {
        intervals.sort_unstable();
        let mut segments: Vec<Segment> = Vec::new();
        for (start, end) in intervals {
            match segments.last_mut() {
                Some(last) if start <= last.end => last.end = last.end.max(end),
                last => {
                    let before = last.map_or(0, |last| last.before + (last.end - last.start));
                    segments.push(Segment { start, end, before });
                }
            }
        }
        Self { segments }
    }

    /// How much of the time before `at` is covered.
    pub(super) fn before(&self, at: u64) -> u64 {
        let index = self.segments.partition_point(|segment| segment.start < at);
        match index.checked_sub(1).map(|last| self.segments[last]) {
            Some(last) => last.before + (at.min(last.end) - last.start),
            None => 0,
        }
    }

    /// How much of the time between `from` and `to` is covered; nothing where `to` lies before `from`.
    pub(super) fn between(&self, from: u64, to: u64) -> u64 {
        if to <= from { 0 } else { self.before(to) - self.before(from) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_under_several_intervals_count_once() {
        let cover = Cover::of(vec![(30, 40), (0, 10), (5, 12), (6, 7), (12, 13), (20, 20)]);
        assert_eq!(cover.before(u64::MAX), 23);
        assert_eq!(cover.before(0), 0);
        assert_eq!(cover.before(7), 7);
        assert_eq!(cover.between(10, 35), 8);
        assert_eq!(cover.between(35, 10), 0);
        assert_eq!(Cover::of(Vec::new()).before(9), 0);
    }

    #[test]
    fn the_largest_ticks_do_not_overflow() {
        let cover = Cover::of(vec![(0, u64::MAX), (1, u64::MAX)]);
        assert_eq!(cover.before(u64::MAX), u64::MAX);
    }
}
