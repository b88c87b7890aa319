// froxel: lists the lights that reach into each cell of the view's volume. In: lights. Out: lists as shared/froxel.wgsl
// lays them out, in ascending order, and how often a list was full. Twin: cpu/froxel.rs.

@group(1) @binding(0) var<storage, read_write> light_lists: array<u32>;
@group(1) @binding(1) var<storage, read_write> full: atomic<u32>;

// A cell is taken a little larger than it is, so that no rounding parts a light from what it lights.
const SLACK: f32 = 1.002;

struct Box {
    low: vec3<f32>,
    high: vec3<f32>,
}

// The cell as a box along the camera's axes: right, up, ahead.
fn box_of(cell: vec3<u32>) -> Box {
    var near = 0.0;
    var far = 1e30;
    if cell.z > 0u {
        near = slice_start(cell.z) / SLACK;
    }
    if cell.z + 1u < CELLS.z {
        far = slice_start(cell.z + 1u) * SLACK;
    }
    let size = vec2<f32>(CELLS.xy);
    let left_top = vec2<f32>(cell.xy) / size * 2.0 - 1.0;
    let right_bottom = vec2<f32>(cell.xy + 1u) / size * 2.0 - 1.0;
    let half_size = vec2<f32>(view.half_width, view.half_height);
    let low = vec2<f32>(left_top.x, -right_bottom.y) * half_size;
    let high = vec2<f32>(right_bottom.x, -left_top.y) * half_size;
    let wide = 0.002 * half_size;
    return Box(
        vec3<f32>(min((low - wide) * near, (low - wide) * far), near),
        vec3<f32>(max((high + wide) * near, (high + wide) * far), far),
    );
}

fn reaches(light: Light, cell: Box) -> bool {
    let to = light.position - view.eye;
    let centre = vec3<f32>(dot(to, view.right), dot(to, view.up), dot(to, view.forward));
    let off = centre - clamp(centre, cell.low, cell.high);
    return dot(off, off) <= light.reach * light.reach * SLACK;
}

@compute @workgroup_size(1)
fn reset() {
    atomicStore(&full, 0u);
}

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= CELLS.x * CELLS.y * CELLS.z {
        return;
    }
    let cell = vec3<u32>(id.x % CELLS.x, id.x / CELLS.x % CELLS.y, id.x / (CELLS.x * CELLS.y));
    let around = box_of(cell);
    let list = list_of(id.x);
    var count = 0u;
    for (var again = 0u; again < load(); again++) {
        count = 0u;
        for (var i = 0u; i < view.lights; i++) {
            var light = lights[i];
            light.reach += f32(again) * view.zero;
            if reaches(light, around) {
                if count < MOST_LIGHTS {
                    light_lists[list + 1u + count] = i;
                }
                count++;
            }
        }
    }
    if count > MOST_LIGHTS {
        atomicAdd(&full, 1u);
    }
    light_lists[list] = min(count, MOST_LIGHTS);
}
