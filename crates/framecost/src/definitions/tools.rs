//! What other tools would print for the same frames, and why they differ. In: a stream. Out: an [`Explanation`]: per tool the
//! labels that it prints, each with its value and the definition behind it, then the tool's known defects and the reasons in
//! words. A tool withholds nothing, so nothing is withheld here: the frames behind each value stand beside it.
//! Rules are read from the tools' sources where those are open; `FrameView`'s are inferred from its two families of columns.

use super::data::Data;
use super::value::{Figure, Id};
use super::{FIRM, Family, Log, Sheet, Stream, Withheld, find, left_out, raw, recorded};
use crate::counted;

/// What every tool would print, and why they differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// A tool each.
    pub tools: Vec<Said>,
    /// Why their numbers differ, one sentence each.
    pub why: Vec<String>,
    /// What to know before reading them.
    pub notes: Vec<String>,
}

/// What one tool would print.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// The tool, and its releases where they differ.
    pub tool: &'static str,
    /// Where it prints this.
    pub output: &'static str,
    /// Its labels in its order.
    pub rows: Vec<SaidRow>,
    /// What is known to be wrong with it.
    pub defects: &'static [&'static str],
}

/// One label of a tool.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaidRow {
    /// As the tool prints it.
    pub label: &'static str,
    /// The definition behind it.
    pub id: Id,
    /// The value, or why even the tool has none.
    pub value: Result<Figure, Withheld>,
}

