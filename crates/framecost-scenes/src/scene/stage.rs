//! A scene while it is put together. In: forms, where they stand, how they look. Out: content in its final order, things
//! that move first.

use glam::{DQuat, DVec3};

use super::random::Random;
use super::shapes::Form;
use super::textures::Layer;
use super::turn::Turn;
use super::{Anchor, Content, Instance, Light, Material, Placement, Strip, Textures};

/// A place in the world and how it is turned: x to the right, y up, z out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) at: DVec3,
    pub(crate) turn: DQuat,
}

/// A rotation by `turns` about the y axis.
pub(crate) fn yaw(turns: f64) -> DQuat {
    let (sine, cosine) = Turn::of(turns / 2.0).sin_cos();
    DQuat::from_xyzw(0.0, sine, 0.0, cosine)
}

/// A rotation by `turns` about the x axis.
pub(crate) fn pitch(turns: f64) -> DQuat {
    let (sine, cosine) = Turn::of(turns / 2.0).sin_cos();
    DQuat::from_xyzw(sine, 0.0, 0.0, cosine)
}

/// A rotation by `turns` about the z axis.
pub(crate) fn roll(turns: f64) -> DQuat {
    let (sine, cosine) = Turn::of(turns / 2.0).sin_cos();
    DQuat::from_xyzw(0.0, 0.0, sine, cosine)
}

/// The rotation about the y axis that turns x towards `way`, by half angles from square roots alone, so that every
/// machine has the same.
pub(crate) fn along(way: DVec3) -> DQuat {
    let flat = DVec3::new(way.x, 0.0, way.z).try_normalize().unwrap_or(DVec3::X);
    let cosine = ((1.0 + flat.x) / 2.0).max(0.0).sqrt();
    let sine = ((1.0 - flat.x) / 2.0).max(0.0).sqrt();
    DQuat::from_xyzw(0.0, if flat.z > 0.0 { -sine } else { sine }, 0.0, cosine)
}

impl Site {
    pub(crate) const fn new(at: DVec3, turn: DQuat) -> Self {
        Self { at, turn }
    }

    /// A place given in this one's axes.
    pub(crate) fn point(&self, x: f64, y: f64, z: f64) -> DVec3 {
        self.at + self.turn * DVec3::new(x, y, z)
    }

    /// A site given in this one's axes.
    pub(crate) fn moved(&self, x: f64, y: f64, z: f64) -> Self {
        Self { at: self.point(x, y, z), ..*self }
    }

    /// The same axes at another place of the world.
    pub(crate) const fn shifted(&self, at: DVec3) -> Self {
        Self { at, ..*self }
    }

    /// The same place, turned further.
    pub(crate) fn turned(&self, turn: DQuat) -> Self {
        Self { turn: self.turn * turn, ..*self }
    }
}

/// What a scene is put together on.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) content: Content,
    pub(crate) random: Random,
    /// Anchors of strips that stay where they are.
    pub(crate) anchors: Vec<Anchor>,
    moving: Vec<Instance>,
    still: Vec<Instance>,
}

impl Stage {
    /// An empty stage with all looks there: the table of materials, and textures of so many texels along an edge.
    pub(crate) fn new(seed: u64, materials: Vec<Material>, texels: u32, layers: &[Layer]) -> Self {
        let textures = Textures::of(texels, layers);
        Self {
            content: Content { materials, textures, ..Content::default() },
            random: Random::new(seed),
            anchors: Vec::new(),
            moving: Vec::new(),
            still: Vec::new(),
        }
    }

    /// Stands a form somewhere for good; `size` scales it along its own axes.
    pub(crate) fn stand(&mut self, form: Form, material: u32, site: &Site, size: DVec3, seed: u32) {
        let (instance, radius) = instance(form, material, size, seed);
        self.still.push(instance);
        self.content.placements.push(placed(site, radius));
    }

    /// Adds a form that moves; the radius that its placements have.
    pub(crate) fn moves(&mut self, form: Form, material: u32, size: DVec3, seed: u32) -> f64 {
        let (instance, radius) = instance(form, material, size, seed);
        self.moving.push(instance);
        radius
    }

    /// Adds a lamp: nothing beyond its reach is lit.
    pub(crate) fn light(&mut self, at: DVec3, reach: f32, colour: [f32; 3]) {
        let position = at.as_vec3().to_array();
        self.content.lights.push(Light { position, reach, colour, unused: 0.0 });
    }

    /// How many things move and stand so far.
    pub(crate) const fn counts(&self) -> (usize, usize) {
        (self.moving.len(), self.still.len())
    }

    /// Hangs up a piece of cloth: from `site` along its x axis for `size.0`, its edge along y for `size.1`.
    pub(crate) fn flag(&mut self, site: &Site, size: (f64, f64), waves: f64, material: u32) {
        const SEGMENTS: u32 = 14;
        let strip = Strip {
            anchor: index(self.anchors.len()),
            kind: Strip::FLAG,
            angle: self.random.between(0.0, std::f64::consts::TAU) as f32,
            reach: waves as f32,
            half_width: (size.1 / 2.0) as f32,
            stretch: size.0 as f32,
            material,
            shade: 0,
        };
        let axis = |axis: DVec3| (site.turn * axis).as_vec3().to_array();
        self.anchors.push(Anchor {
            origin: site.at.as_vec3().to_array(),
            size: 1.0,
            x: axis(DVec3::X),
            unused: 0.0,
            y: axis(DVec3::Y),
            unused_too: 0.0,
        });
        self.content.strip(strip, SEGMENTS);
    }

