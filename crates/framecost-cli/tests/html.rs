//! The HTML report in a real browser: every chart is there and works, nothing leaves the file, and no name is more than text.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod browser;
mod common;

use browser::{Browser, browser};
use common::{Place, Scene};
use framecost_sample::{
    Capture, Fact, PassDef, PassId, Queue, QueueId, Reading, Reason, Semantics, Stamp, Ticks,
};
use serde_json::{Value, json};

/// What a name may try on a page.
const HOSTILE: [&str; 4] = [
    "</script><img src=x onerror=hit=1>",
    "<b onclick=hit=1>\"'&lt;{a|b}{b0}",
    "\u{202e}gnp.exe\u{1b}[31m",
    "--><svg onload=hit=1>",
];

const BUDGETS: &str = "
[[budget]]
name = \"frame\"
of = \"gpu_total\"
size = \"any\"
scene = \"town\"
statistic = \"median\"
limit = \"7 ms\"
adapter = \"any\"
";

/// Waits until a chart that is scrolled to is drawn, for every chart of the page.
const SEE_ALL: &str = "(async () => {
    for (const chart of document.querySelectorAll('.chart')) {
        chart.scrollIntoView({ block: 'center', behavior: 'instant' });
        while (!echarts.getInstanceByDom(chart)) await new Promise(requestAnimationFrame);
    }
    return document.querySelectorAll('.chart').length;
})()";

/// A capture of two queues whose passes overlap: 120 frames of 0 to 129, of which 60 to 69 were not measured, frame 7 lost a
/// stamp, and `glow` does not run in every frame.
fn capture(lit: u64, turn: u64) -> Capture {
    capture_of(120, lit, turn)
}

/// The same of so many frames.
fn capture_of(frames: u64, lit: u64, turn: u64) -> Capture {
    let mut parts = Scene { frames, lit, ..Scene::default() }.capture().into_parts();
    let us = 1_000;
    let number = |frame: u64| if frame < 60 { frame } else { frame + 10 };
    let stamps = std::mem::take(&mut parts.stamps).into_iter().flat_map(|stamp| {
        let (frame, at) = (number(stamp.frame), stamp.frame * 20_000 * us);
        let wobble = (frame * 37 + turn * 13) % 90 * us;
        let mut first = Stamp { frame, ..stamp };
        if first.pass == PassId(1) {
            first.end = first.end.map(|end| Ticks(end.0 + wobble));
            if frame == 7 {
                first.end = Reading::Missing(Reason::NotAvailable);
            }
        }
        let glow = (first.pass == PassId(1) && frame % 3 != 0).then(|| Stamp {
            frame,
            submission: 1,
            queue: QueueId(1),
            pass: PassId(2),
            start: Reading::Measured(Ticks(at + 800 * us)),
            end: Reading::Measured(Ticks(at + 1_900 * us)),
        });
        std::iter::once(first).chain(glow)
    });
    parts.stamps = stamps.collect();
    parts.frames = parts.frames.into_iter().map(number).collect();
    parts.queues.push(Queue { name: "async".into(), ..parts.queues[0].clone() });
    parts.passes.push(PassDef { name: "glow".into(), semantics: Semantics::TopBottom });
    parts.started_at = Some(format!("2026-01-31T12:00:{turn:02}Z"));
    Capture::new(parts).unwrap()
}

/// Three runs that are slower than a baseline of three, judged together with a budget, as a page.
fn compared(place: &Place) -> std::path::PathBuf {
    place.write("framecost.toml", BUDGETS);
    for turn in 0..3 {
        place.put(&format!("before-{turn}.framecost"), &capture(5_000, turn));
        place.put(&format!("after-{turn}.framecost"), &capture(6_200, turn + 10));
    }
    let saved = place.framecost("baseline save before-0.framecost before-1.framecost before-2.framecost");
    assert_eq!(saved.code, 0, "{saved:?}");
    let done = place.framecost(
        "compare after-0.framecost after-1.framecost after-2.framecost --format html --out report.html",
    );
    assert_eq!((done.code, done.stdout.as_str()), (1, ""), "{done:?}");
    place.path("report.html")
}

