//! The ring over a backend that does nothing: what it allocates, and that it stays bounded when nobody collects.

use std::time::Duration;

use framecost_probe::alloc::{AllocCounts, CountingAlloc};
use framecost_probe::inflight::{Backend, BatchIndex, Copy, Progress, Refusal, Ring, RingOptions, SlotIndex};
use framecost_sample::{PassId, QueueId, Reading, Reason, Ticks};

#[global_allocator]
static ALLOC: CountingAlloc = CountingAlloc::system();

/// Every submission completes at once; a query holds how often anything was read.
#[derive(Debug, Default)]
struct Instant {
    reads: u64,
    slots: usize,
    renewed: usize,
    /// The queries of all copies, where a test wants them.
    copied: Option<Vec<u32>>,
}

impl Backend for Instant {
    type Ticket = ();
    const ORDERED: bool = true;
    fn now(&self) -> Duration {
        Duration::ZERO
    }
    fn poll(&mut self, (): &(), _: Duration) -> Progress {
        Progress::Done
    }
    fn add_slot(&mut self) {
        self.slots += 1;
    }
    fn renew(&mut self, _: SlotIndex) {
        self.renewed += 1;
    }
    fn bring_back(&mut self, _: BatchIndex, copies: &[Copy]) -> Result<(), Reason> {
        if let Some(copied) = &mut self.copied {
            copied.extend(copies.iter().flat_map(|copy| copy.queries.clone()));
        }
        Ok(())
    }
    fn read(&mut self, _: BatchIndex, copies: &[Copy], words: &mut [Option<u64>]) -> Result<(), Reason> {
        for copy in copies {
            self.reads += 1;
            words[copy.words()].fill(Some(self.reads));
        }
        Ok(())
    }
}

const PASSES: u16 = 12;
const MAIN: QueueId = QueueId(0);

fn ring() -> Ring<Instant> {
    Ring::new(Instant::default(), RingOptions::for_run(PASSES, 2))
}

fn draw(ring: &mut Ring<Instant>, frame: u64) {
    ring.begin(frame, 0);
    ring.bracket_start(0);
    for pass in 0..PASSES {
        ring.hand_out(PassId(pass), 0, MAIN);
    }
    ring.bracket_end(0);
    ring.submitted(MAIN, ());
    ring.end();
}

#[test]
fn a_warm_ring_allocates_nothing() {
    let mut ring = ring();
    let (mut frames, mut measured) = (0, 0);
    let mut run = |from: u64| {
        for frame in from..from + 2000 {
            draw(&mut ring, frame);
            ring.collect(&mut |delivered| {
                frames += 1;
                measured += delivered.stamps.iter().filter(|row| row.end.measured().is_some()).count();
            });
        }
    };
    run(0);
    let before = AllocCounts::of_thread();
    run(2000);
    assert_eq!(AllocCounts::of_thread().since(before), AllocCounts::default());
    assert!(frames > 3900 && measured == frames * usize::from(PASSES), "{frames} frames, {measured} rows");
}

// Research item 2.25: a profiler that nobody reads grew by 10 MB/s.
#[test]
fn when_nobody_collects_the_ring_stays_as_it_is_and_counts() {
    let mut ring = ring();
    let (mut waiting, mut before) = (0, AllocCounts::default());
    for frame in 0..100_000 {
        draw(&mut ring, frame);
        if frame == 1000 {
            (waiting, before) = (ring.waiting(), AllocCounts::of_thread());
        }
    }
    assert_eq!(ring.waiting(), waiting);
    assert_eq!(AllocCounts::of_thread().since(before), AllocCounts::default(), "it has grown to its bound");
    let mut delivered = 0;
    ring.finish(Duration::from_secs(1), &mut |_| delivered += 1);
    let counts = ring.counts();
    assert_eq!((delivered, counts.delivered), (waiting as u64, waiting as u64));
    assert_eq!(counts.unreported + counts.delivered, 100_000, "what was not delivered is counted");
    assert!(counts.dropped > 0);
}

#[test]
fn collecting_again_without_a_new_frame_brings_what_is_there() {
    let mut ring = ring();
    draw(&mut ring, 0);
    let mut frames = Vec::new();
    for _ in 0..4 {
        ring.collect(&mut |delivered| frames.push(delivered.frame));
    }
    assert_eq!(frames, [0], "a batch is not waited for while nothing is drawn");
}

#[test]
fn rows_follow_their_submissions_and_what_was_never_submitted_did_not_run() {
    let mut ring = ring();
    ring.begin(7, 3);
    ring.hand_out(PassId(1), 1, MAIN);
    ring.hand_out(PassId(0), 0, MAIN);
    ring.hand_out(PassId(2), 1, MAIN);
    ring.refuse(PassId(3), 1, MAIN, Refusal::Unreliable);
    ring.submitted(MAIN, ());
    ring.abandon(1);
    let mut rows = Vec::new();
    ring.finish(Duration::ZERO, &mut |delivered| {
        assert_eq!((delivered.frame, delivered.tag), (7, 3));
        assert_eq!(delivered.bracket[0], Reading::Missing(Reason::NotExecuted), "none was asked for");
        rows.extend(delivered.stamps.iter().map(|row| (row.submission, row.pass.0, row.start.clone())));
    });
    let absent = || Reading::Missing(Reason::NotExecuted);
    assert_eq!(
        rows,
        [
            (0, 0, Reading::Measured(Ticks(1))),
            (1, 1, absent()),
            (1, 2, absent()),
            (1, 3, Reading::Missing(Reason::Unreliable)),
        ]
    );
}

