// How the walls look: three textures at every point, one as it is, one fine, one coarse.

const LAMP: u32 = 1u;

fn surface(hit: Hit, material: Material) -> Surface {
    if material.kind == LAMP {
        var lamp = plain(vec3<f32>(0.1), hit.normal, 0.5);
        lamp.glow = vec3<f32>(2.6, 2.2, 1.6);
        return lamp;
    }
    let word = own(hit.seed);
    let base = skin(hit, material, false);
    // Grain from a neighbouring layer, weather from another.
    var grain = material;
    grain.layer = (material.layer + 1u + word % 5u) % 32u;
    grain.tiling = material.tiling * 5.3;
    let fine = skin(hit, grain, false);
    var weather = material;
    weather.layer = 5u;
    weather.tiling = material.tiling * 0.17;
    let coarse = skin(hit, weather, true);
    let light = dot(fine.colour, vec3<f32>(0.3, 0.6, 0.1));
    let stain = dot(coarse.colour, vec3<f32>(0.3, 0.6, 0.1));
    let colour = base.colour * (0.72 + 0.6 * light) * (0.62 + 0.6 * stain) * tint(material, word);
    var out = plain(colour, normalize(base.normal + 0.25 * (fine.normal - hit.normal)), base.roughness);
    return out;
}

fn strip_surface(hit: Hit, material: Material) -> Surface {
    return plain(material.low, hit.normal, 0.9);
}
