//! The report for programs. In: a [`Report`]. Out: JSON with full precision, in the units that it names; `docs/format.md`
//! describes it. A value that is missing holds `{"missing": "reason"}` under its key, never zero and never null; a key that
//! does not apply to the run at hand is left out.
//! Only this module, the HTML page, the recount, the cost of a pass, definitions, somebody's streams, Chrome's trace and the history know serde.

mod from;

use std::collections::BTreeMap;

use serde::Serialize;

use super::escape::json_inert;
use super::{OfVariants, Report};
use crate::judge::Overall;

/// The version of the structure that [`json`] writes. It grows by keys only; a change of meaning is a new version.
pub const VERSION: u32 = 1;

/// The report as JSON text, indented, with a newline at its end.
#[must_use]
pub fn json(report: &Report) -> String {
    to_text(&OfReport::from(report))
}

/// Plain data as JSON text.
pub(super) fn to_text(data: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(data)
        .unwrap_or_else(|fault| unreachable!("plain data with text keys always serialises: {fault}"));
    text.push('\n');
    json_inert(&text)
}

/// What a switch adds, as JSON text.
#[must_use]
pub fn variants_json(of: &OfVariants) -> String {
    to_text(&OfDifferenceOfVariants::from(of))
}

/// What several judgements come to, as JSON text: the `overall` of a comparison.
#[must_use]
pub fn overall_json(overall: &Overall) -> String {
    to_text(&OfOverall::from(overall))
}

#[derive(Serialize)]
struct OfReport<'a> {
    framecost_report: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<OfVerdicts<'a>>,
    run: OfHead<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<OfComparison<'a>>,
    frame: Vec<OfFigure<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<Number>,
    passes: Vec<OfPass<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    untimed_share: Option<Number>,
    gates: Vec<OfGate<'a>>,
    samples: Vec<OfFigure<'a>>,
    figures: Vec<OfFigure<'a>>,
    cost_of_measuring: Vec<OfFigure<'a>>,
    missing: Vec<OfMissing<'a>>,
    findings: Vec<OfFinding<'a>>,
    environment: Vec<OfFact<'a>>,
}

/// A value, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Number {
    Value(f64),
    Missing { missing: String },
}

/// A text, or why there is none.
#[derive(Serialize)]
#[serde(untagged)]
enum Text<'a> {
    Value(&'a str),
    Missing { missing: String },
}

#[derive(Serialize)]
struct OfHead<'a> {
    benchmark: &'a str,
    scene: &'a str,
    switches: BTreeMap<&'a str, &'a str>,
    adapter: &'a str,
    adapter_class: &'a str,
    times_are_for_this_adapter_only: bool,
    backend: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<[u32; 2]>,
    settings_hash: &'a str,
    instrumentation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    frames_in_flight: Option<u32>,
    frames: OfFrames,
    stamps: BTreeMap<&'a str, &'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_by: Option<&'a str>,
    floor: &'a str,
    percentiles: &'a str,
    producer: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    started_at: Option<&'a str>,
}

#[derive(Serialize)]
struct OfFrames {
    measured: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<u64>,
    dropped: u64,
    start_up_left_out: u64,
    warm_up_left_out: u64,
    calibration_left_out: u64,
}

#[derive(Serialize)]
pub(super) struct OfFigure<'a> {
    metric: &'a str,
    unit: &'static str,
    better: &'static str,
    about: &'a str,
    n: u64,
    #[serde(flatten)]
    statistics: BTreeMap<&'static str, Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_median: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Number>,
}

#[derive(Serialize)]
struct OfPass<'a> {
    name: &'a str,
    stamps: &'a str,
    share: Number,
    attributed: OfFigure<'a>,
    duration: OfFigure<'a>,
    exposed: OfFigure<'a>,
    alone: OfFigure<'a>,
}

#[derive(Serialize)]
struct OfGate<'a> {
    name: &'a str,
    from: &'a str,
    to: &'a str,
    time: OfFigure<'a>,
    coverage: OfFigure<'a>,
    before: OfFigure<'a>,
}

#[derive(Serialize)]
struct OfMissing<'a> {
    what: &'a str,
    reason: &'a str,
    times: u64,
    of: u64,
}

#[derive(Serialize)]
struct OfFinding<'a> {
    place: &'a str,
    cause: &'a str,
    remedy: &'a str,
    times: u64,
}

#[derive(Serialize)]
struct OfFact<'a> {
    name: &'a str,
    before: Text<'a>,
    after: Text<'a>,
}

