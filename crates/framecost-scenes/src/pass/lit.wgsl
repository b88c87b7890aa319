// lit: shades what the depth pre-pass left in front, by the light of one sphere. In: the same vertices, equal depths.
// Out: linear colour, and in alpha how much of the sky is covered.

struct Body {
    @builtin(position) @invariant clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) local: vec3<f32>,
    @location(3) @interpolate(flat) id: u32,
}

@vertex
fn body(@location(0) position: vec3<f32>, @location(1) normal: vec3<f32>, @location(2) id: u32) -> Body {
    let world = placed(id, position, normal);
    return Body(clip(world), world, placed_normal(id, normal), position, id);
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
    return Body(clip(position), position, normal, vec3<f32>(along, side, 0.0), id);
}

// Share of the light that the ball `id` lets through to `position`.
fn shadow(id: u32, position: vec3<f32>) -> f32 {
    let ball = placements[id];
    let way = normalize(view.light - position);
    let to = ball.position - position;
    let ahead = dot(to, way);
    let miss = length(to - way * ahead);
    // The light is a ball too: the shadow's edge is as wide as its disc seen from here.
    let soft = max(ahead, 0.0) * view.light_radius / distance(view.light, position) + 0.02 * ball.radius;
    let open = smoothstep(ball.radius - soft, ball.radius + soft, miss);
    return select(1.0, open, ahead > 0.0);
}

fn lighting(hit: Hit, looks: Surface, shade: f32) -> vec3<f32> {
    let to_light = view.light - hit.position;
    let away = length(to_light);
    let l = to_light / away;
    let v = normalize(view.eye - hit.position);
    let n = looks.normal;
    // Not the inverse square: it would leave the outer planets black beside a white inner one.
    let power = shade * 90.0 / (away + 14.0);
    // Relief does not light what lies beyond the horizon of the light.
    let facing = dot(n, l) * select(1.0, smoothstep(-0.06, 0.10, dot(hit.normal, l)), looks.through == 0.0);
    let diffuse = max(facing, 0.0) + looks.through * max(-facing, 0.0);
    let half_way = normalize(l + v);
    let fresnel = pow(1.0 - max(dot(n, v), 0.0), 5.0);
    let lobe = pow(max(dot(n, half_way), 0.0), max(looks.gloss, 1.0)) * (looks.gloss + 8.0) * 0.04;
    let shine = select(0.0, lobe * (0.04 + 0.96 * fresnel) * max(facing, 0.0), looks.gloss > 0.0);
    // What metal mirrors: the warm light of the middle, and the dark all around.
    let mirrored = reflect(-v, n);
    let warm = pow(max(dot(mirrored, l), 0.0), 3.0) * 0.32 + 0.012 + 0.02 * max(mirrored.y, 0.0);
    let metal = looks.colour * (warm * power + lobe * 0.55 * max(facing, 0.0) * power);
    let ground = looks.colour * diffuse * 0.42 + vec3<f32>(1.0, 0.94, 0.82) * shine;
    let dusk = smoothstep(-0.35, 0.5, dot(hit.normal, l));
    let rim = pow(1.0 - clamp(dot(hit.normal, v), 0.0, 1.0), 3.0);
    let night = looks.colour * vec3<f32>(0.006, 0.008, 0.013);
    let air = looks.air * (rim * dusk * 1.6 + 0.05 * dusk);
    return mix(ground, vec3<f32>(0.0), looks.metal) * power + metal * looks.metal + air * power * 0.5 + night + looks.glow;
}

@fragment
fn shade_body(in: Body) -> @location(0) vec4<f32> {
    let instance = instances[in.id];
    let material = materials[instance.material];
    var out = vec3<f32>(0.0);
    for (var i = 0u; i < load(); i++) {
        let local = in.local + vec3<f32>(f32(i) * view.zero);
        let hit = Hit(in.world, normalize(in.normal), local, instance.seed, placements[in.id].radius);
        let open = select(shadow(instance.shade, hit.position), 1.0, instance.shade == in.id);
        out = max(out, lighting(hit, surface(hit, material), open));
    }
    return vec4<f32>(out, 1.0);
}

@fragment
fn shade_strip(in: Body, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let strip = strips[in.id];
    let material = materials[strip.material];
    let normal = normalize(in.normal);
    // Both sides are seen: the normal is the one that looks at the eye.
    let seen = select(-normal, normal, dot(normal, view.eye - in.world) > 0.0);
    var out = vec4<f32>(0.0);
    for (var i = 0u; i < load(); i++) {
        let local = in.local + vec3<f32>(f32(i) * view.zero);
        let hit = Hit(in.world, seen, local, in.id * 7919u, 1.0);
        let looks = strip_surface(hit, material);
        let open = select(1.0, shadow(strip.shade, hit.position), strip.kind == 1u);
        out = max(out, vec4<f32>(lighting(hit, looks, open) * looks.cover, looks.cover));
    }
    return out;
}
