//! A column's numbers, many at once. In: where the fields of one column start and end in a text. Out: their numbers, and which of
//! them are none of the expected shape. Nothing branches on what a field holds, so that a processor that can reads four side by side.

use multiversion::multiversion;

use crate::read::number::{Shape, Word};

/// The bytes of a column's fields, in room that is used again for every column.
#[derive(Debug, Default)]
pub(super) struct Words {
    first: Vec<u64>,
    last: Vec<u64>,
    lengths: Vec<u64>,
}

impl Words {
    /// Takes the fields that start and end there in a text, of at most eight bytes, or of at most sixteen where they are `LONG`. A
    /// field at the text's very beginning, before which there are not as many bytes, becomes one of no bytes: it is no number.
    #[inline(always)]
    pub(super) fn take<const LONG: bool>(
        &mut self,
        text: &[u8],
        fields: impl ExactSizeIterator<Item = (u32, u32)>,
    ) {
        let count = fields.len();
        self.first.resize(count, 0);
        self.last.resize(count, 0);
        self.lengths.resize(count, 0);
        let words = self.first.iter_mut().zip(&mut self.last).zip(&mut self.lengths);
        for (((first, last), length), (start, end)) in words.zip(fields) {
            let before = |bytes: usize| text.get((end as usize).wrapping_sub(bytes)..)?.first_chunk::<8>();
            let found = before(8);
            *last = found.map_or(0, |bytes| u64::from_le_bytes(*bytes));
            *length = if found.is_some() { u64::from(end.wrapping_sub(start)) } else { 0 };
            if LONG {
                let found = before(16);
                *first = found.map_or(0, |bytes| u64::from_le_bytes(*bytes));
                *length = if found.is_some() { *length } else { 0 };
            }
        }
    }

    /// Whether a field is the commonest text for "missing".
    pub(super) fn is_na(&self, field: usize) -> bool {
        self.lengths[field] == 2 && self.last[field] >> 48 == u64::from(u16::from_le_bytes(*b"NA"))
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
