//! Whether stamps are believed: known work of size 1, 2 and 4 held against wall time. In: figures of a trial.
//! Out: [`Trial`], with a verdict and its reason. The work itself is in `known_work.rs`.
//!
//! Why: on Mesa 22.3's lavapipe, once a render pass has run on the device, a compute pass's start stamp is written only
//! after its first dispatch: work of 18, 37 and 75 ms reads 0.06, 18 and 55 ms.

use std::time::Duration;

use framecost_sample::{Nanos, Reading, Reason, Semantics, Ticks};

/// A way of stamping passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Both stamps by wgpu's pass attachments.
    Attachments,
    /// The end by an attachment, the start in a command buffer of its own before the pass's. The GPU waits for each
    /// stamp to be taken before it goes on.
    OwnBuffer,
    /// Both past wgpu, in command buffers of their own: the start at the top of the pipe, the end at its bottom.
    TopBottom,
    /// As [`Self::TopBottom`], and the GPU waits for each stamp to be taken before it goes on.
    SettledTopBottom,
}

/// What was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Work {
    /// A compute pass alone in its submission, on a device on which a render pass has run.
    Compute,
    /// A render pass alone in its submission.
    Render,
    /// Both in one submission, the render pass first: their sum.
    Both,
    /// The compute pass of that submission, held against the same pass alone.
    ComputeAfterRender,
    /// A compute pass, held against so many times that of size 1.
    ComputeGrowth,
    /// A render pass, held against so many times that of size 1.
    RenderGrowth,
}

/// One work of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialRow {
    /// The work.
    pub work: Work,
    /// How many times the same work.
    pub size: u32,
    /// What the stamps say.
    pub stamped: Reading<Nanos>,
    /// What is due: the host's time from submission to completion, less that of a submission without work; or what other
    /// stamps say, where the work is held against other work.
    pub due: Nanos,
    /// How far the two may differ, as a fraction of what is due.
    pub tolerance: f64,
    /// How far they may differ beside that: what a host that slept through the work may take to wake up.
    pub slack: Nanos,
    /// How many of the tries lie within that, where each try can be held against what is due.
    pub agreeing: usize,
    /// Whether what is due was much the same in each try: no more than half as long again in one as in another.
    pub steady: bool,
}

/// One way of stamping, tried on known work.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The way.
    pub method: Method,
    /// Which attempt at this way, counted from 1. There is another only where the one before failed by noise.
    pub attempt: usize,
    /// What was tried, each with the figures of its least disturbed try.
    pub rows: Vec<TrialRow>,
    /// Tries of each work and size.
    pub tries: usize,
    /// The greatest step that all differences of stamps are multiples of.
    pub step: Reading<Ticks>,
    /// What the trial took.
    pub took: Duration,
    /// Why the stamps are not believed; nothing where they are.
    pub verdict: Result<(), String>,
}

/// All trials of one kind of stamps, each attempt its own: the mended way only where the plain one failed.
#[derive(Clone, Debug, PartialEq)]
pub struct ProofReport {
    /// In the order in which they were tried.
    pub trials: Vec<Trial>,
}

impl Method {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Attachments => "pass attachments",
            Self::OwnBuffer => "start stamp in a command buffer of its own, each waited for",
            Self::TopBottom => "top and bottom of pipe",
            Self::SettledTopBottom => "top and bottom of pipe, each waited for",
        }
    }

    /// Whether the GPU waits for each stamp.
    pub(crate) const fn settles(self) -> bool {
        matches!(self, Self::OwnBuffer | Self::SettledTopBottom)
    }

    /// Whether stamps go past wgpu.
    pub(crate) const fn is_raw(self) -> bool {
        matches!(self, Self::TopBottom | Self::SettledTopBottom)
    }

    /// What stamps of this method are, where attachments are `attachments`.
    pub(crate) const fn semantics(self, attachments: Semantics) -> Semantics {
        match self {
            Self::Attachments => attachments,
            Self::OwnBuffer => Semantics::OwnBufferBottom,
            Self::TopBottom | Self::SettledTopBottom => Semantics::TopBottom,
        }
    }
}

impl Work {
    /// Its name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Compute => "a compute pass",
            Self::Render => "a render pass",
            Self::Both => "a render and a compute pass",
            Self::ComputeAfterRender => "a compute pass after a render pass",
            Self::ComputeGrowth => "a compute pass beside the smallest",
            Self::RenderGrowth => "a render pass beside the smallest",
        }
    }
}

