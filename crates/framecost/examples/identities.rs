//! Accounts random timelines with faults and holds every frame against its identities, and those whose truth is known
//! against the oracle. Argument: how many timelines, and optionally the seed of the first. Exits 1 on the first fault.
//!
//! `cargo run --profile checked -p framecost --example identities -- 1000000`

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a test with a count by argument")]

#[path = "../tests/accounting_support/mod.rs"]
mod accounting_support;

use std::process::ExitCode;

use accounting_support::coverage::Coverage;
use accounting_support::random::Random;
use accounting_support::{hostile, oracle, truth};
use framecost::account::{Floor, account, check_identities};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number = |other: u64| arguments.next().map_or(other, |text| text.parse().unwrap());
    let (timelines, first) = (number(10_000), number(0));
    let mut met = Coverage::default();
    for seed in first..first + timelines {
        let found = one(seed, &mut met);
        if !found.is_empty() {
            println!("seed {seed}:\n{}", found.join("\n"));
            return ExitCode::FAILURE;
        }
    }
    println!(
        "{timelines} timelines from seed {first}: every identity holds on every frame; the oracle agrees"
    );
    println!("counters of {:?} bits", met.widths);
    for (what, count) in &met.counts {
        println!("{count:>12}  {what}");
    }
    ExitCode::SUCCESS
}

/// Every fourth timeline is hostile; the truth of the others is known. The rule for the floor takes turns.
fn one(seed: u64, met: &mut Coverage) -> Vec<String> {
    let mut random = Random(seed ^ 0x5eed);
    let floor = [Floor::LastPass, Floor::LastPass, Floor::None, Floor::Pass("p0".into())];
    let floor = random.pick(&floor).clone();
    let (frames, passes, rows) = (random.between(1, 8), random.between(1, 8), random.between(1, 60));
    let (capture, mut found, ledger);
    if seed % 4 == 3 {
        capture = hostile::capture(seed, rows);
        ledger = account(&capture, &floor);
        found = Vec::new();
    } else {
        let truth = truth::timeline(seed, frames, u16::try_from(passes).unwrap());
        ledger = account(&truth.capture, &floor);
        found = oracle::differences(&truth, &floor, &ledger);
        capture = truth.capture;
    }
    found.extend(check_identities(&ledger, &capture).iter().map(ToString::to_string));
    met.see(&capture, &ledger);
    found
}
