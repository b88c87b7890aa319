//! Numbers with their nouns. In: a number and a noun. Out: `1 frame`, `2 frames`, `3 passes`.

/// So many of something. What follows the noun stays as it is: `2 budgets without effect`.
#[must_use]
pub fn counted(count: u64, one: &str) -> String {
    format!("{count} {}", plural(count, one))
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
