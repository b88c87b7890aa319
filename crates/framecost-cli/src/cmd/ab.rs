//! `framecost ab`: two builds of a program, measured in turns run by run (A B, B A, A B) and judged by pairs. Builds cannot share
//! a process, so what takes turns are whole runs.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use framecost::account::Floor;
use framecost::judge::{Across, Config, Judgement, Overall, correct};
use framecost::{Analysis, counted};
use framecost_sample::Capture;
use framecost_store::baseline::HardKey;
use serde::Serialize;

use crate::App;
use crate::args::{Format, ReportFormat};
use crate::capture::analyse;
use crate::cmd::bench::check_writable;
use crate::cmd::pairs::{Judged, OfPairs, judge_pairs};
use crate::cmd::spawn::{self, Named, Scratch};
use crate::configured::Configured;
use crate::exit::Exit;
use crate::interrupt;
use crate::output::{clean, quoted};
use crate::progress::Progress;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost ab --a ./framecost-main --b target/release/framecost -- orrery --size 1280x720
  framecost ab --a old/frame --b new/frame --pairs 20 -- --profile full

Each program takes framecost's commands: framecost itself, or a benchmark of your own scene (the file that cargo bench names under \
target/release/deps). It is run as PROGRAM bench ARGS, ten times each by default, A first in every other pair. Run k of B is \
held against run k of A, so that what the machine does to both of a pair is no difference. Captures are kept as \
NAME-a-1.framecost and so on.

Exit codes: 0 passes, 1 B is worse than A, 2 wrong use, 3 not measured or undecided.")]
pub(crate) struct Args {
    /// The program to compare with
    #[arg(long, value_name = "PROGRAM")]
    a: PathBuf,
    /// The program that is judged
    #[arg(long, value_name = "PROGRAM")]
    b: PathBuf,
    /// How often both are run
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=1000))]
    pairs: u32,
    /// Where the captures go
    #[arg(long, value_name = "DIR", default_value = "out/ab")]
    out: PathBuf,
    /// Limits and rules [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    format: ReportFormat,
    /// Arguments of each program's bench: scenes, size, frames
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<OsString>,
}

/// The sides by name.
const SIDES: [&str; 2] = ["a", "b"];

/// The runs of one key, by side.
struct Runs {
    stem: String,
    key: HardKey,
    sides: [Vec<Analysis>; 2],
}

#[derive(Serialize)]
struct Outcome {
    framecost_ab: u32,
    outcome: &'static str,
    exit_code: u8,
    a: String,
    b: String,
    pairs: Vec<OfPairs>,
    captures: Vec<String>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    spawn::check_arguments(&args.args, &["--out", "--repeats", "--interleave"])?;
    let programs = [spawn::program(&args.a)?, spawn::program(&args.b)?];
    let config = Configured::read(args.config.as_deref())?.config;
    check_writable(&args.out)?;
    interrupt::watch()?;
    let mut set = Set { args, programs: &programs, runs: Vec::new(), captures: Vec::new() };
    let mut progress = Progress::of("runs");
    let measured = set.measure(&mut progress);
    progress.clear();
    measured?;
    show(args, app, &set, &config)
}

/// The runs so far.
struct Set<'a> {
    args: &'a Args,
    programs: &'a [PathBuf; 2],
    runs: Vec<Runs>,
    captures: Vec<PathBuf>,
}

