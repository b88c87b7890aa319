//! Runs that were measured in turns with others, judged by pairs. In: analyses in their order, pair by pair. Out: a judgement,
//! and each figure's change with its interval, for people and for programs.

use std::path::PathBuf;

use anyhow::{Result, bail};
use framecost::judge::{
    Across, Against, Case, Config, Difference, Evidence, Judgement, Row, Scale, judge_case,
};
use framecost::report::word_for;
use framecost::{Analysis, counted, pairs_of};
use framecost_sample::{Pairing, Side, Switches, Unit};
use serde::Serialize;

use crate::App;
use crate::args::Format;
use crate::capture::{Read, analyse, read_all};
use crate::exit::WrongUse;
use crate::output::clean;

/// Pairs of runs with what was found.
pub(super) struct Judged {
    /// What was compared with what.
    pub(super) title: String,
    /// How the two of a pair took turns.
    pub(super) turns: &'static str,
    pub(super) judgement: Judgement,
}

/// Judges each run against the one of the same place.
pub(super) fn judge_pairs(
    runs: &[Analysis],
    baseline: &[Analysis],
    config: &Config,
    across: Across,
) -> Judgement {
    judge_case(&Case { runs, baseline, confirm: &[], noise: None, across, paired: true }, config)
}

/// Judges the captures of two variants whose frames took turns: those of side b against those of side a. None where a side
/// has none.
pub(super) fn of_captures(paths: &[PathBuf], config: &Config) -> Result<Option<Judged>> {
    Ok(pair_up(paths, config)?.map(|paired| paired.judged))
}

/// Pairs with what was found of them.
pub(super) struct Paired {
    pub(super) judged: Judged,
    pub(super) runs: Vec<Analysis>,
    pub(super) baseline: Vec<Analysis>,
}

/// As [`of_captures`]; that there is no pair is wrong use.
pub(super) fn of_given(paths: &[PathBuf], config: &Config) -> Result<Paired> {
    let Some(paired) = pair_up(paths, config)? else {
        bail!(WrongUse(
            "--paired: the captures given hold no pair; framecost bench --vary SWITCH=V1,V2 --interleave frames measures such"
                .into()
        ));
    };
    Ok(paired)
}

fn pair_up(paths: &[PathBuf], config: &Config) -> Result<Option<Paired>> {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for Read { capture, .. } in read_all(paths)? {
        match Pairing::of(&capture.environment).map(|pairing| pairing.side) {
            Some(Side::A) => old.push(capture),
            Some(Side::B) => new.push(capture),
            None => {}
        }
    }
    let (Some(a), Some(b)) = (old.first(), new.first()) else { return Ok(None) };
    let title = title(&a.key.scene, &a.key.switches, &b.key.switches);
    let order = pairs_of(&new.iter().collect::<Vec<_>>(), &old.iter().collect::<Vec<_>>())?;
    let of =
        |capture: &framecost_sample::Capture| analyse(capture.clone(), &framecost::account::Floor::default());
    let runs = order.iter().map(|pair| of(&new[pair.0])).collect::<Result<Vec<_>>>()?;
    let baseline = order.iter().map(|pair| of(&old[pair.1])).collect::<Result<Vec<_>>>()?;
    let across = Across { switches: true, ..Across::NOTHING };
    let judgement = judge_pairs(&runs, &baseline, config, across);
    Ok(Some(Paired { judged: Judged { title, turns: "frame by frame in turn", judgement }, runs, baseline }))
}

/// The switches in which the two differ.
fn title(scene: &str, a: &Switches, b: &Switches) -> String {
    let of = |this: &Switches, that: &Switches| {
        let differs = |(name, value): &(&String, &String)| that.0.get(*name) != Some(*value);
        let some = this.0.iter().filter(differs).map(|(name, value)| format!("{name}={value}"));
        some.collect::<Vec<_>>().join(" ")
    };
    match (of(b, a), of(a, b)) {
        (same, _) if same.is_empty() => format!("{scene}: the same twice"),
        (new, old) => format!("{scene}: {new} against {old}"),
    }
}

/// As programs get it.
#[derive(Serialize)]
pub(super) struct OfPairs {
    title: String,
    turns: &'static str,
    pairs: u64,
    outcome: &'static str,
    rule: &'static str,
    error_rate: &'static str,
    rows: Vec<OfRow>,
}

#[derive(Serialize)]
struct OfRow {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    figure: String,
    statistic: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<OfEvidence>,
}

#[derive(Serialize)]
pub(super) struct OfEvidence {
    scale: Scale,
    change: f64,
    low: f64,
    high: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<f64>,
    each: Vec<f64>,
    smallest: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_runs: Option<u64>,
    p: f64,
}

impl From<&Evidence> for OfEvidence {
    fn from(of: &Evidence) -> Self {
        Self {
            scale: of.scale,
            change: of.change,
            low: of.low,
            high: of.high,
            spread: of.spread,
            each: of.each.clone(),
            smallest: of.smallest,
            more_runs: of.more_runs,
            p: of.p,
        }
    }
}

impl From<&Judged> for OfPairs {
    fn from(of: &Judged) -> Self {
        let row = |row: &Row| OfRow {
            verdict: row.verdict.name(),
            reason: row.verdict.reason().map(str::to_owned),
            figure: row.figure.to_string(),
            statistic: row.statistic.name(),
            unit: row.unit.map(Unit::name),
            current: row.current,
            baseline: row.baseline,
            evidence: row.evidence.as_ref().map(OfEvidence::from),
        };
        let Judgement { rows, runs, rule, error_rate, .. } = &of.judgement;
        Self {
            title: of.title.clone(),
            turns: of.turns,
            pairs: runs.0,
            outcome: of.judgement.outcome().name(),
            rule: rule.name(),
            error_rate,
            rows: rows.iter().filter(is_compared).map(row).collect(),
        }
    }
}

