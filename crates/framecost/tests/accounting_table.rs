//! Timelines accounted by hand: the order of frames, submissions and passes. Faults stand in accounting_faults.rs.

mod accounting_support;

use accounting_support::table::Table;
use framecost::account::{Floor, account};

// Requirements P1, P9. Research item 2.1: adding passes that overlap does not raise the frame.
#[test]
fn a_frame_is_its_span_and_passes_side_by_side_count_once() {
    let table = Table::new("a b c");
    table.check(
        "0: a 0 10, b 5 20",
        "0: owned 20 total 20 busy 20 untimed 0 waits 0 hidden 0 overlap 5 sum 25 | a 10/10/5/8 | b 15/15/10/12 | c - not executed",
    );
    table.check(
        "0: a 0 10, b 5 20, c 2 18",
        "0: owned 20 total 20 busy 20 untimed 0 waits 0 hidden 0 overlap 21 sum 41 | a 10/10/2/5 | b 15/15/2/8 | c 16/16/0/7",
    );
}

// Research item 2.2: a last pass that waited through the frame. Item 2.3: begins near the command buffer's start.
#[test]
fn shares_of_passes_that_begin_together_add_up_to_the_span() {
    Table::new("a b c d").check(
        "0: a 0 12, b 0 24, c 0 36, d 0 48",
        "0: owned 48 total 48 busy 48 untimed 0 waits 0 hidden 0 overlap 72 sum 120 \
         | a 12/12/0/3 | b 24/24/0/7 | c 36/36/0/13 | d 48/48/12/25",
    );
}

// Requirements P10, P11. Research items 2.5, 2.23, 2.42: work and waits are figures of their own.
#[test]
fn waits_between_submissions_are_no_gpu_time() {
    Table::new("build main").check(
        "0: build 0 10 / main 15 30",
        "0: owned 30 total 25 busy 25 untimed 0 waits 5 hidden 0 overlap 0 sum 25 | build 10/10/10/10 | main 15/15/15/15",
    );
}

// Research item 2.24: copies and untimed passes are not idle.
#[test]
fn time_inside_a_submission_under_no_pass_is_untimed_not_waits() {
    Table::new("a b").check(
        "0: a 0 10, b 15 30",
        "0: owned 30 total 30 busy 25 untimed 5 waits 0 hidden 0 overlap 0 sum 25 | a 10/10/10/10 | b 15/15/15/15",
    );
}

#[test]
fn a_submission_inside_another_adds_nothing() {
    let table = Table::new("a b c");
    table.check(
        "0: a 0 100 / b 20 30",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 10 sum 110 | a 100/100/90/95 | b 10/10/0/5 | c - not executed",
    );
    table.check(
        "0: a 0 10, c 90 100 / b 20 30",
        "0: owned 100 total 100 busy 30 untimed 70 waits 0 hidden 0 overlap 0 sum 30 | a 10/10/10/10 | b 10/10/10/10 | c 10/10/10/10",
    );
}

// Research item 2.24: idle is what no queue fills, not the sum of each queue's gaps.
#[test]
fn queues_of_one_clock_share_the_timeline() {
    Table::new("a b c").check(
        "0: a 0 30 / @1 b 20 50 / c 60 80",
        "0: owned 80 total 70 busy 70 untimed 0 waits 10 hidden 0 overlap 10 sum 80 | a 30/30/20/25 | b 30/30/20/25 | c 20/20/20/20",
    );
}

// Requirements P7, P8.
#[test]
fn a_pass_may_start_before_the_one_recorded_before_it_or_end_after_the_last() {
    Table::new("culling froxel lit").check(
        "0: culling 10 20, froxel 4 60, lit 20 50",
        "0: owned 56 total 56 busy 56 untimed 0 waits 0 hidden 0 overlap 40 sum 96 | culling 10/10/0/5 | froxel 56/56/16/36 | lit 30/30/0/15",
    );
}

