//! The orrery: a sun, planets on brass rings, moons and belts of rocks by the thousand, comets. In: one seed.
//! Out: its content, and where everything stands at any frame.

mod look;
mod make;

use std::sync::LazyLock;

use glam::{DQuat, DVec3};

use super::camera::{Camera, Key, Place};
use super::turn::Turn;
use super::{Anchor, Content, Moment, Placement, World, settings_of};
use crate::Reference;
use make::Make;

/// Frames of the camera's path: thirty seconds.
pub const FRAMES: u64 = 1800;

/// The scene as it is measured.
pub static ORRERY: Reference = Reference {
    name: "orrery",
    about: "a sun, planets on brass rings, moons and rocks by the thousand, comets: many small moving instances, one light",
    frames: FRAMES,
    quick_frames: 120,
    settings: "orrery content 03c36d14a6e54547 frames 1800 path 8a59ad9c6453a923",
    world: || {
        static WORLD: LazyLock<Orrery> = LazyLock::new(Orrery::new);
        &*WORLD
    },
};

const SUN_RADIUS: f64 = 4.0;

const SUN: usize = 0;
const OCEAN: usize = 3;
const AMBER: usize = 4;
const STRAW: usize = 5;

/// The orrery with its content made.
#[derive(Debug)]
pub struct Orrery {
    content: Content,
    bodies: Vec<Body>,
    comets: Vec<Orbit>,
}

/// How an instance moves: its place among the instances is its place in this list.
#[derive(Clone, Copy, Debug)]
struct Body {
    /// What it revolves around; itself for what stands still.
    around: usize,
    orbit: Orbit,
    radius: f64,
    tilt: DQuat,
    axis: DVec3,
    spin: Turn,
    spin_rate: Turn,
}

/// An ellipse with the sun, or a planet, in one focus.
#[derive(Clone, Copy, Debug)]
struct Orbit {
    radius: f64,
    eccentricity: f64,
    start: Turn,
    rate: Turn,
    x: DVec3,
    y: DVec3,
}

impl Orbit {
    const NONE: Self =
        Self { radius: 0.0, eccentricity: 0.0, start: Turn(0), rate: Turn(0), x: DVec3::X, y: DVec3::NEG_Z };

    /// A circle of that radius, tilted by `lean` turns about the line at `node` turns.
    fn circle(radius: f64, frames_a_lap: f64, start: f64, lean: f64, node: f64) -> Self {
        let (node_sine, node_cosine) = Turn::of(node).sin_cos();
        let (lean_sine, lean_cosine) = Turn::of(lean).sin_cos();
        let x = DVec3::new(node_cosine, 0.0, -node_sine);
        let flat = DVec3::new(-node_sine, 0.0, -node_cosine);
        let y = flat * lean_cosine + DVec3::Y * lean_sine;
        Self { radius, eccentricity: 0.0, start: Turn::of(start), rate: Turn::of(1.0 / frames_a_lap), x, y }
    }

    /// The place at `frame`, from the focus. Kepler's equation by Newton's rule, a fixed number of steps, so that
    /// every machine takes the same ones.
    fn at(&self, frame: u64) -> DVec3 {
        let mean = self.start.after(self.rate, frame);
        let mut eccentric = mean;
        if self.eccentricity > 0.0 {
            // Each step squares the error, which starts below the eccentricity.
            for _ in 0..if self.eccentricity < 0.05 { 2 } else { 6 } {
                let (sine, cosine) = eccentric.sin_cos();
                let ahead = f64::from(mean.0.wrapping_sub(eccentric.0).cast_signed()) / 4_294_967_296.0;
                let miss = ahead + self.eccentricity * sine / std::f64::consts::TAU;
                let step = Turn::of(miss / (1.0 - self.eccentricity * cosine));
                eccentric = eccentric.after(step, 1);
            }
        }
        let (sine, cosine) = eccentric.sin_cos();
        let narrow = (1.0 - self.eccentricity * self.eccentricity).sqrt();
        (self.x * (cosine - self.eccentricity) + self.y * (sine * narrow)) * self.radius
    }
}

impl Default for Orrery {
    fn default() -> Self {
        Self::new()
    }
}

impl Orrery {
    /// Makes all content from the seed.
    #[must_use]
    pub fn new() -> Self {
        let Make { content, bodies, comets, .. } = Make::all();
        Self { content, bodies, comets }
    }

    /// Every instance's centre at `frame`. Parents stand before their children.
    fn centres(&self, frame: u64) -> Vec<DVec3> {
        let mut centres: Vec<DVec3> = Vec::with_capacity(self.bodies.len());
        for body in &self.bodies {
            let around = centres.get(body.around).copied().unwrap_or(DVec3::ZERO);
            centres.push(if body.orbit.radius > 0.0 { around + body.orbit.at(frame) } else { around });
        }
        centres
    }