    /// The content: what moves first, each the shade of itself.
    pub(crate) fn finish(self) -> (Content, Vec<Anchor>) {
        let mut content = self.content;
        content.moving = self.moving.len();
        content.instances = self.moving;
        content.instances.extend(self.still);
        for (shade, instance) in (0..).zip(&mut content.instances) {
            instance.shade = shade;
        }
        (content, self.anchors)
    }
}

/// Uniform radius and stretch per axis that scale a form by `size`.
fn instance(form: Form, material: u32, size: DVec3, seed: u32) -> (Instance, f64) {
    let largest = size.max_element();
    let stretch = (size / largest).as_vec3().to_array();
    (Instance { mesh: form.mesh, material, seed, shade: 0, inflate: 0.0, stretch }, form.unit * largest)
}

/// Where something of that radius stands.
pub(crate) fn placed(site: &Site, radius: f64) -> Placement {
    Placement {
        position: site.at.as_vec3().to_array(),
        radius: radius as f32,
        rotation: site.turn.as_quat().to_array(),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a scene has far fewer than 2^32 of anything")]
pub(crate) const fn index(n: usize) -> u32 {
    n as u32
}

/// What holds for every scene: all indices lead somewhere, everything stands at a finite place, meshes lie within the unit
/// sphere and stay small enough for a triangle's number in 14 bits, an instance's in 18.
#[cfg(test)]
pub(crate) fn check(world: &dyn super::World) {
    let content = world.content();
    let Content { meshes, instances, materials, strips, rest, strip_indices, .. } = content;
    let within = |index: u32, len: usize| (index as usize) < len;
    assert!(instances.len() < 1 << 18, "{} instances", instances.len());
    for (id, it) in instances.iter().enumerate() {
        let leads = within(it.mesh, meshes.meshes.len())
            && within(it.material, materials.len())
            && within(it.shade, instances.len());
        assert!(leads, "instance {id}: {it:?}");
        assert!(it.stretch.iter().all(|&axis| axis > 0.0 && axis <= 1.0), "instance {id}: {it:?}");
    }
    for (number, mesh) in meshes.meshes.iter().enumerate() {
        for level in &mesh.levels {
            assert!(level.indices / 3 <= 1 << 14, "mesh {number} has {} triangles", level.indices / 3);
        }
        assert!(mesh.levels.windows(2).all(|pair| pair[0].indices > pair[1].indices), "mesh {number} grows");
        assert!(mesh.borders.windows(2).all(|pair| pair[0] > pair[1]), "mesh {number}: {:?}", mesh.borders);
    }
    for vertex in &meshes.vertices {
        let [position, normal] = [vertex.position, vertex.normal].map(glam::Vec3::from_array);
        assert!(position.length() <= 1.000_01 && normal.is_normalized(), "{vertex:?}");
    }
    for frame in [0, 777, 1799, 100_000] {
        let moment = world.moment(frame);
        assert_eq!(moment.placements.len(), content.moving);
        for (id, at) in moment.placements.iter().chain(&content.placements).enumerate() {
            let length: f32 = at.rotation.iter().map(|part| part * part).sum();
            assert!((length - 1.0).abs() < 1e-4 && at.radius > 0.0, "frame {frame}, instance {id}: {at:?}");
            assert!(at.position.iter().all(|axis| axis.abs() < 1e4), "frame {frame}, instance {id}: {at:?}");
        }
        for anchor in &moment.anchors {
            let [x, y] = [anchor.x, anchor.y].map(glam::Vec3::from_array);
            assert!(x.dot(y).abs() < 1e-4 && x.is_normalized() && y.is_normalized(), "{anchor:?}");
        }
        let anchors = moment.anchors.len();
        assert!(strips.iter().all(|it| within(it.material, materials.len()) && within(it.anchor, anchors)));
        assert!((0.0..=1.0).contains(&moment.light_seen), "frame {frame}");
    }
    assert_eq!(content.placements.len() + content.moving, instances.len());
    assert!(rest.iter().all(|it| within(it.strip, strips.len())));
    assert!(strip_indices.iter().all(|&index| within(index, rest.len())));
    let texels: u32 =
        (0..content.textures.levels()).map(|level| (content.textures.size >> level).pow(2)).sum();
    assert_eq!(content.textures.colours.len(), texels as usize * content.textures.layers as usize * 4);
    assert!(materials.iter().all(|it| it.layer < content.textures.layers.max(1)), "every layer is there");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn along_turns_x_to_the_way() {
        for i in 0..64 {
            let (sine, cosine) = Turn::of(f64::from(i) / 64.0).sin_cos();
            let way = DVec3::new(cosine, 0.0, sine);
            assert!((along(way) * DVec3::X).distance(way) < 1e-9, "{way}");
        }
    }
}
