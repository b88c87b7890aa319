// Lighting by roughness and metal: a sun behind traced shadows, lamps, and light from all around. In: a hit, how it looks,
// and how much of the sun it sees. Out: linear light towards the eye.

// Reflected share at the normal of what is no metal.
const PLAIN: f32 = 0.04;
const PI: f32 = 3.14159265;

// Light of unit strength from `l`, already times the cosine: Lambert's diffuse and a GGX lobe (Walter et al. 2007) with
// Schlick's Fresnel term (1994) and the visibility of Hammon (2017).
fn reflected(looks: Surface, v: vec3<f32>, l: vec3<f32>) -> vec3<f32> {
    let n = looks.normal;
    let facing = dot(n, l);
    let nl = max(facing, 0.0);
    let nv = max(dot(n, v), 1e-3);
    let h = normalize(l + v);
    let nh = max(dot(n, h), 0.0);
    let a = max(looks.roughness * looks.roughness, 0.002);
    let spread = nh * nh * (a * a - 1.0) + 1.0;
    let lobe = a * a / (PI * spread * spread);
    let seen = 0.5 / max(mix(2.0 * nl * nv, nl + nv, a), 1e-4);
    let base = mix(vec3<f32>(PLAIN), looks.colour, looks.metal);
    let fresnel = base + (1.0 - base) * pow(1.0 - max(dot(v, h), 0.0), 5.0);
    let diffuse = looks.colour * (1.0 - looks.metal) / PI;
    let through = looks.colour * looks.through * max(-facing, 0.0) / PI;
    return (diffuse * (1.0 - fresnel) + fresnel * min(lobe * seen, 60.0)) * nl + through;
}

fn lamp(light: Light, hit: Hit, looks: Surface, v: vec3<f32>) -> vec3<f32> {
    let to = light.position - hit.position;
    let square = dot(to, to);
    let reach = light.reach * light.reach;
    if square >= reach {
        return vec3<f32>(0.0);
    }
    // Falls with the square of distance, and to nothing at its reach (Karis 2013).
    let share = square / reach;
    let window = 1.0 - share * share;
    return light.colour * (window * window / (square + 0.25)) * reflected(looks, v, to * inverseSqrt(max(square, 1e-8)));
}

fn lamps(hit: Hit, looks: Surface, v: vec3<f32>) -> vec3<f32> {
    var sum = vec3<f32>(0.0);
    if is_on(LIGHT_LISTS) {
        let list = list_of(cell_of(hit.pixel, dot(hit.position - view.eye, view.forward)));
        let count = light_lists[list];
        for (var i = 0u; i < count; i++) {
            sum += lamp(lights[light_lists[list + 1u + i]], hit, looks, v);
        }
    } else {
        for (var i = 0u; i < view.lights; i++) {
            sum += lamp(lights[i], hit, looks, v);
        }
    }
    return sum;
}

fn lighting(hit: Hit, looks: Surface, open: f32) -> vec3<f32> {
    let v = normalize(view.eye - hit.position);
    let l = normalize(view.light - hit.position);
    var light = sun() * open * PI * reflected(looks, v, l);
    light += lamps(hit, looks, v);
    // From all around: diffuse by the normal, and what is mirrored, blurred by roughness.
    let base = mix(vec3<f32>(PLAIN), looks.colour, looks.metal);
    let nv = max(dot(looks.normal, v), 0.0);
    let edge = max(vec3<f32>(1.0 - looks.roughness), base) - base;
    let mirrored = base + edge * pow(1.0 - nv, 5.0);
    let around = looks.colour * (1.0 - looks.metal) * ambient(looks.normal);
    let image = ambient(reflect(-v, looks.normal)) * mirrored;
    return haze(light + around + image + looks.glow, hit.position);
}
