//! Fraps' frame times, and lists of frame times in its shape. In: a header. Out: how its rows are read, and frame times as the
//! differences of cumulative times.
//!
//! A file of N cumulative times holds N - 1 frame times: the first row has none, since nothing is before it. Fraps' two other
//! files hold no frame times, and are refused with what they are.

use std::collections::BTreeMap;

use super::error::shown;
use super::format::Head;
use super::log::{
    Basis, Cell, Cells, ClockKind, Column, FileUnit, Gap, Log, Missing, Producer, Role, Tally, Zero,
};
use super::plan::TablePlan;
use super::quantity::Quantity;
use super::table::Layout;
use super::table::known::{Known, LookUp, NA, ms, number, sensor, time};
use super::{ReadError, odd};
use crate::{Finding, counted};

/// The columns of such lists.
const COLUMNS: &[Known] = &[
    number(&["frame", "frame index", "frame #", "frame number"], Role::Other),
    time(&["time (ms)", "time(ms)"], Role::PresentTime(ClockKind::Session), FileUnit::Millis),
    ms(
        &["delta (ms)", "frame time (ms)", "frametime (ms)"],
        Quantity::PresentedInterval,
        Missing { needs_previous: true, ..NA },
        Zero::Value,
    ),
    sensor(&["memory (mb)"], Zero::Value),
];

/// Differences this far from the file's own frame times, in ms, are more than rounding.
const MOST_DIFFERENCE: f64 = 1.0;

/// Whether a file is a list of frame times, or one of Fraps' other files.
pub(super) fn matches(head: &Head<'_>) -> bool {
    let numbered = Known::of(COLUMNS, head.lower.first().map_or("", String::as_str))
        .is_some_and(|known| known.role == Role::Other && known.strict);
    let timed = head.lower.iter().filter_map(|name| Known::of(COLUMNS, name));
    (numbered && timed.into_iter().any(|known| known.role != Role::Other)) || other_file(head).is_some()
}

