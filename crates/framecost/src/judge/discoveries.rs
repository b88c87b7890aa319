//! Many comparisons at once: of enough figures one grows by chance. In: judgements made together. Out: the same, with losses
//! that so many comparisons bring about by chance made undecided.

use super::{Judgement, Row, Verdict};

/// The part of the losses reported together that may be false: Benjamini and Hochberg, "Controlling the false discovery
/// rate", Journal of the Royal Statistical Society B 57 (1995) 289-300.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// Corrects losses for how many comparisons were made, over all rows of all judgements: those that passed count too.
///
/// Of m comparisons sorted by their chance, losses stand up to the last k whose chance is at most `k/m` of
/// [`FALSE_DISCOVERIES`]. A loss that confirming runs share ([`super::confirm`]) stands as well where their chance does so among
/// the m losses that were looked at again. Applied again to judgements that were each corrected alone, it only takes more
/// away.
pub fn correct(judgements: &mut [&mut Judgement]) {
    let sorted = |chance: fn(&Row) -> Option<f64>| {
        let rows = judgements.iter().flat_map(|judgement| &judgement.rows);
        let mut chances: Vec<f64> = rows.filter_map(chance).collect();
        chances.sort_unstable_by(f64::total_cmp);
        chances
    };
    let (first, again) = (sorted(chance), sorted(confirming));
    let Some(largest) = largest_that_stands(&first) else { return };
    let largest_again = largest_that_stands(&again);
    for row in judgements.iter_mut().flat_map(|judgement| &mut judgement.rows) {
        // A stretch of frames has its own chance, which its search already accounts for.
        let of_a_stretch = row.evidence.as_ref().is_some_and(|evidence| !evidence.grew.is_empty());
        let lost = row.verdict == Verdict::Fail || (row.verdict == Verdict::Warn && !of_a_stretch);
        let Some(p) = chance(row).filter(|p| lost && *p > largest) else { continue };
        let (compared, confirming) = (first.len(), confirming(row));
        let why = match confirming {
            Some(p) if largest_again.is_some_and(|largest| p <= largest) => continue,
            Some(p) => format!(
                "the confirming runs show it too, but of {} losses looked at again one this large comes by chance ({p:.4})",
                again.len()
            ),
            None => format!(
                "of {compared} comparisons made together one this large comes by chance ({p:.4}): confirm it by other runs \
                 (--confirm)"
            ),
        };
        row.verdict = Verdict::Undecided(why);
    }
}

fn confirming(row: &Row) -> Option<f64> {
    row.evidence.as_ref()?.confirming
}

fn chance(row: &Row) -> Option<f64> {
    row.evidence.as_ref().map(|evidence| evidence.p)
}

/// The largest chance at which a loss stands; none where nothing was compared.
#[expect(clippy::cast_precision_loss, reason = "a count of comparisons")]
fn largest_that_stands(sorted: &[f64]) -> Option<f64> {
    let m = sorted.len() as f64;
    let stands = |(i, p): &(usize, &f64)| **p <= (i + 1) as f64 / m * FALSE_DISCOVERIES;
    let last = sorted.iter().enumerate().rfind(stands);
    sorted.first().map(|_| last.map_or(-1.0, |(_, p)| *p))
}

#[cfg(test)]
mod tests {
    use super::largest_that_stands;

    #[test]
    fn the_papers_own_example() {
        // Benjamini and Hochberg 1995, section 4.1: fifteen comparisons, of which the first four stand at 5 %.
        let sorted = [
            0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
            0.6528, 0.7590, 1.0,
        ];
        assert_eq!(largest_that_stands(&sorted), Some(0.0095));
        assert_eq!(largest_that_stands(&[0.04, 0.5]), Some(-1.0), "none stands");
        assert_eq!(largest_that_stands(&[0.04]), Some(0.04));
        assert_eq!(largest_that_stands(&[]), None);
    }
}
