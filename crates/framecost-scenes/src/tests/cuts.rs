//! Camera cuts and teleports. Culling puts off what the frame before hid, by that frame's depth and camera; after a cut both
//! are of another place, so that nearly all it says is wrong. The pictures must be those without culling all the same.

use super::*;
use crate::scene::Camera;
use crate::scene::crowd::CROWD;
use crate::scene::town::TOWN;

/// What a world shows, and what that is.
type Shot = (&'static str, fn(&dyn World) -> Moment);

/// A world cut together from moments of another. To the engine its frames follow each other, so that culling looks back over
/// each cut at the frame before it.
struct Cut<'s> {
    world: &'static dyn World,
    shots: &'s [Shot],
}

impl World for Cut<'_> {
    fn content(&self) -> &Content {
        self.world.content()
    }

    fn moment(&self, frame: u64) -> Moment {
        let last = self.shots.len() - 1;
        let (_, shot) = self.shots[usize::try_from(frame).unwrap_or(last).min(last)];
        shot(self.world)
    }

    fn shader(&self) -> &'static str {
        self.world.shader()
    }

    fn lighting(&self) -> &'static str {
        self.world.lighting()
    }

    fn settings(&self) -> String {
        "cut together".into()
    }
}

/// The same moment, seen the other way.
fn turned_round(mut moment: Moment) -> Moment {
    let camera = &mut moment.camera;
    (camera.forward, camera.right) = (-camera.forward, -camera.right);
    moment
}

/// What moves as it stands at one frame, seen from where the camera is at another.
fn moved(world: &dyn World, camera: u64, things: u64) -> Moment {
    Moment { camera: world.moment(camera).camera, ..world.moment(things) }
}

/// One thing stands far behind the eye.
fn without(mut moment: Moment, thing: usize) -> Moment {
    let behind = moment.camera.eye - moment.camera.forward * 300.0;
    moment.placements[thing].position = behind.as_vec3().to_array();
    moment
}

/// One thing stands before the eye, where it hides much of what is seen.
fn in_front(mut moment: Moment, thing: usize, away: f64) -> Moment {
    let place = moment.camera.eye + moment.camera.forward * away;
    moment.placements[thing].position = place.as_vec3().to_array();
    moment
}

/// One planet before the eye, another hidden behind it.
fn eclipse(mut moment: Moment) -> Moment {
    for (thing, away, radius) in [(PLANET, 12.0, 3.0), (HIDDEN, 30.0, 2.0)] {
        moment = in_front(moment, thing, away);
        moment.placements[thing].radius = radius;
    }
    moment
}

/// The eye as far from a thing, looking at it, a tenth of a turn around it: the thing fills the middle of the image as
/// before, and what it hid lies beside it.
fn from_its_side(mut moment: Moment, thing: usize) -> Moment {
    let centre = Vec3::from_array(moment.placements[thing].position).as_dvec3();
    let to = moment.camera.eye - centre;
    let eye = centre + to * 0.8 + to.length() * 0.6 * moment.camera.right;
    moment.camera = Camera::towards(eye, centre);
    moment
}

/// What culling did over all shots.
#[derive(Debug, Default)]
struct Seen {
    put_off: u32,
    came_back: u32,
}

/// Draws all shots with the switches, and all but the first without any culling: no pixel differs.
fn assert_shots(gpu: &Gpu, world: &'static dyn World, size: Size, shots: &[Shot], culling: &str) -> Seen {
    let cut = Cut { world, shots };
    let mut culled = engine_of(gpu, &cut, size, &[("culling", culling)]);
    let mut plain = engine_of(gpu, &cut, size, &[("culling", "off"), ("occlusion", "off")]);
    let mut seen = Seen::default();
    // The first has nothing to look back at.
    show(gpu, &mut culled, 0);
    for (frame, (what, _)) in (0..).zip(shots).skip(1) {
        let found = difference(&picture(gpu, &mut culled, frame), &picture(gpu, &mut plain, frame));
        assert_eq!(found, (0, 0), "{what} at {size}, culling {culling}: pixels, largest difference");
        assert_eq!(culled.view.unwrap().before, 1, "{what}: culling looks back");
        let later: Vec<u32> = contents(gpu, &culled.buffers.later);
        let draws: Vec<Draw> = contents(gpu, &culled.buffers.draws);
        let second = &draws[culled.buffers.layout.of_a_phase()..];
        let came_back = second.iter().map(|draw| draw.instances).sum::<u32>();
        seen.put_off += later[0];
        seen.came_back += came_back;
    }
    seen
}

