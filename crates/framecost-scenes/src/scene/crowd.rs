//! The crowd: a square at dusk, thousands of people who walk in rings around its middle, under lamps and banners, and more
//! who stand and watch. In: one seed. Out: its content, and how it stands at any frame. Nearly everything moves, and there
//! are few meshes. Lengths are metres.

mod look;
mod make;

use std::sync::LazyLock;

use glam::DVec3;

use super::camera::{Camera, Key, at};
use super::figures::walking;
use super::stage::placed;
use super::turn::Turn;
use super::{Anchor, Content, Moment, World, settings_of};
use crate::Reference;
use make::Make;

/// Frames of the camera's path: thirty seconds.
pub const FRAMES: u64 = 1800;

/// The scene as it is measured.
pub static CROWD: Reference = Reference {
    name: "crowd",
    about: "a square full of people on their ways under banners at dusk: nearly everything moves, few meshes",
    frames: FRAMES,
    quick_frames: 12,
    settings: "crowd content c232d06fc648e1d3 frames 1800 path de9196bff825a110",
    world: || {
        static WORLD: LazyLock<Crowd> = LazyLock::new(Crowd::new);
        &*WORLD
    },
};

/// Half the square's width.
const HALF: f64 = 88.0;
const SUN: DVec3 = DVec3::new(-4_300.0, 820.0, 2_300.0);
const SUN_RADIUS: f64 = 24.0;

/// The crowd with its content made.
#[derive(Debug)]
pub struct Crowd {
    content: Content,
    anchors: Vec<Anchor>,
    walkers: Vec<Walker>,
}

/// Someone who walks around the middle: three instances, body and legs.
#[derive(Clone, Copy, Debug)]
struct Walker {
    /// Of the ring; its line waves a little, the same for all who walk on it.
    radius: f64,
    waves: f64,
    phase: f64,
    /// Where on the ring, and how far a frame.
    start: Turn,
    rate: Turn,
    tall: f64,
    /// Radii of body and leg.
    sizes: [f64; 2],
}

impl Walker {
    /// Place, heading and distance walked.
    fn at(&self, frame: u64) -> (DVec3, DVec3, f64) {
        let turn = self.start.after(self.rate, frame);
        let (sine, cosine) = turn.sin_cos();
        let angle = f64::from(turn.0) / 4_294_967_296.0;
        let (rise, slope) = Turn::of(angle * self.waves + self.phase).sin_cos();
        let radius = self.radius + 0.9 * rise;
        let ahead = if self.rate.0 < 1 << 31 { 1.0 } else { -1.0 };
        let (out, around) = (DVec3::new(cosine, 0.0, sine), DVec3::new(-sine, 0.0, cosine));
        let heading = (around * radius + out * (0.9 * self.waves * slope)) * ahead;
        (out * radius, heading, ahead * angle * self.radius * std::f64::consts::TAU)
    }
}

impl Default for Crowd {
    fn default() -> Self {
        Self::new()
    }
}

impl Crowd {
    /// Makes all content from the seed.
    #[must_use]
    pub fn new() -> Self {
        let Make { stage, walkers, .. } = Make::all();
        let (content, anchors) = stage.finish();
        Self { content, anchors, walkers }
    }
}

impl World for Crowd {
    fn content(&self) -> &Content {
        &self.content
    }

    #[expect(clippy::cast_precision_loss, reason = "frames of a path are few")]
    fn moment(&self, frame: u64) -> Moment {
        let camera = Camera::on_path(&KEYS, FRAMES as f64, (frame % FRAMES) as f64, &[DVec3::ZERO]);
        let mut placements = Vec::with_capacity(self.content.moving);
        for walker in &self.walkers {
            let (at, heading, far) = walker.at(frame);
            let [body, left, right] = walking(at, heading, far, walker.tall);
            let [torso, leg] = walker.sizes;
            placements.extend([placed(&body, torso), placed(&left, leg), placed(&right, leg)]);
        }
        let over_walls = camera.eye.y > 16.0 || make::west_is_open(camera.eye);
        Moment {
            time: (frame as f64 / 60.0) as f32,
            camera,
            placements,
            anchors: self.anchors.clone(),
            light: SUN.as_vec3().to_array(),
            light_radius: SUN_RADIUS as f32,
            light_seen: if over_walls { 1.0 } else { 0.0 },
        }
    }

