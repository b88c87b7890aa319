//! Which formats are known, and what each is known by. In: a file's first lines. Out: its format. One line of one table per
//! format.

use std::collections::BTreeMap;
use std::fmt;

use super::error::shown;
use super::log::Log;
use super::plan::TablePlan;
use super::text::{Encoding, Lines};
use super::{HEAD_BYTES, MOST_COLUMNS, MOST_LINE, Options, ReadError};
use super::{
    afterburner, capframex_csv, capframex_json, chrome_trace, frameview, fraps, gfxinfo, mangohud, metal_hud,
    ocat, presentmon, tracy,
};

/// A format of captures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// CapFrameX' records of before 1.5: `//` lines and a table.
    CapFrameXCsv,
    /// OCAT's captures.
    Ocat,
    /// Logs of NVIDIA FrameView.
    FrameView,
    /// Summaries of NVIDIA FrameView: figures without frames.
    FrameViewSummary,
    /// Logs of MangoHud, all versions.
    MangoHud,
    /// Summaries of MangoHud: figures without frames.
    MangoHudSummary,
    /// Fraps' frame times, and lists in its shape.
    Fraps,
    /// Occurrences of zones, as Tracy's `csvexport -u` writes them.
    TracyZones,
    /// Statistics of zones, as Tracy's `csvexport` writes them: figures without frames.
    TracyStatistics,
    /// Tables of PresentMon's console and service, all versions.
    PresentMon,
    /// Hardware monitoring logs of MSI Afterburner and RTSS.
    Afterburner,
    /// Log lines of Apple's Metal performance HUD.
    MetalHud,
    /// Frame statistics of Android's `dumpsys gfxinfo PACKAGE framestats`.
    Gfxinfo,
    /// Records of CapFrameX in JSON, 1.5 and later.
    CapFrameXJson,
    /// Trace events in Chrome's JSON, from whatever tool.
    ChromeTrace,
}

