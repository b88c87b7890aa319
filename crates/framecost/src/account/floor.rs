//! Where a frame's own time begins. In: a rule, and the frames before. Out: the moment that the rule names, if any.

use std::fmt;

use framecost_sample::{Capture, PassId, Reason, Stamp};

use super::timeline::{Line, Row, Run};

/// Where a frame's own time begins: what an earlier frame still owned before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Floor {
    /// At the latest end of any pass of an earlier frame, if the frame before was captured.
    #[default]
    LastPass,
    /// At the frame's own earliest start: moments may be counted in two frames.
    None,
    /// At the latest end of this pass in the frame before, if that was captured.
    Pass(String),
}

/// A text that names no rule for the capture at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FloorError(String);

impl fmt::Display for FloorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FloorError {}

impl Floor {
    /// The rule that `text` names: `last-pass`, `none`, or `pass:NAME` with a pass of the capture.
    ///
    /// # Errors
    /// Any other text, and a pass that the capture does not name: the error lists those that it does.
    pub fn parse(text: &str, capture: &Capture) -> Result<Self, FloorError> {
        let floor = match text {
            "last-pass" => Self::LastPass,
            "none" => Self::None,
            other => match other.strip_prefix("pass:") {
                Some(name) => Self::Pass(name.into()),
                None => {
                    let text = short(other);
                    return Err(FloorError(format!(
                        "floor `{text}` is not known; one of last-pass, none, pass:NAME"
                    )));
                }
            },
        };
        floor.check(capture)?;
        Ok(floor)
    }

    /// Checks that the capture names the rule's pass.
    ///
    /// # Errors
    /// It does not: the error lists the passes that it names.
    pub fn check(&self, capture: &Capture) -> Result<(), FloorError> {
        /// Enough for any scene; a hostile capture names 65,536.
        const LISTED: usize = 40;
        let Self::Pass(name) = self else { return Ok(()) };
        if capture.pass_named(name).is_some() {
            return Ok(());
        }
        let mut names: Vec<String> =
            capture.passes.iter().take(LISTED).map(|pass| short(&pass.name)).collect();
        if capture.passes.len() > LISTED {
            names.push(format!("and {} more", capture.passes.len() - LISTED));
        }
        let allowed = match names.is_empty() {
            true => "the capture has no passes".into(),
            false => format!("the capture's passes are {}", names.join(", ")),
        };
        Err(FloorError(format!(
            "floor names pass `{}`, which the capture does not have; {allowed}",
            short(name)
        )))
    }
}

impl fmt::Display for Floor {
    /// As [`Floor::parse`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LastPass => f.write_str("last-pass"),
            Self::None => f.write_str("none"),
            Self::Pass(name) => write!(f, "pass:{name}"),
        }
    }
}

/// A name of a file, shortened and without what could disturb a terminal.
fn short(name: &str) -> String {
    name.chars().take(80).collect::<String>().escape_debug().to_string()
}

/// A moment on one of the timelines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) line: Line,
    pub(super) at: i128,
}

/// What a frame gets for its floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// The floor; it applies on its own timeline only.
    At(Moment),
    /// The rule names none for this frame, and nothing is lost by it.
    Free,
    /// The rule names one, but what it rests on was not captured.
    Unknown,
}

/// The rule at work, frame after frame.
#[derive(Debug)]
pub(super) struct Floors {
    rule: Rule,
    /// The frame before in the capture.
    before: Option<u64>,
    /// The moment that the frames so far hand to the next one.
    handed: Option<Moment>,
}

#[derive(Clone, Copy, Debug)]
enum Rule {
    LastPass,
    None,
    Pass(PassId),
}

impl Floors {
    /// The rule as the capture can follow it: a pass that it does not name is no floor.
    pub(super) fn new(floor: &Floor, capture: &Capture) -> Self {
        let rule = match floor {
            Floor::LastPass => Rule::LastPass,
            Floor::None => Rule::None,
            Floor::Pass(name) => capture.pass_named(name).map_or(Rule::None, Rule::Pass),
        };
        Self { rule, before: None, handed: None }
    }

    /// The floor of `frame`, to be asked in the capture's order.
    pub(super) fn give(&self, frame: u64) -> Given {
        if matches!(self.rule, Rule::None) {
            return Given::Free;
        }
        match (self.before, self.handed) {
            (None, _) => Given::Free,
            (Some(before), Some(at)) if before.checked_add(1) == Some(frame) => Given::At(at),
            _ => Given::Unknown,
        }
    }

    /// Takes note of a frame with its rows, in the capture's order.
    pub(super) fn note(&mut self, frame: u64, stamps: &[Stamp], rows: &[Row]) {
        self.before = Some(frame);
        match self.rule {
            Rule::None => {}
            // The running maximum over all earlier frames: a long pass of one frame may outlast the whole next frame.
            Rule::LastPass => self.handed = rows.iter().flatten().fold(self.handed, later),
            Rule::Pass(pass) => self.handed = end_of(pass, stamps, rows),
        }
    }
}

/// The latest end of a pass in one frame; none if it did not run, or a run of it lacks a stamp and may have been the last.
fn end_of(pass: PassId, stamps: &[Stamp], rows: &[Row]) -> Option<Moment> {
    let mut latest = None;
    for row in stamps.iter().zip(rows).filter(|(stamp, _)| stamp.pass == pass).map(|(_, row)| row) {
        match row {
            Ok(run) => latest = later(latest, run),
            Err(Reason::NotExecuted) => {}
            Err(_) => return None,
        }
    }
    latest
}

/// The later of the two; a new line leaves the old one behind.
fn later(latest: Option<Moment>, run: &Run) -> Option<Moment> {
    let end = Moment { line: run.line, at: run.end };
    latest.filter(|latest| latest.line == end.line && latest.at > end.at).or(Some(end))
}
