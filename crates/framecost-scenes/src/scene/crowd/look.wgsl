// How the crowd's square looks: stone, people, lamps, cloth.

const STONE: u32 = 0u;
const PERSON: u32 = 1u;
const LEG: u32 = 2u;
const LAMP: u32 = 3u;

fn surface(hit: Hit, material: Material) -> Surface {
    switch material.kind {
        case PERSON: {
            return figure(hit, false);
        }
        case LEG: {
            return figure(hit, true);
        }
        case LAMP: {
            var out = plain(vec3<f32>(0.03), hit.normal, 0.5);
            out.glow = select(vec3<f32>(0.0), vec3<f32>(3.4, 1.9, 0.75), abs(hit.local.y * 1.5) < 0.495);
            return out;
        }
        default: {
            let skin = skin(hit, material, true);
            var out = plain(skin.colour * tint(material, own(hit.seed)), skin.normal, skin.roughness);
            out.metal = material.metal;
            return out;
        }
    }
}

// Banners: two colours and a device in the middle.
fn strip_surface(hit: Hit, material: Material) -> Surface {
    let word = own(hit.seed);
    let dyes = array<vec3<f32>, 3>(material.low, material.mid, material.high);
    let ground = dyes[word % 3u];
    let charge = dyes[(word + 1u + ((word >> 4u) & 1u)) % 3u];
    let p = vec2<f32>(hit.local.x * 2.0 - 1.0, hit.local.y * 0.6);
    let disc = smoothstep(0.36, 0.34, length(p));
    let ring = smoothstep(0.50, 0.48, length(p)) * smoothstep(0.42, 0.44, length(p));
    let hem = smoothstep(0.86, 0.88, abs(hit.local.y));
    var colour = mix(ground, charge, max(disc, max(ring, hem)));
    colour *= 0.92 + 0.08 * sin(hit.local.x * 180.0) * sin(hit.local.y * 110.0);
    var out = plain(colour, hit.normal, 0.9);
    out.through = 0.45;
    return out;
}
