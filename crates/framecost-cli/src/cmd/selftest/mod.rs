//! `framecost selftest`: what verdicts catch on this machine, and how often they cry wolf. Pairs of equal work and pairs of which
//! one has a known amount of extra GPU work are measured for real and judged as any pairs are.

mod amount;
mod rates;
mod session;

use std::path::PathBuf;

use anyhow::{Result, bail};
use framecost::judge::Config;
use framecost_harness::{Benchmark, Yardstick};
use framecost_sample::Size;

use crate::App;
use crate::args::{self, ListFormat, Set};
use crate::cmd::bench::{Turns, find};
use crate::configured::Configured;
use crate::exit::{Exit, WrongUse};
use crate::interrupt;
use rates::Found;
use session::Bench;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost selftest                                          twenty comparisons of each kind, a minute or so
  framecost selftest --inject 5% --comparisons 300 --injected 60
  framecost selftest --scene orrery --size 640x360 --comparisons 40
  framecost selftest --scene orrery --change lit_load=2       a change of the scene's own in place of extra work

Without --scene, two passes of arithmetic are measured that take about a millisecond on any adapter. Extra work is a compute pass \
of its own behind the frame, sized by measuring. Each comparison is of pairs that no other comparison has, on scenes loaded for it \
alone, so that comparisons are independent; its pairs take up the same two scenes, which change places from pair to pair. Rates come \
with exact 95 % intervals.

Exit codes: 0 measured, 2 wrong use, 3 not measured, or more false alarms than the rule promises.")]
pub(crate) struct Args {
    /// How much longer a frame is made
    #[arg(long, value_name = "PERCENT", value_parser = percent, default_value = "5%")]
    inject: f64,
    /// What is measured [default: two passes of arithmetic]
    #[arg(long, value_name = "SCENE")]
    scene: Option<String>,
    /// Change a switch of the scene in place of extra work
    #[arg(long, value_name = "SWITCH=VALUE", value_parser = args::set, conflicts_with = "inject", requires = "scene")]
    change: Option<Set>,
    /// Set a switch of the scene
    #[arg(long, value_name = "SWITCH=VALUE", value_parser = args::set, requires = "scene")]
    set: Vec<Set>,
    /// Comparisons of equal work
    #[arg(long, value_name = "N", default_value_t = 20)]
    comparisons: u32,
    /// Comparisons with extra work [default: as many]
    #[arg(long, value_name = "N")]
    injected: Option<u32>,
    /// Pairs of runs in a comparison
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(2..=100))]
    pairs: u32,
    /// What takes turns within a pair
    #[arg(long, value_enum, default_value_t = Turns::Frames)]
    interleave: Turns,
    /// Load both scenes anew for each pair, as bench does
    #[arg(long)]
    rebuild: bool,
    /// Growth past which a comparison fails [default: half of what is injected; of --change 2.5%]
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    limit: Option<f64>,
    /// Part of the adapter's name, in any case [default: the best adapter]
    #[arg(long, value_name = "TEXT")]
    adapter: Option<String>,
    /// Size of the image
    #[arg(long, value_name = "WxH", value_parser = args::size, default_value = "128x72")]
    size: Size,
    /// Frames of each run
    #[arg(long, value_name = "N", default_value_t = 60)]
    frames: u64,
    /// Frames to draw first in each run and leave out
    #[arg(long, value_name = "N", default_value_t = 3)]
    warmup: u64,
    /// Limits and floors of figures [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    format: ListFormat,
}

/// Reads `5%` or `5 %`.
fn percent(text: &str) -> Result<f64, String> {
    let fault = || "write a percentage above 0 and up to 100, such as 5%".to_owned();
    let number = text.strip_suffix('%').ok_or_else(fault)?.trim_end();
    let part = number.parse::<f64>().map_err(|_| fault())? / 100.0;
    if part > 0.0 && part <= 1.0 { Ok(part) } else { Err(fault()) }
}

impl Args {
    const fn injected(&self) -> u32 {
        match self.injected {
            Some(injected) => injected,
            None => self.comparisons,
        }
    }

    /// The growth past which a comparison fails and warns.
    fn limit(&self) -> f64 {
        let injected = if self.change.is_some() { 0.05 } else { self.inject };
        self.limit.unwrap_or(injected / 2.0)
    }
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    if args.comparisons + args.injected() == 0 {
        bail!(WrongUse(
            "--comparisons 0 and --injected 0: nothing would be measured; allowed: at least one".into()
        ));
    }
    let config = config(args)?;
    interrupt::watch()?;
    let scene: &dyn Benchmark = match &args.scene {
        Some(name) => find(app.benchmarks, name)?,
        None => &Yardstick,
    };
    let mut bench = Bench::open(args, scene, &config)?;
    let measured = measure(args, &mut bench);
    bench.progress.clear();
    let found = measured?;
    if args.format.is_json() {
        app.out.print_json(&found)?;
    } else {
        app.out.print(&found.text())?;
    }
    Ok(if found.cries_wolf() { Exit::NotMeasured } else { Exit::Passed })
}

/// The configuration with one limit for all figures. Floors stay: what is below them is never judged.
fn config(args: &Args) -> Result<Config> {
    let mut config = Configured::read(args.config.as_deref())?.config;
    config.rule = framecost::judge::Rule::Runs;
    (config.fail, config.warn) = (args.limit(), args.limit());
    config.budgets.clear();
    for rule in config.metrics.values_mut() {
        (rule.fail, rule.warn) = (None, None);
    }
    Ok(config)
}

/// Comparisons of both kinds in turn, so that a drift of the machine meets both alike.
fn measure(args: &Args, bench: &mut Bench<'_>) -> Result<Found> {
    let change = amount::find(args, bench)?;
    let mut found = Found::new(args, bench, &change);
    let (equal, changed) = (u64::from(args.comparisons), u64::from(args.injected()));
    bench.expect(equal + changed);
    let (mut equal_done, mut changed_done) = (0, 0);
    for _ in 0..equal + changed {
        // Whichever lies farther behind.
        let changed_next = changed_done * equal < equal_done * changed || equal_done == equal;
        if changed_next && changed_done < changed {
            found.changed.add(&bench.compare(&change.without, &change.with, args.pairs)?);
            changed_done += 1;
        } else {
            found.equal.add(&bench.compare(&change.without, &change.without, args.pairs)?);
            equal_done += 1;
        }
    }
    found.seconds = bench.seconds_each();
    Ok(found)
}