// Research item 1c.6: charges in the order of recording let a long pass swallow all that ran beside it.
#[test]
fn the_order_of_recording_changes_no_figure() {
    let table = Table::new("long a b");
    let expected = "0: owned 90 total 90 busy 90 untimed 0 waits 0 hidden 0 overlap 40 sum 130 \
                    | long 90/90/50/70 | a 20/20/0/10 | b 20/20/0/10";
    table.check("0: long 0 90, a 10 30, b 50 70", expected);
    table.check("0: b 50 70, a 10 30, long 0 90", expected);
}

// Requirements P15, P18.
#[test]
fn a_gate_opens_with_its_own_pass_and_closes_with_the_latest_end() {
    let table = Table::new("build culling froxel depth lit tone").gate("gate", "culling", "lit");
    table.check(
        "0: build 0 2 / culling 10 20, froxel 4 18, depth 20 40, lit 45 90, tone 85 100",
        "0: owned 100 total 98 busy 93 untimed 5 waits 2 hidden 0 overlap 13 sum 106 \
         | build 2/2/2/2 | culling 10/10/2/6 | froxel 14/14/6/10 | depth 20/20/20/20 | lit 45/45/40/43 | tone 15/15/10/12 | gate: 80/75/8",
    );
    // Froxel outlasts lit and closes the gate; tonemapping, outside it, does not.
    table.check(
        "0: culling 10 20, froxel 4 95, lit 45 90, tone 85 100",
        "0: owned 96 total 96 busy 96 untimed 0 waits 0 hidden 0 overlap 65 sum 161 \
         | build - not executed | culling 10/10/0/5 | froxel 91/91/31/61 | depth - not executed | lit 45/45/0/22 | tone 15/15/5/8 | gate: 85/85/6",
    );
}

#[test]
fn a_gate_needs_the_passes_that_name_it() {
    let table = Table::new("from mid to").gate("gate", "from", "to");
    let ledger = table.check(
        "0: mid 0 10, to 10 20
         1: from 30 35, mid 35 !not-available, to 40 50
         2: from 60 65, mid 65 70, to !stale 80
         3: from 90 95, mid 95 120",
        "0: owned 20 total 20 busy 20 untimed 0 waits 0 hidden 0 overlap 0 sum 20 | from - not executed | mid 10/10/10/10 | to 10/10/10/10 | gate: - not executed
         1: owned 20 total 20 busy 15 untimed 5 waits 0 hidden 0 overlap 0 sum 15 | from 5/5/5/5 | mid - not available | to 10/10/10/10 | gate: 20/15/0
         2: owned 10 total 10 busy 10 untimed 0 waits 0 hidden 0 overlap 0 sum 10 | from 5/5/5/5 | mid 5/5/5/5 | to - stale | gate: - stale
         3: owned 30 total 30 busy 30 untimed 0 waits 0 hidden 0 overlap 0 sum 30 | from 5/5/5/5 | mid 25/25/25/25 | to - not executed | gate: 30/30/0",
    );
    assert_eq!(ledger.findings.len(), 1, "frame 1's gate may have ended later: {:?}", ledger.findings);
    assert_eq!(ledger.findings[0].place, "gate `gate`");
}

// Requirement P18: the gate counts from its own start, also where the frame's own time begins later.
#[test]
fn a_gate_is_not_cut_by_the_floor() {
    Table::new("a b").gate("gate", "a", "b").check(
        "0: a 0 50
         1: a 40 60, b 60 80",
        "0: owned 50 total 50 busy 50 untimed 0 waits 0 hidden 0 overlap 0 sum 50 | a 50/50/50/50 | b - not executed | gate: 50/50/0
         1: owned 30 total 30 busy 30 untimed 0 waits 0 hidden 10 overlap 0 sum 40 | a 20/10/20/20 | b 20/20/20/20 | gate: 40/40/0",
    );
}

const BESIDE: &str = "0: build 0 10 / mask 10 40, lit 40 90, tone 90 100
                      1: build 45 105 / mask 105 130, lit 130 180, tone 180 190";

// Requirements P12, P39 to P41: the build of frame 1 runs beside frame 0's last passes.
#[test]
fn a_moment_that_the_frame_before_owns_is_hidden_work() {
    Table::new("build mask lit tone").check(
        BESIDE,
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | build 10/10/10/10 | mask 30/30/30/30 | lit 50/50/50/50 | tone 10/10/10/10
         1: owned 90 total 90 busy 90 untimed 0 waits 0 hidden 55 overlap 0 sum 145 | build 60/5/60/60 | mask 25/25/25/25 | lit 50/50/50/50 | tone 10/10/10/10",
    );
}

