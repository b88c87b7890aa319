//! `framecost calibrate`: how far runs of the same work lie apart on this adapter, per scene and figure. Each run is a process of
//! its own, as a run in CI is: repeats in one process share its memory and its driver's caches, and lie too close together.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use framecost::account::Floor;
use framecost::judge::{Config, Noise, NoiseProfile, SIDE, Scale};
use framecost::stats::{Statistic, Summary, student};
use framecost::{Analysis, counted};
use framecost_sample::Unit;
use framecost_store::baseline::HardKey;
use framecost_store::noise::{self, StoredNoise};
use serde::Serialize;

use crate::App;
use crate::args::ListFormat;
use crate::capture::analyse;
use crate::cmd::bench::{check_writable, find};
use crate::cmd::pairs::{amount, in_text};
use crate::cmd::spawn::{self, Named, Scratch};
use crate::configured::Configured;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::{clean, quoted};
use crate::progress::Progress;
use crate::reference::BASELINES;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost calibrate orrery                                     ten runs at bench's own size and length
  framecost calibrate orrery --runs 20 -- --size 1280x720 --frames 600

What stands behind -- goes to bench, so that the calibration is of the runs that will be judged: it holds for their key alone \
(scene, size, switches, adapter, settings). Each run is a process of its own. The noise is kept beside the baselines, and stands \
in where a baseline has fewer than ten runs.

Exit codes: 0 calibrated, 2 wrong use, 3 not measured.")]
pub(crate) struct Args {
    /// Scenes to calibrate; all of them if none is named
    #[arg(value_name = "SCENE")]
    scenes: Vec<String>,
    /// Runs of each
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(3..=1000))]
    runs: u32,
    /// The folder of stored baselines, beside which the noise is kept
    #[arg(long, value_name = "DIR", default_value = BASELINES)]
    baselines: PathBuf,
    /// Limits and rules [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    format: ListFormat,
    /// Arguments of bench, such as --size and --frames
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

#[derive(Serialize)]
struct Outcome {
    framecost_calibration: u32,
    profiles: Vec<Profile>,
}

/// The noise of one key.
#[derive(Serialize)]
struct Profile {
    title: String,
    adapter: String,
    runs: u64,
    figures: Vec<Figure>,
    warnings: Vec<String>,
    file: String,
}

/// The noise of one statistic of one figure.
#[derive(Serialize)]
struct Figure {
    figure: String,
    statistic: &'static str,
    unit: &'static str,
    scale: Scale,
    /// Standard deviation from run to run.
    spread: f64,
    /// The smallest loss that one new run against ten stored ones shows nine times of ten.
    smallest: f64,
    /// Past what a loss warns, and past what it fails, on the same scale.
    warn: f64,
    fail: f64,
    #[serde(skip)]
    of: Unit,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    spawn::check_arguments(&args.args, &["--out", "--repeats", "--list"])?;
    let names: Vec<String> = match args.scenes.as_slice() {
        [] => app.benchmarks.iter().map(|scene| scene.info().name).collect(),
        named => named.to_vec(),
    };
    for name in &names {
        find(app.benchmarks, name)?;
    }
    let config = Configured::read(args.config.as_deref())?.config;
    check_writable(&args.baselines)?;
    interrupt::watch()?;
    let mut progress = Progress::of("runs");
    progress.expect(u64::from(args.runs) * names.len() as u64);
    let mut profiles = Vec::new();
    for name in &names {
        let measured = measure(args, name, &mut progress);
        if measured.is_err() {
            progress.clear();
        }
        for (key, runs) in measured? {
            let profile = keep(args, &key, &runs, &config)?;
            if !args.format.is_json() {
                progress.beside(|| app.out.print(&profile.text()))?;
            }
            profiles.push(profile);
        }
    }
    progress.clear();
    if args.format.is_json() {
        app.out.print_json(&Outcome { framecost_calibration: 1, profiles })?;
    }
    Ok(Exit::Passed)
}

