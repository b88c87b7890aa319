//! Baselines on disk: saved, found by key and by name, listed, removed; absent and damaged are told apart.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use framecost_sample::{Capture, CaptureParts, Counts};
use framecost_store::baseline::{self, HardKey};
use framecost_store::{StoreError, read, write};

/// A folder with two runs of one key and one of another adapter.
struct Bench {
    root: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { root: tempfile::tempdir().unwrap() };
        write(&bench.run("a"), &common::small()).unwrap();
        let warmer = |parts: &mut CaptureParts| parts.counts = Counts { warm_up: 9, ..parts.counts };
        write(&bench.run("b"), &changed(warmer)).unwrap();
        write(&bench.run("other"), &changed(|parts| parts.key.adapter = "NVIDIA H200".into())).unwrap();
        bench
    }

    fn run(&self, name: &str) -> PathBuf {
        self.root.path().join(format!("{name}.framecost"))
    }

    fn baselines(&self) -> PathBuf {
        self.root.path().join("bench/baselines")
    }

    fn save(&self, runs: &[&str]) -> Result<baseline::Baseline, StoreError> {
        let runs: Vec<_> = runs.iter().map(|name| self.run(name)).collect();
        baseline::save(&self.baselines(), &runs)
    }

    /// An error's text with the temporary folder's name taken out.
    fn redact(&self, error: &StoreError) -> String {
        error.to_string().replace(self.root.path().to_str().unwrap(), "ROOT")
    }
}

fn changed(change: impl FnOnce(&mut CaptureParts)) -> Capture {
    let mut parts = common::small().into_parts();
    change(&mut parts);
    Capture::new(parts).unwrap()
}

fn key() -> HardKey {
    HardKey::of(&common::small())
}