// Requirements P41, P45: under the old floor the same stamps count 60 ticks twice, under none as well.
#[test]
fn another_floor_changes_only_the_accounting() {
    let table = |floor: &str| Table::new("build mask lit tone").floor(floor);
    let twice = "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | build 10/10/10/10 | mask 30/30/30/30 | lit 50/50/50/50 | tone 10/10/10/10
                 1: owned 145 total 145 busy 145 untimed 0 waits 0 hidden 0 overlap 0 sum 145 | build 60/60/60/60 | mask 25/25/25/25 | lit 50/50/50/50 | tone 10/10/10/10";
    table("pass:mask").check(BESIDE, twice);
    table("none").check(BESIDE, twice);
    table("pass:lit").check(
        BESIDE,
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | build 10/10/10/10 | mask 30/30/30/30 | lit 50/50/50/50 | tone 10/10/10/10
         1: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 45 overlap 0 sum 145 | build 60/15/60/60 | mask 25/25/25/25 | lit 50/50/50/50 | tone 10/10/10/10",
    );
}

// Requirement P43.
#[test]
fn a_build_that_lies_wholly_before_the_floor_counts_zero() {
    Table::new("build main").check(
        "0: main 0 100
         1: build 40 60 / main 110 150",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | build - not executed | main 100/100/100/100
         1: owned 50 total 40 busy 40 untimed 0 waits 10 hidden 20 overlap 0 sum 60 | build 20/0/20/20 | main 40/40/40/40",
    );
}

#[test]
fn a_frame_that_ends_before_the_frame_before_owns_nothing() {
    Table::new("a").check(
        "0: a 0 100
         1: a 20 60",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100
         1: owned 0 total 0 busy 0 untimed 0 waits 0 hidden 40 overlap 0 sum 40 | a 40/0/40/40",
    );
}

#[test]
fn a_pass_may_outlast_several_frames() {
    Table::new("long a").check(
        "0: long 0 300, a 0 40
         1: a 50 100
         2: a 110 350",
        "0: owned 300 total 300 busy 300 untimed 0 waits 0 hidden 0 overlap 40 sum 340 | long 300/300/260/280 | a 40/40/0/20
         1: owned 0 total 0 busy 0 untimed 0 waits 0 hidden 50 overlap 0 sum 50 | long - not executed | a 50/0/50/50
         2: owned 50 total 50 busy 50 untimed 0 waits 0 hidden 190 overlap 0 sum 240 | long - not executed | a 240/50/240/240",
    );
}

// Requirement P42.
#[test]
fn the_floor_needs_the_frame_before() {
    let ledger = Table::new("a").check(
        "3: a 0 100
         5: a 60 150
         6: a 140 200",
        "3: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a 100/100/100/100
         5: owned 90 total 90 busy 90 untimed 0 waits 0 hidden 0 overlap 0 sum 90 | a 90/90/90/90
         6: owned 50 total 50 busy 50 untimed 0 waits 0 hidden 10 overlap 0 sum 60 | a 60/50/60/60",
    );
    let finding = &ledger.findings[0];
    assert_eq!((finding.place.as_str(), finding.times), ("frame 5", 1), "{:?}", ledger.findings);
}

#[test]
fn a_floor_named_by_a_pass_needs_that_pass_in_the_frame_before() {
    Table::new("a mask").floor("pass:mask").check(
        "0: mask 0 100
         1: a 60 150
         2: a 140 200, mask 180 190
         3: a 150 300",
        "0: owned 100 total 100 busy 100 untimed 0 waits 0 hidden 0 overlap 0 sum 100 | a - not executed | mask 100/100/100/100
         1: owned 50 total 50 busy 50 untimed 0 waits 0 hidden 40 overlap 0 sum 90 | a 90/50/90/90 | mask - not executed
         2: owned 60 total 60 busy 60 untimed 0 waits 0 hidden 0 overlap 10 sum 70 | a 60/60/50/55 | mask 10/10/0/5
         3: owned 110 total 110 busy 110 untimed 0 waits 0 hidden 40 overlap 0 sum 150 | a 150/110/150/150 | mask - not executed",
    );
}

