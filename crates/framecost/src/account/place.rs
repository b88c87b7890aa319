//! Where each run of a pass lies on its frame's timeline, for drawing. In: a capture. Out: per frame its valid runs, on the
//! very timelines that the accounting used, so that no view places a stamp by another rule.

use framecost_sample::{Capture, PassId, QueueId, Ticks};

use super::{main_clock, timeline};

/// A run of a pass in its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedRun {
    /// The pass.
    pub pass: PassId,
    /// Which of the frame's submissions.
    pub submission: u32,
    /// The queue that the submission went to.
    pub queue: QueueId,
    /// Which of the frame's timelines, counted from 0: between two of them no time is known.
    pub line: usize,
    /// Ticks from the earliest start on that timeline in the frame to this run's start.
    pub start: Ticks,
    /// The same to its end.
    pub end: Ticks,
}

/// The valid runs of every frame, in the order of recording, on the clock that [`super::account`] takes. A frame whose runs
/// spread beyond 64 bits of ticks has none: its account is missing too.
#[must_use]
pub fn place_runs(capture: &Capture) -> Vec<Vec<PlacedRun>> {
    let placed = timeline::place(capture, main_clock(capture));
    let of_frame = |at: &timeline::FrameRows| {
        let rows = capture.stamps[at.first..at.end].iter().zip(&placed.rows[at.first..at.end]);
        let runs: Vec<(QueueId, timeline::Run)> =
            rows.filter_map(|(stamp, row)| Some((stamp.queue, *row.as_ref().ok()?))).collect();
        local(&runs).unwrap_or_default()
    };
    placed.frames.iter().map(of_frame).collect()
}

fn local(runs: &[(QueueId, timeline::Run)]) -> Option<Vec<PlacedRun>> {
    let mut lines: Vec<(timeline::Line, i128)> = Vec::new();
    for (_, run) in runs {
        // A later row never stands on an earlier line.
        match lines.last_mut().filter(|(line, _)| *line == run.line) {
            Some((_, origin)) => *origin = run.start.min(*origin),
            None => lines.push((run.line, run.start)),
        }
    }
    let place = |(queue, run): &(QueueId, timeline::Run)| {
        let line = lines.binary_search_by_key(&run.line, |(line, _)| *line).ok()?;
        let since = |at: i128| u64::try_from(at - lines[line].1).ok().map(Ticks);
        Some(PlacedRun {
            pass: run.pass,
            submission: run.submission,
            queue: *queue,
            line,
            start: since(run.start)?,
            end: since(run.end)?,
        })
    };
    runs.iter().map(place).collect()
}
