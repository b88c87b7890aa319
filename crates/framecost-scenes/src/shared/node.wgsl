// A node of the trees that rays walk, as scene/bvh.rs describes it.

struct Node {
    lo: vec3<f32>,
    // The first child; in a leaf, LEAF and its first triangle, or the instance; NONE in the root of an empty tree.
    left: u32,
    hi: vec3<f32>,
    // The other child; in a leaf, how many triangles, or the root of the instance's mesh.
    right: u32,
}

struct Corner {
    place: vec3<f32>,
    // Eight bits an axis.
    normal: u32,
}

const LEAF: u32 = 0x80000000u;
const NONE: u32 = 0xffffffffu;
