//! CapFrameX' records of before 1.5: lines of `//Key=Value`, then a table of PresentMon's. In: a file's first lines. Out: how its
//! rows are read; the lines as facts.
//!
//! The table is read as PresentMon's own, by its columns' names alone: where a header has no column of drops, presents that were
//! never shown are told from what is missing, and where that says nothing either, nobody says that nothing was dropped. No row is
//! filtered out.

use std::collections::BTreeMap;

use super::facts::of_machine;
use super::format::Head;
use super::plan::TablePlan;
use super::{ReadError, presentmon};
use crate::Finding;

/// Whether a file is such a record.
pub(super) fn matches(head: &Head<'_>) -> bool {
    presentmon::matches(head) && !head.facts().is_empty()
}

/// How a file with this beginning is read.
pub(super) fn plan(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    let mut plan = presentmon::plan(head)?;
    let lines = head.facts();
    plan.producer.evidence = format!(
        "{} of `//Key=Value` before a table of PresentMon {}: {}",
        crate::counted(head.preamble.len() as u64, "line"),
        plan.producer.version,
        plan.producer.evidence
    );
    plan.producer.version = format!("before 1.5, with PresentMon {}", plan.producer.version);
    plan.producer.tool = "CapFrameX".into();
    if lines.get("ignore").is_some_and(|text| text.eq_ignore_ascii_case("true")) {
        plan.findings.push(Finding {
            place: "line `//Ignore`".into(),
            cause: "the record is marked as one to be ignored: somebody has hidden it in the tool's list"
                .into(),
            remedy: "see why it was hidden before comparing with it".into(),
            times: 1,
        });
    }
    let named = lines.into_iter().map(|(key, text)| {
        let fact = of_machine(&key).map_or(key, str::to_owned);
        (fact, text)
    });
    plan.facts = named.collect::<BTreeMap<_, _>>();
    Ok(plan)
}
