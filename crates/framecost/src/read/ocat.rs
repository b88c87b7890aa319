//! OCAT's captures of 1.x: PresentMon's columns, and the machine's description behind them. In: a header. Out: how its rows are
//! read; the description as facts.
//!
//! The description stands only on the first row, whose last field may be left out; all others end twelve fields earlier. With
//! several GPUs the first row is longer than the header, since each has its own four fields. A row of any other length is damaged.

use std::collections::BTreeMap;

use super::ReadError;
use super::error::shown;
use super::facts::of_machine;
use super::format::Head;
use super::log::{Missing, Producer, Role};
use super::plan::TablePlan;
use super::presentmon::{self, Kin};
use super::quantity::Quantity;
use super::table::Fields;
use super::table::known::{Known, NA, UNKNOWN, ms, number};

/// What PresentMon's tables do not have.
const COLUMNS: &[Known] = &[
    ms(&["msestimateddriverlag"], Quantity::DriverLag, Missing { zero: UNKNOWN, ..NA }, UNKNOWN),
    number(&["width"], Role::Other),
    number(&["height"], Role::Other),
];

/// Columns of captures of virtual reality, whose rows pair an application's frame with a compositor's.
const VIRTUAL_REALITY: &[&str] = &[
    "apprenderstart",
    "msbetweenapppresents",
    "msbetweenlsrs",
    "msbetweenreprojections",
    "appmissed",
    "warpmissed",
    "lsrmissed",
];

/// GPUs whose descriptions the first row may hold, and the fields of each.
const MOST_GPUS: usize = 8;
const FIELDS_OF_GPU: usize = 4;

/// Whether a file is OCAT's.
pub(super) fn matches(head: &Head<'_>) -> bool {
    let flat = head.has(&["processid", "swapchainaddress"])
        && (head.has(&["motherboard", "gpu #"]) || head.has(&["msestimateddriverlag"]));
    flat || is_virtual_reality(head)
}

fn is_virtual_reality(head: &Head<'_>) -> bool {
    head.has(&["processid"]) && VIRTUAL_REALITY.iter().any(|name| head.has(&[name]))
}

/// How a file with this header is read.
pub(super) fn plan(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    if is_virtual_reality(head) {
        let marks: Vec<&str> = VIRTUAL_REALITY.iter().copied().filter(|name| head.has(&[name])).collect();
        return Err(ReadError::Undecided(format!(
            "the header on line {} is that of a capture of virtual reality ({}): its rows pair an application's frame with a \
             compositor's; allowed: captures of flat applications",
            head.first_line - 1,
            marks.join(", ")
        )));
    }
    let frames = frame_columns(head);
    let late = head.has(&["msestimateddriverlag"]);
    let kin =
        Kin { format: "ocat".into(), v1: true, zeros: true, seconds: false, own: COLUMNS, columns: frames };
    let mut findings = Vec::new();
    let mut layout = presentmon::lay_out(head, &kin, &mut findings)?;
    layout.quotes = true;
    layout.notes = &["warning"];
    let all = head.names.len();
    if all > frames {
        layout.longer = ((all - 1).max(frames + 1), all + FIELDS_OF_GPU * (MOST_GPUS - 1));
    }
    let (version, marks) = if late { ("1.5 or later", "with") } else { ("1.0 to 1.4", "without") };
    let evidence =
        format!("the machine's description behind PresentMon's columns, {marks} MsEstimatedDriverLag");
    Ok(TablePlan {
        start: head.start(),
        layout,
        producer: Producer {
            tool: "OCAT".into(),
            version: version.into(),
            class: "v1 metrics 1.0".into(),
            evidence,
        },
        facts: facts(head, frames),
        findings,
        finish: presentmon::finish,
    })
}

/// How many columns stand before the machine's description.
fn frame_columns(head: &Head<'_>) -> usize {
    let described = head.lower.iter().rev().take_while(|name| of_machine(name).is_some()).count();
    head.names.len() - described
}

/// The description on the first row that has one; of several GPUs each is named.
fn facts(head: &Head<'_>, frames: usize) -> BTreeMap<String, String> {
    let mut ends = Vec::new();
    let mut facts = head.facts();
    for row in head.rows() {
        let fields = Fields::cut(row, head.separator, true, &mut ends);
        if fields.len() <= frames {
            continue;
        }
        let extra = fields.len().saturating_sub(head.names.len()) / FIELDS_OF_GPU * FIELDS_OF_GPU;
        let first_gpu = head.place("gpu").unwrap_or(usize::MAX);
        for (place, name) in head.lower.iter().enumerate().skip(frames) {
            let Some(fact) = of_machine(name) else { continue };
            let of_gpu = (first_gpu..first_gpu.saturating_add(FIELDS_OF_GPU)).contains(&place);
            let places = match (of_gpu, place > first_gpu) {
                (true, _) => (place..=place + extra).step_by(FIELDS_OF_GPU),
                (false, true) => (place + extra..=place + extra).step_by(1),
                (false, false) => (place..=place).step_by(1),
            };
            let texts = places.map(|place| fields.get(place).trim_ascii());
            let texts: Vec<String> =
                texts.filter(|text| !text.is_empty() && *text != b"-").map(|text| shown(text, 200)).collect();
            if !texts.is_empty() {
                facts.insert(fact.into(), texts.join("; "));
            }
        }
        break;
    }
    facts
}
