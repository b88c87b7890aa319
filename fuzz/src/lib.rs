//! What every target does with its bytes. In: bytes, and the name of a format. Out: nothing; a panic, a hang or unbounded memory
//! is the fuzzer's to find.

use framecost::read::{CaptureOptions, Format, Options, detect, read, to_capture};
use framecost::report::{StreamsReport, Style, columns_text, streams_json, streams_text};

/// Reads the bytes as that format and as whatever they look like, and makes captures and texts of what is read.
pub fn check(bytes: &[u8], format: &str) {
    let format = Format::from_name(format);
    assert!(format.is_some(), "the target names a format");
    let _ = detect(bytes);
    for format in [format, None] {
        let Ok(log) = read(bytes, &Options { format, ..Options::default() }) else { continue };
        let report = StreamsReport::of(&log);
        for text in [
            streams_text("fuzzed", &report, &Style::PLAIN),
            columns_text("fuzzed", &report, &Style::PLAIN),
            streams_json(&report),
        ] {
            assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "a control reached a text");
        }
        for stream in log.streams.iter().take(3) {
            assert_eq!(stream.rows() as u64, stream.counts.presented);
            let _ = to_capture(&log, stream, &CaptureOptions::default());
        }
    }
}