/// Nothing was asked for but the file, and nothing was complained of.
fn check_quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    let requests = browser.requests();
    assert!(requests.len() == 1 && requests[0].starts_with("file://"), "{requests:?}");
}

/// The chart under that title, as an expression.
fn chart(title: &str) -> String {
    let title = json!(title);
    format!(
        "echarts.getInstanceByDom([...document.querySelectorAll('figure')]
            .find((it) => it.querySelector('h3').textContent === {title}).querySelector('.chart'))"
    )
}

/// The part of the axis below that a chart shows.
fn extent(browser: &mut Browser, title: &str) -> (f64, f64) {
    let extent =
        browser.eval(&format!("{}.getModel().getComponent('xAxis').axis.scale.getExtent()", chart(title)));
    (extent[0].as_f64().unwrap(), extent[1].as_f64().unwrap())
}

#[test]
fn every_chart_is_drawn_and_nothing_leaves_the_file() {
    let Some(mut browser) = browser("the charts of a page") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    browser.eval(SEE_ALL);
    let titles = browser.eval("[...document.querySelectorAll('figure h3')].map((it) => it.textContent)");
    let wanted = json!([
        "Frame by frame",
        "Where the time went",
        "Timeline of a frame",
        "Distribution",
        "What changed",
        "Budgets and ceilings",
        "How the change settles"
    ]);
    assert_eq!(titles, wanted);
    let drawn = browser.eval(
        "[...document.querySelectorAll('.chart')].map((chart) => {
            const canvas = chart.querySelector('canvas');
            const ink = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.some((it) => it > 0);
            const series = echarts.getInstanceByDom(chart).getOption().series;
            return [canvas.width > 300 && canvas.height > 60, ink, series.length, series.some((it) => it.data.length > 0)];
        })",
    );
    for drawn in drawn.as_array().unwrap() {
        assert_eq!((&drawn[0], &drawn[1], &drawn[3]), (&json!(true), &json!(true), &json!(true)), "{drawn}");
        assert!(drawn[2].as_u64().unwrap() > 0);
    }
    let said = browser.text("document.querySelector('.verdict').innerText");
    assert!(
        said.contains('✕') && said.contains("REGRESSED") && said.contains("gpu_total median rose by"),
        "{said}"
    );
    assert_eq!(browser.text("document.title"), "REGRESSED: town 2560x1440 · framecost");
    check_quiet(&browser);
}

#[test]
fn what_is_missing_is_a_gap_and_never_zero() {
    let Some(mut browser) = browser("gaps in charts") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    browser.eval(SEE_ALL);
    let series = |title: &str, name: &str| {
        format!(
            "{}.getOption().series.find((it) => it.name === '{name}').data.map((it) => it.value ?? it)",
            chart(title)
        )
    };
    let run = browser.eval(&series("Frame by frame", "run"));
    let at = |points: &Value, frame: f64| -> Vec<Value> {
        let points = points.as_array().unwrap().iter();
        points
            .filter(|point| (point[0].as_f64().unwrap() - frame).abs() < 0.5)
            .map(|point| point[1].clone())
            .collect()
    };
    assert_eq!(at(&run, 7.0), [Value::Null], "frame 7 lost a stamp");
    assert_eq!(at(&run, 60.0), [Value::Null], "frames 60 to 69 were not measured");
    assert_eq!(at(&run, 65.0), Vec::<Value>::new());
    let values: Vec<f64> = run.as_array().unwrap().iter().filter_map(|point| point[1].as_f64()).collect();
    assert!(values.len() == 119 && values.iter().all(|value| *value > 5.0), "{values:?}");
    for part in ["part-0", "part-1", "part-2"] {
        let stack = browser.eval(&series("Where the time went", part));
        assert_eq!(at(&stack, 7.0), [Value::Null, Value::Null], "{part} of a frame that is not whole");
        assert!(at(&stack, 69.5).contains(&Value::Null), "{part} is not joined over frames 60 to 69");
    }
    let table = "(() => { const details = document.querySelector('figure details.data'); details.open = true;
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(details.innerText)))); })()";
    let table = browser.text(table);
    assert!(table.contains("missing: not available"), "{table}");
    check_quiet(&browser);
}

