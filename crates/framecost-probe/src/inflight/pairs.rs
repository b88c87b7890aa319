//! Which queries a frame's stamps go to. In: frames and their runs of passes, in the order of recording. Out: adjacent
//! pairs, and the copies that bring exactly the written ones back.

use std::ops::Range;

use crate::inflight::SlotIndex;

/// Bytes that each copy's place in a buffer is a multiple of: WebGPU's alignment of resolved queries, the strictest.
pub const ALIGNMENT: u64 = 256;

pub(crate) const WORD: u64 = 8;
const ALIGNED_WORDS: usize = (ALIGNMENT / WORD) as usize;

/// Two adjacent queries of a slot. Nobody writes their numbers by hand: the ring hands pairs out, to each frame a block
/// behind that of the frame before it: its bracket first, where it has one, then a pair for each run of a pass. What was
/// handed out is one unbroken range, so that one copy brings several frames back.
///
/// Adjacent, because wgpu resets all queries from a pass's first to its last before the pass writes those two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pair(u16);

/// One copy of adjacent queries into a batch's buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// The slot that they belong to.
    pub slot: SlotIndex,
    /// The queries.
    pub queries: Range<u32>,
    /// Bytes from the buffer's start: a multiple of [`ALIGNMENT`].
    pub offset: u64,
}

impl Pair {
    /// The query of its start stamp.
    #[must_use]
    #[inline]
    pub const fn start(self) -> u32 {
        2 * self.0 as u32
    }

    /// The query of its end stamp.
    #[must_use]
    #[inline]
    pub const fn end(self) -> u32 {
        self.start() + 1
    }

    /// The pair behind it.
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Pairs from `first` up to this one.
    pub(crate) const fn since(self, first: Self) -> u32 {
        self.0 as u32 - first.0 as u32
    }
}

impl Copy {
    /// Its first word, in words of 8 bytes from the buffer's start.
    #[must_use]
    pub const fn first_word(&self) -> usize {
        (self.offset / WORD) as usize
    }

    /// The words that it fills.
    #[must_use]
    pub fn words(&self) -> Range<usize> {
        let first = self.first_word();
        first..first + self.queries.len()
    }

    /// The word that it puts this query's value in, if it copies it.
    pub(crate) fn word_of(&self, slot: SlotIndex, query: u32) -> Option<usize> {
        let holds = self.slot == slot && self.queries.contains(&query);
        holds.then(|| self.first_word() + (query - self.queries.start) as usize)
    }
}

/// Appends what brings the pairs from `first` up to `end` back: to the last copy, if they lie right behind it, or as a
/// copy of their own. `words` is how far the buffer is filled.
pub(crate) fn append_copy(
    slot: SlotIndex,
    first: Pair,
    end: Pair,
    copies: &mut Vec<Copy>,
    words: &mut usize,
) {
    let queries = first.start()..end.start();
    let count = queries.len();
    match copies.last_mut() {
        Some(last) if last.slot == slot && last.queries.end == queries.start => {
            last.queries.end = queries.end
        }
        _ => {
            *words = words.next_multiple_of(ALIGNED_WORDS);
            copies.push(Copy { slot, queries, offset: *words as u64 * WORD });
        }
    }
    *words += count;
}

/// Bytes that [`append_copy`] adds at most for one unbroken stretch of so many pairs.
pub(crate) const fn most_bytes(pairs: u64) -> u64 {
    ALIGNMENT + 2 * WORD * pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pairs_follow_each_other_without_a_gap() {
        let pairs: Vec<Pair> =
            std::iter::successors(Some(Pair::default()), |pair| Some(pair.next())).take(200).collect();
        let queries: Vec<u32> = pairs.iter().flat_map(|pair| [pair.start(), pair.end()]).collect();
        assert_eq!(queries, (0..400).collect::<Vec<_>>(), "all distinct, and the whole range");
        assert_eq!(pairs[199].since(pairs[0]), 199);
    }

    #[test]
    fn one_copy_brings_several_frames_back() {
        let (mut copies, mut words) = (Vec::new(), 0);
        append_copy(3, Pair(0), Pair(13), &mut copies, &mut words);
        append_copy(3, Pair(13), Pair(26), &mut copies, &mut words);
        append_copy(4, Pair(0), Pair(2), &mut copies, &mut words);
        let expected =
            [Copy { slot: 3, queries: 0..52, offset: 0 }, Copy { slot: 4, queries: 0..4, offset: 512 }];
        assert_eq!(copies, expected);
        assert_eq!(words, 68);
        assert_eq!(copies[0].word_of(3, 26), Some(26), "the second frame's first");
        assert_eq!(copies[1].word_of(4, 3), Some(67));
        assert_eq!(copies[1].word_of(3, 3), None);
    }

    proptest! {
        // Research item 2.27: a resolve whose place is no multiple of 256. Research item 2.28: resolving unwritten queries.
        #[test]
        fn copies_hold_what_was_appended_and_nothing_else(slots in prop::collection::vec(prop::collection::vec(any::<bool>(), 1..60), 1..9)) {
            let (mut copies, mut words, mut bytes) = (Vec::new(), 0, 0);
            for (slot, written) in slots.iter().enumerate() {
                for (i, _) in (0u16..).zip(written).filter(|(_, written)| **written) {
                    append_copy(slot, Pair(i), Pair(i + 1), &mut copies, &mut words);
                    bytes += most_bytes(1);
                }
            }
            let mut at = 0;
            for copy in &copies {
                prop_assert!(copy.offset.is_multiple_of(ALIGNMENT));
                prop_assert!(copy.first_word() >= at, "copies do not overlap");
                at = copy.words().end;
            }
            prop_assert!(words as u64 * WORD <= bytes && words == at, "{words} words in {bytes} bytes");
            for (slot, written) in slots.iter().enumerate() {
                for (i, written) in (0u32..).zip(written) {
                    for query in [2 * i, 2 * i + 1] {
                        let copied = copies.iter().filter(|copy| copy.word_of(slot, query).is_some()).count();
                        prop_assert_eq!(copied, usize::from(*written));
                    }
                }
            }
        }
    }
}
