//! People: a figure of body, arms and head, and the legs that it walks on. Out: surfaces about the figure's middle, in
//! metres, 1.76 m tall; a figure looks along z.

use glam::DVec3;

use super::mesh::Surface;
use super::shapes::{ALL, vec};
use super::stage::{Site, along, pitch, yaw};
use super::turn::Turn;

/// How far below its middle a figure's hips are, and how far to either side.
const HIP: (f64, f64) = (0.1, 0.09);
/// Length of a double step.
const STRIDE: f64 = 1.5;

/// Body and legs of a figure that has walked so far: on the ground at `at`, with its face to `heading`, `tall` times as
/// tall as usual.
pub(crate) fn walking(at: DVec3, heading: DVec3, far: f64, tall: f64) -> [Site; 3] {
    let (sine, cosine) = Turn::of(far / STRIDE).sin_cos();
    let rise = 0.9 + 0.025 * cosine * cosine;
    let body = Site::new(at + DVec3::Y * (rise * tall), along(heading) * yaw(0.25));
    let leg =
        |side: f64| body.moved(side * HIP.1 * tall, -HIP.0 * tall, 0.0).turned(pitch(side * sine * 0.075));
    [body, leg(1.0), leg(-1.0)]
}

/// A figure cut off at the hip.
pub(crate) fn torso(level: u32) -> Surface {
    let around = [10, 7, 4][level.min(2) as usize];
    Surface::of(|s| {
        let coat =
            [(0.0, -0.16), (0.19, -0.14), (0.16, 0.1), (0.20, 0.38), (0.17, 0.5), (0.06, 0.56), (0.0, 0.57)];
        s.rounded(DVec3::ZERO, &coat, around, vec(1.0, 1.0, 0.62));
        s.limb((vec(0.0, 0.53, 0.0), 0.055), (vec(0.0, 0.64, 0.01), 0.05), around.min(6));
        let head = [(0.0, 0.60), (0.075, 0.64), (0.1, 0.72), (0.095, 0.79), (0.06, 0.84), (0.0, 0.86)];
        s.rounded(DVec3::ZERO, &head, around, vec(0.86, 1.0, 1.0));
        for side in [-1.0, 1.0] {
            let shoulder = vec(side * 0.21, 0.46, 0.0);
            let (elbow, hand) = (vec(side * 0.26, 0.18, -0.02), vec(side * 0.24, -0.08, 0.08));
            s.limb((shoulder, 0.06), (elbow, 0.05), around.min(6));
            s.limb((elbow, 0.05), (hand, 0.035), around.min(6));
        }
    })
}

/// A figure that stands on its own legs.
pub(crate) fn standing(level: u32) -> Surface {
    Surface::of(|s| {
        s.put(&torso(level), DVec3::ONE, DVec3::ZERO);
        for side in [-1.0, 1.0] {
            s.put(&leg(level.min(1)), DVec3::ONE, vec(side * HIP.1, -HIP.0, 0.0));
        }
    })
}

/// A leg from the hip at y = 0 down to y = -0.8.
pub(crate) fn leg(level: u32) -> Surface {
    let around = if level == 0 { 7 } else { 4 };
    Surface::of(|s| {
        s.limb((vec(0.0, -0.42, 0.02), 0.065), (vec(0.0, 0.0, 0.0), 0.09), around);
        s.limb((vec(0.0, -0.74, 0.0), 0.045), (vec(0.0, -0.42, 0.02), 0.065), around);
        s.cuboid([-0.05, -0.8, -0.06], [0.05, -0.72, 0.17], ALL);
    })
}
