// How the orrery looks: one pattern for every body, driven by its material, and the sky around it.

fn palette(material: Material, pattern: f32) -> vec3<f32> {
    let lower = mix(material.low, material.mid, smoothstep(0.0, 0.5, pattern));
    return mix(lower, material.high, smoothstep(0.5, 1.0, pattern));
}

// The normal tilted by the slope of `height` over the screen (Mikkelsen 2010).
fn relief(normal: vec3<f32>, position: vec3<f32>, height: f32, strength: f32) -> vec3<f32> {
    let dx = dpdx(position);
    let dy = dpdy(position);
    let across = cross(dy, normal);
    let along = cross(normal, dx);
    let det = dot(dx, across);
    let slope = (across * dpdx(height) + along * dpdy(height)) * sign(det);
    let tilted = abs(det) * normal - strength * slope;
    return select(normal, normalize(tilted), abs(det) > 1e-12 && dot(tilted, tilted) > 1e-20);
}

// As many octaves as the pixels can show: finer ones would only flicker.
fn fine(count: u32, hit: Hit, frequency: f32) -> u32 {
    let pixel = distance(view.eye, hit.position) * view.pixel / hit.radius;
    let shown = log2(0.7 / max(pixel * frequency, 1e-6)) + 1.0;
    return min(count, u32(clamp(shown, 1.0, 16.0)));
}

fn surface(hit: Hit, material: Material) -> Surface {
    let shift = vec3<f32>(f32(hit.seed & 255u), f32((hit.seed >> 8u) & 255u), f32((hit.seed >> 16u) & 255u));
    // Bands turn at different speeds, so that the noise is drawn out along them.
    let stretch = select(1.0, 3.2, material.bands > 0.0);
    let p = hit.local * vec3<f32>(1.0, stretch, 1.0) * material.frequency + shift;
    let latitude = hit.local.y;
    let n = octaves(p, fine(material.octaves, hit, material.frequency));
    // Bands of uneven width.
    let sway = 1.4 * sin(latitude * material.bands * 0.43 + 0.7) * min(material.bands, 1.0);
    let swing = sin(latitude * material.bands + sway + (n - 0.5) * material.warp);
    // And finer ones within them.
    let ripple = sin(latitude * material.bands * 3.7 + (n - 0.5) * material.warp * 2.3);
    let pattern = 0.5 + 0.40 * swing + 0.10 * ripple;

    var out: Surface;
    out.colour = palette(material, pattern);
    out.gloss = material.gloss;
    out.metal = material.metal;
    out.air = material.air;
    out.cover = 1.0;
    let wet = pattern < material.sea;
    out.gloss = select(select(material.gloss, 0.0, material.sea > 0.0), material.gloss, wet);
    let deep = mix(material.low * 0.4, material.low, smoothstep(material.sea - 0.4, material.sea, pattern));
    out.colour = select(out.colour, deep, wet);

    let icy = smoothstep(material.ice - 0.05, material.ice + 0.05, abs(latitude) + 0.25 * (n - 0.5));
    out.colour = mix(out.colour, vec3<f32>(0.8, 0.84, 0.88), icy);

    // Clouds: a second noise, drawn out along the parallels; none are computed where there are none.
    let cloud_octaves = select(0u, fine(4u, hit, 3.0), material.clouds > 0.0);
    let drift = vec3<f32>(view.time * 0.02, 0.0, 0.0);
    let veil = octaves(hit.local * vec3<f32>(2.6, 4.4, 2.6) + shift.zxy + drift, cloud_octaves);
    let cloud = material.clouds * smoothstep(0.46, 0.66, veil);
    out.colour = mix(out.colour, vec3<f32>(0.86), cloud);
    out.gloss = select(out.gloss, 0.0, cloud > 0.3);

    let height = select(n, material.sea, wet) * (1.0 - cloud) * hit.radius / material.frequency;
    out.roughness = 1.0;
    out.normal = relief(hit.normal, hit.position, height, material.bump);

    // Engraved graduations, a long one every ten.
    let angle = atan2(hit.local.z, hit.local.x) / 6.2831853 + 0.5;
    let tick = abs(fract(angle * f32(material.ticks)) - 0.5);
    let cut = select(0.0, 1.0 - smoothstep(0.06, 0.10, tick), material.ticks > 0u);
    out.colour *= 1.0 - 0.75 * cut;

    // A glowing ball darkens towards its limb.
    let facing = max(dot(hit.normal, normalize(view.eye - hit.position)), 0.0);
    out.glow = out.colour * material.glow * mix(vec3<f32>(0.55, 0.30, 0.16), vec3<f32>(1.0), pow(facing, 0.7));
    out.through = 0.0;
    return out;
}

