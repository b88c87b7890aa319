//! Traces read back: every measured pass stands where the accounting has it, no missing one stands anywhere, and no two
//! passes of a lane overlap; in both formats, on random timelines with faults, and with names and stamps that mean harm.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounting_support;
mod fixture;
mod trace_support;

use std::collections::BTreeMap;
use std::ops::Range;

use accounting_support::truth::{Fact, Truth};
use accounting_support::{capture, hostile, parts, pass, stamp, truth};
use fixture::Recipe;
use framecost::account::{Floor, places};
use framecost::report::trace::{RunTrace, Trace, TraceError, chrome, perfetto};
use framecost::{Analysis, analyse};
use framecost_sample::{Capture, Reading, Reason, Ticks};
use proptest::prelude::*;
use trace_support::{Drawn, Seen, real};

/// Both formats of a trace, which say the same.
fn seen(run: &Analysis, frames: Option<&Range<u64>>) -> Result<(RunTrace, Seen), TraceError> {
    let run = RunTrace::new(run, frames)?;
    let trace = Trace { runs: vec![run] };
    let json = trace_support::chrome(&chrome(&trace)).in_order();
    let bytes = trace_support::perfetto(&perfetto(&trace)).in_order();
    assert_eq!(json.first_difference(&bytes), None);
    let run = trace.runs.into_iter().next().unwrap();
    Ok((run, bytes))
}

#[test]
fn a_trace_of_three_frames_as_chrome_reads_it() {
    let run = Recipe { frames: 2..5, lost: vec![4], ..Recipe::default() }.analysis();
    let trace = Trace { runs: vec![RunTrace::new(&run, None).unwrap()] };
    insta::assert_snapshot!(chrome(&trace));
    let run = &trace.runs[0];
    assert_eq!((run.frames, run.frames_without_place, run.passes, run.passes_missing), (3, 0, 7, 1));
}

#[test]
fn two_runs_are_two_processes_from_their_own_first_moment_on() {
    let of = |scene: &str, frames| {
        RunTrace::new(&Recipe { scene: scene.into(), frames, ..Recipe::default() }.analysis(), None).unwrap()
    };
    let trace = Trace { runs: vec![of("orrery", 0..3), of("town", 40..43)] };
    let json = trace_support::chrome(&chrome(&trace)).in_order();
    assert_eq!(json.first_difference(&trace_support::perfetto(&perfetto(&trace)).in_order()), None);
    assert_eq!(json.processes.len(), 2);
    for process in &json.processes {
        let of_it = json.slices.iter().filter(|slice| slice.process == *process);
        assert_eq!(of_it.map(|slice| slice.start).min(), Some(0), "{process}");
    }
}

#[test]
fn frames_asked_for_keep_the_floor_that_the_frame_before_sets() {
    let run = Recipe::default().analysis();
    let (part, seen) = seen(&run, Some(&(20..30))).unwrap();
    assert_eq!((part.frames, seen.of("frame").len()), (10, 10));
    let owned =
        |frame: u64| run.ledger.frames[usize::try_from(frame).unwrap()].account.measured().unwrap().owned;
    for slice in seen.of("frame") {
        let frame = slice.name.strip_prefix("frame ").unwrap().parse().unwrap();
        assert_eq!(Ticks(slice.end - slice.start), owned(frame), "{}", slice.name);
    }
    let fault = RunTrace::new(&run, Some(&(60..70))).unwrap_err().to_string();
    assert_eq!(fault, "frames 60..70: none of them was measured; the capture has frames 0 to 59");
}

#[test]
fn a_missing_sample_has_no_point() {
    let run = Recipe { frames: 0..6, ..Recipe::default() }.analysis();
    let (_, seen) = seen(&run, None).unwrap();
    let points = |counter: &str| seen.points.iter().filter(|point| point.counter == counter).count();
    assert_eq!((points("cpu_frame"), points("triangles"), points("texture_bytes")), (6, 6, 5));
    let begins: Vec<u64> = seen.of("frame").iter().map(|slice| slice.start).collect();
    let of_cpu: Vec<u64> =
        seen.points.iter().filter(|it| it.counter == "cpu_frame").map(|point| point.at).collect();
    assert_eq!(of_cpu, begins);
}

