//! What was odd in a capture, counted. In: sightings, frame by frame. Out: findings, one per oddity.

use std::collections::BTreeMap;

use framecost_sample::{Capture, PassId, QueueId};

use crate::counted;
use crate::finding::{Finding, Findings};

/// Something odd about stamps or frames. The order is that of the findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Oddity {
    /// The ledger's clock has no bits.
    ClockCannotStamp,
    /// Its submissions share no timeline.
    SubmissionsApart,
    /// Rows of a queue on another clock.
    OtherClock(QueueId),
    /// The counter was set back between two frames.
    SetBackBetween,
    /// The counter was set back inside a frame.
    SetBackInside,
    /// A frame spreads over half the range, or its passes add up to more than 64 bits.
    Endless,
    /// A frame has no pass with two valid stamps.
    NoPass,
    /// A frame's floor rests on a frame or pass that was not captured.
    FloorUnknown,
    /// Less than half of a frame's own time lies under a timed pass.
    LowCoverage,
    /// A pair whose end lies before its start.
    Reversed(PassId),
    /// A zero stamp that was handed in as a tick.
    Zero(PassId),
    /// A pair on one tick.
    NoTick(PassId),
    /// A pass that ran several times in a frame.
    Repeats(PassId),
    /// A gate that was measured while a pass inside it lacked stamps.
    GateUnsure(usize),
}

/// How often, in which frame first, and of how many each time: the fewest and the most.
#[derive(Clone, Copy, Debug)]
struct Sighting {
    times: u64,
    first: u64,
    of: (u64, u64),
}

/// Oddities with their counts.
#[derive(Debug, Default)]
pub(super) struct Tally(BTreeMap<Oddity, Sighting>);

impl Tally {
    /// Counts one more sighting, in that frame.
    pub(super) fn see(&mut self, oddity: Oddity, frame: u64) {
        self.see_of(oddity, frame, 1);
    }

    /// As [`Self::see`], of something that was there that many times.
    pub(super) fn see_of(&mut self, oddity: Oddity, frame: u64, many: u64) {
        let seen = self.0.entry(oddity).or_insert(Sighting { times: 0, first: frame, of: (many, many) });
        seen.times += 1;
        seen.of = (seen.of.0.min(many), seen.of.1.max(many));
    }

    /// Writes what was seen, in the order of the oddities.
    pub(super) fn write(&self, capture: &Capture, findings: &mut Findings) {
        for (&oddity, &sighting) in &self.0 {
            findings.add(finding(oddity, sighting, capture));
        }
    }
}

fn finding(oddity: Oddity, seen: Sighting, capture: &Capture) -> Finding {
    let (cause, remedy) = words(oddity);
    let place = place(oddity, seen, capture);
    let (cause, times) = match oddity {
        // One fact about the pass, in which the frames are counted already.
        Oddity::Repeats(_) => (format!("{} {cause}", repeats(seen)), 1),
        _ => (cause.into(), seen.times),
    };
    Finding { place, cause, remedy: remedy.into(), times }
}

fn repeats(seen: Sighting) -> String {
    let frames = counted(seen.times, "frame");
    match seen.of {
        (fewest, most) if fewest == most => format!("ran {most} times in {frames}:"),
        (fewest, most) => format!("ran {fewest} to {most} times in {frames}:"),
    }
}

fn place(oddity: Oddity, seen: Sighting, capture: &Capture) -> String {
    match oddity {
        Oddity::ClockCannotStamp | Oddity::SubmissionsApart => "clock".into(),
        Oddity::OtherClock(QueueId(id)) => {
            format!("queue `{}`", capture.queues[usize::from(id)].name.escape_debug())
        }
        Oddity::Reversed(id) | Oddity::Zero(id) | Oddity::NoTick(id) | Oddity::Repeats(id) => {
            format!("pass `{}`", capture.pass(id).name.escape_debug())
        }
        Oddity::GateUnsure(index) => format!("gate `{}`", capture.gates[index].name.escape_debug()),
        _ if seen.times == 1 => format!("frame {}", seen.first),
        _ => format!("frames from {} on", seen.first),
    }
}

/// What was seen, and what a person can do about it.
const fn words(oddity: Oddity) -> (&'static str, &'static str) {
    match oddity {
        Oddity::ClockCannotStamp => (
            "its counter has no valid bits, so nothing on it is a time",
            "time passes on a queue whose family has valid timestamp bits",
        ),
        Oddity::SubmissionsApart => (
            "submissions share no timeline: waits, hidden work and gates across submissions cannot be told",
            "enable calibrated timestamps where the driver has them, or hand the frame over in one submission",
        ),
        Oddity::OtherClock(_) => (
            "its stamps are of another clock than the ledger's, and clocks are never subtracted",
            "measure that queue in a run of its own, or where the queues share a clock",
        ),
        Oddity::SetBackBetween => (
            "stamps lie more than a second behind those before: the counter was set back, or a stamp had run ahead",
            "keep the GPU from idling into low power while measuring; such frames are accounted without a floor",
        ),
        Oddity::SetBackInside => (
            "the counter was set back between two passes of a frame, whose time is unknown",
            "keep the GPU from idling into low power while measuring",
        ),
        Oddity::Endless => (
            "stamps of one frame lie further apart than the counter can tell",
            "check the valid bits of the clock and the source of the stamps",
        ),
        Oddity::NoPass => (
            "no pass has two valid stamps",
            "see the reasons beside the passes; more frames in flight help against late readback",
        ),
        Oddity::FloorUnknown => (
            "what the floor rests on was not captured, so work beside the frame before may count twice",
            "capture consecutive frames, or recount with floor none",
        ),
        Oddity::LowCoverage => (
            "less than half of the frame's own time lies under a timed pass",
            "time more passes, or look at untimed and waits before any pass",
        ),
        Oddity::Reversed(_) => {
            ("its end stamp lies before its start stamp", "update the driver, or use another stamp mode")
        }
        Oddity::Zero(_) => {
            ("a stamp is zero, as drivers leave it where they sampled nothing", "see that the pass does work")
        }
        Oddity::NoTick(_) => (
            "start and end fell on one tick: its time is below what the clock resolves",
            "judge it by the mean over many frames, or not at all",
        ),
        Oddity::Repeats(_) => (
            "its duration and exposed time add these runs up; attributed and alone count each moment once",
            "give each run a pass of its own where their times matter apart",
        ),
        Oddity::GateUnsure(_) => (
            "a pass inside it lacks stamps, so it may have ended later than measured",
            "see the reasons beside the passes",
        ),
    }
}
