// How a vertex comes to its place: the same text in every pass that draws it, so that depths are equal to the last bit.

fn placed(id: u32, position: vec3<f32>, normal: vec3<f32>) -> vec3<f32> {
    let at = placements[id];
    let local = at.radius * (stretch(id) * position) + instances[id].inflate * normal;
    return at.position + turned(at.rotation, local);
}

// A mesh's normal in the world.
fn placed_normal(id: u32, normal: vec3<f32>) -> vec3<f32> {
    return turned(placements[id].rotation, normalize(normal / stretch(id)));
}

fn clip(world: vec3<f32>) -> vec4<f32> {
    return view.clip_from_world * vec4<f32>(world, 1.0);
}
