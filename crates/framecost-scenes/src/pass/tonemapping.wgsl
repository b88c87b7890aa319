// tonemapping: puts the sky behind the shaded samples, adds the light's glare, and maps linear light to the display.

@group(1) @binding(0) var shaded: texture_2d<f32>;
@group(1) @binding(1) var image: texture_storage_2d<rgba8unorm, write>;

// What a lens scatters of the light's own brightness.
fn glare(direction: vec3<f32>) -> vec3<f32> {
    let to = view.light - view.eye;
    let away = length(to);
    let cosine = clamp(dot(direction, to / away), -1.0, 1.0);
    let angle = acos(cosine) / max(view.light_radius / away, 1e-4);
    let near = 1.0 / (1.0 + angle * angle);
    let wide = 1.0 / (1.0 + 0.08 * angle * angle);
    return view.light_seen * (vec3<f32>(1.0, 0.62, 0.25) * near * near * 1.1 + vec3<f32>(1.0, 0.50, 0.22) * wide * wide * 0.09);
}

// Fitted filmic curve (Narkowicz 2015), on light scaled so that its middle stays put.
fn filmic(x: vec3<f32>) -> vec3<f32> {
    let s = x * 0.8;
    return clamp((s * (2.51 * s + 0.03)) / (s * (2.43 * s + 0.59) + 0.14), vec3<f32>(0.0), vec3<f32>(1.0));
}

// To sRGB code values (IEC 61966-2-1).
fn encoded(x: vec3<f32>) -> vec3<f32> {
    return select(1.055 * pow(x, vec3<f32>(1.0 / 2.4)) - 0.055, 12.92 * x, x <= vec3<f32>(0.0031308));
}

// Half a step to either side, by Bayer's matrix of 4 x 4 (1973): hides the steps of eight bits in dark gradients, and
// packs better than noise.
fn dither(at: vec2<u32>) -> f32 {
    let x = at.x ^ at.y;
    let step = ((x & 1u) << 3u) | ((at.y & 1u) << 2u) | (x & 2u) | ((at.y & 2u) >> 1u);
    return (f32(step) + 0.5) / 16.0 - 0.5;
}

@compute @workgroup_size(8, 8)
fn tonemapping(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= view.width || id.y >= view.height {
        return;
    }
    let size = vec2<f32>(f32(view.width), f32(view.height));
    let at = ((vec2<f32>(id.xy) + 0.5) / size * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    let texel = textureLoad(shaded, id.xy, 0);
    var out = vec3<f32>(0.0);
    for (var i = 0u; i < load(); i++) {
        let lens = at + f32(i) * view.zero;
        let ray = view.forward + view.right * (lens.x * view.half_width) + view.up * (lens.y * view.half_height);
        let direction = normalize(ray);
        var light = texel.rgb + glare(direction);
        if texel.a < 1.0 {
            light += sky(direction) * (1.0 - texel.a);
        }
        out = max(out, encoded(filmic(light)));
    }
    textureStore(image, id.xy, vec4<f32>(out + dither(id.xy) / 255.0, 1.0));
}
