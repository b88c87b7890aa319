//! The bulk of reading: lines to typed rows. In: a layout and whole lines. Out: a part. The same bytes give the same part, on
//! any thread.

use std::ops::Range;

use memchr::memchr;

use super::aside::set_aside;
use super::batch::{Batch, Cut, Fault, Row, number_of_text};
use super::ends::{BEFORE, Ends, Line, STRETCH};
use super::fields::Fields;
use super::layout::{Layout, Rules};
use super::part::{Part, StreamRows, Texts};
use super::streams::Met;
use crate::read::MOST_LINE;
use crate::read::error::shown;
use crate::read::log::Cells;
use crate::read::quarantine::{Damage, Quarantine};
use crate::read::text::whole_lines;

/// Reads whole lines.
pub(crate) fn read_part(layout: &Layout, lines: &[u8]) -> Part {
    let mut part = Part::default();
    read_on(layout, &mut part, lines);
    part
}

/// Reads whole lines that follow those of a part, into it: the same as reading them as a part and merging, without the copy.
pub(crate) fn read_on(layout: &Layout, part: &mut Part, lines: &[u8]) {
    let rules = Rules::of(layout);
    part.texts.resize_with(layout.columns.len(), Texts::default);
    let mut reader = Reader { layout, rules: &rules, part, met: Met::default(), batch: Batch::default() };
    let (mut ends, mut rest) = (Ends::default(), lines);
    while !rest.is_empty() && reader.part.long_line.is_none() {
        let (stretch, later) = rest.split_at(whole_lines(rest, STRETCH));
        rest = later;
        reader.stretch(stretch, &mut ends);
    }
    part.streams.iter_mut().for_each(StreamRows::settle);
}

struct Reader<'l> {
    layout: &'l Layout,
    rules: &'l Rules,
    part: &'l mut Part,
    met: Met,
    /// Rows whose fields are still to be typed.
    batch: Batch,
}

impl Reader<'_> {
    /// Reads a few lines.
    fn stretch(&mut self, text: &[u8], ends: &mut Ends) {
        if text.len() > STRETCH && text.trim_ascii_end().len() > MOST_LINE {
            // A stretch is longer only where it is a single line.
            self.part.lines += 1;
            self.part.long_line = Some(self.part.lines);
            return;
        }
        ends.cut(text, self.layout.separator);
        let cut = Cut { text, ends: ends.ends() };
        for &Line { before, last } in ends.lines() {
            self.part.lines += 1;
            let fields = Fields::of(text, &cut.ends[before..=last]);
            let line = fields.line();
            if line.iter().all(u8::is_ascii_whitespace) || self.is_note(line) {
                continue;
            }
            self.part.rows += 1;
            if self.layout.quotes && memchr(b'"', line).is_some() {
                self.type_batch(cut);
                self.quoted(line);
            } else {
                self.add(cut, fields, before);
            }
        }
        self.type_batch(cut);
    }

    fn is_note(&mut self, line: &[u8]) -> bool {
        let note = self.layout.notes.iter().any(|note| line.starts_with(note.as_bytes()));
        if note && self.part.notes.len() < Quarantine::MOST {
            self.part.notes.push((self.part.lines, shown(line, 200)));
        }
        note
    }

    /// Reads a row with quotes: as the same row without them.
    fn quoted(&mut self, line: &[u8]) {
        let mut quoted_ends = Vec::new();
        let fields = Fields::cut(line, self.layout.separator, true, &mut quoted_ends);
        let (mut text, mut ends) = (Vec::with_capacity(line.len()), vec![BEFORE]);
        for place in 0..fields.len() {
            text.extend_from_slice(fields.get(place));
            ends.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
            text.push(self.layout.separator);
        }
        let cut = Cut { text: &text, ends: &ends };
        self.add(cut, Fields::of(&text, &ends), 0);
        self.type_batch(cut);
    }

    /// Adds a row to those that are typed next, or sets it aside. They have as many fields each.
    #[inline]
    fn add(&mut self, cut: Cut<'_>, fields: Fields<'_>, before: usize) {
        let line = self.part.lines;
        match self.stream(fields) {
            Ok(stream) => {
                if self.batch.fields != fields.len() {
                    self.type_batch(cut);
                    self.batch.fields = fields.len();
                }
                self.batch.rows.push(Row { line, stream, before });
            }
            Err(fault) => {
                self.type_batch(cut);
                set_aside(&mut self.part.quarantine, (self.layout, self.rules), fields, line, fault);
            }
        }
    }

    /// The stream of a row, if it has as many fields as a row may have.
    #[inline]
    fn stream(&mut self, fields: Fields<'_>) -> Result<usize, Fault> {
        if fields.len() < self.layout.fewest {
            return Err(Fault { column: None, damage: Damage::TooFewFields });
        }
        let (least, most) = self.layout.longer;
        if fields.len() > self.layout.most && !(least..=most).contains(&fields.len()) {
            return Err(Fault { column: None, damage: Damage::TooManyFields });
        }
        self.met.stream(fields, self.layout, self.rules, self.part)
    }

    /// Types the rows at hand and adds them to their streams, or sets them aside, in the order of the file.
    fn type_batch(&mut self, cut: Cut<'_>) {
        if self.batch.rows.is_empty() {
            return;
        }
        self.batch.type_fields(self.layout, self.rules, cut, &mut self.part.texts);
        self.batch.apply_rules(self.layout, self.rules, &self.part.texts);
        for (row, fault) in &self.batch.faults {
            let (fields, line) = (self.batch.fields(cut, *row), self.batch.rows[*row].line);
            set_aside(&mut self.part.quarantine, (self.layout, self.rules), fields, line, *fault);
        }
        self.batch.leave_out_damaged();
        for rows in self.batch.streams() {
            commit(self.rules, &self.batch, rows, self.part);
        }
        self.batch.empty();
    }
}

/// Adds some of a batch's rows, all of one stream, to it.
fn commit(rules: &Rules, batch: &Batch, which: Range<usize>, part: &mut Part) {
    let Some(first) = batch.rows.get(which.start) else { return };
    let rows = &mut part.streams[first.stream];
    if rows.lines.is_empty()
        && let Some(place) = rules.runtime
        && batch.cells[place].codes[which.start] == 0
    {
        let text = number_of_text(batch.cells[place].values[which.start]);
        rows.runtime = part.texts[place].list.get(text).cloned();
    }
    for &place in &rules.kept {
        let (to, from) = (&mut rows.cells[place], &batch.cells[place]);
        to.values.extend_from_slice(&from.values[which.clone()]);
        to.codes.extend_from_slice(&from.codes[which.clone()]);
    }
    for &place in &rules.summed {
        let Cells { values, codes } = &batch.cells[place];
        rows.running[place].add(&values[which.clone()], &codes[which.clone()]);
    }
    rows.flags.extend_from_slice(&batch.flags[which.clone()]);
    let lines = batch.rows[which].iter().map(|row| row.line);
    rows.lines.extend(lines.map(|line| u32::try_from(line).unwrap_or(u32::MAX)));
}
