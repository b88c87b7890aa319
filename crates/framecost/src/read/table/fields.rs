//! A line cut into fields. In: a line and a separator. Out: the fields' places, in room that is used again for every line.

use memchr::{memchr, memchr_iter};

use super::ends::{BEFORE, narrow};

/// The fields of one line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    text: &'a [u8],
    /// Where the line before ends in the text, and where each field does.
    ends: &'a [u32],
    /// Whether a carriage return stands behind the last field.
    returns: bool,
    quoted: bool,
}

impl<'a> Fields<'a> {
    /// Cuts a line of less than 4 GiB at each `separator`; inside quotes it is none, where `quotes` may be. A quote opens only at
    /// a field's start and closes only at its end.
    pub(crate) fn cut(line: &'a [u8], separator: u8, quotes: bool, ends: &'a mut Vec<u32>) -> Self {
        ends.clear();
        ends.push(BEFORE);
        let quoted = quotes && memchr(b'"', line).is_some();
        if quoted {
            cut_quoted(line, separator, ends);
        } else {
            ends.extend(memchr_iter(separator, line).map(narrow));
        }
        ends.push(narrow(line.len()));
        Self { text: line, ends, returns: false, quoted }
    }

    /// The fields of a line in a text, which end there: the end of the line before, then as many as there are fields, at least one.
    #[inline]
    pub(super) fn of(text: &'a [u8], ends: &'a [u32]) -> Self {
        let returns = match ends {
            [.., before, last] => ends_with_return(text, *before, *last),
            _ => false,
        };
        Self { text, ends, returns, quoted: false }
    }

    /// The line, without its end.
    #[inline]
    pub(super) fn line(self) -> &'a [u8] {
        self.span(0, self.len().saturating_sub(1))
    }

    /// How many there are: at least one.
    #[inline]
    pub(crate) const fn len(self) -> usize {
        self.ends.len() - 1
    }

    /// The field at that place, without its quotes; empty past the last.
    #[inline]
    pub(crate) fn get(self, index: usize) -> &'a [u8] {
        let field = self.span(index, index);
        if self.quoted { unquoted(field) } else { field }
    }

    /// The text from one field's start to another's end; empty past the last.
    #[inline]
    pub(crate) fn span(self, first: usize, last: usize) -> &'a [u8] {
        let (Some(start), Some(end)) = (self.ends.get(first), self.ends.get(last + 1)) else { return &[] };
        let returns = usize::from(self.returns && last + 1 == self.len());
        self.text.get(start.wrapping_add(1) as usize..*end as usize - returns).unwrap_or_default()
    }
}

/// Whether a carriage return stands at the end of a field between two ends, which is its line's last.
#[inline]
pub(super) fn ends_with_return(text: &[u8], before: u32, end: u32) -> bool {
    before.wrapping_add(1) < end && text.get(end as usize - 1) == Some(&b'\r')
}

fn unquoted(field: &[u8]) -> &[u8] {
    field.strip_prefix(b"\"").and_then(|it| it.strip_suffix(b"\"")).unwrap_or(field)
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
