// depth_pyramid: reduces depth to the farthest of each square, level by level. In: depth samples. Out: the pyramid as
// shared/pyramid.wgsl lays it out. Twin: cpu/depth_pyramid.rs.

@group(1) @binding(0) var depth: texture_depth_multisampled_2d;
@group(1) @binding(1) var<storage, read_write> pyramid: array<f32>;
// The level that a dispatch fills.
@group(1) @binding(2) var<uniform> filled: vec4<u32>;

@compute @workgroup_size(8, 8)
fn first(@builtin(global_invocation_id) id: vec3<u32>) {
    let size = level_size(0u);
    if any(id.xy >= size) {
        return;
    }
    let last = vec2<u32>(view.width, view.height) - 1u;
    var farthest = 1.0;
    for (var again = 0u; again < load(); again++) {
        for (var corner = 0u; corner < 4u; corner++) {
            let pixel = min(id.xy * 2u + vec2<u32>(corner & 1u, corner >> 1u), last);
            for (var i = 0u; i < SAMPLES; i++) {
                farthest = min(farthest, textureLoad(depth, pixel, i) + f32(again) * view.zero);
            }
        }
    }
    pyramid[id.y * size.x + id.x] = farthest;
}

@compute @workgroup_size(8, 8)
fn reduce(@builtin(global_invocation_id) id: vec3<u32>) {
    let level = filled.x;
    let size = level_size(level);
    if any(id.xy >= size) {
        return;
    }
    let finer = level_size(level - 1u);
    let base = level_start(level - 1u);
    let low = id.xy * 2u;
    let high = min(low + 1u, finer - 1u);
    let upper = min(pyramid[base + low.y * finer.x + low.x], pyramid[base + low.y * finer.x + high.x]);
    let lower = min(pyramid[base + high.y * finer.x + low.x], pyramid[base + high.y * finer.x + high.x]);
    pyramid[level_start(level) + id.y * size.x + id.x] = min(upper, lower);
}
