//! The reference renderer and its scenes: a workload with known passes, seeded content and fixed camera paths, whose cost
//! means something. In: a device and switches. Out: frames, timed through framecost's harness.
//!
//! - `frame.rs` is the frame: one list of passes, the only place where one is named;
//! - `pass/` holds one file for each, its WGSL beside it; `cpu/` holds the twin of each compute pass;
//! - `scene/` makes content from seeds and says where everything stands at a frame, without a GPU;
//! - `engine.rs` executes the list: the one place that opens a pass, hence the one place that is timed.

mod buffers;
mod cells;
mod counts;
pub mod cpu;
pub mod engine;
pub mod frame;
pub mod image;
mod pass;
mod pictures;
mod pyramid;
mod rays;
pub mod scene;
mod switches;
mod targets;
#[cfg(test)]
mod tests;
pub mod view;

use std::sync::LazyLock;

use framecost_harness::{Benchmark, Gate, Gpu, Scene, SceneError, SceneInfo, Setup, SwitchDef, Without};

use engine::{Engine, load_switch};
use frame::{FRAME, MAIN_PASS};
use scene::World;
use scene::crowd::{self, Crowd};
use scene::orrery::{self, Orrery};
use scene::pbr_sweep::{self, PbrSweep};
use scene::texture_wall::{self, TextureWall};
use scene::town::{self, Town};

/// Every reference scene.
#[must_use]
pub fn references() -> &'static [&'static Reference] {
    static ALL: [&Reference; 5] = [&ORRERY, &TOWN, &CROWD, &PBR_SWEEP, &TEXTURE_WALL];
    &ALL
}

/// Every reference scene as the harness takes it.
#[must_use]
pub fn all() -> &'static [&'static dyn Benchmark] {
    static ALL: LazyLock<Vec<&dyn Benchmark>> =
        LazyLock::new(|| references().iter().map(|&scene| scene as &dyn Benchmark).collect());
    &ALL
}

/// The scene that [`scene::orrery`] makes.
pub static ORRERY: Reference = Reference {
    name: "orrery",
    about: "a sun, planets on brass rings, moons and rocks by the thousand, comets: many small moving instances, one light",
    frames: orrery::FRAMES,
    world: || {
        static WORLD: LazyLock<Orrery> = LazyLock::new(Orrery::new);
        &*WORLD
    },
};

/// The scene that [`scene::town`] makes.
pub static TOWN: Reference = Reference {
    name: "town",
    about: "a town in the last light of an afternoon: two hundred thousand pieces, ten thousand of them moving, street lamps, long shadows",
    frames: town::FRAMES,
    world: || {
        static WORLD: LazyLock<Town> = LazyLock::new(Town::new);
        &*WORLD
    },
};

/// The scene that [`scene::crowd`] makes.
pub static CROWD: Reference = Reference {
    name: "crowd",
    about: "a square full of people on their ways under banners at dusk: nearly everything moves, few meshes",
    frames: crowd::FRAMES,
    world: || {
        static WORLD: LazyLock<Crowd> = LazyLock::new(Crowd::new);
        &*WORLD
    },
};

/// The scene that [`scene::pbr_sweep`] makes.
pub static PBR_SWEEP: Reference = Reference {
    name: "pbr-sweep",
    about: "balls and shapes over roughness, metal and colour under a sky: many triangles, costly reflections, few instances",
    frames: pbr_sweep::FRAMES,
    world: || {
        static WORLD: LazyLock<PbrSweep> = LazyLock::new(PbrSweep::new);
        &*WORLD
    },
};

/// The scene that [`scene::texture_wall`] makes.
pub static TEXTURE_WALL: Reference = Reference {
    name: "texture-wall",
    about: "walls of large textures at every distance and grazing angle: bandwidth",
    frames: texture_wall::FRAMES,
    world: || {
        static WORLD: LazyLock<TextureWall> = LazyLock::new(TextureWall::new);
        &*WORLD
    },
};

/// What a device must allow: culling and the building of trees bind more buffers at once than wgpu's default allows.
#[must_use]
pub fn limits() -> wgpu::Limits {
    wgpu::Limits { max_storage_buffers_per_shader_stage: 12, ..wgpu::Limits::default() }
}

/// A reference scene: a world drawn by the frame's list of passes.
#[derive(Debug)]
pub struct Reference {
    name: &'static str,
    about: &'static str,
    frames: u64,
    world: fn() -> &'static dyn World,
}

impl Reference {
    /// Its name on a command line.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The world that it draws; made from its seeds when first asked for.
    #[must_use]
    pub fn world(&self) -> &'static dyn World {
        (self.world)()
    }

    /// The scene on a device.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn engine(&self, gpu: &Gpu, setup: &Setup) -> Result<Engine<'static>, SceneError> {
        Engine::new(gpu, self.world(), setup)
    }
}

impl Benchmark for Reference {
    fn info(&self) -> SceneInfo {
        let names: Vec<&str> = FRAME.iter().map(|pass| pass.name).collect();
        let loads = FRAME.iter().map(|pass| {
            let about =
                format!("repeats the work of {} so many times without changing the picture", pass.name);
            SwitchDef::number(&load_switch(pass.name), 1, 1, 64, &about)
        });
        let without = FRAME.iter().filter_map(|pass| Some(Without::new(pass.name, pass.without?, "off")));
        let (gate, from, to) = MAIN_PASS;
        SceneInfo {
            program: "framecost-scenes".into(),
            about: self.about.into(),
            gates: vec![Gate::new(gate, from, to)],
            switches: switches::defs().chain(loads).collect(),
            frames: self.frames,
            limits: limits(),
            without: without.collect(),
            metrics: vec![counts::full_lists()],
            settings: format!("{}, {} samples a pixel", self.world().settings(), targets::SAMPLES),
            ..SceneInfo::new(self.name, &names)
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        Ok(Box::new(self.engine(gpu, setup)?))
    }
}
