//! What lies behind a pixel, held against the twin of the traversal.

use super::*;

#[test]
fn the_first_thing_behind_a_pixel_is_what_is_seen_there() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    show(&gpu, &mut engine, 590);
    // The ringed planet fills the middle of this frame: the sixth body.
    let met = engine.behind(80, 40);
    assert!(met.first().is_some_and(|first| first.starts_with("instance 5 (mesh 0, ")), "{met:?}");
    assert!(met.iter().all(|thing| thing.ends_with(", moves)")), "everything in the orrery moves: {met:?}");
    let away =
        |thing: &String| thing.split(", ").nth(1).unwrap().split(' ').next().unwrap().parse::<f32>().unwrap();
    assert!(met.iter().map(away).is_sorted(), "the nearest first: {met:?}");
    assert_eq!(engine.behind(159, 0), Vec::<String>::new(), "sky");
}
