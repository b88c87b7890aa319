// Noise from integer hashes: the same on every adapter up to rounding.

fn hash3(cell: vec3<i32>) -> u32 {
    // One round of PCG (O'Neill 2014) over a mix of the coordinates.
    let mixed = bitcast<vec3<u32>>(cell) * vec3<u32>(73856093u, 19349663u, 83492791u);
    let state = (mixed.x ^ mixed.y ^ mixed.z) * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

// Of 24 bits, in [0, 1).
fn unit(word: u32) -> f32 {
    return f32(word >> 8u) * (1.0 / 16777216.0);
}

fn corner(cell: vec3<i32>) -> f32 {
    return unit(hash3(cell));
}

// Value noise in [0, 1], smooth in its second derivative.
fn noise(p: vec3<f32>) -> f32 {
    let base = floor(p);
    let c = vec3<i32>(base);
    let t = p - base;
    let w = t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let x00 = mix(corner(c), corner(c + vec3<i32>(1, 0, 0)), w.x);
    let x10 = mix(corner(c + vec3<i32>(0, 1, 0)), corner(c + vec3<i32>(1, 1, 0)), w.x);
    let x01 = mix(corner(c + vec3<i32>(0, 0, 1)), corner(c + vec3<i32>(1, 0, 1)), w.x);
    let x11 = mix(corner(c + vec3<i32>(0, 1, 1)), corner(c + vec3<i32>(1, 1, 1)), w.x);
    return mix(mix(x00, x10, w.y), mix(x01, x11, w.y), w.z);
}

// Octaves of noise, each at twice the frequency and half the height, turned so that their lattices do not line up.
fn octaves(start: vec3<f32>, count: u32) -> f32 {
    var p = start;
    var sum = 0.0;
    var height = 0.5;
    var total = 0.0;
    for (var i = 0u; i < count; i++) {
        sum += height * noise(p);
        total += height;
        height *= 0.5;
        p = vec3<f32>(1.6 * p.y + 1.2 * p.z, 0.96 * p.z - 1.28 * p.y - 1.2 * p.x, 1.2 * p.y - 1.6 * p.x + 0.4 * p.z) + 17.3;
    }
    return sum / max(total, 1e-6);
}
