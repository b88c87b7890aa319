//! Values that are kept and yet odd: nothing, far too long, shorter than any display shows, named for nothing. In: a log. Out: its
//! findings, each counted with an example's line.

use framecost_sample::Logged;

use super::jump::Jumps;
use super::log::{Cell, Column, FileUnit, Gap, Log, Role, Stream};
use super::quantity::Quantity;
use super::sampling::Sampling;
use crate::plural::some_of;
use crate::{Finding, Findings, counted};

/// A frame time past this is none of play.
const LONG_FRAME: f64 = Logged::LONG_FRAME.0;
/// One part in so many at either end of a stream is its start and its end. Our own choice.
const ENDS: usize = 20;
/// No latency of a frame that somebody plays is this long (PresentMon #520). Our own choice.
const LONG_LATENCY: f64 = 10e9;
/// Presents this close are not shown one by one: 1500 a second (PresentMon #320, #500).
const SHORT_FRAME: f64 = 1e9 / 1500.0;
/// The share of rows from which short frames are worth a word. Our own choice.
const SHORT_SHARE: f64 = 0.01;

/// Looks a log over and adds what it finds.
pub(super) fn look(log: &mut Log) {
    let mut findings = Findings::default();
    for finding in std::mem::take(&mut log.findings) {
        findings.add(finding);
    }
    for stream in &log.streams {
        intervals(log, stream, &mut findings);
        sampling(stream, &mut findings);
        jumps(log, stream, &mut findings);
        generated(stream, &mut findings);
        unsaid(stream, &mut findings);
    }
    for (place, column) in log.columns.iter().enumerate() {
        latencies(log, place, column, &mut findings);
        unparsable(log, place, column, &mut findings);
    }
    never_written(log, &mut findings);
    log.findings = findings.into_list();
}

/// Frame times of 0, beyond a second, or too short to be shown.
fn intervals(log: &Log, stream: &Stream, findings: &mut Findings) {
    let Some(place) = log.basis.interval else { return };
    let column = &log.columns[place];
    let Some(nanos) = column.unit.nanos() else { return };
    // Mostly there is nothing to tell: a look that never branches says so quickest.
    let is_odd = |value: &f64| !(SHORT_FRAME..=LONG_FRAME).contains(&(value * nanos));
    if let Some(values) = stream.cells[place].plain()
        && !values.iter().fold(false, |any, value| any | is_odd(value))
    {
        return;
    }
    let (mut zero, mut long, mut short) = ((0, 0), (0, 0), 0);
    let (mut longest, mut values) = (0.0, 0);
    let rows = stream.rows();
    let (ends, mut between) = (rows / ENDS, false);
    for (row, cell) in stream.cells[place].iter().enumerate() {
        let Cell::Value(value) = cell else { continue };
        let time = value * nanos;
        values += 1;
        if time <= 0.0 {
            count(&mut zero, stream.lines[row]);
        } else if time > LONG_FRAME {
            if time > longest {
                longest = time;
            }
            between |= (ends..rows - ends).contains(&row);
            count(&mut long, stream.lines[row]);
        } else if time < SHORT_FRAME {
            short += 1;
        }
    }
    let mut add = |cause: String, remedy: &str, times: u64| {
        findings.add(Finding { place: stream.id.to_string(), cause, remedy: remedy.into(), times });
    };
    let name = &column.name;
    if zero.0 > 0 {
        let cause = format!(
            "{name} is 0 or less on {}, the first on line {}: generated frames and garbage have no frame time, and are left out of \
             every figure of it",
            counted(zero.0, "row"),
            zero.1
        );
        add(cause, "compare displayed frames, or application frames alone", zero.0);
    }
    if long.0 > 0 {
        let longest = framecost_sample::Nanos(longest);
        let cause = format!(
            "{name} is above 1 s on {}, at most {longest}, the first on line {}: start-up, loading, a pause, or ticks of an unset clock",
            counted(long.0, "row"),
            long.1
        );
        let remedy = match between {
            false => "leave out start and end of the capture if these are none of the scene's frames",
            true => {
                "capture again without the pause: to leave out start and end does not help in the middle; median and p95 hardly \
                 move by it, lows, averages and the longest frame do"
            }
        };
        add(cause, remedy, long.0);
    }
    #[expect(clippy::cast_precision_loss, reason = "a share of rows")]
    let share = short as f64 / values.max(1) as f64;
    if short > 0 && share > SHORT_SHARE {
        let cause = format!(
            "{name} is below 0.667 ms on {}, 1500 frames a second: presents that no display shows one by one",
            counted(short, "row")
        );
        add(cause, "compare displayed frames", short);
    }
}

/// Counts a row and remembers the first one's line.
const fn count(seen: &mut (u64, u32), line: u32) {
    if seen.0 == 0 || line < seen.1 {
        seen.1 = line;
    }
    seen.0 += 1;
}

