//! From an analysis to the tracks of its run. In: a capture, its ledger, the frames asked for. Out: a [`RunTrace`].
//!
//! Places are the accounting's own ([`places`]), in ticks of its timelines. Where submissions share no timeline, or the
//! counter was set back, there are several, and nothing says how they lie to each other: they are put one behind the other.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use framecost_sample::{MetricId, PassId, Period, QueueId, Reading, Reason, Sharing, Stamp, Ticks};

use super::lanes::{Item, Laid, Part, by_key, lanes};
use super::{Arg, Counter, RunTrace, Slice, SliceKind, TraceError, Track};
use crate::Analysis;
use crate::account::{FrameAccount, FrameLedger, FramePlaces, OwnedSpan, PassAccount, RunPlace, places};
use crate::report::escape::terminal;
use crate::report::{build, words};

/// Characters of a name that a trace shows; the whole name stands in the report.
const MOST_CHARACTERS: usize = 120;

impl RunTrace {
    /// The furthest that a moment may lie from the first: below it microseconds in `f64`, which viewers read, tell every
    /// nanosecond from the next.
    pub const MOST_NANOS: u64 = 1 << 51;
    /// Slices and samples of a run; viewers do not open many more.
    pub const MOST_EVENTS: u64 = 1 << 20;

    /// The run on its timeline; of all frames, or of those whose index lies in `frames`. Frames before them still say where
    /// the first one's own time begins.
    ///
    /// # Errors
    /// None of the frames was measured, or none of them has a place; they are too many, or lie too far apart.
    pub fn new(run: &Analysis, frames: Option<&Range<u64>>) -> Result<Self, TraceError> {
        let builder = Builder::new(run, frames)?;
        let drawn = builder.drawn()?;
        let head = build::head(run);
        let mut notes = words::stamps(&head);
        notes.extend(builder.note_of_lines());
        Ok(Self {
            name: label(&format!("{}, {}", words::title(&head), head.adapter)),
            notes: notes.iter().map(|note| terminal(note)).collect(),
            tracks: builder.tracks(&drawn),
            counters: builder.counters(),
            frames: builder.placed().count() as u64,
            frames_without_place: builder.frames.len() as u64 - builder.placed().count() as u64,
            passes: drawn.iter().filter(|it| it.slice.kind == SliceKind::Pass).count() as u64,
            passes_missing: builder.passes_missing(),
        })
    }
}

/// A name as a viewer shows it: one line, in which nothing acts, cut where it is long.
fn label(name: &str) -> String {
    let visible = terminal(name);
    if visible.chars().count() <= MOST_CHARACTERS {
        return visible;
    }
    visible.chars().take(MOST_CHARACTERS).chain("...".chars()).collect()
}

/// A frame asked for.
struct FrameOf<'a> {
    places: FramePlaces,
    ledger: &'a FrameLedger,
}

/// A slice with what decides on its lane.
struct Drawn {
    /// None for a frame, which is on no queue.
    queue: Option<QueueId>,
    part: Part,
    slice: Slice,
}

struct Builder<'a> {
    run: &'a Analysis,
    frames: Vec<FrameOf<'a>>,
    /// For each timeline what to add to its ticks.
    offsets: BTreeMap<u32, i128>,
    period: Period,
    pass_names: Vec<Arc<str>>,
    semantics: Vec<Arc<str>>,
}

impl<'a> Builder<'a> {
    fn new(run: &'a Analysis, asked: Option<&Range<u64>>) -> Result<Self, TraceError> {
        let (capture, ledger) = (&run.capture, &run.ledger);
        let all = places(capture, &ledger.floor).into_iter().zip(&ledger.frames);
        let wanted = |places: &FramePlaces| asked.is_none_or(|range| range.contains(&places.frame));
        let frames: Vec<FrameOf<'_>> = all
            .filter(|(places, _)| wanted(places))
            .map(|(places, ledger)| FrameOf { places, ledger })
            .collect();
        let range = capture.frames.first().copied().zip(capture.frames.last().copied());
        if frames.is_empty() {
            let Range { start: from, end: to } = asked.cloned().unwrap_or(0..0);
            return Err(TraceError::NoFrame { from, to, range });
        }
        let offsets = offsets(&frames);
        let period = match &ledger.clock {
            Some(clock) if !offsets.is_empty() => clock.period,
            Some(_) | None => return Err(TraceError::NoPlace { frames: frames.len() as u64 }),
        };
        let passes = &capture.passes;
        Ok(Self {
            run,
            frames,
            offsets,
            period,
            pass_names: passes.iter().map(|pass| Arc::from(label(&pass.name))).collect(),
            semantics: passes.iter().map(|pass| Arc::from(pass.semantics.name())).collect(),
        })
    }

