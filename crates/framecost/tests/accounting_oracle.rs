//! The accounting held against the oracle on random timelines with faults, and against its identities on hostile ones.

mod accounting_support;

use accounting_support::coverage::Coverage;
use accounting_support::{hostile, oracle, truth};
use framecost::account::{Floor, account, check_identities};
use proptest::prelude::*;

/// Accounts a known timeline under three rules; the text of every difference.
fn faults(seed: u64, frames: u64, passes: u16) -> Vec<String> {
    let truth = truth::timeline(seed, frames, passes);
    let mut found = Vec::new();
    for floor in [Floor::LastPass, Floor::None, Floor::Pass("p0".into())] {
        let ledger = account(&truth.capture, &floor);
        found.extend(check_identities(&ledger, &truth.capture).iter().map(ToString::to_string));
        found.extend(
            oracle::differences(&truth, &floor, &ledger).into_iter().map(|text| format!("{floor}: {text}")),
        );
    }
    if !found.is_empty() {
        found.push(format!("{:#?}", truth.rows));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    // Research item 2.47: the conservation identity is checked on every frame.
    #[test]
    fn what_is_accounted_is_what_painting_gives(seed: u64, frames in 1u64..8, passes in 1u16..7) {
        let found = faults(seed, frames, passes);
        prop_assert!(found.is_empty(), "{}", found.join("\n"));
    }

    // Research item 2.7: no panic for any pair of readings. Item 2.33: mismatches are data.
    #[test]
    fn hostile_captures_keep_the_identities(seed: u64, rows in 1u64..60) {
        let capture = hostile::capture(seed, rows);
        for floor in [Floor::LastPass, Floor::None, Floor::Pass("p1".into()), Floor::Pass("absent".into())] {
            let ledger = account(&capture, &floor);
            prop_assert_eq!(check_identities(&ledger, &capture), Vec::new());
            prop_assert_eq!(&ledger, &account(&capture, &floor), "the same capture gives the same ledger");
        }
    }
}

// A run that met no fault would prove nothing about faults.
#[test]
fn the_random_timelines_hold_every_fault_and_every_width() {
    let mut met = Coverage::default();
    for seed in 0..1500 {
        let truth = truth::timeline(seed, 8, 6);
        met.see(&truth.capture, &account(&truth.capture, &Floor::LastPass));
    }
    assert_eq!(met.widths, (36..=64).collect());
    let kinds = [
        "pairs across a wrap",
        "frames that do not follow the one before",
        "frames on several queues",
        "frames with waits",
        "frames with hidden work",
        "frames with overlap",
        "frames with untimed work",
        "frames that own nothing",
        "frames without an account: counter reset",
        "frames without an account: not executed",
        "passes without an account: reversed",
        "passes without an account: zero",
        "passes without an account: stale",
        "passes without an account: not available",
        "passes without an account: dropped",
        "passes without an account: counter reset",
        "findings: set back between two passes",
        "findings: set back, or a stamp",
        "findings: share no timeline",
        "gates measured",
    ];
    let rare: Vec<_> = kinds.iter().filter(|kind| met.of(kind) < 20).collect();
    assert!(rare.is_empty(), "met less than 20 times: {rare:?} of {:#?}", met.counts);
}
