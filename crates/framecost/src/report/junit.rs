//! A judgement as JUnit XML, which every CI server reads. In: what was judged. Out: a document with a suite for each set of
//! captures, a case for each judged row, and one for the question whether anything was compared at all.
//!
//! Servers show a failure and an error as red, a skipped case as harmless. So a row past its limit is a `failure`, whatever
//! must not pass without being worse (missing, refused, undecided) is an `error`, and only what nobody expected is `skipped`.
//! There is no `time`: no case has a duration of its own, and one that was not measured is no zero.
//! Format: the schema of Jenkins' JUnit plugin, <https://github.com/jenkinsci/xunit-plugin>, `junit-10.xsd`.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::ci::{Set, Undecided, Weight, compared, outcome, sentence, sets, weight};
use super::escape::terminal;
use super::{OfVariants, Report, Style, text, text_of_variants, words};
use crate::judge::{Overall, Row};

/// The suite and case that no judgement is without.
const GATE: &str = "framecost compare";
const COMPARED: &str = "something was compared";

/// The judgements of one call as JUnit XML, with a newline at its end.
#[must_use]
pub fn junit(
    overall: &Overall,
    reports: &[Report],
    differences: &[OfVariants],
    undecided: Undecided,
) -> String {
    written(&suites(overall, reports, differences, undecided))
}

/// The document of a comparison that could not be made.
pub(super) fn junit_of_failure(kind: &'static str, error: &str) -> String {
    let state = State::Not { element: "error", kind: Some(kind), message: error.to_owned() };
    let cases = vec![Case { name: COMPARED.into(), state, found: format!("{kind}: {error}") }];
    let properties = vec![("outcome", kind.to_owned())];
    let shown = format!("{}\n", terminal(error));
    written(&[Suite { name: GATE.into(), properties, cases, shown }])
}

fn written(suites: &[Suite]) -> String {
    let mut out = Vec::new();
    let written = document(&mut out, suites);
    written.unwrap_or_else(|fault| unreachable!("a buffer in memory takes all that is written: {fault}"));
    out.push(b'\n');
    String::from_utf8_lossy(&out).into_owned()
}

/// A case of a suite.
struct Case {
    name: String,
    state: State,
    /// What was found, for whoever opens the case.
    found: String,
}

enum State {
    Passed,
    /// The element's name, what kind of fault it is, and its one line.
    Not {
        element: &'static str,
        kind: Option<&'static str>,
        message: String,
    },
}

