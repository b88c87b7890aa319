//! Bytes to text. In: a file's bytes. Out: the same text as UTF-8 without its mark, cut into lines; the encodings that capture
//! tools and shells leave, and no others.

use std::borrow::Cow;

use memchr::memchr;

use super::ReadError;

/// The longest line that is read, in bytes.
pub const MOST_LINE: usize = 1 << 20;

/// How a file's text was encoded: evidence of who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8 (or ASCII, or a system's own bytes) without a mark.
    Plain,
    /// UTF-8 with a byte order mark.
    Marked,
    /// UTF-16, little end first, with or without its mark: redirected by a shell of Windows.
    Utf16Le,
    /// UTF-16, big end first, with its mark.
    Utf16Be,
}

impl Encoding {
    /// The encoding of a file that begins so.
    #[must_use]
    pub fn of(head: &[u8]) -> Self {
        match head {
            [0xef, 0xbb, 0xbf, ..] => Self::Marked,
            [0xff, 0xfe, ..] => Self::Utf16Le,
            [0xfe, 0xff, ..] => Self::Utf16Be,
            // Four characters of ASCII with their upper bytes: no text of one byte per character has zeros.
            [a, 0, b, 0, c, 0, d, 0, ..]
                if [a, b, c, d].iter().all(|byte| byte.is_ascii() && **byte != 0) =>
            {
                Self::Utf16Le
            }
            _ => Self::Plain,
        }
    }
}

/// The text as UTF-8 without a mark. Files in UTF-8 are not copied; single bytes that are no UTF-8 stay for the columns to judge.
///
/// # Errors
/// UTF-16 that is none: half a character, or halves that make no pair; lines that end as old Macs ended them.
pub fn decode(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Encoding), ReadError> {
    let encoding = Encoding::of(bytes);
    let text = match encoding {
        Encoding::Plain => Cow::Borrowed(bytes),
        Encoding::Marked => Cow::Borrowed(&bytes[3..]),
        Encoding::Utf16Le => Cow::Owned(from_utf16(bytes, u16::from_le_bytes)?),
        Encoding::Utf16Be => Cow::Owned(from_utf16(bytes, u16::from_be_bytes)?),
    };
    if ends_with_cr_alone(&text) {
        return Err(ReadError::Encoding("line 1: lines end with CR alone; allowed: LF or CRLF".into()));
    }
    Ok((text, encoding))
}

/// Whether what follows a CR is a further line and no line ends in a way that is read. A CR at the very end may be half of a
/// CRLF that a beginning of a file was cut through.
fn ends_with_cr_alone(text: &[u8]) -> bool {
    // In this order a text of many lines is not looked at beyond its first.
    memchr(b'\n', text).is_none() && memchr(b'\r', &text[..text.len().saturating_sub(1)]).is_some()
}

fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<Vec<u8>, ReadError> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let fault = |line: usize, what: &str| {
        Err(ReadError::Encoding(format!("line {line}: {what}; allowed: whole UTF-16 text")))
    };
    let mut out = String::with_capacity(bytes.len() / 2);
    let units = pairs.iter().map(|pair| unit(*pair)).skip(usize::from(is_marked(bytes)));
    for character in char::decode_utf16(units) {
        match character {
            Ok(character) => out.push(character),
            Err(half) => {
                let line = 1 + out.matches('\n').count();
                return fault(
                    line,
                    &format!("0x{:04x} is half a character of UTF-16", half.unpaired_surrogate()),
                );
            }
        }
    }
    if !rest.is_empty() {
        return fault(1 + out.matches('\n').count(), "the file ends in the middle of a character of UTF-16");
    }
    Ok(out.into_bytes())
}

const fn is_marked(bytes: &[u8]) -> bool {
    matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..])
}

/// How many bytes at the end of a beginning of a file are the beginning of a character of UTF-16.
pub(super) fn cut_off(head: &[u8]) -> usize {
    let unit = |bytes: &[u8], unit: fn([u8; 2]) -> u16| bytes.last_chunk::<2>().map(|pair| unit(*pair));
    let even = &head[..head.len() & !1];
    let last = match Encoding::of(head) {
        Encoding::Plain | Encoding::Marked => return 0,
        Encoding::Utf16Le => unit(even, u16::from_le_bytes),
        Encoding::Utf16Be => unit(even, u16::from_be_bytes),
    };
    let first_half = last.is_some_and(|unit| (0xd800..0xdc00).contains(&unit));
    head.len() - even.len() + if first_half { 2 } else { 0 }
}