/// What another of Fraps' files is.
fn other_file(head: &Head<'_>) -> Option<&'static str> {
    if head.lower == ["fps"] {
        return Some("frame rates by the second (Fraps' file `fps`)");
    }
    let summary = head.has(&["frames", "time (ms)", "min", "max", "avg"]);
    summary.then_some("lowest, highest and mean frame rate of a run (Fraps' file `minmaxavg`)")
}

/// How a file with this header is read.
pub(super) fn plan(head: &Head<'_>) -> Result<TablePlan, ReadError> {
    if let Some(what) = other_file(head) {
        return Err(ReadError::Undecided(format!(
            "the header on line {} is that of {what}, which holds no frame times; allowed: the file `frametimes` of the same run",
            head.first_line - 1
        )));
    }
    let mut findings = Vec::new();
    let look_up = LookUp { tables: &[COLUMNS], zeros: false, columns: head.names.len() };
    let mut columns = look_up.columns(head, &mut findings);
    for plan in &mut columns {
        plan.needed |= Known::of(COLUMNS, &plan.column.name.to_lowercase()).is_some_and(|known| known.strict);
    }
    let place = |test: &dyn Fn(Role) -> bool| columns.iter().position(|plan| test(plan.column.role));
    let time = place(&|role| matches!(role, Role::PresentTime(_)));
    let interval = place(&|role| role == Role::Of(Quantity::PresentedInterval));
    if time.or(interval).is_none() {
        return Err(ReadError::MissingColumns {
            format: "fraps".into(),
            missing: vec!["Time (ms) or Frame time (ms)".into()],
            present: head.names.iter().map(|name| shown(name.as_bytes(), 40)).collect(),
        });
    }
    let own = head.lower == ["frame", "time (ms)"];
    let layout = Layout::new(head, columns, Basis { time, interval, looks_back: true });
    Ok(TablePlan {
        start: head.start(),
        layout,
        producer: Producer {
            tool: if own { "Fraps" } else { "not stated" }.into(),
            version: "not stated".into(),
            class: "list of frame times".into(),
            evidence: format!("header `{}`", shown(head.header, 60)),
        },
        facts: BTreeMap::new(),
        findings,
        finish,
    })
}

fn finish(log: &mut Log) -> Result<(), ReadError> {
    // What is a number of its row in the file is the first column, by its name.
    let frame = log.columns.iter().position(|column| {
        Known::of(COLUMNS, &column.name.to_lowercase())
            .is_some_and(|known| known.role == Role::Other && known.strict)
    });
    if let Some(time) = log.basis.time {
        refuse_backwards(log, time)?;
        derive_frame_times(log, time)?;
    }
    if let Some(frame) = frame {
        left_out(log, frame);
    }
    Ok(())
}

/// Rows were put in the order of their times; where that is not the file's order, it holds more than one run.
fn refuse_backwards(log: &Log, time: usize) -> Result<(), ReadError> {
    let backwards = |lines: &[u32]| lines.windows(2).find(|pair| pair[0] > pair[1]).map(|pair| pair[0]);
    match log.streams.iter().find_map(|stream| backwards(&stream.lines)) {
        None => Ok(()),
        Some(line) => Err(ReadError::Undecided(format!(
            "line {line}: {} runs backwards in the file, as where two runs were joined; allowed: times that grow",
            log.columns[time].name
        ))),
    }
}

/// Frame times from cumulative ones; where the file has both, they must be of one mind.
fn derive_frame_times(log: &mut Log, time: usize) -> Result<(), ReadError> {
    let derived: Vec<Cells> = log.streams.iter().map(|stream| differences(&stream.cells[time])).collect();
    if let Some(interval) = log.basis.interval {
        let own = log.streams.iter().zip(&derived).flat_map(|(stream, derived)| {
            let own = stream.cells[interval].iter().zip(derived.iter());
            own.filter_map(|(own, derived)| Some((own.value()? - derived.value()?).abs()))
        });
        let differs = odd::median(&mut own.collect::<Vec<f64>>()).filter(|it| *it > MOST_DIFFERENCE);
        return differs.map_or(Ok(()), |by| {
            let name = |place: usize| shown(log.columns[place].name.as_bytes(), 40);
            Err(ReadError::Undecided(format!(
                "{} is {by:.3} ms off the differences of {}, by the median; allowed: up to {MOST_DIFFERENCE} ms",
                name(interval),
                name(time)
            )))
        });
    }
    log.basis.interval = Some(log.columns.len());
    log.columns.push(Column {
        name: format!("difference of {}", log.columns[time].name),
        role: Role::Of(Quantity::PresentedInterval),
        unit: log.columns[time].unit,
        missing: Missing { needs_previous: true, ..Missing::NEVER },
        texts: Vec::new(),
        evidence: Some("derived: each row's time less that of the row before; times are cumulative".into()),
    });
    for (stream, cells) in log.streams.iter_mut().zip(derived) {
        stream.tallies.push(Tally::of(&cells));
        stream.cells.push(cells);
    }
    Ok(())
}

/// Each time less the one before.
fn differences(times: &Cells) -> Cells {
    let mut cells = Cells::default();
    let mut before = None;
    for time in times.iter() {
        cells.push(match (before, time) {
            (Some(Cell::Value(before)), Cell::Value(time)) => Cell::Value(time - before),
            (None, _) => Cell::Gap(Gap::NoPrevious),
            _ => Cell::Gap(Gap::NotWritten),
        });
        before = Some(time);
    }
    cells
}

/// Frames are numbered one by one; a step past that is rows left out, whose time one frame then bears.
fn left_out(log: &mut Log, frame: usize) {
    for stream in &log.streams {
        let numbers: Vec<f64> = stream.cells[frame].iter().filter_map(Cell::value).collect();
        let steps = numbers.windows(2).filter(|pair| (pair[1] - pair[0] - 1.0).abs() > 0.5).count() as u64;
        if steps > 0 {
            let name = shown(log.columns[frame].name.as_bytes(), 40);
            log.findings.push(Finding {
                place: format!("column {name}"),
                cause: format!(
                    "frames are not numbered one by one at {}: rows are left out",
                    counted(steps, "place")
                ),
                remedy: "capture again, or do not judge single frames there".into(),
                times: steps,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Options, detect, read};
    use super::*;

    fn log(text: &str) -> Log {
        read(text.as_bytes(), &Options::default()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn fault(text: &str) -> String {
        read(text.as_bytes(), &Options::default()).unwrap_err().to_string()
    }

    fn intervals(log: &Log) -> Vec<Cell> {
        log.streams[0].cells[log.basis.interval.unwrap()].iter().collect()
    }

    #[test]
    fn n_cumulative_times_are_n_less_one_frame_times() {
        let log = log("Frame, Time (ms)\n    1,     0.000\n    2,    16.500\n    3,    50.000\n");
        assert_eq!((log.format.name(), log.producer.tool.as_str()), ("fraps", "Fraps"));
        assert_eq!(intervals(&log), [Cell::Gap(Gap::NoPrevious), Cell::Value(16.5), Cell::Value(33.5)]);
        assert_eq!(log.streams[0].sampling.ratio(), Some(1.0));
        let counts = log.streams[0].counts;
        assert_eq!((counts.presented, counts.unsaid), (3, 3), "nothing says what was shown");
        assert!(log.findings.is_empty(), "{:?}", log.findings);
    }

    #[test]
    fn a_list_with_its_own_frame_times_keeps_them() {
        let log = log(
            "Frame, Time (ms), Delta (ms), Memory (mb)\n0,0.0,0.0,900\n1,16.5,16.5,900\n2,33.0,16.5,901\n",
        );
        assert_eq!(log.columns.len(), 4);
        assert_eq!(intervals(&log), [Cell::Gap(Gap::NoPrevious), Cell::Value(16.5), Cell::Value(16.5)]);
        let text = fault("Frame, Time (ms), Delta (ms)\n0,0.0,0.0\n1,16.5,60.0\n2,33.0,60.0\n");
        assert!(text.starts_with("Delta (ms) is 43.500 ms off the differences of Time (ms)"), "{text}");
    }

    #[test]
    fn a_list_of_frame_times_alone_has_no_row_times_and_says_so() {
        let log = log("Frame index, Frame time (ms), CPU (ms)\n0,16.5,4\n1,7800.0,4\n3,16.5,4\n");
        assert_eq!(log.basis.time, None);
        assert_eq!(log.streams[0].sampling.name(), "untold");
        let causes: String = log.findings.iter().map(|it| it.cause.clone() + "\n").collect();
        assert!(causes.contains("Frame time (ms) is above 1 s on 1 row"), "{causes}");
        assert!(causes.contains("not numbered one by one at 1 place"), "{causes}");
        assert!(causes.contains("columns that no known version has, or has twice: CPU (ms)"), "{causes}");
    }

    #[test]
    fn files_of_rates_are_refused_with_what_they_are() {
        let text = fault("FPS\n60\n61\n");
        assert!(
            text.contains("frame rates by the second (Fraps' file `fps`), which holds no frame times"),
            "{text}"
        );
        let text = fault("Frames, Time (ms), Min, Max, Avg\n 600, 10000, 50, 70, 60.000\n");
        assert!(text.contains("lowest, highest and mean frame rate of a run"), "{text}");
    }

    #[test]
    fn two_runs_in_one_file_are_not_put_in_order() {
        let text = fault("Frame, Time (ms)\n1,0.0\n2,16.0\n3,32.0\n1,1.0\n2,17.0\n");
        assert!(text.contains("Time (ms) runs backwards in the file"), "{text}");
    }

    #[test]
    fn a_frame_number_alone_is_no_list_of_frame_times() {
        assert!(detect(b"Frame,Something\n1,2\n").is_err());
        let forced = Options { format: super::super::Format::from_name("fraps"), ..Options::default() };
        let text = read(b"Frame,Something\n1,2\n", &forced).unwrap_err().to_string();
        assert_eq!(
            text,
            "fraps: column Time (ms) or Frame time (ms) missing; the header has Frame, Something"
        );
    }
}
