//! Definitions and explanations as people read them: what the tables hold, what stands under a dash, what a hostile title may do.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use framecost::definitions::tools::explain;
use framecost::definitions::{Basis, Intervals, Log, Stream};
use framecost::report::{
    Style, definitions_json, definitions_markdown, definitions_text, explain_json, explain_markdown,
    explain_text,
};
use framecost_sample::Reading;
use serde_json::Value;

const PLAIN: Basis = Basis { log: Log::PerFrame, intervals: Intervals::Presented };
const HOSTILE: &str = "<b>a|b\u{1b}[31m @team";

fn times() -> Vec<Reading<f64>> {
    let frame = |i: u32| if i % 100 == 99 { 50e6 } else { 10e6 };
    let lost = Reading::Measured(0.0);
    (0..1200).map(|i| Reading::Measured(frame(i))).chain([lost]).collect()
}

#[test]
fn a_table_names_each_definition_and_says_why_one_is_missing() {
    let times = times();
    let (sheet, _) = explain(&Stream::of_times(PLAIN, &times));
    let text = definitions_text("town.csv", &sheet, &Style { width: 200, ..Style::PLAIN });
    let row = |id: &str| {
        let words = text.lines().find(|line| line.trim_start().starts_with(&format!("{id} "))).unwrap();
        words.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(text.lines().nth(1).unwrap(), "1200 frames in 12.48 s, presented intervals, every frame");
    assert_eq!(row("avg.harmonic")[..4], ["avg.harmonic", "96.15", "fps", "1200"]);
    assert_eq!(row("low.worst.count@1%")[..6], ["low.worst.count@1%", "20.00", "fps", "12", "of", "1200"]);
    assert_eq!(row("low.worst.count@0.1%")[1..3], ["-", "-"]);
    assert_eq!(row("time.pct.r7@95%")[1..3], ["10.00", "ms"]);
    assert_eq!(row("stutter.count")[1..5], ["1.0", "%", "12", "of"]);
    assert!(text.contains("and 7 more figures: needs 10000 frames, has 1200"), "{text}");
    assert!(text.contains("missing: fps.displayed: the log has no displayed intervals"), "{text}");
    let notes: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("note: ")).collect();
    let thin = "low.integral.time@1% stands on 3 frames alone";
    assert_eq!(notes, ["1 frame left out: 1 of a time of 0", thin]);
    let narrow = definitions_text("town.csv", &sheet, &Style::PLAIN);
    assert!(narrow.contains("low.worst.count@1%") && narrow.contains("12 of 1200"), "{narrow}");
}

#[test]
fn an_explanation_names_each_tool_its_labels_and_its_defects() {
    let times = times();
    let (_, explanation) = explain(&Stream::of_times(PLAIN, &times));
    let text = explain_text("town.csv", &explanation, &Style { width: 200, ..Style::PLAIN });
    for said in [
        "PresentMon: ",
        "CapFrameX: ",
        "MangoHud from 0.7.1: ",
        "MangoHud up to 0.6.8: ",
        "OCAT: ",
        "FrameView: ",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert!(text.contains("1% Low FPS") && text.contains("low.worst.count@1%"), "{text}");
    assert!(text.contains("known: Average FPS is the mean of fps"), "{text}");
    assert!(text.contains("why: 1% low: 20.00 fps by"), "{text}");
    assert!(text.contains("missing: AnimationErrorPerSecond, AnimationErrorPerFrame: "), "{text}");
}

#[test]
fn markdown_and_json_hold_the_same_and_nothing_acts() {
    let times = times();
    let (sheet, explanation) = explain(&Stream::of_times(PLAIN, &times));
    for markdown in [definitions_markdown(HOSTILE, &sheet), explain_markdown(HOSTILE, &explanation)] {
        assert!(markdown.starts_with("### <code>&#60;b&#62;a&#124;b"), "{markdown}");
        assert!(markdown.contains("| `low.worst.count@1%` |"), "{markdown}");
        for rows in markdown.split("\n\n").filter(|part| part.starts_with('|')) {
            let bars: Vec<usize> = rows
                .lines()
                .filter(|line| line.starts_with('|'))
                .map(|line| line.matches('|').count())
                .collect();
            assert!(bars.iter().all(|count| *count == bars[0]), "{rows}");
        }
    }
    let json: Value = serde_json::from_str(&definitions_json(HOSTILE, &sheet)).unwrap();
    assert_eq!(json["title"], HOSTILE);
    let find = |id: &str| json["values"].as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
    assert_eq!(find("low.worst.count@1%")["behind"], 12);
    assert_eq!(find("low.worst.count@0.1%")["value"]["missing"], "needs 10000 frames, has 1200");
    assert!(find("low.worst.count@0.1%").get("behind").is_none());
    let json: Value = serde_json::from_str(&explain_json(HOSTILE, &explanation)).unwrap();
    assert_eq!(json["tools"].as_array().unwrap().len(), 6);
}
