// The scene's pictures of surfaces. Gradients are given, since surfaces branch.

@group(2) @binding(0) var colours: texture_2d_array<f32>;
@group(2) @binding(1) var reliefs: texture_2d_array<f32>;
@group(2) @binding(2) var repeating: sampler;

// Linear colour, and roughness in alpha.
fn colour_of(layer: u32, uv: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32> {
    return textureSampleGrad(colours, repeating, uv, layer, ddx, ddy);
}

// Normal (x along u, y along v, z out of the surface), and height in alpha.
fn relief_of(layer: u32, uv: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32> {
    let texel = textureSampleGrad(reliefs, repeating, uv, layer, ddx, ddy);
    return vec4<f32>(texel.xyz * 2.0 - 1.0, texel.a);
}
