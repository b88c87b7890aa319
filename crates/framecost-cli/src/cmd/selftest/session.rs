//! Comparisons on one open device. In: two sets of switches. Out: the judgement of freshly measured pairs.

use std::time::Instant;

use anyhow::{Error, Result};
use framecost::Analysis;
use framecost::account::Floor;
use framecost::judge::{Across, Config, Judgement};
use framecost_harness::{Benchmark, Event, Injected, Observer, Phase, Plan, RunError, RunRecord, Session};
use framecost_sample::Switches;

use super::Args;
use crate::capture::analyse;
use crate::cmd::bench::names::variants;
use crate::cmd::pairs::judge_pairs;
use crate::interrupt;
use crate::progress::Progress;

/// A device, a scene with room for extra work, and how it is measured.
pub(super) struct Bench<'a> {
    scene: Injected<'a>,
    plan: Plan,
    config: &'a Config,
    session: Session,
    pub(super) progress: Progress,
    /// The scene's switches as they were asked for.
    pub(super) asked: Switches,
    started: Instant,
    comparisons: u32,
}

impl<'a> Bench<'a> {
    pub(super) fn open(args: &Args, scene: &'a dyn Benchmark, config: &'a Config) -> Result<Self> {
        let scene = Injected::new(scene);
        let asked = variants(&args.set, &[])?.remove(0);
        let plan = Plan {
            size: args.size,
            frames: Some(args.frames),
            warm_up: args.warmup,
            // What stamping costs is no part of the answer, and meets both of a pair.
            calibration_pairs: 0,
            interleave: args.interleave.into(),
            reuse: !args.rebuild,
            twins: true,
            // Asking a tool for clocks takes longer than a run does, and nobody keeps these captures.
            watch: false,
            variants: vec![asked.clone(), asked.clone()],
            adapter: args.adapter.clone(),
            ..Plan::default()
        };
        let session = Session::open(&scene, &plan)?;
        let progress = Progress::of("comparisons");
        Ok(Self { scene, plan, config, session, progress, asked, started: Instant::now(), comparisons: 0 })
    }

    pub(super) fn scene(&self) -> &dyn Benchmark {
        &self.scene
    }

    pub(super) fn adapter(&self) -> String {
        self.session.adapter().name.clone()
    }

    pub(super) const fn config(&self) -> &Config {
        self.config
    }

    /// So many comparisons are to come; the clock starts.
    pub(super) fn expect(&mut self, comparisons: u64) {
        self.progress.expect(comparisons);
        self.started = Instant::now();
        self.comparisons = 0;
    }

    /// Wall time of a comparison since [`Self::expect`]; none where there was none.
    pub(super) fn seconds_each(&self) -> Option<f64> {
        (self.comparisons > 0).then(|| self.started.elapsed().as_secs_f64() / f64::from(self.comparisons))
    }

    /// Measures pairs of the two, on scenes loaded for them alone, and judges the second of each against the first.
    pub(super) fn compare(&mut self, without: &Switches, with: &Switches, pairs: u32) -> Result<Judgement> {
        let (runs, baseline) = self.pairs(without, with, pairs)?;
        self.comparisons += 1;
        self.progress.advance();
        let across = Across { switches: true, ..Across::NOTHING };
        Ok(judge_pairs(&runs, &baseline, self.config, across))
    }

    /// Runs of the second and of the first, pair by pair.
    pub(super) fn pairs(
        &mut self,
        without: &Switches,
        with: &Switches,
        pairs: u32,
    ) -> Result<(Vec<Analysis>, Vec<Analysis>)> {
        let plan =
            Plan { variants: vec![without.clone(), with.clone()], repeats: pairs, ..self.plan.clone() };
        let mut watcher = Watcher { progress: &mut self.progress };
        let mut records = self.session.run(&self.scene, &plan, &mut watcher).map_err(told)?;
        records.sort_by_key(|record| record.repeat);
        let of = |variant: usize| {
            let own = records.iter().filter(|record: &&RunRecord| record.variant == variant);
            own.map(|record| analyse(record.capture.clone(), &Floor::default())).collect::<Result<Vec<_>>>()
        };
        Ok((of(1)?, of(0)?))
    }
}

/// That somebody stopped it, in words of this command: there are no captures.
fn told(error: RunError) -> Error {
    match error {
        RunError::Interrupted { .. } => Error::msg("stopped: rates of part of the comparisons are not shown"),
        other => other.into(),
    }
}

/// Keeps the bar alive and listens for Ctrl-C.
struct Watcher<'a> {
    progress: &'a mut Progress,
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Frame { phase: Phase::Measured, .. }) {
            self.progress.look();
        }
    }

    fn stop(&mut self) -> bool {
        interrupt::asked()
    }
}
