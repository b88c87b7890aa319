//! Reports of one fixed capture in a terminal: what a person reads.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{Recipe, regressed};
use framecost::account::Floor;
use framecost::analyse;
use framecost::judge::{Across, Config, judge};
use framecost::report::{
    NotOneCapture, Recount, Report, Style, json, markdown, recount_json, recount_text, text,
};
use framecost_sample::{AdapterClass, Capture};
use serde_json::Value;

const UNICODE: Style = Style { colour: false, unicode: true, width: 120 };

#[test]
fn a_run_alone() {
    let report = Report::new(&Recipe::default().analysis(), None, None);
    insta::assert_snapshot!(text(&report, &UNICODE), @r"
    orrery 2560x1440 lit_load=1 shadow_rays=off
    Test GPU (discrete), vulkan, 2 frames in flight
    60 frames (0 to 59); 1 start-up and 10 warm-up frames left out
    stamps: bottom-bottom of depth|\u{1b}[31m<img src=x>`@all, lit
    stamps: own-buffer-bottom of cull
    submissions share a timeline (calibrated timestamps); floor: last-pass

    frame
                   median       p95  p99      mean       max   n
      gpu_total  6.898 ms  6.907 ms    –  6.831 ms  6.907 ms  58
      busy       6.898 ms  6.907 ms    –  6.831 ms  6.907 ms  58
      untimed        0 ns      0 ns    –      0 ns      0 ns  58
      waits      30.00 us  139.5 us    –  67.76 us  760.0 us  58
      hidden     27.50 us  74.30 us    –  30.48 us  80.00 us  58
      overlap    20.00 us  20.00 us    –  18.97 us  20.00 us  58
      p99 takes 100 values: withheld where there are fewer
      coverage: timed passes ran in 100.0 % of gpu_total

    passes, medians
      pass                               share                      attributed  duration   exposed     alone   n
      cull                               1.7 %  ▍                     120.0 us  120.0 us  93.50 us  120.0 us  60
      depth|\u{1b}[31m<img src=x>`@all  10.2 %  ██                    740.0 us  750.0 us  750.0 us  730.0 us  57
      lit                               88.0 %  █████████████████▋    6.041 ms  6.050 ms  6.050 ms  6.031 ms  58
      (untimed)                          0.0 %                            0 ns                                58
      passes may run side by side: durations do not add up to the frame, attributed times and untimed do (to busy + hidden + untimed)

    gates
      gate      median       p95  p99      mean       max   n  coverage  work before
      opaque  6.929 ms  6.974 ms    –  6.929 ms  6.980 ms  58    99.6 %         0 ns
      opaque: from the start of cull to the latest end up to lit

    sampled per frame
                        median        p95  p99       mean        max   n
      cpu_frame       903.0 us   906.0 us    –   902.9 us   906.0 us  60
      triangles        5.552 M    5.552 M    –    5.552 M    5.552 M  60
      texture_bytes  64.00 KiB  64.00 KiB    –  64.00 KiB  64.00 KiB  59
      p99 takes 100 values: withheld where there are fewer

    run
                  value
      start_up  1.250 s  from opening the device to the end of the first frame

    cost of measuring
                           value
      stamp_cpu_per_pass   31 ns  host time that stamping adds to each pass
      stamp_gpu_per_frame      –  missing: unsupported
      clock_step           32 ns  smallest step that the GPU's clock was seen to take

    missing
      gpu_total, busy, untimed, waits, hidden, overlap: 2 of 60, not available
      pass depth|\u{1b}[31m<img src=x>`@all: 3 of 60, not executed
      pass lit: 2 of 60, not available
      gate opaque: 2 of 60, not available
      texture_bytes: 1 of 60, source refused: asked | too often
      stamp_gpu_per_frame: 1 of 1, unsupported

    environment
                    before                after
      driver        580.159.04
      load average  2.8                   3.1
      governor      missing: unsupported
    ");
}

#[test]
fn a_regression_in_ascii() {
    insta::assert_snapshot!(text(&regressed(), &Style::PLAIN), @r"
    REGRESSED  10 compared (5 failed, 5 passed), 1 skipped, 1 only shown
            figure                                       baseline       run  ratio               limit
      FAIL  gpu_total median                             2.398 ms  6.898 ms  2.877  +10 % and 20.00 us
      FAIL  gpu_total p95                                2.407 ms  6.907 ms  2.870  +10 % and 20.00 us
      FAIL  attributed/lit median                        1.541 ms  6.041 ms  3.920  +10 % and 20.00 us
      FAIL  gate/opaque median                           2.429 ms  6.929 ms  2.852  +10 % and 20.00 us
      FAIL  budget opaque main pass: gate/opaque median         -  6.929 ms      -            6.000 ms
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit

    orrery 2560x1440 lit_load=4 shadow_rays=off
    Test GPU (discrete), vulkan, 2 frames in flight
    60 frames (0 to 59); 1 start-up and 10 warm-up frames left out
    stamps: bottom-bottom of depth|\u{1b}[31m<img src=x>`@all, lit
    stamps: own-buffer-bottom of cull
    submissions share a timeline (calibrated timestamps); floor: last-pass

    compared across, as asked
                       this run  baseline
      switch lit_load  4         1

    frame
                   median       p95  p99      mean       max   n  ratio
      gpu_total  6.898 ms  6.907 ms    -  6.831 ms  6.907 ms  58  2.877
      busy       6.898 ms  6.907 ms    -  6.831 ms  6.907 ms  58  2.877
      untimed        0 ns      0 ns    -      0 ns      0 ns  58      -
      waits      30.00 us  139.5 us    -  67.76 us  760.0 us  58  1.000
      hidden     27.50 us  74.30 us    -  30.48 us  80.00 us  58  1.000
      overlap    20.00 us  20.00 us    -  18.97 us  20.00 us  58  1.000
      p99 takes 100 values: withheld where there are fewer
      coverage: timed passes ran in 100.0 % of gpu_total

    passes, medians
      pass                               share  attributed  duration   exposed   n  ratio
      cull                               1.7 %    120.0 us  120.0 us  93.50 us  60  1.000
      depth|\u{1b}[31m<img src=x>`@all  10.2 %    740.0 us  750.0 us  750.0 us  57  1.000
      lit                               88.0 %    6.041 ms  6.050 ms  6.050 ms  58  3.920
      (untimed)                          0.0 %        0 ns                      58      -
      passes may run side by side: durations do not add up to the frame, attributed times and untimed do (to busy + hidden + untimed)

    gates
      gate      median       p95  p99      mean       max   n  ratio  coverage  work before
      opaque  6.929 ms  6.974 ms    -  6.929 ms  6.980 ms  58  2.852    99.6 %         0 ns
      opaque: from the start of cull to the latest end up to lit

    budgets and ceilings
               name              figure                 value     limit     used
      fail     opaque main pass  gate/opaque median  6.929 ms  6.000 ms  115.5 %
      skipped  town              gpu_total median           -  12.00 ms        -
      pass     culling           duration/cull max   120.0 us  250.0 us   48.0 %
      town: the budget is for scene town, the run is of orrery

    sampled per frame
                        median        p95  p99       mean        max   n  ratio
      cpu_frame       903.0 us   906.0 us    -   902.9 us   906.0 us  60  1.000
      triangles        5.552 M    5.552 M    -    5.552 M    5.552 M  60  1.000
      texture_bytes  64.00 KiB  64.00 KiB    -  64.00 KiB  64.00 KiB  59  1.000
      p99 takes 100 values: withheld where there are fewer

    run
                  value
      start_up  1.250 s  from opening the device to the end of the first frame

    cost of measuring
                           value
      stamp_cpu_per_pass   31 ns  host time that stamping adds to each pass
      stamp_gpu_per_frame      -  missing: unsupported
      clock_step           32 ns  smallest step that the GPU's clock was seen to take

    missing
      gpu_total, busy, untimed, waits, hidden, overlap: 2 of 60, not available
      pass depth|\u{1b}[31m<img src=x>`@all: 3 of 60, not executed
      pass lit: 2 of 60, not available
      gate opaque: 2 of 60, not available
      texture_bytes: 1 of 60, source refused: asked | too often
      stamp_gpu_per_frame: 1 of 1, unsupported

    environment
                    before                after
      driver        580.159.04
      load average  2.8                   3.1
      governor      missing: unsupported
    ");
}

#[test]
fn a_refused_comparison_says_what_differs() {
    let run =
        Recipe { adapter: ("llvmpipe (LLVM 15.0.6, 256 bits)", AdapterClass::Cpu), ..Recipe::default() }
            .analysis();
    let base = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), from_ref(&base), &Config::default(), Across::NOTHING);
    let report = Report::new(&run, Some(&base), Some(&judgement));
    assert!(!report.has_ratios());
    let shown = text(&report, &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\nframe").next().unwrap(), @r"
    NOT MEASURED  nothing was compared, 9 refused
      REFUSED  9 figures: unlike the baseline in: adapter, adapter class
               gpu_total median, gpu_total p95, attributed/cull median, attributed/depth|\u{1b}[31m<img src=x>`@all median, attributed/lit median, gate/opaque median, cpu_frame median, triangles median, and 1 more

    orrery 2560x1440 lit_load=1 shadow_rays=off
    llvmpipe (LLVM 15.0.6, 256 bits) (cpu), vulkan, 2 frames in flight
    60 frames (0 to 59); 1 start-up and 10 warm-up frames left out
    stamps: bottom-bottom of depth|\u{1b}[31m<img src=x>`@all, lit
    stamps: own-buffer-bottom of cull
    submissions share a timeline (calibrated timestamps); floor: last-pass
    this adapter renders on the CPU: its times are regression figures for this adapter only

    not compared with the baseline: they differ in
                     this run                          baseline
      adapter        llvmpipe (LLVM 15.0.6, 256 bits)  Test GPU
      adapter class  cpu                               discrete
    ");
}

#[test]
fn what_failed_stands_before_what_is_missing_and_that_before_what_only_warns() {
    let run =
        Recipe { without_lit: true, cpu_us: 2000.0, texture_bytes: 70_000.0, ..Recipe::default() }.analysis();
    let base = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), from_ref(&base), &Config::default(), Across::NOTHING);
    let shown = text(&Report::new(&run, Some(&base), Some(&judgement)), &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r"
    REGRESSED  6 compared (1 failed, 1 warned, 2 improved, 2 passed), 2 missing, 1 only shown
            figure            baseline       run  ratio               limit
      FAIL  cpu_frame median  903.0 us  2.003 ms  2.218  +10 % and 50.00 us
      MISSING  2 figures: the baseline has this figure and the run does not
               attributed/lit median, gate/opaque median
                figure                 baseline        run  ratio               limit
      WARN      texture_bytes median  64.00 KiB  68.36 KiB  1.068                +5 %
      IMPROVED  gpu_total median       6.898 ms   870.0 us  0.126  -10 % and 20.00 us
      IMPROVED  gpu_total p95          6.907 ms   870.0 us  0.126  -10 % and 20.00 us
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit
    ");
}

#[test]
fn a_report_without_verdicts_compares_across_what_may_be_declared() {
    let run = Recipe { switches: vec![("lit_load", "4")], ..Recipe::default() }.analysis();
    let report = Report::new(&run, Some(&Recipe::default().analysis()), None);
    let declared: Vec<String> =
        report.comparison.iter().flat_map(|it| &it.declared).map(|it| it.what.clone()).collect();
    assert_eq!(declared, ["switch lit_load", "switch shadow_rays"]);
    assert!(report.has_ratios(), "who names another variant asks for just that");
}

#[test]
fn several_runs_say_how_they_were_judged() {
    let runs = [Recipe::default().analysis(), Recipe::default().analysis()];
    let judgement = judge(&runs, from_ref(&runs[0]), &Config::default(), Across::NOTHING);
    let shown = text(&Report::new(&runs[0], Some(&runs[0]), Some(&judgement)), &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r"
    PASSED  8 compared (8 passed), 1 only shown
      note: 2 runs against 1 of the baseline: judged by the median over the runs of each figure's statistic; tables and ratios below are of the first of each
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit
    ");
}

#[test]
fn without_a_baseline_the_verdict_says_so() {
    let run = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), &[], &Config::default(), Across::NOTHING);
    let shown = text(&Report::new(&run, None, Some(&judgement)), &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r"
    NOT MEASURED  nothing was compared, 9 skipped
      SKIPPED  9 figures: no baseline
               gpu_total median, gpu_total p95, attributed/cull median, attributed/depth|\u{1b}[31m<img src=x>`@all median, attributed/lit median, gate/opaque median, cpu_frame median, triangles median, and 1 more
    ");
}

#[test]
fn a_pass_that_no_frame_has_is_a_finding_and_a_dash() {
    let run = Recipe { lost: (0..60).collect(), ..Recipe::default() }.analysis();
    let shown = text(&Report::new(&run, None, None), &UNICODE);
    let lines = |part: &str| shown.lines().filter(|line| line.contains(part)).collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!(lines("lit"), @r"
    orrery 2560x1440 lit_load=1 shadow_rays=off
    stamps: bottom-bottom of depth|\u{1b}[31m<img src=x>`@all, lit
      lit                                    –                               –         –         –         –   0
      opaque: from the start of cull to the latest end up to lit
      pass lit: 60 of 60, not available
      pass lit: no frame has its stamps (not available): the frames' figures leave it out or call it untimed
    ");
}

#[test]
fn a_run_of_warm_up_alone_reports_no_value_and_no_zero() {
    let report = Report::new(&Recipe { frames: 0..0, ..Recipe::default() }.analysis(), None, None);
    let shown = text(&report, &Style::PLAIN);
    let tables = shown.split("\n\n").skip(1).take(2).collect::<Vec<_>>().join("\n\n");
    insta::assert_snapshot!(tables, @r"
    frame
                 median  p95  p99  mean  max  n
      gpu_total       -    -    -     -    -  0
      busy            -    -    -     -    -  0
      untimed         -    -    -     -    -  0
      waits           -    -    -     -    -  0
      hidden          -    -    -     -    -  0
      overlap         -    -    -     -    -  0

    passes, medians
      pass                              share    attributed  duration  exposed  alone  n
      cull                                  -             -         -        -      -  0
      depth|\u{1b}[31m<img src=x>`@all      -             -         -        -      -  0
      lit                                   -             -         -        -      -  0
      (untimed)                             -             -                            0
      passes may run side by side: durations do not add up to the frame, attributed times and untimed do (to busy + hidden + untimed)
    ");
}

#[test]
fn a_capture_without_passes_has_only_what_its_source_sampled() {
    let mut parts = Recipe::default().parts();
    (parts.passes, parts.gates, parts.stamps) = (Vec::new(), Vec::new(), Vec::new());
    let report = Report::new(&analyse(&Capture::new(parts).unwrap(), &Floor::LastPass), None, None);
    assert_eq!(
        (report.frame.len(), report.coverage.is_some(), report.untimed_share.is_some()),
        (0, false, false)
    );
    let names: Vec<&str> = report.samples.iter().map(|figure| figure.metric.as_str()).collect();
    assert_eq!(names, ["cpu_frame", "triangles", "texture_bytes"]);
    assert!(!text(&report, &Style::PLAIN).contains("gpu_total"));
}

#[test]
fn ratios_are_dashes_where_the_baseline_is_not_above_zero() {
    let run = Recipe::default().analysis();
    let report = Report::new(&run, Some(&run), None);
    let row = |name: &str| report.frame.iter().find(|figure| figure.metric == name).unwrap().clone();
    assert_eq!((row("untimed").baseline, row("untimed").ratio), (Some(0.0), None));
    assert_eq!(row("gpu_total").ratio, Some(1.0));
    let shown = text(&report, &Style::PLAIN);
    let untimed = shown.lines().find(|line| line.starts_with("  untimed")).unwrap();
    assert!(untimed.ends_with('-'), "{untimed}");
}

#[test]
fn colours_stand_only_where_they_are_asked_for() {
    let report = regressed();
    let coloured = text(&report, &Style { colour: true, ..UNICODE });
    assert!(coloured.starts_with("\u{1b}[1;31mREGRESSED\u{1b}[0m"), "{}", coloured.lines().next().unwrap());
    assert!(!text(&report, &UNICODE).contains('\u{1b}'));
    assert!(text(&report, &Style::PLAIN).is_ascii());
}

#[test]
fn equal_captures_give_equal_reports() {
    assert_eq!(json(&regressed()), json(&regressed()));
    assert_eq!(text(&regressed(), &UNICODE), text(&regressed(), &UNICODE));
    assert_eq!(markdown(&regressed()), markdown(&regressed()));
}

#[test]
fn a_recount_changes_only_the_accounting() {
    let capture = Recipe { frames: 0..40, ..Recipe::default() }.capture();
    let (before, after) = (analyse(&capture, &Floor::LastPass), analyse(&capture, &Floor::None));
    let recount = Recount::new(&before, &after).unwrap();
    insta::assert_snapshot!(recount_text(&recount, &Style::PLAIN), @r"
    orrery 2560x1440 lit_load=1 shadow_rays=off
    floor: last-pass before, none after
    only the accounting changed: the same stamps of the same run, counted under another rule

      median of       before     after     change  ratio
      hidden        28.00 us      0 ns  -28.00 us  0.000
      exposed/cull  93.50 us  120.0 us   26.50 us  1.283
      19 figures are the same under both
    ");
    let value: Value = serde_json::from_str(&recount_json(&recount)).unwrap();
    assert_eq!(
        value["note"],
        "only the accounting changed: the same stamps of the same run, counted under another rule"
    );
    assert_eq!(value["medians"][0]["metric"], "gpu_total");
    let other = Recipe { frames: 0..41, ..Recipe::default() }.analysis();
    assert_eq!(Recount::new(&before, &other), Err(NotOneCapture));
}
