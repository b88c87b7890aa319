//! The readers of delimited formats on bytes that nobody's tool wrote: each ends with a log or an error that names a place, never
//! with a panic, and errors show what a file says escaped and cut.

#![allow(missing_docs, reason = "tests")]

use framecost::read::{
    CaptureOptions, Format, Log, MOST_COLUMNS, Options, Part, Plan, ReadError, decode, detect, read,
    to_capture, whole_lines,
};
use proptest::prelude::*;

const V1: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,Dropped,\
                  TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed";

fn v1_rows(tail: &str) -> String {
    (1..9)
        .map(|i| {
            format!(
                "game.exe,42,0xA0,DXGI,0,0,0,Other,{},{:.6},16.0,16.0,0.5,3.0,12.5{tail}\n",
                i % 2,
                f64::from(i) * 0.016
            )
        })
        .collect()
}

/// A small file of each format, by its name.
fn fixture(format: Format) -> String {
    let frames = |row: &dyn Fn(u32) -> String| (1..9).map(row).collect::<String>();
    match format.name() {
        "capframex-csv" => format!("//GameName=a\n//GPU=b\n{V1}\n{}", v1_rows("")),
        "ocat" => format!(
            "{V1},Motherboard,OS,Processor,System RAM,Base Driver Version,Driver Package,GPU #,GPU,GPU Core Clock (MHz),\
             GPU Memory Clock (MHz),GPU Memory (MB),Comment\n{}warning: 3 events were lost\n",
            v1_rows("").replacen('\n', ",\"m, n\",o,p,s,d,k,1,g,1,2,3,c\n", 1)
        ),
        "frameview" => format!("{V1},GPU0Clk(MHz),Resolution\n{}", v1_rows(", 50,WINDOWED")),
        "frameview-summary" => {
            "TimeStamp,Application,Log Name,Avg FPS,  ,Time (ms)\n2024-01-01T101010,a,b_T101000,60,,10.0\n".into()
        }
        "mangohud" => format!(
            "v1\nv0.6.8\n---SYSTEM INFO---\nos,cpu,gpu,ram,kernel\na,b,,1,c\n---FRAME METRICS---\nfps,frametime,gpu_load,gpu_temp,elapsed\n{}",
            frames(&|i| format!("62.5,16000,50,0,{}\n", i * 16_000_000))
        ),
        "mangohud-summary" => "0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS\n1,2,4,3".into(),
        "fraps" => format!("Frame, Time (ms)\n{}", frames(&|i| format!("{i}, {}.5\n", i * 16))),
        "tracy-zones" => format!(
            "name,src_file,src_line,ns_since_start,exec_time_ns,thread\n{}",
            frames(&|i| format!("zone{},a.cpp,1,{i},5,7\n", i % 3))
        ),
        "tracy-statistics" => "name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns\nf<a,b>,c,1,2,3,4,5,6,7,8\n".into(),
        "presentmon" => format!("{V1}\n{}", v1_rows("")),
        _ => String::new(),
    }
}

/// Reads in every way there is; what is read makes a capture or says why not.
fn try_all(bytes: &[u8], format: Option<Format>) {
    let _ = detect(bytes);
    if let Ok(log) = read(bytes, &Options { format, ..Options::default() }) {
        for stream in log.streams.iter().take(3) {
            assert_eq!(stream.rows() as u64, stream.counts.presented);
            assert!(stream.cells.iter().all(|cells| cells.is_empty() || cells.len() == stream.rows()));
            let _ = to_capture(&log, stream, &CaptureOptions::default());
        }
        assert!(log.streams.len() + log.figures.len() > 0, "a log without anything is an error");
    }
}

fn formats() -> Vec<Format> {
    Format::all().filter(|format| !fixture(*format).is_empty()).collect()
}

#[test]
fn each_fixture_is_told_and_read() {
    assert!(formats().len() >= 10);
    for format in formats() {
        let text = fixture(format);
        assert_eq!(detect(text.as_bytes()).unwrap(), format);
        let log =
            read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{format}: {error}"));
        assert_eq!((log.format, log.quarantine.total()), (format, 0));
    }
}

#[test]
fn encodings_and_line_ends_change_nothing() {
    for format in formats() {
        let text = fixture(format);
        let plain = read(text.as_bytes(), &Options::default()).unwrap();
        let crlf = text.replace('\n', "\r\n");
        let marked = format!("\u{feff}{crlf}");
        let utf16: Vec<u8> = marked.encode_utf16().flat_map(u16::to_le_bytes).collect();
        for bytes in [crlf.as_bytes(), marked.as_bytes(), &utf16] {
            let log = read(bytes, &Options::default()).unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(
                (&log.streams, &log.figures, &log.facts),
                (&plain.streams, &plain.figures, &plain.facts),
                "{format}"
            );
        }
    }
}

/// The log with sums of less precision: in parts they are added up in another order.
fn rounded(mut log: Log) -> Log {
    for tally in log.streams.iter_mut().flat_map(|stream| &mut stream.tallies) {
        tally.sum = f64::from(tally.sum as f32);
    }
    log
}