    fn shader(&self) -> &'static str {
        concat!(
            include_str!("matter.wgsl"),
            include_str!("dusk.wgsl"),
            include_str!("figures.wgsl"),
            include_str!("crowd/look.wgsl")
        )
    }

    fn settings(&self) -> String {
        settings_of("crowd", &self.content, FRAMES, &KEYS)
    }
}

/// The camera's path: over the heads towards the middle, around the monument, up for the whole, and down again.
#[rustfmt::skip]
const KEYS: [Key; 10] = [
    Key { frame: 0.0, eye: at(60.0, 3.2, 52.0), look: at(0.0, 6.0, 0.0) },
    Key { frame: 200.0, eye: at(42.0, 2.7, 34.0), look: at(-10.0, 4.0, -4.0) },
    Key { frame: 400.0, eye: at(19.0, 2.9, 15.0), look: at(-24.0, 3.0, -12.0) },
    Key { frame: 580.0, eye: at(-10.0, 5.5, 20.0), look: at(-6.0, 4.0, -30.0) },
    Key { frame: 760.0, eye: at(-36.0, 12.0, 4.0), look: at(20.0, 2.0, -10.0) },
    Key { frame: 940.0, eye: at(-30.0, 24.0, -44.0), look: at(6.0, 0.0, 0.0) },
    Key { frame: 1120.0, eye: at(22.0, 40.0, -76.0), look: at(0.0, 0.0, 0.0) },
    Key { frame: 1300.0, eye: at(84.0, 46.0, -30.0), look: at(-8.0, 0.0, 4.0) },
    Key { frame: 1480.0, eye: at(74.0, 24.0, 30.0), look: at(-12.0, 2.0, 0.0) },
    Key { frame: 1650.0, eye: at(70.0, 9.0, 52.0), look: at(0.0, 4.0, 4.0) },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::hash;
    use std::sync::LazyLock;

    static CROWD: LazyLock<Crowd> = LazyLock::new(Crowd::new);

    #[test]
    fn content_is_the_same_on_every_machine() {
        let Content { meshes, instances, strips, rest, .. } = CROWD.content();
        let counts = [meshes.meshes.len(), instances.len(), strips.len(), rest.len()];
        insta::assert_snapshot!(format!("{counts:?}"), @"[8, 33267, 134, 4020]");
        insta::assert_snapshot!(format!("{:016x}", CROWD.content().hash()), @"c232d06fc648e1d3");
        let moment = CROWD.moment(601);
        insta::assert_snapshot!(format!("{:016x}", hash(bytemuck::cast_slice(&moment.placements))), @"54ee61e7c7627570");
    }

    #[test]
    fn content_and_its_moments_fit_together() {
        crate::scene::stage::check(&*CROWD);
        assert!(CROWD.walkers.len() > 9_000, "{} walk", CROWD.walkers.len());
        assert_eq!(CROWD.walkers.len() * 3, CROWD.content.moving);
    }

    #[test]
    fn people_walk_the_way_they_look_and_never_jump() {
        for walker in CROWD.walkers.iter().step_by(37) {
            for frame in [0, 500, 1_799] {
                let ((from, heading, _), (to, _, _)) = (walker.at(frame), walker.at(frame + 1));
                let step = to - from;
                assert!(
                    (0.005..0.06).contains(&step.length()),
                    "{walker:?} steps {} at {frame}",
                    step.length()
                );
                assert!(
                    step.normalize().dot(heading.normalize()) > 0.99,
                    "{walker:?} walks aside at {frame}"
                );
            }
        }
    }

    #[test]
    fn the_camera_flies_smoothly_over_all_heads_and_into_nothing() {
        let mut before: Option<DVec3> = None;
        for frame in 0..FRAMES {
            let eye = CROWD.moment(frame).camera.eye;
            assert!(eye.y > 2.3, "frame {frame}: {eye}");
            assert!(eye.x.abs().max(eye.z.abs()) < HALF + 1.0 || eye.y > 20.0, "frame {frame}: {eye}");
            let middle = (eye.x * eye.x + eye.z * eye.z).sqrt();
            assert!(middle > 8.0, "frame {frame}: {eye} is in the monument");
            let step = before.replace(eye).map_or(0.0, |before| before.distance(eye));
            assert!(step < 0.8, "frame {frame}: the eye jumps by {step}");
        }
    }
}