impl TrialRow {
    /// How many of these tries, each what was stamped and what was due, the row would allow.
    pub(crate) fn agreeing(&self, tries: impl Iterator<Item = (f64, f64)>) -> usize {
        tries.filter(|&(stamped, due)| self.allows(stamped, due, self.tolerance)).count()
    }

    /// Whether what is stamped is what is due.
    ///
    /// # Errors
    /// What is stamped instead, and what is allowed.
    fn judge(&self, tolerance: f64) -> Result<(), String> {
        let place = format!("{} of size {}", self.work.name(), self.size);
        match &self.stamped {
            Reading::Missing(reason) => Err(format!("{place} has no stamps ({reason})")),
            Reading::Measured(stamped) if self.allows(stamped.0, self.due.0, tolerance) => Ok(()),
            Reading::Measured(stamped) => {
                let (due, allowed) = (self.due, tolerance * 100.0);
                let slack = if self.slack.0 > 0.0 { format!(" and {}", self.slack) } else { String::new() };
                Err(format!("{place} reads {stamped} where {due} is due; {allowed:.0} %{slack} is allowed"))
            }
        }
    }

    fn allows(&self, stamped: f64, due: f64, tolerance: f64) -> bool {
        let off = stamped - due;
        let allowed = tolerance * due + self.slack.0;
        match self.work {
            // Due is what another submission took: this one may have been disturbed, but not have left work out.
            Work::ComputeAfterRender => off >= -allowed,
            _ => off.abs() <= allowed,
        }
    }
}

impl Trial {
    /// Whether its stamps are believed.
    #[must_use]
    pub const fn proven(&self) -> bool {
        self.verdict.is_ok()
    }

    /// A trial that could not be made.
    pub(crate) fn failed(method: Method, why: String) -> Self {
        Self {
            method,
            attempt: 1,
            rows: Vec::new(),
            tries: 0,
            step: Reading::Missing(Reason::NotExecuted),
            took: Duration::ZERO,
            verdict: Err(why),
        }
    }
}

impl ProofReport {
    /// The first method whose stamps are believed.
    #[must_use]
    pub fn method(&self) -> Option<Method> {
        self.trials.iter().find(|trial| trial.proven()).map(|trial| trial.method)
    }

    /// The clock's step, from the trial that saw the finest.
    #[must_use]
    pub fn step(&self) -> Option<Ticks> {
        self.trials.iter().filter_map(|trial| trial.step.measured().copied()).min()
    }

    /// A way that cannot be tried.
    pub(crate) fn failed(method: Method, why: String) -> Self {
        Self { trials: vec![Trial::failed(method, why)] }
    }
}

/// Judges a trial's figures.
///
/// # Errors
/// The first figure that is off: which, by how much, and what is allowed.
pub(crate) fn judge(rows: &[TrialRow]) -> Result<(), String> {
    if rows.is_empty() {
        return Err("nothing was tried".into());
    }
    rows.iter().try_for_each(|row| row.judge(row.tolerance))
}

/// Whether more tries cannot change the verdict: a figure is off by half of what is due, and right in no try.
pub(crate) fn hopeless(rows: &[TrialRow]) -> bool {
    let far_off = |row: &TrialRow| row.work != Work::ComputeAfterRender && row.judge(0.5).is_err();
    rows.iter().any(|row| far_off(row) && row.agreeing == 0)
}

/// Whether these times are much the same.
pub(crate) fn steady(times: impl Iterator<Item = f64> + Clone) -> bool {
    let (least, most) = (times.clone().fold(f64::INFINITY, f64::min), times.fold(0.0, f64::max));
    most <= 1.5 * least
}

/// Whether a busy machine explains what failed: each figure that is off agrees in some of its tries, or was held against
/// times of the same work that differ among themselves. On a machine that does nothing else, stamps that leave work out or
/// have a wrong period are off in every try, by the same; a stamp that is missing is no noise either.
fn is_noise(rows: &[TrialRow]) -> bool {
    let off = |row: &&TrialRow| row.judge(row.tolerance).is_err();
    let scattered = |row: &TrialRow| row.stamped.measured().is_some() && (row.agreeing > 0 || !row.steady);
    !rows.is_empty() && rows.iter().filter(off).all(scattered)
}

