//! What users of frame-time tools complained of about definitions, each as a test. The number of the complaint stands above it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use framecost::definitions::tools::{Explanation, Said, SaidRow};
use framecost::definitions::{Basis, DEFINITIONS, Intervals, Log, Sheet, Stream, find};
use framecost_sample::{Reading, Reason};

const PLAIN: Basis = Basis { log: Log::PerFrame, intervals: Intervals::Presented };

fn readings(millis: impl IntoIterator<Item = f64>) -> Vec<Reading<f64>> {
    millis.into_iter().map(|ms| Reading::Measured(ms * 1e6)).collect()
}

/// 9,900 frames of 10 ms and 100 of 50.
fn hitching() -> Vec<Reading<f64>> {
    readings((0..10_000).map(|i| if i % 100 == 99 { 50.0 } else { 10.0 }))
}

fn sheet(times: &[Reading<f64>]) -> Sheet {
    Sheet::of(&Stream::of_times(PLAIN, times))
}

fn given(sheet: &Sheet, id: &str) -> f64 {
    sheet.find(id).unwrap().value.unwrap().value
}

fn explained(times: &[Reading<f64>]) -> Explanation {
    Explanation::of(&Stream::of_times(PLAIN, times))
}

fn tool<'a>(explanation: &'a Explanation, name: &str) -> &'a Said {
    explanation.tools.iter().find(|tool| tool.tool == name).unwrap()
}

fn label<'a>(tool: &'a Said, label: &str) -> &'a SaidRow {
    tool.rows.iter().find(|row| row.label == label).unwrap()
}

#[track_caller]
fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
}

/// PresentMon #219, #238: is "1 %" a percentile of times or of rates, and of which end? The id and the family say.
#[test]
fn presentmon_219_238_a_percentile_says_of_what_it_is_one() {
    let sheet = sheet(&hitching());
    for row in &sheet.rows {
        let id = row.id.to_string();
        if id.contains(".pct.") {
            assert!(id.contains("time") || id.contains("fps") || id.contains("nearest"), "{id}");
        }
    }
    // The 99th percentile of time and the low at 1 % are one frame; the 99th percentile of fps is another.
    near(1e9 / given(&sheet, "time.pct.r7@99%"), given(&sheet, "low.pct.r7.time@1%"));
    assert!(given(&sheet, "fps.pct.r8@99%") > 2.0 * given(&sheet, "low.worst.count@1%"));
    let explained = explained(&hitching());
    let row = label(tool(&explained, "PresentMon"), "1st Percentile FPS");
    assert_eq!(row.id.to_string(), "low.pct.r7.time@1%");
}

/// PresentMon #153: how are lows computed of the times? Each definition carries its rule.
#[test]
fn presentmon_153_each_low_says_how_it_is_computed() {
    let lows = DEFINITIONS.iter().filter(|it| it.id.starts_with("low."));
    assert!(lows.clone().count() >= 11);
    assert!(lows.into_iter().all(|low| !low.rule.is_empty() && !low.used_by.is_empty()));
}

/// MangoHud #722: percentile or mean of the worst? Under one label, releases print one or the other.
#[test]
fn mangohud_722_percentile_and_mean_of_the_worst_are_two_figures() {
    let explained = explained(&hitching());
    let old = label(tool(&explained, "MangoHud up to 0.6.8"), "1% Min FPS");
    let new = label(tool(&explained, "MangoHud from 0.7.1"), "1% Min FPS");
    assert_eq!(old.id.to_string(), "low.worst.fpsmean.ceil@1%");
    assert_eq!(new.id.to_string(), "low.index.mangohud@1%");
    assert!(explained.why.iter().any(|why| why.contains("a percentile is the frame at the tail's border")));
}

/// MangoHud #1097, flightlesssomething #174: 48.2 against 50.66 fps of one run, frames over time against the mean of fps.
#[test]
fn mangohud_1097_flightlesssomething_174_the_two_averages_are_named() {
    // Frames long and short in turn, so that both averages are those of the complaint.
    let times = readings((0..2000).map(|i| 20.747 + if i % 2 == 0 { 4.572 } else { -4.572 }));
    let sheet = sheet(&times);
    let (harmonic, arithmetic) = (given(&sheet, "avg.harmonic"), given(&sheet, "avg.arithmetic"));
    assert_eq!((format!("{harmonic:.2}"), format!("{arithmetic:.2}")), ("48.20".into(), "50.66".into()));
    let explained = explained(&times);
    near(label(tool(&explained, "MangoHud up to 0.6.8"), "Average FPS").value.unwrap().value, arithmetic);
    near(label(tool(&explained, "MangoHud from 0.7.1"), "Average FPS").value.unwrap().value, harmonic);
    assert!(explained.why[0].contains("48.20") && explained.why[0].contains("50.66"), "{}", explained.why[0]);
}

/// MangoHud #1957: 0.01 was read as 0.01 % and meant 1 %. A share has its percent sign, or is refused.
#[test]
fn mangohud_1957_a_share_without_its_percent_sign_is_refused() {
    let fault = find("low.index.mangohud@0.01").unwrap_err().to_string();
    assert!(fault.contains("a share is a number between 0% and 100%"), "{fault}");
    let (one, hundredth) =
        (find("low.index.mangohud@1%").unwrap(), find("low.index.mangohud@0.01%").unwrap());
    assert_eq!((one.needs(), hundredth.needs()), (1000, 100_000));
}

