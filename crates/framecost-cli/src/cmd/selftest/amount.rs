//! How much extra work makes a frame longer by the part that was asked for. In: a bench. Out: the switches without and with it.
//!
//! Time grows by the same step for each round of extra work, so one measurement of much extra work, in which noise matters
//! little, says how much is wanted; further ones hold that against the wish.

use anyhow::{Result, bail};
use framecost::Analysis;
use framecost::judge::Scale;
use framecost::stats::Interval;
use framecost_harness::{Injected, RunError, Yardstick, resolve};
use framecost_sample::{Nanos, Switches, metric_names};

use super::Args;
use super::session::Bench;
use crate::exit::WrongUse;
use crate::output::clean;

/// What a frame of the yardstick is to take at least: many times the noise floor and what a stamp costs.
const FRAME: Nanos = Nanos(1e6);
/// Extra work is measured where it makes up at least this part of the frame.
const MUCH: f64 = 0.5;
/// How far from the wish the amount may be, as a part of it: 4 to 6 % where 5 % were asked for.
const TOLERANCE: f64 = 0.2;
/// Measurements until that is given up, pairs of each, and how many pairs settle what they cannot make sure.
const TRIES: u32 = 16;
const PAIRS: u32 = 5;
const ENOUGH: usize = 25;

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
    if args.injected() == 0 {
        let without = Injected::switches(&bench.asked, 0);
        return Ok(Change { with: without.clone(), without, what: "none".into() });
    }
    let rounds = rounds(args.inject, bench)?;
    let without = Injected::switches(&bench.asked, 0);
    let with = Injected::switches(&bench.asked, rounds);
    Ok(Change { without, with, what: format!("{rounds} rounds of extra work") })
}

/// Gives the yardstick so much work that a frame takes its time on this adapter.
fn fit_yardstick(bench: &mut Bench<'_>) -> Result<()> {
    let mut rounds = 50;
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
    let mut rounds = much(part, bench)?;
    let mut found: Vec<f64> = Vec::new();
    for _ in 0..TRIES {
        found.extend(changes(bench, rounds)?);
        match fits(&found, part) {
            Fit::Good => return Ok(rounds),
            Fit::Unknown => {}
            Fit::Bad(mean) => {
                // Of work that seems to take none or less than none, more is wanted.
                let by = if mean > 0.0 { (part / mean).clamp(0.25, 4.0) } else { 4.0 };
                rounds = scaled(rounds, by).clamp(1, Injected::MOST);
                found.clear();
            }
        }
    }
    let last = Interval::of(&found).map_or_else(
        || "not by any amount that was tried".into(),
        |it| format!("{rounds} rounds make it {:.1} % longer", 100.0 * it.mean),
    );
    bail!(
        "the frame could not be made {:.1} % longer within a fifth of that: {last}; the machine is too busy, or the frame too \
         short",
        100.0 * part
    )
}

/// A first guess, from so much extra work that noise hardly matters.
fn much(part: f64, bench: &mut Bench<'_>) -> Result<u64> {
    let mut rounds = 50;
    for _ in 0..TRIES {
        let mean = Interval::of(&changes(bench, rounds)?).map_or(0.0, |it| it.mean);
        if mean >= MUCH || rounds >= Injected::MOST {
            return Ok(scaled(rounds, part / mean.max(part)).max(1));
        }
        rounds = scaled(rounds, (1.5 * MUCH / mean.max(0.05)).clamp(1.5, 8.0)).min(Injected::MOST);
    }
    bail!("{rounds} rounds of extra work make the frame hardly any longer; it takes too long for that")
}

/// What measurements say of an amount.
#[derive(Debug, PartialEq)]
enum Fit {
    Good,
    /// Too few to say.
    Unknown,
    /// It makes so much, which is not what is wanted.
    Bad(f64),
}

/// Whether the mean of these changes is what is wanted: surely so, or as far as [`ENOUGH`] pairs can say.
fn fits(found: &[f64], part: f64) -> Fit {
    let Some((it, (low, high))) = Interval::of(found).and_then(|it| Some((it, it.ends()?))) else {
        return Fit::Unknown;
    };
    let near = |change: f64| (change / part - 1.0).abs() <= TOLERANCE;
    if near(it.mean) && ((near(low) && near(high)) || found.len() >= ENOUGH) {
        Fit::Good
    } else if low > part * (1.0 + TOLERANCE) || high < part * (1.0 - TOLERANCE) {
        Fit::Bad(it.mean)
    } else {
        Fit::Unknown
    }
}

/// By which part the frame's GPU time grows with so many rounds, pair by pair.
fn changes(bench: &mut Bench<'_>, rounds: u64) -> Result<Vec<f64>> {
    let without = Injected::switches(&bench.asked, 0);
    let with = Injected::switches(&bench.asked, rounds);
    let judgement = bench.compare(&without, &with, PAIRS)?;
    let row = judgement.rows.iter().find(|row| super::rates::is_frame(row));
    let Some(row) = row else {
        bail!(WrongUse(format!(
            "framecost.toml leaves {} out, which is what is judged",
            metric_names::GPU_TOTAL
        )));
    };
    match &row.evidence {
        Some(evidence) if evidence.scale == Scale::Ratio => Ok(evidence.each.clone()),
        Some(_) => bail!(WrongUse(format!(
            "the frame takes less than the noise floor of {}: nothing so short is judged by parts; take a larger --size",
            bench.config().floor_gpu
        ))),
        None => {
            let why = row.verdict.reason().unwrap_or("no frame was measured");
            bail!("the frame's GPU time cannot be had: {}", clean(why))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_is_good_where_it_is_sure_or_enough_was_measured() {
        assert_eq!(fits(&[], 0.05), Fit::Unknown);
        assert_eq!(fits(&[0.05], 0.05), Fit::Unknown);
        assert_eq!(fits(&[0.050, 0.051, 0.052, 0.049, 0.050], 0.05), Fit::Good);
        assert_eq!(fits(&[0.02, 0.09, 0.03, 0.08, 0.05], 0.05), Fit::Unknown, "the mean may be chance");
        assert_eq!(fits(&[0.02, 0.09, 0.03, 0.08, 0.05].repeat(5), 0.05), Fit::Good);
        let Fit::Bad(mean) = fits(&[0.100, 0.101, 0.099, 0.102], 0.05) else { panic!("twice too much") };
        assert!((mean - 0.1005).abs() < 1e-9);
        assert!(matches!(fits(&[-0.01, -0.011, -0.009], 0.05), Fit::Bad(_)));
        assert_eq!(fits(&[-0.05, 0.06, 0.01], 0.05), Fit::Unknown);
    }
}
