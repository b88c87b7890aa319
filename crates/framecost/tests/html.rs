//! The HTML page as text: what it holds, that it is the same each time, how large it grows, and that no name is markup in it.
//! What a browser makes of it is tested with the command line.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{HOSTILE, Recipe, threshold};
use framecost::Analysis;
use framecost::judge::{Across, judge};
use framecost::report::{Page, Report, Section, html};
use framecost_sample::{Capture, PassDef, PassId, Reading, Reason, Semantics, Stamp, Ticks};
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};

/// The page of runs against a baseline.
fn page(runs: &[Analysis], baseline: &[Analysis]) -> String {
    let across = Across { switches: true, ..Across::NOTHING };
    let judgement = judge(runs, baseline, &threshold(), across);
    let report = Report::new(&runs[0], baseline.first(), Some(&judgement));
    let names = (1..=runs.len()).map(|run| format!("out/run-{run}.framecost")).collect();
    let section = Section { report: &report, runs, names, baseline, baseline_name: Some("main") };
    html(&Page { overall: None, sections: vec![section], differences: &[], histories: &[] })
}

/// The JSON that stands in a page.
fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value.pointer(path).and_then(Value::as_str).unwrap_or_else(|| panic!("{path} of {value}"))
}

#[test]
fn the_same_runs_give_the_same_page() {
    let run = Recipe { lit_us: 6_900, ..Recipe::default() }.analysis();
    let base = Recipe::default().analysis();
    let first = page(from_ref(&run), from_ref(&base));
    assert_eq!(first, page(from_ref(&run), from_ref(&base)));
    assert!(first.starts_with("<!doctype html>\n<html lang=\"en\">"));
    assert_eq!(first.matches("<script").count(), 8, "the data, the library, six of our own");
}

#[test]
fn the_verdict_comes_first_in_one_sentence() {
    let base = Recipe::default().analysis();
    let said = |lit_us: u64| {
        let run = Recipe { lit_us, ..Recipe::default() }.analysis();
        let data = data(&page(from_ref(&run), from_ref(&base)));
        let verdict = data.pointer("/sections/0/verdict").unwrap().clone();
        (text(&verdict, "/word").to_owned(), text(&verdict, "/sentence").to_owned())
    };
    let (word, sentence) = said(6_900);
    assert_eq!(word, "REGRESSED");
    assert_eq!(
        sentence,
        "gpu_total median rose by 13.0 %, from 6.898 ms to 7.798 ms, past its limit of +10 % and 20.00 us; \
         3 more figures are past their limits too."
    );
    let (word, sentence) = said(6_000);
    assert_eq!(word, "PASSED");
    assert!(sentence.starts_with("8 figures compared, none past its limit"), "{sentence}");
}

#[test]
fn without_a_baseline_nothing_is_judged_and_nothing_compared() {
    let run = Recipe::default().analysis();
    let report = Report::new(&run, None, None);
    let section =
        Section { report: &report, runs: from_ref(&run), names: vec![], baseline: &[], baseline_name: None };
    let data =
        data(&html(&Page { overall: None, sections: vec![section], differences: &[], histories: &[] }));
    assert_eq!(text(&data, "/sections/0/verdict/word"), "NOT JUDGED");
    let part = &data["sections"][0];
    assert_eq!((&part["base"], &part["changes"]), (&Value::Null, &serde_json::json!([])));
    assert_eq!(part["spreads"][0]["base"], Value::Null);
}

