// How light falls in the orrery: from its sun alone, past the one ball that may stand in the way.

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

fn lighting(hit: Hit, looks: Surface, open: f32) -> vec3<f32> {
    // The ball between it and the sun casts a shadow as soft as the sun's disc makes it; rays know only sharp ones.
    // Rings and rocks let some light through between them, and far ones are drawn coarsely.
    var shade = mix(0.22, 1.0, open);
    if hit.shade != NONE {
        shade = min(shade, shadow(hit.shade, hit.position));
    }
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
