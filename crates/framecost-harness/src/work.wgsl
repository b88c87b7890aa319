// work: rounds of integer arithmetic that depend on each other (Marsaglia, "Xorshift RNGs", 2003), so that no compiler
// takes them away or does them side by side. The results are kept, since work whose result nobody reads is not done.

@group(0) @binding(0) var<uniform> amount: vec4<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

@compute @workgroup_size(64)
fn work(@builtin(global_invocation_id) id: vec3<u32>) {
    var x = id.x + 1u;
    for (var i = 0u; i < amount.x; i++) {
        x ^= x << 13u;
        x ^= x >> 17u;
        x ^= x << 5u;
    }
    results[id.x] = x;
}
