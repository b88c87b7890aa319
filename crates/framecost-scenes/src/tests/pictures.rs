//! Pictures, held against each other and against what must be seen in them.

use super::*;
use crate::scene::crowd::CROWD;

#[test]
fn pictures_show_a_sun_where_it_is_and_a_sky_full_of_stars() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 320, height: 180 };
    let mut engine = engine(&gpu, size, &[]);
    let mut suns = 0;
    for frame in [0, 600, 1000, 1200, 1420] {
        let image = picture(&gpu, &mut engine, frame);
        let brightness = |x: u32, y: u32| {
            let at = 4 * (y * size.width + x) as usize;
            image.rgba[at..at + 3].iter().map(|&channel| u32::from(channel)).sum::<u32>()
        };
        let all: Vec<u32> = (0..size.height)
            .flat_map(|y| (0..size.width).map(move |x| (x, y)))
            .map(|(x, y)| brightness(x, y))
            .collect();
        let mean = all.iter().sum::<u32>() / u32::try_from(all.len()).unwrap();
        assert!((12..400).contains(&mean), "frame {frame}: mean brightness {mean} of 765");
        let distinct: std::collections::HashSet<&u32> = all.iter().collect();
        assert!(distinct.len() > 150, "frame {frame}: {} shades", distinct.len());
        assert!(image.rgba.chunks_exact(4).all(|pixel| pixel[3] == 255), "frame {frame} is opaque");
        let moment = ORRERY.world().moment(frame);
        let aspect = f64::from(size.width) / f64::from(size.height);
        let Some((x, y)) = moment.camera.project(DVec3::ZERO, aspect) else { continue };
        if x.abs() < 0.9 && y.abs() < 0.9 && moment.light_seen > 0.99 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the image")]
            let pixel = |share: f64, length: u32| (f64::midpoint(share, 1.0) * f64::from(length)) as u32;
            let (x, y) = (pixel(x, size.width), pixel(-y, size.height));
            // A hoop or a rock may cross its very middle.
            let brightest = (y.saturating_sub(3)..y + 3).map(|y| brightness(x, y)).max().unwrap();
            assert!(brightest > 550, "frame {frame}: {brightest} of 765 at the sun ({x}, {y})");
            suns += 1;
        }
    }
    assert!(suns >= 2, "the sun was in sight in {suns} of these frames");
}

#[test]
fn repeated_work_changes_no_pixel() {
    let Some(gpu) = gpu() else { return };
    let mut once = engine(&gpu, SMALL, &[]);
    let names: Vec<String> =
        ORRERY.info().passes.iter().map(|pass| crate::engine::load_switch(pass)).collect();
    for name in &names {
        let mut often = engine(&gpu, SMALL, &[(name, "4")]);
        for frame in [590, 1300] {
            let found = difference(&picture(&gpu, &mut once, frame), &picture(&gpu, &mut often, frame));
            assert_eq!(found, (0, 0), "frame {frame} with {name}=4: pixels, largest difference");
        }
    }
}

#[test]
fn repeated_work_changes_no_pixel_where_nearly_everything_moves() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 49, height: 27 };
    let names: Vec<String> = FRAME.iter().map(|pass| crate::engine::load_switch(pass.name)).collect();
    let drawn = |names: &[String]| {
        let switches: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "3")).collect();
        let mut engine = engine_of(&gpu, CROWD.world(), size, &switches);
        // The second looks back at the first, so that both phases of culling have work.
        [100, 101].map(|frame| picture(&gpu, &mut engine, frame))
    };
    let once = drawn(&[]);
    let found = |names: &[String]| {
        let often = drawn(names);
        [0, 1].map(|i| difference(&once[i], &often[i]))
    };
    // All at once; one by one only to name those that do it.
    if found(&names) != [(0, 0); 2] {
        let apart = |name: &&String| found(std::slice::from_ref(*name)) != [(0, 0); 2];
        panic!(
            "work repeated by these changes pixels, or all of it together: {:?}",
            names.iter().filter(apart).collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_frame_does_not_hang_on_the_frames_before_it() {
    let Some(gpu) = gpu() else { return };
    let mut engine = engine(&gpu, SMALL, &[]);
    let first = picture(&gpu, &mut engine, 700);
    for frame in [0, 1799, 42] {
        show(&gpu, &mut engine, frame);
    }
    assert_eq!(difference(&first, &picture(&gpu, &mut engine, 700)), (0, 0));
    assert!(difference(&first, &picture(&gpu, &mut engine, 720)).0 > 100, "frames differ from each other");
}

#[test]
fn any_size_can_be_drawn() {
    let Some(gpu) = gpu() else { return };
    for (width, height) in [(1, 1), (1, 64), (63, 1), (33, 17), (257, 3)] {
        let size = Size { width, height };
        let image = picture(&gpu, &mut engine(&gpu, size, &[]), 900);
        assert_eq!(image.rgba.len(), (width * height * 4) as usize, "{size}");
    }
}
