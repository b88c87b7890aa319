//! Accounting: which pass and frame each moment of the GPU's timeline belongs to.
//! In: a `Capture` and a rule. Out: a [`Ledger`] with its findings. docs/method.md says what each figure means.
//!
//! ```text
//!  stamp rows --timeline--> runs on lines --frame--> unions (cover), shares (share), gates (gate) --> FrameLedger
//!                                floor: what earlier frames own ----^          tally: what was odd --> findings
//! ```

mod cover;
mod floor;
mod frame;
mod gate;
mod identity;
mod ledger;
mod places;
mod share;
mod tally;
mod timeline;

use framecost_sample::{Capture, ClockId, PassId, Reading, Reason, Remark, Stamp, ValidBits};

pub use floor::{Floor, FloorError};
pub use identity::{Violation, check_identities};
pub use ledger::{FrameAccount, FrameLedger, GateAccount, Ledger, PassAccount};
pub use places::{FramePlaces, OwnedSpan, RunPlace, places};

use crate::finding::{Finding, Findings};
use floor::{Floors, Given};
use frame::FrameInput;
use tally::{Oddity, Tally};
use timeline::{FrameRows, Row, Timeline};

/// Accounts every frame of the capture on the clock of the first queue, in the capture's list, that has stamps.
/// The same capture and rule give the same ledger; it takes `n log n` of the stamps, so another rule is a cheap recount.
#[must_use]
pub fn account(capture: &Capture, floor: &Floor) -> Ledger {
    account_on(capture, floor, main_clock(capture))
}

/// The clock of the first queue, in the capture's list, that has stamps.
fn main_clock(capture: &Capture) -> ClockId {
    let stamped = capture.stamps.iter().map(|stamp| stamp.queue).min();
    let queue = stamped.map_or(capture.queues.first(), |queue| capture.queues.get(usize::from(queue.0)));
    queue.map_or(ClockId(0), |queue| queue.clock)
}

/// As [`account`], on the clock with that index. Stamps of other clocks are missing as unsupported: readings of
/// different clocks are never subtracted, so a ledger is of one.
#[must_use]
pub fn account_on(capture: &Capture, floor: &Floor, clock: ClockId) -> Ledger {
    let timeline = timeline::place(capture, clock);
    let mut book = Book::open(capture, floor, clock, &timeline);
    let frames = (0..capture.frames.len()).map(|position| book.frame(position)).collect();
    let ledger = Ledger {
        floor: floor.clone(),
        clock: capture.clocks.get(usize::from(clock.0)).cloned(),
        frames,
        findings: book.findings(),
    };
    debug_assert_eq!(check_identities(&ledger, capture), Vec::new());
    ledger
}

/// The state from frame to frame.
struct Book<'a> {
    capture: &'a Capture,
    timeline: &'a Timeline,
    clock: ClockId,
    bits: ValidBits,
    floors: Floors,
    floor_fault: Option<FloorError>,
    tally: Tally,
}

impl<'a> Book<'a> {
    fn open(capture: &'a Capture, floor: &Floor, clock: ClockId, timeline: &'a Timeline) -> Self {
        let bits = capture.clocks.get(usize::from(clock.0)).map_or(ValidBits::ALL, |clock| clock.valid_bits);
        let floors = Floors::new(floor, capture);
        let floor_fault = floor.check(capture).err();
        Self { capture, timeline, clock, bits, floors, floor_fault, tally: Tally::default() }
    }