#[test]
fn what_cannot_be_drawn_says_why() {
    let at = |from: u64, to| vec![stamp(0, 0, 0, 0, from, from + 10), stamp(1, 0, 0, 0, to, to + 10)];
    let of = |stamps| {
        let passes = vec![pass("lit")];
        let frames = vec![0, 1];
        RunTrace::new(
            &analyse(
                &capture(framecost_sample::CaptureParts { frames, passes, stamps, ..parts() }),
                &Floor::LastPass,
            ),
            None,
        )
    };
    assert!(of(at(5, 100)).is_ok());
    let far = of(at(5, 5 + (1 << 54))).unwrap_err().to_string();
    insta::assert_snapshot!(far, @"frame 1 ends 18014398509481992 ns after the first moment; allowed: 2251799813685248 ns (26 days), as far as viewers tell nanoseconds apart; choose frames that lie closer together");
    let nothing = of(vec![]).unwrap_err().to_string();
    insta::assert_snapshot!(nothing, @"no pass has two valid stamps in any of the 2 frames asked for, so that nothing has a place in time");
    let crowd = (0..600_000).map(|i| stamp(0, 0, 0, 0, i + 1, i + 2)).collect();
    let crowd = of(crowd).unwrap_err().to_string();
    insta::assert_snapshot!(crowd, @"the trace would hold 1200002 slices and samples; allowed: 1048576; choose fewer frames");
}

#[test]
fn many_passes_at_one_moment_take_no_time_that_grows_with_their_square() {
    // Thirty thousand lanes, which a search through all of them for each slice would take long over.
    let stamps = (0..30_000).map(|i| stamp(0, 0, 0, 0, i + 1, 1_000_000 + i)).collect();
    let parts =
        framecost_sample::CaptureParts { frames: vec![0], passes: vec![pass("lit")], stamps, ..parts() };
    let (run, seen) = seen(&analyse(&capture(parts), &Floor::LastPass), None).unwrap();
    assert_eq!((run.tracks.len(), seen.of("pass").len()), (30_001, 30_000));
}

/// No two slices of a track overlap, unless the outer one is the submission that the other is a pass of.
fn check_lanes(seen: &Seen) -> Result<(), TestCaseError> {
    let mut tracks: BTreeMap<u64, Vec<&Drawn>> = BTreeMap::new();
    for slice in &seen.slices {
        tracks.entry(slice.id).or_default().push(slice);
    }
    for slices in tracks.values() {
        for (at, a) in slices.iter().enumerate() {
            for b in &slices[at + 1..] {
                let apart = a.end <= b.start || b.end <= a.start;
                let inside = a.category == "submission"
                    && b.category == "pass"
                    && a.start <= b.start
                    && b.end <= a.end
                    && a.args["frame"] == b.args["frame"]
                    && (a.depth, b.depth) == (0, 1);
                prop_assert!(apart || inside, "{:?}\n{:?}", a, b);
            }
        }
    }
    Ok(())
}

/// Start, end and name of each slice that must be there, from what is true of the timeline. `ledger` says which pass of
/// which frame has an account.
fn expected(truth: &Truth, run: &Analysis) -> Vec<(u64, u64, String)> {
    let mut extents: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for row in &truth.rows {
        if let Fact::Run { line, start, end } = row.fact {
            let extent = extents.entry(line).or_insert((start, end));
            *extent = (extent.0.min(start), extent.1.max(end));
        }
    }
    let (mut begins, mut end) = (BTreeMap::new(), 0);
    for (line, (from, to)) in extents {
        begins.insert(line, (from, end));
        end += to - from;
    }
    let period = run.ledger.clock.as_ref().unwrap().period;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    let nanos = |ticks: u64| period.nanos(Ticks(ticks)).0.round() as u64;
    let mut found: Vec<(u64, u64, String)> = truth
        .rows
        .iter()
        .filter_map(|row| {
            let Fact::Run { line, start, end } = row.fact else { return None };
            let at = truth.frames.iter().position(|frame| *frame == row.frame)?;
            let id = framecost_sample::PassId(row.pass);
            run.ledger.frames[at].pass(id).measured()?;
            let (from, offset) = begins[&line];
            let name = run.capture.pass(id).name.clone();
            Some((nanos(start - from + offset), nanos(end - from + offset), name))
        })
        .collect();
    found.sort();
    found
}

