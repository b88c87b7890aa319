// The passes of depth alone: they lay down the depth of everything that will be shaded, so that lit shades each sample once.

@vertex
fn body(
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) id: u32,
) -> @builtin(position) @invariant vec4<f32> {
    return clip(placed(id, position, normal));
}

@vertex
fn strip(@location(0) position: vec3<f32>) -> @builtin(position) @invariant vec4<f32> {
    return clip(position);
}
