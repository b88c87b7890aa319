//! Captures that were measured in turns find their partners, in whatever order they are given.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use fixture::Recipe;
use framecost::pairs_of;
use framecost_sample::{Capture, Fact, Pairing, Reading, Side};

fn capture(pair: &str, side: Side) -> Capture {
    let mut parts = Recipe::default().parts();
    let fact = |(name, value): (&str, String)| Fact {
        name: name.into(),
        before: Reading::Measured(value.clone()),
        after: Reading::Measured(value),
    };
    let pairing = Pairing { pair: pair.into(), side, first: side == Side::A };
    parts.environment.facts.extend(pairing.facts().map(fact));
    Capture::new(parts).unwrap()
}

fn paired(runs: &[Capture], baseline: &[Capture]) -> Result<Vec<(usize, usize)>, String> {
    let (runs, baseline): (Vec<_>, Vec<_>) = (runs.iter().collect(), baseline.iter().collect());
    pairs_of(&runs, &baseline).map_err(|fault| fault.to_string())
}

#[test]
fn partners_are_found_in_any_order_and_either_way_round() {
    let b = ["x/1", "x/2", "x/3"].map(|pair| capture(pair, Side::B));
    let a = ["x/3", "x/1", "x/2"].map(|pair| capture(pair, Side::A));
    assert_eq!(paired(&b, &a), Ok(vec![(0, 1), (1, 2), (2, 0)]));
    assert_eq!(paired(&a, &b), Ok(vec![(0, 2), (1, 0), (2, 1)]));
    assert_eq!(paired(&[], &[]), Ok(vec![]));
}

#[test]
fn what_has_no_partner_is_named_and_never_left_out() {
    let (a1, b1, a2, b2) = (
        capture("x/1", Side::A),
        capture("x/1", Side::B),
        capture("x\u{1b}/2", Side::A),
        capture("x\u{1b}/2", Side::B),
    );
    let plain = Recipe::default().capture();
    let fault = |runs: &[&Capture], baseline: &[&Capture]| pairs_of(runs, baseline).unwrap_err().to_string();
    insta::assert_snapshot!(fault(&[&b1, &plain], &[&a1]), @"run 2 was not measured in turns with another; framecost bench --interleave frames measures so");
    insta::assert_snapshot!(fault(&[&b1, &b2], &[&a1]), @r"run 2 of pair `x\u{1b}/2`: its partner is not among the others");
    insta::assert_snapshot!(fault(&[&b1], &[&a1, &a2]), @r"baseline run 2 of pair `x\u{1b}/2`: its partner is not among the others");
    insta::assert_snapshot!(fault(&[&b1], &[&a1, &a1]), @"baseline run 2 of pair `x/1`: the list has another of this pair");
    insta::assert_snapshot!(fault(&[&b1], &[&b1]), @"run 1 of pair `x/1` and its partner say that they are the same side");
}
