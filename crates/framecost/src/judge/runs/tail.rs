//! The tail of a figure, split by what makes it: frames that are heavy on the path, and hitches that fall anywhere. In: the
//! runs' values frame by frame. Out: the heavy frames' values, and the verdict on hitches.
//!
//! A ratio of 99th percentiles is noisy, since each run's tail is a few frames. The heavy frames are the same in every run,
//! so they are paired like any; hitches are counted.

use super::contrast::{Values, median};
use crate::judge::{Evidence, SIDE, Scale, Verdict, Widest};

/// The part of the frames that count as heavy.
const HEAVY: f64 = 0.05;
/// Heavy frames below which there is nothing to compare.
const LEAST_HEAVY: usize = 10;
/// A frame is a hitch past this many times what the same frame is in the baseline.
const HITCH: f64 = 2.0;
/// The part of frames that may become hitches before it counts as a loss.
const TOLERATED: f64 = 0.01;

/// The values of those frames alone that are heaviest in the stored runs; none where these are too few.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a part of the number of frames"
)]
pub(in crate::judge) fn heavy(values: &Values) -> Option<Values> {
    let mut places: Vec<(f64, usize)> =
        usual(values).into_iter().enumerate().map(|(place, usual)| (usual, place)).collect();
    let count = (places.len() as f64 * HEAVY) as usize;
    if count < LEAST_HEAVY {
        return None;
    }
    // The heaviest first; of equals the earlier frame, so that equal captures choose equal frames.
    places.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut chosen: Vec<usize> = places[..count].iter().map(|it| it.1).collect();
    chosen.sort_unstable();
    let of =
        |runs: &[Vec<f64>]| runs.iter().map(|run| chosen.iter().map(|place| run[*place]).collect()).collect();
    Some(Values {
        frames: chosen.iter().map(|place| values.frames[*place]).collect(),
        new: of(&values.new),
        stored: of(&values.stored),
    })
}

/// What the numbers of hitches say; the sides of the evidence are hitches per run, of new and of stored runs.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::judge) struct Hitches {
    pub(in crate::judge) verdict: Verdict,
    pub(in crate::judge) evidence: Evidence,
}

/// Counts frames that took more than twice what they usually take, and more than `floor` beyond it. Of all hitches in R new
/// and K stored runs, a part R / (R + K) falls to the new ones if nothing changed, whatever the rate: the binomial
/// distribution says how often as many would by chance.
#[expect(clippy::cast_precision_loss, reason = "counts of frames")]
pub(in crate::judge) fn hitches(values: &Values, floor: f64) -> Option<Hitches> {
    let usual = usual(values);
    if usual.is_empty() {
        return None;
    }
    let is_hitch = |(value, usual): (&f64, &f64)| *value > HITCH * usual && value - usual > floor;
    let count = |run: &Vec<f64>| run.iter().zip(&usual).filter(|it| is_hitch(*it)).count() as u64;
    let each: Vec<u64> = values.new.iter().map(count).collect();
    let (new, stored) = (each.iter().sum::<u64>(), values.stored.iter().map(count).sum::<u64>());
    let (runs, stored_runs) = (values.new.len() as f64, values.stored.len() as f64);
    let (rate, before) = (new as f64 / runs, stored as f64 / stored_runs);
    let p = at_least(new, new + stored, runs / (runs + stored_runs));
    let (low, high) = (fewest(new) / runs - before, most(new) / runs - before);
    let tolerated = tolerated(usual.len() as u64);
    let verdict = if p <= SIDE && rate - before > tolerated {
        Verdict::Fail
    } else if p <= SIDE && rate > before {
        Verdict::Warn
    } else if high <= tolerated || rate <= before {
        Verdict::Pass
    } else {
        Verdict::Undecided(
            "so few frames do not show that hitches stay below one frame of a hundred: measure more frames or runs".into(),
        )
    };
    let evidence = Evidence {
        scale: Scale::Difference,
        sides: (rate, before),
        change: rate - before,
        low,
        high,
        spread: None,
        each: each.iter().map(|count| *count as f64 - before).collect(),
        smallest: tolerated.max(high - (rate - before)),
        more_runs: None,
        most_more_runs: None,
        within: 0.0,
        widest: Widest::Runs,
        p,
        confirming: None,
        grew: Vec::new(),
        drifts: false,
    };
    Some(Hitches { verdict, evidence })
}

/// How many more hitches than the baseline's a run of so many frames may have before it fails.
#[expect(clippy::cast_precision_loss, reason = "counts of frames")]
pub(crate) fn tolerated(frames: u64) -> f64 {
    (frames as f64 * TOLERATED).max(1.0)
}

/// What each frame takes in the stored runs: the median over them.
fn usual(values: &Values) -> Vec<f64> {
    let of = |place: usize| median(values.stored.iter().map(|run| run[place]).collect());
    if values.stored.is_empty() { Vec::new() } else { (0..values.frames.len()).map(of).collect() }
}

