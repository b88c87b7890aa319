//! A judgement as workflow commands of GitHub Actions: lines on stdout that the runner turns into annotations. In: what was
//! judged. Out: one line per annotation, the outcome first, then what failed, what must not pass, warnings, gains.
//! Format: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>; escapes as in
//! `packages/core/src/command.ts` of <https://github.com/actions/toolkit>.

use super::ci::{Set, Undecided, Weight, outcome, sentence, sets, weight};
use super::escape::terminal;
use super::{OfVariants, Report, words};
use crate::judge::{Outcome, Overall, Row};
use crate::plural::plural;

/// Annotations of one level that GitHub shows of a step; it drops further ones without a word.
const MOST: usize = 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Error,
    Warning,
    Notice,
}

impl Level {
    const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    const fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

struct Annotation {
    level: Level,
    title: String,
    message: String,
}

/// The judgements of one call as workflow commands, a line each. Of each level at most as many as GitHub shows; the last of
/// them says how many are left out.
#[must_use]
pub fn github(
    overall: &Overall,
    reports: &[Report],
    differences: &[OfVariants],
    undecided: Undecided,
) -> String {
    let sets = sets(reports, differences);
    let mut all = vec![of_outcome(overall, &sets)];
    all.extend(
        sets.iter()
            .flat_map(|set| set.verdicts.rows.iter().filter_map(|row| of_row(row, &set.name, undecided))),
    );
    all.extend(sets.iter().filter_map(of_nothing_compared));
    all.extend(heeded(overall, &sets));
    Level::ALL.into_iter().flat_map(|level| lines(level, &all)).collect()
}

fn of_outcome(overall: &Overall, sets: &[Set<'_>]) -> Annotation {
    let level = match overall.outcome {
        Outcome::Passed => Level::Notice,
        Outcome::Regressed | Outcome::NotMeasured => Level::Error,
    };
    Annotation { level, title: "framecost".into(), message: outcome(overall, sets) }
}

/// A row that somebody must read; none for one that is as expected.
fn of_row(row: &Row, set: &str, undecided: Undecided) -> Option<Annotation> {
    let level = match weight(row, undecided) {
        Weight::Fails | Weight::Blocks => Level::Error,
        Weight::Warns => Level::Warning,
        Weight::Gains => Level::Notice,
        Weight::Passes | Weight::Skipped | Weight::Shown => return None,
    };
    let title = format!("{} {}", row.verdict.name().to_uppercase(), words::figure(row));
    Some(Annotation { level, title, message: format!("{set}: {}", sentence(row)) })
}

/// A set in which nothing was judged: that does not shut the gate while another passes, but nobody should miss it.
fn of_nothing_compared(set: &Set<'_>) -> Option<Annotation> {
    let tally = set.verdicts.tally;
    let judged = tally.compared() + tally.missing + tally.refused + tally.undecided;
    let message =
        || [words::tally(set.verdicts)].iter().chain(&set.verdicts.notes).cloned().collect::<Vec<_>>();
    (judged == 0).then(|| Annotation {
        level: Level::Warning,
        title: "nothing was compared".into(),
        message: format!("{}: {}", set.name, message().join("; ")),
    })
}

/// Budgets that bind nothing, and what else must be known; each once, however many sets it holds for.
fn heeded(overall: &Overall, sets: &[Set<'_>]) -> Vec<Annotation> {
    let of = |level, message| Annotation { level, title: "framecost".into(), message };
    let mut all: Vec<Annotation> =
        words::heeded(&overall.unbound, &[], &[]).into_iter().map(|line| of(Level::Warning, line)).collect();
    let mut seen: Vec<&String> = Vec::new();
    let notes =
        sets.iter().filter(|set| set.verdicts.tally.compared() > 0).flat_map(|set| &set.verdicts.notes);
    for note in overall.notes.iter().chain(notes) {
        if !seen.contains(&note) {
            seen.push(note);
            all.push(of(Level::Notice, note.clone()));
        }
    }
    all
}

/// The lines of one level; where there are more than GitHub shows, the last one counts those that are left out.
fn lines(level: Level, all: &[Annotation]) -> Vec<String> {
    let of_level: Vec<&Annotation> = all.iter().filter(|it| it.level == level).collect();
    let line = |title: &str, message: &str| {
        format!("::{} title={}::{}\n", level.name(), property(title), data(message))
    };
    let shown = if of_level.len() > MOST { MOST - 1 } else { of_level.len() };
    let mut out: Vec<String> = of_level[..shown].iter().map(|it| line(&it.title, &it.message)).collect();
    let more = of_level.len() - shown;
    if more > 0 {
        let what = format!("and {more} further {}: see the report", plural(more as u64, level.name()));
        out.push(line("framecost", &what));
    }
    out
}

/// A text from elsewhere as a command's message: one line, in which nothing is read as an escape.
fn data(text: &str) -> String {
    terminal(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same as a command's property, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
