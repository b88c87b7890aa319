//! Untrusted names made harmless. In: any text. Out: one line for a terminal, or one inline piece of markdown, in which
//! nothing of the text acts: no control, no escape sequence, no turn of writing direction, no markup, no mention.

use crate::inert::acts;
/// The text as one terminal line.
pub(super) use crate::inert::inert as terminal;

/// JSON text in which no character acts on the terminal or page that shows it: those that could are written as `\uXXXX`,
/// which every reader turns back into the very same text. The line ends between its keys stay.
#[must_use]
pub fn json_inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && acts(c) {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// A name as markdown code. Plain names stand in backquotes; any other in a `<code>` element with every mark as an entity,
/// since a backquote or a bar cannot be escaped inside backquotes in a table. Code also keeps `@names` and `#numbers` from
/// becoming links.
#[must_use]
pub(super) fn markdown_code(name: &str) -> String {
    let visible = terminal(name);
    let plain = |c: char| c.is_ascii_alphanumeric() || " _-.:=/+()%,".contains(c);
    if !visible.is_empty() && visible.trim() == visible && visible.chars().all(plain) {
        return format!("`{visible}`");
    }
    format!("<code>{}</code>", entities(&visible))
}

/// A sentence that holds untrusted names, as inert markdown. One with marks from which a forge makes links to people or
/// threads, whatever they are written as, stands as code.
#[must_use]
pub(super) fn markdown_text(text: &str) -> String {
    let visible = terminal(text);
    if visible.contains(['@', '#']) {
        format!("<code>{}</code>", entities(&visible))
    } else {
        entities(&visible)
    }
}

/// A sentence that holds untrusted names, as text of a page.
#[must_use]
pub(super) fn html_text(text: &str) -> String {
    entities(&terminal(text))
}

/// Every mark that markdown or HTML gives a meaning where it stands, as a numeric entity.
fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = None;
    let mut only_digits = true;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let after = rest.peek().copied();
        if is_inert(c, before, after) && !(only_digits && ".)".contains(c)) {
            out.push(c);
        } else {
            out.push_str(&format!("&#{};", u32::from(c)));
        }
        only_digits &= c.is_ascii_digit();
        before = Some(c);
    }
    out
}

/// Whether a character between those two means only itself.
fn is_inert(c: char, before: Option<char>, after: Option<char>) -> bool {
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        // A list where it opens, a heading's line where it stands alone.
        '-' | '+' | '=' => joins(before) || (before == Some(' ') && joins(after)),
        // Emphasis unless it stands inside a word.
        '_' => joins(before) && joins(after),
        // `http:`, `:smile:`.
        ':' => after.is_none_or(|after| after == ' '),
        // `www.`, the one address without a scheme that a forge makes a link of.
        '.' => !joins(after) || !matches!(before, Some('w' | 'W')),
        // Quotes mean something inside a tag or a link alone, and neither can open: `<` and `[` never stand.
        ' ' | ',' | ';' | '%' | '(' | ')' | '\'' | '"' | '/' => true,
        c => c.is_alphanumeric() || !c.is_ascii(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn markdown_names_are_code() {
        assert_eq!(markdown_code("depth_prepass"), "`depth_prepass`");
        assert_eq!(markdown_code("a|b"), "<code>a&#124;b</code>");
        assert_eq!(
            markdown_code("`</code><img src=x>"),
            "<code>&#96;&#60;/code&#62;&#60;img src=x&#62;</code>"
        );
        assert_eq!(markdown_code("@team #1"), "<code>&#64;team &#35;1</code>");
        assert_eq!(markdown_code(""), "<code></code>");
    }

    #[test]
    fn markdown_text_is_plain_where_nothing_acts() {
        let plain =
            "budget \"whole frame\": scene \"town\" is none of those given (orrery), see out/a-b.framecost";
        assert_eq!(markdown_text(plain), plain);
        assert_eq!(markdown_text("www.example.org http://x"), "www&#46;example.org http&#58;//x");
        assert_eq!(markdown_text("<a title=\"x\">"), "&#60;a title=\"x\"&#62;");
        assert_eq!(markdown_code("a \"b\""), "<code>a \"b\"</code>");
    }

    #[test]
    fn json_keeps_its_meaning_and_loses_what_acts() {
        let names =
            ["\u{9b}31m", "\u{202e}gnp.exe", "\u{2066}a\u{2069}", "\u{e0041}", "\u{7f}\u{1b}\n\\", "\u{fc}"];
        let raw = serde_json::to_string_pretty(&names).unwrap();
        let inert = json_inert(&raw);
        assert!(!inert.chars().any(|c| c != '\n' && acts(c)), "{inert}");
        assert!(
            inert.contains(r"\u202egnp.exe") && inert.contains(r"\udb40\udc41") && inert.contains('\u{fc}'),
            "{inert}"
        );
        assert_eq!(serde_json::from_str::<Vec<String>>(&inert).unwrap(), names);
    }

    proptest! {
        #[test]
        fn no_text_keeps_an_acting_character(text: String) {
            let markdown = markdown_text(&text);
            let inside = markdown.strip_prefix("<code>").and_then(|it| it.strip_suffix("</code>")).unwrap_or(&markdown);
            prop_assert!(!inside.chars().any(|c| "|<>`*[]\\@~!\n".contains(c)), "{}", markdown);
        }
    }
}
