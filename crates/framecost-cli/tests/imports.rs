//! `framecost import`, `explain` and `report --definitions` over files in other tools' formats that the test writes: streams are
//! named and never chosen silently, what is unlike is refused, and "did it get worse?" is answered.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fmt::Write as _;
use std::fs;

use common::Place;

/// A PresentMon file of a game and of the desktop's compositor, whose rows alternate. Every tenth frame of the game takes half
/// as long again; the third was never shown.
fn presentmon(frame_ms: f64, game: &str) -> String {
    let mut text =
        "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,\
        msInPresentAPI,msBetweenPresents,AllowsTearing,PresentMode,msUntilRenderComplete,msUntilDisplayed,\
        msBetweenDisplayChange,msUntilRenderStart,msGPUActive,msSinceInput\n"
            .replace("        ", "");
    let mut at = [0.0, 0.0];
    for i in 0..1200 {
        for (which, name, id, base) in
            [(0, game, "9208,0x259DAE0BCF0", frame_ms), (1, "dwm.exe", "1564,0x2408E0B7CA0", 16.0)]
        {
            let wobble = f64::from(i * 7919 % 31) / 100.0;
            let interval = base * if i % 10 == 0 { 1.5 } else { 1.0 } + wobble;
            at[which] += interval;
            let dropped = u8::from(which == 0 && i == 3);
            let shown =
                if dropped == 1 { "0,0".to_owned() } else { format!("{:.6},{interval:.6}", interval * 2.0) };
            writeln!(
                text,
                "{name},{id},DXGI,0,0,{dropped},{:.9},0.1,{interval:.6},0,Composed: Flip,1.5,{shown},-0.5,{:.6},0",
                at[which] / 1e3,
                interval * 0.8
            )
            .unwrap();
        }
    }
    text
}

fn place() -> Place {
    let place = Place::new();
    place.write("before.csv", &presentmon(8.0, "game.exe"));
    place.write("after.csv", &presentmon(9.5, "game.exe"));
    place
}

#[test]
fn a_file_of_several_streams_lists_them_and_waits_to_be_told() {
    let place = place();
    let listed = place.framecost("import before.csv --list-streams");
    assert_eq!(listed.code, 0, "{listed:?}");
    for text in ["game.exe", "9208", "0x259DAE0BCF0", "dwm.exe", "2400 rows in 2 streams"] {
        assert!(listed.stdout.contains(text), "no {text} in {}", listed.stdout);
    }
    let unsaid = place.framecost("import before.csv");
    assert_eq!((unsaid.code, unsaid.stdout.as_str()), (2, ""), "{unsaid:?}");
    assert!(
        unsaid.stderr.contains("holds 2 streams: name the one that is meant with --stream"),
        "{unsaid:?}"
    );
    assert!(unsaid.stderr.contains("dwm.exe"), "the list stands beside the error");
    assert!(!place.path("out").exists(), "nothing was written");
    let wrong = place.framecost("import before.csv --stream nobody.exe");
    assert_eq!(wrong.code, 2, "{wrong:?}");
    let json: serde_json::Value =
        serde_json::from_str(&place.framecost("import before.csv --list-streams --json").stdout).unwrap();
    let streams = json["files"][0]["log"]["streams"].as_array().unwrap();
    assert_eq!(streams[0]["rows"], 1200);
    assert_eq!(streams[0]["dropped"], 1);
    assert!(streams[0]["frame_time"]["low.pct.r7.time@1%"].as_f64().unwrap() > 50.0);
}

#[test]
fn did_it_get_worse_is_answered_for_two_logs() {
    let place = place();
    for (file, out) in [("before.csv", "old"), ("after.csv", "new")] {
        let done = place.framecost(&format!("import {file} --stream game.exe --scene harbour --out {out}"));
        assert_eq!(done.code, 0, "{done:?}");
    }
    let (old, new) = (
        "old/before-game.exe-p9208-s259dae0bcf0.framecost",
        "new/after-game.exe-p9208-s259dae0bcf0.framecost",
    );
    let worse = place.framecost(&format!("compare {new} --baseline {old} --rule threshold"));
    assert_eq!(worse.code, 1, "{worse:?}");
    assert!(worse.stdout.contains("FAIL  presented_interval median"), "{}", worse.stdout);
    let again = place.framecost("import after.csv --stream game.exe --scene harbour --out new");
    assert_eq!(again.code, 0, "the same once more: {again:?}");
    place.write("after.csv", &presentmon(9.6, "game.exe"));
    let other = place.framecost("import after.csv --stream game.exe --scene harbour --out new");
    assert_eq!(other.code, 2, "another run of that name is not written over: {other:?}");
    let report = place.framecost(&format!("report {old}"));
    assert_eq!(report.code, 0, "{report:?}");
    assert!(report.stdout.contains("frames_dropped"), "{}", report.stdout);
    assert!(report.stdout.contains("not displayed"), "a reason, no zero: {}", report.stdout);
}

