//! The reader of CapFrameX's records on small inputs of our own.

use proptest::prelude::*;

use crate::read::log::{Cell, Gap, Log};
use crate::read::{CaptureOptions, Format, Keep, Options, Quantity, ReadError, detect, read, to_capture};

fn record(runs: &str) -> String {
    let info = r#""Info":{"AppVersion":"1.7.2.0","Id":null,"Processor":"A CPU","GPU":"A card","GameName":null,"ProcessName":"game.exe","Comment":null}"#;
    format!(r#"{{"Hash":"abc",{info},"Runs":[{runs}]}}"#)
}

/// A run of so many frames of 10 ms, with further members of its capture data.
fn run(frames: u64, more: &str) -> String {
    let list = |value: &dyn Fn(u64) -> String| (0..frames).map(value).collect::<Vec<_>>().join(",");
    let (time, interval) = (list(&|at| format!("{:.2}", at as f64 / 100.0)), list(&|_| "10.0".into()));
    format!(
        r#"{{"Hash":"x","PresentMonRuntime":"DXGI","SampleTime":10,"CaptureData":{{"TimeInSeconds":[{time}],"MsBetweenPresents":[{interval}]{more}}},"SensorData":null,"SensorData2":{{"a":{{"Name":"b","Values":[1,[2,{{"c":3}}]]}}}}}}"#
    )
}

fn log(text: &str) -> Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(text: &str) -> String {
    let options = Options { format: Some(Format::CapFrameXJson), ..Options::default() };
    read(text.as_bytes(), &options).unwrap_err().to_string()
}

fn cells(log: &Log, quantity: Quantity) -> Vec<Cell> {
    let column = log.quantity(quantity).unwrap_or_else(|| panic!("no {}", quantity.name())).0;
    log.streams[0].cells[column].iter().collect()
}

fn causes(log: &Log) -> String {
    log.findings.iter().map(|finding| format!("{}: {}\n", finding.place, finding.cause)).collect()
}

#[test]
fn a_record_is_read_with_its_facts() {
    let text = record(&run(5, ""));
    assert_eq!(detect(text.as_bytes()), Ok(Format::CapFrameXJson));
    let log = log(&text);
    let stream = &log.streams[0];
    assert_eq!((log.rows(), stream.id.to_string().as_str()), (5, "game.exe"));
    assert_eq!((stream.runtime.as_deref(), stream.sampling.name()), (Some("DXGI"), "every frame"));
    assert_eq!(
        (log.facts["gpu"].as_str(), log.facts["cpu"].as_str(), log.facts.contains_key("game")),
        ("A card", "A CPU", false)
    );
    assert_eq!((log.producer.version.as_str(), log.producer.class.as_str()), ("1.7.2.0", "capframex 1.7"));
    assert_eq!(stream.counts.unsaid, 5, "without an array Dropped nothing is known of dropping");
}

#[test]
fn runs_of_a_record_are_streams_and_never_joined() {
    let log = log(&record(&format!("{},{}", run(5, ""), run(3, ""))));
    let told: Vec<String> =
        log.streams.iter().map(|it| format!("{}: {} rows, {:?}", it.id, it.rows(), it.span)).collect();
    assert_eq!(
        told,
        ["game.exe (run 1): 5 rows, Some((0.0, 0.04))", "game.exe (run 2): 3 rows, Some((0.0, 0.02))"]
    );
    assert!(log.choose(None).is_err(), "none of two is chosen");
    assert_eq!(log.choose(Some("game.exe (run 2)")).unwrap().rows(), 3);
}

#[test]
fn arrays_that_are_null_empty_or_all_zero_are_no_data() {
    let log = log(&record(&run(
        3,
        r#","PcLatency":null,"GpuActive":[],"MsUntilRenderComplete":[0,0.0,0],"MsInPresentAPI":[0.5,0,1]"#,
    )));
    assert!(log.quantity(Quantity::PcLatency).is_none());
    assert!(log.quantity(Quantity::GpuBusy).is_none());
    assert_eq!(cells(&log, Quantity::UntilRenderComplete), [Cell::Gap(Gap::Unknown); 3]);
    assert!(
        causes(&log).contains("game.exe: MsUntilRenderComplete is 0 in all 3 rows: no data"),
        "{}",
        causes(&log)
    );
    assert_eq!(cells(&log, Quantity::InPresentApi)[1], Cell::Gap(Gap::Unknown));
    let capture = to_capture(&log, &log.streams[0], &CaptureOptions::default()).unwrap();
    assert!(capture.metrics.iter().all(|metric| metric.name != "until_render_complete"));
}

#[test]
fn nan_as_text_null_and_oddities_are_missing_capframex_395() {
    let log =
        log(&record(&run(5, r#","AnimationError":["NaN",null,-1.5,"oops",[1]],"CpuActive":[1,2,3,4,5]"#)));
    use Gap::{NotWritten, Unparsable};
    assert_eq!(
        cells(&log, Quantity::AnimationError),
        [
            Cell::Gap(NotWritten),
            Cell::Gap(NotWritten),
            Cell::Value(-1.5),
            Cell::Gap(Unparsable),
            Cell::Gap(Unparsable)
        ]
    );
    assert_eq!(cells(&log, Quantity::CpuBusy)[4], Cell::Value(5.0));
}

#[test]
fn dropped_frames_and_present_modes() {
    let more = r#","Dropped":[false,true,false,null],"PresentMode":[3,9,0,77],"MsUntilDisplayed":[5.0,6.0,0,7.0],"MsBetweenDisplayChange":[0,0,20.5,1]"#;
    let log = log(&record(&run(4, more)));
    let counts = log.streams[0].counts;
    assert_eq!((counts.displayed(), counts.dropped, counts.unsaid), (2, 1, 1));
    let until = cells(&log, Quantity::UntilDisplayed);
    assert_eq!(until[..3], [Cell::Value(5.0), Cell::Gap(Gap::NotDisplayed), Cell::Gap(Gap::Unknown)]);
    assert_eq!(cells(&log, Quantity::DisplayedInterval)[0], Cell::Gap(Gap::NoPrevious));
    let mode = log.columns.iter().position(|it| it.name == "PresentMode").unwrap();
    let modes: Vec<Cell> = log.streams[0].cells[mode].iter().collect();
    assert_eq!(modes, [Cell::Value(2.0), Cell::Value(8.0), Cell::Gap(Gap::Unknown), Cell::Gap(Gap::Unknown)]);
    assert_eq!(log.columns[mode].texts[2], "Hardware: Independent Flip");
}

#[test]
fn arrays_of_unequal_length_are_refused_with_both_names() {
    let told = fault(&record(&format!("{},{}", run(3, ""), run(4, r#","MsInPresentAPI":[1,2,3]"#))));
    assert_eq!(
        told,
        "run 2: MsBetweenPresents has 4 values and MsInPresentAPI has 3 values; allowed: arrays of one length"
    );
    let log = log(&record(&run(3, r#","SomethingNew":[1]"#)));
    assert!(
        causes(&log).contains("array SomethingNew has 1 value for 3 frames: left out"),
        "{}",
        causes(&log)
    );
}

#[test]
fn what_is_no_record_is_refused_with_its_place() {
    let refused = |text: &str, told: &str| assert!(fault(text).contains(told), "{}", fault(text));
    refused(r#"{"Info":{},"Runs":[]}"#, "the record holds no run with capture data");
    refused(r#"{"Info":{},"Runs":[{"CaptureData":null}]}"#, "the record holds no run with capture data");
    refused(r#"{"Info":{}}"#, "missing field `Runs`");
    refused(
        &record(&run(3, "")).replace("MsBetweenPresents", "Other"),
        "run 1: column MsBetweenPresents missing; the header has TimeInSeconds, Other",
    );
    refused("{\"Info\":{},\n\"Runs\":[{]}", "line 2, column 10: ");
    refused(&record(&run(3, r#","PcLatency":[1e400,1,1]"#)), "number out of range");
    refused(&record(&run(3, r#","PcLatency":[NaN,1,1]"#)), "line 1, column ");
    refused(&record(&run(3, r#","MsBetweenPresents":[1,1,1]"#)), "MsBetweenPresents stands twice");
    refused(r#"{"Info":{"GPU":"a","GPU":"b"},"Runs":[]}"#, "GPU stands twice");
    refused(r#"{"Info":{"GPU":"\ud800"},"Runs":[]}"#, "line 1, column ");
    refused(&record(&run(3, ""))[..200], "EOF while parsing");
}

#[test]
fn depth_and_long_texts_do_no_harm() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let with_deep = record(&run(3, &format!(r#","Odd":{deep}"#)));
    let _ = read(with_deep.as_bytes(), &Options::default());
    let _ = read(record(&run(3, &format!(r#","PcLatency":[1,2,{deep}]"#))).as_bytes(), &Options::default());
    let forced = Options { format: Some(Format::CapFrameXJson), ..Options::default() };
    assert!(read("[".repeat(100_000).as_bytes(), &forced).is_err());
    let long = "x".repeat(1 << 20);
    let long = record(&run(3, "")).replace("A card", &long).replace("A CPU", &long);
    let log = read(long.as_bytes(), &forced).unwrap();
    assert_eq!(log.facts["gpu"].len(), 200, "one line of two megabytes is read, and cut where it is kept");
}

#[test]
fn encodings_make_no_difference() {
    let text = record(&run(3, ""));
    let plain = log(&text);
    assert_eq!(log(&format!("\u{feff}{text}")), plain);
    let wide: Vec<u8> =
        std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&wide, &Options::default()).unwrap(), plain);
}

#[test]
fn runs_may_have_different_arrays() {
    let more = r#","QPCTime":[5.0,5.01,5.02],"CpuActive":[1,2,3],"Dropped":[true,false,false]"#;
    let log = log(&record(&format!("{},{}", run(3, more), run(2, r#","Else":[7,8]"#))));
    let (busy, _) = log.quantity(Quantity::CpuBusy).unwrap();
    assert_eq!((log.streams[0].cells[busy].len(), log.streams[1].cell(0, busy)), (3, None));
    assert_eq!((log.streams[0].counts.dropped, log.streams[1].counts.unsaid), (1, 2));
    let other = log.columns.iter().position(|it| it.name == "Else").unwrap();
    assert_eq!(log.streams[1].cell(1, other), Some(Cell::Value(8.0)));
    for stream in &log.streams {
        assert!(to_capture(&log, stream, &CaptureOptions::default()).is_ok());
    }
}

#[test]
fn only_what_is_asked_for_is_kept() {
    let options = Options { keep: Keep::only(&[Quantity::GpuBusy]), ..Options::default() };
    let log =
        read(record(&run(3, r#","GpuActive":[1,2,3],"PcLatency":[1,2,3]"#)).as_bytes(), &options).unwrap();
    assert_eq!(cells(&log, Quantity::GpuBusy).len(), 3);
    let (pc, _) = log.quantity(Quantity::PcLatency).unwrap();
    assert_eq!((log.streams[0].cells[pc].len(), log.streams[0].tallies[pc].sum), (0, 6.0));
}

#[test]
fn a_counter_in_seconds_is_told_from_ticks() {
    let log = log(&record(&run(4, r#","QPCTime":[100.0,100.01,100.02,100.03]"#)));
    let (_, column) = log.column(crate::read::Role::PresentTime(crate::read::ClockKind::Counter)).unwrap();
    assert_eq!(column.unit.name(), "s");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0_usize..700, cut in 0_usize..60) {
        let options = Options { format: Some(Format::CapFrameXJson), ..Options::default() };
        let _ = read(&bytes, &options);
        let mut mutated = record(&run(3, r#","Dropped":[true,false,null]"#)).into_bytes();
        let at = at.min(mutated.len());
        let end = (at + cut).min(mutated.len());
        mutated.splice(at..end, bytes);
        let _ = read(&mutated, &options);
    }

    #[test]
    fn no_values_make_it_panic(values in prop::collection::vec("(-?[0-9]{1,20}(\\.[0-9]{1,5})?([eE]-?[0-9]{1,3})?|null|true|\"NaN\"|\"x\"|\\[\\]|\\{\\})", 3)) {
        let list = values.join(",");
        for name in ["QPCTime", "Dropped", "PresentMode", "MsUntilDisplayed", "AnimationError", "Else"] {
            let _ = read(record(&run(3, &format!(r#","{name}":[{list}]"#))).as_bytes(), &Options::default());
        }
        let _ = read(record(&run(3, "").replace("10.0,10.0,10.0", &list)).as_bytes(), &Options::default());
    }
}

#[test]
fn damaged_texts_are_told_apart_from_empty_ones() {
    assert!(matches!(read(b"", &Options::default()), Err(ReadError::Empty(_))));
}
