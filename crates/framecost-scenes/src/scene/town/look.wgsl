// How the town looks, in the last light of an afternoon: materials of several kinds, told apart within one mesh by where a
// point lies in it.

const SOLID: u32 = 0u;
const PANEL: u32 = 1u;
const LEAF: u32 = 2u;
const CAR: u32 = 3u;
const PERSON: u32 = 4u;
const WATER: u32 = 5u;
const LAMP: u32 = 6u;
const LAND: u32 = 7u;
const CLOTH: u32 = 8u;
const LEG: u32 = 9u;

const WARM: vec3<f32> = vec3<f32>(1.0, 0.56, 0.22);

fn solid(hit: Hit, material: Material, skin: Skin) -> Surface {
    var colour = skin.colour * tint(material, group_of(hit.seed));
    // Walls are dirty at their feet.
    let foot = smoothstep(-0.1, 1.3, hit.position.y) + smoothstep(0.4, 0.8, abs(hit.normal.y));
    colour *= 0.68 + 0.32 * min(foot, 1.0);
    var out = plain(colour, skin.normal, skin.roughness);
    out.metal = material.metal;
    return out;
}

// Behind a window: dark by day, or a lit room with curtains.
fn pane(hit: Hit, material: Material, a: vec3<f32>) -> Surface {
    let word = own(hit.seed);
    let lit = unit(word) < material.glow;
    var out = plain(vec3<f32>(0.02, 0.024, 0.028), hit.normal, 0.06);
    // Old glass is not flat.
    let wave = noise(vec3<f32>(hit.local.xy * 5.0, unit(word) * 31.0)) - 0.5;
    out.normal = normalize(hit.normal + 0.03 * wave * vec3<f32>(1.0, 0.6, 0.8));
    let curtain = smoothstep(0.16, 0.30, abs(a.x) + 0.05 * sin(a.y * 3.0)) * f32((word >> 3u) & 1u);
    let folds = 0.8 + 0.2 * sin(a.x * 70.0);
    if lit {
        let lamp = mix(WARM, vec3<f32>(1.0, 0.78, 0.5), unit(word * 2246822519u));
        let fall = 0.55 + 0.45 * smoothstep(-0.6, 0.6, a.y);
        out.glow = lamp * fall * mix(1.25, 0.8 * folds, curtain);
    } else {
        out.colour = mix(out.colour, vec3<f32>(0.34, 0.32, 0.29) * folds, curtain * 0.7);
    }
    return out;
}

fn panel(hit: Hit, material: Material, skin: Skin) -> Surface {
    let a = hit.local * 2.0;
    let front = hit.local_normal.z > 0.5;
    if front && a.z < -0.2 {
        return pane(hit, material, a);
    }
    let shared_word = group_of(hit.seed);
    if a.z < -0.012 {
        if front {
            let paints = array<vec3<f32>, 5>(vec3<f32>(0.05, 0.12, 0.09), vec3<f32>(0.22, 0.04, 0.03), vec3<f32>(0.04, 0.07, 0.16), vec3<f32>(0.16, 0.09, 0.05), vec3<f32>(0.30, 0.26, 0.18));
            let paint = paints[(shared_word >> 8u) % 5u];
            return plain(select(material.air, paint, a.z > -0.145), hit.normal, 0.45);
        }
        return plain(mix(tint(material, shared_word), material.air, 0.5) * 0.8, hit.normal, 0.9);
    }
    if a.z > 0.055 && a.z < 0.115 {
        let paints = array<vec3<f32>, 4>(vec3<f32>(0.07, 0.16, 0.12), vec3<f32>(0.10, 0.17, 0.26), vec3<f32>(0.30, 0.10, 0.07), vec3<f32>(0.32, 0.28, 0.20));
        return plain(paints[(shared_word >> 4u) % 4u], hit.normal, 0.6);
    }
    if a.z > 0.145 && a.z < 0.18 && a.y > 0.5 {
        let boards = array<vec3<f32>, 4>(vec3<f32>(0.20, 0.03, 0.03), vec3<f32>(0.02, 0.09, 0.06), vec3<f32>(0.03, 0.04, 0.10), vec3<f32>(0.30, 0.20, 0.05));
        var sign = plain(boards[(shared_word >> 6u) % 4u], hit.normal, 0.4);
        // Letters that nobody can read.
        let column = floor(a.x * 9.0);
        let letter = noise(vec3<f32>(a.x * 26.0, a.y * 17.0, unit(hit.seed) * 60.0)) > 0.5;
        let within = abs(a.x) < 0.72 && abs(a.y - 0.72) < 0.085 && (i32(column) % 4) != 0;
        sign.glow = WARM * select(0.0, 0.5, letter && within && front);
        return sign;
    }
    if a.z > 0.012 {
        return plain(material.air * (0.85 + 0.2 * unit(own(hit.seed))), hit.normal, 0.85);
    }
    return solid(hit, material, skin);
}

fn leaf(hit: Hit, material: Material, skin: Skin) -> Surface {
    let word = group_of(hit.seed);
    let mottled = 0.75 + 0.5 * unit(own(hit.seed));
    var out = plain(skin.colour * tint(material, word) * mottled, skin.normal, 0.75);
    out.through = 0.45;
    return out;
}

