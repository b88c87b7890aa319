//! Definitions side by side, and what other tools would print, for people and for programs. In: a [`Sheet`] or an
//! [`Explanation`] with the stream's title. Out: a table as text or markdown, or JSON. A value that is missing is a dash, with
//! its reason below.

use serde::Serialize;

use super::Style;
use super::escape::{markdown_code, markdown_text, terminal};
use super::format::{dash, percent, ratio, value};
use super::json::{Number, to_text};
use super::table::{Paint, Table, left, name, paint, right};
use crate::counted;
use crate::definitions::tools::{Explanation, Said};
use crate::definitions::{Figure, Id, Row, Sheet, Unit, Withheld};
use crate::plural::some_of;

/// Markdown is read in a browser: it may hold any character, and colours come from the page.
const MARKDOWN: Style = Style { colour: false, unicode: true, width: usize::MAX };
/// Figures that are named with the reason that they share; the table has a dash for each, the JSON the reason.
const SHOWN: usize = 4;
/// What stands above a table of definitions.
const MANY: &str =
    "one run has many averages and lows; each is named by its definition, and none of them is \"the\" fps";
/// What stands above the tools' tables.
const SAME: &str =
    "what other tools would print for the very same frames; they withhold nothing, whatever stands behind it";

/// The definitions' values for a terminal.
#[must_use]
pub fn definitions_text(title: &str, sheet: &Sheet, style: &Style) -> String {
    let mut lines =
        vec![paint(&terminal(title), Paint::Bold, style), extent(sheet), MANY.into(), String::new()];
    let mut table = Table::new(vec![
        left("definition", 0),
        right("value", 0),
        right("frames behind it", 0),
        left("what it is", 1),
        left("used by", 2),
    ]);
    for row in &sheet.rows {
        let [value, behind] = of_value(row.value, row.id, style);
        let definition = row.id.definition;
        table.push(vec![
            row.id.to_string(),
            value,
            behind,
            definition.name.into(),
            definition.used_by.into(),
        ]);
    }
    lines.extend(table.lines(2, style));
    lines.extend(missing(&sheet.rows, |id| id.to_string()).iter().map(|line| format!("  missing: {line}")));
    lines.extend(sheet.notes.iter().map(|note| format!("note: {}", terminal(note))));
    lines.push(String::new());
    lines.join("\n")
}

/// The definitions' values as markdown, with the rule of each.
#[must_use]
pub fn definitions_markdown(title: &str, sheet: &Sheet) -> String {
    let mut out = format!("### {}\n\n{}. {}.\n\n", markdown_code(title), extent(sheet), sentence(MANY));
    let mut table = Table::new(vec![
        name("definition"),
        right("value", 0),
        right("frames behind it", 0),
        left("what it is", 0),
        left("rule", 0),
        left("used by", 0),
    ]);
    for row in &sheet.rows {
        let [value, behind] = of_value(row.value, row.id, &MARKDOWN);
        let definition = row.id.definition;
        let texts = [definition.name, definition.rule, definition.used_by].map(markdown_text);
        table.push([code(row.id), value, behind].into_iter().chain(texts).collect());
    }
    out.push_str(&table.markdown());
    let missing = missing(&sheet.rows, code).into_iter().map(|line| format!("missing: {line}"));
    list(&mut out, missing.chain(sheet.notes.iter().map(|note| markdown_text(note))));
    out
}

/// What other tools would print, for a terminal.
#[must_use]
pub fn explain_text(title: &str, explanation: &Explanation, style: &Style) -> String {
    let mut lines = vec![paint(&terminal(title), Paint::Bold, style), SAME.into()];
    for tool in &explanation.tools {
        lines.push(String::new());
        lines.push(paint(&format!("{}: {}", tool.tool, tool.output), Paint::Bold, style));
        lines.extend(of_tool(tool, style, str::to_owned, |id| id.to_string()).lines(2, style));
        lines.extend(tool_missing(tool).iter().map(|line| format!("  missing: {line}")));
        lines.extend(tool.defects.iter().map(|defect| format!("  known: {defect}")));
    }
    lines.push(String::new());
    lines.extend(explanation.why.iter().map(|why| format!("why: {}", terminal(why))));
    lines.extend(explanation.notes.iter().map(|note| format!("note: {}", terminal(note))));
    lines.push(String::new());
    lines.join("\n")
}

