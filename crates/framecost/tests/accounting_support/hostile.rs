//! Captures that mean harm: extreme readings, clocks without bits, odd periods, several clocks, anything in any order.

use framecost_sample::{Capture, CaptureParts, Period, Reading, Reason, Stamp, Ticks};

use super::random::Random;
use super::{clock, gate, parts, pass, queue, stamp};

/// A capture of that seed with about that many rows.
pub fn capture(seed: u64, rows: u64) -> Capture {
    let mut random = Random(seed);
    let mut parts = context(&mut random);
    let most = u64::try_from(parts.passes.len()).unwrap() - 1;
    let mut frame = if random.chance(10) { u64::MAX - 300 } else { random.between(0, 5) };
    let mut submission = 0;
    let mut near = random.next();
    parts.frames.push(frame);
    for _ in 0..rows {
        if random.chance(20) {
            frame += random.between(1, 3);
            submission = 0;
            parts.frames.push(frame);
        } else if random.chance(30) {
            submission = if random.chance(2) { u32::MAX } else { submission.saturating_add(1) };
        }
        let own = |stamp: &&Stamp| (stamp.frame, stamp.submission) == (frame, submission);
        let queue = match parts.stamps.last().filter(own) {
            Some(stamp) => stamp.queue.0,
            None => u8::try_from(random.between(0, 3)).unwrap(),
        };
        let pass = u16::try_from(random.between(0, most)).unwrap();
        let mut row = stamp(frame, submission, queue, pass, 0, 0);
        (row.start, row.end) = (reading(&mut random, &mut near), reading(&mut random, &mut near));
        parts.stamps.push(row);
    }
    super::capture(parts)
}

/// Three clocks, four queues on any of them, up to six passes and three gates.
fn context(random: &mut Random) -> CaptureParts {
    let mut parts = parts();
    let bits = [0, 36, 37, 48, 63, 64, 64, 64];
    let periods = [(1, 1), (52_083_332, 1_000_000), (1, u64::MAX), (u64::MAX, 1), (1_000_000_000, 300)];
    let mut clock = |index: u8| {
        let shared = random.chance(70);
        let mut clock = clock(&format!("clock {index}"), *random.pick(&bits), 1, shared);
        let (numer, denom) = *random.pick(&periods);
        clock.period = Period::new(numer, denom).unwrap();
        clock
    };
    parts.clocks = (0..3).map(&mut clock).collect();
    let clocks = [0, 0, 0, 0, 0, 0, 1, 2];
    parts.queues = (0..4).map(|index| queue(&format!("queue {index}"), *random.pick(&clocks))).collect();
    let most = u16::try_from(random.between(0, 5)).unwrap();
    parts.passes = (0..=most).map(|index| pass(&format!("p{index}"))).collect();
    for index in 0..random.between(0, 3) {
        let from = random.between(0, most.into());
        let to = random.between(from, most.into());
        let [from, to] = [from, to].map(|pass| u16::try_from(pass).unwrap());
        parts.gates.push(gate(&format!("gate {index}"), from, to));
    }
    parts
}

/// An extreme reading, one near the last, or none.
fn reading(random: &mut Random, near: &mut u64) -> Reading<Ticks> {
    let extremes = [
        0,
        1,
        u64::MAX,
        u64::MAX - 1,
        1 << 63,
        (1 << 63) - 1,
        (1 << 63) + 1,
        1 << 35,
        (1 << 35) - 1,
        (1 << 36) - 1,
    ];
    let tick = match random.between(0, 9) {
        0 => return Reading::Missing(Reason::NotExecuted),
        1 => return Reading::Missing(Reason::SourceRefused("no".into())),
        2 => *random.pick(&extremes),
        3 => random.next(),
        4 => near.wrapping_add(random.next() >> random.between(0, 63)),
        _ => near.wrapping_add(random.between(0, 500)).wrapping_sub(100),
    };
    *near = tick;
    Reading::Measured(Ticks(tick))
}
