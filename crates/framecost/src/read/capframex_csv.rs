//! CapFrameX' records of before 1.5: lines of `//Key=Value`, then a table of PresentMon's. In: a file's first lines. Out: how its
//! rows are read; the lines as facts.
//!
//! The table is read as PresentMon's own, by its columns' names alone: where a header has no column of drops, presents that were
//! never shown are told from what is missing, and where that says nothing either, nobody says that nothing was dropped. No row is
//! filtered out.

use super::facts::of_machine;
use super::format::Head;
use super::log::Producer;
use super::plan::TablePlan;
use super::{ReadError, frameview, ocat, presentmon};
use crate::Finding;

/// Whether a file is such a record.
pub(super) fn matches(head: &Head<'_>) -> bool {
    presentmon::matches(head) && !head.facts().is_empty()
}

/// How a file with this beginning is read.
pub(super) fn plan(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    // The tool takes captures of others into its list, and marks them with a line of its own.
    let mut plan = match (ocat::matches(head), frameview::matches(head)) {
        (true, _) => ocat::plan(head)?,
        (_, true) => frameview::plan(head)?,
        _ => presentmon::plan(head)?,
    };
    let lines = head.facts();
    let Producer { tool, version, evidence, .. } = &mut plan.producer;
    let count = crate::counted(head.preamble.len() as u64, "line");
    *evidence = format!("{count} of `//Key=Value` before a table of {tool} {version}: {evidence}");
    *version = format!("before 1.5, with {tool} {version}");
    *tool = "CapFrameX".into();
    if lines.get("ignore").is_some_and(|text| text.eq_ignore_ascii_case("true")) {
        plan.findings.push(Finding {
            place: "line `//Ignore`".into(),
            cause: "the record is marked as one to be ignored: somebody has hidden it in the tool's list"
                .into(),
            remedy: "see why it was hidden before comparing with it".into(),
            times: 1,
        });
    }
    for (key, text) in lines {
        plan.facts.remove(&key);
        let fact = of_machine(&key).map_or(key, str::to_owned);
        plan.facts.entry(fact).or_insert(text);
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::super::log::{Cell, Gap, Log};
    use super::super::{Options, Quantity, detect, read};

    const V1: &str = "Application,ProcessID,SwapChainAddress,Runtime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,Dropped,\
                      TimeInSeconds,MsBetweenPresents,MsBetweenDisplayChange,MsInPresentAPI,MsUntilRenderComplete,MsUntilDisplayed\n";
    const LINES: &str =
        "//GameName=A game\n//ProcessName=game.exe\n//Processor=Some CPU\n//GPU=Some GPU\n//Comment=\n";

    fn row(time: f64, interval: f64) -> String {
        format!(
            "game.exe,42,0xA0,DXGI,0,0,0,Other,0,{time:.6},{interval:.3},{interval:.3},0.500,3.000,12.500\n"
        )
    }

    fn log(text: &str) -> Log {
        read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn lines_before_the_header_are_facts() {
        let text = format!("{LINES}{V1}{}", row(0.0, 16.0));
        assert_eq!(detect(text.as_bytes()).unwrap().name(), "capframex-csv");
        let log = log(&text);
        assert_eq!(log.facts.get("cpu").map(String::as_str), Some("Some CPU"));
        assert_eq!([log.facts.get("comment"), log.facts.get("processor")], [None, None]);
        assert_eq!(
            (log.producer.tool.as_str(), log.producer.class.as_str()),
            ("CapFrameX", "v1 metrics 1.0")
        );
        assert_eq!(log.streams[0].lines, [7]);
    }

    #[test]
    fn a_hidden_record_is_said_to_be_one() {
        let log = log(&format!("//Ignore=true\n{V1}{}", row(0.0, 16.0)));
        assert!(
            log.findings[0].cause.starts_with("the record is marked as one to be ignored"),
            "{:?}",
            log.findings
        );
        assert!(self::log(&format!("//Ignore=false\n{V1}{}", row(0.0, 16.0))).findings.is_empty());
    }

    #[test]
    fn a_capture_of_another_tool_that_was_marked_is_read_as_that_tools() {
        let header = format!(
            "{},Motherboard,OS,Processor,System RAM,Base Driver Version,Driver Package,GPU #,GPU\n",
            V1.trim_end()
        );
        let first = format!("{},Board,Some OS,Some CPU,32 GB,1,2,1,Some GPU\n", row(0.0, 16.0).trim_end());
        let log = log(&format!("//Ignore=true\n//GPU=Named\n{header}{first}{}", row(0.016, 16.0)));
        assert_eq!((log.rows(), log.quarantine.total()), (2, 0));
        assert_eq!(log.producer.version, "before 1.5, with OCAT 1.0 to 1.4");
        assert_eq!([log.facts["gpu"].as_str(), &log.facts["cpu"]], ["Named", "Some CPU"]);
        assert_eq!(log.findings.len(), 1, "{:?}", log.findings);
    }

    /// A reader of this format says that nothing was dropped where there is no column of drops.
    #[test]
    fn no_column_of_drops_in_2_x_is_not_nothing_dropped() {
        let header = "Application,ProcessID,SwapChainAddress,PresentRuntime,SyncInterval,PresentFlags,AllowsTearing,PresentMode,\
                      CPUStartTime,FrameTime,CPUBusy,CPUWait,DisplayLatency,DisplayedTime\n";
        let row = |start: u32, shown: &str| {
            format!("game.exe,42,0xA0,DXGI,0,0,0,Other,{start}.0,16.0,12.0,4.0,{shown}\n")
        };
        let text =
            format!("{LINES}{header}{}{}{}", row(0, "30.0,16.0"), row(16, "NA,NA"), row(32, "30.0,16.0"));
        let counts = log(&text).streams[0].counts;
        assert_eq!((counts.presented, counts.dropped, counts.displayed(), counts.unsaid), (3, 1, 2, 0));
        let unsaid =
            text.replace(",DisplayLatency,DisplayedTime", "").replace(",30.0,16.0", "").replace(",NA,NA", "");
        let counts = log(&unsaid).streams[0].counts;
        assert_eq!((counts.presented, counts.dropped, counts.unsaid), (3, 0, 3), "nobody says that none was");
        // Nor does the runtime's name stand for the time in the present call.
        assert!(log(&text).quantity(Quantity::InPresentApi).is_none());
    }

    /// A reader of this format filters frame times and pairs what is left with the times of all.
    #[test]
    fn a_frame_far_off_keeps_its_own_time() {
        let times = [(0.016, 16.0), (0.032, 16.0), (2.032, 2000.0), (2.048, 16.0)];
        let rows: String = times.iter().map(|(time, interval)| row(*time, *interval)).collect();
        let log = log(&format!("{LINES}{V1}{rows}"));
        let (time, interval) = (log.basis.time.unwrap(), log.basis.interval.unwrap());
        let pairs = (0..4).map(|row| {
            let cell = |column| log.streams[0].cell(row, column).and_then(Cell::value).unwrap();
            (cell(time), cell(interval))
        });
        assert_eq!(pairs.collect::<Vec<_>>(), times);
        assert!(log.findings.iter().any(|it| it.cause.contains("above 1 s on 1 row")));
    }

    #[test]
    fn zeros_of_a_dropped_present_are_missing() {
        let text = format!(
            "{LINES}{V1}{}",
            row(0.0, 16.0).replace("Other,0,", "Other,1,").replace("12.500", "0.000")
        );
        let log = log(&text);
        let place = log.quantity(Quantity::UntilDisplayed).unwrap().0;
        assert_eq!(log.streams[0].cell(0, place), Some(Cell::Gap(Gap::NotDisplayed)));
    }
}