#[test]
fn passes_at_once_stand_in_different_lanes() {
    let Some(mut browser) = browser("lanes of a timeline") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    browser.eval(SEE_ALL);
    browser.eval("{ const input = document.querySelector('.turn input'); input.value = 71; input.dispatchEvent(new Event('change')); }");
    let drawn = browser.eval(&format!(
        "{}.getOption().series[0].data.map(({{ value, kind, it }}) => [kind, it.pass ?? it.submission, ...value])",
        chart("Timeline of a frame")
    ));
    let rows: Vec<(String, u64, f64, f64, u64)> = drawn
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let number = |i: usize| row[i].as_f64().unwrap();
            (
                row[0].as_str().unwrap().into(),
                row[1].as_u64().unwrap(),
                number(2),
                number(3),
                row[4].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(rows.iter().filter(|row| row.0 == "submission").count(), 2, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.0 == "pass").count(), 3, "{rows:?}");
    for (i, a) in rows.iter().enumerate() {
        for b in &rows[..i] {
            assert!(a.4 != b.4 || a.2 >= b.3 || b.2 >= a.3, "{a:?} and {b:?} overlap in one lane");
        }
    }
    browser.click("[data-pick=median]");
    let frame = browser.number("Number(document.querySelector('.turn input').value)");
    assert!((frame - 71.0).abs() > 0.5, "the median frame was chosen");
    check_quiet(&browser);
}

#[test]
fn a_click_on_a_legend_hides_a_series_and_another_shows_it() {
    let Some(mut browser) = browser("legends") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    browser.eval(SEE_ALL);
    let chosen =
        format!("{}.getOption().legend[0].selected['part-1'] !== false", chart("Where the time went"));
    let pressed = "document.querySelector('[data-series=part-1]').getAttribute('aria-pressed')";
    assert_eq!((browser.eval(&chosen), browser.text(pressed)), (json!(true), "true".into()));
    browser.click("[data-series=part-1]");
    assert_eq!((browser.eval(&chosen), browser.text(pressed)), (json!(false), "false".into()));
    browser.click("button.theme");
    assert_eq!(browser.eval(&chosen), json!(false), "a change of colours keeps what is hidden");
    browser.click("[data-series=part-1]");
    assert_eq!((browser.eval(&chosen), browser.text(pressed)), (json!(true), "true".into()));
    check_quiet(&browser);
}

#[test]
fn a_drag_a_wheel_and_keys_zoom_and_a_button_resets() {
    let Some(mut browser) = browser("zooming") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    browser.eval(SEE_ALL);
    let title = "Frame by frame";
    let whole = extent(&mut browser, title);
    let (x, y) = browser.middle("figure .chart");
    browser.drag(&[(x - 200.0, y - 20.0), (x - 100.0, y - 10.0), (x, y), (x + 100.0, y + 10.0)]);
    let dragged = extent(&mut browser, title);
    assert!(dragged.0 > whole.0 && dragged.1 < whole.1, "{dragged:?} of {whole:?}");
    assert_eq!(
        extent(&mut browser, "Where the time went"),
        dragged,
        "charts along the same frames move together"
    );
    browser.click("button.reset");
    assert_eq!(extent(&mut browser, title), whole);
    let (x, y) = browser.middle("figure .chart");
    browser.wheel((x, y), -300.0);
    // ECharts gathers turns of a wheel for some frames; a page that never zooms runs into the browser's patience.
    let now = format!("{}.getModel().getComponent('xAxis').axis.scale.getExtent()", chart(title));
    let zooms = format!(
        "(async () => {{ const size = () => {{ const [a, b] = {now}; return b - a; }};
        while (size() > {} - 1) await new Promise(requestAnimationFrame); return true; }})()",
        whole.1 - whole.0
    );
    assert_eq!(browser.eval(&zooms), json!(true), "the wheel zooms");
    browser.eval("document.querySelector('figure .chart').focus()");
    browser.key("0");
    assert_eq!(extent(&mut browser, title), whole);
    browser.key("+");
    let keyed = extent(&mut browser, title);
    assert!(keyed.1 - keyed.0 < whole.1 - whole.0, "{keyed:?} of {whole:?}");
    check_quiet(&browser);
}