/// The lines of a text without their ends: LF, CRLF, or the end of the text.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Lines<'a> {
    pub(crate) const fn of(text: &'a [u8]) -> Self {
        Self { rest: text }
    }

    /// What was not handed out yet.
    pub(crate) const fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}

/// The length of the longest beginning of `text` that ends with a line's end and is at most `most` bytes long, or longer where
/// a single line is; the whole text where it has no further line end. For cutting a file into parts.
#[must_use]
pub fn whole_lines(text: &[u8], most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    match memchr::memrchr(b'\n', &text[..most]) {
        Some(end) => end + 1,
        None => memchr(b'\n', &text[most..]).map_or(text.len(), |end| most + end + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, unit: fn(u16) -> [u8; 2], marked: bool) -> Vec<u8> {
        let mark = marked.then_some(0xfeff);
        mark.into_iter().chain(text.encode_utf16()).flat_map(unit).collect()
    }

    #[test]
    fn every_encoding_of_a_text_is_the_same_text() {
        let text = "Application,ProcessID\r\nspi\u{eb}l \u{1f3ae}.exe,1\r\n";
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        for bytes in [
            text.as_bytes().to_vec(),
            marked,
            utf16(text, u16::to_le_bytes, true),
            utf16(text, u16::to_le_bytes, false),
            utf16(text, u16::to_be_bytes, true),
        ] {
            assert_eq!(decode(&bytes).unwrap().0, text.as_bytes());
        }
    }

    #[test]
    fn half_a_character_is_named_with_its_line() {
        let mut bytes = utf16("a\nb", u16::to_le_bytes, true);
        bytes.push(0);
        let fault = decode(&bytes).unwrap_err().to_string();
        assert_eq!(
            fault,
            "line 2: the file ends in the middle of a character of UTF-16; allowed: whole UTF-16 text"
        );
        let half = [0xff, 0xfe, 0x00, 0xd8, b'a', 0];
        assert!(decode(&half).unwrap_err().to_string().contains("0xd800 is half a character"));
    }

    #[test]
    fn lines_that_end_with_cr_alone_are_refused() {
        let said = "line 1: lines end with CR alone; allowed: LF or CRLF";
        let text = "Application,ProcessID\rgame.exe,1\r";
        for bytes in [text.as_bytes().to_vec(), utf16(text, u16::to_le_bytes, true)] {
            assert_eq!(decode(&bytes).unwrap_err().to_string(), said);
            assert_eq!(super::super::detect(&bytes).unwrap_err().to_string(), said);
        }
        for whole in ["a,b\r\nc\rd\r\n", "a\r", "a\nb\r", "", "a"] {
            assert!(decode(whole.as_bytes()).is_ok(), "{whole:?}");
        }
    }

    #[test]
    fn lines_end_in_any_of_three_ways() {
        let lines: Vec<&[u8]> = Lines::of(b"a\r\nb\n\nc").collect();
        assert_eq!(lines, [&b"a"[..], b"b", b"", b"c"]);
        assert_eq!(Lines::of(b"").count(), 0);
    }

    #[test]
    fn parts_end_with_lines() {
        let text = b"aaaa\nbbbb\ncc";
        assert_eq!([0, 4, 5, 9, 11, 12, 99].map(|most| whole_lines(text, most)), [5, 5, 5, 5, 10, 12, 12]);
    }

    #[test]
    fn a_beginning_cut_through_a_character_is_still_told() {
        let header =
            "Application,ProcessID,SwapChainAddress,Runtime,Dropped,TimeInSeconds,MsBetweenPresents\n";
        // Pairs of halves from an even and from an odd place on: one of the two is cut by the end of what is looked at.
        for filler in ["", "x"] {
            let text = format!("{header}{filler}{}", "\u{1f3ae}".repeat(40_000));
            assert!(super::super::detect(&utf16(&text, u16::to_le_bytes, true)).is_ok());
        }
    }
}
