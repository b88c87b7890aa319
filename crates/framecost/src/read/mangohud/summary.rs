//! A summary of MangoHud: a header and one row. In: its text. Out: its figures, each with what it is.
//!
//! What the figures are changed with the versions under the same names: first means of the worst frame rates and an arithmetic mean
//! (MangoHud #1097), then the same of frame times, then percentiles. The file does not say which; its columns tell early from late.

use crate::Finding;
use crate::read::error::shown;
use crate::read::figure::{self, FigureTable, KnownFigure, figure};
use crate::read::format::{Format, Head};
use crate::read::log::{Cell, FileUnit, Log, Producer};
use crate::read::text::Encoding;
use crate::read::{Options, ReadError};

use FileUnit::{Count, Unknown};

const LOW: &str = "by version: mean of the worst frame rates of that share up to 0.6.8, frame rate of the mean of the longest frame \
                   times in some later ones, percentile by floor(share x frames - 1) of the longest in the latest; counts a first row \
                   that is no frame";
const HIGH: &str = "by version: the frame rate that 97 % of the rows do not pass; a frame time in one version (MangoHud PR 1103)";
const AVERAGE: &str = "by version: arithmetic mean of frame rates up to 0.6.8, which is above frames by time (MangoHud 1097); \
                       frames by time in later ones";
const LOAD: &str = "mean over the rows; 0 too where there is no sensor";
const MEAN: &str = "mean over the rows";
const PEAK: &str = "greatest over the rows";

/// The figures.
const FIGURES: &[KnownFigure] = &[
    figure(&["0.1% min fps", "1% min fps", "0.01% min fps"], Count, LOW),
    figure(&["97% percentile fps"], Count, HIGH),
    figure(&["average fps"], Count, AVERAGE),
    figure(&["gpu load", "cpu load"], Count, LOAD),
    figure(&["average frame time"], Unknown, "mean frame time: ms in the versions that are known"),
    sensor(&["average gpu temp", "average cpu temp", "average vram used", "average ram used"], MEAN),
    figure(&["average swap used"], Count, MEAN),
    figure(&["peak gpu load", "peak cpu load", "peak swap used"], Count, PEAK),
    sensor(&["peak gpu temp", "peak cpu temp", "peak vram used", "peak ram used"], PEAK),
];

/// A sensor that is not there is written as 0.
const fn sensor(names: &'static [&'static str], definition: &'static str) -> KnownFigure {
    KnownFigure { zero_is_none: true, ..figure(names, Count, definition) }
}

const TABLE: FigureTable =
    FigureTable { format: Format::MangoHudSummary, figures: FIGURES, texts: &[], of: &[], open_name: false };

/// Figures that cannot be smaller than those before them, in each row.
const RISING: [&str; 3] = ["0.1% min fps", "1% min fps", "97% percentile fps"];

/// Whether a file is a summary of MangoHud.
pub(in crate::read) fn matches(head: &Head<'_>) -> bool {
    head.has(&["average fps"]) && head.lower.iter().any(|name| name.ends_with("% min fps"))
}

/// Reads a summary.
pub(in crate::read) fn read(text: &[u8], _: &Options) -> Result<Log, ReadError> {
    let head = Head::of(text, Encoding::Plain)?;
    if !matches(&head) {
        return Err(ReadError::MissingColumns {
            format: TABLE.format.name().into(),
            missing: vec!["1% Min FPS or Average FPS".into()],
            present: head.names.iter().map(|name| shown(name.as_bytes(), 40)).collect(),
        });
    }
    let late = head.has(&["average frame time"]);
    let (version, marks) = if late {
        ("0.6.9 or later", "with Average Frame Time")
    } else {
        ("0.6", "without Average Frame Time")
    };
    let producer = Producer {
        tool: "MangoHud".into(),
        version: version.into(),
        class: format!("summary {version}"),
        evidence: format!("a summary's header {marks}"),
    };
    let mut log = figure::read(&TABLE, text, &head, producer)?;
    falling(&mut log);
    Ok(log)
}

/// Names figures that contradict each other: a row that has moved, or a frame time among frame rates.
fn falling(log: &mut Log) {
    let mut before: Option<(u64, f64, &str)> = None;
    let mut found = Vec::new();
    for figure in &log.figures {
        let Some(name) = RISING.iter().find(|name| figure.name.eq_ignore_ascii_case(name)) else { continue };
        let Cell::Value(value) = figure.value else { continue };
        if let Some((line, least, below)) = before
            && line == figure.line
            && value < least
        {
            found.push(Finding {
                place: format!("line {line}"),
                cause: format!("{name} is {value}, below {below} of {least}: a row that has moved, or a frame time among frame rates"),
                remedy: "do not judge these figures; take the log itself".into(),
                times: 1,
            });
        }
        before = Some((figure.line, value, name));
    }
    log.findings.extend(found);
}
