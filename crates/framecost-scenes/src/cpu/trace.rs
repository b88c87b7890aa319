//! Rays through the trees of boxes, step for step as in `shared/bvh.wgsl`. A GPU may fuse products with sums, so distances
//! differ in their last bits, and a ray that grazes an edge may go either way.

use glam::{Quat, Vec3};

use crate::scene::bvh::{Bounds, Corner, Node, STACK, turned};
use crate::scene::{Instance, Placement};

/// What rays meet: the trees as they are in a frame.
#[derive(Clone, Copy, Debug)]
pub struct Traced<'a> {
    /// All nodes, those of the frame among them.
    pub nodes: &'a [Node],
    /// All corners, those of the frame among them.
    pub corners: &'a [Corner],
    /// What instances are.
    pub instances: &'a [Instance],
    /// Where they stand.
    pub placements: &'a [Placement],
    /// Origin of the trees in the world.
    pub anchor: [f32; 3],
    /// Roots of what stands still, what moves, what bends.
    pub roots: [u32; 3],
}

/// A ray; its origin is relative to the anchor, its direction of unit length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Its way.
    pub direction: Vec3,
    /// What lies farther is not met.
    pub most: f32,
}

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Struck {
    /// Whose triangle; [`Node::NONE`] for what bends.
    pub instance: u32,
    /// Three times this is its first corner.
    pub triangle: u32,
    /// How far along the ray.
    pub distance: f32,
}

/// Beyond every distance.
const FAR: f32 = 3.0e38;

/// Neighbouring triangles share this much of an edge, so that no ray slips through between them.
const OVERLAP: f32 = 1e-5;

/// A ray in the space of a tree.
#[derive(Clone, Copy)]
struct Local {
    origin: Vec3,
    direction: Vec3,
    inverse: Vec3,
    /// How far inflation moves a corner, for each unit of its normal.
    pad: Vec3,
}

impl Local {
    fn of(origin: Vec3, direction: Vec3, pad: Vec3) -> Self {
        // Finite, since products of zero with infinity would be neither in nor out.
        let safe = |part: f32| if part.abs() < 1e-20 { 1e-20 } else { part };
        let inverse = Vec3::from_array(direction.to_array().map(|part| 1.0 / safe(part)));
        Self { origin, direction, inverse, pad }
    }

    /// Where it enters the box; [`FAR`] if it does not before `most`.
    fn entry(&self, bounds: Bounds, most: f32) -> f32 {
        let a = (bounds.lo - self.pad - self.origin) * self.inverse;
        let b = (bounds.hi + self.pad - self.origin) * self.inverse;
        let near = a.min(b).max_element().max(0.0);
        // Wider by the roundings on the way (Ize 2013), so that no box is missed by a last bit.
        let far = a.max(b).min_element().min(most) * 1.000_000_5;
        if near <= far { near } else { FAR }
    }

    /// Where it meets a triangle before `most` (Möller and Trumbore 1997); [`FAR`] if it does not. Both sides count.
    fn crossing(&self, corners: &[Corner], most: f32) -> f32 {
        let place = |corner: &Corner| Vec3::from_array(corner.place) + corner.unpacked() * self.pad;
        let [a, b, c] = [0, 1, 2].map(|i| place(&corners[i]));
        let (ab, ac) = (b - a, c - a);
        let p = self.direction.cross(ac);
        let volume = ab.dot(p);
        if volume == 0.0 {
            return FAR;
        }
        let to = self.origin - a;
        let u = to.dot(p) / volume;
        let q = to.cross(ab);
        let v = self.direction.dot(q) / volume;
        let distance = ac.dot(q) / volume;
        let inside = u >= -OVERLAP && v >= -OVERLAP && u + v <= 1.0 + OVERLAP;
        if inside && distance > 0.0 && distance < most { distance } else { FAR }
    }
}

impl Traced<'_> {
    /// The nearest triangle on the ray.
    #[must_use]
    pub fn closest(&self, ray: &Ray) -> Option<Struck> {
        self.roots.iter().fold(None, |best: Option<Struck>, &root| {
            let most = best.map_or(ray.most, |struck| struck.distance);
            self.walk(root, &Ray { most, ..*ray }, false).or(best)
        })
    }

    /// Whether anything is on the ray.
    #[must_use]
    pub fn occluded(&self, ray: &Ray) -> bool {
        self.roots.iter().any(|&root| self.walk(root, ray, true).is_some())
    }

    /// The nearest triangle of one tree; any, if `any` is enough.
    fn walk(&self, root: u32, ray: &Ray, any: bool) -> Option<Struck> {
        let mut here = *self.nodes.get(root as usize).filter(|node| node.left != Node::NONE)?;
        let outer = Local::of(ray.origin, ray.direction, Vec3::ZERO);
        let (mut local, mut most, mut best) = (outer, ray.most, None);
        // Leaves of the tree of what bends hold triangles at once; those of the others hold trees.
        let mut deep = root == self.roots[2];
        let mut instance = Node::NONE;
        let mut stack: Vec<u32> = Vec::with_capacity(STACK);
        let mut floor = 0;
        loop {
            if !here.is_leaf() {
                let [left, right] = [here.left, here.right].map(|child| self.nodes[child as usize]);
                let (to_left, to_right) =
                    (local.entry(left.bounds(), most), local.entry(right.bounds(), most));
                if to_left.min(to_right) < FAR {
                    let right_first = to_right < to_left;
                    if to_left.max(to_right) < FAR {
                        stack.push(if right_first { here.left } else { here.right });
                    }
                    here = if right_first { right } else { left };
                    continue;
                }
            } else if deep {
                let first = here.left & !Node::LEAF;
                for triangle in first..first + here.right {
                    let corners = &self.corners[3 * triangle as usize..];
                    let distance = local.crossing(corners, most);
                    if distance < FAR {
                        best = Some(Struck { instance, triangle, distance });
                        most = distance;
                        if any {
                            return best;
                        }
                    }
                }
            } else {
                instance = here.left & !Node::LEAF;
                local = self.entered(instance, ray);
                (deep, floor) = (true, stack.len());
                here = self.nodes[here.right as usize];
                continue;
            }
            // All that was put off inside the instance is done: the ray is outside again.
            if deep && stack.len() == floor {
                (deep, local) = (false, outer);
            }
            debug_assert!(stack.len() <= STACK, "the builders bound the depth of every tree");
            let Some(next) = stack.pop() else { return best };
            here = self.nodes[next as usize];
        }
    }

    /// The ray in the space of an instance's mesh. Its direction is not of unit length there, so that distances stay
    /// what they are.
    fn entered(&self, id: u32, ray: &Ray) -> Local {
        let (instance, at) = (&self.instances[id as usize], &self.placements[id as usize]);
        let scale = Vec3::from_array(instance.stretch) * at.radius;
        let [x, y, z, w] = at.rotation;
        let back = Quat::from_xyzw(-x, -y, -z, w);
        let from = ray.origin - (Vec3::from_array(at.position) - Vec3::from_array(self.anchor));
        Local::of(
            turned(back, from) / scale,
            turned(back, ray.direction) / scale,
            Vec3::splat(instance.inflate) / scale,
        )
    }
}
