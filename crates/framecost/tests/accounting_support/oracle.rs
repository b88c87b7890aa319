//! The oracle: accounts a timeline from its truth by painting every tick, each figure by its definition in
//! docs/method.md. In: a truth and a rule. Out: where a ledger says otherwise.

use std::collections::BTreeMap;

use framecost::account::{Floor, FrameAccount, FrameLedger, GateAccount, Ledger, PassAccount};
use framecost_sample::{GateDef, PassId, Reading, Reason, Ticks};

use super::truth::{Fact, TICKS, TrueRow, Truth};

/// A run on its line.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Run {
    line: u64,
    submission: u32,
    pass: u16,
    start: u64,
    end: u64,
}

/// A frame's rows by their truth.
struct Frame<'a> {
    index: u64,
    runs: Vec<Run>,
    /// The passes with rows, and why they have no account.
    passes: BTreeMap<u16, Option<Reason>>,
    shared: bool,
    gates: &'a [GateDef],
    lines: Vec<Painted>,
}

/// A frame's part of a line, tick by tick.
struct Painted {
    line: u64,
    /// Where earlier frames end, by the rule.
    floor: Option<u64>,
    /// Per tick: the counted passes that are open, one bit each.
    open: Vec<u16>,
    /// Per tick: whether a submission is under way, between its earliest start and its latest end.
    submitted: Vec<bool>,
    /// First tick of the frame's own time, and one past the last.
    own: (u64, u64),
}

impl Painted {
    fn new(line: u64, floor: Option<u64>, runs: &[Run], counts: impl Fn(&Run) -> bool) -> Self {
        let runs = || runs.iter().filter(move |run| run.line == line);
        let first = runs().map(|run| run.start).min().unwrap_or(0);
        let own = (first.max(floor.unwrap_or(0)), runs().map(|run| run.end).max().unwrap_or(0));
        let (mut open, mut submitted) = (Vec::new(), Vec::new());
        for tick in 0..=TICKS {
            let now = runs().filter(|run| counts(run) && (run.start..run.end).contains(&tick));
            open.push(now.fold(0, |open, run| open | 1 << run.pass));
            submitted.push(runs().any(|one| {
                let same = |run: &&Run| run.submission == one.submission;
                runs().filter(same).any(|run| run.start <= tick)
                    && runs().filter(same).any(|run| run.end > tick)
            }));
        }
        Self { line, floor, open, submitted, own }
    }

    /// How many ticks the question is true of, given the tick, the open passes and whether a submission is under way.
    fn paint(&self, question: impl Fn(u64, u16, bool) -> bool) -> u64 {
        (0..=TICKS)
            .zip(&self.open)
            .zip(&self.submitted)
            .filter(|((tick, open), sub)| question(*tick, **open, **sub))
            .count() as u64
    }

    fn is_own(&self, tick: u64) -> bool {
        (self.own.0..self.own.1).contains(&tick)
    }
}

/// Every difference between the ledger and what painting gives.
pub fn differences(truth: &Truth, floor: &Floor, ledger: &Ledger) -> Vec<String> {
    let frames = frames(truth, floor);
    let mut found = Vec::new();
    let mut expect = |what: String, said: String, painted: String| {
        if said != painted {
            found.push(format!("{what}: accounted {said}, painted {painted}"));
        }
    };
    if *floor == Floor::LastPass && truth.shared {
        expect("moments owned twice".into(), owned_twice(&frames).to_string(), "0".into());
    }
    expect("frames".into(), ledger.frames.len().to_string(), frames.len().to_string());
    for (frame, said) in frames.iter().zip(&ledger.frames) {
        let at = format!("frame {}", frame.index);
        expect(at.clone(), show(&said.account), show(&frame.whole()));
        for pass in 0..truth.passes {
            let (said, painted) = (said.pass(PassId(pass)), frame.pass(pass));
            expect(format!("{at} p{pass}"), show(&said.map(unshared)), show(&painted));
        }
        for (index, gate) in truth.gates.iter().enumerate() {
            expect(format!("{at} gate {index}"), show(&said.gate(index)), show(&frame.gate(gate)));
        }
        found_shares(frame, said, &mut expect);
    }
    found
}

