//! The whole path on a real adapter, the software one where there is no other. What is asserted holds on any: values, or
//! reasons why not; never how long something took by the clock.

use std::sync::OnceLock;
use std::time::Duration;

use framecost_sample::{PassId, Reading, Reason, Semantics, Sharing, Stamp};
use framecost_wgpu::{FrameStamps, FrameTimer, Gpu, Method, Oddities, OpenOptions, Stamping, TimerOptions};

/// Long enough for any machine that is not stuck.
const PATIENCE: Duration = Duration::from_secs(60);

/// The device that the tests share: proving its stamps takes a while, and tests that run side by side disturb it.
fn open() -> Option<&'static Gpu> {
    static GPU: OnceLock<Option<Gpu>> = OnceLock::new();
    GPU.get_or_init(open_anew).as_ref()
}

fn open_anew() -> Option<Gpu> {
    match Gpu::open(&OpenOptions::default()) {
        Ok(gpu) => {
            gpu.proof();
            Some(gpu)
        }
        Err(fault) if std::env::var("FRAMECOST_NO_ADAPTER").is_ok_and(|value| value == "allow") => {
            say(&format!("left out, for want of an adapter: {fault}"));
            None
        }
        Err(fault) => panic!("{fault}; FRAMECOST_NO_ADAPTER=allow leaves these tests out"),
    }
}

#[allow(clippy::print_stdout, reason = "a test that leaves something out says so")]
fn say(text: &str) {
    println!("{text}");
}

fn timer(gpu: &Gpu, stamping: Stamping) -> FrameTimer {
    FrameTimer::new(
        gpu,
        &["first", "second"],
        &TimerOptions { stamping, frames_in_flight: 2, ..TimerOptions::default() },
    )
    .unwrap_or_else(|fault| panic!("{fault}"))
}

const FIRST: PassId = PassId(0);
const SECOND: PassId = PassId(1);

/// A frame of two empty compute passes in one submission.
fn draw(timer: &mut FrameTimer, index: u64, stamping: Stamping) {
    let mut frame = timer.begin_frame_as(index, stamping);
    let mut submission = frame.submission();
    submission.compute_pass(FIRST, |_| {});
    submission.compute_pass(SECOND, |_| {});
    submission.submit();
}

/// A delivered frame, kept.
#[derive(Debug)]
struct Kept {
    frame: u64,
    stamping: Stamping,
    stamps: Vec<Stamp>,
    bracket: [Reading<framecost_sample::Ticks>; 2],
}

fn keep(into: &mut Vec<Kept>) -> impl FnMut(FrameStamps<'_>) {
    |frame| {
        into.push(Kept {
            frame: frame.frame,
            stamping: frame.stamping,
            stamps: frame.stamps.to_vec(),
            bracket: [frame.bracket.start, frame.bracket.end],
        });
    }
}

fn measured(row: &Stamp) -> Option<(u64, u64)> {
    Some((row.start.measured()?.0, row.end.measured()?.0))
}

/// Each row holds two ticks in order, or the reason that unproven stamps get.
fn check_row(gpu: &Gpu, row: &Stamp) {
    match measured(row) {
        Some((start, end)) => {
            let bits = gpu.support.clock.valid_bits;
            let span = bits.elapsed(framecost_sample::Ticks(start), framecost_sample::Ticks(end));
            assert!(span.is_ok(), "{row:?}");
        }
        None => assert_eq!(row.start, Reading::Missing(Reason::Unreliable), "{row:?}"),
    }
}

#[test]
fn each_frame_comes_back_once_and_in_order() {
    let Some(gpu) = open() else { return };
    for stamping in [Stamping::Attachments, Stamping::TopBottom] {
        if stamping == Stamping::TopBottom && !gpu.support.top_of_pipe.is_yes() {
            continue;
        }
        let mut timer = timer(gpu, stamping);
        let mut kept = Vec::new();
        for index in (0..200).step_by(2) {
            draw(&mut timer, index, stamping);
            timer.collect(&mut keep(&mut kept));
        }
        timer.finish(PATIENCE, &mut keep(&mut kept));
        let frames: Vec<u64> = kept.iter().map(|frame| frame.frame).collect();
        assert_eq!(frames, (0..200).step_by(2).collect::<Vec<u64>>(), "{stamping:?}");
        for frame in &kept {
            assert_eq!(frame.stamping, stamping);
            let rows: Vec<_> = frame.stamps.iter().map(|row| (row.frame, row.pass)).collect();
            assert_eq!(rows, [(frame.frame, FIRST), (frame.frame, SECOND)]);
            frame.stamps.iter().for_each(|row| check_row(gpu, row));
        }
        let counts = timer.counts();
        assert_eq!((counts.begun, counts.delivered, counts.given_up), (100, 100, 0));
    }
}