    fn placed(&self) -> impl Iterator<Item = &FrameOf<'a>> {
        self.frames.iter().filter(|frame| !frame.places.runs.is_empty())
    }

    fn note_of_lines(&self) -> Option<String> {
        let lines = self.offsets.len();
        let shared = self.run.ledger.clock.as_ref().is_some_and(|it| it.sharing != Sharing::WithinSubmission);
        let why = if shared { "the counter was set back" } else { "submissions share none" };
        (lines > 1).then(|| {
            format!("{lines} timelines, since {why}: put one behind the other, what lies between them means nothing")
        })
    }

    /// Every slice.
    fn drawn(&self) -> Result<Vec<Drawn>, TraceError> {
        self.check_events()?;
        self.check_length()?;
        let mut drawn = Vec::new();
        let mut submissions = 0;
        for (number, frame) in self.placed().enumerate() {
            drawn.extend(self.frame(frame, number));
            let row = |run: &RunPlace| &self.run.capture.stamps[run.row];
            let mut times: HashMap<PassId, u64> = HashMap::new();
            for run in &frame.places.runs {
                *times.entry(row(run).pass).or_default() += 1;
            }
            // A submission that the counter's setting back cuts has a part on either side.
            let same =
                |a: &RunPlace, b: &RunPlace| (row(a).submission, a.line) == (row(b).submission, b.line);
            for runs in frame.places.runs.chunk_by(same) {
                drawn.push(self.submission(frame, runs, submissions));
                let pass = |run: &RunPlace| self.pass(frame, run, submissions, times[&row(run).pass]);
                drawn.extend(runs.iter().filter_map(pass));
                submissions += 1;
            }
        }
        Ok(drawn)
    }

    /// Counts before anything is made.
    fn check_events(&self) -> Result<(), TraceError> {
        // Each run is a pass and at most a submission.
        let slices: u64 = self.frames.iter().map(|frame| 1 + 2 * frame.places.runs.len() as u64).sum();
        let (first, last) = (self.frames.first(), self.frames.last());
        let of = |frame: Option<&FrameOf<'_>>| frame.map_or(0, |frame| frame.places.frame);
        let samples = &self.run.capture.samples;
        let from = samples.partition_point(|sample| sample.frame < of(first));
        let to = samples.partition_point(|sample| sample.frame <= of(last));
        let events = slices + (to - from) as u64;
        if events > RunTrace::MOST_EVENTS { Err(TraceError::TooMany { events }) } else { Ok(()) }
    }

    fn check_length(&self) -> Result<(), TraceError> {
        #[expect(clippy::cast_precision_loss, reason = "2^51 is exact")]
        let most = RunTrace::MOST_NANOS as f64;
        for frame in self.placed() {
            for run in &frame.places.runs {
                let ticks = u64::try_from(run.end + self.offset(run.line));
                let nanos = ticks.map_or(f64::INFINITY, |ticks| self.period.nanos(Ticks(ticks)).0);
                if nanos > most {
                    return Err(TraceError::TooLong { frame: frame.places.frame, nanos });
                }
            }
        }
        Ok(())
    }

    fn offset(&self, line: u32) -> i128 {
        self.offsets.get(&line).copied().unwrap_or(0)
    }

    /// A place as whole nanoseconds from the first moment. Rounding keeps order, so what does not overlap in ticks does not
    /// here, and what lies inside lies inside.
    fn nanos(&self, line: u32, at: i128) -> u64 {
        let ticks = u64::try_from(at + self.offset(line)).unwrap_or(0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to lie within 2^51"
        )]
        let nanos = self.period.nanos(Ticks(ticks)).0.round() as u64;
        nanos
    }

    fn time(&self, ticks: Ticks) -> Arg {
        Arg::Nanos(self.period.nanos(ticks).0)
    }

    fn reading(&self, ticks: &Reading<Ticks>) -> Arg {
        match ticks {
            Reading::Measured(ticks) => self.time(*ticks),
            Reading::Missing(reason) => Arg::Text(terminal(&format!("missing: {reason}")).into()),
        }
    }

    /// The frame's own time; none where it has no account.
    fn frame(&self, frame: &FrameOf<'_>, number: usize) -> Option<Drawn> {
        let account = frame.ledger.account.measured()?;
        let FrameAccount { gpu_total, busy, untimed, waits, hidden, overlap, .. } = account;
        // Timelines of one frame follow each other without a gap, so that the slice is as long as `owned`.
        let (first, last) = (frame.places.owned.first()?, frame.places.owned.last()?);
        let slice = Slice {
            name: format!("frame {}", frame.places.frame).into(),
            kind: SliceKind::Frame,
            inside: false,
            start: self.nanos(first.line, first.start),
            end: self.nanos(last.line, last.end),
            args: vec![
                ("gpu_total_ns", self.time(*gpu_total)),
                ("busy_ns", self.time(*busy)),
                ("untimed_ns", self.time(*untimed)),
                ("waits_ns", self.reading(waits)),
                ("hidden_ns", self.reading(hidden)),
                ("overlap_ns", self.time(*overlap)),
            ],
        };
        Some(Drawn { queue: None, part: Part::Whole(number), slice })
    }

    /// From the earliest start to the latest end of a submission's runs, those of passes without an account included.
    fn submission(&self, frame: &FrameOf<'_>, runs: &[RunPlace], number: usize) -> Drawn {
        let stamp = &self.run.capture.stamps[runs[0].row];
        let line = runs[0].line;
        let start = runs.iter().map(|run| run.start).min().unwrap_or(0);
        let end = runs.iter().map(|run| run.end).max().unwrap_or(start);
        let slice = Slice {
            name: format!("submission {}", stamp.submission).into(),
            kind: SliceKind::Submission,
            inside: false,
            start: self.nanos(line, start),
            end: self.nanos(line, end),
            args: vec![("frame", Arg::Whole(frame.places.frame))],
        };
        Drawn { queue: Some(stamp.queue), part: Part::Whole(number), slice }
    }

    /// A run of a pass; none where the pass has no account in the frame.
    fn pass(&self, frame: &FrameOf<'_>, run: &RunPlace, submission: usize, runs: u64) -> Option<Drawn> {
        let stamp = &self.run.capture.stamps[run.row];
        let Reading::Measured(account) = frame.ledger.pass(stamp.pass) else { return None };
        let PassAccount { duration, exposed, alone, attributed } = account;
        let id = usize::from(stamp.pass.0);
        let mut args = vec![
            ("frame", Arg::Whole(frame.places.frame)),
            ("semantics", Arg::Text(self.semantics[id].clone())),
            ("duration_ns", self.time(duration)),
            ("exposed_ns", self.time(exposed)),
            ("alone_ns", self.time(alone)),
            ("attributed_ns", self.time(attributed)),
        ];
        if runs > 1 {
            // The four are the pass's, of all its runs in the frame together.
            args.push(("runs_in_frame", Arg::Whole(runs)));
        }
        let slice = Slice {
            name: self.pass_names[id].clone(),
            kind: SliceKind::Pass,
            inside: false,
            start: self.nanos(run.line, run.start),
            end: self.nanos(run.line, run.end),
            args,
        };
        Some(Drawn { queue: Some(stamp.queue), part: Part::Of(submission), slice })
    }

    fn passes_missing(&self) -> u64 {
        let (capture, mut at) = (&self.run.capture, 0);
        let mut missing = 0;
        for frame in &self.frames {
            at += capture.stamps[at..].partition_point(|stamp| stamp.frame < frame.places.frame);
            let rows = capture.stamps[at..].iter().take_while(|stamp| stamp.frame == frame.places.frame);
            let lost = |stamp: &&Stamp| {
                frame.ledger.pass(stamp.pass).missing().is_some_and(|why| *why != Reason::NotExecuted)
            };
            missing += rows.filter(lost).count() as u64;
        }
        missing
    }

    /// The frames' track, then each queue's lanes.
    fn tracks(&self, drawn: &[Drawn]) -> Vec<Track> {
        let mut tracks = Vec::new();
        for (queue, of_queue) in by_key(drawn.iter().map(|drawn| (drawn.queue, drawn))) {
            let items: Vec<Item> = of_queue
                .iter()
                .map(|it| Item { start: it.slice.start, end: it.slice.end, part: it.part })
                .collect();
            let name = queue.map_or_else(
                || "frames".to_owned(),
                |queue| label(&self.run.capture.queues[usize::from(queue.0)].name),
            );
            for (lane, laid) in lanes(&items).into_iter().enumerate() {
                let name = if lane == 0 { name.clone() } else { format!("{name}, lane {}", lane + 1) };
                let slice = |Laid { index, inside }| Slice { inside, ..of_queue[index].slice.clone() };
                tracks.push(Track { name, slices: laid.into_iter().map(slice).collect() });
            }
        }
        tracks
    }

    /// What was sampled, at the beginning of each frame's own time.
    fn counters(&self) -> Vec<Counter> {
        let begin = |frame: &FrameOf<'_>| {
            let OwnedSpan { line, start, .. } = *frame.places.owned.first()?;
            Some((frame.places.frame, self.nanos(line, start)))
        };
        let begins: BTreeMap<u64, u64> = self.frames.iter().filter_map(begin).collect();
        let samples = self.run.capture.samples.iter();
        let points = samples.filter_map(|sample| {
            let value = *sample.reading.measured()?;
            Some((sample.metric, (*begins.get(&sample.frame)?, value)))
        });
        let counter = |(metric, mut points): (MetricId, Vec<(u64, f64)>)| {
            points.sort_by_key(|point| point.0);
            let metric = self.run.capture.metric(metric);
            Counter { name: label(&metric.name), about: label(&metric.about), unit: metric.unit, points }
        };
        by_key(points).into_iter().map(counter).collect()
    }
}

/// What to add to the ticks of each timeline so that they follow each other from 0 on without a gap.
fn offsets(frames: &[FrameOf<'_>]) -> BTreeMap<u32, i128> {
    let mut extents: BTreeMap<u32, (i128, i128)> = BTreeMap::new();
    for run in frames.iter().flat_map(|frame| &frame.places.runs) {
        let extent = extents.entry(run.line).or_insert((run.start, run.end));
        *extent = (extent.0.min(run.start), extent.1.max(run.end));
    }
    let mut end = 0;
    let offset = |(line, (from, to)): (u32, (i128, i128))| {
        let offset = end - from;
        end += to - from;
        (line, offset)
    };
    extents.into_iter().map(offset).collect()
}
