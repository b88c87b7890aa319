//! What a CapFrameX record says, declared once: the arrays of its capture data, and what of its information is kept. In: nothing.
//! Out: two tables.
//!
//! The arrays are columns of PresentMon 1.x under their names, with its rules: 0 where there is no value. Newer records add arrays
//! for what later versions measure. Source: records, and the project's source code.

use crate::read::document::Field;
use crate::read::log::{ClockKind, FileUnit, Gap, Missing, Role, Zero};
use crate::read::quantity::Quantity as Q;

use FileUnit::{Count, Millis, Seconds, Text, Ticks};

const UNKNOWN: Missing = Missing { zero: Zero::Gap(Gap::Unknown), ..Missing::NEVER };
const NOT_SHOWN: Missing = Missing { unless_displayed: true, ..UNKNOWN };

const fn ms(names: &'static [&'static str], quantity: Q, missing: Missing) -> Field {
    Field { names, role: Role::Of(quantity), unit: Millis, missing }
}

const fn plain(names: &'static [&'static str], role: Role, unit: FileUnit) -> Field {
    Field { names, role, unit, missing: Missing::NEVER }
}

/// The arrays.
pub(super) const FIELDS: &[Field] = &[
    plain(&["timeinseconds"], Role::PresentTime(ClockKind::Session), Seconds),
    // Ticks or seconds, by version: the data tells.
    plain(&["qpctime"], Role::PresentTime(ClockKind::Counter), Ticks(None)),
    ms(&["msbetweenpresents"], Q::PresentedInterval, Missing::NEVER),
    ms(&["msinpresentapi"], Q::InPresentApi, UNKNOWN),
    ms(
        &["msbetweendisplaychange"],
        Q::DisplayedInterval,
        Missing { zero: Zero::Gap(Gap::NoPrevious), ..NOT_SHOWN },
    ),
    ms(&["msuntilrendercomplete"], Q::UntilRenderComplete, UNKNOWN),
    ms(&["msuntildisplayed"], Q::UntilDisplayed, NOT_SHOWN),
    ms(&["pclatency", "mspclatency"], Q::PcLatency, UNKNOWN),
    ms(
        &["animationerror", "msanimationerror"],
        Q::AnimationError,
        Missing { needs_previous: true, unless_displayed: true, ..Missing::NEVER },
    ),
    ms(&["gpuactive", "msgpuactive"], Q::GpuBusy, UNKNOWN),
    ms(&["cpuactive", "mscpuactive"], Q::CpuBusy, UNKNOWN),
    plain(&["dropped"], Role::Dropped, Count),
    plain(&["presentmode"], Role::PresentMode, Text),
    plain(&["allowstearing"], Role::Other, Count),
    plain(&["syncinterval"], Role::Other, Count),
];

/// The texts of present modes 1 to 9, spelled as PresentMon spells them where it has them.
pub(super) const PRESENT_MODES: [&str; 9] = [
    "Hardware: Legacy Flip",
    "Hardware: Legacy Copy to front buffer",
    "Hardware: Independent Flip",
    "Composed: Flip",
    "Composed: Copy with GPU GDI",
    "Composed: Copy with CPU GDI",
    "Composed: Composition Atlas",
    "Hardware Composed: Independent Flip",
    "Other",
];

/// What is kept of `Info`: its name there, and as a fact.
pub(super) const FACTS: &[(&str, &str)] = &[
    ("AppVersion", "capframex"),
    ("ProcessName", "process"),
    ("GameName", "game"),
    ("Processor", "cpu"),
    ("GPU", "gpu"),
    ("GPUDriverVersion", "driver"),
    ("OS", "os"),
    ("Motherboard", "motherboard"),
    ("SystemRam", "memory"),
    ("ApiInfo", "api"),
    ("ResolutionInfo", "resolution"),
    ("PresentationMode", "presentation"),
    ("CreationDate", "created"),
    ("Comment", "comment"),
];
