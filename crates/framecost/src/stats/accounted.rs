//! The ledger's figures as rows: the frame's, each pass's, each gate's. The one place where ticks become nanoseconds.

use framecost_sample::{
    Capture, GateDef, Metric, PassId, Period, Reading, Reason, Ticks, metric_names as names,
};

use super::whole::Losses;
use super::{FigureId, Origin, Series, Subject, Summary};
use crate::account::{FrameAccount, GateAccount, Ledger, PassAccount};

/// The rows that stamps give. A capture without passes or without a clock has none: it is not about the GPU's timeline.
pub(super) fn rows(capture: &Capture, ledger: &Ledger, losses: &Losses) -> Vec<Summary> {
    let Some(clock) = ledger.clock.as_ref().filter(|_| !capture.passes.is_empty()) else { return Vec::new() };
    let mut rows = frame_rows(ledger, clock.period, losses);
    rows.extend(pass_rows(capture, ledger, clock.period));
    for (i, gate) in capture.gates.iter().enumerate() {
        rows.extend(gate_rows(ledger, clock.period, losses, (i, gate)));
    }
    rows
}

/// The row of that figure alone.
pub(super) fn row(capture: &Capture, ledger: &Ledger, losses: &Losses, id: &FigureId) -> Option<Summary> {
    let period = ledger.clock.as_ref().filter(|_| !capture.passes.is_empty())?.period;
    match &id.subject {
        Subject::Frame => {
            let figure = FRAME.iter().find(|(name, _)| *name == id.metric)?;
            frame_row(ledger, period, losses, figure)
        }
        Subject::Pass(name) => pass_row(ledger, period, capture.pass_named(name)?, name, &id.metric),
        Subject::Gate(name) => {
            let gate = capture.gates.iter().enumerate().find(|(_, gate)| gate.name == *name)?;
            gate_rows(ledger, period, losses, gate).into_iter().find(|row| row.metric.name == id.metric)
        }
        Subject::Switch(_) | Subject::Run => None,
    }
}

/// One figure of one pass.
fn pass_row(ledger: &Ledger, period: Period, pass: PassId, name: &str, metric: &str) -> Option<Summary> {
    let (metric, figure) = PASS.iter().find(|(name, _)| *name == metric)?;
    let mut series = Series::new(ledger.frames.len(), Reason::NotExecuted);
    for (place, frame) in ledger.frames.iter().enumerate() {
        if let Some((_, account)) = frame.passes.iter().find(|(id, _)| *id == pass) {
            series.push(place, account.as_ref().map(|account| period.nanos(figure(account)).0));
        }
    }
    summary(metric, Subject::Pass(name.to_owned()), series)
}

type FrameFigure = fn(&FrameAccount) -> Reading<Ticks>;
type PassFigure = fn(&PassAccount) -> Ticks;
type GateFigure = fn(&GateAccount, Period) -> Reading<f64>;

const FRAME: [(&str, FrameFigure); 6] = [
    (names::GPU_TOTAL, |frame| Reading::Measured(frame.gpu_total)),
    (names::BUSY, |frame| Reading::Measured(frame.busy)),
    (names::UNTIMED, |frame| Reading::Measured(frame.untimed)),
    (names::WAITS, |frame| frame.waits.clone()),
    (names::HIDDEN, |frame| frame.hidden.clone()),
    (names::OVERLAP, |frame| Reading::Measured(frame.overlap)),
];

const PASS: [(&str, PassFigure); 4] = [
    (names::DURATION, |pass| pass.duration),
    (names::EXPOSED, |pass| pass.exposed),
    (names::ALONE, |pass| pass.alone),
    (names::ATTRIBUTED, |pass| pass.attributed),
];

const GATE: [(&str, GateFigure); 3] = [
    (names::GATE, |gate, period| Reading::Measured(period.nanos(gate.time).0)),
    (names::GATE_COVERAGE, |gate, _| ratio(gate.covered.0.into(), gate.time.0.into())),
    (names::GATE_BEFORE, |gate, period| Reading::Measured(period.nanos(gate.before).0)),
];