/// What a slice says of its pass is what the ledger has of it, and the slices of each pass add up to its duration.
fn check_ledger(run: &Analysis, seen: &Seen) -> Result<(), TestCaseError> {
    let period = run.ledger.clock.as_ref().unwrap().period;
    let mut drawn: BTreeMap<(u64, String), (u64, u64)> = BTreeMap::new();
    for slice in seen.of("pass") {
        let frame: u64 = slice.args["frame"].parse().unwrap_or(u64::MAX);
        let id = run.capture.pass_named(&slice.name).unwrap();
        let of_frame = run.ledger.frames.iter().find(|it| it.frame == frame);
        let Some(Reading::Measured(account)) = of_frame.map(|frame| frame.pass(id)) else {
            return Err(TestCaseError::fail(format!("drawn though it is missing: {slice:?}")));
        };
        let readings = [account.duration, account.exposed, account.alone, account.attributed];
        let said =
            ["duration_ns", "exposed_ns", "alone_ns", "attributed_ns"].map(|key| slice.args[key].clone());
        prop_assert_eq!(readings.map(|ticks| real(period.nanos(ticks).0)), said);
        let semantics = run.capture.pass(id).semantics.name();
        prop_assert_eq!(slice.args["semantics"].as_str(), semantics);
        let (time, runs) = drawn.entry((frame, slice.name.clone())).or_default();
        (*time, *runs) = (*time + (slice.end - slice.start), *runs + 1);
    }
    let mut measured = 0;
    for frame in &run.ledger.frames {
        for (id, reading) in &frame.passes {
            let Reading::Measured(account) = reading else { continue };
            measured += 1;
            let key = (frame.frame, run.capture.pass(*id).name.clone());
            let (time, runs) = drawn.get(&key).copied().unwrap_or_default();
            prop_assert!(runs > 0, "{key:?} is measured and not drawn");
            #[allow(clippy::cast_precision_loss, reason = "small")]
            let off = (time as f64 - period.nanos(account.duration).0).abs();
            // Each end is rounded to a nanosecond.
            #[allow(clippy::cast_precision_loss, reason = "small")]
            let most = runs as f64 + 1e-6 * period.nanos(account.duration).0;
            prop_assert!(off <= most, "{key:?}: {time} drawn, {:?} in the ledger", account);
        }
    }
    prop_assert_eq!(measured, drawn.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_measured_pass_stands_where_it_ran_and_no_missing_one_anywhere(seed: u64, frames in 1u64..8, passes in 1u16..7) {
        let truth = truth::timeline(seed, frames, passes);
        for floor in [Floor::LastPass, Floor::None] {
            let run = analyse(&truth.capture, &floor);
            let expected = expected(&truth, &run);
            let Ok((of, seen)) = seen(&run, None) else {
                prop_assert!(expected.is_empty());
                continue;
            };
            let mut found: Vec<_> =
                seen.of("pass").iter().map(|it| (it.start, it.end, it.name.clone())).collect();
            found.sort();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(of.passes, found.len() as u64);
            let missing = truth.capture.stamps.iter().filter(|stamp| {
                let frame = run.ledger.frames.iter().find(|frame| frame.frame == stamp.frame).unwrap();
                frame.pass(stamp.pass).missing().is_some_and(|why| *why != Reason::NotExecuted)
            });
            prop_assert_eq!(of.passes_missing, missing.count() as u64);
            check_lanes(&seen)?;
            check_ledger(&run, &seen)?;
        }
    }

    #[test]
    fn a_frames_own_stretches_add_up_to_what_it_owns(seed: u64, frames in 1u64..8, passes in 1u16..7) {
        let truth = truth::timeline(seed, frames, passes);
        for floor in [Floor::LastPass, Floor::None, Floor::Pass("p0".into())] {
            let run = analyse(&truth.capture, &floor);
            for (frame, places) in run.ledger.frames.iter().zip(places(&truth.capture, &floor)) {
                let Reading::Measured(account) = &frame.account else { continue };
                let own: i128 = places.owned.iter().map(|span| span.end - span.start).sum();
                prop_assert_eq!(own, i128::from(account.owned.0));
            }
        }
    }

    #[test]
    fn hostile_captures_are_drawn_or_refused(seed: u64, rows in 1u64..60) {
        let run = analyse(&hostile::capture(seed, rows), &Floor::LastPass);
        if let Ok((_, seen)) = seen(&run, None) {
            check_lanes(&seen)?;
            check_ledger(&run, &seen)?;
        }
    }

    #[test]
    fn no_name_acts_in_a_trace(name in ".+", seed: u64) {
        let mut parts = Recipe { frames: 0..2, ..Recipe::default() }.parts();
        parts.passes[1].name = format!("{name}{seed}");
        parts.key.scene.clone_from(&name);
        parts.queues[0].name.clone_from(&name);
        parts.metrics[2].name = format!("{name}{seed}");
        let (_, seen) = seen(&analyse(&Capture::new(parts).unwrap(), &Floor::LastPass), None).unwrap();
        let texts = seen.slices.iter().flat_map(|slice| [&slice.name, &slice.track, &slice.process]);
        for text in texts.chain(seen.points.iter().map(|point| &point.counter)) {
            prop_assert!(!text.contains(|c: char| c.is_control() || "\u{202e}\u{200b}\u{2028}".contains(c)), "{text:?}");
        }
        // Quotes and markup stand as they are.
        if name.chars().all(|c| c.is_ascii_graphic() && c != '\\') && name.len() < 90 {
            let whole = format!("{name}{seed}");
            prop_assert!(seen.slices.iter().any(|slice| slice.name == whole));
        }
    }
}
