//! Numbers as files spell them. In: one field's bytes. Out: exactly the number that the standard library reads from the
//! same text, or nothing; never a rounding of its own, never NaN or endless.

/// Powers of ten that an `f64` holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Whole numbers up to here are exact in an `f64`.
const EXACT: u64 = 1 << 53;

/// A decimal number: sign, digits, point, exponent. Nothing else, not even blanks around it.
///
/// The quick way is Clinger's ("How to read floating point numbers accurately", 1990): a whole number below 2^53 divided by
/// an exact power of ten is rounded once, so it is the nearest value. What does not fit goes to the standard library.
#[inline]
pub(crate) fn decimal(field: &[u8]) -> Option<f64> {
    let value = if field.len() <= 8 { short(field) } else { long(field) };
    value.or_else(|| by_standard(field))
}

/// How a number is written: with so many decimals, or none and no point. The numbers of a column mostly are written alike, so that a
/// reader who expects the same again need not look for the point, and reads many at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// A point as [`Shape::value`] sees it, in its place; 0 for none.
    point: u64,
    /// What takes the highest bit of each byte that is not as expected, once added: of 10 and more, or of anything in the point's
    /// place.
    odd: u64,
    /// What stands before the point.
    before: u64,
    /// Ten to the number of decimals.
    power: f64,
    /// Ten to the number of digits in eight bytes.
    next: i64,
}

/// The bytes of a field, eight and eight, the first one lowest, with whatever stands before it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    /// Those before the last eight; asked for only where a field may be longer than eight bytes.
    pub(crate) first: u64,
    /// The last eight.
    pub(crate) last: u64,
    /// How many bytes the field has.
    pub(crate) length: u64,
}

impl Shape {
    /// Digits and no point.
    pub(crate) const WHOLE: Self =
        Self { point: 0, odd: 0x7676_7676_7676_7676, before: 0, power: 1.0, next: 100_000_000 };

    /// So many decimals, 1 to 7.
    const fn decimals(decimals: usize) -> Self {
        let at = 1 << (8 * (7 - decimals));
        Self {
            point: 0x1e * at,
            odd: Self::WHOLE.odd + 0x09 * at,
            before: at - 1,
            power: POWERS[decimals],
            next: 10_000_000,
        }
    }

    /// How a field is written.
    pub(crate) fn of(field: &[u8]) -> Self {
        match field.iter().rev().position(|byte| *byte == b'.') {
            // A point at the end may be all there is.
            Some(decimals @ 1..8) => Self::decimals(decimals),
            _ => Self::WHOLE,
        }
    }

    /// The number in a field of this shape, to be settled by [`Shape::settle`], and 0; anything and not 0 for any other field, and for
    /// a zero with a minus. A field is of one to eight bytes, or of nine to sixteen where it is `LONG`. It never branches, so that
    /// many are read side by side.
    #[inline(always)]
    pub(crate) fn read<const LONG: bool>(&self, Word { first, last, length }: Word) -> (f64, u64) {
        let length = if LONG { length.wrapping_sub(8) } else { length };
        let too_long = u64::from(length.wrapping_sub(1) >= 8);
        let unused = 64_u64.wrapping_sub(length.wrapping_mul(8)) & 63;
        // The beginning of the field: what stands before it goes, and a minus becomes a zero.
        let digits = (if LONG { first } else { last } ^ ZEROS) >> unused;
        let minus = u64::from(digits & 0xff == u64::from(b'-' ^ b'0'));
        let digits = (digits & !(0xff * minus)) << unused;
        let (mut number, mut odd) = if LONG { Self::WHOLE.value(digits) } else { self.value(digits) };
        if LONG {
            let (rest, rest_odd) = self.value(last ^ ZEROS);
            number = number * self.next + rest;
            odd |= rest_odd | u64::from(number >= HELD);
        }
        let minus_zero = minus & u64::from(number == 0);
        let minus = minus.cast_signed();
        let number = (number ^ -minus) + minus;
        (f64::from_bits(HOLDER.to_bits().wrapping_add_signed(number)), odd | too_long | minus_zero)
    }

