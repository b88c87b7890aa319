//! From a stream of a log to a capture like any other. In: a log, which of its streams, what the file does not say. Out: samples
//! by frame in nanoseconds, a key that keeps unlike captures apart, and what was odd as remarks.

use framecost_sample::{
    AdapterClass, Better, Capture, CaptureParts, Counts, Environment, Fact, Figure, Instrumentation, Key,
    Logged, Metric, MetricId, Reading, Reason, Remark, Sample, Switches, Unit,
};

use super::ReadError;
use super::error::shown;
use super::log::{Cell, DRAWN, Log, Role, Stream};
use super::quantity::Quantity;
use crate::counted;

/// What a file does not say of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CaptureOptions {
    /// The scene; the application's name if none is given.
    pub scene: Option<String>,
    /// The adapter; what the file says of a GPU, or `not stated`, if none is given.
    pub adapter: Option<String>,
}

/// The desktop's compositor: never what somebody means who names nothing.
const COMPOSITOR: &str = "dwm.exe";
/// Streams that a refusal lists.
const MOST_LISTED: usize = 20;

const SHOWN: &str = "frames_displayed";
const DROPPED: &str = "frames_dropped";

/// A figure: name, which way is better, a sentence, the number.
type FrameCount = (&'static str, Better, &'static str, fn(&Stream) -> u64);

/// The figures that count a stream's frames, each kind apart.
const FRAME_COUNTS: [FrameCount; 5] = [
    ("frames_presented", Better::Neither, "presents of the stream, shown or not", |it| it.counts.presented),
    (SHOWN, Better::Neither, "presents of the stream that were shown", |it| it.counts.displayed()),
    (DROPPED, Better::Lower, "presents of the stream that were never shown", |it| it.counts.dropped),
    ("frames_application", Better::Neither, "frames of the stream that the application drew", |it| {
        it.counts.application()
    }),
    ("frames_generated", Better::Neither, "frames of the stream made by a generator of frames", |it| {
        it.counts.generated
    }),
];

impl Log {
    /// The stream that a person means: the one whose application, process, swap chain or whole text that is, or the only one that
    /// is no desktop compositor's and alone.
    ///
    /// # Errors
    /// None is meant, or several are: with a list of them. Nothing is chosen silently.
    pub fn choose(&self, wanted: Option<&str>) -> Result<&Stream, ReadError> {
        let fits = |stream: &&Stream| wanted.is_none_or(|wanted| is_meant(stream, wanted));
        let found: Vec<&Stream> = self.streams.iter().filter(fits).collect();
        match (found.as_slice(), wanted) {
            ([stream], Some(_)) => Ok(stream),
            ([stream], None) if !stream.id.application.eq_ignore_ascii_case(COMPOSITOR) => Ok(stream),
            _ => Err(ReadError::Stream(self.refusal(wanted, found.len()))),
        }
    }

    fn refusal(&self, wanted: Option<&str>, found: usize) -> String {
        let mut listed: Vec<&Stream> = self.streams.iter().collect();
        listed.sort_by_key(|stream| std::cmp::Reverse(stream.counts.presented));
        let line = |stream: &&Stream| format!("{} ({})", stream.id, counted(stream.counts.presented, "row"));
        let mut list: Vec<String> = listed.iter().take(MOST_LISTED).map(line).collect();
        if listed.len() > MOST_LISTED {
            list.push(format!("and {} more", listed.len() - MOST_LISTED));
        }
        if listed.is_empty() {
            return "the file holds figures of a run and no frames, so no capture can be made of it; allowed: a log of frames".into();
        }
        let what = match wanted {
            None => "name one of the file's streams".to_owned(),
            Some(wanted) => format!(
                "`{}` names {}; name one",
                shown(wanted.as_bytes(), 80),
                counted(found as u64, "stream")
            ),
        };
        format!("{what}: {}", list.join("; "))
    }
}

fn is_meant(stream: &Stream, wanted: &str) -> bool {
    let id = &stream.id;
    let address = super::number::address(wanted.as_bytes());
    let number = address.is_some()
        && (id.process == address || (wanted.starts_with("0x") && id.swap_chain == address));
    number || id.application.eq_ignore_ascii_case(wanted) || id.to_string() == wanted
}

