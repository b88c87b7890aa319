//! Names and values from outside, whatever they are: rendering never panics, and no name acts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;
use std::sync::Arc;

use fixture::{Recipe, threshold};
use framecost::account::Floor;
use framecost::analyse;
use framecost::judge::{Across, Config, judge};
use framecost::report::{Recount, Report, Style, json, markdown, recount_json, recount_text, text};
use framecost_sample::{
    Better, Capture, CaptureParts, Fact, Metric, MetricId, Reading, Reason, Sample, Ticks, Unit,
};
use proptest::prelude::*;
use serde_json::Value;

/// Texts that have broken terminals, tables and pages before, among arbitrary ones.
fn names() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "\u{1b}]0;title\u{7}",
        "\u{9b}31m",
        "</code><script>alert(1)</script>",
        "a|b|c",
        "`` ` ```",
        "| --- |",
        "\r\n# heading",
        "![x](https://example.org/x.png)",
        "@team fixes #1",
        "\u{202e}gnp.exe",
        "e\u{301}\u{200b}\u{feff}",
        "\\u{1b}",
        "-",
        "1. one",
        "\u{0}",
    ]);
    prop_oneof![known.prop_map(str::to_owned), any::<String>().prop_filter("named", |name| !name.is_empty())]
}

fn values() -> impl Strategy<Value = f64> {
    let edges = vec![0.0, -0.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e15, 999.95, -999.96e3];
    prop_oneof![prop::sample::select(edges), any::<f64>().prop_filter("finite", |value| value.is_finite())]
}

/// The fixture with names and sampled values from outside. Names of one list are kept apart by a number.
fn hostile() -> impl Strategy<Value = CaptureParts> {
    (prop::collection::vec(names(), 10), prop::collection::vec(values(), 8), 1u64..12, any::<bool>())
        .prop_map(|(names, values, frames, counter_restarts)| {
            let mut parts = Recipe { frames: 0..frames, ..Recipe::default() }.parts();
            for (i, pass) in parts.passes.iter_mut().enumerate() {
                pass.name = format!("{}{i}", names[i]);
            }
            parts.gates[0].name.clone_from(&names[3]);
            parts.key.scene.clone_from(&names[4]);
            parts.key.adapter.clone_from(&names[5]);
            parts.key.switches.0.insert(names[6].clone(), names[7].clone());
            parts.producer.clone_from(&names[8]);
            parts.environment.facts.push(Fact {
                name: names[9].clone(),
                before: Reading::Missing(Reason::SourceRefused(Arc::from(names[0].as_str()))),
                after: Reading::Measured(names[1].clone()),
            });
            for (unit, i) in Unit::ALL.into_iter().zip(0u16..) {
                sampled(&mut parts, unit, &format!("{}{i}", names[2]), &values[usize::from(i)..]);
            }
            if let Some(last) = parts.stamps.last_mut().filter(|_| counter_restarts) {
                last.end = Reading::Measured(Ticks(3));
            }
            parts.samples.sort_by_key(|sample| (sample.frame, sample.metric));
            parts
        })
}

fn sampled(parts: &mut CaptureParts, unit: Unit, name: &str, values: &[f64]) {
    let metric = MetricId(u16::try_from(parts.metrics.len()).unwrap());
    parts.metrics.push(Metric { name: name.into(), unit, better: Better::Lower, about: name.into() });
    for (&frame, &value) in parts.frames.iter().zip(values.iter().cycle()) {
        parts.samples.push(Sample { frame, metric, reading: Reading::Measured(value) });
    }
}

/// What a terminal line may not hold.
fn acts(c: char) -> bool {
    (c.is_control() && c != '\n') || "\u{200b}\u{202e}\u{feff}\u{2028}\u{2029}\u{85}".contains(c)
}

/// Each table's rows have as many cells as its title: no name opened or closed one.
fn check_tables(markdown: &str) -> Result<(), TestCaseError> {
    let bars = |line: &str| line.matches('|').count();
    for (before, line) in markdown.lines().zip(markdown.lines().skip(1)) {
        if before.starts_with('|') && line.starts_with('|') {
            prop_assert_eq!(bars(before), bars(line), "{}\n{}", before, line);
        }
    }
    Ok(())
}

/// Every tag is one that the report itself writes.
fn check_tags(markdown: &str) -> Result<(), TestCaseError> {
    for (at, _) in markdown.match_indices('<') {
        let ours = ["<code>", "</code>", "<details>", "</details>", "<summary>", "</summary>"];
        prop_assert!(ours.iter().any(|tag| markdown[at..].starts_with(tag)), "{}", &markdown[at..]);
    }
    Ok(())
}

fn check_json(text: &str) -> Result<(), TestCaseError> {
    fn no_null(value: &Value) -> bool {
        match value {
            Value::Null => false,
            Value::Array(items) => items.iter().all(no_null),
            Value::Object(fields) => fields.values().all(no_null),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
        }
    }
    let value: Value = serde_json::from_str(text).map_err(|fault| TestCaseError::fail(fault.to_string()))?;
    prop_assert!(!text.contains(acts), "{}", text);
    prop_assert!(no_null(&value), "null stands for nothing: {}", text);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_name_acts_and_no_value_breaks_a_report(run in hostile(), base in hostile(), width in 0usize..200) {
        let run = analyse(&Capture::new(run).unwrap(), &Floor::LastPass);
        let base = analyse(&Capture::new(base).unwrap(), &Floor::LastPass);
        for baseline in [&base, &run] {
            let judgement = judge(from_ref(&run), from_ref(baseline), &threshold(), Across::DECLARED);
            let report = Report::new(&run, Some(baseline), Some(&judgement));
            for unicode in [false, true] {
                let shown = text(&report, &Style { colour: false, unicode, width });
                prop_assert!(!shown.contains(acts), "{}", shown);
            }
            let shown = markdown(&report);
            prop_assert!(!shown.contains(acts), "{}", shown);
            check_tables(&shown)?;
            check_tags(&shown)?;
            check_json(&json(&report))?;
        }
    }

    #[test]
    fn no_name_acts_in_a_recount(parts in hostile()) {
        let capture = Capture::new(parts).unwrap();
        let recount =
            Recount::new(&analyse(&capture, &Floor::LastPass), &analyse(&capture, &Floor::None)).unwrap();
        let shown = recount_text(&recount, &Style::PLAIN);
        prop_assert!(!shown.contains(acts), "{}", shown);
        check_json(&recount_json(&recount))?;
    }

    #[test]
    fn no_text_breaks_the_configuration_reader(text: String) {
        if let Err(fault) = Config::from_toml(&text) {
            prop_assert!(fault.line >= 1 && fault.column >= 1);
            prop_assert!(!fault.to_string().contains(acts), "{:?}", fault);
        }
    }
}
