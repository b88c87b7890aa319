//! A stretch of a table's lines, read. In: rows as they are read; parts in the order of the file. Out: one part for the file,
//! the same however it was cut up among threads.

use std::collections::HashMap;

use wide::f64x2;

use super::layout::{Kind, Layout};
use crate::read::MOST_STREAMS;
use crate::read::log::{Cells, Gap, StreamId};
use crate::read::quarantine::{Damage, Quarantine};

/// The rows of some whole lines, typed and sorted into streams. Parts are read independently and merged in order.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// Lines of the part, blank ones included.
    pub(super) lines: u64,
    /// Rows, those set aside included.
    pub(super) rows: u64,
    /// The first line that is too long, counted from 1 within the part; nothing after it is read.
    pub(super) long_line: Option<u64>,
    pub(super) streams: Vec<StreamRows>,
    pub(super) index: HashMap<StreamId, usize>,
    /// The texts of text columns, by column.
    pub(super) texts: Vec<Texts>,
    pub(super) quarantine: Quarantine,
    /// Notes of the tool among the rows, with their lines.
    pub(super) notes: Vec<(u64, String)>,
}

/// A stream's rows in the order of the file.
#[derive(Clone, Debug)]
pub(super) struct StreamRows {
    pub(super) id: StreamId,
    /// The runtime of the first row.
    pub(super) runtime: Option<String>,
    /// By column; empty where it is not kept.
    pub(super) cells: Vec<Cells>,
    /// By column, of the lines read so far.
    pub(super) sums: Vec<Sum>,
    /// The same of the lines being read. They are added up by themselves, so that it is all the same whether they are read on to a
    /// part or are one.
    pub(super) running: Vec<Sum>,
    pub(super) lines: Vec<u32>,
    /// [`DROPPED`], [`GENERATED`] and [`UNSAID`] by row.
    pub(super) flags: Vec<u8>,
}

/// A present that was never shown.
pub(crate) const DROPPED: u8 = 1;
/// A frame made by a generator of frames.
pub(crate) const GENERATED: u8 = 2;
/// A present of which the file does not say whether it was shown.
pub(crate) const UNSAID: u8 = 4;

/// What cells add up to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    pub(super) values: u64,
    pub(super) zeros: u64,
    pub(super) gaps: [u64; Gap::ALL.len()],
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) sum: f64,
}

impl Sum {
    pub(super) const NONE: Self = Self {
        values: 0,
        zeros: 0,
        gaps: [0; Gap::ALL.len()],
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
        sum: 0.0,
    };

    fn gap(&mut self, code: u8) {
        if let Some(count) = self.gaps.get_mut(usize::from(code) - 1) {
            *count += 1;
        }
    }

    /// Adds cells.
    pub(super) fn add(&mut self, values: &[f64], codes: &[u8]) {
        if codes.iter().fold(0, |all, code| all | code) == 0 {
            return self.add_values(values);
        }
        let mut there = [0.0; 64];
        for (values, codes) in values.chunks(there.len()).zip(codes.chunks(there.len())) {
            let mut count = 0;
            for (value, code) in values.iter().zip(codes) {
                there[count] = *value;
                count += usize::from(*code == 0);
                if *code != 0 {
                    self.gap(*code);
                }
            }
            self.add_values(&there[..count]);
        }
    }

    /// Adds values, none of them NaN, two side by side.
    #[inline]
    fn add_values(&mut self, values: &[f64]) {
        let (pairs, rest) = values.as_chunks::<2>();
        let (mut least, mut most) = (f64x2::splat(self.least), f64x2::splat(self.most));
        let (mut sums, mut zeros) = (f64x2::ZERO, 0);
        for pair in pairs {
            let pair = f64x2::from(*pair);
            (least, most) = (least.fast_min(pair), most.fast_max(pair));
            sums += pair;
            zeros += pair.simd_eq(f64x2::ZERO).to_bitmask().count_ones();
        }
        let ([least, other_least], [most, other_most]) = (least.to_array(), most.to_array());
        (self.least, self.most) = (least.min(other_least), most.max(other_most));
        self.sum += sums.reduce_add();
        for value in rest {
            (self.least, self.most) = (self.least.min(*value), self.most.max(*value));
            self.sum += value;
            zeros += u32::from(*value == 0.0);
        }
        self.zeros += u64::from(zeros);
        self.values += values.len() as u64;
    }

    fn merge(&mut self, later: &Self) {
        self.values += later.values;
        self.zeros += later.zeros;
        for (count, more) in self.gaps.iter_mut().zip(later.gaps) {
            *count += more;
        }
        self.least = self.least.min(later.least);
        self.most = self.most.max(later.most);
        self.sum += later.sum;
    }
}

/// The texts of one column, each with its number.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub(super) list: Vec<String>,
    numbers: HashMap<Vec<u8>, u32>,
    /// The texts met first, in the order of their numbers: a log's rows repeat a handful.
    usual: Vec<Vec<u8>>,
}

impl Texts {
    /// Texts of a column that are told apart; the rest shares the last number.
    pub(super) const MOST: usize = 4096;
    /// Bytes of a text by which it is told from others, so that no file fills memory with them.
    const MOST_BYTES: usize = 1024;
    const REST: &str = "(further texts)";
    /// Texts that are looked through one by one before they are looked up.
    const USUAL: usize = 6;