#[test]
fn values_that_are_missing_are_null_with_their_reason() {
    let run = Recipe::default().analysis();
    let data = data(&page(from_ref(&run), from_ref(&run)));
    let run = &data["sections"][0]["runs"][0];
    let total = &run["figures"][0];
    assert_eq!(total["name"], "gpu_total");
    let values = total["values"]["v"].as_array().unwrap();
    assert_eq!(values.len(), 60);
    for (frame, value) in values.iter().enumerate() {
        // The fixture loses the lit pass's end stamp in frames 5 and 6.
        assert_eq!(value.is_null(), frame == 5 || frame == 6, "frame {frame}: {value}");
        assert_ne!(value.as_i64(), Some(0), "frame {frame}");
    }
    let gap = &total["gaps"][0];
    let reason = usize::try_from(gap[2].as_u64().unwrap()).unwrap();
    assert_eq!((&gap[0], &gap[1]), (&serde_json::json!(5), &serde_json::json!(6)));
    assert_eq!(run["reasons"][reason], "not available");
    let parts = run["stack"]["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 5, "three passes, untimed, waits");
    assert!(
        parts.iter().all(|part| part["values"]["v"][5].is_null()),
        "a frame that is not whole has no part"
    );
}

#[test]
fn the_parts_of_a_frame_add_up_to_it() {
    let run = Recipe::default().analysis();
    let data = data(&page(from_ref(&run), from_ref(&run)));
    let parts = data["sections"][0]["runs"][0]["stack"]["parts"].as_array().unwrap();
    let account = run.ledger.frames[20].account.measured().unwrap();
    let whole = account.busy.0
        + account.untimed.0
        + account.hidden.measured().unwrap().0
        + account.waits.measured().unwrap().0;
    let (mut sum, mut rounded) = (0.0, 0.0);
    for part in parts {
        let step = part["values"]["step"].as_f64().unwrap();
        sum += step * part["values"]["v"][20].as_f64().unwrap_or(0.0);
        rounded += step / 2.0;
    }
    assert!((sum - whole as f64).abs() <= rounded, "{sum} for {whole}");
}

#[test]
fn each_runs_change_stands_beside_the_mean_of_the_runs_so_far() {
    let runs: Vec<Analysis> =
        [6_600, 6_700, 6_800].map(|lit_us| Recipe { lit_us, ..Recipe::default() }.analysis()).into();
    let base = Recipe::default().analysis();
    let data = data(&page(&runs, from_ref(&base)));
    let total = &data["sections"][0]["changes"][0];
    assert_eq!(total["label"], "gpu_total median");
    let each: Vec<f64> = total["each"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    // The baseline's median is 6.898 ms; the runs' are 0.6, 0.7 and 0.8 ms above it.
    for (each, more) in each.iter().zip([0.6, 0.7, 0.8]) {
        assert!((each - more / 6.898).abs() < 1e-3, "{each} for {more} ms more");
    }
    let running = total["running"].as_array().unwrap();
    assert_eq!((running.len(), &running[0][1]), (3, &Value::Null), "one run has no interval");
    let mean = running[2][0].as_f64().unwrap();
    assert!((mean - each.iter().sum::<f64>() / 3.0).abs() < 1e-12);
    // t of two degrees of freedom is 4.303; the standard deviation is 0.1 ms.
    let high = running[2][1][1].as_f64().unwrap();
    assert!((high - mean - 4.303 * 0.1 / 6.898 / 3f64.sqrt()).abs() < 1e-3, "{high}");
    assert_eq!(total["interval"], running[2][1]);
}

/// A run as large as they come: 1,800 frames of twelve passes, each of its own length in each frame.
fn large(turn: u64) -> Analysis {
    let recipe = Recipe { frames: 0..1_800, lost: vec![], ..Recipe::default() };
    let mut parts = recipe.parts();
    parts.passes = (0..12)
        .map(|pass| PassDef { name: format!("pass_number_{pass}"), semantics: Semantics::BottomBottom })
        .collect();
    parts.gates.clear();
    parts.stamps = (0..1_800 * 12)
        .map(|row: u64| {
            let (frame, pass) = (row / 12, row % 12);
            let at = frame * 50_000_000 + pass * 3_700_000;
            let noise = (row + turn * 7_919).wrapping_mul(6_364_136_223_846_793_005) >> 44;
            Stamp {
                frame,
                submission: u32::try_from(pass / 4).unwrap(),
                queue: framecost_sample::QueueId(0),
                pass: PassId(u16::try_from(pass).unwrap()),
                start: Reading::Measured(Ticks(at + noise % 1_000)),
                end: if row.is_multiple_of(997) {
                    Reading::Missing(Reason::NotAvailable)
                } else {
                    Reading::Measured(Ticks(at + 1_000_000 + noise))
                },
            }
        })
        .collect();
    framecost::analyse(&Capture::new(parts).unwrap(), &framecost::account::Floor::LastPass)
}

#[test]
fn ten_long_runs_and_their_baseline_stay_below_five_megabytes() {
    let runs: Vec<Analysis> = (0..10).map(large).collect();
    let base = large(10);
    let page = page(&runs, from_ref(&base));
    let library = include_str!("../assets/echarts/echarts.min.js").len();
    let rest = page.len() - library;
    assert!(rest < 5_000_000, "{rest} bytes beside the library");
    let data = data(&page);
    assert_eq!(data["sections"][0]["runs"].as_array().unwrap().len(), 10, "all of them are there");
    assert_eq!(data["sections"][0]["runs"][9]["lanes"]["frames"].as_array().unwrap().len(), 1_800);
}

#[test]
fn a_longer_run_leaves_frames_out_by_a_rule_that_the_page_states() {
    let run = Recipe { frames: 0..9_000, ..Recipe::default() }.analysis();
    let data = data(&page(from_ref(&run), from_ref(&run)));
    let run = &data["sections"][0]["runs"][0];
    let shown = run["figures"][0]["values"]["v"].as_array().unwrap().len();
    assert!(shown < 6_100, "{shown}");
    let rule = text(run, "/rule");
    assert!(
        rule.starts_with(&format!("{shown} of 9000 frames are drawn: of each 5 neighbours the fastest")),
        "{rule}"
    );
    assert_eq!(data["sections"][0]["spreads"][0]["run"]["of"], 8_998, "distributions are of all");
}

#[test]
fn the_library_is_the_one_that_its_readme_names() {
    let readme = include_str!("../assets/echarts/README.md");
    let files: [(&str, &[u8]); 4] = [
        ("echarts.min.js", include_bytes!("../assets/echarts/echarts.min.js")),
        ("LICENSE", include_bytes!("../assets/echarts/LICENSE")),
        ("NOTICE", include_bytes!("../assets/echarts/NOTICE")),
        ("LICENSE-d3", include_bytes!("../assets/echarts/LICENSE-d3")),
    ];
    for (name, bytes) in files {
        let hash: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert!(readme.contains(&format!("| `{name}` | `{hash}` |")), "{name} hashes to {hash}");
    }
    let version = "t.version=\"6.1.0\"";
    assert!(
        String::from_utf8_lossy(files[0].1).contains(version)
            && readme.starts_with("# Apache ECharts 6.1.0\n")
    );
}

/// Texts that have broken pages before, among arbitrary ones.
fn names() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "</script><img src=x onerror=alert(1)>",
        "<!--<script>",
        "]]>",
        "&lt;b&gt;",
        "\u{202e}gnp.exe",
        "\u{2028}\u{2029}\u{feff}",
        "\"'`\\",
        "\u{0}\u{1b}[31m",
    ]);
    prop_oneof![known.prop_map(str::to_owned), any::<String>().prop_filter("named", |name| !name.is_empty())]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_name_changes_the_page_around_it(names in prop::collection::vec(names(), 7), frames in 1u64..12) {
        let plain = Recipe { frames: 0..frames, ..Recipe::default() };
        let mut parts = plain.parts();
        for (i, pass) in parts.passes.iter_mut().enumerate() {
            pass.name = format!("{}{i}", names[i]);
        }
        parts.key.scene.clone_from(&names[3]);
        parts.key.adapter.clone_from(&names[4]);
        parts.queues[0].name.clone_from(&names[5]);
        parts.environment.facts[0].name.clone_from(&names[6]);
        let run = framecost::analyse(&Capture::new(parts).unwrap(), &framecost::account::Floor::LastPass);
        let page = page(from_ref(&run), from_ref(&run));
        let like = self::page(from_ref(&plain.analysis()), from_ref(&plain.analysis()));
        let around = |page: &str| {
            let (before, rest) = page.split_once("id=\"data\">").unwrap();
            format!("{before}{}", rest.split_once("</script>").unwrap().1)
        };
        prop_assert!(around(&page) == around(&like), "a name reached the page outside of its data");
        let (_, json) = page.split_once("id=\"data\">").unwrap();
        let json = json.split_once("</script>").unwrap().0;
        let acts = |c: char| c.is_control() || "<>&\u{200b}\u{202e}\u{feff}\u{2028}\u{2029}".contains(c);
        prop_assert!(!json.contains(acts), "{json}");
        let data = data(&page);
        let shown = text(&data, "/sections/0/passes/0/name");
        prop_assert!(!shown.chars().any(|c| c.is_control() || "\u{202e}\u{feff}\u{2028}".contains(c)), "{shown:?}");
    }
}

#[test]
fn markup_in_a_name_stays_as_it_is_and_controls_are_written_out() {
    let run = Recipe::default().analysis();
    let data = data(&page(from_ref(&run), from_ref(&run)));
    let name = text(&data, "/sections/0/passes/1/name");
    assert_eq!(name, HOSTILE.replace('\u{1b}', r"\u{1b}"));
}
