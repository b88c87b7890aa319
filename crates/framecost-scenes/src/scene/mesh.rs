//! Meshes by rule: spheres, rocks and rings in several levels of detail. Out: one vertex and one index list for all.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

use super::random::Random;
use super::turn::Turn;

/// A mesh vertex as the vertex buffer holds it. A vertex stands at `radius * position + inflate * normal` of its
/// instance: so one ring mesh serves rings of every size and thickness.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Vertex {
    /// Within the unit sphere.
    pub position: [f32; 3],
    /// Of unit length.
    pub normal: [f32; 3],
}

/// One level of detail: a stretch of the index list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// First index.
    pub first_index: u32,
    /// How many, three a triangle.
    pub indices: u32,
    /// Added to every index.
    pub base_vertex: i32,
}

/// A shape in its levels of detail, the finest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The levels.
    pub levels: Vec<Level>,
    /// Level `i` is left for the next one where `radius / distance` falls below `borders[i]`: one fewer than levels.
    pub borders: Vec<f32>,
}

/// All meshes of a scene over shared vertex and index lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Meshes {
    /// Vertices of every level.
    pub vertices: Vec<Vertex>,
    /// Indices of every level.
    pub indices: Vec<u32>,
    /// The shapes.
    pub meshes: Vec<Mesh>,
}

impl Meshes {
    /// Adds a shape whose levels are given from fine to coarse; its index in the list.
    pub(crate) fn add(&mut self, levels: Vec<Surface>, borders: &[f32]) -> u32 {
        debug_assert_eq!(levels.len(), borders.len() + 1, "a border between each two levels");
        let levels = levels.into_iter().map(|surface| self.level(&surface)).collect();
        self.meshes.push(Mesh { levels, borders: borders.to_vec() });
        index(self.meshes.len() - 1)
    }

    fn level(&mut self, surface: &Surface) -> Level {
        let level = Level {
            first_index: index(self.indices.len()),
            indices: index(surface.triangles.len() * 3),
            base_vertex: index(self.vertices.len()).cast_signed(),
        };
        self.vertices.extend(surface.points.iter().map(|(position, normal)| Vertex {
            position: position.as_vec3().to_array(),
            normal: normal.as_vec3().to_array(),
        }));
        self.indices.extend(surface.triangles.iter().flatten());
        level
    }
}

#[expect(clippy::cast_possible_truncation, reason = "meshes by rule stay far below 2^31 vertices")]
const fn index(n: usize) -> u32 {
    debug_assert!(n < 1 << 31, "an index of a mesh fits 31 bits");
    n as u32
}

/// Points (position, normal) and triangles, counter-clockwise from outside.
#[derive(Clone, Debug)]
pub(crate) struct Surface {
    pub(crate) points: Vec<(DVec3, DVec3)>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

/// An icosahedron whose triangles were split in four `splits` times, on the unit sphere: 20 * 4^splits triangles.
pub(crate) fn sphere(splits: u32) -> Surface {
    split_often(icosahedron(), splits)
}

fn split_often(solid: (Vec<DVec3>, Vec<[u32; 3]>), splits: u32) -> Surface {
    let (directions, triangles) = (0..splits).fold(solid, |(points, faces), _| split(points, &faces));
    Surface { points: directions.into_iter().map(|d| (d, d)).collect(), triangles }
}

fn octahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let corners = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];
    let faces = vec![[0, 1, 2], [1, 3, 2], [3, 4, 2], [4, 0, 2], [1, 0, 5], [3, 1, 5], [4, 3, 5], [0, 4, 5]];
    (corners.to_vec(), faces)
}

fn icosahedron() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let g = (1.0 + 5f64.sqrt()) / 2.0;
    let corners = [
        (-1.0, g, 0.0),
        (1.0, g, 0.0),
        (-1.0, -g, 0.0),
        (1.0, -g, 0.0),
        (0.0, -1.0, g),
        (0.0, 1.0, g),
        (0.0, -1.0, -g),
        (0.0, 1.0, -g),
        (g, 0.0, -1.0),
        (g, 0.0, 1.0),
        (-g, 0.0, -1.0),
        (-g, 0.0, 1.0),
    ];
    let faces = vec![
        [0, 11, 5],
        [0, 5, 1],
        [0, 1, 7],
        [0, 7, 10],
        [0, 10, 11],
        [1, 5, 9],
        [5, 11, 4],
        [11, 10, 2],
        [10, 7, 6],
        [7, 1, 8],
        [3, 9, 4],
        [3, 4, 2],
        [3, 2, 6],
        [3, 6, 8],
        [3, 8, 9],
        [4, 9, 5],
        [2, 4, 11],
        [6, 2, 10],
        [8, 6, 7],
        [9, 8, 1],
    ];
    (corners.map(|(x, y, z)| DVec3::new(x, y, z).normalize()).to_vec(), faces)
}

fn split(mut points: Vec<DVec3>, faces: &[[u32; 3]]) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut between = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *between.entry((a.min(b), a.max(b))).or_insert_with(|| {
            points.push((points[a as usize] + points[b as usize]).normalize());
            index(points.len() - 1)
        })
    };
    let mut finer = Vec::with_capacity(faces.len() * 4);
    for &[a, b, c] in faces {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        finer.extend([[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]);
    }
    (points, finer)
}

