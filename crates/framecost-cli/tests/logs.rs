//! Verdicts on logs of other tools: what is compared, what the limits are, and what stands beside a verdict that rests on little.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::logs::{frames, import, mangohud, presentmon, presentmon_2, presentmon_22, timed};
use common::{Done, Place};

/// The formats in which a judgement is written.
const FORMATS: [&str; 6] = ["text", "markdown", "json", "junit", "github", "html"];

fn check(done: &Done, code: i32, texts: &[&str]) {
    assert_eq!(done.code, code, "{done:?}");
    for text in texts {
        assert!(done.stdout.contains(text), "no `{text}` in {}", done.stdout);
    }
}

/// Most captures last a fixed time, so the slower game has fewer frames: that is no measurement that was lost.
#[test]
fn a_slower_game_in_as_much_time_is_worse_and_not_unmeasured() {
    let place = Place::new();
    import(&place, "old", &mangohud(&timed(10_000.0, 40.0, 1)));
    import(&place, "slow", &mangohud(&timed(15_000.0, 40.0, 2)));
    import(&place, "brief", &mangohud(&timed(10_000.0, 15.0, 3)));
    let worse = place.framecost("compare slow.framecost --baseline old.framecost");
    check(
        &worse,
        1,
        &["FAIL  presented_interval median", "each log is compared as a whole; frames: run 26", "baseline 4"],
    );
    assert!(!worse.stdout.contains("MISSING"), "{}", worse.stdout);
    assert!(!worse.stdout.contains("both measured") && !worse.stdout.contains("frames of the run last"));
    // What lasted far less is compared too, and that it did is said.
    for format in FORMATS {
        let brief =
            place.framecost(&format!("compare brief.framecost --baseline old.framecost --format {format}"));
        check(
            &brief,
            0,
            &["frames of the run last 15.00 s, of the baseline 40.00 s: whole logs are compared"],
        );
    }
}

/// A frame that was never shown has no displayed interval by what it is, so that none of its figures was lost.
#[test]
fn frames_that_were_never_shown_are_no_lost_values() {
    let place = Place::new();
    import(&place, "old", &presentmon(&frames(10_000.0, 2000, 1), 2001));
    import(&place, "dropping", &presentmon(&frames(10_000.0, 2000, 2), 4));
    let done = place.framecost("compare dropping.framecost --baseline old.framecost");
    assert!(!done.stdout.contains("it takes 9 of 10"), "{}", done.stdout);
    check(&done, 1, &["FAIL  displayed_interval p95"]);
}

/// A frame time that grows by 10 % is a rate that falls by 9.1 %: the limit that is printed is the one that is applied.
#[test]
fn limits_on_rates_are_printed_as_they_are_applied() {
    let place = Place::new();
    let old = frames(10_000.0, 2000, 1);
    let by = |factor: f64| mangohud(&old.iter().map(|time| time * factor).collect::<Vec<_>>());
    for (name, factor) in [("old", 1.0), ("over", 1.105), ("under", 1.095), ("gain", 0.9)] {
        import(&place, name, &by(factor));
    }
    let compare = |name: &str, format: &str| {
        place.framecost(&format!("compare {name}.framecost --baseline old.framecost --format {format}"))
    };
    let over = compare("over", "text");
    check(
        &over,
        1,
        &["FAIL  presented_interval median", "FAIL  frames_per_second median", "-9.09 %", "+10 %"],
    );
    assert!(!over.stdout.contains("-10 %"), "{}", over.stdout);
    check(&compare("under", "text"), 0, &["WARN  frames_per_second median", "-4.76 %"]);
    // Of a gain the factor is the same: what grew by 10 % fell by 9.1 %.
    check(&compare("gain", "text"), 0, &["IMPROVED  presented_interval median", "-9.09 %", "+10 %"]);
    check(&place.framecost("config check over.framecost"), 0, &["-9.09 %  -4.76 %", "+10 %    +5 %"]);
    for format in FORMATS {
        let done = compare("over", format);
        let limit = match format {
            "json" => "\"fail_change\": -0.0909090909",
            "github" => "limit -9.09 %25",
            _ => "-9.09 %",
        };
        check(&done, 1, &[limit]);
    }
}

