//! Reports of verdicts by the rule of runs: what stands behind each.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{HOSTILE, Recipe};
use framecost::judge::{Across, Config, judge};
use framecost::report::{Report, Style, json, markdown, text};

/// Five stored runs whose lit pass differs by a few microseconds, and one run that takes 1 ms longer in it.
fn by_runs() -> Report {
    let of = |lit_us| Recipe { lit_us, ..Recipe::default() }.analysis();
    let stored = [6000, 6010, 5990, 6005, 5995].map(of);
    let run = of(7000);
    let judgement = judge(from_ref(&run), &stored, &Config::default(), Across::NOTHING);
    Report::new(&run, stored.first(), Some(&judgement))
}

#[test]
fn the_rule_of_runs_shows_what_stands_behind_each_verdict() {
    let shown = text(&by_runs(), &Style::PLAIN);
    let table: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.contains("by runs"))
        .take_while(|line| !line.is_empty())
        .collect();
    insta::assert_snapshot!(table.join("\n").replace(HOSTILE, "depth"), @r#"
    by runs                                          baseline        run   change              interval
    gpu_total median                          fail   6.898 ms   7.898 ms  +14.5 %    +14.0 % to +15.0 %
    gpu_total p95                             fail   6.907 ms   7.907 ms  +14.5 %    +13.9 % to +15.0 %
    gpu_total hitches                         pass          0          0        0           0 to +4.605
    attributed/cull median                    pass   120.0 us   120.0 us    0.0 %  -0.032 % to +0.032 %
    attributed/depth|\... src=x>`@all median  pass   740.0 us   740.0 us    0.0 %  -0.005 % to +0.005 %
    attributed/lit median                     fail   6.041 ms   7.041 ms  +16.6 %    +15.9 % to +17.2 %
    gate/opaque median                        fail   6.929 ms   7.929 ms  +14.4 %    +13.9 % to +15.0 %
    cpu_frame median                          pass   903.0 us   903.0 us    0.0 %      -0.0 % to +0.0 %
    texture_bytes median                      pass  64.00 KiB  64.00 KiB    0.0 %        0.0 % to 0.0 %
    1 in 100 true changes lies beyond either end of its interval; spread is from run to run; a loss as large as "would show" is found nine times of ten
    note: 1 run against 5 of the baseline: tables and ratios below are of the first of each
    the rule of runs: of comparisons of equal work at most 1 in 100 fails, if runs differ as those stored do
    "#);
    let page = markdown(&by_runs());
    assert!(
        page.contains("| by runs | verdict | baseline | run | change | interval | spread | would show |"),
        "{page}"
    );
    let document: serde_json::Value = serde_json::from_str(&json(&by_runs())).unwrap();
    let rows = document["verdict"]["rows"].as_array().unwrap();
    let lit = rows.iter().find(|row| row["name"] == "lit" && row["metric"] == "attributed").unwrap();
    assert_eq!(lit["evidence"]["scale"], "ratio");
    assert!((lit["evidence"]["change"].as_f64().unwrap() - 0.164).abs() < 0.01, "{lit}");
}
