//! Reports of one fixed capture as markdown and JSON: what a pull request shows and what a program reads.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::collections::BTreeMap;

use fixture::regressed;
use framecost::report::{json, markdown};
use serde_json::Value;

#[test]
fn a_regression_as_markdown() {
    insta::assert_snapshot!(markdown(&regressed()), @r#"
    ### REGRESSED: `orrery 2560x1440 lit_load=4 shadow_rays=off`

    10 compared (5 failed, 5 passed), 1 skipped, 1 only shown.

    - budget "town": scene "town" is none of those given (orrery)
    - differs: switch lit_load 1 &#45;&#62; 4

    - `Test GPU (discrete), vulkan, 2 frames in flight`
    - 60 frames (0 to 59); 1 start-up and 10 warm-up frames left out
    - <code>stamps: bottom-bottom of depth&#124;&#92;u&#123;1b&#125;&#91;31m&#60;img src=x&#62;&#96;&#64;all, lit</code>
    - stamps: own-buffer-bottom of cull
    - submissions share a timeline (calibrated timestamps); floor: last-pass


    | verdict | figure | baseline | run | ratio | limit |
    | --- | --- | ---: | ---: | ---: | ---: |
    | **fail** | `gpu_total median` | 2.398 ms | 6.898 ms | 2.877 | +10 % and 20.00 us |
    | **fail** | `gpu_total p95` | 2.407 ms | 6.907 ms | 2.870 | +10 % and 20.00 us |
    | **fail** | `attributed/lit median` | 1.541 ms | 6.041 ms | 3.920 | +10 % and 20.00 us |
    | **fail** | `gate/opaque median` | 2.429 ms | 6.929 ms | 2.852 | +10 % and 20.00 us |
    | **fail** | `budget opaque main pass: gate/opaque median` | – | 6.929 ms | – | 6.000 ms |

    - the threshold rule carries no error rate: it does not say how often noise alone would pass a limit

    #### Frame

    | figure | median | p95 | p99 | mean | max | n | ratio |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | `gpu_total` | 6.898 ms | 6.907 ms | – | 6.831 ms | 6.907 ms | 58 | 2.877 |
    | `busy` | 6.898 ms | 6.907 ms | – | 6.831 ms | 6.907 ms | 58 | 2.877 |
    | `untimed` | 0 ns | 0 ns | – | 0 ns | 0 ns | 58 | – |
    | `waits` | 30.00 us | 139.5 us | – | 67.76 us | 760.0 us | 58 | 1.000 |
    | `hidden` | 27.50 us | 74.30 us | – | 30.48 us | 80.00 us | 58 | 1.000 |
    | `overlap` | 20.00 us | 20.00 us | – | 18.97 us | 20.00 us | 58 | 1.000 |

    p99 takes 100 values: withheld where there are fewer.

    Timed passes ran in 100.0 % of gpu\_total.

    #### Passes, medians

    | pass | share | attributed | duration | exposed | alone | n | ratio |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | `cull` | 1.7 % | 120.0 us | 120.0 us | 93.50 us | 120.0 us | 60 | 1.000 |
    | <code>depth&#124;&#92;u&#123;1b&#125;&#91;31m&#60;img src=x&#62;&#96;&#64;all</code> | 10.2 % | 740.0 us | 750.0 us | 750.0 us | 730.0 us | 57 | 1.000 |
    | **`lit`** | 88.0 % | 6.041 ms | 6.050 ms | 6.050 ms | 6.031 ms | 58 | 3.920 |
    | (untimed) | 0.0 % | 0 ns |  |  |  | 58 | – |

    passes may run side by side: durations do not add up to the frame, attributed times and untimed do (to busy + hidden + untimed).

    #### Gates

    | gate | median | p95 | p99 | mean | max | n | ratio | coverage | work before |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | `opaque` | 6.929 ms | 6.974 ms | – | 6.929 ms | 6.980 ms | 58 | 2.852 | 99.6 % | 0 ns |

    - `opaque`: from the start of `cull` to the latest end up to `lit`

    #### Budgets and ceilings

    | verdict | name | figure | value | limit | used |
    | --- | --- | --- | ---: | ---: | ---: |
    | fail | `opaque main pass` | `gate/opaque median` | 6.929 ms | 6.000 ms | 115.5 % |
    | skipped | `town` | `gpu_total median` | – | 12.00 ms | – |
    | pass | `culling` | `duration/cull max` | 120.0 us | 250.0 us | 48.0 % |

    - `town`: the budget is for scene town, the run is of orrery

    #### Sampled per frame

    | figure | median | p95 | p99 | mean | max | n | ratio |
    | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | `cpu_frame` | 903.0 us | 906.0 us | – | 902.9 us | 906.0 us | 60 | 1.000 |
    | `triangles` | 5.552 M | 5.552 M | – | 5.552 M | 5.552 M | 60 | 1.000 |
    | `texture_bytes` | 64.00 KiB | 64.00 KiB | – | 64.00 KiB | 64.00 KiB | 59 | 1.000 |

    p99 takes 100 values: withheld where there are fewer.

    <details><summary>Run</summary>

    | figure | value |  |
    | --- | ---: | --- |
    | `start_up` | 1.250 s | from opening the device to the end of the first frame |

    </details>

    <details><summary>Cost of measuring</summary>

    | figure | value |  |
    | --- | ---: | --- |
    | `stamp_cpu_per_pass` | 31 ns | host time that stamping adds to each pass |
    | `stamp_gpu_per_frame` | – | missing: unsupported |
    | `clock_step` | 32 ns | smallest step that the GPU's clock was seen to take |

    </details>

    <details><summary>Missing</summary>

    - `gpu_total, busy, untimed, waits, hidden, overlap`: 2 of 60, not available
    - <code>pass depth&#124;&#92;u&#123;1b&#125;&#91;31m&#60;img src=x&#62;&#96;&#64;all</code>: 3 of 60, not executed
    - `pass lit`: 2 of 60, not available
    - `gate opaque`: 2 of 60, not available
    - `texture_bytes`: 1 of 60, source refused: asked &#124; too often
    - `stamp_gpu_per_frame`: 1 of 1, unsupported

    </details>

    <details><summary>Environment</summary>

    | fact | before | after |
    | --- | --- | --- |
    | `driver` | `580.159.04` | `580.159.04` |
    | `load average` | `2.8` | `3.1` |
    | `governor` | `missing: unsupported` | `missing: unsupported` |

    </details>
    "#);
}

/// Every path of a JSON value with the kinds of value that stand there.
fn paths(value: &Value, path: &str, found: &mut BTreeMap<String, Vec<&'static str>>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "text",
        Value::Array(items) => {
            items.iter().for_each(|item| paths(item, &format!("{path}[]"), found));
            return;
        }
        Value::Object(fields) if fields.len() == 1 && fields.contains_key("missing") => "missing",
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            fields.iter().for_each(|(name, field)| paths(field, &format!("{path}{dot}{name}"), found));
            return;
        }
    };
    let kinds = found.entry(path.to_owned()).or_default();
    if !kinds.contains(&kind) {
        kinds.push(kind);
    }
}

