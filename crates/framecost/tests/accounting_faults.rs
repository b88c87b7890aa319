//! Timelines accounted by hand whose counter wraps, is set back, is not shared, or whose stamps are lost.

mod accounting_support;

use accounting_support::table::Table;
use framecost::account::{Floor, Ledger, account, account_on, check_identities};
use framecost_sample::{ClockId, PassId, Reading, Reason, Ticks};

/// Place and times of the findings whose cause contains the text.
fn findings<'a>(ledger: &'a Ledger, cause: &str) -> Vec<(&'a str, u64)> {
    let found = ledger.findings.iter().filter(|finding| finding.cause.contains(cause));
    found.map(|finding| (finding.place.as_str(), finding.times)).collect()
}

// Research items 2.9, 2.10: the difference is modular, in ticks, at every width and wherever the wrap falls.
#[test]
fn a_wrap_changes_no_figure_at_any_width() {
    let rows = "0: build 0 30 / main 10 100
                1: build 60 120 / main 130 200";
    let expected = "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 20 sum 120 | build 30/30/10/20 | main 90/90/70/80
                    1: owned 100 total 90 busy 90 untimed 0 waits 10 hidden 40 overlap 0 sum 130 | build 60/20/60/60 | main 70/70/70/70";
    for bits in 36..=64 {
        for into in [0, 5, 20, 60, 100, 110, 125, 150, 200, 300] {
            let ledger =
                Table::new("build main").bits(bits).shift(0u64.wrapping_sub(into)).check(rows, expected);
            assert_eq!(ledger.findings, Vec::new(), "{bits} bits, {into} ticks into the timeline");
        }
    }
}

#[test]
fn bits_above_the_width_are_not_read() {
    let table = Table::new("a");
    let clean = table.capture("0: a 100 150\n1: a 140 200");
    let mut parts = clean.clone().into_parts();
    parts.clocks[0].valid_bits = framecost_sample::ValidBits::new(40).unwrap();
    for (row, noise) in parts.stamps.iter_mut().zip([1 << 40, u64::MAX << 40]) {
        let spoil = |reading: Reading<Ticks>| reading.map(|ticks| Ticks(ticks.0 | noise));
        (row.start, row.end) = (spoil(row.start.clone()), spoil(row.end.clone()));
    }
    let noisy = account(&accounting_support::capture(parts), &Floor::LastPass);
    assert_eq!(noisy.frames, account(&clean, &Floor::LastPass).frames);
}

// Research item 2.8: only what straddles the reset is lost; the next frame has no floor, later ones do.
#[test]
fn a_counter_set_back_between_frames_costs_one_floor() {
    let ledger = Table::new("a b").check(
        "0: a 9000000000 9000000100
         1: a 20 60, b 60 100
         2: a 90 130, b 130 150",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100 | b - not executed
         1: owned 80 total 80 busy 80 untimed 0 waits 0 hidden 0 overlap 0 sum 80 | a 40/40/40/40 | b 40/40/40/40
         2: owned 50 total 50 busy 50 untimed 0 waits 0 hidden 10 overlap 0 sum 60 | a 40/30/40/40 | b 20/20/20/20",
    );
    assert_eq!(findings(&ledger, "set back, or a stamp had run ahead"), [("frame 1", 1)]);
}

#[test]
fn the_pair_that_straddles_a_reset_says_so() {
    let ledger = Table::new("a b").check(
        "0: a 9000000000 9000000100, b 9000000100 40
         1: a 40 60, b 60 100
         2: b 100 80",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100 | b - counter reset
         1: owned 60 total 60 busy 60 untimed 0 waits 0 hidden 0 overlap 0 sum 60 | a 20/20/20/20 | b 40/40/40/40
         2: - reversed | a - not executed | b - reversed",
    );
    assert_eq!(findings(&ledger, "its end stamp lies before"), [("pass `b`", 1)]);
}

#[test]
fn a_frame_whose_counter_is_set_back_inside_has_no_time_but_has_passes() {
    let ledger = Table::new("a b c").gate("gate", "a", "c").check(
        "0: a 9000000000 9000000100
         1: a 9000000090 9000000130, b 20 60, c 70 100
         2: a 90 130",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100 | b - not executed | c - not executed | gate: 100/100/0
         1: - counter reset | a 40/30/40/40 | b 40/40/40/40 | c 30/30/30/30 | gate: - counter reset
         2: owned 30 total 30 busy 30 untimed 0 waits 0 hidden 10 overlap 0 sum 40 | a 40/30/40/40 | b - not executed | c - not executed | gate: 40/40/0",
    );
    assert_eq!(findings(&ledger, "between two passes"), [("frame 1", 1)]);
}

