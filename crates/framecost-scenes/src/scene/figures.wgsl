// How people look: clothes by where a point lies on the figure, colours by its seed.

fn figure(hit: Hit, leg: bool) -> Surface {
    let word = own(hit.seed);
    let skins = array<vec3<f32>, 4>(vec3<f32>(0.60, 0.38, 0.27), vec3<f32>(0.46, 0.27, 0.18), vec3<f32>(0.25, 0.13, 0.08), vec3<f32>(0.66, 0.46, 0.36));
    let hairs = array<vec3<f32>, 4>(vec3<f32>(0.03, 0.02, 0.015), vec3<f32>(0.12, 0.06, 0.03), vec3<f32>(0.36, 0.24, 0.10), vec3<f32>(0.30, 0.29, 0.28));
    let coats = array<vec3<f32>, 10>(
        vec3<f32>(0.42, 0.05, 0.04), vec3<f32>(0.05, 0.10, 0.24), vec3<f32>(0.50, 0.36, 0.16), vec3<f32>(0.06, 0.06, 0.065), vec3<f32>(0.55, 0.52, 0.46),
        vec3<f32>(0.08, 0.20, 0.12), vec3<f32>(0.30, 0.13, 0.26), vec3<f32>(0.60, 0.28, 0.08), vec3<f32>(0.16, 0.26, 0.34), vec3<f32>(0.24, 0.17, 0.11));
    let trousers = array<vec3<f32>, 5>(vec3<f32>(0.035, 0.045, 0.09), vec3<f32>(0.03, 0.03, 0.032), vec3<f32>(0.20, 0.16, 0.11), vec3<f32>(0.11, 0.11, 0.12), vec3<f32>(0.10, 0.06, 0.04));
    let a = hit.local;
    if leg {
        let shoe = a.y < -0.68;
        return plain(select(trousers[(word >> 5u) % 5u], vec3<f32>(0.025, 0.02, 0.018), shoe), hit.normal, 0.85);
    }
    if a.y > 0.585 {
        let haired = a.y > 0.76 || (a.y > 0.66 && a.z < 0.025);
        return plain(select(skins[word % 4u], hairs[(word >> 3u) % 4u], haired), hit.normal, 0.7);
    }
    if a.y < -0.04 && abs(a.x) > 0.2 {
        return plain(skins[word % 4u], hit.normal, 0.7);
    }
    if a.y < -0.2 {
        return plain(select(trousers[(word >> 5u) % 5u], vec3<f32>(0.025, 0.02, 0.018), a.y < -0.8), hit.normal, 0.85);
    }
    let scarf = a.y > 0.46 && (word & 0x1000u) != 0u;
    return plain(coats[select((word >> 8u) % 10u, (word >> 14u) % 10u, scarf)], hit.normal, 0.9);
}
