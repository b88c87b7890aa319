//! Definitions of frame rates, lows and smoothness, side by side: every way in use to make one number of a run's frame times.
//! In: the times of a stream's frames and what they are. Out: a [`Sheet`] with a value per definition, the frames that decide
//! it, and the reason where there is none. One run has many "1 % lows"; a number without its definition says nothing.

mod average;
mod data;
mod deviation;
mod display;
mod low;
mod pacing;
mod percentile;
mod quantile;
mod recorded;
mod stutter;
mod table;
pub mod tools;
mod value;

use crate::counted;
use crate::nearest::{nearest, nearest_few};
use crate::stats::few;

use data::Data;
use table::{Compute, Input, Least};

pub use crate::stats::FIRM;
pub use data::{Basis, Intervals, LeftOut, Log, Stream};
pub use quantile::{Method, quantile};
pub use recorded::{NoTimes, Recorded};
pub(crate) use recorded::{of_log, of_log_up_to};
pub use table::{DEFINITIONS, Definition, Family, Unit};
pub use value::{Figure, Id, Share, UnknownId, Withheld};

/// Every definition's value for one stream.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    /// What the times are.
    pub basis: Basis,
    /// Usable frames.
    pub frames: u64,
    /// Frames left out.
    pub left_out: LeftOut,
    /// The sum of the usable times, in nanoseconds.
    pub total: f64,
    /// A row per definition and share.
    pub rows: Vec<Row>,
    /// What to know before reading them.
    pub notes: Vec<String>,
}

/// A definition's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The definition.
    pub id: Id,
    /// Its value, or why there is none.
    pub value: Result<Figure, Withheld>,
}

impl Sheet {
    /// Computes every definition. Linearithmic in the number of frames.
    #[must_use]
    pub fn of(stream: &Stream<'_>) -> Self {
        let data = Data::of(stream);
        let rows: Vec<Row> = ids().map(|id| Row { id, value: held(&data, id) }).collect();
        Self {
            basis: data.basis,
            frames: data.n(),
            left_out: data.left_out,
            total: data.total,
            notes: notes(&data, &rows),
            rows,
        }
    }

    /// The row of that id, as [`Id`] writes it.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id.to_string() == id)
    }
}

/// Every definition at every share at which it is shown.
pub fn ids() -> impl Iterator<Item = Id> {
    DEFINITIONS.iter().flat_map(|definition| {
        let alone = definition.shares.is_empty().then_some(Id { definition, share: None });
        alone
            .into_iter()
            .chain(definition.shares.iter().map(move |&share| Id { definition, share: Some(share) }))
    })
}

/// The definition that a text names: `avg.harmonic`, or with a share `low.pct.r7.time@1%`. Any share will do.
///
/// # Errors
/// No definition has that name, or the share is none, missing or one too many; the error names what is allowed.
pub fn find(text: &str) -> Result<Id, UnknownId> {
    let fault = |allowed: String| UnknownId { text: text.chars().take(80).collect(), allowed };
    let (name, share) = text.split_once('@').map_or((text, None), |(name, share)| (name, Some(share)));
    let Some(definition) = DEFINITIONS.iter().find(|it| it.id == name) else {
        let near: Vec<String> =
            nearest_few(name, &names()).into_iter().map(|name| with_share(name, share)).collect();
        return Err(fault(match near.split_last() {
            None => format!("write one of {}", names().join(", ")),
            Some((only, [])) => format!("did you mean {only}"),
            Some((last, others)) => format!("did you mean {} or {last}", others.join(", ")),
        }));
    };
    let share = match (share, definition.shares.first()) {
        (None, None) => None,
        (Some(_), None) => return Err(fault(format!("`{name}` takes no share"))),
        (None, Some(usual)) => return Err(fault(format!("write its share behind it: `{name}@{usual}`"))),
        (Some(share), Some(usual)) => match Share::from_text(share) {
            Some(share) => Some(share),
            None => {
                let range = "between 0% and 100%, at most three digits behind the point";
                return Err(fault(format!("a share is a number {range}, such as `{usual}`")));
            }
        },
    };
    Ok(Id { definition, share })
}

/// A metric's name in a configuration as figures of logs have it: of a definition's the share is written in the one way.
#[must_use]
pub(crate) fn plain_name(text: String) -> String {
    find(&text).map_or(text, |id| id.to_string())
}

