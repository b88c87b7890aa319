//! One frame's accounts. In: its rows in place, its floor. Out: its ledger.

use framecost_sample::{GateDef, PassId, Reading, Reason, Stamp, Ticks};

use super::cover::Cover;
use super::floor::Moment;
use super::share::{Share, Shared, split};
use super::timeline::{Row, Run};
use super::{FrameAccount, FrameLedger, PassAccount, gate};

/// What a frame's accounts are made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameInput<'a> {
    /// The frame's index on the path.
    pub(super) frame: u64,
    /// Who comes first when ticks are left over.
    pub(super) turn: u64,
    /// The frame's rows as recorded.
    pub(super) stamps: &'a [Stamp],
    /// The same rows in place.
    pub(super) rows: &'a [Row],
    /// Where the frame's own time begins, on the line that it is on.
    pub(super) floor: Option<Moment>,
    /// The counter was set back between two runs of the frame.
    pub(super) set_back: bool,
    /// Whether submissions share a line.
    pub(super) shared: bool,
    /// Half the clock's range: a frame that takes as long has no order.
    pub(super) half_range: u64,
}

/// A pass that the frame has rows of.
#[derive(Clone, Debug)]
pub(super) struct PassRows {
    pub(super) id: PassId,
    /// Why the pass has no account. A run that was not executed makes a pass missing only if no run was.
    pub(super) missing: Option<Reason>,
}

/// A run in ticks since its line's earliest start in the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct LocalRun {
    /// Index among the frame's passes.
    pub(super) pass: usize,
    /// Index among the frame's lines.
    pub(super) line: usize,
    pub(super) submission: u32,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// A frame's part on one line.
#[derive(Debug)]
pub(super) struct LineWork {
    /// From the earliest start to the latest end.
    extent: u64,
    /// Where the frame's own time begins; may lie past the extent.
    cut: u64,
    /// Spans of the submissions, of all valid runs.
    spans: Cover,
    /// The passes that have an account.
    pub(super) passes: Cover,
}

/// A frame's rows, sorted out.
#[derive(Debug)]
pub(super) struct Work<'a> {
    input: FrameInput<'a>,
    /// Ascending.
    passes: Vec<PassRows>,
    /// All valid runs, by pass, then as recorded.
    runs: Vec<LocalRun>,
    pub(super) lines: Vec<LineWork>,
}

/// A frame's ledger, and which gates ended without knowing all their passes.
#[derive(Debug)]
pub(super) struct Accounted {
    pub(super) ledger: FrameLedger,
    pub(super) gates_unsure: Vec<usize>,
}

/// Accounts one frame.
///
/// A pass of which a run lacks a stamp has no account, and its other runs count in no union either: their moments are
/// `untimed`, as those of the run that was lost. They still say how far the frame and its submissions reached.
pub(super) fn account(input: FrameInput<'_>, gates: &[GateDef]) -> Accounted {
    let passes = pass_rows(&input);
    match Work::new(input, passes.clone()) {
        Ok(work) => work.account(gates),
        Err(reason) => Accounted { ledger: lost(&input, passes, gates, &reason), gates_unsure: Vec::new() },
    }
}

/// The ledger of a frame whose valid runs are beyond any timeline: everything that would have been measured is missing.
fn lost(input: &FrameInput<'_>, passes: Vec<PassRows>, gates: &[GateDef], reason: &Reason) -> FrameLedger {
    let missing =
        |pass: PassRows| (pass.id, Reading::Missing(pass.missing.unwrap_or_else(|| reason.clone())));
    FrameLedger {
        frame: input.frame,
        account: Reading::Missing(reason.clone()),
        passes: passes.into_iter().map(missing).collect(),
        gates: gates.iter().map(|_| Reading::Missing(reason.clone())).collect(),
    }
}

/// The passes that the frame has rows of, ascending, each with the first reason that a row of it gives.
fn pass_rows(input: &FrameInput<'_>) -> Vec<PassRows> {
    let mut order: Vec<(PassId, usize)> =
        input.stamps.iter().enumerate().map(|(row, stamp)| (stamp.pass, row)).collect();
    order.sort_unstable();
    let rows = |group: &[(PassId, usize)]| {
        let reasons = || group.iter().filter_map(|&(_, row)| input.rows[row].as_ref().err());
        let fault = reasons().find(|reason| **reason != Reason::NotExecuted).cloned();
        let idle = (reasons().count() == group.len()).then_some(Reason::NotExecuted);
        PassRows { id: group[0].0, missing: fault.or(idle) }
    };
    order.chunk_by(|a, b| a.0 == b.0).map(rows).collect()
}

