//! Numbers with their nouns. In: a number and a noun. Out: `1 frame`, `2 frames`, `3 passes`; lists that end in `and 3 more
//! passes` where they grow long.

/// So many of something. What follows the noun stays as it is: `2 budgets without effect`.
#[must_use]
pub fn counted(count: u64, one: &str) -> String {
    format!("{count} {}", plural(count, one))
}

/// The first `most` of a list of names; where there are more, how many more of what.
#[must_use]
pub fn some_of(names: &[String], most: usize, kind: &str) -> String {
    let mut shown: Vec<String> = names.iter().take(most).cloned().collect();
    shown.extend(left_out(names.len(), most, kind));
    shown.join(", ")
}

/// How many of so many entries a list of at most `most` leaves out; none where it holds all.
pub(crate) fn left_out(entries: usize, most: usize, kind: &str) -> Option<String> {
    let more = entries.checked_sub(most).filter(|more| *more > 0)? as u64;
    Some(format!("and {more} more {}", plural(more, kind)))
}

/// The noun in the form that so many take.
pub(crate) fn plural(count: u64, one: &str) -> String {
    let (noun, rest) = one.find(' ').map_or((one, ""), |space| one.split_at(space));
    let ending = match noun {
        _ if count == 1 => "",
        noun if noun.ends_with('s') => "es",
        noun if noun.ends_with("ry") => return format!("{}ies{rest}", noun.trim_end_matches('y')),
        _ => "s",
    };
    format!("{noun}{ending}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_says_how_many_it_leaves_out() {
        let names: Vec<String> = (1..=10).map(|i| i.to_string()).collect();
        assert_eq!(some_of(&names, 8, "pass"), "1, 2, 3, 4, 5, 6, 7, 8, and 2 more passes");
        assert_eq!(some_of(&names, 9, "pass"), "1, 2, 3, 4, 5, 6, 7, 8, 9, and 1 more pass");
        assert_eq!(some_of(&names[..2], 2, "pass"), "1, 2");
        assert_eq!(some_of(&[], 2, "pass"), "");
    }

    #[test]
    fn one_is_singular_and_everything_else_is_not() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "frame")), ["0 frames", "1 frame", "2 frames"]);
        assert_eq!(counted(2, "pass"), "2 passes");
        assert_eq!(
            [1, 2].map(|n| counted(n, "entry without effect")),
            ["1 entry without effect", "2 entries without effect"]
        );
        assert_eq!(counted(3, "budget without effect"), "3 budgets without effect");
    }
}
