// What a scene's WGSL gives to lighting. Every scene defines, over these structs:
//   surface(hit: Hit, material: Material) -> Surface      how an instance looks at a point
//   strip_surface(hit: Hit, material: Material) -> Surface how a strip looks at a point
//   sky(direction: vec3<f32>) -> vec3<f32>                 what lies behind everything

struct Hit {
    // In the world.
    position: vec3<f32>,
    normal: vec3<f32>,
    // In the mesh: within the unit sphere. For strips: along, across, 0.
    local: vec3<f32>,
    seed: u32,
    // Size of the instance in the world.
    radius: f32,
}

struct Surface {
    colour: vec3<f32>,
    // Unit normal after relief.
    normal: vec3<f32>,
    // Light of its own.
    glow: vec3<f32>,
    // Colour of the air at the rim.
    air: vec3<f32>,
    // Exponent of the highlight, 0 for none.
    gloss: f32,
    metal: f32,
    // Share of light that comes through from behind.
    through: f32,
    // How much of what lies behind it is covered.
    cover: f32,
}