    /// What eight bytes of digits and a point make without the point, and whether anything else is among them: not 0 then.
    #[inline(always)]
    fn value(&self, digits: u64) -> (i64, u64) {
        let digits = digits ^ self.point;
        let odd = (digits.wrapping_add(self.odd) | digits) & 0x8080_8080_8080_8080;
        // What stands before the point moves up over it.
        let before = digits & self.before;
        let number = eight_digits(digits.wrapping_sub(before).wrapping_add(before << 8));
        (i64::from(number), odd)
    }

    /// The numbers that were read into these.
    #[inline(always)]
    pub(crate) fn settle(&self, read: &mut [f64]) {
        read.iter_mut().for_each(|value| *value = (*value - HOLDER) / self.power);
    }
}

/// 2^52 and half of it: an `f64` as large as that counts in ones, so that a whole number below 2^51 is added to its bits, and taken
/// out again by a subtraction. Turning whole numbers into floating point one by one costs more than reading them.
const HOLDER: f64 = 6_755_399_441_055_744.0;
const HELD: i64 = 1 << 51;

/// The number in a field of at most eight bytes.
fn short(field: &[u8]) -> Option<f64> {
    let shape = Shape::of(field);
    let last = field.iter().fold(0, |word, byte| word >> 8 | u64::from(*byte) << 56);
    let (number, odd) = shape.read::<false>(Word { first: 0, last, length: field.len() as u64 });
    let mut value = [number];
    shape.settle(&mut value);
    (odd == 0).then_some(value[0])
}

/// Any number of digits with at most one point and a sign, if nineteen digits are enough for it; none for anything else.
#[inline]
fn long(field: &[u8]) -> Option<f64> {
    let unsigned = field.strip_prefix(b"-").or_else(|| field.strip_prefix(b"+")).unwrap_or(field);
    let mut mantissa = 0;
    let before = take_digits(unsigned, &mut mantissa);
    let fraction = match unsigned.get(before) {
        None => &[],
        Some(b'.') => &unsigned[before + 1..],
        Some(_) => return None,
    };
    let digits = before + fraction.len();
    // Nineteen digits never overflow 64 bits.
    if digits == 0 || digits > 19 {
        return None;
    }
    let (eights, rest) = fraction.as_chunks::<8>();
    for eight in eights {
        mantissa = joined(mantissa, u64::from_le_bytes(*eight), 8)?;
    }
    if !rest.is_empty() {
        // The field's last eight bytes, what is not of the rest made digits 0.
        let (last, unused) = (u64::from_le_bytes(*field.last_chunk::<8>()?), 8 * (8 - rest.len()));
        let zeros = ZEROS >> (64 - unused);
        mantissa = joined(mantissa, last >> unused << unused | zeros, rest.len())?;
    }
    let (mantissa, after) = without_zeros(mantissa, fraction.len());
    #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
    let value = (mantissa <= EXACT).then(|| mantissa as f64 / POWERS[after])?;
    Some(if field[0] == b'-' { -value } else { value })
}

/// `mantissa` with the last `digits` of eight digits behind it.
#[inline]
fn joined(mantissa: u64, word: u64, digits: usize) -> Option<u64> {
    const SHIFTS: [u64; 9] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
    all_digits(word)
        .then(|| mantissa.wrapping_mul(SHIFTS[digits]).wrapping_add(u64::from(eight_digits(word & VALUES))))
}

/// Trailing zeros behind the point say nothing; without them most numbers of fourteen decimals fit into 53 bits.
#[inline]
fn without_zeros(mut mantissa: u64, mut after: usize) -> (u64, usize) {
    if mantissa > EXACT {
        for (power, zeros) in [(100_000_000, 8), (10_000, 4), (100, 2), (10, 1)] {
            if after >= zeros && mantissa.is_multiple_of(power) {
                mantissa /= power;
                after -= zeros;
            }
        }
    }
    (mantissa, after)
}

/// Reads digits into `into`, wrapping where they are too many; returns how many there were.
#[inline]
fn take_digits(bytes: &[u8], into: &mut u64) -> usize {
    let mut rest = bytes;
    while let Some((eight, tail)) = rest.split_first_chunk::<8>() {
        let word = u64::from_le_bytes(*eight);
        if !all_digits(word) {
            break;
        }
        *into = into.wrapping_mul(100_000_000).wrapping_add(u64::from(eight_digits(word & VALUES)));
        rest = tail;
    }
    while let Some((digit, tail)) = rest.split_first().filter(|(byte, _)| byte.is_ascii_digit()) {
        *into = into.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
        rest = tail;
    }
    bytes.len() - rest.len()
}