/// The runs of a scene by key: of each key one from every process.
fn measure(args: &Args, scene: &str, progress: &mut Progress) -> Result<Vec<(HardKey, Vec<Analysis>)>> {
    let program = std::env::current_exe().context("cannot tell which program this is")?;
    let scratch = Scratch::under(&args.baselines)?;
    let mut given = vec![OsString::from(scene)];
    given.extend(args.args.iter().cloned());
    let mut found: Vec<(HardKey, Vec<Analysis>)> = Vec::new();
    for run in 0..args.runs {
        progress.doing(format!("{} {}", clean(scene), run + 1));
        let left = match interrupt::asked() {
            true => None,
            false => spawn::measure(&program, &given, &scratch, || progress.look())?,
        };
        let Some(left) = left else {
            bail!(
                "stopped in run {} of {} of scene `{}`: nothing is kept of it",
                run + 1,
                args.runs,
                clean(scene)
            );
        };
        for Named { capture, .. } in left {
            let key = HardKey::of(&capture);
            let analysis = analyse(capture, &Floor::default())?;
            match found.iter_mut().find(|(known, _)| *known == key) {
                Some((_, runs)) => runs.push(analysis),
                None => found.push((key, vec![analysis])),
            }
        }
        progress.advance();
    }
    match found.iter().find(|(_, runs)| runs.len() != args.runs as usize) {
        None => Ok(found),
        Some((key, runs)) => bail!(
            "`{}`: {} of it in {}; each run must measure each key once",
            clean(&key.slug()),
            counted(runs.len() as u64, "capture"),
            counted(args.runs.into(), "run")
        ),
    }
}

/// Makes the profile and stores it.
fn keep(args: &Args, key: &HardKey, runs: &[Analysis], config: &Config) -> Result<Profile> {
    let profile = NoiseProfile::of(runs, config);
    let figures = figures(runs, &profile, config);
    if figures.is_empty() {
        bail!("`{}`: no figure that is judged was measured in every run", clean(&key.slug()));
    }
    let measured_at = runs.first().and_then(|run| run.capture.started_at.clone());
    let stored = StoredNoise { key: key.clone(), measured_at, profile };
    let file = noise::save(&args.baselines, &stored)?;
    let size = key.key.size.map_or_else(String::new, |size| format!(" {size}"));
    Ok(Profile {
        title: format!("{}{size}", key.key.scene),
        adapter: key.key.adapter.clone(),
        runs: runs.len() as u64,
        warnings: warnings(&figures),
        figures,
        file: file.to_string_lossy().into_owned(),
    })
}

/// The noise of each judged figure, in the report's order.
fn figures(runs: &[Analysis], profile: &NoiseProfile, config: &Config) -> Vec<Figure> {
    let rows = runs.first().map_or(&[][..], |run| &run.summaries.rows);
    let judged = rows.iter().flat_map(|row| config.judged(row).into_iter().map(move |it| (row, it)));
    let figure = |(row, statistic): (&Summary, Statistic)| {
        let noise = profile.find(&row.id(), statistic)?;
        let limits = config.limits(row).ok()?;
        let base = row.stats.as_ref()?.get(statistic).value()?;
        Some(Figure {
            figure: row.id().to_string(),
            statistic: statistic.name(),
            unit: row.metric.unit.name(),
            scale: noise.scale,
            spread: noise.spread,
            smallest: smallest(noise),
            warn: past(limits.warn, limits.floor, noise.scale, base),
            fail: past(limits.fail, limits.floor, noise.scale, base),
            of: row.metric.unit,
        })
    };
    judged.filter_map(figure).collect()
}

/// Stored runs that a baseline has by default, new runs held against it, and how often the smallest change is to be found.
const STORED: f64 = 10.0;
const POWER: f64 = 0.9;

/// The smallest loss that one new run against ten stored ones would show nine times of ten, as the rule of runs has it: the
/// interval's half, and as much again as the change may fall short of itself, `(t(0.99, 9) + t(0.90, 9)) · s · √(1 + 1/10)`.
fn smallest(noise: &Noise) -> f64 {
    let freedom = STORED as u64 - 1;
    let reach = student::quantile(SIDE, freedom) + student::quantile(1.0 - POWER, freedom);
    let inner = reach * noise.spread * (1.0 + 1.0 / STORED).sqrt();
    match noise.scale {
        Scale::Ratio => inner.exp_m1(),
        Scale::Difference => inner,
    }
}