impl Set<'_> {
    fn measure(&mut self, progress: &mut Progress) -> Result<()> {
        let scratch = Scratch::under(&self.args.out)?;
        let all = 2 * self.args.pairs;
        progress.expect(all.into());
        for (number, (side, pair)) in order(self.args.pairs).into_iter().enumerate() {
            let name = SIDES[side];
            progress.doing(format!("{name} {}", pair + 1));
            let program = &self.programs[side];
            let left = match interrupt::asked() {
                true => None,
                false => spawn::measure(program, &self.args.args, &scratch, || progress.look())?,
            };
            let Some(left) = left else {
                bail!("stopped in run {} of {all}; the unfinished run left no capture", number + 1);
            };
            self.check(side, &left, number == 0)?;
            for Named { stem, capture } in left {
                self.keep(side, pair, &stem, capture)?;
            }
            progress.advance();
        }
        Ok(())
    }

    /// Every run measures the same: what the first one did.
    fn check(&mut self, side: usize, left: &[Named], first: bool) -> Result<()> {
        let program = quoted(&self.programs[side]);
        if first {
            let runs = |it: &Named| Runs {
                stem: it.stem.clone(),
                key: HardKey::of(&it.capture),
                sides: [Vec::new(), Vec::new()],
            };
            self.runs = left.iter().map(runs).collect();
        }
        let names = |stems: Vec<&str>| {
            stems.iter().map(|stem| format!("`{}`", clean(stem))).collect::<Vec<_>>().join(", ")
        };
        let (these, due): (Vec<&str>, Vec<&str>) = (
            left.iter().map(|it| it.stem.as_str()).collect(),
            self.runs.iter().map(|it| it.stem.as_str()).collect(),
        );
        if these != due {
            bail!("{program} measured {}; the first run measured {}", names(these), names(due));
        }
        for (Named { stem, capture }, runs) in left.iter().zip(&self.runs) {
            let differences = HardKey::of(capture).differences(&runs.key);
            if !differences.is_empty() {
                let differences = clean(&differences.join(", "));
                bail!(
                    "{program} measured `{}` of another key than the first run: {differences}",
                    clean(stem)
                );
            }
        }
        Ok(())
    }

    fn keep(&mut self, side: usize, pair: u32, stem: &str, capture: Capture) -> Result<()> {
        let name = format!("{stem}-{}-{}.{}", SIDES[side], pair + 1, framecost_store::EXTENSION);
        let path = self.args.out.join(name);
        framecost_store::write(&path, &capture)?;
        self.captures.push(path);
        let analysis = analyse(capture, &Floor::default())?;
        if let Some(runs) = self.runs.iter_mut().find(|runs| runs.stem == stem) {
            runs.sides[side].push(analysis);
        }
        Ok(())
    }
}

/// Side and pair of each run: A first in even pairs, B in odd ones, so that a steady drift weighs on both alike.
fn order(pairs: u32) -> Vec<(usize, u32)> {
    framecost_harness::order(2, pairs)
}

fn show(args: &Args, app: &App<'_>, set: &Set<'_>, config: &Config) -> Result<Exit> {
    let mut judgements: Vec<Judgement> = set
        .runs
        .iter()
        .map(|Runs { sides: [a, b], .. }| judge_pairs(b, a, config, Across::NOTHING))
        .collect();
    correct(&mut judgements.iter_mut().collect::<Vec<_>>());
    let overall = Overall::of(&judgements.iter().collect::<Vec<_>>(), &[], Judgement::tally);
    let title = |path: &Path| clean(&path.to_string_lossy());
    let judged = set.runs.iter().zip(judgements).map(|(runs, judgement)| Judged {
        title: format!("{}: {} against {}", runs.stem, title(&args.b), title(&args.a)),
        turns: "run by run in turn",
        judgement,
    });
    let pairs = judged.map(|judged| judged.shown(args.format.get(), app)).collect::<Result<Vec<_>>>()?;
    let exit = Exit::from(overall.outcome);
    let captures = set.captures.len() as u64;
    if args.format.get() == Format::Json {
        app.out.print_json(&Outcome {
            framecost_ab: 1,
            outcome: overall.outcome.name(),
            exit_code: exit as u8,
            a: args.a.to_string_lossy().into_owned(),
            b: args.b.to_string_lossy().into_owned(),
            pairs,
            captures: set.captures.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        })?;
    } else {
        app.out.print(&format!("\n{} in {}\n", counted(captures, "capture"), quoted(&args.out)))?;
    }
    Ok(exit)
}
