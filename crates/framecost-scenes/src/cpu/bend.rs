//! bend, formula for formula as in `pass/bend.wgsl`. Sines and roots differ from the GPU's in their last bits.

use glam::Vec3;

use crate::scene::{Anchor, Rest, Strip};
use crate::view::View;

/// A strip's vertex in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bent {
    /// Its place.
    pub position: Vec3,
    /// Of unit length.
    pub normal: Vec3,
}

/// Every vertex of `rest`, shaped.
#[must_use]
pub fn bend(view: &View, strips: &[Strip], anchors: &[Anchor], rest: &[Rest]) -> Vec<Bent> {
    let shape = |vertex: &Rest| {
        let strip = &strips[vertex.strip as usize];
        shaped(view, strip, &anchors[strip.anchor as usize], vertex)
    };
    rest.iter().map(shape).collect()
}

fn shaped(view: &View, strip: &Strip, anchor: &Anchor, vertex: &Rest) -> Bent {
    if strip.kind == Strip::TAIL {
        let middle = tail(view, strip, anchor, vertex.along);
        let ahead = tail(view, strip, anchor, vertex.along + 0.01) - middle;
        let across = ahead.cross(Vec3::from_array(view.eye) - middle).normalize();
        let width = strip.half_width * (1.0 - vertex.along) * (0.25 + vertex.along.sqrt());
        let position = middle + across * (vertex.side * anchor.size * width);
        return Bent { position, normal: across.cross(ahead).normalize() };
    }
    if strip.kind == Strip::FLAG {
        let position = flag(view, strip, anchor, vertex.along, vertex.side);
        let ahead = flag(view, strip, anchor, vertex.along + 0.01, vertex.side) - position;
        let across = flag(view, strip, anchor, vertex.along, vertex.side + 0.1) - position;
        return Bent { position, normal: ahead.cross(across).normalize() };
    }
    let angle = vertex.along * std::f32::consts::TAU + strip.angle;
    let out = strip.reach + vertex.side * strip.half_width;
    let position = ring_point(view, strip, anchor, angle, out);
    let around = ring_point(view, strip, anchor, angle + 0.02, out) - position;
    let outward = ring_point(view, strip, anchor, angle, out + 0.02) - position;
    Bent { position, normal: outward.cross(around).normalize() }
}

fn axes(anchor: &Anchor) -> [Vec3; 3] {
    let (x, y) = (Vec3::from_array(anchor.x), Vec3::from_array(anchor.y));
    [x, y, x.cross(y)]
}

fn tail(view: &View, strip: &Strip, anchor: &Anchor, along: f32) -> Vec3 {
    let [x, y, z] = axes(anchor);
    let flutter = (7.0 * along - 2.2 * view.time + 3.0 * strip.angle).sin();
    let wind = strip.angle + 1.7 * along + 0.35 * flutter;
    let breath = (11.0 * along - 3.1 * view.time + 5.0 * strip.angle).sin();
    let out = strip.reach * along.sqrt() * (1.0 + 0.18 * breath);
    let way = x * (strip.stretch * along) + y * (0.34 * strip.stretch * along * along + out * wind.cos());
    Vec3::from_array(anchor.origin) + anchor.size * (way + z * (out * wind.sin()))
}

fn ring_point(view: &View, strip: &Strip, anchor: &Anchor, angle: f32, out: f32) -> Vec3 {
    let [x, y, z] = axes(anchor);
    let swell = strip.stretch * (14.0 * out - 3.0 * angle + 0.9 * view.time).sin() * (out - 1.2);
    let flat = x * angle.cos() + y * angle.sin();
    Vec3::from_array(anchor.origin) + anchor.size * (flat * out + z * swell)
}

fn flag(view: &View, strip: &Strip, anchor: &Anchor, along: f32, side: f32) -> Vec3 {
    let [x, y, z] = axes(anchor);
    let wave = (9.0 * along - 5.3 * view.time + strip.angle + 0.8 * side).sin();
    let slow = (3.7 * along - 2.1 * view.time + 2.3 * strip.angle - 0.5 * side).sin();
    let swing = strip.reach * along * (0.62 * wave + 0.38 * slow);
    let reached = strip.stretch * along * (1.0 - 0.12 * slow.abs() * along);
    let way = x * reached + y * (side * strip.half_width);
    Vec3::from_array(anchor.origin) + anchor.size * (way + z * swing)
}