#[test]
fn frames_of_logs_are_never_paired_and_several_logs_are_judged_by_runs() {
    let place = Place::new();
    for i in 0..4 {
        for (name, base) in [("old", 8.0), ("new", 9.5)] {
            place.write(&format!("{name}{i}.csv"), &presentmon(base + f64::from(i) * 0.02, "game.exe"));
            let done = place
                .framecost(&format!("import {name}{i}.csv --stream game.exe --scene harbour --out {name}"));
            assert_eq!(done.code, 0, "{done:?}");
        }
    }
    let all = |name: &str| {
        let mut paths: Vec<String> = fs::read_dir(place.path(name))
            .unwrap()
            .map(|entry| format!("{name}/{}", entry.unwrap().file_name().to_string_lossy()))
            .collect();
        paths.sort();
        paths.join(" ")
    };
    let done =
        place.framecost(&format!("compare {} --rule runs --baseline {} --json", all("new"), all("old")));
    assert_eq!(done.code, 1, "{done:?}");
    let json: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    let rows = json["comparisons"][0]["report"]["verdict"]["rows"].as_array().unwrap();
    let median =
        rows.iter().find(|row| row["metric"] == "presented_interval" && row["statistic"] == "median");
    let evidence = &median.unwrap()["evidence"];
    let change = evidence["change"].as_f64().unwrap();
    assert!((0.15..0.22).contains(&change), "{evidence}");
    assert!(
        rows.iter().all(|row| row["statistic"] != "hitches"),
        "frame 7 of one log is no frame 7 of another"
    );
}

/// A log whose median stays and whose slowest frames take six times as long got worse.
#[test]
fn stutter_alone_is_worse() {
    let place = place();
    let (mut stutters, mut later) = (String::new(), 0.0);
    for (i, line) in presentmon(8.0, "game.exe").lines().enumerate() {
        let mut fields: Vec<String> = line.split(',').map(str::to_owned).collect();
        if i > 0 && i % 60 == 1 {
            let time: f64 = fields[9].parse().unwrap();
            fields[9] = format!("{:.6}", time * 6.0);
            later += time * 5.0 / 1e3;
        }
        if fields[0] == "game.exe" {
            let at: f64 = fields[7].parse().unwrap();
            fields[7] = format!("{:.9}", at + later);
        }
        writeln!(stutters, "{}", fields.join(",")).unwrap();
    }
    place.write("after.csv", &stutters);
    for (file, out) in [("before.csv", "old"), ("after.csv", "new")] {
        let done = place.framecost(&format!("import {file} --stream game.exe --scene harbour --out {out}"));
        assert_eq!(done.code, 0, "{done:?}");
    }
    let done = place.framecost(
        "compare new/after-game.exe-p9208-s259dae0bcf0.framecost --rule threshold \
         --baseline old/before-game.exe-p9208-s259dae0bcf0.framecost",
    );
    assert_eq!(done.code, 1, "{done:?}");
    for figure in ["low.worst.count@1%", "presented_interval p99"] {
        assert!(done.stdout.contains(&format!("FAIL  {figure}")), "no {figure}: {}", done.stdout);
    }
    assert!(!done.stdout.contains("stutter.time"), "{}", done.stdout);
    // A definition that somebody sets a limit for is judged by it.
    place.write("framecost.toml", "[[limit]]\nof = \"stutter.time\"\nfail = \"20 %\"\n");
    let done = place.framecost(
        "compare new/after-game.exe-p9208-s259dae0bcf0.framecost --rule threshold \
         --baseline old/before-game.exe-p9208-s259dae0bcf0.framecost",
    );
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.contains("  stutter.time "), "{}", done.stdout);
}