// One end stamp too far ahead must not hide all the frames that follow: research item 1c.6 is such a stale filter.
#[test]
fn a_stamp_that_ran_ahead_costs_its_own_frame_only() {
    let ledger = Table::new("a b").check(
        "0: a 0 100, b 100 9000000000
         1: a 90 130, b 130 200
         2: a 190 230, b 230 300",
        "0: owned 9000000000 total 9000000000 busy 9000000000 untimed 0 waits 0 hidden 0 overlap 0 sum 9000000000 | a 100/100/100/100 | b 8999999900/8999999900/8999999900/8999999900
         1: owned 110 total 110 busy 110 untimed 0 waits 0 hidden 0 overlap 0 sum 110 | a 40/40/40/40 | b 70/70/70/70
         2: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 10 overlap 0 sum 110 | a 40/30/40/40 | b 70/70/70/70",
    );
    assert_eq!(findings(&ledger, "run ahead"), [("frame 1", 1)]);
}

// What was recorded later may end earlier, by up to a second before the latest end so far, whichever row that is of.
#[test]
fn a_run_that_ended_over_a_second_before_an_earlier_one_shows_a_reset() {
    let table = Table::new("a b c").shift(7); // no stamp is zero
    table.check(
        "0: a 0 3000000000, b 2500000000 2600000000, c 1900000000 2000000000",
        "0: owned 3000000000 total 3000000000 busy 3000000000 untimed 0 waits 0 hidden 0 overlap 200000000 sum 3200000000 \
         | a 3000000000/3000000000/2800000000/2900000000 | b 100000000/100000000/0/50000000 | c 100000000/100000000/0/50000000",
    );
    table.check(
        "0: a 0 3000000000, b 2500000000 2600000000, c 1900000000 1999999999",
        "0: - counter reset | a 3000000000/3000000000/2900000000/2950000000 | b 100000000/100000000/0/50000000 \
         | c 99999999/99999999/99999999/99999999",
    );
}

// Research item 2.6: the pair is invalid and counted, the frame stays.
#[test]
fn a_reversed_pair_loses_its_pass_and_keeps_the_frame() {
    let ledger = Table::new("a b c").check(
        "0: a 0 10, b 30 10, c 30 50
         1: a 50 60, b 80 60, c 80 100",
        "0: owned 50 total 50 busy 30 untimed 20 waits 0 hidden 0 overlap 0 sum 30 | a 10/10/10/10 | b - reversed | c 20/20/20/20
         1: owned 50 total 50 busy 30 untimed 20 waits 0 hidden 0 overlap 0 sum 30 | a 10/10/10/10 | b - reversed | c 20/20/20/20",
    );
    assert_eq!(findings(&ledger, "its end stamp lies before"), [("pass `b`", 2)]);
}

// Research items 2.15, 2.17: zero is what drivers write for what they did not sample, not a time.
#[test]
fn a_zero_stamp_is_missing() {
    let ledger = Table::new("a b c").check(
        "0: a 9000000000 9000000100, b 0 0, c 0 9000000150
         1: a 9000000200 0, b 9000000210 9000000220",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100 | b - zero | c - zero
         1: owned 10 total 10 busy 10 untimed 0 waits 0 hidden 0 overlap 0 sum 10 | a - zero | b 10/10/10/10 | c - not executed",
    );
    assert_eq!(findings(&ledger, "a stamp is zero"), [("pass `a`", 1), ("pass `b`", 1), ("pass `c`", 1)]);
}

// Research item 1c.7: a genuine zero, just after a wrap, is a tick.
#[test]
fn a_zero_beside_a_wrap_is_a_tick() {
    Table::new("a b").bits(36).shift(0u64.wrapping_sub(100)).check(
        "0: a 40 100, b 100 130",
        "0: owned 90 total 90 busy 90 untimed 0 waits 0 hidden 0 overlap 0 sum 90 | a 60/60/60/60 | b 30/30/30/30",
    );
}

// Research item 2.14: a pass that never runs takes nothing with it. Item 2.41: its reason goes with it.
#[test]
fn passes_without_stamps_keep_their_reason_and_cost_nobody_else() {
    Table::new("a b c d").check(
        "0: a 0 10, b !not-executed !not-executed, c 10 !not-available, d !unsupported !unsupported
         1: a 20 30, c 30 35",
        "0: owned 10 total 10 busy 10 untimed 0 waits 0 hidden 0 overlap 0 sum 10 | a 10/10/10/10 | b - not executed | c - not available | d - unsupported
         1: owned 15 total 15 busy 15 untimed 0 waits 0 hidden 0 overlap 0 sum 15 | a 10/10/10/10 | b - not executed | c 5/5/5/5 | d - not executed",
    );
}

