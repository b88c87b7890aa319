//! Judgements as CI servers read them: JUnit XML read back by another reader than the writer's, and GitHub's workflow
//! commands taken apart as its runner does. What must not pass is never green.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{Recipe, by_threshold, regressed, threshold};
use framecost::account::Floor;
use framecost::judge::{Across, Judgement, Outcome, Overall, Verdict, judge};
use framecost::report::{Report, Undecided, github, junit};
use framecost::{Analysis, analyse};
use framecost_sample::{Capture, CaptureParts, Reading, Reason};
use proptest::prelude::*;
use roxmltree::{Document, Node};

struct Judged {
    report: Report,
    overall: Overall,
}

fn judged(run: &Analysis, baseline: Option<&Analysis>, config: &str) -> Judged {
    let config = by_threshold(config);
    let judgement = judge(from_ref(run), baseline.map_or(&[], from_ref), &config, Across::DECLARED);
    of(Report::new(run, baseline, Some(&judgement)), &judgement, Undecided::Fails)
}

fn of(report: Report, judgement: &Judgement, undecided: Undecided) -> Judged {
    let overall = Overall::of(&[judgement], &[], |it| match undecided {
        Undecided::Fails => it.tally(),
        Undecided::Passes => it.tally().undecided_passed(),
    });
    Judged { report, overall }
}

/// A run whose `lit` lost every end stamp, against one that has them, with a pass of one value that cannot be judged.
fn lossy() -> Judged {
    let run = Recipe { lost: (0..60).collect(), ..Recipe::default() }.analysis();
    judged(&run, Some(&Recipe::default().analysis()), "")
}

fn elements<'a>(document: &'a Document<'_>, name: &'static str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name(name)).collect()
}

/// `failure`, `error`, `skipped` or `passed` of each case, with its name.
fn states(document: &Document<'_>) -> Vec<(String, String)> {
    let state = |case: &Node<'_, '_>| {
        let named = |it: &Node<'_, '_>| ["failure", "error", "skipped"].contains(&it.tag_name().name());
        let found: Vec<_> = case.children().filter(named).map(|it| it.tag_name().name().to_owned()).collect();
        assert!(found.len() <= 1, "{found:?}");
        found.into_iter().next().unwrap_or_else(|| "passed".into())
    };
    let cases = elements(document, "testcase");
    cases.iter().map(|case| (state(case), case.attribute("name").unwrap().to_owned())).collect()
}

/// The counts that each suite and the whole claim are those of its cases.
fn check_counts(document: &Document<'_>) {
    for element in elements(document, "testsuite").into_iter().chain(elements(document, "testsuites")) {
        let within =
            |name: &str| element.descendants().filter(|it| it.has_tag_name(name)).count().to_string();
        for (attribute, name) in
            [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            assert_eq!(element.attribute(attribute), Some(within(name).as_str()), "{attribute}");
        }
    }
}

fn red(document: &Document<'_>) -> usize {
    elements(document, "failure").len() + elements(document, "error").len()
}

#[test]
fn a_regression_as_junit() {
    let run = Recipe { switches: vec![("lit_load", "4")], ..Recipe::default() }.analysis();
    let base = Recipe { lit_us: 1500, switches: vec![("lit_load", "1")], ..Recipe::default() }.analysis();
    let Judged { report, overall } = judged(&run, Some(&base), "");
    let xml = junit(&overall, from_ref(&report), &[], Undecided::Fails);
    let document = Document::parse(&xml).unwrap();
    check_counts(&document);
    let shown: Vec<&str> = xml.lines().take_while(|line| !line.contains("REGRESSED  ")).collect();
    insta::assert_snapshot!(shown.join("\n"));
    // The whole report stands below the cases, as a terminal shows it.
    let out = elements(&document, "system-out");
    let whole = out.last().and_then(Node::text).unwrap();
    assert!(
        whole.contains("lit_load 1 -> 4") && whole.contains("depth|\\u{1b}[31m<img src=x>`@all"),
        "{whole}"
    );
}

#[test]
fn what_is_missing_is_an_error_and_never_skipped() {
    let Judged { report, overall } = lossy();
    assert_eq!(overall.outcome, Outcome::NotMeasured);
    let xml = junit(&overall, from_ref(&report), &[], Undecided::Fails);
    let document = Document::parse(&xml).unwrap();
    let states = states(&document);
    assert!(states.contains(&("error".into(), "attributed/lit median".into())), "{states:?}");
    assert!(states.iter().all(|(state, _)| state != "skipped"), "{states:?}");
    let kinds: Vec<_> = elements(&document, "error").iter().filter_map(|it| it.attribute("type")).collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == "missing"), "{kinds:?}");
}

