//! What only the rows tell of a log: in which units `frametime` and `elapsed` are, whether the first row is one of a frame. In: a
//! log whose rows are in order. Out: the same log, each inference with its evidence; or the figures that contradict each other.

use crate::read::log::{Cell, FileUnit, Log};
use crate::read::quantity::Quantity;
use crate::read::sampling::Sampling;
use crate::read::{ReadError, odd};
use crate::{Finding, counted};

/// `fps` x `frametime` is a second in the unit of `frametime`, within this factor by the median: `fps` is an average of half a
/// second up to about 0.6.6, and counts generated frames in some versions (MangoHud #2109). Units are factors of a thousand apart.
const WITHIN: f64 = 2.2;
/// Farther off than this, the two are said not to be of the same frames.
const NEAR: f64 = 0.1;
/// Nanoseconds grow by one frame time or more in each row; microseconds by a thousandth of one, or by several of those where rows
/// are samples. Between the two lies this, in frame times: samples of fifty frames, or frame times that are counted twenty times.
const LEAST_GROWTH: f64 = 0.05;
/// The same where only frame rates tell: at least so much of a frame passes in each row.
const LEAST_FRAMES: f64 = 0.5;
/// A frame time from which the first row is held against the time since the log began, in ns.
const LONG: f64 = 1e9;

/// Settles units and sets a first row aside that is none of a frame.
pub(super) fn finish(log: &mut Log) -> Result<(), ReadError> {
    let Some(time) = log.basis.time else { return Ok(()) };
    backwards(log);
    match log.basis.interval {
        Some(interval) => {
            settle_frame_time(log, interval, time)?;
            hold_against_version(log, interval);
            settle_elapsed(log, time, interval)?;
            first_row(log, time, interval);
        }
        None => settle_without_frame_times(log, time)?,
    }
    Ok(())
}

/// Rows were put in the order of their times; a log written into twice is not in that order.
fn backwards(log: &mut Log) {
    for stream in &log.streams {
        let steps = stream.lines.windows(2).filter(|pair| pair[0] > pair[1]).count() as u64;
        if steps > 0 {
            log.findings.push(Finding {
                place: "column elapsed".into(),
                cause: format!(
                    "it runs backwards in the file, as rows put in its order tell at {}: two runs in one file",
                    counted(steps, "place")
                ),
                remedy: "keep one run in a file".into(),
                times: steps,
            });
        }
    }
}

fn value(log: &Log, row: usize, column: usize) -> Option<f64> {
    log.streams.first()?.cell(row, column)?.value()
}

fn rows(log: &Log) -> usize {
    log.streams.first().map_or(0, |stream| stream.rows())
}

/// The median of some values, and how many there are.
fn median(mut values: Vec<f64>) -> Option<(f64, u64)> {
    let count = values.len() as u64;
    Some((odd::median(&mut values)?, count))
}

/// The median of frame rate times frame time, and the number of rows that have both.
fn product(log: &Log, interval: usize) -> Option<(f64, u64)> {
    let fps = log.quantity(Quantity::FramesPerSecond)?.0;
    let products = (0..rows(log)).filter_map(|row| Some(value(log, row, fps)? * value(log, row, interval)?));
    median(products.filter(|product| *product > 0.0).collect())
}

