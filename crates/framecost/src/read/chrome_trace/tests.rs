//! The reader of trace events on small inputs of our own.

use proptest::prelude::*;

use crate::read::log::{Cell, Gap, Log};
use crate::read::{CaptureOptions, Format, Options, Quantity, ReadError, detect, read, to_capture};

fn log(text: &str) -> Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn causes(log: &Log) -> String {
    log.findings.iter().map(|finding| format!("{}: {}\n", finding.place, finding.cause)).collect()
}

/// A stream's cells of a quantity, by the end of the stream's name.
fn cells(log: &Log, stream: &str, quantity: Quantity) -> Vec<Cell> {
    let column = log.quantity(quantity).unwrap_or_else(|| panic!("no {}", quantity.name())).0;
    let found = log.streams.iter().find(|it| it.id.application.ends_with(stream));
    found.unwrap_or_else(|| panic!("no {stream}")).cells[column].iter().collect()
}

fn names(log: &Log) -> Vec<String> {
    log.streams.iter().map(|stream| stream.id.to_string()).collect()
}

fn x(name: &str, tid: u64, ts: f64, dur: f64) -> String {
    format!(r#"{{ "pid":7, "tid":{tid}, "ts":{ts}, "dur":{dur}, "ph":"X", "name":"{name}" }}"#)
}

/// As wgpu-profiler writes them, but for the last comma, which it leaves behind where the last scope was not timed.
fn profiler() -> String {
    format!(
        "{{\n\"traceEvents\": [\n{},\n{},\n{},\n{},\n]\n}}\n",
        x("frame", 1, 1000.0, 500.25),
        x("shadows", 1, 1000.0, 200.0),
        x("frame", 1, 17000.5, 400.0),
        x("frame", 2, 5.0, 1.0)
    )
}

#[test]
fn a_profilers_scopes_are_durations_by_thread_and_name() {
    let text = profiler();
    assert_eq!(detect(text.as_bytes()), Ok(Format::ChromeTrace));
    let log = log(&text);
    assert_eq!(
        names(&log),
        ["thread 1/frame, process 7", "thread 1/shadows, process 7", "thread 2/frame, process 7"]
    );
    assert_eq!(cells(&log, "1/frame", Quantity::ScopeDuration), [Cell::Value(500.25), Cell::Value(400.0)]);
    assert_eq!(causes(&log), "");
    assert_eq!(log.streams[0].sampling.name(), "untold");
    let capture = to_capture(&log, &log.streams[0], &CaptureOptions::default()).unwrap();
    assert_eq!(capture.metrics[0].name, "scope_duration");
    assert_eq!(capture.samples[0].reading, framecost_sample::Reading::Measured(500_250.0));
}

#[test]
fn an_unterminated_list_is_read_and_metadata_at_0_moves_no_origin() {
    let meta = r#"{"args":{"name":"A tool"},"cat":"__metadata","name":"process_name","ph":"M","pid":7,"tid":0,"ts":0}"#;
    let begin = r#"{"ph":"B","pid":7,"tid":1,"ts":2000,"name":"open"}"#;
    for end in ["", ",", ",\n", ",\n{\"ph\":\"X\",\"na", "\n"] {
        let text = format!("[{},\n{meta},\n{begin}{end}", x("a", 1, 1000.0, 5.0));
        assert_eq!(detect(text.as_bytes()), Ok(Format::ChromeTrace));
        let log = log(&text);
        assert_eq!(names(&log), ["A tool/thread 1/a, process 7"]);
        assert_eq!(log.streams[0].span, Some((1000.0, 1000.0)));
        assert!(causes(&log).contains("1 begin without an end left out"), "{}", causes(&log));
        assert!(causes(&log).contains("1 list of events without its closing bracket"), "{}", causes(&log));
        assert_eq!(
            log.quarantine.total(),
            u64::from(end.contains("na")),
            "an event that is cut off is set aside"
        );
    }
}

#[test]
fn begins_and_ends_are_paired_by_time_not_by_place() {
    let edge = |ph: &str, name: &str, ts: u64| {
        format!(r#"{{"ph":"{ph}","pid":1,"tid":1,"ts":{ts},"name":"{name}"}}"#)
    };
    let events = [
        edge("E", "", 40),
        edge("E", "", 20),
        edge("B", "inner", 10),
        edge("B", "outer", 0),
        edge("E", "", 50),
    ];
    let log = log(&format!("[{}]", events.join(",")));
    assert_eq!(cells(&log, "inner", Quantity::ScopeDuration), [Cell::Value(10.0)]);
    assert_eq!(cells(&log, "outer", Quantity::ScopeDuration), [Cell::Value(40.0)]);
    assert!(causes(&log).contains("1 end without a begin left out"), "{}", causes(&log));
}

#[test]
fn async_ids_are_global_or_of_one_process() {
    let edge = |ph: &str, pid: u64, ts: u64, id: &str| {
        format!(r#"{{"ph":"{ph}","pid":{pid},"tid":{pid},"ts":{ts},"name":"w","cat":"c",{id}}}"#)
    };
    let local = r#""id2":{"local":"0x1"}"#;
    let global = r#""id":"0x1""#;
    let events = [
        edge("b", 1, 0, local),
        edge("b", 2, 5, local),
        edge("e", 2, 6, local),
        edge("e", 1, 10, local),
        edge("b", 3, 100, global),
        edge("e", 4, 130, global),
        edge("b", 1, 0, r#""id3":1"#),
    ];
    let log = log(&format!("[{}]", events.join(",")));
    let by_process =
        ["thread 1/w", "thread 2/w", "thread 3/w"].map(|name| cells(&log, name, Quantity::ScopeDuration));
    assert_eq!(by_process, [[Cell::Value(10.0)], [Cell::Value(1.0)], [Cell::Value(30.0)]]);
    assert!(causes(&log).contains("1 event of async kind without an id left out"), "{}", causes(&log));
}

fn browser() -> String {
    let frame = |id: u64, state: &str, begin: u64, end: u64| {
        format!(
            r#"{{"args":{{"frame_reporter":{{"state":"STATE_{state}","layer_tree_host_id":1}}}},"cat":"cc","id2":{{"local":"0x{id}"}},"name":"PipelineReporter","ph":"b","pid":1,"tid":1,"ts":{begin}}},
{{"args":{{}},"cat":"cc","id2":{{"local":"0x{id}"}},"name":"PipelineReporter","ph":"e","pid":1,"tid":1,"ts":{end}}},"#
        )
    };
    let shown = |ts: u64| {
        format!(
            r#"{{"args":{{}},"name":"Display::FrameDisplayed","ph":"I","pid":2,"s":"t","tid":9,"ts":{ts}}},"#
        )
    };
    let meta = |pid: u64, name: &str| {
        format!(r#"{{"args":{{"name":"{name}"}},"name":"process_name","ph":"M","pid":{pid},"tid":0,"ts":0}}"#)
    };
    format!(
        "{{\"traceEvents\":[\n{}{}{}{}{}{}{}{}{},\n{},\n{},\n{}],\n\"metadata\":{{\"product-version\":\"148.0.1\",\"os-name\":\"Linux\",\"deep\":{{\"a\":[1]}}}}}}",
        frame(1, "PRESENTED_ALL", 1000, 30000),
        frame(2, "DROPPED", 17000, 60000),
        frame(3, "PRESENTED_PARTIAL", 34000, 63000),
        frame(4, "NO_UPDATE_DESIRED", 50000, 51000),
        frame(5, "PRESENTED_ALL", 67000, 80000),
        shown(30_100),
        shown(80_100),
        shown(63_100),
        x("elsewhere", 3, 1.0, 2.0),
        r#"{"ph":"X","pid":2,"tid":9,"ts":70000,"dur":-4,"name":"draw"}"#,
        meta(1, "Browser"),
        meta(2, "GPU Process"),
    )
}

#[test]
fn a_browsers_frames_are_counted_apart_by_state() {
    let log = log(&browser());
    assert_eq!((log.producer.class.as_str(), log.facts["os"].as_str()), ("chromium 148", "Linux"));
    assert_eq!(
        names(&log),
        [
            "Browser/thread 1/PipelineReporter, layer tree 1, process 1",
            "GPU Process/thread 9/Display::FrameDisplayed, process 2",
            "GPU Process/thread 9/draw, process 2"
        ]
    );
    let counts = log.streams[0].counts;
    assert_eq!((counts.presented, counts.displayed(), counts.dropped), (4, 3, 1));
    let interval = cells(&log, "layer tree 1", Quantity::DisplayedInterval);
    assert_eq!(
        interval,
        [Cell::Gap(Gap::NoPrevious), Cell::Gap(Gap::NotDisplayed), Cell::Value(33e3), Cell::Value(17e3)]
    );
    let latency = cells(&log, "layer tree 1", Quantity::PipelineLatency);
    assert_eq!(latency[..2], [Cell::Value(29e3), Cell::Value(43e3)]);
    let displayed = cells(&log, "FrameDisplayed", Quantity::DisplayedInterval);
    assert_eq!(
        displayed,
        [Cell::Gap(Gap::NoPrevious), Cell::Value(33e3), Cell::Value(17e3)],
        "put in order first"
    );
    assert_eq!(log.streams[1].sampling.name(), "every frame");
    assert!(causes(&log).contains("1 of 3 frames shown are partial"), "{}", causes(&log));
    assert!(causes(&log).contains("1 time began with nothing to draw"), "{}", causes(&log));
}

#[test]
fn frames_that_are_shown_together_are_one_display() {
    let log =
        log(&browser().replace("\"ts\":80000}", "\"ts\":63000}").replace("\"ts\":67000}", "\"ts\":60000}"));
    let interval = cells(&log, "layer tree 1", Quantity::DisplayedInterval);
    assert_eq!(interval[2..], [Cell::Value(33e3), Cell::Gap(Gap::NotApplicable)]);
    assert!(causes(&log).contains("1 frame shown at the same moment as another one"), "{}", causes(&log));
}

#[test]
fn scopes_are_the_gpu_processes_and_time_backwards_is_missing() {
    let log = log(&browser());
    assert_eq!(cells(&log, "draw", Quantity::ScopeDuration), [Cell::Gap(Gap::Before)]);
    assert!(causes(&log).contains("1 scope ending before its begin"), "{}", causes(&log));
    assert!(causes(&log).contains("1 scope of other processes than the GPU's left out"), "{}", causes(&log));
}

#[test]
fn encodings_and_line_ends_make_no_difference() {
    let plain = log(&browser());
    assert_eq!(log(&browser().replace('\n', "\r\n")), plain);
    assert_eq!(log(&format!("\u{feff}{}", browser())), plain);
    let wide: Vec<u8> = browser().encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read(&wide, &Options::default()).unwrap(), plain);
}

#[test]
fn members_may_stand_in_any_order_and_ids_be_texts() {
    let text = r#"{"metadata":{"product-version":"9.1"},"traceEvents":[{"name":"a","dur":"x","ts":1,"tid":"main","pid":"p","ph":"X","args":[1]},
        {"ph":"X","ts":3,"dur":2,"name":null}],"more":"\"]}"}"#;
    let log = log(text);
    assert_eq!(names(&log), ["thread main/a", "thread /"]);
    assert_eq!(log.producer.version, "9.1");
    assert_eq!(cells(&log, "main/a", Quantity::ScopeDuration), [Cell::Gap(Gap::NotWritten)]);
}

#[test]
fn damaged_events_take_no_other_with_them() {
    let good = |at: u64| x("a", 1, at as f64, 1.0);
    let bad = [
        r#"{"ph":"X","name":"say "hi"","pid":7,"tid":1,"ts":1,"dur":1}"#,
        r#"{"ph":"X","name":"\ud800","pid":7,"tid":1,"ts":1,"dur":1}"#,
        r#"{"ph":"X","name":"a","name":"b","pid":7,"tid":1,"ts":1,"dur":1}"#,
        r#"{"ph":"X","name":"a","pid":7,"tid":1,"ts":1e400,"dur":1}"#,
        r#"{"ph":"X","name":"a","pid":7,"tid":1,"ts":"soon","dur":1}"#,
        "NaN",
        r#"{"ph":"X","name":"odd"quote","pid":7,"tid":1,"ts":1,"dur":1}"#,
    ];
    for bad in bad {
        let text = format!("[\n{},\n{bad},\n{},\n{}\n]", good(1), good(2), good(3));
        let log = log(&text);
        assert_eq!((log.rows(), log.quarantine.total()), (3, 1), "{bad}");
        assert_eq!(
            (log.quarantine.rows[0].line, log.streams[0].lines.as_slice()),
            (3, &[2, 4, 5][..]),
            "{bad}"
        );
    }
    let one_line = format!("[{},{},{}]", good(1), bad[1], good(2));
    assert_eq!((log(&one_line).rows(), log(&one_line).quarantine.total()), (2, 1));
}

#[test]
fn much_damage_is_refused() {
    let text = format!("[\n{},\n{}", x("a", 1, 1.0, 1.0), "{\"ph\":\"X\" \"\n".repeat(3000));
    assert!(matches!(read(text.as_bytes(), &Options::default()), Err(ReadError::Damaged { .. })));
    let options = Options { most_damaged: 1.0, ..Options::default() };
    assert!(
        matches!(read(text.as_bytes(), &options), Err(ReadError::Damaged { .. })),
        "the rest would go unread"
    );
}

#[test]
fn what_is_no_trace_is_refused_with_its_place() {
    let forced = Options { format: Some(Format::ChromeTrace), ..Options::default() };
    let fault = |text: &str| read(text.as_bytes(), &forced).unwrap_err().to_string();
    assert_eq!(fault("{\"a\":1}"), "line 1: no member traceEvents; allowed: trace events in JSON");
    assert_eq!(
        fault("{\"a\":1,\n\"traceEvents\":{}}"),
        "line 2: traceEvents is no list; allowed: trace events in JSON"
    );
    assert_eq!(
        fault("{\"traceEvents\":[],\"traceEvents\":[]}"),
        "line 1: traceEvents stands twice; allowed: trace events in JSON"
    );
    assert_eq!(fault("[]"), "the trace holds no scope and no frame");
    assert!(fault("x").contains("neither a list of events nor an object"));
    assert!(fault("{\"a").contains("a name without end"));
}

#[test]
fn depth_and_long_texts_do_no_harm() {
    let forced = Options { format: Some(Format::ChromeTrace), ..Options::default() };
    assert!(read("[".repeat(100_000).as_bytes(), &forced).is_err());
    assert!(read("{\"a\":".repeat(100_000).as_bytes(), &forced).is_err());
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let args = format!(r#"{{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1,"args":{deep}}}"#);
    let text =
        format!("[{},\n{args},\n{deep},\n{}]", x("a", 1, 1.0, 1.0), x(&"n".repeat(1 << 19), 1, 2.0, 1.0));
    let log = read(text.as_bytes(), &forced).unwrap();
    assert!(log.rows() >= 2 && log.quarantine.total() >= 1);
    assert!(
        log.streams.iter().all(|stream| stream.id.to_string().len() < 200),
        "names are cut where they are shown"
    );
}

#[test]
fn streams_are_bounded() {
    let events: Vec<String> = (0..5000).map(|at| x(&format!("n{at}"), 1, 1.0, 1.0)).collect();
    let log = log(&format!("[{}]", events.join(",\n")));
    assert_eq!(log.streams.len(), crate::read::MOST_STREAMS);
    assert!(causes(&log).contains("904 events past 4096 streams left out"), "{}", causes(&log));
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0_usize..2500, cut in 0_usize..60) {
        let options = Options { format: Some(Format::ChromeTrace), most_damaged: 1.0, ..Options::default() };
        let _ = read(&bytes, &options);
        for text in [profiler(), browser()] {
            let mut mutated = text.into_bytes();
            let at = at % mutated.len();
            let end = (at + cut).min(mutated.len());
            mutated.splice(at..end, bytes.iter().copied());
            let _ = read(&mutated, &options);
        }
    }

    #[test]
    fn no_json_makes_it_panic(text in "([\\[\\]{},:\"\\\\ \n]|\"(ph|ts|dur|name|id2|args)\":|\"[XBEbeIM]\"|-?[0-9]{1,20}(e[0-9]{1,3})?|null|true){0,120}") {
        let options = Options { format: Some(Format::ChromeTrace), most_damaged: 1.0, ..Options::default() };
        let _ = read(text.as_bytes(), &options);
        let _ = read(format!("[{text}").as_bytes(), &options);
        let _ = read(format!("{{\"traceEvents\":[{text}").as_bytes(), &options);
    }
}