#[test]
fn a_document_of_skipped_cases_alone_is_red() {
    let Judged { report, overall } = judged(&Recipe::default().analysis(), None, "");
    let xml = junit(&overall, from_ref(&report), &[], Undecided::Fails);
    let document = Document::parse(&xml).unwrap();
    let states = states(&document);
    assert_eq!(states[0], ("error".into(), "something was compared".into()));
    assert!(states.len() > 5 && states[1..].iter().all(|(state, _)| state == "skipped"), "{states:?}");
    let lines = github(&overall, from_ref(&report), &[], Undecided::Fails);
    insta::assert_snapshot!(lines, @r"
    ::error title=framecost::NOT MEASURED: nothing was compared, 9 skipped
    ::warning title=nothing was compared::orrery 2560x1440 lit_load=1 shadow_rays=off, Test GPU: nothing was compared, 9 skipped
    ");
}

#[test]
fn undecided_is_red_unless_the_caller_lets_it_pass() {
    let run = Recipe::default().analysis();
    let mut judgement = judge(from_ref(&run), from_ref(&run), &threshold(), Across::NOTHING);
    for row in &mut judgement.rows {
        row.verdict = Verdict::Undecided("too few runs".into());
    }
    // #7 of the newcomer: where nothing at all was decided there is nothing that could pass.
    for undecided in [Undecided::Fails, Undecided::Passes] {
        let Judged { report, overall } =
            of(Report::new(&run, Some(&run), Some(&judgement)), &judgement, undecided);
        assert_eq!(overall.outcome, Outcome::NotMeasured);
        let xml = junit(&overall, from_ref(&report), &[], undecided);
        assert!(red(&Document::parse(&xml).unwrap()) > 0, "{xml}");
        let lines = github(&overall, from_ref(&report), &[], undecided);
        let first = "::error title=framecost::UNDECIDED: nothing could be decided, 9 undecided";
        assert_eq!(lines.lines().next(), Some(first));
    }
    judgement.rows[0].verdict = Verdict::Pass;
    for (undecided, expected) in [(Undecided::Fails, false), (Undecided::Passes, true)] {
        let Judged { report, overall } =
            of(Report::new(&run, Some(&run), Some(&judgement)), &judgement, undecided);
        let xml = junit(&overall, from_ref(&report), &[], undecided);
        let document = Document::parse(&xml).unwrap();
        assert_eq!((red(&document) == 0, overall.outcome == Outcome::Passed), (expected, expected));
        let lines = github(&overall, from_ref(&report), &[], undecided);
        assert_eq!(!lines.contains("::error "), expected, "{lines}");
    }
}

#[test]
fn a_regression_as_workflow_commands() {
    let report = regressed();
    let run = Recipe { switches: vec![("lit_load", "4")], ..Recipe::default() }.analysis();
    let base = Recipe { lit_us: 1500, switches: vec![("lit_load", "1")], ..Recipe::default() }.analysis();
    let Judged { overall, .. } = judged(&run, Some(&base), "");
    insta::assert_snapshot!(github(&overall, from_ref(&report), &[], Undecided::Fails), @r"
    ::error title=framecost::REGRESSED: 10 compared (5 failed, 5 passed), 1 skipped, 1 only shown
    ::error title=FAIL attributed/lit median::orrery 2560x1440 lit_load=4 shadow_rays=off, Test GPU: baseline 1.541 ms, run 6.041 ms, ratio 3.920, limit +10 %25 and 20.00 us
    ::error title=FAIL gpu_total median::orrery 2560x1440 lit_load=4 shadow_rays=off, Test GPU: baseline 2.398 ms, run 6.898 ms, ratio 2.877, limit +10 %25 and 20.00 us
    ::error title=FAIL gpu_total p95::orrery 2560x1440 lit_load=4 shadow_rays=off, Test GPU: baseline 2.407 ms, run 6.907 ms, ratio 2.870, limit +10 %25 and 20.00 us
    ::error title=FAIL gate/opaque median::orrery 2560x1440 lit_load=4 shadow_rays=off, Test GPU: baseline 2.429 ms, run 6.929 ms, ratio 2.852, limit +10 %25 and 20.00 us
    ::error title=FAIL budget opaque main pass%3A gate/opaque median::orrery 2560x1440 lit_load=4 shadow_rays=off, Test GPU: run 6.929 ms, limit 6.000 ms
    ");
}

#[test]
fn more_annotations_than_github_shows_are_counted_in_the_last() {
    let Judged { report, overall } = lossy();
    let reports = vec![report; 8];
    let lines = github(&overall, &reports, &[], Undecided::Fails);
    let errors: Vec<&str> = lines.lines().filter(|line| line.starts_with("::error ")).collect();
    let verdicts = reports[0].verdicts.as_ref().unwrap();
    let all = 1 + 8 * (verdicts.tally.missing + verdicts.tally.failed);
    assert_eq!(errors.len(), 10);
    let last = format!("::error title=framecost::and {} further errors: see the report", all - 9);
    assert_eq!(errors[9], last);
}

/// A run that lost one pass outright, with many figures that the data cannot tell beside it.
#[test]
fn the_largest_failure_is_read_first_and_all_that_is_undecided_is_one_annotation() {
    let Judged { report: mut lossy, .. } = judged(&Recipe::default().analysis(), Some(&slow()), "");
    let verdicts = lossy.verdicts.as_mut().unwrap();
    let row = verdicts.rows.iter().find(|row| row.ratio.is_some()).unwrap().clone();
    let with = |i: usize, verdict: Verdict, ratio: f64| {
        let mut row = row.clone();
        row.figure.metric = format!("figure_{i:02}");
        (row.verdict, row.ratio) = (verdict, Some(ratio));
        row
    };
    // As the newcomer met it: many undecided figures, and the failure that matters last of all.
    verdicts.rows = (0..8).map(|i| with(i, Verdict::Undecided("the runs spread".into()), 1.2)).collect();
    verdicts.rows.push(with(8, Verdict::Missing("lost".into()), 1.0));
    verdicts.rows.extend((9..20).map(|i| with(i, Verdict::Fail, 1.11 + i as f64 / 1000.0)));
    verdicts.rows.push(with(20, Verdict::Fail, 7.067));
    let judgement = judge(from_ref(&Recipe::default().analysis()), &[], &threshold(), Across::NOTHING);
    let overall = Overall::of(&[&judgement], &[], Judgement::tally);
    let lines = github(&overall, from_ref(&lossy), &[], Undecided::Fails);
    let titles: Vec<String> = lines.lines().filter_map(command).map(|it| it.1).collect();
    assert_eq!(titles.len(), 10, "{lines}");
    assert!(titles[1].starts_with("FAIL figure_20") && titles[2].starts_with("FAIL figure_19"), "{titles:?}");
    assert!(lines.contains("and 6 further errors: see the report"), "{lines}");
    let last = lines.lines().last().unwrap();
    assert!(last.contains("8 figures could not be decided; most likely a loss: "), "{last}");
    assert_eq!(lines.matches("the runs spread").count(), 1, "{lines}");
}

fn slow() -> Analysis {
    Recipe { lit_us: 1500, ..Recipe::default() }.analysis()
}

/// A line as the runner of GitHub reads it: command, title and message, with escapes undone.
fn command(line: &str) -> Option<(String, String, String)> {
    let rest = line.strip_prefix("::")?;
    let (head, message) = rest.split_once("::")?;
    let (name, title) = head.split_once(" title=")?;
    let undo = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n");
    let title = undo(title).replace("%3A", ":").replace("%2C", ",").replace("%25", "%");
    Some((name.into(), title, undo(message).replace("%25", "%")))
}

/// Names that break out of XML, of a command, of a line.
fn names() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "\"/><failure/>",
        "]]><x>",
        "&lt;&#0;",
        "\u{0}\u{8}\u{b}\u{1f}",
        "\u{fffe}\u{ffff}\u{85}\u{2028}",
        "a\n::error title=x::y",
        "a\r::add-mask::b",
        "::stop-commands::x",
        "%0A%25%",
        "a,b:c::d",
    ]);
    prop_oneof![known.prop_map(str::to_owned), any::<String>().prop_filter("named", |name| !name.is_empty())]
}

