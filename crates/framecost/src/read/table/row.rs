//! The bulk of reading: lines to typed rows. In: a layout and whole lines. Out: a part. The same bytes give the same part, on
//! any thread.

use std::collections::HashMap;

use super::fields::{Fields, Met, met};
use super::layout::{Kind, Layout, Rule, Rules, Shown, Step};
use super::part::{DROPPED, GENERATED, Part, StreamRows, Texts, UNSAID, most_streams, too_many_streams};
use crate::read::error::shown;
use crate::read::log::{Gap, StreamId};
use crate::read::number;
use crate::read::quarantine::{Damage, Quarantine};
use crate::read::text::Lines;
use crate::read::{MOST_LINE, MOST_STREAMS};

/// Reads whole lines.
pub(crate) fn read_part(layout: &Layout, lines: &[u8]) -> Part {
    let mut part = Part::default();
    read_on(layout, &mut part, lines);
    part
}

/// Reads whole lines that follow those of a part, into it: the same as reading them as a part and merging, without the copy.
pub(crate) fn read_on(layout: &Layout, part: &mut Part, lines: &[u8]) {
    let rules = Rules::of(layout);
    let columns = layout.columns.len();
    let mut ends = Vec::with_capacity(columns + 1);
    part.texts.resize_with(columns, Texts::default);
    let mut reader = Reader {
        layout,
        rules: &rules,
        part,
        aliases: HashMap::new(),
        recent: Vec::with_capacity(RECENT),
        key: Vec::new(),
    };
    let mut row = vec![Raw { value: 0.0, code: 0 }; columns];
    for line in Lines::of(lines) {
        if reader.part.long_line.is_some() {
            break;
        }
        reader.part.lines += 1;
        if line.len() > MOST_LINE {
            reader.part.long_line = Some(reader.part.lines);
        } else if !line.iter().all(u8::is_ascii_whitespace) && !reader.is_note(line) {
            reader.part.rows += 1;
            reader.row(line, &mut row, &mut ends);
        }
    }
    part.streams.iter_mut().for_each(StreamRows::settle);
}

/// Bytes of an application's name that are read: more than any system allows.
const MOST_NAME: usize = 1024;
/// The two bytes `NA`, as the lower ones of a word.
const NA: u64 = u16::from_le_bytes(*b"NA") as u64;
/// Streams among which a row's is looked for first.
const RECENT: usize = 4;

struct Reader<'l> {
    layout: &'l Layout,
    rules: &'l Rules,
    part: &'l mut Part,
    /// Streams by the bytes of their id's fields, in every spelling met.
    aliases: HashMap<Vec<u8>, usize>,
    /// The streams met last, by the bytes of their id's fields: most rows are of one of these.
    recent: Vec<(Vec<u8>, usize)>,
    key: Vec<u8>,
}

/// A cell of the row at hand: its value, and 0 or the code of a gap, beside which the value is 0.
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

    /// The place in a list of texts; past every list where there is none.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of a list, by construction"
    )]
    const fn text(self) -> usize {
        if self.code == 0 { self.value as usize } else { usize::MAX }
    }
}

/// What is wrong with a row: the column's place, if it is one column.
struct Fault {
    column: Option<usize>,
    damage: Damage,
}

