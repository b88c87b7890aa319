//! Places where the clock moves on by far more than a frame took: rows are missing there, or nothing was presented. In: a stream's
//! row times and frame times. Out: how many such places, the time that they hold, the first one's row.

use super::log::{Basis, Cell, Cells};

/// The part of a frame's time by which the elapsed time must be longer. A row that is missing leaves about a whole frame, and none
/// leaves nothing, so that the middle tells the two apart best. Our own choice.
const FAR: f64 = 0.5;
/// Steps in which tools write times, in nanoseconds, from the coarsest.
const STEPS: [f64; 7] = [1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3];

/// The jumps of a stream's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Jumps {
    /// How many there are.
    pub(super) places: u64,
    /// The time in them that no frame took, in nanoseconds.
    pub(super) nanos: f64,
    /// The row behind the first.
    pub(super) first: usize,
}

impl Jumps {
    /// Those of a stream whose rows stand in the order of time. `nanos` are the nanoseconds of one unit of the time column and of
    /// the interval column. A row without a time or a frame time tells nothing.
    pub(super) fn of(times: &Cells, intervals: &Cells, basis: Basis, nanos: (f64, f64)) -> Self {
        if has_none(times, intervals, basis, nanos) {
            return Self::default();
        }
        let value = |cells: &Cells, row: usize| cells.get(row).and_then(Cell::value);
        // Both times and the frame's are rounded: that much may be between them and nothing be missing.
        let rounding = step(times, nanos.0) + step(intervals, nanos.1);
        let beyond = |row: usize| {
            let before = row.checked_sub(1)?;
            let elapsed = (value(times, row)? - value(times, before)?) * nanos.0;
            let frame = value(intervals, if basis.looks_back { row } else { before })? * nanos.1;
            (frame > 0.0).then_some((elapsed - frame, frame))
        };
        // A stamp that is late makes one step too long and the next as much too short: nothing is missing there.
        let early = |row: usize| beyond(row).map_or(0.0, |(beyond, _)| beyond.min(0.0));
        let mut jumps = Self::default();
        for row in 1..times.len() {
            let Some((most, frame)) = beyond(row) else { continue };
            let enough = rounding.max(FAR * frame);
            if most <= enough {
                continue;
            }
            let held = most + early(row - 1) + early(row + 1);
            if held > enough {
                if jumps.places == 0 {
                    jumps.first = row;
                }
                jumps.places += 1;
                jumps.nanos += held;
            }
        }
        jumps
    }
}

/// Whether it is plain to see that there is none: no step is longer than its frame by enough, however times are rounded. Most logs
/// are such, and this never branches.
fn has_none(times: &Cells, intervals: &Cells, basis: Basis, nanos: (f64, f64)) -> bool {
    let (Some(times), Some(intervals)) = (times.plain(), intervals.plain()) else { return false };
    let frames = intervals.get(usize::from(basis.looks_back)..).unwrap_or_default();
    let far = |(step, frame): (&[f64], &f64)| {
        let (elapsed, frame) = ((step[1] - step[0]) * nanos.0, frame * nanos.1);
        (frame > 0.0) & (elapsed - frame > FAR * frame)
    };
    !times.windows(2).zip(frames).fold(false, |any, step| any | far(step))
}

/// The coarsest step that all values are whole numbers of; 0 where they are finer.
fn step(cells: &Cells, nanos: f64) -> f64 {
    let mut steps = STEPS.iter();
    let mut step = steps.next();
    for value in cells.iter().filter_map(Cell::value) {
        // A decimal fraction is none in binary, so that a whole number of steps is seldom one to the last bit.
        let is_whole = |step: &f64| {
            let steps = value * nanos / step;
            (steps.round() - steps).abs() < (0.25 / step).max(1e-6)
        };
        while step.is_some_and(|step| !is_whole(step)) {
            step = steps.next();
        }
        if step.is_none() {
            break;
        }
    }
    step.copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASIS: Basis = Basis { time: Some(0), interval: Some(1), looks_back: true };

    fn cells(values: impl IntoIterator<Item = f64>) -> Cells {
        let mut cells = Cells::default();
        values.into_iter().for_each(|value| cells.push(Cell::Value(value)));
        cells
    }

    /// Frames of 16 to 17 ms, of which those that `kept` says are in the file, with `late` added to a row's time; all in
    /// milliseconds, written with so many digits behind the point.
    fn jumps(kept: impl Fn(usize) -> bool, late: impl Fn(usize) -> f64, digits: i32) -> Jumps {
        let (mut at, mut times, mut frames) = (0.0, Vec::new(), Vec::new());
        let scale = 10f64.powi(digits);
        let written = |value: f64| (value * scale).round() / scale;
        for i in 0..1000 {
            let frame = 16.0 + f64::from(u8::try_from(i % 7).unwrap()) / 7.0;
            at += frame;
            if kept(i) {
                times.push(written(at + late(i)));
                frames.push(written(frame));
            }
        }
        Jumps::of(&cells(times), &cells(frames), BASIS, (1e6, 1e6))
    }

    #[test]
    fn each_missing_row_is_a_place_that_holds_its_time() {
        for digits in [6, 1, 0] {
            let found = jumps(|i| i % 10 != 5, |_| 0.0, digits);
            assert_eq!((found.places, found.first), (100, 5), "{digits} digits: {found:?}");
            assert!((1600e6..1700e6).contains(&found.nanos), "{found:?}");
        }
        let long = jumps(|i| !(300..400).contains(&i), |_| 0.0, 3);
        assert_eq!((long.places, long.first), (1, 300), "{long:?}");
        assert!((1600e6..1700e6).contains(&long.nanos), "{long:?}");
    }

    #[test]
    fn rounding_late_stamps_and_long_frames_are_none() {
        for digits in [6, 1, 0] {
            assert_eq!(jumps(|_| true, |_| 0.0, digits), Jumps::default(), "{digits} digits");
            let late = |i: usize| if i % 50 == 3 { 12.0 } else { 0.0 };
            assert_eq!(jumps(|_| true, late, digits), Jumps::default(), "{digits} digits, late stamps");
        }
        let stutter = Jumps::of(
            &cells([0.0, 16.0, 516.0, 532.0]),
            &cells([16.0, 16.0, 500.0, 16.0]),
            BASIS,
            (1e6, 1e6),
        );
        assert_eq!(stutter, Jumps::default());
    }

    #[test]
    fn frame_times_that_look_forward_are_held_against_the_step_that_they_lead_over() {
        let basis = Basis { looks_back: false, ..BASIS };
        let found =
            Jumps::of(&cells([0.0, 16.0, 56.0, 72.0]), &cells([16.0, 20.0, 16.0, 9.0]), basis, (1e6, 1e6));
        assert_eq!((found.places, found.first), (1, 2));
        assert!((found.nanos - 20e6).abs() < 1.0, "{found:?}");
    }

    #[test]
    fn values_are_whole_numbers_of_their_step() {
        for (values, expected) in
            [(vec![0.5, 1.25], 1e7), (vec![1.001, 2.016, 1234.5], 1e6), (vec![1.001_000_1, 2.0], 0.0)]
        {
            let found = step(&cells(values.clone()), 1e9);
            assert!((found - expected).abs() < 1.0, "{values:?}: {found}");
        }
    }
}
