//! `framecost compare`: the gate. Captures are judged against a baseline and against budgets, and the exit code says what
//! came of it. It never fails open: what was expected and is absent, and nothing compared at all, are exit codes of their own.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result, bail};
use clap::ValueEnum;
use framecost::Analysis;
use framecost::judge::{
    Across, Case, Census, JudgedSet, Judgement, Outcome, Overall, Renamed, Rule, Tally, correct, judge_case,
    judge_variants,
};
use framecost::report::{
    self, Failure, OfVariants, Page, Report, github, html, junit, markdown_of_all, overall_json, text_of_all,
};
use framecost_store::baseline::check_once;
use framecost_store::{StoreError, noise};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::capture::{Group, group_under, read_all};
use crate::cmd::pairs;
use crate::cmd::report::{Entry, entry, raw_all, section};
use crate::configured::{Configured, known};
use crate::exit::{self, Exit, WrongUse};
use crate::output::{self, in_shell, quoted};
use crate::reference::{BASELINES, Reference, Source, elsewhere, in_pairs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost compare out/orrery.framecost                                   against the stored baseline of its key
  framecost compare out/orrery-*.framecost                                 repeats of one variant are judged together
  framecost compare out/heavy.framecost --baseline out/orrery.framecost    one run against another
  framecost compare new/*.framecost --baseline old/*.framecost             several against several
  framecost compare out/orrery.framecost --confirm again/*.framecost       what failed is looked at again
  framecost compare out/orrery.framecost --format html --out compare.html  with charts, for a browser
  framecost compare out/*.framecost --format junit > framecost.xml         for a CI server's list of tests

Exit codes: 0 passes, 1 regressed or over a limit, 2 wrong use, 3 missing, damaged, undecided, or nothing compared.")]
pub(crate) struct Args {
    /// Capture folders; those of one key (scene, switches, adapter, size) are repeats and are judged together
    #[arg(required = true, value_name = "CAPTURE")]
    captures: Vec<PathBuf>,
    #[command(flatten)]
    source: Source,
    /// How to compare with the baseline [default: the rule in framecost.toml, else runs]
    #[arg(long, value_enum)]
    rule: Option<RuleName>,
    /// Limits, budgets and rules [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Further runs of the same, all that follow: what they share of a failure stands, however many figures were compared;
    /// what they do not share is undecided
    #[arg(long, value_name = "CAPTURE", num_args = 1..)]
    confirm: Vec<PathBuf>,
    /// The captures are pairs that were measured in turns (`bench --interleave frames`): judge side b against side a. Written
    /// in every format but html
    #[arg(long, conflicts_with_all = ["baseline", "confirm"])]
    paired: bool,
    /// What comparisons that the data cannot decide count as
    #[arg(long, value_enum, default_value_t = UndecidedIs::Fail)]
    undecided: UndecidedIs,
    /// What sets without a baseline count as beside one that has a baseline
    #[arg(long, value_enum, default_value_t = NoBaseline::Fail)]
    no_baseline: NoBaseline,
    /// Which of the runs that framecost.toml expects must be among those given
    #[arg(long, value_enum, default_value_t = Expected::All)]
    expected: Expected,
    /// How to write what was found
    #[arg(long, value_enum, default_value_t = Shape::Text)]
    format: Shape,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
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
    /// A page with charts, one file that loads nothing.
    Html,
    /// For programs; docs/format.md describes it.
    Json,
    /// JUnit XML: a suite for each set of captures, a case for each judged figure.
    Junit,
    /// Annotations of GitHub Actions, as workflow commands.
    Github,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum NoBaseline {
    /// Exit code 3.
    Fail,
    /// They are left out.
    Pass,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Expected {
    /// All that are for the adapters at hand: what is absent is exit code 3.
    All,
    /// Those given alone: what they lack is exit code 3, other runs are not asked for.
    Given,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// By how far whole runs lie apart: takes several stored runs.
    Runs,
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

impl From<UndecidedIs> for report::Undecided {
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

/// What programs get where nothing could be judged.
#[derive(Serialize)]
struct NotJudged<'a> {
    framecost_comparisons: u32,
    outcome: &'static str,
    exit_code: u8,
    error: &'a str,
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

/// Judges. What keeps it from that is written in the format that was asked for too, since whoever reads the report, the list
/// of tests or the annotations may never see stderr.
pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    judged(args, app).inspect_err(|error| {
        // If that cannot be written either, the error on stderr and the exit code still say it.
        let _ = write_failure(args, app, error);
    })
}

fn write_failure(args: &Args, app: &App<'_>, error: &Error) -> Result<()> {
    let exit = exit::of_error(error);
    let kind = if exit == Exit::WrongUse { "wrong use" } else { "not measured" };
    let error = format!("{error:#}");
    let failure = Failure { kind, error: &error };
    let out = args.out.as_deref();
    match args.shape() {
        // A terminal has it on stderr.
        Shape::Text if out.is_none() => Ok(()),
        Shape::Text => app.out.print_to(out, &failure.text()),
        Shape::Markdown => app.out.print_to(out, &failure.markdown()),
        Shape::Html => app.out.print_page(out, &failure.html()),
        Shape::Junit => app.out.print_to(out, &failure.junit()),
        Shape::Github => app.out.print_to(out, &failure.github()),
        Shape::Json => {
            let outcome = Outcome::NotMeasured.name();
            let not = NotJudged { framecost_comparisons: 1, outcome, exit_code: exit as u8, error: &error };
            app.out.print_to(out, &output::json(&not)?)
        }
    }
}

fn judged(args: &Args, app: &App<'_>) -> Result<Exit> {
    let mut configured = Configured::read(args.config.as_deref())?;
    if let Some(rule) = args.rule {
        configured.config.set_rule(rule.into());
    }
    if args.paired {
        return compare_pairs(args, &configured, app);
    }
    let groups = group_under(read_all(&args.captures)?, &configured)?;
    for Group { paths, runs, .. } in &groups {
        check_once(paths.iter().map(PathBuf::as_path).zip(runs.iter().map(|run| &run.capture)))?;
    }
    let (references, unread) = find_all(args, &groups, &configured)?;
    groups.iter().zip(&references).try_for_each(against_itself)?;
    let known = known(app, &configured, &groups, &references, &args.source.baselines);
    configured.check_names(&known)?;
    let config = &configured.config;
    let mut judged = judge_all(args, &configured, &groups, &references)?;
    for (judgement, why) in judged.iter_mut().zip(&unread) {
        if let Some(why) = why {
            app.out.note(&format!("note: a baseline cannot be read, the other sets are compared: {why}"));
            *judgement = judgement.clone().with_unread_baseline(why);
        }
    }
    let variants = in_pairs(&groups, &references);
    let mut added: Vec<Judgement> = variants.iter().map(|it| judge_variants(it, config)).collect();
    correct(&mut judged.iter_mut().chain(&mut added).collect::<Vec<_>>());
    let sets = groups.iter().zip(&references).zip(judged);
    let mut compared: Vec<Compared> =
        sets.map(|((group, reference), judgement)| compare(group, reference, judgement)).collect();
    let differences: Vec<OfVariants> =
        variants.iter().zip(&added).map(|(it, judgement)| OfVariants::new(it, Some(judgement))).collect();
    let judgements: Vec<&Judgement> = compared.iter().map(|it| &it.judgement).collect();
    let added: Vec<&Judgement> = added.iter().collect();
    let mut overall = Overall::of(&judgements, &added, tallied(args.undecided));
    if args.no_baseline == NoBaseline::Pass {
        overall = overall.letting_no_baseline_pass();
    }
    let renamed: Vec<Vec<Renamed>> = groups.iter().zip(&references).map(renamed).collect();
    let sets: Vec<JudgedSet<'_>> = judged_sets(&groups, &references, &judgements, &renamed);
    let overall = overall.counted(Census::of(&sets, &added, config, &known, args.expected == Expected::All));
    say_what_has_no_baseline(args, app, &groups, &mut compared);
    if let [only] = &mut compared[..]
        && let Some(verdicts) = &mut only.report.verdicts
    {
        verdicts.settle(&overall);
    }
    match args.shape() {
        shape @ (Shape::Text | Shape::Markdown | Shape::Json | Shape::Junit | Shape::Github) => {
            show(args, shape, app, compared, &differences, &overall)?;
        }
        Shape::Html => {
            let sections = compared.iter().zip(&groups).zip(&references);
            let sections = sections.map(|((it, group), reference)| {
                section(&it.report, &group.runs, &group.paths, reference.as_ref())
            });
            let page = Page {
                overall: Some(&overall),
                sections: sections.collect(),
                differences: &differences,
                histories: &[],
            };
            app.out.print_page(args.out.as_deref(), &html(&page))?;
        }
    }
    Ok(overall.outcome.into())
}

/// The baseline of each group, or why it cannot be read: that of one is no reason not to judge the others. Where it is so of all,
/// nothing could be compared, and the first reason is the error.
type Baselines = (Vec<Option<Reference>>, Vec<Option<String>>);

fn find_all(args: &Args, groups: &[Group], configured: &Configured) -> Result<Baselines> {
    let (mut references, mut unread, mut first) = (Vec::new(), Vec::new(), None);
    for group in groups {
        match args.source.find(group, configured) {
            Ok(reference) => {
                references.push(reference);
                unread.push(None);
            }
            Err(error) if is_damage(&error) => {
                references.push(None);
                unread.push(Some(format!("{error:#}")));
                first.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
    }
    match first {
        Some(error) if unread.iter().all(Option::is_some) => Err(error),
        _ => Ok((references, unread)),
    }
}

/// A file that is absent or damaged, and no request that cannot be met.
fn is_damage(error: &Error) -> bool {
    exit::of_error(error) == Exit::NotMeasured && error.chain().any(|cause| cause.is::<StoreError>())
}

/// A run that is judged against itself would pass whatever it costs.
fn against_itself((group, reference): (&Group, &Option<Reference>)) -> Result<()> {
    let Some(reference) = reference else { return Ok(()) };
    refuse_shared(&group.paths, &group.runs, reference)
}

fn refuse_shared(paths: &[PathBuf], runs: &[Analysis], reference: &Reference) -> Result<()> {
    let is_shared = |run: &Analysis| reference.runs.iter().any(|it| it.capture == run.capture);
    if let Some((path, _)) = paths.iter().zip(runs).find(|(_, run)| is_shared(run)) {
        bail!(WrongUse(format!(
            "{} is one of the runs of its own baseline, {}: a run judged against itself says nothing; measure it anew",
            quoted(path),
            reference.name
        )));
    }
    Ok(())
}

/// Captures that were measured in turns, in the same formats.
fn compare_pairs(args: &Args, configured: &Configured, app: &App<'_>) -> Result<Exit> {
    let shape = args.shape();
    if shape == Shape::Html {
        bail!(WrongUse("--format html: pairs are written as text, markdown, json, junit or github".into()));
    }
    let paired = pairs::of_given(&args.captures, &configured.config)?;
    let judgement = &paired.judged.judgement;
    let overall = Overall::of(&[judgement], &[], tallied(args.undecided));
    let report = Report::new(&paired.runs[0], paired.baseline.first(), Some(judgement));
    let undecided = report::Undecided::from(args.undecided);
    let text = match shape {
        Shape::Json => output::json(&pairs::OfPairs::from(&paired.judged))?,
        Shape::Markdown => format!("\n{}", paired.judged.text(true)),
        Shape::Junit => junit(&overall, &[report], &[], undecided),
        Shape::Github => github(&overall, &[report], &[], undecided),
        Shape::Text | Shape::Html => format!("\n{}", paired.judged.text(false)),
    };
    app.out.print_to(args.out.as_deref(), &text)?;
    Ok(overall.outcome.into())
}

/// How rows are counted, as was asked.
fn tallied(undecided: UndecidedIs) -> impl Fn(&Judgement) -> Tally {
    move |judgement| match undecided {
        UndecidedIs::Fail => judgement.tally(),
        UndecidedIs::Pass => judgement.tally().undecided_passed(),
    }
}

/// What was read under a new name, in runs or baseline.
fn renamed((group, reference): (&Group, &Option<Reference>)) -> Vec<Renamed> {
    let of_baseline = reference.iter().flat_map(|reference| &reference.renamed);
    let mut renamed: Vec<Renamed> = group.renamed.iter().chain(of_baseline).cloned().collect();
    renamed.sort();
    renamed.dedup();
    renamed
}

fn judged_sets<'a>(
    groups: &'a [Group],
    references: &'a [Option<Reference>],
    judgements: &[&'a Judgement],
    renamed: &'a [Vec<Renamed>],
) -> Vec<JudgedSet<'a>> {
    let baselines = references.iter().map(|it| it.as_ref().map_or(&[][..], |reference| &reference.runs));
    let mut sets = Vec::new();
    for (i, (group, baseline)) in groups.iter().zip(baselines).enumerate() {
        let (judgement, renamed) = (judgements[i], renamed[i].as_slice());
        sets.push(JudgedSet { runs: &group.runs, baseline, judgement, renamed });
    }
    sets
}

impl From<RuleName> for Rule {
    fn from(name: RuleName) -> Self {
        match name {
            RuleName::Runs => Self::Runs,
            RuleName::Threshold => Self::Threshold,
        }
    }
}

/// Each set against its baseline, with the runs that are to confirm it and what calibration knows of its key.
fn judge_all(
    args: &Args,
    configured: &Configured,
    groups: &[Group],
    references: &[Option<Reference>],
) -> Result<Vec<Judgement>> {
    let confirming = group_under(read_all(&args.confirm)?, configured)?;
    for given in &confirming {
        let Some(of) = groups.iter().find(|group| group.key == given.key) else {
            bail!(WrongUse(format!(
                "--confirm {}: no capture to be judged has its key (scene, switches, adapter, size)",
                quoted(&given.paths[0])
            )));
        };
        let all = of.paths.iter().zip(&of.runs).chain(given.paths.iter().zip(&given.runs));
        check_once(all.map(|(path, run)| (path.as_path(), &run.capture)))?;
        if let Some(Some(reference)) =
            groups.iter().zip(references).find(|(group, _)| group.key == given.key).map(|it| it.1)
        {
            refuse_shared(&given.paths, &given.runs, reference)?;
        }
    }
    let one = |(group, reference): (&Group, &Option<Reference>)| {
        let noise = noise::find(&args.source.baselines, &group.key)?;
        let confirm = confirming.iter().find(|it| it.key == group.key).map_or(&[][..], |it| &it.runs);
        let case = Case {
            runs: &group.runs,
            baseline: reference.as_ref().map_or(&[], |reference| &reference.runs),
            confirm,
            noise: noise.as_ref().map(|noise| &noise.profile),
            across: reference.as_ref().map_or(Across::NOTHING, |reference| reference.across),
            paired: false,
        };
        Ok(judge_case(&case, &configured.config))
    };
    groups.iter().zip(references).map(one).collect()
}

fn compare(group: &Group, reference: &Option<Reference>, judgement: Judgement) -> Compared {
    let baseline = reference.as_ref().map_or(&[][..], |reference| &reference.runs);
    let mut report = Report::new(&group.runs[0], baseline.first(), Some(&judgement));
    if let (Some(verdicts), Some(reference)) = (&mut report.verdicts, reference) {
        verdicts.notes.extend(reference.notes.iter().cloned());
    }
    let baseline = reference.as_ref().map(|reference| reference.name.clone());
    Compared { paths: group.paths.clone(), baseline, judgement, report }
}

/// Says with each set that has no baseline how to keep one, and on stderr how many there are: a report that goes to a file
/// leaves the log without a word of why the gate is shut.
fn say_what_has_no_baseline(args: &Args, app: &App<'_>, groups: &[Group], compared: &mut [Compared]) {
    let all = compared.len();
    let mut cures = Vec::new();
    let to = match args.source.baselines.as_path() {
        usual if usual == Path::new(BASELINES) => String::new(),
        other => format!(" --baselines {}", in_shell(other)),
    };
    let elsewhere = if args.source.baseline.is_empty() { elsewhere(&args.source.baselines) } else { None };
    let has_none = |it: &Compared| it.baseline.is_none() && it.judgement.unread.is_none();
    for (group, set) in groups.iter().zip(compared).filter(|(_, it)| has_none(it)) {
        let paths: Vec<String> = set.paths.iter().map(|path| in_shell(path)).collect();
        let cure = format!("framecost baseline save {}{to}", paths.join(" "));
        if let Some(verdicts) = &mut set.report.verdicts {
            verdicts.notes.push(format!("no baseline for this key: keep one with {cure}"));
            verdicts.notes.extend(args.source.nearest(&group.key));
            verdicts.notes.extend(elsewhere.clone());
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
    shape: Shape,
    app: &App<'_>,
    compared: Vec<Compared>,
    differences: &[OfVariants],
    overall: &Overall,
) -> Result<()> {
    if shape == Shape::Json {
        let text = output::json(&Listed {
            framecost_comparisons: 1,
            outcome: overall.outcome.name(),
            exit_code: Exit::from(overall.outcome) as u8,
            overall: output::raw(&overall_json(overall))?,
            comparisons: compared
                .into_iter()
                .map(|it| entry(&it.paths, it.baseline, &it.report))
                .collect::<Result<_>>()?,
            differences: raw_all(differences)?,
        })?;
        return app.out.print_to(args.out.as_deref(), &text);
    }
    let reports: Vec<Report> = compared.into_iter().map(|it| it.report).collect();
    let undecided = report::Undecided::from(args.undecided);
    let text = match shape {
        Shape::Markdown => markdown_of_all(overall, &reports, differences),
        Shape::Junit => junit(overall, &reports, differences, undecided),
        Shape::Github => github(overall, &reports, differences, undecided),
        Shape::Text | Shape::Json | Shape::Html => {
            text_of_all(overall, &reports, differences, app.out.style())
        }
    };
    app.out.print_to(args.out.as_deref(), &text)
}
