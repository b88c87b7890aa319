//! A line cut into fields. In: a line and a separator. Out: the fields' places, in room that is used again for every line.

use memchr::memchr;

/// The fields of one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    line: &'a [u8],
    /// Where each field ends.
    ends: &'a [u32],
    quoted: bool,
}

impl<'a> Fields<'a> {
    /// Cuts a line of less than 4 GiB at each `separator`; inside quotes it is none, where `quotes` may be. A quote opens only at
    /// a field's start and closes only at its end.
    #[inline]
    pub(crate) fn cut(line: &'a [u8], separator: u8, quotes: bool, ends: &'a mut Vec<u32>) -> Self {
        ends.clear();
        let quoted = quotes && memchr(b'"', line).is_some();
        if quoted {
            cut_quoted(line, separator, ends);
        } else {
            cut_plain(line, separator, ends);
        }
        ends.push(narrow(line.len()));
        Self { line, ends, quoted }
    }

    /// How many there are: at least one.
    #[inline]
    pub(crate) const fn len(self) -> usize {
        self.ends.len()
    }

    /// The field at that place, without its quotes; empty past the last.
    #[inline]
    pub(crate) fn get(self, index: usize) -> &'a [u8] {
        let field = self.span(index, index);
        if self.quoted { unquoted(field) } else { field }
    }

    /// Every field, without its quotes.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let field = self.line.get(start..end as usize).unwrap_or_default();
            start = end as usize + 1;
            if self.quoted { unquoted(field) } else { field }
        })
    }

    /// The text from one field's start to another's end; empty past the last.
    #[inline]
    pub(crate) fn span(self, first: usize, last: usize) -> &'a [u8] {
        let start = if first == 0 { Some(0) } else { self.ends.get(first - 1).map(|end| *end as usize + 1) };
        match (start, self.ends.get(last)) {
            (Some(start), Some(end)) => self.line.get(start..*end as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

fn unquoted(field: &[u8]) -> &[u8] {
    field.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(field)
}

/// Lines are at most [`crate::read::MOST_LINE`] bytes long, so no place is cut off.
#[expect(clippy::cast_possible_truncation, reason = "lines are bounded far below 4 GiB")]
const fn narrow(place: usize) -> u32 {
    place as u32
}

/// Eight bytes at a time, since fields are short.
#[inline]
fn cut_plain(line: &[u8], separator: u8, ends: &mut Vec<u32>) {
    let (words, rest) = line.as_chunks::<8>();
    let mut at = 0;
    for word in words {
        let mut found = separators(u64::from_le_bytes(*word), separator);
        while found != 0 {
            ends.push(at + found.trailing_zeros() / 8);
            found &= found - 1;
        }
        at += 8;
    }
    for (place, byte) in (at..).zip(rest) {
        if *byte == separator {
            ends.push(place);
        }
    }
}

/// 0x80 in each byte of the word that is a separator, 0 in all others: the exact test for zero bytes of their difference.
#[inline]
pub(super) const fn separators(word: u64, separator: u8) -> u64 {
    let difference = word ^ (separator as u64 * 0x0101_0101_0101_0101);
    let low = 0x7f7f_7f7f_7f7f_7f7f;
    !(((difference & low) + low) | difference | low)
}

/// A field met on the way along a line, with its first eight bytes as a word, the first one lowest; past its end the word holds
/// anything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<'a> {
    pub(super) field: &'a [u8],
    pub(super) word: u64,
}

/// The field of a line that starts at `at`, up to the next separator; none past the line's end. Knows no quotes.
#[inline]
pub(super) fn met(line: &[u8], at: usize, separator: u8) -> Option<Met<'_>> {
    let rest = line.get(at..)?;
    let word = match rest.first_chunk::<8>() {
        Some(word) => u64::from_le_bytes(*word),
        // The line's last bytes, what stands before the field shifted out.
        None => u64::from_le_bytes(*line.last_chunk::<8>()?)
            .checked_shr(narrow(8 * (8 - rest.len())))
            .unwrap_or(0),
    };
    let found = separators(word, separator);
    let length = if found != 0 {
        found.trailing_zeros() as usize / 8
    } else {
        rest.get(8..).and_then(|later| memchr(separator, later)).map_or(rest.len(), |place| place + 8)
    };
    Some(Met { field: &rest[..length], word })
}

fn cut_quoted(line: &[u8], separator: u8, ends: &mut Vec<u32>) {
    let mut at = 0;
    let mut opens = true;
    let mut inside = false;
    while let Some(&byte) = line.get(at) {
        let closes = line.get(at + 1).is_none_or(|next| *next == separator);
        match byte {
            b'"' if opens => inside = true,
            b'"' if inside && closes => inside = false,
            _ if byte == separator && !inside => ends.push(narrow(at)),
            _ => {}
        }
        opens = byte == separator && !inside;
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, quotes: bool) -> Vec<String> {
        let mut ends = Vec::new();
        let fields = Fields::cut(line.as_bytes(), b',', quotes, &mut ends);
        (0..fields.len()).map(|i| String::from_utf8_lossy(fields.get(i)).into_owned()).collect()
    }

    #[test]
    fn fields_lie_between_separators() {
        assert_eq!(cut("a,,b", false), ["a", "", "b"]);
        assert_eq!(cut("", false), [""]);
        assert_eq!(cut("a,", false), ["a", ""]);
        assert_eq!(cut("\"a,b\",c", false), ["\"a", "b\"", "c"]);
    }

    #[test]
    fn separators_in_quotes_are_none() {
        assert_eq!(cut("\"a, b\",c,\"d\"", true), ["a, b", "c", "d"]);
        assert_eq!(cut("a\"b,c", true), ["a\"b", "c"]);
        assert_eq!(cut("\"open, to the end", true), ["\"open, to the end"]);
    }
}
