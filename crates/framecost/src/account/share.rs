//! Whose each moment is. In: runs of passes on one line. Out: per pass the time it ran alone, and its equal share of
//! the time in which several ran.
//!
//! A stretch of `L` ticks under `k` passes gives each `L / k`; the `L % k` ticks left over go one each to as many of
//! them, in turn, so that the shares add up exactly and no pass is favoured. Giving them out costs a logarithm, not a
//! walk over the passes: thousands may be open at once in a capture that means harm.

/// A run of the pass with that index among `passes`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shared {
    pub(super) pass: usize,
    pub(super) start: u64,
    pub(super) end: u64,
}

/// What a pass gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    /// Time under this pass and no other.
    pub(super) alone: u64,
    /// Its share of the union.
    pub(super) attributed: u64,
}

/// Shares the runs' union among `passes` passes. `turn` says who comes first when ticks are left over; it moves on.
pub(super) fn split(runs: &[Shared], passes: usize, turn: &mut u64) -> Vec<Share> {
    let mut events: Vec<(u64, Edge, usize)> = Vec::with_capacity(runs.len() * 2);
    for run in runs {
        events.push((run.start, Edge::Start, run.pass));
        events.push((run.end, Edge::End, run.pass));
    }
    // Starts come before ends at the same tick, so that a run of no length opens before it closes.
    events.sort_unstable();
    let mut sweep = Sweep::new(passes, *turn);
    for (at, edge, pass) in events {
        sweep.advance(at);
        match edge {
            Edge::Start => sweep.open(pass),
            Edge::End => sweep.close(pass),
        }
    }
    *turn = sweep.turn;
    sweep.shares
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    Start,
    End,
}

/// The state between two events.
struct Sweep {
    now: u64,
    turn: u64,
    /// Passes with an open run.
    open: u64,
    /// Sum of their indices: the index itself when only one is open.
    open_sum: u64,
    /// Per pass: runs open.
    runs: Vec<u64>,
    /// Per pass, in a tree: 1 if open.
    is_open: Tree,
    /// Ticks that a pass open from the beginning would have got by equal division.
    even: u64,
    /// Ticks left over that a pass of that index would have got.
    odd: Tree,
    /// Per pass: what the two above read when it opened.
    opened_at: Vec<u64>,
    shares: Vec<Share>,
}

impl Sweep {
    fn new(passes: usize, turn: u64) -> Self {
        Self {
            now: 0,
            turn,
            open: 0,
            open_sum: 0,
            runs: vec![0; passes],
            is_open: Tree::new(passes),
            even: 0,
            odd: Tree::new(passes),
            opened_at: vec![0; passes],
            shares: vec![Share::default(); passes],
        }
    }

    /// Gives out the time up to `at` to the passes that are open.
    fn advance(&mut self, at: u64) {
        let length = at - self.now;
        self.now = at;
        if length == 0 || self.open == 0 {
            return;
        }
        self.even += length / self.open;
        let left = length % self.open;
        if left > 0 {
            self.give_left(left);
        }
        if self.open == 1
            && let Ok(only) = usize::try_from(self.open_sum)
        {
            self.shares[only].alone += length;
        }
    }

    /// One tick each for `left` of the open passes, from the one whose turn it is.
    fn give_left(&mut self, left: u64) {
        let first = self.turn % self.open;
        self.turn = self.turn.wrapping_add(left);
        let end = first + left;
        self.give_ranks(first, end.min(self.open));
        self.give_ranks(0, end.saturating_sub(self.open));
    }

    /// One tick each for the open passes with ranks from `first` up to `end`.
    fn give_ranks(&mut self, first: u64, end: u64) {
        if first < end {
            let (from, to) = (self.is_open.rank(first), self.is_open.rank(end - 1));
            self.odd.add(from, 1);
            self.odd.add(to + 1, u64::MAX); // less one: sums wrap
        }
    }

    fn open(&mut self, pass: usize) {
        self.runs[pass] += 1;
        if self.runs[pass] == 1 {
            self.open += 1;
            self.open_sum += pass as u64;
            self.is_open.add(pass, 1);
            self.opened_at[pass] = self.even.wrapping_add(self.odd.sum(pass));
        }
    }

