//! The renderer's switches that are on or off: one list, the only place where one is named. In: a run's setup.
//! Out: bits for the view, and the names of these bits for WGSL.

use framecost_harness::{SceneError, Setup, SwitchDef};

/// A switch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flag {
    /// Its name on a command line; in WGSL the same in capitals.
    pub(crate) name: &'static str,
    /// What holds where nobody asks.
    pub(crate) on: bool,
    /// What it does.
    pub(crate) about: &'static str,
}

/// Where culling leaves out what is outside the view.
pub(crate) const CULLING: &str = "culling";
/// Where culling leaves out what is hidden.
pub(crate) const OCCLUSION: &str = "occlusion";
/// Where the main light's shadows are traced.
pub(crate) const SHADOW_RAYS: &str = "shadow_rays";
/// Where rays see what moves.
pub(crate) const DYNAMIC_TLAS: &str = "dynamic_tlas";
/// Where each cell has its own list of lights.
pub(crate) const LIGHT_LISTS: &str = "light_lists";
/// Where culling is wrong on purpose.
pub(crate) const CULLING_FAULT: &str = "culling_fault";

/// The list.
pub(crate) static FLAGS: &[Flag] = &[
    Flag { name: CULLING, on: true, about: "leaves out instances that the camera cannot see" },
    Flag { name: OCCLUSION, on: true, about: "leaves out instances that others hide" },
    Flag { name: SHADOW_RAYS, on: true, about: "traces a ray towards the light from every pixel" },
    Flag { name: DYNAMIC_TLAS, on: true, about: "lets rays see what moves; off leaves its tree empty" },
    Flag {
        name: LIGHT_LISTS,
        on: true,
        about: "shades by each cell's list of lights; off tries every light",
    },
    Flag {
        name: CULLING_FAULT,
        on: false,
        about: "leaves out things that are seen: a fault for trying whether it is found",
    },
];

/// The switches as the harness knows them.
pub(crate) fn defs() -> impl Iterator<Item = SwitchDef> {
    FLAGS.iter().map(|flag| SwitchDef::on_off(flag.name, flag.on, flag.about))
}

/// The setup's switches as bits, the first of the list lowest.
///
/// # Errors
/// A switch that the scene did not declare.
pub(crate) fn bits(setup: &Setup) -> Result<u32, SceneError> {
    FLAGS
        .iter()
        .enumerate()
        .try_fold(0, |bits, (place, flag)| Ok(bits | u32::from(setup.is_on(flag.name)?) << place))
}

/// The bit of one switch; none for a name that is not in the list.
#[must_use]
pub(crate) fn bit(name: &str) -> u32 {
    FLAGS.iter().position(|flag| flag.name == name).map_or(0, |place| 1 << place)
}

/// The bits by name, for WGSL.
pub(crate) fn wgsl() -> String {
    FLAGS
        .iter()
        .map(|flag| format!("const {}: u32 = {}u;\n", flag.name.to_uppercase(), bit(flag.name)))
        .collect()
}