/// A suite with what a server shows beside it.
struct Suite {
    name: String,
    properties: Vec<(&'static str, String)>,
    cases: Vec<Case>,
    /// The report as text, already escaped for a terminal.
    shown: String,
}

impl Suite {
    fn count(&self, wanted: &str) -> usize {
        let is = |case: &&Case| matches!(&case.state, State::Not { element, .. } if *element == wanted);
        self.cases.iter().filter(is).count()
    }
}

fn document(out: &mut Vec<u8>, suites: &[Suite]) -> io::Result<()> {
    let mut writer = Writer::new_with_indent(out, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let total = |wanted: &str| suites.iter().map(|suite| suite.count(wanted)).sum::<usize>().to_string();
    let tests: usize = suites.iter().map(|suite| suite.cases.len()).sum();
    let root = writer
        .create_element("testsuites")
        .with_attribute(("name", GATE))
        .with_attribute(("tests", tests.to_string().as_str()))
        .with_attribute(("failures", total("failure").as_str()))
        .with_attribute(("errors", total("error").as_str()))
        .with_attribute(("skipped", total("skipped").as_str()));
    root.write_inner_content(|writer| suites.iter().try_for_each(|suite| write_suite(writer, suite)))?;
    Ok(())
}

fn suites(
    overall: &Overall,
    reports: &[Report],
    differences: &[OfVariants],
    undecided: Undecided,
) -> Vec<Suite> {
    let sets = sets(reports, differences);
    let mut suites = vec![gate(overall, &sets)];
    // The sets are those reports and differences that were judged, in this order.
    let of_reports = reports.iter().filter(|it| it.verdicts.is_some());
    let of_reports = of_reports.map(|report| (of_report(report), text(report, &Style::PLAIN)));
    let of_differences = differences.iter().filter(|it| it.verdicts.is_some());
    let of_differences = of_differences.map(|of| (Vec::new(), text_of_variants(of, &Style::PLAIN)));
    for (set, (mut properties, shown)) in sets.iter().zip(of_reports.chain(of_differences)) {
        let (runs, baseline) = set.verdicts.runs;
        properties.push(("rule", set.verdicts.rule.clone()));
        properties.push(("runs", runs.to_string()));
        properties.push(("baseline_runs", baseline.to_string()));
        let cases = set.verdicts.rows.iter().filter_map(|row| case(row, undecided)).collect();
        suites.push(Suite { name: set.name.clone(), properties, cases, shown });
    }
    suites
}

/// Whether there is anything that the gate stands on: without it an empty or wholly skipped document would be green.
fn gate(overall: &Overall, sets: &[Set<'_>]) -> Suite {
    let found = outcome(overall, sets);
    let state = match compared(sets) {
        0 => State::Not {
            element: "error",
            kind: Some("not measured"),
            message: "nothing was compared".into(),
        },
        _ => State::Passed,
    };
    let cases = vec![Case { name: COMPARED.into(), state, found: found.clone() }];
    let properties = vec![("outcome", overall.outcome.name().to_owned())];
    Suite { name: GATE.into(), properties, cases, shown: format!("{}\n", terminal(&found)) }
}

fn of_report(report: &Report) -> Vec<(&'static str, String)> {
    let head = &report.head;
    let mut properties = vec![
        ("benchmark", head.benchmark.clone()),
        ("scene", head.scene.clone()),
        ("adapter", head.adapter.clone()),
        ("adapter_class", head.adapter_class.clone()),
        ("backend", head.backend.clone()),
        ("producer", head.producer.clone()),
    ];
    properties.extend(head.started_at.clone().map(|moment| ("started_at", moment)));
    properties
}

/// A row's case; none for a row that is shown and not judged.
fn case(row: &Row, undecided: Undecided) -> Option<Case> {
    let found = sentence(row);
    let not = |element, kind| State::Not { element, kind, message: found.clone() };
    let state = match weight(row, undecided) {
        Weight::Fails => not("failure", Some("regressed")),
        Weight::Blocks => not("error", Some(row.verdict.name())),
        Weight::Skipped => not("skipped", None),
        Weight::Warns | Weight::Gains | Weight::Passes => State::Passed,
        Weight::Shown => return None,
    };
    let found = format!("{}: {found}", row.verdict.name());
    Some(Case { name: words::figure(row), state, found })
}

fn write_suite<W: io::Write>(writer: &mut Writer<W>, suite: &Suite) -> io::Result<()> {
    let name = visible(&suite.name);
    let count = |element: &str| suite.count(element).to_string();
    let element = writer
        .create_element("testsuite")
        .with_attribute(("name", name.as_str()))
        .with_attribute(("tests", suite.cases.len().to_string().as_str()))
        .with_attribute(("failures", count("failure").as_str()))
        .with_attribute(("errors", count("error").as_str()))
        .with_attribute(("skipped", count("skipped").as_str()));
    element.write_inner_content(|writer| {
        writer.create_element("properties").write_inner_content(|writer| {
            suite.properties.iter().try_for_each(|(name, value)| {
                let property = writer.create_element("property").with_attribute(("name", *name));
                property.with_attribute(("value", visible(value).as_str())).write_empty().map(drop)
            })
        })?;
        suite.cases.iter().try_for_each(|case| write_case(writer, &name, case))?;
        // Lines that are escaped already, so that only what XML itself forbids is left.
        writer.create_element("system-out").write_text_content(BytesText::new(&allowed(&suite.shown)))?;
        Ok(())
    })?;
    Ok(())
}

fn write_case<W: io::Write>(writer: &mut Writer<W>, suite: &str, case: &Case) -> io::Result<()> {
    let name = visible(&case.name);
    let element = writer.create_element("testcase").with_attribute(("name", name.as_str()));
    element.with_attribute(("classname", suite)).write_inner_content(|writer| {
        if let State::Not { element, kind, message } = &case.state {
            let message = visible(message);
            let mut fault = writer.create_element(*element).with_attribute(("message", message.as_str()));
            if let Some(kind) = kind {
                fault = fault.with_attribute(("type", *kind));
            }
            fault.write_empty()?;
        }
        let found = visible(&case.found);
        writer.create_element("system-out").write_text_content(BytesText::new(&found))?;
        Ok(())
    })?;
    Ok(())
}

/// A text from elsewhere as one line in which nothing acts and which XML 1.0 allows; the writer escapes its markup.
fn visible(text: &str) -> String {
    allowed(&terminal(text))
}

/// The two characters that a terminal may show and XML 1.0 forbids, written out
/// (<https://www.w3.org/TR/xml/#charsets>). Controls are gone by now.
fn allowed(text: &str) -> String {
    text.replace('\u{fffe}', "\\u{fffe}").replace('\u{ffff}', "\\u{ffff}")
}
