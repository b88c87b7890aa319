//! The reader of Android's frame statistics on small inputs of our own.

use proptest::prelude::*;

use crate::read::log::{Cell, Gap, Log, Stream};
use crate::read::{CaptureOptions, Format, Options, Quantity, ReadError, detect, read, to_capture};

const OLD: &str = "Flags,IntendedVsync,Vsync,OldestInputEvent,NewestInputEvent,HandleInputStart,SwapBuffers,FrameCompleted,";
const NEW: &str = "Flags,FrameTimelineVsyncId,IntendedVsync,Vsync,InputEventId,HandleInputStart,FrameInterval,FrameDeadline,SwapBuffers,FrameCompleted,GpuCompleted,CommandSubmissionCompleted,";

fn old_row(flags: u64, vsync: u64, total: u64) -> String {
    format!(
        "{flags},{vsync},{vsync},9223372036854775807,0,{},{},{},\n",
        vsync + 1000,
        vsync + total - 500,
        vsync + total
    )
}

fn dump(window: &str, header: &str, rows: &str) -> String {
    format!(
        "Applications Graphics Acceleration Info:\n\n** Graphics info for pid 77 [com.example.game] **\n\nWindow: {window}\nStats since: 1ns\n---PROFILEDATA---\n{header}\n{rows}---PROFILEDATA---\n\n"
    )
}

fn log(text: &str) -> Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn cells(log: &Log, stream: &Stream, quantity: Quantity) -> Vec<Cell> {
    let column = log.quantity(quantity).unwrap_or_else(|| panic!("no {}", quantity.name())).0;
    stream.cells[column].iter().collect()
}

fn causes(log: &Log) -> String {
    log.findings.iter().map(|finding| format!("{}\n", finding.cause)).collect()
}

const MS: u64 = 1_000_000;

#[test]
fn sentinels_never_become_durations_performance_samples_144() {
    let rows = old_row(0, 100 * MS, 9 * MS)
        + "0,120000000,120000000,9223372036854775807,0,1,0,9223372036854775807,\n";
    let text = dump("com.example.game/Main", OLD, &rows);
    assert_eq!(detect(text.as_bytes()), Ok(Format::Gfxinfo));
    let log = log(&text);
    let stream = &log.streams[0];
    assert_eq!(stream.id.to_string(), "com.example.game/Main, process 77");
    let total = cells(&log, stream, Quantity::FrameTotal);
    assert_eq!(total, [Cell::Value(9e6), Cell::Gap(Gap::Unknown)]);
    let interval = cells(&log, stream, Quantity::VsyncInterval);
    assert_eq!(interval, [Cell::Gap(Gap::NoPrevious), Cell::Value(20e6)]);
    let input = log.columns.iter().position(|it| it.name == "OldestInputEvent").unwrap();
    assert_eq!(stream.cell(0, input), Some(Cell::Gap(Gap::NoInput)));
    let most = stream.tallies.iter().filter_map(|tally| tally.most).fold(0.0, f64::max);
    assert!(most < 1e9, "{most}");
    assert!(to_capture(&log, stream, &CaptureOptions::default()).is_ok());
    assert_eq!(log.producer.version, "6 or 7");
}

#[test]
fn overlapping_dumps_are_joined_once_by_vsync() {
    let rows = |range: std::ops::Range<u64>| {
        range.map(|at| old_row(0, (100 + 16 * at) * MS, 5 * MS)).collect::<String>()
    };
    let text = dump("w", OLD, &rows(0..10)) + &dump("w", OLD, &rows(6..14)) + &dump("v", OLD, &rows(0..2));
    let log = log(&text);
    let counts: Vec<usize> = log.streams.iter().map(Stream::rows).collect();
    assert_eq!(counts, [14, 2]);
    assert!(causes(&log).contains("4 frames met in several dumps, counted once"), "{}", causes(&log));
    assert_eq!(log.streams[0].sampling.name(), "every frame");
    assert!(!causes(&log).contains("may be lost"));
}

#[test]
fn dumps_that_share_no_frame_leave_a_gap_that_is_no_interval() {
    let rows = |range: std::ops::Range<u64>| {
        range.map(|at| old_row(0, (100 + 16 * at) * MS, 5 * MS)).collect::<String>()
    };
    let log = log(&(dump("w", OLD, &rows(0..10)) + &dump("w", OLD, &rows(40..50))));
    let stream = &log.streams[0];
    let interval = cells(&log, stream, Quantity::VsyncInterval);
    assert_eq!(
        (interval[9], interval[10], interval[11]),
        (Cell::Value(16e6), Cell::Gap(Gap::NoPrevious), Cell::Value(16e6))
    );
    assert_eq!(stream.sampling.name(), "gaps");
    assert!(causes(&log).contains("1 dump shares no frame with the dumps before"), "{}", causes(&log));
}

#[test]
fn flagged_rows_are_left_out_and_counted() {
    let text = old_row(1, 100 * MS, 90 * MS) + &old_row(0, 116 * MS, 5 * MS);
    let log = log(&dump("w", OLD, &text));
    assert_eq!(log.rows(), 1);
    assert!(causes(&log).contains("1 frame with flags left out"), "{}", causes(&log));
    assert_eq!(cells(&log, &log.streams[0], Quantity::VsyncInterval), [Cell::Value(16e6)]);
    let all = dump("w", OLD, &old_row(1, 100 * MS, 90 * MS));
    assert!(matches!(read(all.as_bytes(), &Options::default()), Err(ReadError::Empty(_))));
}

