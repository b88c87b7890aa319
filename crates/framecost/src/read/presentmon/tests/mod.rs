//! The reader of PresentMon's tables on small inputs of our own: each version's missing rules, each trap of units, and the
//! complaints that users have brought forward (their numbers in the project's tracker stand in the names).

mod trace;

use framecost_sample::{Reading, Reason};
use proptest::prelude::*;

use crate::read::log::{Cell, FileUnit, Gap, Log, Role, Stream};
use crate::read::{
    CaptureOptions, Damage, Keep, Options, Quantity, ReadError, Sampling, detect, read, to_capture,
};

const V1_0: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,Dropped,\
                    TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed\n";
const V1_9: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,\
                    msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,msBetweenDisplayChange,\
                    msUntilRenderStart,msGPUActive,msGPUVideoActive,msSinceInput,QPCTime\n";
const V2_0: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,CPUStartTime,\
                    CPUBusy,CPUWait,GPULatency,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,ClickToPhotonLatency\n";
const V2_1: &str = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
                    CPUStartTime,FrameTime,CPUBusy,CPUWait,GPULatency,GPUTime,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,\
                    AnimationError,ClickToPhotonLatency\n";
const V2_3: &str = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
                    FrameType,TimeInQPC,MsBetweenSimulationStart,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,\
                    MsRenderPresentLatency,MsUntilDisplayed,MsPCLatency,CPUStartQPC,MsBetweenAppStart,MsCPUBusy,MsCPUWait,\
                    MsGPULatency,MsGPUTime,MsGPUBusy,MsGPUWait,MsVideoBusy,MsAnimationError,AnimationTime,\
                    MsAllInputToPhotonLatency,MsClickToPhotonLatency,MsInstrumentedLatency\n";

fn log(text: &str) -> Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(text: &str) -> String {
    read(text.as_bytes(), &Options::default()).unwrap_err().to_string()
}

fn only(log: &Log) -> &Stream {
    assert_eq!(log.streams.len(), 1);
    &log.streams[0]
}

/// The cells of a quantity in the only stream.
fn cells(log: &Log, quantity: Quantity) -> Vec<Cell> {
    let column = log.quantity(quantity).unwrap_or_else(|| panic!("no {}", quantity.name())).0;
    only(log).cells[column].iter().collect()
}

fn causes(log: &Log) -> String {
    log.findings.iter().map(|finding| format!("{}: {}\n", finding.place, finding.cause)).collect()
}

/// A row of 1.0 to 1.6: time in ms, whether it was dropped.
fn v1_row(time: f64, interval: f64, dropped: bool) -> String {
    let (d, change, until) = if dropped { (1, 0.0, 0.0) } else { (0, interval, 12.5) };
    format!(
        "game.exe,42,0x0000000000AB0010,DXGI,-1,0,0,Other,{d},{:.6},{interval:.3},{change:.3},0.500,3.000,{until:.3}\n",
        time / 1e3
    )
}

/// A row of 2.3.1's default metrics: frame type, present time in ticks of 10 MHz, interval and display.
fn v2_3_row(kind: &str, ticks: u64, interval: f64, until: &str, pc: &str) -> String {
    let (busy, wait) = if kind == "Application" { (interval * 0.75, interval * 0.25) } else { (0.0, 0.0) };
    let change = if until == "NA" { "NA".to_owned() } else { format!("{interval:.4}") };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and positive")]
    let start = ticks - (busy * 1e4).round() as u64;
    format!(
        "game.exe,42,0xAB0010,DXGI,0,512,1,Hardware: Independent Flip,{kind},{ticks},NA,{interval:.4},{change},{wait:.4},1.5000,{until},\
         {pc},{start},{:.4},{busy:.4},{wait:.4},0.5000,3.0000,2.0000,1.0000,0.0000,0.1000,100.0000,NA,NA,NA\n",
        busy + wait
    )
}

