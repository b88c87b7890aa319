//! What changes from frame to frame and every pass reads: the camera, the light, the switches. In: a moment of the
//! scene. Out: the uniform buffer's bytes.

use bytemuck::{Pod, Zeroable};
use framecost_sample::Size;

use crate::scene::{Camera, Moment};

/// The uniform of group 0, as `shared/scene.wgsl` declares it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct View {
    /// From the world to clip space, column by column.
    pub clip_from_world: [[f32; 4]; 4],
    /// Where the eye is.
    pub eye: [f32; 3],
    /// Injected time in seconds.
    pub time: f32,
    /// To the right of the image, of unit length.
    pub right: [f32; 3],
    /// Half the image's width at distance one.
    pub half_width: f32,
    /// To the top of the image, of unit length.
    pub up: [f32; 3],
    /// Half the image's height at distance one.
    pub half_height: f32,
    /// Into the image, of unit length.
    pub forward: [f32; 3],
    /// Angle of one pixel in the middle of the image, in radians.
    pub pixel: f32,
    /// Left, right, bottom, top, near: inward normals of unit length.
    pub planes: [[f32; 4]; 5],
    /// Where the light is.
    pub light: [f32; 3],
    /// Its radius.
    pub light_radius: f32,
    /// Share of its disc that is seen from the eye.
    pub light_seen: f32,
    /// Always zero.
    pub zero: f32,
    /// How many instances there are.
    pub instances: u32,
    /// Bits of the switches in `switches.rs`.
    pub switches: u32,
    /// The eye of the frame before, whose depth the pyramid holds when the frame begins.
    pub before_eye: [f32; 3],
    /// What lies nearer is not drawn.
    pub near: f32,
    /// The axis [`View::right`] of the frame before.
    pub before_right: [f32; 3],
    /// 1 where the frame before was drawn, so that the pyramid holds its depth; else 0.
    pub before: u32,
    /// The axis [`View::up`] of the frame before.
    pub before_up: [f32; 3],
    /// How many lights shine from points.
    pub lights: u32,
    /// The axis [`View::forward`] of the frame before.
    pub before_forward: [f32; 3],
    /// How many instances move: the first of the list.
    pub moving: u32,
    /// Where the trees of rays have their origin in the world.
    pub anchor: [f32; 3],
    /// Width of the image in pixels.
    pub width: u32,
    /// Roots of the trees of rays: what stands still, what moves, what bends; [`u32::MAX`] for one that is empty.
    pub roots: [u32; 3],
    /// Height of the image in pixels.
    pub height: u32,
    /// How often each pass of the list repeats its work.
    pub loads: [u32; MOST_PASSES],
}

/// The most passes that [`View::loads`] has room for.
pub const MOST_PASSES: usize = 16;

/// What the switches say, fixed for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Size of the image.
    pub size: Size,
    /// Bits of the switches in `switches.rs`.
    pub switches: u32,
    /// How often each pass of the list repeats its work.
    pub loads: [u32; MOST_PASSES],
}

/// What a scene's views share: it follows from the content.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed {
    /// How many instances there are.
    pub instances: u32,
    /// How many lights shine from points.
    pub lights: u32,
    /// Where the trees of rays have their origin in the world.
    pub anchor: [f32; 3],
    /// Roots of the trees of rays.
    pub roots: [u32; 3],
}

impl View {
    /// The view of this moment; `history` is the camera of the frame before where that was drawn just before.
    #[must_use]
    pub fn new(moment: &Moment, history: Option<&Camera>, fixed: &Fixed, settings: &Settings) -> Self {
        let Moment { camera, light, .. } = moment;
        let before = history.unwrap_or(camera);
        let aspect = f64::from(settings.size.width) / f64::from(settings.size.height);
        let vector = |v: glam::DVec3| v.as_vec3().to_array();
        let half_height = Camera::HALF_HEIGHT;
        Self {
            clip_from_world: camera.clip_from_world(aspect).to_cols_array_2d(),
            eye: vector(camera.eye),
            time: moment.time,
            right: vector(camera.right),
            half_width: (half_height * aspect) as f32,
            up: vector(camera.up),
            half_height: half_height as f32,
            forward: vector(camera.forward),
            pixel: (2.0 * half_height / f64::from(settings.size.height)) as f32,
            planes: camera.planes(aspect),
            light: *light,
            light_radius: moment.light_radius,
            light_seen: moment.light_seen,
            zero: 0.0,
            instances: fixed.instances,
            switches: settings.switches,
            before_eye: vector(before.eye),
            near: Camera::NEAR as f32,
            before_right: vector(before.right),
            before: u32::from(history.is_some()),
            before_up: vector(before.up),
            lights: fixed.lights,
            before_forward: vector(before.forward),
            moving: u32::try_from(moment.placements.len()).unwrap_or(u32::MAX),
            anchor: fixed.anchor,
            width: settings.size.width,
            roots: fixed.roots,
            height: settings.size.height,
            loads: settings.loads,
        }
    }
}
