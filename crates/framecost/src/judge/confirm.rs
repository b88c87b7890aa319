//! A second look: what further runs of the same say of a loss. In: a judgement that is not yet corrected for many comparisons,
//! and one of the confirming runs against the same baseline. Out: losses that both found, with the confirming runs' chance.
//!
//! The first look selects and the second decides. Confirming runs had no part in the selection, so that of a loss they need
//! to be corrected for how many losses they look at again, not for how many comparisons the first look made.

use super::{Against, Judgement, Row, Verdict};

/// Holds each loss against the confirming runs. What both found keeps its verdict, and its evidence the confirming runs'
/// chance, by which [`super::correct`] lets it stand; a failure that they do not share is undecided, in their words.
pub fn confirm(judgement: &mut Judgement, confirming: &Judgement) {
    let of = |row: &Row| {
        let same = |it: &&Row| (&it.figure, it.statistic) == (&row.figure, row.statistic);
        confirming.rows.iter().filter(same).find(|it| matches!(it.against, Against::Baseline(_)))
    };
    for row in judgement.rows.iter_mut().filter(|row| matches!(row.against, Against::Baseline(_))) {
        let found = of(row);
        let shared = match (&row.verdict, found.map(|it| &it.verdict)) {
            (Verdict::Fail, Some(Verdict::Fail)) | (Verdict::Warn, Some(Verdict::Warn | Verdict::Fail)) => {
                true
            }
            (Verdict::Fail, _) => false,
            _ => continue,
        };
        let chance = found.and_then(|it| it.evidence.as_ref()).map(|evidence| evidence.p);
        if let Some(evidence) = &mut row.evidence {
            evidence.confirming = chance;
        }
        if !shared {
            row.verdict = Verdict::Undecided(match found {
                None => "the confirming runs have no such figure".into(),
                Some(other) => {
                    let why = other.verdict.reason().map_or_else(String::new, |why| format!(", {why}"));
                    format!("the confirming runs say {}{why}", other.verdict.name())
                }
            });
        }
    }
}
