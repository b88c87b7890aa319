//! Two variants frame by frame in turn: A B, B A, A B. In: the two runs, and scenes kept from the repeat before. Out: a capture
//! of each, whose frames are proven to lie beside the other's and never over them.
//!
//! Each variant has its own scene, timer and capture. wgpu's queue promises that a submission is finished before the next one
//! begins (`wgpu_hal::Queue::submit`), so that between the first and the last stamp of a frame of A nothing of B runs, however
//! many frames are in flight. The stamps are held against that promise all the same: frames that overlap are an error.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use framecost_sample::{Capture, Clock, Pairing, Reading, Reason, Sharing, Side, Stamp, Ticks};

use crate::calibration::Pairs;
use crate::course::{Before, Course, Flight, Halt, Left, OneRun, facts_now};
use crate::recorder::Recorder;
use crate::{Event, Observer, Phase, RunError};

/// One repeat of two variants.
pub(crate) struct Turns<'a> {
    /// By slot: the first is loaded first, and draws first in frames 0, 2, 4.
    pub(crate) runs: [OneRun<'a>; 2],
    /// By slot: which variant, 0 or 1.
    pub(crate) sides: [usize; 2],
    /// What this set of repeats has and no other.
    pub(crate) id: &'a str,
    pub(crate) repeat: u32,
}

/// Scenes of the repeat before, by slot: since variants change slots, each scene is the other variant next.
#[derive(Default)]
pub(crate) struct Kept([Option<Course>; 2]);

/// Which slot draws in that place of the frame of that index.
const fn slot_at(index: u64, place: usize) -> usize {
    if index.is_multiple_of(2) { place } else { 1 - place }
}

