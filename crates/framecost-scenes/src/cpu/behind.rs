//! What lies behind a pixel: every instance that a ray from the eye meets. In: content, where it stands, a view, a pixel.
//! Out: instances, the nearest first. Slow and plain, for telling what is wrong with a picture.

use glam::{Quat, Vec3};

use crate::scene::{Content, Instance, Placement};
use crate::view::View;

/// An instance that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
    /// Its index.
    pub instance: u32,
    /// How far from the eye the ray first meets it.
    pub distance: f32,
}

/// The instances behind the middle of the pixel in column `x` of row `y`, by their finest level.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "pixels of an image are few")]
pub fn behind(content: &Content, placements: &[Placement], view: &View, x: u32, y: u32) -> Vec<Met> {
    let lens = |at: u32, size: u32| (at as f32 + 0.5) / size as f32 * 2.0 - 1.0;
    let (right, up) = (Vec3::from_array(view.right), Vec3::from_array(view.up));
    let way = Vec3::from_array(view.forward) + right * (lens(x, view.width) * view.half_width)
        - up * (lens(y, view.height) * view.half_height);
    let (origin, way) = (Vec3::from_array(view.eye), way.normalize());
    let mut met: Vec<Met> = (0u32..)
        .zip(content.instances.iter().zip(placements))
        .filter_map(|(id, (instance, at))| {
            let distance = first(content, instance, at, origin, way)?;
            Some(Met { instance: id, distance })
        })
        .collect();
    met.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    met
}

/// Where the ray first meets the instance.
fn first(content: &Content, instance: &Instance, at: &Placement, origin: Vec3, way: Vec3) -> Option<f32> {
    let to = Vec3::from_array(at.position) - origin;
    let bound = instance.bound(at);
    let ahead = to.dot(way);
    if ahead < -bound || to.length_squared() - ahead * ahead > bound * bound {
        return None;
    }
    let mesh = content.meshes.meshes.get(instance.mesh as usize)?;
    let level = mesh.levels.first()?;
    let turn = Quat::from_array(at.rotation);
    let corner = |&index: &u32| {
        let place = i64::from(index) + i64::from(level.base_vertex);
        let vertex = content.meshes.vertices.get(usize::try_from(place).ok()?)?;
        let shaped = Vec3::from_array(instance.stretch) * Vec3::from_array(vertex.position) * at.radius;
        Some(
            turn * (shaped + Vec3::from_array(vertex.normal) * instance.inflate) - origin
                + Vec3::from_array(at.position),
        )
    };
    let first = level.first_index as usize;
    let indices = content.meshes.indices.get(first..first + level.indices as usize)?;
    let triangles = indices.as_chunks::<3>().0.iter();
    let distances = triangles.filter_map(|[a, b, c]| crossing(way, [corner(a)?, corner(b)?, corner(c)?]));
    distances.min_by(f32::total_cmp)
}

/// Where a ray from the origin meets a triangle (Moeller and Trumbore 1997).
fn crossing(way: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let p = way.cross(ac);
    let volume = ab.dot(p);
    let q = (-a).cross(ab);
    let (u, v, distance) = (-a.dot(p) / volume, way.dot(q) / volume, ac.dot(q) / volume);
    (volume != 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}