fn hostile() -> impl Strategy<Value = CaptureParts> {
    prop::collection::vec(names(), 6).prop_map(|names| {
        let mut parts = Recipe { frames: 0..24, ..Recipe::default() }.parts();
        for (i, pass) in parts.passes.iter_mut().enumerate() {
            pass.name = format!("{}{i}", names[i]);
        }
        parts.gates[0].name.clone_from(&names[3]);
        parts.key.scene.clone_from(&names[4]);
        parts.key.adapter.clone_from(&names[5]);
        let why = Reason::SourceRefused(names[0].as_str().into());
        parts.figures[0].reading = Reading::Missing(why);
        parts
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_name_breaks_out_and_red_is_what_does_not_pass(run in hostile(), base in hostile(), same: bool) {
        let analysis = |parts: CaptureParts| {
            analyse(&Capture::new(parts).unwrap(), &Floor::LastPass)
        };
        let run = analysis(run);
        let base = if same { run.clone() } else { analysis(base) };
        let Judged { report, overall } = judged(&run, Some(&base), "");
        let xml = junit(&overall, from_ref(&report), &[], Undecided::Fails);
        let document = Document::parse(&xml).unwrap();
        check_counts(&document);
        prop_assert_eq!(red(&document) == 0, overall.outcome == Outcome::Passed);
        let known = ["testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped", "system-out"];
        for node in document.descendants().filter(Node::is_element) {
            prop_assert!(known.contains(&node.tag_name().name()), "{}", node.tag_name().name());
        }
        let lines = github(&overall, from_ref(&report), &[], Undecided::Fails);
        for line in lines.lines() {
            let read = command(line);
            prop_assert!(read.is_some(), "{line}");
            let (name, title, message) = read.unwrap();
            prop_assert!(["error", "warning", "notice"].contains(&name.as_str()), "{line}");
            prop_assert!(!title.contains(['\n', '\r']) && !message.contains(['\n', '\r']), "{line}");
        }
        prop_assert_eq!(!lines.contains("::error "), overall.outcome == Outcome::Passed);
    }
}