// Research item 2.36: a dropped frame is missing as a whole. The floor is then the latest end before it.
#[test]
fn a_frame_with_no_valid_pass_is_missing_and_hands_the_floor_on() {
    let ledger = Table::new("a b").check(
        "0: a 0 100
         1: a !not-executed !not-executed, b !dropped !dropped
         2: a 90 150
         3:
         4: a 140 170",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100 | b - not executed
         1: - dropped | a - not executed | b - dropped
         2: owned 50 total 50 busy 50 untimed 0 waits 0 hidden 10 overlap 0 sum 60 | a 60/50/60/60 | b - not executed
         3: - not executed | a - not executed | b - not executed
         4: owned 20 total 20 busy 20 untimed 0 waits 0 hidden 10 overlap 0 sum 30 | a 30/20/30/30 | b - not executed",
    );
    assert_eq!(findings(&ledger, "no pass has two valid stamps"), [("frames from 1 on", 2)]);
}

// A pass of which one run is lost has no account, and its other run counts in no union: both are untimed.
// They still show how far the frame reached.
#[test]
fn a_pass_with_a_lost_run_is_missing_as_a_whole() {
    Table::new("a b").check(
        "0: a 0 10, b 10 20, b 20 !not-available, a 30 40, b 50 60
         1: a 55 70, b 70 80, b !not-executed !not-executed",
        "0: owned 60 total 60 busy 20 untimed 40 waits 0 hidden 0 overlap 0 sum 20 | a 20/20/20/20 | b - not available
         1: owned 20 total 20 busy 20 untimed 0 waits 0 hidden 5 overlap 0 sum 25 | a 15/10/15/15 | b 10/10/10/10",
    );
}

#[test]
fn a_pass_floor_whose_pass_lost_a_run_is_unknown() {
    let ledger = Table::new("a b").floor("pass:b").check(
        "0: a 0 10, b 10 20, b 20 !not-available
         1: a 15 30",
        "0: owned 20 total 20 busy 10 untimed 10 waits 0 hidden 0 overlap 0 sum 10 | a 10/10/10/10 | b - not available
         1: owned 15 total 15 busy 15 untimed 0 waits 0 hidden 0 overlap 0 sum 15 | a 15/15/15/15 | b - not executed",
    );
    assert_eq!(findings(&ledger, "what the floor rests on"), [("frame 1", 1)]);
}

// Where the clock is not shared, ticks of two submissions have nothing to do with each other.
#[test]
fn submissions_without_a_common_timeline_are_never_subtracted() {
    let table = Table::new("a b c").unshared().gate("one", "b", "c").gate("both", "a", "c");
    let ledger = table.check(
        "0: a 5000 5010 / b 100 120, c 110 150
         1: a 90 95 / b 7 17, c 20 30",
        "0: owned 60 total 60 busy 60 untimed 0 waits -unsupported hidden -unsupported overlap 10 sum 70 | a 10/10/10/10 | b 20/20/10/15 | c 40/40/30/35 | one: 50/50/0 | both: - unsupported
         1: owned 28 total 28 busy 25 untimed 3 waits -unsupported hidden -unsupported overlap 0 sum 25 | a 5/5/5/5 | b 10/10/10/10 | c 10/10/10/10 | one: 23/20/0 | both: - unsupported",
    );
    assert_eq!(findings(&ledger, "share no timeline"), [("clock", 2)]);
}

#[test]
fn a_single_submission_has_no_waits_even_on_an_unshared_clock() {
    let ledger = Table::new("a b").unshared().check(
        "0: a 0 10, b 15 20
         1: a 3 13, b 18 20",
        "0: owned 20 total 20 busy 15 untimed 5 waits 0 hidden -unsupported overlap 0 sum 15 | a 10/10/10/10 | b 5/5/5/5
         1: owned 17 total 17 busy 12 untimed 5 waits 0 hidden -unsupported overlap 0 sum 12 | a 10/10/10/10 | b 2/2/2/2",
    );
    assert_eq!(findings(&ledger, "share no timeline"), [("clock", 2)]);
}

