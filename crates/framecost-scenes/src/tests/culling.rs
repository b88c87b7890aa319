//! Both phases of culling, held against their twins and against the pictures.

use super::*;
use crate::cpu::culling::{Eye, Scene as Culled, behind};
use crate::cpu::culling_one::culling_one;
use crate::cpu::culling_two::culling_two;
use crate::cpu::depth_pyramid::Pyramid;

/// The ids of each draw of both phases as the last frame left them, each list ascending.
fn drawn(gpu: &Gpu, engine: &Engine<'_>) -> Vec<Vec<u32>> {
    let draws: Vec<Draw> = contents(gpu, &engine.buffers.draws);
    let visible: Vec<u32> = contents(gpu, &engine.buffers.visible);
    let list = |(draw, &first): (&Draw, &u32)| {
        let mut ids = visible[first as usize..(first + draw.instances) as usize].to_vec();
        ids.sort_unstable();
        ids
    };
    draws.iter().zip(&engine.buffers.layout.lists).map(list).collect()
}

/// What the twin draws of the frame that the engine drew last, without occlusion.
pub(super) fn in_sight(engine: &Engine<'_>, frame: u64) -> Vec<Vec<u32>> {
    let view = engine.view.unwrap();
    let placements = placements(frame);
    let scene = scene(engine, &view, &placements);
    let nothing = Pyramid::of(SMALL, &vec![0.0; crate::pyramid::texels(SMALL)]);
    by_draw(&scene, 0, &culling_one(&scene, &nothing).drawn)
}

fn scene<'a>(
    engine: &'a Engine<'_>,
    view: &'a crate::view::View,
    placements: &'a [crate::scene::Placement],
) -> Culled<'a> {
    Culled { view, draws: &engine.buffers.layout, content: ORRERY.world().content(), placements }
}

fn by_draw(scene: &Culled<'_>, phase: usize, ids: &[u32]) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); scene.draws.draws.len()];
    ids.iter().for_each(|&id| lists[scene.draw(phase, id)].push(id));
    lists
}

#[test]
fn what_is_outside_the_view_is_left_out_as_its_twin_leaves_it_out() {
    let Some(gpu) = gpu() else { return };
    for (size, culling) in [(SMALL, "on"), (Size { width: 61, height: 97 }, "on"), (SMALL, "off")] {
        let mut engine = engine(&gpu, size, &[("culling", culling), ("occlusion", "off")]);
        for frame in [0, 333, 590, 930, 1300, 1420, 1799] {
            show(&gpu, &mut engine, frame);
            let expected = in_sight(&engine, frame);
            assert_eq!(drawn(&gpu, &engine), expected, "frame {frame} at {size}, culling {culling}");
            let drawn: usize = expected.iter().map(Vec::len).sum();
            let all = ORRERY.world().content().instances.len();
            assert_eq!(drawn == all, culling == "off", "frame {frame}: {drawn} of {all} drawn");
        }
    }
}

/// What both lists hold but for ids so near to the border that rounding decides.
fn assert_alike(found: &[u32], twin: &[u32], ratio: impl Fn(u32) -> Option<f32>, what: &str) {
    let differ = |a: &[u32], b: &[u32]| -> Vec<u32> {
        let b: std::collections::HashSet<&u32> = b.iter().collect();
        a.iter().copied().filter(|id| !b.contains(id)).collect()
    };
    for id in differ(found, twin).into_iter().chain(differ(twin, found)) {
        let ratio = ratio(id);
        // One pixel more or less beside the ball may make a large difference; both are right where one is.
        assert!(
            ratio.is_some_and(|ratio| (0.99..1.01).contains(&ratio)),
            "{what}: instance {id} at {ratio:?}"
        );
    }
}

#[test]
fn what_the_depth_before_hides_is_put_off_and_looked_at_again() {
    let Some(gpu) = gpu() else { return };
    let (mut put_off, mut came_back) = (0, 0);
    for size in [SMALL, Size { width: 61, height: 97 }, Size { width: 161, height: 91 }] {
        let mut engine = engine(&gpu, size, &[]);
        for frame in [330, 590, 1120, 1270, 1580] {
            show(&gpu, &mut engine, frame - 1);
            let before = Pyramid::of(size, &contents(&gpu, &engine.buffers.pyramid));
            show(&gpu, &mut engine, frame);
            let now = Pyramid::of(size, &contents(&gpu, &engine.buffers.pyramid));
            let view = engine.view.unwrap();
            assert_eq!(view.before, 1);
            let placements = placements(frame);
            let scene = scene(&engine, &view, &placements);
            let lists = drawn(&gpu, &engine);
            let (one, two) = lists.split_at(engine.buffers.layout.of_a_phase());
            let later: Vec<u32> = contents(&gpu, &engine.buffers.later);
            let later = &later[1..=later[0] as usize];
            let twin = culling_one(&scene, &before);
            let ratio = |pyramid, eye| {
                move |id| {
                    let (centre, bound) = scene.ball(id);
                    behind(&view, pyramid, &eye, centre, bound)
                }
            };
            let what = format!("frame {frame} at {size}");
            assert_alike(&one.concat(), &twin.drawn, ratio(&before, Eye::before(&view)), &what);
            assert_alike(later, &twin.later, ratio(&before, Eye::before(&view)), &what);
            let twin = culling_two(&scene, later, &now);
            assert_alike(&two.concat(), &twin, ratio(&now, Eye::now(&view)), &what);
            put_off += later.len();
            came_back += two.concat().len();
        }
    }
    assert!(put_off > 100, "{put_off} instances were put off: the test has some");
    assert!(came_back < put_off, "{came_back} of {put_off} came back");
}

#[test]
fn no_way_of_culling_changes_a_pixel() {
    let Some(gpu) = gpu() else { return };
    for size in [SMALL, Size { width: 97, height: 41 }] {
        let plain: &[(&str, &str)] = &[("culling", "off"), ("occlusion", "off")];
        let mut plain = engine(&gpu, size, plain);
        for culling in ON_OFF {
            for occlusion in ON_OFF {
                let mut culled = engine(&gpu, size, &[("culling", culling), ("occlusion", occlusion)]);
                for frame in [0, 590, 1300, 1580] {
                    if frame > 0 {
                        show(&gpu, &mut culled, frame - 1);
                    }
                    let found =
                        difference(&picture(&gpu, &mut culled, frame), &picture(&gpu, &mut plain, frame));
                    let what = format!("frame {frame} at {size}, culling {culling}, occlusion {occlusion}");
                    assert_eq!(found, (0, 0), "{what}: pixels, largest difference");
                }
            }
        }
    }
}

#[test]
fn culling_that_is_wrong_is_seen() {
    let Some(gpu) = gpu() else { return };
    let mut right = engine(&gpu, SMALL, &[]);
    let mut wrong = engine(&gpu, SMALL, &[("culling_fault", "on")]);
    let differing =
        |frame| difference(&picture(&gpu, &mut right, frame), &picture(&gpu, &mut wrong, frame)).0;
    let differing: Vec<usize> = [0, 590, 1300].map(differing).into();
    assert!(differing.iter().any(|&pixels| pixels > 0), "{differing:?}");
}
