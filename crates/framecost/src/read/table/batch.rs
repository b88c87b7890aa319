//! Rows that are typed together, column by column: what is asked of a column is asked once for all of them. In: the places of lines
//! with as many fields each. Out: cells and flags by row, and for a damaged row the first field that does not fit.

use std::ops::Range;

use super::fields::{Fields, ends_with_return};
use super::layout::{Kind, Layout, Rule, Rules, Shown, Step};
use super::numbers::{self, Words};
use super::part::{DROPPED, GENERATED, Texts, UNSAID};
use crate::read::log::{Cells, Gap};
use crate::read::number::{self, Shape};
use crate::read::quarantine::Damage;

/// The rows at hand.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) rows: Vec<Row>,
    /// Fields of each row.
    pub(super) fields: usize,
    /// By column; of columns that are part of the stream's id they say nothing.
    pub(super) cells: Vec<Cells>,
    /// [`DROPPED`], [`GENERATED`] and [`UNSAID`] by row.
    pub(super) flags: Vec<u8>,
    /// What is wrong with damaged rows, each once, by the row's place, in the order of the file.
    pub(super) faults: Vec<(usize, Fault)>,
    /// The rows' places in the order of the file.
    in_file: Vec<usize>,
    /// Room for sorting: where the next row of each stream goes, and the rows sorted.
    next: Vec<usize>,
    sorted: Vec<Row>,
    /// By row: whether its GPU work was seen.
    seen: Vec<bool>,
    /// The fields of the column at hand.
    words: Words,
}

/// A row of known shape and stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its line of the part, counted from 1.
    pub(super) line: u64,
    /// Its stream's place in the part.
    pub(super) stream: usize,
    /// The place in the list of ends of the one before it.
    pub(super) before: usize,
}

/// What is wrong with a row: the column's place, if it is one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fault {
    pub(super) column: Option<usize>,
    pub(super) damage: Damage,
}

/// A text, and where each of its fields ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut<'a> {
    pub(super) text: &'a [u8],
    pub(super) ends: &'a [u32],
}

impl<'a> Cut<'a> {
    /// Where a row's field starts and ends; a carriage return behind the last one is left in.
    #[inline(always)]
    fn range(self, row: &Row, place: usize) -> (u32, u32) {
        match self.ends.get(row.before + place..).and_then(<[u32]>::first_chunk) {
            Some([before, end]) => (before.wrapping_add(1), *end),
            None => (0, 0),
        }
    }
}

/// A cell: its value, and 0 or the code of a gap, beside which the value is 0.
#[derive(Clone, Copy, Debug)]
struct Raw {
    value: f64,
    code: u8,
}

impl Raw {
    const fn gap(gap: Gap) -> Self {
        Self { value: 0.0, code: gap as u8 }
    }

    /// A number in a column where a zero has that code.
    #[inline]
    fn number(value: f64, zero: u8) -> Self {
        Self { value, code: if value == 0.0 { zero } else { 0 } }
    }
}