/// A stream of a log as a capture: frame `i` is the stream's row `i` in the order of time. A quantity whose cells were not kept, or
/// of which the stream has no value, is not in it.
///
/// # Errors
/// More frames than a capture holds.
pub fn to_capture(log: &Log, stream: &Stream, options: &CaptureOptions) -> Result<Capture, ReadError> {
    let columns = columns(log, stream);
    let metrics: Vec<Metric> = columns.iter().map(|(quantity, ..)| quantity.metric()).collect();
    let rows = stream.rows();
    let mut samples = Vec::new();
    if rows as u64 <= Capture::MOST_FRAMES {
        samples.reserve(rows * columns.len());
        for row in 0..rows {
            for (metric, &(quantity, column, nanos)) in columns.iter().enumerate() {
                let reading = reading(stream, row, column, quantity, nanos);
                samples.push(Sample { frame: row as u64, metric: id(metric), reading });
            }
        }
    }
    let mut parts = CaptureParts {
        key: key(log, stream, options),
        environment: environment(log, stream),
        producer: format!(
            "{} {} (inferred: {})",
            log.producer.tool, log.producer.version, log.producer.evidence
        ),
        started_at: None,
        clocks: vec![],
        queues: vec![],
        passes: vec![],
        gates: vec![],
        metrics,
        counts: Counts { measured: rows as u64, ..Counts::default() },
        frames: (0..rows as u64).collect(),
        stamps: vec![],
        samples,
        figures: vec![],
        remarks: remarks(log, stream),
        defaults: Switches::default(),
    };
    for (name, better, about, count) in FRAME_COUNTS {
        #[expect(clippy::cast_precision_loss, reason = "a number of rows of a file")]
        let value = count(stream) as f64;
        let unsaid = stream.counts.unsaid == stream.counts.presented && [SHOWN, DROPPED].contains(&name);
        let reading = if unsaid { Reading::Missing(Reason::Unsupported) } else { Reading::Measured(value) };
        parts.figures.push(Figure { metric: id(parts.metrics.len()), reading });
        parts.metrics.push(Metric::new(name, Unit::Count, better, about));
    }
    Ok(Capture::new(parts)?)
}

/// A header has at most [`super::MOST_COLUMNS`] columns, and each metric is of one.
fn id(place: usize) -> MetricId {
    MetricId(u16::try_from(place).unwrap_or(u16::MAX))
}

/// The columns that become metrics, in the order of the quantities: those kept, with a unit that can be turned, of which the
/// stream has any value. A time since the beginning is no cost of a frame.
fn columns(log: &Log, stream: &Stream) -> Vec<(Quantity, usize, f64)> {
    let found = Quantity::ALL.iter().filter(|quantity| **quantity != Quantity::AnimationTime).filter_map(
        |&quantity| {
            let (place, column) = log.quantity(quantity)?;
            let factor = if quantity.unit() == Unit::Nanos { column.unit.nanos()? } else { 1.0 };
            let has_values = !stream.cells[place].is_empty() && stream.tallies[place].values > 0;
            has_values.then_some((quantity, place, factor))
        },
    );
    found.collect()
}

fn reading(stream: &Stream, row: usize, column: usize, quantity: Quantity, factor: f64) -> Reading<f64> {
    match stream.cell(row, column) {
        // Only differences of two moments are below 0 in earnest; any other such time runs backwards.
        Some(Cell::Value(value)) if value < 0.0 && !quantity.is_signed() => {
            Reading::Missing(Reason::Reversed)
        }
        // Exactly 0: what a clock told, however short, is a value.
        Some(Cell::Value(0.0)) if quantity.is_never_zero() => Reading::Missing(Reason::Zero),
        Some(Cell::Value(value)) if (value * factor).is_finite() => Reading::Measured(value * factor),
        Some(Cell::Gap(gap)) => {
            let place = u32::try_from(column + 1).unwrap_or(u32::MAX);
            Reading::Missing(gap.reason(u64::from(stream.lines[row]), place))
        }
        Some(Cell::Value(_)) | None => Reading::Missing(Reason::NotAvailable),
    }
}

