//! froxel, held against brute force.

use super::*;
use crate::scene::Light;

/// Lamps strewn about the middle of the orrery.
fn strewn(count: u64, spread: f64, reach: f64) -> Vec<Light> {
    let mut random = crate::scene::random(7);
    let mut axis = || random.between(-spread, spread) as f32;
    (0..count)
        .map(|_| Light {
            position: [axis(), axis() * 0.2, axis()],
            reach: reach as f32,
            colour: [1.0; 3],
            unused: 0.0,
        })
        .collect()
}

fn lists(gpu: &Gpu, world: &WithLamps, frame: u64) -> (Vec<Vec<u32>>, u32, crate::view::View) {
    let mut engine = engine_of(gpu, world, SMALL, &[]);
    show(gpu, &mut engine, frame);
    let words: Vec<u32> = contents(gpu, &engine.buffers.light_lists);
    let full: Vec<u32> = contents(gpu, &engine.buffers.full_lists);
    (cpu::froxel::lists(&words), full[0], engine.view.unwrap())
}

#[test]
fn a_cell_lists_every_light_that_reaches_into_it() {
    let Some(gpu) = gpu() else { return };
    let lights = strewn(256, 50.0, 9.0);
    let world = WithLamps { content: Content { lights: lights.clone(), ..ORRERY.world().content().clone() } };
    let mut random = crate::scene::random(8);
    for frame in [0, 930] {
        let (lists, full, view) = lists(&gpu, &world, frame);
        assert_eq!(full, 0, "no list was full");
        assert!(lists.iter().all(|list| list.is_sorted()), "lists ascend");
        let mut lit = 0;
        for _ in 0..200_000 {
            let place = DVec3::new(
                random.between(-60.0, 60.0),
                random.between(-20.0, 20.0),
                random.between(-60.0, 60.0),
            )
            .as_vec3();
            let Some(cell) = cpu::froxel::cell_of(&view, place) else { continue };
            let reaching = cpu::froxel::reaching(&lights, place);
            lit += reaching.len();
            let list = &lists[cell as usize];
            let missing: Vec<&u32> = reaching.iter().filter(|light| !list.contains(light)).collect();
            assert!(missing.is_empty(), "cell {cell} of frame {frame} lacks {missing:?} for {place}");
        }
        assert!(lit > 1000, "{lit} lights reached these places");
        let listed: usize = lists.iter().map(Vec::len).sum();
        assert!(listed < 256 * lists.len() / 10, "{listed} entries: lists leave out most");
    }
}

#[test]
fn a_list_that_is_full_is_counted() {
    let Some(gpu) = gpu() else { return };
    let lights = strewn(200, 0.5, 30.0);
    let world = WithLamps { content: Content { lights, ..ORRERY.world().content().clone() } };
    let (lists, full, _) = lists(&gpu, &world, 0);
    assert!(full > 0);
    let longest = lists.iter().map(Vec::len).max().unwrap();
    assert_eq!(longest, crate::cells::MOST_LIGHTS as usize);
}
