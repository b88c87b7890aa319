//! How much extra work makes a frame longer by the part that was asked for. In: a bench. Out: the switches without and with it.
//!
//! Time grows by the same step for each round of extra work, so one measurement of much extra work, in which noise matters
//! little, says how much is wanted; a second one holds it against the wish.

use anyhow::{Result, bail};
use framecost::Analysis;
use framecost::judge::Scale;
use framecost_harness::{Injected, RunError, Yardstick, resolve};
use framecost_sample::{Nanos, Switches, metric_names};

use super::Args;
use super::session::Bench;
use crate::exit::WrongUse;
use crate::output::clean;

/// What a frame of the yardstick is to take at least: many times the noise floor and what a stamp costs.
const FRAME: Nanos = Nanos(2e6);
/// Extra work is measured where it makes up at least this part of the frame.
const MUCH: f64 = 0.5;
/// How far from the wish the amount may be, as a part of it: 4 to 6 % where 5 % were asked for.
const TOLERANCE: f64 = 0.2;
const ROUNDS: u32 = 12;
const PAIRS: u32 = 3;

/// The two that are compared.
pub(super) struct Change {
    pub(super) without: Switches,
    pub(super) with: Switches,
    /// For people.
    pub(super) what: String,
}

/// The change that was asked for.
pub(super) fn find(args: &Args, bench: &mut Bench<'_>) -> Result<Change> {
    if let Some(set) = &args.change {
        let without = bench.asked.clone();
        let mut with = without.clone();
        with.0.insert(set.name.clone(), set.value.clone());
        let info = bench.scene().info();
        for asked in [&without, &with] {
            resolve(&info.name, &info.switches, asked).map_err(|fault| RunError::Plan(fault.into()))?;
        }
        return Ok(Change { without, with, what: format!("{}={}", set.name, set.value) });
    }
    if args.scene.is_none() {
        fit_yardstick(bench)?;
    }
    let rounds = rounds(args.inject, bench)?;
    let without = Injected::switches(&bench.asked, 0);
    let with = Injected::switches(&bench.asked, rounds);
    Ok(Change { without, with, what: format!("{rounds} rounds of extra work") })
}

/// Gives the yardstick so much work that a frame takes its time on this adapter.
fn fit_yardstick(bench: &mut Bench<'_>) -> Result<()> {
    let mut rounds = 1000;
    loop {
        bench.asked.0.insert(Yardstick::ROUNDS.into(), rounds.to_string());
        let twice = bench.asked.clone();
        let (_, runs) = bench.pairs(&twice, &twice, 1)?;
        let frame = gpu_total(&runs)?;
        if frame >= FRAME.0 || rounds >= Yardstick::MOST {
            return Ok(());
        }
        // A frame that hardly takes any time says little of how much more it needs.
        let more = (FRAME.0 / frame.max(1.0) * 1.1).clamp(1.2, 8.0);
        rounds = scaled(rounds, more).min(Yardstick::MOST);
    }
}

/// The rounds that make the median frame longer by that part.
fn rounds(part: f64, bench: &mut Bench<'_>) -> Result<u64> {
    let without = Injected::switches(&bench.asked, 0);
    let mut change = |rounds: u64| -> Result<f64> {
        let with = Injected::switches(&bench.asked.clone(), rounds);
        change_of(bench, &without, &with)
    };
    let mut much = 1000;
    let mut found = change(much)?;
    for _ in 0..ROUNDS {
        if found >= MUCH || much >= Injected::MOST {
            break;
        }
        much = scaled(much, (1.5 * MUCH / found.max(0.05)).clamp(1.5, 8.0)).min(Injected::MOST);
        found = change(much)?;
    }
    let mut rounds = much;
    for _ in 0..ROUNDS {
        if found <= 0.0 {
            break;
        }
        rounds = scaled(rounds, part / found).clamp(1, Injected::MOST);
        found = change(rounds)?;
        if (found / part - 1.0).abs() <= TOLERANCE {
            return Ok(rounds);
        }
    }
    bail!(
        "no amount of extra work makes the frame {:.1} % longer, within a fifth of that: {rounds} rounds make it {:.1} % longer; \
         the machine is too busy, or the frame too short",
        100.0 * part,
        100.0 * found
    )
}

/// By which part the frame's GPU time grows.
fn change_of(bench: &mut Bench<'_>, without: &Switches, with: &Switches) -> Result<f64> {
    let judgement = bench.compare(without, with, PAIRS)?;
    let row = judgement.rows.iter().find(|row| super::rates::is_frame(row));
    let Some(row) = row else {
        bail!("the frame's GPU time is not judged; framecost.toml leaves {} out", metric_names::GPU_TOTAL)
    };
    match &row.evidence {
        Some(evidence) if evidence.scale == Scale::Ratio => Ok(evidence.change),
        Some(_) => bail!(WrongUse(format!(
            "the frame takes less than the noise floor of {}: nothing so short is judged by parts; take a larger --size",
            bench.config().floor_gpu
        ))),
        None => bail!(
            "the frame's GPU time cannot be had: {}",
            clean(row.verdict.reason().unwrap_or("no frame was measured"))
        ),
    }
}

/// The median GPU time of the first run's frames, in nanoseconds.
fn gpu_total(runs: &[Analysis]) -> Result<f64> {
    let row = runs.first().and_then(|run| run.summaries.of_frame(metric_names::GPU_TOTAL));
    match row.and_then(|row| row.stats.as_ref()) {
        Some(stats) => Ok(stats.median),
        None => {
            let why = row.and_then(|row| row.missing.keys().next());
            bail!(
                "the frame's GPU time cannot be had: {}",
                why.map_or_else(|| "not stamped".into(), ToString::to_string)
            )
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a number of rounds, rounded"
)]
fn scaled(rounds: u64, by: f64) -> u64 {
    (rounds as f64 * by).round() as u64
}