/// Somebody pressed alt-tab while the baseline was captured: its 1 % low is that pause, and hides a run that stutters.
#[test]
fn a_verdict_that_rests_on_a_pause_is_marked_whichever_side_has_it() {
    let place = Place::new();
    let calm = frames(10_000.0, 2000, 1);
    let mut pause = calm.clone();
    pause[900] = 30_000_000.0;
    let mut stutters = frames(10_000.0, 2000, 2);
    (50..2000).step_by(118).for_each(|i| stutters[i] = 100_000.0);
    for (name, times) in [("calm", &calm), ("pause", &pause), ("stutters", &stutters)] {
        import(&place, name, &mangohud(times));
    }
    let compare = |run: &str, old: &str, format: &str| {
        place.framecost(&format!("compare {run}.framecost --baseline {old}.framecost --format {format}"))
    };
    let hidden = compare("stutters", "pause", "text");
    check(
        &hidden,
        3,
        &[
            "UNDECIDED  low.worst.count@1%: without the frames above 1.000 s the change is past its limit: capture again",
            "note: undecided* low.worst.count@1% rests on frames above 1.000 s; without them: baseline 9",
            "past its limit",
            "note: the baseline has 1 frame above 1.000 s, the longest 30.00 s (frame 900)",
            "counts in presented_interval p95, presented_interval p99, low.worst.count@1%",
        ],
    );
    for format in FORMATS {
        check(&compare("stutters", "pause", format), 3, &["rests on frames above 1.000 s; without them: "]);
    }
    // The pause of the run makes a loss that is none; it is said of that side too.
    let mut again = frames(10_000.0, 2000, 3);
    again[1200] = 5_000_000.0;
    import(&place, "again", &mangohud(&again));
    check(
        &compare("again", "calm", "text"),
        1,
        &[
            "FAIL*  low.worst.count@1%",
            "within its limit",
            "note: the run has 1 frame above 1.000 s, the longest 5.000 s (frame 1200)",
        ],
    );
    // Both have one: what passes is marked although no table has it.
    let both = compare("again", "pause", "text");
    check(
        &both,
        0,
        &["improved* low.worst.count@1% rests on", "the run has 1 frame", "the baseline has 1 frame"],
    );
    let plain = compare("stutters", "calm", "text");
    assert!(!plain.stdout.contains("rests on") && !plain.stdout.contains("pause"), "{}", plain.stdout);
    // What helps against a pause in the middle, and against loading at the start.
    let report = place.framecost("report pause.framecost").stdout;
    assert!(report.contains("capture again without the pause"), "{report}");
    let mut start = calm;
    start[9] = 4_000_000.0;
    let done = import(&place, "start", &mangohud(&start));
    assert!(done.stderr.contains("leave out start and end of the capture"), "{done:?}");
}

/// A frame time of 0 is none, whichever table shows figures of it: all say how many are left out.
#[test]
fn zero_frame_times_are_left_out_of_every_figure_alike() {
    let place = Place::new();
    let calm = frames(10_000.0, 2000, 1);
    let zeros: Vec<f64> =
        calm.iter().enumerate().map(|(i, time)| if i % 7 == 0 { 0.0 } else { *time }).collect();
    import(&place, "zeros", &mangohud(&zeros));
    let json =
        |call: &str| -> serde_json::Value { serde_json::from_str(&place.framecost(call).stdout).unwrap() };
    let report = json("report zeros.framecost --json");
    let samples = report["reports"][0]["report"]["samples"].as_array().unwrap();
    for figure in samples {
        assert_eq!(figure["n"], 1714, "{figure}");
    }
    let definitions = json("report zeros.framecost --definitions --json");
    let sheet = &definitions["definitions"][0];
    assert_eq!((&sheet["left_out"]["zero"], &sheet["left_out"]["missing"]), (&286.into(), &0.into()));
    let median = samples[0]["median"].as_f64().unwrap();
    let of_definitions = sheet["values"].as_array().unwrap();
    let of_definitions = of_definitions.iter().find(|it| it["id"] == "time.pct.r7@50%").unwrap();
    assert_eq!(of_definitions["value"], median);
    let listed = json("import zeros.csv --list-streams --json");
    assert_eq!(listed["files"][0]["log"]["streams"][0]["frame_time"]["median_ns"], median);
    let shown = place.framecost("report zeros.framecost").stdout;
    assert!(shown.contains("presented_interval, frames_per_second: 286 of 2000, zero"), "{shown}");
    assert!(shown.contains("frametime is 0 or less on 286 rows"), "{shown}");
    let explained = place.framecost("explain zeros.csv").stdout;
    assert!(explained.contains("286 frames left out: 286 of a time of 0"), "{explained}");
}

