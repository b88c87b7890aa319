//! The identities that a ledger must keep, each exact. In: a ledger and its capture. Out: where one does not hold.
//! A violation is a fault of the accounting, never of the capture.

use std::collections::BTreeMap;
use std::fmt;

use framecost_sample::{Capture, PassId, Reading, Stamp, ValidBits};

use super::{FrameAccount, FrameLedger, Ledger};

/// An identity that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The frame.
    pub frame: u64,
    /// The identity with its figures in ticks.
    pub what: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "frame {}: {}", self.frame, self.what)
    }
}

/// Checks every frame; none is the only right answer. Stops after the first 100.
#[must_use]
pub fn check_identities(ledger: &Ledger, capture: &Capture) -> Vec<Violation> {
    const MOST: usize = 100;
    let mut check = Check { frame: 0, found: Vec::new() };
    let listed: Vec<u64> = ledger.frames.iter().map(|frame| frame.frame).collect();
    check.holds(listed == capture.frames, || "the ledger's frames are not the capture's".into());
    let bits = ledger.clock.as_ref().map_or(ValidBits::ALL, |clock| clock.valid_bits);
    let mut stamps = &capture.stamps[..];
    for frame in &ledger.frames {
        check.frame = frame.frame;
        let own = stamps.partition_point(|stamp| stamp.frame <= frame.frame);
        check.durations(frame, &stamps[..own], bits);
        check.passes(frame);
        check.gates(frame);
        if let Reading::Measured(account) = &frame.account {
            check.account(frame, account);
        }
        stamps = &stamps[own..];
        if check.found.len() >= MOST {
            break;
        }
    }
    check.found.truncate(MOST);
    check.found
}

struct Check {
    frame: u64,
    found: Vec<Violation>,
}

impl Check {
    fn holds(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.found.push(Violation { frame: self.frame, what: what() });
        }
    }

    fn equal(&mut self, names: &str, left: u128, right: u128) {
        self.holds(left == right, || format!("{names}: {left} = {right} does not hold"));
    }

    fn at_most(&mut self, names: &str, left: u128, right: u128) {
        self.holds(left <= right, || format!("{names}: {left} <= {right} does not hold"));
    }

    /// A pass's duration is the sum of its rows' modular differences, taken from the capture anew.
    fn durations(&mut self, frame: &FrameLedger, stamps: &[Stamp], bits: ValidBits) {
        let mut raw: BTreeMap<PassId, u128> = BTreeMap::new();
        for stamp in stamps {
            let pair = stamp.start.clone().zip(stamp.end.clone());
            let ticks =
                pair.ok().and_then(|(start, end)| bits.elapsed(start, end)).map_or(0, |ticks| ticks.0);
            *raw.entry(stamp.pass).or_default() += u128::from(ticks);
        }
        let listed = frame.passes.iter().map(|entry| entry.0);
        self.holds(listed.eq(raw.keys().copied()), || "the passes are not those with stamps".into());
        for (pass, reading) in &frame.passes {
            if let Reading::Measured(account) = reading {
                let stamped = raw.get(pass).copied().unwrap_or(0);
                self.equal(
                    &format!("duration of pass {} = its stamps", pass.0),
                    account.duration.0.into(),
                    stamped,
                );
            }
        }
    }

    fn passes(&mut self, frame: &FrameLedger) {
        for (pass, reading) in &frame.passes {
            if let Reading::Measured(account) = reading {
                let [duration, exposed, alone, attributed] =
                    [account.duration, account.exposed, account.alone, account.attributed]
                        .map(|t| t.0.into());
                self.at_most(&format!("exposed <= duration of pass {}", pass.0), exposed, duration);
                self.at_most(&format!("alone <= attributed of pass {}", pass.0), alone, attributed);
                self.at_most(&format!("attributed <= duration of pass {}", pass.0), attributed, duration);
            }
        }
    }

    fn gates(&mut self, frame: &FrameLedger) {
        for (index, reading) in frame.gates.iter().enumerate() {
            if let Reading::Measured(gate) = reading {
                let names = format!("covered <= time of gate {index}");
                self.at_most(&names, gate.covered.0.into(), gate.time.0.into());
            }
        }
    }

    fn account(&mut self, frame: &FrameLedger, account: &FrameAccount) {
        let [owned, gpu_total, busy, untimed, overlap, pass_sum] = [
            account.owned,
            account.gpu_total,
            account.busy,
            account.untimed,
            account.overlap,
            account.pass_sum,
        ]
        .map(|ticks| u128::from(ticks.0));
        // Where submissions share no timeline there is no time between them, and nothing before a frame.
        let [waits, hidden] = [&account.waits, &account.hidden]
            .map(|reading| reading.measured().map_or(0, |ticks| u128::from(ticks.0)));
        self.equal("owned = busy + untimed + waits", owned, busy + untimed + waits);
        self.equal("gpu_total = busy + untimed", gpu_total, busy + untimed);
        self.equal("pass_sum = busy + hidden + overlap", pass_sum, busy + hidden + overlap);
        let measured = || frame.passes.iter().filter_map(|(_, reading)| reading.measured());
        let durations = measured().map(|pass| u128::from(pass.duration.0)).sum();
        let attributed = measured().map(|pass| u128::from(pass.attributed.0)).sum();
        let exposed = measured().map(|pass| u128::from(pass.exposed.0)).sum();
        let alone = measured().map(|pass| u128::from(pass.alone.0)).sum();
        self.equal("sum of durations = pass_sum", durations, pass_sum);
        self.equal("sum of attributed = busy + hidden", attributed, busy + hidden);
        self.at_most("busy <= sum of exposed", busy, exposed);
        self.at_most("sum of alone <= busy + hidden", alone, busy + hidden);
    }
}
