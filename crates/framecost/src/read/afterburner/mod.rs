//! Hardware monitoring logs of MSI Afterburner and RTSS (`.hml`). In: the file's text. Out: its log: a stream per session.
//!
//! A line's first field is its type: 0 a title, 1 graphics cards, 2 column names, 3 a column's unit and limits, 80 a sample. Names
//! are padded with blanks and may stand twice. Samples are taken by a timer, once a second by default: each frame time is that of
//! one instant, so that a percentile of them is none of the frames, whatever their sum says (Afterburner writes no other log).
//! Text is in whatever encoding the system had. The format is known from files and readers; its maker documents none.

mod encoding;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};

use super::document::{self, Field, cell, column, fact, lines, narrow};
use super::error::shown;
use super::format::{Format, Head};
use super::log::{
    Basis, Cell, Cells, ClockKind, Column, FileUnit, Gap, Log, Missing, Producer, Role, Stream, StreamId,
    Zero,
};
use super::quantity::Quantity as Q;
use super::quarantine::{Damage, Quarantine};
use super::table::assemble::{Rows, stream};
use super::table::part::{UNSAID, most_streams};
use super::{MOST_COLUMNS, Options, ReadError, number, plan};
use crate::{Finding, counted};

const TITLE: &str = "Hardware monitoring log";
/// An empty field is none either, as everywhere.
const ABSENT: Missing = Missing { texts: &[("N/A", Gap::NotWritten)], ..Missing::NEVER };
/// Without a running application, rate and time are 0.
const IDLE: Missing = Missing { zero: Zero::Gap(Gap::Unknown), ..ABSENT };

/// The columns whose meaning is known; all others keep their own names. The unit is what the tool shows beside the name.
const FIELDS: &[Field] = &[
    Field {
        names: &["frametime"],
        role: Role::Of(Q::PresentedInterval),
        unit: FileUnit::Millis,
        missing: IDLE,
    },
    Field { names: &["framerate"], role: Role::Of(Q::FramesPerSecond), unit: FileUnit::Count, missing: IDLE },
];

pub(super) fn matches(head: &Head<'_>) -> bool {
    let mut fields = head.header.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    fields.next().and_then(number::whole) == Some(0)
        && fields.nth(1).is_some_and(|title| title.starts_with(TITLE.as_bytes()))
}

pub(super) fn read(text: &[u8], options: &Options) -> Result<Log, ReadError> {
    let (text, foreign) = encoding::readable(text);
    let mut reader = Reader::new();
    for next in lines(&text) {
        let (line, bytes) = next?;
        if !bytes.iter().all(u8::is_ascii_whitespace) {
            reader.line(line, bytes)?;
        }
    }
    if foreign {
        reader.findings.push(Finding {
            place: "file".into(),
            cause: "it holds bytes that are no UTF-8: read as Windows-1252, names may be spelled wrongly"
                .into(),
            remedy: "nothing, unless a name matters: then log with English names".into(),
            times: 1,
        });
    }
    reader.finish(options)
}

/// The samples under one line of column names.
struct Session {
    /// By field behind the first two: the log's column; none for a field without a name.
    places: Vec<Option<usize>>,
    cells: Vec<Cells>,
    lines: Vec<u32>,
}

struct Reader {
    columns: Vec<Column>,
    /// The column of each name and how often it stood before in the same header.
    by_name: HashMap<(String, usize), usize>,
    sessions: Vec<Session>,
    version: Option<String>,
    cards: Vec<String>,
    /// Days since 1970 of the first sample.
    day: Option<i64>,
    rows: u64,
    quarantine: Quarantine,
    findings: Vec<Finding>,
    /// Fields with a value and without a name; lines of unknown types.
    unnamed: u64,
    unknown: u64,
}

impl Reader {
    fn new() -> Self {
        let time = Column {
            name: "date and time".into(),
            role: Role::OtherTime(ClockKind::Wall),
            unit: FileUnit::Nanos,
            missing: Missing::NEVER,
            texts: Vec::new(),
            evidence: None,
        };
        Self {
            columns: vec![time],
            by_name: HashMap::new(),
            sessions: Vec::new(),
            version: None,
            cards: Vec::new(),
            day: None,
            rows: 0,
            quarantine: Quarantine::default(),
            findings: Vec::new(),
            unnamed: 0,
            unknown: 0,
        }
    }

