//! Text from elsewhere made harmless: the one place that escapes. In: any text. Out: the same on one line, in which nothing acts.

/// The text as one line in which no character does something instead of showing something: each that would is written as
/// `\u{..}`, a line's end as `\n`, a zero byte as `\0`.
///
/// Text that is inert already stays as it is, backslashes and quotes too. So a reader may make a name harmless in an error, and
/// a report may make the whole error harmless, without either knowing of the other and without an escape escaped again. The
/// price is that a name which spells out an escape looks like one that was escaped; JSON keeps the two apart.
#[must_use]
pub fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0' => out.push_str("\\0"),
            c if acts(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out
}

/// Characters that do something instead of showing something: controls, direction marks, joiners, tags, other spaces
/// than the plain one, line and paragraph separators, surrogates' replacement for nothing, unassigned interlinears.
pub(crate) fn acts(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_holds_nothing_that_acts_and_keeps_the_rest() {
        assert_eq!(inert("lit"), "lit");
        assert_eq!(inert("\u{1b}[31mred\r\n"), r"\u{1b}[31mred\r\n");
        assert_eq!(inert("a\u{202e}b\u{200b}"), r"a\u{202e}b\u{200b}");
        assert_eq!(inert("\u{9b}2J"), r"\u{9b}2J");
        assert_eq!(inert("0.0\u{0}16"), r"0.0\016");
        assert_eq!(inert("the queue's \"main\" \\ \u{e9}"), "the queue's \"main\" \\ \u{e9}");
    }

    proptest! {
        #[test]
        fn nothing_acts_and_nothing_is_escaped_twice(text: String) {
            let once = inert(&text);
            prop_assert!(!once.chars().any(acts));
            prop_assert_eq!(inert(&once), once);
        }
    }
}
