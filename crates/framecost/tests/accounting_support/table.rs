//! Timelines as text. In: passes, rows and what a person worked out by hand. Out: a test that compares the two.
//!
//! A line per frame: `3: a 0 10, b 5 20 / @1 c 30 !dropped` is frame 3 with two submissions, the second on queue 1;
//! `a 0 10` is a run of pass `a` from tick 0 to 10, `!not-available` a stamp that is missing for that reason.
//!
//! A ledger's line: `3: owned total busy untimed waits hidden overlap pass_sum | a duration/exposed/alone/attributed |
//! gate: time/covered/before`; a dash with a reason is missing.

use std::fmt::Write;

use framecost::account::{Floor, Ledger, account, check_identities};
use framecost_sample::{
    Capture, CaptureParts, ClockId, PassId, Reading, Reason, Sharing, Stamp, Ticks, ValidBits,
};

pub struct Table {
    parts: CaptureParts,
    floor: String,
    /// Added to every tick, on the counter.
    shift: u64,
}

impl Table {
    pub fn new(passes: &str) -> Self {
        let mut parts = super::parts();
        parts.passes = passes.split_whitespace().map(super::pass).collect();
        Self { parts, floor: "last-pass".into(), shift: 0 }
    }

    pub fn gate(mut self, name: &str, from: &str, to: &str) -> Self {
        let index = |name: &str| self.parts.passes.iter().position(|pass| pass.name == name).unwrap();
        let ends = [from, to].map(|name| u16::try_from(index(name)).unwrap());
        self.parts.gates.push(super::gate(name, ends[0], ends[1]));
        self
    }

    pub fn floor(mut self, floor: &str) -> Self {
        self.floor = floor.into();
        self
    }

    pub fn bits(mut self, bits: u64) -> Self {
        self.parts.clocks[0].valid_bits = ValidBits::new(bits).unwrap();
        self
    }

    pub fn shift(mut self, shift: u64) -> Self {
        self.shift = shift;
        self
    }

    pub fn unshared(mut self) -> Self {
        self.parts.clocks[0].sharing = Sharing::WithinSubmission;
        self
    }

    /// Puts queue 1 on a clock of its own.
    pub fn second_clock(mut self) -> Self {
        self.parts.clocks.push(super::clock("other", 64, 1, true));
        self.parts.queues[1].clock = ClockId(1);
        self
    }

    pub fn capture(&self, rows: &str) -> Capture {
        let mut parts = self.parts.clone();
        for line in rows.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (frame, submissions) = line.split_once(':').unwrap();
            let frame = frame.parse().unwrap();
            parts.frames.push(frame);
            for (index, submission) in submissions.split('/').enumerate() {
                let (queue, runs) = match submission.trim().strip_prefix("@1") {
                    Some(runs) => (1, runs),
                    None => (0, submission.trim()),
                };
                for run in runs.split(',').filter(|run| !run.trim().is_empty()) {
                    let row = self.row(frame, u32::try_from(index).unwrap(), queue, run);
                    parts.stamps.push(row);
                }
            }
        }
        super::capture(parts)
    }

    fn row(&self, frame: u64, submission: u32, queue: u8, run: &str) -> Stamp {
        let words: Vec<&str> = run.split_whitespace().collect();
        let [pass, start, end] = words[..] else { panic!("`{run}` is not PASS START END") };
        let pass = self.parts.passes.iter().position(|own| own.name == pass).unwrap();
        let mut stamp = super::stamp(frame, submission, queue, u16::try_from(pass).unwrap(), 0, 0);
        (stamp.start, stamp.end) = (self.reading(start), self.reading(end));
        stamp
    }

    fn reading(&self, text: &str) -> Reading<Ticks> {
        match text.strip_prefix('!') {
            Some(reason) => Reading::Missing(Reason::from_text(&reason.replace('-', " ")).unwrap()),
            None => {
                let tick = text.parse::<u64>().unwrap().wrapping_add(self.shift);
                Reading::Measured(Ticks(tick & self.parts.clocks[0].valid_bits.mask()))
            }
        }
    }

    pub fn ledger(&self, rows: &str) -> (Capture, Ledger) {
        let capture = self.capture(rows);
        let floor = Floor::parse(&self.floor, &capture).unwrap();
        let ledger = account(&capture, &floor);
        assert_eq!(check_identities(&ledger, &capture), Vec::new());
        (capture, ledger)
    }

    /// Compares the ledger with what was worked out by hand; hands it back for its findings.
    #[track_caller]
    pub fn check(&self, rows: &str, expected: &str) -> Ledger {
        let (capture, ledger) = self.ledger(rows);
        let text = show(&capture, &ledger);
        let lines = |text: &str| -> Vec<String> {
            text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Into::into).collect()
        };
        assert_eq!(lines(&text), lines(expected), "\naccounted:\n{text}");
        ledger
    }
}

fn show(capture: &Capture, ledger: &Ledger) -> String {
    let mut text = String::new();
    for frame in &ledger.frames {
        let whole = match &frame.account {
            Reading::Missing(reason) => format!("- {reason}"),
            Reading::Measured(it) => {
                let ticks = |reading: &Reading<Ticks>| match reading {
                    Reading::Measured(ticks) => ticks.0.to_string(),
                    Reading::Missing(reason) => format!("-{reason}"),
                };
                let (waits, hidden) = (ticks(&it.waits), ticks(&it.hidden));
                format!(
                    "owned {} total {} busy {} untimed {} waits {waits} hidden {hidden} overlap {} sum {}",
                    it.owned.0, it.gpu_total.0, it.busy.0, it.untimed.0, it.overlap.0, it.pass_sum.0
                )
            }
        };
        let _ = write!(text, "{}: {whole}", frame.frame);
        for (index, pass) in capture.passes.iter().enumerate() {
            let account = frame.pass(PassId(u16::try_from(index).unwrap()));
            let account = account
                .map(|it| format!("{}/{}/{}/{}", it.duration.0, it.exposed.0, it.alone.0, it.attributed.0));
            let _ = write!(
                text,
                " | {} {}",
                pass.name,
                account.ok().unwrap_or_else(|reason| format!("- {reason}"))
            );
        }
        for (index, gate) in capture.gates.iter().enumerate() {
            let account =
                frame.gate(index).map(|it| format!("{}/{}/{}", it.time.0, it.covered.0, it.before.0));
            let _ = write!(
                text,
                " | {}: {}",
                gate.name,
                account.ok().unwrap_or_else(|reason| format!("- {reason}"))
            );
        }
        text.push('\n');
    }
    text
}