struct Tool {
    name: &'static str,
    output: &'static str,
    /// Labels with the ids of their definitions.
    labels: &'static [(&'static str, &'static str)],
    defects: &'static [&'static str],
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "PresentMon",
        output: "statistics of a capture by the application",
        labels: &[
            ("Average FPS", "avg.harmonic"),
            ("Minimum FPS", "fps.min"),
            ("1st Percentile FPS", "low.pct.r7.time@1%"),
            ("5th Percentile FPS", "low.pct.r7.time@5%"),
            ("Maximum FPS", "fps.max"),
            ("AnimationErrorPerSecond", "animation.error.rate"),
            ("AnimationErrorPerFrame", "animation.error.mean"),
        ],
        defects: &[
            "percentiles are of frame time, turned into fps: earlier releases labelled the same \
             values the other way (#219, #238)",
            "Maximum FPS is 1,000,000 where a frame has a time of 0, which generated frames can (#388)",
            "a row without animation data is one field short, an empty capture writes eight \
             values for nine columns",
        ],
    },
    Tool {
        name: "CapFrameX",
        output: "analysis",
        labels: &[
            ("Max", "fps.max"),
            ("P99", "fps.pct.r8@99%"),
            ("P95", "fps.pct.r8@95%"),
            ("Average", "avg.harmonic"),
            ("Median", "fps.pct.r8@50%"),
            ("P5", "fps.pct.r8@5%"),
            ("P1", "low.pct.r8.fps@1%"),
            ("P0.1", "low.pct.r8.fps@0.1%"),
            ("1% low average", "low.worst.atleast@1%"),
            ("0.1% low average", "low.worst.atleast@0.1%"),
            ("1% low integral", "low.integral.time@1%"),
            ("0.1% low integral", "low.integral.time@0.1%"),
            ("Min", "fps.min"),
            ("Adaptive STDEV", "deviation.adaptive.coded"),
            ("Stuttering time", "stutter.time"),
        ],
        defects: &[
            "P99 and P95 are the fast end: P99 is a rate that 1 % of the frames pass, in \
             thousands where frames are doubled (#317)",
            "Adaptive STDEV fills a window of 500 ms with fps, so that it holds 500/fps frames",
            "0.1% rows are printed however few frames stand behind them (#295); a frame of no \
             number makes all of it NaN (#395)",
            "three functions called stuttering: against a moving average, against the mean, by \
             count of frames",
        ],
    },
    Tool {
        name: "MangoHud from 0.7.1",
        output: "_summary.csv",
        labels: &[
            ("0.1% Min FPS", "low.index.mangohud@0.1%"),
            ("1% Min FPS", "low.index.mangohud@1%"),
            ("97% Percentile FPS", "low.index.mangohud@97%"),
            ("Average FPS", "avg.harmonic"),
            ("Average Frame Time", "time.mean"),
        ],
        defects: &[
            "1% Min is no minimum but one frame of the sorted times, at floor(p N - 1), \
             unrounded towards any quantile (#722)",
            "below 1/p frames the index is cut to 0: 0.1% Min of 999 frames is the longest; \
             computed in single precision",
            "97% Percentile is of fps, the fast end: 1508 fps need not be wrong (#1501); a \
             change once put a frame time there (PR #1103)",
            "a metric configured as 0.01 is the 1 % one (#1957): the number is a share, the \
             label a percentage",
            "the first row can be garbage, up to the time since the machine started, and is kept",
        ],
    },
    Tool {
        name: "MangoHud up to 0.6.8",
        output: "_summary.csv",
        labels: &[
            ("0.1% Min FPS", "low.worst.fpsmean.ceil@0.1%"),
            ("1% Min FPS", "low.worst.fpsmean.ceil@1%"),
            ("97% Percentile FPS", "fps.pct.lower@97%"),
            ("Average FPS", "avg.arithmetic"),
        ],
        defects: &[
            "Average FPS is the mean of fps, which is above frames over time (#1097)",
            "releases between this and 0.7.1 went over from rates to times step by step (PR \
             #1103) and are not reproduced",
            "the same labels as later releases for other definitions (#722)",
            "the first row can be garbage, up to the time since the machine started, and is kept",
        ],
    },
    Tool {
        name: "OCAT",
        output: "perf_summary.csv, and the visualisation's deviation",
        labels: &[
            ("Average FPS (Application)", "avg.harmonic"),
            ("Average frame time (ms) (Application)", "time.mean"),
            ("95th-percentile frame time (ms) (Application)", "time.pct.r7@95%"),
            ("99th-percentile frame time (ms) (Application)", "time.pct.r7@99%"),
            ("99.9th-percentile frame time (ms) (Application)", "time.pct.r7@99.9%"),
            ("standard deviation", "deviation.population"),
        ],
        defects: &[
            "percentiles are of time, type 7; the first releases had the 99th alone, by rank \
             floor(0.99 N) (#52)",
            "the deviation is of the population, over N",
            "99.9th is printed however few frames stand behind it",
        ],
    },
    Tool {
        name: "FrameView",
        output: "FrameView_Summary.csv",
        labels: &[
            ("Avg FPS", "avg.harmonic"),
            ("1% Low FPS", "low.worst.count@1%"),
            ("Min FPS", "fps.min"),
            ("Max FPS", "fps.max"),
            ("0.1% Low FPS", "low.worst.count@0.1%"),
            ("0.1% FPS", "low.pct.r7.time@0.1%"),
            ("1% FPS", "low.pct.r7.time@1%"),
            ("5% FPS", "low.pct.r7.time@5%"),
            ("10% FPS", "low.pct.r7.time@10%"),
        ],
        defects: &[
            "two families side by side whose names differ by one word: 1% Low FPS is a mean of \
             the worst, 1% FPS a percentile",
            "which percentile and which mean it takes is inferred, since it does not say",
        ],
    },
];

impl Explanation {
    /// What every tool would print for a stream. Linearithmic in the number of frames.
    #[must_use]
    pub fn of(stream: &Stream<'_>) -> Self {
        let data = Data::of(stream);
        let mut notes: Vec<String> = left_out(&data.left_out).into_iter().collect();
        if data.left_out.total() > 0 {
            notes.push(
                "a tool that keeps such frames prints other numbers, NaN or infinity among them".into(),
            );
        }
        if data.basis.log == Log::Sampled {
            let sampled = "the log is sampled: tools print all of this of it, \
 and none of it but the averages means anything";
            notes.push(sampled.into());
        }
        Self { tools: TOOLS.iter().map(|tool| said(tool, &data)).collect(), why: why(&data), notes }
    }
}