#[test]
fn zeros_of_version_1_are_missing_where_they_say_unknown_or_not_shown() {
    let text = format!(
        "{V1_0}{}{}game.exe,42,0xAB0010,DXGI,-1,0,0,Other,0,0.036000,16.000,0.000,0.000,0.000,0.000\n",
        v1_row(4.0, 16.0, false),
        v1_row(20.0, 16.0, true)
    );
    let log = log(&text);
    assert_eq!(log.producer.version, "1.0 to 1.6");
    let counts = only(&log).counts;
    assert_eq!((counts.presented, counts.dropped, counts.displayed(), counts.application()), (3, 1, 2, 3));
    assert_eq!(
        cells(&log, Quantity::UntilDisplayed),
        [Cell::Value(12.5), Cell::Gap(Gap::NotDisplayed), Cell::Gap(Gap::Unknown)]
    );
    assert_eq!(
        cells(&log, Quantity::DisplayedInterval),
        [Cell::Value(16.0), Cell::Gap(Gap::NotDisplayed), Cell::Gap(Gap::NoPrevious)]
    );
    assert_eq!(cells(&log, Quantity::InPresentApi)[2], Cell::Gap(Gap::Unknown));
    assert_eq!(cells(&log, Quantity::UntilRenderComplete)[2], Cell::Gap(Gap::Unknown));
    // A synchronisation interval of -1 is an ordinary one, and a padded address is the same as a short one.
    let interval = log.columns.iter().position(|column| column.name == "SyncInterval").unwrap();
    assert_eq!(only(&log).cell(0, interval), Some(Cell::Value(-1.0)));
    assert_eq!(only(&log).id.swap_chain, Some(0xab_0010));
    assert_eq!(only(&log).runtime.as_deref(), Some("DXGI"));
}

#[test]
fn version_1_9_tells_no_input_and_no_gpu_from_values() {
    let row = |time: f64, gpu: &str, input: &str| {
        format!(
            "game.exe,42,0x0,Other,0,0,0,{:.14},0.00000000000000,16.00000000000000,0,Other,1.00000000000000,9.00000000000000,16.00000000000000,{gpu},{input},{:.0}\n",
            time / 1e3,
            time * 1e4
        )
    };
    let seen = "-14.00000000000000,2.00000000000000,0.00000000000000";
    let unseen = "0.00000000000000,0.00000000000000,0.00000000000000";
    let log = log(&format!(
        "{V1_9}{}{}",
        row(16.0, seen, "4.00000000000000"),
        row(32.0, unseen, "0.00000000000000")
    ));
    assert_eq!(log.producer.version, "1.9 to 1.10, or 2.x with v1 metrics");
    assert_eq!(cells(&log, Quantity::UntilRenderStart), [Cell::Value(-14.0), Cell::Gap(Gap::Unknown)]);
    assert_eq!(cells(&log, Quantity::GpuBusy), [Cell::Value(2.0), Cell::Gap(Gap::Unknown)]);
    assert_eq!(cells(&log, Quantity::VideoBusy), [Cell::Value(0.0), Cell::Gap(Gap::Unknown)]);
    assert_eq!(cells(&log, Quantity::SinceInput), [Cell::Value(4.0), Cell::Gap(Gap::NoInput)]);
    assert_eq!(only(&log).id.swap_chain, Some(0), "a swap chain at 0 is an ordinary one");
}

#[test]
fn version_2_0_has_its_frame_time_derived_and_its_drops_told_from_zeros() {
    let row = |start: f64, latency: f64| {
        let shown = if latency > 0.0 { 16.0 } else { 0.0 };
        format!(
            "game.exe,42,0xA0,DXGI,0,0,0,Other,{start:.6},12.000000,4.000000,0.500000,3.000000,1.000000,0.000000,{latency:.6},{shown:.6},0.000000\n"
        )
    };
    let log = log(&format!("{V2_0}{}{}{}", row(0.0, 30.0), row(16.0, 0.0), row(32.0, 31.0)));
    assert_eq!(log.producer.version, "2.0");
    assert_eq!(only(&log).counts.dropped, 1);
    assert_eq!(cells(&log, Quantity::FrameInterval), [Cell::Value(16.0); 3]);
    assert_eq!(cells(&log, Quantity::DisplayLatency)[1], Cell::Gap(Gap::NotDisplayed));
    assert_eq!(
        cells(&log, Quantity::ClickToPhoton),
        [Cell::Gap(Gap::NoInput), Cell::Gap(Gap::NotDisplayed), Cell::Gap(Gap::NoInput)]
    );
    assert_eq!(only(&log).sampling, Sampling::EveryFrame { ratio: 1.0 });
}

