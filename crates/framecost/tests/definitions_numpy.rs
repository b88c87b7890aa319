//! Quantiles held against numpy's: every method, on samples of one value to a thousand, with ties. `data/numpy_quantiles.py`
//! wrote the expectations.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use framecost::definitions::{Method, quantile};
use serde_json::Value;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect()
}

#[test]
fn every_method_gives_what_numpy_gives() {
    let data: Value = serde_json::from_str(include_str!("data/numpy_quantiles.json")).unwrap();
    let at = numbers(&data["quantiles"]);
    let mut compared = 0;
    for sample in data["samples"].as_array().unwrap() {
        let values = numbers(&sample["values"]);
        assert_eq!(sample["by_method"].as_object().unwrap().len(), Method::ALL.len());
        for method in Method::ALL {
            let expected = numbers(&sample["by_method"][method.numpy()]);
            for (&q, expected) in at.iter().zip(expected) {
                let found = quantile(&values, q, method).unwrap();
                let near = (found - expected).abs() <= 1e-12 * expected.abs();
                assert!(near, "{} of {}, q {q}: {found}, not {expected}", method.id(), sample["name"]);
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 8 * 13 * 12, "samples, methods, quantiles");
}