/// A format as the table has it.
struct Entry {
    format: Format,
    /// Its name for the command line.
    name: &'static str,
    /// What it is known by, for people.
    looked_for: &'static str,
    /// Whether a file is of it, by its first lines.
    matches: fn(&Head<'_>) -> bool,
    way: Way,
}

/// From a file's first lines to the plan of reading it as a table.
pub(super) type PlanTable = fn(&Head<'_>) -> Result<TablePlan, ReadError>;
/// From a whole decoded text to its log.
pub(super) type ReadWhole = fn(&[u8], &Options) -> Result<Log, ReadError>;

/// How a format is read.
#[derive(Clone, Copy)]
enum Way {
    /// By the engine for tables, as this function plans it.
    Table(PlanTable),
    /// As a whole, by this function.
    Whole(ReadWhole),
}

/// Every format; of two that match, the first is meant, so the narrower one stands before the wider.
const FORMATS: &[Entry] = &[
    Entry {
        format: Format::CapFrameXCsv,
        name: "capframex-csv",
        looked_for: "capframex-csv: lines of `//Key=Value` before a header of presentmon",
        matches: capframex_csv::matches,
        way: Way::Table(capframex_csv::plan),
    },
    Entry {
        format: Format::Ocat,
        name: "ocat",
        looked_for: "ocat: a header of presentmon with Motherboard and GPU #, or MsEstimatedDriverLag",
        matches: ocat::matches,
        way: Way::Table(ocat::plan),
    },
    Entry {
        format: Format::FrameView,
        name: "frameview",
        looked_for: "frameview: a header of presentmon with sensors such as GPU0Clk(MHz)",
        matches: frameview::matches,
        way: Way::Table(frameview::plan),
    },
    Entry {
        format: Format::FrameViewSummary,
        name: "frameview-summary",
        looked_for: "frameview-summary: a header with TimeStamp, Log Name and Avg FPS",
        matches: frameview::matches_summary,
        way: Way::Whole(frameview::read_summary),
    },
    Entry {
        format: Format::MangoHud,
        name: "mangohud",
        looked_for: "mangohud: a header with fps and elapsed, or a machine's description with os, cpu, gpu, ram and kernel",
        matches: mangohud::matches,
        way: Way::Table(mangohud::plan),
    },
    Entry {
        format: Format::MangoHudSummary,
        name: "mangohud-summary",
        looked_for: "mangohud-summary: a header with 1% Min FPS and Average FPS",
        matches: mangohud::matches_summary,
        way: Way::Whole(mangohud::read_summary),
    },
    Entry {
        format: Format::Fraps,
        name: "fraps",
        looked_for: "fraps: a header with Frame and Time (ms) or Frame time (ms)",
        matches: fraps::matches,
        way: Way::Table(fraps::plan),
    },
    Entry {
        format: Format::TracyZones,
        name: "tracy-zones",
        looked_for: "tracy-zones: a header with name, ns_since_start and exec_time_ns",
        matches: tracy::matches_zones,
        way: Way::Table(tracy::plan_zones),
    },
    Entry {
        format: Format::TracyStatistics,
        name: "tracy-statistics",
        looked_for: "tracy-statistics: a header with name, src_file, total_ns and counts",
        matches: tracy::matches_statistics,
        way: Way::Whole(tracy::read_statistics),
    },
    Entry {
        format: Format::PresentMon,
        name: "presentmon",
        looked_for: "presentmon: a header with ProcessID and SwapChainAddress, or with a service capture's metrics such as CPUStartTime and FrameTime",
        matches: presentmon::matches,
        way: Way::Table(presentmon::plan),
    },
    Entry {
        format: Format::Afterburner,
        name: "afterburner",
        looked_for: "afterburner: a first line of type 0 with `Hardware monitoring log`",
        matches: afterburner::matches,
        way: Way::Whole(afterburner::read),
    },
    Entry {
        format: Format::MetalHud,
        name: "metal-hud",
        looked_for: "metal-hud: a line with `metal-HUD:`",
        matches: metal_hud::matches,
        way: Way::Whole(metal_hud::read),
    },
    Entry {
        format: Format::Gfxinfo,
        name: "gfxinfo",
        looked_for: "gfxinfo: a line `---PROFILEDATA---`",
        matches: gfxinfo::matches,
        way: Way::Whole(gfxinfo::read),
    },
    Entry {
        format: Format::CapFrameXJson,
        name: "capframex-json",
        looked_for: "capframex-json: a JSON object with Runs, and with Info or CaptureData",
        matches: capframex_json::matches,
        way: Way::Whole(capframex_json::read),
    },
    Entry {
        format: Format::ChromeTrace,
        name: "chrome-trace",
        looked_for: "chrome-trace: a JSON object with traceEvents, or a list of objects with ph",
        matches: chrome_trace::matches,
        way: Way::Whole(chrome_trace::read),
    },
];

impl Format {
    /// Every format, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        FORMATS.iter().map(|entry| entry.format)
    }

    fn entry(self) -> &'static Entry {
        FORMATS.iter().find(|entry| entry.format == self).unwrap_or(&FORMATS[0])
    }

