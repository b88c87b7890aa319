// Arithmetic whose amount is known and that no compiler can leave out: each round needs the one before.

@group(0) @binding(0) var<uniform> rounds: vec4<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

// A linear congruential step (Knuth's MMIX-style constants for 32 bits).
fn churn(seed: u32) -> u32 {
    var x = seed;
    for (var i = 0u; i < rounds.x; i++) {
        x = x * 1664525u + 1013904223u;
    }
    return x;
}

@compute @workgroup_size(64)
fn compute(@builtin(global_invocation_id) id: vec3<u32>) {
    results[id.x & 0x3fffu] = churn(id.x);
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // One triangle over the whole target.
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.5, 1.0);
}

@fragment
fn shade(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let x = churn(u32(at.x) + u32(at.y) * 4096u);
    return vec4<f32>(f32(x & 1u) * 0.001);
}