/// The ringed planet, which fills the middle of frame 590.
const PLANET: usize = 5;
/// Another.
const HIDDEN: usize = 4;

const IN_THE_ORRERY: &[Shot] = &[
    ("a start", |world| world.moment(1579)),
    ("the next frame", |world| world.moment(1580)),
    ("a jump back", |world| world.moment(300)),
    ("a jump forward", |world| world.moment(1420)),
    ("a look the other way", |world| turned_round(world.moment(1420))),
    ("a look forward again", |world| world.moment(1421)),
    ("all things elsewhere", |world| moved(world, 1421, 590)),
    ("another jump back", |world| world.moment(590)),
    ("a planet gone", |world| without(world.moment(591), PLANET)),
    ("a planet there again", |world| world.moment(592)),
    ("an eclipse", |world| eclipse(world.moment(592))),
    ("an eclipse from its side", |world| from_its_side(eclipse(world.moment(592)), PLANET)),
];

#[test]
fn a_cut_in_the_orrery_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    for (size, culling) in [
        (Size { width: 96, height: 54 }, "on"),
        (Size { width: 61, height: 37 }, "on"),
        (Size { width: 96, height: 54 }, "off"),
    ] {
        let seen = assert_shots(&gpu, ORRERY.world(), size, IN_THE_ORRERY, culling);
        assert!(seen.came_back > 1_000, "after these cuts much comes back that was put off: {seen:?}");
    }
}

/// A pedestrian's body, the first thing that moves.
const SOMEONE: usize = 0;

const IN_THE_CROWD: &[Shot] = &[
    ("someone before the eye", |world| in_front(world.moment(580), SOMEONE, 1.2)),
    ("nobody there", |world| world.moment(580)),
    ("everybody elsewhere", |world| moved(world, 580, 1500)),
    ("a jump forward", |world| world.moment(1120)),
    ("a look the other way", |world| turned_round(world.moment(1120))),
];

#[test]
fn a_cut_in_the_crowd_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 97, height: 53 };
    let seen = assert_shots(&gpu, CROWD.world(), size, IN_THE_CROWD, "on");
    assert!(seen.came_back > 500, "after these cuts much comes back that was put off: {seen:?}");
}

const IN_THE_TOWN: &[Shot] =
    &[("a start", |world| world.moment(100)), ("a jump forward", |world| world.moment(900))];

#[test]
fn a_cut_in_the_town_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 96, height: 54 };
    let seen = assert_shots(&gpu, TOWN.world(), size, IN_THE_TOWN, "on");
    assert!(seen.came_back > 10_000, "after this cut most of the town comes back that was put off: {seen:?}");
}

#[test]
fn culling_that_is_wrong_is_seen_right_after_a_cut() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 96, height: 54 };
    let shots: &[Shot] =
        &[("a start", |world| world.moment(100)), ("a jump forward", |world| world.moment(580))];
    let cut = Cut { world: CROWD.world(), shots };
    let [right, wrong] = ["off", "on"].map(|fault| {
        let mut engine = engine_of(&gpu, &cut, size, &[("culling_fault", fault)]);
        show(&gpu, &mut engine, 0);
        picture(&gpu, &mut engine, 1)
    });
    let (pixels, largest) = difference(&right, &wrong);
    // One thing of 97 is left out: about as many pixels in a hundred.
    assert!(pixels > 40 && largest > 80, "{pixels} pixels, largest difference {largest}");
}

#[test]
fn a_frame_that_follows_no_other_looks_back_at_none() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 96, height: 54 };
    let mut culled = engine(&gpu, size, &[]);
    let mut plain = engine(&gpu, size, &[("culling", "off"), ("occlusion", "off")]);
    for frame in [5, 6, 900, 901, 30, 1799, 0] {
        let found = difference(&picture(&gpu, &mut culled, frame), &picture(&gpu, &mut plain, frame));
        assert_eq!(found, (0, 0), "frame {frame}: pixels, largest difference");
        let follows = matches!(frame, 6 | 901);
        assert_eq!(culled.view.unwrap().before, u32::from(follows), "frame {frame}: culling looks back");
    }
}