#[test]
fn version_2_writes_na_for_the_display_and_zero_for_the_unknown() {
    let row = |start: f64, gpu: &str, display: &str| {
        format!(
            "game.exe,42,0xA0,DXGI,0,0,0,Other,{start:.4},16.0000,12.0000,4.0000,{gpu},0.0000,{display},NA\n"
        )
    };
    let shown = |error: &str| format!("30.0000,16.0000,{error}");
    let text = format!(
        "{V2_1}{}{}{}{}",
        row(0.0, "0.5000,3.0000,3.0000,0.0000", &shown("0.0000")),
        row(16.0, "0.0000,0.0000,0.0000,0.0000", "NA,NA,NA"),
        row(32.0, "0.0000,3.0000,2.0000,1.0000", &shown("0.0000")),
        row(48.0, "0.5000,3.0000,2.0000,1.0000", &shown("-0.2500")),
    );
    let log = log(&text);
    assert_eq!(log.producer.version, "2.1");
    assert_eq!(only(&log).counts.dropped, 1);
    // A GPU that was seen and a latency of 0: it started before the CPU did. One that was not seen: nothing is known.
    let latency = [Cell::Value(0.5), Cell::Gap(Gap::Unknown), Cell::Gap(Gap::Before), Cell::Value(0.5)];
    assert_eq!(cells(&log, Quantity::GpuLatency), latency);
    assert_eq!(
        cells(&log, Quantity::GpuWait),
        [Cell::Value(0.0), Cell::Gap(Gap::Unknown), Cell::Value(1.0), Cell::Value(1.0)]
    );
    // The first frame's animation error is 0 for want of a frame before; a later 0 is one, and it has a sign.
    let error =
        [Cell::Gap(Gap::NoPrevious), Cell::Gap(Gap::NotDisplayed), Cell::Value(0.0), Cell::Value(-0.25)];
    assert_eq!(cells(&log, Quantity::AnimationError), error);
    assert_eq!(cells(&log, Quantity::ClickToPhoton)[0], Cell::Gap(Gap::NoInput));
}

#[test]
fn generated_frames_are_counted_apart_388() {
    let text = format!(
        "{V2_3}{}{}{}{}",
        v2_3_row("Application", 1_000_000, 16.0, "20.0000", "NA"),
        v2_3_row("AMD AFMF", 1_000_000, 0.0, "28.0000", "NA"),
        v2_3_row("Application", 1_160_000, 16.0, "20.0000", "NA"),
        v2_3_row("Intel XeSS-FG", 1_160_000, 0.0, "NA", "NA"),
    );
    let log = log(&text);
    let stream = only(&log);
    let counts = stream.counts;
    assert_eq!(
        (
            counts.presented,
            counts.application(),
            counts.generated,
            counts.generated_displayed,
            counts.dropped
        ),
        (4, 2, 2, 1, 1)
    );
    assert_eq!(stream.generated, [false, true, false, true]);
    assert_eq!(
        cells(&log, Quantity::CpuBusy),
        [Cell::Value(12.0), Cell::Gap(Gap::Generated), Cell::Value(12.0), Cell::Gap(Gap::Generated)]
    );
    assert_eq!(cells(&log, Quantity::PresentedInterval)[1], Cell::Value(0.0), "kept as it is, and said");
    assert!(causes(&log).contains("2 of 4 frames are generated"), "{}", causes(&log));
    assert!(
        causes(&log).contains("MsBetweenPresents is 0 or less on 2 rows, the first on line 3"),
        "{}",
        causes(&log)
    );
    let capture = to_capture(&log, stream, &CaptureOptions::default()).unwrap();
    assert!(
        capture.key.instrumentation.0.ends_with("; generated frames"),
        "{:?}",
        capture.key.instrumentation
    );
}