#[test]
fn lateness_is_by_the_systems_deadline_not_by_16_ms_firebase_3386() {
    // A display of 120 Hz: 12 ms are late there; and one of 30 Hz, where they are not.
    let row = |at: u64, deadline: u64| {
        let vsync = at * MS;
        format!(
            "0,9,{vsync},{vsync},0,{vsync},8333333,{},{},{},{},{},\n",
            vsync + deadline * MS,
            vsync + 8 * MS,
            vsync + 12 * MS,
            vsync + 14 * MS,
            vsync + 9 * MS
        )
    };
    let text =
        dump("w", NEW, &(row(100, 11) + &row(108, 33) + &row(117, 0).replace("117000000,8000000", "x")));
    let log = log(&text);
    let stream = &log.streams[0];
    assert_eq!(cells(&log, stream, Quantity::DeadlineMargin)[..2], [Cell::Value(-1e6), Cell::Value(21e6)]);
    assert_eq!(
        cells(&log, stream, Quantity::GpuCompletion)[0],
        Cell::Value(5e6),
        "from the end of the submission"
    );
    assert!(causes(&log).contains("2 of 3 frames missed the deadline"), "{}", causes(&log));
    assert_eq!(log.producer.version, "12 to 15");
}

#[test]
fn columns_are_found_by_name_in_any_order() {
    let header = "FrameCompleted,Flags,Whatever,IntendedVsync,";
    let log = log(&dump("w", header, "109000000,0,7,100000000,\n"));
    assert_eq!(cells(&log, &log.streams[0], Quantity::FrameTotal), [Cell::Value(9e6)]);
    let fault =
        read(dump("w", "Flags,Vsync,", "0,1,\n").as_bytes(), &Options::default()).unwrap_err().to_string();
    assert_eq!(
        fault,
        "gfxinfo, line 8: columns intendedvsync, framecompleted missing; the header has Flags, Vsync"
    );
}

#[test]
fn windows_are_told_by_either_line_that_names_them() {
    let rows = old_row(0, 100 * MS, 9 * MS);
    let block =
        |name: &str| format!("\t{name} (visibility=0)\n---PROFILEDATA---\n{OLD}\n{rows}---PROFILEDATA---\n");
    let log = log(&format!(
        "Profile data in ms:\n\n{}{}",
        block("a/b/ViewRootImpl@1"),
        block("a/b/ViewRootImpl@2")
    ));
    let names: Vec<String> = log.streams.iter().map(|stream| stream.id.to_string()).collect();
    assert_eq!(names, ["a/b/ViewRootImpl@1", "a/b/ViewRootImpl@2"]);
}

#[test]
fn line_ends_and_marks_make_no_difference() {
    let text = dump("w", OLD, &(old_row(0, 100 * MS, 9 * MS) + &old_row(0, 116 * MS, 9 * MS)));
    let plain = log(&text);
    assert_eq!(log(&text.replace('\n', "\r\n")), plain);
    assert_eq!(log(&format!("\u{feff}{text}")), plain);
}

#[test]
fn a_file_that_ends_inside_a_block_is_read_and_said() {
    let text = dump("w", OLD, &old_row(0, 100 * MS, 9 * MS));
    let cut = &text[..text.rfind("---PROFILEDATA---").unwrap()];
    let log = log(cut);
    assert_eq!(log.rows(), 1);
    assert!(causes(&log).contains("it ends inside a block of frames"), "{}", causes(&log));
}

#[test]
fn dumps_of_two_releases_are_refused() {
    let text = dump("w", OLD, &old_row(0, 100 * MS, 9 * MS)) + &dump("w", NEW, "");
    let fault = read(text.as_bytes(), &Options::default()).unwrap_err().to_string();
    assert_eq!(fault, "line 19: the block's columns are not those of line 8; allowed: dumps of one device");
}

#[test]
fn damage_is_set_aside_with_its_place_and_time_backwards_is_missing() {
    let rows = old_row(0, 100 * MS, 9 * MS)
        + "0,1,\n0,x,1,1,1,1,1,1,\n0,0,1,1,1,1,1,1,\n0,200000000,1,1,1,1,1,100000000,\n";
    let log = log(&dump("w", OLD, &rows));
    let told: Vec<String> = log.quarantine.rows.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 10: 2 fields; allowed: 8",
            "line 11, column 2: IntendedVsync is `x`; allowed: a whole number",
            "line 12, column 2: IntendedVsync is `0`; allowed: a moment",
        ]
    );
    assert_eq!(cells(&log, &log.streams[0], Quantity::FrameTotal)[1], Cell::Gap(Gap::Before));
}

#[test]
fn the_excerpt_of_a_real_dump_is_read() {
    let path = "../../../shared/captures/excerpts/gfxinfo_framestats_api23-28.EXCERPT.txt";
    let Ok(bytes) = std::fs::read(path) else {
        eprintln!("left out: the_excerpt_of_a_real_dump_is_read, {path} is absent");
        return;
    };
    let log = read(&bytes, &Options::default()).unwrap();
    assert_eq!((log.format, log.rows(), log.quarantine.total()), (Format::Gfxinfo, 2, 0));
    let total: Vec<Cell> = cells(&log, &log.streams[0], Quantity::FrameTotal);
    assert!(total.iter().all(|cell| cell.value().is_some_and(|nanos| nanos < 20e6)), "{total:?}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0_usize..500, cut in 0_usize..60) {
        let options = Options { format: Some(Format::Gfxinfo), most_damaged: 1.0, ..Options::default() };
        let _ = read(&bytes, &options);
        let mut mutated = dump("w", OLD, &(old_row(0, 100 * MS, 9 * MS) + &old_row(0, 116 * MS, 9 * MS))).into_bytes();
        let at = at.min(mutated.len());
        let end = (at + cut).min(mutated.len());
        mutated.splice(at..end, bytes);
        let _ = read(&mutated, &options);
    }
}