    fn anchors(&self, frame: u64, centres: &[DVec3]) -> Vec<Anchor> {
        let comets = self.comets.iter().map(|orbit| {
            let head = orbit.at(frame);
            let ahead = (orbit.at(frame + 30) - head).normalize();
            let away = head.normalize();
            let drag = (-(ahead - away * ahead.dot(away))).try_normalize().unwrap_or(DVec3::Y);
            // The nearer the sun, the longer the tail.
            (head, 9.0 * (14.0 / head.length()).min(1.5), away, drag)
        });
        let giants = [AMBER, STRAW].map(|planet| {
            let body = &self.bodies[planet];
            (centres[planet], body.radius, body.tilt * DVec3::X, body.tilt * DVec3::Z)
        });
        comets
            .chain(giants)
            .map(|(origin, size, x, y)| Anchor {
                origin: origin.as_vec3().to_array(),
                size: size as f32,
                x: x.as_vec3().to_array(),
                unused: 0.0,
                y: y.as_vec3().to_array(),
                unused_too: 0.0,
            })
            .collect()
    }

    /// Share of the sun's disc that no large body covers from the eye.
    fn sun_seen(&self, eye: DVec3, centres: &[DVec3]) -> f64 {
        let to_sun = centres[SUN] - eye;
        let (sun_distance, sun_way) = (to_sun.length(), to_sun.normalize());
        let sun_angle = SUN_RADIUS / sun_distance;
        (1..=make::PLANETS.len()).fold(1.0, |seen, planet| {
            let to = centres[planet] - eye;
            let distance = to.length();
            if distance > sun_distance {
                return seen;
            }
            let angle = self.bodies[planet].radius / distance;
            let apart = (to / distance).cross(sun_way).length();
            let facing = to.dot(sun_way) > 0.0;
            let open = ((apart - angle + sun_angle) / (2.0 * sun_angle)).clamp(0.0, 1.0);
            if facing { seen.min(open) } else { seen }
        })
    }
}

impl World for Orrery {
    fn content(&self) -> &Content {
        &self.content
    }

    #[expect(clippy::cast_precision_loss, reason = "frames of a path are few")]
    fn moment(&self, frame: u64) -> Moment {
        let centres = self.centres(frame);
        let camera = Camera::on_path(&KEYS, FRAMES as f64, (frame % FRAMES) as f64, &centres);
        let placements = self
            .bodies
            .iter()
            .zip(&centres)
            .map(|(body, centre)| {
                let (sine, cosine) = Turn(body.spin.after(body.spin_rate, frame).0 >> 1).sin_cos();
                let spun =
                    DQuat::from_xyzw(body.axis.x * sine, body.axis.y * sine, body.axis.z * sine, cosine);
                Placement {
                    position: centre.as_vec3().to_array(),
                    radius: body.radius as f32,
                    rotation: (body.tilt * spun).as_quat().to_array(),
                }
            })
            .collect();
        Moment {
            time: (frame as f64 / 60.0) as f32,
            camera,
            placements,
            anchors: self.anchors(frame, &centres),
            light: centres[SUN].as_vec3().to_array(),
            light_radius: SUN_RADIUS as f32,
            light_seen: self.sun_seen(camera.eye, &centres) as f32,
        }
    }

    fn shader(&self) -> &'static str {
        include_str!("orrery/look.wgsl")
    }

    fn lighting(&self) -> &'static str {
        include_str!("orrery/light.wgsl")
    }

    fn settings(&self) -> String {
        settings_of("orrery", &self.content, FRAMES, &KEYS)
    }
}

const fn place(body: usize, outward: f64, up: f64, ahead: f64) -> Place {
    Place { body, offset: DVec3::new(outward, up, ahead) }
}

