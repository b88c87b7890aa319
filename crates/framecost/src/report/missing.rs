//! What is missing, gathered for reading: one line per pass, gate or group of metrics, reason and number of frames.

use std::collections::HashMap;

use framecost_sample::Reason;

use super::Missing;
use crate::stats::{Origin, Subject, Summaries};

/// The missing values of every figure, in the figures' order. A pass's or gate's metrics share their stamps and so their
/// reasons: they stand once, under its name. A frame's metrics that share reason and number stand on one line.
pub(super) fn gather(summaries: &Summaries) -> Vec<Missing> {
    let mut lines: Vec<Missing> = Vec::new();
    let mut seen: HashMap<(&str, Option<&str>, String, u64), usize> = HashMap::new();
    for row in summaries.rows.iter().filter(|row| row.origin != Origin::Definition) {
        for (reason, &times) in &row.missing {
            // Where nobody asked for stamps, one line says it for all passes and one for all gates.
            let asked = *reason != Reason::NotStamped;
            let what = match &row.subject {
                Subject::Frame | Subject::Run => row.metric.name.clone(),
                Subject::Pass(name) if asked => format!("pass {name}"),
                Subject::Gate(name) if asked => format!("gate {name}"),
                Subject::Pass(_) => "every pass".into(),
                Subject::Gate(_) => "every gate".into(),
                Subject::Switch(name) => format!("switch {name}"),
            };
            let name = row.subject.name().filter(|_| asked);
            let key = (row.subject.kind(), name, reason.to_string(), times);
            match seen.get(&key).and_then(|&line| lines.get_mut(line)) {
                Some(line) if row.subject.name().is_none() => {
                    line.what.push_str(", ");
                    line.what.push_str(&what);
                }
                Some(_) => {}
                None => {
                    seen.insert(key, lines.len());
                    let of = row.values.len() as u64;
                    lines.push(Missing { what, reason: reason.to_string(), times, of });
                }
            }
        }
    }
    lines
}
