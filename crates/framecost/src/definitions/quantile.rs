//! Every way to take a quantile of a sample that a tool in use takes. In: sorted values, a quantile, a method. Out: the value.
//! Methods 1 to 9 are those of Hyndman and Fan, "Sample quantiles in statistical packages", The American Statistician 50 (1996)
//! 361-365; the other four are numpy's. All give what `numpy.quantile` gives (numpy 2), which a test holds them to.

use crate::stats::{at_place, type7};

/// How a quantile is taken of a sample of `n` values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Type 1: the value of rank `ceil(n q)`, the nearest rank.
    R1,
    /// Type 2: as type 1, with the mean of two values where `n q` is whole.
    R2,
    /// Type 3: the value of the rank next to `n q`, the even one of two as near.
    R3,
    /// Type 4: linear in the empirical distribution, at `n q`.
    R4,
    /// Type 5: at `n q + 1/2`, Hazen's.
    R5,
    /// Type 6: at `(n + 1) q`, Weibull's; `PERCENTILE.EXC` of spreadsheets.
    R6,
    /// Type 7: at `(n - 1) q + 1`; the default of numpy and R, `PERCENTILE.INC` of spreadsheets.
    R7,
    /// Type 8: at `(n + 1/3) q + 1/3`, about unbiased for the median; that of Math.NET.
    R8,
    /// Type 9: at `(n + 1/4) q + 3/8`, about unbiased for normal values.
    R9,
    /// The value below the place of type 7.
    Lower,
    /// The value above the place of type 7.
    Higher,
    /// The mean of the values around the place of type 7.
    Midpoint,
    /// The value nearest to the place of type 7, the even index of two as near.
    Nearest,
}

impl Method {
    /// Every method.
    pub const ALL: [Self; 13] = [
        Self::R1,
        Self::R2,
        Self::R3,
        Self::R4,
        Self::R5,
        Self::R6,
        Self::R7,
        Self::R8,
        Self::R9,
        Self::Lower,
        Self::Higher,
        Self::Midpoint,
        Self::Nearest,
    ];

    /// Its name in ids: `r7`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        self.names().0
    }

    /// Its name in numpy: `linear`.
    #[must_use]
    pub const fn numpy(self) -> &'static str {
        self.names().1
    }

    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::R1 => ("r1", "inverted_cdf"),
            Self::R2 => ("r2", "averaged_inverted_cdf"),
            Self::R3 => ("r3", "closest_observation"),
            Self::R4 => ("r4", "interpolated_inverted_cdf"),
            Self::R5 => ("r5", "hazen"),
            Self::R6 => ("r6", "weibull"),
            Self::R7 => ("r7", "linear"),
            Self::R8 => ("r8", "median_unbiased"),
            Self::R9 => ("r9", "normal_unbiased"),
            Self::Lower => ("lower", "lower"),
            Self::Higher => ("higher", "higher"),
            Self::Midpoint => ("midpoint", "midpoint"),
            Self::Nearest => ("nearest", "nearest"),
        }
    }

    /// The method of that name in ids.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.id() == id)
    }
}

/// The `q` quantile of values sorted in ascending order; none of no values or of a `q` that is no number. `q` outside 0 to 1
/// gives the nearer end. Never outside the values.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a run holds far fewer than 2^52 frames")]
pub fn quantile(sorted: &[f64], q: f64, method: Method) -> Option<f64> {
    if q.is_nan() {
        return None;
    }
    let (n, q) = (sorted.len() as f64, q.clamp(0.0, 1.0));
    // The place of a value counted from 0, by the parameters alpha and beta of Hyndman and Fan's formula.
    let between = |alpha: f64, beta: f64| n * q + (alpha + q * (1.0 - alpha - beta)) - 1.0;
    let of_seven = (n - 1.0) * q;
    let place = match method {
        Method::R7 => return type7(sorted, q),
        Method::R1 => (n * q - 1.0).ceil(),
        Method::R2 => {
            let place = n * q - 1.0;
            if place.fract() == 0.0 { place + 0.5 } else { place.ceil() }
        }
        Method::R3 => three(n * q - 1.5),
        Method::R4 => between(0.0, 1.0),
        Method::R5 => between(0.5, 0.5),
        Method::R6 => between(0.0, 0.0),
        Method::R8 => between(1.0 / 3.0, 1.0 / 3.0),
        Method::R9 => between(3.0 / 8.0, 3.0 / 8.0),
        Method::Lower => of_seven.floor(),
        Method::Higher => of_seven.ceil(),
        Method::Midpoint => f64::midpoint(of_seven.floor(), of_seven.ceil()),
        Method::Nearest => of_seven.round_ties_even(),
    };
    // Between the last value and one behind it, method 2 would take the mean with itself, as it should.
    at_place(sorted, place)
}

/// The place next to half a place further on; of two as near, the odd one: its rank, counted from 1, is even.
fn three(place: f64) -> f64 {
    let is_odd = place.floor().rem_euclid(2.0) > 0.5;
    if place.fract() == 0.0 && is_odd { place } else { place.floor() + 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_unique_and_lead_back() {
        for method in Method::ALL {
            assert_eq!(Method::from_id(method.id()), Some(method));
        }
        assert_eq!(Method::from_id("r10"), None);
    }

    #[test]
    fn quantiles_of_nothing_or_at_nothing_are_none() {
        for method in Method::ALL {
            assert_eq!(quantile(&[], 0.5, method), None, "{method:?}");
            assert_eq!(quantile(&[1.0], f64::NAN, method), None, "{method:?}");
            assert_eq!(quantile(&[3.0], 0.99, method), Some(3.0), "{method:?}");
        }
    }

    #[test]
    fn the_methods_differ_where_they_should() {
        let ten: Vec<f64> = (1..=10).map(f64::from).collect();
        let at = |method| quantile(&ten, 0.95, method).unwrap();
        assert_eq!([Method::R1, Method::Nearest].map(|it| quantile(&ten, 0.95, it)), [Some(10.0); 2]);
        assert!((at(Method::R7) - 9.55).abs() < 1e-12);
        assert!((at(Method::R6) - 10.0).abs() < 1e-12, "type 6 is past the last value and takes it");
        assert_eq!(quantile(&ten, 0.95, Method::Lower), Some(9.0));
    }

    proptest! {
        #[test]
        fn a_quantile_is_never_outside_the_values(
            mut values in prop::collection::vec(-1e12..1e12f64, 1..60), q in -0.5..1.5f64,
        ) {
            values.sort_unstable_by(f64::total_cmp);
            for method in Method::ALL {
                let found = quantile(&values, q, method).unwrap();
                prop_assert!(values[0] <= found && found <= values[values.len() - 1], "{method:?}: {found}");
            }
        }
    }
}
