// What scenes in daylight share: surfaces with textures by the dominant axis, tints, waves.

struct Skin {
    colour: vec3<f32>,
    roughness: f32,
    // In the world, after relief.
    normal: vec3<f32>,
}

// `v` turned back by the unit quaternion `q`.
fn turned_back(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    return turned(vec4<f32>(-q.xyz, q.w), v);
}

fn mixed(word: u32) -> u32 {
    let state = word * 747796405u + 2891336453u;
    let once = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (once >> 22u) ^ once;
}

// What a thing shares with those of its group, and what it has for itself.
fn group_of(seed: u32) -> u32 {
    return mixed(seed & 0xffffu);
}

fn own(seed: u32) -> u32 {
    return mixed(seed);
}

// One of the material's three tints, a little brighter or darker.
fn tint(material: Material, word: u32) -> vec3<f32> {
    let pick = word % 3u;
    let base = select(select(material.high, material.mid, pick == 1u), material.low, pick == 0u);
    return base * (0.82 + 0.36 * unit(word * 2654435761u));
}

// The material's texture. Where `laid` holds, its coordinates are the world's, turned as the thing is, so that what stands
// side by side goes on; else they are the thing's own. Down a slope, and down a wall, is down the picture.
fn skin(hit: Hit, material: Material, laid: bool) -> Skin {
    let metres = hit.stretch * hit.radius;
    var p = hit.local * metres;
    if laid {
        p = turned_back(hit.rotation, hit.position);
    }
    let dx = hit.local_dx * metres;
    let dy = hit.local_dy * metres;
    let flat = normalize(hit.local_normal / hit.stretch);
    let size = abs(flat);
    var u = vec3<f32>(1.0, 0.0, 0.0);
    var v = vec3<f32>(0.0, -1.0, 0.0);
    let sideways = size.x > size.z;
    if sideways {
        u = vec3<f32>(0.0, 0.0, 1.0);
    }
    if size.y > max(size.x, size.z) {
        let slope = select(vec3<f32>(0.0, 0.0, select(-1.0, 1.0, flat.z >= 0.0)), vec3<f32>(select(-1.0, 1.0, flat.x >= 0.0), 0.0, 0.0), sideways);
        v = slope / max(size.y, 0.3);
    } else {
        v /= max(sqrt(1.0 - flat.y * flat.y), 0.3);
    }
    let scale = material.tiling;
    let uv = vec2<f32>(dot(p, u), dot(p, v)) * scale;
    let ddx = vec2<f32>(dot(dx, u), dot(dx, v)) * scale;
    let ddy = vec2<f32>(dot(dy, u), dot(dy, v)) * scale;
    let colour = colour_of(material.layer, uv, ddx, ddy);
    let relief = relief_of(material.layer, uv, ddx, ddy);
    let n = turned_back(hit.rotation, hit.normal);
    let rough = n + (u * relief.x + v * relief.y) * material.bump;
    var out: Skin;
    out.colour = colour.rgb;
    out.roughness = clamp(colour.a * material.roughness, 0.03, 1.0);
    out.normal = turned(hit.rotation, normalize(rough));
    return out;
}

fn plain(colour: vec3<f32>, normal: vec3<f32>, roughness: f32) -> Surface {
    var out: Surface;
    out.colour = colour;
    out.normal = normal;
    out.glow = vec3<f32>(0.0);
    out.air = vec3<f32>(0.0);
    out.gloss = 0.0;
    out.roughness = roughness;
    out.metal = 0.0;
    out.through = 0.0;
    out.cover = 1.0;
    return out;
}

// Ripples on water that run with the wind.
fn rippled(position: vec3<f32>, steep: f32) -> vec3<f32> {
    let far = distance(view.eye, position) * view.pixel;
    let a = position.xz * 0.9 + vec2<f32>(0.55, 0.2) * view.time;
    let b = position.zx * 2.3 + vec2<f32>(-0.4, 0.7) * view.time;
    let e = 0.05;
    let h = noise(vec3<f32>(a, 0.3 * view.time));
    let hx = noise(vec3<f32>(a + vec2<f32>(e, 0.0), 0.3 * view.time)) - h;
    let hz = noise(vec3<f32>(a + vec2<f32>(0.0, e), 0.3 * view.time)) - h;
    let k = noise(vec3<f32>(b, 0.5 * view.time));
    let kx = noise(vec3<f32>(b + vec2<f32>(0.0, e), 0.5 * view.time)) - k;
    let kz = noise(vec3<f32>(b + vec2<f32>(e, 0.0), 0.5 * view.time)) - k;
    // Waves finer than a pixel would only flicker.
    let calm = steep / (e * (1.0 + 12.0 * far));
    return normalize(vec3<f32>(-(hx + 0.5 * kx) * calm, 1.0, -(hz + 0.5 * kz) * calm));
}
