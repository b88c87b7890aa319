// Fits boxes around what is under each node of a tree, from all leaves at once. In: group 1 with nodes and fits, each
// node's parent. Out: `climb`, which carries a leaf's box to the root, and `finished`, which reads what came of it.
//
// Boxes meet in atomics, since nothing else that one workgroup writes is seen by another in the same dispatch. A float is
// kept as a code whose order as an unsigned number is the float's order.
//
// A leaf may stop at a node that its box does not change. For each of the six numbers of a node's box: whoever changed it
// there goes on and offers the same number to the parent. So when all have stopped, the parent holds every number that
// was ever kept in its children, hence their last ones; and it holds nothing else. By the way from the leaves up, every
// node's box is that of all leaves under it, whoever came first.

struct Fit {
    // Counted from the root; NONE for the root.
    parent: u32,
    lo_x: atomic<u32>,
    lo_y: atomic<u32>,
    lo_z: atomic<u32>,
    hi_x: atomic<u32>,
    hi_y: atomic<u32>,
    hi_z: atomic<u32>,
}

@group(1) @binding(0) var<storage, read_write> nodes: array<Node>;
@group(1) @binding(1) var<storage, read_write> fits: array<Fit>;

struct Box {
    lo: vec3<f32>,
    hi: vec3<f32>,
}

fn codes(v: vec3<f32>) -> vec3<u32> {
    let bits = bitcast<vec3<u32>>(v);
    return select(bits | vec3<u32>(0x80000000u), ~bits, bits >= vec3<u32>(0x80000000u));
}

fn floats(code: vec3<u32>) -> vec3<f32> {
    return bitcast<vec3<f32>>(select(~code, code & vec3<u32>(0x7fffffffu), code >= vec3<u32>(0x80000000u)));
}

// A box that holds nothing.
fn cleared(place: u32) {
    atomicStore(&fits[place].lo_x, 0xffffffffu);
    atomicStore(&fits[place].lo_y, 0xffffffffu);
    atomicStore(&fits[place].lo_z, 0xffffffffu);
    atomicStore(&fits[place].hi_x, 0u);
    atomicStore(&fits[place].hi_y, 0u);
    atomicStore(&fits[place].hi_z, 0u);
}

// Carries a box from `place` to the root, as long as it changes anything.
fn climb(place: u32, held: Box) {
    let lo = codes(held.lo);
    let hi = codes(held.hi);
    var at = place;
    while at != NONE {
        let low = vec3<u32>(
            atomicMin(&fits[at].lo_x, lo.x),
            atomicMin(&fits[at].lo_y, lo.y),
            atomicMin(&fits[at].lo_z, lo.z),
        );
        let high = vec3<u32>(
            atomicMax(&fits[at].hi_x, hi.x),
            atomicMax(&fits[at].hi_y, hi.y),
            atomicMax(&fits[at].hi_z, hi.z),
        );
        if all(low <= lo) && all(high >= hi) {
            break;
        }
        at = fits[at].parent;
    }
}

// The box that has come together at `place`.
fn finished(place: u32) -> Box {
    let lo = vec3<u32>(atomicLoad(&fits[place].lo_x), atomicLoad(&fits[place].lo_y), atomicLoad(&fits[place].lo_z));
    let hi = vec3<u32>(atomicLoad(&fits[place].hi_x), atomicLoad(&fits[place].hi_y), atomicLoad(&fits[place].hi_z));
    return Box(floats(lo), floats(hi));
}
