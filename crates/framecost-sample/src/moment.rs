//! Moments as files hold them: RFC 3339 in UTC. In: a text. Out: whether it is one.

/// Whether `text` is a moment as RFC 3339 writes it, in UTC: `2026-01-31T12:00:00Z`, with or without a fraction of a second.
#[must_use]
pub fn is_moment(text: &str) -> bool {
    parts(text).is_some()
}

fn parts(text: &str) -> Option<()> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = fields(date, '-', [4, 2, 2])?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let [hour, minute, second] = fields(time, ':', [2, 2, 2])?;
    let in_time = hour < 24 && minute < 60 && second <= 60; // a leap second is the sixtieth
    let in_date = (1..=12).contains(&month) && (1..=days(year, month)).contains(&day);
    let is_fraction = (1..=9).contains(&fraction.len()) && fraction.bytes().all(|b| b.is_ascii_digit());
    (in_date && in_time && is_fraction).then_some(())
}

/// Three numbers of exactly so many digits.
fn fields(text: &str, separator: char, digits: [usize; 3]) -> Option<[u32; 3]> {
    let mut numbers = [0; 3];
    let mut rest = text.split(separator);
    for (number, digits) in numbers.iter_mut().zip(digits) {
        let field = rest.next()?;
        let plain = field.len() == digits && field.bytes().all(|b| b.is_ascii_digit());
        *number = plain.then(|| field.parse().ok())??;
    }
    rest.next().is_none().then_some(numbers)
}

const fn days(year: u32, month: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_moments_in_utc_are_moments() {
        for good in [
            "2026-01-31T12:00:00Z",
            "2024-02-29T23:59:60Z",
            "2000-02-29T00:00:00.123456789Z",
            "0000-12-31T00:00:00.0Z",
        ] {
            assert!(is_moment(good), "{good}");
        }
        for bad in [
            "",
            "yesterday",
            "2026-01-31",
            "2026-01-31T12:00:00",
            "2026-01-31T12:00:00+00:00",
            "2026-01-31 12:00:00Z",
            "2026-13-01T12:00:00Z",
            "2026-02-29T12:00:00Z",
            "2100-02-29T12:00:00Z",
            "2026-04-31T12:00:00Z",
            "2026-01-00T12:00:00Z",
            "2026-01-31T24:00:00Z",
            "2026-01-31T12:60:00Z",
            "2026-01-31T12:00:61Z",
            "2026-01-31T12:00:00.Z",
            "2026-01-31T12:00:00.0123456789Z",
            "2026-1-31T12:00:00Z",
            "2026-01-31T12:00:00:00Z",
            "+026-01-31T12:00:00Z",
            "\u{661}026-01-31T12:00:00Z",
        ] {
            assert!(!is_moment(bad), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC*") {
            let _ = is_moment(&text);
        }
    }
}
