//! What a set of random timelines held: a run that met no reset proves nothing about resets. In: captures and their
//! ledgers. Out: counts by name.

use std::collections::{BTreeMap, BTreeSet};

use framecost::account::{FrameLedger, Ledger};
use framecost_sample::{Capture, Reading, Ticks};

/// Counts over all timelines so far.
#[derive(Debug, Default)]
pub struct Coverage {
    pub counts: BTreeMap<String, u64>,
    pub widths: BTreeSet<u8>,
}

impl Coverage {
    pub fn of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    fn add(&mut self, what: &str, more: u64) {
        *self.counts.entry(what.into()).or_default() += more;
    }

    /// Counts one timeline.
    pub fn see(&mut self, capture: &Capture, ledger: &Ledger) {
        self.add("stamp rows", capture.stamps.len() as u64);
        let gaps = capture.frames.windows(2).filter(|pair| pair[0] + 1 != pair[1]).count();
        self.add("frames that do not follow the one before", gaps as u64);
        self.add("pairs across a wrap", wrapped(capture, ledger));
        let queues = capture.stamps.chunk_by(|a, b| a.frame == b.frame);
        let both = |rows: &&[framecost_sample::Stamp]| rows.iter().any(|row| row.queue != rows[0].queue);
        self.add("frames on several queues", queues.filter(both).count() as u64);
        self.widths.extend(ledger.clock.iter().map(|clock| clock.valid_bits.bits()));
        for frame in &ledger.frames {
            self.frame(frame);
        }
        for finding in &ledger.findings {
            let known =
                ["set back between two passes", "set back, or a stamp", "share no timeline", "another clock"];
            if let Some(known) = known.iter().find(|known| finding.cause.contains(*known)) {
                self.add(&format!("findings: {known}"), finding.times);
            }
        }
    }

    fn frame(&mut self, frame: &FrameLedger) {
        match &frame.account {
            Reading::Missing(reason) => self.add(&format!("frames without an account: {}", reason.code()), 1),
            Reading::Measured(account) => {
                let positive = |reading: &Reading<Ticks>| reading.measured().is_some_and(|ticks| ticks.0 > 0);
                self.add("frames with an account", 1);
                self.add("frames with waits", positive(&account.waits).into());
                self.add("frames with hidden work", positive(&account.hidden).into());
                self.add("frames with overlap", (account.overlap.0 > 0).into());
                self.add("frames with untimed work", (account.untimed.0 > 0).into());
                self.add("frames that own nothing", (account.owned.0 == 0).into());
            }
        }
        for (_, reading) in &frame.passes {
            match reading {
                Reading::Measured(_) => self.add("passes with an account", 1),
                Reading::Missing(reason) => {
                    self.add(&format!("passes without an account: {}", reason.code()), 1)
                }
            }
        }
        let measured = frame.gates.iter().filter(|gate| gate.measured().is_some()).count();
        self.add("gates measured", measured as u64);
    }
}

/// Pairs that are a time although the end reads less than the start.
fn wrapped(capture: &Capture, ledger: &Ledger) -> u64 {
    let Some(bits) = ledger.clock.as_ref().map(|clock| clock.valid_bits) else { return 0 };
    let wraps = |row: &&framecost_sample::Stamp| match (&row.start, &row.end) {
        (Reading::Measured(start), Reading::Measured(end)) => {
            end.0 & bits.mask() < start.0 & bits.mask() && bits.elapsed(*start, *end).is_ok()
        }
        _ => false,
    };
    capture.stamps.iter().filter(wraps).count() as u64
}