#[test]
fn what_measures_otherwise_is_refused() {
    let place = place();
    // The same game by a tool whose frames are others: 2.0 has no column Dropped and counts otherwise.
    let other = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,CPUStartTime,\
        CPUBusy,CPUWait,GPULatency,GPUBusy,GPUWait,VideoBusy,DisplayLatency,DisplayedTime,ClickToPhotonLatency\n"
        .replace("        ", "");
    let mut text = other;
    for i in 0..400 {
        let start = f64::from(i) * 8.5;
        writeln!(
            text,
            "game.exe,9208,0x259DAE0BCF0,DXGI,0,0,0,Composed: Flip,{start:.6},6.5,2,1,5,0.5,0,20,8.5,0"
        )
        .unwrap();
    }
    place.write("other.csv", &text);
    for (file, out) in [("before.csv", "old"), ("other.csv", "new")] {
        let done = place.framecost(&format!("import {file} --stream game.exe --scene harbour --out {out}"));
        assert_eq!(done.code, 0, "{done:?}");
    }
    let done = place.framecost(
        "compare new/other.framecost --baseline old/before-game.exe-p9208-s259dae0bcf0.framecost --rule threshold",
    );
    assert_eq!(done.code, 3, "{done:?}");
    assert!(done.stdout.contains("instrumentation"), "{}", done.stdout);
}

#[test]
fn every_definition_is_shown_and_a_budget_names_one() {
    let place = place();
    assert_eq!(place.framecost("import before.csv --stream game.exe --scene harbour --out old").code, 0);
    let capture = "old/before-game.exe-p9208-s259dae0bcf0.framecost";
    let shown = place.framecost(&format!("report {capture} --definitions"));
    assert_eq!(shown.code, 0, "{shown:?}");
    for id in
        ["avg.harmonic", "avg.arithmetic", "low.pct.r7.time@1%", "low.worst.count@1%", "low.integral.time@1%"]
    {
        assert!(shown.stdout.contains(id), "no {id}: {}", shown.stdout);
    }
    let explained = place.framecost("explain before.csv --stream game.exe");
    assert_eq!(explained.code, 0, "{explained:?}");
    for tool in ["PresentMon", "MangoHud", "CapFrameX", "OCAT", "FrameView", "why: "] {
        assert!(explained.stdout.contains(tool), "no {tool}: {}", explained.stdout);
    }
    let columns = place.framecost("explain before.csv --stream game.exe --columns");
    assert!(columns.stdout.contains("presented_interval"), "{}", columns.stdout);
    let budget = |limit: &str| {
        format!(
            "[[budget]]\nname = \"low\"\nof = \"low.worst.count@1%\"\nscene = \"harbour\"\nsize = \"any\"\n\
             statistic = \"median\"\nlimit = {limit}\nadapter = \"any\"\n"
        )
    };
    place.write("framecost.toml", &budget("\"60 fps\""));
    let met = place.framecost(&format!("compare {capture}"));
    place.write("framecost.toml", &budget("200"));
    let missed = place.framecost(&format!("compare {capture}"));
    assert_eq!((met.code, missed.code), (0, 1), "{met:?}\n{missed:?}");
    assert!(missed.stdout.contains("low.worst.count@1%"), "{}", missed.stdout);
    place.write("framecost.toml", &budget("60").replace("low.worst.count", "low.worst.cuont"));
    let (unknown, checked) =
        (place.framecost(&format!("compare {capture}")), place.framecost("config check"));
    assert_eq!((unknown.code, checked.code), (2, 2), "{unknown:?}\n{checked:?}");
    assert_eq!(unknown.stderr, checked.stderr, "one text for both");
    assert!(
        unknown.stderr.contains(
            "line 3, column 6: `low.worst.cuont@1%` names no definition: did you mean `low.worst.count@1%`"
        ),
        "{unknown:?}"
    );
    place.write("framecost.toml", &budget("\"10 %\""));
    let percent = place.framecost("config check");
    assert_eq!(percent.code, 2, "{percent:?}");
    assert!(percent.stderr.contains("write frames per second, such as \"60 fps\" or 60"), "{percent:?}");
    // Of a source's own metric only a run says the unit.
    place.write("framecost.toml", &budget("\"10 %\"").replace("low.worst.count@1%", "presented_interval"));
    for call in ["config check", "compare"] {
        let refused = place.framecost(&format!("{call} {capture}"));
        assert_eq!(refused.code, 3, "{refused:?}");
        assert!(
            refused.stdout.contains("the limit is not in the figure's unit: write a time, such as \"6 ms\""),
            "{}",
            refused.stdout
        );
    }
}