/// Microseconds or milliseconds: which of the two makes frame rate times frame time a second; where neither does, the sum of frame
/// times must be the elapsed time in one of them.
fn settle_frame_time(log: &mut Log, interval: usize, time: usize) -> Result<(), ReadError> {
    const UNITS: [(FileUnit, f64); 2] = [(FileUnit::Micros, 1e6), (FileUnit::Millis, 1e3)];
    let product = product(log, interval);
    let by_product = product.and_then(|(product, rows)| {
        let (unit, second) =
            UNITS.into_iter().find(|(_, second)| (second / WITHIN..=second * WITHIN).contains(&product))?;
        Some((unit, product / second, rows))
    });
    if let Some((unit, ratio, rows)) = by_product {
        let evidence = format!(
            "{}: fps x frametime is {ratio:.4} s in it, by the median of {}",
            unit.name(),
            counted(rows, "row")
        );
        if (ratio - 1.0).abs() > NEAR {
            log.findings.push(Finding {
                place: "column fps".into(),
                cause: format!("fps x frametime is {ratio:.4} s by the median: fps is an average, or counts other frames than frametime"),
                remedy: "judge frame times, not fps".into(),
                times: 1,
            });
        }
        settle(log, interval, unit, evidence);
        return Ok(());
    }
    let by_sum = UNITS.into_iter().find_map(|(unit, second)| {
        // Only a log of every frame can tell it so, and only in nanoseconds, as all logs with frame times count.
        let (sum, elapsed) = sum_and_elapsed(log, interval, time)?;
        let ratio = sum / second / (elapsed / 1e9);
        ((ratio - 1.0).abs() <= NEAR).then_some((unit, ratio))
    });
    if let Some((unit, ratio)) = by_sum {
        settle(
            log,
            interval,
            unit,
            format!("{}: frame times add up to {ratio:.4} of the elapsed time in it", unit.name()),
        );
        return Ok(());
    }
    let told = product.map_or_else(
        || "no row has both fps and frametime".to_owned(),
        |(product, rows)| {
            format!("fps x frametime is {product:.4} by the median of {}", counted(rows, "row"))
        },
    );
    Err(ReadError::Undecided(format!(
        "column frametime: {told}, and frame times do not add up to elapsed; allowed: about 1000000 for us, 1000 for ms"
    )))
}

/// What the unit says of the version; where the file names another one, that is said.
fn hold_against_version(log: &mut Log, interval: usize) {
    let late = log.columns[interval].unit == FileUnit::Millis;
    let since = if late { "from 0.6.9 on" } else { "up to 0.6.8" };
    let evidence = &mut log.producer.evidence;
    evidence.push_str(&format!(", frametime in {} as {since}", log.columns[interval].unit.name()));
    let mut parts = log.producer.version.split('.').map(|part| part.parse::<u32>());
    let Some([Ok(major), Ok(minor), Ok(patch)]) =
        parts.next().zip(parts.next()).zip(parts.next()).map(|it| [it.0.0, it.0.1, it.1])
    else {
        return;
    };
    if ((major, minor, patch) >= (0, 6, 9)) != late {
        log.findings.push(Finding {
            place: "column frametime".into(),
            cause: format!(
                "the file names version {} and yet has frame times as {since}",
                log.producer.version
            ),
            remedy: "nothing: they are read as what they hold".into(),
            times: 1,
        });
    }
}

/// The sum of the frame times that lie between the first and the last row, and that time.
fn sum_and_elapsed(log: &Log, interval: usize, time: usize) -> Option<(f64, f64)> {
    let last = rows(log).checked_sub(1)?;
    let elapsed = value(log, last, time)? - value(log, 0, time)?;
    let sum: f64 = (1..=last).filter_map(|row| value(log, row, interval)).sum();
    (elapsed > 0.0).then_some((sum, elapsed))
}

/// Nanoseconds, unless a frame time passes many times over in each row: then microseconds.
fn settle_elapsed(log: &mut Log, time: usize, interval: usize) -> Result<(), ReadError> {
    let nanos = log.columns[interval].unit.nanos().unwrap_or(1.0);
    let growth = (1..rows(log)).filter_map(|row| {
        let step = value(log, row, time)? - value(log, row - 1, time)?;
        let frame = value(log, row, interval)? * nanos;
        (step > 0.0 && frame > 0.0).then_some(step / frame)
    });
    let Some((growth, count)) = median(growth.collect()) else {
        // One row tells nothing; all versions that write frame times write nanoseconds.
        settle(
            log,
            time,
            FileUnit::Nanos,
            "ns: as every version with a frametime writes it; the rows do not tell".into(),
        );
        return Ok(());
    };
    let rows = counted(count, "row");
    let (unit, frames) = match growth {
        growth if growth >= LEAST_GROWTH => (FileUnit::Nanos, growth),
        growth if growth >= LEAST_GROWTH / 1e3 => (FileUnit::Micros, growth * 1e3),
        _ => {
            return Err(ReadError::Undecided(format!(
                "column elapsed grows by {growth:.6} for each ns of frametime, by the median of {rows}; allowed: 1 or more for ns, \
                 0.001 or more for us"
            )));
        }
    };
    let evidence = format!(
        "{}: it grows by {frames:.4} frame times in each row in it, by the median of {rows}",
        unit.name()
    );
    settle(log, time, unit, evidence);
    Ok(())
}