/// The camera's path: the whole, around the ringed giant on its sunlit side, over the middle to the amber one and its
/// moons, through the rocks, past the ocean world before the sun, and back.
#[rustfmt::skip]
const KEYS: [Key; 10] = [
    Key { frame: 0.0, eye: place(SUN, 30.0, 21.0, 46.0), look: place(SUN, 0.0, -1.0, 0.0) },
    Key { frame: 250.0, eye: place(SUN, 16.0, 9.0, 44.0), look: place(SUN, 8.0, 0.0, 0.0) },
    Key { frame: 450.0, eye: place(STRAW, -3.0, 3.2, 10.0), look: place(STRAW, 0.5, -0.2, -1.0) },
    Key { frame: 590.0, eye: place(STRAW, -8.5, 1.6, 0.5), look: place(STRAW, 1.0, 0.0, 0.0) },
    Key { frame: 730.0, eye: place(STRAW, -2.0, 4.5, -12.0), look: place(STRAW, -5.0, -1.0, 3.0) },
    Key { frame: 930.0, eye: place(SUN, 6.0, 13.0, 31.0), look: place(SUN, -8.0, -2.0, 0.0) },
    Key { frame: 1120.0, eye: place(AMBER, -6.0, 3.0, -10.0), look: place(AMBER, 0.0, -0.3, 1.0) },
    Key { frame: 1270.0, eye: place(AMBER, -9.5, 1.0, 3.0), look: place(AMBER, 1.0, 0.3, 0.8) },
    Key { frame: 1420.0, eye: place(SUN, -16.0, 1.2, 19.0), look: place(SUN, 3.0, 0.0, 0.0) },
    Key { frame: 1580.0, eye: place(OCEAN, 1.8, 0.8, 2.6), look: place(OCEAN, -3.0, 0.0, -1.0) },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::hash;

    #[test]
    fn content_is_the_same_on_every_machine() {
        let orrery = Orrery::new();
        let Content { meshes, instances, strips, rest, .. } = orrery.content();
        let counts = [meshes.meshes.len(), instances.len(), strips.len(), rest.len()];
        insta::assert_snapshot!(format!("{counts:?}"), @"[5, 3780, 96, 11712]");
        insta::assert_snapshot!(format!("{:016x}", orrery.content().hash()), @"03c36d14a6e54547");
        let moment = orrery.moment(601);
        let moving =
            [bytemuck::cast_slice(&moment.placements), bytemuck::cast_slice(&moment.anchors)].concat();
        insta::assert_snapshot!(format!("{:016x}", hash(&moving)), @"c7e5789de03bc697");
    }

    #[test]
    fn every_index_leads_somewhere() {
        let orrery = Orrery::new();
        let Content { meshes, instances, materials, strips, rest, strip_indices, .. } = orrery.content();
        let within = |index: u32, len: usize| (index as usize) < len;
        assert!(instances.iter().all(|it| within(it.mesh, meshes.meshes.len())
            && within(it.material, materials.len())
            && within(it.shade, instances.len())));
        let anchors = orrery.moment(0).anchors.len();
        assert!(strips.iter().all(|it| within(it.material, materials.len())
            && within(it.shade, instances.len())
            && within(it.anchor, anchors)));
        assert!(rest.iter().all(|it| within(it.strip, strips.len())));
        assert!(strip_indices.iter().all(|&index| within(index, rest.len())));
        assert_eq!(orrery.moment(0).placements.len(), instances.len());
    }

    #[test]
    fn the_camera_flies_smoothly_and_through_no_planet() {
        let orrery = Orrery::new();
        let mut before: Option<DVec3> = None;
        for frame in 0..FRAMES {
            let moment = orrery.moment(frame);
            let eye = moment.camera.eye;
            for (body, at) in moment.placements.iter().enumerate().take(1 + make::PLANETS.len()) {
                let centre = glam::Vec3::from_array(at.position).as_dvec3();
                let above = eye.distance(centre) - f64::from(at.radius);
                assert!(above > 0.8, "frame {frame}: {above} above body {body}");
            }
            let step = before.replace(eye).map_or(0.0, |before| before.distance(eye));
            assert!(step < 0.7, "frame {frame}: the eye jumps by {step}");
            assert!((0.0..=1.0).contains(&moment.light_seen), "frame {frame}");
        }
    }

    #[test]
    fn orbits_are_ellipses_about_their_focus() {
        let mut orbit = Orbit::circle(10.0, 1000.0, 0.2, 0.05, 0.3);
        orbit.eccentricity = 0.62;
        // Distances to both foci add up to twice the half axis, and Kepler's equation holds.
        let other = orbit.x * (-2.0 * orbit.eccentricity * orbit.radius);
        for frame in [0, 100, 333, 799, 123_456] {
            let at = orbit.at(frame);
            assert!((at.length() + at.distance(other) - 20.0).abs() < 1e-9, "frame {frame}");
            let cosine = at.dot(orbit.x) / orbit.radius + orbit.eccentricity;
            let sine = at.dot(orbit.y) / orbit.radius / (1.0 - orbit.eccentricity.powi(2)).sqrt();
            let mean = sine.atan2(cosine) - orbit.eccentricity * sine;
            let due =
                f64::from(orbit.start.after(orbit.rate, frame).0) / 4_294_967_296.0 * std::f64::consts::TAU;
            assert!((mean - due).sin().abs() < 1e-8, "frame {frame}: {mean} for {due}");
        }
    }

    #[test]
    fn the_sun_is_seen_whole_from_above_and_not_at_all_from_behind_a_planet() {
        let orrery = Orrery::new();
        let centres = orrery.centres(0);
        assert!((orrery.sun_seen(DVec3::new(0.0, 90.0, 1.0), &centres) - 1.0).abs() < 1e-12);
        let straw = centres[STRAW];
        let behind = straw + straw.normalize() * 3.0;
        assert!(orrery.sun_seen(behind, &centres) < 1e-12, "{}", orrery.sun_seen(behind, &centres));
        let before = straw - straw.normalize() * 3.0;
        assert!((orrery.sun_seen(before, &centres) - 1.0).abs() < 1e-12);
    }
}
