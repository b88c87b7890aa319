//! The threshold rule: one statistic against another, a relative limit and an absolute floor. In: two values. Out: which
//! side of the limits the change lies on. It says nothing about how sure it is.

use framecost_sample::Better;

/// Limits of the threshold rule for one figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Growth past which a figure fails, as a part of the baseline: 0.1 is 10 %.
    pub fail: f64,
    /// Growth past which it warns.
    pub warn: f64,
    /// Growth up to which nothing is judged, in the metric's unit.
    pub floor: f64,
}

impl Limits {
    /// A limit on growth as the change of the figure at which it is passed, a part of the baseline: the growth itself, or the
    /// fall that undoes it. A frame time that grows by 10 % is a rate that falls by 9.1 %, so that the two pass a limit together.
    #[must_use]
    pub fn as_change(limit: f64, grows: bool) -> f64 {
        if grows { limit } else { 1.0 / (1.0 + limit) - 1.0 }
    }

    /// The changes at which a figure fails and warns: growth where less is better, a fall where more is.
    #[must_use]
    pub fn changes(&self, better: Option<Better>) -> (f64, f64) {
        let grows = better != Some(Better::Higher);
        (Self::as_change(self.fail, grows), Self::as_change(self.warn, grows))
    }
}

/// Where a change lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Inside the limits.
    Pass,
    /// A gain that would fail as a loss.
    Improved,
    /// A loss past the warning limit and the floor.
    Warn,
    /// A loss past the limit and the floor.
    Fail,
}

/// Judges a change. At or below the baseline passes at once. Otherwise a limit is passed where
/// `current / baseline > 1 + limit` **and** `current - baseline > floor`; from a baseline at or below zero any growth is
/// past every ratio, and only the floor decides. Where more is better the two change roles, so that the limit is a fall by
/// [`Limits::as_change`]: 9.1 % where growth is limited to 10 %.
#[must_use]
pub fn decide(current: f64, baseline: f64, better: Better, limits: &Limits) -> Change {
    let (now, before) = match better {
        Better::Lower | Better::Neither => (current, baseline),
        Better::Higher => (baseline, current),
    };
    if now <= before {
        let gained = past(before, now, limits.fail, limits.floor);
        return if gained { Change::Improved } else { Change::Pass };
    }
    if past(now, before, limits.fail, limits.floor) {
        Change::Fail
    } else if past(now, before, limits.warn, limits.floor) {
        Change::Warn
    } else {
        Change::Pass
    }
}

/// Whether `more` lies past `less` by the relative limit and by the floor.
fn past(more: f64, less: f64, limit: f64, floor: f64) -> bool {
    let ratio = if less > 0.0 { more / less } else { f64::INFINITY };
    ratio > 1.0 + limit && more - less > floor
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const US: f64 = 1e3;
    const GPU: Limits = Limits { fail: 0.10, warn: 0.05, floor: 20.0 * US };

    /// Microseconds from and to, where less is better.
    fn check(baseline_us: f64, current_us: f64, expected: Change) {
        let found = decide(current_us * US, baseline_us * US, Better::Lower, &GPU);
        assert_eq!(found, expected, "from {baseline_us} us to {current_us} us");
    }

    #[test]
    fn at_or_below_the_baseline_passes_at_once() {
        check(1000.0, 1000.0, Change::Pass);
        check(1000.0, 999.0, Change::Pass);
        check(0.0, 0.0, Change::Pass);
        check(-10.0, -10.0, Change::Pass);
    }

    #[test]
    fn a_failure_takes_more_than_the_ratio_and_more_than_the_floor() {
        check(1000.0, 1101.0, Change::Fail);
        check(1000.0, 1100.0, Change::Warn);
        check(100.0, 120.0, Change::Pass);
        check(100.0, 120.1, Change::Fail);
        check(100_000.0, 104_000.0, Change::Pass);
    }

    #[test]
    fn a_warning_takes_more_than_its_ratio_and_more_than_the_floor() {
        check(1000.0, 1051.0, Change::Warn);
        check(1000.0, 1049.0, Change::Pass);
        check(100.0, 108.0, Change::Pass);
    }

    #[test]
    fn from_minus_10_us_minus_40_passes_and_600_fails() {
        // A difference of two runs may be negative, and so may its median.
        check(-10.0, 600.0, Change::Fail);
        let found = decide(-40.0 * US, -10.0 * US, Better::Lower, &GPU);
        assert!(matches!(found, Change::Pass | Change::Improved), "{found:?}: a fall is no loss");
    }

    #[test]
    fn from_a_baseline_at_or_below_zero_only_the_floor_decides() {
        check(0.0, 20.0, Change::Pass);
        check(0.0, 20.1, Change::Fail);
        check(-10.0, 10.0, Change::Pass);
        check(-10.0, 11.0, Change::Fail);
    }

    #[test]
    fn improvements_follow_the_same_rule() {
        check(1101.0, 1000.0, Change::Improved);
        check(1100.0, 1000.0, Change::Pass);
        check(120.0, 100.0, Change::Pass);
        check(1000.0, 30.0, Change::Improved);
    }

    #[test]
    fn where_more_is_better_less_fails() {
        let rate = Limits { fail: 0.10, warn: 0.05, floor: 0.0 };
        assert_eq!(decide(54.0, 60.0, Better::Higher, &rate), Change::Fail);
        assert_eq!(decide(56.0, 60.0, Better::Higher, &rate), Change::Warn);
        assert_eq!(decide(70.0, 60.0, Better::Higher, &rate), Change::Improved);
        assert_eq!(decide(0.0, 60.0, Better::Higher, &rate), Change::Fail);
    }

    #[test]
    fn a_time_and_its_rate_pass_their_limits_together() {
        let limits = Limits { fail: 0.10, warn: 0.05, floor: 0.0 };
        for percent in 80..=130 {
            let time = f64::from(percent) / 100.0 + 1e-9;
            let of_time = decide(time, 1.0, Better::Lower, &limits);
            assert_eq!(decide(1.0 / time, 1.0, Better::Higher, &limits), of_time, "{percent} % of the time");
        }
        let (fail, warn) = limits.changes(Some(Better::Higher));
        assert!((fail + 1.0 / 11.0).abs() < 1e-12 && (warn + 1.0 / 21.0).abs() < 1e-12, "{fail} {warn}");
        assert_eq!(decide(1.0 + fail - 1e-9, 1.0, Better::Higher, &limits), Change::Fail);
        assert_eq!(decide(1.0 + fail + 1e-9, 1.0, Better::Higher, &limits), Change::Warn);
        assert_eq!(limits.changes(Some(Better::Lower)), (0.10, 0.05));
    }

    proptest! {
        #[test]
        fn a_fall_never_fails_and_a_gain_swapped_is_a_failure(a in -1e9..1e9f64, b in -1e9..1e9f64) {
            let (there, back) = (decide(a, b, Better::Lower, &GPU), decide(b, a, Better::Lower, &GPU));
            prop_assert_eq!(there == Change::Improved, back == Change::Fail);
            prop_assert!(a > b || matches!(there, Change::Pass | Change::Improved), "{} from {}: {:?}", a, b, there);
        }

        #[test]
        fn more_growth_is_never_judged_milder(base in -1e9..1e9f64, less in 0.0..1e9f64, more in 0.0..1e9f64) {
            let rank = |growth| match decide(base + growth, base, Better::Lower, &GPU) {
                Change::Improved | Change::Pass => 0,
                Change::Warn => 1,
                Change::Fail => 2,
            };
            prop_assert!(rank(less.min(more)) <= rank(less.max(more)));
        }
    }
}
