//! The bulk of reading: lines to typed rows. In: a layout and whole lines. Out: a part. The same bytes give the same part, on
//! any thread.

use std::collections::HashMap;

use super::fields::Fields;
use super::layout::{Kind, Layout, Rules, Shown, code};
use super::part::{DROPPED, GENERATED, Part, StreamRows, Texts, UNSAID};
use crate::read::error::shown;
use crate::read::log::{Gap, StreamId};
use crate::read::number;
use crate::read::quarantine::{Damage, Quarantine};
use crate::read::text::Lines;
use crate::read::{MOST_LINE, MOST_STREAMS};

/// Reads whole lines.
pub(crate) fn read_part(layout: &Layout, lines: &[u8]) -> Part {
    let rules = Rules::of(layout);
    let columns = layout.columns.len();
    let mut ends = Vec::with_capacity(columns + 1);
    let mut reader = Reader {
        layout,
        rules: &rules,
        part: Part { texts: vec![Texts::default(); columns], ..Part::default() },
        aliases: HashMap::new(),
        last_key: Vec::new(),
        last_stream: None,
        key: Vec::new(),
        values: vec![0.0; columns],
        codes: vec![0; columns],
    };
    for line in Lines::of(lines) {
        reader.part.lines += 1;
        if line.len() > MOST_LINE {
            reader.part.long_line = Some(reader.part.lines);
            break;
        }
        if !line.iter().all(u8::is_ascii_whitespace) && !reader.is_note(line) {
            reader.part.rows += 1;
            let fields = Fields::cut(line, layout.separator, layout.quotes, &mut ends);
            reader.row(fields);
        }
    }
    reader.part
}

