// culling_two: looks again at what culling_one put off, against this frame's own depth. In: the ids put off, the pyramid
// of the first phase's depth. Out: the ids that the second phase draws. Twin: cpu/culling_two.rs.

@compute @workgroup_size(64)
fn cull(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= atomicLoad(&later.count) {
        return;
    }
    let instance = later.ids[id.x];
    let bound = bound(instance);
    let eye = Eye(view.eye, view.right, view.up, view.forward);
    var out_of_sight = false;
    for (var i = 0u; i < load(); i++) {
        let centre = placements[instance].position + vec3<f32>(f32(i) * view.zero);
        out_of_sight = out_of_sight || hidden(eye, centre, bound);
    }
    if !out_of_sight {
        draw_in(1u, instance, bound);
    }
}