impl Reader<'_> {
    fn is_note(&mut self, line: &[u8]) -> bool {
        let note = self.layout.notes.iter().any(|note| line.starts_with(note.as_bytes()));
        if note && self.part.notes.len() < Quarantine::MOST {
            self.part.notes.push((self.part.lines, shown(line, 200)));
        }
        note
    }

    /// Types a row and adds it to its stream, or sets it aside.
    #[inline]
    fn row(&mut self, line: &[u8], row: &mut [Raw], ends: &mut Vec<u32>) {
        if let Some(stream) = self.quick(line, row) {
            self.commit(stream, row);
            return;
        }
        let fields = Fields::cut(line, self.layout.separator, self.layout.quotes, ends);
        match self.typed(fields, row) {
            Ok(stream) => self.commit(stream, row),
            Err(fault) => self.set_aside(fields, &fault),
        }
    }

    /// Types a row of a stream met lately in one walk along the line; none where it is another stream's, or anything is odd about
    /// it: then the thorough way says what.
    #[inline]
    fn quick(&mut self, line: &[u8], row: &mut [Raw]) -> Option<usize> {
        let leading = self.rules.leading?;
        let separator = self.layout.separator;
        if self.layout.quotes {
            return None;
        }
        let follows =
            |key: &[u8]| line.strip_prefix(key).is_some_and(|after| after.first() == Some(&separator));
        let known = self.recent.iter().find(|(key, _)| follows(key))?;
        let (mut at, stream) = (known.0.len() + 1, known.1);
        let rules = self.rules;
        for ((place, &Rule { step, zero, na }), cell) in rules.steps.iter().enumerate().zip(row).skip(leading)
        {
            let Met { field, word } = met(line, at, separator)?;
            at += field.len() + 1;
            *cell = match step {
                Step::Number => {
                    let value = match field.len() {
                        2 if na != 0 && word & 0xffff == NA => {
                            *cell = Raw { value: 0.0, code: na };
                            continue;
                        }
                        1..=8 => number::decimal_word(word, field.len()),
                        0 => None,
                        _ => number::decimal(field),
                    };
                    match value {
                        Some(value) => Raw::number(value, zero),
                        None => self.odd(place, field).ok()?,
                    }
                }
                Step::Text => self.text(place, field),
                Step::Key => *cell,
                Step::Odd => self.odd(place, field).ok()?,
            };
        }
        // A field too many or too few is damage, or a shape that the thorough way knows.
        (at == line.len() + 1).then_some(stream)
    }

    #[inline]
    fn typed(&mut self, fields: Fields<'_>, row: &mut [Raw]) -> Result<usize, Fault> {
        if fields.len() < self.layout.fewest {
            return Err(Fault { column: None, damage: Damage::TooFewFields });
        }
        let (least, most) = self.layout.longer;
        if fields.len() > self.layout.most && !(least..=most).contains(&fields.len()) {
            return Err(Fault { column: None, damage: Damage::TooManyFields });
        }
        let stream = self.stream(fields)?;
        self.cells(fields, row)?;
        Ok(stream)
    }

    /// Types each field into the row at hand.
    fn cells(&mut self, fields: Fields<'_>, row: &mut [Raw]) -> Result<(), Fault> {
        let steps = self.rules.steps.iter().enumerate();
        for (((place, &Rule { step, zero, .. }), field), cell) in steps.zip(fields.iter()).zip(row.iter_mut())
        {
            *cell = match step {
                Step::Number => match number::decimal(field) {
                    Some(value) => Raw::number(value, zero),
                    None => self.odd(place, field)?,
                },
                Step::Text => self.text(place, field),
                Step::Key => *cell,
                Step::Odd => self.odd(place, field)?,
            };
        }
        for cell in row.iter_mut().skip(fields.len()) {
            *cell = Raw::gap(Gap::NotWritten);
        }
        Ok(())
    }

    fn text(&mut self, place: usize, field: &[u8]) -> Raw {
        let number = self.part.texts[place].number(field);
        let missing = &self.layout.columns[place].column.missing;
        let gap = missing.texts.iter().find(|it| it.0.as_bytes() == field).map(|it| it.1);
        gap.map_or(Raw { value: f64::from(number), code: 0 }, Raw::gap)
    }

    /// What is no plain decimal: a text for "missing", blanks around a number, a decimal comma, a date.
    fn odd(&self, place: usize, field: &[u8]) -> Result<Raw, Fault> {
        let plan = &self.layout.columns[place];
        let trimmed = field.trim_ascii();
        if let Some((_, gap)) = plan.column.missing.texts.iter().find(|it| it.0.as_bytes() == trimmed) {
            return Ok(Raw::gap(*gap));
        }
        let value = match plan.kind {
            Kind::Number if self.layout.decimal_comma => number::decimal_with_comma(trimmed),
            Kind::Number => number::decimal(trimmed),
            Kind::DateTime => number::date_time(trimmed).map(|date| self.since_midnight(date)),
            Kind::Text | Kind::Key => None,
        };
        match value {
            Some(value) => Ok(Raw::number(value, self.rules.steps[place].zero)),
            None if plan.strict => Err(Fault { column: Some(place), damage: Damage::Unparsable }),
            None => Ok(Raw::gap(Gap::Unparsable)),
        }
    }

    /// Nanoseconds from the midnight that the file's dates count from.
    #[expect(clippy::cast_precision_loss, reason = "exact for 104 days from the first row's midnight")]
    fn since_midnight(&self, (day, nanos): (i64, u64)) -> f64 {
        (day - self.layout.day) as f64 * 86.4e12 + nanos as f64
    }

    /// Applies the rules that look at more than one column; the row's flags.
    #[inline]
    fn rules_of_row(&self, row: &mut [Raw]) -> u8 {
        let mut flags = 0;
        let shown = match self.layout.shown {
            Shown::Unsaid => None,
            Shown::ZeroIn(place) => (row[place].code == 0).then_some(row[place].value == 0.0),
            Shown::ValueIn(place) => Some(row[place].code == 0),
        };
        match shown {
            None => flags |= UNSAID,
            Some(true) => {}
            Some(false) => {
                flags |= DROPPED;
                for &place in &self.rules.unless_displayed {
                    row[place] = Raw::gap(Gap::NotDisplayed);
                }
            }
        }
        if self.is_generated(row) {
            flags |= GENERATED;
            for &place in &self.rules.unless_generated {
                row[place] = Raw::gap(Gap::Generated);
            }
        }
        if !self.rules.by_gpu.is_empty() {
            let seen = self.layout.gpu.iter().any(|place| row[*place].code == 0 && row[*place].value != 0.0);
            for &(place, if_seen, unseen) in &self.rules.by_gpu {
                let cell = &mut row[place];
                if cell.code == 0 && cell.value == 0.0 {
                    cell.code = if seen { if_seen } else { unseen };
                }
            }
        }
        flags
    }

    #[inline]
    fn is_generated(&self, row: &[Raw]) -> bool {
        let Some((place, drawn)) = self.layout.frame_type else { return false };
        let text = self.part.texts[place].list.get(row[place].text());
        text.is_some_and(|text| !drawn.contains(&text.as_str()))
    }

    /// Adds the row at hand to its stream.
    #[inline]
    fn commit(&mut self, stream: usize, row: &mut [Raw]) {
        let flags = self.rules_of_row(row);
        let rows = &mut self.part.streams[stream];
        for &place in &self.rules.kept {
            let (cells, raw) = (&mut rows.cells[place], row[place]);
            cells.values.push(raw.value);
            cells.codes.push(raw.code);
        }
        for &place in &self.rules.summed {
            rows.running[place].add(row[place].value, row[place].code);
        }
        if rows.lines.is_empty()
            && let Some(place) = self.rules.runtime
        {
            rows.runtime = self.part.texts[place].list.get(row[place].text()).cloned();
        }
        rows.flags.push(flags);
        rows.lines.push(u32::try_from(self.part.lines).unwrap_or(u32::MAX));
    }

    /// The stream that a row belongs to.
    fn stream(&mut self, fields: Fields<'_>) -> Result<usize, Fault> {
        self.key.clear();
        match self.rules.leading {
            Some(leading) => self.key.extend_from_slice(fields.span(0, leading - 1)),
            None => {
                for place in self.rules.key.into_iter().flatten() {
                    self.key.extend_from_slice(fields.get(place));
                    // No field holds a line's end, so no two keys run together.
                    self.key.push(b'\n');
                }
            }
        }
        let known = self.recent.iter().find(|(key, _)| *key == self.key);
        if let Some((_, stream)) = known {
            return Ok(*stream);
        }
        let stream = self.look_up(fields)?;
        if self.recent.len() == RECENT {
            self.recent.pop();
        }
        self.recent.insert(0, (self.key.clone(), stream));
        Ok(stream)
    }

    fn look_up(&mut self, fields: Fields<'_>) -> Result<usize, Fault> {
        if let Some(stream) = self.aliases.get(&self.key) {
            return Ok(*stream);
        }
        let id = self.id(fields, 0)?;
        let stream = match self.part.index.get(&id) {
            Some(stream) => *stream,
            None if self.part.streams.len() < most_streams(self.layout.columns.len()) => {
                self.part.index.insert(id.clone(), self.part.streams.len());
                self.part.streams.push(StreamRows::new(id, self.layout));
                self.part.streams.len() - 1
            }
            None => return Err(Fault { column: None, damage: Damage::TooManyStreams }),
        };
        // Spellings of a known stream are few; a file that pads one address in many ways is looked up anew each time.
        if self.aliases.len() < 2 * MOST_STREAMS && self.key.len() < MOST_NAME {
            self.aliases.insert(self.key.clone(), stream);
        }
        Ok(stream)
    }

    /// The stream's id, with `moved` fields too many in the application's name.
    fn id(&self, fields: Fields<'_>, moved: usize) -> Result<StreamId, Fault> {
        let [application, process, swap_chain] = self.rules.key;
        let number = |place: Option<usize>, parse: fn(&[u8]) -> Option<u64>| {
            let fault = |column| Fault { column: Some(column), damage: Damage::Unparsable };
            place
                .map(|place| parse(fields.get(place + moved).trim_ascii()).ok_or_else(|| fault(place)))
                .transpose()
        };
        let name = application.map(|place| fields.span(place, place + moved));
        let name = if moved == 0 { application.map(|place| fields.get(place)) } else { name };
        Ok(StreamId {
            application: name.map_or_else(
                || self.layout.application.clone(),
                |name| {
                    String::from_utf8_lossy(name.trim_ascii().get(..MOST_NAME).unwrap_or(name.trim_ascii()))
                        .into_owned()
                },
            ),
            process: number(process, number::whole)?,
            swap_chain: number(swap_chain, number::address)?,
        })
    }

    /// Sets a row aside, with its frame time if that can still be told.
    #[cold]
    fn set_aside(&mut self, fields: Fields<'_>, fault: &Fault) {
        let line = self.part.lines;
        let moved = fields.len().saturating_sub(self.layout.columns.len());
        let by_name = fault.damage == Damage::TooManyFields && self.makes_sense_moved(fields, moved);
        let damage = if by_name { Damage::CommaInName } else { fault.damage };
        let moved = if by_name { moved } else { 0 };
        let column = fault.column.map(|place| u32::try_from(place + 1).unwrap_or(u32::MAX));
        let (layout, rows) = (self.layout, fields.len());
        self.part
            .quarantine
            .add(line, column, damage, || describe(layout, fields, fault.column, damage, rows));
        if matches!(damage, Damage::CommaInName | Damage::Unparsable)
            && let Some(place) = self.layout.basis.interval
            && let Some(frame_time) = number::decimal(fields.get(place + moved).trim_ascii())
            && let Ok(id) = self.id(fields, moved)
        {
            self.part.quarantine.salvage(line, id, frame_time);
        }
    }

    /// Whether every strict column holds what it should once the row is moved back by so many fields behind the first.
    fn makes_sense_moved(&self, fields: Fields<'_>, moved: usize) -> bool {
        if moved == 0 || self.rules.key[0] != Some(0) || self.id(fields, moved).is_err() {
            return false;
        }
        let mut numbers =
            self.layout.columns.iter().enumerate().filter(|it| it.1.strict && it.1.kind == Kind::Number);
        numbers.all(|(place, plan)| {
            let field = fields.get(place + moved).trim_ascii();
            number::decimal(field).is_some()
                || plan.column.missing.texts.iter().any(|it| it.0.as_bytes() == field)
        })
    }
}

