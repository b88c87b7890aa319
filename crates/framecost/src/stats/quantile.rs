//! Quantiles. In: sorted values. Out: the type-7 quantile of Hyndman and Fan, "Sample quantiles in statistical packages",
//! The American Statistician 50 (1996) 361-365: linear between order statistics, numpy's and R's default.

/// How every percentile here is computed; reports carry it, since other tools take the nearest rank.
pub const METHOD: &str = "type 7 (linear between order statistics)";

/// The `q` quantile of values sorted in ascending order; none of no values. `q` outside 0 to 1 gives the nearer end.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
pub fn type7(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    at_place(sorted, last as f64 * q.clamp(0.0, 1.0))
}

/// The value at a fractional place, counted from 0, of values sorted in ascending order: linear between the two order
/// statistics around it. A place before the first or behind the last gives that one; none of no values.
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to an index of the slice"
)]
pub(crate) fn at_place(sorted: &[f64], place: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = place.clamp(0.0, last as f64);
    let below = (place as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    let part = place - below as f64;
    let distance = high - low;
    // Between values near the two ends of the range, the distance itself does not fit.
    let between = if distance.is_finite() { low + distance * part } else { low * (1.0 - part) + high * part };
    Some(between.clamp(low, high))
}

/// The same of values in any order, which it reorders, for growing `q`: linear in their number where sorting is not.
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to an index of the slice"
)]
pub(crate) fn select7<const N: usize>(values: &mut [f64], growing: [f64; N]) -> [Option<f64>; N] {
    // What is before is no greater than what is from there on, and of no interest to a later quantile.
    let mut from = 0;
    growing.map(|q| {
        let last = values.len().checked_sub(1)?;
        let place = last as f64 * q.clamp(0.0, 1.0);
        let below = (place as usize).clamp(from, last);
        let (_, low, above) = values[from..].select_nth_unstable_by(below - from, f64::total_cmp);
        let low = *low;
        let high = above.iter().copied().min_by(f64::total_cmp).unwrap_or(low);
        from = below;
        // Between the two, the place among all is that among them.
        type7(&[low, high], place - below as f64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Values from `numpy.percentile(x, q * 100)`, numpy 1.x and 2.x, method "linear".
    fn check(values: &[f64], q: f64, expected: f64) {
        let found = type7(values, q).unwrap();
        assert!(
            (found - expected).abs() <= 1e-12 * expected.abs(),
            "q {q} of {values:?}: {found}, not {expected}"
        );
    }

    #[test]
    fn quantiles_are_numpys() {
        check(&[1.0, 2.0, 3.0, 4.0], 0.5, 2.5);
        check(&[1.0, 2.0, 3.0, 4.0], 0.95, 3.85);
        check(&[15.0, 20.0, 35.0, 40.0, 50.0], 0.4, 29.0);
        check(&[15.0, 20.0, 35.0, 40.0, 50.0], 0.95, 48.0);
        let hundred: Vec<f64> = (1..=100).map(f64::from).collect();
        check(&hundred, 0.5, 50.5);
        check(&hundred, 0.95, 95.05);
        check(&hundred, 0.99, 99.01);
    }

    #[test]
    fn the_ends_are_the_extremes() {
        check(&[-3.0, 7.0], 0.0, -3.0);
        check(&[-3.0, 7.0], 1.0, 7.0);
        check(&[42.0], 0.99, 42.0);
        assert_eq!(type7(&[], 0.5), None);
    }

    #[test]
    fn values_at_the_ends_of_the_range_do_not_overflow() {
        assert_eq!(type7(&[f64::MIN, f64::MAX], 0.5), Some(0.0));
    }

    proptest! {
        #[test]
        fn selecting_gives_what_sorting_gives(mut values in prop::collection::vec(-1e6..1e6f64, 1..60), mut growing in prop::array::uniform3(0.0..=1.0f64)) {
            let mut sorted = values.clone();
            sorted.sort_unstable_by(f64::total_cmp);
            growing.sort_unstable_by(f64::total_cmp);
            for (found, q) in select7(&mut values, growing).into_iter().zip(growing) {
                let (found, expected) = (found.unwrap(), type7(&sorted, q).unwrap());
                prop_assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
            }
        }

        #[test]
        fn a_quantile_lies_between_its_neighbours_and_grows_with_q(
            mut values in prop::collection::vec(-1e12..1e12f64, 1..80), a in 0.0..1.0f64, b in 0.0..1.0f64,
        ) {
            values.sort_unstable_by(f64::total_cmp);
            let (low, high) = (type7(&values, a.min(b)).unwrap(), type7(&values, a.max(b)).unwrap());
            prop_assert!(values[0] <= low && high <= values[values.len() - 1]);
            prop_assert!(low <= high + 1e-6, "{low} at the lower q is above {high}");
        }
    }
}
