//! The town: streets, squares, a river, some two hundred thousand pieces of houses, trees and things, people and cars on
//! their ways, in the last light of an afternoon. In: one seed. Out: its content, and how it stands at any frame.
//! Lengths are metres; x is east, z is south.

mod forms;
mod green;
mod ground;
mod houses;
mod life;
mod look;
mod make;
mod panels;
mod plan;
mod street;
mod things;

use std::sync::LazyLock;

use glam::DVec3;

use super::camera::{Camera, Key, Place};
use super::{Anchor, Content, Moment, World, settings_of};
use crate::Reference;
use life::Life;
use make::{Make, Solid};
use plan::{WALK, corner};

/// Frames of the camera's path: thirty seconds.
pub const FRAMES: u64 = 1800;

/// The scene as it is measured.
pub static TOWN: Reference = Reference {
    name: "town",
    about: "a town in the last light of an afternoon: two hundred thousand pieces, ten thousand of them moving, street lamps, long shadows",
    frames: FRAMES,
    quick_frames: 12,
    settings: "town content 8251787b83b94594 frames 1800 path dc496c799dee316a",
    world: || {
        static WORLD: LazyLock<Town> = LazyLock::new(Town::new);
        &*WORLD
    },
};

/// Where the sun stands: low in the west-south-west.
const SUN: DVec3 = DVec3::new(-4_050.0, 1_180.0, 2_680.0);
const SUN_RADIUS: f64 = 24.0;

/// The town with its content made.
#[derive(Debug)]
pub struct Town {
    content: Content,
    anchors: Vec<Anchor>,
    solids: Vec<Solid>,
    life: Life,
    keys: Vec<Key>,
}

impl Default for Town {
    fn default() -> Self {
        Self::new()
    }
}

impl Town {
    /// Makes all content from the seed.
    #[must_use]
    pub fn new() -> Self {
        let (content, anchors, solids, life) = Make::all().finish();
        Self { content, anchors, solids, life, keys: keys() }
    }

    /// Whether the way from `from` to `to` is free of houses.
    fn open(&self, from: DVec3, to: DVec3) -> bool {
        !self.solids.iter().any(|solid| solid.stands_between(from, to))
    }

    /// Share of the sun's disc that is seen: of nine points on it.
    fn sun_seen(&self, eye: DVec3) -> f64 {
        let seen = (0..9u32)
            .filter(|i| {
                let (x, y) = (f64::from(i % 3) - 1.0, f64::from(i / 3) - 1.0);
                let aside = DVec3::new(-SUN.z, 0.0, SUN.x).normalize();
                self.open(eye, SUN + (aside * x + DVec3::Y * y) * (SUN_RADIUS * 0.6))
            })
            .count();
        f64::from(u32::try_from(seen).unwrap_or(0)) / 9.0
    }
}

impl Solid {
    /// Whether the line between two points passes through the box: its slabs, one after the other (Kay and Kajiya 1986).
    fn stands_between(&self, from: DVec3, to: DVec3) -> bool {
        let back = self.site.turn.conjugate();
        let (a, way) = (back * (from - self.site.at), back * (to - from));
        let (mut enter, mut leave) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            let (start, step, half) = (a[axis], way[axis], self.half[axis]);
            if step.abs() < 1e-12 {
                if start.abs() > half {
                    return false;
                }
                continue;
            }
            let (near, far) = ((-half - start) / step, (half - start) / step);
            enter = enter.max(near.min(far));
            leave = leave.min(near.max(far));
        }
        enter <= leave
    }
}

impl World for Town {
    fn content(&self) -> &Content {
        &self.content
    }

    #[expect(clippy::cast_precision_loss, reason = "frames of a path are few")]
    fn moment(&self, frame: u64) -> Moment {
        let camera = Camera::on_path(&self.keys, FRAMES as f64, (frame % FRAMES) as f64, &[DVec3::ZERO]);
        Moment {
            time: (frame as f64 / 60.0) as f32,
            placements: self.life.placements(frame),
            anchors: self.anchors.clone(),
            light: SUN.as_vec3().to_array(),
            light_radius: SUN_RADIUS as f32,
            light_seen: self.sun_seen(camera.eye) as f32,
            camera,
        }
    }

    fn shader(&self) -> &'static str {
        concat!(
            include_str!("matter.wgsl"),
            include_str!("dusk.wgsl"),
            include_str!("figures.wgsl"),
            include_str!("town/look.wgsl")
        )
    }

    fn settings(&self) -> String {
        settings_of("town", &self.content, FRAMES, &self.keys)
    }
}

/// A place of the world, as keys want it.
const fn place(at: DVec3) -> Place {
    Place { body: 0, offset: DVec3::new(at.x, at.y, -at.z) }
}

const fn key(frame: f64, eye: DVec3, look: DVec3) -> Key {
    Key { frame, eye: place(eye), look: place(look) }
}