#[test]
fn columns_without_a_single_value_are_named_once_213() {
    let log = log(&format!(
        "{V2_3}{}{}",
        v2_3_row("Application", 160_000, 16.0, "20.0000", "NA"),
        v2_3_row("Application", 320_000, 16.0, "20.0000", "NA")
    ));
    let found: Vec<_> = log.findings.iter().filter(|finding| finding.place == "columns").collect();
    assert_eq!(found.len(), 1);
    let text = "no row has a value of MsBetweenSimulationStart, MsPCLatency, MsAllInputToPhotonLatency, MsClickToPhotonLatency, MsInstrumentedLatency";
    assert_eq!(found[0].cause, text);
    let capture = to_capture(&log, only(&log), &CaptureOptions::default()).unwrap();
    assert!(
        capture.metrics.iter().all(|metric| metric.name != "pc_latency"),
        "nobody asked for a column of gaps"
    );
}

#[test]
fn columns_are_found_by_name_and_unknown_ones_are_kept_468() {
    let header = "PresentMode,msBetweenPresents,SWAPCHAINADDRESS,Runtime,TimeInSeconds,Dropped,ProcessID,Application,FutureThing,FutureText\n";
    let log = log(&format!(
        "{header}Other,16.0,0xA0,DXGI,0.016,0,42, game.exe ,1.5,abc\nOther,16.0,0xA0,DXGI,0.032,0,42,game.exe,soon,abc\n"
    ));
    assert_eq!(only(&log).id.to_string(), "game.exe, process 42, swap chain 0xA0");
    assert_eq!(cells(&log, Quantity::PresentedInterval), [Cell::Value(16.0); 2]);
    let thing = log.columns.iter().position(|column| column.name == "FutureThing").unwrap();
    assert_eq!(log.columns[thing].role, Role::Other);
    assert_eq!(
        [0, 1].map(|row| only(&log).cell(row, thing).unwrap()),
        [Cell::Value(1.5), Cell::Gap(Gap::Unparsable)]
    );
    assert_eq!(log.columns[thing + 1].texts, ["abc"]);
    assert!(
        causes(&log).contains("columns that no known version has, or has twice: FutureThing, FutureText"),
        "{}",
        causes(&log)
    );
    assert!(causes(&log).contains("column FutureThing: no number in 1 field"), "{}", causes(&log));
}

#[test]
fn absurd_values_are_kept_and_said_397_248_520() {
    let text = format!(
        "{V2_3}{}{}",
        v2_3_row("Application", 160_000, 16.0, "20.0000", "45998123.0000"),
        v2_3_row("Application", 500_160_000, 50_000.0, "20.0000", "30.0000"),
    );
    let log = log(&text);
    assert_eq!(cells(&log, Quantity::PresentedInterval)[1], Cell::Value(50_000.0));
    assert!(
        causes(&log)
            .contains("MsBetweenPresents is above 1 s on 1 row, at most 50.00 s, the first on line 3"),
        "{}",
        causes(&log)
    );
    assert!(causes(&log).contains("MsPCLatency is up to 45998 s"), "{}", causes(&log));
}

#[test]
fn rates_past_any_display_are_said_320_500() {
    let rows: String = (1..50).map(|i| v1_row(f64::from(i) * 0.5, 0.5, false)).collect();
    let log = log(&format!("{V1_0}{rows}"));
    assert!(causes(&log).contains("MsBetweenPresents is below 0.667 ms on 49 rows"), "{}", causes(&log));
}