#[test]
fn everything_is_reached_and_read_by_keys() {
    let Some(mut browser) = browser("keys") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    browser.eval(SEE_ALL);
    let wanted = browser.number(
        "[...document.querySelectorAll('button, select, input, .chart, summary, .scroll, a')].filter((it) => !it.disabled && it.checkVisibility()).length",
    );
    let mut reached = std::collections::HashSet::new();
    browser.eval(
        "document.querySelectorAll('*').forEach((it, i) => { it.dataset.at = i; }); window.scrollTo(0, 0)",
    );
    for _ in 0..=wanted as usize + 5 {
        browser.key("Tab");
        reached.insert(browser.eval("document.activeElement.dataset.at ?? null").to_string());
    }
    let outline = "[...document.querySelectorAll('button, select, input, .chart, summary, .scroll, a')].filter((it) => !it.disabled && it.checkVisibility()).map((it) => it.dataset.at)";
    for at in browser.eval(outline).as_array().unwrap() {
        let what = format!(
            "document.querySelector('[data-at=\"{}\"]').outerHTML.slice(0, 120)",
            at.as_str().unwrap()
        );
        assert!(reached.contains(&at.to_string()), "no Tab leads to {}", browser.text(&what));
    }
    browser.eval("document.querySelector('figure .chart').focus()");
    browser.key("ArrowRight");
    let said = browser.text("document.querySelector('[aria-live]').textContent");
    assert!(said.starts_with("frame ") && said.contains("gpu_total") && said.contains("baseline"), "{said}");
    browser.key("Enter");
    let shown = browser.text("document.querySelector('.turn input').value");
    assert!(said.starts_with(&format!("frame {shown}:")), "{said} and {shown}");
    let labels = browser.eval(
        "[...document.querySelectorAll('.chart')].every((it) => it.getAttribute('aria-label').length > 20)",
    );
    assert_eq!(labels, json!(true), "each chart says in words what it shows");
    check_quiet(&browser);
}

#[test]
fn hostile_names_are_text() {
    let Some(mut browser) = browser("hostile names") else { return };
    let place = Place::new();
    let hostile = |lit: u64| {
        let mut parts = capture(lit, 0).into_parts();
        parts.key.scene = HOSTILE[0].into();
        parts.key.adapter = HOSTILE[1].into();
        parts.key.switches.0.insert(HOSTILE[2].into(), HOSTILE[3].into());
        parts.passes[1].name = HOSTILE[0].into();
        parts.passes[2].name = HOSTILE[1].into();
        parts.queues[1].name = HOSTILE[2].into();
        parts.gates[0].name = HOSTILE[3].into();
        Capture::new(parts).unwrap()
    };
    place.put("before.framecost", &hostile(5_000));
    place.put("<img_src=x>\u{202e}.framecost", &hostile(6_200));
    let done = place.framecost(
        "report <img_src=x>\u{202e}.framecost --baseline before.framecost --format html --out r.html",
    );
    assert_eq!(done.code, 0, "{done:?}");
    browser.open(&place.path("r.html"));
    browser.eval(SEE_ALL);
    let tips = format!(
        "{{ const of = {}; of.dispatchAction({{ type: 'showTip', seriesIndex: 0, dataIndex: of.getOption().series[0].data.length - 1 }}); }}",
        chart("Timeline of a frame")
    );
    browser.eval(&tips);
    let tip = browser.text("[...document.querySelectorAll('.tip')].map((it) => it.textContent).join()");
    assert!(tip.contains(HOSTILE[1]), "{tip}");
    browser.eval("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
    let made = browser.number("document.querySelectorAll('img, svg, b, script:not([type]) ~ img, [onerror], [onclick], [onload]').length");
    assert!(made.abs() < 0.5, "{made} elements came from names");
    assert_eq!(browser.eval("typeof hit"), json!("undefined"), "no name ran");
    let text =
        browser.text("document.body.textContent.replace(document.getElementById('data').textContent, '')");
    for name in [HOSTILE[0], HOSTILE[1], HOSTILE[3]] {
        assert!(text.contains(name), "{name} is not shown");
    }
    assert!(
        text.contains(r"\u{202e}gnp.exe\u{1b}[31m") && text.contains(r"<img_src=x>\u{202e}.framecost"),
        "{text}"
    );
    assert!(!text.contains(['\u{202e}', '\u{1b}']), "a control reached the page");
    check_quiet(&browser);
}

#[test]
fn the_pages_policy_stops_what_would_run_or_load() {
    let Some(mut browser) = browser("the policy of a page") else { return };
    let place = Place::new();
    browser.open(&compared(&place));
    check_quiet(&browser);
    let tried = browser.eval(
        "(async () => {
            const script = document.createElement('script');
            script.textContent = 'window.hit = 1';
            const stopped = new Promise((done) => addEventListener('securitypolicyviolation', (it) => done(it.effectiveDirective)));
            document.body.append(script);
            const loads = await Promise.all([
                fetch('http://localhost:9/').then(() => 'loaded', () => 'stopped'),
                new Promise((done) => {
                    const image = new Image();
                    image.onload = () => done('loaded');
                    image.onerror = () => done('stopped');
                    image.src = 'http://localhost:9/x.png';
                }),
            ]);
            return [await stopped, typeof hit, ...loads];
        })()",
    );
    assert_eq!(tried, json!(["script-src-elem", "undefined", "stopped", "stopped"]));
    let tries = browser.requests().len() - 1;
    assert_eq!(browser.blocked(), vec!["csp"; tries], "stopped by the page's policy, not by a closed port");
}

