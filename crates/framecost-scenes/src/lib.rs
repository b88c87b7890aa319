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

/// Every reference scene: whoever adds one writes its file under `scene/` and one line here.
static REFERENCES: &[&Reference] = &[
    &scene::orrery::ORRERY,
    &scene::town::TOWN,
    &scene::crowd::CROWD,
    &scene::pbr_sweep::PBR_SWEEP,
    &scene::texture_wall::TEXTURE_WALL,
];

/// Every reference scene as the harness takes it.
#[must_use]
pub fn all() -> &'static [&'static dyn Benchmark] {
    static ALL: LazyLock<Vec<&dyn Benchmark>> =
        LazyLock::new(|| REFERENCES.iter().map(|&scene| scene as &dyn Benchmark).collect());
    &ALL
}

/// What a device must allow: culling and the building of trees bind more buffers at once than wgpu's default allows.
#[must_use]
pub fn limits() -> wgpu::Limits {
    wgpu::Limits { max_storage_buffers_per_shader_stage: 12, ..wgpu::Limits::default() }
}

/// A reference scene: a world drawn by the frame's list of passes.
#[derive(Debug)]
pub struct Reference {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Length of its path.
    pub(crate) frames: u64,
    /// Frames of a first look: fewer where a software renderer takes seconds a frame.
    pub(crate) quick_frames: u64,
    /// What [`World::settings`] says, written down, since it takes the whole content to compute: held against it by a test.
    pub(crate) settings: &'static str,
    pub(crate) world: fn() -> &'static dyn World,
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
            quick_frames: self.quick_frames,
            limits: limits(),
            without: without.collect(),
            metrics: vec![counts::full_lists()],
            settings: format!("{}, {} samples a pixel", self.settings, targets::SAMPLES),
            ..SceneInfo::new(self.name, &names)
        }
    }

    fn load(&self, gpu: &Gpu, setup: &Setup) -> Result<Box<dyn Scene>, SceneError> {
        Ok(Box::new(self.engine(gpu, setup)?))
    }
}
