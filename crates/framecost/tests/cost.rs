//! The three readings of one pass: runs in, readings with intervals or reasons out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use fixture::{HOSTILE, Recipe};
use framecost::account::Floor;
use framecost::report::{Cost, CostReading, CostRuns, MarginalRuns, Style, cost_json, cost_text};
use framecost::{Analysis, analyse};
use framecost_sample::{Capture, Sharing};
use serde_json::Value;

fn runs(lit_us: &[u64]) -> Vec<Analysis> {
    lit_us.iter().map(|&lit_us| Recipe { lit_us, ..Recipe::default() }.analysis()).collect()
}

fn none<T>() -> Result<T, String> {
    Err("nobody ran it".into())
}

/// Mean and ends in microseconds, or the reason.
fn shown(reading: &CostReading) -> String {
    match &reading.value {
        Ok(interval) => {
            let us = |value: f64| format!("{:.1}", value / 1e3);
            let ends =
                interval.ends().map_or("-".into(), |(low, high)| format!("{} to {}", us(low), us(high)));
            format!("{} ({ends}) of {} runs, {} frames", us(interval.mean), interval.runs, reading.frames)
        }
        Err(why) => why.clone(),
    }
}

fn check(pass: &str, of: &CostRuns<'_>, expected: [&str; 3]) {
    let cost = Cost::new("orrery", pass, of);
    assert_eq!(cost.readings.each_ref().map(shown), expected, "{pass}");
    assert_eq!(cost.is_measured(), cost.readings.iter().any(|reading| reading.value.is_ok()));
}

#[test]
fn each_reading_is_of_its_own_runs() {
    let (running, serial) = (runs(&[6000, 6100, 6200]), runs(&[5000, 5000]));
    let (with, without) = (runs(&[6000, 6400]), runs(&[2000, 2000]));
    let of = CostRuns {
        running: Ok(&running),
        serial: Ok(&serial),
        marginal: Ok(MarginalRuns { with: &with, without: &without, switch: "lit_load", one_more: true }),
    };
    // 4.303 * 100 / sqrt(3) and 12.706 * 282.8 / sqrt(2), about the medians with their jitter.
    check(
        "lit",
        &of,
        [
            "6149.5 (5901.1 to 6397.9) of 3 runs, 58 frames",
            "5049.5 (5049.5 to 5049.5) of 2 runs, 58 frames",
            "4200.0 (1658.8 to 6741.2) of 2 runs, 58 frames",
        ],
    );
    // Of a pass that the frame before hides in part, less sticks out than it takes alone.
    let cull = Cost::new("orrery", "cull", &of);
    assert!(cull.readings[0].each[0] < cull.readings[1].each[0], "{cull:?}");
}

#[test]
fn a_marginal_cost_may_lie_below_zero_and_a_single_run_has_no_interval() {
    let (with, without) = (runs(&[5000]), runs(&[5040]));
    let of = CostRuns {
        running: none(),
        serial: none(),
        marginal: Ok(MarginalRuns { with: &with, without: &without, switch: "shadow_rays", one_more: false }),
    };
    check("lit", &of, ["nobody ran it", "nobody ran it", "-40.0 (-) of 1 runs, 58 frames"]);
}

#[test]
fn what_cannot_be_had_says_why() {
    let nothing = CostRuns { running: none(), serial: none(), marginal: none() };
    check("lit", &nothing, ["nobody ran it"; 3]);
    let running = runs(&[6000]);
    let of = |running| CostRuns { running: Ok(running), serial: Ok(running), marginal: none() };
    let absent = "no frame of run 1 has a value: not available";
    check("fog", &of(&running), [absent, absent, "nobody ran it"]);
    let mut parts = Recipe::default().parts();
    parts.clocks[0].sharing = Sharing::WithinSubmission;
    let unshared = [analyse(&Capture::new(parts).unwrap(), &Floor::LastPass)];
    check(
        "lit",
        &of(&unshared),
        [
            "submissions share no timeline, so that nothing tells where the frame before ends",
            "6049.5 (-) of 1 runs, 58 frames",
            "nobody ran it",
        ],
    );
    let no_run: [Analysis; 0] = [];
    check("lit", &of(&no_run), ["no run", "no run", "nobody ran it"]);
}

/// Two readings and a reason, of a pass whose name tries the terminal.
fn cost() -> Cost {
    let running = runs(&[6000, 6000]);
    let serial = runs(&[5000]);
    let of =
        CostRuns { running: Ok(&running), serial: Ok(&serial), marginal: Err("no \u{1b}[2Jswitch".into()) };
    Cost::new("orrery", HOSTILE, &of)
}

#[test]
fn the_readings_as_text() {
    insta::assert_snapshot!(cost_text(&cost(), &Style::PLAIN), @r#"
    depth|\u{1b}[31m<img src=x>`@all in orrery 2560x1440 lit_load=1 shadow_rays=off
    Test GPU (discrete), vulkan, 2 frames in flight
    three readings that answer three questions; none of them is "the" cost

                    mean  interval              runs  frames
      exposed   750.0 us  750.0 us to 750.0 us     2      57
      alone     750.0 us  takes two runs           1      57
      marginal         -  -                        0       0
      means of the runs' medians; 95 % interval by Student's t over runs

      exposed: what of it sticks out past the end of the frame before, as the program runs
        runs as they are, 2 frames in flight
      alone: how long the GPU takes for it with nothing beside it
        serial runs: each pass in a submission of its own, after which the host waits for the GPU
      marginal: what the frame gains without it, with all that its absence changes elsewhere
        not taken
        missing: no \u{1b}[2Jswitch
    "#);
}

#[test]
fn the_readings_as_json() {
    let text = cost_json(&cost(), &["out/cost/a.framecost".into()]);
    assert!(!text.contains('\u{1b}'), "{text}");
    let value: Value = serde_json::from_str(&text).unwrap();
    let [exposed, alone, marginal] = [0, 1, 2].map(|i| value["readings"][i].clone());
    assert_eq!((&value["framecost_cost"], &value["pass"]), (&1.into(), &HOSTILE.into()));
    assert_eq!(value["captures"][0], "out/cost/a.framecost");
    assert_eq!(
        (&exposed["reading"], &exposed["runs"], &exposed["frames"]),
        (&"exposed".into(), &2.into(), &57.into())
    );
    assert_eq!(exposed["interval"]["level"], 0.95);
    assert_eq!(exposed["interval"]["low"], exposed["each"][0]);
    assert_eq!(alone["interval"]["missing"], "it takes two runs");
    assert_eq!(marginal["mean"]["missing"], "no \u{1b}[2Jswitch");
    assert_eq!((&marginal["runs"], &marginal["frames"]), (&0.into(), &0.into()));
}