/// What must be equal before two imported captures are compared: the tool and how its version measures, whether every frame is
/// there, what a frame time is, and whether frames are generated.
fn key(log: &Log, stream: &Stream, options: &CaptureOptions) -> Key {
    let application = match stream.id.application.as_str() {
        "" => "not stated".to_owned(),
        name => name.to_owned(),
    };
    let interval = frame_time(log);
    let generation = if stream.counts.generated > 0 { "generated frames" } else { "no generated frames" };
    let class = &log.producer.class;
    let (sampling, interval) = (stream.sampling.name(), interval.unwrap_or("no frame time"));
    let stated = || log.facts.get("gpu").cloned().unwrap_or_else(|| "not stated".into());
    Key {
        benchmark: application.clone(),
        scene: options.scene.clone().unwrap_or(application),
        switches: Switches::default(),
        adapter: options.adapter.clone().unwrap_or_else(stated),
        adapter_class: AdapterClass::Other,
        backend: log.format.name().into(),
        size: None,
        settings_hash: String::new(),
        instrumentation: Instrumentation(format!("{class}; {sampling}; {interval}; {generation}")),
        frames_in_flight: None,
    }
}

/// The metric of the frames' times; none where the file has none.
fn frame_time(log: &Log) -> Option<&'static str> {
    log.basis.interval.and_then(|place| match log.columns.get(place)?.role {
        Role::Of(quantity) => Some(quantity.name()),
        _ => None,
    })
}

/// What made the stream's generated frames, by the file's names: a file of several streams with such frames does not say which
/// name is of which, so all of them stand. None where no frame is generated, or no name is there.
fn generator(log: &Log, stream: &Stream) -> Option<String> {
    let (_, column) = log.column(Role::FrameType).filter(|_| stream.counts.generated > 0)?;
    let made = column.texts.iter().filter(|text| !DRAWN.contains(&text.as_str()));
    let mut names: Vec<String> = made.map(|text| shown(text.as_bytes(), 60)).collect();
    names.sort_unstable();
    (!names.is_empty()).then(|| crate::plural::some_of(&names, 4, "name"))
}

/// What the log is, then what the file says of the machine. A file's own fact never passes for the reader's.
fn environment(log: &Log, stream: &Stream) -> Environment {
    let fact = |name: &str, text: &str| Fact {
        name: name.into(),
        before: Reading::Measured(text.into()),
        after: Reading::Measured(text.into()),
    };
    let logged = Logged {
        coverage: stream.sampling.coverage(),
        frame_time: frame_time(log).map(str::to_owned),
        generator: generator(log, stream),
    };
    let own = logged.facts();
    let others = log.facts.iter().filter(|(name, _)| own.iter().all(|(known, _)| known != name));
    let others: Vec<Fact> = others.map(|(name, text)| fact(name, text)).collect();
    Environment { facts: own.iter().map(|(name, text)| fact(name, text)).chain(others).collect() }
}

/// What was odd and what was inferred, as far as it concerns the stream or the whole file.
fn remarks(log: &Log, stream: &Stream) -> Vec<Remark> {
    let own = stream.id.to_string();
    let others: Vec<String> =
        log.streams.iter().map(|it| it.id.to_string()).filter(|id| *id != own).collect();
    let findings = log.findings.iter().filter(|finding| !others.contains(&finding.place));
    let mut remarks: Vec<Remark> = findings
        .map(|it| Remark {
            place: it.place.clone(),
            cause: it.cause.clone(),
            remedy: it.remedy.clone(),
            times: it.times,
        })
        .collect();
    for (damage, count) in &log.quarantine.counts {
        let first = log.quarantine.rows.iter().find(|row| row.damage == *damage);
        remarks.push(Remark {
            place: first.map_or_else(|| "file".to_owned(), |row| format!("line {}", row.line)),
            cause: format!(
                "{} set aside: {}",
                counted(*count, "row"),
                first.map_or(damage.name(), |row| row.found.as_str())
            ),
            remedy: "see whether the file is whole".into(),
            times: *count,
        });
    }
    for column in &log.columns {
        if let Some(evidence) = &column.evidence {
            remarks.push(Remark {
                place: format!("column {}", shown(column.name.as_bytes(), 60)),
                cause: evidence.clone(),
                remedy: "nothing: it is how the column was read".into(),
                times: 1,
            });
        }
    }
    if !others.is_empty() {
        remarks.push(Remark {
            place: "file".into(),
            cause: format!(
                "{} of it left out: {}",
                counted(others.len() as u64, "stream"),
                crate::plural::some_of(&others, 5, "stream")
            ),
            remedy: "import them as captures of their own if they matter".into(),
            times: others.len() as u64,
        });
    }
    remarks.truncate(Capture::MOST_REMARKS);
    remarks
}
