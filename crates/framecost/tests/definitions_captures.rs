//! Definitions over captures that other tools made, which lie beside the repository and are not part of it. Where the folder
//! is absent, each test says by its name that it was left out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::fs;
use std::path::{Path, PathBuf};

use framecost::definitions::tools::Explanation;
use framecost::definitions::{Basis, Intervals, Log, Sheet, Stream, find, value};
use framecost_sample::{Reading, Reason};

const PLAIN: Basis = Basis { log: Log::PerFrame, intervals: Intervals::Presented };

const RE2: &str = "capframex/CapFrameXFileWithHeader.csv";
const METRO: &str = "capframex/OCAT-MetroExodus.exe-2019-02-20T101522.csv";
const MANGO: &str = "own/mango";

/// The folder of captures, or the test's name on the terminal.
fn captures(test: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/captures");
    if !folder.is_dir() {
        eprintln!("left out: {test}: no captures beside the repository");
        return None;
    }
    Some(folder)
}

/// A column of a table of commas, as texts. Lines before the table's titles are passed over.
fn column(path: &Path, title: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let mut at = None;
    let mut cells = Vec::new();
    for line in text.trim_start_matches('\u{feff}').lines() {
        let fields: Vec<&str> = line.split(',').collect();
        match at {
            None => at = fields.iter().position(|field| field.trim() == title),
            Some(at) => cells.push(fields[at].trim().to_owned()),
        }
    }
    cells
}

fn times(path: &Path, title: &str, nanos: f64) -> Vec<Reading<f64>> {
    column(path, title).iter().map(|cell| Reading::Measured(cell.parse::<f64>().unwrap() * nanos)).collect()
}

/// The log of a folder of MangoHud's, or its summary.
fn mango(folder: &Path, name: &str, summary: bool) -> PathBuf {
    let files = fs::read_dir(folder.join(MANGO).join(name)).unwrap().map(|entry| entry.unwrap().path());
    let is_summary = |path: &PathBuf| path.to_string_lossy().ends_with("_summary.csv");
    files.into_iter().find(|path| is_summary(path) == summary).unwrap()
}

/// Averages and lows of three captures, computed of the same files with numpy.
#[test]
fn one_run_has_ten_one_percent_lows_and_each_is_reproduced() {
    let Some(folder) = captures("one_run_has_ten_one_percent_lows_and_each_is_reproduced") else { return };
    let re2 = times(&folder.join(RE2), "MsBetweenPresents", 1e6);
    let metro = times(&folder.join(METRO), "MsBetweenPresents", 1e6);
    let vkcube = times(&mango(&folder, "everyframe", false), "frametime", 1e3);
    assert_eq!([&re2, &metro, &vkcube].map(Vec::len), [7285, 2502, 1315]);
    let expected = [
        ("avg.harmonic", [286.32, 98.56, 233.06]),
        ("avg.arithmetic", [287.20, 99.53, 306.54]),
        ("low.pct.r7.time@1%", [259.07, 79.03, 65.79]),
        ("low.pct.r8.fps@1%", [259.07, 78.94, 65.30]),
        ("low.pct.r7.fps@1%", [259.07, 79.03, 65.79]),
        ("low.pct.r6.time@1%", [259.06, 78.89, 65.02]),
        ("low.pct.nearest@1%", [259.07, 79.03, 65.75]),
        ("low.index.mangohud@1%", [259.00, 78.89, 64.88]),
        ("low.worst.count@1%", [248.42, 73.73, 29.50]),
        ("low.worst.atleast@1%", [248.69, 73.73, 29.50]),
        ("low.worst.fpsmean@1%", [250.61, 74.15, 54.48]),
        ("low.integral.time@1%", [258.46, 78.12, 4.29]),
    ];
    for (i, times) in [&re2, &metro, &vkcube].into_iter().enumerate() {
        let sheet = Sheet::of(&Stream::of_times(PLAIN, times));
        for (id, values) in expected {
            let found = sheet.find(id).unwrap().value.unwrap().value;
            assert_eq!(format!("{found:.2}"), format!("{:.2}", values[i]), "{id} of capture {i}");
        }
        let tenth = sheet.find("low.worst.count@0.1%").unwrap().value.unwrap_err().to_string();
        assert_eq!(tenth, format!("needs 10000 frames, has {}", times.len()));
    }
    let sheet = Sheet::of(&Stream::of_times(PLAIN, &vkcube));
    assert_eq!(sheet.find("low.integral.time@1%").unwrap().value.unwrap().behind, 1, "one frame makes it");
}

#[test]
fn adaptive_deviation_as_coded_and_as_meant_are_reproduced() {
    let Some(folder) = captures("adaptive_deviation_as_coded_and_as_meant_are_reproduced") else { return };
    let vkcube = times(&mango(&folder, "everyframe", false), "frametime", 1e3);
    let stream = Stream::of_times(PLAIN, &vkcube);
    let of = |id: &str| format!("{:.1}", value(&stream, find(id).unwrap()).unwrap().value);
    assert_eq!(of("deviation.adaptive.coded"), "52.6");
    assert_eq!(of("deviation.adaptive.meant"), "152.7");
}

/// 58 % of the presents were never shown.
#[test]
fn displayed_fps_is_of_what_was_shown() {
    let Some(folder) = captures("displayed_fps_is_of_what_was_shown") else { return };
    let presented = times(&folder.join(RE2), "MsBetweenPresents", 1e6);
    let dropped = column(&folder.join(RE2), "Dropped");
    let intervals = times(&folder.join(RE2), "MsBetweenDisplayChange", 1e6);
    let lost = |dropped: &String, shown: Reading<f64>| match dropped.as_str() {
        "0" => shown,
        _ => Reading::Missing(Reason::NotDisplayed),
    };
    let displayed: Vec<Reading<f64>> = dropped.iter().zip(intervals).map(|(a, b)| lost(a, b)).collect();
    let stream = Stream { displayed: &displayed, ..Stream::of_times(PLAIN, &presented) };
    let shown = value(&stream, find("fps.displayed").unwrap()).unwrap();
    assert_eq!((format!("{:.1}", shown.value).as_str(), shown.behind), ("119.8", 7285 - 4236));
}

/// MangoHud 0.6.8's own summaries, to the digit that it prints; complaint MangoHud #1097: its average is the mean of fps.
#[test]
fn mangohuds_own_summaries_are_reproduced() {
    let Some(folder) = captures("mangohuds_own_summaries_are_reproduced") else { return };
    for name in ["everyframe", "interval100", "versioned"] {
        let times = times(&mango(&folder, name, false), "frametime", 1e3);
        let explained = Explanation::of(&Stream::of_times(PLAIN, &times));
        let tool = explained.tools.iter().find(|tool| tool.tool == "MangoHud up to 0.6.8").unwrap();
        for row in &tool.rows {
            let printed = column(&mango(&folder, name, true), row.label);
            assert_eq!(format!("{:.1}", row.value.unwrap().value), printed[0], "{name}: {}", row.label);
        }
    }
}

/// FrameView's excerpt, for its form alone: both families stand in one file under the labels that we give.
#[test]
fn frameviews_labels_are_those_of_its_summary() {
    let Some(folder) = captures("frameviews_labels_are_those_of_its_summary") else { return };
    let explained = Explanation::of(&Stream::of_times(PLAIN, &[]));
    let tool = explained.tools.iter().find(|tool| tool.tool == "FrameView").unwrap();
    for row in &tool.rows {
        let printed = column(&folder.join("excerpts/FrameView_Summary.csv"), row.label);
        assert_eq!(printed.len(), 1, "{}", row.label);
    }
}
