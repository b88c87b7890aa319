// Rays through the trees of boxes. In: group 1 with nodes and corners, the roots and the anchor in the view. Out:
// `occluded` and `closest`. A ray's origin is relative to view.anchor, its direction of unit length. Twin: cpu/trace.rs.

@group(1) @binding(0) var<storage, read> nodes: array<Node>;
@group(1) @binding(1) var<storage, read> corners: array<Corner>;

struct Struck {
    // Whose triangle; NONE for what bends.
    instance: u32,
    // Three times this is its first corner; NONE where nothing was met.
    triangle: u32,
    distance: f32,
}

// A ray in the space of a tree.
struct Local {
    origin: vec3<f32>,
    direction: vec3<f32>,
    inverse: vec3<f32>,
    // How far inflation moves a corner, for each unit of its normal.
    pad: vec3<f32>,
}

// Beyond every distance.
const FAR: f32 = 3.0e38;

// Neighbouring triangles share this much of an edge, so that no ray slips through between them.
const OVERLAP: f32 = 1e-5;

fn local_of(origin: vec3<f32>, direction: vec3<f32>, pad: vec3<f32>) -> Local {
    // Finite, since products of zero with infinity would be neither in nor out.
    let safe = select(direction, vec3<f32>(1e-20), abs(direction) < vec3<f32>(1e-20));
    return Local(origin, direction, 1.0 / safe, pad);
}

// The ray in the space of an instance's mesh. Its direction is not of unit length there, so that distances stay what
// they are.
fn entered(id: u32, origin: vec3<f32>, direction: vec3<f32>) -> Local {
    let at = placements[id];
    let scale = stretch(id) * at.radius;
    let back = vec4<f32>(-at.rotation.xyz, at.rotation.w);
    let begin = origin - (at.position - view.anchor);
    let pad = vec3<f32>(instances[id].inflate) / scale;
    return local_of(turned(back, begin) / scale, turned(back, direction) / scale, pad);
}

// Where the ray enters the node's box; FAR if it does not before `most`.
fn entry(ray: Local, node: Node, most: f32) -> f32 {
    let a = (node.lo - ray.pad - ray.origin) * ray.inverse;
    let b = (node.hi + ray.pad - ray.origin) * ray.inverse;
    let first = min(a, b);
    let last = max(a, b);
    let near = max(max(first.x, first.y), max(first.z, 0.0));
    // Wider by the roundings on the way (Ize 2013), so that no box is missed by a last bit.
    let far = min(min(last.x, last.y), min(last.z, most)) * 1.0000005;
    return select(FAR, near, near <= far);
}

fn corner_of(ray: Local, place: u32) -> vec3<f32> {
    let corner = corners[place];
    return corner.place + unpack4x8snorm(corner.normal).xyz * ray.pad;
}

// Where the ray meets a triangle before `most` (Moeller and Trumbore 1997); FAR if it does not. Both sides count.
fn crossing(ray: Local, triangle: u32, most: f32) -> f32 {
    let a = corner_of(ray, 3u * triangle);
    let ab = corner_of(ray, 3u * triangle + 1u) - a;
    let ac = corner_of(ray, 3u * triangle + 2u) - a;
    let p = cross(ray.direction, ac);
    let volume = dot(ab, p);
    if volume == 0.0 {
        return FAR;
    }
    let to = ray.origin - a;
    let u = dot(to, p) / volume;
    let q = cross(to, ab);
    let v = dot(ray.direction, q) / volume;
    let distance = dot(ac, q) / volume;
    let inside = u >= -OVERLAP && v >= -OVERLAP && u + v <= 1.0 + OVERLAP;
    return select(FAR, distance, inside && distance > 0.0 && distance < most);
}

// The nearest triangle of one tree before `most`; any, if `any` is enough.
fn walk(root: u32, origin: vec3<f32>, direction: vec3<f32>, most: f32, any: bool) -> Struck {
    var best = Struck(NONE, NONE, most);
    if root == NONE {
        return best;
    }
    var here = nodes[root];
    if here.left == NONE {
        return best;
    }
    let outer = local_of(origin, direction, vec3<f32>(0.0));
    var local = outer;
    // Leaves of the tree of what bends hold triangles at once; those of the others hold trees.
    var deep = root == view.roots.z;
    var instance = NONE;
    // The builders bound the depth of every tree, so that this is enough.
    var stack: array<u32, STACK>;
    var height = 0u;
    var ground = 0u;
    loop {
        if (here.left & LEAF) == 0u {
            let left = nodes[here.left];
            let right = nodes[here.right];
            let to_left = entry(local, left, best.distance);
            let to_right = entry(local, right, best.distance);
            if min(to_left, to_right) < FAR {
                let right_first = to_right < to_left;
                if max(to_left, to_right) < FAR {
                    stack[height] = select(here.right, here.left, right_first);
                    height++;
                }
                if right_first {
                    here = right;
                } else {
                    here = left;
                }
                continue;
            }
        } else if deep {
            let first = here.left & ~LEAF;
            for (var triangle = first; triangle < first + here.right; triangle++) {
                let distance = crossing(local, triangle, best.distance);
                if distance < FAR {
                    best = Struck(instance, triangle, distance);
                    if any {
                        return best;
                    }
                }
            }
        } else {
            instance = here.left & ~LEAF;
            local = entered(instance, origin, direction);
            deep = true;
            ground = height;
            here = nodes[here.right];
            continue;
        }
        if height == 0u {
            break;
        }
        // All that was put off inside the instance is done: the ray is outside again.
        if deep && height == ground {
            deep = false;
            local = outer;
        }
        height--;
        here = nodes[stack[height]];
    }
    return best;
}

// Whether anything is on the ray before `most`.
fn occluded(origin: vec3<f32>, direction: vec3<f32>, most: f32) -> bool {
    for (var tree = 0u; tree < 3u; tree++) {
        if walk(view.roots[tree], origin, direction, most, true).triangle != NONE {
            return true;
        }
    }
    return false;
}

// The nearest triangle on the ray before `most`.
fn closest(origin: vec3<f32>, direction: vec3<f32>, most: f32) -> Struck {
    var best = Struck(NONE, NONE, most);
    for (var tree = 0u; tree < 3u; tree++) {
        let struck = walk(view.roots[tree], origin, direction, best.distance, false);
        if struck.triangle != NONE {
            best = struck;
        }
    }
    return best;
}