#[test]
fn packed_files_and_hostile_names_are_read_and_damage_is_told() {
    let place = Place::new();
    let name = "<img src=x>\u{1b}[31m\u{202e}.exe";
    place.write("hostile.csv", &presentmon(8.0, name));
    let done = place.framecost("import hostile.csv --list-streams");
    assert_eq!(done.code, 0, "{done:?}");
    for acting in ['\u{1b}', '\u{202e}'] {
        assert!(!done.stdout.contains(acting) && !done.stderr.contains(acting), "{done:?}");
    }
    let done = place.framecost("import hostile.csv --stream 9208 --scene x --out out");
    assert_eq!(done.code, 0, "{done:?}");
    let page = place.framecost(&format!(
        "report {} --format markdown",
        fs::read_dir(place.path("out")).unwrap().next().unwrap().unwrap().path().display()
    ));
    assert_eq!(page.code, 0, "{page:?}");
    assert!(!page.stdout.contains("<img"), "{}", page.stdout);

    place.write("broken.csv.gz", "\u{1f}\u{8b}no gzip");
    for (file, code, said) in [
        ("nothing.csv", 3, "does not exist"),
        (".", 3, "is a folder"),
        ("empty.csv", 3, "empty.csv"),
        ("lacking.csv", 3, "column MsBetweenPresents missing"),
        ("text.csv", 3, "looked for"),
        ("mac.csv", 3, "lines end with CR alone; allowed: LF or CRLF"),
    ] {
        match file {
            "empty.csv" => place.write(file, ""),
            "lacking.csv" => {
                place.write(file, &presentmon(8.0, "game.exe").replacen("msBetweenPresents,", "other,", 1));
            }
            "text.csv" => place.write(file, "hello\nworld\n"),
            "mac.csv" => place.write(file, &presentmon(8.0, "game.exe").replace('\n', "\r")),
            _ => {}
        }
        let done = place.framecost(&format!("import {file}"));
        assert_eq!(done.code, code, "{file}: {done:?}");
        assert!(done.stderr.contains(said), "{file}: {}", done.stderr);
    }
}

/// What a log calls itself is escaped where it is shown, and once.
#[test]
fn a_hostile_name_is_escaped_once_wherever_it_is_shown() {
    let place = Place::new();
    place.write("fast.csv", &presentmon(0.4, "it's a\\b\u{1b}.exe"));
    let once = r"it's a\b\u{1b}.exe, process 9208";
    let done = place.framecost("import fast.csv --stream 9208 --scene x --out out");
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains(&format!("note: {once}")), "{}", done.stderr);
    let capture = fs::read_dir(place.path("out")).unwrap().next().unwrap().unwrap().path();
    fs::rename(capture, place.path("fast.framecost")).unwrap();
    let report = place.framecost("report fast.framecost");
    assert!(report.stdout.contains(once), "{}", report.stdout);
    let markdown = place.framecost("report fast.framecost --format markdown").stdout;
    assert!(markdown.contains("it's a&#92;b&#92;u&#123;1b&#125;.exe, process 9208"), "{markdown}");
    let unknown = place.framecost("import fast.csv --stream no\u{1b}body");
    assert!(unknown.stderr.contains(r"`no\u{1b}body` names 0 streams"), "{}", unknown.stderr);
    assert!(unknown.stderr.contains(once), "{}", unknown.stderr);
}

/// A capture in this folder of a log that is written here; notes of the import are given back.
fn imported(place: &Place, name: &str, text: &str) -> String {
    place.write(&format!("{name}.csv"), text);
    let done =
        place.framecost(&format!("import {name}.csv --stream game.exe --scene harbour --out in-{name}"));
    assert_eq!(done.code, 0, "{done:?}");
    let capture = fs::read_dir(place.path(&format!("in-{name}"))).unwrap().next().unwrap().unwrap().path();
    fs::rename(capture, place.path(&format!("{name}.framecost"))).unwrap();
    done.stderr
}

#[test]
fn one_log_against_one_is_advised_to_capture_more_logs() {
    let place = Place::new();
    for (name, base) in [("old", 8.0), ("new", 8.2), ("newer", 9.1)] {
        imported(&place, name, &presentmon(base, "game.exe"));
    }
    let one = place.framecost("compare new.framecost --baseline old.framecost --rule runs");
    assert_eq!(one.code, 3, "{one:?}");
    assert!(one.stdout.contains("capture several more logs a side"), "{}", one.stdout);
    let two = place.framecost("compare new.framecost newer.framecost --baseline old.framecost --rule runs");
    assert_eq!(two.code, 3, "{two:?}");
    assert!(two.stdout.contains("next: equal logs lie"), "{}", two.stdout);
    for advice in ["bench", "calibrate", "in turns"] {
        for done in [&one, &two] {
            assert!(!done.stdout.contains(advice), "{advice} is nothing for a log: {}", done.stdout);
        }
    }
}

