// shadow_mask: one ray from each pixel towards the light. In: depth samples, the trees. Out: 1 where the light reaches what
// is seen there, 0 where something is between. Twin: cpu/shadow_mask.rs.

@group(1) @binding(2) var depth_samples: texture_depth_multisampled_2d;
@group(1) @binding(3) var mask: texture_storage_2d<r32float, write>;

// Where the first of four samples lies in a pixel: what is seen there is what the depth is of.
const SAMPLE: vec2<f32> = vec2<f32>(0.375, 0.125);

// How far the drawn surface may be from the traced one, as a share of the distance: rays.rs measures it.
override COARSE: f32;

// In radii of the light from its middle: what stands nearer to it is smaller than its disc, as seen from most places, and
// has no full shadow there. The light's own surface is none either.
const NO_UMBRA: f32 = 5.0;

fn depth_at(at: vec2<i32>) -> f32 {
    return textureLoad(depth_samples, at, 0);
}

// What is seen there, relative to the anchor. Depth is reversed and reaches to infinity: near over depth is the distance
// along the view.
fn place(at: vec2<i32>, depth: f32) -> vec3<f32> {
    let size = vec2<f32>(f32(view.width), f32(view.height));
    let on_lens = ((vec2<f32>(at) + SAMPLE) / size * 2.0 - 1.0) * vec2<f32>(1.0, -1.0);
    let way = view.forward + view.right * (on_lens.x * view.half_width) + view.up * (on_lens.y * view.half_height);
    return (view.eye - view.anchor) + way * (view.near / max(depth, 1e-20));
}

// From a pixel to its neighbour along an axis: the one nearer in depth. Where there is none but sky, as if the surface
// faced the eye.
fn along(at: vec2<i32>, depth: f32, axis: vec2<i32>) -> vec3<f32> {
    let size = vec2<i32>(i32(view.width), i32(view.height));
    let before = max(at - axis, vec2<i32>(0));
    let after = min(at + axis, size - 1);
    let depth_before = depth_at(before);
    let depth_after = depth_at(after);
    let to_before = select(abs(depth_before - depth), FAR, all(before == at) || depth_before <= 0.0);
    let to_after = select(abs(depth_after - depth), FAR, all(after == at) || depth_after <= 0.0);
    if min(to_before, to_after) >= FAR {
        return select(view.up, view.right, axis.x == 1);
    }
    if to_before < to_after {
        return place(at, depth) - place(before, depth_before);
    }
    return place(after, depth_after) - place(at, depth);
}

fn open(at: vec2<i32>) -> bool {
    let depth = depth_at(at);
    if depth <= 0.0 {
        return true;
    }
    let light = view.light - view.anchor;
    let eye = view.eye - view.anchor;
    let seen = place(at, depth);
    let across = cross(along(at, depth, vec2<i32>(1, 0)), along(at, depth, vec2<i32>(0, 1)));
    var normal = across / max(length(across), 1e-30);
    // To the light's side: a thin thing that is lit from behind does not shadow itself.
    if dot(normal, light - seen) < 0.0 {
        normal = -normal;
    }
    // Along the light as well: where facets meet, the normal of neighbouring depths may lean to either.
    let way = normalize(light - seen);
    let origin = seen + (normal + way) * (COARSE * distance(seen, eye));
    let to = light - origin;
    let away = length(to);
    let most = away - NO_UMBRA * view.light_radius;
    return most <= 0.0 || !occluded(origin, to / away, most);
}

@compute @workgroup_size(8, 8)
fn shadow_mask(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= view.width || id.y >= view.height {
        return;
    }
    var out = 1.0;
    if is_on(SHADOW_RAYS) {
        out = select(0.0, 1.0, open(vec2<i32>(id.xy)));
    }
    textureStore(mask, id.xy, vec4<f32>(out, 0.0, 0.0, 0.0));
}
