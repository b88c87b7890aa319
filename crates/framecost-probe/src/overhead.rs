//! What measuring costs the CPU: a stopwatch over the measuring code's own calls. In: calls, timed in one frame of
//! several. Out: time per pass.
//!
//! Reading a clock twice costs about as much as handing out a stamp, so most frames run unwatched, and what the
//! stopwatch itself takes is measured once and left out.

use std::time::{Duration, Instant};

use framecost_sample::{Nanos, Reading, Reason};

/// Sums up the time of watched calls.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    /// One frame of this many is watched.
    every: u64,
    frames: u64,
    watching: bool,
    watched_frames: u64,
    watched_passes: u64,
    calls: u64,
    total: Duration,
    /// What an empty call is measured as.
    own: Duration,
}

impl Stopwatch {
    /// Watches one frame of `every`, from the second one on: the first is warm-up.
    #[must_use]
    pub fn new(every: u64) -> Self {
        Self {
            every: every.max(1),
            frames: 0,
            watching: false,
            watched_frames: 0,
            watched_passes: 0,
            calls: 0,
            total: Duration::ZERO,
            own: own_cost(),
        }
    }

    /// Starts a frame, watched or not.
    pub const fn frame(&mut self) {
        self.watching = self.frames % self.every == 1 % self.every && self.frames > 0;
        self.frames += 1;
        self.watched_frames += self.watching as u64;
    }

    /// Notes that the frame has one more pass.
    #[inline]
    pub const fn pass(&mut self) {
        self.watched_passes += self.watching as u64;
    }

    /// Whether this frame is watched.
    #[must_use]
    #[inline]
    pub const fn is_watching(&self) -> bool {
        self.watching
    }

    /// The moment before a call, if it is watched. Hand it to [`Self::stop`] after the call.
    #[must_use]
    #[inline]
    pub fn start(&self) -> Option<Instant> {
        self.watching.then(Instant::now)
    }

    /// Adds the call that began at `start`.
    #[inline]
    pub fn stop(&mut self, start: Option<Instant>) {
        if let Some(start) = start {
            self.total += start.elapsed();
            self.calls += 1;
        }
    }

    /// Host time that the watched calls took for each pass, without the stopwatch's own; missing where no pass was watched.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a statistic over far fewer than 2^53 nanoseconds")]
    pub fn per_pass(&self) -> Reading<Nanos> {
        if self.watched_passes == 0 {
            return Reading::Missing(Reason::NotExecuted);
        }
        let own = self.own.saturating_mul(u32::try_from(self.calls).unwrap_or(u32::MAX));
        let total = self.total.saturating_sub(own);
        Reading::Measured(Nanos(total.as_nanos() as f64 / self.watched_passes as f64))
    }
}

/// What the stopwatch measures of nothing: the least of many tries, since interruptions only add.
fn own_cost() -> Duration {
    (0..64).map(|_| Instant::now().elapsed()).min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_frame_of_several_is_watched_and_the_first_never() {
        let mut watch = Stopwatch::new(4);
        let mut watched = Vec::new();
        for frame in 0..12 {
            watch.frame();
            watch.pass();
            let start = watch.start();
            if start.is_some() {
                watched.push(frame);
            }
            watch.stop(start);
        }
        assert_eq!(watched, [1, 5, 9]);
        assert_eq!((watch.watched_frames, watch.watched_passes, watch.calls), (3, 3, 3));
    }

    #[test]
    fn time_per_pass_leaves_the_stopwatch_out() {
        let mut watch = Stopwatch::new(1);
        assert_eq!(watch.per_pass(), Reading::Missing(Reason::NotExecuted));
        watch.watched_passes = 4;
        watch.calls = 8;
        watch.own = Duration::from_nanos(20);
        watch.total = Duration::from_nanos(8 * 20 + 200);
        assert_eq!(watch.per_pass(), Reading::Measured(Nanos(50.0)));
        watch.total = Duration::ZERO;
        assert_eq!(watch.per_pass(), Reading::Measured(Nanos(0.0)), "never negative");
    }
}