/// What other tools would print, as markdown.
#[must_use]
pub fn explain_markdown(title: &str, explanation: &Explanation) -> String {
    let mut out = format!("### {}\n\n{}.\n\n", markdown_code(title), sentence(SAME));
    for tool in &explanation.tools {
        out.push_str(&format!("#### {}: {}\n\n", markdown_text(tool.tool), markdown_text(tool.output)));
        out.push_str(&of_tool(tool, &MARKDOWN, markdown_text, code).markdown());
        let missing = tool_missing(tool).into_iter().map(|line| format!("missing: {line}"));
        let lines = missing.chain(tool.defects.iter().map(|defect| format!("known: {defect}")));
        list(&mut out, lines.map(|line| markdown_text(&line)));
        out.push('\n');
    }
    out.push_str("#### Why they differ\n");
    list(&mut out, explanation.why.iter().chain(&explanation.notes).map(|line| markdown_text(line)));
    out
}

fn of_tool(
    tool: &Said,
    style: &Style,
    label: impl Fn(&str) -> String,
    written: impl Fn(Id) -> String,
) -> Table {
    let mut table = Table::new(vec![
        left("as it prints it", 0),
        right("value", 0),
        right("frames behind it", 0),
        left("definition", 0),
    ]);
    for row in &tool.rows {
        let [value, behind] = of_value(row.value, row.id, style);
        table.push(vec![label(row.label), value, behind, written(row.id)]);
    }
    table
}

/// Frames, and what their times are.
fn extent(sheet: &Sheet) -> String {
    let log = match sheet.basis.log {
        crate::definitions::Log::PerFrame => "every frame",
        crate::definitions::Log::Sampled => "a sample of the frames",
    };
    format!(
        "{} in {}, {} intervals, {log}",
        counted(sheet.frames, "frame"),
        value(sheet.total, framecost_sample::Unit::Nanos),
        sheet.basis.intervals.name(),
    )
}

/// A value and the frames behind it.
fn of_value(found: Result<Figure, Withheld>, id: Id, style: &Style) -> [String; 2] {
    match found {
        Ok(figure) => [shown(figure.value, id.definition.unit), behind(&figure)],
        Err(_) => [dash(style).to_owned(), dash(style).to_owned()],
    }
}

fn shown(number: f64, unit: Unit) -> String {
    let time = || value(number, framecost_sample::Unit::Nanos);
    match unit {
        Unit::Fps => format!("{} fps", ratio(number)),
        Unit::Nanos => time(),
        Unit::NanosPerSecond => format!("{}/s", time()),
        Unit::Ratio => percent(number),
    }
}

fn behind(figure: &Figure) -> String {
    if figure.behind == figure.of {
        figure.of.to_string()
    } else {
        format!("{} of {}", figure.behind, figure.of)
    }
}

/// The reasons of the sheet's missing values, each with the definitions that have it.
fn missing(rows: &[Row], written: impl Fn(Id) -> String) -> Vec<String> {
    by_reason(rows.iter().filter_map(|row| Some((row.value.err()?, written(row.id)))))
}

/// An id as markdown code. It is one of ours, so that nothing in it acts between backquotes.
fn code(id: Id) -> String {
    format!("`{id}`")
}

/// The reasons of a tool's missing values.
fn tool_missing(tool: &Said) -> Vec<String> {
    by_reason(tool.rows.iter().filter_map(|row| Some((row.value.err()?, row.label.to_owned()))))
}

fn by_reason(missing: impl Iterator<Item = (Withheld, String)>) -> Vec<String> {
    let mut found: Vec<(Withheld, Vec<String>)> = Vec::new();
    for (reason, what) in missing {
        match found.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, all)) => all.push(what),
            None => found.push((reason, vec![what])),
        }
    }
    let line =
        |(reason, all): &(Withheld, Vec<String>)| format!("{}: {reason}", some_of(all, SHOWN, "figure"));
    found.iter().map(line).collect()
}

