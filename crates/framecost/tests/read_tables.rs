//! The readers of delimited formats other than PresentMon's on real files. A few of our own stand beside the tests; other people's
//! lie outside of the repository, and where they are not, each test says by name that it was left out.

#![allow(missing_docs, clippy::print_stderr, reason = "tests")]

use std::path::{Path, PathBuf};

use framecost::read::{
    Cell, Damage, FileUnit, Gap, Keep, Log, Options, Quantity, Sampling, detect, read, to_capture,
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

fn read_file(path: &Path) -> Log {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    read(&bytes, &Options::default()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn own(file: &str) -> Log {
    read_file(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file))
}

fn figure(log: &Log, name: &str) -> f64 {
    let figure = log.figures.iter().find(|figure| figure.name == name);
    figure.and_then(|figure| figure.value.value()).unwrap_or_else(|| panic!("no {name}"))
}

fn values(log: &Log, quantity: Quantity) -> Vec<f64> {
    let place = log.quantity(quantity).unwrap_or_else(|| panic!("no {}", quantity.name())).0;
    log.streams[0].cells[place].iter().filter_map(Cell::value).collect()
}

/// Frames by time, of frame times in ms.
fn rate(log: &Log) -> f64 {
    let times = values(log, Quantity::PresentedInterval);
    1e3 * times.len() as f64 / times.iter().sum::<f64>()
}

fn near(ratio: Option<f64>, wanted: f64) -> bool {
    ratio.is_some_and(|ratio| (ratio - wanted).abs() < 0.001)
}

/// Acceptance check 6 on files of our own.
#[test]
fn mangohud_every_frame_and_samples_are_told_apart() {
    let every = own("mangohud_0.6.8_every_frame.csv");
    assert_eq!((every.format.name(), every.rows(), every.quarantine.total()), ("mangohud", 500, 0));
    let (_, frametime) = every.quantity(Quantity::PresentedInterval).unwrap();
    assert_eq!(frametime.unit, FileUnit::Micros);
    assert!(
        matches!(every.streams[0].sampling, Sampling::EveryFrame { .. }),
        "{}",
        every.streams[0].sampling
    );

    let samples = own("mangohud_0.6.8_interval.csv");
    assert_eq!((samples.rows(), samples.streams[0].rows()), (58, 58));
    assert!(
        matches!(samples.streams[0].sampling, Sampling::Sampled { .. }),
        "{}",
        samples.streams[0].sampling
    );
    assert!(near(samples.streams[0].sampling.ratio(), 0.068));
    assert_eq!(samples.quarantine.counts.get(&Damage::NoFrame), Some(&1));
    let told = samples.quarantine.rows[0].to_string();
    assert!(told.starts_with("line 4: frametime is 738033264 us, longer than the 272.4 ms"), "{told}");
}

/// The tool's own summary counts the row that is no frame, so that its lows are 0; and its mean is one of rates (MangoHud #1097).
#[test]
fn mangohud_a_summary_is_told_from_what_it_was_computed_of() {
    let (log, summary) = (own("mangohud_0.6.8_interval.csv"), own("mangohud_0.6.8_interval_summary.csv"));
    assert_eq!((figure(&summary, "0.1% Min FPS"), figure(&summary, "1% Min FPS")), (0.0, 0.0));
    let rates = values(&log, Quantity::FramesPerSecond);
    let (rows, sum) = (rates.len() as f64, rates.iter().sum::<f64>());
    let with_the_first = (sum + 0.001_354_95) / (rows + 1.0);
    assert_eq!(format!("{with_the_first:.1}"), format!("{:.1}", figure(&summary, "Average FPS")));
}

/// Acceptance check 6 on whole files.
#[test]
fn mangohud_whole_files_add_up() {
    let Some(folder) = captures("mangohud_whole_files_add_up") else { return };
    for (file, rows, version) in [
        ("everyframe/vkcube_2026-11-29_18-19-06", 1315, "0.6.3 to 0.6.9"),
        ("versioned/vkcube_2026-11-29_18-19-29", 1369, "0.6.8"),
    ] {
        let log = read_file(&folder.join(format!("own/mango/{file}.csv")));
        assert_eq!((log.rows(), log.producer.version.as_str(), log.quarantine.total()), (rows, version, 0));
        assert!(near(log.streams[0].sampling.ratio(), 0.9998), "{}", log.streams[0].sampling);
        assert_eq!(log.facts["os"], "Debian GNU/Linux 12 (bookworm)");
        assert_eq!(log.facts.get("gpu"), None);
        assert!(to_capture(&log, log.choose(None).unwrap(), &Default::default()).is_ok());

        // The figures' definitions reproduce the tool's summary: mean of the worst rates, rate at 97 %, mean of rates.
        let summary = read_file(&folder.join(format!("own/mango/{file}_summary.csv")));
        let mut rates = values(&log, Quantity::FramesPerSecond);
        rates.sort_by(f64::total_cmp);
        let worst = |share: f64| {
            let count = (rates.len() as f64 * share).ceil() as usize;
            rates[..count].iter().sum::<f64>() / count as f64
        };
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let high = rates[(0.97 * (rates.len() - 1) as f64).floor() as usize];
        for (name, value) in [
            ("0.1% Min FPS", worst(0.001)),
            ("1% Min FPS", worst(0.01)),
            ("97% Percentile FPS", high),
            ("Average FPS", mean),
        ] {
            assert!((figure(&summary, name) - value).abs() < 0.06, "{file}: {name} is {value}");
        }
    }
}

#[test]
fn mangohud_late_excerpts_are_in_milliseconds_and_sampled() {
    let Some(folder) = captures("mangohud_late_excerpts_are_in_milliseconds_and_sampled") else { return };
    for (file, rows) in [("MangoHud_Overwatch_2025-11-23", 8), ("MangoHud_run1", 4)] {
        let log = read_file(&folder.join(format!("excerpts/{file}.EXCERPT.csv")));
        assert_eq!((log.rows(), log.producer.version.as_str()), (rows, "0.8.0 or 0.8.1"));
        assert_eq!(log.quantity(Quantity::PresentedInterval).unwrap().1.unit, FileUnit::Millis);
        assert_eq!(log.streams[0].sampling.name(), "sampled");
        assert_eq!(log.facts["gpu"], "AMD Radeon RX 9070 XT (RADV GFX1201)");
    }
}

/// Acceptance check 7.
#[test]
fn ocat_loses_no_row_to_raggedness() {
    let Some(folder) = captures("ocat_loses_no_row_to_raggedness") else { return };
    let log = read_file(&folder.join("capframex/OCAT-MetroExodus.exe-2019-02-20T101522.csv"));
    let counts = log.streams[0].counts;
    assert_eq!((log.format.name(), log.streams.len()), ("ocat", 1));
    assert_eq!((counts.presented, counts.dropped, counts.unsaid, log.quarantine.total()), (2502, 0, 0, 0));
    assert_eq!(log.facts["gpu"], "GeForce RTX 2080 Ti");
    assert_eq!(
        log.facts["motherboard"],
        "Micro-Star International Co. Ltd. MPG Z390 GAMING PRO CARBON (MS-7B17)"
    );
    assert_eq!(log.facts["comment"], "Test");
    // Frames by time, as other readers of this file have computed it.
    assert_eq!(format!("{:.2}", rate(&log)), "98.56");
    assert!(near(log.streams[0].sampling.ratio(), 1.0));
    assert!(log.findings.is_empty(), "{:?}", log.findings);
    let capture = to_capture(&log, log.choose(None).unwrap(), &Default::default()).unwrap();
    assert_eq!((capture.key.adapter.as_str(), capture.frames.len()), ("GeForce RTX 2080 Ti", 2502));
}

#[test]
fn capframex_records_of_old_are_read_with_their_drops() {
    let Some(folder) = captures("capframex_records_of_old_are_read_with_their_drops") else { return };
    let log = read_file(&folder.join("capframex/CapFrameXFileWithHeader.csv"));
    let counts = log.streams[0].counts;
    assert_eq!((log.format.name(), log.streams.len(), log.columns.len()), ("capframex-csv", 1, 17));
    assert_eq!((counts.presented, counts.dropped, counts.unsaid), (7285, 4236, 0));
    assert_eq!(log.facts["cpu"], "Intel(R) Core(TM) i9-9900K CPU @ 3.60GHz");
    assert_eq!(format!("{:.1}", rate(&log)), "286.3");
    assert_eq!(log.quarantine.total(), 0);
}

#[test]
fn files_of_the_same_folder_that_are_presentmons_stay_so() {
    let Some(folder) = captures("files_of_the_same_folder_that_are_presentmons_stay_so") else { return };
    for file in ["ShortFile.csv", "PresentMon-2019-09-29T145423.csv", "InvalidColumnFile.csv"] {
        let bytes = std::fs::read(folder.join("capframex").join(file)).unwrap();
        assert_eq!(detect(&bytes).unwrap().name(), "presentmon", "{file}");
    }
}

/// Acceptance check 11.
#[test]
fn frameview_is_read_with_its_padding_and_its_gaps() {
    let Some(folder) = captures("frameview_is_read_with_its_padding_and_its_gaps") else { return };
    let log = read_file(&folder.join("excerpts/FrameView_AlanWake2_2024-04-16T234745_Log.EXCERPT.csv"));
    assert_eq!((log.format.name(), log.columns.len(), log.rows()), ("frameview", 110, 6));
    assert_eq!((log.producer.version.as_str(), log.streams[0].counts.dropped), ("1.4 or later", 1));
    let cell = |name: &str| {
        let column = log.columns.iter().position(|column| column.name == name);
        log.streams[0].cell(4, column.unwrap()).unwrap()
    };
    assert_eq!([cell("CPUUtil(%)"), cell("CPUCoreUtil%[ 0]")], [Cell::Value(29.0), Cell::Value(100.0)]);
    assert_eq!([cell("CPUCoreUtil%[63]"), cell("MsPCLatency")], [Cell::Gap(Gap::NotWritten); 2]);
    assert_eq!(cell("MsUntilDisplayed"), Cell::Gap(Gap::NotDisplayed));
    assert!(log.findings.iter().any(|it| it.cause.contains("from 3840x2160 to WINDOWED on line 5")));
    assert!(log.findings.iter().all(|it| it.place != "header"), "every column is known: {:?}", log.findings);

    let summary = read_file(&folder.join("excerpts/FrameView_Summary.csv"));
    let low = ["1% Low FPS", "1% FPS", "0.1% Low FPS", "0.1% FPS"].map(|name| figure(&summary, name));
    assert_eq!(low.map(|value| format!("{value:.3}")), ["45.070", "56.845", "32.554", "34.740"]);
    assert!(summary.figures.iter().any(|it| it.name == "(column 12, without a name)"));
    assert!(to_capture(&log, log.choose(None).unwrap(), &Default::default()).is_ok());
}

#[test]
fn what_is_kept_changes_no_count() {
    let bytes =
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/mangohud_0.6.8_interval.csv"))
            .unwrap();
    let all = read(&bytes, &Options::default()).unwrap();
    let least = read(&bytes, &Options { keep: Keep::LEAST, ..Options::default() }).unwrap();
    assert_eq!(
        (all.streams[0].counts, &all.findings, &all.quarantine),
        (least.streams[0].counts, &least.findings, &least.quarantine)
    );
    assert_eq!(all.streams[0].tallies, least.streams[0].tallies);
}
