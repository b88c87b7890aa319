//! Reports of one fixed capture in a terminal: what a person reads.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{Recipe, by_threshold, regressed, threshold};
use framecost::account::Floor;
use framecost::analyse;
use framecost::judge::{Across, Judgement, Overall, judge};
use framecost::report::{
    NotOneCapture, Recount, Report, Style, json, markdown, markdown_of_all, overall_json, recount_json,
    recount_text, text, text_of_all,
};
use framecost::stats::Statistic;
use framecost_sample::{
    AdapterClass, Capture, Instrumentation, PassId, Reading, Reason, Sharing, Stamp, Ticks,
};
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
    insta::assert_snapshot!(text(&regressed(), &Style::PLAIN), @r#"
    REGRESSED  10 compared (5 failed, 5 passed), 1 skipped, 1 only shown
      budget "town": scene "town" is none of those given (orrery)
      differs: switch lit_load 1 -> 4
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
    "#);
}

#[test]
fn a_refused_comparison_says_what_differs() {
    let run =
        Recipe { adapter: ("llvmpipe (LLVM 15.0.6, 256 bits)", AdapterClass::Cpu), ..Recipe::default() }
            .analysis();
    let base = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), from_ref(&base), &threshold(), Across::NOTHING);
    let report = Report::new(&run, Some(&base), Some(&judgement));
    assert!(!report.has_ratios());
    let shown = text(&report, &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\nframe").next().unwrap(), @r"
    NOT MEASURED  nothing was compared, 9 refused
      REFUSED  9 figures: unlike the baseline in: adapter, adapter class
               gpu_total median, gpu_total p95, attributed/cull median, attributed/depth|\u{1b}[31m<img src=x>`@all median, attributed/lit median, gate/opaque median, cpu_frame median, triangles median, and 1 more figure

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
    let judgement = judge(from_ref(&run), from_ref(&base), &threshold(), Across::NOTHING);
    let shown = text(&Report::new(&run, Some(&base), Some(&judgement)), &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r"
    REGRESSED  6 compared (1 failed, 1 warned, 2 improved, 2 passed), 2 missing, 1 only shown
            figure            baseline       run  ratio               limit
      FAIL  cpu_frame median  903.0 us  2.003 ms  2.218  +50 % and 50.00 us
      MISSING  2 figures: the baseline has this figure and the run does not
               attributed/lit median, gate/opaque median
                figure                 baseline        run  ratio                 limit
      WARN      texture_bytes median  64.00 KiB  68.36 KiB  1.068                  +5 %
      IMPROVED  gpu_total median       6.898 ms   870.0 us  0.126  -9.09 % and 20.00 us
      IMPROVED  gpu_total p95          6.907 ms   870.0 us  0.126  -9.09 % and 20.00 us
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit
    ");
}

#[test]
fn several_reports_stand_below_what_they_come_to_together() {
    let base = Recipe::default().analysis();
    let heavy = Recipe { lit_us: 24_000, ..Recipe::default() }.analysis();
    let town = Recipe { scene: "town".into(), ..Recipe::default() }.analysis();
    let budget = |name: &str, scene: &str| {
        format!(
            "[[budget]]\nname = \"{name}\"\nof = \"gpu_total\"\nscene = \"{scene}\"\nsize = \"any\"\n\
             statistic = \"median\"\nlimit = \"1 s\"\nadapter = \"any\"\n"
        )
    };
    let text_of =
        format!("{}{}[metric.heap_bytes]\nfail = \"1 %\"", budget("all", "orrery"), budget("typo", "orery"));
    let config = by_threshold(&text_of);
    let of = |run, baseline: &[framecost::Analysis]| judge(from_ref(run), baseline, &config, Across::NOTHING);
    let judgements = [of(&base, from_ref(&base)), of(&heavy, from_ref(&base)), of(&town, &[])];
    let overall = Overall::of(&judgements.each_ref(), &[], Judgement::tally);
    let reports = [(&base, 0), (&heavy, 1), (&town, 2)]
        .map(|(run, i)| Report::new(run, Some(&base).filter(|_| i < 2), Some(&judgements[i])));
    let shown = text_of_all(&overall, &reports, &[], &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r#"
    REGRESSED  3 captures: 1 regressed, 1 passed, 1 without a baseline
      budget "typo": scene "orery" is none of those given (orrery, town)
      note: [metric.heap_bytes] of framecost.toml: no capture given has a value of it
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit
    "#);
    for said_once in ["carries no error rate", "[metric.heap_bytes]", "\"typo\""] {
        assert_eq!(shown.matches(said_once).count(), 1, "{said_once} in\n{shown}");
    }
    let page = markdown_of_all(&overall, &reports, &[]);
    assert!(page.starts_with(
        "## REGRESSED\n\n3 captures: 1 regressed, 1 passed, 1 without a baseline.\n\n- budget "
    ));
    assert_eq!(page.matches("carries no error rate").count(), 1, "{page}");
    let value: Value = serde_json::from_str(&overall_json(&overall)).unwrap();
    assert_eq!((value["outcome"].as_str(), value["sets"].as_u64()), (Some("regressed"), Some(3)));
    assert_eq!((value["regressed"].as_u64(), value["passed"].as_u64()), (Some(1), Some(1)));
    assert_eq!(value["unbound"][0]["given"], serde_json::json!(["orrery", "town"]));
    // One alone says the same at its own head.
    let alone = [of(&base, from_ref(&base))];
    let overall = Overall::of(&alone.each_ref(), &[], Judgement::tally);
    let one = [Report::new(&base, Some(&base), Some(&alone[0]))];
    assert_eq!(text_of_all(&overall, &one, &[], &Style::PLAIN), text(&one[0], &Style::PLAIN));
}

#[test]
fn a_long_list_below_the_verdict_is_cut_and_says_of_what() {
    let budget = |i: u32| {
        format!(
            "[[ceiling]]\nname = \"c{i}\"\nof = \"gpu_total\"\nsize = \"{i}x1\"\nstatistic = \"median\"\n\
             limit = \"1 s\"\nadapter = \"any\"\n"
        )
    };
    let config = by_threshold(&(1..=11).map(budget).collect::<String>());
    let run = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), from_ref(&run), &config, Across::NOTHING);
    let report = Report::new(&run, Some(&run), Some(&judgement));
    let shown = text(&report, &Style::PLAIN);
    let lines: Vec<&str> = shown.lines().skip(1).take(9).collect();
    assert_eq!(lines[7], "  ceiling \"c8\": size \"8x1\" is none of those given (2560x1440)");
    assert_eq!(lines[8], "  and 3 more budgets without effect");
    let value: Value = serde_json::from_str(&json(&report)).unwrap();
    assert_eq!(value["verdict"]["unbound"].as_array().unwrap().len(), 11, "the JSON holds all");
}

#[test]
fn what_differs_from_a_baseline_that_was_named_stands_below_the_verdict() {
    let mut parts = Recipe::default().parts();
    parts.key.frames_in_flight = Some(1);
    parts.environment.facts[0].before = Reading::Measured("590.1".into());
    let (run, base) =
        (analyse(&Capture::new(parts).unwrap(), &Floor::LastPass), Recipe::default().analysis());
    let judgement = judge(from_ref(&run), from_ref(&base), &threshold(), Across::DECLARED);
    let shown = text(&Report::new(&run, Some(&base), Some(&judgement)), &Style::PLAIN);
    let lines: Vec<&str> = shown.lines().skip(1).take(2).collect();
    assert_eq!(lines, ["  differs: frames_in_flight 2 -> 1", "  differs: driver 580.159.04 -> 590.1"]);
    assert!(shown.contains("vulkan, 1 frame in flight\n"), "{shown}");
}

#[test]
fn a_pass_that_ran_twice_in_a_frame_is_a_finding_that_says_what_its_figures_are() {
    let mut parts = Recipe { lost: Vec::new(), ..Recipe::default() }.parts();
    let again = |stamp: &Stamp| {
        let second = |tick: &Ticks| Ticks(tick.0 + 130_000);
        let runs = if stamp.pass != PassId(0) || stamp.frame >= 40 { 0 } else { 1 + stamp.frame / 30 };
        let more = Stamp {
            start: stamp.start.as_ref().map(second),
            end: stamp.end.as_ref().map(second),
            ..stamp.clone()
        };
        std::iter::once(stamp.clone()).chain(std::iter::repeat_n(more, runs as usize)).collect::<Vec<_>>()
    };
    parts.stamps = parts.stamps.iter().flat_map(again).collect();
    let report = Report::new(&analyse(&Capture::new(parts).unwrap(), &Floor::LastPass), None, None);
    let shown = text(&report, &Style::PLAIN);
    let finding = shown.lines().find(|line| line.starts_with("  pass `cull`")).unwrap();
    insta::assert_snapshot!(finding, @"  pass `cull`: ran 2 to 3 times in 40 frames: its duration and exposed time add these runs up; attributed and alone count each moment once");
    assert_eq!(report.findings.len(), 1, "{:?}", report.findings);
}

#[test]
fn a_run_without_stamps_on_passes_says_so_and_claims_nothing_about_them() {
    let unstamped = |instrumentation: &str| {
        let mut parts = Recipe::default().parts();
        parts.key.instrumentation = Instrumentation(instrumentation.into());
        for stamp in &mut parts.stamps {
            stamp.start = Reading::Missing(Reason::NotStamped);
            stamp.end = Reading::Missing(Reason::NotStamped);
        }
        text(
            &Report::new(&analyse(&Capture::new(parts).unwrap(), &Floor::LastPass), None, None),
            &Style::PLAIN,
        )
    };
    let bracket = unstamped("bracket");
    assert!(
        bracket.contains("\nstamps: frame bracket only\n") && !bracket.contains("bottom-bottom"),
        "{bracket}"
    );
    assert!(!bracket.contains("late readback") && !bracket.contains("not executed"), "{bracket}");
    let missing = bracket.split("\nmissing\n").nth(1).unwrap().split("\n\n").next().unwrap();
    insta::assert_snapshot!(missing, @r"
    gpu_total, busy, untimed, waits, hidden, overlap: 60 of 60, passes were not stamped in this run (--stamps frame)
    every pass: 60 of 60, passes were not stamped in this run (--stamps frame)
    every gate: 60 of 60, passes were not stamped in this run (--stamps frame)
    texture_bytes: 1 of 60, source refused: asked | too often
    stamp_gpu_per_frame: 1 of 1, unsupported
    ");
    assert!(!bracket.contains("\nframe\n") && !bracket.contains("\npasses, medians\n"), "{bracket}");
    let none = unstamped("none");
    assert!(none.contains("\nstamps: none\n") && none.contains("(--stamps none)"), "{none}");
}

#[test]
fn numbers_stand_with_their_nouns() {
    let one = Recipe { frames: 0..1, lost: Vec::new(), ..Recipe::default() }.analysis();
    let shown = text(&Report::new(&one, None, None), &Style::PLAIN);
    assert!(shown.contains("\n1 frame (0 to 0); 1 start-up and 10 warm-up frames left out\n"), "{shown}");
    let judgement = judge(from_ref(&one), &[one.clone(), one.clone()], &threshold(), Across::NOTHING);
    let shown = text(&Report::new(&one, Some(&one), Some(&judgement)), &Style::PLAIN);
    assert!(shown.contains("note: 1 run against 2 of the baseline"), "{shown}");
    let p95 = judgement.rows.iter().find(|row| row.statistic == Statistic::P95.into()).unwrap();
    let why = p95.verdict.reason().unwrap();
    assert!(why.contains("p95 takes 20 values, 1 was measured") || why.contains("neither"), "{why}");
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
    let judgement = judge(&runs, from_ref(&runs[0]), &threshold(), Across::NOTHING);
    let shown = text(&Report::new(&runs[0], Some(&runs[0]), Some(&judgement)), &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r"
    PASSED  8 compared (8 passed), 1 only shown
      note: 2 runs against 1 of the baseline: judged by the median over the runs of each figure's statistic; tables below the verdict are of the first run alone
      the threshold rule carries no error rate: it does not say how often noise alone would pass a limit
    ");
}

#[test]
fn without_a_baseline_the_verdict_says_so() {
    let run = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), &[], &threshold(), Across::NOTHING);
    let shown = text(&Report::new(&run, None, Some(&judgement)), &Style::PLAIN);
    insta::assert_snapshot!(shown.split("\n\n").next().unwrap(), @r"
    NOT MEASURED  nothing was compared, 9 skipped
      SKIPPED  9 figures: no baseline for this key
               gpu_total median, gpu_total p95, attributed/cull median, attributed/depth|\u{1b}[31m<img src=x>`@all median, attributed/lit median, gate/opaque median, cpu_frame median, triangles median, and 1 more figure
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
fn a_recount_that_changes_nothing_says_why() {
    let why = |capture: &Capture, one: &Floor, other: &Floor| {
        Recount::new(&analyse(capture, one), &analyse(capture, other)).unwrap().why_same
    };
    let overlapping = Recipe { frames: 0..40, ..Recipe::default() }.capture();
    assert_eq!(why(&overlapping, &Floor::LastPass, &Floor::None), None);
    let same = why(&overlapping, &Floor::None, &Floor::None);
    assert_eq!(same.as_deref(), Some("both are the same rule"));
    // Each frame a millisecond further from the one before it.
    let mut parts = Recipe { frames: 0..40, lost: Vec::new(), ..Recipe::default() }.parts();
    for stamp in &mut parts.stamps {
        let later = |tick: &Ticks| Ticks(tick.0 + stamp.frame * 1_000_000);
        stamp.start = stamp.start.as_ref().map(later);
        stamp.end = stamp.end.as_ref().map(later);
    }
    let apart = Capture::new(parts).unwrap();
    let expected = "no frame overlapped the one before, so every floor rule gives the same";
    assert_eq!(why(&apart, &Floor::LastPass, &Floor::None).as_deref(), Some(expected));
    assert_eq!(why(&apart, &Floor::LastPass, &Floor::Pass("lit".into())).as_deref(), Some(expected));
    let recount = Recount::new(&analyse(&apart, &Floor::LastPass), &analyse(&apart, &Floor::None)).unwrap();
    assert!(
        recount_text(&recount, &Style::PLAIN).ends_with(&format!("are the same under both\n  {expected}\n"))
    );
    assert!(recount_json(&recount).contains(expected));
    let mut parts = overlapping.into_parts();
    parts.clocks[0].sharing = Sharing::WithinSubmission;
    let said = why(&Capture::new(parts).unwrap(), &Floor::LastPass, &Floor::None);
    assert_eq!(said.as_deref(), Some("submissions share no timeline, so that no rule has a floor to apply"));
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
