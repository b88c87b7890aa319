// blas_refit: fits the tree of what bends to where the bend pass left the vertices. In: bent vertices. Out: boxes of the
// tree's nodes, corners of its triangles. Twin: cpu/blas_refit.rs.

@group(1) @binding(2) var<storage, read> bent: array<Bent>;
// Three vertices for each triangle, in the order of the leaves.
@group(1) @binding(3) var<storage, read> triangles: array<u32>;
@group(1) @binding(4) var<storage, read_write> corners: array<Corner>;

// Bent triangles are the last.
fn first_corner() -> u32 {
    return arrayLength(&corners) - arrayLength(&triangles);
}

@compute @workgroup_size(64)
fn clear(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&fits) {
        cleared(id.x);
    }
}

@compute @workgroup_size(64)
fn leaves(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&fits) {
        return;
    }
    let node = view.roots.z + id.x;
    let left = nodes[node].left;
    if (left & LEAF) == 0u {
        return;
    }
    let first = 3u * (left & ~LEAF);
    var held = Box(vec3<f32>(3.0e38), vec3<f32>(-3.0e38));
    for (var corner = first; corner < first + 3u * nodes[node].right; corner++) {
        let vertex = bent[triangles[corner - first_corner()]];
        let place = vec3<f32>(vertex.x, vertex.y, vertex.z) - view.anchor;
        corners[corner] = Corner(place, 0u);
        held = Box(min(held.lo, place), max(held.hi, place));
    }
    nodes[node].lo = held.lo;
    nodes[node].hi = held.hi;
    climb(fits[id.x].parent, held);
}

@compute @workgroup_size(64)
fn finish(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&fits) {
        return;
    }
    let node = view.roots.z + id.x;
    if (nodes[node].left & LEAF) == 0u {
        let held = finished(id.x);
        nodes[node].lo = held.lo;
        nodes[node].hi = held.hi;
    }
}