/// Attempts at one way of stamping, each kept: another one only after one that failed by noise, and three at most.
pub(crate) fn attempts(mut once: impl FnMut() -> Trial) -> Vec<Trial> {
    const MOST: usize = 3;
    let mut trials = Vec::new();
    loop {
        let trial = Trial { attempt: trials.len() + 1, ..once() };
        let again = !trial.proven() && is_noise(&trial.rows) && trial.attempt < MOST;
        trials.push(trial);
        if !again {
            return trials;
        }
    }
}

/// The greatest step that the stamps' differences are all multiples of: what the clock advances by, however far apart
/// the stamps are. Missing where fewer than eight different stamps were seen.
pub(crate) fn step(mut stamps: Vec<u64>) -> Reading<Ticks> {
    stamps.sort_unstable();
    stamps.dedup();
    if stamps.len() < 8 {
        return Reading::Missing(Reason::NotAvailable);
    }
    let step = stamps.windows(2).fold(0, |step, pair| gcd(pair[1] - pair[0], step));
    Reading::Measured(Ticks(step))
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOFTWARE: f64 = 0.15;
    const HARDWARE: f64 = 0.02;

    /// Rows of sizes 1, 2 and 4 from stamped and due times in milliseconds.
    fn rows(stamped: [f64; 3], due: [f64; 3], tolerance: f64) -> Vec<TrialRow> {
        let row = |i: usize| TrialRow {
            work: Work::Compute,
            size: [1, 2, 4][i],
            stamped: Reading::Measured(Nanos(stamped[i] * 1e6)),
            due: Nanos(due[i] * 1e6),
            tolerance,
            slack: Nanos(0.0),
            agreeing: 0,
            steady: true,
        };
        (0..3).map(row).collect()
    }

    fn text(rows: &[TrialRow]) -> String {
        judge(rows).err().unwrap_or_else(|| "believed".into())
    }

    // Figures of lavapipe, Mesa 22.3.6, after a render pass.
    #[test]
    fn lavapipes_attachments_are_refused_and_its_own_buffers_believed() {
        let due = [18.2, 37.1, 74.8];
        let attachments = rows([0.06, 18.0, 55.0], due, SOFTWARE);
        assert_eq!(
            text(&attachments),
            "a compute pass of size 1 reads 60.00 us where 18.20 ms is due; 15 % is allowed"
        );
        assert!(hopeless(&attachments));
        let mut scattered = attachments;
        scattered.iter_mut().for_each(|row| row.agreeing = 1);
        assert!(!hopeless(&scattered), "what agrees in a try may agree in more");
        assert_eq!(text(&rows([18.0, 37.0, 75.0], due, SOFTWARE)), "believed");
    }

    // Figures of an H200, driver 580.159.04.
    #[test]
    fn the_h200s_attachments_are_believed() {
        assert_eq!(text(&rows([0.214, 0.425, 0.847], [0.215, 0.427, 0.850], HARDWARE)), "believed");
    }

    // Figures of the H200 with work of 11 ms, for which the host slept: 0.2 to 0.3 ms more at every size.
    #[test]
    fn a_host_that_wakes_late_is_no_fault_of_the_stamps() {
        let mut rows = rows([11.265, 22.546, 45.082], [11.74, 22.85, 45.38], HARDWARE);
        assert!(judge(&rows).is_err());
        rows.iter_mut().for_each(|row| row.slack = Nanos(0.4e6));
        assert_eq!(text(&rows), "believed");
        rows[2].stamped = Reading::Measured(Nanos(33.0e6));
        let expected =
            "a compute pass of size 4 reads 33.00 ms where 45.38 ms is due; 2 % and 400.0 us is allowed";
        assert_eq!(text(&rows), expected);
    }

    // Research item 2.11: periods off by 80, by 41.667, by 10.
    #[test]
    fn a_wrong_period_is_seen_against_the_wall() {
        for factor in [1.0 / 80.0, 41.667, 0.1, 0.9] {
            let due = [10.0, 20.0, 40.0];
            let text = text(&rows(due.map(|time| time * factor), due, 0.05));
            assert!(text.starts_with("a compute pass of size 1 reads"), "{factor}: {text}");
            assert!(text.ends_with("where 10.00 ms is due; 5 % is allowed"), "{text}");
        }
    }

    // Research items 2.15, 2.18, 2.20: zeros, equal stamps, stamps of the command processor alone.
    #[test]
    fn missing_equal_and_tiny_stamps_are_refused() {
        let due = [10.0, 20.0, 40.0];
        let mut missing = rows(due, due, 0.1);
        missing[1].stamped = Reading::Missing(Reason::Zero);
        assert_eq!(text(&missing), "a compute pass of size 2 has no stamps (zero)");
        for tiny in [0.0, 0.002] {
            assert!(judge(&rows([tiny; 3], due, 0.1)).is_err(), "{tiny}");
        }
        assert_eq!(text(&[]), "nothing was tried");
    }

    // Research item 2.4: a gap between two callbacks reads the same whatever the load.
    #[test]
    fn a_time_that_does_not_grow_with_the_work_is_refused() {
        let text = text(&rows([16.7, 16.7, 16.7], [15.0, 30.0, 60.0], 0.15));
        assert_eq!(text, "a compute pass of size 2 reads 16.70 ms where 30.00 ms is due; 15 % is allowed");
    }

    /// Attempts whose size 2 reads so in turn, each with so many of its tries within the tolerance, on a steady machine.
    fn attempted(readings: &[(Reading<Nanos>, usize)]) -> Vec<Trial> {
        let mut left = readings.iter();
        attempts(|| {
            let due = [10.0, 20.0, 40.0];
            let mut rows = rows(due, due, SOFTWARE);
            let (stamped, agreeing) = left.next().unwrap().clone();
            (rows[1].stamped, rows[1].agreeing) = (stamped, agreeing);
            Trial { verdict: judge(&rows), rows, ..Trial::failed(Method::Attachments, String::new()) }
        })
    }

    #[test]
    fn only_what_fails_in_some_tries_and_not_in_others_is_tried_again() {
        let at = |ms: f64| Reading::Measured(Nanos(ms * 1e6));
        let verdicts = |readings: &[(Reading<Nanos>, usize)]| -> Vec<(usize, bool)> {
            attempted(readings).iter().map(|trial| (trial.attempt, trial.proven())).collect()
        };
        assert_eq!(verdicts(&[(at(20.0), 9)]), [(1, true)]);
        assert_eq!(verdicts(&[(at(12.0), 2), (at(20.0), 7)]), [(1, false), (2, true)], "a busy machine");
        assert_eq!(
            verdicts(&[(at(12.0), 2), (at(13.0), 1), (at(14.0), 3)]),
            [(1, false), (2, false), (3, false)],
            "three at most"
        );
        assert_eq!(verdicts(&[(at(12.0), 0)]), [(1, false)], "off in every try");
        assert_eq!(verdicts(&[(at(12.0), 2), (at(12.0), 0)]), [(1, false), (2, false)]);
        assert_eq!(verdicts(&[(Reading::Missing(Reason::Zero), 5)]), [(1, false)], "a missing stamp");
        let failed = || Trial::failed(Method::Attachments, "known work did not complete".into());
        assert_eq!(attempts(failed).len(), 1, "nothing was tried");
    }

    #[test]
    fn a_verdict_of_an_unsteady_machine_is_tried_again() {
        let mut left = [false, true].into_iter();
        let trials = attempts(|| {
            let mut rows = rows([1.0; 3], [10.0, 20.0, 40.0], SOFTWARE);
            let steady = left.next().unwrap();
            rows.iter_mut().for_each(|row| row.steady = steady);
            Trial { verdict: judge(&rows), rows, ..Trial::failed(Method::Attachments, String::new()) }
        });
        assert_eq!(trials.len(), 2, "the steady one's word is final");
        assert!(steady([10.0, 14.9].into_iter()) && !steady([10.0, 15.1].into_iter()));
        assert!(!steady([-1.0, 10.0].into_iter()), "less than a submission without work");
    }

    #[test]
    fn a_try_agrees_by_its_own_due_time() {
        let row = &rows([20.0; 3], [20.0; 3], SOFTWARE)[0];
        let tries = [(20e6, 21e6), (20e6, 40e6), (1e6, 20e6)];
        assert_eq!(row.agreeing(tries.into_iter()), 1);
    }

    #[test]
    fn the_step_is_found_however_far_apart_the_stamps_are() {
        let stamps =
            |step: u64| (0..40u64).map(move |i| 7 + step * (i * i * 31 + i * 16)).collect::<Vec<_>>();
        for of in [1, 32, 1000, 100_000] {
            assert_eq!(step(stamps(of)), Reading::Measured(Ticks(of)));
        }
        assert_eq!(step(vec![5; 100]), Reading::Missing(Reason::NotAvailable), "one stamp tells nothing");
    }
}
