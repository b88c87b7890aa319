//! What only the data tells: units of time columns, the counter's frequency, the frame time that version 2.0 leaves out. In: a log
//! whose rows are in order. Out: the same log, each inference with its evidence; or the contradiction that forbids one.

use crate::read::error::shown;
use crate::read::log::{Cell, Cells, Column, FileUnit, Gap, Log, Missing, Role, Tally};
use crate::read::quantity::Quantity;
use crate::read::{ReadError, odd};
use crate::{Finding, counted};

/// Pairs of rows from which a unit is inferred; more would say the same.
const MOST_PAIRS: usize = 10_000;
/// The rate of the counter in the tool's own outputs, and of Windows' counter in general today; a recovered rate this near is it.
const USUAL_FREQUENCY: f64 = 10e6;

/// No counter is slower; what seems so is no count of ticks.
const LEAST_FREQUENCY: f64 = 1e5;

/// Infers units and derives columns.
pub(in crate::read) fn finish(log: &mut Log) -> Result<(), ReadError> {
    derive_frame_time(log);
    for place in 0..log.columns.len() {
        infer_unit(log, place)?;
    }
    Ok(())
}

/// Frame time = busy + wait, as the tool's later versions write it; a wait that the tool has not seen counts as none there.
fn derive_frame_time(log: &mut Log) {
    if log.basis.interval.is_some() {
        return;
    }
    let place = |quantity| log.quantity(quantity).map(|it| it.0);
    let (Some(busy), Some(wait)) = (place(Quantity::CpuBusy), place(Quantity::CpuWait)) else { return };
    log.basis.interval = Some(log.columns.len());
    log.columns.push(Column {
        name: "CPUBusy + CPUWait".into(),
        role: Role::Of(Quantity::FrameInterval),
        unit: FileUnit::Millis,
        missing: Missing::NEVER,
        texts: Vec::new(),
        evidence: Some("derived: version 2.0 has no FrameTime, which later versions define so".into()),
    });
    for stream in &mut log.streams {
        let mut cells = Cells::default();
        for (busy, wait) in stream.cells[busy].iter().zip(stream.cells[wait].iter()) {
            cells.push(match (busy, wait) {
                (Cell::Value(busy), Cell::Value(wait)) => Cell::Value(busy + wait),
                (Cell::Value(busy), Cell::Gap(Gap::Unknown)) => Cell::Value(busy),
                (Cell::Gap(gap), _) | (_, Cell::Gap(gap)) => Cell::Gap(gap),
            });
        }
        stream.tallies.push(Tally::of(&cells));
        stream.cells.push(cells);
    }
}

/// Holds a time column against the frame times: how much it grows in a millisecond is its unit.
fn infer_unit(log: &mut Log, place: usize) -> Result<(), ReadError> {
    let column = &log.columns[place];
    let presented = match column.role {
        Role::PresentTime(_) => true,
        Role::StartTime(_) => false,
        _ => return Ok(()),
    };
    if let Some((frequency, rows)) = exact_frequency(log, place) {
        let evidence =
            format!("two counters and the busy time between them, by the median of {}", counted(rows, "row"));
        settle(log, place, FileUnit::Ticks(Some(frequency)), &evidence);
        return Ok(());
    }
    let (own, other) = (Quantity::PresentedInterval, Quantity::FrameInterval);
    let intervals = if presented { [own, other] } else { [other, own] };
    // Frame times are about right for either time: the unit is told from factors of a thousand.
    let interval =
        intervals.into_iter().find_map(|quantity| Some((log.quantity(quantity)?.0, quantity == own)));
    let Some((interval, looks_back)) = interval else { return Ok(()) };
    let Some(growth) = growth(log, place, interval, looks_back) else { return Ok(()) };
    let evidence = format!(
        "it grows by {:.6} in each millisecond of {}, by the median of {}",
        growth.median,
        log.columns[interval].name,
        counted(growth.pairs as u64, "row")
    );
    let unit = match (column.unit, growth.median) {
        (FileUnit::Ticks(_), growth) if growth > 100.0 => FileUnit::Ticks(Some(usual(growth * 1000.0))),
        (FileUnit::Nanos, _) => FileUnit::Nanos,
        (_, growth) if growth < 1e-2 => FileUnit::Seconds,
        (_, growth) if (0.1..100.0).contains(&growth) => FileUnit::Millis,
        (declared, _) => {
            let name = shown(column.name.as_bytes(), 40);
            let allowed = "about 0.001 for seconds, 1 for milliseconds";
            let text =
                format!("column {name} says {} and yet {evidence}; allowed: {allowed}", declared.name());
            return Err(ReadError::Undecided(text));
        }
    };
    settle(log, place, unit, &evidence);
    Ok(())
}

