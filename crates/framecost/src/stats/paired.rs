//! Paired differences: the same frame in two runs. In: two runs' summaries. Out: per frame the one's value less the other's,
//! of `gpu_total`, of each gate and of each pass's duration. May be negative and is never clamped.

use std::collections::{BTreeSet, HashSet};

use framecost_sample::{Metric, Reading, Reason, metric_names as names};

use super::{FigureId, Origin, Series, Subject, Summaries, Summary};

/// What a switch adds to each frame, from one run with each of two of its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Paired {
    /// The frames that at least one of the two measured: the order of every row's values.
    pub frames: Vec<u64>,
    /// The difference of `gpu_total` first, as the metric `difference` of the switch; then those of gates and passes.
    pub rows: Vec<PairedRow>,
}

/// One figure's differences.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedRow {
    /// The figure that both runs have.
    pub of: FigureId,
    /// The differences: a value where both runs have one, else the reason of the one that has none.
    pub difference: Summary,
    /// Frames that only one of the two has a value for.
    pub alone: u64,
}

impl Paired {
    /// `more` less `less`, frame by frame: the same index is the same work. Only `among` the given frames, where some are given.
    #[must_use]
    pub fn of(switch: &str, more: &Summaries, less: &Summaries, among: Option<&BTreeSet<u64>>) -> Self {
        let all: BTreeSet<u64> = more.frames.iter().chain(&less.frames).copied().collect();
        let frames: Vec<u64> = match among {
            Some(among) => all.intersection(among).copied().collect(),
            None => all.into_iter().collect(),
        };
        let mut seen = HashSet::new();
        let rows = more.rows.iter().chain(&less.rows).filter(|row| is_paired(row) && seen.insert(row.id()));
        let rows = rows.map(|row| {
            let sides = [more, less].map(|of| Side { frames: &of.frames, row: of.find(&row.id()) });
            paired_row(switch, row, &sides, &frames)
        });
        Self { rows: rows.collect(), frames }
    }

    /// The difference of `gpu_total`; none where neither run has stamps.
    #[must_use]
    pub fn total(&self) -> Option<&Summary> {
        let total = self.rows.iter().find(|row| row.of.metric == names::GPU_TOTAL)?;
        Some(&total.difference)
    }

    /// The differences of that figure.
    #[must_use]
    pub fn find(&self, of: &FigureId) -> Option<&PairedRow> {
        self.rows.iter().find(|row| row.of == *of)
    }
}

fn is_paired(row: &Summary) -> bool {
    matches!(row.metric.name.as_str(), names::GPU_TOTAL | names::GATE | names::DURATION)
        && row.origin == Origin::Stamps
}

/// One run's part of a row.
struct Side<'a> {
    frames: &'a [u64],
    row: Option<&'a Summary>,
}

impl Side<'_> {
    /// The measured values, by frame, ascending.
    fn measured(&self) -> impl Iterator<Item = (u64, f64)> {
        let values = self.row.into_iter().flat_map(|row| row.values.measured());
        values.filter_map(|(place, value)| Some((*self.frames.get(place)?, value)))
    }

    fn why_missing(&self, frame: u64) -> Reason {
        let place = self.frames.binary_search(&frame).ok();
        let reading = place.and_then(|place| self.row?.values.get(place));
        reading.and_then(|reading| reading.missing().cloned()).unwrap_or(Reason::NotAvailable)
    }
}