#[test]
fn the_structure_of_the_json_report() {
    let value: Value = serde_json::from_str(&json(&regressed())).unwrap();
    let mut found = BTreeMap::new();
    paths(&value, "", &mut found);
    let lines: Vec<String> =
        found.iter().map(|(path, kinds)| format!("{path}: {}", kinds.join(" or "))).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    comparison.declared[].baseline: text
    comparison.declared[].this: text
    comparison.declared[].what: text
    comparison.frames.baseline: number
    comparison.frames.common: number
    comparison.frames.run: number
    cost_of_measuring[].about: text
    cost_of_measuring[].baseline_median: number
    cost_of_measuring[].better: text
    cost_of_measuring[].max: number or missing
    cost_of_measuring[].mean: number or missing
    cost_of_measuring[].median: number or missing
    cost_of_measuring[].metric: text
    cost_of_measuring[].min: number or missing
    cost_of_measuring[].n: number
    cost_of_measuring[].p95: missing
    cost_of_measuring[].p99: missing
    cost_of_measuring[].ratio: number
    cost_of_measuring[].unit: text
    coverage: number
    environment[].after: text or missing
    environment[].before: text or missing
    environment[].name: text
    figures[].about: text
    figures[].baseline_median: number
    figures[].better: text
    figures[].max: number
    figures[].mean: number
    figures[].median: number
    figures[].metric: text
    figures[].min: number
    figures[].n: number
    figures[].p95: missing
    figures[].p99: missing
    figures[].ratio: number
    figures[].unit: text
    frame[].about: text
    frame[].baseline_median: number
    frame[].better: text
    frame[].max: number
    frame[].mean: number
    frame[].median: number
    frame[].metric: text
    frame[].min: number
    frame[].n: number
    frame[].p95: number
    frame[].p99: missing
    frame[].ratio: number or missing
    frame[].unit: text
    framecost_report: number
    gates[].before.about: text
    gates[].before.baseline_median: number
    gates[].before.better: text
    gates[].before.max: number
    gates[].before.mean: number
    gates[].before.median: number
    gates[].before.metric: text
    gates[].before.min: number
    gates[].before.n: number
    gates[].before.p95: number
    gates[].before.p99: missing
    gates[].before.ratio: missing
    gates[].before.unit: text
    gates[].coverage.about: text
    gates[].coverage.baseline_median: number
    gates[].coverage.better: text
    gates[].coverage.max: number
    gates[].coverage.mean: number
    gates[].coverage.median: number
    gates[].coverage.metric: text
    gates[].coverage.min: number
    gates[].coverage.n: number
    gates[].coverage.p95: number
    gates[].coverage.p99: missing
    gates[].coverage.ratio: number
    gates[].coverage.unit: text
    gates[].from: text
    gates[].name: text
    gates[].time.about: text
    gates[].time.baseline_median: number
    gates[].time.better: text
    gates[].time.max: number
    gates[].time.mean: number
    gates[].time.median: number
    gates[].time.metric: text
    gates[].time.min: number
    gates[].time.n: number
    gates[].time.p95: number
    gates[].time.p99: missing
    gates[].time.ratio: number
    gates[].time.unit: text
    gates[].to: text
    missing[].of: number
    missing[].reason: text
    missing[].times: number
    missing[].what: text
    passes[].alone.about: text
    passes[].alone.baseline_median: number
    passes[].alone.better: text
    passes[].alone.max: number
    passes[].alone.mean: number
    passes[].alone.median: number
    passes[].alone.metric: text
    passes[].alone.min: number
    passes[].alone.n: number
    passes[].alone.p95: number
    passes[].alone.p99: missing
    passes[].alone.ratio: number
    passes[].alone.unit: text
    passes[].attributed.about: text
    passes[].attributed.baseline_median: number
    passes[].attributed.better: text
    passes[].attributed.max: number
    passes[].attributed.mean: number
    passes[].attributed.median: number
    passes[].attributed.metric: text
    passes[].attributed.min: number
    passes[].attributed.n: number
    passes[].attributed.p95: number
    passes[].attributed.p99: missing
    passes[].attributed.ratio: number
    passes[].attributed.unit: text
    passes[].duration.about: text
    passes[].duration.baseline_median: number
    passes[].duration.better: text
    passes[].duration.max: number
    passes[].duration.mean: number
    passes[].duration.median: number
    passes[].duration.metric: text
    passes[].duration.min: number
    passes[].duration.n: number
    passes[].duration.p95: number
    passes[].duration.p99: missing
    passes[].duration.ratio: number
    passes[].duration.unit: text
    passes[].exposed.about: text
    passes[].exposed.baseline_median: number
    passes[].exposed.better: text
    passes[].exposed.max: number
    passes[].exposed.mean: number
    passes[].exposed.median: number
    passes[].exposed.metric: text
    passes[].exposed.min: number
    passes[].exposed.n: number
    passes[].exposed.p95: number
    passes[].exposed.p99: missing
    passes[].exposed.ratio: number
    passes[].exposed.unit: text
    passes[].name: text
    passes[].share: number
    passes[].stamps: text
    run.adapter: text
    run.adapter_class: text
    run.backend: text
    run.benchmark: text
    run.floor: text
    run.frames.calibration_left_out: number
    run.frames.dropped: number
    run.frames.first: number
    run.frames.last: number
    run.frames.measured: number
    run.frames.start_up_left_out: number
    run.frames.warm_up_left_out: number
    run.frames_in_flight: number
    run.instrumentation: text
    run.percentiles: text
    run.producer: text
    run.scene: text
    run.settings_hash: text
    run.shared_by: text
    run.size[]: number
    run.stamps.bottom-bottom[]: text
    run.stamps.own-buffer-bottom[]: text
    run.started_at: text
    run.switches.lit_load: text
    run.switches.shadow_rays: text
    run.times_are_for_this_adapter_only: bool
    samples[].about: text
    samples[].baseline_median: number
    samples[].better: text
    samples[].max: number
    samples[].mean: number
    samples[].median: number
    samples[].metric: text
    samples[].min: number
    samples[].n: number
    samples[].p95: number
    samples[].p99: missing
    samples[].ratio: number
    samples[].unit: text
    untimed_share: number
    verdict.baseline_runs: number
    verdict.differs[].baseline: text
    verdict.differs[].this: text
    verdict.differs[].what: text
    verdict.error_rate: text
    verdict.outcome: text
    verdict.rows[].against.baseline.fail: number
    verdict.rows[].against.baseline.fail_change: number
    verdict.rows[].against.baseline.floor: number
    verdict.rows[].against.baseline.warn: number
    verdict.rows[].against.baseline.warn_change: number
    verdict.rows[].against.budget.limit: number
    verdict.rows[].against.budget.name: text
    verdict.rows[].against.ceiling.limit: number
    verdict.rows[].against.ceiling.name: text
    verdict.rows[].baseline: number
    verdict.rows[].current: number or missing
    verdict.rows[].metric: text
    verdict.rows[].n: number
    verdict.rows[].name: text
    verdict.rows[].ratio: number
    verdict.rows[].reason: text
    verdict.rows[].statistic: text
    verdict.rows[].subject: text
    verdict.rows[].unit: text
    verdict.rows[].verdict: text
    verdict.rule: text
    verdict.runs: number
    verdict.tally.failed: number
    verdict.tally.improved: number
    verdict.tally.missing: number
    verdict.tally.passed: number
    verdict.tally.refused: number
    verdict.tally.shown: number
    verdict.tally.skipped: number
    verdict.tally.undecided: number
    verdict.tally.warned: number
    verdict.unbound[].given[]: text
    verdict.unbound[].kind: text
    verdict.unbound[].name: text
    verdict.unbound[].part: text
    verdict.unbound[].wanted: text
    ");
}

#[test]
fn json_keeps_full_precision_and_says_what_is_missing() {
    let value: Value = serde_json::from_str(&json(&regressed())).unwrap();
    assert_eq!(value["framecost_report"], 1);
    assert_eq!(value["frame"][0]["metric"], "gpu_total");
    assert_eq!(value["frame"][0]["p95"], 6_907_000.0);
    assert_eq!(value["frame"][0]["p99"]["missing"], "it takes 100 values, 58 were measured");
    assert_eq!(value["passes"][2]["name"], "lit");
    let cost = value["cost_of_measuring"].as_array().unwrap();
    let stamp_gpu = cost.iter().find(|figure| figure["metric"] == "stamp_gpu_per_frame").unwrap();
    assert_eq!(stamp_gpu["median"]["missing"], "unsupported");
    assert_eq!(value["frame"][2]["ratio"]["missing"], "no quotient: the baseline is not above zero");
}