/// Frames of two generators are unlike: a stored baseline of another is refused, and who names one is told.
#[test]
fn the_maker_of_generated_frames_is_part_of_what_is_compared() {
    let place = Place::new();
    for (name, maker, seed) in [
        ("xess", Some("Intel XeSS"), 1),
        ("again", Some("Intel XeSS"), 2),
        ("other", Some("NewVendor FG"), 3),
        ("off", None, 4),
    ] {
        import(&place, name, &presentmon_2(&frames(10_000.0, 1500, seed), maker, 0.2));
    }
    let report = place.framecost("report xess.framecost").stdout;
    assert!(report.contains("frame generator") && report.contains("Intel XeSS"), "{report}");
    for format in FORMATS.into_iter().filter(|format| !["junit", "github"].contains(format)) {
        let other =
            place.framecost(&format!("compare other.framecost --baseline xess.framecost --format {format}"));
        assert!(other.stdout.contains("frame generator"), "{format}: {}", other.stdout);
    }
    let named = place.framecost("compare other.framecost --baseline xess.framecost");
    check(&named, 0, &["  differs: frame generator Intel XeSS -> NewVendor FG"]);
    let same = place.framecost("compare again.framecost --baseline xess.framecost");
    assert!(!same.stdout.contains("differs:"), "{}", same.stdout);
    check(&place.framecost("compare off.framecost --baseline xess.framecost"), 3, &["instrumentation"]);
    let saved = place.framecost("baseline save xess.framecost");
    assert_eq!(saved.code, 0, "{saved:?}");
    check(&place.framecost("compare other.framecost"), 3, &["frame generator", "NewVendor FG"]);
    check(&place.framecost("compare again.framecost"), 0, &["PASSED"]);
}

/// Time in the present call holds waiting for the display and the queue: it is shown, and no gate.
#[test]
fn waiting_in_the_present_call_is_shown_and_does_not_gate() {
    let place = Place::new();
    import(&place, "old", &presentmon_2(&frames(10_000.0, 1500, 1), None, 0.2));
    import(&place, "waits", &presentmon_2(&frames(10_000.0, 1500, 2), None, 4.0));
    let done = place.framecost("compare waits.framecost --baseline old.framecost");
    check(&done, 0, &["in_present_api"]);
    assert!(!done.stdout.contains("FAIL"), "{}", done.stdout);
}

/// What says of a log how long its frames took gates, whatever it is called.
#[test]
fn the_frame_time_of_a_log_gates_under_each_name() {
    let place = Place::new();
    import(&place, "old", &presentmon_22(&frames(10_000.0, 600, 1)));
    import(&place, "slow", &presentmon_22(&frames(13_000.0, 600, 2)));
    let worse = place.framecost("compare slow.framecost --baseline old.framecost");
    check(&worse, 1, &["FAIL  frame_interval median", "FAIL  frame_interval p95"]);
    place.write("framecost.toml", "[defaults]\n");
    check(&place.framecost("config check old.framecost"), 0, &["frame_interval"]);
}

#[test]
fn readme_names_what_gates_of_logs() {
    let readme = include_str!("../../../README.md");
    let list = readme.split("**What gates of a log**").nth(1).unwrap().split("Shown alone").next().unwrap();
    for quantity in framecost::read::Quantity::ALL {
        let metric = quantity.metric();
        let gates = metric.better != framecost_sample::Better::Neither;
        let named = list.contains(&format!("`{}`", metric.name));
        assert_eq!(named, gates, "{}", metric.name);
    }
}