    /// Its name, as the command line takes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The format of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        FORMATS.iter().find(|entry| entry.name == name).map(|entry| entry.format)
    }

    /// Whether it can be read in parts, by [`super::Plan`].
    #[must_use]
    pub fn is_table(self) -> bool {
        matches!(self.entry().way, Way::Table(_))
    }

    pub(super) fn whole(self) -> Option<ReadWhole> {
        match self.entry().way {
            Way::Whole(read) => Some(read),
            Way::Table(_) => None,
        }
    }

    pub(super) fn table(self) -> Option<PlanTable> {
        match self.entry().way {
            Way::Table(plan) => Some(plan),
            Way::Whole(_) => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

pub(super) fn detect(head: &Head<'_>) -> Result<Format, ReadError> {
    let found = FORMATS.iter().find(|entry| (entry.matches)(head));
    found.map(|entry| entry.format).ok_or_else(|| ReadError::Unrecognised {
        begins: shown(head.text.get(..80.min(head.text.len())).unwrap_or_default().trim_ascii(), 60),
        looked_for: FORMATS.iter().map(|entry| entry.looked_for.to_owned()).collect(),
    })
}

/// Where a table's rows begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start {
    /// The byte of the text.
    pub(crate) body: usize,
    /// The line, counted from 1.
    pub(crate) first_line: u64,
}

/// The beginning of a text, looked at as a table: the header is the first line that is neither blank nor a `//` comment.
#[derive(Clone, Debug)]
pub(crate) struct Head<'a> {
    /// The text's beginning, at most [`HEAD_BYTES`] of it and its header.
    pub(crate) text: &'a [u8],
    pub(crate) encoding: Encoding,
    /// Lines before the header that are no blanks.
    pub(crate) preamble: Vec<&'a [u8]>,
    /// The header's line.
    pub(crate) header: &'a [u8],
    /// The header's names without blanks around them, as spelled; duplicates stay.
    pub(crate) names: Vec<String>,
    /// The same in lower case, for comparing.
    pub(crate) lower: Vec<String>,
    /// What separates fields: commas, unless the header has none and has semicolons or tabs.
    pub(crate) separator: u8,
    /// The line on which the rows begin, counted from 1, and where that is in the text.
    pub(crate) first_line: u64,
    pub(crate) body: usize,
}

impl<'a> Head<'a> {
    /// Looks at a decoded text, or at its beginning.
    pub(crate) fn of(text: &'a [u8], encoding: Encoding) -> Result<Self, ReadError> {
        if let Some(b'{' | b'[') = text.trim_ascii_start().first() {
            return Ok(Self::of_document(text, encoding));
        }
        let mut lines = Lines::of(text);
        let mut preamble = Vec::new();
        let mut line = 0;
        let header = loop {
            let Some(next) = lines.next() else {
                let what = if text.is_empty() {
                    "the file is empty"
                } else {
                    "the file holds no header, only blanks and comments"
                };
                return Err(ReadError::Empty(what.into()));
            };
            line += 1;
            if next.len() > MOST_LINE {
                return Err(ReadError::LongLine { line });
            }
            let blank = next.iter().all(u8::is_ascii_whitespace);
            if !blank && !next.starts_with(b"//") {
                break next;
            }
            if !blank {
                preamble.push(next);
            }
            if text.len() - lines.rest().len() > HEAD_BYTES {
                let what = format!("the first {HEAD_BYTES} bytes hold no header, only blanks and comments");
                return Err(ReadError::Empty(what));
            }
        };
        Self::new(text, encoding, preamble, header, line, text.len() - lines.rest().len())
    }

    /// The beginning of a document: it has no header, and all of it may stand on one line.
    fn of_document(text: &'a [u8], encoding: Encoding) -> Self {
        let head = &text[..text.len().min(HEAD_BYTES)];
        Self {
            text: head,
            encoding,
            preamble: Vec::new(),
            header: head,
            names: Vec::new(),
            lower: Vec::new(),
            separator: b',',
            first_line: 1,
            body: head.len(),
        }
    }

    /// The same beginning with the header so many lines further down: for formats that put something else first. What was passed
    /// joins the preamble.
    pub(crate) fn further(&self, by: usize) -> Result<Self, ReadError> {
        let mut lines = Lines::of(self.text.get(self.body..).unwrap_or_default());
        let mut preamble = self.preamble.clone();
        preamble.push(self.header);
        for _ in 1..by {
            preamble.extend(lines.next());
        }
        let missing =
            || ReadError::Empty(format!("the file ends before line {}", self.first_line + by as u64 - 1));
        let header = lines.next().ok_or_else(missing)?;
        let line = self.first_line + by as u64 - 1;
        Self::new(self.text, self.encoding, preamble, header, line, self.text.len() - lines.rest().len())
    }

