//! Captures read in part: what is there is what the whole has, and damage of what is read is found.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::fs;

use framecost_store::{StoreError, Tables, open, read, write};

#[test]
fn a_part_is_that_of_the_whole() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    write(&dir, &common::small()).unwrap();
    let whole = read(&dir).unwrap();
    let opened = open(&dir).unwrap();
    assert_eq!(opened.context().key, whole.key);
    assert_eq!((opened.context().stamps.len(), opened.context().samples.len()), (0, 0));
    let stamps = opened.clone().read(Tables { stamps: true, samples: false }).unwrap();
    assert_eq!((&stamps.stamps, stamps.samples.len()), (&whole.stamps, 0));
    let samples = opened.clone().read(Tables { stamps: false, samples: true }).unwrap();
    assert_eq!((samples.stamps.len(), &samples.samples), (0, &whole.samples));
    assert_eq!(opened.read(Tables { stamps: true, samples: true }).unwrap(), whole);
}

#[test]
fn copies_have_one_identity_and_other_runs_another() {
    let root = tempfile::tempdir().unwrap();
    let (a, b, c) = (root.path().join("a"), root.path().join("b"), root.path().join("c"));
    write(&a, &common::small()).unwrap();
    write(&b, &common::small()).unwrap();
    let mut parts = common::small().into_parts();
    parts.producer.push('x');
    write(&c, &framecost_sample::Capture::new(parts).unwrap()).unwrap();
    let id = |dir: &std::path::Path| open(dir).unwrap().id().to_owned();
    assert_eq!(id(&a), id(&b));
    assert_ne!(id(&a), id(&c));
}

#[test]
fn damage_of_what_is_read_is_found_and_a_table_that_is_gone_too() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("a.framecost");
    write(&dir, &common::small()).unwrap();
    let stamps = dir.join("stamps.parquet");
    let mut bytes = fs::read(&stamps).unwrap();
    bytes[8] ^= 1;
    fs::write(&stamps, bytes).unwrap();
    let opened = open(&dir).unwrap();
    let fault = opened.clone().read(Tables { stamps: true, samples: false }).unwrap_err().to_string();
    assert!(fault.contains("`stamps.parquet` hashes to"), "{fault}");
    assert!(
        opened.clone().read(Tables { stamps: false, samples: true }).is_ok(),
        "what is not asked for is not read"
    );
    fs::remove_file(&stamps).unwrap();
    let fault = opened.read(Tables { stamps: false, samples: true }).unwrap_err();
    assert!(matches!(fault, StoreError::Missing { .. }), "{fault}");
    fs::write(dir.join("capture.json"), "{}").unwrap();
    assert!(open(&dir).unwrap_err().to_string().contains("`capture.json` hashes to"));
    assert!(matches!(open(&root.path().join("b")).unwrap_err(), StoreError::Missing { .. }));
}