impl Batch {
    /// The fields of one of the rows.
    pub(super) fn fields<'a>(&self, cut: Cut<'a>, row: usize) -> Fields<'a> {
        let Row { before, .. } = self.rows[row];
        Fields::of(cut.text, &cut.ends[before..=before + self.fields])
    }

    /// Puts the rows of each stream side by side, in the order of the file.
    fn by_stream(&mut self) {
        self.in_file.clear();
        if self.rows.is_sorted_by_key(|row| row.stream) {
            self.in_file.extend(0..self.rows.len());
            return;
        }
        // Counted, not compared: a batch holds few streams.
        let most = self.rows.iter().map(|row| row.stream).max().unwrap_or(0);
        self.next.clear();
        self.next.resize(most + 2, 0);
        self.rows.iter().for_each(|row| self.next[row.stream + 1] += 1);
        for stream in 1..self.next.len() {
            self.next[stream] += self.next[stream - 1];
        }
        for row in &self.rows {
            self.in_file.push(self.next[row.stream]);
            self.next[row.stream] += 1;
        }
        self.sorted.clone_from(&self.rows);
        for (row, place) in self.rows.iter().zip(&self.in_file) {
            self.sorted[*place] = *row;
        }
        std::mem::swap(&mut self.rows, &mut self.sorted);
    }

    /// Types every field of every row.
    pub(super) fn type_fields(&mut self, layout: &Layout, rules: &Rules, cut: Cut<'_>, texts: &mut [Texts]) {
        self.by_stream();
        let Self { rows, fields, cells, faults, in_file, words, .. } = self;
        cells.resize_with(layout.columns.len(), Cells::default);
        for (place, (cells, rule)) in cells.iter_mut().zip(&rules.steps).enumerate() {
            cells.values.resize(rows.len(), 0.0);
            cells.codes.resize(rows.len(), 0);
            if place >= *fields {
                cells.values.fill(0.0);
                cells.codes.fill(Gap::NotWritten as u8);
                continue;
            }
            let column = Column { layout, place, last: place + 1 == *fields, rule: *rule, cut };
            match rule.step {
                Step::Number => column.numbers(rows, cells, words, faults),
                Step::Odd => column.odd_ones(rows, cells, faults),
                Step::Text => column.texts(rows, in_file, cells, &mut texts[place]),
                Step::Key => {}
            }
        }
        // Columns come before rows here, so that a row may have several faults: the first column's counts.
        faults.sort_by_key(|(row, _)| rows[*row].line);
        faults.dedup_by_key(|(row, _)| *row);
    }

    /// Applies the rules that look at more than one column.
    pub(super) fn apply_rules(&mut self, layout: &Layout, rules: &Rules, texts: &[Texts]) {
        self.flags.clear();
        self.flags.resize(self.rows.len(), 0);
        match layout.shown {
            Shown::Unsaid => self.flags.fill(UNSAID),
            Shown::ZeroIn(place) => self.flag_by(place, |value, code| match (code, value == 0.0) {
                (0, true) => 0,
                (0, false) => DROPPED,
                _ => UNSAID,
            }),
            Shown::ValueIn(place) => self.flag_by(place, |_, code| if code == 0 { 0 } else { DROPPED }),
        }
        self.clear(DROPPED, &rules.unless_displayed, Gap::NotDisplayed);
        if let Some((place, drawn)) = layout.frame_type {
            let generated: Vec<bool> =
                texts[place].list.iter().map(|text| !drawn.contains(&text.as_str())).collect();
            self.flag_by(place, |value, code| {
                let generated = code == 0 && generated.get(number_of_text(value)).is_some_and(|it| *it);
                if generated { GENERATED } else { 0 }
            });
            self.clear(GENERATED, &rules.unless_generated, Gap::Generated);
        }
        if !rules.by_gpu.is_empty() {
            self.zeros_by_gpu(layout, rules);
        }
    }

    /// Adds a flag to each row by its cell in one column.
    fn flag_by(&mut self, place: usize, flag: impl Fn(f64, u8) -> u8) {
        let Cells { values, codes } = &self.cells[place];
        for ((flags, value), code) in self.flags.iter_mut().zip(values).zip(codes) {
            *flags |= flag(*value, *code);
        }
    }

    /// Makes the cells of some columns gaps in rows with that flag.
    fn clear(&mut self, flag: u8, places: &[usize], gap: Gap) {
        if self.flags.iter().all(|flags| flags & flag == 0) {
            return;
        }
        for place in places {
            let Cells { values, codes } = &mut self.cells[*place];
            for ((flags, value), code) in self.flags.iter().zip(values).zip(codes) {
                if flags & flag != 0 {
                    (*value, *code) = (0.0, gap as u8);
                }
            }
        }
    }

    /// A zero is a value where the row's GPU work was seen, or has another reason there than elsewhere.
    fn zeros_by_gpu(&mut self, layout: &Layout, rules: &Rules) {
        self.seen.clear();
        self.seen.resize(self.rows.len(), false);
        for place in &layout.gpu {
            // A gap's value is 0.
            let values = self.seen.iter_mut().zip(&self.cells[*place].values);
            values.for_each(|(seen, value)| *seen |= *value != 0.0);
        }
        for &(place, if_seen, unseen) in &rules.by_gpu {
            let Cells { values, codes } = &mut self.cells[place];
            for ((code, value), seen) in codes.iter_mut().zip(values).zip(&self.seen) {
                if *value == 0.0 && *code == 0 {
                    *code = if *seen { if_seen } else { unseen };
                }
            }
        }
    }

    /// Leaves out the damaged rows.
    pub(super) fn leave_out_damaged(&mut self) {
        let mut damaged: Vec<usize> = self.faults.iter().map(|(row, _)| *row).collect();
        damaged.sort_unstable();
        for row in damaged.into_iter().rev() {
            self.rows.remove(row);
            self.flags.remove(row);
            for cells in &mut self.cells {
                cells.values.remove(row);
                cells.codes.remove(row);
            }
        }
    }

    /// The places of the rows, stream by stream.
    pub(super) fn streams(&self) -> impl Iterator<Item = Range<usize>> {
        let mut past = 0;
        self.rows.chunk_by(|a, b| a.stream == b.stream).map(move |rows| {
            let first = past;
            past += rows.len();
            first..past
        })
    }

    /// Room for other rows.
    pub(super) fn empty(&mut self) {
        self.rows.clear();
        self.faults.clear();
    }
}

/// One column of the rows at hand.
struct Column<'a> {
    layout: &'a Layout,
    place: usize,
    /// Whether it is the last one of the line.
    last: bool,
    rule: Rule,
    cut: Cut<'a>,
}

impl<'a> Column<'a> {
    #[inline(always)]
    fn range(&self, row: &Row) -> (u32, u32) {
        let (start, end) = self.cut.range(row, self.place);
        let returns = self.last && ends_with_return(self.cut.text, start.wrapping_sub(1), end);
        (start, end - u32::from(returns))
    }

