//! The walls: long rows of panels, each under large textures of its own, seen from far, from near and aslant. In: one seed.
//! Out: its content, and how it stands at any frame. Few triangles, much to fetch: three textures blended at every point.

mod look;
mod make;

use std::sync::LazyLock;

use glam::DVec3;

use super::camera::{Key, at};
use super::turning::{Plan, Turntables};
use crate::Reference;
use make::Make;

/// Frames of the camera's path: thirty seconds.
pub const FRAMES: u64 = 1800;

/// The scene as it is measured.
pub static TEXTURE_WALL: Reference = Reference {
    name: PLAN.name,
    about: "walls of large textures at every distance and grazing angle: bandwidth",
    frames: FRAMES,
    quick_frames: 40,
    settings: "texture-wall content adec3f83a19b20a0 frames 1800 path f22d6aa2c5de4d2c",
    world: || {
        static WORLD: LazyLock<Turntables> = LazyLock::new(Make::all);
        &*WORLD
    },
};

/// What it is beside its content.
const PLAN: Plan = Plan {
    name: "texture-wall",
    frames: FRAMES,
    keys: &KEYS,
    sun: DVec3::new(2_900.0, 2_600.0, 3_100.0),
    sun_radius: 24.0,
    shader: concat!(
        include_str!("matter.wgsl"),
        include_str!("noon.wgsl"),
        include_str!("texture_wall/look.wgsl")
    ),
};

/// The camera's path: down an aisle close to its wall, across through a gap, back along another, up for the whole.
#[rustfmt::skip]
const KEYS: [Key; 11] = [
    Key { frame: 0.0, eye: at(-92.0, 2.2, 2.0), look: at(-60.0, 3.0, 6.0) },
    Key { frame: 200.0, eye: at(-58.0, 2.0, 5.6), look: at(-30.0, 3.4, 7.6) },
    Key { frame: 420.0, eye: at(-18.0, 2.4, 4.4), look: at(10.0, 3.0, 9.0) },
    Key { frame: 620.0, eye: at(16.0, 3.4, -5.6), look: at(44.0, 3.0, -8.4) },
    Key { frame: 820.0, eye: at(56.0, 6.0, -3.0), look: at(90.0, 7.0, -2.0) },
    Key { frame: 920.0, eye: at(84.0, 11.0, -3.0), look: at(108.0, 7.0, -16.0) },
    Key { frame: 1030.0, eye: at(100.0, 17.0, 8.0), look: at(84.0, 5.0, -26.0) },
    Key { frame: 1180.0, eye: at(84.0, 30.0, 44.0), look: at(20.0, 0.0, 2.0) },
    Key { frame: 1380.0, eye: at(6.0, 36.0, 64.0), look: at(-6.0, 0.0, 0.0) },
    Key { frame: 1560.0, eye: at(-70.0, 24.0, 44.0), look: at(-40.0, 1.0, 0.0) },
    Key { frame: 1700.0, eye: at(-104.0, 8.0, 14.0), look: at(-70.0, 2.0, 3.0) },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Content, hash};

    #[test]
    fn content_is_the_same_on_every_machine() {
        let Content { meshes, instances, materials, textures, .. } = TEXTURE_WALL.world().content();
        let counts = [meshes.meshes.len(), instances.len(), materials.len(), textures.layers as usize];
        insta::assert_snapshot!(format!("{counts:?}"), @"[2, 2529, 33, 32]");
        insta::assert_snapshot!(format!("{:016x}", TEXTURE_WALL.world().content().hash()), @"adec3f83a19b20a0");
        let moment = TEXTURE_WALL.world().moment(601);
        insta::assert_snapshot!(format!("{:016x}", hash(bytemuck::cast_slice(&moment.placements))), @"bbc7a06fd413b45a");
    }

    #[test]
    fn content_and_its_moments_fit_together() {
        crate::scene::stage::check(TEXTURE_WALL.world());
    }

    #[test]
    fn the_camera_flies_smoothly_and_through_no_wall() {
        let mut before: Option<DVec3> = None;
        for frame in 0..FRAMES {
            let eye = TEXTURE_WALL.world().moment(frame).camera.eye;
            assert!(eye.y > 1.5, "frame {frame}: {eye}");
            let gap = eye.y > make::TOP + 0.4 || make::clear(eye.x, eye.z) > 0.5;
            assert!(gap, "frame {frame}: {eye} is in a wall");
            let step = before.replace(eye).map_or(0.0, |before| before.distance(eye));
            assert!(step < 0.9, "frame {frame}: the eye jumps by {step}");
        }
    }
}