/// A list of lines that are markdown already.
fn list(out: &mut String, lines: impl Iterator<Item = String>) {
    for (i, line) in lines.enumerate() {
        let gap = if i == 0 { "\n" } else { "" };
        out.push_str(&format!("{gap}- {line}\n"));
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[derive(Serialize)]
struct OfSheet<'a> {
    framecost_definitions: u32,
    title: &'a str,
    log: &'static str,
    intervals: &'static str,
    frames: u64,
    total_ns: f64,
    left_out: OfLeftOut,
    values: Vec<OfRow>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct OfLeftOut {
    missing: u64,
    zero: u64,
    impossible: u64,
}

#[derive(Serialize)]
struct OfRow {
    id: String,
    definition: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
    name: &'static str,
    family: &'static str,
    unit: &'static str,
    value: Number,
    #[serde(flatten)]
    frames: Option<OfFrames>,
    needs: u64,
    rule: &'static str,
    used_by: &'static str,
}

#[derive(Serialize)]
struct OfFrames {
    behind: u64,
    of: u64,
}

/// The definitions' values as JSON text.
#[must_use]
pub fn definitions_json(title: &str, sheet: &Sheet) -> String {
    let row = |row: &Row| {
        let definition = row.id.definition;
        OfRow {
            id: row.id.to_string(),
            definition: definition.id,
            share: row.id.share.map(|share| share.part()),
            name: definition.name,
            family: definition.family.name(),
            unit: definition.unit.name(),
            value: number(row.value),
            frames: frames(row.value),
            needs: row.id.needs(),
            rule: definition.rule,
            used_by: definition.used_by,
        }
    };
    let left_out = sheet.left_out;
    to_text(&OfSheet {
        framecost_definitions: 1,
        title,
        log: sheet.basis.log.name(),
        intervals: sheet.basis.intervals.name(),
        frames: sheet.frames,
        total_ns: sheet.total,
        left_out: OfLeftOut {
            missing: left_out.missing,
            zero: left_out.zero,
            impossible: left_out.impossible,
        },
        values: sheet.rows.iter().map(row).collect(),
        notes: &sheet.notes,
    })
}

#[derive(Serialize)]
struct OfExplanation<'a> {
    framecost_explain: u32,
    title: &'a str,
    tools: Vec<OfTool>,
    why: &'a [String],
    notes: &'a [String],
}

#[derive(Serialize)]
struct OfTool {
    tool: &'static str,
    output: &'static str,
    rows: Vec<OfLabel>,
    defects: &'static [&'static str],
}

#[derive(Serialize)]
struct OfLabel {
    label: &'static str,
    definition: String,
    unit: &'static str,
    value: Number,
    #[serde(flatten)]
    frames: Option<OfFrames>,
}

/// What other tools would print, as JSON text.
#[must_use]
pub fn explain_json(title: &str, explanation: &Explanation) -> String {
    let tool = |tool: &Said| OfTool {
        tool: tool.tool,
        output: tool.output,
        rows: tool
            .rows
            .iter()
            .map(|row| OfLabel {
                label: row.label,
                definition: row.id.to_string(),
                unit: row.id.definition.unit.name(),
                value: number(row.value),
                frames: frames(row.value),
            })
            .collect(),
        defects: tool.defects,
    };
    to_text(&OfExplanation {
        framecost_explain: 1,
        title,
        tools: explanation.tools.iter().map(tool).collect(),
        why: &explanation.why,
        notes: &explanation.notes,
    })
}

fn number(found: Result<Figure, Withheld>) -> Number {
    match found {
        Ok(figure) => Number::Value(figure.value),
        Err(why) => Number::missing(why.to_string()),
    }
}

fn frames(found: Result<Figure, Withheld>) -> Option<OfFrames> {
    found.ok().map(|figure| OfFrames { behind: figure.behind, of: figure.of })
}
