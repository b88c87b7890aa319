//! Where the lines and fields of a stretch of text end. In: whole lines and a separator. Out: their places, in room that is used
//! again for every stretch.
//!
//! Sixteen bytes are compared at once, so that finding a field costs a few instructions whatever its length; a stretch is short
//! enough that its places stay in the processor's nearest memory.

use multiversion::multiversion;
use wide::u8x16;

/// Bytes of a stretch: its text, the places in it and the cells made of it fit where memory is fastest.
pub(super) const STRETCH: usize = 1 << 15;

/// The ends in one stretch.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// The place before the text, then those of separators and of line ends, as they come; past those found so far there may be
    /// anything.
    ends: Vec<u32>,
    found: usize,
    lines: Vec<Line>,
}

/// A line of a stretch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// The place in the list of the end before it.
    pub(super) before: usize,
    /// The place in the list of its own end.
    pub(super) last: usize,
}

impl Ends {
    /// Finds the ends in a text of less than 4 GiB.
    pub(super) fn cut(&mut self, text: &[u8], separator: u8) {
        cut(self, text, separator);
    }

    /// Where the fields end, line after line, behind the place before the text.
    pub(super) fn ends(&self) -> &[u32] {
        &self.ends[..self.found]
    }

    /// The lines.
    pub(super) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// Adds the marks of 64 bytes from `at` on; `before` is the place of the end before the line that was begun.
    #[inline(always)]
    fn add(&mut self, at: usize, separators: u64, newlines: u64, before: &mut usize) {
        let (mut ends, mut lines) = (separators | newlines, newlines);
        while lines != 0 {
            // All bits up to the lowest one: so many of the ends are before and in the line.
            let up_to = lines ^ (lines - 1);
            let last = self.found + (ends & up_to).count_ones() as usize - 1;
            self.lines.push(Line { before: *before, last });
            *before = last;
            lines &= lines - 1;
        }
        // A dozen at once, since most blocks have about as many; what is past the last one is written over next time.
        let (past, at) = (self.found + ends.count_ones() as usize, narrow(at));
        while self.found < past {
            let Some(room) = self.ends.get_mut(self.found..self.found + DOZEN) else { break };
            for end in room {
                *end = at + ends.trailing_zeros();
                ends &= ends.wrapping_sub(1);
            }
            self.found += DOZEN;
        }
        self.found = past;
    }
}

#[multiversion(targets("x86_64+avx2+bmi1+bmi2+fma+lzcnt+popcnt"))]
fn cut(found: &mut Ends, text: &[u8], separator: u8) {
    found.lines.clear();
    // Each byte may be an end.
    found.ends.resize(found.ends.len().max(text.len() + 2 + DOZEN), 0);
    found.ends[0] = BEFORE;
    found.found = 1;
    let (blocks, rest) = text.as_chunks::<64>();
    let (mut at, mut before) = (0, 0);
    for block in blocks {
        found.add(at, marks(block, separator), marks(block, b'\n'), &mut before);
        at += 64;
    }
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    let within = (1 << rest.len()) - 1;
    found.add(at, marks(&last, separator) & within, marks(&last, b'\n') & within, &mut before);
    if text.last().is_some_and(|byte| *byte != b'\n') {
        found.lines.push(Line { before, last: found.found });
        found.ends[found.found] = narrow(text.len());
        found.found += 1;
    }
}

/// The place before a text: the byte behind it is the text's first.
pub(super) const BEFORE: u32 = u32::MAX;

/// Ends that are written at once.
const DOZEN: usize = 12;

/// A bit for each byte that is `byte`, the first one lowest.
#[inline(always)]
fn marks(block: &[u8; 64], byte: u8) -> u64 {
    let wanted = u8x16::splat(byte);
    let (quarters, _) = block.as_chunks::<16>();
    quarters
        .iter()
        .rev()
        .fold(0, |marks, quarter| marks << 16 | u64::from(u8x16::from(*quarter).simd_eq(wanted).to_bitmask()))
}

/// Lines and stretches are far shorter than 4 GiB, so no place is cut off.
#[expect(clippy::cast_possible_truncation, reason = "lines and stretches are bounded far below 4 GiB")]
pub(super) const fn narrow(place: usize) -> u32 {
    place as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::read::table::Fields;
    use crate::read::text::Lines;

    proptest! {
        #[test]
        fn ends_are_those_of_lines_cut_one_by_one(text in "([a,\r\n]|,{1,90}|\n{1,90}|[a-z]{60,70}){0,12}", more in "[,\n]{0,300}") {
            let text = text + &more;
            let mut ends = Ends::default();
            // What an earlier stretch left behind changes nothing.
            ends.cut("a,b\n".repeat(200).as_bytes(), b',');
            ends.cut(text.as_bytes(), b',');
            let lines = ends.lines().iter().map(|line| Fields::of(text.as_bytes(), &ends.ends()[line.before..=line.last]));
            let found: Vec<Vec<&[u8]>> = lines.map(|it| (0..it.len()).map(|place| it.get(place)).collect()).collect();
            let expected: Vec<Vec<&[u8]>> = Lines::of(text.as_bytes()).map(|line| line.split(|byte| *byte == b',').collect()).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