#[test]
fn ticks_are_told_from_seconds_and_milliseconds_63_67() {
    let file = |factor: f64, decimals: usize| {
        let rows: String = (1..6).map(|i| v1_row(f64::from(i) * 16.0, 16.0, false)).collect();
        let rows = rows
            .lines()
            .enumerate()
            .map(|(i, row)| format!("{row},{:.decimals$}\n", (i + 1) as f64 * 0.016 * factor))
            .collect::<String>();
        format!("{},QPCTime\n{rows}", V1_0.trim_end())
    };
    for (factor, decimals, unit) in [
        (1.0, 6, FileUnit::Seconds),
        (1e3, 3, FileUnit::Millis),
        (10e6, 0, FileUnit::Ticks(Some(10e6))),
        (3_579_545.0, 0, FileUnit::Ticks(Some(3_579_545.0))),
    ] {
        let log = log(&file(factor, decimals));
        let column = log.columns.iter().find(|column| column.name == "QPCTime").unwrap();
        // A frame time of three decimals tells a rate to about a tick in a hundred thousand.
        match (column.unit, unit) {
            (FileUnit::Ticks(Some(found)), FileUnit::Ticks(Some(wanted))) => {
                assert!((found / wanted - 1.0).abs() < 1e-4, "{found}")
            }
            (found, wanted) => assert_eq!(found, wanted),
        }
        assert!(
            column.evidence.as_ref().is_some_and(|it| it.contains("by the median of 4 rows")),
            "{:?}",
            column.evidence
        );
    }
}

#[test]
fn the_counters_frequency_comes_from_two_ticks_and_the_time_between() {
    let log = log(&format!("{V2_3}{}", v2_3_row("Application", 1_857_900_376_640, 16.0, "20.0000", "NA")));
    let units: Vec<FileUnit> = log
        .columns
        .iter()
        .map(|column| column.unit)
        .filter(|unit| matches!(unit, FileUnit::Ticks(_)))
        .collect();
    assert_eq!(units, [FileUnit::Ticks(Some(10e6)); 2], "one row is enough");
}

#[test]
fn seconds_that_hold_milliseconds_are_read_as_such_and_said() {
    let rows: String = (1..6).map(|i| v1_row(f64::from(i) * 16_000.0, 16.0, false)).collect();
    let log = log(&format!("{V1_0}{rows}"));
    let (time, column) =
        log.columns.iter().enumerate().find(|(_, column)| column.name == "TimeInSeconds").unwrap();
    assert_eq!((log.basis.time, column.unit), (Some(time), FileUnit::Millis));
    assert_eq!(only(&log).sampling.name(), "every frame");
    assert!(
        causes(&log).contains(
            "column TimeInSeconds: it is named for s and holds ms: it grows by 1.000000 in each millisecond"
        ),
        "{}",
        causes(&log)
    );
}

#[test]
fn a_time_that_is_neither_is_refused() {
    let rows: String = (1..6).map(|i| v1_row(f64::from(i) * 16.0 * 40.0, 16.0, false)).collect();
    let text = fault(&format!("{V1_0}{rows}"));
    assert!(text.starts_with("column TimeInSeconds says s and yet it grows by 0.040000 in each millisecond of MsBetweenPresents"), "{text}");
}

#[test]
fn a_log_that_leaves_rows_out_is_no_log_of_every_frame() {
    let rows: String = (1..60).map(|i| v1_row(f64::from(i) * 80.0, 16.0, false)).collect();
    let log = log(&format!("{V1_0}{rows}"));
    assert_eq!(only(&log).sampling.name(), "sampled");
    assert!(
        causes(&log).contains("sampled: frame times add up to 0.2000 of the elapsed time"),
        "{}",
        causes(&log)
    );
}

#[test]
fn dates_without_a_zone_are_times_of_the_day() {
    let header = V2_1.replace("CPUStartTime", "CPUStartDateTime");
    let row = |date: &str| {
        format!(
            "game.exe,42,0xA0,DXGI,0,0,0,Other,{date},1000.0,12.0,4.0,0.5,3.0,3.0,0.0,0.0,30.0,16.0,0.1,NA\n"
        )
    };
    let log =
        log(&format!("{header}{}{}", row("2024-2-29 23:59:59.500000000"), row("2024-3-1 0:00:00.500000001")));
    let column = log.basis.time.unwrap();
    assert_eq!(log.columns[column].unit, FileUnit::Nanos);
    assert_eq!(only(&log).span, Some((86_399.5e9, 86_400.5e9 + 1.0)));
    assert_eq!(only(&log).sampling.name(), "every frame");
    assert!(
        fault(&format!("{header}{}", row("yesterday")))
            .contains("CPUStartDateTime is `yesterday`; allowed: a date and time")
    );
}

