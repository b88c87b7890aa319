//! Lanes for the timeline of a frame: what overlaps stands in different lanes. In: placed runs. Out: for each queue its
//! submissions and passes in as few lanes as there are things at once.

use framecost_sample::Clock;
use serde::Serialize;

use super::column;
use super::frames::Kept;
use super::placed::{self, PlacedFrame, PlacedRun};
use super::text::Text;
use crate::Analysis;

/// Runs of passes in one frame beyond which it is not drawn: nobody could read it, and a file may claim any number.
const MOST_IN_FRAME: usize = 500;
/// Runs of passes in all drawn frames; beyond, only the chosen ones are drawn.
const MOST: usize = 100_000;

/// The timelines of a run's frames. Most frames are alike in all but times, so that part stands once.
#[derive(Debug, Serialize)]
pub(super) struct Lanes {
    /// One step of the times, in nanoseconds.
    step: f64,
    shapes: Vec<Shape>,
    /// By place among the frames shown.
    frames: Vec<Option<Drawn>>,
    /// Why some frames have no timeline.
    note: Option<Text>,
}

/// What frames have in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Shape {
    groups: Vec<Group>,
    /// Each run: pass as the section lists them, submission, group, lane.
    rows: Vec<(usize, u32, usize, usize)>,
    /// Each submission: its number, group, lane.
    submissions: Vec<(u32, usize, usize)>,
}

/// Lanes of one queue on one timeline.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Group {
    queue: Text,
    line: usize,
    /// Lanes of submissions, then of passes.
    lanes: (usize, usize),
}

/// A frame: which shape, where its own time begins (0: at its first run), then per run the steps from the end of the run
/// before to its start, and from there to its end.
#[derive(Debug, Serialize)]
struct Drawn(usize, Option<i64>, Vec<i64>);

impl Lanes {
    /// The timelines of the kept frames; of the picked ones alone where all together were too many. `number` says which of
    /// the section's passes a pass is.
    pub(super) fn of(run: &Analysis, kept: &Kept, number: impl Fn(&str) -> Option<usize>) -> Option<Self> {
        let period = run.ledger.clock.as_ref().map(|clock: &Clock| clock.period)?;
        let placed = placed::frames(run);
        let of = |place: usize| placed.get(place).map_or(&[][..], |frame| &frame.runs);
        let all: usize = kept.places.iter().map(|&place| of(place).len()).sum();
        if all == 0 {
            return None;
        }
        let shown = |place: usize| all <= MOST || kept.picks.holds(place);
        let nanos = |run: &PlacedRun| period.nanos(run.end).0;
        let ends = kept.places.iter().filter(|place| shown(**place)).flat_map(|&place| of(place));
        let step = column::step(framecost_sample::Unit::Nanos, column::FINE, ends.map(nanos));
        let mut lanes = Self { step, shapes: Vec::new(), frames: Vec::new(), note: None };
        let numbers: Vec<usize> =
            run.capture.passes.iter().map(|pass| number(&pass.name)).collect::<Option<_>>()?;
        let mut crowded = 0u64;
        for &place in &kept.places {
            let frame = placed.get(place).filter(|frame| shown(place) && !frame.runs.is_empty());
            crowded += u64::from(frame.is_some_and(|frame| frame.runs.len() > MOST_IN_FRAME));
            let frame = frame.filter(|frame| frame.runs.len() <= MOST_IN_FRAME);
            let in_steps = |ticks| column::in_steps(period.nanos(ticks).0, step);
            let drawn = frame.map(|PlacedFrame { runs, floor }| {
                let floor = floor.map(in_steps);
                let mut times = Vec::with_capacity(runs.len() * 2);
                let mut before = 0;
                for run in runs {
                    let (start, end) = (in_steps(run.start), in_steps(run.end));
                    times.extend([start - before, end - start]);
                    before = end;
                }
                Drawn(lanes.shape(Shape::of(run, runs, &numbers)), floor, times)
            });
            lanes.frames.push(drawn);
        }
        lanes.note = note(all > MOST, crowded);
        Some(lanes)
    }

    fn shape(&mut self, shape: Shape) -> usize {
        // Frames beside each other are alike, so the search begins with what came last.
        self.shapes.iter().rposition(|known| *known == shape).unwrap_or_else(|| {
            self.shapes.push(shape);
            self.shapes.len() - 1
        })
    }
}