/// Few tools say when they wrote a log: then a history takes the order of names, in which 2 stands before 10, and says so.
#[test]
fn a_history_of_logs_follows_their_frame_times_in_the_order_of_names() {
    let place = Place::new();
    for i in 0..30 {
        let mean = if i < 15 { 10_000.0 } else { 11_500.0 };
        import(&place, &format!("run_{i}"), &mangohud(&frames(mean, 400, i)));
    }
    let done = place.framecost("history harbour .");
    check(
        &done,
        0,
        &[
            "presented_interval",
            "between run_14 and run_15: +1",
            "30 logs of 30 do not say when they were made: all stand in the order of their names",
        ],
    );
    assert_eq!(place.framecost("history harbour . --fail-on-change").code, 1);
    for format in ["json", "html"] {
        check(
            &place.framecost(&format!("history harbour . --format {format}")),
            0,
            &["presented_interval", "run_10"],
        );
    }
    let wrong = place.framecost("history harbour . --metric gpu_total");
    assert_eq!(wrong.code, 2, "{wrong:?}");
    assert!(wrong.stderr.contains("--metric gpu_total: no capture of the scene has it"), "{wrong:?}");
}

/// What counts stamps says of a log that it has none, and what takes logs; the README names the same commands.
#[test]
fn commands_that_count_stamps_refuse_logs_and_name_those_that_take_them() {
    let place = Place::new();
    import(&place, "log", &mangohud(&frames(10_000.0, 200, 1)));
    for call in ["trace log.framecost --out trace", "recount log.framecost --floor none"] {
        let done = place.framecost(call);
        assert_eq!(done.code, 2, "{done:?}");
        let (_, takes) = done.stderr.split_once("another tool wrote; allowed for logs: ").unwrap();
        let readme = include_str!("../../../README.md");
        let (_, section) = readme.split_once("### A capture by another tool").unwrap();
        let (section, _) = section.split_once("### In CI").unwrap();
        for command in takes.trim().split(", ") {
            assert!(
                section.contains(&format!("`{command}`"))
                    || section.contains(&format!("framecost {command}")),
                "{command}"
            );
        }
    }
    for call in [
        "report log.framecost",
        "config check log.framecost",
        "explain log.framecost",
        "baseline save log.framecost",
        "baseline list",
        "history harbour .",
    ] {
        let done = place.framecost(call);
        assert_eq!(done.code, 0, "{call}: {done:?}");
    }
}

/// What holds of several files is said once, with their number; what holds of one names it.
#[test]
fn a_note_that_holds_of_several_files_is_said_once() {
    let place = Place::new();
    let mut pause = frames(10_000.0, 300, 1);
    pause[150] = 3_000_000.0;
    for (name, times) in [("a", &frames(10_000.0, 300, 2)), ("b", &frames(10_000.0, 300, 3)), ("c", &pause)] {
        place.write(&format!("{name}.csv"), &mangohud(times));
    }
    let done = place.framecost("import a.csv b.csv c.csv --scene harbour");
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(done.stderr.matches("no row has a value of gpu_load").count(), 1, "{}", done.stderr);
    assert!(
        done.stderr.contains("note: in 3 files: columns: no row has a value of gpu_load"),
        "{}",
        done.stderr
    );
    assert!(done.stderr.contains("note: `c.csv`: "), "{}", done.stderr);
    let alone = place.framecost("import a.csv --scene harbour").stderr;
    assert!(alone.contains("note: columns: no row has a value of gpu_load"), "{alone}");
}

