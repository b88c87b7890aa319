//! Verdicts gathered for reading: what failed first, rows of one verdict and one reason together.

use super::{BudgetRow, Group, Verdicts, words};
use crate::judge::{Across, Against, Difference, Judgement, Row, Verdict, ratio, unbound};
use crate::natural::by_numbers;

/// The judgement as a report shows it.
pub(super) fn gather(judgement: &Judgement) -> Verdicts {
    Verdicts {
        outcome: judgement.outcome(),
        tally: judgement.tally(),
        groups: groups(&judgement.rows),
        budgets: judgement.rows.iter().filter_map(budget).collect(),
        rows: judgement.rows.clone(),
        rule: judgement.rule.name().into(),
        error_rate: judgement.rule_decided().then(|| judgement.error_rate.into()),
        runs: judgement.runs,
        logs: judgement.logs,
        frames: judgement.frames.run,
        of_runs: words::runs(judgement.runs, judgement.rule),
        notes: words::resting(&judgement.rows).into_iter().chain(judgement.notes.iter().cloned()).collect(),
        unbound: unbound(&[judgement]),
        differs: differs(judgement),
        census: None,
    }
}

/// The stored baseline of a run's own key may be of another day and driver, and its environment stands further below. Who
/// names a baseline compares two things, and all that differs between the two may be why.
fn differs(judgement: &Judgement) -> Vec<Difference> {
    let environment = judgement.environment.iter().filter(|_| judgement.across != Across::NOTHING);
    judgement.declared.iter().chain(environment).cloned().collect()
}

fn budget(row: &Row) -> Option<BudgetRow> {
    let Against::Budget { limit, .. } = &row.against else { return None };
    Some(BudgetRow { used: ratio(row.current, *limit), row: row.clone() })
}

/// How urgent a row is to read; none for those that only the tally counts, or that stand among the budgets anyway.
const fn urgency(row: &Row) -> Option<u8> {
    match &row.verdict {
        Verdict::Fail => Some(0),
        Verdict::Missing(_) => Some(1),
        Verdict::Refused(_) => Some(2),
        Verdict::Undecided(_) => Some(3),
        Verdict::Warn => Some(4),
        Verdict::Improved => Some(5),
        Verdict::Skipped(_) if matches!(row.against, Against::Budget { .. }) => None,
        Verdict::Skipped(_) => Some(6),
        Verdict::Pass | Verdict::Shown => None,
    }
}

fn groups(rows: &[Row]) -> Vec<Group> {
    let mut sorted: Vec<(u8, &Row)> =
        rows.iter().filter_map(|row| urgency(row).map(|urgency| (urgency, row))).collect();
    // Stable: inside a verdict and a reason, the judgement's order stays.
    sorted.sort_by(|(a, row), (b, other)| {
        let reason = |row: &Row| row.verdict.reason().unwrap_or_default().to_owned();
        a.cmp(b).then_with(|| by_numbers(&reason(row), &reason(other)))
    });
    let mut groups: Vec<Group> = Vec::new();
    for (_, row) in sorted {
        let (verdict, reason) = (row.verdict.name(), row.verdict.reason());
        match groups.last_mut() {
            Some(group) if group.verdict == verdict && group.reason.as_deref() == reason => {
                group.rows.push(row.clone())
            }
            _ => groups.push(Group { verdict, reason: reason.map(str::to_owned), rows: vec![row.clone()] }),
        }
    }
    groups
}
