//! Which queries a frame's stamps go to. In: runs of passes in the order of recording. Out: adjacent pairs, the frame's
//! bracket first, and the copies that bring exactly the written ones back.

use std::ops::Range;

use crate::inflight::SlotIndex;

/// Bytes that each copy's place in a buffer is a multiple of: WebGPU's alignment of resolved queries, the strictest.
pub const ALIGNMENT: u64 = 256;

const WORD: u64 = 8;
const ALIGNED_WORDS: usize = (ALIGNMENT / WORD) as usize;

/// Two adjacent queries of a slot. Nobody writes their numbers by hand: [`Pairs`] hands them out.
///
/// Adjacent, because wgpu resets all queries from a pass's first to its last before the pass writes those two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pair(u16);

/// The pairs of one slot: the bracket, then one for each run of a pass as it is recorded. What was handed out is one
/// unbroken range, which a single copy brings back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairs {
    capacity: u16,
    next: u16,
}

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
    /// The pair around the whole frame: the first of every slot.
    pub const BRACKET: Self = Self(0);

    /// The query of its start stamp.
    #[must_use]
    pub fn start(self) -> u32 {
        2 * u32::from(self.0)
    }

    /// The query of its end stamp.
    #[must_use]
    pub fn end(self) -> u32 {
        self.start() + 1
    }
}

impl Pairs {
    /// Room for the bracket and `runs` runs of passes.
    #[must_use]
    pub const fn new(runs: u16) -> Self {
        Self { capacity: runs, next: 0 }
    }

    /// Queries that a slot of this size needs.
    #[must_use]
    pub fn queries(self) -> u32 {
        2 * (u32::from(self.capacity) + 1)
    }

    /// The pair of the next run of a pass; none where all are handed out.
    pub fn hand_out(&mut self) -> Option<Pair> {
        if self.next == self.capacity {
            return None;
        }
        self.next += 1;
        Some(Pair(self.next))
    }

    /// What is handed out now, ascending, without the bracket.
    pub(crate) fn handed_out(self) -> impl Iterator<Item = Pair> {
        (1..=self.next).map(Pair)
    }

    /// Takes every pair back, for the slot's next frame.
    pub const fn take_back(&mut self) {
        self.next = 0;
    }

    /// Bytes that the copies of one slot take at most, however its written pairs are scattered: each copy but the last
    /// ends at a gap.
    #[must_use]
    pub fn most_bytes(self) -> u64 {
        let pairs = u64::from(self.capacity) + 1;
        let copies = pairs.div_ceil(2);
        copies * ALIGNMENT + pairs * 2 * WORD
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
}

/// Appends the copies that bring back `written`, a slot's pairs in ascending order: one copy per unbroken stretch.
/// `words` is how far the buffer is filled.
pub(crate) fn append_copies(
    slot: SlotIndex,
    written: impl Iterator<Item = Pair>,
    copies: &mut Vec<Copy>,
    words: &mut usize,
) {
    let first = copies.len();
    for pair in written {
        match copies.last_mut() {
            Some(last) if last.slot == slot && last.queries.end == pair.start() => {
                last.queries.end = pair.end() + 1;
            }
            _ => copies.push(Copy { slot, queries: pair.start()..pair.end() + 1, offset: 0 }),
        }
    }
    for copy in &mut copies[first..] {
        *words = words.next_multiple_of(ALIGNED_WORDS);
        copy.offset = *words as u64 * WORD;
        *words += copy.queries.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The pairs of a frame with these many runs, the bracket first.
    fn block(runs: u16) -> (Pairs, Vec<Pair>) {
        let mut pairs = Pairs::new(runs);
        let mut all = vec![Pair::BRACKET];
        all.extend(std::iter::from_fn(|| pairs.hand_out()));
        (pairs, all)
    }

    #[test]
    fn the_whole_frame_heads_the_block_and_the_first_pass_follows_it() {
        let (_, all) = block(12);
        assert_eq!((all[0].start(), all[0].end()), (0, 1));
        assert_eq!((all[1].start(), all[1].end()), (2, 3));
    }

    #[test]
    fn what_is_taken_back_is_handed_out_again_from_the_start() {
        let mut pairs = Pairs::new(2);
        let first = [pairs.hand_out(), pairs.hand_out(), pairs.hand_out()];
        pairs.take_back();
        assert_eq!([pairs.hand_out(), pairs.hand_out(), pairs.hand_out()], first);
        assert_eq!(first[2], None, "there are two");
    }

    #[test]
    fn one_copy_brings_a_whole_frame_back() {
        let (_, all) = block(12);
        let (mut copies, mut words) = (Vec::new(), 0);
        append_copies(3, all.into_iter(), &mut copies, &mut words);
        assert_eq!(copies, [Copy { slot: 3, queries: 0..26, offset: 0 }]);
        assert_eq!(words, 26);
    }

    proptest! {
        #[test]
        fn a_block_is_filled_exactly_by_distinct_adjacent_pairs(runs in 0u16..200) {
            let (pairs, all) = block(runs);
            let queries: Vec<u32> = all.iter().flat_map(|pair| [pair.start(), pair.end()]).collect();
            prop_assert_eq!(queries, (0..pairs.queries()).collect::<Vec<_>>());
        }

        // Research item 2.27: a resolve whose place is no multiple of 256. Research item 2.28: resolving unwritten queries.
        #[test]
        fn copies_hold_what_was_written_and_nothing_else(frames in prop::collection::vec(prop::collection::vec(any::<bool>(), 1..40), 1..9)) {
            let (mut copies, mut words, mut bytes) = (Vec::new(), 0, 0);
            for (slot, written) in frames.iter().enumerate() {
                let (pairs, all) = block(u16::try_from(written.len()).unwrap() - 1);
                let written = all.into_iter().zip(written).filter(|(_, written)| **written).map(|(pair, _)| pair);
                append_copies(slot, written, &mut copies, &mut words);
                bytes += pairs.most_bytes();
            }
            let mut at = 0;
            for copy in &copies {
                prop_assert!(copy.offset.is_multiple_of(ALIGNMENT));
                prop_assert!(copy.first_word() >= at, "copies do not overlap");
                at = copy.words().end;
            }
            prop_assert!(words as u64 * WORD <= bytes, "{words} words in {bytes} bytes");
            for (slot, written) in frames.iter().enumerate() {
                for (i, written) in (0u32..).zip(written) {
                    for query in [2 * i, 2 * i + 1] {
                        let copied = copies.iter().filter(|copy| copy.slot == slot && copy.queries.contains(&query)).count();
                        prop_assert_eq!(copied, usize::from(*written));
                    }
                }
            }
        }
    }
}