/// A tenth of the rows is gone: the sums still say that it is about every frame, and the clock says where they are missing.
#[test]
fn missing_rows_are_told_by_the_clock() {
    let place = Place::new();
    let whole = presentmon(8.0, "game.exe");
    let told = "the clock moves on by far more than the frame took";
    let notes = imported(&place, "whole", &whole);
    assert!(!notes.contains(told), "{notes}");
    let kept = |(i, line): (usize, &str)| (i % 20 != 7).then(|| format!("{line}\n"));
    let notes = imported(&place, "torn", &whole.lines().enumerate().filter_map(kept).collect::<String>());
    assert!(notes.contains(&format!("at 120 places {told}, the first before line")), "{notes}");
    let report = place.framecost("report torn.framecost --json").stdout;
    assert!(report.contains(told) && report.contains("\"every frame\""), "{report}");
}

/// A median of one frame is that frame: nothing passes or fails by it, and whatever shows it says so.
#[test]
fn a_log_of_very_few_frames_decides_nothing() {
    let place = Place::new();
    let rows = |text: &str, frames: usize| {
        let game = text.lines().filter(|line| !line.starts_with("dwm.exe"));
        game.take(1 + frames).map(|line| format!("{line}\n")).collect::<String>()
    };
    let (fast, slow) = (presentmon(8.0, "game.exe"), presentmon(19.5, "game.exe"));
    for (name, text, frames) in
        [("one", &slow, 1), ("nine", &slow, 9), ("ten", &slow, 10), ("old", &fast, 10), ("single", &fast, 1)]
    {
        imported(&place, name, &rows(text, frames));
    }
    for (few, frames, old) in [("one", "1 frame", "single"), ("nine", "9 frames", "old")] {
        let why = format!("rests on {frames} of a log; it takes 10");
        for format in ["text", "markdown", "html", "json", "junit", "github"] {
            let done = place
                .framecost(&format!("compare {few}.framecost --baseline {old}.framecost --format {format}"));
            assert_eq!(done.code, 3, "{format}: {done:?}");
            assert!(done.stdout.contains(&why), "{format}: {}", done.stdout);
        }
        let alone = format!("{frames} alone");
        for call in [
            "report --format text",
            "report --format markdown",
            "report --json",
            "report --format html",
            "report --definitions",
        ] {
            let done = place.framecost(&call.replacen("report", &format!("report {few}.framecost"), 1));
            assert!(done.stdout.contains(&alone), "{call}: {}", done.stdout);
        }
    }
    let swapped = place.framecost("compare old.framecost --baseline nine.framecost");
    assert_eq!(swapped.code, 3, "a baseline of few frames: {swapped:?}");
    let enough = place.framecost("compare ten.framecost --baseline old.framecost");
    assert_eq!(enough.code, 1, "{enough:?}");
    assert!(enough.stdout.contains("FAIL  presented_interval median"), "{}", enough.stdout);
    assert!(enough.stdout.contains("p95 takes 20 values, 10 were measured"), "{}", enough.stdout);
    let budget = "[[budget]]\nname = \"fps\"\nof = \"avg.harmonic\"\nscene = \"harbour\"\nsize = \"any\"\n\
                  statistic = \"median\"\nlimit = \"30 fps\"\nadapter = \"any\"\n";
    place.write("framecost.toml", budget);
    let (few, enough) = (place.framecost("compare nine.framecost"), place.framecost("compare ten.framecost"));
    assert_eq!((few.code, enough.code), (3, 0), "{few:?}\n{enough:?}");
    assert!(few.stdout.contains("rests on 9 frames of a log; it takes 10"), "{}", few.stdout);
}

/// The slower game presents fewer frames in the same time: that is no measurement that was lost.
#[test]
fn logs_of_unequal_length_are_compared() {
    let place = Place::new();
    let short = |text: &str, lines: usize| {
        text.lines().take(lines).map(|line| format!("{line}\n")).collect::<String>()
    };
    imported(&place, "old", &presentmon(8.0, "game.exe"));
    imported(&place, "new", &short(&presentmon(9.5, "game.exe"), 2001));
    let worse = place.framecost("compare new.framecost --baseline old.framecost");
    assert_eq!(worse.code, 1, "{worse:?}");
    assert!(worse.stdout.contains("FAIL  presented_interval median"), "{}", worse.stdout);
    assert!(
        worse.stdout.contains("each log is compared as a whole; frames: run 1000, baseline 1200"),
        "{}",
        worse.stdout
    );
    let better = place.framecost("compare old.framecost --baseline new.framecost");
    assert_eq!(better.code, 0, "{better:?}");
}
