//! What single values of a capture may be. In: parts, or a key. Out: nothing, or a fault with the value's place in
//! `capture.json`, the value, and what is allowed.

use crate::metric::DERIVED;
use crate::metric::names;
use crate::{Better, Capture, CaptureError, CaptureParts, Counts, Key, Metric, Reading, Ticks, is_moment};

/// The longest side of an image, past what any graphics API draws to.
const MOST_SIDE: u32 = 1 << 16;
const MOST_IN_FLIGHT: u32 = 1 << 8;
/// Frames that were drawn and not measured: years of them.
const MOST_LEFT_OUT: u64 = 1 << 32;

/// Checks each value that its type does not bound.
pub(crate) fn check(parts: &CaptureParts) -> Result<(), CaptureError> {
    check_key(&parts.key)?;
    check_counts(&parts.counts)?;
    check_lengths(parts)?;
    if let Some(text) = parts.started_at.as_ref().filter(|text| !is_moment(text)) {
        let cut: String = text.chars().take(80).collect();
        let value = format!("`{}`", cut.escape_debug());
        return Err(fault("started_at", &value, "RFC 3339 in UTC, such as 2026-01-31T12:00:00Z, or null"));
    }
    for (i, clock) in parts.clocks.iter().enumerate() {
        let most = clock.valid_bits.mask();
        if let Some(&Ticks(step)) = clock.step.measured().filter(|step| step.0 == 0 || step.0 > most) {
            let allowed =
                format!("1 to {most}, what the clock's valid bits hold, or a reason why it is missing");
            return Err(fault(&format!("clocks[{i}].step_ticks"), &step.to_string(), &allowed));
        }
    }
    parts.metrics.iter().enumerate().try_for_each(|(i, metric)| check_metric(i, metric))
}

/// Checks the values of a key, which also stands outside captures.
pub(crate) fn check_key(key: &Key) -> Result<(), CaptureError> {
    let sides = 1..=MOST_SIDE;
    if let Some(size) = key.size.filter(|size| !sides.contains(&size.width) || !sides.contains(&size.height))
    {
        let allowed = format!("two sides of 1 to {MOST_SIDE} pixels, or null");
        return Err(fault("key.size", &format!("[{}, {}]", size.width, size.height), &allowed));
    }
    if let Some(frames) = key.frames_in_flight.filter(|frames| !(1..=MOST_IN_FLIGHT).contains(frames)) {
        let allowed = format!("1 to {MOST_IN_FLIGHT}, or null");
        return Err(fault("key.frames_in_flight", &frames.to_string(), &allowed));
    }
    Ok(())
}

fn check_counts(counts: &Counts) -> Result<(), CaptureError> {
    let Counts { start_up, warm_up, calibration, measured, dropped: _ } = *counts;
    let most = [
        ("start_up", start_up, MOST_LEFT_OUT),
        ("warm_up", warm_up, MOST_LEFT_OUT),
        ("calibration", calibration, MOST_LEFT_OUT),
        ("measured", measured, Capture::MOST_FRAMES),
    ];
    match most.iter().find(|(_, count, most)| count > most) {
        None => Ok(()),
        Some((name, count, most)) => {
            Err(fault(&format!("counts.{name}"), &count.to_string(), &format!("at most {most}")))
        }
    }
}

/// A list has no more entries than its ids can tell apart.
fn check_lengths(parts: &CaptureParts) -> Result<(), CaptureError> {
    let (narrow, wide) = (usize::from(u8::MAX) + 1, usize::from(u16::MAX) + 1);
    let lists = [
        ("clocks", parts.clocks.len(), narrow),
        ("queues", parts.queues.len(), narrow),
        ("passes", parts.passes.len(), wide),
        ("gates", parts.gates.len(), Capture::MOST_GATES),
        ("metrics", parts.metrics.len(), wide),
        ("remarks", parts.remarks.len(), Capture::MOST_REMARKS),
    ];
    match lists.into_iter().find(|(_, length, most)| length > most) {
        None => Ok(()),
        Some((name, length, most)) => {
            Err(fault(name, &format!("a list of {length}"), &format!("at most {most} entries")))
        }
    }
}

/// A source's own metric may not pass for one of framecost's.
fn check_metric(index: usize, metric: &Metric) -> Result<(), CaptureError> {
    let Some(built_in) = Metric::built_in(&metric.name) else { return Ok(()) };
    let value = format!("`{}`", metric.name);
    if DERIVED.iter().any(|row| row.0 == metric.name) {
        let allowed = "any name but those of the metrics that framecost derives from stamps";
        return Err(fault(&format!("metrics[{index}].name"), &value, allowed));
    }
    // An earlier version may have judged a metric that this one only shows, or the other way round; no version turned one.
    let turned = metric.better != built_in.better
        && metric.better != Better::Neither
        && built_in.better != Better::Neither;
    if metric.unit == built_in.unit && !turned {
        return Ok(());
    }
    let (unit, better) = (built_in.unit.name(), built_in.better.name());
    let value = format!("{value} in {}, better {}", metric.unit.name(), metric.better.name());
    let allowed = format!("framecost's metric of that name, in {unit}, better {better}, or another name");
    Err(fault(&format!("metrics[{index}]"), &value, &allowed))
}

/// Times and counts of framecost's own are none below 0, and no clock steps by nothing. What stamping costs is the difference of
/// two noisy times and may come out below.
pub(crate) fn check_reading(
    place: &str,
    metric: &Metric,
    reading: &Reading<f64>,
) -> Result<(), CaptureError> {
    let Some(&value) = reading.measured() else { return Ok(()) };
    let (least, allowed) = match metric.name.as_str() {
        names::CLOCK_STEP => (f64::MIN_POSITIVE, "above 0"),
        names::CPU_FRAME
        | names::FRAME_INTERVAL
        | names::INSTANCES
        | names::TRIANGLES
        | names::READBACK_FRAMES
        | names::START_UP
        | names::STAMPED_GPU
        | names::BRACKET_GPU => (0.0, "at least 0"),
        _ => return Ok(()),
    };
    if value >= least {
        return Ok(());
    }
    Err(fault(&format!("{place}, {},", metric.name), &value.to_string(), allowed))
}

fn fault(place: &str, value: &str, allowed: &str) -> CaptureError {
    CaptureError::new(format!("{place} is {value}; allowed: {allowed}"))
}
