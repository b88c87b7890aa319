//! `framecost compare`: the gate. Captures are judged against a baseline and against budgets, and the exit code says what
//! came of it. It never fails open: what was expected and is absent, and nothing compared at all, are exit codes of their own.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::ValueEnum;
use framecost::judge::{Across, Config, Judgement, Overall, Rule, judge, judge_variants};
use framecost::report::{
    OfVariants, Report, Undecided, github, junit, markdown_of_all, overall_json, text_of_all,
};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::capture::{Group, group, read_all};
use crate::cmd::report::{Entry, entry, raw_all};
use crate::exit::{Exit, WrongUse};
use crate::output::{self, clean, quoted};
use crate::reference::{self, Reference, Source, in_pairs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost compare out/orrery.framecost                                   against the stored baseline of its key
  framecost compare out/orrery-*.framecost                                 repeats of one variant are judged together
  framecost compare out/heavy.framecost --baseline out/orrery.framecost    one run against another
  framecost compare out/*.framecost --format junit > framecost.xml         for a CI server's list of tests

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
    #[arg(long, value_enum, default_value_t = UndecidedIs::Fail)]
    undecided: UndecidedIs,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl Args {
    const fn shape(&self) -> Shape {
        if self.json { Shape::Json } else { self.format }
    }
}

/// How a judgement is written: as a report, or for a CI server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// Tables for a terminal.
    Text,
    /// Tables for a pull request.
    Markdown,
    /// For programs; docs/format.md describes it.
    Json,
    /// JUnit XML: a suite for each set of captures, a case for each judged figure.
    Junit,
    /// Annotations of GitHub Actions, as workflow commands.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// Median against median with a relative limit and a floor; carries no error rate.
    Threshold,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum UndecidedIs {
    /// Exit code 3.
    Fail,
    /// They pass.
    Pass,
}

impl From<UndecidedIs> for Undecided {
    fn from(is: UndecidedIs) -> Self {
        match is {
            UndecidedIs::Fail => Self::Fails,
            UndecidedIs::Pass => Self::Passes,
        }
    }
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
    overall: Box<RawValue>,
    comparisons: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Box<RawValue>>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    let mut config = reference::config(args.config.as_deref())?;
    if let Some(RuleName::Threshold) = args.rule {
        config.rule = Rule::Threshold;
    }
    let groups = group(read_all(&args.captures)?)?;
    groups.iter().try_for_each(check_once)?;
    let references = groups.iter().map(|group| args.source.find(&group.key)).collect::<Result<Vec<_>>>()?;
    reference::check_names(&config, args.config.as_deref(), &groups, &references)?;
    let mut compared: Vec<Compared> =
        groups.iter().zip(&references).map(|(group, reference)| compare(&config, group, reference)).collect();
    let variants = in_pairs(&groups, &references);
    let added: Vec<Judgement> = variants.iter().map(|it| judge_variants(it, &config)).collect();
    let differences: Vec<OfVariants> =
        variants.iter().zip(&added).map(|(it, judgement)| OfVariants::new(it, Some(judgement))).collect();
    let judgements: Vec<&Judgement> = compared.iter().map(|it| &it.judgement).collect();
    let overall =
        Overall::of(&judgements, &added.iter().collect::<Vec<_>>(), |judgement| match args.undecided {
            UndecidedIs::Fail => judgement.tally(),
            UndecidedIs::Pass => judgement.tally().undecided_passed(),
        });
    say_what_has_no_baseline(args, app, &mut compared);
    show(args, app, compared, &differences, &overall)?;
    Ok(overall.outcome.into())
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

fn compare(config: &Config, group: &Group, reference: &Option<Reference>) -> Compared {
    let baseline = reference.as_ref().map_or(&[][..], |reference| &reference.runs);
    let across = reference.as_ref().map_or(Across::NOTHING, |reference| reference.across);
    let judgement = judge(&group.runs, baseline, config, across);
    let report = Report::new(&group.runs[0], baseline.first(), Some(&judgement));
    let baseline = reference.as_ref().map(|reference| reference.name.clone());
    Compared { paths: group.paths.clone(), baseline, judgement, report }
}

/// Says with each set that has no baseline how to keep one, and on stderr how many there are: a report that goes to a file
/// leaves the log without a word of why the gate is shut.
fn say_what_has_no_baseline(args: &Args, app: &App<'_>, compared: &mut [Compared]) {
    let all = compared.len();
    let mut cures = Vec::new();
    for set in compared.iter_mut().filter(|it| it.baseline.is_none()) {
        let paths: Vec<String> = set.paths.iter().map(|path| clean(&path.to_string_lossy())).collect();
        let cure = format!("framecost baseline save {}", paths.join(" "));
        if let Some(verdicts) = &mut set.report.verdicts {
            verdicts.notes.push(format!("no baseline for this key: keep one with {cure}"));
        }
        cures.push(cure);
    }
    if cures.is_empty() {
        return;
    }
    let (without, root) = (cures.len(), quoted(&args.source.baselines));
    app.out.note(&format!(
        "note: {without} of {all} sets of runs have no baseline under {root}: skipped, never compared with another's; \
         keep one with {}",
        cures.join(", with ")
    ));
}

fn show(
    args: &Args,
    app: &App<'_>,
    compared: Vec<Compared>,
    differences: &[OfVariants],
    overall: &Overall,
) -> Result<()> {
    if args.shape() == Shape::Json {
        return app.out.print_json(&Listed {
            framecost_comparisons: 1,
            outcome: overall.outcome.name(),
            exit_code: Exit::from(overall.outcome) as u8,
            overall: output::raw(&overall_json(overall))?,
            comparisons: compared
                .into_iter()
                .map(|it| entry(&it.paths, it.baseline, &it.report))
                .collect::<Result<_>>()?,
            differences: raw_all(differences)?,
        });
    }
    let reports: Vec<Report> = compared.into_iter().map(|it| it.report).collect();
    let undecided = Undecided::from(args.undecided);
    app.out.print(&match args.shape() {
        Shape::Markdown => markdown_of_all(overall, &reports, differences),
        Shape::Junit => junit(overall, &reports, differences, undecided),
        Shape::Github => github(overall, &reports, differences, undecided),
        Shape::Text | Shape::Json => text_of_all(overall, &reports, differences, app.out.style()),
    })
}