impl<'a> Work<'a> {
    /// Sorts the rows out.
    ///
    /// # Errors
    /// The runs spread over half the clock's range or more, or add up to more than 64 bits hold: the counter was set
    /// back in a way that reads as a step forward.
    fn new(input: FrameInput<'a>, passes: Vec<PassRows>) -> Result<Self, Reason> {
        let mut work = Self { input, passes, runs: Vec::new(), lines: Vec::new() };
        let valid: Vec<&Run> = input.rows.iter().flatten().collect();
        let (mut extents, mut durations) = (0u64, 0u64);
        for runs in valid.chunk_by(|a, b| a.line == b.line) {
            let local = work.local(runs)?;
            let line = work.line(runs[0], &local)?;
            extents = extents.checked_add(line.extent).ok_or(Reason::CounterReset)?;
            for run in &local {
                durations = durations.checked_add(run.end - run.start).ok_or(Reason::CounterReset)?;
            }
            work.lines.push(line);
            work.runs.extend(local);
        }
        work.runs.sort_by_key(|run| run.pass);
        Ok(work)
    }

    /// The runs of one line in ticks since the earliest start.
    fn local(&self, runs: &[&Run]) -> Result<Vec<LocalRun>, Reason> {
        let origin = runs.iter().map(|run| run.start).min().unwrap_or(0);
        let since = |at: i128| u64::try_from(at - origin).map_err(|_| Reason::CounterReset);
        let local = |run: &&Run| {
            let pass = self.passes.partition_point(|pass| pass.id < run.pass);
            let (start, end) = (since(run.start)?, since(run.end)?);
            Ok(LocalRun { pass, line: self.lines.len(), submission: run.submission, start, end })
        };
        runs.iter().map(local).collect()
    }

    /// A line's extent and unions, from its runs as recorded, of which `first` is the first.
    fn line(&self, first: &Run, local: &[LocalRun]) -> Result<LineWork, Reason> {
        let extent = local.iter().map(|run| run.end).max().unwrap_or(0);
        if extent >= self.input.half_range {
            return Err(Reason::CounterReset);
        }
        let origin = first.start - local.first().map_or(0, |run| i128::from(run.start));
        let cut = match self.input.floor {
            Some(floor) if floor.line == first.line => (floor.at - origin).max(0),
            _ => 0,
        };
        let span = |runs: &[LocalRun]| {
            let start = runs.iter().map(|run| run.start).min().unwrap_or(0);
            (start, runs.iter().map(|run| run.end).max().unwrap_or(start))
        };
        let counted = local.iter().filter(|run| self.counts(run));
        Ok(LineWork {
            extent,
            cut: u64::try_from(cut).unwrap_or(u64::MAX),
            spans: Cover::of(local.chunk_by(|a, b| a.submission == b.submission).map(span).collect()),
            passes: Cover::of(counted.map(|run| (run.start, run.end)).collect()),
        })
    }

    /// Whether the run's pass has an account.
    fn counts(&self, run: &LocalRun) -> bool {
        self.passes[run.pass].missing.is_none()
    }

    fn account(&self, gates: &[GateDef]) -> Accounted {
        let passes = self.passes.iter().map(|pass| pass.id).zip(self.pass_accounts()).collect();
        let gates = if self.passes.is_empty() { &[] } else { gates };
        let ledger = FrameLedger {
            frame: self.input.frame,
            account: self.whole(),
            passes,
            gates: gates.iter().map(|gate| gate::account(gate, self)).collect(),
        };
        let unsure = |&index: &usize| {
            ledger.gates[index].measured().is_some() && gate::lacks_a_pass(&gates[index], self)
        };
        let gates_unsure = (0..gates.len()).filter(unsure).collect();
        Accounted { ledger, gates_unsure }
    }

