//! Where runs and frames lie: the same placing and the same floor that the ledger is made of, for those who draw it. In: a
//! capture and a rule. Out: for each frame its runs and its own stretch, in ticks of the timeline that they are on.

use framecost_sample::{Capture, ClockId};

use super::Floor;
use super::floor::{Floors, Given};
use super::timeline::{self, Line, Run};

/// A run of a pass in its place. Only places of one timeline may be subtracted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunPlace {
    /// Index of its row in the capture's stamps.
    pub row: usize,
    /// Which timeline; a later row never stands on an earlier one.
    pub line: u32,
    /// Ticks from where that timeline's first recorded run began; below zero for what began earlier.
    pub start: i128,
    /// The same of its end.
    pub end: i128,
}

/// A stretch of one timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedSpan {
    /// Which timeline.
    pub line: u32,
    /// Where it begins, as a [`RunPlace`] counts.
    pub start: i128,
    /// Where it ends.
    pub end: i128,
}

/// What of the timelines belongs to a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FramePlaces {
    /// The frame's index on the path.
    pub frame: u64,
    /// Its runs with both stamps valid, in the order of recording.
    pub runs: Vec<RunPlace>,
    /// From its earliest start to its latest end, past the floor, on each timeline that it has runs on: where the frame has
    /// an account, these add up to its `owned`.
    pub owned: Vec<OwnedSpan>,
}

/// Places every frame on the clock and under the rule of [`super::account`].
#[must_use]
pub fn places(capture: &Capture, floor: &Floor) -> Vec<FramePlaces> {
    places_on(capture, floor, super::main_clock(capture))
}

fn places_on(capture: &Capture, floor: &Floor, clock: ClockId) -> Vec<FramePlaces> {
    let timeline = timeline::place(capture, clock);
    let mut floors = Floors::new(floor, capture);
    let of_frame = |(&frame, at): (&u64, &timeline::FrameRows)| {
        let rows = &timeline.rows[at.first..at.end];
        let given = if timeline.shared { floors.give(frame) } else { Given::Free };
        floors.note(frame, &capture.stamps[at.first..at.end], rows);
        let valid = rows.iter().zip(at.first..).filter_map(|(row, index)| Some((row.as_ref().ok()?, index)));
        let runs: Vec<RunPlace> = valid.map(|(run, row)| place(run, row)).collect();
        let owned = runs.chunk_by(|a, b| a.line == b.line).map(|runs| stretch(runs, given)).collect();
        FramePlaces { frame, runs, owned }
    };
    capture.frames.iter().zip(&timeline.frames).map(of_frame).collect()
}

fn place(run: &Run, row: usize) -> RunPlace {
    RunPlace { row, line: run.line, start: run.start, end: run.end }
}

/// The frame's own stretch of one timeline: no time at all where the floor lies past its end.
fn stretch(runs: &[RunPlace], floor: Given) -> OwnedSpan {
    let line: Line = runs[0].line;
    let start = runs.iter().map(|run| run.start).min().unwrap_or(0);
    let end = runs.iter().map(|run| run.end).max().unwrap_or(start);
    let cut = match floor {
        Given::At(moment) if moment.line == line => moment.at,
        Given::At(_) | Given::Free | Given::Unknown => start,
    };
    OwnedSpan { line, start: cut.clamp(start, end), end }
}