    #[inline]
    pub(super) fn number(&mut self, text: &[u8]) -> u32 {
        let text = text.get(..Self::MOST_BYTES).unwrap_or(text);
        match self.usual.iter().position(|usual| usual == text) {
            Some(number) => u32::try_from(number).unwrap_or(u32::MAX),
            None => self.look_up(text),
        }
    }

    fn look_up(&mut self, text: &[u8]) -> u32 {
        match self.numbers.get(text) {
            Some(number) => *number,
            None if self.list.len() < Self::MOST => self.add(text, &String::from_utf8_lossy(text)),
            None => {
                let rest = self.list.len() - 1;
                if self.list[rest] != Self::REST {
                    self.add(Self::REST.as_bytes(), Self::REST)
                } else {
                    u32::try_from(rest).unwrap_or(u32::MAX)
                }
            }
        }
    }

    fn add(&mut self, text: &[u8], shown: &str) -> u32 {
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(shown.to_owned());
        self.numbers.insert(text.to_vec(), number);
        if self.usual.len() < Self::USUAL {
            self.usual.push(text.to_vec());
        }
        number
    }
}

impl Part {
    /// This part and the one after it in the file, as one.
    #[must_use]
    pub fn then(mut self, later: Self) -> Self {
        if self.long_line.is_some() || later.lines == 0 {
            return self;
        }
        let before = self.lines;
        self.lines += later.lines;
        self.rows += later.rows;
        self.long_line = later.long_line.map(|line| line + before);
        self.quarantine.append(later.quarantine, before);
        self.notes.extend(later.notes.into_iter().map(|(line, note)| (line + before, note)));
        self.notes.truncate(Quarantine::MOST);
        if self.texts.is_empty() {
            self.texts.resize_with(later.texts.len(), Texts::default);
        }
        let numbers: Vec<Vec<u32>> =
            self.texts.iter_mut().zip(&later.texts).map(|(ours, theirs)| renumber(ours, theirs)).collect();
        for rows in later.streams {
            self.append(rows, before, &numbers);
        }
        self
    }

    /// Adds a stream's later rows, whose text cells count in another list.
    fn append(&mut self, mut later: StreamRows, lines: u64, numbers: &[Vec<u32>]) {
        for (cells, numbers) in later.cells.iter_mut().zip(numbers) {
            let moved = numbers.iter().enumerate().any(|(place, number)| place != *number as usize);
            if moved {
                renumber_cells(cells, numbers);
            }
        }
        let offset = u32::try_from(lines).unwrap_or(u32::MAX);
        for line in &mut later.lines {
            *line = line.saturating_add(offset);
        }
        let Some(&at) = self.index.get(&later.id) else {
            let most = most_streams(self.texts.len());
            if self.streams.len() < most {
                self.index.insert(later.id.clone(), self.streams.len());
                self.streams.push(later);
            } else {
                for line in &later.lines {
                    self.quarantine
                        .add(u64::from(*line), None, Damage::TooManyStreams, || too_many_streams(most));
                }
            }
            return;
        };
        let rows = &mut self.streams[at];
        for (cells, more) in rows.cells.iter_mut().zip(later.cells) {
            cells.values.extend_from_slice(&more.values);
            cells.codes.extend_from_slice(&more.codes);
        }
        for (sum, more) in rows.sums.iter_mut().zip(&later.sums) {
            sum.merge(more);
        }
        rows.lines.extend_from_slice(&later.lines);
        rows.flags.extend_from_slice(&later.flags);
    }

    /// Whether a line that is too long ended it: nothing behind it is read.
    #[must_use]
    pub const fn is_ended(&self) -> bool {
        self.long_line.is_some()
    }

    /// Rows read, those set aside included.
    #[must_use]
    pub const fn rows(&self) -> u64 {
        self.rows
    }
}

/// The number in `ours` of each text of `theirs`.
fn renumber(ours: &mut Texts, theirs: &Texts) -> Vec<u32> {
    theirs.list.iter().map(|text| ours.number(text.as_bytes())).collect()
}

fn renumber_cells(cells: &mut Cells, numbers: &[u32]) {
    for (value, code) in cells.values.iter_mut().zip(&cells.codes) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of the list, by construction"
        )]
        let number = *value as usize;
        if *code == 0
            && let Some(&number) = numbers.get(number)
        {
            *value = f64::from(number);
        }
    }
}

impl StreamRows {
    pub(super) fn new(id: StreamId, layout: &Layout) -> Self {
        let columns = layout.columns.len();
        Self {
            id,
            runtime: None,
            cells: vec![Cells::default(); columns],
            sums: vec![Sum::NONE; columns],
            running: vec![Sum::NONE; columns],
            lines: Vec::new(),
            flags: Vec::new(),
        }
    }
}

/// Streams that are told apart in a table of so many columns: each stream has room for each column, and no header may fill
/// memory.
pub(crate) fn most_streams(columns: usize) -> usize {
    const MOST_CELLS: usize = 1 << 18;
    MOST_STREAMS.min(MOST_CELLS / columns.max(1))
}

/// Why a row of one stream more was set aside.
pub(super) fn too_many_streams(most: usize) -> String {
    format!("{}; allowed: {most} streams", Damage::TooManyStreams.name())
}

impl StreamRows {
    /// Closes the lines being read.
    pub(super) fn settle(&mut self) {
        for (sum, running) in self.sums.iter_mut().zip(&mut self.running) {
            sum.merge(running);
            *running = Sum::NONE;
        }
    }
}

/// Whether a column's cells are numbers of its texts.
pub(super) const fn is_text(kind: Kind) -> bool {
    matches!(kind, Kind::Text)
}
