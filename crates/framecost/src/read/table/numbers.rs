//! A column's numbers, many at once. In: where the fields of one column start and end in a text. Out: their numbers, and which of
//! them are none of the expected shape. Nothing branches on what a field holds, so that a processor that can reads four side by side.

use multiversion::multiversion;

use super::batch::{Cut, Row};
use super::ends::BEFORE;
use crate::read::number::{Shape, Word};

/// The bytes of a column's fields, in room that is used again for every column.
#[derive(Debug, Default)]
pub(super) struct Words {
    first: Vec<u64>,
    last: Vec<u64>,
    lengths: Vec<u64>,
}

impl Words {
    /// Takes a column's field of each row, of at most eight bytes, or of at most sixteen where they are `LONG`. A field at the text's
    /// very beginning, before which there are not as many bytes, becomes one of no bytes: it is no number.
    #[inline(never)]
    pub(super) fn take<const LONG: bool>(&mut self, Cut { text, ends }: Cut<'_>, rows: &[Row], place: usize) {
        self.first.resize(rows.len(), 0);
        self.last.resize(rows.len(), 0);
        self.lengths.resize(rows.len(), 0);
        let words = self.first.iter_mut().zip(&mut self.last).zip(&mut self.lengths);
        for (row, ((first, last), length)) in rows.iter().zip(words) {
            let pair = ends.get(row.before + place..).and_then(<[u32]>::first_chunk::<2>);
            let [before, end] = *pair.unwrap_or(&[BEFORE, 0]);
            (*first, *last, *length) = word::<LONG>(text, before.wrapping_add(1), end);
        }
    }

    /// Takes one field anew.
    pub(super) fn take_one<const LONG: bool>(&mut self, field: usize, text: &[u8], (start, end): (u32, u32)) {
        (self.first[field], self.last[field], self.lengths[field]) = word::<LONG>(text, start, end);
    }

    /// Whether a field is the commonest text for "missing".
    pub(super) fn is_na(&self, field: usize) -> bool {
        self.lengths[field] == 2 && self.last[field] >> 48 == u64::from(u16::from_le_bytes(*b"NA"))
    }
}

/// The eight bytes before a field's last eight, where they are asked for, its last eight, and its length.
#[inline(always)]
fn word<const LONG: bool>(text: &[u8], start: u32, end: u32) -> (u64, u64, u64) {
    let before = |bytes: usize| {
        let found = text.get((end as usize).wrapping_sub(bytes)..)?.first_chunk::<8>()?;
        Some(u64::from_le_bytes(*found))
    };
    let length = u64::from(end.wrapping_sub(start));
    match (if LONG { before(16) } else { Some(0) }, before(8)) {
        (Some(first), Some(last)) => (first, last, length),
        _ => (0, 0, 0),
    }
}

/// The numbers of that shape, and not 0 beside those of another.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
pub(super) fn read<const LONG: bool>(shape: &Shape, words: &Words, numbers: &mut [f64], odd: &mut [u8]) {
    let words = words.first.iter().zip(&words.last).zip(&words.lengths);
    for (((first, last), length), (number, odd)) in words.zip(numbers.iter_mut().zip(odd)) {
        let (read, not) = shape.read::<LONG>(Word { first: *first, last: *last, length: *length });
        (*number, *odd) = (read, u8::from(not != 0));
    }
    shape.settle(numbers);
}