/// Writes down what a column's unit is and why; a name that promised another is said.
fn settle(log: &mut Log, place: usize, unit: FileUnit, evidence: &str) {
    let column = &mut log.columns[place];
    if let FileUnit::Seconds | FileUnit::Millis = column.unit
        && unit != column.unit
    {
        log.findings.push(Finding {
            place: format!("column {}", shown(column.name.as_bytes(), 40)),
            cause: format!("it is named for {} and holds {}: {evidence}", column.unit.name(), unit.name()),
            remedy: "nothing: it is read as what it holds".into(),
            times: 1,
        });
    }
    column.evidence = Some(match unit {
        FileUnit::Ticks(Some(frequency)) => format!("{frequency} ticks a second: {evidence}"),
        _ => format!("{}: {evidence}", unit.name()),
    });
    column.unit = unit;
}

struct Growth {
    median: f64,
    pairs: usize,
}

/// By how much a time column grows while one unit of frame time passes.
fn growth(log: &Log, time: usize, interval: usize, looks_back: bool) -> Option<Growth> {
    let mut quotients = Vec::new();
    for stream in &log.streams {
        let (times, intervals) = (&stream.cells[time], &stream.cells[interval]);
        for row in 1..times.len().min(intervals.len()) {
            if quotients.len() >= MOST_PAIRS {
                break;
            }
            let at = if looks_back { row } else { row - 1 };
            let values = times.get(row - 1).and_then(Cell::value).zip(times.get(row).and_then(Cell::value));
            if let (Some((before, after)), Some(Cell::Value(interval))) = (values, intervals.get(at))
                && interval > 0.0
                && after > before
            {
                quotients.push((after - before) / interval);
            }
        }
    }
    let pairs = quotients.len();
    Some(Growth { median: odd::median(&mut quotients)?, pairs })
}

/// The counter's frequency from two of its readings in one row and the time between them, where the file has all three; with
/// the number of rows that say so.
fn exact_frequency(log: &Log, place: usize) -> Option<(f64, u64)> {
    let ticks = |column: &Column| matches!(column.unit, FileUnit::Ticks(_));
    let counter =
        |test: fn(Role) -> bool| log.columns.iter().position(|column| ticks(column) && test(column.role));
    let present = counter(|role| matches!(role, Role::PresentTime(_)))?;
    let start = counter(|role| matches!(role, Role::StartTime(_)))?;
    let busy = log.quantity(Quantity::CpuBusy)?.0;
    if place != present && place != start {
        return None;
    }
    let mut quotients = Vec::new();
    for stream in &log.streams {
        for row in 0..stream.rows() {
            let value = |column| stream.cell(row, column).and_then(Cell::value);
            if let (Some(present), Some(start), Some(busy)) = (value(present), value(start), value(busy))
                && busy > 0.0
                && quotients.len() < MOST_PAIRS
            {
                quotients.push((present - start) / busy * 1000.0);
            }
        }
    }
    let rows = quotients.len() as u64;
    let frequency = odd::median(&mut quotients).filter(|frequency| *frequency > LEAST_FREQUENCY)?;
    Some((usual(frequency), rows))
}

/// A rate as near to the usual one as rounded frame times can tell is the usual one; any other is a whole number of ticks.
fn usual(frequency: f64) -> f64 {
    if (frequency / USUAL_FREQUENCY - 1.0).abs() < 1e-4 { USUAL_FREQUENCY } else { frequency.round() }
}