/// Moments that two frames own, among frames that follow each other.
fn owned_twice(frames: &[Frame<'_>]) -> usize {
    let mut owned: BTreeMap<(u64, u64), u64> = BTreeMap::new();
    let mut twice = 0;
    for (position, frame) in frames.iter().enumerate() {
        if position > 0 && frames[position - 1].index + 1 != frame.index {
            owned.clear();
        }
        for line in &frame.lines {
            for tick in line.own.0..line.own.1 {
                twice += usize::from(owned.insert((line.line, tick), frame.index).is_some());
            }
        }
    }
    twice
}

/// The account without its attributed time, which is held against bounds instead.
fn unshared(account: PassAccount) -> PassAccount {
    PassAccount { attributed: Ticks(0), ..account }
}

fn show<T: std::fmt::Debug>(value: &T) -> String {
    format!("{value:?}")
}

/// Attributed times add up to the union, and none is further from its exact share than one tick per stretch of time
/// with the same passes open.
fn found_shares(frame: &Frame<'_>, said: &FrameLedger, expect: &mut impl FnMut(String, String, String)) {
    let mut sum = 0;
    for (pass, reading) in &said.passes {
        let Reading::Measured(account) = reading else { continue };
        sum += account.attributed.0;
        let (exact, stretches) = frame.share(pass.0);
        let off = (account.attributed.0 * 2520).abs_diff(exact);
        let what =
            format!("frame {} p{} attributed {} of {exact}/2520", frame.index, pass.0, account.attributed.0);
        expect(what, (off <= stretches * 2520).to_string(), "true".into());
    }
    let union: u64 = frame.lines.iter().map(|line| line.paint(|_, open, _| open != 0)).sum();
    expect(format!("frame {} sum of attributed", frame.index), sum.to_string(), union.to_string());
}

fn frames<'a>(truth: &'a Truth, floor: &Floor) -> Vec<Frame<'a>> {
    let reasons: Vec<Option<Reason>> = (0..truth.rows.len()).map(|row| reason(truth, row)).collect();
    let mut frames: Vec<Frame<'a>> = Vec::new();
    for &index in &truth.frames {
        let rows = || truth.rows.iter().zip(&reasons).filter(move |(row, _)| row.frame == index);
        let mut passes: BTreeMap<u16, Option<Reason>> = BTreeMap::new();
        for (row, _) in rows() {
            let own = || rows().filter(|(other, _)| other.pass == row.pass).map(|(_, reason)| reason.clone());
            let fault = own().flatten().find(|reason| *reason != Reason::NotExecuted);
            let ran = own().any(|reason| reason.is_none());
            passes.insert(row.pass, fault.or((!ran).then_some(Reason::NotExecuted)));
        }
        let runs: Vec<Run> = rows().filter_map(|(row, _)| run(row)).collect();
        let mut lines: Vec<u64> = runs.iter().map(|run| run.line).collect();
        lines.sort_unstable();
        lines.dedup();
        let counts = |run: &Run| passes.get(&run.pass) == Some(&None);
        let paint = |line: u64| {
            let floor = floor_of(&frames, index, line, floor, truth).filter(|_| truth.shared);
            Painted::new(line, floor, &runs, counts)
        };
        let lines = lines.into_iter().map(paint).collect();
        frames.push(Frame { index, runs, passes, shared: truth.shared, gates: &truth.gates, lines });
    }
    frames
}

fn run(row: &TrueRow) -> Option<Run> {
    let Fact::Run { line, start, end } = row.fact else { return None };
    Some(Run { line, submission: row.submission, pass: row.pass, start, end })
}

/// Why a row has no place. A pair that straddles a set-back shows as such only if runs on both sides confirm it.
fn reason(truth: &Truth, row: usize) -> Option<Reason> {
    let own = &truth.rows[row];
    match &own.fact {
        Fact::Run { .. } => None,
        Fact::Gone(reason) => Some(reason.clone()),
        Fact::Straddles => {
            let related = |other: &&TrueRow| {
                truth.shared || (other.frame, other.submission) == (own.frame, own.submission)
            };
            let ran = |rows: &[TrueRow]| rows.iter().filter(related).any(|row| run(row).is_some());
            let confirmed = ran(&truth.rows[..row]) && ran(&truth.rows[row + 1..]);
            Some(if confirmed { Reason::CounterReset } else { Reason::Reversed })
        }
    }
}

fn floor_of(before: &[Frame<'_>], index: u64, line: u64, floor: &Floor, truth: &Truth) -> Option<u64> {
    let last = before.last().filter(|frame| frame.index + 1 == index)?;
    let end = |frame: &Frame<'_>, pass: Option<u16>| {
        let runs =
            frame.runs.iter().filter(|run| run.line == line && pass.is_none_or(|pass| pass == run.pass));
        runs.map(|run| run.end).max()
    };
    match floor {
        Floor::None => None,
        Floor::LastPass => before.iter().filter_map(|frame| end(frame, None)).max(),
        Floor::Pass(name) => {
            let pass = truth.capture.pass_named(name)?.0;
            last.passes.get(&pass)?.is_none().then_some(())?;
            end(last, Some(pass))
        }
    }
}

