//! Text of a system's own encoding. In: bytes. Out: the same as UTF-8, and whether it was none before.

use std::borrow::Cow;

/// The characters of Windows-1252 from 0x80 to 0x9f; all others are those of Latin-1. Five are not used there and stay control
/// characters, as the WHATWG's encoding standard has it.
const UPPER: [char; 32] = [
    '\u{20ac}', '\u{81}', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}', '\u{2c6}',
    '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8d}', '\u{17d}', '\u{8f}', '\u{90}', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}', '\u{161}',
    '\u{203a}', '\u{153}', '\u{9d}', '\u{17e}', '\u{178}',
];

/// The text as it is where it is UTF-8, else as Windows-1252; and whether it was the latter.
pub(super) fn readable(text: &[u8]) -> (Cow<'_, [u8]>, bool) {
    if std::str::from_utf8(text).is_ok() {
        return (Cow::Borrowed(text), false);
    }
    let character = |byte: &u8| match byte {
        0x80..=0x9f => UPPER[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    (Cow::Owned(text.iter().map(character).collect::<String>().into_bytes()), true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_a_system_become_characters() {
        assert_eq!(readable("\u{b0}C".as_bytes()), (Cow::Borrowed("\u{b0}C".as_bytes()), false));
        let (text, foreign) = readable(b"\xb0C \x80 \xff");
        assert_eq!((std::str::from_utf8(&text).unwrap(), foreign), ("\u{b0}C \u{20ac} \u{ff}", true));
    }
}