fn paired_row(switch: &str, row: &Summary, [more, less]: &[Side<'_>; 2], frames: &[u64]) -> PairedRow {
    // Where neither has a value, the reason that most frames of the two give stands for it: captures may be sparse.
    let reason = [more, less].into_iter().find_map(|side| side.row.and_then(Summary::main_reason));
    let mut values = Series::new(frames.len(), reason.cloned().unwrap_or(Reason::NotAvailable));
    let mut alone = 0;
    let (mut mores, mut lesses) = (more.measured().peekable(), less.measured().peekable());
    for (place, &frame) in frames.iter().enumerate() {
        while mores.next_if(|(at, _)| *at < frame).is_some() {}
        while lesses.next_if(|(at, _)| *at < frame).is_some() {}
        let a = mores.next_if(|(at, _)| *at == frame).map(|(_, value)| value);
        let b = lesses.next_if(|(at, _)| *at == frame).map(|(_, value)| value);
        let reading = match (a, b) {
            (Some(a), Some(b)) => Reading::Measured(a - b),
            (None, Some(_)) => Reading::Missing(more.why_missing(frame)),
            (Some(_), None) => Reading::Missing(less.why_missing(frame)),
            (None, None) => continue,
        };
        alone += u64::from(reading.missing().is_some());
        values.push(place, reading);
    }
    let total = Metric::built_in(names::DIFFERENCE).filter(|_| row.metric.name == names::GPU_TOTAL);
    let (metric, subject) = match total {
        Some(metric) => (metric, Subject::Switch(switch.to_owned())),
        None => (row.metric.clone(), row.subject.clone()),
    };
    PairedRow { of: row.id(), difference: Summary::new(metric, subject, Origin::Stamps, values), alone }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::summarize;
    use crate::stats::testing::{capture, frame, ledger};
    use framecost_sample::Capture;
    use proptest::prelude::*;

    /// Frames by index, each with the ticks of its one pass; none where the stamps were lost.
    fn run(frames: &[(u64, Option<u64>)]) -> Summaries {
        let mut parts = capture(&["a"], 0).into_parts();
        parts.frames = frames.iter().map(|(index, _)| *index).collect();
        parts.counts.measured = frames.len() as u64;
        let of = |&(index, ticks): &(u64, Option<u64>)| match ticks {
            Some(ticks) => frame(index, Some((ticks, 0, 0)), &[Ok(ticks)]),
            None => frame(index, None, &[Err(Reason::Stale)]),
        };
        summarize(&Capture::new(parts).unwrap(), &ledger(frames.iter().map(of).collect()))
    }

    /// The differences of `gpu_total` by frame in ticks of 500/3 ns, and how many frames stand alone.
    fn check(more: &[(u64, Option<u64>)], less: &[(u64, Option<u64>)], expected: &[(u64, f64)], alone: u64) {
        let paired = Paired::of("rays", &run(more), &run(less), None);
        let row = &paired.rows[0];
        let ticks = |value: f64| (value * 3.0 / 500.0 * 1e6).round() / 1e6;
        let found: Vec<(u64, f64)> = row
            .difference
            .values
            .measured()
            .map(|(place, value)| (paired.frames[place], ticks(value)))
            .collect();
        assert_eq!((found.as_slice(), row.alone), (expected, alone), "{more:?} less {less:?}");
    }

    #[test]
    fn frames_are_paired_by_their_index_and_may_lie_below_zero() {
        check(&[(0, Some(30)), (1, Some(10))], &[(0, Some(12)), (1, Some(22))], &[(0, 18.0), (1, -12.0)], 0);
        check(&[(7, Some(5))], &[(3, Some(1)), (7, Some(5))], &[(7, 0.0)], 1);
        check(&[(0, Some(3)), (1, Some(4))], &[(1, None), (2, Some(1))], &[], 3);
        check(&[(0, None)], &[(0, None)], &[], 0);
        check(&[], &[], &[], 0);
    }

    #[test]
    fn what_has_no_partner_keeps_the_reason_of_the_side_that_lacks_it() {
        let paired = Paired::of("rays", &run(&[(0, Some(3)), (1, Some(1))]), &run(&[(0, None)]), None);
        let duration = FigureId { metric: names::DURATION.into(), subject: Subject::Pass("a".into()) };
        let row = paired.find(&duration).unwrap();
        assert_eq!(row.difference.values.get(0), Some(Reading::Missing(Reason::Stale)));
        assert_eq!(row.difference.values.get(1), Some(Reading::Missing(Reason::NotAvailable)));
        assert_eq!((row.alone, row.difference.stats), (2, None));
    }

    #[test]
    fn the_total_is_a_figure_of_the_switch_and_gates_and_passes_stay_their_own() {
        let one = run(&[(0, Some(3))]);
        let paired = Paired::of("rays", &one, &one, None);
        let names: Vec<String> = paired.rows.iter().map(|row| row.difference.id().to_string()).collect();
        assert_eq!(names, ["difference/rays", "duration/a", "gate/all"]);
        assert_eq!(paired.total().map(|row| row.n()), Some(1));
    }

    proptest! {
        #[test]
        fn the_other_way_round_every_difference_changes_its_sign(
            a in prop::collection::btree_map(0u64..30, prop::option::of(0u64..1000), 0..20),
            b in prop::collection::btree_map(0u64..30, prop::option::of(0u64..1000), 0..20),
            among in prop::option::of(prop::collection::btree_set(0u64..30, 0..30)),
        ) {
            let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
            let (there, back) = (run(&a), run(&b));
            let forth = Paired::of("x", &there, &back, among.as_ref());
            let back = Paired::of("x", &back, &there, among.as_ref());
            prop_assert_eq!(&forth.frames, &back.frames);
            for (one, other) in forth.rows.iter().zip(&back.rows) {
                let negated: Vec<_> = other.difference.values.measured().map(|(at, value)| (at, -value)).collect();
                prop_assert_eq!(one.difference.values.measured().collect::<Vec<_>>(), negated);
                prop_assert_eq!(one.alone, other.alone);
                let most = forth.frames.len() as u64;
                prop_assert!(one.difference.n() + one.alone <= most);
            }
        }
    }
}