#[test]
fn saved_runs_are_found_by_key_and_by_name() {
    let bench = Bench::new();
    let saved = bench.save(&["a", "b"]).unwrap();
    let found = baseline::find(&bench.baselines(), &key()).unwrap().unwrap();
    assert_eq!(found, saved);
    assert_eq!(found.measured_at, common::small().started_at);
    assert_eq!(baseline::named(&bench.baselines(), &saved.name()).unwrap(), saved);
    assert_eq!(found.load().unwrap(), [read(&bench.run("a")).unwrap(), read(&bench.run("b")).unwrap()]);
    assert_eq!(fs::read_dir(bench.baselines()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn no_baseline_for_this_adapter_is_none_and_never_another_adapters() {
    let bench = Bench::new();
    bench.save(&["other"]).unwrap();
    assert_eq!(baseline::find(&bench.baselines(), &key()).unwrap(), None);
    assert_eq!(baseline::find(Path::new("no/such/root"), &key()).unwrap(), None);
}

#[test]
fn saving_again_replaces_the_runs() {
    let bench = Bench::new();
    bench.save(&["a", "b"]).unwrap();
    bench.save(&["b"]).unwrap();
    let found = baseline::find(&bench.baselines(), &key()).unwrap().unwrap();
    assert_eq!(found.load().unwrap(), [read(&bench.run("b")).unwrap()]);
}

#[test]
fn unlike_or_doubled_or_no_runs_are_refused() {
    let bench = Bench::new();
    let refuse = |runs: &[&str]| bench.redact(&bench.save(runs).unwrap_err());
    insta::assert_snapshot!(refuse(&["a", "other"]), @r#"`ROOT/a.framecost` and `ROOT/other.framecost` are of different keys: adapter: "llvmpipe (LLVM 15.0.6, 256 bits)" against "NVIDIA H200"; a baseline is of one key: one call per scene and set of switches"#);
    // The same run in other bytes, as another tool may have written it anew.
    write(&bench.run("again"), &common::small()).unwrap();
    let context = bench.run("again").join("capture.json");
    let indented = fs::read_to_string(&context).unwrap();
    fs::write(&context, indented.replace('\n', " ")).unwrap();
    common::list_again(&bench.run("again"));
    insta::assert_snapshot!(refuse(&["a", "b", "a"]), @"`ROOT/a.framecost` holds the same run as `ROOT/a.framecost`: a run counts once");
    insta::assert_snapshot!(refuse(&["a", "again"]), @"`ROOT/again.framecost` holds the same run as `ROOT/a.framecost`: a run counts once");
    insta::assert_snapshot!(refuse(&[]), @"a baseline is made of at least one capture");
    assert!(!bench.baselines().exists(), "a refused save writes nothing");
}

#[test]
fn a_damaged_baseline_is_an_error_and_never_absent() {
    let bench = Bench::new();
    let saved = bench.save(&["a"]).unwrap();
    let pointer = saved.dir.join("baseline.json");
    let find = || bench.redact(&baseline::find(&bench.baselines(), &key()).unwrap_err());
    let good = fs::read_to_string(&pointer).unwrap();
    fs::write(&pointer, good.replace("\"runs\"", "\"ruins\"")).unwrap();
    assert!(find().contains("unknown field `ruins`"), "{}", find());
    fs::write(&pointer, good.replace("llvmpipe", "lavapipe")).unwrap();
    assert!(find().contains("its key is not that of its folder's name: adapter: "), "{}", find());
    fs::write(&pointer, good.replace("run-1.framecost", "../../elsewhere.framecost")).unwrap();
    assert!(
        find().ends_with("`../../elsewhere.framecost` is not the name of a folder beside it"),
        "{}",
        find()
    );
    fs::remove_file(&pointer).unwrap();
    assert!(find().ends_with("holds no `baseline.json`"), "{}", find());
}

#[test]
fn a_renamed_baseline_is_damaged() {
    let bench = Bench::new();
    let saved = bench.save(&["a"]).unwrap();
    fs::rename(&saved.dir, bench.baselines().join("orrery")).unwrap();
    let fault = bench.redact(&baseline::named(&bench.baselines(), "orrery").unwrap_err());
    insta::assert_snapshot!(fault, @"`ROOT/bench/baselines/orrery`: is the baseline `orrery-llvmpipe-llvm-15.0.6-256-bits-vulkan-320x180-lit_load=1-a2e2f05e2da9d877`, not `orrery`; a baseline's folder has the name of its key");
    let listed = baseline::list(&bench.baselines()).unwrap();
    assert!(listed.len() == 1 && listed[0].baseline.is_err(), "{listed:?}");
    let found = baseline::find(&bench.baselines(), &key()).unwrap_err();
    assert_eq!(bench.redact(&found), fault, "it is not taken for no baseline");
    baseline::remove(&bench.baselines(), "orrery").unwrap();
    assert_eq!(baseline::find(&bench.baselines(), &key()).unwrap(), None);
}

#[test]
fn a_pointer_that_no_save_writes_is_damaged() {
    let bench = Bench::new();
    let saved = bench.save(&["a", "b"]).unwrap();
    let path = saved.dir.join("baseline.json");
    let good: serde_json::Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let fault = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut pointer = good.clone();
        change(&mut pointer);
        fs::write(&path, pointer.to_string()).unwrap();
        let error = baseline::find(&bench.baselines(), &key()).unwrap_err();
        error.to_string().rsplit_once("baseline.json`: ").unwrap().1.to_owned()
    };
    insta::assert_snapshot!(fault(&|it| it["runs"] = serde_json::json!([])), @"runs is empty; a baseline holds at least one");
    insta::assert_snapshot!(fault(&|it| it["runs"][1]["sha256"] = it["runs"][0]["sha256"].clone()), @"runs[1], `run-2.framecost`, is there already; a run counts once");
    insta::assert_snapshot!(fault(&|it| it["runs"][1]["capture"] = it["runs"][0]["capture"].clone()), @"runs[1], `run-1.framecost`, is there already; a run counts once");
    insta::assert_snapshot!(fault(&|it| it["measured_at"] = "today".into()), @"measured_at is `today`; allowed: RFC 3339 in UTC, or null");
    insta::assert_snapshot!(fault(&|it| it["key"]["size"] = serde_json::json!([0, 0])), @"key.size is [0, 0]; allowed: two sides of 1 to 65536 pixels, or null");
    insta::assert_snapshot!(fault(&|it| it["framecost_baseline"] = 2.into()), @"baseline version 2 is not known; this framecost reads versions 1 to 1");
}

#[test]
fn a_run_that_was_changed_after_saving_is_an_error() {
    let bench = Bench::new();
    let saved = bench.save(&["a"]).unwrap();
    write(&saved.dir.join("run-1.framecost"), &read(&bench.run("b")).unwrap()).unwrap();
    let fault = saved.load().unwrap_err().to_string();
    assert!(fault.contains("is not the capture that was saved"), "{fault}");
}

#[test]
fn a_list_shows_the_damaged_ones_too() {
    let bench = Bench::new();
    assert!(baseline::list(&bench.baselines()).unwrap().is_empty(), "no root, no baselines");
    let good = bench.save(&["a"]).unwrap();
    let bad = bench.save(&["other"]).unwrap();
    fs::write(bad.dir.join("baseline.json"), "{").unwrap();
    fs::write(bench.baselines().join("README.md"), "ours").unwrap();
    let listed = baseline::list(&bench.baselines()).unwrap();
    let names: Vec<_> = listed.iter().map(|it| (it.name.clone(), it.baseline.is_ok())).collect();
    assert_eq!(names, [(good.name(), true), (bad.name(), false)]);
}

#[test]
fn removing_takes_one_baseline_and_nothing_else() {
    let bench = Bench::new();
    let saved = bench.save(&["a"]).unwrap();
    baseline::remove(&bench.baselines(), &saved.name()).unwrap();
    assert_eq!(baseline::find(&bench.baselines(), &key()).unwrap(), None);
    for name in ["..", "../..", "", ".", "a/b", "/etc"] {
        let gone = baseline::remove(&bench.baselines(), name);
        assert!(matches!(gone, Err(StoreError::Missing { .. })), "{name}: {gone:?}");
    }
    assert!(bench.run("a").exists(), "the capture that was saved from stays");
}