#[test]
fn a_phone_shows_all_without_scrolling_sideways_and_a_button_changes_the_light() {
    let Some(mut browser) = browser("a phone") else { return };
    let place = Place::new();
    let page = compared(&place);
    browser.size(390, 844);
    browser.media("prefers-color-scheme", "dark");
    browser.open(&page);
    browser.eval(SEE_ALL);
    let wide = "[document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth]";
    assert_eq!(browser.eval(wide), json!([390, 390, 390]));
    let colour = "getComputedStyle(document.body).backgroundColor";
    let dark = browser.text(colour);
    browser.click("button.theme");
    let light = browser.text(colour);
    assert_ne!(dark, light);
    browser.size(1280, 900);
    browser.media("prefers-color-scheme", "light");
    browser.open(&page);
    assert_eq!(browser.text(colour), light, "the system's light is the button's");
    check_quiet(&browser);
}

#[test]
fn several_captures_share_one_page_with_an_index() {
    let Some(mut browser) = browser("an index") else { return };
    let place = Place::new();
    for (name, lit, value) in [("off", 5_000, "off"), ("on", 6_000, "on")] {
        let mut parts = capture(lit, 0).into_parts();
        parts.key.switches.0.insert("shadows".into(), value.into());
        place.put(&format!("{name}.framecost"), &Capture::new(parts).unwrap());
    }
    let done = place.framecost("report off.framecost on.framecost --format html");
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(done.stdout.matches("t.version=\"6.1.0\"").count(), 1, "the library stands once");
    place.write("two.html", &done.stdout);
    browser.open(&place.path("two.html"));
    browser.eval(SEE_ALL);
    let entries = browser.eval("[...document.querySelectorAll('.index a')].map((it) => document.querySelector(it.getAttribute('href')) !== null)");
    assert_eq!(entries, json!([true, true, true]), "two runs and what the switch adds");
    let added = browser.text("document.querySelector('#difference-1 .sentence').textContent");
    assert!(added.contains("shadows on - off adds 1.000 ms to the median frame"), "{added}");
    check_quiet(&browser);
}

