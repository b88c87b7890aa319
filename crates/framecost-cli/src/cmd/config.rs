//! `framecost config`: what `framecost.toml` says, checked before a gate hangs on it. For given captures: which limits hold for
//! which figure and from which line, which budgets bind, what is expected and absent.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use framecost::judge::{
    Absence, Against, Applied, Budget, Census, Config, JudgedSet, Judgement, Row, Source as From, Verdict,
    applied, judge,
};
use framecost_sample::{Nanos, Unit};
use serde::Serialize;

use crate::App;
use crate::args::ListFormat;
use crate::capture::{Group, group, group_under, read_all};
use crate::configured::{Configured, known};
use crate::exit::Exit;
use crate::expected::Expected;
use crate::output::{clean, quoted};
use crate::reference::{BASELINES, Reference, Source};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  framecost config check                           is the file sound?
  framecost config check out/orrery.framecost      which limits hold for this run, and from which line
  framecost config expect out/*.framecost          `compare` shuts the gate where one of these is not run

Exit codes: 0 sound, 2 an error in the file, 3 something that it expects is absent, or a budget that no run can be held against.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
    /// The file [default: the nearest framecost.toml from here upwards]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    #[command(flatten)]
    format: ListFormat,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Check the file, and show what of it applies to captures
    Check {
        /// Capture folders
        #[arg(value_name = "CAPTURE")]
        captures: Vec<PathBuf>,
        /// The folder of stored baselines
        #[arg(long, value_name = "DIR", default_value = BASELINES)]
        baselines: PathBuf,
    },
    /// Expect these runs from now on, with all that they measured
    Expect {
        /// Capture folders
        #[arg(required = true, value_name = "CAPTURE")]
        captures: Vec<PathBuf>,
    },
}

pub(crate) fn run(args: &Args, app: &App<'_>) -> Result<Exit> {
    match &args.action {
        Action::Expect { captures } => {
            let groups = group(read_all(captures)?)?;
            let said = Expected::of(args.config.as_deref(), groups)?.write()?;
            if args.format.is_json() {
                app.out.print_json(&Wrote { framecost_expected: 1, said: said.lines().collect() })?;
            } else {
                app.out.print(&format!("{said}\n"))?;
            }
            Ok(Exit::Passed)
        }
        Action::Check { captures, baselines } => check(args, app, captures, baselines),
    }
}

#[derive(Serialize)]
struct Wrote<'a> {
    framecost_expected: u32,
    said: Vec<&'a str>,
}

fn check(args: &Args, app: &App<'_>, captures: &[PathBuf], baselines: &std::path::Path) -> Result<Exit> {
    let configured = Configured::read(args.config.as_deref())?;
    let groups = group_under(read_all(captures)?, &configured)?;
    let source = Source { baseline: Vec::new(), baselines: baselines.to_path_buf() };
    let find = |group: &Group| source.find(group, &configured);
    let references = groups.iter().map(find).collect::<Result<Vec<_>>>()?;
    let known = known(app, &configured, &groups, &references, baselines);
    configured.check_names(&known)?;
    let config = &configured.config;
    let runs = |reference: &Option<Reference>| reference.as_ref().map_or(Vec::new(), |it| it.runs.clone());
    let judgements: Vec<Judgement> = groups
        .iter()
        .zip(&references)
        .map(|(group, reference)| {
            let across = reference.as_ref().map_or(framecost::judge::Across::NOTHING, |it| it.across);
            judge(&group.runs, &runs(reference), config, across)
        })
        .collect();
    let sets: Vec<JudgedSet<'_>> = groups
        .iter()
        .zip(&references)
        .zip(&judgements)
        .map(|((group, reference), judgement)| JudgedSet {
            runs: &group.runs,
            baseline: reference.as_ref().map_or(&[], |it| &it.runs),
            judgement,
            renamed: &[],
        })
        .collect();
    // Without captures nothing can be absent from them.
    let (absent, notes): (Vec<Absence>, Vec<String>) = match sets.is_empty() {
        true => (Vec::new(), Vec::new()),
        false => {
            let census = Census::of(&sets, &[], config, &known, true);
            (census.absent.into_iter().filter(|it| it.kind.is_expected()).collect(), config.idle(&known))
        }
    };
    // What `compare` shuts its gate for is no sound budget either.
    let lacking = judgements.iter().flat_map(|judgement| &judgement.rows).any(is_lacking_budget);
    let exit = if absent.is_empty() && !lacking { Exit::Passed } else { Exit::NotMeasured };
    let shown: Vec<OfSet> = groups
        .iter()
        .zip(&references)
        .zip(&judgements)
        .map(|((group, reference), judgement)| of_set(config, group, reference.as_ref(), judgement))
        .collect();
    if args.format.is_json() {
        app.out.print_json(&OfConfig::new(&configured, shown, &absent, notes, exit))?;
    } else {
        app.out.print(&text(&configured, &shown, &absent, &notes))?;
    }
    Ok(exit)
}

/// A budget that binds a run which has no such figure, or that no run could be held against.
fn is_lacking_budget(row: &Row) -> bool {
    let shuts = matches!(row.verdict, Verdict::Missing(_) | Verdict::Refused(_));
    shuts && matches!(row.against, Against::Budget { .. })
}

/// The configuration as it applies, for programs.
#[derive(Serialize)]
struct OfConfig {
    framecost_config: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    contents: String,
    exit_code: u8,
    sets: Vec<OfSet>,
    absent: Vec<OfAbsence>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

#[derive(Serialize)]
struct OfAbsence {
    kind: &'static str,
    text: String,
}

/// What applies to captures of one key.
#[derive(Serialize)]
struct OfSet {
    title: String,
    captures: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<String>,
    rule: OfValue<&'static str>,
    figures: Vec<OfFigure>,
    budgets: Vec<OfBudget>,
}

#[derive(Serialize)]
struct OfFigure {
    figure: String,
    statistics: Vec<&'static str>,
    statistics_from: OfSource,
    fail: OfValue<f64>,
    warn: OfValue<f64>,
    floor: OfValue<f64>,
    unit: &'static str,
    /// The changes at which it fails and warns: falls where more is better.
    fail_change: f64,
    warn_change: f64,
}

#[derive(Serialize)]
struct OfValue<T> {
    value: T,
    #[serde(flatten)]
    from: OfSource,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct OfSource {
    from: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
}

#[derive(Serialize)]
struct OfBudget {
    kind: &'static str,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    figure: String,
    statistic: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    binds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl std::convert::From<&From> for OfSource {
    fn from(source: &From) -> Self {
        Self { from: source.section.clone(), line: source.place.map(|place| place.line) }
    }
}

impl OfConfig {
    fn new(
        configured: &Configured,
        sets: Vec<OfSet>,
        absent: &[Absence],
        notes: Vec<String>,
        exit: Exit,
    ) -> Self {
        Self {
            framecost_config: 1,
            file: configured.file.as_ref().map(|file| file.to_string_lossy().into_owned()),
            contents: configured.config.contents(),
            exit_code: exit as u8,
            absent: absent
                .iter()
                .map(|it| OfAbsence { kind: it.kind.name(), text: it.text.clone() })
                .collect(),
            sets,
            notes,
        }
    }
}

fn of_set(config: &Config, group: &Group, reference: Option<&Reference>, judgement: &Judgement) -> OfSet {
    let key = &group.key.key;
    let own = config.for_key(key);
    let (rule, from) = own.rule_from();
    let size = key.size.map_or_else(String::new, |size| format!(" {size}"));
    let switches = if key.switches.0.is_empty() { String::new() } else { format!(" {}", key.switches) };
    let figures = group.runs.first().map_or(Vec::new(), |run| applied(run, &own));
    OfSet {
        title: format!("{}{size}{switches} on {} ({})", key.scene, key.adapter, key.adapter_class.name()),
        captures: group.paths.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        baseline: reference.map(|reference| reference.name.clone()),
        rule: OfValue { value: rule.name(), from: OfSource::from(&from) },
        figures: figures.iter().map(of_figure).collect(),
        budgets: judgement.rows.iter().filter_map(|row| of_budget(row, &config.budgets)).collect(),
    }
}

fn of_figure(applied: &Applied) -> OfFigure {
    let value = |of: &(f64, From)| OfValue { value: of.0, from: OfSource::from(&of.1) };
    let (fail_change, warn_change) = applied.changes();
    OfFigure {
        fail_change,
        warn_change,
        figure: applied.figure.to_string(),
        statistics: applied.statistics.iter().map(|it| it.name()).collect(),
        statistics_from: OfSource::from(&applied.judged_from),
        fail: value(&applied.fail),
        warn: value(&applied.warn),
        floor: value(&applied.floor),
        unit: applied.unit.name(),
    }
}

fn of_budget(row: &Row, budgets: &[Budget]) -> Option<OfBudget> {
    let Against::Budget { name, kind, limit, .. } = &row.against else { return None };
    let place = budgets.iter().find(|budget| budget.name == *name).and_then(|budget| budget.place);
    let why = match &row.verdict {
        Verdict::Skipped(why) | Verdict::Refused(why) | Verdict::Missing(why) => Some(why.clone()),
        _ => None,
    };
    Some(OfBudget {
        kind: kind.name(),
        name: name.clone(),
        line: place.map(|place| place.line),
        figure: row.figure.to_string(),
        statistic: row.statistic.name(),
        limit: *limit,
        unit: row.unit.map(Unit::name),
        binds: why.is_none(),
        why,
    })
}

/// All of it for a terminal.
fn text(configured: &Configured, sets: &[OfSet], absent: &[Absence], notes: &[String]) -> String {
    let contents = configured.config.contents();
    let mut text = match &configured.file {
        Some(file) => format!("{} is sound: {contents}\n", quoted(file)),
        None => format!("no framecost.toml from here upwards: {contents}\n"),
    };
    for absence in absent {
        let _ = writeln!(text, "  absent: {}", clean(&absence.text));
    }
    for note in notes {
        let _ = writeln!(text, "  applies to nothing: {}", clean(note));
    }
    for set in sets {
        let _ = writeln!(text, "\n{}", clean(&set.title));
        let _ = writeln!(text, "  rule      {} ({})", set.rule.value, clean(&shown(&set.rule.from)));
        let _ = writeln!(
            text,
            "  baseline  {}",
            clean(set.baseline.as_deref().unwrap_or("none stored for this key"))
        );
        figures(&mut text, set);
        budgets(&mut text, set);
    }
    expected(&mut text, &configured.config);
    text
}

fn shown(source: &OfSource) -> String {
    source.line.map_or_else(|| source.from.clone(), |line| format!("{}, line {line}", source.from))
}

fn figures(text: &mut String, set: &OfSet) {
    let judged: Vec<&OfFigure> = set.figures.iter().filter(|it| !it.statistics.is_empty()).collect();
    let mut rows = vec![["figure", "statistics", "fail", "warn", "floor", "from"].map(str::to_owned)];
    for figure in &judged {
        let percent = |part: f64| {
            let sign = if part < 0.0 { "" } else { "+" };
            format!("{sign}{} %", (part * 1e4).round() / 1e2)
        };
        rows.push([
            clean(&figure.figure),
            figure.statistics.join(", "),
            percent(figure.fail_change),
            percent(figure.warn_change),
            amount(figure.floor.value, figure.unit),
            clean(&sources(figure)),
        ]);
    }
    push_rows(text, &rows);
    let excluded =
        set.figures.iter().filter(|it| it.statistics.is_empty() && it.statistics_from.line.is_some());
    for figure in excluded {
        let _ = writeln!(
            text,
            "  not judged: {} ({})",
            clean(&figure.figure),
            clean(&shown(&figure.statistics_from))
        );
    }
}

/// Where a figure's values come from; those of one source together.
fn sources(figure: &OfFigure) -> String {
    let each = [
        ("judged", &figure.statistics_from),
        ("fail", &figure.fail.from),
        ("warn", &figure.warn.from),
        ("floor", &figure.floor.from),
    ];
    let said: Vec<(&str, &OfSource)> = each.into_iter().filter(|(_, source)| source.line.is_some()).collect();
    if said.is_empty() {
        return "built in".into();
    }
    said.iter().map(|(key, source)| format!("{key}: {}", shown(source))).collect::<Vec<_>>().join("; ")
}

fn amount(value: f64, unit: &str) -> String {
    if unit == Unit::Nanos.name() { Nanos(value).to_string() } else { format!("{value} {unit}") }
}

fn budgets(text: &mut String, set: &OfSet) {
    for budget in &set.budgets {
        let line = budget.line.map_or_else(String::new, |line| format!(" (line {line})"));
        let bound = match &budget.why {
            None => "binds".to_owned(),
            Some(why) => format!("does not bind: {why}"),
        };
        let (kind, figure, statistic) = (budget.kind, &budget.figure, budget.statistic);
        let limit =
            budget.limit.zip(budget.unit).map(|(limit, unit)| format!(" limit {}", amount(limit, unit)));
        let limit = limit.unwrap_or_default();
        let said = format!("  {kind} \"{}\"{line}, {figure} {statistic}{limit}: {bound}", budget.name);
        let _ = writeln!(text, "{}", clean(&said));
    }
}

fn expected(text: &mut String, config: &Config) {
    if config.expect.is_empty() {
        return;
    }
    text.push_str("\nexpected\n");
    for expect in &config.expect {
        let line = expect.place.map_or_else(String::new, |place| format!(" (line {})", place.line));
        let names: Vec<&str> = [&expect.passes, &expect.gates, &expect.metrics]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let _ = writeln!(text, "  {}{line}: {}", clean(&expect.title()), clean(&names.join(", ")));
    }
}

/// Columns as wide as their widest cell.
fn push_rows<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        let _ = writeln!(text, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}
