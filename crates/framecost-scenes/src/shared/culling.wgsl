// What both phases of culling share: the draws, their lists, and whether the depth pyramid hides a ball.
// Twin: cpu/culling.rs.

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

// What the first phase put off, for the second to look at again.
struct Later {
    count: atomic<u32>,
    ids: array<u32>,
}

@group(1) @binding(0) var<storage, read> meshes: array<MeshEntry>;
// Where each draw's list of ids begins.
@group(1) @binding(1) var<storage, read> lists: array<u32>;
// The first phase's draws, then as many of the second.
@group(1) @binding(2) var<storage, read_write> draws: array<Draw>;
@group(1) @binding(3) var<storage, read_write> visible: array<u32>;
@group(1) @binding(4) var<storage, read_write> later: Later;
@group(1) @binding(5) var<storage, read> pyramid: array<f32>;

struct Eye {
    position: vec3<f32>,
    right: vec3<f32>,
    up: vec3<f32>,
    forward: vec3<f32>,
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

// From the middle to the edges of the image: -1 to 1, of an interval at some distance from the eye's plane.
fn across(middle: f32, bound: f32, near: f32, far: f32, half_size: f32) -> vec2<f32> {
    let low = min((middle - bound) / near, (middle - bound) / far);
    let high = max((middle + bound) / near, (middle + bound) / far);
    return vec2<f32>(low, high) / half_size;
}

// The pixels that an interval from -1 to 1 covers, one more to each side, within the image.
fn pixels(interval: vec2<f32>, size: u32) -> vec2<u32> {
    let at = (interval * 0.5 + 0.5) * f32(size) + vec2<f32>(-1.0, 1.0);
    return vec2<u32>(clamp(at, vec2<f32>(0.0), vec2<f32>(f32(size - 1u))));
}

// Whether everything that a ball could show lies behind the pyramid's depth, which `eye` saw. Never true for a ball of
// which any sample could be seen: its nearest point is held against the farthest depth of all pixels that it may cover.
fn hidden(eye: Eye, centre: vec3<f32>, bound: f32) -> bool {
    let to = centre - eye.position;
    let middle = dot(to, eye.forward);
    let near = middle - bound;
    if near <= view.near {
        return false;
    }
    let x = pixels(across(dot(to, eye.right), bound, near, middle + bound, view.half_width), view.width);
    let down = -dot(to, eye.up);
    let y = pixels(across(down, bound, near, middle + bound, view.half_height), view.height);
    // The finest level at which the ball covers two texels at most in each direction.
    var level = 0u;
    for (; level + 1u < level_count(); level++) {
        if (x.y >> (level + 1u)) - (x.x >> (level + 1u)) <= 1u && (y.y >> (level + 1u)) - (y.x >> (level + 1u)) <= 1u {
            break;
        }
    }
    let start = level_start(level);
    let row = level_size(level).x;
    let low = vec2<u32>(x.x, y.x) >> vec2<u32>(level + 1u);
    let high = vec2<u32>(x.y, y.y) >> vec2<u32>(level + 1u);
    let upper = min(pyramid[start + low.y * row + low.x], pyramid[start + low.y * row + high.x]);
    let lower = min(pyramid[start + high.y * row + low.x], pyramid[start + high.y * row + high.x]);
    // Depth is reversed; a ball a little nearer than it is stays in sight in spite of rounding.
    return view.near / near * 1.0001 < min(upper, lower);
}

fn level_of_detail(entry: MeshEntry, centre: vec3<f32>, bound: f32) -> u32 {
    let to = centre - view.eye;
    let distance_squared = to.x * to.x + to.y * to.y + to.z * to.z;
    var found = 0u;
    for (var i = 0u; i + 1u < entry.levels; i++) {
        let border = entry.borders[i];
        found += select(0u, 1u, bound * bound < border * border * distance_squared);
    }
    return found;
}

fn draw_in(phase: u32, id: u32, bound: f32) {
    let entry = meshes[instances[id].mesh];
    let level = level_of_detail(entry, placements[id].position, bound);
    let draw = phase * (arrayLength(&draws) / 2u) + entry.first_draw + level;
    let slot = atomicAdd(&draws[draw].instances, 1u);
    visible[lists[draw] + slot] = id;
}
