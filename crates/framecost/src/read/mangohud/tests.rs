//! The readers of MangoHud's logs and summaries on small inputs of our own: each version's shape, units told from the data, and
//! the complaints that users have brought forward (their numbers in the project's tracker stand in the names).

use crate::read::log::{Cell, FileUnit, Gap, Log, Role};
use crate::read::{CaptureOptions, Damage, Keep, Options, Quantity, detect, read, to_capture};

const MACHINE: &str =
    "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nSome Linux,Some CPU,,1024,6.1,,performance\n";
const V0_5: &str =
    "fps,cpu_load,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,ram_used,elapsed\n";
const V0_6: &str = "fps,frametime,cpu_load,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,gpu_power,ram_used,\
                    elapsed\n";
const V0_8: &str = "fps,frametime,cpu_load,cpu_power,gpu_load,cpu_temp,gpu_temp,gpu_core_clock,gpu_mem_clock,gpu_vram_used,\
                    gpu_power,ram_used,swap_used,process_rss,cpu_mhz,elapsed\n";

fn log(text: &str) -> Log {
    read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(text: &str) -> String {
    read(text.as_bytes(), &Options::default()).unwrap_err().to_string()
}

fn causes(log: &Log) -> String {
    log.findings.iter().map(|finding| format!("{}: {}\n", finding.place, finding.cause)).collect()
}

fn cells(log: &Log, name: &str) -> Vec<Cell> {
    let place = log.columns.iter().position(|column| column.name == name).unwrap();
    log.streams[0].cells[place].iter().collect()
}

fn unit(log: &Log, name: &str) -> FileUnit {
    log.columns.iter().find(|column| column.name == name).unwrap().unit
}

/// Frame times in ms that are not all alike.
const FRAMES: [f64; 6] = [16.0, 20.0, 12.0, 16.0, 40.0, 16.0];

/// Rows of 0.6 with a frame time in us; `every` ms pass in each, or the frame time where that is 0.
fn rows_0_6(every: f64) -> String {
    let mut elapsed = 500e6;
    let row = |frame: &f64| {
        elapsed += if every > 0.0 { every * 1e6 } else { frame * 1e6 };
        format!("{:.4},{:.0},50,70,0,60,2000,0,1.5,0,0.5,{elapsed:.0}\n", 1e3 / frame, frame * 1e3)
    };
    FRAMES.iter().map(row).collect()
}

/// Rows of 0.8 with a frame time in ms.
fn rows_0_8() -> String {
    let mut elapsed = 500e6;
    let row = |frame: &f64| {
        elapsed += frame * 1e6;
        format!(
            "{:.3},{frame:.5},20.5,0,86,59,51,3120,1358,4.9,251,10.7,0,0,4700,{elapsed:.0}\n",
            1e3 / frame
        )
    };
    FRAMES.iter().map(row).collect()
}

#[test]
fn one_name_is_in_us_or_ms_as_the_data_says() {
    let early = log(&format!("{MACHINE}{V0_6}{}", rows_0_6(0.0)));
    let late = log(&format!("{MACHINE}{V0_8}{}", rows_0_8()));
    assert_eq!([unit(&early, "frametime"), unit(&late, "frametime")], [FileUnit::Micros, FileUnit::Millis]);
    assert_eq!([unit(&early, "elapsed"), unit(&late, "elapsed")], [FileUnit::Nanos; 2]);
    assert_eq!(
        [&early, &late].map(|log| log.producer.version.as_str()),
        ["0.6.3 to 0.6.9", "0.8.2 or later"]
    );
    assert!(
        early.producer.evidence.ends_with("frametime in us as up to 0.6.8"),
        "{}",
        early.producer.evidence
    );
    let evidence = early.columns[1].evidence.as_deref().unwrap();
    assert_eq!(evidence, "us: fps x frametime is 1.0000 s in it, by the median of 6 rows");
    // The same frames are the same nanoseconds.
    let intervals = [early, late].map(|log| {
        let capture = to_capture(&log, &log.streams[0], &CaptureOptions::default()).unwrap();
        let metric = capture.metrics.iter().position(|metric| metric.name == "presented_interval").unwrap();
        let of_metric = capture.samples.iter().filter(|sample| usize::from(sample.metric.0) == metric);
        of_metric.map(|sample| sample.reading.clone()).collect::<Vec<_>>()
    });
    assert_eq!(intervals[0], intervals[1]);
    assert_eq!(intervals[0].len(), FRAMES.len());
}

#[test]
fn a_frame_time_beside_an_averaged_rate_is_told_all_the_same_506() {
    // The rate is one average for all rows, the frame times are single ones in us.
    let text = format!("{MACHINE}{V0_6}{}", rows_0_6(0.0));
    let header = text.len() - rows_0_6(0.0).len();
    let averaged: String =
        text[header..].lines().map(|row| format!("40.0000{}\n", &row[row.find(',').unwrap()..])).collect();
    let log = log(&format!("{}{averaged}", &text[..header]));
    assert_eq!(unit(&log, "frametime"), FileUnit::Micros);
    assert!(
        causes(&log).contains("column fps: fps x frametime is 0.6400 s by the median: fps is an average"),
        "{}",
        causes(&log)
    );
}

#[test]
fn where_rates_say_nothing_the_elapsed_time_tells_and_else_it_is_refused_2109() {
    let with_rate = |rate: &str, every: f64| {
        let rows: String = rows_0_6(every)
            .lines()
            .map(|row| format!("{rate}{}\n", &row[row.find(',').unwrap()..]))
            .collect();
        format!("{MACHINE}{V0_6}{rows}")
    };
    let log = log(&with_rate("0", 0.0));
    assert_eq!(unit(&log, "frametime"), FileUnit::Micros);
    assert!(
        log.columns[1]
            .evidence
            .as_deref()
            .unwrap()
            .contains("frame times add up to 1.0000 of the elapsed time")
    );
    let text = fault(&with_rate("2", 100.0));
    assert!(text.starts_with("column frametime: fps x frametime is 32000.0000 by the median of 6 rows, and frame times do not add up"), "{text}");
    // Frame generation doubles the rate: the unit is told, and that the two are not of the same frames.
    assert!(causes(&self::log(&with_rate("125", 0.0))).contains("fps x frametime is 2.0000 s"));
}

#[test]
fn a_log_by_interval_is_samples_435_716_1030() {
    let log = log(&format!("{MACHINE}{V0_6}{}", rows_0_6(200.0)));
    assert_eq!(log.streams[0].sampling.name(), "sampled");
    assert!(
        causes(&log).contains("sampled: frame times add up to 0.1040 of the elapsed time"),
        "{}",
        causes(&log)
    );
    let capture = to_capture(&log, &log.streams[0], &CaptureOptions::default()).unwrap();
    assert!(capture.key.instrumentation.0.contains("; sampled; "), "{:?}", capture.key.instrumentation);
}

#[test]
fn the_least_and_the_greatest_of_samples_are_of_samples_680() {
    // A log by interval holds single frames; what is least among them is told with the word for it, never as that of the frames.
    let log = log(&format!("{MACHINE}{V0_6}{}", rows_0_6(200.0)));
    let place = log.basis.interval.unwrap();
    assert_eq!(log.streams[0].tallies[place].most, Some(40_000.0));
    let remedy: Vec<_> =
        log.findings.iter().filter(|it| it.cause.starts_with("sampled")).map(|it| &it.remedy).collect();
    let capture = to_capture(&log, &log.streams[0], &CaptureOptions::default()).unwrap();
    assert_eq!(capture.key.benchmark, "not stated", "a log names no application");
    assert_eq!(remedy, ["capture every frame: percentiles of samples are none of the frames"]);
}

#[test]
fn columns_are_found_by_name_and_the_oldest_have_none_287() {
    let log = log(
        "os,cpu,gpu,ram,kernel,driver\nSome Linux,Some CPU,,1024,6.1,4.6\n60.0,12,100,169\n60.0,12,100,100169\n60.0,13,100,200169\n",
    );
    assert_eq!(log.producer.version, "0.1 to 0.4");
    let names: Vec<&str> = log.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(names, ["fps", "cpu", "gpu", "elapsed"]);
    assert_eq!(log.streams[0].lines, [3, 4, 5]);
    assert_eq!(unit(&log, "elapsed"), FileUnit::Micros);
    assert_eq!(log.streams[0].sampling.name(), "sampled");
    assert_eq!(
        log.columns[3].evidence.as_deref(),
        Some("us: 6.0000 frames pass in each row in it, by fps, by the median of 2 rows")
    );
    let bare = self::log("fps,cpu,gpu,elapsed\n60.0,12,100,169\n60.0,12,100,16836\n60.0,13,100,33502\n");
    assert_eq!((bare.format.name(), bare.facts.len()), ("mangohud", 0));
    assert_eq!(bare.streams[0].sampling.name(), "every frame");
    let rows: String = rows_0_6(0.0).lines().map(|row| format!("7,{row}\n")).collect();
    let future = self::log(&format!("new_thing,{V0_6}{rows}"));
    assert_eq!(cells(&future, "new_thing")[0], Cell::Value(7.0));
    assert!(
        causes(&future).contains("columns that no known version has, or has twice: new_thing"),
        "{}",
        causes(&future)
    );
}

#[test]
fn version_0_5_has_rates_and_no_frame_times() {
    let rows: String =
        (0..5).map(|i| format!("60.0,12,50,40,60,1000,900,1.5,4.0,{}\n", i * 16_667)).collect();
    let log = log(&format!("{MACHINE}{V0_5}{rows}"));
    assert_eq!((log.producer.version.as_str(), log.basis.interval), ("0.5", None));
    assert_eq!(unit(&log, "elapsed"), FileUnit::Micros);
    assert_eq!(log.streams[0].sampling.name(), "every frame");
    assert!(causes(&log).contains("frame rates of half a second and no frame times"), "{}", causes(&log));
    let nanos: String =
        (0..5).map(|i| format!("60.0,12,50,40,60,1000,900,1.5,4.0,{}\n", i * 16_667_000)).collect();
    assert_eq!(unit(&self::log(&format!("{MACHINE}{V0_5}{nanos}")), "elapsed"), FileUnit::Nanos);
    let text = fault(&format!("{MACHINE}{V0_5}{}", rows.replace("60.0,", "0.01,")));
    assert!(text.contains("allowed: 1000000 or more for us, 1000000000 or more for ns"), "{text}");
}

#[test]
fn sections_and_a_version_are_read_and_held_against_the_data() {
    let file = |version: &str| {
        format!(
            "v1\n{version}\n-----SYSTEM INFO-----\n{MACHINE}----FRAME METRICS----\n{V0_6}{}",
            rows_0_6(0.0)
        )
    };
    let log = log(&file("v0.6.8"));
    assert_eq!((log.producer.version.as_str(), log.streams[0].rows()), ("0.6.8", 6));
    assert_eq!(log.streams[0].lines[0], 8);
    assert_eq!(log.facts.get("cpu").map(String::as_str), Some("Some CPU"));
    assert_eq!(log.facts.get("gpu"), None, "an empty cell says nothing");
    assert_eq!(log.facts.get("ram").map(String::as_str), Some("1024 kB"));
    let late = self::log(&file("v0.7.2"));
    assert!(
        causes(&late).contains("the file names version 0.7.2 and yet has frame times as up to 0.6.8"),
        "{}",
        causes(&late)
    );
}

#[test]
fn a_first_row_since_start_up_is_set_aside_and_told() {
    let garbage = "0.00135,738033264,99,70,0,60,2000,0,1.5,0,0.5,272362392\n";
    let text = format!("{MACHINE}{V0_6}{garbage}{}", rows_0_6(0.0));
    let log = log(&text);
    assert_eq!(log.quarantine.counts.get(&Damage::NoFrame), Some(&1));
    let told = log.quarantine.rows[0].to_string();
    assert!(
        told.starts_with("line 4: frametime is 738033264 us, longer than the 272.4 ms that the log had run"),
        "{told}"
    );
    let stream = &log.streams[0];
    assert_eq!((stream.counts.presented, stream.counts.unsaid, stream.rows(), stream.lines[0]), (6, 6, 6, 5));
    assert_eq!(stream.tallies[1].most, Some(40_000.0));
    assert_eq!(stream.span.map(|span| span.0), Some(516e6));
    assert_eq!(stream.sampling.name(), "every frame");
    // Whatever is kept, what was added up is without that row.
    let least = read(text.as_bytes(), &Options { keep: Keep::LEAST, ..Options::default() }).unwrap();
    assert_eq!(least.streams[0].tallies, stream.tallies);
    let capture = to_capture(&log, stream, &CaptureOptions::default()).unwrap();
    assert!(
        capture.remarks.iter().any(|it| it.cause.starts_with("1 row set aside: frametime is 738033264 us"))
    );
}

#[test]
fn a_long_first_frame_that_the_log_has_seen_stays() {
    let text = format!("{MACHINE}{V0_6}0.5,2000000,99,70,0,60,2000,0,1.5,0,0.5,2500000000\n");
    assert_eq!(log(&text).rows(), 1);
    let shorter = format!("{MACHINE}{V0_6}4.0,250000,99,70,0,60,2000,0,1.5,0,0.5,3000000\n{}", rows_0_6(0.0));
    assert_eq!(log(&shorter).quarantine.total(), 0, "a frame that began just before the log is one");
}

#[test]
fn sensors_that_are_not_there_are_missing_and_loads_may_be_zero() {
    let row = |sensors: &str, at: u64| format!("62.5,16000,0,{sensors},0,0.5,{}\n", at * 16_000_000);
    let text = format!("{V0_6}{}{}", row("0,0,61,0,0,0", 40), row("0,45,0,0,0,0", 41));
    let log = log(&text);
    let gone = Cell::Gap(Gap::Unknown);
    assert_eq!(cells(&log, "cpu_temp"), [gone, Cell::Value(45.0)]);
    assert_eq!(cells(&log, "gpu_temp"), [Cell::Value(61.0), gone]);
    assert_eq!([cells(&log, "gpu_power"), cells(&log, "gpu_core_clock")], [[gone; 2], [gone; 2]]);
    assert_eq!(cells(&log, "cpu_load"), [Cell::Value(0.0); 2]);
    // A load of 0 is one where another sensor of the GPU was read in that row.
    assert_eq!(cells(&log, "gpu_load"), [Cell::Value(0.0), gone]);
}

#[test]
fn decimal_commas_are_read_behind_semicolons_and_refused_behind_commas_2110() {
    let machine = MACHINE.replace(',', ";");
    let rows = rows_0_8().replace(',', ";").replace('.', ",");
    let with_commas = log(&format!("{machine}{}{rows}", V0_8.replace(',', ";")));
    let with_points = log(&format!("{MACHINE}{V0_8}{}", rows_0_8()));
    assert_eq!(with_commas.streams, with_points.streams);
    assert_eq!(with_commas.facts, with_points.facts);
    let text = fault(&format!("{MACHINE}{V0_8}{}", rows_0_8().replace('.', ",")));
    assert!(
        text.starts_with(
            "line 4 has 21 fields where the header has 16: it seems that numbers have a decimal comma"
        ),
        "{text}"
    );
}

#[test]
fn two_runs_in_one_file_are_said() {
    let log = log(&format!("{MACHINE}{V0_6}{}{}", rows_0_6(0.0), rows_0_6(0.0)));
    assert!(causes(&log).contains("column elapsed: it runs backwards in the file"), "{}", causes(&log));
    assert_eq!(log.streams[0].sampling.name(), "overlapping");
}

#[test]
fn a_machine_that_does_not_fit_its_names_is_left_out() {
    let log = log(&format!("{}{V0_6}{}", MACHINE.replace("Some CPU", "CPU, 8 cores"), rows_0_6(0.0)));
    assert_eq!(log.facts.len(), 0);
    assert!(
        causes(&log).contains("line 2: the machine's description has 8 values for 7 names"),
        "{}",
        causes(&log)
    );
}

const SUMMARY: &str = "0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS,GPU Load,CPU Load";

#[test]
fn a_summary_is_figures_of_a_run_and_no_frames_1097() {
    let text = format!("{SUMMARY}\n23.0,55.3,563.7,306.5,0.0,100.0");
    assert_eq!(detect(text.as_bytes()).unwrap().name(), "mangohud-summary");
    let log = log(&text);
    assert_eq!((log.streams.len(), log.columns.len(), log.figures.len()), (0, 0, 6));
    let average = &log.figures[3];
    assert_eq!((average.value, average.line), (Cell::Value(306.5), 2));
    assert!(
        average.definition.contains("arithmetic mean of frame rates up to 0.6.8"),
        "{}",
        average.definition
    );
    let refused = log.choose(None).unwrap_err().to_string();
    assert!(refused.starts_with("the file holds figures of a run and no frames"), "{refused}");
}

#[test]
fn a_summary_whose_row_has_moved_is_refused_or_named_pr_1456_pr_1103() {
    let text = fault(&format!("{SUMMARY}\n23.0,55.3,563.7,16.1,306.5,0.0,100.0"));
    assert!(
        text.contains(
            "line 2: 7 fields, too many fields, so that nobody can tell which figure is which; allowed: 6"
        ),
        "{text}"
    );
    let text = fault(&format!("{SUMMARY}\n23.0,55.3,563.7,306.5,0.0"));
    assert!(text.contains("5 fields, too few fields"), "{text}");
    let log = log(&format!("{SUMMARY}\n23.0,55.3,3.1,306.5,0.0,100.0"));
    assert!(
        causes(&log).contains("line 2: 97% percentile fps is 3.1, below 1% min fps of 55.3"),
        "{}",
        causes(&log)
    );
    let text = fault(&format!("{SUMMARY}\n23.0,fast,3.1,306.5,0.0,100.0"));
    assert!(text.contains("line 2, column 2: 1% Min FPS is `fast`; allowed: a number, `NA`"), "{text}");
}

#[test]
fn a_late_summary_has_sensors_that_are_missing_at_zero() {
    let text = "0.1% Min FPS,1% Min FPS,97% Percentile FPS,Average FPS,GPU Load,CPU Load,Average Frame Time,Average GPU Temp,Peak Swap Used,New\n\
                20,30,90,60,0,10,16.6,0,0,1\n";
    let log = log(text);
    let value = |name: &str| log.figures.iter().find(|figure| figure.name == name).unwrap().value;
    assert_eq!(
        [value("Average GPU Temp"), value("Peak Swap Used")],
        [Cell::Gap(Gap::Unknown), Cell::Value(0.0)]
    );
    assert!(causes(&log).contains("header: columns that are not known: New"), "{}", causes(&log));
}

#[test]
fn a_log_without_its_columns_is_refused_by_name() {
    let text = fault(&format!("{MACHINE}frametime,cpu_load\n1,2\n"));
    assert_eq!(text, "mangohud: columns fps, elapsed missing; the header has frametime, cpu_load");
    let log = log(&format!("{V0_6}{}", rows_0_6(0.0)));
    assert_eq!(log.columns[0].role, Role::Of(Quantity::FramesPerSecond));
}