    fn new(
        text: &'a [u8],
        encoding: Encoding,
        preamble: Vec<&'a [u8]>,
        header: &'a [u8],
        line: u64,
        body: usize,
    ) -> Result<Self, ReadError> {
        let separator = separator_of(header);
        let fields = header.split(|byte| *byte == separator).take(MOST_COLUMNS + 1);
        let names: Vec<String> = fields.map(|name| String::from_utf8_lossy(name).trim().to_owned()).collect();
        if names.len() > MOST_COLUMNS {
            let what = format!(
                "line {line}: the header has more than {MOST_COLUMNS} columns; allowed: {MOST_COLUMNS}"
            );
            return Err(ReadError::TooMany(what));
        }
        Ok(Self {
            text: &text[..text.len().min(HEAD_BYTES.max(body))],
            encoding,
            preamble,
            header,
            lower: names.iter().map(|name| name.to_lowercase()).collect(),
            names,
            separator,
            first_line: line + 1,
            body,
        })
    }

    /// Where and how the rows begin.
    pub(crate) const fn start(&self) -> Start {
        Start { body: self.body, first_line: self.first_line }
    }

    /// What `//Key=Value` lines before the header say, by key in lower case, cut; empty values are nothing said.
    pub(crate) fn facts(&self) -> BTreeMap<String, String> {
        let cut = |text: &str| text.trim().chars().take(200).collect::<String>();
        let fact = |line: &&[u8]| {
            let text = String::from_utf8_lossy(line);
            let (key, value) = text.strip_prefix("//")?.split_once('=')?;
            (!value.trim().is_empty()).then(|| (cut(key).to_lowercase(), cut(value)))
        };
        self.preamble.iter().filter_map(fact).take(100).collect()
    }

    /// Whether the header has all of these names, given in lower case.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.place(name).is_some())
    }

    /// The place of the first column of that name, given in lower case.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.lower.iter().position(|it| it == name)
    }

    /// Whether numbers among the first rows are written with commas, which only another separator allows.
    pub(crate) fn has_decimal_commas(&self) -> bool {
        let with_comma = |field: &[u8]| {
            let mut parts = field.trim_ascii().split(|byte| *byte == b',');
            let digits = |part: Option<&[u8]>| {
                part.is_some_and(|it| !it.is_empty() && it.iter().all(u8::is_ascii_digit))
            };
            let whole = parts.next().map(|it| it.strip_prefix(b"-").unwrap_or(it));
            digits(whole) && digits(parts.next()) && parts.next().is_none()
        };
        self.separator != b','
            && self.rows().any(|row| row.split(|byte| *byte == self.separator).any(with_comma))
    }

    /// The first lines after the header that are no blanks.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'a [u8]> {
        // The last line may be cut off, unless it is the only one.
        Lines::of(self.text.get(self.body..).unwrap_or_default())
            .filter(|line| !line.iter().all(u8::is_ascii_whitespace))
            .take(100)
    }
}

fn separator_of(header: &[u8]) -> u8 {
    let count = |separator: u8| header.iter().filter(|byte| **byte == separator).count();
    if count(b',') > 0 {
        return b',';
    }
    if count(b';') >= count(b'\t') && count(b';') > 0 {
        b';'
    } else if count(b'\t') > 0 {
        b'\t'
    } else {
        b','
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names_of_their_own() {
        for format in Format::all() {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
    }

    #[test]
    fn an_unknown_file_is_told_what_was_looked_for() {
        let fault = super::super::detect(b"Dear diary,\ntoday").unwrap_err().to_string();
        assert!(
            fault.starts_with(
                "the file begins with `Dear diary,\\ntoday`, which no known format does; looked for: "
            ),
            "{fault}"
        );
        assert!(Format::all().all(|format| fault.contains(&format!("{format}: "))), "{fault}");
    }

    #[test]
    fn a_file_without_a_header_is_empty() {
        for text in ["", "\n\n  \r\n", "//a\n//b"] {
            assert!(matches!(super::super::detect(text.as_bytes()), Err(ReadError::Empty(_))), "{text:?}");
        }
    }
}
