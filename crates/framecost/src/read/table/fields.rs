//! A line cut into fields. In: a line and a separator. Out: the fields' places, in room that is used again for every line.

use memchr::{memchr, memchr_iter};

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
            ends.extend(memchr_iter(separator, line).map(narrow));
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
        if !self.quoted {
            return field;
        }
        field.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(field)
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

/// Lines are at most [`crate::read::MOST_LINE`] bytes long, so no place is cut off.
#[expect(clippy::cast_possible_truncation, reason = "lines are bounded far below 4 GiB")]
const fn narrow(place: usize) -> u32 {
    place as u32
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
