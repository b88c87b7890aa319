//! Which draws a scene has: one for each level of each mesh, with its own list of ids. In: content. Out: the tables that
//! the culling pass and its twin read.

use bytemuck::{Pod, Zeroable};

use super::{Content, Mesh};

/// The most levels that a mesh may have.
pub(crate) const MOST_LEVELS: usize = 7;

/// What culling knows of a mesh, as its buffer holds it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct MeshEntry {
    /// The draw of its finest level; coarser ones follow.
    pub first_draw: u32,
    /// How many levels it has.
    pub levels: u32,
    /// See [`Mesh::borders`]; zero beyond the last.
    pub borders: [f32; MOST_LEVELS - 1],
}

/// An indexed indirect draw, as its buffer holds it and the device reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Draw {
    /// Indices of one instance.
    pub indices: u32,
    /// How many instances: what culling fills in.
    pub instances: u32,
    /// Where the level's indices begin.
    pub first_index: u32,
    /// Added to every index.
    pub base_vertex: i32,
    /// Always 0: ids come from an instance-rate vertex buffer, which needs no device feature.
    pub first_instance: u32,
}

/// The draws of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draws {
    /// By mesh.
    pub meshes: Vec<MeshEntry>,
    /// By phase of culling and draw, no instances yet.
    pub draws: Vec<Draw>,
    /// Where each draw's list of ids begins, in the same order.
    pub lists: Vec<u32>,
    /// Length of all lists together: each has room for every instance of its mesh.
    pub ids: u32,
}

/// Phases of culling, each with draws and lists of its own.
pub const PHASES: usize = 2;

impl Draws {
    /// The draws of this content.
    ///
    /// # Errors
    /// An instance of a mesh that does not exist, a mesh of no levels or too many, or more ids than 32 bits number.
    pub fn of(content: &Content) -> Result<Self, String> {
        let meshes = &content.meshes.meshes;
        let mut counts = vec![0u32; meshes.len()];
        for (id, instance) in content.instances.iter().enumerate() {
            let count = counts.get_mut(instance.mesh as usize).ok_or_else(|| {
                format!("instance {id} is of mesh {}; the scene has {}", instance.mesh, meshes.len())
            })?;
            *count += 1;
        }
        let mut all = Self::default();
        for (number, (mesh, count)) in meshes.iter().zip(counts).enumerate() {
            all.add(number, mesh, count)?;
        }
        all.repeat()?;
        Ok(all)
    }

    /// How many draws a phase has.
    #[must_use]
    pub fn of_a_phase(&self) -> usize {
        self.draws.len() / PHASES
    }

    /// The same draws once more for the second phase.
    fn repeat(&mut self) -> Result<(), String> {
        let (ids, draws) = (self.ids, self.draws.len());
        self.ids = ids.checked_mul(2).ok_or("more ids than 32 bits number")?;
        self.draws.extend_from_within(..draws);
        self.lists.extend_from_within(..draws);
        self.lists[draws..].iter_mut().for_each(|first| *first += ids);
        Ok(())
    }

    fn add(&mut self, number: usize, mesh: &Mesh, count: u32) -> Result<(), String> {
        let levels = mesh.levels.len();
        if !(1..=MOST_LEVELS).contains(&levels) || mesh.borders.len() + 1 != levels {
            let borders = mesh.borders.len();
            return Err(format!(
                "mesh {number} has {levels} levels and {borders} borders; allowed: 1 to {MOST_LEVELS} levels and a border \
                 between each two"
            ));
        }
        let mut borders = [0.0; MOST_LEVELS - 1];
        borders[..mesh.borders.len()].copy_from_slice(&mesh.borders);
        let index =
            |n: usize| u32::try_from(n).map_err(|_| format!("mesh {number}: more draws than 32 bits number"));
        self.meshes.push(MeshEntry { first_draw: index(self.draws.len())?, levels: index(levels)?, borders });
        for level in &mesh.levels {
            self.draws.push(Draw {
                indices: level.indices,
                instances: 0,
                first_index: level.first_index,
                base_vertex: level.base_vertex,
                first_instance: 0,
            });
            self.lists.push(self.ids);
            self.ids = self
                .ids
                .checked_add(count)
                .ok_or_else(|| format!("mesh {number}: more ids than 32 bits number"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Instance, Level, Meshes};

    fn content(levels: &[usize], of_mesh: &[u32]) -> Content {
        let mesh = |&levels: &usize| Mesh {
            levels: vec![Level { first_index: 3, indices: 6, base_vertex: 9 }; levels],
            borders: vec![0.5; levels.saturating_sub(1)],
        };
        let instance =
            |&mesh: &u32| Instance { mesh, material: 0, seed: 0, shade: 0, inflate: 0.0, stretch: [1.0; 3] };
        Content {
            meshes: Meshes { meshes: levels.iter().map(mesh).collect(), ..Meshes::default() },
            instances: of_mesh.iter().map(instance).collect(),
            ..Content::default()
        }
    }

    #[test]
    fn every_level_has_room_for_every_instance_of_its_mesh() {
        let draws = Draws::of(&content(&[2, 1], &[0, 1, 1, 0, 0])).unwrap();
        assert_eq!(draws.lists, [0, 3, 6, 8, 11, 14], "the second phase has lists of its own");
        assert_eq!((draws.ids, draws.of_a_phase()), (16, 3));
        let firsts: Vec<u32> = draws.meshes.iter().map(|mesh| mesh.first_draw).collect();
        assert_eq!(firsts, [0, 2]);
    }

    #[test]
    fn content_that_does_not_fit_is_refused() {
        let fault = |levels: &[usize], of_mesh: &[u32]| Draws::of(&content(levels, of_mesh)).unwrap_err();
        insta::assert_snapshot!(fault(&[1], &[1]), @"instance 0 is of mesh 1; the scene has 1");
        insta::assert_snapshot!(fault(&[8], &[]), @"mesh 0 has 8 levels and 7 borders; allowed: 1 to 7 levels and a border between each two");
        insta::assert_snapshot!(fault(&[0], &[]), @"mesh 0 has 0 levels and 0 borders; allowed: 1 to 7 levels and a border between each two");
    }
}
