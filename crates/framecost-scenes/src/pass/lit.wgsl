// lit: shades what the depth pre-passes left in front. In: the same vertices, equal depths, the shadow mask, the lists of
// lights; the scene says how surfaces look and how light falls on them. Out: linear colour, and in alpha how much of the
// sky is covered.

// How much of the main light each pixel sees.
@group(1) @binding(0) var mask: texture_2d<f32>;
@group(1) @binding(1) var<storage, read> light_lists: array<u32>;

struct Body {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) local: vec3<f32>,
    @location(3) local_normal: vec3<f32>,
    @location(4) @interpolate(flat) id: u32,
}

@vertex
fn body(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) id: u32) -> Body {
    let world = placed(id, position, normal);
    return Body(clip(world), world, placed_normal(id, normal), position, normal, id);
}

@vertex
fn strip(
    @location(0) position: vec3<f32>,
    @location(1) along: f32,
    @location(2) normal: vec3<f32>,
    @location(3) id: u32,
    @builtin(vertex_index) index: u32,
) -> Body {
    // Vertices of a strip alternate between its two edges.
    let side = f32(index & 1u) * 2.0 - 1.0;
    return Body(clip(position), position, normal, vec3<f32>(along, side, 0.0), normal, id);
}

@fragment
fn shade_body(in: Body) -> @location(0) vec4<f32> {
    let instance = instances[in.id];
    let material = materials[instance.material];
    let open = textureLoad(mask, vec2<u32>(in.clip.xy), 0).x;
    var hit: Hit;
    hit.position = in.world;
    hit.normal = normalize(in.normal);
    hit.local_dx = dpdx(in.local);
    hit.local_dy = dpdy(in.local);
    hit.local_normal = in.local_normal;
    hit.stretch = stretch(in.id);
    hit.radius = placements[in.id].radius;
    hit.rotation = placements[in.id].rotation;
    hit.seed = instance.seed;
    hit.shade = select(instance.shade, NONE, instance.shade == in.id);
    hit.pixel = in.clip.xy;
    var out = vec3<f32>(0.0);
    for (var i = 0u; i < load(); i++) {
        hit.local = in.local + vec3<f32>(f32(i) * view.zero);
        out = max(out, lighting(hit, surface(hit, material), open));
    }
    return vec4<f32>(out, 1.0);
}

@fragment
fn shade_strip(in: Body) -> @location(0) vec4<f32> {
    let strip = strips[in.id];
    let material = materials[strip.material];
    let open = textureLoad(mask, vec2<u32>(in.clip.xy), 0).x;
    let normal = normalize(in.normal);
    var hit: Hit;
    hit.position = in.world;
    // Both sides are seen: the normal is the one that looks at the eye.
    hit.normal = select(-normal, normal, dot(normal, view.eye - in.world) > 0.0);
    hit.local_dx = dpdx(in.local);
    hit.local_dy = dpdy(in.local);
    hit.local_normal = vec3<f32>(0.0, 0.0, 1.0);
    hit.stretch = vec3<f32>(1.0);
    hit.radius = 1.0;
    hit.rotation = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    hit.seed = in.id * 7919u;
    hit.shade = strip.shade;
    hit.pixel = in.clip.xy;
    var out = vec4<f32>(0.0);
    for (var i = 0u; i < load(); i++) {
        hit.local = in.local + vec3<f32>(f32(i) * view.zero);
        let looks = strip_surface(hit, material);
        out = max(out, vec4<f32>(lighting(hit, looks, open) * looks.cover, looks.cover));
    }
    return out;
}
