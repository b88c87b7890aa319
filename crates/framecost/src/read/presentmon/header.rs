//! From a header to a plan: which version wrote it, by its shape, and how each of its columns is read. In: the file's first
//! lines. Out: the plan. No version stands in the file.

use super::columns::COLUMNS;
use crate::Finding;
use crate::read::format::Head;
use crate::read::log::{Basis, DRAWN, FileUnit, Producer, Role};
use crate::read::plan::TablePlan;
use crate::read::quantity::Quantity;
use crate::read::table::known::{Known, LookUp};
use crate::read::table::{ColumnPlan, Fields, Kind, Layout, Shown};
use crate::read::text::Encoding;
use crate::read::{ReadError, number};

/// A shape of headers, with what it tells of its writer.
struct Shape {
    version: &'static str,
    /// Producers of one class measure alike, as the same traces read by each version show.
    class: &'static str,
    /// The header's marks, in words.
    marks: &'static str,
    fits: fn(&Head<'_>) -> bool,
    /// Whether a missing value is written as 0.
    zeros: bool,
}

/// The shapes, the first that fits is meant.
const SHAPES: &[Shape] = &[
    Shape {
        version: "2.3.1 or later",
        class: "default metrics 2.3.1",
        marks: "MsBetweenAppStart or MsCPUBusy beside MsBetweenPresents",
        fits: |head| {
            head.has(&["msbetweenpresents"]) && (head.has(&["msbetweenappstart"]) || head.has(&["mscpubusy"]))
        },
        zeros: false,
    },
    Shape {
        version: "of a service",
        class: "service",
        marks: "metrics' names without a swap chain or with two time columns",
        fits: |head| is_service(head),
        zeros: false,
    },
    Shape {
        version: "2.3 or later with v2 metrics",
        class: "v2 metrics 2.1",
        marks: "CPUBusy, FrameTime and AnimationTime or InstrumentedLatency",
        fits: |head| {
            head.has(&["cpubusy", "frametime"])
                && (head.has(&["animationtime"]) || head.has(&["instrumentedlatency"]))
        },
        zeros: false,
    },
    Shape {
        version: "2.2",
        class: "v2 metrics 2.1",
        marks: "CPUBusy, FrameTime and AllInputToPhotonLatency",
        fits: |head| head.has(&["cpubusy", "frametime", "allinputtophotonlatency"]),
        zeros: false,
    },
    Shape {
        version: "2.1",
        class: "v2 metrics 2.1",
        marks: "CPUBusy and FrameTime",
        fits: |head| head.has(&["cpubusy", "frametime"]),
        zeros: false,
    },
    Shape {
        version: "2.0",
        class: "v2 metrics 2.0",
        marks: "CPUBusy without FrameTime",
        fits: |head| head.has(&["cpubusy"]),
        zeros: true,
    },
    Shape {
        version: "2.4 or later with v1 metrics",
        class: "v1 metrics 1.9",
        marks: "msInPresentAPI before msBetweenPresents, and msFlipDelay",
        fits: |head| is_late_v1(head) && head.has(&["msflipdelay"]),
        zeros: true,
    },
    Shape {
        version: "1.9 to 1.10, or 2.x with v1 metrics",
        class: "v1 metrics 1.9",
        marks: "msInPresentAPI before msBetweenPresents, and msUntilRenderStart or msSinceInput",
        fits: |head| is_late_v1(head) && (head.has(&["msgpuactive"]) || head.has(&["mssinceinput"])),
        zeros: true,
    },
    Shape {
        version: "1.8, or later without GPU and input",
        class: "v1 metrics 1.8",
        marks: "msInPresentAPI before msBetweenPresents, more than 6 decimals",
        fits: |head| is_late_v1(head) && decimals(head) > 6,
        zeros: true,
    },
    Shape {
        version: "1.7",
        class: "v1 metrics 1.7",
        marks: "msInPresentAPI before msBetweenPresents, 6 decimals",
        fits: |head| is_late_v1(head),
        zeros: true,
    },
    Shape {
        version: "1.0 to 1.6",
        class: "v1 metrics 1.0",
        marks: "MsBetweenPresents before MsInPresentAPI",
        fits: |_| true,
        zeros: true,
    },
];

/// Whether a file is PresentMon's, or shaped like it.
pub(in crate::read) fn matches(head: &Head<'_>) -> bool {
    head.has(&["processid", "swapchainaddress"]) || is_service(head)
}

/// A service's capture has the columns that its user chose: known metrics without `Ms`, and no swap chain, or a start time beside
/// the time.
fn is_service(head: &Head<'_>) -> bool {
    let metrics = [
        "frametime",
        "cpubusy",
        "gpubusy",
        "betweenpresents",
        "cpuframetime",
        "displaylatency",
        "untildisplayed",
        "gputime",
    ];
    let known = metrics.iter().filter(|name| head.has(&[name])).count();
    let timed = head.has(&["timeinseconds"]) || head.has(&["cpustarttime"]);
    let both = head.has(&["timeinseconds", "cpustarttime"]);
    timed && known > 0 && (both || !head.has(&["swapchainaddress"]))
}

fn is_late_v1(head: &Head<'_>) -> bool {
    head.place("msinpresentapi")
        .is_some_and(|place| head.place("msbetweenpresents").is_some_and(|other| place < other))
}

/// The most decimals of the first row's frame time.
fn decimals(head: &Head<'_>) -> usize {
    let first = head.rows().next().unwrap_or_default();
    let mut ends = Vec::new();
    let fields = Fields::cut(first, head.separator, false, &mut ends);
    let place = head.place("msbetweenpresents").unwrap_or_default();
    fields
        .get(place)
        .iter()
        .position(|byte| *byte == b'.')
        .map_or(0, |point| fields.get(place).len() - point - 1)
}

/// What is special to one of the tables that are shaped like PresentMon's: its own by version, and those of tools that have it
/// inside.
pub(in crate::read) struct Kin {
    /// The format, with its version where that matters: for errors.
    pub(in crate::read) format: String,
    /// Whether names are those of 1.x.
    pub(in crate::read) v1: bool,
    /// Whether a missing value is written as 0.
    pub(in crate::read) zeros: bool,
    /// Whether start times are in seconds, whatever the console's are in.
    pub(in crate::read) seconds: bool,
    /// Columns that PresentMon has not, or has otherwise.
    pub(in crate::read) own: &'static [Known],
    /// How many of the header's columns are those of frames.
    pub(in crate::read) columns: usize,
}

/// How a file with this header is read.
pub(in crate::read) fn plan(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    let shape = SHAPES.iter().find(|shape| (shape.fits)(head)).unwrap_or(&SHAPES[SHAPES.len() - 1]);
    let mut findings = Vec::new();
    let kin = Kin {
        format: format!("presentmon ({})", shape.version),
        v1: shape.class.starts_with("v1"),
        zeros: shape.zeros,
        seconds: shape.class == "service",
        own: &[],
        columns: head.names.len(),
    };
    let layout = lay_out(head, &kin, &mut findings)?;
    Ok(TablePlan {
        start: head.start(),
        producer: producer(head, shape),
        layout,
        facts: head.facts(),
        findings,
        finish: super::finish,
    })
}

/// How the rows under such a header are read.
///
/// # Errors
/// No row time or no frame time, with what the header has.
pub(in crate::read) fn lay_out(
    head: &Head<'_>,
    kin: &Kin,
    findings: &mut Vec<Finding>,
) -> Result<Layout, ReadError> {
    let columns = columns(head, kin, findings);
    let basis = basis(head, kin, &columns)?;
    let mut layout = Layout::new(head, columns, basis);
    layout.shown = shown(&layout);
    layout.frame_type = layout.place(Role::FrameType).map(|place| (place, DRAWN));
    let gpu = [Quantity::GpuTime, Quantity::GpuBusy, Quantity::GpuLatency, Quantity::UntilRenderStart];
    layout.gpu = gpu.into_iter().filter_map(|quantity| layout.place(Role::Of(quantity))).collect();
    layout.day = first_day(head, &layout);
    keep_for_derived(&mut layout);
    Ok(layout)
}

fn producer(head: &Head<'_>, shape: &Shape) -> Producer {
    let mut evidence = format!("header with {}", shape.marks);
    let mark = match head.encoding {
        Encoding::Marked => ", byte order mark as from 2.1 on",
        Encoding::Plain => ", no byte order mark",
        Encoding::Utf16Le | Encoding::Utf16Be => ", UTF-16 as a shell redirects it",
    };
    evidence.push_str(mark);
    Producer { tool: "PresentMon".into(), version: shape.version.into(), class: shape.class.into(), evidence }
}

/// Each column by its name.
fn columns(head: &Head<'_>, kin: &Kin, findings: &mut Vec<Finding>) -> Vec<ColumnPlan> {
    let look_up = LookUp { tables: &[kin.own, COLUMNS], zeros: kin.zeros, columns: kin.columns };
    let mut columns = look_up.columns(head, findings);
    for plan in &mut columns {
        // A service counts its times in seconds under the console's name; the data is asked again at the end.
        if kin.seconds
            && matches!(plan.column.role, Role::StartTime(_))
            && plan.column.unit == FileUnit::Millis
        {
            plan.column.unit = FileUnit::Seconds;
        }
    }
    columns
}

/// When the rows are, and how long: without these the file says nothing.
fn basis(head: &Head<'_>, kin: &Kin, columns: &[ColumnPlan]) -> Result<Basis, ReadError> {
    let place = |test: &dyn Fn(Role) -> bool| columns.iter().position(|plan| test(plan.column.role));
    let quantity = |quantity: Quantity| place(&|role| role == Role::Of(quantity));
    let presents = place(&|role| matches!(role, Role::PresentTime(_)));
    let starts = place(&|role| matches!(role, Role::StartTime(_)));
    let busy = quantity(Quantity::CpuBusy).and_then(|_| quantity(Quantity::CpuWait));
    let (presented, frame) = (quantity(Quantity::PresentedInterval), quantity(Quantity::FrameInterval));
    let mut missing = Vec::new();
    if presents.or(starts).is_none() {
        missing.push(if kin.v1 { "TimeInSeconds" } else { "CPUStartTime or TimeInMs" });
    }
    if presented.or(frame).or(busy).is_none() {
        missing.push(if kin.v1 { "MsBetweenPresents" } else { "FrameTime or MsBetweenPresents" });
    }
    if !missing.is_empty() {
        return Err(ReadError::MissingColumns {
            format: kin.format.clone(),
            missing: missing.into_iter().map(str::to_owned).collect(),
            present: head.names.iter().map(|name| crate::read::error::shown(name.as_bytes(), 40)).collect(),
        });
    }
    Ok(match (presents, starts) {
        (Some(time), _) if presented.is_some() => {
            Basis { time: Some(time), interval: presented, looks_back: true }
        }
        (_, Some(time)) if frame.or(busy).is_some() => {
            Basis { time: Some(time), interval: frame, looks_back: false }
        }
        _ => Basis {
            time: presents.or(starts),
            interval: presented.or(frame),
            looks_back: presented.is_some(),
        },
    })
}

fn shown(layout: &Layout) -> Shown {
    if let Some(place) = layout.place(Role::Dropped) {
        return Shown::ZeroIn(place);
    }
    let telling = [Quantity::UntilDisplayed, Quantity::DisplayLatency, Quantity::DisplayedTime];
    let place = telling.into_iter().find_map(|quantity| layout.place(Role::Of(quantity)));
    place.map_or(Shown::Unsaid, Shown::ValueIn)
}

/// Version 2.0 has no frame time; it is the sum of two columns, which must be there at the end.
fn keep_for_derived(layout: &mut Layout) {
    if layout.basis.interval.is_none() {
        for plan in &mut layout.columns {
            plan.needed |= matches!(plan.column.role, Role::Of(Quantity::CpuBusy | Quantity::CpuWait));
        }
    }
}

/// The day that date columns count from: that of the first row that has one.
fn first_day(head: &Head<'_>, layout: &Layout) -> i64 {
    let Some(place) = layout.columns.iter().position(|plan| plan.kind == Kind::DateTime) else { return 0 };
    let mut ends = Vec::new();
    let mut days = head.rows().filter_map(|row| {
        let fields = Fields::cut(row, head.separator, false, &mut ends);
        number::date_time(fields.get(place)).map(|(day, _)| day)
    });
    days.next().unwrap_or_default()
}
