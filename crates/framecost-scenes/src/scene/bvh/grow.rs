//! Grows a tree over boxes by the surface area heuristic in bins (Wald 2007, On fast construction of SAH-based bounding
//! volume hierarchies). In: boxes. Out: nodes depth first, the boxes in the order of the leaves. Plain operations on f32
//! only, so that every machine grows the same tree.

use glam::Vec3;

use super::{Bounds, Node, index};

/// Bins along an axis.
const BINS: usize = 16;

/// A box to be put into a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    bounds: Bounds,
    /// Its place in the list at first.
    pub(super) id: u32,
}

impl Item {
    pub(super) fn list(bounds: impl Iterator<Item = Bounds>) -> Vec<Self> {
        (0..).zip(bounds).map(|(id, bounds)| Self { bounds, id }).collect()
    }

    /// Twice its centre: no rounding by a half.
    fn centre(&self) -> Vec3 {
        self.bounds.lo + self.bounds.hi
    }
}

/// A node that has not found its place yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Grown {
    Inner { bounds: Bounds, children: [u32; 2] },
    Leaf { bounds: Bounds, first: u32, count: u32 },
}

impl Grown {
    /// The node, once it is known where nodes go and what leaves hold.
    pub(super) fn placed(&self, place: impl Fn(u32) -> u32, leaf: impl Fn(u32, u32) -> (u32, u32)) -> Node {
        match *self {
            Self::Inner { bounds, children: [left, right] } => Node {
                lo: bounds.lo.to_array(),
                left: place(left),
                hi: bounds.hi.to_array(),
                right: place(right),
            },
            Self::Leaf { bounds, first, count } => {
                let (left, right) = leaf(first, count);
                Node { left: Node::LEAF | left, right, lo: bounds.lo.to_array(), hi: bounds.hi.to_array() }
            }
        }
    }
}

/// A stretch of the list that is to become a node.
struct Todo {
    from: usize,
    to: usize,
    /// The edges that it may still grow.
    depth: u32,
    /// The node that it hangs on, and on which side.
    parent: Option<(usize, usize)>,
}

/// The tree over `items`, which it sorts: at most `leaf` in a leaf, at most `deepest` edges to one. None for no items.
pub(super) fn grow(items: &mut [Item], leaf: usize, deepest: u32) -> Vec<Grown> {
    let mut nodes = Vec::with_capacity(items.len());
    let mut spare = Vec::with_capacity(items.len());
    let mut todo = vec![Todo { from: 0, to: items.len(), depth: deepest, parent: None }];
    while let Some(Todo { from, to, depth, parent }) = todo.pop() {
        let number = nodes.len();
        if let Some((parent, side)) = parent
            && let Some(Grown::Inner { children, .. }) = nodes.get_mut(parent)
        {
            children[side] = index(number);
        }
        let part = &mut items[from..to];
        let bounds = part.iter().fold(Bounds::EMPTY, |all, item| all.join(item.bounds));
        if let Some(left) = split(part, bounds, leaf, depth, &mut spare) {
            nodes.push(Grown::Inner { bounds, children: [0; 2] });
            let child = |from, to, side| Todo { from, to, depth: depth - 1, parent: Some((number, side)) };
            // The left one is taken next: depth first.
            todo.extend([child(from + left, to, 1), child(from, from + left, 0)]);
        } else {
            nodes.push(Grown::Leaf { bounds, first: index(from), count: index(to - from) });
        }
    }
    nodes
}

/// Levels of a balanced tree over `count`.
fn levels(count: usize, leaf: usize) -> u32 {
    count.div_ceil(leaf).max(1).next_power_of_two().ilog2()
}

/// Sorts the items into two parts and says how many are in the first; none where they make a leaf.
fn split(
    items: &mut [Item],
    bounds: Bounds,
    leaf: usize,
    depth: u32,
    spare: &mut Vec<Item>,
) -> Option<usize> {
    let count = items.len();
    if count <= 1 || (count <= leaf && depth == 0) {
        return None;
    }
    let centres = items
        .iter()
        .fold(Bounds::EMPTY, |all, item| all.join(Bounds { lo: item.centre(), hi: item.centre() }));
    let best = cheapest(items, centres);
    if count <= leaf && best.as_ref().is_none_or(|best| best.cost + bounds.area() >= cost(bounds, count)) {
        return None;
    }
    // A lopsided split must leave enough depth for both parts; halves always do.
    let fits = |left: usize| levels(left.max(count - left), leaf) < depth;
    match best.filter(|best| fits(best.left)) {
        Some(best) => {
            spare.clear();
            spare.extend(items.iter().filter(|item| !best.bins.before(item)));
            let mut left = 0;
            for i in 0..count {
                if best.bins.before(&items[i]) {
                    items[left] = items[i];
                    left += 1;
                }
            }
            items[left..].copy_from_slice(spare);
            Some(left)
        }
        None => {
            let axis = (centres.hi - centres.lo).max_position();
            let key = |item: &Item| item.centre()[axis];
            items.sort_unstable_by(|a, b| key(a).total_cmp(&key(b)).then(a.id.cmp(&b.id)));
            Some(count / 2)
        }
    }
}

/// What it costs to try so many items where a ray meets the box: one each.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn cost(bounds: Bounds, count: usize) -> f32 {
    bounds.area() * count as f32
}

/// Bins along one axis, and the first bin of the second part.
#[derive(Clone, Copy)]
struct Bins {
    axis: usize,
    from: f32,
    scale: f32,
    border: usize,
}

impl Bins {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to the last bin")]
    fn of(&self, item: &Item) -> usize {
        (((item.centre()[self.axis] - self.from) * self.scale) as usize).min(BINS - 1)
    }

