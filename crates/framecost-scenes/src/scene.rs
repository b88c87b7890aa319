//! Scenes as data: what a scene is made of, and how it stands at a frame. In: seeds and a frame's index.
//! Out: buffers ready for any device. Nothing here knows a GPU API.

pub mod bvh;
mod camera;
pub mod crowd;
mod draws;
mod figures;
mod mesh;
pub mod orrery;
pub mod pbr_sweep;
mod random;
mod shapes;
mod stage;
pub mod texture_wall;
mod textures;
pub mod town;
mod turn;
mod turning;

use bytemuck::{Pod, Zeroable};

pub use camera::Camera;
pub use draws::{Draw, Draws, MeshEntry, PHASES};
use framecost_harness::stable_hash as hash;
pub use mesh::{Level, Mesh, Meshes, Vertex};
pub use textures::Textures;

/// A ball of 20 * 4^splits triangles, for tests of other modules.
#[cfg(test)]
pub(crate) fn test_ball(splits: u32) -> mesh::Surface {
    mesh::sphere(splits)
}

/// Seeded random numbers, for tests of other modules.
#[cfg(test)]
pub(crate) const fn random(seed: u64) -> random::Random {
    random::Random::new(seed)
}

/// A thing to draw, as its buffer holds it: what stays the same from frame to frame.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Instance {
    /// Index into [`Meshes::meshes`].
    pub mesh: u32,
    /// Index into the materials.
    pub material: u32,
    /// Shifts its pattern, so that two of one material differ.
    pub seed: u32,
    /// The instance that may stand between it and the light; itself if none does.
    pub shade: u32,
    /// Thickness along the normals: a ring's tube.
    pub inflate: f32,
    /// Scale of its mesh along each of the mesh's own axes, before radius and rotation.
    pub stretch: [f32; 3],
}

impl Instance {
    /// Radius of a ball around its place that holds it.
    #[must_use]
    pub const fn bound(&self, at: &Placement) -> f32 {
        let [x, y, z] = self.stretch;
        at.radius * x.max(y).max(z) + self.inflate
    }
}

/// A light that shines from a point, as its buffer holds it: nothing beyond its reach is lit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Light {
    /// Where it is.
    pub position: [f32; 3],
    /// How far it reaches; its light falls to nothing there.
    pub reach: f32,
    /// Its light at distance one.
    pub colour: [f32; 3],
    /// Keeps the layout that WGSL has.
    pub unused: f32,
}

/// Where an instance stands in a frame, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Placement {
    /// Its centre in the world.
    pub position: [f32; 3],
    /// Scale of its mesh.
    pub radius: f32,
    /// Unit quaternion x, y, z, w.
    pub rotation: [f32; 4],
}

/// How a surface looks, as its buffer holds it. A pattern value from 0 to 1 runs over three colours; see the scene's
/// WGSL for the formula.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Material {
    /// Colour at pattern 0, linear.
    pub low: [f32; 3],
    /// Pattern below which the surface is liquid and glossy.
    pub sea: f32,
    /// Colour at pattern 0.5.
    pub mid: [f32; 3],
    /// Sine of the latitude beyond which ice lies; 2 for none.
    pub ice: f32,
    /// Colour at pattern 1.
    pub high: [f32; 3],
    /// Size of the pattern: features per radius.
    pub frequency: f32,
    /// Colour of the air at the rim.
    pub air: [f32; 3],
    /// Share of clouds.
    pub clouds: f32,
    /// Bands from pole to pole, in radians of the pattern.
    pub bands: f32,
    /// How far the noise moves the pattern, in radians.
    pub warp: f32,
    /// Relief: how far the noise tilts the normal.
    pub bump: f32,
    /// Exponent of the highlight; 0 for none.
    pub gloss: f32,
    /// Light of its own, over its colour.
    pub glow: f32,
    /// 1 for metal: its highlight has its colour, and it mirrors the sky.
    pub metal: f32,
    /// Octaves of noise.
    pub octaves: u32,
    /// Graduations engraved around a ring; 0 for none.
    pub ticks: u32,
    /// Which of the scene's formulas draws it.
    pub kind: u32,
    /// Its layer of the scene's textures.
    pub layer: u32,
    /// How often the texture repeats, a unit of length.
    pub tiling: f32,
    /// Scale of the texture's roughness.
    pub roughness: f32,
}

impl Material {
    /// A row of daylight scenes: one colour over a texture that repeats every so many metres.
    pub(crate) fn textured(kind: u32, layer: u32, metres: f32, colour: [f32; 3]) -> Self {
        Self {
            low: colour,
            mid: colour,
            high: colour,
            bump: 1.0,
            kind,
            layer,
            tiling: 1.0 / metres,
            roughness: 1.0,
            ..Self::zeroed()
        }
    }
}

/// A strip that the bend pass shapes, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Strip {
    /// Which of the frame's anchors carries it.
    pub anchor: u32,
    /// [`Strip::TAIL`], [`Strip::RING`] or [`Strip::FLAG`].
    pub kind: u32,
    /// A tail's place around its axis in radians; a ring's or a flag's phase.
    pub angle: f32,
    /// A tail's distance from its axis; a ring's radius; the height of a flag's waves. In anchor sizes.
    pub reach: f32,
    /// Half its width, in anchor sizes.
    pub half_width: f32,
    /// A tail's or a flag's length, a ring's wave height. In anchor sizes.
    pub stretch: f32,
    /// Index into the materials.
    pub material: u32,
    /// The instance that may stand between it and the light.
    pub shade: u32,
}

