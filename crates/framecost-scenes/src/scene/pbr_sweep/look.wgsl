// How the sweep looks: what is smooth mirrors the sky itself, clouds and all.

const TEXTURED: u32 = 1u;
const LAMP: u32 = 2u;

fn surface(hit: Hit, material: Material) -> Surface {
    if material.kind == LAMP {
        var lamp = plain(vec3<f32>(0.1), hit.normal, 0.5);
        lamp.glow = select(vec3<f32>(1.1), vec3<f32>(3.2), vec3<u32>((3u - hit.seed) % 3u) == vec3<u32>(0u, 1u, 2u));
        return lamp;
    }
    if material.kind == TEXTURED {
        let skin = skin(hit, material, true);
        return plain(skin.colour * material.low, skin.normal, skin.roughness);
    }
    let worn = skin(hit, material, false);
    var out = plain(material.low, hit.normal, material.roughness);
    out.metal = material.metal;
    // Relief fades out towards a mirror, which would show every dent.
    out.normal = normalize(mix(hit.normal, worn.normal, 0.4 * material.roughness));
    let v = normalize(view.eye - hit.position);
    let seen = reflect(-v, out.normal);
    let base = mix(vec3<f32>(0.04), material.low, material.metal);
    let fresnel = base + (1.0 - base) * pow(1.0 - max(dot(out.normal, v), 0.0), 5.0);
    let sharp = pow(1.0 - material.roughness, 2.0);
    if sharp > 0.01 && seen.y > -0.05 {
        // The lighting adds what is mirrored of the light all around; here comes what differs from it.
        out.glow = max((sky(seen) - ambient(seen)) * fresnel * sharp, vec3<f32>(0.0));
    }
    return out;
}

fn strip_surface(hit: Hit, material: Material) -> Surface {
    return plain(material.low, hit.normal, 0.9);
}
