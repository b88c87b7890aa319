//! Lanes: which row of a viewer shows which slice, so that nothing that ran at the same time hides another. In: a queue's
//! submissions with their passes. Out: lanes in which no two slices overlap, but for a pass that lies in its submission.
//!
//! A viewer reads a slice inside another as a part of it. A pass is part of its submission and of nothing else, so a pass
//! that overlaps another one, wholly or in part, goes to another lane. Slices that only touch share a lane.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};

/// Something to give a lane: a stretch of whole nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) part: Part,
}

/// What an item may lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// A whole of its own, with a number by which its parts name it.
    Whole(usize),
    /// A part of the whole of that number.
    Of(usize),
}

/// Where an item ended up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Laid {
    /// Its index among the items.
    pub(super) index: usize,
    /// Whether it lies in the last one of the lane that does not.
    pub(super) inside: bool,
}

/// The items by lane, each lane by start, wholes before their parts. Takes `n log n` of the items.
pub(super) fn lanes(items: &[Item]) -> Vec<Vec<Laid>> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    // A whole comes before what may lie in it: it starts no later and, of those that start alike, ends no earlier.
    order.sort_by_key(|&i| (items[i].start, Reverse(items[i].end), items[i].part, i));
    let mut lanes = Lanes::default();
    for index in order {
        lanes.put(index, &items[index]);
    }
    lanes.of_items
}

#[derive(Default)]
struct Lanes {
    of_items: Vec<Vec<Laid>>,
    /// For each lane the whole that lies in it last, if that is what lies there last.
    last: Vec<Option<usize>>,
    /// Lanes with something that may not have ended, by its end.
    busy: BinaryHeap<Reverse<(u64, usize)>>,
    /// Lanes with nothing in them any more.
    free: BinaryHeap<Reverse<usize>>,
    /// The wholes that lie in a lane: which, and to where parts fill them.
    wholes: HashMap<usize, Whole>,
}

struct Whole {
    lane: usize,
    end: u64,
    filled_to: u64,
}

impl Lanes {
    fn put(&mut self, index: usize, item: &Item) {
        if let Part::Of(whole) = item.part
            && let Some(lane) = self.lane_of(whole, item)
        {
            self.of_items[lane].push(Laid { index, inside: true });
            return;
        }
        let lane = self.empty_lane(item);
        self.of_items[lane].push(Laid { index, inside: false });
        self.last[lane] = None;
        if let Part::Whole(whole) = item.part {
            self.last[lane] = Some(whole);
            self.wholes.insert(whole, Whole { lane, end: item.end, filled_to: item.start });
        }
    }

    /// The lane of the whole, if the item lies in it and beside no other part of it.
    fn lane_of(&mut self, whole: usize, item: &Item) -> Option<usize> {
        let Whole { lane, end, filled_to } = self.wholes.get_mut(&whole)?;
        let fits = *filled_to <= item.start && item.end <= *end && self.last[*lane] == Some(whole);
        fits.then(|| {
            *filled_to = item.end;
            *lane
        })
    }

    /// The first lane in which nothing lies from the item's start on; a new one if there is none.
    fn empty_lane(&mut self, item: &Item) -> usize {
        while let Some(&Reverse((end, lane))) = self.busy.peek() {
            if end > item.start {
                break;
            }
            self.busy.pop();
            self.free.push(Reverse(lane));
        }
        let lane = self.free.pop().map_or(self.of_items.len(), |Reverse(lane)| lane);
        if lane == self.of_items.len() {
            self.of_items.push(Vec::new());
            self.last.push(None);
        }
        self.busy.push(Reverse((item.end, lane)));
        lane
    }
}

/// Groups items by a key, keeping their order, in the keys' order.
pub(super) fn by_key<K: Ord, T>(items: impl IntoIterator<Item = (K, T)>) -> BTreeMap<K, Vec<T>> {
    let mut groups: BTreeMap<K, Vec<T>> = BTreeMap::new();
    for (key, item) in items {
        groups.entry(key).or_default().push(item);
    }
    groups
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn whole(number: usize, start: u64, end: u64) -> Item {
        Item { start, end, part: Part::Whole(number) }
    }

    fn part(of: usize, start: u64, end: u64) -> Item {
        Item { start, end, part: Part::Of(of) }
    }

    /// The indices of each lane; those inside another one in brackets.
    fn shown(items: &[Item]) -> Vec<String> {
        let one =
            |laid: &Laid| if laid.inside { format!("({})", laid.index) } else { laid.index.to_string() };
        lanes(items).iter().map(|lane| lane.iter().map(one).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn passes_that_follow_each_other_lie_in_their_submission() {
        assert_eq!(shown(&[part(0, 5, 9), whole(0, 0, 9), part(0, 0, 5)]), ["1 (2) (0)"]);
    }

    #[test]
    fn passes_that_overlap_lie_side_by_side() {
        let inside = [whole(0, 0, 9), part(0, 0, 9), part(0, 2, 4), part(0, 3, 5), part(0, 5, 7)];
        // No pass is a part of another, even where it lies wholly inside it.
        assert_eq!(shown(&inside), ["0 (1)", "2 4", "3"]);
    }

    #[test]
    fn a_submission_that_overlaps_the_one_before_gets_a_lane_and_then_the_first_is_free_again() {
        let items = [whole(0, 0, 5), whole(1, 3, 9), part(1, 3, 9), whole(2, 5, 8), whole(3, 9, 10)];
        assert_eq!(shown(&items), ["0 3 4", "1 (2)"]);
        // What takes no time at the end of its submission does not fall into the next one.
        assert_eq!(shown(&[whole(0, 0, 5), part(0, 5, 5), whole(1, 5, 9)]), ["0 2", "1"]);
        assert_eq!(shown(&[whole(0, 0, 5), part(0, 2, 5), part(0, 5, 5)]), ["0 (1) (2)"]);
    }

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let stretch = || (0u64..60, 0u64..12).prop_map(|(start, length)| (start, start + length));
        let submission = (stretch(), prop::collection::vec(stretch(), 0..6));
        prop::collection::vec(submission, 0..12).prop_map(|submissions| {
            let mut items = Vec::new();
            for (number, ((start, end), parts)) in submissions.into_iter().enumerate() {
                items.push(whole(number, start, end));
                items.extend(parts.into_iter().map(|(start, end)| part(number, start, end)));
            }
            items
        })
    }

    proptest! {
        #[test]
        fn no_two_slices_of_a_lane_overlap_but_for_a_part_in_its_whole(items in items()) {
            let lanes = lanes(&items);
            let mut all: Vec<usize> = lanes.iter().flatten().map(|laid| laid.index).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..items.len()).collect::<Vec<_>>(), "each item stands once");
            for lane in &lanes {
                let mut outer = None;
                for (at, laid) in lane.iter().enumerate() {
                    let a = items[laid.index];
                    if laid.inside {
                        let whole: Item = outer.unwrap();
                        prop_assert!(whole.start <= a.start && a.end <= whole.end, "{:?} {:?}", whole, a);
                        let same = matches!((whole.part, a.part), (Part::Whole(n), Part::Of(m)) if n == m);
                        prop_assert!(same, "{:?} {:?}", whole, a);
                    } else {
                        outer = Some(a);
                    }
                    let beside = lane[at + 1..].iter().filter(|later| later.inside == laid.inside);
                    for b in beside.map(|later| items[later.index]) {
                        prop_assert!(a.end <= b.start, "{:?} {:?}", a, b);
                    }
                }
            }
        }
    }
}
