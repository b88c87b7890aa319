//! The JSON of the commands, held against the schemas under docs/schema: what is written is described, and what is described
//! is written. A key that a schema does not know is a fault, so that neither drifts from the other.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;

use common::{Done, Place, Scene};
use framecost::account::Floor;
use framecost::definitions::tools::explain;
use framecost::definitions::{Basis, Intervals, Log, Stream};
use framecost::report::{Cost, CostRuns, MarginalRuns, cost_json, definitions_json, explain_json};
use framecost::{Analysis, analyse};
use framecost_sample::{
    Better, Capture, CaptureParts, Environment, Fact, Metric, MetricId, Reading, Reason, Sample, Unit,
};
use jsonschema::{Registry, Validator};
use serde_json::{Value, json};

const RELATIVE: &str = "json-schema:///";

fn schema(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
    let text = fs::read_to_string(folder.join(format!("{name}.schema.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The validator of a command's answers. Schemas name each other as files of one folder do.
fn validator(name: &str) -> Validator {
    let schema_of = schema(name);
    assert!(jsonschema::meta::is_valid(&schema_of), "{name}: no schema of its draft");
    let report = Registry::new().add(format!("{RELATIVE}report.schema.json"), schema("report")).unwrap();
    let registry = report.prepare().unwrap();
    let options = jsonschema::options().with_registry(&registry);
    options.with_base_uri(format!("{RELATIVE}{name}.schema.json")).build(&schema_of).unwrap()
}

fn faults(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect()
}

/// Checks an answer, and that it is one no more once any object in it has a key more.
fn check(validator: &Validator, text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap();
    assert_eq!(faults(validator, &value), Vec::<String>::new(), "{text}");
    for path in objects(&value, String::new()) {
        // Names of switches, kinds of stamps, what a file says of its machine and kinds of damage are free.
        if ["/switches", "/stamps", "/facts", "/by_damage"].iter().any(|free| path.ends_with(free)) {
            continue;
        }
        let mut more = value.clone();
        let object = more.pointer_mut(&path).unwrap().as_object_mut().unwrap();
        object.insert("a_key_that_nobody_described".into(), json!(1));
        assert!(!validator.is_valid(&more), "{path:?} may hold any key");
    }
    value
}

/// The place of each object, one of each list alone: the others are alike.
fn objects(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::Object(fields) => {
            let inner: Vec<String> =
                fields.iter().flat_map(|(key, value)| objects(value, format!("{path}/{key}"))).collect();
            [path].into_iter().chain(inner).collect()
        }
        Value::Array(items) => items.first().map_or_else(Vec::new, |item| objects(item, format!("{path}/0"))),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// A run with all that a report can hold: samples, facts, figures that are missing.
fn rich(scene: &Scene) -> Capture {
    let mut parts = scene.capture().into_parts();
    let texture = Metric::new("texture_bytes", Unit::Bytes, Better::Lower, "memory of textures");
    parts.metrics = vec![Metric::built_in("cpu_frame").unwrap(), texture];
    let sample = |frame: u64, metric, value: f64| {
        let lost = frame == 3 && metric == 1;
        let reading = if lost {
            Reading::Missing(Reason::SourceRefused("no".into()))
        } else {
            Reading::Measured(value)
        };
        Sample { frame, metric: MetricId(metric), reading }
    };
    parts.samples =
        parts.frames.iter().flat_map(|&frame| [sample(frame, 0, 9e5), sample(frame, 1, 4096.0)]).collect();
    parts.environment = Environment {
        facts: vec![Fact {
            name: "driver".into(),
            before: Reading::Measured(scene.lit.to_string()),
            after: Reading::Missing(Reason::Unsupported),
        }],
    };
    parts.stamps[5].end = Reading::Missing(Reason::NotAvailable);
    Capture::new(parts).unwrap()
}

/// The same without what a capture need not state.
fn bare(scene: &Scene) -> Capture {
    let mut parts: CaptureParts = scene.capture().into_parts();
    parts.key.size = None;
    parts.key.frames_in_flight = None;
    parts.started_at = None;
    parts.clocks[0].sharing = framecost_sample::Sharing::WithinSubmission;
    for stamp in &mut parts.stamps {
        stamp.start = Reading::Missing(Reason::Reversed);
    }
    Capture::new(parts).unwrap()
}

const BUDGETS: &str = r#"
[[budget]]
name = "frame"
of = "gpu_total"
scene = "town"
size = "2560x1440"
statistic = "median"
limit = "5 ms"
adapter = "any"

[[budget]]
name = "elsewhere"
of = "gpu_total"
scene = "desert"
size = "any"
statistic = "median"
limit = "5 ms"
adapter = "any"

[[ceiling]]
name = "culling"
of = "duration/culling"
size = "any"
statistic = "max"
limit = "9 ms"
adapter = "any"
"#;

fn place() -> Place {
    let place = Place::new();
    let of = |lit, switches| rich(&Scene { lit, switches, ..Scene::default() });
    place.put("a.framecost", &of(5_000, &[("rays", "off")]));
    place.put("b.framecost", &of(5_100, &[("rays", "off")]));
    place.put("slow.framecost", &of(7_000, &[("rays", "off")]));
    place.put("rays.framecost", &of(8_000, &[("rays", "on")]));
    place.put("bare.framecost", &bare(&Scene { scene: "bare", frames: 3, ..Scene::default() }));
    place.put("desert.framecost", &rich(&Scene { scene: "desert", frames: 5, ..Scene::default() }));
    place
}

fn answers(place: &Place, validator: &Validator, calls: &[&str]) -> Vec<(Done, Value)> {
    calls
        .iter()
        .map(|call| {
            let done = place.framecost(call);
            let value = check(validator, &done.stdout);
            (done, value)
        })
        .collect()
}

#[test]
fn reports_are_as_their_schema_says() {
    let place = place();
    let calls = [
        "report a.framecost --json",
        "report bare.framecost desert.framecost --json",
        "report slow.framecost --baseline a.framecost --json",
        "report rays.framecost --baseline a.framecost --json",
        "report a.framecost b.framecost rays.framecost --json",
    ];
    let plain = answers(&place, &validator("report"), &calls);
    assert!(plain[0].1["reports"][0].get("baseline").is_none(), "a baseline that is none is no key");
    assert!(plain[2].1["reports"][0]["baseline"].is_string());
    assert!(!plain[4].1["differences"].as_array().unwrap().is_empty(), "what the switch adds");
    assert!(plain[1].1["reports"][0]["report"]["run"].get("size").is_none(), "the bare one states no size");
    place.write("framecost.toml", BUDGETS);
    let judged = answers(&place, &validator("report"), &calls);
    let verdict = &judged[2].1["reports"][0]["report"]["verdict"];
    assert!(verdict["unbound"][0]["name"] == "elsewhere" && verdict["rows"][0]["against"].is_object());
}

#[test]
fn comparisons_are_as_their_schema_says_whatever_they_come_to() {
    let place = place();
    let calls = [
        ("compare b.framecost --baseline a.framecost --json", 0),
        ("compare slow.framecost --baseline a.framecost --json", 1),
        ("compare a.framecost --json", 3),
        ("compare desert.framecost --baseline a.framecost --json", 3),
        ("compare a.framecost b.framecost rays.framecost bare.framecost --json", 3),
        // What keeps it from judging.
        ("compare nothing.framecost --json", 3),
        ("compare a.framecost --baseline a.framecost --json", 2),
    ];
    let validator = validator("compare");
    for (call, code) in calls {
        let done = place.framecost(call);
        let value = check(&validator, &done.stdout);
        assert_eq!((done.code, value["exit_code"].as_i64()), (code, Some(code.into())), "{call}");
    }
    assert_eq!(place.framecost("baseline save twin/a.framecost twin/b.framecost").code, 0);
    assert_eq!(place.framecost("baseline save twin/rays.framecost").code, 0);
    place.write("framecost.toml", BUDGETS);
    let calls = ["compare b.framecost slow.framecost rays.framecost --json", "compare bare.framecost --json"];
    let judged = answers(&place, &validator, &calls);
    assert!(judged[0].1["differences"][0]["verdict"]["rows"].is_array());
    assert_eq!(judged[0].1["comparisons"][0]["captures"], json!(["b.framecost", "slow.framecost"]));
}

#[test]
fn recounts_are_as_their_schema_says() {
    let calls = [
        "recount a.framecost --floor none --json",
        "recount a.framecost --floor pass:lit --json",
        "recount bare.framecost --floor none --json",
    ];
    let found = answers(&place(), &validator("recount"), &calls);
    assert!(found[2].1["nothing"].is_string());
}

#[test]
fn what_a_pass_costs_is_as_its_schema_says() {
    let runs = |lits: &[u64]| -> Vec<Analysis> {
        let capture = |lit: &u64| Scene { lit: *lit, ..Scene::default() }.capture();
        lits.iter().map(|lit| analyse(&capture(lit), &Floor::LastPass)).collect()
    };
    let (some, one) = (runs(&[5_000, 5_100]), runs(&[4_000]));
    let marginal = MarginalRuns { with: &some, without: &some, switch: "lit_load", one_more: true };
    let all = CostRuns { running: Ok(&some), serial: Ok(&one), marginal: Ok(marginal) };
    let none = CostRuns {
        running: Err("nobody ran it".into()),
        serial: Err("nobody ran it".into()),
        marginal: Err("nobody ran it".into()),
    };
    let validator = validator("cost");
    for runs in [all, none] {
        check(&validator, &cost_json(&Cost::new("town", "lit", &runs), &["a.framecost".into()]));
    }
}

#[test]
fn definitions_and_what_tools_print_are_as_their_schemas_say() {
    let times: Vec<Reading<f64>> =
        (0..1200).map(|i| Reading::Measured(1e7 + f64::from(i % 7) * 1e6)).collect();
    let lost = [Reading::Measured(0.0), Reading::Missing(Reason::NotDisplayed)];
    let all = |log, times| {
        let plain = Stream::of_times(Basis { log, intervals: Intervals::Presented }, times);
        Stream { displayed: times, animation_errors: times, gpu_busy: times, gpu_time: times, ..plain }
    };
    let bare = Stream::of_times(Basis { log: Log::PerFrame, intervals: Intervals::Displayed }, &lost);
    let (definitions, explanation) = (validator("definitions"), validator("explain"));
    for stream in
        [all(Log::PerFrame, times.as_slice()), all(Log::Sampled, &times), all(Log::PerFrame, &lost), bare]
    {
        let (sheet, explained) = explain(&stream);
        check(&definitions, &definitions_json("a.csv", &sheet));
        check(&explanation, &explain_json("a.csv", &explained));
    }
}

#[test]
fn imports_are_as_their_schema_says() {
    let place = Place::new();
    let rows: String = (0..1100)
        .map(|i| format!("a.exe,7,0x1,DXGI,0,0,0,{:.6},0.1,16.5\n", f64::from(i) * 0.0165))
        .collect();
    let header = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,Dropped,TimeInSeconds,msInPresentAPI,msBetweenPresents";
    place.write(
        "a.csv",
        &format!("{header}\n{rows}a.exe,7,0x1,DXGI,0,0,0,x,0.1,16.5\nb.exe,8,0x2,DXGI,0,0,0,1.0,0.1,16.5\n"),
    );
    place.write("zones.csv", "name,src_file,src_line,total_ns,total_perc,counts,mean_ns,min_ns,max_ns,std_ns\nf,c,1,2,3,4,5,6,7,8\n");
    let validator = validator("import");
    let calls = [
        "import a.csv --list-streams --json",
        "import a.csv --stream a.exe --json",
        "import zones.csv --list-streams --json",
    ];
    let answers = answers(&place, &validator, &calls);
    assert_eq!(answers[1].1["files"][0]["capture"].as_str().map(|it| it.starts_with("out")), Some(true));
    assert_eq!(answers[0].1["files"][0]["log"]["set_aside"]["rows"], 1);
    assert!(!answers[2].1["files"][0]["log"]["figures"].as_array().unwrap().is_empty());
}

#[test]
fn a_schema_refuses_what_the_format_does_not_allow() {
    let validator = validator("report");
    let whole = place().framecost("report a.framecost --json");
    let value: Value = serde_json::from_str(&whole.stdout).unwrap();
    let median = "/reports/0/report/frame/0/median";
    for (path, wrong) in [
        (median, Value::Null),
        (median, json!("6 ms")),
        (median, json!({ "missing": 3 })),
        ("/reports/0/report/framecost_report", json!(2)),
        ("/reports/0/report/run/adapter_class", json!("toaster")),
        ("/reports/0/report/environment/0/after", json!({})),
    ] {
        let mut other = value.clone();
        *other.pointer_mut(path).unwrap() = wrong;
        assert!(!validator.is_valid(&other), "{path}");
    }
}