/// The camera's path: along the main street at eye height to the market, up past the church, around the town over its
/// roofs, and down to the street again.
fn keys() -> Vec<Key> {
    let row = i32::try_from(WALK).unwrap_or(0);
    // In the street, between those who drive and those who park.
    let street = |along: f64, up: f64| {
        let (i, share) = (along.floor(), along - along.floor());
        #[expect(clippy::cast_possible_truncation, reason = "a few corners")]
        let i = i as i32;
        corner(i, row).lerp(corner(i + 1, row), share) + DVec3::new(0.0, up, 4.4)
    };
    let market = (corner(7, 7) + corner(8, 8)) / 2.0;
    let over = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let mut keys = vec![
        key(0.0, street(3.4, 1.7), street(5.0, 2.6)),
        key(130.0, street(4.6, 1.7), street(6.2, 2.8)),
        key(260.0, street(5.8, 1.7), street(7.4, 3.6)),
        key(350.0, street(6.7, 1.9), market + over(4.0, 4.0, 0.0)),
        key(440.0, market + over(3.0, 4.6, 21.0), market + over(-24.0, 8.0, -8.0)),
        key(530.0, market + over(26.0, 17.0, 30.0), market + over(-40.0, 10.0, -6.0)),
        key(610.0, market + over(100.0, 62.0, 110.0), market + over(-60.0, 4.0, -40.0)),
    ];
    // A lap around the town, from the south-east over the north to the south-west.
    for (i, (x, z)) in
        [(330.0, 330.0), (510.0, 40.0), (380.0, -350.0), (0.0, -520.0), (-380.0, -370.0), (-530.0, 10.0)]
            .into_iter()
            .enumerate()
    {
        let eye = over(x, 200.0 + 12.0 * f64::from(u32::try_from(i).unwrap_or(0) % 3), z);
        #[expect(clippy::cast_precision_loss, reason = "six keys")]
        let frame = 730.0 + 155.0 * i as f64;
        keys.push(key(frame, eye, over(-0.12 * x, 0.0, -0.12 * z)));
    }
    keys.push(key(1655.0, over(-420.0, 70.0, 130.0), over(-60.0, 10.0, 40.0)));
    keys.push(key(1715.0, street(1.5, 14.0), street(4.0, 6.0)));
    keys.push(key(1765.0, street(2.7, 3.2), street(4.6, 3.0)));
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::hash;
    use std::sync::LazyLock;

    static TOWN: LazyLock<Town> = LazyLock::new(Town::new);

    #[test]
    fn content_is_the_same_on_every_machine() {
        let Content { meshes, instances, strips, rest, .. } = TOWN.content();
        let counts = [meshes.meshes.len(), instances.len(), strips.len(), rest.len()];
        insta::assert_snapshot!(format!("{counts:?}"), @"[54, 238928, 3850, 115500]");
        insta::assert_snapshot!(format!("{:016x}", TOWN.content().hash()), @"8251787b83b94594");
        let moment = TOWN.moment(601);
        let moving =
            [bytemuck::cast_slice(&moment.placements), bytemuck::cast_slice(&moment.anchors)].concat();
        insta::assert_snapshot!(format!("{:016x}", hash(&moving)), @"0f9d221817520bea");
    }

    #[test]
    fn content_and_its_moments_fit_together() {
        crate::scene::stage::check(&*TOWN);
    }

    #[test]
    fn the_town_is_as_large_as_it_says() {
        let content = TOWN.content();
        assert!(
            (180_000..250_000).contains(&content.instances.len()),
            "{} instances",
            content.instances.len()
        );
        assert_eq!(content.moving, life::MOVING);
        assert_eq!(content.lights.len(), 256);
        let finest: u64 = content
            .instances
            .iter()
            .map(|it| u64::from(content.meshes.meshes[it.mesh as usize].levels[0].indices / 3))
            .sum();
        assert!(finest > 12_000_000, "{finest} triangles at the finest levels");
    }

    #[test]
    fn the_camera_flies_smoothly_and_through_no_house() {
        let mut before: Option<DVec3> = None;
        for frame in 0..FRAMES {
            #[expect(clippy::cast_precision_loss, reason = "frames of a path are few")]
            let eye = Camera::on_path(&TOWN.keys, FRAMES as f64, frame as f64, &[DVec3::ZERO]).eye;
            assert!(eye.y > 1.2, "frame {frame}: the eye sinks to {}", eye.y);
            for solid in &TOWN.solids {
                let near = Solid { half: solid.half + 0.4, ..*solid };
                assert!(!near.stands_between(eye, eye), "frame {frame}: {eye} lies in {solid:?}");
            }
            let step = before.replace(eye).map_or(0.0, |before| before.distance(eye));
            assert!(step < 5.0, "frame {frame}: the eye jumps by {step}");
        }
    }

    #[test]
    fn a_box_stands_in_the_way_of_what_passes_through_it() {
        let site = crate::scene::stage::Site::new(DVec3::new(5.0, 1.0, 0.0), crate::scene::stage::yaw(0.125));
        let solid = Solid { site, half: DVec3::new(1.0, 1.0, 1.0) };
        assert!(solid.stands_between(DVec3::new(0.0, 1.0, 0.0), DVec3::new(10.0, 1.0, 0.0)));
        assert!(!solid.stands_between(DVec3::new(0.0, 1.0, 0.0), DVec3::new(3.0, 1.0, 0.0)));
        // Turned by an eighth, its corner reaches as far as the diagonal of its side.
        assert!(solid.stands_between(DVec3::new(5.0, 1.0, 1.4), DVec3::new(5.0, 1.0, 1.41)));
        assert!(!solid.stands_between(DVec3::new(5.0, 1.0, 1.43), DVec3::new(5.0, 1.0, 2.0)));
    }
}