#[test]
fn stamps_of_frames_follow_each_other_on_one_timeline() {
    let Some(gpu) = open() else { return };
    let Sharing::AcrossSubmissions { promise } = &gpu.support.clock.sharing else {
        say("left out: the device promises no timeline across submissions");
        return;
    };
    assert!(promise.ends_with("calibrated_timestamps enabled"), "{promise}");
    let mut timer = timer(gpu, Stamping::Attachments);
    let mut kept = Vec::new();
    for index in 0..20 {
        draw(&mut timer, index, Stamping::Attachments);
    }
    timer.finish(PATIENCE, &mut keep(&mut kept));
    let ends: Vec<u64> =
        kept.iter().flat_map(|frame| &frame.stamps).filter_map(measured).map(|row| row.1).collect();
    assert!(ends.is_sorted(), "{ends:?}");
}

#[test]
fn stamps_are_proven_before_they_are_believed() {
    let Some(gpu) = open() else { return };
    let proof = gpu.proof();
    for trial in &proof.trials {
        say(&format!("{}: {:?} after {} tries", trial.method.name(), trial.verdict, trial.tries));
    }
    let timer = timer(gpu, Stamping::Attachments);
    let Some(method) = proof.method() else {
        let explained =
            |trial: &framecost_wgpu::Trial| trial.verdict.as_ref().is_err_and(|why| !why.is_empty());
        assert!(proof.trials.iter().all(explained));
        return;
    };
    let expected = match method {
        Method::Attachments => gpu.support.semantics,
        _ => Semantics::OwnBufferBottom,
    };
    assert_eq!(timer.semantics(), expected);
    assert!(timer.clocks()[0].step.measured().is_some(), "the proof finds the clock's step");
    for row in proof.trials.iter().filter(|trial| trial.proven()).flat_map(|trial| &trial.rows) {
        assert!(row.stamped.measured().is_some_and(|time| time.0 > 0.0), "{row:?}");
    }
}

// Research item 2.31: a pass that runs more often than there are queries.
#[test]
fn a_pass_may_run_again_until_the_queries_are_exhausted() {
    let Some(gpu) = open() else { return };
    let mut timer = timer(gpu, Stamping::Attachments);
    let mut frame = timer.begin_frame(0);
    let mut submission = frame.submission();
    for _ in 0..7 {
        submission.compute_pass(FIRST, |_| {});
    }
    submission.submit();
    frame.end();
    let mut kept = Vec::new();
    timer.finish(PATIENCE, &mut keep(&mut kept));
    let rows = &kept[0].stamps;
    assert_eq!(rows.len(), 7);
    if gpu.proof().method().is_some() {
        assert!(rows[..5].iter().all(|row| measured(row).is_some()), "{rows:?}");
        let exhausted = |row: &Stamp| row.start == Reading::Missing(Reason::Exhausted);
        assert!(rows[5..].iter().all(exhausted), "{rows:?}");
        assert_eq!(timer.counts().exhausted, 2);
    }
}