fn said(tool: &'static Tool, data: &Data) -> Said {
    let row = |&(label, id): &(&'static str, &'static str)| {
        // Each id of the table is one: a test says so.
        let id = find(id).ok()?;
        let value = recorded(data, id).and_then(|have| match have {
            0 => Err(Withheld::TooFew { need: 1, have }),
            _ => raw(data, id).ok_or(Withheld::NoFrame),
        });
        Some(SaidRow { label, id, value })
    };
    Said {
        tool: tool.name,
        output: tool.output,
        rows: tool.labels.iter().filter_map(row).collect(),
        defects: tool.defects,
    }
}

/// Why the numbers differ: which average, which family of lows, which input, how few frames.
fn why(data: &Data) -> Vec<String> {
    let mut why = Vec::new();
    let value = |id: &str| find(id).ok().and_then(|id| raw(data, id));
    if let (Some(harmonic), Some(arithmetic)) = (value("avg.harmonic"), value("avg.arithmetic")) {
        why.push(format!(
            "averages: frames over time are {:.2} fps; the mean of each frame's fps is {:.2}, \
             since a short frame counts as much as a long one",
            harmonic.value, arithmetic.value
        ));
    }
    for share in ["1%", "0.1%"] {
        why.extend(of_lows(data, share));
    }
    if let (Some(fast), Some(slow)) = (value("fps.pct.r8@99%"), value("low.pct.r8.fps@1%")) {
        why.push(format!(
            "percentiles of fps count from the slow end: the 99th, {:.2} fps, is passed by the \
             fastest 1 %, and the slowest 1 % are below the 1st, {:.2} fps",
            fast.value, slow.value
        ));
    }
    if let (Some(shown), Some(presented)) = (value("fps.displayed"), value("avg.harmonic")) {
        why.push(format!(
            "input: {:.2} fps reached the screen, {:.2} fps are in the times that all of this \
             is computed of",
            shown.value, presented.value
        ));
    }
    why
}

/// How far the lows at one share lie apart, family by family, and on how many frames.
fn of_lows(data: &Data, share: &str) -> Vec<String> {
    let mut found: Vec<(Id, Figure)> = super::ids()
        .filter(|id| {
            id.definition.family == Family::Low && id.share.is_some_and(|it| it.to_string() == share)
        })
        .filter_map(|id| Some((id, raw(data, id)?)))
        .collect();
    found.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let (Some((least, low)), Some((most, high))) = (found.first(), found.last()) else { return Vec::new() };
    let on = |figure: &Figure| counted(figure.behind, "frame");
    let mut why = vec![format!(
        "{share} low: {:.2} fps by {least} on {} to {:.2} fps by {most} on {}, {:.2} times as \
         much, of the same frames; a percentile is the frame at the tail's border, a mean of \
         the worst is the whole tail, an integral is where {share} of the time is spent",
        low.value,
        on(low),
        high.value,
        on(high),
        high.value / low.value
    )];
    let tail = most.share.map_or(0, |share| share.of(data.n()));
    if tail < FIRM {
        why.push(format!(
            "{share} of {} is {}: too few for a {share} low by any definition, which takes {}",
            counted(data.n(), "frame"),
            counted(tail, "frame"),
            most.needs()
        ));
    }
    why
}

/// Every definition beside what the tools print: both halves of an explanation.
#[must_use]
pub fn explain(stream: &Stream<'_>) -> (Sheet, Explanation) {
    (Sheet::of(stream), Explanation::of(stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_of_a_tool_has_a_definition() {
        for tool in TOOLS {
            for (label, id) in tool.labels {
                assert!(find(id).is_ok_and(|found| found.to_string() == *id), "{}: {label}: {id}", tool.name);
            }
            assert!(!tool.defects.is_empty(), "{}", tool.name);
        }
    }
}