/// Logs of 0.5 and before have frame rates alone. How many frames pass in a row by them tells the unit, and whether rows are
/// samples.
fn settle_without_frame_times(log: &mut Log, time: usize) -> Result<(), ReadError> {
    let Some(fps) = log.quantity(Quantity::FramesPerSecond).map(|it| it.0) else { return Ok(()) };
    let frames = (1..rows(log)).filter_map(|row| {
        let step = value(log, row, time)? - value(log, row - 1, time)?;
        let rate = value(log, row, fps)?;
        (step > 0.0 && rate > 0.0).then_some(step * rate)
    });
    let Some((frames, count)) = median(frames.collect()) else {
        settle(
            log,
            time,
            FileUnit::Micros,
            "us: as every version without a frametime writes it; the rows do not tell".into(),
        );
        return Ok(());
    };
    let by = format!("by the median of {}", counted(count, "row"));
    let (unit, passed) = match frames {
        frames if frames >= LEAST_FRAMES * 1e9 => (FileUnit::Nanos, frames / 1e9),
        frames if frames >= LEAST_FRAMES * 1e6 => (FileUnit::Micros, frames / 1e6),
        _ => {
            return Err(ReadError::Undecided(format!(
                "column elapsed: fps times its growth is {frames:.4}, {by}; allowed: 1000000 or more for us, 1000000000 or more for ns"
            )));
        }
    };
    settle(
        log,
        time,
        unit,
        format!("{}: {passed:.4} frames pass in each row in it, by fps, {by}", unit.name()),
    );
    let nanos = unit.nanos().unwrap_or(1.0);
    for stream in &mut log.streams {
        let (first, last) = stream.span.unwrap_or_default();
        let rates = stream.cells[fps].iter().skip(1).filter_map(Cell::value).filter(|rate| *rate > 0.0);
        stream.sampling = Sampling::of(rates.map(|rate| 1e9 / rate).sum(), (last - first) * nanos);
    }
    log.findings.push(Finding {
        place: "columns".into(),
        cause: "the log holds frame rates of half a second and no frame times, as 0.5 and before write it"
            .into(),
        remedy: "log with a later version: no frame time can be told from such rates".into(),
        times: 1,
    });
    Ok(())
}

fn settle(log: &mut Log, place: usize, unit: FileUnit, evidence: String) {
    log.columns[place].unit = unit;
    log.columns[place].evidence = Some(evidence);
}

/// A first frame time that is longer than the log has run is the time since the machine was started, or since the overlay was: the
/// tool's own summary counts it, and its lows become 0.
fn first_row(log: &mut Log, time: usize, interval: usize) {
    let nanos = |place: usize| log.columns[place].unit.nanos().unwrap_or(1.0);
    let (Some(frame), Some(elapsed)) = (value(log, 0, interval), value(log, 0, time)) else { return };
    let (frame_time, since) = (frame * nanos(interval), elapsed * nanos(time));
    if rows(log) < 2 || frame_time <= LONG || frame_time <= since {
        return;
    }
    let found = format!(
        "frametime is {} {}, longer than the {} that the log had run: a time since start-up, not of a frame; allowed: up to elapsed",
        frame,
        log.columns[interval].unit.name(),
        framecost_sample::Nanos(since)
    );
    log.set_aside(0, 0, found);
}
