// What every pass shares: the structs of scene.rs and view.rs as WGSL sees them, and the bindings of group 0.
// `PASS`, the pass's place in the list of frame.rs, is put before this text.

struct View {
    clip_from_world: mat4x4<f32>,
    eye: vec3<f32>,
    time: f32,
    // Unit vectors of the camera, and half the size of the image at distance one.
    right: vec3<f32>,
    half_width: f32,
    up: vec3<f32>,
    half_height: f32,
    forward: vec3<f32>,
    // Angle that one pixel covers in the middle of the image, in radians.
    pixel: f32,
    // Left, right, bottom, top, near: inward normals of unit length.
    planes: array<vec4<f32>, 5>,
    light: vec3<f32>,
    light_radius: f32,
    light_seen: f32,
    // Always zero, which the compiler cannot know: repeated work adds it, so that no repetition is taken out.
    zero: f32,
    instances: u32,
    // Bits: CULLING and so on.
    switches: u32,
    // The camera of the frame before, whose depth the pyramid holds when a frame begins; `before` is 0 if there is none.
    before_eye: vec3<f32>,
    near: f32,
    before_right: vec3<f32>,
    before: u32,
    before_up: vec3<f32>,
    lights: u32,
    before_forward: vec3<f32>,
    // The first so many instances move.
    moving: u32,
    // Origin of the trees of rays in the world.
    anchor: vec3<f32>,
    width: u32,
    // Roots of the trees of rays: what stands still, what moves, what bends.
    roots: vec3<u32>,
    height: u32,
    // How often each pass repeats its work, four passes a vector.
    loads: array<vec4<u32>, 4>,
}

struct Instance {
    mesh: u32,
    material: u32,
    seed: u32,
    shade: u32,
    inflate: f32,
    // Of the mesh along its own axes; scalars, since a vector would start at a multiple of sixteen bytes.
    stretch_x: f32,
    stretch_y: f32,
    stretch_z: f32,
}

// A light that shines from a point; nothing beyond its reach is lit.
struct Light {
    position: vec3<f32>,
    reach: f32,
    colour: vec3<f32>,
    unused: f32,
}

struct Placement {
    position: vec3<f32>,
    radius: f32,
    rotation: vec4<f32>,
}

struct Material {
    low: vec3<f32>,
    sea: f32,
    mid: vec3<f32>,
    ice: f32,
    high: vec3<f32>,
    frequency: f32,
    air: vec3<f32>,
    clouds: f32,
    bands: f32,
    warp: f32,
    bump: f32,
    gloss: f32,
    glow: f32,
    metal: f32,
    octaves: u32,
    ticks: u32,
    kind: u32,
    layer: u32,
    tiling: f32,
    roughness: f32,
}

struct Strip {
    anchor: u32,
    kind: u32,
    angle: f32,
    reach: f32,
    half_width: f32,
    stretch: f32,
    material: u32,
    shade: u32,
}

// A strip's vertex as the bend pass leaves it; scalars, since a vertex buffer has no gaps.
struct Bent {
    x: f32,
    y: f32,
    z: f32,
    along: f32,
    normal_x: f32,
    normal_y: f32,
    normal_z: f32,
    strip: u32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> placements: array<Placement>;
@group(0) @binding(3) var<storage, read> materials: array<Material>;
@group(0) @binding(4) var<storage, read> strips: array<Strip>;
@group(0) @binding(5) var<storage, read> lights: array<Light>;

fn is_on(flag: u32) -> bool {
    return (view.switches & flag) != 0u;
}

fn stretch(id: u32) -> vec3<f32> {
    let instance = instances[id];
    return vec3<f32>(instance.stretch_x, instance.stretch_y, instance.stretch_z);
}

// Radius of a ball that holds the instance.
fn bound(id: u32) -> f32 {
    let instance = instances[id];
    let longest = max(max(instance.stretch_x, instance.stretch_y), instance.stretch_z);
    return placements[id].radius * longest + instance.inflate;
}

// How often this pass repeats its work.
fn load() -> u32 {
    return view.loads[PASS / 4u][PASS % 4u];
}

// `v` turned by the unit quaternion `q`.
fn turned(q: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let t = 2.0 * cross(q.xyz, v);
    return v + q.w * t + cross(q.xyz, t);
}