fn strip_surface(hit: Hit, material: Material) -> Surface {
    let along = hit.local.x;
    let across = hit.local.y;
    var out: Surface;
    // Rings are grains, each lit from its own side: even light that only grazes their plane lights them.
    out.normal = normalize(hit.normal + 0.7 * normalize(view.light - hit.position));
    out.air = vec3<f32>(0.0);
    out.metal = 0.0;
    out.gloss = 0.0;
    let tail = material.glow > 0.0;
    // Tails fade as they thin out; rings are grooved.
    let fade = pow(max(1.0 - along, 0.0), 1.6) * (1.0 - 0.7 * across * across);
    let groove = noise(vec3<f32>(across * 3.0, f32(hit.seed & 1023u), 0.5));
    out.cover = select(0.72 + 0.28 * groove, fade, tail);
    out.colour = palette(material, select(groove, 1.0 - along, tail)) * select(1.0, 0.0, tail);
    out.glow = palette(material, 1.0 - along) * material.glow;
    out.through = 0.45;
    out.roughness = 1.0;
    return out;
}

// Stars of one size of cell: at most one a cell, drawn as wide as a pixel can show.
fn stars(direction: vec3<f32>, cells: f32, share: f32, brightest: f32) -> vec3<f32> {
    let cell = floor(direction * cells);
    let word = hash3(vec3<i32>(cell) + 4099);
    let place = vec3<f32>(unit(word * 2654435761u), unit(word * 2246822519u), unit(word * 3266489917u));
    let star = normalize(cell + 0.15 + 0.7 * place);
    // Projected on the sphere, it may have left its cell, and would be cut off at the cell's wall.
    let home = all(floor(star * cells) == cell);
    let wide = max(view.pixel * 0.75, 0.0007);
    let off = star - direction;
    let spot = exp(-dot(off, off) / (wide * wide));
    let rank = unit(word ^ 0x5bd1e995u);
    let there = select(0.0, 1.0, home && rank < share);
    let bright = brightest * (pow(unit(word * 668265263u), 9.0) + 0.03);
    let warmth = unit(word * 374761393u);
    let tint = mix(vec3<f32>(1.0, 0.72, 0.48), vec3<f32>(0.62, 0.78, 1.0), warmth);
    return tint * (spot * bright * there);
}

fn sky(direction: vec3<f32>) -> vec3<f32> {
    // The band of the galaxy: bright clouds, and dark lanes along its middle.
    let pole = vec3<f32>(0.30, 0.86, 0.41);
    let height = dot(direction, pole);
    let cloud = octaves(direction * 3.3 + 5.0, 4u);
    let wide = exp(-height * height * 14.0);
    let narrow = exp(-height * height * 70.0);
    let lanes = smoothstep(0.44, 0.62, octaves(direction * 6.1 - 3.0, 2u)) * narrow;
    let bright = wide * smoothstep(0.30, 0.72, cloud) * (1.0 - 0.85 * lanes);
    let milk = mix(vec3<f32>(0.014, 0.020, 0.042), vec3<f32>(0.085, 0.070, 0.062), narrow) * bright;
    let deep = vec3<f32>(0.0016, 0.0020, 0.0042);
    let crowd = 0.16 + 0.6 * bright;
    return deep + milk + stars(direction, 74.0, crowd, 0.35) + stars(direction, 21.0, 0.42, 2.2);
}