fn note(too_many: bool, crowded: u64) -> Option<Text> {
    let many = too_many.then(|| {
        format!("the frames shown hold more than {MOST} runs of passes: only the slowest, the median and the p95 frame have a timeline")
    });
    let crowd = (crowded > 0).then(|| {
        format!("{} of more than {MOST_IN_FRAME} runs of passes: not drawn", crate::counted(crowded, "frame"))
    });
    let notes: Vec<String> = many.into_iter().chain(crowd).collect();
    (!notes.is_empty()).then(|| Text::of(&notes.join("; ")))
}

impl Shape {
    /// Of runs sorted by line, queue and start.
    fn of(run: &Analysis, runs: &[PlacedRun], numbers: &[usize]) -> Self {
        let mut shape = Self { groups: Vec::new(), rows: Vec::new(), submissions: Vec::new() };
        for (group, runs) in runs.chunk_by(|a, b| (a.line, a.queue) == (b.line, b.queue)).enumerate() {
            let spans = spans(runs);
            let of_spans = assign(&spans.iter().map(|span| (span.1, span.2)).collect::<Vec<_>>());
            let of_runs = assign(&runs.iter().map(|run| (run.start.0, run.end.0)).collect::<Vec<_>>());
            let count = |lanes: &[usize]| lanes.iter().max().map_or(0, |most| most + 1);
            let Some(first) = runs.first() else { continue };
            let queue = run.capture.queues.get(usize::from(first.queue.0));
            shape.groups.push(Group {
                queue: Text::of(queue.map_or("", |queue| &queue.name)),
                line: first.line,
                lanes: (count(&of_spans), count(&of_runs)),
            });
            let rows = runs.iter().zip(of_runs);
            shape.rows.extend(rows.map(|(run, lane)| {
                let pass = numbers.get(usize::from(run.pass.0)).copied().unwrap_or_default();
                (pass, run.submission, group, lane)
            }));
            shape.submissions.extend(spans.iter().zip(of_spans).map(|(span, lane)| (span.0, group, lane)));
        }
        shape
    }
}

/// Each submission from its earliest start to its latest end, by start.
fn spans(runs: &[PlacedRun]) -> Vec<(u32, u64, u64)> {
    let mut spans: Vec<(u32, u64, u64)> =
        runs.iter().map(|run| (run.submission, run.start.0, run.end.0)).collect();
    spans.sort_unstable();
    spans.dedup_by(|next, span| {
        let same = next.0 == span.0;
        if same {
            span.2 = span.2.max(next.2);
        }
        same
    });
    spans.sort_by_key(|span| (span.1, span.2));
    spans
}

/// A lane for each stretch, given by start: the first lane that is free again. So no two stretches in a lane overlap, and
/// there are no more lanes than stretches at once (interval partitioning, Kleinberg and Tardos, "Algorithm Design", 4.1).
fn assign(stretches: &[(u64, u64)]) -> Vec<usize> {
    let mut ends: Vec<u64> = Vec::new();
    let lane = |(start, end): &(u64, u64)| {
        let free = ends.iter().position(|last| last <= start);
        let lane = free.unwrap_or(ends.len());
        match ends.get_mut(lane) {
            Some(last) => *last = *end,
            None => ends.push(*end),
        }
        lane
    };
    stretches.iter().map(lane).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_overlaps_stands_in_different_lanes() {
        assert_eq!(assign(&[(0, 10), (10, 20), (15, 30), (18, 19), (20, 40)]), [0, 0, 1, 2, 0]);
        assert_eq!(assign(&[]), Vec::<usize>::new());
    }

    proptest! {
        #[test]
        fn lanes_hold_no_overlap_and_are_as_few_as_can_be(
            mut stretches in prop::collection::vec((0u64..60, 0u64..30), 0..40),
        ) {
            for stretch in &mut stretches {
                stretch.1 += stretch.0;
            }
            stretches.sort_unstable();
            let lanes = assign(&stretches);
            let overlap = |a: (u64, u64), b: (u64, u64)| a.0 < b.1 && b.0 < a.1;
            for (i, (a, lane)) in stretches.iter().zip(&lanes).enumerate() {
                for (b, other) in stretches[..i].iter().zip(&lanes) {
                    prop_assert!(lane != other || !overlap(*a, *b), "{a:?} and {b:?} in lane {lane}");
                }
            }
            let at_once = |at: u64| stretches.iter().filter(|(start, end)| *start <= at && (at < *end || at == *start)).count();
            let most = stretches.iter().map(|(start, _)| at_once(*start)).max().unwrap_or(0);
            prop_assert!(lanes.iter().max().map_or(0, |lane| lane + 1) <= most);
        }
    }
}