impl Turns<'_> {
    /// A text that two sets of repeats do not share.
    pub(crate) fn identity() -> String {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        format!("{:016x}", crate::stable_hash(format!("{since:?} {}", std::process::id()).as_bytes()))
    }

    /// The captures by slot.
    pub(crate) fn go(
        &self,
        kept: &mut Kept,
        opening: Option<Duration>,
        observer: &mut dyn Observer,
    ) -> Result<[Capture; 2], Halt> {
        let OneRun { gpu, plan, .. } = self.runs[0];
        let before = Before::now(gpu, plan);
        let flight = &mut Flight::new(plan.frames_in_flight);
        observer.event(&Event::Phase { phase: Phase::StartUp, frames: 2 });
        let (first, first_start) = self.take_up(0, kept, flight, opening, observer)?;
        let (second, second_start) = self.take_up(1, kept, flight, None, observer)?;
        let mut courses = [first, second];
        let [one_pairs, other_pairs] = self.before_what_counts(&mut courses, flight, observer)?;
        let [one, other] = self.measure(&mut courses, flight, observer)?;
        self.check([one.raw(), other.raw()], courses[0].clock().as_ref())?;
        let after = facts_now(gpu, plan);
        let left = |slot, recorder, pairs, start_up| {
            let facts = self.facts(slot);
            Left { recorder, start_up, pairs, facts }
        };
        let one = left(0, one, one_pairs, first_start);
        let other = left(1, other, other_pairs, second_start);
        let captures = [
            self.runs[0].capture(&mut courses[0], one, &before, &after)?,
            self.runs[1].capture(&mut courses[1], other, &before, &after)?,
        ];
        if plan.reuse {
            kept.0 = courses.map(Some);
        }
        Ok(captures)
    }

    fn facts(&self, slot: usize) -> Vec<(String, String)> {
        let side = if self.sides[slot] == 0 { Side::A } else { Side::B };
        let pair = format!("{}/{}", self.id, self.repeat + 1);
        let facts = Pairing { pair, side, first: slot == 0 }.facts();
        facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// The scene of a slot: the one kept from the repeat before where it can be set up anew, else a new one.
    fn take_up(
        &self,
        slot: usize,
        kept: &mut Kept,
        flight: &mut Flight,
        opening: Option<Duration>,
        observer: &mut dyn Observer,
    ) -> Result<(Course, Reading<f64>), Halt> {
        let run = &self.runs[slot];
        let mut old = kept.0[slot].take();
        let again = match &mut old {
            Some(course) => run.again(course, flight, observer)?,
            None => false,
        };
        let taken = match old.filter(|_| again) {
            Some(course) => (course, Reading::Missing(Reason::NotExecuted)),
            None => run.start_up(flight, opening, observer)?,
        };
        observer.event(&Event::Frame { phase: Phase::StartUp, done: slot as u64 + 1 });
        Ok(taken)
    }

    /// Warm-up in turns, then what stamping costs, one after the other.
    fn before_what_counts(
        &self,
        courses: &mut [Course; 2],
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<[Pairs; 2], Halt> {
        let warm_up = self.runs[0].plan.warm_up;
        observer.event(&Event::Phase { phase: Phase::WarmUp, frames: 2 * warm_up });
        for index in 0..warm_up {
            for place in 0..2 {
                let slot = slot_at(index, place);
                self.runs[slot].warm_up_frame(&mut courses[slot], flight, observer)?;
                observer.event(&Event::Frame { phase: Phase::WarmUp, done: 2 * index + place as u64 + 1 });
            }
        }
        let each = 2 * self.runs[0].pairs();
        observer.event(&Event::Phase { phase: Phase::Calibration, frames: 2 * each });
        let [first, second] = courses;
        self.runs[0].settle(first, &mut |_| ())?;
        self.runs[1].settle(second, &mut |_| ())?;
        let pairs = [
            self.runs[0].calibrate(first, flight, observer, 0)?,
            self.runs[1].calibrate(second, flight, observer, each)?,
        ];
        // As in any run: what was odd before the measured frames is odd in them too, or of no importance.
        first.timer.take_oddities();
        second.timer.take_oddities();
        Ok(pairs)
    }

    fn measure(
        &self,
        courses: &mut [Course; 2],
        flight: &mut Flight,
        observer: &mut dyn Observer,
    ) -> Result<[Recorder; 2], Halt> {
        let frames = self.runs[0].frames();
        observer.event(&Event::Phase { phase: Phase::Measured, frames: 2 * frames });
        let mut recorders = [self.runs[0].recorder(&courses[0]), self.runs[1].recorder(&courses[1])];
        for index in 0..frames {
            for place in 0..2 {
                let slot = slot_at(index, place);
                let (course, recorder) = (&mut courses[slot], &mut recorders[slot]);
                self.runs[slot].measured(course, flight, recorder, observer, index)?;
                observer.event(&Event::Frame { phase: Phase::Measured, done: 2 * index + place as u64 + 1 });
            }
        }
        for slot in 0..2 {
            self.runs[slot].finish(&mut courses[slot], &mut recorders[slot])?;
        }
        Ok(recorders)
    }

    /// Frames must lie one behind the other wherever their stamps share a timeline: else a moment would be counted twice.
    fn check(&self, stamps: [&[Stamp]; 2], clock: Option<&Clock>) -> Result<(), RunError> {
        let Some(clock) = clock.filter(|clock| matches!(clock.sharing, Sharing::AcrossSubmissions { .. }))
        else {
            return Ok(());
        };
        overlap(stamps, clock).map_or(Ok(()), |(frame, ticks)| {
            Err(RunError::Overlap { scene: self.runs[0].info.name.clone(), frame, ticks: ticks.0 })
        })
    }
}

/// The first frame that begins before the frame drawn before it has ended, and by how many ticks.
fn overlap(stamps: [&[Stamp]; 2], clock: &Clock) -> Option<(u64, Ticks)> {
    let mut frames = stamps.map(|rows| rows.chunk_by(|a, b| a.frame == b.frame).peekable());
    let mut end: Option<Ticks> = None;
    loop {
        let next = frames.each_mut().map(|rows| rows.peek().map(|rows| rows[0].frame));
        let index = next.into_iter().flatten().min()?;
        for slot in [0, 1].map(|place| slot_at(index, place)) {
            let Some(rows) = frames[slot].next_if(|rows| rows[0].frame == index) else { continue };
            let Some((start, latest)) = span(rows, clock) else { continue };
            let gap = end.map_or(0, |end| clock.valid_bits.offset(end, start));
            if gap < 0 {
                return Some((index, Ticks(gap.unsigned_abs())));
            }
            end = Some(latest);
        }
    }
}

/// The earliest start and the latest end of a frame's passes.
fn span(rows: &[Stamp], clock: &Clock) -> Option<(Ticks, Ticks)> {
    let later = |a: Ticks, b: Ticks| clock.valid_bits.offset(a, b) > 0;
    let starts = rows.iter().filter_map(|row| row.start.measured().copied());
    let ends = rows.iter().filter_map(|row| row.end.measured().copied());
    let start = starts.reduce(|a, b| if later(a, b) { a } else { b })?;
    let end = ends.reduce(|a, b| if later(a, b) { b } else { a })?;
    Some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use framecost_sample::{PassId, Period, QueueId, ValidBits};

    fn clock(bits: u64) -> Clock {
        Clock {
            name: "gpu".into(),
            period: Period::NANOSECOND,
            valid_bits: ValidBits::new(bits).unwrap(),
            step: Reading::Measured(Ticks(1)),
            sharing: Sharing::AcrossSubmissions { promise: "made for a test".into() },
        }
    }

    /// Frames from 0 on, each with the ticks of its one pass; none where they were lost.
    fn rows(frames: &[Option<(u64, u64)>]) -> Vec<Stamp> {
        let reading = |tick: Option<u64>| {
            tick.map_or(Reading::Missing(Reason::Stale), |it| Reading::Measured(Ticks(it)))
        };
        let row = |(frame, ticks): (usize, &Option<(u64, u64)>)| Stamp {
            frame: frame as u64,
            submission: 0,
            queue: QueueId(0),
            pass: PassId(0),
            start: reading(ticks.map(|it| it.0)),
            end: reading(ticks.map(|it| it.1)),
        };
        frames.iter().enumerate().map(row).collect()
    }

    fn found(first: &[Option<(u64, u64)>], second: &[Option<(u64, u64)>]) -> Option<(u64, u64)> {
        overlap([&rows(first), &rows(second)], &clock(64)).map(|(frame, ticks)| (frame, ticks.0))
    }

    #[test]
    fn who_draws_first_changes_from_frame_to_frame() {
        let order: Vec<usize> = (0..4).flat_map(|index| [0, 1].map(|place| slot_at(index, place))).collect();
        assert_eq!(order, [0, 1, 1, 0, 0, 1, 1, 0]);
        // Each follows itself as often as it follows the other.
        let after = |slot| order.windows(2).filter(|pair| pair[1] == slot && pair[0] == slot).count();
        assert_eq!((after(0), after(1)), (1, 2));
    }

    #[test]
    fn frames_in_a_row_are_no_overlap_and_lost_ones_are_passed_over() {
        assert_eq!(found(&[Some((0, 10)), Some((30, 40))], &[Some((10, 20)), Some((20, 30))]), None);
        assert_eq!(found(&[Some((0, 10)), None], &[None, Some((20, 30))]), None);
        assert_eq!(found(&[], &[]), None);
    }

    #[test]
    fn a_frame_over_another_is_found_whichever_draws_first() {
        // Frame 0: first, then second. Frame 1: second, then first.
        assert_eq!(found(&[Some((0, 10)), Some((30, 40))], &[Some((7, 20)), Some((20, 30))]), Some((0, 3)));
        assert_eq!(found(&[Some((0, 10)), Some((25, 40))], &[Some((10, 20)), Some((20, 30))]), Some((1, 5)));
        assert_eq!(found(&[Some((0, 10))], &[None, Some((9, 30))]), Some((1, 1)));
    }

    #[test]
    fn a_wrap_between_two_frames_is_no_overlap() {
        let most = (1 << 36) - 1;
        let of = |start| {
            overlap([&rows(&[Some((most - 9, most))]), &rows(&[Some((start, start + 10))])], &clock(36))
        };
        assert_eq!(of(3), None);
        assert_eq!(of(most - 2), Some((0, Ticks(2))));
    }
}