#[test]
fn a_services_capture_counts_in_seconds_and_has_no_streams_columns() {
    let header =
        "TimeInSeconds,CPUStartTime,FrameTime,CPUBusy,GPUBusy,DisplayLatency,GPUFanSpeed[0],GPUPower\n";
    let rows: String = (0..5)
        .map(|i| {
            format!(
                "{:.4},{:.4},16.0000,12.0,3.0,30.0,NA,{i}.5\n",
                f64::from(i) * 0.016,
                f64::from(i) * 0.016
            )
        })
        .collect();
    assert_eq!(detect(header.as_bytes()).unwrap().name(), "presentmon");
    let log = log(&format!("{header}{rows}"));
    assert_eq!(log.producer.version, "of a service");
    assert_eq!(only(&log).sampling.name(), "every frame");
    let units: Vec<FileUnit> = log.columns[..2].iter().map(|column| column.unit).collect();
    assert_eq!(units, [FileUnit::Seconds; 2]);
    assert_eq!(only(&log).id.process, None);
}

#[test]
fn rows_out_of_order_are_put_in_order_and_streams_never_joined() {
    let other = v1_row(3.0, 16.0, false).replace("0x0000000000AB0010", "0x0000000000000000");
    let unknown = v1_row(5.0, 16.0, false).replace("game.exe", "<unknown>");
    let text = format!(
        "{V1_0}{}{}{other}{}{unknown}",
        v1_row(36.0, 16.0, false),
        v1_row(4.0, 16.0, false),
        v1_row(20.0, 16.0, false)
    );
    let log = log(&text);
    assert_eq!(log.streams.len(), 3);
    assert_eq!(log.streams[0].lines, [3, 5, 2]);
    assert_eq!(log.streams[0].span, Some((0.004, 0.036)));
    assert!(matches!(log.choose(None), Err(ReadError::Stream(_))));
    let fault = log.choose(Some("42")).unwrap_err().to_string();
    assert!(
        fault.starts_with(
            "`42` names 3 streams; name one: game.exe, process 42, swap chain 0xAB0010 (3 rows); "
        ),
        "{fault}"
    );
    assert_eq!(log.choose(Some("<unknown>")).unwrap().counts.presented, 1);
}

#[test]
fn a_comma_in_a_programs_name_sets_its_rows_aside_and_keeps_their_frame_times() {
    let good: String = (0..400).map(|i| v1_row(f64::from(i) * 16.0, 16.0, false)).collect();
    let bad = v1_row(20.0, 17.5, false).replace("game.exe", "Tom, Dick, and Harry.exe");
    let log = log(&format!("{V1_0}{good}{bad}"));
    assert_eq!(log.quarantine.counts.get(&Damage::CommaInName), Some(&1));
    assert_eq!(
        log.quarantine.rows[0].to_string(),
        "line 402: 17 fields, a comma in the application's name; allowed: 15"
    );
    let salvaged = &log.quarantine.salvaged[0];
    assert_eq!((salvaged.line, salvaged.frame_time), (402, 17.5));
    assert_eq!(salvaged.stream.application, "Tom, Dick, and Harry.exe");
    assert_eq!(log.rows(), 400);
}

#[test]
fn what_is_kept_changes_no_sum() {
    let rows: String = (1..60)
        .map(|i| {
            v2_3_row(
                if i % 3 == 0 { "AMD AFMF" } else { "Application" },
                i * 160_000,
                16.0,
                if i % 5 == 0 { "NA" } else { "20.0" },
                "NA",
            )
        })
        .collect();
    let text = format!("{V2_3}{rows}");
    let all = log(&text);
    let least =
        read(text.as_bytes(), &Options { keep: Keep::only(&[Quantity::GpuBusy]), ..Options::default() })
            .unwrap();
    for (place, column) in all.columns.iter().enumerate() {
        if column.unit != FileUnit::Text {
            assert_eq!(only(&all).tallies[place], only(&least).tallies[place], "{}", column.name);
        }
    }
    let kept = |quantity: Quantity| !only(&least).cells[least.quantity(quantity).unwrap().0].is_empty();
    assert_eq!(
        [Quantity::GpuBusy, Quantity::PresentedInterval, Quantity::GpuTime].map(kept),
        [true, true, false]
    );
    assert_eq!((only(&all).counts, &all.findings), (only(&least).counts, &least.findings));
}

