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

#[cfg(test)]
mod tests {
    use super::super::log::{Cell, Gap, Log};
    use super::super::{Damage, Options, detect, read};

    const FRAMES: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,Dropped,\
                          TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed";
    const LATE: &str = ",MsEstimatedDriverLag,Width,Height";
    const MACHINE: &str = ",Motherboard,OS,Processor,System RAM,Base Driver Version,Driver Package,GPU #,GPU,\
                           GPU Core Clock (MHz),GPU Memory Clock (MHz),GPU Memory (MB)";

    fn row(i: u32, dropped: bool) -> String {
        let (d, shown) =
            if dropped { (1, "0.000,0.500,3.000,0.000") } else { (0, "16.000,0.500,3.000,12.500") };
        format!(
            "game.exe,42,0x00000000000000A0,DXGI,0,0,0,Other,{d},{:.6},16.000,{shown}",
            f64::from(i) * 0.016
        )
    }

    fn rows(range: std::ops::Range<u32>) -> String {
        range.map(|i| row(i, i % 4 == 3) + "\n").collect()
    }

    fn log(text: &str) -> Log {
        read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn fault(text: &str) -> String {
        read(text.as_bytes(), &Options::default()).unwrap_err().to_string()
    }

    const DESCRIBED: &str = ",\"Board, rev. 2\",Some OS,Some CPU,32 GB,1.2.3,pkg,1,Some GPU,1500,-,8192";

    #[test]
    fn the_machine_on_the_first_row_costs_no_other_row() {
        let text =
            format!("{FRAMES}{MACHINE},Comment\n{}{DESCRIBED},tried, twice\n{}", row(0, false), rows(1..400));
        assert_eq!(detect(text.as_bytes()).unwrap().name(), "ocat");
        // A comment with a comma makes the first row longer by one, which a second GPU would do by four.
        let log = log(&text);
        assert_eq!((log.rows(), log.quarantine.total(), log.streams[0].counts.dropped), (400, 0, 100));
        let fact = |name: &str| log.facts.get(name).map(String::as_str);
        assert_eq!(fact("motherboard"), Some("Board, rev. 2"), "quotes hold a comma");
        assert_eq!(
            [fact("gpu"), fact("cpu"), fact("driver")],
            [Some("Some GPU"), Some("Some CPU"), Some("1.2.3")]
        );
        assert_eq!(fact("gpu memory clock (MHz)"), None, "a dash says nothing");
        assert_eq!(log.columns.len(), 15);
    }

    #[test]
    fn documented_lengths_of_rows_are_accepted_and_others_set_aside() {
        let short = format!("{FRAMES}{MACHINE},Comment\n{}{DESCRIBED}\n{}", row(0, false), rows(1..10));
        assert_eq!(log(&short).quarantine.total(), 0, "the first row may lack its comment");
        let two = format!(
            "{FRAMES}{MACHINE},Comment\n{}{DESCRIBED},Other GPU,900,800,4096,said\n{}",
            row(0, false),
            rows(1..10)
        );
        let log = log(&two);
        let fact = |name: &str| log.facts.get(name).map(String::as_str);
        assert_eq!(fact("gpu"), Some("Some GPU; Other GPU"));
        assert_eq!(
            [fact("gpu memory (MB)"), fact("comment"), fact("gpus")],
            [Some("8192; 4096"), Some("said"), Some("1")]
        );
        let odd = format!("{}{}\n", rows(0..400), row(400, false) + ",1,2,3");
        let log = self::log(&format!("{FRAMES}{MACHINE},Comment\n{odd}"));
        assert_eq!(
            log.quarantine.rows[0].to_string(),
            "line 402: 18 fields, too many fields; allowed: 15, or 26 to 55"
        );
        let cut = format!("{}{}\n", rows(0..400), "game.exe,42");
        let log = self::log(&format!("{FRAMES}{MACHINE},Comment\n{cut}"));
        assert_eq!(log.quarantine.counts.get(&Damage::TooFewFields), Some(&1));
    }

    #[test]
    fn decimal_commas_never_pass_for_a_described_machine() {
        let with_commas: String = rows(0..10).replace('.', ",").replace("game,exe", "game.exe");
        let text = fault(&format!("{FRAMES}{MACHINE},Comment\n{with_commas}"));
        assert!(
            text.starts_with(
                "line 2 has 21 fields where the header has 15: it seems that numbers have a decimal comma"
            ),
            "{text}"
        );
    }

    #[test]
    fn lost_events_are_said() {
        let log = log(&format!("{FRAMES}{MACHINE}\n{}warning: 123 events were lost\n", rows(0..10)));
        assert_eq!(log.rows(), 10);
        let finding = &log.findings[0];
        assert_eq!(
            (finding.place.as_str(), finding.cause.as_str()),
            ("line 12", "the tool noted: warning: 123 events were lost")
        );
    }

    #[test]
    fn later_versions_have_three_columns_more() {
        let text = format!(
            "{FRAMES}{LATE}{MACHINE}\n{},0.000,2560,1440{DESCRIBED}\n{},1.5,2560,1440\n",
            row(0, false),
            row(1, false)
        );
        let log = log(&text);
        assert_eq!(log.producer.version, "1.5 or later");
        let lag = log.columns.iter().position(|column| column.name == "MsEstimatedDriverLag").unwrap();
        let cells: Vec<Cell> = log.streams[0].cells[lag].iter().collect();
        assert_eq!(cells, [Cell::Gap(Gap::Unknown), Cell::Value(1.5)]);
        assert!(log.findings.is_empty(), "{:?}", log.findings);
    }

    #[test]
    fn captures_of_virtual_reality_are_refused_with_what_they_are() {
        let text = fault(
            "Application,ProcessID,TimeInSeconds,MsBetweenAppPresents,AppMissed,WarpMissed\ngame.exe,1,0.1,11.1,0,0\n",
        );
        assert!(
            text.contains("capture of virtual reality (msbetweenapppresents, appmissed, warpmissed)"),
            "{text}"
        );
    }
}
