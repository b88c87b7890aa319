//! Trees of boxes that rays walk. In: content, how it stands at the first frame, its bent strips at that frame. Out: one
//! list of nodes and one of triangle corners, ready for any device, with room for the tree of what moves, which is built
//! anew each frame, and the tree of what bends, whose boxes are.
//!
//! The list of nodes: the root of each mesh's tree, at the mesh's index; the rest of these trees; the tree of what stands
//! still; the tree of what moves; the tree of what bends. Trees of meshes are in the mesh's own space, over its finest
//! level; the others are relative to [`Trees::anchor`].

mod grow;

use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};

use super::{Content, Instance, Level, Moment, Placement};
use grow::{Grown, Item};

/// A node, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Node {
    /// Least corner of its box.
    pub lo: [f32; 3],
    /// The first child's index; in a leaf, [`Node::LEAF`] and its first triangle, or the instance; [`Node::NONE`] in the
    /// root of a tree that holds nothing.
    pub left: u32,
    /// Greatest corner of its box.
    pub hi: [f32; 3],
    /// The other child's index; in a leaf, how many triangles, or the root of the instance's mesh.
    pub right: u32,
}

impl Node {
    /// Marks a leaf in [`Node::left`].
    pub const LEAF: u32 = 1 << 31;

    /// No node.
    pub const NONE: u32 = u32::MAX;

    /// Whether it has no children.
    #[must_use]
    pub const fn is_leaf(&self) -> bool {
        self.left & Self::LEAF != 0
    }

    /// A leaf of a tree of instances.
    #[must_use]
    pub fn of_instance(bounds: Bounds, instance: u32, root: u32) -> Self {
        Self { lo: bounds.lo.to_array(), left: Self::LEAF | instance, hi: bounds.hi.to_array(), right: root }
    }

    /// Its box.
    #[must_use]
    pub const fn bounds(&self) -> Bounds {
        Bounds { lo: Vec3::from_array(self.lo), hi: Vec3::from_array(self.hi) }
    }
}

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Its least corner.
    pub lo: Vec3,
    /// Its greatest corner.
    pub hi: Vec3,
}

impl Bounds {
    /// Holds nothing; joined with a box it is that box.
    pub const EMPTY: Self = Self { lo: Vec3::INFINITY, hi: Vec3::NEG_INFINITY };

    /// The least box that holds both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The least box that holds these points.
    #[must_use]
    pub fn of(points: &[Vec3]) -> Self {
        points.iter().fold(Self::EMPTY, |all, &point| all.join(Self { lo: point, hi: point }))
    }

    /// Half its surface.
    fn area(self) -> f32 {
        let size = self.hi - self.lo;
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// A triangle's corner, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Corner {
    /// In the mesh; of a bent triangle relative to [`Trees::anchor`].
    pub place: [f32; 3],
    /// Its normal in eight bits an axis, as WGSL's `unpack4x8snorm` reads it: an instance's inflation moves the corner
    /// along it.
    pub normal: u32,
}

impl Corner {
    fn of(place: [f32; 3], normal: [f32; 3]) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "components of a unit vector times 127")]
        let bytes = normal.map(|part| ((part * 127.0).round() as i8).cast_unsigned());
        Self { place, normal: u32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]) }
    }

    /// Its normal as rays see it.
    #[must_use]
    pub fn unpacked(&self) -> Vec3 {
        let [x, y, z, _] = self.normal.to_le_bytes().map(|byte| f32::from(byte.cast_signed()) / 127.0);
        Vec3::new(x, y, z)
    }
}

/// The most instances: an index of 18 bits, which leaves 14 of a word for a triangle of the instance.
pub const MOST_INSTANCES: usize = 1 << 18;

/// The most triangles of a mesh's finest level: an index of 14 bits, so that instance and triangle fit a word.
pub const MOST_TRIANGLES: usize = 1 << 14;

/// Triangles in a leaf.
const LEAF_TRIANGLES: usize = 4;

/// Edges from the root of a mesh's tree to its deepest leaf. With four triangles a leaf, a balanced tree takes 14.
pub const MESH_DEPTH: u32 = 16;

/// Edges from the root of a tree of instances, or of what bends, to its deepest leaf: as deep as a radix tree over keys
/// of 30 bits and 18 bits of index can be. A walk puts off one node an edge, so [`STACK`] is enough for every content.
pub const TREE_DEPTH: u32 = 48;

/// Nodes that a walk may have put off: in WGSL the length of its stack.
pub const STACK: usize = (MESH_DEPTH + TREE_DEPTH) as usize;

/// Edge of the cells that the anchor is rounded down to.
const CELL: f64 = 64.0;