    fn close(&mut self, pass: usize) {
        self.runs[pass] -= 1;
        if self.runs[pass] == 0 {
            self.open -= 1;
            self.open_sum -= pass as u64;
            self.is_open.add(pass, u64::MAX); // less one
            let read = self.even.wrapping_add(self.odd.sum(pass));
            self.shares[pass].attributed += read.wrapping_sub(self.opened_at[pass]);
        }
    }
}

/// A Fenwick tree: adds at one index, sums up to one, both in a logarithm. Sums wrap.
/// Source: P. M. Fenwick, A new data structure for cumulative frequency tables, 1994.
struct Tree(Vec<u64>);

impl Tree {
    fn new(len: usize) -> Self {
        Self(vec![0; len + 1])
    }

    /// Adds at `index`; one past the last is allowed and changes no sum.
    fn add(&mut self, index: usize, value: u64) {
        let mut node = index + 1;
        while let Some(cell) = self.0.get_mut(node) {
            *cell = cell.wrapping_add(value);
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of what was added at the indices up to and with `index`.
    fn sum(&self, index: usize) -> u64 {
        let (mut node, mut sum) = (index + 1, 0u64);
        while node > 0 {
            sum = sum.wrapping_add(self.0[node]);
            node &= node - 1;
        }
        sum
    }

    /// The smallest index whose sum exceeds `rank`, in a tree of zeros and ones: the one with that rank, from 0.
    fn rank(&self, mut rank: u64) -> usize {
        let mut node = 0;
        let mut step = self.0.len().next_power_of_two();
        while step > 0 {
            if let Some(&ones) = self.0.get(node + step)
                && ones <= rank
            {
                node += step;
                rank -= ones;
            }
            step /= 2;
        }
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(list: &[(usize, u64, u64)]) -> Vec<Shared> {
        list.iter().map(|&(pass, start, end)| Shared { pass, start, end }).collect()
    }

    fn attributed(shares: &[Share]) -> Vec<u64> {
        shares.iter().map(|share| share.attributed).collect()
    }

    #[test]
    fn ticks_left_over_favour_no_pass() {
        // Three passes share a stretch of 4 or 5 ticks in each of 3,000 frames, whose turn is their position.
        for length in [4, 5] {
            let mut sums = [0; 3];
            for frame in 0..3000 {
                let mut turn = frame;
                let shares = split(&runs(&[(0, 0, length), (1, 0, length), (2, 0, length)]), 3, &mut turn);
                (0..3).for_each(|pass| sums[pass] += shares[pass].attributed);
            }
            assert_eq!(sums, [length * 1000; 3]);
        }
    }

    #[test]
    fn a_turn_goes_on_from_stretch_to_stretch() {
        // Two stretches of one tick each under both passes: each pass gets one.
        let mut turn = 0;
        let shares = split(&runs(&[(0, 0, 1), (1, 0, 1), (0, 5, 6), (1, 5, 6)]), 2, &mut turn);
        assert_eq!(attributed(&shares), [1, 1]);
        assert_eq!(turn, 2);
    }

    #[test]
    fn a_turn_near_its_end_does_not_overflow() {
        let mut turn = u64::MAX;
        let shares = split(&runs(&[(0, 0, u64::MAX), (1, 0, u64::MAX)]), 2, &mut turn);
        assert_eq!(attributed(&shares).iter().sum::<u64>(), u64::MAX);
        assert_eq!(turn, 0);
    }

    #[test]
    fn a_tree_finds_the_open_pass_of_a_rank() {
        for len in [1, 2, 3, 7, 8, 9, 100] {
            let mut tree = Tree::new(len);
            let open: Vec<usize> = (0..len).filter(|index| index % 3 != 1).collect();
            open.iter().for_each(|&index| tree.add(index, 1));
            for (rank, &index) in open.iter().enumerate() {
                assert_eq!(tree.rank(rank as u64), index, "rank {rank} of {len}");
                assert_eq!(tree.sum(index), rank as u64 + 1);
            }
        }
    }
}
