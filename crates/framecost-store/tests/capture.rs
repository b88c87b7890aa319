//! Captures on disk: what was written is read, byte for byte the same each time; one kept capture per wire version.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;

use framecost_store::{StoreError, read, write};
use proptest::prelude::*;

#[test]
fn a_capture_reads_as_it_was_written() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    write(&dir, &common::small()).unwrap();
    assert_eq!(read(&dir).unwrap(), common::small());
    let mut names: Vec<_> =
        fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["SHA256SUMS", "capture.json", "samples.parquet", "stamps.parquet"]);
}

#[test]
fn equal_captures_give_equal_files() {
    let root = tempfile::tempdir().unwrap();
    let [a, b] = ["a", "b"].map(|name| root.path().join(name));
    write(&a, &common::small()).unwrap();
    write(&b, &common::small()).unwrap();
    for name in common::FILES {
        assert_eq!(fs::read(a.join(name)).unwrap(), fs::read(b.join(name)).unwrap(), "{name}");
    }
}

#[test]
fn the_kept_capture_of_version_1_reads() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/v1.framecost");
    // Only a new wire version gets a new folder; this one is written once and then stays.
    if std::env::var_os("FRAMECOST_UPDATE_KEPT").is_some() {
        write(&dir, &common::small()).unwrap();
    }
    assert_eq!(read(&dir).unwrap(), common::small());
}

#[test]
fn what_is_not_there_and_what_is_damaged_differ() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    assert!(matches!(read(&dir), Err(StoreError::Missing { path }) if path == dir));
    write(&dir, &common::small()).unwrap();
    fs::write(dir.join("stamps.parquet"), "PAR1").unwrap();
    assert!(matches!(read(&dir), Err(StoreError::Corrupt { .. })));
    fs::remove_file(dir.join("stamps.parquet")).unwrap();
    assert!(matches!(read(&dir), Err(StoreError::Missing { path }) if path.ends_with("stamps.parquet")));
}

#[test]
fn a_capture_of_a_later_version_is_refused_by_its_version() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    write(&dir, &common::small()).unwrap();
    let context = dir.join("capture.json");
    // Whatever else a later version holds: a key that this one lacks is not what the person is told.
    let later = fs::read_to_string(&context).unwrap();
    let later = later.replace("\"framecost_capture\": 1", "\"framecost_capture\": 2, \"new\": []");
    fs::write(&context, later).unwrap();
    common::list_again(&dir);
    let fault = read(&dir).unwrap_err().to_string();
    let due = "capture.json`: capture version 2 is not known; this framecost reads versions 1 to 1";
    assert!(fault.ends_with(due), "{fault}");
}

#[test]
fn a_value_that_no_run_has_is_named_with_its_file_and_place() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    write(&dir, &common::small()).unwrap();
    let context = dir.join("capture.json");
    let good: serde_json::Value = serde_json::from_str(&fs::read_to_string(&context).unwrap()).unwrap();
    for (pointer, value, fault) in [
        ("/started_at", serde_json::json!("soon"), "started_at is `soon`; allowed: RFC 3339 in UTC, "),
        ("/clocks/0/step_ticks", 0.into(), "clocks[0].step_ticks is 0; allowed: 1 to "),
        ("/clocks/0/period_ns/0", 0.into(), "clocks[0]: clock period 0/3 ns a tick is not "),
        ("/key/size", serde_json::json!([0, 0]), "key.size is [0, 0]; allowed: "),
        ("/key/frames_in_flight", 0.into(), "key.frames_in_flight is 0; allowed: 1 to 256, or null"),
        ("/metrics/0/name", "gpu_total".into(), "metrics[0].name is `gpu_total`; allowed: "),
        ("/counts/warm_up", u64::MAX.into(), "counts.warm_up is 18446744073709551615; allowed: at most "),
        ("/queues/0/clock", 9.into(), "queues[0] names clock 9; the capture has 1"),
    ] {
        let mut hostile = good.clone();
        *hostile.pointer_mut(pointer).unwrap() = value;
        fs::write(&context, hostile.to_string()).unwrap();
        common::list_again(&dir);
        let error = read(&dir).unwrap_err();
        assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
        let error = error.to_string();
        assert!(error.contains(&format!("capture.json`: {fault}")), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_not_followed() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    write(&dir, &common::small()).unwrap();
    let elsewhere = root.path().join("elsewhere");
    fs::rename(dir.join("stamps.parquet"), &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, dir.join("stamps.parquet")).unwrap();
    let fault = read(&dir).unwrap_err().to_string();
    assert!(fault.ends_with("stamps.parquet`: is a link; only regular files are read"), "{fault}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_capture_reads_as_it_was_written(capture in common::any_capture()) {
        let root = tempfile::tempdir().unwrap();
        let dir = root.path().join("a.framecost");
        write(&dir, &capture).unwrap();
        prop_assert_eq!(read(&dir).unwrap(), capture);
    }
}