/// All trees of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Trees {
    /// See the head of this file.
    pub nodes: Vec<Node>,
    /// Three for each triangle, in the order of the leaves; those of bent triangles at the end.
    pub corners: Vec<Corner>,
    /// The vertices of each bent triangle, in the order of the leaves.
    pub bent: Vec<[u32; 3]>,
    /// The parent of each node of the tree of what bends, both counted from its root; [`Node::NONE`] for the root.
    pub bent_parents: Vec<u32>,
    /// Where all trees but those of meshes have their origin in the world: moderate numbers keep their last bits.
    pub anchor: [f32; 3],
    /// Roots of what stands still, what moves, what bends; [`Node::NONE`] for one that the scene has not.
    pub roots: [u32; 3],
}

impl Trees {
    /// The trees of this content; `bent` is where its strips' vertices are at the moment.
    ///
    /// # Errors
    /// More instances or triangles than the numbers have bits for, a stretch that is not above zero, an index that leads
    /// nowhere.
    pub fn of(content: &Content, moment: &Moment, bent: &[Vec3]) -> Result<Self, String> {
        check(content)?;
        let anchor = (moment.camera.eye / CELL).floor() * CELL;
        let mut all = Self {
            nodes: vec![Node::zeroed(); content.meshes.meshes.len()],
            corners: Vec::new(),
            bent: Vec::new(),
            bent_parents: Vec::new(),
            anchor: anchor.as_vec3().to_array(),
            roots: [Node::NONE; 3],
        };
        for (number, mesh) in content.meshes.meshes.iter().enumerate() {
            let level = mesh.levels.first().ok_or_else(|| format!("mesh {number} has no levels"))?;
            all.add_mesh(content, number, level)?;
        }
        all.roots[0] = all.add_still(content);
        all.roots[1] = all.add_room(content.moving);
        all.roots[2] = all.add_bent(content, bent)?;
        Ok(all)
    }

    /// How many nodes the tree of what bends has.
    #[must_use]
    pub const fn bent_nodes(&self) -> usize {
        self.bent_parents.len()
    }

    fn add_mesh(&mut self, content: &Content, number: usize, level: &Level) -> Result<(), String> {
        let meshes = &content.meshes;
        let first = level.first_index as usize;
        let indices = meshes.indices.get(first..first + level.indices as usize).unwrap_or_default();
        let mut triangles = Vec::with_capacity(indices.len() / 3);
        for triangle in indices.as_chunks::<3>().0 {
            let corner = |index: u32| {
                let vertex = i64::from(index) + i64::from(level.base_vertex);
                usize::try_from(vertex).ok().and_then(|vertex| meshes.vertices.get(vertex))
            };
            let [Some(a), Some(b), Some(c)] = triangle.map(corner) else {
                return Err(format!(
                    "mesh {number} has a triangle {triangle:?}; there are {} vertices",
                    meshes.vertices.len()
                ));
            };
            triangles.push([a, b, c].map(|vertex| Corner::of(vertex.position, vertex.normal)));
        }
        if !(1..=MOST_TRIANGLES).contains(&triangles.len()) {
            return Err(format!(
                "mesh {number} has {} triangles in its finest level; allowed: 1 to {MOST_TRIANGLES}",
                triangles.len()
            ));
        }
        let bounds =
            |corners: &[Corner; 3]| Bounds::of(&corners.map(|corner| Vec3::from_array(corner.place)));
        let mut items: Vec<Item> = Item::list(triangles.iter().map(bounds));
        let grown = grow::grow(&mut items, LEAF_TRIANGLES, MESH_DEPTH);
        let first = index(self.corners.len() / 3);
        self.corners.extend(items.iter().flat_map(|item| triangles[item.id as usize]));
        let rest = index(self.nodes.len());
        // The root lies apart from the others, at the mesh's own index.
        let place = |node: u32| if node == 0 { index(number) } else { rest + node - 1 };
        let mut nodes = grown.iter().map(|node| node.placed(place, |leaf, count| (first + leaf, count)));
        self.nodes[number] = nodes.next().unwrap_or_else(Node::zeroed);
        self.nodes.extend(nodes);
        Ok(())
    }

    fn add_still(&mut self, content: &Content) -> u32 {
        let still = &content.instances[content.moving..];
        if still.is_empty() {
            return Node::NONE;
        }
        let bounds = |(instance, at): (&Instance, &Placement)| {
            placed(instance, at, self.nodes[instance.mesh as usize].bounds(), Vec3::from_array(self.anchor))
        };
        let mut items = Item::list(still.iter().zip(&content.placements).map(bounds));
        let grown = grow::grow(&mut items, 1, TREE_DEPTH);
        let root = index(self.nodes.len());
        let leaf = |place: u32, _| {
            let id = items[place as usize].id as usize + content.moving;
            (index(id), content.instances[id].mesh)
        };
        self.nodes.extend(grown.iter().map(|node| node.placed(|node| root + node, leaf)));
        root
    }