// Research item 2.31: a fixed number of queries ran out and nobody was told.
#[test]
fn a_run_beyond_the_queries_is_exhausted_and_counted() {
    let mut ring = ring();
    ring.begin(0, 0);
    let (stamped, runs) = (usize::from(RingOptions::for_run(PASSES, 2).pairs), 60);
    for _ in 0..runs {
        ring.hand_out(PassId(0), 0, MAIN);
    }
    ring.submitted(MAIN, ());
    ring.finish(Duration::ZERO, &mut |delivered| {
        let missing = |row: &&framecost_sample::Stamp| row.start == Reading::Missing(Reason::Exhausted);
        assert_eq!(delivered.stamps.iter().filter(|row| row.start.measured().is_some()).count(), stamped);
        assert_eq!(delivered.stamps.iter().filter(missing).count(), stamped, "as many again are listed");
        assert_eq!(delivered.unlisted as usize, runs - 2 * stamped);
    });
    assert_eq!(ring.counts().exhausted as usize, runs - stamped);
}

// The layout that every backend relies on: the bracket heads a frame's block, a pair for each run of a pass follows, and
// the next frame's block lies behind it.
#[test]
fn a_frames_block_is_its_bracket_then_its_passes_and_nothing_between() {
    let mut ring = ring();
    let mut next = 0;
    for frame in 0..u64::from(RingOptions::for_run(PASSES, 2).frames_per_slot) {
        ring.begin(frame, 0);
        let mut queries = Vec::new();
        let (slot, bracket) = ring.bracket_start(0).expect("the ring is empty");
        queries.extend([bracket.start(), bracket.end()]);
        for pass in 0..PASSES {
            let (of, pair) = ring.hand_out(PassId(pass), 0, MAIN).expect("there is room for each pass");
            assert_eq!(of, slot);
            queries.extend([pair.start(), pair.end()]);
        }
        assert_eq!(ring.bracket_end(0), Some((slot, bracket)));
        let end = next + 2 * (1 + u32::from(PASSES));
        assert_eq!(queries, (next..end).collect::<Vec<_>>(), "distinct, adjacent, filling the block");
        next = end;
        ring.submitted(MAIN, ());
        ring.end();
    }
}

// Research item 2.28: what is reset and not written must not be resolved.
#[test]
fn only_what_was_written_is_copied() {
    for abandoned in [None, Some(1)] {
        let mut ring = ring();
        ring.backend_mut().copied = Some(Vec::new());
        ring.begin(0, 0);
        let (_, bracket) = ring.bracket_start(0).expect("the ring is empty");
        let pairs: Vec<_> =
            (0..4u16).filter_map(|pass| ring.hand_out(PassId(pass), (pass % 2).into(), MAIN)).collect();
        ring.submitted(MAIN, ());
        if let Some(submission) = abandoned {
            ring.abandon(submission);
        }
        ring.finish(Duration::ZERO, &mut |delivered| {
            assert_eq!(delivered.bracket[0], Reading::Missing(Reason::NotExecuted), "half a bracket is none");
        });
        let made = pairs.iter().step_by(1 + usize::from(abandoned.is_some()));
        let written: Vec<u32> = made.flat_map(|(_, pair)| [pair.start(), pair.end()]).collect();
        assert_eq!(ring.backend().copied.as_ref(), Some(&written));
        assert!(!written.contains(&bracket.start()));
    }
}

#[test]
fn frames_in_pieces_travel_in_as_many_batches_as_they_need() {
    let mut ring = ring();
    let options = RingOptions::for_run(PASSES, 2);
    let mut frames = 0;
    let mut measured = 0;
    for frame in 0..200 {
        ring.begin(frame, 0);
        for pass in 0..PASSES {
            ring.hand_out(PassId(pass), (pass % 2).into(), MAIN);
        }
        ring.submitted(MAIN, ());
        ring.abandon(1);
        ring.collect(&mut |delivered| {
            frames += 1;
            measured += delivered.stamps.iter().filter(|row| row.end.measured().is_some()).count();
        });
    }
    ring.finish(Duration::ZERO, &mut |delivered| {
        frames += 1;
        measured += delivered.stamps.iter().filter(|row| row.end.measured().is_some()).count();
    });
    assert_eq!((frames, measured), (200, 200 * usize::from(PASSES) / 2));
    let in_pieces = u64::from(options.batch * u32::from(PASSES) / 2) * 256;
    assert!(in_pieces > options.batch_bytes(), "one batch would not have held them");
}
