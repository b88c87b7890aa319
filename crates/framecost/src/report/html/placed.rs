//! A frame's runs of passes for its timeline: the accounting's own places, counted from where the frame begins. In: a run.
//! Out: per frame its valid runs on each timeline, and where its own time begins.

use framecost_sample::{Capture, PassId, QueueId, Ticks};

use crate::Analysis;
use crate::account::{FramePlaces, RunPlace, places};

/// The valid runs of a frame, by timeline, queue and start.
#[derive(Clone, Debug, Default)]
pub(super) struct PlacedFrame {
    pub(super) runs: Vec<PlacedRun>,
    /// Ticks from the frame's first start to where its own time begins, past the frame before. None where it begins with the
    /// first run, and where submissions share no timeline.
    pub(super) floor: Option<Ticks>,
}

/// A run of a pass in its frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedRun {
    pub(super) pass: PassId,
    pub(super) submission: u32,
    pub(super) queue: QueueId,
    /// Which of the frame's timelines, counted from 0: between two of them no time is known.
    pub(super) line: usize,
    /// Ticks from the earliest start on that timeline in the frame.
    pub(super) start: Ticks,
    pub(super) end: Ticks,
}

/// The valid runs of every frame. A frame whose runs spread beyond 64 bits of ticks has none: its account is missing too.
pub(super) fn frames(run: &Analysis) -> Vec<PlacedFrame> {
    let of = |frame: &FramePlaces| placed(frame, &run.capture).unwrap_or_default();
    places(&run.capture, &run.ledger.floor).iter().map(of).collect()
}

fn placed(frame: &FramePlaces, capture: &Capture) -> Option<PlacedFrame> {
    let mut runs = Vec::with_capacity(frame.runs.len());
    // A later row never stands on an earlier timeline.
    for (line, of_line) in frame.runs.chunk_by(|a, b| a.line == b.line).enumerate() {
        let origin = of_line.iter().map(|run| run.start).min()?;
        let since = |at: i128| u64::try_from(at - origin).ok().map(Ticks);
        let place = |run: &RunPlace| {
            let stamp = capture.stamps.get(run.row)?;
            let (pass, submission, queue) = (stamp.pass, stamp.submission, stamp.queue);
            Some(PlacedRun { pass, submission, queue, line, start: since(run.start)?, end: since(run.end)? })
        };
        runs.extend(of_line.iter().map(place).collect::<Option<Vec<_>>>()?);
    }
    let floor = match &frame.owned[..] {
        [only] => {
            let first = frame.runs.iter().map(|run| run.start).min()?;
            u64::try_from(only.start - first).ok().filter(|cut| *cut > 0).map(Ticks)
        }
        _ => None,
    };
    runs.sort_by_key(|run| (run.line, run.queue, run.start, run.end));
    Some(PlacedFrame { runs, floor })
}
