//! Columns of numbers as the page carries them. In: values in a metric's unit. Out: whole numbers of one decimal step, since
//! thousands of frames with sixteen digits each would be most of the file.

use std::collections::BTreeMap;

use framecost_sample::{Reading, Unit};
use serde::Serialize;

use super::text::Text;

/// Steps that the largest value of a column may have: six digits, so that rounding lies below a part in 200,000 of it. For times on
/// a timeline, and for quantiles.
pub(super) const FINE: f64 = 1e6;
/// Five digits, for values frame by frame, of which there are most.
pub(super) const COARSE: f64 = 1e5;

/// Values as multiples of `step`; null where none was measured.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Column {
    /// One step, in the unit.
    step: f64,
    /// Values in steps.
    v: Vec<Option<i64>>,
}

/// Stretches of a column without a value: first place, last place, which reason.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Gaps(Vec<(usize, usize, usize)>);

/// The reasons of a run's gaps, each once.
#[derive(Debug, Default)]
pub(super) struct Reasons {
    list: Vec<Text>,
    index: BTreeMap<String, usize>,
}

impl Column {
    /// Finite values in at most so many steps of the largest of them.
    pub(super) fn of(unit: Unit, steps: f64, values: &[Option<f64>]) -> Self {
        let step = step(unit, steps, values.iter().flatten().copied());
        let whole = |value: &Option<f64>| value.map(|value| in_steps(value, step));
        Self { step, v: values.iter().map(whole).collect() }
    }
}

/// The power of ten of which the largest value has fewer than `steps`, and no finer than the unit is read.
pub(super) fn step(unit: Unit, steps: f64, values: impl Iterator<Item = f64>) -> f64 {
    let most = values.fold(0.0, |most: f64, value| most.max(value.abs()));
    let finest = match unit {
        Unit::Nanos | Unit::Bytes => 0,
        Unit::Count => -3,
        Unit::Ratio => -6,
    };
    let mut power = finest;
    while most / 10f64.powi(power) >= steps {
        power += 1;
    }
    10f64.powi(power)
}

#[expect(clippy::cast_possible_truncation, reason = "at most a million steps")]
pub(super) fn in_steps(value: f64, step: f64) -> i64 {
    (value / step).round() as i64
}

impl Gaps {
    /// The stretches of these readings that hold no value.
    pub(super) fn of(readings: &[Reading<f64>], reasons: &mut Reasons) -> Self {
        let mut gaps: Vec<(usize, usize, usize)> = Vec::new();
        for (place, reading) in readings.iter().enumerate() {
            let Some(reason) = reading.missing() else { continue };
            let reason = reasons.place(&reason.to_string());
            match gaps.last_mut().filter(|(_, last, same)| *last + 1 == place && *same == reason) {
                Some((_, last, _)) => *last = place,
                None => gaps.push((place, place, reason)),
            }
        }
        Self(gaps)
    }
}

impl Reasons {
    fn place(&mut self, reason: &str) -> usize {
        if let Some(place) = self.index.get(reason) {
            return *place;
        }
        let place = self.list.len();
        self.list.push(Text::of(reason));
        self.index.insert(reason.to_owned(), place);
        place
    }

    /// The reasons in the order of their numbers.
    pub(super) fn into_list(self) -> Vec<Text> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use framecost_sample::Reason;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_largest_value_keeps_five_digits_and_missing_stays_missing() {
        let column = Column::of(Unit::Nanos, FINE, &[Some(41_420_512.0), None, Some(0.0)]);
        assert_eq!(column, Column { step: 100.0, v: vec![Some(414_205), None, Some(0)] });
        assert_eq!(Column::of(Unit::Ratio, FINE, &[Some(0.5)]).v, [Some(500_000)]);
        assert_eq!(Column::of(Unit::Nanos, FINE, &[None]).v, [None]);
    }

    #[test]
    fn gaps_of_one_reason_are_one_stretch() {
        let missing = Reading::Missing;
        let readings =
            [missing(Reason::Zero), missing(Reason::Zero), Reading::Measured(1.0), missing(Reason::Stale)];
        let mut reasons = Reasons::default();
        assert_eq!(Gaps::of(&readings, &mut reasons), Gaps(vec![(0, 1, 0), (3, 3, 1)]));
        assert_eq!(reasons.into_list().len(), 2);
    }

    proptest! {
        #[test]
        fn no_value_moves_by_more_than_half_a_step(values in prop::collection::vec(any::<f64>(), 1..20)) {
            let values: Vec<Option<f64>> = values.into_iter().map(|value| Some(value).filter(|it| it.is_finite())).collect();
            let Column { step, v } = Column::of(Unit::Nanos, FINE, &values);
            let most = values.iter().flatten().fold(0.0, |most: f64, value| most.max(value.abs()));
            prop_assert!(step <= (most / 1e5).max(1.0) * (1.0 + 1e-9), "{step} for {most}");
            for (value, whole) in values.iter().zip(v) {
                prop_assert_eq!(value.is_some(), whole.is_some());
                if let (Some(value), Some(whole)) = (value, whole) {
                    prop_assert!((whole as f64 * step - value).abs() <= step * 0.5001);
                }
            }
        }
    }
}