#[test]
fn runs_of_one_pass_add_up_and_do_not_compete() {
    // Two runs of `a` overlap on [5, 10): its durations add, its time alone and its share count the moment once.
    Table::new("a b").check(
        "0: a 0 10, a 5 20, b 18 30, a 40 45",
        "0: owned 45 total 45 busy 35 untimed 10 waits 0 hidden 0 overlap 7 sum 42 | a 30/30/23/24 | b 12/12/10/11",
    );
}

// Research item 2.18: a time below what the clock resolves is a measured zero, not a missing one.
#[test]
fn a_pass_on_one_tick_takes_no_time_and_is_not_missing() {
    let ledger = Table::new("a b").check(
        "0: a 10 10, b 10 30, a 40 40",
        "0: owned 30 total 30 busy 20 untimed 10 waits 0 hidden 0 overlap 0 sum 20 | a 0/0/0/0 | b 20/20/20/20",
    );
    let finding = &ledger.findings[0];
    assert_eq!((finding.place.as_str(), finding.times), ("pass `a`", 2), "{:?}", ledger.findings);
}

// Research item 2.21: what no pass covers is said.
#[test]
fn frames_that_passes_hardly_cover_are_a_finding() {
    let (_, ledger) =
        Table::new("a b").ledger("0: a 0 10, b 90 100\n1: a 100 140, b 150 200\n2: a 200 210 / b 290 300");
    let low: Vec<_> =
        ledger.findings.iter().filter(|finding| finding.cause.contains("less than half")).collect();
    assert_eq!(low.iter().map(|finding| finding.times).collect::<Vec<_>>(), [2], "{:?}", ledger.findings);
}

// Research items 2.22, 2.38: every figure stands under the frame that it is of.
#[test]
fn every_frame_of_the_capture_has_its_entry() {
    let (_, ledger) = Table::new("a").ledger("7: a 0 10\n8:\n900: a 5 6");
    assert_eq!(ledger.frames.iter().map(|frame| frame.frame).collect::<Vec<_>>(), [7, 8, 900]);
}

#[test]
fn accounting_again_gives_the_same_ledger() {
    let capture = Table::new("build mask lit tone").capture(BESIDE);
    let first = account(&capture, &Floor::LastPass);
    let other = account(&capture, &Floor::Pass("mask".into()));
    assert_ne!(first, other);
    assert_eq!(first, account(&capture, &Floor::LastPass));
}

#[test]
fn a_floor_is_read_with_the_captures_passes_at_hand() {
    let capture = Table::new("mask lit").capture("");
    for text in ["last-pass", "none", "pass:lit"] {
        assert_eq!(Floor::parse(text, &capture).map(|floor| floor.to_string()), Ok(text.into()));
    }
    let fault = |text: &str| Floor::parse(text, &capture).unwrap_err().to_string();
    insta::assert_snapshot!(fault("lit"), @"floor `lit` is not known; one of last-pass, none, pass:NAME");
    insta::assert_snapshot!(fault("pass:li\u{1b}t"), @r"floor names pass `li\u{1b}t`, which the capture does not have; the capture's passes are mask, lit");
    let empty = Table::new("").capture("");
    insta::assert_snapshot!(Floor::parse("pass:lit", &empty).unwrap_err().to_string(), @"floor names pass `lit`, which the capture does not have; the capture has no passes");
}

#[test]
fn a_floor_that_names_no_pass_of_the_capture_is_a_finding() {
    let capture = Table::new("a").capture("0: a 0 100\n1: a 60 150");
    let ledger = account(&capture, &Floor::Pass("shadow".into()));
    let without = account(&capture, &Floor::None);
    assert_eq!(ledger.frames, without.frames);
    assert_eq!(ledger.findings.len(), 1);
    assert!(ledger.findings[0].cause.contains("the capture's passes are a"), "{:?}", ledger.findings);
}