/// The figure of a log that a name in a configuration means; none where it is the name of something else. Of any share only those
/// are figures of a log at which [`ids`] has the definition.
///
/// # Errors
/// It is a definition's name misspelt, or of another share: nothing would ever answer to it.
#[must_use]
pub fn meant(text: &str) -> Option<Result<Id, UnknownId>> {
    let name = text.split_once('@').map_or(text, |(name, _)| name);
    let found = find(text);
    let Ok(id) = found else {
        let is_id = names().contains(&name) || (name != text && text.ends_with('%'));
        let is_near = nearest(name, &names()).is_some()
            || (name.contains('.') && !nearest_few(name, &names()).is_empty());
        return (is_id || is_near).then_some(found);
    };
    let shares = id.definition.shares;
    if id.share.is_none_or(|share| shares.contains(&share)) {
        return Some(Ok(id));
    }
    let allowed: Vec<String> = shares.iter().map(|share| format!("`{name}@{share}`")).collect();
    let allowed = format!("of a log there are {}", allowed.join(", "));
    Some(Err(UnknownId { text: text.chars().take(80).collect(), allowed }))
}

fn names() -> Vec<&'static str> {
    DEFINITIONS.iter().map(|it| it.id).collect()
}

/// A definition's id in quotes, with the share that somebody wrote if it is one at which the definition is shown.
fn with_share(name: &str, share: Option<&str>) -> String {
    let shares = DEFINITIONS.iter().find(|it| it.id == name).map_or(&[][..], |it| it.shares);
    let given = share.and_then(Share::from_text).filter(|share| shares.contains(share));
    match given.as_ref().or(shares.first()) {
        Some(share) => format!("`{name}@{share}`"),
        None => format!("`{name}`"),
    }
}

/// One definition's value for a stream.
///
/// # Errors
/// Why it is withheld: too few frames, a log that lacks frames, nothing recorded to compute it of.
pub fn value(stream: &Stream<'_>, id: Id) -> Result<Figure, Withheld> {
    held(&Data::of(stream), id)
}

impl Id {
    /// How many frames it takes.
    #[must_use]
    pub const fn needs(&self) -> u64 {
        match (self.definition.least, self.share) {
            (Least::Frames(frames), _) => frames,
            (Least::Tail(tail), Some(share)) => share.frames_for(tail),
            (Least::Tail(tail), None) => tail,
        }
    }
}

/// The value, if the log and its length allow it.
fn held(data: &Data, id: Id) -> Result<Figure, Withheld> {
    let have = recorded(data, id)?;
    if data.basis.log == Log::Sampled && !id.definition.family.bears_sampling() {
        return Err(Withheld::Sampled);
    }
    let need = id.needs();
    if have < need {
        return Err(Withheld::TooFew { need, have });
    }
    raw(data, id).ok_or(Withheld::NoFrame)
}

/// How many frames have what a definition is computed of.
fn recorded(data: &Data, id: Id) -> Result<u64, Withheld> {
    let (have, what) = match id.definition.input {
        // A log without any frame is too short, whatever it could have held.
        Input::Times => return Ok(data.n()),
        Input::Displayed => (data.displayed.len(), "displayed intervals"),
        Input::AnimationErrors => (data.errors.len(), "animation errors"),
        Input::Gpu => (data.gpu.len(), "GPU times"),
    };
    if have == 0 { Err(Withheld::NotRecorded(what)) } else { Ok(have as u64) }
}

/// The value as a tool would print it, however little stands behind it; none where there is none.
fn raw(data: &Data, id: Id) -> Option<Figure> {
    let found = match (id.definition.compute, id.share) {
        (Compute::Whole(compute), _) => compute(data),
        (Compute::Share(compute), Some(share)) => compute(data, share),
        (Compute::Share(_), None) => None,
    };
    found.filter(|figure| figure.value.is_finite())
}

fn notes(data: &Data, rows: &[Row]) -> Vec<String> {
    let mut notes = Vec::new();
    if data.basis.log == Log::Sampled {
        notes.push(
            "the log is sampled: an average of samples is not one of frames, since long frames \
             are met more often; every figure of single frames is withheld"
                .into(),
        );
    }
    notes.extend(few(data.n()));
    notes.extend(left_out(&data.left_out));
    notes.extend(rows.iter().filter_map(thin));
    notes
}

/// That a low stands on few frames although there are enough in all; none where it does not.
fn thin(row: &Row) -> Option<String> {
    let behind = row.value.ok()?.behind;
    let is_thin = row.id.definition.family == Family::Low && behind < FIRM;
    is_thin.then(|| format!("{} stands on {} alone", row.id, counted(behind, "frame")))
}

/// What was left out, in words; none where nothing was.
fn left_out(left_out: &LeftOut) -> Option<String> {
    let part = |count: u64, why: &str| (count > 0).then(|| format!("{count} {why}"));
    let parts = [
        part(left_out.missing, "without a time"),
        part(left_out.zero, "of a time of 0"),
        part(left_out.impossible, "of a time that no frame has"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let frames = counted(left_out.total(), "frame");
    (!parts.is_empty()).then(|| format!("{frames} left out: {}", parts.join(", ")))
}

#[cfg(test)]
mod tests;