    /// Room for a tree over `leaves` that is built on the device.
    fn add_room(&mut self, leaves: usize) -> u32 {
        if leaves == 0 {
            return Node::NONE;
        }
        let root = index(self.nodes.len());
        self.nodes.resize(self.nodes.len() + 2 * leaves - 1, Node::zeroed());
        // Until the device has built it, it holds nothing.
        self.nodes[root as usize].left = Node::NONE;
        root
    }

    fn add_bent(&mut self, content: &Content, bent: &[Vec3]) -> Result<u32, String> {
        let triangles = content.strip_indices.as_chunks::<3>().0;
        if triangles.is_empty() {
            return Ok(Node::NONE);
        }
        let bounds = triangles.iter().map(|corners| {
            let corner = |vertex: u32| bent.get(vertex as usize).copied();
            match corners.map(corner) {
                [Some(a), Some(b), Some(c)] => Ok(Bounds::of(&[a, b, c])),
                _ => Err(format!("a strip's triangle {corners:?}; there are {} vertices", bent.len())),
            }
        });
        let bounds: Vec<Bounds> = bounds.collect::<Result<_, _>>()?;
        let mut items = Item::list(on_a_grid(&bounds));
        let grown = grow::grow(&mut items, LEAF_TRIANGLES, TREE_DEPTH);
        let (root, first) = (index(self.nodes.len()), index(self.corners.len() / 3));
        let nodes =
            grown.iter().map(|node| node.placed(|node| root + node, |leaf, count| (first + leaf, count)));
        self.nodes.extend(nodes);
        self.bent_parents = vec![Node::NONE; grown.len()];
        for (number, node) in (0u32..).zip(&grown) {
            if let Grown::Inner { children, .. } = node {
                children.iter().for_each(|&child| self.bent_parents[child as usize] = number);
            }
        }
        self.bent = items.iter().map(|item| triangles[item.id as usize]).collect();
        self.corners.resize(self.corners.len() + 3 * triangles.len(), Corner::zeroed());
        Ok(root)
    }
}

/// Whether the numbers have bits for this content, and rays can be taken into every mesh's space.
fn check(content: &Content) -> Result<(), String> {
    let instances = content.instances.len();
    if instances > MOST_INSTANCES {
        return Err(format!("{instances} instances; allowed: at most {MOST_INSTANCES}"));
    }
    for (id, instance) in content.instances.iter().enumerate() {
        if instance.mesh as usize >= content.meshes.meshes.len() {
            let meshes = content.meshes.meshes.len();
            return Err(format!("instance {id} is of mesh {}; the scene has {meshes}", instance.mesh));
        }
        if !instance.stretch.iter().all(|&part| part > 0.0) {
            return Err(format!("instance {id} is stretched by {:?}; allowed: above 0", instance.stretch));
        }
    }
    Ok(())
}

/// Box of an instance relative to `anchor`, from the box of its mesh: the same formula as in
/// `pass/dynamic_tlas_build.wgsl`.
#[must_use]
pub fn placed(instance: &Instance, at: &Placement, mesh: Bounds, anchor: Vec3) -> Bounds {
    let scale = Vec3::from_array(instance.stretch) * at.radius;
    let half = (mesh.hi - mesh.lo) * 0.5 * scale + instance.inflate;
    let turn = Quat::from_array(at.rotation);
    let middle = turned(turn, (mesh.hi + mesh.lo) * 0.5 * scale) + (Vec3::from_array(at.position) - anchor);
    let reach = turned(turn, Vec3::X).abs() * half.x
        + turned(turn, Vec3::Y).abs() * half.y
        + turned(turn, Vec3::Z).abs() * half.z;
    // A few roundings' worth wider, so that no corner sticks out.
    let reach = reach + (reach + middle.abs()) * 1e-6;
    Bounds { lo: middle - reach, hi: middle + reach }
}

/// `v` turned by the unit quaternion `q`, as `shared/scene.wgsl` does it.
#[must_use]
pub fn turned(q: Quat, v: Vec3) -> Vec3 {
    let axis = Vec3::new(q.x, q.y, q.z);
    let t = 2.0 * axis.cross(v);
    v + q.w * t + axis.cross(t)
}

/// The boxes in whole steps of a coarse grid: strips are bent with the platform's sines, and a last bit must not decide
/// the shape of the tree.
fn on_a_grid(bounds: &[Bounds]) -> impl Iterator<Item = Bounds> {
    const STEPS: f32 = 2048.0;
    let all = bounds.iter().fold(Bounds::EMPTY, |all, &one| all.join(one));
    let size = (all.hi - all.lo).max_element().max(f32::MIN_POSITIVE);
    let step = move |point: Vec3| ((point - all.lo) * (STEPS / size)).round();
    bounds.iter().map(move |one| Bounds { lo: step(one.lo), hi: step(one.hi) })
}

#[expect(clippy::cast_possible_truncation, reason = "limits of content keep every list far below 2^31")]
const fn index(n: usize) -> u32 {
    debug_assert!(n < 1 << 31, "an index of the trees fits 31 bits");
    n as u32
}
