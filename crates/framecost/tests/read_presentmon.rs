//! The reader of PresentMon's tables on other people's files: counts, identities, one trace in three outputs. The files lie
//! outside of the repository; where they are not, each test says by name that it was left out.

#![allow(missing_docs, clippy::print_stderr, clippy::unwrap_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use framecost::read::{
    Cell, FileUnit, Gap, Log, Options, Quantity, ReadError, Role, Sampling, StreamId, detect, read,
    to_capture,
};

/// The folder of captures, or a word on why the test says nothing.
fn captures(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/captures");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("left out: {test}, since ../shared/captures is not there");
    None
}

fn log_of(folder: &Path, file: &str) -> Log {
    let bytes = std::fs::read(folder.join(file)).unwrap();
    read(&bytes, &Options::default()).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// File, rows, columns, streams, processes, presents never shown, cells that say `NA`.
const COUNTS: &[(&str, u64, usize, usize, usize, u64, usize)] = &[
    ("presentmon/v1.6.0__test_case_0.csv", 381, 15, 11, 11, 17, 0),
    ("presentmon/v1.6.0__test_case_1.csv", 74, 15, 6, 4, 15, 0),
    ("presentmon/v1.6.0__test_case_4.csv", 202, 15, 6, 6, 9, 0),
    ("presentmon/v1.7.1__test_case_0.csv", 367, 18, 11, 11, 9, 0),
    ("presentmon/v1.7.1__test_case_1.csv", 54, 18, 5, 3, 3, 0),
    ("presentmon/v1.7.1__test_case_4.csv", 193, 18, 6, 6, 4, 0),
    ("presentmon/v1.8.0__test_case_0.csv", 367, 18, 10, 10, 9, 0),
    ("presentmon/v1.8.0__test_case_1.csv", 56, 18, 6, 4, 3, 0),
    ("presentmon/v1.8.0__test_case_4.csv", 192, 18, 5, 5, 3, 0),
    ("presentmon/v1.9.2__test_case_0.csv", 366, 22, 10, 10, 9, 0),
    ("presentmon/v1.9.2__test_case_1.csv", 56, 22, 6, 4, 3, 0),
    ("presentmon/v1.9.2__test_case_4.csv", 192, 22, 5, 5, 3, 0),
    ("presentmon/v2.0.1__test_case_0.csv", 357, 18, 10, 10, 8, 0),
    ("presentmon/v2.0.1__test_case_0_v1.csv", 368, 20, 10, 10, 9, 0),
    ("presentmon/v2.0.1__test_case_1.csv", 50, 18, 4, 3, 3, 0),
    ("presentmon/v2.0.1__test_case_1_v1.csv", 56, 20, 6, 4, 3, 0),
    ("presentmon/v2.0.1__test_case_4.csv", 186, 18, 5, 5, 2, 0),
    ("presentmon/v2.0.1__test_case_4_v1.csv", 192, 20, 5, 5, 3, 0),
    ("presentmon/v2.1.1__test_case_0.csv", 357, 21, 10, 10, 8, 381),
    ("presentmon/v2.1.1__test_case_0_v1.csv", 368, 20, 10, 10, 9, 0),
    ("presentmon/v2.1.1__test_case_1.csv", 51, 21, 5, 3, 4, 63),
    ("presentmon/v2.1.1__test_case_1_v1.csv", 57, 20, 6, 4, 4, 0),
    ("presentmon/v2.1.1__test_case_4.csv", 186, 21, 5, 5, 3, 195),
    ("presentmon/v2.1.1__test_case_4_v1.csv", 192, 20, 5, 5, 3, 0),
    ("presentmon/v2.2.0__test_case_0.csv", 357, 22, 10, 10, 8, 738),
    ("presentmon/v2.2.0__test_case_0_v1.csv", 368, 20, 10, 10, 9, 0),
    ("presentmon/v2.2.0__test_case_1.csv", 51, 22, 5, 3, 4, 114),
    ("presentmon/v2.2.0__test_case_1_v1.csv", 57, 20, 6, 4, 4, 0),
    ("presentmon/v2.2.0__test_case_4.csv", 186, 22, 5, 5, 3, 381),
    ("presentmon/v2.2.0__test_case_4_v1.csv", 192, 20, 5, 5, 3, 0),
    ("presentmon/v2.3.1__test_case_0.csv", 357, 31, 10, 10, 8, 1818),
    ("presentmon/v2.3.1__test_case_0_v1.csv", 368, 20, 10, 10, 9, 0),
    ("presentmon/v2.3.1__test_case_0_v2.csv", 357, 25, 10, 10, 8, 1103),
    ("presentmon/v2.3.1__test_case_1.csv", 50, 31, 4, 3, 3, 263),
    ("presentmon/v2.3.1__test_case_1_v1.csv", 56, 20, 6, 4, 3, 0),
    ("presentmon/v2.3.1__test_case_1_v2.csv", 50, 25, 4, 3, 3, 162),
    ("presentmon/v2.3.1__test_case_4.csv", 186, 31, 5, 5, 2, 939),
    ("presentmon/v2.3.1__test_case_4_v1.csv", 192, 20, 5, 5, 3, 0),
    ("presentmon/v2.3.1__test_case_4_v2.csv", 186, 25, 5, 5, 3, 568),
    ("presentmon/v2.5.1__test_case_0.csv", 357, 32, 10, 10, 8, 2185),
    ("presentmon/v2.5.1__test_case_0_v1.csv", 368, 21, 10, 10, 9, 0),
    ("presentmon/v2.5.1__test_case_0_v2.csv", 357, 26, 10, 10, 8, 1470),
    ("presentmon/v2.5.1__test_case_1.csv", 50, 32, 4, 3, 3, 317),
    ("presentmon/v2.5.1__test_case_1_v1.csv", 56, 21, 6, 4, 3, 0),
    ("presentmon/v2.5.1__test_case_1_v2.csv", 50, 26, 4, 3, 3, 216),
    ("presentmon/v2.5.1__test_case_4.csv", 186, 32, 5, 5, 2, 1131),
    ("presentmon/v2.5.1__test_case_4_v1.csv", 192, 21, 5, 5, 3, 0),
    ("presentmon/v2.5.1__test_case_4_v2.csv", 186, 26, 5, 5, 3, 760),
    ("capframex/PresentMon-2019-09-29T145423.csv", 3429, 15, 3, 3, 22, 0),
    ("capframex/ShortFile.csv", 5, 15, 1, 1, 0, 0),
];

#[test]
fn every_file_has_the_counts_that_are_known_of_it() {
    let Some(folder) = captures("every_file_has_the_counts_that_are_known_of_it") else { return };
    for &(file, rows, columns, streams, processes, dropped, na) in COUNTS {
        let log = log_of(&folder, file);
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let of_file = log.columns.iter().filter(|column| !column.name.contains('+')).count();
        let seen: BTreeSet<_> = log.streams.iter().map(|stream| stream.id.process).collect();
        let never_shown: u64 = log.streams.iter().map(|stream| stream.counts.dropped).sum();
        assert_eq!(log.quarantine.total(), 0, "{file}: {:?}", log.quarantine);
        assert_eq!(
            (log.rows(), of_file, log.streams.len(), seen.len(), never_shown),
            (rows, columns, streams, processes, dropped),
            "{file}: rows, columns, streams, processes, dropped"
        );
        assert_eq!(text.split([',', '\n', '\r']).filter(|field| *field == "NA").count(), na, "{file}: NA");
        assert_eq!(cells_without_value(&log, &text), [], "{file}: a missing value became a number");
    }
}

/// Cells whose text is NA and that have a value all the same, by line and column.
fn cells_without_value(log: &Log, text: &str) -> Vec<(u32, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let mut wrong = Vec::new();
    for stream in &log.streams {
        for row in 0..stream.rows() {
            let line = stream.lines[row];
            for (column, field) in lines[line as usize - 1].split(',').enumerate() {
                let is_value = matches!(stream.cell(row, column), Some(Cell::Value(_)));
                if field == "NA" && is_value {
                    wrong.push((line, column));
                }
            }
        }
    }
    wrong
}

#[test]
fn the_version_is_inferred_from_the_header() {
    let Some(folder) = captures("the_version_is_inferred_from_the_header") else { return };
    for (file, version) in [
        ("v1.6.0__test_case_0", "1.0 to 1.6"),
        ("v1.7.1__test_case_0", "1.7"),
        ("v1.8.0__test_case_0", "1.8, or later without GPU and input"),
        ("v1.9.2__test_case_0", "1.9 to 1.10, or 2.x with v1 metrics"),
        ("v2.2.0__test_case_0_v1", "1.9 to 1.10, or 2.x with v1 metrics"),
        ("v2.5.1__test_case_0_v1", "2.4 or later with v1 metrics"),
        ("v2.0.1__test_case_0", "2.0"),
        ("v2.1.1__test_case_0", "2.1"),
        ("v2.2.0__test_case_0", "2.2"),
        ("v2.3.1__test_case_0_v2", "2.3 or later with v2 metrics"),
        ("v2.5.1__test_case_0_v2", "2.3 or later with v2 metrics"),
        ("v2.3.1__test_case_0", "2.3.1 or later"),
        ("v2.5.1__test_case_0", "2.3.1 or later"),
    ] {
        assert_eq!(log_of(&folder, &format!("presentmon/{file}.csv")).producer.version, version, "{file}");
    }
}

#[test]
fn a_file_without_its_time_is_refused_by_the_columns_name() {
    let Some(folder) = captures("a_file_without_its_time_is_refused_by_the_columns_name") else { return };
    let bytes = std::fs::read(folder.join("capframex/InvalidColumnFile.csv")).unwrap();
    let fault = read(&bytes, &Options::default()).unwrap_err();
    assert!(
        fault.to_string().starts_with(
            "presentmon (1.0 to 1.6): column TimeInSeconds missing; the header has Application, "
        ),
        "{fault}"
    );
}

/// Frames of a file by process, swap chain and present time in ticks, with their present-to-present interval in ms.
fn presents(log: &Log) -> BTreeMap<(Option<u64>, Option<u64>, i64), f64> {
    let frequency = log.columns.iter().find_map(|column| match column.unit {
        FileUnit::Ticks(frequency) => frequency,
        _ => None,
    });
    let frequency = frequency.unwrap();
    let place = |quantity| log.quantity(quantity).map(|it| it.0);
    let counter = log.columns.iter().rposition(|column| {
        matches!(column.unit, FileUnit::Ticks(_)) && matches!(column.role, Role::PresentTime(_))
    });
    let start = log.columns.iter().position(|column| matches!(column.role, Role::StartTime(_)));
    let mut found = BTreeMap::new();
    for stream in &log.streams {
        for row in 0..stream.rows() {
            let value = |column: Option<usize>| stream.cell(row, column?)?.value();
            // Version 2's tables have no present time; it lies as much after the start as the CPU was busy.
            let busy = || value(place(Quantity::CpuBusy)).unwrap_or(0.0);
            let ticks = value(counter).or_else(|| Some(value(start)? + busy() * frequency / 1e3)).unwrap();
            #[allow(clippy::cast_possible_truncation, reason = "ticks are whole")]
            let key = (stream.id.process, stream.id.swap_chain, ticks.round() as i64);
            let interval = value(place(Quantity::PresentedInterval)).unwrap_or(f64::NAN);
            assert!(found.insert(key, interval).is_none(), "two frames at one time");
        }
    }
    found
}

#[test]
fn three_outputs_of_one_trace_are_the_same_frames() {
    let Some(folder) = captures("three_outputs_of_one_trace_are_the_same_frames") else { return };
    for version in ["v2.3.1", "v2.5.1"] {
        for case in [0, 1, 4] {
            let of = |output: &str| {
                log_of(&folder, &format!("presentmon/{version}__test_case_{case}{output}.csv"))
            };
            let (plain, v1, v2) = (presents(&of("")), presents(&of("_v1")), presents(&of("_v2")));
            let of_v1: Vec<_> = plain.iter().filter(|(key, _)| v1.contains_key(*key)).collect();
            assert_eq!(
                of_v1.len(),
                plain.len(),
                "{version} case {case}: frames of the default output that v1 lacks"
            );
            for (key, interval) in of_v1 {
                assert!(
                    (v1[key] - interval).abs() < 1e-9,
                    "{version} case {case}: {key:?}: {interval} against {}",
                    v1[key]
                );
            }
            let common = plain.keys().filter(|key| v2.contains_key(*key)).count();
            assert_eq!(common, plain.len().min(v2.len()), "{version} case {case}: frames that v2 lacks");
        }
    }
}

#[test]
fn identities_hold_across_outputs_of_one_trace() {
    let Some(folder) = captures("identities_hold_across_outputs_of_one_trace") else { return };
    for version in ["v2.3.1", "v2.5.1"] {
        for case in [0, 1, 4] {
            let of = |output: &str| {
                log_of(&folder, &format!("presentmon/{version}__test_case_{case}{output}.csv"))
            };
            let (plain, v1) = (of(""), of("_v1"));
            let checked = check_against_v1(&plain, &v1);
            assert!(checked > 20, "{version} case {case}: only {checked} frames were checked");
        }
    }
}

/// What the default output and v1 metrics say of one frame, by quantity; the number of frames compared.
fn check_against_v1(plain: &Log, v1: &Log) -> usize {
    let time = |log: &Log| {
        log.columns.iter().rposition(|column| matches!(column.role, Role::PresentTime(_))).unwrap()
    };
    let ticks = |log: &Log| {
        let mut rows: BTreeMap<(StreamId, u64), (usize, usize)> = BTreeMap::new();
        for (at, stream) in log.streams.iter().enumerate() {
            for row in 0..stream.rows() {
                let ticks = stream.cells[rposition_of_counter(log)].get(row).and_then(Cell::value).unwrap();
                rows.insert((stream.id.clone(), ticks.to_bits()), (at, row));
            }
        }
        rows
    };
    assert!(time(plain) < plain.columns.len());
    let (ours, theirs) = (ticks(plain), ticks(v1));
    let mut checked = 0;
    for (key, &(at, row)) in &ours {
        let Some(&(at_v1, row_v1)) = theirs.get(key) else { continue };
        let value = |quantity| plain.streams[at].cell(row, plain.quantity(quantity)?.0)?.value();
        let value_v1 = |quantity| v1.streams[at_v1].cell(row_v1, v1.quantity(quantity)?.0)?.value();
        let same = |a: Option<f64>, b: Option<f64>, what: &str| {
            if let (Some(a), Some(b)) = (a, b) {
                assert!((a - b).abs() < 2e-4, "{what} of {key:?}: {a} against {b}");
            } else {
                assert_eq!(a.is_some(), b.is_some(), "{what} of {key:?}: {a:?} against {b:?}");
            }
        };
        same(
            value(Quantity::UntilRenderComplete),
            value_v1(Quantity::UntilRenderComplete),
            "render present latency",
        );
        same(value(Quantity::UntilDisplayed), value_v1(Quantity::UntilDisplayed), "until displayed");
        let (latency, busy) = (Quantity::GpuLatency, value(Quantity::CpuBusy).unwrap_or(0.0));
        let start_v1 = value_v1(Quantity::UntilRenderStart);
        match plain.streams[at].cell(row, plain.quantity(latency).unwrap().0).unwrap() {
            Cell::Value(latency) => same(Some(latency - busy), start_v1, "until render start"),
            // Where the GPU started before the CPU did, the tool writes 0: no latency was measured.
            Cell::Gap(Gap::Before) => assert!(start_v1.unwrap() <= -busy + 2e-4, "{key:?}"),
            Cell::Gap(gap) => assert_eq!((gap, start_v1), (Gap::Unknown, None), "{key:?}"),
        }
        checked += 1;
    }
    checked
}

fn rposition_of_counter(log: &Log) -> usize {
    let counter = |column: &framecost::read::Column| {
        matches!((column.unit, column.role), (FileUnit::Ticks(_), Role::PresentTime(_)))
    };
    log.columns.iter().rposition(counter).unwrap()
}

#[test]
fn the_identities_of_one_row_hold() {
    let Some(folder) = captures("the_identities_of_one_row_hold") else { return };
    for (file, ..) in COUNTS {
        let log = log_of(&folder, file);
        let place = |quantity| log.quantity(quantity).map(|it| it.0);
        for stream in &log.streams {
            for row in 0..stream.rows() {
                let value = |quantity| stream.cell(row, place(quantity)?)?.value();
                let sum = |a, b, whole, what: &str| {
                    if let (Some(a), Some(b), Some(whole)) = (value(a), value(b), value(whole)) {
                        assert!(
                            (a + b - whole).abs() < 1.5e-4,
                            "{file}, line {}: {what}: {a} + {b} = {whole}",
                            stream.lines[row]
                        );
                    }
                };
                sum(Quantity::CpuBusy, Quantity::CpuWait, Quantity::FrameInterval, "frame");
                sum(Quantity::GpuBusy, Quantity::GpuWait, Quantity::GpuTime, "GPU");
                sum(Quantity::CpuBusy, Quantity::UntilDisplayed, Quantity::DisplayLatency, "display");
            }
        }
    }
}

#[test]
fn the_counters_frequency_is_recovered_and_every_frame_found() {
    let Some(folder) = captures("the_counters_frequency_is_recovered_and_every_frame_found") else { return };
    for (file, ..) in COUNTS {
        let log = log_of(&folder, file);
        for column in &log.columns {
            if let FileUnit::Ticks(frequency) = column.unit {
                assert_eq!(frequency, Some(10e6), "{file}: {}", column.name);
            }
        }
        let largest = log.streams.iter().max_by_key(|stream| stream.counts.presented).unwrap();
        assert!(
            matches!(largest.sampling, Sampling::EveryFrame { .. }),
            "{file}: {}: {}",
            largest.id,
            largest.sampling
        );
    }
}

#[test]
fn streams_are_listed_and_the_compositor_never_chosen_silently() {
    let Some(folder) = captures("streams_are_listed_and_the_compositor_never_chosen_silently") else {
        return;
    };
    let log = log_of(&folder, "presentmon/v2.5.1__test_case_1.csv");
    let fault = log.choose(None).unwrap_err();
    assert!(matches!(fault, ReadError::Stream(_)));
    let text = fault.to_string();
    for stream in ["dwm.exe, process 1564, swap chain 0x2408E0B7CA0 (25 rows)", "Presenter.exe", "devenv.exe"]
    {
        assert!(text.contains(stream), "{text}");
    }
    assert_eq!(log.choose(Some("presenter.exe")).unwrap().id.process, Some(24560));
    assert!(log.choose(Some("dwm.exe")).unwrap_err().to_string().contains("names 2 streams"));
    assert_eq!(log.choose(Some("0x2408e0b7ca0")).unwrap().counts.presented, 25);
}

#[test]
fn each_stream_becomes_a_capture() {
    let Some(folder) = captures("each_stream_becomes_a_capture") else { return };
    for (file, ..) in COUNTS {
        let log = log_of(&folder, file);
        for stream in &log.streams {
            let capture = to_capture(&log, stream, &framecost::read::CaptureOptions::default())
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(capture.frames.len(), stream.rows());
            assert_eq!(capture.key.backend, "presentmon");
        }
    }
}

#[test]
fn copies_in_every_encoding_read_alike() {
    let Some(folder) = captures("copies_in_every_encoding_read_alike") else { return };
    let bytes = std::fs::read(folder.join("presentmon/v2.3.1__test_case_1.csv")).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let text = text.trim_start_matches('\u{feff}');
    let utf16: Vec<u8> = [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let crlf = text.replace('\n', "\r\n").into_bytes();
    let marked = format!("\u{feff}{text}").into_bytes();
    let read = |bytes: &[u8]| {
        let mut log = read(bytes, &Options::default()).unwrap();
        log.producer.evidence.clear();
        log
    };
    let plain = read(text.as_bytes());
    for copy in [utf16, crlf, marked, text.trim_end().as_bytes().to_vec()] {
        assert_eq!(detect(&copy).unwrap(), plain.format);
        assert!(read(&copy) == plain, "a copy reads otherwise");
    }
}

#[test]
fn rows_typed_from_a_file_on_the_web_are_read() {
    let Some(folder) = captures("rows_typed_from_a_file_on_the_web_are_read") else { return };
    let log = log_of(&folder, "excerpts/PresentMon1.x_csgo.EXCERPT.csv");
    let place = log.columns.iter().position(|column| column.name == "SyncInterval").unwrap();
    assert_eq!(log.streams[0].cell(0, place), Some(Cell::Value(-1.0)));
    assert_eq!(log.producer.version, "1.0 to 1.6");
}

#[test]
fn first_frames_have_no_animation_error() {
    let Some(folder) = captures("first_frames_have_no_animation_error") else { return };
    for file in ["presentmon/v2.1.1__test_case_0.csv", "presentmon/v2.3.1__test_case_0.csv"] {
        let log = log_of(&folder, file);
        let place = log.quantity(Quantity::AnimationError).unwrap().0;
        let firsts =
            log.streams.iter().filter(|stream| stream.tallies[place].gap(Gap::NoPrevious) == 1).count();
        assert!(firsts > 1, "{file}: {firsts} streams");
    }
}