#[test]
fn a_stream_becomes_a_capture_in_nanoseconds_with_reasons() {
    let log = log(&format!("{V1_0}{}{}", v1_row(4.0, 16.0, false), v1_row(20.0, 16.0, true)));
    let options = CaptureOptions { scene: Some("harbour".into()), adapter: None };
    let capture = to_capture(&log, only(&log), &options).unwrap();
    let names: Vec<&str> = capture.metrics.iter().map(|metric| metric.name.as_str()).collect();
    let of_frames = [
        "presented_interval",
        "displayed_interval",
        "in_present_api",
        "until_render_complete",
        "until_displayed",
    ];
    assert_eq!(names[..5], of_frames);
    assert_eq!(
        names[5..],
        ["frames_presented", "frames_displayed", "frames_dropped", "frames_application", "frames_generated"]
    );
    assert_eq!(capture.samples[0].reading, Reading::Measured(16e6));
    assert_eq!(capture.samples[9].reading, Reading::Missing(Reason::NotDisplayed));
    assert_eq!(capture.figures[2].reading, Reading::Measured(1.0));
    let key = &capture.key;
    assert_eq!(
        (key.benchmark.as_str(), key.scene.as_str(), key.backend.as_str()),
        ("game.exe", "harbour", "presentmon")
    );
    assert_eq!(key.instrumentation.0, "v1 metrics 1.0; every frame; presented_interval; no generated frames");
    assert!(
        capture.producer.starts_with(
            "PresentMon 1.0 to 1.6 (inferred: header with MsBetweenPresents before MsInPresentAPI"
        )
    );
}

#[test]
fn a_file_without_what_it_needs_is_refused_by_name() {
    let header = V1_0.replace("TimeInSeconds,", "").replace("MsBetweenPresents,", "");
    let text = fault(&format!("{header}x\n"));
    assert!(text.starts_with("presentmon (1.0 to 1.6): columns TimeInSeconds, MsBetweenPresents missing; the header has Application, "), "{text}");
    assert_eq!(fault(V1_0), "no row follows the header, which ends on line 1");
}

#[test]
fn a_present_that_the_tool_lost_is_neither_shown_nor_dropped() {
    let lost = v1_row(20.0, 16.0, true).replace("Other,1,", "Other,Error,");
    let log = log(&format!("{V1_0}{}{lost}", v1_row(4.0, 16.0, false)));
    let counts = only(&log).counts;
    assert_eq!((counts.presented, counts.displayed(), counts.dropped, counts.unsaid), (2, 1, 0, 1));
    assert!(
        causes(&log).contains("of 1 present the file does not say whether they were shown"),
        "{}",
        causes(&log)
    );
}

#[test]
fn a_compositor_alone_must_be_named_all_the_same() {
    let log = log(&format!("{V1_0}{}", v1_row(4.0, 16.0, false).replace("game.exe", "DWM.exe")));
    assert!(matches!(log.choose(None), Err(ReadError::Stream(_))));
    assert_eq!(log.choose(Some("dwm.exe")).unwrap().rows(), 1);
}

proptest! {
    #[test]
    fn no_change_of_a_file_makes_it_panic(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        for header in [V1_0, V1_9, V2_0, V2_1, V2_3] {
            let text = format!("{header}{}{}", v2_3_row("Application", 160_000, 16.0, "20.0", "NA"), v1_row(4.0, 16.0, true));
            let mut bytes = text.into_bytes();
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            let options = Options { most_damaged: 1.0, ..Options::default() };
            if let Ok(log) = read(&bytes, &options) {
                for stream in &log.streams {
                    prop_assert!(to_capture(&log, stream, &CaptureOptions::default()).is_ok());
                }
            }
        }
    }
}
