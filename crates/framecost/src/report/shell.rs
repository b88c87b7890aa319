//! Words of suggested commands. In: a name or path as it is. Out: text that a shell takes for that one word when it is pasted.

use crate::inert::acts;

/// The text as one word of a POSIX shell. What acts on a terminal is written as bash, zsh and ksh read it, so that the word can
/// be shown too.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    if !text.chars().any(acts) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut word = String::from("$'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => word.extend(['\\', c]),
            c if acts(c) => word.push_str(&format!("\\U{:08x}", u32::from(c))),
            c => word.push(c),
        }
    }
    word.push('\'');
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word() {
        for (text, word) in [
            ("out/town-1.framecost", "out/town-1.framecost"),
            ("my runs/a.framecost", "'my runs/a.framecost'"),
            ("it's $HOME", r"'it'\''s $HOME'"),
            (r"C:\runs", r"'C:\runs'"),
            ("", "''"),
            ("~", "'~'"),
            ("a\n\u{1b}b'\\", r"$'a\U0000000a\U0000001bb\'\\'"),
        ] {
            assert_eq!(shell_word(text), word, "{text:?}");
        }
    }
}
