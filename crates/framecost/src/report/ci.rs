//! What a CI server is told of a judgement, whatever its format: which rows fail it, and a row in one sentence. In: report
//! data. Out: weights and texts, in which names are still as captures give them.

use super::{OfVariants, Report, Style, Verdicts, evidence, words};
use crate::judge::{Against, Overall, Row, Scale, Verdict, ratio};

/// What a comparison that the data cannot decide counts as: the caller's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Undecided {
    /// It keeps the gate shut.
    #[default]
    Fails,
    /// It passes.
    Passes,
}

/// What a row does to the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Past its limit.
    Fails,
    /// Expected, and absent, refused or undecided: it must not pass, and nothing was found to be worse.
    Blocks,
    /// Past the warning limit; the gate stays open.
    Warns,
    /// Better by what would have failed as a loss.
    Gains,
    /// Inside the limits.
    Passes,
    /// There was nothing to compare with, and nothing was expected.
    Skipped,
    /// Shown, not judged.
    Shown,
}

/// What the row does to the gate.
pub(super) const fn weight(row: &Row, undecided: Undecided) -> Weight {
    match (&row.verdict, undecided) {
        (Verdict::Fail, _) => Weight::Fails,
        (Verdict::Missing(_) | Verdict::Refused(_), _) => Weight::Blocks,
        (Verdict::Undecided(_), Undecided::Fails) => Weight::Blocks,
        (Verdict::Undecided(_), Undecided::Passes) => Weight::Passes,
        (Verdict::Warn, _) => Weight::Warns,
        (Verdict::Improved, _) => Weight::Gains,
        (Verdict::Pass, _) => Weight::Passes,
        (Verdict::Skipped(_), _) => Weight::Skipped,
        (Verdict::Shown, _) => Weight::Shown,
    }
}

/// Captures of one key that were judged together, or a difference between variants.
#[derive(Debug)]
pub(super) struct Set<'a> {
    /// What was judged, and on which adapter.
    pub(super) name: String,
    pub(super) verdicts: &'a Verdicts,
}

/// Everything that was judged, each with its name.
pub(super) fn sets<'a>(reports: &'a [Report], differences: &'a [OfVariants]) -> Vec<Set<'a>> {
    let of_report = |report: &'a Report| {
        let name = format!("{}, {}", words::title(&report.head), report.head.adapter);
        report.verdicts.as_ref().map(|verdicts| Set { name, verdicts })
    };
    let of_difference = |of: &'a OfVariants| {
        let name = format!("difference {}, {}", words::difference(of), of.of);
        of.verdicts.as_ref().map(|verdicts| Set { name, verdicts })
    };
    reports.iter().filter_map(of_report).chain(differences.iter().filter_map(of_difference)).collect()
}

/// How many comparisons were decided in all sets; without any a gate has nothing to stand on, whatever it lets pass.
pub(super) fn compared(sets: &[Set<'_>]) -> u64 {
    sets.iter().map(|set| set.verdicts.tally.compared()).sum()
}

/// By how large a part of the baseline or limit the row differs from it; none where that is no number. Largest first, rows
/// stand in the order in which somebody should read them.
pub(super) fn size(row: &Row) -> Option<f64> {
    let of_baseline = |change: f64| row.baseline.filter(|it| *it > 0.0).map(|baseline| change / baseline);
    let change = match (&row.evidence, &row.against) {
        (Some(evidence), _) if evidence.scale == Scale::Ratio => Some(evidence.change),
        (Some(evidence), _) => of_baseline(evidence.change),
        (None, Against::Baseline(_)) => row.ratio.map(|ratio| ratio - 1.0),
        (None, Against::Budget { limit, .. }) => ratio(row.current, *limit).map(|ratio| ratio - 1.0),
    };
    change.map(f64::abs).filter(|change| change.is_finite())
}

/// Rows with the largest change first; those whose change is no part of anything come last, in the judgement's order.
pub(super) fn largest_first<T>(rows: &mut [(&Row, T)]) {
    rows.sort_by(|(a, _), (b, _)| size(b).unwrap_or(-1.0).total_cmp(&size(a).unwrap_or(-1.0)));
}

/// Of rows that nothing decided, the one that is most likely a loss: the least chance, else the first.
pub(super) fn most_likely<'a, T>(rows: &'a [(&'a Row, T)]) -> Option<&'a (&'a Row, T)> {
    let chance = |row: &Row| row.evidence.as_ref().map_or(1.0, |evidence| evidence.p);
    rows.iter().min_by(|(a, _), (b, _)| chance(a).total_cmp(&chance(b)))
}

/// What all sets come to, in one sentence.
pub(super) fn outcome(overall: &Overall, sets: &[Set<'_>]) -> String {
    let word = words::headline(overall);
    match sets {
        [only] => {
            let next = words::next(only.verdicts).map_or_else(String::new, |next| format!("; {next}"));
            format!("{word}: {}{next}", words::tally(only.verdicts))
        }
        _ => format!("{word}: {}", words::overall(overall)),
    }
}

/// What was found of a row, behind its figure's name: values, ratio and limit as far as there are any, and the reason.
pub(super) fn sentence(row: &Row) -> String {
    let style = &Style::PLAIN;
    let cell =
        |name: &str, value: Option<f64>| value.map(|_| format!("{name} {}", words::cell(value, row, style)));
    let (before, now) = evidence::sides(row);
    let mut parts: Vec<String> = cell("baseline", before).into_iter().collect();
    parts.extend(cell("run", now));
    let change = evidence::change(row).map(|change| format!("change {change}"));
    parts.extend(change.or_else(|| row.ratio.map(|ratio| format!("ratio {ratio:.3}"))));
    if row.current.is_some() && !matches!(row.verdict, Verdict::Skipped(_)) {
        parts.push(format!("limit {}", words::limit(row, style)));
    }
    let found = if parts.is_empty() { row.verdict.name().to_owned() } else { parts.join(", ") };
    let found = row.rests_on.as_ref().map_or_else(|| found.clone(), |on| format!("{found}; {on}"));
    row.verdict.reason().map_or_else(|| found.clone(), |why| format!("{found}: {why}"))
}