/// A process is a number wherever it is written, and a low of a run is one value, of which there is no median.
#[test]
fn names_hold_what_listings_say() {
    let place = Place::new();
    let mut text = presentmon(&frames(10_000.0, 1200, 1), 5000);
    text.push_str(
        presentmon(&frames(16_000.0, 300, 2), 5000)
            .replace("game.exe,13456,0x1", "dwm.exe,77,0xAB")
            .split_once('\n')
            .unwrap()
            .1,
    );
    place.write("all.csv", &text);
    let done = place.framecost("import all.csv --stream game.exe --scene harbour --out .");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(place.path("all-game.exe-p13456-s1.framecost").exists(), "{done:?}");
    place.write("other.csv", &presentmon(&frames(10_000.0, 1200, 3), 5000));
    assert_eq!(place.framecost("import other.csv --scene harbour --out .").code, 0);
    for format in FORMATS.into_iter().filter(|format| *format != "json") {
        let done = place.framecost(&format!(
            "compare other.framecost --baseline all-game.exe-p13456-s1.framecost --format {format}"
        ));
        assert!(!done.stdout.contains("low.worst.count@1% median"), "{format}: {}", done.stdout);
    }
}

/// Logs whose medians agree and whose frames go up and down in long stretches: that equal logs lie apart is not the reason.
#[test]
fn what_keeps_logs_from_being_judged_is_named() {
    let place = Place::new();
    for i in 0..5_u32 {
        let times: Vec<f64> = frames(10_000.0, 1200, i)
            .into_iter()
            .enumerate()
            .map(|(at, time)| if (at / 200) % 2 == 0 { time } else { (time * 1.5).round() })
            .collect();
        import(&place, &format!("log{i}"), &mangohud(&times));
    }
    let done = place.framecost(
        "compare log3.framecost log4.framecost --baseline log0.framecost log1.framecost log2.framecost --rule runs",
    );
    check(
        &done,
        3,
        &[
            "next: the frames of a log vary so much and so slowly that they leave presented_interval median open by",
        ],
    );
    assert!(done.stdout.contains("capture longer logs"), "{}", done.stdout);
}

/// Who gives a figure a limit asks for it to be judged; what has no better direction cannot be, and a limit on it is no pass.
#[test]
fn a_limit_on_a_figure_that_is_only_shown_is_held_against_it_or_is_an_error() {
    let place = Place::new();
    import(&place, "old", &presentmon(&frames(10_000.0, 2000, 1), 200));
    import(&place, "dropping", &presentmon(&frames(10_000.0, 2000, 2), 100));
    let compare = "compare dropping.framecost --baseline old.framecost";
    let without = place.framecost(compare);
    assert!(!without.stdout.contains("FAIL  frames_dropped"), "{}", without.stdout);
    let limit = |of: &str| format!("[[limit]]\nof = \"{of}\"\nfail = \"30 %\"\nwarn = \"20 %\"\n");
    place.write("framecost.toml", &limit("frames_dropped"));
    check(&place.framecost(compare), 1, &["FAIL  frames_dropped"]);
    let listed = place.framecost("config check old.framecost");
    check(&listed, 0, &["frames_dropped", "fail: [[limit]] of = \"frames_dropped\", line 3"]);
    // Nothing is held against what is only shown, so no limit of it is listed.
    assert!(!listed.stdout.contains("in_present_api"), "{}", listed.stdout);
    place.write("framecost.toml", &limit("in_present_api"));
    for call in [compare, "config check old.framecost", "report old.framecost"] {
        let done = place.framecost(call);
        assert_eq!(done.code, 2, "{done:?}");
        let why = "line 2, column 6: a limit on `in_present_api`, which has no better direction";
        assert!(done.stderr.contains(why), "{}", done.stderr);
    }
    place.write("framecost.toml", "[[limit]]\nof = \"in_present_api\"\njudge = []\n");
    check(
        &place.framecost("config check old.framecost"),
        0,
        &["not judged: in_present_api ([[limit]] of = "],
    );
}