/// MangoHud #1501: a 97 % of 1508 fps. It is the fast end: 3 % of the frames took less than 0.7 ms.
#[test]
fn mangohud_1501_the_97_percent_is_of_the_fast_frames() {
    let times = readings((0..2000).map(|i| if i % 25 == 0 { 1000.0 / 1508.0 } else { 10.0 }));
    let explained = explained(&times);
    for name in ["MangoHud up to 0.6.8", "MangoHud from 0.7.1"] {
        let tool = tool(&explained, name);
        let found = label(tool, "97% Percentile FPS").value.unwrap();
        near(found.value, 1508.0);
        assert!(found.behind <= 61, "3 % of the frames, not 97: {}", found.behind);
    }
    assert!(tool(&explained, "MangoHud from 0.7.1").defects.iter().any(|it| it.contains("#1501")));
    assert!(explained.why.iter().any(|why| why.contains("is passed by the fastest 1 %")));
}

/// MangoHud PR #1103: a frame time stood where fps belongs. Every row of a tool has a unit with its definition.
#[test]
fn mangohud_pr_1103_a_row_in_fps_is_a_rate() {
    let explained = explained(&hitching());
    for tool in &explained.tools {
        for row in tool.rows.iter().filter(|row| row.label.contains("FPS")) {
            assert_eq!(row.id.definition.unit.name(), "fps", "{}: {}", tool.tool, row.label);
            assert!(row.value.is_ok_and(|it| (19.0..=101.0).contains(&it.value)), "{}", row.label);
        }
    }
}

/// CapFrameX #295: a 0.1 % low of a short run. It stands on one frame, and is withheld.
#[test]
fn capframex_295_a_tenth_of_a_percent_of_a_short_run_is_withheld() {
    let times = readings((0..1200).map(|i| if i == 600 { 200.0 } else { 10.0 }));
    let sheet = sheet(&times);
    for row in sheet.rows.iter().filter(|row| row.id.to_string().ends_with("@0.1%")) {
        assert_eq!(row.value.unwrap_err().to_string(), "needs 10000 frames, has 1200", "{}", row.id);
    }
    let explained = explained(&times);
    let low = label(tool(&explained, "CapFrameX"), "0.1% low integral").value.unwrap();
    assert_eq!(low.behind, 1, "the tool prints it all the same, of one frame");
    assert!(explained.why.iter().any(|why| why.contains("0.1% of 1200 frames is 1 frame: too few")));
}

/// CapFrameX #317: P99 above 4000 fps. P99 of fps is the fast end, and frames of a quarter of a millisecond are 4000 fps.
#[test]
fn capframex_317_a_p99_over_4000_is_of_the_shortest_frames() {
    let times = readings((0..2000).map(|i| if i % 40 == 0 { 0.24 } else { 8.0 }));
    let explained = explained(&times);
    let row = label(tool(&explained, "CapFrameX"), "P99");
    assert_eq!(row.id.to_string(), "fps.pct.r8@99%");
    assert!(row.value.unwrap().value > 4000.0);
    assert!(given(&sheet(&times), "avg.harmonic") < 130.0);
}

/// CapFrameX #395: NaN. A time that is no number, 0 or missing is left out and counted, and nothing else changes.
#[test]
fn capframex_395_no_time_makes_a_figure_nan() {
    let clean = sheet(&hitching());
    let mut times = hitching();
    times.extend([f64::NAN, f64::INFINITY, 0.0].map(Reading::Measured));
    times.push(Reading::Missing(Reason::Unparsable { line: 3, column: 2 }));
    let dirty = sheet(&times);
    assert_eq!(dirty.rows, clean.rows);
    assert_eq!(dirty.left_out.total(), 4);
    assert!(dirty.notes[0].starts_with("4 frames left out"));
}

/// Cleanmeter PR #61: three 1 % lows of one run, 5.0 and 36.8 among them.
#[test]
fn cleanmeter_pr_61_one_run_has_three_one_percent_lows() {
    // 1,099 frames of 16.6 ms, one of 200 ms (5 fps), ten of 27.2 (36.8 fps).
    let times = readings((0..1110).map(|i| match i {
        500 => 200.0,
        600..610 => 27.2,
        _ => 16.6,
    }));
    let sheet = sheet(&times);
    assert_eq!(format!("{:.1}", given(&sheet, "low.integral.time@1%")), "5.0");
    assert_eq!(format!("{:.1}", given(&sheet, "low.index.mangohud@1%")), "36.8");
    assert_eq!(format!("{:.1}", given(&sheet, "low.worst.count@1%")), "23.3");
    let explained = explained(&times);
    let why = explained
        .why
        .iter()
        .find(|why| why.starts_with("1% low: 5.00 fps by low.integral.time@1% on 1 frame"));
    assert!(why.is_some(), "{:?}", explained.why);
}

/// OCAT #52: more percentiles. They are there, each with the frames that it takes.
#[test]
fn ocat_52_percentiles_go_up_to_where_frames_allow() {
    let full = sheet(&hitching());
    for share in ["1%", "5%", "50%", "95%", "99%", "99.9%"] {
        assert!(full.find(&format!("time.pct.r7@{share}")).unwrap().value.is_ok(), "{share}");
    }
    let short = sheet(&hitching()[..500]);
    let far = short.find("time.pct.r7@99.9%").unwrap().value.unwrap_err();
    assert_eq!(far.to_string(), "needs 1000 frames, has 500");
    assert!(find("time.pct.r7@97.5%").is_ok(), "any share can be asked for");
}
