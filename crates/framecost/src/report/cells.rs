//! Columns and cells that the terminal's and markdown's tables share. In: figures. Out: cells without names in them, except
//! those handed in already escaped.

use framecost_sample::Reading;

use super::format::{dash, quantile, some_ratio, value};
use super::table::{Column, Table, name, right};
use super::{Figure, OfVariants, Style};
use crate::stats::Statistic;

/// The columns of a figure's statistics, after one of names.
pub(super) fn statistic_columns(first: &'static str, ratios: bool) -> Vec<Column> {
    let mut columns = vec![
        name(first),
        right("median", 0),
        right("p95", 0),
        right("p99", 1),
        right("mean", 2),
        right("max", 1),
        right("n", 0),
    ];
    columns.extend(ratios.then(|| right("ratio", 0)));
    columns
}

/// A figure's cells for [`statistic_columns`]; `name` is escaped for the format.
pub(super) fn statistic_cells(name: &str, figure: &Figure, ratios: bool, style: &Style) -> Vec<String> {
    let mut cells = vec![name.to_owned()];
    match &figure.stats {
        Reading::Measured(stats) => {
            let unit = figure.unit;
            cells.push(value(stats.median, unit));
            cells.extend([stats.p95, stats.p99].map(|it| quantile(it, unit, style)));
            cells.extend([stats.mean, stats.max].map(|it| value(it, unit)));
        }
        Reading::Missing(_) => cells.extend(std::iter::repeat_n(dash(style).to_owned(), 5)),
    }
    cells.push(count(figure));
    cells.extend(ratios.then(|| some_ratio(figure.ratio, style)));
    cells
}

/// A figure's median.
pub(super) fn median(figure: &Figure, style: &Style) -> String {
    figure.stats.measured().map_or_else(|| dash(style).into(), |stats| value(stats.median, figure.unit))
}

/// How many values stand behind a figure.
pub(super) fn count(figure: &Figure) -> String {
    figure.stats.measured().map_or_else(|| "0".into(), |stats| stats.n.to_string())
}

/// A fact of the environment, not escaped.
pub(super) fn fact_text(reading: &Reading<String>) -> String {
    match reading {
        Reading::Measured(value) => value.clone(),
        Reading::Missing(reason) => format!("missing: {reason}"),
    }
}

/// The table of a difference between variants; `escape` makes names inert.
pub(super) fn paired_table(of: &OfVariants, escape: impl Fn(&str) -> String, style: &Style) -> Table {
    let ratios = of.has_ratios();
    let titles = [("median", 0), ("p95", 0), ("mean", 2), ("pairs", 0), ("without partner", 1)];
    let mut columns = vec![name("")];
    columns.extend(titles.map(|(title, rank)| right(title, rank)));
    columns.extend(ratios.then(|| [right("baseline", 3), right("ratio", 0)]).into_iter().flatten());
    let mut table = Table::new(columns);
    for figure in &of.figures {
        let shown =
            |number: Option<f64>| number.map_or_else(|| dash(style).into(), |it| value(it, figure.unit));
        let further =
            |statistic| if figure.is_total() { shown(figure.value(statistic)) } else { String::new() };
        let mut cells = vec![escape(&figure.figure.to_string()), shown(figure.value(Statistic::Median))];
        cells.extend([Statistic::P95, Statistic::Mean].map(further));
        cells.extend([figure.pairs, figure.alone].map(|count| count.to_string()));
        if ratios {
            cells.extend([shown(figure.baseline), some_ratio(figure.ratio, style)]);
        }
        table.push(cells);
    }
    table
}

/// Why figures have no value, one line each.
pub(super) fn paired_missing(of: &OfVariants) -> Vec<String> {
    let why = |figure: &super::PairedFigure| {
        let reason = figure.repeats.iter().find_map(Reading::missing)?;
        Some(format!("{}: no pair of frames, {reason}", figure.figure))
    };
    of.figures.iter().filter_map(why).collect()
}
