//! What the rule of runs knows, as text: changes with their intervals, and where they are. In: judged rows. Out: cells and
//! sentences in the rows' units.

use super::format::{dash, percent, some_ratio, value};
use super::words;
use super::{Style, Verdicts};
use crate::judge::{Evidence, Row, SIDE, Scale, Stretch};

/// What the columns of [`cells`] mean.
pub(super) const TITLES: [&str; 6] = ["baseline", "run", "change", "interval", "spread", "would show"];

/// Rows that the rule of runs compared.
pub(super) fn rows(verdicts: &Verdicts) -> impl Iterator<Item = (&Row, &Evidence)> {
    verdicts.rows.iter().filter_map(|row| row.evidence.as_ref().map(|evidence| (row, evidence)))
}

/// The row's numbers under [`TITLES`].
pub(super) fn cells(row: &Row, evidence: &Evidence, style: &Style) -> Vec<String> {
    let signed = |change| signed(change, row, evidence.scale);
    let plain = |change| amount(change, row, evidence.scale);
    let (before, now) = sides(row);
    vec![
        words::cell(before, row, style),
        words::cell(now, row, style),
        signed(evidence.change),
        interval(row, evidence),
        evidence.spread.map_or_else(|| dash(style).into(), plain),
        if evidence.is_past_saying() { dash(style).into() } else { plain(evidence.smallest) },
    ]
}

/// The interval of a change.
fn interval(row: &Row, evidence: &Evidence) -> String {
    let signed = |change| signed(change, row, evidence.scale);
    if evidence.is_past_saying() {
        return "too few runs".into();
    }
    format!("{} to {}", signed(evidence.low), signed(evidence.high))
}

/// What a row moved by, for the column under [`moved_title`]: the rule's change, else the ratio.
pub(super) fn moved(row: &Row, style: &Style) -> String {
    match &row.evidence {
        Some(evidence) => signed(evidence.change, row, evidence.scale),
        None => some_ratio(row.ratio, style),
    }
}

/// The title of the column of [`moved`].
pub(super) fn moved_title<'a>(mut rows: impl Iterator<Item = &'a Row>) -> &'static str {
    if rows.any(|row| row.evidence.is_some()) { "change" } else { "ratio" }
}

/// Whether the values of both sides would contradict the change beside them: medians of all frames can move the other way than
/// the same frames do, each held against itself, and it is these that the rule compares.
fn contradicts(row: &Row) -> bool {
    row.evidence.as_ref().is_some_and(|evidence| {
        let (now, before) = evidence.sides;
        let shown = |value| words::cell(Some(value), row, &Style::PLAIN);
        (now - before) * evidence.change < 0.0 && shown(now) != shown(before)
    })
}

/// Logarithms of a change and of its values' ratio that differ by more than this deserve a word: by 5 %.
const UNLIKE: f64 = 0.05;

/// Whether the values of both sides moved by another amount than the same frames did.
fn moved_otherwise(evidence: &Evidence) -> bool {
    let (now, before) = evidence.sides;
    evidence.scale == Scale::Ratio && ((now / before).ln() - evidence.change.ln_1p()).abs() > UNLIKE
}

/// The values of the baseline and of the run, as far as they do not contradict the change; none of a row that has none.
pub(super) fn sides(row: &Row) -> (Option<f64>, Option<f64>) {
    if contradicts(row) { (None, None) } else { (row.baseline, row.current) }
}

/// What to know of values that moved otherwise than the change beside them.
pub(super) fn apart(verdicts: &Verdicts) -> Vec<String> {
    let named = |wanted: &dyn Fn(&Row, &Evidence) -> bool| {
        let names: Vec<String> = rows(verdicts)
            .filter(|(row, evidence)| wanted(row, evidence))
            .map(|(row, _)| words::statistic(row))
            .collect();
        (!names.is_empty()).then(|| words::some_of(&names, "figure"))
    };
    let left_out = named(&|row, _| contradicts(row)).map(|names| {
        format!(
            "baseline and run are left out where their medians moved the other way than the same frames did, each held against \
             itself, which is the change: {names}"
        )
    });
    let otherwise = named(&|row, evidence| moved_otherwise(evidence) && !contradicts(row)).map(|names| {
        format!(
            "the change is that of the same frames, each held against itself; baseline and run differ by another amount in: {names}"
        )
    });
    left_out.into_iter().chain(otherwise).collect()
}

/// What the columns say, in one sentence.
pub(super) fn legend(verdicts: &Verdicts) -> String {
    let means = match verdicts.runs {
        (0 | 1, 0 | 1) => "",
        _ => "baseline and run are means over the runs, of ratios the geometric ones; ",
    };
    format!(
        "{means}1 in {:.0} true changes lies beyond either end of its interval; spread is from run to run; a loss as large as \
         \"would show\" is found nine times of ten",
        1.0 / SIDE
    )
}

/// A change with its interval, for a line of its own.
pub(super) fn change(row: &Row) -> Option<String> {
    let evidence = row.evidence.as_ref()?;
    let signed = |change| signed(change, row, evidence.scale);
    Some(format!("{} ({})", signed(evidence.change), interval(row, evidence)))
}

/// Where a figure got worse, and that its run drifts.
pub(super) fn places(row: &Row, evidence: &Evidence) -> Vec<String> {
    let of = |stretch: &Stretch| {
        let change = signed(stretch.change, row, evidence.scale);
        format!("{}: frames {} to {} {change}", words::statistic(row), stretch.first, stretch.last)
    };
    evidence.grew.iter().map(of).collect()
}

/// The figures whose difference from the baseline drifts along the run; none where none does.
pub(super) fn drifting(verdicts: &Verdicts) -> Option<String> {
    let names: Vec<String> = rows(verdicts)
        .filter(|(_, evidence)| evidence.drifts)
        .map(|(row, _)| words::statistic(row))
        .collect();
    let named = words::some_of(&names, "figure");
    (!names.is_empty()).then(|| {
        format!("drift: how these differ from the baseline changes slowly along the run, as clocks or heat do: {named}")
    })
}

/// A change with its sign.
pub(super) fn signed(change: f64, row: &Row, scale: Scale) -> String {
    let text = amount(change, row, scale);
    if change > 0.0 && text.contains(|digit| ('1'..='9').contains(&digit)) {
        format!("+{text}")
    } else {
        text
    }
}

/// A size on the scale of the row's comparison.
pub(super) fn amount(change: f64, row: &Row, scale: Scale) -> String {
    match (scale, row.unit) {
        (Scale::Ratio, _) if (5e-6..0.001).contains(&change.abs()) => format!("{:.3} %", change * 100.0),
        (Scale::Ratio, _) => percent(change),
        (Scale::Difference, Some(unit)) => value(change, unit),
        (Scale::Difference, None) => change.to_string(),
    }
}
