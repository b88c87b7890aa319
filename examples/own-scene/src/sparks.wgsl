// Sparks: a compute shader that places them at a moment, and a small triangle drawn for each.

struct Time {
    seconds: f32,
}

@group(0) @binding(0) var<uniform> time: Time;
@group(0) @binding(1) var<storage, read_write> moved: array<vec2f>;
@group(0) @binding(2) var<storage, read> sparks: array<vec2f>;

// A number from 0 to 1 that hangs on nothing but the seed (PCG, Jarzynski and Olano 2020).
fn random(seed: u32) -> f32 {
    let state = seed * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return f32((word >> 22u) ^ word) / 4294967296.0;
}

@compute @workgroup_size(64)
fn move_sparks(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= arrayLength(&moved) {
        return;
    }
    let angle = 6.2831853 * random(id.x) + time.seconds * (0.2 + random(id.x + 1000003u));
    let radius = sqrt(random(id.x + 2000003u));
    moved[id.x] = radius * vec2f(cos(angle), sin(angle));
}

@vertex
fn spark_corner(@builtin(vertex_index) corner: u32, @builtin(instance_index) spark: u32) -> @builtin(position) vec4f {
    let turn = 2.0943951 * f32(corner);
    return vec4f(sparks[spark] + 0.01 * vec2f(cos(turn), sin(turn)), 0.0, 1.0);
}

@fragment
fn spark_colour() -> @location(0) vec4f {
    return vec4f(1.0, 0.6, 0.2, 1.0);
}
