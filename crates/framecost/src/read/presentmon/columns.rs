//! PresentMon's columns: name, role, unit and missing rule of each, declared once for all versions. In: nothing. Out: the table.
//!
//! Sources: the project's source code and its expected outputs; definitions were checked by arithmetic on those. Tables of 1.x,
//! of `--v1_metrics` and of 2.0 write 0 where there is no value; later ones write `NA` for what was not displayed and for input,
//! and still 0 for what is unknown of CPU and GPU.

use crate::read::log::{ClockKind, FileUnit, Gap, Missing, Role, Zero};
use crate::read::quantity::Quantity as Q;
use crate::read::table::known::{
    Known, NA, NA_FIRST, UNKNOWN, ZERO_UNKNOWN, date, key, ms, na, number, text, time,
};

use FileUnit::{Millis, Seconds};

const TICKS: FileUnit = FileUnit::Ticks(None);

/// A zero is one where the row's other GPU columns show that its work was seen.
const IF_SEEN: Zero = Zero::ByGpu { seen: None, unseen: Gap::Unknown };
/// The tool writes 0 where the GPU started before the CPU's start of the frame, and where it does not know.
const CLAMPED: Zero = Zero::ByGpu { seen: Some(Gap::Before), unseen: Gap::Unknown };

const NA_NOT_SHOWN: Missing = Missing { unless_displayed: true, ..na(&[("NA", Gap::NotDisplayed)]) };
const NA_INPUT: Missing = Missing { unless_displayed: true, ..na(&[("NA", Gap::NoInput)]) };
const OF_APPLICATION: Missing = Missing { unless_generated: true, ..ZERO_UNKNOWN };
const OF_GPU: Missing = Missing { zero: IF_SEEN, ..NA };

/// The table. Names of the service's captures stand behind those of the console.
pub(super) const COLUMNS: &[Known] = &[
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
    date(&["timeindatetime"], Role::PresentTime(ClockKind::Wall)),
    time(&["cpustarttime", "cpustarttimeinms"], Role::StartTime(ClockKind::Session), Millis),
    time(&["cpustarttimeinseconds"], Role::StartTime(ClockKind::Session), Seconds),
    time(&["cpustartqpc"], Role::StartTime(ClockKind::Counter), TICKS),
    time(&["cpustartqpctime", "cpustartqpctimeinms"], Role::StartTime(ClockKind::Counter), Millis),
    date(&["cpustartdatetime"], Role::StartTime(ClockKind::Wall)),
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
