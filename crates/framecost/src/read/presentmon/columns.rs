//! PresentMon's columns: name, role, unit and missing rule of each, declared once for all versions. In: a name. Out: its row.
//!
//! Sources: the project's source code and its expected outputs; definitions were checked by arithmetic on those. Tables of 1.x,
//! of `--v1_metrics` and of 2.0 write 0 where there is no value; later ones write `NA` for what was not displayed and for input,
//! and still 0 for what is unknown of CPU and GPU.

use crate::read::log::{ClockKind, FileUnit, Gap, Missing, Role, Zero};
use crate::read::quantity::Quantity as Q;
use crate::read::table::Kind;

use FileUnit::{Count, Millis, Nanos, Seconds, Text};
use Kind::{DateTime, Key, Number};

/// A column.
pub(in crate::read) struct Known {
    /// Its names in any version, in lower case.
    pub(in crate::read) names: &'static [&'static str],
    pub(in crate::read) role: Role,
    /// The unit that the name promises; the data has the last word.
    pub(in crate::read) unit: FileUnit,
    pub(in crate::read) kind: Kind,
    /// Its rule in tables that write `NA`.
    pub(in crate::read) missing: Missing,
    /// What a zero stands for in tables that write zeros instead.
    pub(in crate::read) zero_era: Zero,
}

const TICKS: FileUnit = FileUnit::Ticks(None);
pub(in crate::read) const UNKNOWN: Zero = Zero::Gap(Gap::Unknown);
/// A zero is one where the row's other GPU columns show that its work was seen.
const IF_SEEN: Zero = Zero::ByGpu { seen: None, unseen: Gap::Unknown };
/// The tool writes 0 where the GPU started before the CPU's start of the frame, and where it does not know.
const CLAMPED: Zero = Zero::ByGpu { seen: Some(Gap::Before), unseen: Gap::Unknown };

const fn na(gap: &'static [(&'static str, Gap)]) -> Missing {
    Missing { texts: gap, ..Missing::NEVER }
}

pub(in crate::read) const NA: Missing = na(&[("NA", Gap::NotWritten)]);
const NA_NOT_SHOWN: Missing = Missing { unless_displayed: true, ..na(&[("NA", Gap::NotDisplayed)]) };
pub(in crate::read) const NA_FIRST: Missing = Missing { unless_displayed: true, ..na(&[("NA", Gap::NoPrevious)]) };
const NA_INPUT: Missing = Missing { unless_displayed: true, ..na(&[("NA", Gap::NoInput)]) };
/// Zero means unknown in every version.
pub(in crate::read) const ZERO_UNKNOWN: Missing = Missing { zero: UNKNOWN, ..NA };
const OF_APPLICATION: Missing = Missing { unless_generated: true, ..ZERO_UNKNOWN };
const OF_GPU: Missing = Missing { zero: IF_SEEN, ..NA };

/// A plain column of milliseconds.
pub(in crate::read) const fn ms(names: &'static [&'static str], quantity: Q, missing: Missing, zero_era: Zero) -> Known {
    Known { names, role: Role::Of(quantity), unit: Millis, kind: Number, missing, zero_era }
}

const fn time(names: &'static [&'static str], role: Role, unit: FileUnit) -> Known {
    let kind = if matches!(unit, Nanos) { DateTime } else { Number };
    Known { names, role, unit, kind, missing: Missing::NEVER, zero_era: Zero::Value }
}

pub(in crate::read) const fn text(names: &'static [&'static str], role: Role) -> Known {
    Known { names, role, unit: Text, kind: Kind::Text, missing: Missing::NEVER, zero_era: Zero::Value }
}

pub(in crate::read) const fn number(names: &'static [&'static str], role: Role) -> Known {
    Known { names, role, unit: Count, kind: Number, missing: Missing::NEVER, zero_era: Zero::Value }
}

const fn key(names: &'static [&'static str], role: Role) -> Known {
    let unit = if matches!(role, Role::Application) { Text } else { Count };
    Known { names, role, unit, kind: Key, missing: Missing::NEVER, zero_era: Zero::Value }
}

