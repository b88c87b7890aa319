//! Accounts random timelines with faults and holds every frame against its identities, and those whose truth is known
//! against the oracle. Argument: how many timelines, and optionally the seed of the first. Exits 1 on the first fault.
//!
//! `cargo run --profile checked -p framecost --example identities -- 1000000`

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs, reason = "a test with a count by argument")]

#[path = "../tests/accounting_support/mod.rs"]
mod accounting_support;

use std::collections::BTreeMap;
use std::process::ExitCode;

use accounting_support::random::Random;
use accounting_support::{hostile, oracle, truth};
use framecost::account::{Floor, Ledger, account, check_identities};
use framecost_sample::{Capture, Reading};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let mut number = |other: u64| arguments.next().map_or(other, |text| text.parse().unwrap());
    let (timelines, first) = (number(10_000), number(0));
    let mut met: BTreeMap<String, u64> = BTreeMap::new();
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
    for (what, count) in met {
        println!("{count:>12}  {what}");
    }
    ExitCode::SUCCESS
}

/// Every fourth timeline is hostile; the truth of the others is known. The rule for the floor takes turns.
fn one(seed: u64, met: &mut BTreeMap<String, u64>) -> Vec<String> {
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
    count(&ledger, &capture, met);
    found
}

/// Counts what the timelines held, so that it shows what the run covered.
fn count(ledger: &Ledger, capture: &Capture, met: &mut BTreeMap<String, u64>) {
    let mut add = |what: &str, more: u64| *met.entry(what.into()).or_default() += more;
    add("stamp rows", capture.stamps.len() as u64);
    for frame in &ledger.frames {
        match &frame.account {
            Reading::Missing(reason) => add(&format!("frames without an account: {}", reason.code()), 1),
            Reading::Measured(account) => {
                let positive = |reading: &Reading<_>| {
                    reading.measured().is_some_and(|ticks| *ticks > Default::default())
                };
                add("frames with an account", 1);
                add("frames with waits", positive(&account.waits).into());
                add("frames with hidden work", positive(&account.hidden).into());
                add("frames with overlap", (account.overlap.0 > 0).into());
                add("frames that own nothing", (account.owned.0 == 0).into());
            }
        }
        for (_, reading) in &frame.passes {
            match reading {
                Reading::Measured(_) => add("passes with an account", 1),
                Reading::Missing(reason) => add(&format!("passes without an account: {}", reason.code()), 1),
            }
        }
        add("gates measured", frame.gates.iter().filter(|gate| gate.measured().is_some()).count() as u64);
    }
    for finding in &ledger.findings {
        let known =
            ["set back between two passes", "set back, or a stamp", "share no timeline", "another clock"];
        if let Some(known) = known.iter().find(|known| finding.cause.contains(*known)) {
            add(&format!("findings: {known}"), finding.times);
        }
    }
}
