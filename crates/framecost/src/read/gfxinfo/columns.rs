//! The columns of frame statistics, and what is derived of them. In: nothing. Out: two tables.
//!
//! Source: the platform's documentation of `framestats` and its `FrameInfo`, whose order of columns differs between releases, so
//! that only names count. Moments are nanoseconds of `CLOCK_MONOTONIC`. A moment that never came is 0, or the greatest 64-bit
//! number (no oldest input event; performance-samples #144): neither ever becomes a duration.

use crate::read::document::Field;
use crate::read::log::{ClockKind, FileUnit, Gap, Missing, Role, Zero};
use crate::read::quantity::Quantity as Q;

const SENTINEL: &str = "9223372036854775807";
const MOMENT: Missing =
    Missing { texts: &[(SENTINEL, Gap::Unknown)], zero: Zero::Gap(Gap::Unknown), ..Missing::NEVER };
const INPUT: Missing =
    Missing { texts: &[(SENTINEL, Gap::NoInput)], zero: Zero::Gap(Gap::NoInput), ..Missing::NEVER };
/// A length of time may be 0, and is not known where it is the greatest number.
const LENGTH: Missing = Missing { texts: &[(SENTINEL, Gap::Unknown)], ..Missing::NEVER };

const fn moment(names: &'static [&'static str], missing: Missing) -> Field {
    Field { names, role: Role::OtherTime(ClockKind::Counter), unit: FileUnit::Nanos, missing }
}

const fn other(names: &'static [&'static str], unit: FileUnit, missing: Missing) -> Field {
    Field { names, role: Role::Other, unit, missing }
}

/// The columns of a dump.
pub(super) const FIELDS: &[Field] = &[
    other(&["flags"], FileUnit::Count, Missing::NEVER),
    other(&["frametimelinevsyncid", "inputeventid"], FileUnit::Count, Missing::NEVER),
    Field {
        names: &["intendedvsync"],
        role: Role::StartTime(ClockKind::Counter),
        unit: FileUnit::Nanos,
        missing: MOMENT,
    },
    moment(&["oldestinputevent", "newestinputevent"], INPUT),
    moment(
        &[
            "vsync",
            "handleinputstart",
            "animationstart",
            "performtraversalsstart",
            "drawstart",
            "framedeadline",
            "framestarttime",
            "syncqueued",
            "syncstart",
            "issuedrawcommandsstart",
            "swapbuffers",
            "framecompleted",
            "gpucompleted",
            "swapbufferscompleted",
            "displaypresenttime",
            "commandsubmissioncompleted",
        ],
        MOMENT,
    ),
    other(&["dequeuebufferduration", "queuebufferduration", "workloadtarget"], FileUnit::Nanos, LENGTH),
    other(&["frameinterval"], FileUnit::Nanos, MOMENT),
];

/// What is derived: the later moment less the earlier one.
pub(super) struct Derived {
    pub(super) quantity: Q,
    pub(super) end: &'static str,
    /// The first of these that the dump has.
    pub(super) start: &'static [&'static str],
}

/// The durations of a frame. The interval between frames stands apart, since it needs the frame before.
pub(super) const DERIVED: &[Derived] = &[
    Derived { quantity: Q::FrameTotal, end: "framecompleted", start: &["intendedvsync"] },
    Derived {
        quantity: Q::GpuCompletion,
        end: "gpucompleted",
        start: &["commandsubmissioncompleted", "swapbuffers"],
    },
    Derived { quantity: Q::DeadlineMargin, end: "framedeadline", start: &["framecompleted"] },
];
