//! What a browser says of frames, declared once: the events that mark one, and the states that one can end in. In: rows of such
//! events. Out: rows with their intervals.
//!
//! Source: Chromium's `cc/metrics` (the pipeline reporter's states) and the events of traces; moments of presentation are what the
//! browser was told, not the panel's.

use super::collect::{Entry, Streams, Texts};
use crate::read::log::{Cell, Cells, Gap};
use crate::read::table::part::{DROPPED, UNSAID};

/// The async event of a compositor's frame from its begin to its end.
pub(super) const PIPELINE: &str = "PipelineReporter";

/// Instants of frames, and whether one says that the frame was shown.
pub(super) const FRAME_INSTANTS: &[(&str, bool)] = &[("Display::FrameDisplayed", true), ("DrawFrame", false)];

/// How a frame of the pipeline ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Shown,
    /// Shown without what its main thread wanted to change.
    Partial,
    Dropped,
    /// There was nothing to draw: no frame.
    Nothing,
}

/// The states by their names in traces, in the order of the column's texts.
pub(super) const STATES: &[(&str, End)] = &[
    ("STATE_PRESENTED_ALL", End::Shown),
    ("STATE_PRESENTED_PARTIAL", End::Partial),
    ("STATE_DROPPED", End::Dropped),
    ("STATE_NO_UPDATE_DESIRED", End::Nothing),
];

/// A stream of frames, ready for the log, with how many of each end there were.
pub(super) struct Frames {
    pub(super) times: Cells,
    pub(super) latency: Cells,
    pub(super) interval: Cells,
    pub(super) state: Cells,
    pub(super) lines: Vec<u32>,
    pub(super) flags: Vec<u8>,
    pub(super) nothing: u64,
    pub(super) partial: u64,
    /// Frames shown at the same moment as one before.
    pub(super) together: u64,
}

/// The frames of one pipeline. The interval of a shown frame is from the end of the one shown before to its own. What the main
/// thread was late with ends together with a later frame: it has no interval of its own.
pub(super) fn of_pipeline(entries: &[Entry], texts: &Texts) -> Frames {
    let state = |entry: &Entry| {
        let name = texts.get(entry.state?);
        STATES.iter().position(|state| state.0 == name)
    };
    let mut frames = Frames::new();
    let mut shown: Vec<(f64, usize)> = Vec::new();
    for entry in entries {
        let state = state(entry);
        let end = state.map(|state| STATES[state].1);
        if end == Some(End::Nothing) {
            frames.nothing += 1;
            continue;
        }
        frames.partial += u64::from(end == Some(End::Partial));
        let (flags, interval) = match end {
            Some(End::Dropped) => (DROPPED, Gap::NotDisplayed),
            Some(End::Shown | End::Partial) => (0, Gap::NoPrevious),
            Some(End::Nothing) | None => (UNSAID, Gap::Unknown),
        };
        if let (0, Cell::Value(latency)) = (flags, entry.dur) {
            shown.push((entry.ts + latency, frames.lines.len()));
        }
        #[expect(clippy::cast_precision_loss, reason = "a place in a table of four")]
        let state = state.map_or(Cell::Gap(Gap::Unknown), |state| Cell::Value(state as f64));
        frames.push(entry, entry.dur, Cell::Gap(interval), state, flags);
    }
    shown.sort_by(|a, b| a.0.total_cmp(&b.0));
    for pair in shown.windows(2) {
        let together = pair[0].0.total_cmp(&pair[1].0).is_eq();
        frames.together += u64::from(together);
        let interval =
            if together { Cell::Gap(Gap::NotApplicable) } else { difference(pair[0].0, pair[1].0) };
        frames.interval.set(pair[1].1, interval);
    }
    frames
}

/// The frames of one kind of instant, each with the time since the one before.
pub(super) fn of_instants(entries: &[Entry], shown: bool) -> Frames {
    let mut entries = entries.to_vec();
    entries.sort_by(|a, b| a.ts.total_cmp(&b.ts));
    let mut frames = Frames::new();
    let mut before = None;
    for entry in &entries {
        let interval = before.map_or(Cell::Gap(Gap::NoPrevious), |before| difference(before, entry.ts));
        before = Some(entry.ts);
        let none = Cell::Gap(Gap::NotApplicable);
        frames.push(entry, none, interval, none, if shown { 0 } else { UNSAID });
    }
    frames
}

fn difference(before: f64, after: f64) -> Cell {
    let difference = after - before;
    if difference.is_finite() { Cell::Value(difference) } else { Cell::Gap(Gap::Unparsable) }
}

impl Frames {
    fn new() -> Self {
        let cells = Cells::default;
        Self {
            times: cells(),
            latency: cells(),
            interval: cells(),
            state: cells(),
            lines: Vec::new(),
            flags: Vec::new(),
            nothing: 0,
            partial: 0,
            together: 0,
        }
    }

    fn push(&mut self, entry: &Entry, latency: Cell, interval: Cell, state: Cell, flags: u8) {
        self.times.push(Cell::Value(entry.ts));
        self.latency.push(latency);
        self.interval.push(interval);
        self.state.push(state);
        self.lines.push(entry.line);
        self.flags.push(flags);
    }
}

/// Whether any of these streams has a row.
pub(super) fn any(streams: &Streams) -> bool {
    streams.list.iter().any(|it| !it.1.is_empty())
}