#[test]
fn tables_in_parts_of_any_size_are_the_same_log() {
    for format in formats().into_iter().filter(|format| format.is_table()) {
        let text = fixture(format);
        let whole = rounded(read(text.as_bytes(), &Options::default()).unwrap());
        for most in [1, 50, 200] {
            let (text, encoding) = decode(text.as_bytes()).unwrap();
            let plan = Plan::new(&text, encoding, &Options::default()).unwrap();
            let mut rest = &text[plan.body()..];
            let mut merged = Part::default();
            while !rest.is_empty() {
                let (lines, after) = rest.split_at(whole_lines(rest, most));
                merged = merged.then(plan.part(lines));
                rest = after;
            }
            assert_eq!(rounded(plan.finish(merged).unwrap()), whole, "{format}");
        }
    }
}

#[test]
fn every_beginning_of_every_file_ends_well() {
    for format in formats() {
        let text = fixture(format);
        for end in 0..text.len() {
            try_all(&text.as_bytes()[..end], Some(format));
            try_all(&text.as_bytes()[..end], None);
        }
    }
}

#[test]
fn headers_alone_and_nothing_at_all_are_errors() {
    for format in formats() {
        let options = Options { format: Some(format), ..Options::default() };
        for bytes in [&b""[..], b"\n\n", b"//a=b\n", b"\0\0\0\0", b"\xff\xfe", b"x", b"a,b,c\n1,2,3\n"] {
            assert!(read(bytes, &options).is_err(), "{format}: {bytes:?}");
        }
        let text = fixture(format);
        let lines: Vec<&str> = text.lines().collect();
        let first_row = lines.iter().position(|line| {
            line.contains("fps,frametime")
                || line.contains("Time")
                || line.contains("_ns")
                || line.contains("Min FPS")
        });
        let header = lines[..=first_row.unwrap()].join("\n");
        let fault = read(header.as_bytes(), &Options::default()).unwrap_err();
        assert!(matches!(fault, ReadError::Empty(_)), "{format}: {fault}");
    }
}

#[test]
fn a_name_of_a_million_bytes_is_cut_in_every_message() {
    let name = "n\u{7}".repeat(500_000);
    for format in formats() {
        for text in [
            fixture(format).replace("game.exe", &name),
            fixture(format).replacen(',', &format!(",{name},"), 1),
            format!("{name}\n{}", fixture(format)),
        ] {
            match read(text.as_bytes(), &Options { format: Some(format), ..Options::default() }) {
                Ok(log) => {
                    for finding in &log.findings {
                        let said = format!("{}{}", finding.place, finding.cause);
                        assert!(said.len() < 5000 && !said.contains('\u{7}'), "{format}");
                    }
                    assert!(log.figures.iter().all(|figure| figure.name.len() + figure.of.len() < 2000));
                }
                Err(error) => {
                    let said = error.to_string();
                    assert!(said.len() < 20_000 && !said.contains('\u{7}'), "{format}: {}", said.len());
                }
            }
        }
    }
}

#[test]
fn a_hundred_thousand_columns_are_refused_with_their_line() {
    for format in formats() {
        let text = fixture(format).replacen(',', &",x".repeat(100_000), 1);
        let fault =
            read(text.as_bytes(), &Options { format: Some(format), ..Options::default() }).unwrap_err();
        let said = fault.to_string();
        assert!(
            said.contains(&format!("more than {MOST_COLUMNS} columns")),
            "{format}: {}",
            &said[..said.len().min(300)]
        );
    }
}

/// A byte changed, taken out or put in, some of them those that mean something.
fn mutation() -> impl Strategy<Value = (prop::sample::Index, u8, u8)> {
    let byte = prop_oneof![any::<u8>(), prop::sample::select(&b",;\n\r\"/0.-NA "[..])];
    (any::<prop::sample::Index>(), byte, 0..3u8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_end_well(bytes in prop::collection::vec(any::<u8>(), 0..400), format in any::<prop::sample::Index>()) {
        try_all(&bytes, Some(*format.get(&formats())));
    }

    #[test]
    fn any_mutation_of_a_file_ends_well(format in any::<prop::sample::Index>(), changes in prop::collection::vec(mutation(), 1..12)) {
        let format = *format.get(&formats());
        let mut bytes = fixture(format).into_bytes();
        for (place, byte, how) in changes {
            let at = place.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, byte),
            }
        }
        try_all(&bytes, Some(format));
        try_all(&bytes, None);
    }

    #[test]
    fn any_order_and_repetition_of_lines_ends_well(format in any::<prop::sample::Index>(), picks in prop::collection::vec(any::<prop::sample::Index>(), 1..30)) {
        let format = *format.get(&formats());
        let text = fixture(format);
        let lines: Vec<&str> = text.lines().collect();
        let mixed: Vec<&str> = picks.iter().map(|pick| *pick.get(&lines)).collect();
        try_all(mixed.join("\n").as_bytes(), Some(format));
    }
}
