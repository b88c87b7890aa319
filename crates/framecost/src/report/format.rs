//! Numbers as table cells: at most four significant digits, a dash for what is missing.

use framecost_sample::{Nanos, Reading, Unit};

use super::Style;
use crate::stats::Quantile;

/// What stands in a cell without a value.
pub(super) const fn dash(style: &Style) -> &'static str {
    if style.unicode { "\u{2013}" } else { "-" }
}

/// A value in its unit.
pub(super) fn value(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Count => count(value),
        Unit::Nanos if value.abs() >= 9999.5e9 => format!("{value:.3e} ns"),
        Unit::Nanos => Nanos(value).to_string(),
        Unit::Bytes if value.abs() >= 9999.5 * 1_099_511_627_776.0 => format!("{value:.3e} B"),
        Unit::Bytes if value.abs() < 1024.0 => format!("{} B", count(value)),
        Unit::Bytes => unit.show(value),
        Unit::Ratio => ratio(value),
    }
}

/// A number of things with four digits: `9999`, `137.7 k`, `5.552 M`.
fn count(value: f64) -> String {
    const SCALES: [(f64, &str); 3] = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let magnitude = value.abs();
    if magnitude < 9999.5 {
        return Unit::Count.show(value);
    }
    if magnitude >= 9999.5e9 {
        return format!("{value:.3e}");
    }
    // The borders sit where rounding to four digits would reach the next scale.
    let scale = SCALES.iter().find(|(scale, _)| magnitude >= scale * 0.999_95).unwrap_or(&SCALES[2]);
    format!("{}{}", ratio(value / scale.0), scale.1)
}

/// A number without a unit, with four digits.
pub(super) fn ratio(value: f64) -> String {
    if value.abs() >= 9999.5 { format!("{value:.3e}") } else { Unit::Ratio.show(value) }
}

/// A part of a whole in percent: one digit behind the point as long as there are no more than four, then commas between
/// thousands, as far as a reader could still count them.
pub(super) fn percent(part: f64) -> String {
    let percent = part * 100.0;
    match percent.abs() {
        // Else a fall by less than what is shown would be a zero with a sign.
        m if m < 0.05 => "0.0 %".into(),
        m if m < 999.95 => format!("{percent:.1} %"),
        m if m < 1e15 => format!("{} %", thousands(&format!("{percent:.0}"))),
        _ => format!("{percent:.3e} %"),
    }
}

/// Digits with a comma between thousands; a sign before them stays.
fn thousands(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let mut out = String::from(sign);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A statistic that may be withheld.
pub(super) fn quantile(quantile: Quantile, unit: Unit, style: &Style) -> String {
    quantile.value().map_or_else(|| dash(style).into(), |it| value(it, unit))
}

/// A reading in percent.
pub(super) fn share(reading: &Reading<f64>, style: &Style) -> String {
    reading.measured().map_or_else(|| dash(style).into(), |part| percent(*part))
}

/// A ratio that may be absent.
pub(super) fn some_ratio(value: Option<f64>, style: &Style) -> String {
    value.map_or_else(|| dash(style).into(), ratio)
}

/// A bar of `cells` cells for a part of a whole: eighths of a block, or `#` in ASCII. A part above zero that is too small
/// for its first step still shows, as a hairline or a dot.
pub(super) fn bar(part: f64, cells: usize, style: &Style) -> String {
    const EIGHTHS: [&str; 8] =
        ["", "\u{258f}", "\u{258e}", "\u{258d}", "\u{258c}", "\u{258b}", "\u{258a}", "\u{2589}"];
    let part = if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.0 };
    let steps_per_cell = if style.unicode { EIGHTHS.len() } else { 1 };
    #[expect(clippy::cast_precision_loss, reason = "a few hundred steps")]
    let exact = part * (cells * steps_per_cell) as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the bar's width")]
    let steps = exact.round() as usize;
    match (steps, style.unicode) {
        (0, _) if part <= 0.0 => String::new(),
        (0, true) => EIGHTHS[1].into(),
        (0, false) => ".".into(),
        (steps, true) => {
            format!("{}{}", "\u{2588}".repeat(steps / EIGHTHS.len()), EIGHTHS[steps % EIGHTHS.len()])
        }
        (steps, false) => "#".repeat(steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNICODE: Style = Style { colour: false, unicode: true, width: 100 };

    #[test]
    fn counts_keep_four_digits() {
        let shown = |count| value(count, Unit::Count);
        assert_eq!(shown(60.0), "60");
        assert_eq!(shown(9999.0), "9999");
        assert_eq!(shown(137_730.0), "137.7 k");
        assert_eq!(shown(999_960.0), "1.000 M");
        assert_eq!(shown(5_552_214.0), "5.552 M");
        assert_eq!(shown(2.5), "2.500");
        assert_eq!(shown(1e300), "1.000e300");
    }

    #[test]
    fn percentages_are_plain_digits_as_far_as_they_can_be_read() {
        assert_eq!(
            [0.0, 0.123_45, 1.0, 11.55, 116.0, -1e4, 1e20].map(percent),
            ["0.0 %", "12.3 %", "100.0 %", "1,155 %", "11,600 %", "-1,000,000 %", "1.000e22 %"]
        );
    }

    #[test]
    fn a_bar_shows_every_part_above_zero_and_never_outgrows_its_cells() {
        assert_eq!(bar(0.0, 10, &UNICODE), "");
        assert_eq!(bar(1e-9, 10, &UNICODE), "\u{258f}");
        assert_eq!(bar(1e-9, 10, &Style::PLAIN), ".");
        assert_eq!(bar(0.5, 10, &Style::PLAIN), "#####");
        assert_eq!(bar(1.0, 3, &UNICODE), "\u{2588}\u{2588}\u{2588}");
        assert_eq!(bar(f64::INFINITY, 3, &UNICODE), "");
        assert_eq!(bar(7.0, 3, &Style::PLAIN), "###");
    }
}