/// A rock: a ball pressed in from many sides, so that it has facets and stays inside the unit sphere. 8 * 4^splits
/// triangles; the same seed is the same rock at every number of splits.
pub(crate) fn rock(splits: u32, seed: u64) -> Surface {
    let mut random = Random::new(seed);
    let cuts: Vec<(DVec3, f64)> =
        (0..18).map(|_| (direction(&mut random), random.between(0.62, 0.95))).collect();
    let squash = DVec3::new(1.0, random.between(0.62, 0.9), random.between(0.55, 0.8));
    let mut surface = split_often(octahedron(), splits);
    for (position, _) in &mut surface.points {
        let reach = cuts.iter().fold(1.0f64, |reach, (side, depth)| {
            let facing = position.dot(*side);
            if facing * reach > *depth { depth / facing } else { reach }
        });
        *position = *position * reach * squash;
    }
    smooth_normals(&mut surface);
    surface
}

/// A direction without a preferred side: rejection from the cube, since that needs no sine.
pub(crate) fn direction(random: &mut Random) -> DVec3 {
    loop {
        let point =
            DVec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        if (0.01..=1.0).contains(&point.length_squared()) {
            return point.normalize();
        }
    }
}

fn smooth_normals(surface: &mut Surface) {
    let mut sums = vec![DVec3::ZERO; surface.points.len()];
    for corners in &surface.triangles {
        let [a, b, c] = corners.map(|corner| surface.points[corner as usize].0);
        let weighted = (b - a).cross(c - a);
        for &corner in corners {
            sums[corner as usize] += weighted;
        }
    }
    for (point, sum) in surface.points.iter_mut().zip(sums) {
        point.1 = sum.normalize();
    }
}

/// A ring around the y axis: its points lie on the unit circle, its normals point out of the tube, which the
/// instance's inflation gives its thickness. The outermost triangles lie outside the unit sphere by that much.
pub(crate) fn ring(around: u32, across: u32) -> Surface {
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        let (s, c) = Turn::of(f64::from(i) / f64::from(around)).sin_cos();
        let outward = DVec3::new(c, 0.0, s);
        for j in 0..across {
            let (up, out) = Turn::of(f64::from(j) / f64::from(across)).sin_cos();
            points.push((outward, outward * out + DVec3::Y * up));
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            triangles.push([at(i, j), at(i, j + 1), at(i + 1, j)]);
            triangles.push([at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)]);
        }
    }
    Surface { points, triangles }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each edge is walked once in each direction: the surface is closed and turned one way.
    fn assert_closed(surface: &Surface) {
        let mut edges = HashMap::new();
        for [a, b, c] in &surface.triangles {
            for edge in [(a, b), (b, c), (c, a)] {
                *edges.entry(edge).or_insert(0) += 1;
            }
        }
        for ((a, b), count) in &edges {
            assert_eq!((*count, edges.get(&(*b, *a))), (1, Some(&1)), "edge {a} to {b}");
        }
    }

    #[test]
    fn spheres_are_closed_round_and_face_outward() {
        for splits in 0..4 {
            let surface = sphere(splits);
            assert_eq!(surface.triangles.len(), 20 << (2 * splits));
            assert_closed(&surface);
            for [a, b, c] in &surface.triangles {
                let [a, b, c] = [a, b, c].map(|&i| surface.points[i as usize].0);
                assert!((b - a).cross(c - a).dot(a) > 0.0, "a face of split {splits} looks inward");
                assert!((a.length() - 1.0).abs() < 1e-12, "a corner off the unit sphere");
            }
        }
    }

    #[test]
    fn rocks_stay_inside_the_unit_sphere() {
        for seed in 0..8 {
            let surface = rock(2, seed);
            assert_closed(&surface);
            assert!(surface.points.iter().all(|(p, n)| p.length() <= 1.0 && n.is_normalized()));
        }
    }

    #[test]
    fn rings_are_closed_and_face_out_of_their_tube() {
        let surface = ring(12, 5);
        assert_closed(&surface);
        for corners in &surface.triangles {
            let [a, b, c] = corners.map(|i| {
                let (position, normal) = surface.points[i as usize];
                position + normal * 0.1
            });
            let outward: DVec3 = corners.iter().map(|&i| surface.points[i as usize].1).sum();
            assert!((b - a).cross(c - a).dot(outward) > 0.0, "a face looks into the tube");
        }
    }

    #[test]
    fn levels_are_stretches_of_the_shared_lists() {
        let mut meshes = Meshes::default();
        meshes.add(vec![sphere(1), sphere(0)], &[0.1]);
        meshes.add(vec![ring(6, 3)], &[]);
        let levels: Vec<Level> = meshes.meshes.iter().flat_map(|mesh| mesh.levels.clone()).collect();
        assert_eq!(levels[1], Level { first_index: 240, indices: 60, base_vertex: 42 });
        assert_eq!(levels[2], Level { first_index: 300, indices: 108, base_vertex: 54 });
        assert_eq!(meshes.indices.len(), 408);
    }
}