fn sampling(stream: &Stream, findings: &mut Findings) {
    let remedy = match stream.sampling {
        Sampling::Sampled { .. } => "capture every frame: percentiles of samples are none of the frames",
        Sampling::Overlapping { .. } => "see whether several swap chains or processes share this stream",
        Sampling::Gaps { .. } => "capture dropped presents too, and see whether the tool lost events",
        Sampling::EveryFrame { .. } | Sampling::Untold(_) => return,
    };
    findings.add(Finding {
        place: stream.id.to_string(),
        cause: stream.sampling.to_string(),
        remedy: remedy.into(),
        times: 1,
    });
}

/// Time between rows that no frame took. Between samples there is nothing else.
fn jumps(log: &Log, stream: &Stream, findings: &mut Findings) {
    let (Some(time), Some(interval)) = (log.basis.time, log.basis.interval) else { return };
    let nanos = |place: usize| log.columns[place].unit.nanos();
    let (Some(of_time), Some(of_interval)) = (nanos(time), nanos(interval)) else { return };
    if matches!(stream.sampling, Sampling::Sampled { .. }) {
        return;
    }
    let (times, intervals) = (&stream.cells[time], &stream.cells[interval]);
    let jumps = Jumps::of(times, intervals, log.basis, (of_time, of_interval));
    if jumps.places == 0 {
        return;
    }
    findings.add(Finding {
        place: stream.id.to_string(),
        cause: format!(
            "at {} the clock moves on by far more than the frame took, the first before line {}: {} in all that no row holds",
            counted(jumps.places, "place"),
            stream.lines[jumps.first],
            framecost_sample::Nanos(jumps.nanos)
        ),
        remedy: "see whether the tool lost events, or nothing was presented there; no average holds this time".into(),
        times: jumps.places,
    });
}

fn generated(stream: &Stream, findings: &mut Findings) {
    let counts = stream.counts;
    if counts.generated > 0 {
        findings.add(Finding {
            place: stream.id.to_string(),
            cause: format!(
                "{} of {} are generated, not drawn by the application; their presents can lie on those of drawn frames",
                counts.generated,
                counted(counts.presented, "frame")
            ),
            remedy: "compare with captures of the same frame generation alone".into(),
            times: counts.generated,
        });
    }
}

/// Presents that the tool lost, in a file that says of the others whether they were shown.
fn unsaid(stream: &Stream, findings: &mut Findings) {
    let counts = stream.counts;
    if counts.unsaid > 0 && counts.unsaid < counts.presented {
        findings.add(Finding {
            place: stream.id.to_string(),
            cause: format!(
                "of {} the file does not say whether they were shown",
                counted(counts.unsaid, "present")
            ),
            remedy: "nothing: they count neither as shown nor as dropped".into(),
            times: counts.unsaid,
        });
    }
}

/// Latencies that nobody waits for.
fn latencies(log: &Log, place: usize, column: &Column, findings: &mut Findings) {
    let (Role::Of(quantity), Some(nanos)) = (column.role, column.unit.nanos()) else { return };
    if quantity == Quantity::AnimationTime || Some(place) == log.basis.interval {
        return;
    }
    for stream in &log.streams {
        let Some(most) = stream.tallies[place].most.filter(|most| most * nanos > LONG_LATENCY) else {
            continue;
        };
        let most = framecost_sample::Nanos(most * nanos);
        findings.add(Finding {
            place: stream.id.to_string(),
            cause: format!(
                "{} is up to {most}: ticks of an unset clock, or a capture that was halted",
                column.name
            ),
            remedy: "do not judge this column".into(),
            times: 1,
        });
    }
}

fn unparsable(log: &Log, place: usize, column: &Column, findings: &mut Findings) {
    let count: u64 = log.streams.iter().map(|stream| stream.tallies[place].gap(Gap::Unparsable)).sum();
    if count > 0 {
        findings.add(Finding {
            place: format!("column {}", super::error::shown(column.name.as_bytes(), 60)),
            cause: format!("no number in {}", counted(count, "field")),
            remedy: "nothing: the column is none that is judged".into(),
            times: count,
        });
    }
}

/// Columns without a single value say that something was not tracked (PresentMon #213).
fn never_written(log: &Log, findings: &mut Findings) {
    let empty = |place: usize| {
        log.streams
            .iter()
            .all(|stream| stream.tallies[place].values == 0 && stream.tallies[place].missing() > 0)
    };
    let columns = log.columns.iter().enumerate();
    let empty: Vec<String> = columns
        .filter(|(place, column)| column.unit != FileUnit::Text && empty(*place))
        .map(|(_, column)| super::error::shown(column.name.as_bytes(), 40))
        .collect();
    if !empty.is_empty() {
        findings.add(Finding {
            place: "columns".into(),
            cause: format!("no row has a value of {}", some_of(&empty, 12, "column")),
            remedy: "nothing, unless they are wanted: then see what the tool tracks, and with which options"
                .into(),
            times: empty.len() as u64,
        });
    }
}

/// The median, the lower one of two; none of nothing. Reorders the values.
pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}
