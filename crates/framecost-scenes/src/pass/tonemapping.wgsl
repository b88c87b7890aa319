// tonemapping: puts the sky behind the shaded samples, adds the light's glare, and maps linear light to the display.

@group(1) @binding(0) var shaded: texture_2d<f32>;

@vertex
fn cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    // One triangle that holds the whole image.
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    return vec4<f32>(corner * 4.0 - 1.0, 0.0, 1.0);
}

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

@fragment
fn tone(@builtin(position) pixel: vec4<f32>) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(shaded));
    let at = (pixel.xy / size * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    let texel = textureLoad(shaded, vec2<u32>(pixel.xy), 0);
    var out = vec3<f32>(0.0);
    for (var i = 0u; i < load(); i++) {
        let lens = at + f32(i) * view.zero;
        let ray = view.forward + view.right * (lens.x * view.half_width) + view.up * (lens.y * view.half_height);
        let direction = normalize(ray);
        let light = texel.rgb + sky(direction) * (1.0 - texel.a) + glare(direction);
        out = max(out, encoded(filmic(light)));
    }
    // Half a step of noise hides the steps of eight bits in dark gradients.
    let grain = unit(hash3(vec3<i32>(vec2<i32>(pixel.xy), 11))) - 0.5;
    return vec4<f32>(out + grain / 255.0, 1.0);
}
