//! The reader of Afterburner's logs on small inputs of our own.

use proptest::prelude::*;

use crate::read::log::{Cell, Gap, Role};
use crate::read::{CaptureOptions, Format, Options, Quantity, ReadError, Sampling, detect, read, to_capture};

const LOG: &str = "\
00, 01-12-2026 23:59:58, Hardware monitoring log v1.6 \r
01, 01-12-2026 23:59:58, A card\r
02, 01-12-2026 23:59:58, GPU temperature     ,Framerate           ,Frametime           ,,Framerate           \r
03, 01-12-2026 23:59:58,0,\u{b0}C,0,100,10,,,%.0f\r
80, 01-12-2026 23:59:58,61.5                ,100.0               ,10.0                ,,100.0               \r
80, 01-12-2026 23:59:59,N/A                 ,0                   ,0                   ,,\r
80, 02-12-2026 00:00:01,62.0                ,50.0                ,20.0                ,,50.0               \r
";

fn log(text: &str) -> crate::read::Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_log_is_samples_with_padded_and_double_names() {
    assert_eq!(detect(LOG.as_bytes()), Ok(Format::Afterburner));
    let log = log(LOG);
    let names: Vec<&str> = log.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["date and time", "GPU temperature", "Framerate", "Frametime", "Framerate"]);
    assert_eq!(log.columns[4].role, Role::Other, "only the first of a name is judged");
    assert_eq!(log.columns[1].evidence.as_deref(), Some("the file says that its unit is `\u{b0}C`"));
    let stream = &log.streams[0];
    let time = |row| stream.cell(row, 0).and_then(Cell::value);
    assert_eq!([time(0), time(1), time(2)], [86_398e9, 86_399e9, 86_401e9].map(Some), "over midnight");
    assert_eq!(stream.cell(1, 1), Some(Cell::Gap(Gap::NotWritten)));
    assert_eq!(stream.cell(1, 3), Some(Cell::Gap(Gap::Unknown)), "0 without an application");
    assert_eq!(stream.cell(1, 4), Some(Cell::Gap(Gap::NotWritten)));
    assert_eq!(log.facts["gpu"], "A card");
    assert_eq!((log.producer.class.as_str(), stream.counts.unsaid), ("afterburner v1.6", 3));
}

#[test]
fn samples_are_samples_even_where_their_sum_fits() {
    assert!(matches!(log(LOG).streams[0].sampling, Sampling::Sampled { .. }));
    let slow = LOG.replace(" 10.0 ", " 1000.0 ").replace(",20.0  ", ",2000.0");
    let slow = slow.replace(",0                   ,0                   ,,", ",1,1000,,");
    let log = log(&slow);
    let stream = &log.streams[0];
    assert!(matches!(stream.sampling, Sampling::Sampled { ratio } if ratio > 0.9), "{}", stream.sampling);
    assert!(log.findings.iter().any(|it| it.remedy.contains("percentiles of samples")), "{:?}", log.findings);
    assert!(
        to_capture(&log, stream, &CaptureOptions::default())
            .unwrap()
            .key
            .instrumentation
            .0
            .contains("sampled")
    );
}

#[test]
fn samples_without_frame_times_are_still_called_samples() {
    let log = log(&LOG.replace("Frametime", "Zeit     "));
    let told = log.streams[0].sampling.to_string();
    assert_eq!(told, "untold: samples taken by a timer: rows have no time or no frame time");
}

#[test]
fn a_second_session_is_a_stream_of_its_own_with_its_own_columns() {
    let other = "00, 02-12-2026 10:00:00, Hardware monitoring log v1.6\n02, 02-12-2026 10:00:00, Frametime,Power\n80, 02-12-2026 10:00:00,8.0,90\n";
    let log = log(&format!("{LOG}{other}"));
    let ids: Vec<&str> = log.streams.iter().map(|stream| stream.id.application.as_str()).collect();
    assert_eq!(ids, ["samples (session 1)", "samples (session 2)"]);
    let interval = log.quantity(Quantity::PresentedInterval).unwrap().0;
    assert_eq!(log.streams[1].cell(0, interval), Some(Cell::Value(8.0)));
    assert_eq!(log.streams[0].cell(0, 5), None, "the other session's column");
    assert_eq!(log.streams[1].cell(0, 1), None);
}

#[test]
fn bytes_of_a_localised_system_are_read_and_said() {
    let bytes: Vec<u8> = LOG.chars().map(|c| c as u8).collect();
    let log = read(&bytes, &Options::default()).unwrap();
    assert!(log.findings.iter().any(|it| it.cause.contains("Windows-1252")), "{:?}", log.findings);
    assert_eq!(log.columns[1].evidence.as_deref(), Some("the file says that its unit is `\u{b0}C`"));
}

#[test]
fn damage_is_set_aside_with_its_place() {
    let bad = "80, 2026-12-02 00:00,1,2,3,,\n80, 02-12-2026 00:00:02,1,2,fast,,\n80, 02-12-2026 00:00:02,1,2,3,4,5,6\n80, 02-12-2026 00:00:02\n7, what\n";
    let log = log(&format!("{LOG}{bad}"));
    let told: Vec<String> = log.quarantine.rows.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "line 8, column 2: date and time is `2026-12-02 00:00`; allowed: such as `31-01-2026 09:05:00`",
            "line 9, column 5: Frametime is `fast`; allowed: a number, `N/A`",
            "line 10: 8 fields; allowed: 7",
            "line 11: 2 fields; allowed: 7",
        ]
    );
    assert!(
        log.findings.iter().any(|it| it.cause == "1 line of an unknown type left out"),
        "{:?}",
        log.findings
    );
    let empty = read(b"0, x, Hardware monitoring log v1\n", &Options::default());
    assert!(matches!(empty, Err(ReadError::Empty(_))));
}

#[test]
fn the_excerpt_of_a_real_log_is_read() {
    let path = "../../../shared/captures/excerpts/Afterburner_RE3_Windows.EXCERPT.hml.csv";
    let Ok(bytes) = std::fs::read(path) else {
        eprintln!("left out: the_excerpt_of_a_real_log_is_read, {path} is absent");
        return;
    };
    let log = read(&bytes, &Options::default()).unwrap();
    assert_eq!((log.format, log.rows(), log.quarantine.total()), (Format::Afterburner, 4, 0));
    assert_eq!(log.streams[0].sampling.name(), "sampled");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), at in 0..LOG.len(), cut in 0_usize..40) {
        let options = Options { format: Some(Format::Afterburner), most_damaged: 1.0, ..Options::default() };
        let _ = read(&bytes, &options);
        let mut mutated = LOG.as_bytes().to_vec();
        let end = (at + cut).min(mutated.len());
        mutated.splice(at..end, bytes);
        let _ = read(&mutated, &options);
    }
}