/// Past what a change is past a limit and the floor: the later of the two.
fn past(limit: f64, floor: f64, scale: Scale, base: f64) -> f64 {
    match scale {
        Scale::Ratio => limit.max(floor / base),
        Scale::Difference => (limit * base).max(floor),
    }
}

/// Figures whose noise hides what they are to be judged by, one line for each limit that is hidden: the one to fail where that
/// is, else the one to warn.
fn warnings(figures: &[Figure]) -> Vec<String> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for figure in figures {
        let hidden = [figure.fail, figure.warn].into_iter().find(|limit| figure.smallest > *limit);
        let Some(limit) = hidden.map(|limit| amount(limit, figure.scale, figure.of, false)) else { continue };
        let name = format!("{} {}", figure.figure, figure.statistic);
        match found.iter_mut().find(|(known, _)| *known == limit) {
            Some((_, names)) => names.push(name),
            None => found.push((limit, vec![name])),
        }
    }
    let line = |(limit, names): (String, Vec<String>)| {
        format!("one run against ten cannot be gated at {limit} here: {}", names.join(", "))
    };
    found.into_iter().map(line).collect()
}

impl Profile {
    fn text(&self) -> String {
        let mut table = vec![
            ["figure", "", "run to run", "one run of ten would show", "warns past", "fails past"]
                .map(str::to_owned),
        ];
        table.extend(self.figures.iter().map(|it| {
            let of = |value: f64, sign| amount(value, it.scale, it.of, sign);
            [
                clean(&it.figure),
                it.statistic.to_owned(),
                of(it.spread, false),
                of(it.smallest, true),
                of(it.warn, true),
                of(it.fail, true),
            ]
        }));
        let runs = counted(self.runs, "run");
        let mut lines = vec![format!(
            "{}, {}: {runs}, each a process of its own",
            clean(&self.title),
            clean(&self.adapter)
        )];
        lines.extend(in_text(&table));
        lines.extend(self.warnings.iter().map(|warning| format!("  warning: {}", clean(warning))));
        lines.push(format!("  kept: {}", quoted(self.file.as_ref())));
        lines.push(String::new());
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(spread: f64, scale: Scale) -> Figure {
        let noise = Noise { scale, spread, freedom: 9 };
        Figure {
            figure: "gpu_total".into(),
            statistic: "median",
            unit: "ns",
            scale,
            spread,
            smallest: smallest(&noise),
            warn: 0.05,
            fail: 0.1,
            of: Unit::Nanos,
        }
    }

    #[test]
    fn the_smallest_change_is_that_of_the_rule_of_runs() {
        // t(0.99, 9) = 2.821 and t(0.90, 9) = 1.383, as any table of Student's t has them.
        let expected = (2.821 + 1.383) * 0.01 * 1.1f64.sqrt();
        assert!((figure(0.01, Scale::Difference).smallest - expected).abs() < 1e-5);
        assert!((figure(0.01, Scale::Ratio).smallest - expected.exp_m1()).abs() < 1e-5);
    }

    #[test]
    fn what_noise_hides_is_named_under_the_limit_that_it_hides() {
        assert_eq!(warnings(&[figure(0.01, Scale::Ratio)]), Vec::<String>::new());
        let noisy = [figure(0.02, Scale::Ratio), figure(0.05, Scale::Ratio), figure(0.021, Scale::Ratio)];
        insta::assert_snapshot!(warnings(&noisy).join("\n"), @r"
        one run against ten cannot be gated at 5.00 % here: gpu_total median, gpu_total median
        one run against ten cannot be gated at 10.00 % here: gpu_total median
        ");
    }

    #[test]
    fn a_limit_below_the_floor_is_the_floor() {
        let close = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
        close(past(0.1, 20e3, Scale::Ratio, 1e6), 0.1);
        close(past(0.1, 20e3, Scale::Ratio, 100e3), 0.2);
        close(past(0.1, 20e3, Scale::Difference, 10e3), 20e3);
    }
}
