//! blas_refit: the boxes of the tree of what bends, and the corners of its triangles, from where the bend pass left their
//! vertices. Boxes are least and greatest of the same numbers as on the GPU, hence equal to the last bit.

use glam::Vec3;

use crate::scene::bvh::{Bounds, Corner, Node, Trees};

/// Writes them into the trees; `bent` is every strip vertex in the world.
pub fn blas_refit(trees: &mut Trees, bent: &[Vec3]) {
    let root = trees.roots[2];
    if root == Node::NONE {
        return;
    }
    let anchor = Vec3::from_array(trees.anchor);
    let first_corner = trees.corners.len() - 3 * trees.bent.len();
    for (corner, &vertex) in trees.corners[first_corner..].iter_mut().zip(trees.bent.as_flattened()) {
        *corner = Corner { place: (bent[vertex as usize] - anchor).to_array(), normal: 0 };
    }
    // Children stand after their parents, so they are done first from the end.
    for number in (0..trees.bent_nodes()).rev().map(|number| root as usize + number) {
        let node = trees.nodes[number];
        let bounds = if node.is_leaf() {
            let first = 3 * (node.left & !Node::LEAF) as usize;
            let corners = &trees.corners[first..first + 3 * node.right as usize];
            corners
                .iter()
                .fold(Bounds::EMPTY, |all, corner| all.join(Bounds::of(&[Vec3::from_array(corner.place)])))
        } else {
            trees.nodes[node.left as usize].bounds().join(trees.nodes[node.right as usize].bounds())
        };
        (trees.nodes[number].lo, trees.nodes[number].hi) = (bounds.lo.to_array(), bounds.hi.to_array());
    }
}
