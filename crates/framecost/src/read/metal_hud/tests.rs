//! The reader of Metal's log lines on small inputs of our own.

use proptest::prelude::*;

use crate::read::log::{Cell, Gap, Log};
use crate::read::{Format, Options, Quantity, detect, read};

fn log(text: &str) -> Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn causes(log: &Log) -> String {
    log.findings.iter().map(|finding| format!("{}\n", finding.cause)).collect()
}

const LINES: &str = "\
2026-12-01 10:00:00.000 other[9:9] starting
2026-12-01 10:00:00.100 game[41:2768] metal-HUD: 10,21.5,140.25,8.0,3.5,8.5,0.00,16.0,4.0
2026-12-01 10:00:00.600 game[41:2768] metal-HUD: 13,21.5,140.25,8.25,3.25,8.5,3.0
";

#[test]
fn pairs_are_frames_and_zero_gpu_time_is_none() {
    assert_eq!(detect(LINES.as_bytes()), Ok(Format::MetalHud));
    let log = log(LINES);
    let stream = &log.streams[0];
    assert_eq!(stream.id.to_string(), "game, process 41");
    assert_eq!((stream.rows(), stream.counts.unsaid), (5, 5));
    let interval: Vec<Cell> =
        stream.cells[log.quantity(Quantity::PresentedInterval).unwrap().0].iter().collect();
    assert_eq!(interval, [8.0, 8.5, 16.0, 8.25, 8.5].map(Cell::Value));
    let gpu = log.quantity(Quantity::GpuFrame).unwrap().0;
    assert_eq!(stream.cell(1, gpu), Some(Cell::Gap(Gap::Unknown)));
    assert_eq!(stream.lines, [2, 2, 2, 3, 3]);
    assert_eq!(stream.cell(3, 3), Some(Cell::Value(21.5)), "once a line");
    assert_eq!(stream.cell(4, 3), Some(Cell::Gap(Gap::NotApplicable)));
    assert_eq!(causes(&log), "");
    assert!(stream.sampling.to_string().contains("by the frame counter 5 of 5 frames are there"));
}

#[test]
fn duplicates_and_overlaps_count_once_and_processes_stay_apart() {
    let more = "game[41:2768] metal-HUD: 10,21.5,140.25,8.0,3.5,8.5,0.00,16.0,4.0\n\
                game[41:9999] metal-HUD: 12,22,141,16.0,4.0,8.25,3.25\n\
                game[42:1] metal-HUD: 10,21.5,140.25,9.0,3.5\n\
                metal-HUD: 1,2,3,4,5\n";
    let log = log(&format!("{LINES}{more}"));
    let rows: Vec<(String, usize)> = log.streams.iter().map(|it| (it.id.to_string(), it.rows())).collect();
    let expected = [("game, process 41", 5), ("game, process 42", 1), ("process not said", 1)];
    assert_eq!(rows, expected.map(|(name, rows)| (name.to_owned(), rows)));
    assert!(causes(&log).contains("5 frames met in several lines, counted once"), "{}", causes(&log));
    assert!(!causes(&log).contains("different times"));
}

#[test]
fn a_frame_with_two_times_is_said_and_the_earlier_line_kept() {
    let log = log(&format!("{LINES}game[41:2768] metal-HUD: 14,0,0,99.0,3.0\n"));
    assert!(causes(&log).contains("with different times, the first on line 4"), "{}", causes(&log));
    assert_eq!(log.streams[0].cell(4, 1), Some(Cell::Value(8.5)));
}

#[test]
fn gaps_of_the_counter_are_said() {
    let log = log(&format!("{LINES}game[41:2768] metal-HUD: 20,0,0,9.0,3.0\n"));
    assert!(
        causes(&log).contains("5 of 11 frames that the counter counted stand in no line"),
        "{}",
        causes(&log)
    );
}

#[test]
fn private_values_are_missing_with_a_reason() {
    let log = log("a[1:2] metal-HUD: 5,<private>,3,<private>,2.0\na[1:2] metal-HUD: 6,1,2,<private>\n");
    let stream = &log.streams[0];
    assert_eq!(stream.cell(0, 1), Some(Cell::Gap(Gap::NotWritten)));
    assert_eq!(stream.cell(0, 2), Some(Cell::Value(2.0)));
    assert_eq!((stream.rows(), stream.cell(1, 2)), (2, Some(Cell::Gap(Gap::NotWritten))));
    assert!(
        causes(&log).contains("2 lines without all of its values: the system wrote `<private>`"),
        "{}",
        causes(&log)
    );
}

#[test]
fn line_ends_make_no_difference() {
    assert_eq!(log(&LINES.replace('\n', "\r\n")), log(LINES));
}

#[test]
fn damage_is_set_aside_with_its_place() {
    let bad = "a[1:2] metal-HUD: <private>\na[1:2] metal-HUD: 7,1,2,3.0\na[1:2] metal-HUD: 7,1,2,3.0,x\na[1:2] metal-HUD: 7,1,2,1e400,1\n";
    let log = log(&format!("{LINES}{bad}"));
    let told: Vec<String> = log.quarantine.rows.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 4, column 1: the first frame's number is `<private>`; allowed: a whole number",
            "line 5: 4 fields; allowed: 3 and then pairs",
            "line 6, column 5: gpu is `x`; allowed: a number, `<private>`",
            "line 7, column 4: interval is `1e400`; allowed: a number, `<private>`",
        ]
    );
}

#[test]
fn the_excerpt_of_a_real_log_is_read() {
    let path = "../../../shared/captures/excerpts/metal_hud_log.EXCERPT.txt";
    let Ok(bytes) = std::fs::read(path) else {
        eprintln!("left out: the_excerpt_of_a_real_log_is_read, {path} is absent");
        return;
    };
    let log = read(&bytes, &Options::default()).unwrap();
    assert_eq!(
        (log.format, log.streams.len(), log.rows(), log.quarantine.total()),
        (Format::MetalHud, 1, 6, 0)
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0..LINES.len(), cut in 0_usize..40) {
        let options = Options { format: Some(Format::MetalHud), most_damaged: 1.0, ..Options::default() };
        let _ = read(&bytes, &options);
        let mut mutated = LINES.as_bytes().to_vec();
        let end = (at + cut).min(mutated.len());
        mutated.splice(at..end, bytes);
        let _ = read(&mutated, &options);
    }
}