/// A part of a whole; a whole that the clock cannot tell from nothing has no parts.
#[expect(clippy::cast_precision_loss, reason = "a ratio of at most 16 digits")]
pub(super) fn ratio(part: u128, whole: u128) -> Reading<f64> {
    if whole == 0 {
        Reading::Missing(Reason::BelowResolution)
    } else {
        Reading::Measured(part as f64 / whole as f64)
    }
}

fn frame_rows(ledger: &Ledger, period: Period, losses: &Losses) -> Vec<Summary> {
    FRAME.iter().filter_map(|figure| frame_row(ledger, period, losses, figure)).collect()
}

fn frame_row(
    ledger: &Ledger,
    period: Period,
    losses: &Losses,
    (name, figure): &(&str, FrameFigure),
) -> Option<Summary> {
    let mut series = Series::new(ledger.frames.len(), Reason::NotAvailable);
    for (place, frame) in ledger.frames.iter().enumerate() {
        let whole = whole_or(losses.in_frame(frame), frame.account.as_ref());
        series.push(place, flat(whole.map(figure)).map(|ticks| period.nanos(ticks).0));
    }
    summary(name, Subject::Frame, series)
}

/// The reading, unless something it rests on was lost. A reason of its own comes first.
fn whole_or<T>(lost: Option<Reason>, reading: Reading<T>) -> Reading<T> {
    match (reading, lost) {
        (Reading::Measured(_), Some(reason)) => Reading::Missing(reason),
        (reading, _) => reading,
    }
}

/// The rows of all passes, filled in one walk over what the ledger holds: most captures of many passes are sparse.
fn pass_rows(capture: &Capture, ledger: &Ledger, period: Period) -> Vec<Summary> {
    let empty = || PASS.map(|_| Series::new(ledger.frames.len(), Reason::NotExecuted));
    let mut passes: Vec<_> = capture.passes.iter().map(|_| empty()).collect();
    for (place, frame) in ledger.frames.iter().enumerate() {
        for (pass, account) in &frame.passes {
            let Some(series) = passes.get_mut(usize::from(pass.0)) else { continue };
            for (series, (_, figure)) in series.iter_mut().zip(PASS) {
                series.push(place, account.as_ref().map(|account| period.nanos(figure(account)).0));
            }
        }
    }
    let rows_of = |(pass, series): (&framecost_sample::PassDef, [Series; 4])| {
        let row = |((name, _), series): ((&str, PassFigure), Series)| {
            summary(name, Subject::Pass(pass.name.clone()), series)
        };
        PASS.into_iter().zip(series).filter_map(row).collect::<Vec<_>>()
    };
    capture.passes.iter().zip(passes).flat_map(rows_of).collect()
}

/// The rows of a gate. Its time rests on the passes between its two, the work in and before it on every pass.
fn gate_rows(ledger: &Ledger, period: Period, losses: &Losses, gate: (usize, &GateDef)) -> Vec<Summary> {
    let (index, def) = gate;
    let row = |(metric, figure): &(&str, GateFigure)| {
        let mut series = Series::new(ledger.frames.len(), Reason::NotExecuted);
        for (place, frame) in ledger.frames.iter().enumerate() {
            let Some(account) = frame.gates.get(index) else { continue };
            let lost = match *metric {
                names::GATE => losses.between(frame, def.from, def.to),
                _ => losses.in_frame(frame),
            };
            let whole = whole_or(lost, account.as_ref());
            series.push(place, flat(whole.map(|account| figure(account, period))));
        }
        summary(metric, Subject::Gate(def.name.clone()), series)
    };
    GATE.iter().filter_map(row).collect()
}

fn summary(metric: &str, subject: Subject, series: Series) -> Option<Summary> {
    Metric::built_in(metric).map(|metric| Summary::new(metric, subject, Origin::Stamps, series))
}

fn flat<T>(reading: Reading<Reading<T>>) -> Reading<T> {
    match reading {
        Reading::Measured(inner) => inner,
        Reading::Missing(reason) => Reading::Missing(reason),
    }
}