/// Whether all eight bytes are digits: each has the high half 3, and still has it with 6 added.
#[inline]
const fn all_digits(word: u64) -> bool {
    let high = 0xf0f0_f0f0_f0f0_f0f0;
    let three = 0x3030_3030_3030_3030;
    (word & high) == three && (word.wrapping_add(0x0606_0606_0606_0606) & high) == three
}

/// Eight digits 0, and which bits of their text are the values of any digits.
const ZEROS: u64 = 0x3030_3030_3030_3030;
const VALUES: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// The number that the values of eight digits make, the first one in the lowest byte: pairs, then fours, then all eight.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "eight digits are less than 2^27")]
const fn eight_digits(word: u64) -> u32 {
    let pairs = (word.wrapping_mul(10).wrapping_add(word >> 8)) & 0x00ff_00ff_00ff_00ff;
    let fours = (pairs.wrapping_mul(100).wrapping_add(pairs >> 16)) & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000).wrapping_add(fours >> 32) as u32
}

/// The standard library's reading, without its words for NaN and the endless.
#[cold]
fn by_standard(field: &[u8]) -> Option<f64> {
    let allowed = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    if !field.iter().all(allowed) {
        return None;
    }
    let value: f64 = std::str::from_utf8(field).ok()?.parse().ok()?;
    value.is_finite().then_some(value)
}

/// A decimal number with a comma for a point, as some locales write it; a point in it is none.
pub(crate) fn decimal_with_comma(field: &[u8]) -> Option<f64> {
    let mut copy = [0_u8; 64];
    let copy = copy.get_mut(..field.len())?;
    for (to, from) in copy.iter_mut().zip(field) {
        *to = match from {
            b'.' => return None,
            b',' => b'.',
            other => *other,
        };
    }
    decimal(copy)
}

/// A whole number without sign.
pub(crate) fn whole(field: &[u8]) -> Option<u64> {
    let mut value = 0;
    let digits = take_digits(field, &mut value);
    if digits != field.len() || digits == 0 {
        return None;
    }
    if digits <= 19 { Some(value) } else { std::str::from_utf8(field).ok()?.parse().ok() }
}

/// An address: `0x` and hexadecimal digits in any padding, or a whole number.
pub(crate) fn address(field: &[u8]) -> Option<u64> {
    let Some(digits) = field.strip_prefix(b"0x").or_else(|| field.strip_prefix(b"0X")) else {
        return whole(field);
    };
    let first = digits.iter().position(|&byte| byte != b'0').unwrap_or(digits.len());
    if digits.is_empty() || digits.len() - first > 16 {
        return None;
    }
    digits[first..].iter().try_fold(0_u64, |value, &byte| {
        let digit = char::from(byte).to_digit(16)?;
        Some(value << 4 | u64::from(digit))
    })
}