#[test]
fn a_bracket_lies_around_the_frames_passes() {
    let Some(gpu) = open() else { return };
    if !gpu.support.bracket.is_yes() || gpu.proof().method().is_none() {
        say("left out: the device cannot bracket, or its stamps are not believed");
        return;
    }
    let mut timer = timer(gpu, Stamping::Attachments);
    timer.set_bracket(true);
    for index in 0..6 {
        draw(&mut timer, index, if index % 2 == 0 { Stamping::Attachments } else { Stamping::Bracket });
    }
    timer.set_bracket(false);
    draw(&mut timer, 6, Stamping::Attachments);
    let mut kept = Vec::new();
    timer.finish(PATIENCE, &mut keep(&mut kept));
    let bits = gpu.support.clock.valid_bits;
    let after = |from, to| bits.elapsed(framecost_sample::Ticks(from), framecost_sample::Ticks(to)).is_ok();
    for frame in &kept[..6] {
        let [start, end] = frame.bracket.clone().map(|stamp| stamp.measured().map(|tick| tick.0));
        let (Some(start), Some(end)) = (start, end) else { panic!("{frame:?}") };
        assert!(after(start, end), "{frame:?}");
        for (from, to) in frame.stamps.iter().filter_map(measured) {
            assert!(after(start, from) && after(to, end), "{frame:?}");
        }
        let passes = if frame.stamping == Stamping::Bracket { 0 } else { 2 };
        assert_eq!(frame.stamps.len(), passes, "a bracketed frame has no rows");
    }
    assert_eq!(kept[6].bracket[0], Reading::Missing(Reason::NotExecuted), "none was asked for");
}

#[test]
fn a_submission_that_is_dropped_did_not_run() {
    let Some(gpu) = open() else { return };
    for stamping in [Stamping::Attachments, Stamping::TopBottom] {
        if stamping == Stamping::TopBottom && !gpu.support.top_of_pipe.is_yes() {
            continue;
        }
        let mut timer = timer(gpu, stamping);
        for index in 0..3 {
            let mut frame = timer.begin_frame(index);
            let mut dropped = frame.submission();
            dropped.compute_pass(FIRST, |_| {});
            drop(dropped);
            let mut submission = frame.submission();
            submission.compute_pass(SECOND, |_| {});
            submission.submit();
        }
        let mut kept = Vec::new();
        timer.finish(PATIENCE, &mut keep(&mut kept));
        for frame in kept {
            let rows: Vec<_> = frame.stamps.iter().map(|row| (row.submission, row.pass)).collect();
            assert_eq!(rows, [(0, FIRST), (1, SECOND)]);
            check_row(gpu, &frame.stamps[1]);
            let reason = frame.stamps[0].start.missing();
            assert!(
                matches!(reason, Some(Reason::NotExecuted | Reason::Unreliable)),
                "{stamping:?} {reason:?}"
            );
        }
    }
}

#[test]
fn encoders_of_the_callers_own_are_stamped_where_attachments_are_believed() {
    let Some(gpu) = open() else { return };
    let mut timer = timer(gpu, Stamping::Attachments);
    for (index, pushed) in [(0, true), (1, false)] {
        let mut frame = timer.begin_frame(index);
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut submission = frame.submission();
        let timestamp_writes = submission.compute_writes(FIRST);
        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
        if pushed {
            submission.push(encoder.finish());
            submission.submit();
        } else {
            let index = gpu.queue.submit([encoder.finish()]);
            submission.submitted(index);
        }
    }
    let mut kept = Vec::new();
    timer.finish(PATIENCE, &mut keep(&mut kept));
    for frame in &kept {
        assert_eq!(frame.stamps.len(), 1);
        let is_measured = measured(&frame.stamps[0]).is_some();
        assert_eq!(is_measured, gpu.proof().method() == Some(Method::Attachments), "{frame:?}");
        check_row(gpu, &frame.stamps[0]);
    }
}

#[test]
fn a_device_that_is_lost_ends_every_frame_with_a_reason() {
    let Some(gpu) = open_anew() else { return };
    let mut timer = timer(&gpu, Stamping::Attachments);
    let mut kept = Vec::new();
    for index in 0..20 {
        if index == 10 {
            gpu.device.destroy();
        }
        draw(&mut timer, index, Stamping::Attachments);
        timer.collect(&mut keep(&mut kept));
    }
    timer.finish(PATIENCE, &mut keep(&mut kept));
    let frames: Vec<u64> = kept.iter().map(|frame| frame.frame).collect();
    assert_eq!(frames, (0..20).collect::<Vec<u64>>());
    let ended = |row: &Stamp| matches!(row.start.missing(), Some(Reason::DeviceLost | Reason::Unreliable));
    assert!(kept[19].stamps.iter().all(ended), "{:?}", kept[19]);
}

