//! `framecost compare`: the gate. Captures are judged against a baseline and against budgets, and the exit code says what
//! came of it. It never fails open: what was expected and is absent, and nothing compared at all, are exit codes of their own.

use std::ops::Add;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use framecost::judge::{Across, Config, Judgement, Outcome, Rule, Tally, judge};
use framecost::report::{Report, markdown, text};
use serde::Serialize;

use crate::App;
use crate::args::{Format, ReportFormat};
use crate::capture::{Group, group, read_all};
use crate::cmd::report::{Entry, entry};
use crate::exit::{Exit, WrongUse};
use crate::output::quoted;
use crate::reference::{self, Source};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost compare out/orrery.framecost                                   against the stored baseline of its key
  framecost compare out/orrery-*.framecost                                 repeats of one variant are judged together
  framecost compare out/heavy.framecost --baseline out/orrery.framecost    one run against another

Exit codes: 0 passes, 1 regressed or over a limit, 2 wrong use, 3 missing, damaged, undecided, or nothing compared.")]
pub(crate) struct Args {
    /// Capture folders; those of one key (scene, switches, adapter, size) are repeats and are judged together
    #[arg(required = true, value_name = "CAPTURE")]
    captures: Vec<PathBuf>,
    #[command(flatten)]
    source: Source,
    /// How to compare with the baseline [default: the rule in framecost.toml, else threshold]
    #[arg(long, value_enum)]
    rule: Option<RuleName>,
    /// Limits, budgets and rules [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// What comparisons that the data cannot decide count as
    #[arg(long, value_enum, default_value_t = Undecided::Fail)]
    undecided: Undecided,
    #[command(flatten)]
    format: ReportFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// Median against median with a relative limit and a floor; carries no error rate.
    Threshold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Undecided {
    /// Exit code 3.
    Fail,
    /// They pass.
    Pass,
}

/// What came of one group of captures.
struct Compared {
    paths: Vec<PathBuf>,
    baseline: Option<String>,
    judgement: Judgement,
    report: Report,
}

#[derive(Serialize)]
struct Listed {
    framecost_comparisons: u32,
    outcome: &'static str,
    exit_code: u8,
    comparisons: Vec<Entry>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let mut config = reference::config(args.config.as_deref())?;
    if let Some(RuleName::Threshold) = args.rule {
        config.rule = Rule::Threshold;
    }
    let groups = group(read_all(&args.captures)?)?;
    groups.iter().try_for_each(check_once)?;
    let compared = groups.iter().map(|group| compare(args, &config, group)).collect::<Result<Vec<_>>>()?;
    let outcome = outcome(compared.iter().map(|it| &it.judgement), args.undecided);
    show(args, app, &compared, outcome)?;
    Ok(outcome.into())
}

/// A run that stands twice would count as two that agree.
fn check_once(group: &Group) -> Result<()> {
    for (i, run) in group.runs.iter().enumerate() {
        if let Some(same) = group.runs[..i].iter().position(|other| other.capture == run.capture) {
            let (this, that) = (quoted(&group.paths[i]), quoted(&group.paths[same]));
            bail!(WrongUse(format!("{this} holds the same run as {that}: a run counts once")));
        }
    }
    Ok(())
}

fn compare(args: &Args, config: &Config, group: &Group) -> Result<Compared> {
    let reference = args.source.find(&group.key)?;
    let baseline = reference.as_ref().map_or(&[][..], |reference| &reference.runs);
    let across = reference.as_ref().map_or(Across::NOTHING, |reference| reference.across);
    let judgement = judge(&group.runs, baseline, config, across);
    let report = Report::new(&group.runs[0], baseline.first(), Some(&judgement));
    Ok(Compared {
        paths: group.paths.clone(),
        baseline: reference.map(|reference| reference.name),
        judgement,
        report,
    })
}

/// What all judgements come to. A group without a baseline is skipped, which alone neither passes nor fails; that not a
/// single comparison was made in all groups together is never a pass.
fn outcome<'a>(judgements: impl Iterator<Item = &'a Judgement>, undecided: Undecided) -> Outcome {
    let tally = judgements.map(Judgement::tally).fold(Tally::default(), Tally::add);
    match undecided {
        Undecided::Fail => tally.outcome(),
        Undecided::Pass => tally.undecided_passed().outcome(),
    }
}

fn show(args: &Args, app: &App<'_>, compared: &[Compared], outcome: Outcome) -> Result<()> {
    let without = compared.iter().filter(|it| it.baseline.is_none()).count();
    if without > 0 {
        let (all, root) = (compared.len(), quoted(&args.source.baselines));
        app.out.note(&format!(
            "note: {without} of {all} sets of runs have no baseline under {root}: skipped, never compared with another's"
        ));
    }
    let texts = |one: &dyn Fn(&Report) -> String| {
        compared.iter().map(|it| one(&it.report)).collect::<Vec<_>>().join("\n")
    };
    match args.format.get() {
        Format::Text => app.out.print(&texts(&|report| text(report, app.out.style()))),
        Format::Markdown => app.out.print(&texts(&markdown)),
        Format::Json => app.out.print_json(&Listed {
            framecost_comparisons: 1,
            outcome: outcome.name(),
            exit_code: Exit::from(outcome) as u8,
            comparisons: compared
                .iter()
                .map(|it| entry(&it.paths, it.baseline.clone(), &it.report))
                .collect::<Result<_>>()?,
        }),
    }
}