/// A local date and time `Y-M-D H:MM:SS.nnnnnnnnn`, no part padded but minutes and seconds: the days since 1970-01-01 and the
/// nanoseconds of the day. It has no zone, so it names no moment.
pub(crate) fn date_time(field: &[u8]) -> Option<(i64, u64)> {
    let text = std::str::from_utf8(field).ok()?;
    let (date, time) = text.split_once([' ', 'T'])?;
    let mut date = date.splitn(3, '-').map(|part| whole(part.as_bytes()));
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let mut time = time.splitn(3, ':');
    let (hours, minutes) = (whole(time.next()?.as_bytes())?, whole(time.next()?.as_bytes())?);
    let (seconds, fraction) = time.next().map(|it| it.split_once('.').unwrap_or((it, "")))?;
    let seconds = whole(seconds.as_bytes())?;
    let in_range = (1..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !in_range || hours > 23 || minutes > 59 || seconds > 60 || fraction.len() > 9 {
        return None;
    }
    let nanos = if fraction.is_empty() { 0 } else { whole(format!("{fraction:0<9}").as_bytes())? };
    let of_day = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000_000 + nanos;
    Some((days_since_1970(year.cast_signed(), month.cast_signed(), day.cast_signed()), of_day))
}

/// Days of the Gregorian calendar, years counted from March so that the leap day comes last (H. Hinnant, "chrono-compatible
/// low-level date algorithms").
const fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(text: &str) {
        let standard = text.parse::<f64>().ok().filter(|value| value.is_finite());
        let ours = decimal(text.as_bytes());
        assert_eq!(ours.map(f64::to_bits), standard.map(f64::to_bits), "{text:?}");
        // What stands around it changes nothing, and what is written otherwise than expected is no other number.
        for shape in (1..8).map(Shape::decimals).chain([Shape::WHOLE, Shape::of(text.as_bytes())]) {
            for before in ["0000000000000000", "-.-.-.-.-.-.-.-.", "12345678123456,-"] {
                let line = format!("{before}{text}");
                let (rest, last) = line.as_bytes().split_last_chunk().unwrap();
                let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
                let word = Word {
                    first: word(rest.last_chunk().unwrap()),
                    last: word(last),
                    length: text.len() as u64,
                };
                for (number, odd) in [shape.read::<false>(word), shape.read::<true>(word)] {
                    let mut value = [number];
                    shape.settle(&mut value);
                    let right = standard.is_some_and(|standard| standard.to_bits() == value[0].to_bits());
                    assert!(odd != 0 || right, "{text:?} behind {before:?}: {value:?}");
                }
            }
        }
    }

    #[test]
    fn numbers_of_captures_are_read_as_the_standard_library_reads_them() {
        for text in [
            "0",
            "-0.0000",
            "16.60830000000000",
            "116.44900000000001",
            "1857900376640",
            "0.00334499999999949",
            "45998123.4567",
            "9007199254740993",
            "9007199254740992.0",
            "18446744073709551615",
            "1e5",
            "-1.5E-3",
            "+7",
            ".5",
            "5.",
            "99999999999999999999",
            "0.000000000000000000001",
            "1e400",
            "1e-400",
            "12345678",
            "123456789.12345678",
            "00000000000000000000.5",
        ] {
            same(text);
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for text in [
            "", "-", ".", "NA", "nan", "inf", "1,5", "1 ", " 1", "0x10", "1e", "--1", "1.2.3", "1\0", "1e999",
        ] {
            assert_eq!(decimal(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(decimal_with_comma(b"12,5"), Some(12.5));
        assert_eq!(decimal_with_comma(b"12.5"), None);
        assert_eq!(decimal_with_comma(&[b'1'; 65]), None);
    }

    #[test]
    fn addresses_compare_as_integers_whatever_their_padding() {
        assert_eq!(address(b"0x000002408E0B7CA0"), address(b"0x2408E0B7CA0"));
        assert_eq!(address(b"0x0"), Some(0));
        assert_eq!(address(b"0x0000000000000000000000000000000F"), Some(15));
        assert_eq!(address(b"0x10000000000000000"), None);
        assert_eq!([address(b"0x"), address(b"0xG"), address(b"x1"), address(b"")], [None; 4]);
        assert_eq!([whole(b"18446744073709551615"), whole(b"18446744073709551616")], [Some(u64::MAX), None]);
    }

    #[test]
    fn dates_without_zone_and_padding_are_days_and_nanoseconds() {
        assert_eq!(date_time(b"1970-1-1 0:00:00.000000001"), Some((0, 1)));
        assert_eq!(date_time(b"2024-2-29 9:05:07.5"), Some((19_782, 32_707_500_000_000)));
        for text in [
            "2024-2-29",
            "2024-13-1 0:00:00",
            "2024-1-1 24:00:00",
            "2024-1-1 0:0:0.1234567890",
            "a-b-c d:e:f",
        ] {
            assert_eq!(date_time(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_decimal_is_the_standard_librarys(text in "[+-]?[0-9]{0,21}(\\.[0-9]{0,21})?([eE][+-]?[0-9]{1,3})?") {
            same(&text);
        }

        #[test]
        fn any_short_decimal_is_the_standard_librarys(text in "-?[0-9]{1,7}\\.[0-9]{1,14}") {
            same(&text);
        }

        #[test]
        fn any_value_survives_its_text(value in any::<f64>().prop_filter("finite", |value| value.is_finite())) {
            same(&format!("{value}"));
            same(&format!("{value:e}"));
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = (decimal(&bytes), decimal_with_comma(&bytes), whole(&bytes), address(&bytes), date_time(&bytes));
        }
    }
}