fn car(hit: Hit, material: Material) -> Surface {
    let a = hit.local * hit.radius;
    let n = hit.local_normal;
    let van = hit.radius > 3.0;
    let half = select(0.86, 0.95, van);
    let belt = select(0.86, 1.10, van);
    let nose = select(2.15, 2.5, van);
    let word = own(hit.seed);
    let hub = length(vec2<f32>(abs(a.x) - 1.35, a.y - 0.33));
    if hub < 0.34 && abs(a.z) > half - 0.22 && a.y < 0.67 && (abs(a.z) > half + 0.001 || abs(n.z) < 0.5) {
        let rim = hub < 0.2;
        var wheel = plain(select(vec3<f32>(0.018), vec3<f32>(0.5), rim), hit.normal, select(0.9, 0.35, rim));
        wheel.metal = select(0.0, 1.0, rim);
        return wheel;
    }
    let glazed = a.y > belt && abs(n.y) < 0.8 && a.y < select(1.40, 2.0, van) && (!van || a.x > 0.3);
    if glazed {
        return plain(vec3<f32>(0.015, 0.018, 0.02), hit.normal, 0.05);
    }
    let paints = array<vec3<f32>, 8>(
        vec3<f32>(0.50, 0.03, 0.03), vec3<f32>(0.03, 0.06, 0.22), vec3<f32>(0.60, 0.60, 0.58), vec3<f32>(0.02, 0.02, 0.022),
        vec3<f32>(0.25, 0.26, 0.27), vec3<f32>(0.04, 0.14, 0.10), vec3<f32>(0.55, 0.42, 0.16), vec3<f32>(0.33, 0.35, 0.38));
    var out = plain(paints[word % 8u], hit.normal, 0.25);
    if a.y < 0.36 {
        out.colour = vec3<f32>(0.02);
        out.roughness = 0.8;
    }
    let lamp = abs(a.z) > 0.5 && a.y > 0.5 && a.y < 0.66;
    out.glow = select(vec3<f32>(0.0), vec3<f32>(1.6, 1.4, 1.0), lamp && a.x > nose - 0.06);
    out.glow += select(vec3<f32>(0.0), vec3<f32>(0.9, 0.03, 0.02), lamp && a.x < 0.10 - nose);
    return out;
}

fn water(hit: Hit) -> Surface {
    return plain(vec3<f32>(0.012, 0.022, 0.024), rippled(hit.position, 0.055), 0.08);
}

fn lamp_head(hit: Hit, material: Material) -> Surface {
    let y = hit.local.y * 1.5;
    var out = plain(vec3<f32>(0.03), hit.normal, 0.5);
    out.glow = select(vec3<f32>(0.0), WARM * 3.2, abs(y) < 0.495);
    return out;
}

// Fields in patches, woods on the heights.
fn land(hit: Hit, material: Material, skin: Skin) -> Surface {
    let p = hit.position.xz * 0.006 + 7.0;
    let bent = p + 0.5 * vec2<f32>(noise(vec3<f32>(p, 1.0)), noise(vec3<f32>(p, 2.0)));
    let field = hash3(vec3<i32>(floor(vec3<f32>(bent, 0.0))));
    let crops = array<vec3<f32>, 4>(vec3<f32>(1.0), vec3<f32>(2.3, 1.75, 0.9), vec3<f32>(1.35, 1.25, 0.7), vec3<f32>(0.8, 1.05, 0.75));
    let wood = smoothstep(0.50, 0.56, octaves(vec3<f32>(hit.position.xz * 0.004, 3.0), 4u) + hit.position.y * 0.0012);
    let rows = 0.9 + 0.1 * sin(dot(hit.position.xz, vec2<f32>(0.7, 0.4)) * 0.8);
    var colour = skin.colour * crops[field % 4u] * rows;
    let tops = noise(vec3<f32>(hit.position.xz * 0.16, 9.0));
    colour = mix(colour, vec3<f32>(0.035, 0.06, 0.022) * (0.4 + 1.2 * tops), wood);
    return plain(colour, skin.normal, 0.95);
}

fn surface(hit: Hit, material: Material) -> Surface {
    // Sampled once for all kinds: a device that runs every branch of a switch would sample once for each.
    let skin = skin(hit, material, material.kind != LEAF && material.kind != CLOTH);
    switch material.kind {
        case PANEL: {
            return panel(hit, material, skin);
        }
        case LEAF: {
            return leaf(hit, material, skin);
        }
        case CAR: {
            return car(hit, material);
        }
        case PERSON: {
            return figure(hit, false);
        }
        case LEG: {
            return figure(hit, true);
        }
        case WATER: {
            return water(hit);
        }
        case LAMP: {
            return lamp_head(hit, material);
        }
        case LAND: {
            return land(hit, material, skin);
        }
        case CLOTH: {
            let stripe = fract(hit.local.x * hit.stretch.x * hit.radius * 1.6) < 0.5;
            let dyed = tint(material, group_of(hit.seed));
            var out = plain(skin.colour * select(vec3<f32>(0.78, 0.76, 0.70), dyed, stripe), skin.normal, 0.9);
            out.through = 0.35;
            return out;
        }
        default: {
            return solid(hit, material, skin);
        }
    }
}

fn strip_surface(hit: Hit, material: Material) -> Surface {
    let word = own(hit.seed);
    let band = u32(clamp((hit.local.y * 0.5 + 0.5) * 3.0, 0.0, 2.0));
    var colour = tint(material, word);
    // Flags have three bands, washing none.
    if material.low.x < 0.7 {
        let bands = array<vec3<f32>, 3>(material.low, material.mid, material.high);
        colour = mix(bands[(band + word) % 3u], vec3<f32>(0.75), f32((word >> (4u + band)) & 1u));
    }
    let weave = 0.94 + 0.06 * sin(hit.local.x * 160.0) * sin(hit.local.y * 90.0);
    var out = plain(colour * weave, hit.normal, 0.9);
    out.through = 0.4;
    return out;
}
