//! The ring against the simulated GPU: whatever the device does, each frame is delivered once, in order, and truthfully.

use framecost_probe::inflight::RingOptions;
use framecost_probe::sim::{Fault, Faults, SimOptions, SimRun, Truth, simulate};
use framecost_sample::{Reading, Reason, Stamp, ValidBits};
use proptest::prelude::*;

fn width(bits: u64) -> ValidBits {
    ValidBits::new(bits).expect("a width of 36 to 64")
}

fn options() -> impl Strategy<Value = SimOptions> {
    let faults = (any::<bool>(), any::<bool>(), 0u8..8).prop_map(|(some, reset, strike)| Faults {
        reset,
        device_lost: strike == 0,
        hang: strike == 1,
        ..if some { Faults::all() } else { Faults::default() }
    });
    (any::<u64>(), 0u64..300, 1u16..14, 1u8..=2, 36u64..=64, 1u32..4, 0u32..6, faults).prop_map(
        |(seed, frames, passes, queues, bits, frames_in_flight, batch, faults)| SimOptions {
            seed,
            frames,
            passes,
            queues,
            valid_bits: width(bits),
            frames_in_flight,
            batch: 1 << batch,
            faults,
        },
    )
}

proptest! {
    // Research items 2.16 (resolved before the submission completed), 2.22 and 2.38 (whose result is it), 2.26 (a slot used
    // before its callback), 2.32 (reading a frame that has not run), 2.33 (asserts and unbounded loops), 2.34 (panic under
    // load), 2.36 (a full ring), 2.46 (a ring too small).
    #[test]
    fn every_frame_is_delivered_once_in_order_and_nothing_is_touched_early(options in options()) {
        let run = simulate(&options);
        let delivered: Vec<u64> = run.frames.iter().map(|frame| frame.frame).collect();
        prop_assert_eq!(&delivered, &run.begun);
        prop_assert_eq!(&run.violations, &Vec::<String>::new());
        prop_assert_eq!(run.counts.begun, run.counts.delivered);
        prop_assert_eq!(run.counts.unreported, 0);
        let ring = options.ring();
        prop_assert!(run.most_waiting <= (ring.patience + ring.batch + 8) as usize, "bounded");
        prop_assert!(run.counts.slots <= u64::from(ring.most_slots()), "bounded");
        for frame in &run.frames {
            prop_assert_eq!(frame.stamps.len() + frame.unlisted as usize, frame.truth.len());
        }
        prop_assert!(run.capture().is_ok(), "{:?}", run.capture().err());
    }

    // Research items 2.6 and 2.7 (reversed stamps are kept, and nothing panics), 2.14 (one pass that did not run must not
    // hide the others), 2.15 and 2.17 (zero is no time), 2.18 (stale is no time).
    #[test]
    fn a_row_is_the_truth_or_a_reason(options in options()) {
        let run = simulate(&options);
        for frame in &run.frames {
            for (row, truth) in frame.stamps.iter().zip(&frame.truth) {
                prop_assert_eq!((row.pass, row.submission), (truth.pass, truth.submission));
                check_row(row, truth)?;
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_run(options in options()) {
        prop_assert_eq!(simulate(&options), simulate(&options));
    }
}

/// A row holds what its run truly read, or a reason that fits what was done to it.
fn check_row(row: &Stamp, truth: &Truth) -> Result<(), TestCaseError> {
    let pair = [&row.start, &row.end];
    // Whatever happened to the whole frame.
    let frame_wide =
        [Reason::Dropped, Reason::NotAvailable, Reason::MapFailed, Reason::DeviceLost, Reason::Exhausted];
    if pair.iter().all(|one| one.missing().is_some_and(|reason| frame_wide.contains(reason))) {
        return Ok(());
    }
    prop_assert!(truth.stamped || truth.ran.is_none(), "{row:?} has a value without a query: {truth:?}");
    let fits = |place: usize| {
        let reading = pair[place];
        match (truth.ran, truth.fault) {
            (None, _) => reading.missing() == Some(&Reason::NotExecuted),
            (_, None) => reading == &Reading::Measured(truth.ticks[place]),
            (_, Some(Fault::Lost)) => reading.missing() == Some(&Reason::NotExecuted),
            (_, Some(Fault::Zero)) => reading.missing() == Some(&Reason::Zero),
            (_, Some(Fault::ZeroEnd)) if place == 1 => reading.missing() == Some(&Reason::Zero),
            (_, Some(Fault::ZeroEnd)) => reading == &Reading::Measured(truth.ticks[0]),
            (_, Some(Fault::Reversed)) => reading == &Reading::Measured(truth.ticks[1 - place]),
            // A query that was never written before reads as not executed, zeroed or in error: as its earlier use left it.
            (_, Some(Fault::Stale)) => reading.measured().is_none(),
            (_, Some(Fault::AllOnes)) => reading.missing() == Some(&Reason::NotAvailable),
        }
    };
    prop_assert!(fits(0) && fits(1), "{row:?} against {truth:?}");
    Ok(())
}

#[test]
fn without_faults_everything_is_measured_and_little_late() {
    let run = simulate(&SimOptions::default());
    let readings = run.frames.iter().flat_map(|frame| &frame.stamps).flat_map(|row| [&row.start, &row.end]);
    assert!(readings.clone().count() == 2 * 200 * 6 && readings.clone().all(|one| one.measured().is_some()));
    assert!(run.frames.iter().all(|frame| frame.bracket.iter().all(|one| one.measured().is_some())));
    let latest = run.frames.iter().map(|frame| frame.readback_frames).max();
    assert!(latest <= Some(36), "{latest:?} frames");
}

// Research item 2.8 and finding 1c.6: after the counter is set back, later frames are measured as before.
#[test]
fn a_counter_reset_makes_no_later_frame_stale() {
    let faults = Faults { reset: true, ..Faults::default() };
    for seed in 0..50 {
        let run = simulate(&SimOptions { seed, faults, ..SimOptions::default() });
        assert_eq!(missing(&run), Vec::<&Reason>::new(), "seed {seed}");
    }
}

// Research item 2.9: the same at every width that a counter may have.
#[test]
fn a_wrap_makes_nothing_stale_or_missing() {
    for bits in 36..=64 {
        let valid_bits = width(bits);
        let run = simulate(&SimOptions { valid_bits, frames: 1200, ..SimOptions::default() });
        assert_eq!(missing(&run), Vec::<&Reason>::new(), "{bits} bits");
    }
}

#[test]
fn a_lost_device_and_a_hung_queue_end_with_their_reasons() {
    for (faults, reason) in [
        (Faults { device_lost: true, ..Faults::default() }, Reason::DeviceLost),
        (Faults { hang: true, ..Faults::default() }, Reason::NotAvailable),
    ] {
        let run = simulate(&SimOptions { faults, frames: 600, ..SimOptions::default() });
        let last = run.frames.last().expect("600 frames");
        assert!(last.stamps.iter().all(|row| row.start.missing().is_some()));
        assert!(missing(&run).contains(&&reason), "{reason}");
        assert_eq!(run.frames.len(), 600, "all are delivered");
    }
}

// Faults that never occurred would prove nothing.
#[test]
fn every_way_to_fail_is_met() {
    let mut reasons = std::collections::BTreeSet::new();
    let mut most_slots = 0;
    for seed in 0..60 {
        let faults = Faults { hang: seed == 0, device_lost: seed == 1, ..Faults::all() };
        let queues = 1 + u8::try_from(seed % 2).unwrap_or(0);
        let run = simulate(&SimOptions { seed, faults, queues, ..SimOptions::default() });
        reasons.extend(missing(&run).into_iter().map(Reason::code));
        most_slots = most_slots.max(run.counts.slots);
    }
    let met: Vec<_> = reasons.into_iter().collect();
    assert_eq!(
        met,
        [
            "device lost",
            "dropped",
            "exhausted",
            "map failed",
            "not available",
            "not executed",
            "stale",
            "zero"
        ]
    );
    let ring = RingOptions::for_run(6, 2);
    assert_eq!(most_slots, u64::from(ring.most_slots()), "the ring grows under load, up to its bound");
    assert!(ring.first_slots() < ring.most_slots());
}

fn missing(run: &SimRun) -> Vec<&Reason> {
    run.frames
        .iter()
        .flat_map(|frame| &frame.stamps)
        .flat_map(|row| [row.start.missing(), row.end.missing()])
        .flatten()
        .collect()
}