/// What the rule of runs knows stands in the page: its own interval, what would have shown, and the frames that grew.
#[test]
fn the_rule_of_runs_shows_its_interval_and_the_frames_that_grew() {
    let Some(mut browser) = browser("what the rule of runs knows") else { return };
    let place = Place::new();
    for turn in 0..5 {
        place.put(&format!("before-{turn}.framecost"), &capture_of(360, 5_000, turn));
        let mut parts = capture_of(360, 5_000, turn + 10).into_parts();
        let grown =
            parts.stamps.iter_mut().filter(|it| it.pass == PassId(1) && (130..250).contains(&it.frame));
        grown.for_each(|it| it.end = it.end.clone().map(|end| Ticks(end.0 + 1_500_000)));
        place.put(&format!("after-{turn}.framecost"), &Capture::new(parts).unwrap());
    }
    let all = |name: &str| (0..5).map(|i| format!("{name}-{i}.framecost")).collect::<Vec<_>>().join(" ");
    let saved = place.framecost(&format!("baseline save {}", all("before")));
    assert_eq!(saved.code, 0, "{saved:?}");
    let done =
        place.framecost(&format!("compare {} --rule runs --format html --out runs.html", all("after")));
    assert_eq!(done.stdout, "", "{done:?}");
    browser.open(&place.path("runs.html"));
    browser.eval(SEE_ALL);
    let grown = format!(
        "{}.getOption().series.find((it) => it.name === 'run').markArea.data.map(([from, to]) => [from.xAxis, to.xAxis])",
        chart("Frame by frame")
    );
    let stretches = browser.eval(&grown);
    let first = &stretches[0];
    assert!((125..=135).contains(&first[0].as_u64().unwrap()), "{stretches}");
    assert!((245..=255).contains(&first[1].as_u64().unwrap()), "{stretches}");
    browser.eval("document.querySelectorAll('details.data').forEach((it) => { it.open = true; })");
    let heads = browser
        .text("[...document.querySelectorAll('details.data th')].map((it) => it.textContent).join('|')");
    for head in ["98 % interval", "would show", "p", "remarks"] {
        assert!(heads.split('|').any(|it| it == head), "no column {head}: {heads}");
    }
    check_quiet(&browser);
}

/// A folder of captures as a chart: its points, the step, a revision without a value, and a name that tries to act.
#[test]
fn a_history_is_a_section_of_the_page() {
    let Some(mut browser) = browser("a history") else { return };
    let place = Place::new();
    std::fs::create_dir_all(place.path("runs")).unwrap();
    for i in 0..24u64 {
        let mut parts = capture(if i < 12 { 5_000 } else { 5_900 }, i).into_parts();
        let revision = if i == 3 { HOSTILE[0].to_owned() } else { format!("r{i:02}") };
        let value = Reading::Measured(revision);
        parts.environment.facts = vec![Fact { name: "revision".into(), before: value.clone(), after: value }];
        parts.started_at = Some(format!("2026-01-31T{i:02}:00:00Z"));
        place.put(&format!("runs/{i:02}.framecost"), &Capture::new(parts).unwrap());
    }
    let done = place.framecost("report runs/15.framecost --format html --history runs --out both.html");
    assert_eq!((done.code, done.stdout.as_str()), (0, ""), "{done:?}");
    let alone = place.framecost("history town runs --format html --out history.html");
    assert_eq!((alone.code, alone.stdout.as_str()), (0, ""), "{alone:?}");
    for page in ["both.html", "history.html"] {
        browser.open(&place.path(page));
        browser.eval(SEE_ALL);
        let section = "document.querySelector('#history-1')";
        let word = browser.text(&format!("{section}.querySelector('.word').textContent"));
        assert_eq!(word, "GOT WORSE", "{page}");
        let of = format!("echarts.getInstanceByDom({section}.querySelector('.chart')).getOption()");
        let points = format!("{of}.series.find((it) => it.name === 'points')");
        assert_eq!(browser.eval(&format!("{points}.data.length")), json!(24));
        assert_eq!(browser.eval(&format!("{points}.markLine.data.map((it) => it.xAxis)")), json!([11.5]));
        let rows = "document.querySelectorAll('#history-1 details.data tbody tr').length";
        browser.eval("document.querySelector('#history-1 details.data').open = true");
        browser.eval("new Promise((done) => setTimeout(done, 50))");
        assert_eq!(browser.eval(rows), json!(24));
        assert_eq!(browser.eval("typeof hit"), json!("undefined"), "a revision's name is only text");
        check_quiet(&browser);
    }
    let wrong = place.framecost("report runs/15.framecost --history runs");
    assert_eq!(wrong.code, 2, "{wrong:?}");
}