impl Frame<'_> {
    fn counts(&self, run: &Run) -> bool {
        self.passes.get(&run.pass) == Some(&None)
    }

    fn set_back(&self) -> bool {
        let mut lines: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
        for run in &self.runs {
            lines.entry(if self.shared { 0 } else { run.submission }).or_default().push(run.line);
        }
        lines.values().any(|lines| lines.iter().any(|line| *line != lines[0]))
    }

    fn whole(&self) -> Reading<FrameAccount> {
        if self.set_back() {
            return Reading::Missing(Reason::CounterReset);
        }
        if self.runs.is_empty() {
            let reasons = || self.passes.values().flatten();
            let fault = reasons().find(|reason| **reason != Reason::NotExecuted);
            return Reading::Missing(fault.cloned().unwrap_or(Reason::NotExecuted));
        }
        let sum = |question: &dyn Fn(&Painted, u64, u16, bool) -> bool| {
            let line =
                |line: &Painted| line.paint(|tick, open, submitted| question(line, tick, open, submitted));
            Ticks(self.lines.iter().map(line).sum())
        };
        let pass_sum = self.runs.iter().filter(|run| self.counts(run)).map(|run| run.end - run.start).sum();
        let missing = Reading::Missing(Reason::Unsupported);
        let waits = sum(&|line, tick, _, submitted| line.is_own(tick) && !submitted);
        let hidden = sum(&|line, tick, open, _| open != 0 && tick < line.own.0);
        Reading::Measured(FrameAccount {
            owned: sum(&|line, tick, _, _| line.is_own(tick)),
            gpu_total: sum(&|line, tick, _, submitted| line.is_own(tick) && submitted),
            busy: sum(&|line, tick, open, _| line.is_own(tick) && open != 0),
            untimed: sum(&|line, tick, open, submitted| line.is_own(tick) && submitted && open == 0),
            waits: if self.lines.len() > 1 { missing.clone() } else { Reading::Measured(waits) },
            hidden: if self.shared { Reading::Measured(hidden) } else { missing },
            overlap: Ticks(pass_sum - sum(&|_, _, open, _| open != 0).0),
            pass_sum: Ticks(pass_sum),
        })
    }

    fn pass(&self, pass: u16) -> Reading<PassAccount> {
        match self.passes.get(&pass) {
            None => return Reading::Missing(Reason::NotExecuted),
            Some(Some(reason)) => return Reading::Missing(reason.clone()),
            Some(None) => {}
        }
        let mut account = PassAccount::default();
        for run in self.runs.iter().filter(|run| run.pass == pass) {
            account.duration.0 += run.end - run.start;
            let floor =
                self.lines.iter().find(|line| line.line == run.line).and_then(|line| line.floor).unwrap_or(0);
            account.exposed.0 += (run.start..run.end).filter(|&tick| tick >= floor).count() as u64;
        }
        account.alone.0 = self.lines.iter().map(|line| line.paint(|_, open, _| open == 1 << pass)).sum();
        Reading::Measured(account)
    }

    /// A pass's exact share of the union in 2520ths of a tick (which all counts up to 10 divide), and how many
    /// stretches of equal open passes it takes part in.
    fn share(&self, pass: u16) -> (u64, u64) {
        let (mut exact, mut stretches) = (0, 0);
        for line in &self.lines {
            let mut before = 0;
            for &open in &line.open {
                if open & 1 << pass != 0 {
                    exact += 2520 / u64::from(open.count_ones());
                    stretches += u64::from(open != before);
                }
                before = open;
            }
        }
        (exact, stretches)
    }

    fn gate(&self, gate: &GateDef) -> Reading<GateAccount> {
        let fault = |pass: u16| self.passes.get(&pass).and_then(Option::as_ref);
        let Some(opening) = self.passes.get(&gate.from.0) else {
            return Reading::Missing(Reason::NotExecuted);
        };
        if let Some(reason) = opening {
            return Reading::Missing(reason.clone());
        }
        if let Some(reason) = fault(gate.to.0).filter(|reason| **reason != Reason::NotExecuted) {
            return Reading::Missing(reason.clone());
        }
        if self.set_back() {
            return Reading::Missing(Reason::CounterReset);
        }
        let runs: Vec<&Run> =
            self.runs.iter().filter(|run| (gate.from.0..=gate.to.0).contains(&run.pass)).collect();
        let opens = runs.iter().filter(|run| run.pass == gate.from.0).map(|run| run.start).min().unwrap();
        let closes = runs.iter().map(|run| run.end).max().unwrap();
        let line = runs[0].line;
        if runs.iter().any(|run| run.line != line) {
            return Reading::Missing(Reason::Unsupported);
        }
        let line = self.lines.iter().find(|painted| painted.line == line).unwrap();
        let covered = line.paint(|tick, open, _| open != 0 && (opens..closes).contains(&tick));
        let before = line.paint(|tick, open, _| open != 0 && tick < opens);
        Reading::Measured(GateAccount {
            time: Ticks(closes - opens),
            covered: Ticks(covered),
            before: Ticks(before),
        })
    }
}