/// What is wrong with a row, in words.
fn describe(
    layout: &Layout,
    fields: Fields<'_>,
    column: Option<usize>,
    damage: Damage,
    found: usize,
) -> String {
    match (column.and_then(|place| layout.columns.get(place).map(|plan| (place, plan))), damage) {
        (Some((place, plan)), _) => {
            let allowed = match plan.kind {
                Kind::Number if plan.column.missing.texts.is_empty() => "a number".to_owned(),
                Kind::Number => {
                    let texts: Vec<String> =
                        plan.column.missing.texts.iter().map(|it| format!("`{}`", it.0)).collect();
                    format!("a number, {}", texts.join(", "))
                }
                Kind::DateTime => "a date and time such as `2026-1-31 9:05:00.000000001`".to_owned(),
                Kind::Text => "a text".to_owned(),
                Kind::Key => "a whole number, or a hexadecimal one after `0x`".to_owned(),
            };
            let name = shown(plan.column.name.as_bytes(), 60);
            format!("{name} is `{}`; allowed: {allowed}", shown(fields.get(place), 60))
        }
        (None, Damage::TooManyStreams) => too_many_streams(most_streams(layout.columns.len())),
        (None, _) => {
            let (fewest, most) = (layout.fewest, layout.most);
            let range = |from: usize, to: usize| {
                if from == to { from.to_string() } else { format!("{from} to {to}") }
            };
            let mut allowed = range(fewest, most);
            if layout.longer.0 <= layout.longer.1 {
                allowed = format!("{allowed}, or {}", range(layout.longer.0, layout.longer.1));
            }
            format!("{found} fields, {}; allowed: {allowed}", damage.name())
        }
    }
}
