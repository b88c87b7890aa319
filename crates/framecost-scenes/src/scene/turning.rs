//! Scenes of things that turn where they stand, under a sun that stays and over nothing that waves. In: what is put together,
//! how each thing turns, the camera's path. Out: how the scene stands at any frame.

use glam::{DQuat, DVec3};

use super::camera::{Camera, Key};
use super::stage::{Site, Stage, placed};
use super::turn::Turn;
use super::{Content, Moment, Placement, World, settings_of};

/// Something that turns about an axis of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    pub(super) site: Site,
    pub(super) axis: DVec3,
    pub(super) start: Turn,
    /// How far a frame.
    pub(super) rate: Turn,
    pub(super) radius: f64,
}

impl Turning {
    fn at(&self, frame: u64) -> Placement {
        let (sine, cosine) = Turn(self.start.after(self.rate, frame).0 >> 1).sin_cos();
        let spin = DQuat::from_xyzw(self.axis.x * sine, self.axis.y * sine, self.axis.z * sine, cosine);
        placed(&self.site.turned(spin), self.radius)
    }
}

/// What such a scene is beside its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) name: &'static str,
    /// Length of the camera's path.
    pub(super) frames: u64,
    pub(super) keys: &'static [Key],
    pub(super) sun: DVec3,
    pub(super) sun_radius: f64,
    /// WGSL, as [`World::shader`] wants it.
    pub(super) shader: &'static str,
}

/// Such a scene with its content made.
#[derive(Debug)]
pub(super) struct Turntables {
    plan: Plan,
    content: Content,
    turning: Vec<Turning>,
}

impl Turntables {
    /// The things in the order in which they were added to the stage.
    pub(super) fn new(plan: Plan, stage: Stage, turning: Vec<Turning>) -> Self {
        let (content, _) = stage.finish();
        Self { plan, content, turning }
    }
}

impl World for Turntables {
    fn content(&self) -> &Content {
        &self.content
    }

    #[expect(clippy::cast_precision_loss, reason = "frames of a path are few")]
    fn moment(&self, frame: u64) -> Moment {
        let Plan { keys, frames, sun, sun_radius, .. } = self.plan;
        Moment {
            time: (frame as f64 / 60.0) as f32,
            camera: Camera::on_path(keys, frames as f64, (frame % frames) as f64, &[DVec3::ZERO]),
            placements: self.turning.iter().map(|it| it.at(frame)).collect(),
            anchors: Vec::new(),
            light: sun.as_vec3().to_array(),
            light_radius: sun_radius as f32,
            light_seen: 1.0,
        }
    }

    fn shader(&self) -> &'static str {
        self.plan.shader
    }

    fn settings(&self) -> String {
        settings_of(self.plan.name, &self.content, self.plan.frames, self.plan.keys)
    }
}