    fn line(&mut self, line: u64, bytes: &[u8]) -> Result<(), ReadError> {
        let fields: Vec<&[u8]> = bytes.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
        match fields.first().copied().and_then(number::whole) {
            Some(0) => self.title(&fields),
            Some(1) => self
                .cards
                .extend(text(&fields, 2).and_then(|name| fact(&name)).filter(|_| self.cards.len() < 16)),
            Some(2) => return self.names(line, &fields),
            Some(3) => self.unit(&fields),
            Some(80) => self.sample(line, &fields),
            _ => self.unknown += 1,
        }
        Ok(())
    }

    fn title(&mut self, fields: &[&[u8]]) {
        let version = text(fields, 2).and_then(|title| fact(title.strip_prefix(TITLE)?));
        self.version = version.or(self.version.take());
    }

    /// A line of names begins a session. Equal names of two sessions are one column.
    fn names(&mut self, line: u64, fields: &[&[u8]]) -> Result<(), ReadError> {
        self.sessions.pop_if(|session| session.lines.is_empty());
        let most = most_streams(self.columns.len());
        if self.sessions.len() >= most {
            let what = format!("line {line}: more than {most} lines of column names; allowed: {most}");
            return Err(ReadError::TooMany(what));
        }
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut places = Vec::new();
        for (field, _) in fields.iter().enumerate().skip(2) {
            let Some(name) = text(fields, field).and_then(|name| fact(&name)) else {
                places.push(None);
                continue;
            };
            let nth = seen.entry(name.clone()).or_default();
            let key = (name, *nth);
            *nth += 1;
            let place = match self.by_name.get(&key) {
                Some(place) => *place,
                None => self.add_column(line, key)?,
            };
            places.push(Some(place));
        }
        self.sessions.push(Session { places, cells: Vec::new(), lines: Vec::new() });
        Ok(())
    }

    fn add_column(&mut self, line: u64, key: (String, usize)) -> Result<usize, ReadError> {
        let place = self.columns.len();
        if place > MOST_COLUMNS {
            let what = format!("line {line}: more than {MOST_COLUMNS} columns; allowed: {MOST_COLUMNS}");
            return Err(ReadError::TooMany(what));
        }
        // A second column of a name is another card's or another source's: kept, and none that is judged.
        let field = Field::of(FIELDS, &key.0).filter(|_| key.1 == 0);
        let mut new = column(field, &key.0, ABSENT);
        if key.1 > 0 {
            new.evidence = Some(format!("column {} of that name", key.1 + 1));
        }
        self.columns.push(new);
        self.by_name.insert(key, place);
        Ok(place)
    }

    /// `3, date, index of the column, unit, ...`; other files have limits there, which are numbers.
    fn unit(&mut self, fields: &[&[u8]]) {
        let index =
            fields.get(2).copied().and_then(number::whole).and_then(|index| usize::try_from(index).ok());
        let place =
            index.zip(self.sessions.last()).and_then(|(index, session)| *session.places.get(index)?);
        let unit =
            text(fields, 3).filter(|unit| !unit.is_empty() && number::decimal(unit.as_bytes()).is_none());
        if let (Some(column), Some(unit)) = (place.and_then(|place| self.columns.get_mut(place)), unit)
            && column.evidence.is_none()
        {
            column.evidence =
                Some(format!("the file says that its unit is `{}`", shown(unit.as_bytes(), 20)));
        }
    }

    fn sample(&mut self, line: u64, fields: &[&[u8]]) {
        self.rows += 1;
        let Some(session) = self.sessions.last() else {
            let found = || "a sample before any line of column names; allowed: after one".to_owned();
            return self.quarantine.add(line, None, Damage::TooManyFields, found);
        };
        // Trailing commas are no fields. A short row would leave the reader to make up the rest of a wide header.
        let wanted = 2 + session.places.len();
        let damage = match fields.get(wanted..) {
            None => Some(Damage::TooFewFields),
            Some(further) => further.iter().any(|field| !field.is_empty()).then_some(Damage::TooManyFields),
        };
        if let Some(damage) = damage {
            let found = || format!("{} fields; allowed: {wanted}", fields.len());
            return self.quarantine.add(line, None, damage, found);
        }
        let day = &mut self.day;
        let Some(time) = fields.get(1).and_then(|field| time(field, day)) else {
            let field = shown(fields.get(1).copied().unwrap_or_default(), 60);
            let found = || format!("date and time is `{field}`; allowed: such as `31-01-2026 09:05:00`");
            return self.quarantine.add(line, Some(2), Damage::Unparsable, found);
        };
        let mut row = vec![(0, Cell::Value(time))];
        for (field, place) in session.places.iter().enumerate() {
            let bytes = fields.get(2 + field).copied().unwrap_or_default();
            let Some(place) = *place else {
                self.unnamed += u64::from(!bytes.is_empty());
                continue;
            };
            let column = &self.columns[place];
            match cell(bytes, &column.missing) {
                Some(cell) => row.push((place, cell)),
                None if column.role == Role::Other => row.push((place, Cell::Gap(Gap::Unparsable))),
                None => {
                    let found =
                        || format!("{} is `{}`; allowed: a number, `N/A`", column.name, shown(bytes, 60));
                    return self.quarantine.add(
                        line,
                        Some(narrow(field as u64 + 3)),
                        Damage::Unparsable,
                        found,
                    );
                }
            }
        }
        if let Some(session) = self.sessions.last_mut() {
            session.cells.resize(self.columns.len(), Cells::default());
            for (place, cell) in row {
                session.cells[place].push(cell);
            }
            session.lines.push(narrow(line));
        }
    }

