// culling_one: leaves out what the camera cannot see, and puts off what the frame before hid. In: instances, placements,
// the pyramid as the frame before left it. Out: the ids that the first phase draws, a list per draw, and those put off.
// What it puts off may be wrong: culling_two looks again. Twin: cpu/culling_one.rs.

@compute @workgroup_size(64)
fn reset(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&draws) {
        atomicStore(&draws[id.x].instances, 0u);
    }
    if id.x == 0u {
        atomicStore(&later.count, 0u);
    }
}

@compute @workgroup_size(64)
fn cull(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= view.instances {
        return;
    }
    let bound = bound(id.x);
    let before = Eye(view.before_eye, view.before_right, view.before_up, view.before_forward);
    let looks_back = is_on(OCCLUSION) && view.before == 1u;
    var left_out = false;
    var put_off = false;
    for (var i = 0u; i < load(); i++) {
        let centre = placements[id.x].position + vec3<f32>(f32(i) * view.zero);
        left_out = left_out || (is_on(CULLING) && outside(centre, bound));
        put_off = put_off || (looks_back && hidden(before, centre, bound));
    }
    // The fault leaves out a few things that nothing hides.
    left_out = left_out || (is_on(CULLING_FAULT) && id.x % 97u == 5u);
    if left_out {
        return;
    }
    if put_off {
        later.ids[atomicAdd(&later.count, 1u)] = id.x;
    } else {
        draw_in(0u, id.x, bound);
    }
}
