// A clear day: sky with heaped clouds, sun, the light from all around, thin haze.

fn heavens(direction: vec3<f32>) -> vec3<f32> {
    let l = normalize(view.light - view.eye);
    let up = max(direction.y, 0.0);
    let low = vec3<f32>(0.74, 0.82, 0.92);
    let high = vec3<f32>(0.14, 0.32, 0.72);
    let near = pow(max(dot(direction, l), 0.0), 40.0);
    return mix(low, high, smoothstep(0.0, 0.62, sqrt(up) * 0.8)) + vec3<f32>(0.9, 0.8, 0.6) * near * 0.5;
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    let l = normalize(view.light - view.eye);
    let flat = direction.xz / (max(direction.y, 0.0) + 0.12);
    let drift = vec2<f32>(0.016, 0.006) * view.time;
    let heap = octaves(vec3<f32>(flat * 1.2 + drift + 5.0, 2.0), 5u);
    let cover = smoothstep(0.02, 0.16, direction.y) * smoothstep(0.50, 0.68, heap);
    let lit = mix(vec3<f32>(1.15, 1.12, 1.06), vec3<f32>(0.52, 0.56, 0.64), smoothstep(0.58, 0.86, heap));
    let disc = smoothstep(0.99996, 0.99998, dot(direction, l));
    let ground = vec3<f32>(0.20, 0.19, 0.17);
    let above = mix(heavens(direction), lit, cover * 0.9) + vec3<f32>(14.0, 12.5, 10.0) * disc;
    return mix(ground, above, smoothstep(-0.03, 0.0, direction.y));
}

fn sun() -> vec3<f32> {
    return vec3<f32>(1.55, 1.42, 1.2);
}

fn ambient(normal: vec3<f32>) -> vec3<f32> {
    let above = heavens(normalize(vec3<f32>(normal.x, abs(normal.y) + 0.1, normal.z)));
    return mix(vec3<f32>(0.14, 0.135, 0.12), above * 0.5, smoothstep(-0.4, 0.4, normal.y));
}

fn haze(colour: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let thick = 1.0 - exp(-distance(position, view.eye) / 1800.0);
    return mix(colour, vec3<f32>(0.66, 0.74, 0.84), thick);
}
