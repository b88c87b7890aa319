//! Moments in order. In: RFC 3339 in UTC, as captures hold it. Out: nanoseconds since the year 0, which compare and subtract.

use framecost_sample::is_moment;

const SECOND: i128 = 1_000_000_000;

/// Nanoseconds since the year 0; none for a text that is no moment.
pub(super) fn nanos(text: &str) -> Option<i128> {
    if !is_moment(text) {
        return None;
    }
    let number = |from: usize, to: usize| text.get(from..to)?.parse::<i128>().ok();
    let days = days(number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let seconds = number(11, 13)? * 3600 + number(14, 16)? * 60 + number(17, 19)?;
    let digits = text.get(20..text.len() - 1).unwrap_or_default();
    let fraction = format!("{digits:0<9}").parse::<i128>().ok()?;
    Some((days * 86_400 + seconds) * SECOND + fraction)
}

/// Days since the first of March of the year 0, in the calendar of today: leap days then come at the end of a year.
const fn days(year: i128, month: i128, day: i128) -> i128 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    365 * year + year.div_euclid(4) - year.div_euclid(100)
        + year.div_euclid(400)
        + (153 * month + 2) / 5
        + day
        - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_as_far_apart_as_they_are() {
        let apart = |a: &str, b: &str| (nanos(b).unwrap() - nanos(a).unwrap()) / SECOND;
        assert_eq!(apart("1970-01-01T00:00:00Z", "2000-03-01T00:00:00Z"), 951_868_800);
        assert_eq!(apart("2024-02-28T23:59:59Z", "2024-02-29T00:00:00Z"), 1);
        assert_eq!(apart("2023-12-31T23:00:00Z", "2024-01-01T01:00:01Z"), 7201);
        assert_eq!(nanos("yesterday"), None);
    }

    #[test]
    fn a_fraction_comes_after_its_second() {
        // As texts these two stand the other way round.
        assert!(nanos("2026-01-31T12:00:00.5Z") > nanos("2026-01-31T12:00:00Z"));
        assert!(nanos("2026-01-31T12:00:00.5Z") > nanos("2026-01-31T12:00:00.49Z"));
    }
}
