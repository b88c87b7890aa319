//! Whole runs through the harness.

use super::*;

#[test]
fn a_run_counts_what_the_gpu_drew() {
    let Some(gpu) = gpu() else { return };
    let size = Size { width: 64, height: 36 };
    let switches = Switches([("occlusion".into(), "off".into())].into());
    let plan = Plan {
        size,
        frames: Some(5),
        warm_up: 1,
        calibration_pairs: 1,
        variants: vec![switches],
        ..Plan::default()
    };
    let capture = &run(&ORRERY, &plan, &mut ()).unwrap()[0].capture;
    let mut engine = engine(&gpu, size, &[("occlusion", "off")]);
    let content = ORRERY.world().content();
    for frame in 0..5 {
        show(&gpu, &mut engine, frame);
        let drawn = culling::in_sight(&engine, frame);
        let layout = &engine.buffers.layout;
        let instances: usize = drawn.iter().map(Vec::len).sum();
        let of_draw = |(list, draw): (&Vec<u32>, &Draw)| list.len() * draw.indices as usize / 3;
        let triangles: usize = drawn.iter().zip(&layout.draws).map(of_draw).sum();
        let triangles = triangles + content.strip_indices.len() / 3;
        for (name, expected) in [("instances", instances), ("triangles", triangles)] {
            let metric = capture.metrics.iter().position(|metric| metric.name == name).unwrap();
            let mut samples = capture.samples.iter();
            let sample = samples.find(|it| it.frame == frame && usize::from(it.metric.0) == metric).unwrap();
            assert_eq!(sample.reading, Reading::Measured(expected as f64), "{name} of frame {frame}");
        }
    }
    let passes: Vec<&str> = capture.passes.iter().map(|pass| pass.name.as_str()).collect();
    assert_eq!(passes, FRAME.iter().map(|pass| pass.name).collect::<Vec<_>>());
    // Submissions are numbered within the frame, whatever numbers the list gives them.
    let numbers: Vec<u32> =
        capture.stamps.iter().filter(|stamp| stamp.frame == 3).map(|stamp| stamp.submission).collect();
    let changes = |pair: &[u32]| pair[0] != pair[1];
    let of_list: Vec<u32> = FRAME.iter().map(|pass| pass.submission).collect();
    assert_eq!(
        numbers.windows(2).map(changes).collect::<Vec<_>>(),
        of_list.windows(2).map(changes).collect::<Vec<_>>()
    );
}

#[test]
fn every_scene_runs_every_pass() {
    if gpu().is_none() {
        return;
    }
    let size = Size { width: 96, height: 54 };
    let plan = Plan { size, frames: Some(2), warm_up: 0, calibration_pairs: 0, ..Plan::default() };
    for scene in crate::REFERENCES {
        let capture = &run(*scene, &plan, &mut ()).unwrap()[0].capture;
        let measured = |stamp: &&framecost_sample::Stamp| {
            matches!((&stamp.start, &stamp.end), (Reading::Measured(_), Reading::Measured(_)))
        };
        let of_last = capture.stamps.iter().filter(|stamp| stamp.frame == 1);
        assert_eq!(of_last.filter(measured).count(), FRAME.len(), "{}: {:?}", scene.name, capture.stamps);
        for (name, least, most) in [("instances", 1.0, 262_144.0), ("full_light_lists", 0.0, 0.0)] {
            let metric = capture.metrics.iter().position(|metric| metric.name == name).unwrap();
            let of = capture.samples.iter().filter(|sample| usize::from(sample.metric.0) == metric);
            for sample in of {
                let Reading::Measured(value) = sample.reading else { panic!("{}: {sample:?}", scene.name) };
                assert!((least..=most).contains(&value), "{}: {name} {value}", scene.name);
            }
        }
    }
}
