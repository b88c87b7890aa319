// What a scene's WGSL gives to lighting. Every scene defines, over these structs:
//   surface(hit: Hit, material: Material) -> Surface       how an instance looks at a point
//   strip_surface(hit: Hit, material: Material) -> Surface how a strip looks at a point
//   sky(direction: vec3<f32>) -> vec3<f32>                 what lies behind everything
// and, for shared/daylight.wgsl, which most take as their lighting:
//   sun() -> vec3<f32>                                     the main light on a surface that faces it
//   ambient(normal: vec3<f32>) -> vec3<f32>                the light from all around on a surface with that normal
//   haze(colour: vec3<f32>, position: vec3<f32>) -> vec3<f32> what the air leaves of a colour on its way to the eye

struct Hit {
    // In the world.
    position: vec3<f32>,
    normal: vec3<f32>,
    // In the mesh: within the unit sphere. For strips: along, across, 0.
    local: vec3<f32>,
    // How `local` changes from pixel to pixel, to the right and down.
    local_dx: vec3<f32>,
    local_dy: vec3<f32>,
    // The mesh's normal before stretch and rotation.
    local_normal: vec3<f32>,
    // Of the mesh along its own axes; times radius, a length of `local` in the world.
    stretch: vec3<f32>,
    // Size of the instance in the world.
    radius: f32,
    // Turns the mesh into the world.
    rotation: vec4<f32>,
    seed: u32,
    // The instance that may stand between it and the light; NONE for none.
    shade: u32,
    // Where in the image, in pixels.
    pixel: vec2<f32>,
}

const NONE: u32 = 0xffffffffu;

struct Surface {
    colour: vec3<f32>,
    // Unit normal after relief.
    normal: vec3<f32>,
    // Light of its own.
    glow: vec3<f32>,
    // Colour of the air at the rim.
    air: vec3<f32>,
    // Exponent of the highlight, 0 for none: for lighting that knows no roughness.
    gloss: f32,
    // 0 for a mirror, 1 for chalk.
    roughness: f32,
    metal: f32,
    // Share of light that comes through from behind.
    through: f32,
    // How much of what lies behind it is covered.
    cover: f32,
}
