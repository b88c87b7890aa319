//! The whole path on a real adapter, the software one where there is no other.

use std::time::Duration;

use framecost_sample::Reading;
use framecost_wgpu::{FrameTimer, Gpu, OpenOptions, TimerOptions};

#[test]
fn each_frame_comes_back_once_and_in_order() {
    let Some(gpu) = open() else { return };
    let mut timer = FrameTimer::new(&gpu, &["first", "second"], &TimerOptions::default()).unwrap();
    let passes = [timer.pass("first").unwrap(), timer.pass("second").unwrap()];
    let mut seen = Vec::new();
    let mut rows = Vec::new();
    let mut take = |frame: framecost_wgpu::FrameStamps<'_>| {
        seen.push(frame.frame);
        rows.extend_from_slice(frame.stamps);
    };
    for index in (0..40).step_by(2) {
        let mut frame = timer.begin_frame(index);
        let mut submission = frame.submission();
        for pass in passes {
            submission.compute_pass(pass, |_| {});
        }
        submission.submit();
        frame.end();
        timer.collect(&mut take);
    }
    timer.finish(Duration::from_secs(20), &mut take);
    assert_eq!(seen, (0..40).step_by(2).collect::<Vec<u64>>());
    assert_eq!(rows.len(), 40);
    println!("{:?}", rows.iter().filter(|row| matches!(row.start, Reading::Measured(_))).count());
    println!("{:?}", rows[1]);
}

fn open() -> Option<Gpu> {
    match Gpu::open(&OpenOptions::default()) {
        Ok(gpu) => Some(gpu),
        Err(fault) if std::env::var("FRAMECOST_NO_ADAPTER").is_ok_and(|value| value == "allow") => {
            println!("left out, for want of an adapter: {fault}");
            None
        }
        Err(fault) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves these tests out"),
    }
}
