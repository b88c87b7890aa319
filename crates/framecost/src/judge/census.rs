//! The census of a comparison: what became of every figure, and what should be there and is not. In: sets of runs with their
//! judgements, and the configuration. Out: names by what became of them, and absences, each of which shuts the gate.

use framecost_sample::{Better, Capture, Key, metric_names as names};

use super::{Against, Config, Expect, Judgement, Known, Renamed, Row, Verdict, unbound};
use crate::Analysis;
use crate::plural::counted;
use crate::stats::{Statistic, Subject};

/// A frame's GPU time below this part of the baseline's is no gain to let pass unseen: a scene that no longer draws looks
/// just so. Our own choice.
const COLLAPSE: f64 = 0.1;
/// Any figure below this part of its baseline is worth a note: until a new baseline is saved, it hides a slowdown to three
/// times what it now is. Our own choice.
const FAR_BELOW: f64 = 1.0 / 3.0;
/// From so many days on, a report says how old the baseline is. Our own choice.
const OLD: i64 = 30;

/// Runs of one key with what was judged of them.
#[derive(Clone, Copy, Debug)]
pub struct JudgedSet<'a> {
    /// The runs.
    pub runs: &'a [Analysis],
    /// The baseline; empty where there is none.
    pub baseline: &'a [Analysis],
    /// What came of it.
    pub judgement: &'a Judgement,
    /// What was read under a new name, in the runs or in the baseline.
    pub renamed: &'a [Renamed],
}

/// What became of every figure. Names of figures are as `framecost.toml` writes them, with the statistic; where several sets
/// were judged, the set stands before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Compared and decided.
    pub judged: Vec<String>,
    /// Compared, and the data cannot tell.
    pub undecided: Vec<String>,
    /// Due and not there.
    pub missing: Vec<String>,
    /// Not compared, since it would mean nothing.
    pub refused: Vec<String>,
    /// Read under a new name.
    pub renamed: Vec<String>,
    /// Measured, with nothing to compare with.
    pub no_baseline: Vec<String>,
    /// Not judged because the configuration says so or is for other runs, with the reason.
    pub excluded: Vec<String>,
    /// Without a better direction: shown.
    pub shown: Vec<String>,
    /// Neither measured nor due.
    pub without_value: Vec<String>,
    /// What should be there and is not: each keeps the whole from passing.
    pub absent: Vec<Absence>,
    /// What to know beside.
    pub notes: Vec<String>,
}

/// Something that should be there and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Absence {
    /// What kind of thing.
    pub kind: AbsenceKind,
    /// What, where and why, in one sentence. Names are as captures and the configuration give them.
    pub text: String,
}

/// What may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AbsenceKind {
    /// Runs that the configuration expects.
    Scene,
    /// A pass of expected runs.
    Pass,
    /// A gate of expected runs.
    Gate,
    /// A metric of expected runs.
    Metric,
    /// The baseline of expected runs.
    Baseline,
    /// The frame's GPU time of runs that were not stamped.
    GpuTime,
    /// The scene of a budget.
    BudgetScene,
    /// Any expectation for the adapters at hand.
    Expectation,
    /// A figure that could have failed at all.
    Effect,
    /// Work in the frame: its GPU time all but vanished.
    Work,
}

impl AbsenceKind {
    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Pass => "pass",
            Self::Gate => "gate",
            Self::Metric => "metric",
            Self::Baseline => "baseline",
            Self::GpuTime => "gpu time",
            Self::BudgetScene => "scene of a budget",
            Self::Expectation => "expectation",
            Self::Effect => "effect",
            Self::Work => "work",
        }
    }

    /// Whether the configuration alone asks for it, whatever the comparison found.
    #[must_use]
    pub const fn is_expected(self) -> bool {
        !matches!(self, Self::GpuTime | Self::Effect | Self::Work)
    }

    fn of_name(kind: &str) -> Self {
        match kind {
            "pass" => Self::Pass,
            "gate" => Self::Gate,
            _ => Self::Metric,
        }
    }
}