/// The probability of at least `count` of `total` where each falls so with probability `part`.
#[expect(clippy::cast_precision_loss, reason = "counts of frames")]
fn at_least(count: u64, total: u64, part: f64) -> f64 {
    // Terms by logarithms, since a long run's coefficients do not fit; from the mode outwards they only fall.
    let term = |k: u64| {
        let (k, n) = (k as f64, total as f64);
        (ln_choose(n, k) + k * part.ln() + (n - k) * (-part).ln_1p()).exp()
    };
    (count..=total).map(term).sum::<f64>().min(1.0)
}

fn ln_choose(n: f64, k: f64) -> f64 {
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

/// ln n!: the sum where short, else Stirling's series, Abramowitz and Stegun 6.1.41.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count below 100")]
fn ln_factorial(n: f64) -> f64 {
    if n < 100.0 {
        return (2..=n as u32).map(|i| f64::from(i).ln()).sum();
    }
    let x = n + 1.0;
    (x - 0.5).mul_add(x.ln(), -x) + 0.5 * std::f64::consts::TAU.ln() + 1.0 / (12.0 * x)
        - 1.0 / (360.0 * x.powi(3))
}

/// The largest mean from which so few come with a chance of 1 %, and the smallest from which so many do: Garwood, "Fiducial
/// limits for the Poisson distribution", Biometrika 28 (1936).
fn most(count: u64) -> f64 {
    solve(|mean| at_most(count, mean) > SIDE)
}

fn fewest(count: u64) -> f64 {
    count.checked_sub(1).map_or(0.0, |less| solve(|mean| 1.0 - at_most(less, mean) < SIDE))
}

/// The end of the means from zero upwards of which that holds.
fn solve(holds: impl Fn(f64) -> bool) -> f64 {
    let mut high = 1.0;
    while holds(high) && high < 1e9 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}

/// The probability of at most `count` of a Poisson distribution.
#[expect(clippy::cast_precision_loss, reason = "counts of frames")]
fn at_most(count: u64, mean: f64) -> f64 {
    (0..=count).map(|k| ((k as f64) * mean.ln() - mean - ln_factorial(k as f64)).exp()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-3 * expected.max(1e-3), "{found}, not {expected}");
    }

    #[test]
    fn binomial_tails_are_exact() {
        close(at_least(1, 1, 0.25), 0.25);
        close(at_least(2, 3, 0.5), 0.5);
        close(at_least(0, 10, 0.1), 1.0);
        // 1 - 0.9^10
        close(at_least(1, 10, 0.1), 0.651_321_6);
        close(at_least(5, 200, 1.0 / 11.0), 1.0 - (0..5).map(|k| binomial(200, k, 1.0 / 11.0)).sum::<f64>());
    }

    fn binomial(n: u32, k: u32, part: f64) -> f64 {
        let choose: f64 = (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product();
        choose * part.powi(k.cast_signed()) * (1.0 - part).powi((n - k).cast_signed())
    }

    #[test]
    fn poisson_limits_are_those_of_the_tables() {
        // Half of the 99 % quantile of chi-square with 2 (n + 1) degrees of freedom, and of the 1 % one with 2 n.
        close(most(0), 4.605_2);
        close(most(1), 6.638_4);
        close(most(10), 20.144_7);
        assert!(fewest(0) <= 0.0);
        close(fewest(1), 0.010_05);
        close(fewest(10), 4.130_2);
    }

    fn runs(hitches: &[usize]) -> Vec<Vec<f64>> {
        hitches
            .iter()
            .map(|count| (0..1000).map(|i| if i % 100 < *count && i < 100 { 3.0 } else { 1.0 }).collect())
            .collect()
    }

    fn of(new: &[usize], stored: &[usize]) -> Hitches {
        let values = Values { frames: (0..1000).collect(), new: runs(new), stored: runs(stored) };
        hitches(&values, 0.5).unwrap()
    }

    #[test]
    fn hitches_that_come_up_fail_and_as_many_as_before_pass() {
        assert_eq!(of(&[0], &[0; 5]).verdict, Verdict::Pass);
        let many = of(&[20], &[0, 1, 0, 2, 0]);
        assert_eq!((many.verdict.clone(), many.evidence.sides), (Verdict::Fail, (20.0, 0.6)));
        assert_eq!(of(&[6], &[0; 5]).verdict, Verdict::Warn);
        assert_eq!(of(&[1], &[2, 1, 3, 2, 2]).verdict, Verdict::Pass);
    }

    #[test]
    fn the_heavy_frames_are_the_baselines_not_the_runs() {
        let ramp: Vec<f64> = (0..400).map(f64::from).collect();
        let back: Vec<f64> = ramp.iter().rev().copied().collect();
        let values = Values { frames: (0..400).collect(), new: vec![back], stored: vec![ramp.clone(), ramp] };
        let heavy = heavy(&values).unwrap();
        assert_eq!(heavy.frames, (380..400).collect::<Vec<u64>>());
        assert_eq!(heavy.new[0], (0..20).rev().map(f64::from).collect::<Vec<f64>>());
    }

    #[test]
    fn too_few_frames_have_no_heavy_ones() {
        let values =
            Values { frames: (0..100).collect(), new: vec![vec![1.0; 100]], stored: vec![vec![1.0; 100]] };
        assert_eq!(heavy(&values), None);
    }
}
