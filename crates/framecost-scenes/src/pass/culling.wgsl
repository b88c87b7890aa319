// culling: leaves out what the camera cannot see and picks levels of detail. In: instances, placements. Out: the ids to
// draw, a list per draw, and how long each list is. Twin: cpu/culling.rs.

struct MeshEntry {
    // The draw of its finest level; coarser ones follow.
    first_draw: u32,
    levels: u32,
    // Level i is left for the next where radius / distance falls below borders[i].
    borders: array<f32, 6>,
}

// As the device reads it for an indexed indirect draw.
struct Draw {
    indices: u32,
    instances: atomic<u32>,
    first_index: u32,
    base_vertex: i32,
    first_instance: u32,
}

@group(1) @binding(0) var<storage, read> meshes: array<MeshEntry>;
// Where each draw's list of ids begins.
@group(1) @binding(1) var<storage, read> lists: array<u32>;
@group(1) @binding(2) var<storage, read_write> draws: array<Draw>;
@group(1) @binding(3) var<storage, read_write> visible: array<u32>;

@compute @workgroup_size(64)
fn reset(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&draws) {
        atomicStore(&draws[id.x].instances, 0u);
    }
}

// The sums are written out, so that the twin can add in the same order.
fn outside(centre: vec3<f32>, bound: f32) -> bool {
    var out = false;
    for (var i = 0u; i < 5u; i++) {
        let plane = view.planes[i];
        out = out || plane.x * centre.x + plane.y * centre.y + plane.z * centre.z + plane.w < -bound;
    }
    return out;
}

fn level(entry: MeshEntry, centre: vec3<f32>, bound: f32) -> u32 {
    let to = centre - view.eye;
    let distance_squared = to.x * to.x + to.y * to.y + to.z * to.z;
    var found = 0u;
    for (var i = 0u; i + 1u < entry.levels; i++) {
        let border = entry.borders[i];
        found += select(0u, 1u, bound * bound < border * border * distance_squared);
    }
    return found;
}

@compute @workgroup_size(64)
fn cull(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= view.instances {
        return;
    }
    let at = placements[id.x];
    let entry = meshes[instances[id.x].mesh];
    let bound = bound(id.x);
    var left_out = false;
    var draw = 0u;
    for (var i = 0u; i < load(); i++) {
        let centre = at.position + vec3<f32>(f32(i) * view.zero);
        left_out = left_out || (is_on(CULLING) && outside(centre, bound));
        draw = max(draw, entry.first_draw + level(entry, centre, bound));
    }
    if !left_out {
        let slot = atomicAdd(&draws[draw].instances, 1u);
        visible[lists[draw] + slot] = id.x;
    }
}