/// Budgets are of one run, and stand in its report.
fn is_compared(row: &&Row) -> bool {
    matches!(row.against, Against::Baseline(_))
}

impl Judged {
    /// Prints it for people; in any case gives it as programs get it.
    pub(super) fn shown(&self, format: Format, app: &App<'_>) -> Result<OfPairs> {
        match format {
            Format::Text => app.out.print(&format!("\n{}", self.text(false)))?,
            Format::Markdown => app.out.print(&format!("\n{}", self.text(true)))?,
            Format::Json => {}
        }
        Ok(self.into())
    }

    /// Verdict, then a row for each figure that was compared, then why some could not be.
    pub(super) fn text(&self, markdown: bool) -> String {
        let Judgement { rows, runs, error_rate, .. } = &self.judgement;
        let outcome = word_for(&self.judgement);
        let heading =
            format!("{outcome}  {}, {} {}", clean(&self.title), counted(runs.0, "pair"), self.turns);
        let mut table = vec![
            ["verdict", "figure", "change", "98 % interval", "pair to pair", "would show"].map(str::to_owned),
        ];
        table.extend(rows.iter().filter(is_compared).filter_map(cells));
        let table = if markdown { in_markdown(&table) } else { in_text(&table) };
        let around = |line: String| if markdown { escaped(&line) } else { line };
        let mut lines = vec![around(heading)];
        lines.extend(differs(&self.judgement).into_iter().map(around));
        lines.extend(table);
        lines.extend(reasons(rows).into_iter().map(around));
        lines.push(around(format!("  {error_rate}")));
        lines.push(String::new());
        lines.join("\n")
    }
}

/// In what the two of the first pair differ beside the work itself: what was declared, and what surrounded them.
fn differs(judgement: &Judgement) -> Vec<String> {
    const MOST: usize = 8;
    let all: Vec<&Difference> = judgement.declared.iter().chain(&judgement.environment).collect();
    let line = |it: &&Difference| {
        format!("  differs: {}", clean(&format!("{} {} -> {}", it.what, it.baseline, it.this)))
    };
    let mut lines: Vec<String> = all.iter().take(MOST).map(line).collect();
    if all.len() > MOST {
        lines.push(format!("  and {} more", counted((all.len() - MOST) as u64, "difference")));
    }
    lines
}

/// A row's cells; none of a figure of which nothing is known.
fn cells(row: &Row) -> Option<[String; 6]> {
    let evidence = row.evidence.as_ref()?;
    let unit = row.unit.unwrap_or(Unit::Ratio);
    let of = |value: f64, sign| amount(value, evidence.scale, unit, sign);
    let past_saying = evidence.is_past_saying();
    Some([
        row.verdict.name().to_uppercase(),
        clean(&row.title()),
        of(evidence.change, true),
        match past_saying {
            true => "too few pairs".into(),
            false => format!("{} to {}", of(evidence.low, true), of(evidence.high, true)),
        },
        evidence.spread.map_or_else(|| "-".into(), |spread| of(spread, false)),
        if past_saying { "-".into() } else { of(evidence.smallest, true) },
    ])
}

/// A change as a person reads it.
pub(super) fn amount(value: f64, scale: Scale, unit: Unit, sign: bool) -> String {
    // What is shown as zero has no sign.
    let value = if scale == Scale::Ratio && value.abs() < 5e-5 { 0.0 } else { value };
    let plus = if sign && value > 0.0 { "+" } else { "" };
    match scale {
        Scale::Ratio => format!("{plus}{:.2} %", 100.0 * value),
        Scale::Difference => format!("{plus}{}", unit.show(value)),
    }
}

/// Why figures could not be decided: each reason once, with the figures that it holds of.
fn reasons(rows: &[Row]) -> Vec<String> {
    let mut found: Vec<(&'static str, &str, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(is_compared) {
        let Some(reason) = row.verdict.reason() else { continue };
        let name = clean(&format!("{} {}", row.figure, row.statistic));
        match found.iter_mut().find(|it| (it.0, it.1) == (row.verdict.name(), reason)) {
            Some(known) => known.2.push(name),
            None => found.push((row.verdict.name(), reason, vec![name])),
        }
    }
    found
        .into_iter()
        .map(|(verdict, reason, names)| format!("  {verdict}: {}: {}", names.join(", "), clean(reason)))
        .collect()
}

/// Columns side by side, the first two at the left, the others at the right.
pub(super) fn in_text<const N: usize>(table: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let line = |row: &[String; N]| {
        let cell = |(column, text): (usize, &String)| {
            let width = width(column);
            if column < 2 { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        format!("  {}", row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end())
    };
    table.iter().map(line).collect()
}

/// A table behind an empty line.
fn in_markdown<const N: usize>(table: &[[String; N]]) -> Vec<String> {
    let line = |row: &[String; N]| format!("| {} |", row.each_ref().map(|text| escaped(text)).join(" | "));
    let mut lines = vec![String::new()];
    lines.extend(table.iter().map(line));
    lines.insert(2.min(lines.len()), format!("|{}", "---|".repeat(N)));
    lines.push(String::new());
    lines
}

/// Text in which no character means anything to markdown or HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_{}[]<>|#&~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