/// One log of several was paused: what equal logs differ by is that pause, and more of them would only dilute it.
#[test]
fn a_pause_in_one_log_of_several_is_cured_by_that_log_and_not_by_more() {
    let place = Place::new();
    for i in 0..6_u32 {
        let mut times = frames(10_000.0, 2000, i);
        if i == 1 {
            times[900] = 30_000_000.0;
        }
        import(&place, &format!("log{i}"), &mangohud(&times));
    }
    let done = place.framecost(
        "compare log3.framecost log4.framecost log5.framecost --baseline log0.framecost log1.framecost log2.framecost --rule runs",
    );
    check(
        &done,
        3,
        &[
            "UNDECIDED  low.worst.count@1% +417.0 % (too few runs)",
            "a pause in one log makes equal logs lie apart: replace log 2 of the baseline's 3 (in the order given)",
            "low.worst.count@1% rests on frames above 1.000 s; without them: baseline 9",
            "within its limit",
        ],
    );
    assert!(!done.stdout.contains("next: ") && !done.stdout.contains("further log"), "{}", done.stdout);
}

/// A low takes so many frames: of a log that has a few less, what to do is to capture longer.
#[test]
fn a_low_that_is_withheld_says_how_many_frames_it_takes() {
    let place = Place::new();
    import(&place, "old", &mangohud(&frames(10_000.0, 1100, 1)));
    import(&place, "short", &mangohud(&frames(10_000.0, 995, 2)));
    for format in ["text", "markdown", "html"] {
        let done =
            place.framecost(&format!("compare short.framecost --baseline old.framecost --format {format}"));
        check(&done, 3, &["next: capture longer: ", "takes 1000 frames, and the run has 995"]);
    }
    // What the baseline lacks too is no reason to capture the run again.
    let none = place.framecost("compare old.framecost --baseline short.framecost");
    assert!(!none.stdout.contains("next: "), "{}", none.stdout);
}

/// What stands alone in a file and is taken by nobody's silence, what stands twice, and what a file may have of damage.
#[test]
fn refusals_of_logs_say_why_and_how_to_have_them_all_the_same() {
    let place = Place::new();
    let log = presentmon(&frames(10_000.0, 1200, 1), 5000);
    place.write("desktop.csv", &log.replace("game.exe", "dwm.exe"));
    let alone = place.framecost("import desktop.csv --scene harbour");
    assert_eq!(alone.code, 2, "{alone:?}");
    let why = "holds the presents of `dwm.exe` alone, the desktop's compositor, and no game's";
    assert!(alone.stderr.contains(why) && alone.stderr.contains("--stream `dwm.exe`"), "{}", alone.stderr);
    assert_eq!(place.framecost("import desktop.csv --scene harbour --stream dwm.exe").code, 0);

    let damaged: String = log
        .lines()
        .enumerate()
        .map(|(at, line)| if at % 50 == 9 { "game.exe,oops\n".to_owned() } else { format!("{line}\n") })
        .collect();
    place.write("damaged.csv", &damaged);
    let refused = place.framecost("import damaged.csv --scene harbour");
    assert_ne!(refused.code, 0, "{refused:?}");
    let allowed = "; allowed: 1% of the rows, 5 where that is fewer; --most-damaged PERCENT allows more";
    assert!(refused.stderr.contains(allowed), "{}", refused.stderr);
    let bare = place.framecost("import damaged.csv --scene harbour --most-damaged 3");
    assert!(bare.code == 2 && bare.stderr.contains("write 3%"), "{bare:?}");
    assert_eq!(place.framecost("import damaged.csv --scene harbour --most-damaged 3%").code, 0);

    for name in ["a", "b", "c"] {
        import(&place, name, &mangohud(&frames(10_000.0, 1200, 1)));
    }
    import(&place, "run", &mangohud(&frames(10_000.0, 1200, 2)));
    let copies = place.framecost("compare run.framecost --baseline a.framecost b.framecost c.framecost");
    let once = "note: the same capture stands more than once in the baseline and counts once: `b.framecost` of `a.framecost`, \
        `c.framecost` of `a.framecost`";
    check(&copies, 0, &[once]);
    // However a share is written, it is the figure of that share.
    place.write("framecost.toml", "[[limit]]\nof = \"low.worst.count@1.0%\"\nfail = \"30 %\"\n");
    check(&place.framecost("config check run.framecost"), 0, &["low.worst.count@1%", "fail: [[limit]]"]);
}
