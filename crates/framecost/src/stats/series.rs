//! A figure's values over a run's frames, stored only where the capture has something to say. In: readings by place.
//! Out: a reading for every place. A foreign capture may name 65,536 passes and millions of frames with few stamps.

use std::collections::BTreeMap;

use framecost_sample::{Reading, Reason};

/// Readings at places `0..len`; those not stored are missing, all for the same reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    len: usize,
    stored: Vec<(usize, Reading<f64>)>,
    elsewhere: Reason,
}

impl Series {
    /// A series of `len` places, all missing for that reason.
    #[must_use]
    pub const fn new(len: usize, elsewhere: Reason) -> Self {
        Self { len, stored: Vec::new(), elsewhere }
    }

    /// Stores a reading; places are to ascend. One that does not, or lies past the end, is not stored: `false`.
    pub fn push(&mut self, place: usize, reading: Reading<f64>) -> bool {
        let ascends = self.stored.last().is_none_or(|(last, _)| *last < place);
        let fits = ascends && place < self.len;
        if fits {
            self.stored.push((place, reading));
        }
        fits
    }

    /// How many places there are: the run's frames, or 1 for a figure of the run.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no place at all.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The reading at a place; none past the end.
    #[must_use]
    pub fn get(&self, place: usize) -> Option<Reading<f64>> {
        if place >= self.len {
            return None;
        }
        let found = self.stored.binary_search_by_key(&place, |entry| entry.0);
        Some(found.map_or_else(|_| Reading::Missing(self.elsewhere.clone()), |i| self.stored[i].1.clone()))
    }

    /// The measured values with their places, ascending.
    pub fn measured(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.stored.iter().filter_map(|(place, reading)| reading.measured().map(|value| (*place, *value)))
    }

    /// How many places are missing, by reason.
    #[must_use]
    pub fn missing(&self) -> BTreeMap<Reason, u64> {
        let mut missing = BTreeMap::new();
        let elsewhere = (self.len - self.stored.len()) as u64;
        if elsewhere > 0 {
            missing.insert(self.elsewhere.clone(), elsewhere);
        }
        for reason in self.stored.iter().filter_map(|(_, reading)| reading.missing()) {
            *missing.entry(reason.clone()).or_insert(0) += 1;
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_stored_is_missing_for_the_series_reason() {
        let mut series = Series::new(4, Reason::NotExecuted);
        assert!(series.push(1, Reading::Measured(5.0)) && series.push(3, Reading::Missing(Reason::Zero)));
        assert_eq!(series.get(0), Some(Reading::Missing(Reason::NotExecuted)));
        assert_eq!(series.get(1), Some(Reading::Measured(5.0)));
        assert_eq!(series.get(4), None);
        assert_eq!(series.measured().collect::<Vec<_>>(), [(1, 5.0)]);
        let missing = BTreeMap::from([(Reason::NotExecuted, 2), (Reason::Zero, 1)]);
        assert_eq!(series.missing(), missing);
    }

    #[test]
    fn places_ascend_and_lie_inside() {
        let mut series = Series::new(2, Reason::NotExecuted);
        assert!(series.push(1, Reading::Measured(1.0)));
        assert!(!series.push(0, Reading::Measured(2.0)), "out of order");
        assert!(!series.push(2, Reading::Measured(2.0)), "past the end");
        assert_eq!(series.measured().count(), 1);
    }
}
