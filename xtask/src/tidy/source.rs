//! Rust source reduced to what runs. In: a file's text. Out: the same lines with comments, texts and test modules blanked,
//! so that a search finds code alone and line numbers stay.

/// The text with every character of comments, literals and `#[cfg(test)]` items replaced by a space; line ends stay.
pub(super) fn code(text: &str) -> String {
    without_tests(&without_literals(text))
}

/// The line, counted from 1, on which the byte at `at` stands.
pub(super) fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// The range of the block that opens with the first `{` from `at` on, to past its `}`; none where it does not close.
pub(super) fn block(code: &str, at: usize) -> Option<(usize, usize)> {
    let open = at + code[at..].find('{')?;
    let mut depth = 0usize;
    for (i, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return Some((open, open + i + 1)),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// As many bytes of spaces, line ends kept.
fn blank(text: &str) -> String {
    text.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect()
}

fn without_literals(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = literal(rest, out.chars().next_back());
        if length > 0 {
            out.push_str(&blank(&rest[..length]));
            rest = &rest[length..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// The length of the comment or literal that `rest` starts with, 0 if it starts with code.
fn literal(rest: &str, before: Option<char>) -> usize {
    let to_end = |found: Option<usize>| found.unwrap_or(rest.len());
    if rest.starts_with("//") {
        return to_end(rest.find('\n'));
    }
    if rest.starts_with("/*") {
        return to_end(block_comment(rest));
    }
    if rest.starts_with('"') {
        return to_end(quoted(rest, '"'));
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !in_word && let Some(length) = raw(rest) {
        return length;
    }
    if rest.starts_with('\'') { character(rest) } else { 0 }
}

fn block_comment(rest: &str) -> Option<usize> {
    let (mut depth, mut at) = (0usize, 0);
    loop {
        let next = at + rest[at..].find(['/', '*'])?;
        at = match rest.get(next..next + 2) {
            Some("/*") => {
                depth += 1;
                next + 2
            }
            Some("*/") => {
                depth -= 1;
                next + 2
            }
            _ => next + 1,
        };
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The length of a quoted text with backslash escapes.
fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(i + 1),
            _ => {}
        }
    }
    None
}

/// The length of a raw text, `r"..."` or `br#"..."#`.
fn raw(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix("br").or_else(|| rest.strip_prefix('r'))?;
    let hashes = body.len() - body.trim_start_matches('#').len();
    let body = body[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let start = rest.len() - body.len();
    Some(body.find(&close).map_or(rest.len(), |end| start + end + close.len()))
}

/// The length of a character literal; 0 for a lifetime.
fn character(rest: &str) -> usize {
    let mut chars = rest.char_indices().skip(1);
    match (chars.next(), chars.next()) {
        (Some((_, '\\')), _) => quoted(rest, '\'').unwrap_or(0),
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 0,
    }
}

fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    let mut at = 0;
    while let Some(found) = out[at..].find("#[cfg(test)]") {
        let start = at + found;
        // An item without a block, such as `mod tests;`, ends with its semicolon.
        let end_of_item = out[start..].find(';').map(|end| start + end + 1);
        let end = match (block(&out, start), end_of_item) {
            (Some((open, _)), Some(semicolon)) if semicolon < open => semicolon,
            (Some((_, end)), _) => end,
            (None, other) => other.unwrap_or(out.len()),
        };
        out.replace_range(start..end, &blank(&out[start..end]));
        at = end.min(out.len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        code(text).split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn comments_and_texts_are_no_code() {
        assert_eq!(words("a // println!\nb /* x /* y */ z */ c"), ["a", "b", "c"]);
        assert_eq!(words(r##"a "println!\"" b r#"x"y"# c br"z" d"##), ["a", "b", "c", "d"]);
        assert_eq!(words(r"f('{', '\'', b'\n') <'a>"), ["f(", ",", ",", "b", ")", "<'a>"]);
        assert_eq!(words("for r in her\"x\""), ["for", "r", "in", "her"]);
    }

    #[test]
    fn test_modules_are_blanked_and_lines_stay() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { \"}\" }\n}\nfn c() {}\n";
        assert_eq!(words(text), ["fn", "a()", "{}", "fn", "c()", "{}"]);
        assert_eq!(code(text).lines().count(), text.lines().count());
        assert_eq!(words("#[cfg(test)]\nmod tests;\nfn a() {}"), ["fn", "a()", "{}"]);
    }

    #[test]
    fn blocks_nest() {
        assert_eq!(block("fn a() { { } } x", 0), Some((7, 14)));
        assert_eq!(block("fn a();", 0), None);
    }
}
