//! Reports of verdicts by the rule of runs: what stands behind each.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod fixture;

use std::slice::from_ref;

use fixture::{HOSTILE, Recipe};
use framecost::Analysis;
use framecost::judge::{Across, Config, Judgement, Overall, judge};
use framecost::report::{Page, Report, Section, Style, html, json, markdown, markdown_of_all, text};

/// Five stored runs whose lit pass differs by a few microseconds, and one run that takes 1 ms longer in it.
fn by_runs() -> Report {
    let of = |lit_us| Recipe { lit_us, ..Recipe::default() }.analysis();
    let stored = [6000, 6010, 5990, 6005, 5995].map(of);
    let run = of(7000);
    let judgement = judge(from_ref(&run), &stored, &Config::default(), Across::NOTHING);
    Report::new(&run, stored.first(), Some(&judgement))
}

#[test]
fn the_rule_of_runs_shows_what_stands_behind_each_verdict() {
    let shown = text(&by_runs(), &Style::PLAIN);
    let table: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.contains("by runs"))
        .take_while(|line| !line.is_empty())
        .collect();
    insta::assert_snapshot!(table.join("\n").replace(HOSTILE, "depth"), @r#"
    by runs                                          baseline        run   change              interval
    gpu_total median                          fail   6.898 ms   7.898 ms  +14.5 %    +14.0 % to +15.0 %
    gpu_total p95                             fail   6.907 ms   7.907 ms  +14.5 %    +13.9 % to +15.0 %
    gpu_total hitches                         pass          0          0        0           0 to +4.605
    attributed/cull median                    pass   120.0 us   120.0 us    0.0 %  -0.032 % to +0.032 %
    attributed/depth|\... src=x>`@all median  pass   740.0 us   740.0 us    0.0 %  -0.005 % to +0.005 %
    attributed/lit median                     fail   6.041 ms   7.041 ms  +16.6 %    +15.9 % to +17.2 %
    gate/opaque median                        fail   6.929 ms   7.929 ms  +14.4 %    +13.9 % to +15.0 %
    cpu_frame median                          pass   903.0 us   903.0 us    0.0 %        0.0 % to 0.0 %
    texture_bytes median                      pass  64.00 KiB  64.00 KiB    0.0 %        0.0 % to 0.0 %
    baseline and run are means over the runs, of ratios the geometric ones; 1 in 100 true changes lies beyond either end of its interval; spread is from run to run; a loss as large as "would show" is found nine times of ten
    note: 1 run against 5 of the baseline: tables below the verdict are of the run alone
    the rule of runs: of comparisons of equal work at most 1 in 100 fails, if runs differ as those stored do
    "#);
    let page = markdown(&by_runs());
    assert!(
        page.contains("| by runs | verdict | baseline | run | change | interval | spread | would show |"),
        "{page}"
    );
    let document: serde_json::Value = serde_json::from_str(&json(&by_runs())).unwrap();
    let rows = document["verdict"]["rows"].as_array().unwrap();
    let lit = rows.iter().find(|row| row["name"] == "lit" && row["metric"] == "attributed").unwrap();
    assert_eq!(lit["evidence"]["scale"], "ratio");
    assert!((lit["evidence"]["change"].as_f64().unwrap() - 0.164).abs() < 0.01, "{lit}");
}

/// Runs that lie a quarter apart, against five that do too.
fn noisy() -> (Vec<Analysis>, Vec<Analysis>, Report) {
    let of = |lit_us| Recipe { lit_us, ..Recipe::default() }.analysis();
    let stored: Vec<_> = [6000, 7600, 5000, 8900, 6900].map(of).into();
    let runs: Vec<_> = [5000, 6300, 6400].map(of).into();
    let judgement = judge(&runs, &stored, &Config::default(), Across::NOTHING);
    let report = Report::new(&runs[0], stored.first(), Some(&judgement));
    (runs, stored, report)
}

/// #6 and #9 of the newcomer: a tile of the first run of each, and one figure's reason for all of them.
#[test]
fn the_page_says_of_several_runs_what_the_verdict_says() {
    let (runs, stored, report) = noisy();
    let row = report.verdicts.as_ref().unwrap().rows.iter().find(|row| row.evidence.is_some()).unwrap();
    let change = format!("{:.1} % against ", 100.0 * row.evidence.as_ref().unwrap().change);
    let names = ["a", "b", "c"].map(str::to_owned).into();
    let section = Section { report: &report, runs: &runs, names, baseline: &stored, baseline_name: None };
    let page = Page { overall: None, sections: vec![section], differences: &[], histories: &[] };
    let html = html(&page);
    assert!(html.contains(&change), "{change} is not on the page");
    let rows = &report.verdicts.as_ref().unwrap().rows;
    let reasons: std::collections::BTreeSet<_> = rows.iter().filter_map(|row| row.verdict.reason()).collect();
    let one = html.contains("could not be decided (the interval");
    assert_eq!(one, reasons.len() == 1, "each figure has a reason of its own: {reasons:?}");
    assert!(html.contains("UNDECIDED") && html.contains("next: equal runs lie"));
}

/// #5, #6 and #9 of the newcomer: a row that contradicts itself, tables of one run below a verdict of several, and twelve pieces
/// of advice of which none is a next step.
#[test]
fn runs_too_far_apart_are_undecided_with_one_next_step_and_nothing_contradicts_the_verdict() {
    let (.., report) = noisy();
    let shown = text(&report, &Style::PLAIN);
    let (first, below) = shown.split_once('\n').unwrap();
    assert!(first.starts_with("UNDECIDED  "), "{first}");
    let next: Vec<&str> = below.lines().filter(|line| line.contains("next: ")).collect();
    assert_eq!(next.len(), 1, "{shown}");
    let expected = "apart in gpu_total median (standard deviation), so it, like 3 more figures, cannot be judged at its limit of 10 %";
    assert!(next[0].contains("  next: equal runs lie 1") && next[0].contains(expected), "{}", next[0]);
    assert!(!shown.contains("  ratio"), "ratios of the first run alone are not what was judged:\n{shown}");
    assert!(shown.contains("baseline and run are means over the runs"), "{shown}");
    for row in &report.verdicts.as_ref().unwrap().rows {
        let Some(evidence) = &row.evidence else { continue };
        assert!((row.current.unwrap() - row.baseline.unwrap()) * evidence.change >= 0.0, "{row:?}");
    }
    assert!(markdown(&report).starts_with("### UNDECIDED: "), "{}", markdown(&report));
}

/// #10 of the newcomer: a floor of 20 us stood as a count of 20.00 k.
#[test]
fn the_limit_of_hitches_is_a_number_of_frames() {
    let of = |more: Option<u64>| {
        let mut recipe = Recipe { frames: 0..600, lost: vec![], ..Recipe::default() };
        recipe.heavier = more.map(|more| (300..330, more));
        recipe.analysis()
    };
    let stored =
        [of(None), Recipe { frames: 0..600, lost: vec![], lit_us: 6010, ..Recipe::default() }.analysis()];
    let run = of(Some(9000));
    let judgement = judge(from_ref(&run), &stored, &Config::default(), Across::NOTHING);
    let shown = text(&Report::new(&run, stored.first(), Some(&judgement)), &Style::PLAIN);
    let line = shown.lines().find(|line| line.contains("FAIL  gpu_total hitches")).unwrap();
    assert!(line.ends_with("+6 (1 frame in 100)"), "{line}");
    assert!(!shown.contains("20.00 k"), "{shown}");
}

/// #17 of the newcomer: two runs gave an interval of +1265645723702127.25 %.
#[test]
fn an_interval_past_all_sense_says_that_there_are_too_few_runs() {
    let of = |lit_us| Recipe { lit_us, ..Recipe::default() }.analysis();
    let stored = [6000, 9500].map(of);
    let run = of(7000);
    let judgement = judge(from_ref(&run), &stored, &Config::default(), Across::NOTHING);
    let shown = text(&Report::new(&run, stored.first(), Some(&judgement)), &Style::PLAIN);
    let line =
        shown.lines().find(|line| line.contains("gpu_total median") && line.contains("undecided")).unwrap();
    assert!(line.contains("too few runs"), "{line}");
}

/// #11 of the newcomer: GitHub takes no comment of more than 65,536 characters.
#[test]
fn a_report_that_no_comment_could_hold_keeps_its_verdicts_and_says_that_it_is_short() {
    let reports = vec![by_runs(); 60];
    let run = Recipe::default().analysis();
    let judgement = judge(from_ref(&run), &[], &Config::default(), Across::NOTHING);
    let overall = Overall::of(&[&judgement], &[], Judgement::tally);
    let few = markdown_of_all(&overall, &reports[..3], &[]);
    assert!(few.len() < 60_000 && !few.contains("shortened to fit"), "{}", few.len());
    let some = markdown_of_all(&overall, &reports[..12], &[]);
    assert_eq!(some.matches("### REGRESSED: ").count(), 12, "each set's verdict stays");
    assert!(some.len() < 61_000 && some.trim_end().ends_with("as html, json or text"), "{}", some.len());
    let many = markdown_of_all(&overall, &reports, &[]);
    assert!(many.len() < 61_000 && many.trim_end().ends_with("as html, json or text"), "{}", many.len());
}

/// #5 of the newcomer: medians of all frames that moved the other way than the same frames did stood beside the change.
#[test]
fn values_that_would_contradict_their_change_are_left_out_with_a_word() {
    let (.., mut report) = noisy();
    let verdicts = report.verdicts.as_mut().unwrap();
    let lit = |row: &&mut framecost::judge::Row| {
        format!("{} {}", row.figure, row.statistic) == "attributed/lit median"
    };
    let row = verdicts.rows.iter_mut().find(lit).unwrap();
    (row.evidence.as_mut().unwrap().sides, row.current, row.baseline) = ((9e6, 8e6), Some(9e6), Some(8e6));
    let shown = text(&report, &Style::PLAIN);
    let line = shown
        .lines()
        .find(|line| line.contains("attributed/lit median") && line.contains(" undecided "))
        .unwrap();
    assert!(!line.contains("9.000 ms") && !line.contains("8.000 ms"), "{line}");
    let said = "left out where their medians moved the other way than the same frames did, each held against itself, which is the change: attributed/lit median";
    assert!(shown.contains(said), "{shown}");
}
