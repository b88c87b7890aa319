//! From a log's first lines to a plan: the machine's description, the version where it is written, the columns. In: the file's
//! first lines. Out: the plan.
//!
//! ```text
//!  [v1] [v0.6.8] [--SYSTEM INFO--]   os,cpu,gpu,ram,kernel,driver   its values   [--FRAME METRICS--]   fps,frametime,...   rows
//! ```
//!
//! The oldest logs have no names over their rows: `fps,cpu,gpu,elapsed`, as the source of 0.1 to 0.4 writes them (MangoHud #287).

use std::collections::BTreeMap;

use crate::Finding;
use crate::read::error::shown;
use crate::read::format::Head;
use crate::read::log::{Basis, ClockKind, FileUnit, Gap, Missing, Producer, Role, Zero};
use crate::read::plan::TablePlan;
use crate::read::quantity::Quantity;
use crate::read::table::known::{Known, LookUp, UNKNOWN, ms, number, sensor, time};
use crate::read::table::{Fields, Layout};
use crate::read::{ReadError, number as numbers};

/// A load is 0 in earnest where any of the GPU's sensors was read: the columns whose names begin with `gpu`.
const IF_READ: Zero = Zero::ByGpu { seen: None, unseen: Gap::Unknown };

/// The columns. A sensor that is not there is written as 0, and a temperature, a clock, a power or memory in use of 0 is none:
/// those are missing. A load of the CPU and swap in use may be 0.
const COLUMNS: &[Known] = &[
    number(&["fps"], Role::Of(Quantity::FramesPerSecond)),
    Known {
        unit: FileUnit::Unknown,
        ..ms(&["frametime"], Quantity::PresentedInterval, Missing::NEVER, Zero::Value)
    },
    time(&["elapsed"], Role::PresentTime(ClockKind::Session), FileUnit::Unknown),
    sensor(&["cpu", "cpu_load"], Zero::Value),
    sensor(&["gpu", "gpu_load"], IF_READ),
    sensor(&["cpu_temp", "cpu_power", "cpu_mhz"], UNKNOWN),
    sensor(&["gpu_temp", "gpu_core_clock", "gpu_mem_clock", "gpu_power", "gpu_vram_used"], UNKNOWN),
    sensor(&["ram_used", "process_rss"], UNKNOWN),
    sensor(&["swap_used"], Zero::Value),
];

/// The names of the oldest logs' columns, which these do not have over their rows.
const OLDEST: [&str; 4] = ["fps", "cpu", "gpu", "elapsed"];

/// The newest column that a header has, with the versions that write it; the first that fits is meant.
const VERSIONS: &[(&str, &str)] = &[
    ("cpu_mhz", "0.8.2 or later"),
    ("cpu_power", "0.8.0 or 0.8.1"),
    ("process_rss", "0.7"),
    ("gpu_power", "0.6.3 to 0.6.9"),
    ("frametime", "0.6.0 to 0.6.2"),
    ("gpu_temp", "0.5"),
    ("elapsed", "0.1 to 0.4"),
];

/// Lines before the rows in which the header is looked for.
const MOST_BEFORE: usize = 8;

/// Whether a file is a log of MangoHud.
pub(in crate::read) fn matches(head: &Head<'_>) -> bool {
    let described = |head: &Head<'_>| head.has(&["os", "cpu", "gpu", "ram", "kernel"]);
    let versioned = head.lower == ["v1"] && head.rows().next().is_some_and(|line| line.starts_with(b"v"));
    described(head) || versioned || is_header(head) || is_section(head.header)
}

fn is_header(head: &Head<'_>) -> bool {
    head.has(&["fps", "elapsed"])
}

/// A title between dashes, as versioned logs have two of.
fn is_section(line: &[u8]) -> bool {
    let dashed = line.starts_with(b"--") && line.trim_ascii_end().ends_with(b"--");
    let title: Vec<u8> = line.iter().copied().filter(|byte| *byte != b'-').take(40).collect();
    dashed && [&b"SYSTEM INFO"[..], b"FRAME METRICS"].contains(&title.trim_ascii())
}

/// What stands before the rows.
struct Before<'a> {
    /// The head whose header is that of the rows.
    head: Head<'a>,
    facts: BTreeMap<String, String>,
    /// The version, where it is written.
    version: Option<String>,
    /// Whether the rows have no names over them.
    nameless: bool,
}

