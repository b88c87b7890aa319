//! `framecost report`: what captures cost, beside a baseline and budgets where there are any. Shows; never judges by its exit
//! code, which is `compare`'s part.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use framecost::history::HistoryReport;
use framecost::judge::{Across, Config, Variants, Verdict, judge, judge_variants};
use framecost::report::{
    OfVariants, Page, Report, Section, html, json, markdown, markdown_of_variants, text, text_of_variants,
    variants_json,
};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::App;
use crate::args::{Format, LooksFormat};
use crate::capture::{Group, group_under, read_all};
use crate::cmd::{definitions, history};
use crate::configured::{Configured, known};
use crate::exit::{Exit, WrongUse};
use crate::output::{self, quoted};
use crate::reference::{Reference, Source, in_pairs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost report out/orrery.framecost
  framecost report out/*.framecost --format markdown --out report.md
  framecost report out/orrery.framecost --format html --out report.html    charts, for a browser
  framecost report out/orrery.framecost --format html --history out --out report.html
  framecost report out/game.framecost --definitions        every average and 1 % low, by its definition
  framecost report out/heavy.framecost --baseline out/orrery.framecost
  framecost report out/orrery-culling=*.framecost          both variants, and what the switch adds to each frame

Shows verdicts where there is a baseline or a budget, and never fails on one: the exit code is 0 whatever they say. \
`framecost compare` is the gate.")]
pub(crate) struct Args {
    /// Capture folders
    #[arg(required = true, value_name = "CAPTURE")]
    captures: Vec<PathBuf>,
    #[command(flatten)]
    source: Source,
    /// Budgets and limits [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    format: LooksFormat,
    /// Write to this file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Show every definition of averages, lows and smoothness that the frames' times give, each by its id
    #[arg(long, conflicts_with = "history")]
    definitions: bool,
    /// Show what each scene did over the captures in this folder, too; in a page alone
    #[arg(long, value_name = "FOLDER")]
    history: Option<PathBuf>,
}

/// One report as programs get it.
#[derive(Serialize)]
pub(crate) struct Entry {
    captures: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    report: Box<RawValue>,
}

#[derive(Serialize)]
struct Listed {
    framecost_reports: u32,
    reports: Vec<Entry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    differences: Vec<Box<RawValue>>,
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    if args.definitions {
        return definitions::run(&args.captures, args.format, args.out.as_deref(), app);
    }
    let configured = Configured::read(args.config.as_deref())?;
    let mut groups = group_under(read_all(&args.captures)?, &configured)?;
    groups.iter_mut().flat_map(once).for_each(|copy| app.out.note(&copy));
    let mut texts = Vec::new();
    let mut entries = Vec::new();
    let find = |group: &Group| args.source.find(group, &configured);
    let references = groups.iter().map(find).collect::<Result<Vec<_>>>()?;
    configured.check_names(&known(app, &configured, &groups, &references, &args.source.baselines))?;
    let config = &configured.config;
    let differences = differences(config, &in_pairs(&groups, &references));
    let Some(format) = args.format.text() else {
        let histories = histories(args.history.as_deref(), config, &groups)?;
        let page = page(config, &groups, &references, &differences, &histories);
        app.out.print_page(args.out.as_deref(), &page)?;
        return Ok(Exit::Passed);
    };
    if args.history.is_some() {
        bail!(WrongUse("--history shows in a page: give --format html, or use framecost history".into()));
    }
    for (group, reference) in groups.iter().zip(&references) {
        for (report, path, baseline) in reports(config, group, reference.as_ref()) {
            match format {
                Format::Text => texts.push(text(&report, app.out.style())),
                Format::Markdown => texts.push(markdown(&report)),
                Format::Json => entries.push(entry(&[path], baseline, &report)?),
            }
        }
    }
    texts.extend(differences.iter().filter_map(|of| shown(of, format, app)));
    let whole = match format {
        Format::Json => output::json(&Listed {
            framecost_reports: 1,
            reports: entries,
            differences: raw_all(&differences)?,
        })?,
        Format::Text | Format::Markdown => texts.join("\n"),
    };
    app.out.print_to(args.out.as_deref(), &whole)?;
    Ok(Exit::Passed)
}

/// Takes copies of a run out of its group, and says so: a run that stands twice would count as two that agree.
fn once(group: &mut Group) -> Vec<String> {
    let mut notes = Vec::new();
    let mut at = 1;
    while at < group.runs.len() {
        let same = group.runs[..at].iter().position(|other| other.capture == group.runs[at].capture);
        let Some(same) = same else {
            at += 1;
            continue;
        };
        let (copy, of) = (quoted(&group.paths[at]), quoted(&group.paths[same]));
        notes.push(format!("note: {copy} holds the same run as {of}: it is counted once"));
        group.runs.remove(at);
        group.paths.remove(at);
    }
    notes
}

/// What each scene of the groups did over the captures of a folder.
fn histories(folder: Option<&Path>, config: &Config, groups: &[Group]) -> Result<Vec<HistoryReport>> {
    let Some(folder) = folder else { return Ok(Vec::new()) };
    let mut scenes: Vec<&str> = Vec::new();
    for group in groups {
        let scene = group.key.key.scene.as_str();
        if !scenes.contains(&scene) {
            scenes.push(scene);
        }
    }
    scenes.into_iter().map(|scene| history::of_scene(scene, folder, config)).collect()
}

/// The page: a section for each run.
fn page(
    config: &Config,
    groups: &[Group],
    references: &[Option<Reference>],
    differences: &[OfVariants],
    histories: &[HistoryReport],
) -> String {
    let of_group =
        |(group, reference): (&Group, &Option<Reference>)| reports(config, group, reference.as_ref());
    let reports: Vec<Vec<_>> = groups.iter().zip(references).map(of_group).collect();
    let mut sections = Vec::new();
    for ((group, reference), reports) in groups.iter().zip(references).zip(&reports) {
        for (run, (report, path, _)) in group.runs.iter().zip(reports) {
            sections.push(section(
                report,
                std::slice::from_ref(run),
                std::slice::from_ref(path),
                reference.as_ref(),
            ));
        }
    }
    html(&Page { overall: None, sections, differences, histories })
}

/// A section of a page: what is said of these runs, and what they are compared with.
pub(crate) fn section<'a>(
    report: &'a Report,
    runs: &'a [framecost::Analysis],
    paths: &[PathBuf],
    reference: Option<&'a Reference>,
) -> Section<'a> {
    Section {
        report,
        runs,
        names: paths.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        baseline: reference.map_or(&[], |reference| &reference.runs),
        baseline_name: reference.map(|reference| unquoted(&reference.name)),
    }
}

/// A path out of its quotes; a name that holds more than one quoted path stays as it is.
fn unquoted(name: &str) -> &str {
    name.strip_prefix('`').and_then(|name| name.strip_suffix('`')).unwrap_or(name)
}

/// A report for each run of a group, with its path and the baseline's name.
fn reports(
    config: &Config,
    group: &Group,
    reference: Option<&Reference>,
) -> Vec<(Report, PathBuf, Option<String>)> {
    let baseline = reference.map_or(&[][..], |reference| &reference.runs);
    let across = reference.map_or(Across::NOTHING, |reference| reference.across);
    // Without a baseline or a budget there is nothing to judge, and a table of skipped rows says nothing.
    let judged = !baseline.is_empty() || !config.budgets.is_empty();
    let of = |(run, path): (&framecost::Analysis, &PathBuf)| {
        let runs = std::slice::from_ref(run);
        let judgement = judged.then(|| judge(runs, baseline, config, across));
        let mut report = Report::new(run, baseline.first(), judgement.as_ref());
        if let Some(verdicts) = &mut report.verdicts {
            let names = group.renamed.iter().chain(reference.iter().flat_map(|it| &it.renamed));
            let mut notes: Vec<String> = names.map(|name| format!("renamed: {name}")).collect();
            notes.sort();
            notes.dedup();
            notes.extend(reference.iter().flat_map(|it| it.notes.iter().cloned()));
            verdicts.notes.extend(notes);
        }
        (report, path.clone(), reference.map(|it| it.name.clone()))
    };
    group.runs.iter().zip(&group.paths).map(of).collect()
}

/// What each switch adds that two of the groups differ in, judged where there is something to hold it against.
fn differences(config: &Config, variants: &[Variants<'_>]) -> Vec<OfVariants> {
    let of = |variants: &Variants<'_>| {
        let judgement = judge_variants(variants, config);
        let skipped = judgement.rows.iter().all(|row| matches!(row.verdict, Verdict::Skipped(_)));
        OfVariants::new(variants, Some(&judgement).filter(|_| !skipped))
    };
    variants.iter().map(of).collect()
}

/// What a switch adds, for people; none for programs.
pub(crate) fn shown(of: &OfVariants, format: Format, app: &App<'_>) -> Option<String> {
    match format {
        Format::Text => Some(text_of_variants(of, app.out.style())),
        Format::Markdown => Some(markdown_of_variants(of)),
        Format::Json => None,
    }
}

/// What switches add, for programs.
pub(crate) fn raw_all(differences: &[OfVariants]) -> Result<Vec<Box<RawValue>>> {
    differences.iter().map(|of| output::raw(&variants_json(of))).collect()
}

/// A report with where it comes from, for programs.
pub(crate) fn entry(captures: &[PathBuf], baseline: Option<String>, report: &Report) -> Result<Entry> {
    Ok(Entry {
        captures: captures.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        baseline,
        report: output::raw(&json(report))?,
    })
}
