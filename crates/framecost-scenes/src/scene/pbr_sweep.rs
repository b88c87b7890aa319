//! The sweep: shapes in rows over roughness, metal and colour, under a sky that they mirror. In: one seed. Out: its content,
//! and how it stands at any frame. Few instances of many triangles each, costly surfaces, lamps of all colours.

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
pub static PBR_SWEEP: Reference = Reference {
    name: PLAN.name,
    about: "balls and shapes over roughness, metal and colour under a sky: many triangles, costly reflections, few instances",
    frames: FRAMES,
    quick_frames: 30,
    settings: "pbr-sweep content 2170e9aeff3c7233 frames 1800 path 03aa040ed9a99753",
    world: || {
        static WORLD: LazyLock<Turntables> = LazyLock::new(Make::all);
        &*WORLD
    },
};

/// What it is beside its content.
const PLAN: Plan = Plan {
    name: "pbr-sweep",
    frames: FRAMES,
    keys: &KEYS,
    sun: DVec3::new(-1_900.0, 3_600.0, 2_400.0),
    sun_radius: 24.0,
    shader: concat!(
        include_str!("matter.wgsl"),
        include_str!("noon.wgsl"),
        include_str!("pbr_sweep/look.wgsl")
    ),
};

/// The camera's path: along the front of the terraces, close by the balls, over them, and around the large shapes.
#[rustfmt::skip]
const KEYS: [Key; 9] = [
    Key { frame: 0.0, eye: at(0.0, 7.0, 34.0), look: at(0.0, 4.0, -4.0) },
    Key { frame: 220.0, eye: at(-19.0, 4.2, 21.0), look: at(-6.0, 3.4, 2.0) },
    Key { frame: 430.0, eye: at(-8.0, 3.0, 13.5), look: at(4.0, 3.0, 2.0) },
    Key { frame: 640.0, eye: at(9.0, 3.2, 13.0), look: at(2.0, 4.6, -2.0) },
    Key { frame: 850.0, eye: at(24.0, 9.0, 12.0), look: at(2.0, 4.0, -6.0) },
    Key { frame: 1060.0, eye: at(25.0, 15.0, -10.0), look: at(0.0, 5.0, -10.0) },
    Key { frame: 1270.0, eye: at(4.0, 16.5, -31.0), look: at(-2.0, 5.0, -8.0) },
    Key { frame: 1450.0, eye: at(-25.0, 13.0, -16.0), look: at(0.0, 4.0, -5.0) },
    Key { frame: 1630.0, eye: at(-22.0, 9.0, 16.0), look: at(0.0, 3.5, -2.0) },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Content, hash};

    #[test]
    fn content_is_the_same_on_every_machine() {
        let Content { meshes, instances, materials, lights, .. } = PBR_SWEEP.world().content();
        let counts = [meshes.meshes.len(), instances.len(), materials.len(), lights.len()];
        insta::assert_snapshot!(format!("{counts:?}"), @"[7, 473, 333, 96]");
        insta::assert_snapshot!(format!("{:016x}", PBR_SWEEP.world().content().hash()), @"2170e9aeff3c7233");
        let moment = PBR_SWEEP.world().moment(601);
        insta::assert_snapshot!(format!("{:016x}", hash(bytemuck::cast_slice(&moment.placements))), @"7eb2fa65ebdc1fa2");
    }

    #[test]
    fn content_and_its_moments_fit_together() {
        crate::scene::stage::check(PBR_SWEEP.world());
    }

    #[test]
    fn every_step_of_roughness_metal_and_colour_is_shown() {
        let content = PBR_SWEEP.world().content();
        let shown: std::collections::HashSet<u32> = content.instances.iter().map(|it| it.material).collect();
        assert_eq!(shown.len(), content.materials.len(), "each row of the table is on something");
    }

    #[test]
    fn the_camera_flies_smoothly_and_through_nothing() {
        let mut before: Option<DVec3> = None;
        for frame in 0..FRAMES {
            let moment = PBR_SWEEP.world().moment(frame);
            let eye = moment.camera.eye;
            assert!(eye.y > 1.0, "frame {frame}: {eye}");
            for (id, it) in moment.placements.iter().enumerate() {
                let away = eye.distance(glam::Vec3::from_array(it.position).as_dvec3());
                let bound = f64::from(PBR_SWEEP.world().content().instances[id].bound(it));
                assert!(away > bound + 0.2, "frame {frame}: {eye} lies in instance {id}");
            }
            let step = before.replace(eye).map_or(0.0, |before| before.distance(eye));
            assert!(step < 0.5, "frame {frame}: the eye jumps by {step}");
        }
    }
}