    #[inline]
    fn field(&self, row: &Row) -> &'a [u8] {
        let (start, end) = self.range(row);
        self.cut.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The cells of a column of numbers.
    fn numbers(&self, rows: &[Row], cells: &mut Cells, words: &mut Words, faults: &mut Vec<(usize, Fault)>) {
        let Cells { values, codes } = cells;
        let (values, codes) = (&mut values[..rows.len()], &mut codes[..rows.len()]);
        let usual = self.usual(rows);
        let shape = Shape::of(usual);
        if usual.len() > 8 {
            self.take::<true>(rows, words);
            numbers::read::<true>(&shape, words, values, codes);
        } else {
            self.take::<false>(rows, words);
            numbers::read::<false>(&shape, words, values, codes);
        }
        let Rule { zero, na, .. } = self.rule;
        if codes.iter().fold(0, |all, code| all | code) != 0 {
            for at in 0..rows.len() {
                if codes[at] != 0 {
                    let missing = na != 0 && words.is_na(at);
                    let raw =
                        if missing { Raw { value: 0.0, code: na } } else { self.odd(at, &rows[at], faults) };
                    (values[at], codes[at]) = (raw.value, raw.code);
                }
            }
        }
        if zero != 0 {
            let zeros = values.iter().zip(codes).filter(|(value, code)| **value == 0.0 && **code == 0);
            zeros.for_each(|(_, code)| *code = zero);
        }
    }

    /// Takes the column's fields.
    fn take<const LONG: bool>(&self, rows: &[Row], words: &mut Words) {
        words.take::<LONG>(self.cut, rows, self.place);
        if !self.last {
            return;
        }
        for (at, row) in rows.iter().enumerate() {
            let range = self.range(row);
            if range != self.cut.range(row, self.place) {
                words.take_one::<LONG>(at, self.cut.text, range);
            }
        }
    }

    /// A field that is written as most are: the longest of three, since zeros and missing ones are short.
    fn usual(&self, rows: &[Row]) -> &'a [u8] {
        let some = [rows.first(), rows.get(rows.len() / 2), rows.last()];
        some.into_iter()
            .flatten()
            .map(|row| self.field(row))
            .max_by_key(|field| field.len())
            .unwrap_or_default()
    }

    fn odd_ones(&self, rows: &[Row], cells: &mut Cells, faults: &mut Vec<(usize, Fault)>) {
        for (at, row) in rows.iter().enumerate() {
            let raw = self.odd(at, row, faults);
            (cells.values[at], cells.codes[at]) = (raw.value, raw.code);
        }
    }

    /// The cells of a text column: numbers of its list, which has the texts in the order of the file.
    fn texts(&self, rows: &[Row], in_file: &[usize], cells: &mut Cells, texts: &mut Texts) {
        let missing = &self.layout.columns[self.place].column.missing.texts;
        for &at in in_file {
            let field = self.field(&rows[at]);
            let number = texts.number(field);
            let gap = missing.iter().find(|it| it.0.as_bytes() == field).map(|it| it.1);
            let raw = gap.map_or(Raw { value: f64::from(number), code: 0 }, Raw::gap);
            (cells.values[at], cells.codes[at]) = (raw.value, raw.code);
        }
    }

    /// Any cell but a text: a number, a text for "missing", blanks around either, a decimal comma, a date. Notes a fault where it is
    /// none of them.
    #[inline(never)]
    fn odd(&self, at: usize, row: &Row, faults: &mut Vec<(usize, Fault)>) -> Raw {
        let plan = &self.layout.columns[self.place];
        let trimmed = self.field(row).trim_ascii();
        if let Some((_, gap)) = plan.column.missing.texts.iter().find(|it| it.0.as_bytes() == trimmed) {
            return Raw::gap(*gap);
        }
        let value = match plan.kind {
            Kind::Number if self.layout.decimal_comma => number::decimal_with_comma(trimmed),
            Kind::Number => number::decimal(trimmed),
            Kind::DateTime => number::date_time(trimmed).map(|date| self.since_midnight(date)),
            Kind::Text | Kind::Key => None,
        };
        if value.is_none() && plan.strict {
            faults.push((at, Fault { column: Some(self.place), damage: Damage::Unparsable }));
        }
        value.map_or(Raw::gap(Gap::Unparsable), |value| Raw::number(value, self.rule.zero))
    }

    /// Nanoseconds from the midnight that the file's dates count from.
    #[expect(clippy::cast_precision_loss, reason = "exact for 104 days from the first row's midnight")]
    fn since_midnight(&self, (day, nanos): (i64, u64)) -> f64 {
        (day - self.layout.day) as f64 * 86.4e12 + nanos as f64
    }
}

/// The place in a list of texts that a cell of a text column holds.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of a list, by construction"
)]
pub(super) const fn number_of_text(value: f64) -> usize {
    value as usize
}