struct Reader<'l> {
    layout: &'l Layout,
    rules: &'l Rules,
    part: Part,
    /// Streams by the bytes of their id's fields, in every spelling met.
    aliases: HashMap<Vec<u8>, usize>,
    last_key: Vec<u8>,
    last_stream: Option<usize>,
    key: Vec<u8>,
    /// The row being read, by column: values, and 0 or the code of a gap.
    values: Vec<f64>,
    codes: Vec<u8>,
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
    fn row(&mut self, fields: Fields<'_>) {
        match self.typed(fields) {
            Ok(stream) => self.commit(stream),
            Err(fault) => self.set_aside(fields, &fault),
        }
    }

    #[inline]
    fn typed(&mut self, fields: Fields<'_>) -> Result<usize, Fault> {
        if fields.len() < self.layout.fewest {
            return Err(Fault { column: None, damage: Damage::TooFewFields });
        }
        if fields.len() > self.layout.most {
            return Err(Fault { column: None, damage: Damage::TooManyFields });
        }
        let stream = self.stream(fields)?;
        for place in 0..self.layout.columns.len() {
            self.cell(place, fields)?;
        }
        let flags = self.rules_of_row();
        self.part.streams[stream].flags.push(flags);
        Ok(stream)
    }

    /// Types one cell into the row at hand.
    #[inline]
    fn cell(&mut self, place: usize, fields: Fields<'_>) -> Result<(), Fault> {
        let plan = &self.layout.columns[place];
        if place >= fields.len() {
            self.gap(place, Gap::NotWritten);
            return Ok(());
        }
        let field = fields.get(place);
        match plan.kind {
            Kind::Number => {
                let quick = if self.layout.decimal_comma { None } else { number::decimal(field) };
                match quick {
                    Some(value) => self.value(place, value),
                    None => return self.odd_number(place, field),
                }
            }
            Kind::Text => {
                let number = self.part.texts[place].number(field);
                let gap = plan.column.missing.texts.iter().find(|it| it.0.as_bytes() == field).map(|it| it.1);
                self.values[place] = f64::from(number);
                self.codes[place] = code(gap);
            }
            Kind::DateTime => match number::date_time(field) {
                Some((day, nanos)) => {
                    #[expect(
                        clippy::cast_precision_loss,
                        reason = "exact for 104 days from the first row's midnight"
                    )]
                    let since = (day - self.layout.day) as f64 * 86.4e12 + nanos as f64;
                    self.value(place, since);
                }
                None => return self.odd_number(place, field),
            },
            Kind::Key => {}
        }
        Ok(())
    }

    #[inline]
    fn value(&mut self, place: usize, value: f64) {
        self.values[place] = value;
        self.codes[place] = if value == 0.0 { self.rules.zero[place] } else { 0 };
    }

    #[inline]
    fn gap(&mut self, place: usize, gap: Gap) {
        self.values[place] = 0.0;
        self.codes[place] = gap as u8;
    }

    /// What is no plain decimal: a text for "missing", blanks around a number, a decimal comma.
    fn odd_number(&mut self, place: usize, field: &[u8]) -> Result<(), Fault> {
        let plan = &self.layout.columns[place];
        let trimmed = field.trim_ascii();
        if let Some((_, gap)) = plan.column.missing.texts.iter().find(|it| it.0.as_bytes() == trimmed) {
            self.gap(place, *gap);
            return Ok(());
        }
        let value = match plan.kind {
            Kind::Number if self.layout.decimal_comma => number::decimal_with_comma(trimmed),
            Kind::Number => number::decimal(trimmed),
            Kind::Text | Kind::DateTime | Kind::Key => None,
        };
        match value {
            Some(value) => self.value(place, value),
            None if plan.strict => return Err(Fault { column: Some(place), damage: Damage::Unparsable }),
            None => self.gap(place, Gap::Unparsable),
        }
        Ok(())
    }

    /// Applies the rules that look at more than one column; the row's flags.
    #[inline]
    fn rules_of_row(&mut self) -> u8 {
        let mut flags = 0;
        let shown = match self.layout.shown {
            Shown::Unsaid => None,
            Shown::ZeroIn(place) => (self.codes[place] == 0).then_some(self.values[place] == 0.0),
            Shown::ValueIn(place) => Some(self.codes[place] == 0),
        };
        match shown {
            None => flags |= UNSAID,
            Some(true) => {}
            Some(false) => {
                flags |= DROPPED;
                for &place in &self.rules.unless_displayed {
                    self.values[place] = 0.0;
                    self.codes[place] = Gap::NotDisplayed as u8;
                }
            }
        }
        if self.is_generated() {
            flags |= GENERATED;
            for &place in &self.rules.unless_generated {
                self.values[place] = 0.0;
                self.codes[place] = Gap::Generated as u8;
            }
        }
        if !self.rules.by_gpu.is_empty() {
            let seen =
                self.layout.gpu.iter().any(|place| self.codes[*place] == 0 && self.values[*place] != 0.0);
            for &(place, if_seen, unseen) in &self.rules.by_gpu {
                if self.codes[place] == 0 && self.values[place] == 0.0 {
                    self.codes[place] = if seen { if_seen } else { unseen };
                }
            }
        }
        flags
    }

    #[inline]
    fn is_generated(&self) -> bool {
        let Some((place, drawn)) = self.layout.frame_type else { return false };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of the list of texts"
        )]
        let number = self.values[place] as usize;
        let text = self.part.texts[place].list.get(number);
        self.codes[place] == 0 && text.is_some_and(|text| !drawn.contains(&text.as_str()))
    }

    /// Adds the row at hand to its stream.
    #[inline]
    fn commit(&mut self, stream: usize) {
        let rows = &mut self.part.streams[stream];
        for &place in &self.rules.kept {
            let cells = &mut rows.cells[place];
            cells.values.push(self.values[place]);
            cells.codes.push(self.codes[place]);
        }
        for &place in &self.rules.summed {
            rows.sums[place].add(self.values[place], self.codes[place]);
        }
        if rows.lines.is_empty()
            && let Some(place) = self.rules.runtime
        {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a number of the list of texts"
            )]
            let number = self.values[place] as usize;
            rows.runtime = self.part.texts[place].list.get(number).cloned();
        }
        rows.lines.push(u32::try_from(self.part.lines).unwrap_or(u32::MAX));
    }

    /// The stream that a row belongs to: mostly that of the row before.
    #[inline]
    fn stream(&mut self, fields: Fields<'_>) -> Result<usize, Fault> {
        match self.rules.leading {
            Some(leading) => {
                let key = fields.span(0, leading - 1);
                if let Some(stream) = self.last_stream.filter(|_| self.last_key == key) {
                    return Ok(stream);
                }
                self.key.clear();
                self.key.extend_from_slice(key);
            }
            None => {
                self.key.clear();
                for place in self.rules.key.into_iter().flatten() {
                    self.key.extend_from_slice(fields.get(place));
                    // No field holds a line's end, so no two keys run together.
                    self.key.push(b'\n');
                }
                if let Some(stream) = self.last_stream.filter(|_| self.last_key == self.key) {
                    return Ok(stream);
                }
            }
        }
        let stream = self.look_up(fields)?;
        self.last_key.clone_from(&self.key);
        self.last_stream = Some(stream);
        Ok(stream)
    }

    fn look_up(&mut self, fields: Fields<'_>) -> Result<usize, Fault> {
        if let Some(stream) = self.aliases.get(&self.key) {
            return Ok(*stream);
        }
        let id = self.id(fields, 0)?;
        let stream = match self.part.index.get(&id) {
            Some(stream) => *stream,
            None if self.part.streams.len() < MOST_STREAMS => {
                self.part.index.insert(id.clone(), self.part.streams.len());
                self.part.streams.push(StreamRows::new(id, self.layout));
                self.part.streams.len() - 1
            }
            None => return Err(Fault { column: None, damage: Damage::TooManyStreams }),
        };
        // Spellings of a known stream are few; a file that pads one address in many ways is looked up anew each time.
        if self.aliases.len() < 2 * MOST_STREAMS {
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
                |name| String::from_utf8_lossy(name.trim_ascii()).into_owned(),
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
        (None, Damage::TooManyStreams) => format!("{}; allowed: {MOST_STREAMS} streams", damage.name()),
        (None, _) => {
            let (fewest, most) = (layout.fewest, layout.most);
            let allowed = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            format!("{found} fields, {}; allowed: {allowed}", damage.name())
        }
    }
}
