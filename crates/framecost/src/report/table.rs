//! Tables of text. In: columns and rows of escaped cells. Out: aligned lines that fit a width, or a markdown table.

use super::Style;

/// Which side a column's cells stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A column. Those of a higher `rank` are left out first where the table is too wide; rank 0 always stays.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) title: &'static str,
    pub(super) side: Side,
    pub(super) rank: u8,
    /// Whether long cells are cut.
    pub(super) cut: bool,
}

/// Cells by row. Each row has a cell per column.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Line>,
}

/// A row of cells, one of which may be painted.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) cells: Vec<String>,
    pub(super) bold: bool,
}

/// A column of names, cut where they are long.
pub(super) const fn name(title: &'static str) -> Column {
    Column { title, side: Side::Left, rank: 0, cut: true }
}

/// A column of texts, never cut.
pub(super) const fn left(title: &'static str, rank: u8) -> Column {
    Column { title, side: Side::Left, rank, cut: false }
}

/// A column of numbers.
pub(super) const fn right(title: &'static str, rank: u8) -> Column {
    Column { title, side: Side::Right, rank, cut: false }
}

const GAP: &str = "  ";
/// Names longer than this are cut in their middle, so that both their ends tell them apart.
const LONGEST: usize = 40;

impl Table {
    pub(super) const fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(super) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(Line { cells, bold: false });
    }

    pub(super) fn push_bold(&mut self, cells: Vec<String>) {
        self.rows.push(Line { cells, bold: true });
    }

    /// Aligned lines, each with `indent` spaces before it and none behind.
    pub(super) fn lines(&self, indent: usize, style: &Style) -> Vec<String> {
        let shown =
            |(cell, column): (&String, &Column)| if column.cut { shorten(cell, style) } else { cell.clone() };
        let cut: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.cells.iter().zip(&self.columns).map(shown).collect()).collect();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|i| {
                let cells = cut.iter().filter_map(|row| row.get(i)).map(|cell| columns_of(cell));
                cells.max().unwrap_or(0).max(columns_of(self.columns[i].title))
            })
            .collect();
        let kept = self.fitting(&widths, indent, style.width);
        let line = |cell: &dyn Fn(usize) -> String| {
            let padded: Vec<String> =
                kept.iter().map(|&i| pad(&cell(i), widths[i], self.columns[i].side)).collect();
            format!("{}{}", " ".repeat(indent), padded.join(GAP)).trim_end().to_owned()
        };
        let title = paint(&line(&|i| self.columns[i].title.to_owned()), Paint::Dim, style);
        let body = self.rows.iter().zip(&cut).map(|(row, cells)| {
            let text = line(&|i| cells.get(i).cloned().unwrap_or_default());
            if row.bold { paint(&text, Paint::Bold, style) } else { text }
        });
        std::iter::once(title).chain(body).collect()
    }

    /// The columns that fit, by index: the highest ranks go first.
    fn fitting(&self, widths: &[usize], indent: usize, width: usize) -> Vec<usize> {
        let mut kept: Vec<usize> = (0..self.columns.len()).collect();
        loop {
            let gaps = GAP.len() * kept.len().saturating_sub(1);
            let needed = indent + gaps + kept.iter().map(|&i| widths[i]).sum::<usize>();
            let most = kept.iter().map(|&i| self.columns[i].rank).max().unwrap_or(0);
            if needed <= width || most == 0 {
                return kept;
            }
            if let Some(last) = kept.iter().rposition(|&i| self.columns[i].rank == most) {
                kept.remove(last);
            }
        }
    }

    /// As a markdown table. Cells are markdown already.
    pub(super) fn markdown(&self) -> String {
        let row = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
        let rule = |column: &Column| if column.side == Side::Left { "---" } else { "---:" };
        let mut out = row(self.columns.iter().map(|column| column.title).collect());
        out.push_str(&row(self.columns.iter().map(rule).collect()));
        for line in &self.rows {
            out.push_str(&row(line.cells.iter().map(String::as_str).collect()));
        }
        out
    }
}

/// What a piece of text is painted with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Bold,
    Dim,
    Red,
    Yellow,
    Green,
    Magenta,
}

/// The text in a colour, where the style has colours.
pub(super) fn paint(text: &str, paint: Paint, style: &Style) -> String {
    if !style.colour {
        return text.to_owned();
    }
    let code = match paint {
        Paint::Bold => "1",
        Paint::Dim => "2",
        Paint::Red => "1;31",
        Paint::Yellow => "1;33",
        Paint::Green => "1;32",
        Paint::Magenta => "1;35",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

/// Columns that a text takes on a terminal, one per character: texts are escaped, so none is a control.
fn columns_of(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, width: usize, side: Side) -> String {
    let space = " ".repeat(width.saturating_sub(columns_of(text)));
    match side {
        Side::Left => format!("{text}{space}"),
        Side::Right => format!("{space}{text}"),
    }
}

fn shorten(text: &str, style: &Style) -> String {
    let length = columns_of(text);
    if length <= LONGEST {
        return text.to_owned();
    }
    let mark = if style.unicode { "\u{2026}" } else { "..." };
    let kept = LONGEST - columns_of(mark);
    let head: String = text.chars().take(kept / 2).collect();
    let tail: String = text.chars().skip(length - (kept - kept / 2)).collect();
    format!("{head}{mark}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(vec![name("pass"), right("median", 0), right("alone", 2), right("n", 1)]);
        table.push(vec!["lit".into(), "9.8 ms".into(), "1 ms".into(), "60".into()]);
        table.push(vec!["a".repeat(60), "10.10 ms".into(), "-".into(), "60".into()]);
        table
    }

    #[test]
    fn columns_align_and_long_names_are_cut_in_their_middle() {
        insta::assert_snapshot!(table().lines(0, &Style::PLAIN).join("\n"), @r"
        pass                                        median  alone   n
        lit                                         9.8 ms   1 ms  60
        aaaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaaa  10.10 ms      -  60
        ");
    }

    #[test]
    fn a_narrow_terminal_loses_the_least_important_columns() {
        let narrow = Style { width: 58, ..Style::PLAIN };
        let lines = table().lines(0, &narrow);
        assert!(!lines[0].contains("alone") && lines[0].contains('n'), "{}", lines[0]);
        let slim = table().lines(0, &Style { width: 1, ..Style::PLAIN });
        assert!(slim[0].contains("median"), "the columns that matter stay: {}", slim[0]);
    }
}