impl Strip {
    /// Streams away from the sun.
    pub const TAIL: u32 = 0;
    /// Runs around its anchor.
    pub const RING: u32 = 1;
    /// Cloth that hangs by its start and waves in the wind.
    pub const FLAG: u32 = 2;
}

/// A strip's vertex at rest, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Rest {
    /// Index into the strips.
    pub strip: u32,
    /// From 0 at its start to 1 at its end.
    pub along: f32,
    /// -1 on one edge, 1 on the other.
    pub side: f32,
    /// Keeps the layout that WGSL has.
    pub unused: f32,
}

/// What carries strips in a frame, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Anchor {
    /// Where they start.
    pub origin: [f32; 3],
    /// Length of one anchor size in the world.
    pub size: f32,
    /// A tail's or a flag's way; a ring plane's first axis. Of unit length.
    pub x: [f32; 3],
    /// Keeps the layout that WGSL has.
    pub unused: f32,
    /// A tail's drag, square to `x`; a flag's edge; a ring plane's second axis. Of unit length.
    pub y: [f32; 3],
    /// Keeps the layout that WGSL has.
    pub unused_too: f32,
}

/// All that is made once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// Shapes.
    pub meshes: Meshes,
    /// Things to draw: first those that move, then those that stand still.
    pub instances: Vec<Instance>,
    /// How many of them move: a [`Moment`] says where.
    pub moving: usize,
    /// Where those stand that do not move.
    pub placements: Vec<Placement>,
    /// Lights that shine from points.
    pub lights: Vec<Light>,
    /// Pictures of surfaces, which the scene's WGSL samples.
    pub textures: Textures,
    /// Looks.
    pub materials: Vec<Material>,
    /// Strips that the bend pass shapes.
    pub strips: Vec<Strip>,
    /// Their vertices.
    pub rest: Vec<Rest>,
    /// Their triangles, over `rest`.
    pub strip_indices: Vec<u32>,
}

/// How the scene stands at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Injected time in seconds: the frame's index over 60.
    pub time: f32,
    /// The eye.
    pub camera: Camera,
    /// The place of each instance that moves.
    pub placements: Vec<Placement>,
    /// Each anchor's place.
    pub anchors: Vec<Anchor>,
    /// Where the light is.
    pub light: [f32; 3],
    /// Its radius.
    pub light_radius: f32,
    /// Share of the light's disc that no body covers from the eye.
    pub light_seen: f32,
}

/// A scene: content made once from seeds, and its state at any frame, in any order.
pub trait World: Send + Sync {
    /// What is made once.
    fn content(&self) -> &Content;

    /// The scene at `frame`. The same index is the same moment in every run and on every adapter.
    fn moment(&self, frame: u64) -> Moment;

    /// WGSL of its surfaces and its sky: `surface`, `strip_surface`, `sky` and more, as `shared/surface.wgsl` wants them.
    fn shader(&self) -> &'static str;

    /// WGSL of how light falls: `lighting`, as `shared/daylight.wgsl` has it.
    fn lighting(&self) -> &'static str {
        include_str!("shared/daylight.wgsl")
    }

    /// Every seed, count and length that the picture hangs on, as text: it goes into the run's settings hash.
    fn settings(&self) -> String;
}

/// What a scene's picture hangs on, as [`World::settings`] wants it: its content, and its camera's path.
fn settings_of(name: &str, content: &Content, frames: u64, path: &[camera::Key]) -> String {
    let path = hash(format!("{path:?}").as_bytes());
    format!("{name} content {:016x} frames {frames} path {path:016x}", content.hash())
}

impl Content {
    /// Adds a strip of so many segments, with its vertices at rest and its triangles.
    fn strip(&mut self, strip: Strip, segments: u32) {
        let (first, number) = (stage::index(self.rest.len()), stage::index(self.strips.len()));
        self.strips.push(strip);
        for i in 0..=segments {
            let along = (f64::from(i) / f64::from(segments)) as f32;
            self.rest.extend([-1.0, 1.0].map(|side| Rest { strip: number, along, side, unused: 0.0 }));
        }
        for i in 0..segments {
            let a = first + 2 * i;
            self.strip_indices.extend([a, a + 1, a + 2, a + 2, a + 1, a + 3]);
        }
    }

    /// Where each instance stands when those that move stand at `moving`.
    #[must_use]
    pub fn placed(&self, moving: &[Placement]) -> Vec<Placement> {
        [moving, &self.placements].concat()
    }

    /// Hash of every buffer made once: the same on every machine, pinned by a test.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let levels: Vec<u32> = self
            .meshes
            .meshes
            .iter()
            .flat_map(|mesh| &mesh.levels)
            .flat_map(|level| [level.first_index, level.indices, level.base_vertex.cast_unsigned()])
            .collect();
        let borders: Vec<f32> = self.meshes.meshes.iter().flat_map(|mesh| mesh.borders.clone()).collect();
        let parts: [&[u8]; 14] = [
            &(self.moving as u64).to_le_bytes(),
            bytemuck::cast_slice(&self.placements),
            bytemuck::cast_slice(&self.lights),
            &self.textures.colours,
            &self.textures.reliefs,
            bytemuck::cast_slice(&borders),
            bytemuck::cast_slice(&self.meshes.vertices),
            bytemuck::cast_slice(&self.meshes.indices),
            bytemuck::cast_slice(&levels),
            bytemuck::cast_slice(&self.instances),
            bytemuck::cast_slice(&self.materials),
            bytemuck::cast_slice(&self.strips),
            bytemuck::cast_slice(&self.rest),
            bytemuck::cast_slice(&self.strip_indices),
        ];
        hash(bytemuck::cast_slice(&parts.map(hash)))
    }
}