// Research item 2.25: off means no state at all.
#[test]
fn a_timer_that_is_off_delivers_nothing_and_holds_nothing() {
    let Some(gpu) = open() else { return };
    let mut timer = timer(gpu, Stamping::Off);
    for index in 0..50 {
        draw(&mut timer, index, Stamping::Off);
        draw(&mut timer, index, Stamping::Attachments);
        timer.collect(&mut |frame| panic!("{frame:?}"));
    }
    timer.finish(PATIENCE, &mut |frame| panic!("{frame:?}"));
    assert_eq!(timer.counts(), Default::default());
}

// Research items 2.29 and 2.41: what cannot be stamped is refused with the reason, or missing as unsupported.
#[test]
fn what_a_timer_does_not_stamp_is_missing_as_unsupported() {
    let Some(gpu) = open() else { return };
    let mut timer = timer(gpu, Stamping::Attachments);
    draw(&mut timer, 0, Stamping::TopBottom);
    let mut kept = Vec::new();
    timer.finish(PATIENCE, &mut keep(&mut kept));
    assert!(kept[0].stamps.iter().all(|row| row.start == Reading::Missing(Reason::Unsupported)));
    if let framecost_wgpu::Able::No(why) = &gpu.support.top_of_pipe {
        let options =
            TimerOptions { stamping: Stamping::TopBottom, frames_in_flight: 1, ..TimerOptions::default() };
        let fault = FrameTimer::new(gpu, &["first"], &options).expect_err("it cannot").to_string();
        assert!(fault.contains(why), "{fault}");
    }
}

#[test]
fn bad_lists_of_passes_are_refused() {
    let Some(gpu) = open() else { return };
    let fault = |passes: &[&str]| {
        let options =
            TimerOptions { stamping: Stamping::Off, frames_in_flight: 1, ..TimerOptions::default() };
        FrameTimer::new(gpu, passes, &options).expect_err("refused").to_string()
    };
    assert_eq!(fault(&["a", "b", "a"]), "pass 2 is named `a`; names are unique and not empty");
    assert_eq!(fault(&["a", ""]), "pass 1 is named ``; names are unique and not empty");
    let many: Vec<String> = (0..2048).map(|i| i.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(fault(&many), "2048 passes; at most 2047 can be stamped");
}

#[test]
fn adapters_are_reported_with_their_trials() {
    if open().is_none() {
        return;
    }
    let reports = framecost_wgpu::adapters();
    assert!(!reports.is_empty());
    for report in reports {
        assert!(!report.trials.is_empty(), "{report:?}");
        let Ok(support) = report.support else { continue };
        let proven = report.trials.iter().any(framecost_wgpu::Trial::proven);
        assert_eq!(
            support.clock.step.measured().is_some(),
            report.trials.iter().any(|trial| trial.tries > 0)
        );
        say(&format!("{}: proven {proven}", report.name));
    }
}

#[test]
fn an_adapter_that_is_not_there_is_named_with_those_that_are() {
    let Some(gpu) = open() else { return };
    let options = OpenOptions { adapter: Some("no such adapter".into()), ..OpenOptions::default() };
    let fault = Gpu::open(&options).expect_err("there is none").to_string();
    assert!(fault.starts_with("no adapter's name holds `no such adapter`; there are: "), "{fault}");
    assert!(fault.contains(&gpu.info.name), "{fault}");
}

#[test]
fn what_was_odd_in_a_frame_is_counted() {
    let Some(gpu) = open() else { return };
    for stamping in [Stamping::Off, Stamping::Attachments] {
        let mut timer = timer(gpu, stamping);
        draw(&mut timer, 0, stamping);
        assert_eq!(timer.take_oddities(), Oddities::default(), "{stamping:?}");
        let mut frame = timer.begin_frame(1);
        frame.submission().encoder();
        assert_eq!(frame.pass("third"), None);
        frame.end();
        let seen = timer.take_oddities();
        assert_eq!(seen.unknown_passes, [("third".to_owned(), 1)]);
        assert_eq!((seen.empty_frames, seen.dropped_submissions), (1, 1), "{stamping:?}");
        let mut frame = timer.begin_frame(2);
        let encoder = frame.device().create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let index = frame.queue().submit([encoder.finish()]);
        frame.submission().submitted(index);
        drop(frame);
        assert_eq!(
            timer.take_oddities(),
            Oddities::default(),
            "{stamping:?}: one that the program made itself is one"
        );
        timer.finish(PATIENCE, &mut |_| ());
    }
}