/// Reads the lines before the rows.
fn before<'a>(start: &Head<'a>, findings: &mut Vec<Finding>) -> Result<Before<'a>, ReadError> {
    let (mut facts, mut version) = (BTreeMap::new(), None);
    let mut head = start.clone();
    let mut present = head.names.clone();
    for _ in 0..MOST_BEFORE {
        if is_header(&head) {
            return Ok(Before { head, facts, version, nameless: false });
        }
        if head.lower.iter().any(|name| Known::of(COLUMNS, name).is_some()) {
            present.clone_from(&head.names);
        }
        if head.has(&["os", "cpu"]) {
            let names = std::mem::take(&mut head.names);
            let after = head.further(1)?;
            facts = machine(&names, &after, findings);
            head = after;
            if head.rows().next().is_some_and(|row| is_nameless(row, head.separator)) {
                head.lower = OLDEST.map(str::to_owned).to_vec();
                head.names.clone_from(&head.lower);
                return Ok(Before { head, facts, version, nameless: true });
            }
        } else if let Some(text) = head.header.strip_prefix(b"v").filter(|text| text.contains(&b'.')) {
            version = Some(shown(text, 40));
        }
        match head.further(1) {
            Ok(next) => head = next,
            // The file ends: what is missing is said below.
            Err(ReadError::Empty(_)) => break,
            Err(error) => return Err(error),
        }
    }
    Err(ReadError::MissingColumns {
        format: "mangohud".into(),
        missing: vec!["fps".into(), "elapsed".into()],
        present: present.iter().take(50).map(|name| shown(name.as_bytes(), 40)).collect(),
    })
}

/// A row of four numbers, where names would be.
fn is_nameless(row: &[u8], separator: u8) -> bool {
    let mut ends = Vec::new();
    let fields = Fields::cut(row, separator, false, &mut ends);
    fields.len() == OLDEST.len()
        && (0..OLDEST.len()).all(|place| numbers::decimal(fields.get(place).trim_ascii()).is_some())
}

/// The machine's description: names, and the line of their values. Empty values say nothing.
fn machine(names: &[String], values: &Head<'_>, findings: &mut Vec<Finding>) -> BTreeMap<String, String> {
    if names.len() != values.names.len() {
        findings.push(Finding {
            place: format!("line {}", values.first_line - 1),
            cause: format!(
                "the machine's description has {} for {}, so that nobody can tell which is which",
                crate::counted(values.names.len() as u64, "value"),
                crate::counted(names.len() as u64, "name")
            ),
            remedy: "name the adapter by hand".into(),
            times: 1,
        });
        return BTreeMap::new();
    }
    let facts = names.iter().zip(&values.names).filter(|(_, value)| !value.is_empty());
    let fact = |(name, value): (&String, &String)| {
        let name = shown(name.to_lowercase().as_bytes(), 40);
        let unit = if name == "ram" { " kB" } else { "" };
        (name, format!("{}{unit}", shown(value.as_bytes(), 200)))
    };
    facts.map(fact).collect()
}

/// How a file with this beginning is read.
pub(in crate::read) fn plan(start: &Head<'_>) -> Result<TablePlan, ReadError> {
    let mut findings = Vec::new();
    let Before { head, facts, version, nameless } = before(start, &mut findings)?;
    let look_up = LookUp { tables: &[COLUMNS], zeros: false, columns: head.names.len() };
    let mut columns = look_up.columns(&head, &mut findings);
    for plan in &mut columns {
        // A first row that is none of a frame is taken out of all that was added up.
        plan.needed = true;
    }
    let place = |role: Role| columns.iter().position(|plan| plan.column.role == role);
    let basis = Basis {
        time: place(Role::PresentTime(ClockKind::Session)),
        interval: place(Role::Of(Quantity::PresentedInterval)),
        looks_back: true,
    };
    let frames = basis.interval.is_some();
    let mut layout = Layout::new(&head, columns, basis);
    let of_gpu = head.lower.iter().enumerate().filter(|(_, name)| name.starts_with("gpu"));
    layout.gpu = of_gpu.map(|(place, _)| place).collect();
    let newest = VERSIONS.iter().find(|(mark, _)| head.has(&[mark]) && !nameless);
    let (mark, inferred) = newest.copied().unwrap_or(("no names over its rows", "0.1 to 0.4"));
    let (version, evidence) = match version {
        Some(version) => (version, "the file says so".to_owned()),
        None => (inferred.to_owned(), format!("header with {mark}")),
    };
    let class = if frames { "time from present to present" } else { "frame rate of half a second" };
    Ok(TablePlan {
        start: head.start(),
        layout,
        producer: Producer { tool: "MangoHud".into(), version, class: class.into(), evidence },
        facts,
        findings,
        finish: super::finish::finish,
    })
}