    /// The frame as a whole.
    fn whole(&self) -> Reading<FrameAccount> {
        if self.input.set_back {
            return Reading::Missing(Reason::CounterReset);
        }
        if self.lines.is_empty() {
            let fault = self.passes.iter().find(|pass| pass.is_invalid());
            let reason = fault.and_then(|pass| pass.missing.clone());
            return Reading::Missing(reason.unwrap_or(Reason::NotExecuted));
        }
        let sum = |part: fn(&LineWork) -> u64| self.lines.iter().map(part).sum::<u64>();
        let owned = sum(|line| line.extent.saturating_sub(line.cut));
        let gpu_total = sum(|line| line.spans.between(line.cut, line.extent));
        let busy = sum(|line| line.passes.between(line.cut, line.extent));
        let union = sum(|line| line.passes.before(u64::MAX));
        let pass_sum = self.runs.iter().filter(|run| self.counts(run)).map(|run| run.end - run.start).sum();
        // Submissions that share no timeline have no time between them.
        let apart = self.lines.len() > 1;
        let missing = Reading::Missing(Reason::Unsupported);
        Reading::Measured(FrameAccount {
            owned: Ticks(owned),
            gpu_total: Ticks(gpu_total),
            busy: Ticks(busy),
            untimed: Ticks(gpu_total - busy),
            waits: if apart { missing.clone() } else { Reading::Measured(Ticks(owned - gpu_total)) },
            hidden: if self.input.shared { Reading::Measured(Ticks(union - busy)) } else { missing },
            overlap: Ticks(pass_sum - union),
            pass_sum: Ticks(pass_sum),
        })
    }

    /// Each pass, in the order of `passes`.
    fn pass_accounts(&self) -> Vec<Reading<PassAccount>> {
        let mut accounts = vec![PassAccount::default(); self.passes.len()];
        for run in &self.runs {
            let (account, cut) = (&mut accounts[run.pass], self.lines[run.line].cut);
            account.duration.0 += run.end - run.start;
            account.exposed.0 += run.end - run.end.min(run.start.max(cut));
        }
        self.share(&mut accounts);
        let reading = |(pass, account): (&PassRows, PassAccount)| match &pass.missing {
            Some(reason) => Reading::Missing(reason.clone()),
            None => Reading::Measured(account),
        };
        self.passes.iter().zip(accounts).map(reading).collect()
    }

    /// Shares each line's union among the passes that ran on it.
    fn share(&self, accounts: &mut [PassAccount]) {
        let mut by_line: Vec<&LocalRun> = self.runs.iter().filter(|run| self.counts(run)).collect();
        by_line.sort_by_key(|run| run.line); // stable: by pass within a line
        let mut turn = self.input.turn;
        for runs in by_line.chunk_by(|a, b| a.line == b.line) {
            let mut passes: Vec<usize> = runs.iter().map(|run| run.pass).collect();
            passes.dedup();
            let local = |run: &&LocalRun| Shared {
                pass: passes.partition_point(|&pass| pass < run.pass),
                start: run.start,
                end: run.end,
            };
            let runs: Vec<Shared> = runs.iter().map(local).collect();
            for (&pass, share) in passes.iter().zip(split(&runs, passes.len(), &mut turn)) {
                let Share { alone, attributed } = share;
                accounts[pass].alone.0 += alone;
                accounts[pass].attributed.0 += attributed;
            }
        }
    }

    /// The counter was set back between two runs of the frame.
    pub(super) fn set_back(&self) -> bool {
        self.input.set_back
    }

    /// The frame's passes from `from` to `to`, both included.
    pub(super) fn passes_between(&self, from: PassId, to: PassId) -> &[PassRows] {
        let first = self.passes.partition_point(|pass| pass.id < from);
        let end = self.passes.partition_point(|pass| pass.id <= to);
        &self.passes[first..end.max(first)]
    }

    /// The valid runs of the passes from `from` to `to`, both included.
    pub(super) fn runs_between(&self, from: PassId, to: PassId) -> &[LocalRun] {
        let id = |run: &LocalRun| self.passes[run.pass].id;
        let first = self.runs.partition_point(|run| id(run) < from);
        let end = self.runs.partition_point(|run| id(run) <= to);
        &self.runs[first..end.max(first)]
    }
}

impl PassRows {
    /// The pass ran, but a stamp of it is missing.
    pub(super) fn is_invalid(&self) -> bool {
        self.missing.as_ref().is_some_and(|reason| *reason != Reason::NotExecuted)
    }
}