/// The table. Names of the service's captures stand behind those of the console.
pub(in crate::read) const COLUMNS: &[Known] = &[
    key(&["application"], Role::Application),
    key(&["processid"], Role::Process),
    key(&["swapchainaddress"], Role::SwapChain),
    text(&["runtime", "presentruntime"], Role::Runtime),
    number(&["syncinterval"], Role::Other),
    number(&["presentflags"], Role::Other),
    number(&["allowstearing"], Role::Other),
    text(&["presentmode"], Role::PresentMode),
    number(&["wasbatched"], Role::Other),
    number(&["dwmnotified"], Role::Other),
    // 1.x writes `Error` where it lost track of the present.
    Known { missing: na(&[("Error", Gap::Unknown)]), ..number(&["dropped"], Role::Dropped) },
    text(&["frametype"], Role::FrameType),
    number(&["hybridpresent"], Role::Other),
    time(&["timeinseconds"], Role::PresentTime(ClockKind::Session), Seconds),
    time(&["timeinms"], Role::PresentTime(ClockKind::Session), Millis),
    time(&["timeinqpc", "qpctime"], Role::PresentTime(ClockKind::Counter), TICKS),
    time(&["timeindatetime"], Role::PresentTime(ClockKind::Wall), Nanos),
    time(&["cpustarttime", "cpustarttimeinms"], Role::StartTime(ClockKind::Session), Millis),
    time(&["cpustarttimeinseconds"], Role::StartTime(ClockKind::Session), Seconds),
    time(&["cpustartqpc"], Role::StartTime(ClockKind::Counter), TICKS),
    time(&["cpustartqpctime", "cpustartqpctimeinms"], Role::StartTime(ClockKind::Counter), Millis),
    time(&["cpustartdatetime"], Role::StartTime(ClockKind::Wall), Nanos),
    ms(&["msbetweenpresents", "betweenpresents"], Q::PresentedInterval, NA, Zero::Value),
    ms(
        &["frametime", "msbetweenappstart", "betweenappstart", "cpuframetime"],
        Q::FrameInterval,
        Missing { unless_generated: true, ..NA },
        Zero::Value,
    ),
    ms(&["msbetweensimulationstart", "betweensimulationstart"], Q::SimulationInterval, NA, UNKNOWN),
    ms(
        &["msbetweendisplaychange", "betweendisplaychange"],
        Q::DisplayedInterval,
        NA_FIRST,
        Zero::Gap(Gap::NoPrevious),
    ),
    ms(&["displayedtime", "msdisplaytime"], Q::DisplayedTime, NA_NOT_SHOWN, UNKNOWN),
    ms(&["msinpresentapi", "inpresentapi"], Q::InPresentApi, ZERO_UNKNOWN, UNKNOWN),
    ms(&["msuntilrenderstart"], Q::UntilRenderStart, ZERO_UNKNOWN, UNKNOWN),
    ms(
        &["msuntilrendercomplete", "msrenderpresentlatency", "renderpresentlatency"],
        Q::UntilRenderComplete,
        ZERO_UNKNOWN,
        UNKNOWN,
    ),
    ms(&["msuntildisplayed", "untildisplayed"], Q::UntilDisplayed, NA_NOT_SHOWN, UNKNOWN),
    ms(&["displaylatency"], Q::DisplayLatency, NA_NOT_SHOWN, Zero::Gap(Gap::NotDisplayed)),
    ms(&["cpubusy", "mscpubusy"], Q::CpuBusy, OF_APPLICATION, UNKNOWN),
    ms(&["cpuwait", "mscpuwait"], Q::CpuWait, OF_APPLICATION, UNKNOWN),
    ms(&["gpulatency", "msgpulatency"], Q::GpuLatency, Missing { zero: CLAMPED, ..NA }, CLAMPED),
    ms(&["gputime", "msgputime"], Q::GpuTime, OF_GPU, IF_SEEN),
    ms(&["gpubusy", "msgpubusy", "msgpuactive"], Q::GpuBusy, OF_GPU, IF_SEEN),
    ms(&["gpuwait", "msgpuwait"], Q::GpuWait, OF_GPU, IF_SEEN),
    ms(&["videobusy", "msvideobusy", "msgpuvideoactive"], Q::VideoBusy, OF_GPU, IF_SEEN),
    ms(
        &["msflipdelay", "flipdelay"],
        Q::FlipDelay,
        na(&[("NA", Gap::NotApplicable)]),
        Zero::Gap(Gap::NotApplicable),
    ),
    ms(
        &["animationerror", "msanimationerror"],
        Q::AnimationError,
        Missing { needs_previous: true, unless_displayed: true, ..NA },
        Zero::Value,
    ),
    ms(&["animationtime"], Q::AnimationTime, Missing { unless_displayed: true, ..NA }, Zero::Value),
    ms(
        &["mssinceinput"],
        Q::SinceInput,
        Missing { zero: Zero::Gap(Gap::NoInput), ..NA },
        Zero::Gap(Gap::NoInput),
    ),
    ms(
        &["allinputtophotonlatency", "msallinputtophotonlatency"],
        Q::AllInputToPhoton,
        NA_INPUT,
        Zero::Gap(Gap::NoInput),
    ),
    ms(
        &["clicktophotonlatency", "msclicktophotonlatency"],
        Q::ClickToPhoton,
        NA_INPUT,
        Zero::Gap(Gap::NoInput),
    ),
    ms(&["mspclatency", "pclatency"], Q::PcLatency, NA, UNKNOWN),
    ms(&["instrumentedlatency", "msinstrumentedlatency"], Q::InstrumentedLatency, NA, UNKNOWN),
];

impl Known {
    /// The row of a name in lower case.
    pub(in crate::read) fn of(name: &str) -> Option<&'static Self> {
        Self::among(COLUMNS, name)
    }

    /// The row of a name in lower case in some table; a name there that ends in `*` stands for all that begin so.
    pub(in crate::read) fn among(table: &'static [Self], name: &str) -> Option<&'static Self> {
        let fits = |known: &&str| match known.strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => *known == name,
        };
        table.iter().find(|known| known.names.iter().any(|known| fits(&known)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_stands_once() {
        let names: Vec<&str> = COLUMNS.iter().flat_map(|known| known.names.iter().copied()).collect();
        for (i, name) in names.iter().enumerate() {
            assert!(!names[i + 1..].contains(name), "{name} stands twice");
            assert_eq!(*name, name.to_lowercase());
        }
    }
}