    fn before(&self, item: &Item) -> bool {
        self.of(item) < self.border
    }
}

struct Best {
    cost: f32,
    left: usize,
    bins: Bins,
}

/// The cheapest split between two bins of any axis; none where all centres are in one place.
fn cheapest(items: &[Item], centres: Bounds) -> Option<Best> {
    let mut best: Option<Best> = None;
    for axis in 0..3 {
        let (from, size) = (centres.lo[axis], centres.hi[axis] - centres.lo[axis]);
        #[expect(clippy::cast_precision_loss, reason = "a small whole number")]
        let scale = BINS as f32 / size;
        if !(size > 0.0 && scale.is_finite()) {
            continue;
        }
        let bins = Bins { axis, from, scale, border: 0 };
        let mut filled = [(Bounds::EMPTY, 0usize); BINS];
        for item in items {
            let bin = &mut filled[bins.of(item)];
            *bin = (bin.0.join(item.bounds), bin.1 + 1);
        }
        let add = |all: &mut (Bounds, usize), bin: &(Bounds, usize)| {
            *all = (all.0.join(bin.0), all.1 + bin.1);
            Some(*all)
        };
        let right: Vec<_> = filled.iter().rev().scan((Bounds::EMPTY, 0), add).collect();
        let left = filled.iter().scan((Bounds::EMPTY, 0), add);
        for (border, ((left, before), (right, after))) in (1..BINS).zip(left.zip(right.iter().rev().skip(1)))
        {
            if before == 0 || *after == 0 {
                continue;
            }
            let cost = cost(left, before) + cost(*right, *after);
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Best { cost, left: before, bins: Bins { border, ..bins } });
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::random::Random;

    /// Every item is in exactly one leaf, every box holds what is under it, and no leaf is too deep or too full.
    fn assert_whole(items: &[Item], nodes: &[Grown], leaf: usize, deepest: u32) {
        let mut seen = vec![0; items.len()];
        let mut todo = vec![(0u32, 0u32)];
        let mut visited = 0;
        while let Some((number, depth)) = todo.pop() {
            visited += 1;
            assert!(depth <= deepest, "node {number} is {depth} deep, allowed {deepest}");
            let held = |inner: Bounds, outer: Bounds| {
                inner.lo.cmpge(outer.lo).all() && inner.hi.cmple(outer.hi).all()
            };
            match nodes[number as usize] {
                Grown::Inner { bounds, children } => {
                    for child in children {
                        assert!(child > number, "depth first");
                        let (Grown::Inner { bounds: inner, .. } | Grown::Leaf { bounds: inner, .. }) =
                            nodes[child as usize];
                        assert!(held(inner, bounds), "child {child} sticks out of {number}");
                        todo.push((child, depth + 1));
                    }
                }
                Grown::Leaf { bounds, first, count } => {
                    assert!((1..=leaf).contains(&(count as usize)), "{count} in a leaf");
                    for item in &items[first as usize..(first + count) as usize] {
                        assert!(held(item.bounds, bounds), "item {} sticks out", item.id);
                        seen[item.id as usize] += 1;
                    }
                }
            }
        }
        assert_eq!(visited, nodes.len(), "every node is reached");
        assert!(seen.iter().all(|&times| times == 1), "every item in one leaf");
    }

    #[expect(clippy::cast_possible_truncation, reason = "test data")]
    fn scattered(count: usize, seed: u64, spread: impl Fn(f64) -> f64) -> Vec<Item> {
        let mut random = Random::new(seed);
        let mut point = || Vec3::from_array(std::array::from_fn(|_| spread(random.unit()) as f32));
        Item::list((0..count).map(|_| {
            let (at, size) = (point(), point() * 0.01);
            Bounds { lo: at, hi: at + size.abs() }
        }))
    }

    #[test]
    fn trees_hold_everything_once() {
        for (count, leaf) in [(1, 1), (2, 1), (3, 4), (5, 4), (17, 1), (1000, 4), (3000, 1)] {
            let mut items = scattered(count, count as u64, |unit| unit * 100.0);
            let nodes = grow(&mut items, leaf, 48);
            assert_whole(&items, &nodes, leaf, 48);
        }
        assert_eq!(levels(1, 4), 0);
        assert_eq!(levels(5, 4), 1);
        assert_eq!(levels(1 << 14, 4), 12);
    }

    #[test]
    fn depth_is_bounded_whatever_the_boxes_are() {
        // Sizes fall off by powers, so that the heuristic would cut off a few at a time.
        let steep = |unit: f64| (-70.0 * unit).exp();
        for (items, leaf, deepest) in [
            (scattered(4096, 5, steep), 4, 10),
            (scattered(4096, 6, steep), 1, 12),
            (scattered(2048, 7, |_| 1.0), 4, 9),
        ] {
            let mut items = items;
            let nodes = grow(&mut items, leaf, deepest);
            assert_whole(&items, &nodes, leaf, deepest);
        }
    }

    #[test]
    fn neighbours_come_together() {
        let mut items = scattered(4000, 9, |unit| unit);
        let nodes = grow(&mut items, 4, 48);
        let area = |node: &Grown| match node {
            Grown::Inner { bounds, .. } => bounds.area(),
            Grown::Leaf { bounds, count, .. } => bounds.area() * *count as f32,
        };
        let (Grown::Inner { bounds, .. } | Grown::Leaf { bounds, .. }) = nodes[0];
        let expected = nodes.iter().map(area).sum::<f32>() / bounds.area();
        // A random order of the leaves would come to hundreds.
        assert!(expected < 60.0, "a ray that meets the root is expected to try {expected} boxes and items");
    }
}
