//! Verdicts gathered for reading: what failed first, rows of one verdict and one reason together.

use super::{BudgetRow, Group, Verdicts};
use crate::judge::{Against, Judgement, Row, Verdict, ratio};

/// The judgement as a report shows it.
pub(super) fn gather(judgement: &Judgement) -> Verdicts {
    Verdicts {
        outcome: judgement.outcome(),
        tally: judgement.tally(),
        groups: groups(&judgement.rows),
        budgets: judgement.rows.iter().filter_map(budget).collect(),
        rows: judgement.rows.clone(),
        rule: judgement.rule.name().into(),
        error_rate: judgement.rows.iter().any(by_rule).then(|| judgement.error_rate.into()),
        runs: judgement.runs,
        notes: judgement.notes.clone(),
    }
}

/// Whether the rule decided this row.
const fn by_rule(row: &Row) -> bool {
    let decided = matches!(row.verdict, Verdict::Pass | Verdict::Improved | Verdict::Warn | Verdict::Fail);
    decided && matches!(row.against, Against::Baseline(_))
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
        a.cmp(b).then_with(|| row.verdict.reason().cmp(&other.verdict.reason()))
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