#[derive(Serialize)]
struct OfComparison<'a> {
    frames: OfFrameCounts,
    refused: Vec<OfDifference<'a>>,
    declared: Vec<OfDifference<'a>>,
    environment: Vec<OfDifference<'a>>,
}

#[derive(Serialize)]
struct OfFrameCounts {
    run: u64,
    baseline: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    common: Option<u64>,
}

#[derive(Serialize)]
struct OfDifference<'a> {
    what: &'a str,
    this: &'a str,
    baseline: &'a str,
}

#[derive(Serialize)]
struct OfVerdicts<'a> {
    outcome: &'static str,
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_rate: Option<&'a str>,
    runs: u64,
    baseline_runs: u64,
    tally: OfTally,
    rows: Vec<OfRow<'a>>,
    notes: &'a [String],
    unbound: Vec<OfUnbound<'a>>,
    differs: Vec<OfDifference<'a>>,
}

#[derive(Serialize)]
struct OfOverall<'a> {
    outcome: &'static str,
    captures: u64,
    sets: u64,
    differences: u64,
    regressed: u64,
    not_measured: u64,
    undecided: u64,
    passed: u64,
    without_baseline: u64,
    not_compared: u64,
    partial: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    census: Option<OfCensus<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_rate: Option<&'static str>,
    notes: &'a [String],
    unbound: Vec<OfUnbound<'a>>,
}

/// What became of every figure.
#[derive(Serialize)]
struct OfCensus<'a> {
    judged: &'a [String],
    undecided: &'a [String],
    missing: &'a [String],
    refused: &'a [String],
    renamed: &'a [String],
    no_baseline: &'a [String],
    excluded: &'a [String],
    shown: &'a [String],
    without_value: &'a [String],
    absent: Vec<OfAbsence<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct OfAbsence<'a> {
    kind: &'static str,
    text: &'a str,
}

/// A budget or ceiling that binds nothing.
#[derive(Serialize)]
struct OfUnbound<'a> {
    name: &'a str,
    kind: &'static str,
    part: String,
    wanted: &'a str,
    given: &'a [String],
}

#[derive(Serialize)]
struct OfTally {
    failed: u64,
    missing: u64,
    refused: u64,
    undecided: u64,
    warned: u64,
    improved: u64,
    passed: u64,
    skipped: u64,
    shown: u64,
}

#[derive(Serialize)]
struct OfRow<'a> {
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    against: OfAgainst<'a>,
    #[serde(flatten)]
    figure: OfFigureId<'a>,
    statistic: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    current: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    n: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<OfEvidence<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rests_on: Option<&'a str>,
}

/// What the rule of runs knows of a row.
#[derive(Serialize)]
struct OfEvidence<'a> {
    scale: &'static str,
    change: f64,
    low: f64,
    high: f64,
    beyond_each_end: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    spread: Option<f64>,
    each: &'a [f64],
    smallest: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    more_runs: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    most_more_runs: Option<u64>,
    within: f64,
    widest: &'static str,
    p: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    p_confirming: Option<f64>,
    grew: Vec<OfStretch>,
    drifts: bool,
}

#[derive(Serialize)]
struct OfStretch {
    first: u64,
    last: u64,
    change: f64,
}

#[derive(Serialize)]
pub(super) struct OfFigureId<'a> {
    metric: &'a str,
    subject: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum OfAgainst<'a> {
    Baseline { fail: f64, warn: f64, floor: f64, fail_change: f64, warn_change: f64 },
    Budget(OfLimit<'a>),
    Ceiling(OfLimit<'a>),
}

#[derive(Serialize)]
struct OfLimit<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<f64>,
}

/// What a switch adds between two of its values.
#[derive(Serialize)]
struct OfDifferenceOfVariants<'a> {
    switch: &'a str,
    more: &'a str,
    less: &'a str,
    of: &'a str,
    pairs_of_runs: u64,
    baseline_pairs_of_runs: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<OfVerdicts<'a>>,
    figures: Vec<OfPairedFigure<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct OfPairedFigure<'a> {
    #[serde(flatten)]
    figure: OfFigureId<'a>,
    unit: &'static str,
    pairs: u64,
    without_partner: u64,
    #[serde(flatten)]
    statistics: BTreeMap<&'static str, Number>,
    /// The same of each pair of runs.
    each: Vec<BTreeMap<&'static str, Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    baseline_median: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<Number>,
}