impl Census {
    /// Counts everything that was judged. `known` says which scenes exist; `whole` is whether expected runs that are not
    /// among those given are absent, or merely not asked for.
    #[must_use]
    pub fn of(
        sets: &[JudgedSet<'_>],
        differences: &[&Judgement],
        config: &Config,
        known: &Known,
        whole: bool,
    ) -> Self {
        let mut census = Self::default();
        for set in sets {
            let prefix = if sets.len() > 1 { format!("{} ", title(set.runs)) } else { String::new() };
            census.count_rows(&prefix, set.judgement);
            census.count_excluded(&prefix, set, config);
            let renamed = set.renamed.iter().map(|it| format!("{prefix}{it}"));
            for name in renamed.collect::<Vec<_>>() {
                if !census.renamed.contains(&name) {
                    census.renamed.push(name);
                }
            }
            census.find_what_vanished(set);
            census.find_what_cannot_fail(set, config);
            census.notes.extend(age(set));
        }
        for judgement in differences {
            census.count_rows("", judgement);
        }
        census.hold_against(&config.expect, sets, whole);
        census.find_unstamped(&config.expect, sets);
        let judgements: Vec<&Judgement> =
            sets.iter().map(|set| set.judgement).chain(differences.iter().copied()).collect();
        for (text, place) in config.of_no_scene(&unbound(&judgements), known) {
            let line =
                place.map_or_else(String::new, |place| format!(" (framecost.toml, line {})", place.line));
            census.absent.push(Absence { kind: AbsenceKind::BudgetScene, text: format!("{text}{line}") });
        }
        census.notes.extend(config.idle(known));
        census
    }

    /// The kinds with their names, in the order in which they are shown.
    #[must_use]
    pub fn kinds(&self) -> [(&'static str, &[String]); 9] {
        [
            ("judged", &self.judged),
            ("undecided", &self.undecided),
            ("missing", &self.missing),
            ("refused", &self.refused),
            ("renamed", &self.renamed),
            ("no baseline", &self.no_baseline),
            ("excluded", &self.excluded),
            ("only shown", &self.shown),
            ("without a value", &self.without_value),
        ]
    }

    /// Each row under what became of it: none falls out.
    fn count_rows(&mut self, prefix: &str, judgement: &Judgement) {
        for row in &judgement.rows {
            let (of_budget, name) = match &row.against {
                Against::Baseline(_) => (false, format!("{prefix}{}", row.title())),
                Against::Budget { name, kind, .. } => (true, format!("{prefix}{} {name}", kind.name())),
            };
            let list = match &row.verdict {
                Verdict::Pass | Verdict::Improved | Verdict::Warn | Verdict::Fail => &mut self.judged,
                Verdict::Shown => &mut self.shown,
                Verdict::Undecided(_) => &mut self.undecided,
                Verdict::Refused(_) => &mut self.refused,
                Verdict::Missing(_) => &mut self.missing,
                Verdict::Skipped(why) if of_budget => {
                    self.excluded.push(format!("{name}: {why}"));
                    continue;
                }
                Verdict::Skipped(_) if judgement.runs.1 == 0 || row.current.is_some() => {
                    &mut self.no_baseline
                }
                Verdict::Skipped(_) if row.better == Some(Better::Neither) => &mut self.shown,
                Verdict::Skipped(_) => &mut self.without_value,
            };
            list.push(name);
        }
    }

    /// Figures that the configuration takes out of judging.
    fn count_excluded(&mut self, prefix: &str, set: &JudgedSet<'_>, config: &Config) {
        let Some(run) = set.runs.first() else { return };
        let config = config.for_run(run);
        for figure in run.summaries.rows.iter().filter(|figure| config.names_nothing(&figure.id())) {
            let (_, source) = config.judged_from(figure);
            self.excluded.push(format!("{prefix}{}: {source}", figure.id()));
        }
    }

    /// A frame's time that all but vanished, and other figures far below their baseline.
    fn find_what_vanished(&mut self, set: &JudgedSet<'_>) {
        let title = title(set.runs);
        let fell = |row: &&Row| {
            let decided =
                matches!(row.verdict, Verdict::Improved | Verdict::Pass | Verdict::Warn | Verdict::Fail);
            decided
                && row.better == Some(Better::Lower)
                && row.statistic == Statistic::Median.into()
                && matches!(row.against, Against::Baseline(_))
                && row.ratio.is_some_and(|ratio| ratio < FAR_BELOW)
        };
        let rows: Vec<&Row> = set.judgement.rows.iter().filter(fell).collect();
        let mut others = Vec::new();
        for row in rows {
            let part = row.ratio.unwrap_or_default();
            let whole_frame = row.figure.subject == Subject::Frame
                && matches!(row.figure.metric.as_str(), names::GPU_TOTAL | names::BRACKET_GPU);
            if whole_frame && part < COLLAPSE {
                let text = format!(
                    "{title}: {} fell to {} of the baseline: a scene that no longer draws looks just so; if it is meant, \
                     save a new baseline",
                    row.figure,
                    percent(part)
                );
                self.absent.push(Absence { kind: AbsenceKind::Work, text });
            } else {
                others.push(format!("{} ({})", row.figure, percent(part)));
            }
        }
        if !others.is_empty() {
            self.notes.push(format!(
                "{title}: less than a third of the baseline: {}; until a new baseline is saved, this one hides a slowdown",
                others.join(", ")
            ));
        }
    }

    /// Floors of the configuration that leave no figure that could fail.
    fn find_what_cannot_fail(&mut self, set: &JudgedSet<'_>, config: &Config) {
        let Some(run) = set.runs.first() else { return };
        let config = config.for_run(run);
        let compared =
            |row: &&Row| matches!(row.against, Against::Baseline(_)) && row.verdict == Verdict::Pass;
        let passed: Vec<&Row> = set.judgement.rows.iter().filter(compared).collect();
        let decided = set.judgement.rows.iter().any(|row| {
            matches!(row.verdict, Verdict::Fail | Verdict::Warn | Verdict::Improved)
                && matches!(row.against, Against::Baseline(_))
        });
        let exempt = |row: &&&Row| {
            let Against::Baseline(limits) = &row.against else { return false };
            let figure = run.summaries.find(&row.figure);
            let chosen = figure.and_then(|figure| config.floor_from(figure).ok());
            chosen.is_some_and(|(_, source)| source.place.is_some())
                && row.baseline.is_some_and(|baseline| limits.floor >= baseline)
        };
        let exempted: Vec<String> = passed.iter().filter(exempt).map(|row| row.figure.to_string()).collect();
        if exempted.is_empty() {
            return;
        }
        let title = title(set.runs);
        if exempted.len() == passed.len() && !decided {
            let text = format!(
                "{title}: no figure could have failed: the floors of framecost.toml let each of the {} compared grow to \
                 twice its baseline and more",
                passed.len()
            );
            self.absent.push(Absence { kind: AbsenceKind::Effect, text });
        } else {
            self.notes.push(format!(
                "{title}: the floor of framecost.toml lets these double without a word: {}",
                exempted.join(", ")
            ));
        }
    }

    /// What is expected, against what was given.
    fn hold_against(&mut self, expected: &[Expect], sets: &[JudgedSet<'_>], whole: bool) {
        let captures: Vec<&Capture> =
            sets.iter().filter_map(|set| Some(&set.runs.first()?.capture)).collect();
        let keys: Vec<&Key> = captures.iter().map(|capture| &capture.key).collect();
        let due =
            |expect: &&Expect| keys.iter().any(|key| expect.adapter.binds(&key.adapter, key.adapter_class));
        if !expected.is_empty() && !expected.iter().any(|expect| due(&expect)) {
            let mut adapters: Vec<String> = Vec::new();
            for key in &keys {
                let adapter = format!("{} ({})", key.adapter, key.adapter_class.name());
                if !adapters.contains(&adapter) {
                    adapters.push(adapter);
                }
            }
            let text = format!(
                "framecost.toml expects runs, and none of them on {}: is this the adapter that was meant?",
                adapters.join(", ")
            );
            self.absent.push(Absence { kind: AbsenceKind::Expectation, text });
        }
        for expect in expected {
            let title = expect.title();
            if !due(&expect) {
                self.excluded.push(format!("expected {title}: for other adapters than those given"));
                continue;
            }
            let line = expect
                .place
                .map_or_else(String::new, |place| format!(" (framecost.toml, line {})", place.line));
            let of: Vec<&JudgedSet<'_>> = sets
                .iter()
                .filter(|set| set.runs.first().is_some_and(|run| expect.is_of(&run.capture)))
                .collect();
            if of.is_empty() {
                if whole {
                    let near = expect
                        .nearest(&captures)
                        .map_or_else(String::new, |near| format!("; of the nearest given, {near}"));
                    let text = format!("expected runs of {title}: no capture of them was given{near}{line}");
                    self.missing.push(format!("scene {title}"));
                    self.absent.push(Absence { kind: AbsenceKind::Scene, text });
                } else {
                    self.excluded.push(format!("expected {title}: not asked for"));
                }
            }
            for set in of {
                self.hold_set(expect, set, &line);
            }
        }
    }

    fn hold_set(&mut self, expect: &Expect, set: &JudgedSet<'_>, line: &str) {
        let title = title(set.runs);
        for (kind, name, why) in expect.lacking(set.runs) {
            let text = format!("expected {kind} {name} of {title}: {why}{line}");
            self.missing.push(format!("{kind} {name} of {title}"));
            self.absent.push(Absence { kind: AbsenceKind::of_name(kind), text });
        }
        if expect.baseline && set.judgement.runs.1 == 0 {
            let text = format!(
                "expected a baseline of {title}: none is stored for its key; save one, or say `baseline = false`{line}"
            );
            self.absent.push(Absence { kind: AbsenceKind::Baseline, text });
        }
    }

    /// Runs whose GPU time nobody asked for, unless that is what is expected of them.
    fn find_unstamped(&mut self, expected: &[Expect], sets: &[JudgedSet<'_>]) {
        for set in sets {
            let Some(run) = set.runs.first().filter(|run| run.is_unstamped()) else { continue };
            let is_time = |row: &&Row| {
                matches!(row.figure.metric.as_str(), names::GPU_TOTAL | names::BRACKET_GPU)
                    && row.figure.subject == Subject::Frame
            };
            let judged = set.judgement.rows.iter().filter(is_time).any(|row| row.current.is_some());
            let of_host = expected.iter().any(|it| it.is_of(&run.capture) && it.is_of_host_alone());
            if !judged && !of_host && set.judgement.runs.1 > 0 {
                let text = format!(
                    "{}: gpu_total was not judged, since neither passes nor frames were stamped (--stamps none); an [[expect]] \
                     with metrics of the host alone says that this is meant",
                    title(set.runs)
                );
                self.absent.push(Absence { kind: AbsenceKind::GpuTime, text });
            }
        }
    }
}

/// Scene, size and the switches that were asked for.
fn title(runs: &[Analysis]) -> String {
    let Some(run) = runs.first() else { return "no run".into() };
    let key = &run.capture.key;
    let size = key.size.map_or_else(String::new, |size| format!(" {size}"));
    let asked = |(name, value): &(&String, &String)| run.capture.defaults.0.get(*name) != Some(*value);
    let switches = key.switches.0.iter().filter(asked).map(|(name, value)| format!(" {name}={value}"));
    format!("{}{size}{}", key.scene, switches.collect::<String>())
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// How much older a baseline is than the runs, where that is long.
fn age(set: &JudgedSet<'_>) -> Option<String> {
    let day = |runs: &[Analysis]| day_of(runs.first()?.capture.started_at.as_deref()?);
    let (now, before) = (day(set.runs)?, day(set.baseline)?);
    let days = now.checked_sub(before).filter(|days| *days >= OLD)?;
    let when = set.baseline.first()?.capture.started_at.clone()?;
    let days = counted(days.unsigned_abs(), "day");
    Some(format!("{}: its baseline, of {when}, is {days} older than the run", title(set.runs)))
}

/// The day of a moment, counted from some day: Howard Hinnant, "chrono-compatible low-level date algorithms", 2021.
fn day_of(moment: &str) -> Option<i64> {
    let mut parts = moment.split('T').next()?.split('-').map(str::parse::<i64>);
    let (year, month, day) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    // Years begin in March, so that a leap day is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_counted_over_leap_days_and_years() {
        let apart = |from: &str, to: &str| day_of(to).unwrap() - day_of(from).unwrap();
        for (from, to, days) in [
            ("2026-01-31T12:00:00Z", "2026-01-31T23:00:00Z", 0),
            ("2026-02-28T00:00:00Z", "2026-03-01T00:00:00Z", 1),
            ("2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z", 2),
            ("2000-01-01T00:00:00Z", "2001-01-01T00:00:00Z", 366),
            ("2025-12-31T00:00:00Z", "2026-01-01T00:00:00Z", 1),
            ("1900-01-01T00:00:00Z", "2000-01-01T00:00:00Z", 36_524),
        ] {
            assert_eq!(apart(from, to), days, "{from} {to}");
        }
        assert_eq!(day_of("yesterday"), None);
    }
}