    /// The ledger of the frame at that position in the capture's list.
    fn frame(&mut self, position: usize) -> FrameLedger {
        let at = self.timeline.frames[position];
        let stamps = &self.capture.stamps[at.first..at.end];
        let rows = &self.timeline.rows[at.first..at.end];
        let frame = self.capture.frames[position];
        // Submissions that share no timeline with each other share none with the frame before.
        let given = if self.timeline.shared { self.floors.give(frame) } else { Given::Free };
        let input = FrameInput {
            frame,
            turn: position as u64,
            stamps,
            rows,
            floor: if let Given::At(moment) = given { Some(moment) } else { None },
            set_back: at.set_back_inside,
            shared: self.timeline.shared,
            half_range: self.bits.half_range(),
        };
        let accounted = frame::account(input, &self.capture.gates);
        self.floors.note(frame, stamps, rows);
        self.see_rows(frame, stamps, rows);
        self.see_repeats(frame, rows);
        self.see_frame(&accounted.ledger, at, given);
        for gate in accounted.gates_unsure {
            self.tally.see(Oddity::GateUnsure(gate), frame);
        }
        accounted.ledger
    }

    fn see_rows(&mut self, frame: u64, stamps: &[Stamp], rows: &[Row]) {
        for (stamp, row) in stamps.iter().zip(rows) {
            let oddity = match row {
                Ok(run) if run.start == run.end => Oddity::NoTick(stamp.pass),
                Err(Reason::Reversed) if measured(stamp) => Oddity::Reversed(stamp.pass),
                Err(Reason::Zero) if measured(stamp) => Oddity::Zero(stamp.pass),
                Err(Reason::Unsupported)
                    if self.capture.queues[usize::from(stamp.queue.0)].clock != self.clock =>
                {
                    Oddity::OtherClock(stamp.queue)
                }
                Err(Reason::Unsupported) if measured(stamp) => Oddity::ClockCannotStamp,
                _ => continue,
            };
            self.tally.see(oddity, frame);
        }
    }

    /// Passes with several runs that have an account.
    fn see_repeats(&mut self, frame: u64, rows: &[Row]) {
        let mut passes: Vec<PassId> = rows.iter().flatten().map(|run| run.pass).collect();
        passes.sort_unstable();
        for runs in passes.chunk_by(|a, b| a == b).filter(|runs| runs.len() > 1) {
            self.tally.see_of(Oddity::Repeats(runs[0]), frame, runs.len() as u64);
        }
    }

    fn see_frame(&mut self, ledger: &FrameLedger, at: FrameRows, given: Given) {
        let frame = ledger.frame;
        let mut see = |seen: bool, oddity: Oddity| {
            if seen {
                self.tally.see(oddity, frame);
            }
        };
        let rows = &self.timeline.rows[at.first..at.end];
        let runs = rows.iter().any(Result::is_ok);
        // Nobody asked for stamps: that there are none is nothing odd.
        let unstamped = rows.iter().any(|row| matches!(row, Err(Reason::NotStamped)));
        see(at.set_back_before, Oddity::SetBackBetween);
        see(at.set_back_inside, Oddity::SetBackInside);
        // A log of another tool has no passes to stamp.
        see(!runs && !unstamped && !self.capture.passes.is_empty(), Oddity::NoPass);
        see(runs && given == Given::Unknown, Oddity::FloorUnknown);
        match &ledger.account {
            Reading::Measured(account) => {
                see(account.hidden.missing().is_some(), Oddity::SubmissionsApart);
                let (busy, owned) = (u128::from(account.busy.0), u128::from(account.owned.0));
                see(busy * 2 < owned, Oddity::LowCoverage);
            }
            Reading::Missing(_) => see(runs && !at.set_back_inside, Oddity::Endless),
        }
    }

    fn findings(self) -> Vec<Finding> {
        let mut findings = Findings::default();
        if let Some(fault) = self.floor_fault {
            findings.add(Finding {
                place: "floor".into(),
                cause: fault.to_string(),
                remedy: "recount under a rule that names a pass of the capture; no floor was applied".into(),
                times: 1,
            });
        }
        // What the source saw explains what the stamps show, so it stands first.
        for Remark { place, cause, remedy, times } in self.capture.remarks.iter().cloned() {
            findings.add(Finding { place, cause, remedy, times });
        }
        self.tally.write(self.capture, &mut findings);
        findings.into_list()
    }
}

/// Both stamps were handed in as ticks.
fn measured(stamp: &Stamp) -> bool {
    stamp.start.measured().is_some() && stamp.end.measured().is_some()
}
