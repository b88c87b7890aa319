//! A judgement as workflow commands of GitHub Actions: lines on stdout that the runner turns into annotations. In: what was
//! judged. Out: one line per annotation, the outcome first, then what failed with the largest change first, what else must not
//! pass, all that is undecided in one, warnings, gains.
//! Format: <https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands>; escapes as in
//! `packages/core/src/command.ts` of <https://github.com/actions/toolkit>.

use super::ci::{Set, Undecided, Weight, largest_first, most_likely, outcome, sentence, sets, weight};
use super::escape::terminal;
use super::{OfVariants, Report, words};
use crate::judge::{Outcome, Overall, Row, Verdict};
use crate::plural::{counted, plural};

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

/// The judgements of one call as workflow commands, a line each. Of each level at most as many as GitHub shows; where some
/// are left out, a line says how many, and what leads a level or folds many rows is never among them.
#[must_use]
pub fn github(
    overall: &Overall,
    reports: &[Report],
    differences: &[OfVariants],
    undecided: Undecided,
) -> String {
    let sets = sets(reports, differences);
    let rows = |wanted: &dyn Fn(&Row) -> bool| {
        let all = sets.iter().flat_map(|set| set.verdicts.rows.iter().map(move |row| (row, set)));
        all.filter(|(row, _)| wanted(row)).collect::<Vec<_>>()
    };
    let open = |row: &Row| matches!(row.verdict, Verdict::Undecided(_));
    let weighing = |wanted: Weight| rows(&|row| weight(row, undecided) == wanted && !open(row));
    let each = |level: Level, mut rows: Vec<(&Row, &Set<'_>)>, sorted: bool| -> Vec<Annotation> {
        if sorted {
            largest_first(&mut rows);
        }
        rows.into_iter().map(|(row, set)| of_row(level, row, &set.name)).collect()
    };
    let mut all = vec![of_outcome(overall, &sets)];
    all.extend(each(Level::Error, weighing(Weight::Fails), true));
    all.extend(each(Level::Error, weighing(Weight::Blocks), false));
    all.extend(each(Level::Warning, weighing(Weight::Warns), true));
    all.extend(each(Level::Notice, weighing(Weight::Gains), true));
    all.extend(sets.iter().filter_map(of_nothing_compared));
    all.extend(heeded(overall, &sets));
    let blocking = rows(&|row| open(row) && weight(row, undecided) == Weight::Blocks);
    let folded = of_undecided(&blocking);
    Level::ALL.into_iter().flat_map(|level| lines(level, &all, folded.as_ref())).collect()
}

/// All that the data cannot tell in one annotation: the figure that is most likely a loss, and how many there are.
fn of_undecided(rows: &[(&Row, &Set<'_>)]) -> Option<Annotation> {
    let (row, set) = most_likely(rows)?;
    let (figure, found) = (words::figure(row), sentence(row));
    let message = match rows.len() {
        1 => format!("{}: {found}", set.name),
        more => {
            let figures = counted(more as u64, "figure");
            format!("{figures} could not be decided; most likely a loss: {}: {figure}: {found}", set.name)
        }
    };
    let title = if rows.len() == 1 { format!("UNDECIDED {figure}") } else { "UNDECIDED".into() };
    Some(Annotation { level: Level::Error, title, message })
}

fn of_outcome(overall: &Overall, sets: &[Set<'_>]) -> Annotation {
    let level = match overall.outcome {
        Outcome::Passed => Level::Notice,
        Outcome::Regressed | Outcome::NotMeasured => Level::Error,
    };
    Annotation { level, title: "framecost".into(), message: outcome(overall, sets) }
}

/// A row that somebody must read.
fn of_row(level: Level, row: &Row, set: &str) -> Annotation {
    let title = format!("{} {}", row.verdict.name().to_uppercase(), words::figure(row));
    Annotation { level, title, message: format!("{set}: {}", sentence(row)) }
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

/// The lines of one level, `folded` behind the others of its level. Where there are more than GitHub shows, a line counts
/// those that are left out.
fn lines(level: Level, all: &[Annotation], folded: Option<&Annotation>) -> Vec<String> {
    let of_level: Vec<&Annotation> = all.iter().filter(|it| it.level == level).collect();
    let folded: Vec<&Annotation> = folded.into_iter().filter(|it| it.level == level).collect();
    let line = |title: &str, message: &str| command(level, title, message);
    let room = MOST - folded.len();
    let shown = if of_level.len() > room { room - 1 } else { of_level.len() };
    let mut out: Vec<String> = of_level[..shown].iter().map(|it| line(&it.title, &it.message)).collect();
    let more = of_level.len() - shown;
    if more > 0 {
        let what = format!("and {more} further {}: see the report", plural(more as u64, level.name()));
        out.push(line("framecost", &what));
    }
    out.extend(folded.iter().map(|it| line(&it.title, &it.message)));
    out
}

fn command(level: Level, title: &str, message: &str) -> String {
    format!("::{} title={}::{}\n", level.name(), property(title), data(message))
}

/// An error that stands alone, where nothing could be judged.
pub(super) fn error_line(title: &str, message: &str) -> String {
    command(Level::Error, title, message)
}

/// A text from elsewhere as a command's message: one line, in which nothing is read as an escape.
fn data(text: &str) -> String {
    terminal(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The same as a command's property, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