// Research item 2.13: durations stay valid on their own clock; epochs of two clocks are never mixed. Item 2.37: nor are
// the GPU's and a thread's.
#[test]
fn stamps_of_another_clock_have_a_ledger_of_their_own() {
    let table = Table::new("a b").second_clock();
    let rows = "0: a 0 10 / @1 b 700 705";
    let ledger = table.check(
        rows,
        "0: owned 10 total 10 busy 10 untimed 0 waits 0 hidden 0 overlap 0 sum 10 | a 10/10/10/10 | b - unsupported",
    );
    assert_eq!(findings(&ledger, "another clock"), [("queue `compute`", 1)]);
    let capture = table.capture(rows);
    let other = account_on(&capture, &Floor::LastPass, ClockId(1));
    assert_eq!(other.clock.as_ref().map(|clock| clock.name.as_str()), Some("other"));
    assert_eq!(other.frames[0].pass(PassId(1)).map(|pass| pass.duration), Reading::Measured(Ticks(5)));
    assert_eq!(other.frames[0].pass(PassId(0)), Reading::Missing(Reason::Unsupported));
    let only = table.capture("0: / @1 b 700 705");
    assert_eq!(account(&only, &Floor::LastPass).clock.map(|clock| clock.name), Some("other".into()));
}

#[test]
fn a_counter_without_bits_cannot_stamp() {
    let ledger = Table::new("a").bits(0);
    let capture = ledger.capture("0: a !unsupported !unsupported");
    let mut parts = capture.into_parts();
    parts.stamps.push(accounting_support::stamp(0, 1, 0, 0, 5, 9));
    let ledger = account(&accounting_support::capture(parts), &Floor::LastPass);
    assert_eq!(ledger.frames[0].account, Reading::Missing(Reason::Unsupported));
    assert_eq!(findings(&ledger, "no valid bits"), [("clock", 1)]);
}

#[test]
fn a_capture_without_clocks_has_a_ledger_without_figures() {
    let mut parts = accounting_support::parts();
    (parts.clocks, parts.queues, parts.frames) = (Vec::new(), Vec::new(), vec![0, 1]);
    let capture = accounting_support::capture(parts);
    let ledger = account(&capture, &Floor::LastPass);
    assert_eq!((ledger.clock.as_ref(), ledger.frames.len()), (None, 2));
    assert!(ledger.frames.iter().all(|frame| frame.account == Reading::Missing(Reason::NotExecuted)));
}

// Research item 2.10: no figure past what 64 bits hold is made up.
#[test]
fn a_frame_beyond_any_timeline_is_missing() {
    let half = u64::MAX / 2;
    let rows = format!("0: a 1 {half}, b 1 {half}, c 1 {half}\n1: a 5 15");
    let ledger = Table::new("a b c").check(
        &rows,
        "0: - counter reset | a - counter reset | b - counter reset | c - counter reset
         1: owned 10 total 10 busy 10 untimed 0 waits 0 hidden 0 overlap 0 sum 10 | a 10/10/10/10 | b - not executed | c - not executed",
    );
    assert_eq!(findings(&ledger, "further apart than the counter can tell"), [("frame 0", 1)]);
}

#[test]
fn as_many_passes_as_a_capture_can_name_are_shared_in_moderate_time() {
    const PASSES: u16 = u16::MAX;
    let mut parts = accounting_support::parts();
    parts.passes = (0..=PASSES).map(|pass| accounting_support::pass(&format!("p{pass}"))).collect();
    parts.frames = vec![0, 1];
    for frame in 0..2 {
        // All open at once, with remainders at every step: a walk over the open passes would take minutes.
        let row = |pass: u16| {
            let at = u64::from(pass);
            accounting_support::stamp(
                frame,
                0,
                0,
                pass,
                frame * 300_000 + at + 1,
                frame * 300_000 + 262_144 - at,
            )
        };
        parts.stamps.extend((0..=PASSES).map(row));
    }
    let capture = accounting_support::capture(parts);
    let ledger = account(&capture, &Floor::LastPass);
    assert_eq!(check_identities(&ledger, &capture), Vec::new());
    let busy = ledger.frames[0].account.measured().map(|account| account.busy);
    assert_eq!(busy, Some(Ticks(262_143)));
    assert!(ledger.findings.len() <= framecost::Findings::MOST + 1);
}

#[test]
fn findings_stay_few_however_many_passes_are_at_fault() {
    let mut parts = accounting_support::parts();
    parts.passes = (0..500).map(|pass| accounting_support::pass(&format!("p{pass}"))).collect();
    parts.frames = vec![0];
    parts.stamps = (0..500).map(|pass| accounting_support::stamp(0, 0, 0, pass, 50, 40)).collect();
    let ledger = account(&accounting_support::capture(parts), &Floor::LastPass);
    assert_eq!(ledger.findings.len(), framecost::Findings::MOST + 1);
}
