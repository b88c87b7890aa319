//! Student's distribution with whole degrees of freedom. In: a probability or a value, and the degrees of freedom. Out: the
//! other of the two.

/// The probability that T lies above `t`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "runs are counted in thousands at most")]
pub fn above(t: f64, freedom: u64) -> f64 {
    let beyond = (1.0 - within((t.abs() / (freedom as f64).sqrt()).atan(), freedom)) / 2.0;
    if t >= 0.0 { beyond } else { 1.0 - beyond }
}

/// The t above which T lies with probability `tail`, for a tail between 0 and a half.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "runs are counted in thousands at most")]
pub fn quantile(tail: f64, freedom: u64) -> f64 {
    let level = 2.0f64.mul_add(-tail, 1.0);
    // Halving the angle's range 60 times leaves less than a double can tell.
    let (mut low, mut high) = (0.0, std::f64::consts::FRAC_PI_2);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, freedom) < level { low = middle } else { high = middle }
    }
    f64::midpoint(low, high).tan() * (freedom as f64).sqrt()
}

/// The probability that |T| stays below `tan(angle) · √freedom`: Abramowitz and Stegun, "Handbook of Mathematical Functions"
/// (1964), 26.7.3 and 26.7.4, finite sums for whole degrees of freedom.
#[expect(clippy::cast_precision_loss, reason = "runs are counted in thousands at most")]
fn within(angle: f64, freedom: u64) -> f64 {
    let (sine, cosine) = angle.sin_cos();
    // Each term is the one before times cos² and a quotient: 1/2, 3/4, ... if even; 2/3, 4/5, ... if odd.
    let odd = freedom % 2;
    let (mut term, mut sum) = (if odd == 1 { cosine } else { 1.0 }, 0.0);
    for i in 0..freedom / 2 {
        sum += term;
        let over = (2 * i + 1 + odd) as f64;
        term *= cosine * cosine * over / (over + 1.0);
    }
    if odd == 1 { (angle + sine * sum) * std::f64::consts::FRAC_2_PI } else { sine * sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Of any table of Student's t, such as Fisher and Yates, table III: 2.5 % and 1 % above.
        let table = [
            (1, 12.706, 31.821),
            (2, 4.303, 6.965),
            (3, 3.182, 4.541),
            (4, 2.776, 3.747),
            (5, 2.571, 3.365),
            (6, 2.447, 3.143),
            (7, 2.365, 2.998),
            (9, 2.262, 2.821),
            (10, 2.228, 2.764),
            (30, 2.042, 2.457),
            (120, 1.980, 2.358),
        ];
        for (freedom, two_and_a_half, one) in table {
            for (tail, expected) in [(0.025, two_and_a_half), (0.01, one)] {
                let found = quantile(tail, freedom);
                assert!((found - expected).abs() < 6e-4, "{freedom} at {tail}: {found}, not {expected}");
            }
        }
    }

    proptest! {
        #[test]
        fn tail_and_quantile_undo_each_other(tail in 1e-4..0.5f64, freedom in 1u64..200) {
            prop_assert!((above(quantile(tail, freedom), freedom) - tail).abs() < 1e-9);
            prop_assert!((above(-quantile(tail, freedom), freedom) - (1.0 - tail)).abs() < 1e-9);
        }

        #[test]
        fn more_runs_need_a_smaller_quantile(freedom in 1u64..200) {
            prop_assert!(quantile(0.025, freedom) > quantile(0.025, freedom + 1));
            prop_assert!(quantile(0.025, freedom) > 1.9599);
        }
    }
}
