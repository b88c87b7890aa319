//! dynamic_tlas_build, step by step: boxes of what moves, their codes, the order of the codes, the tree over that order.
//! Given the same codes and boxes, the tree is that of the GPU to the last bit.

use glam::Vec3;

use crate::scene::bvh::{Bounds, Node, placed};
use crate::scene::{Content, Placement};

/// Box of each instance that moves, relative to `anchor`; `nodes` begin with the roots of the meshes' trees.
#[must_use]
pub fn boxes(content: &Content, moving: &[Placement], nodes: &[Node], anchor: [f32; 3]) -> Vec<Bounds> {
    content
        .instances
        .iter()
        .zip(moving)
        .map(|(instance, at)| {
            placed(instance, at, nodes[instance.mesh as usize].bounds(), Vec3::from_array(anchor))
        })
        .collect()
}

/// Steps along an axis in a code.
const STEPS: f32 = 1024.0;

/// Code of each box: its centre along a curve through all of them (Morton 1966), ten bits an axis.
#[must_use]
pub fn codes(boxes: &[Bounds]) -> Vec<u32> {
    let middle = |one: &Bounds| (one.lo + one.hi) * 0.5;
    let all = boxes.iter().fold(Bounds::EMPTY, |all, one| all.join(Bounds::of(&[middle(one)])));
    let size = (all.hi - all.lo).max(Vec3::splat(1e-20));
    let code = |one: &Bounds| {
        let step =
            ((middle(one) - all.lo) * (STEPS / size)).clamp(Vec3::ZERO, Vec3::splat(STEPS - 1.0)).as_uvec3();
        (spread(step.x) << 2) | (spread(step.y) << 1) | spread(step.z)
    };
    boxes.iter().map(code).collect()
}

/// Ten bits with two zeros between each two.
const fn spread(bits: u32) -> u32 {
    let a = (bits | (bits << 16)) & 0x0300_00ff;
    let b = (a | (a << 8)) & 0x0300_f00f;
    let c = (b | (b << 4)) & 0x030c_30c3;
    (c | (c << 2)) & 0x0924_9249
}

/// The codes in ascending order, each with its instance; equal ones by their instance.
#[must_use]
pub fn sorted(codes: &[u32]) -> Vec<[u32; 2]> {
    let mut keys: Vec<[u32; 2]> = (0..).zip(codes).map(|(id, &code)| [code, id]).collect();
    keys.sort_unstable();
    keys
}

/// The tree over sorted keys (Karras 2012, Maximizing parallelism in the construction of BVHs, octrees, and k-d trees),
/// its root at node `root`: inner nodes, then leaves in the order of the keys.
#[must_use]
pub fn tree(root: u32, keys: &[[u32; 2]], boxes: &[Bounds], meshes: impl Fn(u32) -> u32) -> Vec<Node> {
    let leaf = |key: &[u32; 2]| Node::of_instance(boxes[key[1] as usize], key[1], meshes(key[1]));
    let leaves: Vec<Node> = keys.iter().map(leaf).collect();
    let children: Vec<[u32; 2]> = (1..keys.len()).map(|number| children(keys, number - 1)).collect();
    let mut nodes = Vec::new();
    for pair in &children {
        let [left, right] = pair.map(|child| root + child);
        nodes.push(Node { lo: [0.0; 3], left, hi: [0.0; 3], right });
    }
    nodes.extend(leaves);
    if !nodes.is_empty() {
        fit(&mut nodes, root);
    }
    nodes
}

/// Boxes of the inner nodes, children first.
fn fit(nodes: &mut [Node], root: u32) {
    let mut order = vec![0];
    let mut next = 0;
    while let Some(&number) = order.get(next) {
        let Node { left, right, .. } = nodes[number];
        if !nodes[number].is_leaf() {
            order.extend([left, right].map(|child| (child - root) as usize));
        }
        next += 1;
    }
    for number in order.into_iter().rev() {
        let node = nodes[number];
        if node.is_leaf() {
            continue;
        }
        let [left, right] = [node.left, node.right].map(|child| nodes[(child - root) as usize]);
        let bounds = left.bounds().join(right.bounds());
        (nodes[number].lo, nodes[number].hi) = (bounds.lo.to_array(), bounds.hi.to_array());
    }
}

/// Leading bits that two keys have in common, their places deciding where the codes are equal; -1 beyond the list.
fn common(keys: &[[u32; 2]], a: i64, b: i64) -> i64 {
    let key = |place: i64| usize::try_from(place).ok().and_then(|place| keys.get(place));
    match (key(a), key(b)) {
        (Some(one), Some(other)) if one[0] != other[0] => i64::from((one[0] ^ other[0]).leading_zeros()),
        (Some(_), Some(_)) => 32 + i64::from(((a ^ b) as u32).leading_zeros()),
        _ => -1,
    }
}

/// Children of inner node `number`, counted from the root: a leaf counts on behind the inner nodes.
fn children(keys: &[[u32; 2]], number: usize) -> [u32; 2] {
    let i = number as i64;
    let way = if common(keys, i, i + 1) > common(keys, i, i - 1) { 1 } else { -1 };
    let least = common(keys, i, i - way);
    let mut reach = 2;
    while common(keys, i, i + reach * way) > least {
        reach *= 2;
    }
    let mut length = 0;
    let mut step = reach / 2;
    while step > 0 {
        if common(keys, i, i + (length + step) * way) > least {
            length += step;
        }
        step /= 2;
    }
    let end = i + length * way;
    let shared = common(keys, i, end);
    let mut split = 0;
    let mut step = length;
    while step > 1 {
        step = (step + 1) / 2;
        if common(keys, i, i + (split + step) * way) > shared {
            split += step;
        }
    }
    let border = i + split * way + way.min(0);
    let inner = keys.len() as i64 - 1;
    let child = |at: i64, end: i64| if at == end { inner + at } else { at } as u32;
    [child(border, i.min(end)), child(border + 1, i.max(end))]
}