    fn finish(mut self, options: &Options) -> Result<Log, ReadError> {
        document::refuse_damage(&self.quarantine, self.rows, options)?;
        self.sessions.retain(|session| !session.lines.is_empty());
        if self.sessions.is_empty() {
            return Err(ReadError::Empty("the log holds no sample: no line begins with 80".into()));
        }
        for (count, what) in [(self.unnamed, "field"), (self.unknown, "line")] {
            if count > 0 {
                let why = if what == "field" { "without a column's name" } else { "of an unknown type" };
                self.findings.push(Finding {
                    place: "file".into(),
                    cause: format!("{} {why} left out", counted(count, what)),
                    remedy: "see whether the file is whole".into(),
                    times: count,
                });
            }
        }
        let alone = self.sessions.len() == 1;
        let sessions = std::mem::take(&mut self.sessions).into_iter().enumerate();
        let streams =
            sessions.map(|(place, session)| stream_of(&self.columns, session, (!alone).then_some(place + 1)));
        let streams = streams.collect();
        let version = self.version.unwrap_or_else(|| "not said".into());
        let mut log = Log {
            figures: Vec::new(),
            format: Format::Afterburner,
            producer: Producer {
                tool: "MSI Afterburner".into(),
                version: format!("log {version}"),
                class: format!("afterburner {version}"),
                evidence: "the log's title, which names the log's version and not the tool's".into(),
            },
            basis: Basis {
                time: Some(0),
                interval: self.columns.iter().position(|it| it.role == Role::Of(Q::PresentedInterval)),
                looks_back: true,
            },
            columns: self.columns,
            streams,
            quarantine: self.quarantine,
            findings: self.findings,
            facts: BTreeMap::from_iter(
                (!self.cards.is_empty()).then(|| ("gpu".to_owned(), self.cards.join("; "))),
            ),
        };
        plan::judge_samples(&mut log);
        document::keep(&mut log, &options.keep);
        Ok(log)
    }
}

/// A session as a stream. Columns that only other sessions have are none of its own: their cells stay empty, so that many sessions
/// of many columns take no more room than the file.
fn stream_of(columns: &[Column], mut session: Session, number: Option<usize>) -> Stream {
    session.cells.resize(columns.len(), Cells::default());
    let rows = session.lines.len();
    let application =
        number.map_or_else(|| "samples".to_owned(), |number| format!("samples (session {number})"));
    let id = StreamId { application, ..StreamId::default() };
    let flags = vec![UNSAID; rows];
    stream(columns, Some(0), Rows { id, runtime: None, cells: session.cells, lines: session.lines, flags })
}

fn text(fields: &[&[u8]], place: usize) -> Option<String> {
    fields.get(place).map(|field| String::from_utf8_lossy(field).into_owned())
}

/// `DD-MM-YYYY HH:MM:SS`, as nanoseconds from the midnight before the file's first sample.
fn time(field: &[u8], first: &mut Option<i64>) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?;
    let (date, time) = text.split_once(' ')?;
    let mut parts = date.splitn(3, '-');
    let (day, month, year) = (parts.next()?, parts.next()?, parts.next()?);
    let (days, of_day) = number::date_time(format!("{year}-{month}-{day} {}", time.trim_start()).as_bytes())?;
    let days = days - *first.get_or_insert(days);
    #[expect(clippy::cast_precision_loss, reason = "whole seconds: exact for a hundred days, and near after")]
    Some(days as f64 * 86_400e9 + of_day as f64)
}
