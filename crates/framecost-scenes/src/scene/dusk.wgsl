// The last light of an afternoon: sky, sun, the light from all around, haze.

// Late light: yellow low in the west, blue above, violet in the east.
fn heavens(direction: vec3<f32>) -> vec3<f32> {
    let l = normalize(view.light - view.eye);
    let up = max(direction.y, 0.0);
    let towards = dot(normalize(vec3<f32>(direction.x, 0.0, direction.z) + 1e-5), normalize(vec3<f32>(l.x, 0.0, l.z)));
    let west = 0.5 + 0.5 * towards;
    let low = mix(vec3<f32>(0.36, 0.34, 0.46), vec3<f32>(1.25, 0.66, 0.26), west * west);
    let mid = mix(vec3<f32>(0.26, 0.32, 0.50), vec3<f32>(0.66, 0.54, 0.46), west * west);
    let high = vec3<f32>(0.10, 0.19, 0.40);
    let sky = mix(mix(low, mid, smoothstep(0.0, 0.18, up)), high, smoothstep(0.08, 0.75, up));
    let near = pow(max(dot(direction, l), 0.0), 28.0);
    return sky + vec3<f32>(1.2, 0.62, 0.22) * near * 0.5;
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    var out = heavens(direction);
    let l = normalize(view.light - view.eye);
    // Clouds in two layers, lit from below on the side of the sun.
    let flat = direction.xz / (max(direction.y, 0.0) + 0.09);
    let drift = vec2<f32>(0.012, 0.004) * view.time;
    let veil = octaves(vec3<f32>(flat * vec2<f32>(0.7, 1.6) + drift + 3.0, 1.0), 5u);
    let heap = octaves(vec3<f32>(flat * 1.1 + drift * 1.7 + 11.0, 5.0), 5u);
    let there = smoothstep(0.01, 0.14, direction.y);
    let cover = there * clamp(0.75 * smoothstep(0.50, 0.74, veil) + smoothstep(0.54, 0.68, heap), 0.0, 1.0);
    let west = 0.5 + 0.5 * dot(direction, l);
    let shaded = mix(vec3<f32>(0.24, 0.25, 0.33), vec3<f32>(0.42, 0.33, 0.32), west);
    let lit = mix(vec3<f32>(0.78, 0.58, 0.52), vec3<f32>(1.6, 0.92, 0.46), west * west);
    out = mix(out, mix(lit, shaded, smoothstep(0.50, 0.85, heap)), cover * 0.85);
    let disc = smoothstep(0.99998, 0.999985, dot(direction, l));
    return out + vec3<f32>(9.0, 6.0, 3.0) * disc * (1.0 - 0.8 * cover);
}

fn sun() -> vec3<f32> {
    return vec3<f32>(2.7, 1.62, 0.82);
}

fn ambient(normal: vec3<f32>) -> vec3<f32> {
    let up = normal.y;
    let above = heavens(normalize(vec3<f32>(normal.x, abs(up) + 0.12, normal.z)));
    let below = vec3<f32>(0.19, 0.16, 0.14);
    // Clouds and far walls send back greyer light than the clear sky.
    let grey = vec3<f32>(dot(above, vec3<f32>(0.35, 0.45, 0.2)));
    return mix(below, mix(above, grey, 0.45), smoothstep(-0.45, 0.35, up));
}

fn haze(colour: vec3<f32>, position: vec3<f32>) -> vec3<f32> {
    let to = position - view.eye;
    let away = length(to);
    let way = to / max(away, 1e-3);
    let thick = 1.0 - exp(-away / 3000.0);
    return mix(colour, heavens(normalize(vec3<f32>(way.x, 0.03, way.z))) * 0.8, thick);
}
